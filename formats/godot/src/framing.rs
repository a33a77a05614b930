//! The arrangement of values in bytes.

use std::fmt;

use crate::settings;
use formwork::Result;
use formwork_variant::frame::{ByteOrder, FrameWriter};
use formwork_variant::{Decoder, Dialect};

/// The arrangement of values in some bytes: alone, one after another, or each after its length.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Framing {
    /// A single value: `var2bytes`, `var_to_bytes`, a packet.
    #[default]
    Bare,
    /// Values one after another.
    BareSequence,
    /// Packets after their lengths: `store_var`, `put_var`.
    Frames(ByteOrder),
    /// A file of settings, which is one Dictionary: `project.binary`, `engine.cfb`.
    Settings,
}

impl Framing {
    /// Joins packets in this arrangement to the bytes of a file.
    ///
    /// ```
    /// use formwork_godot::Framing;
    /// use formwork_variant::Dialect;
    /// use formwork_variant::frame::ByteOrder;
    ///
    /// let (null, dialect) = ([0; 4], Dialect::GODOT4);
    /// assert_eq!(Framing::BareSequence.join(dialect, [null, null])?, [0; 8]);
    /// assert_eq!(Framing::Frames(ByteOrder::Big).join(dialect, [null])?, [0, 0, 0, 4, 0, 0, 0, 0]);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if a packet is too long for a length word, or if settings are not the packet of one
    /// Dictionary of the dialect, with Strings as keys.
    pub fn join<P: AsRef<[u8]>>(
        self,
        dialect: Dialect,
        packets: impl IntoIterator<Item = P>,
    ) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut packets = packets.into_iter();
        match self {
            Self::Frames(order) => {
                let mut frames = FrameWriter::new(&mut bytes, order);
                packets.try_for_each(|packet| frames.write_packet(packet.as_ref()))?;
            }
            Self::Bare | Self::BareSequence => {
                packets.for_each(|packet| bytes.extend_from_slice(packet.as_ref()));
            }
            Self::Settings => {
                packets.for_each(|packet| bytes.extend_from_slice(packet.as_ref()));
                let decoder = Decoder::new(dialect).double().allow_objects(true);
                return settings::from_packet(&bytes, &decoder, None);
            }
        }
        Ok(bytes)
    }

    /// Returns the order of the bytes of length words; [`None`] if there are none.
    #[must_use]
    pub const fn order(self) -> Option<ByteOrder> {
        match self {
            Self::Frames(order) => Some(order),
            Self::Bare | Self::BareSequence | Self::Settings => None,
        }
    }
}

impl fmt::Display for Framing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bare => "a bare value",
            Self::BareSequence => "bare values one after another",
            Self::Frames(ByteOrder::Little) => "frames with little-endian lengths",
            Self::Frames(ByteOrder::Big) => "frames with big-endian lengths",
            Self::Settings => "a file of settings",
        })
    }
}

//! Framings of packets in a file, by their names on the command line.

use clap::ValueEnum;
use formwork_godot::Framing;
use formwork_variant::frame::ByteOrder;

/// The framing of packets in a file or stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
pub enum FramingName {
    /// Values alone, as var2bytes and var_to_bytes return them
    Bare,
    /// Each value after its length, as store_var and put_var write them
    Frames,
    /// Like frames, with big-endian lengths (endian_swap, big_endian)
    FramesBe,
    /// One dictionary of settings: project.binary, engine.cfb
    Settings,
}

impl FramingName {
    /// Returns the name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bare => "bare",
            Self::Frames => "frames",
            Self::FramesBe => "frames-be",
            Self::Settings => "settings",
        }
    }

    /// Returns a short description.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Bare => "values alone, as var2bytes and var_to_bytes return them",
            Self::Frames => "each value after its length, as store_var and put_var write it",
            Self::FramesBe => "each value after its big-endian length (endian_swap, big_endian)",
            Self::Settings => "a name and a value for each setting, as project.binary has them",
        }
    }

    /// Returns the name for a framing.
    #[must_use]
    pub const fn of(framing: Framing) -> Self {
        match framing {
            Framing::Frames(ByteOrder::Little) => Self::Frames,
            Framing::Frames(ByteOrder::Big) => Self::FramesBe,
            Framing::Settings => Self::Settings,
            _ => Self::Bare,
        }
    }

    /// Returns the framing of the library; bare values may be several.
    #[must_use]
    pub const fn framing(self) -> Framing {
        match self {
            Self::Bare => Framing::BareSequence,
            Self::Frames => Framing::Frames(ByteOrder::Little),
            Self::FramesBe => Framing::Frames(ByteOrder::Big),
            Self::Settings => Framing::Settings,
        }
    }

    /// Returns the byte order of the length words; [`None`] where there are none.
    #[must_use]
    pub const fn order(self) -> Option<ByteOrder> {
        match self {
            Self::Bare | Self::Settings => None,
            Self::Frames => Some(ByteOrder::Little),
            Self::FramesBe => Some(ByteOrder::Big),
        }
    }
}

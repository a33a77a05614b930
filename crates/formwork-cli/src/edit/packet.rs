//! Reads a packet of the old file: its value, and what is odd in its bytes.

use std::borrow::Cow;
use std::collections::HashSet;

use formwork_variant::{Decoder, Error};
use formwork_variant::{Real, Variant};

/// A packet of the old file.
#[derive(Debug)]
pub(crate) struct OldPacket<'a, R: Real> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) value: Variant<R>,
    /// How many values in it have bytes that say nothing, such as padding, and are not what would be written.
    pub(super) odd: usize,
}

impl<'a, R: Real> OldPacket<'a, R> {
    /// Reads the packet that the bytes start with; how many bytes it takes.
    pub(crate) fn read(
        bytes: impl Into<Cow<'a, [u8]>>,
        decoder: &Decoder<R>,
    ) -> Result<(Self, usize), Error> {
        let mut bytes = bytes.into();
        let mut notes = Vec::new();
        let (value, length) = decoder.decode_with_warnings(&bytes, &mut notes)?;
        let odd: HashSet<_> = notes.into_iter().map(|note| note.path).collect();
        if length < bytes.len() {
            bytes = match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(length);
                    Cow::Owned(bytes)
                }
            };
        }
        Ok((Self { bytes, value, odd: odd.len() }, length))
    }
}

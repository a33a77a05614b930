//! Reads a packet of the old file: its value, and the number of unusual values.

use std::borrow::Cow;
use std::collections::HashSet;

use formwork_variant::{Decoder, Error};
use formwork_variant::{Real, Variant};

/// A packet of the old file.
#[derive(Debug)]
pub(crate) struct OldPacket<'a, R: Real> {
    pub(super) bytes: Cow<'a, [u8]>,
    pub(super) value: Variant<R>,
    /// Number of values with insignificant bytes, such as padding, that an engine would write
    /// differently.
    pub(super) odd: usize,
}

impl<'a, R: Real> OldPacket<'a, R> {
    /// Reads the packet at the start of the bytes, and returns its length.
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

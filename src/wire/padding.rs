//! Bytes up to a multiple of a length.

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::{cursor, missing, raise};
use crate::schema::{Layout, Schema};

/// The bytes that bring a length up to a multiple of `TO`: `#[br(args(length.into()))] Padding<4>`.
///
/// A writer fills them with zeros; bytes that are not zero are read, kept, and odd for `record::check`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Padding<const TO: usize> {
    length: usize,
    bytes: [u8; TO],
}

impl<const TO: usize> Padding<TO> {
    /// Returns the padding after `length` bytes.
    #[must_use]
    pub const fn after(length: u64) -> Self {
        Self { length: Self::needed(length), bytes: [0; TO] }
    }

    /// Returns padding of these bytes, fewer than `TO`.
    pub(super) fn of(bytes: &[u8]) -> Self {
        let mut padding = Self { length: bytes.len().min(TO), bytes: [0; TO] };
        for (to, byte) in padding.bytes.iter_mut().zip(bytes) {
            *to = *byte;
        }
        padding
    }

    /// Returns how many bytes bring `length` up to a multiple of `TO`.
    #[must_use]
    pub const fn needed(length: u64) -> usize {
        needed(TO as u64, length) as usize
    }

    /// Returns the bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Returns whether all the bytes are zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.as_bytes().iter().all(|byte| *byte == 0)
    }
}

/// Returns how many bytes bring a length up to a multiple. The reader and the walk both call it.
pub(crate) const fn needed(multiple: u64, length: u64) -> u64 {
    match length % multiple {
        0 => 0,
        rest => multiple - rest,
    }
}

impl<const TO: usize> Default for Padding<TO> {
    fn default() -> Self {
        Self::after(0)
    }
}

impl<const TO: usize> Schema for Padding<TO> {
    const LAYOUT: Layout = {
        assert!(TO > 0, "a length is no multiple of 0");
        Layout::Padding(TO as u64)
    };
    const SIZE: Option<usize> = None;
    const PARAMETERS: usize = 1;
}

impl<const TO: usize> BinRead for Padding<TO> {
    type Args<'a> = (u64,);

    #[inline]
    fn read_options<R: Read + Seek>(
        reader: &mut R,
        _: Endian,
        (length,): (u64,),
    ) -> BinResult<Self> {
        let mut padding = Self::after(length);
        let bytes = &mut padding.bytes[..padding.length];
        if reader.read_exact(bytes).is_err() {
            let (at, end) = cursor::span(reader)?;
            return Err(raise(missing(at, end - at, bytes.len() as u64, 1)));
        }
        Ok(padding)
    }
}

impl<const TO: usize> BinWrite for Padding<TO> {
    type Args<'a> = ();

    #[inline]
    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(self.as_bytes())?)
    }
}

impl<const TO: usize> ReadEndian for Padding<TO> {
    const ENDIAN: EndianKind = EndianKind::None;
}

impl<const TO: usize> WriteEndian for Padding<TO> {
    const ENDIAN: EndianKind = EndianKind::None;
}

//! Numbers in groups of seven bits.

use std::fmt;
use std::marker::PhantomData;

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::{raise, rule};
use crate::error::Error;
use crate::schema::{Layout, Schema, VarintForm};

/// A form of [`Varint`].
pub trait VarintKind {
    /// The form.
    const FORM: VarintForm;
}

/// The lowest group first: DWARF, protobuf, WebAssembly.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Leb128;

/// The highest group first, one added between groups: the offsets of git.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Git;

/// The highest group first: MIDI.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Midi;

impl VarintKind for Leb128 {
    const FORM: VarintForm = VarintForm::Leb128;
}

impl VarintKind for Git {
    const FORM: VarintForm = VarintForm::Git;
}

impl VarintKind for Midi {
    const FORM: VarintForm = VarintForm::Midi;
}

/// A number of up to 64 bits in groups of seven, in its shortest form. Expressions use [`value`](Self::value).
pub struct Varint<K>(u64, PhantomData<K>);

impl<K> Varint<K> {
    /// Returns the number in this form.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number, PhantomData)
    }

    /// Returns the number.
    #[must_use]
    pub const fn value(&self) -> u64 {
        self.0
    }

    pub(crate) const fn set(&mut self, number: u64) {
        self.0 = number;
    }
}

impl<K> Clone for Varint<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Varint<K> {}

impl<K> Default for Varint<K> {
    fn default() -> Self {
        Self::new(0)
    }
}

impl<K> PartialEq for Varint<K> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<K> Eq for Varint<K> {}

impl<K> fmt::Debug for Varint<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K: VarintKind> Schema for Varint<K> {
    const LAYOUT: Layout = Layout::Varint(K::FORM);
    const SIZE: Option<usize> = None;
}

/// Adds a byte to a number, and returns whether it was the last. The reader and the walk both call it.
pub(crate) fn step(
    form: VarintForm,
    number: u64,
    index: u32,
    byte: u8,
) -> Result<(u64, bool), &'static str> {
    let group = u64::from(byte & 127);
    let number = match form {
        VarintForm::Leb128 if index > 0 && byte == 0 => return Err("a longer form than needed"),
        VarintForm::Leb128 => {
            let high = 7 * index;
            group.checked_shl(high).filter(|it| it >> high == group).map(|it| number | it)
        }
        VarintForm::Midi if index == 0 && byte == 0x80 => return Err("a longer form than needed"),
        VarintForm::Git | VarintForm::Midi if index == 0 => Some(group),
        VarintForm::Git => {
            number.checked_add(1).and_then(|it| it.checked_mul(128)).map(|it| it | group)
        }
        VarintForm::Midi => number.checked_mul(128).map(|it| it | group),
    };
    Ok((number.ok_or("more than 64 bits")?, byte < 128))
}

/// Returns the bytes of a number.
pub(crate) fn encode(form: VarintForm, mut number: u64) -> Vec<u8> {
    let mut bytes = vec![(number & 127) as u8];
    loop {
        number >>= 7;
        if number == 0 {
            break;
        }
        if form == VarintForm::Git {
            number -= 1;
        }
        bytes.push((number & 127) as u8);
    }
    // All but the last byte in the file have the highest bit.
    if form != VarintForm::Leb128 {
        bytes.reverse();
    }
    let last = bytes.len() - 1;
    bytes[..last].iter_mut().for_each(|byte| *byte |= 128);
    bytes
}

/// Returns the error of a number that is not in its shortest form, or too large.
#[cold]
pub(crate) fn wrong(at: u64, found: &str) -> Error {
    Error::new(rule::RECORD_VARINT, at, "a number of up to 64 bits in its shortest form", found)
}

impl<K: VarintKind> BinRead for Varint<K> {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let (start, mut number, mut index) = (reader.stream_position()?, 0, 0);
        loop {
            let byte = u8::read_options(reader, endian, ())?;
            let (next, is_last) =
                step(K::FORM, number, index, byte).map_err(|found| raise(wrong(start, found)))?;
            if is_last {
                return Ok(Self::new(next));
            }
            number = next;
            index += 1;
        }
    }
}

impl<K: VarintKind> BinWrite for Varint<K> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(writer.write_all(&encode(K::FORM, self.0))?)
    }
}

impl<K> ReadEndian for Varint<K> {
    const ENDIAN: EndianKind = EndianKind::None;
}

impl<K> WriteEndian for Varint<K> {
    const ENDIAN: EndianKind = EndianKind::None;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(form: VarintForm, bytes: &[u8]) -> Result<u64, &'static str> {
        let mut number = 0;
        for (index, byte) in bytes.iter().enumerate() {
            let (next, is_last) = step(form, number, index as u32, *byte)?;
            if is_last {
                assert_eq!(index + 1, bytes.len());
                return Ok(next);
            }
            number = next;
        }
        panic!("no last byte");
    }

    #[test]
    fn numbers_come_back_in_every_form() {
        for form in [VarintForm::Leb128, VarintForm::Git, VarintForm::Midi] {
            for bits in 0..64 {
                for number in [1_u64 << bits, (1 << bits) - 1, u64::MAX >> bits, u64::MAX - bits] {
                    assert_eq!(
                        decode(form, &encode(form, number)),
                        Ok(number),
                        "{form:?} {number}"
                    );
                }
            }
        }
        // DWARF 5, figure 22; gitformat-pack's example of 128; the Standard MIDI Files specification.
        assert_eq!(encode(VarintForm::Leb128, 12857), [57 + 0x80, 100]);
        assert_eq!(encode(VarintForm::Git, 128), [0x80, 0x00]);
        assert_eq!(encode(VarintForm::Midi, 0x0FFF_FFFF), [0xff, 0xff, 0xff, 0x7f]);
    }

    #[test]
    fn longer_forms_and_larger_numbers_are_refused() {
        assert_eq!(decode(VarintForm::Leb128, &[0x81, 0]), Err("a longer form than needed"));
        assert_eq!(decode(VarintForm::Midi, &[0x80, 1]), Err("a longer form than needed"));
        for form in [VarintForm::Leb128, VarintForm::Git, VarintForm::Midi] {
            assert_eq!(decode(form, &[0xff; 11]), Err("more than 64 bits"), "{form:?}");
        }
    }
}

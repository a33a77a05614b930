//! Bytes and a zero.

use std::ops::{Deref, DerefMut};

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::{raise, rule};
use crate::error::Error;
use crate::schema::{Layout, Schema};

/// Bytes that a zero ends; the zero is not among them.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Terminated(pub Vec<u8>);

impl Deref for Terminated {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Terminated {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl From<Vec<u8>> for Terminated {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&str> for Terminated {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl Schema for Terminated {
    const LAYOUT: Layout = Layout::Terminated;
    const SIZE: Option<usize> = None;
}

impl BinRead for Terminated {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let mut bytes = Vec::new();
        loop {
            match u8::read_options(reader, endian, ())? {
                0 => return Ok(Self(bytes)),
                byte => bytes.push(byte),
            }
        }
    }
}

impl BinWrite for Terminated {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        if self.0.contains(&0) {
            return Err(raise(zero_inside(writer.stream_position()?)));
        }
        writer.write_all(&self.0)?;
        Ok(writer.write_all(&[0])?)
    }
}

/// Returns the error of a zero in a text that a zero ends.
#[cold]
pub(crate) fn zero_inside(at: u64) -> Error {
    Error::new(rule::RECORD_AGREEMENT, at, "no zero in a text that a zero ends", "one")
}

impl ReadEndian for Terminated {
    const ENDIAN: EndianKind = EndianKind::None;
}

impl WriteEndian for Terminated {
    const ENDIAN: EndianKind = EndianKind::None;
}

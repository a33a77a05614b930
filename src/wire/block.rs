//! Numbers that are moved as one block.

use std::ops::{Deref, DerefMut};

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};

use super::{cursor, raise};
use crate::error::Error;
use crate::schema::{Layout, Schema};

/// A number that a [`Block`] is made of.
pub trait Number: Schema + Copy + 'static {
    /// Reads numbers out of all the bytes.
    fn read(bytes: Vec<u8>, endian: Endian) -> Vec<Self>;
    /// Appends the bytes of numbers.
    fn write(numbers: &[Self], endian: Endian, out: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($ty:ident)+) => { $(
        impl Number for $ty {
            fn read(bytes: Vec<u8>, endian: Endian) -> Vec<Self> {
                let (chunks, _) = bytes.as_chunks::<{ size_of::<$ty>() }>();
                match endian {
                    Endian::Little => chunks.iter().map(|chunk| Self::from_le_bytes(*chunk)).collect(),
                    Endian::Big => chunks.iter().map(|chunk| Self::from_be_bytes(*chunk)).collect(),
                }
            }
            fn write(numbers: &[Self], endian: Endian, out: &mut Vec<u8>) {
                match endian {
                    Endian::Little => numbers.iter().for_each(|it| out.extend(it.to_le_bytes())),
                    Endian::Big => numbers.iter().for_each(|it| out.extend(it.to_be_bytes())),
                }
            }
        }
    )+ };
}

numbers!(i8 u16 i16 u32 i32 u64 i64 f32 f64);

impl Number for u8 {
    fn read(bytes: Vec<u8>, _: Endian) -> Vec<Self> {
        bytes
    }

    fn write(numbers: &[Self], _: Endian, out: &mut Vec<u8>) {
        out.extend(numbers);
    }
}

/// As many numbers as the argument `count`: `#[br(count = length)] Block<u16>`.
///
/// The bytes are looked for before memory is reserved.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Block<T = u8>(pub Vec<T>);

impl<T> Deref for Block<T> {
    type Target = Vec<T>;

    fn deref(&self) -> &Vec<T> {
        &self.0
    }
}

impl<T> DerefMut for Block<T> {
    fn deref_mut(&mut self) -> &mut Vec<T> {
        &mut self.0
    }
}

impl<T> From<Vec<T>> for Block<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(numbers)
    }
}

impl<'b, T> IntoIterator for &'b Block<T> {
    type Item = &'b T;
    type IntoIter = std::slice::Iter<'b, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<T: Number> Schema for Block<T> {
    const LAYOUT: Layout = Layout::List(T::layout);
    const SIZE: Option<usize> = None;
}

/// `count = n`.
#[derive(Clone, Debug, NamedArgs)]
pub struct Count {
    /// The number of numbers.
    pub count: usize,
}

impl<T: Number> BinRead for Block<T> {
    type Args<'a> = Count;

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        arguments: Count,
    ) -> BinResult<Self> {
        let (at, end) = cursor::span(reader)?;
        let size = arguments.count.checked_mul(size_of::<T>());
        let Some(size) = size.filter(|size| *size as u64 <= end - at) else {
            return Err(raise(missing(at, end - at, arguments.count as u64, size_of::<T>())));
        };
        let mut bytes = vec![0; size];
        reader.read_exact(&mut bytes)?;
        Ok(Self(T::read(bytes, endian)))
    }
}

impl<T: Number> BinWrite for Block<T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(
        &self,
        writer: &mut W,
        endian: Endian,
        (): (),
    ) -> BinResult<()> {
        let mut bytes = Vec::with_capacity(size_of_val(&*self.0));
        T::write(&self.0, endian, &mut bytes);
        Ok(writer.write_all(&bytes)?)
    }
}

impl<T> ReadEndian for Block<T> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}

impl<T> WriteEndian for Block<T> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}

/// Returns the error of elements that the input does not hold.
#[cold]
pub(crate) fn missing(at: u64, left: u64, count: u64, size: usize) -> Error {
    let expected = match (count, size) {
        (1, 1) => "1 byte".to_owned(),
        (bytes, 1) => format!("{bytes} bytes"),
        (1, size) => format!("{size} bytes"),
        (count, size) => format!("{count} elements of {size} bytes"),
    };
    let needed = u128::from(count) * size as u128 - u128::from(left);
    Error::incomplete(at, needed.try_into().unwrap_or(u64::MAX), expected, left)
}

//! Numbers that are moved as one block.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};

use super::{cursor, raise};
use crate::error::Error;
use crate::schema::{Layout, Schema, Shape};

/// An element of a [`Block`]: a number, or a record of numbers that is moved with them.
pub trait Number: Schema + Copy + 'static {
    /// Bytes of an element in the file.
    const BYTES: usize = size_of::<Self>();
    /// Reads elements out of all the bytes.
    fn read(bytes: Vec<u8>, endian: Endian) -> Vec<Self>;
    /// Writes the bytes of elements.
    ///
    /// # Errors
    ///
    /// Those of the writer.
    fn write<W: Write>(elements: &[Self], endian: Endian, writer: &mut W) -> binrw::io::Result<()>;

    /// Returns bytes as elements that are bytes.
    #[must_use]
    fn borrowed(bytes: &[u8]) -> Option<&[Self]> {
        let _ = bytes;
        None
    }

    /// Returns elements that are bytes as bytes, which functions in declarations read.
    fn as_bytes(elements: &mut [Self]) -> Option<&mut [u8]> {
        let _ = elements;
        None
    }

    /// Returns the sum of unsigned whole numbers.
    fn total(elements: &[Self]) -> Option<u64> {
        let _ = elements;
        None
    }
}

macro_rules! total {
    () => {
        fn total(numbers: &[Self]) -> Option<u64> {
            Some(numbers.iter().fold(0, |sum: u64, number| sum.saturating_add((*number).into())))
        }
    };
}

macro_rules! numbers {
    ($($ty:ident $($total:ident)?),+) => { $(
        impl Number for $ty {
            $( $total!(); )?

            fn read(bytes: Vec<u8>, endian: Endian) -> Vec<Self> {
                let (chunks, _) = bytes.as_chunks::<{ size_of::<$ty>() }>();
                match endian {
                    Endian::Little => chunks.iter().map(|chunk| Self::from_le_bytes(*chunk)).collect(),
                    Endian::Big => chunks.iter().map(|chunk| Self::from_be_bytes(*chunk)).collect(),
                }
            }

            fn write<W: Write>(numbers: &[Self], endian: Endian, writer: &mut W) -> binrw::io::Result<()> {
                const GROUP: usize = 512 / size_of::<$ty>();
                let mut bytes = [[0; size_of::<$ty>()]; GROUP];
                for group in numbers.chunks(GROUP) {
                    for (to, number) in bytes.iter_mut().zip(group) {
                        *to = match endian {
                            Endian::Little => number.to_le_bytes(),
                            Endian::Big => number.to_be_bytes(),
                        };
                    }
                    writer.write_all(bytes[..group.len()].as_flattened())?;
                }
                Ok(())
            }
        }
    )+ };
}

numbers!(i8, u16 total, i16, u32 total, i32, u64 total, i64, u128, i128, f32, f64);

impl Number for u8 {
    total!();

    #[inline]
    fn read(bytes: Vec<u8>, _: Endian) -> Vec<Self> {
        bytes
    }

    #[inline]
    fn write<W: Write>(bytes: &[Self], _: Endian, writer: &mut W) -> binrw::io::Result<()> {
        writer.write_all(bytes)
    }

    #[inline]
    fn borrowed(bytes: &[u8]) -> Option<&[Self]> {
        Some(bytes)
    }

    fn as_bytes(bytes: &mut [Self]) -> Option<&mut [u8]> {
        Some(bytes)
    }
}

/// As many numbers as the argument `count`: `#[br(count = length)] Block<u16>`.
///
/// The bytes are looked for before memory is reserved.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Block<T = u8>(pub Vec<T>);

/// A [`Block`] that is written without a copy of its numbers. A reader makes a copy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Slice<'b, T: Clone = u8>(pub Cow<'b, [T]>);

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

impl PartialEq<[u8]> for Block<u8> {
    fn eq(&self, other: &[u8]) -> bool {
        self.0 == other
    }
}

impl<const N: usize> PartialEq<[u8; N]> for Block<u8> {
    fn eq(&self, other: &[u8; N]) -> bool {
        self.0 == other
    }
}

impl<const N: usize> PartialEq<&[u8; N]> for Block<u8> {
    fn eq(&self, other: &&[u8; N]) -> bool {
        self.0 == *other
    }
}

impl<T: Number + Into<u64>> Block<T> {
    /// Returns the sum of the numbers, at most the largest `u64`. Expressions use it: `count = sizes.total()`.
    #[must_use]
    pub fn total(&self) -> u64 {
        T::total(&self.0).unwrap_or(0)
    }
}

impl<T: Clone> Deref for Slice<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Clone> Default for Slice<'_, T> {
    fn default() -> Self {
        Self(Cow::Owned(Vec::new()))
    }
}

impl<T> From<Vec<T>> for Block<T> {
    fn from(numbers: Vec<T>) -> Self {
        Self(numbers)
    }
}

impl<'b, T: Clone, C: Into<Cow<'b, [T]>>> From<C> for Slice<'b, T> {
    fn from(numbers: C) -> Self {
        Self(numbers.into())
    }
}

impl<'b, T> IntoIterator for &'b Block<T> {
    type Item = &'b T;
    type IntoIter = std::slice::Iter<'b, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// `count = n`.
#[derive(Clone, Debug, NamedArgs)]
pub struct Count {
    /// The number of numbers.
    pub count: usize,
}

macro_rules! blocks {
    ($(<$($life:lifetime,)? T> $block:ty;)+) => { $(
        impl<$($life,)? T: Number> Schema for $block {
            const LAYOUT: Layout = Layout::List(T::layout);
            const SIZE: Option<usize> = None;
            const SHAPE: Shape = Shape::of_list(T::NUMBER);
            const NEEDS_ORDER: bool = T::NEEDS_ORDER;
            const IS_UNORDERED: bool = T::IS_UNORDERED;
        }

        impl<$($life,)? T: Number> BinRead for $block {
            type Args<'__args> = Count;

            fn read_options<R: Read + Seek>(
                reader: &mut R,
                endian: Endian,
                arguments: Count,
            ) -> BinResult<Self> {
                let (at, end) = cursor::span(reader)?;
                let size = arguments.count.checked_mul(T::BYTES);
                let Some(size) = size.filter(|size| *size as u64 <= end - at) else {
                    return Err(raise(missing(at, end - at, arguments.count as u64, T::BYTES)));
                };
                // Memory that is zeroed by the allocator costs more than these few zeros.
                let mut bytes = Vec::with_capacity(size);
                bytes.resize(size, 0);
                reader.read_exact(&mut bytes)?;
                Ok(Self(T::read(bytes, endian).into()))
            }
        }

        impl<$($life,)? T: Number> BinWrite for $block {
            type Args<'__args> = ();

            #[inline]
            fn write_options<W: Write + Seek>(
                &self,
                writer: &mut W,
                endian: Endian,
                (): (),
            ) -> BinResult<()> {
                Ok(T::write(&self.0, endian, writer)?)
            }
        }

        impl<$($life,)? T: Number> ReadEndian for $block {
            const ENDIAN: EndianKind = EndianKind::Runtime;
        }

        impl<$($life,)? T: Number> WriteEndian for $block {
            const ENDIAN: EndianKind = EndianKind::Runtime;
        }
    )+ };
}

blocks! {
    <T> Block<T>;
    <'b, T> Slice<'b, T>;
}

/// Returns the error of elements that the input does not hold.
#[cold]
#[must_use]
pub fn missing(at: u64, left: u64, count: u64, size: usize) -> Error {
    let expected = match (count, size) {
        (count, 1) => super::bytes(count).to_string(),
        (1, size) => format!("{size} bytes"),
        (count, size) => format!("{count} elements of {size} bytes"),
    };
    let needed = (u128::from(count) * size as u128).saturating_sub(left.into());
    Error::incomplete(at, needed.try_into().unwrap_or(u64::MAX), expected, left)
}

//! Arrays of plain numbers, moved as one block instead of number by number.
//!
//! binrw has a fast path for integers only, and for byte vectors it reserves the whole count before it has read
//! anything. Counted arrays use this module instead.

use std::borrow::Cow;
use std::io::{Read, Seek, Write};
use std::ops::Deref;

use binrw::{BinRead, BinResult, BinWrite, Endian};
use bytemuck::Pod;

use super::fault::raise;
use crate::schema::{Layout, Schema};
use formwork::derived::{Agree, Borrowing, Direct, Directly, Given, Missed, Settle, Wants, take};
use formwork::{Error, Result};

/// A number that can occur on the wire in an array of its kind.
pub trait Number: Pod + Schema {
    /// Whether it is a floating-point number.
    const REAL: bool;

    /// Converts from the machine's byte order to little endian, or back.
    #[must_use]
    fn little(self) -> Self;

    /// Converts from the machine's byte order to big endian, or back.
    #[must_use]
    fn big(self) -> Self;

    /// Returns the nearest `f64`.
    fn as_f64(self) -> f64;

    /// Returns the number of this type that is nearest to an `f64`.
    fn of_f64(number: f64) -> Self;

    /// Returns the number of this type in the lower bits of an `i64`; of a float, the nearest.
    fn of_i64(number: i64) -> Self;

    /// Returns the whole number, without the fraction of a float.
    fn as_i64(self) -> i64;

    /// Returns the number as another type; as the same type, exactly the same bits.
    fn converted<N: Number>(self) -> N {
        if Self::REAL == N::REAL && size_of::<Self>() == size_of::<N>() {
            bytemuck::cast(self)
        } else if N::REAL {
            N::of_f64(self.as_f64())
        } else {
            N::of_i64(self.as_i64())
        }
    }
}

/// A type that consists only of consecutive numbers of one kind, so that arrays of it can be moved as a block.
pub trait Components: Copy + 'static {
    /// The kind of number.
    type Number: Number;
    /// An array of its numbers.
    type Array: Pod;

    /// Makes the value from these numbers, in wire order.
    fn from_components(components: Self::Array) -> Self;

    /// Returns the numbers of this value, in wire order.
    fn to_components(self) -> Self::Array;

    /// Returns the elements' memory, if it is the array of numbers already.
    fn as_numbers(elements: &[Self]) -> Option<&[Self::Number]> {
        let _ = elements;
        None
    }

    /// Returns bytes as elements that are bytes.
    #[must_use]
    fn of_bytes(bytes: &[u8]) -> Option<&[Self]> {
        let _ = bytes;
        None
    }

    /// Makes the values from these numbers.
    #[must_use]
    fn from_arrays(arrays: Vec<Self::Array>) -> Vec<Self> {
        // This works in place, as the two have the same size.
        arrays.into_iter().map(Self::from_components).collect()
    }
}

/// The number of elements that are converted at a time: a constant for the compiler, so that it moves them as one
/// block.
const GROUP: usize = 16;

/// Returns elements in groups, and the remaining ones. Elements of more than four numbers are not grouped: the compiler
/// would not optimize them.
fn grouped<T, N>(elements: &[T]) -> (&[[T; GROUP]], &[T]) {
    match size_of::<T>() > 4 * size_of::<N>() {
        true => (&[], elements),
        false => elements.as_chunks(),
    }
}

/// An element of a packed array: bulk reading and writing for everything made of plain numbers.
pub trait Element: Components + Schema {
    /// Bytes of one element.
    const BYTES: usize = size_of::<Self::Array>();

    /// Returns the elements with these bytes, in little endian; [`None`] if the bytes in memory do not have the form of
    /// the numbers.
    #[must_use]
    fn of_block(bytes: &[u8]) -> Option<Vec<Self>> {
        if !is_own::<Self>(Endian::Little) {
            return None;
        }
        let arrays = bytemuck::try_cast_slice::<u8, Self::Array>(bytes).ok()?;
        let (groups, rest) = grouped::<_, Self::Number>(arrays);
        let mut elements = Vec::with_capacity(arrays.len());
        elements.extend(groups.iter().flat_map(|group| group.map(Self::from_components)));
        elements.extend(rest.iter().map(|&array| Self::from_components(array)));
        Some(elements)
    }

    /// Passes the elements' bytes to `sink`, in as few pieces as memory allows.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    fn to_block<E>(elements: &[Self], sink: impl FnMut(&[u8]) -> Result<(), E>) -> Result<(), E> {
        Self::to_ordered_block(elements, Endian::Little, sink)
    }

    /// Passes the elements' bytes to `sink`, as [`to_block`](Self::to_block) does, in this byte order.
    ///
    /// # Errors
    ///
    /// The errors of `sink`.
    fn to_ordered_block<E>(
        elements: &[Self],
        endian: Endian,
        mut sink: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        if is_own::<Self>(endian)
            && let Some(numbers) = Self::as_numbers(elements)
        {
            return sink(bytemuck::cast_slice(numbers));
        }
        let mut write = |arrays: &mut [Self::Array]| {
            reorder::<Self>(arrays, endian);
            sink(bytemuck::cast_slice(arrays))
        };
        let (groups, rest) = grouped::<_, Self::Number>(elements);
        for group in groups {
            write(&mut group.map(Self::to_components))?;
        }
        rest.iter().try_for_each(|element| write(&mut [element.to_components()]))
    }
}

impl<T: Components + Schema> Element for T {}

/// Whether numbers in memory have the byte order of the wire.
fn is_own<T: Components>(endian: Endian) -> bool {
    let own = if cfg!(target_endian = "big") { Endian::Big } else { Endian::Little };
    own == endian || size_of::<T::Number>() == 1
}

/// Converts between the machine's byte order and that of the wire; nothing changes for little endian on nearly all
/// machines.
fn reorder<T: Components>(arrays: &mut [T::Array], endian: Endian) {
    if !is_own::<T>(endian) {
        for number in bytemuck::cast_slice_mut::<T::Array, T::Number>(arrays) {
            *number = if endian == Endian::Big { number.big() } else { number.little() };
        }
    }
}

macro_rules! numbers {
    ($($number:ident: $real:literal $(($of_bytes:ident))?)+) => { $(
        impl Number for $number {
            const REAL: bool = $real;

            #[inline]
            fn little(self) -> Self {
                Self::from_le_bytes(self.to_ne_bytes())
            }

            #[inline]
            fn big(self) -> Self {
                Self::from_be_bytes(self.to_ne_bytes())
            }

            #[inline]
            #[allow(clippy::cast_lossless, reason = "the same for all numbers")]
            fn as_f64(self) -> f64 {
                self as f64
            }

            #[inline]
            fn of_f64(number: f64) -> Self {
                number as Self
            }

            #[inline]
            fn of_i64(number: i64) -> Self {
                number as Self
            }

            #[inline]
            #[allow(clippy::cast_lossless, reason = "the same for all numbers")]
            fn as_i64(self) -> i64 {
                self as i64
            }
        }

        impl Components for $number {
            type Number = Self;
            type Array = Self;

            fn from_components(number: Self) -> Self {
                number
            }

            fn to_components(self) -> Self {
                self
            }

            fn as_numbers(elements: &[Self]) -> Option<&[Self]> {
                Some(elements)
            }

            fn from_arrays(numbers: Vec<Self>) -> Vec<Self> {
                numbers
            }

            $(
                #[inline]
                fn $of_bytes(bytes: &[u8]) -> Option<&[Self]> {
                    Some(bytes)
                }
            )?
        }
    )+ };
}
numbers! {
    i8: false u8: false (of_bytes) i16: false u16: false i32: false u32: false i64: false
    f32: true f64: true
}

/// Returns the position of `reader`, and the number of bytes that it has left.
pub fn left_in<R: Read + Seek>(reader: &mut R) -> BinResult<(u64, u64)> {
    let position = reader.stream_position()?;
    let end = reader.seek(std::io::SeekFrom::End(0))?;
    reader.seek(std::io::SeekFrom::Start(position))?;
    Ok((position, end.saturating_sub(position)))
}

/// The elements of a packed array, read and written as one block: a list for binrw's `count`.
#[derive(Clone, Debug, PartialEq)]
pub struct Block<'a, T: Clone>(pub Cow<'a, [T]>);

/// The number of elements of a list: `#[br(count = ..)]`.
#[derive(Clone, Copy, Debug, binrw::NamedArgs)]
pub struct CountArgs {
    /// The number of elements.
    pub count: usize,
}

impl<T: Clone> Deref for Block<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Clone + Schema> Schema for Block<'_, T> {
    const LAYOUT: Layout = Layout::List(T::layout);
    const SIZE: Option<usize> = None;
}

impl<T: Element> Settle for Block<'_, T> {
    fn settle(&mut self, _: &Given) -> Wants {
        Wants::count(self.len())
    }
}

impl<T: Element> Agree for Block<'_, T> {
    fn agree(&self, CountArgs { count }: CountArgs) -> Result<()> {
        same_count(count, self.len())
    }
}

/// Compares the number of elements with the declared one.
pub(super) fn same_count(count: usize, there: usize) -> Result<()> {
    if count == there {
        return Ok(());
    }
    let expected = formwork::wire::elements(count as u64);
    let error = Error::new(formwork::wire::rule::RECORD_AGREEMENT, 0, expected, there.to_string());
    Err(error.nowhere())
}

impl<T: Element> BinRead for Block<'_, T> {
    type Args<'b> = CountArgs;

    /// Reads after checking that the input holds `count` elements.
    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        CountArgs { count }: CountArgs,
    ) -> BinResult<Self> {
        let (position, left) = left_in(reader)?;
        let length = (count as u64).saturating_mul(T::BYTES as u64);
        if length > left {
            return Err(raise(formwork::wire::missing(position, left, count as u64, T::BYTES)));
        }
        let mut arrays: Vec<T::Array> = bytemuck::zeroed_vec(count);
        reader.read_exact(bytemuck::cast_slice_mut(&mut arrays))?;
        reorder::<T>(&mut arrays, endian);
        Ok(Self(Cow::Owned(T::from_arrays(arrays))))
    }
}

impl<T: Element> Direct for Block<'_, T> {
    const IS_DIRECT: bool = true;

    #[inline]
    fn direct(input: &mut &[u8], endian: Endian, CountArgs { count }: CountArgs) -> Directly<Self> {
        let bytes = take(input, count.checked_mul(T::BYTES).ok_or(Missed::Refused)?)?;
        let mut arrays: Vec<T::Array> = bytemuck::zeroed_vec(count);
        bytemuck::cast_slice_mut(&mut arrays).copy_from_slice(bytes);
        reorder::<T>(&mut arrays, endian);
        Ok(Self(Cow::Owned(T::from_arrays(arrays))))
    }
}

impl<'b: 'a, 'a, T: Element> Borrowing<'b> for Block<'a, T> {
    #[inline]
    fn borrowing(
        input: &mut &'b [u8],
        endian: Endian,
        CountArgs { count }: CountArgs,
    ) -> Directly<Self> {
        let size = count.checked_mul(T::BYTES).ok_or(Missed::Refused)?;
        match T::of_bytes(input.get(..size).ok_or(Missed::Refused)?) {
            Some(elements) => {
                take(input, size)?;
                Ok(Self(Cow::Borrowed(elements)))
            }
            None => Self::direct(input, endian, CountArgs { count }),
        }
    }
}

impl<T: Element> BinWrite for Block<'_, T> {
    type Args<'b> = ();

    fn write_options<W: Write + Seek>(
        &self,
        writer: &mut W,
        endian: Endian,
        (): (),
    ) -> BinResult<()> {
        Ok(T::to_ordered_block(self, endian, |bytes| writer.write_all(bytes))?)
    }
}

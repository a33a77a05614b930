//! Reading from bytes in memory, without `Read` and `Seek`.
//!
//! A direct reader accepts what the general one accepts, and makes the same of it. It only says that it refuses: the
//! general reader is asked for the error then. `record::audit` holds the two to each other.

use std::borrow::Cow;

use binrw::{BinRead, Endian};

use super::list::{MOST_EMPTY, slots_left};
use super::{
    Before, BeforeArguments, Block, Code, Coded, CodedArguments, Count, Deferred, Depth, Each,
    Ending, Inner, Last, ListArguments, Nested, Number, Numbered, Open, OrEnd, Padding, Slice,
    Terminated, TerminatedOrEnd, ToEnd, Until, UpTo, Varint, VarintKind, Within, WithinArguments,
};
use crate::schema::Schema;

/// Why nothing was read directly.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Missed {
    /// The bytes do not fit the declaration: the general reader says how.
    Refused,
    /// Part of the declaration is only for the general reader.
    General,
}

impl From<binrw::Error> for Missed {
    #[cold]
    fn from(_: binrw::Error) -> Self {
        Self::Refused
    }
}

/// The result of a direct reader.
pub type Directly<T> = Result<T, Missed>;

/// A type that is read from bytes in memory. What is read owns its contents.
pub trait Direct: BinRead {
    /// Whether it is, as far as a constant can tell.
    const IS_DIRECT: bool = false;

    /// Takes a value off the bytes.
    ///
    /// # Errors
    ///
    /// Fails if the bytes do not fit, or if only the general reader reads the type.
    fn direct(input: &mut &[u8], endian: Endian, arguments: Self::Args<'_>) -> Directly<Self> {
        let _ = (input, endian, arguments);
        Err(Missed::General)
    }
}

/// A type that is read from bytes in memory, and borrows the contents of its slices.
pub trait Borrowing<'b>: BinRead {
    /// Takes a value off the bytes.
    ///
    /// # Errors
    ///
    /// Fails if the bytes do not fit, or if only the general reader reads the type.
    fn borrowing(
        input: &mut &'b [u8],
        endian: Endian,
        arguments: Self::Args<'_>,
    ) -> Directly<Self> {
        let _ = (input, endian, arguments);
        Err(Missed::General)
    }
}

/// Takes bytes off the input.
///
/// # Errors
///
/// Fails if there are fewer.
#[inline(always)]
pub fn take<'b>(input: &mut &'b [u8], count: usize) -> Directly<&'b [u8]> {
    let (taken, rest) = input.split_at_checked(count).ok_or(Missed::Refused)?;
    *input = rest;
    Ok(taken)
}

/// Takes as many bytes off the input as an array has.
///
/// # Errors
///
/// Fails if there are fewer.
#[inline(always)]
pub fn take_array<const N: usize>(input: &mut &[u8]) -> Directly<[u8; N]> {
    let (taken, rest) = input.split_first_chunk().ok_or(Missed::Refused)?;
    *input = rest;
    Ok(*taken)
}

/// Takes a magic off the input.
///
/// # Errors
///
/// Fails if there are other bytes.
#[inline(always)]
pub fn take_magic(input: &mut &[u8], magic: &[u8]) -> Directly<()> {
    *input = input.strip_prefix(magic).ok_or(Missed::Refused)?;
    Ok(())
}

/// Returns the size of the fields before the first one without a constant size.
#[must_use]
pub const fn head_of(sizes: &[Option<usize>]) -> usize {
    let (mut at, mut sum) = (0, 0_usize);
    while at < sizes.len() {
        match sizes[at] {
            Some(size) => sum = sum.saturating_add(size),
            None => return sum,
        }
        at += 1;
    }
    sum
}

/// Opens a record that may contain itself.
///
/// # Errors
///
/// Fails if `deepest` records are open already.
#[inline]
pub fn enter(is_deep: bool, deepest: u32) -> Directly<Option<Depth>> {
    match is_deep {
        false => Ok(None),
        true => Depth::open(deepest).map(Some).ok_or(Missed::Refused),
    }
}

macro_rules! numbers {
    ($($ty:ident)+) => { $(
        impl Direct for $ty {
            const IS_DIRECT: bool = true;

            #[inline(always)]
            fn direct(input: &mut &[u8], endian: Endian, (): ()) -> Directly<Self> {
                let bytes = take_array(input)?;
                Ok(match endian {
                    Endian::Little => Self::from_le_bytes(bytes),
                    Endian::Big => Self::from_be_bytes(bytes),
                })
            }
        }

        impl<'b> Borrowing<'b> for $ty {
            #[inline(always)]
            fn borrowing(input: &mut &'b [u8], endian: Endian, (): ()) -> Directly<Self> {
                Self::direct(input, endian, ())
            }
        }
    )+ };
}

numbers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 f32 f64);

/// Implements both traits for types that own what they hold.
macro_rules! owning {
    ($( ($($generics:tt)*) $ty:ty where ($($clause:tt)*) |$input:ident, $endian:ident, $arguments:pat_param| $body:block )+) => { $(
        impl<$($generics)*> Direct for $ty where $($clause)* {
            const IS_DIRECT: bool = true;

            #[inline]
            fn direct($input: &mut &[u8], $endian: Endian, $arguments: Self::Args<'_>) -> Directly<Self> $body
        }

        impl<'b, $($generics)*> Borrowing<'b> for $ty where $($clause)* {
            #[inline]
            fn borrowing(input: &mut &'b [u8], endian: Endian, arguments: Self::Args<'_>) -> Directly<Self> {
                Self::direct(input, endian, arguments)
            }
        }
    )+ };
}

/// Implements both traits for types that hold one that may borrow: `direct!` reads the inner one.
macro_rules! holding {
    ($( ($($generics:tt)*) $ty:ty where ($($clause:tt)*), $is_direct:expr, |$input:ident, $endian:ident, $arguments:pat_param, $read:ident| $body:block )+) => { $(
        impl<T: Direct, $($generics)*> Direct for $ty where $($clause)* {
            const IS_DIRECT: bool = $is_direct;

            #[inline]
            fn direct($input: &mut &[u8], $endian: Endian, $arguments: Self::Args<'_>) -> Directly<Self> {
                let $read = T::direct;
                $body
            }
        }

        impl<'b, T: Borrowing<'b>, $($generics)*> Borrowing<'b> for $ty where $($clause)* {
            #[inline]
            fn borrowing($input: &mut &'b [u8], $endian: Endian, $arguments: Self::Args<'_>) -> Directly<Self> {
                let $read = T::borrowing;
                $body
            }
        }
    )+ };
}

owning! {
    (T: Number) Block<T> where () |input, endian, Count { count }| {
        let bytes = take(input, count.checked_mul(T::BYTES).ok_or(Missed::Refused)?)?;
        Ok(Self(T::read(bytes.to_vec(), endian)))
    }
    (const TO: usize) Padding<TO> where () |input, _endian, (length,)| {
        Ok(Self::of(take(input, Self::needed(length))?))
    }
    (E: Ending) Terminated<E> where () |input, _endian, ()| {
        let (text, rest) = Self::split(input).ok_or(Missed::Refused)?;
        *input = rest;
        Ok(text)
    }
    (E: Ending) TerminatedOrEnd<E> where () |input, _endian, ()| {
        let (text, rest) = Self::split(input).ok_or(Missed::Refused)?;
        *input = rest;
        Ok(text)
    }
    (E: Ending) UpTo<E> where () |input, _endian, ()| {
        let (text, rest) = Self::split(input).ok_or(Missed::Refused)?;
        *input = rest;
        Ok(text)
    }
    (K: VarintKind) Varint<K> where () |input, _endian, ()| {
        let (number, length) = Self::split(input).map_err(|_| Missed::Refused)?;
        take(input, length)?;
        Ok(number)
    }
    (K: Numbered) Open<K> where (K::Number: Direct + for<'a> BinRead<Args<'a> = ()>) |input, endian, ()| {
        K::Number::direct(input, endian, ()).map(Self::of_number)
    }
    (T: BinRead) Deferred<T> where () |_input, _endian, _| { Ok(Self::HERE) }
    (const ID: u16) Nested<ID> where () |_input, _endian, ()| { Ok(Self) }
}

holding! {
    () Option<T> where (), T::IS_DIRECT, |input, endian, arguments, read| {
        read(input, endian, arguments).map(Some)
    }
    () OrEnd<T> where (), T::IS_DIRECT, |input, endian, arguments, read| {
        match input.is_empty() {
            true => Ok(Self(None)),
            false => read(input, endian, arguments).map(|inner| Self(Some(inner))),
        }
    }
}

impl<'s, T: Number> Direct for Slice<'s, T> {
    const IS_DIRECT: bool = true;

    #[inline]
    fn direct(input: &mut &[u8], endian: Endian, count: Count) -> Directly<Self> {
        Block::direct(input, endian, count).map(|block| Self(block.0.into()))
    }
}

impl<'b: 's, 's, T: Number> Borrowing<'b> for Slice<'s, T> {
    #[inline]
    fn borrowing(input: &mut &'b [u8], endian: Endian, Count { count }: Count) -> Directly<Self> {
        let bytes = take(input, count.checked_mul(T::BYTES).ok_or(Missed::Refused)?)?;
        Ok(Self(match T::borrowed(bytes) {
            Some(numbers) => Cow::Borrowed(numbers),
            None => Cow::Owned(T::read(bytes.to_vec(), endian)),
        }))
    }
}

/// A box may hold the record that holds it.
impl<T: Direct> Direct for Box<T>
where
    Self: for<'a> BinRead<Args<'a> = T::Args<'a>>,
{
    const IS_DIRECT: bool = true;

    #[inline]
    fn direct(input: &mut &[u8], endian: Endian, arguments: Self::Args<'_>) -> Directly<Self> {
        T::direct(input, endian, arguments).map(Self::new)
    }
}

impl<'b, T: Borrowing<'b>> Borrowing<'b> for Box<T>
where
    Self: for<'a> BinRead<Args<'a> = T::Args<'a>>,
{
    #[inline]
    fn borrowing(
        input: &mut &'b [u8],
        endian: Endian,
        arguments: Self::Args<'_>,
    ) -> Directly<Self> {
        T::borrowing(input, endian, arguments).map(Self::new)
    }
}

impl<T: Direct, const N: usize> Direct for [T; N]
where
    Self: for<'a> BinRead<Args<'a> = T::Args<'a>>,
    for<'a> T::Args<'a>: Clone,
{
    const IS_DIRECT: bool = T::IS_DIRECT;

    #[inline]
    fn direct(input: &mut &[u8], endian: Endian, arguments: Self::Args<'_>) -> Directly<Self> {
        array_init::try_array_init(|_| T::direct(input, endian, arguments.clone()))
    }
}

impl<'b, T: Borrowing<'b>, const N: usize> Borrowing<'b> for [T; N]
where
    Self: for<'a> BinRead<Args<'a> = T::Args<'a>>,
    for<'a> T::Args<'a>: Clone,
{
    #[inline]
    fn borrowing(
        input: &mut &'b [u8],
        endian: Endian,
        arguments: Self::Args<'_>,
    ) -> Directly<Self> {
        array_init::try_array_init(|_| T::borrowing(input, endian, arguments.clone()))
    }
}

/// Counts elements without bytes.
#[inline]
fn count_empty(empty: &mut u64, before: usize, after: usize) -> Directly<()> {
    if before == after {
        *empty += 1;
        if *empty > MOST_EMPTY {
            return Err(Missed::Refused);
        }
    }
    Ok(())
}

owning! {
    (C: Code, T: Direct) Coded<C, T> where () |input, endian, arguments| {
        let CodedArguments { key, inner } = arguments;
        let bytes = std::mem::take(input);
        let plain = Self::opened(bytes, &key).ok_or(Missed::Refused)?;
        let mut region = &plain[..];
        let content = T::direct(&mut region, endian, inner)?;
        if !region.is_empty() {
            return Err(Missed::Refused);
        }
        Ok(Self::of(content, key, (plain, bytes)))
    }
    // An element may hold the record that holds the list.
    (T: Direct + Schema + 'static) Each<T> where (for<'a> T::Args<'a>: Clone) |input, endian, arguments| {
        let ListArguments { count, inner } = arguments;
        if T::HAS_SLOTS {
            let (mut elements, mut empty, mut left) = (Vec::new(), 0, count as u64);
            while left > 0 {
                let before = input.len();
                let element = T::direct(input, endian, inner.at(elements.len() as u64)?)?;
                left = slots_left(element.slots(), left).map_err(|_| Missed::Refused)?;
                elements.push(element);
                count_empty(&mut empty, before, input.len())?;
            }
            return Ok(Self(elements));
        }
        let least = T::SIZE.unwrap_or(0);
        if count.checked_mul(least).is_none_or(|bytes| bytes > input.len()) {
            return Err(Missed::Refused);
        }
        // No more memory than the input takes, before elements are read.
        let room = if least > 0 { count } else { count.min(input.len() / size_of::<T>().max(1)) };
        let (mut elements, mut empty) = (Vec::with_capacity(room), 0);
        for index in 0..count {
            let before = input.len();
            elements.push(T::direct(input, endian, inner.at(index as u64)?)?);
            count_empty(&mut empty, before, input.len())?;
        }
        Ok(Self(elements))
    }
    (T: Direct + 'static) ToEnd<T> where (for<'a> T::Args<'a>: Clone) |input, endian, arguments| {
        let Inner { inner } = arguments;
        let (mut elements, mut empty) = (Vec::new(), 0);
        while !input.is_empty() {
            let before = input.len();
            let handed = inner.at(elements.len() as u64)?;
            elements.push(T::direct(input, endian, handed)?);
            count_empty(&mut empty, before, input.len())?;
        }
        Ok(Self(elements))
    }
    (T: Direct + Last + 'static) Until<T> where (for<'a> T::Args<'a>: Clone) |input, endian, arguments| {
        let Inner { inner } = arguments;
        let (mut elements, mut empty) = (Vec::new(), 0);
        loop {
            let before = input.len();
            let element = T::direct(input, endian, inner.at(elements.len() as u64)?)?;
            let is_last = element.is_last();
            elements.push(element);
            if is_last {
                return Ok(Self(elements));
            }
            count_empty(&mut empty, before, input.len())?;
        }
    }
}

holding! {
    () Within<T> where (), T::IS_DIRECT, |input, endian, arguments, read| {
        let WithinArguments { bytes, inner } = arguments;
        let size = usize::try_from(bytes).map_err(|_| Missed::Refused)?;
        let mut region = take(input, size)?;
        let value = read(&mut region, endian, inner)?;
        if region.is_empty() { Ok(Self(value)) } else { Err(Missed::Refused) }
    }
    () Before<T> where (), T::IS_DIRECT, |input, endian, arguments, read| {
        let BeforeArguments { left, inner } = arguments;
        let left = usize::try_from(left).map_err(|_| Missed::Refused)?;
        let size = input.len().checked_sub(left).ok_or(Missed::Refused)?;
        let mut region = take(input, size)?;
        let value = read(&mut region, endian, inner)?;
        if region.is_empty() { Ok(Self(value)) } else { Err(Missed::Refused) }
    }
}

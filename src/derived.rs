//! Functions and traits that the derives call. Not for use by hand.

use std::ops::Deref;

use binrw::io::{Read, Seek};
use binrw::{BinRead, BinResult, BinWrite, Endian};
pub use modular_bitfield::Specifier;

use crate::error::{Error, Result};
use crate::schema::{Layout, Meaning, Shape, low_bits};
pub use crate::settle::{
    Given, Settle, Wants, access, bytes as bytes_at, compute_record, measure, measured, part,
    set_bytes, settle_record,
};
use crate::wire::{
    self, Before, BeforeArguments, Block, Code, Coded, CodedArguments, Count, Deferred, Each,
    Ending, Handed, Inner, Last, ListArguments, Nested, Open, OrEnd, Padding, Slice, Terminated,
    TerminatedOrEnd, ToEnd, Until, UpTo, Varint, Within, WithinArguments, error_of, rule,
};
pub use crate::wire::{
    Borrowing, Depth, Direct, Directly, Follow, Missed, Numbered, enter, head_of, take, take_array,
    take_magic,
};

macro_rules! operations {
    ($($name:ident $number:literal),+) => { $(
        /// Computes, or fails.
        ///
        /// # Errors
        ///
        /// Fails if the type does not hold the result.
        #[inline]
        pub fn $name<T: wire::Checked>(left: T, right: T) -> BinResult<T> {
            wire::checked(left, right, $number)
        }
    )+ };
}

operations!(add 0, sub 1, mul 2, div 3, rem 4, div_ceil 5, next_multiple_of 6, rem_euclid 7, div_euclid 8);

/// Returns how many bytes of a record were read.
///
/// # Errors
///
/// Fails if the reader has no position.
pub fn here<R: Seek>(reader: &mut R, start: u64) -> BinResult<u64> {
    Ok(reader.stream_position()?.saturating_sub(start))
}

/// Returns how many bytes of the region are left.
///
/// # Errors
///
/// Fails if the reader has no position.
pub fn left<R: Seek>(reader: &mut R) -> BinResult<u64> {
    let (at, end) = wire::span(reader)?;
    Ok(end.saturating_sub(at))
}

/// Fails if bytes of the region are left after a record that uses `left`.
///
/// # Errors
///
/// Fails with the error of a region that is not filled.
pub fn at_end<R: Seek>(reader: &mut R) -> BinResult<()> {
    let (at, end) = wire::span(reader)?;
    if at < end { Err(wire::raise(wire::not_filled(at, end - at))) } else { Ok(()) }
}

/// Negates, or fails.
///
/// # Errors
///
/// Fails if the type does not hold the result.
#[inline]
pub fn neg<T: wire::Checked + Copy>(number: T) -> BinResult<T> {
    wire::checked(number, number, 9)
}

/// Shifts to the left, or fails.
///
/// # Errors
///
/// Fails if the distance is not less than the width.
#[inline]
pub fn shl<T: wire::Shift>(number: T, distance: impl wire::Distance) -> BinResult<T> {
    wire::shift_left(number, distance)
}

/// Shifts to the right, or fails.
///
/// # Errors
///
/// Fails if the distance is not less than the width.
#[inline]
pub fn shr<T: wire::Shift>(number: T, distance: impl wire::Distance) -> BinResult<T> {
    wire::shift_right(number, distance)
}

/// Reads an array of bytes.
///
/// # Errors
///
/// Fails if the reader does.
#[inline]
pub fn bytes<const N: usize, R: Read + Seek>(
    reader: &mut R,
    _: Endian,
    (): (),
) -> BinResult<[u8; N]> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// A type whose reader checks what it calculates, and commits to one variant: what formwork's `BinRead` derives.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has another reader than its schema: derive formwork's `BinRead` for it, not binrw's",
    note = "binrw's overflows where arithmetic does, and tries one variant of an enum after the other"
)]
pub trait Followed {}

/// The result of a checksum.
pub trait Digest {
    /// The number of bytes; nothing where it depends on the value.
    const SIZE: Option<usize>;
    /// Returns the bytes, the highest first.
    fn into_bytes(self) -> Vec<u8>;
}

/// A function that makes a checksum.
#[derive(Clone, Copy, Debug)]
pub struct Summing<R>(pub fn(&[u8]) -> R);

impl<R: Digest> Summing<R> {
    /// Returns whether a field of this shape holds the sum.
    #[must_use]
    pub const fn fits(&self, field: Shape) -> bool {
        field.may_hold(R::SIZE)
    }
}

macro_rules! digests {
    ($($ty:ident)+) => { $(
        impl Digest for $ty {
            const SIZE: Option<usize> = Some(size_of::<$ty>());
            fn into_bytes(self) -> Vec<u8> { self.to_be_bytes().to_vec() }
        }
    )+ };
}

digests!(u8 u16 u32 u64 u128);

impl<const N: usize> Digest for [u8; N] {
    const SIZE: Option<usize> = Some(N);
    fn into_bytes(self) -> Vec<u8> {
        self.to_vec()
    }
}

impl Digest for Vec<u8> {
    const SIZE: Option<usize> = None;
    fn into_bytes(self) -> Vec<u8> {
        self
    }
}

/// Returns the sum of sizes, where each is known.
#[must_use]
pub const fn sum_of(sizes: &[Option<usize>]) -> Option<usize> {
    let (mut at, mut sum) = (0, 0_usize);
    while at < sizes.len() {
        match sizes[at] {
            Some(size) => match sum.checked_add(size) {
                Some(more) => sum = more,
                None => return None,
            },
            None => return None,
        }
        at += 1;
    }
    Some(sum)
}

/// A type of a part of a word.
pub trait Bits: Sized {
    /// Its bits, at most.
    const MOST: u32;
    /// The names of its numbers.
    const NAMES: &'static [(i128, &'static str)] = &[];
    /// Whether it has no other numbers.
    const IS_CLOSED: bool = false;
    /// Returns what has this number.
    fn of_bits(bits: u64) -> Option<Self>;
    /// Returns the number.
    fn bits(&self) -> u64;
}

macro_rules! bits {
    ($($ty:ident)+) => { $(
        impl Bits for $ty {
            const MOST: u32 = $ty::BITS;

            fn of_bits(bits: u64) -> Option<Self> {
                bits.try_into().ok()
            }

            fn bits(&self) -> u64 {
                (*self).into()
            }
        }
    )+ };
}

bits!(u8 u16 u32 u64);

impl Bits for bool {
    const MOST: u32 = 1;

    fn of_bits(bits: u64) -> Option<Self> {
        Some(bits != 0)
    }

    fn bits(&self) -> u64 {
        (*self).into()
    }
}

impl<K: Numbered + crate::Schema> Bits for K {
    // A part has no negative numbers.
    const MOST: u32 = match K::LAYOUT {
        Layout::Integer { number, .. } if !number.signed => number.bits as u32,
        _ => 0,
    };
    const NAMES: &'static [(i128, &'static str)] = match K::LAYOUT {
        Layout::Integer { names, .. } => names,
        _ => &[],
    };
    const IS_CLOSED: bool = true;

    fn of_bits(bits: u64) -> Option<Self> {
        K::of_number(K::Number::try_from(i128::from(bits)).ok()?)
    }

    fn bits(&self) -> u64 {
        self.number().into() as u64
    }
}

impl<K: Numbered + crate::Schema> Bits for Open<K> {
    const MOST: u32 = K::MOST;
    const NAMES: &'static [(i128, &'static str)] = K::NAMES;

    fn of_bits(bits: u64) -> Option<Self> {
        K::Number::try_from(i128::from(bits)).ok().map(Self::of_number)
    }

    fn bits(&self) -> u64 {
        self.number().into() as u64
    }
}

/// Returns the meaning of a part whose type has names.
#[must_use]
pub const fn named_bits(names: &'static [(i128, &'static str)]) -> Meaning {
    if names.is_empty() { Meaning::Plain } else { Meaning::Names(names) }
}

/// Returns whether numbers that have names fit into a part of this width.
#[must_use]
pub const fn fit_bits(names: &[(i128, &'static str)], bits: u32) -> bool {
    let mut at = 0;
    while at < names.len() {
        if names[at].0 < 0 || bits < 64 && names[at].0 >> bits != 0 {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns the bytes that parts of these bits fill.
///
/// # Panics
///
/// Panics, when it compiles, if these are no whole bytes or more than 16.
#[must_use]
pub const fn bytes_of_bits(widths: &[u32]) -> usize {
    let (mut at, mut sum) = (0, 0);
    while at < widths.len() {
        sum += widths[at];
        at += 1;
    }
    assert!(
        sum.is_multiple_of(8),
        "the parts of a word fill whole bytes: declare the bits that are left, too"
    );
    assert!(sum > 0 && sum <= 128, "a word has up to 16 bytes");
    (sum / 8) as usize
}

/// Returns the largest number of some bits.
#[must_use]
pub const fn most_bits(width: u32) -> u64 {
    low_bits(width)
}

/// Returns the bytes of a word.
#[must_use]
pub fn bytes_of_word<const N: usize>(raw: u128, big: bool) -> [u8; N] {
    let mut bytes = [0; N];
    bytes.copy_from_slice(&raw.to_le_bytes()[..N]);
    if big {
        bytes.reverse();
    }
    bytes
}

/// Fails if a part of a word has more bits than it has room.
///
/// # Errors
///
/// The number that does not fit.
pub fn fits_bits(part: &impl Bits, width: u32, name: &'static str) -> Result<()> {
    if part.bits() <= low_bits(width) {
        return Ok(());
    }
    Err(wrong_count(format!("a number of {width} bits"), part.bits()).within(name))
}

/// Returns an element of a list, or fails.
///
/// # Errors
///
/// Fails if there is none.
pub fn element<T>(list: &[T], index: impl TryInto<usize>) -> BinResult<&T> {
    let found = index.try_into().ok().and_then(|index| list.get(index));
    found.ok_or_else(|| {
        let expected = "an element at the position";
        let found = elements_of(list.len() as u64);
        wire::raise(Error::new(rule::RECORD_VALUE, 0, expected, found))
    })
}

/// Returns the last element of a list, or fails.
///
/// # Errors
///
/// Fails if there is none.
pub fn last<T>(list: &[T]) -> BinResult<&T> {
    element(list, list.len().wrapping_sub(1))
}

/// Returns the sum of a number of all elements, at most the largest `u64`.
pub fn total<T>(list: &[T], number: impl Fn(&T) -> u64) -> u64 {
    list.iter().fold(0, |sum: u64, element| sum.saturating_add(number(element)))
}

fn elements_of(count: u64) -> String {
    wire::elements(count).to_string()
}

/// Returns a count as binrw converts it.
pub fn count(count: impl TryInto<usize>) -> usize {
    count.try_into().unwrap_or(usize::MAX)
}

/// Returns the value of an expression, or the error of one that overflows.
///
/// # Errors
///
/// Returns the error of the expression.
pub fn value<T>(value: BinResult<T>) -> Result<T> {
    value.map_err(|error| error_of(&error, 0).nowhere())
}

/// Reads the value of a view at an offset that counts from `from`: in a number of bytes or up to the end, all of which it
/// fills, or a part.
///
/// # Errors
///
/// Fails if the place is outside of the bytes, or if its reader does.
pub fn view<T: BinRead>(
    bytes: &[u8],
    (at, from): (i128, u64),
    (length, is_filled): (Option<i128>, bool),
    endian: Endian,
    arguments: T::Args<'_>,
) -> Result<T> {
    let start = at.checked_add(from.into()).and_then(|at| usize::try_from(at).ok());
    let end = match length {
        Some(length) => start.and_then(|at| at.checked_add(usize::try_from(length).ok()?)),
        None => Some(bytes.len()),
    };
    let place = start.zip(end).and_then(|(start, end)| bytes.get(start..end));
    let Some(place) = place else {
        let expected = match length {
            Some(length) => format!("{} at {at} of the file", wire::bytes(length)),
            None => format!("bytes at {at} of the file"),
        };
        let found = format!("a file of {}", wire::bytes(bytes.len() as u64));
        return Err(Error::new(rule::RECORD_VIEW, 0, expected, found).nowhere());
    };
    let start = start.unwrap_or_default() as u64;
    let mut input = wire::Cursor::region(place, start);
    let value = T::read_options(&mut input, endian, arguments)
        .map_err(|error| error_of(&error, input.position()))?;
    match input.rest().len() as u64 {
        left if left > 0 && is_filled => {
            Err(wire::not_filled(start + place.len() as u64 - left, left))
        }
        _ => Ok(value),
    }
}

/// Returns the error of a value that disagrees with its declaration.
#[cold]
#[must_use]
pub fn disagrees(expected: &str, found: &str) -> Error {
    Error::new(rule::RECORD_AGREEMENT, 0, format!("`{expected}`"), found).nowhere()
}

#[cold]
fn wrong_count(expected: impl std::fmt::Display, found: impl std::fmt::Display) -> Error {
    Error::new(rule::RECORD_AGREEMENT, 0, expected.to_string(), found.to_string()).nowhere()
}

thread_local! {
    /// Whether wrong computed members are tolerated, and whether there was one.
    static COMPUTED: std::cell::Cell<(bool, bool)> = const { std::cell::Cell::new((false, false)) };
}

/// Runs a comparison that tolerates wrong computed members, and returns whether there was none.
pub(crate) fn tolerating(compare: impl FnOnce() -> Result<()>) -> Result<bool> {
    COMPUTED.set((true, false));
    let compared = compare();
    let (_, was_wrong) = COMPUTED.replace((false, false));
    compared.map(|()| !was_wrong)
}

/// Compares a computed member with its value.
///
/// # Errors
///
/// Fails if they disagree.
pub fn same_computed(is_same: bool, expression: &str) -> Result<()> {
    if is_same {
        return Ok(());
    }
    match COMPUTED.get() {
        (true, _) => {
            COMPUTED.set((true, true));
            Ok(())
        }
        (false, _) => Err(disagrees(expression, "another number")),
    }
}

/// Returns a copy of a value whose type has [`Clone`]: the derive calls it for a value that may have it.
#[derive(Debug)]
pub struct Copying<'v, T>(pub &'v T);

impl<T: Clone> Copying<'_, T> {
    /// Returns the copy.
    #[must_use]
    pub fn copied(&self) -> Option<T> {
        Some(self.0.clone())
    }
}

/// The same for a type that has no [`Clone`].
pub trait NotCopied<T> {
    /// Returns nothing.
    fn copied(&self) -> Option<T> {
        None
    }
}

impl<T> NotCopied<T> for Copying<'_, T> {}

/// Compares whether a field is there with its condition.
///
/// # Errors
///
/// Fails if they disagree.
pub fn same_presence<T>(field: &Option<T>, wanted: bool, condition: &str) -> Result<()> {
    match (field, wanted) {
        (Some(_), false) => Err(disagrees(&format!("!({condition})"), "a field that is there")),
        (None, true) => Err(wrong_count(format!("a field, as `{condition}` holds"), "none")),
        _ => Ok(()),
    }
}

/// Fails if the first variant whose conditions hold is one before this position.
///
/// # Errors
///
/// Fails if it is, or if a condition has no value.
pub fn same_variant(first: BinResult<usize>, position: usize, name: &str) -> Result<()> {
    if value(first)? < position {
        return Err(disagrees("a variant that is chosen before this one", name));
    }
    Ok(())
}

/// A value whose counts, sizes and conditions can be compared with its content.
pub trait Agree: BinRead {
    /// Compares, given the arguments that the reader would have.
    ///
    /// # Errors
    ///
    /// The first disagreement.
    #[inline]
    fn agree(&self, arguments: Self::Args<'_>) -> Result<()> {
        let _ = arguments;
        Ok(())
    }

    /// Returns what may follow the value, so that it is read as itself.
    #[inline]
    fn follow(&self) -> Follow {
        Follow::Anything
    }

    /// Returns whether the writer makes any bytes of the value.
    #[inline]
    fn has_bytes(&self) -> bool {
        true
    }
}

/// Compares what follows a value with what may.
///
/// # Errors
///
/// Fails if it would be read as part of the value.
pub fn may_follow<T: Agree + for<'a> BinWrite<Args<'a> = ()>>(
    follow: &mut Follow,
    before: &'static str,
    value: &T,
) -> Result<()> {
    if *follow == Follow::Anything || !value.has_bytes() {
        return Ok(());
    }
    let (expected, is_there) = match std::mem::replace(follow, Follow::Anything) {
        Follow::Mark(mark) => {
            let expected = format!("`{}`, which ends what is before it", mark.escape_ascii());
            let orders = [Endian::Little, Endian::Big];
            (expected, orders.into_iter().any(|order| begins_with(value, mark, order)))
        }
        _ => ("the end of the region, which ends what is before it".to_owned(), false),
    };
    match is_there {
        true => Ok(()),
        false => Err(wrong_count(expected, format!("more bytes after `{before}`"))),
    }
}

/// Returns what may follow a record whose last field has this value; [`None`] of a value without bytes: the field before it
/// decides then.
#[inline]
pub fn last_follow<T: Agree>(value: &T) -> Option<Follow> {
    match value.follow() {
        Follow::Anything if !value.has_bytes() => None,
        follow => Some(follow),
    }
}

/// Returns whether the writer makes any bytes of a record.
pub fn are_written<T: for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> bool {
    let mut first = First { bytes: Vec::new(), most: 1 };
    let _ = value.write_options(&mut binrw::io::NoSeek::new(&mut first), Endian::Little, ());
    !first.bytes.is_empty()
}

/// Returns whether a value begins with these bytes, written in an order.
fn begins_with<T: for<'a> BinWrite<Args<'a> = ()>>(
    value: &T,
    bytes: &[u8],
    endian: Endian,
) -> bool {
    let mut first = First { bytes: Vec::new(), most: bytes.len() };
    // The writer stops when there are enough.
    let _ = value.write_options(&mut binrw::io::NoSeek::new(&mut first), endian, ());
    first.bytes == bytes
}

/// The first bytes that are written.
struct First {
    bytes: Vec<u8>,
    most: usize,
}

impl binrw::io::Write for First {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let left = self.most - self.bytes.len();
        if left == 0 && !bytes.is_empty() {
            return Err(std::io::ErrorKind::WriteZero.into());
        }
        let taken = bytes.len().min(left);
        self.bytes.extend(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Compares the bytes of a variant without a magic with the magic of a variant that the reader tries before it.
///
/// # Errors
///
/// Fails if the value begins with it, in either order of bytes.
pub fn not_magic<T: for<'a> BinWrite<Args<'a> = ()>>(
    value: &T,
    (magic, is_number): (&[u8], bool),
    (name, before): (&str, &str),
) -> Result<()> {
    let mut little = magic.to_vec();
    if is_number {
        little.reverse();
    }
    // A comparison has no order of bytes: what is a magic in one alone is not refused.
    if begins_with(value, &little, Endian::Little) && begins_with(value, magic, Endian::Big) {
        let found = format!("{name}, which begins as {before} does");
        return Err(wrong_count(format!("the variant {before}"), found));
    }
    Ok(())
}

macro_rules! numbers {
    ($($ty:ty)+) => { $( impl Agree for $ty {} )+ };
}

numbers!(u8 i8 u16 i16 u32 i32 u64 i64 u128 i128 f32 f64);

macro_rules! texts {
    ($($name:ident)+) => { $(
        impl<E: Ending> Agree for $name<E> {
            fn follow(&self) -> Follow {
                $name::follow(self)
            }

            fn has_bytes(&self) -> bool {
                are_written(self)
            }

            fn agree(&self, (): ()) -> Result<()> {
                self.inside().map_or(Ok(()), |_| Err(wire::end_inside(0).nowhere()))
            }
        }
    )+ };
}

texts!(Terminated TerminatedOrEnd UpTo);

impl<K: wire::VarintKind> Agree for Varint<K> {
    fn agree(&self, (): ()) -> Result<()> {
        match self.bytes() {
            Some(_) => Ok(()),
            None => Err(wire::unwritten(K::NAME, self.value()).nowhere()),
        }
    }
}

impl<K: Numbered> Agree for Open<K>
where
    K::Number: for<'a> BinRead<Args<'a> = ()>,
{
    fn agree(&self, (): ()) -> Result<()> {
        match self {
            Self::Other(number) if K::of_number(*number).is_some() => {
                Err(wrong_count("the name of a number that has one", format!("{number:?}")))
            }
            _ => Ok(()),
        }
    }
}

impl<T: Agree> Agree for Option<T> {
    fn has_bytes(&self) -> bool {
        self.as_ref().is_some_and(T::has_bytes)
    }

    fn follow(&self) -> Follow {
        self.as_ref().map_or(Follow::Anything, T::follow)
    }

    fn agree(&self, arguments: Self::Args<'_>) -> Result<()> {
        self.as_ref().map_or(Ok(()), |inner| inner.agree(arguments))
    }
}

impl<T: Agree> Agree for Box<T>
where
    Box<T>: for<'a> BinRead<Args<'a> = T::Args<'a>>,
{
    fn has_bytes(&self) -> bool {
        (**self).has_bytes()
    }

    fn follow(&self) -> Follow {
        (**self).follow()
    }

    fn agree(&self, arguments: Self::Args<'_>) -> Result<()> {
        (**self).agree(arguments)
    }
}

impl<T: Agree, const N: usize> Agree for [T; N]
where
    [T; N]: for<'a> BinRead<Args<'a> = T::Args<'a>>,
    for<'a> T::Args<'a>: Clone,
{
    fn has_bytes(&self) -> bool {
        self.iter().any(T::has_bytes)
    }

    fn follow(&self) -> Follow {
        self.last().map_or(Follow::Anything, T::follow)
    }

    #[inline]
    fn agree(&self, arguments: Self::Args<'_>) -> Result<()> {
        all(self, arguments)
    }
}

impl<T: wire::Number> Agree for Block<T> {
    fn has_bytes(&self) -> bool {
        !self.0.is_empty()
    }

    #[inline]
    fn agree(&self, arguments: Count) -> Result<()> {
        same_count(arguments.count, self.0.len())
    }
}

impl<T: wire::Number> Agree for Slice<'_, T> {
    fn has_bytes(&self) -> bool {
        !self.0.is_empty()
    }

    #[inline]
    fn agree(&self, arguments: Count) -> Result<()> {
        same_count(arguments.count, self.0.len())
    }
}

impl<const TO: usize> Agree for Padding<TO> {
    fn has_bytes(&self) -> bool {
        !self.as_bytes().is_empty()
    }

    #[inline]
    fn agree(&self, (length,): (u64,)) -> Result<()> {
        let (needed, there) = (Self::needed(length), self.as_bytes().len());
        if needed == there {
            Ok(())
        } else {
            Err(wrong_count(format!("{} of padding", crate::wire::bytes(needed)), there))
        }
    }
}

impl<T: Agree> Agree for OrEnd<T> {
    fn has_bytes(&self) -> bool {
        self.0.as_ref().is_some_and(T::has_bytes)
    }

    fn follow(&self) -> Follow {
        self.0.as_ref().map_or(Follow::Nothing, T::follow)
    }

    fn agree(&self, arguments: T::Args<'_>) -> Result<()> {
        self.0.as_ref().map_or(Ok(()), |inner| inner.agree(arguments))
    }
}

impl<T: BinRead> Agree for Deferred<T> {
    fn has_bytes(&self) -> bool {
        false
    }
}

impl<const ID: u16> Agree for Nested<ID> {
    fn has_bytes(&self) -> bool {
        false
    }
}

fn same_count(said: usize, there: usize) -> Result<()> {
    if said == there { Ok(()) } else { Err(wrong_count(crate::wire::elements(said as u64), there)) }
}

#[inline]
fn all<'a, T: Agree>(elements: &[T], arguments: T::Args<'a>) -> Result<()>
where
    T::Args<'a>: Clone,
{
    for (index, element) in elements.iter().enumerate() {
        element.agree(arguments.clone()).map_err(|error| error.within(index as u64))?;
    }
    only_last_is_open(elements)
}

/// Fails if bytes come after an element that only the end of the region ends.
#[inline]
fn only_last_is_open<T: Agree>(elements: &[T]) -> Result<()> {
    match elements.iter().position(|element| element.follow() == Follow::Nothing) {
        Some(open) if elements[open + 1..].iter().any(T::has_bytes) => {
            let expected = "the end of the region, which ends the element";
            Err(wrong_count(expected, "more elements").within(open as u64))
        }
        _ => Ok(()),
    }
}

fn each<'a, T: Agree>(elements: &[T], handed: &Handed<T::Args<'a>>) -> Result<()>
where
    T::Args<'a>: Clone,
{
    for (index, element) in elements.iter().enumerate() {
        let arguments = value(handed.at(index as u64));
        let agreed = arguments.and_then(|arguments| element.agree(arguments));
        agreed.map_err(|error| error.within(index as u64))?;
    }
    only_last_is_open(elements)
}

impl<T> Agree for Each<T>
where
    T: Agree + crate::Schema + 'static,
    for<'a> T::Args<'a>: Clone,
{
    fn has_bytes(&self) -> bool {
        self.0.iter().any(T::has_bytes)
    }

    fn follow(&self) -> Follow {
        self.0.last().map_or(Follow::Anything, T::follow)
    }

    fn agree(&self, arguments: ListArguments<T::Args<'_>>) -> Result<()> {
        same_count(arguments.count, crate::settle::counted(&self.0))?;
        each(&self.0, &arguments.inner)
    }
}

impl<T> Agree for ToEnd<T>
where
    T: Agree + 'static,
    for<'a> T::Args<'a>: Clone,
{
    fn has_bytes(&self) -> bool {
        self.0.iter().any(T::has_bytes)
    }

    fn follow(&self) -> Follow {
        Follow::Nothing
    }

    fn agree(&self, arguments: Inner<T::Args<'_>>) -> Result<()> {
        each(&self.0, &arguments.inner)
    }
}

impl<T> Agree for Until<T>
where
    T: Agree + Last + 'static,
    for<'a> T::Args<'a>: Clone,
{
    fn has_bytes(&self) -> bool {
        self.0.iter().any(T::has_bytes)
    }

    fn follow(&self) -> Follow {
        self.0.last().map_or(Follow::Anything, T::follow)
    }

    fn agree(&self, arguments: Inner<T::Args<'_>>) -> Result<()> {
        let last = self.0.iter().position(Last::is_last);
        if last.is_none_or(|last| last + 1 != self.0.len()) {
            let found = last
                .map_or("none".to_owned(), |last| format!("element {last} of {}", self.0.len()));
            return Err(wrong_count("the last element at the end, and only there", found));
        }
        each(&self.0, &arguments.inner)
    }
}

impl<T> Agree for Within<T>
where
    T: Agree + for<'a> BinWrite<Args<'a> = ()>,
{
    fn has_bytes(&self) -> bool {
        self.0.has_bytes()
    }

    fn agree(&self, arguments: WithinArguments<<T as BinRead>::Args<'_>>) -> Result<()> {
        self.0.agree(arguments.inner)?;
        let there = crate::settle::measure(&self.0)?;
        if there == arguments.bytes {
            Ok(())
        } else {
            Err(wrong_count(format!("a region of {} bytes", arguments.bytes), there))
        }
    }
}

impl<C: Code, T: Agree> Agree for Coded<C, T> {
    fn follow(&self) -> Follow {
        // All of the region is the code.
        Follow::Nothing
    }

    fn agree(&self, arguments: CodedArguments<T::Args<'_>>) -> Result<()> {
        self.deref().agree(arguments.inner)?;
        if *self.key() == arguments.key {
            return Ok(());
        }
        let expected = format!("a content with the key {:?}", arguments.key.0);
        Err(wrong_count(expected, format!("{:?}", self.key().0)))
    }
}

impl<T: Agree> Agree for Before<T> {
    fn has_bytes(&self) -> bool {
        self.0.has_bytes()
    }

    fn agree(&self, arguments: BeforeArguments<T::Args<'_>>) -> Result<()> {
        self.0.agree(arguments.inner)
    }
}

//! Repeated records and padding, bounded by the rest of the input.

use std::io::{Read, Seek, Write};
use std::ops::Deref;

use binrw::io::NoSeek;
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::Cursor;
use super::block::{CountArgs, left_in, same_count};
use super::fault::{raise, raise_list, read_error};
use crate::schema::{Layout, Schema, Sizes};
use formwork::derived::{Agree, Borrowing, Direct, Directly, Given, Missed, Settle, Wants, take};
use formwork::record::Readable;
use formwork::{Error, OrEnd, Result, Rule};

/// Records, one after another.
#[derive(Clone, Debug, PartialEq)]
pub struct Each<T>(pub Vec<T>);

impl<T> Deref for Each<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Schema> Schema for Each<T> {
    const LAYOUT: Layout = Layout::List(T::layout);
    const SIZE: Option<usize> = None;
    const IS_DEEP: bool = T::IS_DEEP;
}

impl<T: Settle> Settle for Each<T> {
    fn settle(&mut self, _: &Given) -> Wants {
        for element in &mut self.0 {
            element.settle(&Given::None);
        }
        Wants::count(self.len())
    }
}

impl<T: for<'a> BinRead<Args<'a> = ()> + Agree + Schema> Agree for Each<T> {
    fn agree(&self, CountArgs { count }: CountArgs) -> Result<()> {
        same_count(count, self.len())?;
        self.iter().zip(0..).try_for_each(|(element, index): (_, u64)| {
            element.agree(()).map_err(|error| error.within(index))
        })
    }
}

impl<T: for<'a> BinRead<Args<'a> = ()> + Schema> BinRead for Each<T> {
    type Args<'a> = CountArgs;

    /// Memory is only reserved for as many records as the input could hold: every record takes at least the size of its
    /// fields of constant size.
    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        CountArgs { count }: CountArgs,
    ) -> BinResult<Self> {
        let (position, left) = left_in(reader)?;
        let count = count as u64;
        let shortest = T::LEAST.max(1) as u64;
        let least = count.saturating_mul(shortest);
        if least > left {
            return Err(raise_list(Error::incomplete(
                position,
                least - left,
                format!(
                    "{} of at least {}",
                    formwork::wire::elements(count),
                    formwork::wire::bytes(shortest)
                ),
                left,
            )));
        }
        let mut elements = Vec::with_capacity(usize::try_from(count).unwrap_or_default());
        for _ in 0..count {
            elements.push(T::read_options(reader, endian, ())?);
        }
        Ok(Self(elements))
    }
}

macro_rules! direct {
    ($($trait:ident<$($bytes:lifetime)?> $read:ident;)+) => { $(
        impl<$($bytes,)? T: for<'a> BinRead<Args<'a> = ()> + Schema + $trait<$($bytes)?>> $trait<$($bytes)?> for Each<T> {
            direct!(@is $read);

            #[inline]
            fn $read(
                input: &mut &$($bytes)? [u8],
                endian: Endian,
                CountArgs { count }: CountArgs,
            ) -> Directly<Self> {
                let least = T::LEAST.max(1);
                if count.checked_mul(least).is_none_or(|least| least > input.len()) {
                    return Err(Missed::Refused);
                }
                let mut elements = Vec::with_capacity(count);
                for _ in 0..count {
                    elements.push(T::$read(input, endian, ())?);
                }
                Ok(Self(elements))
            }
        }
    )+ };
    (@is direct) => { const IS_DIRECT: bool = T::IS_DIRECT; };
    (@is borrowing) => {};
}

direct! {
    Direct<> direct;
    Borrowing<'b> borrowing;
}

impl<T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for Each<T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(
        &self,
        writer: &mut W,
        endian: Endian,
        (): (),
    ) -> BinResult<()> {
        self.iter().try_for_each(|element| element.write_options(writer, endian, ()))
    }
}

/// The bytes that pad a length to a multiple of four.
///
/// The padding of binrw is a seek: it accepts a packet that is cut inside its padding, and forgets the padding's bytes.
/// This type reads the bytes and keeps them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Padding {
    length: u8,
    bytes: u32,
}

impl Padding {
    /// Returns the padding after `length` bytes.
    #[must_use]
    pub const fn after(length: usize) -> Self {
        Self { length: Self::needed(length) as u8, bytes: 0 }
    }

    /// Returns the padding after `length` bytes, if there is any.
    #[must_use]
    pub fn or_end(length: usize) -> OrEnd<Self> {
        OrEnd((!length.is_multiple_of(4)).then(|| Self::after(length)))
    }

    /// Returns the zero that ends a text of `length` bytes, with the padding after it.
    #[must_use]
    pub const fn with_terminator(length: usize) -> Self {
        Self { length: 1 + Self::needed(length + 1) as u8, bytes: 0 }
    }

    /// Returns the number of bytes that pad `length` to a multiple of four: 0 to 3.
    #[must_use]
    pub const fn needed(length: usize) -> usize {
        length.wrapping_neg() % 4
    }

    /// Writes bytes that are not all zero.
    #[cold]
    fn write_other<W: Write>(&self, writer: &mut W) -> BinResult<()> {
        let bytes = self.bytes.to_le_bytes();
        Ok(writer.write_all(&bytes[..usize::from(self.length).min(4)])?)
    }

    /// Whether all the padding was zero.
    #[must_use]
    pub const fn is_zero(self) -> bool {
        self.bytes == 0
    }
}

impl Schema for Padding {
    const LAYOUT: Layout = Layout::Padding(4);
    const SIZE: Option<usize> = None;
}

impl Settle for Padding {
    fn settle(&mut self, given: &Given) -> Wants {
        if let Some(length) = given.parameter(0) {
            let after = Self::after((length % 4) as usize);
            if after.length != self.length {
                *self = after;
            }
        }
        Wants::default()
    }
}

impl Agree for Padding {
    fn agree(&self, (length,): (u64,)) -> Result<()> {
        let needed = Self::needed((length % 4) as usize);
        if needed == usize::from(self.length) {
            return Ok(());
        }
        let rule = formwork::wire::rule::RECORD_AGREEMENT;
        let expected = format!("{} of padding", formwork::wire::bytes(needed));
        Err(Error::new(rule, 0, expected, self.length.to_string()).nowhere())
    }
}

impl BinRead for Padding {
    type Args<'a> = (u64,);

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        _: Endian,
        (length,): (u64,),
    ) -> BinResult<Self> {
        let needed = Self::needed((length % 4) as usize);
        let mut bytes = [0; 4];
        if let Err(error) = reader.read_exact(&mut bytes[..needed]) {
            let (position, left) = left_in(reader)?;
            return Err(match error.kind() {
                std::io::ErrorKind::UnexpectedEof => raise(Error::incomplete(
                    position,
                    needed as u64 - left,
                    format!("{} of padding", formwork::wire::bytes(needed)),
                    left,
                )),
                _ => error.into(),
            });
        }
        Ok(Self { length: needed as u8, bytes: u32::from_le_bytes(bytes) })
    }
}

impl Direct for Padding {
    const IS_DIRECT: bool = true;

    #[inline(always)]
    fn direct(input: &mut &[u8], _: Endian, (length,): (u64,)) -> Directly<Self> {
        let needed = Self::needed((length % 4) as usize);
        let bytes = match input.first_chunk() {
            // Nearly always more follows: one word, of which the lower bytes count.
            Some(word) => u32::from_le_bytes(*word) & !(u32::MAX << (8 * needed)),
            None => {
                input.iter().take(needed).rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
            }
        };
        take(input, needed)?;
        Ok(Self { length: needed as u8, bytes })
    }
}

impl<'b> Borrowing<'b> for Padding {
    #[inline(always)]
    fn borrowing(input: &mut &'b [u8], endian: Endian, length: (u64,)) -> Directly<Self> {
        Self::direct(input, endian, length)
    }
}

impl BinWrite for Padding {
    type Args<'a> = ();

    #[inline]
    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        if self.bytes != 0 {
            return self.write_other(writer);
        }
        match self.length {
            0 => Ok(()),
            // Constant sizes are written without a call.
            1 => Ok(writer.write_all(&[0])?),
            2 => Ok(writer.write_all(&[0; 2])?),
            3 => Ok(writer.write_all(&[0; 3])?),
            length => Ok(writer.write_all(&[0; 4][..usize::from(length).min(4)])?),
        }
    }
}

/// Reads one declared record, with the library's errors: rule, offset, path to the field.
///
/// # Errors
///
/// Returns an error if the input is too short, or if the record's reader refuses the bytes.
#[inline]
pub fn read_record<T: Readable>(input: &mut Cursor<'_>) -> Result<T, Error> {
    read_record_in(input, Endian::Little)
}

/// Reads one declared record as [`read_record`] does, in this byte order. The record must be declared for either byte
/// order.
///
/// # Errors
///
/// Those of [`read_record`].
#[inline]
pub fn read_record_in<T: Readable>(input: &mut Cursor<'_>, endian: Endian) -> Result<T, Error> {
    let mut rest = input.rest();
    match T::direct(&mut rest, endian, ()) {
        Ok(record) => {
            input.leave(rest);
            Ok(record)
        }
        Err(_) => read_generally(input, endian),
    }
}

/// Reads one declared record as [`read_record`] does, which borrows its slices from the input.
///
/// # Errors
///
/// Those of [`read_record`].
#[inline]
pub fn read_borrowed<'b, T: Readable + Borrowing<'b>>(input: &mut Cursor<'b>) -> Result<T, Error> {
    let mut rest = input.rest();
    match T::borrowing(&mut rest, Endian::Little, ()) {
        Ok(record) => {
            input.leave(rest);
            Ok(record)
        }
        Err(_) => read_generally(input, Endian::Little),
    }
}

/// Reads a record that was not read directly: nearly always, to say why it is refused.
#[cold]
#[inline(never)]
fn read_generally<T: Readable>(input: &mut Cursor<'_>, endian: Endian) -> Result<T, Error> {
    let (start, left) = (input.position(), input.left());
    if let Some(size) = T::SIZE.filter(|size| *size > left) {
        return Err(cut(start, size, left));
    }
    T::read_options(input, endian, ())
        .map_err(|error| read_error::<T>(&error, input, start, endian))
}

/// Reads one field of a declared record at the start of `bytes`, which need not hold the rest of it: [`None`] if the
/// field is missing.
///
/// `word!(bytes, ObjectRecord, class: i16)` does not compile if the record has no such field, or if a field without a
/// constant size comes before it.
#[doc(hidden)]
#[macro_export]
macro_rules! word {
    ($bytes:expr, $record:ty, $field:ident: $word:ty) => {
        $crate::wire::word_at::<$word>(
            $bytes,
            const { $crate::schema::offset::<$record, $word>(stringify!($field)) },
        )
    };
}
pub use crate::word;

/// Reads a number or word at an offset; [`None`] if it is missing.
#[inline]
pub fn word_at<W: Readable>(bytes: &[u8], offset: usize) -> Option<W> {
    let mut word = bytes.get(offset..)?.get(..W::SIZE?)?;
    W::direct(&mut word, Endian::Little, ()).ok()
}

/// Writes a record to memory: to a vector, or to a slice that is long enough. Neither returns an error.
pub fn put_record<T>(record: &T, room: &mut impl Write)
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let _ = record.write_le(&mut NoSeek::new(room));
}

/// Returns the error for an input that ends inside a record of `size` bytes at `start`.
#[cold]
fn cut(start: usize, size: usize, left: usize) -> Error {
    let (size, left) = (size as u64, left as u64);
    Error::incomplete(start as u64, size - left, formwork::wire::bytes(size).to_string(), left)
}

/// Returns a length or count; an error if it is negative as a signed word.
pub fn not_negative(rule: Rule, offset: usize, word: u32) -> Result<u32, Error> {
    match i32::try_from(word) {
        Ok(_) => Ok(word),
        Err(_) => Err(Error::new(
            rule,
            offset as u64,
            "a count of 0 to 2147483647",
            (word as i32).to_string(),
        )),
    }
}

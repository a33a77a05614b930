//! Lists: of a count, up to the end, up to the last.

use std::ops::{Deref, DerefMut};

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::arguments::{Inner, ListArguments};
use super::{block, cursor, raise, rule};
use crate::error::Error;
use crate::schema::{Layout, Schema, Shape};

/// How many elements of a list may have no bytes.
pub(crate) const MOST_EMPTY: u64 = 1 << 16;

/// An element that knows whether it is the last of its list.
///
/// `#[schema(last = condition)]` above the type implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which element is the last",
    note = "say it above the type: `#[schema(last = condition)]`"
)]
pub trait Last {
    /// Returns whether the list ends with this element.
    fn is_last(&self) -> bool;
}

macro_rules! lists {
    ($( $(#[$doc:meta])* $name:ident: $layout:ident; )+) => { $(
        $(#[$doc])*
        #[derive(Clone, Debug, Eq, PartialEq)]
        pub struct $name<T>(pub Vec<T>);

        impl<T> Default for $name<T> {
            fn default() -> Self {
                Self(Vec::new())
            }
        }

        impl<T> Deref for $name<T> {
            type Target = Vec<T>;

            fn deref(&self) -> &Vec<T> {
                &self.0
            }
        }

        impl<T> DerefMut for $name<T> {
            fn deref_mut(&mut self) -> &mut Vec<T> {
                &mut self.0
            }
        }

        impl<T> From<Vec<T>> for $name<T> {
            fn from(elements: Vec<T>) -> Self {
                Self(elements)
            }
        }

        impl<T> FromIterator<T> for $name<T> {
            fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
                Self(elements.into_iter().collect())
            }
        }

        impl<'l, T> IntoIterator for &'l $name<T> {
            type Item = &'l T;
            type IntoIter = std::slice::Iter<'l, T>;

            fn into_iter(self) -> Self::IntoIter {
                self.0.iter()
            }
        }

        impl<T: Schema> Schema for $name<T> {
            const LAYOUT: Layout = Layout::$layout(T::layout);
            const SIZE: Option<usize> = None;
            // `T` may be the record that holds the list; it has no constant size then.
            const IS_DEEP: bool = T::SIZE.is_none();
            const SHAPE: Shape = Shape::of_list(T::NUMBER);
            const PARAMETERS: usize = T::PARAMETERS;
            const NEEDS_ORDER: bool = T::IS_UNORDERED;
            const IS_UNORDERED: bool = T::IS_UNORDERED;
        }

        impl<T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for $name<T> {
            type Args<'a> = ();

            fn write_options<W: Write + Seek>(&self, writer: &mut W, endian: Endian, (): ()) -> BinResult<()> {
                self.0.iter().try_for_each(|element| element.write_options(writer, endian, ()))
            }
        }

        impl<T> ReadEndian for $name<T> {
            const ENDIAN: EndianKind = EndianKind::Runtime;
        }

        impl<T> WriteEndian for $name<T> {
            const ENDIAN: EndianKind = EndianKind::Runtime;
        }
    )+ };
}

lists! {
    /// As many elements as the argument `count`: `#[br(count = length)] Each<Entry>`.
    ///
    /// The argument `inner` goes to the elements: `#[br(count = length, args { inner: (version,) })]`.
    Each: List;
    /// Elements up to the end of the input, or of the region around.
    ToEnd: ToEnd;
    /// Elements up to and with the one that marks itself as the last: see [`Last`].
    Until: Until;
}

/// Counts elements without bytes, which a hostile count could request for ever.
#[derive(Default)]
struct Empty(u64);

impl Empty {
    #[inline]
    fn count(&mut self, before: u64, after: u64) -> BinResult<()> {
        if after > before {
            return Ok(());
        }
        self.0 += 1;
        if self.0 > MOST_EMPTY { Err(raise(too_many_empty(after))) } else { Ok(()) }
    }
}

/// Returns for how many elements there is room after one that counts as several, or the error at an offset.
pub(crate) fn slots_left(
    slots: Option<u64>,
    left: u64,
) -> std::result::Result<u64, impl FnOnce(u64) -> Error> {
    slots.and_then(|slots| left.checked_sub(slots)).ok_or(move |at| {
        let expected = format!("an element that counts as at most {left}");
        let found = slots.map_or_else(
            || "an overflow".to_owned(),
            |slots| format!("one that counts as {slots}"),
        );
        Error::new(rule::RECORD_SLOTS, at, expected, found)
    })
}

/// Returns the error of a list with too many elements without bytes.
#[cold]
pub(crate) fn too_many_empty(at: u64) -> Error {
    let expected = format!("at most {MOST_EMPTY} elements without bytes");
    Error::new(rule::RECORD_EMPTY, at, expected, "more")
}

impl<T> BinRead for Each<T>
where
    T: BinRead + Schema + 'static,
    for<'a> T::Args<'a>: Clone,
{
    type Args<'a> = ListArguments<T::Args<'a>>;

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        arguments: Self::Args<'_>,
    ) -> BinResult<Self> {
        let mut elements = Vec::new();
        if let Some(size) = T::SIZE
            && !T::HAS_SLOTS
        {
            let (at, end) = cursor::span(reader)?;
            let bytes = (arguments.count as u64).checked_mul(size as u64);
            if bytes.is_none_or(|bytes| bytes > end - at) {
                return Err(raise(block::missing(at, end - at, arguments.count as u64, size)));
            }
            if size == 0 && arguments.count as u64 > MOST_EMPTY {
                return Err(raise(too_many_empty(at)));
            }
            elements.reserve_exact(arguments.count);
            for index in 0..arguments.count {
                let inner = arguments.inner.at(index as u64)?;
                elements.push(T::read_options(reader, endian, inner)?);
            }
            return Ok(Self(elements));
        }
        let (mut empty, mut at) = (Empty::default(), reader.stream_position()?);
        let mut left = arguments.count as u64;
        while left > 0 {
            let inner = arguments.inner.at(elements.len() as u64)?;
            let element = T::read_options(reader, endian, inner)?;
            if T::HAS_SLOTS {
                left = slots_left(element.slots(), left).map_err(|error| raise(error(at)))?;
            } else {
                left -= 1;
            }
            elements.push(element);
            let after = reader.stream_position()?;
            empty.count(at, after)?;
            at = after;
        }
        Ok(Self(elements))
    }
}

impl<T> BinRead for ToEnd<T>
where
    T: BinRead + 'static,
    for<'a> T::Args<'a>: Clone,
{
    type Args<'a> = Inner<T::Args<'a>>;

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        arguments: Self::Args<'_>,
    ) -> BinResult<Self> {
        let (mut at, end) = cursor::span(reader)?;
        let (mut elements, mut empty) = (Vec::new(), Empty::default());
        while at < end {
            let inner = arguments.inner.at(elements.len() as u64)?;
            elements.push(T::read_options(reader, endian, inner)?);
            let after = reader.stream_position()?;
            empty.count(at, after)?;
            at = after;
        }
        Ok(Self(elements))
    }
}

impl<T> BinRead for Until<T>
where
    T: BinRead + Last + 'static,
    for<'a> T::Args<'a>: Clone,
{
    type Args<'a> = Inner<T::Args<'a>>;

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        arguments: Self::Args<'_>,
    ) -> BinResult<Self> {
        let (mut elements, mut empty) = (Vec::new(), Empty::default());
        let mut at = reader.stream_position()?;
        loop {
            let inner = arguments.inner.at(elements.len() as u64)?;
            let element = T::read_options(reader, endian, inner)?;
            let is_last = element.is_last();
            elements.push(element);
            if is_last {
                return Ok(Self(elements));
            }
            let after = reader.stream_position()?;
            empty.count(at, after)?;
            at = after;
        }
    }
}

//! An enum's number that may be another one.

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use crate::schema::{Layout, Schema};

/// An enum of numbers.
pub trait Numbered: Copy {
    /// The number in the file.
    type Number: Copy + std::fmt::Debug + Eq + std::hash::Hash + TryFrom<i128> + Into<i128>;
    /// Returns the number.
    fn number(&self) -> Self::Number;
    /// Returns what the number names.
    fn of_number(number: Self::Number) -> Option<Self>;
}

/// A number that an enum names, or another: `Open<Kind>` where `Kind` is `#[brw(repr = u16)]`.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Open<K: Numbered> {
    /// A number that has a name.
    Known(K),
    /// Another number.
    Other(K::Number),
}

impl<K: Numbered> Open<K> {
    /// Returns the number. Expressions use it: `kind.number() == 3`.
    #[must_use]
    pub fn number(&self) -> K::Number {
        match self {
            Self::Known(known) => known.number(),
            Self::Other(number) => *number,
        }
    }

    /// Returns the name for the number, where it has one.
    #[must_use]
    pub fn of_number(number: K::Number) -> Self {
        K::of_number(number).map_or(Self::Other(number), Self::Known)
    }
}

impl<K: Numbered> From<K> for Open<K> {
    fn from(known: K) -> Self {
        Self::Known(known)
    }
}

impl<K: Numbered + Schema> Schema for Open<K> {
    const LAYOUT: Layout = match K::LAYOUT {
        Layout::Integer { number, names, .. } => Layout::Integer { number, names, open: true },
        other => other,
    };
    const SIZE: Option<usize> = K::SIZE;
    const NEEDS_ORDER: bool = K::NEEDS_ORDER;
    const IS_UNORDERED: bool = K::IS_UNORDERED;
}

impl<K: Numbered> BinRead for Open<K>
where
    K::Number: for<'a> BinRead<Args<'a> = ()>,
{
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        K::Number::read_options(reader, endian, ()).map(Self::of_number)
    }
}

impl<K: Numbered> BinWrite for Open<K>
where
    K::Number: for<'a> BinWrite<Args<'a> = ()>,
{
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(
        &self,
        writer: &mut W,
        endian: Endian,
        (): (),
    ) -> BinResult<()> {
        self.number().write_options(writer, endian, ())
    }
}

impl<K: Numbered> ReadEndian for Open<K> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}

impl<K: Numbered> WriteEndian for Open<K> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}

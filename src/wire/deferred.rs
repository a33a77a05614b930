//! Places whose bytes the reader of a record leaves to the caller.

use std::fmt;
use std::marker::PhantomData;

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use crate::schema::{Layout, Schema};

/// `T` in the file, and nothing in memory: the reader and the writer of the record leave it to the caller.
///
/// It takes the arguments of `T`. All fields after it are deferred as well. The check, the dump, the page, broken copies
/// and made values go into it.
pub struct Deferred<T>(PhantomData<fn() -> T>);

/// A place where a [`Family`](crate::Family) chooses the record, by this id: deferred, and nothing in memory.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Nested<const ID: u16>;

impl<T> Deferred<T> {
    /// The place.
    pub const HERE: Self = Self(PhantomData);
}

impl<T> Clone for Deferred<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Deferred<T> {}

impl<T> fmt::Debug for Deferred<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Deferred")
    }
}

impl<T> Default for Deferred<T> {
    fn default() -> Self {
        Self::HERE
    }
}

impl<T> PartialEq for Deferred<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T> Eq for Deferred<T> {}

impl<T: Schema> Schema for Deferred<T> {
    const LAYOUT: Layout = Layout::Deferred(T::layout);
    const SIZE: Option<usize> = None;
    const PARAMETERS: usize = T::PARAMETERS;
    const NEEDS_ORDER: bool = T::IS_UNORDERED;
    const IS_UNORDERED: bool = T::IS_UNORDERED;
}

impl<const ID: u16> Schema for Nested<ID> {
    const LAYOUT: Layout = Layout::Nested(ID);
    const SIZE: Option<usize> = None;
}

impl<T: BinRead> BinRead for Deferred<T> {
    type Args<'a> = T::Args<'a>;

    #[inline]
    fn read_options<R: Read + Seek>(_: &mut R, _: Endian, _: T::Args<'_>) -> BinResult<Self> {
        Ok(Self::HERE)
    }
}

impl<T> BinWrite for Deferred<T> {
    type Args<'a> = ();

    #[inline]
    fn write_options<W: Write + Seek>(&self, _: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(())
    }
}

impl<const ID: u16> BinRead for Nested<ID> {
    type Args<'a> = ();

    #[inline]
    fn read_options<R: Read + Seek>(_: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        Ok(Self)
    }
}

impl<const ID: u16> BinWrite for Nested<ID> {
    type Args<'a> = ();

    #[inline]
    fn write_options<W: Write + Seek>(&self, _: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(())
    }
}

impl<T> ReadEndian for Deferred<T> {
    const ENDIAN: EndianKind = EndianKind::None;
}

impl<T> WriteEndian for Deferred<T> {
    const ENDIAN: EndianKind = EndianKind::None;
}

impl<const ID: u16> ReadEndian for Nested<ID> {
    const ENDIAN: EndianKind = EndianKind::None;
}

impl<const ID: u16> WriteEndian for Nested<ID> {
    const ENDIAN: EndianKind = EndianKind::None;
}

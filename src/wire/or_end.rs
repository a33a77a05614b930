//! Fields that may be missing at the end.

use std::ops::Deref;

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::cursor;
use crate::schema::{Layout, Schema, Shape};

/// `T`, or nothing at the end of the input or of the region around.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct OrEnd<T>(pub Option<T>);

impl<T> Deref for OrEnd<T> {
    type Target = Option<T>;

    fn deref(&self) -> &Option<T> {
        &self.0
    }
}

impl<T: Schema> Schema for OrEnd<T> {
    const LAYOUT: Layout = Layout::OrEnd(T::layout);
    const SIZE: Option<usize> = None;
    const IS_DEEP: bool = T::IS_DEEP;
    const SHAPE: Shape = T::SHAPE;
    const PARAMETERS: usize = T::PARAMETERS;
    const NEEDS_ORDER: bool = T::NEEDS_ORDER;
    const IS_UNORDERED: bool = T::IS_UNORDERED;
}

impl<T: BinRead> BinRead for OrEnd<T> {
    type Args<'a> = T::Args<'a>;

    fn read_options<R: Read + Seek>(
        reader: &mut R,
        endian: Endian,
        arguments: T::Args<'_>,
    ) -> BinResult<Self> {
        let (at, end) = cursor::span(reader)?;
        if at == end {
            return Ok(Self(None));
        }
        T::read_options(reader, endian, arguments).map(|inner| Self(Some(inner)))
    }
}

impl<T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for OrEnd<T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(
        &self,
        writer: &mut W,
        endian: Endian,
        (): (),
    ) -> BinResult<()> {
        self.0.iter().try_for_each(|inner| inner.write_options(writer, endian, ()))
    }
}

impl<T> ReadEndian for OrEnd<T> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}

impl<T> WriteEndian for OrEnd<T> {
    const ENDIAN: EndianKind = EndianKind::Runtime;
}

//! Lists that end with the input.

use std::io::{Read, Seek, Write};
use std::ops::Deref;

use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::block::left_in;
use crate::schema::{Schema, Shape, Stands};

/// As many elements as there are up to the end of the input. (binrw's `until_eof` ignores an element that is cut; this
/// type does not.)
///
/// ```
/// use formwork_records::binrw::{BinRead, io::Cursor};
/// use formwork_records::wire::ToEnd;
///
/// assert_eq!(ToEnd::<u16>::read_le(&mut Cursor::new([1, 0, 2, 0]))?.0, [1, 2]);
/// assert!(ToEnd::<u16>::read_le(&mut Cursor::new([1, 0, 2])).is_err());
/// # Ok::<(), formwork_records::binrw::Error>(())
/// ```
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct ToEnd<T>(pub Vec<T>);

impl<T> Deref for ToEnd<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Schema> Schema for ToEnd<T> {
    const SHAPE: Shape = T::SHAPE;
    const STANDS: Stands = Stands::ToEnd;
    const SIZE: Option<usize> = None;
}

impl<T: for<'a> BinRead<Args<'a> = ()>> BinRead for ToEnd<T> {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let (mut position, left) = left_in(reader)?;
        let end = position.saturating_add(left);
        let mut elements = Vec::new();
        while position < end {
            elements.push(T::read_options(reader, endian, ())?);
            let before = std::mem::replace(&mut position, reader.stream_position()?);
            if position <= before {
                // Elements that take no bytes would never end.
                break;
            }
        }
        Ok(Self(elements))
    }
}

impl<T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for ToEnd<T> {
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

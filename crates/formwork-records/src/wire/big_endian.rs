//! Numbers of network protocols, whose highest byte comes first.

use std::io::{Read, Seek, Write};

use binrw::{BinRead, BinResult, BinWrite, Endian};

use crate::schema::{Schema, Shape};

/// A number or word in a record, in network byte order. (The formats of the engines are little endian throughout; ENet
/// is not.)
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BigEndian<T>(pub T);

impl<T: Schema> Schema for BigEndian<T> {
    const SHAPE: Shape = Shape::BigEndian(&T::SHAPE);
    const SIZE: Option<usize> = T::SIZE;
}

macro_rules! numbers {
    ($($number:ident)+) => { $(
        impl BinRead for BigEndian<$number> {
            type Args<'a> = ();

            fn read_options<R: Read + Seek>(
                reader: &mut R,
                _: Endian,
                (): (),
            ) -> BinResult<Self> {
                <$number>::read_options(reader, Endian::Big, ()).map(Self)
            }
        }

        impl BinWrite for BigEndian<$number> {
            type Args<'a> = ();

            fn write_options<W: Write + Seek>(
                &self,
                writer: &mut W,
                _: Endian,
                (): (),
            ) -> BinResult<()> {
                self.0.write_options(writer, Endian::Big, ())
            }
        }

        impl From<BigEndian<$number>> for $number {
            fn from(number: BigEndian<$number>) -> Self {
                number.0
            }
        }
    )+ };
}
numbers! { u16 u32 }

//! Places in a record for parts that its reader does not read.

use std::fmt;
use std::io::{Read, Seek, Write};
use std::marker::PhantomData;

use binrw::{BinRead, BinResult, BinWrite, Endian};

use crate::schema::{Schema, Shape, Stands};

/// A part of the record on the wire that is read and written by a separate loop, because it nests or is too large to be
/// held. It takes no memory.
///
/// ```
/// use formwork_records::wire::Nested;
///
/// assert_eq!(size_of::<Nested<[u64; 9]>>(), 0);
/// ```
pub struct Nested<T: ?Sized>(PhantomData<fn() -> T>);

impl<T: ?Sized> Nested<T> {
    /// The value of this type.
    pub const HERE: Self = Self(PhantomData);
}

/// The number of elements, for the schema: nothing is read here.
#[derive(Clone, Copy, Debug, Default, binrw::NamedArgs)]
pub struct NestedArgs {
    /// The number of elements.
    #[named_args(default = 0)]
    pub count: usize,
}

impl<T: ?Sized> Clone for Nested<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Nested<T> {}

impl<T: ?Sized> fmt::Debug for Nested<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Nested")
    }
}

impl<T: ?Sized> Default for Nested<T> {
    fn default() -> Self {
        Self::HERE
    }
}

impl<T: ?Sized> PartialEq for Nested<T> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<T: ?Sized> Eq for Nested<T> {}

impl<T: Schema> Schema for Nested<T> {
    const SHAPE: Shape = T::SHAPE;
    const STANDS: Stands = Stands::Elsewhere;
    const SIZE: Option<usize> = None;
}

impl<T: ?Sized> BinRead for Nested<T> {
    type Args<'a> = NestedArgs;

    fn read_options<R: Read + Seek>(_: &mut R, _: Endian, _: NestedArgs) -> BinResult<Self> {
        Ok(Self::HERE)
    }
}

impl<T: ?Sized> BinWrite for Nested<T> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, _: &mut W, _: Endian, (): ()) -> BinResult<()> {
        Ok(())
    }
}

//! Regions of a known size, and up to the last bytes.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian, NamedArgs};

use super::{Cursor, Last, cursor, raise, rule};
use crate::error::Error;
use crate::schema::{Layout, Schema, Shape};

/// Reads what fills a region.
///
/// The bytes are copied: a reader of the region over the reader around would be a new type for each level of a
/// record that contains itself, and a dynamic one takes twice the time. Depth is limited, so the copies are.
fn fill<T: BinRead, R: Read + Seek>(
    reader: &mut R,
    endian: Endian,
    (at, end): (u64, u64),
    inner: T::Args<'_>,
) -> BinResult<T> {
    let size = end - at;
    let mut bytes = vec![0; usize::try_from(size).map_err(|_| raise(cut_region(at, size, 0)))?];
    reader.read_exact(&mut bytes)?;
    let mut region = Cursor::region(&bytes, at);
    let value = T::read_options(&mut region, endian, inner)?;
    match region.rest().len() as u64 {
        0 => Ok(value),
        left => Err(raise(not_filled(end - left, left))),
    }
}

/// Returns the error of a region of which only `left` bytes are there.
#[cold]
pub(crate) fn cut_region(at: u64, size: u64, left: u64) -> Error {
    let expected = format!("a region of {}", super::bytes(size));
    Error::incomplete(at, size.saturating_sub(left), expected, left)
}

/// Returns the error of bytes that nothing in the region is made of.
#[cold]
pub(crate) fn not_filled(at: u64, left: u64) -> Error {
    let found = super::more_bytes(left).to_string();
    Error::new(rule::RECORD_REGION, at, "the end of the region", found)
}

macro_rules! regions {
    ($(
        $(#[$doc:meta])* $name:ident, $arguments:ident, $builder:ident, $(#[$field_doc:meta])* $size:ident,
        |$at:ident, $around:ident| $end:expr;
    )+) => { $(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, Eq, PartialEq)]
        pub struct $name<T>(pub T);

        impl<T> Deref for $name<T> {
            type Target = T;

            fn deref(&self) -> &T {
                &self.0
            }
        }

        impl<T> DerefMut for $name<T> {
            fn deref_mut(&mut self) -> &mut T {
                &mut self.0
            }
        }

        impl<T> From<T> for $name<T> {
            fn from(inner: T) -> Self {
                Self(inner)
            }
        }

        impl<T: Schema> Schema for $name<T> {
            const LAYOUT: Layout = Layout::$name(T::layout);
            const SIZE: Option<usize> = None;
            const IS_DEEP: bool = T::IS_DEEP;
            const SHAPE: Shape = T::SHAPE;
            const PARAMETERS: usize = T::PARAMETERS;
            const NEEDS_ORDER: bool = T::NEEDS_ORDER;
            const IS_UNORDERED: bool = T::IS_UNORDERED;
        }

        #[doc = concat!("The arguments of [`", stringify!($name), "`].")]
        #[derive(Clone, Debug)]
        pub struct $arguments<I> {
            $(#[$field_doc])*
            pub $size: u64,
            /// Handed to what is in the region.
            pub inner: I,
        }

        #[doc = concat!("Makes [`", stringify!($arguments), "`]: the size may be any whole number.")]
        #[derive(Debug)]
        pub struct $builder<I, Size, Inner>(Size, Inner, PhantomData<I>);

        impl<I> NamedArgs for $arguments<I> {
            type Builder = $builder<I, (), ()>;

            fn builder() -> Self::Builder {
                $builder((), (), PhantomData)
            }
        }

        impl<I, Inner> $builder<I, (), Inner> {
            $(#[$field_doc])*
            #[must_use]
            pub fn $size(self, size: impl TryInto<u64>) -> $builder<I, (u64,), Inner> {
                $builder((size.try_into().unwrap_or(u64::MAX),), self.1, PhantomData)
            }
        }

        impl<I, Size> $builder<I, Size, ()> {
            /// Sets what is handed to what is in the region.
            #[must_use]
            pub fn inner(self, inner: I) -> $builder<I, Size, (I,)> {
                $builder(self.0, (inner,), PhantomData)
            }
        }

        impl<I: Default> $builder<I, (u64,), ()> {
            /// Returns the arguments.
            #[must_use]
            pub fn finalize(self) -> $arguments<I> {
                $arguments { $size: self.0.0, inner: I::default() }
            }
        }

        impl<I> $builder<I, (u64,), (I,)> {
            /// Returns the arguments.
            #[must_use]
            pub fn finalize(self) -> $arguments<I> {
                $arguments { $size: self.0.0, inner: self.1.0 }
            }
        }

        impl<T: BinRead> BinRead for $name<T> {
            type Args<'a> = $arguments<T::Args<'a>>;

            fn read_options<R: Read + Seek>(
                reader: &mut R,
                endian: Endian,
                arguments: Self::Args<'_>,
            ) -> BinResult<Self> {
                let ($at, $around) = cursor::span(reader)?;
                let $size = arguments.$size;
                let end: Option<u64> = $end;
                let Some(end) = end.filter(|end| ($at..=$around).contains(end)) else {
                    return Err(raise(cut_region($at, $size, $around.saturating_sub($at))));
                };
                fill(reader, endian, ($at, end), arguments.inner).map(Self)
            }
        }

        impl<T: for<'a> BinWrite<Args<'a> = ()>> BinWrite for $name<T> {
            type Args<'a> = ();

            fn write_options<W: Write + Seek>(&self, writer: &mut W, endian: Endian, (): ()) -> BinResult<()> {
                self.0.write_options(writer, endian, ())
            }
        }

        impl<T: Last> Last for $name<T> {
            fn is_last(&self) -> bool {
                self.0.is_last()
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

regions! {
    /// `T` in exactly as many bytes as the argument `bytes`: `#[br(args { bytes: size })] Within<List>`.
    Within, WithinArguments, WithinBuilder,
    /// The size of the region in bytes.
    bytes, |at, around| at.checked_add(bytes);
    /// `T` in all but the last bytes, as many as the argument `left`: `#[br(args { left: 20 })] Before<ToEnd<u8>>`.
    Before, BeforeArguments, BeforeBuilder,
    /// The number of bytes that follow the region.
    left, |at, around| around.checked_sub(left);
}

//! The functions of this module for the records of a family, in either order of bytes.

use binrw::Endian;

use super::{Declared, Readable, value};
use crate::derived::Borrowing;
use crate::error::{Error, ErrorKind, Result, Rule};
use crate::schema::Schema;
use crate::walk::{Family, Walk};
use crate::wire::{Cursor, error_of};

/// The functions of [`record`](crate::record) for the records of a [`Family`], in either order of bytes.
#[derive(Clone, Copy)]
pub struct With<'f> {
    pub(super) family: &'f dyn Family,
    pub(super) endian: Endian,
}

/// Returns the functions of this module for the records of a family.
#[must_use]
pub const fn with(family: &dyn Family) -> With<'_> {
    With { family, endian: Endian::Little }
}

impl<'f> With<'f> {
    /// Takes numbers as big endian if the declaration does not give their order.
    #[must_use]
    pub const fn big_endian(self) -> Self {
        Self { endian: Endian::Big, ..self }
    }

    pub(super) fn is_big(self) -> bool {
        self.endian == Endian::Big
    }

    pub(super) fn walk<'b, T: Schema>(self, bytes: &'b [u8]) -> Walk<'b>
    where
        'f: 'b,
    {
        Walk::over(T::LAYOUT, bytes, self.family).in_order(self.is_big())
    }

    /// Reads a value that is all of `bytes`: see [`from_slice`](super::from_slice).
    ///
    /// # Errors
    ///
    /// Fails if the reader refuses the bytes, or does not use all of them.
    pub fn from_slice<T: Readable>(self, bytes: &[u8]) -> Result<T> {
        let mut input = Cursor::new(bytes);
        let value = self.read(&mut input)?;
        match input.rest().len() {
            0 => Ok(value),
            left => {
                let found = crate::wire::more_bytes(left).to_string();
                Err(Error::new(Rule::INPUT_TRAILING, input.position(), "the end", found))
            }
        }
    }

    /// Reads a value, and leaves the cursor after it: see [`read`](super::read).
    ///
    /// # Errors
    ///
    /// Fails if the reader refuses the bytes. Offsets count from the start of the cursor.
    #[inline]
    pub fn read<T: Readable>(self, input: &mut Cursor<'_>) -> Result<T> {
        if T::IS_DIRECT {
            let mut rest = input.rest();
            if let Ok(value) = T::direct(&mut rest, self.endian, ()) {
                input.leave(rest);
                return Ok(value);
            }
        }
        self.read_generally(input)
    }

    /// Reads a value that borrows from the bytes: see [`read_borrowed`](super::read_borrowed).
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    #[inline]
    pub fn read_borrowed<'b, T: Readable + Borrowing<'b>>(
        self,
        input: &mut Cursor<'b>,
    ) -> Result<T> {
        if T::IS_DIRECT {
            let mut rest = input.rest();
            if let Ok(value) = T::borrowing(&mut rest, self.endian, ()) {
                input.leave(rest);
                return Ok(value);
            }
        }
        self.read_generally(input)
    }

    /// Reads a value by the reader that knows where it fails.
    fn read_generally<T: Readable>(self, input: &mut Cursor<'_>) -> Result<T> {
        let (bytes, start) = (input.rest(), input.position());
        T::read_options(input, self.endian, ())
            .map_err(|error| self.placed::<T>(&error, bytes, (start, input.position())))
    }

    /// Returns the error of a reader with its place and words, which the walk knows.
    #[cold]
    fn placed<T: Schema>(
        self,
        error: &binrw::Error,
        bytes: &[u8],
        (start, position): (u64, u64),
    ) -> Error {
        let mut walk = self.walk::<T>(bytes).for_reader();
        match walk.find_map(Result::err).filter(|fault| fault.kind() != ErrorKind::Trailing) {
            Some(fault) => fault.shifted(start),
            None => error_of(error, position),
        }
    }

    /// Writes a value: see [`to_vec`](super::to_vec).
    ///
    /// # Errors
    ///
    /// Fails if a count, size, condition, tag or assertion of the value disagrees with what is in it.
    pub fn to_vec<T: Declared>(self, value: &T) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.write(value, &mut out)?;
        Ok(out)
    }

    /// Appends a value to bytes.
    ///
    /// # Errors
    ///
    /// As [`to_vec`](Self::to_vec); nothing is appended then.
    pub fn write<T: Declared>(self, value: &T, out: &mut Vec<u8>) -> Result<()> {
        value.agree(())?;
        value::write(value, self.endian, out)
    }
}

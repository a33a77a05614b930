//! Writes structs and enums to packets and values.

mod serializer;
mod sink;

use std::io::Write;

use ::serde::ser::Serialize;

use self::serializer::Writer;
use self::sink::{Packets, Sink, Tree};
use crate::codec::{Encoder, append};
use crate::dialect::Dialect;
use crate::{Real, Variant};
use formwork::{Error, Result};

/// The packet of a value of your own, as the dialect's engine would write it.
///
/// # Errors
///
/// Returns an error if the dialect cannot express the value, or its `Serialize` fails. Nothing is written then.
pub fn to_vec<T: Serialize + ?Sized>(value: &T, dialect: Dialect) -> Result<Vec<u8>> {
    Encoder::new(dialect).serialize(value)
}

/// Writes the packet of a value of your own to `writer`. Nothing is written if the value cannot be expressed.
///
/// # Errors
///
/// As [`Encoder::serialize`], and if the writer fails.
pub fn to_writer<T: Serialize + ?Sized>(
    writer: impl Write,
    value: &T,
    dialect: Dialect,
) -> Result<()> {
    Encoder::new(dialect).serialize_to(value, writer)
}

/// Converts a value of your own to a [`Variant`].
///
/// # Errors
///
/// Returns an error if no engine has the value, if 32 bits do not hold a component of a math type exactly, or if its
/// `Serialize` fails.
pub fn to_variant<T: Serialize + ?Sized>(value: &T) -> Result<Variant> {
    to_variant_in(value)
}

/// Converts a value of your own to a [`Variant`] of the precision `R`.
///
/// # Errors
///
/// As [`to_variant`], and if that precision does not hold a component of a math type exactly.
pub fn to_variant_in<T: Serialize + ?Sized, R: Real>(value: &T) -> Result<Variant<R>> {
    let mut tree = Tree::new();
    // One writer serves the trees of both precisions: writing a value in memory is seldom time-critical.
    let sink: &mut dyn Sink = &mut tree;
    match value.serialize(Writer::new(sink)) {
        Ok(()) => Ok(tree.finish()),
        Err(error) => Err(error.or_at(0).under(tree.path())),
    }
}

impl<P: Real> Encoder<P> {
    /// Returns the packet of a value of your own; see [the module](crate::serde).
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], and if its `Serialize` fails.
    pub fn serialize<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.serialize_into(value, &mut out)?;
        Ok(out)
    }

    /// Writes the packet of a value of your own to `writer`. Nothing is written if the value cannot be expressed.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`], and if the writer fails.
    pub fn serialize_to<T: Serialize + ?Sized>(
        &self,
        value: &T,
        mut writer: impl Write,
    ) -> Result<()> {
        let bytes = self.serialize(value)?;
        writer.write_all(&bytes).map_err(|error| Error::io(0, error))
    }

    /// Appends the packet of a value of your own to `out`, which is left unchanged on an error.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`].
    pub fn serialize_into<T: Serialize + ?Sized>(
        &self,
        value: &T,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        append(self, out, |writing| {
            let mut packets = Packets::new(&mut *writing);
            let written = value.serialize(Writer::new(&mut packets));
            written.map_err(|error| error.or_at(writing.position() as u64))
        })
    }
}

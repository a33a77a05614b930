//! Structs and enums into packets and values.

mod flat;
mod serializer;
mod sink;

use std::io::Write;

use ::serde::ser::Serialize;

use self::serializer::Writer;
use self::sink::{Packets, Sink, Tree};
use crate::codec::{Encoder, append};
use crate::dialect::{Dialect, Precision};
use crate::{Real, Variant};
use formwork::{Error, Result};

/// The packet of a value of your own, as the dialect's engine would write it.
///
/// # Errors
///
/// Where the dialect cannot express the value, or its `Serialize` fails. Nothing is written then.
pub fn to_vec<T: Serialize + ?Sized>(value: &T, dialect: Dialect) -> Result<Vec<u8>> {
    Encoder::new(dialect).serialize(value)
}

/// Writes the packet of a value of your own to `writer`. Nothing is written where the value cannot be
/// expressed.
///
/// # Errors
///
/// As [`Encoder::serialize`], and where the writer fails.
pub fn to_writer<T: Serialize + ?Sized>(
    writer: impl Write,
    value: &T,
    dialect: Dialect,
) -> Result<()> {
    Encoder::new(dialect).serialize_to(value, writer)
}

/// A value of your own as a [`Variant`].
///
/// # Errors
///
/// Where no engine has the value, where 32 bits do not hold a component of a math type as it is, or
/// where its `Serialize` fails.
pub fn to_variant<T: Serialize + ?Sized>(value: &T) -> Result<Variant> {
    to_variant_in(value)
}

/// Makes a value of another precision.
///
/// # Errors
///
/// As [`to_variant`], and where that precision does not hold a component of a math type as it is.
pub fn to_variant_in<T: Serialize + ?Sized, R: Real>(value: &T) -> Result<Variant<R>> {
    let mut tree = Tree::new();
    // One writer for the trees of both precisions: values in memory are seldom what must be quick.
    let sink: &mut dyn Sink = &mut tree;
    match value.serialize(Writer::new(sink)) {
        Ok(()) => Ok(tree.finish()),
        Err(error) => Err(error.or_at(0).under(tree.path())),
    }
}

impl<P: Real> Encoder<P> {
    /// The packet of a value of your own; see [the module](crate::serde).
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], and where its `Serialize` fails.
    pub fn serialize<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.serialize_into(value, &mut out)?;
        Ok(out)
    }

    /// Writes the packet of a value of your own to `writer`. Nothing is written where the value cannot be
    /// expressed.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`], and where the writer fails.
    pub fn serialize_to<T: Serialize + ?Sized>(
        &self,
        value: &T,
        mut writer: impl Write,
    ) -> Result<()> {
        let bytes = self.serialize(value)?;
        writer.write_all(&bytes).map_err(|error| Error::io(0, error))
    }

    /// Appends the packet of a value of your own to `out`; leaves `out` as it was where that fails.
    ///
    /// # Errors
    ///
    /// As [`Encoder::serialize`].
    pub fn serialize_into<T: Serialize + ?Sized>(
        &self,
        value: &T,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let before = out.len();
        let mut detour = false;
        let streamed = append(self, out, |writing| {
            let mut packets = Packets::new(&mut *writing);
            let written = value.serialize(Writer::new(&mut packets));
            detour = packets.takes_detour();
            written.map_err(|error| error.or_at(writing.position() as u64))
        });
        if streamed.is_ok() && !detour {
            return streamed;
        }
        // From here on something is odd or wrong, and the codec has the say about the whole value.
        out.truncate(before);
        match self.dialect().precision() {
            Precision::Single => self.after_all::<T, f32>(value, streamed, out),
            Precision::Double => self.after_all::<T, f64>(value, streamed, out),
        }
    }

    /// Writes a value by way of a [`Variant`]. Where it makes none, what the stream says of it holds.
    fn after_all<T: Serialize + ?Sized, R: Real>(
        &self,
        value: &T,
        streamed: Result<()>,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        match (to_variant_in::<T, R>(value), streamed) {
            (Ok(value), _) => self.in_precision().encode_into(&value, out),
            (Err(_), Err(error)) => Err(error),
            (Err(error), Ok(())) => Err(error),
        }
    }
}

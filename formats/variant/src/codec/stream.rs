//! Reads values from readers and writes them to writers.

use std::io::{Read, Write};

use super::{Decoder, Encoder};
use crate::dialect::Dialect;
use crate::{Real, Variant};
use formwork::{Error, Result, Rule};

/// Reads everything that `reader` has, as one value, as [`from_slice`](super::from_slice) does.
///
/// A socket has no end: see [`frame`](crate::frame).
///
/// # Errors
///
/// Returns an error if the reader fails, if it has more bytes than the default limits allow, or if these are not one
/// value of the dialect.
pub fn from_reader(reader: impl Read, dialect: Dialect) -> Result<Variant> {
    Decoder::new(dialect).read(reader)
}

impl<R: Real> Decoder<R> {
    /// Reads everything that `reader` has, as one value.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader fails, if it has more bytes than the [limits](Self::limits) allow, or if these
    /// are not one value.
    pub fn read(&self, reader: impl Read) -> Result<Variant<R>> {
        self.decode(&read_all(reader, self)?)
    }
}

/// Reads everything that `reader` has, within the decoder's limits.
pub(crate) fn read_all<R: Real>(mut reader: impl Read, decoder: &Decoder<R>) -> Result<Vec<u8>> {
    let most = decoder.size_limits().packet_bytes;
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::io(bytes.len() as u64, error))?;
    if bytes.len() as u64 > most {
        let expected = format!("at most {most} bytes");
        return Err(Error::new(Rule::SIZE_LIMIT, most, expected, "more"));
    }
    Ok(bytes)
}

/// Writes a value's packet to `writer`. Nothing is written if the value cannot be expressed.
///
/// # Errors
///
/// Returns an error if the dialect cannot express the value, or the writer fails.
pub fn to_writer(writer: impl Write, value: &Variant, dialect: Dialect) -> Result<()> {
    Encoder::new(dialect).write(value, writer)
}

impl<R: Real> Encoder<R> {
    /// Writes a value's packet to `writer`. Nothing is written if the value cannot be expressed.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`], and if the writer fails.
    pub fn write(&self, value: &Variant<R>, mut writer: impl Write) -> Result<()> {
        let bytes = self.encode(value)?;
        writer.write_all(&bytes).map_err(|error| Error::io(0, error))
    }
}

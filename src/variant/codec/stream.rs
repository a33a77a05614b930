//! Values from readers and to writers.

use std::io::{Read, Write};

use super::{Decoder, Encoder};
use crate::error::{Error, Result, Rule};
use crate::variant::{Real, Variant};

/// Reads everything that `reader` has, as one value.
///
/// # Errors
///
/// Where the reader fails, has more than the decoder's limits allow, or what it has is not one
/// value.
pub fn from_reader<R: Real>(reader: impl Read, decoder: &Decoder) -> Result<Variant<R>> {
    decoder.decode(&read_all(reader, decoder)?)
}

/// Everything that `reader` has, within the decoder's limits.
pub(crate) fn read_all(mut reader: impl Read, decoder: &Decoder) -> Result<Vec<u8>> {
    let most = decoder.size_limits().packet_bytes;
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Error::io(bytes.len() as u64, &error))?;
    if bytes.len() as u64 > most {
        let expected = format!("at most {most} bytes");
        return Err(Error::new(Rule::SIZE_LIMIT, most, expected, "more"));
    }
    Ok(bytes)
}

/// Writes a value's packet to `writer`. Nothing is written where the value cannot be expressed.
///
/// # Errors
///
/// Where the dialect cannot express the value, or the writer fails.
pub fn to_writer<R: Real>(
    mut writer: impl Write,
    value: &Variant<R>,
    encoder: &Encoder,
) -> Result<()> {
    let bytes = encoder.encode(value)?;
    writer.write_all(&bytes).map_err(|error| Error::io(0, &error))
}

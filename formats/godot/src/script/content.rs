//! Finds the part of a script with names, values and tokens: the file itself, or its packed content.

use std::borrow::Cow;

use super::Head;
use super::record::ScriptHead;
use crate::script::rule;
use formwork::{Error, Result, Rule};
use formwork_records::limits::Limits;
use formwork_records::wire::{Cursor, read_record};

/// The part of a script with names, values and tokens.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Content<'a> {
    /// The bytes in which offsets count: those of the file, or the unpacked ones.
    pub bytes: Cow<'a, [u8]>,
    /// The offset of the [record](Head::record) in these bytes.
    pub start: usize,
    /// Whether the bytes were unpacked, so that they are not those of the file.
    pub unpacked: bool,
}

/// Finds the content of a script, and unpacks it where it is packed.
///
/// # Errors
///
/// Returns an error if the file is damaged, or would unpack to more than `limits` allow. (Without the feature `wrapper`
/// nothing is unpacked.)
pub fn content<'a>(bytes: &'a [u8], head: Head, limits: &Limits) -> Result<Content<'a>> {
    if !head.has_content() {
        return Ok(Content { bytes: Cow::Borrowed(bytes), start: 0, unpacked: false });
    }
    let mut input = Cursor::new(bytes);
    let ScriptHead { unpacked_size, .. } =
        read_record(&mut input).map_err(|error| error.within("script"))?;
    let start = input.position();
    if unpacked_size == 0 {
        return Ok(Content { bytes: Cow::Borrowed(bytes), start, unpacked: false });
    }
    if u64::from(unpacked_size) > limits.unpacked_bytes {
        let expected = format!("at most {} bytes", limits.unpacked_bytes);
        let error = Error::new(Rule::SIZE_LIMIT, 8, expected, unpacked_size.to_string());
        return Err(error.within("unpacked_size").within("script"));
    }
    let content = unpack(input.rest(), unpacked_size as usize).map_err(|(expected, found)| {
        let error = Error::new(rule::PACKED, start as u64, expected, found);
        error.within("content").within("script")
    })?;
    Ok(Content { bytes: Cow::Owned(content), start: 0, unpacked: true })
}

#[cfg(feature = "wrapper")]
fn unpack(packed: &[u8], size: usize) -> Result<Vec<u8>, (String, String)> {
    use crate::wrapper::{Compression, unpack_block};

    let mut content = Vec::new();
    let unpacked = unpack_block(Compression::Zstd, packed, size, &mut content);
    unpacked.map(|()| content).map_err(|fault| (fault.expected, fault.found))
}

#[cfg(not(feature = "wrapper"))]
fn unpack(_: &[u8], size: usize) -> Result<Vec<u8>, (String, String)> {
    Err((
        "a content that is not packed (the feature `wrapper` unpacks)".to_owned(),
        format!("one packed with Zstandard, of {size} bytes"),
    ))
}

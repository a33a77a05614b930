//! Takes binary resources out of their compression.

use std::borrow::Cow;

use super::content::Content;
use super::record::ResourceMark;
#[cfg(not(feature = "wrapper"))]
use super::rule;
use formwork::{Error, Result};
use formwork_records::limits::Limits;
use formwork_records::wire::{Cursor, read_record};

use crate::magic::PACKED_RESOURCE;

/// Unpacks a resource file, if it is compressed.
///
/// # Errors
///
/// Returns an error if the bytes are not a resource file, if a compressed one is damaged, or if it would unpack to more
/// than `limits` allow. (Without the feature `wrapper` nothing is unpacked.)
pub fn content<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Content<'a>> {
    if bytes.starts_with(PACKED_RESOURCE) {
        let bytes = Cow::Owned(unpack(bytes, limits)?);
        return Ok(Content { bytes, unpacked: true });
    }
    let within = |error: Error| error.within("resource");
    let ResourceMark {} = read_record(&mut Cursor::new(bytes)).map_err(within)?;
    Ok(Content { bytes: Cow::Borrowed(bytes), unpacked: false })
}

/// Puts changed bytes of an unpacked resource into a file that is compressed as this one is, which may be not at all.
///
/// # Errors
///
/// Returns an error if the file is damaged, or in a compression that no engine writes.
#[cfg(feature = "wrapper")]
pub fn with_content(file: &[u8], new: &Content<'_>, limits: &Limits) -> Result<Vec<u8>> {
    if !file.starts_with(PACKED_RESOURCE) {
        return Ok(new.bytes.to_vec());
    }
    let fault = |error, _| Err(error);
    let (compression, _) = crate::wrapper::decompress_by(file, PACKED_RESOURCE, limits, fault)?;
    crate::wrapper::compress_by(&new.bytes, compression, PACKED_RESOURCE)
}

#[cfg(feature = "wrapper")]
fn unpack(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>> {
    let unpacked =
        crate::wrapper::decompress_by(bytes, PACKED_RESOURCE, limits, |error, _| Err(error));
    unpacked.map(|(_, content)| content)
}

#[cfg(not(feature = "wrapper"))]
fn unpack(_: &[u8], _: &Limits) -> Result<Vec<u8>> {
    let expected = "a file that is not compressed (the feature `wrapper` unpacks)";
    Err(Error::new(rule::PACKED, 0, expected, "a compressed one"))
}

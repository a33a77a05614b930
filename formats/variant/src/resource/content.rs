//! A resource file out of its compression.

use std::borrow::Cow;

use super::record::{MAGIC, ResourceContent, ResourceFile, ResourceMark};
use crate::magic::PACKED_RESOURCE;
use formwork::{Error, Result};
use formwork_records::limits::Limits;
use formwork_records::schema::{Record, record_of};
use formwork_records::wire::{Cursor, read_record, wrong_magic};

/// A resource file as it was before it was compressed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Content<'a> {
    /// The bytes that offsets count in.
    pub bytes: Cow<'a, [u8]>,
    /// Whether the bytes were compressed: then they are not those of the file, and do not start with `RSRC`.
    pub unpacked: bool,
}

impl Content<'_> {
    /// Returns the record that the bytes are.
    #[must_use]
    pub const fn record(&self) -> &'static Record {
        if self.unpacked { record_of::<ResourceContent>() } else { record_of::<ResourceFile>() }
    }

    /// Returns where the [head](super::ResourceHead) starts.
    #[must_use]
    pub const fn start(&self) -> usize {
        if self.unpacked { 0 } else { MAGIC.len() }
    }
}

/// Unpacks a resource file, if it is compressed.
///
/// # Errors
///
/// Where the bytes are no resource file, where a compressed one is damaged, and where it would unpack to more
/// than `limits` allow. (Without the feature `wrapper` nothing is unpacked.)
pub fn content<'a>(bytes: &'a [u8], limits: &Limits) -> Result<Content<'a>> {
    if bytes.starts_with(PACKED_RESOURCE) {
        let bytes = Cow::Owned(unpack(bytes, limits)?);
        return Ok(Content { bytes, unpacked: true });
    }
    let within = |error: Error| error.within("resource");
    let ResourceMark { magic } = read_record(&mut Cursor::new(bytes)).map_err(within)?;
    match magic == *MAGIC {
        true => Ok(Content { bytes: Cow::Borrowed(bytes), unpacked: false }),
        false => Err(within(wrong_magic(0, MAGIC, &magic).within("magic"))),
    }
}

#[cfg(feature = "wrapper")]
fn unpack(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>> {
    let unpacked = crate::wrapper::decompress_marked(bytes, PACKED_RESOURCE, limits);
    unpacked.map(|(_, content)| content)
}

#[cfg(not(feature = "wrapper"))]
fn unpack(_: &[u8], _: &Limits) -> Result<Vec<u8>> {
    let expected = "a file that is not compressed (the feature `wrapper` unpacks)";
    Err(Error::new(super::rule::PACKED, 0, expected, "a compressed one"))
}

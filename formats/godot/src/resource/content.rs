//! An unpacked resource file.

use std::borrow::Cow;

use super::record::{MAGIC, ResourceContent, ResourceFile};
use formwork_records::schema::{Record, record_of};

/// An uncompressed or unpacked resource file.
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

    /// Returns the offset of the [head](super::ResourceHead).
    #[must_use]
    pub const fn start(&self) -> usize {
        if self.unpacked { 0 } else { MAGIC.len() }
    }
}

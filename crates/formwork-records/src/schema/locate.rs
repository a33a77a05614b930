//! Where in a record its reader failed.
//!
//! binrw goes back to the start of what it cannot read, and names fields in sentences only. So the
//! declaration is walked along the bytes once more, as the reader went, up to the first thing that cannot be
//! there. This costs nothing where nothing fails.

use super::Record;
use super::walk::{Failed, Stop, Walk, Why};
use formwork::PathSegment;

/// Where a record cannot be read.
#[derive(Debug)]
pub struct Located {
    /// The fields that lead there, from the outside in.
    pub path: Vec<PathSegment>,
    /// In bytes, from where the input starts.
    pub offset: usize,
    /// What is wrong there.
    pub why: Why,
}

/// Finds where the record at `start` cannot be read. Where the declaration cannot be followed as far as the
/// reader went, the path is only the beginning of one.
///
/// [`None`] where nothing of the layout is wrong.
pub fn locate(
    record: &'static Record,
    bytes: &[u8],
    start: usize,
    failed: Failed,
) -> Option<Located> {
    let mut walk = Walk::along(bytes, start, failed);
    match walk.record(record) {
        Ok(_) => None,
        Err(Stop(why)) => Some(Located { path: walk.path, offset: walk.at, why }),
    }
}

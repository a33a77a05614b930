//! Finds the place in a record at which its reader failed.
//!
//! binrw goes back to the start of a part that it cannot read, and names fields only in sentences. So the declaration
//! is walked along the bytes once more, as by the reader, up to the first part that is not valid. Without a failure,
//! this costs nothing.

use super::Record;
use super::walk::{Failed, Stop, Walk, Why};
use formwork::PathSegment;

/// The place at which a record cannot be read.
#[derive(Debug)]
pub struct Located {
    /// The fields that lead there, from the outside in.
    pub path: Vec<PathSegment>,
    /// The offset in bytes, from the start of the input.
    pub offset: usize,
    /// The fault there.
    pub why: Why,
}

/// Finds the place at which the record at `start` cannot be read. If the declaration cannot be followed as far as the
/// reader went, the path is only the beginning of one.
///
/// [`None`] if the layout has no fault.
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

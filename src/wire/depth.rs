//! How deep the reader is in records that may contain themselves.

use std::cell::Cell;

use binrw::BinResult;
use binrw::io::{Read, Seek};

use super::raise;
use crate::error::{Error, Rule};

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// One more record is open, until this is dropped.
#[derive(Debug)]
pub struct Depth(());

impl Depth {
    /// Opens a record, unless `deepest` of them are open.
    #[inline]
    pub(super) fn open(deepest: u32) -> Option<Self> {
        let depth = DEPTH.get();
        if depth >= deepest {
            return None;
        }
        DEPTH.set(depth + 1);
        Some(Self(()))
    }

    /// Opens a record.
    ///
    /// # Errors
    ///
    /// Fails if `deepest` records are open already.
    #[inline]
    pub fn enter<R: Read + Seek>(deepest: u32, reader: &mut R) -> BinResult<Self> {
        match Self::open(deepest) {
            Some(open) => Ok(open),
            None => Err(raise(too_deep(reader.stream_position()?, deepest))),
        }
    }
}

impl Drop for Depth {
    #[inline]
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// Returns the error of a record that is too deep in others.
#[cold]
pub(crate) fn too_deep(offset: u64, deepest: u32) -> Error {
    Error::new(
        Rule::DEPTH_LIMIT,
        offset,
        format!("at most {deepest} records in each other"),
        "one more",
    )
}

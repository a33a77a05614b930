//! Functions for declared formats: reading, writing, checking, a dump, a page, values, broken copies, an audit.
//!
//! | function | does |
//! | --- | --- |
//! | [`from_slice`], [`read`] | reads a value |
//! | [`to_vec`], [`write()`] | writes a value whose counts agree with what is in it |
//! | [`settle`] | sets counts, sizes, tags, flags and checksums from what is in the value |
//! | [`check`] | refuses what is only odd as well: wrong checksums, text that is not UTF-8 |
//! | [`dump`], [`dump_to`] | a line for each field of a file, whole or damaged |
//! | [`page`] | the format in Markdown |
//! | [`views`] | other places of the file that the declaration looks at |
//! | [`generate`], `arbitrary` | values, of a seed or of a fuzzer's bytes |
//! | [`broken`] | copies of a file that break one rule each |
//! | [`audit`] | holds the reader and the layout to each other |
//! | [`with`] | all of these for the records of a [`Family`], or in big endian |
//!
//! The example at the [start of the crate](crate) uses some of them.

mod audit;
mod broken;
mod dump;
mod make;
mod page;
mod value;
mod with;

use std::ops::Range;

use binrw::{BinRead, BinWrite};

pub use audit::{Audit, audit};
pub use broken::{Broken, Refusal, broken};
pub use dump::{dump, dump_to};
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub use make::arbitrary;
pub use make::{generate, generate_bytes};
pub use page::page;
pub use with::{With, with};

use crate::derived::{Agree, Settle};
use crate::error::{Path, Result};
use crate::schema::Schema;
use crate::walk::Family;
use crate::walk::{Step, StepKind, Walk};
use crate::wire::Cursor;

/// A type that is read, written and described by its declaration. It implements itself.
pub trait Declared:
    Schema + Settle + Agree + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>
{
}

impl<T> Declared for T where
    T: Schema + Settle + Agree + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>
{
}

/// Reads a value that is all of `bytes`.
///
/// # Errors
///
/// Fails if the reader refuses the bytes, or does not use all of them. The error names the field and the offset.
pub fn from_slice<T: Schema + for<'a> BinRead<Args<'a> = ()>>(bytes: &[u8]) -> Result<T> {
    with(&()).from_slice(bytes)
}

/// Reads a value, and leaves the cursor after it.
///
/// ```
/// use formwork::record;
/// use formwork::wire::Cursor;
///
/// let mut input = Cursor::new(&[7, 0, 1]);
/// assert_eq!(record::read::<u16>(&mut input)?, 7);
/// assert_eq!(input.rest(), [1]);
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the reader refuses the bytes. Offsets count from the start of the cursor.
#[inline]
pub fn read<T: Schema + for<'a> BinRead<Args<'a> = ()>>(input: &mut Cursor<'_>) -> Result<T> {
    with(&()).read(input)
}

/// Writes a value.
///
/// # Errors
///
/// Fails if a count, size, condition, tag or assertion of the value disagrees with what is in it. [`settle`] makes them
/// agree.
pub fn to_vec<T: Declared>(value: &T) -> Result<Vec<u8>> {
    with(&()).to_vec(value)
}

/// Appends a value to bytes.
///
/// # Errors
///
/// As [`to_vec`]; nothing is appended then.
pub fn write<T: Declared>(value: &T, out: &mut Vec<u8>) -> Result<()> {
    with(&()).write(value, out)
}

/// Sets counts, sizes, tags, flags and checksums from what is in the value.
///
/// # Errors
///
/// Fails if nothing that can be set gives what is wanted: two lists of different lengths that share a count, an expression
/// that has no inverse.
pub fn settle<T: Declared>(value: &mut T) -> Result<()> {
    with(&()).settle(value)
}

impl With<'_> {
    /// Sets counts, sizes, tags, flags and checksums: see [`settle`](super::settle).
    ///
    /// # Errors
    ///
    /// Fails if nothing that can be set gives what is wanted.
    pub fn settle<T: Declared>(self, value: &mut T) -> Result<()> {
        crate::settle::settle(value)?;
        let mut bytes = Vec::new();
        value::write(value, self.endian, &mut bytes)?;
        if mend_sums::<T>(self, &mut bytes, |walk| walk.without_deferred())? {
            *value = self.from_slice(&bytes)?;
        }
        Ok(())
    }

    /// Checks that the bytes are what a careful writer writes: see [`check`](super::check()).
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn check<T: Schema>(self, bytes: &[u8]) -> Result<()> {
        let mut views = Views::new(bytes, self.family);
        check_walk(self.walk::<T>(bytes), bytes, &mut views)
    }

    /// Returns the places that the declaration looks at: see [`views`](super::views()).
    ///
    /// # Errors
    ///
    /// Fails if the bytes cannot be read, or a view lies outside of them.
    pub fn views<T: Schema>(self, bytes: &[u8]) -> Result<Vec<(Path, Range<usize>)>> {
        let mut views = Vec::new();
        let mut walk = self.walk::<T>(bytes);
        while let Some(step) = walk.next() {
            let step = step?;
            if let StepKind::View(_) = step.kind {
                if let Some(odd) = step.odd {
                    return Err(odd);
                }
                views.push((walk.path(), step.bytes));
            }
        }
        Ok(views)
    }
}

/// Sets wrong checksums, and returns whether there were any. `reach` limits the walk to what is in the bytes.
fn mend_sums<T: Schema>(
    of: With<'_>,
    bytes: &mut [u8],
    reach: fn(Walk<'_>) -> Walk<'_>,
) -> Result<bool> {
    let mut is_changed = false;
    // A sum may be over another one: as often as sums can be in each other.
    loop {
        let mut patch: Option<(Range<usize>, Vec<u8>)> = None;
        for step in reach(of.walk::<T>(bytes)) {
            let step = step?;
            if let StepKind::Sum { right: false, should, .. } = step.kind {
                // Inner records close first, so the first sum is over no other wrong one.
                patch.get_or_insert((step.bytes, should));
            }
        }
        let Some((place, should)) = patch else { return Ok(is_changed) };
        bytes[place].copy_from_slice(&should);
        is_changed = true;
    }
}

/// Checks that the bytes are what a writer writes that keeps to the declaration.
///
/// Stricter than [`from_slice`]: checksums are right, texts are UTF-8, bytes declared as zero are zero, and views lie in
/// the file.
///
/// # Errors
///
/// The first fault.
pub fn check<T: Schema>(bytes: &[u8]) -> Result<()> {
    with(&()).check::<T>(bytes)
}

fn check_walk<'b>(mut walk: Walk<'b>, bytes: &'b [u8], views: &mut Views<'b>) -> Result<()> {
    while let Some(step) = walk.next() {
        let step = step?;
        if let Some(odd) = step.odd {
            return Err(odd);
        }
        if let Some(inner) = views.enter(&step, bytes) {
            let path = walk.path();
            check_walk(inner, bytes, views).map_err(|error| error.under(path))?;
            views.leave();
        }
    }
    Ok(())
}

/// How many views are in each other at most.
const MOST_VIEWS: u32 = 8;

/// The views that are walked: those of a file that points at itself would have no end.
struct Views<'f> {
    family: &'f dyn Family,
    /// Bytes that may still be looked at.
    left: usize,
    depth: u32,
}

impl<'f> Views<'f> {
    const fn new(bytes: &[u8], family: &'f dyn Family) -> Self {
        Self { family, left: bytes.len().saturating_mul(4), depth: 0 }
    }

    /// Returns the walk over a view, where it is to be walked.
    fn enter<'b>(&mut self, step: &Step, bytes: &'b [u8]) -> Option<Walk<'b>>
    where
        'f: 'b,
    {
        let StepKind::View(view) = &step.kind else { return None };
        if step.odd.is_some() || self.depth >= MOST_VIEWS || step.bytes.len() > self.left {
            return None;
        }
        self.left -= step.bytes.len();
        self.depth += 1;
        let walk = Walk::over((view.layout)(), bytes, self.family).part(step.bytes.clone());
        Some(walk.in_order(step.big))
    }

    const fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Returns the places that the declaration looks at with `#[schema(view(..))]`: their paths and bytes.
///
/// `record::from_slice::<Symbols>(&bytes[range])` reads one.
///
/// # Errors
///
/// Fails if the bytes cannot be read, or a view lies outside of them.
pub fn views<T: Schema>(bytes: &[u8]) -> Result<Vec<(Path, Range<usize>)>> {
    with(&()).views::<T>(bytes)
}

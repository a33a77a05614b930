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
//!
//! The example at the [start of the crate](crate) uses some of them.

mod audit;
mod broken;
mod dump;
mod make;
mod page;
mod value;

use std::ops::Range;

use binrw::{BinRead, BinWrite, Endian};

pub use audit::{Audit, audit};
pub use broken::{Broken, Refusal, broken};
pub(crate) use dump::rows;
pub use dump::{Row, RowKind, dump, dump_to};
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub use make::arbitrary;
pub use make::{generate, generate_bytes};
pub use page::page;

use crate::derived::{Agree, Settle};
use crate::error::{Error, ErrorKind, Path, Result, Rule};
use crate::schema::{Layout, Schema};
use crate::walk::{Step, StepKind, Walk};
use crate::wire::{Cursor, error_of};

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
    let mut input = Cursor::new(bytes);
    let value = read(&mut input)?;
    match input.rest().len() {
        0 => Ok(value),
        left => {
            let found =
                if left == 1 { "1 more byte".to_owned() } else { format!("{left} more bytes") };
            Err(Error::new(Rule::INPUT_TRAILING, input.position(), "the end", found))
        }
    }
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
pub fn read<T: Schema + for<'a> BinRead<Args<'a> = ()>>(input: &mut Cursor<'_>) -> Result<T> {
    let (bytes, start) = (input.rest(), input.position());
    T::read_options(input, Endian::Little, ()).map_err(|error| {
        // The walk knows the place and the words; whether it is an error the reader alone says.
        let mut walk = Walk::over(T::LAYOUT, bytes).without_sums();
        match walk.find_map(Result::err).filter(|fault| fault.kind() != ErrorKind::Trailing) {
            Some(fault) => fault.shifted(start),
            None => error_of(&error, input.position()),
        }
    })
}

/// Writes a value.
///
/// # Errors
///
/// Fails if a count, size, condition, tag or assertion of the value disagrees with what is in it. [`settle`] makes them
/// agree.
pub fn to_vec<T: Declared>(value: &T) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    write(value, &mut out)?;
    Ok(out)
}

/// Appends a value to bytes.
///
/// # Errors
///
/// As [`to_vec`]; nothing is appended then.
pub fn write<T: Declared>(value: &T, out: &mut Vec<u8>) -> Result<()> {
    value.agree(())?;
    value::write(value, out)
}

/// Sets counts, sizes, tags, flags and checksums from what is in the value.
///
/// # Errors
///
/// Fails if nothing that can be set gives what is wanted: two lists of different lengths that share a count, an expression
/// that has no inverse.
pub fn settle<T: Declared>(value: &mut T) -> Result<()> {
    crate::settle::settle(value)?;
    let mut bytes = Vec::new();
    value::write(value, &mut bytes)?;
    if mend_sums(T::LAYOUT, &mut bytes)? {
        *value = from_slice(&bytes)?;
    }
    Ok(())
}

/// Sets wrong checksums, and returns whether there were any.
pub(crate) fn mend_sums(layout: Layout, bytes: &mut [u8]) -> Result<bool> {
    let mut is_changed = false;
    // A sum may be over another one: as often as sums can be in each other.
    loop {
        let mut patches: Vec<(Range<usize>, Vec<u8>)> = Vec::new();
        for step in Walk::over(layout, bytes) {
            let step = step?;
            if let StepKind::Sum { right: false, should, .. } = step.kind {
                patches.push((step.bytes, should));
            }
        }
        // Inner records close first, so the first sum is over no other wrong one.
        let Some((place, should)) = patches.into_iter().next() else { return Ok(is_changed) };
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
    problems(T::LAYOUT, bytes, 1).into_iter().next().map_or(Ok(()), Err)
}

/// Returns the first faults of a file, up to the one after which nothing can be read.
pub(crate) fn problems(layout: Layout, bytes: &[u8], most: usize) -> Vec<Error> {
    let (mut views, mut found) = (Views::new(bytes), Vec::new());
    find_problems(Walk::over(layout, bytes), bytes, most, &mut views, &mut found);
    found
}

fn find_problems(
    mut walk: Walk<'_>,
    bytes: &[u8],
    most: usize,
    views: &mut Views,
    found: &mut Vec<Error>,
) {
    while found.len() < most
        && let Some(step) = walk.next()
    {
        match step {
            Err(error) => found.push(error),
            Ok(step) => {
                if let Some(inner) = views.enter(&step, bytes) {
                    let (path, first) = (walk.path(), found.len());
                    find_problems(inner, bytes, most, views, found);
                    for error in &mut found[first..] {
                        *error = error.clone().under(path.clone());
                    }
                    views.leave();
                }
                found.extend(step.odd);
            }
        }
    }
}

/// How many views are in each other at most.
const MOST_VIEWS: u32 = 8;

/// The views that are walked: those of a file that points at itself would have no end.
struct Views {
    /// Bytes that may still be looked at.
    left: usize,
    depth: u32,
}

impl Views {
    const fn new(bytes: &[u8]) -> Self {
        Self { left: bytes.len().saturating_mul(4), depth: 0 }
    }

    /// Returns the walk over a view, where it is to be walked.
    fn enter<'b>(&mut self, step: &Step, bytes: &'b [u8]) -> Option<Walk<'b>> {
        let StepKind::View(view) = &step.kind else { return None };
        if step.odd.is_some() || self.depth >= MOST_VIEWS || step.bytes.len() > self.left {
            return None;
        }
        self.left -= step.bytes.len();
        self.depth += 1;
        Some(Walk::over_view((view.layout)(), bytes, step.bytes.clone(), step.big))
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
    let mut views = Vec::new();
    let mut walk = Walk::over(T::LAYOUT, bytes);
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

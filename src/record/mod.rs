//! Functions for declared formats: reading, writing, checking, a dump, a page, values, broken copies, an audit.
//!
//! | function | does |
//! | --- | --- |
//! | [`from_slice`], [`read`] | reads a value |
//! | [`to_vec`], [`write()`] | writes a value whose counts agree with what is in it |
//! | [`settle`] | sets counts, sizes, tags, flags and checksums from what is in the value |
//! | [`settle_from`] | the same of a value that was read from bytes and changed: the places of views follow |
//! | [`check`] | refuses what is only odd as well: wrong checksums, text that is not UTF-8 |
//! | [`dump`], [`dump_to`] | a line for each field of a file, whole or damaged |
//! | [`page`] | the format in Markdown |
//! | `ksy` | the format as a definition of Kaitai Struct, with the feature `ksy` |
//! | [`views`] | other places of the file that the declaration looks at |
//! | [`generate`], `arbitrary` | values, of a seed or of a fuzzer's bytes |
//! | [`broken`] | copies of a file that break one rule each |
//! | [`audit`] | holds the reader and the layout to each other |
//! | [`with`] | all of these for the records of a [`Family`](crate::Family), or in big endian |
//!
//! The example at the [start of the crate](crate) uses some of them.

mod audit;
mod broken;
mod dump;
#[cfg(feature = "ksy")]
mod ksy;
mod make;
mod moved;
mod page;
mod suite;
mod types;
mod value;
mod with;
mod with_rest;

use std::ops::Range;

use binrw::{BinRead, BinWrite};

pub use audit::{Audit, audit, audit_bytes};
pub use broken::{Broken, Refusal, broken};
pub(crate) use dump::rows;
pub use dump::{Row, RowKind, dump, dump_to};
#[cfg(feature = "ksy")]
#[cfg_attr(docsrs, doc(cfg(feature = "ksy")))]
pub use ksy::ksy;
#[cfg(feature = "ksy")]
pub(crate) use ksy::of_layout as ksy_of_layout;
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub use make::arbitrary;
pub use make::{generate, generate_bytes};
pub(crate) use moved::{Given, Key, Run, key_of};
pub use page::page;
pub use suite::{Vector, Verdict, suite, suite_lines};
pub use with::{With, with};
pub use with_rest::WithRest;

use crate::derived::{Agree, Borrowing, Direct, Settle};
use crate::error::{Error, Path, Result};
use crate::schema::{Layout, Schema, ViewBytes};
use crate::walk::{Step, StepKind, Walk};
use crate::wire::{Cursor, rule};

/// Compares a value with its content, and returns whether its computed members are right, too.
fn agree_but_computed<T: Declared>(value: &T) -> Result<bool> {
    crate::derived::tolerating(|| value.agree(()))
}

/// A type that is read by its declaration. It implements itself.
pub trait Readable: Schema + Direct + for<'a> BinRead<Args<'a> = ()> {}

impl<T> Readable for T where T: Schema + Direct + for<'a> BinRead<Args<'a> = ()> {}

/// A type that is read, written and described by its declaration. It implements itself.
pub trait Declared: Readable + Settle + Agree + for<'a> BinWrite<Args<'a> = ()> {}

impl<T> Declared for T where T: Readable + Settle + Agree + for<'a> BinWrite<Args<'a> = ()> {}

/// Fails to compile where a record that no other is around has no order of bytes.
pub(crate) struct Outermost<T>(std::marker::PhantomData<T>);

impl<T: Schema> Outermost<T> {
    pub(crate) const HAS_ORDER: () = assert!(
        !T::IS_INNER,
        "this record has no order of bytes, and is in no other: say `#[brw(little)]` or `#[brw(big)]` above it, or read and write it with `record::with`"
    );
}

/// Reads a value that is all of `bytes`.
///
/// # Errors
///
/// Fails if the reader refuses the bytes, or does not use all of them. The error names the field and the offset.
pub fn from_slice<T: Readable>(bytes: &[u8]) -> Result<T> {
    let () = Outermost::<T>::HAS_ORDER;
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
pub fn read<T: Readable>(input: &mut Cursor<'_>) -> Result<T> {
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).read(input)
}

/// Reads a value that borrows the contents of its [`Slice`](crate::Slice)s from the bytes, and leaves the cursor after it.
///
/// # Errors
///
/// As [`read`].
#[inline]
pub fn read_borrowed<'b, T: Readable + Borrowing<'b>>(input: &mut Cursor<'b>) -> Result<T> {
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).read_borrowed(input)
}

/// Writes a value.
///
/// # Errors
///
/// Fails if a count, size, condition, tag or assertion of the value disagrees with its content. [`settle`] makes them
/// agree.
pub fn to_vec<T: Declared>(value: &T) -> Result<Vec<u8>> {
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).to_vec(value)
}

/// Appends a value to bytes.
///
/// # Errors
///
/// As [`to_vec`]; nothing is appended then.
pub fn write<T: Declared>(value: &T, out: &mut Vec<u8>) -> Result<()> {
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).write(value, out)
}

/// Sets counts, sizes, tags, flags and checksums from the content of the value.
///
/// Members that are computed follow. What is settled is as [`to_vec`] writes it.
///
/// # Errors
///
/// Fails if no number gives the needed result: two lists of different lengths that share a count, an expression that
/// has no inverse. The error is that of [`to_vec`]; a value of a type that has [`Clone`] is left as it was.
pub fn settle<T: Declared>(value: &mut T) -> Result<()> {
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).settle(value)
}

/// Settles a value that was read from bytes and then changed: the places of views follow what they look at.
///
/// Counts, sizes, tags, flags and checksums are set as [`settle`] sets them. Then each view that has the place that it had
/// in `before` gets the place of the same bytes now, and `bytes` of a view those that they are now. A view of all bytes
/// of a field follows that field. Bytes that are added in a view belong to it, those between two views to neither. A view
/// that was given other numbers keeps them, and so does one of an element that is new.
///
/// ```
/// use formwork::{BinRead, BinWrite, Block, Schema, Terminated, binrw, record};
///
/// #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
/// #[brw(little)]
/// #[schema(view(name: Terminated, at = name_at))]
/// struct Head {
///     name_at: u8,
///     count: u8,
///     #[br(count = count)]
///     numbers: Block<u16>,
///     text: Terminated,
/// }
///
/// let before = b"\x04\x01\x07\0hi\0";
/// let mut head: Head = record::from_slice(before)?;
/// head.numbers.push(8);
/// record::settle_from(&mut head, before)?;
/// assert_eq!(record::to_vec(&head)?, b"\x06\x02\x07\0\x08\0hi\0");
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Fails as [`settle`] does, and with the rule `record.view` where a view cannot follow: what it looked at is only partly
/// there, or no number of a field gives its place. A value of a type that has [`Clone`] is left as it was.
pub fn settle_from<T: Declared>(value: &mut T, before: &[u8]) -> Result<()> {
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).settle_from(value, before)
}

impl With<'_> {
    /// Settles a value that was read from bytes: see [`settle_from`](self::settle_from()).
    ///
    /// # Errors
    ///
    /// Fails as [`settle`](Self::settle), and where a view cannot follow.
    pub fn settle_from<T: Declared>(self, value: &mut T, before: &[u8]) -> Result<()> {
        let old = value.copied();
        let settled = self.settled(value).and_then(|()| {
            let mut bytes = Vec::new();
            value::write(value, self.endian, &mut bytes)?;
            if self.follow(T::LAYOUT, before, &mut bytes)? {
                self.mend_sums(T::LAYOUT, &mut bytes)?;
                *value = self.from_slice(&bytes)?;
                value.agree(())?;
            }
            Ok(())
        });
        if let (Err(_), Some(old)) = (&settled, old) {
            *value = old;
        }
        settled
    }

    /// Sets the places of views, and returns whether there are others now.
    fn follow(self, layout: Layout, before: &[u8], bytes: &mut Vec<u8>) -> Result<bool> {
        moved::follow(layout, before, bytes, None, (self.family, self.is_big()))
    }

    /// Sets counts, sizes, tags, flags and checksums: see [`settle`](self::settle()).
    ///
    /// # Errors
    ///
    /// Fails if no number gives the needed result.
    pub fn settle<T: Declared>(self, value: &mut T) -> Result<()> {
        let before = value.copied();
        let settled = self.settled(value);
        if let (Err(_), Some(before)) = (&settled, before) {
            *value = before;
        }
        settled
    }

    fn settled<T: Declared>(self, value: &mut T) -> Result<()> {
        let mut wrong = crate::settle::settle(value).err();
        if wrong.is_none() && agree_but_computed(value).is_err() {
            // A text that a condition gave has another length than the one that its count was set to.
            wrong = crate::settle::settle(value).err();
        }
        // What the writer says is about fields and elements; what cannot be solved is about expressions.
        let mut agreed = agree_but_computed(value);
        if agreed != Ok(true) {
            value.compute(&crate::derived::Given::None);
            agreed = agree_but_computed(value);
        }
        let is_computed = agreed?;
        if let Some(wrong) = wrong {
            return Err(wrong);
        }
        let mut bytes = Vec::new();
        value::write(value, self.endian, &mut bytes)?;
        if self.mend_sums(T::LAYOUT, &mut bytes)? || !is_computed {
            *value = self.from_slice(&bytes)?;
        }
        value.agree(())
    }

    /// Sets wrong checksums, and returns whether there were any.
    fn mend_sums(self, layout: Layout, bytes: &mut [u8]) -> Result<bool> {
        for turn in 0..=MOST_SUMS {
            let mut faults = Faults::default();
            // Views are over bytes of other fields, and deferred places are not in the bytes.
            let walk = Walk::over(layout, bytes, self.family).in_order(self.is_big());
            faults.collect(walk.without_deferred(), &mut Views::none());
            match (faults.reader.take(), faults.sums.is_empty()) {
                (Some(error), _) => return Err(error),
                (None, true) => return Ok(turn > 0),
                (None, false) if turn == MOST_SUMS => return faults.odd.map_or(Ok(true), Err),
                (None, false) => faults.mend(bytes),
            }
        }
        Ok(true)
    }

    /// Returns all faults of a file.
    fn faults<T: Schema>(self, bytes: &[u8]) -> Faults {
        let mut faults = Faults::default();
        faults.collect(self.walk::<T>(bytes), &mut Views::new(bytes));
        faults
    }

    /// Checks that a careful writer would write these bytes: see [`check`](self::check()).
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn check<T: Schema>(self, bytes: &[u8]) -> Result<()> {
        let mut faults = Faults { is_first: true, ..Faults::default() };
        faults.collect(self.walk::<T>(bytes), &mut Views::new(bytes));
        faults.reader.or(faults.odd).map_or(Ok(()), Err)
    }

    /// Returns the places that the declaration looks at: see [`views`](self::views()).
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

/// Sets wrong checksums of a file.
pub(crate) fn mend_sums(layout: Layout, bytes: &mut [u8]) -> Result<()> {
    with(&()).mend_sums(layout, bytes).map(drop)
}

/// Sets the places of views in a file to where what they looked at in an older one is now. Of a view whose
/// bytes were given it is known which ones they are.
pub(crate) fn follow(
    layout: Layout,
    before: &[u8],
    bytes: &mut Vec<u8>,
    given: Option<&Given>,
) -> Result<bool> {
    moved::follow(layout, before, bytes, given, (&(), false))
}

/// Returns the faults of a file that the reader accepts, and the one after which nothing can be read.
pub(crate) fn problems(layout: Layout, bytes: &[u8]) -> (Vec<Error>, Option<Error>) {
    let mut faults = Faults::default();
    faults.collect(Walk::over(layout, bytes, &()), &mut Views::new(bytes));
    (faults.all, faults.reader)
}

/// Faults that are listed, at most.
const MOST_FAULTS: usize = 1000;

/// How many checksums may be over each other.
const MOST_SUMS: u32 = 16;

/// The faults of a file, of one walk.
#[derive(Debug, Default)]
struct Faults {
    /// The error of the reader.
    reader: Option<Error>,
    /// The first fault that the reader accepts.
    odd: Option<Error>,
    /// The first of them.
    all: Vec<Error>,
    /// Whether there is a fault that is not a wrong checksum.
    is_more: bool,
    /// The places of wrong checksums, with the right ones.
    sums: Vec<(Range<usize>, Vec<u8>)>,
    /// Whether the first fault is enough.
    is_first: bool,
}

impl Faults {
    /// Adds the faults of a walk, and returns where it ends.
    fn collect<'b>(&mut self, mut walk: Walk<'b>, views: &mut Views) -> usize {
        while let Some(step) = walk.next() {
            let step = match step {
                Ok(step) => step,
                Err(error) if walk.is_beyond_reader() => {
                    self.add(error);
                    return walk.position();
                }
                Err(error) => {
                    self.reader = Some(error);
                    return walk.position();
                }
            };
            let inner = views.enter(&walk, &step);
            if let Some(odd) = step.odd {
                self.add(odd);
                if self.is_first {
                    return walk.position();
                }
            }
            if let StepKind::Sum { right: false, should, .. } = step.kind {
                self.sums.push((step.bytes, should));
            }
            if let Some(inner) = inner {
                let mut faults = Self { is_first: self.is_first, ..Self::default() };
                let start = inner.position();
                let end = faults.collect(inner, views);
                views.leave(end.saturating_sub(start));
                self.sums.append(&mut faults.sums);
                self.is_more |= faults.is_more;
                faults.all.extend(faults.reader);
                for odd in faults.all {
                    self.add(odd.under(walk.path()));
                }
                if self.is_first && self.odd.is_some() {
                    return walk.position();
                }
            }
        }
        walk.position()
    }

    fn add(&mut self, odd: Error) {
        self.is_more |= odd.rule() != rule::RECORD_SUM;
        self.odd.get_or_insert_with(|| odd.clone());
        if self.all.len() < MOST_FAULTS {
            self.all.push(odd);
        }
    }

    /// Returns whether the first fault is a checksum.
    fn are_sums(&self) -> bool {
        self.reader.is_none() && self.odd.as_ref().is_some_and(|it| it.rule() == rule::RECORD_SUM)
    }

    /// Sets the checksums.
    fn mend(&self, bytes: &mut [u8]) {
        for (place, should) in &self.sums {
            bytes[place.clone()].copy_from_slice(should);
        }
    }

    fn refusal(self) -> Option<Refusal> {
        self.reader.map(Refusal::Reader).or(self.odd.map(Refusal::Check))
    }
}

/// Checks that a writer that keeps to the declaration would write these bytes.
///
/// Stricter than [`from_slice`]: checksums are right, texts are UTF-8, bytes declared as zero are zero, and views lie
/// in the file.
///
/// # Errors
///
/// The first fault.
pub fn check<T: Schema>(bytes: &[u8]) -> Result<()> {
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).check::<T>(bytes)
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

    /// Looks at nothing.
    const fn none() -> Self {
        Self { left: 0, depth: MOST_VIEWS }
    }

    /// Returns the walk over a view, where it is to be walked.
    fn enter<'b>(&mut self, walk: &Walk<'b>, step: &Step) -> Option<Walk<'b>> {
        let StepKind::View(view) = &step.kind else { return None };
        let is_open = matches!(view.bytes, ViewBytes::Open);
        let is_too_much = if is_open { self.left == 0 } else { step.bytes.len() > self.left };
        if step.odd.is_some() || self.depth >= MOST_VIEWS || is_too_much {
            return None;
        }
        self.depth += 1;
        Some(walk.enter_view(view, step.bytes.clone()))
    }

    /// Comes back from a view of this number of bytes.
    const fn leave(&mut self, bytes: usize) {
        self.left = self.left.saturating_sub(bytes);
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
    let () = Outermost::<T>::HAS_ORDER;
    with(&()).views::<T>(bytes)
}

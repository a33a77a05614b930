//! Walks through a value without creating it.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::Range;

use super::super::decoder::{Decoder, Warning};
use super::super::warnings::{Notes, WarningCounts};
use super::Reader;
use super::event::Event;
use super::met::Met;
use super::outline::Outline;
use super::visit::Visit;
use crate::{Real, Variant};
use formwork::Result;

/// Walks through the value at the start of some bytes and through its contents, in the order of the bytes, and
/// creates no values. [`Decoder::walk`] returns one.
///
/// It accepts the same bytes as the decoder and returns the same errors: both use the same reader. It shows
/// everything in the bytes, whereas the decoder shows the engine's result (of a repeated key, an engine keeps one).
///
/// It allocates no memory for values, except for rare cases: keys of dictionaries that are neither texts nor ints,
/// texts with other bytes in memory, element types of containers, the classes of objects in full form, and images; if it
/// notes warnings, typed containers.
/// It does not recurse.
///
/// ```
/// use formwork_variant::VariantType;
/// use formwork_variant::codec::Part;
/// use formwork_variant::codec::events::{Event, Leaf};
/// use formwork_variant::{Decoder, Dialect, Variant, to_vec};
///
/// let mut save: Variant = [("hp", 5)].into_iter().collect();
/// save["bag"] = ["lamp", "rope"].map(Variant::from).into_iter().collect();
/// let bytes = to_vec(&save, Dialect::GODOT4)?;
///
/// let mut walk = Decoder::new(Dialect::GODOT4).walk(&bytes);
/// let mut numbers = Vec::new();
/// while let Some(visit) = walk.next() {
///     let visit = visit?;
///     match visit.event {
///         Event::Leaf(Leaf::Int(number)) => numbers.push(number),
///         // What is in the bag is not looked at.
///         Event::Begin(_) if visit.variant_type == VariantType::Array => {
///             assert_eq!(visit.part, Part::Value(1));
///             walk.pass_over()?;
///         }
///         _ => {}
///     }
/// }
/// assert_eq!(numbers, [5]);
/// # Ok::<(), formwork::Error>(())
/// ```
pub struct Walk<'a, 'n, R: Real = f32> {
    reader: Reader<'a, 'n>,
    outline: Outline<'a, R>,
    decoder: Decoder<R>,
    done: bool,
}

impl<R: Real> Walk<'_, '_, R> {
    /// Returns how many bytes were read.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.reader.position()
    }

    /// Skips the contents of the container that was opened last and is still open. Returns the bytes of its packet.
    /// (If none is open, skips the whole value.)
    ///
    /// # Errors
    ///
    /// If the rest of the container cannot be read.
    pub fn pass_over(&mut self) -> Result<Range<usize>> {
        let around = self.outline.depth().saturating_sub(1);
        while !self.done {
            step(self)?;
            if self.outline.depth() <= around {
                break;
            }
        }
        Ok(self.outline.start..self.offset())
    }

    /// Walks through the rest of the value. Returns the size of the value in bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the rest of the value cannot be read.
    pub fn finish(mut self) -> Result<usize> {
        while !self.done {
            step(&mut self)?;
        }
        Ok(self.offset())
    }

    /// Creates the visited value, with its contents.
    ///
    /// # Errors
    ///
    /// Returns an error if its contents cannot be read.
    pub fn value(&self, visit: &Visit<'_>) -> Result<Variant<R>> {
        let start = visit.range.start;
        let bytes = self.reader.input.all().get(start..).unwrap_or_default();
        let made = self.decoder.decode_prefix(bytes);
        made.map(|(value, _)| value).map_err(|error| error.shifted(start as u64))
    }
}

/// Goes to the next value, or to the end of a container.
fn step<'a, 'b, 'c, R: Real>(walk: &'a mut Walk<'b, 'c, R>) -> Result<()> {
    let Walk { reader, outline, done, .. } = walk;
    let stepped = outline.step(reader).map_err(|error| error.under(reader.path()));
    let is_over = outline.depth() == 0;
    *done = stepped.is_err() || is_over;
    if is_over { stepped.and_then(|()| reader.end().map(drop)) } else { stepped }
}

impl<'a, R: Real> Iterator for Walk<'a, '_, R> {
    type Item = Result<Visit<'a>>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        if let Err(error) = step(self) {
            return Some(Err(error));
        }
        let Outline { start, variant_type, event, .. } = self.outline;
        let part = self.outline.part(&self.reader);
        let depth = self.outline.depth() - usize::from(matches!(event, Event::Begin(_)));
        let range = start..self.offset();
        Some(Ok(Visit { depth, part, variant_type, range, event }))
    }
}

impl<R: Real> fmt::Debug for Walk<'_, '_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Walk").field("offset", &self.offset()).finish_non_exhaustive()
    }
}

impl<R: Real> FusedIterator for Walk<'_, '_, R> {}

impl<R: Real> Decoder<R> {
    /// Goes through the value that `bytes` starts with, without making it.
    ///
    /// ```
    /// use formwork_variant::{Decoder, Dialect};
    ///
    /// // How long is the value, and is it as the engine writes it?
    /// let bytes = [4, 0, 0, 0, 3, 0, 0, 0, b'a', b's', b'd', 0];
    /// assert_eq!(Decoder::new(Dialect::GODOT4).walk(&bytes).finish()?, 12);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn walk<'a>(&self, bytes: &'a [u8]) -> Walk<'a, 'static, R> {
        self.walk_noting(bytes, None)
    }

    /// Walks through the value that `bytes` starts with, as [`walk`](Self::walk) does, and counts by rule the
    /// deviations that the engine accepts but would not write.
    #[must_use]
    pub fn walk_counting_warnings<'a, 'n>(
        &self,
        bytes: &'a [u8],
        deviations: &'n mut WarningCounts,
    ) -> Walk<'a, 'n, R> {
        self.walk_noting(bytes, Some(Notes::Counted(deviations)))
    }

    /// Walks through the value that `bytes` starts with, as [`walk`](Self::walk) does, and notes everything that the
    /// engine accepts but would not write.
    #[must_use]
    pub fn walk_with_warnings<'a, 'n>(
        &self,
        bytes: &'a [u8],
        notes: &'n mut Vec<Warning>,
    ) -> Walk<'a, 'n, R> {
        self.walk_noting(bytes, Some(Notes::each(notes, bytes.len())))
    }

    /// Walks through the value that `bytes` starts with, and counts deviations. Returns a summary of its contents,
    /// and its size in bytes.
    pub fn look_at(&self, bytes: &[u8], deviations: &mut WarningCounts) -> Result<(Met, usize)> {
        let mut walk = self.walk_counting_warnings(bytes, deviations);
        walk.pass_over()?;
        Ok((walk.outline.met, walk.offset()))
    }

    fn walk_noting<'a, 'n>(&self, bytes: &'a [u8], notes: Option<Notes<'n>>) -> Walk<'a, 'n, R> {
        let (reader, outline) = (Reader::new(self, bytes, notes), Outline::new());
        Walk { reader, outline, decoder: *self, done: false }
    }
}

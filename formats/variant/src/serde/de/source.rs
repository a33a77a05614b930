//! The sources of values.

use super::item::{Item, Text};
use crate::serde::DEPTH;
use crate::serde::numbers::FEW;
use crate::{Level, VariantType};
use formwork::{Error, Path, Result, Rule};

/// The position of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// Containers that are open around it.
    pub(super) depth: usize,
    /// The start of the value, in the source's own unit.
    pub(super) at: u64,
    pub(super) promised: u64,
}

/// A source called through a vtable: code that uses it is compiled once for all sources.
pub(super) type AnySource<'s, 'de> = dyn Source<'de> + 's;

/// A sequence of values: the contents of a container come after its front.
pub(super) trait Source<'de> {
    /// Returns the source as a trait object.
    fn erased(&mut self) -> &mut AnySource<'_, 'de>;

    /// Returns the next value; refused if it is nested too deeply.
    fn next(&mut self) -> Result<Item<'de>>;

    /// Returns whether the next value needs no checks that depend on its place, unless it is a key. Such a value may
    /// be taken by one of the following methods, which are tried first; [`next`](Self::next) handles all values that
    /// none of them takes.
    fn is_plain(&self) -> bool {
        false
    }

    /// Takes an int, if it has no warnings.
    fn plain_int(&mut self) -> Option<i64> {
        None
    }

    /// Takes a float, if it has no warnings.
    fn plain_float(&mut self) -> Option<f64> {
        None
    }

    /// Takes a bool, if it has no warnings.
    fn plain_bool(&mut self) -> Option<bool> {
        None
    }

    /// Takes a String or StringName that can be borrowed from the input.
    fn plain_words(&mut self) -> Option<(VariantType, &'de str)> {
        None
    }

    /// Takes a math type of a few real numbers of 32 bits, padded with zeros.
    fn plain_few(&mut self, _wanted: VariantType) -> Option<[f32; FEW]> {
        None
    }

    /// Opens an array or dictionary without attributes; returns whether the next value is one.
    fn enter(&mut self, _wanted: VariantType) -> bool {
        false
    }

    /// Sets the fields of the struct that is made of the dictionary that was opened last.
    fn expect(&mut self, _fields: &'static [&'static str]) {}

    /// Takes the next key, if it is such a field.
    fn field(&mut self) -> Option<&'static str> {
        None
    }

    /// Advances after the value of such a field, which was taken.
    fn advance(&mut self) {}

    /// Returns whether the next value is null.
    fn next_is_null(&mut self) -> Result<bool>;

    /// Reads the name of the next property of an object.
    fn property_name(&mut self) -> Result<Text<'de>>;

    /// Returns the text of the next key, if there is one and it is a string. Does not advance.
    fn next_key(&mut self) -> Option<String>;

    /// Returns the position of the next value.
    fn mark(&self) -> Mark;

    /// Moves to the end of the value at `mark`, however much of it was read.
    fn settle(&mut self, mark: Mark) -> Result<()>;

    /// Closes the innermost container, which is complete.
    fn close(&mut self);

    /// Drops all open containers that are nested deeper than `depth`.
    fn give_up(&mut self, depth: usize);

    /// Returns the innermost container around the next value.
    fn level(&self) -> Option<&Level>;

    /// Returns whether only the engine's own output is accepted.
    fn is_canonical(&self) -> bool;

    /// Returns the byte offset of the value at `mark` in the input.
    fn offset(&self, mark: Mark) -> u64;

    /// Returns the path of the next value.
    fn path(&self) -> Path;

    /// Returns the number of elements, pairs or properties of the innermost container still to come.
    fn left(&self) -> usize {
        self.level().map_or(0, |level| level.left() as usize)
    }
}

/// Adds the position to an error of a visitor for a value of this type.
#[inline]
pub(super) fn place<'de, S: Source<'de> + ?Sized, T>(
    source: &mut S,
    mark: Mark,
    variant_type: VariantType,
    made: Result<T>,
) -> Result<T> {
    made.map_err(|error| placed(source, mark, Some(variant_type), error))
}

/// Adds the offset of the value at a mark to an error; if the type is given, the path as well.
#[cold]
#[inline(never)]
pub(super) fn placed<'de, S: Source<'de> + ?Sized>(
    source: &mut S,
    mark: Mark,
    variant_type: Option<VariantType>,
    error: Error,
) -> Error {
    if !error.is_nowhere() {
        return error;
    }
    source.give_up(mark.depth);
    let error = error.or_at(source.offset(mark));
    match variant_type {
        Some(variant_type) => error.within(variant_type.path_name()),
        None => error,
    }
}

/// Refuses a value at `offset` with more containers around it than serde takes.
#[inline]
pub(super) fn within_depth(depth: usize, offset: u64) -> Result<()> {
    if depth <= DEPTH as usize {
        return Ok(());
    }
    let expected = format!("at most {DEPTH} containers around a value");
    Err(Error::new(Rule::DEPTH_LIMIT, offset, expected, "one more"))
}

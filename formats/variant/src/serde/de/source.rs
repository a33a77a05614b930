//! Where values come from.

use super::item::{Item, Text};
use crate::serde::DEPTH;
use crate::serde::numbers::FEW;
use crate::{Level, VariantType};
use formwork::{Error, Path, Result, Rule};

/// A value that begins at some place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// Containers that are open around it.
    pub(super) depth: usize,
    /// Where it begins: a position in the source's own measure.
    pub(super) at: u64,
    pub(super) promised: u64,
}

/// A source behind a table of calls: what uses it is compiled once, whatever source it is.
pub(super) type AnySource<'s, 'de> = dyn Source<'de> + 's;

/// Values, one after another: what a container holds comes behind its front.
pub(super) trait Source<'de> {
    /// The source behind a table of calls.
    fn erased(&mut self) -> &mut AnySource<'_, 'de>;

    /// What comes next; refused where it is too deep.
    fn next(&mut self) -> Result<Item<'de>>;

    /// Whether nothing is to be said of where the next value stands, if it is no key. Then it may be taken by one of
    /// the following, which are asked first; [`next`](Self::next) has the say about all that none of them takes.
    fn is_plain(&self) -> bool {
        false
    }

    /// Takes an int of which nothing is to be said.
    fn plain_int(&mut self) -> Option<i64> {
        None
    }

    /// Takes a float of which nothing is to be said.
    fn plain_float(&mut self) -> Option<f64> {
        None
    }

    /// Takes a bool of which nothing is to be said.
    fn plain_bool(&mut self) -> Option<bool> {
        None
    }

    /// Takes a String or StringName that stands in the input just as it is.
    fn plain_words(&mut self) -> Option<(VariantType, &'de str)> {
        None
    }

    /// Takes a math type of a few real numbers of 32 bits; zeros stand behind them.
    fn plain_few(&mut self, _wanted: VariantType) -> Option<[f32; FEW]> {
        None
    }

    /// Opens an array or dictionary that says nothing about itself; returns whether it is one.
    fn enter(&mut self, _wanted: VariantType) -> bool {
        false
    }

    /// Learns which fields the struct has that is made of the dictionary that was opened last.
    fn expect(&mut self, _fields: &'static [&'static str]) {}

    /// Takes the key that comes next, if it is such a field.
    fn field(&mut self) -> Option<&'static str> {
        None
    }

    /// Goes on behind such a field, which was taken.
    fn advance(&mut self) {}

    /// Whether a null comes next.
    fn next_is_null(&mut self) -> Result<bool>;

    /// The name of the property that comes next, in an object.
    fn property_name(&mut self) -> Result<Text<'de>>;

    /// The text of the key that comes next, if there is one and it is a string. Leaves it there.
    fn next_key(&mut self) -> Option<String>;

    /// The value that comes next.
    fn mark(&self) -> Mark;

    /// Goes on behind the value at `mark`, whatever was taken of it.
    fn settle(&mut self, mark: Mark) -> Result<()>;

    /// The innermost container is complete.
    fn close(&mut self);

    /// Gives up what is open inside of `depth` containers.
    fn give_up(&mut self, depth: usize);

    /// The innermost container around what comes next.
    fn level(&self) -> Option<&Level>;

    /// Whether only what the engine would write is accepted.
    fn is_canonical(&self) -> bool;

    /// Where the value at `mark` begins in the input, in bytes.
    fn offset(&self, mark: Mark) -> u64;

    /// Where the source is.
    fn path(&self) -> Path;

    /// Elements, pairs or properties of the innermost container still to come.
    fn left(&self) -> usize {
        self.level().map_or(0, |level| level.left() as usize)
    }
}

/// Places an error that a visitor made of a value of this type.
#[inline]
pub(super) fn place<'de, S: Source<'de> + ?Sized, T>(
    source: &mut S,
    mark: Mark,
    variant_type: VariantType,
    made: Result<T>,
) -> Result<T> {
    made.map_err(|error| placed(source, mark, Some(variant_type), error))
}

/// An error of a value that begins at a mark, which says where that is; of a value of a type, what it is in.
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

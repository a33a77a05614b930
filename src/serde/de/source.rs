//! Where values come from.

use super::item::{Item, Text};
use crate::error::{Error, Path, Result, Rule};
use crate::serde::DEPTH;
use crate::variant::Level;

/// A value that begins at some place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// Containers that are open around it.
    pub(super) depth: usize,
    /// Where it begins: a position in the source's own measure.
    pub(super) at: u64,
    pub(super) promised: u64,
}

/// Values, one after another: what a container holds comes behind its front.
pub(super) trait Source<'de> {
    /// What comes next; refused where it is too deep.
    fn next(&mut self) -> Result<Item<'de>>;

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

/// Refuses a value at `offset` with more containers around it than serde takes.
#[inline]
pub(super) fn within_depth(depth: usize, offset: u64) -> Result<()> {
    if depth <= DEPTH as usize {
        return Ok(());
    }
    let expected = format!("at most {DEPTH} containers around a value");
    Err(Error::new(Rule::DEPTH_LIMIT, offset, expected, "one more"))
}

//! What the formats that are walked do not share.

use std::fmt;

use super::level::{Found, Level, Place};
use super::{Kind, Layout, Span, Value, Walker, name_of};
use crate::error::{Error, Result};
use crate::schema::{Field, Meaning, Record, Shape};
use crate::variant::dialect::Dialect;

/// A family of formats: what nests in its records, how it calls things, and what it says where bytes
/// are not what is declared.
pub trait Family<'a>: Clone + fmt::Debug + Sized {
    /// What it walks without a declaration.
    type Own: Clone + fmt::Debug;

    /// Whether each record stands for itself: paths do not name its fields, lists in it have no span of
    /// their own, and no other record speaks of its numbers.
    const APART: bool;

    /// The dialect that has names for numbers, if one has.
    fn dialect(&self) -> Option<Dialect> {
        None
    }

    /// Whether spans are walked but not handed out.
    fn is_hidden(&self) -> bool {
        false
    }

    /// What a number says that has this meaning.
    fn named(&self, meaning: Meaning, number: i128) -> Value<'a> {
        Value::Integer(number, name_of(meaning, number, self.dialect()))
    }

    /// What letters say.
    fn letters(bytes: &'a [u8]) -> Value<'a>;

    /// Whether the walk can go on.
    fn check(_walker: &mut Walker<'a, Self>) -> Result<()> {
        Ok(())
    }

    /// Goes a step on where nothing is open.
    fn outermost(walker: &mut Walker<'a, Self>) -> Found<'a>;

    /// Goes a step on in what the family walks itself.
    fn own(walker: &mut Walker<'a, Self>) -> Found<'a>;

    /// Begins what nests here.
    fn nested(walker: &mut Walker<'a, Self>, place: Place) -> Found<'a>;

    /// Begins what nests here up to the end.
    fn nested_to_end(
        walker: &mut Walker<'a, Self>,
        field: &'static Field,
        place: Place,
    ) -> Found<'a>;

    /// What is to be said of a record that starts here.
    fn record(
        walker: &mut Walker<'a, Self>,
        place: Place,
        record: &'static Record,
    ) -> Result<Opening<'a>>;

    /// Elements of a fixed size.
    fn block(
        walker: &mut Walker<'a, Self>,
        field: &'static Field,
        place: Place,
        count: u64,
        size: usize,
    ) -> Found<'a>;

    /// An element is next.
    fn element(_walker: &mut Walker<'a, Self>, _index: u64, _count: u64, _shape: Shape) {}

    /// The level, which was the innermost, ends here.
    fn closed(_walker: &mut Walker<'a, Self>, _level: &Level<Self::Own>) -> Found<'a> {
        Ok(None)
    }

    /// The bytes of a number or word, as they are to be read.
    fn raw(_walker: &Walker<'a, Self>, _shape: Shape, _bytes: &[u8]) -> Option<u64> {
        None
    }

    /// A number or word was read.
    fn read(_walker: &mut Walker<'a, Self>, _raw: u64, _span: &mut Span<'a>) {}

    /// How long something is that is not handed out.
    fn measure(_walker: &Walker<'a, Self>, _shape: Shape) -> Option<usize> {
        None
    }

    /// The input ends where there should be so many bytes.
    fn ends(walker: &mut Walker<'a, Self>, needed: usize, what: fmt::Arguments<'_>) -> Error;

    /// Leaves what is open behind a fault, which is found next, and after it what was not read.
    fn give_up(walker: &mut Walker<'a, Self>, fault: Error);
}

/// What is said of a record before its fields come.
#[derive(Clone, Debug)]
pub struct Opening<'a> {
    pub(super) length: Option<usize>,
    pub(super) layout: Layout,
    pub(super) value: Value<'a>,
    /// Whether its fields do not come: then [`Kind::Leaf`].
    pub(super) kind: Kind,
}

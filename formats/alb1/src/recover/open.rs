//! The objects, arrays and pairs that are being read, and what each expects next.

use super::layout::Layouts;
use crate::{Field, FieldType, Object, Value};

/// An object, array or pair that is being read.
#[derive(Debug)]
pub(super) struct Open<'a> {
    pub(super) what: What,
    /// The tag of its field.
    pub(super) tag: u16,
    /// Offset of its field.
    pub(super) start: usize,
    /// Offset of the end that its size gives; [`None`] if it has no size or no plausible one.
    pub(super) end: Option<usize>,
    /// Offset of the end that its size gave before the size was found to be wrong.
    pub(super) claimed: Option<usize>,
    pub(super) expects: Expects<'a>,
    /// How many of the expected fields it had.
    pub(super) next: usize,
    pub(super) fields: Vec<Field>,
    /// Whether its container is unknown.
    pub(super) is_orphan: bool,
    /// Whether something in it was lost.
    pub(super) has_gap: bool,
}

/// Kind of an open value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum What {
    Object {
        class: i16,
        address: u32,
    },
    /// An array, with the count it says.
    Array {
        count: Option<u32>,
    },
    Pair,
}

/// Expected fields, by their kinds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expects<'a> {
    /// Those of a class, in this order.
    Slots(&'a [usize]),
    /// Any number of one kind.
    Element(usize),
    /// Any number with the head of the first.
    SameAs(u16, FieldType),
    /// Two.
    Halves([usize; 2]),
    /// Any: the class is not known.
    Anything,
}

/// How a field was found again.
pub(super) enum Found {
    /// It continues what is open at this level.
    Fits(usize, Fit),
    /// It is an element of an array whose head is lost, in the object at this level.
    Element { level: usize, next: usize, array: usize, element: usize },
    /// It is an object that belongs into nothing that is open.
    Orphan,
}

/// How a field fits into what is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// Next field that the open container expects after it.
    pub(super) next: usize,
    /// How many expected fields were passed over.
    pub(super) skipped: usize,
    /// The kind of the field, where it is known.
    pub(super) kind: Option<usize>,
}

impl<'a> Open<'a> {
    pub(super) fn new(what: What, tag: u16, start: usize, expects: Expects<'a>) -> Self {
        Self {
            what,
            tag,
            start,
            end: None,
            claimed: None,
            expects,
            next: 0,
            fields: Vec::new(),
            is_orphan: false,
            has_gap: false,
        }
    }

    /// Sets the end that its size claims.
    pub(super) fn ending(mut self, end: Option<usize>, file: usize) -> Self {
        self.claimed = end;
        self.end = end.filter(|&end| end <= file);
        self
    }

    /// The kinds it expects still, of those that it must have.
    pub(super) fn missing(&self) -> &[usize] {
        match &self.expects {
            Expects::Slots(slots) => slots.get(self.next..).unwrap_or_default(),
            Expects::Halves(halves) => halves.get(self.next..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Returns the number of its fields up to the last with this tag.
    pub(super) fn slots_with(&self, layouts: &Layouts, tag: u16) -> usize {
        let Expects::Slots(slots) = self.expects else { return 0 };
        let is_last = |&kind: &usize| layouts.get(kind).is_some_and(|kind| kind.tag == tag);
        slots.iter().rposition(is_last).map_or(0, |last| last + 1)
    }

    /// Whether it has all that it is known to have.
    pub(super) fn is_full(&self) -> bool {
        match self.expects {
            Expects::Slots(slots) => self.next >= slots.len(),
            Expects::Halves(halves) => self.next >= halves.len(),
            _ => self.what == What::Pair && self.fields.len() >= 2,
        }
    }

    /// Returns the kind of the next field, if it is known.
    pub(super) fn due(&self) -> Option<usize> {
        match self.expects {
            Expects::Element(kind) => Some(kind),
            _ => self.missing().first().copied(),
        }
    }

    /// Returns the value for the document, or the fields of a pair that lacks a half.
    pub(super) fn into_value(self) -> Result<Value, Vec<Field>> {
        match self.what {
            What::Object { class, address } => {
                Ok(Object { class, address, fields: self.fields }.into())
            }
            What::Array { .. } => Ok(Value::Array(self.fields)),
            What::Pair => <[Field; 2]>::try_from(self.fields).map(Value::from),
        }
    }
}

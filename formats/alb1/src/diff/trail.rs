//! The way from the root to a field, as [`FieldPath`](crate::FieldPath) has it: with the key of a pair, and the
//! name of an object in place of its position.

use std::borrow::Cow;
use std::fmt::{self, Write};

use super::show;

/// A step of a path.
#[derive(Clone, Debug)]
pub(super) enum Step<'d> {
    /// A field of an object or a half of a pair; if the tag repeats, with the number of earlier fields with that tag.
    Field(Cow<'d, str>, Option<u32>),
    /// An element, by its key or name as text.
    Named(String),
    /// An element, by its position.
    Index(usize),
    /// An element without a name, whose position is not said.
    Any,
    /// Something that is not a field: `(class)`.
    Aside(&'static str),
}

impl Step<'_> {
    pub(super) fn write(&self, first: bool, out: &mut impl Write) -> fmt::Result {
        let dot = if first { "" } else { "." };
        match self {
            Self::Field(name, None) => write!(out, "{dot}{}", show::name(name)),
            Self::Field(name, Some(earlier)) => write!(out, "{dot}{}[{earlier}]", show::name(name)),
            Self::Named(name) => write!(out, "[{name}]"),
            Self::Index(index) => write!(out, "[{index}]"),
            Self::Any => out.write_str("[]"),
            Self::Aside(what) => write!(out, "{dot}({what})"),
        }
    }
}

/// The way to where the comparison is, in one of the documents.
#[derive(Clone, Debug, Default)]
pub(super) struct Trail<'d> {
    steps: Vec<Step<'d>>,
    /// How many of the steps lead to the innermost object, and the class of that.
    object: (usize, Cow<'d, str>),
}

impl<'d> Trail<'d> {
    pub(super) fn push(&mut self, step: Step<'d>) {
        self.steps.push(step);
    }

    pub(super) fn pop(&mut self) {
        self.steps.pop();
    }

    /// Marks the steps so far as the way to an object, and returns the earlier mark.
    pub(super) fn enter(&mut self, class: Cow<'d, str>) -> (usize, Cow<'d, str>) {
        std::mem::replace(&mut self.object, (self.steps.len(), class))
    }

    /// Takes back [`Trail::enter`].
    pub(super) fn leave(&mut self, before: (usize, Cow<'d, str>)) {
        self.object = before;
    }

    /// Returns the current place.
    pub(super) fn place(&self) -> Place {
        let (outer, inner) = self.steps.split_at(self.object.0.min(self.steps.len()));
        Place { object: path(outer), class: self.object.1.clone().into_owned(), field: path(inner) }
    }
}

fn path(steps: &[Step<'_>]) -> String {
    let mut out = String::new();
    for (position, step) in steps.iter().enumerate() {
        // Writing to a string does not fail.
        let _ = step.write(position == 0, &mut out);
    }
    out
}

/// Place of a difference in one of the documents.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Place {
    /// The path of the innermost object around it; nothing for the root.
    pub object: String,
    /// The class of that object, or the template of an object of a layer; nothing for what is in no
    /// object: the header and the tables.
    pub class: String,
    /// The path from that object.
    pub field: String,
}

/// The whole path: `objManager.mobjectsDelta["tree.p3d"].x`.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dot = match (self.object.is_empty(), self.field.starts_with('[')) {
            (true, _) | (_, true) => "",
            _ => ".",
        };
        write!(f, "{}{dot}{}", self.object, self.field)
    }
}

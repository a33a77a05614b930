//! The nodes of a tree.

use std::ops::Range;

use formwork_godot::inspect::SpanType;
use formwork_records::schema::{Layout, Word};
use formwork_variant::PathSegment;

/// A packet, record, list or field. Nodes are stored in a list in the order of their bytes, each before its children.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The node it is in.
    pub(crate) parent: usize,
    /// The first node after it and its descendants.
    pub(crate) next: usize,
    pub(crate) name: Name,
    pub(crate) layout: SpanType,
    pub(crate) is_leaf: bool,
}

/// The name of a node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Name {
    /// By its declaration.
    Field(&'static str),
    /// By its position in a list.
    Index,
    /// By the file itself.
    Own,
}

impl From<&PathSegment> for Name {
    fn from(step: &PathSegment) -> Self {
        match step {
            PathSegment::Field(name) => Self::Field(name),
            PathSegment::Index(_) => Self::Index,
            PathSegment::Name(_) => Self::Own,
        }
    }
}

impl Node {
    pub(crate) const fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) const fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether it is a complete value: a packet, or a field of an ALB1 file.
    pub(crate) const fn is_value(&self) -> bool {
        matches!(self.layout, SpanType::Packet(_) | SpanType::Field(_))
    }

    /// Returns the shape of a number that is no list.
    pub(crate) const fn number(&self) -> Option<Layout> {
        match self.layout {
            SpanType::One(
                shape @ (Layout::Integer { .. } | Layout::Float(_) | Layout::Word(_)),
            ) if self.is_leaf => Some(shape),
            _ => None,
        }
    }

    pub(crate) const fn word(&self) -> Option<&'static Word> {
        match self.number() {
            Some(Layout::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// The shape of the elements, and their size, of a block of them.
    pub(crate) fn block(&self) -> Option<(Layout, usize)> {
        match self.layout {
            SpanType::Many(shape, _) if self.is_leaf => {
                shape.size().filter(|&size| size > 0).map(|size| (shape, size))
            }
            _ => None,
        }
    }
}

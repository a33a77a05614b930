//! What is being read: the levels of a walk, and the place where it is.

use super::Span;
use crate::schema::{Expression, Field, Record, Semantics, Shape, Word};
use formwork::{Error, PathSegment, Result};

/// Something that is being read.
#[derive(Clone, Debug)]
pub struct Level<O> {
    pub content: Content<O>,
    /// Depth of the spans in it.
    pub depth: u32,
    /// How many steps the path had before.
    pub steps: usize,
    /// How many numbers were known before.
    pub base: usize,
    /// Where what is around it must end, if it ends before that itself.
    pub limit_around: Option<usize>,
}

/// What is in a level; `O` is what only one family has.
#[derive(Clone, Debug)]
pub enum Content<O> {
    /// Fields one after another.
    Fields {
        fields: &'static [Field],
        next: usize,
        /// The header word that comes first, where it is a packet.
        header: Option<&'static Word>,
        packet: bool,
        /// Where it starts.
        start: usize,
        /// Where the last field that was begun starts.
        from: usize,
        /// What must hold of all of it.
        checks: &'static [Expression],
    },
    /// Elements of one layout.
    Elements {
        field: &'static Field,
        next: u64,
        count: u64,
        /// Steps of the path of the list itself.
        own_steps: usize,
        /// Where the last element starts, in a list that ends with the input.
        to_end: Option<usize>,
        /// What is said behind the last element that is there.
        fault: Option<Error>,
    },
    /// What the family walks itself.
    Own(O),
}

impl<O> Content<O> {
    /// The fields of a record that starts here.
    pub const fn of(record: &'static Record, start: usize) -> Self {
        Self::Fields {
            fields: record.fields,
            next: 0,
            header: None,
            packet: false,
            start,
            from: start,
            checks: record.checks,
        }
    }
}

impl<O> Level<O> {
    /// Where the known fields begin.
    pub const fn known_from(&self) -> Option<usize> {
        match self.content {
            Content::Fields { .. } => Some(self.base),
            Content::Elements { .. } | Content::Own(_) => None,
        }
    }

    pub const fn is_packet(&self) -> bool {
        matches!(self.content, Content::Fields { packet: true, .. })
    }
}

/// A field or element that is about to be read.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub shape: Shape,
    pub meaning: Semantics,
    pub name: Name,
    pub depth: u32,
    /// Whether the path does not name it.
    pub inline: bool,
    /// Whether it is the only or first thing of a packet's payload that its record is spread over.
    pub spread: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum Name {
    Field(&'static str),
    Index(u64),
}

impl From<Name> for PathSegment {
    fn from(name: Name) -> Self {
        match name {
            Name::Field(name) => Self::Field(name),
            Name::Index(index) => Self::Index(index),
        }
    }
}

impl Place {
    /// Something that stands once and that the path does not name.
    pub const fn field(name: Name, shape: Shape, depth: u32) -> Self {
        Self { shape, meaning: Semantics::Plain, name, depth, inline: true, spread: false }
    }

    pub fn of(field: &'static Field, name: Name, depth: u32) -> Self {
        Self {
            shape: field.shape(),
            meaning: field.meaning,
            name,
            depth,
            inline: field.inline,
            spread: field.inline,
        }
    }
}

/// A span, if the step of the walk gave one.
pub type Found<'a> = Result<Option<Span<'a>>>;

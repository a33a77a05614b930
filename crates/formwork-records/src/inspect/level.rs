//! The current position of a walk: its open levels, and the next place.

use super::Span;
use crate::schema::{Field, Layout, Magic, Meaning, Occurs, Record, Word};
use formwork::{PathSegment, Result};

/// An open part of the input.
#[derive(Clone, Debug)]
pub struct Level<O> {
    pub content: Content<O>,
    /// The depth of the spans in it.
    pub depth: u32,
    /// The number of path steps before it.
    pub steps: usize,
    /// The number of known numbers before it.
    pub base: usize,
    /// The end of the surrounding level, if this level ends before that.
    pub limit_around: Option<usize>,
}

/// The content of a level; `O` is content that only one family has.
#[derive(Clone, Debug)]
pub enum Content<O> {
    /// Fields, one after another.
    Fields {
        fields: &'static [Field],
        next: usize,
        /// The header word that comes first, if the level is a packet.
        header: Option<&'static Word>,
        packet: bool,
    },
    /// Elements of one layout.
    Elements {
        field: &'static Field,
        next: u64,
        count: u64,
        /// The number of steps in the path of the list itself.
        own_steps: usize,
        /// The offset of the last element, in a list that ends with the input.
        to_end: Option<usize>,
    },
    /// Content that the family walks itself.
    Own(O),
}

impl<O> Content<O> {
    /// Returns the fields of a record.
    pub const fn of(record: &'static Record) -> Self {
        Self::Fields { fields: record.fields, next: 0, header: None, packet: false }
    }
}

impl<O> Level<O> {
    /// Returns the start of the known fields.
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

/// A field or element that will be read next.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub shape: Layout,
    pub meaning: Meaning,
    /// Bytes that are always the same.
    pub magic: Option<Magic>,
    pub name: Name,
    pub depth: u32,
    /// Whether the path omits it.
    pub inline: bool,
    /// Whether it is the only or first part of a packet's payload, over which its record is spread.
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
    /// Makes a place that occurs once and that the path omits.
    pub const fn field(name: Name, shape: Layout, depth: u32) -> Self {
        Self {
            shape,
            meaning: Meaning::Plain,
            magic: None,
            name,
            depth,
            inline: true,
            spread: false,
        }
    }

    pub fn of(field: &'static Field, name: Name, depth: u32) -> Self {
        Self {
            shape: field.element(),
            meaning: field.meaning,
            magic: field.magic,
            name,
            depth,
            inline: field.inline,
            spread: field.inline,
        }
    }
}

/// A span, if the step of the walk returned one.
pub type Found<'a> = Result<Option<Span<'a>>>;

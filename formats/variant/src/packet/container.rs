//! The payloads of arrays and dictionaries.

use std::borrow::Cow;

use modular_bitfield::prelude::*;

use super::{TerminatedText, Text};
use formwork::{BinRead, BinWrite, Deferred, Nested, OrEnd, Schema};
use formwork_records::schema::{TYPE_ID, VARIANT};
use formwork_records::wire::{Block, Each, Element, Padding};

/// How many elements or pairs a container has.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct ContainerCount {
    /// The number.
    pub count: B31,
    /// Godot 2: the container is shared, as those made by scripts are. Masked off by the others.
    pub shared: bool,
}

/// The count before an array's elements.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ArrayRecord {
    /// How many elements.
    pub count: ContainerCount,
    /// The elements, each with its header.
    #[br(count = count.count())]
    #[schema(inline)]
    pub elements: Deferred<formwork::Each<Nested<VARIANT>>>,
}

/// The count before a dictionary's pairs.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct DictionaryRecord {
    /// How many pairs.
    pub count: ContainerCount,
    /// The pairs.
    #[br(count = count.count())]
    #[schema(inline)]
    pub pairs: Deferred<formwork::Each<Pair>>,
}

/// A key and its value.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct Pair {
    /// The key.
    pub key: Nested<VARIANT>,
    /// The value.
    pub value: Nested<VARIANT>,
}

/// The built-in type of a typed container's elements (kind 1).
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ElementId {
    /// Type id in the same dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: u32,
}

/// The type of a Pandemonium 5 typed array's elements.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct ElementWord {
    /// Type id in the dialect's table.
    #[schema(family = TYPE_ID)]
    pub type_id: B31,
    /// Masked off on reading, as in a count.
    #[schema(zero)]
    pub unused: bool,
}

/// The class name (kind 2) or script path (kind 3) of a typed container's elements.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ElementName<'a> {
    /// The name or path.
    pub name: Text<'a>,
}

/// The class before the elements of a Pandemonium 5 typed array of objects: the class name as a complete StringName
/// value.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ElementClass {
    /// The class name.
    #[schema(inline)]
    pub class: Nested<VARIANT>,
}

/// Elements of one kind, without headers.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PackedArray<'a, T: Element> {
    /// How many elements.
    pub count: u32,
    /// The elements.
    #[br(count = count)]
    pub elements: Block<'a, T>,
}

/// Bytes, padded.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PackedBytes<'a> {
    /// How many bytes; padding is not counted.
    pub count: u32,
    /// The bytes.
    #[br(count = count)]
    pub elements: Block<'a, u8>,
    /// Zeros (engines before 3.2 leave what was in memory).
    #[br(args(count.into()))]
    pub padding: OrEnd<Padding>,
}

/// Strings, each with its length and a terminator.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct PackedStrings<'a> {
    /// How many strings; a negative count is none.
    pub count: i32,
    /// The strings.
    #[br(count = count.max(0))]
    pub elements: Each<TerminatedText<'a>>,
}

impl<'a, T: Element> PackedArray<'a, T> {
    /// The record of these elements.
    #[must_use]
    pub fn new(elements: impl Into<Cow<'a, [T]>>) -> Self {
        let elements = Block(elements.into());
        // A longer value in memory is refused before it is written.
        Self { count: elements.len() as u32, elements }
    }
}

impl<'a> PackedBytes<'a> {
    /// The record of these bytes.
    #[must_use]
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let elements = Block(bytes.into());
        let padding = Padding::or_end(elements.len());
        Self { count: elements.len() as u32, elements, padding }
    }
}

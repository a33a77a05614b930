//! The payloads of arrays and dictionaries.

use std::borrow::Cow;

use modular_bitfield::prelude::*;

use super::{TerminatedText, Text};
use crate::schema::{Meaning, Variant};
use crate::wire::{Block, Element, Padding, bits, declare};

bits! {
    /// How many elements or pairs a container has.
    pub struct ContainerCount: u32 {
        /// The number.
        pub count: B31,
        /// Godot 2: the container is shared, as those made by scripts are. Masked off by the others.
        pub shared: bool,
    }
}

declare! {
    /// The count in front of an array's elements.
    #[derive(Copy)]
    pub struct ArrayRecord {
        /// How many elements.
        pub count: ContainerCount,
    }
    then {
        /// The elements, each with its header.
        elements: Variant [inline each count.count()],
    }
}

declare! {
    /// The count in front of a dictionary's pairs.
    #[derive(Copy)]
    pub struct DictionaryRecord {
        /// How many pairs.
        pub count: ContainerCount,
    }
    then {
        /// The pairs.
        pairs: Pair [inline each count.count()],
    }
}

declare! {
    /// A key and its value.
    #[derive(Copy)]
    pub struct Pair {}
    then {
        /// The key.
        key: Variant [once],
        /// The value.
        value: Variant [once],
    }
}

declare! {
    /// The built-in type of a typed container's elements (kind 1).
    #[derive(Copy)]
    pub struct ElementId {
        /// Type id in the same dialect's table.
        pub type_id: u32 [named Meaning::TypeId],
    }
}

bits! {
    /// The type of a Pandemonium 5 typed array's elements.
    pub struct ElementWord: u32 {
        /// Type id in the dialect's table.
        pub type_id: B31 [named Meaning::TypeId],
        /// Masked off on reading, as in a count.
        pub unused: bool,
    }
}

declare! {
    /// The class name (kind 2) or script path (kind 3) of a typed container's elements.
    pub struct ElementName<'a> {
        /// The name or path.
        pub name: Text<'a>,
    }
}

declare! {
    /// What stands in front of a Pandemonium 5 typed array's elements when they are of a class: the
    /// class name as a complete StringName value.
    #[derive(Copy)]
    pub struct ElementClass {}
    then {
        /// The class name.
        class: Variant [inline once],
    }
}

declare! {
    /// Elements of one kind, without headers.
    pub struct PackedArray<'a, T: Element> {
        /// How many elements.
        pub count: u32,
        /// The elements.
        pub elements: Block<'a, T> [block count],
    }
}

declare! {
    /// Bytes, padded.
    pub struct PackedBytes<'a> {
        /// How many bytes; padding is not counted.
        pub count: u32,
        /// The bytes.
        pub elements: Block<'a, u8> [block count],
        /// Zeros (engines before 3.2 leave what was in memory).
        pub padding: Padding [after count or end],
    }
}

declare! {
    /// Strings, each with its length and a terminator.
    pub struct PackedStrings<'a> {
        /// How many strings; a negative count is none.
        pub count: i32,
        /// The strings.
        pub elements: Each<TerminatedText<'a>> [each count],
    }
}

impl<'a, T: Element> PackedArray<'a, T> {
    /// The record of these elements.
    #[must_use]
    pub fn new(elements: impl Into<Cow<'a, [T]>>) -> Self {
        let elements = Block(elements.into());
        // A value in memory that exceeds a count word is refused before it is written.
        Self { count: elements.len() as u32, elements }
    }
}

impl<'a> PackedBytes<'a> {
    /// The record of these bytes.
    #[must_use]
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let elements = Block(bytes.into());
        let padding = Padding::after(elements.len());
        Self { count: elements.len() as u32, elements, padding }
    }
}

//! The payload of a NodePath.

use modular_bitfield::prelude::*;

use super::Text;
use crate::wire::{bits, declare};

bits! {
    /// First word of a NodePath.
    pub struct NameCount: u32 {
        /// How many names the path has.
        pub count: B31,
        /// Set in the form with separate names, the only one that engines write. Where it is clear
        /// the word is the length of a text (read by 1.0 to 3.0 only).
        pub separate: bool,
    }
}

bits! {
    /// The flags of a NodePath.
    pub struct NodePathFlags: u32 {
        /// The path starts at the root.
        pub absolute: bool,
        /// One more text follows: the property. Written by Godot 2 only; the others count it as one
        /// more subname.
        pub property: bool,
        /// Ignored on reading, written as 0.
        pub unused: B30,
    }
}

declare! {
    /// A path to a node or property.
    pub struct NodePathRecord<'a> {
        /// How many names.
        pub name_count: NameCount,
        /// How many subnames.
        pub subname_count: u32,
        /// Absolute or not.
        pub flags: NodePathFlags,
        /// The node names.
        pub names: Each<Text<'a>> [each name_count.count()],
        /// The parts after a `:`.
        pub subnames: Each<Text<'a>> [each subname_count],
        /// The property (Godot 2).
        pub property: Option<Text<'a>> [if flags.property()],
    }
}

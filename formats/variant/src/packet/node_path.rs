//! The payload of a NodePath.

use modular_bitfield::prelude::*;

use super::Text;
use formwork::{BinRead, BinWrite, Schema};
use formwork_records::wire::Each;

/// First word of a NodePath.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct NameCount {
    /// How many names the path has.
    pub count: B31,
    /// Set in the form with separate names, the only one that engines write. Where it is clear
    /// the word is the length of a text (read by 1.0 to 3.0 only).
    pub separate: bool,
}

/// The flags of a NodePath.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct NodePathFlags {
    /// The path starts at the root.
    pub absolute: bool,
    /// One more text follows: the property. Written by Godot 2 only; the others count it as one
    /// more subname.
    pub property: bool,
    /// Ignored on reading, written as 0.
    #[schema(zero)]
    pub unused: B30,
}

/// A path to a node or property.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct NodePathRecord<'a> {
    /// How many names.
    pub name_count: NameCount,
    /// How many subnames.
    pub subname_count: u32,
    /// Absolute or not.
    pub flags: NodePathFlags,
    /// The node names.
    #[br(count = name_count.count())]
    pub names: Each<Text<'a>>,
    /// The parts after a `:`.
    #[br(count = subname_count)]
    pub subnames: Each<Text<'a>>,
    /// The property (Godot 2).
    #[br(if(flags.property()))]
    pub property: Option<Text<'a>>,
}

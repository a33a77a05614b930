//! Packets and files taken apart, to be changed piece by piece.
//!
//! A [`Tree`] is made of any bytes: it is what the [inspector](formwork_godot::inspect) says of them, and what
//! the inspector cannot read is one leaf at the end. Which word counts or measures what follows from
//! the declarations (the [schema](formwork_records::schema) keeps the expressions), so there is no second list
//! of layouts here.
//!
//! A change replaces some bytes and moves every word that counts or measures across them by the same
//! difference. So what was right stays right, and a lie stays the same lie. Padding is made anew
//! where it was as long as declared, and left alone elsewhere.
//!
//! ```
//! use formwork_kit::tree::Tree;
//! use formwork_kit::Format;
//! use formwork_variant::{Dialect, from_slice};
//!
//! // [7, "abc"], as Godot 3 writes it.
//! let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, b'a', b'b', b'c', 0];
//! let tree = Tree::of(&bytes, Format::Variant(Dialect::GODOT3));
//! assert_eq!(tree.write(), bytes);
//!
//! // A smaller packet with the same fault: here, one that still holds a 7.
//! let mut smallest = bytes.to_vec();
//! 'smaller: loop {
//!     for candidate in Tree::of(&smallest, Format::Variant(Dialect::GODOT3)).reductions() {
//!         if candidate.contains(&7) {
//!             smallest = candidate;
//!             continue 'smaller;
//!         }
//!     }
//!     break;
//! }
//! assert_eq!(smallest, [2, 0, 0, 0, 7, 0, 0, 0]);
//! # Ok::<(), formwork_variant::Error>(())
//! ```
//!
//! # For shrinkers
//!
//! [`Tree::reductions`] hands out candidates, those first that are the shortest. Each is shorter than
//! the tree or simpler at the same length, so a loop that goes on with any of them, as above, ends.
//! Candidates are made one at a time, when they are asked for. A loop that has refused all that save
//! more bytes need not try their like again in the tree that it went on with:
//! [`Reductions::saving_at_most`] leaves them out.

mod build;
mod donor;
mod edit;
mod form;
mod letters;
mod link;
mod mutate;
mod node;
mod pair;
mod reduce;
mod simpler;

pub use mutate::{Mutation, mutate};
pub use reduce::Reductions;

use crate::Format;
pub(crate) use node::Node;

/// The bytes of a packet or file, taken apart.
///
/// It takes as much memory as the bytes, times a constant, and nothing in it recurses.
#[derive(Clone, Debug)]
pub struct Tree {
    bytes: Vec<u8>,
    format: Format,
    /// The first is all of the bytes.
    pub(crate) nodes: Vec<Node>,
}

impl Tree {
    /// Takes a packet of values, or an ALB1 file, apart. Any bytes make a tree.
    #[must_use]
    pub fn of(bytes: &[u8], format: Format) -> Self {
        Self::of_vec(bytes.to_vec(), format)
    }

    /// Takes bytes apart without copying them.
    #[must_use]
    pub fn of_vec(bytes: Vec<u8>, format: Format) -> Self {
        let nodes = build::nodes(&bytes, format);
        Self { bytes, format, nodes }
    }

    /// The bytes. Those of a tree that was not changed are those it was made of.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    /// The bytes, lent.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, taken.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the format that the bytes were read as.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    /// Candidates for something smaller, the shortest first.
    ///
    /// Elements and fields are dropped, in halves, quarters and so on down to one by one; values
    /// become one of those in them, or null; strings and packed arrays become shorter or empty;
    /// numbers come closer to zero, flags are cleared.
    #[must_use]
    pub fn reductions(&self) -> Reductions<'_> {
        Reductions::of(self)
    }

    /// Candidates in which two equal values become smaller, both in the same way, the shortest first:
    /// for faults that show only where two values are equal.
    #[must_use]
    pub fn paired_reductions(&self) -> Reductions<'_> {
        Reductions::of_pairs(self)
    }
}

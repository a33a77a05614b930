//! ALB1: the tagged object graph of Bohemia Interactive's Terrain Builder (Visitor 4), in projects
//! (`.tv4p`), object layers (`.tv4l`) and shape layers (`.tv4s`).
//!
//! A file is a [`Header`], a table of tag names, a table of class names, and the root [`Object`]. An object has a
//! class, an address and [`Field`]s; a field has a tag, a [`FieldType`] and a [`Value`]. The [`Document`] keeps all of
//! that unaltered, so that unchanged parts are written back byte for byte.
//!
//! ```
//! use formwork_alb1::{Document, Field, Text, Value};
//!
//! let mut layer = Document::new("CLayer");
//! let name = layer.tags.id("mname").unwrap();
//! layer.root.fields.push(Field::new(name, Text::new("houses").unwrap()));
//!
//! let bytes = layer.to_vec()?;
//! let read = Document::from_slice(&bytes)?;
//! assert_eq!(read.root.get(name).and_then(Value::as_text).unwrap(), &"houses");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | read and write a file | [`Document`]; [`Reader`] has limits and shared bytes |
//! | find and change a field by its path | [`path`], [`Document::get`] |
//! | use layers, roads and templates as Rust types | [`terrain`] |
//! | use the objects of a layer | [`tree`]: the quadtree that holds them |
//! | know what is wrong or odd in a file | [`finding`] |
//! | save what is left of a damaged file | [`recover`] |
//! | follow pointers, in one file and between files | [`graph`] |
//! | compare files, show them as JSON | `diff`, `json` (features of these names) |
//! | see bytes field by field | [`inspect`] |
//! | fuzz | `generate` (feature `arbitrary`): any document |
//!
//! Tools for whole projects are in the crate `formwork-terrain`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(unreachable_pub)]

mod address;
mod census;
mod check;
pub mod dictionary;
#[cfg(feature = "diff")]
pub mod diff;
mod document;
mod edit;
mod field_type;
#[cfg(all(feature = "diff", feature = "json"))]
mod file_format;
pub mod finding;
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub mod generate;
pub mod graph;
pub mod inspect;
#[cfg(feature = "json")]
#[cfg_attr(docsrs, doc(cfg(feature = "json")))]
pub mod json;
mod numbers;
pub mod page;
mod parse;
pub mod path;
pub(crate) mod read;
pub mod record;
pub mod recover;
pub mod rule;
mod table;
pub mod terrain;
mod text;
pub mod tree;
mod value;
mod walk;
mod write;

pub use address::Addresses;
pub use census::{Census, PlacedObjects};
pub use document::Document;
pub use field_type::{FieldType, OwnType};
#[cfg(all(feature = "diff", feature = "json"))]
#[cfg_attr(docsrs, doc(cfg(all(feature = "diff", feature = "json"))))]
pub use file_format::{ALB1, Alb1Format, differences};
pub use finding::{Finding, FindingKind};
pub use formwork::{Error, ErrorKind, Path, PathSegment, Result, Rule};
pub use formwork_records::limits::Limits;
pub use graph::Graph;
pub use numbers::{FieldNumber, NumberSink, NumberSource, OwnValue};
pub use path::FieldPath;
pub use read::{Reader, newer};
pub use record::{Header, ObjectPointer};
pub use table::Table;
pub use text::Text;
pub use text::to_str;
pub use value::{Field, Object, Raw, Value};
pub use walk::{Item, Walk};

/// Returns every rule that the modules of this crate declare.
pub fn all_rules() -> impl Iterator<Item = Rule> {
    [rule::ALL, tree::rule::ALL, terrain::rule::ALL].into_iter().flatten().copied()
}

//! Binary formats, declared once.
//!
//! Write a format down as Rust structs and enums with [binrw](https://docs.rs/binrw)'s attributes, and derive [`Schema`]
//! beside [`BinRead`] and [`BinWrite`]. The declaration then gives a reader and a writer, errors that name the field, an
//! annotated dump of any file, a printed page, a check, arbitrary values, broken copies, and counts that set themselves.
//!
//! ```
//! use formwork::binrw;
//! use formwork::{BinRead, BinWrite, Block, Schema, record};
//!
//! /// A list of scores.
//! #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
//! #[brw(little, magic = b"SCOR")]
//! struct Scores {
//!     /// Number of scores.
//!     #[br(assert(count <= 10))]
//!     count: u8,
//!     /// The scores, the best one first.
//!     #[br(count = count)]
//!     scores: Block<u16>,
//! }
//!
//! let mut scores: Scores = record::from_slice(b"SCOR\x02\x09\0\x07\0")?;
//! assert_eq!(*scores.scores, [9, 7]);
//!
//! scores.scores.push(1);
//! assert_eq!(
//!     record::to_vec(&scores).unwrap_err().to_string(),
//!     "scores: expected 2 elements, found 3 (inexpressible, rule record.agreement)"
//! );
//! record::settle(&mut scores)?;
//! assert_eq!(record::to_vec(&scores)?, b"SCOR\x03\x09\0\x07\0\x01\0");
//!
//! let error = record::from_slice::<Scores>(b"SCOR\x0b").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "offset 4 (0x4), count: expected `count <= 10`, found count = 11 (malformed, rule record.assert)"
//! );
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! | to | see |
//! | --- | --- |
//! | declare a format | [`schema`]: the attributes; [`wire`]: the types of fields |
//! | read, write, check, dump, print and test it | [`record`] |
//! | open, change and compare files in a program | [`document`] |
//! | go over bytes as a declaration says | [`walk`] |
//! | know what is wrong with bytes | [`Error`], [`mod@error`] |
//! | read values of Godot, files of Terrain Builder | the crates `formwork-variant`, `formwork-godot`, `formwork-alb1` |
//!
//! The feature `arbitrary` makes values of a fuzzer's bytes, `serde` lets [`Error`] be the error of a format of serde, `ksy`
//! adds `record::ksy`, and `suite` adds `Format::suite`.

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

// The derives write paths that begin with `::formwork`; in this crate they lead here.
extern crate self as formwork;

#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub use arbitrary;
pub use binrw;
pub use modular_bitfield;

#[doc(hidden)]
pub mod align;
#[doc(hidden)]
pub mod derived;
pub mod document;
pub mod error;
pub mod record;
pub mod schema;
#[cfg(feature = "serde")]
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
pub mod serde;
mod settle;
pub mod walk;
pub mod wire;

/// The traits: each has the name of a derive.
mod traits {
    pub use binrw::{BinRead, BinWrite};
}

#[doc(inline)]
pub use error::{Error, Result};
pub use formwork_derive::{BinRead, Schema, Word};
#[doc(inline)]
pub use schema::Schema;
pub use traits::*;

// Their pages are in the modules.
#[doc(hidden)]
pub use error::{Declaration, ErrorKind, Path, PathSegment, Rule};
#[doc(hidden)]
pub use record::WithRest;
#[doc(hidden)]
pub use walk::{Family, Fields};
#[doc(hidden)]
pub use wire::{
    Before, Block, Coded, Deferred, Each, Nested, Open, OrEnd, Padding, Slice, Terminated, ToEnd,
    Until, Varint, Within,
};

//! The common parts of the records of `formwork-variant` and `formwork-alb1`: a schema that `#[derive(Schema)]` makes
//! from binrw's attributes, blocks of bytes, the walk of the inspector along a schema, JSON text token by token, and
//! numbers for tests.
//!
//! User-defined formats are declared with the crate `formwork`. The records of the two families will move there, and
//! this crate will be removed.

#![allow(missing_docs, reason = "the crate has no users but the two families")]

// The derive writes paths that begin with `::formwork_records`; in this crate they refer to the crate itself.
extern crate self as formwork_records;

#[doc(hidden)]
pub use binrw;

#[cfg(feature = "arbitrary")]
pub mod generate;
pub mod inspect;
#[cfg(feature = "json")]
pub mod json;
pub mod limits;
pub mod notation;
pub mod page;
pub mod schema;
pub mod three_way;
pub mod windows_1252;
pub mod wire;

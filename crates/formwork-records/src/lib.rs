//! What the records of `formwork-variant` and `formwork-alb1` share: a schema that `#[derive(Schema)]` makes of binrw's
//! attributes, blocks of bytes, the walk of the inspector along a schema, JSON text token by token, and numbers for tests.
//!
//! Formats of anyone's own are declared with the crate `formwork`. The records of the two families are to move there; this
//! crate goes then.

#![allow(missing_docs, reason = "the crate has no users but the two families")]

// The derive writes paths that begin with `::formwork_records`; in this crate they lead here.
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

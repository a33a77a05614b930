//! The common part of `formwork-variant`, `formwork-godot` and `formwork-alb1` besides the definition crate `formwork`:
//! blocks of numbers in any struct, readers that know where bytes are missing, the walk of the inspectors, pages, JSON
//! text token by token, and numbers for tests.

#![allow(missing_docs, reason = "the crate has no users but the two families")]

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

//! ALB1 files: synthetic ones that the crate ships, and any real ones that the machine has.

mod corpus;
mod document;
mod inspect;
#[cfg(feature = "json")]
mod json;
mod terrain;
mod tree;
mod walk;

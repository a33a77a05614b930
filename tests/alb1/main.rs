//! ALB1 files: synthetic ones that the crate ships, and any real ones that the machine has.

mod corpus;
#[cfg(feature = "diff")]
mod diff;
mod document;
mod templates;
mod terrain;
mod tree;
mod walk;

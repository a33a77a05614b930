//! ALB1: documents and the records of the container.

pub(crate) mod case;
mod document;
mod record;
mod tree;

pub use document::document;
pub(super) use document::value_bytes;

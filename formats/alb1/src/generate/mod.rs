//! ALB1: documents and the records of the container.

mod document;
mod tree;

pub use document::{Generator, document, value_bytes};
pub use formwork_records::generate::Config;

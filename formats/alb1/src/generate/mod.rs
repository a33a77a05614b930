//! ALB1: documents and the records of the container.

mod document;
mod record;
mod tree;

pub use document::{Generator, document, value_bytes};
pub use formwork_records::generate::Config;

//! ALB1: documents and the records of the container.

mod document;
mod record;

pub use document::document;

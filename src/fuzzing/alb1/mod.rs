//! The targets of ALB1.

mod document;

pub use document::document;

//! The targets of ALB1.

mod document;
mod inspect;

pub use document::document;
pub use inspect::inspect;

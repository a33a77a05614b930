//! The bodies of ALB1.

mod document;
mod edit;
mod graph;
mod inspect;
mod json;
mod mutate;
mod names;
mod recover;
mod tree;

pub use document::document;
pub use edit::edit;
pub use graph::graph;
pub use inspect::inspect;
pub use json::json;
pub use mutate::{cross_over, mutate};
pub use names::with_used_names;
pub use recover::recover;
pub use tree::tree;

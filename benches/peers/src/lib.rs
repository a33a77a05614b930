//! What formwork is measured beside: a parser written by hand, and the values of other formats.

pub mod hand;
pub mod others;
#[path = "../../workloads/mod.rs"]
pub mod workloads;

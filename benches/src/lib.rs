//! The programs beside which formwork is measured: a parser written by hand, the values of other formats, and the
//! engine.

pub mod engine;
pub mod hand;
pub mod others;
pub mod workloads;

//! The guarantees of the generators.

mod cases;
mod coverage;
mod values;

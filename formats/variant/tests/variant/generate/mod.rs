//! What the generators promise.

mod cases;
mod coverage;
mod values;

//! What the generators promise.
#![cfg(feature = "arbitrary")]

mod cases;
mod coverage;
mod values;

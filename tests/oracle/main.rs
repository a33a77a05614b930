//! The fuzz kit's side of the decoders it tests.

mod check;
mod decoder;
mod fuzz;
mod targets;

//! The fuzz kit's side of the decoders it tests.

mod check;
mod deadline;
mod decoder;
mod fuzz;
mod targets;

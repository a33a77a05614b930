//! The fuzz kit's handling of the decoders that it tests.

mod check;
mod deadline;
mod decoder;
mod fuzz;
mod targets;

//! Structs and enums of your own.

pub mod de;
mod error;
mod numbers;
pub mod packed;
pub mod ser;
mod types;

pub use de::{from_reader, from_slice, from_variant};
pub use ser::{to_variant, to_variant_in, to_vec, to_writer};

/// Containers that may surround a value.
pub const DEPTH: u32 = 64;

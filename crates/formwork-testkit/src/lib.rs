//! Shares what the tests of several crates need: golden files, noise, hexadecimal digits, the cost of a piece of work.

pub mod corpus;
mod cost;
pub mod golden;
mod hex;
mod noise;

use std::path::{Path, PathBuf};

pub use cost::{cost, cpu_time};
pub use hex::{from_hex, hex};
pub use noise::Noise;

/// Returns whether tests repeat what they do as often as before a release: with `FORMWORK_THOROUGH=1`.
#[must_use]
pub fn is_thorough() -> bool {
    std::env::var_os("FORMWORK_THOROUGH").is_some_and(|value| value == "1")
}

/// Returns how often a test repeats what it does: `usual` times on a change, `thorough` times before a release.
#[must_use]
pub fn rounds<T>(usual: T, thorough: T) -> T {
    if is_thorough() { thorough } else { usual }
}

/// Returns the folder of the repository.
///
/// # Panics
///
/// Panics if the tests run without the repository.
#[must_use]
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in crates/")
}

/// Returns the folder `formats/`.
#[must_use]
pub fn formats() -> PathBuf {
    repository().join("formats")
}

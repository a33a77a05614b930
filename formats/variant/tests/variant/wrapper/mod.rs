//! Compressed and encrypted files: those of the real engines, vectors, words that lie.

mod contents;
mod engines;
mod hostile;
mod make;
mod vectors;

use formwork_testkit::from_hex;

/// The bytes of `store_var(42)` in Godot 3.3 and later.
fn forty_two() -> Vec<u8> {
    from_hex("08000000 02000000 2a000000")
}

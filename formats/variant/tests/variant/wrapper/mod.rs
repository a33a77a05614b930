//! Compressed and encrypted files: those of the real engines, vectors, words that lie.

mod contents;
mod engines;
mod hostile;
mod make;
mod vectors;

/// Bytes from hexadecimal digits with blanks between.
fn hex(digits: &str) -> Vec<u8> {
    let digits: String = digits.split_whitespace().collect();
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).expect("hex digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

/// The bytes of `store_var(42)` in Godot 3.3 and later.
fn forty_two() -> Vec<u8> {
    hex("08000000 02000000 2a000000")
}

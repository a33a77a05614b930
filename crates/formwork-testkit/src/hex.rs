//! Hexadecimal digits.

use std::fmt::Write as _;

/// Returns the bytes as lower-case digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns the bytes that the digits mean. White space between them counts for nothing.
///
/// # Panics
///
/// Panics at anything else, and at an odd number of digits.
#[must_use]
pub fn from_hex(text: &str) -> Vec<u8> {
    let digit = |letter: char| letter.to_digit(16).expect("a hexadecimal digit") as u8;
    let digits: Vec<u8> =
        text.chars().filter(|letter| !letter.is_whitespace()).map(digit).collect();
    assert!(digits.len().is_multiple_of(2), "an odd number of digits: {text}");
    digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
}

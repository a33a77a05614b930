//! Texts of Windows programs.

use std::borrow::Cow;

/// The characters of the bytes 0x80 to 0x9F in Windows-1252, as in the WHATWG's encoding standard: the five bytes
/// without a character in the code page become the control characters of the same number, so that every byte is a
/// character and every text leads back to its bytes.
const WINDOWS_1252: [char; 32] = [
    '\u{20AC}', '\u{81}', '\u{201A}', '\u{192}', '\u{201E}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2C6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', '\u{8D}', '\u{17D}', '\u{8F}',
    '\u{90}', '\u{2018}', '\u{2019}', '\u{201C}', '\u{201D}', '\u{2022}', '\u{2013}', '\u{2014}',
    '\u{2DC}', '\u{2122}', '\u{161}', '\u{203A}', '\u{153}', '\u{9D}', '\u{17E}', '\u{178}',
];

/// Returns the text of some bytes: UTF-8, otherwise Windows-1252.
#[must_use]
pub fn to_str(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => bytes.iter().map(|&byte| char_of(byte)).collect::<String>().into(),
    }
}

fn char_of(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS_1252[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Returns the byte of a character, if Windows-1252 has it.
#[must_use]
pub fn byte_of(character: char) -> Option<u8> {
    match u8::try_from(character) {
        Ok(byte @ (0..=0x7F | 0xA0..)) => Some(byte),
        _ => {
            let position = WINDOWS_1252.iter().position(|&known| known == character)?;
            u8::try_from(position + 0x80).ok()
        }
    }
}

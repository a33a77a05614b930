//! Text in UTF-16, as PowerShell and some editors of Windows write it.

use std::borrow::Cow;

use formwork::{Error, Result};

use crate::rule;

/// The order of the two bytes of a unit.
type ReadUnit = fn([u8; 2]) -> u16;

/// Returns a text as it is, or in UTF-8 (after a byte order mark) if it is in UTF-16 of either order. UTF-16 is known by
/// its byte order mark, or by the zeros of its first two letters.
///
/// # Errors
///
/// [`rule::ENCODING`] if a text in UTF-16 ends within a unit, or has a surrogate without its counterpart. The offset counts in
/// the bytes.
///
/// ```
/// use formwork_terrain::in_utf8;
///
/// assert_eq!(&*in_utf8(b"\xFF\xFE\"\0a\0\"\0")?, b"\xEF\xBB\xBF\"a\"");
/// assert_eq!(&*in_utf8(b"\"caf\xE9\"")?, b"\"caf\xE9\"");
/// # Ok::<(), formwork::Error>(())
/// ```
pub fn in_utf8(text: &[u8]) -> Result<Cow<'_, [u8]>> {
    let (units, read): (&[u8], ReadUnit) = match text {
        [0xFF, 0xFE, units @ ..] => (units, u16::from_le_bytes),
        [0xFE, 0xFF, units @ ..] => (units, u16::from_be_bytes),
        [1..=0x7F, 0, 1..=0x7F, 0, ..] => (text, u16::from_le_bytes),
        [0, 1..=0x7F, 0, 1..=0x7F, ..] => (text, u16::from_be_bytes),
        _ => return Ok(Cow::Borrowed(text)),
    };
    let start = text.len() - units.len();
    let (units, rest) = units.as_chunks::<2>();
    let mut offset = start as u64;
    let mut all = String::from('\u{FEFF}');
    for letter in char::decode_utf16(units.iter().map(|unit| read(*unit))) {
        let letter = letter.map_err(|half| {
            let found = format!("half of one, {:#06x}", half.unpaired_surrogate());
            Error::new(rule::ENCODING, offset, "a character in UTF-16", found)
        })?;
        offset += 2 * letter.len_utf16() as u64;
        all.push(letter);
    }
    if !rest.is_empty() {
        return Err(Error::new(
            rule::ENCODING,
            offset,
            "a unit of UTF-16, of two bytes",
            "one byte",
        ));
    }
    Ok(Cow::Owned(all.into_bytes()))
}

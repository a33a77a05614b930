//! The one list of texts, characters and numbers at which readers fail, for all code that makes values or damages
//! packets.

use arbitrary::{Result, Unstructured};

use super::choice::{below, one_of};

/// The oddity or fault of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Trouble {
    /// Characters of each length in UTF-8, the first and last of them, and some that are none.
    Character,
    /// A zero byte.
    Zero,
    /// A byte order mark.
    Mark,
    /// Halves of a character in UTF-16, alone or as a pair.
    Surrogate,
    /// More bytes than the character takes.
    Overlong,
    /// A number above the last of Unicode.
    BeyondUnicode,
    /// A byte that starts no character.
    Stray,
    /// A character without its end, alone or before a letter.
    Cut,
    /// Text with a meaning in the text forms of values, in paths or in languages.
    Meaning,
}

/// Whether a text is tested alone when all texts are tested.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Alone {
    /// Not: others like it are.
    No,
    /// Once.
    Once,
    /// At each distance from the next multiple of four.
    AtEachDistance,
}

/// A text that readers stumble over.
#[derive(Clone, Copy, Debug)]
pub struct OddText {
    /// Its bytes, which need not be valid text.
    pub bytes: &'static [u8],
    /// The oddity of the text.
    pub trouble: Trouble,
    /// Whether the text is tested alone.
    pub alone: Alone,
}

const fn odd(trouble: Trouble, bytes: &'static [u8]) -> OddText {
    OddText { bytes, trouble, alone: Alone::Once }
}

const fn everywhere(trouble: Trouble, bytes: &'static [u8]) -> OddText {
    OddText { bytes, trouble, alone: Alone::AtEachDistance }
}

const fn more(trouble: Trouble, bytes: &'static [u8]) -> OddText {
    OddText { bytes, trouble, alone: Alone::No }
}

/// Every text that readers stumble over.
///
/// The order of those that are tried alone is that of the enumeration, whose numbers people note down.
pub const TEXTS: &[OddText] = &[
    everywhere(Trouble::Character, "é".as_bytes()),
    everywhere(Trouble::Character, "€".as_bytes()),
    everywhere(Trouble::Character, "😀".as_bytes()),
    everywhere(Trouble::Zero, b"\0"),
    everywhere(Trouble::Mark, b"\xef\xbb\xbf"),
    odd(Trouble::Zero, b"\0a"),
    odd(Trouble::Zero, b"a\0b"),
    odd(Trouble::Mark, b"\xef\xbb\xbfa"),
    // The first and last of each length; around the surrogates; no characters.
    odd(Trouble::Character, b"\x7f"),
    odd(Trouble::Character, b"\xc2\x80"),
    odd(Trouble::Character, b"\xdf\xbf"),
    odd(Trouble::Character, b"\xe0\xa0\x80"),
    odd(Trouble::Character, b"\xed\x9f\xbf"),
    odd(Trouble::Character, b"\xee\x80\x80"),
    odd(Trouble::Character, b"\xef\xbf\xbd"),
    odd(Trouble::Character, b"\xef\xbf\xbe"),
    odd(Trouble::Character, b"\xef\xbf\xbf"),
    odd(Trouble::Character, b"\xf0\x90\x80\x80"),
    odd(Trouble::Character, b"\xf4\x8f\xbf\xbf"),
    // High, low, a pair, the wrong way round.
    odd(Trouble::Surrogate, b"\xed\xa0\x80"),
    odd(Trouble::Surrogate, b"\xed\xbf\xbf"),
    odd(Trouble::Surrogate, b"\xed\xa0\xbd\xed\xb8\x80"),
    odd(Trouble::Surrogate, b"\xed\xb8\x80\xed\xa0\xbd"),
    odd(Trouble::Overlong, b"\xc0\x80"),
    odd(Trouble::Overlong, b"\xc1\xbf"),
    odd(Trouble::Overlong, b"\xe0\x80\x80"),
    odd(Trouble::Overlong, b"\xe0\x9f\xbf"),
    odd(Trouble::Overlong, b"\xf0\x80\x80\x80"),
    odd(Trouble::Overlong, b"\xf0\x8f\xbf\xbf"),
    // Forms of five and six bytes, too.
    odd(Trouble::BeyondUnicode, b"\xf4\x90\x80\x80"),
    odd(Trouble::BeyondUnicode, b"\xf7\xbf\xbf\xbf"),
    odd(Trouble::BeyondUnicode, b"\xf8\x88\x80\x80\x80"),
    odd(Trouble::BeyondUnicode, b"\xfb\xbf\xbf\xbf\xbf"),
    odd(Trouble::BeyondUnicode, b"\xfc\x84\x80\x80\x80\x80"),
    odd(Trouble::BeyondUnicode, b"\xfd\xbf\xbf\xbf\xbf\xbf"),
    odd(Trouble::Stray, b"\xfe"),
    odd(Trouble::Stray, b"\xff"),
    odd(Trouble::Stray, b"\x80"),
    odd(Trouble::Stray, b"\xbf"),
    everywhere(Trouble::Cut, b"\xc2"),
    everywhere(Trouble::Cut, b"\xe2\x82"),
    everywhere(Trouble::Cut, b"\xf0\x9f\x98"),
    odd(Trouble::Cut, b"\xc2a"),
    odd(Trouble::Cut, b"\xe2\x82a"),
    odd(Trouble::Cut, b"\xf0\x9f\x98a"),
    odd(Trouble::Meaning, b"\""),
    odd(Trouble::Meaning, b"\\"),
    odd(Trouble::Meaning, b"\n"),
    odd(Trouble::Meaning, b"/"),
    odd(Trouble::Meaning, b":"),
    odd(Trouble::Meaning, b".."),
    odd(Trouble::Meaning, b"__proto__"),
    odd(Trouble::Meaning, b"%s%n"),
    // A slash that filters do not see; the longest forms of it.
    more(Trouble::Overlong, b"\xe0\x80\xaf"),
    more(Trouble::Overlong, b"\xf0\x80\x80\xaf"),
    more(Trouble::Overlong, b"\xf8\x80\x80\x80\xaf"),
    more(Trouble::Overlong, b"\xfc\x80\x80\x80\x80\xaf"),
    more(Trouble::Cut, b"\xe2"),
    more(Trouble::Cut, b"\xf4"),
    // Other encodings: a byte order mark of UTF-16, a letter of Latin-1.
    more(Trouble::Stray, b"\xff\xfe"),
    more(Trouble::Cut, b"\xe9"),
    more(Trouble::Meaning, b"\r\n"),
    more(Trouble::Meaning, b"constructor"),
    more(Trouble::Meaning, b"a.b[0]"),
    more(Trouble::Meaning, b"#5"),
];

/// Returns one of the odd texts that a test chooses; an empty one if it chooses none.
///
/// # Errors
///
/// Returns the errors of [`Unstructured`].
pub fn text(
    u: &mut Unstructured<'_>,
    is_wanted: impl Fn(&OddText) -> bool,
) -> Result<&'static [u8]> {
    let wanted = || TEXTS.iter().filter(|text| is_wanted(text));
    let chosen = below(u, wanted().count().max(1))?;
    Ok(wanted().nth(chosen).map_or(&[], |text| text.bytes))
}

/// Characters by number: the first and last of each length in UTF-8, those around the surrogates, and a few that are
/// not characters; after them the numbers that only lax engines hold: surrogates, and numbers above Unicode's last.
const CHARACTERS: &[u32] = &[
    0x1,
    0x1f,
    0x20,
    0x7e,
    0x7f,
    0x80,
    0xa0,
    0xe9,
    0xff,
    0x100,
    0x7ff,
    0x800,
    0x20ac,
    0xd7ff,
    0xe000,
    0xfdd0,
    0xfffd,
    0xfffe,
    0xffff,
    0x1_0000,
    0x1_f600,
    0xf_ffff,
    0x10_0000,
    0x10_ffff,
    // Lax engines only.
    0xd800,
    0xdbff,
    0xdc00,
    0xdfff,
    0x11_0000,
    0x1f_ffff,
    0x20_0000,
    0x3ff_ffff,
    0x400_0000,
    0x7fff_ffff,
];

/// Returns the numbers of characters of Unicode, and those that only lax engines hold.
pub(super) fn characters() -> (&'static [u32], &'static [u32]) {
    CHARACTERS.split_at(CHARACTERS.partition_point(|number| char::from_u32(*number).is_some()))
}

/// Texts with a meaning in the text forms of values: quotes, escapes, separators, keywords.
pub const MEANINGFUL: &[&str] = &[
    "\"",
    "\\",
    "'",
    "\n",
    "\r",
    "\t",
    "\u{1}",
    "\u{8}",
    "\u{c}",
    "\u{b}",
    "\u{1b}",
    "\u{7f}",
    "/",
    ":",
    "//",
    "..",
    ".",
    "@",
    "$",
    "%",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    " ",
    "#",
    "&",
    "&\"",
    "^\"",
    "\\u0041",
    "\\n",
    "null",
    "nan",
    "inf",
    "-inf",
    "true",
    "0x10",
    "1e5",
    "-0",
    "$float",
    "$Vector2",
    "res://a.gd",
    "user://",
    "\u{feff}",
    "\u{2028}",
];

/// Counts and sizes at which 32-bit arithmetic ends.
pub const COUNTS: &[u32] = &[
    0x0000_ffff,
    0x0001_0000,
    0x00ff_ffff,
    0x0100_0000,
    // Times 4, 8, 12, 16 the product is more than 32 bits hold.
    0x0fff_ffff,
    0x1000_0000,
    0x1000_0001,
    0x1555_5556,
    0x1fff_ffff,
    0x2000_0000,
    0x2000_0001,
    0x3fff_ffff,
    0x4000_0000,
    0x4000_0001,
    // Rounded up to a multiple of four they turn negative, or to zero.
    0x7fff_fffc,
    0x7fff_fffd,
    0x7fff_ffff,
    0xffff_fffc,
    0xffff_fffd,
    0xffff_fffe,
    0xffff_ffff,
    // Only the sign, or the mark of a shared container.
    0x8000_0000,
    0x8000_0001,
];

/// Words beside those: small ones, those around narrower words, products with 3, 5, 10 and 48.
const WORDS: &[u32] = &[
    0,
    1,
    2,
    3,
    0x7f,
    0xff,
    0x100,
    0x7fff,
    0x1_0001,
    0x0555_5556,
    0x1999_999a,
    0x5555_5555,
    0x5555_5556,
    0x7fff_fffe,
    0x8000_0004,
    0xffff_fffb,
];

/// Returns a word at which readers fail: one of [`COUNTS`], or another near the limits of words with or without a
/// sign.
///
/// # Errors
///
/// Returns the errors of [`Unstructured`].
pub fn word(u: &mut Unstructured<'_>) -> Result<u32> {
    let chosen = below(u, COUNTS.len() + WORDS.len())?;
    Ok(COUNTS.iter().chain(WORDS).nth(chosen).copied().unwrap_or_default())
}

/// Returns one of [`COUNTS`].
///
/// # Errors
///
/// Returns the errors of [`Unstructured`].
pub fn count(u: &mut Unstructured<'_>) -> Result<u32> {
    one_of(u, COUNTS).copied()
}

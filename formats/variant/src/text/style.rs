//! The differences between the engines' printers, and between their readers of text, as data.

use crate::Dialect;
use crate::dialect::TextStyle;

/// The number of digits of a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Digits {
    /// C's `%g`.
    Six,
    /// As many as Grisu2 gives.
    Shortest,
}

/// The spelling of minus infinity.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Infinity {
    /// As C prints it, `-inf`; a NaN keeps its sign too.
    Signed,
    /// `inf_neg`, which the engine's parser knows.
    Named,
}

/// The order in which the keys of a dictionary are printed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum KeyOrder {
    /// As in Godot 3, but a NaN is less than any value and any value is less than a NaN: Godot 2.1 is compiled with
    /// arithmetic that does not know NaN.
    Godot2,
    /// By type number, then by Godot 3's `<` (also in Pandemonium), in which arrays compare in an unusual way.
    Godot3,
    /// Like [`Godot3`](Self::Godot3), but components of vectors, other than the last, that are nearly equal count as equal.
    Godot3_2,
    /// By type number, then by Godot 4's `<`.
    Godot4,
    /// Like [`Godot4`](Self::Godot4), but String and StringName are one type.
    StringsTogether,
}

/// An engine's printer, and its reader of the printed text.
#[derive(Debug)]
pub(super) struct Style {
    /// The text inside parentheses and brackets at both ends.
    pub(super) blank: &'static str,
    pub(super) empty_dictionary: &'static str,
    pub(super) digits: Digits,
    pub(super) infinity: Infinity,
    /// Whether a NaN is printed as 0: Godot 2.1 is compiled with arithmetic that takes a NaN for 0.
    pub(super) nan_is_zero: bool,
    /// The floats that get no `.0` though they have neither point nor exponent.
    pub(super) without_point: &'static [&'static [u8]],
    /// The value of a float is cut to single precision first.
    pub(super) floats_are_single: bool,
    /// Whole vectors go through the printer of floats, which cuts large ones to six digits.
    pub(super) whole_vectors_are_float: bool,
    /// Containers that may surround one that is still printed with its content.
    pub(super) depth: Option<usize>,
    /// Whether RID, Callable and Signal print as an empty text.
    pub(super) nothing_printed: bool,
    /// Bytes are printed as base64.
    pub(super) base64: bool,
    /// The character before the quotes of a StringName.
    pub(super) string_name: u8,
    /// The characters that may come before the quotes of a StringName in a text that is read.
    pub(super) string_name_read: &'static [u8],
    /// Reads `Array[...](...)` and `Dictionary[...](...)`.
    pub(super) reads_typed_containers: bool,
    /// Reads `\U` and six hexadecimal digits as a character.
    pub(super) reads_six_digit_escapes: bool,
    /// Reads colours after a `#` as CSS does: a digit may be short for two, and the opacity comes last. Elsewhere it
    /// comes first.
    pub(super) reads_css_colors: bool,
    /// A `?` in escaped strings gets a backslash.
    pub(super) escapes_question_mark: bool,
    pub(super) key_order: KeyOrder,
}

const GODOT2: Style = Style {
    blank: " ",
    empty_dictionary: "{\n\n}",
    digits: Digits::Six,
    infinity: Infinity::Signed,
    nan_is_zero: true,
    without_point: &[],
    floats_are_single: true,
    whole_vectors_are_float: false,
    depth: None,
    nothing_printed: true,
    base64: false,
    string_name: b'&',
    string_name_read: b"",
    reads_typed_containers: false,
    reads_six_digit_escapes: false,
    reads_css_colors: false,
    escapes_question_mark: true,
    key_order: KeyOrder::Godot2,
};

const GODOT3: Style = Style {
    nan_is_zero: false,
    without_point: &[b"inf", b"nan"],
    key_order: KeyOrder::Godot3,
    ..GODOT2
};

const GODOT3_2: Style = Style { key_order: KeyOrder::Godot3_2, ..GODOT3 };

const NAMED: &[&[u8]] = &[b"inf", b"inf_neg", b"nan"];

const GODOT3_5: Style = Style {
    empty_dictionary: "{\n}",
    infinity: Infinity::Named,
    without_point: NAMED,
    depth: Some(100),
    ..GODOT3
};

const PANDEMONIUM: Style = Style {
    whole_vectors_are_float: true,
    base64: true,
    string_name: b'@',
    string_name_read: b"@",
    ..GODOT3_5
};

const GODOT4: Style = Style {
    blank: "",
    empty_dictionary: "{}",
    floats_are_single: false,
    // Pandemonium's mark, too.
    string_name_read: b"&@",
    reads_typed_containers: true,
    reads_six_digit_escapes: true,
    reads_css_colors: true,
    escapes_question_mark: false,
    key_order: KeyOrder::Godot4,
    ..GODOT3_5
};

const GODOT4_2: Style = Style { nothing_printed: false, ..GODOT4 };

const GODOT4_4: Style = Style { key_order: KeyOrder::StringsTogether, ..GODOT4_2 };

const GODOT4_5: Style = Style { digits: Digits::Shortest, ..GODOT4_4 };

impl Style {
    /// The printer of the dialect's engine.
    pub(super) const fn of(dialect: Dialect) -> &'static Self {
        match dialect.quirks().text {
            TextStyle::Godot2 => &GODOT2,
            TextStyle::Godot3 => &GODOT3,
            TextStyle::Godot3_2 => &GODOT3_2,
            TextStyle::Godot3_5 => &GODOT3_5,
            TextStyle::Pandemonium => &PANDEMONIUM,
            TextStyle::Godot4 => &GODOT4,
            TextStyle::Godot4_2 => &GODOT4_2,
            TextStyle::Godot4_4 => &GODOT4_4,
            TextStyle::Godot4_5 => &GODOT4_5,
        }
    }
}

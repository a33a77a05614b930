//! Writes and reads the engines' own text form of values: the output of `var2str` (Godot 2 and 3, Pandemonium) and
//! `var_to_str` (Godot 4), byte for byte.
//!
//! ```
//! use formwork_variant::Dialect;
//! use formwork_variant::text::{from_text, to_text};
//! use formwork_variant::Variant;
//!
//! let value = from_text(&"[1, Vector2(0.5, 2)]".into(), Dialect::GODOT4)?;
//! assert_eq!(to_text(&value, Dialect::GODOT3), "[ 1, Vector2( 0.5, 2 ) ]");
//! assert_eq!("{\"a\": 1}".parse::<Variant>()?.to_string(), "{\n\"a\": 1\n}");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # Information that the text loses
//!
//! - Before Godot 4.5 numbers have six digits. Godot 2, 3 and Pandemonium cut the value of a float
//!   to single precision first, and Pandemonium prints the components of Vector2i and its like as
//!   floats. The sign of zero is lost everywhere; Godot 2.1 prints a NaN as 0.
//! - Keys are sorted: by type number, then within a type.
//! - Godot 3.5 and later, 4 and Pandemonium print values with more than 101 containers around them as empty.
//! - A RID, Callable or Signal is printed as nothing before Godot 4.2 (reading reports the gap); later a Callable or
//!   Signal is printed without its object and method.
//! - Godot 2 prints every object as null, most input events as `InputEvent()` and the position of a joystick's axis
//!   as a whole number. Godot 3 and 4 print placeholders (see [`Object::Id`](crate::Object::Id)) as objects of class
//!   EncodedObjectAsID.
//! - `\a` and `\v`, which the printers write in names and string arrays, are read by the engines' parsers as the
//!   letters.
//!
//! # Accepted texts
//!
//! Reading accepts everything that the engine's parser accepts. It also accepts the printer's output that the parser
//! refuses, as long as it is unambiguous: `-inf`, `nan` and `inf.0` of Godot 2 and 3, class names that are no
//! identifiers, Pandemonium's typed arrays. Objects are data; nothing is loaded or created. Neither printing nor
//! reading recurses, so depth costs no stack. Numbers are read exactly; the engines' own readers can be off by one
//! in the last place.
//!
//! (Sources: the printers and parsers of Godot 2.1, 3.x, 4.x and Pandemonium, and the output of the engines in
//! `formats/*/golden`.)

#![deny(clippy::wildcard_enum_match_arm)]

mod construct;
mod grisu;
mod number;
mod order;
mod parse;
pub mod rule;
mod scan;
mod style;
mod write;

use std::fmt;
use std::marker::PhantomData;
use std::str::FromStr;

use crate::Dialect;
use crate::{Real, Variant, VariantString};
use formwork::{Error, Result};

/// The key of the Dictionary that means a reference, see [`TextForm::references`].
pub const KEPT: &str = "$text";

/// Returns the text that a value means, if it is a reference: see [`TextForm::references`].
#[must_use]
pub fn kept_text<R: Real>(value: &Variant<R>) -> Option<&VariantString> {
    write::kept(value.as_dictionary()?)
}

/// Returns the text that the dialect's engine prints for a value.
///
/// The text is UTF-8, except for strings of Godot 2 or 3 that are not. A value that the dialect lacks is
/// nevertheless printed in its style.
#[must_use]
pub fn to_text<R: Real>(value: &Variant<R>, dialect: Dialect) -> VariantString {
    TextForm::new(dialect).in_precision().write(value)
}

/// Reads a text as the dialect's engine does. Blanks and comments may follow the value.
///
/// # Errors
///
/// Returns an error if the text is no value ([`rule::SYNTAX`]), if more text follows the value
/// ([`Rule::INPUT_TRAILING`](formwork::Rule::INPUT_TRAILING)), or if the value nests more deeply than the engine
/// reads ([`Rule::DEPTH_LIMIT`](formwork::Rule::DEPTH_LIMIT)). Offsets are in bytes of the text.
pub fn from_text(text: &VariantString, dialect: Dialect) -> Result<Variant> {
    TextForm::new(dialect).read(text)
}

/// The text form of one dialect, for values of either precision.
///
/// Reads and writes values of single precision; [`double`](Self::double) makes one for those of double precision.
///
/// ```
/// use formwork_variant::Dialect;
/// use formwork_variant::text::TextForm;
///
/// let text = TextForm::new(Dialect::GODOT4).double();
/// let value = text.read(&"Vector2(0.1, 0.2)".into())?;
/// assert_eq!(text.write(&value), "Vector2(0.1, 0.2)");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextForm<R: Real = f32> {
    dialect: Dialect,
    references: bool,
    precision: PhantomData<fn() -> R>,
}

impl TextForm {
    /// The text form of a dialect.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect, references: false, precision: PhantomData }
    }
}

impl<R: Real> TextForm<R> {
    /// Reads and writes values of double precision instead.
    #[must_use]
    pub const fn double(self) -> TextForm<f64> {
        self.in_precision()
    }

    /// Reads and writes values of another precision instead: for code that is generic over it.
    #[must_use]
    pub const fn in_precision<S: Real>(self) -> TextForm<S> {
        TextForm { dialect: self.dialect, references: self.references, precision: PhantomData }
    }

    /// Chooses whether references are read and written: `Resource("res://a.png")`, `ExtResource("1")`,
    /// `SubResource(2)`, in Godot 2 also `key(Space)`, which only a file or an engine can follow.
    ///
    /// A reference becomes a Dictionary with its text, under [`KEPT`].
    ///
    /// ```
    /// use formwork_variant::Dialect;
    /// use formwork_variant::text::TextForm;
    ///
    /// let text = TextForm::new(Dialect::GODOT4).references(true);
    /// let value = text.read(&"[1, ExtResource(\"2\")]".into())?;
    /// assert_eq!(value.at("1").unwrap()["$text"], "ExtResource(\"2\")");
    /// assert_eq!(text.write(&value), "[1, ExtResource(\"2\")]");
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub const fn references(mut self, references: bool) -> Self {
        self.references = references;
        self
    }

    /// Reads a text as the dialect's engine does, see [`from_text`].
    ///
    /// # Errors
    ///
    /// As [`from_text`].
    pub fn read(&self, text: &VariantString) -> Result<Variant<R>> {
        parse::parse(text, self.dialect, self.references)
    }

    /// Returns the text that the dialect's engine prints for a value, as [`to_text`] does.
    #[must_use]
    pub fn write(&self, value: &Variant<R>) -> VariantString {
        let bytes = write::write(value, self.dialect, self.references);
        VariantString::from_decoded(String::from_utf8(bytes).map_err(|error| error.into_bytes()))
    }
}

impl<R: Real> Variant<R> {
    /// Displays the value as the dialect's engine prints it. Characters that are not Unicode are shown as U+FFFD;
    /// [`to_text`] keeps them.
    pub fn display(&self, dialect: Dialect) -> impl fmt::Display + '_ {
        Displayed { value: self, dialect }
    }
}

struct Displayed<'a, R: Real> {
    value: &'a Variant<R>,
    dialect: Dialect,
}

impl<R: Real> fmt::Display for Displayed<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&to_text(self.value, self.dialect), f)
    }
}

/// The value as the newest Godot 4 prints it.
impl<R: Real> fmt::Display for Variant<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.display(Dialect::GODOT4), f)
    }
}

/// The value that the newest Godot 4 reads from a text.
impl FromStr for Variant {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        from_text(&text.into(), Dialect::GODOT4)
    }
}

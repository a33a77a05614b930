//! Values as people type them: JSON, the engine's text, or a bare word.

use super::mend;
use formwork::Result;
use formwork::document;
use formwork_records::limits::Limits;
use formwork_variant::json::{Json, Style, to_json};
use formwork_variant::text::TextForm;
use formwork_variant::{Array, Dialect, Real, TypedArray, Variant, VariantString, VariantType};

/// Reads values as people type them.
///
/// ```
/// use formwork_edit::Literals;
/// use formwork_variant::{Dialect, VariantType, Variant, variant};
///
/// let literals = Literals::new(Dialect::GODOT4);
/// // A number stays a float where a float is, and a bare word is a text where a text is.
/// assert_eq!(literals.like("7", &variant!(1.5)), Some(variant!(7.0)));
/// assert_eq!(literals.like("7", &variant!("Ada")), Some(variant!("7")));
/// assert_eq!(literals.like("Ada", &variant!(1.5)), None);
///
/// let point = literals.of_type::<f32>("1, 2", VariantType::Vector2);
/// assert_eq!(point.unwrap().to_string(), "Vector2(1, 2)");
/// assert_eq!(literals.any::<f32>("Vector2(1, 2)").unwrap().to_string(), "Vector2(1, 2)");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Literals {
    dialect: Dialect,
    limits: Limits,
    references: bool,
}

impl Literals {
    /// Reads values of a dialect, with the usual limits.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, limits: Limits::default(), references: false }
    }

    /// Chooses whether references are values, see [`TextForm::references`].
    #[must_use]
    pub const fn references(mut self, references: bool) -> Self {
        self.references = references;
        self
    }

    /// Sets the limits of values.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Reads a value that replaces `old`: it has the type of `old`, the types of elements that `old` declares, and
    /// floats where `old` has floats. [`None`] if the text is no value of that type.
    #[must_use]
    pub fn like<R: Real>(&self, text: &str, old: &Variant<R>) -> Option<Variant<R>> {
        let mut new = self.of_type(text, old.variant_type())?;
        keep_marks(old, &mut new);
        mend(old, &mut new, self.dialect);
        Some(new)
    }

    /// Reads a value of a type. A text needs no quotation marks, and a vector no name: `1, 2`.
    #[must_use]
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other type is read by its name")]
    pub fn of_type<R: Real>(&self, text: &str, variant_type: VariantType) -> Option<Variant<R>> {
        let word = text.trim();
        match variant_type {
            VariantType::Bool => word.parse().ok().map(Variant::Bool),
            VariantType::Int => integer(word).map(Variant::Int),
            VariantType::Float => number(word).map(Variant::Float),
            VariantType::String => Some(Variant::String(content(text, &["\""]))),
            VariantType::StringName => {
                Some(Variant::StringName(content(text, &["\"", "&\"", "@\""])))
            }
            VariantType::NodePath => match self.any(text) {
                Some(path @ Variant::NodePath(_)) => Some(path),
                _ => {
                    let path = content(text, &["\"", "^\""]);
                    self.text(&format!("NodePath({})", document::Json::from(path.as_str()?))).ok()
                }
            },
            variant_type => {
                let name = self.dialect.type_name(variant_type);
                let found = self.any(text).filter(|found| is_like(variant_type, found));
                // The numbers alone, such as [1, 2], or bytes in base64.
                let tagged = || {
                    let is_bytes = variant_type == VariantType::PackedByteArray;
                    let is_numbers = is_bytes || variant_type.numbers().is_some();
                    let is_list = word.starts_with('[') && is_numbers
                        || word.starts_with('"') && is_bytes
                        || variant_type == VariantType::PackedStringArray;
                    let list = match is_list {
                        true => word.to_owned(),
                        false if is_numbers => bare_numbers(word)?,
                        false => return None,
                    };
                    self.json(&format!("{{\"${name}\":{list}}}")).ok()
                };
                found.or_else(tagged)
            }
        }
    }

    /// Reads JSON or the engine's text.
    #[must_use]
    pub fn any<R: Real>(&self, text: &str) -> Option<Variant<R>> {
        let found: Variant<R> = self.json(text).or_else(|_| self.text(text)).ok()?;
        // An engine reads too large numbers in its text form as infinity.
        let words = text.split(|it: char| !it.is_ascii_alphanumeric());
        let is_word =
            |it: &&str| ["inf", "infinity"].iter().any(|inf| it.eq_ignore_ascii_case(inf));
        let json = to_json(&found, self.dialect, Style::Compact);
        let made = [r#""inf""#, r#""-inf""#].map(|inf| json.matches(inf).count());
        (made.iter().sum::<usize>() <= words.filter(is_word).count()).then_some(found)
    }

    /// Returns whether a number is too large for a float, or so small that it becomes zero.
    #[must_use]
    pub fn is_beyond(word: &str) -> bool {
        let Ok(number) = word.parse::<f64>() else { return false };
        let has_digits =
            |digits: &[char]| word.split(['e', 'E']).next().is_some_and(|it| it.contains(digits));
        match number {
            number if number.is_infinite() => word.contains(|c: char| c.is_ascii_digit()),
            0.0 => has_digits(&['1', '2', '3', '4', '5', '6', '7', '8', '9']),
            _ => false,
        }
    }

    fn json<R: Real>(&self, text: &str) -> Result<Variant<R>> {
        Json::lossless(self.dialect).in_precision().limits(self.limits).read(text.as_bytes())
    }

    fn text<R: Real>(&self, text: &str) -> Result<Variant<R>> {
        let form = TextForm::new(self.dialect).references(self.references);
        form.in_precision().read(&text.into())
    }
}

/// Reads numbers without a type, `5, 6` or `(5, 6)`, as a list.
fn bare_numbers(word: &str) -> Option<String> {
    let inside = word.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(word);
    let is_list = inside.contains(',') && inside.split(',').all(|it| number(it.trim()).is_some());
    is_list.then(|| format!("[{inside}]"))
}

/// Returns whether a value has a type, or gets it with the marks of the old value.
fn is_like<R: Real>(variant_type: VariantType, value: &Variant<R>) -> bool {
    let own = value.variant_type();
    let is_typed = matches!(variant_type, VariantType::TypedArray | VariantType::PackedTypedArray);
    own == variant_type || (is_typed && own == VariantType::Array)
}

/// Reads a whole number, in hexadecimal after `0x`.
fn integer(word: &str) -> Option<i64> {
    let (sign, digits) = match word.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", word),
    };
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        // The sign comes before the prefix `0x`.
        Some(digits) if digits.starts_with(['+', '-']) => None,
        Some(digits) => i64::from_str_radix(&format!("{sign}{digits}"), 16).ok(),
        None => word.parse().ok(),
    }
}

fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|_| !Literals::is_beyond(word))
}

/// Returns the string that a text means: the content of its quotation marks, if it is in some, or the text itself.
fn content(text: &str, marks: &[&str]) -> VariantString {
    let quoted = marks.iter().find_map(|mark| {
        let rest = text.trim().strip_prefix(mark)?;
        match document::Json::read(format!("\"{rest}").as_bytes()) {
            Ok(document::Json::String(content)) => Some(content),
            _ => None,
        }
    });
    quoted.unwrap_or_else(|| text.to_owned()).into()
}

/// Copies to a container the properties of the old one that a text cannot express.
fn keep_marks<R: Real>(old: &Variant<R>, new: &mut Variant<R>) {
    let elements = |new: &mut Variant<R>| {
        if let Variant::Array(array) = new { std::mem::take(array) } else { Array::new() }
    };
    match (old, &mut *new) {
        (Variant::Array(old), Variant::Array(array)) => {
            if array.element_type().is_none() {
                array.set_element_type(old.element_type().cloned());
            }
            array.set_shared(old.is_shared());
        }
        (Variant::Dictionary(old), Variant::Dictionary(pairs)) => {
            if pairs.key_type().is_none() && pairs.value_type().is_none() {
                pairs.set_types(old.key_type().cloned(), old.value_type().cloned());
            }
            pairs.set_shared(old.is_shared());
        }
        (Variant::TypedArray(old), Variant::Array(_)) => {
            let (element, elements) = (old.element.clone(), elements(new));
            *new = Variant::TypedArray(Box::new(TypedArray { element, elements }));
        }
        (Variant::PackedTypedArray(old), Variant::Array(_)) => {
            let (element, elements) = (old.element.clone(), elements(new));
            *new = Variant::PackedTypedArray(Box::new(TypedArray { element, elements }));
        }
        _ => {}
    }
}

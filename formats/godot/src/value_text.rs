//! Text of one value, as an engine prints it: a file that a script wrote with `var2str` (`var_to_str` in Godot 4).
//!
//! ```
//! use formwork_godot::value_text::ValueText;
//! use formwork_variant::Variant;
//!
//! let text = ValueText::new(b"{\n\"at\": Vector2(1, 2),\n\"hp\": 7\n}\n").unwrap();
//! let mut value: Variant = text.read()?;
//! value["hp"] = 100.into();
//! assert_eq!(text.with_value(&value), "{\n\"at\": Vector2(1, 2),\n\"hp\": 100\n}\n");
//! # Ok::<(), formwork::Error>(())
//! ```

use formwork_edit::convert::{Converter, Loss};
use formwork_variant::dialect::Precision;
use formwork_variant::text::TextForm;
use formwork_variant::{Dialect, Real, Variant};

use crate::detect::{self, Other};
use formwork::Result;

/// A text that is one value.
#[derive(Clone, Copy, Debug)]
pub struct ValueText<'t> {
    text: &'t str,
    dialect: Dialect,
    is_exact: bool,
}

impl<'t> ValueText<'t> {
    /// Returns bytes as the text of a value, in the dialect of the newest engine that prints it so; [`None`] if they are
    /// none, or JSON.
    #[must_use]
    pub fn new(bytes: &'t [u8]) -> Option<Self> {
        if !matches!(detect::text(bytes), Some(Other::Json | Other::Text)) {
            return None;
        }
        let text = std::str::from_utf8(bytes).ok()?;
        // (A file of another kind is rarely read far.)
        let families = ["godot4", "godot3", "pandemonium", "godot2"].map(str::parse::<Dialect>);
        let read = families.into_iter().flatten().filter_map(|dialect| {
            let value = read::<f32>(text, dialect).ok()?;
            (!has_only_types_of_json(&value)).then_some(dialect)
        });
        let read: Vec<Dialect> = read.collect();
        let newest = *read.first()?;
        let of_family = |family| Dialect::all().filter(move |it| it.family() == family);
        let releases = read.iter().flat_map(|it| of_family(it.family()).collect::<Vec<_>>());
        let mut tried = read.iter().copied().chain(releases);
        let exact = tried.find(|&dialect| is_exact(text, dialect));
        Some(Self { text, dialect: exact.unwrap_or(newest), is_exact: exact.is_some() })
    }

    /// Returns the text as that of another engine.
    #[must_use]
    pub fn of(self, dialect: Dialect) -> Self {
        Self { dialect, is_exact: is_exact(self.text, dialect), ..self }
    }

    /// Returns the dialect of the text.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Whether the engine would print the value the same way.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the value.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is no value in its dialect, which it is if no other was [chosen](Self::of).
    pub fn read<R: Real>(&self) -> Result<Variant<R>> {
        read(self.text, self.dialect)
    }

    /// Returns the text of the value as another engine prints it, and passes what the value loses to `note`.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn converted(&self, to: Dialect, note: &mut dyn FnMut(Loss)) -> Result<String> {
        match (self.dialect.precision(), to.precision()) {
            (Precision::Single, Precision::Single) => self.ported::<f32, f32>(to, note),
            (Precision::Single, Precision::Double) => self.ported::<f32, f64>(to, note),
            (Precision::Double, Precision::Single) => self.ported::<f64, f32>(to, note),
            (Precision::Double, Precision::Double) => self.ported::<f64, f64>(to, note),
        }
    }

    fn ported<R: Real, S: Real>(&self, to: Dialect, note: &mut dyn FnMut(Loss)) -> Result<String> {
        let converter = Converter::new(self.dialect, to).in_precision::<S>();
        let new = converter.convert_noting(self.read::<R>()?, note);
        Ok(TextForm::new(to).in_precision::<S>().write(&new).to_string_lossy().into_owned())
    }

    /// Returns the text of another value, with the blanks before and after it that are there. The old value gives the same
    /// text.
    #[must_use]
    pub fn with_value<R: Real>(&self, value: &Variant<R>) -> String {
        if self.read::<R>().is_ok_and(|old| old.is_identical(value)) {
            return self.text.to_owned();
        }
        let inside = self.text.trim();
        let start = self.text.len() - self.text.trim_start().len();
        let new = TextForm::new(self.dialect).in_precision::<R>().write(value);
        let new = new.to_string_lossy();
        format!("{}{new}{}", &self.text[..start], &self.text[start + inside.len()..])
    }
}

fn read<R: Real>(text: &str, dialect: Dialect) -> Result<Variant<R>> {
    TextForm::new(dialect).in_precision().read(&text.trim().into())
}

fn is_exact(text: &str, dialect: Dialect) -> bool {
    let form = TextForm::new(dialect).double();
    form.read(&text.trim().into()).is_ok_and(|value| form.write(&value) == text.trim())
}

/// Whether all types in a value are types of JSON, too. (Engines read JSON with a comma at the end of a list as text of a
/// value.)
fn has_only_types_of_json<R: Real>(value: &Variant<R>) -> bool {
    let mut left = vec![value];
    while let Some(value) = left.pop() {
        match value {
            Variant::Nil | Variant::Bool(_) | Variant::Int(_) | Variant::String(_) => {}
            Variant::Float(number) if number.is_finite() => {}
            Variant::Array(array) if array.element_type().is_none() => left.extend(array),
            Variant::Dictionary(pairs) if pairs.key_type().is_none() => {
                if !pairs.keys().all(|key| matches!(key, Variant::String(_))) {
                    return false;
                }
                left.extend(pairs.values());
            }
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_is_the_one_that_prints_the_text_so() {
        let engine = |text: &str| ValueText::new(text.as_bytes()).map(|it| it.dialect().name());
        assert_eq!(
            engine("{\n\"gold\": 3,\n\"pos\": Vector2(1, 2)\n}").as_deref(),
            Some("godot4.7")
        );
        assert_eq!(engine("Vector2( 1, 2 )\n").as_deref(), Some("godot3.6"));
        assert_eq!(engine("PoolIntArray( 1, 2 )").as_deref(), Some("godot3.6"));
        // JSON is none, and neither is other text.
        for text in
            ["{\"a\": 1}", "[1, 2,]", "5", "\"text\"", "true", "hello", "a = Vector2(1, 2)", ""]
        {
            assert_eq!(engine(text), None, "{text}");
        }
    }

    #[test]
    fn the_old_value_keeps_its_text_and_blanks_stay() {
        let text = "  { \"at\": Vector2( 1.50, 2 ),\n}  \n";
        let read = ValueText::new(text.as_bytes()).expect("it is a value");
        let value: Variant = read.read().expect("it is a value");
        assert_eq!(read.with_value(&value), text);
        let new = read.with_value::<f32>(&5.into());
        assert_eq!(new, "  5  \n");
    }
}

//! Values from what people type, and as people read them.

use std::fmt;

use super::field_type::{OwnType, TextForm};
use super::numbers::{FieldNumber, NumberSink, NumberSource, OwnValue};
use super::record::ObjectPointer;
use super::{FieldType, Object, Text, Value};
use crate::rule;
use formwork::{Error, Result};

impl Value {
    /// Reads a value of a type from a text.
    ///
    /// | type | texts |
    /// | --- | --- |
    /// | whole numbers | `7`, `-1`, and in hexadecimal the bits: `0xFFAA00FF` |
    /// | signed char | besides, a character: `N` |
    /// | bool | `true`, `false`, or the byte as a number |
    /// | float, double | `1.5`, `1e-3`, `nan`, `inf` |
    /// | string | the text as it is |
    /// | arrays of numbers | `1, 2.5, 3`, also in `[ ]` |
    /// | empty | nothing |
    ///
    /// ```
    /// use formwork_alb1::{FieldType, Value};
    ///
    /// assert_eq!(Value::parse(FieldType::SignedInt, "-7")?, Value::SignedInt(-7));
    /// assert_eq!(Value::parse(FieldType::SignedLong, "0xFFFFFFFF")?, Value::SignedLong(-1));
    /// assert!(Value::parse(FieldType::Bool, "maybe").is_err());
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the text is no value of the type, or if the type has no text form: an array of fields or
    /// bytes, an object, a pointer, a pair.
    pub fn parse(field_type: FieldType, text: &str) -> Result<Self> {
        let word = text.trim();
        let value = match Self::from_numbers(field_type, Typed { field_type, word }) {
            Ok(value) => value.ok(),
            Err(OwnType::Bool) => match word {
                "true" => Some(1),
                "false" => Some(0),
                number => parsed(number),
            }
            .map(Self::Bool),
            Err(OwnType::String) => Text::new(text).map(Self::String),
            Err(OwnType::Empty) => word.is_empty().then_some(Self::Empty),
            Err(OwnType::Array | OwnType::Object | OwnType::ObjectPointer | OwnType::Pair) => {
                let expected = "a type that a text stands for: a number, bool, string or numbers";
                return Err(Error::new(rule::VALUE, 0, expected, field_type.name()));
            }
        };
        value.ok_or_else(|| {
            let expected = match field_type {
                FieldType::String => "a text in Windows-1252".into(),
                FieldType::Empty => "no text, as the field is empty".into(),
                other => format!("a value of type {other}"),
            };
            Error::new(rule::VALUE, 0, expected, format!("{text:?}"))
        })
    }
}

/// Typed text for a number or numbers.
struct Typed<'t> {
    field_type: FieldType,
    word: &'t str,
}

/// The typed text is no number of the type.
struct NoNumber;

impl NumberSource for Typed<'_> {
    type Error = NoNumber;

    fn number<N: FieldNumber>(self) -> Result<N, NoNumber> {
        let number = parsed(self.word).or_else(|| match self.field_type.text_form() {
            TextForm::Plain | TextForm::BitRange => None,
            TextForm::Letter => {
                let text = Text::new(self.word)?;
                let &[byte] = text.as_bytes() else { return None };
                Some(N::of_low_bits(byte.into()))
            }
        });
        number.ok_or(NoNumber)
    }

    fn numbers<N: FieldNumber>(self) -> Result<Box<[N]>, NoNumber> {
        numbers(self.word, parsed).ok_or(NoNumber)
    }
}

/// A number, or the bits of a whole one in hexadecimal.
fn parsed<N: FieldNumber>(word: &str) -> Option<N> {
    let bits = if N::REAL { None } else { bits(word, 8 * size_of::<N>() as u32) };
    bits.map(N::of_low_bits).or_else(|| word.parse().ok().filter(|number| !overflows(word, number)))
}

/// Returns whether a number is infinite because the one in the text is too large for it.
fn overflows<N: FieldNumber>(word: &str, number: &N) -> bool {
    number.as_f64().is_infinite() && word.contains(|c: char| c.is_ascii_digit())
}

/// Reads an integer of `width` bits in hexadecimal.
fn bits(word: &str, width: u32) -> Option<u64> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?;
    // A sign is not a digit, but the standard library takes one.
    let digits =
        Some(digits).filter(|digits| digits.starts_with(|c: char| c.is_ascii_hexdigit()))?;
    let bits = u64::from_str_radix(digits, 16).ok()?;
    (bits <= u64::MAX >> (64 - width)).then_some(bits)
}

/// Numbers between commas.
fn numbers<T>(word: &str, number: impl Fn(&str) -> Option<T>) -> Option<Box<[T]>> {
    let inside = match word.strip_prefix('[') {
        Some(inside) => inside.strip_suffix(']')?,
        None => word,
    };
    if inside.trim().is_empty() {
        return Some(Box::default());
    }
    inside.split(',').map(|word| number(word.trim())).collect()
}

/// Numbers, texts, `true` and `false` as [`Value::parse`] reads them, with NaN as `NaN`; of other values what they are.
///
/// ```
/// use formwork_alb1::{Text, Value};
///
/// assert_eq!(Value::ArrayOfFloat([1.5, -2.0].into()).to_string(), "1.5, -2");
/// assert_eq!(Value::from(Text::new("asphalt").unwrap()).to_string(), "asphalt");
/// assert_eq!(Value::Array(vec![]).to_string(), "an array of 0 fields");
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.give_numbers(Shown(f)) {
            Ok(shown) => shown,
            Err(OwnValue::Bool(byte @ (0 | 1))) => write!(f, "{}", *byte == 1),
            Err(OwnValue::Bool(byte)) => write!(f, "{byte}"),
            Err(OwnValue::String(text)) => f.write_str(&text.to_str()),
            Err(OwnValue::Array(fields)) => write!(f, "an array of {} fields", fields.len()),
            Err(OwnValue::Raw(bytes)) => write!(f, "{} bytes", bytes.len()),
            Err(OwnValue::Object(Object { class, address, fields })) => {
                write!(f, "an object of class {class} at {address:#x} of {} fields", fields.len())
            }
            Err(OwnValue::ObjectPointer(ObjectPointer { class, address })) => {
                write!(f, "a pointer to an object of class {class} at {address:#x}")
            }
            Err(OwnValue::Pair(_)) => f.write_str("a pair"),
            Err(OwnValue::Empty) => Ok(()),
        }
    }
}

/// Prints numbers.
struct Shown<'f, 'g>(&'f mut fmt::Formatter<'g>);

impl NumberSink for Shown<'_, '_> {
    type Output = fmt::Result;

    fn number<N: FieldNumber>(self, number: N) -> fmt::Result {
        write!(self.0, "{number}")
    }

    fn numbers<N: FieldNumber>(self, numbers: &[N]) -> fmt::Result {
        for (position, number) in numbers.iter().enumerate() {
            let comma = if position > 0 { ", " } else { "" };
            write!(self.0, "{comma}{number}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_the_field_does_not_reach_is_none() {
        for word in ["1e39", "-1e39", "1e400", "340282366920938463463374607431768211456"] {
            assert_eq!(parsed::<f32>(word), None, "{word}");
        }
        assert_eq!(parsed::<f64>("1e400"), None);
        assert_eq!(parsed("1e39"), Some(1e39));
        assert_eq!(
            [parsed("inf"), parsed("-infinity")],
            [Some(f32::INFINITY), Some(-f32::INFINITY)]
        );
        assert_eq!(parsed("0.1"), Some(0.1_f32));
    }
}

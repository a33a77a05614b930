//! Values from what people type.

use super::{FieldType, Text, Value};
use crate::alb1::rule;
use crate::error::{Error, Result};

impl Value {
    /// The value of a type that a text stands for.
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
    /// use formwork::alb1::{FieldType, Value};
    ///
    /// assert_eq!(Value::parse(FieldType::SignedInt, "-7")?, Value::SignedInt(-7));
    /// assert_eq!(Value::parse(FieldType::SignedLong, "0xFFFFFFFF")?, Value::SignedLong(-1));
    /// assert!(Value::parse(FieldType::Bool, "maybe").is_err());
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where the text is no value of the type, or the type is one that no text stands for: an array of
    /// fields or bytes, an object, a pointer, a pair.
    pub fn parse(field_type: FieldType, text: &str) -> Result<Self> {
        let word = text.trim();
        let value = match field_type {
            FieldType::SignedChar => signed::<i8, u8>(word)
                .or_else(|| {
                    let text = Text::new(word)?;
                    let &[byte] = text.as_bytes() else { return None };
                    Some(byte as i8)
                })
                .map(Self::SignedChar),
            FieldType::UnsignedChar => unsigned(word).map(Self::UnsignedChar),
            FieldType::SignedShort => signed::<i16, u16>(word).map(Self::SignedShort),
            FieldType::UnsignedShort => unsigned(word).map(Self::UnsignedShort),
            FieldType::SignedInt => signed::<i32, u32>(word).map(Self::SignedInt),
            FieldType::UnsignedInt => unsigned(word).map(Self::UnsignedInt),
            FieldType::SignedLong => signed::<i32, u32>(word).map(Self::SignedLong),
            FieldType::UnsignedLong => unsigned(word).map(Self::UnsignedLong),
            FieldType::Bool => match word {
                "true" => Some(1),
                "false" => Some(0),
                number => unsigned(number),
            }
            .map(Self::Bool),
            FieldType::Float => word.parse().ok().map(Self::Float),
            FieldType::Double => word.parse().ok().map(Self::Double),
            FieldType::String => Text::new(text).map(Self::String),
            FieldType::ArrayOfSignedShort => {
                numbers(word, signed::<i16, u16>).map(Self::ArrayOfSignedShort)
            }
            FieldType::ArrayOfSignedInt => {
                numbers(word, signed::<i32, u32>).map(Self::ArrayOfSignedInt)
            }
            FieldType::ArrayOfFloat => {
                numbers(word, |word| word.parse().ok()).map(Self::ArrayOfFloat)
            }
            FieldType::ArrayOfDouble => {
                numbers(word, |word| word.parse().ok()).map(Self::ArrayOfDouble)
            }
            FieldType::Empty => word.is_empty().then_some(Self::Empty),
            FieldType::Array | FieldType::Object | FieldType::ObjectPointer | FieldType::Pair => {
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

/// A whole number, or its bits in hexadecimal.
fn signed<T, U>(word: &str) -> Option<T>
where
    T: std::str::FromStr + bytemuck::NoUninit + bytemuck::AnyBitPattern,
    U: TryFrom<u64> + bytemuck::NoUninit,
{
    match bits::<U>(word) {
        Some(bits) => Some(bytemuck::cast(bits)),
        None => word.parse().ok(),
    }
}

/// A whole number that is not negative, in hexadecimal, too.
fn unsigned<T: std::str::FromStr + TryFrom<u64>>(word: &str) -> Option<T> {
    bits(word).or_else(|| word.parse().ok())
}

fn bits<T: TryFrom<u64>>(word: &str) -> Option<T> {
    let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?;
    // A sign is not a digit, but the standard library takes one.
    let digits =
        Some(digits).filter(|digits| digits.starts_with(|c: char| c.is_ascii_hexdigit()))?;
    u64::from_str_radix(digits, 16).ok()?.try_into().ok()
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

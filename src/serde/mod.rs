//! Errors of serde and of the code of user types, as [`Error`]s: an [`Error`] is the error of a serde format.

pub mod rule;

use std::fmt::Display;

use ::serde::{de, ser};

use crate::error::{Error, Rule};

/// Returns an error without an offset, which the reader adds.
fn nowhere(rule: Rule, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(rule, 0, expected, found).nowhere()
}

/// Returns names as a list: `a`, `b` or `c`.
fn one_of(names: &[&str]) -> String {
    match names {
        [] => "none, as there are none".into(),
        [name] => format!("`{name}`"),
        [first @ .., last] => format!("`{}` or `{last}`", first.join("`, `")),
    }
}

impl ser::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        nowhere(rule::MESSAGE, "", message.to_string())
    }
}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Self {
        nowhere(rule::MESSAGE, "", message.to_string())
    }

    fn invalid_type(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        nowhere(rule::TYPE, expected.to_string(), found.to_string())
    }

    fn invalid_value(found: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        nowhere(rule::VALUE, expected.to_string(), found.to_string())
    }

    fn invalid_length(length: usize, expected: &dyn de::Expected) -> Self {
        nowhere(rule::LENGTH, expected.to_string(), format!("{length} elements"))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        nowhere(rule::VARIANT, one_of(expected), format!("the variant `{variant}`"))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        nowhere(rule::FIELD, one_of(expected), format!("the field `{field}`"))
    }

    fn missing_field(field: &'static str) -> Self {
        nowhere(rule::FIELD, format!("the field `{field}`"), "none")
    }

    fn duplicate_field(field: &'static str) -> Self {
        nowhere(rule::FIELD, format!("the field `{field}` once"), "it twice")
    }
}

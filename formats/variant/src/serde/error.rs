//! What serde and the code of user types say about faults, as [`Error`]s.

use std::fmt::Display;

use ::serde::{de, ser};

use crate::error::{Error, Rule};
use crate::serde::rule;

/// An error of which nobody said yet where it is.
fn nowhere(rule: Rule, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(rule, Error::NOWHERE, expected, found)
}

/// `a`, `b` or `c`.
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

//! `#[serde(with = "formwork_variant::serde::string_name")]`: a string field as a StringName. Godot 4 and
//! Pandemonium.
//!
//! Reading takes a String, too, as every string field takes a StringName.

use ::serde::de::{Deserialize, Deserializer};
use ::serde::ser::Serializer;

use super::types::named;
use crate::VariantType;

/// Serializes a text as a StringName.
///
/// # Errors
///
/// Returns an error if the serializer fails.
pub fn serialize<S: Serializer>(text: impl AsRef<str>, serializer: S) -> Result<S::Ok, S::Error> {
    named(serializer, VariantType::StringName, text.as_ref())
}

/// Deserializes a text.
///
/// # Errors
///
/// Returns an error if there is no text.
pub fn deserialize<'de, T: From<String>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer).map(T::from)
}

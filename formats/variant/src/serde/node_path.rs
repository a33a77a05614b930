//! `#[serde(with = "formwork_variant::serde::node_path")]`: a string field as a NodePath.
//!
//! Reading takes a String, too. A path that its text does not reproduce (a name that holds a `/`) is refused; a
//! field of type [`NodePath`] holds it.

use ::serde::de::{Deserialize, Deserializer};
use ::serde::ser::{Serialize, Serializer};

use crate::NodePath;

/// Serializes a text as the path that it is.
///
/// # Errors
///
/// Returns an error if the serializer fails.
pub fn serialize<S: Serializer>(text: impl AsRef<str>, serializer: S) -> Result<S::Ok, S::Error> {
    NodePath::parse(&text.as_ref().into()).serialize(serializer)
}

/// Deserializes the text of a path.
///
/// # Errors
///
/// Returns an error if there is no path, or its text does not give it back.
pub fn deserialize<'de, T: From<String>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    String::deserialize(deserializer).map(T::from)
}

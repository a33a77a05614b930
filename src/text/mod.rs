//! The engines' own text form of values.
mod base64;
mod grisu;
mod number;
mod order;
mod style;
mod write;

use crate::Dialect;
use crate::variant::{Real, Variant, VariantString};

/// The text of a value.
#[must_use]
pub fn to_text<R: Real>(value: &Variant<R>, dialect: Dialect) -> VariantString {
    let bytes = write::write(value, dialect);
    VariantString::from_decoded(String::from_utf8(bytes).map_err(|error| error.into_bytes()))
}

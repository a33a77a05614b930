//! The components of the math types.

#![deny(clippy::wildcard_enum_match_arm)]

use crate::VariantType;
use formwork_records::schema::Field;

/// Returns the declared components of a math type; [`None`] for other types.
pub(super) const fn components(variant_type: VariantType) -> Option<&'static [Field]> {
    match variant_type.numbers() {
        Some(numbers) if numbers.element.is_none() => Some(numbers.components),
        Some(_) | None => None,
    }
}

/// Returns the number of components of a math type; [`None`] for other types.
pub(super) const fn count(variant_type: VariantType) -> Option<usize> {
    match components(variant_type) {
        Some(components) => Some(components.len()),
        None => None,
    }
}

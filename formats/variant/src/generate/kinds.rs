//! The possible types of a value.

use super::Types;
use crate::VariantType;
use crate::dialect::{Dialect, ObjectForms};

/// A list of types, in the order of the dialect's table. It does not allocate: one list is made for each value.
pub(super) struct Kinds {
    types: [VariantType; VariantType::ALL.len()],
    count: usize,
}

impl Kinds {
    const NONE: Self = Self { types: [VariantType::Nil; VariantType::ALL.len()], count: 0 };

    /// The allowed types that hold no values, and those that do.
    pub(super) fn of(dialect: Dialect, allowed: Types) -> [Self; 2] {
        // Godot 2's objects are always null.
        let hold_nothing = dialect.quirks().objects == ObjectForms::HeaderOnly;
        let (mut leaves, mut containers) = (Self::NONE, Self::NONE);
        for row in dialect.rows() {
            let variant_type = row.variant_type;
            if !allowed.contains(variant_type) {
                continue;
            }
            let holds = variant_type.holds_values()
                && !(hold_nothing && variant_type == VariantType::Object);
            if holds { containers.add(variant_type) } else { leaves.add(variant_type) }
        }
        [leaves, containers]
    }

    fn add(&mut self, variant_type: VariantType) {
        if let Some(place) = self.types.get_mut(self.count) {
            *place = variant_type;
            self.count += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[VariantType] {
        self.types.get(..self.count).unwrap_or_default()
    }
}

/// The number of a type in a set of types.
impl From<VariantType> for u8 {
    fn from(variant_type: VariantType) -> Self {
        variant_type as Self
    }
}

// A set of types has a bit for each.
const _: () = assert!(VariantType::ALL.len() <= u64::BITS as usize);

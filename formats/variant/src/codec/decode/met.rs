//! The types of values in a packet in which the releases of one engine differ.

use crate::{Front, VariantType};

/// The types of the values that a walk visited.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Met {
    /// A bit for each type.
    types: u64,
    /// Whether there is a typed container.
    typed: bool,
}

const _: () = assert!(VariantType::ALL.len() <= u64::BITS as usize, "types have a bit each");

impl Met {
    /// No types.
    pub const NOTHING: Self = Self { types: 0, typed: false };

    const fn bit(variant_type: VariantType) -> u64 {
        1 << variant_type as u8
    }

    #[inline(always)]
    pub(crate) const fn note(&mut self, variant_type: VariantType) {
        self.types |= Self::bit(variant_type);
    }

    #[inline(always)]
    pub(crate) fn note_front(&mut self, front: &Front) {
        self.typed |= front.types.iter().any(Option::is_some);
    }

    /// Adds the types of another walk.
    pub const fn add(&mut self, other: Self) {
        self.types |= other.types;
        self.typed |= other.typed;
    }

    /// Returns whether there is a value of this type.
    pub const fn has(self, variant_type: VariantType) -> bool {
        self.types & Self::bit(variant_type) != 0
    }

    /// Returns whether there is a typed container.
    pub const fn has_typed(self) -> bool {
        self.typed
    }

    /// Returns whether all values are null.
    pub const fn is_null(self) -> bool {
        self.types == Self::bit(VariantType::Nil)
    }
}

//! What a walk through values came to, as far as releases of one engine may differ in it.

use crate::{Front, VariantType};

/// What a walk came to.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Met {
    /// A bit for each type.
    types: u64,
    /// A container says what it holds.
    typed: bool,
}

const _: () = assert!(VariantType::ALL.len() <= u64::BITS as usize, "types have a bit each");

impl Met {
    /// Nothing yet.
    pub(super) const NOTHING: Self = Self { types: 0, typed: false };

    const fn bit(variant_type: VariantType) -> u64 {
        1 << variant_type as u8
    }

    #[inline(always)]
    pub(super) const fn note(&mut self, variant_type: VariantType) {
        self.types |= Self::bit(variant_type);
    }

    #[inline(always)]
    pub(super) fn note_front(&mut self, front: &Front) {
        self.typed |= front.types.iter().any(Option::is_some);
    }

    /// Adds what another walk came to.
    pub(crate) const fn add(&mut self, other: Self) {
        self.types |= other.types;
        self.typed |= other.typed;
    }

    /// Whether there is a value of this type.
    pub(crate) const fn has(self, variant_type: VariantType) -> bool {
        self.types & Self::bit(variant_type) != 0
    }

    /// Whether there is a container that says what it holds.
    pub(crate) const fn has_typed(self) -> bool {
        self.typed
    }

    /// Whether there is nothing but null.
    pub(crate) const fn is_null(self) -> bool {
        self.types == Self::bit(VariantType::Nil)
    }
}

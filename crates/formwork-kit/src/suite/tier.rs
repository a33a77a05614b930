//! The decoders that have to pass a vector.

use crate::named::named;

/// The decoders that have to pass a vector. Each vector is of one tier.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Tier {
    /// Every decoder, first: the few vectors that show nearly every known mistake, of all tiers.
    Smoke,
    /// Every decoder: what the engine writes, and cuts and wrong counts.
    Core,
    /// Those that read what the engine reads but would not write.
    Lenient,
    /// Those that refuse what the engine refuses.
    Strict,
    /// Those that read, or refuse, very long and very deep packets.
    Limits,
}

impl Tier {
    /// Every tier.
    pub const ALL: &'static [Self] =
        &[Self::Smoke, Self::Core, Self::Lenient, Self::Strict, Self::Limits];

    /// Returns the stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Core => "core",
            Self::Lenient => "lenient",
            Self::Strict => "strict",
            Self::Limits => "limits",
        }
    }
}

named! {
    Tier,
    /// No tier is called so.
    UnknownTier,
    "tier"
}

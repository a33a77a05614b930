//! The decoders that have to pass a vector.

use std::fmt;
use std::str::FromStr;

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

impl fmt::Display for Tier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No tier is called so.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownTier(String);

impl fmt::Display for UnknownTier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = Tier::ALL.iter().map(|tier| tier.name()).collect();
        write!(f, "there is no tier `{}`; there are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownTier {}

impl FromStr for Tier {
    type Err = UnknownTier;

    fn from_str(name: &str) -> Result<Self, UnknownTier> {
        let found = Self::ALL.iter().find(|tier| tier.name() == name);
        found.copied().ok_or_else(|| UnknownTier(name.to_owned()))
    }
}

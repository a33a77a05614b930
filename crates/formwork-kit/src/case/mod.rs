//! Packets for tests of decoders: numbered, from a seed, with what is known about them.

mod alb1;
mod breach;
mod cases;
mod chosen;
mod enumerate;
mod made;
mod make;
mod packets;
mod repeats;

pub use cases::Cases;
pub(crate) use chosen::Chosen;
pub(crate) use enumerate::{Enumeration, header_words, simplest};
pub(crate) use made::Made;
pub use repeats::Repeats;

use crate::named::named;

use crate::Format;
use formwork_variant::Rule;

/// The kind of packet that a case has.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Profile {
    /// One value alone: each type with each odd header and each boundary value. Comes first, once.
    Enumerate,
    /// Packets as an engine writes them.
    Valid,
    /// Packets that an engine reads, but would write in another form.
    Edge,
    /// Packets that were right but for one change, because of which an engine refuses them.
    NearValid,
    /// Bytes with much wrong: many rules broken, sizes that overflow, bombs.
    Hostile,
}

impl Profile {
    /// Every profile.
    pub const ALL: &'static [Self] =
        &[Self::Enumerate, Self::Valid, Self::Edge, Self::NearValid, Self::Hostile];

    /// The profile's stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Enumerate => "enumerate",
            Self::Valid => "valid",
            Self::Edge => "edge",
            Self::NearValid => "near-valid",
            Self::Hostile => "hostile",
        }
    }
}

named! {
    Profile,
    /// No profile is called so.
    UnknownProfile,
    "profile"
}

/// How the decoders that are tested read.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Reading {
    /// The format.
    pub format: Format,
    /// Whether objects in full form are accepted (Variant packets only).
    pub allow_objects: bool,
}

/// A rule that a packet breaks, and where.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Broken {
    /// The rule.
    pub rule: Rule,
    /// The byte at which a reader can tell: what our own error says.
    pub offset: u64,
}

/// One packet to test a decoder with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Case {
    /// Its position among all cases of its seed.
    pub number: u64,
    /// The kind of packet.
    pub profile: Profile,
    /// The type or record that it is about, in the words of the format: `Vector2`, `SignedShort`.
    pub subject: &'static str,
    /// The packet (or the ALB1 file).
    pub bytes: Vec<u8>,
    /// The rule that it breaks: always with [`Profile::NearValid`], where the engine's strictness
    /// refuses it; and with [`Profile::Edge`] where only the canonical strictness does.
    pub broken: Option<Broken>,
    /// Other bytes with the same meaning: what an engine writes for the value.
    pub pair: Option<Vec<u8>>,
}

impl Case {
    /// Returns the packets that a decoder is sent for it: its own and, where there is one, the other half
    /// of its pair.
    pub fn packets(&self) -> impl Iterator<Item = &[u8]> {
        std::iter::once(self.bytes.as_slice()).chain(self.pair.as_deref())
    }

    /// Returns the other half of the pair as a case by itself, which breaks no rule.
    pub(crate) fn other_half(&self) -> Option<Self> {
        let Self { number, profile, subject, .. } = *self;
        let bytes = self.pair.clone()?;
        Some(Self { number, profile, subject, bytes, broken: None, pair: None })
    }
}

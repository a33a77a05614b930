//! The parts around values in packets.

use formwork_variant::dialect::{Dialect, Family};

/// The parts around values in packets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Wrapping {
    /// No parts, and a single value.
    None,
    /// No parts, and one or several values in a datagram.
    Datagram,
    /// Godot 3.1 on, Pandemonium.
    Godot3,
    /// Godot 2.1 and 3.0.
    Godot2,
    /// Godot 4.
    Godot4,
}

impl Wrapping {
    /// The wrappings that packets of ENet may have, the likeliest first.
    pub(super) const OF_ENET: &'static [Self] =
        &[Self::Godot3, Self::None, Self::Godot2, Self::Godot4];

    /// Returns the family that is named if several read the same.
    pub(super) const fn family(self) -> Option<Family> {
        match self {
            Self::None | Self::Datagram => None,
            Self::Godot3 => Some(Family::Godot3),
            Self::Godot2 => Some(Family::Godot2),
            Self::Godot4 => Some(Family::Godot4),
        }
    }

    /// Whether the engines of a dialect wrap packets this way.
    pub(super) fn is_of(self, dialect: Dialect) -> bool {
        let family = dialect.family();
        match self {
            Self::None | Self::Datagram => true,
            Self::Godot3 => !matches!(family, Family::Godot4 | Family::Godot2),
            Self::Godot2 => matches!(family, Family::Godot2 | Family::Godot3),
            Self::Godot4 => family == Family::Godot4,
        }
    }
}

//! The roads that are placed on the map.

use super::class::classes;
use super::form::{Double, Doubles, DrivePath, Items, SignedInt};
use crate::Text;

classes! {
    /// The roads that are placed.
    "CRoadElement", Seen => pub struct PlacedRoads {
        /// The roads.
        pub roads: Vec<PlacedRoad> => Items<PlacedRoad>, "mroadGetRoads";
    }

    /// A road that is placed: a key part, and up to four chains of parts that continue from it. (What
    /// the chains are is what another program says.)
    "SKeyRoadElement", Seen => pub struct PlacedRoad {
        /// The direction of the key part, in degrees clockwise.
        pub orientation: f64 => Double, "orientation";
        /// How far it is above the ground.
        pub elevation: f64 => Double, "elevation";
        /// To the east and to the north, in metres.
        pub position: [f64; 2] => Doubles<2>, "mposition";
        /// The position of its type in the list of types.
        pub road: i32 => SignedInt, "roadid";
        /// The kind of its key part; see [`PartKind`].
        pub kind: i32 => SignedInt, "keypointtype";
        /// The model of its key part, as a path on the project drive.
        pub model: Text => DrivePath, "keypointname";
        /// The chain from the end of the key part.
        pub direction_a: Vec<RoadPart> => Items<RoadPart>, "directiona";
        /// The chain from the start of the key part.
        pub direction_b: Vec<RoadPart> => Items<RoadPart>, "directionb";
        /// The chain from the left arm of a crossroad.
        pub direction_c: Vec<RoadPart> => Items<RoadPart>, "directionc";
        /// The chain from the right arm of a crossroad.
        pub direction_d: Vec<RoadPart> => Items<RoadPart>, "directiond";
    }

    /// A part of a chain.
    "SRoadElement", Seen => pub struct RoadPart {
        /// The kind of the part; see [`PartKind`].
        pub kind: i32 => SignedInt, "type";
        /// Its position in the list of its type of road that the kind chooses.
        pub part: i32 => SignedInt, "id";
        /// Its model, as a path on the project drive.
        pub model: Text => DrivePath, "name";
    }
}

impl PlacedRoad {
    /// Its chains: from the end of the key part, from its start, from the left and from the right
    /// arm of a crossroad.
    #[must_use]
    pub fn chains(&self) -> [&[RoadPart]; 4] {
        [&self.direction_a, &self.direction_b, &self.direction_c, &self.direction_d]
    }
}

/// Kind of a part of a road.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum PartKind {
    /// 2: a crossroad. Not seen in a file.
    Crossroad,
    /// 3: a straight part.
    Straight,
    /// 6: the end of a road.
    Terminator,
    /// 7: a curve that is driven backwards.
    CurveBackwards,
    /// 8: a curve.
    Curve,
}

impl PartKind {
    /// Returns the kind with a number, if it is known.
    #[must_use]
    pub const fn of(number: i32) -> Option<Self> {
        Some(match number {
            2 => Self::Crossroad,
            3 => Self::Straight,
            6 => Self::Terminator,
            7 => Self::CurveBackwards,
            8 => Self::Curve,
            _ => return None,
        })
    }
}

//! The road tool's definitions: types of road and crossroads.

use super::class::classes;
use super::colour::ColourWord;
use super::form::{Bool, Double, DrivePath, Items, OfColour, SignedInt, Unknown, Words};
use crate::{Field, Text};

classes! {
    /// The parts of roads.
    "CRoadBase", Seen => pub struct RoadBase {
        /// The types of road. Placed roads and crossroads speak of them by their position.
        pub roads: Vec<RoadDefinition> => Items<RoadDefinition>, "mroad";
        /// The crossroads. No file seen has one.
        pub crossroads: Vec<CrossDefinition> => Items<CrossDefinition>, "mcross";
    }

    /// A type of road.
    "SRoadDefinition", Seen => pub struct RoadDefinition {
        /// Its name.
        pub name: Text => Words, "name";
        /// Whether key parts have a separate colour: `outline`. (According to another program.)
        pub coloured_key_parts: bool => Bool, "keyparts";
        /// Whether normal parts have a separate colour: `colour`. (According to another program.)
        pub coloured_normal_parts: bool => Bool, "normalparts";
        /// The colour of normal parts, in the order of [`RoadColour`](super::RoadColour).
        pub colour: ColourWord => OfColour, "color";
        /// The colour of key parts, in the order of [`RoadColour`](super::RoadColour).
        pub outline: ColourWord => OfColour, "outline";
        /// Whether a road is drawn as a full line.
        pub drawn_as_line: bool => Bool, "drawasfullline";
        /// The steepest angle.
        pub max_angle: f64 => Double, "maxangle";
        /// The steepest bank.
        pub max_bank: f64 => Double, "maxbankof";
        /// The straight parts.
        pub straights: Vec<RoadStraight> => Items<RoadStraight>, "straight";
        /// The curves.
        pub curves: Vec<RoadCurve> => Items<RoadCurve>, "curve";
        /// Special parts (class `SRoadSpecial`). No file seen has one.
        pub specials: Vec<Field> => Unknown, "special";
        /// The parts at the ends of roads.
        pub terminators: Vec<RoadTerminator> => Items<RoadTerminator>, "terminator";
    }

    /// A straight part of a road.
    "SRoadStraight", Seen => pub struct RoadStraight {
        /// Its name.
        pub name: Text => Words, "name";
        /// Its model, as a path on the project drive.
        pub model: Text => DrivePath, "objectfilefilename";
        /// Whether it may bank.
        pub can_bank: bool => Bool, "canbank";
        /// Its radius: 0.
        pub radius: f64 => Double, "radius";
    }

    /// A curve of a road.
    "SRoadCurve", Seen => pub struct RoadCurve {
        /// Its name.
        pub name: Text => Words, "name";
        /// Its model, as a path on the project drive.
        pub model: Text => DrivePath, "objectfilefilename";
        /// Its radius.
        pub radius: f64 => Double, "radius";
    }

    /// A part at the end of a road.
    "SRoadTerminator", Seen => pub struct RoadTerminator {
        /// Its name.
        pub name: Text => Words, "name";
        /// Its model, as a path on the project drive.
        pub model: Text => DrivePath, "objectfilefilename";
        /// Its radius.
        pub radius: f64 => Double, "radius";
    }

    /// A crossroad. No real file has one: this is what tv4p-road-tool reads and writes.
    "SCrossDefinition", Reported => pub struct CrossDefinition {
        /// Its name.
        pub name: Text => Words, "name";
        /// Its model, as a path on the project drive.
        pub model: Text => DrivePath, "objectfilefilename";
        /// 2 for a T, 3 for an X.
        pub kind: i32 => SignedInt, "type";
        /// Whether it has a separate colour.
        pub coloured: bool => Bool, "keyparts";
        /// Its colour, in the order of [`RoadColour`](super::RoadColour).
        pub colour: ColourWord => OfColour, "color";
        /// Whether it is drawn as a full line.
        pub drawn_as_line: bool => Bool, "drawasfullline";
        /// A smallest value.
        pub min: f64 => Double, "min";
        /// A largest value.
        pub max: f64 => Double, "max";
        /// A usual value.
        pub standard: f64 => Double, "standart";
        /// Whether it is aligned.
        pub align: bool => Bool, "align";
        /// The position of the type of road that continues from its first arm; -1 for none.
        pub connect_a: i32 => SignedInt, "connecta";
        /// The position of the type of road that continues from its second arm; -1 for none.
        pub connect_b: i32 => SignedInt, "connectb";
        /// The position of the type of road that continues from its third arm; -1 for none.
        pub connect_c: i32 => SignedInt, "connectc";
        /// The position of the type of road that continues from its fourth arm; -1 for none.
        pub connect_d: i32 => SignedInt, "connectd";
    }
}

impl CrossDefinition {
    /// The types of road of its four arms.
    pub fn connections_mut(&mut self) -> [&mut i32; 4] {
        [&mut self.connect_a, &mut self.connect_b, &mut self.connect_c, &mut self.connect_d]
    }
}

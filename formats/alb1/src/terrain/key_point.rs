//! Key points: the names of places.

use super::class::classes;
use super::colour::ColourWord;
use super::form::{Bool, Doubles, Float, Floats, Items, OfColour, SignedInt, Words};
use crate::Text;

classes! {
    /// The key points of a project.
    "CKeyPoint", Seen => pub struct KeyPoints {
        /// The key points.
        pub points: Vec<KeyPoint> => Items<KeyPoint>, "mkey";
    }

    /// A key point: the name of a place.
    "SKeyPoint", Seen => pub struct KeyPoint {
        /// The name of its class in the exported configuration.
        pub name: Text => Words, "name";
        /// The name that players see.
        pub text: Text => Words, "text";
        /// More properties for the exported configuration.
        pub properties: Text => Words, "properties";
        /// To the east and to the north, in metres.
        pub position: [f64; 2] => Doubles<2>, "mpos";
        /// Half its width and half its height, in metres.
        pub size: [f32; 2] => Floats<2>, "size";
        /// The colour of its area; in which order is not known.
        pub fill_colour: ColourWord => OfColour, "fillcolor";
        /// The colour of its border; in which order is not known.
        pub outline_colour: ColourWord => OfColour, "outlinecolor";
        /// The kind of place.
        pub kind: i32 => SignedInt, "id";
        /// How it is drawn.
        pub style: i32 => SignedInt, "style";
        /// Whether it is shown.
        pub visible: bool => Bool, "visible";
        /// By how much it is turned, in degrees.
        pub angle: f32 => Float, "angle";
    }
}

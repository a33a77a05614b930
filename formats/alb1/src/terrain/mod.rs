//! Classes of Terrain Builder's files: projects, object layers and shape layers, as structs over the generic
//! [`Document`](super::Document).
//!
//! Each class of Terrain Builder is declared once, with its fields in the order of the file; see
//! [`CLASSES`]. From the declaration follow the struct, how it is [read](Root::of) and how it is
//! [written back](Root::store_in): only what has changed, so that a document which is read and stored
//! without a change stays as it was, bit by bit, with everything in it that no class knows.
//!
//! ```
//! use formwork_alb1::Text;
//! use formwork_alb1::terrain::{Polygon, Root, Shape, ShapeLayer, Vertex};
//!
//! let mut layer = ShapeLayer::new(Text::new("fields").unwrap());
//! let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)].map(|(x, y)| Vertex::at(x, y));
//! layer.shapes.push(Shape::Polygon(Polygon::new(Text::new("first").unwrap(), corners.into())));
//!
//! let document = layer.to_document()?;
//! let read = ShapeLayer::of(&document)?;
//! assert_eq!(read.shapes[0].vertex_count(), Some(3));
//! # Ok::<(), formwork::Error>(())
//! ```

mod attribute;
mod class;
mod colour;
mod form;
mod frame;
mod hash;
mod key_point;
mod kind;
mod layer;
mod library;
mod pairs;
mod project;
mod road;
mod road_placed;
pub mod rule;
mod shape;
pub mod templates;
mod typed;
mod world;

pub use attribute::{Attribute, AttributeKind, Attributes};
pub use class::{Class, ClassField, Content, Known, PathKind, Tags};
pub use colour::{Colour, ColourWord, NotAColour, RoadColour};
pub use frame::{FrameConfiguration, MapFrame, MapFrames};
pub use hash::hash;
pub use key_point::{KeyPoint, KeyPoints};
pub use kind::FileKind;
pub use layer::{NamedObject, ObjectLayer};
pub use library::{Library, LibraryTemplate};
pub use pairs::Pairs;
pub use project::{CenterDelta, ObjectManager, Project};
pub use road::{
    CrossDefinition, RoadBase, RoadCurve, RoadDefinition, RoadStraight, RoadTerminator,
};
pub use road_placed::{PartKind, PlacedRoad, PlacedRoads, RoadPart};
pub use shape::{Polygon, Polyline, Shape, ShapeLayer, Vertex};
pub use templates::{Template, Templates};
pub use typed::{DATA, ITEM, KEY, Making, Names, PAIR, Root, Typed};
pub use world::{Raster, RasterKind, Rasters, World};

/// A class of which only the name is known.
const fn by_name(name: &'static str, doc: &'static str) -> Class {
    Class { name, doc, known: Known::ByName, fields: &[] }
}

/// Every class of Terrain Builder's dictionary, in its order.
pub const CLASSES: &[&Class] = &[
    Attribute::CLASS,
    Attributes::CLASS,
    Project::CLASS,
    &by_name("CAlphaManagedItem", "What layers have in common. No file has one."),
    ObjectLayer::CLASS,
    &by_name("CPointArea", "A shape that is a point, probably. No file has one."),
    Polygon::CLASS,
    Polyline::CLASS,
    ShapeLayer::CLASS,
    &by_name("SNamedSelection", "A named selection. No file has one."),
    CenterDelta::CLASS,
    ObjectManager::CLASS,
    FrameConfiguration::CLASS,
    MapFrame::CLASS,
    MapFrames::CLASS,
    KeyPoint::CLASS,
    KeyPoints::CLASS,
    RoadDefinition::CLASS,
    RoadStraight::CLASS,
    RoadCurve::CLASS,
    &by_name("SRoadSpecial", "A special part of a road. No file has one."),
    RoadTerminator::CLASS,
    CrossDefinition::CLASS,
    RoadBase::CLASS,
    PlacedRoads::CLASS,
    PlacedRoad::CLASS,
    RoadPart::CLASS,
    &by_name("CAreaVertex", "A vertex, probably. No file has one."),
    Vertex::CLASS,
    World::CLASS,
    Raster::CLASS,
    Rasters::CLASS,
];

/// The class with this name.
#[must_use]
pub fn class(name: &str) -> Option<&'static Class> {
    CLASSES.iter().copied().find(|class| class.name == name)
}

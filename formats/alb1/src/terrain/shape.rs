//! The root of a shape layer (`.tv4s`) and its shapes.

use super::attribute::Attributes;
use super::class::{Content, classes};
use super::colour::ColourWord;
use super::form::{
    Bool, Doubles, Element, Float, Items, Label, Nested, OfColour, UnsignedInt, Words,
};
use super::typed::{Making, Names, Root, Typed};
use crate::{Object, Text};
use formwork::Result;

classes! {
    /// A shape layer.
    "CAreaLayer", Seen => pub struct ShapeLayer {
        /// The name of the layer.
        pub name: Text => Words, "mname";
        /// Its place in the stack.
        pub priority: u32 => UnsignedInt, "mnPriority";
        /// Whether it is shown.
        pub visible: bool => Bool, "mbVisible";
        /// Whether it is locked.
        pub locked: bool => Bool, "mbLocked";
        /// Whether it is opaque.
        pub opaque: bool => Bool, "mbOpaque";
        /// The shapes.
        pub shapes: Vec<Shape> => Items<Shape>, "mareas";
        /// How opaque it is drawn, from 0 to 1.
        pub opacity: f32 => Float, "malpha";
        /// The map frame whose surfaces it is exported to.
        pub surface_frame: Text => Label, "msurfExportMapframeName";
        /// The surface it is exported as.
        pub surface_name: Text => Words, "msurfExportSurfName";
    }

    /// A polygon.
    "CPolygonalArea", Seen => pub struct Polygon {
        /// How many vertices.
        pub vertex_count: u32 => UnsignedInt, "mnVertexCount" (counts vertices);
        /// Its corners.
        pub vertices: Vec<Vertex> => Items<Vertex>, "mpVertices";
        /// Its attributes.
        pub attributes: Attributes => Nested<Attributes>, "mdata";
        /// By how much it is turned, in degrees.
        pub azimuth: f32 => Float, "mfAzimuth";
        /// Whether it is deleted.
        pub deleted: bool => Bool, "mdeleted";
        /// The colour of its outline.
        pub outline_colour: ColourWord => OfColour, "moutlineColor";
        /// The colour of its area.
        pub fill_colour: ColourWord => OfColour, "mfillColor";
        /// The colour of its pattern.
        pub pattern: ColourWord => OfColour, "mpattern";
        /// How wide its outline is drawn.
        pub outline_width: f32 => Float, "moutlineWidth";
        /// Its name.
        pub name: Text => Words, "mname";
    }

    /// A polyline.
    "CPolylineArea", Seen => pub struct Polyline {
        /// How many vertices.
        pub vertex_count: u32 => UnsignedInt, "mnCoreVerticesCount" (counts vertices);
        /// 10 or 14 in the files seen.
        pub radius: f32 => Float, "mfRadius";
        /// Its points.
        pub vertices: Vec<Vertex> => Items<Vertex>, "mpVertices";
        /// Its attributes.
        pub attributes: Attributes => Nested<Attributes>, "mdata";
        /// By how much it is turned, in degrees.
        pub azimuth: f32 => Float, "mfAzimuth";
        /// Whether it is deleted.
        pub deleted: bool => Bool, "mdeleted";
        /// The colour of its outline.
        pub outline_colour: ColourWord => OfColour, "moutlineColor";
        /// The colour of its area.
        pub fill_colour: ColourWord => OfColour, "mfillColor";
        /// The colour of its pattern.
        pub pattern: ColourWord => OfColour, "mpattern";
        /// How wide its outline is drawn.
        pub outline_width: f32 => Float, "moutlineWidth";
        /// Its name.
        pub name: Text => Words, "mname";
    }

    /// A point of a polygon or polyline.
    "CVertex", Seen => pub struct Vertex {
        /// To the east and to the north, in metres, and a height that is always 0.
        pub center: [f64; 3] => Doubles<3>, "center";
        /// Its colour.
        pub colour: ColourWord => OfColour, "mcolor";
    }
}

/// The colours of every shape seen.
const OUTLINE: u32 = 0xFFFF_FF00;
const FILL: u32 = 0xAAFF_00FF;
const PATTERN: u32 = 0xFFFF_FFFF;
const VERTEX: u32 = 0x60FF_FFFF;

impl Vertex {
    /// A vertex in the usual colour.
    #[must_use]
    pub fn at(x: f64, y: f64) -> Self {
        Self { address: 0, center: [x, y, 0.0], colour: VERTEX.into() }
    }
}

impl Polygon {
    /// A polygon without attributes, in the usual colours.
    #[must_use]
    pub fn new(name: Text, vertices: Vec<Vertex>) -> Self {
        Self {
            vertices,
            outline_colour: OUTLINE.into(),
            fill_colour: FILL.into(),
            pattern: PATTERN.into(),
            outline_width: 1.0,
            name,
            ..Self::default()
        }
    }
}

impl Polyline {
    /// A polyline without attributes, in the usual colours.
    #[must_use]
    pub fn new(name: Text, vertices: Vec<Vertex>) -> Self {
        Self {
            radius: 10.0,
            vertices,
            outline_colour: OUTLINE.into(),
            fill_colour: FILL.into(),
            pattern: PATTERN.into(),
            outline_width: 1.0,
            name,
            ..Self::default()
        }
    }
}

impl ShapeLayer {
    /// A layer without shapes, with the settings of a new one.
    #[must_use]
    pub fn new(name: Text) -> Self {
        Self { name, visible: true, opaque: true, opacity: 1.0, ..Self::default() }
    }
}

impl Root for ShapeLayer {}

/// A shape of a layer.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A polygon.
    Polygon(Polygon),
    /// A polyline.
    Polyline(Polyline),
    /// An object of another class, as it is. (The dictionary has `CPointArea`; no file has one.)
    Other(Object),
}

impl Shape {
    /// The name.
    #[must_use]
    pub fn name(&self) -> Option<&Text> {
        match self {
            Self::Polygon(polygon) => Some(&polygon.name),
            Self::Polyline(polyline) => Some(&polyline.name),
            Self::Other(_) => None,
        }
    }

    /// The points.
    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        match self {
            Self::Polygon(polygon) => &polygon.vertices,
            Self::Polyline(polyline) => &polyline.vertices,
            Self::Other(_) => &[],
        }
    }

    /// How many points the file says there are.
    #[must_use]
    pub fn vertex_count(&self) -> Option<u32> {
        match self {
            Self::Polygon(polygon) => Some(polygon.vertex_count),
            Self::Polyline(polyline) => Some(polyline.vertex_count),
            Self::Other(_) => None,
        }
    }

    /// Whether it is deleted: a shape of another class is not.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        match self {
            Self::Polygon(polygon) => polygon.deleted,
            Self::Polyline(polyline) => polyline.deleted,
            Self::Other(_) => false,
        }
    }

    /// The attributes.
    #[must_use]
    pub fn attributes(&self) -> Option<&Attributes> {
        match self {
            Self::Polygon(polygon) => Some(&polygon.attributes),
            Self::Polyline(polyline) => Some(&polyline.attributes),
            Self::Other(_) => None,
        }
    }
}

impl Element for Shape {
    const ELEMENT: Content = Content::AnyOf(&[Polygon::CLASS.name, Polyline::CLASS.name]);

    fn address(&self) -> u32 {
        match self {
            Self::Polygon(polygon) => polygon.address,
            Self::Polyline(polyline) => polyline.address,
            Self::Other(object) => object.address,
        }
    }

    fn read(object: &Object, names: &Names) -> Result<Self> {
        if names.is_class(object, Polygon::CLASS.name) {
            return Typed::read(object, names).map(Self::Polygon);
        }
        if names.is_class(object, Polyline::CLASS.name) {
            return Typed::read(object, names).map(Self::Polyline);
        }
        Ok(Self::Other(object.clone()))
    }

    fn store(&self, object: &mut Object, making: &mut Making<'_>) -> Result<()> {
        match self {
            Self::Polygon(polygon) => Typed::store(polygon, object, making),
            Self::Polyline(polyline) => Typed::store(polyline, object, making),
            Self::Other(other) => {
                if !object.is_identical(other) {
                    *object = other.clone();
                }
                Ok(())
            }
        }
    }

    fn object(&self, making: &mut Making<'_>) -> Result<Object> {
        match self {
            Self::Polygon(polygon) => Typed::object(polygon, making),
            Self::Polyline(polyline) => Typed::object(polyline, making),
            Self::Other(other) => Ok(other.clone()),
        }
    }
}

//! Shapes and key points as GeoJSON, written and read back.
//!
//! Coordinates are those of the file, in metres, x before y; they are not longitudes and latitudes. Map frames usually
//! start at x = 200000. With an [`Origin`], coordinates are those of the world, and the file has the position of the
//! map in the world.

mod json;
mod key_points;
mod origin;
mod put;
mod read;
mod shapes;

use formwork_alb1::Text;
use formwork_alb1::terrain::{
    Attribute, AttributeKind, Attributes, KeyPoint, Shape, ShapeLayer, Vertex,
};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

pub use json::Json;
pub use key_points::put_key_points;
pub use origin::Origin;
pub use put::PutFeatures;
pub(crate) use put::{float, text};
pub(crate) use read::wrong;
pub use read::{Features, ReadFeature, ReadGeometry};
pub use shapes::{RetypedAttribute, put_shapes, retyped_attributes};

/// A feature: a geometry with properties.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename = "Feature")]
pub struct Feature<P> {
    /// The geometry; [`None`] if the numbers do not make one.
    pub geometry: Option<Geometry>,
    /// The properties.
    pub properties: P,
}

/// A geometry, with the coordinates of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", content = "coordinates")]
pub enum Geometry {
    /// A point.
    Point([f64; 2]),
    /// A line of two points or more.
    LineString(Vec<[f64; 2]>),
    /// A ring, whose last point is its first.
    Polygon([Vec<[f64; 2]>; 1]),
}

impl<P> Feature<P> {
    /// Moves the feature to its position in the world.
    #[must_use]
    pub fn in_world(mut self, frame: &Placing) -> Self {
        if let (Some(geometry), Some(origin)) = (&mut self.geometry, &frame.origin) {
            geometry.move_to_world(origin);
        }
        self
    }
}

impl Geometry {
    fn move_to_world(&mut self, origin: &Origin) {
        match self {
            Self::Point(point) => *point = origin.to_world(*point),
            Self::LineString(line) => {
                line.iter_mut().for_each(|point| *point = origin.to_world(*point));
            }
            Self::Polygon(rings) => {
                rings.iter_mut().flatten().for_each(|point| *point = origin.to_world(*point));
            }
        }
    }
}

/// The position of a file's features in the world.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Placing {
    /// The position of the map in the world; [`None`] if coordinates are those of the map.
    pub origin: Option<Origin>,
    /// The name of the coordinate reference system, for programs that show maps: `EPSG:32633`.
    pub crs: Option<String>,
}

impl Placing {
    /// Writes the members of a FeatureCollection before its features.
    pub(crate) fn serialize_into<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry("type", "FeatureCollection")?;
        let coordinates = if self.origin.is_some() { IN_WORLD } else { COORDINATES };
        map.serialize_entry("coordinates_are", coordinates)?;
        if let Some(origin) = &self.origin {
            map.serialize_entry("origin", origin)?;
        }
        if let Some(crs) = &self.crs {
            let name = serde_json::json!({"name": crs});
            map.serialize_entry("crs", &serde_json::json!({"type": "name", "properties": name}))?;
        }
        Ok(())
    }
}

/// A FeatureCollection whose features are written one by one.
pub struct FeatureCollection<F> {
    features: std::cell::RefCell<F>,
    placing: Placing,
}

impl<F, P> FeatureCollection<F>
where
    F: Iterator<Item = Feature<P>>,
    P: Serialize,
{
    /// Makes a collection of features that are created while they are written. It can be written once.
    pub fn new(features: F, placing: Placing) -> Self {
        Self { features: std::cell::RefCell::new(features), placing }
    }
}

/// A description of the coordinates, for people who open the file.
const COORDINATES: &str = "metres as in the project, no longitudes and latitudes; \
    map frames usually start at x = 200000";

/// The description if there is an origin.
const IN_WORLD: &str = "metres in the world, easting before northing; \
    'origin' says which point of the map is where in the world";

impl<F, P> Serialize for FeatureCollection<F>
where
    F: Iterator<Item = Feature<P>>,
    P: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.placing.serialize_into(&mut map)?;
        map.serialize_entry("features", &Each(&self.features, &self.placing))?;
        map.end()
    }
}

/// The features, one after another.
struct Each<'a, F>(&'a std::cell::RefCell<F>, &'a Placing);

impl<F, P> Serialize for Each<'_, F>
where
    F: Iterator<Item = Feature<P>>,
    P: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for feature in &mut *self.0.borrow_mut() {
            list.serialize_element(&feature.in_world(self.1))?;
        }
        list.end()
    }
}

/// The properties of a shape.
#[derive(Clone, Debug, Serialize)]
pub struct ShapeProperties<'l> {
    /// The name of its layer.
    pub layer: String,
    /// Its name.
    pub name: String,
    /// `polygon` or `polyline`.
    pub kind: &'static str,
    /// Whether it is deleted.
    pub deleted: bool,
    /// The rotation in degrees.
    pub azimuth: f32,
    /// The radius of a polyline.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f32>,
    /// Its attributes, in the order of the DBF file.
    pub attributes: InOrder<'l>,
}

/// Attributes in the order of the DBF file; numbers as numbers.
#[derive(Clone, Debug)]
pub struct InOrder<'l>(&'l Attributes);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = self.0.in_order();
        let mut map = serializer.serialize_map(Some(all.len()))?;
        for attribute in all {
            map.serialize_entry(&attribute.name.to_str(), &attribute_value(attribute))?;
        }
        map.end()
    }
}

/// Returns the value of an attribute: a number if it is declared as one and is one.
fn attribute_value(attribute: &Attribute) -> Json {
    let value = attribute.value.to_str();
    match attribute.kind() {
        Some(AttributeKind::Integer) => value.parse().ok().map(Json::Integer),
        Some(AttributeKind::Number) => {
            value.parse().ok().filter(|number: &f64| number.is_finite()).map(Json::Number)
        }
        _ => None,
    }
    .unwrap_or_else(|| Json::Text(value.into_owned()))
}

/// Returns the shapes of a layer. Those of an unknown class are left out: they have no geometry.
pub fn shapes(layer: &ShapeLayer) -> impl Iterator<Item = Feature<ShapeProperties<'_>>> {
    layer.shapes.iter().filter_map(|shape| feature_of(&layer.name, shape))
}

/// Returns a shape of the layer with this name as a feature; [`None`] if its class is not known.
fn feature_of<'s>(layer: &Text, shape: &'s Shape) -> Option<Feature<ShapeProperties<'s>>> {
    let (geometry, kind, deleted, azimuth, radius, attributes) = match shape {
        Shape::Polygon(it) => {
            (polygon(&it.vertices), "polygon", it.deleted, it.azimuth, None, &it.attributes)
        }
        Shape::Polyline(it) => {
            let line = polyline(&it.vertices);
            (line, "polyline", it.deleted, it.azimuth, Some(it.radius), &it.attributes)
        }
        Shape::Other(_) => return None,
    };
    let layer = layer.to_string();
    let name = shape.name().map(ToString::to_string).unwrap_or_default();
    let attributes = InOrder(attributes);
    let properties = ShapeProperties { layer, name, kind, deleted, azimuth, radius, attributes };
    Some(Feature { geometry, properties })
}

fn positions(vertices: &[Vertex]) -> Option<Vec<[f64; 2]>> {
    let position = |vertex: &Vertex| {
        let [x, y, _] = vertex.center;
        (x.is_finite() && y.is_finite()).then_some([x, y])
    };
    vertices.iter().map(position).collect()
}

fn polygon(vertices: &[Vertex]) -> Option<Geometry> {
    let mut ring = positions(vertices).filter(|ring| ring.len() >= 3)?;
    let first = *ring.first()?;
    if ring.last() != Some(&first) {
        ring.push(first);
    }
    (ring.len() >= 4).then_some(Geometry::Polygon([ring]))
}

fn polyline(vertices: &[Vertex]) -> Option<Geometry> {
    let line = positions(vertices)?;
    match line[..] {
        [] => None,
        [point] => Some(Geometry::Point(point)),
        _ => Some(Geometry::LineString(line)),
    }
}

/// The properties of a key point.
#[derive(Clone, Debug, Serialize)]
pub struct KeyPointProperties {
    /// The name of its class in the exported configuration.
    pub name: String,
    /// The name that players see.
    pub text: String,
    /// More properties for the exported configuration.
    pub properties: String,
    /// Half its width and half its height, in metres.
    pub size: [f32; 2],
    /// The rotation in degrees.
    pub angle: f32,
    /// The number of the kind of place.
    pub kind: i32,
    /// The number of the drawing style.
    pub style: i32,
    /// Whether it is shown.
    pub visible: bool,
    /// The number of the colour of its area.
    pub fill_colour: u32,
    /// The number of the colour of its border.
    pub outline_colour: u32,
}

impl KeyPointProperties {
    /// Returns the properties of a key point.
    #[must_use]
    pub fn of(point: &KeyPoint) -> Self {
        Self {
            name: point.name.to_string(),
            text: point.text.to_string(),
            properties: point.properties.to_string(),
            size: point.size,
            angle: point.angle,
            kind: point.kind,
            style: point.style,
            visible: point.visible,
            fill_colour: point.fill_colour.into(),
            outline_colour: point.outline_colour.into(),
        }
    }
}

/// Returns key points as features.
pub fn key_points(points: &[KeyPoint]) -> impl Iterator<Item = Feature<KeyPointProperties>> {
    points.iter().map(|point| {
        let finite = point.position.iter().all(|number| number.is_finite());
        let geometry = finite.then_some(Geometry::Point(point.position));
        Feature { geometry, properties: KeyPointProperties::of(point) }
    })
}

//! Shapes and key points as GeoJSON.
//!
//! Coordinates are those of the file, in metres, x before y; they are no longitudes and latitudes.
//! Map frames usually start at x = 200000.

use formwork::alb1::terrain::{
    Attribute, AttributeKind, Attributes, KeyPoint, Shape, ShapeLayer, Vertex,
};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};

/// A feature: a geometry with properties.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename = "Feature")]
pub struct Feature<P> {
    /// Where it is; [`None`] where the numbers do not make a geometry.
    pub geometry: Option<Geometry>,
    /// What it is.
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

/// Features, which are written as they come.
pub struct FeatureCollection<F>(std::cell::RefCell<F>);

impl<F, P> FeatureCollection<F>
where
    F: Iterator<Item = Feature<P>>,
    P: Serialize,
{
    /// Features that are made while they are written. They can be written once.
    pub fn new(features: F) -> Self {
        Self(std::cell::RefCell::new(features))
    }
}

/// What the coordinates are, for people who open the file.
pub(crate) const COORDINATES: &str = "metres as in the project, no longitudes and latitudes; \
    map frames usually start at x = 200000";

impl<F, P> Serialize for FeatureCollection<F>
where
    F: Iterator<Item = Feature<P>>,
    P: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("type", "FeatureCollection")?;
        map.serialize_entry("coordinates_are", COORDINATES)?;
        map.serialize_entry("features", &Each(&self.0))?;
        map.end()
    }
}

/// The features one after another.
struct Each<'a, F>(&'a std::cell::RefCell<F>);

impl<F, P> Serialize for Each<'_, F>
where
    F: Iterator<Item = Feature<P>>,
    P: Serialize,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for feature in &mut *self.0.borrow_mut() {
            list.serialize_element(&feature)?;
        }
        list.end()
    }
}

/// What a shape is.
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
    /// By how much it is turned, in degrees.
    pub azimuth: f32,
    /// The radius, of a polyline.
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
            let Attribute { name, value, .. } = attribute;
            let (name, value) = (name.to_str(), value.to_str());
            let (integer, number) = (value.parse::<i64>(), value.parse::<f64>());
            match (attribute.kind(), integer, number) {
                (Some(AttributeKind::Integer), Ok(integer), _) => {
                    map.serialize_entry(&name, &integer)?;
                }
                (Some(AttributeKind::Number), _, Ok(number)) if number.is_finite() => {
                    map.serialize_entry(&name, &number)?;
                }
                _ => map.serialize_entry(&name, &value)?,
            }
        }
        map.end()
    }
}

/// The shapes of a layer. Those of a class that is not known are left out: they have no geometry.
pub fn shapes(layer: &ShapeLayer) -> impl Iterator<Item = Feature<ShapeProperties<'_>>> {
    layer.shapes.iter().filter_map(|shape| {
        let (geometry, kind, deleted, azimuth, radius, attributes) = match shape {
            Shape::Polygon(it) => {
                let ring = polygon(&it.vertices);
                (ring, "polygon", it.deleted, it.azimuth, None, &it.attributes)
            }
            Shape::Polyline(it) => {
                let line = polyline(&it.vertices);
                (line, "polyline", it.deleted, it.azimuth, Some(it.radius), &it.attributes)
            }
            Shape::Other(_) => return None,
        };
        let layer = layer.name.to_string();
        let name = shape.name().map(ToString::to_string).unwrap_or_default();
        let attributes = InOrder(attributes);
        let properties =
            ShapeProperties { layer, name, kind, deleted, azimuth, radius, attributes };
        Some(Feature { geometry, properties })
    })
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

/// What a key point is.
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
    /// By how much it is turned, in degrees.
    pub angle: f32,
    /// What kind of place it is.
    pub kind: i32,
    /// How it is drawn.
    pub style: i32,
    /// Whether it is shown.
    pub visible: bool,
    /// The number of the colour of its area.
    pub fill_colour: u32,
    /// The number of the colour of its border.
    pub outline_colour: u32,
}

impl KeyPointProperties {
    /// What a key point is.
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

/// Key points.
pub fn key_points(points: &[KeyPoint]) -> impl Iterator<Item = Feature<KeyPointProperties>> {
    points.iter().map(|point| {
        let finite = point.position.iter().all(|number| number.is_finite());
        let geometry = finite.then_some(Geometry::Point(point.position));
        Feature { geometry, properties: KeyPointProperties::of(point) }
    })
}

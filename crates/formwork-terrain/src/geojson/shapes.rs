//! Reads shapes from GeoJSON.

use std::collections::HashMap;

use formwork::{Error, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{
    Attribute, AttributeKind, Attributes, Polygon, Polyline, Shape, ShapeLayer, Vertex,
};

use super::json::Json;
use super::put::{PutFeatures, bool, float, join, text};
use super::read::{Features, ReadFeature, ReadGeometry, wrong};
use super::{Feature, Origin, Placing, ShapeProperties, attribute_value, feature_of};
use crate::mode::Mode;
use crate::rule;

/// Puts features into a layer of shapes. A feature belongs to a shape of the layer if both are the same, or otherwise
/// if both have the same kind and the same name, which is not empty. Data that a feature lacks is kept, and a shape
/// that does not change keeps every bit.
///
/// Properties are those of [`ShapeProperties`]; others become attributes.
///
/// # Errors
///
/// [`rule::GEOJSON`] if a feature cannot be a shape: a polygon with a hole, a point, an attribute that is neither text
/// nor a number. The layer is then unchanged.
pub fn put_shapes(
    layer: &mut ShapeLayer,
    features: &Features,
    origin: Option<Origin>,
    mode: Mode,
) -> Result<PutFeatures> {
    let placing = Placing { origin, crs: None };
    let wanted = features
        .features
        .iter()
        .map(|feature| Wanted::of(feature).map_err(|error| feature.at(error)));
    let wanted: Vec<Wanted<'_>> = wanted.collect::<Result<_>>()?;
    // Shapes of an unknown class have no features: they are kept in their places.
    let known = |shape: &Shape| !matches!(shape, Shape::Other(_));
    let there = layer.shapes.iter().filter(|shape| known(shape)).cloned().collect();
    let (shapes, put) = join(
        there,
        &wanted,
        mode,
        |shape, wanted| wanted.is(shape, &placing),
        |shape, wanted| wanted.is_called(shape),
        |shape, wanted| wanted.change(shape, &placing).map_err(|error| wanted.feature.at(error)),
        |wanted| wanted.make(&placing).map_err(|error| wanted.feature.at(error)),
    )?;
    let others = layer.shapes.iter().enumerate().filter(|(_, shape)| !known(shape));
    let others: Vec<(usize, Shape)> = others.map(|(at, shape)| (at, shape.clone())).collect();
    layer.shapes = shapes;
    for (position, shape) in others {
        layer.shapes.insert(position.min(layer.shapes.len()), shape);
    }
    Ok(put)
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Polygon,
    Polyline,
}

/// A feature as a shape.
struct Wanted<'f> {
    feature: &'f ReadFeature,
    kind: Kind,
    name: Text,
    deleted: Option<bool>,
    azimuth: Option<f32>,
    radius: Option<f32>,
    /// The attributes; [`None`] if the feature has none of them.
    attributes: Option<Vec<(&'f str, &'f Json)>>,
}

impl<'f> Wanted<'f> {
    fn of(feature: &'f ReadFeature) -> Result<Self> {
        let says = feature.get("kind").and_then(Json::as_text);
        let kind = match (&feature.geometry, says) {
            (Some(ReadGeometry::Polygon(rings)), _) => match &rings[..] {
                [ring] if ring.len() >= 4 && ring.first() == ring.last() => Kind::Polygon,
                [_] => {
                    return Err(fault("a ring of four points or more that ends where it starts"));
                }
                _ => {
                    let expected = "a polygon without holes, as Terrain Builder has none";
                    let found = format!("a polygon of {} rings", rings.len());
                    return Err(Error::new(rule::GEOJSON, 0, expected, found).within("geometry"));
                }
            },
            (Some(ReadGeometry::Line(line)), _) if line.len() >= 2 => Kind::Polyline,
            (Some(ReadGeometry::Line(_)), _) => return Err(fault("a line of two points or more")),
            (Some(ReadGeometry::Point(_)), Some("polyline")) => Kind::Polyline,
            (Some(ReadGeometry::Point(_)), _) => {
                let expected = "a polygon or a line (points are key points)";
                return Err(Error::new(rule::GEOJSON, 0, expected, "a point").within("geometry"));
            }
            (None, Some("polygon")) => Kind::Polygon,
            (None, Some("polyline")) => Kind::Polyline,
            (None, _) => return Err(fault("a geometry")),
        };
        let property = |name: &'static str| {
            feature.get(name).filter(|it| **it != Json::Null).map(|it| (name, it))
        };
        let number = |name| {
            let number =
                property(name).map(|(name, it)| float(it).map_err(|e| in_property(e, name)));
            number.transpose()
        };
        let name = property("name").map(|(name, it)| text(it).map_err(|e| in_property(e, name)));
        let deleted =
            property("deleted").map(|(name, it)| bool(it).map_err(|e| in_property(e, name)));
        Ok(Self {
            feature,
            kind,
            name: name.transpose()?.unwrap_or_default(),
            deleted: deleted.transpose()?,
            azimuth: number("azimuth")?,
            radius: number("radius")?,
            attributes: attributes(feature)?,
        })
    }

    /// Whether the shape has all data of the feature.
    fn is(&self, shape: &Shape, placing: &Placing) -> bool {
        let Some(Feature { geometry, properties }) = self.written(shape, placing) else {
            return false;
        };
        properties.name == *self.name.to_str()
            && match (&self.feature.geometry, &geometry) {
                (Some(one), Some(other)) => one.is(other),
                (one, other) => one.is_none() && other.is_none(),
            }
            && self.deleted.is_none_or(|it| it == properties.deleted)
            && self.azimuth.is_none_or(|it| it == properties.azimuth)
            && self
                .radius
                .is_none_or(|it| Some(it) == properties.radius || self.kind == Kind::Polygon)
            && self.attributes.as_ref().is_none_or(|wanted| {
                let there = properties.attributes.0.in_order();
                there.len() == wanted.len()
                    && there.iter().zip(wanted).all(|(there, (name, value))| {
                        there.name.to_str() == *name && attribute_value(there) == **value
                    })
            })
    }

    /// Returns the shape as a feature, if it is of the same kind.
    fn written<'s>(
        &self,
        shape: &'s Shape,
        placing: &Placing,
    ) -> Option<Feature<ShapeProperties<'s>>> {
        let kind = match shape {
            Shape::Polygon(_) => Kind::Polygon,
            Shape::Polyline(_) => Kind::Polyline,
            Shape::Other(_) => return None,
        };
        let feature = feature_of(&Text::default(), shape).filter(|_| kind == self.kind)?;
        Some(feature.in_world(placing))
    }

    fn is_called(&self, shape: &Shape) -> bool {
        let kind = match shape {
            Shape::Polygon(_) => Kind::Polygon,
            Shape::Polyline(_) => Kind::Polyline,
            Shape::Other(_) => return false,
        };
        kind == self.kind
            && !self.name.as_bytes().is_empty()
            && shape.name().is_some_and(|name| *name == self.name)
    }

    fn make(&self, placing: &Placing) -> Result<Shape> {
        if self.feature.geometry.is_none() {
            return Err(fault("a geometry"));
        }
        let mut shape = match self.kind {
            Kind::Polygon => Shape::Polygon(Polygon::new(self.name.clone(), Vec::new())),
            Kind::Polyline => Shape::Polyline(Polyline::new(self.name.clone(), Vec::new())),
        };
        self.change(&mut shape, placing)?;
        Ok(shape)
    }

    fn change(&self, shape: &mut Shape, placing: &Placing) -> Result<()> {
        let written = self.written(shape, placing).and_then(|feature| feature.geometry);
        let is_there = match (&self.feature.geometry, &written) {
            (Some(one), Some(other)) => one.is(other),
            (one, _) => one.is_none(),
        };
        let (vertices, attributes, azimuth, deleted, name) = match shape {
            Shape::Polygon(it) => (
                &mut it.vertices,
                &mut it.attributes,
                &mut it.azimuth,
                &mut it.deleted,
                &mut it.name,
            ),
            Shape::Polyline(it) => {
                it.radius = self.radius.unwrap_or(it.radius);
                (
                    &mut it.vertices,
                    &mut it.attributes,
                    &mut it.azimuth,
                    &mut it.deleted,
                    &mut it.name,
                )
            }
            Shape::Other(_) => return Ok(()),
        };
        if !is_there {
            self.set_vertices(vertices, placing);
        }
        *name = self.name.clone();
        *azimuth = self.azimuth.unwrap_or(*azimuth);
        *deleted = self.deleted.unwrap_or(*deleted);
        if let Some(wanted) = &self.attributes {
            set_attributes(attributes, wanted)?;
        }
        Ok(())
    }

    /// Moves the existing vertices, and adds or removes some at the end.
    fn set_vertices(&self, vertices: &mut Vec<Vertex>, placing: &Placing) {
        let Some(geometry) = &self.feature.geometry else { return };
        let mut points: Vec<[f64; 2]> = geometry.points().copied().collect();
        let is_closed = vertices.len() > 3
            && vertices.first().map(|it| it.center) == vertices.last().map(|it| it.center);
        if self.kind == Kind::Polygon && !is_closed {
            points.pop();
        }
        vertices.truncate(points.len());
        for (index, point) in points.into_iter().enumerate() {
            let [x, y] = placing.origin.map_or(point, |origin| origin.to_map(point));
            match vertices.get_mut(index) {
                Some(vertex) => [vertex.center[0], vertex.center[1]] = [x, y],
                None => vertices.push(Vertex::at(x, y)),
            }
        }
    }
}

#[cold]
fn fault(expected: &str) -> Error {
    Error::new(rule::GEOJSON, 0, expected, "none").within("geometry")
}

fn in_property(error: Error, name: &'static str) -> Error {
    error.within(name).within("properties")
}

/// Returns the attributes of a feature: its member `attributes`, and every property that is not one of a shape.
fn attributes(feature: &ReadFeature) -> Result<Option<Vec<(&str, &Json)>>> {
    let own = ["layer", "name", "kind", "deleted", "azimuth", "radius", "attributes"];
    let mut all: Vec<(&str, &Json)> = Vec::new();
    let said = match feature.get("attributes") {
        None | Some(Json::Null) => false,
        Some(Json::Members(members)) => {
            all.extend(members.iter().map(|(name, it)| (&**name, it)));
            true
        }
        Some(other) => return Err(in_property(wrong("an object", other), "attributes")),
    };
    let others = feature.properties.iter().filter(|(name, _)| !own.contains(&&**name));
    all.extend(others.map(|(name, it)| (&**name, it)));
    for (name, value) in &all {
        if Text::new(name).is_none() || name.contains(';') || name.is_empty() {
            let expected = "names of Windows-1252 without a semicolon";
            let error = Error::new(rule::GEOJSON, 0, expected, format!("{name:?}"));
            return Err(in_property(error, "attributes"));
        }
        text(value).map_err(|error| in_property(error, "attributes"))?;
    }
    Ok((said || !all.is_empty()).then_some(all))
}

fn set_attributes(attributes: &mut Attributes, wanted: &[(&str, &Json)]) -> Result<()> {
    let goes = |there: &&Attribute| !wanted.iter().any(|(name, _)| there.name.to_str() == *name);
    let gone: Vec<Text> =
        attributes.in_order().into_iter().filter(goes).map(|it| it.name.clone()).collect();
    gone.iter().for_each(|name| drop(attributes.remove(&name.to_str())));
    for (name, value) in wanted {
        let is_same =
            attributes.values.get(*name).is_some_and(|there| attribute_value(there) == **value);
        if is_same {
            continue;
        }
        let kind = match value {
            Json::Integer(_) => AttributeKind::Integer,
            Json::Number(_) => AttributeKind::Number,
            _ => AttributeKind::Text,
        };
        attributes.set(text(&Json::Text((*name).to_owned()))?, text(value)?, kind);
    }
    Ok(())
}

/// Attributes of shapes that got another type.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RetypedAttribute {
    /// The name of the attribute.
    pub name: Text,
    /// The types before and after; [`None`] for one that is not known.
    pub types: [Option<AttributeKind>; 2],
    /// The number of shapes.
    pub shapes: usize,
}

/// Returns the attributes that have another type in a changed layer than in the layer before, by name.
#[must_use]
pub fn retyped_attributes(before: &ShapeLayer, after: &ShapeLayer) -> Vec<RetypedAttribute> {
    let there: HashMap<u32, &Attributes> =
        before.shapes.iter().filter_map(|it| Some((address(it), it.attributes()?))).collect();
    let mut all: Vec<RetypedAttribute> = Vec::new();
    for shape in &after.shapes {
        let (Some(old), Some(new)) = (there.get(&address(shape)), shape.attributes()) else {
            continue;
        };
        for (name, attribute) in new.values.iter() {
            let Some(old) = old.values.get(name).filter(|old| old.kind != attribute.kind) else {
                continue;
            };
            let types = [old.kind(), attribute.kind()];
            match all.iter_mut().find(|it| it.name == *name && it.types == types) {
                Some(it) => it.shapes += 1,
                None => all.push(RetypedAttribute { name: name.clone(), types, shapes: 1 }),
            }
        }
    }
    all
}

fn address(shape: &Shape) -> u32 {
    match shape {
        Shape::Polygon(polygon) => polygon.address,
        Shape::Polyline(polyline) => polyline.address,
        Shape::Other(object) => object.address,
    }
}

//! Reads GeoJSON.

use formwork::{Error, Path, PathSegment, Result};

use super::json::Json;
use super::{Geometry, Origin};
use crate::area::Ring;
use crate::rule;

/// The features of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// The position of the map in the world, if the file has it.
    pub origin: Option<Origin>,
    /// Whether the file names a coordinate reference system.
    pub has_crs: bool,
    /// The features, in the order of the file.
    pub features: Vec<ReadFeature>,
}

/// A feature of a file. A feature whose geometry has several parts becomes several of these.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadFeature {
    /// Its position in the list of the file.
    pub position: usize,
    /// The geometry; [`None`] if the file has `null`.
    pub geometry: Option<ReadGeometry>,
    /// The properties, in the order of the file.
    pub properties: Vec<(String, Json)>,
}

/// A geometry of a file, of a kind that shapes and key points have.
#[derive(Clone, Debug, PartialEq)]
pub enum ReadGeometry {
    /// A point.
    Point([f64; 2]),
    /// A line.
    Line(Vec<[f64; 2]>),
    /// A polygon: its outer ring and its holes. The last point of a ring is its first.
    Polygon(Vec<Ring>),
}

impl ReadGeometry {
    /// Whether the geometry is the written one.
    pub(super) fn is(&self, written: &Geometry) -> bool {
        match (self, written) {
            (Self::Point(one), Geometry::Point(other)) => one == other,
            (Self::Line(one), Geometry::LineString(other)) => one == other,
            (Self::Polygon(one), Geometry::Polygon(other)) => one == other,
            _ => false,
        }
    }

    /// Returns the points.
    pub fn points(&self) -> impl Iterator<Item = &[f64; 2]> {
        let (point, line, rings): (_, &[[f64; 2]], &[Ring]) = match self {
            Self::Point(point) => (Some(point), &[], &[]),
            Self::Line(line) => (None, line, &[]),
            Self::Polygon(rings) => (None, &[], rings),
        };
        point.into_iter().chain(line).chain(rings.iter().flatten())
    }
}

impl ReadFeature {
    /// Returns the property with this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.properties.iter().find(|(it, _)| it == name).map(|(_, it)| it)
    }

    /// Adds the path of the feature to an error.
    pub(super) fn at(&self, error: Error) -> Error {
        error.under(feature_path(self.position))
    }
}

fn feature_path(position: usize) -> Path {
    vec![PathSegment::Field("features"), PathSegment::Index(position as u64)].into()
}

#[cold]
pub(crate) fn wrong(expected: impl Into<String>, found: &Json) -> Error {
    Error::new(rule::GEOJSON, 0, expected.into(), found.what())
}

impl Features {
    /// Reads a FeatureCollection, a Feature, or a geometry.
    ///
    /// # Errors
    ///
    /// [`rule::GEOJSON`] if the bytes are not JSON, with the offset, or not GeoJSON, with the path.
    ///
    /// ```
    /// use formwork_terrain::geojson::{Features, ReadGeometry};
    ///
    /// let text = br#"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [200010, 20.5]},
    ///     "properties": {"name": "mill"}}"#;
    /// let read = Features::read(text)?;
    /// assert_eq!(read.features[0].geometry, Some(ReadGeometry::Point([200_010.0, 20.5])));
    /// # Ok::<(), formwork::Error>(())
    /// ```
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let json: Json = serde_json::from_slice(bytes).map_err(|error| {
            let before =
                bytes.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
            let line: usize = before.map(<[u8]>::len).sum();
            let offset = (line + error.column().saturating_sub(1)).min(bytes.len());
            let text = error.to_string();
            let found = text.split(" at line ").next().unwrap_or_default().to_owned();
            Error::new(rule::GEOJSON, offset as u64, "JSON", found)
        })?;
        let mut read = Self::default();
        let origin = json.get("origin").filter(|origin| **origin != Json::Null);
        read.origin = origin.map(origin_of).transpose().map_err(|error| error.within("origin"))?;
        read.has_crs = json.get("crs").is_some_and(|crs| *crs != Json::Null);
        match json.get("type").and_then(Json::as_text) {
            Some("FeatureCollection") => {
                let features = json.get("features").unwrap_or(&Json::Null);
                let features = features
                    .as_list()
                    .ok_or_else(|| wrong("a list", features).within("features"))?;
                for (position, feature) in features.iter().enumerate() {
                    read.add(position, feature)
                        .map_err(|error| error.under(feature_path(position)))?;
                }
            }
            Some("Feature") => read.add(0, &json)?,
            Some(_) if json.get("coordinates").is_some() => {
                let parts = geometries(&json)?;
                read.features.extend(parts.into_iter().map(|geometry| ReadFeature {
                    position: 0,
                    geometry: Some(geometry),
                    properties: Vec::new(),
                }));
            }
            _ => {
                let found = json.get("type").unwrap_or(&json);
                return Err(wrong("GeoJSON: a FeatureCollection", found));
            }
        }
        Ok(read)
    }

    /// Returns the polygons, for an area.
    #[must_use]
    pub fn polygons(&self) -> Vec<Vec<Ring>> {
        let polygons = self.features.iter().filter_map(|feature| match &feature.geometry {
            Some(ReadGeometry::Polygon(rings)) => Some(rings.clone()),
            _ => None,
        });
        polygons.collect()
    }

    /// Moves all geometries from the world onto the map.
    pub fn move_to_map(&mut self, origin: &Origin) {
        for geometry in self.features.iter_mut().filter_map(|feature| feature.geometry.as_mut()) {
            let moved = |points: &mut Vec<[f64; 2]>| {
                points.iter_mut().for_each(|point| *point = origin.to_map(*point));
            };
            match geometry {
                ReadGeometry::Point(point) => *point = origin.to_map(*point),
                ReadGeometry::Line(line) => moved(line),
                ReadGeometry::Polygon(rings) => rings.iter_mut().for_each(moved),
            }
        }
    }

    fn add(&mut self, position: usize, feature: &Json) -> Result<()> {
        if feature.get("type").and_then(Json::as_text) != Some("Feature") {
            return Err(wrong("a Feature", feature.get("type").unwrap_or(feature)));
        }
        let properties = match feature.get("properties") {
            None | Some(Json::Null) => Vec::new(),
            Some(Json::Members(members)) => members.clone(),
            Some(other) => return Err(wrong("an object", other).within("properties")),
        };
        let parts = match feature.get("geometry") {
            None | Some(Json::Null) => vec![None],
            Some(geometry) => {
                let parts = geometries(geometry).map_err(|error| error.within("geometry"))?;
                parts.into_iter().map(Some).collect()
            }
        };
        for geometry in parts {
            self.features.push(ReadFeature { position, geometry, properties: properties.clone() });
        }
        Ok(())
    }
}

fn origin_of(json: &Json) -> Result<Origin> {
    let part = |name: &'static str| {
        let part = json.get(name).unwrap_or(&Json::Null);
        point(part).map_err(|error| error.within(name))
    };
    Ok(Origin { map: part("map")?, world: part("world")? })
}

/// Returns the parts of a geometry.
fn geometries(json: &Json) -> Result<Vec<ReadGeometry>> {
    let kind = json.get("type").unwrap_or(&Json::Null);
    let coordinates = json.get("coordinates").unwrap_or(&Json::Null);
    let read = match kind.as_text() {
        Some("Point") => point(coordinates).map(|it| vec![ReadGeometry::Point(it)]),
        Some("LineString") => points(coordinates).map(|it| vec![ReadGeometry::Line(it)]),
        Some("Polygon") => list(coordinates, points).map(|it| vec![ReadGeometry::Polygon(it)]),
        Some("MultiPoint") => {
            list(coordinates, point).map(|it| it.into_iter().map(ReadGeometry::Point).collect())
        }
        Some("MultiLineString") => {
            list(coordinates, points).map(|it| it.into_iter().map(ReadGeometry::Line).collect())
        }
        Some("MultiPolygon") => list(coordinates, |polygon| list(polygon, points))
            .map(|it| it.into_iter().map(ReadGeometry::Polygon).collect()),
        _ => {
            let expected = "Point, LineString, Polygon, or several of one of them";
            return Err(wrong(expected, kind).within("type"));
        }
    };
    read.map_err(|error| error.within("coordinates"))
}

fn list<T>(json: &Json, each: impl Fn(&Json) -> Result<T>) -> Result<Vec<T>> {
    let elements = json.as_list().ok_or_else(|| wrong("a list", json))?;
    let read = elements.iter().enumerate().map(|(index, element)| {
        each(element).map_err(|error| error.under(vec![PathSegment::Index(index as u64)].into()))
    });
    read.collect()
}

fn points(json: &Json) -> Result<Vec<[f64; 2]>> {
    list(json, point)
}

/// Reads a point; a height is ignored, as no shape has one.
fn point(json: &Json) -> Result<[f64; 2]> {
    let numbers = json.as_list().unwrap_or_default();
    let numbers: Option<Vec<f64>> = numbers.iter().map(Json::as_number).collect();
    match numbers.as_deref() {
        Some(&[x, y] | &[x, y, _]) if x.is_finite() && y.is_finite() => Ok([x, y]),
        _ => Err(wrong("two numbers: x and y", json)),
    }
}

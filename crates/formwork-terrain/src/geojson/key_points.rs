//! Reads key points from GeoJSON.

use formwork::{Error, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{ColourWord, KeyPoint};

use super::json::Json;
use super::put::{PutFeatures, bool, float, join, text};
use super::read::{Features, ReadFeature, ReadGeometry, wrong};
use super::{Geometry, Origin};
use crate::mode::Mode;
use crate::rule;

/// Puts features into a list of key points. A feature belongs to a key point of the list if both are the same, or
/// otherwise if both have the same name. Data that a feature lacks is kept, and a key point that does not change keeps
/// every bit.
///
/// Properties are those of [`KeyPointProperties`](super::KeyPointProperties); others are refused, as their data would
/// be lost.
///
/// # Errors
///
/// [`rule::GEOJSON`] if a feature cannot be a key point. The list is then unchanged.
pub fn put_key_points(
    points: &mut Vec<KeyPoint>,
    features: &Features,
    origin: Option<Origin>,
    mode: Mode,
) -> Result<PutFeatures> {
    let mut wanted = Vec::new();
    for feature in &features.features {
        let read = Wanted::of(feature, origin);
        wanted.push(read.map_err(|error| feature.at(error))?);
    }
    let (joined, put) = join(
        points.clone(),
        &wanted,
        mode,
        |point, wanted| wanted.is(point),
        |point, wanted| !wanted.name.as_bytes().is_empty() && point.name == wanted.name,
        |point, wanted| {
            *point = wanted.changed(point).map_err(|error| wanted.feature.at(error))?;
            Ok(())
        },
        |wanted| {
            let new = KeyPoint {
                text: wanted.name.clone(),
                size: [100.0, 100.0],
                visible: true,
                fill_colour: ColourWord::from(FILL),
                outline_colour: ColourWord::from(OUTLINE),
                ..KeyPoint::default()
            };
            wanted.changed(&new).map_err(|error| wanted.feature.at(error))
        },
    )?;
    *points = joined;
    Ok(put)
}

/// The colours of a new key point: a grey, half transparent, and black.
const FILL: u32 = 0x8080_8080;
const OUTLINE: u32 = 0xFF00_0000;

/// A feature as a key point.
struct Wanted<'f> {
    feature: &'f ReadFeature,
    name: Text,
    origin: Option<Origin>,
}

impl<'f> Wanted<'f> {
    fn of(feature: &'f ReadFeature, origin: Option<Origin>) -> Result<Self> {
        match &feature.geometry {
            Some(ReadGeometry::Point(_)) | None => {}
            Some(_) => {
                let expected = "a point (lines and polygons are shapes)";
                let found = "another geometry";
                return Err(Error::new(rule::GEOJSON, 0, expected, found).within("geometry"));
            }
        }
        let name = match feature.get("name") {
            Some(name) => text(name).map_err(|error| in_property(error, "name"))?,
            None => return Err(in_property(wrong("a name", &Json::Null), "name")),
        };
        Ok(Self { feature, name, origin })
    }

    /// Whether the point has all data of the feature.
    fn is(&self, point: &KeyPoint) -> bool {
        self.changed(point).is_ok_and(|changed| changed == *point)
    }

    /// Returns the point with the data of the feature.
    fn changed(&self, point: &KeyPoint) -> Result<KeyPoint> {
        let mut changed = point.clone();
        match &self.feature.geometry {
            Some(ReadGeometry::Point(place)) => {
                let there = self.origin.map_or(point.position, |it| it.to_world(point.position));
                // A feature with the written position keeps the stored one, with every bit.
                if (ReadGeometry::Point(*place)).is(&Geometry::Point(there)) {
                    changed.position = point.position;
                } else {
                    changed.position = self.origin.map_or(*place, |it| it.to_map(*place));
                }
            }
            _ if point.position.iter().all(|number| number.is_finite()) && point.address == 0 => {
                return Err(Error::new(rule::GEOJSON, 0, "a point", "none").within("geometry"));
            }
            _ => {}
        }
        for (name, value) in &self.feature.properties {
            let done = match &**name {
                "name" => text(value).map(|it| changed.name = it),
                "text" => text(value).map(|it| changed.text = it),
                "properties" => text(value).map(|it| changed.properties = it),
                "size" => size(value).map(|it| changed.size = it),
                "angle" => float(value).map(|it| changed.angle = it),
                "kind" => integer(value).map(|it| changed.kind = it),
                "style" => integer(value).map(|it| changed.style = it),
                "visible" => bool(value).map(|it| changed.visible = it),
                "fill_colour" => integer(value).map(|it: u32| changed.fill_colour = it.into()),
                "outline_colour" => {
                    integer(value).map(|it: u32| changed.outline_colour = it.into())
                }
                _ => {
                    let expected = "name, text, properties, size, angle, kind, style, visible, \
                                    fill_colour or outline_colour";
                    let error = Error::new(rule::GEOJSON, 0, expected, format!("{name:?}"));
                    return Err(error.within("properties"));
                }
            };
            done.map_err(|error| {
                let path = [
                    formwork::PathSegment::Field("properties"),
                    formwork::PathSegment::Name(name.as_str().into()),
                ];
                error.under(path.to_vec().into())
            })?;
        }
        Ok(changed)
    }
}

fn in_property(error: Error, name: &'static str) -> Error {
    error.within(name).within("properties")
}

fn size(json: &Json) -> Result<[f32; 2]> {
    let numbers: Result<Vec<f32>> = json.as_list().unwrap_or_default().iter().map(float).collect();
    match numbers?[..] {
        [width, height] => Ok([width, height]),
        _ => Err(wrong("two numbers: half the width and half the height", json)),
    }
}

fn integer<T: TryFrom<i64>>(json: &Json) -> Result<T> {
    let number = match json {
        Json::Integer(number) => T::try_from(*number).ok(),
        _ => None,
    };
    number.ok_or_else(|| wrong("a whole number that fits", json))
}

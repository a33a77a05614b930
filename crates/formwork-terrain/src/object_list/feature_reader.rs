//! Reads objects from GeoJSON.

use std::borrow::Cow;

use formwork::{Error, PathSegment, Result};

use super::{Entry, Line, Placement};
use crate::geojson::{Features, Json, Origin, ReadFeature, ReadGeometry};
use crate::rule;

/// Returns the features of a GeoJSON file as lines of a list; the number of a line is that of its feature, from 1.
///
/// Each feature is a point with the properties that the writer uses: `template`, and, if the list has them, `layer`,
/// `id`, `library`, `yaw`, `pitch`, `roll`, `scale` and `z`. Any other property is refused, because its data would be
/// lost. A new object, which has no id, has rotation 0, size 1 and height 0 unless the feature has other numbers.
///
/// ```
/// use formwork_terrain::geojson::Features;
/// use formwork_terrain::object_list::lines_of;
///
/// let text = br#"{"type": "Feature", "geometry": {"type": "Point", "coordinates": [200010, 20.5]},
///     "properties": {"template": "barn", "yaw": 90}}"#;
/// let lines = lines_of(&Features::read(text)?, None);
/// let entry = &lines[0].as_ref().unwrap().entry;
/// assert_eq!((&*entry.template, entry.placement.yaw), (&b"barn"[..], 90.0));
/// # Ok::<(), formwork::Error>(())
/// ```
#[must_use]
pub fn lines_of(features: &Features, origin: Option<Origin>) -> Vec<Result<Line<'static>>> {
    let line = |feature: &ReadFeature| {
        let number = feature.position as u64 + 1;
        let path = vec![PathSegment::Field("line"), PathSegment::Index(number)];
        let entry = entry(feature, origin).map_err(|error| error.under(path.into()))?;
        Ok(Line { number, offset: 0, entry })
    };
    features.features.iter().map(line).collect()
}

fn entry(feature: &ReadFeature, origin: Option<Origin>) -> Result<Entry<'static>> {
    let Some(ReadGeometry::Point(place)) = feature.geometry else {
        let found = if feature.geometry.is_some() { "another geometry" } else { "none" };
        return Err(Error::new(rule::GEOJSON, 0, "a point", found).within("geometry"));
    };
    let [x, y] = origin.map_or(place, |origin| origin.to_map(place));
    let mut entry = Entry::default();
    let (mut yaw, mut pitch, mut roll, mut scale, mut z) = (None, None, None, None, None);
    for (name, value) in &feature.properties {
        // QGIS writes missing properties of a feature as null.
        if *value == Json::Null {
            continue;
        }
        let done = match &**name {
            "layer" => text(value).map(|it| entry.layer = Some(it)),
            "id" => id(value).map(|it| entry.id = Some(it)),
            "template" => text(value).map(|it| entry.template = it),
            "library" => text(value).map(|it| entry.library = Some(it)),
            "yaw" => number(value).map(|it| yaw = Some(it)),
            "pitch" => number(value).map(|it| pitch = Some(it)),
            "roll" => number(value).map(|it| roll = Some(it)),
            "scale" => number(value).map(|it| scale = Some(it)),
            "z" => number(value).map(|it| z = Some(it)),
            _ => {
                let expected = "layer, id, template, library, yaw, pitch, roll, scale or z";
                Err(Error::new(rule::GEOJSON, 0, expected, format!("{name:?}")))
            }
        };
        done.map_err(|error| in_property(error, name))?;
    }
    if entry.template.is_empty() {
        let error = Error::new(rule::GEOJSON, 0, "the name of a template", "none");
        return Err(in_property(error, "template"));
    }
    let is_new = entry.id.is_none();
    let or = |number: Option<f32>, name: &str, usual: f32| match number {
        None if !is_new => {
            let error = Error::new(rule::GEOJSON, 0, "a number of an object with an id", "none");
            Err(in_property(error, name))
        }
        number => Ok(number.unwrap_or(usual)),
    };
    entry.placement = Placement {
        x,
        y,
        yaw: or(yaw, "yaw", 0.0)?,
        pitch: or(pitch, "pitch", 0.0)?,
        roll: or(roll, "roll", 0.0)?,
        scale: or(scale, "scale", 1.0)?,
        z: or(z, "z", 0.0)?,
    };
    Ok(entry)
}

fn in_property(error: Error, name: &str) -> Error {
    error.under(vec![PathSegment::Field("properties"), PathSegment::Name(name.into())].into())
}

fn text(value: &Json) -> Result<Cow<'static, [u8]>> {
    crate::geojson::text(value).map(|text| Cow::Owned(text.as_bytes().to_vec()))
}

fn number(value: &Json) -> Result<f32> {
    crate::geojson::float(value)
}

fn id(value: &Json) -> Result<u32> {
    let id = match value {
        Json::Integer(id) => u32::try_from(*id).ok(),
        // Some programs write whole numbers as 5.0.
        Json::Number(id) if id.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(id) => {
            Some(*id as u32)
        }
        _ => None,
    };
    id.ok_or_else(|| crate::geojson::wrong("an id: 0 to 4294967295", value))
}

//! Writes GeoJSON.

use std::borrow::Cow;
use std::io::{BufWriter, Write};

use formwork::{Error, Result};
use formwork_alb1::to_str;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::{Entry, Form};
use crate::geojson::{Feature, Geometry, Placing};

#[derive(Serialize)]
struct Properties<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    layer: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u32>,
    template: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    library: Option<Cow<'a, str>>,
    yaw: f32,
    pitch: f32,
    roll: f32,
    scale: f32,
    z: f32,
}

/// Writes GeoJSON, a feature a line; its errors have no offset.
#[derive(Debug)]
pub(super) struct GeoJsonWriter<W: Write> {
    writer: BufWriter<W>,
    /// The text before the next feature.
    before: &'static [u8],
    placing: Placing,
}

impl<W: Write> GeoJsonWriter<W> {
    pub(super) fn new(writer: W, placing: Placing) -> Result<Self> {
        let mut writer = BufWriter::with_capacity(1 << 16, writer);
        let mut start = serde_json::to_string(&Start(&placing)).map_err(|e| failed(e.into()))?;
        // The object stays open for the features.
        start.truncate(start.len().saturating_sub(1));
        start.push_str(",\"features\":[");
        writer.write_all(start.as_bytes()).map_err(failed)?;
        Ok(Self { writer, before: b"\n", placing })
    }

    pub(super) fn write(&mut self, entry: &Entry<'_>) -> Result<()> {
        Form::GeoJson.check(entry)?;
        let placement = &entry.placement;
        let feature = Feature {
            geometry: Some(Geometry::Point([placement.x, placement.y])),
            properties: Properties {
                layer: entry.layer.as_deref().map(to_str),
                id: entry.id,
                template: to_str(&entry.template),
                library: entry.library.as_deref().map(to_str),
                yaw: placement.yaw,
                pitch: placement.pitch,
                roll: placement.roll,
                scale: placement.scale,
                z: placement.z,
            },
        };
        let feature = feature.in_world(&self.placing);
        self.writer.write_all(self.before).map_err(failed)?;
        self.before = b",\n";
        serde_json::to_writer(&mut self.writer, &feature).map_err(|error| failed(error.into()))
    }

    pub(super) fn finish(mut self) -> Result<W> {
        self.writer.write_all(b"\n]}\n").map_err(failed)?;
        self.writer.into_inner().map_err(|error| failed(error.into_error()))
    }
}

/// The part before the features.
struct Start<'p>(&'p Placing);

impl Serialize for Start<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        self.0.serialize_into(&mut map)?;
        map.end()
    }
}

#[cold]
fn failed(error: std::io::Error) -> Error {
    Error::io(0, error)
}

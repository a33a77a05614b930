//! GeoJSON, written.

use std::fmt::Write as _;
use std::io::{BufWriter, Write};

use struson::writer::{JsonNumberError, JsonStreamWriter, JsonWriter};

use super::{Entry, Form};
use crate::alb1::text::to_str;
use crate::error::{Error, Result};

/// Writes GeoJSON; its errors have no offset.
pub(super) struct GeoJsonWriter<W: Write> {
    writer: JsonStreamWriter<BufWriter<W>>,
    number: String,
}

impl<W: Write> std::fmt::Debug for GeoJsonWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GeoJsonWriter").finish_non_exhaustive()
    }
}

impl<W: Write> GeoJsonWriter<W> {
    pub(super) fn new(writer: W) -> Result<Self> {
        let mut writer = JsonStreamWriter::new(BufWriter::with_capacity(1 << 16, writer));
        start(&mut writer).map_err(|error| Error::io(0, &error))?;
        Ok(Self { writer, number: String::new() })
    }

    pub(super) fn write(&mut self, entry: &Entry<'_>) -> Result<()> {
        Form::GeoJson.check(entry)?;
        self.feature(entry).map_err(|error| match error {
            JsonNumberError::IoError(error) => Error::io(0, &error),
            // Refused above.
            JsonNumberError::InvalidNumber(number) => Error::io(0, &std::io::Error::other(number)),
        })
    }

    fn feature(&mut self, entry: &Entry<'_>) -> Result<(), JsonNumberError> {
        let Self { writer, number } = self;
        writer.begin_object()?;
        writer.name("type")?;
        writer.string_value("Feature")?;
        writer.name("geometry")?;
        writer.begin_object()?;
        writer.name("type")?;
        writer.string_value("Point")?;
        writer.name("coordinates")?;
        writer.begin_array()?;
        writer.fp_number_value(entry.placement.x)?;
        writer.fp_number_value(entry.placement.y)?;
        writer.end_array()?;
        writer.end_object()?;
        writer.name("properties")?;
        writer.begin_object()?;
        let template = Some(&entry.template);
        for (name, text) in [
            ("layer", entry.layer.as_ref()),
            ("template", template),
            ("library", entry.library.as_ref()),
        ] {
            if let Some(text) = text {
                writer.name(name)?;
                writer.string_value(&to_str(text))?;
            }
        }
        if let Some(id) = entry.id {
            writer.name("id")?;
            writer.number_value(id)?;
        }
        entry.placement.each_shortest(|name, shortest| {
            if matches!(name, "x" | "y") {
                return Ok(());
            }
            number.clear();
            // Writing to a string does not fail.
            let _ = number.write_fmt(shortest);
            writer.name(name)?;
            writer.number_value_from_string(number)
        })?;
        writer.end_object()?;
        writer.end_object()?;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W> {
        let mut end = || {
            self.writer.end_array()?;
            self.writer.end_object()
        };
        let buffer = end().and_then(|()| self.writer.finish_document());
        buffer
            .and_then(|buffer| buffer.into_inner().map_err(|error| error.into_error()))
            .map_err(|error| Error::io(0, &error))
    }
}

fn start(writer: &mut impl JsonWriter) -> std::io::Result<()> {
    writer.begin_object()?;
    writer.name("type")?;
    writer.string_value("FeatureCollection")?;
    writer.name("features")?;
    writer.begin_array()
}

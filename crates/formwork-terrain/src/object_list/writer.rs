//! Writes lists.

use std::io::Write;

use formwork::{Error, PathSegment, Result};

use super::csv::CsvWriter;
use super::geojson::GeoJsonWriter;
use super::text_writer::TextWriter;
use super::{Entry, Form, Placement};
use crate::geojson::Placing;
use crate::object_list::rule;

/// Writes a list, an object at a time, through a separate buffer.
///
/// Only the current object is kept, so a list may be larger than memory.
#[derive(Debug)]
pub struct Writer<W: Write> {
    kind: Kind<W>,
    written: u64,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "a list has one of them, not one for each object")]
enum Kind<W: Write> {
    Text(TextWriter<W>),
    Csv(CsvWriter<W>),
    GeoJson(GeoJsonWriter<W>),
}

impl<W: Write> Writer<W> {
    /// Starts a list.
    ///
    /// # Errors
    ///
    /// Returns an error if `writer` fails.
    pub fn new(writer: W, form: Form) -> Result<Self> {
        Self::placed(writer, form, Placing::default())
    }

    /// Starts a list whose objects are elsewhere in the world, if its form is GeoJSON.
    ///
    /// # Errors
    ///
    /// Returns an error if `writer` fails.
    pub fn placed(writer: W, form: Form, placing: Placing) -> Result<Self> {
        let kind = match form {
            Form::Text => Kind::Text(TextWriter::new(writer)),
            Form::Csv => Kind::Csv(CsvWriter::new(writer)?),
            Form::GeoJson => Kind::GeoJson(GeoJsonWriter::new(writer, placing)?),
        };
        Ok(Self { kind, written: 0 })
    }

    /// Writes an object.
    ///
    /// # Errors
    ///
    /// Returns an error if the form cannot hold the object (see [`Form`]; nothing of it is written then), with the
    /// position of the object in the list as path, or if the inner writer fails.
    pub fn write(&mut self, entry: &Entry<'_>) -> Result<()> {
        match &mut self.kind {
            Kind::Text(writer) => writer.write(entry),
            Kind::Csv(writer) => writer.write(entry),
            Kind::GeoJson(writer) => writer.write(entry),
        }
        .map_err(|error| error.under(vec![PathSegment::Index(self.written)].into()))?;
        self.written += 1;
        Ok(())
    }

    /// Returns the number of written objects.
    #[must_use]
    pub const fn written(&self) -> u64 {
        self.written
    }

    /// Ends the list, and returns the inner writer, which is not flushed.
    ///
    /// # Errors
    ///
    /// Returns an error if the inner writer fails.
    pub fn finish(self) -> Result<W> {
        match self.kind {
            Kind::Text(writer) => writer.finish(),
            Kind::Csv(writer) => writer.finish(),
            Kind::GeoJson(writer) => writer.finish(),
        }
    }
}

impl Form {
    /// Returns an error for an object that the form cannot hold.
    ///
    /// # Errors
    ///
    /// Returns an error if a number is not finite or a name has a line break, and the form cannot hold that.
    pub fn check(self, entry: &Entry<'_>) -> Result<()> {
        match self {
            Self::Text => {
                if entry.template.iter().any(|byte| matches!(byte, b'\n' | b'\r')) {
                    let found = format!("\"{}\"", entry.template.escape_ascii());
                    let expected = "a name without line breaks";
                    return Err(Error::new(rule::ENTRY, 0, expected, found).within("template"));
                }
                finite(entry)
            }
            Self::Csv => Ok(()),
            Self::GeoJson => finite(entry),
        }
    }
}

/// Returns an error for an object with a number that is not finite.
fn finite(entry: &Entry<'_>) -> Result<()> {
    let numbers = entry.placement.numbers();
    match Placement::NAMES.into_iter().zip(numbers).find(|(_, number)| !number.is_finite()) {
        None => Ok(()),
        Some((name, number)) => {
            let id = entry.id.map(|id| format!(" (id {id})")).unwrap_or_default();
            let found = format!("{number} in \"{}\"{id}", entry.template.escape_ascii());
            Err(Error::new(rule::ENTRY, 0, "a finite number", found).within(name))
        }
    }
}

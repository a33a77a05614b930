//! The graph as JSON.

use std::io::{self, Write};

use struson::writer::{JsonStreamWriter, JsonWriter, WriterSettings};

use super::{Graph, ObjectId, build};
use formwork::{Error, Result};

impl Graph<'_> {
    /// Writes the graph as JSON: `objects` with `id`, `file`, `address`, `class`, `name` (null where it
    /// has none), `path` and `offset`; `edges` with `from`, `to` (null where a pointer leads nowhere),
    /// `kind` (`contains` or `points`) and `way`, a pointer's also with `class` and `address`; and the
    /// `findings`.
    ///
    /// If `depth` is given, objects more than `depth` objects deep are left out, with their edges.
    ///
    /// # Errors
    ///
    /// Returns the error of `writer`.
    pub fn write_json(&self, mut writer: impl Write, depth: Option<u32>) -> Result<()> {
        let written = self.json(&mut writer, depth).and_then(|()| writer.write_all(b"\n"));
        written.map_err(|error| Error::io(0, error))
    }

    fn json(&self, writer: impl Write, depth: Option<u32>) -> io::Result<()> {
        let settings = WriterSettings { pretty_print: true, ..WriterSettings::default() };
        let mut json = JsonStreamWriter::new_custom(writer, settings);
        json.begin_object()?;
        json.name("objects")?;
        json.begin_array()?;
        for id in self.objects().filter(|&id| self.is_within(id, depth)) {
            self.object_json(id, &mut json)?;
        }
        json.end_array()?;
        json.name("edges")?;
        json.begin_array()?;
        for id in self.objects().filter(|&id| self.is_within(id, depth)) {
            if let Some(parent) = self.parent(id) {
                let way = self.way(id).to_string();
                edge_json(&mut json, "contains", parent, Some(id), &way, None)?;
            }
        }
        for pointer in &self.pointers {
            let ends = [Some(pointer.from), pointer.to];
            if ends.into_iter().flatten().all(|id| self.is_within(id, depth)) {
                let said = (build::class_of(self, pointer), pointer.pointer.address);
                let way = pointer.way.to_string();
                edge_json(&mut json, "points", pointer.from, pointer.to, &way, Some(said))?;
            }
        }
        json.end_array()?;
        json.name("findings")?;
        json.begin_array()?;
        for finding in &self.findings {
            json.begin_object()?;
            text(&mut json, "file", &finding.file)?;
            text(&mut json, "kind", finding.kind.name())?;
            json.name("offset")?;
            match finding.offset {
                Some(offset) => json.number_value(offset)?,
                None => json.null_value()?,
            }
            text(&mut json, "path", &finding.path.to_string())?;
            text(&mut json, "message", &finding.message)?;
            json.end_object()?;
        }
        json.end_array()?;
        json.end_object()?;
        json.finish_document()?.flush()
    }

    fn object_json<W: Write>(
        &self,
        id: ObjectId,
        json: &mut JsonStreamWriter<W>,
    ) -> io::Result<()> {
        json.begin_object()?;
        json.name("id")?;
        json.number_value(id.0 as u64)?;
        text(json, "file", self.file_name(id))?;
        json.name("address")?;
        json.number_value(self.object(id).map_or(0, |object| object.address))?;
        text(json, "class", &self.class_name(id))?;
        match self.name(id) {
            Some(name) => text(json, "name", &name)?,
            None => {
                json.name("name")?;
                json.null_value()?;
            }
        }
        text(json, "path", &self.path(id).to_string())?;
        json.name("offset")?;
        json.number_value(self.offset(id).unwrap_or_default())?;
        json.end_object()
    }
}

fn text<W: Write>(json: &mut JsonStreamWriter<W>, name: &str, value: &str) -> io::Result<()> {
    json.name(name)?;
    json.string_value(value)
}

fn edge_json<W: Write>(
    json: &mut JsonStreamWriter<W>,
    kind: &str,
    from: ObjectId,
    to: Option<ObjectId>,
    way: &str,
    said: Option<(String, u32)>,
) -> io::Result<()> {
    json.begin_object()?;
    json.name("from")?;
    json.number_value(from.0 as u64)?;
    json.name("to")?;
    match to {
        Some(to) => json.number_value(to.0 as u64)?,
        None => json.null_value()?,
    }
    text(json, "kind", kind)?;
    text(json, "way", way)?;
    if let Some((class, address)) = said {
        text(json, "class", &class)?;
        json.name("address")?;
        json.number_value(address)?;
    }
    json.end_object()
}

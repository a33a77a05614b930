//! ALB1 documents as JSON, without loss.
//!
//! ```
//! use formwork_alb1::{Document, Field, Text};
//! use formwork_alb1::json::Style;
//! use formwork_alb1::json::{from_json, to_json};
//!
//! let mut layer = Document::new("CLayer");
//! let name = layer.tags.id("mname").unwrap();
//! layer.root.fields.push(Field::new(name, Text::new("houses").unwrap()));
//!
//! let json = to_json(&layer, Style::Pretty)?;
//! assert_eq!(
//!     json,
//!     r#"{
//!   "$alb1": {
//!     "version": 1,
//!     "project_version": 0,
//!     "tags": "terrain_builder",
//!     "classes": "terrain_builder",
//!     "root": {"$object": {"class": "CLayer", "address": 268435456, "fields": [
//!       {"tag": "mname", "type": "string", "value": "houses"}
//!     ]}}
//!   }
//! }"#
//! );
//! assert_eq!(from_json(json.as_bytes())?, layer);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # The form
//!
//! The document is `{"$alb1": {...}}` with these members:
//!
//! | member | what it is |
//! |---|---|
//! | `version` | of the format: 1 |
//! | `project_version` | 0 in layers; in a project the number that its field `version` has, too |
//! | `reserved` | the last word of the header; left out where it is 0 |
//! | `tags`, `classes` | the tables: `"terrain_builder"` for the ones that all of Terrain Builder's files have, else `[[2, "tags"], [3, "classes"], ...]` |
//! | `root` | the root object; after the tables |
//! | `$lost` | only of a document that was [rescued](DocumentJson::write_recovered): what is missing; not read |
//!
//! A field is `{"tag": ..., "type": ..., "value": ...}`, in the order of the file. The tag is a name, or
//! a number where the tag table has no name for it, or has the name for another number first. The
//! type is one of the following, and the value depends on it:
//!
//! | type | value |
//! |---|---|
//! | `signed_char`, `unsigned_char`, `signed_short`, `unsigned_short`, `signed_int`, `unsigned_int`, `signed_long`, `unsigned_long` | a number of 8, 8, 16, 16, 32, 32, 32, 32 bits |
//! | `bool` | `false`, `true`, or a number where the byte is neither 0 nor 1 |
//! | `float`, `double` | a number, in as few digits as give back its bits in 32 or 64 bits; what is no JSON number as in the [lossless form of values](https://docs.rs/formwork-variant): `{"$float": "nan"}` |
//! | `string` | a string: its bytes as Windows-1252, see [`Text`](crate::Text) |
//! | `array` | a list of fields; raw bytes as `{"$raw": "base64"}`, or `{"$tree": ...}` as below |
//! | `object` | `{"$object": {"class": "CLayer", "address": 1, "fields": [...]}}`; the class is a name or a number, as tags are |
//! | `object_pointer` | `{"$object_pointer": {"class": "CLayer", "address": 1}}` |
//! | `pair` | a list of two fields |
//! | `array_of_signed_short`, `array_of_signed_int`, `array_of_float`, `array_of_double` | a list of numbers |
//! | `empty` | none: the member `value` is left out, or null |
//!
//! Sizes and counts are not in the form, because they follow from the content. A number out of the range of its type is
//! an error, as is a member or a type that is not listed here. `type` precedes `value`. Tables that are left out are
//! Terrain Builder's.
//!
//! # The quadtree
//!
//! With [`DocumentJson::trees`] the field `tree` of a layer is `{"$tree": {"version": 4, "parts": [...]}}`
//! where its bytes are one whole [tree](crate::tree); the version is that of the tree. It is an
//! error where `mlayerVersion` says another. The parts are the nodes and leaves in the order of the file; which of them
//! are the children of which node follows from `kind` and `children`, as in the file. The numbers are
//! those of the [records](crate::tree::Node), under their names; counts follow from the lists.
//!
//! | part | members |
//! |---|---|
//! | node | `kind`, `bounds` (west, south, east, north), `level`, `colour`, `children` |
//! | leaf | `bounds`, `colour`, `template`, `groups`: a list of `{"template": 5, "objects": [...]}` |
//! | object | `x`, `y`, `yaw`, `pitch`, `roll`, `scale`, `z`, `id` |
//!
//! # Limits
//!
//! Objects, arrays and pairs are read as deep as [`Reader`](crate::Reader) reads them. JSON is
//! read and written piece by piece: besides the document no memory is taken in proportion to it.

mod read;
mod tree;
mod word;
mod write;

use std::io::{Read, Write};

pub use self::tree::Trees;
use crate::recover::Recovered;
use crate::{Document, FieldType, Value};
use formwork::{Error, Result};
use formwork_records::json::Drain;
pub use formwork_records::json::Style;
use formwork_records::json::output::Output;
use formwork_records::json::source::Source;
use formwork_records::limits::Limits;

/// The member that says what a rescue has lost.
const LOST: &str = "$lost";

/// The tables that all files of Terrain Builder have.
const TERRAIN_BUILDER: &str = "terrain_builder";

/// The document as JSON; see [the module](self).
///
/// # Errors
///
/// As [`DocumentJson::write`].
pub fn to_json(document: &Document, style: Style) -> Result<String> {
    DocumentJson::new().style(style).to_string(document)
}

/// The document that JSON holds; see [the module](self).
///
/// # Errors
///
/// As [`DocumentJson::read`].
pub fn from_json(json: impl Read) -> Result<Document> {
    DocumentJson::new().read(json)
}

/// Whether JSON text is a document in this form, by what it starts with.
#[must_use]
pub fn is_document(json: &[u8]) -> bool {
    let inside = json.trim_ascii_start().strip_prefix(b"{").unwrap_or_default();
    inside.trim_ascii_start().starts_with(b"\"$alb1\"")
}

/// The JSON form of documents, with everything that can be chosen about it.
///
/// ```
/// use formwork_alb1::Limits;
/// use formwork_alb1::Document;
/// use formwork_alb1::json::DocumentJson;
///
/// let json = DocumentJson::new().limits(Limits::default().depth(14));
/// let document = json.read(r#"{"$alb1": {"root": {"$object": {"class": "CLayer", "address": 4, "fields": []}}}}"#.as_bytes())?;
/// assert_eq!(document.class_name(&document.root), "CLayer");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DocumentJson {
    style: Style,
    trees: bool,
    limits: Limits,
}

impl DocumentJson {
    /// The form in its compact layout, with the usual limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Chooses the layout.
    #[must_use]
    pub const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Chooses whether the quadtrees of object layers are written as nodes, leaves and objects instead
    /// of base64. (Reading takes both.)
    #[must_use]
    pub const fn trees(mut self, trees: bool) -> Self {
        self.trees = trees;
        self
    }

    /// Chooses the limits for reading. Only the depth means something here.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The document as JSON.
    ///
    /// # Errors
    ///
    /// As [`DocumentJson::write`].
    pub fn to_string(&self, document: &Document) -> Result<String> {
        let mut out = Output::new(self.style);
        self.put(document, None, &mut out, &mut |_| Ok(()))?;
        Ok(out.into_string())
    }

    /// Writes the document as JSON, piece by piece.
    ///
    /// # Errors
    ///
    /// Returns an error if the format cannot hold the document (as [`Document::to_vec`]), before anything is written;
    /// and if writing fails.
    pub fn write(&self, document: &Document, stream: impl Write) -> Result<()> {
        let mut out = Output::new(self.style);
        let mut drain = Drain { stream };
        self.put(document, None, &mut out, &mut |out| drain.some(out))?;
        drain.all(&mut out)
    }

    /// Writes what one field of a document holds, in the form of its member `value`.
    ///
    /// # Errors
    ///
    /// As [`DocumentJson::write`].
    pub fn write_value(
        &self,
        document: &Document,
        value: &Value,
        stream: impl Write,
    ) -> Result<()> {
        document.size()?;
        let mut out = Output::new(self.style);
        let mut drain = Drain { stream };
        write::value(document, value, &mut out, &mut |out| drain.some(out))?;
        drain.all(&mut out)
    }

    /// Reads what a field of this type is to hold, in the form that [`write_value`](Self::write_value) writes.
    /// Names of tags and classes are those of the document.
    ///
    /// # Errors
    ///
    /// As [`DocumentJson::read`], and where the JSON is no value of the type.
    pub fn read_value(
        &self,
        document: &Document,
        field_type: FieldType,
        mut json: impl Read,
    ) -> Result<Value> {
        let mut source = Source::new(&mut json);
        let value = read::value(&mut source, document, field_type, self.limits)?;
        source.finish()?;
        Ok(value)
    }

    /// Writes a rescued document, with what was lost: `{"$alb1": {..., "$lost": {"error": "...",
    /// "ranges": [{"offset": 5, "size": 4, "path": "...", "kind": "...", "message": "..."}], "orphans":
    /// [{"offset": 5, "path": "...", "field": {...}}]}}}`. Read again it is the document alone.
    ///
    /// # Errors
    ///
    /// As [`DocumentJson::write`].
    pub fn write_recovered(&self, recovered: &Recovered, stream: impl Write) -> Result<()> {
        let mut out = Output::new(self.style);
        let mut drain = Drain { stream };
        let lost = Some(recovered).filter(|recovered| !recovered.is_whole());
        self.put(&recovered.document, lost, &mut out, &mut |out| drain.some(out))?;
        drain.all(&mut out)
    }

    fn put(
        &self,
        document: &Document,
        recovered: Option<&Recovered>,
        out: &mut Output,
        between: &mut dyn FnMut(&mut Output) -> Result<()>,
    ) -> Result<()> {
        // What is too long or too deep for a file is so for the form.
        document.size()?;
        let (magic, known) = (document.header.magic, crate::Header::default().magic);
        if magic != known {
            let expected = format!("0x{known:08x}, ALB1");
            return Err(Error::new(crate::rule::HEADER, 0, expected, format!("0x{magic:08x}")));
        }
        let trees = self.trees.then(|| tree::Trees::of(document));
        write::document(document, trees, recovered, out, between)
    }

    /// Reads the document that the JSON holds.
    ///
    /// # Errors
    ///
    /// Returns an error if the JSON is not well formed or not in the form, or if objects, arrays and pairs nest deeper
    /// than the limit.
    pub fn read(&self, mut json: impl Read) -> Result<Document> {
        let mut source = Source::new(&mut json);
        let document = read::document(&mut source, self.limits)?;
        source.finish()?;
        Ok(document)
    }
}

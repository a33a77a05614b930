//! Opened files: one interface for every format, and for every declared record.
//!
//! A [`Format`] recognises and opens files; a [`Document`] is an opened one. Programs look into files and change them
//! through these two traits, and know no format. [`RecordFormat`] is the format of any declared record:
//!
//! ```
//! use formwork::document::{Edit, Format, RecordFormat};
//! use formwork::{BinRead, BinWrite, Block, Schema, binrw};
//!
//! /// A list of scores.
//! #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
//! #[brw(little, magic = b"SCOR")]
//! struct Scores {
//!     /// Number of scores.
//!     count: u8,
//!     /// The scores, the best one first.
//!     #[br(count = count)]
//!     scores: Block<u16>,
//! }
//!
//! static SCORES: RecordFormat = RecordFormat::new::<Scores>("scores", "a list of scores");
//!
//! let mut document = SCORES.open(b"SCOR\x02\x09\0\x07\0")?;
//! assert_eq!(document.to_json().to_string(), r#"{"count":2,"scores":[9,7]}"#);
//!
//! let changes = document.edit(&[Edit::set("scores/0", 12.into()), Edit::add("scores/+", 1.into())])?;
//! assert_eq!(document.to_bytes(), b"SCOR\x03\x0c\0\x07\0\x01\0");
//! let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
//! assert_eq!(changes, ["count: 2 -> 3", "scores/0: 9 -> 12", "scores/2: added 1"]);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # JSON of a record
//!
//! | in the declaration | JSON |
//! | --- | --- |
//! | a number, a float | a number; `{"$float": "nan"}` and so on where JSON has no number |
//! | a number that has a name | the name |
//! | `#[schema(hex)]` | `"0x1f"`; of bytes `"001f"` |
//! | `#[schema(letters)]` | the letters, one for each byte |
//! | bytes | a string if they are text, else `{"$hex": "00ff"}`; `[u8; 3]` is a list of numbers |
//! | a bit-packed word | an object of its parts |
//! | a record | an object of its fields; a record of one field without a name is that field |
//! | a choice | `{"$Variant": ..}` |
//! | a list | an array |
//! | a field that is not there | no member |
//!
//! Magics and computed fields have no member. Where JSON is read, a count, size, tag or checksum may be left out: it is
//! filled in. Paths are those of [`Json::find`].

mod audit;
mod change;
mod child;
mod encoding;
mod form;
mod json;
mod lost;
mod node;
mod path;
mod problem;
mod record;
mod replacing;
pub mod rule;
mod style;
mod text;
mod typed;

use std::any::Any;
use std::borrow::Cow;
use std::io;
use std::ops::Range;

pub use audit::audit;
pub use change::{Change, ChangeKind, Holder, changes};
pub use child::{Child, children, look};
pub use json::Json;
pub use lost::Lost;
pub use problem::{Grade, Problem};
pub use record::RecordFormat;
pub use replacing::{
    Conflict, Differences, Fidelity, Mended, MendedKind, Merged, Replaced, Replacing, only_json,
};
pub use style::Style;
pub use text::JsonText;

use crate::error::{Error, Result};
#[cfg(feature = "suite")]
use crate::record::Vector;
pub use crate::record::{Row, RowKind};

/// How well bytes fit a format.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Confidence {
    /// They are of another format.
    None,
    /// They begin as files of the format begin, and have a fault further on.
    Start,
    /// They are a whole file of the format.
    Whole,
}

/// A kind of file.
pub trait Format: Sync {
    /// Returns the name, as people type it: `png`.
    fn name(&self) -> &'static str;

    /// Returns the files in a few words: `pictures in chunks`.
    fn description(&self) -> &'static str;

    /// Returns the description of the format in Markdown.
    fn page(&self) -> String;

    /// Returns the format as a definition of Kaitai Struct: see `record::ksy`.
    ///
    /// # Errors
    ///
    /// Fails if Kaitai cannot say it. The provided method fails, as only declarations are written so, with the feature
    /// `ksy`.
    fn ksy(&self) -> Result<String> {
        let (expected, found) = ("the format of a declared record", self.name());
        Err(Error::new(crate::wire::rule::RECORD_KSY, 0, expected, found).nowhere())
    }

    /// Returns test vectors for other readers of the format: the samples, made files and broken copies, each with its
    /// verdict. See [`record::suite`](crate::record::suite()). The provided method has only the samples, as only
    /// declarations make files. With the feature `suite`.
    #[cfg(feature = "suite")]
    #[cfg_attr(docsrs, doc(cfg(feature = "suite")))]
    fn suite(&self, samples: &[&[u8]]) -> Vec<Vector> {
        let vector = |sample: &&[u8]| {
            let document = self.open(sample);
            let problem = self.problems(sample).into_iter().next().map(|it| it.error);
            let written = document.as_ref().ok().map(|it| it.to_bytes());
            Vector::new("sample", sample.to_vec(), document.map(drop), problem, written)
        };
        samples.iter().map(vector).collect()
    }

    /// Returns how well bytes fit.
    fn sniff(&self, bytes: &[u8]) -> Confidence;

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// Fails if the bytes cannot be read. [`rows`](Self::rows) shows them all the same.
    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>>;

    /// Makes a file of [its JSON](Document::to_json). Counts, sizes, tags and checksums are set from its content, and
    /// may be left out.
    ///
    /// # Errors
    ///
    /// Fails if the JSON does not fit the format. The error has the path of the field.
    fn make(&self, json: &Json) -> Result<Box<dyn Document>>;

    /// Reads what is left of a damaged file, and lists what is lost. Nothing is lost of a whole one.
    ///
    /// # Errors
    ///
    /// Fails if nothing can be read. The provided method opens the file, as most formats are read whole or not at all.
    fn recover(&self, bytes: &[u8]) -> Result<Recovered> {
        Ok(Recovered { document: self.open(bytes)?, lost: Vec::new() })
    }

    /// Returns all faults of a file: the fault that stops the reader, and data that the reader accepts and a writer
    /// that keeps to the format does not write. At most a thousand.
    fn problems(&self, bytes: &[u8]) -> Vec<Problem>;

    /// Passes a row for each field of a file, whole or damaged, to `each`, until that fails.
    ///
    /// # Errors
    ///
    /// The error of `each`.
    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()>;
}

/// The rest of a damaged file.
pub struct Recovered {
    /// The content that could be read.
    pub document: Box<dyn Document>,
    /// The losses, in the order of the bytes.
    pub lost: Vec<Lost>,
}

/// An opened file.
pub trait Document: Send {
    /// Returns a summary of the file in a few entries: names and values.
    fn summary(&self) -> Vec<(String, Json)>;

    /// Returns the content as JSON, with everything that is needed to make the file again.
    fn to_json(&self) -> Json;

    /// Returns the content as [`to_json`](Self::to_json) does, without a copy where the document has it as JSON.
    fn json(&self) -> Cow<'_, Json> {
        Cow::Owned(self.to_json())
    }

    /// Returns the content as [`to_json`](Self::to_json) does, of a document that is not needed any more.
    fn into_json(self: Box<Self>) -> Json {
        self.to_json()
    }

    /// Returns the encoding of a text that is another one than UTF-8, or has a mark.
    fn encoding(&self) -> Option<&'static str> {
        None
    }

    /// Returns whether the file is several documents one after another, of which [`to_json`](Self::to_json) is the
    /// list.
    fn holds_several(&self) -> bool {
        false
    }

    /// Returns the value at a path.
    ///
    /// # Errors
    ///
    /// Fails if there is no value.
    fn get(&self, path: &str) -> Result<Json> {
        self.json().find(path).cloned()
    }

    /// Returns the values that the file points at, which are not part of its JSON, with their paths: those of
    /// `#[schema(view(..))]`, in the order of their records. What cannot be read is left out, and [`Format::problems`]
    /// tells why; so is what comes after four times the bytes of the file.
    fn views(&self) -> Vec<(String, Json)> {
        Vec::new()
    }

    /// Returns the value at the end of names of members, if it can be read without the rest of the file; [`None`] if not,
    /// and if there is none.
    fn member(&self, _names: &[&str]) -> Option<Json> {
        None
    }

    /// Returns the entries in a range of the value at a path, from 0: members, elements. One level of a large file costs
    /// no more than that level where the format can look into it; the provided method looks into the JSON.
    ///
    /// ```
    /// use formwork::document::{Document, Format, JsonText};
    ///
    /// let save = JsonText.open(br#"{"gold": 5, "bag": ["lamp", "rope", "key"]}"#)?;
    /// let paths = |path, range| -> formwork::Result<Vec<String>> {
    ///     Ok(save.children(path, range)?.into_iter().map(|child| child.path).collect())
    /// };
    /// assert_eq!(paths("", 0..10)?, ["gold", "bag"]);
    /// assert_eq!(paths("bag", 1..3)?, ["bag/1", "bag/2"]);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if there is no value. A value without entries has no children.
    fn children(&self, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
        child::of_json(&self.json(), path, range, &|value| self.shown(value))
    }

    /// Returns the value at a path as an entry, with its whole path and without its entries.
    ///
    /// # Errors
    ///
    /// Fails if there is no value.
    fn look(&self, path: &str) -> Result<Child> {
        child::at(&self.json(), path, &|value| self.shown(value))
    }

    /// Returns the type of a value of [`get`](Self::get) or of a [`Change`] in the words of the format: `Vector2`; of JSON
    /// `number`.
    fn type_name(&self, value: &Json) -> String {
        child::type_name(value).to_owned()
    }

    /// Returns the edits that take changes back, in the order in which they are to be made, of the document as it is after
    /// them. A value that only moved, or of which the old value is not known, has no edit.
    ///
    /// ```
    /// use formwork::document::{Edit, Format, JsonText};
    ///
    /// let text = br#"{"gold": 5, "bag": ["lamp", "rope"]}"#;
    /// let mut save = JsonText.open(text)?;
    /// let changes = save.edit(&[Edit::set("gold", 9.into()), Edit::remove("bag/0")])?;
    /// let edits = save.undoing(&changes);
    /// save.edit(&edits)?;
    /// assert_eq!(save.to_json().to_string(), r#"{"gold":5,"bag":["lamp","rope"]}"#);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    fn undoing(&self, changes: &[Change]) -> Vec<Edit> {
        let edit = |change: &Change| match (&change.before, &change.after) {
            (Some(before), Some(_)) => Some(Edit::set(&*change.path, before.clone())),
            (None, Some(_)) => Some(Edit::remove(&*change.path)),
            (Some(before), None) => {
                let (around, last) = change.path.rsplit_once('/').unwrap_or(("", &change.path));
                let is_element =
                    last.parse::<usize>().is_ok() && matches!(self.get(around), Ok(Json::Array(_)));
                let path = match (is_element, around) {
                    (false, _) => change.path.clone(),
                    (true, "") => format!("+{last}"),
                    (true, around) => format!("{around}/+{last}"),
                };
                Some(Edit::add(path, before.clone()))
            }
            (None, None) => None,
        };
        // Paths of what is there are those of the document as it is, and paths of what is gone those of the one before.
        let changes = changes.iter().filter(|it| it.kind != ChangeKind::Moved);
        let (there, gone): (Vec<_>, Vec<_>) = changes.partition(|it| it.after.is_some());
        let (set, added): (Vec<_>, Vec<_>) = there.into_iter().partition(|it| it.before.is_some());
        set.into_iter().chain(added.into_iter().rev()).chain(gone).filter_map(edit).collect()
    }

    /// Returns the value for a path that a person types as text. The value has the form of the one that is there: text
    /// stays text, and `7` becomes `7.0` where a number with a fraction is.
    ///
    /// # Errors
    ///
    /// Fails if the text is no value for the path. The offset counts bytes of the text.
    fn typed(&self, path: &str, text: &str) -> Result<Json> {
        typed::typed(text, self.get(path).ok().as_ref())
    }

    /// Returns whether values have types that [`typed_as`](Self::typed_as) takes by their names.
    fn has_types(&self) -> bool {
        false
    }

    /// Returns why no entry can be added and no type be changed, where the format has all of them; [`None`] where they can.
    fn fixed(&self) -> Option<&'static str> {
        None
    }

    /// Returns why programs that read the file may need the value at a path; [`None`] if nothing is known about that.
    fn needed(&self, _path: &str) -> Option<String> {
        None
    }

    /// Returns the value of a text alone, whatever is at its place: of the named type, or else of the type that it has.
    ///
    /// # Errors
    ///
    /// Fails if the text is no value of the type, or the format has no type of that name.
    fn typed_as(&self, text: &str, type_name: Option<&str>) -> Result<Json> {
        match type_name {
            None => typed::typed(text, None),
            Some(name) => {
                let expected = "no name of a type, as a value has its own one";
                Err(Error::new(rule::DOCUMENT_TYPE, 0, expected, name).nowhere())
            }
        }
    }

    /// Returns the value for a path that holds bytes, of the named type, or else of the one that is there. [`None`] if
    /// values of that type do not hold these bytes.
    fn of_bytes(&self, path: &str, type_name: Option<&str>, bytes: &[u8]) -> Option<Json> {
        let text = std::str::from_utf8(bytes).ok().filter(|_| type_name.is_none())?;
        let is_text = self.get(path).map_or(true, |there| matches!(there, Json::String(_)));
        is_text.then(|| text.into())
    }

    /// Returns the bytes that the value at a path holds: of a text those of UTF-8. [`of_bytes`](Self::of_bytes) is the way
    /// back. [`None`] if values of its type hold none.
    ///
    /// ```
    /// use formwork::document::{Edit, Format, JsonText};
    ///
    /// let mut save = JsonText.open(br#"{"notes": "one"}"#)?;
    /// assert_eq!(save.bytes_at("notes")?.as_deref(), Some(&b"one"[..]));
    /// let value = save.of_bytes("notes", None, b"two").expect("it is text");
    /// save.edit(&[Edit::set("notes", value)])?;
    /// assert_eq!(save.to_bytes(), br#"{"notes": "two"}"#);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if there is no value.
    fn bytes_at(&self, path: &str) -> Result<Option<Vec<u8>>> {
        Ok(match self.get(path)? {
            Json::String(text) => Some(text.into_bytes()),
            _ => None,
        })
    }

    /// Returns a value of [`get`](Self::get) or of a [`Change`] as people read it: as JSON, or in other words where the
    /// format has such.
    fn shown(&self, value: &Json) -> String {
        value.to_string()
    }

    /// Makes all changes or none, and returns everything that changed: counts, sizes and checksums too.
    /// The provided method changes the JSON, and sets it.
    ///
    /// # Errors
    ///
    /// Fails if a path leads to nothing, a value does not fit, or other fields decide the value.
    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        let mut json = self.to_json();
        edits.iter().try_for_each(|edit| edit.apply(&mut json))?;
        self.set_json(&json)
    }

    /// Removes all values at paths or none, and returns everything that changed. The paths are those of the document as
    /// it is: removing an element of a list does not change the meaning of the paths of others.
    ///
    /// # Errors
    ///
    /// As [`edit`](Self::edit).
    fn remove(&mut self, paths: &[String]) -> Result<Vec<Change>> {
        let json = self.json();
        let places = paths.iter().map(|path| json.place(path)).collect::<Result<Vec<_>>>()?;
        drop(json);
        self.edit(&path::last_first(places).into_iter().map(Edit::remove).collect::<Vec<_>>())
    }

    /// Replaces the content, and returns the changes.
    ///
    /// # Errors
    ///
    /// As [`Format::make`].
    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>>;

    /// Returns the value of a text in one of the forms of [`to_text`](Self::to_text).
    ///
    /// # Errors
    ///
    /// Fails if the text is not of the form, with the offset in the text.
    fn read_text(&self, form: &str, text: &[u8]) -> Result<Json> {
        only_json(form)?;
        Json::read(text)
    }

    /// Writes the value at a path as a text in one of the forms of the format, and a line break: `json`. The empty path
    /// is the whole content, which [`set_text`](Self::set_text) takes back.
    ///
    /// ```
    /// use formwork::document::{Document, Format, JsonText, Style};
    ///
    /// let save = JsonText.open(br#"{"gold": 5, "bag": ["lamp", "rope"]}"#)?;
    /// let mut text = Vec::new();
    /// save.write_text("bag", "json", Style::Compact, &mut text)?;
    /// assert_eq!(text, b"[\"lamp\",\"rope\"]\n");
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if there is no value, the format has no such form, the form not such a value, or `out` fails.
    fn write_text(
        &self,
        path: &str,
        form: &str,
        style: Style,
        out: &mut dyn io::Write,
    ) -> Result<()> {
        only_json(form)?;
        let json = if path.is_empty() { self.json() } else { Cow::Owned(self.get(path)?) };
        let written = match style {
            Style::Compact => writeln!(out, "{json}"),
            Style::Pretty => writeln!(out, "{json:#}"),
        };
        written.map_err(|error| Error::io(0, error))
    }

    /// Returns the content as a text in one of the forms of the format, on many lines: see
    /// [`write_text`](Self::write_text).
    ///
    /// # Errors
    ///
    /// As [`write_text`](Self::write_text).
    fn to_text(&self, form: &str) -> Result<Vec<u8>> {
        let mut text = Vec::new();
        self.write_text("", form, Style::Pretty, &mut text)?;
        Ok(text)
    }

    /// Replaces the content by that of a text.
    ///
    /// # Errors
    ///
    /// Fails if the text is not of the form, with the offset in the text; or as [`set_json`](Self::set_json), without an
    /// offset.
    fn set_text(&mut self, text: &[u8], replacing: Replacing<'_>) -> Result<Replaced> {
        only_json(replacing.form)?;
        let changes = self.set_json(&Json::read(text)?).map_err(Error::nowhere)?;
        Ok(Replaced { changes, mended: Vec::new() })
    }

    /// Takes over the differences from `base` to `theirs`, documents of the same format or nothing. Where both sides
    /// changed a value, that of `theirs` counts if it `wins`, and the conflict is listed. [`None`] if the documents are to
    /// be merged as JSON.
    ///
    /// # Errors
    ///
    /// Fails if the documents are not of one format, or the merged content does not fit it.
    fn merge(
        &mut self,
        _base: Option<&dyn Document>,
        _theirs: Option<&dyn Document>,
        _wins: bool,
    ) -> Result<Option<Merged>> {
        Ok(None)
    }

    /// Returns a copy.
    fn fork(&self) -> Box<dyn Document>;

    /// Returns the document, for other documents of its format.
    fn as_any(&self) -> &dyn Any;

    /// Returns the differences to another file of the format.
    fn diff(&self, other: &dyn Document) -> Vec<Change> {
        self.diff_within(other, None).changes
    }

    /// Returns the differences to another file of the format, in the words of that; with a tolerance without those of
    /// numbers that differ by at most that.
    fn diff_within(&self, other: &dyn Document, tolerance: Option<f64>) -> Differences {
        let mut changes = changes(&self.json(), &other.json());
        changes.retain(|it| !tolerance.is_some_and(|tolerance| it.is_within(tolerance)));
        Differences { changes, losses: 0 }
    }

    /// Returns the bytes in which places count: of a compressed or encrypted file its content, else those of the file.
    ///
    /// # Errors
    ///
    /// Fails if the content cannot be unpacked.
    fn content(&self) -> Result<Vec<u8>> {
        Ok(self.to_bytes())
    }

    /// Returns where the value at a path is in the [content](Self::content); [`None`] if the document does not know.
    /// [`Format::rows`] has the places of fields then.
    ///
    /// # Errors
    ///
    /// Fails if there is no value.
    fn place(&self, path: &str) -> Result<Option<Range<u64>>> {
        self.get(path).map(|_| None)
    }

    /// Passes a row for each field of the value at a path to `each`, until that fails; offsets count in the
    /// [content](Self::content). Returns whether the document knows them. [`Format::rows`] has all rows else.
    ///
    /// # Errors
    ///
    /// Fails if there is no value.
    fn rows(&self, path: &str, _each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>) -> Result<bool> {
        self.get(path).map(|_| false)
    }

    /// Returns the bytes of the file: those that were opened, where nothing changed.
    fn to_bytes(&self) -> Vec<u8>;

    /// Returns the bytes of the file as [`to_bytes`](Self::to_bytes) does, without a copy where the document owns them.
    fn into_bytes(self: Box<Self>) -> Vec<u8> {
        self.to_bytes()
    }
}

/// A requested change.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Sets the value at a path.
    Set {
        /// The path.
        path: String,
        /// The new value.
        value: Json,
        /// Whether a value that is not there is added.
        adds: bool,
    },
    /// Removes the value at a path.
    Remove {
        /// The path.
        path: String,
    },
}

impl Edit {
    /// Sets an existing value.
    pub fn set(path: impl Into<String>, value: Json) -> Self {
        Self::Set { path: path.into(), value, adds: false }
    }

    /// Sets a value, or adds it.
    pub fn add(path: impl Into<String>, value: Json) -> Self {
        Self::Set { path: path.into(), value, adds: true }
    }

    /// Removes a value.
    pub fn remove(path: impl Into<String>) -> Self {
        Self::Remove { path: path.into() }
    }

    /// Returns the path of the value.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Set { path, .. } | Self::Remove { path } => path,
        }
    }

    /// Makes the change in JSON.
    ///
    /// # Errors
    ///
    /// Fails if there is no such value, or no place for it.
    pub fn apply(&self, json: &mut Json) -> Result<()> {
        match self {
            Self::Set { path, value, adds } => json.set(path, value.clone(), *adds).map(drop),
            Self::Remove { path } => json.remove(path).map(drop),
        }
    }
}

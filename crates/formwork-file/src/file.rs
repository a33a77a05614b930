//! An opened file, with the changes that were made to it.

use std::fmt;
use std::ops::Range;

use formwork::document::{Change, Child, Document, Edit, Format, Json, Problem};
use formwork::{Error, Result};

use crate::guess::{Configured, Guess};
use crate::history::Step;
use crate::{Options, VALUES};

/// An opened file. Each change is made whole or not at all, and can be taken back.
///
/// ```
/// let mut file = formwork_file::open(br#"{ "gold": 5, "bag": ["lamp"] }"#)?;
/// assert_eq!(file.format().name(), "json");
/// file.set("gold", "7")?;
/// assert_eq!(file.to_bytes(), br#"{ "gold": 7, "bag": ["lamp"] }"#);
/// assert!(file.undo()?);
/// assert_eq!(file.to_bytes(), br#"{ "gold": 5, "bag": ["lamp"] }"#);
/// # Ok::<(), formwork_file::Error>(())
/// ```
pub struct File {
    guess: Guess,
    options: Options,
    document: Box<dyn Document>,
    /// The changes made, and those taken back.
    done: Vec<Step>,
    undone: Vec<Step>,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File").field("format", &self.guess.format.name()).finish_non_exhaustive()
    }
}

impl File {
    pub(crate) fn new(guess: Guess, options: &Options, document: Box<dyn Document>) -> Self {
        let options = options.clone();
        Self { guess, options, document, done: Vec::new(), undone: Vec::new() }
    }

    /// Returns the format.
    #[must_use]
    pub const fn format(&self) -> &'static dyn Format {
        self.guess.format
    }

    /// Returns in a few words why the file is thought to be of the format.
    #[must_use]
    pub const fn why(&self) -> &'static str {
        self.guess.why()
    }

    /// Returns the document, for what this type has no method for.
    #[must_use]
    pub fn document(&self) -> &dyn Document {
        &*self.document
    }

    pub(crate) const fn guess(&self) -> Guess {
        self.guess
    }

    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// Opens other bytes as this file was opened.
    pub(crate) fn reopen(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        Configured::new(self.guess, &self.options).open(bytes)
    }

    /// Returns a summary in a few entries.
    #[must_use]
    pub fn summary(&self) -> Vec<(String, Json)> {
        self.document.summary()
    }

    /// Returns the whole content as JSON.
    #[must_use]
    pub fn to_json(&self) -> Json {
        self.document.to_json()
    }

    /// Returns the value at a path.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value.
    pub fn get(&self, path: &str) -> Result<Json> {
        self.document.get(path)
    }

    /// Returns the value at a path as people read it.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value.
    pub fn shown(&self, path: &str) -> Result<String> {
        Ok(self.document.shown(&self.document.get(path)?))
    }

    /// Returns the entries in a range of the value at a path: one level of a tree.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value.
    pub fn children(&self, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
        self.document.children(path, range)
    }

    /// Returns the bytes that the value at a path holds, such as a file of a pack: of a text those of UTF-8. [`None`] if
    /// values of its type hold none.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value.
    pub fn bytes(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.document.bytes_at(path)
    }

    /// Sets the bytes that the value at a path holds.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value, or values of its type hold no bytes.
    pub fn set_bytes(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<Change>> {
        let there = self.document.get(path)?;
        let value = self.document.of_bytes(path, None, bytes).ok_or_else(|| {
            let found = self.document.type_name(&there);
            Error::new(VALUES, 0, "a value that holds bytes", found).nowhere()
        })?;
        self.edit(&[Edit::set(path, value)])
    }

    /// Opens the file that the value at a path holds, such as a save in a pack. Only this one is read.
    ///
    /// ```
    /// use formwork_file::formats::PACKS;
    /// use formwork_file::{Format, Json, Options};
    ///
    /// let pack = br#"{"version": 2, "engine": [4, 2, 0], "files": {"a.cfg": "[a]\nb=1\n"}}"#;
    /// let pack = PACKS.make(&Json::read(pack)?)?.to_bytes();
    /// let mut pack = Options::new().open(&pack)?;
    /// let mut inner = pack.inner("files/\"a.cfg\"", &Options::new())?;
    /// inner.set("a/b", "2")?;
    /// pack.set_bytes("files/\"a.cfg\"", &inner.to_bytes())?;
    /// assert_eq!(pack.get("files/\"a.cfg\"")?.to_string(), r#""[a]\nb=2\n""#);
    /// # Ok::<(), formwork_file::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`bytes`](Self::bytes) and [`Options::open`], and if the value holds no bytes.
    pub fn inner(&self, path: &str, options: &Options) -> Result<Self> {
        let bytes = self.bytes(path)?.ok_or_else(|| {
            Error::new(VALUES, 0, "a value that holds bytes", "another one").nowhere()
        })?;
        options.open(&bytes)
    }

    /// Sets an existing value to the one that a person typed.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no value, or the text is none of its type.
    pub fn set(&mut self, path: &str, text: &str) -> Result<Vec<Change>> {
        let value = self.document.typed(path, text)?;
        self.edit(&[Edit::set(path, value)])
    }

    /// Sets a value to the one that a person typed, or adds it.
    ///
    /// # Errors
    ///
    /// Returns an error if the value has no place, or the text is no value.
    pub fn add(&mut self, path: &str, text: &str) -> Result<Vec<Change>> {
        let value = self.document.typed(path, text)?;
        self.edit(&[Edit::add(path, value)])
    }

    /// Removes values, whose paths are those of the file as it is.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is not there.
    pub fn remove(&mut self, paths: &[String]) -> Result<Vec<Change>> {
        self.change(|document| document.remove(paths))
    }

    /// Makes all changes or none.
    ///
    /// # Errors
    ///
    /// Returns an error if a path leads to nothing, or a value does not fit.
    pub fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        self.change(|document| document.edit(edits))
    }

    /// Replaces the content.
    ///
    /// # Errors
    ///
    /// Returns an error if the JSON does not fit the format.
    pub fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        self.change(|document| document.set_json(json))
    }

    pub(crate) fn change(
        &mut self,
        make: impl FnOnce(&mut dyn Document) -> Result<Vec<Change>>,
    ) -> Result<Vec<Change>> {
        let before = self.document.to_bytes();
        let changes = make(&mut *self.document)?;
        let after = self.document.to_bytes();
        if before != after {
            self.done.push(Step::between(&before, &after));
            self.undone.clear();
        }
        Ok(changes)
    }

    /// Takes the last change back. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes cannot be read again.
    pub fn undo(&mut self) -> Result<bool> {
        let Some(step) = self.done.pop() else { return Ok(false) };
        self.document = self.reopen(&step.undone(&self.document.to_bytes()))?;
        self.undone.push(step);
        Ok(true)
    }

    /// Makes the change again that was taken back last. Returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes cannot be read again.
    pub fn redo(&mut self) -> Result<bool> {
        let Some(step) = self.undone.pop() else { return Ok(false) };
        self.document = self.reopen(&step.redone(&self.document.to_bytes()))?;
        self.done.push(step);
        Ok(true)
    }

    /// Returns what differs from the file as it was opened.
    ///
    /// # Errors
    ///
    /// Returns an error if the first bytes cannot be read again.
    pub fn changes(&self) -> Result<Vec<Change>> {
        let undone = |bytes: Vec<u8>, step: &Step| step.undone(&bytes);
        let first = self.done.iter().rev().fold(self.document.to_bytes(), undone);
        Ok(self.reopen(&first)?.diff(&*self.document))
    }

    /// Returns a change in words, with values as people read them.
    #[must_use]
    pub fn described(&self, change: &Change) -> String {
        let path = if change.path.is_empty() { "the value" } else { &change.path };
        let shown = |json: &Json| self.document.shown(json);
        match (change.before.as_ref().map(shown), change.after.as_ref().map(shown)) {
            (Some(before), Some(after)) => format!("{path}: {before} -> {after}"),
            (None, Some(after)) => format!("{path}: added {after}"),
            (Some(before), None) => format!("{path}: removed {before}"),
            (None, None) => format!("{path}: {}", change.kind.name()),
        }
    }

    /// Returns what differs in another file.
    #[must_use]
    pub fn diff(&self, other: &Self) -> Vec<Change> {
        self.document.diff(&*other.document)
    }

    /// Returns all faults: what a writer that keeps to the format does not write. At most a thousand.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        Configured::new(self.guess, &self.options).problems(&self.document.to_bytes())
    }

    /// Returns the bytes of the file: those that were opened, where nothing changed.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.document.to_bytes()
    }
}

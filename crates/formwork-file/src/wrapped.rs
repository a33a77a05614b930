//! Files in a container of an engine, compressed or encrypted, that hold no values: text, for example.

use std::any::Any;
use std::borrow::Cow;
use std::io;
use std::ops::{Deref, Range};

use formwork::document::{
    Change, Child, Confidence, Differences, Document, Edit, Format, Json, Merged, Problem,
    Recovered, Replaced, Replacing, Row, Style,
};
use formwork::{Error, Result};
use formwork_alb1::Limits;
use formwork_godot::file::take_out_all;
use formwork_godot::wrapper::{Key, Unwrapped};

/// A format whose files are in containers.
pub(crate) struct Wrapped<F> {
    pub(crate) format: F,
    pub(crate) key: Option<Key>,
    pub(crate) limits: Limits,
}

impl<F> Wrapped<F> {
    fn unwrapped(&self, bytes: &[u8]) -> Result<Unwrapped> {
        let mut file = Unwrapped::new(bytes);
        take_out_all(&mut file, self.key.as_ref(), &self.limits)?;
        Ok(file)
    }

    fn opened(&self, inner: Box<dyn Document>, unwrapped: Unwrapped, bytes: &[u8]) -> Opened {
        Opened { inner, unwrapped, key: self.key.clone(), bytes: bytes.to_vec() }
    }
}

impl<F: Deref<Target = dyn Format> + Sync> Format for Wrapped<F> {
    fn name(&self) -> &'static str {
        self.format.name()
    }

    fn description(&self) -> &'static str {
        self.format.description()
    }

    fn page(&self) -> String {
        self.format.page()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        self.unwrapped(bytes).map_or(Confidence::None, |file| self.format.sniff(file.content()))
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        let file = self.unwrapped(bytes)?;
        let inner = self.format.open(file.content())?;
        Ok(Box::new(self.opened(inner, file, bytes)))
    }

    /// Makes a file without a container.
    fn make(&self, json: &Json) -> Result<Box<dyn Document>> {
        self.format.make(json)
    }

    fn recover(&self, bytes: &[u8]) -> Result<Recovered> {
        self.format.recover(self.unwrapped(bytes)?.content())
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        match self.unwrapped(bytes) {
            Ok(file) => self.format.problems(file.content()),
            Err(error) => vec![Problem::damage(error)],
        }
    }

    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        // Rows of a damaged container are those of its bytes.
        match self.unwrapped(bytes) {
            Ok(file) => self.format.rows(file.content(), each),
            Err(_) => self.format.rows(bytes, each),
        }
    }
}

/// An opened file, which is the document in its container.
struct Opened {
    inner: Box<dyn Document>,
    /// The file as it was opened.
    unwrapped: Unwrapped,
    key: Option<Key>,
    bytes: Vec<u8>,
}

impl Opened {
    /// Makes a change of a copy, and takes that if its container can be closed.
    fn change<T>(&mut self, make: impl FnOnce(&mut dyn Document) -> Result<T>) -> Result<T> {
        let mut changed = self.inner.fork();
        let made = make(&mut *changed)?;
        let content = changed.to_bytes();
        if content != self.inner.to_bytes() {
            let closed = self.unwrapped.wrapping().close(&content, self.key.as_ref());
            self.bytes = closed.map_err(Error::nowhere)?;
        }
        self.inner = changed;
        Ok(made)
    }
}

impl Document for Opened {
    fn summary(&self) -> Vec<(String, Json)> {
        let mut summary = self.inner.summary();
        let layers = self.unwrapped.layers().iter().map(|layer| layer.to_string().into());
        summary.push(("wrapper".to_owned(), Json::Array(layers.collect())));
        summary
    }

    fn to_json(&self) -> Json {
        self.inner.to_json()
    }

    fn json(&self) -> Cow<'_, Json> {
        self.inner.json()
    }

    fn into_json(self: Box<Self>) -> Json {
        self.inner.into_json()
    }

    fn encoding(&self) -> Option<&'static str> {
        self.inner.encoding()
    }

    fn holds_several(&self) -> bool {
        self.inner.holds_several()
    }

    fn get(&self, path: &str) -> Result<Json> {
        self.inner.get(path)
    }

    fn views(&self) -> Vec<(String, Json)> {
        self.inner.views()
    }

    fn member(&self, names: &[&str]) -> Option<Json> {
        self.inner.member(names)
    }

    fn children(&self, path: &str, range: Range<usize>) -> Result<Vec<Child>> {
        self.inner.children(path, range)
    }

    fn look(&self, path: &str) -> Result<Child> {
        self.inner.look(path)
    }

    fn type_name(&self, value: &Json) -> String {
        self.inner.type_name(value)
    }

    fn undoing(&self, changes: &[Change]) -> Vec<Edit> {
        self.inner.undoing(changes)
    }

    fn typed(&self, path: &str, text: &str) -> Result<Json> {
        self.inner.typed(path, text)
    }

    fn has_types(&self) -> bool {
        self.inner.has_types()
    }

    fn fixed(&self) -> Option<&'static str> {
        self.inner.fixed()
    }

    fn needed(&self, path: &str) -> Option<String> {
        self.inner.needed(path)
    }

    fn typed_as(&self, text: &str, type_name: Option<&str>) -> Result<Json> {
        self.inner.typed_as(text, type_name)
    }

    fn of_bytes(&self, path: &str, type_name: Option<&str>, bytes: &[u8]) -> Option<Json> {
        self.inner.of_bytes(path, type_name, bytes)
    }

    fn bytes_at(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.inner.bytes_at(path)
    }

    fn shown(&self, value: &Json) -> String {
        self.inner.shown(value)
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        self.change(|inner| inner.edit(edits))
    }

    fn remove(&mut self, paths: &[String]) -> Result<Vec<Change>> {
        self.change(|inner| inner.remove(paths))
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        self.change(|inner| inner.set_json(json))
    }

    fn read_text(&self, form: &str, text: &[u8]) -> Result<Json> {
        self.inner.read_text(form, text)
    }

    fn write_text(
        &self,
        path: &str,
        form: &str,
        style: Style,
        out: &mut dyn io::Write,
    ) -> Result<()> {
        self.inner.write_text(path, form, style, out)
    }

    fn set_text(&mut self, text: &[u8], replacing: Replacing<'_>) -> Result<Replaced> {
        self.change(|inner| inner.set_text(text, replacing))
    }

    fn merge(
        &mut self,
        base: Option<&dyn Document>,
        theirs: Option<&dyn Document>,
        wins: bool,
    ) -> Result<Option<Merged>> {
        self.change(|inner| inner.merge(base, theirs, wins))
    }

    fn fork(&self) -> Box<dyn Document> {
        Box::new(Self {
            inner: self.inner.fork(),
            unwrapped: self.unwrapped.clone(),
            key: self.key.clone(),
            bytes: self.bytes.clone(),
        })
    }

    /// Returns the document in the container: other documents of its format know that.
    fn as_any(&self) -> &dyn Any {
        self.inner.as_any()
    }

    fn diff_within(&self, other: &dyn Document, tolerance: Option<f64>) -> Differences {
        self.inner.diff_within(other, tolerance)
    }

    fn content(&self) -> Result<Vec<u8>> {
        self.inner.content()
    }

    fn place(&self, path: &str) -> Result<Option<Range<u64>>> {
        self.inner.place(path)
    }

    fn rows(&self, path: &str, each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>) -> Result<bool> {
        self.inner.rows(path, each)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }

    fn into_bytes(self: Box<Self>) -> Vec<u8> {
        self.bytes
    }
}

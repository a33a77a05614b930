//! What is odd in a document that can be read.

use std::collections::HashSet;
use std::io::{self, Write};

use super::walk::{Visited, Walk};
use super::{Document, Field, Object, Table, Value};
use crate::error::{Error, Path, Result, Rule};

/// Bytes of the size word in front of an object's class.
const BLOB_SIZE: u64 = size_of::<u32>() as u64;
/// Bytes of the class in front of an object's address.
const CLASS: u64 = size_of::<i16>() as u64;

impl Document {
    /// Hands `found` whatever the document holds that no file of Terrain Builder does: tags and classes
    /// that its tables do not have, bools that are neither 0 nor 1, objects without an address or with
    /// that of another, arrays whose elements differ in tag or type. All of it can be read and
    /// written.
    ///
    /// ```
    /// use formwork::alb1::{Document, Field, Value};
    ///
    /// let mut layer = Document::new("CLayer");
    /// layer.root.fields.push(Field::new(layer.tags.id("mbLocked").unwrap(), Value::Bool(7)));
    ///
    /// let mut found = Vec::new();
    /// layer.check(|oddity| found.push(oddity));
    /// assert_eq!(found[0].rule().name(), "bool.value");
    /// assert_eq!(found[0].path().to_string(), "mbLocked");
    /// ```
    pub fn check(&self, found: impl FnMut(Error)) {
        let mut check = Check { document: self, addresses: HashSet::new(), found };
        check.object(&self.root, self.root_offset(), Path::default);
        let mut walk = self.walk();
        while let Some(visited) = walk.next() {
            check.field(visited, &walk);
        }
    }

    /// Where the file that the document would be written as first differs from `bytes`; [`None`] where
    /// it does not. Takes no memory for the file.
    ///
    /// # Errors
    ///
    /// As [`Document::to_vec`].
    pub fn difference(&self, bytes: &[u8]) -> Result<Option<u64>> {
        let mut same = Same { rest: bytes, same: 0, differs: false };
        self.write_to(&mut same)?;
        Ok((same.differs || !same.rest.is_empty()).then_some(same.same))
    }
}

/// What is written is compared, and not kept.
struct Same<'b> {
    /// What was not compared yet.
    rest: &'b [u8],
    /// How many bytes are the same.
    same: u64,
    differs: bool,
}

impl Write for Same<'_> {
    fn write(&mut self, written: &[u8]) -> io::Result<usize> {
        if self.differs {
            return Ok(written.len());
        }
        match self.rest.split_at_checked(written.len()) {
            Some((expected, rest)) if expected == written => {
                self.rest = rest;
                self.same += written.len() as u64;
            }
            _ => {
                let same = written.iter().zip(self.rest).take_while(|(one, other)| one == other);
                self.same += same.count() as u64;
                self.differs = true;
            }
        }
        Ok(written.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Check<'d, F> {
    document: &'d Document,
    addresses: HashSet<u32>,
    found: F,
}

impl<F: FnMut(Error)> Check<'_, F> {
    fn field(&mut self, visited: Visited<'_>, walk: &Walk<'_>) {
        let (field, at) = (visited.field, visited.value_offset());
        if self.document.tags.name(field.tag).is_none() {
            let (expected, tag) = ("a tag of the tag table", field.tag.to_string());
            self.found(Rule::Alb1KnownTag, visited.offset, walk.path(), expected, tag);
        }
        match &field.value {
            Value::Bool(byte @ 2..) => {
                self.found(Rule::BoolValue, at, walk.path(), "0 or 1", byte.to_string());
            }
            Value::Object(object) => self.object(object, at + BLOB_SIZE, || walk.path()),
            Value::ObjectPointer(pointer) => self.class(pointer.class, at, || walk.path()),
            Value::Array(elements) => self.elements(elements, at, walk),
            _ => {}
        }
    }

    /// An object whose class stands at `at`.
    fn object(&mut self, object: &Object, at: u64, path: impl Fn() -> Path) {
        self.class(object.class, at, &path);
        let at = at + CLASS;
        if object.address == 0 {
            self.found(Rule::Alb1Address, at, path(), "an address", "0".into());
        } else if !self.addresses.insert(object.address) {
            let address = format!("0x{:08x} again", object.address);
            self.found(Rule::Alb1Address, at, path(), "an address of its own", address);
        }
    }

    fn class(&mut self, class: i16, at: u64, path: impl Fn() -> Path) {
        if self.document.classes.name(class as u16).is_none() {
            let (expected, class) = ("a class of the class table", class.to_string());
            self.found(Rule::Alb1KnownClass, at, path(), expected, class);
        }
    }

    fn elements(&mut self, elements: &[Field], at: u64, walk: &Walk<'_>) {
        let Some(first) = elements.first() else { return };
        let shape = |field: &Field| (field.tag, field.value.field_type());
        let Some(other) = elements.iter().find(|element| shape(element) != shape(first)) else {
            return;
        };
        let tags = &self.document.tags;
        let (expected, found) = (words(tags, first), words(tags, other));
        self.found(Rule::Alb1Elements, at, walk.path(), format!("elements {expected}"), found);
    }

    #[cold]
    fn found(
        &mut self,
        rule: Rule,
        at: u64,
        path: Path,
        expected: impl Into<String>,
        found: String,
    ) {
        (self.found)(Error::new(rule, at, expected, found).under(path));
    }
}

/// Tag and type of a field.
fn words(tags: &Table, field: &Field) -> String {
    format!("{} of type {}", tags.display(field.tag), field.value.field_type())
}

//! From objects of a document to the structs of their classes, and back into the same objects.

use std::collections::HashMap;

use super::class::{Class, ClassField};
use super::form::Form;
use crate::terrain::rule;
use crate::{Addresses, Document, Field, Object, Table, Value};
use formwork::{Error, Path, PathSegment, Result};

/// A struct that a class is read into.
pub trait Typed: Sized {
    /// The class.
    const CLASS: &'static Class;

    /// The address of the object that this was read from; 0 for one that is to be made.
    fn address(&self) -> u32;

    /// Reads an object. Fields that the class does not have are left alone.
    ///
    /// # Errors
    ///
    /// [`rule::CLASS`] where the object is of another class, or a field is missing or of another
    /// type. The path leads there from the object; the offset is 0, as a document has none.
    fn read(object: &Object, names: &Names) -> Result<Self>;

    /// Writes this into an object of the class: what has changed, and nothing else. Fields that are
    /// missing are put at their place.
    ///
    /// # Errors
    ///
    /// [`rule::CLASS`] where the object is of another class; it is as it was then. Where a table
    /// of the document has no room for a name.
    fn store(&self, object: &mut Object, making: &mut Making<'_>) -> Result<()>;

    /// A new object with every field of the class, in order.
    ///
    /// # Errors
    ///
    /// As [`Typed::store`].
    fn object(&self, making: &mut Making<'_>) -> Result<Object> {
        let mut object = making.object(Self::CLASS.name)?;
        self.store(&mut object, making)?;
        Ok(object)
    }
}

/// The class of the root of a file.
pub trait Root: Typed {
    /// Returns the number that the header of the file repeats: the version of a project, 0 in other files.
    fn version_in_header(&self) -> u32 {
        0
    }

    /// Reads the root of a document.
    ///
    /// # Errors
    ///
    /// As [`Typed::read`].
    fn of(document: &Document) -> Result<Self> {
        Self::read(&document.root, &Names::of(document))
    }

    /// Writes this into the root of a document: what has changed, and nothing else.
    ///
    /// # Errors
    ///
    /// As [`Typed::store`]. Where the root itself is of another class, the document is as it was;
    /// where an object further in is, it may hold a part of the change.
    fn store_in(&self, document: &mut Document) -> Result<()> {
        let before = Self::of(document).map(|there| there.version_in_header());
        let (root, mut making) = Making::of(document);
        self.store(root, &mut making)?;
        // A header that does not agree with a version that nobody has changed is left alone.
        if before != Ok(self.version_in_header()) {
            document.header.project_version = self.version_in_header();
        }
        Ok(())
    }

    /// A new document with this as its root.
    ///
    /// # Errors
    ///
    /// As [`Typed::store`].
    fn to_document(&self) -> Result<Document> {
        let mut document = Document::new(Self::CLASS.name);
        self.store_in(&mut document)?;
        Ok(document)
    }
}

/// The ids that a document gives to the names of the declared classes.
#[derive(Debug, Default)]
pub struct Names {
    tags: HashMap<&'static str, u16>,
    classes: HashMap<&'static str, u16>,
    /// The tables, for messages about what else was found.
    names_of_classes: HashMap<u16, Box<str>>,
}

impl Names {
    /// Looks the names up in the tables of a document.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let Document { tags, classes, .. } = document;
        let declared = super::CLASSES.iter().flat_map(|class| class.fields);
        let containers = [ITEM, PAIR, KEY, DATA];
        Self {
            tags: declared
                .map(|field| field.tag)
                .chain(containers)
                .filter_map(|name| Some((name, tags.id(name)?)))
                .collect(),
            classes: super::CLASSES
                .iter()
                .filter_map(|class| Some((class.name, classes.id(class.name)?)))
                .collect(),
            names_of_classes: classes
                .entries()
                .map(|(id, name)| (id, name.to_str().into()))
                .collect(),
        }
    }

    /// The id of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<u16> {
        self.tags.get(name).copied()
    }

    /// Whether an object is of this class.
    #[must_use]
    pub fn is_class(&self, object: &Object, name: &str) -> bool {
        self.classes.get(name) == Some(&(object.class as u16))
    }

    pub(super) fn expect_class(&self, object: &Object, name: &str) -> Result<()> {
        if self.is_class(object, name) {
            return Ok(());
        }
        let found = self.names_of_classes.get(&(object.class as u16)).map(|name| &**name);
        Err(other_class(name, found, object))
    }

    /// Reads a field.
    pub(super) fn field<F: Form>(
        &self,
        object: &Object,
        tag: &'static str,
        occurrence: usize,
    ) -> Result<F::Rust> {
        let value = self.tag(tag).and_then(|id| object.all(id).nth(occurrence));
        let read = match value {
            Some(value) => F::read(value, self),
            None => Err(Error::new(
                rule::CLASS,
                0,
                format!("a field of type {}", F::CONTENT.field_type()),
                "no such field",
            )),
        };
        read.map_err(|error| {
            let mut steps = vec![PathSegment::Name(tag.into())];
            if occurrence > 0 {
                steps.push(PathSegment::Index(occurrence as u64));
            }
            error.under(Path::from(steps))
        })
    }
}

/// The tag of the elements of a list.
pub const ITEM: &str = "item";
/// The tag of the pairs of a map.
pub const PAIR: &str = "pair";
/// The tag of the key in a pair.
pub const KEY: &str = "key";
/// The tag of the value in a pair, and of the content of a list.
pub const DATA: &str = "data";

/// Tables and unused addresses, for new fields and objects of a document.
#[derive(Debug)]
pub struct Making<'d> {
    tags: &'d mut Table,
    classes: &'d mut Table,
    /// The ids of names that were asked for.
    known: HashMap<&'static str, u16>,
    /// The ids of classes that were asked for.
    known_classes: HashMap<&'static str, u16>,
    addresses: Addresses,
}

impl<'d> Making<'d> {
    /// The root of a document, and what is needed to change it.
    pub fn of(document: &'d mut Document) -> (&'d mut Object, Self) {
        let addresses = Addresses::of(document);
        let Document { tags, classes, root, .. } = document;
        let (known, known_classes) = (HashMap::new(), HashMap::new());
        (root, Self { tags, classes, known, known_classes, addresses })
    }

    /// Refuses an object of another class: its fields would be those of two classes.
    pub(super) fn expect_class(&mut self, object: &Object, name: &'static str) -> Result<()> {
        let id = match self.known_classes.get(name) {
            Some(&id) => Some(id),
            None => {
                let id = self.classes.id(name);
                self.known_classes.extend(id.map(|id| (name, id)));
                id
            }
        };
        if id == Some(object.class as u16) {
            return Ok(());
        }
        let found = self.classes.name(object.class as u16).map(|name| name.to_str());
        Err(other_class(name, found.as_deref(), object))
    }

    /// A new object without fields, with an address that no other has.
    ///
    /// # Errors
    ///
    /// Returns an error if the class table has no room for its name, or if no address is left.
    pub fn object(&mut self, class: &str) -> Result<Object> {
        let id = self.classes.add(class).ok_or_else(|| no_room(class))?;
        let address = self.addresses.fresh().ok_or_else(|| no_room(class))?;
        Ok(Object { class: id as i16, address, fields: Vec::new() })
    }

    /// The id of a tag, which is added to the table where it is not there.
    ///
    /// # Errors
    ///
    /// Returns an error if the tag table has no room for it.
    pub fn tag(&mut self, name: &'static str) -> Result<u16> {
        if let Some(&id) = self.known.get(name) {
            return Ok(id);
        }
        let id = self.tags.add(name).ok_or_else(|| no_room(name))?;
        self.known.insert(name, id);
        Ok(id)
    }

    /// Writes a field; a field that is missing is inserted at `after`.
    pub(super) fn field<F: Form>(
        &mut self,
        object: &mut Object,
        tag: &'static str,
        occurrence: usize,
        after: &mut usize,
        value: &F::Rust,
    ) -> Result<()> {
        let id = self.tag(tag)?;
        let same = |(_, field): &(usize, &Field)| field.tag == id;
        let found = object.fields.iter().enumerate().filter(same).nth(occurrence);
        let position = found.map(|(position, _)| position).unwrap_or_else(|| {
            let position = (*after).min(object.fields.len());
            object.fields.insert(position, Field::new(id, Value::Empty));
            position
        });
        *after = position + 1;
        match object.fields.get_mut(position) {
            Some(field) => F::store(value, &mut field.value, self),
            None => Ok(()),
        }
    }

    /// Returns the content of a field that counts the elements of another: their number if it differs from the number
    /// that the object has so far, otherwise the old content (which may be wrong, and is kept).
    pub(super) fn counted<N: Copy + TryFrom<usize>>(
        &mut self,
        says: N,
        object: &Object,
        elements: Option<&ClassField>,
        count: usize,
    ) -> N {
        let id = elements.and_then(|field| self.tags.id(field.tag));
        let before = id.and_then(|id| object.get(id)).and_then(Value::as_array).map(<[Field]>::len);
        if before == Some(count) { says } else { N::try_from(count).unwrap_or(says) }
    }
}

#[cold]
fn other_class(expected: &str, found: Option<&str>, object: &Object) -> Error {
    let found = match found {
        Some(name) => format!("an object of class {name}"),
        None => format!("an object of class #{}", object.class),
    };
    Error::new(rule::CLASS, 0, format!("an object of class {expected}"), found)
}

fn no_room(name: &str) -> Error {
    Error::new(
        crate::rule::LENGTH,
        0,
        "an id and an address that are left",
        format!("none for {name}"),
    )
}

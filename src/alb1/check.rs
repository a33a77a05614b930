//! What is odd in a document that can be read.

use std::collections::HashSet;
use std::io::{self, Write};

use super::finding::{Finding, FindingKind};
use super::{Document, Field, Item, Object, Value, Walk};
use crate::error::Result;

impl Document {
    /// Hands `found` whatever the document holds that no file of Terrain Builder does: tags and classes
    /// that its tables do not have, bools that are neither 0 nor 1, objects without an address or with
    /// that of another, arrays whose elements differ in tag or type. All of it can be read and
    /// written. The findings name `file`.
    ///
    /// Offsets are those of the field, as [`Item::offset`].
    ///
    /// ```
    /// use formwork::alb1::{Document, Field, Value};
    ///
    /// let mut layer = Document::new("CLayer");
    /// layer.root.fields.push(Field::new(layer.tags.id("mbLocked").unwrap(), Value::Bool(7)));
    ///
    /// let mut found = Vec::new();
    /// layer.check("a.tv4l", |finding| found.push(finding));
    /// assert_eq!(found[0].kind.name(), "bool.byte");
    /// assert_eq!(found[0].path.to_string(), "mbLocked");
    /// ```
    pub fn check(&self, file: &str, found: impl FnMut(Finding)) {
        let mut check = Check { document: self, file, addresses: HashSet::new(), found };
        let mut walk = self.walk();
        while let Some(item) = walk.next() {
            check.item(item, &walk);
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

struct Check<'c, F> {
    document: &'c Document,
    file: &'c str,
    addresses: HashSet<u32>,
    found: F,
}

impl<F: FnMut(Finding)> Check<'_, F> {
    fn item(&mut self, item: Item<'_>, walk: &Walk<'_>) {
        if let Some(field) = item.field
            && self.document.tags.name(field.tag).is_none()
        {
            let message = format!("no tag has the id {}", field.tag);
            self.found(FindingKind::TagUnknown, item, walk, message);
        }
        if let Some(object) = item.object() {
            self.object(object, item, walk);
        }
        match item.value() {
            Some(Value::Bool(byte @ 2..)) => {
                let message = format!("the bool is {byte}");
                self.found(FindingKind::BoolByte, item, walk, message);
            }
            Some(Value::ObjectPointer(pointer)) => self.class(pointer.class, item, walk),
            Some(Value::Array(elements)) => self.elements(elements, item, walk),
            _ => {}
        }
    }

    fn object(&mut self, object: &Object, item: Item<'_>, walk: &Walk<'_>) {
        self.class(object.class, item, walk);
        if object.address == 0 {
            let message = "the object has the address 0".into();
            self.found(FindingKind::AddressZero, item, walk, message);
        } else if !self.addresses.insert(object.address) {
            let message = format!("another object has the address 0x{:08x}, too", object.address);
            self.found(FindingKind::AddressDuplicate, item, walk, message);
        }
    }

    fn class(&mut self, class: i16, item: Item<'_>, walk: &Walk<'_>) {
        if self.document.classes.name(class as u16).is_none() {
            let message = format!("no class has the id {class}");
            self.found(FindingKind::ClassUnknown, item, walk, message);
        }
    }

    fn elements(&mut self, elements: &[Field], item: Item<'_>, walk: &Walk<'_>) {
        let Some(first) = elements.first() else { return };
        let shape = |field: &Field| (field.tag, field.value.field_type());
        let Some(other) = elements.iter().find(|element| shape(element) != shape(first)) else {
            return;
        };
        let (first, other) = (self.words(first), self.words(other));
        let message = format!("an element is {first}, another is {other}");
        self.found(FindingKind::ArrayMixed, item, walk, message);
    }

    /// Tag and type of a field.
    fn words(&self, field: &Field) -> String {
        format!("{} of type {}", self.document.tags.display(field.tag), field.value.field_type())
    }

    #[cold]
    fn found(&mut self, kind: FindingKind, item: Item<'_>, walk: &Walk<'_>, message: String) {
        let (file, offset) = (self.file.to_owned(), Some(item.offset));
        (self.found)(Finding { file, offset, path: walk.path(), kind, message });
    }
}

//! Changing documents by paths.
//!
//! Sizes, counts and the rest of what depends on the content are computed when a document is written,
//! so an edit cannot leave them wrong. An edit that would change the type of a field, mix the types of an array's
//! elements or give two objects one address is refused. What a class needs is not checked: a field that it declares
//! can be removed, and the key of a map can become one that is there twice.

use std::collections::HashMap;

use super::address::each;
use super::path::{FieldPath, Found, describe};
use super::{Document, Field, Object, Value};
use crate::rule;
use formwork::{Error, Result};

impl Document {
    /// Sets what a field holds, to a value of the same type; what it held.
    ///
    /// ```
    /// use formwork_alb1::{Document, Text, Value};
    ///
    /// let mut layer = Document::new("CLayer");
    /// layer.add("", "mname", Text::new("houses").unwrap())?;
    /// layer.set("mname", Text::new("trees").unwrap())?;
    /// assert_eq!(layer.get("mname")?.as_text().unwrap(), &"trees");
    /// assert!(layer.set("mname", 1.5f32).is_err());
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to no field, if the value is of another type, or if an object in it has the
    /// address 0 or the address of another object (see [`Addresses::renew`](super::Addresses::renew)).
    pub fn set(&mut self, path: &str, value: impl Into<Value>) -> Result<Value> {
        let (path, value) = (path.parse()?, value.into());
        let old = &self.field(&path)?.value;
        let (expected, found) = (old.field_type(), value.field_type());
        if expected != found {
            return Err(refused(&path, expected.name(), found.name()));
        }
        self.put(&path, value)
    }

    /// Sets what a field holds, to a value of whatever type; what it held.
    ///
    /// # Errors
    ///
    /// As [`Document::set`] but for the type, which must stay only where other elements of an array
    /// have it.
    pub fn replace(&mut self, path: &str, value: impl Into<Value>) -> Result<Value> {
        let (path, value) = (path.parse()?, value.into());
        let (expected, found) = (self.field(&path)?.value.field_type(), value.field_type());
        if expected != found && self.has_others_like_it(&path)? {
            return Err(refused(&path, expected.name(), found.name()));
        }
        self.put(&path, value)
    }

    /// Sets what a field holds from a text, as [`Value::parse`] reads it for the type the field has;
    /// what it held.
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to no field, and the errors of [`Value::parse`].
    pub fn set_text(&mut self, path: &str, text: &str) -> Result<Value> {
        let path = path.parse()?;
        let field = self.field_mut(&path)?;
        let value = Value::parse(field.value.field_type(), text)?;
        Ok(std::mem::replace(&mut field.value, value))
    }

    /// Gives a field another tag, which is added to the table if it is new.
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to no field or to one of several elements of an array, if no tag is left, or
    /// if a character of the name is not in Windows-1252.
    pub fn rename(&mut self, path: &str, name: &str) -> Result<()> {
        let path = path.parse()?;
        let is_named = self.tags.id(name) == Some(self.field(&path)?.tag);
        if !is_named && self.has_others_like_it(&path)? {
            let expected = "the tag that the other elements of the array have";
            return Err(refused(&path, expected, format!("{name:?}")));
        }
        let tag = self.tag(&path, name)?;
        self.field_mut(&path)?.tag = tag;
        Ok(())
    }

    /// Appends a field to an object, or an element to an array.
    ///
    /// # Errors
    ///
    /// As [`Document::insert`].
    pub fn add(&mut self, path: &str, name: &str, value: impl Into<Value>) -> Result<()> {
        let parsed: FieldPath = path.parse()?;
        let end = self.list(&parsed)?.len();
        self.insert(path, end, name, value)
    }

    /// Inserts a field before the one at `position` of an object (of the root object, at the empty
    /// path) or of an array. A tag that the object has already is given twice.
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to no object and no array of fields, if the position does not exist, if the
    /// tag or type differs from that of the array's elements, if no tag is left for a new name, or if an object in the
    /// value has the address 0 or the address of another object.
    pub fn insert(
        &mut self,
        path: &str,
        position: usize,
        name: &str,
        value: impl Into<Value>,
    ) -> Result<()> {
        let (path, value): (FieldPath, Value) = (path.parse()?, value.into());
        let list = self.list(&path)?;
        if position > list.len() {
            let expected = format!("a position of at most {}", list.len());
            return Err(refused(&path, expected, position.to_string()));
        }
        if let (true, Some(like)) = (self.is_array(&path)?, list.first()) {
            let expected = (like.tag, like.value.field_type());
            if (self.tags.id(name), value.field_type()) != (Some(expected.0), expected.1) {
                let expected =
                    format!("an element {} of type {}", self.tags.display(expected.0), expected.1);
                let found = format!("{name} of type {}", value.field_type());
                return Err(refused(&path, expected, found));
            }
        }
        self.check_addresses(&path, &value, None)?;
        let tag = self.tag(&path, name)?;
        self.list_mut(&path)?.insert(position, Field { tag, value });
        Ok(())
    }

    /// Takes a field out of its object or array.
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to no field, or to a field of a pair, which always has two.
    pub fn remove(&mut self, path: &str) -> Result<Field> {
        let path = path.parse()?;
        let found = Found::of(self, &path)?;
        self.take(found, &path)
    }

    /// Takes the field at a place, to which `path` led, out of its object or array.
    pub(super) fn take(&mut self, found: Found, path: &FieldPath) -> Result<Field> {
        let (list, position) = self.list_around(found, path)?;
        if position < list.len() {
            Ok(list.remove(position))
        } else {
            Err(no_list(path, "nothing"))
        }
    }

    /// Moves a field to another position of its object or array: the one it has afterwards.
    ///
    /// # Errors
    ///
    /// Returns an error if the path leads to no field or to a field of a pair, or if the position does not exist.
    pub fn move_to(&mut self, path: &str, position: usize) -> Result<()> {
        let path = path.parse()?;
        let found = Found::of(self, &path)?;
        let (list, from) = self.list_around(found, &path)?;
        if position >= list.len() || from >= list.len() {
            let expected = format!("a position of at most {}", list.len().saturating_sub(1));
            return Err(refused(&path, expected, position.to_string()));
        }
        if from < position {
            list.get_mut(from..=position).unwrap_or_default().rotate_left(1);
        } else {
            list.get_mut(position..=from).unwrap_or_default().rotate_right(1);
        }
        Ok(())
    }

    /// Sets what a field holds.
    fn put(&mut self, path: &FieldPath, value: Value) -> Result<Value> {
        self.check_addresses(path, &value, Some(&self.field(path)?.value))?;
        Ok(std::mem::replace(&mut self.field_mut(path)?.value, value))
    }

    /// The id of a tag, a new one if need be.
    fn tag(&mut self, path: &FieldPath, name: &str) -> Result<u16> {
        let expected = "the name of a tag, in Windows-1252, for which an id is left";
        self.tags.add(name).ok_or_else(|| refused(path, expected, format!("{name:?}")))
    }

    /// Whether the field is an element of an array that has more.
    fn has_others_like_it(&self, path: &FieldPath) -> Result<bool> {
        let Some((holder, _)) = Found::of(self, path)?.split_last() else { return Ok(false) };
        let holder = holder.field(&self.root).map(|field| &field.value);
        Ok(holder.and_then(Value::as_array).is_some_and(|elements| elements.len() > 1))
    }

    /// Refuses a value that is to replace `old` if an address of its objects is 0 or in use.
    fn check_addresses(&self, path: &FieldPath, value: &Value, old: Option<&Value>) -> Result<()> {
        let new = addresses(value);
        if new.is_empty() {
            return Ok(());
        }
        // How many objects have an address: those of the old value leave.
        let mut taken = HashMap::from([(self.root.address, 1)]);
        each(&self.root.fields, |value| {
            if let Value::Object(object) = value {
                *taken.entry(object.address).or_default() += 1;
            }
        });
        for address in old.map(addresses).unwrap_or_default() {
            *taken.entry(address).or_default() -= 1;
        }
        let mut is_taken = |address: u32| {
            let count: &mut i64 = taken.entry(address).or_default();
            *count += 1;
            address == 0 || *count > 1
        };
        match new.into_iter().find(|&address| is_taken(address)) {
            None => Ok(()),
            Some(address) => {
                let expected = "objects with addresses that no other object has, and not 0";
                Err(refused(path, expected, format!("{address:#x}")))
            }
        }
    }

    fn is_array(&self, path: &FieldPath) -> Result<bool> {
        if path.is_empty() {
            return Ok(false);
        }
        Ok(self.field(path)?.value.as_array().is_some())
    }

    /// The fields of an object or array.
    fn list(&self, path: &FieldPath) -> Result<&[Field]> {
        if path.is_empty() {
            return Ok(&self.root.fields);
        }
        match &self.field(path)?.value {
            Value::Object(object) => Ok(&object.fields),
            value => value.as_array().ok_or_else(|| no_list(path, describe(self, value))),
        }
    }

    /// Returns the list at a path, to change it.
    fn list_mut(&mut self, path: &FieldPath) -> Result<&mut Vec<Field>> {
        let found = Found::of(self, path)?;
        list_of(&found, path, &mut self.root)
    }

    /// The list that a field is in, and where it is there.
    fn list_around(&mut self, found: Found, path: &FieldPath) -> Result<(&mut Vec<Field>, usize)> {
        let Some((holder, position)) = found.split_last() else {
            return Err(no_list(path, "the root object, which is in no other"));
        };
        Ok((list_of(&holder, path, &mut self.root)?, position))
    }
}

/// The fields of an object or array, to change them.
fn list_of<'d>(
    found: &Found,
    path: &FieldPath,
    root: &'d mut Object,
) -> Result<&'d mut Vec<Field>> {
    if found.is_root() {
        return Ok(&mut root.fields);
    }
    let Some(field) = found.field_mut(root) else { return Err(no_list(path, "nothing")) };
    // Raw content of no bytes is an array of no fields.
    if matches!(&field.value, Value::Raw(bytes) if bytes.is_empty()) {
        field.value = Value::Array(Vec::new());
    }
    match &mut field.value {
        Value::Object(object) => Ok(&mut object.fields),
        Value::Array(elements) => Ok(elements),
        value => {
            let name = value.field_type().name();
            Err(no_list(path, format!("a value of type {name}")))
        }
    }
}

/// The addresses of all objects in a value.
fn addresses(value: &Value) -> Vec<u32> {
    let mut addresses = Vec::new();
    addresses.extend(value.as_object().map(|object| object.address));
    each(value.fields(), |value| addresses.extend(value.as_object().map(|object| object.address)));
    addresses
}

#[cold]
fn no_list(path: &FieldPath, found: impl Into<String>) -> Error {
    Error::new(rule::PATH, 0, "an object or an array of fields", found).under(path.to_path())
}

#[cold]
fn refused(path: &FieldPath, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(rule::EDIT, 0, expected, found).under(path.to_path())
}

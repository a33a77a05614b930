//! One of the documents that are compared, seen without what does not count.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Roots;
use super::saved::{NAMELESS, NAMES, SAVED, Saved};
use super::show;
use crate::alb1::{Document, Field, Object, ObjectPointer, Value};

/// One of the documents that are compared.
#[derive(Debug)]
pub(super) struct Side<'d> {
    pub(super) document: &'d Document,
    /// Whether everything counts.
    pub(super) strict: bool,
    /// Names of the roots of other files, by address.
    roots: Option<&'d Roots>,
    /// By class and tag: the rules for fields that may not count.
    saved: HashMap<(i16, u16), &'static Saved>,
}

/// A field of an object that counts, and how many with the same name stand before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted<'d> {
    pub(super) field: &'d Field,
    pub(super) earlier: usize,
}

impl<'d> Side<'d> {
    pub(super) fn new(document: &'d Document, strict: bool, roots: Option<&'d Roots>) -> Self {
        let mut saved = HashMap::new();
        let rules = if strict { &[] } else { SAVED };
        for rule in rules {
            // A name may have more than one id.
            for (class, _) in document.classes.entries().filter(|(_, name)| **name == rule.class) {
                for (tag, _) in document.tags.entries().filter(|(_, name)| **name == rule.field) {
                    saved.insert((class as i16, tag), rule);
                }
            }
        }
        Self { document, strict, roots, saved }
    }

    pub(super) fn tag(&self, tag: u16) -> Cow<'d, str> {
        self.document.tags.display(tag)
    }

    pub(super) fn class(&self, object: &Object) -> Cow<'d, str> {
        self.document.class_name(object)
    }

    /// The field of this name.
    pub(super) fn get<'o>(&self, object: &'o Object, name: &str) -> Option<&'o Value> {
        let is =
            |field: &&Field| self.document.tags.name(field.tag).is_some_and(|tag| *tag == *name);
        object.fields.iter().find(is).map(|field| &field.value)
    }

    fn counts(&self, object: &Object, field: &Field) -> bool {
        let Some(rule) = self.saved.get(&(object.class, field.tag)) else { return true };
        rule.only.is_some_and(|(other, text)| {
            let other = self.get(object, other).and_then(Value::as_text);
            other.is_none_or(|found| *found != *text)
        })
    }

    /// The fields of an object that count.
    pub(super) fn fields(&self, object: &'d Object) -> Vec<Counted<'d>> {
        let mut seen: HashMap<u16, usize> = HashMap::new();
        let counts = object.fields.iter().filter(|field| self.counts(object, field));
        let numbered = counts.map(|field| {
            let times = seen.entry(field.tag).or_default();
            let earlier = *times;
            *times += 1;
            Counted { field, earlier }
        });
        numbered.collect()
    }

    /// What names an object among the elements of an array: a string or a number.
    pub(super) fn name_of(&self, element: &'d Field) -> Option<&'d Value> {
        let object = element.value.as_object()?;
        if self.class(object) == NAMELESS {
            return None;
        }
        let values = NAMES.iter().filter_map(|name| self.get(object, name));
        values.into_iter().find(|value| {
            value.as_text().is_some_and(|text| !text.as_bytes().is_empty())
                || value.as_integer().is_some()
        })
    }

    /// The names of the elements of an array, where they have one that no other has.
    pub(super) fn names(&self, elements: &'d [Field]) -> Vec<Option<String>> {
        let named = |element| self.name_of(element).map(show::value);
        let mut names: Vec<_> = elements.iter().map(named).collect();
        let mut times: HashMap<&str, usize> = HashMap::new();
        for name in names.iter().flatten() {
            *times.entry(name).or_default() += 1;
        }
        let repeated: Vec<bool> = names
            .iter()
            .map(|name| name.as_deref().is_some_and(|name| times.get(name).is_some_and(|n| *n > 1)))
            .collect();
        for (name, repeated) in names.iter_mut().zip(repeated) {
            if repeated {
                *name = None;
            }
        }
        names
    }

    /// What a pointer leads to: the name of the root of another file, or a class.
    pub(super) fn target(&self, pointer: ObjectPointer) -> String {
        let class = self.document.classes.display(pointer.class as u16);
        match self.roots.and_then(|roots| roots.get(&pointer.address)) {
            _ if self.strict => format!("-> {class} at 0x{:08x}", pointer.address),
            Some(name) => format!("-> {class} {}", show::quoted(name)),
            None => format!("-> {class}"),
        }
    }

    /// Names in a table, with how many entries have each; with the ids where everything counts.
    pub(super) fn table(&self, classes: bool) -> BTreeMap<String, usize> {
        let table = if classes { &self.document.classes } else { &self.document.tags };
        let mut names = BTreeMap::new();
        for (id, name) in table.entries() {
            let name = show::quoted(&name.to_str());
            let name = if self.strict { format!("{name} = {id}") } else { name };
            *names.entry(name).or_default() += 1;
        }
        names
    }

    /// A number that is the same for fields with the same content, as far as it counts.
    pub(super) fn hash(&self, field: &Field) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash_field(field, &mut hasher);
        hasher.finish()
    }

    /// For each element, hashes of its class and fields, or of its type and its content.
    pub(super) fn parts(&self, elements: &[Field]) -> Vec<Vec<u64>> {
        let parts = |element: &Field| match element.value.as_object() {
            Some(object) => {
                let counted = object.fields.iter().filter(|field| self.counts(object, field));
                let class = hash(&self.class(object));
                let address = self.strict.then_some(u64::from(object.address));
                let fields = counted.map(|field| self.hash(field));
                [class].into_iter().chain(fields).chain(address).collect()
            }
            None => vec![hash(&element.value.field_type()), self.hash(element)],
        };
        elements.iter().map(parts).collect()
    }

    fn hash_field(&self, field: &Field, hasher: &mut DefaultHasher) {
        self.tag(field.tag).hash(hasher);
        field.value.field_type().hash(hasher);
        match &field.value {
            Value::Object(object) => {
                self.class(object).hash(hasher);
                if self.strict {
                    object.address.hash(hasher);
                }
                for field in object.fields.iter().filter(|field| self.counts(object, field)) {
                    self.hash_field(field, hasher);
                }
            }
            Value::Array(elements) => {
                elements.len().hash(hasher);
                elements.iter().for_each(|element| self.hash_field(element, hasher));
            }
            Value::Pair(halves) => halves.iter().for_each(|half| self.hash_field(half, hasher)),
            Value::Raw(bytes) => bytes[..].hash(hasher),
            Value::ObjectPointer(pointer) => self.target(*pointer).hash(hasher),
            // Numbers and strings: the text says all of them.
            other => show::value(other).hash(hasher),
        }
    }
}

/// The hash of one thing.
pub(super) fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Whether all elements are pairs, which makes the array a map: its order means nothing.
pub(super) fn is_map(elements: &[Field]) -> bool {
    elements.iter().all(|element| element.value.as_pair().is_some())
}

/// Whether all elements are bools: a mask, one for each tile.
pub(super) fn is_mask(elements: &[Field]) -> bool {
    elements.iter().all(|element| element.value.as_bool().is_some())
}

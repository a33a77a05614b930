//! One of the documents that are compared, seen without what does not count.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Roots;
use super::saved::{NAMELESS, SAVED};
use super::show;
use crate::path::name_of;
use crate::terrain::{ObjectLayer, Tags};
use crate::tree::Version;
use crate::walk::occurrences;
use crate::{Document, Field, Object, ObjectPointer, Value};

/// Names in a table, with how many entries have each.
pub(super) type Entries = BTreeMap<String, usize>;

/// One of the documents that are compared.
#[derive(Debug)]
pub(super) struct Side<'d> {
    pub(super) document: &'d Document,
    /// Whether everything counts.
    pub(super) strict: bool,
    /// Names of the roots of other files, by address.
    roots: Option<&'d Roots>,
    /// The rules of `SAVED` that have this class, a bit for each.
    saved_classes: HashMap<i16, u32>,
    /// The rules of `SAVED` that have this tag.
    saved_tags: HashMap<u16, u32>,
}

/// A field of an object that counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted<'d> {
    pub(super) field: &'d Field,
    /// Number of earlier fields with the same tag in the object, if the tag repeats.
    pub(super) earlier: Option<u32>,
}

impl<'d> Side<'d> {
    pub(super) fn new(document: &'d Document, strict: bool, roots: Option<&'d Roots>) -> Self {
        let mut side = Self {
            document,
            strict,
            roots,
            saved_classes: HashMap::new(),
            saved_tags: HashMap::new(),
        };
        let rules = if strict { &[] } else { SAVED };
        for (bit, rule) in rules.iter().enumerate() {
            // A name may have more than one id.
            for (id, _) in document.classes.entries().filter(|(_, name)| **name == *rule.class) {
                *side.saved_classes.entry(id as i16).or_default() |= 1 << bit;
            }
            for (id, _) in document.tags.entries().filter(|(_, name)| **name == *rule.field) {
                *side.saved_tags.entry(id).or_default() |= 1 << bit;
            }
        }
        side
    }

    pub(super) fn tag(&self, tag: u16) -> Cow<'d, str> {
        self.document.tags.display(tag)
    }

    pub(super) fn tag_of(&self, field: &Field) -> Cow<'d, str> {
        self.tag(field.tag)
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

    /// Returns the version of the quadtree that a layer has.
    pub(super) fn tree_version(&self, layer: &Object) -> Option<Version> {
        let version = self.get(layer, Tags::<ObjectLayer>::version)?.as_integer()?;
        Some(Version::of_layer_version(i32::try_from(version).ok()?))
    }

    /// Returns a filter for the fields of an object that are compared.
    pub(super) fn counts(&self, object: &Object) -> impl Fn(&Field) -> bool {
        let mut rules = self.saved_classes.get(&object.class).copied().unwrap_or_default();
        for (bit, rule) in SAVED.iter().enumerate() {
            if let (Some((other, text)), true) = (rule.only, rules & 1 << bit != 0) {
                let other = self.get(object, other).and_then(Value::as_text);
                if other.is_none_or(|found| *found != *text) {
                    rules &= !(1 << bit);
                }
            }
        }
        move |field| {
            rules == 0 || self.saved_tags.get(&field.tag).is_none_or(|tags| tags & rules == 0)
        }
    }

    /// The fields of an object that count.
    pub(super) fn fields(&self, object: &'d Object) -> Vec<Counted<'d>> {
        let occurrences = occurrences(&object.fields);
        let counted = object.fields.iter().zip(occurrences);
        let counted = counted.map(|(field, earlier)| Counted { field, earlier });
        let counts = self.counts(object);
        counted.filter(|counted| counts(counted.field)).collect()
    }

    /// Returns the name of an object among the elements of an array: a string, or a number with its meaning.
    fn name_of(&self, element: &Field) -> Option<String> {
        let object = element.value.as_object()?;
        if self.class(object) == NAMELESS {
            return None;
        }
        let (name, value) = name_of(&self.document.tags, object)?;
        Some(match value.as_integer() {
            Some(number) => format!("{name} {number}"),
            None => show::value(value),
        })
    }

    /// The names of the elements of an array, where they have one that no other has.
    pub(super) fn names(&self, elements: &'d [Field]) -> Vec<Option<String>> {
        let mut names: Vec<_> = elements.iter().map(|element| self.name_of(element)).collect();
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

    /// Returns the target of a pointer: a class, and the name of the root of another file if it is known.
    pub(super) fn target(&self, pointer: ObjectPointer) -> (String, Option<String>) {
        let class = show::name(&self.document.classes.display(pointer.class as u16)).into_owned();
        if self.strict {
            return (class, Some(format!("at 0x{:08x}", pointer.address)));
        }
        let root = self.roots.and_then(|roots| roots.get(&pointer.address));
        (class, root.map(|name| show::quoted(name)))
    }

    /// Names in a table, with how many entries have each; with the ids where everything counts.
    pub(super) fn table(&self, classes: bool) -> Entries {
        let table = if classes { &self.document.classes } else { &self.document.tags };
        let mut names = Entries::new();
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
                let counts = self.counts(object);
                let counted = object.fields.iter().filter(|field| counts(field));
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
                let counts = self.counts(object);
                for field in object.fields.iter().filter(|field| counts(field)) {
                    self.hash_field(field, hasher);
                }
            }
            Value::Array(elements) => {
                elements.len().hash(hasher);
                elements.iter().for_each(|element| self.hash_field(element, hasher));
            }
            Value::Pair(halves) => halves.iter().for_each(|half| self.hash_field(half, hasher)),
            Value::Raw(bytes) => bytes[..].hash(hasher),
            Value::ObjectPointer(pointer) => match self.target(*pointer) {
                target if self.strict => target.hash(hasher),
                (class, _) => class.hash(hasher),
            },
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

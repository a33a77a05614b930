//! Checks fields against the declared classes of Terrain Builder.

use std::collections::{HashMap, HashSet};

use formwork::PathSegment;
use formwork_alb1::path::steps_to;
use formwork_alb1::terrain;
use formwork_alb1::terrain::{Class, ClassField, Content, DATA, ITEM, KEY, PAIR};
use formwork_alb1::{Document, Field, Finding, FindingKind, Object, Value, Walk};

use super::described;

/// Checks the fields of every object whose class is known.
pub(super) fn check(file: &str, document: &Document, findings: &mut Vec<Finding>) {
    let mut declared = HashMap::new();
    let mut walk = document.walk();
    while let Some(item) = walk.next() {
        let Some(object) = item.object() else { continue };
        let slots: &Option<Slots> =
            declared.entry(object.class).or_insert_with(|| Slots::of(document, object.class));
        if let Some(slots) = slots {
            Checking { file, document, walk: &walk, object, findings }.fields(slots);
        }
    }
}

/// The fields of a class, with their tags in a document.
struct Slots {
    class: &'static Class,
    tags: Vec<Option<u16>>,
}

impl Slots {
    fn of(document: &Document, id: i16) -> Option<Self> {
        let name = document.classes.name(id as u16)?.to_str();
        let class = terrain::class(&name).filter(|class| !class.fields.is_empty())?;
        let tags = class.fields.iter().map(|field| document.tags.id(field.tag)).collect();
        Some(Self { class, tags })
    }
}

/// An object that is being checked: the current one of the walk.
struct Checking<'c, 'd> {
    file: &'c str,
    document: &'d Document,
    walk: &'c Walk<'d>,
    object: &'d Object,
    findings: &'c mut Vec<Finding>,
}

impl Checking<'_, '_> {
    #[cold]
    fn found(&mut self, kind: FindingKind, steps: Vec<PathSegment>, message: String) {
        let mut path = self.walk.path();
        steps.into_iter().for_each(|step| path.push(step));
        self.findings.push(Finding {
            file: self.file.to_owned(),
            offset: None,
            path,
            kind,
            message,
        });
    }

    /// Finds the field of the object for each field of the class, and checks it. An object has at most one finding of
    /// each kind for the fields that do not belong there: it may have a million.
    fn fields(&mut self, Slots { class, tags }: &Slots) {
        let object = self.object;
        let mut there = vec![false; tags.len()];
        let (mut unknown, mut misplaced) = (Vec::new(), None);
        let mut last = 0;
        for (position, field) in object.fields.iter().enumerate() {
            let is_slot = |slot: &usize| {
                tags.get(*slot) == Some(&Some(field.tag)) && there.get(*slot) == Some(&false)
            };
            let Some(slot) = (0..tags.len()).find(is_slot) else {
                unknown.push(position);
                continue;
            };
            if let Some(there) = there.get_mut(slot) {
                *there = true;
            }
            if slot < last {
                misplaced.get_or_insert(position);
            }
            last = last.max(slot);
            if let Some(ClassField { content, .. }) = class.fields.get(slot) {
                self.content(content, position, field);
            }
        }
        if let Some(&first) = unknown.first() {
            let tag = object.fields.get(first).map_or(0, |field| field.tag);
            let tag = self.document.tags.display(tag);
            let more = match unknown.len() {
                1 => String::new(),
                count => format!(" (and {} more that it does not have)", count - 1),
            };
            let message = format!("the class {} has no such field {tag}{more}", class.name);
            self.found(FindingKind::FieldUnknown, self.steps(first), message);
        }
        if let Some(position) = misplaced {
            let message = format!("the class {} has this field further in front", class.name);
            self.found(FindingKind::FieldOrder, self.steps(position), message);
        }
        for (field, there) in class.fields.iter().zip(there) {
            if !there {
                let expected = field.content.field_type();
                let mut steps = vec![PathSegment::Name(field.tag.into())];
                if field.occurrence > 0 {
                    steps.push(PathSegment::Index(field.occurrence as u64));
                }
                let message = format!("expected a field of type {expected}, found no such field");
                self.found(FindingKind::ClassField, steps, message);
            }
        }
    }

    /// Returns the steps from the object to its field at a position.
    fn steps(&self, position: usize) -> Vec<PathSegment> {
        steps_to(&self.document.tags, &self.object.fields, position)
    }

    /// Checks a field; in a list or map, only the first wrong element is reported.
    fn content(&mut self, content: &Content, position: usize, field: &Field) {
        let wrong = match (content, &field.value) {
            (Content::List(element), Value::Array(elements)) => {
                self.first_wrong(ITEM, element, elements)
            }
            (Content::Pairs(key, data), Value::Array(elements)) => {
                self.keys(position, elements);
                let mut pairs = elements.iter().enumerate();
                pairs.find_map(|(index, pair)| {
                    let wrong = self.wrong_pair(key, data, pair)?;
                    Some((Some(index), wrong))
                })
            }
            (content, value) => self.wrong(content, value).map(|wrong| (None, wrong)),
        };
        if let Some((index, message)) = wrong {
            let mut steps = self.steps(position);
            steps.extend(index.map(|index| PathSegment::Index(index as u64)));
            self.found(FindingKind::ClassField, steps, message);
        }
    }

    fn first_wrong(
        &self,
        tag: &str,
        content: &Content,
        elements: &[Field],
    ) -> Option<(Option<usize>, String)> {
        let mut elements = elements.iter().enumerate();
        elements.find_map(|(index, element)| {
            Some((Some(index), self.wrong_field(tag, content, element)?))
        })
    }

    fn wrong_pair(&self, key: &Content, data: &Content, pair: &Field) -> Option<String> {
        let Some([first, second]) = pair.value.as_pair() else {
            return Some(format!("expected a pair, found {}", described(&pair.value)));
        };
        self.wrong_tag(PAIR, pair)
            .or_else(|| self.wrong_field(KEY, key, first))
            .or_else(|| self.wrong_field(DATA, data, second))
    }

    /// Returns the fault of a field that should have this tag and content.
    fn wrong_field(&self, tag: &str, content: &Content, field: &Field) -> Option<String> {
        self.wrong_tag(tag, field).or_else(|| self.wrong(content, &field.value))
    }

    fn wrong_tag(&self, tag: &str, field: &Field) -> Option<String> {
        let tags = &self.document.tags;
        (tags.id(tag) != Some(field.tag))
            .then(|| format!("expected the tag {tag}, found {}", tags.display(field.tag)))
    }

    /// Returns the fault of a value that should have this content.
    fn wrong(&self, content: &Content, value: &Value) -> Option<String> {
        let expected = match (content, value) {
            (Content::Numbers(_, count), value)
                if value.number_count().is_some_and(|found| found != *count) =>
            {
                let found = value.number_count().unwrap_or_default();
                return Some(format!("expected {count} numbers, found {found}"));
            }
            (Content::Object(class), Value::Object(object)) => {
                let id = self.document.classes.id(class);
                if id == Some(object.class as u16) {
                    return None;
                }
                let other = self.document.class_name(object);
                return Some(format!(
                    "expected an object of class {class}, found an object of class {other}"
                ));
            }
            (Content::Raw, value) if value.as_raw().is_some() => return None,
            (Content::Raw, _) => "an array of raw bytes".to_owned(),
            (Content::List(_) | Content::Pairs(..) | Content::Unknown, Value::Raw(_)) => {
                "an array of fields".to_owned()
            }
            (content, value) if value.field_type() == content.field_type() => return None,
            (content, _) => format!("a field of type {}", content.field_type()),
        };
        Some(format!("expected {expected}, found {}", described(value)))
    }

    /// Checks that the keys of a map ascend, and that none occurs twice.
    fn keys(&mut self, position: usize, elements: &[Field]) {
        let keys = || {
            elements.iter().enumerate().filter_map(|(index, pair)| {
                let [key, _] = pair.value.as_pair()?;
                Some((index, Key::of(&key.value)?))
            })
        };
        let mut seen = HashSet::with_capacity(elements.len());
        let duplicate = keys().find(|(_, key)| !seen.insert(*key));
        let misplaced = keys().zip(keys().skip(1)).find(|((_, one), (_, next))| next < one);
        let found = [
            duplicate.map(|it| (FindingKind::KeyDuplicate, it, "the map has it already")),
            misplaced.map(|(_, it)| {
                (FindingKind::KeyOrder, it, "it belongs before the one in front of it")
            }),
        ];
        for (kind, (index, key), message) in found.into_iter().flatten() {
            let mut steps = self.steps(position);
            steps.push(PathSegment::Index(index as u64));
            self.found(kind, steps, format!("the key {key}: {message}"));
        }
    }
}

/// A key of a map: text in the order of its bytes, or a number.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
enum Key<'d> {
    Text(&'d [u8]),
    Number(i64),
}

impl<'d> Key<'d> {
    fn of(value: &'d Value) -> Option<Self> {
        match value {
            Value::String(text) => Some(Self::Text(text.as_bytes())),
            other => other.as_integer().map(Self::Number),
        }
    }
}

impl std::fmt::Display for Key<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "\"{}\"", formwork_alb1::to_str(text)),
            Self::Number(number) => number.fmt(f),
        }
    }
}

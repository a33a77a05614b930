//! The two arrays `libs` of an object layer, which have the same tag: by it alone the second would
//! take the place of the first where that is lost.
//!
//! The first has names of libraries with their own hashes, the second names of templates with the
//! hashes of their libraries.

use std::collections::HashSet;
use std::ops::Range;

use super::lost::Reason;
use super::open::What;
use super::rescue::Rescue;
use crate::terrain;
use crate::terrain::{ObjectLayer, Tags, Typed};
use crate::{Field, FieldType, Value};

impl Rescue<'_> {
    /// Whether this is the tag of an array that ends at `at`, and of the only `libs` of a layer so far,
    /// which no other follows.
    pub(super) fn is_libraries(&self, tag: u16, at: usize) -> bool {
        let [root] = self.open.as_slice() else { return false };
        let What::Object { class, .. } = root.what else { return false };
        self.tags.id(Tags::<ObjectLayer>::libraries) == Some(tag)
            && self.classes.id(ObjectLayer::CLASS.name) == Some(class as u16)
            && root.fields.iter().all(|field| field.tag != tag)
            && self.head_at(at) != Some((tag, FieldType::Array))
    }

    /// Adds the only `libs` of a layer, as the first, as the second, or as both.
    pub(super) fn put_libraries(&mut self, tag: u16, range: Range<usize>, elements: Vec<Field>) {
        let mut libraries = elements;
        let count = libraries.iter().take_while(|element| is_library(element)).count();
        let templates = libraries.split_off(count);
        let hashes: HashSet<i64> = libraries.iter().filter_map(hash_of).collect();
        let are_templates = if count > 0 {
            templates
                .iter()
                .all(|element| hash_of(element).is_some_and(|hash| hashes.contains(&hash)))
        } else {
            // A single one may be a library that is damaged.
            templates.len() > 1 && !templates.iter().any(is_library)
        };
        let has_gap = self.open.first().is_some_and(|root| root.has_gap);
        let slots = self.open.first().map_or(0, |root| root.slots_with(self.layouts, tag));
        if templates.is_empty() || !are_templates {
            if !templates.is_empty() || count == 0 && has_gap {
                self.note(range, Reason::Doubtful, "may be the libraries or the templates");
            }
            libraries.extend(templates);
            self.put(0, Field { tag, value: Value::Array(libraries) });
            return;
        }
        let thought = match count {
            0 => "the libraries: nothing stands for them, as only the templates were found",
            _ => "where the templates start behind the libraries",
        };
        self.note(range.start..range.start, Reason::Rebuilt, thought);
        for elements in [libraries, templates] {
            self.put(0, Field { tag, value: Value::Array(elements) });
        }
        if let Some(root) = self.open.first_mut() {
            root.next = root.next.max(slots);
        }
    }
}

/// The hash that a pair has for its name.
fn hash_of(element: &Field) -> Option<i64> {
    element.value.as_pair()?[1].value.as_integer()
}

/// Checks whether a pair has the hash of its key.
fn is_library(element: &Field) -> bool {
    let name = element.value.as_pair().and_then(|[name, _]| name.value.as_text());
    let own = name.map(|name| i64::from(terrain::hash(name.as_bytes()) as i32));
    own.is_some() && own == hash_of(element)
}

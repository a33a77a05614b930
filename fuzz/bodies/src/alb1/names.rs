//! The names in the tables of documents.

use std::collections::HashSet;

use formwork_alb1::{Document, Value};

/// Returns the document without the names that nothing in it uses. The names of Terrain Builder are most of a
/// small file, and the same in all files.
pub fn with_used_names(mut document: Document) -> Document {
    let (mut tags, mut classes) = (HashSet::new(), HashSet::new());
    for item in document.walk() {
        tags.extend(item.field.map(|field| field.tag));
        classes.extend(item.object().map(|object| object.class as u16));
        if let Some(Value::ObjectPointer(pointer)) = item.value() {
            classes.insert(pointer.class as u16);
        }
    }
    for (table, used) in [(&mut document.tags, tags), (&mut document.classes, classes)] {
        let entries = table.entries().filter(|(id, _)| used.contains(id));
        *table = entries.map(|(id, name)| (id, name.clone())).collect();
    }
    document
}

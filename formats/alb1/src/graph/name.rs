//! Names objects for people.

use super::{Graph, ObjectId};
use crate::Value;

/// The fields by which Terrain Builder's classes call their objects.
const NAMES: &[&str] = &["mname", "name", "keypointname"];

impl Graph<'_> {
    /// Returns the name of an object: its field `mname`, `name` or `keypointname`, or the key of the pair whose value
    /// it is.
    #[must_use]
    pub fn name(&self, id: ObjectId) -> Option<String> {
        let (document, node) = (self.document(id)?, self.node(id)?);
        let ids = NAMES.iter().filter_map(|name| document.tags.id(name));
        let texts = ids.filter_map(|id| node.object.get(id).and_then(Value::as_text));
        let name = texts.map(|text| text.to_str().into_owned()).find(|name| !name.is_empty());
        name.or_else(|| {
            let key = node.key?;
            let text = key.as_text().map(|text| text.to_str().into_owned());
            text.or_else(|| key.as_integer().map(|number| number.to_string()))
        })
    }
}

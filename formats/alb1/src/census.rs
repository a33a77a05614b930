//! How much is in a document: objects, fields, raw bytes, and what a layer has placed on the map.

use std::collections::{BTreeMap, BTreeSet};

use formwork::document::Json;

use crate::terrain::{FileKind, ObjectLayer, Root, Tags};
use crate::tree::{BoundingBox, TreeItem, TreeWalk};
use crate::{Document, FieldType, Value};

/// The objects that a layer has placed on the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedObjects {
    /// The number of objects on the map.
    pub objects: u64,
    /// Hashes of their templates.
    pub templates: BTreeSet<u32>,
    /// The number of leaves of the quadtree, with and without objects.
    pub leaves: u64,
    /// The box around the objects, in metres.
    pub extent: Option<BoundingBox<f64>>,
}

impl PlacedObjects {
    /// Counts the objects of a document; [`None`] if it is not an object layer, or if its quadtree is broken.
    ///
    /// ```
    /// use formwork_alb1::terrain::{ObjectLayer, Root};
    /// use formwork_alb1::{PlacedObjects, Text};
    ///
    /// let layer = ObjectLayer::new(Text::new("rocks").unwrap(), 0)?.to_document()?;
    /// assert_eq!(PlacedObjects::of(&layer).unwrap().objects, 0);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn of(document: &Document) -> Option<Self> {
        let layer = ObjectLayer::of(document).ok()?;
        let mut placed = Self::default();
        for stop in TreeWalk::new(&layer.tree, layer.tree_version()) {
            match stop.ok()?.item {
                TreeItem::Node(_) => {}
                TreeItem::Leaf(_) => placed.leaves += 1,
                TreeItem::Group { template, objects } => {
                    if !objects.is_empty() {
                        placed.templates.insert(template);
                    }
                    for object in objects.iter() {
                        placed.add(object.x, object.y);
                    }
                }
            }
        }
        Some(placed)
    }

    fn add(&mut self, x: f64, y: f64) {
        self.objects += 1;
        let point = BoundingBox { x0: x, y0: y, x1: x, y1: y };
        let extent = self.extent.get_or_insert(point);
        (extent.x0, extent.y0) = (extent.x0.min(x), extent.y0.min(y));
        (extent.x1, extent.y1) = (extent.x1.max(x), extent.y1.max(y));
    }
}

/// The numbers of objects and fields in a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Census {
    /// Objects by class, the most frequent first; the root is one of them.
    pub objects: Vec<(String, u64)>,
    /// Fields by type, the most frequent first.
    pub fields: Vec<(String, u64)>,
    /// The number of bytes in raw arrays.
    pub raw: u64,
}

impl Census {
    /// Counts the objects and fields of a document.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let mut objects = BTreeMap::from([(document.root.class, 1)]);
        let mut fields: BTreeMap<FieldType, u64> = BTreeMap::new();
        let mut raw = 0;
        for value in document.walk().filter_map(|item| item.value()) {
            *fields.entry(value.field_type()).or_default() += 1;
            match value {
                Value::Object(object) => *objects.entry(object.class).or_default() += 1,
                Value::Raw(bytes) => raw += bytes.len() as u64,
                _ => {}
            }
        }
        let class = |class: i16| document.classes.display(class as u16).into_owned();
        Self {
            objects: by_count(objects.into_iter().map(|(id, count)| (class(id), count))),
            fields: by_count(fields.into_iter().map(|(kind, count)| (kind.to_string(), count))),
            raw,
        }
    }

    /// Returns the total number of objects.
    #[must_use]
    pub fn object_count(&self) -> u64 {
        self.objects.iter().map(|(_, count)| count).sum()
    }

    /// Returns the total number of fields.
    #[must_use]
    pub fn field_count(&self) -> u64 {
        self.fields.iter().map(|(_, count)| count).sum()
    }
}

impl Document {
    /// Returns the kind and the name of the file and how much is in it: names and values.
    #[must_use]
    pub fn summary(&self) -> Vec<(&'static str, Json)> {
        let mut summary = Vec::new();
        let mut add = |name, value| summary.push((name, value));
        let counts = |counts: Vec<(String, u64)>| {
            Json::Object(counts.into_iter().map(|(name, count)| (name, count.into())).collect())
        };
        let field = |tag| self.tags.id(tag).and_then(|tag| self.root.get(tag));
        add("kind", FileKind::of(self).map_or("unknown", FileKind::name).into());
        if let Some(name) = field(Tags::<ObjectLayer>::name).and_then(Value::as_text) {
            add("name", name.to_string().into());
        }
        let layer_version = field(Tags::<ObjectLayer>::version).and_then(Value::as_integer);
        if let version @ 1.. = self.header.project_version {
            add("version", version.into());
        } else if let Some(version) = layer_version.and_then(|it| u64::try_from(it).ok()) {
            add("version", version.into());
        }
        if let Some(placed) = PlacedObjects::of(self) {
            add("placed", placed.objects.into());
            add("templates", placed.templates.len().into());
            if let Some(BoundingBox { x0, y0, x1, y1 }) = placed.extent {
                let extent = format!("{x0:.3}, {y0:.3} to {x1:.3}, {y1:.3}");
                add("extent", format!("{extent} (west, south, east, north)").into());
            }
            add("leaves", placed.leaves.into());
        }
        let census = Census::of(self);
        add("objects", census.object_count().into());
        let fields = census.field_count();
        add("classes", counts(census.objects));
        add("fields", fields.into());
        add("types", counts(census.fields));
        add("raw", census.raw.into());
        summary
    }
}

fn by_count(counts: impl Iterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

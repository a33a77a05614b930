//! What is in a file, counted.

use std::collections::{BTreeMap, BTreeSet};

use formwork::alb1::terrain::{ObjectLayer, Root};
use formwork::alb1::tree::{BoundingBox, Item, Walk};
use formwork::alb1::{Document, FieldType, Value};

/// What an object layer has placed on the map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlacedObjects {
    /// Objects on the map.
    pub objects: u64,
    /// Hashes of the templates that they are of.
    pub templates: BTreeSet<u32>,
    /// Leaves of the quadtree, with objects and without.
    pub leaves: u64,
    /// The box around the objects, in metres.
    pub extent: Option<BoundingBox<f64>>,
}

impl PlacedObjects {
    /// Counts what a document has placed; [`None`] where it is no object layer, or its quadtree is broken.
    ///
    /// ```
    /// use formwork::alb1::Text;
    /// use formwork::alb1::terrain::{ObjectLayer, Root};
    /// use formwork_terrain::statistics::PlacedObjects;
    ///
    /// let layer = ObjectLayer::new(Text::new("rocks").unwrap(), 0)?.to_document()?;
    /// assert_eq!(PlacedObjects::of(&layer).unwrap().objects, 0);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn of(document: &Document) -> Option<Self> {
        let layer = ObjectLayer::of(document).ok()?;
        let mut placed = Self::default();
        for stop in Walk::new(&layer.tree, layer.tree_version()) {
            match stop.ok()?.item {
                Item::Node(_) => {}
                Item::Leaf(_) => placed.leaves += 1,
                Item::Group { template, objects } => {
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

/// What a document is made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Census {
    /// Objects by class, the most frequent first; the root is one of them.
    pub objects: Vec<(String, u64)>,
    /// Fields by type, the most frequent first.
    pub fields: Vec<(String, u64)>,
    /// Bytes in raw arrays.
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

    /// Returns how many objects there are in all.
    #[must_use]
    pub fn object_count(&self) -> u64 {
        self.objects.iter().map(|(_, count)| count).sum()
    }

    /// Returns how many fields there are in all.
    #[must_use]
    pub fn field_count(&self) -> u64 {
        self.fields.iter().map(|(_, count)| count).sum()
    }
}

fn by_count(counts: impl Iterator<Item = (String, u64)>) -> Vec<(String, u64)> {
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

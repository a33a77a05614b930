//! What an object layer has placed, counted.

use std::collections::BTreeSet;

use formwork::alb1::Document;
use formwork::alb1::terrain::{ObjectLayer, Root};
use formwork::alb1::tree::{BoundingBox, Item, Walk};

/// What is in the tree of an object layer.
#[derive(Debug, Default)]
pub(super) struct Placed {
    /// Objects on the map.
    pub(super) objects: u64,
    /// Hashes of the templates that they are of.
    pub(super) templates: BTreeSet<u32>,
    /// Leaves, with objects and without.
    pub(super) leaves: u64,
    /// The box around the objects, in metres.
    pub(super) extent: Option<BoundingBox<f64>>,
}

impl Placed {
    /// What a document has placed; [`None`] where it is no object layer, or its tree is broken.
    pub(super) fn of(document: &Document) -> Option<Self> {
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

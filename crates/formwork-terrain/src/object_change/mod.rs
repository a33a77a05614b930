//! Changes of the objects in layers: moving, joining, splitting, other templates, removing duplicates.
//!
//! Each change takes a layer and a [`Filter`], and keeps every byte of the objects that the filter does not select. A
//! layer without any change keeps its tree byte for byte. After an error a layer is unchanged.

mod dedupe;
mod merge;
mod retemplate;
pub mod rule;
mod shift;
mod split;
mod transform;

use std::collections::{BTreeSet, HashMap};

use formwork::Result;
use formwork_alb1::terrain::{Library, ObjectLayer, Templates};
use formwork_alb1::tree::{BoundingBox, Colour, Grid, Object, Tree};

pub use dedupe::Dedupe;
pub use merge::{Merge, Merged};
pub use retemplate::{Retemplate, Retemplated, TemplateChange};
pub use shift::Shift;
pub use split::{Cut, Parts};
pub use transform::Transform;

use crate::object_list::{Filter, name_of, templates_of};

/// The number of objects of a layer that a filter selects, and their extent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Selection {
    /// The number of selected objects.
    pub objects: usize,
    /// The box around them; objects whose place is not finite do not count.
    pub extent: Option<BoundingBox<f64>>,
}

impl Selection {
    /// Counts the objects of a layer that a filter selects.
    ///
    /// # Errors
    ///
    /// Returns an error if the tree of the layer is broken.
    pub fn of(layer: &ObjectLayer, libraries: &[Library], filter: &Filter) -> Result<Self> {
        let open = Open::new(layer, libraries)?;
        let mut selection = Self::default();
        for (object, _) in
            open.tree.objects.iter().zip(open.selected(filter)).filter(|(_, selected)| *selected)
        {
            selection.objects += 1;
            if object.x.is_finite() && object.y.is_finite() {
                selection.add_point(object.x, object.y);
            }
        }
        Ok(selection)
    }

    /// Adds the selection of another layer.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.objects += other.objects;
        if let Some(BoundingBox { x0, y0, x1, y1 }) = other.extent {
            self.add_point(x0, y0);
            self.add_point(x1, y1);
        }
        self
    }

    fn add_point(&mut self, x: f64, y: f64) {
        let extent = self.extent.get_or_insert(BoundingBox { x0: x, y0: y, x1: x, y1: y });
        (extent.x0, extent.y0) = (extent.x0.min(x), extent.y0.min(y));
        (extent.x1, extent.y1) = (extent.x1.max(x), extent.y1.max(y));
    }

    /// Returns the middle of the box; [`None`] if there is none.
    #[must_use]
    pub fn centre(&self) -> Option<[f64; 2]> {
        let BoundingBox { x0, y0, x1, y1 } = self.extent?;
        Some([x0 + (x1 - x0) / 2.0, y0 + (y1 - y0) / 2.0])
    }
}

/// A layer whose objects will be changed.
struct Open {
    tree: Tree,
    templates: Templates,
    /// The hashes of all templates of the objects.
    hashes: BTreeSet<u32>,
}

impl Open {
    fn new(layer: &ObjectLayer, libraries: &[Library]) -> Result<Self> {
        let tree =
            Tree::read(&layer.tree, layer.tree_version()).map_err(|error| error.within("tree"))?;
        let (templates, hashes) = templates_of(layer, libraries)?;
        Ok(Self { tree, templates, hashes })
    }

    fn grid(&self) -> Result<Grid> {
        Grid::of(&self.tree).map_err(|error| error.within("tree"))
    }

    /// Returns whether the filter selects each object, in the order of the tree.
    fn selected(&self, filter: &Filter) -> Vec<bool> {
        let mut by_hash: HashMap<u32, bool> = HashMap::new();
        let mut has_template = |hash| {
            *by_hash
                .entry(hash)
                .or_insert_with(|| filter.has_template(&name_of(&self.templates, hash).0))
        };
        let is_selected = |(hash, object): (u32, &Object)| {
            filter.has_place(object.x, object.y) && has_template(hash)
        };
        self.tree.placed().map(is_selected).collect()
    }

    /// Builds the tree again with these objects.
    fn rebuilt(&self, objects: impl IntoIterator<Item = (u32, Object)>) -> Result<Tree> {
        self.rebuilt_with(objects, &HashMap::new())
    }

    /// Builds the tree as [`Open::rebuilt`] does; `more` has colours of templates that neither this tree nor a library
    /// has.
    fn rebuilt_with(
        &self,
        objects: impl IntoIterator<Item = (u32, Object)>,
        more: &HashMap<u32, Colour>,
    ) -> Result<Tree> {
        let colours = self.colours();
        let colour = |hash| {
            let fill = self.templates.fill_of(hash).or_else(|| colours.get(&hash).copied());
            fill.or_else(|| more.get(&hash).copied()).unwrap_or(Colour::from(0))
        };
        self.tree.rebuild(objects, colour).map_err(|error| error.within("tree"))
    }

    /// Returns the colours of the leaves, by their main templates.
    fn colours(&self) -> HashMap<u32, Colour> {
        self.tree.leaves.iter().map(|leaf| (leaf.template, leaf.colour)).collect()
    }
}

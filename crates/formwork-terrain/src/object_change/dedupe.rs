//! Removes duplicate objects.

use std::collections::HashMap;

use formwork::{Error, Result};
use formwork_alb1::terrain::{Library, ObjectLayer};
use formwork_alb1::tree::Object;

use super::{Open, rule};
use crate::object_list::Filter;

/// The search for duplicate objects: those with the same template and the same place. Rotation and scale do not count.
///
/// The one with the lowest id is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dedupe {
    /// The distance in metres up to which two places are the same.
    pub tolerance: f64,
}

/// The cell of an object, as bits. Cells are as large as the tolerance.
type Cell = (u32, [u64; 3]);

impl Dedupe {
    /// The smallest tolerance other than 0.
    pub const LEAST: f64 = 1e-6;

    /// Removes the duplicates among the objects of a layer that the filter selects; returns the ids of the removed
    /// objects, in ascending order.
    ///
    /// # Errors
    ///
    /// [`rule::NUMBER`] if the tolerance is neither 0 nor at least [`Dedupe::LEAST`]. Also returns an error if the
    /// layer's tree is broken.
    pub fn apply(
        &self,
        layer: &mut ObjectLayer,
        libraries: &[Library],
        filter: &Filter,
    ) -> Result<Vec<u32>> {
        let Self { tolerance } = *self;
        if !tolerance.is_finite() || (tolerance != 0.0 && tolerance < Self::LEAST) {
            let expected = format!("a tolerance of 0 or of {} metres or more", Self::LEAST);
            return Err(Error::new(rule::NUMBER, 0, expected, tolerance.to_string()));
        }
        let open = Open::new(layer, libraries)?;
        let selected = open.selected(filter);
        let mut candidates: Vec<_> = open.tree.placed().zip(selected).enumerate().collect();
        candidates.retain(|(_, (_, selected))| *selected);
        // Objects of the same id are ordered by their positions.
        candidates.sort_by_key(|(position, ((_, object), _))| (object.id, *position));
        // Kept objects are more than the tolerance apart, so that a cell holds a few of them.
        let mut stay: HashMap<Cell, Vec<[f64; 3]>> = HashMap::new();
        let mut goes = vec![false; open.tree.objects.len()];
        let mut ids = Vec::new();
        for (position, ((hash, object), _)) in candidates {
            let place = place(object);
            if place.iter().any(|number| !number.is_finite()) {
                continue;
            }
            if self.cells_around(hash, place).any(|cell| {
                let there = stay.get(&cell).map(Vec::as_slice).unwrap_or_default();
                there.iter().any(|other| self.is_same(place, *other))
            }) {
                if let Some(goes) = goes.get_mut(position) {
                    *goes = true;
                }
                ids.push(object.id);
            } else {
                stay.entry(self.cell(hash, place)).or_default().push(place);
            }
        }
        if !ids.is_empty() {
            let left = open.tree.placed().zip(goes).filter(|(_, goes)| !goes);
            let left: Vec<(u32, Object)> = left.map(|((hash, it), _)| (hash, *it)).collect();
            let tree = open.rebuilt(left)?;
            layer.set_tree(&tree).map_err(|error| error.within("tree"))?;
        }
        Ok(ids)
    }

    fn is_same(&self, one: [f64; 3], other: [f64; 3]) -> bool {
        let square: f64 = one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum();
        square <= self.tolerance * self.tolerance
    }

    fn cell(&self, hash: u32, place: [f64; 3]) -> Cell {
        self.cell_at(hash, place, [0.0; 3])
    }

    /// Returns the cells in which there may be an object within the tolerance.
    fn cells_around(&self, hash: u32, place: [f64; 3]) -> impl Iterator<Item = Cell> {
        let steps: &[f64] = if self.tolerance == 0.0 { &[0.0] } else { &[-1.0, 0.0, 1.0] };
        steps.iter().flat_map(move |x| {
            steps.iter().flat_map(move |y| {
                steps.iter().map(move |z| self.cell_at(hash, place, [*x, *y, *z]))
            })
        })
    }

    /// Returns the cell of a place. (Far out, where neighbouring numbers are further apart than the tolerance, each
    /// number has a separate cell.)
    fn cell_at(&self, hash: u32, place: [f64; 3], step: [f64; 3]) -> Cell {
        let mut cell = [0; 3];
        for ((slot, number), step) in cell.iter_mut().zip(place).zip(step) {
            let number = match self.tolerance {
                0.0 => number,
                tolerance => (number / tolerance).floor() + step,
            };
            // -0 and 0 are the same place.
            *slot = (number + 0.0).to_bits();
        }
        (hash, cell)
    }
}

fn place(object: &Object) -> [f64; 3] {
    [object.x, object.y, object.z.into()]
}

//! Moves, rotates, spreads and scales objects.

use formwork::{Error, Result};
use formwork_alb1::terrain::{Library, ObjectLayer};
use formwork_alb1::tree::{Grid, Object};

use super::{Open, rule};
use crate::object_list::{Filter, Placement, impossible};

/// A transformation of objects. Distances and sizes change first, then directions, then places.
///
/// ```
/// use formwork_alb1::tree::Object;
/// use formwork_terrain::object_change::Transform;
///
/// let stone = Object { x: 200_010.0, y: 20.0, yaw: 350.0, scale: 1.0, ..Object::default() };
/// let turn = Transform { rotate: 90.0, about: [200_000.0, 20.0], ..Transform::default() };
/// // Clockwise: what was in the east is in the south.
/// assert_eq!((turn.of(&stone).x, turn.of(&stone).y, turn.of(&stone).yaw), (200_000.0, 10.0, 80.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// The offset in metres to the east, to the north and upwards.
    pub by: [f64; 3],
    /// The rotation in degrees clockwise, as in the direction of objects.
    pub rotate: f64,
    /// The factor of the sizes of objects.
    pub scale: f64,
    /// The factor of the distances from `about`.
    pub spread: f64,
    /// The point that stays in place when objects are rotated and spread.
    pub about: [f64; 2],
}

impl Default for Transform {
    fn default() -> Self {
        Self { by: [0.0; 3], rotate: 0.0, scale: 1.0, spread: 1.0, about: [0.0; 2] }
    }
}

impl Transform {
    /// Returns an error for numbers that are not valid in a transformation.
    ///
    /// # Errors
    ///
    /// [`rule::NUMBER`] if a number is not finite, or a factor is not above 0.
    pub fn check(&self) -> Result<()> {
        let [east, north, up] = self.by;
        let [x, y] = self.about;
        let numbers = [("by", east), ("by", north), ("by", up), ("rotate", self.rotate)];
        let numbers = numbers.into_iter().chain([("about", x), ("about", y)]);
        let factors = [("scale", self.scale), ("spread", self.spread)];
        let wrong = |name: &'static str, expected: &str, number: f64| {
            Err(Error::new(rule::NUMBER, 0, expected, number.to_string()).within(name))
        };
        for (name, number) in numbers.chain(factors) {
            if !number.is_finite() {
                return wrong(name, "a finite number", number);
            }
        }
        match factors.into_iter().find(|(_, factor)| *factor <= 0.0) {
            Some((name, factor)) => wrong(name, "a factor above 0", factor),
            None => Ok(()),
        }
    }

    /// Returns an object with the transformation applied.
    #[must_use]
    pub fn of(&self, object: &Object) -> Object {
        let mut moved = *object;
        let [east, north, up] = self.by;
        let [x, y] = self.about;
        if self.spread != 1.0 || self.rotate != 0.0 {
            let (sin, cos) = self.sin_cos();
            let (dx, dy) = ((object.x - x) * self.spread, (object.y - y) * self.spread);
            (moved.x, moved.y) = (x + (dx * cos + dy * sin), y + (dy * cos - dx * sin));
        }
        // Adding nothing would turn -0 into 0.
        let add = |to: f64, number: f64| if number == 0.0 { to } else { to + number };
        (moved.x, moved.y) = (add(moved.x, east), add(moved.y, north));
        if up != 0.0 {
            moved.z = (f64::from(object.z) + up) as f32;
        }
        if self.rotate != 0.0 {
            moved.yaw = (f64::from(object.yaw) + self.rotate).rem_euclid(360.0) as f32;
        }
        if self.scale != 1.0 {
            moved.scale = (f64::from(object.scale) * self.scale) as f32;
        }
        moved
    }

    /// Returns sine and cosine; exact for quarters of a turn.
    fn sin_cos(&self) -> (f64, f64) {
        match self.rotate.rem_euclid(360.0) {
            0.0 => (0.0, 1.0),
            90.0 => (1.0, 0.0),
            180.0 => (0.0, -1.0),
            270.0 => (-1.0, 0.0),
            angle => angle.to_radians().sin_cos(),
        }
    }

    /// Moves the objects of a layer that the filter selects; returns the number of changed objects.
    ///
    /// If each of them stays in its leaf of the tree, only their numbers change in the tree.
    ///
    /// # Errors
    ///
    /// [`rule::NUMBER`], as [`Transform::check`]; [`rule::PLACE`] if an object would be outside the box of the tree;
    /// [`object_list::rule::NUMBER`](crate::object_list::rule::NUMBER) if it would get a number that no object can
    /// have. Also returns an error if the layer's tree is broken.
    pub fn apply(
        &self,
        layer: &mut ObjectLayer,
        libraries: &[Library],
        filter: &Filter,
    ) -> Result<usize> {
        self.check()?;
        let mut open = Open::new(layer, libraries)?;
        let grid = open.grid()?;
        let selected = open.selected(filter);
        let mut objects = open.tree.objects.clone();
        let (mut changed, mut in_their_leaves) = (0, true);
        for (object, _) in objects.iter_mut().zip(selected).filter(|(_, selected)| *selected) {
            let (before, after) = (*object, self.of(object));
            let (was, is) = (Placement::from(before), Placement::from(after));
            if is.is_identical(&was) {
                continue;
            }
            if let Some(fault) = impossible(&is, Some(&was)) {
                return Err(of_object(fault, &before));
            }
            if [is.x, is.y].map(f64::to_bits) != [was.x, was.y].map(f64::to_bits) {
                let leaf = grid.leaf_at(is.x, is.y).ok_or_else(|| outside(&grid, &after))?;
                in_their_leaves &= grid.leaf_at(was.x, was.y) == Some(leaf);
            }
            *object = after;
            changed += 1;
        }
        if changed == 0 {
            return Ok(0);
        }
        let tree = if in_their_leaves {
            open.tree.objects = objects;
            open.tree
        } else {
            let hashes = open.tree.placed().map(|(hash, _)| hash);
            open.rebuilt(hashes.zip(objects))?
        };
        layer.tree = tree.to_vec().map_err(|error| error.within("tree"))?.into();
        Ok(changed)
    }
}

#[cold]
fn of_object(fault: Error, object: &Object) -> Error {
    let found = format!("{} for object {}", fault.found(), object.id);
    Error::new(fault.rule(), 0, fault.expected().to_owned(), found).under(fault.path().clone())
}

#[cold]
fn outside(grid: &Grid, object: &Object) -> Error {
    let root = grid.root();
    let expected = format!(
        "x from {} to below {} and y from {} to below {}",
        root.x0, root.x1, root.y0, root.y1
    );
    let Object { x, y, id, .. } = object;
    Error::new(rule::PLACE, 0, expected, format!("{x}, {y} for object {id}"))
}

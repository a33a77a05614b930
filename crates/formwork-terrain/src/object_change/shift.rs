//! Moves what is beside the objects on a map: shapes, key points, placed roads.

use formwork::{Error, Result};
use formwork_alb1::terrain::{KeyPoint, PlacedRoad, Shape, ShapeLayer};

use super::rule;
use crate::object_list::Filter;

/// A move by metres to the east and to the north.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shift(pub [f64; 2]);

impl Shift {
    /// Returns a place after the move. A number to which nothing is added keeps every bit.
    ///
    /// # Errors
    ///
    /// [`rule::NUMBER`] if a number would not be finite.
    pub fn of(&self, place: [f64; 2]) -> Result<[f64; 2]> {
        let Self([east, north]) = *self;
        let add = |to: f64, number: f64| if number == 0.0 { to } else { to + number };
        let moved = [add(place[0], east), add(place[1], north)];
        match moved
            .iter()
            .zip(place)
            .find(|(after, before)| before.is_finite() && !after.is_finite())
        {
            Some((after, _)) => {
                Err(Error::new(rule::NUMBER, 0, "a place with finite numbers", after.to_string()))
            }
            None => Ok(moved),
        }
    }

    /// Moves the shapes of a layer that lie wholly at places which the filter selects; returns the number of changed ones.
    /// Shapes of an unknown class stay where they are.
    ///
    /// # Errors
    ///
    /// As [`Shift::of`]. The layer is then unchanged.
    pub fn shapes(&self, layer: &mut ShapeLayer, filter: &Filter) -> Result<usize> {
        let mut shapes = layer.shapes.clone();
        let mut changed = 0;
        for shape in &mut shapes {
            let vertices = match shape {
                Shape::Polygon(polygon) => &mut polygon.vertices,
                Shape::Polyline(polyline) => &mut polyline.vertices,
                Shape::Other(_) => continue,
            };
            if vertices.is_empty()
                || !vertices.iter().all(|it| filter.has_place(it.center[0], it.center[1]))
            {
                continue;
            }
            for vertex in vertices {
                let [x, y, z] = vertex.center;
                let [x, y] = self.of([x, y])?;
                vertex.center = [x, y, z];
            }
            changed += 1;
        }
        layer.shapes = shapes;
        Ok(changed)
    }

    /// Moves the key points that the filter selects; returns the number of changed ones.
    ///
    /// # Errors
    ///
    /// As [`Shift::of`]. Some of the points are then moved.
    pub fn key_points(&self, points: &mut [KeyPoint], filter: &Filter) -> Result<usize> {
        let mut changed = 0;
        for point in points {
            let [x, y] = point.position;
            if filter.has_place(x, y) {
                point.position = self.of([x, y])?;
                changed += 1;
            }
        }
        Ok(changed)
    }

    /// Moves the placed roads whose key part the filter selects, and lifts them by `up` metres; returns the number of
    /// changed ones. The other parts of a road follow its key part.
    ///
    /// # Errors
    ///
    /// As [`Shift::of`]. Some of the roads are then moved.
    pub fn roads(&self, roads: &mut [PlacedRoad], up: f64, filter: &Filter) -> Result<usize> {
        let mut changed = 0;
        for road in roads {
            let [x, y] = road.position;
            if filter.has_place(x, y) {
                road.position = self.of([x, y])?;
                if up != 0.0 {
                    road.elevation += up;
                }
                changed += 1;
            }
        }
        Ok(changed)
    }
}

//! Parts of the map with straight borders.

use formwork_alb1::terrain::{Shape, ShapeLayer};

/// The points of a ring; its last point leads back to its first.
pub type Ring = Vec<[f64; 2]>;

/// One polygon or several. A point in any of them is in the area.
///
/// ```
/// use formwork_terrain::Area;
///
/// let outer = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
/// let hole = vec![[4.0, 4.0], [6.0, 4.0], [6.0, 6.0]];
/// let area = Area::new(vec![vec![outer, hole]]).unwrap();
/// assert!(area.has(1.0, 1.0));
/// assert!(!area.has(5.5, 4.5));
/// assert!(!area.has(11.0, 5.0));
/// assert!(Area::new(vec![vec![vec![[0.0, 0.0], [1.0, f64::NAN], [1.0, 1.0]]]]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    polygons: Vec<Polygon>,
}

/// A polygon with holes, and the box around it.
#[derive(Clone, Debug, PartialEq)]
struct Polygon {
    rings: Vec<Ring>,
    low: [f64; 2],
    high: [f64; 2],
}

impl Area {
    /// Makes an area of polygons, each its outer ring and then its holes. A ring may repeat its first point at its end.
    ///
    /// # Errors
    ///
    /// Returns a sentence if there is no polygon, if a ring has fewer than three points, or if a number is not finite.
    pub fn new(polygons: Vec<Vec<Ring>>) -> Result<Self, String> {
        if polygons.is_empty() {
            return Err("there is no polygon in it".into());
        }
        let polygons = polygons.into_iter().map(Polygon::new).collect::<Result<_, _>>()?;
        Ok(Self { polygons })
    }

    /// Makes an area of the polygons in a layer of shapes, except deleted ones.
    ///
    /// # Errors
    ///
    /// As [`Area::new`].
    pub fn of(layer: &ShapeLayer) -> Result<Self, String> {
        let polygons = layer.shapes.iter().filter_map(|shape| match shape {
            Shape::Polygon(polygon) if !polygon.deleted => {
                let corner = |[x, y, _]: [f64; 3]| [x, y];
                Some(vec![polygon.vertices.iter().map(|vertex| corner(vertex.center)).collect()])
            }
            _ => None,
        });
        Self::new(polygons.collect())
    }

    /// Whether a point is in the area. A point on the common border of two polygons is in one of them.
    #[must_use]
    pub fn has(&self, x: f64, y: f64) -> bool {
        self.polygons.iter().any(|polygon| polygon.has(x, y))
    }
}

impl Polygon {
    fn new(rings: Vec<Ring>) -> Result<Self, String> {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        if rings.is_empty() {
            return Err("a polygon needs three points or more".into());
        }
        for ring in &rings {
            let points = match (ring.first(), ring.last()) {
                (Some(first), Some(last)) if first == last => ring.len() - 1,
                _ => ring.len(),
            };
            if points < 3 {
                return Err(format!("a polygon needs three points or more, not {points}"));
            }
            if let Some(number) = ring.iter().flatten().find(|number| !number.is_finite()) {
                return Err(format!("a polygon needs finite numbers, not {number}"));
            }
            for [x, y] in ring {
                (low, high) =
                    ([low[0].min(*x), low[1].min(*y)], [high[0].max(*x), high[1].max(*y)]);
            }
        }
        Ok(Self { rings, low, high })
    }

    /// Counts the borders to the east of a point: an odd number means that the point is inside.
    fn has(&self, x: f64, y: f64) -> bool {
        let [[west, south], [east, north]] = [self.low, self.high];
        if !(west..=east).contains(&x) || !(south..=north).contains(&y) {
            return false;
        }
        let mut inside = false;
        for ring in &self.rings {
            let Some(mut last) = ring.last() else { continue };
            for point in ring {
                let [[x0, y0], [x1, y1]] = [*last, *point];
                if (y0 > y) != (y1 > y) && x < x0 + (y - y0) / (y1 - y0) * (x1 - x0) {
                    inside = !inside;
                }
                last = point;
            }
        }
        inside
    }
}

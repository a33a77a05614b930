//! Lines and areas, as the data of one SVG path.

use super::is_near;
use super::spot::{Spot, View};

/// Lines of one kind. Points too close to be distinguished are left out.
pub(super) struct Lines {
    view: View,
    pub(super) data: String,
    pub(super) count: usize,
}

/// The smallest distance between points, in pixels.
const APART: f64 = 0.3;
/// The number of bytes of one path after which points are set further apart.
const MOST: usize = 600_000;

impl Lines {
    pub(super) fn new(view: View) -> Self {
        Self { view, data: String::new(), count: 0 }
    }

    /// Adds a line, or the border of an area.
    pub(super) fn add(&mut self, points: &[[f64; 2]], is_area: bool) {
        let apart = APART * (1 << (self.data.len() / MOST).min(12)) as f64;
        let mut last: Option<Spot> = None;
        let mut drawn = 0;
        let end = points.len().saturating_sub(1);
        for (position, point) in points.iter().enumerate() {
            if !is_near(point[0], point[1]) {
                continue;
            }
            let spot = self.view.spot(*point);
            let is_far = last.is_none_or(|last| last.distance(spot) >= apart);
            if !is_far && (position != end || is_area) {
                continue;
            }
            self.data.push(if drawn == 0 { 'M' } else { 'L' });
            self.data.push_str(&spot.to_string());
            last = Some(spot);
            drawn += 1;
        }
        if drawn == 1 {
            // A single point is a dot.
            self.data.push_str("h0");
        } else if drawn > 1 && is_area {
            self.data.push('Z');
        }
        self.count += usize::from(drawn > 0);
    }
}

//! Converts points of the map to spots on the sheet.

use std::fmt;

use formwork_alb1::tree::BoundingBox;

/// A place on the sheet, in hundredths of a pixel.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Spot {
    x: i32,
    y: i32,
}

impl Spot {
    /// Returns the spot in pixels.
    pub(super) fn pixels(self) -> (f64, f64) {
        (f64::from(self.x) / 100.0, f64::from(self.y) / 100.0)
    }

    pub(super) fn distance(self, other: Self) -> f64 {
        f64::from(self.x - other.x).hypot(f64::from(self.y - other.y)) / 100.0
    }

    /// Returns the cell of the spot, in cells of `size` pixels.
    pub(super) fn cell(self, size: f64) -> [i32; 2] {
        [self.x, self.y].map(|it| (f64::from(it) / 100.0 / size).floor() as i32)
    }
}

/// Writes the two numbers with a blank between them, as short as possible.
impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", f64::from(self.x) / 100.0, f64::from(self.y) / 100.0)
    }
}

/// The visible part of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) bounds: BoundingBox<f64>,
    /// Pixels per metre.
    pub(super) scale: f64,
    /// The north-west corner on the sheet, in pixels.
    pub(super) corner: [f64; 2],
}

impl View {
    /// Returns the spot of a point. Points that are far out are put on a border far out.
    pub(super) fn spot(&self, [x, y]: [f64; 2]) -> Spot {
        const FAR: i32 = 1_000_000;
        let Self { bounds, scale, corner: [left, top] } = self;
        let hundredths = |pixels: f64| ((pixels * 100.0).round() as i32).clamp(-FAR, FAR);
        Spot {
            x: hundredths(left + (x - bounds.x0) * scale),
            y: hundredths(top + (bounds.y1 - y) * scale),
        }
    }
}

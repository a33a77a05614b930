//! Finds room for the names of places beside their marks.

use formwork_alb1::tree::BoundingBox;

/// The side of a mark, in pixels.
const MARK: f64 = 10.0;
/// The distance from the middle of a mark to a name beside it.
const BESIDE: f64 = 8.0;
const HEIGHT: f64 = 14.0;
/// The approximate width of a letter.
const LETTER: f64 = 7.4;

/// The place of a name: a point of its text, and the end of the text at that point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Label {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) anchor: &'static str,
}

/// The room that is taken by written names.
#[derive(Debug, Default)]
pub(super) struct Labels(Vec<BoundingBox<f64>>);

impl Labels {
    /// Reserves room for a text that begins here.
    pub(super) fn take(&mut self, x: f64, y: f64, text: &str) {
        self.0.push(room(x, y, text));
    }

    /// Reserves the room of a mark, which no name may cover.
    pub(super) fn mark(&mut self, x: f64, y: f64) {
        let half = MARK / 2.0;
        self.0.push(BoundingBox { x0: x - half, y0: y - half, x1: x + half, y1: y + half });
    }

    /// Finds room for the name of a mark: beside it, above or below it, inside the map. [`None`] if every place is
    /// taken.
    pub(super) fn beside(
        &mut self,
        (x, y): (f64, f64),
        text: &str,
        map: &BoundingBox<f64>,
    ) -> Option<Label> {
        let width = room(0.0, 0.0, text).x1;
        // Near a border, a name above or below its mark moves inwards.
        let centred = (x - width / 2.0).min(map.x1 - width).max(map.x0);
        let places = [
            (x + BESIDE, y + 4.0, "start"),
            (x - BESIDE - width, y + 4.0, "end"),
            (centred, y - BESIDE - 3.0, "middle"),
            (centred, y + BESIDE + HEIGHT - 4.0, "middle"),
        ];
        places.into_iter().find_map(|(left, y, anchor)| {
            let taken = room(left, y, text);
            let is_inside = taken.x0 >= map.x0
                && taken.x1 <= map.x1
                && taken.y0 >= map.y0
                && taken.y1 <= map.y1;
            if !is_inside || self.0.iter().any(|other| overlap(&taken, other)) {
                return None;
            }
            self.0.push(taken);
            let x = match anchor {
                "start" => left,
                "end" => left + width,
                _ => left + width / 2.0,
            };
            Some(Label { x, y, anchor })
        })
    }
}

/// Returns the box around a text that begins here.
fn room(x: f64, y: f64, text: &str) -> BoundingBox<f64> {
    let width = text.chars().count() as f64 * LETTER;
    BoundingBox { x0: x, y0: y - HEIGHT + 3.0, x1: x + width, y1: y + 3.0 }
}

fn overlap(one: &BoundingBox<f64>, other: &BoundingBox<f64>) -> bool {
    one.x0 < other.x1 && other.x0 < one.x1 && one.y0 < other.y1 && other.y0 < one.y1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_beside_each_other_or_not_at_all() {
        let map = BoundingBox { x0: 0.0, y0: 0.0, x1: 200.0, y1: 100.0 };
        let mut labels = Labels::default();
        let mut at = |x, y| labels.beside((x, y), "a place", &map).map(|label| label.anchor);
        assert_eq!(at(50.0, 50.0), Some("start"));
        // The first name is to its right, the border to its left.
        assert_eq!(at(52.0, 50.0), Some("middle"));
        assert_eq!(at(180.0, 50.0), Some("end"));
        assert_eq!(at(54.0, 50.0), Some("middle"));
        assert_eq!(at(53.0, 50.0), None);
        assert_eq!(at(100.0, 2.0), Some("middle"));
        // There is room below, a little to the right.
        let mut labels = Labels::default();
        assert_eq!(labels.beside((10.0, 50.0), "a place", &map).unwrap().anchor, "start");
        let below = labels.beside((10.0, 52.0), "a place", &map).unwrap();
        assert_eq!((below.anchor, below.y), ("middle", 70.0));
        assert!(below.x > 20.0);
    }
}

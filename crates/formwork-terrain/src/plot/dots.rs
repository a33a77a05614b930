//! Objects as dots: of those of one kind on the same spot, one is drawn.

use std::collections::HashSet;

use super::spot::{Spot, View};

/// The dots of each kind, and how large they are.
pub(super) struct Dots {
    pub(super) kinds: Vec<Vec<Spot>>,
    pub(super) diameter: f64,
}

impl Dots {
    /// Objects that can be told apart as dots at most.
    pub(super) const MOST: usize = 150_000;
    /// Dots that are drawn at most.
    const MOST_DRAWN: usize = 120_000;

    /// Thins out the objects of each kind until there is room for them.
    pub(super) fn of(view: View, kinds: &[(&str, &str, &[[f64; 2]])]) -> Self {
        let objects: usize = kinds.iter().map(|(_, _, objects)| objects.len()).sum();
        let diameter = match objects {
            0..300 => 6.0,
            300..1_000 => 4.0,
            1_000..10_000 => 3.0,
            10_000..50_000 => 2.2,
            _ => 1.6,
        };
        // The first dots to go are those that another one covers.
        let mut cell = diameter / 4.0;
        loop {
            let thinned = |objects: &[[f64; 2]]| {
                let mut taken = HashSet::new();
                let spots = objects.iter().map(|point| view.spot(*point));
                spots.filter(|spot| taken.insert(spot.cell(cell))).collect::<Vec<_>>()
            };
            let kinds: Vec<_> = kinds.iter().map(|(_, _, objects)| thinned(objects)).collect();
            let drawn: usize = kinds.iter().map(Vec::len).sum();
            if drawn <= Self::MOST_DRAWN {
                return Self { kinds, diameter };
            }
            cell *= 1.5;
        }
    }
}

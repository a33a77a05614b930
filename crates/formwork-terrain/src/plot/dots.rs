//! Draws objects as dots: one for all objects of one kind on the same spot.

use std::collections::HashSet;

use super::spot::{Spot, View};

/// The dots of each kind, and their size.
pub(super) struct Dots {
    pub(super) kinds: Vec<Vec<Spot>>,
    pub(super) diameter: f64,
}

impl Dots {
    /// The greatest number of objects that can be distinguished as dots.
    pub(super) const MOST: usize = 150_000;
    /// The greatest number of drawn dots.
    const MOST_DRAWN: usize = 120_000;

    /// Thins out the objects of each kind until they fit.
    pub(super) fn of(view: View, kinds: &[(&str, &str, &[[f64; 2]])]) -> Self {
        let objects: usize = kinds.iter().map(|(_, _, objects)| objects.len()).sum();
        let diameter = match objects {
            0..300 => 6.0,
            300..1_000 => 4.0,
            1_000..10_000 => 3.0,
            10_000..50_000 => 2.2,
            _ => 1.6,
        };
        // Dots that others cover are removed first.
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

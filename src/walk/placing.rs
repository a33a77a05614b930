//! Places of views: where they are, and the numbers that say it, in bytes that may change.

use super::making::{Chance, Making};
use super::{Argument, Walk};
use crate::schema::{Expression, View, ViewBytes};

/// The place of a [`View`], of numbers that are there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewPlace {
    /// The place at which the record of the view starts.
    pub record: usize,
    /// The place from which the offset counts.
    pub from: usize,
    /// The offset.
    pub at: Option<i128>,
    /// The bytes, where the view says how many.
    pub length: Option<i128>,
}

impl Walk<'_> {
    /// Returns the start of the record whose view was the last step, what the view counts from, its offset and its bytes,
    /// as far as they have values.
    pub(crate) fn place_of_view(&mut self, view: &'static View) -> ViewPlace {
        let frame = self.levels.len().saturating_sub(1);
        let mut number = |it: &'static Expression| self.value(it, frame).map(|it| it.0);
        let at = number(&view.at);
        let length = match &view.bytes {
            ViewBytes::Count(bytes) => number(bytes),
            ViewBytes::Rest | ViewBytes::Open => None,
        };
        let record = self.levels.get(frame).map_or(0, |level| level.start);
        ViewPlace { record, from: self.start_of(view.from, frame), at, length }
    }

    /// Gives an expression of the innermost record a value by changing numbers in bytes that are as those of the walk,
    /// and returns whether that is possible. Numbers of the record come before those that it was handed.
    pub(crate) fn solve_in(
        &self,
        expression: &'static Expression,
        wanted: i128,
        bytes: &mut Vec<u8>,
    ) -> bool {
        let level = self.levels.len().saturating_sub(1);
        [true, false].into_iter().any(|keeps_arguments| {
            let mut walk = self.clone();
            walk.making = Some(Making {
                bytes: std::mem::take(bytes),
                arguments: vec![Argument::default(); self.arguments.len()],
                is_file: true,
                keeps_arguments,
                ..Making::new(Chance::of_seed(0))
            });
            let is_solved = walk.solve(expression, level, wanted);
            *bytes = walk.into_made();
            is_solved
        })
    }
}

//! A damaged document that is being read: what is known of it, and what is open.

use std::ops::Range;

use super::layout::Layouts;
use super::lost::{Lost, Orphan};
use super::open::{Expects, Found, Open, What};
use crate::{Field, Reader, Table};

/// A damaged document, as far as it was read.
pub(super) struct Rescue<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) tags: &'a Table,
    pub(super) classes: &'a Table,
    pub(super) layouts: &'a Layouts,
    pub(super) open: Vec<Open<'a>>,
    pub(super) lost: Vec<Lost>,
    pub(super) orphans: Vec<Orphan>,
    /// Range of the content of the raw array.
    pub(super) raw: Option<Range<usize>>,
    /// How the field was found where reading goes on, if it was searched for.
    pub(super) found: Option<Found>,
    /// How many may be open.
    pub(super) depth: u32,
    /// Bytes that may still be read without being believed.
    pub(super) trials: usize,
}

impl<'a> Rescue<'a> {
    pub(super) fn new(
        bytes: &'a [u8],
        tags: &'a Table,
        classes: &'a Table,
        layouts: &'a Layouts,
    ) -> Self {
        Self {
            bytes,
            tags,
            classes,
            layouts,
            open: Vec::new(),
            lost: Vec::new(),
            orphans: Vec::new(),
            raw: None,
            found: None,
            depth: Reader::DEPTH,
            trials: bytes.len().saturating_mul(4),
        }
    }

    /// Sets the limit of depth.
    pub(super) const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Opens the root.
    pub(super) fn open_root(&mut self, class: i16, address: u32) {
        let expects = self.expected_of(class);
        self.open.push(Open::new(What::Object { class, address }, 0, 0, expects));
    }

    /// Returns the expected fields of an object of a class.
    pub(super) fn expected_of(&self, class: i16) -> Expects<'a> {
        match self.layouts.slots(class) {
            Some(slots) => Expects::Slots(slots),
            None => Expects::Anything,
        }
    }

    /// Adds a field to what is open at a level.
    pub(super) fn put(&mut self, level: usize, field: Field) {
        if let Some(open) = self.open.get_mut(level) {
            open.fields.push(field);
        }
    }

    /// Takes back what a size said.
    pub(super) fn forget_end(&mut self, level: usize) {
        if let Some(open) = self.open.get_mut(level) {
            open.end = None;
        }
    }

    /// Remembers that something is missing in all that is open from a level on.
    pub(super) fn mark_gap(&mut self, level: usize) {
        for open in self.open.iter_mut().skip(level) {
            open.has_gap = true;
        }
    }
}

//! The account of what is lost: what is missing, by name, and where.

use std::ops::Range;

use super::lost::{Lost, Reason};
use super::open::{Fit, Open, What};
use super::rescue::Rescue;
use crate::path::tag_step;
use formwork::{Path, PathSegment};

/// Losses that are told one by one; further ones are added to the last.
const MOST_LOST: usize = 4096;

impl Rescue<'_> {
    /// Notes that expected fields were passed over.
    pub(super) fn pass_over(&mut self, level: usize, fit: Fit, range: Range<usize>) {
        if fit.skipped > 0 {
            let names = self.passed_names(level, fit.next.saturating_sub(1));
            self.lost_at(range, Reason::Unreadable, names);
        }
    }

    /// The names of what is still expected at a level, with the class.
    pub(super) fn missing_names(&self, level: usize) -> String {
        self.passed_names(level, usize::MAX)
    }

    /// The names of what is expected at a level before a position.
    pub(super) fn passed_names(&self, level: usize, before: usize) -> String {
        /// Names that are told.
        const SHOWN: usize = 8;
        let Some(open) = self.open.get(level) else { return String::new() };
        if self.lost.len() >= MOST_LOST {
            return String::new();
        }
        let count = before.saturating_sub(open.next);
        let missing = open.missing();
        let missing = missing.get(..count.min(missing.len())).unwrap_or_default();
        let mut names: Vec<String> = missing
            .iter()
            .take(SHOWN)
            .filter_map(|&kind| self.layouts.get(kind))
            .map(|kind| self.tags.display(kind.tag).into_owned())
            .collect();
        match open.what {
            What::Array { .. } => return format!("elements of {}", self.tags.display(open.tag)),
            _ if names.is_empty() => return String::new(),
            _ => {}
        }
        if missing.len() > SHOWN {
            names.push(format!("{} more", missing.len() - SHOWN));
        }
        let names = names.join(", ");
        match open.what {
            What::Object { class, .. } => {
                format!("{names} of {}", self.classes.display(class as u16))
            }
            _ => names,
        }
    }

    /// The path of the innermost.
    pub(super) fn path(&self) -> Path {
        let mut path = Path::default();
        if self.lost.len() >= MOST_LOST {
            return path;
        }
        for (outer, inner) in self.open.iter().zip(self.open.iter().skip(1)) {
            path.push(self.step_to(outer, inner.tag));
        }
        path
    }

    /// The path of something with this tag in the innermost.
    pub(super) fn path_of(&self, tag: u16) -> Path {
        let mut path = self.path();
        if let Some(outer) = self.open.last() {
            path.push(self.step_to(outer, tag));
        }
        path
    }

    fn step_to(&self, outer: &Open<'_>, tag: u16) -> PathSegment {
        match outer.what {
            What::Array { .. } => PathSegment::Index(outer.fields.len() as u64),
            _ => tag_step(self.tags, tag),
        }
    }

    pub(super) fn lost_at(&mut self, range: Range<usize>, reason: Reason, thought: String) {
        let path = self.path();
        self.say(range, path, reason, thought);
    }

    pub(super) fn note(&mut self, range: Range<usize>, reason: Reason, thought: &str) {
        self.lost_at(range, reason, thought.to_owned());
    }

    pub(super) fn say(&mut self, range: Range<usize>, path: Path, reason: Reason, thought: String) {
        let range = range.start as u64..range.end as u64;
        let many = self.lost.len() >= MOST_LOST;
        match self.lost.last_mut() {
            Some(last) if many => {
                last.range.end = last.range.end.max(range.end);
                last.thought = "this and more".to_owned();
            }
            _ => self.lost.push(Lost { range, path, reason, thought }),
        }
    }
}

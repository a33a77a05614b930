//! The end of an object, array or pair: whether it has what it said, and where it goes.

use std::ops::Range;

use super::evidence::SIZE_WORD;
use super::lost::{Orphan, Reason};
use super::open::{Open, What};
use super::rescue::Rescue;
use crate::read::HEAD;
use crate::{Field, Object, Value};

impl Rescue<'_> {
    /// Notes where a number of an object is not that of the elements it counts. It stays as it was
    /// found, for it may say how many there were.
    fn check_counts(&mut self, object: &Object, own_tag: u16, range: Range<usize>) {
        let layouts = self.layouts;
        for &(tag, counted) in layouts.counts(object.class) {
            let says = object.get(tag).and_then(Value::as_integer);
            let has = object.get(counted).and_then(Value::as_array).map(<[Field]>::len);
            if let (Some(says), Some(has)) = (says, has)
                && usize::try_from(says) != Ok(has)
            {
                let (tag, counted) = (self.tags.display(tag), self.tags.display(counted));
                let thought = format!("{tag} is {says}, {counted} has {has} elements");
                self.say(range.clone(), self.path_of(own_tag), Reason::Doubtful, thought);
            }
        }
    }

    /// Closes the innermost: it was read without a gap up to `read`, and what is around it goes on at
    /// `at`.
    pub(super) fn close(&mut self, read: usize, at: usize) {
        if self.open.len() < 2 {
            return;
        }
        let is_array = |open: &Open<'_>| matches!(open.what, What::Array { .. });
        let missing = match self.open.last() {
            Some(open) if !is_array(open) => self.missing_names(self.open.len() - 1),
            _ => String::new(),
        };
        let Some(open) = self.open.pop() else { return };
        let tag = open.tag;
        if let Some(claimed) = open.claimed.filter(|&claimed| claimed < read || claimed > at) {
            let body = open.start + HEAD;
            let file = self.bytes.len();
            let reason = if at == file && claimed > file { Reason::Cut } else { Reason::Size };
            let thought = format!("it says that it ends at {claimed}, and ends at {at}");
            let range = if reason == Reason::Cut { file..file } else { body..body + SIZE_WORD };
            self.say(range, self.path_of(tag), reason, thought);
        }
        if !open.has_gap {
            if !missing.is_empty() {
                self.say(read..at, self.path_of(tag), Reason::Unreadable, missing);
            }
            if let What::Array { count: Some(count) } = open.what
                && count as usize != open.fields.len()
                && at < self.bytes.len()
            {
                let words = open.start + HEAD + SIZE_WORD;
                let thought = format!("it says {count} elements, and has {}", open.fields.len());
                self.say(words..words + SIZE_WORD, self.path_of(tag), Reason::Size, thought);
            }
        }
        let Open { start, is_orphan, .. } = open;
        match open.into_value() {
            Ok(Value::Array(elements)) if self.is_libraries(tag, at) && !is_orphan => {
                self.put_libraries(tag, start..at, elements);
            }
            Ok(value) => {
                if let Value::Object(object) = &value {
                    self.check_counts(object, tag, start..at);
                }
                let field = Field { tag, value };
                if is_orphan {
                    self.orphan(start, field);
                } else {
                    self.put(self.open.len().saturating_sub(1), field);
                }
            }
            // Half a pair: an object in it is kept.
            Err(halves) => {
                for half in halves {
                    if half.value.as_object().is_some() {
                        self.orphan(start, half);
                    } else {
                        self.note(start..at, Reason::Unreadable, "half a pair");
                    }
                }
            }
        }
    }

    pub(super) fn orphan(&mut self, start: usize, field: Field) {
        let path = self.path();
        self.orphans.push(Orphan { offset: start as u64, path, field });
    }
}

//! Reading on where fields are damaged.
//!
//! What is open is a list, from the root inwards. A field is taken where it fits into the innermost;
//! sizes are believed only as far as what follows agrees. Where nothing fits, the bytes are searched
//! forwards for the first place that surely continues one of the open ones.
//!
//! Each byte is searched at most three times, and weighed against at most as many open ones as
//! [`Reader::DEPTH`] says, so the time grows with the size of the file, whatever stands in it.

use std::ops::Range;

use super::evidence::{ARRAY_WORDS, OBJECT_WORDS, SIZE_WORD, SURE, is_printable};
use super::layout::{Holds, Layouts};
use super::lost::{Lost, Orphan, Reason};
use super::open::{Expects, Fit, Open, What};
use crate::alb1::read::{HEAD, value_at};
use crate::alb1::record::RootRecord;
use crate::alb1::{Field, FieldType, Object, Reader, Table, Text, Value};
use crate::error::{Path, Step};

/// A damaged document, as far as it was read.
pub(super) struct Rescue<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) tags: &'a Table,
    pub(super) classes: &'a Table,
    pub(super) layouts: &'a Layouts,
    pub(super) open: Vec<Open<'a>>,
    pub(super) lost: Vec<Lost>,
    pub(super) orphans: Vec<Orphan>,
    /// Where the content of the raw array stands.
    pub(super) raw: Option<Range<usize>>,
    /// How the field was found where reading goes on, if it was searched for.
    found: Option<Found>,
    /// Bytes that may still be read without being believed.
    trials: usize,
}

/// Losses that are told one by one; further ones are added to the last.
const MOST_LOST: usize = 4096;

/// How a field was found again.
enum Found {
    /// It continues what is open at this level.
    Fits(usize, Fit),
    /// It is an element of an array whose head is lost, in the object at this level.
    Element { level: usize, next: usize, array: usize, element: usize },
    /// It is an object that belongs into nothing that is open.
    Orphan,
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
            trials: bytes.len().saturating_mul(4),
        }
    }

    /// Reads the root's fields, from a place on.
    pub(super) fn root(&mut self, root: RootRecord, at: usize) -> Object {
        let RootRecord { class, address } = root;
        self.open_root(class, address);
        let mut at = at;
        while self.open.len() > 1 || at < self.bytes.len() {
            at = match self.found.take() {
                Some(found) => self.resume(at, found),
                None => self.step(at),
            };
        }
        let missing = self.missing_names(0);
        let Some(open) = self.open.pop() else {
            return Object { class, address, fields: Vec::new() };
        };
        if !missing.is_empty() {
            let end = self.bytes.len();
            self.lost_at(end..end, Reason::Cut, missing);
        }
        Object { class, address, fields: open.fields }
    }

    /// Opens the root.
    pub(super) fn open_root(&mut self, class: i16, address: u32) {
        let expects = self.expected_of(class);
        self.open.push(Open::new(What::Object { class, address }, 0, 0, expects));
    }

    fn expected_of(&self, class: i16) -> Expects<'a> {
        match self.layouts.slots(class) {
            Some(slots) => Expects::Slots(slots),
            None => Expects::Anything,
        }
    }

    /// Does one thing at a place; where to go on.
    fn step(&mut self, at: usize) -> usize {
        let level = self.open.len().saturating_sub(1);
        let Some(top) = self.open.get(level) else { return self.bytes.len() };
        let (end, full, next) = (top.end, top.is_full(), top.next);
        if at >= self.bytes.len() || (full && top.what == What::Pair) {
            self.close(at, at);
            return at;
        }
        let fit = self.fit(level, next, at);
        if end == Some(at) {
            // The size may be too small: then what is open goes on here, and nothing around it does.
            let goes_on = fit.is_some_and(|fit| fit.skipped == 0)
                && self.evidence(level, next, at) >= SURE
                && self.outer(level, at).is_none();
            if !goes_on {
                self.close(at, at);
                return at;
            }
            self.forget_end(level);
        } else if end.is_some_and(|end| end < at) {
            self.forget_end(level);
        }
        if full {
            return self.behind_last(level, at);
        }
        if let Some(fit) = fit
            && (fit.skipped == 0 || self.evidence(level, next, at) >= SURE)
        {
            self.pass_over(level, fit, at..at);
            return self.read(at, fit);
        }
        if let Some((outer, _)) = self.outer(level, at) {
            while self.open.len() > outer + 1 {
                self.close(at, at);
            }
            return at;
        }
        if let Some(kind) = self.open.get(level).and_then(Open::due)
            && self.is_damaged_kind(kind, level, at)
        {
            self.note(at..at + HEAD, Reason::Rebuilt, "the head of the field");
            let fit = Fit { next: next + 1, skipped: 0, kind: Some(kind) };
            return self.read(at, fit);
        }
        self.unknown(level, at).unwrap_or_else(|| self.search(at, at))
    }

    /// An object that has all its fields, and still does not end where its size says.
    fn behind_last(&mut self, level: usize, at: usize) -> usize {
        let has_end = self.open.get(level).is_some_and(|open| open.end.is_some());
        if level > 0 && (!has_end || self.outer(level, at).is_some()) {
            self.close(at, at);
            return at;
        }
        self.unknown(level, at).unwrap_or_else(|| self.search(at, at))
    }

    /// Reads a field that its class is not known to have, if after it everything is in order.
    fn unknown(&mut self, level: usize, at: usize) -> Option<usize> {
        let (tag, field_type) = self.head_at(at)?;
        self.tags.name(tag)?;
        let open = self.open.get(level)?;
        if !matches!(open.expects, Expects::Slots(_)) {
            return None;
        }
        let (bound, next) = (open.end.unwrap_or(self.bytes.len()), open.next);
        let extent = field_type.extent(self.bytes.get(at + HEAD..bound)?)?;
        let extent = usize::try_from(extent).ok()?.max(HEAD);
        self.trials = self.trials.checked_sub(extent)?;
        let (value, end) =
            value_at(self.bytes.get(..bound)?, at + HEAD, field_type, self.tags).ok()?;
        if end != bound && self.evidence(level, next, end) < SURE {
            return None;
        }
        self.put(level, Field { tag, value });
        Some(end)
    }

    /// Reads the field at a place, which fits into the innermost.
    fn read(&mut self, at: usize, fit: Fit) -> usize {
        let level = self.open.len().saturating_sub(1);
        let known = fit.kind.and_then(|kind| self.layouts.get(kind));
        let head = known.map(|kind| (kind.tag, kind.field_type)).or_else(|| self.head_at(at));
        let Some((tag, field_type)) = head else { return self.search(at, at + HEAD) };
        if let Some(open) = self.open.get_mut(level) {
            open.next = fit.next;
            if let (Expects::Anything, What::Array { .. }) = (open.expects, open.what) {
                open.expects = Expects::SameAs(tag, field_type);
            }
        }
        let holds = known.map_or(&Holds::Value, |kind| &kind.holds);
        let body = at + HEAD;
        match field_type {
            FieldType::Object => {
                let words = (
                    self.u32_at(body),
                    self.u16_at(body + SIZE_WORD),
                    self.u32_at(body + SIZE_WORD + 2),
                );
                let (Some(size), Some(class), Some(address)) = words else {
                    return self.search(at, at + HEAD);
                };
                let class = match holds {
                    Holds::Object(classes) if !classes.contains(&(class as i16)) => {
                        classes.first().copied().unwrap_or(class as i16)
                    }
                    _ => class as i16,
                };
                let what = What::Object { class, address };
                let expects = self.expected_of(class);
                self.enter(Open::new(what, tag, at, expects), size, OBJECT_WORDS)
            }
            FieldType::Array => {
                let words = (self.u32_at(body), self.u32_at(body + SIZE_WORD));
                let (Some(size), Some(count)) = words else { return self.search(at, at + HEAD) };
                let looks_raw = known.is_none()
                    && count > 0
                    && u64::from(size) == u64::from(count) + SIZE_WORD as u64;
                if matches!(holds, Holds::Raw) || looks_raw {
                    return self.raw(at, tag, size, count);
                }
                let expects = match holds {
                    Holds::Elements(Some(kind)) => Expects::Element(*kind),
                    _ => Expects::Anything,
                };
                let what = What::Array { count: Some(count) };
                self.enter(Open::new(what, tag, at, expects), size, ARRAY_WORDS)
            }
            FieldType::Pair => {
                let expects = match holds {
                    Holds::Halves(halves) => Expects::Halves(*halves),
                    _ => Expects::Anything,
                };
                if self.open.len() >= Reader::DEPTH as usize {
                    return self.search(at, body);
                }
                self.open.push(Open::new(What::Pair, tag, at, expects));
                body
            }
            _ => self.plain(at, tag, field_type, holds),
        }
    }

    /// Opens an object or array; where its fields start.
    fn enter(&mut self, open: Open<'a>, size: u32, words: usize) -> usize {
        let body = open.start + HEAD;
        if self.open.len() >= Reader::DEPTH as usize {
            return self.search(open.start, body);
        }
        let content = body + words;
        let end = (body + SIZE_WORD).saturating_add(size as usize);
        let mut open = open.ending(Some(end), self.bytes.len());
        if end < content {
            open.end = None;
        }
        self.open.push(open);
        content.min(self.bytes.len())
    }

    /// Reads a value that holds no fields.
    fn plain(&mut self, at: usize, tag: u16, field_type: FieldType, holds: &Holds) -> usize {
        let level = self.open.len().saturating_sub(1);
        let body = at + HEAD;
        if field_type == FieldType::String {
            return self.text(at, tag);
        }
        let Ok((value, end)) = value_at(self.bytes, body, field_type, self.tags) else {
            return self.search(at, body);
        };
        let is_as_known = match holds {
            Holds::Numbers(count) => self.bytes.get(body) == Some(count),
            _ => true,
        };
        if !is_as_known {
            // Its count is wrong, unless what follows says otherwise.
            if self.find(body).map(|(next, _)| next) != Some(end) {
                return self.search(at, body);
            }
            self.note(at..end, Reason::Doubtful, "not so many numbers as the class has");
        }
        self.put(level, Field { tag, value });
        end
    }

    /// Reads a string. Its length is believed where the text is one and something fits behind it.
    fn text(&mut self, at: usize, tag: u16) -> usize {
        let level = self.open.len().saturating_sub(1);
        let text = at + HEAD + 2;
        let end = text + usize::from(self.u16_at(at + HEAD).unwrap_or_default());
        let claimed = self.bytes.get(text..end);
        let is_text = claimed.is_some_and(is_printable);
        if let Some(claimed) = claimed
            && is_text
            && self.may_go_on(end)
        {
            let value = Value::String(Text::from_bytes(claimed));
            self.put(level, Field { tag, value });
            return end;
        }
        // Either the length is wrong, or the text, or what follows. A text that reaches exactly to
        // where something surely follows says that it is the length.
        let next = self.find(text).map(|(next, _)| next);
        let exact = next.and_then(|next| self.bytes.get(text..next));
        let (kept, reason, thought) = match (claimed, exact) {
            (_, Some(exact)) if is_printable(exact) && u16::try_from(exact.len()).is_ok() => {
                (exact, Reason::Size, "the text up to the next field was taken")
            }
            (Some(claimed), _) if is_text => (claimed, Reason::Doubtful, "stands before damage"),
            (Some(claimed), _) if next == Some(end) => {
                (claimed, Reason::Doubtful, "not as Terrain Builder writes it")
            }
            _ => return self.search(at, at + HEAD),
        };
        let end = text + kept.len();
        self.note(at..end, reason, thought);
        let value = Value::String(Text::from_bytes(kept));
        self.put(level, Field { tag, value });
        end
    }

    /// Reads a raw array. Its size stands there twice; that one is right behind which the next field
    /// stands.
    fn raw(&mut self, at: usize, tag: u16, size: u32, count: u32) -> usize {
        let level = self.open.len().saturating_sub(1);
        let content = at + HEAD + ARRAY_WORDS;
        let file = self.bytes.len();
        let by_size = (at + HEAD + SIZE_WORD).saturating_add(size as usize);
        let by_count = content.saturating_add(count as usize);
        let goes_on = |end: usize| {
            let next = self.open.get(level).map_or(0, |open| open.next);
            end >= content
                && end <= file
                && (end == file && self.open.get(level).is_some_and(Open::is_full)
                    || self.evidence(level, next, end) >= SURE)
        };
        let agree = by_size == by_count;
        let end = if agree && by_size <= file && self.may_go_on(by_size) {
            by_size
        } else {
            let right = [by_size, by_count].into_iter().find(|&end| goes_on(end));
            let behind = || self.find(content).map(|(next, _)| next);
            match right {
                Some(end) => end,
                None if agree && by_size <= file => by_size,
                None => behind().unwrap_or(file),
            }
        };
        if !(agree && end == by_size) {
            let reason = if end == file { Reason::Cut } else { Reason::Size };
            let thought = format!("{} bytes were taken", end.saturating_sub(content));
            self.note(at + HEAD..content, reason, &thought);
        }
        self.take_raw(level, tag, content..end);
        end
    }

    fn take_raw(&mut self, level: usize, tag: u16, range: Range<usize>) {
        let bytes = self.bytes.get(range.clone()).unwrap_or_default();
        self.put(level, Field { tag, value: Value::Raw(bytes.to_vec().into()) });
        if level == 0 && self.raw.is_none() {
            self.raw = Some(range);
        }
    }

    /// Searches from a place on for where to go on, and goes there; from `lost` on, everything before
    /// it is lost.
    fn search(&mut self, lost: usize, from: usize) -> usize {
        let file = self.bytes.len();
        let Some((at, found)) = self.find(from) else {
            let mut thought = Vec::new();
            for level in (0..self.open.len()).rev() {
                thought.extend(Some(self.missing_names(level)).filter(|names| !names.is_empty()));
            }
            self.lost_at(lost..file, Reason::Unreadable, thought.join("; "));
            self.mark_gap(0);
            while self.open.len() > 1 {
                self.close(lost, file);
            }
            if let Some(root) = self.open.last_mut() {
                root.next = usize::MAX;
            }
            return file;
        };
        let (level, passed) = match &found {
            Found::Fits(level, fit) => (*level, fit.next.saturating_sub(1)),
            Found::Element { level, next, .. } => (*level, *next),
            Found::Orphan => (self.open.len().saturating_sub(1), 0),
        };
        let mut thought = Vec::new();
        for level in (level + 1..self.open.len()).rev() {
            thought.extend(Some(self.missing_names(level)).filter(|names| !names.is_empty()));
        }
        thought.extend(Some(self.passed_names(level, passed)).filter(|names| !names.is_empty()));
        if at > lost {
            self.lost_at(lost..at, Reason::Unreadable, thought.join("; "));
        }
        self.mark_gap(level);
        while self.open.len() > level + 1 {
            self.close(lost, at);
        }
        self.found = Some(found);
        at
    }

    /// Goes on at a field that was found.
    fn resume(&mut self, at: usize, found: Found) -> usize {
        match found {
            Found::Fits(_, fit) => self.read(at, fit),
            Found::Element { next, array, element, .. } => {
                if let Some(open) = self.open.last_mut() {
                    open.next = next + 1;
                }
                let tag = self.layouts.get(array).map_or(0, |kind| kind.tag);
                let what = What::Array { count: None };
                let mut open = Open::new(what, tag, at, Expects::Element(element));
                open.has_gap = true;
                self.open.push(open);
                at
            }
            Found::Orphan => {
                let level = self.open.len();
                let next = self.open.last().map_or(0, |open| open.next);
                let to = self.read(at, Fit { next, skipped: 0, kind: None });
                if let Some(open) = self.open.get_mut(level) {
                    open.is_orphan = true;
                }
                to
            }
        }
    }

    /// The first place from `from` on that surely continues something open, or is surely an object.
    fn find(&self, from: usize) -> Option<(usize, Found)> {
        let mut ends: Vec<usize> = self.open.iter().filter_map(|open| open.end).collect();
        ends.sort_unstable();
        let rest = self.bytes.get(from..)?;
        for (at, head) in (from..).zip(rest.windows(HEAD)) {
            let &[low, high, field_type] = head else { continue };
            let tag = u16::from_le_bytes([low, high]);
            if !self.layouts.has_head(tag, field_type) && ends.binary_search(&at).is_err() {
                continue;
            }
            if let Some((level, fit)) = self.outer(self.open.len(), at) {
                return Some((at, Found::Fits(level, fit)));
            }
            let Some(head) = self.head_at(at) else { continue };
            if let Some(found) = self.element_of_lost(head, at) {
                return Some((at, found));
            }
            if head.1 == FieldType::Object
                && let Some(class) = self.u16_at(at + HEAD + SIZE_WORD).map(|class| class as i16)
                && self.layouts.may_hold(tag, class)
                && self.begins(class, at + HEAD + OBJECT_WORDS)
            {
                return Some((at, Found::Orphan));
            }
        }
        None
    }

    /// The first place from `from` on that surely continues something open.
    pub(super) fn find_fields(&self, from: usize) -> Option<usize> {
        let (at, found) = self.find(from)?;
        (!matches!(found, Found::Orphan)).then_some(at)
    }

    /// Whether an object of a class may have its fields there.
    fn begins(&self, class: i16, at: usize) -> bool {
        let first = self.layouts.slots(class).and_then(<[usize]>::first);
        let first = first.and_then(|&kind| self.layouts.get(kind));
        first.is_some_and(|first| Some((first.tag, first.field_type)) == self.head_at(at))
    }

    /// The array that a field is an element of, where only one that is still expected can hold it.
    fn element_of_lost(&self, head: (u16, FieldType), at: usize) -> Option<Found> {
        if !matches!(head.1, FieldType::Object | FieldType::Pair) {
            return None;
        }
        for (level, open) in self.open.iter().enumerate().rev() {
            let Expects::Slots(slots) = open.expects else { continue };
            let mut one = None;
            for (next, &array) in slots.iter().enumerate().skip(open.next) {
                let Some(Holds::Elements(Some(element))) =
                    self.layouts.get(array).map(|kind| &kind.holds)
                else {
                    continue;
                };
                if self.is_kind(*element, head, at)
                    && HEAD as u32 + self.weigh(*element, at).0 >= SURE
                {
                    if one.is_some() {
                        return None;
                    }
                    one = Some(Found::Element { level, next, array, element: *element });
                }
            }
            if one.is_some() {
                return one;
            }
        }
        None
    }

    /// Adds a field to what is open at a level.
    fn put(&mut self, level: usize, field: Field) {
        if let Some(open) = self.open.get_mut(level) {
            open.fields.push(field);
        }
    }

    /// Closes the innermost: it was read without a gap up to `read`, and what is around it goes on at
    /// `at`.
    fn close(&mut self, read: usize, at: usize) {
        if self.open.len() < 2 {
            return;
        }
        let path = self.path();
        let is_array = |open: &Open<'_>| matches!(open.what, What::Array { .. });
        let missing = match self.open.last() {
            Some(open) if !is_array(open) => self.missing_names(self.open.len() - 1),
            _ => String::new(),
        };
        let Some(open) = self.open.pop() else { return };
        if let Some(claimed) = open.claimed.filter(|&claimed| claimed < read || claimed > at) {
            let body = open.start + HEAD;
            let file = self.bytes.len();
            let reason = if at == file && claimed > file { Reason::Cut } else { Reason::Size };
            let thought = format!("it says that it ends at {claimed}, and ends at {at}");
            let range = if reason == Reason::Cut { file..file } else { body..body + SIZE_WORD };
            self.say(range, path.clone(), reason, thought);
        }
        if !open.has_gap {
            if !missing.is_empty() {
                self.say(read..at, path.clone(), Reason::Unreadable, missing);
            }
            if let What::Array { count: Some(count) } = open.what
                && count as usize != open.fields.len()
                && at < self.bytes.len()
            {
                let words = open.start + HEAD + SIZE_WORD;
                let thought = format!("it says {count} elements, and has {}", open.fields.len());
                self.say(words..words + SIZE_WORD, path, Reason::Size, thought);
            }
        }
        let Open { tag, start, is_orphan, .. } = open;
        match open.into_value() {
            Ok(value) => {
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

    fn orphan(&mut self, start: usize, field: Field) {
        let path = self.path();
        self.orphans.push(Orphan { offset: start as u64, path, field });
    }

    /// Takes back what a size said.
    fn forget_end(&mut self, level: usize) {
        if let Some(open) = self.open.get_mut(level) {
            open.end = None;
        }
    }

    /// Remembers that something is missing in all that is open from a level on.
    fn mark_gap(&mut self, level: usize) {
        for open in self.open.iter_mut().skip(level) {
            open.has_gap = true;
        }
    }

    /// Notes that expected fields were passed over.
    fn pass_over(&mut self, level: usize, fit: Fit, range: Range<usize>) {
        if fit.skipped > 0 {
            let names = self.passed_names(level, fit.next.saturating_sub(1));
            self.lost_at(range, Reason::Unreadable, names);
        }
    }

    /// The names of what is still expected at a level, with the class.
    fn missing_names(&self, level: usize) -> String {
        self.passed_names(level, usize::MAX)
    }

    /// The names of what is expected at a level before a position.
    fn passed_names(&self, level: usize, before: usize) -> String {
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
    fn path(&self) -> Path {
        let mut path = Path::default();
        if self.lost.len() >= MOST_LOST {
            return path;
        }
        for (outer, inner) in self.open.iter().zip(self.open.iter().skip(1)) {
            path.push(match outer.what {
                What::Array { .. } => Step::Index(outer.fields.len() as u64),
                _ => Step::Name(self.tags.display(inner.tag).into()),
            });
        }
        path
    }

    fn lost_at(&mut self, range: Range<usize>, reason: Reason, thought: String) {
        let path = self.path();
        self.say(range, path, reason, thought);
    }

    fn note(&mut self, range: Range<usize>, reason: Reason, thought: &str) {
        self.lost_at(range, reason, thought.to_owned());
    }

    fn say(&mut self, range: Range<usize>, path: Path, reason: Reason, thought: String) {
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

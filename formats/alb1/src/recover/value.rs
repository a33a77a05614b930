//! Reading the value of a field that was found where it was expected.

use std::ops::Range;

use super::evidence::{ARRAY_WORDS, LENGTH_WORD, OBJECT_WORDS, SIZE_WORD, SURE, is_printable};
use super::layout::Holds;
use super::lost::Reason;
use super::open::{Expects, Fit, Open, What};
use super::rescue::Rescue;
use crate::read::{HEAD, Reading};
use crate::record::{ObjectRecord, StringRecord};
use crate::{Field, FieldType, Text, Value};
use formwork_records::wire::{Cursor, read_record, word};

impl<'a> Rescue<'a> {
    /// Reads the field at a place, which fits into the innermost.
    pub(super) fn read(&mut self, at: usize, fit: Fit) -> usize {
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
                let mut input = Cursor::new(self.bytes);
                input.set_position(body);
                let Ok(ObjectRecord { blob_size: size, class, address, .. }) =
                    read_record(&mut input)
                else {
                    return self.search(at, at + HEAD);
                };
                let class = match holds {
                    Holds::Object(classes) if !classes.contains(&class) => {
                        classes.first().copied().unwrap_or(class)
                    }
                    _ => class,
                };
                let what = What::Object { class, address };
                let expects = self.expected_of(class);
                self.enter(Open::new(what, tag, at, expects), size, OBJECT_WORDS)
            }
            FieldType::Array => {
                let Some((size, count)) = self.array_at(body) else {
                    return self.search(at, at + HEAD);
                };
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
                if self.open.len() >= self.depth as usize {
                    return self.pass_too_deep(at, body);
                }
                self.open.push(Open::new(What::Pair, tag, at, expects));
                body
            }
            _ => self.plain(at, tag, field_type, holds),
        }
    }

    /// Opens an object or array; where its fields start.
    pub(super) fn enter(&mut self, open: Open<'a>, size: u32, words: usize) -> usize {
        let body = open.start + HEAD;
        if self.open.len() >= self.depth as usize {
            return self.pass_too_deep(open.start, body);
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

    /// Passes an object, array or pair that lies too deep, by its head.
    fn pass_too_deep(&mut self, at: usize, body: usize) -> usize {
        let most = self.open.len();
        let thought = format!("lies in {most} objects, arrays and pairs, and so many may be read");
        self.note(at..body, Reason::Unreadable, &thought);
        self.search(body, body)
    }

    /// The whole value at a place, and where it ends.
    pub(super) fn value_at(
        &self,
        bytes: &[u8],
        at: usize,
        field_type: FieldType,
    ) -> Option<(Value, usize)> {
        let mut input = Cursor::new(bytes);
        input.set_position(at);
        // What is wrong is not asked, so it does not matter what is around.
        let reading =
            Reading { bytes, shared: None, tags: self.tags, depth: self.depth, is_enclosed: false };
        let value = reading.value(&mut input, field_type, self.open.len() as u32).ok()?;
        Some((value, input.position()))
    }

    /// Reads a value that holds no fields.
    pub(super) fn plain(
        &mut self,
        at: usize,
        tag: u16,
        field_type: FieldType,
        holds: &Holds,
    ) -> usize {
        let level = self.open.len().saturating_sub(1);
        let body = at + HEAD;
        if field_type == FieldType::String {
            return self.text(at, tag);
        }
        let Some((value, end)) = self.value_at(self.bytes, body, field_type) else {
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

    /// Reads a string. Its length is trusted if the bytes are text and a field fits after them.
    pub(super) fn text(&mut self, at: usize, tag: u16) -> usize {
        let level = self.open.len().saturating_sub(1);
        let text = at + HEAD + LENGTH_WORD;
        let length = word!(self.from(at + HEAD), StringRecord<'static>, length: u16);
        let end = text + usize::from(length.unwrap_or_default());
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

    /// Reads a raw array. Its size is stored twice; the correct one is directly followed by the next field.
    pub(super) fn raw(&mut self, at: usize, tag: u16, size: u32, count: u32) -> usize {
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

    pub(super) fn take_raw(&mut self, level: usize, tag: u16, range: Range<usize>) {
        let bytes = self.bytes.get(range.clone()).unwrap_or_default();
        self.put(level, Field { tag, value: Value::Raw(bytes.to_vec().into()) });
        if level == 0 && self.raw.is_none() {
            self.raw = Some(range);
        }
    }
}

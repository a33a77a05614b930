//! Evidence that bytes are the field that is expected at their place.
//!
//! Evidence is measured in bytes that have exactly the required value: the expected tag and type of the class, a class
//! that is allowed there, the head of the first field of an object. Sizes count if the data after the end that they
//! give fits.

use super::layout::Holds;
use super::open::{Expects, Fit, Open};
use super::rescue::Rescue;
use crate::FieldType;
use crate::read::{BLOB_SIZE, HEAD};
use crate::record::{ArrayRecord, FieldRecord, ObjectRecord, StringRecord};
use formwork_records::schema::Sizes;
use formwork_records::wire::{word, word_at};

/// This number of matching bytes is taken as certain at any place. By chance it happens once in 2^64 places.
pub(super) const SURE: u32 = 8;

/// Weight of a value that ends at the end given by a size word.
const END: u32 = 5;

/// Size of the words before an object's fields: size, class, address.
pub(super) const OBJECT_WORDS: usize = ObjectRecord::LEAST;
/// Size of the words before an array's elements: size, count.
pub(super) const ARRAY_WORDS: usize = ArrayRecord::LEAST;
/// The size word.
pub(super) const SIZE_WORD: usize = BLOB_SIZE;
/// Size of a string's length word.
pub(super) const LENGTH_WORD: usize = <StringRecord<'_> as Sizes>::LEAST;

impl Rescue<'_> {
    /// The bytes from a place on.
    pub(super) fn from(&self, at: usize) -> &[u8] {
        self.bytes.get(at..).unwrap_or_default()
    }

    /// The tag and type at a place.
    pub(super) fn head_at(&self, at: usize) -> Option<(u16, FieldType)> {
        let head: FieldRecord = word_at(self.bytes, at)?;
        Some((head.tag, FieldType::from_id(head.field_type)?))
    }

    /// The class that an object there has.
    pub(super) fn class_at(&self, at: usize) -> Option<i16> {
        word!(self.from(at + HEAD), ObjectRecord, class: i16)
    }

    /// Reads the size and the count of an array from the words after its head.
    pub(super) fn array_at(&self, body: usize) -> Option<(u32, u32)> {
        let bytes = self.from(body);
        let size = word!(bytes, ArrayRecord, blob_size: u32)?;
        Some((size, word!(bytes, ArrayRecord, count: u32)?))
    }

    /// Whether a field of this kind starts there: by its head and, if it is an object, its class.
    pub(super) fn is_kind(&self, kind: usize, head: (u16, FieldType), at: usize) -> bool {
        let Some(kind) = self.layouts.get(kind) else { return false };
        (kind.tag, kind.field_type) == head
            && match &kind.holds {
                Holds::Object(classes) => {
                    self.class_at(at).is_some_and(|class| classes.contains(&class))
                }
                _ => true,
            }
    }

    /// Whether a field of this kind starts at a place.
    fn starts(&self, kind: usize, at: usize) -> bool {
        self.head_at(at).is_some_and(|head| self.is_kind(kind, head, at))
    }

    /// Weighs the evidence that the fields of the open root start at a place.
    pub(super) fn begins_root(&self, at: usize) -> u32 {
        let begins = match self.open.first().map(|root| root.expects) {
            Some(Expects::Slots(slots)) => slots.first().is_some_and(|&kind| self.starts(kind, at)),
            _ => self.fit(0, 0, at).is_some_and(|fit| fit.skipped == 0),
        };
        if begins { self.evidence(0, 0, at) } else { 0 }
    }

    /// Checks whether and how the field at a place fits into the open container at a level, if `next` is the next
    /// expected field.
    pub(super) fn fit(&self, level: usize, next: usize, at: usize) -> Option<Fit> {
        let head = self.head_at(at)?;
        let fits = |&kind: &usize| self.is_kind(kind, head, at);
        let among = |kinds: &[usize]| {
            let left = kinds.get(next..)?;
            let skipped = left.iter().position(fits)?;
            let next = next + skipped + 1;
            Some(Fit { next, skipped, kind: left.get(skipped).copied() })
        };
        let next = next + 1;
        match &self.open.get(level)?.expects {
            Expects::Slots(slots) => among(slots),
            Expects::Halves(halves) => among(halves),
            Expects::Element(kind) => {
                fits(kind).then_some(Fit { next, skipped: 0, kind: Some(*kind) })
            }
            Expects::SameAs(tag, field_type) => {
                ((*tag, *field_type) == head).then_some(Fit { next, skipped: 0, kind: None })
            }
            Expects::Anything => {
                self.tags.name(head.0).map(|_| Fit { next, skipped: 0, kind: None })
            }
        }
    }

    /// Weighs the content of a field of this kind, without its head, and returns the weight and the end, if the content
    /// gives it.
    pub(super) fn weigh(&self, kind: usize, at: usize) -> (u32, Option<usize>) {
        self.weigh_within(kind, at, true).unwrap_or((0, None))
    }

    fn weigh_within(&self, kind: usize, at: usize, pairs: bool) -> Option<(u32, Option<usize>)> {
        let kind = self.layouts.get(kind)?;
        let body = at + HEAD;
        let sized = || {
            // Objects and arrays start alike.
            let size = word!(self.from(body), ArrayRecord, blob_size: u32)?;
            let end = (body + SIZE_WORD).checked_add(size as usize)?;
            (end <= self.bytes.len()).then_some(end)
        };
        let starts = |kind, at| self.starts(kind, at);
        Some(match &kind.holds {
            Holds::Value if kind.field_type == FieldType::String => {
                let length = word!(self.from(body), StringRecord<'static>, length: u16)?;
                let text = body + LENGTH_WORD;
                let end = text + usize::from(length);
                match self.bytes.get(text..end) {
                    Some(text) if is_printable(text) => (0, Some(end)),
                    _ => (0, None),
                }
            }
            Holds::Value => (0, self.plain_end(kind.field_type, body)),
            Holds::Numbers(count) if self.bytes.get(body) == Some(count) => {
                (1, self.plain_end(kind.field_type, body))
            }
            Holds::Numbers(_) => (0, None),
            Holds::Object(_) => {
                let first = self.class_at(at).and_then(|class| self.layouts.slots(class)?.first());
                match first {
                    Some(&first) if starts(first, body + OBJECT_WORDS) => (5, sized()),
                    _ => (2, None),
                }
            }
            Holds::Elements(first) => {
                if self.array_at(body)? == (SIZE_WORD as u32, 0) {
                    return Some((4, sized()));
                }
                match *first {
                    Some(first) if starts(first, body + ARRAY_WORDS) => {
                        let more = self.layouts.get(first).map(|kind| kind.field_type);
                        (if more == Some(FieldType::Object) { 5 } else { 3 }, sized())
                    }
                    _ => (0, None),
                }
            }
            Holds::Raw => {
                let (size, count) = self.array_at(body)?;
                let agree = u64::from(size) == u64::from(count) + SIZE_WORD as u64;
                (if agree { 4 } else { 0 }, sized().filter(|_| agree))
            }
            Holds::Halves([first, second]) if pairs => {
                if !starts(*first, body) {
                    return Some((0, None));
                }
                let (weight, end) = self.weigh_within(*first, body, false)?;
                match end {
                    Some(end) if starts(*second, end) => {
                        let (more, end) = self.weigh_within(*second, end, false)?;
                        (weight + more + 6, end)
                    }
                    _ => (weight + 3, None),
                }
            }
            Holds::Halves(_) => (0, None),
        })
    }

    /// Returns the end of a value that holds no fields.
    pub(super) fn plain_end(&self, field_type: FieldType, body: usize) -> Option<usize> {
        let extent = field_type.extent(self.bytes.get(body..)?)?;
        let end = body.checked_add(usize::try_from(extent).ok()?)?;
        (end <= self.bytes.len()).then_some(end)
    }

    /// Weighs the evidence that the fields from a place on continue the open container at a level, then the containers
    /// around it.
    pub(super) fn evidence(&self, level: usize, next: usize, at: usize) -> u32 {
        let Some(first) = self.fit(level, next, at) else { return 0 };
        let (mut level, mut at, mut fit, mut weight) = (level, at, first, 0);
        loop {
            weight += HEAD as u32;
            let (more, end) = match fit.kind {
                Some(kind) => self.weigh(kind, at),
                None => (0, self.head_at(at).and_then(|(_, t)| self.plain_end(t, at + HEAD))),
            };
            weight += more;
            let Some(end) = end.filter(|_| weight < SURE) else { return weight };
            at = end;
            if at == self.bytes.len() {
                return weight + END;
            }
            let found = self.fit(level, fit.next, at).map(|fit| (level, fit));
            let found = found.filter(|(_, next)| self.is_next(level, &fit, next)).or_else(|| {
                if self.open.get(level).is_some_and(|open| open.end == Some(at)) {
                    weight += END;
                }
                (0..level).rev().find_map(|outer| {
                    let fit = self.fit(outer, self.open.get(outer)?.next, at)?;
                    (fit.skipped == 0).then_some((outer, fit))
                })
            });
            let Some(found) = found else { return weight };
            (level, fit) = found;
        }
    }

    /// Checks whether a field may directly follow another in the open container at a level. The first of two fields
    /// with the same tag may be lost, so that the second fits in its place.
    fn is_next(&self, level: usize, one: &Fit, next: &Fit) -> bool {
        let Some(Open { expects: Expects::Slots(slots), .. }) = self.open.get(level) else {
            return next.skipped == 0;
        };
        let tag = |kind: &usize| self.layouts.get(*kind).map(|kind| kind.tag);
        let own = one.kind.as_ref().and_then(tag);
        let passed = slots.get(one.next..).and_then(|left| left.get(..next.skipped));
        passed.is_some_and(|passed| passed.iter().all(|kind| tag(kind) == own))
    }

    /// The innermost of the open ones below a level that a field there surely belongs to.
    pub(super) fn outer(&self, below: usize, at: usize) -> Option<(usize, Fit)> {
        (0..below).rev().find_map(|level| {
            let open = self.open.get(level)?;
            let fit = self.fit(level, open.next, at)?;
            let ends = self.open.get(level + 1..)?.iter().any(|open| open.end == Some(at));
            let bonus = if ends { END } else { 0 };
            (self.evidence(level, open.next, at) + bonus >= SURE).then_some((level, fit))
        })
    }

    /// Whether anything that is open may go on, or ends, at a place.
    pub(super) fn may_go_on(&self, at: usize) -> bool {
        at == self.bytes.len()
            || self.open.iter().enumerate().rev().any(|(level, open)| {
                open.end == Some(at) || self.fit(level, open.next, at).is_some()
            })
    }

    /// Whether the field at a place is of this kind although its head or class is damaged: more of
    /// them is right than wrong, and what is inside or after is as it must be.
    pub(super) fn is_damaged_kind(&self, kind: usize, level: usize, at: usize) -> bool {
        let Some(expected) = self.layouts.get(kind) else { return false };
        let Some(head) = word_at::<FieldRecord>(self.bytes, at) else { return false };
        // The lower byte of the tag is weighed, and the type.
        let same =
            (head.tag as u8 == expected.tag as u8, head.field_type == expected.field_type.id());
        if !(same.0 || same.1) {
            return false;
        }
        let right = u32::from(same.0) + u32::from(same.1);
        match &expected.holds {
            Holds::Object(classes) => {
                let content = at + HEAD + OBJECT_WORDS;
                let begins = |class: &i16| {
                    let first = self.layouts.slots(*class).and_then(<[usize]>::first);
                    self.head_at(content).is_some_and(|head| {
                        first.is_some_and(|&kind| self.is_kind(kind, head, content))
                    })
                };
                match classes.as_slice() {
                    [class] => begins(class) && (right == 2 || self.class_at(at) == Some(*class)),
                    _ => self
                        .class_at(at)
                        .is_some_and(|class| classes.contains(&class) && begins(&class)),
                }
            }
            Holds::Elements(_) | Holds::Raw | Holds::Halves(_) => self.weigh(kind, at).0 >= 3,
            Holds::Value | Holds::Numbers(_) => {
                let Some(open) = self.open.get(level) else { return false };
                let (_, Some(end)) = self.weigh(kind, at) else { return false };
                self.evidence(level, open.next + 1, end) >= SURE
            }
        }
    }
}

/// Whether a string is as all strings of Terrain Builder: without control characters.
pub(super) fn is_printable(text: &[u8]) -> bool {
    text.iter().all(|&byte| byte >= b' ' && byte != 0x7F)
}

//! The walk along a layout: over bytes that are there, or over bytes that it makes.
//!
//! It has no recursion, and holds one slot for each field of the records that are open. The check takes its first
//! fault, the dump prints its steps, the place of an error is its last one, a broken copy is a changed step, and an
//! arbitrary value is its bytes.

mod family;
mod inspecting;
mod making;
mod names;
mod opening;
mod placing;

use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

pub use family::{Family, Fields};
pub(crate) use making::Chance;
pub(crate) use names::Value;
pub(crate) use opening::{masked_text, up_to, utf16_text, without};
pub(crate) use placing::ViewPlace;

use crate::error::{Error, Path, PathSegment, Result, Rule};
use crate::schema::{
    Arguments, Check, Coding, Expression, Field, Layout, Record, Variant, View, ViewBytes, ViewFrom,
};
use crate::wire::{MOST_EMPTY, not_coded, not_filled, rule, slots_left, too_many_empty};
use making::{MOST_MADE, Making};
use names::Slot;

/// Arguments, and the level of the record that they are evaluated in. That record is open for as long.
#[derive(Clone, Copy, Debug)]
struct Bound {
    arguments: &'static Arguments,
    frame: usize,
    /// The position of the element that gets them.
    index: Option<u64>,
}

impl Bound {
    const NONE: Self = Self { arguments: &Arguments::None, frame: 0, index: None };

    fn named(self, name: &str) -> Option<Self> {
        match self.arguments {
            Arguments::Many(all) => {
                let (_, arguments) = all.iter().find(|it| it.0 == name)?;
                Some(Self { arguments, ..self })
            }
            _ => None,
        }
    }

    fn inner(self) -> Self {
        self.named("inner").or_else(|| self.named("each")).unwrap_or(Self::NONE)
    }
}

/// Known facts about an argument while bytes are made.
#[derive(Clone, Copy, Debug, Default)]
struct Argument {
    /// How many changes there were when it was evaluated.
    changes: Option<u64>,
    /// Whether something was made of it, so that it must stay.
    is_frozen: bool,
}

/// The name of a step in the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Name {
    /// The name of a field.
    Field(&'static str),
    /// The position of an element.
    Index(u64),
    /// The field has a name that paths leave out.
    Inline(&'static str),
    /// The step has the name of the one around it.
    Same,
}

impl Name {
    pub(super) fn of(field: &Field) -> Self {
        match field {
            Field { name: "", .. } => Self::Same,
            Field { name, inline: true, .. } => Self::Inline(name),
            Field { name, .. } => Self::Field(name),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Length {
    Count(u64),
    /// Elements that count as several: for how many there is room.
    Slots(u64),
    ToEnd,
    Until,
}

#[derive(Clone, Debug)]
enum Kind {
    Record {
        record: &'static Record,
        bound: Bound,
        /// The field that is next.
        next: usize,
        /// The slot of the first field.
        base: usize,
        /// The position of the first argument.
        arguments: usize,
        /// Whether values of fields are kept for expressions of the record around.
        is_kept: bool,
        /// The order of bytes inside, and around.
        big: bool,
        around: bool,
        /// Whether the field before `next` is open.
        is_open: bool,
        /// Whether it counts as one record in another.
        is_deep: bool,
        /// Checksums and views that were looked at.
        sums: usize,
        views: usize,
        /// The variants that a reader tries before this one, where bytes are made.
        before: &'static [Variant],
    },
    List {
        of: Layout,
        bound: Bound,
        next: u64,
        length: Length,
        at: usize,
        empty: u64,
    },
    Region {
        /// The end of the region around.
        around: usize,
        /// The argument that has its size.
        size: Option<Bound>,
    },
    /// A content that is coded.
    Coded {
        coding: &'static Coding,
        key: Vec<u8>,
    },
    /// A place that the reader of the record around leaves to its caller.
    Deferred,
}

impl Kind {
    /// Returns whether its contents are a step further in.
    const fn is_step(&self) -> bool {
        matches!(self, Self::Record { .. } | Self::List { .. })
    }
}

#[derive(Clone, Debug)]
struct Level {
    kind: Kind,
    name: Name,
    start: usize,
}

/// The kind of a step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum StepKind {
    /// A record or variant begins.
    Record(&'static Record),
    /// A list begins; how many elements, where that is known.
    List(Layout, Option<u64>),
    /// A number, or numbers in a row.
    Leaf(Layout),
    /// Bytes that are always the same.
    Magic,
    /// A place whose layout the family decides, by the id of the place.
    Nested(u16),
    /// Bytes of a region after its contents.
    Rest,
    /// A field without bytes that is computed.
    Computed,
    /// A checksum, after the record that it is in.
    Sum {
        /// The name of the function.
        name: &'static str,
        /// Whether the bytes are the sum.
        right: bool,
        /// The bytes that would be right.
        should: Vec<u8>,
    },
    /// A view of other bytes, after the record that has their offset.
    View(&'static View),
}

/// One step of the walk.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// How many steps it is inside of.
    pub depth: usize,
    /// The name in the path.
    pub name: Name,
    /// The place of the bytes.
    pub bytes: Range<usize>,
    /// How many elements after them are missing.
    pub missing: u64,
    /// Whether numbers are big endian.
    pub big: bool,
    /// The kind.
    pub kind: StepKind,
    /// The declaration; none of elements.
    pub field: Option<&'static Field>,
    pub(crate) value: Value,
    /// The fault of bytes that the reader accepts and a careful writer does not write.
    pub odd: Option<Error>,
}

/// The walk.
#[derive(Clone)]
pub struct Walk<'b> {
    bytes: &'b [u8],
    /// The bytes with the contents that are coded in place of their bytes.
    decoded: Option<Rc<Vec<u8>>>,
    /// The position of the element whose arguments are evaluated.
    index: Option<u64>,
    /// How many views made a copy of the bytes for that.
    copies: Rc<Cell<u32>>,
    family: &'b dyn Family,
    making: Option<Making>,
    at: usize,
    /// The end of the region.
    end: usize,
    big: bool,
    levels: Vec<Level>,
    /// How many of the levels are steps.
    depth: usize,
    slots: Vec<Slot>,
    /// The arguments of the records that are open, where bytes are read.
    arguments: Vec<Value>,
    root: Option<(Layout, Name, Bound)>,
    /// The levels of the walk that looks at this place: they are around it, and not part of it.
    floor: usize,
    /// The start of the place that the walk looks at.
    first: usize,
    /// Whether the walk may end before its bytes do.
    is_open: bool,
    is_done: bool,
    /// How many records are in each other.
    deep: u32,
    /// How many deferred places are in each other.
    deferred: u32,
    /// Whether the record that was closed last said that it is the last of its list.
    was_last: bool,
    /// How many elements the record that was closed last counts as.
    last_slots: Option<u64>,
    tail: Name,
    /// The fault of a list that the input does not hold whole: it comes after the elements that are there.
    cut: Option<Error>,
    /// Whether checksums are computed.
    has_sums: bool,
    /// Whether deferred places are walked.
    has_deferred: bool,
    /// Whether a deferred place was left out: the bytes after the last field may be in it.
    has_skipped: bool,
    /// Whether a deferred place was entered.
    has_entered: bool,
    /// Whether paths have the fields that they leave out else.
    shows_inline: bool,
    /// Whether damaged parts are shown as far as they are there, and the caller enters nested places.
    inspects: bool,
    /// The fault of a part that is damaged: it comes after the step of that part.
    pending: Option<Error>,
}

impl std::fmt::Debug for Walk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Walk").field("at", &self.at).field("end", &self.end).finish_non_exhaustive()
    }
}

/// How many contents that are coded may be in views: each takes a copy of all bytes.
const MOST_COPIES: u32 = 64;

/// How many deferred places may be in each other.
const MOST_DEFERRED: u32 = 4096;

impl<'b> Walk<'b> {
    /// Returns the walk over bytes that are there.
    pub(crate) fn over(root: Layout, bytes: &'b [u8], family: &'b dyn Family) -> Self {
        Self {
            bytes,
            decoded: None,
            index: None,
            copies: Rc::default(),
            family,
            making: None,
            at: 0,
            end: bytes.len(),
            big: false,
            levels: Vec::new(),
            depth: 0,
            slots: Vec::new(),
            arguments: Vec::new(),
            root: Some((root, Name::Same, Bound::NONE)),
            floor: 0,
            first: 0,
            is_open: false,
            is_done: false,
            deep: 0,
            deferred: 0,
            was_last: false,
            last_slots: None,
            tail: Name::Same,
            cut: None,
            has_sums: true,
            has_deferred: true,
            has_skipped: false,
            has_entered: false,
            shows_inline: false,
            inspects: false,
            pending: None,
        }
    }

    /// Keeps the fields in paths that paths leave out.
    pub(crate) fn with_inline(mut self) -> Self {
        self.shows_inline = true;
        self
    }

    /// Leaves deferred places alone, as the reader and the writer do.
    pub(crate) fn without_deferred(mut self) -> Self {
        self.has_deferred = false;
        self
    }

    /// Leaves checksums and deferred places alone, as the reader does.
    pub(crate) fn for_reader(mut self) -> Self {
        self.has_sums = false;
        self.without_deferred()
    }

    /// Walks in an order of bytes.
    pub(crate) fn in_order(mut self, big: bool) -> Self {
        self.big = big;
        self
    }

    /// Walks over part of the bytes.
    #[must_use]
    pub fn part(mut self, part: Range<usize>) -> Self {
        (self.at, self.end) = (part.start, part.end);
        self
    }

    /// Returns the walk that makes bytes.
    pub(crate) fn making(root: Layout, chance: Chance, family: &'b dyn Family) -> Self {
        let mut walk = Self::over(root, &[], family);
        walk.end = usize::MAX;
        walk.making = Some(Making::new(chance));
        walk
    }

    /// Returns the bytes, made or given.
    pub(crate) fn bytes(&self) -> &[u8] {
        match (&self.making, &self.decoded) {
            (Some(making), _) => &making.bytes,
            (None, Some(decoded)) => decoded,
            (None, None) => self.bytes,
        }
    }

    /// Returns the bytes over which checksums are: those of the file, but for a record in a coded content.
    fn summed(&self) -> &[u8] {
        if self.making.is_none() && !self.is_in_code() { self.bytes } else { self.bytes() }
    }

    /// Closes a content that is coded.
    fn close_coded(&mut self) -> Result<Option<Step>> {
        let Some(Level { kind: Kind::Coded { coding, key }, start, .. }) = self.levels.last()
        else {
            return Ok(None);
        };
        let (coding, start) = (*coding, *start);
        if self.making.is_some() {
            let Some(coded) = (coding.encode)(&self.bytes()[start..self.at], key) else {
                return self.fault(not_coded(start as u64, coding.name));
            };
            let at = self.at;
            if let Some(making) = &mut self.making
                && let Some(there) = making.bytes.get_mut(start..at)
                && there.len() == coded.len()
            {
                there.copy_from_slice(&coded);
            }
            self.pop();
            // Nothing in it changes any more.
            if let Some((slot, _)) = self.open_slot() {
                slot.freeze(&[]);
                slot.frozen = u128::MAX;
            }
            return Ok(None);
        }
        if self.at != self.end && !self.inspects {
            return self.fault(not_filled(self.at as u64, (self.end - self.at) as u64));
        }
        self.pop();
        Ok(None)
    }

    /// Enters a content that is coded, and fails if the bytes are none.
    fn open_coded(&mut self, coding: &'static Coding, bound: Bound) -> Result<()> {
        let (start, end) = (self.at, self.end);
        let key = match bound.named("key") {
            Some(Bound { arguments: Arguments::One(key), frame, .. }) => {
                let found = self.key(key, frame);
                if found.is_some() {
                    self.freeze(key, frame);
                }
                match found {
                    Some(found) => found,
                    None => return self.without_value(key),
                }
            }
            _ => Vec::new(),
        };
        if self.making.is_none() {
            let Some(content) = coding.decoded(&self.bytes()[start..end], &key) else {
                return self.fault(not_coded(start as u64, coding.name));
            };
            if self.floor > 0 {
                self.copies.set(self.copies.get() + 1);
                if self.copies.get() > MOST_COPIES {
                    let expected = format!("coded contents in at most {MOST_COPIES} views");
                    let error = Error::new(rule::RECORD_CODE, start as u64, expected, "more");
                    return self.fault(error);
                }
            }
            let whole = self.decoded.take().unwrap_or_else(|| Rc::new(self.bytes.to_vec()));
            let mut whole = Rc::unwrap_or_clone(whole);
            whole[start..end].copy_from_slice(&content);
            self.decoded = Some(Rc::new(whole));
        }
        self.push(Kind::Coded { coding, key }, Name::Same, start);
        Ok(())
    }

    /// Returns how many bytes of a fuzzer are not used up.
    #[cfg(feature = "arbitrary")]
    pub(crate) fn chance_left(&self) -> usize {
        self.making.as_ref().map_or(0, |making| making.chance.left())
    }

    /// Returns whether the walk is in a content that is coded: its bytes are not those of the file.
    pub(crate) fn is_in_code(&self) -> bool {
        self.levels.iter().any(|it| matches!(it.kind, Kind::Coded { .. }))
    }

    /// Returns the bytes that were made.
    pub(crate) fn into_made(self) -> Vec<u8> {
        self.making.map(|making| making.bytes).unwrap_or_default()
    }

    /// Returns whether the walk is where the reader does not go: in a deferred place, or after one.
    pub(crate) const fn is_beyond_reader(&self) -> bool {
        self.deferred > 0 || self.has_entered && self.levels.len() <= self.floor
    }

    /// Returns the position after the last step.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.at
    }

    /// Returns the number of all bytes that are walked over.
    pub(crate) const fn whole(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the path of the last step.
    #[must_use]
    pub fn path(&self) -> Path {
        let levels = self.levels.iter().skip(self.floor);
        let names = levels.map(|level| level.name).chain([self.tail]);
        names
            .filter_map(|name| match name {
                Name::Field(name) => Some(PathSegment::Field(name)),
                Name::Index(index) => Some(PathSegment::Index(index)),
                Name::Inline(name) => self.shows_inline.then_some(PathSegment::Field(name)),
                Name::Same => None,
            })
            .collect()
    }

    /// Returns the innermost record that is open.
    #[must_use]
    pub fn record_around(&self) -> Option<&'static Record> {
        self.levels.iter().rev().find_map(|level| match level.kind {
            Kind::Record { record, .. } => Some(record),
            _ => None,
        })
    }

    #[cold]
    fn fault<T>(&self, error: Error) -> Result<T> {
        Err(self.placed(error))
    }

    /// Returns the error with its path, or that of a list that was cut before.
    #[cold]
    fn placed(&self, error: Error) -> Error {
        if let Some(cut) = &self.cut {
            return cut.clone();
        }
        // Within a region nothing more arrives.
        let is_closed = self.end < self.bytes.len() && !self.inspects;
        let error = if is_closed { error.closed() } else { error };
        error.under(self.path())
    }

    #[cold]
    fn without_value<T>(&self, expression: &dyn std::fmt::Display) -> Result<T> {
        let expected = format!("`{expression}` to have a value");
        self.fault(Error::new(
            rule::RECORD_VALUE,
            self.at as u64,
            expected,
            "an overflow, or a field or an element that is not there",
        ))
    }

    fn push(&mut self, kind: Kind, name: Name, start: usize) {
        self.depth += usize::from(kind.is_step());
        self.levels.push(Level { kind, name, start });
    }

    fn pop(&mut self) {
        let Some(level) = self.levels.pop() else { return };
        self.depth -= usize::from(level.kind.is_step());
        if let Kind::Record { arguments, .. } = level.kind {
            self.arguments.truncate(arguments);
            if let Some(making) = &mut self.making {
                making.arguments.truncate(arguments);
            }
        }
    }

    fn step(&mut self) -> Result<Option<Step>> {
        if let Some((layout, name, bound)) = self.root.take() {
            return self.open(layout, bound, name, None).map(Some);
        }
        self.tail = Name::Same;
        let Some(level) = self.levels.get(self.floor..).and_then(<[Level]>::last) else {
            self.is_done = true;
            let is_whole =
                self.making.is_some() || self.has_skipped || self.inspects || self.is_open;
            if !is_whole && self.at < self.end {
                let left = self.end - self.at;
                let found = crate::wire::more_bytes(left).to_string();
                return Err(Error::new(Rule::INPUT_TRAILING, self.at as u64, "the end", found));
            }
            return Ok(None);
        };
        match level.kind {
            Kind::Region { around, size } => self.close_region(around, size),
            Kind::Coded { .. } => self.close_coded(),
            Kind::Deferred => {
                self.deferred -= 1;
                self.pop();
                Ok(None)
            }
            Kind::List { .. } => self.next_element(),
            Kind::Record { .. } => self.next_field(),
        }
    }

    fn close_region(&mut self, around: usize, size: Option<Bound>) -> Result<Option<Step>> {
        let start = self.levels.last().map_or(0, |level| level.start);
        if self.making.is_some() {
            if let Some(Bound { arguments: Arguments::One(expression), frame, .. }) = size {
                let length = self.at - start;
                if !self.solve(expression, frame, length as i128) {
                    let expected = format!("a region of `{expression}` bytes");
                    let found = format!("content of {}", crate::wire::bytes(length));
                    return self.fault(Error::new(
                        rule::RECORD_REGION,
                        start as u64,
                        expected,
                        found,
                    ));
                }
                self.freeze(expression, frame);
            }
        } else if self.at != self.end {
            if self.inspects {
                return Ok(Some(self.rest_of_region(around)));
            }
            return self.fault(not_filled(self.at as u64, (self.end - self.at) as u64));
        }
        self.end = around;
        self.pop();
        Ok(None)
    }

    fn next_element(&mut self) -> Result<Option<Step>> {
        let (position, end, was_last) = (self.at, self.end, self.was_last);
        let slots = self.last_slots;
        let more = self.making.is_some() && self.wants_more_elements();
        let makes = self.making.is_some();
        let Some(Level { kind: Kind::List { of, bound, next, length, at, empty }, .. }) =
            self.levels.last_mut()
        else {
            return Ok(None);
        };
        if let Length::Slots(left) = length
            && *next > 0
        {
            let start = *at as u64;
            match slots_left(slots, *left) {
                Ok(now) => *left = now,
                Err(error) => return self.fault(error(start)),
            }
        }
        let goes_on = match length {
            Length::Count(count) => *next < *count,
            Length::Slots(left) => *left > 0,
            Length::Until => *next == 0 || !was_last,
            Length::ToEnd if makes => more,
            Length::ToEnd => position < end,
        };
        if *next > 0 && position == *at {
            *empty += 1;
            if *empty > MOST_EMPTY {
                return self.fault(too_many_empty(position as u64));
            }
        }
        if !goes_on {
            let (count, bound) = (*next, *bound);
            self.pop();
            self.freeze_lists(bound.arguments, bound.frame);
            if let Some((slot, true)) = self.open_slot() {
                slot.value = Value::List(count, None);
            }
            return Ok(None);
        }
        if makes && matches!(length, Length::Until) && *next >= MOST_MADE.0 {
            return self.without_value(&"last");
        }
        let (of, mut bound, index) = (*of, *bound, *next);
        bound.index = Some(index);
        *next += 1;
        *at = position;
        self.open(of, bound, Name::Index(index), None).map(Some)
    }

    fn next_field(&mut self) -> Result<Option<Step>> {
        let frame = self.levels.len() - 1;
        let start = self.levels[frame].start;
        let Kind::Record { record, next, base, big, around, is_open, is_deep, .. } =
            &mut self.levels[frame].kind
        else {
            return Ok(None);
        };
        let (record, next, base, around, big, is_deep) =
            (*record, *next, *base, *around, *big, *is_deep);
        if std::mem::take(is_open) {
            self.big = big;
            self.close_field(frame, record, &record.fields[next - 1], base + next - 1)?;
        }
        if next < record.fields.len() {
            return self.open_field(frame);
        }
        let Kind::Record { sums, .. } = &mut self.levels[frame].kind else { return Ok(None) };
        if let Some(sum) = record.sums.get(*sums) {
            *sums += 1;
            return if self.has_sums { self.sum(record, base, sum).map(Some) } else { Ok(None) };
        }
        let Kind::Record { views, .. } = &mut self.levels[frame].kind else { return Ok(None) };
        if let Some(view) = record.views.get(*views) {
            *views += 1;
            return self.view(view, frame);
        }
        self.check(record.checks, frame, start)?;
        self.begins_as_itself(frame, around)?;
        if record.ends && self.at != self.end && !self.inspects {
            return self.fault(not_filled(self.at as u64, self.end.saturating_sub(self.at) as u64));
        }
        if let Some(last) = &record.last {
            self.was_last = self.number(last, frame)? != 0;
        }
        if let Some(slots) = &record.slots {
            self.last_slots = self.value(slots, frame).and_then(|it| u64::try_from(it.0).ok());
            self.freeze(slots, frame);
        }
        self.big = around;
        self.deep -= u32::from(is_deep);
        self.pop();
        let is_kept = self.open_slot().is_some_and(|(_, is_kept)| is_kept);
        let value =
            if is_kept { Value::of_record(record, &self.slots[base..]) } else { Value::None };
        self.slots.truncate(base);
        if let Some((slot, true)) = self.open_slot() {
            slot.value = value;
        }
        Ok(None)
    }

    fn close_field(
        &mut self,
        frame: usize,
        record: &'static Record,
        field: &'static Field,
        slot: usize,
    ) -> Result<()> {
        self.slots[slot].end = self.at;
        // Whether the record is the last of its list is decided before anything is made of its fields.
        if self.making.is_some()
            && let Some(last) = &record.last
        {
            let wanted = self.wants_last();
            self.solve(last, frame, wanted.into());
        }
        // So is whether there is room for it.
        if self.making.is_some()
            && let Some(slots) = &record.slots
            && let Some(Level { kind: Kind::List { length: Length::Slots(left), .. }, .. }) =
                frame.checked_sub(1).and_then(|around| self.levels.get(around))
        {
            let left = i128::from(*left);
            if let Some((number, _)) = self.value(slots, frame) {
                if number > left {
                    self.solve(slots, frame, 1);
                }
                self.freeze(slots, frame);
            }
        }
        if !field.checks.is_empty() {
            self.tail = Name::of(field);
            let start = self.slots[slot].start;
            if let (true, Kind::Record { base, .. }) =
                (self.making.is_some(), &self.levels[frame].kind)
            {
                self.choose_allowed(field, slot - base, frame);
            }
            self.check(field.checks, frame, start)?;
            self.tail = Name::Same;
        }
        Ok(())
    }

    /// Fails if the bytes that were made of a variant begin with the magic of one that a reader tries before it.
    fn begins_as_itself(&mut self, frame: usize, big: bool) -> Result<()> {
        let Level { kind: Kind::Record { before, record, .. }, start, .. } = &self.levels[frame]
        else {
            return Ok(());
        };
        let (record, start) = (*record, *start);
        for other in *before {
            let Some(magic) = other.record.fields.first().and_then(|field| field.magic) else {
                continue;
            };
            let made = &self.bytes()[start..self.at];
            if [big, !big].iter().any(|big| made.starts_with(&magic.bytes(*big)))
                && record.fields.first().is_none_or(|field| field.magic.is_none())
            {
                let (expected, found) = (other.record.name, record.name);
                let error =
                    Error::new(rule::RECORD_VARIANT, start as u64, expected, found.to_owned());
                return self.fault(error);
            }
        }
        Ok(())
    }

    fn check(&mut self, checks: &'static [Check], frame: usize, at: usize) -> Result<()> {
        // An inspector shows the layout, whatever the values are.
        let checks = if self.inspects { &[] } else { checks };
        for Check { condition, text, message } in checks {
            if self.making.is_some() {
                self.solve(condition, frame, 1);
            }
            match self.value(condition, frame) {
                Some((0, _)) => {
                    let expected = message.map_or_else(|| format!("`{text}`"), str::to_owned);
                    let found = self.found(condition, frame);
                    return self.fault(Error::new(rule::RECORD_ASSERT, at as u64, expected, found));
                }
                Some(_) => {}
                None => return self.without_value(condition),
            }
        }
        Ok(())
    }

    fn sum(
        &mut self,
        record: &'static Record,
        base: usize,
        sum: &crate::schema::Checksum,
    ) -> Result<Step> {
        let slot = self.slots[base + sum.slot].clone();
        let over = self.slots[base + sum.from].start..self.slots[base + sum.to].end;
        let there = slot.start..slot.end;
        let mut should = match sum.with {
            None => (sum.digest)(&self.summed()[over]),
            Some(with) => {
                let mut bytes = self.summed()[over.clone()].to_vec();
                bytes[there.start - over.start..there.end - over.start].fill(with);
                (sum.digest)(&bytes)
            }
        };
        should.resize(there.len(), 0);
        let field = &record.fields[sum.slot];
        if !slot.big && matches!((field.layout)().inner(), Layout::Integer { .. }) {
            should.reverse();
        }
        if let Some(making) = &mut self.making {
            making.bytes[there.clone()].copy_from_slice(&should);
        }
        let right = self.summed()[there.clone()] == should;
        self.tail = Name::of(field);
        let odd = (!right).then(|| {
            let hex =
                |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
            let expected = format!("{} {}", sum.name, hex(&should));
            let found = hex(&self.summed()[there.clone()]);
            Error::new(rule::RECORD_SUM, there.start as u64, expected, found).under(self.path())
        });
        let kind = StepKind::Sum { name: sum.name, right, should };
        let (name, depth) = (Name::of(field), self.depth);
        Ok(Step {
            depth,
            name,
            bytes: there,
            missing: 0,
            big: slot.big,
            kind,
            field: Some(field),
            value: Value::None,
            odd,
        })
    }

    /// Returns where the offset of a view counts from.
    fn start_of(&self, from: ViewFrom, frame: usize) -> usize {
        let Some(Level { kind: Kind::Record { base, .. }, start, .. }) = self.levels.get(frame)
        else {
            return 0;
        };
        match from {
            ViewFrom::File => 0,
            ViewFrom::Record => *start,
            ViewFrom::Field(slot) => self.slots.get(base + slot).map_or(*start, |slot| slot.start),
            ViewFrom::Region => {
                // A view that has `bytes` is a region, too.
                let regions = self.levels[self.floor.min(frame)..frame].iter().rev();
                let mut regions = regions.filter(|level| matches!(level.kind, Kind::Region { .. }));
                regions.next().map_or(self.first, |level| level.start)
            }
        }
    }

    /// Returns the walk over what a view looks at, which was the last step.
    pub(crate) fn enter_view(&self, view: &'static View, place: Range<usize>) -> Self {
        let bound = Bound {
            arguments: &view.arguments,
            frame: self.levels.len().saturating_sub(1),
            index: None,
        };
        let mut walk = self.clone();
        walk.root = Some(((view.layout)(), Name::Same, bound));
        (walk.floor, walk.depth) = (self.levels.len(), 0);
        (walk.is_done, walk.has_skipped, walk.has_entered) = (false, false, false);
        (walk.cut, walk.pending, walk.tail) = (None, None, Name::Same);
        walk.is_open = matches!(view.bytes, ViewBytes::Open);
        walk.first = if walk.is_open { 0 } else { place.start };
        if !self.is_in_code() {
            // It looks at the bytes of the file, coded ones as well.
            walk.decoded = None;
        }
        walk.part(place)
    }

    fn view(&mut self, view: &'static View, frame: usize) -> Result<Option<Step>> {
        if self.making.is_some() {
            return Ok(None);
        }
        self.tail = Name::Field(view.name);
        // The reader does not look at views: what is wrong with one is odd.
        let mut missing = None;
        let mut number = |walk: &mut Self, expression: &'static Expression| {
            let number = walk.value(expression, frame).map(|it| it.0);
            if number.is_none() {
                missing.get_or_insert(expression);
            }
            number
        };
        let is_there = view.when.as_ref().map_or(Some(1), |when| number(self, when));
        if is_there == Some(0) {
            self.tail = Name::Same;
            return Ok(None);
        }
        let at = number(self, &view.at);
        let start = self.start_of(view.from, frame);
        let at = at.and_then(|at| at.checked_add(start as i128));
        let (whole, left) = (self.bytes.len(), self.bytes.len() as i128 - at.unwrap_or(0));
        let length = match &view.bytes {
            ViewBytes::Count(bytes) => number(self, bytes),
            ViewBytes::Rest | ViewBytes::Open => Some(left.max(0)),
        };
        let range = at.zip(length).filter(|_| missing.is_none()).and_then(|(at, length)| {
            let (at, length) = usize::try_from(at).ok().zip(usize::try_from(length).ok())?;
            Some(at..at.checked_add(length)?)
        });
        let range = range.filter(|range| range.end <= whole);
        let odd = range.is_none().then(|| {
            let (expected, found) = match missing {
                Some(expression) => {
                    let found = self.found(expression, frame);
                    (format!("`{expression}` to have a value"), format!("an overflow, as {found}"))
                }
                None => {
                    let (at, length) = (at.unwrap_or_default(), length.unwrap_or_default());
                    (
                        format!("{} at {at} of the file", crate::wire::bytes(length)),
                        format!("a file of {}", crate::wire::bytes(self.bytes.len() as u64)),
                    )
                }
            };
            Error::new(rule::RECORD_VIEW, self.at as u64, expected, found).under(self.path())
        });
        Ok(Some(Step {
            depth: self.depth,
            name: Name::Field(view.name),
            bytes: range.unwrap_or(self.at..self.at),
            missing: 0,
            big: self.big,
            kind: StepKind::View(view),
            field: None,
            value: Value::None,
            odd,
        }))
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Step>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_done {
            match self.step() {
                Ok(Some(step)) => return Some(Ok(step)),
                Ok(None) => {}
                Err(error) => {
                    self.is_done = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

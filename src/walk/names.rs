//! Fields and parameters of the records that are open.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::{Argument, Bound, Kind, Level, Walk};
use crate::error::Result;
use crate::schema::{
    Arguments, Check, End, Expression, Field, Integer, Layout, Names, Operator, Order, Record,
    SetNames, Typed, VarintForm, Word, low_bits,
};

/// The value of a field, as far as expressions can use it.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    None,
    Number(i128, Integer),
    Word(&'static Word, u128),
    /// The number of elements of a list, and the sum of unsigned numbers.
    List(u64, Option<u64>),
    Fields(Rc<[(&'static str, Slot)]>),
}

impl Value {
    /// Returns the value that expressions can use of a closed record.
    pub(super) fn of_record(record: &'static Record, slots: &[Slot]) -> Self {
        let fields = record.fields.iter().zip(slots);
        Self::Fields(fields.map(|(field, slot)| (field.name, slot.clone())).collect())
    }

    /// Returns the part of a value that has parts, or the value of one that has a name.
    fn part(&self, name: &str) -> Option<Cow<'_, Self>> {
        let part = match self {
            Self::Word(word, raw) => {
                let (low, width) = word.part(name)?;
                let number = raw.checked_shr(low).unwrap_or(0) as u64 & low_bits(width);
                let ty = match width {
                    1 => Integer::BOOL,
                    width => Integer {
                        bits: width.next_power_of_two().clamp(8, 64) as u8,
                        signed: false,
                    },
                };
                Self::Number(number.into(), ty)
            }
            Self::List(_, Some(sum)) if name == "total" => {
                Self::Number((*sum).into(), Integer { bits: 64, signed: false })
            }
            Self::List(count, _) if name == "len" => {
                Self::Number((*count).into(), Integer { bits: 64, signed: false })
            }
            // The last one is meant where a field has the name of a magic.
            Self::Fields(fields) => {
                return fields
                    .iter()
                    .rev()
                    .find(|it| it.0 == name)
                    .map(|it| Cow::Borrowed(&it.1.value));
            }
            Self::Number(..) if matches!(name, "value" | "number") => {
                return Some(Cow::Borrowed(self));
            }
            _ => return None,
        };
        Some(Cow::Owned(part))
    }

    /// Returns the value at the end of a path of parts.
    fn at(&self, parts: &[&str]) -> Option<Cow<'_, Self>> {
        match parts {
            [] => Some(Cow::Borrowed(self)),
            [part] => self.part(part),
            [part, rest @ ..] => Some(Cow::Owned(self.part(part)?.at(rest)?.into_owned())),
        }
    }

    /// Returns the number at the end of a path of parts.
    fn number_at(&self, parts: &[&str]) -> Option<Typed> {
        match parts {
            [] => self.number(),
            [part] => self.part(part)?.number(),
            _ => self.at(parts)?.number(),
        }
    }

    /// Returns the number that expressions use.
    fn number(&self) -> Option<Typed> {
        match self {
            Self::Number(number, ty) => Some((*number, *ty)),
            Self::Word(word, raw) if word.bytes <= 8 => {
                Some((i128::try_from(*raw).ok()?, Integer { bits: word.bytes * 8, signed: false }))
            }
            _ => None,
        }
    }
}

/// The bytes and the value of a field.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub start: usize,
    pub end: usize,
    pub value: Value,
    pub big: bool,
    /// Bits that something was made of, and that must stay.
    pub frozen: u128,
    /// The expression of a field without bytes.
    pub computed: Option<&'static Expression>,
}

impl Slot {
    /// Returns the slot of the field that these names in turn lead to.
    fn at(&self, parts: &[&str]) -> Option<&Self> {
        let [name, rest @ ..] = parts else { return Some(self) };
        let Value::Fields(fields) = &self.value else { return None };
        fields.iter().rev().find(|it| it.0 == *name)?.1.at(rest)
    }

    /// Keeps the bits that `parts` lead to.
    pub(super) fn freeze(&mut self, parts: &[&str]) {
        match (&mut self.value, parts) {
            (Value::Word(word, _), [part, ..]) => {
                self.frozen |= word.part(part).map_or(0, Word::mask);
            }
            (Value::Fields(fields), [name, rest @ ..]) => {
                let fields = Rc::make_mut(fields);
                let Some(at) = fields.iter().rposition(|it| it.0 == *name) else { return };
                fields[at].1.freeze(rest);
                let mut names = Vec::new();
                if let Some(computed) = fields[at].1.computed {
                    computed.names(&mut |name| names.push(*name));
                }
                for name in names {
                    if let Expression::Field(slot, parts, _) = name
                        && let Some((_, slot)) = fields.get_mut(usize::from(slot))
                    {
                        slot.freeze(parts);
                    }
                }
            }
            _ => self.frozen = u128::MAX,
        }
    }

    /// Gives the number that `parts` lead to another value, and adds the offset of its bytes with the bytes. Returns
    /// whether that is possible.
    fn change(
        &mut self,
        layout: Layout,
        parts: &[&str],
        wanted: i128,
        changed: &mut Vec<(usize, Vec<u8>)>,
    ) -> bool {
        let (raw, size) = match (&mut self.value, parts) {
            (Value::Number(number, ty), [] | ["number"])
                if self.frozen == 0
                    && ty.bits >= 8
                    && ty.holds(wanted)
                    && self.end - self.start == ty.bytes()
                    && accepts(layout, wanted) =>
            {
                *number = wanted;
                (wanted as u128, ty.bytes())
            }
            (Value::Word(word, raw), [part] | [part, "number"]) => {
                let Some(place) = word.part(part) else { return false };
                let fits = (0..=low_bits(place.1).into()).contains(&wanted);
                if self.frozen & Word::mask(place) != 0 || !fits {
                    return false;
                }
                let changed = Word::with(*raw, place, wanted as u64);
                if word.unnamed(changed).is_some() {
                    return false;
                }
                *raw = changed;
                (*raw, word.bytes.into())
            }
            (Value::Fields(fields), [name, rest @ ..]) if self.frozen == 0 => {
                let Layout::Record(record) = layout.inner() else { return false };
                let fields = Rc::make_mut(fields);
                let Some(at) = fields.iter().rposition(|it| it.0 == *name) else { return false };
                let is_changed = match fields[at].1.computed {
                    Some(computed) if rest.is_empty() => {
                        computed.solve(wanted, &mut ClosedMut { record, fields, changed })
                            && computed.value(&mut Closed(fields)).is_some_and(|it| it.0 == wanted)
                    }
                    _ => fields[at].1.change((record.fields[at].layout)(), rest, wanted, changed),
                };
                // Members that are computed follow.
                for at in 0..fields.len() {
                    if let Some(computed) = fields[at].1.computed
                        && let Some((number, ty)) = computed.value(&mut Closed(fields))
                    {
                        fields[at].1.value = Value::Number(number, ty);
                    }
                }
                let checks = record.fields.iter().flat_map(|field| field.checks);
                let mut closed = Closed(fields);
                let holds =
                    |check: &Check| check.condition.value(&mut closed).is_some_and(|it| it.0 != 0);
                return is_changed && checks.chain(record.checks).all(holds);
            }
            _ => return false,
        };
        let mut bytes = raw.to_le_bytes()[..size].to_vec();
        if self.big {
            bytes.reverse();
        }
        changed.push((self.start, bytes));
        true
    }

    /// Moves to where other bytes became more or fewer.
    fn shift(&mut self, moved: &dyn Fn(usize) -> usize) {
        (self.start, self.end) = (moved(self.start), moved(self.end));
        if let Value::Fields(fields) = &mut self.value {
            Rc::make_mut(fields).iter_mut().for_each(|it| it.1.shift(moved));
        }
    }
}

/// The names of a record that is closed.
struct Closed<'f>(&'f [(&'static str, Slot)]);

impl Names for Closed<'_> {
    fn number(&mut self, name: &Expression) -> Option<Typed> {
        let Expression::Field(slot, parts, _) = name else { return None };
        let slot = &self.0.get(usize::from(*slot))?.1;
        match slot.computed {
            Some(computed) => computed.value(self),
            None => slot.value.number_at(parts),
        }
    }

    fn bytes(&mut self, _: &Expression) -> Option<Vec<u8>> {
        None
    }

    fn here(&mut self, slot: usize) -> Option<u64> {
        let first = self.0.first()?.1.start;
        Some((place(self.0.iter().map(|it| &it.1), slot)? - first) as u64)
    }

    fn left(&mut self, slot: usize) -> Option<u64> {
        // The record ends where its region does.
        let last = self.0.last()?.1.end;
        Some((last - place(self.0.iter().map(|it| &it.1), slot)?) as u64)
    }
}

/// Returns where a field begins: one after the last at its end.
fn place<'s>(
    slots: impl DoubleEndedIterator<Item = &'s Slot> + Clone,
    slot: usize,
) -> Option<usize> {
    let start = slots.clone().nth(slot).map(|it| it.start);
    start.or_else(|| slots.last().map(|it| it.end))
}

/// The names of a record that is closed, whose numbers may change.
struct ClosedMut<'f> {
    record: &'static Record,
    fields: &'f mut [(&'static str, Slot)],
    changed: &'f mut Vec<(usize, Vec<u8>)>,
}

impl Names for ClosedMut<'_> {
    fn number(&mut self, name: &Expression) -> Option<Typed> {
        Closed(self.fields).number(name)
    }

    fn bytes(&mut self, _: &Expression) -> Option<Vec<u8>> {
        None
    }

    fn here(&mut self, slot: usize) -> Option<u64> {
        Closed(self.fields).here(slot)
    }

    fn left(&mut self, slot: usize) -> Option<u64> {
        Closed(self.fields).left(slot)
    }
}

impl SetNames for ClosedMut<'_> {
    fn set(&mut self, name: &Expression, number: i128) -> bool {
        let Expression::Field(slot, parts, _) = name else { return false };
        let slot = usize::from(*slot);
        if let Some(computed) = self.fields[slot].1.computed {
            return computed.solve(number, self);
        }
        let layout = (self.record.fields[slot].layout)();
        self.fields[slot].1.change(layout, parts, number, self.changed)
    }

    fn set_bytes(&mut self, _: &Expression, _: &[u8]) -> bool {
        false
    }
}

/// The names of the record at a level.
struct Frame<'w, 'b> {
    walk: &'w mut Walk<'b>,
    level: usize,
}

impl Names for Frame<'_, '_> {
    fn number(&mut self, name: &Expression) -> Option<Typed> {
        let walk = &self.walk;
        let Kind::Record { base, arguments, .. } = walk.levels.get(self.level)?.kind else {
            return None;
        };
        match name {
            Expression::Field(slot, parts, _) => {
                let slot = walk.slots.get(base + usize::from(*slot))?;
                match slot.computed {
                    // What it is computed from may have changed.
                    Some(computed) if walk.making.is_some() => computed.value(self),
                    _ => slot.value.number_at(parts),
                }
            }
            Expression::Parameter(index, parts, _) => {
                let at = arguments + usize::from(*index);
                self.walk.remember(self.level, at, usize::from(*index));
                self.walk.arguments.get(at)?.number_at(parts)
            }
            _ => None,
        }
    }

    fn bytes(&mut self, name: &Expression) -> Option<Vec<u8>> {
        let place = self.walk.place_of(name, self.level, &[])?;
        let (_, slot) = self.walk.slot_at(&place)?;
        let bytes = self.walk.bytes().get(slot.start..slot.end)?;
        let end = self.walk.end_of(&place);
        Some(end.map_or(bytes, |end| end.text(bytes).0).to_vec())
    }

    fn element(&mut self, list: &Expression, index: i128, parts: &[&str]) -> Option<Typed> {
        let (place, ty, big) = self.walk.element_at(list, self.level, index, parts)?;
        let bytes = self.walk.bytes().get(place)?;
        match ty {
            ElementType::Number(ty) => Some((ty.read(bytes, big), ty)),
            ElementType::Part(word, part) => {
                Value::Word(word, Word::read(bytes, big)).part(part)?.number()
            }
        }
    }

    fn index(&self) -> Option<u64> {
        self.walk.index
    }

    fn here(&mut self, slot: usize) -> Option<u64> {
        let (start, at) = self.walk.place_of_field(self.level, slot)?;
        Some(at.checked_sub(start)? as u64)
    }

    fn left(&mut self, slot: usize) -> Option<u64> {
        let (_, at) = self.walk.place_of_field(self.level, slot)?;
        Some(self.walk.end_for(self.level).checked_sub(at)? as u64)
    }
}

impl SetNames for Frame<'_, '_> {
    fn set(&mut self, name: &Expression, number: i128) -> bool {
        self.walk.set(name, self.level, number)
    }

    fn set_element(
        &mut self,
        list: &Expression,
        index: i128,
        parts: &[&str],
        number: i128,
    ) -> bool {
        let Some(at) = self.walk.place_of(list, self.level, &[]) else { return false };
        let is_frozen =
            self.walk.slot_at(&at).is_none_or(|(around, slot)| around.frozen | slot.frozen != 0);
        let found = self.walk.element_at(list, self.level, index, parts);
        let (Some((place, ElementType::Number(ty), big)), false) = (found, is_frozen) else {
            return false;
        };
        let Some(making) = self.walk.making.as_mut().filter(|_| ty.holds(number)) else {
            return false;
        };
        let mut bytes = number.to_le_bytes()[..place.len().min(16)].to_vec();
        if big {
            bytes.reverse();
        }
        making.bytes[place].copy_from_slice(&bytes);
        making.changes += 1;
        true
    }

    fn set_bytes(&mut self, name: &Expression, bytes: &[u8]) -> bool {
        let Some(place) = self.walk.place_of(name, self.level, &[]) else { return false };
        let Some((around, slot)) = self.walk.slot_at(&place) else { return false };
        let end = self.walk.end_of(&place).map_or(0, |end| {
            let there = self.walk.bytes().get(slot.start..slot.end).unwrap_or_default();
            there.len() - end.text(there).0.len()
        });
        let (is_frozen, there) =
            (around.frozen != 0 || slot.frozen != 0, slot.start..slot.end.saturating_sub(end));
        let Some(making) = &mut self.walk.making else { return false };
        if is_frozen || there.len() != bytes.len() {
            return false;
        }
        making.bytes[there].copy_from_slice(bytes);
        making.changes += 1;
        true
    }
}

/// The largest count that is made because a condition turns there.
const MOST_TURN: i128 = 64;

/// How many bytes are left, at most, where a record that is made asks for that.
const MOST_LEFT: u64 = 64;

/// The type of a number in an element.
enum ElementType<'n> {
    Number(Integer),
    Part(&'static Word, &'n str),
}

/// A field of a record that is open, and the parts of it in turn.
struct Place<'n> {
    level: usize,
    slot: usize,
    parts: Vec<&'n str>,
}

impl<'b> Walk<'b> {
    /// Returns where a record that is open begins, and where a field of it does: one that is to come where the walk is.
    fn place_of_field(&self, level: usize, slot: usize) -> Option<(usize, usize)> {
        let Level { kind: Kind::Record { base, next, .. }, start, .. } = self.levels.get(level)?
        else {
            return None;
        };
        let is_begun = slot < *next;
        let begun = self.slots.get(base + slot).filter(|_| is_begun);
        Some((*start, begun.map_or(self.at, |slot| slot.start)))
    }

    /// Returns where the region around a record that is open ends. Of one that is being made and has no end yet, it is
    /// chosen here.
    fn end_for(&mut self, level: usize) -> usize {
        let inside = self.levels[level..].iter().find_map(|level| match level.kind {
            Kind::Region { around, .. } => Some(around),
            _ => None,
        });
        if inside.is_none() && self.making.is_some() && self.end == usize::MAX {
            self.end = self.at + self.roll(MOST_LEFT) as usize;
        }
        inside.unwrap_or(self.end)
    }

    /// Returns the field that a name leads to: of a parameter that of a record around.
    fn place_of<'n>(
        &self,
        name: &'n Expression,
        level: usize,
        more: &[&'n str],
    ) -> Option<Place<'n>> {
        let Kind::Record { record, bound, .. } = self.levels.get(level)?.kind else { return None };
        match name.place()? {
            Expression::Field(slot, parts, _) => {
                let parts = parts.iter().chain(more).copied().collect();
                Some(Place { level, slot: usize::from(*slot), parts })
            }
            Expression::Parameter(index, parts, _) => {
                let index = usize::from(*index);
                let argument = self.argument(bound, index, record.parameters.get(index)?.0)?;
                let parts: Vec<&str> = parts.iter().chain(more).copied().collect();
                self.place_of(argument, bound.frame, &parts)
            }
            _ => None,
        }
    }

    /// Returns the slot of a field, and that of the part that is meant.
    fn slot_at(&self, place: &Place<'_>) -> Option<(&Slot, &Slot)> {
        let Kind::Record { base, .. } = self.levels.get(place.level)?.kind else { return None };
        let around = self.slots.get(base + place.slot)?;
        Some((around, around.at(&place.parts)?))
    }

    /// Returns the place of a number in an element of a list, its type, and whether its highest byte is first.
    fn element_at<'n>(
        &self,
        list: &'n Expression,
        level: usize,
        index: i128,
        parts: &[&'n str],
    ) -> Option<(Range<usize>, ElementType<'n>, bool)> {
        let at = self.place_of(list, level, &[])?;
        let (_, slot) = self.slot_at(&at)?;
        let mut layout = match self.layout_at(&at)?.inner() {
            Layout::List(of) | Layout::ToEnd(of) | Layout::Array(_, of) => of(),
            _ => return None,
        };
        let (mut start, mut big, size) = (slot.start, slot.big, layout.size()?);
        start = start.checked_add(usize::try_from(index).ok()?.checked_mul(size)?)?;
        if start.checked_add(size)? > slot.end {
            return None;
        }
        let mut parts = parts.iter();
        while let Layout::Record(record) = layout.inner() {
            let part = parts.next()?;
            let to = record.fields.iter().rposition(|field| field.name == *part)?;
            for field in &record.fields[..to] {
                start += field.size?;
            }
            let field = &record.fields[to];
            for order in [&record.order, &field.order] {
                big = match order {
                    Order::Inherited => big,
                    Order::Little => false,
                    Order::Big => true,
                    Order::If(..) => return None,
                };
            }
            layout = (field.layout)();
        }
        let place = start..start.checked_add(layout.size()?)?;
        match (layout.inner(), parts.next()) {
            (Layout::Integer { number, .. }, None | Some(&"number")) => {
                Some((place, ElementType::Number(number), big))
            }
            (Layout::Word(word), Some(part)) => {
                Some((place, ElementType::Part(word, part), word.is_big.unwrap_or(big)))
            }
            _ => None,
        }
    }

    /// Returns the layout of a place.
    fn layout_at(&self, place: &Place<'_>) -> Option<Layout> {
        let Kind::Record { record, .. } = self.levels.get(place.level)?.kind else { return None };
        let mut layout = (record.fields.get(place.slot)?.layout)();
        for part in &place.parts {
            let Layout::Record(record) = layout.inner() else { return None };
            layout = (record.fields.iter().rfind(|field| field.name == *part)?.layout)();
        }
        Some(layout)
    }

    /// Keeps the lists whose elements were handed to the elements of another list.
    pub(super) fn freeze_lists(&mut self, arguments: &'static Arguments, frame: usize) {
        if self.making.is_none() {
            return;
        }
        match arguments {
            Arguments::One(expression) if expression.is_by_index() => {
                let mut names = Vec::new();
                expression.names(&mut |name| names.push(*name));
                names.iter().for_each(|name| self.freeze(name, frame));
            }
            Arguments::Many(all) => all.iter().for_each(|it| self.freeze_lists(&it.1, frame)),
            _ => {}
        }
    }

    /// Returns what ends a text.
    fn end_of(&self, place: &Place<'_>) -> Option<End> {
        match self.layout_at(place)?.inner() {
            Layout::Terminated(end) => Some(end),
            _ => None,
        }
    }

    /// Returns one of the texts that conditions compare the open field with, or none.
    pub(super) fn text_tag(&mut self) -> Option<&'static [u8]> {
        self.making.as_ref()?;
        let level = self.levels.iter().rev().find(|level| level.kind.is_step())?;
        let Kind::Record { record, next, .. } = level.kind else { return None };
        let mut all = Vec::new();
        texts_of(record, &Expression::Field(next.checked_sub(1)? as u16, &[], ""), 4, &mut all);
        if all.is_empty() || self.roll(5) == 0 {
            return None;
        }
        let chosen = self.roll(all.len() as u64) as usize;
        all.get(chosen).copied()
    }

    /// Returns the slot of the field that is open, and whether an expression may use its value.
    pub(super) fn open_slot(&mut self) -> Option<(&mut Slot, bool)> {
        let level = self.levels.iter().rev().find(|level| level.kind.is_step())?;
        let Kind::Record { record, next, base, is_kept, .. } = level.kind else { return None };
        let field = next.checked_sub(1)?;
        let is_kept = is_kept || record.fields[field].used;
        Some((self.slots.get_mut(base + field)?, is_kept))
    }

    pub(super) fn argument(
        &self,
        bound: Bound,
        index: usize,
        name: &str,
    ) -> Option<&'static Expression> {
        let Arguments::Many(all) = bound.arguments else { return None };
        let in_order = all.get(index).filter(|it| it.0.is_empty());
        match in_order.or_else(|| all.iter().find(|it| it.0 == name)) {
            Some((_, Arguments::One(expression))) => Some(expression),
            _ => None,
        }
    }

    /// Returns the value of a field or parameter of the record at a level.
    fn look_up(&mut self, name: &Expression, level: usize) -> Option<Value> {
        let Kind::Record { base, arguments, .. } = self.levels.get(level)?.kind else {
            return None;
        };
        match name {
            Expression::Field(slot, parts, _) => {
                let slot = self.slots.get(base + usize::from(*slot))?;
                if let Some(computed) = slot.computed.filter(|_| self.making.is_some()) {
                    return self
                        .value(computed, level)
                        .map(|(number, ty)| Value::Number(number, ty));
                }
                let value = &slot.value;
                value.at(parts).map(Cow::into_owned)
            }
            Expression::Parameter(index, parts, _) => {
                let at = arguments + usize::from(*index);
                self.remember(level, at, usize::from(*index));
                self.arguments.get(at)?.at(parts).map(Cow::into_owned)
            }
            _ => None,
        }
    }

    /// Returns the value of a parameter, in the record that hands it over.
    fn parameter(&mut self, record: &Record, bound: Bound, index: usize) -> Option<Value> {
        let before = std::mem::replace(&mut self.index, bound.index);
        let value = self.parameter_of(record, bound, index);
        self.index = before;
        value
    }

    fn parameter_of(&mut self, record: &Record, bound: Bound, index: usize) -> Option<Value> {
        let (name, ty) = record.parameters[index];
        let argument = self.argument(bound, index, name)?;
        let value = match argument {
            Expression::Field(..) | Expression::Parameter(..) => {
                self.look_up(argument, bound.frame)?
            }
            _ => match (self.value(argument, bound.frame), argument.place()) {
                (Some((number, ty)), _) => Value::Number(number, ty),
                // A copy of bytes.
                (None, place) => self.look_up(place?, bound.frame)?,
            },
        };
        match value {
            Value::Number(number, _) if ty.bits > 0 => {
                ty.holds(number).then_some(Value::Number(number, ty))
            }
            other => Some(other),
        }
    }

    /// Evaluates the arguments of a record once, where bytes are read: made bytes may still change.
    pub(super) fn bind(&mut self, record: &Record, bound: Bound) -> usize {
        let base = self.arguments.len();
        for index in 0..record.parameters.len() {
            let value = match &mut self.making {
                Some(making) => {
                    making.arguments.push(Argument::default());
                    None
                }
                None => self.parameter(record, bound, index),
            };
            self.arguments.push(value.unwrap_or(Value::None));
        }
        base
    }

    /// Evaluates an argument of the record at a level, unless nothing was changed since it was evaluated.
    fn remember(&mut self, level: usize, at: usize, index: usize) {
        let Some(making) = &mut self.making else { return };
        let (now, Some(argument)) = (making.changes, making.arguments.get_mut(at)) else { return };
        if argument.changes == Some(now) {
            return;
        }
        argument.changes = Some(now);
        let Kind::Record { record, bound, .. } = self.levels[level].kind else { return };
        let value = self.parameter(record, bound, index).unwrap_or(Value::None);
        self.arguments[at] = value;
    }

    /// Notes that a number that was made is another one now.
    fn note_change(&mut self) {
        if let Some(making) = &mut self.making {
            making.changes += 1;
        }
    }

    /// Returns the value of an expression in the record at a level.
    pub(super) fn value(&mut self, expression: &Expression, level: usize) -> Option<Typed> {
        expression.value(&mut Frame { walk: self, level })
    }

    /// Returns the bytes of a key in the record at a level.
    pub(super) fn key(&mut self, expression: &Expression, level: usize) -> Option<Vec<u8>> {
        expression.key(&mut Frame { walk: self, level })
    }

    /// Returns the value, and keeps the fields from which it was computed.
    pub(super) fn number(&mut self, expression: &Expression, level: usize) -> Result<i128> {
        match self.value(expression, level) {
            Some((number, _)) => {
                self.freeze(expression, level);
                Ok(number)
            }
            // An inspector goes on: the reader says what is wrong.
            None if self.inspects => Ok(0),
            None => self.without_value(expression),
        }
    }

    /// Returns the fields in an expression with their values: `count = 11`.
    pub(super) fn found(&mut self, expression: &Expression, level: usize) -> String {
        let mut names = Vec::new();
        expression.names(&mut |name| names.push(*name));
        let mut found: Vec<String> = Vec::new();
        for name in names {
            let text = match self.value(&name, level) {
                Some((number, _)) => format!("{name} = {number}"),
                None => {
                    let bytes = Frame { walk: self, level }.bytes(&name).unwrap_or_default();
                    format!("{name} = \"{}\"", bytes.escape_ascii())
                }
            };
            if !found.contains(&text) {
                found.push(text);
            }
        }
        if found.is_empty() { "other bytes".to_owned() } else { found.join(", ") }
    }

    /// Keeps the fields from which an expression was computed.
    pub(super) fn freeze(&mut self, expression: &Expression, level: usize) {
        if self.making.is_none() {
            return;
        }
        // Elements that are handed on by their position are kept together, when all of them are.
        if expression.is_by_index() {
            return;
        }
        let mut names = Vec::new();
        expression.names(&mut |name| names.push(*name));
        for name in names {
            let Kind::Record { record, bound, base, arguments, .. } = self.levels[level].kind
            else {
                continue;
            };
            match name {
                Expression::Field(slot, parts, _) => {
                    let mut computed = None;
                    if let Some(slot) = self.slots.get_mut(base + usize::from(slot)) {
                        slot.freeze(parts);
                        computed = slot.computed;
                    }
                    if let Some(computed) = computed {
                        self.freeze(computed, level);
                    }
                }
                Expression::Parameter(index, ..) => {
                    let index = usize::from(index);
                    let known =
                        self.making.as_mut().and_then(|it| it.arguments.get_mut(arguments + index));
                    if known.is_some_and(|it| std::mem::replace(&mut it.is_frozen, true)) {
                        continue;
                    }
                    if let Some(argument) = self.argument(bound, index, record.parameters[index].0)
                    {
                        self.freeze(argument, bound.frame);
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns whether the value of an expression cannot change any more.
    pub(super) fn is_fixed(&mut self, expression: &Expression, level: usize) -> bool {
        let mut names = Vec::new();
        expression.names(&mut |name| names.push(*name));
        names.into_iter().all(|name| {
            let Kind::Record { record, bound, base, .. } = self.levels[level].kind else {
                return false;
            };
            match name {
                Expression::Field(slot, [], _) => {
                    let slot = self.slots.get(base + usize::from(slot));
                    slot.is_some_and(|slot| slot.frozen == u128::MAX)
                }
                Expression::Parameter(index, [], _) => {
                    let index = usize::from(index);
                    let argument = self.argument(bound, index, record.parameters[index].0);
                    argument.is_some_and(|argument| self.is_fixed(argument, bound.frame))
                }
                _ => false,
            }
        })
    }

    /// Returns one of the numbers that conditions of the innermost record compare the open field with, or none.
    pub(super) fn tag(&mut self, parts: &[&str]) -> Option<i128> {
        let level = self.levels.iter().rev().find(|level| level.kind.is_step())?;
        let Kind::Record { record, next, .. } = level.kind else { return None };
        let field = next.checked_sub(1)?;
        if let Some(all) = allowed(&record.fields[field], field, parts) {
            let chosen = self.roll(all.len() as u64) as usize;
            return all.get(chosen).copied();
        }
        let all = constants(record, field, parts);
        // Some are left to chance.
        if all.len() < 2 || self.is_full() || self.roll(5) == 0 {
            return None;
        }
        let chosen = self.roll(all.len() as u64) as usize;
        all.get(chosen).copied()
    }

    /// Returns a count at which a condition of the record turns, or none: `if(count > 3)` turns at 4.
    pub(super) fn turn_of(&mut self, count: &Expression, level: usize) -> Option<u64> {
        let Kind::Record { record, .. } = self.levels[level].kind else { return None };
        let Some(Expression::Field(slot, parts, _)) = count.place() else { return None };
        if self.is_full() || self.is_deep() {
            return None;
        }
        let mut turns = Vec::new();
        let is_it = |it: &Expression| match it.place() {
            Some(Expression::Field(at, path, _)) => at == slot && path == parts,
            _ => false,
        };
        for when in record.fields.iter().filter_map(|field| field.when.as_ref()) {
            when.turns(&is_it, &mut turns);
        }
        turns.retain(|turn| (4..=MOST_TURN).contains(turn));
        if turns.is_empty() || self.roll(2) == 0 {
            return None;
        }
        let chosen = self.roll(turns.len() as u64) as usize;
        turns.get(chosen).and_then(|turn| u64::try_from(*turn).ok())
    }

    /// Returns whether a condition is about a number that [`tag`](Self::tag) made.
    pub(super) fn is_by_tag(&mut self, condition: &Expression, level: usize) -> bool {
        if self.is_full() || self.is_deep() {
            return false;
        }
        let Kind::Record { record, .. } = self.levels[level].kind else { return false };
        let mut found = false;
        condition.names(&mut |name| {
            if let Expression::Field(slot, parts, _) = name {
                found |= constants(record, (*slot).into(), parts).len() > 1;
            }
        });
        found
    }

    /// Gives a field that has one of a few numbers one with which all assertions about it hold, if there is one.
    pub(super) fn choose_allowed(&mut self, field: &'static Field, slot: usize, level: usize) {
        let Some(all) = allowed(field, slot, &[]) else { return };
        let place = Expression::Field(slot as u16, &[], field.name);
        let holds = |walk: &mut Self| {
            let mut checks = field.checks.iter();
            checks.all(|it| walk.value(&it.condition, level).is_some_and(|it| it.0 != 0))
        };
        if !holds(self) {
            all.into_iter().any(|number| self.set(&place, level, number) && holds(self));
        }
    }

    /// Returns whether an expression has only the values that some numbers give which its fields may have.
    pub(super) fn has_few_values(&self, expression: &Expression, level: usize) -> bool {
        let mut found = false;
        expression.names(&mut |name| {
            let Some(Place { level, slot, parts }) = self.place_of(name, level, &[]) else {
                return;
            };
            let Some(Level { kind: Kind::Record { record, .. }, .. }) = self.levels.get(level)
            else {
                return;
            };
            let (mut record, mut slot) = (*record, slot);
            for part in parts {
                let Layout::Record(inner) = (record.fields[slot].layout)().inner() else { return };
                let at = inner.fields.iter().rposition(|field| field.name == part);
                (record, slot) = (inner, at.unwrap_or(0));
            }
            found |= record.fields.get(slot).is_some_and(|it| allowed(it, slot, &[]).is_some());
        });
        found
    }

    /// Gives an expression a value by changing bytes that were made and that nothing was made of.
    pub(super) fn solve(&mut self, expression: &Expression, level: usize, wanted: i128) -> bool {
        let is_so =
            |walk: &mut Self| walk.value(expression, level).is_some_and(|it| it.0 == wanted);
        is_so(self) || (expression.solve(wanted, &mut Frame { walk: self, level }) && is_so(self))
    }

    /// Whether the assertions about closed fields still hold.
    fn checks_hold(&mut self, record: &'static Record, level: usize) -> bool {
        let Kind::Record { next, .. } = self.levels[level].kind else { return true };
        // A field whose checks are being solved is not closed yet.
        let closed = next.saturating_sub(1);
        let checks = record.fields[..closed].iter().flat_map(|field| field.checks);
        checks
            .into_iter()
            .all(|check| self.value(&check.condition, level).is_some_and(|it| it.0 != 0))
    }

    /// Sets a number whose bytes may become more or fewer: the bytes after it move.
    fn set_varint(
        &mut self,
        at: usize,
        form: &'static VarintForm,
        wanted: i128,
        (record, level): (&'static Record, usize),
    ) -> bool {
        let is_file = self.making.as_ref().is_some_and(|making| making.is_file);
        let length = self.slots.get(at).filter(|_| is_file).map(|it| it.end - it.start);
        let Some(bytes) = (form.encode)(wanted, length) else { return false };
        if length.is_some_and(|length| length != bytes.len()) {
            return false;
        }
        let Some(slot) = self.slots.get_mut(at).filter(|slot| slot.frozen == 0) else {
            return false;
        };
        let (place, ty) = (slot.start..slot.end, form.number);
        let before = std::mem::replace(&mut slot.value, Value::Number(wanted, ty));
        self.note_change();
        if !self.checks_hold(record, level) {
            self.slots[at].value = before;
            self.note_change();
            return false;
        }
        let moved = |position: usize| {
            if position >= place.end { position - place.len() + bytes.len() } else { position }
        };
        self.slots[at + 1..].iter_mut().for_each(|slot| slot.shift(&moved));
        for open in &mut self.slots[..=at] {
            open.end = moved(open.end);
        }
        for open in &mut self.levels {
            if open.start > place.start {
                open.start = moved(open.start);
            }
            if let Kind::List { at, .. } = &mut open.kind {
                *at = moved(*at);
            }
        }
        self.at = moved(self.at);
        if let Some(making) = &mut self.making {
            making.bytes.splice(place, bytes);
        }
        true
    }

    /// Sets the sum of a list: its first number, and all others to zero.
    fn set_total(&mut self, at: usize, field: &Field, wanted: i128) -> bool {
        let Layout::List(of) = (field.layout)().inner() else { return false };
        let Layout::Integer { number, .. } = of() else { return false };
        let (Some(making), slot) = (&mut self.making, &mut self.slots[at]) else { return false };
        let (Some(place), Ok(sum)) =
            (making.bytes.get_mut(slot.start..slot.end), u64::try_from(wanted))
        else {
            return false;
        };
        let Some(first) = place.get_mut(..number.bytes()).filter(|_| number.holds(wanted)) else {
            return false;
        };
        first.copy_from_slice(&sum.to_le_bytes()[..number.bytes()]);
        if slot.big {
            first.reverse();
        }
        place[number.bytes()..].fill(0);
        slot.value = Value::List((place.len() / number.bytes()) as u64, Some(sum));
        self.note_change();
        true
    }

    fn set(&mut self, name: &Expression, level: usize, wanted: i128) -> bool {
        if self.value(name, level).is_some_and(|it| it.0 == wanted) {
            return true;
        }
        let Kind::Record { record, bound, base, arguments, .. } = self.levels[level].kind else {
            return false;
        };
        match *name {
            Expression::Parameter(index, [], _) => {
                let at = arguments + usize::from(index);
                let known = self.making.as_ref().and_then(|it| it.arguments.get(at));
                let is_kept = self.making.as_ref().is_some_and(|it| it.keeps_arguments);
                if is_kept || known.is_some_and(|it| it.is_frozen) {
                    return false;
                }
                let (name, ty) = record.parameters[usize::from(index)];
                let argument = self.argument(bound, usize::from(index), name);
                let before = std::mem::replace(&mut self.index, bound.index);
                let is_solved = ty.holds(wanted)
                    && argument.is_some_and(|it| self.solve(it, bound.frame, wanted));
                self.index = before;
                is_solved
            }
            Expression::Field(position, parts, _) => {
                if let Some(computed) = &record.fields[usize::from(position)].computed {
                    return self.solve(computed, level, wanted);
                }
                let at = base + usize::from(position);
                if let (Some(form), [] | ["value"]) =
                    (varint((record.fields[usize::from(position)].layout)()), parts)
                {
                    return self.set_varint(at, form, wanted, (record, level));
                }
                let field = &record.fields[usize::from(position)];
                let Some(slot) = self.slots.get_mut(at) else { return false };
                if let (Value::List(_, Some(_)), ["total"], 0) = (&slot.value, parts, slot.frozen) {
                    return self.set_total(at, field, wanted);
                }
                let before = slot.value.clone();
                let mut changed = Vec::new();
                let is_changed = slot.change((field.layout)(), parts, wanted, &mut changed);
                self.note_change();
                if !is_changed || !self.checks_hold(record, level) {
                    self.slots[at].value = before;
                    self.note_change();
                    return false;
                }
                let Some(making) = &mut self.making else { return false };
                for (start, bytes) in changed {
                    making.bytes[start..start + bytes.len()].copy_from_slice(&bytes);
                }
                true
            }
            _ => false,
        }
    }
}

/// Returns the numbers of which an assertion says that a field, or a part of it, has one; none if there is no such
/// assertion.
fn allowed(field: &Field, slot: usize, parts: &[&str]) -> Option<Vec<i128>> {
    fn collect(
        expression: &Expression,
        is_it: &dyn Fn(&Expression) -> bool,
        out: &mut Vec<i128>,
    ) -> bool {
        match expression {
            Expression::Binary(left, Operator::Or, right) => {
                collect(left, is_it, out) && collect(right, is_it, out)
            }
            Expression::Binary(
                left,
                Operator::Eq,
                Expression::Number(number) | Expression::Constant(number, _),
            ) if is_it(left) => {
                out.push(*number);
                true
            }
            _ => false,
        }
    }
    let is_it = |it: &Expression| match it {
        Expression::Field(at, path, _) => usize::from(*at) == slot && *path == parts,
        _ => false,
    };
    field.checks.iter().find_map(|check| {
        let mut out = Vec::new();
        collect(&check.condition, &is_it, &mut out).then_some(out)
    })
}

/// Returns the numbers with which conditions of a record compare a field, or parts of it: of each condition the first.
fn constants(record: &'static Record, slot: usize, parts: &[&str]) -> Vec<i128> {
    fn number(expression: &Expression) -> Option<i128> {
        match expression {
            Expression::Number(number) | Expression::Constant(number, _) => Some(*number),
            _ => None,
        }
    }
    fn collect(expression: &Expression, is_it: &dyn Fn(&Expression) -> bool, out: &mut Vec<i128>) {
        match expression {
            Expression::Binary(left, Operator::And | Operator::Or, right) => {
                collect(left, is_it, out);
                collect(right, is_it, out);
            }
            Expression::Binary(left, Operator::Eq | Operator::Ge | Operator::Le, right) => {
                let other = if is_it(left) {
                    right
                } else if is_it(right) {
                    left
                } else {
                    return;
                };
                out.extend(number(other).filter(|it| !out.contains(it)));
            }
            _ => {}
        }
    }
    let is_it = |it: &Expression| match it {
        Expression::Field(at, path, _) => usize::from(*at) == slot && *path == parts,
        _ => false,
    };
    let mut out = Vec::new();
    let whens = record.fields.iter().filter_map(|field| field.when.as_ref());
    whens.for_each(|when| collect(when, &is_it, &mut out));
    out
}

/// Adds the texts with which conditions of a record compare a field or parameter, also those of the records that it is
/// handed to.
fn texts_of(record: &'static Record, name: &Expression, depth: u32, out: &mut Vec<&'static [u8]>) {
    fn is_same(one: &Expression, other: &Expression) -> bool {
        match (one.place(), other) {
            (Some(Expression::Field(one, [], _)), Expression::Field(other, ..))
            | (Some(Expression::Parameter(one, [], _)), Expression::Parameter(other, ..)) => {
                one == other
            }
            _ => false,
        }
    }
    fn collect(expression: &Expression, name: &Expression, out: &mut Vec<&'static [u8]>) {
        match expression {
            Expression::Bytes(of, _, text) if is_same(of, name) && !out.contains(text) => {
                out.push(text);
            }
            Expression::Binary(left, _, right) => {
                collect(left, name, out);
                collect(right, name, out);
            }
            Expression::Not(inner) => collect(inner, name, out),
            _ => {}
        }
    }
    if depth == 0 {
        return;
    }
    let checks = record.checks.iter().chain(record.fields.iter().flat_map(|it| it.checks));
    let whens = record.fields.iter().filter_map(|field| field.when.as_ref());
    checks.map(|it| &it.condition).chain(whens).for_each(|it| collect(it, name, out));
    for field in record.fields {
        let mut arguments = field.arguments;
        if let Arguments::Many(all) = arguments
            && let Some((_, inner)) = all.iter().find(|it| it.0 == "inner")
        {
            arguments = *inner;
        }
        let Arguments::Many(all) = arguments else { continue };
        for (_, argument) in all {
            if let Arguments::One(argument) = argument {
                collect(argument, name, out);
            }
        }
        let handed = all
            .iter()
            .position(|(_, it)| matches!(it, Arguments::One(argument) if is_same(argument, name)));
        let Some(index) = handed else { continue };
        let parameter = Expression::Parameter(index as u16, &[], "");
        let mut layout = (field.layout)().inner();
        while let Layout::Array(_, of) | Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) =
            layout
        {
            layout = of().inner();
        }
        match layout {
            Layout::Record(record) => texts_of(record, &parameter, depth - 1, out),
            Layout::Choice(choice) => {
                for variant in choice.variants {
                    variant.when.iter().for_each(|it| collect(it, &parameter, out));
                    texts_of(&variant.record, &parameter, depth - 1, out);
                }
            }
            _ => {}
        }
    }
}

/// Returns the form of a number whose length is up to its value.
fn varint(layout: Layout) -> Option<&'static VarintForm> {
    match layout {
        Layout::Varint(form) => Some(form),
        Layout::Same(of) => varint(of()),
        _ => None,
    }
}

/// Returns whether an enum's number has a name, where it needs one.
pub(super) fn accepts(layout: Layout, number: i128) -> bool {
    match layout {
        Layout::Integer { names, open, .. } => {
            open || names.is_empty() || names.iter().any(|it| it.0 == number)
        }
        Layout::Same(of) => accepts(of(), number),
        _ => true,
    }
}

//! Opening a field: reading or making a number, entering a list, region or record, choosing a variant.

use super::inspecting::may_end;
use super::making::MOST_MADE;
use super::names::accepts;
use super::{
    Bound, Fields, Kind, Length, Level, MOST_DEFERRED, Name, Slot, Step, StepKind, Value, Walk,
};
use crate::error::{Error, Result};
use crate::schema::{
    Arguments, Choice, Coding, End, EndKind, Expression, Field, Layout, Magic, Meaning, Names,
    Order, Record, Schema, Typed, Undecoded, Variant, VarintForm, Word, low_bits, raw,
};
use crate::wire::{cut_region, missing, needed, no_end, not_coded, rule, too_deep, wrong_varint};

/// The parameters of a choice, evaluated once for the conditions of all variants.
struct Parameters([Option<Typed>; 8]);

impl Names for Parameters {
    fn number(&mut self, name: &Expression) -> Option<Typed> {
        match name {
            Expression::Parameter(index, [], _) => *self.0.get(usize::from(*index))?,
            _ => None,
        }
    }

    fn bytes(&mut self, _: &Expression) -> Option<Vec<u8>> {
        None
    }
}

impl<'b> Walk<'b> {
    pub(super) fn open_field(&mut self, frame: usize) -> Result<Option<Step>> {
        let Kind::Record { record, base, next, big, is_open, .. } = &mut self.levels[frame].kind
        else {
            return Ok(None);
        };
        let (field, slot) = (&record.fields[*next], *base + *next);
        *next += 1;
        *is_open = true;
        self.big = *big;
        self.tail = Name::of(field);
        let at = self.at;
        self.slots.truncate(slot);
        self.slots.push(Slot {
            start: at,
            end: at,
            value: Value::None,
            big: self.big,
            frozen: 0,
            computed: field.computed.as_ref(),
        });
        if let Some(magic) = field.magic {
            return self.magic(magic, field).map(Some);
        }
        if let Some(computed) = &field.computed {
            let Some((number, ty)) = self.value(computed, frame) else {
                return self.without_value(computed);
            };
            self.slots[slot].value = Value::Number(number, ty);
            let value = self.slots[slot].value.clone();
            return Ok(Some(self.step_of(
                StepKind::Computed,
                Name::of(field),
                at,
                Some(field),
                value,
            )));
        }
        if let Some(when) = &field.when {
            if self.making.is_some() && !self.is_by_tag(when, frame) {
                let wanted = self.wants_field();
                self.solve(when, frame, wanted.into());
            }
            if self.number(when, frame)? == 0 {
                return Ok(None);
            }
        }
        self.big = self.order(&field.order, frame)?;
        let layout = (field.layout)();
        // The reader evaluates every argument, used or not. Those of a record are evaluated when it opens.
        let has_arguments = !matches!(field.arguments, Arguments::None);
        if has_arguments && self.making.is_none() && !matches!(layout.inner(), Layout::Record(_)) {
            self.evaluate(&field.arguments, frame)?;
        }
        if self.is_left_out(layout) {
            return Ok(None);
        }
        let bound = Bound { arguments: &field.arguments, frame, index: None };
        self.open(layout, bound, Name::of(field), Some(field)).map(Some)
    }

    /// Returns whether there is no step for a field: it is deferred or missing at the end.
    fn is_left_out(&mut self, layout: Layout) -> bool {
        match layout {
            Layout::Same(of) => self.is_left_out(of()),
            Layout::OrEnd(of) => self.at == self.end || self.is_left_out(of()),
            Layout::Deferred(_) | Layout::Nested(_) if !self.has_deferred => {
                self.has_skipped = true;
                true
            }
            _ => false,
        }
    }

    /// Enters a deferred place.
    fn defer(&mut self) -> Result<()> {
        if self.deferred >= MOST_DEFERRED {
            return self.fault(too_deep(self.at as u64, MOST_DEFERRED));
        }
        self.deferred += 1;
        self.has_entered = true;
        self.push(Kind::Deferred, Name::Same, self.at);
        Ok(())
    }

    /// Returns the family's layout for a place.
    fn nested(&mut self, id: u16) -> Result<Layout> {
        let nested = self.family.nested(id, &Fields::new(self));
        nested.ok_or_else(|| {
            let found = Fields::new(self).found();
            let expected = "what the format knows";
            self.placed(Error::new(rule::RECORD_NESTED, self.at as u64, expected, found))
        })
    }

    fn evaluate(&mut self, arguments: &'static Arguments, frame: usize) -> Result<()> {
        match arguments {
            Arguments::None => Ok(()),
            // A record or word is passed on whole.
            Arguments::One(expression) if expression.place().is_some() => Ok(()),
            Arguments::One(expression) => self.number(expression, frame).map(drop),
            Arguments::Many(all) => all.iter().try_for_each(|(name, inner)| match *name {
                // Opening the list or the region evaluates these.
                // What is up to the position is evaluated for each element.
                "count" | "bytes" | "left" | "each" => Ok(()),
                _ => self.evaluate(inner, frame),
            }),
        }
    }

    fn magic(&mut self, magic: Magic, field: &'static Field) -> Result<Step> {
        let (start, wanted) = (self.at, magic.bytes(self.big));
        let mut missing = 0;
        if self.making.is_some() {
            self.append(&wanted);
        } else {
            missing = self.take(wanted.len() as u64, 1, Layout::List(|| u8::LAYOUT))?;
            let found = &self.bytes()[start..self.at];
            if found != wanted && missing == 0 {
                let (expected, found) = (wanted.escape_ascii(), found.escape_ascii());
                let (expected, found) = (format!("`{expected}`"), format!("`{found}`"));
                let fault = Error::new(rule::RECORD_MAGIC, start as u64, expected, found);
                self.tolerate(fault)?;
            }
        }
        let step = self.step_of(StepKind::Magic, Name::of(field), start, Some(field), Value::None);
        Ok(Step { missing, ..step })
    }

    fn order(&mut self, order: &Order, frame: usize) -> Result<bool> {
        Ok(match order {
            Order::Inherited => self.big,
            Order::Little => false,
            Order::Big => true,
            Order::If(condition, big) => (self.number(condition, frame)? != 0) == *big,
        })
    }

    /// Takes elements of a size. Returns how many of them are missing, which an inspector accepts of lists.
    fn take(&mut self, count: u64, size: usize, layout: Layout) -> Result<u64> {
        let left = self.end - self.at;
        let length = usize::try_from(count).ok().and_then(|count| count.checked_mul(size));
        if let Some(length) = length.filter(|length| *length <= left) {
            self.at += length;
            return Ok(0);
        }
        let (at, left_of_all) = (self.at as u64, left as u64);
        match layout {
            Layout::List(_) | Layout::ToEnd(_) | Layout::Array(..) => {
                self.tolerate(missing(at, left_of_all, count, size))?;
            }
            Layout::Padding(_) => {
                let expected = format!("{} of padding", crate::wire::bytes(count));
                let more = count.saturating_sub(left_of_all);
                return self.fault(Error::incomplete(at, more, expected, left_of_all));
            }
            _ => return self.fault(missing(at, left_of_all, count, size)),
        }
        self.at += left - left % size;
        Ok(count - (left / size) as u64)
    }

    pub(super) fn step_of(
        &mut self,
        kind: StepKind,
        name: Name,
        start: usize,
        field: Option<&'static Field>,
        value: Value,
    ) -> Step {
        Step {
            depth: self.depth,
            name,
            bytes: start..self.at,
            missing: 0,
            big: self.big,
            kind,
            field,
            value,
            odd: None,
        }
    }

    /// Reads or makes a number, or elements in a row.
    fn leaf(
        &mut self,
        layout: Layout,
        name: Name,
        field: Option<&'static Field>,
        (count, size): (u64, usize),
    ) -> Result<Step> {
        let start = self.at;
        let meaning = match layout {
            Layout::Padding(_) => Meaning::Zero,
            _ => field.map_or(Meaning::Plain, |field| field.meaning),
        };
        let missing = if self.making.is_some() {
            self.make(count as usize * size, meaning);
            if size == 1 || matches!(layout, Layout::Array(..)) {
                self.make_text(start);
            }
            0
        } else {
            self.take(count, size, layout)?
        };
        let is_list = matches!(layout, Layout::List(_) | Layout::ToEnd(_));
        let is_kept = is_list && self.open_slot().is_some_and(|(_, is_kept)| is_kept);
        let bytes = &self.bytes()[start..self.at];
        let value = match layout {
            Layout::Integer { number, .. } if bytes.len() <= 8 => {
                Value::Number(number.read(bytes, self.big), number)
            }
            Layout::Word(word) => Value::Word(word, Word::read(bytes, self.big)),
            Layout::List(of) | Layout::ToEnd(of) if is_kept => {
                let total = match of() {
                    Layout::Integer { number, .. } if !number.signed => {
                        let numbers = bytes.chunks_exact(size).map(|it| raw(it, self.big));
                        Some(numbers.fold(0, u64::saturating_add))
                    }
                    _ => None,
                };
                Value::List((bytes.len() / size.max(1)) as u64, total)
            }
            _ => Value::None,
        };
        let value = self.allowed(layout, start, value)?;
        let value = self.tagged(layout, start, value);
        let step = self.filled(layout, name, start, field, value);
        Ok(Step { missing, ..step })
    }

    /// Holds a number to the names that it can have, and a word to parts that are zero.
    fn allowed(&mut self, layout: Layout, start: usize, value: Value) -> Result<Value> {
        match (layout, value) {
            (Layout::Integer { names, number: ty, open: false }, Value::Number(number, _))
                if !names.is_empty()
                    && !self.inspects
                    && !names.iter().any(|it| it.0 == number) =>
            {
                if self.making.is_none() {
                    let known: Vec<String> =
                        names.iter().map(|(number, name)| format!("{number} {name}")).collect();
                    let error = Error::new(
                        rule::RECORD_NUMBER,
                        start as u64,
                        known.join(" or "),
                        number.to_string(),
                    );
                    return self.fault(error);
                }
                let number = names[self.roll(names.len() as u64) as usize].0;
                self.replace(start, ty.bytes(), number as u128);
                Ok(Value::Number(number, ty))
            }
            (Layout::Word(word), Value::Word(_, raw)) if self.making.is_some() => {
                let raw = self.make_parts(word, raw);
                self.replace(start, word.bytes.into(), raw);
                Ok(Value::Word(word, raw))
            }
            (Layout::Word(word), Value::Word(_, raw)) if !self.inspects => {
                let Some((part, value)) = word.unnamed(raw) else {
                    return Ok(Value::Word(word, raw));
                };
                let names = if let Meaning::Names(names) = part.meaning { names } else { &[] };
                let known: Vec<_> =
                    names.iter().map(|(number, name)| format!("{number} {name}")).collect();
                let expected = format!("`{}`: {}", part.name, known.join(" or "));
                let found = value.to_string();
                self.fault(Error::new(rule::RECORD_NUMBER, start as u64, expected, found))
            }
            (_, value) => Ok(value),
        }
    }

    /// Makes a number, or a part of a word, one of those that conditions of the record compare it with.
    fn tagged(&mut self, layout: Layout, start: usize, value: Value) -> Value {
        if self.making.is_none() {
            return value;
        }
        match value {
            Value::Number(_, ty) if ty.bits >= 8 => match self.tag(&[]) {
                Some(number) if ty.holds(number) && accepts(layout, number) => {
                    self.replace(start, ty.bytes(), number as u128);
                    Value::Number(number, ty)
                }
                _ => value,
            },
            Value::Word(word, mut raw) => {
                for part in word.parts {
                    let Some(place) = word.part(part.name) else { continue };
                    if let Some(number) = self.tag(&[part.name])
                        && (0..=i128::from(low_bits(place.1))).contains(&number)
                        && !part.is_zero()
                        && word.unnamed(Word::with(raw, place, number as u64)).is_none()
                    {
                        raw = Word::with(raw, place, number as u64);
                    }
                }
                self.replace(start, word.bytes.into(), raw);
                Value::Word(word, raw)
            }
            value => value,
        }
    }

    pub(super) fn filled(
        &mut self,
        layout: Layout,
        name: Name,
        start: usize,
        field: Option<&'static Field>,
        value: Value,
    ) -> Step {
        let (at, big, makes) = (self.at, self.big, self.making.is_some());
        if let Some((slot, is_kept)) = self.open_slot() {
            (slot.start, slot.end, slot.big) = (start, at, big);
            if is_kept || makes {
                slot.value = value.clone();
            }
        }
        let mut step = self.step_of(StepKind::Leaf(layout), name, start, field, value);
        step.odd = self.odd(layout, &step);
        step
    }

    /// Returns the oddity of the bytes of a field.
    fn odd(&self, layout: Layout, step: &Step) -> Option<Error> {
        if self.making.is_some() || self.inspects {
            return None;
        }
        let (bytes, at) = (&self.bytes()[step.bytes.clone()], step.bytes.start as u64);
        let error = match (step.field.map(|field| field.meaning), layout, &step.value) {
            (Some(Meaning::Zero), ..) | (_, Layout::Padding(_), _) => {
                let wrong = bytes.iter().position(|byte| *byte != 0)?;
                Error::new(rule::RECORD_ZERO, at + wrong as u64, "a zero", bytes[wrong].to_string())
            }
            (Some(Meaning::Family(id)), _, Value::Number(number, _)) => {
                return self.odd_number(id, *number as u64, at);
            }
            (Some(Meaning::Terminated), ..) => match bytes.split_last() {
                Some((0, text)) => return self.odd_text(text, at),
                _ => Error::new(
                    rule::RECORD_TEXT,
                    at + bytes.len() as u64,
                    "a zero at the end of the text",
                    "none",
                ),
            },
            (Some(Meaning::Masked(mask)), ..) => {
                let wrong = masked_text(layout, bytes, mask, step.big).err()?;
                Error::new(rule::RECORD_TEXT, at + wrong as u64, "a masked text", "other bytes")
            }
            (Some(Meaning::Filled(fill)), ..) => {
                let end = bytes.iter().rposition(|byte| *byte != fill).map_or(0, |last| last + 1);
                return self.odd_text(&bytes[..end], at);
            }
            // What follows the text is kept, whatever it is.
            (Some(Meaning::Ended(end, fill)), ..) => {
                let text = up_to(bytes, end);
                // Without its end a text may have the filling after it.
                let text = if text.len() < bytes.len() { text } else { without(bytes, fill) };
                return self.odd_text(text, at);
            }
            (Some(Meaning::Utf16), Layout::Terminated(end), _) => {
                let wrong = utf16_text(layout, end.text(bytes).0, step.big).err()?;
                let found = raw(bytes.get(wrong..wrong + 2)?, step.big).to_string();
                Error::new(rule::RECORD_TEXT, at + wrong as u64, "text in UTF-16", found)
            }
            (Some(Meaning::Utf16), ..) => {
                let wrong = utf16_text(layout, bytes, step.big).err()?;
                let found = raw(&bytes[wrong..wrong + 2], step.big).to_string();
                Error::new(rule::RECORD_TEXT, at + wrong as u64, "text in UTF-16", found)
            }
            (Some(Meaning::Text), ..) => {
                let is_padded = matches!(layout, Layout::Array(..));
                let text = match bytes.iter().position(|byte| *byte == 0) {
                    Some(end) if is_padded => {
                        if let Some(more) = bytes[end..].iter().position(|byte| *byte != 0) {
                            let at = at + (end + more) as u64;
                            let error = Error::new(
                                rule::RECORD_ZERO,
                                at,
                                "zeros after the text",
                                "more bytes",
                            );
                            return Some(error.under(self.path()));
                        }
                        &bytes[..end]
                    }
                    _ => bytes,
                };
                return self.odd_text(text, at);
            }
            (_, Layout::Word(word), Value::Word(_, raw)) => {
                return word.values(*raw).find_map(|(part, number)| match part.meaning {
                    Meaning::Zero if number != 0 => {
                        let expected = format!("`{}` to be zero", part.name);
                        let error = Error::new(rule::RECORD_ZERO, at, expected, number.to_string());
                        Some(error.under(self.path()))
                    }
                    Meaning::Family(id) => self.odd_number(id, number, at),
                    _ => None,
                });
            }
            _ => return None,
        };
        Some(error.under(self.path()))
    }

    fn odd_number(&self, id: u16, number: u64, at: u64) -> Option<Error> {
        let error = self.family.check(id, number, &Fields::new(self))?;
        Some(error.shifted(at).under(self.path()))
    }

    fn odd_text(&self, text: &[u8], at: u64) -> Option<Error> {
        let wrong = std::str::from_utf8(text).err()?.valid_up_to();
        let shown = text[wrong..].iter().take(16).copied().collect::<Vec<_>>();
        let found = format!("\"{}\"", shown.escape_ascii());
        let error = Error::new(rule::RECORD_TEXT, at + wrong as u64, "text in UTF-8", found);
        Some(error.under(self.path()))
    }

    pub(super) fn open(
        &mut self,
        mut layout: Layout,
        mut bound: Bound,
        mut name: Name,
        field: Option<&'static Field>,
    ) -> Result<Step> {
        self.tail = name;
        // A step in a region has the name of the region: the path has it once.
        let shown = name;
        // The bytes that the region around says to have.
        let mut announced = None;
        loop {
            let start = self.at;
            if let Some(size) = layout.bytes_of_numbers() {
                let elements = match layout {
                    Layout::Array(count, of) if self.inspects && field.is_some() => {
                        of().size().map(|size| (count, size))
                    }
                    _ => None,
                };
                return self.leaf(layout, shown, field, elements.unwrap_or((1, size)));
            }
            let list = |of: Layout, bound, length| Kind::List {
                of,
                bound,
                next: 0,
                length,
                at: start,
                empty: 0,
            };
            let (kind, step) = match layout {
                Layout::Same(of) | Layout::OrEnd(of) => {
                    layout = of();
                    continue;
                }
                Layout::Deferred(of) => {
                    if !self.inspects {
                        self.defer()?;
                    }
                    layout = of();
                    continue;
                }
                Layout::Nested(id) if self.inspects => return Ok(self.nested_step(id, name, field)),
                Layout::Nested(id) => {
                    let nested = self.nested(id)?;
                    self.defer()?;
                    (layout, bound) = (nested, Bound::NONE);
                    continue;
                }
                Layout::Padding(multiple) => {
                    let length = self.padding(bound, multiple)?;
                    if self.inspects && field.is_some_and(may_end) {
                        return Ok(self.padding_to_end(layout, shown, field, length));
                    }
                    return self.leaf(layout, shown, field, (length, 1));
                }
                Layout::Integer { number, .. } => {
                    return self.leaf(layout, shown, field, (1, number.bytes()));
                }
                Layout::Float(size) => return self.leaf(layout, shown, field, (1, size.into())),
                Layout::Word(word) => {
                    let around = self.big;
                    self.big = word.is_big.unwrap_or(around);
                    let step = self.leaf(layout, shown, field, (1, word.bytes.into()));
                    self.big = around;
                    return step;
                }
                Layout::Opaque => {
                    let left = if self.making.is_some() { 0 } else { self.end - start };
                    return self.leaf(layout, shown, field, (left as u64, 1));
                }
                Layout::Terminated(end) => return self.terminated(layout, end, shown, field),
                Layout::Varint(form) => return self.varint(layout, form, shown, field),
                Layout::Array(count, of) => {
                    (list(of(), bound, Length::Count(count)), StepKind::List(of(), Some(count)))
                }
                Layout::ToEnd(of) => match self.size_in_row(of()) {
                    Some(size) => {
                        return self.numbers_to_end(layout, shown, field, (size, announced));
                    }
                    None => (list(of(), bound.inner(), Length::ToEnd), StepKind::List(of(), None)),
                },
                Layout::Until(of) => {
                    (list(of(), bound.inner(), Length::Until), StepKind::List(of(), None))
                }
                Layout::List(of) => {
                    let size = self.size_in_row(of());
                    let most = if size.is_some() { MOST_MADE.1 } else { MOST_MADE.0 };
                    let count = self.count(bound, most)?;
                    if let Some(size) = size {
                        return self.leaf(layout, shown, field, (count, size));
                    }
                    if of().slots().is_some() {
                        let kind = list(of(), bound.inner(), Length::Slots(count));
                        let step = StepKind::List(of(), None);
                        let step = self.step_of(step, shown, start, field, Value::None);
                        self.push(kind, name, start);
                        self.tail = Name::Same;
                        return Ok(step);
                    }
                    if let Some(size) = of().size()
                        && self.making.is_none()
                    {
                        let left = (self.end - start) as u64;
                        let is_whole =
                            count.checked_mul(size as u64).is_some_and(|bytes| bytes <= left);
                        if !is_whole && self.cut.is_none() {
                            self.cut = Some(self.placed(missing(start as u64, left, count, size)));
                        }
                    }
                    (
                        list(of(), bound.inner(), Length::Count(count)),
                        StepKind::List(of(), Some(count)),
                    )
                }
                Layout::Within(of) => {
                    announced = Some(self.region(bound, "bytes", name)?);
                    (layout, bound, name) = (of(), bound.inner(), Name::Same);
                    self.tail = name;
                    continue;
                }
                Layout::Coded(coding, _) if !coding.is_in_place => {
                    return self.packed(layout, coding, bound, (shown, field));
                }
                Layout::Coded(coding, of) => {
                    self.open_coded(coding, bound)?;
                    (layout, bound, name) = (of(), bound.inner(), Name::Same);
                    continue;
                }
                Layout::Before(of) => {
                    self.region(bound, "left", name)?;
                    (layout, bound, name) = (of(), bound.inner(), Name::Same);
                    self.tail = name;
                    continue;
                }
                Layout::Record(record) => {
                    return self.record(
                        record,
                        (record.is_deep, record.deepest),
                        bound,
                        (name, shown),
                        field,
                    );
                }
                Layout::Choice(choice) => {
                    let variant = self.choose(choice, bound)?;
                    let deep = (choice.is_deep, choice.deepest);
                    let step = self.record(&variant.record, deep, bound, (name, shown), field)?;
                    let at = choice.variants.iter().position(|it| std::ptr::eq(it, variant));
                    if let (true, Some(at), Some(Level { kind: Kind::Record { before, .. }, .. })) =
                        (self.making.is_some(), at, self.levels.last_mut())
                    {
                        *before = &choice.variants[..at];
                    }
                    return Ok(step);
                }
            };
            let step = self.step_of(step, shown, start, field, Value::None);
            self.push(kind, name, start);
            self.tail = Name::Same;
            return Ok(step);
        }
    }

    /// Returns the step of a content that has other bytes than are in the file: they are one value.
    fn packed(
        &mut self,
        layout: Layout,
        coding: &'static Coding,
        bound: Bound,
        (name, field): (Name, Option<&'static Field>),
    ) -> Result<Step> {
        let start = self.at;
        let key = match bound.named("key") {
            Some(Bound { arguments: Arguments::One(key), frame, .. }) => {
                self.number(key, frame)?;
                self.key(key, frame).unwrap_or_default()
            }
            _ => Vec::new(),
        };
        if self.making.is_some() {
            // The content of no bytes: what is in it is not made.
            self.append(&(coding.encode)(&[], &key).unwrap_or_default());
            return Ok(self.filled(layout, name, start, field, Value::None));
        }
        if (coding.decode)(&self.bytes()[start..self.end], &key).is_none() {
            return self.fault(not_coded(start as u64, coding.name));
        }
        self.leaf(layout, name, field, ((self.end - start) as u64, 1))
    }

    fn numbers_to_end(
        &mut self,
        layout: Layout,
        name: Name,
        field: Option<&'static Field>,
        (size, announced): (usize, Option<usize>),
    ) -> Result<Step> {
        let left = self.end.saturating_sub(self.at);
        let count = match announced {
            _ if self.making.is_some() && self.end != usize::MAX => {
                self.end.saturating_sub(self.at) / size
            }
            _ if self.making.is_some() => self.roll(4) as usize,
            Some(announced) if self.inspects => announced.div_ceil(size),
            _ => left / size,
        };
        if self.making.is_none() && !self.inspects {
            let rest = left % size;
            if rest > 0 {
                let at = self.end - rest;
                return self.fault(missing(at as u64, rest as u64, size as u64, 1));
            }
        }
        self.leaf(layout, name, field, (count as u64, size))
    }

    fn terminated(
        &mut self,
        layout: Layout,
        end: End,
        name: Name,
        field: Option<&'static Field>,
    ) -> Result<Step> {
        let start = self.at;
        if self.making.is_some() {
            let width = usize::from(end.width.max(1));
            let is_fixed = self.end != usize::MAX && end.kind != EndKind::Taken;
            let room = is_fixed.then(|| self.end.saturating_sub(self.at));
            let mut text = match (self.text_tag(), self.begun()) {
                (Some(text), []) => text.to_vec(),
                (_, begun) => begun.to_vec(),
            };
            if text.is_empty() {
                let units = room.map_or_else(|| self.roll(6), |room| room as u64 / width as u64);
                let letter = usize::from(self.big) * usize::from(end.width.saturating_sub(1));
                for _ in 0..units {
                    let mut unit = vec![0; end.width.max(1).into()];
                    unit[letter] = b'a' + self.roll(26) as u8;
                    text.extend(unit);
                }
            }
            text.truncate(end.inside(&text).unwrap_or(text.len()));
            match (end.kind, room) {
                // The end of the region ends it.
                (_, Some(room)) => text.resize(room, b'a'),
                (EndKind::Left, None) => self.begin(end.bytes),
                (_, None) => text.extend(end.bytes),
            }
            self.append(&text);
            return Ok(self.filled(layout, name, start, field, Value::None));
        }
        match end.find(&self.bytes()[start..self.end]) {
            Some((_, length)) => self.leaf(layout, name, field, (length as u64, 1)),
            None => self.fault(no_end(self.end as u64, &end)),
        }
    }

    fn varint(
        &mut self,
        layout: Layout,
        form: &'static VarintForm,
        name: Name,
        field: Option<&'static Field>,
    ) -> Result<Step> {
        let (start, number) = (
            self.at,
            if self.making.is_some() {
                let bits = self.roll(64) as u32;
                let raw = self.roll_wide() >> bits;
                let number = if form.number.signed { (raw as i64).into() } else { raw.into() };
                let (number, bytes) = match (form.encode)(number, None) {
                    Some(bytes) => (number, bytes),
                    None => {
                        let small = i128::from(raw & 127);
                        (small, (form.encode)(small, None).unwrap_or_default())
                    }
                };
                self.append(&bytes);
                number
            } else {
                match (form.decode)(&self.bytes()[self.at..self.end]) {
                    Ok((number, length)) => {
                        self.at += length;
                        number
                    }
                    Err(Undecoded::More) => {
                        let at = self.end as u64;
                        let expected = "one more byte of the number";
                        return self.fault(Error::incomplete(at, 1, expected, 0));
                    }
                    Err(Undecoded::Wrong(found)) => {
                        return self.fault(wrong_varint(self.at as u64, form.number, found));
                    }
                }
            },
        );
        let value = Value::Number(number, form.number);
        Ok(self.filled(layout, name, start, field, value))
    }

    /// Returns the argument `count`.
    fn count(&mut self, bound: Bound, most: u64) -> Result<u64> {
        self.index = bound.index;
        let Some(Bound { arguments: Arguments::One(expression), frame, .. }) = bound.named("count")
        else {
            return self.without_value(&"count");
        };
        if self.making.is_some() {
            let wanted = match self.text_tag() {
                Some(text) => text.len() as u64,
                None => match self.turn_of(expression, frame) {
                    Some(count) => count,
                    None => self.wants_count(),
                },
            };
            // Where an assertion or the expression allows no such count, one of the others will do.
            let others = (1..4).map(|more| (wanted + more) % 4);
            let mut counts = [wanted].into_iter().chain(others).map(i128::from);
            counts.any(|wanted| self.solve(expression, frame, wanted));
        }
        let count = self.number(expression, frame)?;
        // binrw makes `usize::MAX` of an invalid count.
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        if self.making.is_some() && count > most {
            return self.without_value(expression);
        }
        Ok(count)
    }

    /// Returns how many bytes bring the argument up to a multiple.
    fn padding(&mut self, bound: Bound, multiple: u64) -> Result<u64> {
        let Arguments::Many([(_, Arguments::One(expression)), ..]) = bound.arguments else {
            return self.without_value(&"length");
        };
        // An argument of the reader is unsigned.
        match u64::try_from(self.number(expression, bound.frame)?) {
            Ok(length) => Ok(needed(multiple, length)),
            Err(_) => self.without_value(expression),
        }
    }

    /// Enters a region, and returns the size that it should have.
    fn region(&mut self, bound: Bound, argument: &'static str, name: Name) -> Result<usize> {
        let size = bound.named(argument);
        self.index = bound.index;
        let Some(Bound { arguments: Arguments::One(expression), frame, .. }) = size else {
            return self.without_value(&argument);
        };
        let (start, around) = (self.at, self.end);
        let mut announced = 0;
        if self.making.is_none() {
            let size = usize::try_from(self.number(expression, frame)?).unwrap_or(usize::MAX);
            announced = size;
            let end = if argument == "bytes" {
                start.checked_add(size)
            } else {
                around.checked_sub(size)
            };
            match end.filter(|end| (start..=around).contains(end)) {
                Some(end) => self.end = end,
                None if self.inspects => {}
                None => {
                    let left = (around - start) as u64;
                    return self.fault(cut_region(start as u64, size as u64, left));
                }
            }
        } else {
            // A size that has few values is not that of any content: the content fills it.
            if argument == "bytes" && self.has_few_values(expression, frame) {
                self.number(expression, frame)?;
            }
            self.end = self.made_end(expression, frame, (argument, around));
        }
        let size = size.filter(|_| argument == "bytes");
        self.push(Kind::Region { around, size }, name, start);
        Ok(announced)
    }

    /// Returns where a region that is being made ends; a size that may still change has no end.
    fn made_end(
        &mut self,
        expression: &'static Expression,
        frame: usize,
        (argument, around): (&'static str, usize),
    ) -> usize {
        if !self.is_fixed(expression, frame) {
            return usize::MAX;
        }
        let size = self.value(expression, frame).and_then(|it| usize::try_from(it.0).ok());
        match (size, argument) {
            (Some(size), "bytes") => self.at.saturating_add(size),
            (Some(size), _) if around != usize::MAX => around.saturating_sub(size),
            _ => usize::MAX,
        }
    }

    fn record(
        &mut self,
        record: &'static Record,
        (is_deep, deepest): (bool, u32),
        bound: Bound,
        (name, shown): (Name, Name),
        field: Option<&'static Field>,
    ) -> Result<Step> {
        if is_deep && self.deep >= deepest {
            return self.fault(too_deep(self.at as u64, deepest));
        }
        self.deep += u32::from(is_deep);
        let start = self.at;
        let step = self.step_of(StepKind::Record(record), shown, start, field, Value::None);
        let frame = self.push_record(record, bound, name, is_deep);
        if self.making.is_none() {
            self.hold_arguments(frame)?;
        }
        self.tail = Name::Same;
        self.big = self.order(&record.order, frame)?;
        let own = self.big;
        if let Kind::Record { big, .. } = &mut self.levels[frame].kind {
            *big = own;
        }
        Ok(step)
    }

    /// Fails if an argument of a record that is open has no value.
    fn hold_arguments(&mut self, frame: usize) -> Result<()> {
        let Kind::Record { record, bound, arguments, .. } = self.levels[frame].kind else {
            return Ok(());
        };
        for (index, (name, _)) in record.parameters.iter().enumerate() {
            if !matches!(self.arguments.get(arguments + index), Some(Value::None)) {
                continue;
            }
            match self.argument(bound, index, name) {
                // A record or word is passed on whole, whether expressions can use it or not.
                None => {}
                Some(argument) if argument.place().is_some() => {}
                Some(argument) => {
                    self.pop();
                    return self.without_value(argument);
                }
            }
        }
        Ok(())
    }

    /// Opens a level for a record, and returns its number.
    fn push_record(
        &mut self,
        record: &'static Record,
        bound: Bound,
        name: Name,
        is_deep: bool,
    ) -> usize {
        let is_kept = self.open_slot().is_some_and(|(_, is_kept)| is_kept);
        let kind = Kind::Record {
            record,
            bound,
            next: 0,
            base: self.slots.len(),
            arguments: self.bind(record, bound),
            is_kept,
            big: self.big,
            around: self.big,
            is_open: false,
            is_deep,
            sums: 0,
            views: 0,
            before: &[],
        };
        self.push(kind, name, self.at);
        self.levels.len() - 1
    }

    /// Returns the variant whose conditions hold and whose magic is there.
    fn choose(&mut self, choice: &'static Choice, bound: Bound) -> Result<&'static Variant> {
        if self.making.is_some() {
            return self.make_choice(choice, bound);
        }
        let mut parameters = Parameters([None; 8]);
        if let Some(first) = choice.variants.first() {
            let frame = self.push_record(&first.record, bound, Name::Same, false);
            for (index, (name, _)) in choice.parameters.iter().enumerate().take(8) {
                let parameter = Expression::Parameter(index as u16, &[], name);
                parameters.0[index] = self.value(&parameter, frame);
            }
            self.pop();
        }
        let mut magics = Vec::new();
        for variant in choice.variants {
            let mut holds = true;
            for condition in variant.when {
                let value = match condition.value(&mut parameters) {
                    Some((number, _)) => number,
                    // It uses parts of a parameter, or has no value.
                    None => {
                        let frame = self.push_record(&variant.record, bound, Name::Same, false);
                        let number = self.number(condition, frame)?;
                        self.pop();
                        number
                    }
                };
                if value == 0 {
                    holds = false;
                    break;
                }
            }
            if holds {
                let Some(magic) = self.magic_of(variant) else { return Ok(variant) };
                if self.bytes()[self.at..self.end].starts_with(&magic) {
                    return Ok(variant);
                }
                magics.push(magic);
            }
        }
        let shown = |bytes: &[u8]| format!("`{}`", bytes.escape_ascii());
        let mut expected = format!("a variant of {}", choice.name);
        if !magics.is_empty() {
            let all: Vec<_> = magics.iter().map(|magic| shown(magic)).collect();
            expected = format!("{expected}: {}", all.join(" or "));
        }
        let rest = &self.bytes()[self.at..self.end];
        let is_begun = magics.iter().filter(|magic| magic.starts_with(rest));
        if let Some(more) = is_begun.map(|magic| magic.len() - rest.len()).min() {
            let (at, left) = (self.at as u64, rest.len() as u64);
            return self.fault(Error::incomplete(at, more as u64, expected, left));
        }
        let mut found = Vec::new();
        for (index, (name, _)) in choice.parameters.iter().enumerate().take(8) {
            found.extend(parameters.0[index].map(|(number, _)| format!("{name} = {number}")));
        }
        let found = match found.is_empty() {
            true => shown(rest.get(..8).unwrap_or(rest)),
            false => found.join(", "),
        };
        self.fault(Error::new(rule::RECORD_VARIANT, self.at as u64, expected, found))
    }

    /// Returns the bytes with which a variant begins, if it has a magic.
    fn magic_of(&self, variant: &Variant) -> Option<Vec<u8>> {
        let magic = variant.record.fields.first()?.magic?;
        let big = match variant.record.order {
            Order::Little => false,
            Order::Big => true,
            _ => self.big,
        };
        Some(magic.bytes(big))
    }

    /// Chooses a variant, and makes its conditions hold.
    fn make_choice(&mut self, choice: &'static Choice, bound: Bound) -> Result<&'static Variant> {
        let count = choice.variants.len();
        let first = self.roll(count as u64) as usize;
        let is_full = self.is_full();
        let is_last = |tried: usize| tried + 1 == count;
        for tried in 0..count {
            let index = (first + tried) % count;
            let variant = &choice.variants[index];
            let fields = variant.record.fields;
            let holds_list = fields.iter().any(|field| {
                matches!((field.layout)(), Layout::List(of) if of().bytes_of_numbers().is_none())
            });
            let is_simple =
                fields.iter().all(|field| (field.layout)().bytes_of_numbers().is_some());
            let is_skipped = if is_full { !is_simple } else { self.is_deep() && !holds_list };
            if is_skipped && !is_last(tried) {
                continue;
            }
            let frame = self.push_record(&variant.record, bound, Name::Same, false);
            let mut holds = variant.when.iter().all(|condition| self.solve(condition, frame, 1));
            for other in &choice.variants[..index] {
                let has_magic =
                    other.record.fields.first().is_some_and(|field| field.magic.is_some());
                let is_chosen = !has_magic
                    && !other.when.is_empty()
                    && other
                        .when
                        .iter()
                        .all(|it| self.value(it, frame).is_some_and(|it| it.0 != 0));
                holds &= !is_chosen;
            }
            if holds {
                for condition in choice.variants.iter().flat_map(|variant| variant.when) {
                    self.freeze(condition, frame);
                }
            }
            self.pop();
            if holds {
                return Ok(variant);
            }
        }
        let expected = format!("a variant of {}", choice.name);
        self.fault(Error::new(
            rule::RECORD_VARIANT,
            self.at as u64,
            expected,
            "none that can be made",
        ))
    }
}

/// Returns the bytes before the first one of a kind.
pub(crate) fn up_to(bytes: &[u8], end: u8) -> &[u8] {
    bytes.split(|byte| *byte == end).next().unwrap_or_default()
}

/// Returns bytes without those of a kind at their end.
pub(crate) fn without(bytes: &[u8], fill: u8) -> &[u8] {
    &bytes[..bytes.iter().rposition(|byte| *byte != fill).map_or(0, |last| last + 1)]
}

/// Returns a text in UTF-16, without the zeros after it in a place of fixed size, or the position that is wrong.
pub(crate) fn utf16_text(
    layout: Layout,
    bytes: &[u8],
    big: bool,
) -> std::result::Result<String, usize> {
    let mut units: Vec<u16> = bytes.chunks_exact(2).map(|unit| raw(unit, big) as u16).collect();
    if matches!(layout, Layout::Array(..)) {
        let end = units.iter().rposition(|unit| *unit != 0).map_or(0, |last| last + 1);
        units.truncate(end);
    }
    let (mut text, mut at) = (String::new(), 0);
    for letter in char::decode_utf16(units) {
        let letter = letter.map_err(|_| at)?;
        text.push(letter);
        at += 2 * letter.len_utf16();
    }
    Ok(text)
}

/// Returns a text whose bytes are combined with a mask by XOR, without the zeros after it, or the position that is
/// wrong.
pub(crate) fn masked_text(
    layout: Layout,
    bytes: &[u8],
    mask: u8,
    big: bool,
) -> std::result::Result<String, usize> {
    let plain: Vec<u8> = bytes.iter().map(|byte| byte ^ mask).collect();
    let is_wide = matches!(layout, Layout::List(of) | Layout::ToEnd(of) if of().size() == Some(4));
    if is_wide {
        let letter = |(index, chunk): (usize, &[u8])| {
            char::from_u32(raw(chunk, big) as u32).ok_or(index * 4)
        };
        return plain.chunks_exact(4).enumerate().map(letter).collect();
    }
    let end = plain.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    match std::str::from_utf8(&plain[..end]) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => Err(error.valid_up_to()),
    }
}

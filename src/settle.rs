//! Sets counts, sizes, tags and flags of a value from its content.
//!
//! Each value *wants* certain arguments from its reader: a list its length, a region its size, a variant its
//! conditions. The record around solves the argument's expression for the wanted number, which sets one of its fields,
//! or wants a parameter of that record in turn.

use binrw::{BinWrite, Endian};

use crate::error::{Error, Path, Result};
use crate::schema::{Arguments, Expression, Integer, Layout, Meaning, Order, Record, Variant};
use crate::schema::{Names, SetNames, Typed};
use crate::wire::{
    Before, Block, Deferred, Each, Nested, Number, Numbered, Open, OrEnd, Padding, Slice,
    Terminated, ToEnd, Until, Varint, Within, error_of, rule,
};

/// The arguments that a value needs to be read again.
#[derive(Debug, Default)]
pub struct Wants {
    count: Option<u64>,
    bytes: Option<u64>,
    present: Option<bool>,
    parameters: Vec<(usize, i128)>,
    /// Results that were wanted before, and must still hold.
    held: Vec<(Expression, i128)>,
    record: Option<&'static Record>,
    /// The errors of wants that cannot be fulfilled.
    wrong: Vec<Error>,
    inner: Option<Box<Wants>>,
}

impl Wants {
    /// Returns the wants of a list of numbers.
    #[must_use]
    pub fn count(count: usize) -> Self {
        Self { count: Some(count as u64), ..Self::default() }
    }

    /// Returns the wants of a field that is present or absent.
    pub(crate) fn presence(present: bool, inner: Self) -> Self {
        Self { present: Some(present), ..inner }
    }

    /// Returns the wants of a region, whose size may be an argument.
    pub(crate) fn region(bytes: Option<u64>, inner: Self) -> Self {
        Self { bytes, inner: Some(Box::new(inner)), ..Self::default() }
    }

    /// Returns the first error.
    pub(crate) fn result(self) -> Result<()> {
        self.wrong.into_iter().next().map_or(Ok(()), Err)
    }
}

/// The current arguments, so that correct values are kept.
#[derive(Debug)]
pub enum Given {
    /// Nothing is known.
    None,
    /// A number.
    One(i128),
    /// Several arguments.
    Many(Vec<(&'static str, Given)>),
}

impl Given {
    /// Returns an argument by its position.
    #[must_use]
    pub fn parameter(&self, index: usize) -> Option<i128> {
        match self {
            Self::Many(all) => match all.get(index) {
                Some((_, Self::One(number))) => Some(*number),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the arguments of the elements of a list, or of the content of a region.
    pub(crate) fn inner(&self) -> &Self {
        match self {
            Self::Many(all) => {
                all.iter().find(|it| it.0 == "inner").map_or(&Self::None, |it| &it.1)
            }
            _ => &Self::None,
        }
    }
}

/// A value whose counts can be set.
pub trait Settle {
    /// Returns the variant, and the fields with their positions in the record.
    fn parts(&mut self) -> (usize, Vec<(usize, &mut dyn Settle)>) {
        (0, Vec::new())
    }

    /// Sets the content, and returns the wants of the value.
    fn settle(&mut self, given: &Given) -> Wants {
        let _ = given;
        Wants::default()
    }

    /// Returns the number at a path, after setting it.
    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        let _ = (path, to);
        None
    }

    /// Returns the bytes of the text or array at a path, which functions read.
    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        let _ = path;
        None
    }

    /// Makes zeros in a field that is declared to be zero: as many as earlier fields give. Returns whether that is
    /// possible.
    fn fill(&mut self, count: i128) -> bool {
        let _ = count;
        false
    }
}

/// Zeros that are filled in, at most.
const MOST_FILLED: usize = 1 << 16;

/// Returns a number of zeros that may be filled in.
pub(crate) fn filled(count: i128) -> Option<usize> {
    usize::try_from(count).ok().filter(|count| *count <= MOST_FILLED)
}

/// The fields of a record: the variant, and each field with its position.
pub type Parts<'v> = (usize, Vec<(usize, &'v mut dyn Settle)>);

/// The order of bytes of a record, and for each field its order and its arguments.
pub(crate) type Plan = (bool, Vec<(bool, Given)>);

/// Returns how a record is written; nothing where an expression has no value.
pub(crate) fn plan(
    layout: Layout,
    (variant, parts): Parts<'_>,
    given: &Given,
    around: bool,
) -> Option<Plan> {
    let (record, _) = record_of(layout, variant)?;
    let slots: Vec<usize> = parts.iter().map(|part| part.0).collect();
    let wants = Wants { record: Some(record), ..Wants::default() };
    let mut frame = Frame { parts, wants, given, place: "", later: None };
    let big = frame.order(&record.order, around)?;
    let mut fields = Vec::with_capacity(slots.len());
    for slot in slots {
        let field = &record.fields[slot];
        fields.push((frame.order(&field.order, big)?, frame.now(&field.arguments)));
    }
    Some((big, fields))
}

/// Sets everything in a record, and returns what it wants of its parameters.
pub fn settle_record(layout: Layout, (variant, parts): Parts<'_>, given: &Given) -> Wants {
    let Some((record, when)) = record_of(layout, variant) else { return Wants::default() };
    let wants = Wants { record: Some(record), ..Wants::default() };
    let mut frame = Frame { parts, wants, given, place: "", later: None };
    for condition in when {
        frame.want(condition, 1, None);
    }
    frame.avoid(earlier(layout, variant));
    let mut conditions = Vec::new();
    frame.later = Some(Vec::new());
    for index in 0..frame.parts.len() {
        let slot = frame.parts[index].0;
        let field = &record.fields[slot];
        let now = frame.now(&field.arguments);
        let mut wants = frame.parts[index].1.settle(&now);
        let inner =
            wants.inner.as_mut().map(|inner| std::mem::take(&mut inner.wrong)).unwrap_or_default();
        let wrong = std::mem::take(&mut wants.wrong).into_iter().chain(inner);
        let named = |error: Error| {
            if field.name.is_empty() || field.inline { error } else { error.within(field.name) }
        };
        frame.wants.wrong.extend(wrong.map(named));
        let zeros = (field.meaning == Meaning::Zero).then_some(index);
        if wants.present != Some(false) {
            frame.place = if field.inline { "" } else { field.name };
            frame.want_arguments(&field.arguments, &wants, zeros);
            frame.place = "";
        }
        if let (Some(condition), Some(present)) = (&field.when, wants.present) {
            conditions.push((condition, present, zeros, field));
        }
    }
    // A count has one solution and a condition many: counts come first. One that has none may have one when the
    // conditions hold.
    let later = frame.later.take().unwrap_or_default();
    for (condition, present, zeros, field) in conditions {
        frame.place = if field.inline { "" } else { field.name };
        frame.want(condition, present.into(), zeros);
    }
    for (expression, wanted, place) in later {
        frame.place = place;
        frame.want(&expression, wanted, None);
    }
    frame.wants
}

/// Returns or sets the number at a path in a record.
pub fn access(
    layout: Layout,
    (variant, mut parts): Parts<'_>,
    path: &[&str],
    to: Option<i128>,
) -> Option<i128> {
    let (record, _) = record_of(layout, variant)?;
    let (first, rest) = path.split_first()?;
    parts.iter_mut().find(|part| record.fields[part.0].name == *first)?.1.access(rest, to)
}

/// Returns the bytes at a path in a record.
pub fn bytes<'v>(
    layout: Layout,
    (variant, parts): Parts<'v>,
    path: &[&str],
) -> Option<&'v mut [u8]> {
    let (record, _) = record_of(layout, variant)?;
    let (first, rest) = path.split_first()?;
    parts.into_iter().find(|part| record.fields[part.0].name == *first)?.1.bytes(rest)
}

fn record_of(layout: Layout, variant: usize) -> Option<(&'static Record, &'static [Expression])> {
    match layout {
        Layout::Record(record) => Some((record, &[])),
        Layout::Choice(choice) => {
            let variant = choice.variants.get(variant)?;
            Some((&variant.record, variant.when))
        }
        _ => None,
    }
}

/// Returns the variants that a reader tries before this one.
fn earlier(layout: Layout, variant: usize) -> &'static [Variant] {
    match layout {
        Layout::Choice(choice) => choice.variants.get(..variant).unwrap_or_default(),
        _ => &[],
    }
}

/// A record that is being settled.
struct Frame<'v, 'g> {
    parts: Vec<(usize, &'v mut dyn Settle)>,
    wants: Wants,
    given: &'g Given,
    /// The name of the field whose wants are fulfilled.
    place: &'static str,
    /// Wants that could not be fulfilled, with the names of their fields, while there are conditions to come.
    later: Option<Vec<(Expression, i128, &'static str)>>,
}

/// Numbers that a field is tried with, at most, where an expression cannot be solved.
const MOST_TRIED: i128 = 1 << 16;

impl Frame<'_, '_> {
    fn now(&mut self, arguments: &Arguments) -> Given {
        match arguments {
            Arguments::None => Given::None,
            Arguments::One(expression) => {
                expression.value(self).map_or(Given::None, |(number, _)| Given::One(number))
            }
            Arguments::Many(all) => {
                Given::Many(all.iter().map(|(name, inner)| (*name, self.now(inner))).collect())
            }
        }
    }

    fn order(&mut self, order: &Order, around: bool) -> Option<bool> {
        Some(match order {
            Order::Inherited => around,
            Order::Little => false,
            Order::Big => true,
            Order::If(condition, big) => (condition.value(self)?.0 != 0) == *big,
        })
    }

    fn want_arguments(&mut self, arguments: &Arguments, wants: &Wants, zeros: Option<usize>) {
        let Arguments::Many(all) = arguments else { return };
        for (index, (name, argument)) in all.iter().enumerate() {
            let wanted = match *name {
                "count" => wants.count.map(i128::from),
                "bytes" => wants.bytes.map(i128::from),
                "inner" => {
                    if let Some(inner) = &wants.inner {
                        self.want_arguments(argument, inner, None);
                    }
                    None
                }
                _ => wants.parameters.iter().find(|it| it.0 == index).map(|it| it.1),
            };
            if let (Some(wanted), Arguments::One(expression)) = (wanted, argument) {
                self.want(expression, wanted, zeros);
            }
        }
    }

    /// Gives an expression a value. If that is not possible, the part at `zeros` gets the length that the expression
    /// has.
    fn want(&mut self, expression: &Expression, wanted: i128, zeros: Option<usize>) {
        if expression.value(self).is_some_and(|it| it.0 == wanted) {
            self.wants.held.push((*expression, wanted));
            return;
        }
        let is_solved = expression.solve(wanted, self);
        // Earlier wants must still hold: two wants of different numbers are a mistake in the value.
        self.wants.held.push((*expression, wanted));
        let held = self.wants.held.clone();
        let holds =
            held.iter().all(|(it, wanted)| it.value(self).is_some_and(|it| it.0 == *wanted));
        if is_solved && holds || self.search(expression) {
            return;
        }
        // What this attempt has changed of earlier numbers is taken back.
        for (other, wanted) in &held[..held.len() - 1] {
            if other.value(self).is_none_or(|it| it.0 != *wanted) {
                other.solve(*wanted, self);
            }
        }
        if let Some(zeros) = zeros {
            self.wants.held.pop();
            let count = expression.value(self);
            if count.is_some_and(|it| self.parts[zeros].1.fill(it.0)) {
                return;
            }
        }
        if let Some(later) = &mut self.later {
            if zeros.is_none() {
                self.wants.held.pop();
            }
            later.push((*expression, wanted, self.place));
            return;
        }
        let found = "no number of a field that gives it";
        let expected = format!("`{expression}` to be {wanted}");
        let error = Error::new(rule::RECORD_AGREEMENT, 0, expected, found).nowhere();
        let place = self.place;
        self.wants.wrong.push(if place.is_empty() { error } else { error.within(place) });
    }

    /// Tries the names of an expression with small numbers until everything that is wanted holds.
    fn search(&mut self, expression: &Expression) -> bool {
        // Only the first fault of a value is reported.
        if !self.wants.wrong.is_empty() {
            return false;
        }
        let mut names = Vec::new();
        expression.names(&mut |name| names.push(*name));
        let held = self.wants.held.clone();
        names.into_iter().any(|name| {
            let (old, parameters) = (self.number(&name), self.wants.parameters.clone());
            for number in 0..MOST_TRIED {
                if !self.set(&name, number) {
                    break;
                }
                let mut held = held.iter();
                if held.all(|(it, wanted)| it.value(self).is_some_and(|it| it.0 == *wanted)) {
                    return true;
                }
            }
            if let Some((old, _)) = old {
                self.set(&name, old);
            }
            self.wants.parameters = parameters;
            false
        })
    }

    /// Makes sure that no earlier variant of a choice fits, as the reader takes the first one that does.
    fn avoid(&mut self, earlier: &[Variant]) {
        for variant in earlier {
            let has_magic = variant.record.fields.first().is_some_and(|it| it.magic.is_some());
            let fits =
                |it: &&Expression, frame: &mut Self| it.value(frame).is_some_and(|it| it.0 != 0);
            if has_magic
                || variant.when.is_empty()
                || !variant.when.iter().all(|it| fits(&it, self))
            {
                continue;
            }
            let Some(condition) = variant.when.last() else { continue };
            let others = earlier.iter().filter_map(|it| match it.when {
                [only] if it.record.fields.first().is_none_or(|it| it.magic.is_none()) => {
                    Some((*only, 0))
                }
                _ => None,
            });
            let before = self.wants.held.len();
            self.wants.held.extend(others);
            if !self.search(condition) {
                self.wants.held.truncate(before);
                let expected =
                    format!("`{condition}` not to hold, as it chooses {}", variant.record.name);
                let found = "no number of a field that gives it";
                let error = Error::new(rule::RECORD_AGREEMENT, 0, expected, found).nowhere();
                self.wants.wrong.push(error);
            }
        }
    }

    fn part(&mut self, slot: u16) -> Option<&mut dyn Settle> {
        let part = self.parts.iter_mut().find(|part| part.0 == usize::from(slot))?;
        Some(&mut *part.1)
    }
}

impl Names for Frame<'_, '_> {
    fn number(&mut self, name: &Expression) -> Option<Typed> {
        let (number, ty) = match *name {
            Expression::Field(slot, parts, _) => {
                let record = self.wants.record?;
                let field = &record.fields[usize::from(slot)];
                if let Some(computed) = &field.computed {
                    return computed.value(self);
                }
                let ty = (field.layout)().integer_at(parts);
                (self.part(slot)?.access(parts, None)?, ty)
            }
            Expression::Parameter(index, [], _) => {
                let index = usize::from(index);
                let wanted = self.wants.parameters.iter().find(|it| it.0 == index).map(|it| it.1);
                let number = wanted.or_else(|| self.given.parameter(index))?;
                (
                    number,
                    self.wants.record.map_or(Integer::ANY, |record| record.parameters[index].1),
                )
            }
            _ => return None,
        };
        Some((number, ty))
    }

    fn bytes(&mut self, name: &Expression) -> Option<Vec<u8>> {
        match name {
            Expression::Field(slot, parts, _) => Some(self.part(*slot)?.bytes(parts)?.to_vec()),
            _ => None,
        }
    }
}

impl SetNames for Frame<'_, '_> {
    fn set(&mut self, name: &Expression, number: i128) -> bool {
        match *name {
            Expression::Field(slot, parts, _) => {
                let computed =
                    self.wants.record.and_then(|it| it.fields[usize::from(slot)].computed);
                match computed {
                    Some(computed) => computed.solve(number, self),
                    None => {
                        self.part(slot).and_then(|it| it.access(parts, Some(number)))
                            == Some(number)
                    }
                }
            }
            Expression::Parameter(index, [], _) => {
                self.wants.parameters.retain(|it| it.0 != usize::from(index));
                self.wants.parameters.push((index.into(), number));
                true
            }
            _ => false,
        }
    }

    fn set_bytes(&mut self, name: &Expression, bytes: &[u8]) -> bool {
        let Expression::Field(slot, parts, _) = name else { return false };
        match self.part(*slot).and_then(|it| it.bytes(parts)) {
            Some(there) if there.len() == bytes.len() => {
                there.copy_from_slice(bytes);
                true
            }
            _ => false,
        }
    }
}

/// Sets everything in a value.
pub(crate) fn settle<T: Settle>(value: &mut T) -> Result<()> {
    value.settle(&Given::None).result()
}

/// Counts what is written.
#[derive(Default)]
struct Counting {
    at: u64,
    end: u64,
}

impl binrw::io::Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.at += bytes.len() as u64;
        self.end = self.end.max(self.at);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl binrw::io::Seek for Counting {
    fn seek(&mut self, to: std::io::SeekFrom) -> std::io::Result<u64> {
        let to = match to {
            std::io::SeekFrom::Start(at) => Some(at),
            std::io::SeekFrom::Current(distance) => self.at.checked_add_signed(distance),
            std::io::SeekFrom::End(distance) => self.end.checked_add_signed(distance),
        };
        self.at = to.ok_or(std::io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// Returns the number of bytes that a value takes.
pub(crate) fn measure<T: for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> Result<u64> {
    let mut counting = Counting::default();
    match value.write_options(&mut counting, Endian::Little, ()) {
        Ok(()) => Ok(counting.end),
        Err(error) => Err(error_of(&error, counting.at).nowhere()),
    }
}

/// Numbers that a part of a word can be set to.
pub trait Part: Sized {
    /// Returns the number as the part has it.
    fn part(number: i128) -> Option<Self>;
}

impl Part for bool {
    fn part(number: i128) -> Option<Self> {
        matches!(number, 0 | 1).then_some(number == 1)
    }
}

macro_rules! numbers {
    ($($ty:ident)+) => { $(
        impl Part for $ty {
            fn part(number: i128) -> Option<Self> { number.try_into().ok() }
        }
        impl Settle for $ty {
            fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
                if !path.is_empty() {
                    return None;
                }
                if let Some(to) = to {
                    *self = to.try_into().ok()?;
                }
                Some((*self).into())
            }
        }
    )+ };
}

numbers!(u8 i8 u16 i16 u32 i32 u64 i64);

/// Returns a number as a part of a word has it.
#[must_use]
pub fn part<T: Part>(number: i128) -> Option<T> {
    T::part(number)
}

impl Settle for f32 {}

impl Settle for f64 {}

impl Settle for Terminated {}

impl<K> Settle for Varint<K> {
    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        if !matches!(path, [] | ["value"]) {
            return None;
        }
        if let Some(to) = to {
            self.set(to.try_into().ok()?);
        }
        Some(self.value().into())
    }
}

impl<K: Numbered> Settle for Open<K> {
    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        if !matches!(path, [] | ["number"]) {
            return None;
        }
        if let Some(to) = to {
            *self = Self::of_number(to.try_into().ok()?);
        }
        Some(self.number().into())
    }
}

impl<T: Settle> Settle for Option<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        match self {
            Some(inner) => Wants::presence(true, inner.settle(given)),
            None => Wants::presence(false, Wants::default()),
        }
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        self.as_mut()?.access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        self.as_mut()?.bytes(path)
    }

    fn fill(&mut self, count: i128) -> bool {
        *self = if count == 0 { None } else { self.take() };
        self.is_some() == (count != 0)
    }
}

impl<T: Settle> Settle for Box<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        (**self).settle(given)
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        (**self).access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        (**self).bytes(path)
    }
}

/// Settles elements, all of which want the same of their arguments.
pub(crate) fn elements<T: Settle>(elements: &mut [T], given: &Given) -> Wants {
    let mut merged = Wants::default();
    for (index, element) in elements.iter_mut().enumerate() {
        let mut wants = element.settle(given);
        let mut wrong = std::mem::take(&mut merged.wrong);
        wrong
            .extend(std::mem::take(&mut wants.wrong).into_iter().map(|it| it.within(index as u64)));
        let differs = merged.parameters.iter().find_map(|(number, wanted)| {
            let other = wants.parameters.iter().find(|other| other.0 == *number)?;
            (other.1 != *wanted).then_some((other.1, *wanted))
        });
        if let Some((other, wanted)) = differs {
            let expected = format!("an argument of {wanted}, as the elements in front want");
            let error =
                Error::new(rule::RECORD_AGREEMENT, 0, expected, other.to_string()).nowhere();
            wrong.push(error.under(Path::from(vec![(index as u64).into()])));
        }
        let known = std::mem::take(&mut merged.parameters);
        for (number, wanted) in known {
            if !wants.parameters.iter().any(|it| it.0 == number) {
                wants.parameters.push((number, wanted));
            }
        }
        merged = Wants { wrong, ..wants };
        // Only the first fault of a value is reported.
        if !merged.wrong.is_empty() {
            break;
        }
    }
    merged
}

/// Settles the elements of a list, which wants their number.
pub(crate) fn list<T: Settle>(all: &mut [T], given: &Given) -> Wants {
    let inner = Some(Box::new(elements(all, given.inner())));
    Wants { inner, ..Wants::count(all.len()) }
}

impl<T: Settle + 'static, const N: usize> Settle for [T; N] {
    fn settle(&mut self, given: &Given) -> Wants {
        elements(self, given)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { bytes_of(self) } else { None }
    }
}

/// Returns the bytes of an array of bytes.
fn bytes_of<T: 'static, const N: usize>(array: &mut [T; N]) -> Option<&mut [u8]> {
    let array: &mut dyn std::any::Any = array;
    array.downcast_mut::<[u8; N]>().map(|array| &mut array[..])
}

/// Returns the bytes of a list of bytes.
fn bytes_of_list<T: 'static>(list: &mut Vec<T>) -> Option<&mut [u8]> {
    let list: &mut dyn std::any::Any = list;
    list.downcast_mut::<Vec<u8>>().map(|list| &mut list[..])
}

impl<T: Settle + 'static> Settle for Each<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        list(&mut self.0, given)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { bytes_of_list(&mut self.0) } else { None }
    }
}

impl<T: Settle + 'static> Settle for ToEnd<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        list(&mut self.0, given)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { bytes_of_list(&mut self.0) } else { None }
    }
}

impl<T: Settle> Settle for Until<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        list(&mut self.0, given)
    }
}

impl<T: Number> Settle for Block<T> {
    fn settle(&mut self, _: &Given) -> Wants {
        Wants::count(self.0.len())
    }

    fn access(&mut self, path: &[&str], _: Option<i128>) -> Option<i128> {
        if path == ["total"] { T::total(&self.0).map(i128::from) } else { None }
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { T::as_bytes(&mut self.0) } else { None }
    }

    fn fill(&mut self, count: i128) -> bool {
        let zeros = T::SIZE.zip(filled(count)).map(|(size, count)| vec![0; size * count]);
        zeros.is_some_and(|zeros| {
            self.0 = T::read(zeros, Endian::Little);
            true
        })
    }
}

impl<T: Number> Settle for Slice<'_, T> {
    fn settle(&mut self, _: &Given) -> Wants {
        Wants::count(self.0.len())
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { T::as_bytes(self.0.to_mut()) } else { None }
    }
}

impl<const TO: usize> Settle for Padding<TO> {
    fn settle(&mut self, given: &Given) -> Wants {
        if let Some(length) = given.parameter(0).and_then(|length| u64::try_from(length).ok())
            && self.as_bytes().len() != Self::needed(length)
        {
            *self = Self::after(length);
        }
        Wants::default()
    }
}

impl<T: Settle> Settle for OrEnd<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        self.0.as_mut().map_or_else(Wants::default, |inner| inner.settle(given))
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        self.0.access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        self.0.bytes(path)
    }
}

impl<T> Settle for Deferred<T> {}

impl<const ID: u16> Settle for Nested<ID> {}

impl<T: Settle + for<'a> BinWrite<Args<'a> = ()>> Settle for Within<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        let mut inner = self.0.settle(given.inner());
        let bytes = match measure(&self.0) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                inner.wrong.push(error);
                None
            }
        };
        Wants::region(bytes, inner)
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        self.0.access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        self.0.bytes(path)
    }
}

impl<T: Settle> Settle for Before<T> {
    fn settle(&mut self, given: &Given) -> Wants {
        Wants::region(None, self.0.settle(given.inner()))
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        self.0.access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        self.0.bytes(path)
    }
}

//! Sets counts, sizes, tags and flags of a value from its content.
//!
//! Each value *wants* certain arguments from its reader: a list its length, a region its size, a variant its
//! conditions. The record around solves the argument's expression for the wanted number, which sets one of its fields,
//! or wants a parameter of that record in turn.

use std::ops::Range;

use binrw::{BinWrite, Endian};

use crate::error::{Error, Path, Result};
use crate::schema::{Arguments, Expression, Layout, Meaning, Order, Record, Schema, Variant};
use crate::schema::{Names, SetNames, Typed};
use crate::wire::{
    Before, Block, Code, Coded, Deferred, Each, Ending, Key, Nested, Number, Numbered, Open, OrEnd,
    Padding, Slice, Terminated, TerminatedOrEnd, ToEnd, Until, UpTo, Varint, VarintKind, Within,
    error_of, rule,
};

/// The arguments that a value needs to be read again.
#[derive(Debug, Default)]
pub struct Wants {
    count: Option<u64>,
    bytes: Option<u64>,
    present: Option<bool>,
    /// Wanted values of expressions over the parameters of the value's record.
    conditions: Vec<Want>,
    /// The record of the value.
    record: Option<&'static Record>,
    /// The errors of wants that cannot be fulfilled.
    wrong: Vec<Error>,
    inner: Option<Box<Wants>>,
    /// The wants of each element, where each has other arguments.
    each: Vec<Wants>,
}

/// A result that is wanted of an expression.
#[derive(Clone, Debug)]
struct Want {
    expression: Expression,
    wanted: i128,
    /// The expression, by its address; of a parameter its record and its position.
    key: (usize, usize),
    /// The records through which the expression comes to the one that is settled, the innermost first: parameters of
    /// each are the arguments that the record around hands over.
    chain: Vec<Link>,
    /// Whether it comes down to fields of the record that is settled.
    has_fields: bool,
    /// The parameters of that record that it comes down to, a bit each.
    parameters: u64,
    /// The position of the element that gets the argument.
    index: Option<u64>,
}

/// The arguments that a record hands over.
#[derive(Clone, Copy, Debug)]
struct Link {
    record: &'static Record,
    arguments: &'static [(&'static str, Arguments)],
    /// The position of the element that gets them.
    index: Option<u64>,
}

impl Want {
    fn new(expression: &'static Expression, wanted: i128) -> Self {
        let key = (std::ptr::from_ref(expression) as usize, 0);
        let (has_fields, parameters) = names_of(expression);
        let (expression, chain) = (*expression, Vec::new());
        Self { expression, wanted, key, chain, has_fields, parameters, index: None }
    }

    /// Wants a number of a parameter.
    fn parameter(record: &'static Record, index: usize, wanted: i128) -> Self {
        let expression = Expression::Parameter(index as u16, &[], record.parameters[index].0);
        let key = (std::ptr::from_ref(record) as usize, index + 1);
        let (has_fields, parameters) = names_of(&expression);
        let chain = Vec::new();
        Self { expression, wanted, key, chain, has_fields, parameters, index: None }
    }

    /// Returns whether the record around has to see to it: it comes down to parameters alone.
    const fn is_of_around(&self) -> bool {
        !self.has_fields && self.parameters != 0
    }

    /// Comes to the record around, which hands these arguments over.
    fn link(&mut self, link: Link) {
        let (mut has_fields, mut parameters) = (false, 0);
        for (index, (_, argument)) in link.arguments.iter().enumerate() {
            if self.parameters >> index.min(63) & 1 == 1
                && let Arguments::One(argument) = argument
            {
                let names = names_of(argument);
                has_fields |= names.0;
                parameters |= names.1;
            }
        }
        (self.has_fields, self.parameters) = (has_fields, parameters);
        self.chain.push(link);
    }

    /// Returns whether two wants are about the same expression.
    fn is_about(&self, other: &Self) -> bool {
        let mut links = self.chain.iter().zip(&other.chain);
        (self.key, self.index) == (other.key, other.index)
            && self.chain.len() == other.chain.len()
            && links.all(|(one, other)| {
                std::ptr::eq(one.arguments, other.arguments) && one.index == other.index
            })
    }
}

/// Returns whether an expression has fields in it, and its parameters, a bit each.
fn names_of(expression: &Expression) -> (bool, u64) {
    let (mut has_fields, mut parameters) = (false, 0);
    expression.names(&mut |name| match name {
        Expression::Parameter(index, ..) => parameters |= 1 << (*index).min(63),
        _ => has_fields = true,
    });
    (has_fields, parameters)
}

impl Wants {
    /// Returns the wants of a list of numbers.
    #[must_use]
    pub fn count(count: usize) -> Self {
        Self { count: Some(count as u64), ..Self::default() }
    }

    /// Wants another count than the number of elements: some count as several.
    #[must_use]
    pub(crate) fn counting(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
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
    /// The bytes of a key.
    Key(Vec<u8>),
    /// The arguments of each element.
    Each(Vec<Given>),
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

    /// Returns the arguments of each element of a list, where each gets its own.
    fn each(&self) -> Option<&[Self]> {
        match self {
            Self::Many(all) => all.iter().find_map(|it| match &it.1 {
                Self::Each(each) => Some(&each[..]),
                _ => None,
            }),
            _ => None,
        }
    }

    /// Returns the arguments of an element of a list.
    pub(crate) fn element(&self, index: usize) -> &Self {
        self.each().map_or_else(|| self.inner(), |each| each.get(index).unwrap_or(&Self::None))
    }

    /// Returns the key of a coded content.
    pub(crate) fn key(&self) -> Option<&[u8]> {
        match self {
            Self::Many(all) => all.iter().find_map(|it| match &it.1 {
                Self::Key(key) if it.0 == "key" => Some(&key[..]),
                _ => None,
            }),
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

    /// Computes members without bytes anew, here and in what is inside.
    fn compute(&mut self, given: &Given) {
        let _ = given;
    }

    /// Sets the member without bytes at a position of the record.
    fn set_computed(&mut self, slot: usize, number: i128) {
        let _ = (slot, number);
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

    /// Writes a text or an array at a path, and returns whether that is possible.
    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        match self.bytes(path) {
            Some(there) if there.len() == bytes.len() => {
                there.copy_from_slice(bytes);
                true
            }
            _ => false,
        }
    }

    /// Returns how many bytes the writer makes of a value whose size is not always the same.
    fn measured(&mut self) -> Option<u64> {
        None
    }

    /// Returns a copy of the value, if its type has [`Clone`].
    fn copied(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Puts a zero where an optional number is not there, and returns whether that is possible.
    fn appear(&mut self) -> bool {
        false
    }

    /// Returns the zero of a type of numbers.
    fn zero() -> Option<Self>
    where
        Self: Sized,
    {
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

/// Returns how many elements of a list a record counts as.
pub(crate) fn slots(layout: Layout, (variant, parts): Parts<'_>) -> Option<u64> {
    let Some(slots) = layout.slots() else { return Some(1) };
    let (record, _) = record_of(layout, variant)?;
    let mut frame = Frame::new(record, parts, &Given::None);
    u64::try_from(slots.value(&mut frame)?.0).ok()
}

/// Returns how many elements those of a list count as.
pub(crate) fn counted<T: Schema>(elements: &[T]) -> usize {
    if !T::HAS_SLOTS {
        return elements.len();
    }
    let slots = elements.iter().map(|it| it.slots().unwrap_or(u64::MAX));
    usize::try_from(slots.fold(0, u64::saturating_add)).unwrap_or(usize::MAX)
}

/// Returns how a record is written; nothing where an expression has no value.
pub(crate) fn plan(
    layout: Layout,
    (variant, parts): Parts<'_>,
    given: &Given,
    around: bool,
) -> Option<Plan> {
    let (record, _) = record_of(layout, variant)?;
    let slots: Vec<usize> = parts.iter().map(|part| part.0).collect();
    let mut frame = Frame::new(record, parts, given);
    let big = frame.order(&record.order, around)?;
    let mut fields = Vec::with_capacity(slots.len());
    for slot in slots {
        let field = &record.fields[slot];
        frame.length = frame.part(slot).and_then(|it| it.access(&["len"], None));
        fields.push((frame.order(&field.order, big)?, frame.now(&field.arguments)));
    }
    Some((big, fields))
}

/// Sets everything in a record, and returns what it wants of its parameters.
pub fn settle_record(layout: Layout, (variant, parts): Parts<'_>, given: &Given) -> Wants {
    let Some((record, when)) = record_of(layout, variant) else { return Wants::default() };
    let mut frame = Frame::new(record, parts, given);
    for condition in when {
        frame.want(Want::new(condition, 1), None);
    }
    frame.avoid(earlier(layout, variant));
    let mut conditions = Vec::new();
    frame.later = Some(Vec::new());
    for index in 0..frame.parts.len() {
        let slot = frame.parts[index].0;
        let field = &record.fields[slot];
        frame.length = frame.parts[index].1.access(&["len"], None);
        let now = frame.now(&field.arguments);
        let mut wants = frame.parts[index].1.settle(&now);
        let present = wants.present;
        let inner =
            wants.inner.as_mut().map(|inner| std::mem::take(&mut inner.wrong)).unwrap_or_default();
        let wrong = std::mem::take(&mut wants.wrong).into_iter().chain(inner);
        let named = |error: Error| {
            if field.name.is_empty() || field.inline { error } else { error.within(field.name) }
        };
        frame.wrong.extend(wrong.map(named));
        let zeros = (field.meaning == Meaning::Zero).then_some(index);
        if present != Some(false) {
            frame.place = if field.inline { "" } else { field.name };
            frame.want_arguments(&field.arguments, wants, zeros);
            frame.place = "";
        }
        if let (Some(condition), Some(present)) = (&field.when, present) {
            conditions.push((condition, present, zeros, slot));
        }
    }
    // A count has one solution and a condition many: counts come first. One that has none may have one when the
    // conditions hold.
    let later = frame.later.take().unwrap_or_default();
    for (condition, present, zeros, slot) in conditions {
        let field = &record.fields[slot];
        frame.place = if field.inline { "" } else { field.name };
        frame.want(Want::new(condition, present.into()), zeros);
    }
    for (want, place) in later {
        frame.place = place;
        frame.want(want, None);
    }
    frame.place = "";
    // A number of bytes that is asserted is a size.
    let checks = record.fields.iter().flat_map(|field| field.checks).chain(record.checks);
    for check in checks.filter(|check| check.condition.has_place()) {
        frame.try_to_hold(Want::new(&check.condition, 1));
    }
    frame.into_wants()
}

/// Computes what is in a record anew, and returns its members without bytes, with their positions.
pub fn compute_record(
    layout: Layout,
    (variant, parts): Parts<'_>,
    given: &Given,
) -> Vec<(usize, i128)> {
    let Some((record, _)) = record_of(layout, variant) else { return Vec::new() };
    let mut frame = Frame::new(record, parts, given);
    for index in 0..frame.parts.len() {
        frame.length = frame.parts[index].1.access(&["len"], None);
        let now = frame.now(&record.fields[frame.parts[index].0].arguments);
        frame.parts[index].1.compute(&now);
    }
    let fields = record.fields.iter().enumerate();
    let computed = fields.filter_map(|(slot, field)| Some((slot, field.computed.as_ref()?)));
    computed.filter_map(|(slot, computed)| Some((slot, computed.value(&mut frame)?.0))).collect()
}

/// Returns or sets the number at a path in a record.
pub fn access(
    layout: Layout,
    (variant, parts): Parts<'_>,
    path: &[&str],
    to: Option<i128>,
) -> Option<i128> {
    let (record, _) = record_of(layout, variant)?;
    let (first, rest) = path.split_first()?;
    // If several fields have the name, the last one is meant.
    let slot = record.fields.iter().rposition(|field| field.name == *first)?;
    Frame::new(record, parts, &Given::None).at(slot, rest, to).map(|it| it.0)
}

/// Writes the bytes at a path in a record, and returns whether that is possible.
pub fn set_bytes(layout: Layout, (variant, parts): Parts<'_>, path: &[&str], bytes: &[u8]) -> bool {
    let (Some((record, _)), Some((first, rest))) = (record_of(layout, variant), path.split_first())
    else {
        return false;
    };
    let mut parts = parts.into_iter();
    let part = parts.find(|part| record.fields[part.0].name == *first);
    part.is_some_and(|part| part.1.set_bytes(rest, bytes))
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

/// Returns how many bytes the writer makes of a record.
pub fn measured(layout: Layout, (variant, parts): Parts<'_>) -> Option<u64> {
    let (record, _) = record_of(layout, variant)?;
    Frame::new(record, parts, &Given::None).size(0..record.fields.len())
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
    record: &'static Record,
    parts: Vec<(usize, &'v mut dyn Settle)>,
    given: &'g Given,
    /// Numbers that parameters should have.
    parameters: Vec<(usize, i128)>,
    /// Results that were wanted before, and must still hold.
    held: Vec<Want>,
    wrong: Vec<Error>,
    /// The name of the field whose wants are fulfilled.
    place: &'static str,
    /// The length of the list whose arguments are evaluated, and the position of the element.
    length: Option<i128>,
    index: Option<u64>,
    /// Optional numbers that were not there, and are now.
    appeared: Vec<usize>,
    /// Whether optional numbers may appear.
    may_appear: bool,
    /// Wants that could not be fulfilled, with the names of their fields, while there are conditions to come.
    later: Option<Vec<(Want, &'static str)>>,
}

/// Numbers that a field is tried with, at most, where an expression cannot be solved.
const MOST_TRIED: i128 = 1 << 16;

/// How often wants that take each other back are fulfilled in turn.
const TURNS: usize = 4;

impl<'v, 'g> Frame<'v, 'g> {
    const fn new(
        record: &'static Record,
        parts: Vec<(usize, &'v mut dyn Settle)>,
        given: &'g Given,
    ) -> Self {
        Self {
            record,
            parts,
            given,
            parameters: Vec::new(),
            held: Vec::new(),
            wrong: Vec::new(),
            place: "",
            length: None,
            index: None,
            appeared: Vec::new(),
            may_appear: false,
            later: None,
        }
    }

    /// Returns how many bytes the fields at these positions take.
    fn size(&mut self, slots: Range<usize>) -> Option<u64> {
        let mut sum = 0_u64;
        for slot in slots {
            let field = self.record.fields.get(slot)?;
            let size = match field.size {
                Some(size) => size as u64,
                None if matches!((field.layout)(), Layout::Deferred(_) | Layout::Nested(_)) => 0,
                None => self.part(slot)?.measured()?,
            };
            sum = sum.checked_add(size)?;
        }
        Some(sum)
    }

    fn now(&mut self, arguments: &Arguments) -> Given {
        match arguments {
            Arguments::None => Given::None,
            Arguments::One(expression) => {
                expression.value(self).map_or(Given::None, |(number, _)| Given::One(number))
            }
            Arguments::Many(all) => {
                let given = all.iter().map(|(name, inner)| match inner {
                    Arguments::One(key) if *name == "key" => {
                        (*name, key.key(self).map_or(Given::None, Given::Key))
                    }
                    inner if *name == "each" => {
                        let count = u64::try_from(self.length.unwrap_or(0)).unwrap_or(0);
                        let each = (0..count).map(|index| {
                            self.index = Some(index);
                            self.now(inner)
                        });
                        let each = each.collect();
                        self.index = None;
                        (*name, Given::Each(each))
                    }
                    inner => (*name, self.now(inner)),
                });
                Given::Many(given.collect())
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

    fn want_arguments(
        &mut self,
        arguments: &'static Arguments,
        wants: Wants,
        zeros: Option<usize>,
    ) {
        let Arguments::Many(all) = arguments else { return };
        let (mut inner, mut each) = (wants.inner, wants.each);
        for (name, argument) in *all {
            let wanted = match *name {
                "count" => wants.count.map(i128::from),
                "bytes" => wants.bytes.map(i128::from),
                "inner" => {
                    if let Some(inner) = inner.take() {
                        self.want_arguments(argument, *inner, None);
                    }
                    None
                }
                "each" => {
                    for (index, wants) in std::mem::take(&mut each).into_iter().enumerate() {
                        self.index = Some(index as u64);
                        self.want_arguments(argument, wants, None);
                    }
                    self.index = None;
                    None
                }
                _ => None,
            };
            if let (Some(wanted), Arguments::One(expression)) = (wanted, argument) {
                let index = self.index;
                self.want(Want { index, ..Want::new(expression, wanted) }, zeros);
            }
        }
        let Some(record) = wants.record else { return };
        for mut want in wants.conditions {
            want.link(Link { record, arguments: all, index: self.index });
            if want.is_of_around() {
                self.held.push(want);
            } else {
                self.want(want, zeros);
            }
        }
    }

    fn value_of(&mut self, want: &Want) -> Option<i128> {
        let mut names = Through { frame: self, chain: &want.chain, index: want.index };
        want.expression.value(&mut names).map(|it| it.0)
    }

    fn holds(&mut self, want: &Want) -> bool {
        self.value_of(want) == Some(want.wanted)
    }

    fn solve(&mut self, want: &Want) -> bool {
        let index = want.index;
        let mut names = Through { frame: self, chain: &want.chain, index };
        want.expression.solve(want.wanted, &mut names)
    }

    /// Gives an expression a value. If that is not possible, the part at `zeros` gets the length that the expression
    /// has.
    fn want(&mut self, want: Want, zeros: Option<usize>) {
        if self.holds(&want) {
            self.held.push(want);
            return;
        }
        let is_solved = self.solve(&want);
        let expression = want.expression;
        self.held.push(want.clone());
        // Earlier wants must still hold: two wants of different numbers are a mistake in the value.
        let held = self.held.clone();
        if is_solved && self.hold_all(&held) || self.search(&want) {
            return;
        }
        if self.later.is_none() && self.lengthen(&want) {
            return;
        }
        // What this attempt has changed of earlier numbers is taken back.
        for other in &held[..held.len() - 1] {
            if !self.holds(other) {
                self.solve(other);
            }
        }
        if let Some(zeros) = zeros {
            self.held.pop();
            let count = self.value_of(&want);
            if count.is_some_and(|count| self.parts[zeros].1.fill(count)) {
                return;
            }
        }
        // The record around settles what is up to parameters alone.
        if want.is_of_around() {
            if zeros.is_some() {
                self.held.push(want);
            }
            return;
        }
        if let Some(later) = &mut self.later {
            if zeros.is_none() {
                self.held.pop();
            }
            later.push((want, self.place));
            return;
        }
        let found = "no number of a field that gives it";
        let expected = format!("`{expression}` to be {}", want.wanted);
        let error = Error::new(rule::RECORD_AGREEMENT, 0, expected, found).nowhere();
        let place = self.place;
        self.wrong.push(if place.is_empty() { error } else { error.within(place) });
    }

    /// Gives an expression a value, if what was wanted before still holds then. The comparison says if not.
    fn try_to_hold(&mut self, want: Want) {
        if self.holds(&want) {
            return;
        }
        let held = self.held.clone();
        if !self.solve(&want) || !self.hold_all(&held) {
            for other in &held {
                if !self.holds(other) {
                    self.solve(other);
                }
            }
        }
    }

    /// Takes a longer form, which has numbers that are not there yet, and returns whether it has room for what is wanted.
    fn lengthen(&mut self, want: &Want) -> bool {
        let before = self.held.clone();
        self.may_appear = true;
        let is_solved = self.solve(want);
        self.may_appear = false;
        let appeared = std::mem::take(&mut self.appeared);
        for slot in &appeared {
            if let Some(when) = &self.record.fields[*slot].when {
                let present = Want::new(when, 1);
                self.held.retain(|held| !held.is_about(&present));
                self.held.push(present);
            }
        }
        let held = self.held.clone();
        if is_solved && !appeared.is_empty() && self.hold_all(&held) {
            return true;
        }
        for slot in appeared {
            if let Some(part) = self.part(slot) {
                part.fill(0);
            }
        }
        self.held = before;
        false
    }

    /// Makes all wants hold together: several may be about parts of one number.
    fn hold_all(&mut self, held: &[Want]) -> bool {
        for _ in 0..TURNS {
            let mut all = true;
            for want in held {
                if !self.holds(want) {
                    all = false;
                    self.solve(want);
                }
            }
            if all {
                return true;
            }
        }
        held.iter().all(|want| self.holds(want))
    }

    /// Calls `use_name` with each field and parameter of this record that an expression comes down to.
    fn roots(
        &self,
        expression: &Expression,
        chain: &[Link],
        use_name: &mut dyn FnMut(&Expression),
    ) {
        let Some((link, rest)) = chain.split_first() else { return expression.names(use_name) };
        expression.names(&mut |name| {
            if let Expression::Parameter(index, ..) = name
                && let Some((_, Arguments::One(argument))) = link.arguments.get(usize::from(*index))
            {
                self.roots(argument, rest, use_name);
            }
        });
    }

    /// Tries the names of an expression with small numbers until everything that is wanted holds.
    fn search(&mut self, want: &Want) -> bool {
        // Only the first fault of a value is reported.
        if !self.wrong.is_empty() {
            return false;
        }
        let mut names = Vec::new();
        self.roots(&want.expression, &want.chain, &mut |name| names.push(*name));
        let held = self.held.clone();
        names.into_iter().any(|name| {
            let (old, parameters) = (self.number(&name), self.parameters.clone());
            for number in 0..MOST_TRIED {
                if !self.set(&name, number) {
                    break;
                }
                if held.iter().all(|want| self.holds(want)) {
                    return true;
                }
            }
            if let Some((old, _)) = old {
                self.set(&name, old);
            }
            self.parameters = parameters;
            false
        })
    }

    /// Makes sure that no earlier variant of a choice fits, as the reader takes the first one that does.
    fn avoid(&mut self, earlier: &'static [Variant]) {
        for variant in earlier {
            let has_magic = variant.record.fields.first().is_some_and(|it| it.magic.is_some());
            let fits =
                |it: &Expression, frame: &mut Self| it.value(frame).is_some_and(|it| it.0 != 0);
            let Some(condition) = variant.when.last().filter(|_| !has_magic) else { continue };
            // A text is known to the record around.
            let is_open = |it: &Expression, frame: &mut Self| {
                matches!(it, Expression::Bytes(..)) && it.value(frame).is_none()
            };
            if is_open(condition, self)
                && variant.when.iter().all(|it| is_open(it, self) || fits(it, self))
            {
                self.held.push(Want::new(condition, 0));
                continue;
            }
            if !variant.when.iter().all(|it| fits(it, self)) {
                continue;
            }
            let others = earlier.iter().filter_map(|it| match it.when {
                [only] if it.record.fields.first().is_none_or(|it| it.magic.is_none()) => {
                    Some(Want::new(only, 0))
                }
                _ => None,
            });
            let before = self.held.len();
            self.held.extend(others);
            if !self.search(&Want::new(condition, 0)) {
                self.held.truncate(before);
                let expected =
                    format!("`{condition}` not to hold, as it chooses {}", variant.record.name);
                let found = "no number of a field that gives it";
                let error = Error::new(rule::RECORD_AGREEMENT, 0, expected, found).nowhere();
                self.wrong.push(error);
            }
        }
    }

    /// Returns what the record wants of its parameters.
    fn into_wants(self) -> Wants {
        let Self { record, held, parameters, wrong, .. } = self;
        let mut conditions = Vec::new();
        // A parameter that makes an expression of fields right is wanted as it is.
        let mixed = held.iter().filter(|want| want.has_fields);
        let mixed = mixed.fold(0, |all, want| all | want.parameters);
        for (index, wanted) in parameters {
            if mixed >> index.min(63) & 1 == 1 {
                conditions.push(Want::parameter(record, index, wanted));
            }
        }
        for want in held {
            let is_known = |it: &Want| it.is_about(&want) && it.wanted == want.wanted;
            if want.is_of_around() && !(want.chain.len() < 2 && conditions.iter().any(is_known)) {
                conditions.push(want);
            }
        }
        Wants { conditions, record: Some(record), wrong, ..Wants::default() }
    }

    fn part(&mut self, slot: usize) -> Option<&mut dyn Settle> {
        let part = self.parts.iter_mut().find(|part| part.0 == slot)?;
        Some(&mut *part.1)
    }

    /// Returns the number that a path leads to in a field, after setting it.
    fn at(&mut self, slot: usize, path: &[&str], to: Option<i128>) -> Option<Typed> {
        let field = &self.record.fields[slot];
        if let Some(computed) = &field.computed {
            if let Some(to) = to {
                computed.solve(to, self);
            }
            return if path.is_empty() { computed.value(self) } else { None };
        }
        let ty = (field.layout)().integer_at(path);
        Some((self.part(slot)?.access(path, to)?, ty))
    }

    /// Gives an optional number that is not there a value.
    fn appear(&mut self, slot: usize, to: i128) -> Option<Typed> {
        self.record.fields[slot].when?;
        if !self.may_appear || !self.part(slot)?.appear() {
            return None;
        }
        let set = self.at(slot, &[], Some(to));
        match set {
            Some(_) => self.appeared.push(slot),
            // It has no such number.
            None => {
                self.part(slot)?.fill(0);
            }
        }
        set
    }

    /// Returns the number in an element of a list, after setting it.
    fn element_of(
        &mut self,
        chain: &[Link],
        list: &Expression,
        index: i128,
        (parts, to): (&[&str], Option<i128>),
    ) -> Option<Typed> {
        let (Expression::Field(slot, before, _), []) = (list, chain) else { return None };
        let mut layout = (self.record.fields.get(usize::from(*slot))?.layout)().inner();
        for part in *before {
            let Layout::Record(record) = layout else { return None };
            layout = (record.fields.iter().rfind(|it| it.name == *part)?.layout)().inner();
        }
        let (Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) | Layout::Array(_, of)) =
            layout
        else {
            return None;
        };
        let ty = of().integer_at(parts);
        if to.is_some_and(|to| !ty.holds(to)) {
            return None;
        }
        let position = format!("[{index}]");
        let path = before.iter().copied().chain([position.as_str()]).chain(parts.iter().copied());
        let path: Vec<&str> = path.collect();
        Some((self.part((*slot).into())?.access(&path, to)?, ty))
    }

    /// Returns the bytes of a name, after setting them; `more` are the parts of what it leads to.
    fn text(
        &mut self,
        chain: &[Link],
        name: &Expression,
        more: &[&str],
        to: Option<&[u8]>,
    ) -> Option<Vec<u8>> {
        match (name, chain) {
            (Expression::Field(slot, parts, _), []) => {
                let path: Vec<&str> = parts.iter().chain(more).copied().collect();
                let part = self.part((*slot).into())?;
                if to.is_some_and(|to| !part.set_bytes(&path, to)) {
                    return None;
                }
                Some(part.bytes(&path)?.to_vec())
            }
            (Expression::Parameter(index, parts, _), [link, rest @ ..]) => {
                let (_, argument) = link.arguments.get(usize::from(*index))?;
                let Arguments::One(argument) = argument else { return None };
                let path: Vec<&str> = parts.iter().chain(more).copied().collect();
                self.text(rest, argument.place()?, &path, to)
            }
            _ => None,
        }
    }

    /// Returns the number of a name, after setting it; `more` are the parts of what it leads to.
    fn reach(
        &mut self,
        chain: &[Link],
        name: &Expression,
        more: &[&str],
        to: Option<i128>,
    ) -> Option<Typed> {
        match (name, chain) {
            (Expression::Field(slot, parts, _), []) => {
                if more.is_empty() {
                    let found = self.at((*slot).into(), parts, to);
                    return match (found, to) {
                        (None, Some(to)) if parts.is_empty() => self.appear((*slot).into(), to),
                        (found, _) => found,
                    };
                }
                let path: Vec<&str> = parts.iter().chain(more).copied().collect();
                self.at((*slot).into(), &path, to)
            }
            (Expression::Parameter(index, [], _), []) if more.is_empty() => {
                let index = usize::from(*index);
                if let Some(to) = to {
                    self.parameters.retain(|it| it.0 != index);
                    self.parameters.push((index, to));
                }
                let wanted = self.parameters.iter().find(|it| it.0 == index).map(|it| it.1);
                let number = wanted.or_else(|| self.given.parameter(index))?;
                Some((number, self.record.parameters[index].1))
            }
            (Expression::Parameter(index, parts, _), [link, rest @ ..]) => {
                let index = usize::from(*index);
                let Some((_, Arguments::One(argument))) = link.arguments.get(index) else {
                    return None;
                };
                let path: Vec<&str> = parts.iter().chain(more).copied().collect();
                if !path.is_empty() {
                    return self.reach(rest, argument.place()?, &path, to);
                }
                let ty = link.record.parameters.get(index)?.1;
                let mut names = Through { frame: self, chain: rest, index: link.index };
                if let Some(to) = to
                    && (!ty.holds(to) || !argument.solve(to, &mut names))
                {
                    return None;
                }
                let (number, own) = argument.value(&mut names)?;
                let ty = if ty.bits > 0 { ty } else { own };
                ty.holds(number).then_some((number, ty))
            }
            _ => None,
        }
    }
}

/// The names of a record that hands its parameters on, or of the frame itself.
struct Through<'f, 'v, 'g, 'c> {
    frame: &'f mut Frame<'v, 'g>,
    chain: &'c [Link],
    index: Option<u64>,
}

impl Names for Through<'_, '_, '_, '_> {
    fn number(&mut self, name: &Expression) -> Option<Typed> {
        self.frame.reach(self.chain, name, &[], None)
    }

    fn bytes(&mut self, name: &Expression) -> Option<Vec<u8>> {
        self.frame.text(self.chain, name, &[], None)
    }

    fn element(&mut self, list: &Expression, index: i128, parts: &[&str]) -> Option<Typed> {
        self.frame.element_of(self.chain, list, index, (parts, None))
    }

    fn index(&self) -> Option<u64> {
        self.index
    }

    // Of a record inside, whose parameters come to this one, nothing is known here.
    fn here(&mut self, slot: usize) -> Option<u64> {
        if self.chain.is_empty() { self.frame.here(slot) } else { None }
    }

    fn left(&mut self, slot: usize) -> Option<u64> {
        if self.chain.is_empty() { self.frame.left(slot) } else { None }
    }
}

impl SetNames for Through<'_, '_, '_, '_> {
    fn set(&mut self, name: &Expression, number: i128) -> bool {
        self.frame.reach(self.chain, name, &[], Some(number)).is_some_and(|it| it.0 == number)
    }

    fn set_bytes(&mut self, name: &Expression, bytes: &[u8]) -> bool {
        self.frame.text(self.chain, name, &[], Some(bytes)).is_some()
    }

    fn set_element(
        &mut self,
        list: &Expression,
        index: i128,
        parts: &[&str],
        number: i128,
    ) -> bool {
        let set = self.frame.element_of(self.chain, list, index, (parts, Some(number)));
        set.is_some_and(|it| it.0 == number)
    }
}

impl Names for Frame<'_, '_> {
    fn element(&mut self, list: &Expression, index: i128, parts: &[&str]) -> Option<Typed> {
        self.element_of(&[], list, index, (parts, None))
    }

    fn index(&self) -> Option<u64> {
        self.index
    }

    fn here(&mut self, slot: usize) -> Option<u64> {
        self.size(0..slot)
    }

    fn left(&mut self, slot: usize) -> Option<u64> {
        self.size(slot..self.record.fields.len())
    }

    fn number(&mut self, name: &Expression) -> Option<Typed> {
        self.reach(&[], name, &[], None)
    }

    fn bytes(&mut self, name: &Expression) -> Option<Vec<u8>> {
        Through { frame: self, chain: &[], index: None }.bytes(name)
    }
}

impl SetNames for Frame<'_, '_> {
    fn set_element(
        &mut self,
        list: &Expression,
        index: i128,
        parts: &[&str],
        number: i128,
    ) -> bool {
        let set = self.element_of(&[], list, index, (parts, Some(number)));
        set.is_some_and(|it| it.0 == number)
    }

    fn set(&mut self, name: &Expression, number: i128) -> bool {
        self.reach(&[], name, &[], Some(number)).is_some_and(|it| it.0 == number)
    }

    fn set_bytes(&mut self, name: &Expression, bytes: &[u8]) -> bool {
        Through { frame: self, chain: &[], index: None }.set_bytes(name, bytes)
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
pub fn measure<T: for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> Result<u64> {
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
            fn measured(&mut self) -> Option<u64> {
                Some(size_of::<Self>() as u64)
            }

            fn copied(&self) -> Option<Self> {
                Some(*self)
            }

            fn zero() -> Option<Self> {
                Some(0)
            }

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

macro_rules! sized {
    ($([$($generics:tt)*] $ty:ty: $size:expr;)+) => { $(
        impl<$($generics)*> Settle for $ty {
            fn measured(&mut self) -> Option<u64> {
                Some($size)
            }
        }
    )+ };
}

sized! {
    [] u128: 16;
    [] i128: 16;
    [] f32: 4;
    [] f64: 8;
    [T] Deferred<T>: 0;
    [const ID: u16] Nested<ID>: 0;
}

macro_rules! texts {
    ($($name:ident)+) => { $(
        impl<E: Ending> Settle for $name<E> {
            fn measured(&mut self) -> Option<u64> {
                measure(self).ok()
            }

            fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
                if path.is_empty() { Some(self) } else { None }
            }

            fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
                if path.is_empty() {
                    **self = bytes.to_vec();
                }
                path.is_empty()
            }
        }
    )+ };
}

texts!(Terminated TerminatedOrEnd UpTo);

impl<K: VarintKind> Settle for Varint<K> {
    fn measured(&mut self) -> Option<u64> {
        measure(self).ok()
    }

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
    fn measured(&mut self) -> Option<u64> {
        Some(size_of::<K::Number>() as u64)
    }

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
    fn measured(&mut self) -> Option<u64> {
        size_of_each(self)
    }

    fn compute(&mut self, given: &Given) {
        if let Some(inner) = self {
            inner.compute(given);
        }
    }

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

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        self.as_mut().is_some_and(|it| it.set_bytes(path, bytes))
    }

    fn appear(&mut self) -> bool {
        let is_there = self.is_some();
        *self = self.take().or_else(T::zero);
        !is_there && self.is_some()
    }

    fn fill(&mut self, count: i128) -> bool {
        *self = if count == 0 { None } else { self.take() };
        self.is_some() == (count != 0)
    }
}

impl<T: Settle> Settle for Box<T> {
    fn measured(&mut self) -> Option<u64> {
        (**self).measured()
    }

    fn compute(&mut self, given: &Given) {
        (**self).compute(given);
    }

    fn copied(&self) -> Option<Self> {
        (**self).copied().map(Self::new)
    }

    fn settle(&mut self, given: &Given) -> Wants {
        (**self).settle(given)
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        (**self).access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        (**self).bytes(path)
    }

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        (**self).set_bytes(path, bytes)
    }
}

/// Returns the position with which a path begins, and what follows.
pub(crate) fn position<'p, 'n>(path: &'p [&'n str]) -> Option<(usize, &'p [&'n str])> {
    let (first, rest) = path.split_first()?;
    Some((first.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?, rest))
}

/// Returns how many bytes the writer makes of elements.
fn size_of_each<'e, T: Settle + 'e>(elements: impl IntoIterator<Item = &'e mut T>) -> Option<u64> {
    elements.into_iter().try_fold(0, |sum: u64, element| sum.checked_add(element.measured()?))
}

/// Returns the length of a list, or a number in an element of it, after setting it.
fn access_list<T: Settle>(list: &mut [T], path: &[&str], to: Option<i128>) -> Option<i128> {
    if path == ["len"] {
        return Some(list.len() as i128);
    }
    let (index, rest) = position(path)?;
    list.get_mut(index)?.access(rest, to)
}

/// Returns a number in a block, after setting it.
fn access_number<T: Number>(list: &mut [T], path: &[&str], to: Option<i128>) -> Option<i128> {
    let (index, []) = position(path)? else { return None };
    let element = list.get_mut(index)?;
    if let Some(to) = to {
        let set = *T::read(to.to_le_bytes().get(..T::BYTES)?.to_vec(), Endian::Little).first()?;
        if T::total(&[set]).map(i128::from) != Some(to) {
            return None;
        }
        *element = set;
    }
    T::total(std::slice::from_ref(element)).map(i128::from)
}

/// Settles elements, all of which want the same of their arguments.
pub(crate) fn elements<T: Settle>(elements: &mut [T], given: &Given) -> Wants {
    merged(elements, &|_| given, false)
}

/// Settles elements with the arguments of each. Those whose arguments are by their position want what they want.
fn merged<'g, T: Settle>(
    elements: &mut [T],
    given: &dyn Fn(usize) -> &'g Given,
    is_each: bool,
) -> Wants {
    let mut merged = Wants::default();
    for (index, element) in elements.iter_mut().enumerate() {
        let mut wants = element.settle(given(index));
        let placed = |error: Error| error.within(index as u64);
        merged.wrong.extend(std::mem::take(&mut wants.wrong).into_iter().map(placed));
        if is_each {
            merged.each.push(wants);
            continue;
        }
        for want in wants.conditions {
            match merged.conditions.iter().find(|it| it.is_about(&want)) {
                None => merged.conditions.push(want),
                Some(other) if other.wanted == want.wanted => {}
                Some(other) => {
                    let expected =
                        format!("an argument of {}, as the elements in front want", other.wanted);
                    let found = want.wanted.to_string();
                    let error = Error::new(rule::RECORD_AGREEMENT, 0, expected, found).nowhere();
                    let path = Path::from(vec![(index as u64).into()]);
                    merged.wrong.push(error.under(path));
                }
            }
        }
        merged.inner = wants.inner.or(merged.inner);
        merged.count = wants.count.or(merged.count);
        merged.bytes = wants.bytes.or(merged.bytes);
        merged.record = wants.record.or(merged.record);
        // Only the first fault of a value is reported.
        if !merged.wrong.is_empty() {
            break;
        }
    }
    merged
}

/// Settles the elements of a list, which wants their number.
pub(crate) fn list<T: Settle>(all: &mut [T], given: &Given) -> Wants {
    let mut inner = merged(all, &|index| given.element(index), given.each().is_some());
    let each = std::mem::take(&mut inner.each);
    Wants { inner: Some(Box::new(inner)), each, ..Wants::count(all.len()) }
}

impl<T: Settle + 'static, const N: usize> Settle for [T; N] {
    fn measured(&mut self) -> Option<u64> {
        size_of_each(self)
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        access_list(self, path, to)
    }

    fn compute(&mut self, given: &Given) {
        self.iter_mut().for_each(|it| it.compute(given));
    }

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
#[allow(clippy::ptr_arg, reason = "the type of the list is asked for")]
fn bytes_of_list<T: 'static>(list: &mut Vec<T>) -> Option<&mut Vec<u8>> {
    let list: &mut dyn std::any::Any = list;
    list.downcast_mut()
}

impl<T: Settle + Schema + 'static> Settle for Each<T> {
    fn measured(&mut self) -> Option<u64> {
        size_of_each(&mut self.0)
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        access_list(&mut self.0, path, to)
    }

    fn compute(&mut self, given: &Given) {
        let all = self.0.iter_mut().enumerate();
        all.for_each(|(index, it)| it.compute(given.element(index)));
    }

    fn settle(&mut self, given: &Given) -> Wants {
        list(&mut self.0, given).counting(counted(&self.0) as u64)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { bytes_of_list(&mut self.0).map(|it| &mut it[..]) } else { None }
    }

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        let list = if path.is_empty() { bytes_of_list(&mut self.0) } else { None };
        list.is_some_and(|list| {
            *list = bytes.to_vec();
            true
        })
    }
}

impl<T: Settle + 'static> Settle for ToEnd<T> {
    fn measured(&mut self) -> Option<u64> {
        size_of_each(&mut self.0)
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        access_list(&mut self.0, path, to)
    }

    fn compute(&mut self, given: &Given) {
        let all = self.0.iter_mut().enumerate();
        all.for_each(|(index, it)| it.compute(given.element(index)));
    }

    fn copied(&self) -> Option<Self> {
        self.0.iter().map(Settle::copied).collect::<Option<Vec<_>>>().map(Self)
    }

    fn settle(&mut self, given: &Given) -> Wants {
        list(&mut self.0, given)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { bytes_of_list(&mut self.0).map(|it| &mut it[..]) } else { None }
    }

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        let list = if path.is_empty() { bytes_of_list(&mut self.0) } else { None };
        list.is_some_and(|list| {
            *list = bytes.to_vec();
            true
        })
    }
}

impl<T: Settle> Settle for Until<T> {
    fn measured(&mut self) -> Option<u64> {
        size_of_each(&mut self.0)
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        access_list(&mut self.0, path, to)
    }

    fn compute(&mut self, given: &Given) {
        let all = self.0.iter_mut().enumerate();
        all.for_each(|(index, it)| it.compute(given.element(index)));
    }

    fn copied(&self) -> Option<Self> {
        self.0.iter().map(Settle::copied).collect::<Option<Vec<_>>>().map(Self)
    }

    fn settle(&mut self, given: &Given) -> Wants {
        list(&mut self.0, given)
    }
}

impl<T: Number> Settle for Block<T> {
    fn measured(&mut self) -> Option<u64> {
        Some(self.0.len() as u64 * T::BYTES as u64)
    }

    fn settle(&mut self, _: &Given) -> Wants {
        Wants::count(self.0.len())
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        match path {
            ["total"] => T::total(&self.0).map(i128::from),
            ["len"] => Some(self.0.len() as i128),
            _ => access_number(&mut self.0, path, to),
        }
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { T::as_bytes(&mut self.0) } else { None }
    }

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        let are_bytes = path.is_empty() && T::as_bytes(&mut self.0).is_some();
        if are_bytes {
            self.0 = T::read(bytes.to_vec(), Endian::Little);
        }
        are_bytes
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
    fn measured(&mut self) -> Option<u64> {
        Some(self.0.len() as u64 * T::BYTES as u64)
    }

    fn access(&mut self, path: &[&str], _: Option<i128>) -> Option<i128> {
        if path == ["len"] { Some(self.0.len() as i128) } else { None }
    }

    fn settle(&mut self, _: &Given) -> Wants {
        Wants::count(self.0.len())
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        if path.is_empty() { T::as_bytes(self.0.to_mut()) } else { None }
    }
}

impl<const TO: usize> Settle for Padding<TO> {
    fn measured(&mut self) -> Option<u64> {
        Some(self.as_bytes().len() as u64)
    }

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
    fn measured(&mut self) -> Option<u64> {
        self.0.measured()
    }

    fn compute(&mut self, given: &Given) {
        self.0.compute(given);
    }

    fn settle(&mut self, given: &Given) -> Wants {
        self.0.as_mut().map_or_else(Wants::default, |inner| inner.settle(given))
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        self.0.access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        self.0.bytes(path)
    }

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        self.0.set_bytes(path, bytes)
    }
}

impl<T: Settle + for<'a> BinWrite<Args<'a> = ()>> Settle for Within<T> {
    fn measured(&mut self) -> Option<u64> {
        measure(&self.0).ok()
    }

    fn compute(&mut self, given: &Given) {
        self.0.compute(given.inner());
    }

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

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        self.0.set_bytes(path, bytes)
    }
}

impl<C: Code, T: Settle + for<'a> BinWrite<Args<'a> = ()>> Settle for Coded<C, T> {
    fn measured(&mut self) -> Option<u64> {
        measure(self).ok()
    }

    fn compute(&mut self, given: &Given) {
        (**self).compute(given.inner());
    }

    fn settle(&mut self, given: &Given) -> Wants {
        if let Some(key) = given.key() {
            self.set_key(Key(key.to_vec()));
        }
        Wants::region(None, (**self).settle(given.inner()))
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        (**self).access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        (**self).bytes(path)
    }

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        (**self).set_bytes(path, bytes)
    }
}

impl<T: Settle> Settle for Before<T> {
    fn measured(&mut self) -> Option<u64> {
        self.0.measured()
    }

    fn compute(&mut self, given: &Given) {
        self.0.compute(given.inner());
    }

    fn settle(&mut self, given: &Given) -> Wants {
        Wants::region(None, self.0.settle(given.inner()))
    }

    fn access(&mut self, path: &[&str], to: Option<i128>) -> Option<i128> {
        self.0.access(path, to)
    }

    fn bytes(&mut self, path: &[&str]) -> Option<&mut [u8]> {
        self.0.bytes(path)
    }

    fn set_bytes(&mut self, path: &[&str], bytes: &[u8]) -> bool {
        self.0.set_bytes(path, bytes)
    }
}

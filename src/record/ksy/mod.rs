//! The format as a definition of Kaitai Struct, whose compiler makes readers of it in a dozen languages.
//!
//! It follows the layout. A way to read bytes that Kaitai does not have is refused; what is only odd is in the documentation.

mod attribute;
mod expression;
mod names;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;

use super::types::Types;
use super::{With, with};
use crate::error::{Error, Result};
use crate::schema::{
    Arguments, Choice, Expression, Integer, Layout, Magic, Meaning, Operator, Order, Record,
    Schema, VarintForm, ViewFrom, Word,
};
use crate::wire::rule;
use attribute::{Attribute, Content, Facts, Way};
use expression::{Kind, Scope, list_of};
use names::{quoted, snake, unique, unique_type};

/// Returns the format as a definition of [Kaitai Struct](https://kaitai.io) (`.ksy`), of which its compiler (0.11) makes
/// readers in other languages.
///
/// A field without a name is called `it`. Checksums, texts that are not UTF-8 and numbers that overflow are not looked at by
/// these readers, which the documentation of the definition has.
///
/// ```
/// use formwork::record;
/// use formwork::{BinRead, BinWrite, Block, Schema, binrw};
///
/// #[derive(BinRead, BinWrite, Schema)]
/// #[brw(little, magic = b"NAME")]
/// struct Name {
///     length: u8,
///     #[br(count = length)]
///     letters: Block<u8>,
/// }
///
/// let ksy = record::ksy::<Name>()?;
/// assert!(ksy.contains("- id: letters\n    size: \"length\"\n"));
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the declaration has something that Kaitai cannot say, such as a function of the bytes of a field. The error names
/// it.
pub fn ksy<T: Schema>() -> Result<String> {
    with(&()).ksy::<T>()
}

impl With<'_> {
    /// Returns the format as a definition of Kaitai Struct: see [`ksy`](super::ksy()).
    ///
    /// # Errors
    ///
    /// Fails if the declaration has something that Kaitai cannot say.
    pub fn ksy<T: Schema>(self) -> Result<String> {
        of_layout(T::LAYOUT, &T::LAYOUT.to_string(), self.is_big())
    }
}

/// Returns a layout as a definition that is called so.
pub(crate) fn of_layout(root: Layout, name: &str, big: bool) -> Result<String> {
    let mut exporter = Exporter { declared: Types::of(root), ..Exporter::default() };
    exporter.learn(root)?;
    exporter.is_big = own_order(root.inner()).unwrap_or(big);
    let id = unique_type(name, &mut exporter.names);
    let key = |source| Key { source, is_big: big, is_closed: true };
    let body = match root {
        Layout::Record(record) if !chooses_order(record) => {
            let source = Source::Record(record, exporter.signature(root));
            exporter.types.push(Type {
                key: Some(key(source.clone())),
                id: id.clone(),
                text: String::new(),
            });
            exporter.source(&source, big, true)?
        }
        root => {
            let facts = Facts::of_type(&Way::Fixed(big));
            let handed = attribute::Handed::default();
            let attribute = exporter.attribute("it", &facts, root, &handed, Some(Content::Rest))?;
            body_of("", &[], &[attribute], &[], "")
        }
    };
    let mut next = 0;
    while next < exporter.types.len() {
        if let (true, Some(Key { source, is_big, is_closed })) =
            (exporter.types[next].id != id, exporter.types[next].key.clone())
        {
            exporter.types[next].text = exporter.source(&source, is_big, is_closed)?;
        }
        next += 1;
    }
    Ok(exporter.page(&id, name, &body))
}

/// Returns the order of bytes that a record, or each variant of a choice, has whatever is around.
fn own_order(layout: Layout) -> Option<bool> {
    let own = |record: &Record| match record.order {
        Order::Little => Some(false),
        Order::Big => Some(true),
        _ => None,
    };
    match layout {
        Layout::Record(record) => own(record),
        Layout::Choice(choice) => {
            let mut orders = choice.variants.iter().map(|it| own(&it.record));
            let first = orders.next().flatten();
            first.filter(|_| orders.all(|order| order == first))
        }
        _ => None,
    }
}

/// The error of something that Kaitai cannot say.
#[cold]
fn refused(what: impl std::fmt::Display) -> Error {
    let expected = "what Kaitai Struct can say";
    Error::new(rule::RECORD_KSY, 0, expected, what.to_string()).nowhere()
}

/// The part of a parameter that is used.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Need {
    /// Its position.
    index: usize,
    /// The parts of it in turn.
    parts: Vec<&'static str>,
    kind: Kind,
}

/// A type that a definition is made of.
#[derive(Clone, Debug)]
enum Source {
    Record(&'static Record, String),
    Choice(&'static Choice, String),
    /// A variant, with its choice.
    Variant(&'static Choice, usize, String),
    Word(&'static Word, String),
    Varint(&'static VarintForm, String),
}

impl Source {
    fn signature(&self) -> &str {
        match self {
            Self::Record(_, it)
            | Self::Choice(_, it)
            | Self::Variant(_, _, it)
            | Self::Word(_, it)
            | Self::Varint(_, it) => it,
        }
    }

    fn name(&self) -> String {
        match self {
            Self::Record(record, _) => record.name.to_owned(),
            Self::Choice(choice, _) => choice.name.to_owned(),
            Self::Variant(choice, at, _) => {
                format!("{}_{}", snake(choice.name), snake(choice.variants[*at].record.name))
            }
            Self::Word(word, _) => word.name.to_owned(),
            Self::Varint(form, _) => format!("{}_number", snake(form.name)),
        }
    }

    /// Returns the parameters of the declaration.
    fn parameters(&self) -> &'static [(&'static str, Integer)] {
        match self {
            Self::Record(record, _) => record.parameters,
            Self::Choice(choice, _) | Self::Variant(choice, ..) => choice.parameters,
            Self::Word(..) | Self::Varint(..) => &[],
        }
    }

    /// Returns what the needs of its parameters are known under: those of a variant are those of its choice.
    fn of_needs(&self) -> String {
        match self {
            // After the `/` comes its position.
            Self::Variant(.., it) => it.split('/').next().unwrap_or_default().to_owned(),
            other => other.signature().to_owned(),
        }
    }
}

/// A type in one order of bytes, which fills the region around or does not.
#[derive(Clone, Debug)]
struct Key {
    source: Source,
    is_big: bool,
    is_closed: bool,
}

struct Type {
    /// None of what has no declaration.
    key: Option<Key>,
    id: String,
    text: String,
}

#[derive(Default)]
struct Exporter {
    is_big: bool,
    declared: Types,
    types: Vec<Type>,
    names: HashSet<String>,
    enums: Vec<(&'static [(i128, &'static str)], String)>,
    needs: HashMap<String, Vec<Need>>,
    /// The checks that these readers do not make.
    unseen: BTreeSet<&'static str>,
    has_texts: bool,
}

/// The place of the attribute of a layout: what it repeats, and whether it has a size or a process already.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    repeats: bool,
    sized: bool,
    coded: bool,
}

/// The way of a layout into an attribute.
enum Through {
    /// The layout inside of it is in the same attribute.
    Inner(Layout, State),
    /// It needs another type, in which it is called `it`.
    Wrapped,
    /// It is the type of the attribute.
    Here,
}

/// Returns whether elements in a row are one value: bytes, or a text of numbers of two bytes.
fn is_row(of: Layout, meaning: Meaning) -> bool {
    match of {
        Layout::Integer { number: Integer { bits: 8, signed: false }, names: [], .. } => {
            !matches!(meaning, Meaning::Names(_))
        }
        Layout::Integer { number: Integer { bits: 16, .. }, .. } => meaning == Meaning::Utf16,
        _ => false,
    }
}

fn through(layout: Layout, meaning: Meaning, state: State) -> Through {
    let is_free = state == State::default();
    let list = |of: fn() -> Layout| match is_free {
        true => Through::Inner(of(), State { repeats: true, ..state }),
        false => Through::Wrapped,
    };
    match layout {
        Layout::Same(of) => Through::Inner(of(), state),
        Layout::OrEnd(of) if is_free => Through::Inner(of(), state),
        Layout::OrEnd(_) => Through::Wrapped,
        Layout::Within(_) | Layout::Before(_) | Layout::Coded(..) if state.coded => {
            Through::Wrapped
        }
        Layout::Within(_) | Layout::Before(_) if state.sized => Through::Wrapped,
        Layout::Within(of) | Layout::Before(of) => {
            Through::Inner(of(), State { sized: true, ..state })
        }
        Layout::Coded(_, of) => Through::Inner(of(), State { sized: true, coded: true, ..state }),
        // A text in UTF-16 of a fixed size may have zeros after it, which Kaitai takes away one by one.
        Layout::Array(_, of) if meaning == Meaning::Utf16 => list(of),
        Layout::Array(_, of) | Layout::List(of) if is_row(of(), meaning) => {
            if state.sized {
                Through::Wrapped
            } else {
                Through::Here
            }
        }
        Layout::ToEnd(of) if is_row(of(), meaning) => Through::Here,
        Layout::Array(_, of) | Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) => list(of),
        Layout::Record(_) | Layout::Choice(_) | Layout::Opaque => Through::Here,
        _ if state.sized => Through::Wrapped,
        _ => Through::Here,
    }
}

/// Returns how a row is a text: the encoding, and what ends or fills it.
fn text_of(
    layout: Layout,
    meaning: Meaning,
    used: bool,
) -> Option<(&'static str, Vec<(&'static str, String)>)> {
    let is_fixed = matches!(layout, Layout::Array(..));
    let zeros = || if is_fixed { vec![("pad-right", "0".to_owned())] } else { Vec::new() };
    if used {
        return None;
    }
    match meaning {
        Meaning::Text => Some(("UTF-8", zeros())),
        Meaning::Filled(fill) => Some(("UTF-8", vec![("pad-right", fill.to_string())])),
        Meaning::Ended(end, fill) => {
            let mut all = vec![("terminator", end.to_string())];
            all.extend(is_fixed.then(|| ("pad-right", fill.to_string())));
            Some(("UTF-8", all))
        }
        Meaning::Terminated => Some(("UTF-8", vec![("terminator", "0".to_owned())])),
        Meaning::Letters => Some(("ISO-8859-1", Vec::new())),
        Meaning::Utf16 => Some(("UTF-16", Vec::new())),
        _ => None,
    }
}

fn chooses_order(record: &Record) -> bool {
    matches!(record.order, Order::If(..))
}

/// Returns the position of the last field of a name.
fn last_named(record: &Record, name: &str) -> Option<usize> {
    record.fields.iter().rposition(|field| field.name == name && field.magic.is_none())
}

/// Returns the names of the fields in the definition.
fn ids(record: &Record) -> Vec<String> {
    let mut names = HashSet::new();
    let name = |field: &crate::schema::Field| match field.name {
        "" => "it".to_owned(),
        name => unique(name, &mut names),
    };
    record.fields.iter().map(name).collect()
}

/// Returns the names of the parts of a word in the definition.
fn part_ids(word: &Word) -> Vec<String> {
    let mut names = HashSet::new();
    word.parts.iter().map(|part| unique(part.name, &mut names)).collect()
}

/// Returns the argument for a parameter.
fn argument(
    arguments: &'static Arguments,
    index: usize,
    name: &str,
) -> Option<&'static Expression> {
    let Arguments::Many(all) = arguments else { return None };
    let in_order = all.get(index).filter(|it| it.0.is_empty());
    match in_order.or_else(|| all.iter().find(|it| it.0 == name)) {
        Some((_, Arguments::One(expression))) => Some(expression),
        _ => None,
    }
}

/// Returns the layouts in a layout, up to the next types that have a name.
fn named_in(
    layout: Layout,
    arguments: &'static Arguments,
    found: &mut dyn FnMut(Layout, &'static Arguments),
) {
    static NONE: Arguments = Arguments::None;
    let inner = || match arguments {
        Arguments::Many(all) => {
            let by = |name| all.iter().find(|it| it.0 == name).map(|it| &it.1);
            by("inner").or_else(|| by("each")).unwrap_or(&NONE)
        }
        _ => &NONE,
    };
    match layout {
        Layout::Same(of) | Layout::OrEnd(of) | Layout::Deferred(of) | Layout::Array(_, of) => {
            named_in(of(), arguments, found);
        }
        Layout::List(of)
        | Layout::ToEnd(of)
        | Layout::Until(of)
        | Layout::Within(of)
        | Layout::Before(of)
        | Layout::Coded(_, of) => named_in(of(), inner(), found),
        other => found(other, arguments),
    }
}

impl Exporter {
    /// Returns what a declared type or a form of numbers is known under.
    fn signature(&self, layout: Layout) -> String {
        match layout {
            Layout::Varint(form) => {
                format!("{} {}", form.name, (form.kaitai)().unwrap_or_default())
            }
            other => self.declared.number(other).map(|it| it.to_string()).unwrap_or_default(),
        }
    }

    /// Learns what of the parameters of each type is used.
    fn learn(&mut self, root: Layout) -> Result<()> {
        let (mut open, mut known) = (vec![root], Vec::new());
        let mut seen = HashSet::new();
        while let Some(layout) = open.pop() {
            let mut found = Vec::new();
            named_in(layout, &Arguments::None, &mut |layout, _| found.push(layout));
            for layout in found {
                let (source, records): (_, Vec<&'static Record>) = match layout {
                    Layout::Record(record) => {
                        (Source::Record(record, self.signature(layout)), vec![record])
                    }
                    Layout::Choice(choice) => {
                        let records = choice.variants.iter().map(|it| &it.record).collect();
                        (Source::Choice(choice, self.signature(layout)), records)
                    }
                    Layout::Nested(_) => {
                        return Err(refused(format!("{layout}, which only the program knows")));
                    }
                    _ => continue,
                };
                if seen.insert(source.signature().to_owned()) {
                    for record in &records {
                        open.extend(record.fields.iter().map(|field| (field.layout)()));
                        open.extend(record.views.iter().map(|view| (view.layout)()));
                    }
                    known.push((source, records));
                }
            }
        }
        // A type hands over what the types in it need, which may be the same type again.
        loop {
            let mut is_more = false;
            for (source, records) in &known {
                let mut needs = self.needs.get(source.signature()).cloned().unwrap_or_default();
                let before = needs.len();
                if let Source::Choice(choice, _) = source {
                    for condition in choice.variants.iter().flat_map(|it| it.when) {
                        used(condition, source.parameters(), &mut needs);
                    }
                }
                for record in records {
                    self.used_by(record, source.parameters(), &mut needs);
                }
                is_more |= needs.len() > before;
                self.needs.insert(source.signature().to_owned(), needs);
            }
            if !is_more {
                return Ok(());
            }
        }
    }

    fn used_by(
        &self,
        record: &'static Record,
        parameters: &'static [(&'static str, Integer)],
        needs: &mut Vec<Need>,
    ) {
        let order = |order: &Order, needs: &mut Vec<Need>| {
            if let Order::If(condition, _) = order {
                used(condition, parameters, needs);
            }
        };
        order(&record.order, needs);
        for field in record.fields {
            field.when.iter().chain(&field.computed).for_each(|it| used(it, parameters, needs));
            field.checks.iter().for_each(|it| used(&it.condition, parameters, needs));
            order(&field.order, needs);
            self.handed_by((field.layout)(), &field.arguments, parameters, needs);
        }
        record.checks.iter().for_each(|it| used(&it.condition, parameters, needs));
        record.last.iter().for_each(|it| used(it, parameters, needs));
        for view in record.views {
            used(&view.at, parameters, needs);
            view.when.iter().for_each(|it| used(it, parameters, needs));
            if let crate::schema::ViewBytes::Count(bytes) = &view.bytes {
                used(bytes, parameters, needs);
            }
            self.handed_by((view.layout)(), &view.arguments, parameters, needs);
        }
    }

    /// Adds what of the parameters is handed over to a layout.
    fn handed_by(
        &self,
        layout: Layout,
        arguments: &'static Arguments,
        parameters: &'static [(&'static str, Integer)],
        needs: &mut Vec<Need>,
    ) {
        fn outer(
            arguments: &'static Arguments,
            parameters: &'static [(&'static str, Integer)],
            needs: &mut Vec<Need>,
        ) {
            let Arguments::Many(all) = arguments else { return };
            for (name, inner) in *all {
                match (*name, inner) {
                    ("count" | "bytes" | "left", Arguments::One(expression)) => {
                        used(expression, parameters, needs);
                    }
                    ("key", Arguments::One(expression)) => match expression.place() {
                        Some(Expression::Parameter(index, parts, _))
                            if parameters[usize::from(*index)].1.bits == 0 =>
                        {
                            add(needs, usize::from(*index), parts.to_vec(), Kind::Bytes);
                        }
                        _ => used(expression, parameters, needs),
                    },
                    ("inner" | "each", inner) => outer(inner, parameters, needs),
                    _ => {}
                }
            }
        }
        outer(arguments, parameters, needs);
        named_in(layout, arguments, &mut |layout, arguments| {
            let names = match layout {
                Layout::Record(record) => record.parameters,
                Layout::Choice(choice) => choice.parameters,
                Layout::Padding(_) => {
                    if let Arguments::Many([(_, Arguments::One(expression)), ..]) = arguments {
                        used(expression, parameters, needs);
                    }
                    return;
                }
                _ => return,
            };
            for need in self.needs.get(&self.signature(layout)).into_iter().flatten() {
                let Some(expression) = argument(arguments, need.index, names[need.index].0) else {
                    continue;
                };
                match expression.place() {
                    Some(Expression::Parameter(index, parts, _)) => {
                        let parts = parts.iter().chain(&need.parts).copied().collect();
                        add(needs, usize::from(*index), parts, need.kind);
                    }
                    _ => used(expression, parameters, needs),
                }
            }
        });
    }

    /// Returns what of the parameters of a type is used, with names.
    fn parameters(&self, source: &Source) -> Vec<(Need, String)> {
        let needs = self.needs.get(&source.of_needs()).cloned().unwrap_or_default();
        let mut names: HashSet<String> = match source {
            Source::Record(record, _) => ids(record).into_iter().collect(),
            Source::Choice(choice, _) | Source::Variant(choice, ..) => {
                choice.variants.iter().flat_map(|it| ids(&it.record)).collect()
            }
            _ => HashSet::new(),
        };
        let name = |need: Need| {
            let parts = need.parts.iter().map(|part| format!("_{part}")).collect::<String>();
            let id = format!("{}{parts}", source.parameters()[need.index].0);
            (need, unique(&id, &mut names))
        };
        needs.into_iter().map(name).collect()
    }

    /// Returns the name of a type, which is written later.
    fn type_id(&mut self, source: Source, is_big: bool, is_closed: bool) -> String {
        let is_closed = is_closed && !matches!(source, Source::Word(..) | Source::Varint(..));
        let is_same = |it: &Type| {
            it.key.as_ref().is_some_and(|key| {
                key.source.signature() == source.signature()
                    && key.is_big == is_big
                    && key.is_closed == is_closed
            })
        };
        if let Some(known) = self.types.iter().find(|it| is_same(it)) {
            return known.id.clone();
        }
        let mut name = snake(&source.name());
        if self.names.contains(&name) && is_big != self.is_big {
            name.push_str(if is_big { "_be" } else { "_le" });
        }
        if self.names.contains(&name) {
            name.push_str(if is_closed { "_whole" } else { "_part" });
        }
        let id = unique_type(&name, &mut self.names);
        let key = Key { source, is_big, is_closed };
        self.types.push(Type { key: Some(key), id: id.clone(), text: String::new() });
        id
    }

    /// Returns the name of a type of this text: the same for the same text.
    fn type_of_text(&mut self, name: &str, text: String) -> String {
        if let Some(known) = self.types.iter().find(|it| it.key.is_none() && it.text == text) {
            return known.id.clone();
        }
        let id = unique_type(name, &mut self.names);
        self.types.push(Type { key: None, id: id.clone(), text });
        id
    }

    /// Returns the name of an enum.
    fn enum_id(&mut self, name: &str, numbers: &'static [(i128, &'static str)]) -> String {
        if let Some((_, id)) = self.enums.iter().find(|it| it.0 == numbers) {
            return id.clone();
        }
        let id = unique(name, &mut self.names);
        self.enums.push((numbers, id.clone()));
        id
    }

    /// Returns the text of a type.
    fn source(&mut self, source: &Source, big: bool, is_closed: bool) -> Result<String> {
        match source {
            Source::Record(record, _) => self.record(record, source, big, is_closed),
            Source::Variant(choice, at, _) => {
                self.record(&choice.variants[*at].record, source, big, is_closed)
            }
            Source::Choice(choice, _) => self.choice(choice, source, big, is_closed),
            Source::Word(word, _) => self.word(word, big),
            Source::Varint(form, _) => match (form.kaitai)() {
                Some(text) => Ok(text),
                None => Err(refused(format!("a number in the form {}", form.name))),
            },
        }
    }

    fn record(
        &mut self,
        record: &'static Record,
        source: &Source,
        big: bool,
        is_closed: bool,
    ) -> Result<String> {
        let big = match record.order {
            Order::Little => false,
            Order::Big => true,
            _ => big,
        };
        let parameters = self.parameters(source);
        let scope = Scope { record, ids: ids(record), parameters, sums: Default::default() };
        let mut names: HashSet<String> = scope.ids.iter().cloned().collect();
        names.extend(scope.parameters.iter().map(|it| it.1.clone()));
        let (mut all, mut instances) = (Vec::new(), Vec::new());
        let named = |error: Error, name: &'static str| match name {
            "" => error,
            name => error.within(name),
        };
        // The places that expressions and views count from.
        let (mut places, mut counts_here) = (BTreeSet::new(), false);
        record.expressions(&mut |expression| {
            expression.each(&mut |part| match part {
                Expression::Here(slot) => {
                    counts_here = true;
                    places.insert(usize::from(*slot));
                }
                Expression::Left(slot) => {
                    places.insert(usize::from(*slot));
                }
                _ => {}
            });
        });
        let mut is_placed = false;
        let is_origin = |from| record.views.iter().any(|view| view.from == from);
        let place = |name: String, instances: &mut Vec<Attribute>| {
            instances.push(Attribute::value(&format!("{name}_at"), "_io.pos"));
            (usize::MAX, Attribute::start(&name))
        };
        if counts_here || is_origin(ViewFrom::Record) {
            all.push(place(scope.start_id(ViewFrom::Record), &mut instances));
        }
        for (slot, field) in record.fields.iter().enumerate() {
            let is_used = places.remove(&slot) || is_origin(ViewFrom::Field(slot));
            if !std::mem::take(&mut is_placed) && is_used {
                all.push(place(scope.place_id(slot), &mut instances));
            }
            let made = self.field(&scope, slot, big, (&mut names, &mut instances));
            let made = made.map_err(|error| named(error, field.name))?;
            all.extend(made.into_iter().map(|it| (slot, it)));
            // What must hold of the field counts from after it.
            if field.checks.iter().any(|check| check.condition.has_place())
                && places.remove(&(slot + 1))
            {
                let after = place(scope.place_id(slot + 1), &mut instances);
                all.insert(all.len() - field.checks.len(), after);
                is_placed = true;
            }
        }
        if places.remove(&record.fields.len()) {
            all.push(place(scope.place_id(record.fields.len()), &mut instances));
        }
        for check in record.checks {
            all.push((usize::MAX, attribute::holds(&scope, check, &mut names)?));
        }
        for view in record.views {
            let made = self.view(&scope, view, big, &mut names);
            instances.push(made.map_err(|error| named(error, view.name))?);
        }
        if let Some(last) = &record.last {
            let last = scope.truth(last)?;
            instances.push(Attribute::value("is_last", &last.text));
        }
        let mut meta = String::new();
        if let Some(slots) = &record.slots {
            let slots = scope.number(slots)?;
            let value = format!("slots_before + {}", slots.part());
            instances.push(Attribute::value("slots_so_far", &value));
            meta.push_str("params:\n  - id: slots_before\n    type: u8\n");
        }
        // What the expressions need of sums over lists comes after the list.
        let mut sums = scope.sums.take().into_iter().collect::<Vec<_>>();
        sums.reverse();
        for (slot, parts) in sums {
            let mut sum = self.sum(&scope, slot, &parts)?;
            sum.id = scope.sum_id(slot, &parts);
            let after = all.iter().rposition(|it| it.0 == slot).map_or(all.len(), |at| at + 1);
            all.insert(after, (usize::MAX, sum));
        }
        let mut attributes: Vec<_> = all.into_iter().map(|it| it.1).collect();
        if is_closed || record.ends {
            attribute::close(&mut attributes);
        }
        let mut doc = record.doc.to_owned();
        for sum in record.sums {
            self.unseen.insert("checksums");
            let name = |slot: usize| record.fields[slot].name;
            let _ = write!(
                doc,
                "\n`{}` is `{}` of {} to {}.",
                name(sum.slot),
                sum.name,
                name(sum.from),
                name(sum.to)
            );
        }
        let body = body_of(doc.trim(), &scope.parameters, &attributes, &instances, &meta);
        Ok(match meta.is_empty() || scope.parameters.is_empty() {
            true => body,
            // Other parameters come after it.
            false => body.replacen(&format!("{meta}params:\n"), &meta, 1),
        })
    }

    /// Returns the attribute that adds up numbers of the elements of a list.
    fn sum(&mut self, scope: &Scope, slot: usize, parts: &[&'static str]) -> Result<Attribute> {
        let text = "params:
  - id: before
    type: u8
  - id: number
    type: u8
seq: []
instances:
  sum:
    value: before + number
";
        let ty = self.type_of_text("sum", text.to_owned());
        let id = scope.sum_id(slot, parts);
        let number = scope.element(slot, "_index", parts)?;
        let count = scope.place(&Expression::Field(slot as u16, &["len"], "list"), &[])?;
        let ty = format!("{ty}(_index == 0 ? 0 : {id}[_index - 1].sum, {})", number.text);
        Ok(Attribute::repeated(ty, &count.text))
    }

    fn choice(
        &mut self,
        choice: &'static Choice,
        source: &Source,
        big: bool,
        is_closed: bool,
    ) -> Result<String> {
        let parameters = self.parameters(source);
        let Some(first) = choice.variants.first() else {
            return Err(refused(format!("{}, which has no variants", choice.name)));
        };
        let record = &first.record;
        let scope = Scope { record, ids: ids(record), parameters, sums: Default::default() };
        let handed: Vec<String> = scope.parameters.iter().map(|it| it.1.clone()).collect();
        let call = |id: String| {
            if handed.is_empty() { id } else { format!("{id}({})", handed.join(", ")) }
        };
        let signature = source.signature();
        let (mut conditions, mut types, mut lasts, mut peeks) =
            (Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
        for (at, variant) in choice.variants.iter().enumerate() {
            let mut all = Vec::new();
            for when in variant.when {
                all.push(scope.truth(when)?.part());
            }
            let order = |around| match variant.record.order {
                Order::Little => false,
                Order::Big => true,
                _ => around,
            };
            if let Some(Magic { bytes: [_, ..], .. }) =
                variant.record.fields.first().and_then(|it| it.magic)
                && let Some(magic) = variant.record.fields[0].magic
            {
                if chooses_order(&variant.record) && magic.is_number {
                    return Err(refused(format!(
                        "{}, whose variants begin with numbers in an order of their own",
                        choice.name
                    )));
                }
                let bytes = magic.bytes(order(big));
                peeks.insert(bytes.len());
                all.push(format!("(next_{} == {})", bytes.len(), list_of(&bytes)));
            }
            conditions.push(all.join(" and "));
            let name = |exporter: &mut Self, big| {
                let signature = format!("{signature}/{at}");
                exporter.type_id(Source::Variant(choice, at, signature), big, is_closed)
            };
            let ty = match &variant.record.order {
                Order::If(condition, is_big) => {
                    let condition = scope.truth(condition)?;
                    let (yes, no) = (name(self, *is_big), name(self, !*is_big));
                    let attribute = Attribute::either("it", &condition.text, &call(yes), &call(no));
                    let text = body_of("", &scope.parameters, &[attribute], &[], "");
                    let name =
                        format!("{}_{}_order", snake(choice.name), snake(variant.record.name));
                    self.type_of_text(&name, text)
                }
                _ => name(self, order(big)),
            };
            if variant.record.last.is_some() {
                let ordered = if chooses_order(&variant.record) { ".it" } else { "" };
                if !ordered.is_empty() {
                    return Err(refused(format!(
                        "the last {} of a list, in an order that a condition chooses",
                        choice.name
                    )));
                }
                lasts.push((at, ty.clone()));
            }
            types.push(call(ty));
        }
        let is_open = conditions.last().is_some_and(String::is_empty);
        let none = choice.variants.len();
        let (on, mut cases) = match self.numbers(choice, &scope) {
            Some((on, numbers)) => {
                let known: HashSet<i128> = HashSet::new();
                let mut cases = Vec::new();
                let mut known = known;
                for (at, all) in numbers.into_iter().enumerate() {
                    for number in all.into_iter().filter(|number| known.insert(*number)) {
                        cases.push((number.to_string(), types[at].clone()));
                    }
                }
                (on, cases)
            }
            None => {
                let mut on = none.to_string();
                for (at, condition) in conditions.iter().enumerate().rev() {
                    on = match condition.is_empty() {
                        true => at.to_string(),
                        false => format!(
                            "{condition} ? {at} : {}",
                            if on.contains('?') { format!("({on})") } else { on }
                        ),
                    };
                }
                (
                    on,
                    types.iter().enumerate().map(|(at, ty)| (at.to_string(), ty.clone())).collect(),
                )
            }
        };
        let rest = match (is_open, types.last()) {
            (true, Some(last)) => last.clone(),
            _ => {
                let text = "seq:\n  - id: none_of_the_variants\n    size: 0\n    valid:\n      expr: \"false\"\n";
                self.type_of_text("no_variant", text.to_owned())
            }
        };
        cases.retain(|case| case.1 != rest || !is_open);
        cases.push(("_".to_owned(), rest));
        let mut instances = Vec::new();
        for length in &peeks {
            instances.push(Attribute::next(*length));
        }
        if !lasts.is_empty() {
            let mut which = on.clone();
            which = format!("({which})");
            let said = lasts.iter().rev().fold("false".to_owned(), |rest, (at, ty)| {
                let numbers = cases.iter().filter(|case| case.1 == types[*at] && case.0 != "_");
                let is_it: Vec<String> =
                    numbers.map(|case| format!("{which} == {}", case.0)).collect();
                let is_it = if is_it.is_empty() { "true".to_owned() } else { is_it.join(" or ") };
                format!("({is_it}) ? it.as<{ty}>.is_last : ({rest})")
            });
            instances.push(Attribute::value("is_last", &said));
        }
        let attribute = Attribute::cases("it", &on, &cases);
        Ok(body_of(choice.doc, &scope.parameters, &[attribute], &instances, ""))
    }

    /// Returns the number that decides on the variant, and the numbers of each, where all conditions are about one number.
    fn numbers(&self, choice: &'static Choice, scope: &Scope) -> Option<(String, Vec<Vec<i128>>)> {
        fn constants<'e>(
            condition: &'e Expression,
            on: &mut Option<&'e Expression>,
            all: &mut Vec<i128>,
        ) -> bool {
            match condition {
                Expression::Binary(left, Operator::Or, right) => {
                    constants(left, on, all) && constants(right, on, all)
                }
                Expression::Binary(
                    left,
                    Operator::Eq,
                    Expression::Number(number) | Expression::Constant(number, _),
                ) => {
                    all.push(*number);
                    let on = on.get_or_insert(left);
                    matches!(left, Expression::Parameter(..)) && on.to_string() == left.to_string()
                }
                _ => false,
            }
        }
        let (mut on, mut numbers) = (None, Vec::new());
        for (at, variant) in choice.variants.iter().enumerate() {
            let mut all = Vec::new();
            let has_magic = variant.record.fields.first().is_some_and(|it| it.magic.is_some());
            let is_so = match variant.when {
                [condition] => constants(condition, &mut on, &mut all),
                [] => at + 1 == choice.variants.len(),
                _ => false,
            };
            if !is_so || has_magic {
                return None;
            }
            numbers.push(all);
        }
        let said = scope.said(on?).ok()?;
        matches!(said.kind, Kind::Number(_)).then_some((said.text, numbers))
    }

    fn word(&mut self, word: &'static Word, big: bool) -> Result<String> {
        let big = word.is_big.unwrap_or(big);
        let mut attributes = Vec::new();
        for (part, id) in word.parts.iter().zip(part_ids(word)) {
            let names = if let Meaning::Names(names) = part.meaning { names } else { &[] };
            let named = (!names.is_empty())
                .then(|| self.enum_id(&format!("{}_{id}", snake(word.name)), names));
            let zero = (part.meaning == Meaning::Zero).then_some("Always zero.");
            if zero.is_some() {
                self.unseen.insert("bytes and bits that are always zero");
            }
            let doc = [part.doc, zero.unwrap_or_default()].join(" ");
            attributes.push(Attribute::bits(&id, part.width, named, part.is_closed, doc.trim()));
        }
        // Kaitai takes bits from the start of the bytes on.
        if word.is_high != big {
            attributes.reverse();
        }
        let order = if big { "be" } else { "le" };
        Ok(body_of(word.doc, &[], &attributes, &[], &format!("meta:\n  bit-endian: {order}\n")))
    }

    /// Returns the whole definition.
    fn page(&self, id: &str, title: &str, body: &str) -> String {
        let order = if self.is_big { "be" } else { "le" };
        let mut out = format!(
            "# Made of a declaration of formwork.\nmeta:\n  id: {id}\n  title: {}\n  endian: {order}\n  ks-version: \"0.11\"\n",
            quoted(title)
        );
        let mut note = "Readers of this definition do not look at".to_owned();
        for unseen in &self.unseen {
            let _ = write!(note, " {unseen},");
        }
        note.push_str(" numbers that overflow.");
        if self.has_texts {
            note.push_str(" They refuse texts that are not UTF-8.");
        }
        match body.strip_prefix("doc: \"") {
            Some(rest) => {
                let (doc, rest) = rest.split_once("\"\n").unwrap_or((rest, ""));
                let _ = write!(out, "doc: \"{doc}\\n{}\n{rest}", &quoted(&note)[1..]);
            }
            None => {
                let _ = write!(out, "doc: {}\n{body}", quoted(&note));
            }
        }
        let types = self.types.iter().filter(|it| it.id != id);
        for (at, Type { id, text, .. }) in types.enumerate() {
            if at == 0 {
                out.push_str("types:\n");
            }
            let _ = writeln!(out, "  {id}:");
            for line in text.lines() {
                let _ = writeln!(out, "    {line}");
            }
        }
        for (at, (numbers, id)) in self.enums.iter().enumerate() {
            if at == 0 {
                out.push_str("enums:\n");
            }
            let _ = writeln!(out, "  {id}:");
            let (mut names, mut known) = (HashSet::new(), HashSet::new());
            for (number, name) in numbers.iter().filter(|it| known.insert(it.0)) {
                let _ = writeln!(out, "    {number}: {}", unique(name, &mut names));
            }
        }
        out
    }
}

fn add(needs: &mut Vec<Need>, index: usize, parts: Vec<&'static str>, kind: Kind) {
    if !needs.iter().any(|need| need.index == index && need.parts == parts) {
        needs.push(Need { index, parts, kind });
    }
}

/// Adds the parameters that an expression uses.
fn used(
    expression: &Expression,
    parameters: &'static [(&'static str, Integer)],
    needs: &mut Vec<Need>,
) {
    let mut number = |name: &Expression, kind: Option<Kind>| {
        if let Expression::Parameter(index, parts, _) = name {
            let index = usize::from(*index);
            let ty = if parts.is_empty() { parameters[index].1 } else { Integer::ANY };
            let usual = if ty == Integer::BOOL { Kind::Bool } else { Kind::Number(ty) };
            add(needs, index, parts.to_vec(), kind.unwrap_or(usual));
        }
    };
    fn visit(expression: &Expression, found: &mut dyn FnMut(&Expression, Option<Kind>)) {
        match expression {
            Expression::Bytes(field, ..) => {
                if let Some(place) = field.place() {
                    found(place, Some(Kind::Bytes));
                }
            }
            Expression::Field(..) | Expression::Parameter(..) => found(expression, None),
            Expression::Number(_)
            | Expression::Constant(..)
            | Expression::Index
            | Expression::Here(_)
            | Expression::Left(_)
            | Expression::Call(..) => {}
            Expression::Total(list, _) => visit(list, found),
            Expression::Element(list, index, _) => {
                visit(list, found);
                visit(index, found);
            }
            Expression::Not(inner)
            | Expression::Negative(inner)
            | Expression::Untyped(inner)
            | Expression::Cast(inner, _) => {
                visit(inner, found);
            }
            Expression::Binary(left, _, right) | Expression::Or(left, right) => {
                visit(left, found);
                visit(right, found);
            }
            Expression::If(condition, yes, no) => {
                visit(condition, found);
                visit(yes, found);
                visit(no, found);
            }
        }
    }
    visit(expression, &mut number);
}

/// Returns the text of a type.
fn body_of(
    doc: &str,
    parameters: &[(Need, String)],
    attributes: &[Attribute],
    instances: &[Attribute],
    meta: &str,
) -> String {
    let mut out = String::new();
    if !doc.is_empty() {
        let _ = writeln!(out, "doc: {}", quoted(doc));
    }
    out.push_str(meta);
    for (at, (need, id)) in parameters.iter().enumerate() {
        if at == 0 {
            out.push_str("params:\n");
        }
        let ty = need.kind.parameter().unwrap_or_else(|| "s8".to_owned());
        let _ = writeln!(out, "  - id: {id}\n    type: {ty}");
    }
    out.push_str(if attributes.is_empty() { "seq: []\n" } else { "seq:\n" });
    for attribute in attributes {
        let _ = write!(out, "  - id: {}\n{}", attribute.id, attribute.lines(4));
    }
    for (at, instance) in instances.iter().enumerate() {
        if at == 0 {
            out.push_str("instances:\n");
        }
        let _ = write!(out, "  {}:\n{}", instance.id, instance.lines(4));
    }
    out
}

//! The declared types in a layout, and which of them are the same one.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::schema::{
    Arguments, Check, Expression, Layout, Order, Record, View, ViewBytes, Word, WordPart,
};

/// The number of each declared type: a constant may have several addresses, and two types may have one name.
#[derive(Default)]
pub(super) struct Types {
    numbers: HashMap<usize, usize>,
}

impl Types {
    /// Returns the types that a layout leads to. Two are the same one where all that is declared of them is.
    pub(super) fn of(root: Layout) -> Self {
        let mut known: Vec<(usize, Text)> = Vec::new();
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut start = Text::default();
        start.layout(root);
        let mut open = start.inside;
        while let Some(layout) = open.pop() {
            let Some(address) = address(layout) else { continue };
            if places.contains_key(&address) {
                continue;
            }
            let text = Text::of(layout);
            open.extend(&text.inside);
            places.insert(address, known.len());
            known.push((address, text));
        }
        let mut numbers = numbered(known.iter().map(|(_, text)| &text.own));
        // Types are told apart by those in them, until no more are.
        loop {
            let number = |layout: &Layout| numbers[places[&address(*layout)?]].into();
            let keys: Vec<(usize, Vec<Option<usize>>)> = numbers
                .iter()
                .zip(&known)
                .map(|(own, (_, text))| (*own, text.inside.iter().map(number).collect()))
                .collect();
            let more = numbered(keys.iter());
            let is_done = more.iter().max() == numbers.iter().max();
            numbers = more;
            if is_done {
                break;
            }
        }
        Self { numbers: known.iter().map(|(address, _)| *address).zip(numbers).collect() }
    }

    /// Returns the number of a record, a choice or a word.
    pub(super) fn number(&self, layout: Layout) -> Option<usize> {
        self.numbers.get(&address(layout)?).copied()
    }
}

/// Returns a number for each key, the same for the same one.
fn numbered<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> Vec<usize> {
    let mut numbers = HashMap::new();
    keys.map(|key| {
        let next = numbers.len();
        *numbers.entry(key).or_insert(next)
    })
    .collect()
}

fn address(layout: Layout) -> Option<usize> {
    Some(match layout {
        Layout::Record(record) => std::ptr::from_ref(record).addr(),
        Layout::Choice(choice) => std::ptr::from_ref(choice).addr(),
        Layout::Word(word) => std::ptr::from_ref(word).addr(),
        _ => return None,
    })
}

/// All that is declared of a type, without what is declared of those in it.
#[derive(Default)]
struct Text {
    own: String,
    inside: Vec<Layout>,
}

// Writing to a string does not fail.
macro_rules! say {
    ($text:expr, $($what:tt)*) => {{
        let _ = writeln!($text.own, $($what)*);
    }};
}

impl Text {
    fn of(layout: Layout) -> Self {
        let mut text = Self::default();
        match layout {
            Layout::Record(record) => text.record(record),
            Layout::Choice(choice) => {
                say!(text, "{} {} {:?}", choice.name, choice.doc, choice.parameters);
                for variant in choice.variants {
                    say!(text, "variant");
                    variant.when.iter().for_each(|when| text.expression(when));
                    text.record(&variant.record);
                }
            }
            Layout::Word(Word { name, doc, bytes, parts, is_high, is_big }) => {
                say!(text, "{name} {doc} {bytes} {is_high} {is_big:?}");
                for WordPart { name, doc, width, meaning, is_closed } in *parts {
                    say!(text, "part {name} {doc} {width} {meaning:?} {is_closed}");
                }
            }
            _ => {}
        }
        text
    }

    fn record(&mut self, record: &Record) {
        say!(self, "{} {} {:?}", record.name, record.doc, record.parameters);
        self.order(&record.order);
        for field in record.fields {
            say!(self, "field {} {} {:?} {}", field.name, field.doc, field.meaning, field.used);
            self.layout((field.layout)());
            self.maybe(field.when.as_ref());
            self.arguments(&field.arguments);
            self.checks(field.checks);
            self.order(&field.order);
            say!(self, "{:?}", field.magic);
            self.maybe(field.computed.as_ref());
        }
        self.checks(record.checks);
        self.maybe(record.last.as_ref());
        self.maybe(record.slots.as_ref());
        for sum in record.sums {
            say!(self, "sum {} {} {} {} {:?}", sum.name, sum.slot, sum.from, sum.to, sum.with);
        }
        for View { name, layout, at, from, bytes, arguments, when } in record.views {
            say!(self, "view {name} {from:?}");
            self.layout(layout());
            self.expression(at);
            match bytes {
                ViewBytes::Count(bytes) => self.expression(bytes),
                ViewBytes::Rest => say!(self, "rest"),
                ViewBytes::Open => say!(self, "open"),
            }
            self.arguments(arguments);
            self.maybe(when.as_ref());
        }
    }

    fn layout(&mut self, layout: Layout) {
        let inside = match layout {
            Layout::Record(_) | Layout::Choice(_) | Layout::Word(_) => {
                self.inside.push(layout);
                return say!(self, "type");
            }
            Layout::Integer { number, names, open } => {
                return say!(self, "{number} {names:?} {open}");
            }
            Layout::Float(bytes) => return say!(self, "float {bytes}"),
            Layout::Nested(id) => return say!(self, "nested {id}"),
            Layout::Padding(multiple) => return say!(self, "padding {multiple}"),
            Layout::Terminated(end) => return say!(self, "{end:?}"),
            Layout::Varint(form) => return say!(self, "varint {} {}", form.name, form.number),
            Layout::Opaque => return say!(self, "opaque"),
            Layout::Same(of) => of,
            Layout::Array(count, of) => {
                say!(self, "array {count}");
                of
            }
            Layout::List(of) => {
                say!(self, "list");
                of
            }
            Layout::ToEnd(of) => {
                say!(self, "to end");
                of
            }
            Layout::Until(of) => {
                say!(self, "until");
                of
            }
            Layout::Within(of) => {
                say!(self, "within");
                of
            }
            Layout::Before(of) => {
                say!(self, "before");
                of
            }
            Layout::Coded(coding, of) => {
                say!(self, "coded {} {}", coding.name, coding.is_in_place);
                of
            }
            Layout::OrEnd(of) => {
                say!(self, "or end");
                of
            }
            Layout::Deferred(of) => {
                say!(self, "deferred");
                of
            }
        };
        self.layout(inside());
    }

    fn order(&mut self, order: &Order) {
        match order {
            Order::Inherited => say!(self, "around"),
            Order::Little => say!(self, "little"),
            Order::Big => say!(self, "big"),
            Order::If(condition, big) => {
                say!(self, "if {big}");
                self.expression(condition);
            }
        }
    }

    fn arguments(&mut self, arguments: &Arguments) {
        match arguments {
            Arguments::None => say!(self, "none"),
            Arguments::One(expression) => self.expression(expression),
            Arguments::Many(all) => {
                for (name, inner) in *all {
                    say!(self, "argument {name}");
                    self.arguments(inner);
                }
                say!(self, "no more");
            }
        }
    }

    fn checks(&mut self, checks: &[Check]) {
        for Check { condition, text, message } in checks {
            say!(self, "check {text} {message:?}");
            self.expression(condition);
        }
    }

    fn maybe(&mut self, expression: Option<&Expression>) {
        match expression {
            Some(expression) => self.expression(expression),
            None => say!(self, "none"),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        say!(self, "{expression}");
        // Two constants of one name may have two values.
        expression.each(&mut |part| {
            if let Expression::Constant(number, _) = part {
                say!(self, "{number}");
            }
        });
    }
}

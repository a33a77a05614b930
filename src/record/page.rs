//! The format as a page of Markdown.

use std::fmt::Write as _;

use super::types::Types;
use super::{With, with};
use crate::schema::{
    Arguments, Check, Choice, End, EndKind, Expression, Field, Integer, Layout, LayoutOf, Magic,
    Meaning, Order, Record, Schema, View, ViewBytes, ViewFrom, Word,
};
use crate::walk::Family;

/// Returns the format in Markdown: a section for each record, each variant and each word, each once.
#[must_use]
pub fn page<T: Schema>() -> String {
    with(&()).page::<T>()
}

impl With<'_> {
    /// Returns the format in Markdown: see [`page`](super::page()).
    #[must_use]
    pub fn page<T: Schema>(self) -> String {
        let mut page = Page {
            out: String::new(),
            family: self.family,
            open: vec![T::LAYOUT],
            types: Types::of(T::LAYOUT),
            known: Vec::new(),
        };
        let mut is_first = true;
        while let Some(layout) = page.open.pop() {
            let level = if std::mem::take(&mut is_first) { "#" } else { "##" };
            page.section(layout, level);
        }
        page.out
    }
}

struct Page<'f> {
    out: String,
    family: &'f dyn Family,
    open: Vec<Layout>,
    types: Types,
    known: Vec<Section>,
}

/// The section of a type.
struct Section {
    /// The number of the type.
    number: usize,
    name: &'static str,
    is_written: bool,
}

impl Page<'_> {
    /// Returns the position of a type, and its title: the second type of one name is `Entry (2)`.
    fn known(&mut self, layout: Layout) -> Option<(usize, String)> {
        let name = match layout {
            Layout::Record(record) => record.name,
            Layout::Choice(choice) => choice.name,
            Layout::Word(word) => word.name,
            _ => return None,
        };
        let number = self.types.number(layout)?;
        let known = self.known.iter().position(|it| it.number == number);
        let at = known.unwrap_or(self.known.len());
        let before = self.known[..at].iter().filter(|it| it.name == name).count();
        let title = match before {
            0 => name.to_owned(),
            before => format!("{name} ({})", before + 1),
        };
        if known.is_none() {
            self.known.push(Section { number, name, is_written: false });
        }
        Some((at, title))
    }

    fn section(&mut self, layout: Layout, level: &str) {
        let inner = element(layout);
        if let Some((at, title)) = self.known(inner) {
            if std::mem::replace(&mut self.known[at].is_written, true) {
                return;
            }
            match inner {
                Layout::Record(record) => self.record(record, &title, level),
                Layout::Choice(choice) => self.choice(choice, &title, level),
                Layout::Word(word) => self.word(word, &title, level),
                _ => {}
            }
            return;
        }
        if let (Layout::Integer { number, names: [_, ..], .. }, "#") = (inner, level) {
            let _ = writeln!(
                self.out,
                "{level} {number}\n\n{}",
                meant(Meaning::Plain, layout, self.family)
            );
        }
    }

    /// Returns the type with a link to its section.
    fn link(&mut self, layout: Layout) -> String {
        // The number of elements is in another column.
        let shown = match layout.inner() {
            Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) | Layout::Coded(_, of) => {
                return self.link(of());
            }
            other => other,
        };
        self.typed(shown)
    }

    fn typed(&mut self, layout: Layout) -> String {
        let element = element(layout);
        match self.known(element) {
            Some((_, title)) => {
                let text = layout.to_string().replacen(&element.to_string(), &title, 1);
                let anchor = title.to_lowercase().replace(' ', "-").replace(['(', ')'], "");
                format!("[{text}](#{anchor})")
            }
            None => format!("`{layout}`"),
        }
    }

    fn title(&mut self, title: &str, doc: &str, level: &str) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let _ = writeln!(self.out, "{level} {title}");
        if !doc.is_empty() {
            let _ = writeln!(self.out, "\n{doc}");
        }
    }

    fn record(&mut self, record: &'static Record, title: &str, level: &str) {
        self.title(title, record.doc, level);
        self.parameters(record.parameters);
        self.order(endian(&record.order), needs_order(record), level);
        self.fields(record);
    }

    /// Says the order of bytes, or where it is from.
    fn order(&mut self, said: Option<String>, is_needed: bool, level: &str) {
        let from = if level == "#" { "the reader is given" } else { "is around" };
        let _ = match said {
            Some(said) => writeln!(self.out, "\nNumbers are {said}."),
            None if is_needed => {
                writeln!(self.out, "\nNumbers have the order of bytes that {from}.")
            }
            None => Ok(()),
        };
    }

    fn parameters(&mut self, parameters: &[(&str, Integer)]) {
        let all: Vec<String> = parameters
            .iter()
            .map(|(name, ty)| match ty.bits {
                // A record, a word, or a number that has names.
                0 => format!("`{name}`"),
                _ => format!("`{name}` ({ty})"),
            })
            .collect();
        if !all.is_empty() {
            let _ = writeln!(self.out, "\nParameters: {}.", all.join(", "));
        }
    }

    fn fields(&mut self, record: &'static Record) {
        if record.fields.is_empty() {
            self.out.push_str("\nIt has no bytes.\n");
        } else {
            self.out.push_str(
                "\n| Offset | Field | Type | There | Meaning |\n| ---: | --- | --- | --- | --- |\n",
            );
        }
        let mut offset = Some(0);
        for (slot, field) in record.fields.iter().enumerate() {
            self.field(field, record.order, offset, &notes(record, slot));
            let size = match field.magic {
                Some(magic) => Some(magic.bytes.len()),
                None if field.computed.is_some() => Some(0),
                None => (field.layout)().size().filter(|_| field.when.is_none()),
            };
            offset = offset.zip(size).map(|(offset, size)| offset + size);
        }
        for check in record.checks {
            let _ = writeln!(self.out, "\n{}", held(check));
        }
        if let Some(last) = record.last {
            let _ = writeln!(self.out, "\nThe last of its list is that with `{last}`.");
        }
        if let Some(slots) = record.slots {
            let _ = writeln!(self.out, "\nCounts as `{slots}` elements of its list.");
        }
        for View { name, layout, at, from, bytes, arguments, when } in record.views {
            let when = when.map(|when| format!(" if `{when}`")).unwrap_or_default();
            let from = match from {
                ViewFrom::File => "of the file".to_owned(),
                ViewFrom::Record => "of this record".to_owned(),
                ViewFrom::Region => "of the region around".to_owned(),
                ViewFrom::Field(slot) => format!("of `{}`", record.fields[*slot].name),
            };
            let place = match bytes {
                ViewBytes::Count(bytes) => format!(", `{bytes}` bytes at offset `{at}` {from}"),
                ViewBytes::Rest => format!(" from offset `{at}` {from} to the end of the file"),
                ViewBytes::Open => format!(" at offset `{at}` {from}"),
            };
            let mut handed = there(layout(), arguments);
            // Its end is described above.
            handed.retain(|it| matches!(bytes, ViewBytes::Open) || it != TO_END);
            let handed = handed.iter().map(|it| format!(", {it}")).collect::<String>();
            let shown = self.typed(layout());
            let _ = writeln!(self.out, "\n`{name}`: {shown}{place}{handed}{when}.");
            self.open.push(layout());
        }
        self.words(record);
    }

    /// Explains the words and constants in the expressions of a record.
    fn words(&mut self, record: &'static Record) {
        let (mut has_here, mut has_left, mut has_index) = (false, false, false);
        let mut constants: Vec<(&str, i128)> = Vec::new();
        record.expressions(&mut |expression| {
            expression.each(&mut |part| match part {
                Expression::Here(_) => has_here = true,
                Expression::Left(_) => has_left = true,
                Expression::Index => has_index = true,
                Expression::Constant(number, text) => add_constant(&mut constants, (text, *number)),
                _ => {}
            });
        });
        for (is_used, what) in [
            (
                has_here,
                "`here` is the number of bytes of this record in front of the field; in what must hold, those of the field are counted, too, and of a condition of the record all.",
            ),
            (
                has_left,
                "`left` is the number of bytes from the field on, up to the end of the region around, where this record ends, too.",
            ),
            (has_index, "`index` is the position of the element in its list, from 0 on."),
        ] {
            if is_used {
                let _ = writeln!(self.out, "\n{what}");
            }
        }
        self.constants(&constants);
    }

    fn constants(&mut self, constants: &[(&str, i128)]) {
        let all: Vec<String> = constants
            .iter()
            .map(|(text, number)| match number {
                256.. => format!("`{text}` is {number} ({number:#x})"),
                number => format!("`{text}` is {number}"),
            })
            .collect();
        if !all.is_empty() {
            let _ = writeln!(self.out, "\n{}.", all.join(", "));
        }
    }

    fn field(&mut self, field: &'static Field, order: Order, offset: Option<usize>, notes: &str) {
        let offset = offset.map(|offset| offset.to_string()).unwrap_or_default();
        let (ty, there) = match (field.magic, field.computed) {
            (Some(magic), _) => (format!("`u8[{}]`", magic.bytes.len()), String::new()),
            (_, Some(computed)) => ("computed".to_owned(), format!("`{computed}`, no bytes")),
            _ => {
                let layout = (field.layout)();
                self.open.insert(0, layout);
                let there = there(layout, &field.arguments);
                let when = field.when.map(|when| format!("if `{when}`"));
                let there: Vec<String> = when.into_iter().chain(there).collect();
                (self.link(layout), there.join(", "))
            }
        };
        let meaning = match field.magic {
            Some(magic) => format!("Always {}.", always(magic, order)),
            None => in_line(&meaning(field, self.family)),
        };
        let meaning = format!("{meaning} {notes}");
        let cell = |text: &str| text.trim().replace('|', "\\|");
        let (name, there) = (field.name, cell(&there));
        let name = if name.is_empty() { String::new() } else { format!("`{name}`") };
        let _ = writeln!(
            self.out,
            "| {offset} | {name} | {} | {there} | {} |",
            cell(&ty),
            cell(&meaning)
        );
    }

    fn choice(&mut self, choice: &'static Choice, title: &str, level: &str) {
        self.title(title, choice.doc, level);
        self.parameters(choice.parameters);
        let orders: Vec<_> =
            choice.variants.iter().map(|variant| endian(&variant.record.order)).collect();
        let order = match &orders[..] {
            [first, rest @ ..] if rest.iter().all(|order| order == first) => first.clone(),
            _ => None,
        };
        if order.is_some() {
            self.order(order.clone(), true, level);
        }
        if choice.variants.len() > 1 {
            self.out.push_str("\nThe first variant that fits is the one that is there.\n");
        }
        self.out.push_str("\n| Variant | When |\n| --- | --- |\n");
        for variant in choice.variants {
            let when: Vec<String> = variant.when.iter().map(|when| format!("`{when}`")).collect();
            let magic = variant.record.fields.first().and_then(|field| field.magic);
            let magic = magic
                .map(|magic| format!("it begins with {}", always(magic, variant.record.order)));
            let all: Vec<String> = when.into_iter().chain(magic).collect();
            let all = if all.is_empty() { "otherwise".to_owned() } else { all.join(" and ") };
            let _ = writeln!(self.out, "| {} | {} |", variant.record.name, all.replace('|', "\\|"));
        }
        let mut constants = Vec::new();
        for part in choice.variants.iter().flat_map(|variant| variant.when) {
            part.each(&mut |part| {
                if let Expression::Constant(number, text) = part {
                    add_constant(&mut constants, (text, *number));
                }
            });
        }
        self.constants(&constants);
        for (variant, own) in choice.variants.iter().zip(orders) {
            let title = format!("{title}::{}", variant.record.name);
            self.title(&title, variant.record.doc, "###");
            if order.is_none() {
                self.order(own, needs_order(&variant.record), level);
            }
            self.fields(&variant.record);
        }
    }

    fn word(&mut self, word: &'static Word, title: &str, level: &str) {
        self.title(title, word.doc, level);
        let order = match word.is_big {
            _ if word.bytes == 1 => "",
            Some(true) => ", big endian",
            Some(false) => ", little endian",
            None if level == "#" => ", in the order of bytes that the reader is given",
            None => ", in the order of bytes that is around",
        };
        let bytes = crate::error::bytes(u16::from(word.bytes));
        let _ = writeln!(self.out, "\nA word of {bytes}{order}. Bit 0 is the lowest one.");
        self.out.push_str("\n| Bits | Part | Meaning |\n| --- | --- | --- |\n");
        for (part, low) in word.places() {
            let high = low + u32::from(part.width) - 1;
            let bits = if high == low { low.to_string() } else { format!("{low} to {high}") };
            let mut meaning = vec![in_line(part.doc)];
            match part.meaning {
                Meaning::Zero => meaning.push("Always zero.".to_owned()),
                other => meaning.extend(names(other, part.is_closed, self.family)),
            }
            let meaning = meaning.join(" ").replace('|', "\\|");
            let _ = writeln!(self.out, "| {bits} | `{}` | {} |", part.name, meaning.trim());
        }
    }
}

/// Returns paragraphs in one line, for a cell of a table.
fn in_line(text: &str) -> String {
    text.replace("\n\n", " ").replace('\n', " ")
}

/// Returns the bytes of a magic, or its number where the order of the bytes is not known here.
fn always(magic: Magic, order: Order) -> String {
    let is_big = match order {
        _ if !magic.is_number || magic.bytes.len() == 1 => true,
        Order::Little => false,
        Order::Big => true,
        Order::Inherited | Order::If(..) => {
            let number =
                magic.bytes.iter().fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
            return format!("the number {number}");
        }
    };
    format!("`{}`", magic.bytes(is_big).escape_ascii())
}

/// Returns the checksums that a field holds.
fn notes(record: &Record, slot: usize) -> String {
    let mut out = String::new();
    for sum in record.sums.iter().filter(|sum| sum.slot == slot) {
        let name = |slot: usize| record.fields[slot].name;
        let range = if sum.from == sum.to {
            format!("`{}`", name(sum.from))
        } else {
            format!("`{}` to `{}`", name(sum.from), name(sum.to))
        };
        let _ = write!(out, "`{}` of {range}", sum.name);
        match sum.with {
            Some(with) => {
                let _ = write!(out, ", with the byte {with} in its own place.");
            }
            None => out.push('.'),
        }
    }
    out
}

fn meaning(field: &Field, family: &dyn Family) -> String {
    let mut out = vec![field.doc.to_owned(), meant(field.meaning, (field.layout)(), family)];
    out.extend(field.checks.iter().map(held));
    if let Some(order) = endian(&field.order) {
        let (first, rest) = order.split_at(1);
        out.push(format!("{}{rest}.", first.to_uppercase()));
    }
    out.retain(|part| !part.is_empty());
    out.join(" ")
}

fn held(check: &Check) -> String {
    match check.message {
        Some(message) => format!("Must hold: `{}` ({message}).", check.text),
        None => format!("Must hold: `{}`.", check.text),
    }
}

/// Returns the order of bytes, where one is said: `little endian`.
fn endian(order: &Order) -> Option<String> {
    Some(match order {
        Order::Inherited => return None,
        Order::Little => "little endian".to_owned(),
        Order::Big => "big endian".to_owned(),
        Order::If(condition, big) => {
            let (yes, no) = if *big { ("big", "little") } else { ("little", "big") };
            format!("{yes} endian if `{condition}`, else {no} endian")
        }
    })
}

/// Returns whether a record has numbers or words in the order of bytes that is around.
fn needs_order(record: &Record) -> bool {
    let is_wide = |field: &Field| match (field.magic, element((field.layout)())) {
        (Some(magic), _) => magic.is_number && magic.bytes.len() > 1,
        (_, Layout::Integer { number, .. }) => number.bits > 8,
        (_, Layout::Float(_)) => true,
        (_, Layout::Word(word)) => word.bytes > 1 && word.is_big.is_none(),
        _ => false,
    };
    let is_free =
        |field: &Field| field.computed.is_none() && matches!(field.order, Order::Inherited);
    matches!(record.order, Order::Inherited)
        && record.fields.iter().any(|field| is_free(field) && is_wide(field))
}

/// Returns what is in lists, regions and codes.
fn element(layout: Layout) -> Layout {
    match layout {
        Layout::Same(of)
        | Layout::Array(_, of)
        | Layout::List(of)
        | Layout::ToEnd(of)
        | Layout::Until(of)
        | Layout::Within(of)
        | Layout::Before(of)
        | Layout::Coded(_, of)
        | Layout::OrEnd(of)
        | Layout::Deferred(of) => element(of()),
        other => other,
    }
}

/// Adds the value of a name: of a literal the text says it.
fn add_constant<'t>(all: &mut Vec<(&'t str, i128)>, (text, number): (&'t str, i128)) {
    let is_name = text.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && !matches!(text, "true" | "false");
    if is_name && !all.contains(&(text, number)) {
        all.push((text, number));
    }
}

/// Returns a sentence about the meaning of bytes, or nothing.
fn meant(meaning: Meaning, layout: Layout, family: &dyn Family) -> String {
    let (own, is_open) = match element(layout) {
        Layout::Integer { names, open, .. } => (names, open || names.is_empty()),
        _ => (&[][..], true),
    };
    let row = layout.inner();
    let zeros = if matches!(row, Layout::Array(..)) { ", filled up with zeros" } else { "" };
    let sign = |byte: u8| format!("`{}`", [byte].escape_ascii());
    match meaning {
        Meaning::Text => format!("Text in UTF-8{zeros}."),
        Meaning::Filled(0) => "Text in UTF-8, filled up with zeros.".to_owned(),
        Meaning::Filled(fill) => format!("Text in UTF-8, filled up with {}.", sign(fill)),
        Meaning::Ended(0, 0) => "Text in UTF-8 up to a zero.".to_owned(),
        Meaning::Ended(end, fill) => {
            let end = if end == 0 { "a zero".to_owned() } else { sign(end) };
            let fill = if fill == 0 { "zeros".to_owned() } else { sign(fill) };
            format!("Text in UTF-8 up to {end}, filled up with {fill}.")
        }
        Meaning::Utf16 => format!("Text in UTF-16{zeros}."),
        Meaning::Terminated => "Text in UTF-8 and a zero.".to_owned(),
        Meaning::Masked(mask) => {
            let (text, each) = match element(layout).size() {
                Some(4) => ("Text in UTF-32", "byte of it"),
                _ => ("Text", "byte"),
            };
            format!("{text}, each {each} combined with {mask:#04x} by XOR.")
        }
        Meaning::Letters if matches!(row, Layout::Integer { .. }) => {
            "Letters, one in each byte.".to_owned()
        }
        Meaning::Letters => "Text in Latin-1.".to_owned(),
        Meaning::Zero => "Always zero.".to_owned(),
        Meaning::Plain => names(Meaning::Names(own), !is_open, family).unwrap_or_default(),
        other => names(other, !is_open, family).unwrap_or_default(),
    }
}

/// Lists the names of numbers.
fn names(meaning: Meaning, is_closed: bool, family: &dyn Family) -> Option<String> {
    let listed = match meaning {
        Meaning::Names(names) if !names.is_empty() => listed(names),
        Meaning::Family(id) => {
            let name = |number: u64| Some((number.into(), family.name(id, number)?));
            let names: Vec<_> = (0..256).filter_map(name).collect();
            if names.is_empty() {
                return None;
            }
            listed(&names)
        }
        _ => return None,
    };
    Some(if is_closed { listed } else { format!("{listed} Others are possible.") })
}

fn listed(names: &[(i128, &str)]) -> String {
    let all: Vec<String> = names.iter().map(|(number, name)| format!("{number} {name}")).collect();
    format!("{}.", all.join(", "))
}

/// The end of what has no other one.
const TO_END: &str = "up to the end";

/// How often, in how many bytes, with which arguments.
fn there(layout: Layout, arguments: &Arguments) -> Vec<String> {
    let mut out = Vec::new();
    let named = |name: &str| match arguments.named(name) {
        Some(Arguments::One(expression)) => Some(format!("`{expression}`")),
        _ => None,
    };
    let inside = |of: LayoutOf| there(of(), arguments.inner());
    let each = |of: LayoutOf, arguments: &Arguments| {
        let all = there(of(), arguments);
        (!all.is_empty()).then(|| format!("each {}", all.join(", ")))
    };
    match layout {
        Layout::Same(of) => out = there(of(), arguments),
        Layout::OrEnd(of) => {
            out.push("may be missing at the end".to_owned());
            out.extend(there(of(), arguments));
        }
        Layout::Deferred(of) => {
            out.push("left to the caller of the reader".to_owned());
            out.extend(there(of(), arguments));
        }
        Layout::Padding(multiple) => {
            let length = match arguments {
                Arguments::Many([(_, Arguments::One(length)), ..]) => format!("`{length}` "),
                _ => String::new(),
            };
            out.push(format!("brings {length}up to a multiple of {multiple}"));
        }
        Layout::Within(of) => {
            out.extend(named("bytes").map(|it| format!("in {it} bytes")));
            out.extend(inside(of));
        }
        Layout::Coded(coding, of) => {
            let key = named("key").map(|it| format!(" ({it})"));
            out.push(format!("coded: {}{}", coding.name, key.unwrap_or_default()));
            out.extend(inside(of));
        }
        Layout::Before(of) => {
            out.extend(named("left").map(|it| format!("up to the last {it} bytes")));
            out.extend(inside(of).into_iter().filter(|it| it != TO_END));
        }
        Layout::Array(_, of) => out.extend(each(of, arguments)),
        Layout::List(of) => {
            let times = if layout.slots_of_elements() { "times in all" } else { "times" };
            out.extend(named("count").map(|it| format!("{it} {times}")));
            out.extend(each(of, arguments.inner()));
        }
        Layout::ToEnd(of) | Layout::Until(of) => {
            let is_last = matches!(layout, Layout::Until(_));
            out.push(if is_last { "up to the last" } else { TO_END }.to_owned());
            out.extend(each(of, arguments.inner()));
        }
        Layout::Opaque => out.push(TO_END.to_owned()),
        Layout::Terminated(End { kind: EndKind::TakenOrEnd, .. }) => {
            out.push("what ends it may be missing at the end".to_owned());
        }
        Layout::Terminated(End { kind: EndKind::Left, .. }) => {
            out.push("what ends it belongs to the next field, or is missing at the end".to_owned());
        }
        _ => {
            let handed = handed(arguments);
            if !handed.is_empty() {
                out.push(format!("with {}", handed.join(", ")));
            }
        }
    }
    out
}

/// Lists the arguments of a record.
fn handed(arguments: &Arguments) -> Vec<String> {
    match arguments {
        Arguments::None => Vec::new(),
        Arguments::One(expression) => vec![format!("`{expression}`")],
        Arguments::Many(all) => {
            let one = |(name, argument): &(&str, Arguments)| match argument {
                Arguments::One(expression)
                    if name.is_empty() || expression.to_string() == *name =>
                {
                    format!("`{expression}`")
                }
                Arguments::One(expression) => format!("`{name} = {expression}`"),
                other => handed(other).join(", "),
            };
            all.iter().map(one).collect()
        }
    }
}

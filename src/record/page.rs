//! The format as a page of Markdown.

use std::fmt::Write as _;

use super::{With, with};
use crate::schema::{
    Arguments, Choice, Field, Integer, Layout, Magic, Meaning, Order, Record, Schema, View,
    ViewBytes, ViewFrom, Word,
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
            types: Vec::new(),
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
    types: Vec<Type>,
}

/// A type that has a section, or gets one. (A constant may have several addresses.)
#[derive(PartialEq)]
struct Type {
    name: &'static str,
    doc: &'static str,
    fields: String,
    is_written: bool,
}

impl Type {
    fn of(layout: Layout) -> Option<Self> {
        let (name, doc, fields) = match layout {
            Layout::Record(record) => (record.name, record.doc, names_of(record)),
            Layout::Choice(choice) => {
                let variants = choice.variants.iter().map(|variant| names_of(&variant.record));
                (choice.name, choice.doc, variants.collect())
            }
            Layout::Word(word) => {
                (word.name, word.doc, word.parts.iter().map(|part| part.name).collect())
            }
            _ => return None,
        };
        Some(Self { name, doc, fields, is_written: false })
    }
}

impl Page<'_> {
    /// Returns the position of a type, and its title: the second type of one name is `Entry (2)`.
    fn known(&mut self, layout: Layout) -> Option<(usize, String)> {
        let ty = Type::of(layout)?;
        let same = |it: &Type| (it.name, it.doc, &it.fields) == (ty.name, ty.doc, &ty.fields);
        let at = self.types.iter().position(same).unwrap_or(self.types.len());
        let before = self.types[..at].iter().filter(|it| it.name == ty.name).count();
        let title = match before {
            0 => ty.name.to_owned(),
            before => format!("{} ({})", ty.name, before + 1),
        };
        if at == self.types.len() {
            self.types.push(ty);
        }
        Some((at, title))
    }

    fn section(&mut self, layout: Layout, level: &str) {
        let inner = layout.inner();
        if let Some((at, title)) = self.known(inner) {
            if std::mem::replace(&mut self.types[at].is_written, true) {
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
        match inner {
            Layout::Integer { number, names, .. } if !names.is_empty() && level == "#" => {
                let _ = writeln!(self.out, "{level} {number}\n");
            }
            Layout::Array(_, of) | Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) => {
                self.section(of(), level);
            }
            _ => {}
        }
    }

    /// Returns the type with a link to its section.
    fn link(&mut self, layout: Layout) -> String {
        let element = match layout.inner() {
            // The number of elements is in another column.
            Layout::List(of) | Layout::ToEnd(of) | Layout::Until(of) => return self.link(of()),
            Layout::Array(_, of) => of().inner(),
            other => other,
        };
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
        match record.order {
            Order::Inherited => {}
            Order::Little => self.out.push_str("\nNumbers are little endian.\n"),
            Order::Big => self.out.push_str("\nNumbers are big endian.\n"),
            Order::If(condition, big) => {
                let (yes, no) = if big { ("big", "little") } else { ("little", "big") };
                let _ = writeln!(
                    self.out,
                    "\nNumbers are {yes} endian if `{condition}`, else {no} endian."
                );
            }
        }
        self.fields(record);
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
            let _ = writeln!(self.out, "\nMust hold: `{}`.", check.text);
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
            // Its end is described above.
            let handed = there(layout(), arguments);
            let handed = handed.iter().filter(|it| !it.starts_with("up to the "));
            let handed = handed.map(|it| format!(", {it}")).collect::<String>();
            let _ = writeln!(self.out, "\n`{name}`: {}{place}{handed}{when}.", layout());
            self.open.push(layout());
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
            None => meaning(field, self.family),
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
        for variant in choice.variants {
            let title = format!("{title}::{}", variant.record.name);
            self.title(&title, variant.record.doc, "###");
            self.fields(&variant.record);
        }
    }

    fn word(&mut self, word: &'static Word, title: &str, level: &str) {
        self.title(title, word.doc, level);
        self.out.push_str("\n| Bits | Part | Meaning |\n| --- | --- | --- |\n");
        for (part, low) in word.places() {
            let high = low + u32::from(part.width) - 1;
            let bits = if high == low { low.to_string() } else { format!("{low} to {high}") };
            let mut meaning = vec![part.doc.to_owned()];
            meaning.extend(meant(part.meaning, self.family));
            let meaning = meaning.join(" ");
            let _ = writeln!(self.out, "| {bits} | `{}` | {} |", part.name, meaning.trim());
        }
    }
}

/// Returns the bytes of a magic, or its number where the order of the bytes is not known here.
fn always(magic: Magic, order: Order) -> String {
    let is_big = match order {
        _ if !magic.is_number || magic.bytes.len() == 1 => true,
        Order::Little => false,
        Order::Big => true,
        Order::Inherited | Order::If(..) => {
            let number =
                magic.bytes.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            return format!("the number {number}");
        }
    };
    format!("`{}`", magic.bytes(is_big).escape_ascii())
}

fn names_of(record: &Record) -> String {
    record.fields.iter().map(|field| format!("{} {}, ", field.name, (field.layout)())).collect()
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
    let mut out = vec![field.doc.to_owned()];
    out.extend(meant(field.meaning, family));
    if let Layout::Integer { names, open, .. } = (field.layout)()
        && !names.is_empty()
    {
        let more = if open { " Others are possible." } else { "" };
        out.push(format!("{}{more}", listed(names)));
    }
    out.extend(field.checks.iter().map(|check| match check.message {
        Some(message) => format!("Must hold: `{}` ({message}).", check.text),
        None => format!("Must hold: `{}`.", check.text),
    }));
    match field.order {
        Order::Little => out.push("Little endian.".to_owned()),
        Order::Big => out.push("Big endian.".to_owned()),
        Order::If(condition, big) => {
            out.push(format!("{} endian if `{condition}`.", if big { "Big" } else { "Little" }));
        }
        Order::Inherited => {}
    }
    out.retain(|part| !part.is_empty());
    out.join(" ")
}

/// Returns a sentence about the meaning of bytes.
fn meant(meaning: Meaning, family: &dyn Family) -> Option<String> {
    Some(match meaning {
        Meaning::Text => "Text in UTF-8.".to_owned(),
        Meaning::Filled(fill) => {
            format!("Text in UTF-8, filled up with `{}`.", [fill].escape_ascii())
        }
        Meaning::Ended(0, 0) => "Text in UTF-8 up to a zero.".to_owned(),
        Meaning::Ended(end, _) => {
            format!("Text in UTF-8 up to `{}`.", [end].escape_ascii())
        }
        Meaning::Utf16 => "Text in UTF-16.".to_owned(),
        Meaning::Terminated => "Text in UTF-8 and a zero.".to_owned(),
        Meaning::Masked(mask) => format!("Text, each byte combined with {mask:#04x} by XOR."),
        Meaning::Zero => "Always zero.".to_owned(),
        Meaning::Names(names) => listed(names),
        Meaning::Family(id) => {
            let name = |number: u64| Some((number.into(), family.name(id, number)?));
            let names: Vec<_> = (0..256).filter_map(name).collect();
            if names.is_empty() {
                return None;
            }
            listed(&names)
        }
        _ => return None,
    })
}

fn listed(names: &[(i128, &str)]) -> String {
    let all: Vec<String> = names.iter().map(|(number, name)| format!("{number} {name}")).collect();
    format!("{}.", all.join(", "))
}

/// How often, in how many bytes, with which arguments.
fn there(layout: Layout, arguments: &Arguments) -> Vec<String> {
    let mut out = Vec::new();
    let (mut layout, mut ends) = (layout, false);
    loop {
        match layout {
            Layout::Same(of) => layout = of(),
            Layout::OrEnd(of) => {
                out.push("may be missing at the end".to_owned());
                layout = of();
            }
            Layout::Deferred(of) => {
                out.push("left to the caller of the reader".to_owned());
                layout = of();
            }
            Layout::Padding(multiple) => {
                out.push(format!("up to a multiple of {multiple}"));
                break;
            }
            Layout::Within(of) => {
                out.extend(named(arguments, "bytes").map(|it| format!("in `{it}` bytes")));
                layout = of();
            }
            Layout::Coded(coding, of) => {
                let key = named(arguments, "key").map(|it| format!(", `{it}`"));
                out.push(format!("coded: {}{}", coding.name, key.unwrap_or_default()));
                layout = of();
            }
            Layout::Before(of) => {
                out.extend(
                    named(arguments, "left").map(|it| format!("up to the last `{it}` bytes")),
                );
                ends = true;
                layout = of();
            }
            Layout::List(_) => {
                let times =
                    if layout.inner().slots_of_elements() { "times in all" } else { "times" };
                out.extend(named(arguments, "count").map(|it| format!("`{it}` {times}")));
                break;
            }
            Layout::ToEnd(_) => {
                if !ends {
                    out.push("up to the end".to_owned());
                }
                break;
            }
            Layout::Until(_) => {
                out.push("up to the last".to_owned());
                break;
            }
            _ => break,
        }
    }
    let mut handed = Vec::new();
    arguments_of(arguments, &mut handed);
    if !handed.is_empty() {
        out.push(format!("with {}", handed.join(", ")));
    }
    out
}

/// Lists the arguments of a record, or of the elements of a list.
fn arguments_of(arguments: &Arguments, out: &mut Vec<String>) {
    let Arguments::Many(all) = arguments else { return };
    for (name, argument) in *all {
        match (*name, argument) {
            ("count" | "bytes" | "left", _) => {}
            ("inner", inner) => arguments_of(inner, out),
            ("each", Arguments::Many(all)) => {
                for (name, argument) in *all {
                    let Arguments::One(expression) = argument else { continue };
                    let named = if name.is_empty() { String::new() } else { format!("{name} = ") };
                    out.push(format!("`{named}{expression}` for each"));
                }
            }
            ("", Arguments::One(expression)) => out.push(format!("`{expression}`")),
            (name, Arguments::One(expression)) if expression.to_string() == name => {
                out.push(format!("`{name}`"));
            }
            (name, Arguments::One(expression)) => out.push(format!("`{name} = {expression}`")),
            _ => {}
        }
    }
}

fn named(arguments: &Arguments, name: &str) -> Option<String> {
    match arguments {
        Arguments::Many(all) => all.iter().find(|it| it.0 == name).and_then(|it| match &it.1 {
            Arguments::One(expression) => Some(expression.to_string()),
            _ => None,
        }),
        _ => None,
    }
}

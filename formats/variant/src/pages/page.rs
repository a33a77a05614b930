//! A dialect's format as a page, from its declarations.

use super::collect::Collected;
use super::rules::in_words;
use super::words::{anchor, clean};
use crate::dialect::{Dialect, Packet};
use crate::frame;
use crate::schema::{BitRange, Expression, Field, Record, Repetition, Semantics, Word};

/// The format of a dialect as a page in Markdown: frame, header words, table of types, records,
/// rules. Everything on it is read from the declarations that the codec itself is made of.
#[must_use]
pub fn variant_page(dialect: Dialect) -> String {
    let mut page = Page { collected: Collected::new(dialect), text: String::new() };
    page.introduction(dialect);
    page.types(dialect);
    page.packets(dialect);
    page.records();
    page.words();
    page.rules(dialect);
    page.text
}

/// A page in the making.
pub(super) struct Page {
    pub(super) collected: Collected,
    pub(super) text: String,
}

/// Appends a line. Writing to a string cannot fail.
macro_rules! line {
    ($page:ident, $($format:tt)*) => {
        let _ = std::fmt::Write::write_fmt(&mut $page.text, format_args!("{}\n", format_args!($($format)*)));
    };
}
pub(super) use line;

impl Page {
    fn introduction(&mut self, dialect: Dialect) {
        let (name, description) = (dialect.name(), dialect.description());
        line!(self, "# The packets of {name}\n");
        line!(self, "{description}.\n");
        line!(
            self,
            "A packet is one value: a header word, which holds the number of the type, and a"
        );
        line!(self, "payload. All numbers are little endian.\n");
        line!(self, "## Frame\n");
        let frame = frame::RECORD;
        line!(self, "{}\n", clean(frame.doc));
        self.fields(&[frame.fields]);
    }

    fn types(&mut self, dialect: Dialect) {
        line!(self, "## Types\n");
        line!(self, "Bytes are those of the whole packet.\n");
        line!(self, "| Id | Type | Header | Payload | Bytes |");
        line!(self, "| ---: | --- | --- | --- | ---: |");
        for (id, row) in dialect.rows().iter().enumerate() {
            let Some(packet) = dialect.packet(row.variant_type) else { continue };
            let header = packet.header.word().name;
            let payload = if has_parts(&packet) {
                format!("[its own](#{}-packet)", anchor(row.name))
            } else {
                self.payload(packet.payload)
            };
            let payload = if payload.is_empty() { "none" } else { &payload };
            let size = size_text(&packet);
            line!(
                self,
                "| {id} | {} | [{header}](#{}) | {payload} | {size} |",
                row.name,
                anchor(header),
            );
        }
        line!(self, "");
    }

    /// A payload that is one thing, or one of two.
    fn payload(&self, fields: &[Field]) -> String {
        let mut text = String::new();
        for field in fields {
            if !text.is_empty() {
                text.push_str(", or ");
            }
            text.push_str(&self.collected.type_text(field.shape()));
            // Where one of two stands, it is enough to say when the second does.
            if let Repetition::If(condition) = field.occurs
                && !matches!(condition, Expression::Not(_))
            {
                text.push_str(&format!(" if {}", code(condition)));
            }
            if field.meaning != Semantics::Plain {
                text.push(':');
                text.push_str(&names(field.meaning));
            }
        }
        text
    }

    fn packets(&mut self, dialect: Dialect) {
        let rows = dialect.rows().iter();
        let packets = rows.filter_map(|row| Some((row, dialect.packet(row.variant_type)?)));
        let packets: Vec<_> = packets.filter(|(_, packet)| has_parts(packet)).collect();
        if packets.is_empty() {
            return;
        }
        line!(self, "## Payloads in parts\n");
        line!(self, "Offsets count from behind the header word.\n");
        for (row, packet) in packets {
            line!(self, "### {} packet\n", row.name);
            self.fields(&[packet.payload]);
        }
    }

    /// Every record, each once.
    pub(super) fn records(&mut self) {
        line!(self, "## Records\n");
        line!(self, "Offsets count from the start of the record, as far as they are fixed.\n");
        for records in std::mem::take(&mut self.collected.records) {
            let Some(first) = records.first() else { continue };
            line!(self, "### {}\n", first.name);
            line!(self, "{}\n", clean(first.doc));
            let fields: Vec<_> = records.iter().map(|record| record.fields).collect();
            self.fields(&fields);
            self.checks(first);
        }
    }

    /// What must hold of a record as a whole.
    fn checks(&mut self, record: &Record) {
        for check in record.checks {
            line!(self, "Must hold: {}.\n", code(*check));
        }
    }

    /// The fields of a record, in all the forms it has.
    pub(super) fn fields(&mut self, forms: &[&[Field]]) {
        let Some(first) = forms.first() else { return };
        line!(self, "| Offset | Field | Type | There | Meaning |");
        line!(self, "| ---: | --- | --- | --- | --- |");
        for (position, field) in first.iter().enumerate() {
            let mut offsets = Vec::new();
            let mut types = Vec::new();
            for fields in forms {
                let (before, rest) = fields.split_at(position.min(fields.len()));
                let Some(field) = rest.first() else { continue };
                add(
                    &mut offsets,
                    fixed_size(before).map_or(String::new(), |size| size.to_string()),
                );
                add(&mut types, self.collected.type_text(field.shape()));
            }
            let (offsets, types) = (offsets.join(" or "), types.join(" or "));
            let there = match field.occurs {
                Repetition::Once => String::new(),
                Repetition::Times(count) => format!("{} times", code(count)),
                Repetition::If(condition) => format!("if {}", code(condition)),
                Repetition::After(length) => format!("after {} bytes", code(length)),
                Repetition::Fill(length) => format!("as many as fill {} bytes", code(length)),
                Repetition::ToEnd => "to the end of the file".to_owned(),
                Repetition::AfterOrEnd(length) => {
                    format!("after {} bytes; may be missing at the end", code(length))
                }
            };
            let mut meaning = clean(field.doc);
            meaning.push_str(&names(field.meaning));
            for check in field.checks {
                meaning.push_str(&format!(" Must hold: {}.", code(*check)));
            }
            line!(self, "| {offsets} | `{}` | {types} | {there} | {meaning} |", field.name);
        }
        line!(self, "");
    }

    /// Every bit-packed word.
    pub(super) fn words(&mut self) {
        line!(self, "## Bit-packed words\n");
        line!(self, "Bit 0 is the least significant.\n");
        for word in std::mem::take(&mut self.collected.words) {
            line!(self, "### {}\n", word.name);
            line!(self, "{}\n", clean(word.doc));
            self.bits(word);
        }
    }

    fn bits(&mut self, word: &Word) {
        line!(self, "| Bits | Part | Meaning |");
        line!(self, "| ---: | --- | --- |");
        let mut at = 0;
        for bits in word.bits {
            let BitRange { name, width, .. } = bits;
            let last = at + u32::from(*width) - 1;
            let place = if last == at { at.to_string() } else { format!("{at} to {last}") };
            // What is unused says so in its own words.
            let known = if bits.is_unused() { String::new() } else { names(bits.meaning) };
            let meaning = clean(bits.doc) + &known;
            line!(self, "| {place} | `{name}` | {meaning} |");
            at = last + 1;
        }
        line!(self, "");
    }

    fn rules(&mut self, dialect: Dialect) {
        line!(self, "## Rules\n");
        line!(self, "What the engine does beyond the layout:\n");
        for rule in in_words(dialect) {
            line!(self, "- {rule}");
        }
    }
}

fn add(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

/// Whether the payload is more than one thing, or the same thing in two widths.
fn has_parts(packet: &Packet) -> bool {
    match packet.payload {
        [] | [_] => false,
        [first, second] => !is_either(first, second),
        _ => true,
    }
}

/// Whether one stands there where the other does not.
fn is_either(first: &Field, second: &Field) -> bool {
    matches!(
        (first.occurs, second.occurs),
        (Repetition::If(Expression::Not(first)), Repetition::If(second)) if *first == second
    )
}

fn fixed_size(fields: &[Field]) -> Option<usize> {
    fields.iter().map(Field::size).sum()
}

fn size_text(packet: &Packet) -> String {
    let header = usize::from(packet.header.word().bytes);
    let size = match packet.payload {
        [first, second] if is_either(first, second) => first
            .shape()
            .size()
            .zip(second.shape().size())
            .map(|(first, second)| format!("{} or {}", header + first, header + second)),
        fields => fixed_size(fields).map(|size| (header + size).to_string()),
    };
    size.unwrap_or_else(|| "varies".to_owned())
}

/// An expression, fit for a table.
fn code(expression: Expression) -> String {
    format!("`{}`", expression.to_string().replace('|', "\\|"))
}

fn names(meaning: Semantics) -> String {
    match meaning {
        Semantics::Plain
        | Semantics::PayloadSize
        | Semantics::Letters
        | Semantics::Text
        | Semantics::TerminatedText
        | Semantics::MaskedText(_) => String::new(),
        Semantics::PaddedText => " Zeros fill up its place.".to_owned(),
        Semantics::Zero => " Always zero.".to_owned(),
        Semantics::Magic(bytes) => format!(" Always `{}`.", bytes.escape_ascii()),
        Semantics::TypeId => " See [Types](#types).".to_owned(),
        Semantics::Tag => " An id of the tag table.".to_owned(),
        Semantics::Class => " An id of the class table.".to_owned(),
        Semantics::FieldType => " See [Field types](#field-types).".to_owned(),
        Semantics::Numbered(names) => {
            let names = names.iter().map(|(number, name)| format!("{number} {name}"));
            format!(" {}.", names.collect::<Vec<_>>().join(", "))
        }
        Semantics::Named(names) => {
            let names = names.iter().enumerate().map(|(number, name)| format!("{number} {name}"));
            format!(" {}.", names.collect::<Vec<_>>().join(", "))
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn links_lead_to_headings_and_tables_have_as_many_cells_as_columns() {
        for dialect in Dialect::all() {
            check_page(&variant_page(dialect), &dialect.name());
        }
    }

    /// Every link leads to a heading of the page, and every row of a table has the same columns.
    pub(in crate::pages) fn check_page(page: &str, format: &str) {
        let headings: Vec<_> = page
            .lines()
            .filter_map(|line| line.strip_prefix('#'))
            .map(|line| line.trim_start_matches(['#', ' ']).replace(' ', "-"))
            .map(|heading| anchor(&heading))
            .collect();
        for (position, heading) in headings.iter().enumerate() {
            assert!(!headings[..position].contains(heading), "{format}: {heading} twice");
        }
        for link in page.split("](#").skip(1) {
            let target = link.split(')').next().unwrap().to_owned();
            assert!(headings.contains(&target), "{format}: no heading for {target}");
        }
        let mut columns = 0;
        for line in page.lines() {
            let cells = line.replace("\\|", "").matches('|').count();
            if line.starts_with('|') && columns > 0 {
                assert_eq!(cells, columns, "{format}: {line}");
            }
            columns = cells;
        }
    }

    #[test]
    fn sizes_are_those_of_the_engines() {
        let page = variant_page(Dialect::GODOT4);
        for row in [
            "| 0 | Nil | [PlainHeader](#plainheader) | none | 4 |",
            "| 2 | int | [WideHeader](#wideheader) | `i32`, or `i64` if `header.flag_64` \
             | 8 or 12 |",
            "| 8 | Rect2i | [PlainHeader](#plainheader) | [Rect2i](#rect2i) | 20 |",
        ] {
            assert!(page.contains(row), "{row}");
        }
        assert!(
            page.contains("| 100 |") || page.contains("52 or 100 |"),
            "a Transform3D in doubles"
        );
    }
}

//! Makes pages in Markdown from declarations: tables of fields, of bit-packed words, of names.

pub mod collect;
pub mod words;

use std::mem::take;

use collect::Collected;
use words::{anchor, clean};

use crate::schema::{
    CLASS, Expression, FIELD_TYPE, Field, Meaning, Occurs, Repetition, TAG, TYPE_ID, Word, WordPart,
};

/// A page that is being written.
pub struct Page {
    pub collected: Collected,
    pub text: String,
}

/// Appends a line. Writing to a string cannot fail.
#[macro_export]
#[doc(hidden)]
macro_rules! page_line {
    ($page:ident, $($format:tt)*) => {
        let _ = std::fmt::Write::write_fmt(&mut $page.text, format_args!("{}\n", format_args!($($format)*)));
    };
}
pub use crate::page_line as line;

impl Page {
    /// Writes every record, each once.
    pub fn records(&mut self) {
        line!(self, "## Records\n");
        line!(self, "Offsets count from the start of the record, as far as they are fixed.\n");
        for records in take(&mut self.collected.records) {
            let Some(first) = records.first() else { continue };
            line!(self, "### {}\n", first.name);
            line!(self, "{}\n", clean(first.doc));
            let fields: Vec<_> = records.iter().map(|record| record.fields).collect();
            self.fields(&fields);
        }
    }

    /// Writes the fields of a record, in all its forms.
    pub fn fields(&mut self, forms: &[&[Field]]) {
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
                add(&mut types, self.collected.type_text(field.element()));
            }
            let (offsets, types) = (offsets.join(" or "), types.join(" or "));
            let when = field.when.map(|when| format!(" if {}", code(when)));
            let there = match field.occurs() {
                Repetition::Once => String::new(),
                Repetition::OnceOrEnd => "may be missing at the end".to_owned(),
                Repetition::Times(count) => {
                    format!("{} times{}", code(count), when.unwrap_or_default())
                }
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
            if let Some(magic) = field.magic {
                meaning.push_str(&format!("Always `{}`.", magic.bytes.escape_ascii()));
            }
            line!(self, "| {offsets} | `{}` | {types} | {there} | {meaning} |", field.name);
        }
        line!(self, "");
    }

    /// Writes every bit-packed word.
    pub fn words(&mut self) {
        line!(self, "## Bit-packed words\n");
        line!(self, "Bit 0 is the least significant.\n");
        for word in take(&mut self.collected.words) {
            line!(self, "### {}\n", word.name);
            line!(self, "{}\n", clean(word.doc));
            self.bits(word);
        }
    }

    fn bits(&mut self, word: &Word) {
        line!(self, "| Bits | Part | Meaning |");
        line!(self, "| ---: | --- | --- |");
        let mut at = 0;
        for bits in word.parts {
            let WordPart { name, width, .. } = bits;
            let last = at + u32::from(*width) - 1;
            let place = if last == at { at.to_string() } else { format!("{at} to {last}") };
            // The documentation of unused bits describes them already.
            let known =
                if bits.meaning == Meaning::Zero { String::new() } else { names(bits.meaning) };
            let meaning = clean(bits.doc) + &known;
            line!(self, "| {place} | `{name}` | {meaning} |");
            at = last + 1;
        }
        line!(self, "");
    }
}

fn add(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

/// Returns the number of bytes of fields, if that is always the same.
pub fn fixed_size(fields: &[Field]) -> Option<usize> {
    let size = |field: &Field| match field.occurs() {
        _ if field.when.is_some() => None,
        Repetition::Once => field.element().size(),
        Repetition::Times(Expression::Number(count)) => {
            field.element().size()?.checked_mul(count.try_into().ok()?)
        }
        _ => None,
    };
    fields.iter().map(size).sum()
}

/// Returns an expression for a table.
pub fn code(expression: Expression) -> String {
    format!("`{}`", expression.to_string().replace('|', "\\|"))
}

pub fn names(meaning: Meaning) -> String {
    match meaning {
        Meaning::Zero => " Always zero.".to_owned(),
        Meaning::Family(TYPE_ID) => " See [Types](#types).".to_owned(),
        Meaning::Family(TAG) => " An id of the tag table.".to_owned(),
        Meaning::Family(CLASS) => " An id of the class table.".to_owned(),
        Meaning::Family(FIELD_TYPE) => " See [Field types](#field-types).".to_owned(),
        Meaning::Names(names) => {
            let names = names.iter().map(|(number, name)| format!("{number} {name}"));
            format!(" {}.", names.collect::<Vec<_>>().join(", "))
        }
        _ => String::new(),
    }
}

/// Checks a page: every link leads to a heading of the page, and every row of a table has the same columns.
pub fn check_page(page: &str, format: &str) {
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

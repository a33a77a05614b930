//! The report of `info` on a file, as text and as JSON.

use super::quantity::integer;
use std::io::{self, Write};
use std::path::Path;

use formwork::document::Json;
use formwork_variant::Dialect;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Array, Variant};

use super::arguments::program;
use super::around::Container;
use super::lines::whole_name;
use super::lines::{Finding, Grade, JsonLine, line};
use super::listing::Listed;
use super::quantity::counted;
use super::style::{Palette, shown};

/// The facts about a file, in the order of the output.
#[derive(Debug)]
pub(crate) struct Report {
    name: String,
    entries: Vec<(&'static str, Entry, Readers)>,
    findings: Vec<Finding>,
}

/// The outputs that have an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Readers {
    All,
    People,
    Programs,
}

/// Number of parts of a document that the text lists.
const LISTED: usize = 12;

/// A fact about a file.
#[derive(Debug)]
pub(crate) enum Entry {
    /// A word that scripts may rely on, and its meaning.
    Named(String, String),
    /// Lines.
    Lines(Vec<String>),
    /// Names; in JSON a list, also of one name.
    List(Vec<String>),
    /// A number, and a noun for the counted things.
    Number(u64, &'static str),
    /// A number of things with this name.
    Amount(u64, &'static str),
    /// A number of values, and the types of the first ones.
    Values(u64, Vec<String>),
    /// Things, and the number of each.
    Counts(Vec<(String, u64)>),
    /// Containers, outermost first.
    Wrappers(Vec<Container>),
    Flag(bool),
    /// The parts of a document.
    Content(Vec<(String, Json)>),
    /// Files of a pack, and the number of files that the text lists.
    Files(Vec<Listed>, usize),
}

impl Entry {
    pub(crate) fn named(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self::Named(name.into(), meaning.into())
    }

    pub(crate) fn line(line: impl Into<String>) -> Self {
        Self::Lines(vec![line.into()])
    }

    /// Returns the entry as lines of text.
    fn lines(&self) -> Vec<String> {
        match self {
            Self::Named(name, meaning) => vec![format!("{name}: {meaning}")],
            Self::Lines(lines) => lines.clone(),
            Self::List(names) => wrapped(&names.join(", ")),
            Self::Number(number, what) => vec![format!("{number} {what}")],
            Self::Amount(number, what) => vec![counted(*number, what)],
            Self::Values(count, types) if types.is_empty() => vec![count.to_string()],
            Self::Values(count, types) => {
                let more = if *count > types.len() as u64 { ", ..." } else { "" };
                wrapped(&format!("{count}: {}{more}", types.join(", ")))
            }
            Self::Counts(counts) => {
                let counts = counts.iter().map(|(what, count)| format!("{count} {what}"));
                wrapped(&counts.collect::<Vec<_>>().join(", "))
            }
            Self::Wrappers(wrappers) => wrappers.iter().flat_map(Container::lines).collect(),
            Self::Flag(flag) => vec![flag.to_string()],
            Self::Content(parts) => {
                let line =
                    |(name, value): &(String, Json)| shown(format!("{name}: {}", short(value)));
                let mut lines: Vec<_> = parts.iter().take(LISTED).map(line).collect();
                if let more @ 1.. = parts.len().saturating_sub(LISTED) {
                    lines.push(format!("and {more} more: '{} get' prints them", program()));
                }
                lines
            }
            Self::Files(files, shown) => {
                let mut lines = Listed::lines(files);
                if lines.len() > *shown {
                    lines.truncate(*shown);
                    lines.push(format!("and {} more: --all lists them", files.len() - shown));
                }
                lines
            }
        }
    }

    /// Returns the entry as JSON.
    fn json(&self) -> String {
        match self {
            Self::Content(parts) => Json::Object(parts.clone()).to_string(),
            // The value can be plain JSON, whose form is the same in every dialect.
            entry => to_json(&entry.value(), Dialect::GODOT4, Style::Compact),
        }
    }

    /// Returns the entry as a value that plain JSON can hold.
    fn value(&self) -> Variant {
        let text = |text: &String| Variant::from(text.as_str());
        let list = |list: &[String]| Variant::Array(list.iter().map(text).collect::<Array>());
        match self {
            Self::Named(name, _) => text(name),
            Self::Lines(lines) => match lines.as_slice() {
                [line] => text(line),
                lines => list(lines),
            },
            Self::List(names) => list(names),
            Self::Number(number, _) | Self::Amount(number, _) => integer(*number),
            Self::Values(_, types) => list(types),
            Self::Counts(counts) => {
                counts.iter().map(|(what, count)| (what.as_str(), integer(*count))).collect()
            }
            Self::Wrappers(wrappers) => {
                Variant::Array(wrappers.iter().map(Container::value).collect::<Array>())
            }
            Self::Flag(flag) => Variant::Bool(*flag),
            Self::Content(_) => Variant::Nil,
            Self::Files(files, _) => Listed::values(files),
        }
    }
}

impl Report {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), entries: Vec::new(), findings: Vec::new() }
    }

    pub(crate) fn add(&mut self, title: &'static str, entry: Entry) {
        self.entries.push((title, entry, Readers::All));
    }

    /// Adds an entry of the text output.
    pub(crate) fn add_for_people(&mut self, title: &'static str, entry: Entry) {
        self.entries.push((title, entry, Readers::People));
    }

    /// Adds an entry of the JSON output, whose fact the text has elsewhere.
    pub(crate) fn add_for_programs(&mut self, title: &'static str, entry: Entry) {
        self.entries.push((title, entry, Readers::Programs));
    }

    /// Adds findings to the JSON output; the text has them in another entry.
    pub(crate) fn find(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.findings.extend(findings);
    }

    /// Adds the reason why the file cannot be read: as lines of text, and as a finding.
    pub(crate) fn fault(&mut self, lines: Vec<String>, finding: Finding) {
        self.add_for_people("faults", Entry::Lines(lines));
        self.findings.push(finding);
    }

    /// Adds the problems of a document, of which the text lists the first.
    pub(crate) fn problems(&mut self, findings: Vec<Finding>) {
        /// Number of problems that the text lists.
        const LISTED: usize = 5;
        let mut lines: Vec<_> = findings.iter().take(LISTED).map(|it| it.message.clone()).collect();
        if let more @ 1.. = findings.len().saturating_sub(LISTED) {
            lines.push(format!("and {more} more: '{} verify --all' lists them", program()));
        }
        if !lines.is_empty() {
            let is_damaged = findings.iter().any(|it| it.grade == Grade::Damage);
            let title = if is_damaged { "faults" } else { "problems" };
            self.add_for_people(title, Entry::Lines(lines));
        }
        self.findings.extend(findings);
    }

    /// Adds that the file is encrypted, and the next step.
    pub(crate) fn locked(&mut self, lines: Vec<String>) {
        self.add_for_people("locked", Entry::Lines(lines));
        self.add_for_programs("locked", Entry::Flag(true));
    }

    /// Adds that a file can only be read.
    pub(crate) fn read_only(&mut self, what: &str) {
        self.add_for_people("changes", Entry::line(format!("{what} can only be read")));
        self.add_for_programs("read_only", Entry::Flag(true));
    }

    fn entry(&self, title: &str) -> Option<&Entry> {
        self.entries.iter().find(|(known, ..)| *known == title).map(|(_, entry, _)| entry)
    }

    /// Returns whether there is an entry with this title.
    pub(crate) fn has(&self, title: &str) -> bool {
        self.entry(title).is_some()
    }

    /// Returns the name of the file.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the word for scripts in the entry with this title.
    pub(crate) fn word(&self, title: &str) -> Option<&str> {
        match self.entry(title)? {
            Entry::Named(name, _) => Some(name.as_str()),
            _ => None,
        }
    }

    /// Returns the number in the entry with this title.
    pub(crate) fn number(&self, title: &str) -> Option<u64> {
        match self.entry(title)? {
            Entry::Number(number, _) | Entry::Amount(number, _) => Some(*number),
            _ => None,
        }
    }

    /// Prints the report as text.
    pub(crate) fn print(&self, palette: &Palette, out: &mut dyn Write) -> io::Result<()> {
        let value = palette.value;
        writeln!(out, "{value}{}{value:#}", self.name)?;
        self.print_entries(palette, out)
    }

    /// Prints the report as text, without the name of the file.
    pub(crate) fn print_entries(&self, palette: &Palette, out: &mut dyn Write) -> io::Result<()> {
        /// Width of the titles.
        const TITLE: usize = 10;
        let name = palette.name;
        let entries = self.entries.iter().filter(|(.., readers)| *readers != Readers::Programs);
        for (title, entry, _) in entries {
            for (position, line) in entry.lines().iter().enumerate() {
                let title = if position == 0 { *title } else { "" };
                writeln!(out, "  {name}{title:TITLE$}{name:#}  {line}")?;
            }
        }
        Ok(())
    }

    /// Returns the report as JSON on one line.
    pub(crate) fn json(&self, file: &Path) -> String {
        let mut json = JsonLine::new().text("file", &whole_name(file));
        for (title, entry, readers) in &self.entries {
            if *readers != Readers::People {
                json = json.json(key(title), &entry.json());
            }
        }
        json.json("findings", &line(&self.findings)).object()
    }
}

/// Returns the key of an entry in JSON, where the title in the text is shorter.
fn key(title: &'static str) -> &'static str {
    match title {
        "constants" => "constant_count",
        "contents" => "files",
        "fields" => "field_count",
        "files" => "file_count",
        "keys" => "key_count",
        "leaves" => "leaf_count",
        "lines" => "line_count",
        "missing" => "missing_count",
        "names" => "name_count",
        "objects" => "object_count",
        "placed" => "placed_count",
        "properties" => "property_count",
        "raw" => "raw_size",
        "resources" => "resource_count",
        "sections" => "section_count",
        "settings" => "setting_count",
        "templates" => "template_count",
        "tokens" => "token_count",
        "unpacked" => "unpacked_size",
        "values" => "outermost",
        "wrapper" => "wrappers",
        title => title,
    }
}

/// Wraps a list into lines, after commas.
fn wrapped(list: &str) -> Vec<String> {
    /// Number of characters beside the titles on a usual terminal.
    const WIDTH: usize = 84;
    let letters = |text: &str| text.chars().count();
    let mut lines = vec![String::new()];
    for piece in list.split_inclusive(", ") {
        match lines.last_mut() {
            Some(line) if letters(line) + letters(piece.trim_end()) <= WIDTH => {
                line.push_str(piece)
            }
            _ => lines.push(piece.to_owned()),
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

/// The certainty of the format: a word for scripts, a sentence for text output.
pub(crate) type Sure = (&'static str, &'static str);

pub(crate) const SAID: Sure = ("said", "given on the command line");

pub(crate) const CERTAIN: Sure = ("certain", "no other format fits");

/// Names that a line lists, at most.
const NAMED: usize = 24;

/// Returns a value in a few words.
pub(crate) fn short(value: &Json) -> String {
    match (value.tag(), value) {
        (Some(("$elements", count)), _) => format!("{count} elements"),
        (Some(("$fields", Json::Array(names))), _) => {
            let listed: Vec<_> = names.iter().take(NAMED).map(short).collect();
            match names.len().saturating_sub(NAMED) {
                0 => listed.join(", "),
                more => format!("{} and {more} more", listed.join(", ")),
            }
        }
        (Some(("$letters", count)), _) => format!("a text of {count} letters"),
        (_, Json::String(text)) => text.clone(),
        (_, value) => value.to_string(),
    }
}

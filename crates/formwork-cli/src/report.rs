//! What there is to say about a file, for people and for programs.

use std::io::{self, Write};

use formwork_variant::Dialect;
use formwork_variant::json::{Style, to_json};
use formwork_variant::{Array, Variant};

use super::around::Container;
use super::pack::Listed;
use super::quantity::counted;
use super::style::Palette;

/// What there is to say about a file, in the order of saying it.
#[derive(Debug)]
pub(crate) struct Report {
    name: String,
    entries: Vec<(&'static str, Entry)>,
    /// What people are told in another entry.
    for_programs: Vec<(&'static str, Entry)>,
}

/// One thing to say.
#[derive(Debug)]
pub(crate) enum Entry {
    /// A word that programs may rely on, and what it means.
    Named(String, String),
    /// Lines.
    Lines(Vec<String>),
    /// Names; a list in JSON, however many there are.
    List(Vec<String>),
    /// A number, and what it counts.
    Number(u64, &'static str),
    /// A number of things that are called so.
    Amount(u64, &'static str),
    /// So many values, the first of them of these types.
    Values(u64, Vec<String>),
    /// Things and how many of each.
    Counts(Vec<(String, u64)>),
    /// Warnings, by rule.
    Groups(Vec<Group>),
    /// Containers, outermost first.
    Containers(Vec<Container>),
    /// Files of a pack, of which people see so many.
    Files(Vec<Listed>, usize),
}

/// The warnings of one rule.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) rule: String,
    pub(crate) count: u64,
    /// Where the first few are.
    pub(crate) offsets: Vec<u64>,
}

impl Entry {
    pub(crate) fn named(name: impl Into<String>, meaning: impl Into<String>) -> Self {
        Self::Named(name.into(), meaning.into())
    }

    pub(crate) fn line(line: impl Into<String>) -> Self {
        Self::Lines(vec![line.into()])
    }

    /// As lines of text.
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
            Self::Groups(groups) => groups.iter().map(Group::line).collect(),
            Self::Containers(containers) => containers.iter().flat_map(Container::lines).collect(),
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

    /// As a value that plain JSON holds.
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
            Self::Values(count, types) => {
                [("count", integer(*count)), ("outermost", list(types))].into_iter().collect()
            }
            Self::Counts(counts) => {
                counts.iter().map(|(what, count)| (what.as_str(), integer(*count))).collect()
            }
            Self::Groups(groups) => {
                groups.iter().map(|group| (group.rule.as_str(), group.value())).collect()
            }
            Self::Containers(containers) => {
                Variant::Array(containers.iter().map(Container::value).collect::<Array>())
            }
            Self::Files(files, _) => Listed::values(files),
        }
    }
}

impl Group {
    fn line(&self) -> String {
        let Self { rule, count, offsets } = self;
        let shown: Vec<_> =
            offsets.iter().map(|offset| format!("{offset} (0x{offset:x})")).collect();
        let more = if *count > offsets.len() as u64 { ", ..." } else { "" };
        format!("{count} x {rule}, at offset {}{more}", shown.join(", "))
    }

    fn value(&self) -> Variant {
        let offsets = self.offsets.iter().copied().map(integer).collect::<Array>();
        [("count", integer(self.count)), ("offsets", Variant::Array(offsets))].into_iter().collect()
    }
}

impl Report {
    pub(crate) fn new(name: &str) -> Self {
        Self { name: name.to_owned(), entries: Vec::new(), for_programs: Vec::new() }
    }

    pub(crate) fn add(&mut self, title: &'static str, entry: Entry) {
        self.entries.push((title, entry));
    }

    /// Adds what only JSON has, because people read it elsewhere.
    pub(crate) fn add_for_programs(&mut self, title: &'static str, entry: Entry) {
        self.for_programs.push((title, entry));
    }

    /// Whether there is something to say under this title.
    pub(crate) fn has(&self, title: &str) -> bool {
        self.entries.iter().any(|(known, _)| *known == title)
    }

    /// Returns the name of the file.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the word that programs rely on under this title.
    pub(crate) fn word(&self, title: &str) -> Option<&str> {
        self.entries.iter().find(|(known, _)| *known == title).and_then(|(_, entry)| match entry {
            Entry::Named(name, _) => Some(name.as_str()),
            _ => None,
        })
    }

    /// Returns the number under this title.
    pub(crate) fn number(&self, title: &str) -> Option<u64> {
        self.entries.iter().find(|(known, _)| *known == title).and_then(|(_, entry)| match entry {
            Entry::Number(number, _) | Entry::Amount(number, _) => Some(*number),
            _ => None,
        })
    }

    /// Prints it for people.
    pub(crate) fn print(&self, palette: &Palette, out: &mut dyn Write) -> io::Result<()> {
        let value = palette.value;
        writeln!(out, "{value}{}{value:#}", self.name)?;
        self.print_entries(palette, out)
    }

    /// Prints it for people, without the name of the file.
    pub(crate) fn print_entries(&self, palette: &Palette, out: &mut dyn Write) -> io::Result<()> {
        /// Room for titles.
        const TITLE: usize = 10;
        let name = palette.name;
        for &(title, ref entry) in &self.entries {
            for (position, line) in entry.lines().iter().enumerate() {
                let title = if position == 0 { for_people(title) } else { "" };
                writeln!(out, "  {name}{title:TITLE$}{name:#}  {line}")?;
            }
        }
        Ok(())
    }

    /// Returns the report as JSON on one line.
    pub(crate) fn json(&self) -> String {
        let entries = self.entries.iter().chain(&self.for_programs);
        let entries = entries.map(|(title, entry)| (*title, entry.value()));
        let file = ("file", Variant::from(self.name.as_str()));
        let all: Variant = std::iter::once(file).chain(entries).collect();
        // There is nothing in it but what plain JSON has: every dialect has the same form for it.
        to_json(&all, Dialect::GODOT4, Style::Compact)
    }
}

/// What people read for the name of an entry that programs rely on.
fn for_people(title: &'static str) -> &'static str {
    match title {
        "container" => "wrapper",
        "deviations" => "warnings",
        title => title,
    }
}

/// A number that plain JSON holds.
pub(crate) fn integer(number: u64) -> Variant {
    Variant::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

/// A list, broken into lines behind commas.
fn wrapped(list: &str) -> Vec<String> {
    /// Characters that fit beside the titles on a usual terminal.
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

//! Replaces the texts of changed values in a ConfigFile, and writes whole ConfigFiles.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use super::file::{ConfigFile, Entry, Section};
use super::heading::{self, field};
use super::rule;
use super::scan::Headings;
use super::sections::{self, SectionValues};
use super::spell::{Changes, Speller, apply};
use formwork::document::Json;
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::{Dialect, Dictionary, Real, Variant};

impl ConfigFile<'_> {
    /// Returns the text with the values replaced for which `change` returns a new text.
    pub fn replaced(&self, mut change: impl FnMut(&Entry) -> Option<String>) -> String {
        let changes = self.entries.iter().filter_map(|it| Some((it.value.clone(), change(it)?)));
        apply(self.text, changes.collect())
    }

    /// Returns the text with these values: a Dictionary with a Dictionary for each section. Only the texts of changed
    /// values are written, and in lists and Dictionaries only those of changed elements. A new key comes last in its
    /// section. A removed key goes with its line.
    ///
    /// # Errors
    ///
    /// Returns an error if `new` is not such a Dictionary, if the dialect's engine cannot read the text of a value, if a
    /// value is null (which erases the key in engines), or if a new name cannot be read.
    pub fn with_values<R: Real>(&self, new: &Variant<R>, dialect: Dialect) -> Result<String> {
        let is_resource = self.is_resource();
        let sections = match is_resource {
            true => sections::of_resource(new)?,
            false => sections::of_config_file(new)?,
        };
        let text = self.with_sections(&sections, dialect)?;
        if text != self.text {
            let parse = if is_resource { ConfigFile::parse_resource } else { ConfigFile::parse };
            parse(&text)?.check(&sections, dialect)?;
        }
        Ok(text)
    }

    /// Returns the text with the keys and values of these sections.
    pub(super) fn with_sections<R: Real>(
        &self,
        sections: &[SectionValues<'_, R>],
        dialect: Dialect,
    ) -> Result<String> {
        let erases_nulls = self.erases_nulls();
        let mut last: HashMap<(&str, &str), &Entry> = HashMap::new();
        for entry in &self.entries {
            last.insert((&entry.section, &entry.key), entry);
        }
        let mut changes: Changes = Vec::new();
        let mut kept = HashSet::new();
        let ends = self.ends();
        let names: HashSet<&str> = sections.iter().map(|(name, _)| &**name).collect();
        let mut behind = String::new();
        for (section, pairs) in sections {
            let section = &**section;
            let mut added = Added::default();
            for (key, value) in pairs {
                let speller = Speller { dialect, section, key, erases_nulls };
                kept.insert((section, &**key));
                let Some(entry) = last.get(&(section, &**key)) else {
                    added.push(self, section, key, &speller.text(*value)?)?;
                    continue;
                };
                let old = self.value::<R>(entry, dialect);
                if !old.is_identical(value) {
                    let new = speller.respell(self.text_of(entry), &old, value)?;
                    changes.push((entry.value.clone(), new));
                }
            }
            match ends.get(section) {
                Some(end) => changes.extend(added.into_section(self, end)),
                None if self.headings == Headings::Names => {
                    let line_break = self.line_break();
                    let _ = write!(behind, "{line_break}{}", head(section)?);
                    let _ = write!(behind, "{line_break}{line_break}{}", added.lines);
                }
                None => changes.push(self.new_heading(section, added)?),
            }
        }
        for entry in &self.entries {
            let name = (&*entry.section, entry.key.as_str());
            let is_erased = || {
                let last = last.get(&name).map(|last| self.text_of(last));
                erases_nulls && matches!(last, Some("null" | "nil"))
            };
            let is_left = kept.contains(&name) || names.contains(name.0) && is_erased();
            if !is_left && (erases_nulls || names.contains(name.0)) {
                changes.push((self.removal(entry), String::new()));
            }
        }
        for (number, section) in self.sections.iter().enumerate() {
            if !names.contains(&*section.name) {
                changes.push((self.removal_of(number), String::new()));
            }
        }
        if !behind.is_empty() {
            let end = self.text.len();
            changes.push((end..end, self.on_line(end, behind)));
        }
        for (range, new) in &mut changes {
            self.keep_apart(range.end, new);
        }
        Ok(apply(self.text, changes))
    }

    /// Puts a blank after a text, if what follows it in the file would be read as part of it: `-7` and a key `e5`.
    /// Readers pass over blanks before a key.
    fn keep_apart(&self, at: usize, new: &mut String) {
        let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
        let follows = self.text.get(at..).and_then(|rest| rest.chars().next());
        let melts = new.chars().next_back().is_some_and(is_word)
            && follows.is_some_and(|next| is_word(next) || matches!(next, '+' | '-'));
        if melts {
            new.push(' ');
        }
    }

    /// Returns the line break that the text uses.
    pub(super) fn line_break(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    pub(super) fn end_of_line(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |length| at + length + 1)
    }

    /// Returns whether nothing but a comment follows in the line at `at`.
    fn ends_line(&self, at: usize) -> bool {
        let rest = self.text.get(at..self.end_of_line(at)).unwrap_or_default().trim_start();
        rest.is_empty() || rest.starts_with(';')
    }

    /// Returns the range of a pair that is removed: its lines, if there is nothing else in them.
    fn removal(&self, entry: &Entry) -> Range<usize> {
        let end = entry.value.end;
        let before = self.text.get(..entry.start).unwrap_or_default();
        let blanks = before.len() - before.trim_end_matches([' ', '\t']).len();
        if entry.is_field {
            return entry.start - blanks..end;
        }
        let is_first = before.len() == blanks || before[..before.len() - blanks].ends_with('\n');
        if self.ends_line(end) {
            return match is_first {
                true => entry.start..self.end_of_line(end),
                false => entry.start - blanks..end,
            };
        }
        let rest = self.text.get(end..).unwrap_or_default();
        entry.start..end + rest.len() - rest.trim_start_matches([' ', '\t']).len()
    }

    /// Returns the range of a removed section: of its heading, whose line goes if there is nothing else in it. In text
    /// resources the section goes up to the next heading.
    fn removal_of(&self, number: usize) -> Range<usize> {
        let heading = &self.sections[number].heading;
        if self.headings == Headings::Fields {
            let next = self.sections.get(number + 1);
            let before = number.checked_sub(1).and_then(|number| self.sections.get(number));
            let kind = |it: &Section| heading::kind_and_id(&it.name).0.to_owned();
            let own = kind(&self.sections[number]);
            // Headings of a list are on lines one after the other.
            if heading::is_listed(&own)
                && [before, next].into_iter().flatten().any(|it| kind(it) == own)
            {
                return heading.start..self.end_of_line(heading.end);
            }
            return heading.start..next.map_or(self.text.len(), |it| it.heading.start);
        }
        match self.ends_line(heading.end) {
            true => heading.start..self.end_of_line(heading.end),
            false => heading.clone(),
        }
    }

    /// Puts the text added at `at` on a separate line.
    fn on_line(&self, at: usize, added: String) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        let is_start = before.is_empty() || before.ends_with('\n');
        if is_start { added } else { format!("{}{added}", self.line_break()) }
    }

    /// Returns the ends of each section by its name. Keys without a section come before the first section.
    fn ends(&self) -> HashMap<&str, End> {
        let first = self.sections.first().map_or(self.text.len(), |it| it.heading.start);
        let mut ends = HashMap::from([("", End { heading: 0, body: first, is_empty: true })]);
        for Section { name, heading } in &self.sections {
            let body = heading.end;
            ends.insert(name, End { heading: body, body, is_empty: false });
        }
        for entry in self.entries.iter().filter(|entry| !entry.is_field) {
            if let Some(end) = ends.get_mut(&*entry.section)
                && (end.is_empty || end.body < entry.value.end)
            {
                (end.body, end.is_empty) = (entry.value.end, false);
            }
        }
        ends
    }

    /// Checks that this text has the keys of these sections, and no others: a new key may melt into another one.
    fn check<R: Real>(&self, sections: &[SectionValues<'_, R>], dialect: Dialect) -> Result<()> {
        let read = self.read_sections::<R>(dialect);
        let mut found: HashSet<(&str, &str)> = HashSet::new();
        for (section, keys) in read.as_dictionary().into_iter().flatten() {
            let keys = keys.as_dictionary().into_iter().flat_map(|keys| keys.keys());
            let section = section.as_str().unwrap_or_default();
            found.extend(keys.filter_map(|key| Some((section, key.as_str()?))));
        }
        let mut count = 0;
        for (section, pairs) in sections {
            for (key, _) in pairs {
                if !found.contains(&(&**section, *key)) {
                    let expected = "a key beside which no other text stands in the file";
                    return Err(unreadable(&[section, key], expected));
                }
                count += 1;
            }
        }
        if count < found.len() {
            let found = format!("{} keys", found.len());
            return Err(Error::new(rule::NAME, 0, format!("{count} keys"), found));
        }
        Ok(())
    }
}

/// The ends of the heading and of the last pair of a section, where new pairs are added.
struct End {
    heading: usize,
    body: usize,
    /// Whether the section has neither a heading nor pairs: then pairs are added before what follows.
    is_empty: bool,
}

/// The texts of pairs that are added to a section.
#[derive(Default)]
pub(super) struct Added {
    /// Fields of the heading, each with a blank before it.
    pub(super) fields: String,
    /// Pairs, each with a line break after it.
    pub(super) lines: String,
}

impl Added {
    fn push(&mut self, file: &ConfigFile<'_>, section: &str, key: &str, text: &str) -> Result<()> {
        let line_break = file.line_break();
        match file.headings {
            Headings::Names => {
                let _ = write!(self.lines, "{}={text}{line_break}", name(section, key)?);
            }
            Headings::Fields => match field(section, key) {
                Some(field) => {
                    let _ = write!(self.fields, " {}={text}", field?);
                }
                None => {
                    let key = key.strip_prefix('@').unwrap_or(key);
                    let _ = write!(self.lines, "{} = {text}{line_break}", name(section, key)?);
                }
            },
        }
        Ok(())
    }

    /// Returns the changes that add the texts to a section that ends there.
    fn into_section(self, file: &ConfigFile<'_>, end: &End) -> Changes {
        let mut changes = Vec::new();
        if !self.fields.is_empty() {
            let at = end.heading.saturating_sub(1);
            changes.push((at..at, self.fields));
        }
        if self.lines.is_empty() {
            return changes;
        }
        let at = end.body;
        if end.is_empty || file.ends_line(at) {
            let at = if end.is_empty { at } else { file.end_of_line(at) };
            changes.push((at..at, file.on_line(at, self.lines)));
        } else {
            // What follows in the line belongs to the next key.
            let line_break = file.line_break();
            let lines = format!("{line_break}{}", self.lines);
            changes.push((at..at, lines.trim_end_matches(['\r', '\n']).to_owned()));
        }
        changes
    }
}

/// Returns the line that starts a section.
fn head(section: &str) -> Result<String> {
    let line = format!("[{}]", section.replace(']', "\\]"));
    match ConfigFile::parse(&line).as_ref().map(|it| it.sections.as_slice()) {
        Ok([one]) if &*one.name == section && !section.contains('\n') => Ok(line),
        _ => Err(unreadable(&[section], "a section whose name can be read in the text")),
    }
}

/// Returns a key as engines write it: in quotes if it is not plain.
fn name(section: &str, key: &str) -> Result<String> {
    let is_plain = |c: char| matches!(c, '!'..='~') && !matches!(c, '=' | '"' | ';' | '[' | ']');
    if !key.is_empty() && key.chars().all(is_plain) {
        return Ok(key.to_owned());
    }
    let quoted = format!("\"{}\"", key.replace('\\', "\\\\").replace('"', "\\\""));
    match ConfigFile::parse(&format!("{quoted}=0")).as_ref().map(ConfigFile::entries) {
        Ok([entry]) if entry.key == key => Ok(quoted),
        _ => Err(unreadable(&[section, key], "a key that can be read in the text")),
    }
}

/// Returns the error for the last of these names, which cannot be read.
fn unreadable(names: &[&str], expected: &str) -> Error {
    let path: Vec<_> = names.iter().map(|&it| PathSegment::Name(it.to_owned().into())).collect();
    let found = format!("{:?}", names.last().copied().unwrap_or_default());
    Error::new(rule::NAME, 0, expected, found).under(Path::from(path))
}

/// Returns the text of these values, a Dictionary with a Dictionary for each section, as the dialect's engine saves
/// it.
///
/// Keys that are not plain are in quotes, which Godot 3 reads but does not write.
///
/// # Errors
///
/// Returns an error if `value` is not such a Dictionary, if the dialect's engine cannot read the text of a value, or if
/// a name cannot be read.
pub fn to_config_file<R: Real>(value: &Variant<R>, dialect: Dialect) -> Result<String> {
    let mut out = String::new();
    let mut all = sections::of_config_file(value)?;
    // Keys without a section can only come first.
    all.sort_by_key(|(name, _)| !name.is_empty());
    for (section, pairs) in all {
        if !out.is_empty() {
            out.push('\n');
        }
        if !section.is_empty() {
            let _ = write!(out, "{}\n\n", head(&section)?);
        }
        for (key, value) in pairs {
            let speller = Speller { dialect, section: &section, key, erases_nulls: true };
            let _ = write!(out, "{}={}", name(&section, key)?, speller.text(value)?);
            // The engine writes an empty line after the text of an object.
            out.push_str(if matches!(value, Variant::Object(_)) { "\n\n" } else { "\n" });
        }
    }
    Ok(out)
}

/// Splits the path of a new key into the path of its section and the key. A name may be in quotation marks, and the
/// names of sections that are there may have slashes.
fn in_section<'p, R: Real>(values: &[Variant<R>], path: &'p str) -> (Cow<'p, str>, &'p str) {
    if path.starts_with('"')
        && let Some((name, key)) = path[1..].split_once("\"/")
    {
        return (path[..name.len() + 2].into(), key);
    }
    let sections = values.iter().filter_map(Variant::as_dictionary).flat_map(|it| it.keys());
    let key_in = |name: &str| path.strip_prefix(name)?.strip_prefix('/');
    let names = sections.filter_map(Variant::as_str).filter(|it| it.contains('/'));
    match names.filter_map(|name| Some((name, key_in(name)?))).max_by_key(|it| it.0.len()) {
        Some((name, key)) => (Json::from(name).to_string().into(), key),
        None => path.split_once('/').map_or(("\"\"".into(), path), |it| (it.0.into(), it.1)),
    }
}

/// Returns the path of a new key of a ConfigFile, and adds its section if it is missing. A key without a section belongs
/// to the section without a name.
pub fn section_for<R: Real>(values: &mut [Variant<R>], path: &str) -> String {
    let (section, key) = in_section(values, path);
    let path = format!("{section}/{key}");
    let section = section.into_owned();
    add_dictionaries(values, &[&section]);
    path
}

/// Returns the path of a new key of a text resource, and adds its section if it is missing.
pub fn resource_section_for<R: Real>(values: &mut [Variant<R>], path: &str) -> String {
    let Some((kind, rest)) = path.split_once('/') else { return path.to_owned() };
    if heading::SINGLE.contains(&kind) {
        add_dictionaries(values, &[kind]);
        return path.to_owned();
    }
    let inside = values.first().and_then(|it| it.as_dictionary()?.get(kind));
    let (id, key) = match in_section(inside.map(std::slice::from_ref).unwrap_or_default(), rest) {
        // No node has such a path yet: the key is the last step.
        (id, key) if kind == "node" && !id.starts_with('"') => match key.rsplit_once('/') {
            Some((more, key)) => (Json::from(format!("{id}/{more}")).to_string(), key),
            None => (id.into_owned(), key),
        },
        (id, key) => (id.into_owned(), key),
    };
    let path = format!("{kind}/{id}/{key}");
    add_dictionaries(values, &[kind, &id]);
    path
}

/// Adds the Dictionaries with these names, which may be in quotation marks, that are not there: each in the one before.
fn add_dictionaries<R: Real>(values: &mut [Variant<R>], names: &[&str]) {
    let [value] = values else { return };
    let mut value = value;
    for name in names {
        let Variant::Dictionary(around) = value else { return };
        let name = match Json::read(name.as_bytes()) {
            Ok(Json::String(name)) => name,
            _ => (*name).to_owned(),
        };
        if !around.contains_key(&name) {
            let pair = (Variant::from(&*name), Variant::Dictionary(Dictionary::new()));
            around.push(pair);
        }
        let Some(inside) = around.get_mut(&name) else { return };
        value = inside;
    }
}

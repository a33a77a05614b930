//! Replaces the texts of changed values in a ConfigFile, and writes whole ConfigFiles.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

use super::scan::{ConfigFile, Entry};
use super::{TEXT, rule};
use formwork::document::Json;
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::edit::ValuePath;
use formwork_variant::text::TextForm;
use formwork_variant::{Dialect, Dictionary, Real, Variant};

impl ConfigFile<'_> {
    /// Returns the text with the values replaced for which `change` returns a new text.
    pub fn replaced(&self, mut change: impl FnMut(&Entry) -> Option<String>) -> String {
        let changes = self.entries.iter().filter_map(|it| Some((it.value.clone(), change(it)?)));
        apply(self.text, changes.collect())
    }

    /// Returns the text with these values: a Dictionary with a Dictionary for each section. Only the texts of changed
    /// values are written. A new key comes last in its section. A removed key goes with its line.
    ///
    /// # Errors
    ///
    /// Returns an error if `new` is not such a Dictionary, if the dialect's engine cannot read the text of a value, or
    /// if a new name cannot be read.
    pub fn with_values<R: Real>(&self, new: &Variant<R>, dialect: Dialect) -> Result<String> {
        let sections = sections(new)?;
        let is_same =
            |entry: &Entry, new: &Variant<R>| self.value::<R>(entry, dialect).is_identical(new);
        let mut last: HashMap<(&str, &str), &Entry> = HashMap::new();
        for entry in &self.entries {
            last.insert((&entry.section, &entry.key), entry);
        }
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        let mut kept = HashSet::new();
        let ends = self.ends();
        let names: HashSet<&str> = sections.iter().map(|(name, _)| *name).collect();
        let (mut behind, line_break) = (String::new(), self.line_break());
        for (section, pairs) in &sections {
            let mut added = String::new();
            for &(key, value) in pairs {
                kept.insert((*section, key));
                match last.get(&(*section, key)) {
                    Some(entry) if is_same(entry, value) => {}
                    Some(entry) => {
                        changes.push((entry.value.clone(), text(value, dialect, section, key)?));
                    }
                    None => {
                        let text = text(value, dialect, section, key)?;
                        let _ = write!(added, "{}={text}{line_break}", name(section, key)?);
                    }
                }
            }
            let end = ends.get(section);
            if added.is_empty() && end.is_some() {
                continue;
            }
            match end {
                Some(&at) => changes.push((at..at, self.on_line(at, added))),
                None => {
                    let gap = format!("{line_break}{}{line_break}{line_break}", head(section)?);
                    behind.push_str(&gap);
                    behind.push_str(&added);
                }
            }
        }
        for entry in &self.entries {
            if !kept.contains(&(&*entry.section, entry.key.as_str())) {
                changes.push((entry.start..self.end_of_line(entry.value.end), String::new()));
            }
        }
        for (section, line) in &self.sections {
            if !names.contains(&**section) {
                changes.push((line.start..self.end_of_line(line.end), String::new()));
            }
        }
        if !behind.is_empty() {
            let end = self.text.len();
            changes.push((end..end, self.on_line(end, behind)));
        }
        Ok(apply(self.text, changes))
    }

    /// Returns the line break that the text uses.
    fn line_break(&self) -> &'static str {
        if self.text.contains("\r\n") { "\r\n" } else { "\n" }
    }

    fn end_of_line(&self, at: usize) -> usize {
        let rest = self.text.get(at..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |length| at + length + 1)
    }

    /// Puts the text added at `at` on a separate line.
    fn on_line(&self, at: usize, added: String) -> String {
        let before = self.text.get(..at).unwrap_or_default();
        let is_start = before.is_empty() || before.ends_with('\n');
        if is_start { added } else { format!("{}{added}", self.line_break()) }
    }

    /// Returns the end of each section by its name. Keys without a section come before the first section.
    fn ends(&self) -> HashMap<&str, usize> {
        let first = self.sections.first().map_or(self.text.len(), |(_, line)| line.start);
        let heads = self.sections.iter().map(|(name, line)| (&**name, line.end));
        let entries = self.entries.iter().map(|entry| (&*entry.section, entry.value.end));
        let lines = heads.chain(entries).map(|(section, end)| (section, self.end_of_line(end)));
        std::iter::once(("", first)).chain(lines).collect()
    }
}

/// Replaces ranges of the text, which do not overlap.
fn apply(text: &str, mut changes: Vec<(Range<usize>, String)>) -> String {
    changes.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    for (range, new) in changes {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(&new);
        at = range.end.max(at);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A section: its name, and its keys with their values.
type Section<'v, R> = (&'v str, Vec<(&'v str, &'v Variant<R>)>);

/// Returns the sections of the Dictionary `value`.
fn sections<R: Real>(value: &Variant<R>) -> Result<Vec<Section<'_, R>>> {
    let refuse = |path: Path, expected: &str, found: &Variant<R>| {
        let found = found.variant_type().name();
        Err(Error::new(rule::SECTIONS, 0, expected, found).under(path))
    };
    let Variant::Dictionary(all) = value else {
        return refuse(Path::default(), "a Dictionary of sections", value);
    };
    let mut sections = Vec::new();
    for (name, pairs) in all {
        let Some(section) = name.as_str() else {
            return refuse(Path::default(), "a String as the name of a section", name);
        };
        let path = || Path::from(vec![PathSegment::Name(section.to_owned().into())]);
        let Variant::Dictionary(pairs) = pairs else {
            return refuse(path(), "a Dictionary of keys", pairs);
        };
        let mut keys = Vec::new();
        for (key, value) in pairs {
            let Some(key) = key.as_str() else {
                return refuse(path(), "a String as a key", key);
            };
            keys.push((key, value));
        }
        sections.push((section, keys));
    }
    Ok(sections)
}

/// Returns the text of a value in the form that the engine reads.
fn text<R: Real>(value: &Variant<R>, dialect: Dialect, section: &str, key: &str) -> Result<String> {
    let refuse = |found: String| {
        let path = [section, key].map(|name| PathSegment::Name(name.to_owned().into()));
        let path = Path::from(path.to_vec());
        let expected = "a value with a text that the engine reads";
        Err(Error::new(rule::VALUE, 0, expected, found).under(path))
    };
    if let Some(text) = kept_text(value) {
        let line = format!("key={text}");
        let is_one = ConfigFile::parse(&line)
            .is_ok_and(|it| matches!(it.entries(), [one] if it.text_of(one) == text));
        return if is_one { Ok(text.to_owned()) } else { refuse(format!("{text:?}")) };
    }
    let form = TextForm::new(dialect).in_precision::<R>();
    let text = form.write(value);
    match (text.as_str(), form.read(&text)) {
        (Some(text), Ok(_)) => Ok(text.trim_end().to_owned()),
        _ => refuse(value.variant_type().name().to_owned()),
    }
}

/// Returns the kept text of a value that is only text.
fn kept_text<R: Real>(value: &Variant<R>) -> Option<&str> {
    let pairs = value.as_dictionary()?;
    match pairs.as_slice() {
        [(key, text)] if key.as_str() == Some(TEXT) => text.as_str(),
        _ => None,
    }
}

/// Returns the line that starts a section.
fn head(section: &str) -> Result<String> {
    let line = format!("[{}]", section.replace(']', "\\]"));
    match ConfigFile::parse(&line).as_ref().map(|it| it.sections.as_slice()) {
        Ok([(name, _)]) if &**name == section => Ok(line),
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
    let mut all = sections(value)?;
    // Keys without a section can only come first.
    all.sort_by_key(|(name, _)| !name.is_empty());
    for (section, pairs) in all {
        if !out.is_empty() {
            out.push('\n');
        }
        if !section.is_empty() {
            let _ = write!(out, "{}\n\n", head(section)?);
        }
        for (key, value) in pairs {
            let _ = write!(out, "{}={}", name(section, key)?, text(value, dialect, section, key)?);
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
pub fn section_for<R: Real>(values: &mut [Variant<R>], path: &str, dialect: Dialect) -> String {
    let (section, key) = in_section(values, path);
    let (section, key) = (&*section, key);
    let is_there = ValuePath::new(section).find_in(values, dialect).is_ok();
    if let ([Variant::Dictionary(sections)], false) = (values, is_there) {
        let name = match Json::read(section.as_bytes()) {
            Ok(Json::String(name)) => name,
            _ => section.to_owned(),
        };
        sections.push((Variant::String(name.into()), Variant::Dictionary(Dictionary::new())));
    }
    format!("{section}/{key}")
}

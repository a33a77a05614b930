//! A ConfigFile text: its sections and keys, and the places of their values.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexMap;

use super::heading::grouped;
use super::scan::{Heading, Headings, Pair, Part, Scan};
use formwork::{Error, Result};
use formwork_variant::Dialect;
use formwork_variant::text::{KEPT, TextForm};
use formwork_variant::{Real, Variant};

/// A key with its value, and the positions of both in the text.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// The name of the section, shared by all of its keys. Empty before the first section.
    pub section: Arc<str>,
    /// The key as the engine reads it: all characters above 32 up to the equals sign, or the content of quotation
    /// marks.
    pub key: String,
    /// The offset of the key.
    pub start: usize,
    /// The range of the value's text.
    pub value: Range<usize>,
    /// The offset of the equals sign.
    pub(super) equals: usize,
    /// Whether it is a field of the section's heading.
    pub(super) is_field: bool,
}

/// A ConfigFile text split into sections and entries.
#[derive(Clone, Debug)]
pub struct ConfigFile<'t> {
    pub(super) text: &'t str,
    pub(super) entries: Vec<Entry>,
    pub(super) sections: Vec<Section>,
    /// The content of headings.
    pub(super) headings: Headings,
    /// The offsets of values without a key and of headings without a name, which the engine leaves out.
    pub(super) nameless: Vec<usize>,
    /// The offset of a text at the end that is no key, as no equals sign follows.
    pub(super) left: Option<usize>,
}

/// A section: its name, and its heading.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: Arc<str>,
    pub(super) heading: Range<usize>,
}

impl<'t> ConfigFile<'t> {
    /// Splits a text into sections and entries, as the engine does. The texts of values are parsed later, by
    /// [`read`](Self::read).
    ///
    /// A key ends with its equals sign, and a value where it is complete: several pairs can be on one line, and what
    /// is between two pairs belongs to the next key. [`misread`](Self::misread) lists such keys.
    ///
    /// # Errors
    ///
    /// Returns an error if a key has no value, if a bracket or quote is not closed, or if the text has the markers of a
    /// git conflict.
    pub fn parse(text: &'t str) -> Result<Self> {
        Self::parse_as(text, Headings::Names, |heading| heading.name.clone())
    }

    /// Splits a text with headings of a kind; `name` returns the name of the section under a heading.
    pub(super) fn parse_as(
        text: &'t str,
        headings: Headings,
        name: impl FnMut(&mut Heading) -> String,
    ) -> Result<Self> {
        match Self::parse_up_to_fault(text, headings, name) {
            (file, None) => Ok(file),
            (_, Some(error)) => Err(error),
        }
    }

    /// Splits a text up to its first fault.
    pub(super) fn parse_up_to_fault(
        text: &'t str,
        headings: Headings,
        mut name: impl FnMut(&mut Heading) -> String,
    ) -> (Self, Option<Error>) {
        let (entries, sections, nameless) = (Vec::new(), Vec::new(), Vec::new());
        let mut file = Self { text, entries, sections, headings, nameless, left: None };
        let mut scan = Scan::new(text);
        let mut section: Arc<str> = Arc::from("");
        loop {
            match scan.part(headings, &mut file.left) {
                Ok(Some(Part::Heading(mut heading))) => {
                    let name = name(&mut heading);
                    if name.is_empty() {
                        file.nameless.push(heading.range.start);
                        continue;
                    }
                    section = name.into();
                    let Heading { range, fields, .. } = heading;
                    file.sections.push(Section { name: section.clone(), heading: range });
                    fields.into_iter().for_each(|pair| file.push(&section, pair, true));
                }
                Ok(Some(Part::Pair(pair))) if pair.key.is_empty() => {
                    file.nameless.push(pair.start);
                }
                Ok(Some(Part::Pair(pair))) => file.push(&section, pair, false),
                Ok(None) => return (file, None),
                Err(error) => return (file, Some(error)),
            }
        }
    }

    fn push(&mut self, section: &Arc<str>, pair: Pair, is_field: bool) {
        let Pair { mut key, start, equals, value } = pair;
        if self.headings == Headings::Fields && !is_field && key.starts_with('@') {
            // Alone it marks the fields of headings.
            key.insert(0, '@');
        }
        let section = section.clone();
        self.entries.push(Entry { section, key, start, value, equals, is_field });
    }

    /// Returns the keys with their values, in the order of the text.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the text of a value.
    #[must_use]
    pub fn text_of(&self, entry: &Entry) -> &'t str {
        self.text.get(entry.value.clone()).unwrap_or_default()
    }

    /// Returns how many sections have a name.
    #[must_use]
    pub fn section_count(&self) -> usize {
        let names: HashSet<&str> = self.sections.iter().map(|it| &*it.name).collect();
        names.len()
    }

    /// Returns all values as the dialect's engine reads them: a Dictionary with a Dictionary for each section. A key
    /// whose last value is null is left out, as the engine erases it.
    #[must_use]
    pub fn read<R: Real>(&self, dialect: Dialect) -> Variant<R> {
        let sections = self.read_sections(dialect);
        if self.is_resource() { grouped(sections) } else { sections }
    }

    /// Returns all values: a Dictionary with a Dictionary for each section by its whole name.
    pub(super) fn read_sections<R: Real>(&self, dialect: Dialect) -> Variant<R> {
        let named = self.sections.iter().map(|it| (it.heading.start, &*it.name, None));
        let held = self.entries.iter().map(|it| (it.start, &*it.section, Some(it)));
        let mut all: Vec<_> = named.chain(held).collect();
        all.sort_by_key(|(start, ..)| *start);
        // A name stays in the place where it comes first, with its last value.
        let mut sections: IndexMap<&str, IndexMap<&str, Variant<R>>> = IndexMap::new();
        for (_, section, entry) in all {
            let values = sections.entry(section).or_default();
            if let Some(entry) = entry {
                values.insert(&entry.key, self.value(entry, dialect));
            }
        }
        let is_there = |value: &Variant<R>| !self.erases_nulls() || !value.is_nil();
        sections
            .into_iter()
            .map(|(name, values)| {
                let values = values.into_iter().filter(|(_, value)| is_there(value));
                (name, values.collect::<Variant<R>>())
            })
            .collect()
    }

    /// Returns whether the engine erases keys whose value is null.
    pub(super) fn erases_nulls(&self) -> bool {
        self.headings == Headings::Names
    }

    /// Returns a value as the dialect's engine reads it, or its text if it is not a value.
    #[must_use]
    pub fn value<R: Real>(&self, entry: &Entry, dialect: Dialect) -> Variant<R> {
        self.read_value(entry, dialect).unwrap_or_else(|_| {
            let pair = (Variant::from(KEPT), Variant::from(self.text_of(entry)));
            Variant::Dictionary(std::iter::once(pair).collect())
        })
    }

    /// Reads a value as the dialect's engine does. A reference to a resource, which only engines can follow, becomes a
    /// Dictionary `{"$text": ...}`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a value. The offset counts from the start of the whole text.
    pub fn read_value<R: Real>(&self, entry: &Entry, dialect: Dialect) -> Result<Variant<R>> {
        let read = form::<R>(dialect).read(&self.text_of(entry).into());
        read.map_err(|error| error.shifted(entry.value.start as u64))
    }

    /// Returns the faults of the values, as the dialect's engine reads them. References to resources in other files,
    /// which only engines can follow, are not faults.
    #[must_use]
    pub fn faults(&self, dialect: Dialect) -> Vec<Error> {
        let faults = self.entries.iter().filter_map(|it| self.read_value::<f64>(it, dialect).err());
        let mut faults: Vec<_> = faults.collect();
        if self.is_resource() {
            faults.extend(self.lost_references());
        }
        faults
    }
}

/// Returns the text form of values in such files.
pub(super) fn form<R: Real>(dialect: Dialect) -> TextForm<R> {
    TextForm::new(dialect).in_precision().references(true)
}

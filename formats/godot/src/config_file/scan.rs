//! Finds the sections, keys and values in a text.

use std::ops::Range;
use std::sync::Arc;

use indexmap::IndexMap;

use super::{TEXT, rule};
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::Dialect;
use formwork_variant::text::TextForm;
use formwork_variant::{Real, Variant};

/// A key with its value, and the positions of both in the text.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Entry {
    /// The name of the section, shared by all of its keys. Empty before the first section.
    pub section: Arc<str>,
    /// The key.
    pub key: String,
    /// The offset of the key.
    pub start: usize,
    /// The range of the value's text.
    pub value: Range<usize>,
}

/// A ConfigFile text split into sections and entries.
#[derive(Clone, Debug)]
pub struct ConfigFile<'t> {
    pub(super) text: &'t str,
    pub(super) entries: Vec<Entry>,
    /// The names of sections, and their lines.
    pub(super) sections: Vec<(Arc<str>, Range<usize>)>,
}

/// The byte order mark that an editor may write at the start of a text.
const MARK: &str = "\u{feff}";

impl<'t> ConfigFile<'t> {
    /// Splits a text into sections and entries. The texts of values are parsed later, by [`read`](Self::read).
    ///
    /// # Errors
    ///
    /// Returns an error if a line is not a section, a key with a value or a comment, or if a bracket or quote is not
    /// closed.
    pub fn parse(text: &'t str) -> Result<Self> {
        let mut file = Self { text, entries: Vec::new(), sections: Vec::new() };
        let mut scan = Scan::new(text);
        if text.starts_with(MARK) {
            scan.at = MARK.len();
        }
        let mut section: Arc<str> = Arc::from("");
        while let Some(first) = scan.next_line() {
            let start = scan.at;
            if first == b'[' {
                section = scan.section()?.into();
                file.sections.push((section.clone(), start..scan.at));
                continue;
            }
            let key = scan.key()?;
            let value = scan.value(start)?;
            file.entries.push(Entry { section: section.clone(), key, start, value });
        }
        Ok(file)
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
        let names: std::collections::HashSet<&str> =
            self.sections.iter().map(|(name, _)| &**name).collect();
        names.len()
    }

    /// Returns all values as the dialect's engine reads them: a Dictionary with a Dictionary for each section.
    #[must_use]
    pub fn read<R: Real>(&self, dialect: Dialect) -> Variant<R> {
        let named = self.sections.iter().map(|(name, line)| (line.start, &**name, None));
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
        sections
            .into_iter()
            .map(|(name, values)| (name, values.into_iter().collect::<Variant<R>>()))
            .collect()
    }

    /// Returns a value as the dialect's engine reads it, or its text if it is not a value.
    #[must_use]
    pub fn value<R: Real>(&self, entry: &Entry, dialect: Dialect) -> Variant<R> {
        self.read_value(entry, dialect).unwrap_or_else(|_| {
            let pair = (Variant::from(TEXT), Variant::from(self.text_of(entry)));
            Variant::Dictionary(std::iter::once(pair).collect())
        })
    }

    /// Reads a value as the dialect's engine does.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not a value. The offset counts from the start of the whole text.
    pub fn read_value<R: Real>(&self, entry: &Entry, dialect: Dialect) -> Result<Variant<R>> {
        let text = self.text_of(entry);
        let read = TextForm::new(dialect).in_precision().read(&text.into());
        read.map_err(|error| error.shifted(entry.value.start as u64))
    }

    /// Returns the faults of the values, as the dialect's engine reads them. References to resources, which only
    /// engines can follow, are not faults.
    #[must_use]
    pub fn faults(&self, dialect: Dialect) -> Vec<Error> {
        let faults = self.entries.iter().filter_map(|it| self.read_value::<f64>(it, dialect).err());
        faults.filter(|error| !self.is_reference(error)).collect()
    }

    /// Whether the error is at a reference to a resource.
    fn is_reference(&self, error: &Error) -> bool {
        let at = usize::try_from(error.offset()).unwrap_or(usize::MAX);
        let rest = self.text.get(at..).unwrap_or_default();
        let name = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
        matches!(name, "Resource" | "SubResource" | "ExtResource")
    }
}

/// A place in a text.
pub(super) struct Scan<'t> {
    text: &'t str,
    pub(super) at: usize,
}

impl<'t> Scan<'t> {
    /// Begins at the start of a text.
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the byte that comes next.
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Skips blanks and comments, and returns the first other byte of a line.
    fn next_line(&mut self) -> Option<u8> {
        loop {
            match self.byte()? {
                b';' => self.skip_line(),
                0..=b' ' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    fn skip_line(&mut self) {
        while self.byte().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    #[cold]
    fn error(&self, at: usize, expected: &str) -> Error {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line.get(..40).unwrap_or(line));
        let found = match line.trim_end() {
            "" => "the end of the line".to_owned(),
            line => format!("{line:?}"),
        };
        Error::new(rule::SYNTAX, at as u64, expected, found)
    }

    /// Reads the name of a section, up to the end of its line.
    fn section(&mut self) -> Result<String> {
        let start = self.at;
        self.skip_line();
        let line = self.text.get(start + 1..self.at).unwrap_or_default();
        let is_end = |&(at, _): &(usize, char)| !line[..at].ends_with('\\');
        let is_over =
            |rest: &str| rest.trim_start().is_empty() || rest.trim_start().starts_with(';');
        let brackets = || line.char_indices().filter(|&(_, c)| c == ']');
        // Godot 4 writes a bracket in a name with a backslash, Godot 3 as it is.
        let end = brackets().filter(is_end).find(|&(at, _)| is_over(&line[at + 1..]));
        let Some((end, _)) = end.or_else(|| brackets().next_back()) else {
            return Err(self.error(start, "']' at the end of the section's name"));
        };
        self.at = start + 1 + end + 1;
        Ok(line[..end].trim().replace("\\]", "]"))
    }

    /// Reads a key and the equals sign after it.
    fn key(&mut self) -> Result<String> {
        let start = self.at;
        let key = if self.byte() == Some(b'"') {
            self.string()?;
            let quoted = self.text.get(start..self.at).unwrap_or_default();
            let read = TextForm::new(Dialect::GODOT4).read(&quoted.into());
            let read = read.map_err(|error| error.shifted(start as u64))?;
            let key = read.as_str().unwrap_or_default().to_owned();
            while matches!(self.byte(), Some(b' ' | b'\t')) {
                self.at += 1;
            }
            key
        } else {
            while self.byte().is_some_and(|byte| !matches!(byte, b'=' | b'\n' | b';')) {
                self.at += 1;
            }
            self.text.get(start..self.at).unwrap_or_default().trim().to_owned()
        };
        if self.byte() != Some(b'=') {
            return Err(self.error(start, "a section in brackets, a key with '=', or a comment"));
        }
        self.at += 1;
        Ok(key)
    }

    /// Skips a quoted string, from its opening quote.
    pub(super) fn string(&mut self) -> Result<()> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte() {
                None => return Err(self.error(start, "a string that ends with '\"'")),
                Some(b'"') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Returns the range of the value of the key at `key`. The value ends with the line, unless a bracket or quote is
    /// open.
    fn value(&mut self, key: usize) -> Result<Range<usize>> {
        while matches!(self.byte(), Some(b' ' | b'\t')) {
            self.at += 1;
        }
        let (start, mut end) = (self.at, self.at);
        let mut open: Vec<(u8, usize)> = Vec::new();
        while let Some(byte) = self.byte() {
            match byte {
                b'\n' | b';' if open.is_empty() => break,
                b';' => {
                    self.skip_line();
                    continue;
                }
                b'"' => {
                    self.string()?;
                    end = self.at;
                    continue;
                }
                b'(' => open.push((b')', self.at)),
                b'[' => open.push((b']', self.at)),
                b'{' => open.push((b'}', self.at)),
                b')' | b']' | b'}' if open.pop().is_none_or(|(closing, _)| closing != byte) => {
                    return Err(self.error(self.at, "no closing bracket that nothing opened"));
                }
                _ => {}
            }
            self.at += 1;
            if byte > b' ' {
                end = self.at;
            }
        }
        if let Some((closing, at)) = open.pop() {
            let expected = format!("a bracket that is closed with '{}'", char::from(closing));
            return Err(self.error(at, &expected));
        }
        if start == end {
            let path = Path::from(vec![PathSegment::Field("value")]);
            return Err(self.error(key, "a value behind the key").under(path));
        }
        Ok(start..end)
    }
}

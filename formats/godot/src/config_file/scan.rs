//! Splits a text into headings, keys and values, as the engines' parser does.

use std::ops::Range;

use super::rule;
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::Dialect;
use formwork_variant::text::TextForm;

/// The content of the brackets of a heading.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Headings {
    /// A name: ConfigFile, `project.godot`.
    Names,
    /// A word, and fields with values: text resources.
    Fields,
}

/// A part of a text.
#[derive(Debug)]
pub(super) enum Part {
    Heading(Heading),
    Pair(Pair),
}

/// A heading: the brackets and their content.
#[derive(Debug)]
pub(super) struct Heading {
    pub(super) range: Range<usize>,
    pub(super) name: String,
    pub(super) fields: Vec<Pair>,
}

/// A key and its value.
#[derive(Debug)]
pub(super) struct Pair {
    /// The key as the engine reads it.
    pub(super) key: String,
    pub(super) start: usize,
    /// The offset of the equals sign.
    pub(super) equals: usize,
    pub(super) value: Range<usize>,
}

/// A place in a text.
pub(super) struct Scan<'t> {
    text: &'t str,
    pub(super) at: usize,
}

/// The words that are values without parentheses.
const CONSTANTS: [&str; 7] = ["true", "false", "null", "nil", "inf", "inf_neg", "nan"];

/// The markers of a merge conflict, which begin a line.
const CONFLICT: [&str; 3] = ["<<<<<<<", "|||||||", ">>>>>>>"];

impl<'t> Scan<'t> {
    /// Begins at the start of a text.
    pub(super) const fn new(text: &'t str) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the byte that comes next.
    pub(super) fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Reads the next heading or pair. A key goes on until its equals sign, over blanks, lines and comments, which are
    /// no part of it. At the end, the offset of a key without a value is in `left`.
    pub(super) fn part(
        &mut self,
        headings: Headings,
        left: &mut Option<usize>,
    ) -> Result<Option<Part>> {
        let (mut key, mut start) = (String::new(), None);
        while let Some(byte) = self.byte() {
            match byte {
                b';' => self.skip_line(),
                0..=b' ' => self.at += 1,
                b'[' if key.is_empty() => {
                    return self.heading(headings).map(Part::Heading).map(Some);
                }
                _ if self.is_conflict() => return Err(self.conflict()),
                b'=' => {
                    let (equals, start) = (self.at, start.unwrap_or(self.at));
                    self.at += 1;
                    let value = self.value(start)?;
                    return Ok(Some(Part::Pair(Pair { key, start, equals, value })));
                }
                b'"' => {
                    let quote = self.at;
                    start.get_or_insert(quote);
                    self.string()?;
                    // A string replaces what is before it.
                    key = self.quoted(quote)?;
                }
                _ => {
                    start.get_or_insert(self.at);
                    // Engines read the bytes of a file one by one, and decode UTF-8 only in strings and headings.
                    key.push(char::from(byte));
                    self.at += 1;
                }
            }
        }
        *left = start;
        Ok(None)
    }

    /// Returns the string that is before this place, from its quotation mark at `start`.
    fn quoted(&self, start: usize) -> Result<String> {
        let quoted = self.text.get(start..self.at).unwrap_or_default();
        let read = TextForm::new(Dialect::GODOT4).read(&quoted.into());
        let read = read.map_err(|error| error.shifted(start as u64))?;
        Ok(read.as_str().unwrap_or_default().to_owned())
    }

    fn skip_line(&mut self) {
        while self.byte().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
    }

    /// Skips what may be between words: blanks, line breaks and comments.
    pub(super) fn skip_gap(&mut self) {
        loop {
            match self.byte() {
                Some(b';') => self.skip_line(),
                Some(0..=b' ') => self.at += 1,
                _ => break,
            }
        }
    }

    fn skip_while(&mut self, matches: impl Fn(u8) -> bool) {
        while self.byte().is_some_and(&matches) {
            self.at += 1;
        }
    }

    /// Returns whether a line begins here with the marker of a merge conflict.
    fn is_conflict(&self) -> bool {
        let (before, rest) = self.text.as_bytes().split_at(self.at.min(self.text.len()));
        let marker = CONFLICT.iter().find(|it| rest.starts_with(it.as_bytes()));
        marker.is_some_and(|it| {
            let is_over = matches!(rest.get(it.len()), None | Some(b' ' | b'\r' | b'\n'));
            is_over && matches!(before.last(), None | Some(b'\n'))
        })
    }

    #[cold]
    fn conflict(&self) -> Error {
        let expected = "one of the two sides, without the markers of a git conflict";
        Error::new(rule::CONFLICT, self.at as u64, expected, self.found(self.at))
    }

    #[cold]
    fn error(&self, at: usize, expected: &str) -> Error {
        Error::new(rule::SYNTAX, at as u64, expected, self.found(at))
    }

    /// Returns the line at an offset, for a message.
    fn found(&self, at: usize) -> String {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let line = rest.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let line = String::from_utf8_lossy(line.get(..40).unwrap_or(line));
        match line.trim_end() {
            "" => "the end of the line".to_owned(),
            line => format!("{line:?}"),
        }
    }

    fn heading(&mut self, headings: Headings) -> Result<Heading> {
        match headings {
            Headings::Names => self.name(),
            Headings::Fields => self.fields(),
        }
    }

    /// Reads the name of a section, up to the first bracket that has no backslash before it.
    fn name(&mut self) -> Result<Heading> {
        let start = self.at;
        let inside = self.text.get(start + 1..).unwrap_or_default();
        let is_end = |&(at, _): &(usize, &str)| !inside[..at].ends_with('\\');
        let Some((length, _)) = inside.match_indices(']').find(is_end) else {
            return Err(self.error(start, "']' at the end of the section's name"));
        };
        self.at = start + 1 + length + 1;
        let name = inside[..length].trim().replace("\\]", "]");
        Ok(Heading { range: start..self.at, name, fields: Vec::new() })
    }

    /// Reads a heading of a text resource: `[sub_resource type="Curve" id="1"]`.
    fn fields(&mut self) -> Result<Heading> {
        let start = self.at;
        self.at += 1;
        self.skip_gap();
        let mut name = self.word().to_owned();
        while let Some(joint @ (b'.' | b':')) = self.byte() {
            self.at += 1;
            name.push(char::from(joint));
            name.push_str(self.word());
        }
        if name.is_empty() {
            return Err(self.error(start, "a heading such as [resource]"));
        }
        let mut fields = Vec::new();
        loop {
            self.skip_gap();
            let at = self.at;
            if self.byte() == Some(b']') {
                self.at += 1;
                return Ok(Heading { range: start..self.at, name, fields });
            }
            let key = self.word().to_owned();
            self.skip_gap();
            if key.is_empty() || self.byte() != Some(b'=') {
                return Err(self.error(at, "']' or a field with '=' in the heading"));
            }
            let equals = self.at;
            self.at += 1;
            self.skip_gap();
            let from = self.at;
            match self.element() {
                Some(end) => fields.push(Pair { key, start: at, equals, value: from..end }),
                None => return Err(self.error(from, "the value of a field of the heading")),
            }
        }
    }

    /// Reads an identifier; empty if there is none.
    pub(super) fn word(&mut self) -> &'t str {
        let start = self.at;
        if !self.byte().is_some_and(|byte| byte.is_ascii_digit()) {
            self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        }
        self.text.get(start..self.at).unwrap_or_default()
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

    /// Returns the range of the value of the key at `key`.
    fn value(&mut self, key: usize) -> Result<Range<usize>> {
        let behind = self.at;
        self.skip_gap();
        let start = self.at;
        if let Some(end) = self.element() {
            return Ok(start..end);
        }
        self.at = behind;
        self.line_of_value(key)
    }

    /// Skips a value as far as its brackets and words tell, and returns its end. Returns [`None`], at any place, for a
    /// text that is no value.
    pub(super) fn element(&mut self) -> Option<usize> {
        match self.byte()? {
            b'"' => self.string().ok()?,
            b'&' | b'@' if self.text.as_bytes().get(self.at + 1) == Some(&b'"') => {
                self.at += 1;
                self.string().ok()?;
            }
            b'#' => {
                self.at += 1;
                self.skip_while(|byte| byte.is_ascii_hexdigit());
            }
            b'[' | b'{' => self.brackets().ok()?,
            b'-' | b'0'..=b'9' => self.number()?,
            _ => {
                let word = self.word();
                if word.is_empty() {
                    return None;
                }
                if CONSTANTS.contains(&word) {
                    self.skip_part_of_infinity();
                    return Some(self.at);
                }
                self.skip_gap();
                if self.byte() == Some(b'[') {
                    // The types of the elements: `Array[int]([1])`.
                    self.brackets().ok()?;
                    self.skip_gap();
                }
                if self.byte() != Some(b'(') {
                    return None;
                }
                self.brackets().ok()?;
            }
        }
        Some(self.at)
    }

    /// Skips the `.0` of `inf.0`, as Godot 2 and 3 print infinity.
    fn skip_part_of_infinity(&mut self) {
        if self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(b".0")) {
            self.at += 2;
        }
    }

    fn number(&mut self) -> Option<()> {
        if self.byte() == Some(b'-') {
            self.at += 1;
            if self.byte().is_some_and(|byte| byte.is_ascii_alphabetic()) {
                let is_number = matches!(self.word(), "inf" | "nan");
                self.skip_part_of_infinity();
                return is_number.then_some(());
            }
        }
        let start = self.at;
        self.skip_while(|byte| byte.is_ascii_digit());
        if self.byte() == Some(b'.') {
            self.at += 1;
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.byte(), Some(b'-' | b'+')) {
                self.at += 1;
            }
            self.skip_while(|byte| byte.is_ascii_digit());
        }
        (self.at > start).then_some(())
    }

    /// Skips from an opening bracket to its closing one.
    fn brackets(&mut self) -> Result<()> {
        let mut open = Vec::new();
        while let Some(byte) = self.byte() {
            self.bracket(byte, &mut open)?;
            if open.is_empty() {
                return Ok(());
            }
        }
        Err(self.unclosed(&open))
    }

    /// Skips a word, blank or comment, and notes the brackets that are open, with their closing ones.
    fn bracket(&mut self, byte: u8, open: &mut Vec<(u8, usize)>) -> Result<()> {
        match byte {
            b';' => {
                self.skip_line();
                return Ok(());
            }
            b'"' => return self.string(),
            b'(' => open.push((b')', self.at)),
            b'[' => open.push((b']', self.at)),
            b'{' => open.push((b'}', self.at)),
            b')' | b']' | b'}' if open.pop().is_none_or(|(closing, _)| closing != byte) => {
                return Err(self.error(self.at, "no closing bracket that nothing opened"));
            }
            _ if self.is_conflict() => return Err(self.conflict()),
            _ => {}
        }
        self.at += 1;
        Ok(())
    }

    #[cold]
    fn unclosed(&self, open: &[(u8, usize)]) -> Error {
        let (closing, at) = open.last().copied().unwrap_or((b')', self.at));
        let expected = format!("a bracket that is closed with '{}'", char::from(closing));
        self.error(at, &expected)
    }

    /// Returns the range of a text that is no value: it ends with the line, unless a bracket or quote is open.
    fn line_of_value(&mut self, key: usize) -> Result<Range<usize>> {
        self.skip_while(|byte| matches!(byte, b' ' | b'\t'));
        let (start, mut end) = (self.at, self.at);
        let mut open = Vec::new();
        while let Some(byte) = self.byte() {
            if matches!(byte, b'\n' | b';') && open.is_empty() {
                break;
            }
            self.bracket(byte, &mut open)?;
            if byte > b' ' && byte != b';' {
                end = self.at;
            }
        }
        if !open.is_empty() {
            return Err(self.unclosed(&open));
        }
        if start == end {
            let path = Path::from(vec![PathSegment::Field("value")]);
            return Err(self.error(key, "a value behind the key").under(path));
        }
        Ok(start..end)
    }

    /// Returns the ranges of the elements of an Array, or of the keys and values of a Dictionary, whose text begins
    /// here. Returns [`None`] for other texts.
    pub(super) fn elements(&mut self) -> Option<Vec<Element>> {
        if matches!(self.word(), "Array" | "Dictionary") {
            self.skip_gap();
            self.brackets().ok()?;
            self.skip_gap();
            if self.byte() != Some(b'(') {
                return None;
            }
            self.at += 1;
            self.skip_gap();
        }
        let closing = match self.byte()? {
            b'[' => b']',
            b'{' => b'}',
            _ => return None,
        };
        self.at += 1;
        let mut elements = Vec::new();
        loop {
            self.skip_gap();
            if self.byte()? == closing {
                return Some(elements);
            }
            let mut key = None;
            if closing == b'}' {
                let start = self.at;
                key = Some(start..self.element()?);
                self.skip_gap();
                if self.byte()? != b':' {
                    return None;
                }
                self.at += 1;
                self.skip_gap();
            }
            let start = self.at;
            elements.push(Element { key, value: start..self.element()? });
            self.skip_gap();
            match self.byte()? {
                b',' => self.at += 1,
                byte if byte == closing => {}
                _ => return None,
            }
        }
    }
}

/// The places of an element in the text of a container.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// The key, in a Dictionary.
    pub(super) key: Option<Range<usize>>,
    pub(super) value: Range<usize>,
}

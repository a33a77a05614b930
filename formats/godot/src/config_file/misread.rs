//! Finds what the engine reads otherwise than it looks.

use super::file::{ConfigFile, Entry};
use super::rule;
use formwork::Error;

/// A part of a text that the engine reads, but otherwise than it looks.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Misread {
    /// The offset of the part, in bytes.
    pub offset: usize,
    /// The reading of the engine, in words.
    pub says: String,
}

impl From<&Misread> for Error {
    fn from(misread: &Misread) -> Self {
        let (at, says) = (misread.offset as u64, misread.says.clone());
        Self::new(rule::MISREAD, at, "a text that the engine reads as it looks", says)
    }
}

/// The byte order mark that an editor may write at the start of a text.
const MARK: &str = "\u{feff}";

/// Number of characters of a text that are shown.
const SHOWN: usize = 60;

impl ConfigFile<'_> {
    /// Returns what the engine reads otherwise than it looks, in the order of the text: keys that are joined, marks
    /// and punctuation in keys, and what it leaves out.
    ///
    /// ```
    /// use formwork_godot::config_file::ConfigFile;
    ///
    /// let file = ConfigFile::parse("[a]\nx=1,\ny=2\n")?;
    /// assert_eq!(file.entries()[1].key, ",y");
    /// assert_eq!(file.misread()[0].says, "`,` belongs to the next key; the engine reads `,y`");
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn misread(&self) -> Vec<Misread> {
        let keys = self.entries.iter().filter_map(|entry| self.misread_key(entry));
        let nameless = self.nameless.iter().map(|&offset| {
            let says = if self.text[offset..].starts_with('[') {
                "a heading without a name begins no section"
            } else {
                "the engine leaves out a value without a key"
            };
            Misread { offset, says: says.to_owned() }
        });
        let left = self.left.map(|offset| {
            let text = shown(self.text[offset..].trim_end());
            let says = format!("`{text}` has no `=` behind it; the engine leaves it out");
            Misread { offset, says }
        });
        let mut all: Vec<_> = keys.chain(nameless).chain(left).collect();
        all.sort_by_key(|it| it.offset);
        all
    }

    /// Returns the text of a key, from its start to the equals sign.
    pub(super) fn key_text(&self, entry: &Entry) -> &str {
        self.text.get(entry.start..entry.equals).unwrap_or_default().trim_end()
    }

    fn misread_key(&self, entry: &Entry) -> Option<Misread> {
        if entry.is_field {
            return None;
        }
        let (text, key, offset) = (self.key_text(entry), shown(&entry.key), entry.start);
        let first = text.chars().next()?;
        let reads = format!("the engine reads `{key}`");
        let says = if text.starts_with(MARK) {
            format!(
                "the byte order mark belongs to the first key; {reads}, and no section before it"
            )
        } else if matches!(first, ',' | ')' | ']' | '}') {
            format!("`{first}` belongs to the next key; {reads}")
        } else if first == '#' {
            format!("`#` begins no comment, as `;` does; {reads}")
        } else if text.starts_with("//") {
            format!("`//` begins no comment, as `;` does; {reads}")
        } else if text == entry.key || text.starts_with('@') || is_quoted(text) {
            return None;
        } else if text.contains('\n') {
            format!("a key goes on over lines up to its `=`; {reads}")
        } else if text.contains('"') {
            format!("quotation marks replace what stands before them; {reads}")
        } else if text.contains([' ', '\t', '\r']) {
            format!("a key has no blanks; {reads}")
        } else {
            format!("a key with other letters than A to Z needs quotation marks; {reads}")
        };
        Some(Misread { offset, says })
    }
}

/// Returns whether a text is one string.
fn is_quoted(text: &str) -> bool {
    let mut scan = super::scan::Scan::new(text);
    text.starts_with('"') && scan.string().is_ok() && scan.at == text.len()
}

/// Returns the start of a text on one line, without control characters.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for c in text.chars().take(SHOWN) {
        match c.is_control() {
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

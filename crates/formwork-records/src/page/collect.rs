//! Collects the records and words of a dialect's packets, each once.

use super::words::{anchor, plain};
use crate::schema::{CHILD, FIELD, Field, Layout, Occurs, Record, VARIANT, Word, type_name};

/// The records and words of a dialect, in the order of their first use.
pub struct Collected {
    /// The records by name; a generic record has several forms.
    pub records: Vec<Vec<&'static Record>>,
    pub words: Vec<&'static Word>,
    /// For each name with several forms, the first field in which the forms differ.
    generic: Vec<(&'static str, usize)>,
}

impl Collected {
    /// Returns the records and words of these shapes.
    pub fn of(shapes: impl IntoIterator<Item = Layout>) -> Self {
        let mut collected = Self::nothing();
        for shape in shapes {
            collected.shape(shape);
        }
        collected.find_generic();
        collected
    }

    pub const fn nothing() -> Self {
        Self { records: Vec::new(), words: Vec::new(), generic: Vec::new() }
    }

    /// Finds the records that have several forms.
    pub fn find_generic(&mut self) {
        for forms in &self.records {
            let Some((first, others)) = forms.split_first() else { continue };
            let differs = |position: &usize| {
                others.iter().any(|other| {
                    other.fields.get(*position).map(signature)
                        != first.fields.get(*position).map(signature)
                })
            };
            if let Some(position) = (0..first.fields.len()).find(differs) {
                self.generic.push((first.name, position));
            }
        }
    }

    pub fn word(&mut self, word: &'static Word) {
        if !self.words.iter().any(|known| known.name == word.name) {
            self.words.push(word);
        }
    }

    pub fn shape(&mut self, shape: Layout) {
        match shape {
            Layout::Word(word) => self.word(word),
            Layout::Record(record) => {
                let known = self.records.iter_mut().find(|forms| forms[0].name == record.name);
                match known {
                    Some(forms) => {
                        if forms.iter().any(|form| form_of(form) == form_of(record)) {
                            return;
                        }
                        forms.push(record);
                    }
                    None => self.records.push(vec![record]),
                }
                for field in record.fields {
                    self.shape(field.element());
                }
            }
            _ => {}
        }
    }

    /// Returns a type as the page names it: with a link to its record, and with its parts if the record has several
    /// forms.
    pub fn type_text(&self, shape: Layout) -> String {
        match shape {
            Layout::Record(record) => {
                let name = format!("[{0}](#{1})", record.name, anchor(record.name));
                let generic = self.generic.iter().find(|(generic, _)| *generic == record.name);
                match generic.and_then(|(_, position)| record.fields.get(*position)) {
                    Some(field) => format!("{name} of {}", self.type_text(field.element())),
                    None => name,
                }
            }
            Layout::Word(word) => format!("[{0}](#{1})", word.name, anchor(word.name)),
            Layout::Nested(VARIANT) => "packet".to_owned(),
            Layout::Nested(FIELD) => "field".to_owned(),
            Layout::Nested(CHILD) => "[Node](#node) or [Leaf](#leaf), as `kind` says".to_owned(),
            Layout::Padding(_) => "zeros".to_owned(),
            _ => plain(shape),
        }
    }
}

/// Returns the signatures by which the forms of a generic record differ.
fn form_of(record: &Record) -> Vec<String> {
    record.fields.iter().map(signature).collect()
}

fn signature(field: &Field) -> String {
    match field.element() {
        Layout::Record(record) => format!("{}{:?}", record.name, form_of(record)),
        shape => type_name(shape),
    }
}

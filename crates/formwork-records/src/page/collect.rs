//! Collects the records and words of a dialect's packets, each once.

use super::words::{anchor, plain};
use crate::schema::{Field, Record, Shape, Word};

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
    pub fn of(shapes: impl IntoIterator<Item = Shape>) -> Self {
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

    pub fn shape(&mut self, shape: Shape) {
        match shape {
            Shape::Word(word) => self.word(word),
            Shape::BigEndian(inner) => self.shape(*inner),
            Shape::Record(record) => {
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
                    self.shape(field.shape());
                }
            }
            _ => {}
        }
    }

    /// Returns a type as the page names it: with a link to its record, and with its parts if the record has several
    /// forms.
    pub fn type_text(&self, shape: Shape) -> String {
        match shape {
            Shape::Record(record) => {
                let name = format!("[{0}](#{1})", record.name, anchor(record.name));
                let generic = self.generic.iter().find(|(generic, _)| *generic == record.name);
                match generic.and_then(|(_, position)| record.fields.get(*position)) {
                    Some(field) => format!("{name} of {}", self.type_text(field.shape())),
                    None => name,
                }
            }
            Shape::Word(word) => format!("[{0}](#{1})", word.name, anchor(word.name)),
            Shape::BigEndian(word @ Shape::Word(_)) => {
                format!("{} (big endian)", self.type_text(*word))
            }
            Shape::Variant => "packet".to_owned(),
            Shape::Field => "field".to_owned(),
            Shape::Child => "[Node](#node) or [Leaf](#leaf), as `kind` says".to_owned(),
            Shape::Padding => "zeros".to_owned(),
            _ => plain(shape),
        }
    }
}

/// Returns the signatures by which the forms of a generic record differ.
fn form_of(record: &Record) -> Vec<String> {
    record.fields.iter().map(signature).collect()
}

fn signature(field: &Field) -> String {
    match field.shape() {
        Shape::Record(record) => format!("{}{:?}", record.name, form_of(record)),
        shape => shape.to_string(),
    }
}

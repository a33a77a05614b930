//! The records and words that a dialect's packets are made of, each once.

use super::words::{anchor, plain};
use crate::schema::{Field, Record, Shape, Word};

/// What a dialect uses, in the order of its first use.
pub struct Collected {
    /// By name; a record that is generic has several forms.
    pub records: Vec<Vec<&'static Record>>,
    pub words: Vec<&'static Word>,
    /// For each name of several forms: where the forms differ first.
    generic: Vec<(&'static str, usize)>,
}

impl Collected {
    /// The records and words that these are made of.
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

    /// Finds out which records have several forms.
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

    /// A type as the page names it: with a link to its record, and with what it is made of where
    /// the record has several forms.
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

/// What tells the forms of a generic record apart.
fn form_of(record: &Record) -> Vec<String> {
    record.fields.iter().map(signature).collect()
}

fn signature(field: &Field) -> String {
    match field.shape() {
        Shape::Record(record) => format!("{}{:?}", record.name, form_of(record)),
        shape => shape.to_string(),
    }
}

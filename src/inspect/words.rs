//! Bit-packed words and their parts.

use super::known::Number;
use super::level::{Name, Place};
use super::value::{self, name_of};
use super::{Inspector, Kind, Layout, Note, Span};
use crate::error::{Error, Step};
use crate::schema::{Meaning, Word};
use crate::variant::codec;

impl Inspector<'_> {
    /// Finds the parts of a word.
    pub(super) fn word(&mut self, word: &'static Word, raw: u64, place: Place, start: usize) {
        if let Name::Field(name) = place.name {
            self.knows(name, Number::Bits(word, raw));
        }
        for (bits, number) in word.parts(raw) {
            if bits.name == "separate" && number == 0 {
                // The other form, a single text, is declared nowhere, as no engine writes it.
                let expected = "a name count with its top bit set (the form with separate names)";
                let found = format!("0x{raw:08x}");
                self.fault =
                    Some(Error::new(codec::rule::NODE_PATH_FORM, start as u64, expected, found));
            }
            if bits.is_unused() || self.shallow || !self.parts {
                continue;
            }
            self.found.push_back(Span {
                kind: Kind::Part,
                depth: place.depth + 1,
                offset: start as u64,
                length: Some(word.bytes.into()),
                bytes: self.bytes.get(start..self.position).unwrap_or_default(),
                name: Step::Field(bits.name),
                layout: Layout::Bits(bits.width),
                value: value::part(bits, number, Some(self.dialect)),
                note: None,
            });
        }
    }

    pub(super) fn unnamed_part(&self, word: &Word, raw: u64) -> Option<Note> {
        let unnamed = word.parts(raw).any(|(bits, number)| {
            bits.meaning != Meaning::Plain
                && name_of(bits.meaning, number.into(), Some(self.dialect)).is_none()
        });
        unnamed.then_some(Note::Unnamed)
    }
}

pub(crate) fn unused_bits(word: &Word, raw: u64) -> Option<Note> {
    let mut at = 0;
    let mut unused = 0;
    for (bits, number) in word.parts(raw) {
        if bits.is_unused() {
            unused |= number << at;
        }
        at += u32::from(bits.width);
    }
    (unused != 0).then_some(Note::UnusedBits(unused))
}

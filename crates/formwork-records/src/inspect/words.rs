//! Numbers, bit-packed words and their parts.

use super::value::{Naming, number};
use super::walker::{Place, Resolver};
use super::{Kind, Note, Span, SpanType, Value, Walker};
use crate::schema::{Layout, Meaning, PAYLOAD_SIZE, Word, raw};
use formwork::PathSegment;

impl<'a, F: Resolver<'a>> Walker<'a, F> {
    /// Returns a number or word, and its span.
    pub fn leaf(&mut self, place: &Place) -> (u64, Span<'a>) {
        let bytes = self.bytes.get(place.step.bytes.clone()).unwrap_or_default();
        self.position = place.step.bytes.end;
        let special = F::raw(self, place, bytes);
        if let Some(raw) = special {
            self.walk.replace_number(place.shape, raw);
        }
        let raw = special.unwrap_or_else(|| raw(bytes, place.step.big));
        let (value, note) = match place.shape {
            Layout::Word(word) => {
                self.parts_of(word, raw, place, bytes);
                let family = self.resolver.naming();
                let note = || unused_bits(word, raw).or_else(|| unnamed_part(word, raw, family));
                let note = self.parts.then(note).flatten();
                (Value::Word(word, raw, family), note)
            }
            shape => match number(shape, &raw.to_le_bytes()[..bytes.len().min(8)]) {
                Value::Integer(number, _) => self.integer(place, number, bytes),
                other => (other, None),
            },
        };
        let span = self.taken(place.named(), SpanType::One(place.shape), bytes, value);
        let mut span = Span { note, ..span };
        F::read(self, place, raw, &mut span);
        (raw, span)
    }

    /// Returns the value of a whole number.
    fn integer(&self, place: &Place, number: i128, bytes: &'a [u8]) -> (Value<'a>, Option<Note>) {
        match place.meaning() {
            Meaning::Zero => {
                (Value::Integer(number, None), (number != 0).then_some(Note::PaddingNotZero))
            }
            Meaning::Letters => (F::letters(bytes), None),
            meaning => {
                let value = self.resolver.named(meaning, number);
                let is_unnamed = matches!(value, Value::Integer(_, None) | Value::Id(_, None));
                let has_name = !matches!(meaning, Meaning::Plain | Meaning::Family(PAYLOAD_SIZE));
                (value, (is_unnamed && has_name).then_some(Note::Unnamed))
            }
        }
    }

    /// Finds the parts of a word.
    fn parts_of(&mut self, word: &'static Word, raw: u64, place: &Place, bytes: &'a [u8]) {
        for (bits, number) in word.values(raw) {
            if bits.meaning == Meaning::Zero || self.shallow || !self.parts {
                continue;
            }
            let value = self.resolver.part(word, bits, number);
            let (name, depth) = (PathSegment::Field(bits.name), place.depth + 1);
            let part = self.taken(place.named(), SpanType::Bits(bits.width), bytes, value);
            self.found.push_back(Ok(Span { kind: Kind::Part, name, depth, ..part }));
        }
    }
}

fn unnamed_part(word: &Word, raw: u64, family: Naming) -> Option<Note> {
    let unnamed = word.values(raw).any(|(bits, number)| {
        !matches!(bits.meaning, Meaning::Plain | Meaning::Zero)
            && family.name_of(bits.meaning, number.into()).is_none()
    });
    unnamed.then_some(Note::Unnamed)
}

pub fn unused_bits(word: &Word, raw: u64) -> Option<Note> {
    let unused = raw & word.zero_bits();
    (unused != 0).then_some(Note::UnusedBits(unused))
}

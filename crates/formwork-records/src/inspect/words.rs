//! Numbers, bit-packed words and their parts.

use super::known::KnownNumber;
use super::level::{Found, Name, Place};
use super::value::{Naming, number};
use super::walker::Resolver;
use super::{Kind, Note, Span, SpanType, Value, Walker};
use crate::schema::{Layout, Meaning, PAYLOAD_SIZE, Word, raw};
use formwork::PathSegment;

impl<'a, F: Resolver<'a>> Walker<'a, F> {
    /// Reads one number or word.
    pub fn leaf(&mut self, place: Place) -> Found<'a> {
        if !place.inline {
            self.tail.push(place.name.into());
        }
        let start = self.position;
        let size = place.shape.size().unwrap_or_default();
        let bytes = self.peek(size, format_args!("{}", formwork::wire::bytes(size)))?;
        self.position += size;
        let raw = F::raw(self, place.shape, bytes).unwrap_or_else(|| raw(bytes, false));
        let (value, note) = match place.shape {
            Layout::Word(word) => {
                self.parts_of(word, raw, place, start);
                let family = self.resolver.naming();
                let note = || unused_bits(word, raw).or_else(|| unnamed_part(word, raw, family));
                let note = self.parts.then(note).flatten();
                (Value::Word(word, raw, family), note)
            }
            shape => match number(shape, &raw.to_le_bytes()[..size.min(8)]) {
                Value::Integer(number, _) => {
                    if let Name::Field(name) = place.name {
                        self.knows(name, KnownNumber::Is(number));
                    }
                    self.integer(place, number, bytes)
                }
                other => (other, None),
            },
        };
        let layout = SpanType::One(place.shape);
        let span = self.taken(place.depth, place.name.into(), layout, bytes, value);
        let mut span = Span { note, ..span };
        F::read(self, raw, &mut span);
        Ok(Some(span))
    }

    /// Returns the value of a whole number.
    fn integer(
        &mut self,
        place: Place,
        number: i128,
        bytes: &'a [u8],
    ) -> (Value<'a>, Option<Note>) {
        match place.meaning {
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
    fn parts_of(&mut self, word: &'static Word, raw: u64, place: Place, start: usize) {
        if let Name::Field(name) = place.name {
            self.knows(name, KnownNumber::Word(word, raw));
        }
        let bytes = self.bytes.get(start..self.position).unwrap_or_default();
        for (bits, number) in word.values(raw) {
            if bits.meaning == Meaning::Zero || self.shallow || !self.parts {
                continue;
            }
            let value = self.resolver.part(word, bits, number);
            let (name, layout) = (PathSegment::Field(bits.name), SpanType::Bits(bits.width));
            let part = self.taken(place.depth + 1, name, layout, bytes, value);
            self.found.push_back(Ok(Span { kind: Kind::Part, ..part }));
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

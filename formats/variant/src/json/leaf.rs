//! The types that hold no values, read and written after their names.

#![deny(clippy::wildcard_enum_match_arm)]

use super::text;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use struson::reader::ValueType;

use crate::dialect::Dialect;
use crate::notation::{EventMembers, Member, PathMembers, Record, Shown};
use crate::{InputEvent, Math, NodePath, NumberSource, Numbers, Real, RealMath, VariantString};
use formwork::{Error, Result};
use formwork_records::json::number::Scalar;
use formwork_records::json::output::{Bracket, Output};
use formwork_records::json::source::{Source, shortened};
use formwork_records::wire::Element;

/// Reads the numbers of a value as a list.
pub(super) struct ReadNumbers<'a, 's>(pub(super) &'a mut Source<'s>);

impl<R: Real> NumberSource<R> for ReadNumbers<'_, '_> {
    type Error = Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        self.0.numbers()
    }

    fn math<T: Math>(self) -> Result<T> {
        self.0.numbers()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        self.0.numbers()
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        self.0.numbers()
    }
}

/// Writes the numbers of a value as a list.
pub(super) fn write_numbers<R: Real>(
    numbers: Numbers<'_, R>,
    out: &mut Output,
    write: impl FnMut(&mut Output, Scalar),
) {
    match numbers {
        Numbers::Real(list) => out.numbers(list, write),
        Numbers::Single(list) => out.numbers(list, write),
        Numbers::Double(list) => out.numbers(list, write),
        Numbers::Int(list) => out.numbers(list, write),
        Numbers::Long(list) => out.numbers(list, write),
    }
}

/// Writes the texts of a packed array.
pub(super) fn write_texts(texts: &[VariantString], out: &mut Output) {
    out.open(Bracket::List);
    texts.iter().for_each(|text| text::put(out, text));
    out.close();
}

/// Writes a member of a record.
pub(super) fn write_shown(shown: &Shown<'_>, out: &mut Output) {
    match shown {
        Shown::Text(text) => text::put(out, text),
        Shown::Texts(texts) => {
            out.open_flat(Bracket::List);
            texts.iter().for_each(|text| text::put(out, text));
            out.close();
        }
        Shown::Word(word) => out.string(word),
        Shown::Words(words) => {
            out.open_flat(Bracket::List);
            words.iter().for_each(|word| out.string(word));
            out.close();
        }
        Shown::Number(number) => out.number(*number),
        Shown::Bool(value) => out.bool(*value),
        Shown::Bytes(bytes) => out.string(&BASE64.encode(bytes)),
        Shown::Single(number) => out.scalar(Scalar::Single(*number)),
    }
}

/// Writes the members of a record as an object.
pub(super) fn write_members(members: &[(&'static str, Shown<'_>)], out: &mut Output) {
    out.open_flat(Bracket::Object);
    for (name, shown) in members {
        out.name(name);
        write_shown(shown, out);
    }
    out.close();
}

/// Reads a record, whose members may come in any order.
pub(super) fn read_record<T: Record>(source: &mut Source<'_>) -> Result<T> {
    let mut record = T::default();
    source.record(|source, name| record.take(name, source))?;
    Ok(record)
}

/// Writes a path: its text, or in parts.
pub(super) fn write_path(path: &NodePath, out: &mut Output, dialect: Dialect) {
    match PathMembers::text(path, dialect) {
        Some(text) => out.string(&text),
        None => write_members(&PathMembers::of(path), out),
    }
}

/// Reads a path.
pub(super) fn read_path(source: &mut Source<'_>, dialect: Dialect) -> Result<NodePath> {
    if source.peek()? == ValueType::String {
        return Ok(PathMembers::parse(&source.string()?.into(), dialect));
    }
    read_record(source).map(|PathMembers(path)| path)
}

/// Reads an input event.
pub(super) fn read_event(source: &mut Source<'_>) -> Result<InputEvent> {
    let members: EventMembers = read_record(source)?;
    members.event().map_err(|kind| source.wrong(EventMembers::EXPECTED, shortened(&kind)))
}

impl Member for Source<'_> {
    type Error = Error;

    fn text(&mut self) -> Result<VariantString> {
        text::take(self)
    }

    fn maybe_text(&mut self) -> Result<Option<VariantString>> {
        if self.peek()? == ValueType::Null {
            self.null().map(|()| None)
        } else {
            text::take(self).map(Some)
        }
    }

    fn texts(&mut self) -> Result<Vec<VariantString>> {
        self.list(text::take)
    }

    fn word(&mut self) -> Result<String> {
        self.string()
    }

    fn words(&mut self, expected: &'static str, mut take: impl FnMut(&str) -> bool) -> Result<()> {
        self.list(|source| {
            let word = source.string()?;
            if take(&word) { Ok(()) } else { Err(source.wrong(expected, shortened(&word))) }
        })
        .map(drop)
    }

    fn number<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T> {
        self.unsigned(expected)
    }

    fn bool(&mut self) -> Result<bool> {
        self.bool()
    }

    fn bytes(&mut self) -> Result<Vec<u8>> {
        // A list of numbers is accepted as well, for people without a base64 tool.
        if self.peek()? == ValueType::Array {
            return self.numbers();
        }
        let text = self.string()?;
        BASE64
            .decode(&text)
            .map_err(|error| self.wrong(format!("base64 ({error})"), shortened(&text)))
    }

    fn single(&mut self) -> Result<f32> {
        self.scalar()
    }
}

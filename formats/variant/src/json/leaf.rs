//! The types that hold no values, read and written after their names.

#![deny(clippy::wildcard_enum_match_arm)]

use super::text;
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use struson::reader::ValueType;

use crate::dialect::Dialect;
use crate::notation::{EVENT, Member, Record, Shown, element_of, type_named};
use crate::{ElementType, Numbers, Real, VariantString, VariantType};
use formwork::{Error, Result};
use formwork_records::json::number::Scalar;
use formwork_records::json::output::{Bracket, Output};
use formwork_records::json::source::{Source, shortened};
use formwork_records::wire::FromNumbers;

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

/// Writes a list of texts, opened so.
pub(super) fn write_texts(
    texts: &[VariantString],
    open: fn(&mut Output, Bracket),
    out: &mut Output,
) {
    open(out, Bracket::List);
    texts.iter().for_each(|text| text::put(out, text));
    out.close();
}

/// Writes the content after a tag, or a member of it.
pub(super) fn write_shown(shown: &Shown<'_>, out: &mut Output) {
    match shown {
        Shown::Null => out.null(),
        Shown::Text(text) => text::put(out, text),
        Shown::Texts(texts) => write_texts(texts, Output::open_flat, out),
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
        Shown::Members(members) => {
            out.open_flat(Bracket::Object);
            for (name, shown) in members {
                out.name(name);
                write_shown(shown, out);
            }
            out.close();
        }
    }
}

impl Member for Source<'_> {
    type Error = Error;

    fn null(&mut self) -> Result<()> {
        self.null()
    }

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

    fn characters(&mut self) -> Result<VariantString> {
        text::numbers(self)
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

    fn numbers<T: FromNumbers>(&mut self) -> Result<T> {
        self.numbers()
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

    fn float(&mut self) -> Result<f64> {
        self.special()
    }

    fn record<T: Record>(&mut self, _: VariantType, dialect: Dialect) -> Result<T::Made> {
        if let Some(parse) = T::PARSE
            && self.peek()? == ValueType::String
        {
            return Ok(parse(&self.string()?.into(), dialect));
        }
        let mut record = T::default();
        self.record(|source, name| record.take(name, source))?;
        T::Made::try_from(record).map_err(|found| self.wrong(EVENT, shortened(&found.to_string())))
    }

    fn element(&mut self, dialect: Dialect) -> Result<ElementType> {
        if self.peek()? == ValueType::String {
            let name = self.string()?;
            return type_named(dialect, &name)
                .map(ElementType::Builtin)
                .ok_or_else(|| self.wrong("the name of a type", shortened(&name)));
        }
        self.begin_object()?;
        let expected = "\"class\", \"script\" or \"id\"";
        let Some(name) = self.next_name()? else {
            return Err(self.wrong(expected, "the end"));
        };
        let element = element_of(&name, self)?;
        let element = element.ok_or_else(|| self.wrong(expected, shortened(&name)))?;
        self.end_object()?;
        Ok(element)
    }

    fn next_name(&mut self) -> Result<Option<String>> {
        if self.has_next()? { self.name().map(Some) } else { Ok(None) }
    }

    fn missing(&self, name: &'static str) -> Error {
        self.wrong(format!("the member \"{name}\""), "none")
    }

    fn unexpected(&self, name: &str, expected: &'static str) -> Error {
        self.wrong(expected, shortened(name))
    }
}

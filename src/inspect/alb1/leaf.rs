//! Numbers, texts and arrays of numbers: what takes bytes and has nothing in it.

use super::Inspector;
use super::walk::{Content, Found};
use crate::error::Step;
use crate::inspect::{self, Kind, Layout, Note, Span, Value};
use crate::schema::{Field, Meaning, Shape, Word};

impl<'a> Inspector<'a> {
    /// A field of a record that is a number.
    pub(super) fn leaf(&mut self, field: &'static Field) -> Found<'a> {
        let mut found = self.number(Step::Field(field.name), field.shape)?;
        if let Some(span) = &mut found
            && let Value::Integer(number, _) = span.value
        {
            self.knows(field.name, number);
            span.value = self.named(field.meaning, number);
            if field.meaning == Meaning::Letters {
                span.value = Value::AnsiText(span.bytes);
            }
            let unnamed = matches!(span.value, Value::Integer(_, None) | Value::Id(_, None));
            if unnamed && field.meaning != Meaning::Plain {
                span.note = Some(Note::Unnamed);
            }
        }
        Ok(found)
    }

    /// A number on its own.
    pub(super) fn number(&mut self, name: Step, shape: Shape) -> Found<'a> {
        let size = shape.size().unwrap_or_default();
        let bytes = self.take(size).ok_or_else(|| self.ends(size))?;
        let mut span = self.span(name, Layout::One(shape), bytes, inspect::number(shape, bytes));
        if let Shape::Word(word) = shape {
            self.word(word, &mut span);
        }
        Ok(Some(span))
    }

    /// What a bit-packed word and its parts say.
    fn word(&mut self, word: &'static Word, span: &mut Span<'a>) {
        let raw = inspect::unsigned(span.bytes);
        span.value = Value::Word(word, raw, None);
        span.note = inspect::unused_bits(word, raw);
        for (bits, number) in word.parts(raw).filter(|(bits, _)| !bits.is_unused()) {
            self.found.push_back(Ok(Span {
                kind: Kind::Part,
                depth: span.depth + 1,
                name: Step::Field(bits.name),
                layout: Layout::Bits(bits.width),
                value: inspect::part(bits, number, None),
                note: None,
                ..span.clone()
            }));
        }
    }

    /// Elements of a fixed size, in one span; as many as are there.
    pub(super) fn block(&mut self, field: &'static Field, count: u64) -> Found<'a> {
        let is_text = matches!(field.meaning, Meaning::Text | Meaning::TerminatedText);
        let size = field.shape.size().unwrap_or_default().max(1);
        // A line for each byte of raw content would help nobody.
        if !is_text && size > 1 && !self.whole {
            self.enter(Content::Elements { shape: field.shape, next: 0, count });
            return Ok(None);
        }
        let limit = self.levels.last().map_or(self.position, |level| level.limit);
        let there = count.min((limit.saturating_sub(self.position) / size) as u64);
        let needed = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(size);
        if there == 0 && count > 0 {
            return Err(self.ends(needed));
        }
        if let Some(version) = self.levels.last().and_then(|level| level.tree) {
            self.enter_tree(version, there as usize, there < count);
            return Ok(None);
        }
        let bytes = self.take(there as usize * size).ok_or_else(|| self.ends(needed))?;
        let value = match is_text {
            true => Value::AnsiText(bytes),
            false => Value::Elements(field.shape, bytes),
        };
        let layout = Layout::Many(field.shape, count);
        let mut span = self.span(Step::Field(field.name), layout, bytes, value);
        span.note = (there < count).then(|| Note::Missing(count - there));
        Ok((count > 0).then_some(span))
    }

    /// The next bytes of the innermost level, if it has so many.
    fn take(&mut self, size: usize) -> Option<&'a [u8]> {
        let limit = self.levels.last().map_or(self.position, |level| level.limit);
        let bytes = self.bytes.get(..limit)?.get(self.position..)?.get(..size)?;
        self.position += size;
        Some(bytes)
    }

    /// A leaf of the bytes that were taken last.
    fn span(&self, name: Step, layout: Layout, bytes: &'a [u8], value: Value<'a>) -> Span<'a> {
        Span {
            kind: Kind::Leaf,
            depth: self.levels.last().map_or(0, |level| level.depth),
            offset: (self.position - bytes.len()) as u64,
            length: Some(bytes.len() as u64),
            bytes,
            name,
            layout,
            value,
            note: None,
        }
    }

    fn knows(&mut self, name: &'static str, number: i128) {
        if let Some(Content::Record { known, .. }) =
            self.levels.last_mut().map(|level| &mut level.content)
        {
            known.push((name, number));
        }
    }

    /// The value of a declared expression. A test makes sure that every one of them parses and speaks
    /// of earlier fields only, so 0 does not stand for anything.
    pub(super) fn evaluate(&self, text: &'static str) -> i128 {
        let Some(Content::Record { known, .. }) = self.levels.last().map(|level| &level.content)
        else {
            return 0;
        };
        let value = inspect::evaluate(text, &mut |path| {
            let &[name] = path else { return None };
            known.iter().rev().find(|(known, _)| *known == name).map(|(_, number)| *number)
        });
        value.unwrap_or(0)
    }

    /// A number and the name that the file or the format gives it.
    fn named(&self, meaning: Meaning, number: i128) -> Value<'a> {
        match meaning {
            Meaning::Tag => Value::Id(number, self.names.tag(number as u16)),
            Meaning::Class => Value::Id(number, self.names.class(number as u16)),
            _ => Value::Integer(number, inspect::name_of(meaning, number, None)),
        }
    }
}

//! Reads JSON text: struson's tokens, with this library's errors.

use std::io::{ErrorKind, Read};

use base64::DecodeError;
use base64::engine::general_purpose::STANDARD as BASE64;
use base64::read::DecoderReader;
use struson::reader::{
    JsonReader, JsonStreamReader, JsonSyntaxError, ReaderError, ReaderSettings,
    UnexpectedStructureKind, ValueType,
};

use super::number;
use crate::json::rule;
use crate::notation::FLOAT;
use crate::wire::{FromNumbers, Number};
use formwork::{Error, Result};

/// JSON text, token by token.
pub struct Source<'s> {
    json: JsonStreamReader<Tail<'s>>,
    /// The offset of the current token.
    at: u64,
}

/// A stream that remembers having come to its end: then a fault of the JSON may mean that the text is cut.
struct Tail<'s> {
    stream: &'s mut dyn Read,
    ended: bool,
}

impl Read for Tail<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.ended |= count == 0;
        Ok(count)
    }
}

/// Returns the name of a kind of JSON value.
pub const fn kind_name(kind: ValueType) -> &'static str {
    match kind {
        ValueType::Array => "a list",
        ValueType::Object => "an object",
        ValueType::String => "a string",
        ValueType::Number => "a number",
        ValueType::Boolean => "a bool",
        ValueType::Null => "null",
    }
}

impl<'s> Source<'s> {
    pub fn new(stream: &'s mut dyn Read) -> Self {
        let settings = ReaderSettings {
            // The callers count their levels; struson does not recurse.
            max_nesting_depth: None,
            // The greatest number depends on the use of the number.
            restrict_number_values: false,
            track_path: false,
            ..ReaderSettings::default()
        };
        let json = JsonStreamReader::new_custom(Tail { stream, ended: false }, settings);
        Self { json, at: 0 }
    }

    /// Returns the offset of the current token.
    pub const fn at(&self) -> u64 {
        self.at
    }

    /// Returns the error for JSON that is well formed, but not as documented.
    #[cold]
    pub fn wrong(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        wrong_at(self.at, expected, found)
    }

    /// Returns the kind of the next value.
    pub fn peek(&mut self) -> Result<ValueType> {
        let kind = self.json.peek().map_err(|error| self.fault(error))?;
        self.mark();
        Ok(kind)
    }

    /// Whether the innermost list or object has more items.
    pub fn has_next(&mut self) -> Result<bool> {
        let more = self.json.has_next().map_err(|error| self.fault(error))?;
        self.mark();
        Ok(more)
    }

    fn mark(&mut self) {
        // A streaming reader always knows its position.
        self.at = self.json.current_position(false).data_pos.unwrap_or(self.at);
    }

    pub fn begin_list(&mut self) -> Result<()> {
        self.peek()?;
        self.json.begin_array().map_err(|error| self.fault(error))
    }

    pub fn end_list(&mut self) -> Result<()> {
        if self.has_next()? {
            return Err(self.wrong("the end of the list", "one more element"));
        }
        self.json.end_array().map_err(|error| self.fault(error))
    }

    pub fn begin_object(&mut self) -> Result<()> {
        self.peek()?;
        self.json.begin_object().map_err(|error| self.fault(error))
    }

    pub fn end_object(&mut self) -> Result<()> {
        if self.has_next()? {
            return Err(self.wrong("the end of the object", "one more member"));
        }
        self.json.end_object().map_err(|error| self.fault(error))
    }

    /// Reads the name of the next member, which must exist.
    pub fn name(&mut self) -> Result<String> {
        self.json.next_name_owned().map_err(|error| self.fault(error))
    }

    /// Skips a value of any kind.
    pub fn skip(&mut self) -> Result<()> {
        self.peek()?;
        self.json.skip_value().map_err(|error| self.fault(error))
    }

    pub fn null(&mut self) -> Result<()> {
        self.peek()?;
        self.json.next_null().map_err(|error| self.fault(error))
    }

    pub fn bool(&mut self) -> Result<bool> {
        self.peek()?;
        self.json.next_bool().map_err(|error| self.fault(error))
    }

    pub fn string(&mut self) -> Result<String> {
        self.peek()?;
        self.json.next_string().map_err(|error| self.fault(error))
    }

    /// Reads the bytes of a string in base64; the string itself is not kept.
    pub fn base64(&mut self) -> Result<Vec<u8>> {
        self.peek()?;
        let mut bytes = Vec::new();
        let read = self.json.next_string_reader().map(|text| {
            let read = DecoderReader::new(text, &BASE64).read_to_end(&mut bytes);
            read.map(drop)
        });
        match read {
            Ok(Ok(())) => Ok(bytes),
            Ok(Err(error)) => Err(self.base64_fault(error)),
            Err(error) => Err(self.fault(error)),
        }
    }

    #[cold]
    fn base64_fault(&mut self, error: std::io::Error) -> Error {
        let kind = error.kind();
        let location = self.json.current_position(false);
        let inner = match error.into_inner().map(|inner| inner.downcast::<DecodeError>()) {
            Some(Ok(error)) => return self.wrong(format!("base64 ({error})"), "another string"),
            Some(Err(inner)) => Some(inner.downcast::<JsonSyntaxError>()),
            None => None,
        };
        self.fault(match inner {
            Some(Ok(error)) => ReaderError::SyntaxError(*error),
            Some(Err(inner)) => {
                ReaderError::IoError { error: std::io::Error::new(kind, inner), location }
            }
            None => ReaderError::IoError { error: kind.into(), location },
        })
    }

    /// Reads a number, converted from its text by `parse`. (Its `Err` has the expected form.)
    pub fn number<T>(&mut self, parse: impl FnOnce(&str) -> Result<T, &'static str>) -> Result<T> {
        self.peek()?;
        match self.json.next_number_as_str() {
            Ok(token) => {
                parse(token).map_err(|expected| wrong_at(self.at, expected, shortened(token)))
            }
            Err(error) => Err(self.fault(error)),
        }
    }

    /// Reads a number that is not negative.
    pub fn unsigned<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T> {
        self.number(|token| {
            token.parse::<u64>().ok().and_then(|number| number.try_into().ok()).ok_or(expected)
        })
    }

    /// Reads a number in the width of `N`, or `{"$float":"nan"}`.
    pub fn scalar<N: Number>(&mut self) -> Result<N> {
        if self.peek()? != ValueType::Object {
            return self.number(number::parse);
        }
        self.begin_object()?;
        if !self.has_next()? || self.name()? != FLOAT {
            return Err(self.wrong("a number or {\"$float\": ...}", "another object"));
        }
        let number = self.special()?;
        self.end_object()?;
        Ok(number)
    }

    /// Reads the name of a float that is not a JSON number, and returns the float.
    pub fn special<N: Number>(&mut self) -> Result<N> {
        let name = self.string()?;
        number::special(&name).ok_or_else(|| {
            let example =
                if size_of::<N>() == 4 { "nan:0x7fc00001" } else { "nan:0x7ff8000000000001" };
            let expected = format!("\"nan\", \"inf\", \"-inf\", \"-0\" or bits like \"{example}\"");
            self.wrong(expected, shortened(&name))
        })
    }

    /// Reads a list of numbers; the elements of an array of vectors may be in separate lists.
    pub fn numbers<T: FromNumbers>(&mut self) -> Result<T> {
        self.begin_list()?;
        let at = self.at;
        let mut numbers = Vec::new();
        while self.has_next()? {
            if !T::SINGLE && T::STEP > 1 && self.peek()? == ValueType::Array {
                self.element::<T>(at, &mut numbers)?;
                continue;
            }
            if T::SINGLE && numbers.len() == T::STEP {
                return Err(self.wrong(format!("{} numbers", T::STEP), "one more"));
            }
            numbers.push(self.scalar()?);
        }
        self.end_list()?;
        let count = numbers.len();
        T::from_numbers(numbers).ok_or_else(|| wrong_count::<T>(at, count))
    }

    /// Reads an element of an array of vectors, in a separate list.
    fn element<T: FromNumbers>(&mut self, list: u64, numbers: &mut Vec<T::Number>) -> Result<()> {
        if !numbers.len().is_multiple_of(T::STEP) {
            return Err(wrong_count::<T>(list, numbers.len()));
        }
        self.begin_list()?;
        let at = self.at;
        let before = numbers.len();
        while self.has_next()? {
            numbers.push(self.scalar()?);
        }
        self.end_list()?;
        match numbers.len() - before {
            count if count == T::STEP => Ok(()),
            count => Err(wrong_at(at, format!("{} numbers", T::STEP), count.to_string())),
        }
    }

    /// Reads a list of any elements.
    pub fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        self.begin_list()?;
        let mut elements = Vec::new();
        while self.has_next()? {
            elements.push(element(self)?);
        }
        self.end_list()?;
        Ok(elements)
    }

    /// Reads the members of an object, in any order, each at most once. `member` reads the value of a member that it
    /// knows, and returns whether it does.
    pub fn record(
        &mut self,
        mut member: impl FnMut(&mut Self, &str) -> Result<bool>,
    ) -> Result<()> {
        self.begin_object()?;
        let mut seen = Vec::new();
        while self.has_next()? {
            let at = self.at;
            let name = self.name()?;
            if seen.contains(&name) {
                return Err(wrong_at(at, "each member once", shortened(&name)));
            }
            if !member(self, &name)? {
                return Err(wrong_at(at, "a member of the documented form", shortened(&name)));
            }
            // The number of known members bounds this list.
            seen.push(name);
        }
        self.end_object()
    }

    /// Checks that nothing follows the value.
    pub fn finish(mut self) -> Result<()> {
        // The reader is consumed by the next call, so the error must be made without it.
        let at = self.json.current_position(false).data_pos.unwrap_or(self.at);
        let ended = self.json.reader_mut().ended;
        self.json.consume_trailing_whitespace().map_err(|error| translate(error, at, ended))
    }

    #[cold]
    fn fault(&mut self, error: ReaderError) -> Error {
        let ended = self.json.reader_mut().ended;
        translate(error, self.at, ended)
    }
}

/// Returns the error for JSON that is well formed, but not as documented.
#[cold]
pub fn wrong_at(at: u64, expected: impl Into<String>, found: impl Into<String>) -> Error {
    Error::new(rule::SYNTAX, at, expected, found)
}

/// Returns the error for a list of numbers that is too long or too short.
#[cold]
pub fn wrong_count<T: FromNumbers>(at: u64, count: usize) -> Error {
    let expected = match T::SINGLE {
        true => format!("{} numbers", T::STEP),
        false => format!("a multiple of {} numbers", T::STEP),
    };
    wrong_at(at, expected, count.to_string())
}

/// Returns a piece of the input for an error.
pub fn shortened(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("'{}...'", &text[..end]),
        None => format!("'{text}'"),
    }
}

#[cold]
fn translate(error: ReaderError, at: u64, ended: bool) -> Error {
    match error {
        ReaderError::SyntaxError(JsonSyntaxError { kind, location }) => {
            let offset = location.data_pos.unwrap_or(at);
            if ended {
                return Error::incomplete(offset, 1, "the rest of the JSON", 0);
            }
            // The kinds' names are in camel case.
            let mut found = String::new();
            for character in kind.to_string().chars() {
                if character.is_ascii_uppercase() && !found.is_empty() {
                    found.push(' ');
                }
                found.push(character.to_ascii_lowercase());
            }
            wrong_at(offset, "well-formed JSON", found)
        }
        ReaderError::UnexpectedValueType { expected, actual, location } => {
            wrong_at(location.data_pos.unwrap_or(at), kind_name(expected), kind_name(actual))
        }
        ReaderError::UnexpectedStructure { kind, location } => {
            let (expected, found) = match kind {
                UnexpectedStructureKind::MoreElementsThanExpected => ("the end", "one more"),
                _ => ("one more element", "the end"),
            };
            wrong_at(location.data_pos.unwrap_or(at), expected, found)
        }
        // struson reports bytes that are not UTF-8 in this way.
        ReaderError::IoError { error, location } if error.kind() == ErrorKind::InvalidData => {
            wrong_at(location.data_pos.unwrap_or(at), "JSON in UTF-8", error.to_string())
        }
        ReaderError::IoError { error, location } => {
            Error::io(location.data_pos.unwrap_or(at), error)
        }
        // A nesting limit and a range of numbers, both of which are disabled.
        other => wrong_at(at, "well-formed JSON", other.to_string()),
    }
}

//! JSON: a value, its text, and reading that text.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

use super::rule;
use crate::error::{Error, Result};

/// A JSON value. Numbers keep their digits, and objects the order of their members.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it is written.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Json>),
    /// An object: names and values.
    Object(Vec<(String, Json)>),
}

/// Arrays and objects in each other, at most.
const DEEPEST: usize = 1024;

impl Json {
    /// Reads JSON text.
    ///
    /// ```
    /// use formwork::document::Json;
    ///
    /// let json = Json::read(br#"{"id": 18446744073709551615, "x": 1.50}"#)?;
    /// assert_eq!(json.to_string(), r#"{"id":18446744073709551615,"x":1.50}"#);
    /// assert_eq!(Json::read(b"[1,").unwrap_err().offset(), 3);
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails if the text is no JSON, names a member twice, or nests more than 1024 deep. The offset counts bytes of the
    /// text.
    pub fn read(text: &[u8]) -> Result<Self> {
        Ok(Self::read_with_places(text)?.0)
    }

    /// Reads JSON text, and returns where its values are.
    pub(super) fn read_with_places(text: &[u8]) -> Result<(Self, Place)> {
        let mut reader = Reader { text, at: 0, open: vec![Vec::new()], name: None };
        let value = reader.value(0)?;
        reader.blanks();
        if reader.at < text.len() {
            return reader.fault("the end");
        }
        let place = reader.open.pop().and_then(|mut places| places.pop());
        Ok((value, place.unwrap_or_default()))
    }

    /// Returns the member of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find(|it| it.0 == name).map(|it| &it.1),
            _ => None,
        }
    }

    /// Returns the members of an object by their names; nothing of another value.
    pub(super) fn by_name(&self) -> HashMap<&str, &Self> {
        match self {
            Self::Object(members) => members.iter().map(|it| (&*it.0, &it.1)).collect(),
            _ => HashMap::new(),
        }
    }

    /// Returns an object with one member.
    #[must_use]
    pub fn tagged(name: impl Into<String>, value: Self) -> Self {
        Self::Object(vec![(name.into(), value)])
    }

    /// Returns the only member of an object, if its name begins with `$`.
    #[must_use]
    pub fn tag(&self) -> Option<(&str, &Self)> {
        match self {
            Self::Object(members) => match &members[..] {
                [(name, value)] if name.starts_with('$') => Some((name, value)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the number of elements or members; nothing for a scalar.
    pub(super) fn len(&self) -> Option<usize> {
        match self {
            Self::Array(elements) => Some(elements.len()),
            Self::Object(members) => Some(members.len()),
            _ => None,
        }
    }

    /// Returns the kind of the value in words.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    fn write(&self, pretty: Option<usize>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let deeper = pretty.map(|depth| depth + 1);
        let line = |f: &mut fmt::Formatter<'_>, depth: Option<usize>| match depth {
            Some(depth) => write!(f, "\n{:1$}", "", 2 * depth),
            None => Ok(()),
        };
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(truth) => write!(f, "{truth}"),
            Self::Number(digits) => f.write_str(digits),
            Self::String(text) => quoted(text, f),
            // A row of scalars stays on one line.
            Self::Array(elements) => {
                let is_row = elements.iter().all(|it| it.len().is_none());
                let (around, inner) = if is_row { (None, None) } else { (pretty, deeper) };
                let comma = if is_row && pretty.is_some() { ", " } else { "," };
                f.write_char('[')?;
                for (index, element) in elements.iter().enumerate() {
                    f.write_str(if index > 0 { comma } else { "" })?;
                    line(f, inner)?;
                    element.write(deeper, f)?;
                }
                line(f, around)?;
                f.write_char(']')
            }
            Self::Object(members) => {
                f.write_char('{')?;
                for (index, (name, value)) in members.iter().enumerate() {
                    f.write_str(if index > 0 { "," } else { "" })?;
                    line(f, deeper)?;
                    quoted(name, f)?;
                    f.write_str(if pretty.is_some() { ": " } else { ":" })?;
                    value.write(deeper, f)?;
                }
                line(f, pretty.filter(|_| !members.is_empty()))?;
                f.write_char('}')
            }
        }
    }
}

/// The text on one line; with `{:#}` indented.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f.alternate().then_some(0), f)
    }
}

macro_rules! numbers {
    ($($ty:ident)+) => { $(
        impl From<$ty> for Json {
            fn from(number: $ty) -> Self { Self::Number(number.to_string()) }
        }
    )+ };
}

numbers!(i32 u32 i64 u64 i128 usize);

impl From<bool> for Json {
    fn from(truth: bool) -> Self {
        Self::Bool(truth)
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text)
    }
}

fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for letter in text.chars() {
        match letter {
            '"' | '\\' => write!(f, "\\{letter}")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            letter if letter.is_control() => write!(f, "\\u{:04x}", u32::from(letter))?,
            letter => f.write_char(letter)?,
        }
    }
    f.write_char('"')
}

/// The place of a value in its text.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// The start of the member's name, or of the value.
    pub start: usize,
    pub value: usize,
    pub end: usize,
    /// The places of elements or members.
    pub inner: Vec<Place>,
}

impl Place {
    /// Moves the place further on in a text.
    pub fn shift(&mut self, by: usize) {
        self.start += by;
        self.value += by;
        self.end += by;
        self.inner.iter_mut().for_each(|inner| inner.shift(by));
    }
}

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    /// The places inside of the values that are open.
    open: Vec<Vec<Place>>,
    /// The start of the name of the next value.
    name: Option<usize>,
}

impl Reader<'_> {
    #[cold]
    fn fault<T>(&self, expected: &str) -> Result<T> {
        let rest = &self.text[self.at.min(self.text.len())..];
        let found = match rest {
            [] => "the end".to_owned(),
            rest => format!("`{}`", rest[..rest.len().min(12)].escape_ascii()),
        };
        Err(Error::new(rule::JSON_SYNTAX, self.at as u64, expected, found))
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.text.get(self.at) {
            self.at += 1;
        }
    }

    /// Takes a sign if it is next.
    fn takes(&mut self, sign: u8) -> bool {
        self.blanks();
        let is_next = self.text.get(self.at) == Some(&sign);
        self.at += usize::from(is_next);
        is_next
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        self.blanks();
        if depth > DEEPEST {
            let expected = format!("at most {DEEPEST} arrays and objects in each other");
            return self.fault(&expected);
        }
        let value = self.at;
        let start = self.name.take().unwrap_or(value);
        self.open.push(Vec::new());
        let json = self.value_here(depth)?;
        let inner = self.open.pop().unwrap_or_default();
        if let Some(around) = self.open.last_mut() {
            around.push(Place { start, value, end: self.at, inner });
        }
        Ok(json)
    }

    fn value_here(&mut self, depth: usize) -> Result<Json> {
        match self.text.get(self.at) {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => {
                let words = [("null", Json::Null), ("true", true.into()), ("false", false.into())];
                let rest = &self.text[self.at..];
                match words.into_iter().find(|it| rest.starts_with(it.0.as_bytes())) {
                    Some((word, value)) => {
                        self.at += word.len();
                        Ok(value)
                    }
                    None => self.fault("a JSON value"),
                }
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json> {
        self.at += 1;
        let mut elements = Vec::new();
        if self.takes(b']') {
            return Ok(Json::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            if self.takes(b']') {
                return Ok(Json::Array(elements));
            }
            if !self.takes(b',') {
                return self.fault("`,` or `]`");
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json> {
        self.at += 1;
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut names = HashSet::new();
        if self.takes(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            let start = self.at;
            if self.text.get(start) != Some(&b'"') {
                return self.fault("a name in quotation marks");
            }
            let name = self.string()?;
            if !names.insert(name.clone()) {
                self.at = start;
                return self.fault("a name that is not there yet");
            }
            if !self.takes(b':') {
                return self.fault("`:`");
            }
            self.name = Some(start);
            members.push((name, self.value(depth + 1)?));
            if self.takes(b'}') {
                return Ok(Json::Object(members));
            }
            if !self.takes(b',') {
                return self.fault("`,` or `}`");
            }
        }
    }

    fn number(&mut self) -> Result<Json> {
        let start = self.at;
        self.at += usize::from(self.text[self.at] == b'-');
        let first = self.at;
        let digits = self.digits()?;
        if digits > 1 && self.text[first] == b'0' {
            self.at = first;
            return self.fault("a number without zeros in front");
        }
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            self.at += 1;
            self.at += usize::from(matches!(self.text.get(self.at), Some(b'+' | b'-')));
            self.digits()?;
        }
        Ok(Json::Number(String::from_utf8_lossy(&self.text[start..self.at]).into_owned()))
    }

    fn digits(&mut self) -> Result<usize> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start { self.fault("a digit") } else { Ok(self.at - start) }
    }

    fn string(&mut self) -> Result<String> {
        self.at += 1;
        let mut out = Vec::new();
        loop {
            let start = self.at;
            while self.text.get(self.at).is_some_and(|it| !matches!(it, b'"' | b'\\' | ..b' ')) {
                self.at += 1;
            }
            out.extend(&self.text[start..self.at]);
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    return String::from_utf8(out).or_else(|error| {
                        self.at = start.max(error.utf8_error().valid_up_to());
                        self.fault("text in UTF-8")
                    });
                }
                Some(b'\\') => {
                    self.at += 1;
                    let letter = self.escape()?;
                    out.extend(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => return self.fault("the rest of the string"),
            }
        }
    }

    fn escape(&mut self) -> Result<char> {
        let plain = match self.text.get(self.at) {
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(sign @ (b'"' | b'\\' | b'/')) => char::from(*sign),
            Some(b'u') => return self.code(),
            _ => return self.fault("an escape such as `\\n`"),
        };
        self.at += 1;
        Ok(plain)
    }

    fn code(&mut self) -> Result<char> {
        let start = self.at;
        let high = self.unit()?;
        let code = match high {
            0xd800..0xdc00 if self.text.get(self.at..self.at + 2) == Some(b"\\u") => {
                self.at += 1;
                match self.unit()? {
                    low @ 0xdc00..0xe000 => 0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00),
                    _ => high,
                }
            }
            code => code,
        };
        char::from_u32(code).map_or_else(
            || {
                self.at = start;
                self.fault("the code of a character")
            },
            Ok,
        )
    }

    fn unit(&mut self) -> Result<u32> {
        let digits = self.text.get(self.at + 1..self.at + 5);
        let digits = digits.filter(|it| it.iter().all(u8::is_ascii_hexdigit));
        let number = digits.and_then(|it| std::str::from_utf8(it).ok());
        match number.and_then(|it| u32::from_str_radix(it, 16).ok()) {
            Some(number) => {
                self.at += 5;
                Ok(number)
            }
            None => self.fault("four hexadecimal digits"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_is_written() {
        for text in [
            "null",
            "[]",
            "{}",
            "[true,false,null]",
            r#"{"a":{"b":[1,-2.5e+3,0.10]},"ä\n\"\\\u0001":"\u0000"}"#,
        ] {
            let json = Json::read(text.as_bytes()).unwrap();
            assert_eq!(json.to_string(), text);
            assert_eq!(Json::read(format!("{json:#}").as_bytes()), Ok(json));
        }
        assert_eq!(Json::read(br#""\ud83d\ude00\/""#), Ok("😀/".into()));
        assert_eq!(format!("{:#}", Json::read(b"[[1,2],[]]").unwrap()), "[\n  [1, 2],\n  []\n]");
    }

    #[test]
    fn what_is_no_json_is_refused_where_it_is_wrong() {
        for (text, offset) in [
            ("", 0),
            ("[1", 2),
            ("[1,]", 3),
            ("{\"a\":1,\"a\":2}", 7),
            ("{a:1}", 1),
            ("01", 0),
            ("1.", 2),
            ("-", 1),
            ("1e", 2),
            ("nul", 0),
            ("\"\\x\"", 2),
            ("\"\\ud800\"", 2),
            ("\"a\nb\"", 2),
            ("1 2", 2),
        ] {
            let error = Json::read(text.as_bytes()).unwrap_err();
            assert_eq!(error.offset(), offset, "{text}: {error}");
        }
        let deep = "[".repeat(100_000);
        assert_eq!(Json::read(deep.as_bytes()).unwrap_err().rule(), rule::JSON_SYNTAX);
        assert!(Json::read(b"\"\xff\"").is_err());
    }
}

//! JSON: a value, its text, and reading that text.

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

use super::lost::Lost;
use super::rule;
use crate::error::{Error, PathSegment, Result};

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
pub(super) const DEEPEST: usize = 1024;

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
        let reader = Reader { marks: false, ..Reader::new(text, Manner::Exact) };
        Ok(Self::read_by(reader)?.json)
    }

    /// Reads JSON text in a manner, and returns where its values are.
    pub(super) fn read_as(text: &[u8], manner: Manner) -> Result<Parsed> {
        Self::read_by(Reader::new(text, manner))
    }

    /// Reads JSON text as engines read it, and not where its values are: that takes twice the memory.
    pub(super) fn read_alone(text: &[u8]) -> Result<Parsed> {
        Self::read_by(Reader { marks: false, ..Reader::new(text, Manner::Engine) })
    }

    fn read_by(mut reader: Reader<'_>) -> Result<Parsed> {
        let json = reader.value(0)?;
        let behind = reader.tail(&json)?;
        let place = reader.open.pop().and_then(|mut places| places.pop()).unwrap_or_default();
        let Reader { deviations, lost, has_words, .. } = reader;
        Ok(Parsed { json, place, deviations, behind, lost, has_words })
    }

    /// Returns whether a text is one JSON value, but maybe for names that are there twice. It makes no values.
    pub(super) fn is_plain(text: &[u8]) -> bool {
        let mut reader = Reader::new(text, Manner::Engine);
        (reader.builds, reader.marks) = (false, false);
        reader.value(0).is_ok() && reader.is_plain()
    }

    /// Finds the value at the end of these names and positions in a [plain](Self::is_plain) text, and makes no other one.
    /// Returns [`None`] if there is none, or if others count: names that are there twice, the variant of a choice.
    pub(super) fn seek(text: &[u8], steps: &[&str]) -> Option<(Self, Place)> {
        let mut reader = Reader::new(text, Manner::Engine);
        (reader.builds, reader.marks) = (false, false);
        (reader.trail, reader.on) = (steps, Some(0));
        reader.value(0).ok()?;
        reader.found.take().filter(|_| reader.is_plain())
    }

    /// Returns the value with numbers instead of the words that engines print for what is none: `1e99999` for `inf`,
    /// which engines read as the same, and `null` for `nan`.
    pub(super) fn without_words(&self) -> Self {
        match self {
            Self::Number(word) if is_word(word) => match &**word {
                "nan" => Self::Null,
                word => Self::Number(word.replace("inf", "1e99999")),
            },
            Self::Array(elements) => {
                Self::Array(elements.iter().map(Self::without_words).collect())
            }
            Self::Object(members) => {
                let members = members.iter();
                Self::Object(members.map(|it| (it.0.clone(), it.1.without_words())).collect())
            }
            other => other.clone(),
        }
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
    /// The places of members that another one of the same name follows, each with the position of that one. (A box,
    /// because hardly any text has such.)
    pub hidden: Option<Box<[(Place, usize)]>>,
}

impl Place {
    /// Moves the place further on in a text.
    pub fn shift(&mut self, by: usize) {
        self.start += by;
        self.value += by;
        self.end += by;
        self.inner.iter_mut().for_each(|inner| inner.shift(by));
        self.hidden.iter_mut().flat_map(|it| it.iter_mut()).for_each(|it| it.0.shift(by));
    }
}

/// How a text is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Manner {
    /// As RFC 8259 has it, and each name once.
    Exact,
    /// As engines read it, and each deviation is listed.
    Engine,
    /// As engines read it, and on after damage: all containers that are open at the end are closed.
    Rescue,
}

/// A text that was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Parsed {
    pub json: Json,
    pub place: Place,
    /// Deviations from JSON that engines read or write: at most [`MOST`].
    pub deviations: Vec<Error>,
    /// The bytes after the value, to the end of the text.
    pub behind: Option<Error>,
    /// Parts that a rescue could not read.
    pub lost: Vec<Lost>,
    /// Whether there are numbers that are [words](is_word).
    pub has_words: bool,
}

/// Returns whether a number is the word of an engine for what is no number: `inf`, `-inf` or `nan`.
pub(super) fn is_word(number: &str) -> bool {
    number.ends_with(['f', 'n'])
}

/// Deviations of one text at most.
const MOST: usize = 1000;

/// Steps that the paths of losses may have in all: deep paths would take more memory than the text.
const MOST_STEPS: usize = 1 << 14;

struct Reader<'t> {
    text: &'t [u8],
    at: usize,
    manner: Manner,
    /// The places inside of the values that are open.
    open: Vec<Vec<Place>>,
    /// The start of the name of the next value.
    name: Option<usize>,
    deviations: Vec<Error>,
    has_words: bool,
    lost: Vec<Lost>,
    /// The containers that are open in a rescue: whether each is an object, and the step to what is read in it.
    around: Vec<(bool, PathSegment)>,
    /// Bytes that a rescue may still look at to find where a text goes on: this keeps the time in proportion.
    trials: usize,
    /// Whether the string that was read last has signs that no text has.
    is_odd: bool,
    /// Steps that the paths of the losses have.
    lost_steps: usize,
    /// The hidden members of the object that was read last.
    hidden: Option<Box<[(Place, usize)]>>,
    /// Whether values are made, and whether their places are kept.
    builds: bool,
    marks: bool,
    /// The steps to the only value that is made, and how many of them lead to what is read next.
    trail: &'t [&'t str],
    on: Option<usize>,
    found: Option<(Json, Place)>,
    /// Whether the steps may lead to another value, too.
    is_open: bool,
}

impl<'t> Reader<'t> {
    fn new(text: &'t [u8], manner: Manner) -> Self {
        let trials = text.len().saturating_mul(16).saturating_add(1 << 16);
        Self {
            text,
            at: 0,
            manner,
            open: vec![Vec::new()],
            name: None,
            deviations: Vec::new(),
            has_words: false,
            lost: Vec::new(),
            around: Vec::new(),
            trials,
            is_odd: false,
            lost_steps: 0,
            hidden: None,
            builds: true,
            marks: true,
            trail: &[],
            on: None,
            found: None,
            is_open: false,
        }
    }

    /// Returns whether nothing but one JSON value was there.
    fn is_plain(&mut self) -> bool {
        self.blanks();
        self.at == self.text.len() && self.deviations.is_empty() && !self.is_open
    }

    /// Returns the start of the text at a position, for a message.
    fn excerpt(&self, at: usize) -> String {
        let rest = self.text.get(at..).unwrap_or_default();
        let rest = &rest[..rest.len().min(24)];
        let line = rest.iter().position(|byte| *byte < b' ').unwrap_or(rest.len());
        match (rest.first(), &rest[..line]) {
            (None, _) => "the end".to_owned(),
            (Some(0), _) => "a zero byte".to_owned(),
            (Some(b'\r' | b'\n'), _) => "the end of the line".to_owned(),
            (Some(byte), []) => format!("U+{byte:04X}"),
            (_, line) => {
                let text = String::from_utf8_lossy(line);
                format!("`{}`", text.chars().take(12).collect::<String>())
            }
        }
    }

    fn error(&self, at: usize, expected: &str) -> Error {
        Error::new(rule::JSON_SYNTAX, at as u64, expected, self.excerpt(at))
    }

    #[cold]
    fn fault<T>(&self, expected: &str) -> Result<T> {
        Err(self.error(self.at, expected))
    }

    /// Lists what JSON has not, and engines read; refuses it where a text is to be JSON.
    #[cold]
    fn bear(&mut self, at: usize, expected: &str, found: &str) -> Result<()> {
        if self.manner == Manner::Exact {
            self.at = at;
            return self.fault(expected);
        }
        if self.deviations.len() < MOST {
            self.deviations.push(Error::new(rule::JSON_STRICT, at as u64, expected, found));
        }
        Ok(())
    }

    fn is_rescue(&self) -> bool {
        self.manner == Manner::Rescue
    }

    fn blanks(&mut self) {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                // Engines take every control character for a blank, but a zero for the end.
                Some(byte @ 1..b' ') if self.manner != Manner::Exact => {
                    let _ =
                        self.bear(self.at, "a blank", &format!("U+{byte:04X}, a blank to engines"));
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    /// Takes a sign if it is next.
    fn takes(&mut self, sign: u8) -> bool {
        self.blanks();
        let is_next = self.text.get(self.at) == Some(&sign);
        self.at += usize::from(is_next);
        is_next
    }

    /// Reads the end of the text after its value, and returns what is wrong with it.
    fn tail(&mut self, json: &Json) -> Result<Option<Error>> {
        self.blanks();
        let rest = &self.text[self.at..];
        let count = rest.len();
        if rest.is_empty() {
            return Ok(None);
        }
        if self.manner == Manner::Exact {
            return self.fault("the end");
        }
        let found = if rest.iter().all(|byte| *byte == 0) {
            let zeros = if count == 1 { "a zero byte" } else { "zero bytes" };
            format!("{zeros}, which engines take for the end")
        } else {
            // Brackets may also be the name of a section, and a number the start of any text.
            let is_document = json.len().is_some_and(|len| len > 0)
                && matches!(
                    self.text.trim_ascii_start(),
                    [b'{', ..] | [b'[', b'{' | b'[' | b'"', ..]
                );
            if !is_document && !self.is_rescue() {
                return self.fault("the end");
            }
            let more = crate::error::more_bytes(count);
            format!(
                "{}: {more}, which Godot 3 passes over and Godot 4 refuses",
                self.excerpt(self.at)
            )
        };
        Ok(Some(Error::new(rule::JSON_STRICT, self.at as u64, "the end", found)))
    }

    fn value(&mut self, depth: usize) -> Result<Json> {
        self.blanks();
        if depth > DEEPEST {
            let expected = format!("at most {DEEPEST} arrays and objects in each other");
            return self.fault(&expected);
        }
        let value = self.at;
        let start = self.name.take().unwrap_or(value);
        let on = self.on.take();
        let is_sought = on == Some(self.trail.len());
        if is_sought {
            (self.builds, self.marks) = (true, true);
        }
        if !self.marks {
            let json = self.value_here(depth, on)?;
            self.hidden = None;
            return Ok(json);
        }
        self.open.push(Vec::new());
        let read = self.value_here(depth, on);
        let inner = self.open.pop().unwrap_or_default();
        let json = read?;
        self.is_odd &= matches!(json, Json::String(_));
        let hidden = self.hidden.take();
        if is_sought {
            (self.builds, self.marks) = (false, false);
            self.found = Some((json, Place { start, value, end: self.at, inner, hidden }));
            return Ok(Json::Null);
        }
        if let Some(around) = self.open.last_mut() {
            around.push(Place { start, value, end: self.at, inner, hidden });
        }
        Ok(json)
    }

    fn value_here(&mut self, depth: usize, on: Option<usize>) -> Result<Json> {
        match self.text.get(self.at) {
            Some(b'{') => self.object(depth, on),
            Some(b'[') => self.array(depth, on),
            Some(b'"') => self.string(self.builds).map(Json::String),
            Some(b'-' | b'0'..=b'9') => self.number(depth),
            _ => {
                let words = [("null", Json::Null), ("true", true.into()), ("false", false.into())];
                let rest = &self.text[self.at..];
                match words.into_iter().find(|it| rest.starts_with(it.0.as_bytes())) {
                    Some((word, value)) => {
                        self.at += word.len();
                        Ok(value)
                    }
                    None => self.word(false).map_or_else(|| self.fault("a JSON value"), Ok),
                }
            }
        }
    }

    /// Reads a word for what is no number: engines write such, and do not read it.
    fn word(&mut self, is_negative: bool) -> Option<Json> {
        let rest = self.text.get(self.at..).filter(|_| self.manner != Manner::Exact)?;
        let length = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let word = match rest[..length].to_ascii_lowercase().as_slice() {
            b"inf" | b"infinity" => {
                if is_negative {
                    "-inf"
                } else {
                    "inf"
                }
            }
            b"nan" => "nan",
            _ => return None,
        };
        let start = self.at - usize::from(is_negative);
        let expected = match word {
            "nan" => "a number or `null`: engines do not read this".to_owned(),
            word => format!(
                "a number or `{}`: engines do not read this",
                word.replace("inf", "1e99999")
            ),
        };
        if self.deviations.len() < MOST {
            let found = self.excerpt(start);
            let found = found.split([',', '}', ']', ' ']).next().unwrap_or_default();
            let found = format!("{}`", found.trim_end_matches('`'));
            self.deviations.push(Error::new(rule::JSON_NUMBER, start as u64, expected, found));
        }
        self.at += length;
        self.has_words = true;
        Some(Json::Number(word.to_owned()))
    }

    fn array(&mut self, depth: usize, on: Option<usize>) -> Result<Json> {
        self.at += 1;
        let mut elements = Vec::new();
        let mut rest = on.and_then(|on| Some((on, self.trail.get(on)?.parse::<usize>().ok()?)));
        if self.takes(b']') {
            return Ok(Json::Array(elements));
        }
        loop {
            self.blanks();
            let start = self.at;
            self.enter(false, || (elements.len() as u64).into());
            self.on = rest.filter(|it| it.1 == 0).map(|it| it.0 + 1);
            rest = rest.and_then(|(on, left)| Some((on, left.checked_sub(1)?)));
            let read = self.value(depth + 1).map(|value| {
                if self.builds {
                    elements.push(value);
                }
            });
            let next = self.next(read, (start, depth), b']');
            if next == Err(None) {
                elements.pop();
            }
            if !self.go_on(next, start, false)? || self.takes_last(b']')? {
                return Ok(Json::Array(elements));
            }
        }
    }

    /// Reads what is after an element or member that was read, and began at `start`: returns whether it is a comma, and
    /// not the closing sign. [`None`] is the fault of a string that goes on after its end, which damage took: that is no
    /// value.
    fn next(
        &mut self,
        read: Result<()>,
        (start, depth): (usize, usize),
        close: u8,
    ) -> std::result::Result<bool, Option<Error>> {
        read.map_err(Some)?;
        if self.takes(close) {
            // Where something was lost, this may be the sign of an inner container.
            let at = self.at;
            let is_inner = depth == 0
                && !self.lost.is_empty()
                && self.takes(b',')
                && self.begins(self.at) == Some(close == b'}');
            if is_inner {
                let (range, error) = (at as u64 - 1..at as u64, self.error(at - 1, "`,`"));
                self.lost.push(Lost { range, error });
            } else {
                self.at = at;
            }
            return Ok(is_inner);
        }
        if self.takes(b',') {
            return Ok(true);
        }
        if self.is_odd && self.is_rescue() {
            self.open.last_mut().and_then(Vec::pop);
            self.at = start + 1;
            return Err(None);
        }
        let expected = if close == b']' { "`,` or `]`" } else { "`,` or `}`" };
        Err(Some(self.error(self.at, expected)))
    }

    /// Takes the closing sign after a comma, as engines do.
    fn takes_last(&mut self, close: u8) -> Result<bool> {
        if self.manner == Manner::Exact {
            return Ok(false);
        }
        let comma = self.text[..self.at].iter().rposition(|byte| *byte == b',').unwrap_or_default();
        let is_last = self.takes(close);
        if is_last {
            let close = char::from(close);
            self.bear(comma, &format!("no comma before `{close}`"), "`,`, which engines read")?;
        }
        Ok(is_last)
    }

    /// Notes for a rescue which container is read, and the step to what is next in it.
    fn enter(&mut self, is_object: bool, step: impl Fn() -> PathSegment) {
        if self.is_rescue() {
            self.around.push((is_object, step()));
        }
    }

    /// Ends an element or member that began at `start`. Returns whether another one follows, or the error, unless it is
    /// a loss of the rescue.
    fn go_on(
        &mut self,
        next: std::result::Result<bool, Option<Error>>,
        start: usize,
        is_object: bool,
    ) -> Result<bool> {
        let follows = match next {
            Ok(follows) => follows,
            Err(error) => {
                let error = error.unwrap_or_else(|| self.error(start, "a string that ends"));
                if !self.is_rescue() {
                    return Err(error);
                }
                self.resume(error, start, is_object)
            }
        };
        if self.is_rescue() {
            self.around.pop();
        }
        Ok(follows)
    }

    /// Passes over what cannot be read. Returns whether the container goes on after that; else it ends, and reading goes
    /// on at the sign that is next.
    #[cold]
    fn resume(&mut self, error: Error, start: usize, is_object: bool) -> bool {
        let all = self.text.len();
        let last = self.open.last().and_then(|places| places.last());
        let is_read = last.is_some_and(|place| place.start == start);
        let first = if is_read { error.offset() as usize } else { start };
        let (end, follows) = self.search(self.at.max(first), is_object);
        self.at = end;
        let (first, end) = (first.min(end) as u64, end as u64);
        let is_noted =
            first == all as u64 && self.lost.last().is_some_and(|it| it.range.end == first);
        match self.lost.last_mut() {
            _ if is_noted => {}
            Some(last) if self.lost_steps >= MOST_STEPS => last.range.end = last.range.end.max(end),
            _ => self.lose(first..end, error),
        }
        follows
    }

    /// Lists something that is lost.
    fn lose(&mut self, range: std::ops::Range<u64>, error: Error) {
        self.lost_steps += self.around.len() + 1;
        let path = self.around.iter().map(|it| it.1.clone()).collect::<Vec<_>>();
        self.lost.push(Lost { range, error: error.under(path.into()) });
    }

    /// Returns where the text goes on from a position, and whether the innermost container does.
    fn search(&mut self, from: usize, is_object: bool) -> (usize, bool) {
        let is_around = |of_object: bool, around: &[(bool, PathSegment)]| {
            around.iter().any(|it| it.0 == of_object)
        };
        let mut at = from;
        while let Some(sign) = self.text.get(at)
            && self.trials > 0
        {
            self.trials -= 1;
            let of_object = match sign {
                b',' => self.begins(at + 1),
                b'}' | b']' if self.is_closed(at + 1) => Some(*sign == b'}'),
                _ => None,
            };
            match of_object {
                Some(found) if found == is_object => return (at + 1, *sign == b','),
                Some(found) if is_around(found, &self.around) => return (at, false),
                _ => at += 1,
            }
        }
        (self.text.len(), false)
    }

    /// Returns whether what may follow a closing sign is at a position.
    fn is_closed(&self, at: usize) -> bool {
        let rest = self.text[at..].trim_ascii_start();
        matches!(rest, [] | [b',' | b'}' | b']', ..])
    }

    /// Returns whether a member is at a position, or an element; [`None`] if neither is.
    fn begins(&mut self, at: usize) -> Option<bool> {
        let rest = self.text[at..].trim_ascii_start();
        let is_last = |rest: &[u8]| matches!(rest.trim_ascii_start(), [b',' | b']', ..]);
        match rest {
            [b'"', inner @ ..] => {
                let mut is_escaped = false;
                let end = inner.iter().position(|byte| {
                    let is_end = *byte < b' ' || *byte == b'"' && !is_escaped;
                    is_escaped = *byte == b'\\' && !is_escaped;
                    is_end
                });
                self.trials = self.trials.saturating_sub(end.unwrap_or(inner.len()));
                let end = end.filter(|end| inner[*end] == b'"')?;
                std::str::from_utf8(&inner[..end]).ok()?;
                match inner[end + 1..].trim_ascii_start() {
                    [b':', ..] => Some(true),
                    rest => is_last(rest).then_some(false),
                }
            }
            [b'{', inner @ ..] => {
                matches!(inner.trim_ascii_start(), [b'"' | b'}', ..]).then_some(false)
            }
            [b'[', inner @ ..] => matches!(
                inner.trim_ascii_start(),
                [b'"' | b'{' | b'[' | b']' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n', ..]
            )
            .then_some(false),
            [b'-' | b'0'..=b'9' | b't' | b'f' | b'n', ..] => {
                let is_sign =
                    |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+');
                let length = rest.iter().take(32).take_while(is_sign).count();
                is_last(&rest[length..]).then_some(false)
            }
            _ => None,
        }
    }

    fn object(&mut self, depth: usize, on: Option<usize>) -> Result<Json> {
        self.at += 1;
        let mut members: Vec<(String, Json)> = Vec::new();
        let mut names = HashSet::new();
        let mut has_doubles = false;
        if self.takes(b'}') {
            return Ok(Json::Object(members));
        }
        loop {
            self.blanks();
            let start = self.at;
            let name = self.name_at(start, self.builds || on.is_some());
            let step = name.as_deref().unwrap_or_default();
            self.enter(true, || PathSegment::Name(step.into()));
            let read = name.and_then(|name| {
                has_doubles |= self.member(&name, start, &members, &mut names)?;
                self.name = Some(start);
                self.on = on.filter(|on| self.trail.get(*on).is_some_and(|step| *step == name));
                self.is_open |= on.is_some() && name.starts_with('$');
                self.is_open |= self.on.is_some() && self.found.is_some();
                self.on = self.on.map(|on| on + 1);
                let value = self.value(depth + 1)?;
                if self.builds {
                    members.push((name, value));
                }
                Ok(())
            });
            self.name = None;
            let next = self.next(read, (start, depth), b'}');
            if next == Err(None) {
                members.pop();
            }
            if !self.go_on(next, start, true)? || self.takes_last(b'}')? {
                if has_doubles {
                    self.hide(&mut members);
                }
                return Ok(Json::Object(members));
            }
        }
    }

    /// Reads the name of a member.
    fn name_at(&mut self, start: usize, keep: bool) -> Result<String> {
        if self.text.get(start) != Some(&b'"') {
            return self.fault("a name in quotation marks");
        }
        let lost = self.lost.len();
        let name = self.string(keep)?;
        // Nobody asked for a name that damage made.
        if self.lost.len() > lost || self.is_odd && self.is_rescue() {
            self.lost.truncate(lost);
            self.at = if self.at < self.text.len() { start + 1 } else { self.at };
            return Err(self.error(start, "a name that can be read"));
        }
        Ok(name)
    }

    /// Reads what is between the name and the value of a member, and returns whether the name was there.
    fn member(
        &mut self,
        name: &str,
        start: usize,
        members: &[(String, Json)],
        names: &mut HashSet<String>,
    ) -> Result<bool> {
        /// Names that are compared one by one.
        const FEW: usize = 16;
        let is_double = match members.len() {
            ..FEW => members.iter().any(|it| it.0 == name),
            _ => {
                if names.is_empty() {
                    names.extend(members.iter().map(|it| it.0.clone()));
                }
                !names.insert(name.to_owned())
            }
        };
        if is_double {
            let found = format!("`{name}` again: to engines the last one counts");
            self.bear(start, "a name that is not there yet", &found)?;
        }
        if !self.takes(b':') {
            return self.fault("`:`");
        }
        Ok(is_double)
    }

    /// Leaves the last one of several members with the same name.
    fn hide(&mut self, members: &mut Vec<(String, Json)>) {
        let mut last = HashMap::new();
        for (index, (name, _)) in members.iter().enumerate() {
            last.insert(name.clone(), index);
        }
        let (mut kept, mut hidden, mut position) = (Vec::new(), Vec::new(), HashMap::new());
        let places = self.open.last_mut().map(std::mem::take).unwrap_or_default();
        for (index, place) in places.into_iter().enumerate() {
            let target =
                members.get(index).and_then(|it| last.get(&it.0)).copied().unwrap_or(index);
            if target == index {
                position.insert(index, kept.len());
                kept.push(place);
            } else {
                hidden.push((place, target));
            }
        }
        for (_, target) in &mut hidden {
            *target = position.get(target).copied().unwrap_or_default();
        }
        let mut index = 0;
        members.retain(|(name, _)| {
            index += 1;
            last.get(name) == Some(&(index - 1))
        });
        if let Some(open) = self.open.last_mut() {
            *open = kept;
        }
        self.hidden = Some(hidden.into());
    }

    fn number(&mut self, depth: usize) -> Result<Json> {
        let start = self.at;
        let is_negative = self.text[self.at] == b'-';
        self.at += usize::from(is_negative);
        let first = self.at;
        if is_negative && let Some(word) = self.word(true) {
            return Ok(word);
        }
        let digits = self.digits()?;
        let zeros = self.text[first..first + digits - 1].iter().take_while(|it| **it == b'0');
        let zeros = zeros.count();
        if zeros > 0 {
            self.bear(first, "a number without zeros in front", "zeros, which engines pass over")?;
        }
        let mut is_bare = false;
        if self.text.get(self.at) == Some(&b'.') {
            self.at += 1;
            is_bare = !self.text.get(self.at).is_some_and(u8::is_ascii_digit);
            match is_bare {
                true => self.bear(self.at, "a digit", "none, which engines read")?,
                false => drop(self.digits()?),
            }
        }
        let point = self.at;
        if let Some(b'e' | b'E') = self.text.get(self.at) {
            self.at += 1;
            self.at += usize::from(matches!(self.text.get(self.at), Some(b'+' | b'-')));
            self.digits()?;
        }
        // More digits may have been there.
        if self.is_rescue() && depth > 0 && self.at == self.text.len() {
            return self.fault("the rest of the number");
        }
        if !self.builds {
            return Ok(Json::Null);
        }
        let part = |range: std::ops::Range<usize>| String::from_utf8_lossy(&self.text[range]);
        Ok(Json::Number(match zeros > 0 || is_bare {
            false => part(start..self.at).into_owned(),
            true => {
                let (sign, zero) = (part(start..first), if is_bare { "0" } else { "" });
                format!("{sign}{}{zero}{}", part(first + zeros..point), part(point..self.at))
            }
        }))
    }

    fn digits(&mut self) -> Result<usize> {
        let start = self.at;
        while self.text.get(self.at).is_some_and(u8::is_ascii_digit) {
            self.at += 1;
        }
        if self.at == start { self.fault("a digit") } else { Ok(self.at - start) }
    }

    /// Reads a string; where it is not to be kept, returns an empty one.
    fn string(&mut self, keep: bool) -> Result<String> {
        let first = self.at;
        self.at += 1;
        self.is_odd = false;
        let mut out = Vec::new();
        loop {
            let start = self.at;
            while self.text.get(self.at).is_some_and(|it| !matches!(it, b'"' | b'\\' | ..b' ')) {
                self.at += 1;
            }
            if keep {
                out.extend_from_slice(&self.text[start..self.at]);
            }
            match self.text.get(self.at) {
                Some(b'"') => {
                    self.at += 1;
                    if !keep {
                        return match std::str::from_utf8(&self.text[first + 1..self.at - 1]) {
                            Ok(_) => Ok(String::new()),
                            Err(_) => self.fault("text in UTF-8"),
                        };
                    }
                    return self.text_of(out, first);
                }
                Some(b'\\') => {
                    self.at += 1;
                    let letter = match self.escape() {
                        Err(_) if self.is_rescue() && self.at + 6 > self.text.len() => {
                            self.at = self.text.len();
                            continue;
                        }
                        escape => escape?,
                    };
                    out.extend(letter.encode_utf8(&mut [0; 4]).as_bytes());
                }
                Some(byte @ 1..b' ')
                    if self.manner != Manner::Exact
                        && !(self.is_rescue() && matches!(byte, b'\r' | b'\n')) =>
                {
                    let found = format!("U+{byte:04X} as it is, which engines read");
                    self.bear(self.at, &format!("the escape `\\u{byte:04x}`"), &found)?;
                    out.push(*byte);
                    self.is_odd = true;
                    self.at += 1;
                }
                // What is there of a text at the end is kept.
                None if self.is_rescue() => {
                    let at = self.at as u64;
                    self.lose(at..at, self.error(self.at, "the rest of the string"));
                    let whole = match std::str::from_utf8(&out) {
                        Err(error) if error.error_len().is_none() => error.valid_up_to(),
                        _ => out.len(),
                    };
                    out.truncate(whole);
                    return Ok(String::from_utf8_lossy(&out).into_owned());
                }
                _ => return self.fault("the rest of the string"),
            }
        }
    }

    /// Returns the text of a string, whose quotation mark is at `first`.
    fn text_of(&mut self, text: Vec<u8>, first: usize) -> Result<String> {
        String::from_utf8(text).or_else(|error| {
            let raw = &self.text[first + 1..self.at - 1];
            // (Escapes are longer in the text than what they mean.)
            let valid = std::str::from_utf8(raw).err().map_or(0, |error| error.valid_up_to());
            let (at, end) = (first + 1 + valid, self.at as u64 - 1);
            if self.is_rescue() {
                self.is_odd = true;
                self.lose(at as u64..end, self.error(at, "text in UTF-8"));
                return Ok(String::from_utf8_lossy(error.as_bytes()).into_owned());
            }
            self.at = at;
            self.fault("text in UTF-8")
        })
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
            Some(letter @ b' '..=b'~') => {
                let letter = char::from(*letter);
                let found = format!("`\\{letter}`, which Godot 3 reads as `{letter}`");
                self.bear(self.at, "an escape such as `\\n`", &found)?;
                letter
            }
            _ => return self.fault("an escape such as `\\n`"),
        };
        self.at += 1;
        Ok(plain)
    }

    fn code(&mut self) -> Result<char> {
        let start = self.at;
        let high = self.unit()?;
        let behind = self.at;
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
        match char::from_u32(code) {
            Some(letter) => Ok(letter),
            None => {
                let found = format!("`\\u{code:04x}`, half of one");
                self.bear(start, "the code of a character", &found)?;
                self.at = behind;
                Ok(char::REPLACEMENT_CHARACTER)
            }
        }
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

    fn engine(text: &[u8]) -> Parsed {
        Json::read_as(text, Manner::Engine).unwrap()
    }

    #[test]
    fn what_engines_read_is_read_and_listed() {
        for (text, json, at) in [
            (&b"[1,]"[..], "[1]", &[2][..]),
            (b"{\"a\":[1,{\"b\":2 , },],}", "{\"a\":[1,{\"b\":2}]}", &[15, 18, 20]),
            (b"{\"1\":1,\"b\":2,\"1\":3}", "{\"b\":2,\"1\":3}", &[13]),
            (b"\"a\x1bb\nc\"", "\"a\\u001bb\\nc\"", &[2, 4]),
            (b"\"a\\vb\"", "\"avb\"", &[3]),
            (b"\x0b[1\x01]", "[1]", &[0, 3]),
            (b"[01,-007.50,1.]", "[1,-7.50,1.0]", &[1, 5, 14]),
            (b"\"\\ud83d\"", "\"\u{fffd}\"", &[2]),
        ] {
            let parsed = engine(text);
            assert_eq!(parsed.json.to_string(), json);
            let found: Vec<_> = parsed.deviations.iter().map(Error::offset).collect();
            assert_eq!(found, at, "{json}");
            assert!(Json::read(text).is_err());
            assert!(parsed.behind.is_none());
        }
        for text in ["[,]", "[1,,2]", "[1 2]", "{a:1}", "{'a':1}", "[+1]", "[True]", "[1]x", "1e"] {
            assert!(Json::read_as(text.as_bytes(), Manner::Engine).is_err(), "{text}");
        }
        for (text, at) in [(&b"{\"a\":1}\0\0"[..], 7), (b"{\"a\":1}\n: \"\"}", 8)] {
            assert_eq!(engine(text).behind.map(|it| it.offset()), Some(at));
        }
    }

    #[test]
    fn words_for_no_numbers_are_named() {
        let parsed = engine(b"{\"a\":inf,\"b\":[-inf, NaN]}");
        let words: Vec<_> = parsed.deviations.iter().map(|it| (it.rule(), it.offset())).collect();
        assert_eq!(words, [5, 14, 20].map(|at| (rule::JSON_NUMBER, at)));
        assert_eq!(parsed.deviations[1].found(), "`-inf`");
        let json = parsed.json.without_words().to_string();
        assert_eq!(json, "{\"a\":1e99999,\"b\":[-1e99999,null]}");
        assert!(Json::read(b"[inf]").is_err());
    }

    fn rescued(text: &[u8]) -> (String, Vec<(u64, u64)>) {
        let parsed = Json::read_as(text, Manner::Rescue).unwrap();
        let lost = parsed.lost.iter().map(|it| (it.range.start, it.range.end));
        (parsed.json.to_string(), lost.collect())
    }

    #[test]
    fn a_cut_text_is_closed() {
        let whole = r#"{"gold":12,"items":[{"id":1,"n":2},{"id":2,"n":"ab\u00e4"}],"z":true}"#;
        for (cut, json, from) in [
            (47, r#"{"gold":12,"items":[{"id":1,"n":2},{"id":2}]}"#, 43),
            (52, r#"{"gold":12,"items":[{"id":1,"n":2},{"id":2,"n":"ab"}]}"#, 52),
            (33, r#"{"gold":12,"items":[{"id":1}]}"#, 28),
            (9, "{}", 1),
            (14, r#"{"gold":12}"#, 11),
            (59, r#"{"gold":12,"items":[{"id":1,"n":2},{"id":2,"n":"abä"}]}"#, 59),
        ] {
            let (found, lost) = rescued(&whole.as_bytes()[..cut]);
            assert_eq!(found, json, "{cut}");
            assert_eq!(lost, [(from, cut as u64)], "{cut}");
        }
    }

    #[test]
    fn a_text_goes_on_behind_damage() {
        let text = r#"{"a":{"x":1,"y":"two"},"b":[1,2,{"c":"three"},4],"d":"five","e":6}"#;
        let whole = Json::read(text.as_bytes()).unwrap();
        for (at, json) in [
            (7, r#"{"a":{"y":"two"},"b":[1,2,{"c":"three"},4],"d":"five","e":6}"#),
            (17, r#"{"a":{"x":1},"b":[1,2,{"c":"three"},4],"d":"five","e":6}"#),
            (30, r#"{"a":{"x":1,"y":"two"},"b":[1,{"c":"three"},4],"d":"five","e":6}"#),
            (38, r#"{"a":{"x":1,"y":"two"},"b":[1,2,{},4],"d":"five","e":6}"#),
            (54, r#"{"a":{"x":1,"y":"two"},"b":[1,2,{"c":"three"},4],"e":6}"#),
        ] {
            let mut damaged = text.as_bytes().to_vec();
            damaged[at] = 0;
            let (found, lost) = rescued(&damaged);
            assert_eq!(found, json, "{at}");
            assert_eq!(lost.len(), 1, "{lost:?}");
        }
        // What is lost is listed, whatever the damage is.
        for at in 1..text.len() {
            for byte in [0, b'"', b'}', 0xff, b'x'] {
                let mut damaged = text.as_bytes().to_vec();
                damaged[at] = byte;
                let Ok(parsed) = Json::read_as(&damaged, Manner::Rescue) else { continue };
                let is_read =
                    Json::read_as(&damaged, Manner::Engine).is_ok_and(|it| it.behind.is_none());
                let is_listed = !parsed.lost.is_empty() || parsed.behind.is_some();
                assert!(is_read || is_listed, "{at}: {}", parsed.json);
            }
        }
        assert!(Json::read_as(text.as_bytes(), Manner::Rescue).is_ok_and(|it| it.json == whole));
    }

    #[test]
    fn a_rescue_takes_time_in_proportion() {
        for part in [&b",\"a"[..], b"[", b"{\"a\":[", b",\"a\":\x01\"", b"\x01\",[1,"] {
            let text = [b"[1 ", &part.repeat(20_000)[..]].concat();
            let _ = Json::read_as(&text, Manner::Rescue);
        }
    }
}

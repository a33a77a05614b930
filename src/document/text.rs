//! JSON text as a format: a change keeps every byte but those of the value that changes.

use std::any::Any;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::io;

use super::change::compare;
use super::encoding::{Encoding, MARK};
use super::json::{Manner, Parsed, Place, is_word};
use super::path::{plain_steps, step_of};
use super::typed::{native, typed};
use super::{
    Change, Confidence, Document, Edit, Format, Json, Lost, Problem, Recovered, Row, RowKind,
    changes, rule,
};
use crate::error::{Error, Path, PathSegment, Result};

/// JSON text: one document, or one on each line.
///
/// ```
/// use formwork::document::{Edit, Format, JsonText};
///
/// let mut document = JsonText.open(b"{ \"gold\": 5,\n  \"name\": \"Ada\" }\n")?;
/// document.edit(&[Edit::set("gold", 9.into())])?;
/// assert_eq!(document.to_bytes(), b"{ \"gold\": 9,\n  \"name\": \"Ada\" }\n");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JsonText;

/// A text, and its content.
///
/// A plain text is read again where its content is asked for: most of what is done to a large file is about one value.
#[derive(Clone, Debug)]
struct Text {
    /// The text in UTF-8.
    bytes: Vec<u8>,
    /// The encoding in the file.
    encoding: Encoding,
    /// Whether the text is one document, and nothing else.
    is_plain: bool,
    content: OnceCell<Content>,
    places: OnceCell<Place>,
}

/// The content of a text.
#[derive(Clone, Debug, Default)]
struct Content {
    json: Json,
    /// Whether there is a document on each line, of which `json` is the list.
    is_lines: bool,
    /// Deviations from JSON that engines read or write, with their places.
    deviations: Vec<Error>,
    /// Whether `json` has words where numbers should be.
    has_words: bool,
    /// The end of the last document.
    end: usize,
}

impl Text {
    fn read(bytes: &[u8]) -> Result<Self> {
        let encoding = Encoding::of(bytes);
        Self::read_as(encoding, encoding.decode(bytes)?.into_owned())
    }

    fn read_as(encoding: Encoding, bytes: Vec<u8>) -> Result<Self> {
        let is_plain = Json::is_plain(&bytes[start_of(&bytes)..]);
        let (content, places) = (OnceCell::new(), OnceCell::new());
        let text = Self { bytes, encoding, is_plain, content, places };
        if !is_plain {
            let (content, place) = text.parse()?;
            let _ = text.content.set(content);
            let _ = text.places.set(place);
        }
        Ok(text)
    }

    /// Reads the content, and where its values are.
    fn parse(&self) -> Result<(Content, Place)> {
        let start = start_of(&self.bytes);
        let (parsed, is_lines) = match parsed(&self.bytes[start..]) {
            Ok(parsed) => parsed,
            Err(error) => {
                return Err(in_file(self.encoding, &self.bytes, error.shifted(start as u64)));
            }
        };
        let place = parsed.place.clone();
        Ok((self.content_of(parsed, is_lines), shifted(place, start)))
    }

    fn content_of(&self, parsed: Parsed, is_lines: bool) -> Content {
        let start = start_of(&self.bytes);
        let Parsed { json, deviations, behind, has_words, .. } = parsed;
        let shifted = |error: Error| error.shifted(start as u64);
        let end = behind.as_ref().map_or(self.bytes.len(), |it| it.offset() as usize + start);
        let deviations = deviations.into_iter().chain(behind).map(shifted).collect();
        Content { json, is_lines, deviations, has_words, end }
    }

    fn content(&self) -> &Content {
        self.content.get_or_init(|| {
            let parsed = Json::read_alone(&self.bytes[start_of(&self.bytes)..]);
            // (A plain text is JSON.)
            self.content_of(parsed.unwrap_or_default(), false)
        })
    }

    fn place(&self) -> &Place {
        self.places.get_or_init(|| self.parse().map(|it| it.1).unwrap_or_default())
    }

    /// Finds a value of a plain text without the others.
    fn seek(&self, path: &str) -> Option<(Json, Place)> {
        if path.is_empty() {
            return None;
        }
        let steps = plain_steps(path)?;
        self.seek_steps(&steps.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn seek_steps(&self, steps: &[&str]) -> Option<(Json, Place)> {
        if !self.is_plain || self.content.get().is_some() {
            return None;
        }
        let start = start_of(&self.bytes);
        let (json, place) = Json::seek(&self.bytes[start..], steps)?;
        Some((json, shifted(place, start)))
    }

    /// Returns what JSON has not, in the offsets of the file.
    fn problems(&self) -> Vec<Error> {
        let encoding = match self.encoding {
            Encoding::Utf8 => None,
            encoding => encoding.name(&self.bytes),
        };
        let encoding = encoding.map(|name| {
            let found = format!("{name}, which engines do not read");
            Error::new(rule::JSON_ENCODING, 0, "UTF-8", found)
        });
        let in_file = |it: &Error| in_file(self.encoding, &self.bytes, it.clone());
        encoding.into_iter().chain(self.content().deviations.iter().map(in_file)).collect()
    }

    /// Replaces the content.
    fn take(&mut self, new: &Json) -> Result<Vec<Change>> {
        let mut patches = Vec::new();
        let Content { json, is_lines, .. } = self.content();
        let between = if *is_lines { "\n" } else { "," };
        patch(json, self.place(), new, (&self.bytes, between), &mut patches);
        let now = Self::read_as(self.encoding, patched(&self.bytes, &patches))?;
        let changes = changes(json, &now.content().json);
        *self = now;
        Ok(changes)
    }

    /// Returns what is to be set, in the order of the text, if the edits only set values that are there, none of them in
    /// another one.
    fn targets<'e>(&self, edits: &'e [Edit]) -> Option<Vec<Target<'e>>> {
        /// Values that are sought one by one in a text. For more, all of its content is read once.
        const FEW: usize = 4;
        let target = |edit: &'e Edit| {
            let Edit::Set { path, value, .. } = edit else { return None };
            if edits.len() <= FEW
                && let Some((old, place)) = self.seek(path)
            {
                let name: Vec<_> = plain_steps(path)?.iter().map(|it| step_of(it)).collect();
                return Some(Target { old, place, name: name.join("/"), value });
            }
            let json = &self.content().json;
            let positions = json.positions(path).filter(|it| !it.is_empty())?;
            let place = positions.iter().try_fold(self.place(), |place, at| place.inner.get(*at));
            let old = positions.iter().try_fold(json, |json, at| json.at(*at));
            let (old, place) = (old?.clone(), place?.clone());
            Some(Target { old, place, name: json.place(path).ok()?, value })
        };
        let mut targets = edits.iter().map(target).collect::<Option<Vec<_>>>()?;
        targets.sort_by_key(|target| target.place.start);
        let is_apart = |pair: &[Target<'_>]| pair[0].place.end <= pair[1].place.start;
        targets.windows(2).all(is_apart).then_some(targets)
    }

    /// Sets values that are there. Only these are read again: a text may be large.
    fn set(&mut self, targets: &[Target<'_>]) -> Result<Vec<Change>> {
        let mut patches = Vec::new();
        for Target { old, place, value, .. } in targets {
            patch(old, place, value, (&self.bytes, ","), &mut patches);
        }
        let bytes = patched(&self.bytes, &patches);
        let mut changes = Vec::new();
        let mut moved = 0_isize;
        for Target { old, place, name, .. } in targets {
            let inside = |it: &&Patch| place.start <= it.0 && it.1 <= place.end;
            let by: isize = patches.iter().filter(inside).map(Patch::growth).sum();
            let start = place.value.saturating_add_signed(moved);
            moved += by;
            let end = place.end.saturating_add_signed(moved);
            let now = Json::read_as(bytes.get(start..end).unwrap_or_default(), Manner::Engine)?;
            compare(name.clone(), old, &now.json, &mut changes);
        }
        let (content, places) = (OnceCell::new(), OnceCell::new());
        let text =
            Self { bytes, encoding: self.encoding, is_plain: self.is_plain, content, places };
        // What engines read beside JSON may be gone.
        *self = if text.is_plain { text } else { Self::read_as(text.encoding, text.bytes)? };
        Ok(changes)
    }
}

/// Returns the size of a byte order mark.
fn start_of(text: &[u8]) -> usize {
    if text.starts_with(MARK) { MARK.len() } else { 0 }
}

fn shifted(mut place: Place, by: usize) -> Place {
    place.shift(by);
    place
}

/// A value that is there, and its replacement.
struct Target<'e> {
    old: Json,
    place: Place,
    /// The path of the value.
    name: String,
    value: &'e Json,
}

/// Returns a text with patches, which are in the order of the text.
fn patched(bytes: &[u8], patches: &[Patch]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for Patch(start, end, text) in patches {
        out.extend_from_slice(&bytes[at..*start]);
        out.extend_from_slice(text.as_bytes());
        at = *end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Returns an error of a text as one of the file.
fn in_file(encoding: Encoding, text: &[u8], error: Error) -> Error {
    match encoding {
        Encoding::Utf8 => error,
        encoding => {
            let offset = encoding.offset(text, error.offset());
            let path = error.path().clone();
            Error::new(error.rule(), offset, error.expected(), error.found()).under(path)
        }
    }
}

/// Reads a text, and returns whether it has a document on each line.
fn parsed(text: &[u8]) -> Result<(Parsed, bool)> {
    let whole = Json::read_as(text, Manner::Engine);
    let is_tail = |parsed: &Parsed| {
        parsed
            .behind
            .as_ref()
            .is_none_or(|it| text[it.offset() as usize..].iter().all(|it| *it == 0))
    };
    if whole.as_ref().is_ok_and(is_tail) {
        return whole.map(|parsed| (parsed, false));
    }
    let is_followed = |parsed: &Parsed| {
        parsed.behind.as_ref().is_some_and(|it| begins(&text[it.offset() as usize..]))
    };
    match lines(text) {
        Ok(parsed) => Ok((parsed, true)),
        Err(Some((error, count))) => match whole {
            // An older and longer text is left after a document.
            Ok(parsed) if count == 1 && !is_followed(&parsed) => Ok((parsed, false)),
            _ => Err(error),
        },
        Err(None) => whole.map(|parsed| (parsed, false)),
    }
}

/// Returns whether a text begins as a document does.
fn begins(text: &[u8]) -> bool {
    matches!(text.trim_ascii_start(), [b'{' | b'[', ..])
}

/// Reads text with a document on each line. An error is returned for a line after at least one that can be read, with
/// the number of these.
fn lines(text: &[u8]) -> std::result::Result<Parsed, Option<(Error, usize)>> {
    let zeros = text.iter().rev().take_while(|byte| **byte == 0).count();
    let (text, zeros) = text.split_at(text.len() - zeros);
    let (mut all, mut places, mut at) = (Vec::new(), Vec::new(), 0);
    let mut parsed = Parsed::default();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if !line.trim_ascii().is_empty() {
            let read = Json::read_as(line, Manner::Engine).and_then(|read| match read.behind {
                Some(error) => Err(error),
                None => Ok(read),
            });
            let Parsed { json, mut place, deviations, has_words, .. } = read.map_err(|error| {
                let is_behind_one = all.iter().any(|json: &Json| json.len().is_some());
                is_behind_one.then(|| (error.shifted(at as u64), all.len()))
            })?;
            place.shift(at);
            all.push(json);
            places.push(place);
            parsed.has_words |= has_words;
            parsed.deviations.extend(deviations.into_iter().map(|it| it.shifted(at as u64)));
        }
        at += line.len();
    }
    parsed.behind = (!zeros.is_empty()).then(|| {
        let found = "zero bytes, which engines take for the end";
        Error::new(rule::JSON_STRICT, at as u64, "the end", found)
    });
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return Err(None) };
    let (start, end) = (first.start, last.end);
    parsed.place = Place { start, value: start, end, inner: places, hidden: None };
    parsed.json = Json::Array(all);
    Ok(parsed)
}

/// Reads what is left of a text.
fn rescued(text: &[u8]) -> Result<(Json, Vec<Lost>, bool)> {
    let is_document = |line: &[u8]| {
        begins(line) && Json::read_as(line, Manner::Engine).is_ok_and(|it| it.behind.is_none())
    };
    let count = |line: &&[u8]| !line.trim_ascii().is_empty();
    let mut begun = text.split_inclusive(|byte| *byte == b'\n').filter(count).take(3);
    let has_lines = begun.clone().count() > 1 && begun.any(is_document);
    if !has_lines {
        let Parsed { json, mut lost, behind, .. } = Json::read_as(text, Manner::Rescue)?;
        lost.extend(behind.map(|error| Lost { range: error.offset()..text.len() as u64, error }));
        return Ok((json, lost, false));
    }
    let (mut all, mut lost, mut at) = (Vec::new(), Vec::new(), 0_u64);
    for line in text.split_inclusive(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let end = at + line.trim_ascii_end().len() as u64;
        let index = all.len() as u64;
        match Json::read_as(line, Manner::Rescue) {
            _ if line.trim_ascii().is_empty() => {}
            Ok(read) => {
                all.push(read.json);
                let behind = read.behind.map(|error| (error.offset() + at..end, error));
                let lost_in = read
                    .lost
                    .into_iter()
                    .map(|Lost { range, error }| (range.start + at..range.end + at, error));
                lost.extend(
                    lost_in.chain(behind).map(|(range, error)| Lost {
                        range,
                        error: error.shifted(at).within(index),
                    }),
                );
            }
            Err(error) => lost.push(Lost { range: at..end, error: error.shifted(at) }),
        }
        at += line.len() as u64;
    }
    Ok((Json::Array(all), lost, true))
}

/// Returns whether two values are equal: `1.50` and `1.5` are.
fn is_same(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Number(one), Json::Number(other)) => {
            let whole = |text: &str| text.parse::<i128>().ok();
            // A word is to become a number where somebody sets it.
            let is_number = !is_word(one) && !is_word(other);
            one == other
                || is_number
                    && match (whole(one), whole(other)) {
                        (Some(one), Some(other)) => one == other,
                        _ => one.parse::<f64>().ok() == other.parse::<f64>().ok(),
                    }
        }
        (Json::Array(old), Json::Array(new)) => {
            old.len() == new.len() && old.iter().zip(new).all(|(old, new)| is_same(old, new))
        }
        (Json::Object(old), Json::Object(new)) => {
            let mut pairs = old.iter().zip(new);
            old.len() == new.len()
                && pairs.all(|(old, new)| old.0 == new.0 && is_same(&old.1, &new.1))
        }
        (old, new) => old == new,
    }
}

/// A range of the text, from the first to the second position, and its replacement.
struct Patch(usize, usize, String);

impl Patch {
    /// Returns by how much the text grows.
    fn growth(&self) -> isize {
        self.2.len() as isize - (self.1 - self.0) as isize
    }
}

/// Adds the patches that make a value of the text another one, in the order of the text.
fn patch(
    old: &Json,
    place: &Place,
    new: &Json,
    (text, between): (&[u8], &str),
    out: &mut Vec<Patch>,
) {
    if is_same(old, new) {
        return;
    }
    match (old, new) {
        (Json::Object(members), Json::Object(others)) => {
            let (olds, news) = (old.by_name(), new.by_name());
            let kept: Vec<_> = members.iter().map(|it| news.get(&*it.0).copied()).collect();
            let added = others.iter().filter(|it| !olds.contains_key(&*it.0));
            let added: Vec<_> = added.map(|(name, value)| (Some(&**name), value)).collect();
            if kept.iter().any(Option::is_some) {
                let mut values: Vec<_> = members.iter().map(|it| &it.1).collect();
                let mut kept = kept;
                let mut place = Cow::Borrowed(place);
                if place.hidden.is_some() {
                    place = Cow::Owned(with_hidden(&place, &mut values, &mut kept));
                }
                let end = kept.len();
                return children((&values, &kept, &added, end), &place, (text, between), out);
            }
        }
        (Json::Array(elements), Json::Array(others)) => {
            let pairs = |pair: &(&Json, &Json)| is_same(pair.0, pair.1);
            let start = elements.iter().zip(others).take_while(pairs).count();
            let (rest, other_rest) = (&elements[start..], &others[start..]);
            let end = rest.iter().rev().zip(other_rest.iter().rev()).take_while(pairs).count();
            let (left, right) = (rest.len() - end, other_rest.len() - end);
            let same = left.min(right);
            let kept: Vec<_> = (0..elements.len())
                .map(|index| match index {
                    index if index < start + same => others.get(index),
                    index if index < start + left => None,
                    index => others.get(index + right - left),
                })
                .collect();
            let added = &other_rest[same..right];
            let added: Vec<_> = added.iter().map(|value| (None, value)).collect();
            if kept.iter().any(Option::is_some) {
                let values: Vec<_> = elements.iter().collect();
                let at = start + left;
                return children((&values, &kept, &added, at), place, (text, between), out);
            }
        }
        _ => {}
    }
    out.push(Patch(place.value, place.end, written(new, place, text)));
}

/// Puts the members that have the name of another one to their places in the text. They stay while that one does.
fn with_hidden<'j>(
    place: &Place,
    values: &mut Vec<&'j Json>,
    kept: &mut Vec<Option<&'j Json>>,
) -> Place {
    let hidden = place.hidden.as_deref().into_iter().flatten();
    let shown = place.inner.iter().zip(values.iter().copied()).zip(kept.iter().copied());
    let mut all: Vec<_> = shown.map(|((place, value), kept)| (place, value, kept)).collect();
    all.extend(hidden.map(|(place, of)| {
        let is_kept = kept.get(*of).copied().flatten();
        (place, &Json::Null, is_kept.map(|_| &Json::Null))
    }));
    all.sort_by_key(|it| it.0.start);
    *values = all.iter().map(|it| it.1).collect();
    *kept = all.iter().map(|it| it.2).collect();
    let inner = all.into_iter().map(|it| it.0.clone()).collect();
    let Place { start, value, end, .. } = *place;
    Place { start, value, end, inner, hidden: None }
}

/// The values inside a container, their replacements, the added values, and the index before which these are added.
type Children<'j> =
    (&'j [&'j Json], &'j [Option<&'j Json>], &'j [(Option<&'j str>, &'j Json)], usize);

fn children(
    (values, kept, added, at): Children<'_>,
    place: &Place,
    (text, between): (&[u8], &str),
    out: &mut Vec<Patch>,
) {
    let inner = &place.inner;
    let gap = match &inner[..] {
        [one, other, ..] => text_of(text, one.end, other.start),
        [one] if between == "," => format!(",{}", text_of(text, place.value + 1, one.start)),
        _ => between.to_owned(),
    };
    let colon = inner.first().map_or(": ".to_owned(), |first| {
        let name = text_of(text, first.start, first.value);
        name.rfind('"').map_or(": ".to_owned(), |end| name[end + 1..].to_owned())
    });
    let new = |last: usize| {
        let texts = added.iter().map(|(name, value)| {
            let value = written(value, &inner[last], text);
            name.map_or_else(|| value.clone(), |name| format!("{}{colon}{value}", Json::from(name)))
        });
        texts.collect::<Vec<_>>()
    };
    let first_kept = kept.iter().position(Option::is_some).unwrap_or(0);
    for index in 0..=inner.len() {
        if index == at && !added.is_empty() {
            // After the last kept value, or before the first.
            match (0..index).rev().find(|index| kept[*index].is_some()) {
                Some(last) => {
                    let text: String = new(last).iter().map(|it| format!("{gap}{it}")).collect();
                    let end = inner[index - 1].end;
                    out.push(Patch(end, end, text));
                }
                None => {
                    let text: String =
                        new(first_kept).iter().map(|it| format!("{it}{gap}")).collect();
                    let start = inner[index].start;
                    out.push(Patch(start, start, text));
                }
            }
        }
        let Some(child) = inner.get(index) else { continue };
        match kept[index] {
            Some(new) => patch(values[index], child, new, (text, ","), out),
            None if index > first_kept => {
                out.push(Patch(inner[index - 1].end, child.end, String::new()))
            }
            None => out.push(Patch(child.start, inner[index + 1].start, String::new())),
        }
    }
}

fn text_of(text: &[u8], start: usize, end: usize) -> String {
    String::from_utf8_lossy(text.get(start..end).unwrap_or_default()).into_owned()
}

/// Returns the text of a value in the style of the place where it comes: on one line, or indented like its line.
fn written(value: &Json, place: &Place, text: &[u8]) -> String {
    let before = &text[..place.start];
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let blanks = before.iter().rev().take_while(|byte| is_blank(byte)).count();
    let (before, indent) = before.split_at(before.len() - blanks);
    // A value that begins its line is one of an indented text.
    if !before.ends_with(b"\n") || indent.is_empty() {
        return value.to_string();
    }
    let line_end = if before.ends_with(b"\r\n") { "\r\n" } else { "\n" };
    let indent = String::from_utf8_lossy(indent).into_owned();
    let step = if indent.starts_with('\t') { "\t" } else { "  " };
    let pretty = format!("{value:#}");
    let mut lines = pretty.lines();
    let mut out = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        let inner = line.trim_start_matches(' ');
        out.push_str(line_end);
        out.push_str(&indent);
        out.push_str(&step.repeat((line.len() - inner.len()) / 2));
        out.push_str(inner);
    }
    out
}

impl Format for JsonText {
    fn name(&self) -> &'static str {
        "json"
    }

    fn description(&self) -> &'static str {
        "JSON text"
    }

    fn page(&self) -> String {
        "# JSON text\n\nOne JSON document as RFC 8259 has it, or one on each line.\n".to_owned()
    }

    fn sniff(&self, bytes: &[u8]) -> Confidence {
        let encoding = Encoding::of(bytes);
        let (text, _) = encoding.decoded(bytes);
        let text = text.strip_prefix(MARK).unwrap_or(&text).trim_ascii_start();
        let (begins, inside) = match text {
            [b'{', inside @ ..] => (b"\"}".as_slice(), inside.trim_ascii_start()),
            [b'[', inside @ ..] => (b"\"{[]-0123456789tfn".as_slice(), inside.trim_ascii_start()),
            _ => return Confidence::None,
        };
        match inside.first() {
            _ if Text::read(bytes).is_ok() => Confidence::Whole,
            // (Brackets may also be the name of a section.)
            Some(sign) if begins.contains(sign) && (text[0] == b'{' || b"\"{[".contains(sign)) => {
                Confidence::Start
            }
            _ => Confidence::None,
        }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        Ok(Box::new(Text::read(bytes)?))
    }

    fn make(&self, json: &Json) -> Result<Box<dyn Document>> {
        Ok(Box::new(Text::read(format!("{json:#}\n").as_bytes())?))
    }

    /// Reads a text to its faults, and on after them where it goes on; all that is open at the end is closed.
    fn recover(&self, bytes: &[u8]) -> Result<Recovered> {
        if let Ok(text) = Text::read(bytes) {
            let range =
                |at: usize| text.encoding.offset(&text.bytes, at as u64)..bytes.len() as u64;
            let end = text.content().end;
            let behind = text.problems().pop().filter(|_| end < text.bytes.len());
            let lost = behind.map(|error| Lost { range: range(end), error });
            return Ok(Recovered { lost: lost.into_iter().collect(), document: Box::new(text) });
        }
        let encoding = Encoding::of(bytes);
        let (text, _) = encoding.decoded(bytes);
        let start = if text.starts_with(MARK) { MARK.len() } else { 0 };
        let (json, mut lost, is_lines) = rescued(&text[start..])?;
        for Lost { range, error } in &mut lost {
            let place = |at: u64| encoding.offset(&text, at + start as u64);
            *range = place(range.start)..place(range.end);
            *error = in_file(encoding, &text, error.clone().shifted(start as u64));
        }
        let document: Box<dyn Document> = match &json {
            Json::Array(documents) if is_lines => {
                let text: String = documents.iter().map(|it| format!("{it}\n")).collect();
                Box::new(Text::read(text.as_bytes())?)
            }
            json => self.make(json)?,
        };
        Ok(Recovered { document, lost })
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Problem> {
        match Text::read(bytes) {
            Ok(text) => text.problems().into_iter().map(Problem::warning).collect(),
            Err(error) => vec![Problem::damage(error)],
        }
    }

    /// Hands over a row for each value, or for the fault of the text.
    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        match Text::read(bytes) {
            Ok(text) => {
                let whole = (&text.content().json, text.place());
                let mut at = (0, text.encoding.offset(&text.bytes, 0) as usize);
                let source = (text.bytes.as_slice(), text.encoding, bytes, &mut at);
                value_rows(whole, ("text", 0), source, &Path::default(), each)
            }
            Err(error) => {
                let path = Path::default();
                let fault = Row::new(RowKind::Fault, error.offset(), bytes, &path);
                let (name, type_name) = ("text".to_owned(), "JSON".to_owned());
                let value = format!("{} bytes", bytes.len());
                each(&Row { name, type_name, value, error: Some(error), ..fault })
            }
        }
    }
}

/// Hands over the rows of a value and of those in it.
fn value_rows(
    (json, place): (&Json, &Place),
    (name, depth): (&str, usize),
    (text, encoding, file, at): (&[u8], Encoding, &[u8], &mut (usize, usize)),
    path: &Path,
    each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let value = match json.len() {
        Some(1) => "1 value".to_owned(),
        Some(count) => format!("{count} values"),
        None => json.to_string(),
    };
    // (Values come in the order of the text, so each part of it is measured once.)
    let offset = at.1 + encoding.length(text.get(at.0..place.value).unwrap_or_default());
    *at = (place.value, offset);
    let length = match json.len() {
        None => encoding.length(text.get(place.value..place.end).unwrap_or_default()),
        Some(_) => 0,
    };
    let bytes = file.get(offset..offset + length);
    let type_name = json.kind().trim_start_matches("an ").trim_start_matches("a ").to_owned();
    let (bytes, name) = (bytes.unwrap_or_default(), name.to_owned());
    let row = Row::new(RowKind::Field, offset as u64, bytes, path);
    each(&Row { depth, name, type_name, value, ..row })?;
    let mut inside = |step: PathSegment, name: &str, json, place| {
        let mut inner = path.clone();
        inner.push(step);
        let source = (text, encoding, file, &mut *at);
        value_rows((json, place), (name, depth + 1), source, &inner, each)
    };
    match json {
        Json::Array(elements) => {
            let mut elements = elements.iter().zip(&place.inner).zip(0_u64..);
            elements.try_for_each(|((json, place), index)| {
                inside(index.into(), &format!("[{index}]"), json, place)
            })
        }
        Json::Object(members) => {
            members.iter().zip(&place.inner).try_for_each(|(member, place)| {
                inside(PathSegment::Name((*member.0).into()), &member.0, &member.1, place)
            })
        }
        _ => Ok(()),
    }
}

impl Document for Text {
    fn summary(&self) -> Vec<(String, Json)> {
        let Content { json, is_lines, .. } = self.content();
        match json.len().filter(|_| *is_lines) {
            Some(count) => vec![("documents".to_owned(), count.into())],
            None => super::record::summary(&self.json()),
        }
    }

    fn to_json(&self) -> Json {
        self.json().into_owned()
    }

    fn encoding(&self) -> Option<&'static str> {
        self.encoding.name(&self.bytes)
    }

    fn json(&self) -> Cow<'_, Json> {
        let Content { json, has_words, .. } = self.content();
        if *has_words { Cow::Owned(json.without_words()) } else { Cow::Borrowed(json) }
    }

    fn into_json(self: Box<Self>) -> Json {
        let Content { has_words, .. } = *self.content();
        let json = self.content.into_inner().unwrap_or_default().json;
        if has_words { json.without_words() } else { json }
    }

    fn holds_several(&self) -> bool {
        !self.is_plain && self.content().is_lines
    }

    fn member(&self, names: &[&str]) -> Option<Json> {
        self.seek_steps(names).map(|(json, _)| json)
    }

    fn get(&self, path: &str) -> Result<Json> {
        match self.seek(path) {
            Some((json, _)) => Ok(json),
            None => self.json().find(path).cloned(),
        }
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        if let Some(targets) = self.targets(edits) {
            return self.set(&targets);
        }
        // Words stay where nothing is set.
        let mut json = self.content().json.clone();
        edits.iter().try_for_each(|edit| edit.apply(&mut json))?;
        self.take(&json)
    }

    /// As the provided method, but refuses a value of another kind than the one that is there.
    fn typed(&self, path: &str, text: &str) -> Result<Json> {
        let there = self.get(path).ok();
        let there = there.as_ref();
        let is_native = || {
            let (of, args) = (self.get("type"), self.get("args"));
            matches!((of, args), (Ok(Json::String(_)), Ok(Json::Array(_))))
        };
        if let Some(Json::String(there)) = there
            && is_native()
            && let Some(value) = native(text, there)
        {
            return value.map(Json::from);
        }
        let value = typed(text, there)?;
        match there.map(Json::kind) {
            None | Some("null") => Ok(value),
            Some(kind) if kind == value.kind() => Ok(value),
            Some(kind) => Err(Error::new(rule::DOCUMENT_VALUE, 0, kind, value.kind()).nowhere()),
        }
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        if !self.content().has_words {
            return self.take(json);
        }
        let mut json = json.clone();
        json.for_each_with(&self.content().json, &|old, new| {
            let is_word = matches!(old, Json::Number(number) if is_word(number));
            if is_word && old.without_words() == *new {
                *new = old.clone();
            }
        });
        self.take(&json)
    }

    fn fork(&self) -> Box<dyn Document> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.encoding.encode(&self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(text: &str, edits: &[Edit]) -> String {
        let mut document = JsonText.open(text.as_bytes()).unwrap();
        document.edit(edits).unwrap();
        String::from_utf8(document.to_bytes()).unwrap()
    }

    #[test]
    fn every_other_byte_stays() {
        let text = "{ \"a\" : 1.50 ,\n\t\"b\":[1,2 , 3],\"c\" :{\"d\":\"x\"} }\n\n";
        let set = |path, json: &str| Edit::add(path, Json::read(json.as_bytes()).unwrap());
        assert_eq!(changed(text, &[set("a", "2")]), text.replace("1.50", "2"));
        assert_eq!(changed(text, &[set("b/1", "7")]), text.replace("2 ,", "7 ,"));
        assert_eq!(changed(text, &[set("c/d", "null")]), text.replace("\"x\"", "null"));
        assert_eq!(changed(text, &[set("b/+", "4")]), text.replace("3]", "3,4]"));
        assert_eq!(changed(text, &[set("b/+0", "0")]), text.replace("[1", "[0,1"));
        assert_eq!(changed(text, &[set("c/e", "5")]), text.replace("\"x\"}", "\"x\",\"e\":5}"));
        assert_eq!(changed(text, &[Edit::remove("b/0")]), text.replace("1,2", "2"));
        assert_eq!(changed(text, &[Edit::remove("b/2")]), text.replace("2 , 3", "2"));
        assert_eq!(changed(text, &[Edit::remove("c/d")]), text.replace("{\"d\":\"x\"}", "{}"));
        assert_eq!(changed(text, &[Edit::remove("a")]), text.replace("\"a\" : 1.50 ,\n\t", ""));
    }

    #[test]
    fn an_added_value_is_indented_like_the_others() {
        let text = "{\n\t\"a\": 1,\n\t\"b\": {}\n}\n";
        let json = Json::read(b"{\"x\": [1, 2]}").unwrap();
        assert_eq!(
            changed(text, &[Edit::add("c", json)]),
            "{\n\t\"a\": 1,\n\t\"b\": {},\n\t\"c\": {\n\t\t\"x\": [1, 2]\n\t}\n}\n"
        );
    }

    #[test]
    fn many_values_are_set_in_one_pass_whatever_their_order() {
        let text = r#"{"a":1,"b":{"c":[1,2,3]},"d":{"$T":{"e":1.50}}}"#;
        let edits =
            [Edit::set("d/e", 7.into()), Edit::set("b/c/-1", 9.into()), Edit::set("a", 1.into())];
        let mut document = JsonText.open(text.as_bytes()).unwrap();
        let changes = document.edit(&edits).unwrap();
        let changes: Vec<_> = changes.iter().map(ToString::to_string).collect();
        assert_eq!(changes, ["b/c/2: 3 -> 9", "d/e: 1.50 -> 7"]);
        let new = text.replace("3]", "9]").replace("1.50", "7");
        assert_eq!(document.to_bytes(), new.as_bytes());
        // One value inside of another, and one that is set twice: one after the other.
        let json = |text: &str| Json::read(text.as_bytes()).unwrap();
        let twice = [Edit::set("b", json("{\"c\":[5]}")), Edit::set("b/c/0", 6.into())];
        assert_eq!(changed(text, &twice), text.replace("[1,2,3]", "[6]"));
        let twice = [Edit::set("a", 5.into()), Edit::set("a", 6.into())];
        assert_eq!(changed(text, &twice), text.replace("\"a\":1", "\"a\":6"));
        // All at once, and what is equal stays as it is written.
        let whole = json(r#"{"a":2,"b":{"c":[4,2,5]},"d":{"$T":{"e":1.5}}}"#);
        document = JsonText.open(text.as_bytes()).unwrap();
        document.set_json(&whole).unwrap();
        let expected = r#"{"a":2,"b":{"c":[4,2,5]},"d":{"$T":{"e":1.50}}}"#;
        assert_eq!(String::from_utf8(document.to_bytes()).unwrap(), expected);
        // An error leaves the document as it was.
        assert!(document.edit(&[Edit::set("a", 3.into()), Edit::set("x", 3.into())]).is_err());
        assert_eq!(String::from_utf8(document.to_bytes()).unwrap(), expected);
    }

    #[test]
    fn an_added_value_has_the_line_ends_of_the_text() {
        let text = "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n";
        let json = Json::read(b"{\"x\":{\"y\":1}}").unwrap();
        let new = changed(text, &[Edit::add("c", json)]);
        assert_eq!(new.matches('\n').count(), new.matches("\r\n").count(), "{new:?}");
    }

    #[test]
    fn looking_into_a_text_copies_nothing() {
        let document = JsonText.open(b"{\"a\":1}").unwrap();
        assert!(matches!(document.json(), Cow::Borrowed(_)));
        assert_eq!(document.get("a"), Ok(1.into()));
    }

    #[test]
    fn documents_on_lines_stay_on_lines() {
        let text = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n";
        assert_eq!(changed(text, &[Edit::set("1/a", 5.into())]), text.replace('2', "5"));
        assert_eq!(changed(text, &[Edit::remove("1")]), text.replace("{\"a\":2}\n", ""));
        assert_eq!(changed(text, &[Edit::add("+", 4.into())]), format!("{text}4\n"));
    }

    #[test]
    fn any_change_reads_as_what_was_asked_for() {
        let texts = [
            "{\"a\":[1,2,{\"b\":null}],\"c\":{\"d\":true}}",
            "[ ]",
            "[1]",
            "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"e\": {\n    \"f\": 1\n  }\n}",
            "[{\"a\":1},{\"a\":2},{\"b\":3},4,5]",
            "[5,4,{\"b\":3}]",
        ];
        for old in texts {
            for new in texts {
                let json = Json::read(new.as_bytes()).unwrap();
                let mut document = JsonText.open(old.as_bytes()).unwrap();
                document.set_json(&json).unwrap();
                let there = document.to_json();
                assert!(changes(&there, &json).is_empty(), "{old}\n{new}\n{there}");
            }
        }
    }

    #[test]
    fn what_engines_read_stays_beside_a_change() {
        for (text, path) in [
            ("{\"1\":1 , \"n\":3,\"1\" :2,}", "n"),
            ("{\"a\":[1,2,], \"n\":3,}\0\0", "n"),
            ("{\"a\":\"\u{1b}\\v\", \"n\":3, \"b\":[01,1.,inf]}", "n"),
            ("{\"n\":3}\n: \"\"\n}", "n"),
            ("\u{feff}{\"n\":3,}", "n"),
            ("{\"n\":3,}\n{\"n\":4}\n", "0/n"),
        ] {
            assert_eq!(changed(text, &[Edit::set(path, 99.into())]), text.replace('3', "99"));
            let mut document = JsonText.open(text.as_bytes()).unwrap();
            let json = document.to_json();
            assert_eq!(document.set_json(&json), Ok(Vec::new()));
            assert_eq!(document.to_bytes(), text.as_bytes());
            assert!(text.starts_with('\u{feff}') || !JsonText.problems(text.as_bytes()).is_empty());
        }
    }

    #[test]
    fn names_twice_are_set_and_removed_together() {
        let text = "{\"a\":1, \"b\":2, \"a\":3, \"c\":4}";
        let is = |edit: Edit, new: &str| assert_eq!(changed(text, &[edit]), new);
        is(Edit::set("a", 5.into()), "{\"a\":1, \"b\":2, \"a\":5, \"c\":4}");
        is(Edit::remove("a"), "{\"b\":2, \"c\":4}");
        is(Edit::remove("b"), "{\"a\":1, \"a\":3, \"c\":4}");
        is(Edit::add("d", 5.into()), "{\"a\":1, \"b\":2, \"a\":3, \"c\":4, \"d\":5}");
    }

    #[test]
    fn words_are_mended_where_a_number_is_set() {
        let text = "{\"t\":inf,\"u\":[nan,-inf]}";
        let set = |path: &str, json: &str| {
            changed(text, &[Edit::set(path, Json::read(json.as_bytes()).unwrap())])
        };
        assert_eq!(set("t", "1e99999"), text.replacen("inf", "1e99999", 1));
        assert_eq!(set("u/0", "null"), text.replace("nan", "null"));
        let document = JsonText.open(text.as_bytes()).unwrap();
        assert_eq!(document.to_json().to_string(), "{\"t\":1e99999,\"u\":[null,-1e99999]}");
    }

    #[test]
    fn an_encoding_stays() {
        let text = "{\"name\":\"Jos\u{e9}\",\"gold\":1}";
        let utf16 = |text: &str, is_big: bool| -> Vec<u8> {
            let units = text.encode_utf16();
            units.flat_map(|it| if is_big { it.to_be_bytes() } else { it.to_le_bytes() }).collect()
        };
        let latin1 = |text: &str| text.chars().map(|it| it as u8).collect::<Vec<_>>();
        let marked = |text: &str| format!("\u{feff}{text}");
        let new = text.replace(":1", ":25");
        for (old, new, name) in [
            (latin1(text), latin1(&new), "Latin-1"),
            (utf16(text, false), utf16(&new, false), "UTF-16 (little-endian)"),
            (utf16(text, true), utf16(&new, true), "UTF-16 (big-endian)"),
            (
                utf16(&marked(text), false),
                utf16(&marked(&new), false),
                "UTF-16 (little-endian) with a byte order mark",
            ),
            (marked(text).into_bytes(), marked(&new).into_bytes(), "UTF-8 with a byte order mark"),
        ] {
            assert_eq!(JsonText.sniff(&old), Confidence::Whole);
            let mut document = JsonText.open(&old).unwrap();
            assert_eq!(document.encoding(), Some(name));
            assert_eq!(document.get("name"), Ok("Jos\u{e9}".into()));
            document.edit(&[Edit::set("gold", 25.into())]).unwrap();
            assert_eq!(document.to_bytes(), new);
            let problems = JsonText.problems(&old);
            assert_eq!(problems.is_empty(), name.starts_with("UTF-8"), "{problems:?}");
            let mut shown = Vec::new();
            let _ = JsonText.rows(&old, &mut |row| {
                shown.push((row.offset, row.bytes.to_vec()));
                Ok(())
            });
            let (at, bytes) = shown.pop().unwrap();
            let rest = &old[at as usize..];
            assert!(rest.starts_with(&bytes) && bytes.contains(&b'1'), "{name}");
        }
    }

    #[test]
    fn what_is_lost_is_listed() {
        let recovered = |text: &[u8]| {
            let Recovered { document, lost } = JsonText.recover(text).unwrap();
            let lost: Vec<_> = lost.into_iter().map(|it| (it.range.start, it.range.end)).collect();
            (document.to_json().to_string(), lost)
        };
        let old_tail = b"{\n  \"synth\": \"opl\"\n}: \"\"\n}\n";
        assert_eq!(recovered(old_tail), ("{\"synth\":\"opl\"}".into(), vec![(20, 27)]));
        assert_eq!(recovered(b"{\"a\":1}\n\0"), ("{\"a\":1}".into(), vec![(8, 9)]));
        assert_eq!(recovered(b"{\"a\":1}\n"), ("{\"a\":1}".into(), vec![]));
        let lines = b"{\"a\":1}\n{\"b\":\0}\n{\"c\":3}\n{\"d\":";
        let (json, lost) = recovered(lines);
        assert_eq!(json, "[{\"a\":1},{},{\"c\":3},{}]");
        assert_eq!(lost, [(9, 15), (25, 29)]);
    }
}

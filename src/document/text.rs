//! JSON text as a format: a change keeps every byte but those of the value that changes.

use std::borrow::Cow;
use std::io;

use super::change::compare;
use super::json::Place;
use super::typed::typed;
use super::{Change, Confidence, Document, Edit, Format, Json, Row, RowKind, changes, rule};
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

/// The mark that some editors put before a text.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// A text and its content.
#[derive(Clone, Debug)]
struct Text {
    bytes: Vec<u8>,
    json: Json,
    place: Place,
    /// Whether there is a document on each line, of which `json` is the list.
    is_lines: bool,
}

impl Text {
    fn read(bytes: &[u8]) -> Result<Self> {
        let start = if bytes.starts_with(MARK) { MARK.len() } else { 0 };
        let text = &bytes[start..];
        let (json, mut place, is_lines) = match Json::read_with_places(text) {
            Ok((json, place)) => (json, place, false),
            Err(error) => match lines(text) {
                Ok((json, place)) => (json, place, true),
                Err(in_line) => return Err(in_line.unwrap_or(error).shifted(start as u64)),
            },
        };
        place.shift(start);
        Ok(Self { bytes: bytes.to_vec(), json, place, is_lines })
    }

    /// Replaces the content.
    fn take(&mut self, new: &Json) -> Result<Vec<Change>> {
        let mut patches = Vec::new();
        let between = if self.is_lines { "\n" } else { "," };
        patch(&self.json, &self.place, new, (&self.bytes, between), &mut patches);
        let now = Self::read(&patched(&self.bytes, &patches))?;
        let changes = changes(&self.json, &now.json);
        *self = now;
        Ok(changes)
    }

    /// Returns what is to be set, in the order of the text, if the edits only set values that are there, none of them in
    /// another one.
    fn targets<'e>(&self, edits: &'e [Edit]) -> Option<Vec<Target<'e>>> {
        let target = |edit: &'e Edit| {
            let Edit::Set { path, value, .. } = edit else { return None };
            let positions = self.json.positions(path).filter(|it| !it.is_empty())?;
            Some(Target { positions, place: self.json.place(path).ok()?, value })
        };
        let mut targets = edits.iter().map(target).collect::<Option<Vec<_>>>()?;
        targets.sort_by(|one, other| one.positions.cmp(&other.positions));
        let is_apart = |pair: &[Target<'_>]| !pair[1].positions.starts_with(&pair[0].positions);
        targets.windows(2).all(is_apart).then_some(targets)
    }

    /// Sets values that are there. Only these are copied: a text may be large.
    fn set(&mut self, targets: &[Target<'_>]) -> Result<Vec<Change>> {
        let (mut patches, mut before) = (Vec::new(), Vec::new());
        for Target { positions, value, .. } in targets {
            let place = positions.iter().try_fold(&self.place, |place, at| place.inner.get(*at));
            let Some((place, old)) = place.zip(at(&self.json, positions)) else { continue };
            patch(old, place, value, (&self.bytes, ","), &mut patches);
            before.push(old.clone());
        }
        let bytes = patched(&self.bytes, &patches);
        // Two contents of a large text would not both fit.
        (self.json, self.place) = (Json::Null, Place::default());
        let now = match Self::read(&bytes) {
            Ok(now) => now,
            Err(error) => {
                *self = Self::read(&self.bytes)?;
                return Err(error);
            }
        };
        *self = now;
        let mut changes = Vec::new();
        for (Target { positions, place, .. }, before) in targets.iter().zip(before) {
            if let Some(after) = at(&self.json, positions) {
                compare(place.clone(), &before, after, &mut changes);
            }
        }
        Ok(changes)
    }
}

/// A value that is there, and its replacement.
struct Target<'e> {
    positions: Vec<usize>,
    /// The path of the value.
    place: String,
    value: &'e Json,
}

/// Returns the value at these positions.
fn at<'j>(json: &'j Json, positions: &[usize]) -> Option<&'j Json> {
    positions.iter().try_fold(json, |json, at| json.at(*at))
}

/// Returns a text with patches, which are in the order of the text.
fn patched(bytes: &[u8], patches: &[Patch]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    for (start, end, text) in patches {
        out.extend_from_slice(&bytes[at..*start]);
        out.extend_from_slice(text.as_bytes());
        at = *end;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Reads text with a document on each line. An error is returned for a line after at least one that can be read.
fn lines(text: &[u8]) -> std::result::Result<(Json, Place), Option<Error>> {
    let (mut all, mut places, mut at) = (Vec::new(), Vec::new(), 0);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if !line.trim_ascii().is_empty() {
            let (json, mut place) = Json::read_with_places(line).map_err(|error| {
                let is_behind_one = all.iter().any(|json: &Json| json.len().is_some());
                is_behind_one.then(|| error.shifted(at as u64))
            })?;
            place.shift(at);
            all.push(json);
            places.push(place);
        }
        at += line.len();
    }
    let (Some(first), Some(last)) = (places.first(), places.last()) else { return Err(None) };
    let place = Place { start: first.start, value: first.start, end: last.end, inner: Vec::new() };
    Ok((Json::Array(all), Place { inner: places, ..place }))
}

/// Returns whether two values are equal: `1.50` and `1.5` are.
fn is_same(old: &Json, new: &Json) -> bool {
    match (old, new) {
        (Json::Number(one), Json::Number(other)) => {
            let whole = |text: &str| text.parse::<i128>().ok();
            one == other
                || match (whole(one), whole(other)) {
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

/// A range of the text, and its replacement.
type Patch = (usize, usize, String);

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
                let values: Vec<_> = members.iter().map(|it| &it.1).collect();
                let end = kept.len();
                return children((&values, &kept, &added, end), place, (text, between), out);
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
    out.push((place.value, place.end, written(new, place, text)));
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
                    out.push((end, end, text));
                }
                None => {
                    let text: String =
                        new(first_kept).iter().map(|it| format!("{it}{gap}")).collect();
                    let start = inner[index].start;
                    out.push((start, start, text));
                }
            }
        }
        let Some(child) = inner.get(index) else { continue };
        match kept[index] {
            Some(new) => patch(values[index], child, new, (text, ","), out),
            None if index > first_kept => {
                out.push((inner[index - 1].end, child.end, String::new()))
            }
            None => out.push((child.start, inner[index + 1].start, String::new())),
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
        let text = bytes.strip_prefix(MARK).unwrap_or(bytes).trim_ascii_start();
        match text.first() {
            Some(b'{' | b'[') if Text::read(bytes).is_ok() => Confidence::Whole,
            _ => Confidence::None,
        }
    }

    fn open(&self, bytes: &[u8]) -> Result<Box<dyn Document>> {
        Ok(Box::new(Text::read(bytes)?))
    }

    fn make(&self, json: &Json) -> Result<Box<dyn Document>> {
        Ok(Box::new(Text::read(format!("{json:#}\n").as_bytes())?))
    }

    fn problems(&self, bytes: &[u8]) -> Vec<Error> {
        Text::read(bytes).err().into_iter().collect()
    }

    /// Hands over a row for each value, or for the fault of the text.
    fn rows(
        &self,
        bytes: &[u8],
        each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        match Text::read(bytes) {
            Ok(text) => {
                let whole = (&text.json, &text.place);
                value_rows(whole, ("text", 0), bytes, &Path::default(), each)
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
    bytes: &[u8],
    path: &Path,
    each: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let value = match json.len() {
        Some(1) => "1 value".to_owned(),
        Some(count) => format!("{count} values"),
        None => json.to_string(),
    };
    let text = bytes.get(place.value..place.end).filter(|_| json.len().is_none());
    let type_name = json.kind().trim_start_matches("an ").trim_start_matches("a ").to_owned();
    let (bytes_of_value, name) = (text.unwrap_or_default(), name.to_owned());
    let row = Row::new(RowKind::Field, place.value as u64, bytes_of_value, path);
    each(&Row { depth, name, type_name, value, ..row })?;
    let mut inside = |step: PathSegment, name: &str, json, place| {
        let mut inner = path.clone();
        inner.push(step);
        value_rows((json, place), (name, depth + 1), bytes, &inner, each)
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
        match self.json.len().filter(|_| self.is_lines) {
            Some(count) => vec![("documents".to_owned(), count.into())],
            None => super::record::summary(&self.json),
        }
    }

    fn to_json(&self) -> Json {
        self.json.clone()
    }

    fn json(&self) -> Cow<'_, Json> {
        Cow::Borrowed(&self.json)
    }

    fn holds_several(&self) -> bool {
        self.is_lines
    }

    fn edit(&mut self, edits: &[Edit]) -> Result<Vec<Change>> {
        if let Some(targets) = self.targets(edits) {
            return self.set(&targets);
        }
        let mut json = self.json.clone();
        edits.iter().try_for_each(|edit| edit.apply(&mut json))?;
        self.take(&json)
    }

    /// As the provided method, but refuses a value of another kind than the one that is there.
    fn typed(&self, path: &str, text: &str) -> Result<Json> {
        let there = self.json.find(path).ok();
        let value = typed(text, there)?;
        match there.map(Json::kind) {
            None | Some("null") => Ok(value),
            Some(kind) if kind == value.kind() => Ok(value),
            Some(kind) => Err(Error::new(rule::DOCUMENT_VALUE, 0, kind, value.kind()).nowhere()),
        }
    }

    fn set_json(&mut self, json: &Json) -> Result<Vec<Change>> {
        self.take(json)
    }

    fn to_bytes(&self) -> Vec<u8> {
        self.bytes.clone()
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
}

//! Documents of Terrain Builder as filters see them: in the shape of their JSON.
//!
//! A key that is not there leads to the field with this tag: `.mname` is
//! `."$alb1".root."$object".fields[3].value`. The shape has the types of fields, so the value that is read back is the
//! document with what changed.

use std::fmt;
use std::io::Write as _;

use formwork_alb1::Document;
use formwork_alb1::json::DocumentJson;
use formwork_variant::json::{Style, to_json as variant_json};
use formwork_variant::{Dialect, Error};
use formwork_variant::{Real, Variant};
use struson::reader::{JsonReader, JsonStreamReader, ReaderSettings, ValueType};

use super::entries::Entries;
use super::value::{List, Map, Mark, Text, TextKind, TooDeep, Value};

/// Members around the content of a document, object or quadtree.
const DOCUMENT: &str = "$alb1";
const OBJECT: &str = "$object";
const TREE: &str = "$tree";
/// The one that a number that JSON has not is in.
const FLOAT: &str = "$float";

/// Returns a document as filters see it.
pub(super) fn of_document<R: Real>(document: &Document, trees: bool) -> Result<Value<R>, String> {
    let json = DocumentJson::new().trees(trees).to_string(document);
    let json = json.map_err(|error| error.to_string())?;
    read_as(&Mark::Plain, &json).map_err(|error| error.to_string())
}

/// Returns the document that a value in that shape is.
pub(super) fn to_document<R: Real>(value: &Value<R>) -> Result<Document, Error> {
    DocumentJson::new().read(to_json(value, Style::Compact).as_bytes())
}

/// Reads JSON text.
pub(super) fn read<R: Real>(json: &str) -> Result<Value<R>, Box<dyn std::error::Error>> {
    read_as(&Mark::Json, json)
}

/// Reads JSON in which numbers are numbers, into containers with this mark.
fn read_as<R: Real>(mark: &Mark<R>, json: &str) -> Result<Value<R>, Box<dyn std::error::Error>> {
    /// A list or an object that is still read.
    enum Open<R: Real> {
        List(Vec<Value<R>>),
        Map(Entries<R>, String),
    }
    let settings = ReaderSettings { max_nesting_depth: None, ..ReaderSettings::default() };
    let mut reader = JsonStreamReader::new_custom(json.as_bytes(), settings);
    let mut open: Vec<Open<R>> = Vec::new();
    loop {
        let mut made = match open.last_mut() {
            Some(Open::List(_) | Open::Map(..)) if !reader.has_next()? => match open.pop() {
                Some(Open::List(elements)) => {
                    reader.end_array()?;
                    List::of(mark.clone(), elements).map_err(said)?
                }
                Some(Open::Map(entries, _)) => {
                    reader.end_object()?;
                    number_of(&entries)
                        .map_or_else(|| Map::of(mark.clone(), entries), Ok)
                        .map_err(said)?
                }
                None => return Err("the JSON ends too early".into()),
            },
            last => {
                if let Some(Open::Map(_, name)) = last {
                    *name = reader.next_name_owned()?;
                }
                match reader.peek()? {
                    ValueType::Array => {
                        reader.begin_array()?;
                        open.push(Open::List(Vec::new()));
                        continue;
                    }
                    ValueType::Object => {
                        reader.begin_object()?;
                        open.push(Open::Map(Entries::default(), String::new()));
                        continue;
                    }
                    ValueType::String => Value::from(reader.next_string()?),
                    ValueType::Number => {
                        let number = reader.next_number_as_string()?;
                        Value::number(&number)?
                    }
                    ValueType::Boolean => Value::Bool(reader.next_bool()?),
                    ValueType::Null => {
                        reader.next_null()?;
                        Value::Nil
                    }
                }
            }
        };
        match open.last_mut() {
            Some(Open::List(elements)) => elements.push(std::mem::take(&mut made)),
            Some(Open::Map(entries, name)) => {
                entries.push(Value::from(std::mem::take(name)), std::mem::take(&mut made));
            }
            None => {
                reader.consume_trailing_whitespace()?;
                return Ok(made);
            }
        }
    }
}

fn said(error: TooDeep) -> String {
    error.to_string()
}

/// Returns the number that `{"$float": "nan"}` is.
fn number_of<R: Real>(entries: &Entries<R>) -> Option<Value<R>> {
    let (Value::Text(_), 1) = (entries.get(&Value::text(FLOAT))?, entries.len()) else {
        return None;
    };
    let Value::Text(text) = entries.get(&Value::text(FLOAT))? else { return None };
    let json = serde_json::json!({ FLOAT: text.text.as_str()? }).to_string();
    let read = formwork_variant::json::from_json(json.as_bytes(), Dialect::GODOT4).ok()?;
    // Which NaN it is, a number does not say.
    let float = read.as_float().filter(|float| {
        variant_json(&Variant::<f64>::Float(*float), Dialect::GODOT4, Style::Compact)
            == json.replace(' ', "")
    })?;
    Some(Value::Float(float))
}

/// Returns the JSON of a value, without names of types.
pub(super) fn to_json<R: Real>(value: &Value<R>, style: Style) -> String {
    let mut json = Vec::new();
    write(value, style, 0, &mut json);
    String::from_utf8_lossy(&json).into_owned()
}

fn write<R: Real>(value: &Value<R>, style: Style, depth: usize, out: &mut Vec<u8>) {
    // Writing to memory does not fail.
    let _ = match value {
        Value::Nil => write!(out, "null"),
        Value::Bool(bool) => write!(out, "{bool}"),
        Value::Int(number) => write!(out, "{number}"),
        Value::Long(digits) => write!(out, "{digits}"),
        Value::Float(number) => {
            let number = Variant::<f64>::Float(*number);
            write!(out, "{}", variant_json(&number, Dialect::GODOT4, style))
        }
        Value::Text(text) => {
            let text = serde_json::Value::from(text.text.to_string_lossy());
            write!(out, "{text}")
        }
        Value::List(list) => {
            let elements = list.elements.iter().map(|element| (None, element));
            return brackets(('[', ']'), elements, style, depth, out);
        }
        Value::Map(map) => {
            let entries = map.entries.iter().map(|(key, value)| (Some(key), value));
            return brackets(('{', '}'), entries, style, depth, out);
        }
        Value::Native(native) => {
            write!(out, "{}", variant_json(&native.value, native.dialect, Style::Compact))
        }
    };
}

fn brackets<'v, R: Real>(
    (open, close): (char, char),
    inside: impl ExactSizeIterator<Item = (Option<&'v Value<R>>, &'v Value<R>)>,
    style: Style,
    depth: usize,
    out: &mut Vec<u8>,
) {
    let is_empty = inside.len() == 0;
    let line = |depth: usize, out: &mut Vec<u8>| {
        if style == Style::Pretty && !is_empty {
            out.push(b'\n');
            out.extend(std::iter::repeat_n(b' ', 2 * depth));
        }
    };
    out.push(open as u8);
    for (number, (key, value)) in inside.enumerate() {
        if number > 0 {
            out.push(b',');
        }
        line(depth + 1, out);
        if let Some(key) = key {
            let key = match key {
                Value::Text(text) => text.text.to_string_lossy().into_owned(),
                other => to_json(other, Style::Compact),
            };
            let space = if style == Style::Pretty { " " } else { "" };
            // As above.
            let _ = write!(out, "{}:{space}", serde_json::Value::from(key));
        }
        write(value, style, depth + 1, out);
    }
    line(depth, out);
    out.push(close as u8);
}

/// Returns the row of keys that leads from a part of a document to the field with this tag, if the part has one.
pub(super) fn route<R: Real>(value: &Value<R>, tag: &Value<R>) -> Option<Vec<Value<R>>> {
    let Value::Text(_) = tag else { return None };
    let key = |name: &str| Value::<R>::text(name);
    let further = |steps: &[&str], value: &Value<R>| -> Option<Vec<Value<R>>> {
        let steps: Vec<_> = steps.iter().map(|step| key(step)).collect();
        let inner = steps.iter().try_fold(value.clone(), |value, step| own(&value, step))?;
        let rest = match own(&inner, tag) {
            Some(_) => vec![tag.clone()],
            None => route(&inner, tag)?,
        };
        Some(steps.into_iter().chain(rest).collect())
    };
    match value {
        Value::List(list) if matches!(list.mark, Mark::Plain) => {
            let is_it = |field: &Value<R>| own(field, &key("tag")).is_some_and(|it| it == *tag);
            let at = list.elements.iter().position(is_it)?;
            own(&list.elements[at], &key("value"))?;
            Some(vec![Value::Int(at as i64), key("value")])
        }
        Value::Map(map) if matches!(map.mark, Mark::Plain) => {
            if map.entries.get(&key(DOCUMENT)).is_some() {
                return further(&[DOCUMENT, "root"], value);
            }
            if map.entries.get(&key(OBJECT)).is_some() {
                let fields = [key(OBJECT), key("fields")];
                let inner =
                    fields.iter().try_fold(value.clone(), |value, step| own(&value, step))?;
                return match route(&inner, tag) {
                    Some(rest) => Some(fields.into_iter().chain(rest).collect()),
                    None => further(&[OBJECT], value),
                };
            }
            if map.entries.get(&key(TREE)).is_some() {
                return further(&[TREE], value);
            }
            // A field.
            map.entries.get(&key("tag"))?;
            further(&["value"], value)
        }
        _ => None,
    }
}

/// Returns the value of a key, without going further in.
fn own<R: Real>(value: &Value<R>, key: &Value<R>) -> Option<Value<R>> {
    match value {
        Value::Map(map) => map.entries.get(key).cloned(),
        _ => None,
    }
}

/// Returns the names around a byte of the JSON of a value.
pub(super) fn place<R: Real>(value: &Value<R>, offset: u64) -> String {
    crate::place::in_json(to_json(value, Style::Compact).as_bytes(), offset)
}

impl<R: Real> Value<R> {
    /// Returns the JSON of the value in one line, with the names of types of an engine.
    pub(super) fn to_json(&self, dialect: Dialect) -> String {
        match self.keeps_digits() {
            true => to_json(self, Style::Compact),
            false => variant_json(&self.to_variant(dialect), dialect, Style::Compact),
        }
    }

    /// Returns whether a number in the value has more digits than engines keep, and all else in it
    /// is the same in JSON with and without the names of types.
    pub(super) fn keeps_digits(&self) -> bool {
        let is_string =
            |text: &Text| matches!(text.kind, TextKind::String) && text.text.as_str().is_some();
        let is_made = |mark: &Mark<R>| matches!(mark, Mark::Made | Mark::Json);
        let (mut has_long, mut waiting) = (false, vec![self]);
        while let Some(value) = waiting.pop() {
            match value {
                Self::Long(_) => has_long = true,
                Self::Nil | Self::Bool(_) | Self::Int(_) | Self::Float(_) => {}
                Self::Text(text) if is_string(text) => {}
                Self::List(list) if is_made(&list.mark) => waiting.extend(&list.elements),
                Self::Map(map) if is_made(&map.mark) => {
                    for (key, value) in map.entries.iter() {
                        // A key with a dollar sign looks like the name of a type.
                        let is_plain = |text: &Text| {
                            is_string(text) && !text.text.as_bytes().starts_with(b"$")
                        };
                        if !matches!(key, Self::Text(text) if is_plain(text)) {
                            return false;
                        }
                        waiting.push(value);
                    }
                }
                _ => return false,
            }
        }
        has_long
    }
}

/// The JSON of the value in one line.
impl<R: Real> fmt::Display for Value<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.notation() {
            Some(dialect) => f.write_str(&self.to_json(dialect)),
            None => f.write_str(&to_json(self, Style::Compact)),
        }
    }
}

impl<R: Real> fmt::Debug for Value<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

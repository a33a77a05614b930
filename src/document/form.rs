//! Values as JSON, and back: the table of [the module](super).

use std::fmt::Write as _;

use super::json::{DEEPEST, Json};
use super::node::{Node, Value, accepted, element, fields_of, is_filled_in, record_of};
use super::rule;
use crate::error::{Error, Result, Rule};
use crate::record::Row;
use crate::schema::{
    End, EndKind, Field, Integer, Layout, Meaning, Order, Record, Schema, Word, low_bits, raw,
};
use crate::walk::{self, StepKind};

/// The object around bytes that are not a text.
const HEX: &str = "$hex";
/// The object around a text that the end of its region ends.
const OPEN: &str = "$open";
/// The object of a text that ends before its place does, and of what follows.
const TEXT: &str = "$text";
const REST: &str = "$rest";
/// The object around a float that is not a JSON number.
const FLOAT: &str = "$float";

#[cold]
fn refused(expected: impl Into<String>, found: &Json) -> Error {
    let mut text = found.to_string();
    if let Some((end, _)) = text.char_indices().nth(40) {
        text.truncate(end);
        text.push_str("..");
    }
    Error::new(rule::DOCUMENT_VALUE, 0, expected, text).nowhere()
}

/// The order of bytes as far as it is known without the value: whether the highest byte is first.
type Static = Option<bool>;

const fn ordered(order: &Order, around: Static) -> Static {
    match order {
        Order::Inherited => around,
        Order::Little => Some(false),
        Order::Big => Some(true),
        Order::If(..) => None,
    }
}

/// Returns the only field of a tuple, which has no name.
fn only(record: &'static Record) -> Option<(usize, &'static Field)> {
    let mut fields = fields_of(record);
    fields.next().filter(|(_, field)| field.name.is_empty() && fields.next().is_none())
}

fn names_of(layout: Layout, meaning: Meaning) -> &'static [(i128, &'static str)] {
    match layout {
        Layout::Integer { names: names @ [_, ..], .. } if names_in(meaning).is_empty() => names,
        _ => names_in(meaning),
    }
}

/// Returns the names that a meaning gives to numbers.
const fn names_in(meaning: Meaning) -> &'static [(i128, &'static str)] {
    if let Meaning::Names(names) = meaning { names } else { &[] }
}

/// Returns the JSON of a value.
pub(super) fn to_json(node: &Node, field: Option<&Field>, order: Static) -> Json {
    let layout = node.layout.inner();
    let meaning = field.map_or(Meaning::Plain, |field| field.meaning);
    let order = field.map_or(order, |field| ordered(&field.order, order));
    match &node.value {
        Value::Absent | Value::Number(None) => Json::Null,
        Value::Number(Some(number)) => number_to_json(*number, layout, meaning, order),
        Value::Bytes(bytes, _) if is_zeros_of_padding(layout, bytes) => Json::Null,
        Value::Bytes(bytes, big) => bytes_to_json(bytes, layout, meaning, *big),
        Value::List(nodes) => {
            Json::Array(nodes.iter().map(|node| to_json(node, None, order)).collect())
        }
        Value::Fields(variant, fields) => {
            let Some(record) = record_of(layout, *variant) else { return Json::Null };
            let order = ordered(&record.order, order);
            let inner = match only(record) {
                Some((_, field)) => {
                    fields.first().map_or(Json::Null, |(_, node)| to_json(node, Some(field), order))
                }
                None => {
                    let there = fields.iter().filter(|(_, node)| match &node.value {
                        Value::Absent => false,
                        Value::Bytes(bytes, _) => !is_zeros_of_padding(node.layout, bytes),
                        _ => true,
                    });
                    let members = there.map(|(slot, node)| {
                        let field = &record.fields[*slot];
                        (field.name.to_owned(), to_json(node, Some(field), order))
                    });
                    Json::Object(members.collect())
                }
            };
            match layout {
                Layout::Choice(_) => Json::tagged(format!("${}", record.name), inner),
                _ => inner,
            }
        }
    }
}

/// Fails if the JSON of a value has more arrays and objects in each other than a reader of JSON takes.
pub(super) fn refuse_deeper(node: &Node) -> Result<()> {
    if nesting(node) <= DEEPEST {
        return Ok(());
    }
    let expected = format!("at most {DEEPEST} arrays and objects in each other, as JSON");
    Err(Error::new(Rule::DEPTH_LIMIT, 0, expected, "more").nowhere())
}

/// Returns how many arrays and objects of the JSON of a value are in each other, at most.
fn nesting(node: &Node) -> usize {
    match &node.value {
        Value::Absent => 0,
        // The object around bytes that are no text, or around a float; a word is an object.
        Value::Number(_) => 1,
        Value::Bytes(..) => {
            let mut layout = node.layout.inner();
            let mut depth = 1;
            while let Some(of) = element(layout) {
                (layout, depth) = (of, depth + 1);
            }
            depth
        }
        Value::List(nodes) => 1 + nodes.iter().map(nesting).max().unwrap_or(0),
        Value::Fields(variant, fields) => {
            let inner = fields.iter().map(|it| nesting(&it.1)).max().unwrap_or(0);
            let is_only = record_of(node.layout, *variant).is_some_and(|it| only(it).is_some());
            usize::from(!is_only)
                + usize::from(matches!(node.layout.inner(), Layout::Choice(_)))
                + inner
        }
    }
}

impl Row<'_> {
    /// Returns the value of a field as JSON, whole, in the form of [`Document::to_json`](super::Document::to_json);
    /// [`None`] of a record, a list, a checksum or a fault.
    #[must_use]
    pub fn json(&self) -> Option<Json> {
        let step = self.step?;
        let meaning = step.field.map_or(Meaning::Plain, |field| field.meaning);
        match (&step.kind, &step.value) {
            (StepKind::Leaf(Layout::Varint(form)), walk::Value::Number(number, _))
                if (form.encode)(*number, None).as_deref() != Some(self.bytes) =>
            {
                Some(Json::tagged(HEX, hex(self.bytes).into()))
            }
            (StepKind::Leaf(layout), walk::Value::Number(number, _)) => {
                Some(number_to_json(*number, layout.inner(), meaning, Some(step.big)))
            }
            (StepKind::Leaf(layout), walk::Value::Word(_, raw)) => {
                Some(number_to_json(*raw as i128, layout.inner(), meaning, Some(step.big)))
            }
            (StepKind::Leaf(layout), _) => {
                Some(bytes_to_json(self.bytes, layout.inner(), meaning, step.big))
            }
            (StepKind::Magic, _) => {
                let byte = Layout::ToEnd(<u8 as Schema>::layout);
                Some(bytes_to_json(self.bytes, byte, Meaning::Plain, false))
            }
            (StepKind::Computed, walk::Value::Number(number, _)) => Some((*number).into()),
            _ => None,
        }
    }
}

/// Returns whether bytes are padding, and as it is filled in.
fn is_zeros_of_padding(layout: Layout, bytes: &[u8]) -> bool {
    matches!(layout, Layout::Padding(_)) && bytes.iter().all(|byte| *byte == 0)
}

fn number_to_json(number: i128, layout: Layout, meaning: Meaning, order: Static) -> Json {
    if let Layout::Word(word) = layout {
        let parts = word.values(number as u128).map(|(part, value)| {
            let named = names_in(part.meaning).iter().find(|it| it.0 == value.into());
            let value = match named {
                Some((_, name)) => (*name).into(),
                None if part.width == 1 => (value == 1).into(),
                None => value.into(),
            };
            (part.name.to_owned(), value)
        });
        return Json::Object(parts.collect());
    }
    if let Some((_, name)) = names_of(layout, meaning).iter().find(|it| it.0 == number) {
        return (*name).into();
    }
    match (meaning, layout) {
        (Meaning::Hex, Layout::Integer { number: ty, .. }) if number >= 0 => {
            format!("0x{number:0width$x}", width = 2 * ty.bytes()).into()
        }
        (Meaning::Letters, Layout::Integer { number: ty, .. }) if order.is_some() => {
            let mut bytes = number.to_le_bytes()[..ty.bytes()].to_vec();
            if order == Some(true) {
                bytes.reverse();
            }
            letters(&bytes)
        }
        _ => number.into(),
    }
}

fn letters(bytes: &[u8]) -> Json {
    Json::String(bytes.iter().map(|byte| char::from(*byte)).collect())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Returns whether bytes are shown as they are: text of printed letters and line breaks.
fn is_plain(text: &str) -> bool {
    text.chars().all(|letter| !letter.is_control() || matches!(letter, '\t' | '\r' | '\n'))
}

/// Returns whether a layout is bytes in a row.
fn is_bytes(layout: Layout) -> bool {
    let byte = |layout| {
        matches!(layout, Layout::Integer { number: Integer { bits: 8, signed: false }, .. })
    };
    match layout {
        Layout::Opaque | Layout::Terminated(_) | Layout::Padding(_) | Layout::Coded(..) => true,
        Layout::Array(_, of) | Layout::List(of) | Layout::ToEnd(of) => byte(of()),
        _ => false,
    }
}

fn bytes_to_json(bytes: &[u8], layout: Layout, meaning: Meaning, big: bool) -> Json {
    match layout {
        Layout::Terminated(end) => {
            let (text, is_ended) = end.text(bytes);
            let json = text_to_json(text, layout, meaning, big);
            let is_open = end.kind == EndKind::TakenOrEnd && !is_ended;
            if is_open { Json::tagged(OPEN, json) } else { json }
        }
        Layout::Varint(_) => Json::tagged(HEX, hex(bytes).into()),
        Layout::Integer { number, .. } if number.is_wide() && meaning == Meaning::Hex => {
            format!("0x{:032x}", number.read(bytes, big)).into()
        }
        Layout::Integer { .. } => scalar_to_json(bytes, layout, big),
        _ => text_to_json(bytes, layout, meaning, big),
    }
}

/// Returns a text in a place of this layout and length, with its end and what fills the place.
fn ended(text: &[u8], (end, fill): (u8, u8), layout: Layout, length: usize) -> Vec<u8> {
    let mut bytes = text.to_vec();
    match layout {
        Layout::Array(..) => {
            if bytes.len() < length {
                bytes.push(end);
            }
            bytes.resize(length, fill);
        }
        _ => bytes.push(end),
    }
    bytes
}

fn text_to_json(bytes: &[u8], layout: Layout, meaning: Meaning, big: bool) -> Json {
    let tagged = || Json::tagged(HEX, hex(bytes).into());
    match (meaning, layout) {
        (Meaning::Letters, layout) if is_bytes(layout) => letters(bytes),
        (Meaning::Hex, layout) if is_bytes(layout) => hex(bytes).into(),
        (Meaning::Text, Layout::Array(..)) if is_bytes(layout) => {
            let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            let text = std::str::from_utf8(&bytes[..end]).ok().filter(|it| !it.contains('\0'));
            text.map_or_else(tagged, Json::from)
        }
        (Meaning::Filled(fill), layout) if is_bytes(layout) => {
            std::str::from_utf8(walk::without(bytes, fill)).map_or_else(|_| tagged(), Json::from)
        }
        (Meaning::Ended(end, fill), layout) if is_bytes(layout) => {
            let text = walk::up_to(bytes, end);
            let is_filled = text.len() == bytes.len() && matches!(layout, Layout::Array(..));
            let text = if is_filled { walk::without(text, fill) } else { text };
            let is_usual = ended(text, (end, fill), layout, bytes.len()) == bytes;
            match std::str::from_utf8(text) {
                Err(_) => tagged(),
                Ok(text) if is_usual => text.into(),
                Ok(text) => Json::Object(vec![
                    (TEXT.to_owned(), text.into()),
                    (REST.to_owned(), hex(&bytes[text.len()..]).into()),
                ]),
            }
        }
        (Meaning::Utf16, layout) => match walk::utf16_text(layout, bytes, big) {
            Ok(text) => text.into(),
            // The order of the bytes is that of the record: here the lowest is first.
            Err(_) if is_bytes(layout) => {
                let mut bytes = bytes.to_vec();
                if big {
                    bytes.chunks_exact_mut(2).for_each(<[u8]>::reverse);
                }
                Json::tagged(HEX, hex(&bytes).into())
            }
            Err(_) => rows_to_json(bytes, layout, big),
        },
        (Meaning::Plain, Layout::Array(..)) => rows_to_json(bytes, layout, big),
        (Meaning::Terminated, layout) if is_bytes(layout) => {
            let is_padded = matches!(layout, Layout::Array(..));
            let text = bytes.strip_suffix(&[0]).map(|text| match is_padded {
                true => {
                    &text[..text.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1)]
                }
                false => text,
            });
            let text = text.filter(|text| text.last() != Some(&0));
            let text = text.and_then(|text| std::str::from_utf8(text).ok());
            text.map_or_else(tagged, Json::from)
        }
        (meaning, layout) if is_bytes(layout) => {
            let text = std::str::from_utf8(bytes).ok();
            let text = text.filter(|it| meaning == Meaning::Text || is_plain(it));
            text.map_or_else(tagged, Json::from)
        }
        _ => rows_to_json(bytes, layout, big),
    }
}

fn rows_to_json(bytes: &[u8], layout: Layout, big: bool) -> Json {
    let Some(of) = element(layout) else { return scalar_to_json(bytes, layout, big) };
    let size = of.bytes_of_numbers().unwrap_or(1).max(1);
    Json::Array(bytes.chunks_exact(size).map(|chunk| rows_to_json(chunk, of, big)).collect())
}

fn scalar_to_json(bytes: &[u8], layout: Layout, big: bool) -> Json {
    let (number, bits, plain) = match layout {
        Layout::Integer { number, .. } => return Json::Number(number.digits(bytes, big)),
        Layout::Float(4) => {
            let number = f32::from_bits(raw(bytes, big) as u32);
            (number.into(), format!("0x{:08x}", number.to_bits()), number.to_bits() == NAN32)
        }
        _ => {
            let number = f64::from_bits(raw(bytes, big));
            (number, format!("0x{:016x}", number.to_bits()), number.to_bits() == NAN64)
        }
    };
    let text = match number {
        it if it.is_nan() && plain => "nan".to_owned(),
        it if it.is_nan() => format!("nan:{bits}"),
        it if it.is_infinite() => if it > 0.0 { "inf" } else { "-inf" }.to_owned(),
        _ if matches!(layout, Layout::Float(4)) => {
            return Json::Number(format!("{:?}", number as f32));
        }
        _ => return Json::Number(format!("{number:?}")),
    };
    Json::tagged(FLOAT, text.into())
}

/// The bits of the NaN that `nan` is.
const NAN32: u32 = 0x7fc0_0000;
const NAN64: u64 = 0x7ff8_0000_0000_0000;

/// Returns the value of JSON in a layout.
pub(super) fn from_json(
    layout: Layout,
    field: Option<&Field>,
    json: &Json,
    order: Static,
) -> Result<Node> {
    let inner = layout.inner();
    let meaning = field.map_or(Meaning::Plain, |field| field.meaning);
    let order = field.map_or(order, |field| ordered(&field.order, order));
    let value = match inner {
        Layout::Record(record) => {
            Value::Fields(0, fields_from_json(record, json, ordered(&record.order, order))?)
        }
        Layout::Choice(choice) => {
            let variants = || choice.variants.iter().map(|it| format!("${}", it.record.name));
            let expected =
                || format!("an object with one of {}", variants().collect::<Vec<_>>().join(", "));
            let (tag, inner) = json.tag().ok_or_else(|| refused(expected(), json))?;
            let variant = variants().position(|it| it == tag);
            let variant = variant.ok_or_else(|| refused(expected(), json))?;
            let record = &choice.variants[variant].record;
            let fields = fields_from_json(record, inner, ordered(&record.order, order))?;
            Value::Fields(variant, fields)
        }
        Layout::Varint(form) if json.tag().is_some_and(|it| it.0 == HEX) => {
            let Some((_, Json::String(digits))) = json.tag() else {
                return Err(refused("pairs of hexadecimal digits", json));
            };
            let bytes = from_hex(digits);
            let whole = |bytes: &Vec<u8>| (form.decode)(bytes).is_ok_and(|it| it.1 == bytes.len());
            match bytes.filter(whole) {
                Some(bytes) => Value::Bytes(bytes, false),
                None => return Err(refused(format!("a number: {inner}"), json)),
            }
        }
        Layout::Integer { number, .. } if number.is_wide() => {
            Value::Bytes(wide_from_json(number, json)?.to_vec(), false)
        }
        Layout::Integer { .. } | Layout::Word(_) | Layout::Varint(_) => {
            let is_used = field.is_some_and(|field| field.used);
            Value::Number(Some(number_from_json(inner, (meaning, is_used), json, order)?))
        }
        layout => match element(layout) {
            Some(of) if of.bytes_of_numbers().is_none() => {
                let Json::Array(elements) = json else {
                    return Err(refused(format!("a list of {of}"), json));
                };
                if let Layout::Array(count, _) = layout
                    && count != elements.len() as u64
                {
                    return Err(refused(format!("{count} elements"), json));
                }
                let nodes = elements.iter().enumerate().map(|(index, element)| {
                    let read = from_json(of, None, element, order);
                    read.map_err(|error| error.within(index as u64))
                });
                Value::List(nodes.collect::<Result<_>>()?)
            }
            _ => Value::Bytes(bytes_from_json(layout, meaning, json)?, false),
        },
    };
    Ok(Node { layout, value })
}

fn fields_from_json(
    record: &'static Record,
    json: &Json,
    order: Static,
) -> Result<Vec<(usize, Node)>> {
    let members = match (only(record), json) {
        (Some((slot, field)), json) => {
            return Ok(vec![(slot, field_from_json(record, slot, field, Some(json), order)?)]);
        }
        (None, Json::Object(members)) => members,
        (None, json) => {
            return Err(refused(format!("an object with the fields of {}", record.name), json));
        }
    };
    let names = || fields_of(record).map(|(_, field)| field.name);
    if let Some((name, _)) = members.iter().find(|it| !names().any(|name| name == it.0)) {
        let names: Vec<_> = names().collect();
        let expected = match names.is_empty() {
            true => format!("no field: {} has none", record.name),
            false => format!("a field of {}: {}", record.name, names.join(", ")),
        };
        return Err(refused(expected, &Json::from(&**name)));
    }
    let fields = fields_of(record).map(|(slot, field)| {
        let read = field_from_json(record, slot, field, json.get(field.name), order);
        let read = read.map_err(|error| match field.name {
            "" => error,
            name => error.within(name),
        })?;
        Ok((slot, read))
    });
    fields.collect()
}

fn field_from_json(
    record: &'static Record,
    slot: usize,
    field: &'static Field,
    json: Option<&Json>,
    order: Static,
) -> Result<Node> {
    let layout = (field.layout)();
    match json.filter(|json| **json != Json::Null) {
        Some(json) => from_json(layout, Some(field), json, order),
        None if field.when.is_some() || is_left_out(layout) => {
            Ok(Node { layout, value: Value::Absent })
        }
        None => {
            let filled = Node::zeros(layout).filter(|_| is_filled_in(record, slot));
            let mut node = filled.ok_or_else(|| {
                let expected = format!("a value: {layout}");
                Error::new(rule::DOCUMENT_VALUE, 0, expected, "none").nowhere()
            })?;
            // A number that nothing sets has no default.
            if let Value::Number(number) = &mut node.value
                && field.meaning != Meaning::Zero
                && !record.sums.iter().any(|it| it.slot == slot)
            {
                *number = None;
            }
            Ok(node)
        }
    }
}

/// Returns whether a field may be missing without a condition, or is not among the bytes that a reader takes.
fn is_left_out(layout: Layout) -> bool {
    matches!(layout, Layout::OrEnd(_) | Layout::Deferred(_) | Layout::Nested(_))
}

/// Returns the number of JSON. The parts of a word that is used elsewhere in the record may be left out.
fn number_from_json(
    layout: Layout,
    (meaning, is_used): (Meaning, bool),
    json: &Json,
    order: Static,
) -> Result<i128> {
    if let (Layout::Word(word), Json::Object(_)) = (layout, json) {
        return word_from_json(word, json, is_used);
    }
    let names = names_of(layout, meaning);
    let read = match json {
        Json::Number(digits) => digits.parse().ok(),
        Json::String(text) => {
            let named = names.iter().find(|it| it.1 == text).map(|it| it.0);
            let from_hex = || {
                let digits = text.strip_prefix("0x")?;
                u64::from_str_radix(digits, 16).ok().map(i128::from)
            };
            let from_letters = || {
                let Layout::Integer { number: ty, .. } = layout else { return None };
                let bytes = from_letters(text).filter(|it| it.len() == ty.bytes())?;
                let is_read = meaning == Meaning::Letters;
                order.filter(|_| is_read).map(|big| ty.read(&bytes, big))
            };
            named.or_else(from_letters).or_else(from_hex).or_else(|| text.parse().ok())
        }
        Json::Bool(truth) => Some((*truth).into()),
        _ => None,
    };
    read.and_then(|number| accepted(layout, number)).ok_or_else(|| {
        let expected = match (meaning, layout) {
            (_, Layout::Integer { names: [_, ..], open: false, .. }) => {
                let numbered = names.iter().map(|(number, name)| format!("{number} {name}"));
                format!("one of {}", numbered.collect::<Vec<_>>().join(", "))
            }
            _ if !names.is_empty() => {
                let names: Vec<_> = names.iter().map(|it| it.1).collect();
                format!("a number or one of {}", names.join(", "))
            }
            (Meaning::Letters, Layout::Integer { number, .. }) => {
                format!("{} letters", number.bytes())
            }
            (_, Layout::Integer { number, .. }) => format!("a number: {number}"),
            _ => format!("a number: {layout}"),
        };
        refused(expected, json)
    })
}

fn word_from_json(word: &'static Word, json: &Json, is_used: bool) -> Result<i128> {
    let mut number = 0;
    let Json::Object(members) = json else { return Err(refused("an object", json)) };
    if let Some((name, _)) = members.iter().find(|it| word.part(&it.0).is_none()) {
        return Err(refused(format!("a part of {}", word.name), &Json::from(&**name)));
    }
    for part in word.parts {
        let (low, width) = word.part(part.name).unwrap_or_default();
        let value = match json.get(part.name) {
            // Other fields set some of its parts.
            None if part.is_zero() || is_used => 0,
            Some(Json::Bool(truth)) => u64::from(*truth),
            Some(Json::String(text)) => {
                let names = names_in(part.meaning);
                let named = names.iter().find(|it| it.1 == text);
                let named = named.and_then(|it| u64::try_from(it.0).ok());
                let named = named.filter(|it| *it <= low_bits(width));
                named.ok_or_else(|| {
                    let all: Vec<_> = names.iter().map(|it| it.1).collect();
                    let expected = match all.is_empty() {
                        true => format!("a number of {width} bits"),
                        false => format!("a number of {width} bits or one of {}", all.join(", ")),
                    };
                    refused(expected, &Json::from(&**text)).within(part.name)
                })?
            }
            Some(Json::Number(digits)) => {
                let value = digits.parse().ok().filter(|it| *it <= low_bits(width));
                value.ok_or_else(|| {
                    refused(format!("a number of {width} bits"), &Json::Number(digits.clone()))
                        .within(part.name)
                })?
            }
            other => {
                let expected = format!("a number of {width} bits");
                let error = match other {
                    Some(other) => refused(expected, other),
                    None => Error::new(rule::DOCUMENT_VALUE, 0, expected, "none").nowhere(),
                };
                return Err(error.within(part.name));
            }
        };
        number |= i128::from(value) << low;
    }
    if let Some((part, value)) = word.unnamed(number as u128) {
        let names = names_in(part.meaning).iter().map(|(number, name)| format!("{number} {name}"));
        let expected = format!("one of {}", names.collect::<Vec<_>>().join(", "));
        return Err(refused(expected, &value.into()).within(part.name));
    }
    Ok(number)
}

/// Returns the bytes of letters, one in each.
fn from_letters(text: &str) -> Option<Vec<u8>> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).ok()).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let pair = |pair: &[u8; 2]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    rest.is_empty().then(|| pairs.iter().map(pair).collect())?
}

fn bytes_from_json(layout: Layout, meaning: Meaning, json: &Json) -> Result<Vec<u8>> {
    let (json, is_open) = match (layout, json.tag()) {
        (Layout::Terminated(End { kind: EndKind::TakenOrEnd, .. }), Some((OPEN, inner))) => {
            (inner, true)
        }
        _ => (json, false),
    };
    if let Meaning::Ended(end, fill) = meaning
        && is_bytes(layout)
    {
        let length = layout.bytes_of_numbers().unwrap_or(0);
        let bytes = match (json, json.get(TEXT), json.get(REST)) {
            (_, Some(Json::String(text)), Some(Json::String(rest))) => {
                let rest = from_hex(rest);
                rest.map(|rest| [text.as_bytes(), &rest].concat())
            }
            (Json::String(text), ..) if text.as_bytes().contains(&end) => {
                return Err(refused("a text without its end", json));
            }
            (Json::String(text), ..) => {
                Some(ended(text.as_bytes(), (end, fill), layout, length.max(text.len())))
            }
            _ => None,
        };
        if let Some(bytes) = bytes {
            let fits = !matches!(layout, Layout::Array(..)) || bytes.len() == length;
            return if fits { Ok(bytes) } else { Err(refused(format!("{length} bytes"), json)) };
        }
    }
    let mut bytes = match (json, json.tag()) {
        (_, Some((HEX, Json::String(text)))) if is_bytes(layout) => {
            from_hex(text).ok_or_else(|| refused("pairs of hexadecimal digits", json))?
        }
        (Json::String(text), _) if meaning == Meaning::Utf16 => {
            text.encode_utf16().flat_map(u16::to_le_bytes).collect()
        }
        (Json::String(text), _) if is_bytes(layout) => {
            let bytes = match meaning {
                Meaning::Hex => from_hex(text),
                Meaning::Letters => from_letters(text),
                // The zero is not among the letters; a text that has it is taken as it is.
                Meaning::Terminated if !text.ends_with('\0') => {
                    Some([text.as_bytes(), &[0]].concat())
                }
                _ => Some(text.as_bytes().to_vec()),
            };
            bytes.ok_or_else(|| {
                let is_hex = meaning == Meaning::Hex;
                refused(
                    if is_hex { "pairs of hexadecimal digits" } else { "letters of one byte" },
                    json,
                )
            })?
        }
        _ => {
            let mut bytes = Vec::new();
            rows_from_json(layout, json, &mut bytes)?;
            bytes
        }
    };
    match layout {
        Layout::Terminated(end) => {
            if end.inside(&bytes).is_some() {
                let expected = match end.bytes {
                    [0] => "a text without zeros".to_owned(),
                    _ => format!("a text without {end}"),
                };
                return Err(refused(expected, json));
            }
            if !is_open && end.kind != EndKind::Left {
                bytes.extend(end.bytes);
            }
        }
        Layout::Array(..) => {
            let size = layout.bytes_of_numbers().unwrap_or(0);
            let is_text = matches!(
                meaning,
                Meaning::Text | Meaning::Filled(_) | Meaning::Utf16 | Meaning::Terminated
            );
            if bytes.len() != size && !(is_text && bytes.len() < size) {
                return Err(refused(format!("{size} bytes"), json));
            }
            let fill = if let Meaning::Filled(fill) = meaning { fill } else { 0 };
            bytes.resize(size, fill);
        }
        _ => {}
    }
    Ok(bytes)
}

fn rows_from_json(layout: Layout, json: &Json, out: &mut Vec<u8>) -> Result<()> {
    let Some(of) = element(layout) else { return scalar_from_json(layout, json, out) };
    let Json::Array(elements) = json else {
        return Err(refused(format!("a list of {of}"), json));
    };
    if let Layout::Array(count, _) = layout
        && count != elements.len() as u64
    {
        return Err(refused(format!("{count} numbers"), json));
    }
    for (index, element) in elements.iter().enumerate() {
        rows_from_json(of, element, out).map_err(|error| error.within(index as u64))?;
    }
    Ok(())
}

/// Returns the bytes of a number of sixteen, in little endian.
fn wide_from_json(ty: Integer, json: &Json) -> Result<[u8; 16]> {
    let (Json::Number(text) | Json::String(text)) = json else {
        return Err(refused(format!("a number: {ty}"), json));
    };
    let bits = match (text.strip_prefix("0x"), ty.signed) {
        (Some(digits), _) => u128::from_str_radix(digits, 16).ok(),
        (None, false) => text.parse().ok(),
        (None, true) => text.parse::<i128>().ok().map(|number| number as u128),
    };
    bits.map(u128::to_le_bytes).ok_or_else(|| refused(format!("a number: {ty}"), json))
}

fn scalar_from_json(layout: Layout, json: &Json, out: &mut Vec<u8>) -> Result<()> {
    match layout {
        Layout::Integer { number: ty, .. } if ty.is_wide() => {
            out.extend(wide_from_json(ty, json)?);
        }
        Layout::Integer { number: ty, .. } => {
            let number = match json {
                Json::Number(digits) => digits.parse().ok().filter(|it| ty.holds(*it)),
                _ => None,
            };
            let number: i128 = number.ok_or_else(|| refused(format!("a number: {ty}"), json))?;
            out.extend(&number.to_le_bytes()[..ty.bytes()]);
        }
        Layout::Float(size) => {
            let bits = |text: &str| u64::from_str_radix(text.strip_prefix("nan:0x")?, 16).ok();
            let text = match (json, json.tag()) {
                (Json::Number(digits), _) => Some(&**digits),
                (_, Some((FLOAT, Json::String(text)))) => Some(&**text),
                _ => None,
            };
            let expected = || refused(format!("a number: {layout}"), json);
            let text = text.ok_or_else(expected)?;
            // Digits that overflow the type are no infinity.
            let is_infinity = !text.contains(|it: char| it.is_ascii_digit());
            if size == 4 {
                let named = bits(text).and_then(|it| u32::try_from(it).ok());
                let read = || {
                    let number = text.parse::<f32>().ok()?;
                    let bits = if number.is_nan() { NAN32 } else { number.to_bits() };
                    (is_infinity || !number.is_infinite()).then_some(bits)
                };
                out.extend(named.or_else(read).ok_or_else(expected)?.to_le_bytes());
            } else {
                let read = || {
                    let number = text.parse::<f64>().ok()?;
                    let bits = if number.is_nan() { NAN64 } else { number.to_bits() };
                    (is_infinity || !number.is_infinite()).then_some(bits)
                };
                out.extend(bits(text).or_else(read).ok_or_else(expected)?.to_le_bytes());
            }
        }
        _ => return Err(refused("bytes", json)),
    }
    Ok(())
}

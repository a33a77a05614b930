//! Unusual values and fields.

use arbitrary::{Result, Unstructured};
use formwork_alb1::generate::Generator;
use formwork_alb1::terrain::{DATA, ITEM, KEY, PAIR};
use formwork_alb1::{Document, Field, FieldType, Raw, Text, Value};
use formwork_variant::generate::{Config, interesting};

use super::super::terrain;
use super::{made, one, small};
use crate::case::Made;

fn data(u: &mut Unstructured<'_>, config: &Config, value: Value) -> Result<Made> {
    one(u, config, value.field_type().variant(), small::field(DATA, value))
}

/// A value of any type.
fn any(u: &mut Unstructured<'_>, config: &Config) -> Result<Value> {
    let field_type = *u.choose(FieldType::ALL)?;
    Generator::new(u, config).value(&small::document(), field_type, config.max_depth)
}

pub(super) fn bool_byte(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let byte = *u.choose(&[2, 3, 0x7F, 0x80, 0xFE, 0xFF])?;
    data(u, config, Value::Bool(byte))
}

pub(super) fn string(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut bytes = Vec::new();
    for _ in 0..u.int_in_range(1..=6_u8)? {
        bytes.extend_from_slice(interesting::text(u, |_| true)?);
    }
    bytes.truncate(config.max_string_bytes);
    data(u, config, Value::String(Text::from_bytes(bytes)))
}

pub(super) fn not_a_number(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let (single, double) = (f32::INFINITY.to_bits(), f64::INFINITY.to_bits());
    let payload = u.arbitrary::<u64>()?;
    // The sign, and something in the fraction.
    let single = single | (payload as u32 & 0x807F_FFFF) | 1;
    let double = double | (payload & 0x800F_FFFF_FFFF_FFFF) | 1;
    let value = match u.int_in_range(0..=3_u8)? {
        0 => Value::Float(f32::from_bits(single)),
        1 => Value::Double(f64::from_bits(double)),
        2 => Value::ArrayOfFloat([f32::from_bits(single), -0.0].into()),
        _ => Value::ArrayOfDouble([f64::from_bits(double), -0.0].into()),
    };
    data(u, config, value)
}

pub(super) fn mixed_array(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut elements = Vec::new();
    for tag in [ITEM, DATA, KEY] {
        elements.push(small::field(tag, any(u, config)?));
    }
    let first = u.int_in_range(0..=1_usize)?;
    data(u, config, Value::Array(elements.split_off(first)))
}

pub(super) fn lookalike(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    // A field without content takes three bytes. At most 85 of them have no other possible count.
    let count = u.int_in_range(1..=config.max_count.clamp(1, 85))?;
    let empty = small::field(ITEM, Value::Empty);
    if u.arbitrary()? {
        return data(u, config, Value::Array(vec![empty; count]));
    }
    let [low, high] = empty.tag.to_le_bytes();
    let bytes = [low, high, FieldType::Empty.id()].repeat(count);
    data(u, config, Value::Raw(Raw::from(bytes)))
}

pub(super) fn keys(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut pairs = Vec::new();
    let key = any(u, config)?;
    for _ in 0..u.int_in_range(1..=3_u8)? {
        let key = if u.arbitrary()? { key.clone() } else { any(u, config)? };
        let halves = [small::field(KEY, key), small::field(DATA, any(u, config)?)];
        let [first, second] = halves;
        let halves = if u.arbitrary()? { [first, second] } else { [second, first] };
        pairs.push(small::field(PAIR, halves));
    }
    let value = Value::Array(pairs);
    one(u, config, FieldType::Pair.variant(), small::field(DATA, value))
}

pub(super) fn repeated_tag(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut fields = Vec::new();
    for _ in 0..u.int_in_range(2..=4_u8)? {
        fields.push(small::field(small::VALUE, any(u, config)?));
    }
    data(u, config, small::object(Document::FIRST_ADDRESS + 64, fields))
}

pub(super) fn wide(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let count = u.int_in_range(1..=config.max_bytes / 8)?;
    let field = small::field(small::VALUE, Value::SignedChar(u.arbitrary()?));
    let fields: Vec<Field> = vec![field; count];
    let value = if u.arbitrary()? {
        Value::Array(fields)
    } else {
        small::object(Document::FIRST_ADDRESS + 64, fields)
    };
    data(u, config, value)
}

pub(super) fn class(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let root = *u.choose(&terrain::ROOTS)?;
    let mut document = terrain::file(u, config, root)?;
    let fields = &mut document.root.fields;
    let position = u.choose_index(fields.len().max(1))?;
    match u.int_in_range(0..=4_u8)? {
        0 if position < fields.len() => {
            fields.remove(position);
        }
        1 => fields.reverse(),
        2 => {
            let again = fields.get(position).cloned();
            fields.extend(again);
        }
        3 => fields.truncate(position),
        _ => {
            if let Some(field) = fields.get_mut(position) {
                field.value = any(u, config)?;
            }
        }
    }
    Ok(made(root.name, &document))
}

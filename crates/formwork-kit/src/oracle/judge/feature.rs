//! Properties of packets that a decoder may get wrong, in any type.

use std::collections::BTreeSet;

use formwork_godot::inspect::Inspector;
use formwork_variant::dialect::Dialect;
use formwork_variant::{Container, PathSegment, Real, Variant, VariantType};

/// Returns the features of a value: keys that a host takes for equal.
pub(super) fn of_value<R: Real>(value: &Variant<R>) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value.container() {
            Some(Container::Array(array)) => waiting.extend(array.iter()),
            Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
                waiting.extend(typed.elements.iter());
            }
            Some(Container::Dictionary(pairs)) => {
                let keys: Vec<f64> = pairs.iter().filter_map(|(key, _)| number(key)).collect();
                if keys.iter().enumerate().any(|(at, key)| keys[at + 1..].contains(key)) {
                    features.insert("equal keys".to_owned());
                }
                waiting.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
            }
            Some(Container::Object(object)) => {
                waiting.extend(object.properties.iter().map(|(_, value)| value));
            }
            None => {}
        }
    }
    features
}

/// The number that many languages take a key for.
fn number<R: Real>(key: &Variant<R>) -> Option<f64> {
    match key {
        Variant::Bool(bit) => Some(f64::from(u8::from(*bit))),
        Variant::Int(number) => Some(*number as f64),
        Variant::Float(number) => Some(*number),
        _ => None,
    }
}

/// Returns the features of a packet's bytes, as far as they can be read: headers with the flag for 64 bits, and how much
/// texts and bytes are padded.
pub(super) fn of_bytes(packet: &[u8], dialect: Dialect) -> BTreeSet<String> {
    let id = |wanted| dialect.type_id(wanted).map(u32::from);
    let numbers = [id(VariantType::Int), id(VariantType::Float)];
    let types = dialect.rows().len() as u32;
    let is_number =
        |kind| numbers.contains(&Some(kind)) || dialect.quirks().real_flag && kind < types;
    let mut features = BTreeSet::new();
    let mut holds_bytes = false;
    for span in Inspector::new(packet, dialect).layout_alone().flatten() {
        let PathSegment::Field(name) = span.name else { continue };
        let Ok(word) = span.bytes.try_into().map(u32::from_le_bytes) else { continue };
        let is_length = match name {
            "header" => {
                holds_bytes = id(VariantType::PackedByteArray) == Some(word & 0xff);
                if word >> 16 & 1 == 1 && is_number(word & 0xff) {
                    features.insert("64 bits in the header".to_owned());
                }
                false
            }
            "length" => true,
            "count" => holds_bytes,
            _ => false,
        };
        // (Of what is cut, no padding is missed.)
        if is_length && span.offset + 4 + u64::from(word) <= packet.len() as u64 {
            let padded = if word % 4 == 0 { "padding of nothing" } else { "padding" };
            features.insert(padded.to_owned());
        }
    }
    features
}

//! Properties of values that a decoder may get wrong, in any type.

use std::collections::BTreeSet;

use formwork_variant::dialect::Dialect;
use formwork_variant::{Container, Real, Variant, VariantType};

/// Returns the features of a value: how much its texts and bytes are padded, and keys that a host takes for equal.
pub(super) fn of<R: Real>(value: &Variant<R>) -> BTreeSet<String> {
    let mut features = BTreeSet::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        let texts = lengths(value);
        features.extend(texts.into_iter().map(|length| match length % 4 {
            0 => UNPADDED.to_owned(),
            _ => "padding".to_owned(),
        }));
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

/// The lengths of the texts and bytes in a value itself, which are padded.
fn lengths<R: Real>(value: &Variant<R>) -> Vec<usize> {
    match value {
        Variant::PackedByteArray(bytes) => vec![bytes.len()],
        Variant::PackedStringArray(texts) => {
            // (With the zero at their end, where they have one.)
            texts.iter().map(|text| text.as_bytes().len() + 1).collect()
        }
        Variant::NodePath(path) => {
            path.names.iter().chain(&path.subnames).map(|text| text.as_bytes().len()).collect()
        }
        value => value.as_string().map(|text| text.as_bytes().len()).into_iter().collect(),
    }
}

/// Returns whether the header of a number in a packet has the flag for 64 bits.
pub(super) fn of_headers(packet: &[u8], dialect: Dialect) -> Option<String> {
    let id = |wanted| dialect.type_id(wanted).map(u32::from);
    let numbers = [id(VariantType::Int), id(VariantType::Float)];
    let types = dialect.rows().len() as u32;
    let is_number =
        |kind| numbers.contains(&Some(kind)) || dialect.quirks().real_flag && kind < types;
    let is_wide = |word: u32| word & 0xffff_ff00 == 0x0001_0000 && is_number(word & 0xff);
    words(packet).any(is_wide).then(|| "64 bits in the header".to_owned())
}

/// Returns whether there seems to be a text or bytes without padding in a packet that is refused.
pub(super) fn of_refused(packet: &[u8], dialect: Dialect) -> Option<String> {
    let ids = [VariantType::String, VariantType::PackedByteArray, VariantType::StringName];
    let ids = ids.map(|wanted| dialect.type_id(wanted).map(u32::from));
    let pairs = words(packet).zip(words(packet).skip(1));
    let is_one = |(header, length): (u32, u32)| ids.contains(&Some(header)) && length % 4 == 0;
    pairs.into_iter().any(is_one).then(|| UNPADDED.to_owned())
}

fn words(packet: &[u8]) -> impl Iterator<Item = u32> {
    packet.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word))
}

/// The feature of a text, or of bytes, whose length is a multiple of four.
const UNPADDED: &str = "padding of nothing";

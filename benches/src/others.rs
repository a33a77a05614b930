//! The values of the workloads in the types of other crates.

use formwork_variant::{Payload, Variant};

/// A value of MessagePack. Numbers of packed arrays are elements.
#[must_use]
pub fn messagepack(value: &Variant) -> rmpv::Value {
    use rmpv::Value;
    match value.payload() {
        Payload::Int(number) => number.into(),
        Payload::Float(number) => number.into(),
        Payload::String(text) => text.to_string_lossy().as_ref().into(),
        Payload::PackedByteArray(bytes) => Value::Binary(bytes.to_vec()),
        Payload::Array(array) => array.iter().map(messagepack).collect::<Vec<_>>().into(),
        Payload::Dictionary(pairs) => {
            let pair = |(key, value): &(Variant, Variant)| (messagepack(key), messagepack(value));
            Value::Map(pairs.as_slice().iter().map(pair).collect())
        }
        _ => Value::Array(match value {
            Variant::PackedFloat32Array(numbers) => {
                numbers.iter().map(|&number| number.into()).collect()
            }
            Variant::PackedStringArray(texts) => {
                texts.iter().map(|text| text.to_string_lossy().as_ref().into()).collect()
            }
            Variant::PackedVector3Array(vectors) => {
                let vector = |it: &formwork_variant::Vector3| {
                    Value::Array(vec![it.x.into(), it.y.into(), it.z.into()])
                };
                vectors.iter().map(vector).collect()
            }
            Variant::Vector3(it) => vec![it.x.into(), it.y.into(), it.z.into()],
            _ => Vec::new(),
        }),
    }
}

/// A value of CBOR.
#[must_use]
pub fn cbor(value: &rmpv::Value) -> ciborium::Value {
    use ciborium::Value;
    match value {
        rmpv::Value::Integer(number) => Value::Integer(number.as_i64().unwrap_or_default().into()),
        rmpv::Value::F32(number) => Value::Float((*number).into()),
        rmpv::Value::F64(number) => Value::Float(*number),
        rmpv::Value::String(text) => Value::Text(text.as_str().unwrap_or_default().to_owned()),
        rmpv::Value::Binary(bytes) => Value::Bytes(bytes.clone()),
        rmpv::Value::Array(elements) => Value::Array(elements.iter().map(cbor).collect()),
        rmpv::Value::Map(pairs) => {
            Value::Map(pairs.iter().map(|(key, value)| (cbor(key), cbor(value))).collect())
        }
        _ => Value::Null,
    }
}

/// A value of JSON.
#[must_use]
pub fn json(value: &rmpv::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        rmpv::Value::Integer(number) => number.as_i64().into(),
        rmpv::Value::F32(number) => (*number).into(),
        rmpv::Value::F64(number) => (*number).into(),
        rmpv::Value::String(text) => text.as_str().into(),
        rmpv::Value::Binary(bytes) => bytes.iter().copied().map(Value::from).collect(),
        rmpv::Value::Array(elements) => elements.iter().map(json).collect(),
        rmpv::Value::Map(pairs) => pairs
            .iter()
            .map(|(key, value)| (key.as_str().unwrap_or_default().to_owned(), json(value)))
            .collect(),
        _ => Value::Null,
    }
}

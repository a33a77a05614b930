//! Reading and writing whole files.

use formwork::{ErrorKind, Result};
use formwork_alb1::inspect::Inspector;
use formwork_alb1::{Document, Field, FieldType, Object, ObjectPointer, Text, Value};

use crate::corpus::every_sample;

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_real_file_is_written_back_byte_for_byte() {
    let mut bytes = 0;
    let count = every_sample(|sample| {
        let document = match Document::from_slice(&sample.bytes) {
            Ok(document) => document,
            Err(error) => panic!("{}: {error}", sample.name),
        };
        assert!(document.to_vec().unwrap() == sample.bytes, "{}", sample.name);
        assert_eq!(document.size().unwrap(), sample.bytes.len() as u64);
        bytes += sample.bytes.len();
    });
    println!("{count} real files, {bytes} bytes");
}

/// Returns a document with a field of every type, and with cases that no real file has.
pub(crate) fn everything() -> Document {
    let mut document = Document::new("CLayer");
    let tag = document.tags.id("data").unwrap();
    let object = Object { class: 99, address: 3, fields: vec![Field::new(60000, Value::Empty)] };
    let values = vec![
        Value::SignedChar(-1),
        Value::UnsignedChar(200),
        Value::SignedShort(-2),
        Value::UnsignedShort(60000),
        Value::SignedInt(i32::MIN),
        Value::UnsignedInt(u32::MAX),
        Value::SignedLong(-3),
        Value::UnsignedLong(0xFF80_0000),
        Value::Bool(2),
        Value::Float(f32::from_bits(0x7FA0_0001)),
        Value::String(Text::from_bytes(*b"\x80\xff\0")),
        Value::Array(vec![Field::new(tag, Value::SignedInt(1)), Field::new(tag, true)]),
        Value::Array(Vec::new()),
        Value::Raw(vec![1, 2, 3].into()),
        object.into(),
        Value::ObjectPointer(ObjectPointer { class: -1, address: 0 }),
        [Field::new(tag, true), Field::new(tag, Value::Empty)].into(),
        Value::ArrayOfSignedShort([1, -1].into()),
        Value::ArrayOfSignedInt([1, -1].into()),
        Value::ArrayOfFloat([0.5; 255].into()),
        Value::Empty,
        Value::Double(f64::from_bits(0x7FF4_0000_0000_0001)),
        Value::ArrayOfDouble(Box::default()),
    ];
    document.root.fields = values.into_iter().map(|value| Field::new(tag, value)).collect();
    document
}

#[test]
fn every_type_survives_bit_for_bit() {
    let document = everything();
    for field_type in FieldType::ALL {
        let mut types = document.root.fields.iter().map(|field| field.value.field_type());
        assert!(types.any(|there| there == *field_type), "{field_type}");
    }
    let bytes = document.to_vec().unwrap();
    let read = Document::from_slice(&bytes).unwrap();
    assert!(read.is_identical(&document));
    assert_eq!(read.to_vec().unwrap(), bytes);
    let shared = Document::from_bytes(&bytes.clone().into()).unwrap();
    assert!(shared.is_identical(&document));
}

#[test]
fn every_prefix_is_incomplete_or_a_shorter_root() {
    let bytes = everything().to_vec().unwrap();
    for length in 0..bytes.len() {
        match Document::from_slice(&bytes[..length]) {
            // The root has no separate length: the file may end between two fields.
            Ok(shorter) => assert_eq!(shorter.to_vec().unwrap(), bytes[..length]),
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::Incomplete { .. }), "{length}: {error}");
                let needed = error.needed().unwrap();
                assert!(needed > 0 && needed <= (bytes.len() - length) as u64, "{length}: {error}");
            }
        }
    }
}

#[test]
fn errors_name_offset_and_path() {
    let mut document = Document::new("CVisitor4Project");
    let tag = |name: &str| document.tags.id(name).unwrap();
    let pair = [
        Field::new(tag("key"), Text::new("a").unwrap()),
        Field::new(tag("data"), Value::SignedInt(7)),
    ];
    let array = vec![Field::new(tag("pair"), pair)];
    let (libs, first) = (tag("libs"), Value::Empty);
    document.root.fields = vec![Field::new(libs, first), Field::new(libs, array)];
    let mut bytes = document.to_vec().unwrap();
    let at = bytes.len() - 5;
    assert_eq!(bytes[at], FieldType::SignedInt.id());
    bytes[at] = 0x16;
    let error = Document::from_slice(&bytes).unwrap_err();
    assert_eq!(error.offset(), at as u64);
    assert_eq!(error.path().to_string(), "libs[1][0].data");
    assert_eq!(error.rule().name(), "alb1.field_type");
}

/// At the end of an object or array, no more input can complete a field in it, wherever the file ends.
#[test]
fn a_field_that_overruns_the_last_object_or_array_is_not_incomplete() {
    let document = Document::new("CLayer");
    let tag = document.tags.id("mlayerVersion").unwrap();
    let number = Field::new(tag, Value::SignedInt(7));
    let inner = Object { class: 0, address: 0, fields: vec![number.clone()] };
    let array: Value = vec![number.clone()].into();
    let pair: Value = [number.clone(), number.clone()].into();
    let values = [
        (array.clone(), "a number in an array"),
        (Value::Object(Box::new(inner)), "a number in an object"),
        (vec![Field::new(tag, array)].into(), "a number in an array in an array"),
        (vec![Field::new(tag, pair)].into(), "a half of a pair in an array"),
    ];
    for (value, what) in values {
        let mut document = document.clone();
        document.root.fields = vec![Field::new(tag, value)];
        let mut last = document.to_vec().unwrap();
        document.root.fields.push(number.clone());
        let mut followed = document.to_vec().unwrap();
        for changed in [FieldType::Double, FieldType::String] {
            // The number, which takes four bytes, becomes something that takes more.
            let at = last.len() - size_of::<i32>();
            for bytes in [&mut last, &mut followed] {
                bytes[at - 1] = changed.id();
            }
            let error = Document::from_slice(&last).unwrap_err();
            assert_eq!(error.rule().name(), "alb1.blob_size", "{what}: {error}");
            assert_eq!(error.offset(), at as u64, "{what}: {error}");
            let same = Document::from_slice(&followed).unwrap_err();
            assert_eq!(error.to_string(), same.to_string(), "{what}");
            for bytes in [&last, &followed] {
                let found = Inspector::new(bytes).find_map(Result::err).unwrap();
                assert_eq!(found.to_string(), error.to_string(), "{what}");
            }
        }
    }
}

/// A field that does not fit into an object or array is malformed, not incomplete.
#[test]
fn an_array_that_overruns_the_last_one_is_not_incomplete() {
    let mut document = Document::new("CLayer");
    let tag = document.tags.id("mlayerVersion").unwrap();
    let inner: Value = vec![Field::new(tag, Value::SignedInt(7))].into();
    document.root.fields = vec![Field::new(tag, vec![Field::new(tag, inner)])];
    let mut bytes = document.to_vec().unwrap();
    // The count and, before that, the size come before the number with its head.
    let at = bytes.len() - 7 - 8;
    assert_eq!(bytes[at..at + 4], 11_u32.to_le_bytes());
    bytes[at] += 1;
    let error = Document::from_slice(&bytes).unwrap_err();
    assert_eq!((error.rule().name(), error.offset()), ("alb1.blob_size", at as u64), "{error}");
    let found = Inspector::new(&bytes).find_map(Result::err).unwrap();
    assert_eq!(found.to_string(), error.to_string());
}

#[test]
fn what_the_format_cannot_say_is_refused_before_a_byte_is_written() {
    let mut document = Document::new("CLayer");
    let name = document.tags.id("mname").unwrap();
    for (value, expected) in [
        (Value::String(Text::from_bytes(vec![b'a'; 65536])), "at most 65535 bytes"),
        (Value::ArrayOfDouble([0.0; 256].into()), "at most 255 numbers"),
    ] {
        document.root.fields = vec![Field::new(name, value)];
        let mut written = Vec::new();
        let error = document.write_to(&mut written).unwrap_err();
        assert_eq!((error.expected(), error.kind()), (expected, ErrorKind::Unrepresentable));
        assert_eq!(error.path().to_string(), "mname");
        assert!(written.is_empty());
    }
}

/// Review alb1-cli, row 17: a class that no table can hold became class 0.
#[test]
fn a_class_that_cannot_be_named_is_not_another_class() {
    let document = Document::new("\u{65e5}");
    assert_eq!(document.classes.name(document.root.class as u16), None);
    assert_eq!(document.class_name(&document.root), "#65535");
}

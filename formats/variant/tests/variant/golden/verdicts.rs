//! Values decode and encode to the engine's bytes; inputs get the engine's verdict.

use std::collections::BTreeMap;
use std::fmt::Write;

use formwork_testkit::hex;
use formwork_variant::codec::ObjectForm;
use formwork_variant::dialect::Family;
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};
use formwork_variant::{ElementType, Object, Variant, VariantType};

use crate::cases::{Case, Engine, formats, masked};

/// Returns the settings of the engines' scripts: with objects in full form, or without.
fn codec(dialect: Dialect, full_objects: bool) -> (Decoder, Encoder) {
    let form = if full_objects { ObjectForm::Full } else { ObjectForm::Id };
    (Decoder::new(dialect).allow_objects(full_objects), Encoder::new(dialect).objects(form))
}

#[test]
fn every_value_of_every_engine_decodes_and_encodes_to_the_same_bytes() {
    for engine in super::engines() {
        let cases = engine.lines("values.jsonl");
        assert!(!cases.is_empty(), "{} has no values", engine.name);
        for case in &cases {
            let name = case.text("name").expect("values have names");
            let bytes = case.bytes("hex").expect("values have bytes");
            let unspecified = case.offsets("unspecified");
            let (decoder, encoder) = codec(engine.dialect(), case.flag("full_objects"));
            let value: Variant = decoder
                .decode(&bytes)
                .unwrap_or_else(|error| panic!("{} {name}: {error}", engine.name));
            let again = encoder
                .encode(&value)
                .unwrap_or_else(|error| panic!("{} {name}: {error}", engine.name));
            let zeroed = masked(bytes, &unspecified);
            let same = masked(again.clone(), &unspecified) == zeroed;
            assert!(same, "{} {name}: {} for {}", engine.name, hex(&again), hex(&zeroed));
            // The output of an engine, except for bytes that it leaves uninitialised, is canonical.
            let canonical = decoder.strictness(Strictness::Canonical).decode(&zeroed);
            if let Err(error) = canonical
                && !is_ids_only(&value)
            {
                panic!("{} {name} is not canonical: {error}", engine.name);
            }
        }
        println!("{}: {} of {} values", engine.name, cases.len(), cases.len());
    }
}

/// A placeholder object whose number was masked out is a null object.
fn is_ids_only(value: &Variant) -> bool {
    any(value, &|value| matches!(value, Variant::Object(Object::Id(_) | Object::Null)))
}

#[test]
fn every_input_gets_the_verdict_and_the_re_encoding_of_its_engine() {
    let bless = std::env::var_os("BLESS").is_some();
    for engine in super::engines() {
        let cases = engine.lines("decode.jsonl");
        let mut followed = 0;
        let mut wrong = Vec::new();
        let mut exceptions = String::new();
        let mut counts = BTreeMap::<&str, usize>::new();
        for (number, case) in cases.iter().enumerate() {
            let Err(difference) = follow(engine, case) else {
                followed += 1;
                continue;
            };
            match reason(engine, case) {
                Some(rule) => {
                    *counts.entry(rule).or_default() += 1;
                    let kind = case.text("kind").unwrap_or_default();
                    let hex = case.text("hex").unwrap_or_default();
                    writeln!(exceptions, "{rule}\t{}\t{kind}\t{hex}", number + 1)
                        .expect("writing to a string");
                }
                None => wrong.push(format!("line {}: {difference}", number + 1)),
            }
        }
        println!("{}: {followed} of {} inputs followed", engine.name, cases.len());
        for (rule, count) in counts {
            println!("    {count} by exception {rule}");
        }
        assert!(wrong.is_empty(), "{}: {}\n{}", engine.name, wrong.len(), wrong.join("\n"));
        let path = formats().join(engine.exceptions);
        if bless {
            std::fs::write(&path, &exceptions).expect("the exceptions can be written");
        }
        let listed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            listed == exceptions,
            "{} does not list just the exceptions that happen; BLESS=1 writes it anew",
            path.display()
        );
    }
}

/// Checks that this crate does the same as the engine with a case.
fn follow(engine: &Engine, case: &Case) -> Result<(), String> {
    let bytes = case.bytes("hex").expect("inputs have bytes");
    let (decoder, encoder) = codec(engine.dialect(), case.flag("allow_objects"));
    let decoded = decoder.decode_prefix(&bytes);
    let Some(accepts) = case.0["ok"].as_bool() else {
        return Err("the engine crashes".into());
    };
    let (value, used) = match (decoded, accepts) {
        (Err(_), false) => return Ok(()),
        (Err(error), true) => return Err(format!("refused: {error}")),
        (Ok((value, _)), false) => return Err(format!("accepted as {value:?}")),
        (Ok(decoded), true) => decoded,
    };
    if let Some(engine_used) = case.0["used"].as_u64() {
        // The engine counts padding that a byte array at the very end may lack.
        let engine_used = engine_used.min(bytes.len() as u64);
        if used as u64 != engine_used {
            return Err(format!("used {used} bytes, the engine {engine_used}"));
        }
    }
    let unspecified = case.offsets("reencoded_unspecified");
    let again = encoder.encode(&value).map_err(|error| error.to_string());
    match (again, case.bytes("reencoded")) {
        (Err(_), None) => Ok(()),
        (Ok(again), Some(expected)) => {
            let expected = masked(expected, &unspecified);
            let same = masked(again.clone(), &unspecified) == expected
                || same_but_for_order(engine, &again, &expected);
            if same { Ok(()) } else { Err(format!("{} for {}", hex(&again), hex(&expected))) }
        }
        (again, expected) => Err(format!("{again:?} for {expected:?}")),
    }
}

/// Godot 2 writes dictionaries in the order of its hash table: they are compared as sets of pairs.
fn same_but_for_order(engine: &Engine, a: &[u8], b: &[u8]) -> bool {
    fn sorted(value: Variant) -> Variant {
        match value {
            Variant::Array(array) => {
                let shared = array.is_shared();
                let mut array: formwork_variant::Array = array.into_iter().map(sorted).collect();
                array.set_shared(shared);
                Variant::Array(array)
            }
            Variant::Dictionary(dictionary) => {
                let shared = dictionary.is_shared();
                let mut pairs: Vec<_> = dictionary
                    .into_iter()
                    .map(|(key, value)| (sorted(key), sorted(value)))
                    .collect();
                pairs.sort_by_cached_key(|(key, _)| format!("{key:?}"));
                let mut dictionary = formwork_variant::Dictionary::from(pairs);
                dictionary.set_shared(shared);
                Variant::Dictionary(dictionary)
            }
            value => value,
        }
    }
    if engine.dialect() != Dialect::GODOT2 {
        return false;
    }
    let decoder = Decoder::new(engine.dialect());
    match (decoder.decode(a), decoder.decode(b)) {
        // Debug text tells a NaN from another value and is equal for equal ones.
        (Ok(a), Ok(b)) => format!("{:?}", sorted(a)) == format!("{:?}", sorted(b)),
        _ => false,
    }
}

/// Why we do not follow the engine in a case; each rule is explained in the format's page.
pub(crate) fn reason(engine: &Engine, case: &Case) -> Option<&'static str> {
    if case.0["ok"].is_null() {
        return Some("engine-crash");
    }
    let bytes = case.bytes("hex")?;
    let objects = case.flag("allow_objects");
    let (decoder, _) = codec(engine.dialect(), objects);
    // The value up to where our reader got.
    let value = decoder.decode_prefix(&bytes).map(|(value, _)| value);
    let has = |test: &dyn Fn(&Variant) -> bool| value.as_ref().is_ok_and(|value| any(value, test));
    let pandemonium = engine.dialect() == Dialect::PANDEMONIUM;
    let godot2 = engine.dialect() == Dialect::GODOT2;
    let godot4 = engine.dialect().family() == Family::Godot4;
    if objects && has(&|value| matches!(value, Variant::Object(Object::Full(_)))) {
        return Some("class-registry");
    }
    if objects && godot4 && has(&|value| elements(value).any(is_class_or_script)) {
        return Some("class-registry");
    }
    if godot2 && has(&|value| matches!(value, Variant::NodePath(path) if path.names.is_empty())) {
        return Some("node-path-root");
    }
    if godot2 && has(&|value| matches!(value, Variant::NodePath(path) if !path.subnames.is_empty()))
    {
        return Some("node-path-subnames");
    }
    if godot4 && bytes.windows(3).any(|bytes| bytes == b"\xef\xbb\xbf") {
        return Some("byte-order-mark");
    }
    if pandemonium {
        let is_nil = |value: &Variant| {
            elements(value).any(|element| *element == ElementType::Builtin(VariantType::Nil))
        };
        let has_type = |wanted: &[VariantType]| {
            let is_wanted = |element: &ElementType| match element {
                ElementType::Builtin(element) => wanted.contains(element),
                _ => false,
            };
            has(&|value| wanted.contains(&value.variant_type()) || elements(value).any(is_wanted))
        };
        if has_type(&[VariantType::Projection]) {
            return Some("projection");
        }
        if has_type(&[VariantType::PackedVector4Array, VariantType::PackedVector4iArray]) {
            return Some("vector4-array");
        }
        // The id of a Vector4 or Vector4i as a header.
        if has_type(&[VariantType::Vector4, VariantType::Vector4i])
            || bytes.chunks_exact(4).any(|word| matches!(word, [11 | 12, _, _, _]))
        {
            return Some("vector4-in-container");
        }
        if has(&is_nil) {
            return Some("nil-typed-array");
        }
    }
    None
}

/// The element types of a container, if it is typed.
fn elements(value: &Variant) -> impl Iterator<Item = &ElementType> {
    let [first, second] = match value {
        Variant::Array(array) => [array.element_type(), None],
        Variant::Dictionary(dictionary) => [dictionary.key_type(), dictionary.value_type()],
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
            [Some(&typed.element), None]
        }
        _ => [None, None],
    };
    first.into_iter().chain(second)
}

fn is_class_or_script(element: &ElementType) -> bool {
    matches!(element, ElementType::Class(_) | ElementType::Script(_))
}

/// Whether a value or one inside it passes the test.
fn any(value: &Variant, test: &dyn Fn(&Variant) -> bool) -> bool {
    if test(value) {
        return true;
    }
    match value {
        Variant::Dictionary(pairs) => {
            pairs.iter().any(|(key, value)| any(key, test) || any(value, test))
        }
        Variant::Object(Object::Full(object)) => {
            object.properties.iter().any(|(_, value)| any(value, test))
        }
        value => value.as_array().is_some_and(|array| array.iter().any(|value| any(value, test))),
    }
}

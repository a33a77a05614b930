//! In other formats a value has the form of the lossless JSON.

use formwork_variant::generate::Config;
use formwork_variant::generate::arbitrary::Unstructured;
use formwork_variant::generate::{any_variant, variant};
use formwork_variant::json::{Json, Style};
use formwork_variant::{Array, ElementType, Real, TypedArray, VariantType};
use formwork_variant::{Dialect, Variant};

use crate::serde::{Seeds, dialects};

/// The dialect whose type names serde uses.
const WORDS: Dialect = Dialect::GODOT4;

/// The deepest nesting for which serde, which recurses, has enough stack.
const DEPTH: u32 = 30;

fn is_the_same<R: Real>(value: &Variant<R>) {
    let json = Json::lossless(WORDS).in_precision::<R>();
    let text = json.to_string(value).unwrap();
    let ours: serde_json::Value = serde_json::from_str(&text).unwrap();
    let theirs = serde_json::to_value(value).unwrap();
    assert_eq!(theirs, ours, "{value:?}");

    // What serde writes is even the same text, and either reads what the other writes.
    let written = serde_json::to_string(value).unwrap();
    assert!(json.read(written.as_bytes()).unwrap().is_identical(value), "{written}\n{value:?}");
    let read: Variant<R> = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}\n{text}\n{value:?}");
    });
    assert!(read.is_identical(value), "{text}\n{value:?}\n{read:?}");
    let pretty = json.style(Style::Pretty).to_string(value).unwrap();
    let read: Variant<R> = serde_json::from_str(&pretty).unwrap();
    assert!(read.is_identical(value), "{pretty}");
}

#[test]
fn what_serde_json_makes_of_a_value_is_the_lossless_form() {
    let mut seeds = Seeds::new();
    let config = Config { max_depth: DEPTH, ..Config::default() };
    for dialect in dialects() {
        for round in 0..120 {
            let seed = seeds.next([16, 128, 1024][round % 3]);
            is_the_same::<f32>(&variant(&mut Unstructured::new(&seed), dialect, &config).unwrap());
            is_the_same::<f64>(&variant(&mut Unstructured::new(&seed), dialect, &config).unwrap());
        }
    }
}

fn depth<R: Real>(value: &Variant<R>) -> usize {
    let mut deepest = 0;
    let mut waiting = vec![(value, 0)];
    while let Some((value, depth)) = waiting.pop() {
        deepest = deepest.max(depth);
        let mut more = |values: &mut dyn Iterator<Item = _>| {
            waiting.extend(values.map(|value| (value, depth + 1)));
        };
        match value {
            Variant::Array(array) => more(&mut array.iter()),
            Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
                more(&mut typed.elements.iter());
            }
            Variant::Dictionary(pairs) => {
                more(&mut pairs.iter().flat_map(|(key, value)| [key, value]));
            }
            Variant::Object(formwork_variant::Object::Full(object)) => {
                more(&mut object.properties.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    deepest
}

#[test]
fn values_that_no_engine_has_are_the_lossless_form_too() {
    let mut seeds = Seeds::new();
    let mut shallow = 0;
    for _ in 0..3000 {
        let seed = seeds.next(400);
        // A seed may end too early for what it begins.
        let Ok(value) = any_variant::<f32>(&mut Unstructured::new(&seed)) else { continue };
        if depth(&value) <= DEPTH as usize {
            shallow += 1;
            is_the_same(&value);
        }
    }
    assert!(shallow > 250, "{shallow}");
}

#[test]
fn the_type_of_the_list_in_a_typed_array_is_kept() {
    let mut elements = Array::from(vec![Variant::Int(1)]);
    elements.set_element_type(Some(ElementType::Class("Node".into())));
    elements.set_shared(true);
    let element = ElementType::Builtin(VariantType::Int);
    let value: Variant = Variant::TypedArray(Box::new(TypedArray { element, elements }));
    is_the_same(&value);
    let made: Variant = formwork_variant::serde::to_variant_in(&value).unwrap();
    assert!(made.is_identical(&value), "{made:?}");
    let read: Variant = formwork_variant::serde::from_variant(&value).unwrap();
    assert!(read.is_identical(&value), "{read:?}");
}

#[test]
fn a_user_s_own_struct_reads_and_writes_the_same_notation() {
    #[derive(serde::Deserialize, serde::Serialize, Debug, PartialEq)]
    struct Save {
        #[serde(flatten)]
        rest: Variant,
    }
    let value: Variant =
        formwork_variant::variant!({ "at": formwork_variant::Vector2::new(0.1, -0.0) });
    let json = serde_json::to_string(&Save { rest: value.clone() }).unwrap();
    assert_eq!(json, r#"{"at":{"$Vector2":[0.1,{"$float":"-0"}]}}"#);
    let save: Save = serde_json::from_str(&json).unwrap();
    assert!(save.rest.is_identical(&value), "{save:?}");
}

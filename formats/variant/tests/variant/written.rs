//! The encoder refuses values that the reader would refuse or read differently.

use formwork_variant::codec;
use formwork_variant::{
    Array, Dictionary, ElementType, InputEvent, InputEventKind, Object, TypedArray, Variant,
    VariantType, Vector2,
};
use formwork_variant::{Decoder, Dialect, Encoder, Rule, Strictness, to_vec};

fn refused(value: Variant, dialect: Dialect) -> (Rule, String) {
    match to_vec(&value, dialect) {
        Ok(bytes) => panic!("{dialect} writes {value:?} as {}", bytes.escape_ascii()),
        Err(error) => (error.rule(), error.path().to_string()),
    }
}

fn typed(element: ElementType, values: Vec<Variant>) -> Variant {
    let mut array = Array::from(values);
    array.set_element_type(Some(element));
    Variant::Array(array)
}

fn pandemonium(element: ElementType, values: Vec<Variant>) -> Variant {
    Variant::TypedArray(Box::new(TypedArray { element, elements: values.into() }))
}

fn dictionary(keys: Vec<Variant>) -> Variant {
    let pairs: Dictionary = keys.into_iter().map(|key| (key, Variant::Nil)).collect();
    Variant::Dictionary(pairs)
}

#[test]
fn elements_of_another_type_are_not_written() {
    let int = || ElementType::Builtin(VariantType::Int);
    for wrong in [Variant::Float(1.0), Variant::Nil, Variant::String("1".into())] {
        let values = vec![Variant::Int(1), wrong];
        let expected = (codec::rule::CONTAINER_ELEMENT, "array[1]".to_owned());
        assert_eq!(refused(typed(int(), values.clone()), Dialect::GODOT4), expected);
        let expected = (codec::rule::CONTAINER_ELEMENT, "typed_array[1]".to_owned());
        assert_eq!(refused(pandemonium(int(), values), Dialect::PANDEMONIUM), expected);
    }
    let mut typed_keys = Dictionary::from(vec![(Variant::Float(1.0), Variant::Nil)]);
    typed_keys.set_types(Some(int()), None);
    let expected = (codec::rule::CONTAINER_ELEMENT, "dictionary[0].key".to_owned());
    assert_eq!(refused(Variant::Dictionary(typed_keys), Dialect::GODOT4), expected);
}

#[test]
fn numbers_of_types_that_do_not_exist_are_not_written() {
    for number in [2, 23, 1 << 31 | 2, 1 << 31 | 99] {
        let value = pandemonium(ElementType::Unknown(number), Vec::new());
        assert_eq!(
            refused(value, Dialect::PANDEMONIUM).0,
            codec::rule::CONTAINER_ELEMENT_TYPE,
            "{number}"
        );
    }
    let element = ElementType::Builtin(VariantType::Nil);
    assert_eq!(
        refused(typed(element, vec![]), Dialect::GODOT4).0,
        codec::rule::CONTAINER_ELEMENT_FORM
    );
    let event = |number| {
        let kind = InputEventKind::Other { number };
        Variant::InputEvent(InputEvent { device: 0, kind })
    };
    assert_eq!(refused(event(3), Dialect::GODOT2).0, codec::rule::INPUT_EVENT_TYPE);
    // These the engines keep, and write as they were.
    let unknown = pandemonium(ElementType::Unknown(99), Vec::new());
    for (kept, dialect) in [(event(9), Dialect::GODOT2), (unknown, Dialect::PANDEMONIUM)] {
        let bytes = to_vec(&kept, dialect).expect("it is written");
        assert_eq!(Decoder::new(dialect).decode(&bytes), Ok(kept));
    }
    let held = pandemonium(ElementType::Unknown(99), vec![Variant::Nil]);
    assert_eq!(refused(held, Dialect::PANDEMONIUM).0, codec::rule::CONTAINER_ELEMENT);
}

#[test]
fn keys_that_an_engine_takes_for_one_are_not_written() {
    let twice = |a: &str| dictionary(vec![1.into(), a.into(), a.into()]);
    let expected = (codec::rule::DICTIONARY_KEYS, "dictionary[2].key".to_owned());
    for dialect in Dialect::all() {
        assert_eq!(refused(twice("a"), dialect), expected, "{dialect}");
    }
    let alike = || dictionary(vec!["a".into(), Variant::StringName("a".into())]);
    assert_eq!(refused(alike(), Dialect::GODOT4).0, codec::rule::DICTIONARY_KEYS);
    assert!(to_vec(&alike(), Dialect::PANDEMONIUM).is_ok());
    // Engines write both as a plain null, as the golden files of Godot 3.2.3 show.
    let nulls = dictionary(vec![Variant::Nil, Variant::Object(Object::Null)]);
    assert!(to_vec(&nulls, Dialect::GODOT4).is_ok());
    // Found by comparing, and found by hash.
    let many = (0..100).chain([40]).map(Variant::Int).collect();
    assert_eq!(refused(dictionary(many), Dialect::GODOT3).1, "dictionary[100].key");
    // In 32 bits the two are one.
    let floats = dictionary(vec![Variant::Float(0.1), Variant::Float(0.100_000_000_1)]);
    let rounded = Encoder::new(Dialect::GODOT2).rounding(true).encode(&floats);
    assert_eq!(rounded.unwrap_err().rule(), codec::rule::DICTIONARY_KEYS);
    let inside = Variant::Array(vec![twice("b")].into());
    assert_eq!(refused(inside, Dialect::GODOT4).1, "array[0].dictionary[2].key");
}

#[test]
fn what_reads_as_null_is_not_written_as_an_object() {
    assert_eq!(
        refused(Variant::Object(Object::Id(0)), Dialect::GODOT4).0,
        codec::rule::DIALECT_VALUE
    );
}

#[test]
fn single_precision_does_not_round_what_a_double_precision_build_wrote() {
    let dialect: Dialect = "godot4.6-double".parse().expect("a dialect");
    let write = |x: f64| {
        let value: Variant<f64> = Variant::Vector2(Vector2::new(x, 1.0));
        Encoder::new(dialect).double().encode(&value).expect("it can be written")
    };
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let decoder = Decoder::new(dialect).strictness(strictness);
        let error = decoder.decode(&write(0.1)).unwrap_err();
        assert_eq!(error.rule(), codec::rule::REAL_FITS);
        assert_eq!(error.path().to_string(), "vector2");
        // What 32 bits hold is the same in them.
        let exact = decoder.decode(&write(0.5)).expect("it fits");
        assert_eq!(Encoder::new(dialect).encode(&exact).as_ref(), Ok(&write(0.5)));
        assert!(decoder.double().decode(&write(0.1)).is_ok());
    }
}

/// Values in a row are written without looking at each on its own, and yet each fault is named where it is.
#[test]
fn a_fault_among_values_in_a_row_is_named_where_it_stands() {
    let array = |values: Vec<Variant>| Variant::Array(values.into());
    let bad = || Variant::String("a\0b".into());
    let pairs = |pairs: Vec<(&str, Variant)>| -> Variant {
        Variant::Dictionary(pairs.into_iter().map(|(key, value)| (key.into(), value)).collect())
    };
    let fine = || pairs(vec![("a", 1.into()), ("b", 0.5.into()), ("c", "text".into())]);
    for (value, path) in [
        (array(vec![1.into(), "a".into(), bad()]), "array[2].string"),
        (array(vec![1.into(), array(vec![2.into()]), 3.into(), bad()]), "array[3].string"),
        (array(vec![fine(), fine(), bad()]), "array[2].string"),
        (pairs(vec![("a", 1.into()), ("b", bad())]), "dictionary[1].value.string"),
        (pairs(vec![("a", fine()), ("b", bad())]), "dictionary[1].value.string"),
        (pairs(vec![("a", 1.into()), ("x\0", 1.into())]), "dictionary[1].key.string"),
        (pairs(vec![("a", array(vec![1.into(), bad()]))]), "dictionary[0].value.array[1].string"),
        (
            array(vec![1.into(), dictionary(vec!["a".into(), "a".into()])]),
            "array[1].dictionary[1].key",
        ),
    ] {
        assert_eq!(refused(value, Dialect::GODOT4).1, path);
    }
    // Godot 2 has no int of 64 bits.
    let wide = array(vec![1.into(), Variant::Int(1 << 40)]);
    assert_eq!(refused(wide, Dialect::GODOT2).1, "array[1].int");
}

#[test]
fn values_in_a_row_may_not_be_too_deep_either() {
    use formwork_variant::Limits;
    let limits = Limits::default().depth(1);
    let encoder = Encoder::new(Dialect::GODOT4).limits(limits);
    let inner = Variant::Array(vec![1.into(), 2.into()].into());
    encoder.encode(&inner).unwrap();
    let outer = Variant::Array(vec![1.into(), inner].into());
    let error = encoder.encode(&outer).unwrap_err();
    assert_eq!(
        (error.rule(), error.path().to_string()),
        (Rule::DEPTH_LIMIT, "array[1].array[0]".into())
    );
}

/// A zero in a text is found at every position, and no other byte is taken for one.
#[test]
fn a_zero_in_a_text_of_any_length_is_found() {
    for length in 0..40 {
        for fill in ["a", "\u{1}", "\u{80}", "\u{ff}"] {
            let text: String = fill.repeat(length);
            to_vec(&text.as_str().into(), Dialect::GODOT4).unwrap();
            for at in 0..length {
                let mut text: Vec<_> = text.chars().collect();
                text[at] = '\0';
                let text: String = text.into_iter().collect();
                let (rule, path) = refused(text.as_str().into(), Dialect::GODOT4);
                assert_eq!((rule, path.as_str()), (codec::rule::DIALECT_VALUE, "string"));
            }
        }
    }
}

#[test]
fn a_float_that_32_bits_do_not_reach_is_refused_and_infinity_is_written() {
    let rounding = Encoder::new(Dialect::GODOT2).rounding(true);
    for number in [1e39, -1e39, 1e300, f64::MAX] {
        let inside: Variant = formwork_variant::variant!({ "hp": [number] });
        let error = rounding.encode(&inside).unwrap_err();
        assert_eq!(error.rule().name(), "dialect.value", "{error}");
        assert_eq!(error.found(), number.to_string());
    }
    for number in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 0.1, f64::from(f32::MAX), 1e-60] {
        assert!(rounding.encode(&Variant::Float(number)).is_ok(), "{number}");
    }
}

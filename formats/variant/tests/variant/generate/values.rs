//! The guarantees of the generator: every dialect can write a value that is made for it, and reads it back the same,
//! at either strictness.

use std::collections::BTreeMap;

use formwork_testkit::Noise;
use formwork_variant::dialect::Precision;
use formwork_variant::generate::arbitrary::{Arbitrary, Unstructured};
use formwork_variant::generate::{Config, Types, variant};
use formwork_variant::{
    Array, Dictionary, ElementType, FullObject, Image, InputEvent, NodePath, Object, Real, Signal,
    TypedArray, Variant, VariantString, VariantType,
};
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};

fn dialects() -> Vec<Dialect> {
    let double = |dialect: Dialect| dialect.with_precision(Precision::Double);
    Dialect::all().chain(Dialect::all().filter_map(double)).collect()
}

/// Writes a value and reads it back at both levels of strictness, without a change or a warning.
fn comes_back<R: Real>(value: &Variant<R>, dialect: Dialect, objects: bool) {
    let encoder = Encoder::new(dialect).in_precision();
    let bytes =
        encoder.encode(value).unwrap_or_else(|error| panic!("{dialect}: {error}\n{value:?}"));
    let decoder = Decoder::new(dialect).in_precision::<R>().allow_objects(objects);
    let mut notes = Vec::new();
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let read = decoder.strictness(strictness).decode_with_warnings(&bytes, &mut notes);
        let (again, length) =
            read.unwrap_or_else(|error| panic!("{dialect} {strictness:?}: {error}\n{value:?}"));
        assert_eq!(length, bytes.len(), "{dialect}: {value:?}");
        assert!(notes.is_empty(), "{dialect}: {notes:?}\n{value:?}");
        // Texts tell a NaN and a minus zero from other values and are equal for equal ones; the
        // bytes tell one NaN from another.
        assert_eq!(format!("{again:?}"), format!("{value:?}"), "{dialect}");
        let rewritten = encoder.encode(&again).expect("what was written once can be written again");
        assert!(rewritten == bytes, "{dialect}: {value:?}");
    }
}

/// Counts the parts of a value.
#[derive(Default)]
struct Health {
    values: usize,
    containers: usize,
    nodes: usize,
    deepest: usize,
    bytes: usize,
    types: BTreeMap<VariantType, usize>,
}

impl Health {
    fn count<R: Real>(&mut self, value: &Variant<R>) {
        self.values += 1;
        let mut waiting = vec![(value, 0)];
        if !parts(value).is_empty() {
            self.containers += 1;
        }
        while let Some((value, depth)) = waiting.pop() {
            self.nodes += 1;
            self.deepest = self.deepest.max(depth);
            *self.types.entry(value.variant_type()).or_default() += 1;
            waiting.extend(parts(value).into_iter().map(|part| (part, depth + 1)));
        }
    }
}

fn parts<R: Real>(value: &Variant<R>) -> Vec<&Variant<R>> {
    match value {
        Variant::Dictionary(pairs) => pairs.iter().flat_map(|(key, value)| [key, value]).collect(),
        Variant::Object(Object::Full(object)) => {
            object.properties.iter().map(|(_, value)| value).collect()
        }
        value => value.as_array().map(|array| array.iter().collect()).unwrap_or_default(),
    }
}

fn every_value_comes_back<R: Real>(dialect: Dialect, rounds: usize) -> Health {
    let mut noise = Noise::new(1);
    let mut health = Health::default();
    for round in 0..rounds {
        let seed = noise.bytes([16, 128, 1024, 4096][round % 4]);
        let mut u = Unstructured::new(&seed);
        let config =
            if round % 3 == 0 { Config::arbitrary(&mut u).unwrap() } else { Config::default() };
        let value: Variant<R> = variant(&mut u, dialect, &config).unwrap();
        comes_back(&value, dialect, config.objects);
        health.count(&value);
        health.bytes += Encoder::new(dialect).in_precision().encode(&value).unwrap().len();
    }
    health
}

#[test]
fn every_dialect_reads_back_what_is_made_for_it() {
    for dialect in dialects() {
        let health = match dialect.precision() {
            Precision::Single => every_value_comes_back::<f32>(dialect, 1500),
            Precision::Double => every_value_comes_back::<f64>(dialect, 1500),
        };
        let rare = dialect.rows().iter().filter(|row| {
            health.types.get(&row.variant_type).is_none_or(|&count| count < health.values / 200)
        });
        let rare: Vec<_> = rare.map(|row| row.name).collect();
        assert!(rare.is_empty(), "{dialect} seldom gets a {rare:?}");
        let percent = 100 * health.containers / health.values;
        let nodes = health.nodes as f64 / health.values as f64;
        println!(
            "{dialect}: {percent}% hold values, {nodes:.1} values each, {} deep, {} bytes each",
            health.deepest,
            health.bytes / health.values,
        );
        assert!((25..=75).contains(&percent), "{dialect}: {percent}% hold values");
        assert!(nodes > 5.0, "{dialect}: {nodes} values each");
        assert!(health.deepest >= 10, "{dialect}: {} deep", health.deepest);
    }
}

#[test]
fn values_of_the_other_precision_come_back_too() {
    for dialect in dialects() {
        match dialect.precision() {
            Precision::Single => every_value_comes_back::<f64>(dialect, 500),
            Precision::Double => every_value_comes_back::<f32>(dialect, 500),
        };
    }
}

#[test]
fn limits_hold() {
    let mut noise = Noise::new(1);
    let mut config = Config::default();
    for (depth, nodes) in [(0, 10), (1, 5), (3, 0), (3, 20), (2000, 3000)] {
        (config.max_depth, config.max_nodes) = (depth, nodes);
        config.max_bytes = 100;
        let mut health = Health::default();
        for _ in 0..200 {
            let seed = noise.bytes(2000);
            let value: Variant =
                variant(&mut Unstructured::new(&seed), Dialect::GODOT4, &config).unwrap();
            let before = health.nodes;
            health.count(&value);
            // A value is always made, even of no budget.
            assert!(health.nodes - before <= nodes.max(1));
            comes_back(&value, Dialect::GODOT4, true);
        }
        assert!(health.deepest <= depth as usize);
    }
}

#[test]
fn only_the_chosen_types_come_up() {
    let mut noise = Noise::new(1);
    let mut config = Config::default();
    let chosen = [VariantType::Array, VariantType::Float, VariantType::Vector2];
    config.types = chosen.into_iter().collect::<Types>();
    let mut health = Health::default();
    for _ in 0..500 {
        let seed = noise.bytes(300);
        let value: Variant =
            variant(&mut Unstructured::new(&seed), Dialect::GODOT3, &config).unwrap();
        health.count(&value);
    }
    assert_eq!(health.types.into_keys().collect::<Vec<_>>(), {
        let mut chosen = chosen.to_vec();
        chosen.sort_unstable();
        chosen
    });
}

#[test]
fn the_same_seed_makes_the_same_value_and_no_seed_an_end() {
    let seed = Noise::new(1).bytes(500);
    let make = |seed: &[u8]| {
        let value: Variant =
            variant(&mut Unstructured::new(seed), Dialect::GODOT4, &Config::default()).unwrap();
        format!("{value:?}")
    };
    assert_eq!(make(&seed), make(&seed));
    assert_eq!(make(&[]), "Nil");
}

/// Every part of a value, as a value that some dialect expresses.
#[test]
fn every_arbitrary_part_comes_back() {
    fn each<T: for<'a> Arbitrary<'a>>(dialects: &[Dialect], wrap: impl Fn(T) -> Variant) {
        let mut noise = Noise::new(1);
        for round in 0..500 {
            let seed = noise.bytes(round % 300);
            let part = T::arbitrary(&mut Unstructured::new(&seed)).unwrap();
            let value = wrap(part);
            let fits = |dialect: &&Dialect| Encoder::new(**dialect).encode(&value).is_ok();
            let Some(dialect) = dialects.iter().find(fits) else {
                panic!("none of {dialects:?} expresses {value:?}");
            };
            comes_back(&value, *dialect, true);
        }
    }
    let (godot2, godot4) = (Dialect::GODOT2, Dialect::GODOT4);
    let pandemonium = Dialect::PANDEMONIUM;
    each::<Variant>(&[godot4], |value| value);
    each::<Array>(&[godot4], Variant::Array);
    each::<Dictionary>(&[godot4], Variant::Dictionary);
    each::<Object>(&[godot4], Variant::Object);
    each::<FullObject>(&[godot4], |object| Variant::Object(Object::Full(Box::new(object))));
    each::<Signal>(&[godot4], |signal| signal.into());
    each::<NodePath>(&[godot4], |path| path.into());
    each::<TypedArray>(&[pandemonium], |typed| Variant::TypedArray(Box::new(typed)));
    each::<Image>(&[godot2], |image| image.into());
    each::<InputEvent>(&[godot2], |event| event.into());
    each::<VariantString>(&[godot2, godot4], Variant::String);
    each::<ElementType>(&[godot4, pandemonium], |element| {
        let typed = TypedArray { element: element.clone(), elements: Array::new() };
        // What only Godot 4 has is tried there.
        let in_godot4 = match &element {
            ElementType::Builtin(variant_type) => pandemonium.type_id(*variant_type).is_none(),
            element => matches!(element, ElementType::Script(_)),
        };
        if in_godot4 {
            let mut array = Array::new();
            array.set_element_type(Some(element));
            return Variant::Array(array);
        }
        Variant::TypedArray(Box::new(typed))
    });
    let mut noise = Noise::new(1);
    for _ in 0..500 {
        let seed = noise.bytes(2000);
        let value: Variant<f64> = Variant::arbitrary(&mut Unstructured::new(&seed)).unwrap();
        comes_back(&value, "godot4-double".parse().unwrap(), true);
    }
}

//! The coverage of the generators: types, their boundary classes, places in containers.

use std::collections::{BTreeMap, BTreeSet};

use formwork_kit::Format;
use formwork_kit::case::{Cases, Profile, Reading};
use formwork_testkit::Noise;
use formwork_variant::dialect::{IntWidth, ObjectForms};
use formwork_variant::generate::Config;
use formwork_variant::generate::arbitrary::Unstructured;
use formwork_variant::generate::variant;
use formwork_variant::{Decoder, Dialect, Encoder};
use formwork_variant::{Object, Variant, VariantType};

/// A type, the place of a value of it, and the class of the value within the type.
type Cell = (VariantType, &'static str, String);

fn cases(dialect: Dialect) -> Cases {
    let reading = Reading { format: Format::Variant(dialect), allow_objects: true };
    Cases::new(reading, 11).profiles(&[Profile::Valid, Profile::Edge])
}

const COUNTS: [&str; 4] = ["none", "one", "two", "many"];

fn count(count: usize) -> String {
    COUNTS[count.min(3)].into()
}

fn integer(number: i64) -> String {
    let class = match number {
        0 => "zero",
        1..=127 => "small",
        -128..=-1 => "negative",
        _ if i32::try_from(number).is_ok() => "in 32 bits",
        _ => "in 64 bits",
    };
    class.into()
}

fn real(number: f64) -> String {
    let class = match number {
        _ if number.is_nan() => "NaN",
        _ if number.is_infinite() => "infinite",
        _ if number == 0.0 && number.is_sign_negative() => "minus zero",
        _ if number == 0.0 => "zero",
        _ if number.is_subnormal() || (number as f32).is_subnormal() => "subnormal",
        _ if f64::from(number as f32).to_bits() == number.to_bits() => "in 32 bits",
        _ => "in 64 bits",
    };
    class.into()
}

/// The length modulo four, and whether there is more than ASCII.
fn text(bytes: &[u8]) -> String {
    let kind = if bytes.is_ascii() { "ascii" } else { "other" };
    if bytes.is_empty() { "empty".into() } else { format!("{} {kind}", bytes.len() % 4) }
}

/// Whether one of the numbers is out of the ordinary.
fn numbers<'n>(all: impl IntoIterator<Item = &'n f32>) -> String {
    let classes: BTreeSet<_> = all.into_iter().map(|&number| real(number.into())).collect();
    let odd = ["NaN", "infinite", "minus zero"].into_iter().find(|class| classes.contains(*class));
    odd.unwrap_or("plain").into()
}

fn wholes<'n>(all: impl IntoIterator<Item = &'n i32>) -> String {
    let edge = |number: &i32| *number == i32::MAX || *number == i32::MIN;
    if all.into_iter().any(edge) { "edge".into() } else { "plain".into() }
}

/// The class of a value; none of those that have only one.
fn class(value: &Variant) -> String {
    match value {
        Variant::Bool(value) => value.to_string(),
        Variant::Int(number) => integer(*number),
        Variant::Float(number) => real(*number),
        Variant::String(value) | Variant::StringName(value) => text(value.as_bytes()),
        Variant::Vector2(value) => numbers(&value.to_array()),
        Variant::Rect2(value) => numbers(&value.to_array()),
        Variant::Vector3(value) => numbers(&value.to_array()),
        Variant::Transform2D(value) => numbers(&value.to_array()),
        Variant::Vector4(value) => numbers(&value.to_array()),
        Variant::Plane(value) => numbers(&value.to_array()),
        Variant::Quaternion(value) => numbers(&value.to_array()),
        Variant::Aabb(value) => numbers(&value.to_array()),
        Variant::Basis(value) => numbers(&value.to_array()),
        Variant::Transform3D(value) => numbers(&value.to_array()),
        Variant::Projection(value) => numbers(&value.to_array()),
        Variant::Color(value) => numbers(&value.to_array()),
        Variant::Vector2i(value) => wholes(&value.to_array()),
        Variant::Rect2i(value) => wholes(&value.to_array()),
        Variant::Vector3i(value) => wholes(&value.to_array()),
        Variant::Vector4i(value) => wholes(&value.to_array()),
        Variant::NodePath(path) => {
            let (names, subnames) = (count(path.names.len()), !path.subnames.is_empty());
            format!("{names} {subnames} {}", path.absolute && !path.names.is_empty())
        }
        Variant::Object(Object::Full(object)) => count(object.properties.len()),
        Variant::Object(Object::Id(_)) => "id".into(),
        Variant::Dictionary(pairs) => count(pairs.iter().count()),
        Variant::PackedByteArray(bytes) => match bytes.len() {
            0 => "none".into(),
            length => (length % 4).to_string(),
        },
        Variant::PackedInt32Array(all) => count(all.len()),
        Variant::PackedInt64Array(all) => count(all.len()),
        Variant::PackedFloat32Array(all) => count(all.len()),
        Variant::PackedFloat64Array(all) => count(all.len()),
        Variant::PackedStringArray(all) => count(all.len()),
        Variant::PackedVector2Array(all) => count(all.len()),
        Variant::PackedVector2iArray(all) => count(all.len()),
        Variant::PackedVector3Array(all) => count(all.len()),
        Variant::PackedVector3iArray(all) => count(all.len()),
        Variant::PackedVector4Array(all) => count(all.len()),
        Variant::PackedVector4iArray(all) => count(all.len()),
        Variant::PackedColorArray(all) => count(all.len()),
        value => match value.as_array() {
            Some(array) => count(array.len()),
            None => String::new(),
        },
    }
}

/// The classes that values of a type have, as [`class`] names them.
fn classes(dialect: Dialect, variant_type: VariantType) -> Vec<String> {
    use VariantType as T;
    let rules = dialect.quirks();
    let all = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
    match variant_type {
        T::Bool => all(&["false", "true"]),
        T::Int if rules.int_width == IntWidth::Narrow => {
            all(&["zero", "small", "negative", "in 32 bits"])
        }
        T::Int => all(&["zero", "small", "negative", "in 32 bits", "in 64 bits"]),
        T::Float => {
            let wide = rules.int_width != IntWidth::Narrow;
            let mut names =
                all(&["NaN", "infinite", "minus zero", "zero", "subnormal", "in 32 bits"]);
            names.extend(wide.then(|| "in 64 bits".to_owned()));
            names
        }
        T::String | T::StringName => {
            let kinds = |rest: usize| ["ascii", "other"].map(|kind| format!("{rest} {kind}"));
            (0..4).flat_map(kinds).chain(["empty".to_owned()]).collect()
        }
        T::NodePath => {
            let of = |names: &'static str| {
                let pairs = [(false, false), (false, true), (true, false), (true, true)];
                let known =
                    pairs.into_iter().filter(move |(_, absolute)| names != "none" || !absolute);
                known.map(move |(subnames, absolute)| format!("{names} {subnames} {absolute}"))
            };
            COUNTS.into_iter().flat_map(of).collect()
        }
        T::Object if rules.objects == ObjectForms::HeaderOnly => all(&[""]),
        T::Object => all(&["id", "none", "one", "two", "many"]),
        T::PackedByteArray => all(&["none", "0", "1", "2", "3"]),
        T::Vector2i | T::Rect2i | T::Vector3i | T::Vector4i => all(&["plain", "edge"]),
        T::Color => all(&["plain", "NaN", "infinite", "minus zero"]),
        real if real.is_real() && !real.name().starts_with("Packed") => {
            all(&["plain", "NaN", "infinite", "minus zero"])
        }
        list if list.name().contains("Array") || list == T::Dictionary => all(&COUNTS),
        _ => all(&[""]),
    }
}

const PLACES: [&str; 5] = ["alone", "element", "key", "value", "property"];

/// Every cell of a dialect.
fn cells(dialect: Dialect) -> BTreeSet<Cell> {
    let mut cells = BTreeSet::new();
    for row in dialect.rows() {
        for place in PLACES {
            // Objects of Godot 2 have no properties.
            if place == "property" && dialect.quirks().objects == ObjectForms::HeaderOnly {
                continue;
            }
            for class in classes(dialect, row.variant_type) {
                cells.insert((row.variant_type, place, class));
            }
        }
    }
    cells
}

fn add(cells: &mut BTreeMap<Cell, u64>, value: &Variant) {
    let mut waiting = vec![(value, "alone")];
    while let Some((value, place)) = waiting.pop() {
        *cells.entry((value.variant_type(), place, class(value))).or_default() += 1;
        match value {
            Variant::Dictionary(pairs) => {
                waiting
                    .extend(pairs.iter().flat_map(|(key, value)| [(key, "key"), (value, "value")]));
            }
            Variant::Object(Object::Full(object)) => {
                waiting.extend(object.properties.iter().map(|(_, value)| (value, "property")));
            }
            value => {
                let elements = value.as_array().into_iter().flat_map(|array| array.iter());
                waiting.extend(elements.map(|value| (value, "element")));
            }
        }
    }
}

#[test]
fn ten_thousand_cases_hit_nearly_every_type_class_and_place() {
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::PANDEMONIUM, Dialect::GODOT4] {
        let cases = cases(dialect);
        let decoder = Decoder::new(dialect).allow_objects(true);
        let mut hit = BTreeMap::new();
        for number in 0..10_000 {
            let (value, _) = decoder.decode_prefix(&cases.case(number).bytes).expect("it is read");
            add(&mut hit, &value);
        }
        let cells = cells(dialect);
        let missing: Vec<_> = cells.iter().filter(|cell| !hit.contains_key(*cell)).collect();
        let share = 100 * (cells.len() - missing.len()) / cells.len();
        println!("{dialect}: {share} % of {} cells; without {missing:?}", cells.len());
        assert!(share >= 95, "{dialect}: {share} %; without {missing:?}");
    }
}

#[test]
fn five_hundred_cases_have_every_type() {
    for dialect in Dialect::all() {
        let cases = cases(dialect);
        let decoder = Decoder::new(dialect).allow_objects(true);
        let mut hit = BTreeMap::new();
        for number in 0..500 {
            let (value, _) = decoder.decode_prefix(&cases.case(number).bytes).expect("it is read");
            add(&mut hit, &value);
        }
        for row in dialect.rows() {
            let found = hit.keys().any(|(variant_type, ..)| *variant_type == row.variant_type);
            assert!(found, "{dialect}: {}", row.name);
        }
    }
}

/// Returns the percentage of a seed's bytes that influence the generated value.
fn utilisation(dialect: Dialect, config: &Config, length: usize, seeds: u64) -> usize {
    let made = |seed: &[u8]| {
        let value: Variant = variant(&mut Unstructured::new(seed), dialect, config).unwrap();
        Encoder::new(dialect).encode(&value).unwrap()
    };
    let (mut used, mut all) = (0, 0);
    for seed in 0..seeds {
        let mut seed = Noise::new(seed).bytes(length);
        let first = made(&seed);
        for at in 0..length {
            // Something seldom comes of the very highest numbers only, and a choice between few of the
            // highest bits.
            let before = seed[at];
            let changed = [0xff, 0x00, before ^ 0x80, before ^ 0x01];
            used += usize::from(changed.into_iter().any(|byte| {
                seed[at] = byte;
                made(&seed) != first
            }));
            seed[at] = before;
            all += 1;
        }
    }
    100 * used / all
}

#[test]
fn most_of_a_seed_matters() {
    // The budgets leave room for exactly this: the part of a value that is made after the end of the seed is not
    // tested.
    let config = Config {
        single_percent: 0,
        fill_percent: 100,
        max_nodes: 1500,
        max_count: 400,
        max_bytes: 1 << 16,
        ..Config::default()
    };
    let share = utilisation(Dialect::GODOT4, &config, 1024, 6);
    println!("{share} % of 1 KiB");
    assert!(share >= 80, "{share} %");
}

//! The mapping of Rust types to types of the engines, in writing and in reading.

use std::collections::{BTreeMap, HashMap};

use formwork_variant::frame::{ByteOrder, FrameWriter};
use formwork_variant::serde::{from_slice, from_variant, to_variant, to_vec};
use formwork_variant::{
    Array, Color, Dictionary, Image, Object, Plane, Projection, Quaternion, Rect2i, Signal,
    Variant, VariantType, Vector3, Vector4,
};
use formwork_variant::{Decoder, Dialect, Encoder, Strictness};
use serde::{Deserialize, Serialize};

fn value(value: &impl Serialize) -> Variant {
    to_variant(value).unwrap()
}

fn pairs<const COUNT: usize>(pairs: [(&str, Variant); COUNT]) -> Variant {
    pairs.into_iter().collect()
}

/// A build of double precision.
fn double() -> Dialect {
    Dialect::GODOT4.with_precision(formwork_variant::dialect::Precision::Double).unwrap()
}

/// The bytes of a packet.
fn words<const COUNT: usize>(words: [u32; COUNT]) -> Vec<u8> {
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

#[derive(Debug, Deserialize, PartialEq, Serialize)]
enum Item {
    Lamp,
    Coins(u32),
    Sword { damage: i32 },
    Pair(i8, bool),
}

#[test]
fn plain_values_are_what_the_table_says() {
    assert_eq!(value(&true), Variant::Bool(true));
    assert_eq!(value(&-5_i8), Variant::Int(-5));
    assert_eq!(value(&i64::MIN), Variant::Int(i64::MIN));
    assert_eq!(value(&0.5_f32), Variant::Float(0.5));
    assert_eq!(value(&'ß'), "ß");
    assert_eq!(value(&None::<i32>), Variant::Nil);
    assert_eq!(value(&Some(3)), Variant::Int(3));
    assert_eq!(value(&()), Variant::Nil);
    assert_eq!(value(&(1, "a")), Variant::Array(vec![Variant::Int(1), "a".into()].into()));
    assert_eq!(value(&HashMap::from([(7, 0.5)])), {
        Variant::Dictionary(vec![(Variant::Int(7), Variant::Float(0.5))].into())
    });
    assert_eq!(value(&Item::Lamp), "Lamp");
    assert_eq!(value(&Item::Coins(3)), pairs([("Coins", Variant::Int(3))]));
    assert_eq!(
        value(&Item::Sword { damage: 1 }),
        pairs([("Sword", pairs([("damage", Variant::Int(1))]))])
    );
    let pair = Variant::Array(vec![Variant::Int(-1), Variant::Bool(true)].into());
    assert_eq!(value(&Item::Pair(-1, true)), pairs([("Pair", pair)]));
    for item in [Item::Lamp, Item::Coins(3), Item::Sword { damage: 1 }, Item::Pair(-1, true)] {
        assert_eq!(from_variant::<Item, _>(&value(&item)).unwrap(), item);
    }
    assert!(to_variant(&u64::MAX).is_err());
    assert!(to_variant(&1_i128).is_err());
}

#[test]
fn numbers_are_taken_for_each_other_where_nothing_is_lost() {
    let float = |number| Variant::<f32>::Float(number);
    assert_eq!(from_variant::<f32, _>(&Variant::<f32>::Int(7)).unwrap(), 7.0);
    assert_eq!(from_variant::<u8, _>(&float(7.0)).unwrap(), 7);
    assert!(from_variant::<u8, _>(&float(7.5)).is_err());
    assert!(from_variant::<u8, _>(&float(300.0)).is_err());
    assert!(from_variant::<i64, _>(&float(9.3e18)).is_err());
    assert!(from_variant::<i64, _>(&float(f64::NAN)).is_err());
    assert!(from_variant::<u8, _>(&Variant::<f32>::Int(-1)).is_err());
    assert!(from_variant::<bool, _>(&Variant::<f32>::Int(1)).is_err());
}

#[test]
fn every_array_is_read_as_a_list() {
    let floats: Variant = vec![0.5_f32, 2.0].into();
    assert_eq!(from_variant::<Vec<f64>, _>(&floats).unwrap(), [0.5, 2.0]);
    assert_eq!(from_variant::<(f32, u8), _>(&floats).unwrap(), (0.5, 2));
    let bytes: Variant = vec![1_u8, 2].into();
    assert_eq!(from_variant::<Vec<i32>, _>(&bytes).unwrap(), [1, 2]);
    assert_eq!(from_variant::<&[u8], _>(&bytes).unwrap(), [1, 2]);
    let vectors: Variant = vec![Vector3::new(1.0, 2.0, 3.0)].into();
    assert_eq!(from_variant::<Vec<Vector3>, _>(&vectors).unwrap(), [Vector3::new(1.0, 2.0, 3.0)]);
    assert_eq!(from_variant::<Vec<[f32; 3]>, _>(&vectors).unwrap(), [[1.0, 2.0, 3.0]]);
    #[derive(Debug, Deserialize, PartialEq)]
    struct Point {
        x: f32,
        y: f32,
        z: f32,
    }
    let point = Point { x: 1.0, y: 2.0, z: 3.0 };
    assert_eq!(from_variant::<Vec<Point>, _>(&vectors).unwrap(), [point]);
    let numbers = Variant::<f32>::Array(vec![Variant::Int(1), 2.5.into(), Variant::Int(3)].into());
    assert_eq!(from_variant::<Vector3, _>(&numbers).unwrap(), Vector3::new(1.0, 2.5, 3.0));
    let error = from_variant::<[f32; 1], _>(&floats).unwrap_err();
    assert_eq!(error.rule().name(), "serde.length");
}

#[test]
fn typed_arrays_are_read_as_the_engine_keeps_them() {
    // An Array typed as floats of the ints 1 and 2, which no writer makes.
    let bytes = words([0x1_001c, 3, 2, 2, 1, 2, 2]);
    // Godot converts the elements.
    assert_eq!(
        from_slice::<Vec<Variant>>(&bytes, Dialect::GODOT4).unwrap(),
        [Variant::Float(1.0), Variant::Float(2.0)]
    );
}

#[test]
fn a_key_that_comes_twice_is_refused_by_a_struct_and_the_last_counts_in_a_map() {
    // {"a": 1, "b": 2, "a": 3}, which no writer makes.
    let [a, b] = [b'a', b'b'].map(u32::from);
    let bytes = words([18, 3, 4, 1, a, 2, 1, 4, 1, b, 2, 2, 4, 1, a, 2, 3]);
    #[derive(Debug, Deserialize, PartialEq)]
    struct Pair {
        a: i32,
        b: i32,
    }
    let error = from_slice::<Pair>(&bytes, Dialect::GODOT3).unwrap_err();
    assert_eq!(
        error.to_string(),
        "offset 0 (0x0), dictionary: expected the field `a` once, found it twice (malformed, rule serde.field)"
    );
    let map = from_slice::<BTreeMap<String, i32>>(&bytes, Dialect::GODOT3).unwrap();
    assert_eq!(map, BTreeMap::from([("a".into(), 3), ("b".into(), 2)]));
    // A value is what the engine keeps, and so is what is made of it.
    let value: Variant = from_slice(&bytes, Dialect::GODOT3).unwrap();
    assert_eq!(value, formwork_variant::from_slice(&bytes, Dialect::GODOT3).unwrap());
    assert_eq!(from_variant::<Pair, _>(&value).unwrap(), Pair { a: 3, b: 2 });
    // Only the engine's own output has none.
    let decoder = Decoder::new(Dialect::GODOT3).strictness(Strictness::Canonical);
    let error = decoder.deserialize::<BTreeMap<String, i32>>(&bytes).unwrap_err();
    assert_eq!(error.rule(), formwork_variant::codec::rule::DICTIONARY_KEYS);
}

#[test]
fn the_engines_types_are_themselves() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct All {
        rect: Rect2i,
        projection: Projection,
        signal: Signal,
        any: Variant,
        object: Object,
        #[serde(with = "formwork_variant::serde::string_name")]
        state: String,
        #[serde(with = "formwork_variant::serde::node_path")]
        target: String,
    }
    let all = All {
        rect: Rect2i::new(1, 2, 3, 4),
        projection: Projection::from_array([0.5; 16]),
        signal: Signal { name: "pressed".into(), object_id: u64::MAX },
        any: Variant::Rid(7),
        object: Object::Id(1 << 63),
        state: "idle".into(),
        target: "/root/Player:hp".into(),
    };
    let bytes = to_vec(&all, Dialect::GODOT4).unwrap();
    let value = formwork_variant::from_slice(&bytes, Dialect::GODOT4).unwrap();
    let types = ["rect", "projection", "signal", "any", "object", "state", "target"]
        .map(|key| value.get(key).unwrap().variant_type());
    assert_eq!(
        types,
        [
            VariantType::Rect2i,
            VariantType::Projection,
            VariantType::Signal,
            VariantType::Rid,
            VariantType::Object,
            VariantType::StringName,
            VariantType::NodePath,
        ]
    );
    assert_eq!(from_slice::<All>(&bytes, Dialect::GODOT4).unwrap(), all);
    let json = serde_json::to_string(&all).unwrap();
    assert_eq!(serde_json::from_str::<All>(&json).unwrap(), all, "{json}");
    let image = Image { format: 3, mipmaps: 0, width: 1, height: 1, data: vec![1, 2, 3] };
    let bytes = to_vec(&(&image,), Dialect::GODOT2).unwrap();
    assert_eq!(from_slice::<(Image,)>(&bytes, Dialect::GODOT2).unwrap(), (image,));
}

/// Types of four numbers, which serde's buffer must distinguish.
#[test]
fn a_buffer_keeps_the_engines_types_apart() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    #[serde(untagged)]
    enum Four {
        Color(Color),
        Plane(Plane),
        Quaternion(Quaternion),
        List([f32; 4]),
        Any(Variant),
    }
    let numbers = [0.25, 0.5, 0.75, 1.0];
    for four in [
        Four::Color(Color::from_array(numbers)),
        Four::Plane(Plane::from_array(numbers)),
        Four::Quaternion(Quaternion::from_array(numbers)),
        Four::Any(Vector4::from_array(numbers).into()),
        Four::Any(Variant::Rid(3)),
        Four::Any(pairs([("$Color", Variant::Int(1))])),
    ] {
        let bytes = to_vec(&four, Dialect::GODOT4).unwrap();
        assert_eq!(from_slice::<Four>(&bytes, Dialect::GODOT4).unwrap(), four);
    }
    #[derive(Debug, Deserialize)]
    #[serde(untagged)]
    enum OnlyList {
        #[allow(dead_code, reason = "never made")]
        List([f32; 4]),
    }
    let color: Variant = Color::from_array(numbers).into();
    assert!(from_variant::<OnlyList, _>(&color).is_err());
    assert!(from_variant::<[f32; 4], _>(&color).is_ok());
}

#[test]
fn a_flattened_struct_keeps_the_rest() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Known {
        hp: i32,
        #[serde(flatten)]
        rest: BTreeMap<String, Variant>,
    }
    let save = pairs([
        ("hp", Variant::Int(3)),
        ("at", Vector3::new(1.0, 2.0, 3.0).into()),
        ("tags", Variant::Array(vec!["a".into()].into())),
    ]);
    let bytes = formwork_variant::to_vec(&save, Dialect::GODOT3).unwrap();
    let known: Known = from_slice(&bytes, Dialect::GODOT3).unwrap();
    assert_eq!(known.rest["at"], Variant::from(Vector3::new(1.0, 2.0, 3.0)));
    let again =
        formwork_variant::from_slice(&to_vec(&known, Dialect::GODOT3).unwrap(), Dialect::GODOT3);
    assert_eq!(again.unwrap().at("at"), save.at("at"));
}

#[test]
fn texts_and_bytes_are_borrowed_from_the_packet() {
    #[derive(Debug, Deserialize, PartialEq, Serialize)]
    struct Borrowing<'a> {
        text: &'a str,
        #[serde(borrow, with = "bytes")]
        raw: &'a [u8],
    }
    mod bytes {
        use serde::{Deserialize, Deserializer, Serializer};
        pub(super) fn serialize<S: Serializer>(raw: &&[u8], to: S) -> Result<S::Ok, S::Error> {
            to.serialize_bytes(raw)
        }
        pub(super) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<&'de [u8], D::Error> {
            <&[u8]>::deserialize(from)
        }
    }
    for dialect in Dialect::all() {
        let packet = to_vec(&Borrowing { text: "a", raw: &[1, 2, 3] }, dialect).unwrap();
        let read: Borrowing<'_> = from_slice(&packet, dialect).unwrap();
        assert_eq!(read, Borrowing { text: "a", raw: &[1, 2, 3] });
        let within = packet.as_ptr_range();
        assert!(within.contains(&read.text.as_ptr()) && within.contains(&read.raw.as_ptr()));
    }
}

#[test]
fn values_and_frames_are_read_one_after_another() {
    let encoder = Encoder::new(Dialect::GODOT4);
    let mut packets = Vec::new();
    let mut frames = FrameWriter::new(Vec::new(), ByteOrder::Little);
    for item in [Item::Lamp, Item::Coins(1)] {
        encoder.serialize_into(&item, &mut packets).unwrap();
        frames.write_value(&value(&item), &encoder).unwrap();
    }
    let decoder = Decoder::new(Dialect::GODOT4);
    let items: Vec<Item> = decoder.deserialize_values(&packets).map(Result::unwrap).collect();
    assert_eq!(items, [Item::Lamp, Item::Coins(1)]);
    let frames = frames.into_inner();
    let items: Result<Vec<Item>, _> =
        decoder.deserialize_frames(&frames, ByteOrder::Little).collect();
    assert_eq!(items.unwrap(), [Item::Lamp, Item::Coins(1)]);
    let wrong: Vec<Result<bool, _>> =
        decoder.deserialize_frames(&frames, ByteOrder::Little).collect();
    assert_eq!(wrong[1].as_ref().unwrap_err().path().to_string(), "frame[1].dictionary");
    assert_eq!(wrong[1].as_ref().unwrap_err().offset(), 20);
}

/// A `Deserialize` that ignores an error, or reads nothing at all, does not disturb the reader.
#[test]
fn a_value_that_was_not_taken_is_passed_over() {
    #[derive(Debug, Deserialize, PartialEq)]
    struct Lenient {
        #[serde(deserialize_with = "or_default")]
        a: i32,
        b: i32,
    }
    fn or_default<'de, D: serde::Deserializer<'de>>(from: D) -> Result<i32, D::Error> {
        Ok(<(i32, i32)>::deserialize(from).map_or(-1, |pair| pair.0))
    }
    let inner = Variant::Array(vec!["no".into(), pairs([("a", Variant::Nil)])].into());
    let save = pairs([("a", inner), ("b", Variant::Int(2))]);
    for dialect in Dialect::all() {
        let bytes = formwork_variant::to_vec(&save, dialect).unwrap();
        let lenient = Lenient { a: -1, b: 2 };
        assert_eq!(from_slice::<Lenient>(&bytes, dialect).unwrap(), lenient);
        assert_eq!(from_variant::<Lenient, _>(&save).unwrap(), lenient);
    }
}

/// A value that the codec refuses is refused as a struct by serde, with the same error.
#[test]
fn what_is_serialized_is_held_to_what_is_encoded() {
    fn refused(value: &impl Serialize, encoded: &Variant, dialect: Dialect) {
        let encoder = Encoder::new(dialect);
        let expected = encoder.encode(encoded).unwrap_err();
        assert_eq!(encoder.serialize(value).unwrap_err(), expected, "{dialect}");
    }
    // Keys of any kind that come twice.
    struct Pairs<K>(Vec<(K, i32)>);
    impl<K: Serialize> Serialize for Pairs<K> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }
    fn twice<K: Serialize + Clone>(key: &K, again: &K) {
        let pairs = Pairs(vec![(key.clone(), 1), (again.clone(), 2)]);
        let encoded =
            Dictionary::from(vec![(value(key), Variant::Int(1)), (value(again), Variant::Int(2))]);
        refused(&pairs, &Variant::Dictionary(encoded), Dialect::GODOT4);
    }
    twice(&"a", &"a");
    twice(&7, &7);
    twice(&0.0, &-0.0);
    twice(&Vector3::<f32>::new(1.0, 2.0, 3.0), &Vector3::new(1.0, 2.0, 3.0));
    twice(&[1, 2], &[1, 2]);
    twice(&Variant::<f32>::PackedByteArray(vec![1]), &Variant::PackedByteArray(vec![1]));
    twice(&Variant::<f32>::String("a".into()), &Variant::StringName("a".into()));
    // Of two faults, serde meets the value first, which comes before the key in the packet; the codec compares the
    // keys first. Neither writes anything.
    let inner = Variant::<f32>::Array(vec![Variant::Rid(1)].into());
    let twice = vec![("a".into(), inner.clone()), ("a".into(), inner)];
    let twice = Variant::Dictionary(Dictionary::from(twice));
    let rid = to_vec(&twice, Dialect::GODOT3).unwrap_err();
    assert_eq!((rid.rule(), rid.offset()), (formwork_variant::codec::rule::DIALECT_VALUE, 32));
    assert_eq!(rid.path().to_string(), "dictionary[0].value.array[0].rid");
    let keys = Encoder::new(Dialect::GODOT3).encode(&twice).unwrap_err();
    assert_eq!(keys.rule(), formwork_variant::codec::rule::DICTIONARY_KEYS);
    // Elements of another type.
    let mut typed = Array::from(vec![Variant::<f32>::Int(1)]);
    typed.set_element_type(Some(formwork_variant::ElementType::Builtin(VariantType::Float)));
    let typed = Variant::Array(typed);
    refused(&(&typed,), &Variant::Array(vec![typed.clone()].into()), Dialect::GODOT4);
    // A null and a null object, which Pandemonium writes alike, are two keys, beside others that are compared.
    let keys =
        [Variant::<f32>::Nil, Variant::Object(Object::Null), Variant::PackedByteArray(vec![1])];
    let pairs = keys.map(|key| (key, Variant::Nil)).to_vec();
    let encoded = Variant::Dictionary(Dictionary::from(pairs));
    for dialect in [Dialect::PANDEMONIUM, Dialect::GODOT4] {
        assert_eq!(
            to_vec(&encoded, dialect),
            formwork_variant::to_vec(&encoded, dialect),
            "{dialect}"
        );
    }
    // Different keys are written, many of them, too.
    let many: Vec<(i32, i32)> = (0..1000).map(|key| (key, -key)).collect();
    let encoded: Vec<(Variant, Variant)> =
        many.iter().map(|&(key, of)| (Variant::Int(key.into()), Variant::Int(of.into()))).collect();
    let encoded = Variant::Dictionary(Dictionary::from(encoded));
    assert_eq!(
        to_vec(&Pairs(many), Dialect::GODOT4).unwrap(),
        formwork_variant::to_vec(&encoded, Dialect::GODOT4).unwrap()
    );
}

/// An ordinary NaN is written in both precisions; one that a change of width would alter, and a number
/// that 32 bits do not hold, are refused on every way.
#[test]
fn a_number_that_a_change_of_width_alters_is_refused_on_every_way() {
    use formwork_variant::serde::to_variant_in;
    let double = double();
    for nan in [f32::NAN, -f32::NAN, f32::from_bits(0x7fc0_1234)] {
        let quiet = Vector3::new(nan, f32::INFINITY, -0.0);
        let read: Vector3 = from_slice(&to_vec(&quiet, double).unwrap(), double).unwrap();
        assert_eq!(read.to_array().map(f32::to_bits), quiet.to_array().map(f32::to_bits));
        to_vec(&quiet, Dialect::GODOT4).unwrap();
        to_variant_in::<_, f64>(&quiet).unwrap();
    }
    let signalling = Vector3::new(f32::from_bits(0x7f80_0001), 0.0, 0.0);
    to_vec(&signalling, Dialect::GODOT4).unwrap();
    to_vec(&signalling, double).unwrap_err();
    to_variant_in::<_, f64>(&signalling).unwrap_err();
    to_vec(&[signalling].as_slice(), double).unwrap_err();
    let fine = Vector3::<f64>::new(0.1, 0.0, 0.0);
    to_vec(&fine, double).unwrap();
    to_vec(&fine, Dialect::GODOT4).unwrap_err();
    let error = to_variant(&(fine,)).unwrap_err();
    assert_eq!(error.path().to_string(), "array[0].vector3");
}

/// Skipped values and keys need not fit in 32 bits.
#[test]
fn numbers_of_64_bits_are_passed_over_and_are_keys() {
    let double = double();
    let fine = || Variant::Vector3(Vector3::<f64>::new(0.1, 0.0, 0.0));
    let pairs =
        vec![("a".into(), fine()), (fine(), Variant::Int(2)), ("b".into(), Variant::Int(3))];
    let bytes = Encoder::new(double)
        .double()
        .encode(&Variant::Dictionary(Dictionary::from(pairs)))
        .unwrap();
    #[derive(Debug, Deserialize, PartialEq)]
    struct B {
        b: i32,
    }
    from_slice::<serde::de::IgnoredAny>(&bytes, double).unwrap();
    let only = vec![("a".into(), fine()), ("b".into(), Variant::<f64>::Int(3))];
    let bytes =
        Encoder::new(double).double().encode(&Variant::Dictionary(Dictionary::from(only))).unwrap();
    assert_eq!(from_slice::<B>(&bytes, double).unwrap(), B { b: 3 });
}

/// A `Variant<f32>` of a build of double precision is refused with the error of the codec if it differs from the
/// packet; in a field of 32 bits of the user's struct a number is rounded, as in every `f32`.
#[test]
fn a_value_of_32_bits_takes_only_what_fits_as_the_codec_does() {
    let double = double();
    let decoder = Decoder::new(double);
    let fine = Vector3::<f64>::new(0.1, 0.0, 0.0);
    let single = Vector3::<f64>::new(0.5, 0.0, 0.0);
    let values = |vector| {
        let vectors = Variant::PackedVector3Array(vec![single, vector]);
        let key = Variant::Dictionary(vec![(Variant::Vector3(vector), Variant::Nil)].into());
        [Variant::Vector3(vector), Variant::Array(vec![Variant::Nil, vectors].into()), key]
    };
    for value in values(fine) {
        let bytes = Encoder::new(double).double().encode(&value).unwrap();
        let expected = decoder.decode(&bytes).unwrap_err();
        assert_eq!(decoder.deserialize::<Variant>(&bytes).unwrap_err(), expected);
        let read: Variant<f64> = decoder.deserialize(&bytes).unwrap();
        assert!(read.is_identical(&value));
        assert_eq!(from_variant::<Variant, _>(&value).unwrap_err().path(), expected.path());
    }
    for value in values(single) {
        let bytes = Encoder::new(double).double().encode(&value).unwrap();
        let expected = decoder.decode(&bytes).unwrap();
        assert!(decoder.deserialize::<Variant>(&bytes).unwrap().is_identical(&expected));
    }
    let bytes = Encoder::new(double).double().encode(&Variant::Vector3(fine)).unwrap();
    assert_eq!(from_slice::<Vector3>(&bytes, double).unwrap(), Vector3::new(0.1, 0.0, 0.0));
}

thread_local! {
    /// How often a [`Counted`] was made in this test's thread.
    static MADE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// A type that counts how often it is read.
#[derive(Debug)]
struct Counted;

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        MADE.set(MADE.get() + 1);
        i32::deserialize(deserializer).map(|_| Self)
    }
}

impl Serialize for Counted {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MADE.set(MADE.get() + 1);
        serializer.serialize_i32(7)
    }
}

#[test]
fn a_type_is_written_once_whatever_is_around_it() {
    struct Pairs<K>(Vec<(K, Counted)>);
    impl<K: Serialize> Serialize for Pairs<K> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }
    fn times(value: &impl Serialize) -> (bool, u32) {
        MADE.set(0);
        (to_vec(value, Dialect::GODOT4).is_ok(), MADE.get())
    }
    assert_eq!(times(&Pairs(vec![("a", Counted), ("b", Counted)])), (true, 2));
    assert_eq!(times(&Pairs(vec![("a", Counted), ("a", Counted)])), (false, 2));
    assert_eq!(times(&Pairs(vec![([1], Counted), ([2], Counted)])), (true, 2));
    assert_eq!(times(&Pairs(vec![([1], Counted), ([1], Counted)])), (false, 2));
    assert_eq!(times(&(Counted, u64::MAX)), (false, 1));
}

#[test]
fn a_type_is_read_once_whatever_the_bytes() {
    let [a, b] = [b'a', b'b'].map(u32::from);
    let packets = [
        // {"a": 1, "b": 2}; with a key that comes twice; with one whose padding is not zero; with a text for an int.
        (words([18, 2, 4, 1, a, 2, 1, 4, 1, b, 2, 2]), 2, true),
        (words([18, 2, 4, 1, a, 2, 1, 4, 1, a, 2, 2]), 2, true),
        (words([18, 2, 4, 1, a, 2, 1, 4, 1, b | 0x100, 2, 2]), 2, true),
        (words([18, 2, 4, 1, a, 4, 1, a, 4, 1, b, 2, 2]), 1, false),
    ];
    for (number, (bytes, times, is_read)) in packets.iter().enumerate() {
        MADE.set(0);
        let read = from_slice::<BTreeMap<String, Counted>>(bytes, Dialect::GODOT3);
        assert_eq!((read.is_ok(), MADE.get()), (*is_read, *times), "{number}");
        for cut in 0..bytes.len() {
            MADE.set(0);
            from_slice::<BTreeMap<String, Counted>>(&bytes[..cut], Dialect::GODOT3).unwrap_err();
            assert!(MADE.get() <= *times, "{number}, {cut} bytes: {} times", MADE.get());
        }
        MADE.set(0);
        let more = [&bytes[..], &[0; 4]].concat();
        from_slice::<BTreeMap<String, Counted>>(&more, Dialect::GODOT3).unwrap_err();
        assert_eq!(MADE.get(), *times, "{number}");
    }
    // A typed array whose elements are of another type: Godot makes floats of the ints 1 and 2.
    MADE.set(0);
    let bytes = words([0x1_001c, 3, 2, 2, 1, 2, 2]);
    from_slice::<Vec<Counted>>(&bytes, Dialect::GODOT4).unwrap();
    assert_eq!(MADE.get(), 2);
}

/// A value that stands for a default if it is none of its type: a common pattern.
#[derive(Debug, Default, PartialEq)]
struct Lenient<T>(T);

impl<'de, T: Deserialize<'de> + Default> Deserialize<'de> for Lenient<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(T::deserialize(deserializer).unwrap_or_default()))
    }
}

#[test]
fn an_error_of_the_codec_that_a_type_ignores_is_returned() {
    // [[?], 7, 8], where ? has a type that no engine has: what follows is not read as its content.
    let bytes = words([28, 3, 28, 1, 99, 2, 7, 2, 8]);
    let expected = formwork_variant::from_slice(&bytes, Dialect::GODOT4).unwrap_err();
    let read = from_slice::<Vec<Lenient<Vec<i32>>>>(&bytes, Dialect::GODOT4);
    assert_eq!(read.unwrap_err(), expected);
    let dropped = from_slice::<Lenient<Vec<i32>>>(&bytes, Dialect::GODOT4);
    assert_eq!(dropped.unwrap_err(), expected);
}

#[test]
fn an_object_is_read_on_behind_a_property_that_a_type_ignores() {
    // {"$Object": {"class": .., "properties": [[name, value], ..]}}, of which the second value is a text.
    #[derive(Debug, Default, Deserialize, PartialEq)]
    struct Parts {
        class: String,
        properties: Vec<(String, i32)>,
    }
    #[derive(Debug, Default, Deserialize, PartialEq)]
    struct Tagged {
        #[serde(rename = "$Object")]
        object: Parts,
    }
    let object = |second: Variant| {
        let properties = vec![
            ("a".into(), Variant::Int(1)),
            ("b".into(), second),
            ("c".into(), Variant::Int(3)),
        ];
        let object = formwork_variant::FullObject { class: "Node".into(), properties };
        Variant::Object(Object::Full(Box::new(object)))
    };
    let list =
        Variant::Array(vec![object("x".into()), object(Variant::Int(2)), Variant::Int(5)].into());
    let decoder = Decoder::new(Dialect::GODOT4).allow_objects(true);
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(from = "Any")]
    struct Any2(Any);
    impl From<Any> for Any2 {
        fn from(any: Any) -> Self {
            Self(any)
        }
    }
    type Any = (Lenient<Map>, Lenient<Map>, i32);
    /// The object as a map with a tag, as a visitor of any value sees it.
    #[derive(Debug, Default, PartialEq)]
    struct Map(Tagged);
    impl<'de> Deserialize<'de> for Map {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Map;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an object")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(self, map: A) -> Result<Map, A::Error> {
                    let from = serde::de::value::MapAccessDeserializer::new(map);
                    Tagged::deserialize(from).map(Map)
                }
            }
            deserializer.deserialize_any(Visitor)
        }
    }
    let bytes = Encoder::new(Dialect::GODOT4).encode(&list).unwrap();
    let Any2((first, second, last)) = decoder.deserialize(&bytes).unwrap();
    assert_eq!(first, Lenient::default());
    assert_eq!(second.0.0.object.properties.len(), 3);
    assert_eq!(last, 5);
    let Any2(read) = from_variant(&list).unwrap();
    assert_eq!((read.1, read.2), (second, 5));
}

#[test]
fn errors_inside_a_container_that_the_engine_converts_have_a_place() {
    // An Array typed as floats, of the ints 1 and 300.
    let bytes = words([0x1_001c, 3, 2, 2, 1, 2, 300]);
    let error = from_slice::<Vec<u8>>(&bytes, Dialect::GODOT4).unwrap_err();
    assert_eq!(error.path().to_string(), "array[1].float");
    // Depth counts on from the containers around it.
    let mut deep = words([28, 1]).repeat(formwork_variant::serde::DEPTH as usize);
    deep.extend(&bytes);
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Nested {
        Leaf(f64),
        Node(Vec<Nested>),
    }
    let flat = from_slice::<Nested>(&bytes, Dialect::GODOT4).unwrap();
    assert_eq!(flat, Nested::Node(vec![Nested::Leaf(1.0), Nested::Leaf(300.0)]));
    let error = from_slice::<Nested>(&deep, Dialect::GODOT4).unwrap_err();
    assert_eq!(error.rule(), formwork_variant::Rule::DEPTH_LIMIT);
}

#[test]
fn trailing_bytes_come_before_a_mismatch_with_the_type() {
    let bytes = words([2, 5, 0]);
    let error = from_slice::<String>(&bytes, Dialect::GODOT4).unwrap_err();
    assert_eq!(error.rule(), formwork_variant::Rule::INPUT_TRAILING);
}

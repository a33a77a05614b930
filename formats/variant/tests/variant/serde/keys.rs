//! Keys of dictionaries that come twice: among few and many, around inner dictionaries, in every form of a text.

use std::collections::BTreeMap;

use formwork_variant::serde::{from_slice, from_variant, to_vec};
use formwork_variant::{Decoder, Dialect, Encoder, Limits, Strictness};
use formwork_variant::{Dictionary, Variant, VariantType};
use serde::Serialize;
use serde::ser::SerializeStruct;

/// The packet of a text whose padding is not zero, which no engine writes and every engine reads.
fn odd_text(text: &str) -> Vec<u8> {
    let mut bytes = formwork_variant::to_vec(&text.into(), Dialect::GODOT4).unwrap();
    if !text.len().is_multiple_of(4) {
        *bytes.last_mut().unwrap() = 1;
    }
    bytes
}

fn packet(value: &Variant) -> Vec<u8> {
    formwork_variant::to_vec(value, Dialect::GODOT4).unwrap()
}

/// Returns a dictionary of these pairs, with any keys.
fn dictionary(pairs: &[(Vec<u8>, Vec<u8>)]) -> Vec<u8> {
    let count = pairs.len() as u32;
    let mut bytes = [27_u32.to_le_bytes(), count.to_le_bytes()].concat();
    for (key, value) in pairs {
        bytes.extend_from_slice(key);
        bytes.extend_from_slice(value);
    }
    bytes
}

#[test]
fn a_key_that_is_read_twice_counts_as_for_the_codec_in_a_variant() {
    let plain = |key: &str| packet(&key.into());
    let name = |key: &str| packet(&Variant::StringName(key.into()));
    let int = |number: i64| packet(&Variant::Int(number));
    let inner = || dictionary(&[(plain("a"), int(10)), (plain("b"), int(11))]);
    let many = |last: Vec<u8>| {
        let mut pairs: Vec<_> = (0..40).map(|at| (plain(&format!("k{at}")), int(at))).collect();
        pairs.insert(3, (int(5), int(6)));
        pairs.push((last, int(99)));
        dictionary(&pairs)
    };
    let packets = [
        dictionary(&[(plain("a"), int(1)), (plain("b"), inner()), (plain("a"), int(2))]),
        dictionary(&[(plain("a"), inner()), (plain("b"), inner()), (plain("c"), int(2))]),
        dictionary(&[(plain("a"), int(1)), (odd_text("a"), int(2))]),
        dictionary(&[(odd_text("a"), int(1)), (plain("a"), int(2))]),
        dictionary(&[(odd_text("a"), int(1)), (odd_text("a"), int(2))]),
        dictionary(&[(plain("a"), int(1)), (name("a"), int(2))]),
        dictionary(&[(name("a"), int(1)), (int(1), int(3)), (name("a"), int(2))]),
        dictionary(&[(int(1), int(1)), (int(1), int(2)), (plain("a"), int(2))]),
        many(plain("k0")),
        many(plain("k39")),
        many(odd_text("k39")),
        many(plain("k40")),
        many(name("k17")),
    ];
    for (at, bytes) in packets.iter().enumerate() {
        let whole: Variant = Decoder::new(Dialect::GODOT4).decode(bytes).unwrap();
        assert_eq!(from_slice::<Variant>(bytes, Dialect::GODOT4).unwrap(), whole, "{at}");
        // And in a list, where the keys are compared as the map compares them, and the last counts.
        let list = [28_u32.to_le_bytes(), 2_u32.to_le_bytes()].concat();
        let list = [list, bytes.clone(), bytes.clone()].concat();
        let read = from_slice::<Vec<BTreeMap<Odd, Variant>>>(&list, Dialect::GODOT4).unwrap();
        let whole = whole.as_dictionary().unwrap();
        for map in &read {
            for (key, value) in whole {
                let same =
                    [key.clone(), Variant::StringName(key.as_str().unwrap_or_default().into())];
                let mut read = same.iter().filter_map(|key| map.get(&Odd(key.clone())));
                assert!(read.next_back() == Some(value), "{at}: {key:?} of {map:?}");
            }
        }
        assert_eq!(read.len(), 2, "{at}");
    }
}

/// A key of any kind.
#[derive(Clone, Debug, PartialEq)]
struct Odd(Variant);

impl<'de> serde::Deserialize<'de> for Odd {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Variant::deserialize(deserializer).map(Self)
    }
}

impl Odd {
    fn text(&self) -> String {
        format!("{:?}", self.0)
    }
}

impl Eq for Odd {}

impl PartialOrd for Odd {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Odd {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text().cmp(&other.text())
    }
}

/// Pairs of a dictionary.
struct Pairs<'v>(&'v [(Variant, Variant)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

#[test]
fn a_key_that_is_written_twice_is_refused_wherever_it_stands() {
    let inner = vec![("a".into(), Variant::Int(1)), ("b".into(), Variant::Int(2))];
    let inner = Dictionary::from(inner);
    let inner = || Variant::Dictionary(inner.clone());
    let many = |last: Variant| {
        let mut pairs: Vec<(Variant, Variant)> =
            (0..40).map(|at| (format!("k{at}").into(), Variant::Int(at))).collect();
        pairs.insert(3, (Variant::Int(5), inner()));
        pairs.push((last, Variant::Nil));
        pairs
    };
    let name = |key: &str| Variant::StringName(key.into());
    let few = |keys: [Variant; 3]| keys.map(|key| (key, inner())).to_vec();
    let cases = [
        few(["a".into(), "b".into(), "c".into()]),
        few(["a".into(), "b".into(), "a".into()]),
        few(["a".into(), "b".into(), name("a")]),
        few(["".into(), "b".into(), "".into()]),
        many("k0".into()),
        many("k39".into()),
        many("k40".into()),
        many(name("k1")),
        many(Variant::Int(5)),
        many(Variant::Int(6)),
    ];
    for (at, pairs) in cases.iter().enumerate() {
        let whole = Variant::Dictionary(Dictionary::from(pairs.clone()));
        let expected = Encoder::new(Dialect::GODOT4).encode(&whole);
        assert_eq!(to_vec(&Pairs(pairs), Dialect::GODOT4), expected, "{at}");
    }
}

/// Fields with names short and long, more than a word has bits, and some of them again.
const FIELDS: &[&str] = &[
    "a",
    "b",
    "c",
    "a",
    "",
    "four",
    "fives",
    "name of twenty-four bytes",
    "name of twenty-four byte",
    "\u{fffd}",
    "\u{feff}mark",
    "z\0ero",
    "k0",
    "k1",
    "k2",
    "k3",
    "k4",
    "k5",
    "k6",
    "k7",
    "k8",
    "k9",
    "k10",
    "k11",
    "k12",
    "k13",
    "k14",
    "k15",
    "k16",
    "k17",
    "k18",
    "k19",
    "k20",
    "k21",
    "k22",
    "k23",
    "k24",
    "k25",
    "k26",
    "k27",
    "k28",
    "k29",
    "k30",
    "k31",
    "k32",
    "k33",
    "k34",
    "k35",
    "k36",
    "k37",
    "k38",
    "k39",
    "k40",
    "k41",
    "k42",
    "k43",
    "k44",
    "k45",
    "k46",
    "k47",
    "k48",
    "k49",
    "k50",
    "k51",
    "k52",
    "k53",
    "k54",
    "k55",
    "k56",
    "k57",
    "k58",
    "k59",
];

/// A struct that keeps its fields as they come.
#[derive(Debug, PartialEq)]
struct Kept(Vec<(String, i64)>);

impl<'de> serde::Deserialize<'de> for Kept {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Kept;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("fields")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut pairs: A,
            ) -> Result<Kept, A::Error> {
                let mut kept = Vec::new();
                while let Some(pair) = pairs.next_entry()? {
                    kept.push(pair);
                }
                Ok(Kept(kept))
            }
        }

        deserializer.deserialize_struct("Kept", FIELDS, Visitor)
    }
}

#[test]
fn fields_of_structs_are_read_in_whatever_order_they_stand() {
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM] {
        let packet = |value: &Variant| formwork_variant::to_vec(value, dialect).unwrap();
        let plain = |key: &str| {
            let mut bytes = packet(&"".into());
            bytes[4..].copy_from_slice(&(key.len() as u32).to_le_bytes());
            bytes.extend_from_slice(key.as_bytes());
            bytes.resize(bytes.len().next_multiple_of(4), 0);
            bytes
        };
        let has_names = dialect.type_id(VariantType::StringName).is_some();
        let name = |key: &str| match has_names {
            true => packet(&Variant::StringName(key.into())),
            false => plain(key),
        };
        let odd = |key: &str| {
            let mut bytes = plain(key);
            *bytes.last_mut().unwrap() = 1;
            bytes
        };
        let flagged = |key: &str| {
            let mut bytes = plain(key);
            bytes[2] = 1;
            bytes
        };
        let all = || FIELDS.iter().map(|name| plain(name)).collect::<Vec<_>>();
        let cases: Vec<Vec<Vec<u8>>> = vec![
            vec![],
            ["a", "b", "c"].map(plain).to_vec(),
            ["c", "b", "a"].map(plain).to_vec(),
            ["a", "b", "a"].map(plain).to_vec(),
            ["b", "b"].map(plain).to_vec(),
            ["a", "other", "c", "other"].map(plain).to_vec(),
            ["other", "a", "", "c", "another", "fives"].map(plain).to_vec(),
            vec![plain("a"), name("b"), plain("c")],
            vec![plain("a"), name("a")],
            vec![name("a"), plain("a")],
            vec![name("a"), name("a")],
            vec![plain("a"), odd("a")],
            vec![odd("a"), plain("a"), plain("b")],
            vec![odd("b"), plain("a")],
            vec![plain("a"), flagged("b"), plain("c")],
            vec![plain("a"), flagged("a")],
            vec![packet(&Variant::Int(1)), plain("a")],
            ["\u{fffd}", "\u{feff}mark", "z\0ero", "mark", "z"].map(plain).to_vec(),
            ["name of twenty-four bytes", "name of twenty-four byte"].map(plain).to_vec(),
            ["name of twenty-four byte", "name of twenty-four byte"].map(plain).to_vec(),
            ["name of twenty-four bytes", "name of twenty-four bytes"].map(plain).to_vec(),
            FIELDS[12..].iter().map(|name| plain(name)).collect(),
            FIELDS[12..].iter().rev().map(|name| plain(name)).collect(),
            FIELDS[4..].iter().chain(&["k59"]).map(|name| plain(name)).collect(),
            all(),
            all().into_iter().chain([plain("k59")]).collect(),
        ];
        for (case, keys) in cases.iter().enumerate() {
            let id = u32::from(dialect.type_id(VariantType::Dictionary).unwrap());
            let mut bytes = [id.to_le_bytes(), (keys.len() as u32).to_le_bytes()].concat();
            for (at, key) in keys.iter().enumerate() {
                bytes.extend_from_slice(key);
                bytes.extend_from_slice(&packet(&Variant::Int(at as i64)));
            }
            // And in a list, where the struct is known the second time.
            let id = u32::from(dialect.type_id(VariantType::Array).unwrap());
            let list = [&[id.to_le_bytes(), 2_u32.to_le_bytes()].concat()[..], &bytes, &bytes];
            let list = list.concat();
            for (strictness, most) in [
                (Strictness::Engine, 1 << 20),
                (Strictness::Canonical, 1 << 20),
                (Strictness::Engine, 24),
                (Strictness::Engine, 8),
            ] {
                let limits = Limits::new().packet_bytes(most);
                let decoder = Decoder::new(dialect).strictness(strictness).limits(limits);
                // A dictionary is read as it is in the packet, repeated keys included.
                let text = |(key, at): (&Vec<u8>, i64)| {
                    let key: Variant = Decoder::new(dialect).decode(key).unwrap();
                    (key.as_str().unwrap_or_default().to_owned(), at)
                };
                let all = || Kept(keys.iter().zip(0..).map(text).collect());
                let expected = decoder.decode(&bytes).and_then(|value| from_variant(&value));
                let expected = expected.map(|_: Kept| all());
                let read = decoder.deserialize::<Kept>(&bytes);
                assert_eq!(read.as_ref().ok(), expected.as_ref().ok(), "{dialect}: {case}");
                let rules =
                    [&read, &expected].map(|made| made.as_ref().err().map(|error| error.rule()));
                assert_eq!(rules[0], rules[1], "{dialect}: {case}");
                let expected = decoder.decode(&list).and_then(|value| from_variant(&value));
                let expected = expected.map(|_: Vec<Kept>| vec![all(), all()]);
                let read = decoder.deserialize::<Vec<Kept>>(&list);
                let shown = |made: Result<Vec<Kept>, formwork_variant::Error>| {
                    made.map_err(|error| (error.rule(), error.path().clone()))
                };
                assert_eq!(shown(read), shown(expected), "{dialect}: {case}");
            }
        }
    }
}

/// A struct with these fields.
#[derive(Debug)]
struct Given(Vec<&'static str>);

impl Serialize for Given {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Given", self.0.len())?;
        for (at, name) in self.0.iter().enumerate() {
            fields.serialize_field(name, &(at as i64))?;
        }
        fields.end()
    }
}

#[test]
fn fields_of_structs_are_written_as_a_dictionary_of_them_is() {
    let elsewhere: &'static str = String::from("b").leak();
    let cases: Vec<Vec<&'static str>> = vec![
        vec![],
        vec!["a", "b", "c"],
        vec!["a", "c"],
        vec!["c", "b", "a"],
        vec!["a", elsewhere, "c"],
        vec!["a", "b", elsewhere],
        vec!["a", "b", "a"],
        vec!["\u{feff}mark", "a"],
        vec!["z\0ero"],
        vec!["name of twenty-four bytes", "a", "name of twenty-four bytes"],
        vec!["name of twenty-four byte", "a", "name of twenty-four byte"],
        FIELDS[12..].to_vec(),
        FIELDS[12..].iter().rev().copied().collect(),
        FIELDS[12..].iter().chain(&["more", "and more", "still more"]).copied().collect(),
        FIELDS[12..].iter().chain(&["k59"]).copied().collect(),
        FIELDS[12..].iter().chain(&["more", "and more", "x", "y", "z", "z"]).copied().collect(),
        vec!["z", "k0", "k0"],
    ];
    let whole = |names: &[&'static str]| {
        let pairs =
            names.iter().enumerate().map(|(at, &name)| (name.into(), Variant::Int(at as i64)));
        Variant::Dictionary(Dictionary::from(pairs.collect::<Vec<(Variant, Variant)>>()))
    };
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM] {
        for names in &cases {
            let expected = Encoder::new(dialect).encode(&whole(names));
            assert_eq!(to_vec(&Given(names.clone()), dialect), expected, "{dialect}: {names:?}");
        }
        // Behind each other, so that each struct is known from others.
        for last in &cases {
            let given = cases
                .iter()
                .filter(|names| formwork_variant::to_vec(&whole(names), dialect).is_ok());
            let given: Vec<_> = given.chain([last]).cloned().map(Given).collect();
            let values: Vec<Variant> = given.iter().map(|Given(names)| whole(names)).collect();
            let expected = Encoder::new(dialect).encode(&Variant::Array(values.into()));
            assert_eq!(to_vec(&given, dialect), expected, "{dialect}: {last:?}");
        }
    }
}

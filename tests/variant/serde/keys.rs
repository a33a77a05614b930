//! Keys of dictionaries that come twice: among few and many, around inner dictionaries, in every form of a text.

use std::collections::BTreeMap;

use formwork::serde::{from_slice, to_vec};
use formwork::variant::{Dictionary, Variant};
use formwork::{Decoder, Dialect, Encoder};
use serde::Serialize;

/// The packet of a text whose padding is not zero, which no engine writes and every engine reads.
fn odd_text(text: &str) -> Vec<u8> {
    let mut bytes = formwork::to_vec(&text.into(), Dialect::GODOT4).unwrap();
    if !text.len().is_multiple_of(4) {
        *bytes.last_mut().unwrap() = 1;
    }
    bytes
}

fn packet(value: &Variant) -> Vec<u8> {
    formwork::to_vec(value, Dialect::GODOT4).unwrap()
}

/// A dictionary of these pairs, whatever their keys are.
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
fn a_key_that_is_read_twice_counts_as_for_the_codec_wherever_it_stands() {
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
        // And in a list, into a map.
        let list = [28_u32.to_le_bytes(), 2_u32.to_le_bytes()].concat();
        let list = [list, bytes.clone(), bytes.clone()].concat();
        let read = from_slice::<Vec<BTreeMap<Odd, Variant>>>(&list, Dialect::GODOT4).unwrap();
        let lengths: Vec<_> = read.iter().map(BTreeMap::len).collect();
        assert_eq!(lengths, [whole.as_dictionary().unwrap().len(); 2], "{at}");
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

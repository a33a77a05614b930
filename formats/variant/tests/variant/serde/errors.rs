//! Errors name the fault and its place.

use std::collections::BTreeMap;

use formwork_variant::Variant;
use formwork_variant::codec;
use formwork_variant::serde::rule;
use formwork_variant::serde::{DEPTH, from_slice, from_variant, to_variant, to_vec};
use formwork_variant::{Decoder, Dialect, Limits, Rule};
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, Serialize)]
struct Save {
    players: Vec<Player>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Player {
    level: u8,
    #[serde(default)]
    class: Option<Class>,
}

#[derive(Debug, Deserialize, Serialize)]
enum Class {
    Bard,
    Rogue,
}

fn save(player: Variant) -> Variant {
    [("players", Variant::Array(vec![player].into()))].into_iter().collect()
}

/// The error of a save with this player, from bytes; from a value it is the same without an offset.
fn error(player: Variant) -> (String, u64) {
    let save = save(player);
    let bytes = formwork_variant::to_vec(&save, Dialect::GODOT3).unwrap();
    let error = from_slice::<Save>(&bytes, Dialect::GODOT3).unwrap_err();
    let without = from_variant::<Save, _>(&save).unwrap_err();
    assert_eq!((without.rule(), without.path()), (error.rule(), error.path()));
    assert_eq!((without.expected(), without.found()), (error.expected(), error.found()));
    let text =
        format!("{} {}: {}, {}", error.rule(), error.path(), error.expected(), error.found());
    (text, error.offset())
}

#[test]
fn an_error_names_the_place_and_the_field() {
    let player = |pairs: &[(&str, Variant)]| pairs.iter().cloned().collect::<Variant>();
    // 8 bytes of the dictionary, 16 of the key, 8 of the array, 8 of the player, 16 of `level`.
    assert_eq!(error(player(&[("level", "high".into())])), (
        "serde.type dictionary[0].value.array[0].dictionary[0].value.string: u8, string \"high\"".into(),
        56,
    ));
    assert_eq!(
        error(player(&[("level", Variant::Int(300))])),
        (
            "serde.value dictionary[0].value.array[0].dictionary[0].value.int: u8, integer `300`"
                .into(),
            56,
        )
    );
    assert_eq!(
        error(player(&[("class", Variant::Nil)])),
        ("serde.field dictionary[0].value.array[0].dictionary: the field `level`, none".into(), 32,)
    );
    let (text, _) = error(player(&[("level", Variant::Int(1)), ("class", "Monk".into())]));
    assert_eq!(
        text,
        "serde.variant dictionary[0].value.array[0].dictionary[1].value.string: \
         `Bard` or `Rogue`, the variant `Monk`"
    );
}

#[test]
fn an_error_says_which_field_of_the_user_it_is() {
    let player: Variant = [("level", Variant::Int(300))].into_iter().collect();
    let bytes = formwork_variant::to_vec(&save(player.clone()), Dialect::GODOT4).unwrap();
    let error = from_slice::<Save>(&bytes, Dialect::GODOT4).unwrap_err();
    assert_eq!(error.place(), "players/0/level");
    assert_eq!(
        error.to_string(),
        "offset 56 (0x38), dictionary[0].value.array[0].dictionary[0].value.int (players/0/level): \
         expected u8, found integer `300` (malformed, rule serde.value)"
    );
    let error = from_variant::<Save, _>(&save(player)).unwrap_err();
    assert_eq!(error.place(), "players/0/level");
    // A player that lacks a field; and what has no names.
    let none: Variant = Vec::<(Variant, Variant)>::new().into_iter().collect();
    let bytes = formwork_variant::to_vec(&save(none), Dialect::GODOT4).unwrap();
    assert_eq!(from_slice::<Save>(&bytes, Dialect::GODOT4).unwrap_err().place(), "players/0");
    let bytes = formwork_variant::to_vec(&Variant::from(7), Dialect::GODOT4).unwrap();
    assert_eq!(from_slice::<Save>(&bytes, Dialect::GODOT4).unwrap_err().place(), "");
}

#[test]
fn a_message_is_kept() {
    #[derive(Debug, Deserialize)]
    #[serde(try_from = "i32")]
    struct Even;
    impl TryFrom<i32> for Even {
        type Error = String;
        fn try_from(number: i32) -> Result<Self, String> {
            if number % 2 == 0 { Ok(Self) } else { Err(format!("{number} is odd")) }
        }
    }
    let bytes = to_vec(&[2, 3], Dialect::GODOT4).unwrap();
    let error = from_slice::<Vec<Even>>(&bytes, Dialect::GODOT4).unwrap_err();
    assert_eq!(error.rule(), rule::MESSAGE);
    assert_eq!(
        error.to_string(),
        "offset 16 (0x10), array[1]: 3 is odd (malformed, rule serde.message)"
    );
}

#[test]
fn nothing_is_written_of_what_the_dialect_cannot_express() {
    #[derive(Serialize)]
    struct Two {
        fine: i32,
        large: i64,
    }
    let two = Two { fine: 1, large: 1 << 40 };
    let mut out = vec![7];
    let encoder = formwork_variant::Encoder::new(Dialect::GODOT2);
    let error = encoder.serialize_into(&two, &mut out).unwrap_err();
    assert_eq!(error.rule(), codec::rule::DIALECT_VALUE);
    assert_eq!(error.path().to_string(), "dictionary[1].value.int");
    assert_eq!(out, [7]);
    let error = to_vec(&BTreeMap::from([("a", u64::MAX)]), Dialect::GODOT3).unwrap_err();
    assert_eq!(error.path().to_string(), "dictionary[0].value");
    assert_eq!((error.rule(), error.offset()), (codec::rule::DIALECT_VALUE, 20));
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Chain {
    next: Option<Box<Chain>>,
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "kind")]
enum Tagged {
    Leaf,
    Node { inner: Box<Tagged> },
}

#[derive(Debug, Deserialize, Serialize)]
#[serde(untagged)]
enum Untagged {
    Leaf(i32),
    Node(Vec<Untagged>),
    Map(BTreeMap<String, Untagged>),
}

/// Runs a test on a small stack, in any build.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(512 << 10).spawn(test).unwrap().join().unwrap();
}

fn arrays(depth: u32) -> Vec<u8> {
    let mut bytes = [19, 0, 0, 0, 1, 0, 0, 0].repeat(depth as usize);
    bytes.extend([2, 0, 0, 0, 5, 0, 0, 0]);
    bytes
}

#[test]
fn depth_is_limited_on_a_small_stack() {
    on_a_small_stack(|| {
        let dialect = Dialect::GODOT3;
        for depth in [DEPTH, DEPTH + 1, 1000, 100_000] {
            let bytes = arrays(depth);
            let limits = Limits::default().depth(u32::MAX);
            let decoder = Decoder::new(dialect).limits(limits);
            let results = [
                decoder.deserialize::<Variant>(&bytes).map(drop),
                decoder.deserialize::<Untagged>(&bytes).map(drop),
                decoder.deserialize::<serde_json::Value>(&bytes).map(drop),
            ];
            for result in results {
                match result {
                    Ok(()) => assert!(depth <= DEPTH, "{depth}"),
                    Err(error) => {
                        assert_eq!(error.rule(), Rule::DEPTH_LIMIT, "{depth}: {error}");
                        assert!(depth > DEPTH, "{depth}");
                    }
                }
            }
            // What is not asked for may be deeper.
            decoder.deserialize::<serde::de::IgnoredAny>(&bytes).unwrap();
        }
        let mut chain = Chain::default();
        for _ in 0..DEPTH - 1 {
            chain = Chain { next: Some(Box::new(chain)) };
        }
        let bytes = to_vec(&chain, dialect).unwrap();
        from_slice::<Chain>(&bytes, dialect).unwrap();
        from_variant::<Chain, _>(&to_variant(&chain).unwrap()).unwrap();
        chain = Chain { next: Some(Box::new(Chain { next: Some(Box::new(chain)) })) };
        assert_eq!(to_vec(&chain, dialect).unwrap_err().rule(), Rule::DEPTH_LIMIT);
        assert_eq!(to_variant(&chain).unwrap_err().rule(), Rule::DEPTH_LIMIT);
        let mut tagged = Tagged::Leaf;
        for _ in 0..DEPTH - 1 {
            tagged = Tagged::Node { inner: Box::new(tagged) };
        }
        from_slice::<Tagged>(&to_vec(&tagged, dialect).unwrap(), dialect).unwrap();
    });
}

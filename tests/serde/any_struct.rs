//! Structs of one's own take the same way by a `Variant` and without one.

use std::collections::BTreeMap;

use formwork::dialect::Family;
use formwork::generate::arbitrary::{self, Arbitrary, Unstructured};
use formwork::serde::{from_variant, to_variant};
use formwork::variant::{
    Color, NodePath, Plane, Quaternion, Rect2, Transform2D, Transform3D, Variant, Vector2, Vector3,
};
use formwork::{Attitude, Decoder, Dialect, Encoder, Rule};
use serde::{Deserialize, Serialize};

use crate::{Seeds, damaged};

/// What every dialect can say.
#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Save {
    version: u8,
    flags: (bool, i16),
    seconds: f32,
    name: String,
    initial: char,
    home: Option<Vector3>,
    nothing: (),
    place: Place,
    colors: Vec<Color>,
    #[serde(with = "formwork::serde::packed")]
    heights: Vec<f32>,
    #[serde(with = "formwork::serde::packed")]
    points: Vec<Vector2>,
    #[serde(with = "formwork::serde::packed")]
    raw: Vec<u8>,
    #[serde(with = "formwork::serde::packed")]
    log: Vec<String>,
    items: Vec<Item>,
    by_number: BTreeMap<i32, Item>,
    effect: Effect,
    shape: Shape,
    #[serde(flatten)]
    more: More,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    wrapped: Wrapped,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Place {
    transform: Transform3D,
    flat: Transform2D,
    rotation: Quaternion,
    bounds: Rect2,
    ground: Plane,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
enum Item {
    Lamp,
    Coins(u32),
    Sword { damage: i32, runes: Vec<String> },
    Pair(Box<Item>, f64),
    Tint(Color),
}

#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Effect {
    Burn { seconds: f32, at: Vector3 },
    Freeze { color: Color },
    None,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
enum Shape {
    Ground(Plane),
    Tint(Color),
    Turn(Quaternion),
    Box(Rect2),
    Sized { width: f32 },
    Name(String),
}

#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
struct More {
    spawn: Vector2,
    difficulty: Difficulty,
    tints: Vec<Color>,
}

#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(tag = "t", content = "c")]
enum Difficulty {
    Easy,
    Custom(Vector2, i8),
}

#[derive(Arbitrary, Clone, Debug, Deserialize, PartialEq, Serialize)]
struct Wrapped(i32);

fn saves(rounds: usize, mut each: impl FnMut(Save, &mut Seeds)) {
    let mut seeds = Seeds::new();
    let mut made = 0;
    while made < rounds {
        let seed = seeds.next(2000);
        let made_one: arbitrary::Result<Save> = Save::arbitrary(&mut Unstructured::new(&seed));
        if let Ok(save) = made_one {
            made += 1;
            each(save, &mut seeds);
        }
    }
}

#[test]
fn a_struct_is_written_and_read_alike_with_and_without_a_value() {
    for dialect in Dialect::all() {
        let (encoder, decoder) = (Encoder::new(dialect).rounding(true), Decoder::new(dialect));
        let (mut written, mut read) = (0, 0);
        saves(150, |save, _| {
            let value = to_variant(&save).unwrap();
            match (encoder.serialize(&save), encoder.encode(&value)) {
                (Ok(bytes), Ok(expected)) => {
                    written += 1;
                    assert!(bytes == expected, "{dialect}: {save:?}");
                    let value: Variant = decoder.decode(&bytes).unwrap();
                    let expected = from_variant::<Save, _>(&value);
                    let made = decoder.deserialize::<Save>(&bytes);
                    // (Debug tells a NaN from nothing else, and is equal for equal ones.)
                    assert_eq!(format!("{made:?}").replace("offset", ""), {
                        read += usize::from(made.is_ok());
                        match (&made, expected) {
                            (Err(error), Err(expected)) => {
                                assert_eq!(error.path(), expected.path());
                                assert_eq!(error.rule(), expected.rule());
                                format!("{made:?}").replace("offset", "")
                            }
                            (_, expected) => format!("{expected:?}"),
                        }
                    });
                    // Godot 2 rounds the f64s.
                    if let Ok(made) = made
                        && dialect.family() != Family::Godot2
                    {
                        assert_eq!(format!("{made:?}"), format!("{save:?}"), "{dialect}");
                    }
                }
                (Err(error), Err(expected)) => {
                    assert_eq!(error.rule(), expected.rule(), "{dialect}: {error} / {expected}");
                    assert_eq!(error.path(), expected.path(), "{dialect}: {error} / {expected}");
                    assert_eq!(error.offset(), expected.offset(), "{dialect}: {error}");
                }
                (written, expected) => panic!("{dialect}: {written:?}\n{expected:?}"),
            }
        });
        println!("{dialect}: {written} written, {read} read");
        assert!(written > 20 && read * 10 >= written * 9, "{dialect}: {written}, {read}");
    }
}

#[test]
fn damaged_packets_give_the_same_struct_or_error_with_and_without_a_value() {
    let (mut structs, mut bytes_wrong, mut type_wrong) = (0, 0, 0);
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM] {
        saves(300, |save, seeds| {
            let Ok(bytes) = Encoder::new(dialect).rounding(true).serialize(&save) else { return };
            let bytes = damaged(&bytes, seeds);
            for attitude in [Attitude::Engine, Attitude::Canonical] {
                let decoder = Decoder::new(dialect).attitude(attitude);
                let made = decoder.deserialize::<Save>(&bytes);
                match decoder.decode::<f32>(&bytes) {
                    Err(expected) => {
                        bytes_wrong += 1;
                        assert_eq!(made.unwrap_err(), expected, "{dialect}");
                    }
                    Ok(value) => match (made, from_variant::<Save, _>(&value)) {
                        (Ok(made), Ok(expected)) => {
                            structs += 1;
                            assert_eq!(format!("{made:?}"), format!("{expected:?}"), "{dialect}");
                        }
                        (Err(error), Err(expected)) => {
                            type_wrong += 1;
                            assert_eq!(error.rule(), expected.rule(), "{error}\n{expected}");
                            assert_eq!(error.path(), expected.path(), "{error}\n{expected}");
                            assert!(
                                error.rule() >= Rule::SerdeType || error.rule() == Rule::DepthLimit
                            );
                        }
                        (made, expected) => panic!("{dialect}: {made:?}\n{expected:?}"),
                    },
                }
            }
        });
    }
    println!("{structs} structs, {bytes_wrong} wrong bytes, {type_wrong} of another type");
    assert!(structs > 50 && bytes_wrong > 50 && type_wrong > 50);
}

#[test]
fn a_path_is_itself_everywhere() {
    let path = NodePath::parse(&"/root/World:visible".into());
    for dialect in Dialect::all() {
        let bytes = formwork::serde::to_vec(&(&path, "a"), dialect).unwrap();
        let (again, text): (NodePath, &str) = formwork::serde::from_slice(&bytes, dialect).unwrap();
        assert_eq!((again, text), (path.clone(), "a"), "{dialect}");
        let (text, _): (String, String) = formwork::serde::from_slice(&bytes, dialect).unwrap();
        assert_eq!(text, "/root/World:visible");
    }
}

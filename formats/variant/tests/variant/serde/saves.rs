//! The saves that real engines wrote, read into structs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use formwork_variant::frame::ByteOrder;
use formwork_variant::{
    Aabb, Color, NodePath, Plane, Quaternion, Rect2, Transform2D, Transform3D, Variant, Vector3,
};
use formwork_variant::{Decoder, Dialect, Encoder};
use serde::{Deserialize, Serialize};

#[derive(Debug, Deserialize, Serialize)]
struct Save {
    version: u32,
    saved_at: i64,
    play_time: f64,
    player: Player,
    inventory: Vec<Item>,
    quests: BTreeMap<String, Quest>,
    entities: Vec<Entity>,
    log: Vec<String>,
    #[serde(flatten)]
    rest: BTreeMap<String, Variant>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Player {
    name: String,
    level: u8,
    xp: f64,
    hp: f32,
    mana: f64,
    position: Vector3,
    transform: Transform3D,
    transform2d: Transform2D,
    rotation: Quaternion,
    color: Color,
    checkpoint: NodePath,
    bounds: Rect2,
    #[serde(rename = "box")]
    around: Aabb,
    ground: Plane,
    stats: BTreeMap<String, u8>,
    alive: bool,
    pet: Option<String>,
    #[serde(flatten)]
    rest: BTreeMap<String, Variant>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Item {
    id: i32,
    name: String,
    qty: u16,
    durability: f64,
    enchant: Option<Variant>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Quest {
    state: u8,
    #[serde(with = "formwork_variant::serde::packed")]
    progress: Vec<i32>,
    #[serde(with = "formwork_variant::serde::packed")]
    flags: Vec<u8>,
    done_at: Option<i64>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Entity {
    path: NodePath,
    #[serde(rename = "type")]
    kind: String,
    hp: f32,
    target: Option<NodePath>,
    #[serde(with = "formwork_variant::serde::packed")]
    loot: Vec<String>,
}

fn golden() -> [(&'static str, Dialect); 5] {
    let dialect = |name: &str| name.parse().unwrap();
    [
        ("godot2/golden", Dialect::GODOT2),
        ("godot3/golden/3.2.3", dialect("godot3.2")),
        ("godot3/golden/3.6.2", Dialect::GODOT3),
        ("godot4/golden/4.6.3", Dialect::GODOT4),
        ("pandemonium/golden", Dialect::PANDEMONIUM),
    ]
}

fn file(folder: &str, name: &str) -> PathBuf {
    formwork_testkit::formats().join(folder).join("files").join(name)
}

#[test]
fn real_saves_are_read_into_structs() {
    for (folder, dialect) in golden() {
        for name in ["small.save", "big.save"] {
            let bytes = std::fs::read(file(folder, name)).unwrap();
            let decoder = Decoder::new(dialect);
            let mut saves = decoder.deserialize_frames::<Save>(&bytes, ByteOrder::Little);
            let save = saves.next().unwrap().unwrap_or_else(|error| panic!("{folder}: {error}"));
            assert!(saves.next().is_none());
            assert_eq!(save.version, 3, "{folder}");
            assert!(save.player.name.starts_with("Hero"), "{folder}");
            assert!(!save.inventory.is_empty() && !save.entities.is_empty(), "{folder}");
            assert!(save.rest.contains_key("settings") && !save.rest.contains_key("player"));

            let value: Variant = decoder.decode(&bytes[4..]).unwrap();
            let by_value: Save = formwork_variant::serde::from_variant(&value).unwrap();
            assert_eq!(format!("{save:?}"), format!("{by_value:?}"), "{folder}");
            let encoder = Encoder::new(dialect).rounding(true);
            let again = encoder.serialize(&save).unwrap();
            let save_again: Save = decoder.deserialize(&again).unwrap();
            assert_eq!(format!("{save_again:?}"), format!("{save:?}"), "{folder}");
        }
    }
}

//! The counted tasks.

use std::hint::black_box;

use formwork::binrw::BinRead as _;
use formwork::record;
use formwork_alb1::terrain::{PlacedRoad, Project, RoadPart, Root as _};
use formwork_alb1::{Document, Text};
use formwork_benches::hand;
use formwork_variant::json::{Style, from_json, to_json};
use formwork_variant::{Decoder, Dialect, Encoder, NodePath, Variant, Vector3, variant};
use serde::{Deserialize, Serialize};

use git_index::Index;

#[allow(dead_code, missing_docs, reason = "the names are those of the format")]
#[path = "../../../examples/formats/git_index.rs"]
mod git_index;

const DIALECT: Dialect = Dialect::GODOT4;

/// A task that is repeated.
pub struct Task {
    /// Its name in the file of counts.
    pub name: &'static str,
    /// The number of things that one round makes: the count is for one of them.
    pub things: u64,
    /// Repeats the task a number of times.
    pub run: fn(u64),
    /// A peer that has the same task, and the function that repeats it.
    pub beside: Option<(Peer, fn(u64))>,
}

/// A program that a task is measured beside.
#[derive(Clone, Copy, Debug)]
pub enum Peer {
    /// The parser in `benches/src/hand.rs`.
    Hand,
    /// `rmp-serde`, with the names of fields.
    MessagePack,
    /// The reader of the same declaration from anything with `Read` and `Seek`.
    General,
}

impl Peer {
    /// The name of the peer in the table.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hand => "by hand",
            Self::MessagePack => "rmp-serde",
            Self::General => "Read + Seek",
        }
    }
}

/// A task on a value, beside the parser written by hand.
macro_rules! value {
    ($name:literal, $things:expr, $task:ident, $hand:ident, $value:ident) => {
        Task {
            name: $name,
            things: $things,
            run: |rounds| $task(rounds, &$value()),
            beside: Some((Peer::Hand, |rounds| $hand(rounds, &$value()))),
        }
    };
}

/// All tasks, in the order of the file.
pub const TASKS: [Task; 23] = [
    value!("int/decode", 1, decode, decode_by_hand, int),
    value!("int/encode", 1, encode, encode_by_hand, int),
    value!("string/decode", 1, decode, decode_by_hand, string),
    value!("string/encode", 1, encode, encode_by_hand, string),
    value!("vector3/decode", 1, decode, decode_by_hand, vector),
    value!("vector3/encode", 1, encode, encode_by_hand, vector),
    value!("dictionary/decode", 1, decode, decode_by_hand, dictionary),
    value!("dictionary/encode", 1, encode, encode_by_hand, dictionary),
    value!("dictionaries/decode", MANY, decode, decode_by_hand, dictionaries),
    value!("dictionaries/encode", MANY, encode, encode_by_hand, dictionaries),
    Task {
        name: "struct/read",
        things: MANY,
        run: read_structs,
        beside: Some((Peer::MessagePack, read_message_pack)),
    },
    Task {
        name: "struct/write",
        things: MANY,
        run: write_structs,
        beside: Some((Peer::MessagePack, write_message_pack)),
    },
    Task { name: "variants/read", things: MANY, run: read_variants, beside: None },
    Task { name: "variants/write", things: MANY, run: write_variants, beside: None },
    Task { name: "json/read", things: MANY, run: read_json, beside: None },
    Task { name: "json/write", things: MANY, run: write_json, beside: None },
    value!("ints/encode", MANY, encode, encode_by_hand, ints),
    value!("strings/encode", MANY, encode, encode_by_hand, strings),
    Task { name: "alb1 object/read", things: MANY, run: read_parts, beside: None },
    Task { name: "alb1 object/write", things: MANY, run: write_parts, beside: None },
    Task {
        name: "index entry/read",
        things: MANY,
        run: read_index,
        beside: Some((Peer::General, read_index_generally)),
    },
    Task { name: "save entry/edit", things: MANY, run: edit_save, beside: None },
    Task { name: "save entry/fields", things: MANY, run: fields_of_save, beside: None },
];

/// The number of things in a value that holds many.
const MANY: u64 = 100;

fn int() -> Variant {
    Variant::Int(7)
}

fn string() -> Variant {
    "a short text".into()
}

fn vector() -> Variant {
    Vector3::new(1.0, 2.0, 3.0).into()
}

fn dictionary() -> Variant {
    variant!({ "id": 7, "name": "npc", "hp": 99.5, "alive": true, "level": 3 })
}

/// A struct as games use it, in the form of its packets.
#[derive(Deserialize, Serialize)]
struct Npc {
    id: i64,
    name: String,
    pos: Vector3,
    hp: f64,
}

fn npcs() -> Vec<Npc> {
    let npc = |id: i64| Npc {
        id,
        name: format!("npc_{id}"),
        pos: Vector3::new(id as f32, 2.0, 3.0),
        hp: id as f64 * 0.5,
    };
    (0..MANY as i64).map(npc).collect()
}

fn dictionaries() -> Variant {
    formwork_variant::serde::to_variant(&npcs()).expect("it can be written")
}

fn ints() -> Variant {
    Variant::Array((0..MANY as i64).map(Variant::Int).collect::<Vec<_>>().into())
}

fn strings() -> Variant {
    Variant::PackedStringArray((0..MANY).map(|index| format!("item_{index}").into()).collect())
}

fn save() -> formwork_file::File {
    let bytes = formwork_variant::to_vec(&dictionaries(), DIALECT).expect("it can be written");
    formwork_file::Options::new().engine(DIALECT).open(&bytes).expect("it is valid")
}

/// Sets one value of a file with many.
fn edit_save(rounds: u64) {
    let mut file = save();
    for round in 0..rounds {
        let text = if round % 2 == 0 { "1.5" } else { "2.5" };
        black_box(file.set(black_box("50/hp"), text).expect("it fits"));
    }
}

/// Lists the fields of the last value of a file with many.
fn fields_of_save(rounds: u64) {
    let file = save();
    for _ in 0..rounds {
        black_box(file.fields_of(black_box("99/hp"), 16).expect("it is there"));
    }
}

fn decode(rounds: u64, value: &Variant) {
    let bytes = Encoder::new(DIALECT).encode(value).expect("it can be written");
    for _ in 0..rounds {
        let value: Variant = Decoder::new(DIALECT).decode(black_box(&bytes)).expect("it is valid");
        black_box(value);
    }
}

fn encode(rounds: u64, value: &Variant) {
    for _ in 0..rounds {
        black_box(Encoder::new(DIALECT).encode(black_box(value)).expect("it can be written"));
    }
}

fn decode_by_hand(rounds: u64, value: &Variant) {
    let bytes = Encoder::new(DIALECT).encode(value).expect("it can be written");
    for _ in 0..rounds {
        black_box(hand::decode(black_box(&bytes)).expect("it is valid"));
    }
}

fn encode_by_hand(rounds: u64, value: &Variant) {
    let bytes = Encoder::new(DIALECT).encode(value).expect("it can be written");
    let value = hand::decode(&bytes).expect("it is valid");
    for _ in 0..rounds {
        black_box(hand::encode(black_box(&value)));
    }
}

fn read_message_pack(rounds: u64) {
    let bytes = rmp_serde::to_vec_named(&npcs()).expect("it can be written");
    for _ in 0..rounds {
        black_box(rmp_serde::from_slice::<Vec<Npc>>(black_box(&bytes)).expect("it is valid"));
    }
}

fn write_message_pack(rounds: u64) {
    let npcs = npcs();
    for _ in 0..rounds {
        black_box(rmp_serde::to_vec_named(black_box(&npcs)).expect("it can be written"));
    }
}

fn read_structs(rounds: u64) {
    let bytes = formwork_variant::serde::to_vec(&npcs(), DIALECT).expect("it can be written");
    for _ in 0..rounds {
        let npcs: Vec<Npc> =
            formwork_variant::serde::from_slice(black_box(&bytes), DIALECT).expect("it is valid");
        black_box(npcs);
    }
}

fn write_structs(rounds: u64) {
    let npcs = npcs();
    for _ in 0..rounds {
        black_box(
            formwork_variant::serde::to_vec(black_box(&npcs), DIALECT).expect("it can be written"),
        );
    }
}

/// A struct with fields of any type.
#[derive(Deserialize, Serialize)]
struct Loose {
    id: Variant,
    name: Variant,
    pos: Variant,
    path: Variant,
    heights: Variant,
    more: Variant,
}

fn looses() -> Vec<Loose> {
    let loose = |npc: Npc| Loose {
        id: Variant::Int(npc.id),
        name: npc.name.as_str().into(),
        pos: npc.pos.into(),
        path: NodePath::parse(&"/root/npc:hp".into()).into(),
        heights: Variant::PackedFloat32Array(vec![npc.hp as f32; 8]),
        more: variant!({ "hp": (npc.hp), "tags": ["a", 1], "event": { "alive": true } }),
    };
    npcs().into_iter().map(loose).collect()
}

fn read_variants(rounds: u64) {
    let bytes = formwork_variant::serde::to_vec(&looses(), DIALECT).expect("it can be written");
    for _ in 0..rounds {
        let looses: Vec<Loose> =
            formwork_variant::serde::from_slice(black_box(&bytes), DIALECT).expect("it is valid");
        black_box(looses);
    }
}

fn write_variants(rounds: u64) {
    let looses = looses();
    for _ in 0..rounds {
        black_box(
            formwork_variant::serde::to_vec(black_box(&looses), DIALECT)
                .expect("it can be written"),
        );
    }
}

/// Makes an index of git, as bytes.
fn index() -> Vec<u8> {
    use formwork::{Before, Block, Each, ToEnd};
    use git_index::{Entry, Flags, Index, Name};
    let entry = |number: u32| {
        let path = format!("folder{:02}/file{number:06}.txt", number % 97).into_bytes();
        let zeros = vec![0; 8 - (62 + path.len()) % 8];
        Entry {
            changed: [number, 1],
            modified: [number, 2],
            device: [3, number],
            mode: 0o100_644,
            owner: [0, 0],
            size: number,
            hash: [number as u8; 20],
            flags: Flags::new().with_length(path.len() as u16),
            more: None,
            suffix: None,
            name: Some(Name { path: Block(path), zeros: Block(zeros) }),
        }
    };
    let mut index = Index {
        version: 2,
        count: 0,
        entries: Each((0..MANY as u32).map(entry).collect()),
        extensions: Before(ToEnd(Vec::new())),
        hash: [0; 20],
    };
    record::settle(&mut index).expect("it settles");
    record::to_vec(&index).expect("it can be written")
}

fn read_index(rounds: u64) {
    let bytes = index();
    for _ in 0..rounds {
        black_box(record::from_slice::<Index>(black_box(&bytes)).expect("it is valid"));
    }
}

fn read_index_generally(rounds: u64) {
    let bytes = index();
    for _ in 0..rounds {
        let mut input = formwork::wire::Cursor::new(black_box(&bytes));
        black_box(Index::read_le(&mut input).expect("it is valid"));
    }
}

fn loose_value() -> Variant {
    formwork_variant::serde::to_variant(&looses()).expect("it can be written")
}

fn read_json(rounds: u64) {
    let json = to_json(&loose_value(), DIALECT, Style::Compact);
    for _ in 0..rounds {
        black_box(from_json(black_box(json.as_bytes()), DIALECT).expect("it is valid"));
    }
}

fn write_json(rounds: u64) {
    let value = loose_value();
    for _ in 0..rounds {
        black_box(to_json(black_box(&value), DIALECT, Style::Compact));
    }
}

/// Makes a project whose only road has many parts: objects of few fields.
fn project() -> Document {
    let text = |text| Text::new(text).expect("plain letters");
    let mut project = Project::new(text("project"));
    let part = |part| RoadPart { part, model: text("p\\road_25.p3d"), ..RoadPart::default() };
    project.objects.placed_roads.roads = vec![PlacedRoad {
        model: text("p\\road_12.p3d"),
        direction_a: (0..MANY as i32).map(part).collect(),
        ..PlacedRoad::default()
    }];
    project.to_document().expect("it can be made")
}

fn read_parts(rounds: u64) {
    let bytes = project().to_vec().expect("it can be written");
    for _ in 0..rounds {
        black_box(Document::from_slice(black_box(&bytes)).expect("it is valid"));
    }
}

fn write_parts(rounds: u64) {
    let document = project();
    for _ in 0..rounds {
        black_box(black_box(&document).to_vec().expect("it can be written"));
    }
}

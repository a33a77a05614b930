//! The counted tasks.

use std::hint::black_box;

use formwork_alb1::terrain::{PlacedRoad, Project, RoadPart, Root as _};
use formwork_alb1::{Document, Text};
use formwork_variant::Vector3;
use formwork_variant::{Decoder, Dialect, Encoder, Variant, variant};
use serde::{Deserialize, Serialize};

const DIALECT: Dialect = Dialect::GODOT4;

/// A task that is repeated.
pub struct Task {
    /// Its name in the file of counts.
    pub name: &'static str,
    /// The number of things that one round makes: the count is for one of them.
    pub things: u64,
    /// Repeats the task a number of times.
    pub run: fn(u64),
}

/// All tasks, in the order of the file.
pub const TASKS: [Task; 16] = [
    Task { name: "int/decode", things: 1, run: |rounds| decode(rounds, &int()) },
    Task { name: "int/encode", things: 1, run: |rounds| encode(rounds, &int()) },
    Task { name: "string/decode", things: 1, run: |rounds| decode(rounds, &string()) },
    Task { name: "string/encode", things: 1, run: |rounds| encode(rounds, &string()) },
    Task { name: "vector3/decode", things: 1, run: |rounds| decode(rounds, &vector()) },
    Task { name: "vector3/encode", things: 1, run: |rounds| encode(rounds, &vector()) },
    Task { name: "dictionary/decode", things: 1, run: |rounds| decode(rounds, &dictionary()) },
    Task { name: "dictionary/encode", things: 1, run: |rounds| encode(rounds, &dictionary()) },
    Task {
        name: "dictionaries/decode",
        things: MANY,
        run: |rounds| decode(rounds, &dictionaries()),
    },
    Task {
        name: "dictionaries/encode",
        things: MANY,
        run: |rounds| encode(rounds, &dictionaries()),
    },
    Task { name: "struct/read", things: MANY, run: read_structs },
    Task { name: "struct/write", things: MANY, run: write_structs },
    Task { name: "ints/encode", things: MANY, run: |rounds| encode(rounds, &ints()) },
    Task { name: "strings/encode", things: MANY, run: |rounds| encode(rounds, &strings()) },
    Task { name: "alb1 object/read", things: MANY, run: read_parts },
    Task { name: "alb1 object/write", things: MANY, run: write_parts },
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

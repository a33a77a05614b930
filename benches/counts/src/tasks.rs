//! What is counted.

use std::hint::black_box;

use formwork::alb1::terrain::{PlacedRoad, Project, RoadPart, Root as _};
use formwork::alb1::{Document, Text};
use formwork::variant::Vector3;
use formwork::{Decoder, Dialect, Encoder, Variant, variant};

const DIALECT: Dialect = Dialect::GODOT4;

/// Something that is done again and again.
pub struct Task {
    /// Its name in the file of counts.
    pub name: &'static str,
    /// How many things one round makes: the count is for one of them.
    pub things: u64,
    /// Does it so many times.
    pub run: fn(u64),
}

/// All tasks, in the order of the file.
pub const TASKS: [Task; 12] = [
    Task { name: "int/decode", things: 1, run: |rounds| decode(rounds, &int()) },
    Task { name: "int/encode", things: 1, run: |rounds| encode(rounds, &int()) },
    Task { name: "string/decode", things: 1, run: |rounds| decode(rounds, &string()) },
    Task { name: "string/encode", things: 1, run: |rounds| encode(rounds, &string()) },
    Task { name: "vector3/decode", things: 1, run: |rounds| decode(rounds, &vector()) },
    Task { name: "vector3/encode", things: 1, run: |rounds| encode(rounds, &vector()) },
    Task { name: "dictionary/decode", things: 1, run: |rounds| decode(rounds, &dictionary()) },
    Task { name: "dictionary/encode", things: 1, run: |rounds| encode(rounds, &dictionary()) },
    Task { name: "ints/encode", things: MANY, run: |rounds| encode(rounds, &ints()) },
    Task { name: "strings/encode", things: MANY, run: |rounds| encode(rounds, &strings()) },
    Task { name: "alb1 object/read", things: MANY, run: read_parts },
    Task { name: "alb1 object/write", things: MANY, run: write_parts },
];

/// How many things there are in what holds many.
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

/// A project whose only road has many parts: objects of few fields.
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

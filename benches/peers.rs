//! Measures formwork beside a plain copy, a parser written by hand, other crates and the engine, on the same values in
//! one run. At the end, prints the ratios, and the targets that they meet. `benches/README.md` explains them.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::Criterion;
use formwork_benches::workloads::workloads;
use formwork_benches::{engine, hand, others};
use formwork_variant::serde::{from_slice, to_vec};
use formwork_variant::{Decoder, Dialect, Encoder, variant};
use formwork_variant::{Variant, Vector3};
use serde::{Deserialize, Serialize};

const DIALECT: Dialect = Dialect::GODOT4;

/// Nanoseconds of each sample, by operation and program.
type Samples = RefCell<BTreeMap<(String, &'static str), Vec<f64>>>;

/// The program to which the targets apply.
const FORMWORK: &str = "formwork";

struct Run<'c> {
    criterion: &'c mut Criterion,
    samples: &'c Samples,
}

impl Run<'_> {
    /// Measures how long it takes to make a value and to drop it.
    fn measure<T>(&mut self, what: &str, who: &'static str, mut run: impl FnMut() -> T) {
        self.sample(what, who, |count| {
            let start = Instant::now();
            for _ in 0..count {
                black_box(run());
            }
            start.elapsed()
        });
    }

    /// Measures how long it takes to make a value, which is dropped outside the measurement.
    fn measure_undropped<T>(&mut self, what: &str, who: &'static str, mut run: impl FnMut() -> T) {
        let mut once = || {
            let start = Instant::now();
            let made = black_box(run());
            (start.elapsed(), made).0
        };
        self.sample(what, who, |count| (0..count).map(|_| once()).sum());
    }

    /// Takes samples of the time for a number of rounds.
    fn sample(&mut self, what: &str, who: &'static str, mut take: impl FnMut(u64) -> Duration) {
        let mut group = self.criterion.benchmark_group(what);
        group.sample_size(15).warm_up_time(Duration::from_millis(300));
        group.measurement_time(Duration::from_secs(1));
        group.bench_function(who, |bench| {
            bench.iter_custom(|count| {
                let taken = take(count);
                let nanoseconds = taken.as_nanos() as f64 / count as f64;
                let mut samples = self.samples.borrow_mut();
                samples.entry((what.to_owned(), who)).or_default().push(nanoseconds);
                taken
            });
        });
    }
}

fn values(run: &mut Run<'_>) {
    for workload in workloads(DIALECT) {
        let (name, value) = (workload.name, workload.value);
        let bytes = Encoder::new(DIALECT).encode(&value).expect("it can be written");
        let by_hand = hand::decode(&bytes).expect("it is valid");
        let packed = others::messagepack(&value);
        let mut message = Vec::new();
        rmpv::encode::write_value(&mut message, &packed).expect("memory takes it");

        let decode = format!("{name}/decode");
        run.measure(&decode, "memcpy", || black_box(&bytes).clone());
        run.measure(&decode, FORMWORK, || -> Variant {
            Decoder::new(DIALECT).decode(black_box(&bytes)).expect("it is valid")
        });
        run.measure(&decode, "by hand", || hand::decode(black_box(&bytes)));
        run.measure(&decode, "rmpv", || {
            rmpv::decode::read_value(&mut black_box(message.as_slice())).expect("it is valid")
        });
        let encode = format!("{name}/encode");
        run.measure(&encode, "memcpy", || black_box(&bytes).clone());
        run.measure(&encode, FORMWORK, || {
            Encoder::new(DIALECT).encode(black_box(&value)).expect("it can be written")
        });
        run.measure(&encode, "by hand", || hand::encode(black_box(&by_hand)));
        run.measure(&encode, "rmpv", || {
            let mut out = Vec::new();
            rmpv::encode::write_value(&mut out, black_box(&packed)).expect("memory takes it");
            out
        });
        // For workloads that take each number separately, megabytes give no new result.
        if !matches!(name, "strings" | "dicts" | "ints") {
            continue;
        }
        let cbor = others::cbor(&packed);
        let mut written = Vec::new();
        ciborium::into_writer(&cbor, &mut written).expect("memory takes it");
        run.measure(&decode, "ciborium", || -> ciborium::Value {
            ciborium::from_reader(black_box(written.as_slice())).expect("it is valid")
        });
        let json = others::json(&packed);
        let text = serde_json::to_vec(&json).expect("it can be written");
        run.measure(&decode, "serde_json", || -> serde_json::Value {
            serde_json::from_slice(black_box(&text)).expect("it is valid")
        });
        run.measure(&encode, "serde_json", || {
            serde_json::to_vec(black_box(&json)).expect("it can be written")
        });
        if godot_binary_serialization::decoder::Decoder::decode_variant(&bytes).is_ok() {
            run.measure(&decode, "godot-binary-serialization", || {
                godot_binary_serialization::decoder::Decoder::decode_variant(black_box(&bytes))
                    .expect("it is valid")
            });
        }
    }
}

/// A struct as programs of games hold it.
#[derive(Deserialize, Serialize)]
struct Npc {
    id: i64,
    name: String,
    pos: [f32; 3],
    hp: f64,
}

/// The same struct in the form of its packets.
#[derive(Deserialize, Serialize)]
struct GodotNpc {
    id: i64,
    name: String,
    pos: Vector3,
    hp: f64,
}

fn structs(run: &mut Run<'_>) {
    let position = |index: i64| [(index % 100) as f32, (index % 7) as f32, (index % 31) as f32];
    let npcs: Vec<Npc> = (0..100_000)
        .map(|index| Npc {
            id: index,
            name: format!("npc_{index}"),
            pos: position(index),
            hp: (index % 200) as f64 * 0.5,
        })
        .collect();
    let godot_npcs: Vec<GodotNpc> = npcs
        .iter()
        .map(|npc| GodotNpc {
            id: npc.id,
            name: npc.name.clone(),
            pos: Vector3::new(npc.pos[0], npc.pos[1], npc.pos[2]),
            hp: npc.hp,
        })
        .collect();
    let ours = to_vec(&godot_npcs, DIALECT).expect("it can be written");
    let named = rmp_serde::to_vec_named(&npcs).expect("it can be written");
    let bare = postcard::to_stdvec(&npcs).expect("it can be written");
    let json = serde_json::to_vec(&npcs).expect("it can be written");
    let decode = "structs/decode";
    run.measure(decode, FORMWORK, || {
        from_slice::<Vec<GodotNpc>>(black_box(&ours), DIALECT).expect("it is valid")
    });
    run.measure(decode, "rmp-serde, named", || {
        rmp_serde::from_slice::<Vec<Npc>>(black_box(&named)).expect("it is valid")
    });
    run.measure(decode, "postcard", || {
        postcard::from_bytes::<Vec<Npc>>(black_box(&bare)).expect("it is valid")
    });
    run.measure(decode, "serde_json", || {
        serde_json::from_slice::<Vec<Npc>>(black_box(&json)).expect("it is valid")
    });
    let encode = "structs/encode";
    run.measure(encode, FORMWORK, || {
        to_vec(black_box(&godot_npcs), DIALECT).expect("it can be written")
    });
    run.measure(encode, "rmp-serde, named", || {
        rmp_serde::to_vec_named(black_box(&npcs)).expect("it can be written")
    });
    run.measure(encode, "postcard", || {
        postcard::to_stdvec(black_box(&npcs)).expect("it can be written")
    });
    run.measure(encode, "serde_json", || {
        serde_json::to_vec(black_box(&npcs)).expect("it can be written")
    });
}

fn small(run: &mut Run<'_>) {
    let value: Variant = variant!({ "id": 7, "name": "npc", "hp": 99.5 });
    let bytes = Encoder::new(DIALECT).encode(&value).expect("it can be written");
    run.measure("small dictionary/decode", FORMWORK, || -> Variant {
        Decoder::new(DIALECT).decode(black_box(&bytes)).expect("it is valid")
    });
    run.measure("small dictionary/decode", "by hand", || hand::decode(black_box(&bytes)));
    let by_hand = hand::decode(&bytes).expect("it is valid");
    run.measure("small dictionary/encode", FORMWORK, || {
        Encoder::new(DIALECT).encode(black_box(&value)).expect("it can be written")
    });
    run.measure("small dictionary/encode", "by hand", || hand::encode(black_box(&by_hand)));
}

/// Measures the packets of Godot 3, also read and written by the engine, which drops values outside the measurement.
fn live(run: &mut Run<'_>) {
    let dialect = Dialect::GODOT3;
    let (decoder, encoder) = (Decoder::new(dialect), Encoder::new(dialect));
    for workload in workloads(dialect) {
        let name = workload.name;
        let bytes = encoder.encode(&workload.value).expect("it can be written");
        let value = decoder.decode(&bytes).expect("it is valid");
        let (decode, encode) = (format!("godot3/{name}/decode"), format!("godot3/{name}/encode"));
        run.measure_undropped(&decode, FORMWORK, || -> Variant {
            decoder.decode(black_box(&bytes)).expect("it is valid")
        });
        run.measure_undropped(&encode, FORMWORK, || {
            encoder.encode(black_box(&value)).expect("it can be written")
        });
        // The engine is not started for benchmarks that the command line leaves out.
        if !run.samples.borrow().keys().any(|(what, _)| [&decode, &encode].contains(&what)) {
            continue;
        }
        let Some(times) = engine::times(&bytes).expect("the engine runs") else {
            println!("skipped: there is no {}", engine::PROGRAM);
            return;
        };
        let mut samples = run.samples.borrow_mut();
        samples.insert((decode, engine::PROGRAM), times.decode);
        samples.insert((encode, engine::PROGRAM), times.encode);
    }
}

/// The greatest accepted ratio of medians.
struct Target {
    what: &'static [&'static str],
    beside: &'static str,
    most: f64,
}

const TARGETS: [Target; 7] = [
    Target {
        what: &[
            "bytes/decode",
            "bytes/encode",
            "floats/decode",
            "floats/encode",
            "vec3/decode",
            "vec3/encode",
            "strings/decode",
            "strings/encode",
            "dicts/decode",
            "dicts/encode",
            "ints/decode",
            "ints/encode",
        ],
        beside: "by hand",
        most: 1.2,
    },
    Target {
        what: &[
            "bytes/decode",
            "bytes/encode",
            "floats/decode",
            "floats/encode",
            "vec3/decode",
            "vec3/encode",
        ],
        beside: "memcpy",
        most: 1.3,
    },
    Target { what: &["dicts/decode", "dicts/encode"], beside: "rmpv", most: 0.4 },
    Target { what: &["structs/decode", "structs/encode"], beside: "rmp-serde, named", most: 1.5 },
    // These are multiples of the engine's speed: 5 times, 4 times, twice.
    Target { what: &["godot3/dicts/decode"], beside: engine::PROGRAM, most: 1.0 / 5.0 },
    Target { what: &["godot3/strings/decode"], beside: engine::PROGRAM, most: 1.0 / 4.0 },
    Target {
        what: &[
            "godot3/bytes/decode",
            "godot3/floats/decode",
            "godot3/vec3/decode",
            "godot3/ints/decode",
        ],
        beside: engine::PROGRAM,
        most: 1.0 / 2.0,
    },
];

/// The greatest accepted time for a small dictionary, in nanoseconds.
const SMALL: f64 = 150.0;

fn median(samples: &[f64]) -> f64 {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Prints all medians and ratios, and the targets that they meet.
fn report(samples: &BTreeMap<(String, &'static str), Vec<f64>>) {
    let medians: BTreeMap<_, _> =
        samples.iter().map(|((what, who), all)| ((what.as_str(), *who), median(all))).collect();
    println!("\n| | | median ms | formwork takes |\n| --- | --- | ---: | ---: |");
    for ((what, who), taken) in &medians {
        let ours = medians.get(&(*what, FORMWORK)).copied().unwrap_or(f64::NAN);
        println!("| {what} | {who} | {:.4} | {:.2} x |", taken / 1e6, ours / taken);
    }
    println!("\n| target | at most | is | |\n| --- | ---: | ---: | --- |");
    for Target { what, beside, most } in &TARGETS {
        for what in *what {
            let of = |who| medians.get(&(*what, who));
            let (Some(ours), Some(theirs)) = (of(FORMWORK), of(beside)) else { continue };
            let ratio = ours / theirs;
            let verdict = if ratio <= *most { "met" } else { "missed" };
            println!("| {what} beside {beside} | {most} x | {ratio:.2} x | {verdict} |");
        }
    }
    let what = "small dictionary/decode";
    if let Some(taken) = medians.get(&(what, FORMWORK)) {
        let verdict = if *taken <= SMALL { "met" } else { "missed" };
        println!("| {what} | {SMALL} ns | {taken:.0} ns | {verdict} |");
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    let samples = Samples::default();
    let mut run = Run { criterion: &mut criterion, samples: &samples };
    values(&mut run);
    structs(&mut run);
    small(&mut run);
    live(&mut run);
    // With --test everything runs once, which gives no reliable time.
    if !std::env::args().any(|argument| argument == "--test") {
        report(&samples.borrow());
    }
}

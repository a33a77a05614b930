//! Measures making cases: how many per second, by kind; and a derived generator beside it.
//!
//! Each round is [`ROUND`] cases, so that the seed's random numbers are part of the measurement.

use std::hint::black_box;

use arbitrary::{Arbitrary, Unstructured};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use formwork_kit::Format;
use formwork_kit::case::{Case, Cases, Profile, Reading};
use formwork_variant::generate::{Config, Types, arbitrary};
use formwork_variant::{Decoder, Dialect, Encoder};
use formwork_variant::{Variant, VariantType};

/// The number of cases in a round.
const ROUND: u64 = 1000;

const DIALECT: Dialect = Dialect::GODOT4;

fn cases(profile: Profile) -> Cases {
    let reading = Reading { format: Format::Variant(DIALECT), allow_objects: true };
    Cases::new(reading, 1).profiles(&[profile])
}

/// Makes values without elements: numbers, vectors, texts.
fn scalars() -> Cases {
    let elements = |name: &str| name.contains("Array") || name.contains("Dictionary");
    let scalar = |&variant_type: &VariantType| {
        !elements(variant_type.name()) && variant_type != VariantType::Object
    };
    let types: Types = VariantType::ALL.iter().copied().filter(scalar).collect();
    cases(Profile::Valid).config(Config { types, single_percent: 100, ..Config::default() })
}

/// Makes values in containers, of about 200 bytes on average.
fn nested() -> Cases {
    let config = Config { single_percent: 0, max_nodes: 20, ..Config::default() };
    cases(Profile::Valid).config(config)
}

/// The same value made by a derive: no budgets, no boundaries.
#[derive(Arbitrary, Debug)]
#[allow(dead_code, reason = "only made and dropped")]
enum Derived {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(String),
    Vector3([f32; 3]),
    Array(Vec<Derived>),
    Dictionary(Vec<(Derived, Derived)>),
    Bytes(Vec<u8>),
}

fn generation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.sample_size(10).throughput(Throughput::Elements(ROUND));
    let mut makers = vec![("scalars".to_owned(), scalars()), ("nested".to_owned(), nested())];
    for &profile in Profile::ALL {
        makers.push((profile.to_string(), cases(profile)));
    }
    for (name, cases) in &makers {
        let mut case = cases.case(0);
        group.bench_function(name.as_str(), |bench| {
            bench.iter(|| {
                for number in 0..ROUND {
                    cases.case_into(number, &mut case);
                    black_box(&case);
                }
            });
        });
    }
    let seeds: Vec<u8> =
        (0..1_u32 << 20).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    group.bench_function("derived Arbitrary, 1 KiB seeds", |bench| {
        bench.iter(|| {
            for seed in seeds.chunks(1024).take(ROUND as usize) {
                black_box(Derived::arbitrary(&mut Unstructured::new(seed)).ok());
            }
        });
    });
    group.finish();
}

/// Measures cases that are made, read, written again and compared.
fn round_trip(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("round trip");
    group.sample_size(10).throughput(Throughput::Elements(ROUND));
    let decoder = Decoder::new(DIALECT).allow_objects(true);
    let encoder = Encoder::new(DIALECT);
    for (name, cases) in [("scalars", scalars()), ("valid", cases(Profile::Valid))] {
        let mut case: Case = cases.case(0);
        let mut again = Vec::new();
        group.bench_function(name, |bench| {
            bench.iter(|| {
                for number in 0..ROUND {
                    cases.case_into(number, &mut case);
                    let value: Variant = decoder.decode(&case.bytes).expect("it is valid");
                    again.clear();
                    encoder.encode_into(&value, &mut again).expect("it was read");
                    assert_eq!(again, case.bytes);
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, generation, round_trip);
criterion_main!(benches);

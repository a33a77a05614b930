//! Measures reading and writing of the six workloads, beside a plain copy of the same bytes.
//!
//! `formats/perf.md` has the times of the real engines for the same values.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use formwork_benches::workloads::workloads;
use formwork_variant::Variant;
use formwork_variant::{Decoder, Dialect, Encoder};

fn variant(criterion: &mut Criterion) {
    for dialect in [Dialect::GODOT3, Dialect::GODOT4] {
        for workload in workloads(dialect) {
            let bytes = Encoder::new(dialect).encode(&workload.value).expect("it can be written");
            let mut group = criterion.benchmark_group(format!("{dialect}/{}", workload.name));
            group.sample_size(10).throughput(Throughput::Bytes(bytes.len() as u64));
            group.bench_with_input(
                BenchmarkId::from_parameter("memcpy"),
                &bytes,
                |bench, bytes| {
                    bench.iter(|| black_box(bytes.clone()));
                },
            );
            group.bench_with_input(
                BenchmarkId::from_parameter("decode"),
                &bytes,
                |bench, bytes| {
                    let decoder = Decoder::new(dialect);
                    bench.iter(|| -> Variant {
                        decoder.decode(black_box(bytes)).expect("it is valid")
                    });
                },
            );
            group.bench_with_input(BenchmarkId::from_parameter("walk"), &bytes, |bench, bytes| {
                let decoder = Decoder::new(dialect);
                bench.iter(|| decoder.walk(black_box(bytes)).finish().expect("it is valid"));
            });
            group.bench_with_input(
                BenchmarkId::from_parameter("encode"),
                &workload.value,
                |bench, value| {
                    let encoder = Encoder::new(dialect);
                    bench.iter(|| encoder.encode(black_box(value)).expect("it can be written"));
                },
            );
            group.finish();
        }
    }
}

/// Measures 100000 structs, directly from and to a packet, and through a `Variant`.
fn structs(criterion: &mut Criterion) {
    use formwork_variant::Vector3;
    use formwork_variant::serde::{from_slice, from_variant, to_variant, to_vec};

    #[derive(serde::Deserialize, serde::Serialize)]
    struct Npc {
        id: i64,
        name: String,
        pos: Vector3,
        hp: f64,
    }

    let dialect = Dialect::GODOT4;
    let workload = workloads(dialect).into_iter().find(|workload| workload.name == "dicts");
    let value = workload.expect("there is one of dictionaries").value;
    let bytes = Encoder::new(dialect).encode(&value).expect("it can be written");
    let structs: Vec<Npc> = from_slice(&bytes, dialect).expect("they are structs");
    assert_eq!(to_vec(&structs, dialect).expect("they can be written"), bytes);

    let mut group = criterion.benchmark_group("structs");
    group.sample_size(10).throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("from_slice", |bench| {
        bench.iter(|| from_slice::<Vec<Npc>>(black_box(&bytes), dialect).expect("it is valid"));
    });
    group.bench_function("decode and from_variant", |bench| {
        bench.iter(|| {
            let value: Variant =
                Decoder::new(dialect).decode(black_box(&bytes)).expect("it is valid");
            from_variant::<Vec<Npc>, _>(&value).expect("they are structs")
        });
    });
    group.bench_function("to_vec", |bench| {
        bench.iter(|| to_vec(black_box(&structs), dialect).expect("it can be written"));
    });
    group.bench_function("to_variant and encode", |bench| {
        bench.iter(|| {
            let value = to_variant(black_box(&structs)).expect("they are values");
            Encoder::new(dialect).encode(&value).expect("it can be written")
        });
    });
    group.finish();
}

criterion_group!(benches, variant, structs);
criterion_main!(benches);

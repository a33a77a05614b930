//! Reading and writing the six workloads, beside a plain copy of the same bytes.
//!
//! What the real engines take for the same values is in `formats/perf.md`.

#[path = "workloads/mod.rs"]
mod workloads;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use formwork::variant::Variant;
use formwork::{Decoder, Dialect, Encoder};
use workloads::workloads;

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

criterion_group!(benches, variant);
criterion_main!(benches);

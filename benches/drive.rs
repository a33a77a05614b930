//! Driving a decoder that runs as a process of its own: packets to `formwork-kit respond` and back.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use formwork_kit::Format;
use formwork_kit::case::{Cases, Reading};
use formwork_kit::oracle::target::{self, Limits, TargetSpec};
use formwork_variant::Dialect;

fn drive(criterion: &mut Criterion) {
    let reading = Reading { format: Format::Variant(Dialect::GODOT3), allow_objects: false };
    let cases = Cases::new(reading, 7);
    let packets: Vec<_> = (0..4096)
        .map(|number| cases.case(number).bytes)
        .filter(|packet| packet.len() < 400)
        .collect();
    let packets: Vec<_> = packets.iter().map(Vec::as_slice).collect();
    // The bench is in `target/PROFILE/deps`.
    let bench = std::env::current_exe().expect("it is a file");
    let program = bench.ancestors().nth(2).expect("the folder").join("formwork-kit");
    assert!(program.exists(), "cargo build --release -p formwork-cli");
    let command = format!("'{}' respond --format godot3", program.display());
    let spec = TargetSpec::persistent(&command).expect("it is a command");
    let mut group = criterion.benchmark_group("drive");
    group.sample_size(10).throughput(Throughput::Elements(packets.len() as u64));
    for batch in [1, 64, 256] {
        let limits = Limits { batch, ..Limits::default() };
        let mut target = target::open(&spec, &limits).expect("it starts");
        let mut outcomes = Vec::with_capacity(packets.len());
        group.bench_function(BenchmarkId::new("pipes", batch), |bench| {
            bench.iter(|| {
                outcomes.clear();
                target.run(&packets, &mut outcomes).expect("it answers");
                assert_eq!(outcomes.len(), packets.len());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, drive);
criterion_main!(benches);

//! Measures reading, writing, walking and listing of ALB1 files, beside a plain copy of the same bytes.
//!
//! The files are made by the benchmark: an object layer with a hundred thousand objects, and a project with many small
//! fields.

use std::hint::black_box;

use bytes::Bytes;
use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use formwork_alb1::terrain::{ObjectLayer, PlacedRoad, Project, Raster, RoadPart, Root, hash};
use formwork_alb1::tree;
use formwork_alb1::tree::{Colour, Grid, Object, Tree, Version};
use formwork_alb1::{Document, Text};
use formwork_terrain::object_list::{Filter, Form, LayerObjects, Writer};

fn text(text: &str) -> Text {
    Text::new(text).expect("plain letters")
}

/// Makes a layer with `objects` objects of ten templates, in a map of ten kilometres.
fn layer(objects: u32) -> Document {
    let mut layer = ObjectLayer::new(text("trees"), 1_400_000_000).expect("it can be made");
    let names: Vec<_> = (0..10).map(|number| format!("template_{number}")).collect();
    for name in &names {
        layer.add_template(text(name), text("library"));
    }
    let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
    let mut state = 0x9e37_79b9_u32;
    let mut number = |below: f64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        below * f64::from(state) / f64::from(u32::MAX)
    };
    let placed = (0..objects).map(|id| {
        let name = &names[id as usize % names.len()];
        let object = Object {
            x: 200_000.0 + number(10_240.0),
            y: number(10_240.0),
            yaw: number(360.0) as f32,
            scale: 1.0,
            id,
            ..Object::default()
        };
        (hash(name.as_bytes()), object)
    });
    let tree = Tree::build(&grid, placed, |_| Colour::from(0xFF80_8080)).expect("all inside");
    layer.tree = tree.to_vec().expect("it can be written").into();
    layer.object_count = objects as i32;
    layer.next_object_id = objects as i32;
    layer.to_document().expect("it can be made")
}

/// Makes a project with roads of many parts: small objects in lists.
fn project() -> Document {
    let mut project = Project::new(text("project"));
    let part = |id: i32| RoadPart {
        part: id,
        model: text("p\\roads\\road_25.p3d"),
        ..RoadPart::default()
    };
    project.objects.placed_roads.roads = (0..200)
        .map(|_| PlacedRoad {
            model: text("p\\roads\\road_12.p3d"),
            direction_a: (0..50).map(part).collect(),
            ..PlacedRoad::default()
        })
        .collect();
    project.world.contents.rasters.insert(0, Raster::default());
    project.to_document().expect("it can be made")
}

fn files(criterion: &mut Criterion) {
    for (name, document) in [("layer", layer(100_000)), ("project", project())] {
        let bytes = Bytes::from(document.to_vec().expect("it can be written"));
        let mut group = criterion.benchmark_group(format!("alb1/{name}"));
        group.sample_size(10).throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(BenchmarkId::from_parameter("memcpy"), |bench| {
            bench.iter(|| black_box(bytes.to_vec()));
        });
        group.bench_function(BenchmarkId::from_parameter("read"), |bench| {
            bench.iter(|| Document::from_slice(black_box(&bytes)).expect("it is valid"));
        });
        group.bench_function(BenchmarkId::from_parameter("write"), |bench| {
            bench.iter(|| black_box(&document).to_vec().expect("it can be written"));
        });
        group.finish();
    }
}

fn trees(criterion: &mut Criterion) {
    let document = layer(100_000);
    let layer = ObjectLayer::of(&document).expect("it is a layer");
    let bytes = &layer.tree;
    let version = Version::of_layer_version(layer.version);
    let whole = Tree::read(bytes, version).expect("it is valid");
    let grid = Grid::of(&whole).expect("it is the grid");
    let placed: Vec<_> = whole.placed().map(|(hash, object)| (hash, *object)).collect();
    let mut group = criterion.benchmark_group("alb1/tree");
    group.sample_size(10).throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function(BenchmarkId::from_parameter("memcpy"), |bench| {
        bench.iter(|| black_box(bytes.to_vec()));
    });
    group.bench_function(BenchmarkId::from_parameter("walk"), |bench| {
        bench.iter(|| {
            let objects = tree::objects(black_box(bytes), version);
            objects.map(|placed| placed.expect("it is valid").1.x).sum::<f64>()
        });
    });
    group.bench_function(BenchmarkId::from_parameter("export"), |bench| {
        let filter = Filter::default();
        let objects = LayerObjects::new(&layer, &[], &filter).expect("it is valid");
        bench.iter(|| {
            let mut writer = Writer::new(Vec::new(), Form::Text).expect("memory takes it");
            objects.write(&mut writer).expect("it can be written");
            black_box(writer.finish().expect("memory takes it"))
        });
    });
    group.bench_function(BenchmarkId::from_parameter("read"), |bench| {
        bench.iter(|| Tree::read(black_box(bytes), version).expect("it is valid"));
    });
    group.bench_function(BenchmarkId::from_parameter("write"), |bench| {
        bench.iter(|| black_box(&whole).to_vec().expect("it can be written"));
    });
    group.bench_function(BenchmarkId::from_parameter("build"), |bench| {
        bench.iter_batched(
            || placed.clone(),
            |placed| Tree::build(&grid, placed, |_| Colour::from(0)).expect("all inside"),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(benches, files, trees);
criterion_main!(benches);

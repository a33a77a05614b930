//! The files in formats/alb1/samples: a small project that shows every structure of real ones. They
//! are made here, by the crate's own writer; `BLESS=1 cargo test --test alb1 samples` makes them anew.

use std::fs;

use formwork_alb1::terrain::{
    Attribute, Attributes, CenterDelta, CrossDefinition, FrameConfiguration, KeyPoint, MapFrame,
    ObjectLayer, PlacedRoad, Polygon, Polyline, Project, Raster, RoadCurve, RoadDefinition,
    RoadPart, RoadStraight, RoadTerminator, Root, Shape, ShapeLayer, Vertex, hash,
};
use formwork_alb1::tree::{Grid, Object, Tree, Version};
use formwork_alb1::{Document, ObjectPointer, Text};

fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

/// The easting of the map's corner.
const EASTING: f64 = 200_000.0;

fn project() -> Project {
    let mut project = Project::new(text("valley"));
    project.libraries = ["templatelibs\\houses.tml", "templatelibs\\trees.tml"].map(text).into();
    let manager = &mut project.objects;
    manager.total_object_count = 7;
    manager.active_layer = ObjectPointer { class: 5, address: HOUSES_ADDRESS };
    manager.active_area_layer = ObjectPointer { class: 9, address: FIELDS_ADDRESS };
    manager.road_base.roads = vec![road("asphalt", "asf"), road("dirt", "ces")];
    manager.road_base.crossroads = vec![CrossDefinition {
        name: text("asphalt_x_dirt"),
        model: text("valley\\roads\\kr_x_asf_ces.p3d"),
        kind: 3,
        max: 25.0,
        connect_a: 0,
        connect_b: 0,
        connect_c: 1,
        connect_d: -1,
        ..CrossDefinition::default()
    }];
    let part = |number: i32| RoadPart {
        kind: 3,
        part: number % 2,
        model: text(&format!("valley\\roads\\asf_{}.p3d", if number % 2 == 0 { 25 } else { 12 })),
        ..RoadPart::default()
    };
    manager.placed_roads.roads = vec![PlacedRoad {
        orientation: 45.5,
        elevation: 12.25,
        position: [EASTING + 512.0, 640.0],
        road: 0,
        kind: 3,
        model: text("valley\\roads\\asf_25.p3d"),
        direction_a: (0..4).map(part).collect(),
        direction_b: (0..2).map(part).collect(),
        ..PlacedRoad::default()
    }];
    manager.map_frames.frames = vec![MapFrame {
        name: text("valley"),
        size: 512,
        height_raster: text("valley-heightfield"),
        configuration: FrameConfiguration {
            export_folder: text("P:\\valley\\data"),
            layers_file: text("valley\\source\\layers.cfg"),
            grid_file: text("P:\\valley\\valley.grid.001.v4w"),
            surface_imported: true,
            satellite_imported: true,
            grid_x: 16.0,
            grid_z: 16.0,
            grid_original: 40.0,
            grid_size: 512,
            texture_overlap: 16,
            texture_cell: 512,
            segment_index: -1,
            satellite_cell: 512,
            imagery_width: 2048,
            imagery_resolution: 1.0,
            tile_mask: vec![true, true, false, true],
            allowed_mask: vec![true; 4],
            generated_mask: vec![false, true, false, true],
            ..FrameConfiguration::default()
        },
        bounds: [EASTING, 0.0, EASTING + 2048.0, 2048.0],
        ..MapFrame::default()
    }];
    manager.key_points.points = vec![key_point("hamlet", "Hamlet", 700.0, 800.0), {
        key_point("mill", "Caf\u{e9} Mill", 1200.5, 300.25)
    }];
    for (model, x, z) in
        [("valley\\houses\\barn.p3d", 0.25, -1.5), ("valley\\houses\\mill.p3d", 2.0, 0.125)]
    {
        manager.center_deltas.insert(text(model), CenterDelta { x, z, ..CenterDelta::default() });
    }
    let rasters = [
        (1, "P:\\valley\\source\\heights.asc", 0),
        (2, "P:\\valley\\source\\satellite.png", 1),
        (3, "P:\\valley\\source\\mask.png", 2),
        (4, "C:\\Users\\somebody\\normals.png", 3),
    ];
    for (id, file, kind) in rasters {
        let raster = Raster {
            name: text(file),
            file: text(file),
            kind,
            id: id as u32,
            bounds: [EASTING, 2048.0, EASTING + 2048.0, 0.0],
            opacity: 1.0,
            visible: kind == 1,
            layer: id,
            ..Raster::default()
        };
        project.world.contents.rasters.insert(id, raster);
    }
    project
}

fn road(name: &str, part: &str) -> RoadDefinition {
    let model = |end: &str| text(&format!("valley\\roads\\{part}_{end}.p3d"));
    let straight = |end: &str| RoadStraight {
        name: text(&format!("{part}_{end}")),
        model: model(end),
        can_bank: true,
        ..RoadStraight::default()
    };
    RoadDefinition {
        name: text(name),
        coloured_normal_parts: true,
        colour: 0xFF40_8080.into(),
        outline: 0xFF00_0000.into(),
        max_angle: 12.5,
        max_bank: 10.0,
        straights: vec![straight("25"), straight("12")],
        curves: vec![RoadCurve {
            name: text(&format!("{part}_10 50")),
            model: model("10 50"),
            radius: 50.0,
            ..RoadCurve::default()
        }],
        terminators: vec![RoadTerminator {
            name: text(&format!("{part}_end")),
            model: model("end"),
            ..RoadTerminator::default()
        }],
        ..RoadDefinition::default()
    }
}

fn key_point(name: &str, shown: &str, x: f64, y: f64) -> KeyPoint {
    KeyPoint {
        name: text(name),
        text: text(shown),
        position: [EASTING + x, y],
        size: [100.5, 50.25],
        fill_colour: 0x40FF_8000.into(),
        outline_colour: 0xFFFF_8000.into(),
        kind: 2,
        visible: true,
        angle: 30.0,
        ..KeyPoint::default()
    }
}

const HOUSES: [(&str, u32); 2] = [("barn", 0xFF80_4000), ("mill", 0xFFC0_C0C0)];
const TREES: [(&str, u32); 2] = [("oak_1", 0xFF00_8000), ("fir 2", 0xFF00_4000)];

/// A layer whose tree has fewer nodes than Terrain Builder makes: complete to level 3, not 8.
fn layer(
    name: &str,
    version: i32,
    library: &str,
    templates: &[(&str, u32)],
    objects: &[(usize, Object)],
) -> ObjectLayer {
    let mut layer = ObjectLayer::new(text(name), 1_400_000_000).unwrap();
    layer.version = version;
    for (template, _) in templates {
        layer.add_template(text(template), text(library));
    }
    let version = Version::of_layer_version(version);
    let grid = Grid::new(version, Grid::ROOTS[0]).with_levels(3, 14).unwrap();
    let template_hash = |index: usize| hash(templates[index].0.as_bytes());
    let placed = objects.iter().map(|(index, object)| (template_hash(*index), *object));
    let colour = |asked| {
        let known = (0..templates.len()).find(|&index| template_hash(index) == asked);
        known.map_or(0, |index| templates[index].1).into()
    };
    let tree = Tree::build(&grid, placed, colour).unwrap();
    layer.set_tree(&tree).unwrap();
    layer
}

fn object(id: u32, x: f64, y: f64, yaw: f32) -> Object {
    Object { x: EASTING + x, y, yaw, scale: 1.0, id, ..Object::default() }
}

fn houses() -> ObjectLayer {
    let objects = [
        (0, object(0, 100.125, 200.25, 90.0)),
        (0, object(1, 104.5, 201.75, 12.375)),
        (1, Object { z: -0.5, pitch: 1.5, roll: 358.25, ..object(2, 1500.0625, 1800.5, 360.0) }),
        (1, Object { scale: 1.25, ..object(3, 700.1, 800.2, 0.1) }),
    ];
    layer("houses", 4, "houses", &HOUSES, &objects)
}

fn old_trees() -> ObjectLayer {
    let objects = [
        (0, object(0, 1000.0, 1000.0, 33.3)),
        (1, object(1, 1001.0, 1002.0, 66.6)),
        (1, object(2, 40.0, 2000.0, 99.9)),
    ];
    layer("old trees", 3, "trees", &TREES, &objects)
}

fn fields() -> ShapeLayer {
    let mut layer = ShapeLayer::new(text("fields"));
    let at = |corners: &[(f64, f64)]| -> Vec<Vertex> {
        corners.iter().map(|(x, y)| Vertex::at(EASTING + x, *y)).collect()
    };
    let square = [(300.0, 300.0), (400.0, 300.0), (400.0, 400.0), (300.0, 400.0)];
    let mut wheat = Polygon::new(text("wheat"), at(&square));
    wheat.attributes =
        attributes(&[("CROP", "wheat", 0), ("AREA", "10000", 1), ("YIELD", "7.5", 2)]);
    let mut brook = Polyline::new(text("brook"), at(&[(0.0, 0.0), (50.5, 60.25), (90.0, 200.0)]));
    brook.attributes = attributes(&[("WIDTH", "2", 1)]);
    layer.shapes = vec![Shape::Polygon(wheat), Shape::Polyline(brook)];
    layer
}

fn attributes(all: &[(&str, &str, i32)]) -> Attributes {
    let mut attributes = Attributes::default();
    for (name, value, kind) in all {
        let kind = Attribute { kind: *kind, ..Attribute::default() }.kind();
        attributes.set(text(name), text(value), kind.unwrap());
    }
    attributes
}

/// A template library in Terrain Builder's XML.
fn library(name: &str, templates: &[(&str, u32)]) -> Vec<u8> {
    let mut xml = format!(
        "<?xml version=\"1.0\" ?>\r\n<Library name=\"{name}\" shape=\"rectangle\" default_fill=\"-1\" \
         default_outline=\"-16777216\" tex=\"0\">\r\n"
    );
    for (template, fill) in templates {
        let (fill, hash) = (*fill as i32, hash(template.as_bytes()) as i32);
        xml += &format!(
            "  <Template>\r\n    <Name>{template}</Name>\r\n    \
             <File>valley\\{name}\\{template}.p3d</File>\r\n    <Date>05/14/14 12:00:00</Date>\r\n    \
             <Archive></Archive>\r\n    <Fill>{fill}</Fill>\r\n    <Outline>-16777216</Outline>\r\n    \
             <Scale>1.000000</Scale>\r\n    <Hash>{hash}</Hash>\r\n    \
             <ScaleRandMin>0.000000</ScaleRandMin>\r\n  </Template>\r\n"
        );
    }
    (xml + "</Library>\r\n").into_bytes()
}

const HOUSES_ADDRESS: u32 = 0x1318_C008;
const FIELDS_ADDRESS: u32 = 0x1318_D000;

fn at_address(mut document: Document, address: u32) -> Vec<u8> {
    document.root.address = address;
    document.to_vec().unwrap()
}

pub(crate) fn files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("valley.tv4p", project().to_document().unwrap().to_vec().unwrap()),
        ("valley.Layers/houses.tv4l", at_address(houses().to_document().unwrap(), HOUSES_ADDRESS)),
        (
            "valley.Layers/old trees.tv4l",
            at_address(old_trees().to_document().unwrap(), 0x1318_C900),
        ),
        ("valley.Shapes/fields.tv4s", at_address(fields().to_document().unwrap(), FIELDS_ADDRESS)),
        ("TemplateLibs/houses.tml", library("houses", &HOUSES)),
        ("TemplateLibs/trees.tml", library("trees", &TREES)),
    ]
}

#[test]
fn samples_are_what_the_crate_writes() {
    let folder = formwork_testkit::formats().join("alb1/samples");
    for (name, bytes) in files() {
        let path = folder.join(name);
        if std::env::var_os("BLESS").is_some() {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &bytes).unwrap();
        }
        let there = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(there == bytes, "{} is another file", path.display());
        if !name.ends_with(".tml") {
            let document = Document::from_slice(&bytes).unwrap();
            assert_eq!(document.to_vec().unwrap(), bytes, "{name}");
        }
    }
}

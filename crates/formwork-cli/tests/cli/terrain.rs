//! `formwork terrain` on projects in folders.

use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::terrain::{
    CenterDelta, KeyPoint, MapFrame, ObjectLayer, Polygon, Project, Raster, RoadDefinition, Root,
    Shape, ShapeLayer, Vertex,
};
use formwork_alb1::{Document, ObjectPointer, Text};
use serde_json::Value as Json;
use snapbox::str;

use crate::run::{Ended, run, verb_first};

fn text(text: &str) -> Text {
    Text::new(text).expect("plain letters")
}

/// A project with an object layer, a shape layer and a Git LFS pointer next to it.
struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = Self { folder: tempfile::tempdir().expect("a folder") };
        let mut project = Project::new(text("island"));
        project.libraries = vec![text("TemplateLibs\\Trees.tml"), text("TemplateLibs\\gone.tml")];
        let mut frame = MapFrame { name: text("island"), ..MapFrame::default() };
        frame.bounds = [200_000.0, 0.0, 201_024.0, 1024.0];
        frame.configuration.export_folder = text("C:\\Users\\jo\\out");
        project.objects.map_frames.frames.push(frame);
        let road = RoadDefinition { name: text("asphalt"), ..RoadDefinition::default() };
        project.objects.road_base.roads.push(road);
        let mut point = KeyPoint { name: text("camp"), ..KeyPoint::default() };
        (point.text, point.position) = (text("Camp\u{7} A"), [200_010.0, 20.5]);
        project.objects.key_points.points.push(point);
        let file = text("P:\\Island\\Sat.png");
        let raster = Raster { name: file.clone(), file, id: 7, ..Raster::default() };
        project.world.contents.rasters.insert(7, raster);

        let layer = ObjectLayer::new(text("trees"), 1_400_000_000).expect("a layer");
        let mut layer = layer.to_document().expect("it can be written");
        layer.root.address = 0x2000_0000;
        let class = layer.root.class;
        project.objects.active_layer = ObjectPointer { class, address: layer.root.address };

        let mut shapes = ShapeLayer::new(text("fields"));
        let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.5)].map(|(x, y)| Vertex::at(x, y));
        shapes.shapes.push(Shape::Polygon(Polygon::new(text("first"), corners.to_vec())));
        let mut shapes = shapes.to_document().expect("it can be written");
        shapes.root.address = 0x3000_0000;
        let class = shapes.root.class;
        project.objects.active_area_layer = ObjectPointer { class, address: 0x3000_0000 };

        folder.write("island.tv4p", &project.to_document().expect("it can be written"));
        folder.write("island.Layers/trees.tv4l", &layer);
        folder.write("island.Shapes/fields.tv4s", &shapes);
        let library = "<Library name='Trees'></Library>";
        folder.write_bytes("templatelibs/trees.tml", library.as_bytes());
        folder.write_bytes("drive/ISLAND/sat.PNG", b"");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder is made");
        fs::write(path, bytes).expect("a file is written");
    }

    fn write(&self, name: &str, document: &Document) {
        self.write_bytes(name, &document.to_vec().expect("it can be written"));
    }

    fn read(&self, name: &str) -> Project {
        let bytes = fs::read(self.path(name)).expect("a file is read");
        Project::of(&Document::from_slice(&bytes).expect("a document")).expect("a project")
    }

    /// Runs `terrain` on the project.
    fn terrain(&self, arguments: &[&str]) -> Ended {
        self.terrain_of(&self.path("island.tv4p"), arguments)
    }

    fn terrain_of(&self, project: &Path, arguments: &[&str]) -> Ended {
        let project = project.to_str().expect("UTF-8");
        run(&verb_first(project, arguments))
    }

    fn argument(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }
}

#[test]
fn layers_are_listed_with_what_is_no_layer() {
    let folder = Folder::new();
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
    folder.terrain(&["layers"]).with_status(0);
    folder.write_bytes("island.Layers/rocks.tv4l", pointer);
    folder.terrain(&["layers"]).with_status(1);
    for project in [folder.path("island.tv4p"), folder.folder.path().to_owned()] {
        let json = folder.terrain_of(&project, &["layers", "--json"]).with_status(1);
        let json: Json = serde_json::from_slice(&json.stdout).expect("JSON");
        let layer = &json["object_layers"][0];
        assert_eq!((&layer["layer"], &layer["active"]), (&"trees".into(), &true.into()));
        assert_eq!((&layer["id"], &layer["object_count"]), (&1_400_000_000.into(), &0.into()));
        let shapes = &json["shape_layers"][0];
        assert_eq!((&shapes["shape_count"], &shapes["active"]), (&1.into(), &true.into()));
        let unread = &json["unread_layers"][0];
        assert_eq!(unread["git_lfs_pointer"], true);
        assert_eq!(unread["size"], pointer.len());
    }
}

#[test]
fn paths_are_looked_for_in_any_case_and_moved() {
    let folder = Folder::new();
    let root = format!("p:={}", folder.argument("drive"));
    let list = folder.terrain(&["paths", "--json", "--root", &root]).with_status(0);
    let list: Json = serde_json::from_slice(&list.stdout).expect("JSON");
    let of = |path: &str| list.as_array().expect("a list").iter().find(|row| row["target"] == path);
    assert_eq!(of("TemplateLibs\\Trees.tml").expect("it is there")["there"], true);
    assert_eq!(of("TemplateLibs\\gone.tml").expect("it is there")["there"], false);
    assert_eq!(of("C:\\Users\\jo\\out").expect("it is there")["profile"], "jo");
    let rows = list.as_array().expect("a list").iter();
    let raster =
        rows.filter(|row| row["kind"] == "file").find(|row| row["target"] == "P:\\Island\\Sat.png");
    assert_eq!(raster.expect("it is there")["there"], true);

    let missing = folder.terrain(&["paths", "--missing", "--root", &root]).with_status(1);
    assert_eq!(missing.text(), "missing  TemplateLibs\\gone.tml  libs[1]\n");

    let moved = folder.argument("moved.tv4p");
    let replace = ["paths", "--replace", "p:/island", "P:\\maps\\isle", "-o", &moved];
    folder.terrain(&replace).with_status(0).says(str!["note: [..]island.tv4p: 2 paths changed"]);
    let raster = folder.read("moved.tv4p").world.contents.rasters.get(&7).cloned();
    assert_eq!(raster.expect("it is there").file, text("P:\\maps\\isle\\Sat.png"));
    folder.terrain(&["paths", "--replace", "C:\\Users\\jo", "P:", "--in-place"]).with_status(0);
    let frames = folder.read("island.tv4p").objects.map_frames.frames;
    assert_eq!(frames[0].configuration.export_folder, text("P:\\out"));
    folder.terrain(&["paths", "--replace", "C:\\a", "b", "-o", &moved]).with_status(2);
    folder.terrain(&["paths", "--root", "P:"]).with_status(2);
}

#[test]
fn roads_go_out_and_into_another_project() {
    let folder = Folder::new();
    let yaml = folder.argument("roads.yaml");
    folder.terrain(&["roads", "-o", &yaml]).with_status(0);
    let json = folder.terrain(&["roads", "--as", "json"]).with_status(0);
    let json: Json = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["roads"][0]["name"], "asphalt");

    let other = Project::new(text("other")).to_document().expect("it can be written");
    folder.write("other/other.tv4p", &other);
    let (other, out) = (folder.argument("other/other.tv4p"), folder.argument("out.tv4p"));
    folder.terrain(&["roads", "--into", &other, "-o", &out]).with_status(0);
    let by_into = folder.read("out.tv4p").objects.road_base;
    assert_eq!(by_into.roads[0].name, text("asphalt"));
    let from = ["roads", "--from", &yaml, "-o", &out];
    folder.terrain_of(Path::new(&other), &from).with_status(0);
    assert_eq!(folder.read("out.tv4p").objects.road_base, by_into);

    let before = fs::read(&out).expect("a file is read");
    let refused = folder.terrain(&["roads", "--from", &yaml, "-o", &out]).with_status(1);
    refused.says(str![[r#"
error: [..]island.tv4p: the project has these already: asphalt
  hint: use --replace to replace them
"#]]);
    assert_eq!(fs::read(&out).expect("a file is read"), before);
    // Roads that replace themselves change nothing.
    folder.terrain(&["roads", "--from", &yaml, "--replace", "-o", &out]).with_status(0);
    assert!(fs::read(&out).ok() == fs::read(folder.path("island.tv4p")).ok());
}

#[test]
fn key_points_and_shapes_are_geojson_with_the_coordinates_of_the_file() {
    let folder = Folder::new();
    let list = folder.terrain(&["keypoints"]).with_status(0);
    assert_eq!(list.text(), "200010.000  20.500  camp  Camp\u{fffd} A\n");
    let points = folder.terrain(&["keypoints", "--as", "geojson"]).with_status(0);
    let points: Json = serde_json::from_slice(&points.stdout).expect("JSON");
    let point = &points["features"][0];
    assert_eq!(point["geometry"]["coordinates"], serde_json::json!([200_010.0, 20.5]));
    assert_eq!(point["properties"]["text"], "Camp\u{7} A");
    for project in ["island.tv4p", "island.Shapes", "island.Shapes/fields.tv4s"] {
        let project = folder.path(project);
        let shapes = folder.terrain_of(&project, &["shapes", "--layer", "fields"]).with_status(0);
        let shapes: Json = serde_json::from_slice(&shapes.stdout).expect("JSON");
        let ring = serde_json::json!([[[0.0, 0.0], [10.0, 0.0], [10.0, 10.5], [0.0, 0.0]]]);
        assert_eq!(shapes["features"][0]["geometry"]["coordinates"], ring);
        assert_eq!(shapes["features"][0]["type"], "Feature");
    }
    folder.terrain(&["shapes", "--layer", "woods"]).with_status(2);
    folder.terrain_of(&folder.path("island.Shapes"), &["keypoints"]).with_status(2);
}

/// A regression test, also for backups and dry runs of commands that change projects.
#[test]
fn paths_and_roads_change_a_project_in_place_with_a_backup() {
    let folder = Folder::new();
    let bytes = |name: &str| fs::read(folder.path(name)).expect("a file is read");
    let before = bytes("island.tv4p");
    let replace = ["paths", "--replace", "p:/island", "P:\\isle", "--in-place"];
    folder.terrain(&[&replace[..], &["--dry-run"]].concat()).with_status(0).says(str![[r#"
note: would change [..]island.tv4p: 2 paths changed
note: would change [..]island.Shapes/fields.tv4s: 0 paths changed
"#]]);
    assert!(bytes("island.tv4p") == before && !folder.path("island.tv4p.bak").exists());
    folder.terrain(&replace).with_status(0).says(str![[r#"
note: the old [..]island.tv4p is kept as [..]island.tv4p.bak
note: [..]island.tv4p: 2 paths changed
note: [..]island.Shapes/fields.tv4s: 0 paths changed
"#]]);
    assert!(bytes("island.tv4p") != before && bytes("island.tv4p.bak") == before);
    assert!(!folder.path("island.Shapes/fields.tv4s.bak").exists(), "it did not change");

    let other = Project::new(text("other")).to_document().expect("it can be written");
    folder.write("other/other.tv4p", &other);
    let before = bytes("other/other.tv4p");
    let other = folder.argument("other/other.tv4p");
    let into = ["roads", "--into", &other, "--in-place"];
    folder
        .terrain(&[&into[..], &["--dry-run"]].concat())
        .with_status(0)
        .says(str!["note: would change [..]other/other.tv4p: 1 added, 0 replaced"]);
    assert!(bytes("other/other.tv4p") == before);
    folder.terrain(&into).with_status(0);
    assert_eq!(folder.read("other/other.tv4p").objects.road_base.roads[0].name, text("asphalt"));
    assert!(bytes("other/other.tv4p.bak") == before);
    let more = [&into[..], &["--replace", "--no-backup"]].concat();
    folder.terrain(&more).with_status(0);
    assert!(!folder.path("other/other.tv4p.bak.2").exists());
    for alone in [["roads", "--in-place"], ["roads", "--dry-run"], ["paths", "--dry-run"]] {
        folder.terrain(&alone).with_status(2);
    }

    // Two folders become one.
    let mut project = folder.read("island.tv4p");
    for (key, x) in [("dz\\rock.p3d", 1.0), ("zzz\\rock.p3d", 2.0)] {
        let delta = CenterDelta { x, ..CenterDelta::default() };
        project.objects.center_deltas.insert(text(key), delta);
    }
    folder.write("island.tv4p", &project.to_document().expect("it can be written"));
    let before = bytes("island.tv4p");
    let merge = ["paths", "--replace", "P:\\zzz", "P:\\dz", "--in-place"];
    folder.terrain(&merge).with_status(1).says(str![[r#"
error: [..]island.tv4p: expected a key of its own for each pair, found the same key for "dz\\rock.p3d" and "zzz\\rock.p3d", which say different things
  Nothing was changed. Take one of the two out in Terrain Builder before.
"#]]);
    assert!(bytes("island.tv4p") == before);
}

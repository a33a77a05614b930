//! `terrain objects`: lists of objects, and layers made from lists.

use std::fs;
use std::path::PathBuf;

use formwork_alb1::terrain::{MapFrame, ObjectLayer, Project, Root, ShapeLayer, hash};
use formwork_alb1::tree::{Colour, Grid, Object, Tree, Version, objects};
use formwork_alb1::{Document, ObjectPointer, Text};
use snapbox::str;
use tempfile::TempDir;

use crate::run::{Ended, run, run_with, verb_first};

fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

/// A project with the layers `trees` (three objects) and `empty`, and a library with the template `elm`.
struct Island {
    folder: TempDir,
}

impl Island {
    fn new() -> Self {
        let island = Self { folder: TempDir::new().unwrap() };
        for folder in ["island.Layers", "island.Shapes", "templatelibs"] {
            fs::create_dir(island.path(folder)).unwrap();
        }
        let mut project = Project::new(text("island"));
        project.libraries =
            ["trees", "more"].map(|it| text(&format!("templatelibs\\{it}.tml"))).into();
        let bounds = [200_000.0, 0.0, 201_024.0, 1024.0];
        project.objects.map_frames.frames.push(MapFrame { bounds, ..MapFrame::default() });
        project.objects.total_object_count = 3;

        let mut trees = ObjectLayer::new(text("trees"), 7).unwrap();
        trees.add_template(text("oak"), text("Trees"));
        let placed = (0..).zip([10.1, 20.2, 30.3]).map(|(id, at)| {
            let (x, yaw) = (200_000.0 + at, at as f32);
            (hash(b"oak"), Object { id, x, y: at, yaw, scale: 1.0, ..Object::default() })
        });
        let grid = Grid::new(Version::V4, Grid::ROOTS[0]);
        trees.set_tree(&Tree::build(&grid, placed, |_| Colour::from(1)).unwrap()).unwrap();
        let mut trees = trees.to_document().unwrap();
        let mut areas = ShapeLayer::new(text("areas")).to_document().unwrap();
        trees.root.address += 0x200;
        areas.root.address += 0x300;
        let pointer = |document: &Document| ObjectPointer {
            class: document.root.class,
            address: document.root.address,
        };
        project.objects.active_layer = pointer(&trees);
        project.objects.active_area_layer = pointer(&areas);
        island.write("island.Shapes/areas.tv4s", &areas);
        island.write("island.Layers/trees.tv4l", &trees);
        let mut empty = ObjectLayer::new(text("empty"), 8).unwrap().to_document().unwrap();
        empty.root.address += 0x100;
        island.write("island.Layers/empty.tv4l", &empty);
        island.write("island.tv4p", &project.to_document().unwrap());
        for (file, library, template) in [("trees", "Trees", "oak"), ("more", "More", "elm")] {
            let hash = hash(template.as_bytes()) as i32;
            let xml = format!(
                "<?xml version=\"1.0\" ?>\n<Library name=\"{library}\" shape=\"rectangle\"><Template>\
                 <Name>{template}</Name><File>p\\{template}.p3d</File><Hash>{hash}</Hash>\
                 </Template></Library>"
            );
            fs::write(island.path(&format!("templatelibs/{file}.tml")), xml).unwrap();
        }
        island
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, document: &Document) {
        fs::write(self.path(name), document.to_vec().unwrap()).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    fn layer(&self, name: &str) -> ObjectLayer {
        let layer =
            Document::from_slice(&self.read(&format!("island.Layers/{name}.tv4l"))).unwrap();
        ObjectLayer::of(&layer).unwrap()
    }

    fn total(&self) -> i32 {
        let document = Document::from_slice(&self.read("island.tv4p")).unwrap();
        Project::of(&document).unwrap().objects.total_object_count
    }

    /// Runs `formwork terrain objects` on a file.
    fn objects(&self, file: &str, arguments: &[&str], input: &str) -> Ended {
        let path = self.path(file).display().to_string();
        let all = verb_first(&path, &[&["objects"], arguments].concat());
        run_with(&all, input.as_bytes())
    }
}

const LIST: &str = "\
\"oak\";200010.100000;10.100000;10.100000;0.000000;0.000000;1.000000;0.000000;
\"oak\";200020.200000;20.200000;20.200001;0.000000;0.000000;1.000000;0.000000;
\"oak\";200030.300000;30.300000;30.299999;0.000000;0.000000;1.000000;0.000000;
";

/// An unchanged list changes no byte of the layer.
#[test]
fn unchanged() {
    let island = Island::new();
    let out = island.path("out.tv4l").display().to_string();
    for form in ["text", "csv"] {
        let list = island.objects("island.tv4p", &["--as", form], "").with_status(0);
        let import = ["--layer", "trees", "--import", "-", "--as", form, "-o", &out];
        island.objects("island.tv4p", &import, list.text()).with_status(0);
        assert!(island.read("out.tv4l") == island.read("island.Layers/trees.tv4l"));
    }
    assert_eq!(island.total(), 3);
}

#[test]
fn in_place() {
    let island = Island::new();
    let before = island.read("island.tv4p");
    let more =
        format!("{LIST}\"elm\";200040.5;40.5;0;0;0;1;0;\n\"elm\";200050.5;40.5;0;0;0;1;0;\n");
    let import = ["--layer", "trees", "--import", "-", "--in-place"];
    island.objects("island.tv4p", &import, &more).with_status(0);
    let trees = island.layer("trees");
    assert_eq!((trees.object_count, trees.next_object_id, island.total()), (5, 5, 5));
    assert_eq!(trees.templates.get(&text("elm")), Some(&(hash(b"More") as i32)));
    let mut ids: Vec<u32> =
        objects(&trees.tree, Version::V4).map(|object| object.unwrap().1.id).collect();
    ids.sort_unstable();
    assert_eq!(ids, [0, 1, 2, 3, 4]);
    // In the project, only the number of objects has changed.
    let after = island.read("island.tv4p");
    let differ = before.iter().zip(&after).filter(|(one, other)| one != other).count();
    assert_eq!((before.len(), differ), (after.len(), 1));

    let mirror = [&import[..], &["--mode", "mirror"]].concat();
    island.objects("island.tv4p", &mirror, LIST).with_status(0);
    assert_eq!(island.total(), 3);
    let append = [&import[..], &["--mode", "append"]].concat();
    island.objects("island.tv4p", &append, LIST).with_status(0);
    assert_eq!((island.layer("trees").object_count, island.total()), (6, 6));
    run(&["terrain", "verify", &island.path("island.tv4p").display().to_string()]).with_status(0);
}

/// A regression test: an object with another template was added, and the old one stayed.
#[test]
fn an_object_of_a_list_with_ids_changes_its_template() {
    let island = Island::new();
    for (form, old, new) in [
        ("csv", "trees,0,oak", "trees,0,elm"),
        // The object is turned, too.
        ("csv", "trees,1,oak,Trees,200020.2,20.2,20.2,", "trees,1,elm,Trees,200020.2,20.2,90,"),
        ("geojson", "\"template\":\"oak\"", "\"template\":\"elm\""),
    ] {
        let list = island.objects("island.tv4p", &["--layer", "trees", "--as", form], "");
        let list = list.with_status(0).text().to_owned();
        assert_ne!(list.replacen(old, new, 1), list);
        let import = ["--layer", "trees", "--import", "-", "--as", form, "--in-place"];
        let ended = island.objects("island.tv4p", &import, &list.replacen(old, new, 1));
        ended.with_status(0).says(str![[r#"
note: the old [..]island.Layers/trees.tv4l is kept as [..]island.Layers/trees.tv4l.bak
note: trees: 2 objects as they were, 1 changed, 0 added, 0 deleted[..]
"#]]);
    }
    let trees = island.layer("trees");
    let placed = objects(&trees.tree, Version::V4).map(|object| object.unwrap());
    let mut placed: Vec<_> = placed.map(|(hash, object)| (object.id, hash)).collect();
    placed.sort_unstable();
    assert_eq!(placed, [0, 1, 2].map(|id| (id, hash(b"elm"))));
}

#[test]
fn a_new_layer() {
    let island = Island::new();
    let new = ["--new", "elms", "--import", "-", "--in-place"];
    let list = LIST.replace("oak", "elm");
    island.objects("island.tv4p", &new, &list).with_status(0);
    let elms = island.layer("elms");
    assert_eq!((elms.object_count, elms.next_object_id, island.total()), (3, 3, 6));
    let roots: Vec<u32> = ["trees", "empty", "elms"].map(|it| island.layer(it).address).into();
    assert!(roots[2] != roots[0] && roots[2] != roots[1]);
    let ended = island.objects("island.tv4p", &["--layer", "elms"], "").with_status(0);
    assert_eq!(ended.text(), list);
    run(&["terrain", "verify", &island.path("island.tv4p").display().to_string()]).with_status(0);
    // The name is taken; then, the name is not a file name.
    island.objects("island.tv4p", &new, &list).with_status(2);
    let import = ["--new", "../elms", "--import", "-", "--in-place"];
    island.objects("island.tv4p", &import, &list).with_status(2);
}

/// A regression test: a layer that could not be read was overwritten by a new one of its name.
#[test]
fn a_new_layer_never_overwrites_a_file_that_is_there() {
    let island = Island::new();
    let cut = &island.read("island.Layers/trees.tv4l")[..3000];
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n";
    let files: [(&str, &[u8]); 4] =
        [("cut.tv4l", cut), ("lfs.tv4l", pointer), ("none.tv4l", b""), ("Big.TV4L", cut)];
    for (file, bytes) in files {
        fs::write(island.path("island.Layers").join(file), bytes).unwrap();
    }
    fs::create_dir(island.path("island.Layers/folder.tv4l")).unwrap();
    let project = island.read("island.tv4p");
    let new = |name: &str, more: &[&str]| {
        let import = ["--new", name, "--import", "-", "--in-place"];
        island.objects("island.tv4p", &[&import[..], more].concat(), LIST)
    };
    for name in ["cut", "lfs", "none", "big", "folder"] {
        for more in [&[][..], &["--no-backup"], &["--dry-run"]] {
            new(name, more).with_status(2);
        }
    }
    for (file, bytes) in files {
        assert!(fs::read(island.path("island.Layers").join(file)).unwrap() == bytes, "{file}");
    }
    #[cfg(unix)]
    {
        let link = island.path("island.Layers/link.tv4l");
        std::os::unix::fs::symlink(island.path("gone.tv4l"), &link).unwrap();
        new("link", &[]).with_status(2);
        assert!(!island.path("gone.tv4l").exists() && link.is_symlink());
    }
    assert!(island.read("island.tv4p") == project);
}

#[test]
fn in_place_keeps_the_old_files() {
    let island = Island::new();
    let layer = "island.Layers/trees.tv4l";
    let import = ["--layer", "trees", "--import", "-", "--in-place", "--mode", "append"];
    let append = |more: &[&str]| {
        island.objects("island.tv4p", &[&import[..], more].concat(), LIST).with_status(0)
    };
    let mut states = Vec::new();
    for _ in 0..3 {
        states.insert(0, [island.read(layer), island.read("island.tv4p")]);
        append(&[]);
        for (state, suffix) in states.iter().zip([".bak", ".bak.2", ".bak.3"]) {
            assert!(island.read(&format!("{layer}{suffix}")) == state[0]);
            assert!(island.read(&format!("island.tv4p{suffix}")) == state[1]);
        }
    }
    assert_eq!(island.total(), 12);
    append(&["--no-backup"]);
    assert!(!island.path(&format!("{layer}.bak.4")).exists() && island.total() == 15);
    let before = [island.read(layer), island.read("island.tv4p")];
    append(&["--dry-run"]);
    assert!([island.read(layer), island.read("island.tv4p")] == before);
    assert!(!island.path(&format!("{layer}.bak.4")).exists());
    // An unchanged file is not written, so it needs no backup.
    let csv = island.objects(layer, &["--as", "csv"], "").with_status(0).text().to_owned();
    island.objects(layer, &["--import", "-", "--in-place"], &csv).with_status(0);
    assert!(!island.path(&format!("{layer}.bak.4")).exists());
    // These options need an import, and an import from standard input changes no file.
    island.objects("island.tv4p", &["--dry-run"], "").with_status(2);
    let no_backup = ["--layer", "trees", "--import", "-", "--no-backup"];
    island.objects("island.tv4p", &no_backup, LIST).with_status(2);
}

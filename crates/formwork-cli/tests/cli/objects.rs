//! `terrain objects`: lists of objects, and layers made from lists.

use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::terrain::{MapFrame, ObjectLayer, Project, Root, ShapeLayer, hash};
use formwork_alb1::tree::{Colour, Grid, Object, Tree, Version, objects};
use formwork_alb1::{Document, ObjectPointer, Text};
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
        layer(&self.path(&format!("island.Layers/{name}.tv4l")))
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

fn layer(path: &Path) -> ObjectLayer {
    ObjectLayer::of(&Document::from_slice(&fs::read(path).unwrap()).unwrap()).unwrap()
}

const LIST: &str = "\
\"oak\";200010.100000;10.100000;10.100000;0.000000;0.000000;1.000000;0.000000;
\"oak\";200020.200000;20.200000;20.200001;0.000000;0.000000;1.000000;0.000000;
\"oak\";200030.300000;30.300000;30.299999;0.000000;0.000000;1.000000;0.000000;
";

#[test]
fn lists() {
    let island = Island::new();
    for file in ["island.tv4p", "island.Layers", "island.Layers/trees.tv4l", "."] {
        assert_eq!(island.objects(file, &[], "").with_status(0).text(), LIST, "{file}");
    }
    let list = |arguments: &[&str]| {
        island.objects("island.tv4p", arguments, "").with_status(0).text().to_owned()
    };
    assert_eq!(list(&["--layer", "empty"]), "");
    assert_eq!(list(&["--layer", "trees", "--layer", "empty"]), LIST);
    let second = LIST.lines().nth(1).unwrap();
    assert_eq!(list(&["--bbox", "200015,15,200025,25"]).trim_end(), second);
    assert_eq!(list(&["--template", "o?k"]), LIST);
    assert_eq!(list(&["--template", "OAK"]), "");
    let csv = list(&["--as", "csv"]);
    assert_eq!(csv.lines().nth(1), Some("trees,0,oak,Trees,200010.1,10.1,10.1,0,0,1,0"));
    assert!(list(&["--as", "geojson"]).contains("\"coordinates\":[200020.2,20.2]"));
    island.objects("island.tv4p", &["--layer", "none"], "").with_status(2);
    island.objects("island.tv4p", &["--bbox", "5,5,1,1"], "").with_status(2);
    island.objects("island.tv4p", &["--template", "["], "").with_status(2);
}

/// An unchanged list changes no byte of the layer.
#[test]
fn unchanged() {
    let island = Island::new();
    let out = island.path("out.tv4l").display().to_string();
    for form in ["text", "csv"] {
        let list = island.objects("island.tv4p", &["--as", form], "").with_status(0);
        let import = ["--layer", "trees", "--import", "-", "--as", form, "-o", &out];
        let ended = island.objects("island.tv4p", &import, list.text()).with_status(0);
        assert!(ended.stderr.contains("3 objects as they were"), "{}", ended.stderr);
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
    let ended = island.objects("island.tv4p", &import, &more).with_status(0);
    assert!(ended.stderr.contains("2 added"), "{}", ended.stderr);
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
    let ended = island.objects("island.tv4p", &mirror, LIST).with_status(0);
    assert!(ended.stderr.contains("2 objects will be deleted"), "{}", ended.stderr);
    assert!(ended.stderr.contains("2 deleted"), "{}", ended.stderr);
    assert_eq!(island.total(), 3);
    let append = [&import[..], &["--mode", "append"]].concat();
    island.objects("island.tv4p", &append, LIST).with_status(0);
    assert_eq!((island.layer("trees").object_count, island.total()), (6, 6));
    run(&["terrain", "verify", &island.path("island.tv4p").display().to_string()]).with_status(0);
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

/// A faulty list changes no file.
#[test]
fn refused() {
    let island = Island::new();
    let files = ["island.tv4p", "island.Layers/trees.tv4l"];
    let before = files.map(|file| island.read(file));
    let import = ["--layer", "trees", "--import", "-", "--in-place"];
    for (line, says) in [
        ("\"oak\";1;2;3;", "line 4, column 13"),
        ("\"yew\";200001;2;3;0;0;1;0;", "--library"),
        ("\"oak\";-5;2;3;0;0;1;0;", "line[4]"),
        ("oak;200001;2;3;0;0;1;0;", "in quotes"),
    ] {
        let ended = island.objects("island.tv4p", &import, &format!("{LIST}{line}\n"));
        assert!(ended.with_status(1).stderr.contains(says), "{line}");
    }
    assert!(files.map(|file| island.read(file)) == before);
    let list = |arguments: &[&str], status| {
        island.objects("island.tv4p", arguments, LIST).with_status(status).stderr
    };
    list(&["--import", "-", "--in-place"], 2);
    list(&["--layer", "trees", "--import", "-", "--as", "geojson"], 1);
    list(&["--layer", "trees", "--in-place"], 2);
    list(&["--new", "a", "--layer", "trees", "--import", "-", "--in-place"], 2);
    // With a library the import works, and objects off the map are noted.
    let with = [&import[..], &["--library", "Yews"]].concat();
    let yew = format!("{LIST}\"yew\";300000;2;3;0;0;1;0;\n");
    let ended = island.objects("island.tv4p", &with, &yew).with_status(0);
    assert!(ended.stderr.contains("1 object outside the map, the first in line 4"));
    assert_eq!(island.layer("trees").templates.get(&text("yew")), Some(&(hash(b"Yews") as i32)));
}

/// A template without a name.
#[test]
fn unnamed() {
    let island = Island::new();
    let path = island.path("island.Layers/trees.tv4l");
    let list = LIST.replacen("oak", "#0123abcd", 1);
    let file = path.display().to_string();
    let import = ["--import", "-", "--mode", "mirror", "-o", &file];
    island.objects("island.Layers/trees.tv4l", &import, &list).with_status(0);
    let ended = island.objects("island.tv4p", &[], "").with_status(0);
    assert!(ended.stderr.contains("1 object has a template without a name, #0123abcd"));
    let mut lines: Vec<&str> = ended.text().lines().collect();
    lines.sort_unstable();
    let mut listed: Vec<&str> = list.lines().collect();
    listed.sort_unstable();
    assert_eq!(lines, listed);
}

#[test]
fn a_layer_is_known_by_its_content_and_says_what_it_has_placed() {
    let island = Island::new();
    for name in ["layer.bin", "layer.tv4p"] {
        fs::copy(island.path("island.Layers/trees.tv4l"), island.path(name)).unwrap();
        let path = island.path(name);
        let list = run(&["terrain".as_ref(), "objects".as_ref(), path.as_os_str()]).with_status(0);
        assert_eq!(list.text().lines().count(), 3, "{name}");
        let roads = run(&["terrain".as_ref(), "roads".as_ref(), path.as_os_str()]).with_status(2);
        assert!(roads.stderr.contains("no project"), "{}", roads.stderr);
    }
    let layer = fs::read(island.path("layer.bin")).unwrap();
    let info = run_with(&["info", "--json", "-"], &layer).with_status(0);
    let info: serde_json::Value = serde_json::from_slice(&info.stdout).unwrap();
    assert_eq!((&info["placed_count"], &info["template_count"]), (&3.into(), &1.into()));
    assert_eq!(
        info["extent"],
        "200010.100, 10.100 to 200030.300, 30.300 (west, south, east, north)"
    );
    let line = run_with(&["verify", "-"], &layer).with_status(0);
    assert!(line.text().contains("object layer, 3 placed objects: "), "{}", line.text());
}

#[test]
fn what_cannot_be_read_is_named_for_what_it_is() {
    let island = Island::new();
    fs::write(island.path("nothing.tv4l"), b"").unwrap();
    let run_on = |command: &[&str], name: &str, rest: &[&str]| {
        let mut arguments: Vec<_> = command.iter().map(|&it| it.to_owned()).collect();
        arguments.push(island.path(name).display().to_string());
        arguments.extend(rest.iter().map(|&it| it.to_owned()));
        run(&arguments)
    };
    let empty = run_on(&["terrain", "objects"], "nothing.tv4l", &[]).with_status(1);
    assert!(empty.stderr.contains("the file is empty"), "{}", empty.stderr);
    let folder = run_on(&["dump"], "", &[]).with_status(3);
    assert!(folder.stderr.contains("this is a folder, not a file"), "{}", folder.stderr);
    let gone = island.path("gone").display().to_string();
    let gone = run_on(&["diff"], "", &[&gone]).with_status(3);
    assert!(gone.stderr.contains("gone: could not be read"), "{}", gone.stderr);

    fs::remove_dir_all(island.path("island.Layers")).unwrap();
    let part = run_on(&["terrain", "verify"], "island.tv4p", &[]).with_status(1);
    assert!(part.stderr.contains("only a part"), "{}", part.stderr);
    assert!(part.text().contains("says 3 objects; none of its object layers is here"));
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
    let names = [("cut", "cut.tv4l"), ("lfs", "lfs.tv4l"), ("none", "none.tv4l")];
    for (name, file) in names.into_iter().chain([("big", "Big.TV4L"), ("folder", "folder.tv4l")]) {
        for more in [&[][..], &["--no-backup"], &["--dry-run"]] {
            let ended = new(name, more).with_status(2);
            assert!(ended.stderr.contains(file), "{}", ended.stderr);
            assert!(ended.stderr.contains("is there already"), "{}", ended.stderr);
        }
    }
    for (file, bytes) in files {
        assert!(fs::read(island.path("island.Layers").join(file)).unwrap() == bytes, "{file}");
    }
    #[cfg(unix)]
    {
        let link = island.path("island.Layers/link.tv4l");
        std::os::unix::fs::symlink(island.path("gone.tv4l"), &link).unwrap();
        let ended = new("link", &[]).with_status(2);
        assert!(ended.stderr.contains("link.tv4l: this file is there already"), "{}", ended.stderr);
        assert!(!island.path("gone.tv4l").exists() && link.is_symlink());
    }
    assert!(island.read("island.tv4p") == project);
}

/// A regression test: every object outside the selection was added a second time.
#[test]
fn an_import_with_a_selection_touches_only_the_selection() {
    let island = Island::new();
    let before = island.read("island.Layers/trees.tv4l");
    let import = ["--layer", "trees", "--import", "-", "--in-place"];
    for (mode, selection) in [
        ("update", ["--bbox", "200015,15,200025,25"]),
        ("mirror", ["--bbox", "200015,15,200025,25"]),
        ("update", ["--template", "elm"]),
    ] {
        let arguments = [&import[..], &selection, &["--mode", mode]].concat();
        let ended = island.objects("island.tv4p", &arguments, LIST).with_status(0);
        assert!(ended.stderr.contains("lines lie outside the selection and were left out"));
        assert!(island.read("island.Layers/trees.tv4l") == before, "{mode} {selection:?}");
    }
    let arguments = [&import[..], &["--bbox", "200015,15,200025,25", "--mode", "mirror"]].concat();
    let list: String = LIST.lines().step_by(2).map(|line| format!("{line}\n")).collect();
    let ended = island.objects("island.tv4p", &arguments, &list).with_status(0);
    assert!(ended.stderr.contains("2 objects as they were, 0 changed, 0 added, 1 deleted"));
    assert_eq!((island.layer("trees").object_count, island.total()), (2, 2));
}

/// A regression test: only `--mode mirror` deletes the objects that the list lacks.
#[test]
fn an_import_deletes_only_where_it_is_asked_to() {
    let island = Island::new();
    let import = ["--layer", "trees", "--import", "-", "--in-place"];
    let one = LIST.lines().next().unwrap();
    let before = island.read("island.Layers/trees.tv4l");
    let ended = island.objects("island.tv4p", &import, one).with_status(0);
    assert!(ended.stderr.contains("2 of its objects are not in the list and stay; --mode mirror"));
    assert!(island.read("island.Layers/trees.tv4l") == before);
    let mirror = [&import[..], &["--mode", "mirror", "--dry-run"]].concat();
    let ended = island.objects("island.tv4p", &mirror, one).with_status(0);
    assert!(ended.stderr.contains("2 objects would be deleted"), "{}", ended.stderr);
    assert!(ended.stderr.contains("would change trees: 1 objects as they were"));
    assert!(island.read("island.Layers/trees.tv4l") == before);
    // A text list does not show that an object has moved, and a note mentions this.
    let moved = LIST.replace(";20.200000;", ";21.000000;");
    let ended = island.objects("island.tv4p", &import, &moved).with_status(0);
    assert!(ended.stderr.contains("1 added"), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("in CSV and GeoJSON (--as csv, --as geojson) it is known again"),
        "{}",
        ended.stderr
    );
}

/// A regression test: a list for another layer, or for none, replaced the layer.
#[test]
fn a_layer_column_that_names_no_layer_is_an_error() {
    let island = Island::new();
    let before = island.read("island.Layers/trees.tv4l");
    let csv = island.objects("island.tv4p", &["--as", "csv"], "").with_status(0).text().to_owned();
    let to = |layer: &str, list: &str, more: &[&str]| {
        let import = ["--layer", layer, "--import", "-", "--in-place"];
        island.objects("island.tv4p", &[&import[..], more].concat(), list)
    };
    let misspelt = csv.replacen("trees,", "tres,", 1);
    let ended = to("trees", &misspelt, &[]).with_status(1);
    assert!(ended.stderr.contains("found \"tres\"") && ended.stderr.contains("line 2"));
    assert!(ended.stderr.contains("--ignore-layer"), "{}", ended.stderr);
    // The list is for another layer of the project.
    let ended = to("empty", &csv, &[]).with_status(1);
    assert!(ended.stderr.contains("\"empty\"") && ended.stderr.contains("found \"trees\""));
    assert_eq!(island.layer("empty").object_count, 0);
    assert!(island.read("island.Layers/trees.tv4l") == before);
    // `--ignore-layer` copies the objects. Of a list with both layers, the lines of the other layer are left
    // out.
    to("empty", &csv, &["--ignore-layer"]).with_status(0);
    assert_eq!(island.layer("empty").object_count, 3);
    let both = island.objects("island.tv4p", &["--as", "csv"], "").with_status(0).text().to_owned();
    let ended = to("trees", &both, &[]).with_status(0);
    assert!(ended.stderr.contains("3 objects of the list are of other layers"), "{}", ended.stderr);
    assert!(island.read("island.Layers/trees.tv4l") == before);
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
        let ended = append(&[]);
        assert!(ended.stderr.contains("trees.tv4l.bak\n"), "{}", ended.stderr);
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
    // A backup is not a layer.
    let list = island.objects("island.tv4p", &["--layer", "trees.tv4l"], "").with_status(2);
    assert!(!list.stderr.contains("bak"), "{}", list.stderr);
    // These options need an import, and an import from standard input changes no file.
    island.objects("island.tv4p", &["--dry-run"], "").with_status(2);
    let no_backup = ["--layer", "trees", "--import", "-", "--no-backup"];
    island.objects("island.tv4p", &no_backup, LIST).with_status(2);
}

/// A regression test: the form was taken from the name of the file alone.
#[test]
fn a_list_in_csv_is_known_by_its_first_line() {
    let island = Island::new();
    let csv = island.objects("island.tv4p", &["--as", "csv"], "").with_status(0).text().to_owned();
    for list in [csv.clone(), format!("\u{feff}{csv}"), csv.replace('\n', "\r\n")] {
        for name in ["-", "list.txt", "list"] {
            fs::write(island.path("list.txt"), &list).unwrap();
            fs::write(island.path("list"), &list).unwrap();
            let file = island.path(name).display().to_string();
            let file = if name == "-" { "-" } else { &file };
            let import = ["--layer", "trees", "--import", file, "--dry-run"];
            let ended = island.objects("island.tv4p", &import, &list).with_status(0);
            assert!(ended.stderr.contains("3 objects as they were"), "{}", ended.stderr);
        }
    }
    let import = ["--layer", "trees", "--import", "-", "--dry-run"];
    island.objects("island.tv4p", &import, LIST).with_status(0);
    island.objects("island.tv4p", &[&import[..], &["--as", "text"]].concat(), &csv).with_status(1);
}

/// A regression test for lines of impossible objects.
#[test]
fn an_object_that_cannot_be_is_refused() {
    let island = Island::new();
    let before = island.read("island.Layers/trees.tv4l");
    let import = ["--layer", "trees", "--import", "-", "--in-place", "--library", "Trees"];
    for (line, says) in [
        ("\"\";200001;2;0;0;0;1;0;", "an empty name"),
        ("\"oak\";200001;2;0;0;0;0;0;", "a scale above 0"),
        ("\"oak\";200001;2;0;0;0;-1;0;", "a scale above 0"),
        ("\"oak\";200001;2;0;0;0;1;1e30;", "found 1000000"),
    ] {
        let ended = island.objects("island.tv4p", &import, &format!("{LIST}{line}\n"));
        let ended = ended.with_status(1);
        assert!(ended.stderr.contains(says) && ended.stderr.contains("line 4"), "{}", ended.stderr);
        assert!(!ended.stderr.contains("--library"), "{}", ended.stderr);
    }
    assert!(island.read("island.Layers/trees.tv4l") == before);
}

/// A regression test for a save of Godot given to commands for Terrain Builder.
#[test]
fn a_save_of_a_game_is_named_for_what_it_is() {
    let island = Island::new();
    let save =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats/godot4/golden/4.6.3/files");
    let save = save.join("small.save").display().to_string();
    let project = island.path("island.tv4p").display().to_string();
    for (arguments, status) in [(vec!["graph", &save], 1), (vec!["terrain", "layers", &save], 1)] {
        let ended = run(&arguments).with_status(status);
        for says in ["this is a save or packet of Godot", "for Terrain Builder's files", "decode"] {
            assert!(ended.stderr.contains(says), "{arguments:?}: {}", ended.stderr);
        }
    }
    for files in [[&save, &project], [&project, &save]] {
        let ended = run(&["diff", files[0], files[1]]).with_status(2);
        let says = "a save and a file of Terrain Builder cannot be compared";
        assert!(ended.stderr.contains(says), "{}", ended.stderr);
    }
    // A damaged layer is not taken for a save; the message locates its fault.
    fs::write(island.path("cut.tv4l"), &island.read("island.Layers/trees.tv4l")[..999]).unwrap();
    let cut = island.path("cut.tv4l").display().to_string();
    let ended = run(&["terrain", "layers", &cut]).with_status(1);
    assert!(ended.stderr.contains("at offset"), "{}", ended.stderr);
}

/// Exported GeoJSON is imported with every bit. Moved, new and deleted objects are recognised.
#[test]
fn geojson_comes_back() {
    let island = Island::new();
    let before = island.read("island.Layers/trees.tv4l");
    let import = ["--layer", "trees", "--import", "-", "--in-place", "--no-backup"];
    for origin in [&[][..], &["--origin", "512000.125,5403000", "--crs", "EPSG:32633"]] {
        let export = [&["--layer", "trees", "--as", "geojson"], origin].concat();
        let list = island.objects("island.tv4p", &export, "").with_status(0).text().to_owned();
        let ended = island.objects("island.tv4p", &import, &list).with_status(0);
        assert!(
            ended.stderr.contains("3 objects as they were, 0 changed, 0 added"),
            "{}",
            ended.stderr
        );
        assert!(island.read("island.Layers/trees.tv4l") == before);
    }
    let export = ["--layer", "trees", "--as", "geojson"];
    let list = island.objects("island.tv4p", &export, "").with_status(0).text().to_owned();
    // QGIS writes all features again, with null for missing properties.
    let mut json: serde_json::Value = serde_json::from_str(&list).unwrap();
    let features = json["features"].as_array_mut().unwrap();
    features[0]["geometry"]["coordinates"][0] = 200_011.5.into();
    let mut new = features[1].clone();
    new["geometry"]["coordinates"] = serde_json::json!([200_040.0, 40.0]);
    for name in ["id", "yaw", "scale", "library"] {
        new["properties"][name] = serde_json::Value::Null;
    }
    features.push(new);
    let ended = island.objects("island.tv4p", &import, &json.to_string()).with_status(0);
    assert!(
        ended.stderr.contains("2 objects as they were, 1 changed, 1 added, 0 deleted"),
        "{}",
        ended.stderr
    );
    let placed = island.objects("island.tv4p", &[], "").with_status(0).text().to_owned();
    assert!(placed.contains("\"oak\";200011.500000;10.100000;10.100000;"), "{placed}");
    assert!(
        placed.contains("\"oak\";200040.000000;40.000000;0.000000;0.000000;0.000000;1.000000;"),
        "{placed}"
    );
    // An error gives the number of the feature, and nothing is written.
    let before = island.read("island.Layers/trees.tv4l");
    for (name, value, says) in [
        ("colour", "red".into(), "feature 2, properties.colour: expected layer, id,"),
        ("template", "".into(), "feature 2, properties.template: expected the name"),
        ("yaw", serde_json::Value::Null, "feature 2, properties.yaw: expected a number"),
        ("id", (-1).into(), "feature 2, properties.id: expected an id"),
    ] {
        let mut wrong = json.clone();
        wrong["features"][1]["properties"][name] = value;
        let ended = island.objects("island.tv4p", &import, &wrong.to_string()).with_status(1);
        assert!(ended.stderr.contains(says), "{name}: {}", ended.stderr);
    }
    island
        .objects("island.tv4p", &[&import[..], &["--as", "geojson"]].concat(), LIST)
        .with_status(1);
    assert!(island.read("island.Layers/trees.tv4l") == before);
}

/// Checks the notes: the moved object of a text list is noted before anything is written, a pattern may
/// select layers, a template that no object has is named, and no library is missed if every template has its
/// name.
#[test]
fn notes_are_where_they_help() {
    let island = Island::new();
    let moved = LIST.replacen("200010", "200011", 1);
    let import = ["--layer", "tr*s", "--import", "-", "--in-place", "--dry-run"];
    let ended = island.objects("island.tv4p", &import, &moved).with_status(0);
    let note = ended.stderr.find("a text list has no ids").expect(&ended.stderr);
    assert!(note < ended.stderr.find("1 added").unwrap(), "{}", ended.stderr);
    let none = island.objects("island.tv4p", &["--template", "zzz"], "").with_status(0);
    assert_eq!(none.text(), "");
    assert!(none.stderr.contains("no object has a template like zzz"), "{}", none.stderr);
    let unknown = island.objects("island.tv4p", &["--layer", "x*"], "").with_status(2);
    assert!(unknown.stderr.contains("there is no object layer x*"), "{}", unknown.stderr);
    fs::remove_dir_all(island.path("templatelibs")).unwrap();
    let quiet = island.objects("island.tv4p", &[], "").with_status(0);
    assert!(!quiet.stderr.contains("librar"), "{}", quiet.stderr);
}

#[test]
fn objects_do_not_leave_the_map_and_pictures_are_svg() {
    let island = Island::new();
    let path = island.path("island.tv4p").display().to_string();
    let before = island.read("island.Layers/trees.tv4l");
    let ended = run(&["terrain", "objects", "move", &path, "--by", "100000,0", "--in-place"]);
    let ended = ended.with_status(1);
    assert!(ended.stderr.contains("trees: 3 objects would leave the map"), "{}", ended.stderr);
    assert!(island.read("island.Layers/trees.tv4l") == before);
    let png = island.path("map.png").display().to_string();
    let ended = run(&["terrain", "plot", &path, "-o", &png]).with_status(2);
    assert!(ended.stderr.contains("map.svg"), "{}", ended.stderr);
    assert!(!Path::new(&png).exists());
}

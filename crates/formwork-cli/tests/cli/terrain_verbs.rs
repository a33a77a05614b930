//! Changes of `formwork terrain` on disk: the changed files, their backups, and no change in a dry run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use formwork_alb1::Document;
use formwork_alb1::terrain::{ObjectLayer, Project, Root};
use snapbox::str;

use crate::run::{Ended, run, verb_first};

/// The sample project in a new folder.
struct Valley(tempfile::TempDir);

impl Valley {
    fn new() -> Self {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats/alb1/samples");
        let valley = Self(tempfile::tempdir().expect("a folder"));
        for file in [
            "valley.tv4p",
            "valley.Layers/houses.tv4l",
            "valley.Layers/old trees.tv4l",
            "valley.Shapes/fields.tv4s",
            "TemplateLibs/houses.tml",
            "TemplateLibs/trees.tml",
        ] {
            let to = valley.path(file);
            fs::create_dir_all(to.parent().expect("a folder")).expect("a folder is made");
            fs::copy(samples.join(file), to).expect("the sample is there");
        }
        valley
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn terrain(&self, arguments: &[&str]) -> Ended {
        let project = self.path("valley.tv4p").display().to_string();
        run(&verb_first(&project, arguments))
    }

    /// Returns the names and contents of all files.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.0.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("the folder is there") {
                let path = entry.expect("it can be read").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(self.0.path()).expect("it is inside");
                let bytes = fs::read(&path).expect("it can be read");
                files.insert(name.display().to_string(), bytes);
            }
        }
        files
    }

    fn project(&self) -> Project {
        let bytes = fs::read(self.path("valley.tv4p")).expect("it is there");
        Project::of(&Document::from_slice(&bytes).expect("a document")).expect("a project")
    }

    fn document(&self, name: &str) -> Document {
        Document::from_slice(&fs::read(self.path(name)).expect("it is there")).expect("a document")
    }

    fn objects(&self, name: &str) -> i32 {
        ObjectLayer::of(&self.document(name)).expect("a layer").object_count
    }

    /// Returns the findings of `verify`, without the profile path that the sample contains on purpose.
    fn findings(&self) -> Vec<String> {
        let found = self.terrain(&["verify"]);
        let lines = found.text().lines().filter(|line| !line.contains("path.profile"));
        lines.map(str::to_owned).collect()
    }
}

#[test]
fn a_dry_run_of_every_verb_says_what_would_change_and_writes_nothing() {
    let valley = Valley::new();
    fs::write(
        valley.path("pond.geojson"),
        r#"{"type":"Polygon","coordinates":[[[200500,500],[200600,500],[200600,600],[200500,500]]]}"#,
    )
    .expect("a file is written");
    let pond = valley.path("pond.geojson").display().to_string();
    let before = valley.files();
    for arguments in [
        &["objects", "move", "--by", "1,1"][..],
        &["move", "--by", "1,1"],
        &["placed-roads", "--retype", "dirt"],
        &["merge"],
        &["split", "--layer", "houses", "--grid", "1000"],
        &["retemplate", "barn", "mill"],
        &["dedupe", "--tolerance", "10"],
        &["frames", "--name", "glen"],
        &["relocate", "P:=Q:"],
        &["shapes", "--layer", "fields", "--import", &pond],
        &["shapes", "--new", "ponds", "--import", &pond],
    ] {
        for place in [&["--dry-run"][..], &["--in-place", "--dry-run"]] {
            let said = valley.terrain(&[arguments, place].concat()).with_status(0).stderr;
            assert!(said.contains("would change"), "{arguments:?}: {said}");
            assert!(valley.files() == before, "{arguments:?}");
        }
    }
}

#[test]
fn moving_in_place_keeps_backups_and_touches_only_the_layers_that_change() {
    let valley = Valley::new();
    let before = valley.files();
    let step = ["objects", "move", "--template", "barn", "--by", "8,0", "--in-place"];
    valley.terrain(&step).with_status(0);
    let back = ["objects", "move", "--template", "barn", "--by=-8,0", "--in-place"];
    valley.terrain(&back).with_status(0);
    let mut after = valley.files();
    assert!(after.remove("valley.Layers/houses.tv4l.bak").is_some());
    let first = after.remove("valley.Layers/houses.tv4l.bak.2").expect("a backup");
    assert!(first == before["valley.Layers/houses.tv4l"]);
    assert!(after == before);
    valley.terrain(&[&step[..], &["--no-backup"]].concat()).with_status(0);
    assert!(!valley.path("valley.Layers/houses.tv4l.bak.3").exists());
}

#[test]
fn layers_merged_in_place_leave_the_project_sound() {
    let valley = Valley::new();
    let before = valley.files();
    let address = valley.document("valley.Layers/old trees.tv4l").root.address;
    let merge = ["merge", "--layer", "old trees", "--layer", "houses", "--in-place"];
    valley.terrain(&merge).with_status(0);
    let after = valley.files();
    assert!(!after.contains_key("valley.Layers/houses.tv4l"));
    assert!(after["valley.Layers/houses.tv4l.bak"] == before["valley.Layers/houses.tv4l"]);
    assert!(after["valley.Layers/old trees.tv4l.bak"] == before["valley.Layers/old trees.tv4l"]);
    // The active layer was removed, and the layer that took its objects is active now.
    assert_eq!(valley.project().objects.active_layer.address, address);
    assert_eq!(valley.project().objects.total_object_count, 7);
    assert_eq!(valley.objects("valley.Layers/old trees.tv4l"), 7);
    assert_eq!(valley.findings(), [""; 0]);
}

#[test]
fn a_layer_from_outside_makes_the_project_larger() {
    let (valley, other) = (Valley::new(), Valley::new());
    let with = other.path("valley.Layers/old trees.tv4l").display().to_string();
    let merge = ["merge", "--layer", "houses", "--with", &with, "--in-place"];
    valley.terrain(&merge).with_status(0).says(str![[r#"
note: the old [..]valley.Layers/houses.tv4l is kept as [..]valley.Layers/houses.tv4l.bak
note: the old [..]valley.tv4p is kept as [..]valley.tv4p.bak
note: houses: 3 objects and 2 templates added from 1 layer
note: houses: 3 objects got new ids, as theirs were taken
"#]]);
    assert_eq!(valley.project().objects.total_object_count, 10);
    assert!(other.path("valley.Layers/old trees.tv4l").exists());
    assert_eq!(valley.findings(), [""; 0]);
}

#[test]
fn a_layer_split_in_place_leaves_the_project_sound() {
    let valley = Valley::new();
    let before = valley.files();
    let bounds = ["--bbox", "200000,0,200500,500"];
    let split = [&["split", "--layer", "houses", "--in-place"][..], &bounds].concat();
    // The way back names the parts, which would be there twice.
    valley.terrain(&split).with_status(0).says(str![[r#"
note: [..]valley.Layers/houses-inside.tv4l: 2 objects
note: [..]valley.Layers/houses-outside.tv4l: 2 objects
note: the old [..]valley.Layers/houses.tv4l is kept as [..]valley.Layers/houses.tv4l.bak
note: to go back: formwork undo [..]valley.Layers/houses.tv4l, and delete [..]valley.Layers/houses-inside.tv4l [..]valley.Layers/houses-outside.tv4l
"#]]);
    let after = valley.files();
    assert!(after["valley.Layers/houses.tv4l.bak"] == before["valley.Layers/houses.tv4l"]);
    assert!(!after.contains_key("valley.Layers/houses.tv4l"));
    assert!(after["valley.tv4p"] == before["valley.tv4p"]);
    assert_eq!(valley.objects("valley.Layers/houses-inside.tv4l"), 2);
    assert_eq!(valley.objects("valley.Layers/houses-outside.tv4l"), 2);
    assert_eq!(valley.findings(), [""; 0]);
    let addresses = ["houses-inside", "houses-outside", "old trees"]
        .map(|name| valley.document(&format!("valley.Layers/{name}.tv4l")).root.address);
    assert_ne!(addresses[0], addresses[1]);
    assert_ne!(addresses[1], addresses[2]);
    // An existing file is not overwritten.
    valley
        .terrain(&["split", "--layer", "houses-inside", "--grid", "2", "--in-place"])
        .with_status(0);
    fs::write(valley.path("valley.Layers/houses-outside-inside.tv4l"), "mine").expect("a file");
    let again = ["split", "--layer", "houses-outside", "--template", "mill", "--in-place"];
    valley.terrain(&again).with_status(1);
    let by_place =
        ["split", "--layer", "houses-outside", "--bbox", "200600,0,201000,1000", "--in-place"];
    valley.terrain(&by_place).with_status(2).says(str![
        "error: [..]valley.Layers/houses-outside-inside.tv4l: this file is there already"
    ]);
    assert_eq!(valley.files()["valley.Layers/houses-outside-inside.tv4l"], b"mine");
}

#[test]
fn duplicates_taken_out_in_place_are_taken_off_the_projects_number() {
    let valley = Valley::new();
    valley.terrain(&["dedupe", "--tolerance", "10", "--in-place"]).with_status(0);
    assert_eq!(valley.objects("valley.Layers/houses.tv4l"), 3);
    assert_eq!(valley.project().objects.total_object_count, 6);
    assert_eq!(valley.findings(), [""; 0]);
}

#[test]
fn a_polygon_may_be_a_layer_of_shapes_or_geojson_with_an_origin() {
    let valley = Valley::new();
    let count = |polygon: &str| {
        let json = valley.terrain(&["stats", "--json", "--polygon", polygon]).with_status(0);
        let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
        json["object_count"].as_u64().expect("a number")
    };
    assert_eq!(count("200000,0,200200,0,200200,400,200000,400"), 2);
    let shapes = valley.path("valley.Shapes/fields.tv4s").display().to_string();
    assert_eq!(count(&shapes), 0);
    let file = valley.path("here.geojson");
    let text = r#"{"type":"FeatureCollection","origin":{"map":[200000,0],"world":[500000,5000000]},
        "features":[{"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":
        [[[500000,5000000],[500200,5000000],[500200,5000400],[500000,5000400],[500000,5000000]]]}}]}"#;
    fs::write(&file, text).expect("a file is written");
    assert_eq!(count(&file.display().to_string()), 2);
}

#[test]
fn a_frame_with_a_new_name_takes_its_shape_layers_along() {
    let valley = Valley::new();
    let shapes = valley.path("valley.Shapes/fields.tv4s").display().to_string();
    run(&["set", &shapes, "msurfExportMapframeName", "valley", "--no-backup"]).with_status(0);
    valley.terrain(&["frames", "--name", "glen", "--in-place"]).with_status(0);
    assert_eq!(run(&["get", &shapes, "msurfExportMapframeName"]).text(), "\"glen\"\n");
    assert_eq!(valley.findings(), [""; 0]);
}

#[test]
fn nothing_is_written_where_a_layer_of_several_cannot_change() {
    let valley = Valley::new();
    let before = valley.files();
    // Only one of the layers has the template.
    valley.terrain(&["retemplate", "barn", "elm", "--in-place"]).with_status(1).says(str![[r#"
error: [..]valley.Layers/houses.tv4l: expected a template that the layer or a template library has, found "elm"
  hint: --library NAME says which library a new template is in
"#]]);
    valley.terrain(&["objects", "move", "--by", "1e9,0", "--in-place"]).with_status(1);
    valley.terrain(&["objects", "move", "--by", "1,0", "-o", "x.tv4l"]).with_status(2);
    valley.terrain(&["merge", "--keep-ids", "--in-place"]).with_status(1);
    assert!(valley.files() == before);
}

/// Returns every verb that changes files, with its arguments.
fn changes<'a>(pond: &'a str, places: &'a str, objects: &'a str) -> [Vec<&'a str>; 15] {
    [
        vec!["objects", "move", "--by", "1,1"],
        vec!["move", "--by", "1,1"],
        vec!["placed-roads", "--retype", "dirt"],
        vec!["merge"],
        vec!["split", "--layer", "houses", "--grid", "1000"],
        vec!["retemplate", "barn", "mill"],
        vec!["dedupe", "--tolerance", "10"],
        vec!["frames", "--name", "glen"],
        vec!["relocate", "P:=Q:"],
        vec!["paths", "--replace", "P:\\valley", "P:\\glen"],
        vec!["shapes", "--layer", "fields", "--import", pond],
        vec!["shapes", "--new", "ponds", "--import", pond],
        vec!["keypoints", "--import", places],
        vec!["objects", "--layer", "houses", "--import", objects],
        vec!["roads", "--from", "ROADS", "--replace"],
    ]
}

impl Valley {
    /// Returns the reports of a command, one from each line.
    fn reports(&self, arguments: &[&str]) -> Vec<serde_json::Value> {
        let ended = self.terrain(&[arguments, &["--json"]].concat()).with_status(0);
        let lines = ended.text().lines();
        lines.map(|line| serde_json::from_str(line).expect("JSON on each line")).collect()
    }

    /// Writes a file next to the project.
    fn write(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), text).expect("a file is written");
        self.path(name).display().to_string()
    }
}

const POND: &str =
    r#"{"type":"Polygon","coordinates":[[[200500,500],[200600,500],[200600,600],[200500,500]]]}"#;

#[test]
fn every_verb_that_changes_files_reports_each_of_them_to_programs() {
    let valley = Valley::new();
    let pond = valley.write("pond.geojson", POND);
    let places = valley.terrain(&["keypoints", "--as", "geojson"]).with_status(0).stdout;
    let places = valley.write("places.geojson", places);
    let objects = valley.terrain(&["objects", "--layer", "houses"]).with_status(0).stdout;
    let objects = valley.write("objects.txt", objects);
    let roads = valley.write("roads.yaml", valley.terrain(&["roads"]).with_status(0).stdout);
    let before = valley.files();
    for arguments in changes(&pond, &places, &objects) {
        let arguments: Vec<&str> =
            arguments.iter().map(|it| if *it == "ROADS" { roads.as_str() } else { *it }).collect();
        let planned = [&arguments[..], &["--in-place", "--dry-run", "--json"]].concat();
        let ended = valley.terrain(&planned).with_status(0);
        assert!(!ended.stderr.contains("would change"), "{arguments:?}: {}", ended.stderr);
        assert!(!ended.stdout.is_empty(), "{arguments:?}");
        for line in ended.text().lines() {
            let report: serde_json::Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(report["written"], false, "{line}");
            for member in ["file", "changes", "losses"] {
                assert!(report.get(member).is_some(), "{line}: {member}");
            }
            let is_gone = report["changes"].get("file_removed").is_some();
            assert_eq!(report["output"].is_string(), !is_gone, "{line}");
        }
        assert!(valley.files() == before, "{arguments:?}");
        // A file and a report cannot share standard output.
        if arguments[0] != "split" {
            let both = [&arguments[..], &["--json"]].concat();
            valley.terrain(&both).with_status(2).says(str![[r#"
error: --json and the new file cannot both go to standard output
  hint: use -o FILE or --in-place
"#]]);
        }
    }
}

#[test]
fn reports_say_what_changed_and_where_it_was_written() {
    let valley = Valley::new();
    let step = ["objects", "move", "--template", "barn", "--by", "8,0", "--in-place"];
    let [report] = &valley.reports(&step)[..] else { panic!("one layer") };
    assert_eq!(report["layer"], "houses");
    assert_eq!(report["changes"], serde_json::json!({"changed": 2}));
    assert_eq!(report["losses"], serde_json::json!({}));
    assert_eq!(report["written"], true);
    assert_eq!(report["output"], report["file"]);
    let out = valley.path("out.tv4l").display().to_string();
    let [report] = &valley.reports(&["retemplate", "barn", "mill", "-o", &out])[..] else {
        panic!("one layer")
    };
    assert_eq!(report["changes"], serde_json::json!({"changed": 2, "templates": 1}));
    assert_eq!(report["output"], out);
    // The project changes too, and is a separate file.
    let [layer, project] =
        &valley.reports(&["dedupe", "--layer", "houses", "--tolerance", "10", "--in-place"])[..]
    else {
        panic!("a layer and its project")
    };
    assert_eq!(layer["changes"], serde_json::json!({"removed": 1}));
    assert!(project["file"].as_str().expect("a name").ends_with("valley.tv4p"));
    assert_eq!(project["changes"], serde_json::json!({"object_count": -1}));
    let merge = ["merge", "--layer", "old trees", "--layer", "houses", "--in-place"];
    let [merged, project, gone] = &valley.reports(&merge)[..] else {
        panic!("two layers and their project")
    };
    assert_eq!(merged["changes"]["added"], 3);
    assert_eq!(merged["losses"], serde_json::json!({"new_ids": 2}));
    assert_eq!(project["changes"], serde_json::json!({"active_layer": 1}));
    assert_eq!(gone["changes"], serde_json::json!({"file_removed": 1}));
    // An unchanged file is not written.
    let [same] = &valley.reports(&["frames", "--lock", "false", "--in-place"])[..] else {
        panic!("a project")
    };
    assert_eq!((&same["changes"]["frames"], &same["written"]), (&0.into(), &false.into()));
}

#[test]
fn every_verb_that_lists_prints_json_with_the_option_that_all_commands_have() {
    let valley = Valley::new();
    for (verb, is_list) in [
        (&["layers"][..], false),
        (&["stats"], false),
        (&["objects"], false),
        (&["shapes"], false),
        (&["roads"], false),
        (&["placed-roads"], true),
        (&["keypoints"], true),
        (&["paths"], true),
        (&["frames"], true),
        (&["relocate"], true),
        (&["verify"], true),
    ] {
        let ended = valley.terrain(&[verb, &["--json"]].concat());
        let json: serde_json::Value = serde_json::from_slice(&ended.stdout).expect("JSON");
        assert_eq!(json.is_array(), is_list, "{verb:?}");
        assert_eq!(ended.status, i32::from(*verb == ["verify"]), "{verb:?}");
    }
    let list = |verb: &str| {
        let ended = valley.terrain(&[verb, "--json"]);
        serde_json::from_slice::<serde_json::Value>(&ended.stdout).expect("JSON")
    };
    let drives = list("relocate");
    let p = serde_json::json!({"drive": "P:", "path_count": 27, "folder": "P:\\valley"});
    assert!(drives.as_array().expect("a list").contains(&p), "{drives}");
    let found = &list("verify")[0];
    assert_eq!(found["rule"], "path.profile");
    assert_eq!(found["offset"], 5712);
    assert_eq!(found["path"], "world.mcontents.mcontents[3].data.name");
    let geojson = valley.terrain(&["objects", "--as", "geojson"]).with_status(0).stdout;
    assert!(valley.terrain(&["objects", "--json"]).with_status(0).stdout == geojson);
    let yaml = ["roads", "--as", "yaml", "--json"];
    valley.terrain(&yaml).with_status(2);
    valley.terrain(&["objects", "--as", "csv", "--json"]).with_status(2);
    valley.terrain(&["keypoints", "--as", "list", "--json"]).with_status(2);
}

#[test]
fn a_picture_is_reported_beside_its_file() {
    let valley = Valley::new();
    let out = valley.path("valley.svg").display().to_string();
    let [report] = &valley.reports(&["plot", "-o", &out])[..] else { panic!("one picture") };
    let expected = serde_json::json!({
        "file": report["file"], "output": out, "written": true,
        "object_count": 7, "is_density": false, "outside_count": 0,
    });
    assert_eq!(*report, expected);
    valley.terrain(&["plot", "--json"]).with_status(2);
}

#[test]
fn a_damaged_layer_does_not_matter_where_another_one_is_asked_for() {
    let valley = Valley::new();
    valley.write("valley.Layers/old trees.tv4l", "damaged");
    valley.write("valley.Shapes/fields.tv4s", "damaged");
    let list = valley.terrain(&["objects", "--layer", "houses"]).with_status(0).stdout;
    let list = valley.write("houses.txt", list);
    for arguments in [
        &["objects", "--layer", "houses"][..],
        &["objects", "--layer", "HOUSES", "--as", "csv"],
        &["objects", "--layer", "houses", "--import", &list, "--dry-run"],
        &["objects", "move", "--layer", "houses", "--by", "1,1", "--dry-run"],
        &["move", "--layer", "houses", "--by", "1,1", "--dry-run"],
        &["stats", "--layer", "houses"],
        &["split", "--layer", "houses", "--grid", "1000", "--dry-run"],
        &["retemplate", "barn", "mill", "--layer", "houses", "--dry-run"],
        &["dedupe", "--layer", "houses", "--dry-run"],
    ] {
        let ended = valley.terrain(arguments).with_status(0);
        assert!(!ended.stderr.contains("trees"), "{arguments:?}: {}", ended.stderr);
    }
    valley
        .terrain(&["objects", "--layer", "old trees"])
        .with_status(1)
        .says(str!["error: [..]valley.Layers/old trees.tv4l: this is text, no ALB1 file"]);
}

#[test]
fn a_whole_map_moves_in_one_step_in_place_or_into_a_new_project() {
    let valley = Valley::new();
    let before = valley.files();
    let position = |valley: &Valley| valley.project().objects.placed_roads.roads[0].position;
    assert_eq!(position(&valley), [200_512.0, 640.0]);
    let out = valley.path("new/moved.tv4p").display().to_string();
    fs::create_dir(valley.path("new")).expect("a folder");
    valley.terrain(&["move", "--by", "8,4,0.5", "-o", &out]).with_status(0);
    let mut after = valley.files();
    for name in [
        "moved.tv4p",
        "moved.Layers/houses.tv4l",
        "moved.Layers/old trees.tv4l",
        "moved.Shapes/fields.tv4s",
    ] {
        assert!(after.remove(&format!("new/{name}")).is_some(), "{name}");
    }
    assert!(after == before);
    // The folders of the new project are never written into.
    valley.terrain(&["move", "--by", "8,4", "-o", &out]).with_status(2);

    valley.terrain(&["move", "--by", "8,4,0.5", "--in-place"]).with_status(0);
    let files = valley.files();
    for (new, old) in [
        ("moved.tv4p", "valley.tv4p"),
        ("moved.Layers/houses.tv4l", "valley.Layers/houses.tv4l"),
        ("moved.Layers/old trees.tv4l", "valley.Layers/old trees.tv4l"),
        ("moved.Shapes/fields.tv4s", "valley.Shapes/fields.tv4s"),
    ] {
        assert!(files[&format!("new/{new}")] == files[old], "{old}");
        assert!(files[&format!("{old}.bak")] == before[old], "{old}");
    }
    assert_eq!(position(&valley), [200_520.0, 644.0]);
    assert_eq!(valley.project().objects.key_points.points[0].position, [200_708.0, 804.0]);
    assert_eq!(valley.findings(), [""; 0]);
    valley.terrain(&["move", "--by=-8,-4,-0.5", "--in-place", "--no-backup"]).with_status(0);
    assert!(valley.files()["valley.tv4p"] == before["valley.tv4p"]);
    assert!(valley.files()["valley.Shapes/fields.tv4s"] == before["valley.Shapes/fields.tv4s"]);

    // Out of the map, but for the frame that moves along.
    let before = valley.files();
    valley.terrain(&["move", "--by", "5000,0", "--in-place"]).with_status(1);
    assert!(valley.files() == before);
    valley.terrain(&["move", "--by", "1024,0", "--frames", "--in-place"]).with_status(0);
    assert_eq!(valley.project().objects.map_frames.frames[0].bounds[0], 201_024.0);
    assert_eq!(valley.findings(), [""; 0]);
}

#[test]
fn a_part_of_a_map_moves_as_its_options_select_it() {
    let changed = |arguments: &[&str]| {
        let valley = Valley::new();
        let before = valley.files();
        valley
            .terrain(&[&["move"], arguments, &["--in-place", "--no-backup"]].concat())
            .with_status(0);
        let after = valley.files();
        let changed = after.into_iter().filter(|(name, bytes)| before[name] != *bytes);
        changed
            .map(|(name, _)| name.rsplit('/').next().unwrap_or(&name).to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(changed(&["--by", "1,1", "--layer", "fields"]), ["fields.tv4s"]);
    assert_eq!(
        changed(&["--by", "1,1", "--layer", "houses", "--layer", "fields"]),
        ["houses.tv4l", "fields.tv4s"]
    );
    assert_eq!(changed(&["--by", "1,1", "--template", "barn"]), ["houses.tv4l"]);
    assert_eq!(changed(&["--by", "1,1", "--bbox", "200500,600,200550,650"]), ["valley.tv4p"]);
    assert_eq!(changed(&["--by", "0,0,1"]), ["houses.tv4l", "old trees.tv4l", "valley.tv4p"]);
    let valley = Valley::new();
    valley.terrain(&["move", "--by", "1,1", "--bbox", "0,0,1,1", "--in-place"]).with_status(1);
    valley.terrain(&["move", "--by", "1,1", "--layer", "nothing", "--in-place"]).with_status(2);
    valley.terrain(&["move", "--by", "1,1", "-o", "x.tv4l"]).with_status(2);
}

#[test]
fn lists_that_are_none_are_named_once() {
    let valley = Valley::new();
    let map = "Land_Barn|1 2 3|0 0 0|true\n".repeat(20);
    let map = valley.write("base.map", map);
    let import = ["objects", "--layer", "houses", "--import", &map, "--dry-run"];
    let ended = valley.terrain(&import).with_status(1);
    ended.says(str![[r#"
error: [..]base.map: this is a map of DayZ Expansion (.map), which is not read
  hint: lists are read in Terrain Builder's text, as CSV with the columns that 'formwork terrain objects PROJECT --as csv' writes, and as GeoJSON
"#]]);
}

#[test]
fn shapes_that_reach_outside_the_map_and_attributes_of_another_type_are_noted() {
    let valley = Valley::new();
    let line = valley.write(
        "line.geojson",
        r#"{"type":"LineString","coordinates":[[200500,500],[209000,600]]}"#,
    );
    let import = ["shapes", "--layer", "fields", "--import", &line, "--dry-run"];
    let ended = valley.terrain(&import).with_status(0);
    assert!(
        ended.stderr.contains("note: 1 shape outside the map, the first is feature 1\n"),
        "{}",
        ended.stderr
    );
    let shapes = valley.terrain(&["shapes"]).with_status(0).stdout;
    let shapes = String::from_utf8(shapes).expect("UTF-8");
    let changed = shapes.replace("\"WIDTH\":2", "\"WIDTH\":\"2\"");
    assert_ne!(changed, shapes);
    let changed = valley.write("changed.geojson", changed);
    let import = ["shapes", "--layer", "fields", "--import", &changed, "--dry-run"];
    let ended = valley.terrain(&import).with_status(0);
    let note = "note: the attribute WIDTH of 1 shape was a whole number and is a text now\n";
    assert!(ended.stderr.contains(note), "{}", ended.stderr);
}

#[test]
fn a_smaller_frame_says_what_falls_out_of_it() {
    let valley = Valley::new();
    let frames = ["frames", "--bounds", "200000,0,201024,1024", "--dry-run"];
    let ended = valley.terrain(&frames).with_status(0);
    for note in [
        "note: houses: 1 object no longer on the map\n",
        "note: old trees: 1 object no longer on the map\n",
        "note: valley: 1 key point no longer on the map\n",
    ] {
        assert!(ended.stderr.contains(note), "{}", ended.stderr);
    }
}

#[test]
fn merge_of_two_files_says_how_to_name_the_second() {
    let valley = Valley::new();
    let second = valley.path("valley.Layers/houses.tv4l").display().to_string();
    let first = valley.path("valley.Layers/old trees.tv4l").display().to_string();
    let ended = run(&["terrain", "merge", &first, &second]).with_status(2);
    assert!(ended.stderr.contains("hint: use --with "), "{}", ended.stderr);
}

//! `merge`: combines two changed files.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::str;

use crate::cases::formats;
use crate::run::{Ended, run, run_with};

/// Returns a new folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

/// Makes a file from JSON.
fn made(folder: &Path, name: &str, json: &str, options: &[&str]) -> String {
    let path = folder.join(name).to_str().expect("a plain name").to_owned();
    let arguments = [&["encode", "-", "-o", &path], options].concat();
    run_with(&arguments, json.as_bytes()).with_status(0);
    path
}

fn get(file: &str) -> String {
    run(&["get", file, "-c"]).with_status(0).text().trim_end().to_owned()
}

const BASE: &str =
    r#"{"gold":1,"hp":7.5,"bag":["rope"],"pet":{"name":"Rex"},"at":{"$Vector2":[1.0,2.0]}}"#;
const OURS: &str = r#"{"gold":5,"hp":7.5,"bag":["rope","lamp"],"at":{"$Vector2":[1.0,2.0]}}"#;
const THEIRS: &str = r#"{"gold":1,"hp":9.5,"bag":["map","rope"],"pet":{"name":"Rex"},"at":{"$Vector2":[3.0,2.0]},"new":true}"#;

#[test]
fn changes_of_both_are_taken_in_every_framing_and_wrapper() {
    let folder = folder("merge-framings");
    for options in [
        &["--format", "godot4"][..],
        &["--format", "godot3", "--framing", "frames"],
        &["--format", "godot4", "--framing", "frames-be"],
        &["--format", "godot4-double", "--framing", "frames"],
        &["--format", "godot4", "--wrapper", "zstd"],
        &["--format", "pandemonium", "--framing", "frames"],
    ] {
        let [base, ours, theirs] = [("base", BASE), ("ours", OURS), ("theirs", THEIRS)]
            .map(|(name, json)| made(&folder, name, json, options));
        let out = folder.join("out").to_str().unwrap().to_owned();
        let format = &options[..2];
        let merge =
            |more: &[&str]| run(&[&["merge", &base, &ours, &theirs], format, more].concat());
        merge(&["-o", &out]).with_status(0);
        let merged = run(&[&["get", &out, "-c"], format].concat()).with_status(0);
        assert_eq!(
            merged.text().trim_end(),
            r#"{"gold":5,"hp":9.5,"bag":["map","rope","lamp"],"at":{"$Vector2":[3.0,2.0]},"new":true}"#,
            "{options:?}"
        );
        // A merge without changes writes the same bytes.
        run(&[&["merge", &base, &ours, &base, "-o", &out], format].concat()).with_status(0);
        assert!(fs::read(&out).unwrap() == fs::read(&ours).unwrap(), "{options:?}");
        let _ = fs::remove_file(&out);
        merge(&["-o", &out, "--dry-run"]).with_status(0).prints(str![[r#"
would add new: true
would change hp: 7.5 -> 9.5
would add bag/0: "map"
would change at: Vector2([..]1, 2[..]) -> Vector2([..]3, 2[..])
"#]]);
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn conflicts_are_listed_and_ours_is_kept_unless_theirs_is_wanted() {
    let folder = folder("merge-conflicts");
    let options = ["--format", "godot4", "--framing", "frames"];
    let base = made(&folder, "base", r#"{"player":{"gold":1,"pet":1},"a":1}"#, &options);
    let ours = made(&folder, "ours", r#"{"player":{"gold":5},"a":1}"#, &options);
    let theirs = made(&folder, "theirs", r#"{"player":{"gold":7,"pet":7},"a":2}"#, &options);
    let out = folder.join("out").to_str().unwrap().to_owned();
    let merge = |more: &[&str]| -> Ended {
        run(&[&["merge", &base, &ours, &theirs, "-o", &out], more].concat())
    };
    let ended = merge(&[]).with_status(1);
    let expected = "a: 1 -> 2\nconflict: player/gold: ours 5, theirs 7, base 1\n\
        conflict: player/pet: ours removed it, theirs 7, base 1\n\
        2 conflicts; ours is kept there (--ours and --theirs settle them)\n";
    assert_eq!(ended.text(), expected);
    assert_eq!(get(&out), r#"{"player":{"gold":5},"a":2}"#);
    let told = merge(&["--json"]).with_status(1);
    let told: Vec<serde_json::Value> =
        told.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((&told[0]["path"], &told[0]["after"]), (&"a".into(), &2.into()));
    assert_eq!((&told[1]["kind"], &told[1]["path"]), (&"conflict".into(), &"player/gold".into()));
    assert_eq!(told[1]["theirs"], 7);
    assert_eq!((told.len(), &told[2]["kept"]), (3, &"ours".into()));
    merge(&["--ours"]).with_status(0);
    assert_eq!(get(&out), r#"{"player":{"gold":5},"a":2}"#);
    merge(&["--theirs"]).with_status(0);
    assert_eq!(get(&out), r#"{"player":{"gold":7,"pet":7},"a":2}"#);
    // A file that cannot be read leaves the output unchanged.
    fs::write(&theirs, b"noise").unwrap();
    let before = fs::read(&out).unwrap();
    assert!(merge(&[]).status > 0);
    assert_eq!(fs::read(&out).unwrap(), before);
}

#[test]
fn settings_as_text_keep_their_comments() {
    let folder = folder("merge-config");
    let text = "; mine\n[video]\nfull=false\nsize=1\n";
    let write = |name: &str, text: &str| {
        let path = folder.join(name).to_str().unwrap().to_owned();
        fs::write(&path, text).unwrap();
        path
    };
    let base = write("base.cfg", text);
    let ours = write("ours.cfg", &text.replace("size=1", "size=2"));
    let theirs = write("theirs.cfg", &text.replace("false", "true"));
    let out = write("out.cfg", "");
    run(&["merge", &base, &ours, &theirs, "-o", &out, "--format", "godot4"]).with_status(0);
    let expected = text.replace("size=1", "size=2").replace("false", "true");
    assert_eq!(fs::read_to_string(&out).unwrap(), expected);
}

#[test]
fn layers_of_terrain_builder_are_merged_by_field_and_object() {
    let folder = folder("merge-layers");
    let from = formats().join("alb1/samples/valley.Layers/houses.tv4l");
    let copy = |name: &str, filter: &str| {
        let path = folder.join(name).to_str().unwrap().to_owned();
        fs::copy(&from, &path).unwrap();
        run(&["query", &path, "--tree", "-i", filter, "--no-backup"]).with_status(0);
        path
    };
    let lift = |at: usize, by: u32| {
        format!(
            "([.tree.parts[].groups[]?.objects[].id][{at}]) as $id | (.tree.parts[] | select(.groups) | .groups[].objects[] | select(.id == $id) | .z) += {by}"
        )
    };
    let base = copy("base.tv4l", ".");
    let ours = copy("ours.tv4l", &format!(".mname = \"mine\" | {}", lift(0, 5)));
    let theirs = copy("theirs.tv4l", &lift(1, 9));
    let expected =
        copy("expected.tv4l", &format!(".mname = \"mine\" | {} | {}", lift(0, 5), lift(1, 9)));
    let out = folder.join("out.tv4l").to_str().unwrap().to_owned();
    run(&["merge", &base, &ours, &theirs, "-o", &out]).with_status(0);
    assert_eq!(run(&["diff", &expected, &out]).with_status(0).text(), "");
    run(&["verify", &out]).with_status(0);
    // Both sides lift the same object.
    let theirs = copy("theirs.tv4l", &format!(".mname = \"yours\" | {}", lift(0, 7)));
    let ended = run(&["merge", &base, &ours, &theirs, "-o", &out]).with_status(1);
    ended.prints(str![[r#"
conflict: tree[id 2]: ours "mill" z=4.5, theirs "mill" z=6.5, base "mill" z=-0.5
conflict: mname: ours "mine", theirs "yours", base "houses"
2 conflicts; ours is kept there (--ours and --theirs settle them)
"#]]);
    assert_eq!(run(&["diff", &ours, &out]).with_status(0).text(), "");
    run(&["merge", &base, &ours, &theirs, "-o", &out, "--theirs"]).with_status(0);
    assert_eq!(run(&["diff", &theirs, &out]).with_status(0).text(), "");
    let save = made(&folder, "a.save", "{}", &["--format", "godot4"]);
    run(&["merge", &base, &ours, &save, "-o", &out]).with_status(2);
}

/// Makes a project of Terrain Builder with new addresses everywhere, as every save does.
#[test]
fn a_project_that_was_only_saved_again_changes_nothing() {
    let folder = folder("merge-saved");
    let from = formats().join("alb1/samples/valley.tv4p");
    let base = from.to_str().unwrap();
    let renumber =
        r#"walk(if type == "object" and has("address") then .address += 4096 else . end)"#;
    let theirs = folder.join("theirs.tv4p").to_str().unwrap().to_owned();
    run(&["query", base, "-i", "-o", &theirs, renumber]).with_status(0);
    assert_eq!(run(&["diff", base, &theirs]).with_status(0).text(), "");
    let out = folder.join("out.tv4p").to_str().unwrap().to_owned();
    run(&["merge", base, base, &theirs, "-o", &out]).with_status(0);
    assert!(fs::read(&out).unwrap() == fs::read(base).unwrap());
    // Only the real change is taken, not the new addresses.
    run(&["set", &theirs, "mname", "hills", "--no-backup"]).with_status(0);
    run(&["merge", base, base, &theirs, "-o", &out]).with_status(0);
    run(&[
        "set",
        &out,
        "mname",
        run(&["get", base, "mname", "--raw"]).text().trim_end(),
        "--no-backup",
    ])
    .with_status(0);
    assert!(fs::read(&out).unwrap() == fs::read(base).unwrap());
}

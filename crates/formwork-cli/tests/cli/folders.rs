//! Many files at once: `info`, `verify`, `convert`, `decode` and `encode` of a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Ended, run, run_with};

/// A folder of saves and other files.
struct World {
    folder: tempfile::TempDir,
}

impl World {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let saves = folder.path().join("saves");
        fs::create_dir_all(saves.join("slot1/deep")).expect("folders");
        fs::create_dir_all(saves.join(".hidden")).expect("folders");
        let small = fs::read(sample("godot4/golden/4.6.3/files/small.save")).expect("the sample");
        fs::write(saves.join("slot1/deep/small.save"), &small).expect("a file");
        fs::write(saves.join("cut.save"), &small[..small.len() / 2]).expect("a file");
        fs::write(saves.join(".hidden/small.save"), &small).expect("a file");
        fs::write(saves.join("notes.txt"), "Buy lamp oil.\n").expect("a file");
        fs::write(saves.join("odd.bin"), [1, 0, 0, 0, 2, 0, 0, 0]).expect("a file");
        fs::copy(sample("alb1/samples/valley.Layers/houses.tv4l"), saves.join("slot1/houses.tv4l"))
            .expect("a file");
        let world = Self { folder };
        let plain = world.path("saves/plain.save");
        fs::write(world.path("made.json"), r#"{"gold": 100}"#).expect("a file");
        let arguments = ["encode", &world.path("made.json"), "--format", "godot4", "-o", &plain];
        run(&arguments).with_status(0);
        world
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().expect("a plain name").to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Ended {
        let arguments: Vec<_> = arguments
            .iter()
            .map(|word| match word.strip_prefix('@') {
                Some(name) => self.path(name),
                None => (*word).to_owned(),
            })
            .collect();
        run(&arguments)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).expect(name)
    }

    /// Returns the paths of the files in a folder, relative to it.
    fn files(&self, name: &str) -> Vec<String> {
        let root = PathBuf::from(self.path(name));
        let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(folder) else { continue };
            for entry in entries {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        let path = path.strip_prefix(&root).unwrap_or(Path::new(""));
                        files.push(path.to_string_lossy().into_owned());
                    }
                }
            }
        }
        files.sort();
        files
    }
}

fn sample(name: &str) -> String {
    format!("{}/../../formats/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the JSON objects that were printed.
fn lines(ended: &Ended) -> Vec<serde_json::Value> {
    ended.text().lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn info_of_a_folder_is_a_line_for_each_file_and_a_summary() {
    let world = World::new();
    let info = world.run(&["info", "@saves"]).with_status(1);
    let rows: Vec<_> = info.text().lines().collect();
    assert_eq!(rows.len(), 8, "{}", info.text());
    assert!(rows[0].ends_with("saves/cut.save  damaged"), "{}", rows[0]);
    let summary = rows.last().expect("a line");
    assert!(summary.starts_with("6 files, "), "{summary}");
    assert!(summary.ends_with("4 godot4 (1 damaged), 1 alb1, 1 text"), "{summary}");
    // `--all` prints each file as completely as a single file.
    let all = world.run(&["info", "@saves", "--all"]).with_status(1);
    let alone = world.run(&["info", "@saves/plain.save"]).with_status(0);
    assert!(all.text().contains(alone.text()), "{}", all.text());
    let json = world.run(&["info", "@saves", "--json"]).with_status(1);
    let json = lines(&json);
    assert_eq!(json.len(), 7);
    assert_eq!(json[6]["summary"]["formats"]["godot4"]["damaged_count"], 1);
}

#[test]
fn verify_of_a_folder_counts_findings_by_kind_with_the_worst_first() {
    let world = World::new();
    let verify = world.run(&["verify", "@saves"]).with_status(1);
    let rows: Vec<_> = verify.text().lines().collect();
    assert_eq!(rows[0], "damaged  input.complete: 1 in 1 file");
    assert!(rows[1].contains("saves/cut.save: godot4"), "{}", rows[1]);
    assert_eq!(rows[2], "warning  bool.value: 1 in 1 file");
    assert_eq!(rows[4], "6 files: 3 ok, 2 not ok, 1 of no known format");
    assert_eq!(rows.len(), 5, "{}", verify.text());
    let all = world.run(&["verify", "@saves", "--all"]).with_status(1);
    assert_eq!(all.text().lines().filter(|row| row.starts_with("ok  ")).count(), 3);
    assert_eq!(all.text().lines().filter(|row| row.starts_with("not ok  ")).count(), 2);
    let json = lines(&world.run(&["verify", "@saves", "--json"]).with_status(1));
    assert_eq!(json.len(), 6);
    assert_eq!(json[5]["summary"]["rules"][0]["rule"], "input.complete");
    // A file that is named is checked, whatever its format is.
    world.run(&["verify", "@saves/notes.txt"]).with_status(1);
    world.run(&["verify", "@saves/slot1"]).with_status(0);
}

#[test]
fn convert_of_a_folder_keeps_the_tree_and_leaves_out_what_has_no_values() {
    let world = World::new();
    let refused = world.run(&["convert", "@saves", "--into", "@new", "--to", "godot3"]);
    let refused = refused.with_status(1);
    assert_eq!(world.files("new"), ["odd.bin", "plain.save"], "{}", refused.stderr);
    for part in [
        "left out: ",
        "notes.txt: of no known format",
        "houses.tv4l: no values of an engine",
        "cut.save: offset ",
        "2 files converted to godot3.6, 2 not, 2 left out",
    ] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    // Losses are grouped by kind, the most frequent first; `--all` prints each one.
    assert!(refused.stderr.contains("losses, type: "), "{}", refused.stderr);
    assert_eq!(refused.stderr.matches("becomes").count(), 2, "{}", refused.stderr);
    let all = ["convert", "@saves", "--into", "@all", "--to", "godot3", "--all"];
    assert!(world.run(&all).with_status(1).stderr.matches("becomes").count() > 5);
    let lossy = ["convert", "@saves", "--into", "@lossy", "--to", "godot3", "--lossy"];
    world.run(&lossy).with_status(1);
    assert_eq!(world.files("lossy"), ["odd.bin", "plain.save", "slot1/deep/small.save"]);
    let one = ["convert", "@saves/slot1/deep/small.save", "--to", "godot3", "--lossy"];
    world.run(&[&one[..], &["-o", "@one.save"]].concat()).with_status(0);
    assert_eq!(world.read("lossy/slot1/deep/small.save"), world.read("one.save"));
    let json = ["convert", "@saves", "--into", "@json", "--to", "godot3", "--json", "-q"];
    let json = world.run(&json).with_status(1);
    let json = lines(&json);
    assert_eq!(json.len(), 6);
    assert_eq!(json.iter().filter(|line| line["written"] == true).count(), 2);
    assert_eq!(json.iter().filter(|line| !line["left_out"].is_null()).count(), 2);
}

#[test]
fn nothing_in_a_folder_is_overwritten_silently() {
    let world = World::new();
    let convert = ["convert", "@saves", "--into", "@new", "--to", "godot3"];
    world.run(&convert).with_status(1);
    fs::write(world.path("new/plain.save"), "mine").expect("a file");
    let before = world.files("new");
    let again = world.run(&convert).with_status(2);
    assert!(again.stderr.contains("nothing was written"), "{}", again.stderr);
    assert_eq!(world.files("new"), before);
    assert_eq!(world.read("new/plain.save"), b"mine");
    world.run(&[&convert[..], &["--force"]].concat()).with_status(1);
    assert_ne!(world.read("new/plain.save"), b"mine");
    assert_eq!(world.read("new/plain.save.bak"), b"mine");
    // An unchanged file needs no backup.
    assert!(!world.files("new").contains(&"odd.bin.bak".to_owned()));
    world.run(&["convert", "@saves", "--to", "godot3"]).with_status(2);
    world.run(&["convert", "@saves/plain.save", "--to", "godot3", "--into", "@x"]).with_status(2);
    // The new files are not inputs of a later run.
    let inside = ["convert", "@saves", "--into", "@saves/new", "--to", "godot3"];
    world.run(&inside).with_status(1);
    world.run(&[&inside[..], &["--force"]].concat()).with_status(1);
    assert!(!world.files("saves/new").iter().any(|name| name.starts_with("new")));
}

#[test]
fn a_folder_is_decoded_and_encoded_to_the_same_bytes() {
    let world = World::new();
    let decoded = world.run(&["decode", "@saves", "--into", "@json"]).with_status(1);
    assert!(decoded.stderr.contains("4 files decoded, 1 not, 1 left out"), "{}", decoded.stderr);
    let names =
        ["odd.bin.json", "plain.save.json", "slot1/deep/small.save.json", "slot1/houses.tv4l.json"];
    assert_eq!(world.files("json"), names);
    fs::write(world.path("json/readme.md"), "mine").expect("a file");
    let encode = ["encode", "@json", "--like", "@saves", "--into", "@back"];
    let encoded = world.run(&encode).with_status(0);
    assert!(encoded.stderr.contains("4 files encoded, 1 left out"), "{}", encoded.stderr);
    for name in ["plain.save", "slot1/deep/small.save", "slot1/houses.tv4l"] {
        let (old, new) =
            (world.read(&format!("saves/{name}")), world.read(&format!("back/{name}")));
        assert!(old == new, "{name}");
    }
    world.run(&["decode", "@saves", "--into", "@json"]).with_status(2);
    let text = ["decode", "@saves", "--into", "@text", "--as", "text"];
    world.run(&text).with_status(1);
    assert!(world.files("text").contains(&"plain.save.txt".to_owned()));
}

#[test]
fn a_program_reads_what_every_change_did() {
    let world = World::new();
    let dry = ["set", "@saves/plain.save", "gold", "7", "--json", "--dry-run"];
    let dry = lines(&world.run(&dry).with_status(0));
    assert_eq!((&dry[0]["path"], &dry[0]["written"]), (&"gold".into(), &false.into()));
    let set =
        lines(&world.run(&["set", "@saves/plain.save", "gold", "7", "--json"]).with_status(0));
    assert_eq!(set.len(), 1);
    assert_eq!((&set[0]["before"], &set[0]["after"]), (&100.into(), &7.into()));
    assert_eq!(set[0]["written"], true);
    let rm = ["rm", "@saves/plain.save", "gold", "--json", "-o", "@gone.save"];
    let rm = lines(&world.run(&rm).with_status(0));
    assert!(rm[0]["after"].is_null());
    world.run(&["rm", "@saves/plain.save", "gold", "--json", "-o", "-"]).with_status(2);
    let encode = ["encode", "@made.json", "--format", "godot4", "--json", "-o", "@new.save"];
    let encode = lines(&world.run(&encode).with_status(0));
    assert_eq!(encode[0]["size"], world.read("new.save").len());
    let convert = ["convert", "@new.save", "--to", "godot3", "--json", "-o", "@three.save"];
    let convert = lines(&world.run(&convert).with_status(0));
    assert_eq!((&convert[0]["format"], &convert[0]["written"]), (&"godot3.6".into(), &true.into()));
    world.run(&["convert", "@new.save", "--to", "godot3", "--json"]).with_status(2);
}

#[test]
fn convert_of_a_folder_says_what_it_would_do_and_writes_nothing() {
    let world = World::new();
    let dry = ["convert", "@saves", "--into", "@new", "--to", "godot3", "--lossy", "--dry-run"];
    let ended = world.run(&dry).with_status(1);
    let plain = format!(
        "would write to {}: 32 bytes, godot3.6 (from godot4)\n",
        world.path("new/plain.save")
    );
    assert!(ended.stderr.contains(&plain), "{}", ended.stderr);
    assert!(
        ended.stderr.contains("3 files would be converted to godot3.6, 1 not, 2 left out"),
        "{}",
        ended.stderr
    );
    assert!(fs::metadata(world.path("new")).is_err());
    let told = world.run(&[&dry[..], &["--json"]].concat()).with_status(1);
    assert!(lines(&told).iter().all(|line| line["written"] == false), "{}", told.text());
    // A single file to standard output gives the same note.
    let ended = world.run(&["convert", "@saves/plain.save", "--to", "godot3", "--dry-run"]);
    let ended = ended.with_status(0);
    assert_eq!(
        (ended.text(), &*ended.stderr),
        ("", "would write to standard output: 32 bytes, godot3.6 (from godot4)\n")
    );
}

#[test]
fn findings_in_files_without_values_are_of_kinds_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let cut = |from: &str, to: &str| {
        let bytes = fs::read(sample(from)).expect("the sample");
        fs::write(folder.path().join(to), &bytes[..bytes.len() * 3 / 4]).expect("a file");
    };
    cut("script/samples/godot-4.6.3.gdc", "a.gdc");
    cut("resource/samples/godot-4.6.3/hero.res", "b.res");
    cut("pack/samples/3.2.3/export.pck", "c.pck");
    cut("alb1/samples/valley.Layers/houses.tv4l", "d.tv4l");
    fs::write(folder.path().join("e.cfg"), "[a]\nb=Vector9(1)\n").expect("a file");
    let path = folder.path().to_str().expect("a plain name");
    let ended = run(&["verify", path, "--json"]).with_status(1);
    let lines = lines(&ended);
    let [files @ .., summary] = &lines[..] else { panic!("{}", ended.text()) };
    assert_eq!(files.len(), 5, "{}", ended.text());
    for file in files {
        let findings = file["findings"].as_array().expect("a list");
        assert!(file["ok"] == false && !findings.is_empty(), "{file}");
        // A fault of the file has a rule, such as "wire.length", just as a fault of a value has.
        let mut rules = findings.iter().map(|it| it["rule"].as_str().expect("a name"));
        assert!(rules.all(|rule| rule.contains('.') || rule.contains('_')), "{file}");
    }
    assert_eq!(summary["summary"]["not_ok_count"], 5);
    assert_eq!(summary["summary"]["ok_count"], 0);
}

#[test]
fn a_password_is_for_the_encrypted_files_of_a_folder() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder-password");
    let _ = fs::remove_dir_all(&folder);
    let mixed = folder.join("mixed");
    fs::create_dir_all(&mixed).unwrap();
    for (name, options) in
        [("open.save", &[][..]), ("locked.save", &["--wrapper", "encrypted", "--password", "x"])]
    {
        let file = mixed.join(name);
        let start = ["encode", "-", "--format", "godot3", "-o", file.to_str().unwrap()];
        run_with(&[&start[..], options].concat(), b"{\"gold\": 5}").with_status(0);
    }
    let (mixed, made) = (mixed.to_str().unwrap(), folder.join("made"));
    let made = made.to_str().unwrap();
    run(&["convert", mixed, "--to", "godot4", "--into", made, "--password", "x"]).with_status(0);
    run(&["get", &format!("{made}/open.save"), "gold"]).with_status(0);
    run(&["get", &format!("{made}/locked.save"), "gold"]).with_status(2);
    let (json, again) = (format!("{made}.json"), format!("{made}.again"));
    run(&["decode", mixed, "--into", &json, "--password", "x"]).with_status(0);
    run(&["encode", &json, "--like", mixed, "--into", &again, "--password", "x"]).with_status(0);
    let open = fs::read(format!("{again}/open.save")).unwrap();
    assert_eq!(open, fs::read(format!("{mixed}/open.save")).unwrap());
}

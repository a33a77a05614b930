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
fn nothing_in_a_folder_is_overwritten_silently() {
    let world = World::new();
    let convert = ["convert", "@saves", "--into", "@new", "--to", "godot3"];
    world.run(&convert).with_status(1);
    fs::write(world.path("new/plain.save"), "mine").expect("a file");
    let before = world.files("new");
    world.run(&convert).with_status(2);
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

//! Packs of games and the files in them, in every command.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cases::formats;
use crate::engine::with_each_engine;
use crate::run::run;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../formats/pack/samples").join(name)
}

/// Copies a sample to change it.
fn copy(name: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let path = folder.path().join("game.pck");
    fs::copy(sample(name), &path).expect("the sample is there");
    let path = path.to_str().expect("a plain name").to_owned();
    (folder, path)
}

const ALL: &[&str] = &[
    "3.2.3/embedded.exe",
    "3.2.3/embedded.x86_64",
    "3.2.3/export.pck",
    "3.2.3/packer.pck",
    "3.6.2/embedded.exe",
    "3.6.2/embedded.x86_64",
    "3.6.2/export.pck",
    "3.6.2/packer.pck",
    "4.6.3/embedded.exe",
    "4.6.3/embedded.x86_64",
    "4.6.3/export.pck",
    "4.6.3/packer.pck",
];

#[test]
fn every_sample_is_listed_with_its_release_and_nothing_is_wrong() {
    for name in ALL {
        let path = sample(name);
        let path = path.to_str().expect("a plain name");
        let told = run(&["info", "--json", path]).with_status(0);
        let told: Value = serde_json::from_str(told.text()).expect("it is JSON");
        assert_eq!(told["format"], "gdpc", "{name}");
        assert_eq!(told["engine"], name[..5], "{name}");
        assert_eq!(told["file_count"].as_u64(), told["files"].as_array().map(|it| it.len() as u64));
        assert_eq!(told.get("embedded").is_some(), name.contains("embedded"), "{name}");
        run(&["verify", path]).with_status(0);
        let listing = run(&["decode", path]).with_status(0);
        let listing: Value = serde_json::from_str(listing.text()).expect("it is JSON");
        assert_eq!(listing["files"], told["files"], "{name}");
    }
}

#[test]
fn a_value_in_a_pack_is_changed_and_every_other_file_stays() {
    for name in ALL {
        let (folder, pack) = copy(name);
        let before = fs::read(&pack).expect("it is there");
        let save = format!("{pack}!start.save");
        let json = folder.path().join("save.json");
        let json = json.to_str().expect("a plain name");
        run(&["decode", &save, "-o", json]).with_status(0);
        // Without a change, nothing is written and no backup is made.
        run(&["encode", json, "--like", &save, "-o", &save]).with_status(0);
        assert!(fs::read(&pack).expect("it is there") == before, "{name}");
        assert!(!Path::new(&format!("{pack}.bak")).exists(), "{name}");
        let text = fs::read_to_string(json).expect("it was written");
        let longer = text.replace("\"rope\"", "\"a very long rope that takes much more room\"");
        assert_ne!(text, longer);
        fs::write(json, longer).expect("a file can be written");
        // A dry run changes nothing.
        run(&["encode", json, "--like", &save, "-o", &save, "--dry-run"]).with_status(0);
        assert!(fs::read(&pack).expect("it is there") == before, "{name}");
        run(&["encode", json, "--like", &save, "-o", &save]).with_status(0);
        assert!(fs::read(format!("{pack}.bak")).expect("the backup") == before, "{name}");
        let read = run(&["get", &format!("{pack}!res://start.save"), "bag/0"]).with_status(0);
        read.prints("\"a very long rope that takes much more room\"");
        run(&["verify", &pack]).with_status(0);
        let note = run(&["decode", &format!("{pack}!note.txt"), "--as", "raw"]).with_status(0);
        assert_eq!(note.text(), "hello\n");
        // The old content gives the old bytes.
        fs::write(json, text).expect("a file can be written");
        run(&["encode", json, "--like", &save, "-o", &save, "--no-backup"]).with_status(0);
        assert!(fs::read(&pack).expect("it is there") == before, "{name}");
        assert!(!Path::new(&format!("{pack}.bak.2")).exists(), "{name}");
    }
}

#[test]
fn the_release_of_the_pack_settles_what_is_in_it() {
    let path = sample("3.2.3/export.pck");
    let save = format!("{}!start.save", path.display());
    let told = run(&["info", "--json", &save]).with_status(0);
    let told: Value = serde_json::from_str(told.text()).expect("it is JSON");
    assert_eq!((&told["format"], &told["sure"]), (&"godot3.2".into(), &"pack".into()));
    // `--format` overrides the release of the pack.
    let told = run(&["info", "--json", &save, "--format", "godot3.5"]).with_status(0);
    let told: Value = serde_json::from_str(told.text()).expect("it is JSON");
    assert_eq!(told["format"], "godot3.5");
}

#[test]
fn a_save_of_another_engine_in_a_pack_is_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let [files, pack] = ["game", "game.pck"]
        .map(|name| folder.path().join(name).into_os_string().into_string().expect("a plain name"));
    fs::create_dir(&files).unwrap();
    let save = formats().join("godot3/golden/3.6.2/files/small.save");
    fs::copy(save, format!("{files}/small.save")).unwrap();
    run(&["pack", &files, "--format", "godot4.6", "-o", &pack]).with_status(0);
    let member = format!("{pack}!small.save");
    assert_eq!(run(&["get", &member, "version"]).with_status(0).text(), "3\n");
    let told = run(&["info", "--json", &member]).with_status(0);
    let told: Value = serde_json::from_str(told.text()).expect("it is JSON");
    assert_eq!((&told["format"], &told["sure"]), (&"godot3".into(), &"certain".into()));
    run(&["set", &member, "version", "4", "--no-backup"]).with_status(0);
    assert_eq!(run(&["get", &member, "version"]).with_status(0).text(), "4\n");
}

#[cfg(unix)]
#[test]
fn no_file_is_put_behind_a_link() {
    let (folder, pack) = copy("4.6.3/export.pck");
    let (out, elsewhere) = (folder.path().join("out"), folder.path().join("elsewhere"));
    fs::create_dir(&out).expect("a folder can be made");
    fs::create_dir(&elsewhere).expect("a folder can be made");
    std::os::unix::fs::symlink(&elsewhere, out.join(".godot")).expect("a link can be made");
    run(&["decode", &pack, "--into", out.to_str().expect("a plain name")]).with_status(3);
    assert_eq!(fs::read_dir(&elsewhere).expect("it is there").count(), 0);
}

#[test]
fn the_bytes_of_a_pack_are_shown() {
    for name in ALL {
        let path = sample(name);
        let path = path.to_str().expect("a plain name");
        let told = run(&["dump", path]).with_status(0);
        assert!(told.text().contains("note.txt: content of 6 bytes"), "{name}: {}", told.text());
        assert!(told.text().contains("magic"), "{name}");
        assert_eq!(told.text().contains("trailer"), name.contains("embedded"), "{name}");
    }
}

#[test]
#[ignore = "needs an engine"]
fn an_engine_starts_from_a_pack_in_which_set_changed_one_value() {
    with_each_engine(|engine| {
        let name = format!("{}/export.pck", engine.release);
        if !sample(&name).is_file() {
            println!("skipped: no pack of {}", engine.release);
            return;
        }
        let (_folder, path) = copy(&name);
        let old = fs::read(&path).expect("it is there");
        let said = engine.play(&old);
        assert!(said.contains("\"hp\":7") && said.contains("name=Pack sample\n"), "{said}");
        run(&["set", &format!("{path}!start.save"), "hp", "4242"]).with_status(0);
        let title = "A longer name than the game had before";
        let settings = format!("{path}!project.binary");
        run(&["set", &settings, "application/config/name", title]).with_status(0);
        let said = engine.play(&fs::read(&path).expect("it was written"));
        assert!(said.contains("\"hp\":4242"), "{said}");
        assert!(said.contains(&format!("name={title}\n")), "{said}");
        run(&["set", &format!("{path}!start.save"), "hp", "7"]).with_status(0);
        run(&["set", &settings, "application/config/name", "Pack sample"]).with_status(0);
        assert!(fs::read(&path).expect("it was written") == old, "{name}");
    });
}

//! Packs of games and the files in them, in every command.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cases::formats;
use crate::engine::with_each_engine;
use crate::run::{run, run_with};

const KEY: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

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
        let read = run(&["decode", &format!("{pack}!res://start.save")]).with_status(0);
        assert!(read.text().contains("a very long rope"), "{name}");
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
    assert!(told.text().contains("\"godot3.5\""), "{}", told.text());
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

#[test]
fn encrypted_files_of_a_pack_open_with_the_key() {
    let path = sample("4.6.3/encrypted.pck");
    let path = path.to_str().expect("a plain name");
    let told = run(&["info", path]).with_status(0);
    assert!(told.text().contains("in an encrypted directory"), "{}", told.text());
    assert!(told.text().contains("use --key"), "{}", told.text());
    run(&["verify", path]).with_status(1);
    run(&["verify", path, "--key", KEY]).with_status(0);
    run(&["decode", path]).with_status(2);
    let wrong = "0".repeat(64);
    run(&["decode", path, "--key", &wrong]).with_status(1);
    let save = format!("{path}!start.save");
    run(&["decode", &save]).with_status(2);
    let read = run(&["decode", &save, "--key", KEY, "--compact"]).with_status(0);
    assert!(read.text().starts_with("{\"hp\":7,"), "{}", read.text());
    // An encrypted pack can be read, but not written.
    let (_folder, pack) = copy("4.6.3/encrypted.pck");
    let before = fs::read(&pack).expect("it is there");
    let save = format!("{pack}!start.save");
    run_with(&["encode", "-", "--like", &save, "--key", KEY, "-o", &save], b"{\"hp\": 8}")
        .with_status(2);
    assert!(fs::read(&pack).expect("it is there") == before);
}

#[test]
fn all_files_are_taken_out_and_none_outside_the_folder() {
    let (folder, pack) = copy("4.6.3/export.pck");
    let out = folder.path().join("out");
    let out_name = out.to_str().expect("a plain name");
    run(&["decode", &pack, "--into", out_name]).with_status(0);
    assert_eq!(fs::read(out.join("note.txt")).expect("it was taken out"), b"hello\n");
    assert!(out.join(".godot/uid_cache.bin").is_file());
    // The second run overwrites nothing, and its answer is "no".
    fs::write(out.join("note.txt"), b"mine").expect("a file can be written");
    run(&["decode", &pack, "--into", out_name]).with_status(1);
    assert_eq!(fs::read(out.join("note.txt")).expect("it is there"), b"mine");
    // The name leads out of the folder.
    let mut bytes = fs::read(&pack).expect("it is there");
    let name = b"settings.cfg";
    let at = bytes.windows(name.len()).rposition(|there| there == name).expect("its entry");
    bytes[at..at + name.len()].copy_from_slice(b"../../ev.cfg");
    fs::write(&pack, &bytes).expect("a file can be written");
    let told = run(&["verify", &pack]).with_status(1);
    assert!(told.text().contains("it leads out of the folder with '..'"), "{}", told.text());
    let inner = folder.path().join("a/b");
    let ended =
        run(&["decode", &pack, "--into", inner.to_str().expect("a plain name")]).with_status(1);
    assert!(ended.stderr.contains("is left"), "{}", ended.stderr);
    assert!(!folder.path().join("ev.cfg").exists() && inner.join("note.txt").is_file());
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
fn what_is_no_file_of_a_pack_is_said_to_be_none() {
    let (folder, pack) = copy("3.2.3/export.pck");
    let none = run(&["decode", &format!("{pack}!nothing.save")]).with_status(3);
    assert!(
        none.stderr.contains("there is no file 'nothing.save' in this pack"),
        "{}",
        none.stderr
    );
    let note = folder.path().join("note.txt");
    fs::write(&note, b"no pack").expect("a file can be written");
    run(&["decode", &format!("{}!x", note.display())]).with_status(2);
    // An existing file is preferred, whatever its name contains.
    let named = format!("{pack}!note.txt");
    fs::copy(sample("../../godot4/golden/4.6.3/files/small.save"), &named)
        .expect("a file can be made");
    let told = run(&["info", &named]).with_status(0);
    assert!(told.text().contains("godot4"), "{}", told.text());
}

#[test]
fn a_pack_itself_is_no_file_of_values() {
    let path = sample("3.2.3/export.pck");
    let path = path.to_str().expect("a plain name");
    for arguments in [
        &["convert", path, "--to", "godot4", "-o", "-"][..],
        &["decode", path, "--as", "native"],
        &["decode", path, "--recover"],
        &["decode", path, "--all"],
    ] {
        let ended = run(arguments).with_status(2);
        assert!(ended.stderr.contains("pack"), "{}", ended.stderr);
    }
    run_with(&["encode", "-", "--like", path, "-o", "-"], b"1").with_status(2);
}

#[test]
fn what_is_damaged_in_a_pack_is_named_by_verify_and_info() {
    let (_folder, pack) = copy("3.6.2/export.pck");
    let mut bytes = fs::read(&pack).expect("it is there");
    let at = bytes.windows(6).position(|there| there == b"hello\n").expect("the note");
    bytes[at] = b'j';
    fs::write(&pack, &bytes).expect("a file can be written");
    let told = run(&["verify", &pack]).with_status(1);
    assert!(told.text().contains("note.txt: offset"), "{}", told.text());
    assert!(told.text().contains("rule pack.digest"), "{}", told.text());
    let told = run(&["info", &pack]).with_status(1);
    assert!(told.text().contains("rule pack.digest"), "{}", told.text());
    fs::write(&pack, &bytes[..100]).expect("a file can be written");
    run(&["verify", &pack]).with_status(1);
    run(&["info", &pack]).with_status(1);
    run(&["dump", &pack]).with_status(1);
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

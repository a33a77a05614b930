//! `info`, and finding out what a file is.

use serde_json::Value;

use crate::files::plain_files;
use crate::run::{run, run_with};

fn info(arguments: &[&str], input: &[u8]) -> Value {
    let all: Vec<_> = ["info", "--json"].iter().chain(arguments).collect();
    let ended = run_with(&all, input).with_status(0);
    serde_json::from_slice(&ended.stdout).expect("it is JSON")
}

/// A dialect's name without its version.
fn family(dialect: &str) -> &str {
    dialect.split_once('.').map_or(dialect, |(family, _)| family)
}

#[test]
fn every_plain_file_is_recognised() {
    let mut by_meaning = Vec::new();
    for file in plain_files() {
        let info = info(&[file.path()], &[]);
        assert_eq!(info["framing"], file.framing, "{}", file.path());
        assert_eq!(info["values"]["count"], file.values as u64, "{}", file.path());
        assert_eq!(info["size"], file.bytes().len() as u64);
        assert_eq!(info["form"], "canonical", "{}", file.path());
        let format = info["format"].as_str().expect("it has a format");
        if info["sure"] == "certain" {
            assert_eq!(family(format), family(file.engine.dialect), "{}", file.path());
        } else {
            assert_eq!(info["sure"], "alike", "{}", file.path());
            by_meaning.push(file.path().to_owned());
        }
    }
    assert!(by_meaning.is_empty(), "{by_meaning:#?}");
}

#[test]
fn strange_input_is_no_failure() {
    assert_eq!(info(&["-"], &[])["format"], "empty");
    assert_eq!(info(&["-"], b"\xff\xd8\xff\xe0 a picture")["format"], "unknown");
    assert_eq!(info(&["-"], b"version https://git-lfs.github.com/spec/v1\n")["format"], "git-lfs");
    assert_eq!(info(&["-"], b"{\"a\": 1}")["format"], "json");
    // Said to be what it is not.
    let said = info(&["-", "--format", "godot3", "--framing", "bare"], b"{\"a\": 1}");
    assert_eq!(said["sure"], "said");
    assert_eq!(said["values"]["count"], 0);
    assert!(said["faults"].as_str().expect("a fault").contains("header.type_id"));
}

#[test]
fn a_cut_file_is_recognised_and_read_as_far_as_it_goes() {
    let file = plain_files().into_iter().find(|file| file.path.ends_with("3.6.2/files/small.save"));
    let file = file.expect("a small file");
    let cut = &file.bytes()[..1000];
    let info = info(&["-"], cut);
    assert_eq!(family(info["format"].as_str().expect("a format")), "godot3");
    assert_eq!((&info["sure"], &info["framing"]), (&"partial".into(), &"frames".into()));
    let decoded = run_with(&["decode", "-"], cut).with_status(1);
    assert!(decoded.stderr.contains("at offset "), "{}", decoded.stderr);
    assert!(decoded.stderr.contains("--format"), "{}", decoded.stderr);
}

#[test]
fn deviations_are_counted_by_rule() {
    let bools: Vec<u8> = [1, 0, 0, 0, 7, 0, 0, 0].repeat(5);
    let arguments = ["-", "--format", "godot3", "--framing", "bare"];
    let said = info(&arguments, &bools);
    assert_eq!(said["form"], "deviating");
    assert_eq!(said["deviations"]["bool.value"]["count"], 5);
    assert_eq!(said["deviations"]["bool.value"]["offsets"], serde_json::json!([4, 12, 20]));
    let all: Vec<_> = ["info"].iter().chain(&arguments).collect();
    let text = run_with(&all, &bools).with_status(0);
    assert!(text.text().contains("5 x bool.value, at offset 4 (0x4), 12 (0xc), 20 (0x14), ..."));
}

#[test]
fn what_can_be_read_in_several_ways_asks_for_the_format() {
    // Number 21 is a StringName in Godot 4, and an array of ints, of strings or of something else
    // elsewhere.
    let packet = b"\x15\0\0\0\0\0\0\0\0\0\0\0";
    let ended = run_with(&["decode", "-"], packet).with_status(2);
    assert!(ended.stdout.is_empty());
    for part in ["--format godot4", "--format godot3", "say --format"] {
        assert!(ended.stderr.contains(part), "{}", ended.stderr);
    }
    assert_eq!(info(&["-"], packet)["sure"], "ambiguous");
    run_with(&["decode", "-", "--format", "godot4"], packet).with_status(0);
}

#[test]
fn like_takes_everything_from_a_file() {
    for file in plain_files() {
        let json = run(&["decode", file.path()]).with_status(0).stdout;
        let again = run_with(&["encode", "-", "--like", file.path(), "-o", "-"], &json);
        assert!(again.with_status(0).stdout == file.bytes(), "{}", file.path());
    }
}

#[test]
fn a_save_game_gets_frames_by_its_name() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, expected) in [
        ("game.save", &[8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0][..]),
        ("game.bin", &[2, 0, 0, 0, 7, 0, 0, 0][..]),
    ] {
        let out = folder.path().join(name);
        let out_name = out.to_str().expect("a name in UTF-8");
        run_with(&["encode", "-", "--format", "godot3", "-o", out_name], b"7").with_status(0);
        assert_eq!(std::fs::read(&out).expect("it was written"), expected, "{name}");
    }
}

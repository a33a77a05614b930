//! `info`, and detection of formats.

use serde_json::Value;

use crate::files::plain_files;
use crate::run::{run, run_with};

fn info(arguments: &[&str], input: &[u8]) -> Value {
    info_with_status(arguments, input, 0)
}

fn info_with_status(arguments: &[&str], input: &[u8], status: i32) -> Value {
    let all: Vec<_> = ["info", "--json"].iter().chain(arguments).collect();
    let ended = run_with(&all, input).with_status(status);
    serde_json::from_slice(&ended.stdout).expect("it is JSON")
}

/// Returns a dialect's name without its version.
fn family(dialect: &str) -> &str {
    dialect.split_once('.').map_or(dialect, |(family, _)| family)
}

#[test]
fn every_plain_file_is_recognised() {
    let mut by_meaning = Vec::new();
    for file in plain_files() {
        let info = info(&[file.path()], &[]);
        assert_eq!(info["framing"], file.framing, "{}", file.path());
        assert_eq!(info["value_count"], file.values as u64, "{}", file.path());
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
    assert_eq!(info(&["-"], b"\xff\xd8\xff\xe0 a picture")["format"], "jpeg");
    assert_eq!(info(&["-"], b"\xfe\xd8\xff\xe0 a riddle")["format"], "unknown");
    assert_eq!(info(&["-"], &[0; 5000])["format"], "zeros");
    assert_eq!(info(&["-"], b"version https://git-lfs.github.com/spec/v1\n")["format"], "git-lfs");
    assert_eq!(info(&["-"], b"{\"a\": 1}")["format"], "json");
    // `--format` names a wrong format.
    let arguments = ["-", "--format", "godot3", "--framing", "bare"];
    let said = info_with_status(&arguments, b"{\"a\": 1}", 1);
    assert_eq!(said["sure"], "said");
    assert_eq!(said["value_count"], 0);
    assert_eq!(said["findings"][0]["rule"], "header.type_id");
}

#[test]
fn a_cut_file_is_recognised_and_read_as_far_as_it_goes() {
    let file = plain_files().into_iter().find(|file| file.path.ends_with("3.6.2/files/small.save"));
    let file = file.expect("a small file");
    let cut = &file.bytes()[..1000];
    // A file that can be read only in part gives the answer "no".
    let info = info_with_status(&["-"], cut, 1);
    assert_eq!(family(info["format"].as_str().expect("a format")), "godot3");
    assert_eq!((&info["sure"], &info["framing"]), (&"partial".into(), &"frames".into()));
    let decoded = run_with(&["decode", "-"], cut).with_status(1);
    assert!(decoded.stderr.contains("at offset "), "{}", decoded.stderr);
    assert!(decoded.stderr.contains("--format"), "{}", decoded.stderr);
    let cut_off = "the file is cut off: at least 1916 more bytes are needed";
    assert!(decoded.stderr.contains(cut_off), "{}", decoded.stderr);
}

#[test]
fn deviations_are_counted_by_rule() {
    let bools: Vec<u8> = [1, 0, 0, 0, 7, 0, 0, 0].repeat(5);
    let arguments = ["-", "--format", "godot3", "--framing", "bare"];
    let said = info(&arguments, &bools);
    assert_eq!(said["form"], "deviating");
    let findings = said["findings"].as_array().expect("a list");
    let of_rule = findings.iter().filter(|it| it["rule"] == "bool.value" && it["damage"] == false);
    let offsets: Vec<_> = of_rule.map(|it| it["offset"].as_u64().expect("a number")).collect();
    assert_eq!(offsets, [4, 12, 20, 28, 36]);
    let all: Vec<_> = ["info"].iter().chain(&arguments).collect();
    let text = run_with(&all, &bools).with_status(0);
    assert!(text.text().contains("5 x bool.value, at offset 4 (0x4), 12 (0xc), 20 (0x14), ..."));
}

#[test]
fn what_can_be_read_in_several_ways_asks_for_the_format() {
    // Type 21 is a StringName in Godot 4, and an array of ints, of strings or of another type in other
    // engines.
    let packet = b"\x15\0\0\0\0\0\0\0\0\0\0\0";
    let ended = run_with(&["decode", "-"], packet).with_status(2);
    assert!(ended.stdout.is_empty());
    for part in ["--format godot4: &\"\", and 1 more\n", "godot3: PoolIntArray( ), ", "choose one:"]
    {
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

/// Each engine has a line with the value that it reads.
#[test]
fn an_ambiguous_file_shows_what_each_engine_makes_of_it() {
    // Four real numbers without a frame.
    let packet = [14, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 63];
    let ended = run_with(&["decode", "-"], &packet).with_status(2);
    assert!(ended.stderr.contains("  --format godot4: Plane(1"), "{}", ended.stderr);
    let longest = ended.stderr.lines().map(|line| line.chars().count()).max();
    assert!(longest.is_some_and(|longest| longest < 120), "{}", ended.stderr);
    assert!(ended.stderr.lines().count() <= 7, "{}", ended.stderr);
    let said = info(&["-"], &packet);
    assert_eq!(said["sure"], "ambiguous");
    assert!(said["or"].as_array().expect("a list").contains(&"godot3".into()), "{said}");
    let text = run_with(&["info", "-"], &packet).with_status(0);
    assert!(text.text().contains("--format godot4: Plane(1"), "{}", text.text());
    // A format that is given is not asked for.
    let said = info(&["-", "--format", "godot4"], &packet);
    assert_eq!(said["sure"], "said");
}

#[test]
fn a_release_is_named_only_where_the_bytes_tell_it() {
    let text = |arguments: &[&str], input: &[u8]| {
        let all: Vec<_> = ["info"].iter().chain(arguments).collect();
        run_with(&all, input).with_status(0).text().to_owned()
    };
    for file in plain_files() {
        let said = info(&[file.path()], &[]);
        let releases = said["releases"].as_array().expect("releases");
        assert!(releases.iter().any(|it| it == file.engine.dialect), "{} {said}", file.path());
        let text = text(&[file.path()], &[]);
        let newest = [("godot4", "Godot 4 ("), ("godot3", "Godot 3 ("), ("godot2", "Godot 2 (")];
        if let Some((_, words)) = newest.iter().find(|(name, _)| said["format"] == *name)
            && releases.len() > 1
        {
            assert!(text.contains(words) && text.contains(" write the same)"), "{text}");
        }
        assert!(!text.contains("nothing else fits"), "{text}");
    }
}

#[test]
fn values_behind_a_header_are_found_and_said() {
    let file = plain_files().into_iter().find(|file| file.path.ends_with("4.6.3/files/small.save"));
    let file = file.expect("a small file");
    let bytes = [&b"MYGAME\0\x01 1.2.3  "[..16], &file.bytes()].concat();
    let said = info(&["-"], &bytes);
    assert_eq!((&said["format"], &said["skip"]), (&"unknown".into(), &16.into()));
    assert_eq!((&said["inner_format"], &said["framing"]), (&"godot4".into(), &"frames".into()));
    let words = "from offset 16 on it is godot4, frames: use --skip 16";
    let text = run_with(&["info", "-"], &bytes).with_status(0);
    assert!(text.text().contains(words), "{}", text.text());
    let decoded = run_with(&["decode", "-"], &bytes).with_status(1);
    assert!(decoded.stderr.contains(words), "{}", decoded.stderr);
}

#[test]
fn damage_is_named() {
    let file = plain_files().into_iter().find(|file| file.path.ends_with("4.6.3/files/small.save"));
    let mut bytes = file.expect("a small file").bytes();
    // The length of the first key's value, overwritten with the largest int.
    bytes[40..44].copy_from_slice(&[0xff, 0xff, 0xff, 0x7f]);
    let ended = run_with(&["info", "-"], &bytes).with_status(1);
    assert!(
        ended.text().contains("godot4: Godot 4, damaged: fault at offset "),
        "{}",
        ended.text()
    );
    let decoded = run_with(&["decode", "-"], &bytes).with_status(1);
    assert!(decoded.stderr.contains("the file is damaged: fault at offset "), "{}", decoded.stderr);
    assert!(decoded.stdout.is_empty());
}

#[test]
fn a_format_that_does_not_fit_is_to_be_left_out() {
    let file = plain_files().into_iter().find(|file| file.path.ends_with("4.6.3/files/small.save"));
    let file = file.expect("a small file");
    let ended = run(&["decode", "--format", "godot3", file.path()]).with_status(1);
    let words = "the file is godot4, frames; leave the format to detection";
    assert!(ended.stderr.contains(words), "{}", ended.stderr);
}

#[test]
fn what_is_no_save_is_named() {
    let font = b"\0\x01\0\0\0\x0c\0\x80\0\x03\0\x40GDEF\x01\x02\x03\x04";
    let ended = run_with(&["decode", "-"], font).with_status(1);
    assert!(ended.stderr.contains("this is a TrueType or OpenType font"), "{}", ended.stderr);
    for command in ["decode", "verify"] {
        let ended = run_with(&[command, "-"], b"").with_status(1);
        let said = format!("{}{}", ended.text(), ended.stderr);
        assert!(said.contains("the file is empty"), "{said}");
    }
}

#[test]
fn a_file_that_is_only_the_number_of_an_object_is_named() {
    // An EncodedObjectAsID in a frame: `store_var` writes an object so without full_objects.
    let file = [12, 0, 0, 0, 24, 0, 1, 0, 0xd2, 4, 0, 0, 0, 0, 0, 0x80];
    let said = run_with(&["info", "-"], &file).with_status(0);
    let line = "the file contains only the id of an object, 9223372036854777042";
    assert!(said.text().contains(line), "{}", said.text());
    let json = info(&["--format", "godot4", "-"], &file);
    assert!(json["object"].to_string().contains("full_objects"), "{json}");
    // A file with another value has no such note.
    let json = info(&["--format", "godot4", "-"], &[8, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0]);
    assert!(json.get("object").is_none(), "{json}");
}

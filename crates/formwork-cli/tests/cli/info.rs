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
    run_with(&["decode", "-"], cut).with_status(1);
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

/// Returns all files below a folder.
fn below(folder: &std::path::Path, files: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("it is a folder") {
        let path = entry.expect("it can be read").path();
        match path.is_dir() {
            true => below(&path, files),
            false => files.push(path.to_str().expect("it is text").to_owned()),
        }
    }
}

#[test]
fn the_library_finds_the_formats_that_the_program_finds() {
    let mut files = Vec::new();
    below(concat!(env!("CARGO_MANIFEST_DIR"), "/../../formats").as_ref(), &mut files);
    files.retain(|file| file.contains("/golden/") || file.contains("/samples/"));
    let arguments = ["info", "--json"].into_iter().chain(files.iter().map(String::as_str));
    let printed = run_with(&arguments.collect::<Vec<_>>(), &[]).stdout;
    let mut found = 0;
    for line in std::str::from_utf8(&printed).expect("it is text").lines() {
        let info: Value = serde_json::from_str(line).expect("it is JSON");
        let (Some(file), Some(format)) = (info["file"].as_str(), info["format"].as_str()) else {
            continue;
        };
        let expected = match format {
            "gdpc" => Some("pack"),
            "rsrc" | "rscc" => Some("resource"),
            "gdsc" => Some("script"),
            // What is in an encrypted file is not known without its password.
            "gdec" => Some("save"),
            "alb1" | "config" | "json" | "value-text" | "text-resource" => Some(format),
            _ if info.get("framing").is_some() => Some("save"),
            _ => None,
        };
        let bytes = std::fs::read(file).expect("it can be read");
        let guess = formwork_file::Formats::OURS.guess(&bytes, &formwork_file::Options::new());
        let guess = guess.ok().map(|it| it.format.name());
        assert_eq!(guess, expected, "{file}: {format}");
        found += u32::from(guess.is_some());
    }
    assert!(found > 150, "{found}");
}

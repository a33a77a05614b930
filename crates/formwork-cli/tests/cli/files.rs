//! The engines' files in every command.

use std::path::PathBuf;

use serde_json::Value;
use snapbox::str;

use crate::cases::{ENGINES, Engine};
use crate::run::{run, run_with};

/// A golden file that is neither compressed nor encrypted.
pub struct Plain {
    pub engine: &'static Engine,
    pub path: PathBuf,
    pub framing: &'static str,
    pub values: usize,
}

impl Plain {
    pub fn path(&self) -> &str {
        self.path.to_str().expect("golden files have plain names")
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).expect("golden files can be read")
    }

    /// Returns the options that describe the file.
    pub fn options(&self) -> [&str; 4] {
        ["--format", self.engine.dialect, "--framing", self.framing]
    }
}

pub fn manifest(engine: &Engine) -> Vec<Value> {
    let text = std::fs::read_to_string(engine.file("files/manifest.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&text).expect("manifests are JSON");
    manifest["files"].as_array().expect("manifests list files").clone()
}

pub fn plain_files() -> Vec<Plain> {
    let files = ENGINES.iter().flat_map(|engine| {
        manifest(engine).into_iter().filter_map(move |file| {
            let detail = file["detail"].as_str().unwrap_or_default();
            let framing = match file["container"].as_str().expect("files have containers") {
                "store_var" => "frames",
                "StreamPeerBuffer.put_var" if detail == "big_endian" => "frames-be",
                "StreamPeerBuffer.put_var" => "frames",
                "var2bytes" | "var_to_bytes" => "bare",
                swapped if swapped.contains("endian") => "frames-be",
                _ => return None,
            };
            let name = file["file"].as_str().expect("files have names");
            let values = file["values"].as_array().expect("files have values").len();
            Some(Plain { engine, path: engine.file("files").join(name), framing, values })
        })
    });
    let files: Vec<_> = files.collect();
    assert_eq!(files.len(), 44);
    files
}

/// Decodes and encodes a file with the same options.
fn round_trip(file: &Plain, form: &str, all: bool) -> Result<Vec<u8>, String> {
    let mut arguments = vec!["decode", file.path(), "--as", form];
    arguments.extend(file.options());
    arguments.extend(all.then_some("--all"));
    let decoded = run(&arguments);
    if decoded.status != 0 {
        return Err(decoded.stderr);
    }
    let mut arguments = vec!["encode", "-", "--as", form, "-o", "-"];
    arguments.extend(file.options());
    arguments.extend((all || file.values > 1).then_some("--all"));
    let encoded = run_with(&arguments, &decoded.stdout);
    if encoded.status == 0 { Ok(encoded.stdout) } else { Err(encoded.stderr) }
}

#[test]
fn json_gives_every_file_back_byte_for_byte() {
    for file in plain_files() {
        for all in [false, true] {
            let again = round_trip(&file, "json", all);
            assert!(again == Ok(file.bytes()), "{}: {:?}", file.path(), again.err());
        }
    }
}

#[test]
fn native_json_gives_files_back_but_for_what_godot_2_alone_has() {
    for file in plain_files() {
        match round_trip(&file, "native", true) {
            Ok(again) => assert!(again == file.bytes(), "{} comes back changed", file.path()),
            Err(error) => {
                assert_eq!(file.engine.dialect, "godot2", "{error}");
                // These types exist only in Godot 2, or an engine cannot tell them from their text.
                let event = "found InputEvent (godot4.7 has no such type)";
                let image = "found Image (godot4.7 has no such type)";
                let path = "expected a path that its text gives back";
                assert!([event, image, path].iter().any(|it| error.contains(it)), "{error}");
            }
        }
    }
}

#[test]
fn text_that_is_read_prints_the_same_again() {
    for file in plain_files() {
        let again = round_trip(&file, "text", true);
        let again = again.unwrap_or_else(|error| panic!("{}: {error}", file.path()));
        let print = |arguments: &[&str], input: &[u8]| {
            let mut arguments = arguments.to_vec();
            arguments.extend(file.options());
            run_with(&arguments, input).with_status(0).stdout
        };
        let before = print(&["decode", "--all", "--as", "text", file.path()], &[]);
        let after = print(&["decode", "--all", "--as", "text", "-"], &again);
        assert_eq!(before.escape_ascii().to_string(), after.escape_ascii().to_string());
    }
}

#[test]
fn every_file_is_verified() {
    for file in plain_files() {
        let mut arguments = vec!["verify", file.path()];
        arguments.extend(file.options());
        let ended = run(&arguments).with_status(0);
        let values =
            if file.values == 1 { "1 value".into() } else { format!("{} values", file.values) };
        let (path, dialect, framing) = (file.path(), file.engine.dialect, file.framing);
        let expected =
            format!("ok  {path}: {dialect}, {framing}, {values}: as the engine writes it\n");
        assert_eq!(ended.text(), expected);
    }
}

#[test]
fn a_dump_covers_every_byte() {
    for file in plain_files().iter().filter(|file| file.bytes().len() < 10_000) {
        let mut arguments = vec!["dump", file.path(), "--json"];
        arguments.extend(file.options());
        let dump = run(&arguments).with_status(0);
        let mut next = 0;
        for line in dump.text().lines() {
            let row: serde_json::Value = serde_json::from_str(line).expect("a line is JSON");
            let Some(bytes) = row["bytes"].as_str().filter(|bytes| !bytes.is_empty()) else {
                continue;
            };
            assert_eq!(row["offset"], next, "{}: {line}", file.path());
            let there = &file.bytes()[next..next + bytes.len() / 2];
            let there: String = there.iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(bytes, there, "{}: {line}", file.path());
            next += bytes.len() / 2;
        }
        assert_eq!(next, file.bytes().len(), "{}", file.path());
    }
}

#[test]
fn one_of_several_values_can_be_picked() {
    let file = plain_files().into_iter().find(|file| file.path.ends_with("3.6.2/files/multi.save"));
    let file = file.expect("a file of several values");
    let decode = |options: &[&str]| {
        let mut arguments = vec!["decode", file.path(), "--compact"];
        arguments.extend(file.options());
        arguments.extend(options);
        run(&arguments)
    };
    assert_eq!(decode(&["--index", "2"]).with_status(0).text(), "42\n");
    decode(&["--index", "12"]).with_status(1).says(str!["error: [..]godot3/golden/3.6.2/files/multi.save: there is no value number 12; the file has 12, numbers 0 to 11"]);
    decode(&["--index", "2", "--all"]).with_status(2);
    // Without either option, the output is the list, and a note names the way back.
    let list = decode(&[]).with_status(0);
    assert_eq!(list.text(), decode(&["--all"]).with_status(0).text());
    list.says(str!["note: [..]godot3/golden/3.6.2/files/multi.save: 12 values, printed as one list; to turn it back: formwork encode --all --format godot3.6 --framing frames"]);
    assert!(decode(&["--all"]).stderr.is_empty());
}

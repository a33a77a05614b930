//! Compressed and encrypted files: inspection, decoding, encoding, and refusals.

use std::path::{Path, PathBuf};

use formwork_godot::wrapper::{Compression, Key, compress};
use serde_json::Value;

use crate::cases::{ENGINES, Engine, formats};
use crate::files::manifest;
use crate::run::{Ended, run, run_with};

const PASSWORD: &str = "correct horse";
const WITH_PASSWORD: [&str; 2] = ["--password", PASSWORD];

/// A golden file in a container.
struct Closed {
    engine: &'static Engine,
    path: PathBuf,
    layer: &'static str,
    values: usize,
}

impl Closed {
    fn path(&self) -> &str {
        self.path.to_str().expect("golden files have plain names")
    }

    fn is_encrypted(&self) -> bool {
        self.layer.starts_with("encrypted")
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(&self.path).expect("golden files can be read")
    }

    /// Returns the golden file with the same values and without a container.
    fn plain(&self) -> PathBuf {
        let name = self.path.file_name().and_then(|name| name.to_str()).expect("a plain name");
        let (start, _) = name.split_once('.').expect("a name of three parts");
        self.path.with_file_name(format!("{start}.save"))
    }

    fn content(&self) -> Vec<u8> {
        std::fs::read(self.plain()).expect("golden files can be read")
    }

    fn run(&self, first: &[&str], more: &[&str], input: &[u8]) -> Ended {
        let mut arguments = first.to_vec();
        arguments.push(self.path());
        arguments.extend(more);
        if self.is_encrypted() {
            arguments.extend(WITH_PASSWORD);
        }
        run_with(&arguments, input)
    }
}

fn closed_files() -> Vec<Closed> {
    let files = ENGINES.iter().flat_map(|engine| {
        manifest(engine).into_iter().filter_map(move |file| {
            let text = |field: &str| file[field].as_str().unwrap_or_default();
            let layer = match (text("container"), text("detail")) {
                ("store_var in compressed file", "fastlz") => "fastlz",
                ("store_var in compressed file", "deflate") => "deflate",
                ("store_var in compressed file", "zstd") => "zstd",
                ("store_var in compressed file", "gzip") => "gzip",
                ("store_var in encrypted file", detail) => {
                    assert_eq!(detail, format!("password: {PASSWORD}"));
                    if engine.dialect.starts_with("godot4") {
                        "encrypted-cfb"
                    } else {
                        "encrypted-ecb"
                    }
                }
                (other, detail) => {
                    assert!(!other.contains("compressed file"), "{detail}");
                    return None;
                }
            };
            let values = file["values"].as_array().expect("files have values").len();
            let path = engine.file("files").join(text("file"));
            Some(Closed { engine, path, layer, values })
        })
    });
    let files: Vec<_> = files.collect();
    assert_eq!(files.len(), 4 * 12 + 5 * 3);
    files
}

/// Returns the golden file whose path ends so.
fn closed(end: &str) -> Closed {
    let file = closed_files().into_iter().find(|file| file.path.ends_with(end));
    file.unwrap_or_else(|| panic!("no file {end}"))
}

fn report(ended: &Ended) -> Value {
    serde_json::from_slice(&ended.stdout).expect("it is JSON")
}

/// Returns a dialect's name without its version.
fn family(dialect: &str) -> &str {
    dialect.split_once('.').map_or(dialect, |(family, _)| family)
}

fn written(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("it can be written");
    path.to_str().expect("a name in UTF-8").to_owned()
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Puts raw bytes into containers.
fn pack(content: &[u8], layers: &str) -> Vec<u8> {
    let mut arguments = vec!["encode", "-", "--as", "raw", "--wrapper", layers, "-o", "-"];
    if layers.contains("encrypted") {
        arguments.extend(WITH_PASSWORD);
    }
    run_with(&arguments, content).with_status(0).stdout
}

#[test]
fn info_looks_into_every_file() {
    for file in closed_files() {
        let size = file.bytes().len() as u64;
        let said = report(&file.run(&["info", "--json"], &[], &[]).with_status(0));
        let container = &said["wrappers"][0];
        assert_eq!(container["name"], file.layer, "{}", file.path());
        let (kind, how) = match file.is_encrypted() {
            true => ("gdec", &container["cipher"]),
            false => ("gcpf", &container["mode"]),
        };
        assert_eq!(container["kind"], kind);
        assert!(how.is_string() == file.is_encrypted() && !how.is_null(), "{container}");
        assert_eq!((&container["size"], &said["size"]), (&size.into(), &size.into()));
        assert_eq!(container["unpacked_size"], file.content().len() as u64, "{}", file.path());
        let engine = match file.engine.dialect.starts_with("pandemonium") {
            true => "pandemonium",
            false => family(file.engine.dialect),
        };
        let engines = container["engines"].as_array().expect("engines");
        assert!(engines.contains(&engine.into()), "{engine} {engines:?}");
        assert_eq!(said["wrappers"].as_array().map(Vec::len), Some(1));
        assert_eq!(said["framing"], "frames", "{}", file.path());
        assert_eq!(said["value_count"], file.values as u64, "{}", file.path());
        assert_eq!((&said["form"], &said["sure"]), (&"canonical".into(), &"certain".into()));
        let format = said["format"].as_str().expect("it has a format");
        assert_eq!(family(format), family(file.engine.dialect), "{}", file.path());
    }
}

#[test]
fn without_the_password_info_says_what_it_sees() {
    for file in closed_files().iter().filter(|file| file.is_encrypted()) {
        let said = report(&run(&["info", "--json", file.path()]).with_status(0));
        assert_eq!(said["format"], "gdec");
        assert_eq!(said["wrappers"][0]["name"], file.layer);
        assert_eq!(said["wrappers"][0]["unpacked_size"], file.content().len() as u64);
        assert_eq!(said["locked"], true);
        run(&["info", file.path(), "--password", "wrong"]).with_status(1);
    }
}

#[test]
fn every_file_decodes_as_the_one_that_is_in_no_container() {
    for file in closed_files() {
        let plain = file.plain();
        let plain = plain.to_str().expect("a plain name");
        let expected = run(&["decode", plain]).with_status(0).stdout;
        let decoded = file.run(&["decode"], &[], &[]).with_status(0);
        assert!(decoded.stdout == expected, "{plain}");
        // The note shows how to put several values back into the container.
        let note = format!("--framing frames --wrapper {}\n", file.layer);
        assert_eq!(decoded.stderr.ends_with(&note), file.values > 1, "{}", decoded.stderr);
        let raw = file.run(&["decode", "--as", "raw"], &[], &[]).with_status(0);
        assert!(raw.stdout == file.content(), "{plain}");
    }
}

#[test]
fn like_puts_the_values_back_into_the_same_container() {
    let folder = folder();
    for file in closed_files() {
        let json = file.run(&["decode"], &[], &[]).with_status(0).stdout;
        let again = file.run(&["encode", "-", "--like"], &["-o", "-"], &json).with_status(0).stdout;
        match file.layer {
            // The bytes do not depend on chance or on a library.
            "encrypted-ecb" => assert!(again == file.bytes(), "{}", file.path()),
            // The initialization vector is random.
            "encrypted-cfb" => assert!(again != file.bytes(), "{}", file.path()),
            // The compressed size depends on the library.
            _ => {}
        }
        let again = written(folder.path(), "again", &again);
        let again = Closed { path: again.into(), ..file };
        let said = report(&again.run(&["info", "--json"], &[], &[]).with_status(0));
        assert_eq!(said["wrappers"][0]["name"], file.layer);
        let raw = again.run(&["decode", "--as", "raw"], &[], &[]).with_status(0).stdout;
        let content = Closed { path: file.path.clone(), ..again }.content();
        assert!(raw == content, "{}", file.path.display());
    }
}

#[test]
fn verify_finds_nothing() {
    for file in closed_files() {
        file.run(&["verify"], &[], &[]).with_status(0);
    }
}

#[test]
fn a_dump_shows_the_containers_own_words_and_then_what_is_inside() {
    for file in closed_files().iter().filter(|file| file.path().contains("small")) {
        let dump = file.run(&["dump"], &[], &[]).with_status(0);
        let (around, inside) = dump
            .text()
            .split_once(&format!("inside ({}): {} bytes", file.layer, file.content().len()))
            .expect("a line between them");
        assert!(!around.contains("trailing") && !around.contains("fault"), "{around}");
        let plain = file.plain();
        let plain = run(&["dump", plain.to_str().expect("a plain name")]).with_status(0);
        let (_, plain) = plain.text().split_once('\n').expect("lines");
        let (_, inside) = inside.split_once('\n').expect("lines");
        assert!(inside == plain, "{}", file.path());
    }
}

#[test]
fn a_wrong_password_is_the_answer_no_and_a_missing_one_is_wrong_use() {
    for file in closed_files().iter().filter(|file| file.path().contains("small.encrypted")) {
        let path = file.path();
        for first in [&["decode"][..], &["decode", "--as", "raw"], &["dump"], &["verify"]] {
            let arguments = |more: &[&'static str]| [first, &[path], more].concat();
            run(&arguments(&["--password", "battery staple"])).with_status(1);
            run(&arguments(&[])).with_status(2);
        }
        let like = ["encode", "-", "--like", path, "-o", "-"];
        run_with(&like, b"1").with_status(2);
        run_with(&[&like[..], &["--password", "battery staple"]].concat(), b"1").with_status(1);
    }
}

#[test]
fn a_key_and_a_file_serve_as_well() {
    let folder = folder();
    let file = closed("4.6.3/files/small.encrypted.save");
    let expected = file.run(&["decode"], &[], &[]).with_status(0).stdout;
    let decode = |more: &[&str], input: &[u8]| {
        run_with(&[&["decode", file.path()], more].concat(), input).with_status(0).stdout
    };
    let key = Key::from_password(PASSWORD);
    let characters = std::str::from_utf8(key.as_bytes()).expect("the sum is in ASCII");
    let digits: String = key.as_bytes().iter().map(|byte| format!("{byte:02X}")).collect();
    assert!(decode(&["--key", characters], &[]) == expected);
    assert!(decode(&["--key", &digits], &[]) == expected);
    for line in [PASSWORD.to_owned(), format!("{PASSWORD}\n"), format!("{PASSWORD}\r\nmore\n")] {
        let path = written(folder.path(), "password", line.as_bytes());
        assert!(decode(&["--password-file", &path], &[]) == expected, "{line:?}");
        assert!(decode(&["--password-file", "-"], line.as_bytes()) == expected, "{line:?}");
    }
}

/// The content of an encrypted ConfigFile of a game.
const SETTINGS: &str = "[audio]\n\nvolume=0.75\nname=\"H\u{e9}ro\"\n";

#[test]
fn an_encrypted_text_comes_out_and_goes_in_as_it_is() {
    let folder = folder();
    for (format, layer) in [("godot3", "encrypted-ecb"), ("godot4", "encrypted-cfb")] {
        let out = folder.path().join(format!("{format}.cfg"));
        let out = out.to_str().expect("a name in UTF-8");
        let mut arguments = vec!["encode", "-", "--as", "raw", "--wrapper", "encrypted"];
        arguments.extend(["--format", format, "-o", out]);
        arguments.extend(WITH_PASSWORD);
        run_with(&arguments, SETTINGS.as_bytes()).with_status(0);

        let text = run(&["decode", out, WITH_PASSWORD[0], WITH_PASSWORD[1]]).with_status(0);
        assert_eq!(text.text(), SETTINGS);
        let json = [&["decode", out, "--as", "json"][..], &WITH_PASSWORD].concat();
        // `--as json` gives the values of the ConfigFile.
        let values: Value = serde_json::from_slice(&run(&json).with_status(0).stdout).unwrap();
        assert_eq!(values["audio"]["volume"], 0.75, "{values}");
        let raw = [&["decode", out, "--as", "raw"][..], &WITH_PASSWORD].concat();
        assert_eq!(run(&raw).with_status(0).text(), SETTINGS);
        let info = report(&run(&[&["info", "--json", out][..], &WITH_PASSWORD].concat()));
        assert_eq!(
            (&info["format"], &info["wrappers"][0]["name"]),
            (&"config".into(), &layer.into())
        );

        // `--like` takes the layers and the cipher from the file.
        let other = written(folder.path(), "other.cfg", b"");
        let like = ["encode", "-", "--as", "raw", "--like", out, "-o", &other];
        run_with(&[&like[..], &WITH_PASSWORD].concat(), b"[video]\n").with_status(0);
        let raw = [&["decode", &other, "--as", "raw"][..], &WITH_PASSWORD].concat();
        assert_eq!(run(&raw).with_status(0).text(), "[video]\n");
    }
    for wrong in [&["--framing", "bare"][..], &["--all"], &["--format", "alb1"], &[]] {
        run_with(&[&["encode", "-", "--as", "raw", "-o", "-"], wrong].concat(), b"x")
            .with_status(2);
    }
    for wrong in [&["--index", "0"][..], &["--all"]] {
        run_with(&[&["decode", "-", "--as", "raw"], wrong].concat(), b"x").with_status(2);
    }
}

#[test]
fn containers_are_put_around_each_other() {
    let content = closed("3.6.2/files/small.zstd.save").content();
    let layers = "zstd+encrypted-ecb+fastlz+gzip";
    let packed = pack(&content, layers);
    let all = [&["info", "--json", "-"][..], &WITH_PASSWORD].concat();
    let info = report(&run_with(&all, &packed).with_status(0));
    let names: Vec<_> = info["wrappers"]
        .as_array()
        .expect("containers")
        .iter()
        .map(|it| it["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names.join("+"), layers);
    assert_eq!(info["value_count"], 1);
    let raw = [&["decode", "-", "--as", "raw"][..], &WITH_PASSWORD].concat();
    assert!(run_with(&raw, &packed).with_status(0).stdout == content);
    // Only the outer container opens without a password.
    let info = report(&run_with(&["info", "--json", "-"], &packed).with_status(0));
    assert_eq!(info["wrappers"].as_array().map(Vec::len), Some(2));
    assert_eq!(info["format"], "gdec");
}

#[test]
fn values_in_a_container_stand_in_frames() {
    let encode = |more: &[&str]| {
        let arguments =
            [&["encode", "-", "--format", "godot3", "--wrapper", "gzip", "-o", "-"], more];
        run_with(&arguments.concat(), b"7").with_status(0).stdout
    };
    let raw = |bytes: &[u8]| run_with(&["decode", "-", "--as", "raw"], bytes).with_status(0).stdout;
    assert_eq!(raw(&encode(&[])), [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    assert_eq!(raw(&encode(&["--framing", "bare"])), [2, 0, 0, 0, 7, 0, 0, 0]);
    let none = ["encode", "-", "--format", "godot3", "--wrapper", "none", "-o", "-"];
    assert_eq!(run_with(&none, b"7").with_status(0).stdout, [2, 0, 0, 0, 7, 0, 0, 0]);
}

#[test]
fn a_container_is_taken_over_as_the_other_engine_has_it() {
    let file = closed("3.6.2/files/small.encrypted.save");
    let encoded = file.run(&["encode", "-", "--like"], &["--wrapper", "none", "-o", "-"], b"7");
    assert_eq!(encoded.with_status(0).stdout, [8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0]);
    let more = ["--format", "godot4", "--framing", "frames", "-o", "-"];
    let model = pack(&[8, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0], "encrypted-ecb");
    let folder = folder();
    let model = written(folder.path(), "model", &model);
    let arguments = [&["encode", "-", "--like", &model][..], &more, &WITH_PASSWORD].concat();
    let encoded = run_with(&arguments, b"7").with_status(0).stdout;
    let info = [&["info", "--json", "-"][..], &WITH_PASSWORD].concat();
    let info = report(&run_with(&info, &encoded).with_status(0));
    assert_eq!(info["wrappers"][0]["name"], "encrypted-cfb");
}

#[test]
fn a_new_password_replaces_that_of_the_model() {
    let file = closed("4.6.3/files/small.encrypted.save");
    let json = file.run(&["decode"], &[], &[]).with_status(0).stdout;
    let more = ["--new-password", "battery staple", "-o", "-"];
    let again = file.run(&["encode", "-", "--like"], &more, &json).with_status(0).stdout;
    run_with(&["decode", "-", "--password", "battery staple"], &again).with_status(0);
    run_with(&["decode", "-", "--password", PASSWORD], &again).with_status(1);
    // An unencrypted model gives an encrypted file.
    let plain = file.plain();
    let plain = plain.to_str().expect("a plain name");
    let like = ["encode", "-", "--like", plain, "--wrapper", "encrypted", "-o", "-"];
    let again = run_with(&[&like[..], &more[..2]].concat(), &json).with_status(0).stdout;
    run_with(&["decode", "-", "--password", "battery staple"], &again).with_status(0);
    run_with(&like, &json).with_status(2);
}

#[test]
fn bombs_are_refused() {
    let zeros = vec![0; 20 << 20];
    for compression in [Compression::Deflate, Compression::Gzip, Compression::Zstd] {
        let bomb = compress(&zeros, compression).expect("it can be packed");
        assert!(bomb.len() < zeros.len() / 50);
        for command in ["decode", "verify", "dump", "info"] {
            run_with(&[command, "-", "--max-unpacked", "1000000"], &bomb).with_status(1);
        }
        // Another container around it does not help.
        let inner = compress(&bomb, compression).expect("it can be packed");
        run_with(&["decode", "-", "--max-unpacked", "1000000"], &inner).with_status(1);
        let limit = zeros.len().to_string();
        let raw = ["decode", "-", "--as", "raw", "--max-unpacked", &limit];
        assert!(run_with(&raw, &bomb).with_status(0).stdout == zeros);
    }
}

#[test]
fn what_is_no_engines_business_opens_too() {
    let layer = formats().join("alb1/samples/valley.Layers/houses.tv4l");
    let path = layer.to_str().expect("a plain name");
    let packed = pack(&std::fs::read(&layer).expect("a sample"), "deflate");
    let expected = run(&["decode", path]).with_status(0).stdout;
    assert!(run_with(&["decode", "-"], &packed).with_status(0).stdout == expected);
    let info = report(&run_with(&["info", "--json", "-"], &packed).with_status(0));
    assert_eq!((&info["format"], &info["size"]), (&"alb1".into(), &packed.len().into()));
}

/// Programs that write into such a file use `store_var`, so an empty slot is a null, not an empty text.
#[test]
fn an_empty_slot_in_a_container_is_a_null() {
    for container in ["gzip", "encrypted-ecb", "encrypted-cfb"] {
        let packed = pack(b"\x04\0\0\0\0\0\0\0", container);
        let mut arguments = vec!["decode", "-"];
        if container.starts_with("encrypted") {
            arguments.extend(WITH_PASSWORD);
        }
        let decoded = run_with(&arguments, &packed).with_status(0);
        assert_eq!(decoded.text(), "null\n", "{container}");
    }
}

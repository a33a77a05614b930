//! `convert` on the engines' files.

use std::fs;

use formwork_godot::wrapper;
use formwork_godot::wrapper::{Cipher, Key, Layer};
use formwork_variant::{Dialect, Limits};
use serde_json::Value;
use snapbox::str;

use crate::cases::{ENGINES, Engine};
use crate::run::{compare, run, run_with};

fn engine(dialect: &str) -> &'static Engine {
    ENGINES.iter().find(|engine| engine.dialect == dialect).expect(dialect)
}

fn golden(dialect: &str, file: &str) -> String {
    let path = engine(dialect).file("files").join(file);
    path.to_str().expect("golden files have plain names").to_owned()
}

/// Returns the values of a file as JSON.
fn json(bytes: &[u8], format: &str, framing: &str) -> String {
    let arguments = ["decode", "-", "--all", "--format", format, "--framing", framing];
    run_with(&arguments, bytes).with_status(0).text().to_owned()
}

#[test]
fn a_save_is_converted_there_and_back() {
    for (from, to) in [("godot3.2", "godot4"), ("godot3.6", "pandemonium"), ("godot2", "godot4")] {
        for file in ["small.save", "big.save"] {
            let path = golden(from, file);
            let there = run(&["convert", &path, "-o", "-", "--to", to]).with_status(0);
            assert!(there.stderr.is_empty(), "{}", there.stderr);
            let arguments = ["convert", "-", "-o", "-", "--from", to, "--to", from];
            let back = run_with(&arguments, &there.stdout).with_status(0);
            let bytes = fs::read(&path).expect("golden files can be read");
            assert_eq!(json(&back.stdout, from, "frames"), json(&bytes, from, "frames"));
        }
    }
}

#[test]
fn framing_and_all_values_stay() {
    for (file, framing) in [("multi.swapped.save", "frames-be"), ("stream_be.bin", "frames-be")] {
        let path = golden("godot3.2", file);
        let arguments = ["convert", &path, "-o", "-", "--to", "godot3.6"];
        let there = run(&arguments).with_status(0);
        let bytes = fs::read(&path).expect("golden files can be read");
        assert_eq!(json(&there.stdout, "godot3.6", framing), json(&bytes, "godot3.2", framing));
    }
    let path = golden("godot3.2", "small.var2bytes.bin");
    let there = run(&["convert", &path, "-o", "-", "--to", "godot4"]).with_status(0);
    assert_eq!(there.stdout[0], 27, "a bare dictionary of Godot 4");
}

#[test]
fn losses_stop_it_all_of_them_listed_unless_it_may_be_lossy() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.save");
    let out = out.to_str().expect("a plain name");
    let path = golden("godot4.6", "multi.save");
    let stopped = run(&["convert", &path, "-o", out, "--to", "godot3.2"]).with_status(1);
    let losses = stopped.stderr.lines().filter(|line| line.starts_with("loss: ")).count();
    assert!(losses > 1, "{}", stopped.stderr);
    assert!(fs::metadata(out).is_err(), "nothing was written");

    let lossy = run(&["convert", &path, "-o", out, "--to", "godot3.2", "--lossy"]).with_status(0);
    let (listed, done) = lossy.stderr.trim_end().rsplit_once('\n').expect("lines");
    assert_eq!(listed.lines().count(), losses, "{}", lossy.stderr);
    compare(done, str!["[..]out.save: 3584 bytes, godot3.2 (from godot4)"]);
    let bytes = fs::read(out).expect("the file was written");
    json(&bytes, "godot3.2", "frames");

    let arguments = ["convert", &path, "-o", out, "--to", "godot3.2", "--report", "json"];
    let stopped = run(&arguments).with_status(1);
    let listed: Vec<Value> = stopped
        .stderr
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).expect("lines of JSON"))
        .collect();
    assert_eq!(listed.len(), losses);
    for field in ["kind", "path", "field_path", "type", "found", "nearest", "message"] {
        assert!(listed[0][field].is_string(), "{field}: {}", listed[0]);
    }
    assert!(listed[0]["index"].is_u64());
}

/// People see both ends of a long path, and programs see the whole path.
#[test]
fn the_report_for_programs_has_the_whole_path() {
    const DEPTH: usize = 200;
    let text = format!("{}{{\"$StringName\":\"a\"}}{}", "[".repeat(DEPTH), "]".repeat(DEPTH));
    let packet = run_with(&["encode", "-", "--format", "godot4"], text.as_bytes()).with_status(0);
    let arguments = ["convert", "-", "--from", "godot4", "--to", "godot3", "--report", "json"];
    let arguments = [&arguments[..], &["--framing", "bare", "-o", "-"]].concat();
    let stopped = run_with(&arguments, &packet.stdout).with_status(1);
    let line = stopped.stderr.lines().find(|line| line.starts_with('{')).expect("a loss");
    let loss: Value = serde_json::from_str(line).expect("a line of JSON");
    let path = loss["field_path"].as_str().expect("a path");
    assert_eq!(path.matches("[0]").count(), DEPTH, "{path}");
}

#[test]
fn encrypted_files_are_encrypted_as_the_other_engine_does_it() {
    let encrypted = golden("godot3.2", "small.encrypted.save");
    let manifest = fs::read_to_string(engine("godot3.2").file("files/manifest.json")).expect("one");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let files = manifest["files"].as_array().expect("files");
    let file = files.iter().find(|file| file["file"] == "small.encrypted.save").expect("it");
    let detail = file["detail"].as_str().expect("a password");
    let password = detail.strip_prefix("password: ").expect("a password");
    let arguments = ["convert", &encrypted, "-o", "-", "--to", "godot4", "--password", password];
    let there = run(&arguments).with_status(0);
    let key = Key::from_password(password);
    let opened = wrapper::open(&there.stdout, Some(&key), &Limits::default()).expect("opens");
    assert_eq!(opened.layers, [Layer::Encrypted(Cipher::Cfb)]);
    let plain = run(&["convert", &golden("godot3.2", "small.save"), "-o", "-", "--to", "godot4"]);
    assert_eq!(opened.content, plain.with_status(0).stdout);
    assert_eq!(Cipher::of(Dialect::GODOT4), Cipher::Cfb);

    // A password for a file that is not encrypted must not give a file that anybody can read.
    let open = golden("godot3.2", "small.save");
    let arguments = ["convert", &open, "-o", "-", "--to", "godot4", "--password", password];
    run(&arguments).with_status(2).says(str![[r#"
error: the output is not encrypted, so the password or key has no use
  hint: use --wrapper encrypted, or --wrapper none if that is what you want
"#]]);
}

#[test]
fn a_container_that_the_other_engine_lacks_is_refused_with_a_way_out() {
    let path = golden("godot3.2", "small.zstd.save");
    let there = run(&["convert", &path, "-o", "-", "--to", "godot4"]).with_status(0);
    let opened = wrapper::open(&there.stdout, None, &Limits::default()).expect("opens");
    assert_eq!(opened.layers.len(), 1);
    run(&["convert", &path, "-o", "-", "--to", "godot2"]).with_status(2);
    let arguments = ["convert", &path, "-o", "-", "--to", "godot2", "--wrapper", "none", "--lossy"];
    run(&arguments).with_status(0);
}

#[test]
fn the_table_says_what_becomes_of_which_type() {
    let table = run(&["convert", "--table"]).with_status(0);
    assert_eq!(table.text(), formwork_edit::convert::Table::new(None, None).to_string());
    let pair = ["convert", "--table", "--from", "godot4", "--to", "godot2", "--as", "json"];
    let table: Value = serde_json::from_str(run(&pair).with_status(0).text()).expect("JSON");
    let row = |name: &str| {
        let rows = table["types"].as_array().expect("rows");
        rows.iter().find(|row| row["godot4.7"] == name).expect(name)["godot2"].clone()
    };
    assert_eq!(row("Transform2D"), "Matrix32");
    assert_eq!(row("PackedFloat64Array"), "*RealArray*");
    assert!(table["losses"].as_array().expect("kinds").iter().any(|it| it["kind"] == "int_range"));
}

#[test]
fn what_cannot_be_converted_is_wrong_use() {
    let save = golden("godot3.2", "small.save");
    run(&["convert", &save, "-o", "-"]).with_status(2);
    run(&["convert", "--to", "godot4"]).with_status(2);
    run(&["convert", &save, "-o", "-", "--to", "alb1"]).with_status(2);
    run(&["convert", &save, "-o", "-", "--to", "godot4", "--as", "json"]).with_status(2);
    run_with(&["convert", "-", "-o", "-", "--to", "godot4"], b"ALB1\x01\0\0\0").with_status(2);
    let broken = ["convert", "-", "-o", "-", "--to", "godot4", "--from", "godot3"];
    run_with(&broken, &[18, 0, 0, 0, 1, 0, 0, 0]).with_status(1);
}

#[test]
fn the_native_form_takes_a_save_of_godot_2_and_gives_its_bytes_back() {
    let path = golden("godot2", "small.save");
    let decode = ["decode", &path, "--format", "godot2", "--as", "native"];
    let native = run(&decode).with_status(0);
    let encode = ["encode", "-", "--as", "native", "--like", &path, "-o", "-"];
    let back = run_with(&encode, &native.stdout).with_status(0);
    let bytes = fs::read(&path).expect("golden files can be read");
    assert_eq!(json(&back.stdout, "godot2", "frames"), json(&bytes, "godot2", "frames"));
}

//! Compiled scripts in every command.

use crate::run::{run, run_with};

fn sample(name: &str) -> String {
    format!("{}/../../formats/script/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn info_names_the_engine_and_counts_what_is_in_a_script() {
    for (name, version, releases) in
        [("godot-3.2.3.gdc", "13", "Godot 3.1 to 3.6"), ("godot-4.6.3.gdc", "101", "Godot 4.5 on")]
    {
        let shown = run(&["info", &sample(name)]).with_status(0);
        let text = shown.text();
        assert!(text.contains("gdsc: a compiled script of Godot (.gdc)"), "{text}");
        assert!(text.contains(&format!("{version} {releases}")), "{text}");
        assert!(text.contains("18 values"), "{text}");
    }
}

#[test]
fn decode_prints_names_and_constants_of_a_script() {
    let plain = run(&["decode", &sample("godot-4.6.3.gdc")]).with_status(0);
    let json: serde_json::Value = serde_json::from_slice(&plain.stdout).expect("JSON");
    assert_eq!(json["version"], 101);
    assert_eq!(json["identifiers"][0], "RefCounted");
    assert!(json["constants"].as_array().unwrap().contains(&"Größe 漢 🍺".into()));
    let packed = run(&["decode", &sample("godot-4.6.3-packed.gdc")]).with_status(0);
    assert_eq!(packed.stdout, plain.stdout);
}

#[test]
fn a_byte_of_a_script_is_shown() {
    let at = run(&["dump", &sample("godot-3.2.3.gdc"), "--at", "0x2c"]).with_status(0);
    assert!(at.text().contains("\"NAME\""), "{}", at.text());
}

#[test]
fn scripts_are_verified_and_never_written() {
    let file = sample("godot-3.2.3.gdc");
    let shown = run(&["verify", &file]).with_status(0);
    assert!(shown.text().contains("version 13 (Godot 3.1 to 3.6), 14 identifiers, 18 constants"));
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.truncate(300);
    run_with(&["verify", "-"], &bytes).with_status(1);
    run_with(&["info", "-"], &bytes).with_status(1);
    run_with(&["decode", "-"], &bytes).with_status(1);
    run_with(&["dump", "-"], &bytes).with_status(1);
    for arguments in [
        ["encode", "-", "--like", &file].as_slice(),
        &["convert", &file, "--to", "godot4"],
        &["decode", &file, "--recover"],
    ] {
        run_with(arguments, b"{}").with_status(2);
    }
}

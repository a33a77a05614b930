//! Compiled scripts in every command.

use snapbox::str;

use crate::run::{run, run_with};

fn sample(name: &str) -> String {
    format!("{}/../../formats/script/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn info_names_the_engine_and_counts_what_is_in_a_script() {
    run(&["info", &sample("godot-3.2.3.gdc")]).with_status(0).prints(str![[r#"
[..]script/samples/godot-3.2.3.gdc
  format      gdsc: a compiled script of Godot (.gdc)
  sure        certain: no other format fits
  version     13 Godot 3.1 to 3.6
  size        859 bytes
  names       14 identifiers
  constants   18 values
  types       6 String, 6 int, 3 float, 1 bool, 1 Nil, 1 NodePath
  lines       22 lines
  tokens      121 tokens
  changes     a compiled script can only be read
"#]]);
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
    run(&["dump", &sample("godot-3.2.3.gdc"), "--at", "0x2c"]).with_status(0).prints(str![[r#"
offset   bytes        text field = value
00000000                   script ScriptFile = "GDSC": 13: "Reference", "NAME",…
00000018                    identifiers Identifier[14]
00000028                     [1] Identifier = "NAME"
0000002c f8 f7 fb f3… ....    bytes = "NAME"
"#]]);
}

#[test]
fn scripts_are_verified_and_never_written() {
    let file = sample("godot-3.2.3.gdc");
    run(&["verify", &file]).with_status(0).prints(str!["ok  [..]script/samples/godot-3.2.3.gdc: gdsc, version 13 (Godot 3.1 to 3.6), 14 identifiers, 18 constants: as the engine writes it"]);
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

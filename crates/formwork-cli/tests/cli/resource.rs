//! Resources and scenes in binary files, in every command.

use crate::run::{run, run_with};

fn sample(name: &str) -> String {
    format!("{}/../../formats/resource/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn info_names_the_engine_and_what_is_in_a_resource() {
    for (name, engine, class) in [
        ("godot-3.2.3/room.scn", "Godot 3.2", "PackedScene"),
        ("godot-3.2.3/values-big-endian.res", "Godot 3.2, big endian", "Resource"),
        ("godot-4.6.3/values-packed.res", "Godot 4.6", "Resource"),
    ] {
        let shown = run(&["info", &sample(name)]).with_status(0);
        let text = shown.text();
        for part in [engine, class, "3 resources"] {
            assert!(text.contains(part), "{name}: {text}");
        }
    }
    let shown = run(&["info", "--json", &sample("godot-4.6.3/hero.res")]).with_status(0);
    let json: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!(json["script"], "Hero");
    assert_eq!(json["uses"][0], "res://hero.gd (Script)");
}

#[test]
fn decode_prints_the_properties_of_a_resource() {
    let shown = run(&["decode", &sample("godot-4.6.3/hero.res")]).with_status(0);
    let json: serde_json::Value = serde_json::from_slice(&shown.stdout).expect("JSON");
    assert_eq!(json["engine"], "Godot 4.6");
    assert_eq!(json["external"][0]["path"], "res://hero.gd");
    let object = &json["resources"][0]["resource"]["$Object"];
    assert_eq!(object["class"], "Resource");
    assert_eq!(object["properties"][1], serde_json::json!(["hp", 7]));
    let plain = run(&["decode", &sample("godot-3.2.3/values.res")]).with_status(0);
    let big = run(&["decode", &sample("godot-3.2.3/values-big-endian.res")]).with_status(0);
    let packed = run(&["decode", &sample("godot-3.2.3/values-packed.res")]).with_status(0);
    assert_eq!(plain.stdout, big.stdout);
    assert_eq!(plain.stdout, packed.stdout);
    run(&["decode", &sample("godot-4.6.3/hero.res"), "--as", "text"]).with_status(0);
}

#[test]
fn dump_shows_every_byte_of_a_resource() {
    let shown = run(&["dump", &sample("godot-3.2.3/values-packed.res")]).with_status(0);
    assert!(shown.text().contains("inside (rscc): "), "{}", shown.text());
    let shown = run(&[
        "dump",
        &sample("godot-3.2.3/values-big-endian.res"),
        "--at",
        "0x8d8",
        "--width",
        "0",
    ]);
    assert!(shown.with_status(0).text().contains("\"ints\": (1, -2, 2147483647)"));
    let mut cut = std::fs::read(sample("godot-4.6.3/hero.res")).unwrap();
    cut.truncate(200);
    run_with(&["dump", "-"], &cut).with_status(1);
    run_with(&["dump", "-"], &cut[..10]).with_status(1);
    // The resource comes after a header of the game.
    let mut behind = vec![7; 16];
    behind.extend(std::fs::read(sample("godot-3.2.3/values-big-endian.res")).unwrap());
    let shown = run_with(&["dump", "-", "--skip", "16"], &behind).with_status(0);
    assert!(shown.text().contains("(1, -2, 2147483647)"), "{}", shown.text());
}

#[test]
fn resources_are_verified_and_never_written() {
    let file = sample("godot-4.6.3/room.scn");
    let shown = run(&["verify", &file]).with_status(0);
    assert!(shown.text().contains("rsrc, Godot 4.6, PackedScene, 3 resources"), "{}", shown.text());
    let mut bytes = std::fs::read(&file).unwrap();
    let end = bytes.len() - 1;
    bytes[end] ^= 1;
    run_with(&["verify", "-"], &bytes).with_status(1);
    run_with(&["info", "-"], &bytes).with_status(1);
    run_with(&["decode", "-"], &bytes).with_status(1);
    let mut packed = std::fs::read(sample("godot-4.6.3/values-packed.res")).unwrap();
    packed[100] ^= 1;
    for command in ["verify", "info", "decode", "dump"] {
        run_with(&[command, "-"], &packed).with_status(1);
    }
    for arguments in [
        ["encode", "-", "--like", &file].as_slice(),
        &["convert", &file, "--to", "godot3"],
        &["decode", &file, "--recover"],
        &["decode", &file, "--framing", "bare"],
    ] {
        run_with(arguments, b"{}").with_status(2);
    }
}

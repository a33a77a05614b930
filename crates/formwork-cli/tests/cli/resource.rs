//! Resources and scenes in binary files, in every command.

use snapbox::str;

use crate::run::{Ended, run, run_with};

fn sample(name: &str) -> String {
    format!("{}/../../formats/resource/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns an empty folder.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the rows of a dump below its heading.
fn without_offsets(dump: &Ended) -> Vec<&str> {
    dump.text().lines().skip(1).map(|row| &row[8..]).collect()
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
    let packed = sample("godot-3.2.3/values-packed.res");
    run(&["dump", &packed, "--depth", "0"]).with_status(0).prints(str![[r#"
offset   bytes        text field = value
00000000 52 53 43 43… RSCC compressed CompressedFile = "RSCC", 2 zstd, 4096, 27…
inside (rscc): 2711 bytes, where offsets start again
00000000 00 00 00 00… .... resource ResourceContent = 0, 0, 3, 2, 3, "Resource"…
"#]]);
    let big_endian = sample("godot-3.2.3/values-big-endian.res");
    let shown = run(&["dump", &big_endian, "--at", "0x8d8", "--width", "0"]).with_status(0);
    let shown = shown.prints(str![[r#"
offset   bytes                                            text             field = value
00000000                                                                   resource ResourceFile = "RSRC": 1, 0, 3, 2, 3, "Resource", 0, 0, [0, 0, 0, 0, 0, 0, 0, 0, .. 3 more]: "root", "player", "hand", "position", "x", "..", "door", "resource_local_to_scene", "resource_name", "offsets", "colors", "script", "flags", "gradient", "width", "__meta__": "Resource", "res://other.res": "local://1", 402, "local://2", 419..
00000192                                                                     resources InternalResource[3]
000001d7                                                                       [2] InternalResource = "Resource": 2 properties
000001e8                                                                         properties ResourceProperty[2]
000001ff                                                                           [1] ResourceProperty = "__meta__": 36 pairs
00000203                                                                             value Dictionary = 36 pairs
000008b4                                                                               [27] ResourcePair = "value_6470f4": 1 pair
000008c9                                                                                 value Dictionary = 1 pair
000008d1                                                                                   [0] ResourcePair = "ints": (1, -2, 2147483647)
000008d1                                                                                     key String = "ints"
000008d5 00 00 00 05                                      ....                                 length u32 = 5
"#]]);
    let mut cut = std::fs::read(sample("godot-4.6.3/hero.res")).unwrap();
    cut.truncate(200);
    run_with(&["dump", "-"], &cut).with_status(1);
    run_with(&["dump", "-"], &cut[..10]).with_status(1);
    // The resource comes after a header of the game.
    let mut behind = vec![7; 16];
    behind.extend(std::fs::read(big_endian).unwrap());
    let at = ["dump", "-", "--skip", "16", "--at", "0x8e8", "--width", "0"];
    let behind = run_with(&at, &behind).with_status(0);
    assert_eq!(without_offsets(&behind), without_offsets(&shown));
}

#[test]
fn resources_are_verified() {
    let file = sample("godot-4.6.3/room.scn");
    run(&["verify", &file]).with_status(0).prints(str!["ok  [..]resource/samples/godot-4.6.3/room.scn: rsrc, Godot 4.6, PackedScene, 3 resources: can be read, and every reference leads to a resource"]);
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
    let new = folder("resource").join("new").to_str().unwrap().to_owned();
    run_with(&["encode", "-", "--like", &file, "-o", &new], b"{}").with_status(1);
    assert!(!std::path::Path::new(&new).exists());
    for arguments in [
        &["convert", &file, "--to", "godot3"][..],
        &["decode", &file, "--recover"],
        &["decode", &file, "--framing", "bare"],
    ] {
        run_with(arguments, b"{}").with_status(2);
    }
}

/// In a file in any order of bytes, compressed or not, and in place.
#[test]
fn a_number_is_set_in_its_bytes() {
    let folder = folder("resource-set");
    for name in ["values.res", "values-big-endian.res", "values-packed.res", "hero.res"] {
        let file = folder.join(name).to_str().unwrap().to_owned();
        std::fs::copy(sample(&format!("godot-4.6.3/{name}")), &file).unwrap();
        let decoded = run(&["decode", &file]).with_status(0).text().to_owned();
        let path = match name {
            "hero.res" => "resources/0/resource/hp".to_owned(),
            _ => number_in(&decoded),
        };
        run(&["set", &file, &path, "1"]).with_status(0);
        let new = run(&["get", &file, &path]).with_status(0).text().to_owned();
        assert!(["1\n", "1.0\n"].contains(&&*new), "{name}: {path} {new}");
        run(&["verify", &file]).with_status(0);
        run(&["set", &file, &path, "2"]).with_status(0);
        let again = run(&["decode", &file]).with_status(0).text().to_owned();
        assert_eq!(again.lines().count(), decoded.lines().count());
        let others = again.lines().zip(decoded.lines()).filter(|(new, old)| new != old).count();
        assert_eq!(others, 1, "{name}");
    }
}

/// Returns the path of an int in the metadata of a sample.
fn number_in(decoded: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(decoded).unwrap();
    let resources = json["resources"].as_array().unwrap();
    for (at, resource) in resources.iter().enumerate() {
        let properties = resource["resource"]["$Object"]["properties"].as_array().unwrap();
        for property in properties {
            let name = property[0].as_str().unwrap();
            if property[1].is_i64() {
                return format!("resources/{at}/resource/{name}");
            }
            for (key, value) in property[1].as_object().into_iter().flatten() {
                if value.is_i64() {
                    return format!("resources/{at}/resource/{name}/{key}");
                }
            }
        }
    }
    panic!("no int in {decoded}");
}

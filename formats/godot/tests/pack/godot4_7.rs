//! Tests packs of version 4, written by Godot 4.7-dev, against their manifest (`formats/pack/samples/4.7-dev`).

use std::fs;
use std::path::PathBuf;

use formwork_godot::detect::detect;
use formwork_godot::pack::{Pack, PackedFile, newer};
use formwork_godot::wrapper::{Key, decrypt};
use formwork_testkit::from_hex;
use formwork_variant::Limits;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{opened_with, packs_in};

fn folder() -> PathBuf {
    formwork_testkit::formats().join("pack/samples/4.7-dev")
}

/// Returns the manifest entry of each pack, its key (zeros if it has none) and its bytes.
fn packs() -> Vec<(Value, [u8; 32], Vec<u8>)> {
    let manifest = fs::read(folder().join("manifest.json")).expect("the manifest is there");
    let manifest: Value = serde_json::from_slice(&manifest).expect("the manifest is JSON");
    let packs = manifest["packs"].as_array().expect("a list").clone();
    assert_eq!(packs.len(), packs_in(&folder()).len());
    let pack = |said: Value| {
        let path = folder().join(said["file"].as_str().expect("a name"));
        let key = said["key"].as_str().map_or_else(|| vec![0; 32], from_hex);
        (said, key.try_into().expect("32 bytes"), fs::read(path).expect("the pack is there"))
    };
    packs.into_iter().map(pack).collect()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn content(pack: &Pack<'_>, file: &PackedFile, key: [u8; 32]) -> Vec<u8> {
    let wrapped = pack.wrapped_content(file).expect("it has a content");
    if !file.is_encrypted() {
        return wrapped;
    }
    decrypt(&wrapped, &Key::new(key), &Limits::default()).expect("it is the key").1
}

#[test]
fn every_pack_holds_what_the_manifest_says() {
    for (said, key, bytes) in packs() {
        let name = &said["file"];
        assert_eq!(sha256(&bytes), said["sha256"], "{name}");
        let pack = opened_with(&bytes, key);
        assert_eq!(pack.version(), 4, "{name}");
        assert_eq!(pack.engine().to_string(), "4.7.0", "{name}");
        assert_eq!(pack.is_directory_encrypted(), said["key"].is_string(), "{name}");
        assert_eq!(pack.directory().start as u64, said["header"]["dir_offset"], "{name}");
        assert_eq!(pack.check(), [], "{name}");
        let files = said["files"].as_array().expect("a list");
        assert_eq!(pack.files().len(), files.len(), "{name}");
        for (file, said) in pack.files().iter().zip(files) {
            assert_eq!(file.name(), *said["path"].as_str().expect("a path"));
            assert_eq!(file.size(), said["size"]);
            let flags = u64::from(file.is_encrypted())
                | u64::from(file.is_removal()) << 1
                | u64::from(file.is_delta()) << 2;
            assert_eq!(flags, said["flags"], "{}", file.name());
            if !file.is_removal() {
                let content = content(&pack, file, key);
                assert_eq!(sha256(&content), said["sha256"], "{}", file.name());
            }
        }
    }
}

#[test]
fn a_file_gets_another_content_and_its_own_again() {
    for (said, key, bytes) in packs() {
        let pack = opened_with(&bytes, key);
        let is_plain = |it: &&PackedFile| !(it.is_removal() || it.is_encrypted() || it.is_delta());
        if pack.is_directory_encrypted() {
            continue;
        }
        for file in pack.files().iter().filter(is_plain) {
            let old = pack.content(file).expect("it has a content");
            let changed = pack.with_file(file, &[7; 100]).expect("it can be written");
            let changed = opened_with(&changed, key);
            assert_eq!(changed.check(), [], "{}", said["file"]);
            let new = changed.find(&file.name()).expect("it is still there");
            assert_eq!(changed.with_file(new, old).expect("it can be written"), bytes);
        }
    }
}

#[test]
fn a_delta_is_named() {
    let (_, key, bytes) =
        packs().into_iter().find(|it| it.0["file"] == "patch.pck").expect("it is there");
    let pack = opened_with(&bytes, key);
    let script = pack.find("state.gdc").expect("it is there");
    assert!(script.is_delta());
    let content = pack.content(script).expect("it has a content");
    assert_eq!(detect(content).other.map(|other| other.name()), Some("gddl"));
    assert_eq!(pack.with_file(script, b"new").unwrap_err().rule().name(), "pack.content");
}

#[test]
fn a_newer_version_is_refused_and_its_files_are_listed_all_the_same() {
    for (_, _, mut bytes) in packs() {
        assert!(newer(&bytes).is_none());
        bytes[4] = 5;
        assert_eq!(Pack::open(&bytes).unwrap_err().rule().name(), "pack.version");
        let start = newer(&bytes).expect("it is newer");
        assert_eq!((start.version, start.minor), (5, 7));
        let pack = Pack::open_newer(&bytes).expect("nothing else is new in it");
        assert_eq!(pack.version(), 5);
        bytes.truncate(120);
        assert!(newer(&bytes).is_some() && Pack::open_newer(&bytes).is_none());
    }
}

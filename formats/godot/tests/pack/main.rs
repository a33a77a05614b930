//! Tests packs of exported games, as real engines wrote them (`formats/pack/samples`).

mod changed;
mod damage;
mod godot4_7;
mod replaced;

use std::fs;
use std::path::{Path, PathBuf};

use formwork_godot::detect::detect;
use formwork_godot::pack::{EngineRelease, Pack, PackBuilder, PackedFile};
use formwork_godot::wrapper::{Key, decrypt};
use formwork_variant::Limits;

/// The key that `formats/pack/godot4/pack.gd` encrypts with.
pub const KEY: [u8; 32] = *b"\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff\
                             \x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff";

/// Returns all samples, with the release that made them.
pub fn samples() -> Vec<(String, PathBuf, Vec<u8>)> {
    let folder = formwork_testkit::formats().join("pack/samples");
    let mut samples = Vec::new();
    for release in ["3.2.3", "3.6.2", "4.6.3"] {
        for path in packs_in(&folder.join(release)) {
            let bytes = fs::read(&path).expect("a sample can be read");
            samples.push((release.to_owned(), path, bytes));
        }
    }
    samples.sort();
    assert_eq!(samples.len(), 13);
    samples
}

/// Returns the packs in a folder, in the order of their names.
fn packs_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("there are samples");
    let paths = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<_> =
        paths.filter(|path| path.extension().is_none_or(|end| end != "json")).collect();
    paths.sort();
    paths
}

/// Opens a pack, and its directory if that is encrypted.
pub fn opened(bytes: &[u8]) -> Pack<'_> {
    opened_with(bytes, KEY)
}

/// Opens a pack, and its directory with the key if that is encrypted.
fn opened_with(bytes: &[u8], key: [u8; 32]) -> Pack<'_> {
    let mut pack = Pack::open(bytes).expect("the pack is whole");
    if let Some(sealed) = pack.sealed_directory() {
        let (_, content) =
            decrypt(&sealed, &Key::new(key), &Limits::default()).expect("it is the key");
        pack.open_directory(&content).expect("the directory is whole");
    }
    pack
}

/// Builds the packs that no available engine writes, by the documented layout.
pub fn built() -> Vec<Vec<u8>> {
    let releases = [(0, 2, 1, 6), (1, 3, 5, 3), (2, 4, 2, 1), (3, 4, 5, 0), (4, 4, 7, 0)];
    let pack = |(version, major, minor, patch)| {
        let release = EngineRelease { major, minor, patch };
        PackBuilder::new(version, release)
            .file("res://one.txt", b"one")
            .file("res://empty", b"")
            .file("res://folder/two.txt", vec![2; 100])
            .file("res://three", vec![3; 16])
            .build()
            .expect("it can be written")
    };
    releases.into_iter().map(pack).collect()
}

fn names(pack: &Pack<'_>) -> Vec<String> {
    let name = |file: &PackedFile| file.name().trim_start_matches("res://").to_owned();
    let mut names: Vec<_> = pack.files().iter().map(name).collect();
    names.sort();
    names
}

#[test]
fn every_engines_pack_opens_and_nothing_is_wrong_with_it() {
    for (release, path, bytes) in samples() {
        let pack = opened(&bytes);
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
        assert_eq!(pack.engine().to_string(), release, "{name}");
        assert_eq!(pack.version(), if release.starts_with('3') { 1 } else { 3 }, "{name}");
        assert_eq!(pack.is_embedded(), name.starts_with("embedded"), "{name}");
        assert_eq!(pack.check(), [], "{release} {name}");
        assert_eq!(pack.count() as usize, pack.files().len());
        let is_made_by_packer = name.starts_with("packer") || name.starts_with("encrypted");
        let expected: &[&str] = match (is_made_by_packer, release.as_str()) {
            (true, "4.6.3") => &["gone.txt", "note.txt", "start.save"],
            (true, _) => &["note.txt", "start.save"],
            (false, "4.6.3") => &[
                ".godot/exported/133200997/export-3070c538c03ee49b7677ff960a3f5195-main.scn",
                ".godot/global_script_class_cache.cfg",
                ".godot/imported/icon.png-487276ed1e3a0c39cad0279d744ee560.ctex",
                ".godot/uid_cache.bin",
                "icon.png.import",
                "main.gd.remap",
                "main.gdc",
                "main.tscn.remap",
                "note.txt",
                "project.binary",
                "settings.cfg",
                "start.save",
            ],
            (false, _) => &[
                ".import/icon.png-487276ed1e3a0c39cad0279d744ee560.stex",
                "icon.png.import",
                "main.gd.remap",
                "main.gdc",
                "main.tscn",
                "note.txt",
                "project.binary",
                "settings.cfg",
                "start.save",
            ],
        };
        assert_eq!(names(&pack), expected, "{release} {name}");
        let note = pack.find("res://note.txt").expect("it is there");
        assert_eq!(pack.content(note).expect("it has a content"), b"hello\n");
    }
}

#[test]
fn every_file_of_an_export_is_named_or_holds_values() {
    for (_, path, bytes) in samples() {
        let pack = opened(&bytes);
        for file in pack.files().iter().filter(|it| !it.is_removal() && !it.is_encrypted()) {
            let name = file.name();
            let detection = detect(pack.content(file).expect("it has a content"));
            let expected = match name.rsplit('.').next().expect("there is a last part") {
                "save" => None,
                "ctex" | "stex" => Some("godot-texture"),
                "scn" => Some("rsrc"),
                "import" | "remap" => Some("import"),
                "gdc" => Some("gdsc"),
                "tscn" => Some("tscn"),
                "bin" => Some("uid-cache"),
                "binary" => Some("ecfg"),
                "txt" | "cfg" => Some("text"),
                _ => panic!("{name} is new"),
            };
            let found = detection.other.map(|other| other.name());
            let is_settings = expected == Some("ecfg") && detection.best().is_some();
            assert!(found == expected || is_settings, "{} {name}: {found:?}", path.display());
            assert_eq!(detection.best().is_some(), expected.is_none() || is_settings, "{name}");
        }
    }
}

#[test]
fn godot_3_packer_makes_no_sums() {
    for (release, path, bytes) in samples() {
        let is_packer = path.ends_with("packer.pck") && release.starts_with('3');
        let pack = opened(&bytes);
        for file in pack.files().iter().filter(|file| !file.is_removal()) {
            assert_eq!(file.digest().is_none(), is_packer, "{} {}", path.display(), file.name());
        }
    }
}

#[test]
fn what_is_encrypted_in_a_pack_is_an_encrypted_file_without_its_mark() {
    let (_, _, bytes) =
        samples().into_iter().find(|it| it.1.ends_with("encrypted.pck")).expect("it");
    let closed = Pack::open(&bytes).expect("its head can be read");
    assert!(closed.is_directory_encrypted());
    assert_eq!((closed.files().len(), closed.count()), (0, 3));
    assert_eq!(closed.find("note.txt").unwrap_err().rule().name(), "pack.sealed");
    let pack = opened(&bytes);
    assert_eq!(pack.check(), []);
    let save = pack.find("start.save").expect("it is there");
    assert!(save.is_encrypted());
    let wrapped = pack.wrapped_content(save).expect("it has a content");
    let (_, content) =
        decrypt(&wrapped, &Key::new(KEY), &Limits::default()).expect("it is the key");
    assert_eq!(content.len() as u64, save.size());
    assert_eq!(formwork_godot::open(&content).expect("it is a save").value()["hp"], 7);
    let gone = pack.find("gone.txt").expect("it is there");
    assert!(gone.is_removal());
    assert_eq!(pack.content(gone).unwrap_err().rule().name(), "pack.content");
}

#[test]
fn packs_of_all_versions_are_built_and_read() {
    for bytes in built() {
        let pack = Pack::open(&bytes).expect("it is whole");
        assert_eq!(pack.check(), [], "version {}", pack.version());
        assert_eq!(names(&pack), ["empty", "folder/two.txt", "one.txt", "three"]);
        let two = pack.find("folder/two.txt").expect("it is there");
        assert_eq!(pack.content(two).expect("it has a content"), [2; 100]);
        for file in pack.files() {
            assert_eq!(file.offset() % 16, 0);
        }
    }
    let release = EngineRelease { major: 4, minor: 6, patch: 0 };
    let rule = |builder: PackBuilder| builder.build().unwrap_err().rule().name();
    assert_eq!(rule(PackBuilder::new(5, release)), "pack.version");
    assert_eq!(rule(PackBuilder::new(3, release).file("../x", b"")), "pack.name");
    let twice = PackBuilder::new(3, release).file("x", b"").file("res://x", b"");
    assert_eq!(rule(twice), "pack.name_once");
}

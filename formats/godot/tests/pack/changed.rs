//! Packs with files added, replaced and removed.

use formwork_godot::pack::{EngineRelease, Pack, PackBuilder, PackChange};

use super::{built, samples};

fn put(name: &str, content: &[u8]) -> PackChange {
    PackChange::Put { name: name.to_owned(), content: content.to_vec() }
}

fn remove(name: &str) -> PackChange {
    PackChange::Remove { name: name.to_owned() }
}

/// Returns the packs of engines whose directory is not encrypted, and packs that no available engine writes.
fn all() -> Vec<Vec<u8>> {
    let is_open = |bytes: &Vec<u8>| !Pack::open(bytes).unwrap().is_directory_encrypted();
    samples().into_iter().map(|(_, _, bytes)| bytes).filter(is_open).chain(built()).collect()
}

#[test]
fn files_come_and_go_and_the_others_keep_their_bytes() {
    for bytes in all() {
        let old = Pack::open(&bytes).unwrap();
        let first = old.files()[0].name();
        let changes =
            [put("mods/new.txt", b"new"), put("res://a/b.bin", &[7; 5000]), remove(&first)];
        let changed = old.with_changes(&changes).expect("it can be written");
        let new = Pack::open(&changed).expect("it is a pack");
        assert_eq!(new.check(), []);
        assert_eq!(new.files().len(), old.files().len() + 1);
        assert_eq!((new.version(), new.engine()), (old.version(), old.engine()));
        assert_eq!(new.range().start, old.range().start);
        assert!(new.find(&first).is_err());
        for (name, content) in [("mods/new.txt", b"new".as_slice()), ("a/b.bin", &[7; 5000])] {
            let file = new.find(name).expect("it was added");
            assert_eq!(new.content(file).unwrap(), content);
            let root = first.starts_with("res://");
            assert_eq!(file.name().starts_with("res://"), root, "{}", file.name());
        }
        for file in &old.files()[1..] {
            let there = new.find(&file.name()).expect("it stays");
            assert_eq!(
                (there.size(), there.digest(), there.is_encrypted(), there.is_removal()),
                (file.size(), file.digest(), file.is_encrypted(), file.is_removal())
            );
            assert_eq!(old.content(file).ok(), new.content(there).ok(), "{}", file.name());
        }
        // The change is reverted.
        let content = old.content(&old.files()[0]).unwrap().to_vec();
        let back = new
            .with_changes(&[remove("mods/new.txt"), remove("a/b.bin"), put(&first, &content)])
            .expect("it can be written");
        let back = Pack::open(&back).expect("it is a pack");
        assert_eq!(back.check(), []);
        assert_eq!(back.files().len(), old.files().len());
    }
}

#[test]
fn a_replaced_file_keeps_its_place_in_the_directory() {
    for bytes in all() {
        let old = Pack::open(&bytes).unwrap();
        let Some(at) =
            old.files().iter().position(|file| !file.is_removal() && !file.is_encrypted())
        else {
            continue;
        };
        let name = old.files()[at].name();
        let changed = old.with_changes(&[put(&name, b"other")]).expect("it can be written");
        let new = Pack::open(&changed).expect("it is a pack");
        assert_eq!(new.check(), []);
        assert_eq!(new.files()[at].name(), name);
        assert_eq!(new.content(&new.files()[at]).unwrap(), b"other");
    }
}

#[test]
fn a_pack_behind_an_executable_is_found_there() {
    let executable = b"#!/bin/sh\nexit 1\n";
    for version in 0..=4 {
        let release = EngineRelease { major: 4, minor: 6, patch: 0 };
        let bytes = PackBuilder::new(version, release)
            .behind(*executable)
            .file("note.txt", b"hello")
            .file("more.txt", vec![9; 33])
            .build()
            .expect("it can be written");
        assert!(bytes.starts_with(executable));
        let pack = Pack::open(&bytes).expect("it is found");
        assert!(pack.is_embedded());
        assert_eq!(pack.range().start % 8, 0);
        assert_eq!(pack.check(), []);
        assert_eq!(pack.content(pack.find("note.txt").unwrap()).unwrap(), b"hello");
        let changed = pack.with_changes(&[put("third.txt", b"third")]).expect("it can be written");
        // Engines pad here, too, but by another number of bytes.
        assert_eq!((bytes.len() % 8, changed.len() % 8), (0, 0));
        let changed = Pack::open(&changed).expect("it is found");
        assert_eq!(changed.check(), []);
        assert_eq!(changed.content(changed.find("third.txt").unwrap()).unwrap(), b"third");
    }
}

#[test]
fn a_pack_that_no_engine_would_find_is_not_built() {
    let release = EngineRelease { major: 4, minor: 6, patch: 0 };
    let pack = PackBuilder::new(3, release).behind(*b"GDPC, and no executable").file("a", b"1");
    assert_eq!(pack.build().unwrap_err().rule().name(), "pack.place");
    let packed = PackBuilder::new(3, release).behind(*b"MZ").file("a", b"1").build().unwrap();
    let twice = PackBuilder::new(3, release).behind(packed).file("a", b"1").build().unwrap_err();
    assert_eq!(twice.expected(), "an executable without a pack");
    assert_eq!(twice.found(), "one with a pack at offset 8");
}

#[test]
fn what_cannot_be_changed_is_refused() {
    let release = EngineRelease { major: 4, minor: 6, patch: 0 };
    let bytes = PackBuilder::new(3, release).file("a", b"1").file("b", b"2").build().unwrap();
    let pack = Pack::open(&bytes).unwrap();
    let rule = |changes: &[PackChange]| pack.with_changes(changes).unwrap_err().rule().name();
    assert_eq!(rule(&[remove("c")]), "pack.file");
    assert_eq!(rule(&[put("../c", b"")]), "pack.name");
    assert_eq!(rule(&[put("a", b""), remove("res://a")]), "pack.name_once");
    // A signature follows the pack.
    let signed = [bytes.as_slice(), b"signature"].concat();
    let signed = Pack::open(&signed).unwrap();
    assert_eq!(signed.with_changes(&[remove("a")]).unwrap_err().rule().name(), "pack.behind");
    let mut locked = 0;
    for (_, _, bytes) in samples() {
        let pack = Pack::open(&bytes).unwrap();
        if pack.is_directory_encrypted() {
            locked += 1;
            let error = pack.with_changes(&[put("x", b"")]).unwrap_err();
            assert_eq!(error.rule().name(), "pack.sealed");
        }
    }
    assert!(locked > 0);
}

/// No folder can hold a file and a folder of one name.
#[test]
fn a_file_beside_a_folder_of_its_name_is_refused() {
    let builder = || PackBuilder::new(2, EngineRelease { major: 4, minor: 2, patch: 0 });
    let names = ["sub/deep/t.save", "a.txt", "sub.txt"];
    let fill = |names: &[&str]| {
        names.iter().fold(builder(), |builder, name| builder.file(*name, b"x".to_vec())).build()
    };
    let bytes = fill(&names).expect("it can be built");
    let pack = Pack::open(&bytes).expect("it is a pack");
    for name in ["sub", "res://sub", "sub/deep", "a.txt/b", "a.txt/b/c", "sub/deep/t.save/x"] {
        let error = pack.with_changes(&[put(name, b"y")]).unwrap_err();
        assert_eq!(error.rule().name(), "pack.folder", "{name}");
        let error = fill(&[&names[..], &[name]].concat()).unwrap_err();
        assert_eq!(error.rule().name(), "pack.folder", "{name}");
    }
    let error = pack.with_changes(&[put("n", b"y"), put("n/m", b"y")]).unwrap_err();
    assert_eq!(error.rule().name(), "pack.folder");
    // What is gone is in nobody's way, and a part of a name is no folder.
    for changes in [
        &[put("sub", b"y"), remove("sub/deep/t.save")][..],
        &[put("su", b"y"), put("sub/dee", b"y"), put("a.txt2/b", b"y")],
        &[put("sub/deep/t.save", b"y")],
    ] {
        pack.with_changes(changes).expect("it can be written");
    }
}

#[test]
fn the_contents_of_a_sparse_pack_are_elsewhere() {
    /// The flag of packs from version 2 on, whose word stands after the engine's release.
    const SPARSE: (usize, u8) = (20, 1 << 2);
    let mut count = 0;
    for bytes in all() {
        let pack = Pack::open(&bytes).unwrap();
        assert!(!pack.is_sparse());
        if pack.version() < 2 {
            continue;
        }
        let mut sparse = bytes.clone();
        sparse[pack.range().start + SPARSE.0] |= SPARSE.1;
        let sparse = Pack::open(&sparse).expect("nothing else is different");
        assert!(sparse.is_sparse());
        assert_eq!((sparse.files().len(), sparse.check()), (pack.files().len(), vec![]));
        for (file, other) in sparse.files().iter().zip(pack.files()) {
            assert_eq!(file.name(), other.name());
            let error = sparse.content(file).unwrap_err();
            assert_eq!(error.rule().name(), "pack.content");
            assert_eq!(sparse.with_file(file, b"new").unwrap_err().rule().name(), "pack.content");
        }
        assert!(sparse.with_changes(&[put("new.txt", b"new")]).is_err());
        count += 1;
    }
    assert!(count >= 2, "{count}");
}

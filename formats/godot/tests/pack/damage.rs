//! Tests packs that are cut, wrong or hostile.

use formwork_godot::pack::{EngineRelease, Pack, PackBuilder, is_pack};

use super::{built, samples};

/// Calls all functions of a pack with the bytes.
fn use_up(bytes: &[u8]) {
    let Ok(mut pack) = Pack::open(bytes) else { return };
    if let Some(sealed) = pack.sealed_directory() {
        let _ = pack.open_directory(sealed.get(60..).unwrap_or_default());
    }
    let faults = pack.check();
    assert!(faults.len() <= 4 * pack.files().len() + 2);
    let room = bytes.len() + 200_000;
    for file in pack.files() {
        if let Ok(content) = pack.content(file) {
            assert!(content.len() <= bytes.len());
        }
    }
    // Three files are enough: for each, the whole pack is written anew.
    for file in pack.files().iter().take(3) {
        for new in [&b"new"[..], &[7; 70]] {
            if let Ok(changed) = pack.with_sealed_file(file, new, |bytes| Ok(bytes.to_vec())) {
                assert!(changed.len() < room);
                Pack::open(&changed).expect("what is written can be read");
            }
        }
    }
}

#[test]
fn every_prefix_is_read_or_refused() {
    for (_, path, bytes) in samples() {
        for length in 0..bytes.len() {
            use_up(&bytes[..length]);
        }
        let is_cut = Pack::open(&bytes[..bytes.len() / 50 + 30]).is_err();
        assert!(is_cut, "{}", path.display());
    }
}

#[test]
fn no_flipped_bit_does_harm() {
    for (_, _, mut bytes) in samples() {
        let (head, directory) = {
            let pack = Pack::open(&bytes).expect("it is whole");
            (pack.range().start, pack.directory())
        };
        let places = (0..head + 120).chain(directory).chain(bytes.len() - 12..bytes.len());
        for at in places {
            bytes[at] ^= 1 << (at % 8);
            use_up(&bytes);
            bytes[at] ^= 1 << (at % 8);
        }
    }
}

#[test]
fn lying_words_do_no_harm() {
    let all = samples().into_iter().map(|(_, _, bytes)| bytes).chain(built());
    for mut bytes in all {
        let directory = Pack::open(&bytes).expect("it is whole").directory();
        let embedded = bytes.len() - 12..bytes.len() - 3;
        for at in (0..120).chain(directory).chain(embedded) {
            for word in [[0xff; 4], [0, 0, 0, 0x80], [0; 4], [0xf0, 0xff, 0xff, 0x7f]] {
                let Some(place) = bytes.get_mut(at..at + 4) else { continue };
                let old: [u8; 4] = (&*place).try_into().expect("four bytes");
                place.copy_from_slice(&word);
                use_up(&bytes);
                bytes[at..at + 4].copy_from_slice(&old);
            }
        }
    }
}

fn rules(bytes: &[u8]) -> Vec<String> {
    let pack = Pack::open(bytes).expect("its directory can be read");
    pack.check().iter().map(|error| format!("{} {}", error.rule(), error.path())).collect()
}

/// Returns the bytes with a part replaced that occurs once.
fn patched(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let at = bytes.windows(old.len()).position(|there| there == old).expect("it is there");
    let mut bytes = bytes.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn names_that_lead_out_of_the_game_are_found() {
    for bytes in built() {
        let up = patched(&bytes, b"res://one.txt", b"res://../o.sh");
        assert_eq!(rules(&up), ["pack.name pack.files[0].name"]);
        let root = patched(&bytes, b"res://one.txt", b"/etc/passwd\0\0");
        assert_eq!(rules(&root), ["pack.name pack.files[0].name"]);
        let no_text = patched(&bytes, b"res://one.txt", b"res://\xff\xffe.txt");
        assert_eq!(rules(&no_text), ["pack.name pack.files[0].name"]);
        let twice = patched(&bytes, b"res://three", b"res://empty");
        assert_eq!(rules(&twice), ["pack.name_once pack.files[3].name"]);
    }
}

#[test]
fn lying_places_are_found() {
    for bytes in built() {
        let pack = Pack::open(&bytes).expect("it is whole");
        let name = b"res://folder/two.txt";
        let entry =
            bytes.windows(name.len()).position(|there| there == name).expect("it") + name.len();
        let with_word = |at: usize, word: u64| {
            let mut bytes = bytes.clone();
            bytes[at..at + 8].copy_from_slice(&word.to_le_bytes());
            bytes
        };
        let beyond = with_word(entry, 1 << 40);
        assert_eq!(rules(&beyond), ["pack.range pack.files[2].offset"]);
        assert_eq!(rules(&with_word(entry, u64::MAX - 7)), ["pack.range pack.files[2].offset"]);
        let long = with_word(entry + 8, u64::MAX);
        assert_eq!(
            rules(&long),
            ["pack.range pack.files[2].offset", "pack.overlap pack.files[3].offset"]
        );
        // If one file has a wrong range, no file is written.
        let lying = Pack::open(&beyond).expect("its directory can be read");
        let one = lying.find("one.txt").expect("it is there");
        assert_eq!(lying.with_file(one, b"other").unwrap_err().rule().name(), "pack.range");
        let mut sum = bytes.clone();
        sum[entry + 16] ^= 1;
        assert_eq!(rules(&sum), ["pack.digest pack.files[2]"]);
        if pack.version() > 1 {
            let mut flags = bytes.clone();
            flags[entry + 35] = 1;
            assert_eq!(rules(&flags), ["pack.flags pack.files[2].flags"]);
        }
    }
}

#[test]
fn what_is_no_pack_is_refused() {
    let rule = |bytes: &[u8]| Pack::open(bytes).unwrap_err().rule().name();
    assert_eq!(rule(b""), "pack.magic");
    assert_eq!(rule(b"GCPF and more"), "pack.magic");
    assert_eq!(rule(b"GDPC"), "input.complete");
    assert!(!is_pack(b"an executable without a pack"));
    let release = EngineRelease { major: 4, minor: 7, patch: 0 };
    let mut bytes = PackBuilder::new(3, release).build().expect("an empty pack can be written");
    assert_eq!(Pack::open(&bytes).expect("it can be read").files(), []);
    bytes[4] = 5;
    assert_eq!(rule(&bytes), "pack.version");
    bytes[4] = 3;
    bytes[32] = 1;
    assert_eq!(rule(&bytes), "pack.directory");
}

#[test]
fn a_section_of_another_size_is_found() {
    let (_, _, mut bytes) =
        samples().into_iter().find(|it| it.1.ends_with("4.6.3/embedded.exe")).expect("it is there");
    let name = b"pck\0\0\0\0\0";
    let header = bytes.windows(8).position(|there| there == name).expect("the section");
    bytes[header + 16] ^= 4;
    assert_eq!(rules(&bytes), ["pack.place section"]);
}

#[test]
fn a_name_that_stands_there_twice_for_the_same_content_is_no_fault() {
    // Godot 3.4 lists a game's icon in this way.
    let release = EngineRelease { major: 3, minor: 4, patch: 4 };
    let pack = |first: &[u8]| {
        let builder = PackBuilder::new(1, release).file("res://one.png", first);
        let bytes = builder.file("res://two.png", b"picture").build().expect("it can be written");
        patched(&bytes, b"res://one.png", b"res://two.png")
    };
    assert_eq!(rules(&pack(b"picture")), [""; 0]);
    assert_eq!(rules(&pack(b"another")), ["pack.name_once pack.files[1].name"]);
    let bytes = pack(b"another");
    let pack = Pack::open(&bytes).expect("its directory can be read");
    let last = pack.find("two.png").expect("it is there");
    assert_eq!(pack.content(last).expect("it has a content"), b"picture");
    assert_eq!(pack.sum(last).ok(), last.digest());
}

//! Tests replaced files in packs.

use formwork_godot::pack::Pack;
use formwork_godot::wrapper::{Cipher, Key, decrypt, encrypt_with_vector};
use formwork_variant::Limits;

use super::{KEY, built, opened, samples};

fn sealed(content: &[u8]) -> Vec<u8> {
    encrypt_with_vector(content, Cipher::Cfb, &Key::new(KEY), &[7; 16])
}

/// Returns the pack with this content for the file at `index`.
fn with(bytes: &[u8], index: usize, content: &[u8]) -> Vec<u8> {
    let pack = opened(bytes);
    let file = &pack.files()[index];
    let stored = if file.is_encrypted() { sealed(content) } else { content.to_vec() };
    pack.with_sealed_file(file, &stored, |directory| Ok(sealed(directory)))
        .expect("it can be written")
}

fn all() -> Vec<Vec<u8>> {
    samples().into_iter().map(|(_, _, bytes)| bytes).chain(built()).collect()
}

#[test]
fn an_unchanged_content_leaves_every_byte() {
    for bytes in all() {
        let pack = opened(&bytes);
        for file in pack.files().iter().filter(|file| !file.is_removal()) {
            let content = pack.wrapped_content(file).expect("it has a content");
            let never = |_: &[u8]| panic!("nothing is to be encrypted");
            let same = pack.with_sealed_file(file, &content, never).expect("it can be written");
            assert!(same == bytes, "{}", file.name());
        }
    }
}

#[test]
fn other_files_keep_their_bytes_and_alignment_and_the_way_back_gives_the_old_pack() {
    for bytes in all() {
        let old = opened(&bytes);
        let usual = old.files().iter().all(|file| file.is_removal() || file.offset() % 16 == 0);
        for (index, file) in old.files().iter().enumerate() {
            if file.is_removal() {
                continue;
            }
            let content = match file.is_encrypted() {
                true => {
                    let wrapped = old.wrapped_content(file).expect("it has a content");
                    decrypt(&wrapped, &Key::new(KEY), &Limits::default()).expect("the key").1
                }
                false => old.content(file).expect("it has a content").to_vec(),
            };
            let length = content.len();
            for new_length in [0, 1, length + 1, length + 16, length.saturating_sub(1), 5000] {
                let new = vec![b'n'; new_length];
                let changed_bytes = with(&bytes, index, &new);
                let changed = opened(&changed_bytes);
                assert_eq!(changed.check(), [], "{} of {new_length} bytes", file.name());
                for (at, (one, other)) in old.files().iter().zip(changed.files()).enumerate() {
                    assert_eq!(one.name(), other.name());
                    if one.is_removal() {
                        continue;
                    }
                    if usual {
                        assert_eq!(other.offset() % 16, 0, "{}", other.name());
                    }
                    if at != index {
                        assert_eq!(old.content(one).ok(), changed.content(other).ok());
                        assert_eq!((one.size(), one.digest()), (other.size(), other.digest()));
                    }
                }
                let (start, end) = (old.range().start, changed.range().end);
                assert_eq!(changed.range().start, start);
                // In an executable, the size and mark follow the pack.
                let follows = usize::from(old.is_embedded()) * 12;
                assert_eq!(end + follows, changed_bytes.len());
                if !old.is_directory_encrypted() && !file.is_encrypted() {
                    let back = with(&changed_bytes, index, &content);
                    assert!(back == bytes, "{} from {new_length} bytes", file.name());
                }
            }
        }
    }
}

#[test]
fn the_executable_says_the_new_size() {
    let embedded = samples().into_iter().filter(|it| opened(&it.2).is_embedded());
    for (_, path, bytes) in embedded {
        let index = opened(&bytes).files().iter().position(|it| it.name().ends_with("note.txt"));
        let changed = with(&bytes, index.expect("it is there"), &[b'x'; 1000]);
        let (old, new) = (opened(&bytes), opened(&changed));
        assert!(new.range().len() > old.range().len());
        let differs = |&at: &usize| bytes[at] != changed[at];
        let before: Vec<_> = (0..old.range().start).filter(differs).collect();
        // Only the size in the header of the section `pck` differs: two bytes of a size below 65536.
        assert!((1..=2).contains(&before.len()), "{}: {before:?}", path.display());
        assert_eq!(before.first().map(|first| before.last().unwrap() - first < 2), Some(true));
        // Without the section, the trailer at the end of the file leads to the pack.
        let mut no_section = changed.clone();
        no_section[..4].copy_from_slice(b"none");
        assert_eq!(opened(&no_section).range(), new.range());
    }
}

#[test]
fn what_depends_on_a_place_behind_the_pack_is_not_moved() {
    let (_, _, mut bytes) =
        samples().into_iter().find(|it| it.1.ends_with("3.2.3/embedded.exe")).expect("it is there");
    bytes.extend(b"a signature");
    let pack = opened(&bytes);
    assert_eq!(pack.check(), []);
    let note = pack.find("note.txt").expect("it is there");
    assert_eq!(pack.content(note).expect("it has a content"), b"hello\n");
    assert_eq!(pack.with_file(note, b"other").unwrap_err().rule().name(), "pack.behind");
}

#[test]
fn what_cannot_be_written_is_refused() {
    let (_, _, bytes) =
        samples().into_iter().find(|it| it.1.ends_with("encrypted.pck")).expect("it");
    let pack = opened(&bytes);
    let refusal = |name: &str, content: &[u8]| {
        let file = pack.find(name).expect("it is there");
        pack.with_file(file, content).unwrap_err().rule().name()
    };
    assert_eq!(refusal("start.save", b"plain"), "pack.encrypted");
    assert_eq!(refusal("start.save", &sealed(b"x")[..50]), "pack.encrypted");
    assert_eq!(refusal("gone.txt", b"plain"), "pack.content");
    // The directory has to be encrypted again.
    assert_eq!(refusal("note.txt", b"plain"), "pack.sealed");
    let file = pack.find("note.txt").expect("it is there");
    let other = pack.with_sealed_file(file, b"plain", |_| Ok(sealed(b"another directory")));
    assert_eq!(other.unwrap_err().rule().name(), "pack.encrypted");
}

#[test]
fn files_that_share_bytes_are_not_written() {
    // Two entries have one content, as tools that save room write them.
    let mut bytes = built().swap_remove(1);
    let (one, three) = {
        let pack = Pack::open(&bytes).expect("it is whole");
        (pack.files()[0].clone(), pack.files()[3].clone())
    };
    let entry = |name: &[u8], bytes: &[u8]| {
        bytes.windows(name.len()).position(|at| at == name).expect("its entry") + name.len()
    };
    let at = entry(b"res://three\0", &bytes);
    bytes[at..at + 8].copy_from_slice(&one.offset().to_le_bytes());
    bytes[at + 8..at + 16].copy_from_slice(&one.size().to_le_bytes());
    let pack = Pack::open(&bytes).expect("it is whole");
    let rules: Vec<_> = pack.check().iter().map(|error| error.rule().name()).collect();
    assert_eq!(rules, ["pack.digest", "pack.overlap"]);
    assert_ne!(three.offset(), one.offset());
    for file in [&pack.files()[0], &pack.files()[3]] {
        assert_eq!(pack.with_file(file, b"other").unwrap_err().rule().name(), "pack.overlap");
    }
}

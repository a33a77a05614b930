//! Files of values: converted to another engine, and recovered.

use std::fs;

use formwork_godot::Framing;
use formwork_godot::Opener;
use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, close};
use formwork_testkit::golden::ENGINES;
use formwork_variant::frame::ByteOrder;
use formwork_variant::{Dialect, Variant, to_vec, variant};

const FRAMES: Framing = Framing::Frames(ByteOrder::Little);

/// A value that every engine has.
fn save() -> Variant {
    variant!({ "name": "Ada", "gold": 100, "bag": ["lamp", "rope"] })
}

fn frames(count: usize, dialect: Dialect) -> Vec<u8> {
    FRAMES.join(dialect, vec![to_vec(&save(), dialect).unwrap(); count]).unwrap()
}

#[test]
fn a_file_goes_to_another_engine_and_back_in_any_wrapper() {
    let key = Key::from_password("correct horse");
    for layers in [
        vec![],
        vec![Layer::Compressed(Compression::Zstd)],
        vec![Layer::Encrypted(Cipher::Cfb)],
        vec![Layer::Compressed(Compression::Deflate), Layer::Encrypted(Cipher::Cfb)],
    ] {
        let content = frames(3, Dialect::GODOT4);
        let bytes = close(&content, &layers, Some(&key)).unwrap();
        let opener = || Opener::new().key(key.clone()).dialect(Dialect::GODOT4);
        let file = opener().open(&bytes).unwrap();
        let (old, losses) = file.convert(Dialect::GODOT3).unwrap();
        assert!(losses.is_empty());
        assert_eq!((old.dialect(), old.values().len()), (Dialect::GODOT3, 3));
        assert_eq!(old.unwrapped().content(), frames(3, Dialect::GODOT3));
        assert!(!old.layers().contains(&Layer::Encrypted(Cipher::Cfb)));
        let (again, _) = old.convert(Dialect::GODOT4).unwrap();
        assert_eq!((again.unwrapped().content(), again.layers()), (&*content, &*layers));
    }
}

#[test]
fn a_header_stays_and_its_length_follows() {
    let packet = to_vec(&save(), Dialect::GODOT4).unwrap();
    let mut bytes = b"MAGIC123".to_vec();
    bytes.extend((packet.len() as u64).to_le_bytes());
    bytes.extend(&packet);
    let opener = Opener::new().header(16).dialect(Dialect::GODOT4).framing(Framing::Bare);
    let file = opener.open(&bytes).unwrap();
    let (file, _) = file.convert(Dialect::GODOT3).unwrap();
    let new = file.to_vec().unwrap();
    let expected = to_vec(&save(), Dialect::GODOT3).unwrap();
    assert_eq!(new[..8], bytes[..8]);
    assert_eq!(new[8..16], (expected.len() as u64).to_le_bytes());
    assert_eq!(new[16..], expected);
}

/// Each golden save becomes one of each engine, whatever is lost, and opens as that.
#[test]
fn saves_of_engines_become_those_of_others() {
    let mut count = 0;
    for engine in &ENGINES {
        for entry in fs::read_dir(engine.file("files")).unwrap() {
            let bytes = fs::read(entry.unwrap().path()).unwrap();
            let opener = Opener::new().dialect(engine.dialect());
            let Ok(file) = opener.open(&bytes) else { continue };
            for to in [Dialect::GODOT2, Dialect::GODOT3, Dialect::PANDEMONIUM, Dialect::GODOT4] {
                let Ok((new, _)) = file.convert(to) else { continue };
                assert_eq!(new.values().len(), file.values().len());
                assert_eq!(new.to_vec().unwrap().is_empty(), bytes.is_empty());
                count += 1;
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn what_is_left_of_any_wrapper_is_read() {
    let key = Key::from_password("correct horse");
    let content = frames(400, Dialect::GODOT4);
    let opener = || Opener::new().key(key.clone()).dialect(Dialect::GODOT4);
    for (layers, least) in [
        (vec![], 190),
        (vec![Layer::Compressed(Compression::Deflate)], 100),
        (vec![Layer::Compressed(Compression::FastLz)], 100),
        (vec![Layer::Encrypted(Cipher::Cfb)], 190),
    ] {
        let bytes = close(&content, &layers, Some(&key)).unwrap();
        let whole = opener().recover(&bytes).unwrap();
        assert!(whole.is_whole(), "{layers:?}: {:?} {:?}", whole.faults, whole.lost);
        assert_eq!((whole.values.len(), &whole.layers), (400, &layers));
        let left = opener().recover(&bytes[..bytes.len() / 2 + 10]).unwrap();
        assert!(!left.is_whole(), "{layers:?}");
        assert!(left.values.len() >= least, "{layers:?}: {}", left.values.len());
        assert!(left.values[..least].iter().all(|value| *value == save()));
        assert_eq!((left.dialect, left.framing), (Dialect::GODOT4, FRAMES));
    }
    let error = Opener::new()
        .recover(close(&content, &[Layer::Encrypted(Cipher::Cfb)], Some(&key)).unwrap());
    assert_eq!(error.unwrap_err().rule().name(), "gdec.key_given");
    assert!(Opener::new().recover(b"no values at all").is_err());
}

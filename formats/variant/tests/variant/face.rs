//! The public face: values written down and looked into, files opened and written back.

use formwork_variant::{Decoder, Dialect, Variant, to_vec, variant};
use formwork_variant::{Dictionary, FullObject, Object, Vector2};

#[test]
fn the_macro_makes_what_is_written() {
    let made = variant!({
        "null": null,
        "list": [1, 2.5, "three", [true, null], {}, [],],
        "nested": { "a": { "b": [-1] } },
        7: "seven",
        (Vector2::new(1.0, 2.0)): vec![1_i32, 2],
        "twice": 1,
        "twice": 2,
    });
    let mut expected = Dictionary::new();
    expected.insert("null", ());
    let inner: Variant = vec![true.into(), Variant::Nil].into();
    let (empty, none) =
        (Variant::Dictionary(Dictionary::new()), Variant::from(Vec::<Variant>::new()));
    let list: Vec<Variant> = vec![1.into(), 2.5.into(), "three".into(), inner, empty, none];
    expected.insert("list", list);
    let b: Variant = [("b", vec![Variant::Int(-1)])].into_iter().collect();
    let a: Variant = [("a", b)].into_iter().collect();
    expected.insert("nested", a);
    expected.insert(7, "seven");
    expected.insert(Vector2::new(1.0, 2.0), vec![1_i32, 2]);
    expected.insert("twice", 2);
    assert_eq!(made, Variant::Dictionary(expected));
    let double: Variant<f64> = variant!(f64; [Vector2::new(0.1, 0.2)]);
    assert_eq!(double[0], Variant::from(Vector2::new(0.1, 0.2)));
    assert!(variant!(null).is_nil());
}

#[test]
fn indexing_reads_null_where_nothing_is_and_never_panics() {
    let save = variant!({ "items": ["lamp"], 3: "three", "hp": 7 });
    assert_eq!(save["items"][0], "lamp");
    assert_eq!(save[3], "three");
    assert_eq!(save[&"hp".to_owned()], 7);
    assert!(save["items"][1].is_nil() && save["hp"]["x"][0].is_nil() && save["none"].is_nil());
}

#[test]
fn indexing_to_change_adds_keys_as_serde_json_does() {
    let mut save = variant!({ "items": ["lamp"] });
    save["items"][0] = "torch".into();
    save["player"]["hp"] = 100.into();
    assert_eq!(save, variant!({ "items": ["torch"], "player": { "hp": 100 } }));
    let object = FullObject { class: "Node".into(), properties: vec![("a".into(), 1.into())] };
    let mut object = Variant::<f32>::Object(Object::Full(Box::new(object)));
    object["b"] = 2.into();
    assert_eq!((object["a"].as_int(), object["b"].as_int()), (Some(1), Some(2)));
    for change in [
        |value: &mut Variant| value["items"][1] = 1.into(),
        |value: &mut Variant| {
            value["items"]["x"] = 1.into();
        },
    ] {
        let mut copy = save.clone();
        assert!(std::panic::catch_unwind(move || change(&mut copy)).is_err());
    }
}

#[test]
fn deep_lookups_change_what_is_there() {
    let mut save = variant!({ "items": [{ "n": 1 }], "7": 0, 7: 1 });
    *save.at_mut("items/0/n").unwrap() = 2.into();
    *save.at_mut("7").unwrap() = 3.into();
    assert_eq!(save, variant!({ "items": [{ "n": 2 }], "7": 3, 7: 1 }));
    assert!(save.at_mut("items/1").is_none() && save.at_mut("items/x").is_none());
    assert_eq!(save.at_mut("").map(|all| all.take()).unwrap()["7"], 3);
    assert!(save.is_nil());
}

#[test]
fn a_dictionary_has_what_a_map_has() {
    let mut save = variant!({ "a": 1, "b": 2, "c": 3 });
    let pairs = save.as_dictionary_mut().unwrap();
    assert!(pairs.contains_key("b"));
    assert_eq!(pairs.remove("b"), Some(2.into()));
    assert_eq!((pairs.remove("b"), pairs.contains_key("b")), (None, false));
    assert!(pairs.keys().eq(&["a", "c"].map(Variant::from)));
    assert!(pairs.values().eq(&[1, 3].map(Variant::from)));
    for (_, value) in pairs {
        *value = 0.into();
    }
    assert_eq!(save, variant!({ "a": 0, "c": 0 }));
}

#[test]
fn a_release_is_a_constant() {
    let value = variant!([0.1]);
    assert_eq!(formwork_variant::to_vec(&value, Dialect::GODOT3_2).unwrap().len(), 20);
    assert_eq!(Dialect::GODOT4_3.name(), "godot4.3");
}

mod files {
    use std::fs;

    use formwork_godot::Framing;
    use formwork_godot::wrapper::{Cipher, Compression, Key, Layer, close, encrypt};
    use formwork_godot::{Opener, ValueFile, open};
    use formwork_variant::frame::ByteOrder;
    use formwork_variant::{Dialect, Variant, to_vec, variant};

    use crate::cases::ENGINES;

    /// The password of the golden files.
    const PASSWORD: &str = "correct horse";

    /// The golden files of all engines, with their names.
    fn golden() -> Vec<(String, Dialect, Vec<u8>)> {
        let mut files = Vec::new();
        for engine in &ENGINES {
            for entry in fs::read_dir(engine.file("files")).expect("golden files are there") {
                let path = entry.expect("a file").path();
                if path.extension().is_some_and(|it| it == "save" || it == "bin") {
                    let name = format!("{} {}", engine.name, path.display());
                    files.push((name, engine.dialect(), fs::read(&path).expect("a file")));
                }
            }
        }
        assert!(files.len() > 80, "{}", files.len());
        files
    }

    #[test]
    fn every_golden_file_is_opened_and_written_back_byte_for_byte() {
        let (mut wrapped, mut several, mut bare) = (0, 0, 0);
        for (name, dialect, bytes) in golden() {
            let file = Opener::new().password(PASSWORD).open(&bytes);
            let file = file.unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(file.dialect().family(), dialect.family(), "{name}");
            wrapped += usize::from(!file.layers().is_empty());
            several += usize::from(file.values().len() > 1);
            bare += usize::from(file.framing() == Framing::Bare);
            assert!(file.header().is_empty(), "{name}");
            assert!(file.to_vec().as_ref() == Ok(&bytes), "{name}");
        }
        assert!(wrapped > 40 && several > 20 && bare >= 10, "{wrapped} {several} {bare}");
    }

    #[test]
    fn every_golden_file_keeps_what_is_around_a_changed_value() {
        for (name, _, bytes) in golden() {
            let mut file = Opener::new().password(PASSWORD).open(&bytes).expect("it was opened");
            let before = file.values().to_vec();
            // Packets other than the changed one are unchanged, whatever their contents.
            *file.value_mut() = variant!({ "changed": true });
            let again = file.to_vec().unwrap_or_else(|error| panic!("{name}: {error}"));
            let again = Opener::new()
                .password(PASSWORD)
                .dialect(file.dialect())
                .framing(file.framing())
                .open(&again)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(
                (again.layers(), again.framing()),
                (file.layers(), file.framing()),
                "{name}"
            );
            assert_eq!(again.value()["changed"], true, "{name}");
            assert_eq!(again.values().len(), before.len(), "{name}");
            for (again, before) in again.values().iter().zip(&before).skip(1) {
                assert!(again.is_identical(before), "{name}");
            }
            // And back: the packets are those that the engine wrote, but for padding that it leaves.
            let mut back = again;
            *back.value_mut() = before[0].clone();
            let back = back.to_vec().unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(Opener::new().password(PASSWORD).open(&back).is_ok(), "{name}");
        }
    }

    #[test]
    fn every_golden_value_is_opened_and_written_back() {
        for engine in &ENGINES {
            for case in engine.lines("values.jsonl") {
                let Some(bytes) = case.bytes("hex") else { continue };
                let opener = Opener::new().dialect(engine.dialect()).framing(Framing::Bare);
                let file = opener.open(&bytes).unwrap_or_else(|error| panic!("{bytes:?}: {error}"));
                assert_eq!(file.to_vec().as_ref(), Ok(&bytes), "{}", engine.name);
            }
        }
    }

    /// Two values of Godot 4 in frames, the second with a bool of 7, which it reads as true and would not write.
    fn odd() -> Vec<u8> {
        let hp = to_vec(&variant!({ "hp": 7, "name": "Ada" }), Dialect::GODOT4).unwrap();
        Framing::Frames(ByteOrder::Big)
            .join(Dialect::GODOT4, [&hp[..], &[1, 0, 0, 0, 7, 0, 0, 0]])
            .unwrap()
    }

    fn opened(bytes: &[u8]) -> ValueFile {
        let framing = Framing::Frames(ByteOrder::Big);
        Opener::new().dialect(Dialect::GODOT4).framing(framing).open(bytes).expect("it is a file")
    }

    #[test]
    fn an_unchanged_value_keeps_its_odd_bytes_beside_a_changed_one() {
        let mut file = opened(&odd());
        file.value_mut()["hp"] = 8.into();
        let written = file.to_vec().unwrap();
        assert_eq!(written.len(), odd().len());
        assert!(written.ends_with(&[0, 0, 0, 8, 1, 0, 0, 0, 7, 0, 0, 0]));
        // Changed and changed back is not changed.
        file.value_mut()["hp"] = 7.into();
        assert_eq!(file.to_vec(), Ok(odd()));
        // Values may come and go.
        file.values_mut().push("new".into());
        file.values_mut().remove(0);
        assert_eq!(
            opened(&file.to_vec().unwrap()).into_values(),
            [true.into(), Variant::from("new")]
        );
    }

    #[test]
    fn a_header_of_the_game_is_found_and_kept() {
        let hp = to_vec(&variant!({ "hp": 7, "name": "Ada" }), Dialect::GODOT4).unwrap();
        let frames = Framing::Frames(ByteOrder::Little).join(Dialect::GODOT4, [hp]).unwrap();
        let file = [b"SAVE\x03\0\0\0".as_slice(), &frames].concat();
        let mut found = open(&file).expect("it is behind a header");
        assert_eq!(found.to_vec().as_ref(), Ok(&file));
        assert_eq!(found.header(), b"SAVE\x03\0\0\0");
        found.value_mut()["hp"] = 9.into();
        let written = found.to_vec().unwrap();
        assert_eq!(written[..8], file[..8]);
        let said = Opener::new().header(8).open(&written).unwrap();
        assert_eq!((said.value()["hp"].as_int(), said.header().len()), (Some(9), 8));
        let error = Opener::new().header(1 << 20).open(&written).unwrap_err();
        assert_eq!(error.path().to_string(), "header");
    }

    #[test]
    fn a_header_stays_where_it_stood_among_the_layers() {
        let key = Key::from_password(PASSWORD);
        let compressed = close(&odd(), &[Layer::Compressed(Compression::Zstd)], None).unwrap();
        let headed = [b"MAGIC".as_slice(), &compressed].concat();
        let bytes = encrypt(&headed, Cipher::Cfb, &key).unwrap();
        let opener = Opener::new().header(5).password(PASSWORD).dialect(Dialect::GODOT4);
        let mut file = opener.clone().open(&bytes).unwrap();
        assert_eq!((file.header(), file.layers().len()), (b"MAGIC".as_slice(), 2));
        assert_eq!(file.to_vec(), Ok(bytes));
        file.value_mut()["hp"] = 9.into();
        let again = opener.open(file.to_vec().unwrap()).unwrap();
        assert_eq!((again.header(), again.value()["hp"].as_int()), (b"MAGIC".as_slice(), Some(9)));
    }

    #[test]
    fn what_cannot_be_opened_says_why() {
        let rule = |bytes: &[u8]| open(bytes).unwrap_err().rule().name();
        assert_eq!(rule(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "file.values");
        assert_eq!(rule(b""), "file.values");
        let locked = encrypt(&odd(), Cipher::Cfb, &Key::from_password(PASSWORD)).unwrap();
        assert_eq!(rule(&locked), "gdec.key_given");
        // The offset of a fault includes the skipped bytes before it.
        let mut bytes = odd();
        bytes.truncate(bytes.len() - 2);
        let opener =
            Opener::new().dialect(Dialect::GODOT4).framing(Framing::Frames(ByteOrder::Big));
        let error = opener.open(&bytes).unwrap_err();
        assert_eq!(error.path().to_string(), "frame[1].packet");
        assert_eq!(error.needed(), Some(2));
    }

    #[test]
    fn double_precision_is_opened_as_such_and_not_rounded() {
        let dialect: Dialect = "godot4-double".parse().unwrap();
        let value =
            variant!(f64; { "at": formwork_variant::Vector2::new(0.1, 0.2), "name": "Ada" });
        let bytes = formwork_variant::Encoder::new(dialect).double().encode(&value).unwrap();
        let file = Opener::new().double().open(&bytes).unwrap();
        assert_eq!((file.dialect().name(), file.value()), ("godot4.7-double".into(), &value));
        assert_eq!(file.to_vec().as_ref(), Ok(&bytes));
        assert_eq!(open(&bytes).unwrap_err().rule().name(), "real.fits");
    }
}

/// One array of many ints is one piece: progress is reported while it is read.
#[test]
fn a_long_array_says_how_far_its_reading_is() {
    use std::sync::atomic::{AtomicU64, Ordering};
    static CALLS: AtomicU64 = AtomicU64::new(0);
    static READ: AtomicU64 = AtomicU64::new(0);
    let array: Variant = Variant::Array((0..100_000).map(Variant::Int).collect());
    let bytes = to_vec(&array, Dialect::GODOT4).expect("ints are in every dialect");
    let told = |bytes| {
        CALLS.fetch_add(1, Ordering::Relaxed);
        READ.fetch_add(bytes, Ordering::Relaxed);
    };
    let decoder = Decoder::new(Dialect::GODOT4).progress(told);
    assert_eq!(decoder.decode(&bytes), Ok(array));
    assert_eq!(READ.load(Ordering::Relaxed), bytes.len() as u64);
    let calls = CALLS.load(Ordering::Relaxed);
    assert!((10..=1 + bytes.len() as u64 / 65_536).contains(&calls), "{calls}");
}

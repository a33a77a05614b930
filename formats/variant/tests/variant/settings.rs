//! Files of settings: those of real engines, and damaged ones.

use formwork_godot::Framing;
use formwork_godot::Opener;
use formwork_godot::detect::{Other, Verdict, detect};
use formwork_godot::settings::{self, Settings};
use formwork_variant::{Array, Dictionary, ElementType, Variant, VariantType};
use formwork_variant::{Decoder, Dialect, Encoder, Error, ErrorKind, variant};

use crate::cases::formats;

/// The samples: their names, the dialect that wrote them, and whether an engine reads them.
const SAMPLES: [(&str, Dialect, usize); 6] = [
    ("3.2.3.settings.binary", Dialect::GODOT3_2, 9),
    ("3.2.3.letters.binary", Dialect::GODOT3_2, 11),
    ("3.2.3.export.binary", Dialect::GODOT3_2, 8),
    ("3.6.2.settings.binary", Dialect::GODOT3_6, 9),
    ("3.6.2.letters.binary", Dialect::GODOT3_6, 11),
    ("4.6.3.settings.binary", Dialect::GODOT4_6, 11),
];

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(formats().join("settings/samples").join(name)).expect("the sample is there")
}

fn decoder(dialect: Dialect) -> Decoder {
    Decoder::new(dialect).allow_objects(true)
}

/// A file of these settings.
fn file(entries: &[(&[u8], &[u8])]) -> Vec<u8> {
    let mut file = b"ECFG".to_vec();
    file.extend((entries.len() as u32).to_le_bytes());
    for (name, packet) in entries {
        file.extend((name.len() as u32).to_le_bytes());
        file.extend_from_slice(name);
        file.extend((packet.len() as u32).to_le_bytes());
        file.extend_from_slice(packet);
    }
    file
}

const NINE: &[u8] = &[2, 0, 0, 0, 9, 0, 0, 0];

#[test]
fn engines_files_are_read_and_written_byte_for_byte() {
    for (name, dialect, count) in SAMPLES {
        let bytes = sample(name);
        let detection = detect(&bytes);
        assert_eq!(detection.verdict, Verdict::Certain, "{name}");
        let best = detection.best().expect("it is certain");
        assert_eq!((best.dialect.family(), best.framing), (dialect.family(), Framing::Settings));
        let mut opened = formwork_godot::open(&bytes).expect("the engine wrote it");
        assert_eq!((opened.framing(), opened.values().len()), (Framing::Settings, 1), "{name}");
        assert_eq!(opened.value().as_dictionary().map(|it| it.len()), Some(count), "{name}");
        assert_eq!(opened.value()["application/config/name"], "Sample");
        let object = opened.value()["input/jump"].at("events/0").and_then(Variant::as_object);
        assert!(format!("{object:?}").contains("InputEventKey"), "{name}: {object:?}");
        assert_eq!(opened.to_vec().expect("nothing changed"), bytes, "{name}");

        let packet = settings::to_packet(&bytes, &decoder(dialect)).expect("it was read");
        let again = settings::from_packet(&packet, &decoder(dialect), Some(&bytes));
        assert_eq!(again.expect("it is a Dictionary"), bytes, "{name}");

        // What did not change keeps its bytes, the length of a name in characters, too.
        opened.value_mut()["application/config/name"] = "Simple".into();
        let mut expected = bytes.clone();
        let at = bytes.windows(6).position(|it| it == b"Sample").expect("it is in there");
        expected[at..at + 6].copy_from_slice(b"Simple");
        assert_eq!(opened.to_vec().expect("it is a text, too"), expected, "{name}");
    }
}

#[test]
fn a_features_list_of_an_export_comes_first() {
    let bytes = sample("3.2.3.export.binary");
    let first = Settings::new(&bytes).unwrap().next().unwrap().unwrap();
    assert_eq!((first.name, first.start, first.offset), ("_custom_features", 8, 32));
    assert_eq!(formwork_godot::open(&bytes).unwrap().value()["_custom_features"], "kiosk,demo");
}

#[test]
fn a_length_of_a_name_in_characters_is_understood() {
    let bytes = sample("3.2.3.letters.binary");
    let all: Vec<_> = Settings::new(&bytes).unwrap().map(Result::unwrap).collect();
    let odd: Vec<_> = all.iter().filter(|it| it.counts_characters).collect();
    assert_eq!(odd.len(), 1);
    assert_eq!(odd[0].name, "sample/\u{43a}\u{43b}\u{44e}\u{447}");
    let fault = odd[0].fault_of_name().expect("no engine reads it");
    assert_eq!(fault.rule().name(), "settings.name_length");
    assert_eq!(all.last().map(|it| it.name), Some("sample/later"));
    // Godot 3.6 counts bytes.
    let bytes = sample("3.6.2.letters.binary");
    assert!(Settings::new(&bytes).unwrap().all(|it| !it.unwrap().counts_characters));
    // A length in characters that cuts a letter in two.
    let mut bytes = file(&[("a/\u{e9}".as_bytes(), NINE), (b"b", NINE)]);
    bytes[8] = 3;
    let value = settings::decode(&bytes, &decoder(Dialect::GODOT3_2)).unwrap();
    assert_eq!(value, variant!({ "a/\u{e9}": 9, "b": 9 }));
    // What is new in such a file is written so that engines read it.
    let mut opened = Opener::new().dialect(Dialect::GODOT3_2).open(&bytes).unwrap();
    let dictionary = opened.value_mut().as_dictionary_mut().unwrap();
    dictionary.insert("\u{e9}", 1);
    let again = opened.to_vec().unwrap();
    assert_eq!(again[8], 3);
    let last = again.windows(6).position(|it| it == b"\x02\0\0\0\xc3\xa9");
    assert!(last.is_some(), "{again:?}");
}

#[test]
fn every_dialect_writes_and_reads_settings() {
    for dialect in Dialect::all() {
        let value = variant!({ "a": [1, 2.5, null, { "b": "c" }], "d/e": true, "": "x" });
        let packet = Encoder::new(dialect).encode(&value).unwrap();
        let bytes = Framing::Settings.join(dialect, [&packet]).unwrap();
        assert_eq!(settings::decode(&bytes, &decoder(dialect)).unwrap(), value, "{dialect}");
        assert_eq!(settings::to_packet(&bytes, &decoder(dialect)).unwrap(), packet, "{dialect}");
        let opened = Opener::new().dialect(dialect).open(&bytes).unwrap();
        assert_eq!((opened.value(), opened.framing()), (&value, Framing::Settings), "{dialect}");
        assert_eq!(detect(&bytes).leading()[0].framing, Framing::Settings);
    }
}

#[test]
fn settings_alike_in_several_families_are_said_to_be_so() {
    let detection = detect(&file(&[(b"a", NINE)]));
    assert_eq!(detection.verdict, Verdict::SameMeaning);
    assert!(detection.leading().len() > 1);
    let empty = detect(&file(&[]));
    assert_eq!(empty.verdict, Verdict::SameMeaning);
    assert_eq!(formwork_godot::open(file(&[])).unwrap().value(), &variant!({}));
}

#[test]
fn what_only_starts_like_settings_is_named_and_no_more() {
    for bytes in [&b"ECFG"[..], b"ECFG and then some text", &file(&[(b"a", b"\xff\xff\xff\xff")])] {
        let detection = detect(bytes);
        assert_eq!(detection.other, Some(Other::GodotProject), "{bytes:?}");
        assert!(detection.partial().is_none());
        formwork_godot::open(bytes).expect_err("it is no value");
    }
    // With another framing given, detection reports that it does not fit.
    let bare = formwork_godot::detect::Detector::new().framing(Framing::Bare);
    assert_eq!(bare.detect(&sample(SAMPLES[0].0)).other, Some(Other::GodotProject));
}

#[test]
fn every_prefix_is_refused_and_recovered_up_to_the_cut() {
    for (name, dialect, _) in SAMPLES {
        let bytes = sample(name);
        let whole = settings::decode(&bytes, &decoder(dialect)).unwrap();
        let whole = whole.as_dictionary().unwrap();
        let mut most = 0;
        for length in 0..bytes.len() {
            let cut = &bytes[..length];
            let error = settings::decode(cut, &decoder(dialect)).expect_err("it is cut");
            assert!(error.offset() <= length as u64, "{name} at {length}: {error}");
            let recovered = settings::recover(cut, &decoder(dialect));
            assert!(!recovered.is_whole(), "{name} at {length}");
            let Some(read) = recovered.values.first().and_then(Variant::as_dictionary) else {
                continue;
            };
            // All settings but the one that is cut.
            let same = read.iter().zip(whole).take_while(|(new, old)| new == old).count();
            assert!(same + 1 >= read.len() && same >= most, "{name} at {length}: {read:?}");
            most = most.max(same);
        }
        assert_eq!(most + 1, whole.len(), "{name}");
    }
}

#[test]
fn changed_bits_are_found_or_another_value_and_cost_at_most_their_setting_and_the_next() {
    for (name, dialect, count) in SAMPLES {
        let bytes = sample(name);
        for at in 0..bytes.len() {
            for bit in [at % 8, 7] {
                let mut changed = bytes.clone();
                changed[at] ^= 1 << bit;
                match settings::read(&changed, &decoder(dialect)) {
                    Ok(read) if read.fault.is_none() => {
                        let packet = settings::to_packet(&changed, &decoder(dialect)).unwrap();
                        let again =
                            settings::from_packet(&packet, &decoder(dialect), Some(&changed));
                        assert_eq!(again.unwrap(), changed, "{name} {at} {bit}");
                    }
                    Ok(_) => {}
                    Err(error) => assert!(error.offset() <= bytes.len() as u64, "{error}"),
                }
                let recovered = settings::recover(&changed, &decoder(dialect));
                let left = recovered.values.first().and_then(Variant::as_dictionary);
                let left = left.map_or(0, |it| it.len());
                assert!(left + 2 >= count, "{name} {at} {bit}: {left} of {count}");
            }
        }
    }
}

#[test]
fn a_damaged_packet_or_length_costs_one_setting() {
    let entries: Vec<(Vec<u8>, &[u8])> =
        (0..5).map(|number| (format!("group/name{number}").into_bytes(), NINE)).collect();
    let entries: Vec<(&[u8], &[u8])> = entries.iter().map(|(name, it)| (&**name, *it)).collect();
    let bytes = file(&entries);
    let second = bytes.windows(11).position(|it| it == b"group/name1").unwrap();
    let decoder = Decoder::new(Dialect::GODOT4);
    // The type in the packet.
    let mut changed = bytes.clone();
    changed[second + 15] = 99;
    let recovered = settings::recover(&changed, &decoder);
    assert_eq!(recovered.values[0].as_dictionary().unwrap().len(), 4);
    assert_eq!(recovered.lost[0].place, "group/name1");
    let error = settings::decode(&changed, &decoder).unwrap_err();
    assert_eq!(error.path().to_string(), "dictionary[1].value");
    assert_eq!(error.offset(), second as u64 + 15);
    // Its length, too small and too large.
    for length in [4, 0xff] {
        let mut changed = bytes.clone();
        changed[second + 11] = length;
        let recovered = settings::recover(&changed, &decoder);
        assert_eq!(recovered.values, [settings::decode(&bytes, &decoder).unwrap()], "{length}");
        assert_eq!(recovered.lost[0].damage.name(), "length");
    }
    // The length of a name.
    let mut changed = bytes.clone();
    changed[second - 1] = 0x7f;
    let recovered = settings::recover(&changed, &decoder);
    assert_eq!(recovered.values[0].as_dictionary().unwrap().len(), 4);
    assert_eq!(recovered.bytes_lost(), 27);
    // How many there are.
    for count in [0, 4, 6, 200] {
        let mut changed = bytes.clone();
        changed[4] = count;
        let recovered = settings::recover(&changed, &decoder);
        assert_eq!(recovered.values, [settings::decode(&bytes, &decoder).unwrap()], "{count}");
        assert!(!recovered.is_whole(), "{count}");
    }
}

fn rule(result: Result<impl Sized, Error>) -> &'static str {
    result.err().map_or("none", |error| error.rule().name())
}

#[test]
fn what_a_dictionary_does_not_hold_is_read_past_and_not_written() {
    let dialect = Dialect::GODOT4;
    let twice = file(&[(b"a", NINE), (b"b", NINE), (b"a", &[0; 4])]);
    let behind = file(&[(b"a", &[NINE, &[0; 4][..]].concat())]);
    let mut trailing = file(&[(b"a", NINE)]);
    trailing.push(1);
    let cases = [
        (twice, "settings.repeated", 8, variant!({ "a": null, "b": 9 })),
        (behind, "settings.filled", 4, variant!({ "a": 9 })),
        (trailing, "input.trailing", 1, variant!({ "a": 9 })),
    ];
    for (bytes, name, unread, value) in cases {
        let read = settings::read(&bytes, &decoder(dialect)).unwrap();
        assert_eq!((read.value.clone(), read.unread), (value, unread), "{name}");
        assert_eq!(read.fault.map(|it| it.rule().name()), Some(name));
        assert_eq!(rule(settings::to_packet(&bytes, &decoder(dialect))), name);
        let strict = decoder(dialect).strictness(formwork_variant::Strictness::Canonical);
        assert_eq!(rule(settings::decode(&bytes, &strict)), name);
        let opener = || Opener::new().dialect(dialect).framing(Framing::Settings);
        let mut opened = opener().open(&bytes).unwrap();
        assert_eq!(opened.to_vec().unwrap(), bytes, "{name}: nothing changed");
        opened.value_mut()["a"] = 1.into();
        assert_eq!(rule(opened.to_vec()), name);
    }
}

#[test]
fn faults_name_offset_path_and_rule() {
    let decoder = decoder(Dialect::GODOT4);
    let fault = |bytes: &[u8]| {
        let error = settings::decode(bytes, &decoder).unwrap_err();
        (error.rule().name(), error.offset(), error.path().to_string())
    };
    assert_eq!(fault(b"ECFX\0\0\0\0"), ("settings.magic", 0, "settings.magic".to_owned()));
    assert_eq!(fault(b"ECFG\0\0"), ("input.complete", 0, "settings".to_owned()));
    let bad = file(&[(b"a", NINE), (b"b\xff", NINE)]);
    assert_eq!(fault(&bad), ("settings.name", 30, "dictionary[1].key".to_owned()));
    let zero = file(&[(b"a\0", NINE)]);
    assert_eq!(fault(&zero), ("settings.name", 13, "dictionary[0].key".to_owned()));
    let mut long = file(&[(b"a", NINE)]);
    long[13] = 200;
    assert_eq!(fault(&long), ("input.complete", 17, "dictionary[0].value".to_owned()));
    let mut names = file(&[(b"a", NINE)]);
    names[11] = 0xff;
    assert_eq!(fault(&names), ("input.complete", 12, "dictionary[0].key.name".to_owned()));
    let deep = file(&[(b"a", &[28, 0, 0, 0, 1, 0, 0, 0, 77, 0, 0, 0])]);
    let path = "dictionary[0].value.array[0]".to_owned();
    assert_eq!(fault(&deep), ("header.type_id", 25, path));
}

#[test]
fn only_a_dictionary_with_names_becomes_settings() {
    let dialect = Dialect::GODOT4;
    let write = |value: &Variant| {
        let packet = Encoder::new(dialect).encode(value).unwrap();
        Framing::Settings.join(dialect, [packet])
    };
    assert_eq!(rule(write(&variant!([1]))), "settings.dictionary");
    assert_eq!(rule(write(&variant!({ 1: 2 }))), "settings.key");
    let mut typed = Dictionary::new();
    typed.set_types(Some(ElementType::Builtin(VariantType::String)), None);
    assert_eq!(rule(write(&Variant::Dictionary(typed))), "settings.dictionary");
    assert_eq!(rule(Framing::Settings.join(dialect, [NINE, NINE])), "settings.dictionary");
    assert_eq!(rule(write(&Variant::Array(Array::new()))), "settings.dictionary");
    let error = write(&variant!({ "a": 1, 2: 3 })).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unrepresentable);
    assert_eq!(error.path().to_string(), "dictionary[1].key");
}

#[test]
fn a_count_is_not_believed() {
    // Memory would not hold four thousand million settings.
    let mut bytes = file(&[(b"a", NINE)]);
    bytes[4..8].copy_from_slice(&[0xff; 4]);
    let error = settings::decode(&bytes, &decoder(Dialect::GODOT4)).unwrap_err();
    assert_eq!(error.rule().name(), "input.complete");
    // Packets are as long as the limits allow.
    let limits = formwork_variant::Limits::default().packet_bytes(7);
    let limited = decoder(Dialect::GODOT4).limits(limits);
    assert_eq!(rule(settings::decode(&file(&[(b"a", NINE)]), &limited)), "size.limit");
}

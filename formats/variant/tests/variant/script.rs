//! Compiled scripts, as real engines compiled them.

use formwork_godot::inspect::{Inspector, Kind, SpanType};
use formwork_godot::script;
use formwork_godot::script::{Head, Script, content, is_shader_cache, read};
use formwork_variant::{Decoder, Dialect, Error, ErrorKind, Limits, Rule, Variant};
use formwork_variant::{NodePath, VariantString, Vector2};

fn sample(name: &str) -> Vec<u8> {
    let folder = formwork_testkit::formats().join("script/samples");
    std::fs::read(folder.join(name)).expect("the sample is there")
}

const SAMPLES: [&str; 3] = ["godot-3.2.3.gdc", "godot-4.6.3.gdc", "godot-4.6.3-packed.gdc"];

fn script(bytes: &[u8]) -> Result<Script, Error> {
    read(bytes, &Decoder::new(Head::of(bytes)?.dialect()))
}

fn texts(names: &[VariantString]) -> Vec<&str> {
    names.iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn a_script_of_godot_3_has_its_names_and_constants() {
    let bytes = sample("godot-3.2.3.gdc");
    let head = Head::of(&bytes).unwrap();
    assert_eq!((head.version, head.releases()), (13, "Godot 3.1 to 3.6"));
    assert_eq!(head.dialect(), Dialect::GODOT3);
    let script = script(&bytes).unwrap();
    let names = [
        "Reference",
        "NAME",
        "SMALL",
        "LARGE",
        "PI_HALF",
        "FLAG",
        "NOTHING",
        "POINT",
        "PATH",
        "size",
        "list",
        "greet",
        "who",
        "index",
    ];
    assert_eq!(texts(&script.identifiers)[..], names);
    assert_eq!(script.constants.len(), 18);
    let has = |value: Variant| assert!(script.constants.contains(&value), "{value}");
    has("Größe 漢 🍺".into());
    has(Variant::Int(i64::MAX));
    has(Variant::Float(std::f64::consts::FRAC_PI_2));
    has(Variant::Nil);
    has(Variant::NodePath(Box::new(NodePath::parse(&"/root/player".into()))));
    assert_eq!((script.lines.len(), script.columns.len()), (22, 0));
    assert_eq!((script.lines[1].token, script.lines[1].place), (2, 2));
    assert_eq!(script.token_count, 121);
}

#[test]
fn a_script_of_godot_4_has_the_same_content_packed_and_plain() {
    let bytes = sample("godot-4.6.3.gdc");
    let head = Head::of(&bytes).unwrap();
    assert_eq!((head.version, head.releases()), (101, "Godot 4.5 on"));
    let plain = script(&bytes).unwrap();
    assert_eq!(texts(&plain.identifiers)[..3], ["RefCounted", "NAME", "SMALL"]);
    assert!(texts(&plain.identifiers).contains(&"größe"));
    assert!(plain.constants.contains(&"Größe 漢 🍺".into()));
    assert_eq!((plain.lines.len(), plain.columns.len(), plain.token_count), (16, 16, 97));
    assert_eq!(script(&sample("godot-4.6.3-packed.gdc")).unwrap(), plain);
    // The value has all of it.
    let value = plain.into_value();
    assert_eq!(value["version"], 101);
    assert_eq!(value["identifiers"][0], "RefCounted");
    assert_eq!(value["columns"][0][1], 1);
}

/// The content of version 100 has one more word; no engine that writes it is at hand, so it is made from the
/// content of version 101.
#[test]
fn the_unused_word_of_version_100_is_passed_over() {
    let newer = sample("godot-4.6.3.gdc");
    let mut older = newer.clone();
    older[4] = 100;
    older.splice(24..24, [0; 4]);
    let (newer, older) = (script(&newer).unwrap(), script(&older).unwrap());
    assert_eq!(older.version, 100);
    assert_eq!(older.constants, newer.constants);
    assert_eq!(older.tokens, newer.tokens);
}

#[test]
fn scripts_of_godot_1_and_2_have_the_layout_of_godot_3() {
    // One name, one constant in Godot 2's numbers (a Vector2), one line, two tokens.
    let mut bytes = b"GDSC\x0a\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\0\0\x02\0\0\0\x04\0\0\0".to_vec();
    bytes.extend([b'h' ^ 0xb6, b'p' ^ 0xb6, 0xb6, 0xb6]);
    bytes.extend([5, 0, 0, 0]);
    bytes.extend([1.0_f32, 2.0].map(f32::to_le_bytes).concat());
    bytes.extend([0, 0, 0, 0, 1, 0, 0, 0, 0x81, 0, 0, 0, 7]);
    let head = Head::of(&bytes).unwrap();
    assert_eq!(head.releases(), "Godot 2.0 and 2.1");
    let read = script(&bytes).unwrap();
    assert_eq!(texts(&read.identifiers), ["hp"]);
    assert_eq!(read.constants, [Variant::Vector2(Vector2::new(1.0, 2.0))]);
    assert_eq!(read.tokens, [0x81, 0, 0, 0, 7]);
}

#[test]
fn shader_caches_of_godot_4_are_no_scripts() {
    // Version 4, two variants: one of three bytes, one that was not compiled.
    let cache = b"GDSC\x04\0\0\0\x02\0\0\0\x03\0\0\0abc\0\0\0\0";
    assert!(is_shader_cache(cache));
    assert_eq!(Head::of(cache).unwrap_err().rule(), script::rule::SHADER_CACHE);
    // A script of the same version has more than such a list.
    let script = b"GDSC\x04\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x04\0\0\0\xde\xc6\xb6\xb6";
    assert!(!is_shader_cache(script));
    assert_eq!(Head::of(script).unwrap().releases(), "Godot 1.1");
    for name in SAMPLES {
        assert!(!is_shader_cache(&sample(name)), "{name}");
    }
}

/// Walks a script with the inspector; the bytes that leaves cover, and whether all was read.
fn walked(bytes: &[u8]) -> (u64, Option<Error>) {
    let head = Head::of(bytes).unwrap();
    let content = content(bytes, head, &Limits::default()).unwrap();
    let inspector = Inspector::of_record(&content.bytes, "script", head.record())
        .in_dialect(head.dialect())
        .behind(content.start);
    let (mut read, mut fault, mut packets) = (0, None, 0);
    for item in inspector {
        match item {
            Ok(span) if span.kind == Kind::Leaf => read += span.length.unwrap(),
            Ok(span) if span.kind == Kind::Rest => assert!(fault.is_some(), "{span:?}"),
            Ok(span) => packets += u64::from(matches!(span.layout, SpanType::Packet(_))),
            Err(error) => fault = Some(error),
        }
    }
    assert!(packets > 0);
    (read + content.start as u64, fault)
}

#[test]
fn the_inspector_reads_a_script_to_its_last_byte() {
    for name in SAMPLES {
        let bytes = sample(name);
        let head = Head::of(&bytes).unwrap();
        let size = content(&bytes, head, &Limits::default()).unwrap().bytes.len() as u64;
        assert_eq!(walked(&bytes), (size, None), "{name}");
    }
}

#[test]
fn names_are_shown_unmasked() {
    for name in SAMPLES {
        let bytes = sample(name);
        let head = Head::of(&bytes).unwrap();
        let content = content(&bytes, head, &Limits::default()).unwrap();
        let spans = Inspector::of_record(&content.bytes, "script", head.record())
            .in_dialect(head.dialect())
            .behind(content.start);
        let values: Vec<_> =
            spans.filter_map(Result::ok).map(|span| span.value.to_string()).collect();
        assert!(values.contains(&"\"NAME\"".to_owned()), "{name}");
    }
}

#[test]
fn every_prefix_of_a_script_is_refused() {
    for name in SAMPLES {
        let whole = sample(name);
        for length in 0..whole.len() {
            let error = script(&whole[..length]).expect_err("a part is no script");
            assert!(error.offset() <= whole.len() as u64, "{name}, {length}: {error}");
            let packed = error.rule() == script::rule::PACKED;
            let cut = matches!(error.kind(), ErrorKind::Incomplete { .. });
            assert!(packed || cut, "{name}, {length}: {error}");
        }
    }
}

#[test]
fn counts_that_lie_are_refused_before_memory_is_taken() {
    for (name, first) in [("godot-3.2.3.gdc", 8), ("godot-4.6.3.gdc", 12)] {
        let whole = sample(name);
        for count in 0..4 {
            for lie in [u32::MAX, 1 << 31, 100_000] {
                let mut bytes = whole.clone();
                bytes[first + 4 * count..][..4].copy_from_slice(&lie.to_le_bytes());
                assert!(script(&bytes).is_err(), "{name}, count {count}, {lie}");
            }
        }
    }
    let mut bomb = sample("godot-4.6.3-packed.gdc");
    bomb[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(script(&bomb).unwrap_err().rule(), Rule::SIZE_LIMIT);
    bomb[8..12].copy_from_slice(&1000_u32.to_le_bytes());
    assert_eq!(script(&bomb).unwrap_err().rule(), script::rule::PACKED);
}

#[test]
fn bytes_that_are_changed_give_a_script_or_an_error() {
    for name in SAMPLES {
        let whole = sample(name);
        for at in 0..whole.len() {
            for bit in [0, 3, 7] {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                // Whatever it gives, it gives it without a panic.
                let _ = script(&bytes);
                if let Ok(head) = Head::of(&bytes)
                    && content(&bytes, head, &Limits::default()).is_ok()
                {
                    let _ = walked_any(&bytes, head);
                }
            }
        }
    }
}

fn walked_any(bytes: &[u8], head: Head) -> usize {
    let content = content(bytes, head, &Limits::default()).unwrap();
    Inspector::of_record(&content.bytes, "script", head.record())
        .in_dialect(head.dialect())
        .behind(content.start)
        .count()
}

#[test]
fn errors_say_where_in_a_script() {
    let mut bytes = sample("godot-3.2.3.gdc");
    // The type of the first constant.
    let at = 24 + 14 * 4 + 112;
    assert_eq!(bytes[at..at + 4], [4, 0, 0, 0]);
    bytes[at] = 77;
    let error = script(&bytes).unwrap_err();
    assert_eq!(error.offset(), at as u64);
    assert!(error.path().to_string().starts_with("script.constants[0]"), "{error}");

    let mut bytes = sample("godot-4.6.3.gdc");
    bytes.push(0);
    let error = script(&bytes).unwrap_err();
    assert_eq!((error.rule(), error.offset()), (Rule::INPUT_TRAILING, bytes.len() as u64 - 1));

    let mut bytes = sample("godot-4.6.3.gdc");
    bytes[35] = 0;
    let error = script(&bytes).unwrap_err();
    assert_eq!(error.rule(), script::rule::IDENTIFIER);
    assert_eq!(error.path().to_string(), "script.identifiers[0].characters[0]");
}

#[test]
fn a_newer_version_is_told() {
    for (version, is_newer) in [(13, false), (14, true), (100, false), (101, false), (102, true)] {
        let bytes = [b"GDSC".as_slice(), &u32::to_le_bytes(version), &[0; 8]].concat();
        assert_eq!(script::newer(&bytes), is_newer.then_some(version));
    }
    assert_eq!(script::newer(b"GDPC\x66\0\0\0"), None);
}

//! What a decoder takes and refuses at its limits, row by row, and the guards of an encoder.

use formwork_variant::codec::{Canonicality, Rewriting, WarningCounts, to_writer};
use formwork_variant::{Decoder, Dialect, Encoder, Error, ErrorKind, Limits, Rule, from_slice};
use formwork_variant::{FullObject, NodePath, Object, Signal, Strictness, Variant, VariantType};

const G4: Dialect = Dialect::GODOT4;

/// Little-endian words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// A packet of a type that only counts what follows, with as many nulls.
fn nulls(front: &[u32], count: usize) -> Vec<u8> {
    [words(front), vec![0; 4 * count]].concat()
}

/// The offset, path, rule, and how many bytes are missing.
fn fault(error: &Error) -> (u64, String, &'static str, Option<u64>) {
    (error.offset(), error.path().to_string(), error.rule().name(), error.needed())
}

#[test]
fn counts_in_each_other_are_held_to_the_bytes_together() {
    let decoder = Decoder::new(G4).allow_objects(true);
    // A count is refused where it stands, before anything is read behind it.
    let rows: Vec<(&str, Vec<u8>, Option<(u64, &str, u64)>)> = vec![
        ("as many as there are", nulls(&[28, 3], 3), None),
        ("one more", nulls(&[28, 4], 3), Some((4, "array", 4))),
        ("an inner one that leaves room", nulls(&[28, 3, 28, 2], 4), None),
        (
            "an inner one that leaves none",
            nulls(&[28, 3, 28, 3], 4),
            Some((12, "array[0].array", 4)),
        ),
        (
            "two inner ones",
            nulls(&[28, 2, 28, 2, 28, 2], 3),
            Some((20, "array[0].array[0].array", 4)),
        ),
        (
            "an inner one that fits, behind one that was read",
            nulls(&[28, 3, 28, 1, 0, 28, 2], 3),
            None,
        ),
        (
            "an inner one that does not, behind one that was read",
            nulls(&[28, 3, 28, 1, 0, 28, 3], 3),
            Some((24, "array[1].array", 4)),
        ),
        ("pairs", nulls(&[27, 2], 4), None),
        ("a pair more", nulls(&[27, 3], 4), Some((4, "dictionary", 8))),
        (
            "an array as a key, whose values need room",
            nulls(&[27, 2, 28, 3], 5),
            Some((12, "dictionary[0].key.array", 4)),
        ),
        ("an array as a key that leaves room", nulls(&[27, 2, 28, 2], 5), None),
        (
            "texts in an array",
            [words(&[28, 2, 34, 3]), vec![0; 12]].concat(),
            Some((12, "array[0].packed_string_array", 4)),
        ),
        (
            "properties",
            [words(&[28, 2, 24, 1, 0x61, 2]), vec![0; 16]].concat(),
            Some((20, "array[0].object", 4)),
        ),
        (
            "a count of five hundred million in each of many",
            words(&[28, 0x1fff_ffff]).repeat(3),
            Some((4, "array", 0x1fff_ffff * 4 - 16)),
        ),
    ];
    for (name, bytes, expected) in rows {
        let found = decoder.decode(&bytes);
        match expected {
            None => assert!(found.is_ok(), "{name}: {found:?}"),
            Some((offset, path, needed)) => {
                let error = found.unwrap_err();
                let expected = (offset, path.to_owned(), "input.complete", Some(needed));
                assert_eq!(fault(&error), expected, "{name}");
            }
        }
    }
}

#[test]
fn a_packet_of_as_many_bytes_as_the_limit_is_read_and_a_longer_one_refused() {
    let decoder = Decoder::new(G4).limits(Limits::default().packet_bytes(64));
    let text = |letters: u32| [words(&[4, letters]), vec![b'x'; letters as usize]].concat();
    let long = |front: &[u32]| [words(front), vec![0; 80]].concat();
    let rows: Vec<(&str, Vec<u8>, Option<(u64, &str)>)> = vec![
        ("64 bytes of text and head", text(56), None),
        ("68 bytes of text and head", text(60), Some((0, ""))),
        ("a text of 64 letters", text(64), Some((0, ""))),
        ("a text of 65 letters, all there", text(68), Some((4, "string"))),
        ("a text of 65 letters, none there", words(&[4, 65]), Some((4, "string"))),
        ("64 bytes of nulls", nulls(&[28, 14], 14), None),
        ("68 bytes of nulls", nulls(&[28, 15], 15), Some((0, ""))),
        ("a count of 16 nulls", nulls(&[28, 16], 16), Some((0, ""))),
        ("a count of 17 nulls", nulls(&[28, 17], 17), Some((4, "array"))),
        ("a count of 9 pairs", nulls(&[27, 9], 18), Some((4, "dictionary"))),
        ("a count of 65 bytes", long(&[29, 65]), Some((4, "packed_byte_array"))),
        ("a count of 17 ints", long(&[30, 17]), Some((0, ""))),
        ("a count of 9 wide ints", long(&[31, 9]), Some((0, ""))),
        ("a count of 17 texts", long(&[34, 17]), Some((4, "packed_string_array"))),
    ];
    for (name, bytes, expected) in rows {
        let found = decoder.decode(&bytes);
        // Without values, all is refused in the same way.
        let walked = decoder.walk(&bytes).finish();
        match expected {
            None => assert!(found.is_ok() && walked.is_ok(), "{name}: {found:?} {walked:?}"),
            Some((offset, path)) => {
                let error = found.unwrap_err();
                let expected = (offset, path.to_owned(), "size.limit", None);
                assert_eq!(fault(&error), expected, "{name}");
                assert_eq!(error.kind(), ErrorKind::Limit, "{name}");
                assert_eq!(walked.unwrap_err().rule(), Rule::SIZE_LIMIT, "{name}");
            }
        }
    }
    // Of a reader, no more is read than the limit and a byte.
    let mut input = std::io::Cursor::new([0_u8; 1000]);
    let error = decoder.read(&mut input).unwrap_err();
    assert_eq!(fault(&error), (64, String::new(), "size.limit", None));
    assert_eq!(input.position(), 65);
}

#[test]
fn values_are_as_deep_as_the_limit_and_no_deeper() {
    for depth in [0, 1, 2, 5] {
        let limits = Limits::default().depth(depth);
        let (decoder, encoder) = (Decoder::new(G4).limits(limits), Encoder::new(G4).limits(limits));
        for containers in 0..8 {
            for front in [[28, 1].as_slice(), &[27, 1, 0]] {
                let bytes = [words(front).repeat(containers as usize), words(&[2, 7])].concat();
                let found = decoder.decode(&bytes);
                assert_eq!(found.is_ok(), containers <= depth, "{containers} of {depth}");
                assert_eq!(decoder.walk(&bytes).finish().is_ok(), containers <= depth);
                let value: Variant = from_slice(&bytes, G4).unwrap();
                assert_eq!(encoder.encode(&value).is_ok(), containers <= depth);
                if let Err(error) = found {
                    let offset = words(front).len() as u64 * u64::from(depth + 1);
                    // The key of a dictionary is the first of its values.
                    let key = if front.len() == 3 { 4 } else { 0 };
                    assert_eq!((error.offset(), error.rule()), (offset - key, Rule::DEPTH_LIMIT));
                }
            }
        }
    }
}

#[test]
fn a_check_names_the_form_of_the_bytes() {
    use Canonicality::{Canonical, NotCanonical, UnsetPadding};

    let (g2, g3) = (Dialect::GODOT2, Dialect::GODOT3);
    let different = |offset, length| Rewriting::Different { offset, length };
    let text = |padding: [u8; 3]| [&b"\x04\0\0\0\x05\0\0\0asdf!"[..], &padding].concat();
    let rows: Vec<(&str, Dialect, Vec<u8>, Canonicality, Rewriting, usize)> = vec![
        ("as the engine", G4, words(&[2, 7]), Canonical, Rewriting::Same, 0),
        ("a bool of 7", G4, words(&[1, 7]), NotCanonical, different(4, 8), 1),
        ("an int in 64 bits", G4, words(&[0x1_0002, 7, 0]), NotCanonical, different(2, 8), 1),
        ("padding of zeros", g2, text([0; 3]), Canonical, Rewriting::Same, 0),
        ("padding that is left", g2, text([0, 0, 7]), UnsetPadding, different(15, 16), 1),
        ("padding that is not", g3, text([0, 0, 7]), NotCanonical, different(15, 16), 1),
        (
            "padding that is left, and a bool",
            g2,
            [words(&[21, 2, 1, 7]), text([0, 0, 7])].concat(),
            NotCanonical,
            different(12, 32),
            2,
        ),
        (
            "padding that is left in one of two equal keys",
            g2,
            [words(&[20, 2]), text([0; 3]), words(&[0]), text([0, 0, 7]), words(&[0])].concat(),
            NotCanonical,
            different(4, 28),
            2,
        ),
    ];
    for (name, dialect, bytes, form, rewritten, notes) in rows {
        let check = Decoder::new(dialect).check(&bytes).unwrap();
        assert_eq!((check.form, &check.rewritten), (form, &rewritten), "{name}");
        assert_eq!((check.notes.len(), check.length), (notes, bytes.len()), "{name}");
        let canonical = Decoder::new(dialect).strictness(Strictness::Canonical).decode(&bytes);
        assert_eq!(canonical.is_ok(), notes == 0, "{name}");
        let mut counts = WarningCounts::default();
        let (_, length) = Decoder::new(dialect).look_at(&bytes, &mut counts).unwrap();
        assert_eq!((counts.total(), length), (notes as u64, bytes.len()), "{name}");
        assert_eq!(counts.only_padding_as_left(), form != NotCanonical, "{name}");
    }
}

#[test]
fn of_very_many_warnings_the_first_are_kept_and_all_are_counted() {
    let count = 25_000;
    let bools = words(&[1, 7]).repeat(count);
    let bytes = [words(&[0x1c, count as u32]), bools, words(&[])].concat();
    let check = Decoder::<f32>::new(G4).check(&bytes).unwrap();
    assert_eq!((check.notes.len(), check.counts.total()), (10_000, count as u64));
    assert_eq!(check.notes[9_000].path.to_string(), "array[9000].bool");
    assert_eq!((check.form, check.counts.iter().count()), (Canonicality::NotCanonical, 1));
}

#[test]
fn a_path_that_is_passed_over_is_held_to_the_same_rules() {
    // A NodePath `a`, in other forms than the engine's.
    let path = |counts: [u32; 2], flags: u32| {
        [&words(&[22, counts[0] | 1 << 31, counts[1], flags, 1]), &b"a\0\0\0"[..]].concat()
    };
    let rows: Vec<(&str, Vec<u8>, u64)> = vec![
        ("as the engine", path([1, 0], 0), 0),
        ("absolute", path([1, 0], 1), 0),
        ("a subname", path([0, 1], 0), 0),
        ("an unknown flag", path([1, 0], 8), 1),
        ("the flag of a property", [path([1, 0], 2), words(&[0])].concat(), 1),
        ("padding that is left", [&path([1, 0], 0)[..23], &[7]].concat(), 1),
        ("absolute, of no name", words(&[22, 1 << 31, 0, 1]), 0),
    ];
    for (name, bytes, count) in rows {
        let mut counts = WarningCounts::default();
        let (_, length) = Decoder::new(G4).look_at(&bytes, &mut counts).unwrap();
        assert_eq!((counts.total(), length), (count, bytes.len()), "{name}");
        let mut notes = Vec::new();
        let (_, length) = Decoder::new(G4).decode_with_warnings(&bytes, &mut notes).unwrap();
        assert_eq!((notes.len() as u64, length), (count, bytes.len()), "{name}");
    }
    let cut = words(&[22, 2 | 1 << 31, 0, 0, 0]);
    assert!(Decoder::new(G4).walk(&cut).finish().is_err());
}

#[test]
fn what_a_dialect_cannot_express_is_refused_and_nothing_is_written() {
    let object = |class: &str| {
        let class = class.into();
        Variant::from(Object::Full(Box::new(FullObject { class, properties: vec![] })))
    };
    let path = |absolute, names: &[&str], property: Option<&str>| {
        let names = names.iter().map(|&name| name.into()).collect();
        let property = property.map(Into::into);
        Variant::from(NodePath { absolute, names, subnames: vec![], property })
    };
    let rows: Vec<(&str, Dialect, Variant, Option<&str>)> = vec![
        ("an object", G4, object("Node"), None),
        ("an object without a class", G4, object(""), Some("dialect.value")),
        ("the number of an object", G4, Object::Id(7).into(), None),
        ("the number of no object", G4, Object::Id(0).into(), Some("dialect.value")),
        ("no object", G4, Object::Null.into(), None),
        ("an object where there are none", Dialect::GODOT2, object("Node"), Some("dialect.value")),
        ("an empty RID", Dialect::GODOT3, Variant::Rid(0), None),
        ("a RID", Dialect::GODOT3, Variant::Rid(1), Some("dialect.value")),
        ("a StringName", Dialect::GODOT3, Variant::StringName("a".into()), Some("dialect.type")),
        ("a text with a zero", G4, "a\0b".into(), Some("dialect.value")),
        ("a long text with a zero", G4, "a text of 24 letters \0...".into(), Some("dialect.value")),
        ("a mark in front", Dialect::GODOT3, "\u{feff}a".into(), Some("dialect.value")),
        ("a mark further on", G4, "a\u{feff}".into(), None),
        ("a path", G4, path(true, &["a"], None), None),
        ("a path that is only a /", Dialect::GODOT3, path(true, &[], None), Some("dialect.value")),
        ("an empty path", Dialect::GODOT3, path(false, &[], None), None),
        ("a property of a path", G4, path(false, &["a"], Some("b")), Some("dialect.value")),
        ("a property of a path", Dialect::GODOT2, path(false, &["a"], Some("b")), None),
        ("a large int", Dialect::GODOT2, Variant::Int(1 << 32), Some("dialect.value")),
        ("a signal", G4, Signal { name: "a".into(), object_id: 0 }.into(), None),
    ];
    for (name, dialect, value, rule) in rows {
        let mut out = b"before".to_vec();
        let result = Encoder::new(dialect).encode_into(&value, &mut out);
        assert_eq!(result.as_ref().err().map(|error| error.rule().name()), rule, "{name}");
        let mut written = Vec::new();
        assert_eq!(to_writer(&mut written, &value, dialect).is_ok(), rule.is_none(), "{name}");
        if rule.is_some() {
            assert_eq!((&out[..], written.len()), (&b"before"[..], 0), "{name}");
        } else {
            assert_eq!(out, [b"before", &written[..]].concat(), "{name}");
            let strict = Decoder::new(dialect).strictness(Strictness::Canonical);
            let again: Variant = strict.allow_objects(true).decode(&written).unwrap();
            let same = again.is_identical(&value) || again.variant_type() == VariantType::Nil;
            assert!(same, "{name}: {again:?}");
        }
    }
}

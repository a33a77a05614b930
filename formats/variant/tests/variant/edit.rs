//! Values found by path, and changed in the bytes.

use std::ops::Range;

use formwork_edit::{
    Compare, Difference, DifferenceKind, Literals, Names, Place, Step, Target, ValuePath,
    differing, splice,
};
use formwork_godot::Opener;
use formwork_godot::inspect::{Inspector, Kind, SpanType};
use formwork_godot::wrapper::Key;
use formwork_testkit::Noise;
use formwork_variant::dialect::Precision;
use formwork_variant::generate::arbitrary::Unstructured;
use formwork_variant::generate::{Config, variant};
use formwork_variant::{
    Array, Container, Dictionary, ElementType, Real, Variant, VariantType, Vector2,
};
use formwork_variant::{Decoder, Dialect, Encoder, Path, from_slice, to_vec, variant};

use crate::cases::{ENGINES, formats};

/// All places in a value, the whole first.
fn places<R: Real>(value: &Variant<R>) -> Vec<Place> {
    let mut places = vec![Place::default()];
    let mut at = 0;
    while let Some(place) = places.get(at).cloned() {
        let inside: Vec<Vec<Step>> = match place.get(value).and_then(Variant::container) {
            None => Vec::new(),
            Some(Container::Dictionary(pairs)) => {
                (0..pairs.len()).map(|at| vec![Step::Key(at), Step::Value(at)]).collect()
            }
            Some(Container::Object(object)) => {
                (0..object.properties.len()).map(|at| vec![Step::Property(at)]).collect()
            }
            Some(array) => (0..array.len()).map(|at| vec![Step::Element(at)]).collect(),
        };
        for step in inside.concat() {
            places.push(place.steps().iter().copied().chain([step]).collect::<Vec<_>>().into());
        }
        at += 1;
    }
    places
}

/// Finds the packets of values, by their paths.
fn ranges(bytes: &[u8], dialect: Dialect) -> Vec<(Path, Range<usize>)> {
    let mut inspector = Inspector::new(bytes, dialect);
    let mut found: Vec<(Path, Range<usize>)> = Vec::new();
    let mut open: Vec<(usize, u32)> = Vec::new();
    while let Some(Ok(span)) = inspector.next() {
        if span.kind == Kind::Part {
            continue;
        }
        let at = span.offset as usize;
        while let Some((number, _)) = open.pop_if(|(_, depth)| *depth >= span.depth) {
            found[number].1.end = at;
        }
        if let (Kind::Open, SpanType::Packet(_)) = (span.kind, span.layout) {
            open.push((found.len(), span.depth));
            found.push((inspector.path(), at..at));
        }
    }
    let end = inspector.position();
    open.into_iter().for_each(|(number, _)| found[number].1.end = end);
    found
}

/// The packets of the golden files, with their dialects.
fn golden() -> Vec<(Dialect, Vec<u8>)> {
    let mut packets = Vec::new();
    for engine in ENGINES {
        for file in ["values.jsonl"] {
            if engine.file(file).is_file() {
                let lines = engine.lines(file);
                let bytes = lines.iter().filter_map(|case| case.bytes("hex"));
                packets.extend(bytes.map(|bytes| (engine.dialect(), bytes)));
            }
        }
    }
    assert!(packets.len() > 500, "{}", packets.len());
    packets
}

fn decoder<R: Real>(dialect: Dialect) -> Decoder<R> {
    Decoder::new(dialect).in_precision().allow_objects(true)
}

#[test]
fn the_packet_that_a_path_leads_to_is_that_of_the_value() {
    let (mut found, mut places_seen) = (0, 0);
    for (dialect, bytes) in golden() {
        let decoder = decoder::<f32>(dialect);
        let Ok((value, length)) = decoder.decode_prefix(&bytes) else { continue };
        let bytes = &bytes[..length];
        for place in places::<f32>(&value) {
            places_seen += 1;
            let name = place.name(&value, dialect);
            let path = ValuePath::new(&name);
            let Some(range) = path.find_packet(bytes, &decoder).expect("it was read") else {
                continue;
            };
            found += 1;
            let own = path.find(&value, dialect).expect("a name leads somewhere");
            let part = decoder.decode(&bytes[range]).expect("it was read before");
            assert!(
                own.get(&value).is_some_and(|own| own.is_identical(&part)),
                "{dialect}: {name}"
            );
        }
    }
    assert!(2 * found > places_seen, "{found} of {places_seen}");
}

#[test]
fn every_place_in_the_golden_values_has_a_name_and_an_exact_path_that_lead_back() {
    let mut count = 0;
    for (dialect, bytes) in golden() {
        let Ok((value, _)) = decoder::<f32>(dialect).decode_prefix(&bytes) else { continue };
        for place in places(&value) {
            let exact = format!("{:#}", place.exact(&value));
            let found = ValuePath::new(&exact).find(&value, dialect);
            assert_eq!(found.as_ref().ok(), Some(&place), "{dialect}: {exact}: {found:?}");
            if place.steps().iter().any(|step| matches!(step, Step::Key(_))) {
                continue;
            }
            let name = place.name(&value, dialect);
            let found = ValuePath::new(&name).find(&value, dialect);
            assert_eq!(found.as_ref().ok(), Some(&place), "{dialect}: {name}: {found:?}");
            count += 1;
        }
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn the_name_of_an_entry_by_its_position_leads_to_it_whatever_other_keys_are_called() {
    let dialect = Dialect::GODOT4;
    // Keys that no text names, beside texts that look like positions and numbers.
    let nameless = || Variant::Array((0..40).map(Variant::Int).collect());
    let texts = ["[0]", "[1]", "[7]", "0", "1", "", "a/b", "a", "[1]/x", "\"[1]\"", "+"];
    let mut keys: Vec<Variant> = texts.iter().map(|text| (*text).into()).collect();
    keys.insert(1, nameless());
    // Its text is that of a position.
    keys.push(Variant::Array(vec![Variant::Int(2)].into()));
    keys.insert(4, Variant::Dictionary(vec![(1.into(), 2.into())].into()));
    let other = Variant::Array((40..80).map(Variant::Int).collect());
    keys.extend([Variant::Int(0), Variant::Int(1), other, Variant::Float(1.0)]);
    let inner = Variant::Dictionary(vec![("x".into(), 1.into()), (nameless(), 2.into())].into());
    for start in 0..keys.len() {
        keys.rotate_left(1);
        let pairs: Vec<_> = keys.iter().map(|key| (key.clone(), inner.clone())).collect();
        let value = Variant::Dictionary(pairs.into());
        let packet = to_vec(&value, dialect).expect("it can be written");
        let read: Variant = from_slice(&packet, dialect).expect("it was written");
        for place in places(&read) {
            if place.steps().iter().any(|step| matches!(step, Step::Key(_))) {
                continue;
            }
            let name = place.name(&read, dialect);
            let path = ValuePath::new(&name);
            let found = path.find(&read, dialect);
            assert_eq!(found.as_ref().ok(), Some(&place), "{start}: {name}");
            let Some(range) = path.find_packet(&packet, &Decoder::new(dialect)).unwrap() else {
                continue;
            };
            let part: Variant = from_slice(&packet[range], dialect).expect("a packet");
            assert!(place.get(&read).is_some_and(|it| it.is_identical(&part)), "{start}: {name}");
        }
    }
}

/// Naming one key must not read all keys: for each place this would take hours.
#[test]
fn many_places_of_a_large_dictionary_are_named() {
    let keys: [fn(i64) -> Variant; 2] = [|at| format!("key/{at}").into(), Variant::Int];
    for key in keys {
        let dictionary =
            |add: i64| (0..200_000).map(|at| (key(at), Variant::Int(at + add))).collect();
        let (old, new) = (Variant::Dictionary(dictionary(0)), Variant::Dictionary(dictionary(1)));
        let mut names = Names::new(&new, Dialect::GODOT4);
        let found = Compare::new().values(&old, &new);
        let named: Vec<_> = found.iter().map(|it| names.name(&it.new)).collect();
        assert_eq!(named.len(), 200_000);
        let last = named.last().expect("there are some");
        let place = ValuePath::new(last).find(&new, Dialect::GODOT4).expect("it is there");
        assert_eq!(place.get(&new), Some(&Variant::Int(200_000)), "{last}");
    }
}

#[test]
fn a_value_of_the_golden_packets_is_set_and_set_back_to_the_same_bytes() {
    let mut count = 0;
    for (dialect, bytes) in golden() {
        let Ok((old, length)) = decoder::<f32>(dialect).decode_prefix(&bytes) else { continue };
        let is_canonical = Encoder::new(dialect).encode(&old).is_ok_and(|it| it == bytes[..length]);
        if !is_canonical {
            continue;
        }
        for place in places(&old).into_iter().take(40) {
            let was = place.get(&old).unwrap().clone();
            let mut new = old.clone();
            *place.get_mut(&mut new).unwrap() =
                if was.is_nil() { Variant::Int(7) } else { Variant::Nil };
            // Not every place may hold every type.
            let encoder = Encoder::new(dialect);
            let Ok(changed) = splice(&bytes, &new, &encoder) else { continue };
            assert_ne!(changed, bytes, "{dialect}");
            let again = splice(&changed, &old, &encoder).unwrap();
            assert_eq!(again, bytes, "{dialect}: {}", place.exact(&old));
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn two_packets_read_as_far_as_they_differ_have_the_differences_of_the_whole_values() {
    let (mut noise, mut count, mut unlike) = (Noise::new(3), 0, 0);
    let config = Config { single_percent: 10, ..Config::default() };
    let dialect = Dialect::GODOT4;
    let reader = decoder::<f32>(dialect);
    for _ in 0..3000 {
        let seed = noise.bytes(400);
        let mut u = Unstructured::new(&seed);
        // Dictionaries that have most of their pairs in common, in any order.
        let mut next = || variant::<f32>(&mut u, dialect, &config);
        let (mut old, mut new) = (Dictionary::new(), Dictionary::new());
        for _ in 0..noise.below(8) {
            let (Ok(key), Ok(value)) = (next(), next()) else { break };
            old.insert(key.clone(), value.clone());
            let place = noise.below(new.len() + 1);
            let changed = next().ok().filter(|_| noise.below(4) == 0);
            new.insert(key, changed.unwrap_or(value));
            if noise.below(4) == 0 {
                let last = new.len() - 1;
                new.swap(place.min(last), last);
            }
        }
        let (old, new) = (Variant::Dictionary(old), Variant::Dictionary(new));
        let (Ok(olds), Ok(news)) = (to_vec(&old, dialect), to_vec(&new, dialect)) else { continue };
        let [old, new] = [&olds, &news].map(|bytes| reader.decode(bytes).unwrap());
        let Some([left, right]) = differing(&olds, &news, &reader) else { continue };
        let all = |old: &Variant, new: &Variant| -> Vec<_> {
            let found = Compare::new().values(old, new);
            found.into_iter().map(|it| format!("{:?} {:?} {:?}", it.kind, it.old, it.new)).collect()
        };
        assert_eq!(all(&left, &right), all(&old, &new), "{old:?} {new:?}");
        count += 1;
        unlike += usize::from(left != old);
    }
    assert!(count > 1000 && unlike > 500, "{count} {unlike}");
}

#[test]
fn packets_that_are_no_plain_dictionaries_are_read_whole() {
    let reader = decoder::<f32>(Dialect::GODOT4);
    let packet = |value: Variant| to_vec(&value, Dialect::GODOT4).unwrap();
    let plain = packet(variant!({ "a": 1 }));
    assert!(differing(&plain, &plain, &reader).is_some());
    assert!(differing(&plain, &packet(variant!([1])), &reader).is_none());
    assert!(differing(&plain[..plain.len() - 4], &plain, &reader).is_none());
    assert!(differing(&[&plain[..], &[0; 4]].concat(), &plain, &reader).is_none());
    // The same key twice: an engine takes the last one.
    let twice = [&[27, 0, 0, 0, 2, 0, 0, 0][..], &plain[8..], &plain[8..]].concat();
    assert!(differing(&twice, &plain, &reader).is_none());
}

/// Edits random values a thousand times. Unchanged parts must keep their bytes, which is checked with an inspector
/// that knows nothing of values.
fn edits<R: Real>(dialect: Dialect) -> usize {
    let (mut noise, mut count) = (Noise::new(1), 0);
    let encoder = Encoder::new(dialect).in_precision::<R>();
    let config = Config { single_percent: 10, ..Config::default() };
    for _ in 0..8000 {
        if count == 1000 {
            break;
        }
        let seed = noise.bytes(600);
        let mut u = Unstructured::new(&seed);
        let (Ok(old), Ok(other)) =
            (variant::<R>(&mut u, dialect, &config), variant::<R>(&mut u, dialect, &config))
        else {
            continue;
        };
        let packet = encoder.encode(&old).unwrap();
        let all = places(&old);
        let place = &all[usize::from(seed[0]) * 256 % all.len()];
        let (was, key) =
            (place.get(&old).unwrap(), matches!(place.steps().last(), Some(Step::Key(_))));
        let ranges = ranges(&packet, dialect);
        let range = |place: &Place| -> Range<usize> {
            let own = place.get(&old).unwrap().variant_type().path_name();
            let exact = place.exact(&old).to_string();
            let path = if exact.is_empty() { own.to_owned() } else { format!("{exact}.{own}") };
            let found = ranges.iter().find(|(known, _)| known.to_string() == path);
            found.unwrap_or_else(|| panic!("{path}: {ranges:?}")).1.clone()
        };
        let there = range(place);
        let mut new = old.clone();
        let removes = seed[1] % 3 == 0 && !key && !place.steps().is_empty();
        if removes {
            assert!(place.remove(&mut new).is_some());
        } else {
            *place.get_mut(&mut new).unwrap() = other.clone();
        }
        // Not every place may hold every type; some keys must differ.
        let Ok(changed) = splice(&packet, &new, &encoder) else { continue };
        let again = decoder::<R>(dialect).decode(&changed).unwrap();
        assert!(again.is_identical(&new), "{dialect}: {old:?} -> {new:?}");
        if removes {
            let start = match place.steps().split_last() {
                Some((Step::Value(at), around)) => {
                    let key = around.iter().copied().chain([Step::Key(*at)]).collect::<Vec<_>>();
                    range(&key.into()).start
                }
                Some((Step::Property(_), _)) => continue,
                _ => there.start,
            };
            assert_eq!(changed[start..], packet[there.end..], "{dialect}: {old:?}");
            let differs = (0..start).filter(|&at| changed[at] != packet[at]).collect::<Vec<_>>();
            assert!(differs.len() <= 4 && differs.iter().all(|at| at - differs[0] < 4));
        } else if was.variant_type() != other.variant_type() {
            let inner = encoder.encode(&other).unwrap();
            let expected = [&packet[..there.start], &inner, &packet[there.end..]].concat();
            assert!(changed == expected, "{dialect}: {old:?} -> {new:?}");
        }
        count += 1;
    }
    count
}

#[test]
fn a_thousand_random_edits_per_dialect_touch_nothing_else() {
    for dialect in Dialect::all() {
        let count = edits::<f32>(dialect);
        assert!(count >= 1000, "{dialect}: {count}");
    }
}

#[test]
fn random_edits_touch_nothing_else_in_double_precision() {
    let double = Dialect::GODOT4.with_precision(Precision::Double).unwrap();
    assert!(edits::<f64>(double) >= 1000);
}

#[test]
fn padding_unused_bits_and_widths_of_what_does_not_change_stay() {
    // {"ab": 5 in 64 bits, "c": [1]} with odd bits in headers and padding.
    let packet: &[u8] = &[
        18, 0, 7, 0x80, 2, 0, 0,
        0x80, // Dictionary with odd bits, 2 pairs with the mark of Godot 2
        4, 1, 0, 0, 2, 0, 0, 0, b'a', b'b', 0xaa, 0xbb, // "ab" with odd bits and padding
        2, 0, 1, 0, 5, 0, 0, 0, 0, 0, 0, 0, // 5 in 64 bits
        4, 0, 0, 0, 1, 0, 0, 0, b'c', 1, 2, 3, // "c" with odd padding
        19, 0, 0, 0x40, 1, 0, 0, 0, 2, 9, 0, 0, 1, 0, 0, 0, // [1] with odd bits
    ];
    let dialect = Dialect::GODOT3;
    let old = from_slice(packet, dialect).unwrap();
    let encoder = Encoder::new(dialect);
    let set = |path: &str, value: Variant| {
        let mut new = old.clone();
        let (_, target) =
            ValuePath::new(path).find_or_new(std::slice::from_ref(&new), dialect).unwrap();
        target.put(&mut new, value);
        splice(packet, &new, &encoder).unwrap()
    };
    // Odd bits and the width of a number stay, whatever it is.
    let mut expected = packet.to_vec();
    expected[24] = 9;
    assert_eq!(set("ab", 9.into()), expected);
    let mut expected = packet.to_vec();
    *expected.last_chunk_mut().unwrap() = 77_i32.to_le_bytes();
    assert_eq!(set("c/0", 77.into()), expected);
    // An element more: a count, and the bytes of the element.
    let mut expected = packet.to_vec();
    expected[48] = 2;
    expected.extend_from_slice(&to_vec(&Variant::Nil, dialect).unwrap());
    assert_eq!(set("c/+", Variant::Nil), expected);
    // A pair more.
    let mut expected = packet.to_vec();
    expected[4] = 3;
    expected.extend_from_slice(&[4, 0, 0, 0, 1, 0, 0, 0, b'd', 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    assert_eq!(set("d", true.into()), expected);
    // A pair less.
    let mut new = old.clone();
    ValuePath::new("ab").find(&new, dialect).unwrap().remove(&mut new).unwrap();
    let mut expected = packet.to_vec();
    expected.drain(8..32);
    expected[4] = 1;
    assert_eq!(splice(packet, &new, &encoder).unwrap(), expected);
}

#[test]
fn a_typed_array_of_objects_keeps_the_odd_bits_of_its_class() {
    let front = [27, 0, 0, 0, 23, 0, 0, 0, 24, 0, 128, 0, 1, 0, 0, 0, b'N', 0, 0, 0];
    let packet = |nulls: u8| [&front, &[nulls, 0, 0, 0][..], &vec![0; 4 * nulls as usize]].concat();
    let dialect = Dialect::PANDEMONIUM5;
    let mut new = decoder::<f32>(dialect).decode(&packet(2)).unwrap();
    Place::from(vec![Step::Element(0)]).remove(&mut new).unwrap();
    assert_eq!(splice(&packet(2), &new, &Encoder::new(dialect)).unwrap(), packet(1));
}

#[test]
fn bytes_behind_a_value_in_its_frame_stay() {
    let mut frame = vec![12, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
    frame.extend_from_slice(b"tail");
    let opener = Opener::new().dialect(Dialect::GODOT3);
    let mut file = opener
        .framing(formwork_godot::Framing::Frames(formwork_variant::frame::ByteOrder::Little))
        .open(&frame)
        .unwrap();
    assert_eq!(file.set("", 1_i64 << 40).unwrap(), 7);
    let mut expected = vec![16, 0, 0, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0];
    expected.extend_from_slice(b"tail");
    assert_eq!(file.to_vec().unwrap(), expected);
}

#[test]
fn keys_of_every_kind_are_found() {
    let dialect = Dialect::GODOT4;
    let value: Variant = Variant::Dictionary(
        [
            (Variant::from("a"), Variant::Int(0)),
            (Variant::Int(1), Variant::Int(1)),
            (Variant::from("1"), Variant::Int(2)),
            (Vector2::new(1.0, 2.0).into(), Variant::Int(3)),
            (Variant::Bool(true), Variant::Int(4)),
            (Variant::from("a/b"), Variant::Int(5)),
            (Variant::from("x/y/z"), variant!({ "in": 6 })),
            (Variant::from(""), Variant::Int(7)),
            (Variant::from("[0]"), Variant::Int(8)),
            (Variant::StringName("a".into()), Variant::Int(9)),
            (Variant::from("\"q\\"), Variant::Int(10)),
            (Variant::Float(2.5), variant!([1, [2, 3]])),
        ]
        .into_iter()
        .collect(),
    );
    let at = |path: &str| {
        let place = ValuePath::new(path).find(&value, dialect).unwrap();
        let name = place.name(&value, dialect);
        assert_eq!(ValuePath::new(&name).find(&value, dialect).unwrap(), place, "{name}");
        (place.get(&value).unwrap().as_int(), name)
    };
    let cases = [
        ("a", 0, "a"),
        ("1", 2, "1"),
        ("[1]", 1, "[1]"),
        ("Vector2(1, 2)", 3, "Vector2(1, 2)"),
        ("true", 4, "true"),
        ("\"a/b\"", 5, "\"a/b\""),
        ("a/b", 5, "\"a/b\""),
        ("x/y/z/in", 6, "x/y/z/in"),
        ("\"\"", 7, "\"\""),
        ("[0]", 8, "\"[0]\""),
        ("[9]", 9, "[9]"),
        ("\"\\\"q\\\\\"", 10, "\"\\\"q\\\\\""),
        ("2.5/1/0", 2, "2.5/1/0"),
        ("2.5/-1/-1", 3, "2.5/1/1"),
        ("/a/", 0, "a"),
        ("dictionary[5].value", 5, "\"a/b\""),
        ("frame[0].dictionary[11].value.array[1].array[0].int", 2, "2.5/1/0"),
        ("[0].dictionary[5].value", 5, "\"a/b\""),
    ];
    for (path, expected, name) in cases {
        assert_eq!(at(path), (Some(expected), name.to_owned()), "{path}");
    }
}

#[test]
fn an_error_names_the_nearest_place_and_what_is_there() {
    let dialect = Dialect::GODOT4;
    let value: Variant =
        variant!({ "player": { "gold": 1, "level": 2, "bag": ["sword", "lamp"] }, "x": {} });
    let error = |path: &str| {
        let error = ValuePath::new(path).find(&value, dialect).unwrap_err();
        format!("{} {} | {} | {}", error.offset(), error.path(), error.expected(), error.found())
    };
    let cases = [
        (
            "player/glod",
            "7 dictionary[0].value | gold | glod in player (a Dictionary of 3 entries)",
        ),
        ("Player", "0  | player | Player in a Dictionary of 2 entries"),
        (
            "player/9",
            "7 dictionary[0].value | gold, level, bag | 9 in player (a Dictionary of 3 entries)",
        ),
        (
            "player/bag/2",
            "11 dictionary[0].value.dictionary[2].value | a position from 0 to 1 | 2 in player/bag (an Array of 2 elements)",
        ),
        (
            "player/gold/a",
            "12 dictionary[0].value.dictionary[0].value | the end of the path | a in player/gold (an int)",
        ),
        ("x/a", "2 dictionary[1].value | the end of the path | a in x (a Dictionary of 0 entries)"),
        (
            "dictionary[0].value.array[0]",
            "20 dictionary[0].value | a place in a Dictionary of 3 entries | array[0]",
        ),
    ];
    for (path, expected) in cases {
        assert_eq!(error(path), expected, "{path}");
    }
    let values = [value.clone(), Variant::Int(1)];
    let find = |path: &str| ValuePath::new(path).find_in(&values, dialect);
    assert_eq!(find("0/player/gold").unwrap().0, 0);
    assert_eq!(find("-1").unwrap(), (1, Place::default()));
    assert_eq!(find("frame[1]").unwrap(), (1, Place::default()));
    let error = find("player").unwrap_err();
    assert_eq!((error.expected(), error.found()), ("the number of a value, 0 to 1", "player"));
    assert!(find("2").is_err() && find("").is_err() && find("frame[2]").is_err());
}

#[test]
fn a_new_entry_needs_a_container_that_is_there() {
    let dialect = Dialect::GODOT4;
    let value: Variant = variant!({ "player": { "gold": 1 }, "bag": ["lamp"] });
    let new = |path: &str| {
        let values = std::slice::from_ref(&value);
        match ValuePath::new(path).find_or_new(values, dialect) {
            Ok((_, target @ Target::New(..))) => {
                let mut changed = value.clone();
                assert!(target.put(&mut changed, Variant::Bool(true)).is_none());
                let place = target.place(&changed);
                assert_eq!(place.get(&changed), Some(&Variant::Bool(true)), "{path}");
                place.name(&changed, dialect)
            }
            Ok((_, Target::There(_))) => "there".to_owned(),
            Err(_) => "refused".to_owned(),
        }
    };
    let cases = [
        ("player/hp", "player/hp"),
        ("player/gold", "there"),
        ("player/pets/0", "refused"),
        ("player/\"pets/0\"", "player/pets/0"),
        ("bag/+", "bag/1"),
        ("bag/+0", "bag/0"),
        ("bag/1", "bag/1"),
        ("bag/2", "refused"),
        ("bag/+3", "refused"),
        ("player/gold/x", "refused"),
    ];
    for (path, expected) in cases {
        assert_eq!(new(path), expected, "{path}");
    }
}

#[test]
fn set_and_set_back_gives_the_same_file_whatever_is_around_it() {
    let folder = formats().join("godot3/golden/3.6.2/files");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "save") {
            continue;
        }
        let bytes = std::fs::read(&path).unwrap();
        let opener =
            || Opener::new().dialect(Dialect::GODOT3).key(Key::from_password("correct horse"));
        let mut file = match opener().open(&bytes) {
            Ok(file) => file,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        let several = file.values().len() > 1;
        let top = if several { "0/" } else { "" };
        let Some(Container::Dictionary(pairs)) = file.values()[0].container() else { continue };
        let Some((key, was)) = pairs.iter().find(|(_, value)| value.is_int()) else { continue };
        let (key, was) = (format!("{top}{}", key.as_str().unwrap()), was.clone());
        let content = |bytes: &[u8]| {
            let mut file = formwork_godot::wrapper::Unwrapped::new(bytes);
            file.take_out_all(Some(&Key::from_password("correct horse")), &Default::default())
                .unwrap();
            file.into_bytes()
        };
        assert_eq!(file.set(&key, 123_456_789).unwrap(), was);
        let changed = file.to_vec().unwrap();
        assert_ne!(content(&changed), content(&bytes));
        let mut file = opener().open(&changed).unwrap();
        assert_eq!(file.get(&key).unwrap(), &123_456_789);
        file.set(&key, was).unwrap();
        assert_eq!(content(&file.to_vec().unwrap()), content(&bytes), "{}", path.display());
        count += 1;
    }
    assert!(count >= 10, "{count}");
}

/// The differences as lines: `changed player/gold`.
fn differences(old: &Variant, new: &Variant) -> Vec<String> {
    let found = Compare::new().values(old, new);
    let name = |it: &Difference<'_>| match it.kind {
        DifferenceKind::Removed => it.old.name(old, Dialect::GODOT4),
        _ => it.new.name(new, Dialect::GODOT4),
    };
    found.iter().map(|it| format!("{} {}", it.kind.name(), name(it))).collect()
}

#[test]
fn values_are_compared_entry_by_entry_and_elements_by_what_they_are_like() {
    let item = |id: i64, qty: i64| variant!({ "id": (id), "qty": (qty), "name": "x", "tint": 1 });
    let array = |items: Vec<Variant>| Variant::Array(items.into());
    let old = array(vec![item(1, 1), item(2, 2), item(3, 3)]);
    let cases = [
        (vec![item(1, 1), item(2, 2), item(3, 3)], vec![]),
        (vec![item(1, 1), item(2, 9), item(3, 3)], vec!["changed 1/qty"]),
        (vec![item(2, 2), item(3, 3)], vec!["removed 0"]),
        (vec![item(0, 0), item(1, 1), item(2, 2), item(3, 3)], vec!["added 0"]),
        (
            vec![variant!({ "else": 1 }), item(1, 9), item(3, 3)],
            vec!["removed 1", "added 0", "changed 1/qty"],
        ),
    ];
    for (new, expected) in cases {
        assert_eq!(differences(&old, &array(new)), expected);
    }
    let old: Variant = variant!({ "a": 1, "b": 2, "c": { "d": [1, 2, 3] }, "e": 5 });
    let new: Variant =
        variant!({ "a": 1, "c": { "d": [1, 9, 3, 4] }, "e": 5.0, "b": 2, "f": null });
    let expected = ["moved b", "added f", "added c/d/3", "changed c/d/1", "changed e"];
    assert_eq!(differences(&old, &new), expected);
    assert_eq!(differences(&old, &Variant::Nil), ["changed "]);
    let mut typed = Array::from(vec![Variant::Int(1)]);
    typed.set_element_type(Some(ElementType::Builtin(VariantType::Int)));
    assert_eq!(differences(&variant!([1]), &Variant::Array(typed)), ["front "]);
}

#[test]
fn floats_that_differ_by_little_are_the_same_where_that_is_asked_for() {
    let value =
        |x: f32| variant!({ "a": (f64::from(x)), "p": (Variant::from(Vector2::new(x, 1.0))) });
    let found =
        |tolerance| Compare::new().tolerance(tolerance).values(&value(1.0), &value(1.01)).len();
    assert_eq!((found(0.0), found(0.001), found(0.02)), (2, 2, 0));
}

#[test]
fn the_differences_of_random_values_tell_them_apart() {
    let (mut noise, mut count) = (Noise::new(1), 0);
    for _ in 0..400 {
        let seed = noise.bytes(400);
        let mut u = Unstructured::new(&seed);
        let config = Config::default();
        let (Ok(old), Ok(new)) = (
            formwork_variant::generate::variant::<f32>(&mut u, Dialect::GODOT4, &config),
            formwork_variant::generate::variant::<f32>(&mut u, Dialect::GODOT4, &config),
        ) else {
            continue;
        };
        let found = Compare::new().values(&old, &new);
        assert_eq!(found.is_empty(), old.is_identical(&new));
        for it in &found {
            let is_there = |place: &Place, value: &Variant, said: Option<&Variant>| {
                said.is_none_or(|said| place.get(value).is_some_and(|it| it.is_identical(said)))
            };
            assert!(is_there(&it.old, &old, it.before) && is_there(&it.new, &new, it.after));
        }
        count += 1;
    }
    assert!(count > 300);
}

#[test]
fn any_text_is_a_path_and_leads_to_a_place_or_an_error() {
    let value: Variant = variant!({ "a": { "b": [1, [2]], "a/b": 3 }, "\"": 4, "é": [], "[": 5 });
    let pieces = [
        "a",
        "b",
        "/",
        "\"",
        "\\",
        "u00",
        "[",
        "]",
        "0",
        "1",
        "-",
        "+",
        ".",
        "é",
        "array",
        "dictionary",
    ];
    // Few texts lead to a place: two of this seed's.
    let mut noise = Noise::new(0);
    let mut found = 0;
    for _ in 0..20_000 {
        let text: String =
            noise.bytes(9).iter().map(|byte| pieces[usize::from(byte % 16)]).collect();
        let path = ValuePath::new(&text);
        match path.find(&value, Dialect::GODOT4) {
            Ok(place) => {
                assert!(place.get(&value).is_some(), "{text}");
                found += 1;
            }
            Err(error) => assert!(error.offset() as usize <= text.len(), "{text}: {error}"),
        }
        if let Ok((_, target)) = path.find_or_new(std::slice::from_ref(&value), Dialect::GODOT4) {
            let mut changed = value.clone();
            target.put(&mut changed, Variant::Nil);
        }
    }
    assert!(found > 0);
    let long = "a/".repeat(20_000);
    assert!(ValuePath::new(&long).find(&value, Dialect::GODOT4).is_err());
}

#[test]
fn damaged_packets_are_refused_or_changed_and_never_more() {
    let old: Variant = variant!({ "a": [1, 2.5, "text"], "b": { "c": null } });
    let new: Variant = variant!({ "a": [1, "text"], "b": { "c": 7 } });
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM] {
        let packet = to_vec(&old, dialect).unwrap();
        let encoder = Encoder::new(dialect);
        for end in 0..packet.len() {
            assert!(splice(&packet[..end], &new, &encoder).is_err());
        }
        for bit in 0..8 * packet.len() {
            let mut damaged = packet.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            let Ok((_, length)) = decoder::<f32>(dialect).decode_prefix(&damaged) else { continue };
            let changed = splice(&damaged, &new, &encoder).unwrap();
            let again = decoder::<f32>(dialect).decode_prefix(&changed).unwrap().0;
            let meant = decoder::<f32>(dialect).decode(&encoder.encode(&new).unwrap()).unwrap();
            assert!(again.is_identical(&meant), "{dialect}, bit {bit}");
            assert!(changed.ends_with(&damaged[length..]));
        }
    }
}

#[test]
fn only_numbers_that_overflow_are_infinite() {
    let literals = Literals::new(Dialect::GODOT4);
    // (The base64 of these bytes is `infA`.)
    let bytes = literals.any::<f32>("PackedByteArray(138, 119, 192)").unwrap();
    assert_eq!(bytes, Variant::PackedByteArray(vec![138, 119, 192]));
    assert_eq!(literals.any::<f32>("Vector2(inf, 0)").unwrap().to_string(), "Vector2(inf, 0)");
    assert_eq!(literals.any::<f32>(r#"{"info": 1, "x": Vector2(1e999, 0)}"#), None);
}

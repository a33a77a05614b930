//! Values that are gone through without being made.

use formwork_variant::codec::events::{Begin, Event, Leaf};
use formwork_variant::codec::{self, Part, Visit, WarningCounts};
use formwork_variant::{Decoder, Dialect, Encoder, Limits, Strictness, to_vec};
use formwork_variant::{FullObject, Object, Variant, VariantType};

const G4: Dialect = Dialect::GODOT4;

fn visits<'a>(decoder: &Decoder, bytes: &'a [u8]) -> Vec<Visit<'a>> {
    decoder.walk(bytes).collect::<Result<_, _>>().expect("a value")
}

/// Asserts that the walk and the decoder give the same result for some bytes.
fn assert_alike(decoder: &Decoder, bytes: &[u8]) {
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let decoder = decoder.strictness(strictness);
        let (mut made_notes, mut notes) = (WarningCounts::default(), WarningCounts::default());
        let made = decoder.decode_counting_warnings(bytes, &mut made_notes);
        let walked = decoder.walk_counting_warnings(bytes, &mut notes).finish();
        assert_eq!(made.map(|(_, length)| length), walked, "{strictness:?}");
        assert_eq!(made_notes, notes, "{strictness:?}");
    }
}

/// A dictionary with these packets as its keys, each with a null.
fn with_keys(keys: &[Vec<u8>], kinds: u32) -> Vec<u8> {
    let mut bytes = (27 | kinds << 16).to_le_bytes().to_vec();
    // Typed keys: of ints.
    if kinds == 1 {
        bytes.extend(2_u32.to_le_bytes());
    }
    bytes.extend((keys.len() as u32).to_le_bytes());
    for key in keys {
        bytes.extend(key);
        bytes.extend([0; 4]);
    }
    bytes
}

fn dictionary<const N: usize>(pairs: [(&str, Variant); N]) -> Variant {
    pairs.into_iter().collect()
}

fn packet(value: impl Into<Variant>) -> Vec<u8> {
    Encoder::new(G4).encode(&value.into()).expect("Godot 4 has it")
}

#[test]
fn a_walk_says_where_everything_stands() {
    let mut save = dictionary([("hp", Variant::Int(5)), ("name", "Ann".into())]);
    save["bag"] = vec![Variant::Float(0.5), Variant::Nil].into();
    let bytes = packet(save.clone());
    let decoder = Decoder::new(G4);
    let found = visits(&decoder, &bytes);
    let seen: Vec<_> = found.iter().map(|it| (it.depth, it.part, it.event)).collect();
    let expected = [
        (0, Part::Whole, Event::Begin(Begin::new(VariantType::Dictionary, 3, false))),
        (1, Part::Key(0), Event::Leaf(Leaf::String("hp"))),
        (1, Part::Value(0), Event::Leaf(Leaf::Int(5))),
        (1, Part::Key(1), Event::Leaf(Leaf::String("name"))),
        (1, Part::Value(1), Event::Leaf(Leaf::String("Ann"))),
        (1, Part::Key(2), Event::Leaf(Leaf::String("bag"))),
        (1, Part::Value(2), Event::Begin(Begin::new(VariantType::Array, 2, false))),
        (2, Part::Element(0), Event::Leaf(Leaf::Float(0.5))),
        (2, Part::Element(1), Event::Leaf(Leaf::Nil)),
        (1, Part::Value(2), Event::End),
        (0, Part::Whole, Event::End),
    ];
    assert_eq!(seen, expected);
    assert_eq!(found[0].range, 0..8);
    assert_eq!(found[1].range, 8..20);
    assert_eq!(found[9].range.end, bytes.len());
    assert_eq!(found[10].range, 0..bytes.len());
    let walk = decoder.walk(&bytes);
    assert!(walk.value(&found[10]).expect("a value").is_identical(&save));
    assert!(walk.value(&found[6]).expect("a value").is_identical(&save["bag"]));
}

#[test]
fn a_container_is_passed_over_on_demand() {
    let bag: Variant = vec![Variant::from(vec![Variant::Int(1)]), Variant::Int(2)].into();
    let bytes = packet(dictionary([("bag", bag), ("hp", 5.into())]));
    let mut walk = Decoder::new(G4).walk(&bytes);
    let bag = walk.by_ref().map(|visit| visit.unwrap()).nth(2).expect("it is there");
    let range = walk.pass_over().expect("values");
    assert_eq!(
        (range.start, bag.event),
        (bag.range.start, Event::Begin(Begin::new(VariantType::Array, 2, false)))
    );
    let rest: Vec<_> = walk.map(|visit| visit.unwrap().event).collect();
    assert_eq!(rest, [Event::Leaf(Leaf::String("hp")), Event::Leaf(Leaf::Int(5)), Event::End]);
    // Where none is open, all is passed over.
    assert_eq!(Decoder::new(G4).walk(&bytes).pass_over(), Ok(0..bytes.len()));
}

#[test]
fn properties_have_names() {
    let properties =
        vec![("a".into(), Variant::Int(1)), ("b".into(), Vec::<Variant>::new().into())];
    let object = Object::Full(Box::new(FullObject { class: "Node".into(), properties }));
    let bytes = Encoder::new(G4).encode(&Variant::Object(object)).expect("Godot 4 has it");
    let decoder = Decoder::new(G4).allow_objects(true);
    let parts: Vec<_> = visits(&decoder, &bytes).into_iter().map(|it| it.part).collect();
    let (a, b) = (Part::Property(0, Some("a")), Part::Property(1, Some("b")));
    assert_eq!(parts, [Part::Whole, a, b, b, Part::Whole]);
    assert_alike(&decoder, &bytes);
    // Not allowed.
    assert_alike(&Decoder::new(G4), &bytes);
}

#[test]
fn keys_that_come_twice_are_found_as_the_decoder_finds_them() {
    let name = |text: &str| packet(Variant::StringName(text.into()));
    let many = |count: i64| (0..count).map(packet).collect::<Vec<_>>();
    let texts = |count: i64| (0..count).map(|at| packet(at.to_string())).collect::<Vec<_>>();
    let nested = |at: i64| packet(vec![Variant::Int(at), dictionary([("x", at.into())])]);
    let lists = [
        vec![packet(1), packet(2), packet(1)],
        vec![packet("a"), name("a")],
        vec![packet(1.0), packet(1), packet(-0.0), packet(0.0)],
        vec![packet(f64::NAN), packet(f64::NAN)],
        vec![nested(1), nested(2), nested(1)],
        vec![packet(vec![1.0_f32]), packet(vec![1.0_f32])],
        [many(100), many(1)].concat(),
        [texts(100), texts(3), vec![name("7")]].concat(),
        [many(20), vec![nested(1), packet(0.5), nested(1), packet(0.5)]].concat(),
        (0..40).map(|at: i32| packet(f64::from(at % 30))).collect(),
        // The same text in other bytes: with a zero after it.
        vec![packet("abc"), b"\x04\0\0\0\x05\0\0\0abc\0d\0\0\0".to_vec()],
        (0..20).map(nested).chain([nested(3)]).collect(),
    ];
    for dialect in [G4, Dialect::GODOT3, Dialect::GODOT2] {
        for keys in &lists {
            let mut bytes = with_keys(keys, 0);
            if dialect != G4 {
                // Other numbers mean other types there: any bytes will do.
                bytes[0] = if dialect == Dialect::GODOT3 { 18 } else { 20 };
            }
            assert_alike(&Decoder::new(dialect), &bytes);
            let around = [packet(Vec::<Variant>::new())[..4].to_vec(), vec![1, 0, 0, 0], bytes];
            assert_alike(&Decoder::new(dialect), &around.concat());
        }
    }
    for keys in &lists {
        assert_alike(&Decoder::new(G4), &with_keys(keys, 1));
    }
}

#[test]
fn elements_of_other_types_are_found_as_the_decoder_finds_them() {
    let array = |element: u32, values: &[Vec<u8>]| {
        let mut bytes = (28 | 1_u32 << 16).to_le_bytes().to_vec();
        bytes.extend(element.to_le_bytes());
        bytes.extend((values.len() as u32).to_le_bytes());
        bytes.extend(values.concat());
        bytes
    };
    let values = [
        packet(1),
        packet("a"),
        packet(true),
        packet(Variant::Nil),
        packet(Vec::<Variant>::new()),
        packet(vec![1.0_f32]),
        packet(dictionary([("a", 1.into())])),
        packet(Variant::Object(Object::Null)),
    ];
    for element in 0..39 {
        for value in &values {
            assert_alike(&Decoder::new(G4), &array(element, std::slice::from_ref(value)));
        }
        assert_alike(&Decoder::new(G4), &array(element, &values));
        let inside = array(28, &[array(element, &values), packet(1)]);
        assert_alike(&Decoder::new(G4).allow_objects(true), &inside);
    }
}

#[test]
fn a_container_behind_a_dictionary_is_no_key_of_it() {
    let array = packet(vec![Variant::Nil; 3]);
    let bytes = [with_keys(&[packet(1.5), packet(7)], 0), array[..8].to_vec()].concat();
    assert_alike(&Decoder::new(G4), &bytes);
    assert_eq!(Decoder::new(G4).walk(&bytes).finish(), Ok(bytes.len() - 8));
}

#[test]
fn bytes_that_are_a_key_are_shown() {
    let key = packet(vec![1_u8, 2, 3]);
    let bytes = with_keys(&[key], 0);
    let decoder = Decoder::new(G4);
    assert_eq!(visits(&decoder, &bytes)[1].event, Event::Leaf(Leaf::Bytes(&[1, 2, 3])));
}

#[test]
fn a_walk_ends_at_the_limits_of_the_decoder() {
    let deep = |depth: usize| [[28, 0, 0, 0, 1, 0, 0, 0].repeat(depth), vec![0; 4]].concat();
    for depth in [1023, 1024, 1025, 5000] {
        assert_alike(&Decoder::new(G4), &deep(depth));
        assert_alike(&Decoder::new(G4).limits(Limits::new().depth(3)), &deep(depth));
    }
    let bytes = packet(dictionary([("a", Variant::from(vec![1.0_f32; 20]))]));
    for most in 0..100 {
        let decoder = Decoder::new(G4).limits(Limits::new().packet_bytes(most));
        assert_alike(&decoder, &bytes);
    }
    for cut in 0..bytes.len() {
        assert_alike(&Decoder::new(G4), &bytes[..cut]);
    }
    // A key that is a container, deep in others.
    let key = with_keys(&[deep(1020)], 0);
    for around in 0..5 {
        assert_alike(
            &Decoder::new(G4),
            &[deep(around)[..8 * around].to_vec(), key.clone()].concat(),
        );
    }
}

#[test]
fn a_walk_that_failed_is_over() {
    let bytes = to_vec(&vec![Variant::Int(1), Variant::Int(2)].into(), G4).expect("it is written");
    let mut walk = Decoder::new(G4).walk(&bytes[..bytes.len() - 1]);
    assert!(walk.by_ref().last().is_some_and(|last| last.is_err()));
    assert!(walk.next().is_none());
    assert_eq!(visits(&Decoder::new(G4), &bytes)[1].variant_type, VariantType::Int);
    let warned = [1, 0, 0, 0, 7, 0, 0, 0];
    let mut notes = WarningCounts::default();
    let walked = Decoder::new(G4).walk_counting_warnings(&warned, &mut notes).finish();
    assert_eq!((walked, notes.only(&[codec::rule::BOOL_VALUE])), (Ok(8), true));
}

#[test]
fn values_behind_many_closed_containers_stand_where_they_are() {
    /// Begins with an int, ends with one, and has a deeper one of the same between them.
    fn nested(depth: i64) -> Variant {
        let inner = if depth == 0 { Variant::Nil } else { nested(depth - 1) };
        match depth % 2 {
            0 => vec![Variant::Int(depth), inner, Variant::Int(-depth)].into(),
            _ => dictionary([("a", depth.into()), ("b", inner), ("c", (-depth).into())]),
        }
    }
    let bytes = packet(nested(9));
    let mut around = Vec::new();
    for visit in visits(&Decoder::new(G4), &bytes) {
        match visit.event {
            Event::Begin(_) => around.push((visit.part, visit.range.start)),
            Event::End => {
                assert_eq!(Some((visit.part, visit.range.start)), around.pop());
                let part = [Part::Element(1), Part::Value(1)][around.len() % 2];
                let part = if around.is_empty() { Part::Whole } else { part };
                assert_eq!(visit.part, part);
            }
            // The innermost has the same int twice.
            Event::Leaf(Leaf::Int(number)) if number != 0 => {
                let (depth, index) =
                    (number.unsigned_abs() as usize, if number < 0 { 2 } else { 0 });
                let part = [Part::Element(index), Part::Value(index)][depth % 2];
                assert_eq!((visit.part, visit.depth), (part, 10 - depth));
                assert_eq!(visit.depth, around.len());
            }
            _ => {}
        }
    }
    assert!(around.is_empty());
    assert_alike(&Decoder::new(G4), &bytes);
}

#[test]
fn a_packet_is_as_long_as_the_limits_allow() {
    let bytes = [2, 0, 1, 0, 7, 0, 0, 0, 0, 0, 0, 0];
    for (most, is_read) in [(8, false), (11, false), (12, true)] {
        let decoder = Decoder::new(G4).limits(Limits::new().packet_bytes(most));
        let rules = [
            decoder.decode(&bytes).err(),
            decoder.decode_prefix(&[&bytes[..], &[0; 8]].concat()).err(),
            decoder.read(&bytes[..]).err(),
            decoder.walk(&bytes).finish().err(),
            decoder.deserialize::<i64>(&bytes).err(),
        ];
        for error in rules {
            let rule = error.map(|error| error.rule());
            assert_eq!(rule, (!is_read).then_some(formwork_variant::Rule::SIZE_LIMIT), "{most}");
        }
    }
}

//! Any bytes give a value or an error: no panic, no stack overflow, and no allocation that is much larger than the
//! input.
//!
//! One test function, because it measures memory: nothing else may allocate meanwhile.

#[path = "variant/game_files_memory.rs"]
mod game_files_memory;
#[path = "variant/wrapper/make.rs"]
#[allow(dead_code, reason = "shared with the tests of containers")]
mod make;
#[path = "variant/wrapper/memory.rs"]
mod memory;

use std::fmt::Write;

use formwork_alb1::{Document, Field, Text, Value};
use formwork_testkit::golden::ENGINES;
use formwork_variant::codec;
use formwork_variant::{Array, Dictionary, Object, Variant};
use formwork_variant::{Decoder, Dialect, Encoder, Error, ErrorKind, Limits, Rule, Strictness};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The memory that reading may use: ten times the input and a mebibyte.
fn allowed(input: &[u8]) -> usize {
    10 * input.len() + (1 << 20)
}

/// Reads within the allowed memory.
fn read(decoder: &Decoder, bytes: &[u8]) -> Result<Variant, Error> {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = decoder.decode_prefix(bytes).map(|(value, used)| {
        assert!(used <= bytes.len());
        value
    });
    let used = MEMORY.peak_usage() - before;
    assert!(used <= allowed(bytes), "{used} bytes of memory for {} of input", bytes.len());
    if let Err(error) = &result {
        assert!(error.offset() <= bytes.len() as u64, "{error}");
        assert!(!error.path().is_empty() || error.offset() == 0, "{error}");
    }
    result
}

fn decoders(dialect: Dialect) -> [Decoder; 4] {
    let decoder = Decoder::new(dialect);
    let canonical = decoder.strictness(Strictness::Canonical);
    [decoder, decoder.allow_objects(true), canonical, canonical.allow_objects(true)]
}

#[test]
fn any_bytes_give_a_value_or_an_error() {
    golden_inputs_stay_within_memory();
    every_prefix_of_a_value_is_incomplete();
    words_that_lie_are_refused_or_read_as_the_engine_does();
    the_hostile_set_is_refused();
    depth_is_limited_without_stack();
    limits_are_kept();
    detection_stays_within_memory();
    lists_about_deep_values_stay_within_memory();
    both_precisions_stay_within_memory();
    alb1_files_stay_within_memory();
    alb1_nests_no_deeper_than_the_limit();
    generated_alb1_files_stay_within_memory();
    generated_packets_stay_within_memory();
    memory::bombs_stay_within_memory();
    structs_stay_within_memory();
    structs_are_written_without_an_allocation();
    game_files_memory::damaged_files_stay_within_memory();
    game_files_memory::many_small_parts_stay_within_memory();
}

/// Packets made for tests of other decoders, in every dialect.
fn generated_packets_stay_within_memory() {
    use formwork_kit::Format;
    use formwork_kit::case::{Cases, Profile, Reading};

    let count = formwork_testkit::rounds(80, 400);
    for dialect in Dialect::all() {
        for allow_objects in [false, true] {
            let reading = Reading { format: Format::Variant(dialect), allow_objects };
            let decoder = Decoder::new(dialect).allow_objects(allow_objects);
            for profile in [Profile::Edge, Profile::NearValid, Profile::Hostile] {
                let cases = Cases::new(reading, 5).profiles(&[profile]);
                let mut refused = 0;
                for number in 0..count {
                    let case = cases.case(number);
                    refused += u64::from(read(&decoder, &case.bytes).is_err());
                    let _ = read(&decoder.strictness(Strictness::Canonical), &case.bytes);
                }
                match profile {
                    Profile::Edge => assert_eq!(refused, 0, "{dialect}"),
                    Profile::NearValid => assert_eq!(refused, count, "{dialect}"),
                    _ => assert!((1..count).contains(&refused), "{dialect}: {refused}"),
                }
            }
        }
    }
}

/// A writer that is kept allocates nothing for a struct of a type that it has written before.
fn structs_are_written_without_an_allocation() {
    #[derive(serde::Serialize)]
    struct Part {
        name: &'static str,
        places: [(u8, bool); 3],
        path: Option<&'static str>,
    }
    #[derive(serde::Serialize)]
    struct Whole {
        id: i64,
        parts: [Part; 3],
        hp: f64,
    }
    let part =
        || Part { name: "lamp", places: [(1, true); 3], path: Some("a longer text than fits") };
    let mut whole = Whole { id: 1, parts: [part(), part(), part()], hp: 7.5 };
    for dialect in Dialect::all() {
        let mut packets = formwork_variant::serde::PacketWriter::new(Encoder::new(dialect));
        let first = packets.serialize(&whole).expect("it can be written").len();
        whole.id = 2;
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        let again = packets.serialize(&whole).expect("it can be written").len();
        assert_eq!((again, MEMORY.peak_usage()), (first, before), "{dialect}");
    }
}

/// Makes a `T` within memory in proportion to the input: a null of four bytes is 32 in memory, and a
/// list that grows holds up to three times its elements.
fn make<'de, T: serde::Deserialize<'de>>(decoder: &Decoder, bytes: &'de [u8]) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = decoder.deserialize::<T>(bytes);
    let used = MEMORY.peak_usage() - before;
    let most = 32 * bytes.len() + (1 << 20);
    assert!(used <= most, "{used} bytes of memory for {} of input", bytes.len());
    if let Err(error) = result {
        assert!(error.offset() <= bytes.len() as u64, "{error}");
    }
}

fn structs_stay_within_memory() {
    use std::collections::BTreeMap;

    for engine in &ENGINES {
        for case in engine.lines("decode.jsonl") {
            let bytes = case.bytes("hex").expect("inputs have bytes");
            for decoder in decoders(engine.dialect()) {
                make::<Variant>(&decoder, &bytes);
                make::<Vec<f32>>(&decoder, &bytes);
                make::<serde_json::Value>(&decoder, &bytes);
                make::<BTreeMap<&str, serde::de::IgnoredAny>>(&decoder, &bytes);
            }
        }
    }
    // A million nulls, as many keys, and counts that lie.
    let decoder = Decoder::new(Dialect::GODOT3);
    let mut nulls = vec![19, 0, 0, 0, 0x40, 0x42, 0x0f, 0];
    nulls.resize(8 + 4_000_000, 0);
    make::<Vec<Variant>>(&decoder, &nulls);
    make::<Vec<Option<u8>>>(&decoder, &nulls);
    make::<Vec<Option<u8>>>(&decoder, &nulls[..100]);
    let mut pairs = vec![18, 0, 0, 0, 0xa0, 0x86, 0x01, 0];
    for key in 0..100_000_u32 {
        pairs.extend([2, 0, 0, 0]);
        pairs.extend(key.to_le_bytes());
        pairs.extend([0; 4]);
    }
    make::<BTreeMap<u32, Option<u8>>>(&decoder, &pairs);
    make::<BTreeMap<u32, Option<u8>>>(&decoder, &pairs[..1000]);
}

/// Reads an ALB1 file within the allowed memory. A field of three bytes is 32 in memory.
fn read_alb1(bytes: &[u8]) -> Result<Document, Error> {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let result = Document::from_slice(bytes);
    let used = MEMORY.peak_usage() - before;
    let most = 12 * bytes.len() + (1 << 20);
    assert!(used <= most, "{used} bytes of memory for {} of input", bytes.len());
    if let Err(error) = &result {
        assert!(error.offset() <= bytes.len() as u64, "{error}");
    }
    result
}

/// An object with an array of pairs, a raw array, strings and numbers.
fn alb1_document() -> Document {
    let mut document = Document::new("CLayer");
    let tag = |name: &str| document.tags.id(name).unwrap();
    let pair = |number: i32| {
        let key = Text::new(&format!("key {number}")).unwrap();
        let data = Value::SignedLong(number);
        Field::new(tag("pair"), [Field::new(tag("key"), key), Field::new(tag("data"), data)])
    };
    let position = Field::new(tag("mpos"), Value::ArrayOfDouble([1.0, 2.0].into()));
    let object = formwork_alb1::Object { class: 4, address: 8, fields: vec![position] };
    let fields = vec![
        Field::new(tag("mname"), Text::new("layer").unwrap()),
        Field::new(tag("libs"), (0..3).map(pair).collect::<Vec<_>>()),
        Field::new(tag("tree"), formwork_alb1::Raw::from(vec![7; 40])),
        Field::new(tag("mkey"), vec![Field::new(tag("item"), object)]),
        Field::new(tag("externLayers"), Value::Empty),
    ];
    document.root.fields = fields;
    document
}

fn alb1_files_stay_within_memory() {
    let bytes = alb1_document().to_vec().unwrap();
    assert!(read_alb1(&bytes).is_ok());
    let mut read = 0;
    for at in 0..bytes.len() {
        let _ = read_alb1(&bytes[..at]);
        for word in [0, 1, 2, 3, 0x7f, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX] {
            let mut lying = bytes.clone();
            for (to, from) in lying[at..].iter_mut().zip(word.to_le_bytes()) {
                *to = from;
            }
            read += usize::from(read_alb1(&lying).is_ok());
        }
    }
    println!("{} ALB1 files with a lying word, {read} of them can be read", 10 * bytes.len());
    // Many of the smallest things: fields, elements, names.
    let mut document = alb1_document();
    let empty = Field::new(5, Value::Empty);
    for fields in [
        vec![empty.clone(); 100_000],
        vec![Field::new(5, vec![empty.clone(); 100_000])],
        vec![Field::new(
            5,
            formwork_alb1::Object { class: 1, address: 4, fields: vec![empty; 100_000] },
        )],
    ] {
        document.root.fields = fields;
        assert!(read_alb1(&document.to_vec().unwrap()).unwrap().is_identical(&document));
    }
    document.tags = (0..100_000).map(|id| (id as u16, Text::default())).collect();
    assert!(read_alb1(&document.to_vec().unwrap()).unwrap().is_identical(&document));
}

fn generated_alb1_files_stay_within_memory() {
    use formwork_kit::Format;
    use formwork_kit::case::{Cases, Profile, Reading};

    let reading = Reading { format: Format::Alb1, allow_objects: false };
    for profile in [Profile::Enumerate, Profile::Edge, Profile::NearValid, Profile::Hostile] {
        let cases = Cases::new(reading, 5).profiles(&[profile]);
        let mut refused = 0;
        for number in 0..cases.enumerated().max(3000) {
            let case = cases.case(number);
            let is_refused = read_alb1(&case.bytes).is_err();
            // Each case of the enumeration is marked if it breaks a rule.
            let expected = profile == Profile::Enumerate && case.broken.is_some();
            refused += usize::from(is_refused != expected);
        }
        match profile {
            Profile::Enumerate | Profile::Edge => assert_eq!(refused, 0, "{profile}"),
            Profile::NearValid => assert!(refused >= 3000, "{refused}"),
            _ => assert!((1000..3000).contains(&refused), "{refused}"),
        }
    }
}

/// Objects, arrays and pairs in each other: refused at the limit, on a small stack.
fn alb1_nests_no_deeper_than_the_limit() {
    let nested = |depth: usize, inner: &dyn Fn(Value) -> Value| {
        let mut document = Document::new("CLayer");
        let value = (1..depth).fold(Value::Empty, |value, _| inner(value));
        document.root.fields = vec![Field::new(5, value)];
        document
    };
    let object = |value| {
        Value::from(formwork_alb1::Object {
            class: 1,
            address: 4,
            fields: vec![Field::new(5, value)],
        })
    };
    let array = |value| Value::from(vec![Field::new(5, value)]);
    let pair = |value| Value::from([Field::new(5, Value::Empty), Field::new(5, value)]);
    let kinds: [&dyn Fn(Value) -> Value; 3] = [&object, &array, &pair];
    for inner in kinds {
        let deepest = nested(formwork_alb1::Reader::DEPTH as usize, inner).to_vec().unwrap();
        assert!(read_alb1(&deepest).is_ok());
        let deeper = nested(formwork_alb1::Reader::DEPTH as usize + 1, inner).to_vec().unwrap();
        assert_eq!(read_alb1(&deeper).unwrap_err().rule(), Rule::DEPTH_LIMIT);
        let most = nested(formwork_alb1::Reader::DEEPEST as usize, inner).to_vec().unwrap();
        let reading = move || {
            let limits = Limits::default().depth(u32::MAX);
            let read = formwork_alb1::Reader::new().limits(limits).read(&most).unwrap();
            assert_eq!(read.to_vec().unwrap(), most);
            read.is_identical(&read.clone())
        };
        let small = std::thread::Builder::new().stack_size(1 << 20);
        assert!(small.spawn(reading).unwrap().join().unwrap());
        let too_deep = nested(formwork_alb1::Reader::DEEPEST as usize + 1, inner);
        assert_eq!(too_deep.to_vec().unwrap_err().rule(), Rule::DEPTH_LIMIT);
    }
    // A chain of pairs that never ends.
    let mut bytes = Document::new("CLayer").to_vec().unwrap();
    bytes.extend([5, 0, 0x0f].repeat(1 << 16));
    assert_eq!(read_alb1(&bytes).unwrap_err().rule(), Rule::DEPTH_LIMIT);
}

fn golden_inputs_stay_within_memory() {
    for engine in &ENGINES {
        for case in engine.lines("decode.jsonl") {
            let bytes = case.bytes("hex").expect("inputs have bytes");
            for decoder in decoders(engine.dialect()) {
                let _ = read(&decoder, &bytes);
            }
            // And through every other dialect's table.
            for dialect in Dialect::all() {
                let _ = read(&Decoder::new(dialect).allow_objects(true), &bytes);
            }
        }
    }
}

fn every_prefix_of_a_value_is_incomplete() {
    for engine in &ENGINES {
        let mut prefixes = 0;
        for case in engine.lines("values.jsonl") {
            let bytes = case.bytes("hex").expect("values have bytes");
            if bytes.len() > 1024 {
                continue;
            }
            let decoder = Decoder::new(engine.dialect()).allow_objects(true);
            for strictness in [Strictness::Engine, Strictness::Canonical] {
                let decoder = decoder.strictness(strictness);
                for end in 0..bytes.len() {
                    prefixes += 1;
                    match read(&decoder, &bytes[..end]) {
                        Err(error) => {
                            let needed = error.needed();
                            let most = (bytes.len() - end) as u64;
                            assert!(
                                needed.is_some_and(|needed| (1..=most).contains(&needed)),
                                "{} {:?} cut at {end}: {error}",
                                engine.name,
                                case.text("name"),
                            );
                        }
                        // The engines do not check the padding of a byte array at the very end, and Godot 2 does not
                        // check the length word of an input event.
                        Ok(_) => {
                            let missing = bytes.len() - end;
                            let name = case.text("name").unwrap_or_default();
                            assert_eq!(strictness, Strictness::Engine, "{name} at {end}");
                            assert!(missing < 4 || name.starts_with("event"), "{name} at {end}");
                        }
                    }
                }
            }
        }
        println!("{}: {prefixes} prefixes incomplete", engine.name);
    }
}

fn words_that_lie_are_refused_or_read_as_the_engine_does() {
    let lies = |word: u32| {
        [0, 1, word.wrapping_sub(1), word.wrapping_add(1), 0x7fff_ffff, 0x8000_0000, u32::MAX]
    };
    for engine in &ENGINES {
        let mut inputs = 0;
        for case in engine.lines("values.jsonl") {
            let bytes = case.bytes("hex").expect("values have bytes");
            if bytes.len() > 400 {
                continue;
            }
            for at in (0..bytes.len() - 3).step_by(4) {
                let word = u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
                for lie in lies(word) {
                    let mut lying = bytes.clone();
                    lying[at..at + 4].copy_from_slice(&lie.to_le_bytes());
                    for decoder in decoders(engine.dialect()) {
                        inputs += 1;
                        if let Ok(value) = read(&decoder, &lying)
                            && decoder.dialect().family() == engine.dialect().family()
                        {
                            // What was read can be written, or the refusal names a rule.
                            let _ = Encoder::new(engine.dialect()).encode(&value);
                        }
                    }
                }
            }
        }
        println!("{}: {inputs} lying inputs", engine.name);
    }
}

/// Little-endian words.
fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn the_hostile_set_is_refused() {
    let id = |dialect: Dialect, name: &str| {
        let variant_type = dialect.type_named(name).expect("a type of the dialect");
        u32::from(dialect.type_id(variant_type).expect("a type of the dialect"))
    };
    let (three, four) = (Dialect::GODOT3, Dialect::GODOT4);
    let (array, dictionary) = (id(four, "Array"), id(four, "Dictionary"));
    let counted =
        ["PackedByteArray", "PackedInt32Array", "PackedFloat64Array", "PackedStringArray"];
    for name in counted.iter().chain(&["PackedVector3Array", "PackedColorArray", "Array"]) {
        let error =
            read(&Decoder::new(four), &words(&[id(four, name), 0x7fff_ffff, 0])).unwrap_err();
        assert!(
            matches!(error.kind(), ErrorKind::Incomplete { .. } | ErrorKind::Limit),
            "{name}: {error}"
        );
    }
    let refused = |dialect: Dialect, bytes: &[u8], rule: Rule| {
        let error = read(&Decoder::new(dialect).allow_objects(true), bytes).unwrap_err();
        assert_eq!(error.rule(), rule, "{error}");
    };
    refused(four, &words(&[200]), codec::rule::HEADER_TYPE_ID);
    refused(four, &words(&[4, 0xffff_fff0]), codec::rule::STRING_LENGTH);
    refused(four, &words(&[id(four, "PackedInt32Array"), 0x8000_0001]), codec::rule::ARRAY_COUNT);
    refused(four, &words(&[4, 4, 0xffff_ffff]), codec::rule::STRING_UTF8);
    refused(four, &words(&[id(four, "NodePath"), 0, 0, 0]), codec::rule::NODE_PATH_FORM);
    refused(three, &words(&[id(three, "NodePath"), 1 << 31, 1 << 30, 0]), Rule::INPUT_COMPLETE);
    // Every level claims as many elements as could just fit: together they could not.
    let mut claims = Vec::new();
    for level in 0..1000_u32 {
        claims.extend(words(&[array, 250_000 - level]));
    }
    claims.resize(1 << 20, 0);
    refused(four, &claims, Rule::INPUT_COMPLETE);
    // A dictionary of half a million equal keys, and of many that hash alike.
    let mut equal = words(&[dictionary, 131_000]);
    equal.resize(8 + 131_000 * 8, 0);
    let value = read(&Decoder::new(four), &equal).expect("the last value wins");
    assert_eq!(value.as_dictionary().map(|pairs| pairs.len()), Some(1));
    let mut many = words(&[dictionary, 60_000]);
    for key in 0..60_000_u32 {
        many.extend(words(&[2, key << 16, 0]));
    }
    let value = read(&Decoder::new(four), &many).expect("sixty thousand keys");
    assert_eq!(value.as_dictionary().map(|pairs| pairs.len()), Some(60_000));
    // An object that holds itself as its only property, again and again, and stops.
    let mut object = Vec::new();
    for _ in 0..500 {
        object.extend(words(&[id(four, "Object"), 1, u32::from(b'A'), 1, 1, u32::from(b'p')]));
    }
    refused(four, &object, Rule::INPUT_COMPLETE);
}

fn depth_is_limited_without_stack() {
    let small = || {
        for dialect in Dialect::all() {
            let limit = dialect.quirks().depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
            for dictionary in [false, true] {
                let nest = |depth: u32| {
                    let mut value: Variant = Variant::Nil;
                    for _ in 0..depth {
                        value = if dictionary {
                            Variant::Dictionary(Dictionary::from(vec![(Variant::Int(0), value)]))
                        } else {
                            Variant::Array(Array::from(vec![value]))
                        };
                    }
                    value
                };
                let bytes = Encoder::new(dialect).encode(&nest(limit)).expect("at the limit");
                let (decoder, again) = (Decoder::new(dialect), Encoder::new(dialect));
                let value: Variant = decoder.decode(&bytes).expect("at the limit");
                assert!(again.encode(&value).is_ok_and(|again| again == bytes));
                let too_deep = nest(limit + 1);
                let error = again.encode(&too_deep).unwrap_err();
                assert_eq!(error.rule(), Rule::DEPTH_LIMIT);
                let bytes = again
                    .limits(Limits::default().depth(limit + 1))
                    .encode(&too_deep)
                    .expect("a higher limit");
                let error = decoder.decode(&bytes).unwrap_err();
                assert_eq!(error.rule(), Rule::DEPTH_LIMIT, "{dialect}");
                let mut message = String::new();
                write!(message, "{error}").expect("writing to a string");
                assert!(message.len() < 2000, "{message}");
            }
        }
    };
    let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(small);
    thread.expect("a thread").join().expect("a small stack is enough");
}

fn limits_are_kept() {
    let limits = Limits::default().depth(2).packet_bytes(64);
    let decoder = Decoder::new(Dialect::GODOT3).limits(limits);
    let error = read(&decoder, &words(&[19, 1, 19, 1, 19, 1, 0])).unwrap_err();
    assert_eq!((error.rule(), error.kind()), (Rule::DEPTH_LIMIT, ErrorKind::Limit));
    let error = read(&decoder, &words(&[4, 65])).unwrap_err();
    assert_eq!((error.rule(), error.kind()), (Rule::SIZE_LIMIT, ErrorKind::Limit));
    assert_eq!(error.path().to_string(), "string");
    // Objects are refused unless allowed, and then they are only data.
    let object = words(&[17, 4, u32::from_le_bytes(*b"Node"), 0]);
    let decoder = Decoder::new(Dialect::GODOT3);
    assert_eq!(read(&decoder, &object).unwrap_err().kind(), ErrorKind::Unsupported);
    let value = read(&decoder.allow_objects(true), &object).expect("objects are allowed");
    assert!(matches!(value, Variant::Object(Object::Full(object)) if object.class == "Node"));
}

/// Detection tries many readings, but holds two values at a time at most, in double precision.
fn detection_stays_within_memory() {
    let mut deep_and_odd: Vec<u8> = words(&[19, 1]).repeat(1000);
    deep_and_odd.extend(words(&[19, 1 << 16]));
    deep_and_odd.extend(words(&[1, 7]).repeat(1 << 16));
    let nulls = [words(&[28, 1 << 18]), vec![0; 4 << 18]].concat();
    // The length of a frame that is nearly all missing.
    let long = words(&[0x7fff_fffc, 18, 1]).repeat(1000);
    let mut inputs = vec![deep_and_odd, nulls, vec![0; 1 << 20], long];
    inputs.extend(ENGINES.iter().map(|engine| {
        std::fs::read(engine.file("files/big.save")).expect("every engine wrote a big save")
    }));
    for bytes in inputs {
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let detection = formwork_godot::detect::detect(&bytes);
        let used = MEMORY.peak_usage() - before;
        let most = 24 * bytes.len() + (1 << 20);
        assert!(used <= most, "{used} bytes for {}: {:?}", bytes.len(), detection.verdict);
    }
}

/// Returns the most memory that work takes beyond what was taken before.
fn taken<T>(work: impl FnOnce() -> T) -> (T, usize) {
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let done = work();
    (done, MEMORY.peak_usage() - before)
}

/// Each of many faults, differences and conflicts has a path, which may be as long as the values nest deep.
fn lists_about_deep_values_stay_within_memory() {
    const COUNT: u32 = 20_000;
    let packet = |values: &[u8]| {
        [words(&[28, 1]).repeat(999), words(&[28, COUNT]), values.to_vec()].concat()
    };
    let decoder = Decoder::new(Dialect::GODOT4);
    // Bools of 7, deep and flat; and nulls with a bit that no engine writes, which are the smallest values.
    let bools = words(&[1, 7]).repeat(COUNT as usize);
    let flat = |values: &[u8]| [words(&[28, COUNT]), values.to_vec()].concat();
    let nulls = words(&[0x100]).repeat(COUNT as usize);
    for bytes in [packet(&bools), flat(&bools), packet(&nulls), flat(&nulls)] {
        let mut notes = Vec::new();
        let (read, used) = taken(|| decoder.walk_with_warnings(&bytes, &mut notes).finish());
        assert_eq!((read, notes.len()), (Ok(bytes.len()), COUNT as usize));
        println!("{used} bytes of warnings for {} of input", bytes.len());
        assert!(used <= 32 * bytes.len() + (1 << 20), "{used} bytes for {}", bytes.len());
        drop(notes);
        let mut notes = Vec::new();
        let (read, used) = taken(|| decoder.decode_with_warnings(&bytes, &mut notes));
        assert!(read.is_ok());
        assert!(used <= 42 * bytes.len() + (1 << 20), "{used} bytes for {}", bytes.len());
        assert!(notes.iter().is_sorted_by_key(|note| note.offset));
        drop((notes, read));
        let (checked, used) = taken(|| decoder.check(&bytes));
        // The first of them are listed, and all are counted.
        let counted = checked.map(|it| (it.notes.len(), it.counts.total()));
        assert_eq!(counted, Ok((10_000, COUNT.into())));
        assert!(used <= 44 * bytes.len() + (1 << 20), "{used} bytes for {}", bytes.len());

        let opener = formwork_godot::Opener::new().dialect(Dialect::GODOT4);
        let file = opener.framing(formwork_godot::Framing::Bare).open(&bytes).unwrap();
        let (warnings, used) = taken(|| file.warnings());
        println!("{used} bytes of errors for {} of input", bytes.len());
        assert!(used <= 32 * bytes.len() + (1 << 20), "{used} bytes for {}", bytes.len());
        let most = formwork_godot::ValueFile::<f32>::MOST_WARNINGS;
        assert_eq!(warnings.len(), most);
        let more = format!("other bytes, as in {} places after it", COUNT as usize - most);
        assert_eq!(warnings.last().map(Error::found), Some(&*more));
        assert!(warnings.iter().is_sorted_by_key(Error::offset));
    }

    use formwork_edit::{Compare, Merge};
    let ints = |add: u32| {
        let ints = (0..COUNT).flat_map(|at| words(&[2, at + add])).collect::<Vec<_>>();
        decoder.decode(&packet(&ints)).unwrap()
    };
    let [base, ours, theirs] = [0, 100_000, 200_000].map(ints);
    let bytes = 8 * (COUNT as usize + 1000);
    let (found, used) = taken(|| Compare::new().values(&base, &ours));
    println!("{used} bytes of differences of two values of {bytes}");
    assert_eq!((found.len(), found[7].new.steps().len()), (COUNT as usize, 1000));
    assert!(used <= 80 * bytes + (1 << 20), "{used} bytes for {bytes}");
    drop(found);
    let (merged, used) = taken(|| Merge::new().values(&base, &ours, &theirs));
    println!("{used} bytes of conflicts of three values of {bytes}");
    assert_eq!(merged.conflicts.len(), COUNT as usize);
    assert!(used <= 120 * bytes + (1 << 20), "{used} bytes for {bytes}");
}

/// Many small values take most memory for their bytes: a Variant is 32 bytes in single precision and 56
/// in double.
fn both_precisions_stay_within_memory() {
    const COUNT: u32 = 1 << 18;
    let array =
        |packet: &[u32]| [words(&[28, COUNT]), words(packet).repeat(COUNT as usize)].concat();
    let pairs = (0..COUNT).flat_map(|key| words(&[2, key, 0]));
    let dictionary = [words(&[27, COUNT]), pairs.collect()].concat();
    let text = u32::from_le_bytes(*b"abcd");
    let inputs = [array(&[0]), array(&[2, 7]), array(&[4, 4, text]), array(&[28, 0]), dictionary];
    let double: Dialect = "godot4-double".parse().expect("a dialect");
    for bytes in inputs {
        let taken = |read: &dyn Fn()| {
            MEMORY.reset_peak_usage();
            let before = MEMORY.current_usage();
            read();
            MEMORY.peak_usage() - before
        };
        let single = taken(&|| drop(Decoder::new(Dialect::GODOT4).decode(&bytes).unwrap()));
        let double = taken(&|| drop(Decoder::new(double).double().decode(&bytes).unwrap()));
        println!("{} bytes: {single} in single, {double} in double precision", bytes.len());
        assert!(single <= allowed(&bytes), "{single} bytes for {}", bytes.len());
        assert!(double <= 16 * bytes.len() + (1 << 20), "{double} bytes for {}", bytes.len());
    }
}

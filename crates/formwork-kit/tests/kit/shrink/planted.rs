//! Planted faults: a test of packets, a packet of about 1 KiB that shows the fault somewhere in the middle,
//! and the smallest packet that shows the fault, made by hand.
use formwork_alb1::{Document, Field, FieldType, Object, Value};
use formwork_kit::Format;
use formwork_variant::generate::arbitrary::Unstructured;
use formwork_variant::generate::{Config, variant};
use formwork_variant::{
    Array, Dictionary, ElementType, NodePath, Variant, VariantString, VariantType, Vector3, codec,
};
use formwork_variant::{Decoder, Dialect, Encoder, Rule};

/// Returns whether a packet shows the fault.
pub(crate) type Shows = Box<dyn Fn(&[u8]) -> bool>;

pub(crate) struct Planted {
    pub(crate) name: &'static str,
    pub(crate) format: Format,
    pub(crate) packet: Vec<u8>,
    pub(crate) minimum: Vec<u8>,
    pub(crate) shows: Shows,
}

const GODOT3: Dialect = Dialect::GODOT3;
const GODOT4: Dialect = Dialect::GODOT4;

/// Returns bytes that are the same in every run.
pub(crate) fn noise(seed: u64, length: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let byte = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..length).map(byte).collect()
}

/// Returns values that fill about `bytes` bytes.
fn filler(dialect: Dialect, seed: u64, bytes: usize) -> Vec<Variant> {
    let noise = noise(seed, 1 << 16);
    let mut u = Unstructured::new(&noise);
    let mut config = Config::default();
    (config.max_nodes, config.max_depth, config.max_bytes) = (12, 4, 96);
    config.objects = false;
    config.odd_values = false;
    let encoder = Encoder::new(dialect);
    let (mut values, mut size) = (Vec::new(), 0);
    while size < bytes {
        let value = variant::<f32>(&mut u, dialect, &config).unwrap();
        let length = encoder.encode(&value).unwrap().len();
        if size + length <= bytes + 32 {
            size += length;
            values.push(value);
        }
        if u.is_empty() {
            break;
        }
    }
    values
}

/// Returns a packet of about 1 KiB of other values, with this value three containers deep among them.
fn hidden(dialect: Dialect, seed: u64, needle: Variant) -> Vec<u8> {
    let list = |values: Vec<Variant>| Variant::Array(values.into_iter().collect::<Array>());
    let mut inner = filler(dialect, seed, 200);
    inner.insert(inner.len() / 2, needle);
    let middle: Variant = [
        (Variant::from("before"), list(filler(dialect, seed + 1, 150))),
        (Variant::Int(1 << 40), list(inner)),
        (Variant::from("behind"), list(filler(dialect, seed + 2, 150))),
    ]
    .into_iter()
    .collect::<Dictionary>()
    .into();
    let mut outer = filler(dialect, seed + 3, 200);
    outer.push(middle);
    outer.extend(filler(dialect, seed + 4, 200));
    Encoder::new(dialect).encode(&list(outer)).unwrap()
}

/// Replaces the only occurrence of `old` in the packet with `new`.
fn replaced(mut packet: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    let places: Vec<_> =
        packet.windows(old.len()).enumerate().filter(|(_, window)| *window == old).collect();
    assert_eq!(places.len(), 1, "{old:?}");
    let at = places[0].0;
    packet.splice(at..at + old.len(), new.iter().copied());
    packet
}

/// Visits every value inside a value, with the types of the values around it.
fn walk(
    value: &Variant,
    within: &mut Vec<VariantType>,
    see: &mut dyn FnMut(&Variant, &[VariantType]),
) {
    see(value, within);
    within.push(value.variant_type());
    match value {
        Variant::Array(array) => array.iter().for_each(|value| walk(value, within, see)),
        Variant::Dictionary(pairs) => pairs.iter().for_each(|(key, value)| {
            walk(key, within, see);
            walk(value, within, see);
        }),
        _ => {}
    }
    within.pop();
}

/// Returns a test for packets that the engine reads and that hold such a value.
fn holds(dialect: Dialect, what: impl Fn(&Variant, &[VariantType]) -> bool + 'static) -> Shows {
    Box::new(move |packet| {
        let Ok((value, _)) = Decoder::new(dialect).decode_prefix(packet) else {
            return false;
        };
        let mut found = false;
        walk(&value, &mut Vec::new(), &mut |value, within| found |= what(value, within));
        found
    })
}

/// Returns a test for packets that the engine reads, and would write differently because of this rule.
fn deviates(dialect: Dialect, rule: Rule) -> Shows {
    Box::new(move |packet| {
        let mut notes = Vec::new();
        let read = Decoder::new(dialect).decode_with_warnings(packet, &mut notes);
        read.is_ok() && notes.iter().any(|note| note.rule == rule)
    })
}

/// Returns a test for packets that the engine refuses because of this rule, at a path with one of these ends.
fn breaks(dialect: Dialect, rule: Rule, ends: &'static [&'static str]) -> Shows {
    Box::new(move |packet| match Decoder::new(dialect).decode_prefix(packet) {
        Ok(_) => false,
        Err(error) => {
            let path = error.path().to_string();
            error.rule() == rule && ends.iter().any(|end| path.ends_with(end))
        }
    })
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

pub(crate) fn all() -> Vec<Planted> {
    let mut all = variants();
    all.extend(documents());
    all
}

fn variants() -> Vec<Planted> {
    let planted = |name, dialect, packet, minimum, shows| Planted {
        name,
        format: Format::Variant(dialect),
        packet,
        minimum,
        shows,
    };
    let list = |values: Vec<Variant>| Variant::Array(values.into_iter().collect::<Array>());
    let mark = "qqqqqqq!";
    let marked: &[u8] = &[4, 0, 0, 0, 8, 0, 0, 0, b'q', b'q', b'q', b'q', b'q', b'q', b'q', b'!'];
    let with_mark =
        |dialect, seed, new: &[u8]| replaced(hidden(dialect, seed, mark.into()), marked, new);
    let deep = (0..24).fold(Variant::Nil, |value, _| list(vec![Variant::Int(3), value]));
    let twice: Dictionary = [(Variant::from("key"), 1.into()), (Variant::from("other"), 2.into())]
        .into_iter()
        .collect();
    // These keys can become smaller only together.
    let key = |name: &str| -> Variant {
        let list = list(vec![Variant::Int(7), Variant::Bool(true), "long text".into()]);
        [(Variant::from(name), list), (Variant::from("b"), 5.into())].into_iter().collect()
    };
    let equal_keys: Dictionary =
        [(key("first"), 1.into()), (key("other"), 2.into())].into_iter().collect();
    let typed = |values: Vec<Variant>| {
        let mut array: Array = values.into_iter().collect();
        array.set_element_type(Some(ElementType::Builtin(VariantType::Int)));
        Variant::Array(array)
    };
    vec![
        planted(
            "an int -7 in a dictionary in an array",
            GODOT3,
            hidden(GODOT3, 10, [("hp", Variant::Int(-7))].into_iter().collect()),
            words(&[19, 1, 18, 1, 0, 2, -7_i32 as u32]),
            holds(GODOT3, |value, within| {
                value.as_int() == Some(-7)
                    && within.ends_with(&[VariantType::Array, VariantType::Dictionary])
            }),
        ),
        planted(
            "a string of length 3 mod 4 with padding that is not zero",
            GODOT3,
            with_mark(
                GODOT3,
                20,
                &[4, 0, 0, 0, 7, 0, 0, 0, b'f', b'o', b'r', b'm', b'i', b'n', b'g', 9],
            ),
            words(&[4, 3, 0x0101_0101]),
            Box::new(|packet| {
                deviates(GODOT3, codec::rule::STRING_PADDING)(packet)
                    && holds(GODOT3, |value, _| {
                        value.as_str().is_some_and(|text| text.len() % 4 == 3)
                    })(packet)
            }),
        ),
        planted(
            "an array that counts beyond the input",
            GODOT3,
            with_mark(GODOT3, 30, &words(&[19, 1_000_000])),
            words(&[19, 1]),
            breaks(GODOT3, Rule::INPUT_COMPLETE, &["array", "array[0]"]),
        ),
        planted(
            "an array with more than 100 announced and none of them there",
            GODOT4,
            with_mark(GODOT4, 35, &words(&[28, 1_000_000])),
            words(&[28, 101]),
            Box::new(|packet| {
                let Err(error) = Decoder::new(GODOT4).decode_prefix(packet) else {
                    return false;
                };
                let word = |at: usize| {
                    packet.get(at..at + 4).map(|it| u32::from_le_bytes(it.try_into().unwrap()))
                };
                error.rule() == Rule::INPUT_COMPLETE
                    && (0..packet.len()).step_by(4).any(|at| {
                        word(at) == Some(28) && word(at + 4).is_some_and(|count| count > 100)
                    })
            }),
        ),
        planted(
            "a key that comes twice",
            GODOT4,
            replaced(
                hidden(GODOT4, 40, twice.into()),
                &[4, 0, 0, 0, 5, 0, 0, 0, b'o', b't', b'h', b'e', b'r', 0, 0, 0],
                &[4, 0, 0, 0, 3, 0, 0, 0, b'k', b'e', b'y', 0],
            ),
            words(&[27, 2, 0, 0, 0, 0]),
            deviates(GODOT4, codec::rule::DICTIONARY_KEYS),
        ),
        planted(
            "two equal keys that are dictionaries",
            GODOT4,
            replaced(
                hidden(GODOT4, 47, equal_keys.into()),
                &[4, 0, 0, 0, 5, 0, 0, 0, b'o', b't', b'h', b'e', b'r', 0, 0, 0],
                &[4, 0, 0, 0, 5, 0, 0, 0, b'f', b'i', b'r', b's', b't', 0, 0, 0],
            ),
            words(&[27, 2, 27, 0, 0, 27, 0, 0]),
            Box::new(|packet| {
                let is_key = |key: &Variant| key.as_dictionary().is_some();
                deviates(GODOT4, codec::rule::DICTIONARY_KEYS)(packet)
                    && holds(GODOT4, move |value, _| {
                        let pairs = value.as_dictionary();
                        pairs.is_some_and(|pairs| pairs.iter().all(|(key, _)| is_key(key)))
                            && pairs.is_some_and(|pairs| pairs.len() == 1)
                    })(packet)
            }),
        ),
        planted(
            "a NaN in a Vector3",
            GODOT3,
            hidden(GODOT3, 50, Vector3::new(1.5, f32::NAN, -3.0).into()),
            words(&[7, 0x7f80_0001, 0, 0]),
            holds(
                GODOT3,
                |value, _| matches!(value, Variant::Vector3(it) if [it.x, it.y, it.z].iter().any(|it| it.is_nan())),
            ),
        ),
        planted(
            "two elements in a typed array",
            GODOT4,
            hidden(GODOT4, 60, typed(vec![5.into(), 6.into(), 7.into(), 8.into()])),
            // The element type is a class without a name.
            words(&[28 | 2 << 16, 0, 2, 0, 0]),
            holds(
                GODOT4,
                |value, _| matches!(value, Variant::Array(it) if it.element_type().is_some() && it.len() >= 2),
            ),
        ),
        planted(
            "an int beyond 53 bits",
            GODOT3,
            hidden(GODOT3, 70, Variant::Int(0x0123_4567_89ab_cdef)),
            words(&[2 | 1 << 16, 1, 1 << 21]),
            holds(GODOT3, |value, _| value.as_int().is_some_and(|it| it > 1 << 53)),
        ),
        planted(
            "20 arrays in each other",
            GODOT4,
            hidden(GODOT4, 80, deep),
            words(&[[28, 1].repeat(20), vec![0]].concat()),
            holds(GODOT4, |_, within| within.len() >= 20),
        ),
        planted(
            "an empty string before another in a string array",
            GODOT3,
            hidden(
                GODOT3,
                90,
                Variant::PackedStringArray(
                    ["a", "", "bcd", "", "e"].map(VariantString::from).into(),
                ),
            ),
            // Two strings, the first of which has no terminator.
            words(&[23, 2, 0, 1, u32::from(b'e')]),
            holds(GODOT3, |value, _| {
                matches!(value, Variant::PackedStringArray(it)
                    if it.windows(2).any(|it| it[0].is_empty() && !it[1].is_empty()))
            }),
        ),
        planted(
            "a NodePath with two subnames",
            GODOT4,
            hidden(GODOT4, 100, Variant::NodePath(NodePath::parse(&"/root/a:b:c".into()).into())),
            words(&[22, 1 << 31, 2, 0, 0, 0]),
            holds(
                GODOT4,
                |value, _| matches!(value, Variant::NodePath(path) if path.subnames.len() >= 2),
            ),
        ),
        planted(
            "a bool of 2",
            GODOT3,
            with_mark(GODOT3, 110, &words(&[1, 2])),
            words(&[1, 2]),
            deviates(GODOT3, codec::rule::BOOL_VALUE),
        ),
        planted(
            "an input that ends in a Vector3",
            GODOT3,
            {
                let mut values = filler(GODOT3, 120, 1000);
                values.push(Vector3::new(1.5, 2.5, -3.0).into());
                let mut packet = Encoder::new(GODOT3).encode(&list(values)).unwrap();
                packet.truncate(packet.len() - 6);
                packet
            },
            words(&[7]),
            Box::new(|packet| match Decoder::new(GODOT3).decode_prefix(packet) {
                Ok(_) => false,
                Err(error) => {
                    error.rule() == Rule::INPUT_COMPLETE
                        && error.path().to_string().contains("vector3")
                }
            }),
        ),
        planted(
            "three colours in a row",
            GODOT4,
            hidden(
                GODOT4,
                130,
                Variant::PackedColorArray(vec![
                    formwork_variant::Color::new(0.5, 0.1, 0.2, 1.0);
                    7
                ]),
            ),
            words(&[[37, 3].to_vec(), vec![0; 12]].concat()),
            holds(
                GODOT4,
                |value, _| matches!(value, Variant::PackedColorArray(it) if it.len() >= 3),
            ),
        ),
        planted(
            "bytes of length 1 mod 4, and a NodePath behind them",
            GODOT3,
            hidden(
                GODOT3,
                140,
                list(vec![
                    Variant::PackedByteArray(vec![3; 21]),
                    Variant::from("between"),
                    Variant::NodePath(NodePath::parse(&"/root/a:b".into()).into()),
                ]),
            ),
            words(&[19, 2, 20, 1, 0, 15, 1 << 31, 0, 0]),
            holds(GODOT3, |value, _| {
                let Variant::Array(array) = value else { return false };
                let bytes = array
                    .iter()
                    .position(|it| matches!(it, Variant::PackedByteArray(it) if it.len() % 4 == 1));
                let path = array.iter().rposition(|it| matches!(it, Variant::NodePath(_)));
                bytes.zip(path).is_some_and(|(bytes, path)| bytes < path)
            }),
        ),
        planted(
            "a string that is no UTF-8",
            GODOT4,
            with_mark(
                GODOT4,
                150,
                &[4, 0, 0, 0, 8, 0, 0, 0, b'w', b'o', 0xf8, 0x90, b's', b'e', b'r', b'!'],
            ),
            words(&[4, 1, 0x80]),
            breaks(GODOT4, codec::rule::STRING_UTF8, &["string"]),
        ),
    ]
}

/// Returns a document with these fields among others, in an object in an array.
fn around(fields: Vec<Field>) -> Document {
    let mut document = Document::new("CLayer");
    let object = |address, fields| {
        Field::new(6, Value::Object(Box::new(Object { class: 5, address, fields })))
    };
    let numbers =
        |seed: u8| Field::new(10, Value::ArrayOfDouble(vec![f64::from(seed), 0.5, -3.0].into()));
    let text = |text| Field::new(9, Value::String(formwork_alb1::Text::new(text).unwrap()));
    document.root.fields = vec![
        text("before"),
        numbers(1),
        Field::new(
            23,
            Value::Array(vec![
                object(4, vec![text("first"), numbers(2)]),
                object(8, [vec![numbers(3)], fields, vec![text("last")]].concat()),
                object(12, vec![]),
            ]),
        ),
        Field::new(24, Value::Raw(noise(7, 300).into())),
        numbers(4),
    ];
    document
}

/// Visits every value inside fields, with the types of the values around it.
fn walk_fields(
    fields: &[Field],
    within: &mut Vec<FieldType>,
    see: &mut dyn FnMut(&Value, &[FieldType]),
) {
    for field in fields {
        see(&field.value, within);
        within.push(field.value.field_type());
        walk_fields(field.value.fields(), within, see);
        within.pop();
    }
}

fn holds_value(what: impl Fn(&Value, &[FieldType]) -> bool + 'static) -> Shows {
    Box::new(move |packet| {
        let Ok(document) = Document::from_slice(packet) else { return false };
        let mut found = false;
        let mut see = |value: &Value, within: &[FieldType]| found |= what(value, within);
        walk_fields(&document.root.fields, &mut Vec::new(), &mut see);
        found
    })
}

fn documents() -> Vec<Planted> {
    let planted = |name, packet, minimum, shows| Planted {
        name,
        format: Format::Alb1,
        packet,
        minimum,
        shows,
    };
    let header = [b"ALB1".to_vec(), words(&[1, 0, 0])].concat();
    // Two tables without names, and an object of class 0 at address 0.
    let tables = [2, 0, 0x0f, 0, 0, 0, 0, 3, 0, 0x0f, 0, 0, 0, 0];
    let smallest = |fields: &[u8]| [&header, &tables[..], &[0; 6], fields].concat();
    let marked = |value| {
        let (mut document, mark) = (around(vec![Field::new(11, value)]), 0x0bad_cafe_u32);
        document.root.address = mark;
        document.to_vec().unwrap()
    };
    vec![
        planted(
            "a pair with a double in an object in an array",
            marked(Value::Pair(Box::new([
                Field::new(8, Value::SignedInt(3)),
                Field::new(5, Value::Double(-1.5)),
            ]))),
            smallest(
                &[
                    &[0, 0, 0x0c, 34, 0, 0, 0, 1, 0, 0, 0][..],
                    &[0, 0, 0x0d, 23, 0, 0, 0, 0, 0, 0, 0, 0, 0],
                    &[0, 0, 0x0f, 0, 0, 0x13, 0, 0, 0x14],
                    &[0; 8],
                ]
                .concat(),
            ),
            holds_value(|value, within| {
                matches!(value, Value::Double(_))
                    && within.ends_with(&[FieldType::Array, FieldType::Object, FieldType::Pair])
            }),
        ),
        planted(
            "an array of doubles with a NaN and another",
            marked(Value::ArrayOfDouble(vec![1.5, f64::NAN, 2.5, 3.5].into())),
            smallest(&[&[0, 0, 0x15, 2][..], &f64::NAN.to_le_bytes(), &[0; 8]].concat()),
            holds_value(|value, _| {
                matches!(value, Value::ArrayOfDouble(it)
                    if it.len() > 1 && it.iter().any(|it| it.is_nan()))
            }),
        ),
        planted(
            "a pointer in an array",
            marked(Value::Array(vec![
                Field::new(59, Value::SignedInt(1)),
                Field::new(
                    59,
                    Value::ObjectPointer(formwork_alb1::ObjectPointer { class: 5, address: 4 }),
                ),
            ])),
            smallest(&[0, 0, 0x0c, 13, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0x0e, 0, 0, 0, 0, 0, 0]),
            holds_value(|value, within| {
                matches!(value, Value::ObjectPointer(_)) && within.ends_with(&[FieldType::Array])
            }),
        ),
        planted(
            "an array of fields that is one byte too short",
            {
                let number = Field::new(59, Value::SignedInt(0x0506_0708));
                let packet = marked(Value::Array(vec![number.clone(), number]));
                let array = [59, 0, 5, 8, 7, 6, 5];
                let whole = [&[11, 0, 0x0c, 18, 0, 0, 0, 2, 0, 0, 0][..], &array, &array].concat();
                let mut short = whole.clone();
                short[3] -= 1;
                replaced(packet, &whole, &short)
            },
            smallest(&[0, 0, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0]),
            Box::new(|packet| match Document::from_slice(packet) {
                Ok(_) => false,
                Err(error) => error.rule() == formwork_alb1::rule::BLOB_SIZE,
            }),
        ),
    ]
}

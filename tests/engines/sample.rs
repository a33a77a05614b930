//! The exchanged values.

use formwork_variant::codec::ObjectForm;
use formwork_variant::generate::arbitrary::Unstructured;
use formwork_variant::generate::{Config, Types, variant};
use formwork_variant::{Array, Dictionary, NodePath, Variant, VariantString, VariantType, Vector2};
use formwork_variant::{Decoder, Dialect, Encoder};

use crate::cases::ENGINES;
use crate::engine::Engine;

/// A value, and the packet that any program of the engine's kind writes for it.
pub struct Sample {
    pub name: String,
    pub value: Variant,
    pub packet: Vec<u8>,
}

impl Sample {
    fn new(name: impl Into<String>, value: Variant, dialect: Dialect) -> Self {
        Self::with_objects(name, value, dialect, false).expect("the dialect has the value")
    }

    /// Makes a sample; [`None`] if the dialect cannot express the value.
    pub fn with_objects(
        name: impl Into<String>,
        value: Variant,
        dialect: Dialect,
        objects: bool,
    ) -> Option<Self> {
        let form = if objects { ObjectForm::Full } else { ObjectForm::Id };
        let packet = Encoder::new(dialect).objects(form).encode(&value).ok()?;
        Some(Self { name: name.into(), value, packet })
    }
}

/// Returns values of every type, with objects as their numbers.
pub fn samples(engine: &Engine) -> Vec<Sample> {
    let mut samples = golden(engine, false);
    samples.extend(boundaries(engine.dialect));
    samples.extend(generated(engine.dialect));
    samples
}

/// Returns values written by engines of this family: with objects in full, or all other values.
///
/// Objects in full are those that exactly this release wrote, because other releases give their classes other
/// properties. Values of other releases that this one cannot express are left out.
pub fn golden(engine: &Engine, objects: bool) -> Vec<Sample> {
    let family = |dialect: Dialect| dialect.family();
    let mut samples = Vec::new();
    for other in ENGINES.iter().filter(|other| family(other.dialect()) == family(engine.dialect)) {
        let same_release = other.folder.ends_with(&format!("/{}", engine.release));
        if objects && !same_release {
            continue;
        }
        let decoder = Decoder::new(other.dialect()).allow_objects(objects);
        for case in other.lines("values.jsonl") {
            if case.flag("full_objects") != objects {
                continue;
            }
            let name = case.text("name").expect("values have names");
            let bytes = case.bytes("hex").expect("values have bytes");
            let value = decoder.decode(&bytes).expect("an engine wrote it");
            let name = format!("{} {name}", other.name);
            let sample = Sample::with_objects(name, value, engine.dialect, objects);
            assert!(sample.is_some() || !same_release, "a value of its own: {bytes:x?}");
            samples.extend(sample);
        }
    }
    samples
}

/// The number of values of each type that an engine has.
pub const OF_EACH_TYPE: usize = 120;

/// Returns values of every type, and mixtures, the same in every run.
fn generated(dialect: Dialect) -> Vec<Sample> {
    let mut seeds = Seeds(0x2545_f491_4f6c_dd1d);
    let mut samples = Vec::new();
    for row in dialect.rows() {
        let holds_values = [VariantType::Array, VariantType::Dictionary];
        let alone = !holds_values.contains(&row.variant_type);
        let mut config = Config { objects: false, ..Config::default() };
        if alone {
            config.types = [row.variant_type].into_iter().collect();
        }
        let mut made = 0;
        while made < OF_EACH_TYPE {
            config.boundary_percent = [0, 40, 100][made % 3];
            let value = seeds.value(dialect, &config);
            if value.variant_type() == row.variant_type {
                samples.push(Sample::new(format!("{} {made}", row.name), value, dialect));
                made += 1;
            } else if alone {
                // The seed began with an end.
                assert!(value.is_nil(), "{} came for a {}", value, row.name);
            }
        }
    }
    let mut config = Config { objects: false, single_percent: 10, ..Config::default() };
    for index in 0..500 {
        config.types = if index % 2 == 0 { Types::ALL } else { seeds.types(dialect) };
        let value = seeds.value(dialect, &config);
        samples.push(Sample::new(format!("mixture {index}"), value, dialect));
    }
    samples
}

/// A source of random seeds, the same in every run.
struct Seeds(u64);

impl Seeds {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn value(&mut self, dialect: Dialect, config: &Config) -> Variant {
        let length = [64, 256, 1024][self.next() as usize % 3];
        let seed: Vec<u8> = (0..length).map(|_| (self.next() >> 32) as u8).collect();
        variant(&mut Unstructured::new(&seed), dialect, config).expect("seeds make values")
    }

    /// Returns half of the dialect's types.
    fn types(&mut self, dialect: Dialect) -> Types {
        let types = dialect.rows().iter().map(|row| row.variant_type);
        types.filter(|_| self.next() & 1 << 40 == 0).collect()
    }
}

/// Returns values at the limits of a type, a width or a rule.
fn boundaries(dialect: Dialect) -> Vec<Sample> {
    let mut samples = Vec::new();
    let mut add = |name: String, value: Variant| samples.push(Sample::new(name, value, dialect));
    for bits in [0, 7, 8, 15, 16, 24, 31, 32, 52, 53, 62, 63] {
        let power = 1_i64.wrapping_shl(bits);
        for int in [power.wrapping_sub(1), power, power.wrapping_add(1), power.wrapping_neg()] {
            add(format!("int {int}"), int.into());
        }
    }
    let single = [f32::MIN_POSITIVE, f32::MAX, f32::EPSILON, 16_777_217.0, 0.1, f32::INFINITY];
    let double = [f64::MIN_POSITIVE, f64::MAX, f64::EPSILON, 9_007_199_254_740_993.0, 0.1, 1e-320];
    let floats = single.into_iter().map(f64::from).chain(double).chain([0.0, f64::NAN]);
    for float in floats.flat_map(|float| [float, -float]) {
        add(format!("float {float:e}"), float.into());
    }
    // Every length of padding, around every type that has one.
    for length in 0..=9 {
        let text: String = "é1234567".chars().cycle().take(length).collect();
        let bytes = vec![b'z'; length];
        let path = NodePath {
            absolute: length % 2 == 1,
            names: vec![format!("{text}n").into(); length],
            subnames: vec![format!("s{text}").into(); length % 3],
            ..NodePath::default()
        };
        add(format!("text of {length}"), text.as_str().into());
        add(format!("path of {length}"), Variant::NodePath(Box::new(path)));
        add(format!("bytes of {length}"), Variant::PackedByteArray(bytes));
        let texts = vec![VariantString::from(text.as_str()); length];
        add(format!("texts of {length}"), Variant::PackedStringArray(texts));
    }
    for count in [255, 256, 4095, 4096] {
        let array: Array = (0..count).map(Variant::Int).collect();
        add(format!("array of {count}"), Variant::Array(array));
        let pair = |at| (Variant::Int(at), Variant::Nil);
        let dictionary = Dictionary::from((0..count).map(pair).collect::<Vec<_>>());
        add(format!("dictionary of {count}"), Variant::Dictionary(dictionary));
        let vectors = (0..count).map(|at| Vector2 { x: at as f32, y: -1.5 }).collect();
        add(format!("vectors of {count}"), Variant::PackedVector2Array(vectors));
    }
    // The printers stop at a hundred containers, the readers at 1024.
    for depth in [99, 100, 101, 102, 1023, 1024] {
        let mut value = Variant::Int(7);
        for level in 0..depth {
            value = if level % 2 == 0 {
                Variant::Array(vec![value].into())
            } else {
                Variant::Dictionary(vec![("in".into(), value)].into())
            };
        }
        add(format!("{depth} deep"), value);
    }
    samples
}

/// Returns values whose packets are longer than 64 KiB, and small ones to put around them.
pub fn big(dialect: Dialect) -> Vec<Sample> {
    let ints: Array = (0..30_000).map(Variant::Int).collect();
    let texts: Vec<VariantString> = (0..9000).map(|at| format!("text {at}").into()).collect();
    let vectors = (0..50_000).map(|at| Vector2 { x: at as f32, y: 0.5 }).collect();
    let pair = |at: i64| (Variant::from(format!("key {at}").as_str()), Variant::Int(at));
    let pairs = Dictionary::from((0..8000).map(pair).collect::<Vec<_>>());
    let long = "Größe\n".repeat(30_000);
    [
        Variant::PackedByteArray((0..1_000_003).map(|at| (at % 251) as u8).collect()),
        Variant::Nil,
        Variant::Array(ints),
        Variant::PackedStringArray(texts),
        Variant::Int(1),
        Variant::PackedVector2Array(vectors),
        Variant::Dictionary(pairs),
        Variant::from(long.as_str()),
        Variant::PackedByteArray(vec![1; 0xffff - 8]),
        Variant::PackedByteArray(vec![2; 0x1_0000 - 8]),
        Variant::PackedByteArray(vec![3; 0x1_0001 - 8]),
        Variant::Bool(true),
    ]
    .into_iter()
    .enumerate()
    .map(|(at, value)| Sample::new(format!("big {at}"), value, dialect))
    .collect()
}

//! User-defined structs, enums and other types, read and written with and without a Variant in between.

use std::collections::BTreeMap;
use std::fmt::Debug;

use ::serde::de::{Deserialize, IgnoredAny};
use ::serde::ser::Serialize;
use arbitrary::{Arbitrary, Unstructured};

use super::{any, choose, in_precision, shown};
use formwork_variant::codec::{self, WarningCounts};
use formwork_variant::dialect::{Dialect, FloatWidth};
use formwork_variant::serde::rule;
use formwork_variant::serde::{from_variant, to_variant_in};
use formwork_variant::{
    Color, NodePath, Plane, Quaternion, Real, Rect2, Transform2D, Transform3D, Variant, Vector2,
    Vector3,
};
use formwork_variant::{Decoder, Encoder, Strictness};
use formwork_variant::{Error, Rule};

/// Checks that reading any bytes as each of some types gives the same result, or the same error, as by way of
/// a Variant. A read value is written as its Variant is.
///
/// With the top bit of the first byte set, the rest makes a [`Save`], which is read back the same, and read
/// again after a byte of its packet was changed.
pub fn structs(data: &[u8]) {
    if let Some((dialect, generate, bytes)) = choose(data) {
        in_precision!(dialect, check(dialect, generate, bytes));
    }
}

fn check<R: Real>(dialect: Dialect, generate: bool, bytes: &[u8]) {
    if !generate {
        return check_types::<R>(dialect, bytes);
    }
    let mut u = Unstructured::new(bytes);
    let (Ok((at, changed)), Ok(save)) = (<(u16, u8)>::arbitrary(&mut u), Save::arbitrary(&mut u))
    else {
        return;
    };
    let Ok(mut packet) = write(&Encoder::new(dialect).in_precision::<R>().rounding(true), &save)
    else {
        return;
    };
    let decoder = Decoder::new(dialect).in_precision();
    let made = read::<Save, R>(&decoder, &packet, &decoder.decode(&packet));
    // Dialects with floats of 32 bits round the f64s.
    if let Ok(made) = made
        && dialect.quirks().float_width != FloatWidth::Narrow
    {
        assert_eq!(format!("{made:?}"), format!("{save:?}"), "{dialect}");
    }
    let at = usize::from(at) % packet.len();
    if let Some(byte) = packet.get_mut(at) {
        *byte = changed;
    }
    check_types::<R>(dialect, &packet);
}

fn check_types<R: Real>(dialect: Dialect, bytes: &[u8]) {
    for strictness in [Strictness::Engine, Strictness::Canonical] {
        let decoder =
            Decoder::new(dialect).in_precision::<R>().allow_objects(true).strictness(strictness);
        let decoded = decoder.decode(bytes);
        let passed = read::<IgnoredAny, R>(&decoder, bytes, &decoded);
        assert_eq!(passed.err().as_ref(), decoded.as_ref().err(), "{dialect}: passed over");
        if let (Ok(value), Ok(made)) =
            (&decoded, check_type::<Variant<R>, R>(&decoder, bytes, &decoded))
        {
            assert!(made.is_identical(value), "{dialect}: {} for {}", shown(&made), shown(value));
        }
        macro_rules! check_each {
            ($($made:ty),* $(,)?) => {
                $(let _ = check_type::<$made, R>(&decoder, bytes, &decoded);)*
            };
        }
        check_each!(
            Save,
            View<'_>,
            Loose,
            &str,
            &[u8],
            Vec<&str>,
            BTreeMap<&str, i32>,
            Item,
            Effect,
            Shape,
            More,
            bool,
            u8,
            i64,
            f32,
            f64,
            char,
            String,
            Option<NodePath>,
            Vector3,
            Color,
            Transform3D,
            Vec<f32>,
            Vec<Vector2>,
            (i32, String),
            BTreeMap<i32, Item>,
            BTreeMap<String, Variant<R>>,
        );
    }
}

fn check_type<'de, T, R>(
    decoder: &Decoder<R>,
    bytes: &'de [u8],
    decoded: &'de Result<Variant<R>, Error>,
) -> Result<T, Error>
where
    T: Deserialize<'de> + Serialize + Debug,
    R: Real,
{
    let made = read::<T, R>(decoder, bytes, decoded)?;
    for rounding in [false, true] {
        let encoder = Encoder::new(decoder.dialect()).in_precision::<R>().rounding(rounding);
        let _ = write(&encoder, &made);
    }
    Ok(made)
}

/// Reads a `T` from bytes, and asserts that the result is the same as from the decoded value: an equal `T`,
/// or the same rule broken at the same path. If the decoder refuses the bytes, its error is returned.
///
/// # Errors
///
/// Fails as [`Decoder::deserialize`] does.
pub fn read<'de, T, R>(
    decoder: &Decoder<R>,
    bytes: &'de [u8],
    decoded: &'de Result<Variant<R>, Error>,
) -> Result<T, Error>
where
    T: Deserialize<'de> + Debug,
    R: Real,
{
    let (dialect, name) = (decoder.dialect(), std::any::type_name::<T>());
    let made = decoder.deserialize::<T>(bytes);
    let value = match decoded {
        Ok(value) => value,
        Err(expected) => {
            assert_eq!(made.as_ref().err(), Some(expected), "{dialect}: {name}");
            return made;
        }
    };
    // A struct refuses a key that comes twice, and a map decides which value counts.
    let is_twice = || {
        let mut warnings = WarningCounts::default();
        let read = decoder.decode_counting_warnings(bytes, &mut warnings);
        read.is_ok() && warnings.count(codec::rule::DICTIONARY_KEYS) > 0
    };
    match (&made, from_variant::<T, R>(value)) {
        // Debug text treats all NaNs alike, and is equal for equal values.
        (Ok(made), Ok(expected)) => {
            let (made, expected) = (format!("{made:?}"), format!("{expected:?}"));
            assert!(made == expected || is_twice(), "{dialect}: {name}: {made} / {expected}");
        }
        (Err(error), expected) if cannot_borrow(decoder, bytes, value, error) => {
            // Without the borrow, the value would have been read, or refused later for another reason.
            drop(expected);
        }
        (Err(error), Err(expected)) => {
            let is_same = error.rule() == expected.rule() && error.path() == expected.path();
            if !is_same && is_twice() {
                return made;
            }
            assert!(is_same, "{dialect}: {name}: {error} / {expected}");
            let about_structs = rule::ALL.contains(&error.rule());
            assert!(about_structs || error.rule() == Rule::DEPTH_LIMIT, "{error}");
            assert!(error.offset() <= bytes.len() as u64, "{dialect}: {name}: {error}");
        }
        (made, expected) => assert!(is_twice(), "{dialect}: {name}: {made:?} / {expected:?}"),
    }
    made
}

/// Returns whether text or bytes cannot be borrowed, because the packet does not hold them unchanged.
fn cannot_borrow<R: Real>(
    decoder: &Decoder<R>,
    bytes: &[u8],
    value: &Variant<R>,
    error: &Error,
) -> bool {
    // Text after a byte order mark is left to the codec, which copies it.
    let is_copied =
        |value: &Variant<R>| value.as_str().is_some_and(|it| it.starts_with('\u{feff}'));
    let is_borrowed = error.expected().contains("borrowed");
    let is_odd = || decoder.strictness(Strictness::Canonical).decode(bytes).is_err();
    error.rule() == rule::TYPE && is_borrowed && (any(value, is_copied) || is_odd())
}

/// Rules about a container and its contents together.
const OF_CONTAINERS: [Rule; 2] = [codec::rule::DICTIONARY_KEYS, codec::rule::CONTAINER_ELEMENT];

/// Writes a `T`, and asserts that its packet is that of its Variant, or that both are refused by the same
/// rule at the same place.
///
/// # Errors
///
/// Fails as [`Encoder::serialize`] does.
pub fn write<T: Serialize + Debug, R: Real>(
    encoder: &Encoder<R>,
    value: &T,
) -> Result<Vec<u8>, Error> {
    let name = std::any::type_name::<T>();
    let written = encoder.serialize(value);
    let value = match to_variant_in::<T, R>(value) {
        Ok(value) => value,
        Err(error) => {
            assert!(written.is_err(), "{name} is written, but no value: {error}");
            return written;
        }
    };
    match (&written, encoder.encode(&value)) {
        (Ok(bytes), Ok(expected)) => assert!(*bytes == expected, "{name}: {}", shown(&value)),
        // The codec finds these faults of a container before those of its contents, serde in the order of the packet.
        (Err(_), Err(expected)) if OF_CONTAINERS.contains(&expected.rule()) => {}
        (Err(error), Err(expected)) => {
            assert_eq!(error.rule(), expected.rule(), "{name}: {error} / {expected}");
            assert_eq!(error.path(), expected.path(), "{name}: {error} / {expected}");
            assert_eq!(error.offset(), expected.offset(), "{name}: {error} / {expected}");
        }
        (written, expected) => panic!("{name}: {written:?} / {expected:?}"),
    }
    written
}

/// A saved game that every dialect can hold.
#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
pub struct Save {
    version: u8,
    flags: (bool, i16),
    seconds: f32,
    name: String,
    initial: char,
    home: Option<Vector3>,
    nothing: (),
    place: Place,
    colors: Vec<Color>,
    #[serde(with = "formwork_variant::serde::packed")]
    heights: Vec<f32>,
    #[serde(with = "formwork_variant::serde::packed")]
    points: Vec<Vector2>,
    #[serde(with = "formwork_variant::serde::packed")]
    raw: Vec<u8>,
    #[serde(with = "formwork_variant::serde::packed")]
    log: Vec<String>,
    items: Vec<Item>,
    by_number: BTreeMap<i32, Item>,
    effect: Effect,
    shape: Shape,
    #[serde(flatten)]
    more: More,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    wrapped: Wrapped,
}

#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
struct Place {
    transform: Transform3D,
    flat: Transform2D,
    rotation: Quaternion,
    bounds: Rect2,
    ground: Plane,
}

#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
enum Item {
    Lamp,
    Coins(u32),
    Sword { damage: i32, runes: Vec<String> },
    Pair(Box<Item>, f64),
    Tint(Color),
}

#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Effect {
    Burn { seconds: f32, at: Vector3 },
    Freeze { color: Color },
    None,
}

#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
enum Shape {
    Ground(Plane),
    Tint(Color),
    Turn(Quaternion),
    Box(Rect2),
    Sized { width: f32 },
    Name(String),
}

#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
struct More {
    spawn: Vector2,
    difficulty: Difficulty,
    tints: Vec<Color>,
}

#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
#[serde(tag = "t", content = "c")]
enum Difficulty {
    Easy,
    Custom(Vector2, i8),
}

#[derive(Arbitrary, Clone, Debug, ::serde::Deserialize, PartialEq, ::serde::Serialize)]
struct Wrapped(i32);

/// A type that borrows from the packet and keeps the entries that it has no field for.
#[derive(Debug, ::serde::Deserialize, ::serde::Serialize)]
struct View<'a> {
    #[serde(borrow, default)]
    name: Option<&'a str>,
    #[serde(borrow, default)]
    raw: Option<&'a [u8]>,
    #[serde(default)]
    position: Option<Vector3>,
    #[serde(default)]
    items: Vec<Loose>,
    #[serde(flatten)]
    more: BTreeMap<String, Variant>,
}

/// Any value, as the first variant that fits it. (The enum borrows nothing: a failed borrow would let another
/// variant fit.)
#[derive(Debug, ::serde::Deserialize, ::serde::Serialize)]
#[serde(untagged)]
enum Loose {
    Nothing(()),
    Flag(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Raw(#[serde(with = "formwork_variant::serde::packed")] Vec<u8>),
    Place(Vector3),
    Tint(Color),
    Path(NodePath),
    List(Vec<Loose>),
    Map(BTreeMap<String, Loose>),
    Other(Variant),
}

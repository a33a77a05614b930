//! Structs, enums and other types of one's own, with a Variant on the way and without.

use std::collections::BTreeMap;
use std::fmt::Debug;

use ::serde::de::{Deserialize, IgnoredAny};
use ::serde::ser::Serialize;
use arbitrary::{Arbitrary, Unstructured};

use super::ways::Ways;
use super::{any, choose, in_precision, shown};
use formwork_variant::dialect::{Dialect, FloatWidth};
use formwork_variant::serde::rule;
use formwork_variant::serde::{from_variant, to_variant_in};
use formwork_variant::{
    Color, Container, NodePath, Plane, Quaternion, Real, Rect2, Transform2D, Transform3D, Variant,
    Vector2, Vector3,
};
use formwork_variant::{Decoder, Encoder, Strictness};
use formwork_variant::{Error, Rule};

/// Any bytes are read as each of some types, and what is made of them is the same, or refused for the
/// same reason, as by way of a Variant. What was made is written as the Variant of it is.
///
/// With the top bit of the first byte set the rest makes a [`Save`], which is read back the same,
/// and again after a byte of its packet was changed.
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
    // Where floats have 32 bits, the f64s are rounded.
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
    let ways = Ways::of(bytes, 12);
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
        let mut number = 0;
        macro_rules! check_each {
            ($($made:ty),* $(,)?) => {
                $(if ways.takes(number % 12) {
                    let _ = check_type::<$made, R>(&decoder, bytes, &decoded);
                }
                number += 1;)*
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

/// Makes a `T` of bytes, and asserts that it is what comes of the value that the codec made of them:
/// the same, or the same rule broken at the same path. Where the codec refuses the bytes, its error
/// is the error.
///
/// # Errors
///
/// As [`Decoder::deserialize`].
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
    match (&made, from_variant::<T, R>(value)) {
        // (Debug tells a NaN from nothing else, and is equal for equal ones.)
        (Ok(made), Ok(expected)) => {
            assert_eq!(format!("{made:?}"), format!("{expected:?}"), "{dialect}: {name}");
        }
        (Err(error), expected) if cannot_borrow(decoder, bytes, value, error) => {
            // It would have been made, or is refused for something else further on.
            drop(expected);
        }
        (Err(error), Err(expected)) => {
            assert_eq!(error.rule(), expected.rule(), "{dialect}: {name}: {error} / {expected}");
            assert_eq!(error.path(), expected.path(), "{dialect}: {name}: {error} / {expected}");
            let about_structs = rule::ALL.contains(&error.rule());
            assert!(about_structs || error.rule() == Rule::DEPTH_LIMIT, "{error}");
            assert!(error.offset() <= bytes.len() as u64, "{dialect}: {name}: {error}");
        }
        (made, expected) => panic!("{dialect}: {name}: {made:?} / {expected:?}"),
    }
    made
}

/// Whether text or bytes cannot be borrowed because they do not stand in the packet as they are, or
/// because the packet is read by way of a value after all.
fn cannot_borrow<R: Real>(
    decoder: &Decoder<R>,
    bytes: &[u8],
    value: &Variant<R>,
    error: &Error,
) -> bool {
    let detours = |value: &Variant<R>| match value.container() {
        Some(Container::Dictionary(pairs)) => {
            pairs.key_type().is_some() || pairs.iter().any(|(key, _)| holds_values(key))
        }
        Some(Container::TypedArray(_) | Container::PackedTypedArray(_)) => true,
        Some(Container::Array(array)) => array.element_type().is_some(),
        Some(Container::Object(_)) => false,
        // What looks like a byte order mark is left to the codec, which copies.
        None => value.as_str().is_some_and(|text| text.starts_with('\u{feff}')),
    };
    let is_borrowed = error.expected().contains("borrowed");
    let is_odd = || decoder.strictness(Strictness::Canonical).decode(bytes).is_err();
    error.rule() == rule::TYPE && is_borrowed && (any(value, detours) || is_odd())
}

/// Objects do, for the stream: it does not look whether one is null.
const fn holds_values<R: Real>(value: &Variant<R>) -> bool {
    matches!(
        value,
        Variant::Dictionary(_)
            | Variant::Array(_)
            | Variant::TypedArray(_)
            | Variant::PackedTypedArray(_)
            | Variant::Object(_)
    )
}

/// Writes a `T`, and asserts that its packet is that of its Variant, or refused by the same rule at
/// the same place.
///
/// # Errors
///
/// As [`Encoder::serialize`].
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
        (Err(error), Err(expected)) => {
            assert_eq!(error.rule(), expected.rule(), "{name}: {error} / {expected}");
            assert_eq!(error.path(), expected.path(), "{name}: {error} / {expected}");
            assert_eq!(error.offset(), expected.offset(), "{name}: {error} / {expected}");
        }
        (written, expected) => panic!("{name}: {written:?} / {expected:?}"),
    }
    written
}

/// A saved game that every dialect can say.
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

/// What borrows from the packet, and keeps what it has no field for.
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

/// Whatever comes, by the first word for it that fits. (It borrows nothing: where that is not possible
/// another word would fit.)
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

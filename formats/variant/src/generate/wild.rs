//! Values without any rule: any type inside any other, typed containers of other values, repeated keys, numbers of
//! types that do not exist, texts of any bytes.

use arbitrary::{Result, Unstructured};

use super::choice::{below, one_of};
use super::value::Generator;
use super::{Config, Types};
use crate::dialect::{Dialect, Precision};
use crate::{
    Array, Dictionary, ElementType, FullObject, Image, InputEvent, InputEventKind, Modifiers,
    NodePath, Object, Real, Signal, TypedArray, Variant, VariantString, VariantType,
};

/// Makes any value, whether a dialect can express it or not.
///
/// [`variant`](super::variant) tests values that are written wrongly; this function tests values that are written
/// although no engine can read them.
///
/// # Errors
///
/// Returns the errors of [`Unstructured`].
pub fn any_variant<R: Real>(u: &mut Unstructured<'_>) -> Result<Variant<R>> {
    /// The most steps, so that a long seed makes no endless value.
    const STEPS: usize = 200;
    // The values so far. A step adds one, or puts the last ones into a container: depth costs no stack.
    let mut made: Vec<Variant<R>> = Vec::new();
    for _ in 0..STEPS {
        if u.is_empty() {
            break;
        }
        match below(u, 16)? {
            0..=6 => made.push(plain(u)?),
            7 | 8 => made.push(of_some_dialect(u)?),
            9 => made.extend(made.last().cloned()),
            10 => nest(u, &mut made)?,
            _ => {
                let kept = made.len() - below(u, made.len().min(6) + 1)?;
                let held = made.split_off(kept);
                made.push(container(u, held)?);
            }
        }
    }
    match made.pop() {
        Some(value) if made.is_empty() => Ok(value),
        Some(value) => {
            made.push(value);
            Ok(Variant::Array(made.into()))
        }
        None => Ok(Variant::Nil),
    }
}

/// Small values, so few that the same comes up often.
fn plain<R: Real>(u: &mut Unstructured<'_>) -> Result<Variant<R>> {
    Ok(match below(u, 16)? {
        0 => Variant::Nil,
        1 => Variant::Bool(u.arbitrary()?),
        2 => Variant::Int(*one_of(u, &[0, 1, -1, 1 << 31, i64::MIN])?),
        3 => Variant::Int(u.arbitrary()?),
        4 => {
            let nan = f64::from_bits(0x7ff8_0000_0000_0001);
            let signalling = f64::from_bits(0x7ff0_0000_0000_0001);
            let floats = [0.0, -0.0, 0.1, 0.100_000_001, 1e300, f64::NAN, nan, signalling];
            Variant::Float(*one_of(u, &floats)?)
        }
        5 => Variant::Float(f64::from_bits(u.arbitrary()?)),
        6 => Variant::String(text(u)?),
        7 => Variant::StringName(text(u)?),
        8 => Variant::Object(Object::Null),
        9 => Variant::Object(Object::Id(*one_of(u, &[0, 1, u64::MAX])?)),
        10 => Variant::Rid(*one_of(u, &[0, 1, u64::MAX])?),
        11 => Variant::NodePath(Box::new(NodePath {
            absolute: u.arbitrary()?,
            names: texts(u)?,
            subnames: texts(u)?,
            property: if u.arbitrary()? { Some(text(u)?) } else { None },
        })),
        12 => Variant::Signal(Box::new(Signal { name: text(u)?, object_id: u.arbitrary()? })),
        13 => Variant::PackedStringArray(texts(u)?),
        14 => Variant::InputEvent(InputEvent { device: u.arbitrary()?, kind: event(u)? }),
        _ => {
            let length = below(u, 70)?.min(u.len());
            Variant::Image(Box::new(Image {
                format: below(u, 30)? as u32,
                mipmaps: below(u, 3)? as u32,
                width: below(u, 5)? as u32,
                height: below(u, 5)? as u32,
                data: u.bytes(length)?.to_vec(),
            }))
        }
    })
}

/// A value without values that some dialect, perhaps another one, can express.
fn of_some_dialect<R: Real>(u: &mut Unstructured<'_>) -> Result<Variant<R>> {
    let dialects = [Dialect::GODOT4, Dialect::PANDEMONIUM, Dialect::GODOT2, Dialect::GODOT3];
    let dialect = *one_of(u, &dialects)?;
    let double = dialect.with_precision(Precision::Double).filter(|_| R::DOUBLE);
    let config = Config { types: Types::ALL, max_bytes: 64, ..Config::default() };
    let variant_type = *one_of(u, VariantType::ALL)?;
    if variant_type.holds_values() {
        return Ok(Variant::Callable);
    }
    Generator::new(u, double.unwrap_or(dialect), &config).value_of(variant_type)
}

/// Puts the last value into nested arrays, at about the depth that an engine reads.
fn nest<R: Real>(u: &mut Unstructured<'_>, made: &mut Vec<Variant<R>>) -> Result<()> {
    let mut value = made.pop().unwrap_or_default();
    for _ in 0..*one_of(u, &[3_u16, 1022, 1023, 1024, 1025])? {
        value = Variant::Array(vec![value].into());
    }
    made.push(value);
    Ok(())
}

/// Any container around these values.
fn container<R: Real>(u: &mut Unstructured<'_>, held: Vec<Variant<R>>) -> Result<Variant<R>> {
    Ok(match below(u, 7)? {
        0 | 1 => Variant::Array(array(u, held)?),
        2 | 3 => {
            let mut held = held.into_iter();
            let mut pairs = Vec::new();
            while let Some(key) = held.next() {
                pairs.push((key, held.next().unwrap_or_default()));
            }
            let mut dictionary = Dictionary::from(pairs);
            dictionary.set_shared(u.ratio(1, 4)?);
            dictionary.set_types(maybe_element(u)?, maybe_element(u)?);
            Variant::Dictionary(dictionary)
        }
        4 => {
            let named = held.into_iter().map(|value| Ok((text(u)?, value)));
            let properties = named.collect::<Result<_>>()?;
            let class = text(u)?;
            Variant::Object(Object::Full(Box::new(FullObject { class, properties })))
        }
        5 => Variant::TypedArray(Box::new(typed(u, held)?)),
        _ => Variant::PackedTypedArray(Box::new(typed(u, held)?)),
    })
}

fn typed<R: Real>(u: &mut Unstructured<'_>, held: Vec<Variant<R>>) -> Result<TypedArray<R>> {
    Ok(TypedArray { element: element(u)?, elements: array(u, held)? })
}

fn array<R: Real>(u: &mut Unstructured<'_>, held: Vec<Variant<R>>) -> Result<Array<R>> {
    let mut array = Array::from(held);
    array.set_shared(u.ratio(1, 4)?);
    array.set_element_type(maybe_element(u)?);
    Ok(array)
}

fn maybe_element(u: &mut Unstructured<'_>) -> Result<Option<ElementType>> {
    if u.ratio(1, 3)? { element(u).map(Some) } else { Ok(None) }
}

fn element(u: &mut Unstructured<'_>) -> Result<ElementType> {
    Ok(match below(u, 6)? {
        0 | 1 => ElementType::Builtin(*one_of(u, VariantType::ALL)?),
        2 => {
            let common = [VariantType::Int, VariantType::Nil, VariantType::Object];
            ElementType::Builtin(*one_of(u, &common)?)
        }
        3 => ElementType::Class(text(u)?),
        4 => ElementType::Script(text(u)?),
        _ => ElementType::Unknown(*one_of(u, &[0, 2, 23, 38, 39, 99, 1 << 31 | 2, u32::MAX])?),
    })
}

fn event(u: &mut Unstructured<'_>) -> Result<InputEventKind> {
    let word = below(u, 12)? as u32;
    Ok(match below(u, 10)? {
        0 => InputEventKind::None,
        1 => InputEventKind::Key { modifiers: Modifiers::default(), scancode: word },
        2 => InputEventKind::MouseMotion,
        3 => InputEventKind::MouseButton { button: word },
        4 => InputEventKind::JoystickMotion { axis: word, value: None },
        5 => {
            let value = Some(f32::from_bits(u.arbitrary()?));
            InputEventKind::JoystickMotion { axis: word, value }
        }
        6 => InputEventKind::JoystickButton { button: word },
        7 => InputEventKind::ScreenTouch { index: word },
        8 => InputEventKind::Action,
        _ => InputEventKind::Other { number: word },
    })
}

fn texts(u: &mut Unstructured<'_>) -> Result<Vec<VariantString>> {
    (0..below(u, 4)?).map(|_| text(u)).collect()
}

/// A text that some engine refuses or changes, or a common one.
fn text(u: &mut Unstructured<'_>) -> Result<VariantString> {
    let common = ["", "a", "b", "Node", "RefCounted", "EncodedObjectAsID", "res://a.gd", "a\0b"];
    let numbers = match below(u, 3)? {
        0 | 1 => return one_of(u, &common).map(|text| VariantString::from(*text)),
        _ => (0..below(u, 5)?).map(|_| {
            let odd =
                [0, 0x41, 0x7f, 0x80, 0xd800, 0xdfff, 0xfeff, 0x1_f600, 0x11_0000, 0x7fff_ffff];
            one_of(u, &odd).copied()
        }),
    };
    Ok(VariantString::from_numbers(numbers.collect::<Result<Vec<u32>>>()?))
}

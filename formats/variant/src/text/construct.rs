//! Values written as a name with arguments in parentheses.

use base64::engine::general_purpose::STANDARD;
use base64::{DecodeError, Engine};

use super::scan::{Number, Scanner};
use super::write::{image_format, text_name};
use crate::Dialect;
use crate::{
    Image, InputEvent, InputEventKind, Math, Modifiers, NodePath, NumberSource, OwnType, Real,
    RealMath, Variant, VariantString, VariantType,
};
use formwork::{Error, Result};
use formwork_records::wire;
use formwork_records::wire::{Components, Element, value_of, values_of};

/// Names by which an engine's parser knows a type, though no engine calls the type so.
const OTHER_NAMES: &[(&str, VariantType)] = &[
    ("Rect3", VariantType::Aabb),
    ("PackedIntArray", VariantType::PackedInt32Array),
    ("PackedRealArray", VariantType::PackedFloat32Array),
    ("Vector2iArray", VariantType::PackedVector2iArray),
    ("Vector3iArray", VariantType::PackedVector3iArray),
    ("Vector4Array", VariantType::PackedVector4Array),
    ("Vector4iArray", VariantType::PackedVector4iArray),
];

/// Reads a value after the name of its type.
type Read<R> = fn(&mut Scanner<'_>) -> Result<Variant<R>>;

/// Returns the reader of a type that is not only numbers and whose values are written as a name with arguments in
/// parentheses. (What other types look like is the parser's business.)
fn reader<R: Real>(own: OwnType) -> Option<Read<R>> {
    Some(match own {
        OwnType::NodePath => |scan| node_path(scan).map(Into::into),
        OwnType::Rid => |scan| rid(scan).map(Variant::Rid),
        OwnType::Callable => |scan| empty(scan).map(|()| Variant::Callable),
        OwnType::Signal => |scan| empty(scan).map(|()| Variant::Signal(Box::default())),
        OwnType::PackedByteArray => |scan| bytes(scan).map(Into::into),
        // Only here the engines allow a comma before the end.
        OwnType::PackedStringArray => |scan| list(scan, true, |scan| scan.string()).map(Into::into),
        OwnType::Image => |scan| image(scan).map(Into::into),
        OwnType::InputEvent => |scan| input_event(scan).map(Into::into),
        OwnType::Nil
        | OwnType::Bool
        | OwnType::Int
        | OwnType::Float
        | OwnType::String
        | OwnType::StringName
        | OwnType::Object
        | OwnType::Dictionary
        | OwnType::Array
        | OwnType::TypedArray
        | OwnType::PackedTypedArray => return None,
    })
}

/// Returns whether values of the type are written as a name with arguments in parentheses.
fn is_constructed(variant_type: VariantType) -> bool {
    variant_type.own_type().is_none_or(|own| reader::<f32>(own).is_some())
}

/// The type that a text of this dialect means by a name, in the words of any engine. (Each knows its own
/// and some of the others'; none gives another meaning to a name that it does not know.)
pub(super) fn type_called(name: &str, dialect: Dialect) -> Option<VariantType> {
    let of = |dialect: Dialect| {
        let types = dialect.rows().iter().map(|row| row.variant_type);
        types.filter(|&one| is_constructed(one)).find(|&one| text_name(dialect, one) == name)
    };
    let other = || OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, one)| *one);
    let variant_type = of(dialect).or_else(|| Dialect::all().find_map(of)).or_else(other)?;
    // Godot 3.5 and 3.6 read Godot 4's wide arrays as their own.
    let narrow = if variant_type == VariantType::PackedInt64Array {
        VariantType::PackedInt32Array
    } else if variant_type == VariantType::PackedFloat64Array {
        VariantType::PackedFloat32Array
    } else {
        variant_type
    };
    [variant_type, narrow].into_iter().find(|&one| dialect.type_id(one).is_some())
}

/// Returns the most elements that the rest of the text can contain, including the one that was read: an element and
/// its comma are two bytes at least. A list never grows beyond this number.
pub(super) const fn most(left: usize) -> usize {
    left / 2 + 1
}

/// Adds an element.
fn push<T>(list: &mut Vec<T>, element: T, left: usize) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len().max(4).min(most(left)));
    }
    list.push(element);
}

/// Reads the value of a type, after the name.
pub(super) fn read<R: Real>(
    scan: &mut Scanner<'_>,
    variant_type: VariantType,
) -> Result<Variant<R>> {
    match Variant::from_numbers(variant_type, Arguments(scan)) {
        Ok(made) => made,
        Err(own) => match reader(own) {
            Some(read) => read(scan),
            // `type_called` returns no other type.
            None => Err(scan.error("a value")),
        },
    }
}

/// Numbers as arguments in parentheses.
struct Arguments<'s, 't>(&'s mut Scanner<'t>);

impl<R: Real> NumberSource<R> for Arguments<'_, '_> {
    type Error = Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        fixed(self.0)
    }

    fn math<T: Math>(self) -> Result<T> {
        fixed(self.0)
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        grouped(self.0)
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        grouped(self.0)
    }
}

/// A number as a component or element; of a whole one the lower bits, as the engines cut them.
fn converted<N: wire::Number>(number: Number) -> N {
    match size_of::<N>() {
        _ if N::REAL => N::of_f64(number.to_f64()),
        0..=4 => N::of_i64(number.to_i32().into()),
        _ => N::of_i64(number.to_i64()),
    }
}

fn real(number: Number) -> f32 {
    converted(number)
}

fn a_number(scan: &mut Scanner<'_>) -> Result<Number> {
    scan.number()?.ok_or_else(|| scan.error("a number"))
}

/// Elements in parentheses, with commas between them.
fn list<T>(
    scan: &mut Scanner<'_>,
    last_comma: bool,
    element: impl Fn(&mut Scanner<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    scan.expect(b'(')?;
    rest_of_list(scan, last_comma, element)
}

/// Reads a list after its opening parenthesis.
fn rest_of_list<T>(
    scan: &mut Scanner<'_>,
    last_comma: bool,
    element: impl Fn(&mut Scanner<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut elements = Vec::new();
    if scan.take(b')') {
        return Ok(elements);
    }
    loop {
        let one = element(scan)?;
        push(&mut elements, one, scan.left());
        if scan.take(b')') {
            return Ok(elements);
        }
        if !scan.take(b',') {
            return Err(scan.error("',' or ')'"));
        }
        if last_comma && scan.take(b')') {
            return Ok(elements);
        }
    }
}

fn numbers<T>(scan: &mut Scanner<'_>, convert: impl Fn(Number) -> T) -> Result<Vec<T>> {
    list(scan, false, |scan| a_number(scan).map(&convert))
}

/// Exactly as many numbers as the type has.
fn fixed<T: Components>(scan: &mut Scanner<'_>) -> Result<T> {
    let start = scan.at;
    let numbers = numbers(scan, converted::<T::Number>)?;
    value_of(&numbers).ok_or_else(|| {
        scan.at = start;
        let count = size_of::<T::Array>() / size_of::<T::Number>();
        scan.error(format!("{count} numbers in parentheses"))
    })
}

/// The elements of an array; the engines leave out numbers that are too few at the end.
fn grouped<T: Components>(scan: &mut Scanner<'_>) -> Result<Vec<T>> {
    numbers(scan, converted::<T::Number>).map(values_of)
}

/// Numbers, or one string in base64 (Godot 4.3 on reads both; Pandemonium writes it).
fn bytes(scan: &mut Scanner<'_>) -> Result<Vec<u8>> {
    scan.expect(b'(')?;
    if scan.peek() != Some(b'"') {
        return rest_of_list(scan, false, |scan| Ok(a_number(scan)?.to_i32() as u8));
    }
    let start = scan.at;
    let text = scan.string()?;
    let bytes = STANDARD.decode(text.as_bytes()).map_err(|error| {
        let offset = match error {
            DecodeError::InvalidByte(offset, _) | DecodeError::InvalidLastSymbol { offset, .. } => {
                offset
            }
            DecodeError::InvalidLength(_) | DecodeError::InvalidPadding => text.as_bytes().len(),
        };
        scan.at = (start + 1 + offset).min(scan.at - 1);
        scan.error("base64")
    })?;
    scan.expect(b')')?;
    Ok(bytes)
}

fn empty(scan: &mut Scanner<'_>) -> Result<()> {
    scan.expect(b'(')?;
    scan.expect(b')')
}

fn node_path(scan: &mut Scanner<'_>) -> Result<NodePath> {
    scan.expect(b'(')?;
    let text: VariantString = scan.string()?;
    scan.expect(b')')?;
    let path = NodePath::parse(&text);
    Ok(if scan.dialect.quirks().node_path_property { path.with_property() } else { path })
}

fn rid(scan: &mut Scanner<'_>) -> Result<u64> {
    scan.expect(b'(')?;
    if scan.take(b')') {
        return Ok(0);
    }
    let number = a_number(scan)?.to_i64();
    scan.expect(b')')?;
    // Printed as a signed number.
    Ok(number.cast_unsigned())
}

/// `Image( width, height, mipmaps, FORMAT, byte, ... )`. Godot 2.
fn image(scan: &mut Scanner<'_>) -> Result<Image> {
    scan.expect(b'(')?;
    if scan.take(b')') {
        return Ok(Image::default());
    }
    let mut sizes = [0; 3];
    for size in &mut sizes {
        *size = a_number(scan)?.to_i32().cast_unsigned();
        scan.expect(b',')?;
    }
    let [width, height, mipmaps] = sizes;
    let format = format_called(scan)?;
    let data = if scan.take(b')') {
        Vec::new()
    } else {
        scan.expect(b',')?;
        rest_of_list(scan, false, |scan| Ok(a_number(scan)?.to_i32() as u8))?
    };
    Ok(Image { format, mipmaps, width, height, data })
}

fn format_called(scan: &mut Scanner<'_>) -> Result<u32> {
    scan.peek();
    let start = scan.at;
    let name = scan.identifier();
    let known = (0..).zip(Image::FORMATS).find(|&(number, _)| image_format(number) == name);
    known.filter(|_| !name.is_empty()).map(|(number, _)| number).ok_or_else(|| {
        scan.at = start;
        scan.error("the name of an image format (those of YUV images are printed as nothing)")
    })
}

/// `InputEvent(KEY,65,CS)` and so on. Godot 2.
fn input_event(scan: &mut Scanner<'_>) -> Result<InputEvent> {
    scan.expect(b'(')?;
    scan.peek();
    let start = scan.at;
    let kind = match scan.identifier() {
        "NONE" => InputEventKind::None,
        "KEY" => {
            let scancode = argument(scan)?;
            let modifiers = modifiers(scan)?;
            InputEventKind::Key { modifiers, scancode }
        }
        "MBUTTON" => InputEventKind::MouseButton { button: argument(scan)? },
        "JBUTTON" => InputEventKind::JoystickButton { button: argument(scan)? },
        "JAXIS" => {
            let axis = argument(scan)?;
            scan.expect(b',')?;
            InputEventKind::JoystickMotion { axis, value: Some(real(a_number(scan)?)) }
        }
        _ => {
            scan.at = start;
            return Err(scan.error(
                "NONE, KEY, MBUTTON, JBUTTON or JAXIS (of other events nothing is printed)",
            ));
        }
    };
    scan.expect(b')')?;
    Ok(InputEvent { device: 0, kind })
}

fn argument(scan: &mut Scanner<'_>) -> Result<u32> {
    scan.expect(b',')?;
    Ok(a_number(scan)?.to_i32().cast_unsigned())
}

/// Reads the letters of the modifier keys, in any order and case, if a comma comes next.
fn modifiers(scan: &mut Scanner<'_>) -> Result<Modifiers> {
    let mut modifiers = Modifiers::default();
    if scan.take(b',') {
        scan.peek();
        let letters = scan.identifier();
        if letters.is_empty() {
            return Err(scan.error("letters of modifier keys"));
        }
        let held = |letter| letters.bytes().any(|byte| byte.to_ascii_uppercase() == letter);
        modifiers.alt = held(b'A');
        modifiers.shift = held(b'S');
        modifiers.control = held(b'C');
        modifiers.meta = held(b'M');
    }
    Ok(modifiers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_type_is_known_by_its_names_in_any_engine() {
        let of = |name| type_called(name, Dialect::GODOT3);
        for name in ["Quat", "Quaternion"] {
            assert_eq!(of(name), Some(VariantType::Quaternion), "{name}");
        }
        for name in ["PoolByteArray", "PackedByteArray", "ByteArray"] {
            assert_eq!(of(name), Some(VariantType::PackedByteArray), "{name}");
        }
        assert_eq!(of("PackedInt64Array"), Some(VariantType::PackedInt32Array));
        assert_eq!(of("Rect3"), Some(VariantType::Aabb));
        // The names in the tables and in the texts differ for some types, and some types have no name in texts.
        for name in ["RawArray", "RealArray", "String", "Object", "Dictionary", "int"] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}

//! Values written as a name with arguments in parentheses.

use base64::engine::general_purpose::STANDARD;
use base64::{DecodeError, Engine};

use super::scan::{Number, Scanner};
use super::write::image_format;
use crate::Dialect;
use crate::error::Result;
use crate::variant::{
    Aabb, Basis, Color, Image, InputEvent, InputEventKind, Modifiers, NodePath, Plane, Projection,
    Quaternion, Real, Rect2, Rect2i, Transform2D, Transform3D, Variant, VariantString, VariantType,
    Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// Every name by which any engine's parser knows a type. (Each knows its own and some of the
/// others'; none gives another meaning to a name that it does not know.)
const NAMES: &[(&str, VariantType)] = &[
    ("Vector2", VariantType::Vector2),
    ("Vector2i", VariantType::Vector2i),
    ("Rect2", VariantType::Rect2),
    ("Rect2i", VariantType::Rect2i),
    ("Vector3", VariantType::Vector3),
    ("Vector3i", VariantType::Vector3i),
    ("Vector4", VariantType::Vector4),
    ("Vector4i", VariantType::Vector4i),
    ("Transform2D", VariantType::Transform2D),
    ("Matrix32", VariantType::Transform2D),
    ("Plane", VariantType::Plane),
    ("Quaternion", VariantType::Quaternion),
    ("Quat", VariantType::Quaternion),
    ("AABB", VariantType::Aabb),
    ("Rect3", VariantType::Aabb),
    ("Basis", VariantType::Basis),
    ("Matrix3", VariantType::Basis),
    ("Transform3D", VariantType::Transform3D),
    ("Transform", VariantType::Transform3D),
    ("Projection", VariantType::Projection),
    ("Color", VariantType::Color),
    ("NodePath", VariantType::NodePath),
    ("RID", VariantType::Rid),
    ("Callable", VariantType::Callable),
    ("Signal", VariantType::Signal),
    ("Image", VariantType::Image),
    ("InputEvent", VariantType::InputEvent),
    ("PackedByteArray", VariantType::PackedByteArray),
    ("PoolByteArray", VariantType::PackedByteArray),
    ("ByteArray", VariantType::PackedByteArray),
    ("PackedInt32Array", VariantType::PackedInt32Array),
    ("PackedIntArray", VariantType::PackedInt32Array),
    ("PoolIntArray", VariantType::PackedInt32Array),
    ("IntArray", VariantType::PackedInt32Array),
    ("PackedInt64Array", VariantType::PackedInt64Array),
    ("PackedFloat32Array", VariantType::PackedFloat32Array),
    ("PackedRealArray", VariantType::PackedFloat32Array),
    ("PoolRealArray", VariantType::PackedFloat32Array),
    ("FloatArray", VariantType::PackedFloat32Array),
    ("PackedFloat64Array", VariantType::PackedFloat64Array),
    ("PackedStringArray", VariantType::PackedStringArray),
    ("PoolStringArray", VariantType::PackedStringArray),
    ("StringArray", VariantType::PackedStringArray),
    ("PackedVector2Array", VariantType::PackedVector2Array),
    ("PoolVector2Array", VariantType::PackedVector2Array),
    ("Vector2Array", VariantType::PackedVector2Array),
    ("PoolVector2iArray", VariantType::PackedVector2iArray),
    ("Vector2iArray", VariantType::PackedVector2iArray),
    ("PackedVector3Array", VariantType::PackedVector3Array),
    ("PoolVector3Array", VariantType::PackedVector3Array),
    ("Vector3Array", VariantType::PackedVector3Array),
    ("PoolVector3iArray", VariantType::PackedVector3iArray),
    ("Vector3iArray", VariantType::PackedVector3iArray),
    ("PackedVector4Array", VariantType::PackedVector4Array),
    ("PoolVector4Array", VariantType::PackedVector4Array),
    ("Vector4Array", VariantType::PackedVector4Array),
    ("PoolVector4iArray", VariantType::PackedVector4iArray),
    ("Vector4iArray", VariantType::PackedVector4iArray),
    ("PackedColorArray", VariantType::PackedColorArray),
    ("PoolColorArray", VariantType::PackedColorArray),
    ("ColorArray", VariantType::PackedColorArray),
];

/// The type that a text of this dialect means by a name.
pub(super) fn type_called(name: &str, dialect: Dialect) -> Option<VariantType> {
    let (_, variant_type) = *NAMES.iter().find(|(known, _)| *known == name)?;
    // Godot 3.5 and 3.6 read Godot 4's wide arrays as their own.
    let narrow = match variant_type {
        VariantType::PackedInt64Array => VariantType::PackedInt32Array,
        VariantType::PackedFloat64Array => VariantType::PackedFloat32Array,
        other => other,
    };
    [variant_type, narrow].into_iter().find(|&one| dialect.type_id(one).is_some())
}

/// Adds an element. The list never grows beyond what the text that is left can still bring: an
/// element and its comma are two bytes at least.
pub(super) fn push<T>(list: &mut Vec<T>, element: T, left: usize) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len().max(4).min(left / 2 + 1));
    }
    list.push(element);
}

/// The value of a type, behind the name.
pub(super) fn read<R: Real>(
    scan: &mut Scanner<'_>,
    variant_type: VariantType,
) -> Result<Variant<R>> {
    Ok(match variant_type {
        VariantType::Vector2 => Variant::Vector2(Vector2::from_array(fixed(scan, real)?)),
        VariantType::Rect2 => Variant::Rect2(Rect2::from_array(fixed(scan, real)?)),
        VariantType::Vector3 => Variant::Vector3(Vector3::from_array(fixed(scan, real)?)),
        VariantType::Vector4 => Variant::Vector4(Vector4::from_array(fixed(scan, real)?)),
        VariantType::Transform2D => {
            Variant::Transform2D(Transform2D::from_array(fixed(scan, real)?))
        }
        VariantType::Plane => Variant::Plane(Plane::from_array(fixed(scan, real)?)),
        VariantType::Quaternion => Variant::Quaternion(Quaternion::from_array(fixed(scan, real)?)),
        VariantType::Aabb => Variant::Aabb(Aabb::from_array(fixed(scan, real)?)),
        VariantType::Basis => Variant::Basis(Box::new(Basis::from_array(fixed(scan, real)?))),
        VariantType::Transform3D => {
            Variant::Transform3D(Box::new(Transform3D::from_array(fixed(scan, real)?)))
        }
        VariantType::Projection => {
            Variant::Projection(Box::new(Projection::from_array(fixed(scan, real)?)))
        }
        VariantType::Color => Variant::Color(Color::from_array(fixed(scan, real)?)),
        VariantType::Vector2i => Variant::Vector2i(Vector2i::from_array(fixed(scan, whole)?)),
        VariantType::Rect2i => Variant::Rect2i(Rect2i::from_array(fixed(scan, whole)?)),
        VariantType::Vector3i => Variant::Vector3i(Vector3i::from_array(fixed(scan, whole)?)),
        VariantType::Vector4i => Variant::Vector4i(Vector4i::from_array(fixed(scan, whole)?)),
        VariantType::NodePath => Variant::NodePath(Box::new(node_path(scan)?)),
        VariantType::Rid => Variant::Rid(rid(scan)?),
        VariantType::Callable => {
            empty(scan)?;
            Variant::Callable
        }
        VariantType::Signal => {
            empty(scan)?;
            Variant::Signal(Box::default())
        }
        VariantType::Image => Variant::Image(Box::new(image(scan)?)),
        VariantType::InputEvent => Variant::InputEvent(input_event(scan)?),
        _ => return packed(scan, variant_type),
    })
}

fn packed<R: Real>(scan: &mut Scanner<'_>, variant_type: VariantType) -> Result<Variant<R>> {
    Ok(match variant_type {
        VariantType::PackedByteArray => Variant::PackedByteArray(bytes(scan)?),
        VariantType::PackedInt32Array => Variant::PackedInt32Array(numbers(scan, whole)?),
        VariantType::PackedInt64Array => Variant::PackedInt64Array(numbers(scan, Number::to_i64)?),
        VariantType::PackedFloat32Array => Variant::PackedFloat32Array(numbers(scan, real)?),
        VariantType::PackedFloat64Array => Variant::PackedFloat64Array(numbers(scan, real)?),
        VariantType::PackedVector2Array => {
            Variant::PackedVector2Array(grouped(scan, real, Vector2::from_array)?)
        }
        VariantType::PackedVector3Array => {
            Variant::PackedVector3Array(grouped(scan, real, Vector3::from_array)?)
        }
        VariantType::PackedVector4Array => {
            Variant::PackedVector4Array(grouped(scan, real, Vector4::from_array)?)
        }
        VariantType::PackedColorArray => {
            Variant::PackedColorArray(grouped(scan, real, Color::from_array)?)
        }
        VariantType::PackedVector2iArray => {
            Variant::PackedVector2iArray(grouped(scan, whole, Vector2i::from_array)?)
        }
        VariantType::PackedVector3iArray => {
            Variant::PackedVector3iArray(grouped(scan, whole, Vector3i::from_array)?)
        }
        VariantType::PackedVector4iArray => {
            Variant::PackedVector4iArray(grouped(scan, whole, Vector4i::from_array)?)
        }
        VariantType::PackedStringArray => {
            // Only here the engines let a comma stand before the end.
            Variant::PackedStringArray(list(scan, true, |scan| scan.string())?)
        }
        // `type_called` gives no other.
        _ => return Err(scan.error("a value")),
    })
}

fn real<R: Real>(number: Number) -> R {
    R::from_f64(number.to_f64())
}

/// The lower 32 bits, as the engines cut them.
fn whole(number: Number) -> i32 {
    number.to_i64() as i32
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

/// The same, behind the opening parenthesis.
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

/// Exactly `N` numbers.
fn fixed<T, const N: usize>(
    scan: &mut Scanner<'_>,
    convert: impl Fn(Number) -> T,
) -> Result<[T; N]> {
    let start = scan.at;
    numbers(scan, convert)?.try_into().map_err(|_| {
        scan.at = start;
        scan.error(format!("{N} numbers in parentheses"))
    })
}

/// Numbers taken together `N` at a time; the engines leave out what is too few at the end.
fn grouped<T: Copy, V, const N: usize>(
    scan: &mut Scanner<'_>,
    convert: impl Fn(Number) -> T,
    group: impl Fn([T; N]) -> V,
) -> Result<Vec<V>> {
    let numbers = numbers(scan, convert)?;
    let (groups, _) = numbers.as_chunks::<N>();
    Ok(groups.iter().map(|&numbers| group(numbers)).collect())
}

/// Numbers, or one string in base64 (Godot 4.3 on reads both; Pandemonium writes it).
fn bytes(scan: &mut Scanner<'_>) -> Result<Vec<u8>> {
    scan.expect(b'(')?;
    if scan.peek() != Some(b'"') {
        return rest_of_list(scan, false, |scan| Ok(a_number(scan)?.to_i64() as u8));
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
    Ok(if scan.dialect.rules().node_path_property { path.with_property() } else { path })
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
        *size = whole(a_number(scan)?).cast_unsigned();
        scan.expect(b',')?;
    }
    let [width, height, mipmaps] = sizes;
    let format = format_called(scan)?;
    let data = if scan.take(b')') {
        Vec::new()
    } else {
        scan.expect(b',')?;
        rest_of_list(scan, false, |scan| Ok(a_number(scan)?.to_i64() as u8))?
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
    Ok(whole(a_number(scan)?).cast_unsigned())
}

/// The letters of the modifier keys, in any order and case, if a comma comes next.
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

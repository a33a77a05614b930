//! Typed containers: what an engine makes of elements that are not of the declared type.
//!
//! Godot 4 converts single elements of a typed array, and leaves out those that it cannot convert (it
//! prints an error for each). A typed dictionary checks only its keys, one by one. Pandemonium leaves
//! out every element of another type. (Facts: the answers of Godot 4.6.3 and Pandemonium in
//! `formats/*/golden`, and those of the live 4.6.3 to arrays in which some elements convert, which
//! `tests/engines` asks for; which types convert is `Variant::can_convert_strict` of Godot 4.)

use super::encode::STAND_IN;
use crate::dialect::{Rules, TextStyle};
use crate::error::Rule;
use crate::variant::{
    Array, Basis, Color, ElementType, KeySet, NodePath, Object, Projection, Quaternion, Real,
    Rect2, Rect2i, Transform2D, Transform3D, Variant, VariantString, VariantType, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// The element type that the engine's container ends up with; [`None`] is an untyped one.
///
/// `Err` holds a script path that the engine refuses.
pub(super) fn as_engine_keeps(
    element: ElementType,
    objects_allowed: bool,
) -> Result<Option<ElementType>, String> {
    Ok(Some(match element {
        ElementType::Builtin(VariantType::Nil) => return Ok(None),
        ElementType::Builtin(VariantType::Object)
        | ElementType::Class(_)
        | ElementType::Script(_)
            if !objects_allowed =>
        {
            // Godot 4 puts that class in the place of every other where objects are not in full.
            ElementType::Class(VariantString::from(STAND_IN))
        }
        // An object of any class.
        ElementType::Class(name) if name.is_empty() => ElementType::Builtin(VariantType::Object),
        ElementType::Script(path) if !path.as_bytes().starts_with(b"res://") => {
            return Err(path.to_string());
        }
        kept => kept,
    }))
}

/// The elements that the engine's array of this type ends up with, and whether they are others than
/// were read.
pub(super) fn assign<R: Real>(
    element: &ElementType,
    values: Vec<Variant<R>>,
    packed: bool,
    rules: &Rules,
) -> (Vec<Variant<R>>, bool) {
    if rules.text == TextStyle::Pandemonium {
        return leave_out(element, values, packed);
    }
    if values.iter().all(|value| is_of(element, value)) {
        return (values, false);
    }
    let kept = values.into_iter().filter_map(|value| match element {
        _ if is_of(element, &value) => Some(value),
        ElementType::Builtin(wanted) if *wanted != VariantType::Object => convert(value, *wanted),
        _ => None,
    });
    (kept.collect(), true)
}

/// Pandemonium: only elements of the very type stay.
fn leave_out<R: Real>(
    element: &ElementType,
    values: Vec<Variant<R>>,
    packed: bool,
) -> (Vec<Variant<R>>, bool) {
    let count = values.len();
    let mut changed = false;
    let kept: Vec<_> = values
        .into_iter()
        .filter_map(|value| match (element, value) {
            // A packed array of nulls holds bools: it makes one of each null, and writes those.
            (ElementType::Builtin(VariantType::Nil), Variant::Nil) if packed => {
                changed = true;
                Some(Variant::Bool(false))
            }
            (element, value) => is_kept(element, &value, packed).then_some(value),
        })
        .collect();
    changed |= kept.len() != count;
    (kept, changed)
}

/// Whether the engine's array of this type keeps the value as it is when it is read.
pub(super) fn is_kept<R: Real>(element: &ElementType, value: &Variant<R>, packed: bool) -> bool {
    match element {
        ElementType::Builtin(VariantType::Nil) if packed => matches!(value, Variant::Bool(false)),
        element => is_of(element, value),
    }
}

/// Whether a container of this element type takes the value as it is.
pub(crate) fn is_of<R: Real>(element: &ElementType, value: &Variant<R>) -> bool {
    match element {
        ElementType::Builtin(VariantType::Object) => {
            matches!(value, Variant::Nil | Variant::Object(_))
        }
        ElementType::Builtin(wanted) => value.variant_type() == *wanted,
        ElementType::Class(class) | ElementType::Script(class) => match value {
            Variant::Nil | Variant::Object(Object::Null) => true,
            Variant::Object(Object::Id(_)) => is_ancestor_of_stand_in(class),
            // Without the engine's class registry every object may be of a class derived from the
            // declared one; only those two are known to derive from few.
            Variant::Object(Object::Full(object)) => {
                let name = object.class.as_bytes();
                !(name == b"RefCounted" || name == STAND_IN.as_bytes())
                    || *class == object.class
                    || is_ancestor_of_stand_in(class)
            }
            _ => false,
        },
        // No value is of a type that does not exist.
        ElementType::Unknown(_) => false,
    }
}

/// What a stand-in object, which derives from RefCounted, may be an element of. (In Pandemonium the
/// class is called Reference.)
fn is_ancestor_of_stand_in(class: &VariantString) -> bool {
    matches!(class.as_bytes(), b"Object" | b"RefCounted" | b"Reference") || *class == STAND_IN
}

/// Adds a pair to a dictionary that is being read; says which rule it bends, if one.
pub(super) fn insert_pair<R: Real>(
    pairs: &mut KeySet<R>,
    key: Variant<R>,
    value: Variant<R>,
    key_type: Option<&ElementType>,
) -> Option<Rule> {
    let mut bent = None;
    let key = match (key_type, key) {
        (Some(wanted), key) if !is_of(wanted, &key) => {
            bent = Some(Rule::ContainerElement);
            match (wanted, key) {
                (ElementType::Builtin(VariantType::String), Variant::StringName(text)) => {
                    Variant::String(text)
                }
                (ElementType::Builtin(VariantType::StringName), Variant::String(text)) => {
                    Variant::StringName(text)
                }
                (ElementType::Builtin(VariantType::Float), Variant::Int(number)) => {
                    Variant::Float(number as f64)
                }
                _ => return bent,
            }
        }
        (_, key) => key,
    };
    if pairs.insert(key, value).is_some() {
        bent = Some(Rule::DictionaryKeys);
    }
    bent
}

/// Turns a value into another type, where Godot 4 does so strictly.
fn convert<R: Real>(value: Variant<R>, wanted: VariantType) -> Option<Variant<R>> {
    let real = |number: i32| R::from_f64(f64::from(number));
    let whole = |number: R| number.to_f64() as i32;
    Some(match (wanted, value) {
        (wanted, value) if value.variant_type() == wanted => value,
        (VariantType::Bool, Variant::Int(number)) => Variant::Bool(number != 0),
        (VariantType::Bool, Variant::Float(number)) => Variant::Bool(number != 0.0),
        (VariantType::Int, Variant::Bool(value)) => Variant::Int(value.into()),
        (VariantType::Int, Variant::Float(number)) => Variant::Int(number as i64),
        (VariantType::Float, Variant::Bool(value)) => Variant::Float(f64::from(u8::from(value))),
        (VariantType::Float, Variant::Int(number)) => Variant::Float(number as f64),
        (VariantType::String, Variant::StringName(text)) => Variant::String(text),
        (VariantType::String, Variant::NodePath(path)) => Variant::String(path.to_text()),
        (VariantType::StringName, Variant::String(text)) => Variant::StringName(text),
        (VariantType::NodePath, Variant::String(text)) => NodePath::parse(&text).into(),
        (VariantType::Vector2, Variant::Vector2i(v)) => Vector2::new(real(v.x), real(v.y)).into(),
        (VariantType::Vector2i, Variant::Vector2(v)) => {
            Vector2i::new(whole(v.x), whole(v.y)).into()
        }
        (VariantType::Rect2, Variant::Rect2i(rect)) => {
            Rect2::from_array(rect.to_array().map(real)).into()
        }
        (VariantType::Rect2i, Variant::Rect2(rect)) => {
            Rect2i::from_array(rect.to_array().map(whole)).into()
        }
        (VariantType::Vector3, Variant::Vector3i(v)) => {
            Vector3::from_array(v.to_array().map(real)).into()
        }
        (VariantType::Vector3i, Variant::Vector3(v)) => {
            Vector3i::from_array(v.to_array().map(whole)).into()
        }
        (VariantType::Vector4, Variant::Vector4i(v)) => {
            Vector4::from_array(v.to_array().map(real)).into()
        }
        (VariantType::Vector4i, Variant::Vector4(v)) => {
            Vector4i::from_array(v.to_array().map(whole)).into()
        }
        (VariantType::Color, Variant::Int(number)) => color(number).into(),
        (VariantType::Basis, Variant::Quaternion(rotation)) => basis(rotation).into(),
        (VariantType::Transform3D, Variant::Basis(basis)) => placed(*basis).into(),
        (VariantType::Transform3D, Variant::Quaternion(rotation)) => placed(basis(rotation)).into(),
        (VariantType::Transform3D, Variant::Transform2D(flat)) => raised(flat).into(),
        (VariantType::Transform3D, Variant::Projection(matrix)) => affine(&matrix).into(),
        (VariantType::Transform2D, Variant::Transform3D(transform)) => flat(&transform).into(),
        (VariantType::Projection, Variant::Transform3D(transform)) => matrix(&transform).into(),
        (VariantType::Array, value) => return unpacked(value),
        (wanted, Variant::Array(array)) => return packed(&array, wanted),
        _ => return None,
    })
}

/// A colour given as the number 0xRRGGBBAA.
fn color(number: i64) -> Color {
    let part = |shift: u32| ((number >> shift) & 0xff) as f32 / 255.0;
    Color::new(part(24), part(16), part(8), part(0))
}

fn basis<R: Real>(rotation: Quaternion<R>) -> Basis<R> {
    let [x, y, z, w] = rotation.to_array().map(Real::to_f64);
    let s = 2.0 / (x * x + y * y + z * z + w * w);
    Basis::from_array(
        [
            1.0 - s * (y * y + z * z),
            s * (x * y - w * z),
            s * (x * z + w * y),
            s * (x * y + w * z),
            1.0 - s * (x * x + z * z),
            s * (y * z - w * x),
            s * (x * z - w * y),
            s * (y * z + w * x),
            1.0 - s * (x * x + y * y),
        ]
        .map(R::from_f64),
    )
}

/// A basis at the origin.
fn placed<R: Real>(basis: Basis<R>) -> Transform3D<R> {
    let [a, b, c, d, e, f, g, h, i] = basis.to_array();
    let zero = R::default();
    Transform3D::from_array([a, b, c, d, e, f, g, h, i, zero, zero, zero])
}

/// A 2D transform in the plane z = 0.
fn raised<R: Real>(flat: Transform2D<R>) -> Transform3D<R> {
    let [x_x, x_y, y_x, y_y, o_x, o_y] = flat.to_array();
    let (zero, one) = (R::default(), R::from_f64(1.0));
    Transform3D::from_array([x_x, y_x, zero, x_y, y_y, zero, zero, zero, one, o_x, o_y, zero])
}

/// What a 3D transform does to the plane z = 0.
fn flat<R: Real>(t: &Transform3D<R>) -> Transform2D<R> {
    Transform2D::new(t.x_x, t.x_y, t.y_x, t.y_y, t.origin_x, t.origin_y)
}

/// A projection without its last row.
fn affine<R: Real>(m: &Projection<R>) -> Transform3D<R> {
    Transform3D::from_array([
        m.x_x, m.y_x, m.z_x, m.x_y, m.y_y, m.z_y, m.x_z, m.y_z, m.z_z, m.w_x, m.w_y, m.w_z,
    ])
}

/// A transform as a projection.
fn matrix<R: Real>(t: &Transform3D<R>) -> Projection<R> {
    let (zero, one) = (R::default(), R::from_f64(1.0));
    Projection::from_array([
        t.x_x, t.x_y, t.x_z, zero, t.y_x, t.y_y, t.y_z, zero, t.z_x, t.z_y, t.z_z, zero,
        t.origin_x, t.origin_y, t.origin_z, one,
    ])
}

/// A packed array as an ordinary one.
fn unpacked<R: Real>(value: Variant<R>) -> Option<Variant<R>> {
    fn each<T, R: Real>(values: Vec<T>, make: impl Fn(T) -> Variant<R>) -> Array<R> {
        values.into_iter().map(make).collect()
    }
    Some(Variant::Array(match value {
        Variant::PackedByteArray(values) => each(values, |byte| Variant::Int(byte.into())),
        Variant::PackedInt32Array(values) => each(values, |number| Variant::Int(number.into())),
        Variant::PackedInt64Array(values) => each(values, Variant::Int),
        Variant::PackedFloat32Array(values) => each(values, |number| Variant::Float(number.into())),
        Variant::PackedFloat64Array(values) => each(values, Variant::Float),
        Variant::PackedStringArray(values) => each(values, Variant::String),
        Variant::PackedVector2Array(values) => each(values, Variant::Vector2),
        Variant::PackedVector3Array(values) => each(values, Variant::Vector3),
        Variant::PackedVector4Array(values) => each(values, Variant::Vector4),
        Variant::PackedColorArray(values) => each(values, Variant::Color),
        _ => return None,
    }))
}

/// An ordinary array as a packed one: each element as well as it converts, else as zero.
fn packed<R: Real>(array: &Array<R>, wanted: VariantType) -> Option<Variant<R>> {
    fn int<R: Real>(value: &Variant<R>) -> i64 {
        match value {
            Variant::Bool(value) => (*value).into(),
            Variant::Int(number) => *number,
            Variant::Float(number) => *number as i64,
            Variant::String(text) => leading_number(text),
            _ => 0,
        }
    }
    fn float<R: Real>(value: &Variant<R>) -> f64 {
        match value {
            Variant::Bool(value) => f64::from(u8::from(*value)),
            Variant::Int(number) => *number as f64,
            Variant::Float(number) => *number,
            _ => 0.0,
        }
    }
    fn as_type<R: Real>(value: &Variant<R>, wanted: VariantType) -> Option<Variant<R>> {
        convert(value.clone(), wanted)
    }
    let values = array.iter();
    Some(match wanted {
        VariantType::PackedByteArray => {
            Variant::PackedByteArray(values.map(|value| int(value) as u8).collect())
        }
        VariantType::PackedInt32Array => {
            Variant::PackedInt32Array(values.map(|value| int(value) as i32).collect())
        }
        VariantType::PackedInt64Array => Variant::PackedInt64Array(values.map(int).collect()),
        VariantType::PackedFloat32Array => {
            Variant::PackedFloat32Array(values.map(|value| float(value) as f32).collect())
        }
        VariantType::PackedFloat64Array => Variant::PackedFloat64Array(values.map(float).collect()),
        VariantType::PackedVector2Array => Variant::PackedVector2Array(
            values
                .map(|value| match as_type(value, VariantType::Vector2) {
                    Some(Variant::Vector2(vector)) => vector,
                    _ => Vector2::default(),
                })
                .collect(),
        ),
        VariantType::PackedVector3Array => Variant::PackedVector3Array(
            values
                .map(|value| match as_type(value, VariantType::Vector3) {
                    Some(Variant::Vector3(vector)) => vector,
                    _ => Vector3::default(),
                })
                .collect(),
        ),
        VariantType::PackedVector4Array => Variant::PackedVector4Array(
            values
                .map(|value| match as_type(value, VariantType::Vector4) {
                    Some(Variant::Vector4(vector)) => vector,
                    _ => Vector4::default(),
                })
                .collect(),
        ),
        VariantType::PackedColorArray => Variant::PackedColorArray(
            values
                .map(|value| match as_type(value, VariantType::Color) {
                    Some(Variant::Color(color)) => color,
                    _ => Color::new(0.0, 0.0, 0.0, 1.0),
                })
                .collect(),
        ),
        VariantType::PackedStringArray => Variant::PackedStringArray(
            values
                .map(|value| match as_type(value, VariantType::String) {
                    Some(Variant::String(text)) => Some(text),
                    _ => None,
                })
                .collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}

/// The number a text starts with, as Godot's `to_int` reads it: all digits up to the first `.`,
/// whatever stands between them.
fn leading_number(text: &VariantString) -> i64 {
    let mut number = 0_i64;
    let mut negative = false;
    for &byte in text.as_bytes().split(|&byte| byte == b'.').next().unwrap_or_default() {
        match byte {
            b'0'..=b'9' => number = number.saturating_mul(10).saturating_add((byte - b'0').into()),
            b'-' if number == 0 => negative = !negative,
            _ => {}
        }
    }
    if negative { -number } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_godot_array_leaves_out_the_elements_that_do_not_convert() {
        let rules = crate::Dialect::GODOT4.rules();
        let of = |variant_type, values| {
            assign(&ElementType::Builtin(variant_type), values, false, rules)
        };
        // As Godot 4.6.3 answered: 5, 2.5, true, "x" and null as ints, and null, true as bools.
        let values = vec![
            Variant::<f32>::Int(5),
            Variant::Float(2.5),
            Variant::Bool(true),
            Variant::String("x".into()),
            Variant::Nil,
        ];
        let kept = vec![Variant::Int(5), Variant::Int(2), Variant::Int(1)];
        assert_eq!(of(VariantType::Int, values), (kept, true));
        let values = vec![Variant::<f32>::Nil, Variant::Bool(true)];
        assert_eq!(of(VariantType::Bool, values), (vec![Variant::Bool(true)], true));
        // Of a class, only objects and nulls stay.
        let class = ElementType::Class(VariantString::from(STAND_IN));
        let values = vec![Variant::<f32>::Int(5), Variant::Nil];
        assert_eq!(assign(&class, values, false, rules), (vec![Variant::Nil], true));
    }
}

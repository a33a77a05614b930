//! Equality to the last bit.

use super::{InputEvent, InputEventKind, Object, Real, Variant};
use crate::wire::Components;

impl<R: Real> Variant<R> {
    /// Whether the two are the same in every bit: type, content and marks. Unlike with `==`, a NaN
    /// is identical to itself, and 0 is not identical to -0. Depth costs no stack.
    ///
    /// ```
    /// use formwork::variant::Variant;
    ///
    /// let nan = Variant::<f32>::Float(f64::NAN);
    /// assert!(nan.is_identical(&nan.clone()));
    /// assert!(!Variant::<f32>::Float(0.0).is_identical(&Variant::Float(-0.0)));
    /// ```
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        let mut open = vec![(self, other)];
        while let Some((a, b)) = open.pop() {
            if !is_same_but_inside(a, b, &mut open) {
                return false;
            }
        }
        true
    }
}

/// Compares all of two values but the values in them, which are left in `open`.
fn is_same_but_inside<'v, R: Real>(
    a: &'v Variant<R>,
    b: &'v Variant<R>,
    open: &mut Vec<(&'v Variant<R>, &'v Variant<R>)>,
) -> bool {
    match (a, b) {
        (Variant::Float(a), Variant::Float(b)) => a.to_bits() == b.to_bits(),
        (Variant::Vector2(a), Variant::Vector2(b)) => is_same(a, b),
        (Variant::Rect2(a), Variant::Rect2(b)) => is_same(a, b),
        (Variant::Vector3(a), Variant::Vector3(b)) => is_same(a, b),
        (Variant::Transform2D(a), Variant::Transform2D(b)) => is_same(a, b),
        (Variant::Vector4(a), Variant::Vector4(b)) => is_same(a, b),
        (Variant::Plane(a), Variant::Plane(b)) => is_same(a, b),
        (Variant::Quaternion(a), Variant::Quaternion(b)) => is_same(a, b),
        (Variant::Aabb(a), Variant::Aabb(b)) => is_same(a, b),
        (Variant::Basis(a), Variant::Basis(b)) => is_same(&**a, &**b),
        (Variant::Transform3D(a), Variant::Transform3D(b)) => is_same(&**a, &**b),
        (Variant::Projection(a), Variant::Projection(b)) => is_same(&**a, &**b),
        (Variant::Color(a), Variant::Color(b)) => is_same(a, b),
        (Variant::PackedFloat32Array(a), Variant::PackedFloat32Array(b)) => are_same(a, b),
        (Variant::PackedFloat64Array(a), Variant::PackedFloat64Array(b)) => are_same(a, b),
        (Variant::PackedVector2Array(a), Variant::PackedVector2Array(b)) => are_same(a, b),
        (Variant::PackedVector3Array(a), Variant::PackedVector3Array(b)) => are_same(a, b),
        (Variant::PackedVector4Array(a), Variant::PackedVector4Array(b)) => are_same(a, b),
        (Variant::PackedColorArray(a), Variant::PackedColorArray(b)) => are_same(a, b),
        (Variant::InputEvent(a), Variant::InputEvent(b)) => is_same_event(a, b),
        (Variant::Array(a), Variant::Array(b)) => {
            open.extend(a.iter().zip(b.iter()));
            a.len() == b.len()
                && a.element_type() == b.element_type()
                && a.is_shared() == b.is_shared()
        }
        (Variant::TypedArray(a), Variant::TypedArray(b))
        | (Variant::PackedTypedArray(a), Variant::PackedTypedArray(b)) => {
            open.extend(a.elements.iter().zip(b.elements.iter()));
            a.element == b.element && a.elements.len() == b.elements.len()
        }
        (Variant::Dictionary(a), Variant::Dictionary(b)) => {
            for ((a_key, a_value), (b_key, b_value)) in a.iter().zip(b.iter()) {
                open.extend([(a_key, b_key), (a_value, b_value)]);
            }
            a.len() == b.len()
                && a.key_type() == b.key_type()
                && a.value_type() == b.value_type()
                && a.is_shared() == b.is_shared()
        }
        (Variant::Object(Object::Full(a)), Variant::Object(Object::Full(b))) => {
            let mut same = a.class == b.class && a.properties.len() == b.properties.len();
            for ((a_name, a), (b_name, b)) in a.properties.iter().zip(&b.properties) {
                same &= a_name == b_name;
                open.push((a, b));
            }
            same
        }
        // What is left holds no real numbers and no values.
        (a, b) => a == b,
    }
}

fn is_same<T: Components>(a: &T, b: &T) -> bool {
    bytemuck::bytes_of(&a.to_components()) == bytemuck::bytes_of(&b.to_components())
}

fn are_same<T: Components>(a: &[T], b: &[T]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same(a, b))
}

fn is_same_event(a: &InputEvent, b: &InputEvent) -> bool {
    match (&a.kind, &b.kind) {
        (
            InputEventKind::JoystickMotion { axis: a_axis, value: a_value },
            InputEventKind::JoystickMotion { axis: b_axis, value: b_value },
        ) => {
            a.device == b.device
                && a_axis == b_axis
                && a_value.map(f32::to_bits) == b_value.map(f32::to_bits)
        }
        (a_kind, b_kind) => a.device == b.device && a_kind == b_kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{Dictionary, Vector2};

    #[test]
    fn bits_decide() {
        let vector = |y: f32| Variant::Vector2(Vector2::new(f32::NAN, y));
        let nest = |value: Variant| {
            let mut dictionary = Dictionary::new();
            dictionary.insert("key", Variant::Array(vec![value].into()));
            Variant::Dictionary(dictionary)
        };
        assert!(nest(vector(1.0)).is_identical(&nest(vector(1.0))));
        assert!(!nest(vector(0.0)).is_identical(&nest(vector(-0.0))));
        assert!(!nest(Variant::Int(1)).is_identical(&nest(Variant::Float(1.0))));
        assert!(!Variant::<f32>::String("a".into()).is_identical(&Variant::StringName("a".into())));
    }

    #[test]
    fn marks_count() {
        let mut shared = crate::variant::Array::<f32>::new();
        shared.set_shared(true);
        let plain = Variant::Array(crate::variant::Array::new());
        assert!(!Variant::Array(shared).is_identical(&plain));
    }
}

//! Equality to the last bit.

use super::deep::all_through;
use super::{InputEvent, InputEventKind, Real, Variant};
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
        all_through(self, other, has_same_bits)
    }
}

/// Compares two values that hold no values.
fn has_same_bits<R: Real>(a: &Variant<R>, b: &Variant<R>) -> bool {
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

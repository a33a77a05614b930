//! Equality to the last bit.

use super::deep::all_through;
use super::{InputEvent, InputEventKind, Payload, Real, Variant};

impl<R: Real> Variant<R> {
    /// Returns whether the two are the same in every bit: type, content and marks. Unlike with `==`, a NaN
    /// is identical to itself, and 0 is not identical to -0. Depth costs no stack.
    ///
    /// ```
    /// use formwork_variant::Variant;
    ///
    /// let nan: Variant = f64::NAN.into();
    /// assert!(nan.is_identical(&nan.clone()));
    /// let (zero, minus_zero): (Variant, Variant) = (0.0.into(), (-0.0).into());
    /// assert!(zero == minus_zero && !zero.is_identical(&minus_zero));
    /// ```
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        all_through(self, other, has_same_bits)
    }
}

/// Compares two values that hold no values.
fn has_same_bits<R: Real>(a: &Variant<R>, b: &Variant<R>) -> bool {
    if a.variant_type() != b.variant_type() {
        return false;
    }
    match (a.payload(), b.payload()) {
        (Payload::Float(a), Payload::Float(b)) => a.to_bits() == b.to_bits(),
        (Payload::Numbers(a), Payload::Numbers(b)) => a.have_same_bits(b),
        (Payload::InputEvent(a), Payload::InputEvent(b)) => is_same_event(a, b),
        // The other types hold no real numbers, and the contents of containers are compared separately.
        _ => a == b,
    }
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
    use crate::{Dictionary, Vector2};

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
        let mut shared = crate::Array::<f32>::new();
        shared.set_shared(true);
        let plain = Variant::Array(crate::Array::new());
        assert!(!Variant::Array(shared).is_identical(&plain));
    }
}

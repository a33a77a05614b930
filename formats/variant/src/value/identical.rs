//! Equality to the last bit.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

use super::deep::all_through;
use super::sameness::Sameness;
use super::walk::Walk;
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

/// Hashes of all the containers in some values: they tell at once that two are not identical, however deep the
/// difference is. Comparing on each level of nested containers would take time for each level.
#[derive(Debug, Default)]
pub struct Fingerprints {
    state: RandomState,
    /// The hashes, by the address of the value. The values are borrowed as long as their hashes are used.
    known: HashMap<usize, u64>,
}

impl Fingerprints {
    /// Hashes the containers in these values.
    pub fn of<'v, R: Real>(values: impl IntoIterator<Item = &'v Variant<R>>) -> Self {
        let mut made = Self::default();
        values.into_iter().for_each(|value| made.add(value));
        made
    }

    fn add<R: Real>(&mut self, value: &Variant<R>) {
        let mut walk = Walk::<R>::new(value);
        // The containers that are open: their addresses, and the hashes of what was in them so far.
        let mut open: Vec<(usize, _)> = Vec::new();
        while let Some(event) = walk.next() {
            let hash = match event.value() {
                Some(value) => match value.container().filter(|container| !container.is_empty()) {
                    Some(container) => {
                        let mut hasher = self.state.build_hasher();
                        Sameness::BITS.hash_outside(value, true, &mut hasher);
                        open.push((address(value), hasher));
                        walk.enter(container, ());
                        continue;
                    }
                    None => self.hash(value),
                },
                None => {
                    let Some((address, hasher)) = open.pop() else { continue };
                    let hash = hasher.finish();
                    self.known.insert(address, hash);
                    hash
                }
            };
            if let Some((_, hasher)) = open.last_mut() {
                hasher.write_u64(hash);
            }
        }
    }

    /// Returns a hash that is equal for identical values, and all but surely another for others.
    pub fn hash<R: Real>(&self, value: &Variant<R>) -> u64 {
        let known = value.container().and_then(|_| self.known.get(&address(value)).copied());
        known.unwrap_or_else(|| Sameness::BITS.hash(&self.state, value))
    }

    /// Returns whether two of the values, or values in them, are identical.
    pub fn are_identical<R: Real>(&self, one: &Variant<R>, other: &Variant<R>) -> bool {
        let hash = |value| self.known.get(&address::<R>(value));
        let differ = match (one.container(), other.container()) {
            (Some(_), Some(_)) => {
                hash(one).zip(hash(other)).is_some_and(|(one, other)| one != other)
            }
            _ => false,
        };
        !differ && one.is_identical(other)
    }
}

fn address<R: Real>(value: &Variant<R>) -> usize {
    std::ptr::from_ref(value).addr()
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

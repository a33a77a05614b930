//! When two dictionary keys are one to an engine.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use hashbrown::HashTable;

use super::{Object, Real, Variant};
use crate::wire::Components;

impl<R: Real> Variant<R> {
    /// Whether an engine's dictionary takes the two for one key: same type, same content, where a
    /// NaN is the same as any other NaN and zero the same as minus zero. Objects are never one key:
    /// reading makes a new one each time.
    #[must_use]
    pub fn is_same_key(&self, other: &Self) -> bool {
        // What containers hold waits in a list, so that depth costs no stack.
        let mut waiting = Vec::new();
        let mut next = Some((self, other));
        while let Some((a, b)) = next {
            if !a.is_same_outside(b, &mut waiting) {
                return false;
            }
            next = waiting.pop();
        }
        true
    }

    /// The same, leaving what containers hold to be compared later.
    fn is_same_outside<'a>(
        &'a self,
        other: &'a Self,
        waiting: &mut Vec<(&'a Self, &'a Self)>,
    ) -> bool {
        match (self, other) {
            (Self::Float(a), Self::Float(b)) => same(*a, *b),
            (Self::Vector2(a), Self::Vector2(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Rect2(a), Self::Rect2(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Vector3(a), Self::Vector3(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Vector4(a), Self::Vector4(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Plane(a), Self::Plane(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Quaternion(a), Self::Quaternion(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Transform2D(a), Self::Transform2D(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Aabb(a), Self::Aabb(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Basis(a), Self::Basis(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Transform3D(a), Self::Transform3D(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Projection(a), Self::Projection(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Color(a), Self::Color(b)) => all_same(&a.to_array(), &b.to_array()),
            (Self::Array(a), Self::Array(b)) => {
                waiting.extend(a.iter().zip(b.iter()));
                a.len() == b.len()
            }
            (Self::Dictionary(a), Self::Dictionary(b)) => {
                for ((key_a, a), (key_b, b)) in a.iter().zip(b.iter()) {
                    waiting.extend([(a, b), (key_a, key_b)]);
                }
                a.len() == b.len()
                    && (a.key_type(), a.value_type()) == (b.key_type(), b.value_type())
            }
            (Self::TypedArray(a), Self::TypedArray(b))
            | (Self::PackedTypedArray(a), Self::PackedTypedArray(b)) => {
                waiting.extend(a.elements.iter().zip(b.elements.iter()));
                a.element == b.element && a.elements.len() == b.elements.len()
            }
            (Self::Object(Object::Null), Self::Object(Object::Null)) => true,
            (Self::Object(_), _) => false,
            (a, b) => a == b,
        }
    }

    /// A hash that is equal for keys that are the same.
    fn hash_key<H: Hasher>(&self, state: &mut H) {
        let mut waiting = Vec::new();
        let mut next = Some(self);
        while let Some(value) = next {
            value.hash_outside(state, &mut waiting);
            next = waiting.pop();
        }
    }

    /// The same, leaving what containers hold to be hashed later.
    fn hash_outside<'a, H: Hasher>(&'a self, state: &mut H, waiting: &mut Vec<&'a Self>) {
        if !matches!(self, Self::String(_) | Self::StringName(_)) {
            self.variant_type().hash(state);
        }
        match self {
            Self::Bool(value) => value.hash(state),
            Self::Int(value) => value.hash(state),
            Self::Float(value) => hash_real(*value, state),
            Self::String(text) | Self::StringName(text) => text.hash(state),
            Self::Vector2(value) => hash_reals(&value.to_array(), state),
            Self::Vector2i(value) => value.to_array().hash(state),
            Self::Rect2(value) => hash_reals(&value.to_array(), state),
            Self::Rect2i(value) => value.to_array().hash(state),
            Self::Vector3(value) => hash_reals(&value.to_array(), state),
            Self::Vector3i(value) => value.to_array().hash(state),
            Self::Transform2D(value) => hash_reals(&value.to_array(), state),
            Self::Vector4(value) => hash_reals(&value.to_array(), state),
            Self::Vector4i(value) => value.to_array().hash(state),
            Self::Plane(value) => hash_reals(&value.to_array(), state),
            Self::Quaternion(value) => hash_reals(&value.to_array(), state),
            Self::Aabb(value) => hash_reals(&value.to_array(), state),
            Self::Basis(value) => hash_reals(&value.to_array(), state),
            Self::Transform3D(value) => hash_reals(&value.to_array(), state),
            Self::Projection(value) => hash_reals(&value.to_array(), state),
            Self::Color(value) => hash_reals(&value.to_array(), state),
            Self::NodePath(path) => path.hash(state),
            Self::Rid(id) | Self::Object(Object::Id(id)) => id.hash(state),
            Self::Signal(signal) => signal.hash(state),
            Self::PackedByteArray(bytes) => bytes.hash(state),
            Self::PackedInt32Array(numbers) => numbers.hash(state),
            Self::PackedInt64Array(numbers) => numbers.hash(state),
            Self::PackedFloat32Array(numbers) => hash_reals(numbers, state),
            Self::PackedFloat64Array(numbers) => hash_reals(numbers, state),
            Self::PackedStringArray(texts) => texts.hash(state),
            Self::PackedVector2Array(vectors) => hash_vectors(vectors, state),
            Self::PackedVector2iArray(vectors) => hash_whole(vectors, state),
            Self::PackedVector3Array(vectors) => hash_vectors(vectors, state),
            Self::PackedVector3iArray(vectors) => hash_whole(vectors, state),
            Self::PackedVector4Array(vectors) => hash_vectors(vectors, state),
            Self::PackedVector4iArray(vectors) => hash_whole(vectors, state),
            Self::PackedColorArray(colors) => hash_vectors(colors, state),
            Self::Array(array) => {
                array.len().hash(state);
                waiting.extend(array.iter());
            }
            Self::Dictionary(dictionary) => {
                dictionary.len().hash(state);
                waiting.extend(dictionary.iter().flat_map(|(key, value)| [key, value]));
            }
            Self::TypedArray(typed) | Self::PackedTypedArray(typed) => {
                typed.elements.len().hash(state);
                waiting.extend(typed.elements.iter());
            }
            Self::Object(Object::Full(object)) => object.class.hash(state),
            Self::Image(image) => image.hash(state),
            Self::InputEvent(event) => event.device.hash(state),
            Self::Nil | Self::Callable | Self::Object(Object::Null) => {}
        }
    }
}

fn same<R: Real>(a: R, b: R) -> bool {
    a == b || (a.to_f64().is_nan() && b.to_f64().is_nan())
}

fn all_same<R: Real>(a: &[R], b: &[R]) -> bool {
    a.iter().zip(b).all(|(&a, &b)| same(a, b))
}

fn hash_real<R: Real, H: Hasher>(number: R, state: &mut H) {
    let number = number.to_f64();
    let bits = if number == 0.0 {
        0
    } else if number.is_nan() {
        1
    } else {
        number.to_bits()
    };
    bits.hash(state);
}

fn hash_reals<R: Real, H: Hasher>(numbers: &[R], state: &mut H) {
    numbers.len().hash(state);
    numbers.iter().for_each(|&number| hash_real(number, state));
}

fn hash_vectors<T, H: Hasher>(vectors: &[T], state: &mut H)
where
    T: Components,
    T::Number: Real,
{
    vectors.len().hash(state);
    for vector in vectors {
        let numbers = [vector.to_components()];
        hash_reals(bytemuck::cast_slice::<T::Array, T::Number>(&numbers), state);
    }
}

fn hash_whole<T: Components<Number = i32>, H: Hasher>(vectors: &[T], state: &mut H) {
    vectors.len().hash(state);
    for vector in vectors {
        let numbers = [vector.to_components()];
        bytemuck::cast_slice::<T::Array, i32>(&numbers).hash(state);
    }
}

/// Collects the pairs of a dictionary, each key once: the last value wins and keeps the first one's
/// place, as in the engines.
pub(crate) struct KeySet<R: Real> {
    pairs: Vec<(Variant<R>, Variant<R>)>,
    /// Positions in `pairs`, by hash of the key; made only when there are more than a few.
    index: Option<(HashTable<u32>, RandomState)>,
    /// Whether a String and a StringName can be one key.
    string_names: bool,
}

impl<R: Real> KeySet<R> {
    /// Up to this many pairs, comparing them all is quicker than hashing.
    const FEW: usize = 8;

    /// Room for so many pairs; `string_names` says whether a String and a StringName of the same
    /// text are one key.
    pub(crate) fn with_capacity(count: usize, string_names: bool) -> Self {
        Self { pairs: Vec::with_capacity(count), index: None, string_names }
    }

    /// Adds a pair, or replaces the value of the same key; gives the key that was there.
    pub(crate) fn insert(&mut self, key: Variant<R>, value: Variant<R>) -> Option<&Variant<R>> {
        match self.position(&key) {
            Some(position) => {
                let (key, old) = &mut self.pairs[position];
                *old = value;
                Some(key)
            }
            None => {
                self.pairs.push((key, value));
                None
            }
        }
    }

    pub(crate) fn into_pairs(self) -> Vec<(Variant<R>, Variant<R>)> {
        self.pairs
    }

    /// Where the key is; a new key is entered in the index as the next pair.
    fn position(&mut self, key: &Variant<R>) -> Option<usize> {
        if self.pairs.len() < Self::FEW {
            let names = self.string_names;
            return self.pairs.iter().position(|(candidate, _)| same_key(candidate, key, names));
        }
        let (pairs, names) = (&self.pairs, self.string_names);
        let (table, hasher) = self.index.get_or_insert_with(|| {
            let hasher = RandomState::new();
            let mut table = HashTable::new();
            for (position, (key, _)) in pairs.iter().enumerate() {
                table.insert_unique(hash(&hasher, key), position as u32, |&position| {
                    hash(&hasher, &pairs[position as usize].0)
                });
            }
            (table, hasher)
        });
        let hashed = hash(hasher, key);
        let is_key = |&position: &u32| same_key(&pairs[position as usize].0, key, names);
        let found = table.find(hashed, is_key).copied();
        if found.is_none() {
            table.insert_unique(hashed, pairs.len() as u32, |&position| {
                // The new key is not among the pairs yet, but it is not rehashed before it is in.
                pairs.get(position as usize).map_or(hashed, |(key, _)| hash(hasher, key))
            });
        }
        found.map(|position| position as usize)
    }
}

fn same_key<R: Real>(a: &Variant<R>, b: &Variant<R>, string_names: bool) -> bool {
    match (a, b) {
        (Variant::String(a), Variant::StringName(b))
        | (Variant::StringName(a), Variant::String(b)) => string_names && a == b,
        (a, b) => a.is_same_key(b),
    }
}

fn hash<R: Real>(state: &RandomState, key: &Variant<R>) -> u64 {
    let mut hasher = state.build_hasher();
    key.hash_key(&mut hasher);
    hasher.finish()
}

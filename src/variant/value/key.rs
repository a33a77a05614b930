//! When two dictionary keys are one to an engine.

#[cfg(feature = "serde")]
use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use hashbrown::HashTable;

use super::{Object, Real, Variant};
use crate::wire::Components;

/// Which keys of a dictionary an engine takes for one, so that of two pairs that it reads the last
/// one's value is kept.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SameKeys {
    /// As in Godot 3, but a float that is NaN is the same as 0. Godot 2. (Its build calculates as if there
    /// were no NaN: it prints one as 0, too, and keeps one of two NaN keys.)
    Godot2,
    /// Keys of the same type and content, but dictionaries: one that was read is never the same as
    /// another, also in an array, and the elements of a PoolRealArray must be the same bit by bit. Godot 3
    /// and Pandemonium. (Asked of Godot 3.2.3, 3.6 and 3.6.2.)
    Godot3,
    /// The same, and a PoolRealArray with a NaN is not even the same as itself. (Godot 3.2.3 cannot
    /// find it again when it writes; whether 3.3 and 3.4 can was not asked.)
    Godot3_2,
    /// Keys of the same type and content, whatever the types that arrays and dictionaries declare. A
    /// String and a StringName are the same, but not as elements of an array or values of a
    /// dictionary, where a NaN is not the same as a NaN either. Godot 4. (Asked of 4.6.3.)
    Godot4,
}

/// Which keys are one, as far as engines differ in it.
#[derive(Clone, Copy, Debug)]
struct Sameness {
    /// A String and a StringName may be the same as keys.
    strings_alike: bool,
    /// Dictionaries may be the same.
    dictionaries: bool,
    /// A float that is a NaN is the same as 0.
    nan_is_zero: bool,
    /// A float in a container that is a NaN is the same as any other.
    inner_nan: bool,
    /// The same for the elements of a PoolRealArray.
    packed_nan: bool,
    /// Those are the same only bit by bit: 0 is not the same as -0.
    packed_bits: bool,
    /// Floats are the same that are in 32 bits.
    single: bool,
}

impl Sameness {
    /// By type and content alone.
    const CONTENT: Self = Self {
        strings_alike: false,
        dictionaries: true,
        nan_is_zero: false,
        inner_nan: true,
        packed_nan: true,
        packed_bits: false,
        single: false,
    };

    const GODOT3: Self = Self { dictionaries: false, packed_bits: true, ..Self::CONTENT };

    const fn of(keys: SameKeys) -> Self {
        match keys {
            SameKeys::Godot2 => Self { nan_is_zero: true, ..Self::GODOT3 },
            SameKeys::Godot3 => Self::GODOT3,
            SameKeys::Godot3_2 => Self { packed_nan: false, ..Self::GODOT3 },
            SameKeys::Godot4 => Self { strings_alike: true, inner_nan: false, ..Self::CONTENT },
        }
    }

    fn hash<R: Real>(self, state: &RandomState, key: &Variant<R>) -> u64 {
        let mut hasher = state.build_hasher();
        key.hash_key(self.single, &mut hasher);
        hasher.finish()
    }

    fn holds<R: Real>(self, a: &Variant<R>, b: &Variant<R>) -> bool {
        // What containers hold waits in a list, so that depth costs no stack.
        let mut waiting = Vec::new();
        let mut next = Some((a, b, Place::Key));
        while let Some((a, b, place)) = next {
            if !self.holds_outside(a, b, place, &mut waiting) {
                return false;
            }
            next = waiting.pop();
        }
        true
    }

    /// Returns the number that an engine compares for a float.
    fn compared(self, number: f64) -> f64 {
        if self.nan_is_zero && number.is_nan() {
            0.0
        } else if self.single {
            f64::from(number as f32)
        } else {
            number
        }
    }

    /// The same, leaving what containers hold to be compared later.
    fn holds_outside<'a, R: Real>(
        self,
        a: &'a Variant<R>,
        b: &'a Variant<R>,
        place: Place,
        waiting: &mut Vec<(&'a Variant<R>, &'a Variant<R>, Place)>,
    ) -> bool {
        use Variant as V;
        match (a, b) {
            (V::String(a), V::StringName(b)) | (V::StringName(a), V::String(b)) => {
                self.strings_alike && place == Place::Key && a == b
            }
            (V::Float(a), V::Float(b)) => {
                let (a, b) = (self.compared(*a), self.compared(*b));
                if self.inner_nan || place == Place::Key { same(a, b) } else { a == b }
            }
            (V::Vector2(a), V::Vector2(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Rect2(a), V::Rect2(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Vector3(a), V::Vector3(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Vector4(a), V::Vector4(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Plane(a), V::Plane(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Quaternion(a), V::Quaternion(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Transform2D(a), V::Transform2D(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Aabb(a), V::Aabb(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Basis(a), V::Basis(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Transform3D(a), V::Transform3D(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Projection(a), V::Projection(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::Color(a), V::Color(b)) => all_same(&a.to_array(), &b.to_array()),
            (V::PackedFloat32Array(a), V::PackedFloat32Array(b)) => {
                let bits = bytemuck::cast_slice::<f32, u32>;
                (a == b || self.packed_nan && all_same(a, b))
                    && (!self.packed_bits || bits(a) == bits(b))
            }
            (V::PackedFloat64Array(a), V::PackedFloat64Array(b)) => all_same(a, b),
            (V::PackedVector2Array(a), V::PackedVector2Array(b)) => vectors_same(a, b),
            (V::PackedVector3Array(a), V::PackedVector3Array(b)) => vectors_same(a, b),
            (V::PackedVector4Array(a), V::PackedVector4Array(b)) => vectors_same(a, b),
            (V::PackedColorArray(a), V::PackedColorArray(b)) => vectors_same(a, b),
            (V::Array(a), V::Array(b)) => {
                waiting.extend(a.iter().zip(b.iter()).map(|(a, b)| (a, b, Place::Inside)));
                a.len() == b.len()
            }
            (V::Dictionary(a), V::Dictionary(b)) => {
                for ((key_a, a), (key_b, b)) in a.iter().zip(b.iter()) {
                    waiting.extend([(a, b, Place::Inside), (key_a, key_b, Place::Key)]);
                }
                self.dictionaries && a.len() == b.len()
            }
            (V::TypedArray(a), V::TypedArray(b))
            | (V::PackedTypedArray(a), V::PackedTypedArray(b)) => {
                let elements = a.elements.iter().zip(b.elements.iter());
                waiting.extend(elements.map(|(a, b)| (a, b, Place::Inside)));
                a.element == b.element && a.elements.len() == b.elements.len()
            }
            (V::Object(Object::Null), V::Object(Object::Null)) => true,
            (V::Object(_), _) => false,
            (a, b) => a == b,
        }
    }
}

/// Where a value stands that is compared.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    /// As a key, of the dictionary in question or of one that is a key.
    Key,
    /// As an element of an array or a value of a dictionary.
    Inside,
}

impl<R: Real> Variant<R> {
    /// Whether the two are one key of a dictionary by type and content, where a NaN is the same as any
    /// other NaN and zero the same as minus zero. Objects are never one key: reading makes a new one
    /// each time. (In some cases engines differ from that, see [`SameKeys`].)
    #[must_use]
    pub fn is_same_key(&self, other: &Self) -> bool {
        Sameness::CONTENT.holds(self, other)
    }

    /// A hash that is equal for keys that are the same.
    fn hash_key<H: Hasher>(&self, single: bool, state: &mut H) {
        let mut waiting = Vec::new();
        let mut next = Some(self);
        while let Some(value) = next {
            value.hash_outside(single, state, &mut waiting);
            next = waiting.pop();
        }
    }

    /// The same, leaving what containers hold to be hashed later.
    fn hash_outside<'a, H: Hasher>(
        &'a self,
        single: bool,
        state: &mut H,
        waiting: &mut Vec<&'a Self>,
    ) {
        match self {
            Self::String(_) | Self::StringName(_) => {}
            value => value.variant_type().hash(state),
        }
        match self {
            Self::Bool(value) => value.hash(state),
            Self::Int(value) => value.hash(state),
            Self::Float(value) if single => hash_real(*value as f32, state),
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
    a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| same(a, b))
}

fn vectors_same<T>(a: &[T], b: &[T]) -> bool
where
    T: Components,
    T::Number: Real,
{
    let same = |(a, b): (&T, &T)| {
        let (a, b) = ([a.to_components()], [b.to_components()]);
        all_same(
            bytemuck::cast_slice::<T::Array, T::Number>(&a),
            bytemuck::cast_slice::<T::Array, T::Number>(&b),
        )
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn hash_real<R: Real, H: Hasher>(number: R, state: &mut H) {
    let number = number.to_f64();
    // To Godot 2 a NaN is the same as zero.
    let bits = if number == 0.0 || number.is_nan() { 0 } else { number.to_bits() };
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
    index: KeyIndex,
}

impl<R: Real> KeySet<R> {
    /// Room for so many pairs; `keys` says which keys are one.
    pub(crate) fn with_capacity(count: usize, keys: SameKeys) -> Self {
        Self { pairs: Vec::with_capacity(count), index: KeyIndex::new(Sameness::of(keys)) }
    }

    /// Adds a pair, or replaces the value of the same key; gives the key that was there.
    pub(crate) fn insert(&mut self, key: Variant<R>, value: Variant<R>) -> Option<&Variant<R>> {
        match self.index.position(&self.pairs, &key) {
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

    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn into_pairs(self) -> Vec<(Variant<R>, Variant<R>)> {
        self.pairs
    }
}

/// What a writer makes of keys that are not the same before they are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenKeys {
    /// Which keys are one to the engine.
    keys: SameKeys,
    /// Floats are rounded to 32 bits.
    single: bool,
}

impl WrittenKeys {
    /// Returns what an engine makes of keys that takes these for one; `single` says that it writes floats
    /// in 32 bits.
    pub(crate) const fn new(keys: SameKeys, single: bool) -> Self {
        Self { keys, single }
    }

    /// Returns the position of the first pair whose key one of those before it has, too.
    pub(crate) fn repeated<R: Real>(self, pairs: &[(Variant<R>, Variant<R>)]) -> Option<usize> {
        let Self { keys, single } = self;
        let mut index = KeyIndex::new(Sameness { single, ..Sameness::of(keys) });
        let mut numbered = pairs.iter().enumerate();
        let repeats = |(at, (key, _)): &(usize, &(Variant<R>, Variant<R>))| {
            index.position(&pairs[..*at], key).is_some()
        };
        numbered.find(repeats).map(|(at, _)| at)
    }
}

/// The hashes of the keys that a dictionary has so far, for a writer that does not keep the keys.
#[cfg(feature = "serde")]
#[derive(Debug, Default)]
pub(crate) struct KeyHashes {
    /// The first few, in a row: comparing them all is quicker than a set.
    few: Vec<u64>,
    many: HashSet<u64>,
}

#[cfg(feature = "serde")]
impl KeyHashes {
    const FEW: usize = 32;

    /// Adds the hash of a key. Returns whether the key may be the same as one before: never false
    /// where one is.
    fn add(&mut self, hash: u64) -> bool {
        if self.few.contains(&hash) {
            return true;
        }
        if self.few.len() < Self::FEW {
            self.few.push(hash);
            return false;
        }
        !self.many.insert(hash)
    }

    /// Adds a key that is no text in UTF-8.
    pub(crate) fn may_repeat<R: Real>(&mut self, state: &RandomState, key: &Variant<R>) -> bool {
        // Floats by what they are in 32 bits: numbers that are the same in 64 are so, too.
        self.add(Sameness { single: true, ..Sameness::CONTENT }.hash(state, key))
    }

    /// Adds a key that is a String or a StringName.
    pub(crate) fn may_repeat_text(&mut self, state: &RandomState, text: &str) -> bool {
        self.add(state.hash_one(text))
    }
}

/// Finds keys among pairs.
struct KeyIndex {
    /// Positions of the pairs, by hash of the key; made only when there are more than a few.
    table: Option<(HashTable<u32>, RandomState)>,
    /// Which keys are one.
    sameness: Sameness,
}

impl KeyIndex {
    /// Up to this many pairs, comparing them all is quicker than hashing.
    const FEW: usize = 8;

    const fn new(sameness: Sameness) -> Self {
        Self { table: None, sameness }
    }

    /// Where the key is among all pairs so far; a new key is entered as that of the next pair.
    fn position<R: Real>(
        &mut self,
        pairs: &[(Variant<R>, Variant<R>)],
        key: &Variant<R>,
    ) -> Option<usize> {
        let sameness = self.sameness;
        if pairs.len() < Self::FEW {
            return pairs.iter().position(|(candidate, _)| sameness.holds(candidate, key));
        }
        let (table, hasher) = self.table.get_or_insert_with(|| {
            let hasher = RandomState::new();
            let mut table = HashTable::new();
            for (position, (key, _)) in pairs.iter().enumerate() {
                table.insert_unique(sameness.hash(&hasher, key), position as u32, |&position| {
                    sameness.hash(&hasher, &pairs[position as usize].0)
                });
            }
            (table, hasher)
        });
        let hashed = sameness.hash(hasher, key);
        let is_key = |&position: &u32| sameness.holds(&pairs[position as usize].0, key);
        let found = table.find(hashed, is_key).copied();
        if found.is_none() {
            table.insert_unique(hashed, pairs.len() as u32, |&position| {
                // The new key is not among the pairs yet, but it is not rehashed before it is in.
                pairs.get(position as usize).map_or(hashed, |(key, _)| sameness.hash(hasher, key))
            });
        }
        found.map(|position| position as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::{ElementType, VariantType};

    type Value = Variant<f32>;

    fn array(values: impl IntoIterator<Item = Value>) -> Value {
        Variant::Array(values.into_iter().collect())
    }

    fn dictionary(key: impl Into<Value>, value: impl Into<Value>) -> Value {
        Variant::Dictionary(vec![(key.into(), value.into())].into())
    }

    fn name(text: &str) -> Value {
        Variant::StringName(text.into())
    }

    #[test]
    fn a_nan_key_is_the_same_as_zero_in_godot_2() {
        for (keys, pairs) in [(SameKeys::Godot2, 1), (SameKeys::Godot3, 2), (SameKeys::Godot4, 2)] {
            for others in [0, 20] {
                let mut set = KeySet::<f32>::with_capacity(0, keys);
                (1..=others)
                    .for_each(|other| assert!(set.insert(other.into(), 0.into()).is_none()));
                set.insert(Variant::Float(f64::NAN), 1.into());
                set.insert(Variant::Float(0.0), 2.into());
                set.insert(Variant::Float(-0.0), 3.into());
                let made = set.into_pairs().split_off(others as usize);
                assert_eq!(made.len(), pairs, "{keys:?}");
                assert_eq!(made.last().map(|(_, value)| value), Some(&3.into()));
            }
        }
    }

    /// What Godot 3.2.3, 3.6.2 and 4.6.3 make of two pairs with these keys: one or two.
    #[test]
    fn keys_are_one_where_the_engines_say_so() {
        let nan = || Variant::Float(f64::NAN);
        let typed = || {
            let mut empty = crate::variant::Array::new();
            empty.set_element_type(Some(ElementType::Builtin(VariantType::Int)));
            Variant::Array(empty)
        };
        let empty = || Variant::Dictionary(Vec::new().into());
        let real = || Variant::PackedFloat32Array(vec![f32::NAN]);
        let vectors = || {
            let vector = crate::variant::Vector2 { x: f32::NAN, y: 1.0 };
            Variant::PackedVector2Array(vec![vector])
        };
        let zero = |zero| Variant::PackedFloat32Array(vec![zero]);
        let cases: [(Value, Value, [bool; 3]); 17] = [
            (zero(0.0), zero(-0.0), [false, false, true]),
            (empty(), empty(), [false, false, true]),
            (array([empty()]), array([empty()]), [false, false, true]),
            (dictionary(1, 1), dictionary(1, 1), [false, false, true]),
            (array([]), array([]), [true; 3]),
            (array([]), typed(), [true; 3]),
            (array([nan()]), array([nan()]), [true, true, false]),
            (nan(), nan(), [true; 3]),
            (real(), real(), [false, true, true]),
            (array([real()]), array([real()]), [false, true, true]),
            (vectors(), vectors(), [true; 3]),
            (array([0.0.into()]), array([(-0.0).into()]), [true; 3]),
            ("a".into(), name("a"), [false, false, true]),
            (array(["a".into()]), array([name("a")]), [false; 3]),
            (dictionary("a", 1), dictionary(name("a"), 1), [false, false, true]),
            (dictionary(1, "a"), dictionary(1, name("a")), [false; 3]),
            (dictionary(nan(), 1), dictionary(1, nan()), [false; 3]),
        ];
        for (a, b, same) in cases {
            let engines = [SameKeys::Godot3_2, SameKeys::Godot3, SameKeys::Godot4];
            for (keys, same) in engines.into_iter().zip(same) {
                // Found by comparing, and found by hash.
                for others in [0, 20] {
                    let mut set = KeySet::<f32>::with_capacity(0, keys);
                    (0..others).for_each(|other| {
                        assert!(set.insert(other.into(), Variant::Nil).is_none())
                    });
                    set.insert(a.clone(), Variant::Nil);
                    let found = set.insert(b.clone(), Variant::Nil).is_some();
                    assert_eq!(found, same, "{a:?} and {b:?} in {keys:?}");
                }
            }
        }
    }
}

//! When two dictionary keys are one to an engine.

#[cfg(feature = "serde")]
use std::collections::HashSet;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use hashbrown::HashTable;

use super::walk::{Walk, all_alike};
use super::{Numbers, Object, Payload, Real, Variant, VariantString, VariantType};
use crate::wire::{Number, NumberList};

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
    /// Like [`Godot3`](Self::Godot3), and a PoolRealArray with a NaN is not even equal to itself. (Godot 3.2.3 cannot
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
    /// An element of a PoolRealArray that is a NaN is equal to any other.
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

    #[inline]
    fn holds<R: Real>(self, a: &Variant<R>, b: &Variant<R>) -> bool {
        // Nearly every key is a text.
        if let (Some(a), Some(b)) = (a.as_string(), b.as_string())
            && a != b
        {
            return false;
        }
        if a.container().is_none() {
            return self.holds_outside(a, b, Place::Key);
        }
        // The value itself is a key.
        all_alike(a, b, |one, other, is_key| {
            let is_key = is_key || std::ptr::eq(one, a);
            self.holds_outside(one, other, if is_key { Place::Key } else { Place::Inside })
        })
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

    /// Compares two values but for what containers hold.
    fn holds_outside<R: Real>(self, a: &Variant<R>, b: &Variant<R>, place: Place) -> bool {
        use Payload as P;
        if a.variant_type() != b.variant_type() {
            let alike = self.strings_alike && place == Place::Key;
            return alike && a.as_string().is_some() && a.as_string() == b.as_string();
        }
        match (a.payload(), b.payload()) {
            (P::Float(a), P::Float(b)) => {
                let (a, b) = (self.compared(a), self.compared(b));
                if self.inner_nan || place == Place::Key { same(a, b) } else { a == b }
            }
            (P::Numbers(numbers_a), P::Numbers(numbers_b)) => match (numbers_a, numbers_b) {
                (Numbers::Single(one), Numbers::Single(other))
                    if a.variant_type() == VariantType::PackedFloat32Array =>
                {
                    let bits = !self.packed_bits || numbers_a.have_same_bits(numbers_b);
                    bits && all(one, other, |a, b| a == b || self.packed_nan && same(a, b))
                }
                (Numbers::Single(a), Numbers::Single(b)) => all(a, b, same),
                (Numbers::Real(a), Numbers::Real(b)) => all(a, b, same),
                (Numbers::Double(a), Numbers::Double(b)) => all(a, b, same),
                (Numbers::Int(_) | Numbers::Long(_), _) => numbers_a.have_same_bits(numbers_b),
                (Numbers::Real(_) | Numbers::Single(_) | Numbers::Double(_), _) => false,
            },
            (P::Array(a), P::Array(b)) => a.len() == b.len(),
            (P::Dictionary(a), P::Dictionary(b)) => self.dictionaries && a.len() == b.len(),
            (P::TypedArray(a), P::TypedArray(b))
            | (P::PackedTypedArray(a), P::PackedTypedArray(b)) => {
                a.element == b.element && a.elements.len() == b.elements.len()
            }
            (P::Object(a), P::Object(b)) => {
                matches!((a, b), (Object::Null, Object::Null))
            }
            (P::InputEvent(a), P::InputEvent(b)) => a == b,
            (
                P::Nil
                | P::Bool(_)
                | P::Int(_)
                | P::String(_)
                | P::StringName(_)
                | P::NodePath(_)
                | P::Rid(_)
                | P::Callable
                | P::Signal(_)
                | P::PackedByteArray(_)
                | P::PackedStringArray(_)
                | P::Image(_),
                _,
            ) => a == b,
            // Types that are not one were told apart above.
            (
                P::Float(_)
                | P::Numbers(_)
                | P::Array(_)
                | P::Dictionary(_)
                | P::TypedArray(_)
                | P::PackedTypedArray(_)
                | P::Object(_)
                | P::InputEvent(_),
                _,
            ) => false,
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
    pub(crate) fn hash_key<H: Hasher>(&self, single: bool, state: &mut H) {
        let mut walk = Walk::<R>::new(self);
        while let Some(event) = walk.next() {
            let Some(value) = event.value() else { continue };
            value.hash_outside(single, state);
            // Objects are never one key: what they hold would be hashed in vain.
            if let Some(container) = value.container()
                && container.variant_type() != VariantType::Object
            {
                walk.enter(container, ());
            }
        }
    }

    /// Hashes the value but for what it holds.
    fn hash_outside<H: Hasher>(&self, single: bool, state: &mut H) {
        if self.as_string().is_none() {
            self.variant_type().hash(state);
        }
        match self.payload() {
            Payload::Bool(value) => value.hash(state),
            Payload::Int(value) => value.hash(state),
            Payload::Float(value) if single => hash_real(value as f32, state),
            Payload::Float(value) => hash_real(value, state),
            Payload::String(text) | Payload::StringName(text) => text.hash(state),
            Payload::Numbers(Numbers::Real(list)) => hash_all(list, hash_real, state),
            Payload::Numbers(Numbers::Single(list)) => hash_all(list, hash_real, state),
            Payload::Numbers(Numbers::Double(list)) => hash_all(list, hash_real, state),
            Payload::Numbers(Numbers::Int(list)) => hash_all(list, |n, to| n.hash(to), state),
            Payload::Numbers(Numbers::Long(list)) => hash_all(list, |n, to| n.hash(to), state),
            Payload::NodePath(path) => path.hash(state),
            Payload::Rid(id) => id.hash(state),
            Payload::Signal(signal) => signal.hash(state),
            Payload::PackedByteArray(bytes) => bytes.hash(state),
            Payload::PackedStringArray(texts) => texts.hash(state),
            Payload::Array(array) => array.len().hash(state),
            Payload::Dictionary(dictionary) => dictionary.len().hash(state),
            Payload::TypedArray(typed) | Payload::PackedTypedArray(typed) => {
                typed.elements.len().hash(state);
            }
            Payload::Object(Object::Full(object)) => object.class.hash(state),
            Payload::Object(Object::Id(id)) => id.hash(state),
            Payload::Image(image) => image.hash(state),
            Payload::InputEvent(event) => event.device.hash(state),
            Payload::Nil | Payload::Callable | Payload::Object(Object::Null) => {}
        }
    }
}

fn same<R: Real>(a: R, b: R) -> bool {
    a == b || (a.to_f64().is_nan() && b.to_f64().is_nan())
}

fn all<N: Number>(
    a: &dyn NumberList<N>,
    b: &dyn NumberList<N>,
    same: impl Fn(N, N) -> bool,
) -> bool {
    a.count() == b.count() && a.iter().zip(b.iter()).all(|(a, b)| same(a, b))
}

fn hash_real<R: Real, H: Hasher>(number: R, state: &mut H) {
    let number = number.to_f64();
    // To Godot 2 a NaN is the same as zero.
    let bits = if number == 0.0 || number.is_nan() { 0 } else { number.to_bits() };
    bits.hash(state);
}

fn hash_all<N: Number, H: Hasher>(
    list: &dyn NumberList<N>,
    hash: impl Fn(N, &mut H),
    state: &mut H,
) {
    list.count().hash(state);
    list.for_each(&mut |number| hash(number, state));
}

/// Collects the pairs of a dictionary: each key once, so that the last value wins and keeps the first one's
/// place, as in the engines, or all of them.
pub(crate) struct KeySet<R: Real> {
    pairs: Vec<(Variant<R>, Variant<R>)>,
    /// Finds keys, where each is to be there once.
    index: Option<KeyIndex>,
}

impl<R: Real> KeySet<R> {
    /// Room for so many pairs; `keys` says which keys are one. Without it all pairs are kept.
    pub(crate) fn new(count: usize, keys: Option<SameKeys>) -> Self {
        let index = keys.map(|keys| KeyIndex::new(Sameness::of(keys)));
        Self { pairs: Vec::with_capacity(count), index }
    }

    /// Adds a pair, or replaces the value of the same key; gives the key that was there.
    #[inline]
    pub(crate) fn insert(&mut self, key: Variant<R>, value: Variant<R>) -> Option<&Variant<R>> {
        match self
            .index
            .as_mut()
            .and_then(|index| index.position(&self.pairs, |(key, _)| key, &key))
        {
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

    /// Whether the key is there, where each is to be there once.
    #[cfg(feature = "json")]
    pub(crate) fn contains(&self, key: &Variant<R>) -> bool {
        self.index.as_ref().is_some_and(|index| index.contains(&self.pairs, key))
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
            index.position(&pairs[..*at], |(key, _)| key, key).is_some()
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

/// A key of a dictionary in the form that its holder keeps.
trait AnyKey {
    fn hash(&self, sameness: Sameness, state: &RandomState) -> u64;

    fn is_same(&self, other: &Self, sameness: Sameness) -> bool;
}

impl<R: Real> AnyKey for Variant<R> {
    fn hash(&self, sameness: Sameness, state: &RandomState) -> u64 {
        sameness.hash(state, self)
    }

    #[inline(always)]
    fn is_same(&self, other: &Self, sameness: Sameness) -> bool {
        match (self, other) {
            // What nearly every key is.
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            _ => sameness.holds(self, other),
        }
    }
}

/// A key that is not taken out of the bytes where that can be helped.
#[derive(Clone, Debug)]
pub(crate) enum BorrowedKey<'a, R: Real> {
    /// A String, in UTF-8.
    String(&'a [u8]),
    /// A StringName, in UTF-8.
    StringName(&'a [u8]),
    /// An int.
    Int(i64),
    /// Any other.
    Made(Variant<R>),
}

impl<R: Real> BorrowedKey<'_, R> {
    /// Returns the key as a value.
    pub(crate) fn into_variant(self) -> Variant<R> {
        match self {
            Self::String(text) => Variant::String(text_of(text)),
            Self::StringName(text) => Variant::StringName(text_of(text)),
            Self::Int(number) => Variant::Int(number),
            Self::Made(key) => key,
        }
    }

    /// Returns the type of the key.
    pub(crate) fn variant_type(&self) -> VariantType {
        match self {
            Self::String(_) => VariantType::String,
            Self::StringName(_) => VariantType::StringName,
            Self::Int(_) => VariantType::Int,
            Self::Made(key) => key.variant_type(),
        }
    }
}

fn text_of(text: &[u8]) -> VariantString {
    // It was read as UTF-8.
    std::str::from_utf8(text).unwrap_or_default().into()
}

impl<R: Real> AnyKey for BorrowedKey<'_, R> {
    fn hash(&self, sameness: Sameness, state: &RandomState) -> u64 {
        match self {
            // As a text in a value is hashed.
            Self::String(text) | Self::StringName(text) => state.hash_one(text),
            Self::Int(number) => sameness.hash(state, &Variant::<R>::Int(*number)),
            Self::Made(key) => sameness.hash(state, key),
        }
    }

    #[inline(always)]
    fn is_same(&self, other: &Self, sameness: Sameness) -> bool {
        match (self, other) {
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            _ => self.is_same_otherwise(other, sameness),
        }
    }
}

impl<R: Real> BorrowedKey<'_, R> {
    /// Compares keys that are not both strings or ints.
    fn is_same_otherwise(&self, other: &Self, sameness: Sameness) -> bool {
        match (self, other) {
            (Self::String(a), Self::String(b)) | (Self::StringName(a), Self::StringName(b)) => {
                a == b
            }
            (Self::String(a), Self::StringName(b)) | (Self::StringName(a), Self::String(b)) => {
                sameness.strings_alike && a == b
            }
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::String(_) | Self::StringName(_), Self::Int(_))
            | (Self::Int(_), Self::String(_) | Self::StringName(_)) => false,
            (Self::Made(a), Self::Made(b)) => sameness.holds(a, b),
            (Self::Made(made), Self::String(text)) | (Self::String(text), Self::Made(made)) => {
                made.as_string().is_some_and(|made| made.as_bytes() == *text)
                    && sameness.holds(made, &Variant::String(text_of(text)))
            }
            (Self::Made(made), Self::StringName(text))
            | (Self::StringName(text), Self::Made(made)) => {
                made.as_string().is_some_and(|made| made.as_bytes() == *text)
                    && sameness.holds(made, &Variant::StringName(text_of(text)))
            }
            (Self::Made(made), Self::Int(number)) | (Self::Int(number), Self::Made(made)) => {
                sameness.holds(made, &Variant::Int(*number))
            }
        }
    }
}

/// Finds keys of one dictionary that come again, among those that a reader keeps of it.
#[derive(Clone, Debug)]
pub(crate) struct KeysSoFar(KeyIndex);

impl KeysSoFar {
    /// Begins a dictionary; `keys` says which keys are one.
    pub(crate) const fn new(keys: SameKeys) -> Self {
        Self(KeyIndex::new(Sameness::of(keys)))
    }

    /// Looks whether the last of the keys was there before; those of the dictionary are the ones from `first`
    /// on. Returns whether it is new; if not, it is taken away.
    #[inline(always)]
    pub(crate) fn settle<R: Real>(
        &mut self,
        keys: &mut Vec<BorrowedKey<'_, R>>,
        first: usize,
    ) -> bool {
        let own = keys.get(first..).unwrap_or_default();
        let Some((key, before)) = own.split_last() else { return true };
        let is_new = self.0.position(before, |key| key, key).is_none();
        if !is_new {
            keys.pop();
        }
        is_new
    }
}

/// Finds keys among pairs.
#[derive(Clone, Debug)]
struct KeyIndex {
    /// Positions of the pairs, by hash of the key; made only when there are more than a few.
    table: Option<Box<(HashTable<u32>, RandomState)>>,
    /// Which keys are one.
    sameness: Sameness,
}

impl KeyIndex {
    /// Up to this many pairs, comparing them all is quicker than hashing.
    const FEW: usize = 8;

    const fn new(sameness: Sameness) -> Self {
        Self { table: None, sameness }
    }

    /// Whether the key is among these pairs, all that were entered.
    #[cfg(feature = "json")]
    fn contains<R: Real>(&self, pairs: &[(Variant<R>, Variant<R>)], key: &Variant<R>) -> bool {
        let sameness = self.sameness;
        match &self.table {
            None => pairs.iter().any(|(candidate, _)| sameness.holds(candidate, key)),
            Some(index) => {
                let (table, hasher) = &**index;
                let is_key = |&position: &u32| sameness.holds(&pairs[position as usize].0, key);
                table.find(sameness.hash(hasher, key), is_key).is_some()
            }
        }
    }

    /// Where the key is among all entries so far, each of which has one; a new key is entered as that of the
    /// next entry.
    #[inline]
    fn position<T, K: AnyKey>(
        &mut self,
        entries: &[T],
        key_of: impl Fn(&T) -> &K,
        key: &K,
    ) -> Option<usize> {
        let sameness = self.sameness;
        if entries.len() < Self::FEW {
            return entries.iter().position(|entry| key_of(entry).is_same(key, sameness));
        }
        self.position_of_many(entries, key_of, key)
    }

    fn position_of_many<T, K: AnyKey>(
        &mut self,
        entries: &[T],
        key_of: impl Fn(&T) -> &K,
        key: &K,
    ) -> Option<usize> {
        let sameness = self.sameness;
        let (table, hasher) = &mut **self.table.get_or_insert_with(|| {
            let hasher = RandomState::new();
            let mut table = HashTable::new();
            for (position, entry) in entries.iter().enumerate() {
                let hash = key_of(entry).hash(sameness, &hasher);
                table.insert_unique(hash, position as u32, |&position| {
                    key_of(&entries[position as usize]).hash(sameness, &hasher)
                });
            }
            Box::new((table, hasher))
        });
        let hashed = key.hash(sameness, hasher);
        let is_key = |&position: &u32| key_of(&entries[position as usize]).is_same(key, sameness);
        let found = table.find(hashed, is_key).copied();
        if found.is_none() {
            table.insert_unique(hashed, entries.len() as u32, |&position| {
                // The new key is not among the entries yet, but it is not rehashed before it is in.
                let entry = entries.get(position as usize);
                entry.map_or(hashed, |entry| key_of(entry).hash(sameness, hasher))
            });
        }
        found.map(|position| position as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variant::ElementType;

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
                let mut set = KeySet::<f32>::new(0, Some(keys));
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
                    let mut set = KeySet::<f32>::new(0, Some(keys));
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

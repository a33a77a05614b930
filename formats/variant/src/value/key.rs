//! Finds repeated keys of a dictionary among the earlier ones.

#[cfg(feature = "serde")]
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

use super::sameness::{SameKeys, Sameness};
use super::{Real, Variant, VariantString};

/// Collects the pairs of a dictionary: each key once, so that the last value wins and keeps the first one's
/// place, as in the engines, or all of them.
pub(crate) struct KeySet<R: Real> {
    pairs: Vec<(Variant<R>, Variant<R>)>,
    /// Finds keys, if each may be there only once.
    index: Option<KeyIndex>,
    /// Whether the last pair is only a key, whose value comes next.
    at_value: bool,
}

impl<R: Real> KeySet<R> {
    /// Creates a set with a capacity for `count` pairs; `keys` is the rule by which two keys are the same. Without
    /// it all pairs are kept.
    pub(crate) fn new(count: usize, keys: Option<SameKeys>) -> Self {
        let index = keys.map(|keys| KeyIndex::new(EqualKeys::new(keys, false)));
        Self { pairs: Vec::with_capacity(count), index, at_value: false }
    }

    /// Adds a pair, or replaces the value of the same key; returns the earlier key.
    #[cfg(test)]
    pub(crate) fn insert(&mut self, key: Variant<R>, value: Variant<R>) -> Option<&Variant<R>> {
        self.push_key(key);
        self.push_value(value)
    }

    /// Returns whether a key is there whose value comes next.
    #[inline(always)]
    pub(crate) const fn is_at_value(&self) -> bool {
        self.at_value
    }

    /// Adds a key, whose value comes next.
    #[inline(always)]
    pub(crate) fn push_key(&mut self, key: Variant<R>) {
        self.pairs.push((key, Variant::Nil));
        self.at_value = true;
    }

    /// Returns the first key.
    pub(super) fn first_key(&self) -> Option<&Variant<R>> {
        self.pairs.first().map(|(key, _)| key)
    }

    /// Returns the key whose value comes next.
    pub(super) fn key(&self) -> Option<&Variant<R>> {
        self.pairs.last().filter(|_| self.at_value).map(|(key, _)| key)
    }

    /// Removes the key whose value comes next.
    pub(super) fn take_key(&mut self) -> Option<Variant<R>> {
        std::mem::take(&mut self.at_value).then(|| self.pairs.pop())?.map(|(key, _)| key)
    }

    /// Sets the value of the key that was added last. Where the key was there before, that one gets the value, and
    /// is returned.
    #[inline(always)]
    pub(crate) fn push_value(&mut self, value: Variant<R>) -> Option<&Variant<R>> {
        self.at_value = false;
        let ((key, place), before) = self.pairs.split_last_mut()?;
        // A place that was kept holds nothing that must be dropped.
        std::mem::forget(std::mem::replace(place, value));
        let position = self.index.as_mut()?.position(before, |(key, _)| key, key)?;
        self.replace(position)
    }

    /// Removes the last pair, whose key repeats an earlier one; the earlier pair gets its value.
    #[cold]
    fn replace(&mut self, position: usize) -> Option<&Variant<R>> {
        let (_, value) = self.pairs.pop()?;
        let (key, old) = self.pairs.get_mut(position)?;
        *old = value;
        Some(key)
    }

    /// Returns whether the key is there, if each may be there only once.
    pub(crate) fn contains(&self, key: &Variant<R>) -> bool {
        self.index.as_ref().is_some_and(|index| index.contains(&self.pairs, key))
    }

    /// Returns the pairs. A key without a value is none.
    pub(crate) fn into_pairs(mut self) -> Vec<(Variant<R>, Variant<R>)> {
        self.take_key();
        self.pairs
    }
}

/// The rule by which two keys are the same to an engine: when it reads them, or when it has rounded floats in
/// writing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EqualKeys {
    /// The rule of the engine.
    keys: SameKeys,
    /// Whether floats are rounded to 32 bits.
    single: bool,
}

impl EqualKeys {
    /// Returns the rule of an engine; `single` means that it writes floats in 32 bits.
    pub(crate) const fn new(keys: SameKeys, single: bool) -> Self {
        Self { keys, single }
    }

    const fn sameness(self) -> Sameness {
        Sameness::of(self.keys).single(self.single)
    }

    /// Returns the position of the first pair whose key one of those before it has, too.
    #[inline]
    pub(crate) fn repeated<R: Real>(self, pairs: &[(Variant<R>, Variant<R>)]) -> Option<usize> {
        match repeated_text(pairs) {
            Some(found) => found,
            None => self.repeated_otherwise(pairs),
        }
    }

    /// Returns the position of the first repeated key of pairs that are not just a few with Strings as keys.
    #[inline(never)]
    fn repeated_otherwise<R: Real>(self, pairs: &[(Variant<R>, Variant<R>)]) -> Option<usize> {
        let mut index = KeyIndex::new(self);
        let mut numbered = pairs.iter().enumerate();
        let repeats = |(at, (key, _)): &(usize, &(Variant<R>, Variant<R>))| {
            index.position(&pairs[..*at], |(key, _)| key, key).is_some()
        };
        numbered.find(repeats).map(|(at, _)| at)
    }
}

/// Returns the position of the first repeated key of a few pairs whose keys are all Strings, which are the same to every
/// engine if they are equal; [`None`] for any other pairs.
///
/// (Asking a String for its bytes takes ten instructions, so each is asked once.)
#[inline]
fn repeated_text<R: Real>(pairs: &[(Variant<R>, Variant<R>)]) -> Option<Option<usize>> {
    let mut texts: [&[u8]; KeyIndex::FEW] = [&[]; KeyIndex::FEW];
    if pairs.len() > texts.len() {
        return None;
    }
    for (at, (key, _)) in pairs.iter().enumerate() {
        let text = key.text()?;
        let (before, rest) = texts.split_at_mut_checked(at)?;
        if before.contains(&text) {
            return Some(Some(at));
        }
        *rest.first_mut()? = text;
    }
    Some(None)
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

    /// Adds the hash of a key. Returns whether the key may be the same as an earlier one: never false if it is.
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
        self.add(Sameness::ANY_ENGINE.hash(state, key))
    }

    /// Adds a key that is a String or a StringName.
    pub(crate) fn may_repeat_text(&mut self, state: &RandomState, text: &str) -> bool {
        self.add(state.hash_one(text))
    }
}

/// A key of a dictionary in the form that its holder keeps.
trait AnyKey {
    /// Returns the bytes of a String, as nearly every key is one.
    fn text(&self) -> Option<&[u8]>;

    fn hash(&self, sameness: Sameness, state: &RandomState) -> u64;

    fn is_same(&self, other: &Self, sameness: Sameness) -> bool;

    /// Returns whether any key can be found to be the same as this one.
    fn is_same_as_itself(&self, sameness: Sameness) -> bool;
}

impl<R: Real> AnyKey for Variant<R> {
    #[inline(always)]
    fn text(&self) -> Option<&[u8]> {
        if let Self::String(text) = self { Some(text.as_bytes()) } else { None }
    }

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

    #[inline(always)]
    fn is_same_as_itself(&self, sameness: Sameness) -> bool {
        matches!(self, Self::String(_) | Self::Int(_)) || sameness.holds_for_itself(self)
    }
}

/// A key that is borrowed from the bytes if possible.
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

fn text_of(text: &[u8]) -> VariantString {
    // The bytes were read as UTF-8.
    std::str::from_utf8(text).unwrap_or_default().into()
}

impl<R: Real> AnyKey for BorrowedKey<'_, R> {
    #[inline(always)]
    fn text(&self) -> Option<&[u8]> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    fn hash(&self, sameness: Sameness, state: &RandomState) -> u64 {
        match self {
            // Hashed like a text in a value.
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

    #[inline(always)]
    fn is_same_as_itself(&self, sameness: Sameness) -> bool {
        match self {
            Self::String(_) | Self::StringName(_) | Self::Int(_) => true,
            Self::Made(key) => sameness.holds_for_itself(key),
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

/// Finds repeated keys of one dictionary among those that a reader keeps of it.
#[derive(Clone, Debug)]
pub(crate) struct KeysSoFar(KeyIndex);

impl KeysSoFar {
    /// Begins a dictionary; `keys` is the rule by which two keys are the same.
    pub(crate) const fn new(keys: SameKeys) -> Self {
        Self(KeyIndex::new(EqualKeys::new(keys, false)))
    }

    /// Compares the last of the keys with the earlier ones; the keys of the dictionary are those from `first` on.
    /// Returns whether the key is new; a repeated key is removed.
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
    /// The rule by which two keys are the same.
    keys: EqualKeys,
}

impl KeyIndex {
    /// The number of pairs up to which comparing them all is faster than hashing.
    const FEW: usize = 8;

    const fn new(keys: EqualKeys) -> Self {
        Self { table: None, keys }
    }

    /// Returns whether the key is among these pairs, all that were entered.
    fn contains<R: Real>(&self, pairs: &[(Variant<R>, Variant<R>)], key: &Variant<R>) -> bool {
        let sameness = self.keys.sameness();
        match &self.table {
            None => pairs.iter().any(|(candidate, _)| sameness.holds(candidate, key)),
            Some(index) => {
                let (table, hasher) = &**index;
                let is_key = |&position: &u32| sameness.holds(&pairs[position as usize].0, key);
                table.find(sameness.hash(hasher, key), is_key).is_some()
            }
        }
    }

    /// Returns the index of the key among all entries so far, each of which has one; a new key is recorded as that
    /// of the next entry.
    #[inline]
    fn position<T, K: AnyKey>(
        &mut self,
        entries: &[T],
        key_of: impl Fn(&T) -> &K,
        key: &K,
    ) -> Option<usize> {
        if entries.len() < Self::FEW
            && let Some(text) = key.text()
        {
            for (position, entry) in entries.iter().enumerate() {
                match key_of(entry).text() {
                    // Equal Strings are the same key to every engine.
                    Some(other) if other == text => return Some(position),
                    Some(_) => {}
                    None => return self.position_otherwise(entries, key_of, key),
                }
            }
            return None;
        }
        self.position_otherwise(entries, key_of, key)
    }

    /// Returns the index of the key among all entries so far, if these are not just a few Strings.
    #[inline(never)]
    fn position_otherwise<T, K: AnyKey>(
        &mut self,
        entries: &[T],
        key_of: impl Fn(&T) -> &K,
        key: &K,
    ) -> Option<usize> {
        let sameness = self.keys.sameness();
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
        let sameness = self.keys.sameness();
        // Such keys would all have one place in the table.
        if !key.is_same_as_itself(sameness) {
            return None;
        }
        let (table, hasher) = &mut **self.table.get_or_insert_with(|| {
            let hasher = RandomState::new();
            let mut table = HashTable::new();
            for (position, entry) in entries.iter().enumerate() {
                if !key_of(entry).is_same_as_itself(sameness) {
                    continue;
                }
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
    use crate::VariantType;
    use crate::value::{TypedArray, steps};
    use crate::{Decoder, Dialect, Dictionary, ElementType, Encoder, InputEvent, InputEventKind};

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

    /// The number of pairs, one or two, that Godot 3.2.3, 3.6.2 and 4.6.3 make of two pairs with these keys.
    #[test]
    fn keys_are_one_where_the_engines_say_so() {
        let nan = || Variant::Float(f64::NAN);
        let typed = || {
            let mut empty = crate::Array::new();
            empty.set_element_type(Some(ElementType::Builtin(VariantType::Int)));
            Variant::Array(empty)
        };
        let empty = || Variant::Dictionary(Vec::new().into());
        let real = || Variant::PackedFloat32Array(vec![f32::NAN]);
        let vectors = || {
            let vector = crate::Vector2 { x: f32::NAN, y: 1.0 };
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

    /// Keys of which no two are the same, though much of them is alike.
    fn odd_keys(count: usize) -> Vec<(Value, &'static str)> {
        let number = |at: usize| at as u32;
        let kinds: [(&str, &dyn Fn(usize) -> Value); 13] = [
            ("godot4", &|_| array([Variant::Float(f64::NAN)])),
            ("godot4", &|at| Variant::Object(crate::Object::Id(at as u64 + 1))),
            ("godot4", &|_| Variant::Object(crate::Object::Id(7))),
            ("godot4", &|at| {
                // Each text of the array is a String or a StringName.
                array(
                    (0..12_usize)
                        .map(|bit: usize| if at >> bit & 1 == 0 { "a".into() } else { name("a") }),
                )
            }),
            ("godot4", &|at| {
                let zero_or_nan = |bit: usize| if at >> bit & 1 == 0 { 0.0 } else { f64::NAN };
                Variant::PackedFloat64Array((0..12_usize).map(zero_or_nan).collect())
            }),
            ("godot3", &|_| Variant::Dictionary(Dictionary::new())),
            ("godot3", &|at| array([at.to_string().as_str().into(), dictionary(1, 1)])),
            ("godot3", &|at| {
                let zero = |bit: usize| if at >> bit & 1 == 0 { 0.0 } else { -0.0 };
                Variant::PackedFloat32Array((0..12_usize).map(zero).collect())
            }),
            ("godot3", &|at| {
                Variant::PackedFloat32Array(vec![f32::from_bits(0x7fc0_0000 | number(at))])
            }),
            ("godot3.2", &|_| Variant::PackedFloat32Array(vec![f32::NAN])),
            ("godot2", &|at| {
                let kind = InputEventKind::MouseButton { button: number(at) };
                Variant::InputEvent(InputEvent { device: 0, kind })
            }),
            ("godot2", &|at| {
                let kind = InputEventKind::JoystickMotion { axis: 0, value: Some(at as f32) };
                Variant::InputEvent(InputEvent { device: 0, kind })
            }),
            ("pandemonium", &|at| {
                let element = ElementType::Class(format!("A{at}").as_str().into());
                Variant::TypedArray(Box::new(TypedArray { element, elements: crate::Array::new() }))
            }),
        ];
        let pairs = |make: &dyn Fn(usize) -> Value| {
            (0..count).map(|at| (make(at), Variant::Nil)).collect::<Vec<_>>()
        };
        let dictionary = |make| Variant::Dictionary(Dictionary::from(pairs(make)));
        kinds.map(|(dialect, make)| (dictionary(make), dialect)).into()
    }

    #[test]
    fn work_grows_with_the_keys_however_alike_they_are() {
        const FEW: usize = 250;
        for ((few, dialect), (many, _)) in odd_keys(FEW).into_iter().zip(odd_keys(8 * FEW)) {
            let dialect: Dialect = dialect.parse().unwrap();
            let (encoder, decoder) = (Encoder::new(dialect), Decoder::new(dialect));
            let key = format!("{:?} in {dialect}", many.as_dictionary().unwrap().keys().next());
            let grows = |what: &str, work: &dyn Fn(&Value)| {
                let [few, many] = [&few, &many].map(|value| steps::of(|| work(value)));
                println!("{what} of {key}: {few} steps for {FEW}, {many} for {}", 8 * FEW);
                // Texts are sorted.
                assert!(many <= 16 * few.max(1), "{what} of {key}: {few}, {many}");
            };
            grows("encoding", &|value| drop(encoder.encode(value).unwrap()));
            grows("text", &|value| drop(value.display(dialect).to_string()));
            let packet = |value: &Value| encoder.encode(value).unwrap();
            let packets = [packet(&few), packet(&many)];
            let packet =
                |value: &Value| &packets[usize::from(std::ptr::eq(value, &raw const many))];
            grows("decoding", &|value| {
                let made = decoder.decode(packet(value)).unwrap();
                assert_eq!(
                    made.as_dictionary().unwrap().len(),
                    value.as_dictionary().unwrap().len()
                );
            });
            grows("walking", &|value| {
                decoder.walk(packet(value)).finish().unwrap();
            });
            grows("checking", &|value| drop(decoder.check(packet(value)).unwrap()));
            grows("JSON", &|value| {
                let json = crate::json::to_json(value, dialect, crate::json::Style::Compact);
                let _: Result<Value, _> =
                    crate::json::Json::lossless(dialect).read(json.as_bytes());
            });
            #[cfg(feature = "serde")]
            grows("serde", &|value| {
                let made: Value = decoder.deserialize(packet(value)).unwrap();
                drop(encoder.serialize(&made));
            });
            let text = |value: &Value| value.display(dialect).to_string();
            let texts = [text(&few), text(&many)];
            grows("parsing", &|value| {
                let text = &texts[usize::from(std::ptr::eq(value, &raw const many))];
                let form = crate::text::TextForm::new(dialect);
                let _: Result<Value, _> = form.read(&text.as_str().into());
            });
        }
    }
}

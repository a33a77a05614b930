//! The rule by which two dictionary keys are the same to an engine.

use std::hash::{BuildHasher, Hash, Hasher, RandomState};

use super::walk::{Event, Walk, all_alike};
use super::{InputEvent, InputEventKind, Numbers, Object, Payload, Real, Variant, VariantType};
use formwork_records::wire::{Number, NumberList};

/// The rule by which an engine takes two keys of a dictionary for the same. Of two such pairs that it reads it keeps
/// the last value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum SameKeys {
    /// As in Godot 3, but a float that is NaN is the same as 0. Godot 2. (Its build calculates without regard to
    /// NaN: it also prints one as 0, and keeps one of two NaN keys.)
    Godot2,
    /// Keys of the same type and content, except dictionaries: one that was read is never the same as another, also
    /// in an array, and the elements of a PoolRealArray must be the same bit by bit. Godot 3 and Pandemonium.
    /// (Tested with Godot 3.2.3, 3.6 and 3.6.2.)
    Godot3,
    /// Like [`Godot3`](Self::Godot3), and a PoolRealArray with a NaN is not even equal to itself. (Godot 3.2.3
    /// cannot find it again when it writes; 3.3 and 3.4 were not tested.)
    Godot3_2,
    /// Keys of the same type and content, whatever types arrays and dictionaries declare. A String and a StringName
    /// are the same, except as elements of an array or values of a dictionary. There a NaN is not the same as
    /// another NaN either. Godot 4. (Tested with 4.6.3.)
    Godot4,
}

/// The rule by which two keys are the same, as the differences between the engines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sameness {
    /// A String and a StringName may be the same as keys.
    pub(super) strings_alike: bool,
    /// Dictionaries may be the same.
    dictionaries: bool,
    /// A float that is a NaN is the same as 0.
    nan_is_zero: bool,
    /// A float in a container that is a NaN is the same as any other.
    inner_nan: bool,
    /// An element of a PoolRealArray that is a NaN is equal to any other.
    packed_nan: bool,
    /// Elements of a PoolRealArray are the same only bit by bit: 0 is not the same as -0.
    packed_bits: bool,
    /// Floats are the same if they are the same in 32 bits.
    single: bool,
    /// Values are the same only if they are in every bit, with their marks.
    bits: bool,
}

impl Sameness {
    /// By type and content alone.
    pub(super) const CONTENT: Self = Self {
        strings_alike: false,
        dictionaries: true,
        nan_is_zero: false,
        inner_nan: true,
        packed_nan: true,
        packed_bits: false,
        single: false,
        bits: false,
    };

    /// The same in every bit, as [`Variant::is_identical`] compares. Only for hashes.
    pub(super) const BITS: Self = Self { bits: true, ..Self::CONTENT };

    /// Keys that any of the engines takes for the same, when it has rounded floats, too. Only for hashes.
    #[cfg(feature = "serde")]
    pub(super) const ANY_ENGINE: Self =
        Self { strings_alike: true, nan_is_zero: true, single: true, ..Self::CONTENT };

    const GODOT3: Self = Self { dictionaries: false, packed_bits: true, ..Self::CONTENT };

    pub(super) const fn of(keys: SameKeys) -> Self {
        match keys {
            SameKeys::Godot2 => Self { nan_is_zero: true, ..Self::GODOT3 },
            SameKeys::Godot3 => Self::GODOT3,
            SameKeys::Godot3_2 => Self { packed_nan: false, ..Self::GODOT3 },
            SameKeys::Godot4 => Self { strings_alike: true, inner_nan: false, ..Self::CONTENT },
        }
    }

    /// If `single` is set, takes floats for the same that are the same in 32 bits.
    pub(super) const fn single(self, single: bool) -> Self {
        Self { single, ..self }
    }

    /// Returns a hash that is equal for keys that are the same, and all but surely another for others.
    pub(super) fn hash<R: Real>(self, state: &RandomState, key: &Variant<R>) -> u64 {
        let mut hasher = state.build_hasher();
        let mut walk = Walk::<R>::new(key);
        while let Some(event) = walk.next() {
            let Some(value) = event.value() else { continue };
            let says_type = match event {
                Event::Key(_) => !self.strings_alike,
                // A text may be the whole key.
                Event::Element(_) | Event::Value(_) | Event::Property(..) | Event::End(..) => {
                    walk.depth() > 0
                }
            };
            self.hash_outside(value, says_type, &mut hasher);
            // Objects are never the same key: hashing their contents would be useless.
            if let Some(container) = value.container()
                && (self.bits || container.variant_type() != VariantType::Object)
            {
                walk.enter(container, ());
            }
        }
        hasher.finish()
    }

    /// Returns whether the key is the same as itself. A NaN in an array is not, nor is an object, and so on: there
    /// may be any number of keys like that, none of which any search finds.
    pub(super) fn holds_for_itself<R: Real>(self, key: &Variant<R>) -> bool {
        key.as_string().is_some() || self.holds(key, key)
    }

    #[inline]
    pub(super) fn holds<R: Real>(self, a: &Variant<R>, b: &Variant<R>) -> bool {
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

    /// Compares two values without the contents of containers.
    fn holds_outside<R: Real>(self, a: &Variant<R>, b: &Variant<R>, place: Place) -> bool {
        use Payload as P;
        #[cfg(any(test, feature = "steps"))]
        super::walk::steps::add();
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
            _ => a == b,
        }
    }
}

/// The position of a compared value.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Place {
    /// As a key, of the dictionary in question or of one that is a key.
    Key,
    /// As an element of an array or a value of a dictionary.
    Inside,
}

impl<R: Real> Variant<R> {
    /// Returns whether the two are the same key of a dictionary by type and content. A NaN is the same as any other
    /// NaN, and zero the same as minus zero. Objects are never the same key: reading makes a new one each time. (In
    /// some cases engines differ, see [`SameKeys`].)
    #[must_use]
    pub fn is_same_key(&self, other: &Self) -> bool {
        Sameness::CONTENT.holds(self, other)
    }
}

impl Sameness {
    /// Hashes a value without its contents: all that is compared of it. `says_type` is whether a String is another
    /// key than a StringName.
    pub(super) fn hash_outside<R: Real, H: Hasher>(
        self,
        value: &Variant<R>,
        says_type: bool,
        state: &mut H,
    ) {
        if self.bits || says_type || value.as_string().is_none() {
            value.variant_type().hash(state);
        }
        if let Some(container) = value.container() {
            container.len().hash(state);
            if self.bits {
                container.types().hash(state);
                container.is_shared().hash(state);
            }
        }
        match value.payload() {
            Payload::Bool(value) => value.hash(state),
            Payload::Int(value) => value.hash(state),
            Payload::Float(number) => hash_real(self.compared(number), self.bits, state),
            Payload::String(text) | Payload::StringName(text) => text.hash(state),
            Payload::Numbers(Numbers::Real(list)) => hash_reals(list, self.bits, state),
            Payload::Numbers(Numbers::Single(list)) => {
                let is_list = value.variant_type() == VariantType::PackedFloat32Array;
                hash_reals(list, self.bits || self.packed_bits && is_list, state);
            }
            Payload::Numbers(Numbers::Double(list)) => hash_reals(list, self.bits, state),
            Payload::Numbers(Numbers::Int(list)) => hash_all(list, |n, to| n.hash(to), state),
            Payload::Numbers(Numbers::Long(list)) => hash_all(list, |n, to| n.hash(to), state),
            Payload::NodePath(path) => path.hash(state),
            Payload::Rid(id) => id.hash(state),
            Payload::Signal(signal) => signal.hash(state),
            Payload::PackedByteArray(bytes) => bytes.hash(state),
            Payload::PackedStringArray(texts) => texts.hash(state),
            Payload::TypedArray(typed) | Payload::PackedTypedArray(typed) => {
                typed.element.hash(state);
            }
            Payload::Object(Object::Full(object)) => {
                object.class.hash(state);
                object.properties.iter().for_each(|(name, _)| name.hash(state));
            }
            Payload::Object(Object::Id(id)) => id.hash(state),
            Payload::Image(image) => image.hash(state),
            Payload::InputEvent(event) => self.hash_event(event, state),
            Payload::Nil
            | Payload::Callable
            | Payload::Object(Object::Null)
            | Payload::Array(_)
            | Payload::Dictionary(_) => {}
        }
    }

    fn hash_event<H: Hasher>(self, event: &InputEvent, state: &mut H) {
        event.device.hash(state);
        std::mem::discriminant(&event.kind).hash(state);
        match event.kind {
            InputEventKind::Key { modifiers, scancode } => (modifiers, scancode).hash(state),
            InputEventKind::JoystickMotion { axis, value } => {
                (axis, value.is_some()).hash(state);
                value.inspect(|value| hash_real(*value, self.bits, state));
            }
            InputEventKind::MouseButton { button: number }
            | InputEventKind::JoystickButton { button: number }
            | InputEventKind::ScreenTouch { index: number }
            | InputEventKind::Other { number } => number.hash(state),
            InputEventKind::None
            | InputEventKind::MouseMotion
            | InputEventKind::ScreenDrag
            | InputEventKind::Action => {}
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

fn hash_reals<R: Real, H: Hasher>(list: &dyn NumberList<R>, bits: bool, state: &mut H) {
    hash_all(list, |number, state| hash_real(number, bits, state), state);
}

/// Hashes a number: its bits, or what all numbers have that are the same as it.
fn hash_real<R: Real, H: Hasher>(number: R, bits: bool, state: &mut H) {
    if bits {
        return state.write(bytemuck::bytes_of(&number));
    }
    let number = number.to_f64();
    let same = match number {
        0.0 => 0.0,
        number if number.is_nan() => f64::NAN,
        number => number,
    };
    same.to_bits().hash(state);
}

fn hash_all<N: Number, H: Hasher>(
    list: &dyn NumberList<N>,
    hash: impl Fn(N, &mut H),
    state: &mut H,
) {
    list.count().hash(state);
    list.for_each(&mut |number| hash(number, state));
}

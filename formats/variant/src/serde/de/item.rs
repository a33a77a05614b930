//! The next value of a source. From here on the values of a packet and of a [`Variant`] are the same to serde.

use std::borrow::Cow;

use ::serde::de::Unexpected;

use crate::codec::{components_hold, components_widen};
use crate::notation::EventMembers;
use crate::serde::numbers::{self, Numbers};
use crate::serde::types::{object_payload, parts_payload, path_payload};
use crate::{Container, Front, Object, Payload, Real, Variant, VariantString, VariantType};
use formwork::Result;
use formwork_records::wire::{Number, NumberList};

/// A text, borrowed from the packet if possible.
#[derive(Debug)]
pub(super) enum Text<'de> {
    Borrowed(&'de str),
    Owned(VariantString),
}

/// The numbers of a packed array, in order.
#[derive(Debug)]
pub(super) enum Flat<'de> {
    Single(Cow<'de, [f32]>),
    Double(Cow<'de, [f64]>),
    Int(Cow<'de, [i32]>),
    Long(Cow<'de, [i64]>),
}

/// The elements of a packed array.
#[derive(Debug)]
pub(super) enum Packed<'de> {
    Numbers(Flat<'de>),
    /// The math type of the elements, the number of components of each, and all components.
    Vectors(VariantType, usize, Flat<'de>),
    Strings(Cow<'de, [VariantString]>),
}

/// The next value. If it is a container, it is open now, and its values follow.
///
/// (The type is small, because it is moved with every call that serde makes.)
#[derive(Debug)]
pub(super) enum Item<'de> {
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    /// A number of a packed array.
    Single(f32),
    String(Text<'de>),
    StringName(Text<'de>),
    Math(VariantType, Numbers),
    Bytes(Cow<'de, [u8]>),
    Packed(VariantType, Box<Packed<'de>>),
    /// The front of a container.
    Open(Front),
    /// A value of a rarer type, as its parts.
    Rare(VariantType, Box<Variant<f32>>),
}

impl<'de> Text<'de> {
    fn of(text: &'de VariantString) -> Self {
        match text.as_str() {
            Some(text) => Self::Borrowed(text),
            None => Self::Owned(text.clone()),
        }
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Borrowed(text) => Some(text),
            Self::Owned(text) => text.as_str(),
        }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Borrowed(text) => text.as_bytes(),
            Self::Owned(text) => text.as_bytes(),
        }
    }

    pub(super) fn into_owned<'other>(self) -> Text<'other> {
        match self {
            Self::Borrowed(text) => Text::Owned(text.into()),
            Self::Owned(text) => Text::Owned(text),
        }
    }
}

impl Flat<'_> {
    fn into_owned<'other>(self) -> Flat<'other> {
        match self {
            Self::Single(numbers) => Flat::Single(Cow::Owned(numbers.into_owned())),
            Self::Double(numbers) => Flat::Double(Cow::Owned(numbers.into_owned())),
            Self::Int(numbers) => Flat::Int(Cow::Owned(numbers.into_owned())),
            Self::Long(numbers) => Flat::Long(Cow::Owned(numbers.into_owned())),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Single(numbers) => numbers.len(),
            Self::Double(numbers) => numbers.len(),
            Self::Int(numbers) => numbers.len(),
            Self::Long(numbers) => numbers.len(),
        }
    }

    fn number(&self, at: usize) -> Option<Item<'static>> {
        Some(match self {
            Self::Single(numbers) => Item::Single(*numbers.get(at)?),
            Self::Double(numbers) => Item::Float(*numbers.get(at)?),
            Self::Int(numbers) => Item::Int((*numbers.get(at)?).into()),
            Self::Long(numbers) => Item::Int(*numbers.get(at)?),
        })
    }

    /// A few numbers in a row.
    fn numbers(&self, from: usize, count: usize) -> Option<Numbers> {
        let range = from..from + count;
        match self {
            Self::Single(numbers) => Numbers::single(numbers.get(range)?),
            Self::Double(numbers) => Numbers::double(numbers.get(range)?),
            Self::Int(numbers) => Numbers::whole(numbers.get(range)?),
            Self::Long(_) => None,
        }
    }
}

impl Packed<'_> {
    /// Returns the number of elements.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Numbers(flat) => flat.len(),
            Self::Vectors(_, count, flat) => flat.len() / count,
            Self::Strings(texts) => texts.len(),
        }
    }

    /// The element at a position.
    pub(super) fn element(&self, at: usize) -> Option<Item<'static>> {
        match self {
            Self::Numbers(flat) => flat.number(at),
            Self::Vectors(variant_type, count, flat) => {
                flat.numbers(at * count, *count).map(|numbers| Item::Math(*variant_type, numbers))
            }
            Self::Strings(texts) => {
                texts.get(at).map(|text| Item::String(Text::Owned(text.clone())))
            }
        }
    }
}

impl<'de> Flat<'de> {
    fn of<R: Real>(numbers: crate::Numbers<'de, R>) -> Self {
        fn all<N: Number>(list: &dyn NumberList<N>) -> Cow<'_, [N]> {
            match list.as_slice() {
                Some(numbers) => Cow::Borrowed(numbers),
                None => Cow::Owned(list.converted(|number| number)),
            }
        }
        match numbers {
            crate::Numbers::Real(list) if R::DOUBLE => {
                Self::Double(list.converted(Real::to).into())
            }
            crate::Numbers::Real(list) => Self::Single(list.converted(Real::to).into()),
            crate::Numbers::Single(list) => Self::Single(all(list)),
            crate::Numbers::Double(list) => Self::Double(all(list)),
            crate::Numbers::Int(list) => Self::Int(all(list)),
            crate::Numbers::Long(list) => Self::Long(all(list)),
        }
    }
}

/// Makes an item of a rarer type.
fn rare<'de>(variant_type: VariantType, payload: Result<Variant<f32>>) -> Result<Item<'de>> {
    Ok(Item::Rare(variant_type, Box::new(payload?)))
}

impl<'de> Item<'de> {
    /// Makes an item of a value that holds no others.
    pub(super) fn of<R: Real>(value: &'de Variant<R>) -> Result<Self> {
        let variant_type = value.variant_type();
        Ok(match value.payload() {
            Payload::Nil => Self::Nil,
            Payload::Bool(value) => Self::Bool(value),
            Payload::Int(number) => Self::Int(number),
            Payload::Float(number) => Self::Float(number),
            Payload::String(text) => Self::String(Text::of(text)),
            Payload::StringName(text) => Self::StringName(Text::of(text)),
            Payload::PackedByteArray(bytes) => Self::Bytes(Cow::Borrowed(bytes)),
            Payload::PackedStringArray(texts) => {
                Self::packed(variant_type, Packed::Strings(Cow::Borrowed(texts)))
            }
            Payload::Numbers(numbers) => Self::of_numbers(variant_type, numbers),
            Payload::Dictionary(dictionary) => {
                Self::Open(Front::of(Container::Dictionary(dictionary)))
            }
            Payload::Array(array) => Self::Open(Front::of(Container::Array(array))),
            Payload::TypedArray(typed) => Self::Open(Front::of(Container::TypedArray(typed))),
            Payload::PackedTypedArray(typed) => {
                Self::Open(Front::of(Container::PackedTypedArray(typed)))
            }
            Payload::Object(Object::Full(object)) => {
                Self::Open(Front::of(Container::Object(object)))
            }
            Payload::Object(object @ (Object::Null | Object::Id(_))) => {
                rare(variant_type, object_payload(object))?
            }
            Payload::Callable => rare(variant_type, Ok(Variant::Nil))?,
            Payload::Rid(rid) => rare(variant_type, Ok(Variant::Int(rid.cast_signed())))?,
            Payload::NodePath(path) => rare(variant_type, path_payload(path))?,
            Payload::Signal(signal) => rare(variant_type, parts_payload(signal))?,
            Payload::Image(image) => rare(variant_type, parts_payload(image))?,
            Payload::InputEvent(event) => {
                rare(variant_type, parts_payload(&EventMembers::of(event)))?
            }
        })
    }

    /// A math type, or a packed array of numbers or of a math type.
    fn of_numbers<R: Real>(variant_type: VariantType, numbers: crate::Numbers<'de, R>) -> Self {
        let element = variant_type.numbers().and_then(|numbers| numbers.element);
        match (element, element.and_then(numbers::count), Numbers::of(numbers)) {
            (None, _, Some(numbers)) => Self::Math(variant_type, numbers),
            (Some(element), Some(count), _) => {
                Self::packed(variant_type, Packed::Vectors(element, count, Flat::of(numbers)))
            }
            _ => Self::packed(variant_type, Packed::Numbers(Flat::of(numbers))),
        }
    }

    fn packed(variant_type: VariantType, packed: Packed<'de>) -> Self {
        Self::Packed(variant_type, Box::new(packed))
    }

    /// Makes an item of an owned value.
    #[inline]
    pub(super) fn of_owned<R: Real>(value: Variant<R>) -> Result<Self> {
        let variant_type = value.variant_type();
        let packed = |flat| Ok(Self::packed(variant_type, Packed::Numbers(flat)));
        if variant_type.numbers().is_some_and(|numbers| numbers.element.is_none())
            && let Payload::Numbers(numbers) = value.payload()
            && let Some(numbers) = Numbers::of(numbers)
        {
            return Ok(Self::Math(variant_type, numbers));
        }
        // Moves a text that would be copied otherwise.
        if let Variant::String(text) = value {
            Ok(Self::String(Text::Owned(text)))
        } else if let Variant::StringName(text) = value {
            Ok(Self::StringName(Text::Owned(text)))
        } else if let Variant::PackedByteArray(bytes) = value {
            Ok(Self::Bytes(Cow::Owned(bytes)))
        } else if let Variant::PackedInt32Array(values) = value {
            packed(Flat::Int(Cow::Owned(values)))
        } else if let Variant::PackedInt64Array(values) = value {
            packed(Flat::Long(Cow::Owned(values)))
        } else if let Variant::PackedFloat32Array(values) = value {
            packed(Flat::Single(Cow::Owned(values)))
        } else if let Variant::PackedFloat64Array(values) = value {
            packed(Flat::Double(Cow::Owned(values)))
        } else if let Variant::PackedStringArray(texts) = value {
            Ok(Self::packed(variant_type, Packed::Strings(Cow::Owned(texts))))
        } else {
            Item::of(&value).map(Item::into_owned)
        }
    }

    pub(super) fn into_owned<'other>(self) -> Item<'other> {
        match self {
            Self::Nil => Item::Nil,
            Self::Bool(value) => Item::Bool(value),
            Self::Int(number) => Item::Int(number),
            Self::Float(number) => Item::Float(number),
            Self::Single(number) => Item::Single(number),
            Self::String(text) => Item::String(text.into_owned()),
            Self::StringName(text) => Item::StringName(text.into_owned()),
            Self::Math(variant_type, numbers) => Item::Math(variant_type, numbers),
            Self::Bytes(bytes) => Item::Bytes(Cow::Owned(bytes.into_owned())),
            Self::Packed(variant_type, packed) => Item::packed(
                variant_type,
                match *packed {
                    Packed::Numbers(flat) => Packed::Numbers(flat.into_owned()),
                    Packed::Vectors(element, count, flat) => {
                        Packed::Vectors(element, count, flat.into_owned())
                    }
                    Packed::Strings(texts) => Packed::Strings(Cow::Owned(texts.into_owned())),
                },
            ),
            Self::Open(front) => Item::Open(front),
            Self::Rare(variant_type, payload) => Item::Rare(variant_type, payload),
        }
    }

    /// Refuses real numbers of the engine that 32 bits do not hold, as the codec does of a value.
    pub(super) fn holds_single(&self, offset: u64) -> Result<()> {
        match self {
            Self::Math(variant_type, Numbers::Double(numbers)) => {
                let count = numbers::count(*variant_type).unwrap_or(0).min(numbers.len());
                components_hold::<f64, f32>(&numbers[..count], offset)
            }
            Self::Packed(_, packed) => match &**packed {
                Packed::Vectors(_, count, Flat::Double(numbers)) => numbers
                    .chunks((*count).max(1))
                    .try_for_each(|vector| components_hold::<f64, f32>(vector, offset)),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Refuses real numbers that change when they are widened to 64 bits, as the codec does at canonical strictness.
    pub(super) fn widens(&self, offset: u64) -> Result<()> {
        match self {
            Self::Math(variant_type, numbers) if variant_type.is_real() => {
                let Some(numbers) = numbers.as_single() else { return Ok(()) };
                let count = numbers::count(*variant_type).unwrap_or(0).min(numbers.len());
                components_widen::<f32, f64>(&numbers[..count], offset)
            }
            Self::Packed(variant_type, packed) if variant_type.is_real() => match &**packed {
                Packed::Vectors(_, _, Flat::Single(numbers)) => {
                    components_widen::<f32, f64>(numbers, offset)
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The type.
    pub(super) const fn variant_type(&self) -> VariantType {
        match self {
            Self::Nil => VariantType::Nil,
            Self::Bool(_) => VariantType::Bool,
            Self::Int(_) => VariantType::Int,
            Self::Float(_) | Self::Single(_) => VariantType::Float,
            Self::String(_) => VariantType::String,
            Self::StringName(_) => VariantType::StringName,
            Self::Bytes(_) => VariantType::PackedByteArray,
            Self::Math(variant_type, _)
            | Self::Packed(variant_type, _)
            | Self::Rare(variant_type, _) => *variant_type,
            Self::Open(front) => front.variant_type,
        }
    }

    /// Describes the item in an error.
    pub(super) fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Bool(value) => Unexpected::Bool(*value),
            Self::Int(number) => Unexpected::Signed(*number),
            Self::Float(number) => Unexpected::Float(*number),
            Self::String(text) => {
                text.as_str().map_or(Unexpected::Other("String"), Unexpected::Str)
            }
            other => Unexpected::Other(other.variant_type().name()),
        }
    }
}

//! `Serialize` and `Deserialize` of the crate's own values.
//!
//! A value that serde's data model lacks is a newtype struct with a name that starts with [`PREFIX`]. The serializer
//! and deserializer of this crate know the names; other formats see only the content of the newtype struct. If a
//! value must be distinguished from others without a known type, which is the case in a [`Variant`](crate::Variant)
//! and in serde's buffer, it is a map that begins with its *tag*, `$Vector2`. The contents after the tags are
//! declared in [`notation`](crate::notation).
//!
//! The content of a newtype struct detects the formats of this crate by
//! [`is_human_readable`](Serializer::is_human_readable): they return true outside of it, and false inside.

#![deny(clippy::wildcard_enum_match_arm)]

mod exotic;
mod math;
pub(super) mod number;
mod string;
pub(super) mod value;

use exotic::Next;
pub(super) use exotic::{Id, parts_of};
pub(super) use number::{Each, Flat, Flattened, Number, WIDE, raw};

use ::serde::ser::{Serialize, SerializeMap, Serializer};

use super::DIALECT;
use crate::VariantType;
use crate::notation;

/// The prefix of the names of all newtype structs of this crate.
pub(super) const PREFIX: &str = "formwork_variant::";

/// The name under which a value of any type is requested.
pub(super) const ANY: &str = "formwork_variant::Variant";

/// The name under which a value of any type is requested whose numbers may have 64 bits.
pub(super) const ANY_DOUBLE: &str = "formwork_variant::Variant<f64>";

/// The name of the wrapper around a tag, which only other formats see.
pub(super) const TAGGED: &str = "formwork_variant::Tagged";

/// The name of the number of an object.
pub(super) const ID: &str = "formwork_variant::Id";

/// Returns the type of a newtype struct of this name.
#[inline(always)]
pub(super) fn named_type(name: &str) -> Option<VariantType> {
    let name = name.strip_prefix(PREFIX)?.strip_prefix('$')?;
    let found = BY_NAME.get(place_of(name)).copied().flatten();
    found.filter(|found| found.name() == name).or_else(|| searched_type(name))
}

#[cold]
fn searched_type(name: &str) -> Option<VariantType> {
    VariantType::ALL.iter().copied().find(|variant_type| variant_type.name() == name)
}

/// The types by their names, each at its [place](place_of); where two share one, the first. The other is searched for.
/// (Every value of the crate's own types is asked for by name: a search through all took longer than reading it.)
static BY_NAME: [Option<VariantType>; PLACES] = {
    let mut types = [None; PLACES];
    let mut at = 0;
    while at < VariantType::ALL.len() {
        let variant_type = VariantType::ALL[at];
        let place = place_of(variant_type.name());
        if types[place].is_none() {
            types[place] = Some(variant_type);
        }
        at += 1;
    }
    types
};

const PLACES: usize = 256;

/// The place of a name among those of types: made of its length and a few bytes, so that few share one.
#[inline(always)]
const fn place_of(name: &str) -> usize {
    let name = name.as_bytes();
    let [.., before, last] = *name else { return 0 };
    let (half, two_thirds) = (name[name.len() / 2], name[name.len() * 2 / 3]);
    let of_bytes =
        half as usize * 3 + two_thirds as usize * 10 + before as usize * 20 + last as usize * 3;
    (name.len() * 9 + of_bytes) % PLACES
}

/// Serializes the content of a value of a type, under the type's name.
#[inline]
pub(super) fn named<S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    payload: &(impl Serialize + ?Sized),
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(variant_type.serde_name(), payload)
}

/// Serializes the content of a value of a type, under its name and after its tag.
fn tagged<S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    payload: &(impl Serialize + ?Sized),
) -> Result<S::Ok, S::Error> {
    behind_tag(serializer, variant_type, &Named { variant_type, payload })
}

/// Serializes a content that already has its name, after its tag.
fn behind_tag<S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    payload: &(impl Serialize + ?Sized),
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(TAGGED, &Tagged { variant_type, payload })
}

struct Tagged<'p, P: ?Sized> {
    variant_type: VariantType,
    payload: &'p P,
}

impl<P: Serialize + ?Sized> Serialize for Tagged<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&Tag(self.variant_type), self.payload)?;
        map.end()
    }
}

/// The tag of a type.
struct Tag(VariantType);

impl Serialize for Tag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&notation::tag(self.0, DIALECT))
    }
}

/// A payload under its name.
struct Named<'p, P: ?Sized> {
    variant_type: VariantType,
    payload: &'p P,
}

impl<P: Serialize + ?Sized> Serialize for Named<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        named(serializer, self.variant_type, self.payload)
    }
}

/// Returns a capacity for `hint` elements that is at most 64 KiB, because a format may claim any number.
pub(in crate::serde) fn bounded<T>(hint: Option<usize>) -> usize {
    hint.unwrap_or(0).min((64 << 10) / size_of::<T>().max(1))
}

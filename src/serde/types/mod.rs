//! `Serialize` and `Deserialize` of the crate's own values.
//!
//! To serde a value that it has no word for is a newtype struct with a name that starts with
//! [`PREFIX`]. Our own serializer and deserializer know the names; to other formats a newtype struct
//! is what is in it. Where a value must be told from others without being asked for, which is in a
//! [`Variant`](crate::variant::Variant) and in what serde buffers, it is a map of one pair whose key
//! is its *tag*, `$Vector2`.

#![deny(clippy::wildcard_enum_match_arm)]

mod exotic;
mod math;
pub(super) mod number;
mod string;
pub(super) mod value;

pub(super) use exotic::{from_payload, object_payload, parts_payload, path_payload};
pub(super) use number::{Number, Target};

use ::serde::ser::{Serialize, SerializeMap, Serializer};

use crate::variant::VariantType;

/// What the names of all newtype structs of this crate start with.
pub(super) const PREFIX: &str = "formwork::";

/// The name under which any value is asked for.
pub(super) const ANY: &str = "formwork::Variant";

/// The same, where its numbers may have 64 bits.
pub(super) const ANY_DOUBLE: &str = "formwork::Variant<f64>";

/// The name of the wrapper around a tag, which only other formats see.
pub(super) const TAGGED: &str = "formwork::Tagged";

/// The key that stands for a type.
pub(super) fn tag(variant_type: VariantType) -> &'static str {
    &variant_type.serde_name()[PREFIX.len()..]
}

/// The type that a key stands for.
pub(super) fn tagged_type(key: &str) -> Option<VariantType> {
    let name = key.strip_prefix('$')?;
    VariantType::ALL.iter().copied().find(|variant_type| variant_type.name() == name)
}

/// The type that a newtype struct of this name is.
pub(super) fn named_type(name: &str) -> Option<VariantType> {
    tagged_type(name.strip_prefix(PREFIX)?)
}

/// Serializes what a value of a type consists of, under the type's name.
pub(super) fn named<S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    payload: &(impl Serialize + ?Sized),
) -> Result<S::Ok, S::Error> {
    serializer.serialize_newtype_struct(variant_type.serde_name(), payload)
}

/// The same, behind a tag.
pub(super) fn tagged<S: Serializer>(
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
        map.serialize_key(tag(self.variant_type))?;
        map.serialize_value(&Named { variant_type: self.variant_type, payload: self.payload })?;
        map.end()
    }
}

/// A payload under its name.
pub(super) struct Named<'p, P: ?Sized> {
    pub(super) variant_type: VariantType,
    pub(super) payload: &'p P,
}

impl<P: Serialize + ?Sized> Serialize for Named<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        named(serializer, self.variant_type, self.payload)
    }
}

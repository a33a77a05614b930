//! The rarer types: signals, images, input events, and what stands for a RID or a Callable.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use ::serde::ser::{Serialize, Serializer};

use super::{named, tag};
use crate::error::{Error, Result};
use crate::serde::{from_variant, to_variant_in};
use crate::variant::{
    Image, InputEvent, InputEventKind, Modifiers, NodePath, Object, OwnType, Real, Signal, Variant,
    VariantString, VariantType,
};

#[derive(::serde::Serialize, ::serde::Deserialize)]
#[serde(remote = "Signal")]
struct SignalParts {
    name: VariantString,
    #[serde(with = "id")]
    object_id: u64,
}

#[derive(::serde::Serialize, ::serde::Deserialize)]
#[serde(remote = "Image")]
struct ImageParts {
    format: u32,
    mipmaps: u32,
    width: u32,
    height: u32,
    #[serde(with = "crate::serde::packed")]
    data: Vec<u8>,
}

#[derive(::serde::Serialize, ::serde::Deserialize)]
#[serde(remote = "InputEvent")]
struct EventParts {
    device: u32,
    #[serde(with = "KindParts")]
    kind: InputEventKind,
}

#[derive(::serde::Serialize, ::serde::Deserialize)]
#[serde(remote = "InputEventKind")]
enum KindParts {
    None,
    Key {
        modifiers: Modifiers,
        scancode: u32,
    },
    MouseMotion,
    MouseButton {
        button: u32,
    },
    JoystickMotion {
        axis: u32,
        #[serde(with = "position")]
        value: Option<f32>,
    },
    JoystickButton {
        button: u32,
    },
    ScreenTouch {
        index: u32,
    },
    ScreenDrag,
    Action,
    Other {
        number: u32,
    },
}

/// The number of an object, as engines print it: with a sign.
mod id {
    use ::serde::{Deserialize, Deserializer, Serializer};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
    pub(super) fn serialize<S: Serializer>(id: &u64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_i64(id.cast_signed())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
        i64::deserialize(deserializer).map(i64::cast_unsigned)
    }
}

/// The position of an axis, if it has one: as a packed array, in which a NaN keeps its bits.
mod position {
    use ::serde::{Deserializer, Serializer};

    use crate::serde::packed;

    #[allow(clippy::ref_option, reason = "serde asks for it so")]
    pub(super) fn serialize<S: Serializer>(
        value: &Option<f32>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        packed::serialize(value.as_slice(), serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f32>, D::Error> {
        packed::deserialize(deserializer).map(|value: Vec<f32>| value.first().copied())
    }
}

/// How a type is taken apart for serde.
pub(in crate::serde) trait Parts: for<'de> Deserialize<'de> {
    const TYPE: VariantType;

    fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// A value as its payload.
struct Payload<'v, T>(&'v T);

impl<T: Parts> Serialize for Payload<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

struct PartsVisitor<T>(PhantomData<T>);

impl<'de, T: Parts> Visitor<'de> for PartsVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value of type {}", T::TYPE.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<T, A::Error> {
        T::read(::serde::de::value::SeqAccessDeserializer::new(elements))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<T, A::Error> {
        let Some(key) = pairs.next_key::<String>()? else {
            return Err(A::Error::invalid_length(0, &self));
        };
        if key == tag(T::TYPE) {
            return pairs.next_value();
        }
        let pairs = super::string::Untagged { pairs, key: Some(key) };
        T::read(::serde::de::value::MapAccessDeserializer::new(pairs))
    }
}

macro_rules! parts {
    ($( $name:ident $parts:ident; )+) => { $(
        impl Parts for $name {
            const TYPE: VariantType = VariantType::$name;

            fn write<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $parts::serialize(self, serializer)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $parts::deserialize(deserializer)
            }
        }

        /// As itself in packets, as a struct in other formats.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                named(serializer, VariantType::$name, &Payload(self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = VariantType::$name.serde_name();
                deserializer.deserialize_newtype_struct(name, PartsVisitor(PhantomData))
            }
        }
    )+ };
}
parts! {
    Signal SignalParts;
    Image ImageParts;
    InputEvent EventParts;
}

// What a value of a rare type consists of, in values that serde has words for. (The precision does not
// matter: none of them holds a real number of the engine.)

/// What a path consists of.
pub(in crate::serde) fn path_payload(path: &NodePath) -> Result<Variant<f32>> {
    to_variant_in(&super::string::PathPayload(path))
}

/// What an object consists of that is not in full.
pub(in crate::serde) fn object_payload<R: Real>(object: &Object<R>) -> Result<Variant<f32>> {
    match object {
        Object::Null => Ok(Variant::Nil),
        Object::Id(id) => Ok(Variant::Int(id.cast_signed())),
        Object::Full(_) => {
            let found = ::serde::de::Unexpected::Other("an object in full form");
            Err(Error::invalid_type(found, &"null or an id"))
        }
    }
}

/// What a signal, an image or an input event consists of.
pub(in crate::serde) fn parts_payload(value: &impl Parts) -> Result<Variant<f32>> {
    to_variant_in(&Payload(value))
}

/// The value of a rare type that consists of this.
pub(in crate::serde) fn from_payload(
    variant_type: VariantType,
    payload: &Variant<f32>,
) -> Result<Variant<f32>> {
    Ok(match variant_type.own_type() {
        Some(OwnType::NodePath) => from_variant::<NodePath, _>(payload)?.into(),
        Some(OwnType::Rid) => Variant::Rid(from_variant::<i64, _>(payload)?.cast_unsigned()),
        Some(OwnType::Callable) => from_variant(payload).map(|()| Variant::Callable)?,
        Some(OwnType::Signal) => from_variant::<Signal, _>(payload)?.into(),
        Some(OwnType::Image) => from_variant::<Image, _>(payload)?.into(),
        Some(OwnType::InputEvent) => from_variant::<InputEvent, _>(payload)?.into(),
        Some(OwnType::Object) => match from_variant::<Option<i64>, _>(payload)? {
            None => Variant::Object(Object::Null),
            Some(id) => Variant::Object(Object::Id(id.cast_unsigned())),
        },
        None
        | Some(
            OwnType::Nil
            | OwnType::Bool
            | OwnType::Int
            | OwnType::Float
            | OwnType::String
            | OwnType::StringName
            | OwnType::Dictionary
            | OwnType::Array
            | OwnType::TypedArray
            | OwnType::PackedTypedArray
            | OwnType::PackedByteArray
            | OwnType::PackedStringArray,
        ) => {
            let found = ::serde::de::Unexpected::Other(variant_type.name());
            return Err(Error::invalid_type(found, &"a type made of other values"));
        }
    })
}

//! `#[serde(with = "formwork_variant::serde::packed")]`: a `Vec` as one packed array.
//!
//! | field | Godot 4 | Godot 3 |
//! |---|---|---|
//! | `Vec<u8>` | PackedByteArray | PoolByteArray |
//! | `Vec<i32>` | PackedInt32Array | PoolIntArray |
//! | `Vec<i64>` | PackedInt64Array | - |
//! | `Vec<f32>` | PackedFloat32Array | PoolRealArray |
//! | `Vec<f64>` | PackedFloat64Array | - |
//! | `Vec<String>`, `Vec<VariantString>` | PackedStringArray | PoolStringArray |
//! | `Vec<Vector2>`, `Vec<Vector3>`, `Vec<Color>` | PackedVector2Array, ... | PoolVector2Array, ... |
//! | `Vec<Vector4>` | PackedVector4Array (4.3 on) | - |
//! | `Vec<Vector2i>`, `Vec<Vector3i>`, `Vec<Vector4i>` | - (Pandemonium) | - |
//!
//! Reading takes any array, packed or not. In other formats the field is a list.
//!
//! ```
//! use formwork_variant::Dialect;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Deserialize, Serialize)]
//! struct Map {
//!     #[serde(with = "formwork_variant::serde::packed")]
//!     heights: Vec<f32>,
//! }
//!
//! let map = Map { heights: vec![0.5, 1.5] };
//! let value: formwork_variant::Variant = formwork_variant::serde::to_variant(&map)?;
//! assert_eq!(value.display(Dialect::GODOT4).to_string(), "{\n\"heights\": PackedFloat32Array(0.5, 1.5)\n}");
//! # Ok::<(), formwork::Error>(())
//! ```

#![deny(clippy::wildcard_enum_match_arm)]

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use ::serde::ser::Serializer;
use formwork_records::wire;

use super::types::{Each, Number, bounded, named, raw};
use crate::{Real, VariantString, VariantType, for_each_type};

mod sealed {
    use super::{Deserializer, Serializer, VariantType};

    /// An element type for which an engine has a packed array.
    pub trait Packable: Sized {
        /// The packed array's type.
        const ARRAY: VariantType;

        fn write<S: Serializer>(elements: &[Self], serializer: S) -> Result<S::Ok, S::Error>;

        fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error>;
    }
}
pub(super) use sealed::Packable;

/// Serializes the elements as a packed array.
///
/// # Errors
///
/// Returns an error if the serializer fails.
pub fn serialize<T: Packable, S: Serializer>(
    elements: impl AsRef<[T]>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    T::write(elements.as_ref(), serializer)
}

/// Deserializes the elements of any array.
///
/// # Errors
///
/// Returns an error if there is no array, or its elements are of another type.
pub fn deserialize<'de, T: Packable, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    T::read(deserializer)
}

/// Reads a list, with a capacity that a false count cannot enlarge.
struct List<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Vec<T>, A::Error> {
        let mut list = Vec::with_capacity(bounded::<T>(elements.size_hint()));
        while let Some(element) = elements.next_element()? {
            list.push(element);
        }
        Ok(list)
    }
}

macro_rules! numbers {
    ($( $number:ident $array:ident; )+) => { $(
        impl Packable for $number {
            const ARRAY: VariantType = VariantType::$array;

            fn write<S: Serializer>(elements: &[Self], serializer: S) -> Result<S::Ok, S::Error> {
                raw(serializer, Self::ARRAY, elements, Each(elements))
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
                let list = deserializer.deserialize_seq(List::<Number<Self>>(PhantomData))?;
                // Reuses the allocation: `Number` has no other field than its number.
                Ok(list.into_iter().map(|number| number.0).collect())
            }
        }
    )+ };
}
macro_rules! values {
    (@texts $elements:ident $serializer:ident) => { named($serializer, Self::ARRAY, $elements) };
    (@vectors $elements:ident $serializer:ident) => {
        match <Self as wire::Components>::as_numbers($elements) {
            Some(numbers) => raw($serializer, Self::ARRAY, numbers, $elements),
            None => {
                let numbers: Vec<_> = $elements.iter().flat_map(|it| it.to_array()).collect();
                raw($serializer, Self::ARRAY, &numbers, $elements)
            }
        }
    };
    ($( $kind:ident [$($real:ident)?] $element:ty, $array:ident; )+) => { $(
        impl<$($real: Real)?> Packable for $element {
            const ARRAY: VariantType = VariantType::$array;

            fn write<S: Serializer>(elements: &[Self], serializer: S) -> Result<S::Ok, S::Error> {
                values!(@$kind elements serializer)
            }

            fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
                deserializer.deserialize_seq(List(PhantomData))
            }
        }
    )+ };
}
values! {
    texts [] String, PackedStringArray;
    texts [] VariantString, PackedStringArray;
}

/// The arrays of numbers and of math types.
macro_rules! arrays {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => { $( arrays!(@$kind $name $($element)?); )+ };
    (@own $name:ident) => {};
    (@real_math $name:ident $math:ident) => {};
    (@math $name:ident $math:ident) => {};
    (@packed_real_math $name:ident $math:ident) => { values! { vectors [R] crate::$math<R>, $name; } };
    (@packed_math $name:ident $math:ident) => { values! { vectors [] crate::$math, $name; } };
    (@packed_numbers $name:ident $number:ident) => { numbers! { $number $name; } };
}
for_each_type!(arrays);

impl Packable for u8 {
    const ARRAY: VariantType = VariantType::PackedByteArray;

    fn write<S: Serializer>(elements: &[Self], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(elements)
    }

    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Self>, D::Error> {
        deserializer.deserialize_byte_buf(Bytes)
    }
}

struct Bytes;

impl<'de> Visitor<'de> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
        Ok(bytes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, elements: A) -> Result<Vec<u8>, A::Error> {
        List(PhantomData).visit_seq(elements)
    }
}

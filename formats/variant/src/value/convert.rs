//! `From` and `TryFrom` between values and Rust types.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::{
    Array, Dictionary, Image, InputEvent, NodePath, Object, Real, Signal, Variant, VariantString,
    VariantType, for_each_type,
};

/// The error of a value that is not of the requested type (or does not fit it).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WrongType {
    /// The expected type.
    pub expected: &'static str,
    /// The type of the value.
    pub found: VariantType,
}

impl fmt::Display for WrongType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found.name())
    }
}

impl std::error::Error for WrongType {}

/// A payload that may be boxed.
trait Unboxed<T> {
    fn unboxed(self) -> T;
}

impl<T> Unboxed<T> for T {
    fn unboxed(self) -> T {
        self
    }
}

impl<T> Unboxed<T> for Box<T> {
    fn unboxed(self) -> T {
        *self
    }
}

macro_rules! both_ways {
    ($( $variant:ident($rust:ty); )+) => { $(
        impl<R: Real> From<$rust> for Variant<R> {
            fn from(value: $rust) -> Self {
                Self::$variant(value.into())
            }
        }

        impl<R: Real> TryFrom<Variant<R>> for $rust {
            type Error = WrongType;

            fn try_from(value: Variant<R>) -> Result<Self, WrongType> {
                let wrong = WrongType { expected: stringify!($variant), found: value.variant_type() };
                if let Variant::$variant(held) = value { Ok(held.unboxed()) } else { Err(wrong) }
            }
        }
    )+ };
}

both_ways! {
    Bool(bool);
    Int(i64);
    Float(f64);
    String(VariantString);
    NodePath(NodePath);
    Object(Object<R>);
    Signal(Signal);
    Dictionary(Dictionary<R>);
    Array(Array<R>);
    PackedByteArray(Vec<u8>);
    PackedStringArray(Vec<VariantString>);
    Image(Image);
    InputEvent(InputEvent);
}

/// Implements the conversions of the types that consist of numbers only, each of which is one Rust type.
macro_rules! numbers_both_ways {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => { $( numbers_both_ways!(@$kind $name $($element)?); )+ };
    (@own $name:ident) => {};
    (@real_math $name:ident $math:ident) => { both_ways! { $name(super::$math<R>); } };
    (@math $name:ident $math:ident) => { both_ways! { $name(super::$math); } };
    (@packed_real_math $name:ident $math:ident) => { both_ways! { $name(Vec<super::$math<R>>); } };
    (@packed_math $name:ident $math:ident) => { both_ways! { $name(Vec<super::$math>); } };
    (@packed_numbers $name:ident $number:ident) => { both_ways! { $name(Vec<$number>); } };
}
for_each_type!(numbers_both_ways);

impl<R: Real> From<()> for Variant<R> {
    fn from((): ()) -> Self {
        Self::Nil
    }
}

macro_rules! integers {
    ($($integer:ident)+) => { $(
        impl<R: Real> From<$integer> for Variant<R> {
            fn from(value: $integer) -> Self {
                Self::Int(value.into())
            }
        }
    )+ };
}
integers! { i8 i16 i32 u8 u16 u32 }

macro_rules! narrower_integers {
    ($($integer:ident)+) => { $(
        impl<R: Real> TryFrom<Variant<R>> for $integer {
            type Error = WrongType;

            fn try_from(value: Variant<R>) -> Result<Self, WrongType> {
                let wrong = WrongType { expected: stringify!($integer), found: value.variant_type() };
                value.as_int().and_then(|int| Self::try_from(int).ok()).ok_or(wrong)
            }
        }
    )+ };
}
narrower_integers! { i8 i16 i32 u8 u16 u32 u64 usize }

impl<R: Real> From<f32> for Variant<R> {
    fn from(value: f32) -> Self {
        Self::Float(value.into())
    }
}

impl<R: Real> From<&str> for Variant<R> {
    fn from(value: &str) -> Self {
        Self::String(value.into())
    }
}

impl<R: Real> From<String> for Variant<R> {
    fn from(value: String) -> Self {
        Self::String(value.into())
    }
}

impl<R: Real> From<&String> for Variant<R> {
    fn from(value: &String) -> Self {
        Self::String(value.as_str().into())
    }
}

impl<R: Real> From<Cow<'_, str>> for Variant<R> {
    fn from(value: Cow<'_, str>) -> Self {
        Self::String(value.into_owned().into())
    }
}

/// Compares a value with one of Rust: of the same kind, and equal. A whole number equals no float, and a
/// text may be a String or a StringName.
macro_rules! equal {
    ($( $rust:ty, $as:ident; )+) => { $(
        impl<R: Real> PartialEq<$rust> for Variant<R> {
            fn eq(&self, other: &$rust) -> bool {
                self.$as() == Some((*other).into())
            }
        }
    )+ };
}
equal! {
    bool, as_bool;
    i32, as_int;
    i64, as_int;
    u32, as_int;
    f32, only_float;
    f64, only_float;
    &str, as_str;
}

impl<R: Real> Variant<R> {
    /// Returns the float, if the value is one; a whole number is not.
    const fn only_float(&self) -> Option<f64> {
        if let Self::Float(value) = self { Some(*value) } else { None }
    }
}

impl<R: Real> PartialEq<str> for Variant<R> {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == Some(other)
    }
}

impl<R: Real> PartialEq<String> for Variant<R> {
    fn eq(&self, other: &String) -> bool {
        self.as_str() == Some(other)
    }
}

/// Also converts a StringName. Fails if the string is not UTF-8.
impl<R: Real> TryFrom<Variant<R>> for String {
    type Error = WrongType;

    fn try_from(value: Variant<R>) -> Result<Self, WrongType> {
        let wrong = WrongType { expected: "String in UTF-8", found: value.variant_type() };
        if let Variant::String(text) | Variant::StringName(text) = value {
            text.into_string().map_err(|_| wrong)
        } else {
            Err(wrong)
        }
    }
}

/// `None` becomes Nil.
impl<R: Real, T: Into<Self>> From<Option<T>> for Variant<R> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nil, Into::into)
    }
}

impl<R: Real> From<Vec<Variant<R>>> for Variant<R> {
    fn from(values: Vec<Self>) -> Self {
        Self::Array(values.into())
    }
}

impl<R: Real> FromIterator<Variant<R>> for Variant<R> {
    fn from_iter<I: IntoIterator<Item = Self>>(values: I) -> Self {
        Self::Array(values.into_iter().collect())
    }
}

impl<R: Real, K: Into<Self>, V: Into<Self>> FromIterator<(K, V)> for Variant<R> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self::Dictionary(pairs.into_iter().map(|(key, value)| (key.into(), value.into())).collect())
    }
}

impl<R: Real, K: Into<Self>, V: Into<Self>> From<BTreeMap<K, V>> for Variant<R> {
    fn from(map: BTreeMap<K, V>) -> Self {
        map.into_iter().collect()
    }
}

impl<R: Real, K: Into<Self>, V: Into<Self>, S> From<HashMap<K, V, S>> for Variant<R> {
    fn from(map: HashMap<K, V, S>) -> Self {
        map.into_iter().collect()
    }
}

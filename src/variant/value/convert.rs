//! `From` and `TryFrom` between values and Rust types.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::{
    Aabb, Array, Basis, Color, Dictionary, Image, InputEvent, NodePath, Object, Plane, Projection,
    Quaternion, Real, Rect2, Rect2i, Signal, Transform2D, Transform3D, Variant, VariantString,
    VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

/// A value is not of the type that was asked for (or does not fit it).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WrongType {
    /// What was asked for.
    pub expected: &'static str,
    /// What the value is.
    pub found: VariantType,
}

impl fmt::Display for WrongType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {}", self.expected, self.found.name())
    }
}

impl std::error::Error for WrongType {}

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
                match value {
                    Variant::$variant(value) => Ok(both_ways!(@unbox $variant value)),
                    other => Err(WrongType {
                        expected: stringify!($variant),
                        found: other.variant_type(),
                    }),
                }
            }
        }
    )+ };
    (@unbox Basis $value:ident) => { *$value };
    (@unbox Transform3D $value:ident) => { *$value };
    (@unbox Projection $value:ident) => { *$value };
    (@unbox NodePath $value:ident) => { *$value };
    (@unbox Signal $value:ident) => { *$value };
    (@unbox Image $value:ident) => { *$value };
    (@unbox $variant:ident $value:ident) => { $value };
}

both_ways! {
    Bool(bool);
    Int(i64);
    Float(f64);
    String(VariantString);
    Vector2(Vector2<R>);
    Vector2i(Vector2i);
    Rect2(Rect2<R>);
    Rect2i(Rect2i);
    Vector3(Vector3<R>);
    Vector3i(Vector3i);
    Transform2D(Transform2D<R>);
    Vector4(Vector4<R>);
    Vector4i(Vector4i);
    Plane(Plane<R>);
    Quaternion(Quaternion<R>);
    Aabb(Aabb<R>);
    Basis(Basis<R>);
    Transform3D(Transform3D<R>);
    Projection(Projection<R>);
    Color(Color);
    NodePath(NodePath);
    Object(Object<R>);
    Signal(Signal);
    Dictionary(Dictionary<R>);
    Array(Array<R>);
    PackedByteArray(Vec<u8>);
    PackedInt32Array(Vec<i32>);
    PackedInt64Array(Vec<i64>);
    PackedFloat32Array(Vec<f32>);
    PackedFloat64Array(Vec<f64>);
    PackedStringArray(Vec<VariantString>);
    PackedVector2Array(Vec<Vector2<R>>);
    PackedVector2iArray(Vec<Vector2i>);
    PackedVector3Array(Vec<Vector3<R>>);
    PackedVector3iArray(Vec<Vector3i>);
    PackedVector4Array(Vec<Vector4<R>>);
    PackedVector4iArray(Vec<Vector4i>);
    PackedColorArray(Vec<Color>);
    Image(Image);
    InputEvent(InputEvent);
}

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

/// Also from a StringName. Fails where the string is not UTF-8.
impl<R: Real> TryFrom<Variant<R>> for String {
    type Error = WrongType;

    fn try_from(value: Variant<R>) -> Result<Self, WrongType> {
        let wrong = WrongType { expected: "String in UTF-8", found: value.variant_type() };
        match value {
            Variant::String(text) | Variant::StringName(text) => {
                text.into_string().map_err(|_| wrong)
            }
            _ => Err(wrong),
        }
    }
}

/// Nil for nothing.
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

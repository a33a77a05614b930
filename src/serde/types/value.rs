//! Any value, and the containers.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use ::serde::ser::{Serialize, Serializer};

use super::string::Text;
use super::{ANY, ANY_DOUBLE, Named, Number, PREFIX, tag, tagged, tagged_type};
use crate::serde::packed::{PackedSlice, PackedVec};
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, NodePath, Object, Real, Signal, TypedArray,
    Variant, VariantString, VariantType,
};

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
fn is_false(value: &bool) -> bool {
    !value
}

/// An array and what it has besides its elements. (The elements come last, so that they can be
/// written as they come.)
#[derive(::serde::Serialize)]
#[serde(bound = "")]
struct ArrayRef<'v, R: Real> {
    #[serde(skip_serializing_if = "Option::is_none")]
    element: Option<&'v ElementType>,
    #[serde(skip_serializing_if = "is_false")]
    shared: bool,
    elements: &'v [Variant<R>],
}

#[derive(::serde::Serialize)]
#[serde(bound = "")]
struct DictionaryRef<'v, R: Real> {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<&'v ElementType>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'v ElementType>,
    #[serde(skip_serializing_if = "is_false")]
    shared: bool,
    pairs: &'v [(Variant<R>, Variant<R>)],
}

#[derive(::serde::Serialize)]
#[serde(bound = "")]
struct ObjectRef<'v, R: Real> {
    class: &'v VariantString,
    properties: &'v [(VariantString, Variant<R>)],
}

#[derive(::serde::Deserialize)]
#[serde(bound = "")]
struct ArrayParts<R: Real> {
    #[serde(default)]
    element: Option<ElementType>,
    #[serde(default)]
    shared: bool,
    elements: Vec<Variant<R>>,
}

#[derive(::serde::Deserialize)]
#[serde(bound = "")]
struct DictionaryParts<R: Real> {
    #[serde(default)]
    key: Option<ElementType>,
    #[serde(default)]
    value: Option<ElementType>,
    #[serde(default)]
    shared: bool,
    pairs: Vec<(Variant<R>, Variant<R>)>,
}

#[derive(::serde::Deserialize)]
#[serde(bound = "")]
struct ObjectParts<R: Real> {
    class: VariantString,
    properties: Vec<(VariantString, Variant<R>)>,
}

/// Takes what an object consists of. (serde's untagged enums buffer, and a buffer does not know a
/// packed array from an array.)
struct ObjectVisitor<R>(PhantomData<R>);

impl<'de, R: Real> Visitor<'de> for ObjectVisitor<R> {
    type Value = Object<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, an id, or class and properties of an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Object::Null)
    }

    fn visit_i64<E: Error>(self, id: i64) -> Result<Self::Value, E> {
        Ok(Object::Id(id.cast_unsigned()))
    }

    fn visit_u64<E: Error>(self, id: u64) -> Result<Self::Value, E> {
        Ok(Object::Id(id))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let parts = ::serde::de::value::MapAccessDeserializer::new(map);
        let ObjectParts { class, properties } = ObjectParts::deserialize(parts)?;
        Ok(Object::Full(Box::new(FullObject { class, properties })))
    }
}

/// An object, behind its tag.
struct ObjectPayload<R: Real>(Object<R>);

impl<'de, R: Real> Deserialize<'de> for ObjectPayload<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ObjectVisitor(PhantomData)).map(Self)
    }
}

impl<R: Real> ArrayParts<R> {
    fn array(self) -> Array<R> {
        let mut array = Array::from(self.elements);
        array.set_shared(self.shared);
        array.set_element_type(self.element);
        array
    }
}

impl<R: Real> DictionaryParts<R> {
    fn dictionary(self) -> Dictionary<R> {
        let mut dictionary = Dictionary::from(self.pairs);
        dictionary.set_shared(self.shared);
        dictionary.set_types(self.key, self.value);
        dictionary
    }
}

fn array_parts<R: Real>(array: &Array<R>) -> ArrayRef<'_, R> {
    ArrayRef { element: array.element_type(), shared: array.is_shared(), elements: array }
}

/// As a list; with a type or mark behind `$Array`.
impl<R: Real> Serialize for Array<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.element_type().is_none() && !self.is_shared() {
            return serializer.collect_seq(self);
        }
        tagged(serializer, VariantType::Array, &array_parts(self))
    }
}

/// As a map where all keys are Strings and the first is no tag, and where there is neither a type
/// nor a mark; else behind `$Dictionary`, as a list of pairs.
impl<R: Real> Serialize for Dictionary<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, value, shared) = (self.key_type(), self.value_type(), self.is_shared());
        let plain = |key: &Variant<R>| match key {
            Variant::String(text) => text.as_str().is_some(),
            _ => false,
        };
        let tag_like = |key: &Variant<R>| key.as_str().and_then(tagged_type).is_some();
        let is_map = key.or(value).is_none()
            && !shared
            && self.iter().all(|(key, _)| plain(key))
            && !self.first().is_some_and(|(key, _)| tag_like(key));
        if is_map {
            return serializer.collect_map(self.iter().map(|(key, value)| (key, value)));
        }
        let pairs: &[_] = self;
        tagged(serializer, VariantType::Dictionary, &DictionaryRef { key, value, shared, pairs })
    }
}

/// As itself in packets; elsewhere behind `$Object`.
impl<R: Real> Serialize for Object<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => tagged(serializer, VariantType::Object, &()),
            Self::Id(id) => tagged(serializer, VariantType::Object, &id.cast_signed()),
            Self::Full(object) => object.serialize(serializer),
        }
    }
}

impl<R: Real> Serialize for FullObject<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = ObjectRef { class: &self.class, properties: &self.properties };
        tagged(serializer, VariantType::Object, &parts)
    }
}

/// As itself in packets. In other formats null, bools, numbers, strings, arrays and dictionaries are
/// what these call so, bytes are bytes, and every other type stands behind its tag:
/// `{"$Vector2": [1.0, 2.0]}`.
impl<R: Real> Serialize for Variant<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let variant_type = self.variant_type();
        /// What has its name already.
        macro_rules! named {
            ($value:expr) => {
                serializer.serialize_newtype_struct(super::TAGGED, &OneEntry(variant_type, $value))
            };
        }
        let typed = |typed: &TypedArray<R>, serializer: S| {
            let parts = ArrayRef {
                element: Some(&typed.element),
                shared: typed.elements.is_shared(),
                elements: &typed.elements,
            };
            tagged(serializer, variant_type, &parts)
        };
        match self {
            Self::Nil => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Float(value) if value.is_finite() => serializer.serialize_f64(*value),
            // JSON and its like cannot say it as a number.
            Self::Float(value) => tagged(serializer, variant_type, &Number(*value)),
            Self::String(text) => text.serialize(serializer),
            Self::StringName(text) => tagged(serializer, variant_type, &Text(text)),
            Self::Vector2(value) => named!(value),
            Self::Vector2i(value) => named!(value),
            Self::Rect2(value) => named!(value),
            Self::Rect2i(value) => named!(value),
            Self::Vector3(value) => named!(value),
            Self::Vector3i(value) => named!(value),
            Self::Transform2D(value) => named!(value),
            Self::Vector4(value) => named!(value),
            Self::Vector4i(value) => named!(value),
            Self::Plane(value) => named!(value),
            Self::Quaternion(value) => named!(value),
            Self::Aabb(value) => named!(value),
            Self::Basis(value) => named!(&**value),
            Self::Transform3D(value) => named!(&**value),
            Self::Projection(value) => named!(&**value),
            Self::Color(value) => named!(value),
            Self::NodePath(path) => named!(&**path),
            Self::Rid(rid) => tagged(serializer, variant_type, &rid.cast_signed()),
            Self::Object(object) => object.serialize(serializer),
            Self::Callable => tagged(serializer, variant_type, &()),
            Self::Signal(signal) => named!(&**signal),
            Self::Dictionary(dictionary) => dictionary.serialize(serializer),
            Self::Array(array) => array.serialize(serializer),
            Self::TypedArray(array) | Self::PackedTypedArray(array) => typed(array, serializer),
            Self::PackedByteArray(bytes) => {
                if serializer.is_human_readable() {
                    named!(&PackedSlice(bytes.as_slice()))
                } else {
                    serializer.serialize_bytes(bytes)
                }
            }
            Self::PackedInt32Array(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedInt64Array(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedFloat32Array(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedFloat64Array(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedStringArray(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedVector2Array(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedVector2iArray(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedVector3Array(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedVector3iArray(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedVector4Array(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedVector4iArray(values) => named!(&PackedSlice(values.as_slice())),
            Self::PackedColorArray(values) => named!(&PackedSlice(values.as_slice())),
            Self::Image(image) => named!(&**image),
            Self::InputEvent(event) => named!(event),
        }
    }
}

/// A map of one pair: a tag and what has its name already.
struct OneEntry<'p, P>(VariantType, &'p P);

impl<P: Serialize> Serialize for OneEntry<'_, P> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([(tag(self.0), self.1)])
    }
}

impl<R: Real> Serialize for TypedArray<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = ArrayRef {
            element: Some(&self.element),
            shared: self.elements.is_shared(),
            elements: &self.elements,
        };
        Named { variant_type: VariantType::TypedArray, payload: &parts }.serialize(serializer)
    }
}

struct AnyVisitor<R>(PhantomData<R>);

impl<'de, R: Real> Visitor<'de> for AnyVisitor<R> {
    type Value = Variant<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Variant::Nil)
    }

    fn visit_none<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Variant::Nil)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        Variant::deserialize(deserializer)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Self::Value, E> {
        Ok(Variant::Bool(value))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        Ok(Variant::Int(number))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let fits = i64::try_from(number);
        fits.map(Variant::Int)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &"an int of 64 bits"))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Self::Value, E> {
        Ok(Variant::Float(number))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.into())
    }

    fn visit_string<E: Error>(self, text: String) -> Result<Self::Value, E> {
        Ok(text.into())
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(bytes.to_vec().into())
    }

    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Self::Value, E> {
        Ok(bytes.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::with_capacity(bounded::<Variant<R>>(elements.size_hint()));
        while let Some(value) = elements.next_element()? {
            values.push(value);
        }
        Ok(Variant::Array(values.into()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::with_capacity(bounded::<(Self::Value, Self::Value)>(map.size_hint()));
        while let Some(key) = map.next_key::<Variant<R>>()? {
            if pairs.is_empty()
                && let Some(text) = key.as_str()
                && let Some(variant_type) = tagged_type(text)
            {
                let value = behind_tag(variant_type, &mut map)?;
                return match map.next_key::<Variant<R>>()? {
                    None => Ok(value),
                    Some(_) => Err(A::Error::custom(format_args!("more pairs behind `{text}`"))),
                };
            }
            pairs.push((key, map.next_value()?));
        }
        Ok(Variant::Dictionary(pairs.into()))
    }
}

/// Reads what stands behind a tag.
fn behind_tag<'de, R: Real, A: MapAccess<'de>>(
    variant_type: VariantType,
    map: &mut A,
) -> Result<Variant<R>, A::Error> {
    macro_rules! of {
        ({ $( $same:ident($payload:ty); )+ } $( $name:ident => $made:expr; )+) => {
            match variant_type {
                $( VariantType::$same => map.next_value::<$payload>()?.into(), )+
                $( VariantType::$name => $made, )+
            }
        };
    }
    let typed = |parts: ArrayParts<R>| {
        let mut elements = Array::from(parts.elements);
        elements.set_shared(parts.shared);
        let element = parts.element.unwrap_or(ElementType::Builtin(VariantType::Nil));
        Box::new(TypedArray { element, elements })
    };
    Ok(of! {
        {
        Nil(());
        Bool(bool);
        Int(i64);
        String(VariantString);
        Vector2(crate::variant::Vector2<R>);
        Vector2i(crate::variant::Vector2i);
        Rect2(crate::variant::Rect2<R>);
        Rect2i(crate::variant::Rect2i);
        Vector3(crate::variant::Vector3<R>);
        Vector3i(crate::variant::Vector3i);
        Transform2D(crate::variant::Transform2D<R>);
        Vector4(crate::variant::Vector4<R>);
        Vector4i(crate::variant::Vector4i);
        Plane(crate::variant::Plane<R>);
        Quaternion(crate::variant::Quaternion<R>);
        Aabb(crate::variant::Aabb<R>);
        Basis(crate::variant::Basis<R>);
        Transform3D(crate::variant::Transform3D<R>);
        Projection(crate::variant::Projection<R>);
        Color(crate::variant::Color);
        NodePath(NodePath);
        Signal(Signal);
        Image(crate::variant::Image);
        InputEvent(crate::variant::InputEvent);
        }
        Float => Variant::Float(map.next_value::<Number<f64>>()?.0);
        StringName => Variant::StringName(map.next_value()?);
        Rid => Variant::Rid(map.next_value::<i64>()?.cast_unsigned());
        Callable => map.next_value::<()>().map(|()| Variant::Callable)?;
        Object => Variant::Object(map.next_value::<ObjectPayload<R>>()?.0);
        Dictionary => Variant::Dictionary(map.next_value::<DictionaryParts<R>>()?.dictionary());
        Array => Variant::Array(map.next_value::<ArrayParts<R>>()?.array());
        TypedArray => Variant::TypedArray(typed(map.next_value()?));
        PackedTypedArray => Variant::PackedTypedArray(typed(map.next_value()?));
        PackedByteArray => Variant::PackedByteArray(map.next_value::<PackedVec<_>>()?.0);
        PackedInt32Array => Variant::PackedInt32Array(map.next_value::<PackedVec<_>>()?.0);
        PackedInt64Array => Variant::PackedInt64Array(map.next_value::<PackedVec<_>>()?.0);
        PackedFloat32Array => Variant::PackedFloat32Array(map.next_value::<PackedVec<_>>()?.0);
        PackedFloat64Array => Variant::PackedFloat64Array(map.next_value::<PackedVec<_>>()?.0);
        PackedStringArray => Variant::PackedStringArray(map.next_value::<PackedVec<_>>()?.0);
        PackedVector2Array => Variant::PackedVector2Array(map.next_value::<PackedVec<_>>()?.0);
        PackedVector2iArray => Variant::PackedVector2iArray(map.next_value::<PackedVec<_>>()?.0);
        PackedVector3Array => Variant::PackedVector3Array(map.next_value::<PackedVec<_>>()?.0);
        PackedVector3iArray => Variant::PackedVector3iArray(map.next_value::<PackedVec<_>>()?.0);
        PackedVector4Array => Variant::PackedVector4Array(map.next_value::<PackedVec<_>>()?.0);
        PackedVector4iArray => Variant::PackedVector4iArray(map.next_value::<PackedVec<_>>()?.0);
        PackedColorArray => Variant::PackedColorArray(map.next_value::<PackedVec<_>>()?.0);
    })
}

/// How many elements to make room for, whatever a format claims: at most 64 KiB of them.
pub(in crate::serde) fn bounded<T>(hint: Option<usize>) -> usize {
    hint.unwrap_or(0).min((64 << 10) / size_of::<T>().max(1))
}

/// Any value. In formats that do not say by themselves what comes, this fails.
impl<'de, R: Real> Deserialize<'de> for Variant<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        debug_assert!(ANY.starts_with(PREFIX));
        let name = if R::DOUBLE { ANY_DOUBLE } else { ANY };
        deserializer.deserialize_newtype_struct(name, AnyVisitor(PhantomData))
    }
}

macro_rules! by_variant {
    ($( $(#[doc = $doc:literal])+ $name:ident: $pattern:pat => $value:expr, $expected:literal; )+) => { $(
        $(#[doc = $doc])+
        impl<'de, R: Real> Deserialize<'de> for $name<R> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match Variant::deserialize(deserializer)? {
                    $pattern => Ok($value),
                    other => {
                        let found = other.variant_type();
                        Err(D::Error::invalid_type(Unexpected::Other(found.name()), &$expected))
                    }
                }
            }
        }
    )+ };
}
by_variant! {
    /// An Array.
    Array: Variant::Array(array) => array, "an Array";
    /// A Dictionary.
    Dictionary: Variant::Dictionary(dictionary) => dictionary, "a Dictionary";
    /// An Object.
    Object: Variant::Object(object) => object, "an Object";
    /// An Object in full form.
    FullObject: Variant::Object(Object::Full(object)) => *object, "an Object in full form";
    /// A TypedArray or PackedTypedArray.
    TypedArray: Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => *typed, "a TypedArray";
}

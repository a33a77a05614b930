//! Any value, and the containers.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use ::serde::ser::{Serialize, Serializer};

use super::string::Text;
use super::{ANY, ANY_DOUBLE, Named, Number, PREFIX, tag, tagged, tagged_type};
use crate::serde::packed::{PackedSlice, PackedVec};
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, NodePath, Object, OwnType, Payload, Real, Signal,
    TypedArray, Variant, VariantString, VariantType, for_each_type, pattern,
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
        let plain =
            |key: &Variant<R>| key.variant_type() == VariantType::String && key.as_str().is_some();
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
        match self.payload() {
            Payload::Nil => serializer.serialize_unit(),
            Payload::Bool(value) => serializer.serialize_bool(value),
            Payload::Int(value) => serializer.serialize_i64(value),
            Payload::Float(value) if value.is_finite() => serializer.serialize_f64(value),
            // JSON and its like cannot say it as a number.
            Payload::Float(value) => tagged(serializer, variant_type, &Number(value)),
            Payload::String(text) => text.serialize(serializer),
            Payload::StringName(text) => tagged(serializer, variant_type, &Text(text)),
            Payload::NodePath(path) => named!(path),
            Payload::Rid(rid) => tagged(serializer, variant_type, &rid.cast_signed()),
            Payload::Object(object) => object.serialize(serializer),
            Payload::Callable => tagged(serializer, variant_type, &()),
            Payload::Signal(signal) => named!(signal),
            Payload::Dictionary(dictionary) => dictionary.serialize(serializer),
            Payload::Array(array) => array.serialize(serializer),
            Payload::TypedArray(array) | Payload::PackedTypedArray(array) => {
                typed(array, serializer)
            }
            Payload::PackedByteArray(bytes) if serializer.is_human_readable() => {
                named!(&PackedSlice(bytes))
            }
            Payload::PackedByteArray(bytes) => serializer.serialize_bytes(bytes),
            Payload::PackedStringArray(texts) => named!(&PackedSlice(texts)),
            Payload::Image(image) => named!(image),
            Payload::InputEvent(event) => named!(event),
            Payload::Numbers(_) => serialize_numbers(self, serializer),
        }
    }
}

macro_rules! numbers {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => {
        /// Serializes a value that is nothing but numbers.
        #[allow(unused_variables, reason = "of most types nothing is asked but the name")]
        fn serialize_numbers<R: Real, S: Serializer>(
            value: &Variant<R>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            let variant_type = value.variant_type();
            match value {
                $( pattern!($name held $($payload)?) => {
                    numbers!(@write held serializer variant_type $kind)
                } )+
            }
        }

        /// Reads a value that is nothing but numbers, behind its tag; `Err` of any other type.
        fn numbers_behind_tag<'de, R: Real, A: MapAccess<'de>>(
            variant_type: VariantType,
            map: &mut A,
        ) -> Result<Result<Variant<R>, A::Error>, OwnType> {
            Ok(match variant_type {
                $( VariantType::$name => numbers!(@read map $name $kind $($element)?), )+
            })
        }
    };

    (@write $held:ident $serializer:ident $variant_type:ident own) => {
        Err(::serde::ser::Error::custom("not a type of numbers"))
    };
    (@write $held:ident $serializer:ident $variant_type:ident real_math) => {
        $serializer.serialize_newtype_struct(super::TAGGED, &OneEntry($variant_type, $held))
    };
    (@write $held:ident $serializer:ident $variant_type:ident math) => {
        $serializer.serialize_newtype_struct(super::TAGGED, &OneEntry($variant_type, $held))
    };
    (@write $held:ident $serializer:ident $variant_type:ident $packed:ident) => {
        $serializer.serialize_newtype_struct(
            super::TAGGED,
            &OneEntry($variant_type, &PackedSlice($held.as_slice())),
        )
    };

    (@read $map:ident $name:ident own) => { return Err(OwnType::$name) };
    (@read $map:ident $name:ident real_math $math:ident) => {
        $map.next_value::<crate::variant::$math<R>>().map(Into::into)
    };
    (@read $map:ident $name:ident math $math:ident) => {
        $map.next_value::<crate::variant::$math>().map(Into::into)
    };
    (@read $map:ident $name:ident $packed:ident $element:ident) => {
        $map.next_value::<PackedVec<_>>().map(|elements| Variant::$name(elements.0))
    };
}
for_each_type!(numbers);

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
    let typed = |parts: ArrayParts<R>| {
        let mut elements = Array::from(parts.elements);
        elements.set_shared(parts.shared);
        let element = parts.element.unwrap_or(ElementType::Builtin(VariantType::Nil));
        Box::new(TypedArray { element, elements })
    };
    let own_type = match numbers_behind_tag(variant_type, map) {
        Ok(made) => return made,
        Err(own_type) => own_type,
    };
    Ok(match own_type {
        OwnType::Nil => map.next_value::<()>()?.into(),
        OwnType::Bool => map.next_value::<bool>()?.into(),
        OwnType::Int => map.next_value::<i64>()?.into(),
        OwnType::String => map.next_value::<VariantString>()?.into(),
        OwnType::NodePath => map.next_value::<NodePath>()?.into(),
        OwnType::Signal => map.next_value::<Signal>()?.into(),
        OwnType::Image => map.next_value::<crate::variant::Image>()?.into(),
        OwnType::InputEvent => map.next_value::<crate::variant::InputEvent>()?.into(),
        OwnType::Float => Variant::Float(map.next_value::<Number<f64>>()?.0),
        OwnType::StringName => Variant::StringName(map.next_value()?),
        OwnType::Rid => Variant::Rid(map.next_value::<i64>()?.cast_unsigned()),
        OwnType::Callable => map.next_value::<()>().map(|()| Variant::Callable)?,
        OwnType::Object => Variant::Object(map.next_value::<ObjectPayload<R>>()?.0),
        OwnType::Dictionary => {
            Variant::Dictionary(map.next_value::<DictionaryParts<R>>()?.dictionary())
        }
        OwnType::Array => Variant::Array(map.next_value::<ArrayParts<R>>()?.array()),
        OwnType::TypedArray => Variant::TypedArray(typed(map.next_value()?)),
        OwnType::PackedTypedArray => Variant::PackedTypedArray(typed(map.next_value()?)),
        OwnType::PackedByteArray => Variant::PackedByteArray(map.next_value::<PackedVec<_>>()?.0),
        OwnType::PackedStringArray => {
            Variant::PackedStringArray(map.next_value::<PackedVec<_>>()?.0)
        }
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
                let value = Variant::deserialize(deserializer)?;
                let found = value.variant_type();
                if let $pattern = value {
                    Ok($value)
                } else {
                    Err(D::Error::invalid_type(Unexpected::Other(found.name()), &$expected))
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

//! Any value, and the containers.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use ::serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use super::{ANY, ANY_DOUBLE, Flat, Id, Next, Number, PREFIX, behind_tag, bounded, named, tagged};
use crate::notation::{
    Form, Shown, attributes, content, is_plain, read_attributes, tag, tagged_type,
};
use crate::serde::DIALECT;
use crate::{
    Array, Container, Dictionary, Front, FullObject, Object, OwnType, Payload, Real, TypedArray,
    Variant, VariantType,
};

/// A container. This crate's own formats get its front and its contents, other formats its JSON form.
struct Shell<'v, R: Real> {
    container: Container<'v, R>,
    /// Whether the format outside is human-readable.
    readable: bool,
}

/// Serializes a container under the name of its type.
fn shell<R: Real, S: Serializer>(
    serializer: S,
    container: Container<'_, R>,
) -> Result<S::Ok, S::Error> {
    let shell = Shell { container, readable: serializer.is_human_readable() };
    named(serializer, container.variant_type(), &shell)
}

impl<R: Real> Serialize for Shell<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let container = self.container;
        let is_own = serializer.is_human_readable() != self.readable;
        if is_own {
            let mut parts = serializer.serialize_struct("Container", 2)?;
            parts.serialize_field("front", &Front::of(container))?;
            parts.serialize_field("held", &Held(container))?;
            return parts.end();
        }
        let variant_type = container.variant_type();
        if let Container::Object(object) = container {
            let mut map = serializer.serialize_map(Some(1))?;
            map.serialize_entry(&tag(variant_type, DIALECT), &ObjectForm(object))?;
            return map.end();
        }
        let (types, shared) = (container.types(), container.is_shared());
        let attributes = attributes(variant_type, types, shared, DIALECT);
        let mut map = serializer.serialize_map(Some(1 + attributes.len()))?;
        map.serialize_entry(&tag(variant_type, DIALECT), &Held(container))?;
        for (name, shown) in attributes {
            map.serialize_entry(name, &shown)?;
        }
        map.end()
    }
}

/// The contents of a container, as a list: elements, or pairs.
struct Held<'v, R: Real>(Container<'v, R>);

impl<R: Real> Serialize for Held<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Container::Array(array) => serializer.collect_seq(array),
            Container::TypedArray(typed) | Container::PackedTypedArray(typed) => {
                serializer.collect_seq(&*typed.elements)
            }
            Container::Dictionary(dictionary) => serializer.collect_seq(&**dictionary),
            Container::Object(object) => serializer.collect_seq(&object.properties),
        }
    }
}

/// The form of an object in full.
struct ObjectForm<'v, R: Real>(&'v FullObject<R>);

impl<R: Real> Serialize for ObjectForm<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("class", &self.0.class)?;
        map.serialize_entry("properties", &Held(Container::Object(self.0)))?;
        map.end()
    }
}

/// Serializes a container: if it is plain, as what serde has of its kind.
fn container<R: Real, S: Serializer>(
    serializer: S,
    container: Container<'_, R>,
) -> Result<S::Ok, S::Error> {
    match container {
        Container::Array(array) if is_plain(container, DIALECT) => serializer.collect_seq(array),
        Container::Dictionary(dictionary) if is_plain(container, DIALECT) => {
            serializer.collect_map(dictionary.iter().map(|(key, value)| (key, value)))
        }
        Container::Array(_)
        | Container::TypedArray(_)
        | Container::PackedTypedArray(_)
        | Container::Dictionary(_)
        | Container::Object(_) => shell(serializer, container),
    }
}

/// As a list; with a type or mark, after `$Array`.
impl<R: Real> Serialize for Array<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        container(serializer, Container::Array(self))
    }
}

/// As a map if the keys can be names and there is neither a type nor a mark; otherwise after `$dictionary`, as a
/// list of pairs.
impl<R: Real> Serialize for Dictionary<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        container(serializer, Container::Dictionary(self))
    }
}

/// As itself in packets; in other formats after `$Object`.
impl<R: Real> Serialize for Object<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        any(serializer, VariantType::Object, Payload::Object(self))
    }
}

impl<R: Real> Serialize for FullObject<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        container(serializer, Container::Object(self))
    }
}

impl<R: Real> Serialize for TypedArray<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        container(serializer, Container::TypedArray(self))
    }
}

/// As itself in packets. In other formats in its JSON form: null, bools, numbers, strings, arrays and dictionaries
/// are the JSON types of the same kind, and every other type comes after its tag: `{"$Vector2": [1.0, 2.0]}`.
impl<R: Real> Serialize for Variant<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        any(serializer, self.variant_type(), self.payload())
    }
}

/// Serializes a value of any type.
fn any<R: Real, S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    payload: Payload<'_, R>,
) -> Result<S::Ok, S::Error> {
    match Form::of(payload, DIALECT) {
        Form::Null => serializer.serialize_unit(),
        Form::Bool(value) => serializer.serialize_bool(value),
        Form::Int(value) => serializer.serialize_i64(value),
        Form::Float(value) => named(serializer, variant_type, &Number(value)),
        Form::Text(text) => text.serialize(serializer),
        Form::Container(held) => container(serializer, held),
        Form::Numbers(numbers) => {
            behind_tag(serializer, variant_type, &Flat(variant_type, numbers))
        }
        Form::Tagged(shown) => after_tag(serializer, variant_type, shown),
    }
}

/// Serializes a content after its tag. (Apart from the others, whose values need no memory.)
#[inline(never)]
fn after_tag<S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    shown: Shown<'_>,
) -> Result<S::Ok, S::Error> {
    match (serializer.is_human_readable(), shown) {
        (false, Shown::Bytes(bytes)) => serializer.serialize_bytes(bytes),
        // Bytes have the name of their type wherever they are.
        (true, bytes @ Shown::Bytes(_)) => behind_tag(serializer, variant_type, &bytes),
        (readable, shown) => tagged(serializer, variant_type, &Content { shown, readable }),
    }
}

/// The content after a tag.
struct Content<'v> {
    shown: Shown<'v>,
    /// Whether the format outside is human-readable.
    readable: bool,
}

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_own = serializer.is_human_readable() != self.readable;
        // This crate's own formats get the bytes of a StringName that is not UTF-8, and the id of an object.
        if is_own
            && let Shown::Text(text) = self.shown
            && text.as_str().is_none()
        {
            return serializer.serialize_bytes(text.as_bytes());
        }
        if is_own
            && let Shown::Members(members) = &self.shown
            && let [("id", Shown::Number(id))] = members[..]
        {
            return serializer.serialize_u64(id);
        }
        self.shown.serialize(serializer)
    }
}

macro_rules! itself {
    ($($method:ident $value:ty;)+) => { $(
        fn $method<E: Error>(self, value: $value) -> Result<Self::Value, E> {
            Ok(value.into())
        }
    )+ };
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

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        let fits = i64::try_from(number);
        fits.map(Variant::Int)
            .map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &"an int of 64 bits"))
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(bytes.to_vec().into())
    }

    itself! {
        visit_bool bool;
        visit_i64 i64;
        visit_f64 f64;
        visit_str &str;
        visit_string String;
        visit_byte_buf Vec<u8>;
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
                && let Some(variant_type) = tagged_type(text, DIALECT)
            {
                let value = behind(variant_type, &mut map)?;
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

/// Reads the content after a tag, up to the end of the map.
fn behind<'de, R: Real, A: MapAccess<'de>>(
    variant_type: VariantType,
    map: &mut A,
) -> Result<Variant<R>, A::Error> {
    let own_type = match content(variant_type, DIALECT, &mut Next::new(map)) {
        Ok(made) => return made,
        Err(own_type) => own_type,
    };
    let mut front = Front::new(variant_type);
    #[allow(clippy::wildcard_enum_match_arm, reason = "the other types were read above")]
    Ok(match own_type {
        OwnType::Nil => map.next_value::<()>()?.into(),
        OwnType::Bool => map.next_value::<bool>()?.into(),
        OwnType::Int => map.next_value::<i64>()?.into(),
        OwnType::Object => Variant::Object(map.next_value::<ObjectPayload<R>>()?.0),
        OwnType::Dictionary => {
            let pairs = map.next_value()?;
            read_attributes(&mut front, DIALECT, &mut Next::new(map))?;
            front.around_pairs(pairs)
        }
        _ => {
            let elements = map.next_value()?;
            read_attributes(&mut front, DIALECT, &mut Next::new(map))?;
            front.around_elements(elements)
        }
    })
}

/// Reads the content after the tag of an object.
struct ObjectVisitor<R>(PhantomData<R>);

impl<'de, R: Real> Visitor<'de> for ObjectVisitor<R> {
    type Value = Object<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("null, an id, or class and properties of an object")
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Object::Null)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut class, mut properties, mut id) = (None, None, None);
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "id" => id = Some(map.next_value::<Id>()?),
                "class" => class = Some(map.next_value()?),
                "properties" => properties = Some(map.next_value()?),
                _ => return Err(A::Error::unknown_field(&name, &["id", "class", "properties"])),
            }
        }
        match (id, class, properties) {
            (Some(Id(id)), None, None) => Ok(Object::Id(id)),
            (None, Some(class), Some(properties)) => {
                Ok(Object::Full(Box::new(FullObject { class, properties })))
            }
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

/// An object, after its tag.
struct ObjectPayload<R: Real>(Object<R>);

impl<'de, R: Real> Deserialize<'de> for ObjectPayload<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ObjectVisitor(PhantomData)).map(Self)
    }
}

/// Reads any value. Formats that are not self-describing fail.
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

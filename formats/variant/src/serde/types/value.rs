//! Any value, and the containers.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor};
use ::serde::ser::{Serialize, SerializeMap, SerializeStruct, Serializer};

use super::exotic::Members;
use super::{
    ANY, ANY_DOUBLE, Bytes, Element, Flat, Flattened, Id, Number, PREFIX, Text, behind_tag,
    bounded, named, tag, tagged, tagged_type,
};
use crate::notation::{Shown, container_tag, is_plain, type_members};
use crate::serde::DIALECT;
use crate::{
    Array, Container, Dictionary, Front, FullObject, Math, NodePath, NumberSource, Object, OwnType,
    Payload, Real, RealMath, Signal, TypedArray, Variant, VariantString, VariantType,
};
use formwork_records::wire;

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
            map.serialize_entry(&tag(variant_type), &ObjectForm(object))?;
            return map.end();
        }
        let names = type_members(variant_type);
        let types = names.into_iter().zip(container.types());
        let types = types.filter_map(|(name, element)| Some((name, element?))).collect::<Vec<_>>();
        let shared = container.is_shared();
        let count = 1 + types.len() + usize::from(shared);
        let mut map = serializer.serialize_map(Some(count))?;
        map.serialize_entry(&container_tag(variant_type, DIALECT), &Held(container))?;
        for (name, element) in types {
            map.serialize_entry(name, &Element(element))?;
        }
        if shared {
            map.serialize_entry("shared", &true)?;
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

/// As a list; with a type or mark, after `$Array`.
impl<R: Real> Serialize for Array<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let container = Container::Array(self);
        if is_plain(container, DIALECT) {
            return serializer.collect_seq(self);
        }
        shell(serializer, container)
    }
}

/// As a map if the keys can be names and there is neither a type nor a mark; otherwise after `$dictionary`, as a
/// list of pairs.
impl<R: Real> Serialize for Dictionary<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let container = Container::Dictionary(self);
        if is_plain(container, DIALECT) {
            return serializer.collect_map(self.iter().map(|(key, value)| (key, value)));
        }
        shell(serializer, container)
    }
}

/// As itself in packets; in other formats after `$Object`.
impl<R: Real> Serialize for Object<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// The form of an object that is not in full.
        struct Reference(Option<u64>, bool);

        impl Serialize for Reference {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self.0 {
                    None => serializer.serialize_unit(),
                    Some(id) if serializer.is_human_readable() != self.1 => {
                        serializer.serialize_u64(id)
                    }
                    Some(id) => Members(vec![("id", Shown::Number(id))]).serialize(serializer),
                }
            }
        }

        let readable = serializer.is_human_readable();
        match self {
            Self::Null => tagged(serializer, VariantType::Object, &Reference(None, readable)),
            Self::Id(id) => {
                tagged(serializer, VariantType::Object, &Reference(Some(*id), readable))
            }
            Self::Full(object) => object.serialize(serializer),
        }
    }
}

impl<R: Real> Serialize for FullObject<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        shell(serializer, Container::Object(self))
    }
}

impl<R: Real> Serialize for TypedArray<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        shell(serializer, Container::TypedArray(self))
    }
}

/// As itself in packets. In other formats in its JSON form: null, bools, numbers, strings, arrays and dictionaries
/// are the JSON types of the same kind, and every other type comes after its tag: `{"$Vector2": [1.0, 2.0]}`.
impl<R: Real> Serialize for Variant<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let variant_type = self.variant_type();
        match self.payload() {
            Payload::Nil => serializer.serialize_unit(),
            Payload::Bool(value) => serializer.serialize_bool(value),
            Payload::Int(value) => serializer.serialize_i64(value),
            Payload::Float(value) => named(serializer, variant_type, &Number(value)),
            Payload::String(text) => text.serialize(serializer),
            Payload::StringName(text) => {
                let name = Text::name(text, serializer.is_human_readable());
                tagged(serializer, variant_type, &name)
            }
            Payload::NodePath(path) => behind_tag(serializer, variant_type, path),
            Payload::Rid(rid) => tagged(serializer, variant_type, &Id(rid)),
            Payload::Object(object) => object.serialize(serializer),
            Payload::Callable => tagged(serializer, variant_type, &()),
            Payload::Signal(signal) => behind_tag(serializer, variant_type, signal),
            Payload::Dictionary(dictionary) => dictionary.serialize(serializer),
            Payload::Array(array) => array.serialize(serializer),
            Payload::TypedArray(typed) => shell(serializer, Container::TypedArray(typed)),
            Payload::PackedTypedArray(typed) => {
                shell(serializer, Container::PackedTypedArray(typed))
            }
            Payload::PackedByteArray(bytes) if serializer.is_human_readable() => {
                behind_tag(serializer, variant_type, &Bytes(bytes.into()))
            }
            Payload::PackedByteArray(bytes) => serializer.serialize_bytes(bytes),
            Payload::PackedStringArray(texts) => tagged(serializer, variant_type, texts),
            Payload::Image(image) => behind_tag(serializer, variant_type, image),
            Payload::InputEvent(event) => behind_tag(serializer, variant_type, event),
            Payload::Numbers(numbers) => {
                behind_tag(serializer, variant_type, &Flat(variant_type, numbers))
            }
        }
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

/// Reads numbers after a tag.
struct NumbersOf<'m, 'de, A>(&'m mut A, PhantomData<&'de ()>);

impl<'de, A: MapAccess<'de>> NumbersOf<'_, 'de, A> {
    fn one<T: wire::Components>(self) -> Result<T, A::Error> {
        let Flattened(numbers) = self.0.next_value()?;
        wire::value_of(&numbers)
            .ok_or_else(|| A::Error::invalid_length(numbers.len(), &"the numbers of the type"))
    }

    fn all<T: wire::Components>(self) -> Result<Vec<T>, A::Error> {
        let Flattened(numbers) = self.0.next_value()?;
        let (count, step) = (numbers.len(), size_of::<T::Array>() / size_of::<T::Number>());
        if !count.is_multiple_of(step) {
            return Err(A::Error::invalid_length(count, &"the numbers of whole elements"));
        }
        Ok(wire::values_of(numbers))
    }
}

impl<'de, R: Real, A: MapAccess<'de>> NumberSource<R> for NumbersOf<'_, 'de, A> {
    type Error = A::Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T, A::Error> {
        self.one()
    }

    fn math<T: Math>(self) -> Result<T, A::Error> {
        self.one()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>, A::Error> {
        self.all()
    }

    fn packed<T: wire::Element>(self) -> Result<Vec<T>, A::Error> {
        self.all()
    }
}

/// Reads the content after a tag, up to the end of the map.
fn behind<'de, R: Real, A: MapAccess<'de>>(
    variant_type: VariantType,
    map: &mut A,
) -> Result<Variant<R>, A::Error> {
    let own_type = match Variant::from_numbers(variant_type, NumbersOf(map, PhantomData)) {
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
        OwnType::Image => map.next_value::<crate::Image>()?.into(),
        OwnType::InputEvent => map.next_value::<crate::InputEvent>()?.into(),
        OwnType::Float => Variant::Float(map.next_value::<Number<f64>>()?.0),
        OwnType::StringName => Variant::StringName(map.next_value()?),
        OwnType::Rid => Variant::Rid(map.next_value::<Id>()?.0),
        OwnType::Callable => map.next_value::<()>().map(|()| Variant::Callable)?,
        OwnType::Object => Variant::Object(map.next_value::<ObjectPayload<R>>()?.0),
        OwnType::PackedByteArray => {
            Variant::PackedByteArray(map.next_value::<Bytes<'_>>()?.0.into_owned())
        }
        OwnType::PackedStringArray => Variant::PackedStringArray(map.next_value()?),
        OwnType::Dictionary => {
            let pairs = map.next_value()?;
            marks(Front::new(variant_type), map)?.around_pairs(pairs)
        }
        OwnType::Array | OwnType::TypedArray | OwnType::PackedTypedArray => {
            let elements = map.next_value()?;
            marks(Front::new(variant_type), map)?.around_elements(elements)
        }
    })
}

/// Reads the attributes of a container after its contents.
fn marks<'de, A: MapAccess<'de>>(mut front: Front, map: &mut A) -> Result<Front, A::Error> {
    let [first, second] = type_members(front.variant_type);
    while let Some(name) = map.next_key::<String>()? {
        if name == first {
            front.types[0] = Some(Box::new(map.next_value::<Element<_>>()?.0));
        } else if name == second {
            front.types[1] = Some(Box::new(map.next_value::<Element<_>>()?.0));
        } else if name == "shared" {
            front.shared = map.next_value()?;
        } else {
            return Err(A::Error::unknown_field(&name, &[]));
        }
    }
    Ok(front)
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

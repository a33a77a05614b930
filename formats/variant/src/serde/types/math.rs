//! The math types: their components in wire order.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use ::serde::ser::{Serialize, SerializeTuple, Serializer};

use super::{Number, raw};
use crate::notation::{tag, tagged_type};
use crate::serde::{DIALECT, numbers};
use crate::{Real, VariantType, for_each_type};
use formwork_records::wire;

/// The kind of number that a type is made of.
type NumberOf<T> = <T as wire::Components>::Number;

/// The components of a value.
struct Components<'v, T>(&'v [T]);

impl<T: wire::Number> Serialize for Components<'_, T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        for &number in self.0 {
            tuple.serialize_element(&Number(number))?;
        }
        tuple.end()
    }
}

/// Reads the components of a value of one type: in a row, by their names, or after the type's tag.
struct Visit<T, const COUNT: usize> {
    variant_type: VariantType,
    number: PhantomData<T>,
}

impl<T, const COUNT: usize> Visit<T, COUNT> {
    const fn new(variant_type: VariantType) -> Self {
        Self { variant_type, number: PhantomData }
    }

    fn names(&self) -> impl Iterator<Item = &'static str> {
        let components = numbers::components(self.variant_type).unwrap_or_default();
        components.iter().map(|component| component.name)
    }
}

impl<'de, T: wire::Number, const COUNT: usize> Visitor<'de> for Visit<T, COUNT> {
    type Value = [T; COUNT];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} ({COUNT} numbers)", self.variant_type.name())
    }

    #[inline]
    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        self.deserialize(deserializer)
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [T::of_i64(0); COUNT];
        for (index, to) in numbers.iter_mut().enumerate() {
            let Some(Number(number)) = elements.next_element()? else {
                return Err(A::Error::invalid_length(index, &self));
            };
            *to = number;
        }
        Ok(numbers)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [None; COUNT];
        while let Some(key) = pairs.next_key::<String>()? {
            if key == tag(self.variant_type, DIALECT) {
                return pairs.next_value_seed(self);
            }
            if let Some(other) = tagged_type(&key, DIALECT) {
                let found = ::serde::de::Unexpected::Other(other.name());
                return Err(A::Error::invalid_type(found, &self));
            }
            let place = self.names().position(|name| name == key);
            let Some(to) = place.and_then(|place| numbers.get_mut(place)) else {
                let found = ::serde::de::Unexpected::Str(&key);
                return Err(A::Error::invalid_value(found, &self));
            };
            let Number(number) = pairs.next_value()?;
            *to = Some(number);
        }
        let missing = numbers.iter().position(Option::is_none);
        match missing.and_then(|missing| self.names().nth(missing)) {
            Some(name) => Err(A::Error::missing_field(name)),
            None => Ok(numbers.map(|number| number.unwrap_or(T::of_i64(0)))),
        }
    }
}

impl<'de, T: wire::Number, const COUNT: usize> DeserializeSeed<'de> for Visit<T, COUNT> {
    type Value = [T; COUNT];

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_tuple(COUNT, self)
        }
    }
}

macro_rules! math {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
    )+) => { $( math!(@$kind $name); )+ };
    (@own $name:ident) => {};
    (@packed_real_math $name:ident) => {};
    (@packed_math $name:ident) => {};
    (@packed_numbers $name:ident) => {};
    (@real_math $name:ident) => { math!(@impls $name [R: Real] [R]); };
    (@math $name:ident) => { math!(@impls $name [] []); };
    (@impls $name:ident [$($real:ident: $bound:ident)?] [$($width:ident)?]) => {
        /// As itself in packets, as a list of its components in wire order in other formats. Reading also accepts a
        /// map of the components by name.
        impl<$($real: $bound)?> Serialize for crate::$name<$($width)?> {
            #[inline]
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let numbers = self.to_array();
                raw(serializer, VariantType::$name, &numbers, Components(&numbers))
            }
        }

        impl<'de $(, $real: $bound)?> Deserialize<'de> for crate::$name<$($width)?> {
            #[inline]
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visit = Visit::<NumberOf<Self>, _>::new(VariantType::$name);
                let name = VariantType::$name.serde_name();
                deserializer.deserialize_newtype_struct(name, visit).map(Self::from_array)
            }
        }
    };
}
for_each_type!(math);

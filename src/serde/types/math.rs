//! The math types: their components in wire order.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor,
};
use ::serde::ser::{Serialize, SerializeTuple, Serializer};

use super::{Number, Target, named, tag, tagged_type};
use crate::serde::numbers;
use crate::variant::{Real, VariantType, for_each_type};
use crate::wire;

/// The components of a value.
struct Components<'v, T>(&'v [T]);

impl<T: Target> Serialize for Components<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        for &number in self.0 {
            tuple.serialize_element(&Number(number))?;
        }
        tuple.end()
    }
}

/// Takes the components of a value of one type: in a row, by their names, or behind the type's tag.
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

impl<'de, T: Target + Default, const COUNT: usize> Visitor<'de> for Visit<T, COUNT> {
    type Value = [T; COUNT];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {} ({COUNT} numbers)", self.variant_type.name())
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Self::Value, D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut numbers = [T::default(); COUNT];
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
            if key == tag(self.variant_type) {
                return pairs.next_value_seed(self);
            }
            if let Some(other) = tagged_type(&key) {
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
            None => Ok(numbers.map(Option::unwrap_or_default)),
        }
    }
}

impl<'de, T: Target + Default, const COUNT: usize> DeserializeSeed<'de> for Visit<T, COUNT> {
    type Value = [T; COUNT];

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(self)
        } else {
            deserializer.deserialize_tuple(COUNT, self)
        }
    }
}

/// Serializes real components in their own width.
fn reals<R: Real, S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    numbers: &[R],
) -> Result<S::Ok, S::Error> {
    if R::DOUBLE {
        let mut wide = [0.0_f64; 16];
        wide.iter_mut().zip(numbers).for_each(|(to, from)| *to = from.to_f64());
        let count = numbers.len().min(wide.len());
        named(serializer, variant_type, &Components(&wide[..count]))
    } else {
        let mut narrow = [0.0_f32; 16];
        narrow.iter_mut().zip(numbers).for_each(|(to, from)| *to = from.to());
        let count = numbers.len().min(narrow.len());
        named(serializer, variant_type, &Components(&narrow[..count]))
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
    (@real_math $name:ident) => {
        /// As itself in packets, as a list of its components in wire order in other formats. Reads
        /// these and a map of the components by name.
        impl<R: Real> Serialize for crate::variant::$name<R> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                reals(serializer, VariantType::$name, &self.to_array())
            }
        }

        impl<'de, R: Real> Deserialize<'de> for crate::variant::$name<R> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = VariantType::$name.serde_name();
                // Each width is read as such, so that no number changes on the way.
                Ok(Self::from_array(if R::DOUBLE {
                    let visit = Visit::<f64, _>::new(VariantType::$name);
                    deserializer.deserialize_newtype_struct(name, visit)?.map(Real::to)
                } else {
                    let visit = Visit::<f32, _>::new(VariantType::$name);
                    deserializer.deserialize_newtype_struct(name, visit)?.map(Real::to)
                }))
            }
        }
    };
    (@math $name:ident) => {
        /// As itself in packets, as a list of its components in wire order in other formats. Reads
        /// these and a map of the components by name.
        impl Serialize for crate::variant::$name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                named(serializer, VariantType::$name, &Components(&self.to_array()))
            }
        }

        impl<'de> Deserialize<'de> for crate::variant::$name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let visit = Visit::<<Self as wire::Components>::Number, _>::new(VariantType::$name);
                let name = VariantType::$name.serde_name();
                deserializer.deserialize_newtype_struct(name, visit).map(Self::from_array)
            }
        }
    };
}
for_each_type!(math);

//! The numbers that math types and packed arrays are made of.
//!
//! Human-readable formats often have no NaN and no infinity (`serde_json` writes null for them), so these have names
//! there: `{"$float": "nan"}`.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Unexpected, Visitor,
};
use ::serde::ser::{Serialize, SerializeMap, Serializer};

use super::{bounded, named};
use crate::notation::{self, DICTIONARY, FLOAT, Scalar};
use crate::{Numbers, Real, VariantType};
use formwork_records::wire;
use formwork_records::wire::NumberList;

/// A number of a value.
#[derive(Clone, Copy)]
pub(in crate::serde) struct Number<T>(pub(in crate::serde) T);

impl<T: wire::Number> Serialize for Number<T> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let scalar = Scalar::of(self.0);
        if serializer.is_human_readable() {
            if let Some(name) = notation::special_name(scalar) {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry(FLOAT, &name)?;
                return map.end();
            }
            if let Scalar::Single(number) = scalar {
                return serializer.serialize_f64(notation::readable(number));
            }
        }
        match scalar {
            Scalar::Single(number) => serializer.serialize_f32(number),
            Scalar::Double(number) => serializer.serialize_f64(number),
            Scalar::Whole(number) => match i32::try_from(number) {
                Ok(number) if Kind::of::<T>() == Kind::Int => serializer.serialize_i32(number),
                _ => serializer.serialize_i64(number),
            },
        }
    }
}

/// The kinds of numbers in serde's data model.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Kind {
    Single,
    Double,
    Int,
    Long,
}

impl Kind {
    const fn of<T: wire::Number>() -> Self {
        match (T::REAL, size_of::<T>()) {
            (true, 4) => Self::Single,
            (true, _) => Self::Double,
            (false, 4) => Self::Int,
            (false, _) => Self::Long,
        }
    }
}

impl<'de, T: wire::Number> Deserialize<'de> for Number<T> {
    #[inline]
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numeral = Numeral(PhantomData);
        if deserializer.is_human_readable() {
            return deserializer.deserialize_any(numeral).map(Self);
        }
        // A format that is not self-describing must be asked for the type.
        match Kind::of::<T>() {
            Kind::Single => deserializer.deserialize_f32(numeral),
            Kind::Double => deserializer.deserialize_f64(numeral),
            Kind::Int => deserializer.deserialize_i32(numeral),
            Kind::Long => deserializer.deserialize_i64(numeral),
        }
        .map(Self)
    }
}

/// Reads a number of any kind.
struct Numeral<T>(PhantomData<T>);

impl<'de, T: wire::Number> Visitor<'de> for Numeral<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match Kind::of::<T>() {
            Kind::Single | Kind::Double => "a number",
            Kind::Int => "a whole number (i32)",
            Kind::Long => "a whole number (i64)",
        })
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        notation::of_whole(number)
            .ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        let fits = i64::try_from(number).ok().and_then(notation::of_whole);
        fits.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    #[inline]
    fn visit_f32<E: Error>(self, number: f32) -> Result<T, E> {
        notation::of_single(number)
            .ok_or_else(|| E::invalid_value(Unexpected::Float(number.into()), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        notation::of_float(number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<T, E> {
        notation::special(name).ok_or_else(|| E::invalid_type(Unexpected::Str(name), &self))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<T, A::Error> {
        match pairs.next_key::<String>()? {
            Some(key) if key == FLOAT => pairs.next_value().map(|Number(number)| number),
            // The deserializer of this crate shows a dictionary whose key could be taken for a tag in this form.
            Some(key) if key == DICTIONARY => {
                let [(key, Number(number))]: [(String, Number<T>); 1] = pairs.next_value()?;
                if key == FLOAT {
                    Ok(number)
                } else {
                    Err(A::Error::invalid_type(Unexpected::Map, &self))
                }
            }
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

/// The name of the wrapper around real numbers of 64 bits, which only this crate's own formats see.
pub(in crate::serde) const WIDE: &str = "formwork_variant::Wide";

/// The content of a type that consists of numbers. This crate's own formats get the bytes of a packet, other formats
/// `other`.
struct Raw<'v, N, O> {
    numbers: &'v [N],
    is_real: bool,
    other: O,
    /// Whether the format outside is human-readable.
    readable: bool,
}

/// Bytes.
struct Plain<'v>(&'v [u8]);

impl Serialize for Plain<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

impl<N: wire::Number, O: Serialize> Serialize for Raw<'_, N, O> {
    #[inline]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() == self.readable {
            return self.other.serialize(serializer);
        }
        let swapped: Vec<N>;
        let numbers = if cfg!(target_endian = "little") {
            self.numbers
        } else {
            swapped = self.numbers.iter().map(|number| number.little()).collect();
            &swapped
        };
        let bytes = bytemuck::cast_slice(numbers);
        if self.is_real && size_of::<N>() == size_of::<f64>() {
            serializer.serialize_newtype_struct(WIDE, &Plain(bytes))
        } else {
            serializer.serialize_bytes(bytes)
        }
    }
}

/// Serializes the numbers of a value of a type; formats other than this crate's own get `other`.
#[inline]
pub(in crate::serde) fn raw<N: wire::Number, S: Serializer>(
    serializer: S,
    variant_type: VariantType,
    numbers: &[N],
    other: impl Serialize,
) -> Result<S::Ok, S::Error> {
    let (is_real, readable) = (variant_type.is_real(), serializer.is_human_readable());
    named(serializer, variant_type, &Raw { numbers, is_real, other, readable })
}

/// The numbers of a value of a type, all in one list.
pub(in crate::serde) struct Flat<'v, R: Real>(
    pub(in crate::serde) VariantType,
    pub(in crate::serde) Numbers<'v, R>,
);

/// Numbers that are serialized one by one.
pub(in crate::serde) struct Each<'v, N>(pub(in crate::serde) &'v [N]);

impl<N: wire::Number> Serialize for Each<'_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|&number| Number(number)))
    }
}

impl<R: Real> Serialize for Flat<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        fn all<N: wire::Number, S: Serializer>(
            variant_type: VariantType,
            list: &dyn NumberList<N>,
            serializer: S,
        ) -> Result<S::Ok, S::Error> {
            let collected: Vec<N>;
            let numbers = match list.as_slice() {
                Some(numbers) => numbers,
                None => {
                    collected = list.converted(|number| number);
                    &collected
                }
            };
            raw(serializer, variant_type, numbers, Each(numbers))
        }
        match self.1 {
            Numbers::Real(list) => all(self.0, list, serializer),
            Numbers::Single(list) => all(self.0, list, serializer),
            Numbers::Double(list) => all(self.0, list, serializer),
            Numbers::Int(list) => all(self.0, list, serializer),
            Numbers::Long(list) => all(self.0, list, serializer),
        }
    }
}

/// Numbers in one list; elements that are lists themselves, or have a tag, are flattened.
pub(in crate::serde) struct Flattened<T>(pub(in crate::serde) Vec<T>);

impl<'de, T: wire::Number> Deserialize<'de> for Flattened<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut numbers = Vec::new();
        Flatten(&mut numbers).deserialize(deserializer)?;
        Ok(Self(numbers))
    }
}

/// Collects numbers at any depth.
struct Flatten<'f, T>(&'f mut Vec<T>);

impl<'de, T: wire::Number> DeserializeSeed<'de> for Flatten<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

macro_rules! visit_numbers {
    ($($method:ident $number:ty;)+) => { $(
        fn $method<E: Error>(self, number: $number) -> Result<(), E> {
            Numeral(PhantomData).$method(number).map(|number| self.0.push(number))
        }
    )+ };
}

impl<'de, T: wire::Number> Visitor<'de> for Flatten<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    visit_numbers! {
        visit_i64 i64;
        visit_u64 u64;
        visit_f32 f32;
        visit_f64 f64;
        visit_str &str;
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<(), A::Error> {
        self.0.reserve(bounded::<T>(elements.size_hint()));
        while elements.next_element_seed(Flatten(&mut *self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<(), A::Error> {
        // A float by its name, or an element after its tag.
        match pairs.next_key::<String>()? {
            Some(key) if key.starts_with('$') => pairs.next_value_seed(self),
            _ => Err(A::Error::invalid_type(Unexpected::Map, &self)),
        }
    }
}

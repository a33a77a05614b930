//! The numbers that math types and packed arrays are made of.
//!
//! Formats that people read often have no NaN and no infinity (`serde_json` writes null for them),
//! so there these are the strings `nan`, `inf` and `-inf`.

use std::fmt;

use ::serde::de::{Deserialize, Deserializer, Error, Unexpected, Visitor};
use ::serde::ser::{Serialize, Serializer};

/// A number of a value.
#[derive(Clone, Copy)]
pub(in crate::serde) struct Number<T>(pub(in crate::serde) T);

/// The kinds of numbers, and how they take others.
pub(in crate::serde) trait Target: Copy + 'static {
    /// What is expected, in an error.
    const EXPECTED: &'static str;

    fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error>;

    /// Asks a format that does not say by itself what comes for the number.
    fn ask<'de, D: Deserializer<'de>>(
        deserializer: D,
        visitor: Numeral<Self>,
    ) -> Result<Self, D::Error>;

    fn of_single(number: f32) -> Option<Self>;

    fn of_double(number: f64) -> Option<Self>;

    fn of_int(number: i64) -> Option<Self>;
}

macro_rules! reals {
    ($( $real:ident $write:ident $ask:ident; )+) => { $(
        impl Target for $real {
            const EXPECTED: &'static str = "a number";

            fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error> {
                if self.is_finite() || !serializer.is_human_readable() {
                    return serializer.$write(self);
                }
                serializer.serialize_str(if self.is_nan() {
                    "nan"
                } else if self > 0.0 {
                    "inf"
                } else {
                    "-inf"
                })
            }

            fn ask<'de, D: Deserializer<'de>>(
                deserializer: D,
                visitor: Numeral<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.$ask(visitor)
            }

            fn of_single(number: f32) -> Option<Self> {
                Some(number as $real)
            }

            fn of_double(number: f64) -> Option<Self> {
                Some(number as $real)
            }

            fn of_int(number: i64) -> Option<Self> {
                Some(number as $real)
            }
        }
    )+ };
}
reals! {
    f32 serialize_f32 deserialize_f32;
    f64 serialize_f64 deserialize_f64;
}

macro_rules! integers {
    ($( $integer:ident $write:ident $ask:ident; )+) => { $(
        impl Target for $integer {
            const EXPECTED: &'static str = concat!("a whole number (", stringify!($integer), ")");

            fn write<S: Serializer>(self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.$write(self)
            }

            fn ask<'de, D: Deserializer<'de>>(
                deserializer: D,
                visitor: Numeral<Self>,
            ) -> Result<Self, D::Error> {
                deserializer.$ask(visitor)
            }

            fn of_single(number: f32) -> Option<Self> {
                Self::of_double(number.into())
            }

            fn of_double(number: f64) -> Option<Self> {
                whole(number).and_then(Self::of_int)
            }

            fn of_int(number: i64) -> Option<Self> {
                Self::try_from(number).ok()
            }
        }
    )+ };
}
integers! {
    i32 serialize_i32 deserialize_i32;
    i64 serialize_i64 deserialize_i64;
}

/// The whole number that a float is, if it is one.
pub(in crate::serde) fn whole(number: f64) -> Option<i64> {
    /// The first float that is too large.
    const END: f64 = 9_223_372_036_854_775_808.0;
    (number.fract() == 0.0 && (-END..END).contains(&number)).then_some(number as i64)
}

impl<T: Target> Serialize for Number<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.write(serializer)
    }
}

impl<'de, T: Target> Deserialize<'de> for Number<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numeral = Numeral(std::marker::PhantomData);
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(numeral).map(Self)
        } else {
            T::ask(deserializer, numeral).map(Self)
        }
    }
}

/// Takes a number in whatever kind it comes.
pub(in crate::serde) struct Numeral<T>(std::marker::PhantomData<T>);

impl<T: Target> Visitor<'_> for Numeral<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTED)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        T::of_int(number).ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        let fits = i64::try_from(number).ok().and_then(T::of_int);
        fits.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f32<E: Error>(self, number: f32) -> Result<T, E> {
        T::of_single(number)
            .ok_or_else(|| E::invalid_value(Unexpected::Float(number.into()), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        T::of_double(number).ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let number = match text {
            "nan" => T::of_double(f64::NAN),
            "inf" => T::of_double(f64::INFINITY),
            "-inf" => T::of_double(f64::NEG_INFINITY),
            _ => None,
        };
        number.ok_or_else(|| E::invalid_type(Unexpected::Str(text), &self))
    }
}

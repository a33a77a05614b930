//! Numbers without loss, and the types that are nothing but numbers.

use crate::schema::Shape;
use crate::wire::{Components, Number, value_of};

/// A number in one of the widths that values hold.
#[derive(Clone, Copy, Debug)]
pub(super) enum Scalar {
    Whole(i64),
    Single(f32),
    Double(f64),
}

impl Scalar {
    pub(super) fn of<N: Number>(number: N) -> Self {
        match N::SHAPE {
            Shape::Float { bytes: 4 } => Self::Single(bytemuck::cast(number)),
            Shape::Float { .. } => Self::Double(bytemuck::cast(number)),
            _ => Self::Whole(number.as_i64()),
        }
    }

    pub(super) fn is_finite(self) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Single(number) => number.is_finite(),
            Self::Double(number) => number.is_finite(),
        }
    }
}

/// The NaN that is written without its bits.
pub(super) const ORDINARY_NAN: u64 = 0x7ff8_0000_0000_0000;
const ORDINARY_NAN_SINGLE: u32 = 0x7fc0_0000;

/// The name of a float that is not a JSON number, or that JSON programs tend to change.
pub(super) fn special_name(scalar: Scalar) -> Option<String> {
    let number = match scalar {
        Scalar::Whole(_) => return None,
        Scalar::Single(number) => f64::from(number),
        Scalar::Double(number) => number,
    };
    if number.is_nan() {
        // Not by way of `number`: widening a NaN may change it.
        return Some(match scalar {
            Scalar::Single(nan) if nan.to_bits() != ORDINARY_NAN_SINGLE => {
                format!("nan:0x{:08x}", nan.to_bits())
            }
            Scalar::Double(nan) if nan.to_bits() != ORDINARY_NAN => {
                format!("nan:0x{:016x}", nan.to_bits())
            }
            _ => "nan".to_owned(),
        });
    }
    let name = if number.is_infinite() {
        if number > 0.0 { "inf" } else { "-inf" }
    } else if number == 0.0 && number.is_sign_negative() {
        "-0"
    } else {
        return None;
    };
    Some(name.to_owned())
}

/// The float with this name, in the width of `N`.
pub(super) fn special<N: Number>(name: &str) -> Option<N> {
    let bits = match name.strip_prefix("nan:0x") {
        // A sign in front of the digits would be read as well.
        Some(digits) if digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            Some(u64::from_str_radix(digits, 16).ok()?)
        }
        Some(_) => return None,
        None => None,
    };
    let number = match name {
        _ if bits.is_some() => f64::NAN,
        "nan" => f64::NAN,
        "inf" => f64::INFINITY,
        "-inf" => f64::NEG_INFINITY,
        "-0" => -0.0,
        _ => return None,
    };
    match N::SHAPE {
        Shape::Float { bytes: 4 } => {
            let number = match bits {
                Some(bits) => f32::from_bits(u32::try_from(bits).ok()?),
                None if number.is_nan() => f32::from_bits(ORDINARY_NAN_SINGLE),
                None => number as f32,
            };
            (bits.is_none() || number.is_nan()).then(|| bytemuck::cast(number))
        }
        Shape::Float { .. } => {
            let number = match bits {
                Some(bits) => f64::from_bits(bits),
                None if number.is_nan() => f64::from_bits(ORDINARY_NAN),
                None => number,
            };
            (bits.is_none() || number.is_nan()).then(|| bytemuck::cast(number))
        }
        _ => None,
    }
}

/// The JSON number `token` in the width of `N`; `Err` says what is expected.
pub(super) fn parse<N: Number>(token: &str) -> Result<N, &'static str> {
    match N::SHAPE {
        // From the digits straight to the width: by way of 64 bits it would be rounded twice.
        Shape::Float { bytes: 4 } => token
            .parse::<f32>()
            .ok()
            .filter(|number| number.is_finite())
            .map(bytemuck::cast)
            .ok_or("a number that 32-bit floats reach"),
        Shape::Float { .. } => token
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .map(bytemuck::cast)
            .ok_or("a number that 64-bit floats reach"),
        shape => token
            .parse::<i64>()
            .ok()
            .filter(|&whole| N::of_i64(whole).as_i64() == whole)
            .map(N::of_i64)
            .ok_or_else(|| range(shape)),
    }
}

/// What whole numbers of a shape are.
const fn range(shape: Shape) -> &'static str {
    match shape {
        Shape::Integer { bytes: 1, signed: false } => "a whole number from 0 to 255",
        Shape::Integer { bytes: 1, .. } => "a number from -128 to 127",
        Shape::Integer { bytes: 2, signed: false } => "a number from 0 to 65535",
        Shape::Integer { bytes: 2, .. } => "a whole number of 16 bits",
        Shape::Integer { bytes: 4, signed: false } => "a number from 0 to 4294967295",
        Shape::Integer { bytes: 4, .. } => "a whole number of 32 bits",
        _ => "a whole number of 64 bits",
    }
}

/// What is read from a list of numbers: a math type, or an array of numbers or math types.
pub(super) trait FromNumbers: Sized {
    /// The kind of number.
    type Number: Number;
    /// How many numbers make an element.
    const STEP: usize;
    /// Whether there is always one element.
    const SINGLE: bool;

    /// The value made of these numbers, if they are as many as it takes.
    fn from_numbers(numbers: &[Self::Number]) -> Option<Self>;
}

const fn step<T: Components>() -> usize {
    size_of::<T::Array>() / size_of::<T::Number>()
}

impl<T: Components> FromNumbers for T {
    type Number = T::Number;
    const STEP: usize = step::<T>();
    const SINGLE: bool = true;

    fn from_numbers(numbers: &[Self::Number]) -> Option<Self> {
        value_of(numbers)
    }
}

impl<T: Components> FromNumbers for Vec<T> {
    type Number = T::Number;
    const STEP: usize = step::<T>();
    const SINGLE: bool = false;

    fn from_numbers(numbers: &[Self::Number]) -> Option<Self> {
        let elements = bytemuck::try_cast_slice::<T::Number, T::Array>(numbers).ok()?;
        Some(elements.iter().map(|&components| T::from_components(components)).collect())
    }
}

impl<T: Components> FromNumbers for Box<[T]> {
    type Number = T::Number;
    const STEP: usize = step::<T>();
    const SINGLE: bool = false;

    fn from_numbers(numbers: &[Self::Number]) -> Option<Self> {
        Vec::from_numbers(numbers).map(Vec::into_boxed_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_come_back_by_name() {
        for bits in [
            0x7fc0_0000,
            0x7fc0_0001,
            0xffc0_0000,
            0x7f80_0001,
            0xffff_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x8000_0000_u32,
        ] {
            let name = special_name(Scalar::Single(f32::from_bits(bits))).unwrap();
            assert_eq!(special::<f32>(&name).map(f32::to_bits), Some(bits), "{name}");
        }
        for bits in [
            ORDINARY_NAN,
            0xfff8_0000_0000_0000,
            0x7ff0_0000_0000_0001,
            u64::MAX,
            0x7ff0_0000_0000_0000,
            0xfff0_0000_0000_0000,
            0x8000_0000_0000_0000,
        ] {
            let name = special_name(Scalar::Double(f64::from_bits(bits))).unwrap();
            assert_eq!(special::<f64>(&name).map(f64::to_bits), Some(bits), "{name}");
        }
        for name in ["", "0", "NaN", "nan:", "nan:0x", "nan:0x3ff0000000000000", "nan:0x+7fc00001"]
        {
            assert_eq!(special::<f64>(name), None, "{name}");
        }
        assert_eq!(special::<f32>("nan:0x7ff8000000000001"), None);
        assert_eq!(special::<i32>("nan"), None);
    }

    #[test]
    fn numbers_are_read_in_their_own_width() {
        // Halfway between two 32-bit floats, and just above it: by way of 64 bits both would go
        // the same way.
        assert_eq!(parse::<f32>("1.00000005960464477539062500001"), Ok(1.000_000_1));
        assert_eq!(parse::<f32>("1.000000059604644775390625"), Ok(1.0));
        assert!(parse::<f32>("1e39").is_err());
        assert!(parse::<f64>("1e400").is_err());
        assert!(parse::<i32>("2147483648").is_err());
        assert_eq!(parse::<i64>("-9223372036854775808"), Ok(i64::MIN));
        assert!(parse::<i64>("9223372036854775808").is_err());
        assert!(parse::<u8>("256").is_err());
        assert!(parse::<i32>("1.0").is_err());
    }
}

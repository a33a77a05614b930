//! Floats that are not JSON numbers, and numbers in all widths.

use crate::schema::Layout;
use crate::wire::Number;

/// The tag of a float that is not a JSON number.
pub const FLOAT: &str = "$float";

/// A number in one of the widths that values hold.
#[derive(Clone, Copy, Debug)]
pub enum Scalar {
    Whole(i64),
    Single(f32),
    Double(f64),
}

impl Scalar {
    pub fn of<N: Number>(number: N) -> Self {
        match N::LAYOUT {
            Layout::Float(4) => Self::Single(bytemuck::cast(number)),
            Layout::Float(_) => Self::Double(bytemuck::cast(number)),
            _ => Self::Whole(number.as_i64()),
        }
    }

    pub fn is_finite(self) -> bool {
        match self {
            Self::Whole(_) => true,
            Self::Single(number) => number.is_finite(),
            Self::Double(number) => number.is_finite(),
        }
    }
}

/// The NaN that is written without its bits.
pub const ORDINARY_NAN: u64 = 0x7ff8_0000_0000_0000;
const ORDINARY_NAN_SINGLE: u32 = 0x7fc0_0000;

/// Returns the name of a float that is not a JSON number, or that JSON programs tend to change.
pub fn special_name(scalar: Scalar) -> Option<String> {
    let number = match scalar {
        Scalar::Whole(_) => return None,
        Scalar::Single(number) => f64::from(number),
        Scalar::Double(number) => number,
    };
    if number.is_nan() {
        // `number` is not used here: widening a NaN may change it.
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

/// Returns the float with this name, in the width of `N`.
pub fn special<N: Number>(name: &str) -> Option<N> {
    let bits = match name.strip_prefix("nan:0x") {
        // A sign before the digits would be read as well.
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
    match N::LAYOUT {
        Layout::Float(4) => {
            let number = match bits {
                Some(bits) => f32::from_bits(u32::try_from(bits).ok()?),
                None if number.is_nan() => f32::from_bits(ORDINARY_NAN_SINGLE),
                None => number as f32,
            };
            (bits.is_none() || number.is_nan()).then(|| bytemuck::cast(number))
        }
        Layout::Float(_) => {
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

/// Returns a number that serde passes in 32 bits, in the width of `N`; [`None`] if `N` is an integer type and cannot
/// hold the number.
pub fn of_single<N: Number>(number: f32) -> Option<N> {
    match N::LAYOUT {
        // The bits are copied: in another width, a NaN may change.
        Layout::Float(4) => Some(bytemuck::cast(number)),
        Layout::Float(_) => Some(N::of_f64(number.into())),
        _ => of_float(number.into()),
    }
}

/// Returns a number that serde passes in 64 bits, in the width of `N`; [`None`] if `N` is an integer type and cannot
/// hold the number.
pub fn of_float<N: Number>(number: f64) -> Option<N> {
    /// The first float that is too large for 64 bits.
    const END: f64 = 9_223_372_036_854_775_808.0;
    match N::LAYOUT {
        Layout::Float(4) => Some(bytemuck::cast(number as f32)),
        Layout::Float(_) => Some(bytemuck::cast(number)),
        _ if number.fract() == 0.0 && (-END..END).contains(&number) => of_whole(number as i64),
        _ => None,
    }
}

/// Returns a whole number in the width of `N`; [`None`] if it does not fit.
pub fn of_whole<N: Number>(number: i64) -> Option<N> {
    match N::LAYOUT {
        Layout::Float(4) => Some(bytemuck::cast(number as f32)),
        Layout::Float(_) => Some(bytemuck::cast(number as f64)),
        _ => Some(N::of_i64(number)).filter(|made| made.as_i64() == number),
    }
}

/// Returns a number of 32 bits for people: the float of 64 bits with the same digits.
pub fn readable(number: f32) -> f64 {
    let digits = format!("{number:?}").parse::<f64>();
    digits.ok().filter(|&wide| wide as f32 == number).unwrap_or_else(|| number.into())
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
}

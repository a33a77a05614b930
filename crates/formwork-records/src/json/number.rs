//! Numbers without loss.

use crate::schema::{Integer, Layout};
use crate::wire::Number;

pub use crate::notation::{ORDINARY_NAN, Scalar, special, special_name};

/// Parses the JSON number `token` in the width of `N`; `Err` has the expected form.
pub fn parse<N: Number>(token: &str) -> Result<N, &'static str> {
    match N::LAYOUT {
        // The digits are converted directly to this width: by way of 64 bits, the number would be rounded twice.
        Layout::Float(4) => token
            .parse::<f32>()
            .ok()
            .filter(|number| number.is_finite())
            .map(bytemuck::cast)
            .ok_or("a number that 32-bit floats reach"),
        Layout::Float(_) => token
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

/// Returns the range of whole numbers of a shape, in words.
const fn range(shape: Layout) -> &'static str {
    match shape {
        Layout::Integer { number: Integer { bits: 8, signed: false }, .. } => {
            "a whole number from 0 to 255"
        }
        Layout::Integer { number: Integer { bits: 8, .. }, .. } => "a number from -128 to 127",
        Layout::Integer { number: Integer { bits: 16, signed: false }, .. } => {
            "a number from 0 to 65535"
        }
        Layout::Integer { number: Integer { bits: 16, .. }, .. } => "a whole number of 16 bits",
        Layout::Integer { number: Integer { bits: 32, signed: false }, .. } => {
            "a number from 0 to 4294967295"
        }
        Layout::Integer { number: Integer { bits: 32, .. }, .. } => "a whole number of 32 bits",
        _ => "a whole number of 64 bits",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_their_own_width() {
        // Halfway between two 32-bit floats, and just above it: by way of 64 bits, both would be rounded in the same
        // direction.
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

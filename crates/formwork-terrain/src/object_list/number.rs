//! Numbers with six decimals, as C's `printf("%.6f")` writes them.

use std::io::Write;
use std::str::FromStr;

use formwork::Error;

use crate::object_list::rule;

/// The number of decimals in an object list.
const DECIMALS: usize = 6;

/// Millionths in one: ten to the power of [`DECIMALS`].
const MILLION: u128 = 1_000_000;

/// A number rounded to six decimals. Numbers with the same text have the same value.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(super) enum SixDecimals {
    /// Millionths, rounded to the nearest, ties to even; and whether there is a minus sign (negative zero has one).
    Millionths(u64, bool),
    /// The bits of a number that is too large for millionths, or not finite. (No two numbers of this size have the same
    /// text.)
    Other(u64),
}

impl SixDecimals {
    /// Returns the number at six decimals.
    pub(super) fn of(number: f64) -> Self {
        const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
        /// The excess of a number's exponent, when its fraction is taken as an integer.
        const BIAS: i32 = f64::MAX_EXP - 1 + FRACTION_BITS as i32;

        let bits = number.to_bits();
        let biased = (number.abs().to_bits() >> FRACTION_BITS) as i32;
        let fraction = bits & ((1 << FRACTION_BITS) - 1);
        // number = integer * 2^exponent; subnormal numbers have no leading one.
        let (integer, exponent) = match biased {
            0 => (fraction, 1 - BIAS),
            _ => (fraction | (1 << FRACTION_BITS), biased - BIAS),
        };
        // 53 bits times 20 bits leave room in 128 bits; larger shifts leave less than a half.
        let millionths = u128::from(integer) * MILLION;
        let rounded = match exponent {
            // 2^52 and more: whole numbers.
            0.. => None,
            -127..0 => {
                let shift = exponent.unsigned_abs();
                let (whole, rest) = (millionths >> shift, millionths & ((1 << shift) - 1));
                let half = 1 << (shift - 1);
                Some(whole + u128::from(rest > half || (rest == half && whole % 2 == 1)))
            }
            _ => Some(0),
        };
        match rounded.map(u64::try_from) {
            Some(Ok(millionths)) => Self::Millionths(millionths, number.is_sign_negative()),
            _ => Self::Other(bits),
        }
    }
}

/// Writes a finite number with six decimals. Halves in the exact value of the number are rounded to even.
pub(super) fn write_six(number: f64, out: &mut Vec<u8>) {
    /// Digits of the largest number of millionths, with the point.
    const MOST: usize = 21;

    let SixDecimals::Millionths(mut left, minus) = SixDecimals::of(number) else {
        // Writing to memory does not fail. The standard library rounds in the same way, only slower.
        let _ = write!(out, "{number:.DECIMALS$}");
        return;
    };
    if minus {
        out.push(b'-');
    }
    let mut digits = [0; MOST];
    let mut unused = MOST;
    for (from_end, slot) in digits.iter_mut().rev().enumerate() {
        if from_end == DECIMALS {
            *slot = b'.';
        } else {
            *slot = b'0' + (left % 10) as u8;
            left /= 10;
        }
        unused -= 1;
        if left == 0 && from_end > DECIMALS {
            break;
        }
    }
    out.extend_from_slice(digits.get(unused..).unwrap_or_default());
}

/// Parses a number: in decimals, with or without an exponent, or `NaN`, `inf`, `-inf`. [`None`] if the text is not a
/// number, or if the number is too large for the type.
pub(super) fn parse<T: FromStr + Into<f64> + Copy>(text: &[u8]) -> Option<T> {
    let number: T = std::str::from_utf8(text).ok()?.parse().ok()?;
    let wide: f64 = number.into();
    // The standard library reads numbers that are too large as infinity.
    (wide.is_finite() || is_named(text)).then_some(number)
}

/// Whether the text is a name, `NaN` or `inf`, instead of digits.
pub(super) fn is_named(text: &[u8]) -> bool {
    !text.iter().any(u8::is_ascii_digit)
}

/// Returns the fault of a text that is not a number.
#[cold]
pub(super) fn fault(offset: u64, text: &[u8]) -> Error {
    let found = format!("\"{}\"", text.escape_ascii());
    Error::new(rule::LINE, offset, "a number such as 12.5, with a point", found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn six(number: f64) -> String {
        let mut out = Vec::new();
        write_six(number, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn known_numbers() {
        let known = [
            (0.0, "0.000000"),
            (-0.0, "-0.000000"),
            (1.0, "1.000000"),
            (-1e-9, "-0.000000"),
            (0.1 + 0.2, "0.300000"),
            (200_000.123_456_789, "200000.123457"),
            // Exactly half a millionth more: to even.
            (1.0 / 128.0, "0.007812"),
            (3.0 / 128.0, "0.023438"),
            // The doubles next to half a millionth.
            (0.000_000_5, "0.000000"),
            (0.000_001_5, "0.000002"),
            (0.999_999_6, "1.000000"),
            (f64::MIN_POSITIVE, "0.000000"),
            (5e-324, "0.000000"),
            (9_007_199_254_740_993.0, "9007199254740992.000000"),
            (18_446_744_073_709.55, "18446744073709.550781"),
            (18_446_744_073_709.555, "18446744073709.554688"),
            (1e22, "10000000000000000000000.000000"),
            (f64::from(0.1_f32), "0.100000"),
            (f64::from(359.999_97_f32), "359.999969"),
        ];
        for (number, text) in known {
            assert_eq!(six(number), text);
        }
        assert_eq!(six(f64::MAX).len(), 309 + 7);
    }

    /// Compares with the standard library, which is exact: random bits, and numbers of a map's size.
    #[test]
    fn as_the_standard_library_writes_them() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..400_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let bits = state ^ (state >> 29);
            let number = match round % 4 {
                0 => f64::from_bits(bits),
                1 => f64::from(f32::from_bits(bits as u32)),
                2 => bits as i64 as f64 / 1e13,
                // Many halves of a millionth.
                _ => (bits as i32) as f64 / 128.0,
            };
            if number.is_finite() {
                assert_eq!(six(number), format!("{number:.6}"), "{number:e}");
            }
        }
    }

    #[test]
    fn the_same_at_six_decimals() {
        for (one, other) in [(1.0, 1.0 + 1e-9), (-0.0, -1e-8), (5.000_000_4, 5.0)] {
            assert_eq!(SixDecimals::of(one), SixDecimals::of(other));
        }
        for (one, other) in [(1.0, -1.0), (0.0, -0.0), (5.000_001, 5.0), (1e30, 2e30)] {
            assert_ne!(SixDecimals::of(one), SixDecimals::of(other));
        }
    }
}

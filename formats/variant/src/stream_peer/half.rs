//! Converts numbers to and from half precision as the engine does.

/// Returns the bits that the engine's `put_half` writes: digits that do not fit are cut off, not rounded; a number
/// below 2^-14 becomes 0, without a sign; 65536 and more become infinite; every NaN becomes the one with all bits
/// set. (godotengine/godot, core/math, `make_half_float`.)
pub(super) fn to_bits(number: f32) -> u16 {
    let bits = number.to_bits();
    let sign = (bits >> 16) as u16 & 0x8000;
    // The exponents of the two formats are 112 apart, and 13 more bits follow the digits.
    let digits = (bits >> 13) as u16 & 0x03ff;
    match bits >> 23 & 0xff {
        0xff if number.is_nan() => sign | 0x7fff,
        143.. => sign | 0x7c00,
        exponent @ 113.. => sign | (exponent as u16 - 112) << 10 | digits,
        _ => 0,
    }
}

/// The number with these bits.
pub(super) fn from_bits(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let digits = u32::from(bits & 0x03ff);
    match u32::from(bits >> 10 & 0x1f) {
        // Less than 2^-14, in units of 2^-24: exact in single precision.
        0 => f32::from_bits(sign | (digits as f32 / 16_777_216.0).to_bits()),
        0x1f => f32::from_bits(sign | 0x7f80_0000 | digits << 13),
        exponent => f32::from_bits(sign | (exponent + 112) << 23 | digits << 13),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_unless_they_are_too_small() {
        for bits in 0..=u16::MAX {
            let number = from_bits(bits);
            let small = bits & 0x7c00 == 0;
            let nan = bits & 0x7c00 == 0x7c00 && bits & 0x03ff != 0;
            assert_eq!(number.is_nan(), nan, "{bits:x}");
            let again = if small {
                0
            } else if nan {
                bits | 0x7fff
            } else {
                bits
            };
            assert_eq!(to_bits(number), again, "{bits:x}");
        }
    }

    #[test]
    fn digits_are_cut_off_as_the_engine_does() {
        // The number of the engine's own unit test (pull request 97716).
        assert_eq!(from_bits(to_bits(15.1234)), 15.117_187_5);
        assert_eq!(to_bits(1.0), 0x3c00);
        assert_eq!(to_bits(-2.0), 0xc000);
        assert_eq!(to_bits(65_535.9), 0x7bff);
        assert_eq!(to_bits(65_536.0), 0x7c00);
        assert_eq!(to_bits(-0.0), 0);
        assert_eq!(from_bits(0x0001), 2.0_f32.powi(-24));
        assert_eq!(from_bits(0x8001), -(2.0_f32.powi(-24)));
        assert_eq!(from_bits(0x0400), 2.0_f32.powi(-14));
    }
}

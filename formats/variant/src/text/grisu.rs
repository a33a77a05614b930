//! Shortest decimal digits as Godot 4.5 and later find them: Grisu2, from Florian Loitsch's paper
//! "Printing Floating-Point Numbers Quickly and Accurately with Integers" (PLDI 2010).
//!
//! Grisu2 is not always the shortest nor always the closest (0.01207 comes out as
//! 0.012070000000000001), so the exact algorithm is part of the format.

/// A number `f * 2^e` without sign, its significand in 64 bits.
#[derive(Clone, Copy)]
struct DiyFp {
    f: u64,
    e: i32,
}

impl DiyFp {
    /// The product, its significand rounded (half up) to 64 bits.
    fn times(self, other: Self) -> Self {
        let product = u128::from(self.f) * u128::from(other.f);
        Self { f: ((product + (1 << 63)) >> 64) as u64, e: self.e + other.e + 64 }
    }

    fn normalized(self) -> Self {
        let shift = self.f.leading_zeros();
        Self { f: self.f << shift, e: self.e - shift as i32 }
    }
}

/// A finite positive number between the neighbours from which it must be distinguished.
struct Interval {
    low: DiyFp,
    value: DiyFp,
    high: DiyFp,
}

impl Interval {
    /// All three with the same exponent. `fraction_bits` is the width of the type's fraction,
    /// `least_exponent` the exponent of its subnormals.
    fn new(bits: u64, fraction_bits: u32, least_exponent: i32) -> Self {
        let fraction = bits & ((1 << fraction_bits) - 1);
        let exponent = (bits >> fraction_bits) as i32;
        let value = match exponent {
            0 => DiyFp { f: fraction, e: least_exponent },
            _ => DiyFp { f: fraction | 1 << fraction_bits, e: least_exponent + exponent - 1 },
        };
        let high = DiyFp { f: 2 * value.f + 1, e: value.e - 1 }.normalized();
        // Below a power of two the next number is only half as far away.
        let low = match fraction == 0 && exponent > 1 {
            true => DiyFp { f: 4 * value.f - 1, e: value.e - 2 },
            false => DiyFp { f: 2 * value.f - 1, e: value.e - 1 },
        };
        let low = DiyFp { f: low.f << (low.e - high.e), e: high.e };
        Self { low, value: value.normalized(), high }
    }
}

/// Significant digits and the power of ten that the last of them counts.
pub(super) struct Digits {
    digits: [u8; 20],
    length: usize,
    /// The value is the digits, read as a whole number, times ten to this.
    pub(super) exponent: i32,
}

impl Digits {
    /// Returns the digits of a finite number above zero.
    pub(super) fn of_f64(number: f64) -> Self {
        Self::within(&Interval::new(number.to_bits(), 52, -1074))
    }

    /// Returns the digits of a finite single-precision number above zero: as few as distinguish it from other
    /// `f32`s.
    pub(super) fn of_f32(number: f32) -> Self {
        Self::within(&Interval::new(u64::from(number.to_bits()), 23, -149))
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.digits[..self.length]
    }

    fn within(interval: &Interval) -> Self {
        let (power, ten_exponent) = cached_power(interval.high.e);
        let value = interval.value.times(power);
        let low = interval.low.times(power);
        let high = interval.high.times(power);
        // The products may be off by one in the last place: the interval that is certainly inside is one less at
        // either end.
        let (low, high) = (low.f + 1, DiyFp { f: high.f - 1, e: high.e });
        let mut digits = Self { digits: [0; 20], length: 0, exponent: -ten_exponent };
        digits.generate(high, high.f - low, high.f - value.f);
        digits
    }

    /// Digits of `high`, as few as stay within `width` of it, then moved towards the value,
    /// which is `distance` below it.
    fn generate(&mut self, high: DiyFp, mut width: u64, mut distance: u64) {
        let shift = high.e.unsigned_abs();
        let one = 1_u64 << shift;
        let mut whole = (high.f >> shift) as u32;
        let mut fraction = high.f & (one - 1);

        let mut remaining = whole.checked_ilog10().map_or(1, |log| log + 1);
        while remaining > 0 {
            remaining -= 1;
            let power = 10_u32.pow(remaining);
            self.push(whole / power);
            whole %= power;
            let rest = (u64::from(whole) << shift) + fraction;
            if rest <= width {
                self.exponent += remaining as i32;
                self.approach(distance, width, rest, u64::from(power) << shift);
                return;
            }
        }
        loop {
            fraction *= 10;
            width *= 10;
            distance *= 10;
            self.exponent -= 1;
            self.push((fraction >> shift) as u32);
            fraction &= one - 1;
            if fraction <= width {
                self.approach(distance, width, fraction, one);
                return;
            }
        }
    }

    fn push(&mut self, digit: u32) {
        // 17 digits distinguish every f64 from every other; the loop ends before there are 20.
        self.digits[self.length] = b'0' + digit as u8;
        self.length += 1;
    }

    /// Lowers the last digit, worth `unit`, while that brings the digits closer to the value and
    /// keeps them inside the interval.
    fn approach(&mut self, distance: u64, width: u64, mut rest: u64, unit: u64) {
        while rest < distance
            && width - rest >= unit
            && (rest + unit < distance || distance - rest > rest + unit - distance)
        {
            self.digits[self.length - 1] -= 1;
            rest += unit;
        }
    }
}

/// The exponents that a product may have, so that its whole part fits 32 bits: the paper's alpha
/// and gamma.
const ALPHA: i32 = -60;
const FIRST_POWER: i32 = -300;
const POWER_STEP: i32 = 8;
const POWERS: usize = 79;

/// The smallest of the stored powers of ten that brings a significand of 64 bits with this binary
/// exponent to an exponent of [`ALPHA`] or more; and which power it is.
fn cached_power(binary_exponent: i32) -> (DiyFp, i32) {
    // log10(2) as a fraction of 2^18, exact enough for all exponents of f64.
    let bits = ALPHA - binary_exponent - 1;
    let least = (bits * 78_913) / (1 << 18) + i32::from(bits > 0);
    let index = (least - FIRST_POWER + POWER_STEP - 1) / POWER_STEP;
    // The exponents of f64 stay within the table: -1137 to 960 give 0 to 78.
    let index = index.clamp(0, POWERS as i32 - 1);
    (CACHED_POWERS[index as usize], FIRST_POWER + index * POWER_STEP)
}

static CACHED_POWERS: [DiyFp; POWERS] = cached_powers();

const fn cached_powers() -> [DiyFp; POWERS] {
    let mut powers = [DiyFp { f: 0, e: 0 }; POWERS];
    let mut at = 0;
    while at < POWERS {
        powers[at] = power_of_ten(FIRST_POWER + at as i32 * POWER_STEP);
        at += 1;
    }
    powers
}

/// Words of a number large enough for 5^324 and for 2^900 / 5^300 with all the bits that count.
const WORDS: usize = 15;

/// 10^exponent, rounded to 64 significant bits.
const fn power_of_ten(exponent: i32) -> DiyFp {
    let mut number = [0_u64; WORDS];
    let mut binary_exponent = exponent;
    let mut left = exponent.unsigned_abs();
    if exponent < 0 {
        // A large power of two divided by five again and again: cutting off at each step gives
        // the same as cutting off once.
        number[WORDS - 1] = 1;
        binary_exponent -= 64 * (WORDS as i32 - 1);
    } else {
        number[0] = 1;
    }
    while left > 0 {
        let step = if left < 27 { left } else { 27 };
        let factor = 5_u64.pow(step);
        number = if exponent < 0 { divided(number, factor) } else { multiplied(number, factor) };
        left -= step;
    }
    rounded(&number, binary_exponent)
}

const fn multiplied(mut number: [u64; WORDS], factor: u64) -> [u64; WORDS] {
    let mut carry = 0_u128;
    let mut at = 0;
    while at < WORDS {
        let product = number[at] as u128 * factor as u128 + carry;
        number[at] = product as u64;
        carry = product >> 64;
        at += 1;
    }
    number
}

const fn divided(mut number: [u64; WORDS], divisor: u64) -> [u64; WORDS] {
    let mut rest = 0_u128;
    let mut at = WORDS;
    while at > 0 {
        at -= 1;
        let part = rest << 64 | number[at] as u128;
        number[at] = (part / divisor as u128) as u64;
        rest = part % divisor as u128;
    }
    number
}

/// The highest 64 bits, rounded by the next one, of a number times 2^exponent.
const fn rounded(number: &[u64; WORDS], exponent: i32) -> DiyFp {
    let mut top = WORDS - 1;
    while number[top] == 0 && top > 0 {
        top -= 1;
    }
    let below = if top > 0 { number[top - 1] } else { 0 };
    let zeros = number[top].leading_zeros();
    let joined = ((number[top] as u128) << 64 | below as u128) << zeros;
    let mut f = (joined >> 64) as u64;
    let mut e = exponent + 64 * top as i32 - zeros as i32;
    if (joined as u64) >> 63 == 1 {
        // No power of ten in the table has 64 ones on top; the carry is for completeness.
        (f, e) = match f.checked_add(1) {
            Some(f) => (f, e),
            None => (1 << 63, e + 1),
        };
    }
    DiyFp { f, e }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_powers_are_the_papers() {
        assert_eq!(CACHED_POWERS[0].f, 0xab70_fe17_c79a_c6ca);
        assert_eq!(CACHED_POWERS[0].e, -1060);
        assert_eq!(CACHED_POWERS[78].f, 0x9e19_db92_b4e3_1ba9);
        assert_eq!(CACHED_POWERS[78].e, 1013);
        assert!(CACHED_POWERS.iter().all(|power| power.f >> 63 == 1));
    }

    #[test]
    fn digits_read_back() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..20_000 {
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let number = f64::from_bits(bits & (u64::MAX >> 1));
            if number.is_finite() && number > 0.0 {
                let digits = Digits::of_f64(number);
                let text = std::str::from_utf8(digits.as_bytes()).unwrap();
                assert!(text.len() <= 17, "{number:e} has the digits {text}");
                assert_eq!(format!("{text}e{}", digits.exponent).parse(), Ok(number));
            }
        }
    }

    #[test]
    fn every_power_of_two_reads_back() {
        for exponent in 0..2047_u64 {
            for fraction in [0, 1, (1 << 52) - 1] {
                let number = f64::from_bits(exponent << 52 | fraction);
                if number > 0.0 {
                    let digits = Digits::of_f64(number);
                    let text = std::str::from_utf8(digits.as_bytes()).unwrap();
                    assert_eq!(format!("{text}e{}", digits.exponent).parse(), Ok(number));
                }
            }
        }
        for exponent in 0..255_u32 {
            for fraction in [0, 1, (1 << 23) - 1] {
                let number = f32::from_bits(exponent << 23 | fraction);
                if number > 0.0 {
                    let digits = Digits::of_f32(number);
                    let text = std::str::from_utf8(digits.as_bytes()).unwrap();
                    assert_eq!(format!("{text}e{}", digits.exponent).parse(), Ok(number));
                }
            }
        }
    }
}

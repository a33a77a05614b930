//! Makes numbers by their declared shape: boundary values, ordinary ones, and any bits.

use arbitrary::{Result, Unstructured};
use bytemuck::{AnyBitPattern, Zeroable};

use super::Config;
use super::choice::{below, chance, one_of};
use crate::schema::{Integer, Layout, Schema};
use crate::wire::Element;

/// Returns the bits of a number of this shape; 0 for shapes that are not numbers.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub fn bits(u: &mut Unstructured<'_>, shape: Layout, config: &Config) -> Result<u64> {
    match shape {
        Layout::Integer { number: Integer { bits, .. }, .. } => integer(u, bits, config),
        Layout::Float(bytes) => float(u, bytes, config),
        // The function is only called for numbers.
        _ => Ok(0),
    }
}

/// Returns a number of a declared type.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub fn number<T: AnyBitPattern + Schema>(u: &mut Unstructured<'_>, config: &Config) -> Result<T> {
    let bytes = bits(u, T::LAYOUT, config)?.to_ne_bytes();
    // These are the low bytes, which come first on nearly all machines.
    let start = if cfg!(target_endian = "big") { bytes.len() - size_of::<T>() } else { 0 };
    Ok(bytemuck::pod_read_unaligned(&bytes[start..start + size_of::<T>()]))
}

/// Returns an element of a packed array, number by number.
///
/// # Errors
///
/// Those of [`Unstructured`].
pub fn element<T>(u: &mut Unstructured<'_>, config: &Config) -> Result<T>
where
    T: Element,
    T::Number: Schema,
{
    let mut array = T::Array::zeroed();
    for part in bytemuck::cast_slice_mut::<T::Array, T::Number>(std::slice::from_mut(&mut array)) {
        *part = number(u, config)?;
    }
    Ok(T::from_components(array))
}

/// Returns the bits of every boundary value of a number of this shape, each once.
#[must_use]
pub fn boundaries(shape: Layout) -> Vec<u64> {
    let mut all = Vec::new();
    let mut add = |bits: u64| {
        if !all.contains(&bits) {
            all.push(bits);
        }
    };
    match shape {
        Layout::Integer { number: Integer { bits, .. }, .. } => {
            let width = u32::from(bits);
            let ones = u64::MAX >> (64 - width);
            [0, 1, 2, ones, ones - 1].into_iter().for_each(&mut add);
            // The bounds of each narrower width, of a 64-bit float, and of the type itself.
            for power in [7, 8, 15, 16, 31, 32, 53, 63].map(|bit| 1_u64 << bit) {
                for bits in [power - 1, power, power + 1, power.wrapping_neg(), !power] {
                    add(bits & ones);
                }
            }
        }
        Layout::Float(bytes) => {
            for edge in EDGES {
                let bits = of_width(edge, bytes);
                [bits, bits ^ 1].into_iter().for_each(&mut add);
            }
            // Quiet and signalling NaNs, negative ones, and with every bit of the payload.
            let (infinity, quiet) = (of_width(f64::INFINITY, bytes), of_width(f64::NAN, bytes));
            let sign = 1_u64 << (8 * u32::from(bytes) - 1);
            for bits in [infinity | 1, quiet | 1, sign - 1] {
                [bits, bits | sign].into_iter().for_each(&mut add);
            }
        }
        // The function is only called for numbers.
        _ => {}
    }
    all
}

/// Returns the bits of a number in `bytes` bytes.
fn of_width(number: f64, bytes: u8) -> u64 {
    if bytes == 4 { u64::from((number as f32).to_bits()) } else { number.to_bits() }
}

/// Returns the bits of an integer. The sign does not matter: the boundaries of signed and unsigned integers are
/// included.
fn integer(u: &mut Unstructured<'_>, width: u8, config: &Config) -> Result<u64> {
    let width = u32::from(width);
    let ones = u64::MAX >> (64 - width);
    let top = 1_u64 << (width - 1);
    if !chance(u, config.boundary_percent)? {
        // Small numbers are the most frequent, of either sign.
        let small = i64::from(u.arbitrary::<i8>()?) as u64;
        return Ok(if chance(u, 30)? { u.arbitrary()? } else { small } & ones);
    }
    let power = 1_u64 << below(u, width as usize)?;
    let bits = match below(u, 10)? {
        0 => 0,
        1 => 1,
        2 => ones,
        3 => top,
        4 => top - 1,
        5 => top + 1,
        6 => power,
        7 => power - 1,
        8 => power.wrapping_neg(),
        // This is just outside the range of the next narrower width.
        _ => (power.wrapping_neg()).wrapping_sub(1),
    };
    Ok(bits & ones)
}

/// Boundary values of a 64-bit float. They include those of 32 bits, and the numbers on either side of the 32-bit
/// bounds.
pub const EDGES: [f64; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    0.5,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    // The smallest subnormal numbers: 64 bits, 32 bits.
    5e-324,
    1.401_298_464_324_817e-45,
    f32::MAX as f64,
    f32::MIN as f64,
    f32::MIN_POSITIVE as f64,
    // Halfway from the largest 32-bit number to the next one that would follow: rounds to infinity.
    3.402_823_567_797_336_6e38,
    // The last whole numbers that 32 and 64 bits hold without gaps, and the next.
    16_777_216.0,
    16_777_217.0,
    9_007_199_254_740_992.0,
    9_007_199_254_740_994.0,
    // Numbers beyond the integers of 32 and 64 bits.
    2_147_483_648.0,
    9_223_372_036_854_775_808.0,
    // Numbers at which engines change to an exponent.
    1e15,
    1e-5,
];

fn float(u: &mut Unstructured<'_>, bytes: u8, config: &Config) -> Result<u64> {
    let single = bytes == 4;
    let of = |number: f64| of_width(number, bytes);
    let bits = if chance(u, config.boundary_percent)? {
        let edge = *one_of(u, &EDGES)?;
        match below(u, 8)? {
            // The neighbour differs in one bit.
            1 => of(edge) ^ 1,
            2 => {
                // A NaN with a payload, quiet or signalling.
                let payload = u.arbitrary::<u64>()?;
                if single {
                    0x7f80_0001 | (payload & 0x807f_ffff)
                } else {
                    0x7ff0_0000_0000_0001 | (payload & 0x800f_ffff_ffff_ffff)
                }
            }
            _ => of(edge),
        }
    } else if chance(u, 40)? {
        let bits = u.arbitrary::<u64>()?;
        if single { bits & u64::from(u32::MAX) } else { bits }
    } else {
        of(f64::from(u.arbitrary::<i16>()?) / 8.0)
    };
    let is_nan =
        if single { f32::from_bits(bits as u32).is_nan() } else { f64::from_bits(bits).is_nan() };
    Ok(if is_nan && !config.odd_values { of(f64::NAN) } else { bits })
}

//! Converts floats to whole numbers as the engines do.

/// Converts a float to an int of 64 bits, as the engines' builds for x86-64 do: a float out of range becomes the
/// smallest int. (Builds for ARM give the nearest.)
pub(crate) fn whole64(number: f64) -> i64 {
    // 2^63 is the first float that does not fit; -2^63 itself is the result either way.
    let fits = number > -9_223_372_036_854_775_808.0 && number < 9_223_372_036_854_775_808.0;
    if fits { number as i64 } else { i64::MIN }
}

/// Converts a float to an int of 32 bits in the same way.
pub(crate) fn whole32(number: f64) -> i32 {
    i32::try_from(whole64(number)).unwrap_or(i32::MIN)
}

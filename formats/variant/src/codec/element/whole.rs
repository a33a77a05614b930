//! Converts floats to whole numbers as Godot 4 does.

/// Converts a float to an int of 64 bits, as the engine's build for x86-64 does: a float out of range becomes the
/// smallest int. (Builds for ARM give the nearest.)
pub(super) fn whole64(number: f64) -> i64 {
    // 2^63 is the first float that does not fit; -2^63 itself is the result either way.
    let fits = number > -9_223_372_036_854_775_808.0 && number < 9_223_372_036_854_775_808.0;
    if fits { number as i64 } else { i64::MIN }
}

/// A float as an int of 32 bits, in the same way.
pub(super) fn whole32(number: f64) -> i32 {
    i32::try_from(whole64(number)).unwrap_or(i32::MIN)
}

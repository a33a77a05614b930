//! Conversions of numbers and texts to numbers.

/// Converts a float to an int as x86-64 processors do: a number that does not fit becomes the smallest int.
pub(crate) fn whole64(number: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&number) { number as i64 } else { i64::MIN }
}

/// Converts a float to an int of 32 bits in the same way.
pub(crate) fn whole32(number: f64) -> i32 {
    i32::try_from(whole64(number)).unwrap_or(i32::MIN)
}

/// Returns the number that the digits of a text up to the first `.` form. Other characters between the digits
/// are ignored.
pub(crate) fn leading_int(text: &[u8]) -> i64 {
    let mut number = 0_u64;
    let mut negative = false;
    for &byte in text.iter().take_while(|&&byte| byte != b'.') {
        match byte {
            b'0'..=b'9' => number = number.saturating_mul(10).saturating_add((byte - b'0').into()),
            b'-' if number == 0 => negative = !negative,
            _ => {}
        }
    }
    let number = i128::from(number) * if negative { -1 } else { 1 };
    number.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// Returns the number that a text starts with after blanks: a sign, digits with an optional point, an
/// exponent.
pub(crate) fn leading_float(text: &[u8]) -> f64 {
    let blanks = text.iter().take_while(|byte| b" \t\n\r".contains(byte)).count();
    let (sign, text) = signed(&text[blanks..]);
    let (whole, rest) = digits(text);
    let (fraction, rest) = match rest {
        [b'.', rest @ ..] => digits(rest),
        rest => (&[][..], rest),
    };
    if whole.is_empty() && fraction.is_empty() {
        return sign * 0.0;
    }
    let mut number = [whole, b".", fraction].concat();
    if let [b'e' | b'E', rest @ ..] = rest {
        let (sign, rest) = signed(rest);
        number.extend_from_slice(if sign < 0.0 { b"e-0" } else { b"e0" });
        number.extend_from_slice(digits(rest).0);
    }
    sign * String::from_utf8_lossy(&number).parse::<f64>().unwrap_or(0.0)
}

/// Splits off an optional sign. Returns the sign and the rest.
fn signed(text: &[u8]) -> (f64, &[u8]) {
    match text {
        [b'-', rest @ ..] => (-1.0, rest),
        [b'+', rest @ ..] => (1.0, rest),
        rest => (1.0, rest),
    }
}

/// Splits off the digits at the start. Returns the digits and the rest.
fn digits(text: &[u8]) -> (&[u8], &[u8]) {
    text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count())
}

//! Numbers as the engines print them.

use std::io::Write;

use super::grisu::Digits;
use super::style::{Digits as Rule, Infinity, Style};

/// Appends a whole number.
pub(super) fn push_int(number: i64, out: &mut Vec<u8>) {
    // Writing to a Vec cannot fail.
    let _ = write!(out, "{number}");
}

/// Appends the value of a float: like a component, but always with a mark that it is no int.
pub(super) fn push_float(style: &Style, number: f64, out: &mut Vec<u8>) {
    let start = out.len();
    let number = match style.floats_are_single {
        true => f64::from(number as f32),
        false => number,
    };
    push_component(style, number, out);
    let text = &out[start..];
    let marked = text.iter().any(|byte| matches!(byte, b'.' | b'e'));
    // Godot 2 and 3 up to 3.4 print "inf.0" or "-inf.0" in functions that do not check for infinity.
    if !marked && !style.without_point.contains(&text) {
        out.extend_from_slice(b".0");
    }
}

/// Appends a component of a math type or an element of a packed array.
pub(super) fn push_component(style: &Style, number: f64, out: &mut Vec<u8>) {
    if number == 0.0 || (number.is_nan() && style.nan_is_zero) {
        out.push(b'0');
    } else if number.is_nan() {
        let signed = style.infinity == Infinity::Signed && number.is_sign_negative();
        out.extend_from_slice(if signed { b"-nan" } else { b"nan" });
    } else if number.is_infinite() {
        let negative = match style.infinity {
            Infinity::Signed => "-inf",
            Infinity::Named => "inf_neg",
        };
        out.extend_from_slice(if number > 0.0 { "inf" } else { negative }.as_bytes());
    } else {
        if number < 0.0 {
            out.push(b'-');
        }
        match style.digits {
            Rule::Six => push_six(number.abs(), out),
            Rule::Shortest => push_shortest(number.abs(), out),
        }
    }
}

/// C's `%g` with six digits.
fn push_six(number: f64, out: &mut Vec<u8>) {
    const PRECISION: i32 = 6;
    // Rust prints exactly, and rounds the omitted digits half to even, as the C libraries do.
    let exact = format!("{number:.5e}");
    let (digits, exponent) = exact.split_once('e').unwrap_or((&exact, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let mut digits: Vec<u8> = digits.bytes().filter(|&byte| byte != b'.').collect();
    while digits.len() > 1 && digits.last() == Some(&b'0') {
        digits.pop();
    }
    if (-4..PRECISION).contains(&exponent) {
        push_plain(&digits, exponent + 1, out);
    } else {
        push_scientific(&digits, exponent, out);
    }
}

/// Appends the digits of Grisu2, of the single-precision number if the number is exactly one. Godot 4.5 and later.
fn push_shortest(number: f64, out: &mut Vec<u8>) {
    let single = number as f32;
    let digits = match f64::from(single) == number {
        true => Digits::of_f32(single),
        false => Digits::of_f64(number),
    };
    let bytes = digits.as_bytes();
    let point = bytes.len() as i32 + digits.exponent;
    if (-3..=15).contains(&point) {
        push_plain(bytes, point, out);
    } else {
        push_scientific(bytes, point - 1, out);
    }
}

/// Digits with the decimal point after the first `point` of them.
fn push_plain(digits: &[u8], point: i32, out: &mut Vec<u8>) {
    let zeros = |count: i32, out: &mut Vec<u8>| out.extend((0..count).map(|_| b'0'));
    if point <= 0 {
        out.extend_from_slice(b"0.");
        zeros(-point, out);
        out.extend_from_slice(digits);
    } else if let Some((whole, fraction)) = digits.split_at_checked(point as usize)
        && !fraction.is_empty()
    {
        out.extend_from_slice(whole);
        out.push(b'.');
        out.extend_from_slice(fraction);
    } else {
        out.extend_from_slice(digits);
        zeros(point - digits.len() as i32, out);
    }
}

/// Appends one digit before the point, and an exponent with a sign and at least two digits.
fn push_scientific(digits: &[u8], exponent: i32, out: &mut Vec<u8>) {
    out.extend_from_slice(&digits[..1]);
    if digits.len() > 1 {
        out.push(b'.');
        out.extend_from_slice(&digits[1..]);
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    // Writing to a Vec cannot fail.
    let _ = write!(out, "e{sign}{:02}", exponent.unsigned_abs());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dialect;

    fn float(dialect: &str, number: f64) -> String {
        let mut out = Vec::new();
        push_float(Style::of(dialect.parse().unwrap()), number, &mut out);
        String::from_utf8(out).unwrap()
    }

    fn component(dialect: &str, number: f64) -> String {
        let mut out = Vec::new();
        push_component(Style::of(dialect.parse::<Dialect>().unwrap()), number, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn six_digits() {
        for (number, text) in [
            (0.0, "0.0"),
            (-0.0, "0.0"),
            (1.0, "1.0"),
            (100_000.0, "100000.0"),
            (1_000_000.0, "1e+06"),
            (123_456_789.0, "1.23457e+08"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (999_999.5, "1e+06"),
            (0.1, "0.1"),
            (-2.5, "-2.5"),
            (1e300, "inf"),
            (f64::from_bits(1), "0.0"),
        ] {
            assert_eq!(float("godot3.6", number), text);
        }
        assert_eq!(float("godot4.3", 1e300), "1e+300");
    }

    #[test]
    fn shortest_digits() {
        for (number, text) in [
            (1.2, "1.2"),
            (30_000_000.0, "30000000.0"),
            (3e100, "3e+100"),
            (7e-100, "7e-100"),
            (std::f64::consts::TAU, "6.283185307179586"),
            (f64::MAX, "1.7976931348623157e+308"),
            (9_007_199_254_740_994.0, "9.007199254740994e+15"),
            (0.012_07, "0.012070000000000001"),
            (f64::from(0.1_f32), "0.1"),
            (f64::from(f32::from_bits(1)), "1e-45"),
            (0.001, "0.001"),
            (0.000_1, "0.0001"),
            (0.000_01, "1e-05"),
        ] {
            assert_eq!(float("godot4.6", number), text);
        }
        assert_eq!(component("godot4.6", 30_000_000.0), "30000000");
        assert_eq!(component("godot4.6", f64::from(1.234_567_9e30_f32)), "1.2345679e+30");
    }

    #[test]
    fn what_is_not_a_number() {
        assert_eq!(float("godot2", f64::NAN), "0.0");
        assert_eq!(float("godot2", f64::INFINITY), "inf.0");
        assert_eq!(float("godot3.2", f64::INFINITY), "inf");
        assert_eq!(float("godot3.2", f64::NEG_INFINITY), "-inf.0");
        assert_eq!(float("godot3.2", -f64::NAN), "-nan.0");
        assert_eq!(float("godot3.6", f64::NEG_INFINITY), "inf_neg");
        assert_eq!(float("godot4.6", -f64::NAN), "nan");
    }
}

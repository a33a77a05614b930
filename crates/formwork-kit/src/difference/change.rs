//! Descriptions of how a number or a text changed, in words that are the same for every packet with the same fault.

use std::borrow::Cow;

/// Describes the change of a whole number.
pub(super) fn of_integer(ours: i64, theirs: i64) -> &'static str {
    if ours.swap_bytes() == theirs {
        return "bytes in the other order";
    }
    // What a number of another language does to it is asked first: it explains most.
    if ours as f64 as i64 == theirs {
        return "rounded to 53 bits";
    }
    if ours as u32 == theirs as u32 {
        return "of the low 32 bits only";
    }
    if ours.wrapping_neg() == theirs {
        return "of the other sign";
    }
    "another number"
}

/// Describes a changed NaN. It names no type: a language treats all NaNs alike.
pub(super) const NAN: &str = "a NaN of other bits";

/// Describes the change of a real number; [`None`] if both are NaN and `any_nan` is set. The quiet bit of a NaN never
/// counts: moving the number through a register may set it.
pub(super) fn of_real(ours: f64, theirs: f64, any_nan: bool) -> Option<&'static str> {
    const QUIET: u64 = 1 << 51;
    if ours.to_bits() == theirs.to_bits() {
        return None;
    }
    Some(match (ours.is_nan(), theirs.is_nan()) {
        (true, true) if any_nan || (ours.to_bits() ^ theirs.to_bits()) & !QUIET == 0 => {
            return None;
        }
        (true, true) => NAN,
        (true, false) => "a number in place of NaN",
        (false, true) => "NaN in place of a number",
        (false, false) if ours == -theirs => "of the other sign",
        (false, false) if f64::from(ours as f32) == theirs => "rounded to 32 bits",
        (false, false) if ours.is_infinite() => "finite in place of infinity",
        (false, false) if ours.to_bits().swap_bytes() == theirs.to_bits() => {
            "bytes in the other order"
        }
        (false, false) => "another number",
    })
}

/// Describes the change of a list of numbers of one kind, each compared by `of`.
pub(super) fn of_list<T: Copy>(
    ours: &[T],
    theirs: &[T],
    of: impl Fn(T, T) -> Option<&'static str>,
) -> Option<Cow<'static, str>> {
    if ours.len() != theirs.len() {
        return Some(of_count(ours.len(), theirs.len(), "numbers").into());
    }
    let (&mine, &other) = ours.iter().zip(theirs).find(|(a, b)| of(**a, **b).is_some())?;
    // Only where there are few: every pair is compared.
    if ours.len() <= 16 && are_swapped(ours, theirs, &of) {
        return Some("numbers in another order".into());
    }
    of(mine, other).map(Into::into)
}

/// Whether each number of ours is one of theirs, and they are the same number of times in both.
fn are_swapped<T: Copy>(
    ours: &[T],
    theirs: &[T],
    of: &impl Fn(T, T) -> Option<&'static str>,
) -> bool {
    let mut left = theirs.to_vec();
    ours.iter().all(|&number| {
        let found = left.iter().position(|&other| of(number, other).is_none());
        found.map(|position| left.swap_remove(position)).is_some()
    })
}

/// Describes the change of a count.
pub(super) fn of_count(ours: usize, theirs: usize, what: &str) -> String {
    if theirs < ours { format!("fewer {what}") } else { format!("more {what}") }
}

/// Describes the change of a text in (generalised) UTF-8, or of bytes.
pub(super) fn of_text(ours: &[u8], theirs: &[u8]) -> &'static str {
    const MARK: &[u8] = "\u{feff}".as_bytes();
    const REPLACEMENT: &[u8] = "\u{fffd}".as_bytes();
    let has = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).any(|part| part == what);
    if ours.strip_prefix(MARK) == Some(theirs) {
        return "without its byte order mark";
    }
    if let Some(rest) = ours.strip_prefix(theirs) {
        return match rest.first() {
            Some(0) => "cut at a NUL",
            _ => "cut short",
        };
    }
    if let Some(rest) = theirs.strip_prefix(ours) {
        return match rest.iter().all(|&byte| byte == 0) {
            true => "with NULs behind it",
            false => "with more behind it",
        };
    }
    if has(theirs, REPLACEMENT) && !has(ours, REPLACEMENT) {
        return "with replaced characters";
    }
    if ours.is_ascii() { "another text" } else { "another text (not ASCII)" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_say_what_was_done_to_them() {
        assert_eq!(of_integer((1 << 53) + 1, 1 << 53), "rounded to 53 bits");
        assert_eq!(of_integer((1 << 40) + 5, 5), "of the low 32 bits only");
        assert_eq!(of_integer(-1, 0xffff_ffff), "of the low 32 bits only");
        assert_eq!(of_integer(7, -7), "of the other sign");
        assert_eq!(of_real(0.0, -0.0, false), Some("of the other sign"));
        assert_eq!(of_real(0.1, f64::from(0.1_f32), false), Some("rounded to 32 bits"));
        let [payload, signalling] = [f64::NAN.to_bits() | 1, (f64::NAN.to_bits() | 1) ^ 1 << 51];
        let [payload, signalling] = [payload, signalling].map(f64::from_bits);
        assert_eq!(of_real(signalling, payload, false), None);
        assert_eq!(of_real(f64::NAN, payload, false), Some(NAN));
        assert_eq!(of_real(f64::NAN, payload, true), None);
    }

    #[test]
    fn lists_say_that_they_are_swapped() {
        let of = |a, b| of_real(a, b, false);
        assert_eq!(of_list(&[1.0, 2.0], &[2.0, 1.0], of).unwrap(), "numbers in another order");
        assert_eq!(of_list(&[1.0, 2.0], &[2.0], of).unwrap(), "fewer numbers");
        assert_eq!(of_list(&[1.0, 2.0], &[1.0, -2.0], of).unwrap(), "of the other sign");
        assert_eq!(of_list(&[1.0], &[1.0], of), None);
    }

    #[test]
    fn texts_say_what_is_missing() {
        assert_eq!(of_text(b"a\0b", b"a"), "cut at a NUL");
        assert_eq!(of_text(b"ab", b"a"), "cut short");
        assert_eq!(of_text(b"a", b"a\0\0\0"), "with NULs behind it");
        assert_eq!(of_text("\u{feff}a".as_bytes(), b"a"), "without its byte order mark");
        assert_eq!(of_text("é".as_bytes(), "\u{fffd}".as_bytes()), "with replaced characters");
    }
}

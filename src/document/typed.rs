//! Values that people type.

use super::{Json, rule};
use crate::error::{Error, Result};

/// Returns the value that a person typed: a string where a string is, and a number in the form of the one that is
/// there.
pub(super) fn typed(text: &str, there: Option<&Json>) -> Result<Json> {
    match (Json::read(text.as_bytes()), there) {
        (Ok(Json::Number(_) | Json::Bool(_) | Json::Null), Some(Json::String(_))) => {
            Ok(text.into())
        }
        (Ok(mut value), Some(there)) => {
            value.keep_forms(there);
            Ok(value)
        }
        (Ok(value), None) => Ok(value),
        (Err(error), _) if text.trim_start().starts_with(['{', '[', '"']) => Err(error),
        (Err(_), _) => Ok(text.into()),
    }
}

/// Returns the text of `JSON.from_native` for a typed value: with the mark that the text at its place has, `i:` or `f:`
/// before a number, `s:`, `sn:` or `np:` before a text. [`None`] if there is no mark.
pub(super) fn native(text: &str, there: &str) -> Option<Result<String>> {
    let (mark, _) = there.split_once(':')?;
    let rest = text.strip_prefix(mark).and_then(|rest| rest.strip_prefix(':')).unwrap_or(text);
    let is_number = |is_one: bool, kind: &str| match is_one {
        true => Ok(()),
        false => Err(Error::new(rule::DOCUMENT_VALUE, 0, kind, "a string").nowhere()),
    };
    let fits = match mark {
        "i" => is_number(rest.parse::<i64>().is_ok(), "a whole number"),
        "f" => is_number(rest.parse::<f64>().is_ok(), "a number"),
        "s" | "sn" | "np" => Ok(()),
        _ => return None,
    };
    let point = if mark == "f" && rest.parse::<i64>().is_ok() { ".0" } else { "" };
    Some(fits.map(|()| format!("{mark}:{rest}{point}")))
}

impl Json {
    /// Gives numbers the form of those that were at their places: `7` becomes `7.0` where `5.0` was, and `7.0` becomes
    /// `7` where `5` was.
    pub fn keep_forms(&mut self, old: &Self) {
        self.for_each_with(old, &|old, new| {
            let (Self::Number(old), Self::Number(new)) = (old, new) else { return };
            let is_float = |number: &str| number.contains(['.', 'e', 'E']);
            match (is_float(old), is_float(new)) {
                (true, false) => new.push_str(".0"),
                (false, true) => {
                    let whole = new.split_once('.').filter(|it| it.1.bytes().all(|it| it == b'0'));
                    // (Floats up to here are all whole numbers of 64 bits; `1e3` is one. `1e-400` is none, though it is
                    // read as 0.)
                    let digits = new.split(['e', 'E']).next().unwrap_or_default();
                    let is_zero = !digits.contains(|digit: char| ('1'..='9').contains(&digit));
                    let is_whole =
                        |it: &f64| it.fract() == 0.0 && it.abs() < 9e18 && (*it != 0.0 || is_zero);
                    let float = new.parse().ok().filter(is_whole);
                    match (whole, float) {
                        (_, Some(0.0)) => "0".clone_into(new),
                        (Some((whole, _)), _) => *new = whole.to_owned(),
                        (None, Some(float)) => *new = format!("{float:.0}"),
                        (None, None) => {}
                    }
                }
                _ => {}
            }
        });
    }

    /// Calls `see` for each value and the one that was at its place, containers before what they hold.
    pub fn for_each_with(&mut self, old: &Self, see: &impl Fn(&Self, &mut Self)) {
        see(old, self);
        match (old, self) {
            // Of lists of different lengths, nobody knows which element was which. Elements that only moved stay.
            (Self::Array(old), Self::Array(new))
                if old.len() == new.len() && old != new && in_order(old) != in_order(new) =>
            {
                old.iter().zip(new).for_each(|(old, new)| new.for_each_with(old, see));
            }
            (old @ Self::Object(_), Self::Object(new)) => {
                let olds = old.by_name();
                for (name, value) in new {
                    if let Some(old) = olds.get(&**name) {
                        value.for_each_with(old, see);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the texts of elements in an order that does not depend on that of the elements.
fn in_order(elements: &[Json]) -> Vec<String> {
    let mut texts: Vec<_> = elements.iter().map(ToString::to_string).collect();
    texts.sort_unstable();
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_form() {
        let read = |text: &str| Json::read(text.as_bytes()).unwrap();
        for (old, new, expected) in [
            ("5.0", "7", "7.0"),
            ("5", "7.0", "7"),
            ("5", "7.5", "7.5"),
            ("5", "-1.5e3", "-1500"),
            ("5", "1e17", "100000000000000000"),
            ("5", "1e300", "1e300"),
            ("5", "-0.0", "0"),
            ("5", "1e-400", "1e-400"),
            ("5", "18446744073709551615", "18446744073709551615"),
            ("1e3", "-7", "-7.0"),
            ("[1,2.5]", "[2.0,3]", "[2,3.0]"),
            ("[1]", "[1.0,2.0]", "[1.0,2.0]"),
            ("[1,2.5]", "[2.5,1]", "[2.5,1]"),
            (r#"[{"a":1},{"a":2.5}]"#, r#"[{"a":2.5},{"a":1}]"#, r#"[{"a":2.5},{"a":1}]"#),
            (r#"{"a":{"b":1.5}}"#, r#"{"c":1,"a":{"b":2}}"#, r#"{"c":1,"a":{"b":2.0}}"#),
        ] {
            let mut made = read(new);
            made.keep_forms(&read(old));
            assert_eq!(made.to_string(), expected, "{old} {new}");
        }
    }

    #[test]
    fn marks_of_native_values_stay() {
        let typed = |text: &str, there: &str| native(text, there).map(Result::ok);
        assert_eq!(typed("9", "i:5"), Some(Some("i:9".into())));
        assert_eq!(typed("i:9", "i:5"), Some(Some("i:9".into())));
        assert_eq!(typed("9", "f:5.5"), Some(Some("f:9.0".into())));
        assert_eq!(typed("silver", "s:gold"), Some(Some("s:silver".into())));
        assert_eq!(typed("many", "i:5"), Some(None));
        assert_eq!(typed("9", "gold"), None);
        assert_eq!(typed("9", "https://x"), None);
    }

    #[test]
    fn text_stays_text_where_text_is() {
        let there = Json::from("Ada");
        for text in ["7", "true", "null", "Bob"] {
            assert_eq!(typed(text, Some(&there)), Ok(text.into()));
        }
        assert_eq!(typed("\"7\"", Some(&there)), Ok("7".into()));
        assert_eq!(typed("7", None), Ok(7.into()));
        assert!(typed("[7", Some(&there)).is_err());
    }
}

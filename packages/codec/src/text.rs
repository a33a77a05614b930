//! The lossless JSON of a value, so that `JSON.parse` loses nothing either.
//!
//! JavaScript has one type of numbers, which holds whole numbers below 2^53, and its objects put names that are numbers
//! first. Such numbers and objects are marked: `{"$real":2.0}`, `{"$int":"9007199254740993"}`, `{"$dictionary":[..]}`.

use std::fmt::Write as _;

use formwork::document::Json;
use formwork_script::SAFE;

/// Returns JSON as text with marks.
pub(crate) fn for_script(json: &Json) -> String {
    let mut out = String::new();
    write(json, &mut out);
    out
}

fn write(json: &Json, out: &mut String) {
    match json {
        Json::Number(digits) => number(digits, out),
        Json::Array(elements) => {
            out.push('[');
            for (at, element) in elements.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write(element, out);
            }
            out.push(']');
        }
        Json::Object(members) if members.iter().any(|(name, _)| is_sorted(name)) => {
            out.push_str("{\"$dictionary\":[");
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { ",[" } else { "[" });
                // Writing to a string does not fail.
                let _ = write!(out, "{},", Json::from(name.as_str()));
                write(value, out);
                out.push(']');
            }
            out.push_str("]}");
        }
        Json::Object(members) => {
            out.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                let _ = write!(out, "{}:", Json::from(name.as_str()));
                write(value, out);
            }
            out.push('}');
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
}

fn number(digits: &str, out: &mut String) {
    let is_whole = digits.strip_prefix('-').unwrap_or(digits).bytes().all(|it| it.is_ascii_digit());
    let is_safe = || digits.parse::<i64>().is_ok_and(|it| it.unsigned_abs() <= SAFE);
    let is_fraction = || digits.parse::<f64>().is_ok_and(|it| it.fract() != 0.0);
    let _ = match is_whole {
        true if is_safe() => write!(out, "{digits}"),
        true => write!(out, "{{\"$int\":\"{digits}\"}}"),
        false if is_fraction() => write!(out, "{digits}"),
        false => write!(out, "{{\"$real\":{digits}}}"),
    };
}

/// Returns whether an object of JavaScript puts a name first, or has other uses for it.
fn is_sorted(name: &str) -> bool {
    name == "__proto__" || !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_scripts_would_lose_is_marked() {
        for (json, text) in [
            ("[1,-1,1.5]", "[1,-1,1.5]"),
            ("[2.0,-0.0,1e300]", r#"[{"$real":2.0},{"$real":-0.0},{"$real":1e300}]"#),
            (
                "[9007199254740991,9007199254740992]",
                r#"[9007199254740991,{"$int":"9007199254740992"}]"#,
            ),
            (r#"{"b":1,"2":2}"#, r#"{"$dictionary":[["b",1],["2",2]]}"#),
            (r#"{"b":null,"-2":true}"#, r#"{"b":null,"-2":true}"#),
        ] {
            assert_eq!(for_script(&Json::read(json.as_bytes()).unwrap()), text);
        }
    }
}

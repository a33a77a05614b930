//! Places of faults, as keys of the stored values: `player/gold`.

use formwork_godot::document::keys_on;
use formwork_variant::{Path, Real, Variant};

use super::style::shown;

/// A list or an object of a JSON text that is not closed yet.
enum Open {
    /// The position of the element.
    List(usize),
    /// The name of the last member, and whether a name follows.
    Object { name: String, is_next: bool },
}

/// Returns the names and positions that enclose a byte of a JSON text. The text may be damaged
/// there.
pub(crate) fn in_json(text: &[u8], offset: u64) -> String {
    let end = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while at < end {
        let byte = text[at];
        at += 1;
        match (byte, open.last_mut()) {
            (b'"', last) => {
                let start = at - 1;
                while at < end && text[at] != b'"' {
                    at += if text[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                if let Some(Open::Object { name, is_next: is_next @ true }) = last {
                    let string = text.get(start..at.min(end)).unwrap_or_default();
                    *name = serde_json::from_slice(string).unwrap_or_default();
                    *is_next = false;
                }
            }
            (b'[', _) => open.push(Open::List(0)),
            (b'{', _) => open.push(Open::Object { name: String::new(), is_next: true }),
            (b']' | b'}', _) => drop(open.pop()),
            (b',', Some(Open::List(position))) => *position += 1,
            (b',', Some(Open::Object { is_next, .. })) => *is_next = true,
            _ => {}
        }
    }
    let steps = open.into_iter().map(|open| match open {
        Open::List(position) => position.to_string(),
        Open::Object { name, .. } => name,
    });
    // The notation of a single value follows.
    let steps = steps.take_while(|step| !step.is_empty() && !step.starts_with('$'));
    shown(steps.collect::<Vec<_>>().join("/"))
}

/// Returns the keys and positions along a path into a value.
pub(crate) fn in_value<R: Real>(value: &Variant<R>, path: &Path) -> String {
    shown(keys_on(value, path))
}

#[cfg(test)]
mod tests {
    use formwork_variant::{PathSegment, variant};

    use super::*;

    #[test]
    fn a_place_in_a_text_is_the_names_around_it() {
        let text = br#"{"a": [1, {"b\"c": {"$Vector2": [1.0]}}], "d": 2}"#;
        let at = |what: &str| {
            let found = text.windows(what.len()).position(|window| window == what.as_bytes());
            in_json(text, found.expect("it is there") as u64)
        };
        assert_eq!(at("{\"a"), "");
        assert_eq!(at("1, "), "a/0");
        assert_eq!(at("\"$Vec"), "a/1/b\"c");
        assert_eq!(at("1.0"), "a/1/b\"c");
        assert_eq!(at("2}"), "d");
        assert_eq!(in_json(b"{\"a", 3), "");
        assert_eq!(in_json(b"", 9), "");
    }

    #[test]
    fn a_place_in_a_value_is_the_keys_on_the_way() {
        let value: Variant = variant!({ "player": { "bag": [1, 2] } });
        let path: Path = [
            PathSegment::Field("frame"),
            PathSegment::Index(0),
            PathSegment::Field("dictionary"),
            PathSegment::Index(0),
            PathSegment::Field("value"),
            PathSegment::Field("dictionary"),
            PathSegment::Index(0),
            PathSegment::Field("value"),
            PathSegment::Field("array"),
            PathSegment::Index(1),
        ]
        .into_iter()
        .collect();
        assert_eq!(in_value(&value, &path), "player/bag/1");
    }
}

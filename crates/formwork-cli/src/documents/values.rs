//! Reading and merging JSON: as values of an engine, which it becomes and is made of without loss.

use formwork::document::Json;
use formwork_variant::edit::{Merge, Names, Side};
use formwork_variant::{Array, Dialect, Dictionary, Variant};

use crate::failure::Failure;
use crate::form::without_mark;
use crate::style::shown;

/// Reads the JSON of a whole document that a person, a filter or a file gives.
pub(crate) fn read_value(name: &str, text: &[u8]) -> Result<Json, Failure> {
    let text = without_mark(text);
    Json::read(text).map_err(|error| Failure::in_text(name, text, error))
}

/// The result of a merge.
pub(crate) struct Merged {
    pub(crate) json: Json,
    /// The places that both changed, each in its own way.
    pub(crate) conflicts: Vec<Conflict>,
}

/// A place that both documents changed, with the value in each.
pub(crate) struct Conflict {
    pub(crate) place: String,
    pub(crate) base: Option<Json>,
    pub(crate) ours: Option<Json>,
    pub(crate) theirs: Option<Json>,
}

/// Merges what two made of one document: `prefer` settles conflicts.
pub(crate) fn merge(base: &Json, ours: &Json, theirs: &Json, prefer: Side) -> Merged {
    let [base, ours, theirs] = [base, ours, theirs].map(from_json);
    let merged = Merge::new().prefer(prefer).values(&base, &ours, &theirs);
    let names = |value| Names::new(value, Dialect::GODOT4);
    let (mut in_ours, mut in_theirs) = (names(&ours), names(&theirs));
    let json = |value: Option<&Variant<f64>>| value.map(to_json);
    let conflicts = merged.conflicts.iter().map(|it| Conflict {
        place: shown(it.name(&mut in_ours, &mut in_theirs)),
        base: json(it.base),
        ours: json(it.ours),
        theirs: json(it.theirs),
    });
    Merged { conflicts: conflicts.collect(), json: to_json(&merged.value) }
}

/// Returns JSON as a value. A number that is no int in its shortest form is a StringName, which JSON has not.
fn from_json(json: &Json) -> Variant<f64> {
    match json {
        Json::Null => Variant::Nil,
        Json::Bool(truth) => Variant::Bool(*truth),
        Json::Number(number) => match number.parse::<i64>() {
            Ok(int) if int.to_string() == *number => Variant::Int(int),
            _ => Variant::StringName(number.as_str().into()),
        },
        Json::String(text) => Variant::String(text.as_str().into()),
        Json::Array(elements) => {
            Variant::Array(elements.iter().map(from_json).collect::<Array<f64>>())
        }
        Json::Object(members) => {
            let mut pairs = Dictionary::new();
            for (name, value) in members {
                pairs.push((Variant::String(name.as_str().into()), from_json(value)));
            }
            Variant::Dictionary(pairs)
        }
    }
}

/// Returns a value that was made of JSON as JSON.
fn to_json(value: &Variant<f64>) -> Json {
    let text = |value: &Variant<f64>| match value {
        Variant::String(text) | Variant::StringName(text) => text.to_string_lossy().into_owned(),
        _ => String::new(),
    };
    match value {
        Variant::Bool(truth) => (*truth).into(),
        Variant::Int(number) => (*number).into(),
        Variant::StringName(_) => Json::Number(text(value)),
        Variant::String(_) => Json::String(text(value)),
        Variant::Array(elements) => Json::Array(elements.iter().map(to_json).collect()),
        Variant::Dictionary(pairs) => {
            Json::Object(pairs.iter().map(|(key, value)| (text(key), to_json(value))).collect())
        }
        _ => Json::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_comes_back_as_it_was() {
        let text = r#"{"a":[1,-2.50,18446744073709551615,1e3],"b":{"":null,"$c":true},"d":"5"}"#;
        let json = Json::read(text.as_bytes()).unwrap();
        assert_eq!(to_json(&from_json(&json)).to_string(), text);
    }
}

//! Merges the versions that two people made of a file.

use formwork::document::{Change, Json};
use formwork::{Error, Result};
use formwork_edit::{Merge, Names, Side};
use formwork_variant::{Array, Dialect, Dictionary, Real, Variant};

use crate::{File, VALUES};

/// A merged value.
#[derive(Clone, Debug)]
pub struct Merged<T> {
    /// The merged JSON, or the changes that were made to a file.
    pub merged: T,
    /// The places that both sides changed, each in its own way.
    pub conflicts: Vec<Conflict>,
}

/// A place that both sides changed, with its values as people read them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Conflict {
    /// The path.
    pub place: String,
    /// The value in the file that both began with.
    pub base: Option<String>,
    /// Our value.
    pub ours: Option<String>,
    /// Their value.
    pub theirs: Option<String>,
}

impl File {
    /// Takes over what others changed: the differences from `base` to `theirs`. Where both changed a value, the preferred
    /// side counts, and the conflict is listed.
    ///
    /// ```
    /// use formwork_file::Side;
    ///
    /// let base = formwork_file::open(br#"{"gold": 1, "level": 1}"#)?;
    /// let theirs = formwork_file::open(br#"{"gold": 7, "level": 2}"#)?;
    /// let mut ours = formwork_file::open(br#"{"gold": 5, "level": 1}"#)?;
    /// let merged = ours.merge(&base, &theirs, Side::Ours)?;
    /// assert_eq!(merged.conflicts[0].place, "gold");
    /// assert_eq!(ours.to_bytes(), br#"{"gold": 5, "level": 2}"#);
    /// # Ok::<(), formwork_file::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the files are not of one kind, or the merged content does not fit the format.
    pub fn merge(
        &mut self,
        base: &Self,
        theirs: &Self,
        prefer: Side,
    ) -> Result<Merged<Vec<Change>>> {
        let names = [self, base, theirs].map(|file| file.format().name());
        if names[1] != names[0] || names[2] != names[0] {
            let expected = "three files of one kind";
            return Err(Error::new(VALUES, 0, expected, names.join(", ")).nowhere());
        }
        let mut conflicts = Vec::new();
        let merged = self.change(|document| {
            let (base, theirs) = (base.document(), theirs.document());
            let wins = prefer == Side::Theirs;
            let Some(merged) = document.merge(Some(base), Some(theirs), wins)? else {
                let merged = merge_json(&base.json(), &document.json(), &theirs.json(), prefer);
                conflicts = merged.conflicts;
                return document.set_json(&merged.merged);
            };
            let shown = |json: Option<Json>| json.map(|json| document.shown(&json));
            let conflict = |it: formwork::document::Conflict| Conflict {
                place: it.path,
                base: shown(it.base),
                ours: shown(it.ours),
                theirs: shown(it.theirs),
            };
            conflicts = merged.conflicts.into_iter().map(conflict).collect();
            Ok(merged.changes)
        })?;
        Ok(Merged { merged, conflicts })
    }
}

/// Merges what two made of one JSON value: `prefer` settles conflicts.
#[must_use]
pub fn merge_json(base: &Json, ours: &Json, theirs: &Json, prefer: Side) -> Merged<Json> {
    let [base, ours, theirs] = [base, ours, theirs].map(from_json);
    let words = |value: &Variant<f64>| to_json(value).to_string();
    let (value, conflicts) = merged(&base, &ours, &theirs, prefer, Dialect::GODOT4, words);
    Merged { merged: to_json(&value), conflicts }
}

fn merged<R: Real>(
    base: &Variant<R>,
    ours: &Variant<R>,
    theirs: &Variant<R>,
    prefer: Side,
    dialect: Dialect,
    words: impl Fn(&Variant<R>) -> String,
) -> (Variant<R>, Vec<Conflict>) {
    let merged = Merge::new().prefer(prefer).values(base, ours, theirs);
    let (mut in_ours, mut in_theirs) = (Names::new(ours, dialect), Names::new(theirs, dialect));
    let conflicts = merged.conflicts.iter().map(|it| Conflict {
        place: it.name(&mut in_ours, &mut in_theirs),
        base: it.base.map(&words),
        ours: it.ours.map(&words),
        theirs: it.theirs.map(&words),
    });
    (merged.value.clone(), conflicts.collect())
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

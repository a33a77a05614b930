//! Describes a packet in a few words, which tell findings apart when the target gives no message.

use std::collections::BTreeSet;

use formwork_alb1::{Document, Value};
use formwork_variant::codec::{self, WarningCounts};
use formwork_variant::dialect::Dialect;
use formwork_variant::{Container, Object, Real, Variant, VariantType};
use formwork_variant::{Error, Path, PathSegment, Rule};

/// Names listed at most; a packet with more is about none in particular.
const SHOWN: usize = 4;

/// The rule that an error is about, and the type or record and its field: without positions, and
/// without the parts of a type that are read alike.
pub(super) fn of_error(error: &Error) -> String {
    let rule = error.rule();
    // These rules apply to any value, whatever contains it.
    if matches!(rule, codec::rule::HEADER_TYPE_ID | codec::rule::HEADER_FLAGS | Rule::DEPTH_LIMIT) {
        return rule.to_string();
    }
    let place = innermost(error.path());
    if place.is_empty() { rule.to_string() } else { format!("{rule} ({place})") }
}

/// The last type of a path, and the field of it where the path ends: `node_path bytes`.
fn innermost(path: &Path) -> String {
    /// A value's role in its container does not describe the value.
    const ROLES: [&str; 3] = ["key", "value", "properties"];
    let is_type = |name: &str| VariantType::ALL.iter().any(|known| known.path_name() == name);
    let steps = path.steps();
    let from = steps
        .iter()
        .rposition(|step| matches!(step, PathSegment::Field(name) if is_type(name)))
        // In an ALB1 file the names are the file's own; what is declared is the record's.
        .unwrap_or_else(|| {
            let is_own =
                |step: &PathSegment| matches!(step, PathSegment::Name(_) | PathSegment::Index(_));
            steps.iter().rposition(is_own).map_or(0, |position| position + 1)
        });
    let mut names = steps.iter().skip(from).filter_map(|step| match step {
        PathSegment::Field(name) if !ROLES.contains(name) => Some(*name),
        _ => None,
    });
    match (names.next(), names.next_back()) {
        (Some(of), Some(field)) => format!("{of} {field}"),
        (one, _) => one.unwrap_or_default().to_owned(),
    }
}

/// The types in a value, what is unusual about it, and the rules that its bytes bend.
pub(super) struct Parts {
    pub(super) names: BTreeSet<&'static str>,
    pub(super) traits: BTreeSet<&'static str>,
    pub(super) rules: BTreeSet<&'static str>,
}

/// The types in a value and what is unusual about its bytes.
pub(super) fn of_value<R: Real>(
    value: &Variant<R>,
    dialect: Dialect,
    deviations: &WarningCounts,
    trailing: bool,
) -> String {
    let Parts { names, traits, rules } = parts(value, dialect, deviations, trailing);
    let mut text = listed(&names);
    if !rules.is_empty() {
        text = format!("{text} with {}", listed(&rules));
    } else if !traits.is_empty() {
        text = format!("{text} ({})", listed(&traits));
    }
    text
}

/// The types in a value, what is unusual about it, and the rules that its bytes bend.
pub(super) fn parts<R: Real>(
    value: &Variant<R>,
    dialect: Dialect,
    deviations: &WarningCounts,
    trailing: bool,
) -> Parts {
    let mut names = BTreeSet::new();
    let mut traits = BTreeSet::new();
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        names.insert(dialect.type_name(value.variant_type()));
        traits.extend(trait_of(value));
        match value.container() {
            Some(Container::Array(array)) => waiting.extend(array.iter()),
            Some(Container::TypedArray(typed) | Container::PackedTypedArray(typed)) => {
                waiting.extend(typed.elements.iter());
            }
            Some(Container::Dictionary(pairs)) => {
                waiting.extend(pairs.iter().flat_map(|(key, value)| [key, value]));
            }
            Some(Container::Object(object)) => {
                waiting.extend(object.properties.iter().map(|(_, value)| value));
            }
            None => {}
        }
    }
    let mut rules: BTreeSet<&str> = deviations.iter().map(|(note, _)| note.rule.name()).collect();
    if trailing {
        rules.insert(Rule::INPUT_TRAILING.name());
    }
    Parts { names, traits, rules }
}

/// Returns the special property of a value of its type.
fn trait_of<R: Real>(value: &Variant<R>) -> Option<&'static str> {
    let of_text = |bytes: &[u8]| match bytes {
        _ if bytes.contains(&0) => Some("NUL"),
        _ if !bytes.is_ascii() => Some("not ASCII"),
        _ => None,
    };
    if let Some(text) = value.as_string() {
        return of_text(text.as_bytes());
    }
    if let Variant::Int(number) = value {
        i32::try_from(*number).is_err().then_some("64 bits")
    } else if let Variant::Float(number) = value {
        if number.is_nan() { Some("NaN") } else { number.is_infinite().then_some("infinite") }
    } else if let Variant::Array(array) = value {
        array.element_type().map(|_| "typed")
    } else if let Variant::Dictionary(pairs) = value {
        pairs.key_type().or(pairs.value_type()).map(|_| "typed")
    } else if let Variant::Object(object) = value {
        Some(match object {
            Object::Null => "null",
            Object::Id(_) => "id",
            Object::Full(_) => "full",
        })
    } else {
        None
    }
}

/// The types of fields in a document.
pub(super) fn of_document(document: &Document) -> String {
    let values = document.walk().filter_map(|item| item.value());
    let name = |value: &Value| match value {
        Value::Raw(_) => "raw bytes",
        value => value.field_type().name(),
    };
    listed(&values.map(name).collect())
}

fn listed(names: &BTreeSet<&str>) -> String {
    let shown: Vec<&str> = names.iter().copied().take(SHOWN).collect();
    match names.len() {
        0 => "nothing".into(),
        count if count > SHOWN => "several types".into(),
        _ => shown.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formwork_variant::Decoder;

    #[test]
    fn an_error_is_its_rule_and_its_type() {
        // An array of two ints that is cut inside the second.
        let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 7, 0];
        let error = Decoder::new(Dialect::GODOT3).decode(&bytes).unwrap_err();
        assert_eq!(of_error(&error), "input.complete (int)");
    }

    #[test]
    fn a_value_is_its_types_and_what_is_odd() {
        let bytes = [19, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0];
        let mut deviations = WarningCounts::default();
        let decoder = Decoder::new(Dialect::GODOT3);
        let (value, _) = decoder.decode_counting_warnings(&bytes, &mut deviations).unwrap();
        let text = of_value(&value, Dialect::GODOT3, &deviations, false);
        assert_eq!(text, "Array, bool with bool.value");
    }
}

//! The forms of values that use only the types of JSON: the one list of names and forms, for `json` and for the
//! other formats of `serde`. `formats/json.md` describes it.

mod form;
mod member;
mod read;
mod record;

pub(crate) use form::{Form, Shown, attributes};
#[cfg(feature = "serde")]
pub(crate) use formwork_records::notation::{FLOAT, Scalar, special, special_name};
#[cfg(feature = "serde")]
pub(crate) use formwork_records::notation::{of_float, of_single, of_whole, readable};
pub(crate) use member::{Member, Record};
pub(crate) use read::{content, element_of, read_attributes};
#[cfg(feature = "serde")]
pub(crate) use record::EventMembers;
pub(crate) use record::{EVENT, ID, parse_path};

use std::borrow::Cow;
use std::collections::HashSet;

use crate::dialect::Dialect;
use crate::{Container, Dictionary, Real, Variant, VariantType};

/// The tag of a dictionary whose keys are not the names of members.
pub(crate) const DICTIONARY: &str = "$dictionary";

/// The tag of a text that is not Unicode.
#[cfg(feature = "json")]
pub(crate) const STRING: &str = "$String";

/// Returns the tag of a type.
pub(crate) fn tag(variant_type: VariantType, dialect: Dialect) -> Cow<'static, str> {
    match dialect.type_name(variant_type) {
        _ if variant_type == VariantType::Dictionary => DICTIONARY.into(),
        name if name == variant_type.name() => variant_type.tag().into(),
        name => format!("${name}").into(),
    }
}

/// Returns the type of a tag.
pub(crate) fn tagged_type(tag: &str, dialect: Dialect) -> Option<VariantType> {
    match tag.strip_prefix('$')? {
        _ if tag == DICTIONARY => Some(VariantType::Dictionary),
        name => type_named(dialect, name),
    }
}

/// Returns the members for the declared types of a container: see `Front::types`.
pub(crate) const fn type_members(variant_type: VariantType) -> [&'static str; 2] {
    match variant_type {
        VariantType::Dictionary => ["key", "value"],
        _ => ["element", "inner"],
    }
}

/// Returns whether the container needs no tag: it is a list, or an object with the keys as names.
pub(crate) fn is_plain<R: Real>(container: Container<'_, R>, dialect: Dialect) -> bool {
    let says_nothing =
        container.types() == [None, None] && is_usual(container.is_shared(), dialect);
    says_nothing
        && match container {
            Container::Array(_) => true,
            Container::Dictionary(dictionary) => are_names(dictionary),
            Container::TypedArray(_) | Container::PackedTypedArray(_) | Container::Object(_) => {
                false
            }
        }
}

/// Returns whether Godot 2's mark of a container has the value that the dialect's scripts give it, so that it can be
/// omitted.
fn is_usual(shared: bool, dialect: Dialect) -> bool {
    shared == dialect.quirks().shared_containers
}

/// Returns whether a dictionary's keys can be the names of a JSON object's members.
fn are_names<R: Real>(dictionary: &Dictionary<R>) -> bool {
    let mut seen = HashSet::with_capacity(dictionary.len());
    dictionary.iter().all(|(key, _)| {
        let Variant::String(key) = key else { return false };
        key.as_str().is_some_and(|name| !name.starts_with('$') && seen.insert(name))
    })
}

/// Returns the type that the dialect calls so, or else the one that any other dialect does.
pub(crate) fn type_named(dialect: Dialect, name: &str) -> Option<VariantType> {
    let own = |variant_type: &VariantType| variant_type.name() == name;
    dialect
        .type_named(name)
        .or_else(|| Dialect::all().rev().find_map(|other| other.type_named(name)))
        .or_else(|| VariantType::ALL.iter().copied().find(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_by_the_name_it_is_written_with() {
        for dialect in Dialect::all() {
            for &variant_type in VariantType::ALL {
                let name = dialect.type_name(variant_type);
                assert_eq!(type_named(dialect, name), Some(variant_type), "{dialect} {name}");
            }
        }
        assert_eq!(
            type_named(Dialect::GODOT4, "PoolIntArray"),
            Some(VariantType::PackedInt32Array)
        );
        assert_eq!(type_named(Dialect::GODOT4, "Vector5"), None);
    }
}

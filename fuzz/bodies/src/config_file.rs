//! Texts of ConfigFile, whole and damaged.

use formwork_godot::config_file::{ConfigFile, to_config_file};
use formwork_variant::dialect::Dialect;
use formwork_variant::{Real, Variant};

use super::{choose, in_precision};

/// Checks that any text is parsed or refused, and that errors point into it. Writing the values that a text
/// already has leaves it unchanged. A changed value is read back, and all other values stay. A text made from
/// the values alone has all of them.
///
/// With the top bit of the first byte set, a section is removed instead.
pub fn config_file(data: &[u8]) {
    let Some((dialect, remove, bytes)) = choose(data) else { return };
    let text = String::from_utf8_lossy(bytes);
    in_precision!(dialect, check(dialect, remove, &text));
}

fn check<R: Real>(dialect: Dialect, remove: bool, text: &str) {
    let file = match ConfigFile::parse(text) {
        Ok(file) => file,
        Err(error) => {
            assert!(error.offset() <= text.len() as u64, "{error}");
            return;
        }
    };
    for entry in file.entries() {
        assert!(!file.text_of(entry).is_empty(), "{entry:?}");
    }
    for fault in file.faults(dialect) {
        assert!(fault.offset() <= text.len() as u64, "{fault}");
    }
    let value: Variant<R> = file.read(dialect);
    let same = file.with_values(&value, dialect).expect("these are its own values");
    assert_eq!(same, text, "{dialect}");
    let changed = if remove { without_a_section(&value) } else { with_other_values(&value) };
    let new = file.with_values(&changed, dialect).expect("these have texts");
    let again: Variant<R> = ConfigFile::parse(&new).expect("it was written").read(dialect);
    assert!(again.is_identical(&changed), "{dialect}: {new:?} has {again:?}, not {changed:?}");
    if let Ok(whole) = to_config_file(&value, dialect) {
        let again: Variant<R> = ConfigFile::parse(&whole).expect("it was written").read(dialect);
        assert_eq!(names(&again), names(&value), "{dialect}: {whole:?}");
    }
}

/// Returns the values with another one for the last key of each section, and a new key after it.
fn with_other_values<R: Real>(value: &Variant<R>) -> Variant<R> {
    let mut changed = value.clone();
    for (_, section) in changed.as_dictionary_mut().into_iter().flatten() {
        let Some(pairs) = section.as_dictionary_mut() else { continue };
        if let Some((_, last)) = pairs.iter_mut().next_back() {
            *last = Variant::from("; a \"text\"\n[with] = all");
            pairs.insert(Variant::from("a new = \"key\""), Variant::Int(-7));
        }
    }
    changed
}

fn without_a_section<R: Real>(value: &Variant<R>) -> Variant<R> {
    let sections = value.as_dictionary().into_iter().flatten();
    Variant::Dictionary(sections.skip(1).cloned().collect())
}

/// Returns the sections and their keys. Keys outside a section come first in a text.
fn names<R: Real>(value: &Variant<R>) -> Vec<(&str, Vec<&str>)> {
    let name = |key| Variant::as_str(key).unwrap_or_default();
    let mut names: Vec<(&str, Vec<&str>)> = Vec::new();
    for (section, pairs) in value.as_dictionary().into_iter().flatten() {
        let pairs = pairs.as_dictionary().into_iter().flatten();
        names.push((name(section), pairs.map(|(key, _)| name(key)).collect()));
    }
    // A text cannot hold an empty section without a name.
    names.retain(|(section, keys)| !section.is_empty() || !keys.is_empty());
    names.sort_by_key(|(section, _)| !section.is_empty());
    names
}

//! The settings of a project: `project.binary` of an exported game, and `project.godot`, the text that the editor has.
//!
//! A file of settings is one Dictionary with whole paths as keys (`application/config/name`). The text has a section
//! for the part before the first `/`.
//!
//! ```
//! use formwork_godot::project;
//! use formwork_variant::{Dialect, Variant, variant};
//!
//! let settings: Variant = variant!({ "top": 1, "application/config/name": "Tower" });
//! let text = project::to_text(&settings, Dialect::GODOT4)?;
//! assert!(text.ends_with("config_version=5\n\ntop=1\n\n[application]\n\nconfig/name=\"Tower\"\n"));
//! assert_eq!(project::from_text(&text, Dialect::GODOT4)?, settings);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! Source: `ProjectSettings::_save_settings_text` and `_save_settings_binary` of Godot 3.6 and 4.6, and the files that
//! both wrote of the same settings (`formats/settings`, `formats/config_file`).

use std::collections::BTreeMap;
use std::iter;

use crate::settings;
use formwork::{Error, Result};
use formwork_variant::dialect::TextStyle;
use formwork_variant::text::TextForm;
use formwork_variant::{Dialect, Dictionary, Real, Variant};
use indexmap::IndexMap;

use crate::config_file::{ConfigFile, to_config_file};

/// The comment at the start of `project.godot`.
const COMMENT: &str = "\
; Engine configuration file.
; It's best edited using the editor UI and not directly,
; since the parameters that go here are not all obvious.
;
; Format:
;   [section] ; section goes between []
;   param=value ; assign values to parameters
";

/// The name of the version of the text.
const CONFIG_VERSION: &str = "config_version";
/// The names of the features of an exported game: in the text, and in `project.binary`.
const FEATURES: (&str, &str) = ("custom_features", "_custom_features");

/// Names and values.
type Pairs<R> = Vec<(Variant<R>, Variant<R>)>;

/// Returns the text of `project.godot` for the Dictionary of a `project.binary`.
///
/// # Errors
///
/// Returns an error if the value is not a Dictionary with Strings as keys, or if the engine cannot read the text of a
/// value or name.
pub fn to_text<R: Real>(value: &Variant<R>, dialect: Dialect) -> Result<String> {
    let Variant::Dictionary(all) = value else {
        let found = value.variant_type().name();
        return Err(Error::new(settings::rule::DICTIONARY, 0, "the settings of a project", found));
    };
    let mut top: Pairs<R> = Vec::new();
    let mut sections: BTreeMap<&str, Pairs<R>> = BTreeMap::new();
    for (key, value) in all {
        let name = match key {
            Variant::String(name) => name.as_str(),
            _ => None,
        };
        let Some(name) = name else {
            let found = key.variant_type().name();
            return Err(Error::new(settings::rule::KEY, 0, "a String as the name", found));
        };
        match name.split_once('/') {
            Some((section, key)) if !section.is_empty() && !key.is_empty() => {
                sections.entry(section).or_default().push((key.into(), value.clone()));
            }
            _ if name == FEATURES.1 => top.insert(0, (FEATURES.0.into(), value.clone())),
            _ => top.push((name.into(), value.clone())),
        }
    }
    let mut text = COMMENT.to_owned();
    if let Some(version) = version(dialect) {
        text.push_str(&format!("\n{CONFIG_VERSION}={version}\n"));
    }
    for (section, pairs) in iter::once(("", top)).chain(sections) {
        if pairs.is_empty() {
            continue;
        }
        let one = Dictionary::from(vec![(section.into(), Dictionary::from(pairs).into())]);
        text.push('\n');
        text.push_str(&to_config_file(&Variant::Dictionary(one), dialect)?);
    }
    Ok(text)
}

/// Returns the Dictionary of a `project.binary` for the text of a `project.godot`.
///
/// # Errors
///
/// Returns an error if the text is not a ConfigFile, or if a value is not one by itself, such as
/// `Resource("res://a.png")`.
pub fn from_text<R: Real>(text: &str, dialect: Dialect) -> Result<Variant<R>> {
    let file = ConfigFile::parse(text)?;
    // A name stays in the place where it comes first, with its last value.
    let mut all: IndexMap<String, Variant<R>> = IndexMap::with_capacity(file.entries().len());
    let mut features = None;
    for entry in file.entries() {
        // References are no values that a binary file could hold.
        let form = TextForm::new(dialect).in_precision::<R>();
        let value = form.read(&file.text_of(entry).into());
        let value = value.map_err(|error| error.shifted(entry.value.start as u64))?;
        let name = match (&*entry.section, entry.key.as_str()) {
            ("", CONFIG_VERSION) => continue,
            ("", key) if key == FEATURES.0 => {
                features = Some(value);
                continue;
            }
            ("", key) => key.to_owned(),
            (section, key) => format!("{section}/{key}"),
        };
        all.insert(name, value);
    }
    let features = features.map(|features| (FEATURES.1.to_owned(), features));
    // The engine erases a setting whose value is null.
    Ok(features.into_iter().chain(all).filter(|(_, value)| !value.is_nil()).collect())
}

/// Returns the text version of an engine.
fn version(dialect: Dialect) -> Option<u32> {
    match dialect.quirks().text {
        TextStyle::Godot2 => None,
        TextStyle::Godot3 | TextStyle::Godot3_2 | TextStyle::Godot3_5 | TextStyle::Pandemonium => {
            Some(4)
        }
        _ => Some(5),
    }
}

//! The sections of a value that is written as text.

use std::borrow::Cow;

use super::heading::SINGLE;
use super::rule;
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::{Dictionary, Real, Variant};

/// A section: its name, and its keys with their values.
pub(super) type SectionValues<'v, R> = (Cow<'v, str>, Vec<(&'v str, &'v Variant<R>)>);

/// Returns the sections of the Dictionary `value`.
pub(super) fn of_config_file<R: Real>(value: &Variant<R>) -> Result<Vec<SectionValues<'_, R>>> {
    let refuse = |path: Path, expected: &str, found: &Variant<R>| {
        let found = found.variant_type().name();
        Err(Error::new(rule::SECTIONS, 0, expected, found).under(path))
    };
    let Variant::Dictionary(all) = value else {
        return refuse(Path::default(), "a Dictionary of sections", value);
    };
    let mut sections = Vec::new();
    for (name, pairs) in all {
        let Some(section) = name.as_str() else {
            return refuse(Path::default(), "a String as the name of a section", name);
        };
        let path = || Path::from(vec![PathSegment::Name(section.to_owned().into())]);
        let Variant::Dictionary(pairs) = pairs else {
            return refuse(path(), "a Dictionary of keys", pairs);
        };
        sections.push((section.into(), keys(pairs).map_err(|error| error.under(path()))?));
    }
    Ok(sections)
}

/// Returns the pairs of a section.
fn keys<R: Real>(pairs: &Dictionary<R>) -> Result<Vec<(&str, &Variant<R>)>> {
    let mut keys = Vec::with_capacity(pairs.len());
    for (key, value) in pairs {
        let Some(name) = key.as_str() else {
            let found = key.variant_type().name();
            return Err(Error::new(rule::SECTIONS, 0, "a String as a key", found));
        };
        keys.push((name, value));
    }
    Ok(keys)
}

/// Returns the sections of the value of a text resource.
pub(super) fn of_resource<R: Real>(value: &Variant<R>) -> Result<Vec<SectionValues<'_, R>>> {
    let refuse = |path: &[&str], expected: &str, found: &Variant<R>| {
        let path: Vec<_> =
            path.iter().map(|it| PathSegment::Name((*it).to_owned().into())).collect();
        Error::new(rule::SECTIONS, 0, expected, found.variant_type().name()).under(Path::from(path))
    };
    let Variant::Dictionary(all) = value else {
        return Err(refuse(&[], "a Dictionary of sections", value));
    };
    let mut sections: Vec<SectionValues<'_, R>> = Vec::new();
    for (kind, value) in all {
        let (Some(kind), Variant::Dictionary(inside)) = (kind.as_str(), value) else {
            return Err(refuse(&[], "a String and a Dictionary as a section", value));
        };
        if SINGLE.contains(&kind) {
            sections.push((Cow::Borrowed(kind), keys(inside)?));
            continue;
        }
        for (id, pairs) in inside {
            let (Some(id), Variant::Dictionary(pairs)) = (id.as_str(), pairs) else {
                return Err(refuse(
                    &[kind],
                    "a String and a Dictionary, by the id of a section",
                    pairs,
                ));
            };
            sections.push((Cow::Owned(format!("{kind}/{id}")), keys(pairs)?));
        }
    }
    Ok(sections)
}

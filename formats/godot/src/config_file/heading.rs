//! The headings of text resources, and the sections that they name.

use indexmap::IndexMap;

use super::rule;
use super::scan::{Heading, Scan};
use formwork::{Error, Path, PathSegment, Result};
use formwork_variant::text::TextForm;
use formwork_variant::{Dialect, Dictionary, Real, Variant};

/// The headings that come once and have no id.
pub(super) const SINGLE: [&str; 3] = ["gd_resource", "gd_scene", "resource"];

/// The headings under which there are no keys.
const BARE: [&str; 5] = ["gd_resource", "gd_scene", "ext_resource", "connection", "editable"];

/// The headings in the order of the file.
pub(super) const ORDER: [&str; 8] = [
    "gd_resource",
    "gd_scene",
    "ext_resource",
    "sub_resource",
    "resource",
    "node",
    "connection",
    "editable",
];

/// Returns the name of the section under a heading, and takes the fields that are in it.
pub(super) fn section_name(heading: &mut Heading, text: &str) -> String {
    let mut take = |key: &str| {
        let at = heading.fields.iter().position(|it| it.key == key)?;
        let field = heading.fields.remove(at);
        let value = text.get(field.value).unwrap_or_default();
        let read = TextForm::new(Dialect::GODOT4).read(&value.into()).ok();
        let read = read.and_then(|it: Variant| it.as_str().map(str::to_owned));
        Some(read.unwrap_or_else(|| value.to_owned()))
    };
    let kind = heading.name.clone();
    let id = match &*kind {
        kind if SINGLE.contains(&kind) => None,
        "node" => {
            let name = take("name").unwrap_or_default();
            Some(match take("parent").as_deref() {
                None => ".".to_owned(),
                Some(".") => name,
                Some(parent) => format!("{parent}/{name}"),
            })
        }
        "connection" => {
            let [from, signal, to, method] =
                ["from", "signal", "to", "method"].map(|key| take(key).unwrap_or_default());
            Some(format!("{from}:{signal}->{to}:{method}"))
        }
        "editable" => Some(take("path").unwrap_or_default()),
        _ => Some(take("id").unwrap_or_default()),
    };
    if !BARE.contains(&&*kind) {
        heading.fields.iter_mut().for_each(|field| field.key.insert(0, '@'));
    }
    match id {
        Some(id) => format!("{kind}/{id}"),
        None => kind,
    }
}

/// Returns whether headings of a kind are on lines one after the other.
pub(super) fn is_listed(kind: &str) -> bool {
    ["ext_resource", "connection", "editable"].contains(&kind)
}

/// Splits the name of a section.
pub(super) fn kind_and_id(name: &str) -> (&str, Option<&str>) {
    match name.split_once('/') {
        Some((kind, id)) => (kind, Some(id)),
        None => (name, None),
    }
}

pub(super) fn path_of(section: &str, key: Option<&str>) -> Vec<PathSegment> {
    let (kind, id) = kind_and_id(section);
    let names = [Some(kind), id, key].into_iter().flatten();
    names.map(|it| PathSegment::Name(it.to_owned().into())).collect()
}

/// Returns the name of the field of a heading that a key means; [`None`] for a property.
pub(super) fn field<'k>(section: &str, key: &'k str) -> Option<Result<&'k str>> {
    let field = match BARE.contains(&kind_and_id(section).0) {
        true => key,
        false => key.strip_prefix('@').filter(|rest| !rest.starts_with('@'))?,
    };
    let is_word = !field.is_empty()
        && !field.starts_with(|c: char| c.is_ascii_digit())
        && field.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let path = || Path::from(path_of(section, Some(key)));
    let refuse = || {
        let expected = "letters, digits and underscores, as the name of a heading's field";
        Error::new(rule::NAME, 0, expected, format!("{field:?}")).under(path())
    };
    Some(if is_word { Ok(field) } else { Err(refuse()) })
}

/// Returns the references in the text of a value: the offset, the kind of section, and the id.
pub(super) fn references(text: &str) -> Vec<(usize, &'static str, &str)> {
    let mut found = Vec::new();
    let mut scan = Scan::new(text);
    while let Some(byte) = scan.byte() {
        let at = scan.at;
        match byte {
            b'"' if scan.string().is_err() => break,
            b'"' => {}
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                let kind = match scan.word() {
                    "ExtResource" => "ext_resource",
                    "SubResource" => "sub_resource",
                    _ => continue,
                };
                let rest = text.get(scan.at..).unwrap_or_default().trim_start();
                if let Some(inside) = rest.strip_prefix('(')
                    && let Some((id, _)) = inside.split_once(')')
                {
                    found.push((at, kind, id.trim().trim_matches('"')));
                }
            }
            _ => scan.at += 1,
        }
    }
    found
}

/// Returns the value of a text resource for its sections by their names: the ids are separate keys.
pub(super) fn grouped<R: Real>(sections: Variant<R>) -> Variant<R> {
    let Variant::Dictionary(sections) = sections else { return sections };
    let mut kinds: IndexMap<String, Variant<R>> = IndexMap::new();
    for (name, pairs) in sections {
        let Some(name) = name.as_str() else { continue };
        let (kind, id) = kind_and_id(name);
        let Some(id) = id else {
            kinds.insert(kind.to_owned(), pairs);
            continue;
        };
        let all = kinds.entry(kind.to_owned()).or_insert_with(|| Dictionary::new().into());
        if let Variant::Dictionary(all) = all {
            all.push((id.into(), pairs));
        }
    }
    kinds.into_iter().map(|(kind, value)| (Variant::from(kind), value)).collect()
}

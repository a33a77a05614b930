//! The object layer around a quadtree that is to be mended.

use std::collections::HashSet;
use std::ops::Range;

use super::lost::{Lost, Reason, Recovered};
use super::tree::{self, Expected};
use crate::alb1::terrain::{self, ObjectLayer, Tags, Typed};
use crate::alb1::tree::{Version, objects};
use crate::alb1::{Document, Object, Value};
use crate::error::{Path, Step};

/// Where the raw bytes of the tree stand in a file that is whole around them.
pub(super) fn usual_place(document: &Document, bytes: &[u8]) -> Option<Range<usize>> {
    let raw = tree_of(document)?;
    let behind: u64 = {
        let fields = &document.root.fields;
        let at = fields.iter().position(|field| matches!(field.value, Value::Raw(_)))?;
        let rest = Object { fields: fields.get(at + 1..)?.to_vec(), ..document.root };
        let empty = Object { fields: Vec::new(), ..document.root };
        let size = |root: Object| {
            let (tags, classes) = (document.tags.clone(), document.classes.clone());
            Document { header: document.header, tags, classes, root }.size().ok()
        };
        size(rest)? - size(empty)?
    };
    let end = bytes.len().checked_sub(usize::try_from(behind).ok()?)?;
    Some(end.checked_sub(raw.len())?..end)
}

/// The quadtree of a layer.
fn tree_of(document: &Document) -> Option<&[u8]> {
    let is_layer = document.class_name(&document.root) == ObjectLayer::CLASS.name;
    let tag = document.tags.id(Tags::<ObjectLayer>::tree).filter(|_| is_layer)?;
    document.root.get(tag)?.as_raw().filter(|raw| !raw.is_empty())
}

/// Mends the quadtree, if the document is a layer that has one and it needs to be mended.
pub(super) fn mend(mut recovered: Recovered, place: Option<Range<usize>>) -> Recovered {
    let document = &recovered.document;
    let Some(raw) = tree_of(document) else { return recovered };
    let versions = versions(document);
    if versions.into_iter().any(|version| tree::is_whole(raw, version)) {
        return recovered;
    }
    let path = || Path::from(vec![Step::Name(Tags::<ObjectLayer>::tree.into())]);
    let from = place.map_or(0, |place| place.start);
    let all = from as u64..(from + raw.len()) as u64;
    let mend = |version| tree::mend(raw, version, expected(document));
    let Some(mended) = versions.into_iter().find_map(mend) else {
        let thought = "the quadtree, which is kept as it is".to_owned();
        recovered.lost.push(Lost { range: all, path: path(), reason: Reason::Unreadable, thought });
        return recovered;
    };
    let (size, lost) = (mended.bytes.len(), mended.lost);
    for range in &lost {
        recovered.lost.push(Lost {
            range: (from + range.start) as u64..(from + range.end) as u64,
            path: path(),
            reason: Reason::Unreadable,
            thought: "nodes, leaves, groups or objects of the quadtree".to_owned(),
        });
    }
    let thought = format!("the nodes of the quadtree, which takes {size} bytes now");
    recovered.lost.push(Lost { range: all, path: path(), reason: Reason::Rebuilt, thought });
    if let Some(tag) = recovered.document.tags.id(Tags::<ObjectLayer>::tree)
        && let Some(value) = recovered.document.root.get_mut(tag)
    {
        *value = Value::Raw(mended.bytes.into());
    }
    recovered
}

/// What is wrong with the number of objects that a layer says it has. It stays as it was found: it
/// says how many there were.
pub(super) fn wrong_count(document: &Document) -> Option<Lost> {
    let says =
        document.root.get(document.tags.id(Tags::<ObjectLayer>::object_count)?)?.as_integer()?;
    let raw = tree_of(document).unwrap_or_default();
    let version = versions(document).into_iter().find(|&version| tree::is_whole(raw, version))?;
    let has = objects(raw, version).count();
    let path = Path::from(vec![Step::Name(Tags::<ObjectLayer>::object_count.into())]);
    let thought = format!("{says} objects, and the quadtree has {has}");
    (usize::try_from(says) != Ok(has)).then_some(Lost {
        range: 0..0,
        path,
        reason: Reason::Doubtful,
        thought,
    })
}

/// The version that the layer says, or the newest; and the other one, as what it says may be damaged.
fn versions(document: &Document) -> [Version; 2] {
    let tag = document.tags.id(Tags::<ObjectLayer>::version);
    let said = tag.and_then(|tag| document.root.get(tag)).and_then(Value::as_integer);
    match said.and_then(|said| i32::try_from(said).ok()) {
        Some(said @ 1..) if Version::of_layer_version(said) == Version::V3 => {
            [Version::V3, Version::V4]
        }
        _ => [Version::V4, Version::V3],
    }
}

/// What the layer says of its objects: the names of templates, whose hashes groups have, and the next
/// id.
fn expected(document: &Document) -> Expected {
    let tag = |name: &str| document.tags.id(name);
    let mut templates = HashSet::new();
    for libs in
        tag(Tags::<ObjectLayer>::templates).into_iter().flat_map(|tag| document.root.all(tag))
    {
        for pair in libs.as_array().unwrap_or_default() {
            let name = pair.value.as_pair().and_then(|[key, _]| key.value.as_text());
            templates.extend(name.map(|name| terrain::hash(name.as_bytes())));
        }
    }
    let next_id = tag(Tags::<ObjectLayer>::next_object_id).and_then(|tag| document.root.get(tag));
    let next_id = next_id.and_then(Value::as_integer).and_then(|next| u32::try_from(next).ok());
    Expected { templates, next_id: next_id.filter(|&next| next > 0) }
}

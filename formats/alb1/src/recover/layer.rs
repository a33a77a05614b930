//! The object layer around a quadtree that is to be mended.

use std::collections::HashSet;
use std::ops::Range;

use super::defaults::{Known, set};
use super::lost::{Lost, PlacedCount, Reason, Recovered};
use super::tree::{self, Expected};
use crate::terrain;
use crate::terrain::{ObjectLayer, Tags, Typed};
use crate::tree::{Version, empty_bytes, objects};
use crate::{Document, Object, Raw, Value};
use formwork::{Path, PathSegment};

/// Returns the range of the tree's raw bytes in a file that is otherwise whole.
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

/// The quadtree of a layer, where it is not empty.
fn tree_of(document: &Document) -> Option<&[u8]> {
    ObjectLayer::tree_in(document).map(|(tree, _)| tree).filter(|tree| !tree.is_empty())
}

/// Mends the quadtree, if the document is a layer and it needs to be mended; and makes the layer say
/// what is in it. What the layer lacks is to get these values.
pub(super) fn mend(recovered: &mut Recovered, place: Option<Range<usize>>, end: usize) -> Known {
    let document = &recovered.document;
    if document.class_name(&document.root) != ObjectLayer::CLASS.name {
        return Known::new();
    }
    let versions = versions(document);
    let raw = tree_of(document).unwrap_or_default();
    let is_whole = |version: &Version| !raw.is_empty() && tree::is_whole(raw, *version);
    let (version, InTree { kept, next }) = match versions.into_iter().find(is_whole) {
        Some(version) => {
            let ids = objects(raw, version).flatten().map(|(_, object)| object.id);
            (version, InTree::of(ids))
        }
        None => replace(recovered, versions, place, end),
    };
    let mut known = vec![(Tags::<ObjectLayer>::version, Value::SignedInt(version.layer_version()))];
    if field(&recovered.document, Tags::<ObjectLayer>::tree).is_none() {
        let empty = empty(version).map_or_else(|| Value::Array(Vec::new()), Value::from);
        known.push((Tags::<ObjectLayer>::tree, empty));
    }
    let said = field(&recovered.document, Tags::<ObjectLayer>::version).and_then(Value::as_integer);
    if said.is_some_and(|said| i32::try_from(said).map(Version::of_layer_version) != Ok(version)) {
        change(
            recovered,
            Tags::<ObjectLayer>::version,
            version.layer_version() as usize,
            "as its tree is",
        );
    }
    let next = i32::try_from(next).unwrap_or(i32::MAX);
    let count = i32::try_from(kept).unwrap_or(i32::MAX);
    known.push((Tags::<ObjectLayer>::object_count, Value::SignedLong(count)));
    known.push((Tags::<ObjectLayer>::next_object_id, Value::SignedInt(next)));
    let number = |tag| field(&recovered.document, tag).and_then(Value::as_integer);
    let said = number(Tags::<ObjectLayer>::object_count).and_then(|said| said.try_into().ok());
    recovered.placed = Some(PlacedCount { kept, said });
    known
}

/// Facts about the objects of the tree, for the fields of the layer.
#[derive(Default)]
struct InTree {
    /// How many there are.
    kept: u64,
    /// The least id that is above theirs.
    next: i64,
}

impl InTree {
    fn of(ids: impl Iterator<Item = u32>) -> Self {
        ids.fold(Self::default(), |Self { kept, next }, id| Self {
            kept: kept + 1,
            next: next.max(i64::from(id) + 1),
        })
    }
}

/// Makes a layer of which something was lost say how many objects it has, and that the next one gets a
/// number which none of them has.
pub(super) fn count(recovered: &mut Recovered, known: &Known) {
    let due =
        |tag| known.iter().find(|(known, _)| *known == tag).and_then(|(_, it)| it.as_integer());
    let there =
        |recovered: &Recovered, tag| field(&recovered.document, tag).and_then(Value::as_integer);
    let tag = Tags::<ObjectLayer>::object_count;
    if let (Some(has), Some(says)) = (due(tag), there(recovered, tag))
        && has != says
    {
        recovered.lost.push(Lost {
            range: 0..0,
            path: path_to(tag),
            reason: Reason::Doubtful,
            thought: format!("{says} objects, and the quadtree has {has}"),
        });
        change(recovered, tag, usize::try_from(has).unwrap_or_default(), "as many as there are");
    }
    let tag = Tags::<ObjectLayer>::next_object_id;
    if let (Some(next), Some(says)) = (due(tag), there(recovered, tag))
        && says < next
    {
        let next = usize::try_from(next).unwrap_or_default();
        change(recovered, tag, next, "above the numbers of all objects");
    }
}

/// Changes a number of the root.
fn change(recovered: &mut Recovered, tag: &'static str, number: usize, why: &str) {
    let id = recovered.document.tags.id(tag);
    if let Some(value) = id.and_then(|id| recovered.document.root.get_mut(id)) {
        set(value, number);
        let thought = format!("{number} now, {why}");
        recovered.lost.push(Lost {
            range: 0..0,
            path: path_to(tag),
            reason: Reason::Rebuilt,
            thought,
        });
    }
}

fn path_to(tag: &'static str) -> Path {
    Path::from(vec![PathSegment::Name(tag.into())])
}

/// A field of the root.
fn field<'d>(document: &'d Document, tag: &str) -> Option<&'d Value> {
    document.root.get(document.tags.id(tag)?)
}

/// The bytes of a quadtree without objects.
fn empty(version: Version) -> Option<Raw> {
    empty_bytes(version).ok().map(Raw::from)
}

/// Puts a quadtree in the place of one that cannot be read, with all that was found in that. Returns which
/// version it has, and what is in it.
fn replace(
    recovered: &mut Recovered,
    versions: [Version; 2],
    place: Option<Range<usize>>,
    end: usize,
) -> (Version, InTree) {
    let [said, _] = versions;
    let document = &recovered.document;
    let Some((raw, _)) = ObjectLayer::tree_in(document) else { return (said, InTree::default()) };
    let from = place.map_or(end - raw.len().min(end), |place| place.start);
    let all = from as u64..(from + raw.len()) as u64;
    let mend = |version| Some((version, tree::mend(raw, version, expected(document))?));
    let mended = versions.into_iter().filter(|_| !raw.is_empty()).find_map(mend);
    let (version, bytes, placed, lost, thought) = match mended {
        Some((version, mended)) => {
            let size = mended.bytes.len();
            let thought = format!("the nodes of the quadtree, which takes {size} bytes now");
            let placed = InTree::of(mended.objects.iter().map(|object| object.id));
            (version, Some(mended.bytes.into()), placed, mended.lost, thought)
        }
        None => {
            let thought = "the quadtree, in which nothing was found: it is without objects now";
            let lost = std::iter::once(0..raw.len()).collect();
            (said, empty(said), InTree::default(), lost, thought.to_owned())
        }
    };
    let path = || path_to(Tags::<ObjectLayer>::tree);
    for range in lost.iter().filter(|range| !range.is_empty()) {
        recovered.lost.push(Lost {
            range: (from + range.start) as u64..(from + range.end) as u64,
            path: path(),
            reason: Reason::Unreadable,
            thought: "nodes, leaves, groups or objects of the quadtree".to_owned(),
        });
    }
    recovered.lost.push(Lost { range: all, path: path(), reason: Reason::Rebuilt, thought });
    let id = recovered.document.tags.id(Tags::<ObjectLayer>::tree);
    if let Some(value) = id.and_then(|id| recovered.document.root.get_mut(id))
        && let Some(bytes) = bytes
    {
        *value = Value::Raw(bytes);
    }
    (version, placed)
}

/// The version that the layer says, or the newest; and the other one, as what it says may be damaged.
fn versions(document: &Document) -> [Version; 2] {
    let said = field(document, Tags::<ObjectLayer>::version).and_then(Value::as_integer);
    match said.and_then(|said| i32::try_from(said).ok()) {
        Some(said @ 1..) if Version::of_layer_version(said) == Version::V3 => {
            [Version::V3, Version::V4]
        }
        _ => [Version::V4, Version::V3],
    }
}

/// Returns the layer's facts about its objects: the names of templates, whose hashes groups have, and the next id.
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

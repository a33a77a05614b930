//! Three-way merge of the objects of a layer: three quadtrees become one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::placed::{called, templates};
use super::side::Side;
use crate::terrain::{ObjectLayer, Tags, Templates, Typed};
use crate::tree;
use crate::tree::{Colour, Tree, Version};
use crate::{Object, Table, Value};
use formwork_records::three_way::changed;
use formwork_records::wire::Components;

/// The fields of a merged layer that its objects decide.
pub(super) struct MergedLayer {
    /// The quadtree and what depends on it, by their tags.
    pub(super) fields: HashMap<u16, Value>,
    /// The ids of objects that both sides changed, with the object of the base, ours and theirs in words.
    pub(super) conflicts: Vec<(u32, [Option<String>; 3])>,
    /// How many objects that the others added have a new id, as ours added another object under theirs.
    pub(super) renumbered: usize,
}

/// Merges the quadtrees of three layers, object by object. None where they are no layers, or their trees cannot be
/// merged so.
pub(super) fn merge_layers(
    sides: [&Side<'_>; 3],
    layers: [&Object; 3],
    prefer_theirs: bool,
) -> Option<MergedLayer> {
    let [base_side, our_side, their_side] = sides;
    let [base, ours, theirs] = layers;
    let tags = &our_side.document.tags;
    let tag = tags.id(Tags::<ObjectLayer>::tree)?;
    if our_side.class(ours) != ObjectLayer::CLASS.name {
        return None;
    }
    let version = base_side.tree_version(base)?;
    let others = [our_side.tree_version(ours)?, their_side.tree_version(theirs)?];
    let trees = layers.map(|layer| match layer.get(tag) {
        Some(Value::Raw(bytes)) => Some(&bytes[..]),
        _ => None,
    });
    let [Some(of_base), Some(of_ours), Some(of_theirs)] = trees else { return None };
    if others != [version; 2] || of_theirs == of_base || of_ours == of_base || of_ours == of_theirs
    {
        return None;
    }
    let (base, theirs) = (placed(of_base, version)?, placed(of_theirs, version)?);
    let ours = placed(of_ours, version)?;
    let ids: BTreeSet<u32> =
        [&base, &ours, &theirs].into_iter().flat_map(|it| it.keys().copied()).collect();
    let mut next = next_id(tags, layers, ids.last().copied());
    let is_added = |(id, one): (&u32, &Placed)| (!base.contains_key(id)).then(|| one.likeness());
    let of_ours_only: HashSet<Likeness> = ours.iter().filter_map(is_added).collect();
    let names = sides.iter().zip(layers).map(|(side, layer)| templates(side, layer));
    let names: Vec<Templates> = names.collect();
    let (mut kept, mut conflicts, mut renumbered) = (BTreeMap::new(), Vec::new(), 0);
    for id in ids {
        let [was, here, there] = [base.get(&id), ours.get(&id), theirs.get(&id)];
        let taken = changed([was, here, there], |one, other| one == other);
        let one = match (taken, was, there) {
            (Some(taken), ..) => taken,
            // What both added is two objects. If ours has that of theirs under another id, it was merged before.
            (None, None, Some(added)) if next.is_some() => {
                if !of_ours_only.contains(&added.likeness())
                    && let Some(id) = next
                {
                    kept.insert(id, added.with_id(id));
                    next = id.checked_add(1).filter(|id| i32::try_from(*id).is_ok());
                    renumbered += 1;
                }
                here
            }
            _ => {
                conflicts.push((id, in_words([was, here, there], &names)));
                if prefer_theirs { there } else { here }
            }
        };
        kept.extend(one.map(|one| (id, *one)));
    }
    let tree = Tree::read(of_ours, version).ok()?;
    let above = kept.keys().next_back().filter(|_| renumbered > 0);
    let lengths = [base.len(), ours.len(), theirs.len()];
    let counts = counts(tags, layers, (lengths, kept.len()), above.copied());
    let merged = with_objects(tree, kept, of_theirs)?.to_vec().ok()?;
    let tree = (tag, Value::Raw(merged.into()));
    let fields = counts.into_iter().chain([tree]).collect();
    Some(MergedLayer { fields, conflicts, renumbered })
}

/// Returns an id above those of all objects, which the counters of the layers leave free, too.
fn next_id(tags: &Table, layers: [&Object; 3], highest: Option<u32>) -> Option<u32> {
    let counter = tags.id(Tags::<ObjectLayer>::next_object_id);
    let counted = layers.iter().filter_map(|layer| layer.get(counter?)?.as_integer());
    let above = i64::from(highest?) + 1;
    let next = counted.fold(above, i64::max);
    i32::try_from(next).ok().and_then(|next| u32::try_from(next).ok())
}

/// Returns an object of the base, ours and theirs in words: the name of the template, and the numbers that differ.
fn in_words(objects: [Option<&Placed>; 3], names: &[Templates]) -> [Option<String>; 3] {
    let all = objects.map(|it| {
        it.map(|Placed((hash, object))| {
            let name = names.iter().find_map(|templates| templates.name_of(*hash));
            let template = called(*hash, name).into();
            super::placed::Placed { template, object: *object, earlier: 0 }
        })
    });
    let numbers = |one: &super::placed::Placed| {
        let turns = one.turns().map(|(name, number)| format!(" {name}={number}"));
        [format!(" at {}", one.position())].into_iter().chain(turns).collect::<Vec<_>>()
    };
    let numbers = all.each_ref().map(|it| it.as_ref().map(numbers));
    let differs = |at: usize| {
        let mut there = numbers.iter().flatten().map(|numbers| &numbers[at]);
        let first = there.next();
        there.any(|number| Some(number) != first)
    };
    let mut words = all.iter().zip(&numbers).map(|(one, numbers)| {
        let numbers = numbers.as_ref()?.iter().enumerate();
        let numbers: String = numbers.filter(|(at, _)| differs(*at)).map(|(_, it)| &**it).collect();
        Some(format!("{}{numbers}", one.as_ref()?.template))
    });
    [(); 3].map(|()| words.next().flatten())
}

/// Returns the fields of a layer that depend on its objects: how many there are, where all three say it right,
/// and the number that the next one gets, which is above `highest`.
fn counts(
    tags: &Table,
    all: [&Object; 3],
    (were, are): ([usize; 3], usize),
    highest: Option<u32>,
) -> Vec<(u16, Value)> {
    let field = |name: &str| {
        let tag = tags.id(name)?;
        let values = all.map(|object| object.get(tag).and_then(Value::as_integer));
        let [Some(base), Some(ours), Some(theirs)] = values else { return None };
        Some((tag, [base, ours, theirs]))
    };
    let mut fields = Vec::new();
    if let Some((tag, said)) = field(Tags::<ObjectLayer>::object_count)
        && said.iter().zip(were).all(|(said, was)| usize::try_from(*said) == Ok(was))
        && let Ok(count) = i32::try_from(are)
    {
        fields.push((tag, Value::SignedLong(count)));
    }
    let above = highest.map_or(i64::MIN, |highest| i64::from(highest) + 1);
    if let Some((tag, [_, ours, theirs])) = field(Tags::<ObjectLayer>::next_object_id)
        && let Ok(next) = i32::try_from(ours.max(theirs).max(above))
    {
        fields.push((tag, Value::SignedInt(next)));
    }
    fields
}

/// Returns our tree with these objects, by their ids. Where none came, went or moved, it stays as it is but for their
/// numbers; otherwise it is built anew.
fn with_objects(mut tree: Tree, mut kept: BTreeMap<u32, Placed>, theirs: &[u8]) -> Option<Tree> {
    let stays = |(template, object): (u32, &tree::Object)| {
        kept.get(&object.id).is_some_and(|Placed((merged, one))| {
            *merged == template
                && [one.x, one.y].map(f64::to_bits) == [object.x, object.y].map(f64::to_bits)
        })
    };
    if tree.objects.len() == kept.len() && tree.placed().all(stays) {
        for object in &mut tree.objects {
            kept.get(&object.id).iter().for_each(|one| *object = one.0.1);
        }
        return Some(tree);
    }
    // In the order of ours, then what the others added.
    let mut objects = Vec::with_capacity(kept.len());
    for (_, object) in tree.placed() {
        objects.extend(kept.remove(&object.id));
    }
    objects.extend(kept.into_values());
    let theirs = Tree::read(theirs, tree.version).ok()?;
    let colours: HashMap<_, _> = (theirs.leaves.iter().chain(&tree.leaves))
        .map(|leaf| (leaf.template, leaf.colour))
        .collect();
    let colour = |template: u32| colours.get(&template).copied().unwrap_or(Colour::from(0));
    tree.rebuild(objects.into_iter().map(|one: Placed| one.0), colour).ok()
}

/// An object of a layer, with the hash of its template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placed((u32, tree::Object));

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        let bits = |one: &Self| one.0.1.to_components();
        self.0.0 == other.0.0 && bits(self) == bits(other)
    }
}

/// Content of an object without its id, compared bit for bit.
type Likeness = (u32, <tree::Object as Components>::Array);

impl Placed {
    fn with_id(self, id: u32) -> Self {
        let Self((template, object)) = self;
        Self((template, tree::Object { id, ..object }))
    }

    fn likeness(self) -> Likeness {
        let Self((template, object)) = self.with_id(0);
        (template, object.to_components())
    }
}

/// Returns the objects of a tree by their ids. None where the tree cannot be read, or two have one id.
fn placed(bytes: &[u8], version: Version) -> Option<BTreeMap<u32, Placed>> {
    let mut placed = BTreeMap::new();
    for found in tree::objects(bytes, version) {
        let (template, object) = found.ok()?;
        if placed.insert(object.id, Placed((template, object))).is_some() {
            return None;
        }
    }
    Some(placed)
}

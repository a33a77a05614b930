//! What two sides made of the objects of a layer: three quadtrees merged.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::side::Side;
use crate::alb1::terrain::{ObjectLayer, Tags, Typed};
use crate::alb1::tree::{self, Colour, Tree, Version};
use crate::alb1::{Object, Table, Value};

/// The fields of a merged layer that its objects decide.
pub(super) struct MergedLayer {
    /// The quadtree and what depends on it, by their tags.
    pub(super) fields: HashMap<u16, Value>,
    /// The ids of objects that both sides changed, with the object of the base, ours and theirs.
    pub(super) conflicts: Vec<(u32, [Option<Placed>; 3])>,
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
    let (mut kept, mut conflicts) = (BTreeMap::new(), Vec::new());
    for id in ids {
        let [was, here, there] = [base.get(&id), ours.get(&id), theirs.get(&id)];
        let one = if here == there || there == was {
            here
        } else if here == was {
            there
        } else {
            conflicts.push((id, [was, here, there].map(|it| it.copied())));
            if prefer_theirs { there } else { here }
        };
        kept.extend(one.map(|one| (id, *one)));
    }
    let tree = Tree::read(of_ours, version).ok()?;
    let counts = counts(tags, layers, [base.len(), ours.len(), theirs.len()], kept.len());
    let merged = with_objects(tree, kept, of_theirs)?.to_vec().ok()?;
    let tree = (tag, Value::Raw(merged.into()));
    Some(MergedLayer { fields: counts.into_iter().chain([tree]).collect(), conflicts })
}

/// Returns the fields of a layer that depend on its objects: how many there are, where all three say it right,
/// and the number that the next one gets.
fn counts(tags: &Table, all: [&Object; 3], were: [usize; 3], are: usize) -> Vec<(u16, Value)> {
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
    if let Some((tag, [_, ours, theirs])) = field(Tags::<ObjectLayer>::next_object_id)
        && let Ok(next) = i32::try_from(ours.max(theirs))
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
        use crate::wire::Components;
        let bits = |one: &Self| one.0.1.to_components();
        self.0.0 == other.0.0 && bits(self) == bits(other)
    }
}

impl Placed {
    /// Returns the object in a short line.
    pub(super) fn text(self) -> String {
        let (template, object) = self.0;
        let tree::Object { x, y, yaw, pitch, roll, scale, z, .. } = object;
        format!(
            "0x{template:08x} at [{x}, {y}] yaw={yaw} pitch={pitch} roll={roll} scale={scale} z={z}"
        )
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

//! Merges layers.

use std::collections::{HashMap, HashSet};

use formwork::{Error, Result};
use formwork_alb1::Text;
use formwork_alb1::terrain::{Library, ObjectLayer, Pairs, Templates};
use formwork_alb1::tree::{Colour, Object};

use super::{Open, rule};
use crate::object_list::{Placement, templates_of};

/// The options of a merge.
#[derive(Clone, Debug, Default)]
pub struct Merge {
    /// Whether layers whose objects have the same ids are refused. Otherwise the later objects get new ids.
    pub keep_ids: bool,
    /// The template libraries of the project.
    pub libraries: Vec<Library>,
}

/// The result of merging layers into another.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Merged {
    /// The number of added objects.
    pub objects: usize,
    /// The number of added objects with a new id, because their id was taken.
    pub renumbered: usize,
    /// The number of added objects that come after an object of the same template with the same numbers.
    pub duplicates: usize,
    /// The number of templates that are new in the list of the layer.
    pub new_templates: usize,
    /// Templates that the layers have from different libraries; that of the first layer is kept.
    pub other_library: Vec<Text>,
    /// Templates to which objects refer by hash and which have another name now: both names have the same hash.
    pub other_name: Vec<(Text, Text)>,
}

/// All of an object but its id.
type Likeness = (u32, [u64; Placement::NAMES.len()]);

fn likeness(hash: u32, object: &Object) -> Likeness {
    (hash, Placement::from(*object).numbers().map(f64::to_bits))
}

impl Merge {
    /// Puts the objects of `others` into `layer`, and their templates into its lists. Objects of `layer` keep their
    /// ids, and other objects keep theirs if these are free.
    ///
    /// # Errors
    ///
    /// [`rule::ID`] if ids that are to be kept collide, or no id is left. Also returns an error if a tree is broken, or
    /// if an object is outside the box of the layer's tree.
    pub fn apply(&self, layer: &mut ObjectLayer, others: &[&ObjectLayer]) -> Result<Merged> {
        let open = Open::new(layer, &self.libraries)?;
        let mut merged = Merged::default();
        let mut taken: HashSet<u32> = HashSet::new();
        let mut seen: HashSet<Likeness> = HashSet::new();
        let mut objects: Vec<(u32, Object)> = Vec::new();
        for (hash, object) in open.tree.placed() {
            taken.insert(object.id);
            seen.insert(likeness(hash, object));
            objects.push((hash, *object));
        }
        let mut colours: HashMap<u32, Colour> = HashMap::new();
        let mut names: Vec<(u32, Text)> = Vec::new();
        let mut next = u32::try_from(layer.next_object_id).unwrap_or_default();
        let mut opened = Vec::new();
        for other in others {
            let other_open = Open::new(other, &self.libraries)?;
            next = next.max(u32::try_from(other.next_object_id).unwrap_or_default());
            opened.push(other_open);
        }
        let ids = objects.iter().map(|(_, object)| object.id);
        let ids = ids.chain(opened.iter().flat_map(|it| it.tree.objects.iter().map(|it| it.id)));
        // A new id is above all ids of all layers.
        next = ids.map(|id| id.saturating_add(1)).max().unwrap_or(0).max(next);
        for other in &opened {
            colours.extend(other.colours());
            for &hash in &other.hashes {
                names.extend(other.templates.name_of(hash).map(|name| (hash, name.clone())));
            }
            for (hash, object) in other.tree.placed() {
                merged.duplicates += usize::from(!seen.insert(likeness(hash, object)));
                let mut object = *object;
                if !taken.insert(object.id) {
                    object.id = self.new_id(&mut next, object.id)?;
                    taken.insert(object.id);
                    merged.renumbered += 1;
                }
                merged.objects += 1;
                objects.push((hash, object));
            }
        }
        let tree = open.rebuilt_with(objects, &colours)?;
        let mut changed = layer.clone();
        for other in others {
            merged.add_templates(&mut changed, other);
        }
        changed.set_tree(&tree).map_err(|error| error.within("tree"))?;
        let (now, _): (Templates, _) = templates_of(&changed, &self.libraries)?;
        for (hash, before) in names {
            if let Some(after) = now.name_of(hash).filter(|after| **after != before) {
                merged.other_name.push((before, after.clone()));
            }
        }
        merged.other_name.sort();
        merged.other_name.dedup();
        *layer = changed;
        Ok(merged)
    }

    fn new_id(&self, next: &mut u32, taken: u32) -> Result<u32> {
        if self.keep_ids {
            let found = format!("two objects with the id {taken}");
            return Err(Error::new(rule::ID, 0, "an id of its own for each object", found));
        }
        let id = *next;
        // The counter of a layer is a signed number.
        if i32::try_from(id).is_ok_and(|id| id < i32::MAX) {
            *next += 1;
            return Ok(id);
        }
        Err(Error::new(rule::ID, 0, "an id that is left for a new object", "none"))
    }
}

impl Merged {
    /// Adds the lists of templates and libraries of one layer to those of another.
    fn add_templates(&mut self, layer: &mut ObjectLayer, other: &ObjectLayer) {
        let there: HashMap<&Text, i32> =
            layer.templates.iter().map(|(name, it)| (name, *it)).collect();
        let mut new = Vec::new();
        for (name, &library) in other.templates.iter() {
            match there.get(name) {
                None => new.push((name.clone(), library)),
                Some(&has) if has != library => self.other_library.push(name.clone()),
                Some(_) => {}
            }
        }
        drop(there);
        self.new_templates += new.len();
        extend(&mut layer.templates, new);
        let there: HashSet<&Text> = layer.libraries.iter().map(|(name, _)| name).collect();
        let new = other.libraries.iter().filter(|(name, _)| !there.contains(name));
        let new: Vec<_> = new.map(|(name, &hash)| (name.clone(), hash)).collect();
        drop(there);
        extend(&mut layer.libraries, new);
    }
}

/// Adds pairs with new keys: in the order of the keys if the others are sorted, otherwise at the end.
fn extend(pairs: &mut Pairs<Text, i32>, new: Vec<(Text, i32)>) {
    if new.is_empty() {
        return;
    }
    let mut all: Vec<(Text, i32)> = pairs.iter().map(|(key, &it)| (key.clone(), it)).collect();
    let in_order = all.is_sorted_by(|one, other| one.0 <= other.0);
    all.extend(new);
    if in_order {
        all.sort();
    }
    *pairs = all.into_iter().collect();
}

//! Three documents merged: what two sides made of one.
//!
//! Before anything is compared, the names in the tables of all three get the ids of ours, and objects that are the
//! same get the address that they have in ours. Then pointers can be taken as they stand.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::align::{Fate, align};
use super::compare::likeness;
use super::entry::Entry;
use super::side::{Side, hash, is_map, is_mask};
use super::summary::summary;
use super::trail::{Step, Trail};
use crate::alb1::terrain::{ObjectLayer, Tags, Typed};
use crate::alb1::tree::{self, Colour, Tree, Version};
use crate::alb1::{Addresses, Document, Field, Object, ObjectPointer, Table, Value};
use crate::three_way::{Slot, slots};

/// A place that both sides changed, each in its own way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Conflict {
    /// Where it is: `objManager.mroadbase.width`.
    pub place: String,
    /// What was there, in a short line.
    pub base: Option<String>,
    /// What our document has there.
    pub ours: Option<String>,
    /// What the others' document has there.
    pub theirs: Option<String>,
}

/// A merged document.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The document: ours, with what the others changed.
    pub document: Document,
    /// Where both sides changed the same.
    pub conflicts: Vec<Conflict>,
}

/// Merges documents as [`diff`](super::diff()) compares them: takes what either side changed. In a conflict ours stays,
/// or theirs where `prefer_theirs` says so.
///
/// What every save changes is that of ours: addresses, numbers of shapes, memory that was never set. Objects of a
/// layer are merged by their ids. It recurses as deep as the documents nest.
#[must_use]
pub fn merge(base: &Document, ours: &Document, theirs: &Document, prefer_theirs: bool) -> Merged {
    let mut document = ours.clone();
    let mut base = base.clone();
    let mut theirs = theirs.clone();
    for other in [&mut base, &mut theirs] {
        renumber_names(other, &mut document.tags, &mut document.classes);
    }
    let ours = document;
    let renewed = share_addresses(&mut base, &ours, &mut theirs);
    let internal = [&base, &ours, &theirs].into_iter().flat_map(addresses).collect();
    let mut merging = Merging {
        base: Side::new(&base, false, None),
        ours: Side::new(&ours, false, None),
        theirs: Side::new(&theirs, false, None),
        internal,
        prefer_theirs,
        trail: Trail::default(),
        conflicts: Vec::new(),
    };
    let root = merging.object([&base.root, &ours.root, &theirs.root]);
    let conflicts = merging.conflicts;
    let mut document = ours.clone();
    document.root = root;
    give_back(&mut document, renewed);
    // In a project it says what the root's field `version` says.
    if ours.header == base.header {
        document.header = theirs.header;
    }
    Merged { document, conflicts }
}

/// Gives the tags and classes of a document the ids that these tables have for their names.
fn renumber_names(document: &mut Document, tags: &mut Table, classes: &mut Table) {
    let new_ids = |own: &Table, shared: &mut Table| -> HashMap<u16, u16> {
        let differs = own.entries().filter(|(id, name)| shared.name(*id) != Some(*name));
        let names: Vec<_> = differs.map(|(id, name)| (id, name.to_str().into_owned())).collect();
        names.into_iter().filter_map(|(id, name)| Some((id, shared.add(&name)?))).collect()
    };
    let tag_ids = new_ids(&document.tags, tags);
    let class_ids = new_ids(&document.classes, classes);
    (document.tags, document.classes) = (tags.clone(), classes.clone());
    let class = |id: i16| class_ids.get(&(id as u16)).map_or(id, |id| *id as i16);
    document.root.class = class(document.root.class);
    each_field(&mut document.root.fields, &mut |field| {
        field.tag = tag_ids.get(&field.tag).copied().unwrap_or(field.tag);
        match &mut field.value {
            Value::Object(object) => object.class = class(object.class),
            Value::ObjectPointer(pointer) => pointer.class = class(pointer.class),
            _ => {}
        }
    });
}

fn each_field(fields: &mut [Field], visit: &mut impl FnMut(&mut Field)) {
    for field in fields {
        visit(field);
        each_field(field.value.fields_mut(), visit);
    }
}

/// Returns the addresses of all objects of a document.
fn addresses(document: &Document) -> HashSet<u32> {
    let objects = document.walk().filter_map(|item| item.object().map(|it| it.address));
    objects.chain([document.root.address]).collect()
}

/// Gives objects of the base and of theirs the address that they have in ours, and those that ours has not an address
/// that no object of ours has. Pointers follow. Returns the addresses that are new to objects of theirs, and what they
/// were.
fn share_addresses(
    base: &mut Document,
    ours: &Document,
    theirs: &mut Document,
) -> HashMap<u32, u32> {
    let mut free = Addresses::of(ours);
    free.take(base);
    free.take(theirs);
    let taken = addresses(ours);
    let mut same = HashMap::new();
    same_objects(
        (&Side::new(base, false, None), &base.root),
        (&Side::new(ours, false, None), &ours.root),
        &mut same,
    );
    give_addresses(base, &same, &taken, &mut free);
    let taken = taken.into_iter().chain(addresses(base)).collect();
    let their_side = Side::new(theirs, false, None);
    let mut same = HashMap::new();
    let base_side = Side::new(base, false, None);
    same_objects((&their_side, &theirs.root), (&base_side, &base.root), &mut same);
    // What both added is in no base.
    let mut added = HashMap::new();
    let our_side = Side::new(ours, false, None);
    same_objects((&their_side, &theirs.root), (&our_side, &ours.root), &mut added);
    let given: HashSet<u32> = same.values().copied().collect();
    added.retain(|address, ours| !same.contains_key(address) && !given.contains(ours));
    same.extend(added);
    give_addresses(theirs, &same, &taken, &mut free)
}

/// Gives objects of theirs their own addresses back where no object of the merged document has these any more: an entry
/// with another key is a new one, and takes the place of the one that it was.
fn give_back(document: &mut Document, mut renewed: HashMap<u32, u32>) {
    if renewed.is_empty() {
        return;
    }
    let mut taken = addresses(document);
    renewed.retain(|address, _| taken.contains(address));
    for item in document.walk() {
        if let Some(Value::ObjectPointer(pointer)) = item.value() {
            taken.insert(pointer.address);
        }
    }
    renewed.retain(|_, own| !taken.contains(own));
    renumber_addresses(document, &renewed);
}

/// Notes which object of one document is which of another.
fn same_objects(
    (side, one): (&Side<'_>, &Object),
    (other_side, other): (&Side<'_>, &Object),
    same: &mut HashMap<u32, u32>,
) {
    same.insert(one.address, other.address);
    let sides = (side, other_side);
    same_in(sides, (&one.fields, &other.fields), true, same);
}

fn same_in(
    (side, other_side): (&Side<'_>, &Side<'_>),
    (one, other): (&[Field], &[Field]),
    of_object: bool,
    same: &mut HashMap<u32, u32>,
) {
    let pairs = paired((side, one), (other_side, other), of_object);
    for (at, from) in pairs.into_iter().enumerate() {
        let Some(one) = from.and_then(|from| one.get(from)) else { continue };
        let other = &other[at];
        match (&one.value, &other.value) {
            (Value::Object(one), Value::Object(other)) => {
                same_objects((side, one), (other_side, other), same);
            }
            (Value::Pair(one), Value::Pair(other)) => {
                for (one, other) in one.iter().zip(other.iter()) {
                    let halves = (std::slice::from_ref(one), std::slice::from_ref(other));
                    same_in((side, other_side), halves, true, same);
                }
            }
            (one, other) => {
                if let (Some(one), Some(other)) = (one.as_array(), other.as_array()) {
                    same_in((side, other_side), (one, other), false, same);
                }
            }
        }
    }
}

/// Gives the objects of a document the addresses of those that they are, and others a new one where theirs is taken.
/// Returns the new addresses, and what they were.
fn give_addresses(
    document: &mut Document,
    same: &HashMap<u32, u32>,
    taken: &HashSet<u32>,
    free: &mut Addresses,
) -> HashMap<u32, u32> {
    let (mut new, mut renewed) = (HashMap::new(), HashMap::new());
    let mut addresses: Vec<_> = addresses(document).into_iter().collect();
    addresses.sort_unstable();
    for address in addresses {
        let given = match same.get(&address) {
            Some(&address) => address,
            None if taken.contains(&address) => free.fresh().unwrap_or(address),
            None => address,
        };
        new.insert(address, given);
        if !same.contains_key(&address) && given != address {
            renewed.insert(given, address);
        }
    }
    renumber_addresses(document, &new);
    renewed
}

/// Gives objects other addresses, and pointers to them.
fn renumber_addresses(document: &mut Document, new: &HashMap<u32, u32>) {
    let given = |address: u32| new.get(&address).copied().unwrap_or(address);
    document.root.address = given(document.root.address);
    each_field(&mut document.root.fields, &mut |field| match &mut field.value {
        Value::Object(object) => object.address = given(object.address),
        Value::ObjectPointer(pointer) => pointer.address = given(pointer.address),
        _ => {}
    });
}

/// Returns, for each field or element of the new list, which of the old list it is.
fn paired(
    (old_side, old): (&Side<'_>, &[Field]),
    (new_side, new): (&Side<'_>, &[Field]),
    of_object: bool,
) -> Vec<Option<usize>> {
    if !of_object && is_map(old) && is_map(new) {
        let keys = |side: &Side<'_>, list: &[Field]| -> Vec<u64> {
            let entries = Entry::all(side, list)
                .into_iter()
                .map(|entry| (std::ptr::from_ref(entry.pair), hash(&(&entry.key, entry.earlier))));
            let entries: HashMap<*const Field, u64> = entries.collect();
            list.iter().map(|pair| entries[&std::ptr::from_ref(pair)]).collect()
        };
        return by_token(&keys(old_side, old), &keys(new_side, new));
    }
    if !of_object && is_mask(old) && is_mask(new) && old.len() == new.len() {
        return (0..new.len()).map(Some).collect();
    }
    if of_object {
        let tokens = |list: &[Field]| -> Vec<u64> {
            let mut times: HashMap<u16, u32> = HashMap::new();
            list.iter()
                .map(|field| {
                    let earlier = times.entry(field.tag).or_default();
                    *earlier += 1;
                    hash(&(field.tag, *earlier))
                })
                .collect()
        };
        return by_token(&tokens(old), &tokens(new));
    }
    let (old_names, new_names) = (old_side.names(old), new_side.names(new));
    let (old_parts, new_parts) = (old_side.parts(old), new_side.parts(new));
    let tokens = |parts: &[Vec<u64>], names: &[Option<String>]| -> Vec<u64> {
        let both = parts.iter().zip(names);
        both.map(|(parts, name)| name.as_ref().map_or_else(|| hash(parts), hash)).collect()
    };
    let fates =
        align(&tokens(&old_parts, &old_names), &tokens(&new_parts, &new_names), |one, other| {
            old_parts
                .get(one)
                .zip(new_parts.get(other))
                .map_or(0.0, |(old, new)| likeness(old, new))
        });
    let mut pairs = vec![None; new.len()];
    for fate in fates {
        if let Fate::Kept(old, new) | Fate::Moved(old, new) = fate {
            pairs[new] = Some(old);
        }
    }
    pairs
}

fn by_token(old: &[u64], new: &[u64]) -> Vec<Option<usize>> {
    let places: HashMap<_, _> = old.iter().enumerate().map(|(at, token)| (*token, at)).collect();
    new.iter().map(|token| places.get(token).copied()).collect()
}

/// A merge that is under way.
struct Merging<'d> {
    base: Side<'d>,
    ours: Side<'d>,
    theirs: Side<'d>,
    /// Addresses of objects in the three documents. Pointers to others lead to other files.
    internal: HashSet<u32>,
    prefer_theirs: bool,
    trail: Trail<'d>,
    conflicts: Vec<Conflict>,
}

impl<'d> Merging<'d> {
    fn object(&mut self, all: [&'d Object; 3]) -> Object {
        let [base, ours, theirs] = all;
        let class = if ours.class == base.class { theirs.class } else { ours.class };
        let saved: HashSet<u16> = {
            let counts = self.ours.counts(ours);
            ours.fields.iter().filter(|field| !counts(field)).map(|field| field.tag).collect()
        };
        let layer = self.layer(all).unwrap_or_default();
        let fields = [&base.fields[..], &ours.fields, &theirs.fields];
        let fields = self.fields(fields, true, (&saved, layer));
        Object { class, address: ours.address, fields }
    }

    /// Merges fields of an object or elements of an array. Of the fields that every save changes, and of those that
    /// were merged before, ours or what was merged is taken.
    fn fields(
        &mut self,
        [base, ours, theirs]: [&'d [Field]; 3],
        of_object: bool,
        (saved, mut merged): (&HashSet<u16>, HashMap<u16, Value>),
    ) -> Vec<Field> {
        let of_ours = paired((&self.base, base), (&self.ours, ours), of_object);
        let of_theirs = paired((&self.base, base), (&self.theirs, theirs), of_object);
        let is_keyed = of_object || is_map(ours) && is_map(theirs);
        let mut added = paired((&self.ours, ours), (&self.theirs, theirs), of_object);
        for (at, found) in added.iter_mut().enumerate() {
            *found = found.filter(|&other| {
                let is_same = self.ours.hash(&ours[other]) == self.theirs.hash(&theirs[at]);
                of_theirs[at].is_none() && of_ours[other].is_none() && (is_keyed || is_same)
            });
        }
        let mut made = Vec::with_capacity(ours.len());
        for slot in slots(base.len(), &of_ours, &of_theirs, &added) {
            let Slot { base: at_base, ours: at_ours, theirs: at_theirs } = slot;
            let of_base = at_base.and_then(|at| base.get(at));
            let of_ours = at_ours.and_then(|at| ours.get(at));
            let of_theirs = at_theirs.and_then(|at| theirs.get(at));
            let Some(either) = of_ours.or(of_theirs) else { continue };
            if of_object && saved.contains(&either.tag) {
                made.extend(of_ours.cloned());
                continue;
            }
            let tag = either.tag;
            if let Some(value) = merged.remove(&tag) {
                made.push(Field { tag, value });
                continue;
            }
            let position = at_ours.or(at_theirs).unwrap_or_default();
            let step = self.step(either, of_object, position);
            self.trail.push(step);
            made.extend(self.field([of_base, of_ours, of_theirs]));
            self.trail.pop();
        }
        made
    }

    fn step(&self, field: &'d Field, of_object: bool, position: usize) -> Step<'d> {
        if of_object {
            return Step::Field(self.ours.tag_of(field), None);
        }
        let side = &self.ours;
        match Entry::all(side, std::slice::from_ref(field)).first() {
            Some(entry) if entry.pair.value.as_pair().is_some() => entry.step(),
            _ => match side.names(std::slice::from_ref(field)).pop().flatten() {
                Some(name) => Step::Named(name),
                None => Step::Index(position),
            },
        }
    }

    /// Merges a field; none where it is removed.
    fn field(&mut self, all: [Option<&'d Field>; 3]) -> Option<Field> {
        let same =
            |side: &Side<'_>, one: &Field, base: &Field| side.hash(one) == self.base.hash(base);
        match all {
            [Some(base), Some(ours), Some(theirs)] => {
                let value = self.value([&base.value, &ours.value, &theirs.value]);
                Some(Field { tag: ours.tag, value })
            }
            [Some(base), Some(ours), None] if same(&self.ours, ours, base) => None,
            [Some(base), None, Some(theirs)] if same(&self.theirs, theirs, base) => None,
            [None, Some(one), None] | [None, None, Some(one)] => Some(one.clone()),
            [None, Some(ours), Some(theirs)]
                if self.ours.hash(ours) == self.theirs.hash(theirs) =>
            {
                Some(ours.clone())
            }
            [base, ours, theirs] => {
                let value = |field: Option<&'d Field>| field.map(|field| &field.value);
                self.conflict([value(base), value(ours), value(theirs)]);
                if self.prefer_theirs { theirs } else { ours }.cloned()
            }
        }
    }

    fn value(&mut self, all: [&'d Value; 3]) -> Value {
        if let [Some(base), Some(ours), Some(theirs)] = all.map(Value::as_array) {
            let lists = [base, ours, theirs];
            // A mask of another length is another one.
            let masks = lists.map(|list| is_mask(list) && !list.is_empty());
            let lengths = base.len() == ours.len() && ours.len() == theirs.len();
            if !masks.contains(&true) || (masks == [true; 3] && lengths) {
                let none = (&HashSet::new(), HashMap::new());
                return Value::Array(self.fields(lists, false, none));
            }
        }
        match all {
            [Value::Object(base), Value::Object(ours), Value::Object(theirs)] => {
                Value::Object(self.object([base, ours, theirs]).into())
            }
            [Value::Pair(base), Value::Pair(ours), Value::Pair(theirs)] => {
                let mut halves = ours.clone();
                for (at, half) in halves.iter_mut().enumerate() {
                    self.trail.push(Step::Field(self.ours.tag_of(&ours[at]), None));
                    half.value = self.value([&base[at].value, &ours[at].value, &theirs[at].value]);
                    self.trail.pop();
                }
                Value::Pair(halves)
            }
            [
                Value::ObjectPointer(base),
                Value::ObjectPointer(ours),
                Value::ObjectPointer(theirs),
            ] => self.pointer([*base, *ours, *theirs], all),
            _ => self.other(all),
        }
    }

    /// Merges pointers. Where one leads to in another file changes with every save.
    fn pointer(&mut self, [base, ours, theirs]: [ObjectPointer; 3], all: [&'d Value; 3]) -> Value {
        let is_inside = |pointer: ObjectPointer| self.internal.contains(&pointer.address);
        let elsewhere = !is_inside(ours) && !is_inside(theirs) && !is_inside(base);
        if elsewhere && ours.class == theirs.class {
            return all[1].clone();
        }
        self.other(all)
    }

    /// Merges values that are one thing.
    fn other(&mut self, [base, ours, theirs]: [&'d Value; 3]) -> Value {
        if ours.is_identical(theirs) || theirs.is_identical(base) {
            return ours.clone();
        }
        if ours.is_identical(base) {
            return theirs.clone();
        }
        self.conflict([Some(base), Some(ours), Some(theirs)]);
        if self.prefer_theirs { theirs } else { ours }.clone()
    }

    fn conflict(&mut self, [base, ours, theirs]: [Option<&'d Value>; 3]) {
        self.conflicts.push(Conflict {
            place: self.trail.place().to_string(),
            base: base.map(|value| summary(&self.base, value)),
            ours: ours.map(|value| summary(&self.ours, value)),
            theirs: theirs.map(|value| summary(&self.theirs, value)),
        });
    }

    /// Merges the quadtrees of three layers, object by object: what the field becomes, and those that depend on it, by
    /// their tags. None where they are no layers, or their trees cannot be merged so.
    fn layer(&mut self, all: [&'d Object; 3]) -> Option<HashMap<u16, Value>> {
        let tag = self.ours.document.tags.id(Tags::<ObjectLayer>::tree)?;
        let [base, ours, theirs] = all;
        if self.ours.class(ours) != ObjectLayer::CLASS.name {
            return None;
        }
        let bytes = |object: &'d Object| match object.get(tag) {
            Some(Value::Raw(bytes)) => Some(&bytes[..]),
            _ => None,
        };
        let version = |side: &Side<'_>, object: &Object| {
            let version = side.get(object, Tags::<ObjectLayer>::version)?.as_integer()?;
            Some(Version::of_layer_version(i32::try_from(version).ok()?))
        };
        let versions = [
            version(&self.base, base)?,
            version(&self.ours, ours)?,
            version(&self.theirs, theirs)?,
        ];
        let [of_base, of_ours, of_theirs] = [bytes(base)?, bytes(ours)?, bytes(theirs)?];
        if versions[0] != versions[1]
            || versions[1] != versions[2]
            || of_theirs == of_base
            || of_ours == of_base
            || of_ours == of_theirs
        {
            return None;
        }
        let version = versions[1];
        let (base, theirs) = (placed(of_base, version)?, placed(of_theirs, version)?);
        let ours = placed(of_ours, version)?;
        let ids: BTreeMap<u32, ()> =
            [&base, &ours, &theirs].iter().flat_map(|it| it.keys().map(|id| (*id, ()))).collect();
        let (mut kept, mut conflicts) = (BTreeMap::new(), Vec::new());
        for id in ids.into_keys() {
            let [was, here, there] = [base.get(&id), ours.get(&id), theirs.get(&id)];
            let one = if here == there || there == was {
                here
            } else if here == was {
                there
            } else {
                conflicts.push((id, [was, here, there].map(|it| it.copied())));
                if self.prefer_theirs { there } else { here }
            };
            kept.extend(one.map(|one| (id, *one)));
        }
        let tree = Tree::read(of_ours, version).ok()?;
        let counts = [base.len(), ours.len(), theirs.len()];
        let counts = self.counts(all, counts, kept.len());
        let merged = with_objects(tree, kept, of_theirs)?.to_vec().ok()?;
        for (id, sides) in conflicts {
            let [base, ours, theirs] = sides.map(|it| it.map(|it: Placed| it.text()));
            self.trail.push(Step::Field(Tags::<ObjectLayer>::tree.into(), None));
            self.trail.push(Step::Named(format!("id {id}")));
            let place = self.trail.place().to_string();
            self.trail.pop();
            self.trail.pop();
            self.conflicts.push(Conflict { place, base, ours, theirs });
        }
        let tree = (tag, Value::Raw(merged.into()));
        Some(counts.into_iter().chain([tree]).collect())
    }

    /// Returns the fields of a layer that depend on its objects: how many there are, where all three say it right,
    /// and the number that the next one gets.
    fn counts(&self, all: [&'d Object; 3], were: [usize; 3], are: usize) -> Vec<(u16, Value)> {
        let tags = &self.ours.document.tags;
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
struct Placed((u32, tree::Object));

impl PartialEq for Placed {
    fn eq(&self, other: &Self) -> bool {
        use crate::wire::Components;
        let bits = |one: &Self| one.0.1.to_components();
        self.0.0 == other.0.0 && bits(self) == bits(other)
    }
}

impl Placed {
    fn text(self) -> String {
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

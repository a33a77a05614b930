//! Three documents merged: what two sides made of one.
//!
//! Before anything is compared, the names and objects of all three get [one identity](super::identity).

use std::collections::{HashMap, HashSet};

use super::entry::Entry;
use super::identity::{addresses, give_back, renumber_names, share_addresses};
use super::layer::merge_layers;
use super::pairing::paired;
use super::side::{Side, is_map, is_mask};
use super::summary::summary;
use super::trail::{Step, Trail};
use crate::terrain::{ObjectLayer, ObjectManager, Tags, Typed};
use crate::walk::occurrences;
use crate::{Document, Field, Object, ObjectPointer, Value};
use formwork_records::three_way::{Slot, changed, slots};

/// A place that both sides changed, each in its own way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Conflict {
    /// Path of the conflict, for example `objManager.mroadbase.width`.
    pub place: String,
    /// Content of the base document, in a short line.
    pub base: Option<String>,
    /// Content of our document, in a short line.
    pub ours: Option<String>,
    /// Content of their document, in a short line.
    pub theirs: Option<String>,
}

/// A merged document.
#[derive(Clone, Debug)]
pub struct Merged {
    /// The document: ours, with what the others changed.
    pub document: Document,
    /// Places that both sides changed.
    pub conflicts: Vec<Conflict>,
    /// How many objects that the others added to a layer have a new id: ours had added another object under theirs.
    pub renumbered: usize,
}

/// Merges documents as [`diff`](super::diff()) compares them: takes the changes of both sides. In a conflict our
/// content is kept, or theirs if `prefer_theirs` is set.
///
/// Everything that each save changes is taken from ours: addresses, numbers of shapes, uninitialised memory. Objects of
/// a layer are merged by their ids; if both sides added an object under the same id, their object gets a new id. The
/// number of objects of a project follows the additions and removals of both sides. The recursion is as deep as the
/// documents nest.
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
        renumbered: 0,
    };
    let root = merging.object([&base.root, &ours.root, &theirs.root]);
    let Merging { conflicts, renumbered, .. } = merging;
    let mut document = ours.clone();
    document.root = root;
    give_back(&mut document, renewed);
    // In a project it says what the root's field `version` says.
    if ours.header == base.header {
        document.header = theirs.header;
    }
    Merged { document, conflicts, renumbered }
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
    renumbered: usize,
}

impl<'d> Merging<'d> {
    fn object(&mut self, all: [&'d Object; 3]) -> Object {
        let [base, ours, theirs] = all;
        let class = if ours.class == base.class { theirs.class } else { ours.class };
        let saved: HashSet<u16> = {
            let counts = self.ours.counts(ours);
            ours.fields.iter().filter(|field| !counts(field)).map(|field| field.tag).collect()
        };
        let sides = [&self.base, &self.ours, &self.theirs];
        let total = object_total(sides[1], all);
        let layer = merge_layers(sides, all, self.prefer_theirs).map(|layer| {
            self.object_conflicts(layer.conflicts);
            self.renumbered += layer.renumbered;
            layer.fields
        });
        let merged = layer.unwrap_or_else(|| total.into_iter().collect());
        let fields = [&base.fields[..], &ours.fields, &theirs.fields];
        let fields = self.fields(fields, true, (&saved, merged));
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
        let added = paired((&self.ours, ours), (&self.theirs, theirs), of_object);
        let slots = slots(base.len(), &of_ours, &of_theirs, added, |one, other| {
            is_keyed || self.ours.hash(&ours[one]) == self.theirs.hash(&theirs[other])
        });
        let occurrences = [ours, theirs].map(|list| match of_object {
            true => occurrences(list),
            false => Box::default(),
        });
        let mut made = Vec::with_capacity(ours.len());
        for slot in slots {
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
            let earlier = occurrences[usize::from(at_ours.is_none())].get(position);
            let step = match of_object {
                true => Step::Field(self.ours.tag(tag), earlier.copied().flatten()),
                false => self.step(either, position),
            };
            self.trail.push(step);
            made.extend(self.field([of_base, of_ours, of_theirs]));
            self.trail.pop();
        }
        made
    }

    /// Returns the step to an element of an array.
    fn step(&self, field: &'d Field, position: usize) -> Step<'d> {
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
        if let [Some(base), Some(ours), Some(theirs)] = all {
            let value = self.value([&base.value, &ours.value, &theirs.value]);
            return Some(Field { tag: ours.tag, value });
        }
        let sides = [(&self.base, all[0]), (&self.ours, all[1]), (&self.theirs, all[2])];
        let hashed = sides.map(|(side, field)| field.map(|field| (side.hash(field), field)));
        let hash = |one: Option<(u64, &Field)>| one.map(|(hash, _)| hash);
        if let Some(taken) = changed(hashed, |one, other| hash(one) == hash(other)) {
            return taken.map(|(_, field)| field.clone());
        }
        self.conflict(all.map(|field| field.map(|field| &field.value)));
        if self.prefer_theirs { all[2] } else { all[1] }.cloned()
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
    fn other(&mut self, all: [&'d Value; 3]) -> Value {
        let taken = changed(all, Value::is_identical).unwrap_or_else(|| {
            self.conflict(all.map(Some));
            if self.prefer_theirs { all[2] } else { all[1] }
        });
        taken.clone()
    }

    fn conflict(&mut self, [base, ours, theirs]: [Option<&'d Value>; 3]) {
        self.conflicts.push(Conflict {
            place: self.trail.place().to_string(),
            base: base.map(|value| summary(&self.base, value)),
            ours: ours.map(|value| summary(&self.ours, value)),
            theirs: theirs.map(|value| summary(&self.theirs, value)),
        });
    }

    /// Notes which objects of a layer both sides changed.
    fn object_conflicts(&mut self, conflicts: Vec<(u32, [Option<String>; 3])>) {
        for (id, [base, ours, theirs]) in conflicts {
            self.trail.push(Step::Field(Tags::<ObjectLayer>::tree.into(), None));
            self.trail.push(Step::Named(format!("id {id}")));
            let place = self.trail.place().to_string();
            self.trail.pop();
            self.trail.pop();
            self.conflicts.push(Conflict { place, base, ours, theirs });
        }
    }
}

/// Returns the number of objects of a project with those that both sides added and without those that either took
/// away.
fn object_total(side: &Side<'_>, managers: [&Object; 3]) -> Option<(u16, Value)> {
    let tag = side.document.tags.id(Tags::<ObjectManager>::total_object_count)?;
    if side.class(managers[1]) != ObjectManager::CLASS.name {
        return None;
    }
    let [base, ours, theirs] = managers.map(|manager| manager.get(tag));
    let (Value::SignedLong(base), Value::SignedLong(ours), Value::SignedLong(theirs)) =
        (base?, ours?, theirs?)
    else {
        return None;
    };
    let total = ours.checked_add(theirs.checked_sub(*base)?)?;
    (ours != theirs).then_some((tag, Value::SignedLong(total)))
}

//! One identity for the names and objects of three documents.
//!
//! The names in the tables of all three documents get the ids of ours, and equal objects get their address in ours.
//! Then tags, classes and pointers can be compared directly.

use std::collections::{HashMap, HashSet};

use super::pairing::paired;
use super::side::Side;
use crate::address::each_field_mut;
use crate::{Addresses, Document, Field, Object, Table, Value};

/// Gives the tags and classes of a document the ids that these tables have for their names.
pub(super) fn renumber_names(document: &mut Document, tags: &mut Table, classes: &mut Table) {
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
    each_field_mut(&mut document.root.fields, |field| {
        field.tag = tag_ids.get(&field.tag).copied().unwrap_or(field.tag);
        match &mut field.value {
            Value::Object(object) => object.class = class(object.class),
            Value::ObjectPointer(pointer) => pointer.class = class(pointer.class),
            _ => {}
        }
    });
}

/// Returns the addresses of all objects of a document.
pub(super) fn addresses(document: &Document) -> HashSet<u32> {
    let objects = document.walk().filter_map(|item| item.object().map(|it| it.address));
    objects.chain([document.root.address]).collect()
}

/// Gives objects of the base and of theirs the address that they have in ours, and those that ours has not an address
/// that no object of ours has. Pointers follow. Returns the addresses that are new to objects of theirs, and what they
/// were.
pub(super) fn share_addresses(
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
        &|_, _| true,
    );
    give_addresses(base, &same, &taken, &mut free);
    let taken = taken.into_iter().chain(addresses(base)).collect();
    let their_side = Side::new(theirs, false, None);
    let mut same = HashMap::new();
    let base_side = Side::new(base, false, None);
    same_objects((&their_side, &theirs.root), (&base_side, &base.root), &mut same, &|_, _| true);
    // What both added is in no base.
    let mut added = HashMap::new();
    let our_side = Side::new(ours, false, None);
    // (Two different elements that both added at one place are two.)
    let is_one = |one: &Field, other: &Field| match (&one.value, &other.value) {
        (Value::Object(object), Value::Object(it)) if same.contains_key(&object.address) => {
            same.get(&object.address) == Some(&it.address)
        }
        (Value::Object(_), Value::Object(_)) => their_side.hash(one) == our_side.hash(other),
        _ => true,
    };
    same_objects((&their_side, &theirs.root), (&our_side, &ours.root), &mut added, &is_one);
    let given: HashSet<u32> = same.values().copied().collect();
    added.retain(|address, ours| !same.contains_key(address) && !given.contains(ours));
    same.extend(added);
    give_addresses(theirs, &same, &taken, &mut free)
}

/// Gives objects of theirs their own addresses back where no object of the merged document has these any more: an entry
/// with another key is a new one, and takes the place of the one that it was.
pub(super) fn give_back(document: &mut Document, mut renewed: HashMap<u32, u32>) {
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

/// Returns whether an element of an array is one of another document.
type IsOne<'o> = &'o dyn Fn(&Field, &Field) -> bool;

/// Notes which object of one document is which of another.
fn same_objects(
    (side, one): (&Side<'_>, &Object),
    (other_side, other): (&Side<'_>, &Object),
    same: &mut HashMap<u32, u32>,
    is_one: IsOne<'_>,
) {
    same.insert(one.address, other.address);
    let sides = (side, other_side);
    same_in(sides, (&one.fields, &other.fields), true, (same, is_one));
}

fn same_in(
    (side, other_side): (&Side<'_>, &Side<'_>),
    (one, other): (&[Field], &[Field]),
    of_object: bool,
    (same, is_one): (&mut HashMap<u32, u32>, IsOne<'_>),
) {
    let pairs = paired((side, one), (other_side, other), of_object);
    for (at, from) in pairs.into_iter().enumerate() {
        let Some(one) = from.and_then(|from| one.get(from)) else { continue };
        let other = &other[at];
        if !of_object && !is_one(one, other) {
            continue;
        }
        match (&one.value, &other.value) {
            (Value::Object(one), Value::Object(other)) => {
                same_objects((side, one), (other_side, other), same, is_one);
            }
            (Value::Pair(one), Value::Pair(other)) => {
                for (one, other) in one.iter().zip(other.iter()) {
                    let halves = (std::slice::from_ref(one), std::slice::from_ref(other));
                    same_in((side, other_side), halves, true, (same, is_one));
                }
            }
            (one, other) => {
                if let (Some(one), Some(other)) = (one.as_array(), other.as_array()) {
                    same_in((side, other_side), (one, other), false, (same, is_one));
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
    each_field_mut(&mut document.root.fields, |field| match &mut field.value {
        Value::Object(object) => object.address = given(object.address),
        Value::ObjectPointer(pointer) => pointer.address = given(pointer.address),
        _ => {}
    });
}

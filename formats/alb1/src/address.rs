//! Addresses of new objects.

use std::collections::{HashMap, HashSet};

use super::{Document, Field, Object, Value};

/// The addresses that are taken, to make others.
///
/// Terrain Builder writes where an object was in its memory; all that matters is that no two objects of
/// a file have the same address, that the roots of a project's files differ, and that none is 0.
///
/// ```
/// use formwork_alb1::{Addresses, Document};
///
/// let layer = Document::new("CLayer");
/// let mut addresses = Addresses::of(&layer);
/// let fresh = addresses.fresh().unwrap();
/// assert!(fresh != 0 && fresh != layer.root.address);
/// assert_ne!(addresses.fresh(), Some(fresh));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Addresses {
    taken: HashSet<u32>,
    /// The next one to try.
    next: u32,
}

/// How far apart they are made: all that were seen are multiples of this.
const STEP: u32 = 4;

impl Addresses {
    /// Those of all objects and pointers of a document.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let mut addresses = Self { taken: HashSet::new(), next: Document::FIRST_ADDRESS };
        addresses.take(document);
        addresses
    }

    /// Adds those of another document: for objects that are to differ from its objects, too.
    pub fn take(&mut self, document: &Document) {
        for item in document.walk() {
            match item.value() {
                Some(Value::ObjectPointer(pointer)) => self.take_address(pointer.address),
                _ => item.object().into_iter().for_each(|it| self.take_address(it.address)),
            }
        }
    }

    fn take_address(&mut self, address: u32) {
        self.taken.insert(address);
        let above = (address / STEP).wrapping_add(1).wrapping_mul(STEP);
        self.next = self.next.max(above);
    }

    /// An address that none has, and takes it: a multiple of 4 above all others, or, where there is no
    /// room, between them. The same addresses give the same ones. [`None`] where all are taken.
    pub fn fresh(&mut self) -> Option<u32> {
        // One of this many addresses is free, because only `taken` addresses are in use.
        for _ in 0..self.taken.len().saturating_add(2).min(1 << 30) {
            let address = self.next;
            self.next = self.next.wrapping_add(STEP);
            if address != 0 && self.taken.insert(address) {
                return Some(address);
            }
        }
        None
    }

    /// Gives every object in a value a fresh address, as for a copy of what the document has already;
    /// pointers in the value to these objects follow. Whether there were enough.
    pub fn renew(&mut self, value: &mut Value) -> bool {
        let mut renewed = HashMap::new();
        let mut enough = true;
        let mut renew = |value: &mut Value| {
            if let Value::Object(object) = value {
                let fresh = self.fresh();
                enough &= fresh.is_some();
                let old = std::mem::replace(&mut object.address, fresh.unwrap_or_default());
                renewed.insert(old, object.address);
            }
        };
        renew(value);
        each_field_mut(value.fields_mut(), |field| renew(&mut field.value));
        let follow = |value: &mut Value| {
            if let Value::ObjectPointer(pointer) = value
                && let Some(&address) = renewed.get(&pointer.address)
            {
                pointer.address = address;
            }
        };
        follow(value);
        each_field_mut(value.fields_mut(), |field| follow(&mut field.value));
        enough
    }
}

impl Document {
    /// A new object without fields: of the class with this name, which is added to the table if it is
    /// new, with an address that no object and no pointer of the document has.
    ///
    /// It is not in the document yet; see [`Document::add`]. To make several before they are added,
    /// take their addresses from one [`Addresses`].
    ///
    /// [`None`] where no id or no address is left, or a character of the name is not in Windows-1252.
    pub fn new_object(&mut self, class: &str) -> Option<Object> {
        let address = Addresses::of(self).fresh()?;
        let class = self.classes.add(class)? as i16;
        Some(Object { class, address, fields: Vec::new() })
    }
}

/// Hands `visit` every value in some fields, at any depth; without recursion.
pub(super) fn each<'d>(fields: &'d [Field], mut visit: impl FnMut(&'d Value)) {
    let mut waiting = vec![fields];
    while let Some(fields) = waiting.pop() {
        for field in fields {
            visit(&field.value);
            let inner = field.value.fields();
            if !inner.is_empty() {
                waiting.push(inner);
            }
        }
    }
}

/// Hands `visit` every field of some, at any depth, to change it; without recursion.
pub(super) fn each_field_mut(fields: &mut [Field], mut visit: impl FnMut(&mut Field)) {
    let mut waiting = vec![fields];
    while let Some(fields) = waiting.pop() {
        for field in fields {
            visit(field);
            let inner = field.value.fields_mut();
            if !inner.is_empty() {
                waiting.push(inner);
            }
        }
    }
}

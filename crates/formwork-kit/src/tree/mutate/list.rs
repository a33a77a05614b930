//! Elements come, go and change places; values are replaced by others.

use arbitrary::{Result, Unstructured};
use formwork_godot::inspect::SpanType;
use formwork_records::schema::{FIELD, Layout, Occurs, VARIANT};

use super::{MANY, Mutation};
use crate::tree::Tree;
use crate::tree::donor::{self, Kind};
use crate::tree::edit::Edit;
use crate::tree::node::Node;

/// Bytes that copies of an element add at most, unless one alone is longer.
const LARGEST: usize = 1 << 20;

impl Tree {
    /// The nodes from an element on that are elements of the same list, a few of them.
    pub(super) fn run(&self, first: usize, u: &mut Unstructured<'_>) -> Result<(usize, usize)> {
        let most = if u.ratio(3, 4)? { 1 } else { u.int_in_range(1..=MANY)? };
        let end =
            self.parent(first).and_then(|list| self.node(list)).map_or(first, |list| list.next);
        let (mut at, mut last, mut count) = (first, first, 0);
        while at < end && count < most && (count == 0 || self.is_element(at)) {
            last = at;
            at = self.node(at).map_or(end, |node| node.next);
            count += 1;
        }
        Ok((last, count))
    }

    pub(super) fn drop_elements(
        &self,
        first: usize,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let (last, count) = self.run(first, u)?;
        let dropped = || {
            let range = self.node(first)?.start..self.node(last)?.end;
            self.with_elements(self.parent(first)?, range, Vec::new(), -(count as i64))
        };
        Ok(dropped())
    }

    pub(super) fn duplicate(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let times = match u.int_in_range(0..=9_u8)? {
            0 => u.int_in_range(1..=MANY)?,
            1 | 2 => u.int_in_range(1..=8)?,
            _ => 1,
        };
        // Copies may be copied again, and the element may be most of a large file.
        let times = times.min((LARGEST / node.len().max(1)).max(1));
        let copies = self.bytes_of(node).repeat(times);
        let list = self.parent(place);
        Ok(list.and_then(|list| self.with_elements(list, node.end..node.end, copies, times as i64)))
    }

    /// Swaps two elements, or moves one before another.
    pub(super) fn swap(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let elements = self.parent(place).map(|list| self.elements(list)).unwrap_or_default();
        if elements.len() < 2 {
            return Ok(None);
        }
        let Some(other) = self.node(*u.choose(&elements)?) else { return Ok(None) };
        if other.start == node.start {
            return Ok(None);
        }
        let mut edit = Edit::new(self);
        if u.arbitrary()? {
            edit.replace(node.range(), self.bytes_of(other).to_vec());
            edit.replace(other.range(), self.bytes_of(node).to_vec());
        } else {
            edit.replace(node.range(), Vec::new());
            edit.replace(other.start..other.start, self.bytes_of(node).to_vec());
        }
        Ok(Some(edit.finish()))
    }

    /// Whether new elements can come into a node.
    pub(super) fn takes_elements(&self, index: usize) -> bool {
        let Some(node) = self.node(index) else { return false };
        let Some(field) = self.list_in(index) else { return false };
        let stands_in_it = matches!(node.layout, SpanType::Many(..))
            || field.inline
            || self.format.dialect().is_none();
        stands_in_it
            && matches!(
                field.element(),
                Layout::Nested(VARIANT) | Layout::Record(_) | Layout::Nested(FIELD)
            )
    }

    pub(super) fn insert(
        &self,
        list: usize,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let Some(field) = self.list_in(list) else { return Ok(None) };
        let at = self.place_in(list, u)?;
        let kind = Kind::of(field.element());
        let count = if u.ratio(3, 4)? { 1 } else { u.int_in_range(1..=4)? };
        let mut elements = Vec::new();
        for _ in 0..count {
            let element = match kind {
                Some(kind) if u.ratio(1, 2)? => self.taken(kind, u, donors)?,
                _ => None,
            };
            let element = match element {
                Some(element) => Some(element),
                None => donor::element(u, field.element(), self.format)?,
            };
            let Some(element) = element else { return Ok(None) };
            elements.extend(element);
        }
        Ok(self.with_elements(list, at..at, elements, count))
    }

    /// The bytes with a value or an element of another tree.
    pub(crate) fn crossed(
        &self,
        u: &mut Unstructured<'_>,
        donor: &Self,
    ) -> Result<Option<Vec<u8>>> {
        let insert = self.places(Mutation::Insert).count();
        let splice = self.places(Mutation::Splice).count();
        if insert + splice == 0 {
            return Ok(None);
        }
        let chosen = u.int_in_range(0..=insert + splice - 1)?;
        if let Some(place) = self.places(Mutation::Splice).nth(chosen) {
            let value = donor.any_of(Kind::Value, u)?;
            return Ok(value.and_then(|value| self.with_value(place, &value)));
        }
        let place = self.places(Mutation::Insert).nth(chosen - splice);
        let Some((list, shape)) =
            place.and_then(|list| Some((list, self.list_in(list)?.element())))
        else {
            return Ok(None);
        };
        let Some(kind) = Kind::of(shape) else { return Ok(None) };
        let element = donor.any_of(kind, u)?;
        Ok(element.and_then(|element| {
            let at = self.place_in(list, u).ok()?;
            self.with_elements(list, at..at, element, 1)
        }))
    }

    /// Chooses the offset for a new element of a list: before another one, or after the last.
    pub(super) fn place_in(&self, list: usize, u: &mut Unstructured<'_>) -> Result<usize> {
        let elements = self.elements(list);
        let chosen = u.int_in_range(0..=elements.len())?;
        let before = elements.get(chosen).and_then(|&element| self.node(element));
        let end = self.node(list).map_or(0, |node| node.end);
        Ok(before.map_or(end, |element| element.start))
    }

    /// Bytes of an element or value, of this tree or a donor.
    pub(super) fn taken(
        &self,
        kind: Kind,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let chosen = u.int_in_range(0..=donors.len())?;
        donors.get(chosen).unwrap_or(self).any_of(kind, u)
    }

    pub(super) fn splice(
        &self,
        place: usize,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let value = self.taken(Kind::Value, u, donors)?;
        Ok(value.and_then(|value| self.with_value(place, &value)))
    }

    pub(super) fn wrap(&self, place: usize, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        let Some(value) = self.value_range(place).and_then(|range| self.bytes.get(range)) else {
            return Ok(None);
        };
        let times = match u.int_in_range(0..=7_u8)? {
            0 => u.int_in_range(1..=MANY)?,
            _ => 1,
        };
        let in_dictionary = u.ratio(1, 3)?;
        let wrapped = donor::wrapped(value, times, in_dictionary, self.format);
        Ok(wrapped.and_then(|wrapped| self.with_value(place, &wrapped)))
    }

    pub(super) fn unwrap_value(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let inside: Vec<usize> = (place + 1..node.next)
            .filter(|&index| self.node(index).is_some_and(Node::is_value))
            .collect();
        if inside.is_empty() {
            return Ok(None);
        }
        let value = self.value_range(*u.choose(&inside)?);
        Ok(value.and_then(|value| self.with_value(place, self.bytes.get(value)?)))
    }
}

//! Changes: some bytes are replaced, and the words that count or measure across them move along.

use std::ops::Range;

use formwork_godot::inspect::SpanType;
use formwork_records::schema::{Occurs, Repetition, raw};
use formwork_records::wire::Padding;

use super::Tree;
use super::link::{Count, ones};
use super::node::{Name, Node};

/// A change that is being put together.
pub(crate) struct Edit<'t> {
    tree: &'t Tree,
    splices: Vec<(Range<usize>, Vec<u8>)>,
    /// By how many bytes the whole gets longer.
    growth: i64,
}

impl<'t> Edit<'t> {
    pub(crate) const fn new(tree: &'t Tree) -> Self {
        Self { tree, splices: Vec::new(), growth: 0 }
    }

    pub(super) const fn tree(&self) -> &'t Tree {
        self.tree
    }

    /// Replaces some bytes. What was replaced already must not be among them.
    pub(crate) fn replace(&mut self, range: Range<usize>, with: Vec<u8>) {
        self.growth += with.len() as i64 - range.len() as i64;
        self.splices.push((range, with));
    }

    /// Moves a count, unless it would become larger than its word can say. One that is too small by
    /// a lie wraps around: the difference stays the same.
    pub(crate) fn add(&mut self, count: Count, change: i64) -> Option<()> {
        if change == 0 {
            return Some(());
        }
        let old = self.tree.value_of(count)?;
        let new = i128::from(old) + i128::from(change);
        if change > 0 && new > i128::from(ones(count.width)) {
            return None;
        }
        self.set(count, new as u64)
    }

    /// Sets a number or a part of a word.
    pub(crate) fn set(&mut self, count: Count, value: u64) -> Option<()> {
        let node = self.tree.node(count.node)?;
        let mask = ones(count.width) << count.shift;
        // Two parts of one word may change.
        let earlier = self.splices.iter_mut().find(|(range, _)| *range == node.range());
        let bytes = match &earlier {
            Some((_, bytes)) => bytes,
            None => self.tree.bytes_of(node),
        };
        let word = raw(bytes, false) & !mask | (value << count.shift) & mask;
        let word = word.to_le_bytes().get(..node.len())?.to_vec();
        match earlier {
            Some((_, bytes)) => *bytes = word,
            None => self.splices.push((node.range(), word)),
        }
        Some(())
    }

    /// Updates every count and size around the edit, from the inside out, starting with the parent of the replaced
    /// bytes.
    pub(super) fn climb(&mut self, from: usize) -> Option<()> {
        let (tree, growth) = (self.tree, self.growth);
        if growth == 0 {
            return Some(());
        }
        let mut at = from;
        loop {
            if let Some(measure) = tree.measure_of(at) {
                self.add(measure, growth)?;
            }
            let Some(parent) = tree.parent(at) else { return Some(()) };
            if let Some((count, size)) = tree.counted_bytes(at) {
                self.add(count, growth / size as i64)?;
            }
            at = parent;
        }
    }

    /// The bytes with all that was changed.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.splices.sort_by_key(|(range, _)| (range.start, range.end));
        let bytes = &self.tree.bytes;
        let length = bytes.len() as i64 + self.growth;
        let mut made = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        let mut at = 0;
        for (range, with) in &self.splices {
            made.extend_from_slice(bytes.get(at..range.start).unwrap_or_default());
            made.extend_from_slice(with);
            at = range.end;
        }
        made.extend_from_slice(bytes.get(at..).unwrap_or_default());
        made
    }
}

impl Tree {
    /// The count of the block of numbers or bytes that a node is (a part of), and the size of what
    /// it counts.
    fn counted_bytes(&self, node: usize) -> Option<(Count, usize)> {
        if self.node(node)?.name == Name::Index {
            return None;
        }
        let field = self.field_of(node)?;
        let size = field.element().size().filter(|&size| size > 0)?;
        Some((self.count_of(self.parent(node)?, field)?, size))
    }

    /// Whether nodes of this one are elements of a list: they come and go.
    pub(super) fn is_element(&self, node: usize) -> bool {
        let by_name = self.node(node).is_some_and(|node| !matches!(node.name, Name::Field(_)));
        by_name
            && self.parent(node).is_some_and(|parent| parent > 0 && self.list_in(parent).is_some())
    }

    /// The elements of a list, or of a list among the fields of a node.
    pub(super) fn elements(&self, list: usize) -> Vec<usize> {
        if list == 0 || self.list_in(list).is_none() {
            return Vec::new();
        }
        let children = self.children(list);
        let elements = children.filter(|(_, child)| !matches!(child.name, Name::Field(_)));
        elements.map(|(index, _)| index).collect()
    }

    /// The bytes with some elements of a list replaced by others: as many as make the list longer
    /// by `change`.
    pub(super) fn with_elements(
        &self,
        list: usize,
        range: Range<usize>,
        with: Vec<u8>,
        change: i64,
    ) -> Option<Vec<u8>> {
        let mut edit = Edit::new(self);
        edit.replace(range, with);
        if let Some(count) = self.count_in(list) {
            edit.add(count, change)?;
        }
        edit.climb(list)?;
        Some(edit.finish())
    }

    /// The bytes that make up a value, by which another one can be replaced: a packet, or the type
    /// and value of a field of an ALB1 file.
    pub(super) fn value_range(&self, node: usize) -> Option<Range<usize>> {
        let value = self.node(node)?;
        match value.layout {
            SpanType::Packet(_) => Some(value.range()),
            SpanType::Field(_) => {
                let (_, tag) = self.children(node).next().filter(|(_, tag)| tag.is_leaf)?;
                Some(tag.end..value.end)
            }
            _ => None,
        }
    }

    /// The bytes with a value replaced.
    pub(super) fn with_value(&self, node: usize, with: &[u8]) -> Option<Vec<u8>> {
        let mut edit = Edit::new(self);
        edit.replace(self.value_range(node)?, with.to_vec());
        // The value's own words went with it.
        edit.climb_around(node)?;
        Some(edit.finish())
    }

    /// Returns the bytes with a replaced block of numbers or bytes, and the padding after it.
    pub(super) fn with_block(&self, node: usize, with: Vec<u8>) -> Option<Vec<u8>> {
        let mut edit = Edit::new(self);
        edit.set_block(node, with)?;
        Some(edit.finish())
    }

    /// The innermost packet that a node is in.
    pub(crate) fn packet_around(&self, node: usize) -> Option<usize> {
        let mut at = self.parent(node)?;
        while !matches!(self.node(at)?.layout, SpanType::Packet(_)) {
            at = self.parent(at)?;
        }
        Some(at)
    }

    /// Rewrites the padding after a block, if it was as long as declared.
    fn pad(&self, edit: &mut Edit<'_>, block: usize, old: u64, new: u64) {
        let Some((_, padding)) = self.padding_of(block) else { return };
        let Some(behind) = self.node(block).map(|block| block.end) else { return };
        let (there, range) = match padding.and_then(|padding| self.node(padding)) {
            Some(padding) => (self.bytes_of(padding), padding.range()),
            None => (&[][..], behind..behind),
        };
        let needed = |length: u64| Padding::needed(length as usize % 4);
        if there.len() == needed(old) {
            // Keep the old padding bytes: engines leave uninitialised memory there, too.
            let bytes = there.iter().copied().chain(std::iter::repeat(0));
            edit.replace(range, bytes.take(needed(new)).collect());
        }
    }

    /// The bytes with a number or word replaced, and nothing else: counts become lies.
    pub(crate) fn with_number(&self, node: usize, bits: u64) -> Option<Vec<u8>> {
        let number = self.node(node)?;
        let mut bytes = self.bytes.clone();
        let bits = bits.to_le_bytes();
        bytes.get_mut(number.range())?.copy_from_slice(bits.get(..number.len())?);
        Some(bytes)
    }

    /// The bytes without something that a flag says is there, and the flag cleared.
    pub(super) fn without_optional(&self, node: usize) -> Option<Vec<u8>> {
        let parent = self.parent(node)?;
        let Repetition::If(condition) = self.field_of(node)?.occurs() else { return None };
        let (name, parts) = condition.path()?;
        let flag = self.named(parent, name, parts).filter(|flag| flag.width == 1)?;
        let mut edit = Edit::new(self);
        edit.replace(self.node(node)?.range(), Vec::new());
        edit.set(flag, 0)?;
        edit.climb(parent)?;
        Some(edit.finish())
    }

    pub(crate) fn raw(&self, node: &Node) -> u64 {
        raw(self.bytes_of(node), false)
    }
}

impl Edit<'_> {
    /// Replaces a block of numbers or bytes, its count and the padding after it.
    pub(crate) fn set_block(&mut self, node: usize, with: Vec<u8>) -> Option<()> {
        let tree = self.tree;
        let block = tree.node(node)?;
        let (_, size) = block.block()?;
        let grown = with.len() as i64 - block.len() as i64;
        self.replace(block.range(), with);
        if let Some(count) = tree.count_of(block.parent, tree.field_of(node)?) {
            let change = grown / size as i64;
            let stored = tree.value_of(count)?;
            let new = stored.wrapping_add_signed(change);
            self.add(count, change)?;
            tree.pad(self, node, stored, new);
            // An object without a class has no properties.
            if let Some(packet) = tree.packet_around(node) {
                tree.follow(self, packet, count, new);
            }
        }
        self.climb(block.parent)
    }

    /// Climbs like [`climb`](Self::climb), where all that a node says of itself was replaced.
    pub(super) fn climb_around(&mut self, node: usize) -> Option<()> {
        let Some(parent) = self.tree.parent(node) else { return Some(()) };
        if let Some((count, size)) = self.tree.counted_bytes(node) {
            self.add(count, self.growth / size as i64)?;
        }
        self.climb(parent)
    }
}

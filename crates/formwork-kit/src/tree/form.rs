//! Flags that decide what follows, changed together with it.

use std::ops::Range;

use formwork_godot::inspect::SpanType;
use formwork_records::schema::{Field, Integer, Layout, Occurs, Repetition, VARIANT, raw};

use super::Tree;
use super::edit::Edit;
use super::link::Count;
use super::node::{Name, Node};

impl Tree {
    /// The bytes with a part of a word set to a value, as [`Edit::set_part`] does it.
    pub(super) fn with_part(&self, part: Count, value: u64) -> Option<Vec<u8>> {
        let mut edit = Edit::new(self);
        edit.set_part(part, value)?;
        Some(edit.finish())
    }

    /// Removes and adds the fields whose presence depends on a number. Returns whether every number kept its value.
    pub(super) fn follow(
        &self,
        edit: &mut Edit<'_>,
        parent: usize,
        part: Count,
        value: u64,
    ) -> bool {
        let mut gone: Option<(&'static str, Range<usize>, Vec<usize>)> = None;
        let mut wanted: Option<&'static Field> = None;
        for field in self.top_fields(parent).unwrap_or_default() {
            let Repetition::If(condition) = field.occurs() else { continue };
            let holds = |new: Option<u64>| {
                condition
                    .evaluate(|name, parts| self.number_at(parent, (name, parts), part, new))
                    .is_some_and(|holds| holds != 0)
            };
            match (holds(None), holds(Some(value))) {
                (true, false) => {
                    let nodes = self.nodes_of(parent, field);
                    let range = nodes.first().zip(nodes.last()).and_then(|(&first, &last)| {
                        Some(self.node(first)?.start..self.node(last)?.end)
                    });
                    // Where the bytes end before it, there is nothing to take away.
                    gone = range.map(|range| (field.name, range, nodes));
                }
                (false, true) => wanted = Some(field),
                _ => {}
            }
        }
        match (gone, wanted) {
            (None, None) => {}
            (Some((name, range, nodes)), Some(field)) if name == field.name => {
                let (numbers, is_exact) = self.in_width(&nodes, field.element());
                edit.replace(range, numbers);
                return is_exact;
            }
            (Some((_, range, _)), wanted) => {
                edit.replace(range, wanted.map(zeros).unwrap_or_default());
            }
            (None, Some(field)) => {
                // Behind the word, and what else comes before the field.
                if let Some(at) = self.place_for(parent, field, part) {
                    edit.replace(at..at, zeros(field));
                }
            }
        }
        true
    }

    /// The nodes of a field in a node; of one that counts as the packet's own, those of its fields.
    fn nodes_of(&self, parent: usize, field: &'static Field) -> Vec<usize> {
        let is_its = |node: &Node| match (node.name, field.element()) {
            (Name::Field(name), Layout::Record(record)) if field.inline => {
                record.fields.iter().any(|field| field.name == name)
            }
            (Name::Field(name), _) => name == field.name,
            // Elements of a list among the fields.
            (_, Layout::Record(record)) => {
                field.inline && record.fields.iter().any(|own| own.inline)
            }
            _ => false,
        };
        let nodes = self.children(parent).filter(|(_, node)| is_its(node));
        nodes.map(|(index, _)| index).collect()
    }

    /// Returns the place for a missing field: before the first present field that is declared after it.
    fn place_for(&self, parent: usize, field: &'static Field, word: Count) -> Option<usize> {
        let fields = self.top_fields(parent)?;
        let position = fields.iter().position(|other| std::ptr::eq(other, field))?;
        let mut place = self.node(word.node)?.end;
        for before in fields.get(..position)? {
            for node in self.nodes_of(parent, before) {
                place = place.max(self.node(node)?.end);
            }
        }
        Some(place)
    }

    /// The value of a path in a packet or record, with another value for one part.
    fn number_at(
        &self,
        node: usize,
        path: (&str, &[&str]),
        part: Count,
        new: Option<u64>,
    ) -> Option<(i128, Integer)> {
        let path: Vec<&str> = [path.0].iter().chain(path.1).copied().collect();
        let (mut at, mut rest) = (node, path.as_slice());
        loop {
            let (&first, behind) = rest.split_first()?;
            let Some((index, child)) = self.child(at, first) else {
                // Fields of a record that is displayed inline are children of the packet.
                (!behind.is_empty()).then_some(())?;
                rest = behind;
                continue;
            };
            if behind.is_empty() {
                let raw = if index == part.node { new } else { None };
                return Some((raw.unwrap_or_else(|| self.raw(child)).into(), Integer::ANY));
            }
            let Some(word) = child.word() else {
                (at, rest) = (index, behind);
                continue;
            };
            let &[name] = behind else { return None };
            let mut shift = 0;
            for bits in word.parts {
                let width = u32::from(bits.width);
                if bits.name == name {
                    let count = Count { node: index, shift, width };
                    let is_it = (part.node, part.shift) == (index, shift);
                    let value = new.filter(|_| is_it).or_else(|| self.value_of(count));
                    return value.map(|value| (value.into(), bits.integer()));
                }
                shift += width;
            }
            return None;
        }
    }

    /// The bytes of some nodes with their numbers in the width that a shape declares for them, and
    /// whether all of them have the same value in it.
    fn in_width(&self, nodes: &[usize], shape: Layout) -> (Vec<u8>, bool) {
        let (floats, wide) = (has(shape, true, None), has(shape, has(shape, true, None), Some(8)));
        let (mut made, mut is_exact) = (Vec::new(), true);
        for &node in nodes {
            let end = self.node(node).map_or(node, |node| node.next);
            for leaf in self.nodes.get(node..end).unwrap_or_default() {
                let bytes = self.bytes_of(leaf);
                match leaf.layout {
                    _ if !leaf.is_leaf => {}
                    SpanType::One(shape) | SpanType::Many(shape, _) => {
                        let mut numbers = Vec::new();
                        flatten(shape, &mut numbers);
                        is_exact &= convert(bytes, &numbers, floats, wide, &mut made);
                    }
                    _ => made.extend_from_slice(bytes),
                }
            }
        }
        (made, is_exact)
    }
}

impl Edit<'_> {
    /// Sets a part of a word to a value. Removes the fields that the old value requires, and adds those that the new
    /// one requires, filled with zeros or with the same numbers in the other width. Returns whether these numbers kept
    /// their values.
    pub(crate) fn set_part(&mut self, part: Count, value: u64) -> Option<bool> {
        let tree = self.tree();
        let parent = tree.parent(part.node)?;
        self.set(part, value)?;
        let is_exact = tree.follow(self, parent, part, value);
        self.climb(parent)?;
        Some(is_exact)
    }
}

/// The smallest bytes that a field can be: all zeros.
pub(super) fn zeros(field: &'static Field) -> Vec<u8> {
    vec![0; least(field.element())]
}

/// How many bytes there are at least. Recurses as deep as records are declared in each other.
pub(crate) fn least(shape: Layout) -> usize {
    match shape {
        // The header of null.
        Layout::Nested(VARIANT) => 4,
        Layout::Record(record) => {
            let once =
                record.fields.iter().filter(|field| matches!(field.occurs(), Repetition::Once));
            once.map(|field| least(field.element())).sum()
        }
        shape => shape.size().unwrap_or_default(),
    }
}

/// Whether numbers of a kind, and of a width, are declared in a shape.
fn has(shape: Layout, floats: bool, width: Option<u8>) -> bool {
    match shape {
        Layout::Float(bytes) => floats && width.is_none_or(|width| width == bytes),
        Layout::Integer { number, .. } => {
            !floats && width.is_none_or(|width| usize::from(width) == number.bytes())
        }
        Layout::Record(record) => {
            record.fields.iter().any(|field| has(field.element(), floats, width))
        }
        _ => false,
    }
}

/// The numbers that a shape of fixed size is made of.
fn flatten(shape: Layout, numbers: &mut Vec<Layout>) {
    match shape {
        Layout::Record(record) => {
            record.fields.iter().for_each(|field| flatten(field.element(), numbers));
        }
        shape => numbers.push(shape),
    }
}

/// Numbers of one kind in the other width; everything else as it is. Whether all keep their values.
fn convert(bytes: &[u8], shapes: &[Layout], floats: bool, wide: bool, made: &mut Vec<u8>) -> bool {
    let (mut rest, mut is_exact) = (bytes, true);
    while !rest.is_empty() {
        let before = rest.len();
        for shape in shapes {
            let size = shape.size().unwrap_or_default();
            let Some((number, behind)) = rest.split_at_checked(size) else { break };
            rest = behind;
            let raw = raw(number, false);
            match (shape, wide) {
                (Layout::Float(8), false) if floats => {
                    let narrow = narrowed(raw);
                    is_exact &= widened(narrow) == raw;
                    made.extend(narrow.to_le_bytes());
                }
                (Layout::Float(4), true) if floats => {
                    let wide = widened(raw as u32);
                    is_exact &= u64::from(narrowed(wide)) == raw;
                    made.extend(wide.to_le_bytes());
                }
                (Layout::Integer { number: Integer { bits: 64, .. }, .. }, false) if !floats => {
                    let narrow = raw as i32;
                    is_exact &= i64::from(narrow) as u64 == raw;
                    made.extend(narrow.to_le_bytes());
                }
                (Layout::Integer { number: Integer { bits: 32, .. }, .. }, true) if !floats => {
                    made.extend(i64::from(raw as i32).to_le_bytes());
                }
                _ => made.extend_from_slice(number),
            }
        }
        if rest.len() == before {
            // A piece of a number at the end of bytes that are cut.
            made.extend_from_slice(rest);
            break;
        }
    }
    is_exact
}

/// The bits of a number in 64 bits: as processors do it, a NaN becomes a quiet one.
fn widened(bits: u32) -> u64 {
    let number = f32::from_bits(bits);
    if !number.is_nan() {
        return f64::from(number).to_bits();
    }
    u64::from(bits >> 31) << 63 | 0xfff << 51 | u64::from(bits & 0x7f_ffff) << 29
}

/// The bits of a number in 32 bits, or of the next to it that there is.
fn narrowed(bits: u64) -> u32 {
    let number = f64::from_bits(bits);
    if !number.is_nan() {
        return (number as f32).to_bits();
    }
    ((bits >> 63) as u32) << 31 | 0x1ff << 22 | (bits >> 29) as u32 & 0x7f_ffff
}

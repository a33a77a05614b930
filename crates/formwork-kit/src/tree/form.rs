//! Flags that decide what follows, changed together with it.

use std::ops::Range;

use formwork::inspect::{Layout, unsigned};
use formwork::schema::{Field, Repetition, Shape};

use super::Tree;
use super::edit::Edit;
use super::link::Count;
use super::node::{Name, Node};

impl Tree {
    /// The bytes with a part of a word set to a value. What stands in the same packet or record
    /// because of the old value goes; what the new one asks for comes, in zeros, or as the same numbers
    /// in the other width.
    pub(super) fn with_part(&self, part: Count, value: u64) -> Option<Vec<u8>> {
        let parent = self.parent(part.node)?;
        let mut edit = Edit::new(self);
        edit.set(part, value)?;
        self.follow(&mut edit, parent, part, value);
        edit.climb(parent)?;
        Some(edit.finish())
    }

    /// Lets go and come what stands in a packet or record because of a number.
    pub(super) fn follow(&self, edit: &mut Edit<'_>, parent: usize, part: Count, value: u64) {
        let mut gone: Option<(&'static str, Range<usize>, Vec<usize>)> = None;
        let mut wanted: Option<&'static Field> = None;
        for field in self.top_fields(parent).unwrap_or_default() {
            let Repetition::If(condition) = field.occurs else { continue };
            let holds = |new: Option<u64>| {
                condition
                    .evaluate(&mut |path| self.number_at(parent, path, part, new))
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
                edit.replace(range, self.in_width(&nodes, field.shape()));
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
    }

    /// The nodes of a field in a node; of one that counts as the packet's own, those of its fields.
    fn nodes_of(&self, parent: usize, field: &'static Field) -> Vec<usize> {
        let is_its = |node: &Node| match (node.name, field.shape()) {
            (Name::Field(name), Shape::Record(record)) if field.inline => {
                record.fields.iter().any(|field| field.name == name)
            }
            (Name::Field(name), _) => name == field.name,
            // Elements of a list among the fields.
            (_, Shape::Record(record)) => {
                field.inline && record.fields.iter().any(|own| own.inline)
            }
            _ => false,
        };
        let nodes = self.children(parent).filter(|(_, node)| is_its(node));
        nodes.map(|(index, _)| index).collect()
    }

    /// Where a field would stand that is not there: in front of the first that is declared behind it.
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
    fn number_at(&self, node: usize, path: &[&str], part: Count, new: Option<u64>) -> Option<i128> {
        let (mut at, mut rest) = (node, path);
        loop {
            let (&first, behind) = rest.split_first()?;
            let Some((index, child)) = self.child(at, first) else {
                // The fields of what counts as the packet's own stand in the packet.
                (!behind.is_empty()).then_some(())?;
                rest = behind;
                continue;
            };
            if behind.is_empty() {
                let raw = if index == part.node { new } else { None };
                return Some(raw.unwrap_or_else(|| self.raw(child)).into());
            }
            let Some(word) = child.word() else {
                (at, rest) = (index, behind);
                continue;
            };
            let &[name] = behind else { return None };
            let mut shift = 0;
            for bits in word.bits {
                let width = u32::from(bits.width);
                if bits.name == name {
                    let count = Count { node: index, shift, width };
                    let is_it = (part.node, part.shift) == (index, shift);
                    return match new.filter(|_| is_it) {
                        Some(new) => Some(new.into()),
                        None => self.value_of(count).map(i128::from),
                    };
                }
                shift += width;
            }
            return None;
        }
    }

    /// The bytes of some nodes with their numbers in the width that a shape declares for them.
    fn in_width(&self, nodes: &[usize], shape: Shape) -> Vec<u8> {
        let (floats, wide) = (has(shape, true, None), has(shape, has(shape, true, None), Some(8)));
        let mut made = Vec::new();
        for &node in nodes {
            let end = self.node(node).map_or(node, |node| node.next);
            for leaf in self.nodes.get(node..end).unwrap_or_default() {
                let bytes = self.bytes_of(leaf);
                match leaf.layout {
                    _ if !leaf.is_leaf => {}
                    Layout::One(shape) | Layout::Many(shape, _) => {
                        let mut numbers = Vec::new();
                        flatten(shape, &mut numbers);
                        convert(bytes, &numbers, floats, wide, &mut made);
                    }
                    _ => made.extend_from_slice(bytes),
                }
            }
        }
        made
    }
}

/// The smallest bytes that a field can be: all zeros.
pub(super) fn zeros(field: &'static Field) -> Vec<u8> {
    let least = match field.shape() {
        // The header of null.
        Shape::Variant => 4,
        shape => least(shape),
    };
    vec![0; least]
}

/// Recurses as deep as records are declared in each other.
fn least(shape: Shape) -> usize {
    match shape {
        Shape::Record(record) => {
            let once = record.fields.iter().filter(|field| field.occurs == Repetition::Once);
            once.map(|field| zeros(field).len()).sum()
        }
        shape => shape.size().unwrap_or_default(),
    }
}

/// Whether numbers of a kind, and of a width, are declared in a shape.
fn has(shape: Shape, floats: bool, width: Option<u8>) -> bool {
    match shape {
        Shape::Float { bytes } => floats && width.is_none_or(|width| width == bytes),
        Shape::Integer { bytes, .. } => !floats && width.is_none_or(|width| width == bytes),
        Shape::Record(record) => {
            record.fields.iter().any(|field| has(field.shape(), floats, width))
        }
        _ => false,
    }
}

/// The numbers that a shape of fixed size is made of.
fn flatten(shape: Shape, numbers: &mut Vec<Shape>) {
    match shape {
        Shape::Record(record) => {
            record.fields.iter().for_each(|field| flatten(field.shape(), numbers));
        }
        shape => numbers.push(shape),
    }
}

/// Numbers of one kind in the other width; everything else as it is.
fn convert(bytes: &[u8], shapes: &[Shape], floats: bool, wide: bool, made: &mut Vec<u8>) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let before = rest.len();
        for shape in shapes {
            let size = shape.size().unwrap_or_default();
            let Some((number, behind)) = rest.split_at_checked(size) else { break };
            rest = behind;
            let raw = unsigned(number);
            match (shape, wide) {
                (Shape::Float { bytes: 8 }, false) if floats => {
                    made.extend((f64::from_bits(raw) as f32).to_le_bytes());
                }
                (Shape::Float { bytes: 4 }, true) if floats => {
                    made.extend(f64::from(f32::from_bits(raw as u32)).to_le_bytes());
                }
                (Shape::Integer { bytes: 8, .. }, false) if !floats => {
                    made.extend((raw as u32).to_le_bytes());
                }
                (Shape::Integer { bytes: 4, .. }, true) if !floats => {
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
}

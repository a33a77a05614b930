//! Candidates for something smaller.

use std::vec::IntoIter;

use crate::Format;
use formwork_godot::inspect::SpanType;
use formwork_records::schema::{FIELD_TYPE, Layout, Meaning, Occurs, Repetition, TAG, Word};
use formwork_variant::Variant;
use formwork_variant::dialect::Dialect;

use super::Tree;
use super::edit::Edit;
use super::link::{Count, ones};
use super::node::{Name, Node};
use super::pair::Pair;
use super::simpler::closer_to_zero;

/// Candidates for something smaller than a [`Tree`], the shortest first: see
/// [`Tree::reductions`].
#[derive(Clone, Debug)]
pub struct Reductions<'t> {
    tree: &'t Tree,
    steps: IntoIter<Step>,
    /// Null, as the format writes it.
    null: Vec<u8>,
    saved: usize,
}

/// A candidate that was not made yet.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// How many bytes it saves, nearly: padding may differ.
    saves: usize,
    what: What,
    /// The values that change both, where the step is one in the later of them.
    pair: Option<Pair>,
}

impl Step {
    const fn new(saves: usize, what: What) -> Self {
        Self { saves, what, pair: None }
    }
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// Removes `count` elements from `first` on, all of the same list.
    Drop { first: usize, count: usize },
    /// Drops what is there because of a flag.
    Optional(usize),
    /// Replaces a value by another that is in it.
    Child { value: usize, child: usize },
    /// Replaces a value by null.
    Null(usize),
    /// Keeps `count` elements of a block from `from` on.
    Keep { block: usize, from: usize, count: usize },
    /// Drops the bytes behind all that could be read.
    Rest(usize),
    /// Clears a part of a word, and what is there because of it goes.
    Clear { node: usize, shift: u32, width: u32 },
    /// Brings a number closer to zero.
    Number { node: usize, bits: u64 },
    /// Makes every letter of a text, every number of a block the same.
    Plain(usize),
}

impl<'t> Reductions<'t> {
    pub(super) fn of(tree: &'t Tree) -> Self {
        let null = null_of(tree.format());
        let mut steps = Vec::new();
        for (index, node) in tree.nodes.iter().enumerate() {
            tree.steps_of(index, node, &null, &mut steps);
        }
        Self::new(tree, steps, null)
    }

    pub(super) fn of_pairs(tree: &'t Tree) -> Self {
        let null = null_of(tree.format());
        let mut steps = Vec::new();
        for pair in tree.pairs(null.len()) {
            let Some(end) = tree.node(pair.later).map(|node| node.next) else { continue };
            let mut inside = Vec::new();
            for index in pair.later..end {
                if let Some(node) = tree.node(index) {
                    tree.steps_of(index, node, &null, &mut inside);
                }
            }
            // What takes the value away is no change in it.
            inside.retain(|step| !matches!(step.what, What::Optional(at) if at == pair.later));
            let both = |step: Step| Step { saves: 2 * step.saves, pair: Some(pair), ..step };
            steps.extend(inside.into_iter().map(both));
        }
        Self::new(tree, steps, null)
    }

    fn new(tree: &'t Tree, mut steps: Vec<Step>, null: Vec<u8>) -> Self {
        steps.sort_by_key(|step| std::cmp::Reverse(step.saves));
        Self { tree, steps: steps.into_iter(), null, saved: 0 }
    }

    /// Leaves out what saves more bytes.
    #[must_use]
    pub fn saving_at_most(mut self, bytes: usize) -> Self {
        let steps = self.steps.as_slice();
        let first = steps.partition_point(|step| step.saves > bytes);
        self.steps = steps.get(first..).unwrap_or_default().to_vec().into_iter();
        self
    }

    /// How many bytes the last candidate saved.
    #[must_use]
    pub const fn saved(&self) -> usize {
        self.saved
    }
}

impl Iterator for Reductions<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let step = self.steps.next()?;
            let made = self.tree.reduced(step.what, &self.null);
            let made = match step.pair {
                Some(pair) => made.and_then(|made| self.tree.with_both(pair, made)),
                None => made,
            };
            // What makes no difference, and what cannot be done, is no candidate. A number that
            // chooses a form may choose a longer one.
            let bytes = &self.tree.bytes;
            if let Some(made) = made.filter(|made| made.len() <= bytes.len() && made != bytes) {
                self.saved = step.saves;
                return Some(made);
            }
        }
    }
}

/// Returns the encoding of null in a format.
fn null_of(format: Format) -> Vec<u8> {
    match format {
        Format::Variant(dialect) => null_packet(dialect),
        Format::Alb1 => vec![formwork_alb1::FieldType::Empty.id()],
    }
}

/// The packet of null.
pub(super) fn null_packet(dialect: Dialect) -> Vec<u8> {
    formwork_variant::to_vec(&Variant::Nil, dialect).unwrap_or_default()
}

impl Tree {
    /// Adds the steps that make a node smaller.
    fn steps_of(&self, index: usize, node: &Node, null: &[u8], steps: &mut Vec<Step>) {
        if index == 0 {
            return;
        }
        if matches!(node.layout, SpanType::Bytes) {
            steps.push(Step::new(node.len(), What::Rest(index)));
            return;
        }
        if let Some((_, size)) = node.block() {
            self.steps_of_block(index, node, size, steps);
        } else if let Some(shape) = node.number() {
            self.steps_of_number(index, node, shape, steps);
        }
        let elements = self.elements(index);
        let mut count = elements.len();
        while count > 0 {
            for some in elements.chunks(count) {
                let ends = some.first().zip(some.last());
                let ends = ends.and_then(|(&first, &last)| self.node(first).zip(self.node(last)));
                if let (Some((first, last)), Some(&from)) = (ends, some.first()) {
                    let what = What::Drop { first: from, count: some.len() };
                    steps.push(Step::new(last.end - first.start, what));
                }
            }
            count = if count == 1 { 0 } else { count.div_ceil(2) };
        }
        let is_optional = self.field_of(index).is_some_and(|field| field.when.is_some());
        if is_optional && !node.is_leaf && matches!(node.name, Name::Field(_)) {
            steps.push(Step::new(node.len(), What::Optional(index)));
        }
        if let Some(range) = self.value_range(index) {
            let saves = range.len().saturating_sub(null.len());
            if saves > 0 {
                steps.push(Step::new(saves, What::Null(index)));
            }
            self.steps_to_children(index, steps);
            if index == 1 {
                self.steps_down(index, steps);
            }
        }
    }

    /// A value becomes one far below it: half of the way to the innermost one, three quarters and so
    /// on, going through the largest each time. One by one the way would be long.
    fn steps_down(&self, value: usize, steps: &mut Vec<Step>) {
        let mut way = Vec::new();
        let mut at = value;
        while let Some(child) = self.largest_below(at) {
            way.push(child);
            at = child;
        }
        let (outer, mut left) = (self.value_range(value).map_or(0, |range| range.len()), way.len());
        // The first of the way is a child, and comes up as one.
        while left > 1 {
            if let Some(&child) = way.get(way.len() - left.div_ceil(2)) {
                let inner = self.value_range(child).map_or(0, |range| range.len());
                let saves = outer.saturating_sub(inner);
                steps.push(Step::new(saves, What::Child { value, child }));
            }
            left /= 2;
        }
    }

    /// Returns the largest of the values directly inside a value.
    fn largest_below(&self, value: usize) -> Option<usize> {
        let end = self.node(value)?.next;
        let (mut at, mut largest) = (value + 1, None);
        let mut size = 0;
        while let Some(node) = self.node(at).filter(|_| at < end) {
            if !node.is_value() {
                at += 1;
                continue;
            }
            if largest.is_none() || node.len() > size {
                (largest, size) = (Some(at), node.len());
            }
            at = node.next;
        }
        largest
    }

    /// Adds the steps that replace a value by one directly inside it.
    fn steps_to_children(&self, value: usize, steps: &mut Vec<Step>) {
        let Some((outer, end)) =
            self.value_range(value).zip(self.node(value).map(|node| node.next))
        else {
            return;
        };
        let mut at = value + 1;
        while let Some(node) = self.node(at).filter(|_| at < end) {
            match self.value_range(at) {
                Some(inner) => {
                    let saves = outer.len() - inner.len();
                    steps.push(Step::new(saves, What::Child { value, child: at }));
                    at = node.next;
                }
                None => at += 1,
            }
        }
    }

    fn steps_of_block(&self, block: usize, node: &Node, size: usize, steps: &mut Vec<Step>) {
        let all = node.len() / size;
        let mut keep = |from, count| {
            let saves = node.len() - count * size;
            steps.push(Step::new(saves, What::Keep { block, from, count }));
        };
        let mut count = 0;
        // None, the halves, three quarters and so on, all but one.
        let mut dropped = all;
        while dropped > 0 {
            keep(0, count);
            if count > 0 {
                keep(dropped, count);
            }
            dropped /= 2;
            count = all - dropped;
        }
        steps.push(Step::new(0, What::Plain(block)));
    }

    fn steps_of_number(&self, node: usize, leaf: &Node, shape: Layout, steps: &mut Vec<Step>) {
        let raw = self.raw(leaf);
        if raw == 0 {
            return;
        }
        if let Layout::Word(word) = shape {
            for (shift, width, is_flag) in parts(word) {
                let part = raw >> shift & ones(width);
                if part != 0 && is_flag {
                    let what = What::Clear { node, shift, width };
                    steps.push(Step::new(0, what));
                }
            }
            return;
        }
        // A number that counts something is no number to lower.
        if self.counts(node) {
            return;
        }
        for bits in closer_to_zero(shape, raw) {
            steps.push(Step::new(0, What::Number { node, bits }));
        }
    }

    /// Whether a block is a text.
    pub(super) fn is_text(&self, block: usize) -> bool {
        let meaning = self.field_of(block).map(|field| field.meaning);
        matches!(meaning, Some(Meaning::Text | Meaning::Terminated | Meaning::Letters))
    }

    /// Whether a number counts or measures what follows it, or tells what that is.
    pub(super) fn counts(&self, node: usize) -> bool {
        let Some(parent) = self.parent(node) else { return false };
        if self.measure_of(parent).is_some_and(|measure| measure.node == node) {
            return true;
        }
        let Some(leaf) = self.node(node) else { return false };
        if self.field_of(node).is_some_and(|field| {
            matches!(
                field.meaning,
                Meaning::Family(FIELD_TYPE) | Meaning::Family(TAG) | Meaning::Letters
            )
        }) || leaf.name == Name::Field("tag")
        {
            return true;
        }
        let Name::Field(name) = leaf.name else { return false };
        let mut spoken_of = false;
        self.each_declared(parent, &mut |field| {
            if let Repetition::Times(count)
            | Repetition::After(count)
            | Repetition::AfterOrEnd(count) = field.occurs()
            {
                spoken_of |= count.uses(name);
            }
        });
        spoken_of
    }

    /// The bytes of a candidate.
    fn reduced(&self, what: What, null: &[u8]) -> Option<Vec<u8>> {
        match what {
            What::Drop { first, count } => {
                let list = self.parent(first)?;
                let start = self.node(first)?.start;
                let mut end = start;
                let mut at = first;
                for _ in 0..count {
                    let node = self.node(at)?;
                    (end, at) = (node.end, node.next);
                }
                self.with_elements(list, start..end, Vec::new(), -(count as i64))
            }
            What::Optional(node) => self.without_optional(node),
            What::Child { value, child } => {
                let child = self.bytes.get(self.value_range(child)?)?;
                self.with_value(value, child)
            }
            What::Null(value) => self.with_value(value, null),
            What::Keep { block, from, count } => {
                let node = self.node(block)?;
                let (_, size) = node.block()?;
                let kept = self.bytes_of(node).get(from * size..(from + count) * size)?;
                self.with_block(block, kept.to_vec())
            }
            What::Rest(node) => {
                let mut edit = Edit::new(self);
                edit.replace(self.node(node)?.range(), Vec::new());
                edit.climb_around(node)?;
                Some(edit.finish())
            }
            What::Clear { node, shift, width } => self.with_part(Count { node, shift, width }, 0),
            What::Number { node, bits } => {
                let width = 8 * self.node(node)?.len() as u32;
                self.with_part(Count { node, shift: 0, width }, bits)
            }
            What::Plain(block) => {
                let node = self.node(block)?;
                let letter = if self.is_text(block) { b'a' } else { 0 };
                let mut bytes = self.bytes.clone();
                bytes.get_mut(node.range())?.fill(letter);
                Some(bytes)
            }
        }
    }
}

/// Returns the position and width of each part of a word, and whether it can be cleared: flags and unused bits.
pub(super) fn parts(word: &'static Word) -> impl Iterator<Item = (u32, u32, bool)> {
    let mut at = 0;
    word.parts.iter().map(move |bits| {
        let (shift, width) = (at, u32::from(bits.width));
        at += width;
        (shift, width, bits.meaning == Meaning::Zero || width == 1)
    })
}

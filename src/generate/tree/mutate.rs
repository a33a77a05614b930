//! Mutations that know what they change.

use arbitrary::{Result, Unstructured};

use super::Tree;
use super::donor::{self, Kind};
use super::edit::Edit;
use super::letters;
use super::link::{Count, ones};
use super::node::Node;
use crate::generate::{Config, number};
use crate::inspect::Layout;
use crate::schema::{Meaning, Shape};

macro_rules! mutations {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, $weight:literal; )+) => {
        /// What [`mutate`] did.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum Mutation { $( $(#[doc = $doc])+ $variant, )+ }

        impl Mutation {
            /// Every mutation.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// A short name, fit for the name of a file.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// How often it is chosen where it can be done, next to the others.
            const fn weight(self) -> u32 {
                match self { $( Self::$variant => $weight, )+ }
            }
        }
    };
}

mutations! {
    /// A number became a boundary value of its width, a small number, or a neighbour.
    Number = "number", 24;
    /// A flag or another part of a word changed; what stands there because of it came or went.
    Part = "part", 6;
    /// A count or length changed, and nothing with it.
    Lie = "lie", 4;
    /// A type id changed, and nothing with it.
    Retype = "retype", 2;
    /// A text changed.
    Text = "text", 10;
    /// An element of a packed array changed, or some came or went.
    Block = "block", 8;
    /// Elements or fields were dropped.
    Drop = "drop", 10;
    /// An element or field is there more than once.
    Duplicate = "duplicate", 10;
    /// Two elements changed places, or one moved.
    Swap = "swap", 5;
    /// A new element came into a list.
    Insert = "insert", 8;
    /// A value was replaced by a new one.
    Generate = "generate", 10;
    /// A value was replaced by another of this packet, or of another one.
    Splice = "splice", 10;
    /// A value was put into an array of its own, once or many times.
    Wrap = "wrap", 4;
    /// A value was replaced by one that was in it.
    Unwrap = "unwrap", 4;
    /// The end is missing.
    Cut = "cut", 2;
    /// Bytes follow that do not belong to it.
    Append = "append", 1;
    /// A byte changed, whatever it is.
    Byte = "byte", 2;
}

impl std::fmt::Display for Mutation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// Changes a tree in one way, chosen by `u`, and says in which. The donors are other packets or files
/// of the same format, from which values may come.
///
/// First the kind of mutation is chosen, by weight among those that can be done, and then one of all
/// the places where it can be, each as likely as any other. Nothing is returned, and nothing changed,
/// where no choice came to a change: bytes that are empty have nothing to change.
///
/// ```
/// use formwork::generate::arbitrary::Unstructured;
/// use formwork::generate::tree::{Tree, mutate};
/// use formwork::{Dialect, Format};
///
/// let bytes = [2, 0, 0, 0, 7, 0, 0, 0];
/// let mut tree = Tree::of(&bytes, Format::Variant(Dialect::GODOT3));
/// let choices: Vec<u8> = (0..200).collect();
/// assert!(mutate(&mut tree, &mut Unstructured::new(&choices), &[])?.is_some());
/// assert_ne!(tree.write(), bytes);
/// # Ok::<(), formwork::generate::arbitrary::Error>(())
/// ```
///
/// # Errors
///
/// Those of [`Unstructured`]. Choices that run out are no error.
pub fn mutate(
    tree: &mut Tree,
    u: &mut Unstructured<'_>,
    donors: &[Tree],
) -> Result<Option<Mutation>> {
    let Some((mutation, bytes)) = tree.mutated(u, donors)? else { return Ok(None) };
    *tree = Tree::of_vec(bytes, tree.format());
    Ok(Some(mutation))
}

/// Choices that came to nothing before there is none.
const TRIES: usize = 8;

/// Most elements that come at once, most arrays put around a value.
const MANY: usize = 600;

impl Tree {
    /// The bytes with one mutation.
    pub(in crate::generate) fn mutated(
        &self,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<(Mutation, Vec<u8>)>> {
        let all: u32 = Mutation::ALL.iter().map(|mutation| mutation.weight()).sum();
        for _ in 0..TRIES {
            let mut choice = u.int_in_range(0..=all - 1)?;
            let mut chosen = Mutation::Byte;
            for &mutation in Mutation::ALL {
                if choice < mutation.weight() {
                    chosen = mutation;
                    break;
                }
                choice -= mutation.weight();
            }
            let made = self.mutated_by(chosen, u, donors)?;
            if let Some(made) = made.filter(|made| *made != self.bytes) {
                return Ok(Some((chosen, made)));
            }
        }
        // What can always be done, unless there is nothing.
        let made = self.mutated_by(Mutation::Byte, u, donors)?;
        Ok(made.map(|made| (Mutation::Byte, made)))
    }

    /// The bytes with a mutation of one kind, at a place that `u` chooses.
    fn mutated_by(
        &self,
        mutation: Mutation,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let place = match mutation {
            Mutation::Cut | Mutation::Append | Mutation::Byte => 0,
            _ => {
                // Counted first and then chosen: one draw, however many places there are.
                let places = self.places(mutation);
                let count = places.clone().count();
                if count == 0 {
                    return Ok(None);
                }
                let chosen = u.int_in_range(0..=count - 1)?;
                places.clone().nth(chosen).unwrap_or_default()
            }
        };
        let Some(node) = self.node(place) else { return Ok(None) };
        match mutation {
            Mutation::Number => self.mutate_number(place, node, u),
            Mutation::Part => self.mutate_part(place, node, u),
            Mutation::Lie => self.lie(place, node, u),
            Mutation::Retype => self.retype(place, node, u),
            Mutation::Text => {
                letters::mutated(self.bytes_of(node), u).map(|text| self.with_block(place, text))
            }
            Mutation::Block => self.mutate_block(place, node, u),
            Mutation::Drop => self.drop_elements(place, u),
            Mutation::Duplicate => self.duplicate(place, node, u),
            Mutation::Swap => self.swap(place, node, u),
            Mutation::Insert => self.insert(place, u, donors),
            Mutation::Generate => {
                Ok(donor::generated(u, self.format)?.and_then(|made| self.with_value(place, &made)))
            }
            Mutation::Splice => self.splice(place, u, donors),
            Mutation::Wrap => self.wrap(place, u),
            Mutation::Unwrap => self.unwrap_value(place, node, u),
            Mutation::Cut => self.cut(u),
            Mutation::Append => {
                let mut bytes = self.bytes.clone();
                let count = u.int_in_range(1..=12)?;
                bytes.extend_from_slice(u.bytes(usize::min(count, u.len()))?);
                bytes.resize(self.bytes.len() + count, 0);
                Ok(Some(bytes))
            }
            Mutation::Byte => self.mutate_byte(u),
        }
    }

    /// Where a mutation can be done.
    fn places(&self, mutation: Mutation) -> impl Iterator<Item = usize> + Clone + '_ {
        let nodes = self.nodes.iter().enumerate().skip(1);
        nodes
            .filter(move |&(index, node)| self.can_be(mutation, index, node))
            .map(|(index, _)| index)
    }

    fn can_be(&self, mutation: Mutation, index: usize, node: &Node) -> bool {
        match mutation {
            Mutation::Number => node.number().is_some_and(|shape| !matches!(shape, Shape::Word(_))),
            Mutation::Part => node.word().is_some(),
            Mutation::Lie => node.number().is_some() && self.counts(index),
            Mutation::Retype => node.number().is_some() && self.type_part(index, node).is_some(),
            Mutation::Text => node.block().is_some() && self.is_text(index),
            Mutation::Block => node.block().is_some() && !self.is_text(index),
            Mutation::Drop | Mutation::Duplicate | Mutation::Swap => self.is_element(index),
            Mutation::Insert => !node.is_leaf && self.takes_elements(index),
            Mutation::Generate | Mutation::Splice | Mutation::Wrap => node.is_value(),
            Mutation::Unwrap => {
                node.is_value()
                    && self
                        .nodes
                        .get(index + 1..node.next)
                        .is_some_and(|inside| inside.iter().any(Node::is_value))
            }
            Mutation::Cut | Mutation::Append | Mutation::Byte => false,
        }
    }

    fn mutate_number(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(shape) = node.number() else { return Ok(None) };
        let bits = other_number(shape, self.raw(node), u)?;
        // Now and then what depends on the number comes with it.
        let follow = u.ratio(1, 4)?;
        Ok(match follow {
            true => {
                let width = 8 * node.len() as u32;
                self.with_part(Count { node: place, shift: 0, width }, bits)
            }
            false => self.with_number(place, bits),
        })
    }

    fn mutate_part(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(word) = node.word() else { return Ok(None) };
        let chosen = u.choose_index(word.bits.len())?;
        let shift = word.bits.iter().take(chosen).map(|bits| u32::from(bits.width)).sum();
        let Some(bits) = word.bits.get(chosen) else { return Ok(None) };
        let count = Count { node: place, shift, width: bits.width.into() };
        let Some(old) = self.value_of(count) else { return Ok(None) };
        let value = match bits.width {
            1 => old ^ 1,
            width @ 2..=7 => old ^ u.int_in_range(1..=ones(width.into()))?,
            width => {
                let step = u.int_in_range(1..=3)?;
                let near =
                    if u.arbitrary()? { old.wrapping_add(step) } else { old.wrapping_sub(step) };
                let bit = 1 << u.int_in_range(0..=u32::from(width) - 1)?;
                *u.choose(&[0, near, near, old ^ bit, ones(width.into())])? & ones(width.into())
            }
        };
        if u.ratio(2, 3)? {
            return Ok(self.with_part(count, value));
        }
        let mut edit = Edit::new(self);
        Ok(edit.set(count, value).map(|()| edit.finish()))
    }

    fn lie(&self, place: usize, node: &Node, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        let (old, width) = (self.raw(node), 8 * node.len() as u32);
        let left = self.bytes.len().saturating_sub(node.end) as u64;
        let near = u.int_in_range(1..=4)?;
        let lie = *u.choose(&[
            old.wrapping_add(1),
            old.wrapping_sub(1),
            old.wrapping_add(near),
            old.wrapping_sub(near),
            left,
            left + 1,
            left / 4 + 1,
            old | 1 << (width - 1),
            ones(width),
            ones(width) >> 1,
            ones(width) / 4 + 1,
            old << 8,
        ])?;
        Ok(self.with_number(place, lie & ones(width)))
    }

    /// The part of a number that says of which type something is.
    fn type_part(&self, index: usize, node: &Node) -> Option<Count> {
        if let Some(word) = node.word() {
            let bits = word.bits.first().filter(|bits| bits.meaning == Meaning::TypeId)?;
            return Some(Count { node: index, shift: 0, width: bits.width.into() });
        }
        let is_type = node.name == super::node::Name::Field("field_type")
            || self.field_of(index).is_some_and(|field| field.meaning == Meaning::TypeId);
        is_type.then(|| Count { node: index, shift: 0, width: 8 * node.len() as u32 })
    }

    fn retype(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some(part) = self.type_part(place, node) else { return Ok(None) };
        // Those that there are, and a few that there are not.
        let types = match self.format.dialect() {
            Some(dialect) => dialect.rows().len() as u64 + 2,
            None => {
                u64::from(crate::alb1::FieldType::ALL.iter().map(|one| one.id()).max().unwrap_or(0))
                    + 2
            }
        };
        let value = u.int_in_range(0..=types)?;
        let mut edit = Edit::new(self);
        Ok(edit.set(part, value).map(|()| edit.finish()))
    }

    fn mutate_block(
        &self,
        place: usize,
        node: &Node,
        u: &mut Unstructured<'_>,
    ) -> Result<Option<Vec<u8>>> {
        let Some((shape, size)) = node.block() else { return Ok(None) };
        let mut bytes = self.bytes_of(node).to_vec();
        let count = bytes.len() / size;
        let mode = u.int_in_range(0..=5_u8)?;
        if count == 0 || mode == 0 {
            let more = u.int_in_range(1..=5)? * size;
            let made = u.bytes(usize::min(more, u.len()))?;
            bytes.extend_from_slice(made);
            bytes.resize(count * size + more, 0);
        } else if mode == 1 {
            bytes.truncate(u.int_in_range(0..=count - 1)? * size);
        } else if mode == 2 {
            let at = u.int_in_range(0..=count - 1)? * size;
            let one = bytes.get(at..at + size).unwrap_or_default().to_vec();
            let times = u.int_in_range(1..=4)?;
            bytes.splice(at..at, one.repeat(times));
        } else {
            let at = u.int_in_range(0..=count - 1)? * size;
            let mut numbers = vec![(0, shape)];
            if let Shape::Record(record) = shape {
                numbers.clear();
                let mut offset = 0;
                for field in record.fields {
                    numbers.push((offset, field.shape));
                    offset += field.shape.size().unwrap_or_default();
                }
            }
            let (offset, shape) = *u.choose(&numbers)?;
            let width = shape.size().unwrap_or_default();
            let from = at + offset;
            if let Some(number) = bytes.get_mut(from..from + width) {
                let bits = other_number(shape, crate::inspect::unsigned(number), u)?;
                if let Some(bits) = bits.to_le_bytes().get(..width) {
                    number.copy_from_slice(bits);
                }
            }
        }
        Ok(self.with_block(place, bytes))
    }

    /// The nodes from an element on that are elements of the same list, a few of them.
    fn run(&self, first: usize, u: &mut Unstructured<'_>) -> Result<(usize, usize)> {
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

    fn drop_elements(&self, first: usize, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        let (last, count) = self.run(first, u)?;
        let dropped = || {
            let range = self.node(first)?.start..self.node(last)?.end;
            self.with_elements(self.parent(first)?, range, Vec::new(), -(count as i64))
        };
        Ok(dropped())
    }

    fn duplicate(
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
        let copies = self.bytes_of(node).repeat(times);
        let list = self.parent(place);
        Ok(list.and_then(|list| self.with_elements(list, node.end..node.end, copies, times as i64)))
    }

    /// Changes places with another element, or moves in front of it.
    fn swap(&self, place: usize, node: &Node, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
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
    fn takes_elements(&self, index: usize) -> bool {
        let Some(node) = self.node(index) else { return false };
        let Some(field) = self.list_in(index) else { return false };
        let stands_in_it = matches!(node.layout, Layout::Many(..))
            || field.inline
            || self.format.dialect().is_none();
        stands_in_it && matches!(field.shape, Shape::Variant | Shape::Record(_) | Shape::Field)
    }

    fn insert(
        &self,
        list: usize,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let Some(field) = self.list_in(list) else { return Ok(None) };
        let at = self.place_in(list, u)?;
        let kind = Kind::of(field.shape);
        let element = match kind {
            Some(kind) if u.ratio(1, 2)? => self.taken(kind, u, donors)?,
            _ => None,
        };
        let element = match element {
            Some(element) => Some(element),
            None => donor::element(u, field.shape, self.format)?,
        };
        Ok(element.and_then(|element| self.with_elements(list, at..at, element, 1)))
    }

    /// The bytes with a value or an element of another tree.
    pub(in crate::generate) fn crossed(
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
        let Some((list, shape)) = place.and_then(|list| Some((list, self.list_in(list)?.shape)))
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

    /// Where in a list an element comes: in front of another one, or behind the last.
    fn place_in(&self, list: usize, u: &mut Unstructured<'_>) -> Result<usize> {
        let elements = self.elements(list);
        let chosen = u.int_in_range(0..=elements.len())?;
        let before = elements.get(chosen).and_then(|&element| self.node(element));
        let end = self.node(list).map_or(0, |node| node.end);
        Ok(before.map_or(end, |element| element.start))
    }

    /// Bytes of an element or value, of this tree or a donor.
    fn taken(
        &self,
        kind: Kind,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let chosen = u.int_in_range(0..=donors.len())?;
        donors.get(chosen).unwrap_or(self).any_of(kind, u)
    }

    fn splice(
        &self,
        place: usize,
        u: &mut Unstructured<'_>,
        donors: &[Self],
    ) -> Result<Option<Vec<u8>>> {
        let value = self.taken(Kind::Value, u, donors)?;
        Ok(value.and_then(|value| self.with_value(place, &value)))
    }

    fn wrap(&self, place: usize, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
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

    fn unwrap_value(
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

    fn cut(&self, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        let Some(last) = self.bytes.len().checked_sub(1) else { return Ok(None) };
        let end = match u.ratio(1, 2)? {
            true => self.node(u.choose_index(self.nodes.len())?).map_or(0, |node| node.start),
            false => u.int_in_range(0..=last)?,
        };
        Ok(self.bytes.get(..end).map(<[u8]>::to_vec))
    }

    fn mutate_byte(&self, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        if self.bytes.is_empty() {
            return donor::generated(u, self.format);
        }
        let mut bytes = self.bytes.clone();
        let at = u.choose_index(bytes.len())?;
        let other = u.int_in_range(1..=u8::MAX)?;
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= other;
        }
        Ok(Some(bytes))
    }
}

/// Another number of the same width.
fn other_number(shape: Shape, old: u64, u: &mut Unstructured<'_>) -> Result<u64> {
    let width = 8 * shape.size().unwrap_or(8) as u32;
    let is_float = matches!(shape, Shape::Float { .. });
    let bits = match u.int_in_range(0..=7_u8)? {
        0..=2 => number::bits(u, shape, &Config { boundary_percent: 100, ..Config::default() })?,
        3 if !is_float => u.int_in_range(-8_i64..=8)? as u64,
        4 if !is_float => u.int_in_range(-128_i64..=256)? as u64,
        3 | 4 => float_bits(f64::from(u.int_in_range(-64_i32..=64)?) / 4.0, width),
        5 => old.wrapping_add(u.int_in_range(-4_i64..=4)? as u64),
        6 => old ^ 1 << u.int_in_range(0..=width - 1)?,
        // The sign, in the ways of both.
        _ if is_float => old ^ 1 << (width - 1),
        _ => old.wrapping_neg(),
    };
    Ok(bits & ones(width))
}

fn float_bits(number: f64, width: u32) -> u64 {
    if width == 32 { u64::from((number as f32).to_bits()) } else { number.to_bits() }
}

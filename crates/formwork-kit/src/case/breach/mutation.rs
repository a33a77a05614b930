//! A packet that is being changed at one mutation point.

use std::ops::Range;

use arbitrary::{Result, Unstructured};
use formwork_records::schema::{Occurs, Repetition};
use formwork_records::wire::utf8;
use formwork_variant::VariantType;
use formwork_variant::codec::Strictness;
use formwork_variant::dialect::{Dialect, Quirks};

use super::Maker;
use super::map::{ElementKind, Map, Point};
use crate::tree::{Count, Edit, Name, Node, Tree};

/// A packet that is being changed at one mutation point.
pub(super) struct Mutation<'m, 'u, 'a> {
    pub(super) u: &'u mut Unstructured<'a>,
    pub(super) dialect: Dialect,
    pub(super) quirks: &'static Quirks,
    /// Whether objects in full form are accepted.
    pub(super) objects: bool,
    /// The packet as it was.
    pub(super) map: &'m Map,
    pub(super) tree: &'m Tree,
    pub(super) point: Point,
    /// The node of the point.
    pub(super) node: &'m Node,
    /// Node of the packet that contains the point.
    pub(super) packet: &'m Node,
    /// The changed packet.
    pub(super) edit: Edit<'m>,
    /// The changes that give the engine's packet for the same value, if that differs from the original packet. Only
    /// present if requested.
    pub(super) pair: Option<Edit<'m>>,
}

impl<'m, 'u, 'a> Mutation<'m, 'u, 'a> {
    /// The packet as it is.
    pub(super) fn at(
        point: Point,
        map: &'m Map,
        u: &'u mut Unstructured<'a>,
        maker: &Maker,
    ) -> Option<Self> {
        let tree = &map.tree;
        let pair = maker.strictness == Strictness::Canonical;
        Some(Self {
            u,
            dialect: maker.dialect,
            quirks: maker.dialect.quirks(),
            objects: maker.objects,
            map,
            tree,
            point,
            node: tree.node(point.node)?,
            packet: tree.node(point.packet)?,
            edit: Edit::new(tree),
            pair: pair.then(|| Edit::new(tree)),
        })
    }

    /// Returns the count of the packet's elements, pairs or properties.
    pub(super) fn count(&self) -> Option<Count> {
        self.tree.count_in(self.point.packet)
    }

    /// The number at the point.
    pub(super) fn number(&self) -> u32 {
        self.tree.raw(self.node) as u32
    }

    /// The type of the packet.
    pub(super) fn variant_type(&self) -> Option<VariantType> {
        self.map.type_of(self.point.packet, self.dialect)
    }

    /// A field of the packet itself.
    pub(super) fn field(&self, name: &str) -> Option<(usize, &'m Node)> {
        self.tree.child(self.point.packet, name)
    }

    /// A number of the packet, or a part of one, and what it is.
    pub(super) fn part(&self, path: &[&str]) -> Option<(Count, u32)> {
        let (name, parts) = path.split_first()?;
        let part = self.tree.named(self.point.packet, name, parts)?;
        Some((part, self.tree.value_of(part)? as u32))
    }

    /// Changes the number at the point.
    pub(super) fn set(&mut self, number: u32) {
        self.set_part(Count::of(self.point.node, self.node), number);
    }

    /// Changes a number or a part of one, and nothing that follows from it.
    pub(super) fn set_part(&mut self, part: Count, number: u32) {
        // There is nothing in the way: the parts come from the tree.
        let _ = self.edit.set(part, number.into());
    }

    /// Sets a part of a word that is one bit.
    pub(super) fn set_flag(&mut self, path: &[&str]) -> Option<&'m Node> {
        let (flag, _) = self.part(path)?;
        self.set_part(flag, 1);
        self.tree.node(flag.node)
    }

    /// Sets some of the bits of a word.
    pub(super) fn set_some_of(&mut self, (index, node): (usize, &Node), bits: u32) -> Result<()> {
        let some = self.some_of(bits)?;
        self.set_part(Count::of(index, node), self.tree.raw(node) as u32 | some);
        Ok(())
    }

    pub(super) fn insert(&mut self, at: usize, bytes: Vec<u8>) {
        self.edit.replace(at..at, bytes);
    }

    /// Leaves out all behind `end`.
    pub(super) fn truncate(&mut self, end: usize) {
        self.edit.replace(end..self.length(), Vec::new());
    }

    /// Bytes of the packet as it was.
    pub(super) fn length(&self) -> usize {
        self.tree.as_bytes().len()
    }

    /// The text at the point.
    pub(super) fn text(&self) -> &'m [u8] {
        self.tree.node(self.point.node + 1).map(|node| self.tree.bytes_of(node)).unwrap_or_default()
    }

    /// Writes another text at the point, with its length and padding.
    pub(super) fn set_text(&mut self, text: &[u8]) {
        let _ = self.edit.set_block(self.point.node + 1, text.to_vec());
    }

    /// Returns the range of the padding that follows the text or bytes at the point.
    pub(super) fn padding(&self) -> Range<usize> {
        let padding = self.tree.node(self.point.node + 2);
        let padding = padding.filter(|node| node.name == Name::Field("padding"));
        padding.map(Node::range).unwrap_or_default()
    }

    /// Returns the type id that the header of a packet of this type has.
    pub(super) fn id(&self, variant_type: VariantType) -> u32 {
        self.dialect.type_id(variant_type).map_or(0, u32::from)
    }

    /// Whether the packet is a key or in one.
    pub(super) fn is_in_key(&self) -> bool {
        let around = |packet: &usize| self.tree.packet_around(*packet);
        let mut packets = std::iter::successors(Some(self.point.packet), around);
        packets.any(|packet| {
            self.tree.node(packet).is_some_and(|node| node.name == Name::Field("key"))
        })
    }

    /// Returns whether a value of any type may take the packet's place.
    pub(super) fn is_free(&self) -> bool {
        self.map.is_free(self.point.packet, self.dialect)
    }

    /// Returns the bits of the header that select how the element type at the point is given.
    pub(super) fn element_kind(&self) -> Option<ElementKind> {
        let mut field = self.point.node;
        while self.tree.parent(field)? != self.point.packet {
            field = self.tree.parent(field)?;
        }
        let Repetition::If(condition) = self.tree.field_of(field)?.occurs() else { return None };
        let mut part = None;
        condition.names(&mut |name| {
            part = name
                .path()
                .and_then(|(name, parts)| self.tree.named(self.point.packet, name, parts));
        });
        self.map.element_kinds(self.point.packet).find(|kind| Some(kind.part) == part)
    }

    /// Bytes behind `at`.
    pub(super) fn left(&self, at: usize) -> u64 {
        self.length().saturating_sub(at) as u64
    }

    /// A number above `least` that a 31-bit word holds: by one, by much, the largest, or any.
    pub(super) fn above(&mut self, least: u64) -> Result<Option<u32>> {
        const MOST: u64 = i32::MAX as u64;
        if least >= MOST {
            return Ok(None);
        }
        let number = match self.u.int_in_range(0..=3_u8)? {
            0 => least + 1,
            1 => (least + 0x1_0000).min(MOST),
            2 => MOST,
            _ => self.u.int_in_range(least + 1..=MOST)?,
        };
        Ok(u32::try_from(number).ok())
    }

    /// A number that has no name, where all below `names` have one: the first, the last, or any.
    pub(super) fn nameless(&mut self, names: usize, last: u32) -> Result<u32> {
        let first = names as u32;
        Ok(match self.u.int_in_range(0..=2_u8)? {
            0 => first,
            1 => last,
            _ => self.u.int_in_range(first..=last)?,
        })
    }

    /// A word that is negative to those to whom it has a sign.
    pub(super) fn negative(&mut self) -> Result<u32> {
        Ok(match self.u.int_in_range(0..=2_u8)? {
            0 => u32::MAX,
            1 => 1 << 31,
            _ => self.u.arbitrary::<u32>()? | 1 << 31,
        })
    }

    /// Some of these bits, one at least.
    pub(super) fn some_of(&mut self, bits: u32) -> Result<u32> {
        let some = self.u.arbitrary::<u32>()? & bits;
        if some != 0 && self.u.arbitrary()? {
            return Ok(some);
        }
        let index = self.u.choose_index(bits.count_ones().max(1) as usize)?;
        let nth = (0..32).map(|shift| 1 << shift).filter(|bit| bits & bit != 0).nth(index);
        Ok(nth.unwrap_or_default())
    }
}

/// The places in a text where a character starts or the text ends.
pub(super) fn boundaries(text: &[u8]) -> Vec<usize> {
    let mut boundaries = vec![0];
    let mut at = 0;
    while let Some(rest) = text.get(at..)
        && let Ok((_, length)) = utf8::sequence(rest)
    {
        at += length;
        boundaries.push(at);
    }
    boundaries
}

/// The bytes of words.
pub(super) fn words<const N: usize>(words: [u32; N]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

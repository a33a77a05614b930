//! The two versions of the quadtree, and numbers that go between them without loss.

use binrw::BinWrite;
use binrw::io::NoSeek;

use super::record::{BoundingBox, Leaf, Node};
use formwork::Result;
use formwork_records::schema::Sizes;
use formwork_records::wire::{Cursor, Real, read_record, word, word_at};

/// Versions of the quadtree: they differ in the width of the boxes' numbers.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Version {
    /// Boxes of 32-bit numbers (files of 2014 to 2016).
    V3,
    /// Boxes of 64-bit numbers.
    #[default]
    V4,
}

impl Version {
    /// The version of the tree in a layer with this `mlayerVersion`.
    #[must_use]
    pub const fn of_layer_version(layer_version: i32) -> Self {
        if layer_version >= 4 { Self::V4 } else { Self::V3 }
    }

    /// The `mlayerVersion` of a layer with such a tree.
    #[must_use]
    pub const fn layer_version(self) -> i32 {
        match self {
            Self::V3 => 3,
            Self::V4 => 4,
        }
    }

    /// Bytes of a node.
    #[must_use]
    pub const fn node_size(self) -> usize {
        match self {
            Self::V3 => Node::<f32>::HEAD_SIZE,
            Self::V4 => Node::<f64>::HEAD_SIZE,
        }
    }

    /// Bytes of a leaf without its groups.
    #[must_use]
    pub const fn leaf_size(self) -> usize {
        match self {
            Self::V3 => Leaf::<f32>::HEAD_SIZE,
            Self::V4 => Leaf::<f64>::HEAD_SIZE,
        }
    }

    #[inline]
    pub(crate) fn read_node(self, input: &mut Cursor<'_>) -> Result<Node<f64>> {
        Ok(match self {
            Self::V3 => read_record::<Node<f32>>(input)?.with_bounds(widened),
            Self::V4 => read_record(input)?,
        })
    }

    /// Reads the box at a place, if it is all there.
    #[inline]
    pub(crate) fn bounds_at(self, bytes: &[u8], at: usize) -> Option<BoundingBox<f64>> {
        match self {
            Self::V3 => word_at(bytes, at).map(widened),
            Self::V4 => word_at(bytes, at),
        }
    }

    /// How wide the box at a place is, if its east border is there.
    #[inline]
    pub(crate) fn width_at(self, bytes: &[u8], at: usize) -> Option<f64> {
        let bounds = bytes.get(at..)?;
        Some(match self {
            Self::V3 => {
                let x1 = word!(bounds, BoundingBox<f32>, x1: f32)?;
                widen(x1) - widen(word!(bounds, BoundingBox<f32>, x0: f32)?)
            }
            Self::V4 => {
                let x1 = word!(bounds, BoundingBox<f64>, x1: f64)?;
                x1 - word!(bounds, BoundingBox<f64>, x0: f64)?
            }
        })
    }

    #[inline]
    pub(crate) fn read_leaf(self, input: &mut Cursor<'_>) -> Result<Leaf<f64>> {
        Ok(match self {
            Self::V3 => read_record::<Leaf<f32>>(input)?.with_bounds(widened),
            Self::V4 => read_record(input)?,
        })
    }

    /// Whether a box can be written.
    pub(super) fn holds(self, bounds: &BoundingBox<f64>) -> bool {
        let all = bounds.to_array();
        self == Self::V4 || all.iter().all(|&it| widen(narrow(it)).to_bits() == it.to_bits())
    }

    /// The nearest box that can be written.
    #[must_use]
    pub fn round(self, bounds: BoundingBox<f64>) -> BoundingBox<f64> {
        match self {
            Self::V3 => widened(narrowed(bounds)),
            Self::V4 => bounds,
        }
    }

    /// The box of the child with this bit in the child mask.
    pub(crate) fn quarter(self, bounds: BoundingBox<f64>, bit: u32) -> BoundingBox<f64> {
        bounds.quarter(self.middle(&bounds), bit)
    }

    /// Returns the coordinates at which a box is halved: from west to east, and from south to north.
    #[inline(always)]
    pub(super) fn middle(self, bounds: &BoundingBox<f64>) -> (f64, f64) {
        let BoundingBox { x0, y0, x1, y1 } = *bounds;
        let narrow_middle = |low, high| {
            let (low, high) = (narrow(low), narrow(high));
            widen(low + (high - low) / 2.0)
        };
        match self {
            Self::V3 => (narrow_middle(x0, x1), narrow_middle(y0, y1)),
            Self::V4 => (x0 + (x1 - x0) / 2.0, y0 + (y1 - y0) / 2.0),
        }
    }

    pub(super) fn write_node(self, node: &Node<f64>, out: &mut Vec<u8>) -> binrw::BinResult<()> {
        match self {
            Self::V3 => put(&node.with_bounds(narrowed), out),
            Self::V4 => put(node, out),
        }
    }

    pub(super) fn write_leaf(self, leaf: &Leaf<f64>, out: &mut Vec<u8>) -> binrw::BinResult<()> {
        match self {
            Self::V3 => put(&leaf.with_bounds(narrowed), out),
            Self::V4 => put(leaf, out),
        }
    }
}

impl<R: Real> Node<R> {
    /// The node with its box in the other width.
    #[inline]
    fn with_bounds<S: Real>(self, other: impl FnOnce(BoundingBox<R>) -> BoundingBox<S>) -> Node<S> {
        let Self { kind, bounds, level, colour, children, nw, ne, sw, se } = self;
        Node { kind, bounds: other(bounds), level, colour, children, nw, ne, sw, se }
    }
}

impl<R: Real> Leaf<R> {
    /// The leaf with its box in the other width.
    #[inline]
    fn with_bounds<S: Real>(self, other: impl FnOnce(BoundingBox<R>) -> BoundingBox<S>) -> Leaf<S> {
        let Self { bounds, colour, template, group_count, groups } = self;
        Leaf { bounds: other(bounds), colour, template, group_count, groups }
    }
}

/// Writes one declared record.
pub(super) fn put<T>(record: &T, out: &mut Vec<u8>) -> binrw::BinResult<()>
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    // Records are written front to back; binrw only asks for a place to seek in.
    record.write_le(&mut NoSeek::new(out))
}

impl<R: Real> BoundingBox<R> {
    /// West, south, east, north.
    #[must_use]
    pub const fn to_array(self) -> [R; 4] {
        [self.x0, self.y0, self.x1, self.y1]
    }

    /// Whether two boxes have the same bits.
    #[inline(always)]
    pub(super) fn is_identical(&self, other: &Self) -> bool {
        let same = |one: R, other: R| one.to_bits() == other.to_bits();
        // The borders in the east and south differ first where one is in the other.
        same(self.x1, other.x1)
            && same(self.y0, other.y0)
            && same(self.x0, other.x0)
            && same(self.y1, other.y1)
    }

    /// Whether a point is in it: the west and south border belong to it, the others do not.
    #[must_use]
    pub fn contains(&self, x: R, y: R) -> bool {
        (self.x0..self.x1).contains(&x) && (self.y0..self.y1).contains(&y)
    }

    /// The quarter with this bit in the child mask, of a box that is halved at these.
    #[inline(always)]
    pub(super) fn quarter(self, (x, y): (R, R), bit: u32) -> Self {
        let Self { x0, y0, x1, y1 } = self;
        let (x0, x1) = if bit & 1 == 0 { (x0, x) } else { (x, x1) };
        let (y0, y1) = if bit & 2 == 0 { (y, y1) } else { (y0, y) };
        Self { x0, y0, x1, y1 }
    }

    fn map<S: Real>(self, to: impl Fn(R) -> S) -> BoundingBox<S> {
        BoundingBox { x0: to(self.x0), y0: to(self.y0), x1: to(self.x1), y1: to(self.y1) }
    }
}

fn widened(bounds: BoundingBox<f32>) -> BoundingBox<f64> {
    bounds.map(widen)
}

fn narrowed(bounds: BoundingBox<f64>) -> BoundingBox<f32> {
    bounds.map(narrow)
}

/// Bits of the fraction that 64-bit numbers have and 32-bit ones have not.
const MORE_BITS: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;

/// Widens a number; keeps the payload of a NaN, which the machine's own conversion would make a quiet
/// one.
#[inline]
fn widen(number: f32) -> f64 {
    if number.is_nan() {
        let bits = u64::from(number.to_bits());
        let sign = bits >> 31 << 63;
        f64::from_bits(sign | f64::INFINITY.to_bits() | (bits & 0x007F_FFFF) << MORE_BITS)
    } else {
        number.into()
    }
}

/// The nearest number; of a NaN the upper bits of the payload.
#[inline]
fn narrow(number: f64) -> f32 {
    if number.is_nan() {
        let bits = number.to_bits();
        let sign = (bits >> 63 << 31) as u32;
        let payload = (bits >> MORE_BITS) as u32 & 0x007F_FFFF;
        f32::from_bits(sign | f32::INFINITY.to_bits() | payload)
    } else {
        number as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_those_of_the_format() {
        assert_eq!((Version::V4.node_size(), Version::V4.leaf_size()), (42, 44));
        assert_eq!((Version::V3.node_size(), Version::V3.leaf_size()), (26, 28));
    }

    #[test]
    fn every_number_goes_to_64_bits_and_back() {
        for high in 0..=u16::MAX {
            for low in [0, 1, 0x1234, 0x8000, 0xFFFF] {
                let bits = u32::from(high) << 16 | low;
                assert_eq!(narrow(widen(f32::from_bits(bits))).to_bits(), bits);
            }
        }
        assert!(!Version::V3.holds(&BoundingBox { x0: 0.1, ..BoundingBox::default() }));
    }
}

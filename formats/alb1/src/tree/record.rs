//! The records of the quadtree, each declared once.

use modular_bitfield::prelude::*;

use formwork::{BinRead, BinWrite, Deferred, Each, Nested, Schema};
use formwork_records::schema::CHILD;
use formwork_records::wire::{Components, Real};

/// A box: the part of the plane that a node or leaf covers. The y axis points north.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
#[brw(little)]
pub struct BoundingBox<T: Real = f32> {
    /// West border, in metres.
    pub x0: T,
    /// South border, in metres.
    pub y0: T,
    /// East border, in metres.
    pub x1: T,
    /// North border, in metres.
    pub y1: T,
}

/// A colour: 0xAARRGGBB.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u32)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Default, Eq, PartialEq)]
#[br(map = |raw: u32| raw.into())]
#[bw(map = |word: &Self| u32::from(*word))]
pub struct Colour {
    /// Blue.
    pub blue: B8,
    /// Green.
    pub green: B8,
    /// Red.
    pub red: B8,
    /// Alpha of a template's fill colour; in a quarter of the leaves something smaller, by a rule
    /// that is not known.
    pub alpha: B8,
}

/// The children of a node that follow, in this order.
#[derive(Schema)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[bitfield]
#[repr(u8)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Default, Eq, PartialEq)]
#[br(map = |raw: u8| raw.into())]
#[bw(map = |word: &Self| u8::from(*word))]
pub struct ChildMask {
    /// The one at low x and high y.
    pub nw: bool,
    /// The one at high x and high y.
    pub ne: bool,
    /// The one at low x and low y.
    pub sw: bool,
    /// The one at high x and low y.
    pub se: bool,
    /// Never set.
    #[schema(zero)]
    pub unused: B4,
}

/// An inner node, or an empty cell. Its children follow, depth first.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
#[brw(little)]
pub struct Node<T: Real = f32> {
    /// The kind of its children: 1 nodes, 16 leaves, -1 nothing.
    pub kind: i8,
    /// Its box: 64-bit numbers in version 4, 32-bit ones in version 3.
    pub bounds: BoundingBox<T>,
    /// How many nodes it is below the root.
    pub level: i32,
    /// For the view in two dimensions. 0 on the levels 0 to 6 and in empty cells.
    pub colour: Colour,
    /// The mask of the children that follow.
    pub children: ChildMask,
    /// The child at low x and high y, with all that is below it.
    #[br(if(children.nw()))]
    pub nw: Nested<CHILD>,
    /// The one at high x and high y.
    #[br(if(children.ne()))]
    pub ne: Nested<CHILD>,
    /// The one at low x and low y.
    #[br(if(children.sw()))]
    pub sw: Nested<CHILD>,
    /// The one at high x and low y.
    #[br(if(children.se()))]
    pub se: Nested<CHILD>,
}

/// A leaf: a child of a node of kind 16.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
#[brw(little)]
pub struct Leaf<T: Real = f32> {
    /// Its box: 64-bit numbers in version 4, 32-bit ones in version 3.
    pub bounds: BoundingBox<T>,
    /// The fill colour of the main template; its alpha may be smaller.
    pub colour: Colour,
    /// Hash of the main template: that of one of the groups, mostly 0 where there is none. Which
    /// one Terrain Builder takes is not known.
    pub template: u32,
    /// How many groups. None is common: leaves stay when their objects were deleted.
    pub group_count: i32,
    /// The groups, in no particular order.
    #[br(count = group_count.max(0))]
    pub groups: Deferred<Each<Group>>,
}

/// The objects of a leaf that have one template.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, Eq, PartialEq)]
#[brw(little)]
pub struct Group {
    /// How many objects; 0 is rare but real.
    pub object_count: i32,
    /// Hash of the template's name.
    pub template: u32,
    /// The objects, in no particular order.
    #[br(count = object_count.max(0))]
    pub objects: Deferred<Each<Object>>,
}

/// A placed object.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
#[brw(little)]
pub struct Object {
    /// Easting, in metres.
    pub x: f64,
    /// Northing, in metres.
    pub y: f64,
    /// Degrees, 0 to 360.
    pub yaw: f32,
    /// Degrees, 0 to 360.
    pub pitch: f32,
    /// Degrees, 0 to 360.
    pub roll: f32,
    /// 1 for most.
    pub scale: f32,
    /// Height over the ground, in metres.
    pub z: f32,
    /// Number of the object, unique in its layer (with rare exceptions).
    pub id: u32,
}

/// As words: numbers of two widths, which no alignment keeps apart.
impl Components for Object {
    type Number = u32;
    type Array = [u32; 10];

    #[inline]
    fn from_components([x0, x1, y0, y1, yaw, pitch, roll, scale, z, id]: [u32; 10]) -> Self {
        let double = |low: u32, high: u32| f64::from_bits(u64::from(high) << 32 | u64::from(low));
        Self {
            x: double(x0, x1),
            y: double(y0, y1),
            yaw: f32::from_bits(yaw),
            pitch: f32::from_bits(pitch),
            roll: f32::from_bits(roll),
            scale: f32::from_bits(scale),
            z: f32::from_bits(z),
            id,
        }
    }

    #[inline]
    fn to_components(self) -> [u32; 10] {
        let (x, y) = (self.x.to_bits(), self.y.to_bits());
        [
            x as u32,
            (x >> 32) as u32,
            y as u32,
            (y >> 32) as u32,
            self.yaw.to_bits(),
            self.pitch.to_bits(),
            self.roll.to_bits(),
            self.scale.to_bits(),
            self.z.to_bits(),
            self.id,
        ]
    }
}

/// Kind of the children of a node.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Children {
    /// Nodes.
    Nodes,
    /// Leaves.
    Leaves,
    /// It has none: an empty cell.
    None,
}

impl Children {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Nodes, Self::Leaves, Self::None];

    /// The node's kind on the wire.
    #[must_use]
    pub const fn kind(self) -> i8 {
        match self {
            Self::Nodes => 1,
            Self::Leaves => 16,
            Self::None => -1,
        }
    }

    /// Returns the children with this kind, if it is known.
    #[must_use]
    pub const fn of_kind(kind: i8) -> Option<Self> {
        match kind {
            1 => Some(Self::Nodes),
            16 => Some(Self::Leaves),
            -1 => Some(Self::None),
            _ => None,
        }
    }
}

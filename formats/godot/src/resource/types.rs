//! The types of values, as resource files number them.

use binrw::Endian;

use formwork_variant::frame::ByteOrder;
use formwork_variant::{Dialect, VariantType};

/// The layout of values in a resource file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Layout {
    /// The order of the bytes of numbers.
    pub order: ByteOrder,
    /// Whether real numbers have 64 bits.
    pub double: bool,
    /// Whether node paths have a separate property: format versions 1 and 2.
    pub has_property: bool,
    /// Whether the engine numbers the types that were added after Godot 3 differently, as Pandemonium does.
    pub own_types: bool,
    /// The offset from which numbers are in this order.
    pub from: usize,
}

/// A type of values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) number: u32,
    pub(crate) variant_type: VariantType,
    /// Whether the type is an int or float of 64 bits, which has a separate number.
    pub(crate) wide: bool,
}

macro_rules! rows {
    ($( $name:ident: $( $number:literal $variant_type:ident $($wide:ident)? ),+ $(,)?; )+) => {
        $( const $name: &[Row] = &[ $( Row {
            number: $number,
            variant_type: VariantType::$variant_type,
            wide: rows!(@wide $($wide)?),
        } ),+ ]; )+
    };
    (@wide) => { false };
    (@wide wide) => { true };
}

rows! {
    SHARED: 1 Nil, 2 Bool, 3 Int, 4 Float, 5 String, 10 Vector2, 11 Rect2, 12 Vector3, 13 Plane,
        14 Quaternion, 15 Aabb, 16 Basis, 17 Transform3D, 18 Transform2D, 20 Color, 21 Image,
        22 NodePath, 23 Rid, 24 Object, 25 InputEvent, 26 Dictionary, 30 Array, 31 PackedByteArray,
        32 PackedInt32Array, 33 PackedFloat32Array, 34 PackedStringArray, 35 PackedVector3Array,
        36 PackedColorArray, 37 PackedVector2Array, 40 Int wide, 41 Float wide;
    GODOT4: 42 Callable, 43 Signal, 44 StringName, 45 Vector2i, 46 Rect2i, 47 Vector3i,
        48 PackedInt64Array, 49 PackedFloat64Array, 50 Vector4, 51 Vector4i, 52 Projection,
        53 PackedVector4Array;
    PANDEMONIUM: 42 Vector2i, 43 Rect2i, 44 Vector3i, 45 PackedVector3iArray,
        46 PackedVector2iArray, 47 StringName, 48 Vector4, 49 Vector4i, 50 Projection,
        51 PackedVector4Array, 52 PackedVector4iArray;
}

/// Returns whether each type of a dialect has a number.
const fn has_all(dialect: Dialect, own: &[Row]) -> bool {
    let mut types = dialect.rows();
    while let [next, rest @ ..] = types {
        if !has(SHARED, next.variant_type) && !has(own, next.variant_type) {
            return false;
        }
        types = rest;
    }
    true
}

const fn has(mut rows: &[Row], variant_type: VariantType) -> bool {
    while let [row, rest @ ..] = rows {
        if row.variant_type as u8 == variant_type as u8 {
            return true;
        }
        rows = rest;
    }
    false
}

const _: () = assert!(has_all(Dialect::GODOT4, GODOT4), "a type of Godot 4 has no number");
// The numbers that Pandemonium 5 gives its typed arrays are not known.
const _: () = assert!(has_all(Dialect::PANDEMONIUM4, PANDEMONIUM), "a type has no number");

const COUNT: usize = SHARED.len() + GODOT4.len();

/// The types of Godot, for the page and the dump.
pub(super) const TYPE_NAMES: &[(i128, &str)] = &{
    let mut names = [(0, ""); COUNT];
    let mut at = 0;
    while at < COUNT {
        let row = if at < SHARED.len() { SHARED[at] } else { GODOT4[at - SHARED.len()] };
        names[at] = (row.number as i128, row.variant_type.name());
        at += 1;
    }
    names
};

impl Layout {
    /// Returns the type that has this number.
    pub(crate) fn row(self, number: u32) -> Option<Row> {
        let own = if self.own_types { PANDEMONIUM } else { GODOT4 };
        SHARED.iter().chain(own).find(|row| row.number == number).copied()
    }
}

/// The order of bytes, as binrw has it.
pub(super) const fn endian(order: ByteOrder) -> Endian {
    match order {
        ByteOrder::Little => Endian::Little,
        ByteOrder::Big => Endian::Big,
    }
}

/// Returns all types of Godot.
pub(super) fn rows() -> impl Iterator<Item = Row> {
    SHARED.iter().chain(GODOT4).copied()
}

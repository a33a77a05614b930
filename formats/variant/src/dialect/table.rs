//! The tables: one per family, a row per type. A row's position is the type's number on the wire.
//!
//! Sources: the engines' own enumerations (`Variant::Type`) in the named releases; the output of their encoders is
//! in `formats/*/golden`.

use super::quirks;
use super::{Dialect, Engine, Family};
use crate::VariantType;

/// A type of a dialect.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Row {
    /// The type.
    pub variant_type: VariantType,
    /// The name of the type in this dialect's engine.
    pub name: &'static str,
}

macro_rules! table {
    ($(#[doc = $doc:literal])+ $table:ident: $( $id:literal $variant_type:ident $name:literal; )+) => {
        $(#[doc = $doc])+
        static $table: [Row; [$($id),+].len()] =
            [$( Row { variant_type: VariantType::$variant_type, name: $name }, )+];

        // The numbers are written down for the reader; they must be the positions.
        const _: () = {
            let ids: [usize; [$($id),+].len()] = [$($id),+];
            let mut at = 0;
            while at < ids.len() {
                assert!(ids[at] == at);
                at += 1;
            }
        };
    };
}

table! {
    /// Godot 1.0 to 2.1.
    GODOT2_TABLE:
    0 Nil "Nil";
    1 Bool "bool";
    2 Int "int";
    3 Float "float";
    4 String "String";
    5 Vector2 "Vector2";
    6 Rect2 "Rect2";
    7 Vector3 "Vector3";
    8 Transform2D "Matrix32";
    9 Plane "Plane";
    10 Quaternion "Quat";
    11 Aabb "AABB";
    12 Basis "Matrix3";
    13 Transform3D "Transform";
    14 Color "Color";
    15 Image "Image";
    16 NodePath "NodePath";
    17 Rid "RID";
    18 Object "Object";
    19 InputEvent "InputEvent";
    20 Dictionary "Dictionary";
    21 Array "Array";
    22 PackedByteArray "RawArray";
    23 PackedInt32Array "IntArray";
    24 PackedFloat32Array "RealArray";
    25 PackedStringArray "StringArray";
    26 PackedVector2Array "Vector2Array";
    27 PackedVector3Array "Vector3Array";
    28 PackedColorArray "ColorArray";
}

table! {
    /// Godot 3.0 to 3.6. (The documentation of Pandemonium prints the same.)
    GODOT3_TABLE:
    0 Nil "Nil";
    1 Bool "bool";
    2 Int "int";
    3 Float "float";
    4 String "String";
    5 Vector2 "Vector2";
    6 Rect2 "Rect2";
    7 Vector3 "Vector3";
    8 Transform2D "Transform2D";
    9 Plane "Plane";
    10 Quaternion "Quat";
    11 Aabb "AABB";
    12 Basis "Basis";
    13 Transform3D "Transform";
    14 Color "Color";
    15 NodePath "NodePath";
    16 Rid "RID";
    17 Object "Object";
    18 Dictionary "Dictionary";
    19 Array "Array";
    20 PackedByteArray "PoolByteArray";
    21 PackedInt32Array "PoolIntArray";
    22 PackedFloat32Array "PoolRealArray";
    23 PackedStringArray "PoolStringArray";
    24 PackedVector2Array "PoolVector2Array";
    25 PackedVector3Array "PoolVector3Array";
    26 PackedColorArray "PoolColorArray";
}

table! {
    /// Pandemonium 3.5.0 to 3.7.0.
    PANDEMONIUM3_TABLE:
    0 Nil "Nil";
    1 Bool "bool";
    2 Int "int";
    3 Float "float";
    4 String "String";
    5 Vector2 "Vector2";
    6 Vector2i "Vector2i";
    7 Rect2 "Rect2";
    8 Rect2i "Rect2i";
    9 Vector3 "Vector3";
    10 Vector3i "Vector3i";
    11 Transform2D "Transform2D";
    12 Plane "Plane";
    13 Quaternion "Quat";
    14 Aabb "AABB";
    15 Basis "Basis";
    16 Transform3D "Transform";
    17 Color "Color";
    18 NodePath "NodePath";
    19 Rid "RID";
    20 Object "Object";
    21 StringName "StringName";
    22 Dictionary "Dictionary";
    23 Array "Array";
    24 PackedByteArray "PoolByteArray";
    25 PackedInt32Array "PoolIntArray";
    26 PackedFloat32Array "PoolRealArray";
    27 PackedStringArray "PoolStringArray";
    28 PackedVector2Array "PoolVector2Array";
    29 PackedVector2iArray "PoolVector2iArray";
    30 PackedVector3Array "PoolVector3Array";
    31 PackedVector3iArray "PoolVector3iArray";
    32 PackedColorArray "PoolColorArray";
}

table! {
    /// Pandemonium 3.8.0 to 4.9.0.
    PANDEMONIUM4_TABLE:
    0 Nil "Nil";
    1 Bool "bool";
    2 Int "int";
    3 Float "float";
    4 String "String";
    5 Rect2 "Rect2";
    6 Rect2i "Rect2i";
    7 Vector2 "Vector2";
    8 Vector2i "Vector2i";
    9 Vector3 "Vector3";
    10 Vector3i "Vector3i";
    11 Vector4 "Vector4";
    12 Vector4i "Vector4i";
    13 Plane "Plane";
    14 Quaternion "Quaternion";
    15 Aabb "AABB";
    16 Basis "Basis";
    17 Transform3D "Transform";
    18 Transform2D "Transform2D";
    19 Projection "Projection";
    20 Color "Color";
    21 NodePath "NodePath";
    22 Rid "RID";
    23 Object "Object";
    24 StringName "StringName";
    25 Dictionary "Dictionary";
    26 Array "Array";
    27 PackedByteArray "PoolByteArray";
    28 PackedInt32Array "PoolIntArray";
    29 PackedFloat32Array "PoolRealArray";
    30 PackedStringArray "PoolStringArray";
    31 PackedVector2Array "PoolVector2Array";
    32 PackedVector2iArray "PoolVector2iArray";
    33 PackedVector3Array "PoolVector3Array";
    34 PackedVector3iArray "PoolVector3iArray";
    35 PackedVector4Array "PoolVector4Array";
    36 PackedVector4iArray "PoolVector4iArray";
    37 PackedColorArray "PoolColorArray";
}

table! {
    /// Pandemonium 5.0.0 and later.
    PANDEMONIUM5_TABLE:
    0 Nil "Nil";
    1 Bool "bool";
    2 Int "int";
    3 Float "float";
    4 String "String";
    5 Rect2 "Rect2";
    6 Rect2i "Rect2i";
    7 Vector2 "Vector2";
    8 Vector2i "Vector2i";
    9 Vector3 "Vector3";
    10 Vector3i "Vector3i";
    11 Vector4 "Vector4";
    12 Vector4i "Vector4i";
    13 Plane "Plane";
    14 Quaternion "Quaternion";
    15 Aabb "AABB";
    16 Basis "Basis";
    17 Transform3D "Transform";
    18 Transform2D "Transform2D";
    19 Projection "Projection";
    20 Color "Color";
    21 NodePath "NodePath";
    22 Rid "RID";
    23 Object "Object";
    24 StringName "StringName";
    25 Dictionary "Dictionary";
    26 Array "Array";
    27 TypedArray "TypedArray";
    28 PackedTypedArray "PackedTypedArray";
    29 PackedByteArray "PoolByteArray";
    30 PackedInt32Array "PoolIntArray";
    31 PackedFloat32Array "PoolRealArray";
    32 PackedStringArray "PoolStringArray";
    33 PackedVector2Array "PoolVector2Array";
    34 PackedVector2iArray "PoolVector2iArray";
    35 PackedVector3Array "PoolVector3Array";
    36 PackedVector3iArray "PoolVector3iArray";
    37 PackedVector4Array "PoolVector4Array";
    38 PackedVector4iArray "PoolVector4iArray";
    39 PackedColorArray "PoolColorArray";
}

table! {
    /// Godot 4.0 on; `engines!` says which releases lack the last rows.
    GODOT4_TABLE:
    0 Nil "Nil";
    1 Bool "bool";
    2 Int "int";
    3 Float "float";
    4 String "String";
    5 Vector2 "Vector2";
    6 Vector2i "Vector2i";
    7 Rect2 "Rect2";
    8 Rect2i "Rect2i";
    9 Vector3 "Vector3";
    10 Vector3i "Vector3i";
    11 Transform2D "Transform2D";
    12 Vector4 "Vector4";
    13 Vector4i "Vector4i";
    14 Plane "Plane";
    15 Quaternion "Quaternion";
    16 Aabb "AABB";
    17 Basis "Basis";
    18 Transform3D "Transform3D";
    19 Projection "Projection";
    20 Color "Color";
    21 StringName "StringName";
    22 NodePath "NodePath";
    23 Rid "RID";
    24 Object "Object";
    25 Callable "Callable";
    26 Signal "Signal";
    27 Dictionary "Dictionary";
    28 Array "Array";
    29 PackedByteArray "PackedByteArray";
    30 PackedInt32Array "PackedInt32Array";
    31 PackedInt64Array "PackedInt64Array";
    32 PackedFloat32Array "PackedFloat32Array";
    33 PackedFloat64Array "PackedFloat64Array";
    34 PackedStringArray "PackedStringArray";
    35 PackedVector2Array "PackedVector2Array";
    36 PackedVector3Array "PackedVector3Array";
    37 PackedColorArray "PackedColorArray";
    38 PackedVector4Array "PackedVector4Array";
}

/// Returns the rows before that of a type.
const fn before(table: &'static [Row], variant_type: VariantType) -> &'static [Row] {
    let mut count = 0;
    while table[count].variant_type as usize != variant_type as usize {
        count += 1;
    }
    table.split_at(count).0
}

/// Returns the number of each type in a table.
const fn ids(table: &[Row]) -> [u8; VariantType::ALL.len()] {
    let mut ids = [Engine::NO_ID; VariantType::ALL.len()];
    let mut id = 0;
    while id < table.len() {
        ids[table[id].variant_type as usize] = id as u8;
        id += 1;
    }
    ids
}

macro_rules! engines {
    ($( $engine:ident $name:literal $family:ident $description:literal $table:ident $quirks:ident $(before $since:ident)?; )+) => {
        $(
            pub(super) static $engine: Engine = Engine {
                name: $name,
                family: Family::$family,
                description: $description,
                rows: engines!(@rows $table $($since)?),
                ids: ids(engines!(@rows $table $($since)?)),
                quirks: quirks::$quirks,
            };
        )+

        /// Every engine, the oldest of each family first.
        pub(super) static ENGINES: &[&Engine] = &[$( &$engine ),+];

        /// The releases, one constant each.
        impl Dialect {
            $(
                #[doc = concat!("`", $name, "`: ", $description, ".")]
                pub const $engine: Self = Self::single(&$engine);
            )+
        }
    };
    (@rows $table:ident) => { &$table };
    (@rows $table:ident $since:ident) => { before(&$table, VariantType::$since) };
}

engines! {
    GODOT2_0 "godot2.0" Godot2 "Godot 1.0 to 2.0" GODOT2_TABLE GODOT2_0;
    GODOT2_1 "godot2" Godot2 "Godot 2.1" GODOT2_TABLE GODOT2;
    GODOT3_0 "godot3.0" Godot3 "Godot 3.0" GODOT3_TABLE GODOT3_0;
    GODOT3_1 "godot3.1" Godot3 "Godot 3.1" GODOT3_TABLE GODOT3_1;
    GODOT3_2 "godot3.2" Godot3 "Godot 3.2" GODOT3_TABLE GODOT3_2;
    GODOT3_3 "godot3.3" Godot3 "Godot 3.3" GODOT3_TABLE GODOT3;
    GODOT3_4 "godot3.4" Godot3 "Godot 3.4" GODOT3_TABLE GODOT3;
    GODOT3_5 "godot3.5" Godot3 "Godot 3.5" GODOT3_TABLE GODOT3_5;
    GODOT3_6 "godot3.6" Godot3 "Godot 3.6" GODOT3_TABLE GODOT3_5;
    PANDEMONIUM_DOCS "pandemonium-docs" Godot3 "Pandemonium as its documentation has it: the same bytes as Godot 3, written by no tagged release" GODOT3_TABLE GODOT3_5;
    PANDEMONIUM3 "pandemonium3" Pandemonium3 "Pandemonium 3.5.0 to 3.7.0" PANDEMONIUM3_TABLE PANDEMONIUM3;
    PANDEMONIUM4 "pandemonium4" Pandemonium4 "Pandemonium 3.8.0 to 4.9.0" PANDEMONIUM4_TABLE PANDEMONIUM4;
    PANDEMONIUM5 "pandemonium5" Pandemonium5 "Pandemonium 5.0.0 and later" PANDEMONIUM5_TABLE PANDEMONIUM4;
    GODOT4_0 "godot4.0" Godot4 "Godot 4.0" GODOT4_TABLE GODOT4_0 before PackedVector4Array;
    GODOT4_1 "godot4.1" Godot4 "Godot 4.1" GODOT4_TABLE GODOT4_0 before PackedVector4Array;
    GODOT4_2 "godot4.2" Godot4 "Godot 4.2" GODOT4_TABLE GODOT4_2 before PackedVector4Array;
    GODOT4_3 "godot4.3" Godot4 "Godot 4.3" GODOT4_TABLE GODOT4_3;
    GODOT4_4 "godot4.4" Godot4 "Godot 4.4" GODOT4_TABLE GODOT4_4;
    GODOT4_5 "godot4.5" Godot4 "Godot 4.5" GODOT4_TABLE GODOT4_5;
    GODOT4_6 "godot4.6" Godot4 "Godot 4.6" GODOT4_TABLE GODOT4_5;
    GODOT4_7 "godot4.7" Godot4 "Godot 4.7" GODOT4_TABLE GODOT4_5;
}

//! Type ids.

/// The engine whose packets are read.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(crate) enum Engine {
    /// Godot 3.6.
    Godot3,
    /// Godot 4.6.
    Godot4,
}

/// The types of both engines, with the names of Godot 4.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Type {
    Nil,
    Bool,
    Int,
    Float,
    String,
    Vector2,
    Vector2i,
    Rect2,
    Rect2i,
    Vector3,
    Vector3i,
    Transform2D,
    Vector4,
    Vector4i,
    Plane,
    Quaternion,
    Aabb,
    Basis,
    Transform3D,
    Projection,
    Color,
    StringName,
    NodePath,
    Rid,
    Object,
    Callable,
    Signal,
    Dictionary,
    Array,
    PackedByteArray,
    PackedInt32Array,
    PackedInt64Array,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedColorArray,
    PackedVector4Array,
}

use Type::*;

const GODOT3: &[Type] = &[
    Nil,
    Bool,
    Int,
    Float,
    String,
    Vector2,
    Rect2,
    Vector3,
    Transform2D,
    Plane,
    Quaternion,
    Aabb,
    Basis,
    Transform3D,
    Color,
    NodePath,
    Rid,
    Object,
    Dictionary,
    Array,
    PackedByteArray,
    PackedInt32Array,
    PackedFloat32Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedColorArray,
];

const GODOT4: &[Type] = &[
    Nil,
    Bool,
    Int,
    Float,
    String,
    Vector2,
    Vector2i,
    Rect2,
    Rect2i,
    Vector3,
    Vector3i,
    Transform2D,
    Vector4,
    Vector4i,
    Plane,
    Quaternion,
    Aabb,
    Basis,
    Transform3D,
    Projection,
    Color,
    StringName,
    NodePath,
    Rid,
    Object,
    Callable,
    Signal,
    Dictionary,
    Array,
    PackedByteArray,
    PackedInt32Array,
    PackedInt64Array,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedColorArray,
    PackedVector4Array,
];

impl Engine {
    pub(crate) fn types(self) -> &'static [Type] {
        match self {
            Self::Godot3 => GODOT3,
            Self::Godot4 => GODOT4,
        }
    }

    pub(crate) fn type_of(self, id: u32) -> Option<Type> {
        self.types().get(id as usize).copied()
    }

    /// Returns the id of a type that the engine has.
    pub(crate) fn id(self, wanted: Type) -> u32 {
        let id = self.types().iter().position(|&candidate| candidate == wanted);
        id.unwrap_or_default() as u32
    }
}

impl Type {
    /// Returns the number of real components of a value, or of an element in an array of vectors.
    pub(crate) fn reals(self) -> usize {
        match self {
            Vector2 | PackedVector2Array => 2,
            Vector3 | PackedVector3Array => 3,
            Vector4 | Rect2 | Plane | Quaternion | Color => 4,
            PackedVector4Array | PackedColorArray => 4,
            Transform2D | Aabb => 6,
            Basis => 9,
            Transform3D => 12,
            Projection => 16,
            _ => 0,
        }
    }

    /// Returns the number of 32-bit ints in a value.
    pub(crate) fn ints(self) -> usize {
        match self {
            Vector2i => 2,
            Vector3i => 3,
            Vector4i | Rect2i => 4,
            _ => 0,
        }
    }
}

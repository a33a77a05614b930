//! The list of types: one row each, from which all that goes by type is made.

/// Passes every type to the macro `$then`, a row each.
///
/// A row is documentation, name, payload of a value, and the kind of type with the element, if it has one:
///
/// | kind | a value of the type is |
/// | --- | --- |
/// | `real_math T` | a math type of real numbers, which have two widths: `Vector2` |
/// | `math T` | a math type of numbers of one width: `Vector2i`, `Color` |
/// | `packed_real_math T` | an array of a `real_math` type |
/// | `packed_math T` | an array of a `math` type |
/// | `packed_numbers N` | an array of plain numbers |
/// | `own` | a type that is none of these |
///
/// Most code needs no such macro: [`Variant::payload`](crate::Variant::payload) and
/// [`Variant::from_numbers`](crate::Variant::from_numbers) treat all types alike that consist of numbers only. A new
/// packed type of numbers needs a row here, a row in the table of each dialect that has it (`dialect/table.rs`), and
/// its number in resource files (`resource/types.rs`). The compiler reports what a type of the kind `own` lacks.
#[macro_export]
macro_rules! for_each_type {
    ($then:ident) => {
        $then! {
            /// No value (null).
            Nil = own;
            /// True or false.
            Bool(bool) = own;
            /// A whole number; Godot 2 has only 32 bits of it.
            Int(i64) = own;
            /// A number; Godot 2 has only single precision.
            Float(f64) = own;
            /// A text.
            String(VariantString) = own;
            /// Two components.
            Vector2(Vector2<R>) = real_math Vector2;
            /// Two whole components. Pandemonium and Godot 4.
            Vector2i(Vector2i) = math Vector2i;
            /// A rectangle.
            Rect2(Rect2<R>) = real_math Rect2;
            /// A rectangle in whole numbers. Pandemonium and Godot 4.
            Rect2i(Rect2i) = math Rect2i;
            /// Three components.
            Vector3(Vector3<R>) = real_math Vector3;
            /// Three whole components. Pandemonium and Godot 4.
            Vector3i(Vector3i) = math Vector3i;
            /// A 2D transform (Godot 2: Matrix32).
            Transform2D(Transform2D<R>) = real_math Transform2D;
            /// Four components. Pandemonium 3.8 on and Godot 4.
            Vector4(Vector4<R>) = real_math Vector4;
            /// Four whole components. Pandemonium 3.8 on and Godot 4.
            Vector4i(Vector4i) = math Vector4i;
            /// A plane.
            Plane(Plane<R>) = real_math Plane;
            /// A rotation (Godot 2 and 3: Quat).
            Quaternion(Quaternion<R>) = real_math Quaternion;
            /// A box.
            Aabb(Aabb<R>) = real_math Aabb;
            /// A 3 x 3 matrix (Godot 2: Matrix3).
            Basis(Box<Basis<R>>) = real_math Basis;
            /// A 3D transform (before Godot 4: Transform).
            Transform3D(Box<Transform3D<R>>) = real_math Transform3D;
            /// A 4 x 4 matrix. Pandemonium 3.8 on and Godot 4.
            Projection(Box<Projection<R>>) = real_math Projection;
            /// A colour.
            Color(Color) = math Color;
            /// A text that the engine keeps once. Pandemonium and Godot 4.
            StringName(VariantString) = own;
            /// A path to a node or property.
            NodePath(Box<NodePath>) = own;
            /// A resource of a server; its number is stored only by Godot 4 (elsewhere 0).
            Rid(u64) = own;
            /// An object.
            Object(Object<R>) = own;
            /// A function to call; nothing of it is stored. Godot 4.
            Callable = own;
            /// A signal of an object. Godot 4.
            Signal(Box<Signal>) = own;
            /// Key and value pairs.
            Dictionary(Dictionary<R>) = own;
            /// A list of values.
            Array(Array<R>) = own;
            /// A list of values of one type. Pandemonium 5.
            TypedArray(Box<TypedArray<R>>) = own;
            /// A list of values of one type that the engine keeps packed. Pandemonium 5.
            PackedTypedArray(Box<TypedArray<R>>) = own;
            /// Bytes (Godot 2: RawArray, 3 and Pandemonium: PoolByteArray).
            PackedByteArray(Vec<u8>) = own;
            /// 32-bit whole numbers (Godot 2: IntArray, 3 and Pandemonium: PoolIntArray).
            PackedInt32Array(Vec<i32>) = packed_numbers i32;
            /// 64-bit whole numbers. Godot 4.
            PackedInt64Array(Vec<i64>) = packed_numbers i64;
            /// Single-precision numbers (Godot 2: RealArray, 3 and Pandemonium: PoolRealArray).
            PackedFloat32Array(Vec<f32>) = packed_numbers f32;
            /// Double-precision numbers. Godot 4.
            PackedFloat64Array(Vec<f64>) = packed_numbers f64;
            /// Texts (Godot 2: StringArray, 3 and Pandemonium: PoolStringArray).
            PackedStringArray(Vec<VariantString>) = own;
            /// Vector2s (Godot 2: Vector2Array, 3 and Pandemonium: PoolVector2Array).
            PackedVector2Array(Vec<Vector2<R>>) = packed_real_math Vector2;
            /// Vector2is. Pandemonium.
            PackedVector2iArray(Vec<Vector2i>) = packed_math Vector2i;
            /// Vector3s (Godot 2: Vector3Array, 3 and Pandemonium: PoolVector3Array).
            PackedVector3Array(Vec<Vector3<R>>) = packed_real_math Vector3;
            /// Vector3is. Pandemonium.
            PackedVector3iArray(Vec<Vector3i>) = packed_math Vector3i;
            /// Vector4s. Pandemonium 3.8 on and Godot 4.3 on.
            PackedVector4Array(Vec<Vector4<R>>) = packed_real_math Vector4;
            /// Vector4is. Pandemonium 3.8 on.
            PackedVector4iArray(Vec<Vector4i>) = packed_math Vector4i;
            /// Colours (Godot 2: ColorArray, 3 and Pandemonium: PoolColorArray).
            PackedColorArray(Vec<Color>) = packed_math Color;
            /// A picture. Godot 2.
            Image(Box<Image>) = own;
            /// An input event. Godot 2.
            InputEvent(InputEvent) = own;
        }
    };
}

/// The pattern for a value of a type, with its payload, if any, as `$held`.
#[macro_export]
macro_rules! pattern {
    ($name:ident $held:ident) => {
        $crate::Variant::$name
    };
    ($name:ident $held:ident $payload:ty) => {
        $crate::Variant::$name($held)
    };
}

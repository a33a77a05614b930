//! Tests that values made by an engine are read correctly.

use std::collections::BTreeSet;

use formwork_variant::Decoder;
use formwork_variant::frame::ByteOrder;
use formwork_variant::{
    Aabb, Array, Basis, Color, Dictionary, ElementType, NodePath, Object, Plane, Projection,
    Quaternion, Rect2, Rect2i, Signal, Transform2D, Transform3D, Variant, VariantType, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};

use crate::engine::with_each_engine;
use crate::exchange::Exchange;
use crate::sample::Sample;
use crate::session::Session;

/// Returns the value for a name of the script.
fn made(name: &str) -> Option<Variant> {
    let count = |numbers: std::ops::RangeInclusive<u8>| numbers.map(f32::from);
    fn array<const N: usize>(numbers: impl Iterator<Item = f32>) -> [f32; N] {
        numbers.collect::<Vec<_>>().try_into().expect("there are so many")
    }
    let int = |int: i64| Variant::Int(int);
    Some(match name {
        "nil" => Variant::Nil,
        "bool" => true.into(),
        "int" => int(-7),
        "int64" => int(1 << 40),
        "float" => 0.5.into(),
        "double" => 0.1.into(),
        "infinity" => f64::NEG_INFINITY.into(),
        "string" => "h\u{e9} \"quoted\"\nline".into(),
        "vector2" => Variant::Vector2(Vector2 { x: 1.5, y: -2.0 }),
        "vector2i" => Variant::Vector2i(Vector2i { x: 1, y: -2 }),
        "rect2" => Variant::Rect2(Rect2::from_array(array(count(1..=4)))),
        "rect2i" => Variant::Rect2i(Rect2i::from_array([1, 2, 3, 4])),
        "vector3" => Variant::Vector3(Vector3::from_array(array(count(1..=3)))),
        "vector3i" => Variant::Vector3i(Vector3i { x: 1, y: -2, z: 3 }),
        "transform2d" => Variant::Transform2D(Transform2D::from_array(array(count(1..=6)))),
        "vector4" => Variant::Vector4(Vector4::from_array(array(count(1..=4)))),
        "vector4i" => Variant::Vector4i(Vector4i { x: 1, y: -2, z: 3, w: -4 }),
        "plane" => Variant::Plane(Plane::from_array(array(count(1..=4)))),
        "quat" | "quaternion" => Variant::Quaternion(Quaternion::from_array(array(count(1..=4)))),
        "aabb" => Variant::Aabb(Aabb::from_array(array(count(1..=6)))),
        // The script gives the columns; the wire has the rows.
        "basis" => Variant::Basis(Box::new(Basis::from_array(ROWS))),
        "transform" | "transform3d" => {
            let numbers = ROWS.into_iter().chain([10.0, 11.0, 12.0]);
            Variant::Transform3D(Box::new(Transform3D::from_array(array(numbers))))
        }
        "projection" => Variant::Projection(Box::new(Projection::from_array(array(count(1..=16))))),
        "color" => Variant::Color(Color { r: 0.25, g: 0.5, b: 0.75, a: 1.0 }),
        "string_name" => Variant::StringName("name".into()),
        "node_path" => Variant::NodePath(Box::new(NodePath {
            absolute: true,
            names: vec!["root".into(), "Main".into()],
            subnames: vec!["position".into(), "x".into()],
            ..NodePath::default()
        })),
        "rid" => return None,
        "object" => Variant::Object(Object::Id(77)),
        "callable" => Variant::Callable,
        "signal" => Variant::Signal(Box::new(Signal { name: "".into(), object_id: 0 })),
        "dictionary" => Variant::Dictionary(Dictionary::from(vec![
            ("a".into(), int(1)),
            (int(2), Variant::Array(vec![Variant::Nil].into())),
            (Variant::Vector2(Vector2 { x: 1.0, y: 2.0 }), Variant::Dictionary(Dictionary::new())),
        ])),
        "typed_dictionary" => {
            let mut lives = Dictionary::from(vec![("a".into(), int(1))]);
            let builtin = |variant_type| Some(ElementType::Builtin(variant_type));
            lives.set_types(builtin(VariantType::String), builtin(VariantType::Int));
            Variant::Dictionary(lives)
        }
        "array" => {
            let inner = Variant::Array(vec![3.0.into()].into());
            Variant::Array(vec![int(1), "two".into(), inner].into())
        }
        "typed_array" => {
            let mut ints = Array::from(vec![int(1), int(2)]);
            ints.set_element_type(Some(ElementType::Builtin(VariantType::Int)));
            Variant::Array(ints)
        }
        "bytes" => Variant::PackedByteArray(vec![1, 2, 255]),
        "ints" => Variant::PackedInt32Array(vec![1, -2, i32::MAX]),
        "int64s" => Variant::PackedInt64Array(vec![1, -2, 1 << 40]),
        "reals" | "floats" => Variant::PackedFloat32Array(vec![0.5, -1.0]),
        "doubles" => Variant::PackedFloat64Array(vec![0.1]),
        "strings" => Variant::PackedStringArray(vec!["".into(), "abc".into(), "\u{20ac}".into()]),
        "vector2s" => Variant::PackedVector2Array(vec![
            Vector2 { x: 1.0, y: 2.0 },
            Vector2 { x: 3.0, y: 4.0 },
        ]),
        "vector3s" => Variant::PackedVector3Array(vec![Vector3 { x: 1.0, y: 2.0, z: 3.0 }]),
        "colors" => Variant::PackedColorArray(vec![Color { r: 1.0, g: 0.0, b: 0.5, a: 0.25 }]),
        "vector4s" => Variant::PackedVector4Array(vec![Vector4::from_array(array(count(1..=4)))]),
        name => panic!("the script makes a {name}"),
    })
}

/// A basis with the axes (1, 2, 3), (4, 5, 6) and (7, 8, 9), row by row.
const ROWS: [f32; 9] = [1.0, 4.0, 7.0, 2.0, 5.0, 8.0, 3.0, 6.0, 9.0];

#[test]
#[ignore = "needs an engine"]
fn values_that_an_engine_makes_are_read() {
    with_each_engine(|engine| {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let session = Session::start(engine);
            session.call("made", [(order == ByteOrder::Big).into()]);
            let decoder = Decoder::new(engine.dialect);
            let mut exchange = Exchange::new(engine, "made");
            let mut types = BTreeSet::new();
            loop {
                let name: Variant = decoder.decode(&session.packet(order)).expect("it is a value");
                let Some(name) = name.as_str() else { break };
                let (packet, text) = (session.packet(order), session.packet(order));
                let rid = if engine.is_godot4() { 13 } else { 0 };
                let value = made(name).unwrap_or(Variant::Rid(rid));
                types.insert(value.variant_type());
                let sample = Sample::with_objects(name, value, engine.dialect, false);
                exchange.take(&sample.expect("the engine has it"), &packet, Some(&text));
            }
            let rows = engine.dialect.rows().iter();
            assert!(rows.clone().all(|row| types.contains(&row.variant_type)), "a type is missing");
            exchange.finish();
            session.finish();
        }
    });
}

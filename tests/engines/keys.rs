//! Tests which keys of a dictionary are equal to an engine: the library reads two pairs as the engine does.

use formwork_variant::frame::{ByteOrder, write_frame};
use formwork_variant::{
    Array, Basis, Color, ElementType, Variant, VariantType, Vector2, Vector3, Vector4,
};
use formwork_variant::{Decoder, Dialect, Encoder};

use crate::engine::with_each_engine;
use crate::exchange::Exchange;
use crate::sample::Sample;
use crate::session::{Session, write_all};

/// Returns values that are nearly the same as keys, as far as a dialect has them.
fn keys(dialect: Dialect) -> Vec<Variant> {
    let array = |value: Variant| Variant::Array(vec![value].into());
    let dictionary = |key: Variant, value: Variant| Variant::Dictionary(vec![(key, value)].into());
    let name = || Variant::StringName("a".into());
    let mut typed = Array::new();
    typed.set_element_type(Some(ElementType::Builtin(VariantType::Int)));
    let vector = |x| Vector2 { x, y: 1.0 };
    let mut keys = vec![
        Variant::Nil,
        false.into(),
        0.into(),
        0.0.into(),
        (-0.0).into(),
        f64::NAN.into(),
        "a".into(),
        name(),
        Variant::Vector2(vector(f32::NAN)),
        Variant::Vector2(vector(0.0)),
        Variant::Vector2(vector(-0.0)),
        Variant::Basis(Box::new(Basis::from_array([f32::NAN; 9]))),
        Variant::Color(Color { r: f32::NAN, g: 0.0, b: -0.0, a: 1.0 }),
        Variant::Rid(0),
        Variant::PackedFloat32Array(vec![f32::NAN]),
        Variant::PackedFloat32Array(vec![0.0]),
        Variant::PackedFloat32Array(vec![-0.0]),
        Variant::PackedFloat64Array(vec![f64::NAN]),
        Variant::PackedVector2Array(vec![vector(f32::NAN)]),
        Variant::PackedVector2Array(vec![vector(0.0)]),
        Variant::PackedVector2Array(vec![vector(-0.0)]),
        Variant::PackedColorArray(vec![Color { r: 0.0, g: 0.0, b: 0.0, a: 1.0 }]),
        Variant::PackedColorArray(vec![Color { r: -0.0, g: 0.0, b: 0.0, a: 1.0 }]),
        Variant::PackedVector3Array(vec![Vector3 { x: 0.0, y: f32::NAN, z: 0.0 }]),
        Variant::PackedVector4Array(vec![Vector4::from_array([f32::NAN; 4])]),
        Variant::PackedColorArray(vec![Color { r: 0.0, g: 0.0, b: f32::NAN, a: 1.0 }]),
        Variant::PackedStringArray(vec!["a".into()]),
        Variant::Array(Array::new()),
        Variant::Array(typed),
        Variant::Dictionary(Vec::new().into()),
        Variant::Callable,
    ];
    let plain = keys.clone();
    keys.extend(plain.iter().cloned().map(array));
    keys.extend(plain.iter().cloned().map(|key| dictionary(key, 1.into())));
    keys.extend(plain.iter().cloned().map(|value| dictionary(1.into(), value)));
    keys.extend(plain.into_iter().map(|value| dictionary(array(value), 1.into())));
    keys.retain(|key| Encoder::new(dialect).encode(key).is_ok());
    keys
}

/// Returns the packet of a dictionary with two pairs, whether their keys are equal or not.
fn packet(keys: [&Variant; 2], dialect: Dialect) -> Vec<u8> {
    let encoder = Encoder::new(dialect);
    let id = dialect.type_id(VariantType::Dictionary).expect("every dialect has it");
    let mut bytes = [u32::from(id), 2].map(u32::to_le_bytes).concat();
    for (key, value) in keys.into_iter().zip([1, 2]) {
        encoder.encode_into(key, &mut bytes).expect("the dialect has it");
        encoder.encode_into(&Variant::<f32>::Int(value), &mut bytes).expect("it is an int");
    }
    bytes
}

#[test]
#[ignore = "needs an engine"]
fn keys_are_one_where_the_engine_says_so() {
    with_each_engine(|engine| {
        let dialect = engine.dialect;
        let keys = keys(dialect);
        let mut bytes = Vec::new();
        let mut samples = Vec::new();
        let mut merged = 0;
        for (at, a) in keys.iter().enumerate() {
            for b in &keys[at..] {
                let packet = packet([a, b], dialect);
                write_frame(&mut bytes, &packet, ByteOrder::Little).expect("it is a vector");
                let value: Variant = Decoder::new(dialect).decode(&packet).expect("it is a value");
                merged += usize::from(value.as_dictionary().is_some_and(|pairs| pairs.len() == 1));
                let name = format!("{a:?} and {b:?}");
                let sample = Sample::with_objects(name, value, dialect, false);
                samples.push(sample.expect("what was read can be written"));
            }
        }
        let session = Session::start(engine);
        let count = samples.len() as i64;
        let silent: Array = (0..count).map(Variant::Int).collect();
        let arguments = [count.into(), false.into(), false.into(), Variant::Array(silent)];
        session.call("values", arguments);
        let mut exchange = Exchange::new(engine, "keys");
        session.send_while(
            |stream| write_all(stream, &bytes),
            |session| {
                for sample in &samples {
                    let packet = session.packet(ByteOrder::Little);
                    assert!(session.value().is_nil());
                    exchange.take(sample, &packet, None);
                }
            },
        );
        println!("Godot {}: {merged} of {count} pairs of keys are one", engine.release);
        exchange.finish();
        session.finish();
    });
}

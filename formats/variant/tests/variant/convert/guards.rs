//! What a conversion keeps and loses at the edges of what a target has, row by row.

use formwork_edit::convert::{Converter, LossKind, Table};
use formwork_variant::{
    Array, FullObject, Image, Object, Real, Variant, VariantString, Vector2, Vector4, variant,
};
use formwork_variant::{Dialect, Limits};

fn dialect(name: &str) -> Dialect {
    name.parse().expect(name)
}

/// The converted value, and the kinds and places of its losses as they come.
fn becomes<R: Real, S: Real>(converter: Converter<S>, value: Variant<R>) -> (Variant<S>, String) {
    let mut losses = Vec::new();
    let made = converter.convert_noting(value.clone(), |loss| {
        losses.push(format!("{} {}", loss.kind.name(), loss.place));
    });
    // Losses that are kept are the same.
    let conversion = converter.convert(value);
    let kept: Vec<_> =
        conversion.losses().iter().map(|it| format!("{} {}", it.kind.name(), it.place)).collect();
    assert_eq!((&kept, conversion.unlisted()), (&losses, 0));
    assert!(conversion.lossy().is_identical(&made));
    (made, losses.join(", "))
}

#[test]
fn values_become_the_nearest_that_the_target_has() {
    let object = |class: &str| {
        let class = class.into();
        Variant::from(Object::Full(Box::new(FullObject { class, properties: vec![] })))
    };
    let image = |format, length| {
        Variant::from(Image { format, mipmaps: 0, width: 1, height: 1, data: vec![7; length] })
    };
    let numbers = |numbers: &[u32]| {
        Variant::<f32>::String(VariantString::from_numbers(numbers.iter().copied()))
    };
    let doubles = |numbers: &[f64]| Variant::<f32>::PackedFloat64Array(numbers.to_vec());
    let singles = |numbers: &[f32]| Variant::<f32>::PackedFloat32Array(numbers.to_vec());
    let array = |values: &[Variant]| Variant::<f32>::Array(values.to_vec().into());
    let shared = |values: &[Variant]| {
        let mut array = Array::from(values.to_vec());
        array.set_shared(true);
        Variant::<f32>::Array(array)
    };
    let vector4 = Variant::<f32>::from(Vector4 { x: 1.0, y: 2.0, z: 3.0, w: 4.0 });
    let rows: Vec<(&str, [&str; 2], Variant, Variant, &str)> = vec![
        (
            "the number of an object in another release",
            ["godot4.2", "godot4.4"],
            Object::Id(7).into(),
            Object::Id(7).into(),
            "",
        ),
        (
            "the number of an object in another engine",
            ["godot4", "godot3"],
            Object::Id(7).into(),
            Object::Id(7).into(),
            "object_id ",
        ),
        (
            "the number of an object where there are none",
            ["godot3", "godot2"],
            Object::Id(7).into(),
            Object::Null.into(),
            "object_id ",
        ),
        ("an object", ["godot4.2", "godot4.2"], object("Node"), object("Node"), ""),
        (
            "an object without a class",
            ["godot4.2", "godot4.2"],
            object(""),
            Variant::Nil,
            "object ",
        ),
        (
            "an object without a class in another engine",
            ["godot4", "godot3"],
            object(""),
            variant!({ "@class": "" }),
            "object ",
        ),
        ("an image", ["godot2", "godot2"], image(0, 1), image(0, 1), ""),
        (
            "an image of another size",
            ["godot2", "godot2"],
            image(0, 2),
            Image::default().into(),
            "image ",
        ),
        (
            "an image of an unknown format",
            ["godot2", "godot2"],
            image(99, 1),
            Image::default().into(),
            "image ",
        ),
        (
            "wide floats that fit",
            ["godot4", "godot3"],
            doubles(&[0.5, -0.0]),
            singles(&[0.5, -0.0]),
            "type ",
        ),
        (
            "wide floats that do not fit",
            ["godot4", "godot3"],
            doubles(&[0.5, 0.1]),
            array(&[0.5.into(), 0.1.into()]),
            "type ",
        ),
        (
            "a NaN that fits",
            ["godot4", "godot3"],
            doubles(&[f64::NAN]),
            singles(&[f32::NAN]),
            "type ",
        ),
        (
            "a NaN that does not fit",
            ["godot4", "godot3"],
            doubles(&[f64::from_bits(0x7ff8_0000_0000_0001)]),
            array(&[Variant::Float(f64::from_bits(0x7ff8_0000_0000_0001))]),
            "type ",
        ),
        (
            "wide floats where floats are narrow",
            ["godot4", "godot2"],
            doubles(&[0.5, 0.1]),
            singles(&[0.5, 0.1]),
            "rounded , type ",
        ),
        (
            "wide ints that fit",
            ["godot4", "godot3"],
            Variant::PackedInt64Array(vec![i32::MIN.into(), i32::MAX.into()]),
            Variant::PackedInt32Array(vec![i32::MIN, i32::MAX]),
            "type ",
        ),
        (
            "a wide int that does not fit",
            ["godot4", "godot3"],
            Variant::PackedInt64Array(vec![1 << 31]),
            array(&[(1_i64 << 31).into()]),
            "type ",
        ),
        (
            "four components that are read back",
            ["pandemonium", "pandemonium"],
            vector4.clone(),
            vector4.clone(),
            "",
        ),
        (
            "four components that are not read back",
            ["godot4", "pandemonium"],
            vector4,
            formwork_variant::Quaternion { x: 1.0, y: 2.0, z: 3.0, w: 4.0 }.into(),
            "misread ",
        ),
        (
            "an array on the way to Godot 2",
            ["godot3", "godot2"],
            variant!([1]),
            shared(&[1.into()]),
            "",
        ),
        ("one that is shared", ["godot2", "godot2"], shared(&[1.into()]), shared(&[1.into()]), ""),
        ("one that is not", ["godot2", "godot2"], variant!([1]), variant!([1]), ""),
        (
            "one that is not, elsewhere",
            ["godot2", "godot3"],
            variant!([1]),
            variant!([1]),
            "shared ",
        ),
        (
            "a pair of surrogates",
            ["godot3", "godot4"],
            numbers(&[0x61, 0xd83d, 0xde00]),
            "a\u{1f600}".into(),
            "characters ",
        ),
        (
            "half of a pair",
            ["godot3", "godot4"],
            numbers(&[0xd83d, 0x61]),
            "\u{fffd}a".into(),
            "characters ",
        ),
        ("a zero", ["godot4", "godot4"], "a\0b".into(), "ab".into(), "characters "),
        ("a mark in front", ["godot4", "godot3"], "\u{feff}a".into(), "a".into(), "characters "),
    ];
    for (name, [from, to], value, expected, losses) in rows {
        let converter = Converter::new(dialect(from), dialect(to));
        let (made, found) = becomes(converter, value);
        assert!(made.is_identical(&expected), "{name}: {made:?}");
        assert_eq!(found, losses, "{name}");
    }
}

#[test]
fn values_lie_as_deep_as_the_target_reads() {
    let converter = |depth| {
        let limits = Limits::default().depth(depth);
        Converter::new(dialect("godot4"), dialect("godot3")).limits(limits)
    };
    let rows: [(u32, Variant, Variant, &str); 7] = [
        (0, variant!(1), variant!(1), ""),
        (0, variant!([]), variant!([]), ""),
        (0, variant!([1]), variant!([]), "depth "),
        (1, variant!([1]), variant!([1]), ""),
        (1, variant!([1, [], {}]), variant!([1, [], {}]), ""),
        (1, variant!([1, [2], 3]), variant!([1, [], 3]), "depth 1"),
        (1, variant!({ "a": { "b": 1 } }), variant!({ "a": {} }), "depth a"),
    ];
    for (depth, value, expected, losses) in rows {
        let (made, found) = becomes(converter(depth), value.clone());
        assert!(made.is_identical(&expected), "{depth}, {value}: {made}");
        assert_eq!(found, losses, "{depth}, {value}");
    }
}

#[test]
fn a_nan_stays_one_with_the_bits_that_there_is_room_for() {
    let double = dialect("godot4-double");
    let rows: [(u64, u32, &str); 8] = [
        (0x7ff8_0000_0000_0000, 0x7fc0_0000, ""),
        (0xfff8_0000_0000_0000, 0xffc0_0000, ""),
        (0x7ff8_0000_2000_0000, 0x7fc0_0001, ""),
        (0x7ff4_0000_0000_0000, 0x7fa0_0000, ""),
        (0x7ff8_0000_0000_0001, 0x7fc0_0000, "rounded "),
        (0x7ff0_0000_0000_0001, 0x7fc0_0000, "rounded "),
        (0xfff0_0000_1fff_ffff, 0xffc0_0000, "rounded "),
        (0x7ff0_0000_0000_0000, 0x7f80_0000, ""),
    ];
    for (bits, expected, losses) in rows {
        let value = Variant::<f64>::from(Vector2 { x: f64::from_bits(bits), y: 0.0 });
        let (made, found) = becomes(Converter::new(double, dialect("godot4")), value);
        let Variant::Vector2(vector) = made else { panic!("{made:?}") };
        assert_eq!((vector.x.to_bits(), &found[..]), (expected, losses), "{bits:#x}");
    }
}

#[test]
fn a_pair_of_dialects_lists_what_it_may_lose() {
    let may = |from: &str, to: &str, kind: LossKind| {
        Table::new(Some(dialect(from)), Some(dialect(to))).losses().contains(&kind)
    };
    let rows = [
        ("godot3.5", "godot3.6", LossKind::Depth, false),
        ("godot3.6", "godot3.4", LossKind::Depth, false),
        ("godot3.4", "godot3.6", LossKind::Depth, true),
        ("godot4", "godot3.6", LossKind::Depth, true),
        ("godot4", "godot3", LossKind::Rounded, true),
        ("pandemonium", "godot3", LossKind::Rounded, true),
        ("godot4", "pandemonium", LossKind::Rounded, true),
        ("pandemonium", "pandemonium", LossKind::Misread, false),
        ("godot4", "pandemonium", LossKind::Misread, true),
    ];
    for (from, to, kind, expected) in rows {
        assert_eq!(may(from, to, kind), expected, "{from} to {to}: {}", kind.name());
    }
}

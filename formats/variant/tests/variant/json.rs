//! The JSON forms: every value comes back bit for bit, and no JSON does harm.

use std::thread;

use formwork_variant::codec;
use formwork_variant::json::{
    self, Json, Style, from_json, from_native_json, to_json, to_native_json,
};
use formwork_variant::{
    Aabb, Array, Basis, Color, Dictionary, ElementType, FullObject, Image, InputEvent,
    InputEventKind, Modifiers, NodePath, Object, Plane, Projection, Quaternion, Real, Rect2,
    Rect2i, Signal, Transform2D, Transform3D, TypedArray, Variant, VariantString, VariantType,
    Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use formwork_variant::{Decoder, Dialect, Encoder, ErrorKind, Limits, Rule};

const STYLES: [Style; 2] = [Style::Compact, Style::Pretty];

/// Returns a value with the bits of all its numbers, which `==` does not compare.
fn bits<R: Real>(value: &Variant<R>) -> String {
    fn reals<R: Real>(numbers: &[R]) -> String {
        numbers.iter().map(|number| format!("{:x} ", number.to_bits())).collect()
    }
    fn marks<R: Real>(array: &Array<R>) -> String {
        let elements: String = array.iter().map(|element| bits(element) + ", ").collect();
        format!("{:?} {} [{elements}]", array.element_type(), array.is_shared())
    }
    macro_rules! packed {
        ($vectors:expr) => {
            $vectors.iter().map(|vector| reals(&vector.to_array()) + ", ").collect()
        };
    }
    let content: String = match value {
        Variant::Float(number) => reals(&[*number]),
        Variant::Vector2(vector) => reals(&vector.to_array()),
        Variant::Rect2(rect) => reals(&rect.to_array()),
        Variant::Vector3(vector) => reals(&vector.to_array()),
        Variant::Vector4(vector) => reals(&vector.to_array()),
        Variant::Plane(plane) => reals(&plane.to_array()),
        Variant::Quaternion(quaternion) => reals(&quaternion.to_array()),
        Variant::Aabb(aabb) => reals(&aabb.to_array()),
        Variant::Transform2D(transform) => reals(&transform.to_array()),
        Variant::Basis(basis) => reals(&basis.to_array()),
        Variant::Transform3D(transform) => reals(&transform.to_array()),
        Variant::Projection(projection) => reals(&projection.to_array()),
        Variant::Color(color) => reals(&color.to_array()),
        Variant::PackedFloat32Array(numbers) => reals(numbers),
        Variant::PackedFloat64Array(numbers) => reals(numbers),
        Variant::PackedVector2Array(vectors) => packed!(vectors),
        Variant::PackedVector3Array(vectors) => packed!(vectors),
        Variant::PackedVector4Array(vectors) => packed!(vectors),
        Variant::PackedColorArray(colors) => packed!(colors),
        Variant::InputEvent(InputEvent {
            device,
            kind: InputEventKind::JoystickMotion { axis, value },
        }) => format!("{device} {axis} {:?}", value.map(f32::to_bits)),
        Variant::Array(array) => marks(array),
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
            format!("{:?} {}", typed.element, marks(&typed.elements))
        }
        Variant::Dictionary(dictionary) => {
            let pairs: String = dictionary
                .iter()
                .map(|(key, value)| format!("{}: {}, ", bits(key), bits(value)))
                .collect();
            let types = (dictionary.key_type(), dictionary.value_type());
            format!("{types:?} {} {{{pairs}}}", dictionary.is_shared())
        }
        Variant::Object(Object::Full(object)) => {
            let properties: String = object
                .properties
                .iter()
                .map(|(name, value)| format!("{name:?}: {}, ", bits(value)))
                .collect();
            format!("{:?} {properties}", object.class)
        }
        other => format!("{other:?}"),
    };
    format!("{}({content})", value.variant_type().name())
}

/// Numbers at every edge of a type's range.
fn reals<R: Real>() -> Vec<R> {
    let mut numbers: Vec<R> =
        [0.0, -0.0, 1.0, -1.5, 0.1, 1.0 / 3.0, 1e7, 16_777_217.0, 1e16, 1e-7, 1e21, 123_456.789]
            .map(R::from_f64)
            .to_vec();
    let odd: &[u64] = if R::DOUBLE {
        &[
            1,
            0x000f_ffff_ffff_ffff,
            0x0010_0000_0000_0000,
            0x7fef_ffff_ffff_ffff,
            0x7ff0_0000_0000_0000,
            0xfff0_0000_0000_0000,
            0x7ff8_0000_0000_0000,
            0x7ff8_0000_0000_0001,
            0xfff8_0000_0000_0000,
            0x7ff0_0000_0000_0001,
            0x7ff8_0000_2000_0000,
            u64::MAX,
        ]
    } else {
        &[
            1,
            0x007f_ffff,
            0x0080_0000,
            0x7f7f_ffff,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0x7fc0_0001,
            0xffc0_0000,
            0x7f80_0001,
            0xffff_ffff,
            0x3f80_0001,
        ]
    };
    numbers.extend(odd.iter().map(|&bits| R::from_bits(bits)));
    numbers
}

/// `N` numbers from the list, starting anywhere.
fn some<R: Real, const N: usize>(start: usize) -> [R; N] {
    let numbers = reals::<R>();
    std::array::from_fn(|at| numbers[(start + at) % numbers.len()])
}

fn texts() -> Vec<VariantString> {
    let mut texts: Vec<VariantString> = [
        "",
        "a",
        "$",
        "$Vector2",
        "$dictionary",
        "\"quoted\" \\ / \n\r\t\u{8}\u{c}\0\u{1f}\u{7f}",
        "\u{e9}\u{4e2d}\u{1f600}\u{2028}\u{ffff}\u{10ffff}",
        "null",
        "i:1",
        "res://a.gd",
    ]
    .map(VariantString::from)
    .to_vec();
    texts.push(VariantString::from_numbers([0xd800]));
    texts.push(VariantString::from_numbers([0x61, 0xdfff, 0x11_0000, 0x7fff_ffff]));
    texts
}

fn paths() -> Vec<NodePath> {
    let mut paths: Vec<NodePath> =
        ["", "/", "a", "/root/a:b", "a/b:c:d", ":a", "..", "/root/Player:position:x"]
            .map(|text| NodePath::parse(&text.into()))
            .to_vec();
    for names in [vec!["a/b"], vec![""], vec!["a:b"], vec!["a", "", "b"], vec!["\u{e9}"]] {
        let names: Vec<VariantString> = names.into_iter().map(Into::into).collect();
        let (absolute, property) = (names.len() > 1, Some("p".into()));
        paths.push(NodePath { names: names.clone(), ..NodePath::default() });
        paths.push(NodePath { subnames: names.clone(), absolute, ..NodePath::default() });
        paths.push(NodePath { names, property, ..NodePath::default() });
    }
    let odd = VariantString::from_numbers([0xd800]);
    paths.push(NodePath { names: vec![odd.clone()], ..NodePath::default() });
    paths.push(NodePath { property: Some(odd), ..NodePath::default() });
    paths.push(NodePath { property: Some("".into()), ..NodePath::default() });
    paths
}

fn element_types() -> Vec<ElementType> {
    let mut types = vec![ElementType::Unknown(0), ElementType::Unknown(u32::MAX)];
    types.extend(VariantType::ALL.iter().map(|&named| ElementType::Builtin(named)));
    types.extend(texts().into_iter().map(ElementType::Class));
    types.extend(texts().into_iter().map(ElementType::Script));
    types
}

fn events() -> Vec<InputEventKind> {
    let mut kinds = vec![
        InputEventKind::None,
        InputEventKind::MouseMotion,
        InputEventKind::MouseButton { button: u32::MAX },
        InputEventKind::JoystickMotion { axis: 1, value: None },
        InputEventKind::JoystickButton { button: 0 },
        InputEventKind::ScreenTouch { index: 3 },
        InputEventKind::ScreenDrag,
        InputEventKind::Action,
        InputEventKind::Other { number: 99 },
    ];
    kinds.extend(
        reals::<f32>()
            .into_iter()
            .map(|value| InputEventKind::JoystickMotion { axis: u32::MAX, value: Some(value) }),
    );
    kinds.extend((0..16_u8).map(|held| InputEventKind::Key {
        modifiers: Modifiers {
            shift: held & 1 != 0,
            alt: held & 2 != 0,
            meta: held & 4 != 0,
            control: held & 8 != 0,
        },
        scancode: u32::from(held) << 28,
    }));
    kinds
}

/// Values of every type, with everything that may be odd about them.
fn samples<R: Real>() -> Vec<Variant<R>> {
    let mut values = vec![
        Variant::Nil,
        Variant::Bool(false),
        Variant::Bool(true),
        Variant::Callable,
        Variant::Rid(0),
        Variant::Rid(u64::MAX),
        Variant::Object(Object::Null),
        Variant::Object(Object::Id(0)),
        Variant::Object(Object::Id(u64::MAX)),
    ];
    values.extend(
        [0, 1, -1, i64::MAX, i64::MIN, (1 << 53) + 1, i64::from(i32::MIN) - 1].map(Variant::Int),
    );
    values.extend(reals::<f64>().into_iter().map(Variant::Float));
    for text in texts() {
        values.push(Variant::String(text.clone()));
        values.push(Variant::StringName(text.clone()));
        values.push(Variant::Signal(Box::new(Signal { name: text, object_id: u64::MAX })));
    }
    values.extend(paths().into_iter().map(|path| Variant::NodePath(Box::new(path))));
    values.extend(
        events().into_iter().map(|kind| Variant::InputEvent(InputEvent { device: 7, kind })),
    );
    for start in 0..reals::<R>().len() {
        values.extend([
            Variant::Vector2(Vector2::from_array(some(start))),
            Variant::Rect2(Rect2::from_array(some(start))),
            Variant::Vector3(Vector3::from_array(some(start))),
            Variant::Vector4(Vector4::from_array(some(start))),
            Variant::Plane(Plane::from_array(some(start))),
            Variant::Quaternion(Quaternion::from_array(some(start))),
            Variant::Aabb(Aabb::from_array(some(start))),
            Variant::Transform2D(Transform2D::from_array(some(start))),
            Variant::Basis(Box::new(Basis::from_array(some(start)))),
            Variant::Transform3D(Box::new(Transform3D::from_array(some(start)))),
            Variant::Projection(Box::new(Projection::from_array(some(start)))),
            Variant::Color(Color::from_array(some(start))),
        ]);
    }
    values.extend([
        Variant::Vector2i(Vector2i::new(i32::MIN, i32::MAX)),
        Variant::Rect2i(Rect2i::new(i32::MIN, i32::MAX, 0, -1)),
        Variant::Vector3i(Vector3i::new(i32::MIN, i32::MAX, 0)),
        Variant::Vector4i(Vector4i::new(i32::MIN, i32::MAX, 0, -1)),
        Variant::PackedByteArray((0..=255).collect()),
        Variant::PackedInt32Array(vec![i32::MIN, -1, 0, i32::MAX]),
        Variant::PackedInt64Array(vec![i64::MIN, -1, 0, i64::MAX]),
        Variant::PackedInt32Array((0..100).collect()),
        Variant::PackedFloat32Array(reals()),
        Variant::PackedFloat64Array(reals()),
        Variant::PackedStringArray(texts()),
        Variant::PackedVector2Array((0..24).map(|at| Vector2::from_array(some(at))).collect()),
        Variant::PackedVector3Array((0..24).map(|at| Vector3::from_array(some(at))).collect()),
        Variant::PackedVector4Array((0..24).map(|at| Vector4::from_array(some(at))).collect()),
        Variant::PackedColorArray((0..24).map(|at| Color::from_array(some(at))).collect()),
        Variant::PackedVector2iArray(vec![Vector2i::new(1, i32::MIN); 3]),
        Variant::PackedVector3iArray(vec![Vector3i::new(1, 2, i32::MIN); 30]),
        Variant::PackedVector4iArray(vec![Vector4i::new(1, 2, 3, i32::MIN); 3]),
        Variant::Image(Box::default()),
        Variant::Image(Box::new(Image {
            format: u32::MAX,
            mipmaps: 1,
            width: 2,
            height: 3,
            data: vec![0, 255],
        })),
    ]);
    // Packed arrays without elements.
    values.extend([
        Variant::PackedByteArray(Vec::new()),
        Variant::PackedInt32Array(Vec::new()),
        Variant::PackedInt64Array(Vec::new()),
        Variant::PackedFloat32Array(Vec::new()),
        Variant::PackedFloat64Array(Vec::new()),
        Variant::PackedStringArray(Vec::new()),
        Variant::PackedVector2Array(Vec::new()),
        Variant::PackedVector2iArray(Vec::new()),
        Variant::PackedVector3Array(Vec::new()),
        Variant::PackedVector3iArray(Vec::new()),
        Variant::PackedVector4Array(Vec::new()),
        Variant::PackedVector4iArray(Vec::new()),
        Variant::PackedColorArray(Vec::new()),
    ]);
    let leaves = values.clone();
    values.push(Variant::Array(leaves.clone().into()));
    let with_property = |value: &Variant<R>| FullObject {
        class: "Node".into(),
        properties: vec![("a".into(), value.clone()), ("a".into(), value.clone())],
    };
    for value in &leaves {
        values.push(Variant::Object(Object::Full(Box::new(with_property(value)))));
        // As key and as value, and the same key twice.
        let pairs = vec![
            (value.clone(), value.clone()),
            ("name".into(), value.clone()),
            (value.clone(), Variant::Nil),
        ];
        values.push(Variant::Dictionary(pairs.into()));
        let pairs = vec![("name".into(), value.clone()), ("$not".into(), Variant::Nil)];
        values.push(Variant::Dictionary(pairs.into()));
    }
    for text in texts() {
        let object = FullObject { class: text.clone(), properties: Vec::new() };
        values.push(Variant::Object(Object::Full(Box::new(object))));
        let properties = vec![(text.clone(), Variant::Int(1))];
        let object = FullObject { class: text.clone(), properties };
        values.push(Variant::Object(Object::Full(Box::new(object))));
        let pairs = vec![(Variant::String(text), Variant::Int(1)), ("b".into(), Variant::Nil)];
        values.push(Variant::Dictionary(pairs.into()));
    }
    for element in element_types() {
        for shared in [false, true] {
            let mut array = Array::from(vec![Variant::Int(1), Variant::Nil]);
            array.set_shared(shared);
            let typed = |elements: &Array<R>| {
                Box::new(TypedArray { element: element.clone(), elements: elements.clone() })
            };
            values.push(Variant::Array(array.clone()));
            values.push(Variant::TypedArray(typed(&array)));
            values.push(Variant::PackedTypedArray(typed(&array)));
            array.set_element_type(Some(element.clone()));
            values.push(Variant::TypedArray(typed(&array)));
            values.push(Variant::Array(array));
            let mut dictionary = Dictionary::from(vec![("a".into(), Variant::Int(1))]);
            dictionary.set_shared(shared);
            values.push(Variant::Dictionary(dictionary.clone()));
            dictionary.set_types(Some(element.clone()), None);
            values.push(Variant::Dictionary(dictionary.clone()));
            dictionary.set_types(None, Some(element.clone()));
            values.push(Variant::Dictionary(dictionary.clone()));
            dictionary.set_types(Some(element.clone()), Some(element.clone()));
            dictionary.clear();
            values.push(Variant::Dictionary(dictionary));
        }
    }
    values
}

#[test]
fn the_samples_are_of_every_type() {
    let values = samples::<f32>();
    for &variant_type in VariantType::ALL {
        let found = values.iter().any(|value| value.variant_type() == variant_type);
        assert!(found, "{}", variant_type.name());
    }
}

fn check_samples<R: Real>() {
    let values = samples::<R>();
    for dialect in [Dialect::GODOT2, Dialect::GODOT3, Dialect::GODOT4, Dialect::PANDEMONIUM] {
        for style in STYLES {
            for value in &values {
                let json = to_json(value, dialect, style);
                let back = Json::lossless(dialect)
                    .in_precision::<R>()
                    .read(json.as_bytes())
                    .unwrap_or_else(|error| panic!("{dialect}: {error}\n{json}"));
                assert_eq!(bits(&back), bits(value), "{dialect}\n{json}");
                // What other programs make of it.
                serde_json::from_str::<serde_json::Value>(&json)
                    .unwrap_or_else(|error| panic!("{error}\n{json}"));
            }
        }
    }
}

#[test]
fn every_value_comes_back_in_single_precision() {
    check_samples::<f32>();
}

#[test]
fn every_value_comes_back_in_double_precision() {
    check_samples::<f64>();
}

#[test]
fn several_values_are_one_list() {
    let values = samples::<f32>();
    for style in STYLES {
        let json = Json::lossless(Dialect::GODOT4).style(style);
        let mut written = Vec::new();
        json.write_all(&values, &mut written).unwrap();
        let back: Vec<Variant> = json.read_all(&*written).unwrap();
        assert_eq!(back.len(), values.len());
        for (back, value) in back.iter().zip(&values) {
            assert_eq!(bits(back), bits(value));
        }
        // Piece by piece or at once, it is the same.
        let whole = Variant::Array(values.clone().into());
        let mut pieces = Vec::new();
        json.write(&whole, &mut pieces).unwrap();
        assert_eq!(String::from_utf8(pieces).unwrap(), json.to_string(&whole).unwrap());
    }
    let error = Json::lossless(Dialect::GODOT4).read_all(&b"[1, [2, $]]"[..]).unwrap_err();
    assert_eq!(error.path().to_string(), "[1].array[1]");
    assert_eq!(error.offset(), 8);
}

fn value(json: &str, dialect: Dialect) -> Variant {
    from_json(json.as_bytes(), dialect).unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn the_form_is_what_is_documented() {
    let write = |value: &Variant, dialect| to_json(value, dialect, Style::Compact);
    let quaternion = Variant::Quaternion(Quaternion::new(0.0, 0.0, 0.0, 1.0));
    assert_eq!(write(&quaternion, Dialect::GODOT3), r#"{"$Quat":[0.0,0.0,0.0,1.0]}"#);
    assert_eq!(write(&quaternion, Dialect::GODOT4), r#"{"$Quaternion":[0.0,0.0,0.0,1.0]}"#);
    assert_eq!(value(r#"{"$Quat":[0,0,0,1]}"#, Dialect::GODOT4), quaternion);

    assert_eq!(write(&Variant::Float(5.0), Dialect::GODOT3), "5.0");
    assert_eq!(write(&Variant::Float(1e300), Dialect::GODOT3), "1e300");
    assert_eq!(write(&Variant::Float(-0.0), Dialect::GODOT3), r#"{"$float":"-0"}"#);
    assert_eq!(write(&Variant::Float(f64::INFINITY), Dialect::GODOT3), r#"{"$float":"inf"}"#);
    assert_eq!(
        write(&Variant::Float(f64::from_bits(0x7ff8_0000_0000_0000)), Dialect::GODOT3),
        r#"{"$float":"nan"}"#
    );
    let nan = f32::from_bits(0x7fc0_0001);
    assert_eq!(
        write(&Vector2::new(0.1, nan).into(), Dialect::GODOT3),
        r#"{"$Vector2":[0.1,{"$float":"nan:0x7fc00001"}]}"#
    );
    assert_eq!(write(&vec![1_u8, 2, 3].into(), Dialect::GODOT3), r#"{"$PoolByteArray":"AQID"}"#);
    assert_eq!(
        write(&vec![Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0)].into(), Dialect::GODOT2),
        r#"{"$Vector2Array":[1.0,2.0,3.0,4.0]}"#
    );
    assert_eq!(
        write(&Variant::Dictionary(vec![(Variant::Int(1), "one".into())].into()), Dialect::GODOT3),
        r#"{"$dictionary":[[1,"one"]]}"#
    );

    let path = Variant::NodePath(Box::new(NodePath::parse(&"/root/a:b".into())));
    assert_eq!(write(&path, Dialect::GODOT3), r#"{"$NodePath":"/root/a:b"}"#);
    let path = Variant::NodePath(Box::new(NodePath::parse(&"/root/a:b".into()).with_property()));
    assert_eq!(write(&path, Dialect::GODOT2), r#"{"$NodePath":"/root/a:b"}"#);
    assert_eq!(
        write(&path, Dialect::GODOT4),
        r#"{"$NodePath":{"absolute":true,"names":["root","a"],"subnames":[],"property":"b"}}"#
    );

    let mut shared = Array::from(vec![Variant::Int(1)]);
    shared.set_shared(true);
    assert_eq!(write(&Variant::Array(shared.clone()), Dialect::GODOT2), "[1]");
    assert_eq!(write(&Variant::Array(shared), Dialect::GODOT3), r#"{"$Array":[1],"shared":true}"#);
    let unshared = Variant::Array(vec![Variant::Int(1)].into());
    assert_eq!(write(&unshared, Dialect::GODOT2), r#"{"$Array":[1],"shared":false}"#);
    assert_eq!(value("[1]", Dialect::GODOT3), unshared);

    let object = FullObject { class: "Node".into(), properties: vec![("name".into(), "a".into())] };
    let object = Variant::Object(Object::Full(Box::new(object)));
    let json = r#"{"$Object":{"class":"Node","properties":[["name","a"]]}}"#;
    assert_eq!(write(&object, Dialect::GODOT4), json);
    let json = r#"{"$Object":{"properties":[["name","a"]],"class":"Node"}}"#;
    assert_eq!(value(json, Dialect::GODOT4), object);
}

#[test]
fn the_pretty_style_keeps_short_lists_on_a_line() {
    let value = value(
        r#"{"a":[1,2],"b":[{"$Vector3":[1.0,2.0,3.0]},[]],"c":{},"d":{"$dictionary":[[1,{"x":2}]]},
            "e":{"$PoolVector3Array":[0,0,0,1,1,1,2,2,2,3,3,3,4,4,4,5,5,5]}}"#,
        Dialect::GODOT3,
    );
    let pretty = r#"{
  "a": [1, 2],
  "b": [
    {"$Vector3": [1.0, 2.0, 3.0]},
    []
  ],
  "c": {},
  "d": {"$dictionary": [
    [1, {
      "x": 2
    }]
  ]},
  "e": {"$PoolVector3Array": [
    0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0,
    5.0, 5.0, 5.0
  ]}
}"#;
    assert_eq!(to_json(&value, Dialect::GODOT3, Style::Pretty), pretty);
}

#[test]
fn numbers_keep_their_kind() {
    assert_eq!(value("-9223372036854775808", Dialect::GODOT4), Variant::Int(i64::MIN));
    assert_eq!(value("9223372036854775807", Dialect::GODOT4), Variant::Int(i64::MAX));
    assert_eq!(value("1E2", Dialect::GODOT4), Variant::Float(100.0));
    assert_eq!(value("1.0", Dialect::GODOT4), Variant::Float(1.0));
    assert_eq!(bits(&value("-0.0", Dialect::GODOT4)), bits::<f32>(&Variant::Float(-0.0)));
}

#[test]
fn wrong_json_is_refused_where_it_is_wrong() {
    for (json, offset, path) in [
        ("9223372036854775808", 0, ""),
        ("1e400", 0, ""),
        (r#"{"$float":1e400}"#, 10, "float"),
        (r#"{"$float":"NaN"}"#, 10, "float"),
        (r#"{"$float":"nan:0x3ff0000000000000"}"#, 10, "float"),
        (r#"{"$Vector2":[1.0]}"#, 12, "vector2"),
        (r#"{"$Vector2":[1.0,2.0,3.0]}"#, 21, "vector2"),
        (r#"{"$Vector2":[1.0,1e39]}"#, 17, "vector2"),
        (r#"{"$Vector2":[1.0,"2"]}"#, 17, "vector2"),
        (r#"{"$Vector2":[1.0,[2]]}"#, 17, "vector2"),
        (r#"{"$Vector2":"1"}"#, 12, "vector2"),
        (r#"{"$Vector2":[1.0,{"$Float":"nan"}]}"#, 18, "vector2"),
        (r#"{"$Vector2":[1,2],"x":1}"#, 18, ""),
        (r#"{"$Vector2i":[1,2147483648]}"#, 16, "vector2i"),
        (r#"{"$Vector2i":[1,2.0]}"#, 16, "vector2i"),
        (r#"{"$PackedVector2Array":[1,2,3]}"#, 23, "packed_vector2_array"),
        (r#"{"$PackedByteArray":"A"}"#, 20, "packed_byte_array"),
        (r#"{"$PackedByteArray":"AQI"}"#, 20, "packed_byte_array"),
        (r#"{"$PackedByteArray":[1,256]}"#, 23, "packed_byte_array"),
        (r#"{"$PackedByteArray":[-1]}"#, 21, "packed_byte_array"),
        (r#"{"$PackedByteArray":[1.0]}"#, 21, "packed_byte_array"),
        (r#"{"$PackedVector2Array":[[1,2],[3]]}"#, 30, "packed_vector2_array"),
        (r#"{"$PackedVector2Array":[[1,2,3]]}"#, 24, "packed_vector2_array"),
        (r#"{"$PackedVector2Array":[1,[2,3]]}"#, 23, "packed_vector2_array"),
        (r#"{"$PackedFloat32Array":[[1]]}"#, 24, "packed_float32_array"),
        (r#"{"$Vector2":[[1,2]]}"#, 13, "vector2"),
        (r#"{"$RID":-1}"#, 8, "rid"),
        (r#"{"$RID":18446744073709551616}"#, 8, "rid"),
        (r#"{"$int":1}"#, 1, ""),
        (r#"{"$Nothing":1}"#, 1, ""),
        (r#"{"$":1}"#, 1, ""),
        (r#"{"$String":[2147483648]}"#, 12, "string"),
        (r#"{"$String":"a"}"#, 11, "string"),
        (r#"{"$NodePath":{"names":[1]}}"#, 23, "node_path"),
        (r#"{"$NodePath":{"names":[],"names":[]}}"#, 25, "node_path"),
        (r#"{"$NodePath":{"other":[]}}"#, 14, "node_path"),
        (r#"{"$Object":{"id":1,"class":"a"}}"#, 19, "object"),
        (r#"{"$Object":{"class":"a"}}"#, 23, "object"),
        (r#"{"$Object":{"properties":[]}}"#, 27, ""),
        (r#"{"$Object":{"class":"a","properties":[["a"]]}}"#, 42, "object.properties[0]"),
        (r#"{"$Object":{"class":"a","properties":[["a",1,2]]}}"#, 45, "object.properties[0]"),
        (r#"{"$InputEvent":{"type":"key"}}"#, 28, "input_event"),
        (r#"{"$InputEvent":{"type":"none","button":1}}"#, 40, "input_event"),
        (r#"{"a":1,"a":2}"#, 7, "dictionary[1].key"),
        (r#"{"a":1,"\u0061":2}"#, 7, "dictionary[1].key"),
        (r#"{"a":1,"$b":2}"#, 7, "dictionary[1].key"),
        (r#"{"$dictionary":[[1]]}"#, 18, "dictionary[0].value"),
        (r#"{"$dictionary":[[1,2,3]]}"#, 21, "dictionary[0].value"),
        (r#"{"$dictionary":[1]}"#, 16, "dictionary[0].key"),
        (r#"{"$dictionary":[],"element":"int"}"#, 18, ""),
        (r#"{"$dictionary":[],"key":"int","key":"int"}"#, 30, ""),
        (r#"{"$Array":[],"shared":true,"shared":true}"#, 27, ""),
        (r#"{"$Array":[],"element":"nothing"}"#, 23, ""),
        (r#"{"$Array":[],"element":{}}"#, 24, ""),
        (r#"{"$Array":[],"inner":"int"}"#, 13, ""),
        (r#"{"$TypedArray":[]}"#, 17, ""),
        (
            r#"{"$dictionary":[["a",[1,{"b":[tru]}]]]}"#,
            30,
            "dictionary[0].value.array[1].dictionary[0].value.array[0]",
        ),
        ("[1,]", 2, "array[1]"),
        ("[1 2]", 3, "array[1]"),
        ("[1]]", 3, ""),
        ("{1:2}", 1, ""),
        ("// comment\n1", 0, ""),
        ("\u{feff}1", 0, ""),
        ("01", 0, ""),
        ("NaN", 0, ""),
        ("\"\\ud800\"", 1, ""),
        ("\"\n\"", 1, ""),
    ] {
        let error = from_json(json.as_bytes(), Dialect::GODOT4).unwrap_err();
        assert_eq!(error.rule(), json::rule::SYNTAX, "{json}: {error}");
        assert_eq!(error.path().to_string(), path, "{json}: {error}");
        assert_eq!(error.offset(), offset, "{json}: {error}");
    }
    let error = from_json(&b"\"\xff\""[..], Dialect::GODOT4).unwrap_err();
    assert_eq!(error.rule(), json::rule::SYNTAX, "{error}");
}

/// A stream that gives a byte at a time, and fails at the end if it is told to.
struct Trickle<'a> {
    bytes: &'a [u8],
    fails: bool,
}

impl std::io::Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                buffer[0] = first;
                self.bytes = rest;
                Ok(1)
            }
            None if self.fails => Err(std::io::Error::other("no more")),
            None => Ok(0),
        }
    }
}

#[test]
fn streams_may_be_slow_and_may_fail() {
    let trickle = |fails| Trickle { bytes: RICH.as_bytes(), fails };
    let value: Variant = from_json(trickle(false), Dialect::GODOT4).unwrap();
    assert_eq!(bits(&value), bits::<f32>(&from_json(RICH.as_bytes(), Dialect::GODOT4).unwrap()));
    let error = from_json(trickle(true), Dialect::GODOT4).unwrap_err();
    assert_eq!(error.rule(), Rule::INPUT_IO);

    let json = Json::lossless(Dialect::GODOT4);
    let error = json.write(&value, &mut [0_u8; 10][..]).unwrap_err();
    assert_eq!(error.rule(), Rule::INPUT_IO);
    // A million numbers are handed on piece by piece.
    let many = Variant::Array((0..1_000_000).map(Variant::<f32>::Int).collect());
    let mut written = Vec::new();
    json.write(&many, &mut written).unwrap();
    assert_eq!(json.read(&*written).unwrap(), many);
}

/// JSON that shows much of what the forms have.
const RICH: &str = r#"{"a":[1,-2.5e3,true,null,"x\u00e9\n"],"b":{"$dictionary":[[1,{"$Vector2":[1.0,2.0]}]],
    "key":"int"},"c":{"$Object":{"class":"A","properties":[["p",{"$PackedByteArray":"AQID"}]]}},
    "d":{"$TypedArray":[],"element":{"class":"Node"}},"e":{"$float":"nan"},"f":{"$String":[55296]}}"#;

/// One of each form in the native notation.
const RICH_NATIVE: &str = r#"{"type":"Dictionary","key_type":"String","args":["s:a",["i:1","f:2.5",null],
    "s:b",{"args":[1.0,2.0],"type":"Vector2"},"s:c",{"type":"Node","props":["a",{"type":"RID"}]},
    "s:d",{"args":["x"],"type":"PackedStringArray"},"s:e",{"elem_type":"int","type":"Array","args":[]}]}"#;

#[test]
fn json_cut_short_is_incomplete() {
    for end in 0..RICH.len() {
        let error = from_json(&RICH.as_bytes()[..end], Dialect::GODOT4).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Incomplete { .. }), "{end}: {error}");
    }
    for end in 0..RICH_NATIVE.len() {
        let error = from_native_json(&RICH_NATIVE.as_bytes()[..end]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Incomplete { .. }), "{end}: {error}");
    }
}

#[test]
fn no_change_of_a_byte_makes_the_readers_panic() {
    for at in 0..RICH.len().max(RICH_NATIVE.len()) {
        for byte in [0, b'"', b'[', b']', b'{', b'}', b',', b':', b'$', b'1', b'.', b'-', 0xff] {
            let changed = |json: &str| {
                let mut json = json.as_bytes().to_vec();
                if let Some(place) = json.get_mut(at) {
                    *place = byte;
                }
                json
            };
            if let Ok(value) = from_json(&*changed(RICH), Dialect::GODOT4) {
                let json = to_json(&value, Dialect::GODOT4, Style::Pretty);
                let back = from_json(json.as_bytes(), Dialect::GODOT4).unwrap();
                assert_eq!(bits(&back), bits(&value));
            }
            let _ = from_native_json(&*changed(RICH_NATIVE));
        }
    }
}

/// Runs with as little stack as a thread may have in practice.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    thread::Builder::new().stack_size(512 << 10).spawn(run).unwrap().join().unwrap();
}

/// A value in `depth` containers of one kind.
fn nested(depth: usize, wrap: fn(Variant) -> Variant) -> Variant {
    (0..depth).fold(Variant::Int(1), |value, _| wrap(value))
}

const WRAPS: [fn(Variant) -> Variant; 6] = [
    |value| Variant::Array(vec![value].into()),
    |value| Variant::Dictionary(vec![("key".into(), value)].into()),
    |value| Variant::Dictionary(vec![(Variant::Int(1), value)].into()),
    |value| Variant::Dictionary(vec![(value, Variant::Nil)].into()),
    |value| {
        let elements = vec![value].into();
        Variant::TypedArray(Box::new(TypedArray { element: ElementType::Unknown(1), elements }))
    },
    |value| {
        let properties = vec![("name".into(), value)];
        Variant::Object(Object::Full(Box::new(FullObject { class: "A".into(), properties })))
    },
];

#[test]
fn every_depth_comes_back_on_a_small_stack() {
    on_a_small_stack(|| {
        let dialect: Dialect = "godot3.2".parse().unwrap();
        for wrap in WRAPS {
            for style in STYLES {
                let depth = Limits::DEPTH_WITHOUT_ENGINE_LIMIT as usize;
                let value = nested(depth, wrap);
                let json = to_json(&value, dialect, style);
                assert!(json.len() < 4 << 20, "{}", json.len());
                let back = from_json(json.as_bytes(), dialect).unwrap();
                assert!(to_json(&back, dialect, style) == json);
                // One more level is refused, and the error has the path.
                let json = to_json(&wrap(value), dialect, style);
                let error = from_json(json.as_bytes(), dialect).unwrap_err();
                assert_eq!(error.rule(), Rule::DEPTH_LIMIT, "{error}");
                assert!(error.path().steps().len() > depth);
            }
        }
    });
}

#[test]
fn the_depth_limit_is_the_dialects_or_the_callers() {
    let deep = nested(1024, WRAPS[0]);
    let json = to_json(&deep, Dialect::GODOT4, Style::Compact);
    assert!(from_json(json.as_bytes(), Dialect::GODOT4).is_ok());
    let json = to_json(&WRAPS[0](deep), Dialect::GODOT4, Style::Compact);
    let error = from_json(json.as_bytes(), Dialect::GODOT4).unwrap_err();
    assert_eq!(error.rule(), Rule::DEPTH_LIMIT);
    let roomy = Json::lossless(Dialect::GODOT4).limits(Limits::default().depth(2000));
    assert!(roomy.read(json.as_bytes()).is_ok());
    let narrow = Json::lossless(Dialect::GODOT4).limits(Limits::default().depth(1));
    assert!(narrow.read(&b"[[]]"[..]).is_ok());
    assert!(narrow.read(&b"[[1]]"[..]).is_err());
}

#[test]
fn depth_without_end_is_refused_on_a_small_stack() {
    on_a_small_stack(|| {
        for open in [
            "[",
            "{\"a\":",
            "{\"$dictionary\":[[",
            "{\"$dictionary\":[[1,",
            "{\"$Object\":{\"properties\":[[\"a\",",
            "{\"$TypedArray\":[",
            "[{\"$Array\":[",
        ] {
            let json = open.repeat(100_000);
            let error = from_json(json.as_bytes(), Dialect::GODOT2).unwrap_err();
            assert_eq!(error.rule(), Rule::DEPTH_LIMIT, "{open}: {error}");
        }
        for open in
            ["[", "{\"args\":[", "{\"type\":\"Dictionary\",\"args\":[", "{\"props\":[\"a\","]
        {
            let json = open.repeat(100_000);
            let error = from_native_json(json.as_bytes()).unwrap_err();
            assert_eq!(error.rule(), Rule::DEPTH_LIMIT, "{open}: {error}");
        }
    });
}

#[test]
fn native_depth_is_the_engines_on_a_small_stack() {
    on_a_small_stack(|| {
        for wrap in [WRAPS[0], WRAPS[1], WRAPS[2], WRAPS[3], WRAPS[5]] {
            let value = nested(1024, wrap);
            let json = to_native_json(&value, Style::Compact).unwrap();
            let back = from_native_json(json.as_bytes()).unwrap();
            assert!(to_native_json(&back, Style::Compact).unwrap() == json);
            let json = to_native_json(&wrap(value), Style::Compact).unwrap();
            let error = from_native_json(json.as_bytes()).unwrap_err();
            assert_eq!(error.rule(), Rule::DEPTH_LIMIT, "{error}");
        }
        // A vector's numbers are not separate values.
        let value = (0..1024).fold(Vector2::new(1.0, 2.0).into(), |value, _| WRAPS[0](value));
        let json = to_native_json(&value, Style::Compact).unwrap();
        assert!(from_native_json(json.as_bytes()).is_ok());
    });
}

/// Removes the parts of a value that the native form loses by the engine's definition.
fn emptied(value: &Variant) -> Variant {
    match value {
        Variant::Rid(_) => Variant::Rid(0),
        Variant::Signal(_) => Variant::Signal(Box::default()),
        Variant::Object(Object::Null) => Variant::Nil,
        Variant::Object(Object::Full(object)) => {
            let properties =
                object.properties.iter().map(|(name, value)| (name.clone(), emptied(value)));
            let properties = properties.collect();
            let class = object.class.clone();
            Variant::Object(Object::Full(Box::new(FullObject { class, properties })))
        }
        Variant::Dictionary(dictionary) => {
            let mut copy: Dictionary =
                dictionary.iter().map(|(key, value)| (emptied(key), emptied(value))).collect();
            copy.set_types(dictionary.key_type().cloned(), dictionary.value_type().cloned());
            Variant::Dictionary(copy)
        }
        other => other.clone(),
    }
}

#[test]
fn the_native_form_loses_nothing_or_refuses() {
    let mut types = Vec::new();
    let mut refused = 0;
    for value in samples::<f32>() {
        for style in STYLES {
            match to_native_json(&value, style) {
                Ok(json) => {
                    let back: Variant = from_native_json(json.as_bytes())
                        .unwrap_or_else(|error| panic!("{error}\n{json}"));
                    assert_eq!(bits(&back), bits(&emptied(&value)), "{json}");
                    types.push(value.variant_type());
                    // What another JSON program makes of it, its members sorted.
                    let sorted: serde_json::Value = serde_json::from_str(&json).unwrap();
                    let again: Variant = from_native_json(sorted.to_string().as_bytes()).unwrap();
                    assert_eq!(bits(&again), bits(&back), "{sorted}");
                }
                Err(error) => {
                    let expected = [codec::rule::DIALECT_TYPE, codec::rule::DIALECT_VALUE];
                    assert!(expected.contains(&error.rule()), "{error}");
                    refused += 1;
                }
            }
        }
    }
    for row in Dialect::GODOT4.rows() {
        assert!(types.contains(&row.variant_type), "{}", row.name);
    }
    assert!(refused > 0);
}

#[test]
fn the_native_form_is_the_engines() {
    let path = NodePath::parse(&"abc".into());
    let typed = |values: Vec<Variant>, element| {
        let mut array = Array::from(values);
        array.set_element_type(Some(element));
        Variant::Array(array)
    };
    let int = ElementType::Builtin(VariantType::Int);
    let mut dictionary = Dictionary::from(vec![("a".into(), Variant::Int(1))]);
    let basis = Basis::from_array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
    let transform = Transform3D::from_array(std::array::from_fn(|at| at as f32));
    for (value, json) in [
        (Variant::Nil, "null"),
        (Variant::Bool(true), "true"),
        (Variant::Int(1), r#""i:1""#),
        (Variant::Float(1.0), r#""f:1.0""#),
        (Variant::Float(f64::NEG_INFINITY), r#""f:-inf""#),
        ("abc".into(), r#""s:abc""#),
        (Variant::StringName("abc".into()), r#""sn:abc""#),
        (Variant::NodePath(Box::new(path)), r#""np:abc""#),
        (Variant::Rid(0), r#"{"type":"RID"}"#),
        (Variant::Callable, r#"{"type":"Callable"}"#),
        (Variant::Signal(Box::default()), r#"{"type":"Signal"}"#),
        (Vector2::new(1.0, 2.0).into(), r#"{"type":"Vector2","args":[1.0,2.0]}"#),
        (Vector2i::new(1, 2).into(), r#"{"type":"Vector2i","args":[1,2]}"#),
        (
            Variant::Basis(Box::new(basis)),
            r#"{"type":"Basis","args":[1.0,4.0,7.0,2.0,5.0,8.0,3.0,6.0,9.0]}"#,
        ),
        (
            Variant::Transform3D(Box::new(transform)),
            r#"{"type":"Transform3D","args":[0.0,3.0,6.0,1.0,4.0,7.0,2.0,5.0,8.0,9.0,10.0,11.0]}"#,
        ),
        (Variant::Array(vec![Variant::Int(1)].into()), r#"["i:1"]"#),
        (
            typed(vec![Variant::Int(1)], int.clone()),
            r#"{"type":"Array","elem_type":"int","args":["i:1"]}"#,
        ),
        (
            typed(Vec::new(), ElementType::Script("res://a.gd".into())),
            r#"{"type":"Array","elem_type":"res://a.gd","args":[]}"#,
        ),
        (Variant::Dictionary(dictionary.clone()), r#"{"type":"Dictionary","args":["s:a","i:1"]}"#),
        (
            {
                let string = ElementType::Builtin(VariantType::String);
                dictionary.set_types(Some(string), Some(int));
                Variant::Dictionary(dictionary)
            },
            r#"{"type":"Dictionary","key_type":"String","value_type":"int","args":["s:a","i:1"]}"#,
        ),
        (vec![1, 2, 3].into(), r#"{"type":"PackedInt32Array","args":[1,2,3]}"#),
        (vec![1_u8, 255].into(), r#"{"type":"PackedByteArray","args":[1,255]}"#),
        (
            Variant::PackedStringArray(vec!["a".into(), "s:b".into()]),
            r#"{"type":"PackedStringArray","args":["a","s:b"]}"#,
        ),
        (
            vec![Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0)].into(),
            r#"{"type":"PackedVector2Array","args":[1.0,2.0,3.0,4.0]}"#,
        ),
    ] {
        assert_eq!(to_native_json(&value, Style::Compact).unwrap(), json);
        assert_eq!(from_native_json(json.as_bytes()).unwrap(), value, "{json}");
    }
    // Whole numbers after the engine's own parser.
    let json = r#"{"args":[1.0,2.0],"type":"Vector2i"}"#;
    assert_eq!(from_native_json(json.as_bytes()), Ok(Variant::<f32>::from(Vector2i::new(1, 2))));
}

#[test]
fn the_native_form_says_what_it_refuses_and_where() {
    let array = |value: Variant| Variant::Array(vec![Variant::Nil, value].into());
    let mut shared = Array::new();
    shared.set_shared(true);
    for (value, rule, path) in [
        (Vector2::new(f32::NAN, 0.0).into(), codec::rule::DIALECT_VALUE, "vector2"),
        (Variant::Float(f64::from_bits(u64::MAX)), codec::rule::DIALECT_VALUE, "float"),
        (Variant::Object(Object::Id(1)), codec::rule::DIALECT_VALUE, "object"),
        (Variant::Array(shared), codec::rule::DIALECT_VALUE, "array"),
        (Variant::Image(Box::default()), codec::rule::DIALECT_TYPE, ""),
        (Variant::PackedVector2iArray(Vec::new()), codec::rule::DIALECT_TYPE, ""),
        (
            Variant::String(VariantString::from_numbers([0xd800])),
            codec::rule::DIALECT_VALUE,
            "string",
        ),
    ] {
        let error = to_native_json(&value, Style::Compact).unwrap_err();
        assert_eq!((error.rule(), error.path().to_string().as_str()), (rule, path));
        let deep = array(Variant::Dictionary(
            vec![(Variant::Int(1), Variant::Nil), (Variant::Int(2), array(value.clone()))].into(),
        ));
        let error = to_native_json(&deep, Style::Compact).unwrap_err();
        // A fault of the value as a whole has the value's own path, as in the codec.
        let inside = if path.is_empty() { String::new() } else { format!(".{path}") };
        let deep_path = format!("array[1].dictionary[1].value.array[1]{inside}");
        assert_eq!(error.path().to_string(), deep_path);
        let key = Variant::Dictionary(vec![(value, Variant::Nil)].into());
        let error = to_native_json(&key, Style::Compact).unwrap_err();
        assert_eq!(error.path().to_string(), format!("dictionary[0].key{inside}"));
    }
}

#[test]
fn wrong_native_json_is_refused() {
    for json in [
        "1",
        "\"abc\"",
        "\"x:1\"",
        "\"i:\"",
        "\"i:1.0\"",
        "\"i:9223372036854775808\"",
        "\"f:\"",
        "\"f:1e400\"",
        "\"f:NaN\"",
        "[1]",
        "{}",
        "{\"args\":[]}",
        "{\"type\":\"Vector2\"}",
        r#"{"type":"Vector2","args":[1.0]}"#,
        r#"{"type":"Vector2","args":[1.0,"2"]}"#,
        r#"{"type":"Vector2","args":[1.0,1e39]}"#,
        r#"{"type":"Vector2","props":[]}"#,
        r#"{"type":"Vector2i","args":[1.5,2]}"#,
        r#"{"type":"Vector2i","args":[1e10,2]}"#,
        r#"{"type":"PackedByteArray","args":[256]}"#,
        r#"{"type":"PackedVector2Array","args":[1]}"#,
        r#"{"type":"PackedStringArray","args":[1]}"#,
        r#"{"type":"Dictionary","args":["i:1"]}"#,
        r#"{"type":"Dictionary","args":[],"elem_type":"int"}"#,
        r#"{"type":"int","args":[1]}"#,
        r#"{"type":"Array","args":[],"args":[]}"#,
        r#"{"type":"Array","type":"Array","args":[]}"#,
        r#"{"type":"RID","args":[]}"#,
        r#"{"type":"Node"}"#,
        r#"{"type":"Node","props":["a"]}"#,
        r#"{"type":"Node","props":[1,"i:1"]}"#,
        r#"{"type":"Array","args":[],"more":1}"#,
        r#"{"type":"Node","props":[],"args":[]}"#,
        r#"{"type":1,"args":[]}"#,
        "[] 1",
    ] {
        let error = from_native_json(json.as_bytes()).unwrap_err();
        assert_eq!(error.rule(), json::rule::SYNTAX, "{json}: {error}");
    }
    for (json, offset, path) in [
        (r#"[null,[1]]"#, 7, "array[1].array[0]"),
        (r#"{"type":"Dictionary","args":["s:a",{}]}"#, 35, "dictionary[0].value"),
        (r#"{"type":"Dictionary","args":[null,null,$]}"#, 39, "dictionary[1].key"),
        (r#"{"args":[null,{}]}"#, 14, "args[1]"),
        (r#"{"type":"Node","props":["a",{}]}"#, 28, "object.properties[0]"),
    ] {
        let error = from_native_json(json.as_bytes()).unwrap_err();
        assert_eq!(error.path().to_string(), path, "{json}: {error}");
        assert_eq!(error.offset(), offset, "{json}: {error}");
    }
}

#[test]
fn what_engines_wrote_survives_the_way_through_json() {
    let mut count = 0;
    for (folder, dialect) in [
        ("godot2/golden", "godot2"),
        ("godot3/golden/3.2.3", "godot3.2"),
        ("godot3/golden/3.6.2", "godot3.6"),
        ("godot4/golden/4.6.3", "godot4.6"),
        ("pandemonium/golden", "pandemonium5"),
    ] {
        let dialect: Dialect = dialect.parse().unwrap();
        let path = formwork_testkit::formats().join(folder).join("values.jsonl");
        let lines = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for line in lines.split('\n').filter(|line| !line.is_empty()) {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let hex = case["hex"].as_str().unwrap();
            let bytes = formwork_testkit::from_hex(hex);
            let decoder = Decoder::new(dialect).allow_objects(true);
            let value: Variant = decoder.decode(&bytes).unwrap_or_else(|error| panic!("{error}"));
            // What writing gives without JSON on the way: not always the same bytes, as the engines
            // leave some undefined.
            let direct = Encoder::new(dialect).encode(&value).unwrap();
            for style in STYLES {
                let json = to_json(&value, dialect, style);
                let back: Variant = from_json(json.as_bytes(), dialect)
                    .unwrap_or_else(|error| panic!("{}: {error}\n{json}", case["name"]));
                let encoded = Encoder::new(dialect).encode(&back).unwrap();
                assert!(encoded == direct, "{dialect} {}\n{json}", case["name"]);
            }
            count += 1;
        }
    }
    assert!(count > 2000, "{count}");
}

#[test]
fn lists_are_read_for_byte_arrays_and_lists_of_lists_for_arrays_of_vectors() {
    let bytes = value(r#"{"$PoolByteArray":[1,2,255]}"#, Dialect::GODOT3);
    assert_eq!(bytes, Variant::PackedByteArray(vec![1, 2, 255]));
    assert_eq!(
        value(r#"{"$PoolByteArray":[]}"#, Dialect::GODOT3),
        Variant::PackedByteArray(vec![])
    );
    let vectors = |json: &str| value(json, Dialect::GODOT4);
    assert_eq!(
        bits(&vectors(r#"{"$PackedVector2Array":[[1,2],[3,{"$float":"nan"}]]}"#)),
        bits(&vectors(r#"{"$PackedVector2Array":[1,2,3,{"$float":"nan"}]}"#)),
    );
    assert_eq!(
        vectors(r#"{"$PackedColorArray":[[1,2,3,4]]}"#),
        vectors(r#"{"$PackedColorArray":[1,2,3,4]}"#),
    );
    let vectors = value(r#"{"$PoolVector3iArray":[[1,2,3],[4,5,6]]}"#, Dialect::PANDEMONIUM);
    assert_eq!(vectors, value(r#"{"$PoolVector3iArray":[1,2,3,4,5,6]}"#, Dialect::PANDEMONIUM));
}

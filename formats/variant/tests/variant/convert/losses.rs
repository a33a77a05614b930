//! Each kind of loss: when it is listed, and the value that is written instead.

use std::thread;

use formwork_edit::convert::{Conversion, Converter, LossKind};
use formwork_variant::{
    Array, Dictionary, ElementType, FullObject, Image, InputEvent, InputEventKind, Modifiers,
    NodePath, Object, Projection, Quaternion, Real, Rect2, Rect2i, Signal, TypedArray, Variant,
    VariantString, VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use formwork_variant::{Dialect, Encoder, Limits};

fn dialect(name: &str) -> Dialect {
    name.parse().expect(name)
}

fn convert<R: Real, S: Real>(value: Variant<R>, from: &str, to: &str) -> Conversion<S> {
    let conversion = Converter::new(dialect(from), dialect(to)).in_precision().convert(value);
    Encoder::new(dialect(to))
        .in_precision()
        .encode(&conversion.clone().lossy())
        .expect("it can be written");
    conversion
}

/// Returns the converted value, and the kinds of its losses.
fn becomes(value: impl Into<Variant>, from: &str, to: &str) -> (Variant, Vec<LossKind>) {
    let conversion = convert::<f32, f32>(value.into(), from, to);
    let kinds = conversion.losses().iter().map(|loss| loss.kind).collect();
    (conversion.lossy(), kinds)
}

/// The only loss, in a line.
fn line(value: impl Into<Variant>, from: &str, to: &str) -> String {
    let conversion = convert::<f32, f32>(value.into(), from, to);
    let [loss] = conversion.losses() else { panic!("{:?}", conversion.losses()) };
    loss.to_string()
}

/// Returns a dictionary as scripts of Godot 2 make it, with the mark.
fn shared(pairs: impl IntoIterator<Item = (&'static str, Variant)>) -> Variant {
    let mut pairs: Dictionary = pairs.into_iter().map(|(key, value)| (key.into(), value)).collect();
    pairs.set_shared(true);
    Variant::Dictionary(pairs)
}

fn dictionary(pairs: impl IntoIterator<Item = (&'static str, Variant)>) -> Variant {
    pairs.into_iter().collect()
}

fn array(values: impl IntoIterator<Item = Variant>) -> Variant {
    values.into_iter().collect()
}

fn typed(element: ElementType, values: impl IntoIterator<Item = Variant>) -> Variant {
    let mut array: Array = values.into_iter().collect();
    array.set_element_type(Some(element));
    Variant::Array(array)
}

fn typed_array(element: ElementType, elements: impl IntoIterator<Item = Variant>) -> TypedArray {
    TypedArray { element, elements: elements.into_iter().collect() }
}

fn full(class: &str, properties: Vec<(&str, Variant)>) -> Variant {
    let properties = properties.into_iter().map(|(name, value)| (name.into(), value)).collect();
    Variant::Object(Object::Full(Box::new(FullObject { class: class.into(), properties })))
}

const TYPE: &[LossKind] = &[LossKind::Type];

#[test]
fn a_type_that_the_target_lacks_becomes_the_nearest_one() {
    let quaternion: Variant = Quaternion::new(1.0, 2.0, 3.0, 4.0).into();
    let numbers = array((1..=16).map(|number| Variant::Float(number.into())));
    let matrix = Projection::from_array(std::array::from_fn(|at| at as f32 + 1.0));
    let int = ElementType::Builtin(VariantType::Int);
    let cases: Vec<(Variant, Variant)> = vec![
        (Vector2i::new(1, -2).into(), Vector2::new(1.0, -2.0).into()),
        (Rect2i::new(1, 2, 3, 4).into(), Rect2::new(1.0, 2.0, 3.0, 4.0).into()),
        (Vector3i::new(1, 2, 3).into(), Vector3::new(1.0, 2.0, 3.0).into()),
        (Vector4::new(1.0, 2.0, 3.0, 4.0).into(), quaternion.clone()),
        (Vector4i::new(1, 2, 3, 4).into(), quaternion.clone()),
        (matrix.into(), numbers),
        (Variant::StringName("idle".into()), "idle".into()),
        (Variant::Callable, Variant::Nil),
        (
            Signal { name: "hit".into(), object_id: 7 }.into(),
            dictionary([
                ("@class", "Signal".into()),
                ("name", "hit".into()),
                ("object_id", Variant::Int(7)),
            ]),
        ),
        (vec![1_i64, -2].into(), vec![1_i32, -2].into()),
        (vec![1_i64 << 40].into(), array([Variant::Int(1 << 40)])),
        (vec![0.5_f64].into(), vec![0.5_f32].into()),
        (vec![0.1_f64].into(), array([Variant::Float(0.1)])),
        (vec![Vector4::new(1.0, 2.0, 3.0, 4.0)].into(), array([quaternion])),
    ];
    for (value, nearest) in cases {
        assert_eq!(becomes(value, "godot4", "godot3"), (nearest, TYPE.to_vec()));
    }
    let cases: Vec<(Variant, Variant)> = vec![
        (
            vec![Vector2i::new(1, 2)].into(),
            typed(ElementType::Builtin(VariantType::Vector2i), [Vector2i::new(1, 2).into()]),
        ),
        (
            vec![Vector4i::new(1, 2, 3, 4)].into(),
            typed(ElementType::Builtin(VariantType::Vector4i), [Vector4i::new(1, 2, 3, 4).into()]),
        ),
        (
            Variant::PackedTypedArray(Box::new(typed_array(int.clone(), [Variant::Int(1)]))),
            typed(int, [Variant::Int(1)]),
        ),
    ];
    for (value, nearest) in cases {
        assert_eq!(becomes(value, "pandemonium", "godot4"), (nearest, TYPE.to_vec()));
    }
    let vectors = vec![Vector3i::new(1, 2, 3)];
    assert_eq!(
        becomes(vectors.clone(), "pandemonium", "godot4.2"),
        (array([Vector3i::new(1, 2, 3).into()]), TYPE.to_vec())
    );
    assert_eq!(
        becomes(vectors, "pandemonium", "godot3"),
        (vec![Vector3::new(1.0, 2.0, 3.0)].into(), TYPE.to_vec())
    );
    // Inside a family, too.
    let vector = Vector4::new(1.0, 2.0, 3.0, 4.0);
    assert_eq!(
        becomes(vec![vector], "godot4.6", "godot4.2"),
        (array([vector.into()]), TYPE.to_vec())
    );
    assert_eq!(
        line(Vector2i::new(1, 2), "godot4", "godot3.5"),
        "Vector2i(1, 2) becomes Vector2( 1, 2 ): godot3.5 has no such type"
    );
}

#[test]
fn images_and_events_of_godot_2_become_dictionaries_of_their_fields() {
    let image = Image { format: 3, mipmaps: 0, width: 1, height: 1, data: vec![255, 0, 0] };
    let fields = dictionary([
        ("@class", "Image".into()),
        ("format", "RGB".into()),
        ("mipmaps", Variant::Int(0)),
        ("width", Variant::Int(1)),
        ("height", Variant::Int(1)),
        ("data", vec![255_u8, 0, 0].into()),
    ]);
    for to in ["godot3", "godot4", "pandemonium"] {
        assert_eq!(becomes(image.clone(), "godot2", to), (fields.clone(), TYPE.to_vec()));
    }
    assert_eq!(becomes(image.clone(), "godot2", "godot2.0"), (image.into(), vec![]));

    let modifiers = Modifiers { control: true, ..Modifiers::default() };
    let kind = InputEventKind::Key { modifiers, scancode: 65 };
    let fields = dictionary([
        ("@class", "InputEvent".into()),
        ("type", "KEY".into()),
        ("device", Variant::Int(2)),
        ("scancode", Variant::Int(65)),
        ("shift", false.into()),
        ("alt", false.into()),
        ("meta", false.into()),
        ("control", true.into()),
    ]);
    let event = InputEvent { device: 2, kind };
    assert_eq!(becomes(event, "godot2", "godot4"), (fields, TYPE.to_vec()));
    let kind = InputEventKind::JoystickMotion { axis: 1, value: Some(0.5) };
    let (fields, _) = becomes(InputEvent { device: 0, kind }, "godot2", "godot4");
    assert_eq!(fields.at("axis"), Some(&Variant::Int(1)));
    assert_eq!(fields.at("value"), Some(&Variant::Float(0.5)));
}

#[test]
fn what_pandemonium_cannot_read_back_is_written_in_a_form_that_it_reads() {
    let vector = Vector4::new(1.0, 2.0, 3.0, 4.0);
    let quaternion: Variant = Quaternion::new(1.0, 2.0, 3.0, 4.0).into();
    let misread = vec![LossKind::Misread];
    assert_eq!(becomes(vector, "godot4", "pandemonium"), (quaternion.clone(), misread.clone()));
    assert_eq!(becomes(vec![vector], "godot4", "pandemonium4"), (array([quaternion]), misread));
    // A value of the same engine is unchanged, and is exact in others.
    assert_eq!(becomes(vector, "pandemonium4", "pandemonium5"), (vector.into(), vec![]));
    assert_eq!(becomes(vector, "pandemonium", "godot4"), (vector.into(), vec![]));
}

#[test]
fn element_types_stay_where_the_target_has_them() {
    let element = [ElementType::Builtin(VariantType::Int)];
    let [int] = element.clone();
    let godot4 = typed(int.clone(), [Variant::Int(1)]);
    let pandemonium = Variant::TypedArray(Box::new(typed_array(int.clone(), [Variant::Int(1)])));
    let exact = |value: &Variant| (value.clone(), vec![]);
    assert_eq!(becomes(godot4.clone(), "godot4", "pandemonium"), exact(&pandemonium));
    assert_eq!(becomes(pandemonium.clone(), "pandemonium", "godot4.3"), exact(&godot4));
    let untyped = (array([Variant::Int(1)]), vec![LossKind::ElementType]);
    for to in ["godot4.2", "godot3", "pandemonium4"] {
        assert_eq!(becomes(godot4.clone(), "godot4", to), untyped, "{to}");
        assert_eq!(becomes(pandemonium.clone(), "pandemonium", to), untyped, "{to}");
    }
    assert_eq!(
        line(godot4, "godot4", "godot3"),
        "Array of int becomes Array: \
         godot3.6 has no containers whose elements are declared to be of this type"
    );

    // Classes are not those of another engine, and types without a counterpart are none.
    let node = typed(ElementType::Class("Node".into()), []);
    let lost = (array([]), vec![LossKind::ElementType]);
    assert_eq!(becomes(node.clone(), "godot4", "pandemonium"), lost);
    assert_eq!(becomes(node.clone(), "godot4.3", "godot4.6"), exact(&node));
    let callables = typed(ElementType::Builtin(VariantType::Callable), []);
    assert_eq!(becomes(callables, "godot4", "pandemonium"), lost);
    // Elements that become something else are not of the type any more.
    let vectors = ElementType::Builtin(VariantType::Vector4);
    let vectors = typed(vectors, [Vector4::new(1.0, 2.0, 3.0, 4.0).into()]);
    let (array, kinds) = becomes(vectors, "godot4", "pandemonium");
    assert!(matches!(array, Variant::Array(array) if array.element_type().is_none()));
    assert_eq!(kinds, [LossKind::Misread, LossKind::ElementType]);

    let mut pairs = Dictionary::<f32>::new();
    pairs.insert("a", 1);
    let plain = Variant::Dictionary(pairs.clone());
    pairs.set_types(Some(ElementType::Builtin(VariantType::String)), Some(int));
    let typed = Variant::Dictionary(pairs);
    assert_eq!(becomes(typed.clone(), "godot4.4", "godot4.6"), exact(&typed));
    let lost = (plain, vec![LossKind::ElementType; 2]);
    assert_eq!(becomes(typed.clone(), "godot4.4", "godot4.3"), lost);
    assert_eq!(becomes(typed, "godot4.4", "pandemonium"), lost);
}

#[test]
fn godot_2_has_32_bits_for_numbers() {
    let most = i64::from(i32::MAX);
    assert_eq!(becomes(Variant::Int(most), "godot3", "godot2"), (Variant::Int(most), vec![]));
    let beyond = Variant::Int(1_700_000_000_000);
    assert_eq!(
        becomes(beyond.clone(), "godot3", "godot2"),
        (Variant::Float(1_700_000_038_912.0), vec![LossKind::IntRange])
    );
    assert_eq!(
        line(beyond, "godot3", "godot2"),
        "1700000000000 becomes 1700000038912: godot2 keeps whole numbers in 32 bits"
    );
    let rounded = Variant::Float(f64::from(0.1_f32));
    let kinds = vec![LossKind::Rounded];
    assert_eq!(becomes(Variant::Float(0.1), "godot3", "godot2"), (rounded, kinds.clone()));
    assert_eq!(becomes(Variant::Float(0.5), "godot3", "godot2"), (Variant::Float(0.5), vec![]));
    let infinite = Variant::Float(f64::INFINITY);
    assert_eq!(becomes(Variant::Float(1e300), "godot3", "godot2"), (infinite, kinds.clone()));
    // A packed array in one piece.
    let kinds: Vec<_> = [&kinds[..], TYPE].concat();
    assert_eq!(becomes(vec![0.1_f64], "godot4", "godot2"), (vec![0.1_f32].into(), kinds));
    // What a NaN has in its lower bits is lost, the usual one is not.
    let odd = Variant::Float(f64::from_bits(0x7ff8_0000_0000_0001));
    assert_eq!(becomes(odd, "godot3", "godot2").1, [LossKind::Rounded]);
    assert_eq!(becomes(Variant::Float(f64::NAN), "godot3", "godot2").1, []);
}

#[test]
fn components_are_rounded_where_the_target_has_fewer_bits() {
    let value = Variant::<f64>::Vector2(Vector2::new(0.1, 0.5));
    let conversion = convert::<f64, f32>(value, "godot4-double", "godot4");
    assert_eq!(
        conversion.losses()[0].to_string(),
        "Vector2 with 0.1 becomes 0.10000000149011612: godot4.7 keeps these numbers with fewer digits"
    );
    assert_eq!(conversion.lossy(), Variant::from(Vector2::new(0.1_f32, 0.5)));
    let value = Variant::<f64>::PackedVector3Array(vec![Vector3::new(0.1, 0.2, 0.3); 9]);
    assert_eq!(convert::<f64, f32>(value, "godot4-double", "godot3").losses().len(), 1);
    let value = Variant::<f64>::Vector2(Vector2::new(0.25, 0.5));
    assert_eq!(convert::<f64, f32>(value, "godot4-double", "godot3").losses(), []);
    let value = Variant::<f32>::Vector2(Vector2::new(0.1, 0.5));
    assert_eq!(convert::<f32, f64>(value, "godot3", "godot4-double").losses(), []);
    // A signalling NaN remains one, and comes back; bits of a NaN that only 64 bits hold are lost.
    let nan = f32::from_bits(0x7f80_0001);
    let value = Variant::<f32>::Vector2(Vector2::new(nan, 0.5));
    let wide = convert::<f32, f64>(value.clone(), "godot3", "godot4-double").exact().unwrap();
    let back = convert::<f64, f32>(wide, "godot4-double", "godot3").exact().unwrap();
    assert!(back.is_identical(&value));
    let nan = f64::from_bits(0x7ff0_0000_0000_0001);
    let value = Variant::<f64>::Vector2(Vector2::new(nan, 0.5));
    let conversion = convert::<f64, f32>(value, "godot4-double", "godot3");
    assert_eq!(conversion.losses()[0].kind, LossKind::Rounded);
    assert!(matches!(conversion.lossy(), Variant::Vector2(vector) if vector.x.is_nan()));
    // Whole numbers that become real ones are exact below 2^24.
    let (_, kinds) = becomes(Vector2i::new((1 << 24) + 1, 0), "godot4", "godot3");
    assert_eq!(kinds, [LossKind::Rounded, LossKind::Type]);
}

#[test]
fn texts_keep_the_characters_that_the_target_has() {
    let text = |numbers: &[u32]| Variant::String(VariantString::from_numbers(numbers.to_vec()));
    let lost = vec![LossKind::Characters];
    let lone = text(&[0x61, 0xd800]);
    assert_eq!(becomes(lone.clone(), "godot3.2", "godot4"), ("a\u{fffd}".into(), lost.clone()));
    assert_eq!(becomes(lone.clone(), "godot3.2", "godot3.6").1, lost);
    assert_eq!(becomes(lone.clone(), "godot3.2", "godot2"), (lone, vec![]));
    let pair = text(&[0xd83d, 0xde00]);
    assert_eq!(becomes(pair, "godot3.2", "pandemonium"), ("\u{1f600}".into(), lost.clone()));
    let large = text(&[0x11_0000]);
    assert_eq!(becomes(large.clone(), "godot3.6", "godot2"), (large.clone(), vec![]));
    assert_eq!(becomes(large, "godot3.6", "godot4"), ("\u{fffd}".into(), lost.clone()));
    // A mark in front is dropped by every reader; Godot 4 at least writes it.
    assert_eq!(becomes("\u{feff}a", "godot4", "godot3"), ("a".into(), lost.clone()));
    assert_eq!(becomes("a\u{feff}", "godot4", "godot3").1, []);
    // Nothing reads a U+0000.
    assert_eq!(becomes("a\0b", "godot4", "godot4"), ("ab".into(), lost.clone()));

    let path = NodePath { names: vec!["\u{feff}a".into()], ..NodePath::default() };
    assert_eq!(
        becomes(path, "godot4", "godot3"),
        (NodePath::parse(&"a".into()).into(), lost.clone())
    );
    let texts = vec![VariantString::from("\u{feff}a"), "b".into(), "\u{feff}".into()];
    let kept = vec![VariantString::from("a"), "b".into(), "".into()];
    assert_eq!(becomes(texts, "godot4", "godot3"), (kept.into(), [&lost[..], &lost].concat()));
}

#[test]
fn a_path_keeps_its_property_but_not_a_lone_root() {
    let three = NodePath::parse(&"/root/A:position:x".into());
    let two = three.clone().with_property();
    assert_eq!(two.property, Some("x".into()));
    assert_eq!(becomes(three.clone(), "godot3", "godot2"), (two.clone().into(), vec![]));
    assert_eq!(becomes(two.clone(), "godot2", "godot4"), (three.into(), vec![]));
    assert_eq!(becomes(two.clone(), "godot2", "godot2.0"), (two.into(), vec![]));

    let root = NodePath { absolute: true, ..NodePath::default() };
    assert_eq!(becomes(root.clone(), "godot4", "godot2"), (root.clone().into(), vec![]));
    let lost = (NodePath::default().into(), vec![LossKind::NodePathRoot]);
    assert_eq!(becomes(root, "godot4", "godot3"), lost);
}

#[test]
fn numbers_of_resources_and_objects_mean_nothing_to_another_engine() {
    assert_eq!(becomes(Variant::Rid(7), "godot4.6", "godot4.0"), (Variant::Rid(7), vec![]));
    assert_eq!(
        becomes(Variant::Rid(7), "godot4", "godot3"),
        (Variant::Rid(0), vec![LossKind::Rid])
    );
    assert_eq!(becomes(Variant::Rid(0), "godot4", "godot3"), (Variant::Rid(0), vec![]));

    let id = Variant::Object(Object::Id(7));
    let lost = vec![LossKind::ObjectId];
    assert_eq!(becomes(id.clone(), "godot3.2", "godot3.6"), (id.clone(), vec![]));
    assert_eq!(becomes(id.clone(), "godot4", "godot3"), (id.clone(), lost.clone()));
    assert_eq!(becomes(id, "godot4", "godot2"), (Variant::Object(Object::Null), lost));
    // No object is no loss.
    let null = Variant::Object(Object::Null);
    assert_eq!(becomes(null.clone(), "godot2", "godot3"), (Variant::Nil, vec![]));
    assert_eq!(becomes(null.clone(), "godot2", "godot3.1"), (null, vec![]));
}

#[test]
fn objects_stay_objects_within_an_engine_and_become_dictionaries_elsewhere() {
    let object = full("Sprite", vec![("position", Vector2i::new(1, 2).into())]);
    assert_eq!(becomes(object.clone(), "pandemonium4", "pandemonium5"), (object.clone(), vec![]));
    let fields =
        dictionary([("@class", "Sprite".into()), ("position", Vector2::new(1.0, 2.0).into())]);
    let conversion = convert::<f32, f32>(array([object]), "pandemonium", "godot3");
    let lines: Vec<_> = conversion.losses().iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "0: object of class \"Sprite\" becomes Dictionary with @class \"Sprite\": \
             godot3.6 has other classes, with other properties",
            "0/position: Vector2i( 1, 2 ) becomes Vector2( 1, 2 ): godot3.6 has no such type",
        ]
    );
    assert_eq!(conversion.losses()[1].path.to_string(), "array[0].object.properties[0]");
    assert_eq!(conversion.lossy(), array([fields]));
}

#[test]
fn scripts_of_objects_are_lost_where_their_form_changed() {
    let scripted = |script: Variant| full("Node", vec![("script", script)]);
    let path = scripted("res://a.gd".into());
    assert_eq!(becomes(path.clone(), "godot4.3", "godot4.6"), (path.clone(), vec![]));
    let lost = (scripted(Variant::Nil), vec![LossKind::Script]);
    assert_eq!(becomes(path, "godot4.3", "godot4.2"), lost);
    assert_eq!(becomes(scripted(full("GDScript", vec![])), "godot4.2", "godot4.3"), lost);
    let none = scripted(Variant::Nil);
    assert_eq!(becomes(none.clone(), "godot4.2", "godot4.3"), (none, vec![]));
}

#[test]
fn keys_that_become_equal_become_one() {
    let pairs: Dictionary = vec![
        (Variant::StringName("a".into()), Variant::Int(1)),
        ("b".into(), Variant::Int(2)),
        ("a".into(), Variant::Int(3)),
    ]
    .into();
    let one = dictionary([("a", Variant::Int(3)), ("b", Variant::Int(2))]);
    let conversion =
        convert::<f32, f32>(Variant::Dictionary(pairs.clone()), "pandemonium", "godot3");
    let kinds: Vec<_> = conversion.losses().iter().map(|loss| loss.kind).collect();
    assert_eq!(kinds, [LossKind::Type, LossKind::Key]);
    assert_eq!(conversion.losses()[0].path.to_string(), "dictionary[0].key");
    assert_eq!(conversion.losses()[1].path.to_string(), "dictionary[2].key");
    assert_eq!(conversion.lossy(), one);
    // To Godot 4 the two are one key without a change of type.
    let (kept, kinds) = becomes(Variant::Dictionary(pairs), "pandemonium", "godot4");
    assert_eq!(kinds, [LossKind::Key]);
    assert_eq!(kept.as_dictionary().map(|pairs| pairs.len()), Some(2));
}

#[test]
fn losses_are_listed_as_far_as_there_is_room_and_all_of_them_count() {
    let cells = |count| Variant::from(vec![Variant::from(Vector2i::new(3, 4)); count]);
    let conversion = convert::<f32, f32>(cells(70_000), "godot4", "godot3");
    assert_eq!((conversion.losses().len(), conversion.unlisted()), (65_536, 70_000 - 65_536));
    let error = conversion.exact().unwrap_err();
    assert!(error.found().ends_with("and 69999 more losses"), "{error}");
    // Of deep ones a path takes more than the value.
    let deep = (0..1000).fold(cells(2000), |value, _| Variant::from(vec![value]));
    let conversion = convert::<f32, f32>(deep, "godot4", "godot3.6");
    let listed = conversion.losses().len() as u64;
    assert!((100..1000).contains(&listed), "{listed}");
    assert_eq!(listed + conversion.unlisted(), 2000);
    assert!(conversion.losses()[0].place.contains("(... 977 steps ...)"));
}

#[test]
fn deep_values_convert_on_a_small_stack_and_lose_what_lies_too_deep() {
    fn nested(depth: u32) -> Variant {
        (0..depth).fold(Variant::Int(7), |value, level| match level % 2 {
            0 => array([value]),
            _ => dictionary([("a", value)]),
        })
    }
    let small = || {
        // As scripts of Godot 2 make it, and so without a loss.
        let marked = (0..1024).fold(Variant::Int(7), |value, level| match level % 2 {
            0 => {
                let mut array = Array::from(vec![value]);
                array.set_shared(true);
                Variant::Array(array)
            }
            _ => shared([("a", value)]),
        });
        let (value, kinds) = becomes(marked, "godot2", "godot4");
        assert_eq!((value == nested(1024), kinds), (true, vec![]));
        let conversion = convert::<f32, f32>(nested(4096), "godot3.2", "godot4");
        let [loss] = conversion.losses() else { panic!("{:?}", conversion.losses()) };
        assert_eq!(loss.kind, LossKind::Depth);
        assert_eq!(loss.path.steps().len(), 512 * 2 + 512 * 3);
        assert!(loss.to_string().contains("steps"), "{loss}");
        assert!(convert::<f32, f32>(nested(4096), "godot3.2", "godot2").losses().is_empty());
    };
    thread::Builder::new().stack_size(256 << 10).spawn(small).unwrap().join().unwrap();
    let shallow = Converter::new(Dialect::GODOT3, Dialect::GODOT4).limits(Limits::new().depth(1));
    let conversion = shallow.convert(nested(2));
    assert_eq!(conversion.losses()[0].path.to_string(), "dictionary[0].value");
    assert_eq!(conversion.lossy(), dictionary([("a", array([]))]));
}

#[test]
fn joystick_motion_has_a_position_from_godot_2_1_on() {
    let event = |value| {
        let kind = InputEventKind::JoystickMotion { axis: 1, value };
        Variant::InputEvent(InputEvent { device: 0, kind })
    };
    let lost = vec![LossKind::JoystickValue];
    assert_eq!(becomes(event(Some(0.5)), "godot2", "godot2.0"), (event(None), lost.clone()));
    assert_eq!(becomes(event(None), "godot2.0", "godot2"), (event(Some(0.0)), lost));
}

#[test]
fn an_image_that_godot_2_would_not_keep_becomes_an_empty_one() {
    let image = Image { format: 3, width: 9, height: 9, ..Image::default() };
    let lost = (Image::default().into(), vec![LossKind::Image]);
    assert_eq!(becomes(image, "godot2", "godot2"), lost);
}

#[test]
fn a_container_of_godot_2_that_is_not_shared_is_a_loss() {
    let own = dictionary([("a", array([]))]);
    let lost = vec![LossKind::Shared, LossKind::Shared];
    assert_eq!(becomes(own.clone(), "godot2", "godot3"), (own.clone(), lost));
    assert_eq!(becomes(own.clone(), "godot2", "godot2.0"), (own, vec![]));
    assert_eq!(
        line(array([]), "godot2", "godot3"),
        "Array that is not shared becomes Array that is: godot3.6 shares every container between the \
         variables that hold it; this one would be copied"
    );
    let made = becomes(shared([("a", 1.into())]), "godot2", "godot3");
    assert_eq!(made, (dictionary([("a", 1.into())]), vec![]));
}

#[test]
fn the_number_of_an_object_does_not_become_itself() {
    let id = Variant::Object(Object::Id(1673));
    assert_eq!(
        line(id, "godot3", "godot4"),
        "object number 1673 becomes a number without an object: godot4.7 does not have the object with \
         this number, which lived in the engine that wrote it"
    );
}

#[test]
fn containers_are_shared_on_the_way_to_godot_2() {
    let save = shared([("a", Variant::Int(1))]);
    assert_eq!(
        becomes(dictionary([("a", Variant::Int(1))]), "godot3", "godot2"),
        (save.clone(), vec![])
    );
    assert_eq!(becomes(save.clone(), "godot2", "godot3").0, dictionary([("a", Variant::Int(1))]));
    let own = dictionary([("a", Variant::Int(1))]);
    assert_eq!(becomes(own.clone(), "godot2", "godot2.0"), (own, vec![]));
    assert_eq!(becomes(save.clone(), "godot2", "godot2.0"), (save, vec![]));
}

#[test]
fn all_losses_are_listed_where_they_are() {
    let items = array([Vector2i::new(1, 2).into(), Variant::Int(3), Variant::Callable]);
    let save = dictionary([("player", dictionary([("items\n", items)])), ("x", Variant::Rid(9))]);
    let conversion = convert::<f32, f32>(save, "godot4", "godot3");
    let places: Vec<_> = conversion
        .losses()
        .iter()
        .map(|loss| (loss.path.to_string(), loss.place.as_str(), loss.variant_type))
        .collect();
    assert_eq!(
        places,
        [
            (
                "dictionary[0].value.dictionary[0].value.array[0]".to_owned(),
                "player/items\u{fffd}/0",
                VariantType::Vector2i
            ),
            (
                "dictionary[0].value.dictionary[0].value.array[2]".to_owned(),
                "player/items\u{fffd}/2",
                VariantType::Callable
            ),
            ("dictionary[1].value".to_owned(), "x", VariantType::Rid),
        ]
    );
    let error = conversion.exact().unwrap_err();
    assert_eq!(error.rule().name(), "convert.loss");
    assert_eq!(error.path().to_string(), "dictionary[0].value.dictionary[0].value.array[0]");
    assert!(error.found().ends_with("and 2 more losses"), "{error}");
}

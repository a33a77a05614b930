//! Resources and scenes in binary files, as real engines saved them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use formwork_godot::inspect::{Inspector, Kind};
use formwork_godot::resource;
use formwork_godot::resource::content;
use formwork_godot::resource::{Content, Head, Resource, read};
use formwork_variant::frame::ByteOrder;
use formwork_variant::{
    Color, Dictionary, NodePath, Object, Projection, Transform3D, Vector2, Vector2i, Vector4,
};
use formwork_variant::{Decoder, Error, ErrorKind, Limits, Rule, Variant};

fn folder() -> PathBuf {
    formwork_testkit::formats().join("resource/samples")
}

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(folder().join(name)).expect("the sample is there")
}

/// All samples, with their names.
fn samples() -> Vec<(String, Vec<u8>)> {
    let mut samples = Vec::new();
    for engine in ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"] {
        for entry in std::fs::read_dir(folder().join(engine)).expect("the folder is there") {
            let name = format!("{engine}/{}", entry.unwrap().file_name().to_str().unwrap());
            let bytes = sample(&name);
            samples.push((name, bytes));
        }
    }
    samples.sort();
    assert_eq!(samples.len(), 20);
    samples
}

fn opened(bytes: &[u8]) -> Content<'_> {
    content(bytes, &Limits::default()).expect("the file can be unpacked")
}

fn resource(bytes: &[u8]) -> Result<Resource, Error> {
    let content = content(bytes, &Limits::default())?;
    read(&content, &Decoder::new(Head::of(&content)?.dialect()))
}

/// The values that the sample scripts put into the metadata of a resource, by name.
fn values(resource: &Resource) -> BTreeMap<String, Variant> {
    let mut values = BTreeMap::new();
    let mut add = |dictionary: &Dictionary| {
        for (key, value) in dictionary.iter() {
            values.insert(key.to_string(), value.clone());
        }
    };
    for (name, value) in &resource.internal.last().unwrap().properties {
        match value {
            Variant::Dictionary(all) if *name == "__meta__" => {
                for (_, value) in all.iter() {
                    if let Variant::Dictionary(one) = value {
                        add(one);
                    }
                }
            }
            Variant::Dictionary(one) => add(one),
            _ => {}
        }
    }
    values
}

#[test]
fn the_head_names_the_engine_and_the_class() {
    for (name, engine, dialect, format, class) in [
        ("godot-3.2.3/values.res", "Godot 3.2", "godot3.2", 3, "Resource"),
        ("godot-3.6.2/room.scn", "Godot 3.6", "godot3.6", 3, "PackedScene"),
        ("godot-4.6.3/values-packed.res", "Godot 4.6", "godot4.6", 6, "Resource"),
        ("godot-4.6.3/gradient.res", "Godot 4.6", "godot4.6", 6, "Gradient"),
    ] {
        let bytes = sample(name);
        let head = Head::of(&opened(&bytes)).unwrap();
        assert_eq!((head.engine(), head.dialect().name()), (engine.into(), dialect.into()));
        assert_eq!((head.format, head.class.as_str()), (format, Some(class)));
    }
    let bytes = sample("godot-4.6.3/hero.res");
    let hero = resource(&bytes).unwrap();
    assert_eq!(hero.head.script_class.as_ref().unwrap(), "Hero");
    assert_eq!(hero.external.len(), 1);
    assert_eq!(
        (&hero.external[0].class, &hero.external[0].path),
        (&"Script".into(), &"res://hero.gd".into())
    );
    assert_eq!(hero.external[0].uid, None);
    let mut known = bytes.clone();
    let at = bytes.windows(14).position(|part| part == b"res://hero.gd\0").unwrap() + 14;
    assert_eq!(known[at..at + 8], [0xff; 8]);
    known[at..at + 8].copy_from_slice(&77_i64.to_le_bytes());
    assert_eq!(resource(&known).unwrap().external[0].uid, Some(77));
    let main = hero.internal.last().unwrap();
    assert_eq!(main.property("hp"), Some(&Variant::Int(7)));
    assert_eq!(main.property("bag").unwrap()[1], Variant::StringName("rope".into()));
}

#[test]
fn values_of_every_type_are_what_was_saved() {
    for engine in ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"] {
        let resource = resource(&sample(&format!("{engine}/values.res"))).unwrap();
        let values = values(&resource);
        assert!(values.len() > 30, "{engine}: {}", values.len());
        let is = |name: &str, value: Variant| assert_eq!(values[name], value, "{engine}: {name}");
        is("\"nothing\"", Variant::Nil);
        is("\"yes\"", Variant::Bool(true));
        is("\"small\"", Variant::Int(-7));
        is("\"large\"", Variant::Int(i64::MAX));
        is("\"most\"", Variant::Int(i32::MAX.into()));
        is("\"below\"", Variant::Int(-2_147_483_649));
        is("\"half\"", Variant::Float(0.5));
        is("\"tenth\"", Variant::Float(0.1));
        is("\"text\"", "Größe 漢 🍺".into());
        is("\"vector2\"", Vector2::new(1.5, -2.0).into());
        is("\"color\"", Color::new(0.1, 0.2, 0.3, 0.4).into());
        let path = NodePath::parse(&"/root/player/hand:position:x".into());
        is("\"path\"", Variant::NodePath(Box::new(path)));
        is("\"bytes\"", Variant::PackedByteArray(vec![1, 2, 3, 4, 5]));
        is("\"ints\"", Variant::PackedInt32Array(vec![1, -2, i32::MAX]));
        is("\"texts\"", Variant::PackedStringArray(vec!["one".into(), "zwölf".into(), "".into()]));
        is("\"vector2s\"", vec![Vector2::new(1.0, 2.0), Vector2::new(3.0, 4.0)].into());
        is("7", "a number".into());
        assert_eq!(values["\"list\""][2][1]["four"], 4);
        assert_eq!(values["\"list\""][3], Variant::Array(Vec::new().into()));
        if engine.starts_with("godot-4") {
            is("\"name\"", Variant::StringName("a name".into()));
            is("\"vector2i\"", Vector2i::new(1, -2).into());
            is("\"longs\"", Variant::PackedInt64Array(vec![1, i64::MIN]));
            is("\"vector4s\"", vec![Vector4::new(1.0, 2.0, 3.0, 4.0)].into());
            is("\"signal\"", Variant::Signal(Box::default()));
            assert!(matches!(&values["\"projection\""], Variant::Projection(it)
                if **it == Projection::from_array(std::array::from_fn(|at| f32::from(u8::from(at % 5 == 0))))));
            assert!(matches!(&values["\"transform3d\""], Variant::Transform3D(it)
                if Transform3D::to_array(**it)[9..] == [7.0, 8.0, 9.0]));
        }
    }
}

#[test]
fn the_order_of_bytes_and_compression_make_no_difference() {
    for engine in ["godot-3.2.3", "godot-4.6.3"] {
        let plain = resource(&sample(&format!("{engine}/values.res"))).unwrap();
        for other in ["values-big-endian.res", "values-packed.res"] {
            let bytes = sample(&format!("{engine}/{other}"));
            let other = resource(&bytes).unwrap();
            let is_packed = bytes.starts_with(b"RSCC");
            let order = if is_packed { ByteOrder::Little } else { ByteOrder::Big };
            assert_eq!(other.head.order, order, "{engine}");
            assert_eq!(other.external, plain.external);
            assert_eq!(values(&other), values(&plain), "{engine}");
            assert_eq!(other.internal.len(), plain.internal.len());
        }
    }
}

#[test]
fn references_lead_to_resources() {
    for (engine, texture) in
        [("godot-3.2.3", "GradientTexture"), ("godot-4.6.3", "GradientTexture1D")]
    {
        let resource = resource(&sample(&format!("{engine}/values.res"))).unwrap();
        let classes: Vec<_> = resource.internal.iter().map(|it| it.class.to_string()).collect();
        assert_eq!(classes, ["Gradient", texture, "Resource"], "{engine}");
        let reference = resource.internal[1].property("gradient").unwrap();
        let Variant::Object(Object::Full(reference)) = reference else { panic!("{reference}") };
        assert_eq!(
            (reference.class.as_str(), reference.property("index")),
            (Some("SubResource"), Some(&0.into()))
        );
        assert_eq!(resource.external[0].path, "res://other.res");
        let text = format!("{:?}", resource.internal[2].properties);
        assert!(text.contains("ExtResource"), "{text}");
    }
}

#[test]
fn a_scene_is_a_resource_like_any_other() {
    for engine in ["godot-3.2.3", "godot-3.6.2", "godot-4.6.3"] {
        let scene = resource(&sample(&format!("{engine}/room.scn"))).unwrap();
        let bundled = scene.internal.last().unwrap().property("_bundled").unwrap();
        let names = format!("{:?}", bundled["names"]);
        assert!(names.contains("Room") && names.contains("Lamp"), "{names}");
        let value = scene.into_value();
        assert_eq!(value["class"], "PackedScene");
    }
}

/// Returns the inspector's results: bytes in leaves, and the fault.
fn walked(content: &Content<'_>) -> (u64, Option<Error>) {
    let head = Head::of(content);
    let mut inspector = Inspector::of_record(&content.bytes, "resource", content.record());
    if let Ok(head) = &head {
        let dialect = head.dialect();
        inspector = inspector.in_dialect(dialect).in_resource(head.layout(dialect));
    }
    let (mut read, mut fault) = (0, None);
    for item in inspector {
        match item {
            Ok(span) => {
                // The line about it may not panic either.
                let _ = format!("{:.40}", span.value);
                if span.kind == Kind::Leaf {
                    read += span.length.unwrap();
                }
            }
            Err(error) => fault = Some(error),
        }
    }
    (read, fault)
}

#[test]
fn the_inspector_reads_a_resource_to_its_last_byte() {
    for (name, bytes) in samples() {
        let content = opened(&bytes);
        assert_eq!(walked(&content), (content.bytes.len() as u64, None), "{name}");
    }
}

#[test]
fn the_inspector_shows_numbers_in_either_order() {
    let shown = |name: &str| {
        let bytes = sample(name);
        let content = opened(&bytes);
        let head = Head::of(&content).unwrap();
        let spans = Inspector::of_record(&content.bytes, "resource", content.record())
            .in_dialect(head.dialect())
            .in_resource(head.layout(head.dialect()))
            .list_elements(true);
        let leaves = spans.map(Result::unwrap).filter(|span| span.kind == Kind::Leaf);
        leaves.map(|span| (span.offset, span.value.to_string())).collect::<Vec<_>>()
    };
    for engine in ["godot-3.2.3", "godot-4.6.3"] {
        let little = shown(&format!("{engine}/values.res"));
        let big = shown(&format!("{engine}/values-big-endian.res"));
        assert_eq!(little.len(), big.len());
        let differing: Vec<_> =
            little.iter().zip(&big).filter(|(one, other)| one != other).collect();
        // The word that gives the byte order.
        assert_eq!(differing, [(&(4, "0".to_owned()), &(4, "1".to_owned()))]);
    }
}

#[test]
fn the_inspector_shows_the_names_of_properties() {
    for (name, property) in [
        ("godot-4.6.3/hero.res", "\"hp\": 7"),
        ("godot-3.2.3/values-big-endian.res", "\"width\": 16"),
    ] {
        let bytes = sample(name);
        let content = opened(&bytes);
        let head = Head::of(&content).unwrap();
        let spans = Inspector::of_record(&content.bytes, "resource", content.record())
            .in_dialect(head.dialect())
            .in_resource(head.layout(head.dialect()));
        let values: Vec<_> = spans.map(|span| span.unwrap().value.to_string()).collect();
        assert!(values.iter().any(|value| value == property), "{values:?}");
    }
}

#[test]
fn every_prefix_of_a_resource_is_refused() {
    for (name, whole) in samples() {
        let step = if whole.len() > 2000 { 7 } else { 1 };
        // The mark at the end of a compressed file is not looked at and may be missing.
        let end = whole.len() - if whole.starts_with(b"RSCC") { 4 } else { 0 };
        for length in (0..end).step_by(step) {
            let cut = &whole[..length];
            let error = resource(cut).expect_err("a part is no resource");
            let is_cut = matches!(error.kind(), ErrorKind::Incomplete { .. });
            assert!(is_cut || length < 4, "{name}, {length}: {error}");
            assert!(error.offset() <= length as u64, "{name}, {length}: {error}");
            if let Ok(content) = content(cut, &Limits::default()) {
                let (read, fault) = walked(&content);
                assert!(fault.is_some() && read <= length as u64, "{name}, {length}");
            }
        }
    }
}

#[test]
fn bytes_that_are_changed_give_a_resource_or_an_error() {
    for name in ["godot-3.2.3/room.scn", "godot-4.6.3/theme.res", "godot-4.6.3/hero.res"] {
        let whole = sample(name);
        for at in 0..whole.len() {
            for bit in [0, 4, 7] {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                let read = resource(&bytes);
                if let Ok(content) = content(&bytes, &Limits::default()) {
                    let (_, fault) = walked(&content);
                    // What the inspector cannot read the reader cannot read either.
                    assert!(fault.is_none() || read.is_err(), "{name}, {at}, {bit}: {fault:?}");
                }
            }
        }
    }
}

/// A file with these names and these bytes of properties of its only resource.
fn made(names: &[&str], count: u32, properties: &[u8]) -> Vec<u8> {
    let mut bytes = b"RSRC".to_vec();
    let word = |bytes: &mut Vec<u8>, word: u32| bytes.extend(word.to_le_bytes());
    let text = |bytes: &mut Vec<u8>, text: &str| {
        bytes.extend((text.len() as u32 + 1).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.push(0);
    };
    [0, 0, 3, 6, 3].into_iter().for_each(|number| word(&mut bytes, number));
    text(&mut bytes, "Resource");
    bytes.extend([0; 64]);
    word(&mut bytes, names.len() as u32);
    names.iter().for_each(|name| text(&mut bytes, name));
    [0, 1].into_iter().for_each(|number| word(&mut bytes, number));
    text(&mut bytes, "local://1");
    let offset = bytes.len() as u64 + 8;
    bytes.extend(offset.to_le_bytes());
    text(&mut bytes, "Resource");
    word(&mut bytes, count);
    bytes.extend(properties);
    bytes.extend(b"RSRC");
    bytes
}

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

#[test]
fn a_resource_may_refer_to_itself() {
    // me = SubResource(1), lost = SubResource(9), other = ExtResource(0), of which there is none.
    let properties = words(&[0, 24, 2, 1, 1, 24, 2, 9, 2, 24, 3, 0]);
    let read = resource(&made(&["me", "lost", "other"], 3, &properties)).unwrap();
    let value = |at: usize| format!("{:?}", read.internal[0].properties[at].1);
    assert!(value(0).contains("SubResource") && value(0).contains("index"), "{}", value(0));
    assert!(value(1).contains("missing") && value(1).contains("Int(9)"), "{}", value(1));
    assert!(value(2).contains("ExtResource") && value(2).contains("missing"), "{}", value(2));
}

#[test]
fn counts_that_lie_are_refused_before_memory_is_taken() {
    for kind in [26, 30, 31, 32, 34, 35] {
        let properties = words(&[0, kind, 0x7fff_fff0]);
        let error = resource(&made(&["a"], 1, &properties)).unwrap_err();
        assert_eq!(error.rule(), Rule::INPUT_COMPLETE, "{kind}: {error}");
    }
    assert_eq!(resource(&made(&["a"], u32::MAX, &[])).unwrap_err().rule(), Rule::INPUT_COMPLETE);
    // Nested arrays that all announce as many elements as only one could have.
    let deep: Vec<u32> = std::iter::once(0).chain((0..300).flat_map(|_| [30, 100])).collect();
    assert_eq!(resource(&made(&["a"], 1, &words(&deep))).unwrap_err().rule(), Rule::INPUT_COMPLETE);
    // The words of a real file, one after another.
    let whole = sample("godot-4.6.3/gradient.res");
    for at in (4..whole.len() - 4).step_by(4) {
        let mut bytes = whole.clone();
        bytes[at..at + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let _ = resource(&bytes);
        bytes[at..at + 4].copy_from_slice(&0x7fff_ffff_u32.to_le_bytes());
        let _ = resource(&bytes);
    }
}

#[test]
fn names_that_are_given_too_often_are_refused() {
    let name = "n".repeat(5000);
    let properties: Vec<u32> = (0..5000).flat_map(|_| [0, 1]).collect();
    let bytes = made(&[&name], 5000, &words(&properties));
    assert_eq!(resource(&bytes).unwrap_err().rule(), resource::rule::NAMES);
    let few = made(&[&name], 10, &words(&properties[..20]));
    assert_eq!(resource(&few).unwrap().internal[0].properties.len(), 10);
}

#[test]
fn nesting_is_limited_without_stack() {
    let deep = |depth: usize| {
        let mut list = vec![0];
        list.extend((0..depth).flat_map(|_| [30, 1]));
        list.push(1);
        made(&["a"], 1, &words(&list))
    };
    assert!(resource(&deep(4096)).is_ok());
    let error = resource(&deep(4097)).unwrap_err();
    assert_eq!(error.rule(), Rule::DEPTH_LIMIT);
    assert_eq!(resource(&deep(200_000)).unwrap_err().rule(), Rule::DEPTH_LIMIT);
    let bytes = deep(50_000);
    let (_, fault) = walked(&opened(&bytes));
    assert_eq!(fault, None);
}

#[test]
fn errors_say_where_in_a_resource() {
    let error = resource(&made(&["a"], 1, &words(&[0, 30, 2, 1, 99]))).unwrap_err();
    assert_eq!(error.rule(), resource::rule::TYPE);
    assert_eq!(error.path().to_string(), "resource.resources[0].properties[0].array[1]");
    // An array of nine elements, of which there are two.
    let error = resource(&made(&["a"], 1, &words(&[0, 30, 9, 1]))).unwrap_err();
    assert_eq!((error.rule(), error.needed()), (Rule::INPUT_COMPLETE, Some(7 * 4)));
    assert_eq!(error.path().to_string(), "resource.resources[0].properties[0].array");
    let error = resource(&made(&["a"], 1, &words(&[7, 1]))).unwrap_err();
    assert_eq!(error.rule(), resource::rule::NAME);
    assert_eq!(error.path().to_string(), "resource.resources[0].properties[0].name");
    let mut bytes = made(&["a"], 0, &[]);
    bytes.push(0);
    assert_eq!(resource(&bytes).unwrap_err().rule(), Rule::INPUT_TRAILING);
    // The place of the resource in the table.
    let mut bytes = made(&["a"], 0, &[]);
    let at = bytes.len() - 4 - 4 - 13 - 8;
    bytes[at] ^= 4;
    let error = resource(&bytes).unwrap_err();
    assert_eq!(
        (error.rule(), error.path().to_string()),
        (resource::rule::OFFSET, "resource.resources[0]".into())
    );
    let mut bytes = made(&["a"], 0, &[]);
    bytes[20] = 7;
    assert_eq!(resource(&bytes).unwrap_err().rule(), resource::rule::FORMAT);
    assert_eq!(resource(b"RSRD").unwrap_err().path().to_string(), "resource.magic");
}

#[test]
fn node_paths_of_old_formats_have_a_property() {
    // Format 2 in Godot 2: one name, no subname, and the property.
    let mut bytes = made(&["a", "player", "x"], 1, &words(&[0, 22, 0x8000_0001, 1, 2]));
    bytes[12] = 2;
    bytes[16] = 1;
    bytes[20] = 2;
    let read = resource(&bytes).unwrap();
    assert_eq!(read.head.engine(), "Godot 2.1");
    let Variant::NodePath(path) = &read.internal[0].properties[0].1 else { panic!() };
    assert_eq!(
        (path.to_string(), path.property.as_ref().unwrap()),
        ("/player:x".into(), &"x".into())
    );
    let content = opened(&bytes);
    assert_eq!(walked(&content), (bytes.len() as u64, None));
}

#[test]
fn the_inspector_names_a_type_as_the_engine_of_the_file_numbers_it() {
    // A Vector2i: 45 in Godot 4, 42 in Pandemonium.
    let mut bytes = made(&["at"], 1, &words(&[0, 42, 3, 4]));
    bytes[12] = 3;
    bytes[16] = 8;
    let content = opened(&bytes);
    let head = Head::of(&content).unwrap();
    assert!(head.dialect().name().starts_with("pandemonium"), "{}", head.dialect());
    let spans = Inspector::of_record(&content.bytes, "resource", content.record())
        .in_dialect(head.dialect())
        .in_resource(head.layout(head.dialect()));
    let shown: Vec<_> = spans.map(|span| span.unwrap().value.to_string()).collect();
    assert!(shown.iter().any(|it| it == "42 Vector2i"), "{shown:?}");
    assert!(!shown.iter().any(|it| it.contains("Callable")), "{shown:?}");
}

#[test]
fn a_newer_format_is_refused_and_its_head_can_be_read() {
    let mut bytes = made(&["a"], 0, &[]);
    bytes[20] = 7;
    let content = opened(&bytes);
    assert_eq!(Head::of(&content).unwrap_err().rule(), resource::rule::FORMAT);
    let head = Head::of_newer(&content).expect("it is newer");
    assert_eq!((head.format, head.class.to_string()), (7, "Resource".to_owned()));
    bytes[20] = 6;
    assert_eq!(Head::of_newer(&opened(&bytes)), None);
}

/// Returns another value of the type that takes as many bytes, and whether it is a number.
fn changed(value: &Variant) -> Option<Variant> {
    Some(match value {
        Variant::Bool(it) => Variant::Bool(!it),
        Variant::Int(it) => Variant::Int(it ^ 1),
        Variant::Float(it) => Variant::Float(if *it == 2.5 { 3.5 } else { 2.5 }),
        Variant::Vector2(_) => Variant::Vector2(Vector2 { x: 7.5, y: -1.0 }),
        Variant::Color(_) => Variant::Color(Color { r: 0.25, g: 0.5, b: 1.0, a: 0.125 }),
        Variant::Vector2i(_) => Variant::Vector2i(Vector2i { x: -7, y: 1 << 20 }),
        Variant::PackedInt32Array(all) => {
            Variant::PackedInt32Array(all.iter().map(|it| it ^ 3).collect())
        }
        Variant::PackedFloat32Array(all) => {
            Variant::PackedFloat32Array(all.iter().map(|_| 0.75).collect())
        }
        _ => return None,
    })
}

/// Changes the first value of each property that is a number, in arrays and dictionaries too; how many.
fn change(value: &mut Variant) -> usize {
    match value {
        Variant::Array(all) => all.iter_mut().map(change).sum(),
        Variant::Dictionary(all) => {
            let keys = all.keys().filter_map(Variant::as_str).map(str::to_owned);
            let mut count = 0;
            for key in keys.collect::<Vec<_>>() {
                count += all.get_mut(&key).map_or(0, change);
            }
            count
        }
        other => match changed(other) {
            Some(new) => {
                *other = new;
                1
            }
            None => 0,
        },
    }
}

#[test]
fn numbers_are_changed_where_they_are_and_nothing_else_is() {
    let mut most = 0;
    for (name, bytes) in samples() {
        let content = opened(&bytes);
        let decoder: Decoder = Decoder::new(Head::of(&content).unwrap().dialect());
        let old = read(&content, &decoder).unwrap().into_value();
        assert_eq!(
            resource::with_numbers(&content, &decoder, &old).as_deref(),
            Ok(&*content.bytes)
        );
        let mut new = old.clone();
        let mut count = 0;
        for resource in new.at_mut("resources").and_then(Variant::as_array_mut).unwrap() {
            if let Some(Variant::Object(Object::Full(object))) = resource.at_mut("resource") {
                count += object.properties.iter_mut().map(|it| change(&mut it.1)).sum::<usize>();
            }
        }
        most = most.max(count);
        let written = resource::with_numbers(&content, &decoder, &new);
        let written = written.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(written.len(), content.bytes.len());
        let again = Content { bytes: written.into(), unpacked: content.unpacked };
        assert!(read(&again, &decoder).unwrap().into_value().is_identical(&new), "{name}");
        // In the file as it was compressed, too.
        let file = formwork_godot::resource::with_content(&bytes, &again, &Limits::default());
        let file = file.unwrap();
        assert_eq!(file[..4], bytes[..4]);
        assert_eq!(opened(&file).bytes, again.bytes, "{name}");
    }
    assert!(most > 15, "{most}");
}

#[test]
fn what_would_move_other_bytes_is_refused() {
    let bytes = sample("godot-4.6.3/hero.res");
    let content = opened(&bytes);
    let decoder: Decoder = Decoder::new(Head::of(&content).unwrap().dialect());
    let old = read(&content, &decoder).unwrap().into_value();
    let refused = |change: &dyn Fn(&mut Variant)| {
        let mut new = old.clone();
        change(&mut new);
        assert!(!new.is_identical(&old));
        let error = resource::with_numbers(&content, &decoder, &new).unwrap_err();
        assert_eq!(error.rule().name(), "resource.fixed");
    };
    refused(&|new| *new.at_mut("class").unwrap() = "Other".into());
    refused(&|new| *new.at_mut("format").unwrap() = Variant::Int(2));
    refused(&|new| drop(new.at_mut("resources").unwrap().as_array_mut().unwrap().pop()));
    refused(&|new| *new = Variant::Nil);
    // An int of 32 bits, a number for another type, a text, and another count.
    refused(&|new| *hero(new, "hp") = Variant::Int(1 << 40));
    refused(&|new| *hero(new, "hp") = Variant::Float(1.0));
    refused(&|new| hero(new, "bag").as_array_mut().unwrap()[0] = "torch".into());
    refused(&|new| hero(new, "bag").as_array_mut().unwrap().push(Variant::Nil));
    refused(&|new| drop(hero(new, "bag").as_array_mut().unwrap().pop()));
}

/// Returns a property of the only resource.
fn hero<'v>(value: &'v mut Variant, name: &str) -> &'v mut Variant {
    let resource = &mut value.at_mut("resources").and_then(Variant::as_array_mut).unwrap()[0];
    let Some(Variant::Object(Object::Full(object))) = resource.at_mut("resource") else { panic!() };
    &mut object.properties.iter_mut().find(|it| it.0 == name).unwrap().1
}

//! Documents as JSON.

use std::fmt::Write as _;

use formwork::Deferred;
use formwork::ErrorKind;
use formwork_alb1::json::Style;
use formwork_alb1::json::{DocumentJson, from_json, is_document, to_json};
use formwork_alb1::recover::{Recovered, recover};
use formwork_alb1::terrain::{Polygon, Root, Shape, ShapeLayer, Vertex};
use formwork_alb1::tree::{BoundingBox, Children, Group, Leaf, Node, Object, Tree, Version};
use formwork_alb1::{Document, Field, Text, Value};
use formwork_records::limits::Limits;

use crate::corpus::each_sample;
use crate::document::everything;

#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn every_real_file_comes_back_byte_for_byte() {
    let mut sizes = (0, 0);
    let count = each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        // The layouts do not differ inside a tree or base64, of which nearly all is: each once.
        let pretty = DocumentJson::new().style(Style::Pretty);
        for form in [DocumentJson::new(), pretty.trees(true)] {
            let json = form.to_string(&document).unwrap();
            assert!(is_document(json.as_bytes()));
            let again = from_json(json.as_bytes()).unwrap();
            assert!(again.to_vec().unwrap() == sample.bytes, "{}", sample.name);
            sizes.0 += sample.bytes.len();
            sizes.1 += json.len();
        }
    });
    println!("{count} real files, {} bytes as {} of JSON", sizes.0, sizes.1);
}

/// A layer with this tree.
fn layer(tree: Vec<u8>, version: Version) -> Document {
    let mut document = Document::new("CLayer");
    let tag = |name: &str| document.tags.id(name).unwrap();
    let version = Value::SignedInt(version.layer_version());
    document.root.fields = vec![
        Field::new(tag("mlayerVersion"), version),
        Field::new(tag("tree"), Value::Raw(tree.into())),
    ];
    document
}

/// A tree with an object whose numbers are as odd as can be.
fn tree(version: Version) -> Tree {
    let kind = Children::Leaves.kind();
    let node = Node {
        kind,
        bounds: BoundingBox { x0: -0.0, y0: f64::NEG_INFINITY, x1: 0.5, y1: f64::NAN },
        level: -7,
        colour: 0xFF00_0001.into(),
        children: 0b0101.into(),
        nw: formwork::Nested,
        ne: formwork::Nested,
        sw: formwork::Nested,
        se: formwork::Nested,
    };
    let leaf = |group_count| Leaf {
        bounds: BoundingBox::default(),
        colour: 0.into(),
        template: u32::MAX,
        group_count,
        groups: Deferred::HERE,
    };
    let object = Object {
        x: f64::from_bits(0x7FF4_0000_0000_0001),
        y: 0.1,
        yaw: 0.1,
        pitch: f32::from_bits(0x7FA0_0001),
        roll: -0.0,
        scale: f32::INFINITY,
        z: 1e-45,
        id: u32::MAX,
    };
    Tree {
        version,
        nodes: vec![node],
        leaves: vec![leaf(2), leaf(0)],
        groups: vec![
            Group { object_count: 1, template: 5, objects: Deferred::HERE },
            Group { object_count: 0, template: 0, objects: Deferred::HERE },
        ],
        objects: vec![object],
    }
}

#[test]
fn a_quadtree_is_shown_as_nodes_and_comes_back() {
    let form = DocumentJson::new().trees(true);
    for version in [Version::V3, Version::V4] {
        let document = layer(tree(version).to_vec().unwrap(), version);
        let json = form.to_string(&document).unwrap();
        assert!(json.contains(r#""value":{"$tree":{"version":"#), "{json}");
        assert!(json.contains(r#""objects":[{"x":{"$float":"nan:0x7ff4000000000001"},"y":0.1,"#));
        assert!(from_json(json.as_bytes()).unwrap().is_identical(&document), "{json}");
        for (from, to, path, expected) in [
            (r#","children":5"#, "", "tree[0]", "a node: kind"),
            (r#""children":5"#, r#""children":7"#, "tree", "a tree: a leaf"),
            (r#""id":4294967295"#, r#""id":-1"#, "tree[1]", "a number from 0"),
            (r#","id":4294967295"#, "", "tree[1]", "the members x, y"),
            (r#"{"$tree":{"version":"#, r#"{"$tree":{"version":1"#, "tree", "3 or 4"),
        ] {
            assert!(json.contains(from), "{from}");
            let error = from_json(json.replacen(from, to, 1).as_bytes()).unwrap_err();
            assert!(error.expected().contains(expected), "{error}");
            assert!(error.path().to_string().starts_with(path), "{error}");
        }
    }
    // A field that is no tree is unchanged.
    let document = layer(vec![1, 2, 3], Version::V4);
    let json = form.to_string(&document).unwrap();
    assert!(json.contains(r#"{"$raw":"AQID"}"#), "{json}");
}

#[test]
fn every_type_survives_bit_for_bit() {
    let document = everything();
    for style in [Style::Compact, Style::Pretty] {
        let json = to_json(&document, style).unwrap();
        let again = from_json(json.as_bytes()).unwrap();
        assert!(again.is_identical(&document), "{json}");
        let mut streamed = Vec::new();
        DocumentJson::new().style(style).write(&document, &mut streamed).unwrap();
        assert_eq!(streamed, json.as_bytes());
    }
}

#[test]
fn floats_are_written_in_their_own_width() {
    let mut document = Document::new("CLayer");
    let tag = document.tags.id("malpha").unwrap();
    document.root.fields = vec![
        Field::new(tag, 0.1_f32),
        Field::new(tag, 0.1_f64),
        Field::new(tag, f32::NEG_INFINITY),
        Field::new(tag, -0.0_f64),
        Field::new(tag, f32::from_bits(0x7fc0_0001)),
    ];
    let json = to_json(&document, Style::Compact).unwrap();
    for value in [
        r#""type":"float","value":0.1}"#,
        r#""type":"double","value":0.1}"#,
        r#""value":{"$float":"-inf"}}"#,
        r#""value":{"$float":"-0"}}"#,
        r#""value":{"$float":"nan:0x7fc00001"}}"#,
    ] {
        assert!(json.contains(value), "{value} in {json}");
    }
    assert!(from_json(json.as_bytes()).unwrap().is_identical(&document));
}

#[test]
fn tables_of_other_programs_are_written_out() {
    let mut document = Document::new("CLayer");
    let tag = |id, name: &str| (id, Text::new(name).unwrap());
    // A name for two ids, an id with two names, and one that is not ASCII.
    document.tags = [tag(7, "a"), tag(9, "a"), tag(7, "b"), tag(8, "\u{e9}")].into_iter().collect();
    document.root.fields =
        [7, 8, 9, 10].map(|tag| Field::new(tag, Value::SignedInt(tag.into()))).into();
    document.root.class = -5;
    let json = to_json(&document, Style::Compact).unwrap();
    assert!(json.contains(r#""tags":[[7,"a"],[9,"a"],[7,"b"],[8,"é"]],"#), "{json}");
    assert!(json.contains(r#""classes":"terrain_builder","#), "{json}");
    assert!(json.contains(r#"{"class":-5,"#), "{json}");
    for tag in [r#""a""#, r#""é""#, "9", "10"] {
        assert!(json.contains(&format!(r#"{{"tag":{tag},"#)), "{tag} in {json}");
    }
    assert!(from_json(json.as_bytes()).unwrap().is_identical(&document));
}

/// A document with these fields.
fn with_fields(fields: &str) -> String {
    let root = format!(r#"{{"$object":{{"class":"CLayer","address":4,"fields":[{fields}]}}}}"#);
    format!(r#"{{"$alb1":{{"version":1,"root":{root}}}}}"#)
}

#[test]
fn what_is_not_in_the_form_is_refused_with_its_place() {
    for (field, path, expected) in [
        (r#"{"tag":"mnme","type":"empty"}"#, "", "a name of the tag table"),
        (r#"{"tag":65536,"type":"empty"}"#, "", "a number from 0 to 65535"),
        (r#"{"type":"empty"}"#, "", "the member \"tag\""),
        (r#"{"tag":"mname"}"#, "mname", "the member \"type\""),
        (r#"{"tag":"mname","type":"text","value":1}"#, "mname", "the name of a field type"),
        (r#"{"tag":"mname","type":"string"}"#, "mname", "the member \"value\""),
        (r#"{"tag":"mname","value":1,"type":"bool"}"#, "mname", "\"type\" before the value"),
        (r#"{"tag":"mname","type":"bool","value":256}"#, "mname", "a number to 255"),
        (r#"{"tag":"mname","type":"signed_char","value":128}"#, "mname", "from -128 to 127"),
        (r#"{"tag":"mname","type":"signed_int","value":1.0}"#, "mname", "a whole number"),
        (r#"{"tag":"mname","type":"float","value":1e39}"#, "mname", "32-bit floats"),
        (r#"{"tag":"mname","type":"string","value":"日"}"#, "mname", "Windows-1252"),
        (r#"{"tag":"mname","type":"empty","more":1}"#, "mname", "a member of the documented form"),
        (r#"{"tag":"mname","type":"empty","value":1}"#, "mname", "null"),
        (r#"{"tag":"tree","type":"array","value":{"$raw":"AAA"}}"#, "tree", "base64"),
        (r#"{"tag":"tree","type":"array","value":{"$raw":"é"}}"#, "tree", "base64"),
        (r#"{"tag":"tree","type":"array","value":{"raw":""}}"#, "tree", "{\"$raw\": ...} or"),
        (r#"{"tag":"pair","type":"pair","value":[]}"#, "pair", "one more element"),
        (
            r#"{"tag":"libs","type":"array","value":[]},{"tag":"libs","type":"array","value":
                [{"tag":"item","type":"empty"},{"tag":"item","type":"oops"}]}"#,
            "libs[1][1]",
            "the name of a field type",
        ),
        (
            r#"{"tag":"data","type":"object","value":{"$object":{"class":"CNone"}}}"#,
            "data",
            "a name of the class table",
        ),
        (
            r#"{"tag":"data","type":"object_pointer","value":{"$object_pointer":{"class":5}}}"#,
            "data",
            "the members class, address",
        ),
    ] {
        let error = from_json(with_fields(field).as_bytes()).unwrap_err();
        assert_eq!(error.path().to_string(), path, "{field}: {error}");
        assert!(error.expected().contains(expected), "{field}: {error}");
        assert_eq!(error.rule().name(), "json.syntax");
    }
    for json in [
        "[]",
        "{}",
        r#"{"alb1":{}}"#,
        r#"{"$alb1":{}}"#,
        r#"{"$alb1":{"version":2}}"#,
        r#"{"$alb1":{"tags":"others"}}"#,
        r#"{"$alb1":{"root":{"$object":{"class":1,"address":1,"fields":[]}},"tags":[]}}"#,
    ] {
        assert_eq!(from_json(json.as_bytes()).unwrap_err().kind(), ErrorKind::Malformed, "{json}");
    }
}

#[test]
fn every_prefix_is_incomplete() {
    let json = to_json(&everything(), Style::Compact).unwrap();
    for (length, _) in json.char_indices() {
        let error = from_json(&json.as_bytes()[..length]).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Incomplete { .. }), "{length}: {error}");
    }
}

#[test]
fn depth_is_bounded_and_takes_little_stack() {
    let nested = |levels: usize| {
        let open = r#"{"tag":"data","type":"array","value":["#;
        with_fields(&format!("{}{}", open.repeat(levels), "]}".repeat(levels)))
    };
    // The root is one level.
    assert!(from_json(nested(63).as_bytes()).is_ok());
    let error = from_json(nested(64).as_bytes()).unwrap_err();
    assert_eq!(error.rule().name(), "depth.limit");
    let deepest = DocumentJson::new().limits(Limits::default().depth(1 << 20));
    let small = std::thread::Builder::new().stack_size(512 << 10);
    let run = small.spawn(move || {
        let document = deepest.read(nested(255).as_bytes()).unwrap();
        assert_eq!(to_json(&document, Style::Compact).unwrap().len(), {
            // As above, and with the members before the root.
            nested(255).len()
                + r#""project_version":0,"tags":"terrain_builder","#.len()
                + r#""classes":"terrain_builder","#.len()
        });
        assert_eq!(deepest.read(nested(256).as_bytes()).unwrap_err().rule().name(), "depth.limit");
        let mut pairs = String::new();
        for _ in 0..100_000 {
            let _ = write!(pairs, r#"{{"tag":"pair","type":"pair","value":["#);
        }
        assert!(deepest.read(with_fields(&pairs).as_bytes()).is_err());
    });
    run.unwrap().join().unwrap();
}

#[test]
fn what_no_file_can_hold_is_refused_before_anything_is_written() {
    let mut document = Document::new("CLayer");
    let name = document.tags.id("mname").unwrap();
    document.root.fields = vec![Field::new(name, Text::from_bytes(vec![b'a'; 65536]))];
    let mut written = Vec::new();
    let error = DocumentJson::new().write(&document, &mut written).unwrap_err();
    assert_eq!((error.kind(), written.len()), (ErrorKind::Unrepresentable, 0));
    let mut document = Document::new("CLayer");
    document.header.magic = 7;
    assert_eq!(to_json(&document, Style::Compact).unwrap_err().rule().name(), "alb1.header");
}

#[test]
fn a_rescued_document_says_what_is_lost_and_is_read_again_without_it() {
    let json = DocumentJson::new();
    let mut layer = ShapeLayer::new(Text::new("fields").unwrap());
    let corners = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0)].map(|(x, y)| Vertex::at(x, y));
    let name = Text::new("one").unwrap();
    layer.shapes.push(Shape::Polygon(Polygon::new(name, corners.into())));
    let bytes = layer.to_document().unwrap().to_vec().unwrap();
    let written = |recovered: &Recovered| {
        let mut out = Vec::new();
        json.write_recovered(recovered, &mut out).unwrap();
        out
    };
    // Of a whole file it is the form of the document.
    let whole = recover(&bytes);
    let mut plain = Vec::new();
    json.write(&whole.document, &mut plain).unwrap();
    assert_eq!(written(&whole), plain);
    for cut in [1, 100, 300] {
        let recovered = recover(&bytes[..bytes.len() - cut]);
        let out = written(&recovered);
        let value: serde_json::Value = serde_json::from_slice(&out).unwrap();
        let lost = &value["$alb1"]["$lost"];
        assert_eq!(lost["error"], recovered.error.as_ref().unwrap().to_string());
        let ranges = lost["ranges"].as_array().unwrap();
        let said: Vec<_> = ranges
            .iter()
            .map(|it| {
                let number = |name: &str| it[name].as_u64().unwrap();
                let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
                let (offset, size) = (number("offset"), number("size"));
                (offset..offset + size, text("path"), text("kind"), text("message"))
            })
            .collect();
        let expected: Vec<_> = recovered
            .lost
            .iter()
            .map(|it| {
                let (path, thought) = (it.path.to_string(), it.thought.clone());
                (it.range.clone(), path, it.reason.name().to_owned(), thought)
            })
            .collect();
        assert_eq!(said, expected, "{cut}");
        assert!(!said.is_empty());
        let orphans = lost["orphans"].as_array().map_or(0, Vec::len);
        assert_eq!(orphans, recovered.orphans.len());
        assert!(json.read(&out[..]).unwrap().is_identical(&recovered.document), "{cut}");
    }
}

//! The faults that `verify` finds in a single file: planted, and found at their place.

use formwork_alb1::terrain::{ObjectLayer, Root};
use formwork_alb1::tree::{Stop, TreeItem, TreeWalk, misplaced};
use formwork_alb1::{Document, Field, Finding, Value};
use formwork_terrain::verify;

use crate::corpus::each_sample;
use crate::merge::houses;
use crate::terrain::{layer, project, shapes};

/// Returns the places and kinds of the findings.
fn found(document: &Document) -> Vec<String> {
    let findings = verify::document("file", document);
    findings.iter().map(|Finding { path, kind, .. }| format!("{path} {kind}")).collect()
}

fn tag(document: &Document, name: &str) -> u16 {
    document.tags.id(name).unwrap()
}

#[test]
fn sound_layers_have_no_findings() {
    assert_eq!(found(&layer().to_document().unwrap()), [""; 0]);
    assert_eq!(found(&shapes().to_document().unwrap()), [""; 0]);
    // A new project has no active layers.
    let project = found(&project().to_document().unwrap());
    assert!(project.iter().all(|it| it.contains("active")), "{project:?}");
}

#[test]
fn a_quadtree_that_cannot_be_read_is_found_with_the_byte() {
    let whole = layer().to_document().unwrap();
    let bytes = whole.to_vec().unwrap();
    let layer = ObjectLayer::of(&whole).unwrap();
    let start = bytes.windows(64).position(|some| layer.tree.starts_with(some)).unwrap();
    let mut document = whole.clone();
    let tree = tag(&document, "tree");
    let mut raw = layer.tree.to_vec();
    // The kind of the second node.
    let second = layer.tree_version().node_size();
    raw[second] = 0x55;
    *document.root.get_mut(tree).unwrap() = Value::Raw(raw.into());
    for missing in [None, Some("malpha")] {
        // Also where the layer as a whole is not as its class is.
        if let Some(name) = missing {
            let missing = tag(&document, name);
            document.root.fields.retain(|field| field.tag != missing);
        }
        let findings = verify::document("file", &document);
        let broken = findings.iter().find(|it| it.kind.name() == "tree.broken").unwrap();
        let offset = broken.offset.unwrap();
        assert!((start + second..start + second + 16).contains(&(offset as usize)), "{broken}");
    }
}

#[test]
fn a_box_with_one_bit_flipped_is_found_with_the_node_that_has_it() {
    let whole = houses();
    let layer = ObjectLayer::of(&whole).unwrap();
    let (tree, version) = (tag(&whole, "tree"), layer.tree_version());
    let stops: Vec<_> = TreeWalk::new(&layer.tree, version).map(Result::unwrap).collect();
    let is_leaf = |stop: &&Stop<'_>| matches!(stop.item, TreeItem::Leaf(_));
    let is_node = |stop: &&Stop<'_>| matches!(stop.item, TreeItem::Node(_));
    let (nodes, leaf) = (stops.iter().filter(is_node), stops.iter().find(is_leaf).unwrap());
    for stop in nodes.step_by(30_011).chain([leaf]) {
        // The kind of a node is before its box.
        let start = stop.offset + usize::from(is_node(&stop));
        for bit in (0..8 * 4 * size_of::<f64>()).step_by(11) {
            let mut raw = layer.tree.to_vec();
            raw[start + bit / 8] ^= 1 << (bit % 8);
            let found: Vec<_> = misplaced(&raw, version).collect();
            match stop.offset {
                // The other boxes do not fit that of the root.
                0 => assert!(!found.is_empty(), "{bit}"),
                offset => assert_eq!((found.len(), found[0].offset), (1, offset), "{bit}"),
            }
        }
        let mut raw = layer.tree.to_vec();
        raw[start] ^= 1;
        let mut document = whole.clone();
        *document.root.get_mut(tree).unwrap() = Value::Raw(raw.into());
        let findings = verify::document("file", &document);
        let kinds: Vec<_> = findings.iter().map(|it| it.kind.name()).collect();
        assert_eq!(kinds, ["tree.box"], "{findings:?}");
        let (one, other) = (whole.to_vec().unwrap(), document.to_vec().unwrap());
        let flipped = one.iter().zip(&other).position(|(one, other)| one != other).unwrap();
        let expected = (flipped - usize::from(is_node(&stop))) as u64;
        assert!(stop.offset == 0 || findings[0].offset == Some(expected), "{findings:?}");
    }
}

/// The boxes of every real tree are those that [`misplaced`] expects.
#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn no_box_of_a_real_layer_is_misplaced() {
    let mut trees = 0;
    let all = each_sample(|sample| {
        let document = Document::from_bytes(&sample.bytes).unwrap();
        let Ok(layer) = ObjectLayer::of(&document) else { return };
        trees += 1;
        let first = misplaced(&layer.tree, layer.tree_version()).next();
        assert!(first.is_none(), "{}: {first:?}", sample.name);
    });
    println!("{trees} object layers of {all} real files");
}

#[test]
fn the_header_and_the_class_of_the_root_are_checked() {
    let mut document = layer().to_document().unwrap();
    document.header.project_version = 99;
    document.header.reserved = 99;
    assert_eq!(found(&document), [" project.version", " header.reserved"]);
    let offsets: Vec<_> =
        verify::document("file", &document).iter().map(|finding| finding.offset).collect();
    assert_eq!(offsets, [Some(8), Some(12)]);
    let mut document = Document::new("CVertex");
    document.root.fields = Vec::new();
    assert!(found(&document).contains(&" root.class".to_owned()));
}

#[test]
fn objects_that_are_not_as_many_as_the_layer_says_are_found() {
    let mut document = layer().to_document().unwrap();
    let count = tag(&document, "objectCount");
    *document.root.get_mut(count).unwrap() = Value::SignedLong(1_000);
    assert_eq!(found(&document), ["objectCount objects.count"]);
}

#[test]
fn keys_that_repeat_or_do_not_ascend_are_found() {
    let mut document = project().to_document().unwrap();
    let [manager, deltas] = ["objManager", "mobjectsDelta"].map(|name| tag(&document, name));
    let Some(Value::Object(manager)) = document.root.get_mut(manager) else { panic!() };
    let Some(Value::Array(pairs)) = manager.get_mut(deltas) else { panic!() };
    let renamed = |name: &str, address: u32| {
        let mut pair = pairs[0].clone();
        let Value::Pair(halves) = &mut pair.value else { panic!() };
        halves[0].value = formwork_alb1::Text::new(name).unwrap().into();
        let Value::Object(object) = &mut halves[1].value else { panic!() };
        object.address = address;
        pair
    };
    let more = [renamed("dz\\tree.p3d", 0x7000_0000), renamed("dz\\rock.p3d", 0x7000_0004)];
    pairs.extend(more);
    let found = found(&document);
    for one in
        ["objManager.mobjectsDelta[2] key.duplicate", "objManager.mobjectsDelta[2] key.order"]
    {
        assert!(found.contains(&one.to_owned()), "{one}: {found:?}");
    }
}

#[test]
fn fields_that_are_not_those_of_the_class_are_found() {
    let whole = shapes().to_document().unwrap();
    let with = |change: &dyn Fn(&Document, &mut Vec<Field>)| {
        let mut document = whole.clone();
        let mut fields = std::mem::take(&mut document.root.fields);
        change(&whole, &mut fields);
        document.root.fields = fields;
        found(&document)
    };
    let missing = with(&|document, fields| {
        fields.retain(|field| field.tag != tag(document, "malpha"));
    });
    assert_eq!(missing, ["malpha class.field"]);
    let unknown = with(&|document, fields| {
        fields.push(Field::new(tag(document, "radius"), Value::Double(1.0)));
    });
    assert_eq!(unknown, ["radius field.unknown"]);
    let twice = with(&|_, fields| fields.push(fields[0].clone()));
    assert_eq!(twice, ["mname[1] field.unknown"]);
    let order = with(&|_, fields| fields.swap(1, 2));
    assert_eq!(order, ["mnPriority field.order"]);
    let wrong = with(&|document, fields| {
        let at = fields.iter().position(|field| field.tag == tag(document, "malpha")).unwrap();
        fields[at].value = Value::Double(1.0);
    });
    assert_eq!(wrong, ["malpha class.field"]);
    // In a list, too.
    let vertex = with(&|document, fields| {
        let areas = fields.iter_mut().find(|it| it.tag == tag(document, "mareas")).unwrap();
        let Value::Array(shapes) = &mut areas.value else { panic!() };
        let Value::Object(polygon) = &mut shapes[0].value else { panic!() };
        let Some(Value::Array(vertices)) = polygon.get_mut(tag(document, "mpVertices")) else {
            panic!()
        };
        let Value::Object(vertex) = &mut vertices[1].value else { panic!() };
        vertex.fields[0].value = Value::ArrayOfDouble([1.0, 2.0].into());
    });
    assert_eq!(vertex, ["mareas[0].mpVertices[1].center class.field"]);
}

/// Real files have none of these faults.
#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_files_are_as_their_classes_say() {
    let count = each_sample(|sample| {
        let document = Document::from_slice(&sample.bytes).unwrap();
        let findings = verify::document(&sample.name, &document);
        assert!(findings.is_empty(), "{}", findings[0]);
    });
    println!("{count} real files");
}

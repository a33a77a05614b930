//! The graph over one or more files.

use std::collections::{BTreeMap, HashSet};

use formwork_alb1::{Document, FindingKind, Graph, ObjectPointer, Text};

use crate::corpus::every_sample;

fn layer(class: &str, name: &str, address: u32) -> Document {
    let mut document = Document::new(class);
    document.root.address = address;
    document.add("", "mname", Text::new(name).unwrap()).unwrap();
    document
}

/// A project with two objects in each other and a list, and a pointer to a layer at this address.
fn project(active: u32) -> Document {
    let mut document = layer("CVisitor4Project", "map", 0x100);
    let manager = document.new_object("CVisitor4ObjectManager").unwrap();
    document.add("", "objManager", manager).unwrap();
    let class = document.classes.id("CLayer").unwrap() as i16;
    let pointer = ObjectPointer { class, address: active };
    document.add("objManager", "mactiveLayer", pointer).unwrap();
    let points = document.new_object("CKeyPoint").unwrap();
    document.add("objManager", "keyPoint", points).unwrap();
    document.add("objManager.keyPoint", "mkey", Vec::new()).unwrap();
    for name in 0..20 {
        let point = document.new_object("SKeyPoint").unwrap();
        document.add("objManager.keyPoint.mkey", "item", point).unwrap();
        let path = format!("objManager.keyPoint.mkey[{name}]");
        document.add(&path, "name", Text::new(&format!("town \"{name}\"")).unwrap()).unwrap();
    }
    document
}

fn kinds(graph: &Graph<'_>) -> Vec<FindingKind> {
    graph.findings().iter().map(|finding| finding.kind).collect()
}

#[test]
fn pointers_lead_to_the_roots_of_other_files() {
    let (project, layer) = (project(0x900), layer("CLayer", "default", 0x900));
    let graph = Graph::new([("map.tv4p", &project), ("default.tv4l", &layer)]);
    assert_eq!(graph.findings(), []);
    let pointer = &graph.pointers()[0];
    assert_eq!(graph.path(pointer.from).to_string(), "objManager");
    assert_eq!(pointer.way.to_string(), "mactiveLayer");
    let to = pointer.to.unwrap();
    assert_eq!((graph.file_name(to), graph.name(to).as_deref()), ("default.tv4l", Some("default")));
    assert_eq!(graph.find("default.tv4l", 0x900), Some(to));
    let root = graph.roots().next().unwrap();
    assert_eq!(graph.depth_first(root).count(), graph.objects().len());
    assert_eq!(graph.unreachable([root]), []);
    // From the layer nothing else is reached.
    assert_eq!(graph.depth_first(to).count(), 1);
    assert_eq!(graph.unreachable([to]).len(), graph.objects().len() - 1);
    for id in graph.objects() {
        let path = graph.path(id).to_string();
        let object = graph.document(id).unwrap().object(&path).unwrap();
        assert!(std::ptr::eq(object, graph.object(id).unwrap()), "{path}");
    }
}

#[test]
fn what_is_wrong_is_found_where_it_is() {
    let wrong = layer("CAreaLayer", "shapes", 0x900);
    let same = layer("CLayer", "other", 0x100);
    let document = project(0x900);
    let graph = Graph::new([("map.tv4p", &document), ("a.tv4s", &wrong), ("b.tv4l", &same)]);
    assert_eq!(kinds(&graph), [FindingKind::AddressShared, FindingKind::PointerClass]);
    let finding = &graph.findings()[1];
    assert_eq!(
        (&*finding.file, &*finding.path.to_string()),
        ("map.tv4p", "objManager.mactiveLayer")
    );
    let bytes = document.to_vec().unwrap();
    let at = finding.offset.unwrap() as usize + 5;
    assert_eq!(bytes[at..at + 4], 0x900u32.to_le_bytes());
    assert_eq!(
        finding.message,
        "the pointer leads to a CLayer at 0x900, which is a CAreaLayer in a.tv4s"
    );

    let alone = Graph::new([("map.tv4p", &document)]);
    assert_eq!(kinds(&alone), [FindingKind::PointerDangling]);
    let none = project(0);
    assert_eq!(kinds(&Graph::new([("map.tv4p", &none)])), [FindingKind::PointerNull]);

    let mut broken = layer("CLayer", "broken", 0);
    for _ in 0..2 {
        // Not by an edit, which would refuse it.
        let object = formwork_alb1::Object { class: 77, address: 12, fields: Vec::new() };
        broken.root.fields.push(formwork_alb1::Field::new(60000, object));
    }
    let graph = Graph::new([("broken.tv4l", &broken)]);
    let expected = [
        FindingKind::AddressZero,
        FindingKind::TagUnknown,
        FindingKind::ClassUnknown,
        FindingKind::AddressDuplicate,
    ];
    assert_eq!(kinds(&graph), expected);
    assert_eq!(graph.findings()[3].path.to_string(), "#60000[1]");
}

#[test]
fn pointers_in_a_circle_are_followed_once() {
    let mut one = project(0x900);
    let mut two = layer("CLayer", "two", 0x900);
    let class = |name: &str, in_: &Document| in_.classes.id(name).unwrap() as i16;
    let back = ObjectPointer { class: class("CVisitor4Project", &two), address: 0x100 };
    let itself = ObjectPointer { class: class("CLayer", &two), address: 0x900 };
    two.add("", "mactiveLayer", back).unwrap();
    two.add("", "mactiveLayer", itself).unwrap();
    let own = one.object("objManager.keyPoint").unwrap();
    let own = ObjectPointer { class: own.class, address: own.address };
    one.add("objManager.keyPoint.mkey[3]", "data", own).unwrap();
    let graph = Graph::new([("one", &one), ("two", &two)]);
    assert_eq!(graph.findings(), []);
    for start in graph.roots() {
        let reached: Vec<_> = graph.depth_first(start).collect();
        let distinct: HashSet<_> = reached.iter().collect();
        assert_eq!((reached.len(), distinct.len()), (graph.objects().len(), reached.len()));
    }
    // A pointer into its own file comes before a root with the same address elsewhere.
    let inside = graph.pointers().iter().find(|pointer| pointer.way.to_string() == "data").unwrap();
    assert_eq!(graph.file_name(inside.to.unwrap()), "one");
}

#[test]
fn dot_has_readable_labels_and_short_lists() {
    let (project, layer) = (project(0x900), layer("CLayer", "default", 0x900));
    let graph = Graph::new([("C:\\map.tv4p", &project), ("default.tv4l", &layer)]);
    let plain = graph.dot().to_string();
    for line in [
        r#"    n0 [label="CVisitor4Project\nmap\nC:\\map.tv4p"];"#,
        r#"    n3 [label="SKeyPoint\ntown \"0\""];"#,
        r#"    n2 -> n3 [label="mkey[0]"];"#,
        r#"    m0 [label="12 more\nSKeyPoint", shape=plaintext, style=""];"#,
        r#"    n1 -> n23 [style=dashed, label="mactiveLayer"];"#,
    ] {
        assert!(plain.lines().any(|found| found == line), "{line}\n{plain}");
    }
    assert_eq!(plain.lines().filter(|line| line.contains("SKeyPoint\\ntown")).count(), 8);
    let all = graph.dot().all(true).to_string();
    assert_eq!(all.lines().filter(|line| line.contains("SKeyPoint\\ntown")).count(), 20);
    let flat = graph.dot().depth(Some(0)).to_string();
    assert!(!flat.contains("SKeyPoint"));
    // The pointer starts at what is shown around it.
    assert!(flat.contains("    n0 -> n23 [style=dashed, label=\"mactiveLayer\"];"), "{flat}");
    let styled = graph.dot().styled(true).to_string();
    assert!(styled.contains("subgraph cluster_1 {") && styled.contains("fillcolor="));
    for text in [plain, all, flat, styled] {
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}

#[test]
fn json_has_objects_edges_and_findings() {
    let (project, layer) = (project(0x901), layer("CLayer", "default", 0x900));
    let graph = Graph::new([("map.tv4p", &project), ("default.tv4l", &layer)]);
    let mut text = Vec::new();
    graph.write_json(&mut text, None).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let objects = json["objects"].as_array().unwrap();
    assert_eq!(objects.len(), graph.objects().len());
    assert_eq!(objects[3]["path"], "objManager.keyPoint.mkey[0]");
    assert_eq!(objects[3]["name"], "town \"0\"");
    assert_eq!(objects[23]["address"], 0x900);
    let edges = json["edges"].as_array().unwrap();
    assert_eq!(edges.len(), objects.len() - 2 + 1);
    let pointer = edges.iter().find(|edge| edge["kind"] == "points").unwrap();
    assert_eq!((&pointer["from"], pointer["to"].is_null()), (&serde_json::json!(1), true));
    assert_eq!(json["findings"][0]["kind"], "pointer.dangling");
    let mut flat = Vec::new();
    graph.write_json(&mut flat, Some(0)).unwrap();
    let flat: serde_json::Value = serde_json::from_slice(&flat).unwrap();
    assert_eq!(flat["objects"].as_array().unwrap().len(), 2);
}

#[test]
fn petgraph_has_the_same_nodes_and_edges() {
    let (project, layer) = (project(0x900), layer("CLayer", "default", 0x900));
    let graph = Graph::new([("map.tv4p", &project), ("default.tv4l", &layer)]);
    let same = graph.to_petgraph();
    assert_eq!(same.node_count(), graph.objects().len());
    assert_eq!(same.edge_count(), graph.objects().len() - 2 + 1);
    assert!(!petgraph::algo::is_cyclic_directed(&same));
    assert_eq!(petgraph::algo::connected_components(&same), 1);
}

/// The projects of the corpus with the layers in the folders beside them.
#[test]
#[ignore = "needs FORMWORK_ALB1_CORPUS"]
fn real_projects_have_distinct_roots_and_their_pointers_lead_to_layers() {
    let mut documents = BTreeMap::new();
    every_sample(|sample| {
        documents.insert(sample.name, Document::from_slice(&sample.bytes).unwrap());
    });
    let mut counts = [0; 4];
    for project in documents.keys().filter(|name| name.ends_with(".tv4p")) {
        let stem = project.trim_end_matches(".tv4p");
        let is_beside = |name: &str| {
            ["Layers", "Shapes"].iter().any(|end| name.starts_with(&format!("{stem}.{end}/")))
        };
        let beside = documents.iter().filter(|(name, _)| *name == project || is_beside(name));
        let graph = Graph::new(beside.map(|(name, document)| (name.as_str(), document)));
        counts[0] += 1;
        counts[1] += graph.pointers().len();
        for pointer in graph.pointers() {
            let Some(to) = pointer.to else { continue };
            assert_eq!(graph.parent(to), None, "{project}: a pointer to a root");
            assert_ne!(graph.file_name(to), project);
            counts[2] += 1;
        }
        // Layers of which the repository has no copy are not beside the project; nothing else is odd.
        for finding in graph.findings() {
            assert_eq!(finding.kind, FindingKind::PointerDangling, "{finding}");
            counts[3] += 1;
        }
        let objects = graph.objects().len();
        let root = graph.roots().next().unwrap();
        assert!(graph.depth_first(root).count() + graph.unreachable([root]).len() == objects);
    }
    // Files on their own: no address twice, none 0, every class and tag known.
    for (name, document) in &documents {
        let graph = Graph::new([(name.as_str(), document)]);
        for finding in graph.findings() {
            assert_eq!(finding.kind, FindingKind::PointerDangling, "{finding}");
        }
        for id in graph.objects() {
            let path = graph.path(id).to_string();
            assert!(std::ptr::eq(document.object(&path).unwrap(), graph.object(id).unwrap()));
        }
    }
    let [projects, pointers, resolved, dangling] = counts;
    assert_eq!(pointers, resolved + dangling);
    if projects > 0 {
        assert!(resolved > 0);
        println!("{projects} projects, {pointers} pointers, {resolved} lead to a layer");
    }
}

#[test]
fn pointers_of_an_object_are_those_in_no_object_in_it() {
    let mut document = project(0x900);
    let class = document.classes.id("CLayer").unwrap() as i16;
    let pointer = |address| ObjectPointer { class, address };
    document.add("objManager.keyPoint.mkey[3]", "data", pointer(0x901)).unwrap();
    document.add("objManager", "mactiveAreaLayer", pointer(0x902)).unwrap();
    let graph = Graph::new([("map.tv4p", &document)]);
    let mut found = Vec::new();
    for id in graph.objects() {
        for it in graph.pointers_of(id) {
            assert_eq!((it.from, it.to), (id, None));
            found.push((graph.path(id).to_string(), it.way.to_string(), it.pointer.address));
        }
    }
    let expected = [
        ("objManager", "mactiveLayer", 0x900),
        ("objManager", "mactiveAreaLayer", 0x902),
        ("objManager.keyPoint.mkey[3]", "data", 0x901),
    ];
    let expected = expected.map(|(from, way, to)| (from.to_owned(), way.to_owned(), to));
    assert_eq!(found, expected);
    assert_eq!(graph.pointers().len(), expected.len());
    // The object of another graph, which this one has not.
    let last = graph.objects().last().unwrap();
    let other = layer("CLayer", "other", 0x900);
    assert_eq!(Graph::new([("other", &other)]).pointers_of(last).count(), 0);
}

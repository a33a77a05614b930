//! The graph of one or more documents, and the paths to its objects.

use std::collections::HashMap;

use arbitrary::{Arbitrary, Result, Unstructured};
use struson::reader::{JsonReader, JsonStreamReader};

use formwork_alb1::{Document, FieldPath, Graph};

/// Checks the graph of any documents: it has every object once, each object is found again by its path and
/// its offset, and printing the graph ends.
pub fn graph(data: &[u8]) {
    if let Ok(document) = Document::from_slice(data) {
        fields(&document);
        objects(&[document]);
    }
    let u = &mut Unstructured::new(data);
    let documents = |u: &mut Unstructured<'_>| -> Result<Vec<_>> {
        (0..u.int_in_range(1..=3)?).map(|_| Document::arbitrary(u)).collect()
    };
    let Ok(documents) = documents(u) else { return };
    documents.iter().for_each(fields);
    objects(&documents);
}

/// Checks that every field is at the offset and at the path that the walk gives.
fn fields(document: &Document) {
    let bytes = document.to_vec().expect("it was made to be written");
    let mut walk = document.walk();
    while let Some(item) = walk.next() {
        let (Some(field), path) = (item.field, walk.path()) else { continue };
        let start = &bytes[item.offset as usize..];
        assert_eq!(start[..2], field.tag.to_le_bytes());
        // The whole path, however long it is.
        let by_text = document.get(&format!("{path:#}"));
        assert!(by_text.is_ok_and(|found| std::ptr::eq(found, &field.value)), "{path}");
        let by_steps = document.field(&FieldPath::from(&path));
        assert!(by_steps.is_ok_and(|found| std::ptr::eq(found, field)), "{path}");
    }
}

fn objects(documents: &[Document]) {
    let names = ["one.tv4p", "two.tv4l", "three.tv4s"];
    let graph = Graph::new(names.into_iter().zip(documents));
    // The offset of each object, from the walk.
    let places: Vec<HashMap<_, _>> = documents
        .iter()
        .map(|document| {
            let items = document.walk().filter_map(|item| Some((item.object()?, item.offset)));
            items.map(|(object, offset)| (std::ptr::from_ref(object), offset)).collect()
        })
        .collect();
    assert_eq!(graph.objects().len(), places.iter().map(HashMap::len).sum::<usize>());
    for id in graph.objects() {
        let object = graph.object(id).expect("it is in the graph");
        let document = graph.document(id).expect("it is in a file");
        let file = names.iter().position(|name| *name == graph.file_name(id)).expect("a file");
        assert_eq!(graph.offset(id), places[file].get(&std::ptr::from_ref(object)).copied());
        let path = format!("{:#}", graph.path(id));
        let found = document.object(&path);
        assert!(found.is_ok_and(|found| std::ptr::eq(found, object)), "{path}");
        if let Some(parent) = graph.parent(id) {
            assert_eq!(graph.holds(parent).iter().filter(|held| **held == id).count(), 1);
        }
    }
    for root in graph.roots() {
        let mut reached: Vec<_> = graph.depth_first(root).collect();
        let count = reached.len();
        reached.sort_unstable();
        reached.dedup();
        assert_eq!(reached.len(), count, "an object came twice");
    }
    assert_eq!(graph.unreachable(graph.roots()), []);
    for finding in graph.findings() {
        assert!(names.contains(&finding.file.as_str()), "{finding:?}");
    }
    for depth in [None, Some(1)] {
        for all in [false, true] {
            let dot = graph.dot().depth(depth).all(all).styled(all).to_string();
            assert!(dot.starts_with("digraph") && dot.ends_with("}\n"), "{dot}");
        }
        let mut json = Vec::new();
        assert_eq!(graph.write_json(&mut json, depth), Ok(()));
        let mut reader = JsonStreamReader::new(&json[..]);
        reader.skip_value().expect("it is JSON");
        reader.consume_trailing_whitespace().expect("it ends");
    }
}

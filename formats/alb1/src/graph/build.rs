//! From documents to the graph and what is wrong in it.

use std::collections::HashSet;
use std::collections::hash_map::{Entry, HashMap};

use super::{File, Graph, Node, ObjectId, Pointer};
use crate::{Document, Field, Finding, FindingKind, Item, ObjectPointer, Value, Walk};
use formwork::Path;

/// The graph of documents.
pub(super) fn graph<'d>(files: impl Iterator<Item = (String, &'d Document)>) -> Graph<'d> {
    let (objects, pointers, findings) = Default::default();
    let mut graph = Graph { files: Vec::new(), objects, pointers, findings };
    let mut addresses = Vec::new();
    for (name, document) in files {
        let root = ObjectId(graph.objects.len());
        graph.files.push(File { name, document, root });
        addresses.push(Adding::to(&mut graph, document).all());
    }
    let roots = roots(&mut graph);
    resolve(&mut graph, &addresses, &roots);
    graph
}

/// The first object with an address.
type ByAddress = HashMap<u32, ObjectId>;

/// A document that is being added to the graph.
struct Adding<'g, 'd> {
    graph: &'g mut Graph<'d>,
    /// The position of its file.
    file: usize,
    document: &'d Document,
    /// The objects around the next item: how deep their fields are, and which they are.
    open: Vec<(usize, ObjectId)>,
    /// The pair that was met last.
    pair: Option<&'d [Field; 2]>,
    addresses: ByAddress,
    /// Ids that are known to be unknown: each is told of once.
    unknown_tags: HashSet<u16>,
    unknown_classes: HashSet<i16>,
}

impl<'g, 'd> Adding<'g, 'd> {
    fn to(graph: &'g mut Graph<'d>, document: &'d Document) -> Self {
        let file = graph.files.len().saturating_sub(1);
        Self {
            graph,
            file,
            document,
            open: Vec::new(),
            pair: None,
            addresses: HashMap::new(),
            unknown_tags: HashSet::new(),
            unknown_classes: HashSet::new(),
        }
    }

    fn all(mut self) -> ByAddress {
        let mut walk = self.document.walk();
        while let Some(item) = walk.next() {
            while self.open.last().is_some_and(|&(depth, _)| depth > item.depth) {
                self.open.pop();
            }
            if let Some(field) = item.field {
                self.check_tag(field, &item, &walk);
            }
            if item.object().is_some() {
                self.object(&item, &walk);
            }
            match item.value() {
                Some(Value::ObjectPointer(pointer)) => self.pointer(*pointer, &item, &walk),
                Some(Value::Pair(pair)) => self.pair = Some(pair),
                _ => (),
            }
        }
        self.addresses
    }

    fn object(&mut self, item: &Item<'d>, walk: &Walk<'d>) {
        let Some(object) = item.object() else { return };
        let id = ObjectId(self.graph.objects.len());
        let parent = self.open.last().copied();
        let key = self.pair.and_then(|[key, data]| {
            let is_data = item.field.is_some_and(|field| std::ptr::eq(field, data));
            is_data.then_some(&key.value)
        });
        let depth = self.open.len() as u32;
        self.open.push((item.depth + 1, id));
        self.graph.objects.push(Node {
            file: self.file,
            object,
            offset: item.offset,
            parent: parent.map(|(_, parent)| parent),
            depth,
            way: parent.map_or_else(Path::default, |(depth, _)| walk.path_below(depth - 1)),
            key,
            holds: Vec::new(),
            pointers: Vec::new(),
        });
        if let Some((_, parent)) = parent
            && let Some(parent) = self.graph.objects.get_mut(parent.0)
        {
            parent.holds.push(id);
        }
        self.check_class(object.class, item, walk);
        self.check_address(object.address, id, item, walk);
    }

    fn pointer(&mut self, pointer: ObjectPointer, item: &Item<'d>, walk: &Walk<'d>) {
        let Some(&(depth, from)) = self.open.last() else { return };
        let position = self.graph.pointers.len();
        let way = walk.path_below(depth - 1);
        self.graph.pointers.push(Pointer { from, to: None, offset: item.offset, way, pointer });
        if let Some(from) = self.graph.objects.get_mut(from.0) {
            from.pointers.push(position);
        }
        self.check_class(pointer.class, item, walk);
    }

    fn check_tag(&mut self, field: &Field, item: &Item<'d>, walk: &Walk<'d>) {
        let tag = field.tag;
        if self.document.tags.name(tag).is_none() && self.unknown_tags.insert(tag) {
            let message = format!("the tag table has no tag {tag}");
            self.found(FindingKind::TagUnknown, item, walk, message);
        }
    }

    fn check_class(&mut self, class: i16, item: &Item<'d>, walk: &Walk<'d>) {
        let known = self.document.classes.name(class as u16).is_some();
        if !known && self.unknown_classes.insert(class) {
            let message = format!("the class table has no class {class}");
            self.found(FindingKind::ClassUnknown, item, walk, message);
        }
    }

    fn check_address(&mut self, address: u32, id: ObjectId, item: &Item<'d>, walk: &Walk<'d>) {
        if address == 0 {
            let message = "the object has the address 0, so no pointer can lead to it";
            self.found(FindingKind::AddressZero, item, walk, message.into());
            return;
        }
        match self.addresses.entry(address) {
            Entry::Vacant(entry) => {
                entry.insert(id);
            }
            Entry::Occupied(entry) => {
                let first = self.graph.offset(*entry.get()).unwrap_or_default();
                let message =
                    format!("the object at offset {first} has the address {address:#x}, too");
                self.found(FindingKind::AddressDuplicate, item, walk, message);
            }
        }
    }

    #[cold]
    fn found(&mut self, kind: FindingKind, item: &Item<'d>, walk: &Walk<'d>, message: String) {
        let file = self.graph.files.get(self.file).map(|file| file.name.clone());
        self.graph.findings.push(Finding {
            file: file.unwrap_or_default(),
            offset: Some(item.offset),
            path: walk.path(),
            kind,
            message,
        });
    }
}

/// The root objects by address.
fn roots(graph: &mut Graph<'_>) -> HashMap<u32, Vec<ObjectId>> {
    let mut roots: HashMap<u32, Vec<ObjectId>> = HashMap::new();
    for file in &graph.files {
        let address = file.document.root.address;
        let same = roots.entry(address).or_default();
        if let Some(&first) = same.first()
            && address != 0
        {
            let first = graph.file_name(first);
            graph.findings.push(Finding {
                file: file.name.clone(),
                offset: Some(file.document.root_offset()),
                path: Path::default(),
                kind: FindingKind::AddressShared,
                message: format!("the root object of {first} has the address {address:#x}, too"),
            });
        }
        same.push(file.root);
    }
    roots
}

/// Finds out where pointers lead: in their own file, or to the root of another.
fn resolve(graph: &mut Graph<'_>, addresses: &[ByAddress], roots: &HashMap<u32, Vec<ObjectId>>) {
    let mut found = Vec::new();
    let mut targets = Vec::with_capacity(graph.pointers.len());
    for pointer in &graph.pointers {
        let ObjectPointer { class: _, address } = pointer.pointer;
        let inside = graph.node(pointer.from).and_then(|from| addresses.get(from.file));
        let to = if address == 0 {
            None
        } else if let Some(inside) = inside.and_then(|inside| inside.get(&address)) {
            Some(*inside)
        } else {
            let outside = roots.get(&address).map_or(&[][..], |roots| &roots[..]);
            let fitting = outside.iter().find(|&&root| class_agrees(graph, pointer, root));
            fitting.or(outside.first()).copied()
        };
        targets.push(to);
        found.extend(finding(graph, pointer, to));
    }
    for (pointer, to) in graph.pointers.iter_mut().zip(targets) {
        pointer.to = to;
    }
    graph.findings.append(&mut found);
}

/// Checks whether a pointer names the class of the object. Every file has a separate class table.
fn class_agrees(graph: &Graph<'_>, pointer: &Pointer, to: ObjectId) -> bool {
    class_of(graph, pointer) == graph.class_name(to)
}

/// The name of the class that a pointer names.
pub(super) fn class_of(graph: &Graph<'_>, pointer: &Pointer) -> String {
    let class = pointer.pointer.class as u16;
    let document = graph.document(pointer.from);
    document.map(|document| document.classes.display(class).into_owned()).unwrap_or_default()
}

/// Returns the fault of a pointer, if it has one.
fn finding(graph: &Graph<'_>, pointer: &Pointer, to: Option<ObjectId>) -> Option<Finding> {
    let ObjectPointer { class: _, address } = pointer.pointer;
    let class = class_of(graph, pointer);
    let (kind, message) = match to {
        None if address == 0 => {
            let message = format!("the pointer to a {class} has the address 0, perhaps for none");
            (FindingKind::PointerNull, message)
        }
        None => {
            let message = format!(
                "the pointer leads to a {class} at {address:#x}, which no file at hand has"
            );
            (FindingKind::PointerDangling, message)
        }
        Some(to) if !class_agrees(graph, pointer, to) => {
            let (found, file) = (graph.class_name(to), graph.file_name(to));
            let message = format!(
                "the pointer leads to a {class} at {address:#x}, which is a {found} in {file}"
            );
            (FindingKind::PointerClass, message)
        }
        Some(_) => return None,
    };
    let mut path = graph.path(pointer.from);
    for step in pointer.way.steps() {
        path.push(step.clone());
    }
    let file = graph.file_name(pointer.from).to_owned();
    Some(Finding { file, offset: Some(pointer.offset), path, kind, message })
}

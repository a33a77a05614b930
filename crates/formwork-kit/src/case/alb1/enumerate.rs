//! One small file for each thing alone.

use arbitrary::Unstructured;
use formwork_alb1::record::{Header, TableRecord};
use formwork_alb1::terrain::{CLASSES, DATA, ITEM, KEY, Known, PAIR};
use formwork_alb1::tree::{
    BoundingBox, ChildMask, Children, Colour, Group, Leaf, Node, Object as Placed, Tree, Version,
};
use formwork_alb1::{
    Document, FieldType, ObjectPointer, OwnType, Raw, Reader, Table, Text, Value, dictionary,
};
use formwork_records::schema::{Record, Schema, record_of};
use formwork_variant::generate::Config;

use super::valid::made;
use super::{nest, small, terrain};
use crate::case::Made;

/// Number of plain files, which come first in the enumeration.
pub(crate) const PLAIN: usize = 1 + FieldType::ALL.len();

/// Every file of the enumeration that is read, each once, in an order that stays.
pub(crate) fn enumerate() -> Vec<Made> {
    let mut all = Enumeration(Vec::new());
    all.plain();
    all.numbers();
    all.strings();
    all.arrays();
    all.objects();
    all.pairs();
    all.depth();
    all.headers();
    all.tables();
    all.roots();
    all.classes();
    all.trees();
    all.0
}

struct Enumeration(Vec<Made>);

/// Boundary values of a word.
fn words<T: Schema>() -> Vec<u64> {
    formwork_records::generate::number::boundaries(T::LAYOUT)
}

/// A value of each type, for what holds values: not the least one.
fn sample(field_type: FieldType) -> Value {
    let bits = 0x4142_4344_4546_4748;
    small::number(field_type, bits)
        .or_else(|| small::numbers(field_type, &[bits, 1]))
        .unwrap_or_else(|| match field_type.own_type() {
            Some(OwnType::String) => small::text("text"),
            Some(OwnType::Array) => Value::Array(vec![small::field(ITEM, Value::SignedInt(1))]),
            Some(OwnType::Object) => {
                small::object(Document::FIRST_ADDRESS + 64, vec![small::field(DATA, true)])
            }
            Some(OwnType::ObjectPointer) => {
                Value::ObjectPointer(ObjectPointer { class: 5, address: 0x2000_0000 })
            }
            Some(OwnType::Pair) => Value::Pair(
                [small::field(KEY, small::text("key")), small::field(DATA, Value::SignedInt(1))]
                    .into(),
            ),
            Some(OwnType::Bool | OwnType::Empty) | None => Value::Empty,
        })
}

impl Enumeration {
    fn add(&mut self, subject: &'static str, document: &Document) {
        let made = made(subject, document);
        if !self.0.iter().any(|other| other.bytes == made.bytes) {
            self.0.push(made);
        }
    }

    /// A file with this value alone.
    fn value(&mut self, value: Value) {
        let mut document = small::document();
        let subject = value.field_type().variant();
        document.root.fields.push(small::field(DATA, value));
        self.add(subject, &document);
    }

    /// A file without fields, and one with a field of each type.
    fn plain(&mut self) {
        self.add(small::ROOT_CLASS, &small::document());
        FieldType::ALL.iter().for_each(|&field_type| self.value(sample(field_type)));
    }

    fn numbers(&mut self) {
        for &field_type in FieldType::ALL {
            let boundaries = small::boundaries(field_type);
            for &bits in &boundaries {
                small::number(field_type, bits)
                    .or_else(|| small::numbers(field_type, &[bits]))
                    .into_iter()
                    .for_each(|value| self.value(value));
            }
            // Arrays of numbers: none, few, and as many as can be counted.
            for count in [0, 2, 3, 127, 128, 254, 255] {
                let bits: Vec<u64> = boundaries.iter().copied().cycle().take(count).collect();
                small::numbers(field_type, &bits).into_iter().for_each(|value| self.value(value));
            }
        }
        self.value(Value::Empty);
    }

    fn strings(&mut self) {
        for length in [0, 1, 2, 127, 128, 255, 256, 257, 32_767, 32_768, 65_534, 65_535] {
            self.value(small::text(&"x".repeat(length)));
        }
        let every: Vec<u8> = (0..=u8::MAX).collect();
        let odd: [&[u8]; 9] = [
            &every,
            b"\0",
            b"zero\0inside",
            b"zero behind\0",
            b"caf\xe9",
            "caf\u{e9}".as_bytes(),
            b"\xff\xfe",
            b"\xef\xbb\xbfmark",
            b"a\\b\"c\r\n",
        ];
        for bytes in odd {
            self.value(Value::String(Text::from_bytes(bytes)));
        }
    }

    fn arrays(&mut self) {
        self.value(Value::Array(Vec::new()));
        for &field_type in FieldType::ALL {
            for count in [1, 2, 255, 256] {
                self.value(Value::Array(vec![small::field(ITEM, sample(field_type)); count]));
            }
        }
        // Elements of several types.
        let all = FieldType::ALL.iter().map(|&one| small::field(ITEM, sample(one)));
        self.value(Value::Array(all.collect()));
        for length in [1, 2, 3, 4, 5, 6, 9, 255, 256, 65_535, 65_536] {
            self.value(Value::Raw(Raw::from(vec![0xA5; length])));
        }
        // Raw bytes that could be fields, but for their count.
        self.value(Value::Raw(Raw::from(vec![6, 0, FieldType::Empty.id()])));
        self.value(Value::Raw(Raw::from(vec![0; 64])));
    }

    fn objects(&mut self) {
        let address = Document::FIRST_ADDRESS + 4;
        self.value(small::object(address, Vec::new()));
        for &field_type in FieldType::ALL {
            self.value(small::object(address, vec![small::field(DATA, sample(field_type))]));
        }
        let twice = vec![small::field(DATA, true), small::field(DATA, false)];
        self.value(small::object(address, twice));
        for bits in words::<u32>() {
            self.value(small::object(bits as u32, Vec::new()));
            let pointer = ObjectPointer { class: 5, address: bits as u32 };
            self.value(Value::ObjectPointer(pointer));
        }
        for bits in words::<i16>() {
            let pointer = ObjectPointer { class: bits as i16, address: 0x2000_0000 };
            self.value(Value::ObjectPointer(pointer));
        }
    }

    fn pairs(&mut self) {
        for &field_type in FieldType::ALL {
            let key = small::field(KEY, small::text("key"));
            self.value(Value::Pair([key, small::field(DATA, sample(field_type))].into()));
            let key = small::field(KEY, sample(field_type));
            self.value(Value::Pair([key, small::field(DATA, Value::Empty)].into()));
        }
        let pair = |number| {
            [
                small::field(KEY, Value::SignedInt(number)),
                small::field(DATA, Value::SignedLong(number)),
            ]
        };
        for keys in [vec![1, 2, 3], vec![3, 2, 1], vec![1, 1]] {
            let pairs = keys.into_iter().map(|number| small::field(PAIR, pair(number)));
            self.value(Value::Array(pairs.collect()));
        }
    }

    /// As deep as can be read.
    fn depth(&mut self) {
        for form in nest::FORMS {
            for layers in [1, 2, 16, Reader::DEPTH - 2, Reader::DEPTH - 1] {
                let inner = small::field(DATA, Value::SignedInt(7));
                let field = nest::nested(inner, layers, || form);
                self.value(field.value);
            }
        }
    }

    fn headers(&mut self) {
        const HEADER: &Record = record_of::<Header>();
        for bits in words::<u32>().into_iter().chain([20, 21]) {
            let mut document = small::document();
            document.header.project_version = bits as u32;
            self.add(HEADER.name, &document);
            let mut document = small::document();
            document.header.reserved = bits as u32;
            self.add(HEADER.name, &document);
        }
    }

    fn tables(&mut self) {
        const TABLE: &Record = record_of::<TableRecord>();
        let empty = || Table::from_iter([]);
        let entry = |id, name: &str| (id, Text::from_bytes(name.as_bytes()));
        let long = "n".repeat(65_535);
        let tables = [
            empty(),
            Table::from_iter([entry(0, "zero")]),
            Table::from_iter([entry(5, "")]),
            Table::from_iter([entry(5, "one"), entry(5, "other")]),
            Table::from_iter([entry(5, "same"), entry(6, "same")]),
            Table::from_iter([entry(9, "late"), entry(5, "early")]),
            Table::from_iter([entry(u16::MAX, "last")]),
            Table::from_iter([entry(5, &long)]),
            Table::from_iter((0..1000).map(|id| entry(id, "many"))),
        ];
        for table in tables {
            let field = small::field(DATA, Value::SignedInt(1));
            let mut document = small::document();
            document.tags = table.clone();
            document.root.fields.push(field.clone());
            self.add(TABLE.name, &document);
            let mut document = small::document();
            document.classes = table;
            document.root.fields.push(field);
            self.add(TABLE.name, &document);
        }
        let mut document = small::document();
        (document.tags, document.classes) = (empty(), empty());
        self.add(TABLE.name, &document);
        (document.tags, document.classes) = (dictionary::tags(), dictionary::classes());
        self.add(TABLE.name, &document);
    }

    fn roots(&mut self) {
        for bits in words::<i16>() {
            let mut document = small::document();
            document.root.class = bits as i16;
            self.add(small::ROOT_CLASS, &document);
        }
        for bits in words::<u32>() {
            let mut document = small::document();
            document.root.address = bits as u32;
            self.add(small::ROOT_CLASS, &document);
        }
        // Every id of a tag that there can be a boundary at, whether the table has it or not.
        for bits in words::<u16>() {
            let mut document = small::document();
            let mut field = small::field(DATA, Value::SignedInt(1));
            field.tag = bits as u16;
            document.root.fields.push(field);
            self.add(small::ROOT_CLASS, &document);
        }
    }

    /// An object of each class, with every field of it at its least.
    fn classes(&mut self) {
        let config = Config::default();
        for class in CLASSES.iter().filter(|class| class.known != Known::ByName) {
            // No seed makes the least of everything.
            if let Ok(document) = terrain::file(&mut Unstructured::new(&[]), &config, class) {
                self.add(class.name, &document);
            }
        }
    }

    fn trees(&mut self) {
        for version in [Version::V3, Version::V4] {
            for kind in Children::ALL {
                for mask in 0..=0x0F {
                    if kind != Children::None || mask == 0 {
                        self.tree(record_of::<Node<f64>>().name, &nodes(version, kind, mask));
                    }
                }
            }
            for groups in [&[][..], &[0], &[1], &[2, 0, 1]] {
                self.tree(record_of::<Leaf<f64>>().name, &leaf(version, groups));
            }
        }
    }

    fn tree(&mut self, subject: &'static str, tree: &Tree) {
        let Ok(bytes) = tree.to_vec() else { return };
        self.add(subject, &layer(tree.version, bytes));
    }
}

/// An object layer with this as its quadtree.
pub(super) fn layer(version: Version, tree: Vec<u8>) -> Document {
    let mut document = small::document();
    let version = Value::SignedInt(version.layer_version());
    document.root.fields.push(small::field(small::VERSION, version));
    document.root.fields.push(small::field(small::TREE, Raw::from(tree)));
    document
}

const BOUNDS: BoundingBox<f64> = BoundingBox { x0: 0.0, y0: -8192.0, x1: 16384.0, y1: 8192.0 };

fn node(kind: Children, mask: u8, level: i32) -> Node<f64> {
    let children = ChildMask::from(mask);
    Node { kind: kind.kind(), bounds: BOUNDS, level, children, ..Node::default() }
}

/// Returns a node whose empty cells or leaves are given by `mask`.
fn nodes(version: Version, kind: Children, mask: u8) -> Tree {
    let mut tree = Tree { version, nodes: vec![node(kind, mask, 0)], ..Tree::default() };
    for _ in 0..mask.count_ones() {
        match kind {
            Children::Leaves => tree.leaves.push(empty_leaf()),
            _ => tree.nodes.push(node(Children::None, 0, 1)),
        }
    }
    tree
}

fn empty_leaf() -> Leaf<f64> {
    Leaf { bounds: BOUNDS, colour: Colour::from(0xFF80_8080), ..Leaf::default() }
}

/// Returns a leaf with one group for each number of objects in `groups`.
fn leaf(version: Version, groups: &[i32]) -> Tree {
    let mut tree = nodes(version, Children::Leaves, 1);
    for (&object_count, template) in groups.iter().zip(1..) {
        tree.groups.push(Group { object_count, template, ..Group::default() });
        for id in 0..object_count {
            tree.objects.push(Placed { scale: 1.0, id: id as u32, ..Placed::default() });
        }
    }
    if let [leaf, ..] = &mut tree.leaves[..] {
        leaf.group_count = groups.len() as i32;
    }
    tree
}

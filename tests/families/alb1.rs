//! Files of fields with types, and a tree of records that contain themselves.

use formwork::schema::Layout;
use formwork::{BinRead, BinWrite, Family, Fields, Nested, Schema, binrw, record};
use formwork_alb1::record::{
    ArrayRecord, DoubleArrayRecord, FieldRecord, FileRecord, FloatArrayRecord, Header,
    IntArrayRecord, ObjectPointer, ObjectRecord, PairRecord, RawArrayRecord, RootRecord,
    ShortArrayRecord, StringRecord, TableEntry, TableRecord,
};
use formwork_alb1::terrain::RoadColour;
use formwork_alb1::tree::{BoundingBox, ChildMask, Colour, Group, Leaf, Node, Object};
use formwork_records::schema::{CHILD, FIELD, FIELD_TYPE, TAG};

use super::{hold, sample};

/// What follows the type of a field.
const VALUE: u16 = 100;

/// A field: its head, and what the type in it says.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct TypedField {
    #[schema(family = TAG)]
    pub tag: u16,
    #[schema(family = FIELD_TYPE)]
    pub field_type: u8,
    pub value: Nested<VALUE>,
}

/// The fields of a file, with the names of its tags.
#[derive(Default)]
struct Alb1 {
    tags: Vec<(u16, String)>,
}

const TYPES: &[(u64, &str, Layout)] = &[
    (0x01, "signed char", i8::LAYOUT),
    (0x05, "signed int", i32::LAYOUT),
    (0x06, "unsigned int", u32::LAYOUT),
    (0x07, "signed long", i32::LAYOUT),
    (0x08, "unsigned long", u32::LAYOUT),
    (0x09, "bool", u8::LAYOUT),
    (0x0A, "float", f32::LAYOUT),
    (0x0B, "string", StringRecord::LAYOUT),
    (0x0C, "array", ArrayRecord::LAYOUT),
    (0x0D, "object", ObjectRecord::LAYOUT),
    (0x0E, "object pointer", ObjectPointer::LAYOUT),
    (0x0F, "pair", PairRecord::LAYOUT),
    (0x10, "array of signed shorts", ShortArrayRecord::LAYOUT),
    (0x11, "array of signed ints", IntArrayRecord::LAYOUT),
    (0x12, "array of floats", FloatArrayRecord::LAYOUT),
    (0x13, "nothing", super::variant::Nil::LAYOUT),
    (0x14, "double", f64::LAYOUT),
    (0x15, "array of doubles", DoubleArrayRecord::LAYOUT),
];

impl Family for Alb1 {
    fn nested(&self, id: u16, fields: &Fields<'_>) -> Option<Layout> {
        match id {
            FIELD => return Some(TypedField::LAYOUT),
            CHILD => {
                return match fields.number("kind")? {
                    1 => Some(Node::<f32>::LAYOUT),
                    16 => Some(Leaf::<f32>::LAYOUT),
                    _ => None,
                };
            }
            _ => {}
        }
        let (_, name, layout) =
            TYPES.iter().find(|it| i128::from(it.0) == fields.number("field_type").unwrap_or(0))?;
        let words = fields.rest().first_chunk::<8>().map(|it| it.as_chunks::<4>().0);
        match words {
            Some([blob, count])
                if *name == "array"
                    && u32::from_le_bytes(*blob).checked_sub(4)
                        == Some(u32::from_le_bytes(*count)) =>
            {
                Some(RawArrayRecord::LAYOUT)
            }
            _ => Some(*layout),
        }
    }

    fn name(&self, id: u16, number: u64) -> Option<&str> {
        match id {
            TAG => self.tags.iter().find(|it| u64::from(it.0) == number).map(|it| &*it.1),
            _ => TYPES.iter().find(|it| it.0 == number).map(|it| it.1),
        }
    }

    fn check(&self, id: u16, number: u64, _: &Fields<'_>) -> Option<formwork::Error> {
        (id == TAG && !self.tags.is_empty() && self.name(id, number).is_none()).then(|| {
            let rule = formwork::wire::rule::RECORD_NUMBER;
            formwork::Error::new(rule, 0, "a tag of the table", number.to_string())
        })
    }
}

impl Alb1 {
    fn of(file: &[u8]) -> Self {
        let document = formwork_alb1::Reader::new().read(file).unwrap();
        let tags = document.tags.entries().map(|(id, name)| (id, name.to_string()));
        Self { tags: tags.collect() }
    }
}

#[test]
fn files_of_fields() {
    for name in ["valley.tv4p", "valley.Shapes/fields.tv4s"] {
        let file = sample(&format!("alb1/samples/{name}"));
        let family = Alb1::of(&file);
        hold::<FileRecord>(record::with(&family), &file);
    }
    let file = sample("alb1/samples/valley.Shapes/fields.tv4s");
    let family = Alb1::of(&file);
    let untagged = Alb1::default();
    let with = record::with(&untagged);
    hold::<Header>(with, &file[..16]);
    hold::<TableRecord>(with, b"\x02\0\x0f\x01\0\0\0\x01\0\x03\0tag");
    hold::<RootRecord>(with, &[0, 0, 1, 0, 0, 0]);
    hold::<FieldRecord>(with, &[1, 0, 9]);
    hold::<TableEntry<'_>>(with, b"\x01\0\x03\0tag");
    hold::<StringRecord<'_>>(with, b"\x02\0hi");
    hold::<ArrayRecord>(with, &[4, 0, 0, 0, 0, 0, 0, 0]);
    hold::<RawArrayRecord<'_>>(with, &[5, 0, 0, 0, 1, 0, 0, 0, 7]);
    hold::<ObjectRecord>(with, &[6, 0, 0, 0, 1, 0, 9, 0, 0, 0]);
    hold::<ObjectPointer>(with, &[1, 0, 9, 0, 0, 0]);
    hold::<PairRecord>(with, &[1, 0, 9, 1, 1, 0, 9, 0]);
    hold::<ShortArrayRecord<'_>>(with, &[1, 7, 0]);
    hold::<IntArrayRecord<'_>>(with, &[1, 7, 0, 0, 0]);
    hold::<FloatArrayRecord<'_>>(with, &[1, 0, 0, 0x80, 0x3f]);
    hold::<DoubleArrayRecord<'_>>(with, &[1, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
    let dump = record::with(&family).dump::<FileRecord>(&file);
    assert!(dump.contains("string (11)"), "{dump}");
    let odd = record::with(&family).check::<FieldRecord>(&[0xff, 0xff, 9, 0]).unwrap_err();
    assert_eq!(
        odd.to_string(),
        "offset 0 (0x0), tag: expected a tag of the table, found 65535 (malformed, rule record.number)"
    );
}

#[test]
fn trees_of_nodes_and_leaves() {
    let family = Alb1::default();
    let with = record::with(&family);
    let colour = Colour::new();
    let node = |kind, level, children| {
        let (bounds, base) = (BoundingBox::default(), Node::<f32>::default());
        record::to_vec(&Node { kind, bounds, level, colour, children, ..base }).unwrap()
    };
    let object =
        Object { x: 1.5, y: 2.5, yaw: 90.0, pitch: 0.0, roll: 0.0, scale: 1.0, z: 0.0, id: 7 };
    let group = Group { object_count: 1, template: 5, ..Group::default() };
    let leaf = Leaf::<f32> { template: 5, group_count: 1, ..Leaf::default() };
    let mut tree = node(1, 0, ChildMask::new().with_nw(true).with_ne(true));
    tree.extend(node(16, 1, ChildMask::new().with_nw(true)));
    tree.extend(record::to_vec(&leaf).unwrap());
    tree.extend(record::to_vec(&group).unwrap());
    tree.extend(record::to_vec(&object).unwrap());
    tree.extend(node(-1, 1, ChildMask::new()));
    hold::<Node<f32>>(with, &tree);
    hold::<Leaf<f64>>(with, &[0; 44]);
    hold::<Node<f64>>(with, &[0; 42]);
    hold::<Group>(with, &[0; 8]);
    hold::<Object>(with, &[0; 40]);
    hold::<BoundingBox<f32>>(with, &[0; 16]);
    hold::<Colour>(with, &[1, 2, 3, 4]);
    hold::<RoadColour>(with, &[1, 2, 3, 4]);
    hold::<ChildMask>(with, &[15]);
    let dump = with.dump::<Node<f32>>(&tree);
    assert!(dump.contains("template") && dump.contains("90"), "{dump}");
    // A real tree: the raw bytes of the field of a layer.
    let layer = sample("alb1/samples/valley.Layers/houses.tv4l");
    let start = (0..layer.len() - 8).find(|&at| {
        let word = |at: usize| u32::from_le_bytes(layer[at..at + 4].try_into().unwrap());
        let (blob, count) = (word(at), word(at + 4));
        blob > 1000 && count == blob - 4 && at + 8 + count as usize <= layer.len()
    });
    let start = start.expect("the layer has a tree") + 8;
    let first: Node<f32> = record::read(&mut formwork::wire::Cursor::new(&layer[start..])).unwrap();
    assert_eq!((first.kind, first.level), (1, 0));
}

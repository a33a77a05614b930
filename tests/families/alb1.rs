//! Files of fields with types, and a tree of records that contain themselves.

use formwork::modular_bitfield::prelude::*;
use formwork::schema::Layout;
use formwork::{
    BinRead, BinWrite, Deferred, Each, Family, Fields, Nested, Schema, Slice, ToEnd, Within, binrw,
    record,
};

use super::variant::{Real, words};
use super::{hold, sample};

const FIELD: u16 = 0;
const VALUE: u16 = 1;
const CHILD: u16 = 2;
const TAG: u16 = 3;
const FIELD_TYPE: u16 = 4;

/// A whole file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct FileRecord {
    pub header: Header,
    pub tags: TableRecord,
    pub classes: TableRecord,
    pub root: RootRecord,
}

/// The first 16 bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little, magic = b"ALB1")]
pub struct Header {
    pub version: u32,
    pub project_version: u32,
    pub reserved: u32,
}

/// Names by id.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct TableRecord {
    pub id: u16,
    pub field_type: u8,
    pub count: u32,
    #[br(count = count)]
    pub entries: Each<TableEntry<'static>>,
}

/// A name of a table.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct TableEntry<'a> {
    pub id: u16,
    pub length: u16,
    #[br(count = length)]
    #[schema(text)]
    pub name: Slice<'a>,
}

/// A field.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct FieldRecord {
    #[schema(family = TAG)]
    pub tag: u16,
    #[schema(family = FIELD_TYPE)]
    pub field_type: u8,
    pub value: Nested<VALUE>,
}

/// A string.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct StringRecord<'a> {
    pub length: u16,
    #[br(count = length)]
    pub bytes: Slice<'a>,
}

/// An array of fields, which fill it.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct ArrayRecord {
    pub blob_size: u32,
    pub count: u32,
    #[br(args { bytes: blob_size - 4, inner: binrw::args! { count: count as usize } })]
    pub elements: Deferred<Within<Each<Nested<FIELD>>>>,
}

/// An array of bytes.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct RawArrayRecord<'a> {
    pub blob_size: u32,
    #[br(assert(count == blob_size.saturating_sub(4)))]
    pub count: u32,
    #[br(count = count)]
    pub bytes: Slice<'a>,
}

/// An object.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct ObjectRecord {
    pub blob_size: u32,
    pub class: i16,
    pub address: u32,
    #[br(args { bytes: blob_size - 6 })]
    pub fields: Deferred<Within<ToEnd<Nested<FIELD>>>>,
}

/// The object after the tables.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct RootRecord {
    pub class: i16,
    pub address: u32,
    pub fields: Deferred<ToEnd<Nested<FIELD>>>,
}

/// A pointer to another file.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct ObjectPointer {
    pub class: i16,
    pub address: u32,
}

/// Two fields.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct PairRecord {
    pub first: Nested<FIELD>,
    pub second: Nested<FIELD>,
}

/// Numbers.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct NumberArrayRecord<'a, T: formwork::wire::Number> {
    pub count: u8,
    #[br(count = count)]
    pub numbers: Slice<'a, T>,
}

/// A box.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Default, PartialEq)]
#[brw(little)]
pub struct BoundingBox<T: Real = f32> {
    pub x0: T,
    pub y0: T,
    pub x1: T,
    pub y1: T,
}

words! {
    /// A colour.
    Colour: u32 { blue: B8, green: B8, red: B8, alpha: B8, }
    /// The children that follow.
    ChildMask: u8 {
        nw: bool,
        ne: bool,
        sw: bool,
        se: bool,
        #[schema(zero)] unused: B4,
    }
}

/// An inner node. Its children follow.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct Node<T: Real = f32> {
    pub kind: i8,
    pub bounds: BoundingBox<T>,
    pub level: i32,
    pub colour: Colour,
    pub children: ChildMask,
    #[br(if(children.nw()))]
    pub nw: Option<Nested<CHILD>>,
    #[br(if(children.ne()))]
    pub ne: Option<Nested<CHILD>>,
    #[br(if(children.sw()))]
    pub sw: Option<Nested<CHILD>>,
    #[br(if(children.se()))]
    pub se: Option<Nested<CHILD>>,
}

/// A leaf.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Leaf<T: Real = f32> {
    pub bounds: BoundingBox<T>,
    pub colour: Colour,
    pub template: u32,
    pub group_count: i32,
    #[br(count = group_count.max(0))]
    pub groups: Each<Group>,
}

/// Objects of one template.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Group {
    pub object_count: i32,
    pub template: u32,
    #[br(count = object_count.max(0))]
    pub objects: Each<Object>,
}

/// A placed object.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(little)]
pub struct Object {
    pub x: f64,
    pub y: f64,
    pub yaw: f32,
    pub pitch: f32,
    pub roll: f32,
    pub scale: f32,
    pub z: f32,
    pub id: u32,
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
    (0x12, "array of floats", NumberArrayRecord::<f32>::LAYOUT),
    (0x13, "nothing", super::variant::Nil::LAYOUT),
    (0x14, "double", f64::LAYOUT),
    (0x15, "array of doubles", NumberArrayRecord::<f64>::LAYOUT),
];

impl Family for Alb1 {
    fn nested(&self, id: u16, fields: &Fields<'_>) -> Option<Layout> {
        match id {
            FIELD => return Some(FieldRecord::LAYOUT),
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
        let file: FileRecord = record::read(&mut formwork::wire::Cursor::new(file)).unwrap();
        let name =
            |entry: &TableEntry<'_>| (entry.id, String::from_utf8_lossy(&entry.name).into_owned());
        Self { tags: file.tags.entries.iter().map(name).collect() }
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
    let node = |kind, level, children| Node::<f32> {
        kind,
        bounds: BoundingBox::default(),
        level,
        colour,
        children,
        nw: children.nw().then_some(Nested),
        ne: children.ne().then_some(Nested),
        sw: None,
        se: None,
    };
    let object =
        Object { x: 1.5, y: 2.5, yaw: 90.0, pitch: 0.0, roll: 0.0, scale: 1.0, z: 0.0, id: 7 };
    let group = Group { object_count: 1, template: 5, objects: vec![object].into() };
    let leaf = Leaf::<f32> {
        bounds: BoundingBox::default(),
        colour,
        template: 5,
        group_count: 1,
        groups: vec![group].into(),
    };
    let mut tree =
        record::to_vec(&node(1, 0, ChildMask::new().with_nw(true).with_ne(true))).unwrap();
    tree.extend(record::to_vec(&node(16, 1, ChildMask::new().with_nw(true))).unwrap());
    tree.extend(record::to_vec(&leaf).unwrap());
    tree.extend(record::to_vec(&node(-1, 1, ChildMask::new())).unwrap());
    hold::<Node<f32>>(with, &tree);
    hold::<Leaf<f64>>(with, &[0; 44]);
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

//! Resource files: the first word says the order of bytes of all that follows.

use formwork::modular_bitfield::prelude::*;
use formwork::schema::Layout;
use formwork::{
    BinRead, BinWrite, Deferred, Each, Family, Fields, Nested, Padding, Schema, Slice, binrw,
    record,
};

use super::variant::{ContainerCount, words};
use super::{hold, sample};

const TYPE: u16 = 0;
const VALUE: u16 = 1;
const PAYLOAD: u16 = 2;

/// A resource file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(magic = b"RSRC")]
pub struct ResourceFile {
    #[brw(little)]
    #[br(assert(big_endian <= 1))]
    pub big_endian: u32,
    #[br(is_big = big_endian != 0)]
    #[bw(is_big = *big_endian != 0)]
    pub content: ResourceContent,
}

/// All but the first word.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ResourceContent {
    pub real64: u32,
    pub major: u32,
    pub minor: u32,
    pub format: u32,
    pub class: ResourceText<'static>,
    pub import_offset: u64,
    pub flags: ResourceFlags,
    pub uid: i64,
    #[br(if(flags.script_class()))]
    pub script_class: Option<ResourceText<'static>>,
    #[schema(zero)]
    pub reserved: [u32; 11],
    pub name_count: u32,
    #[br(count = name_count)]
    pub names: Each<ResourceText<'static>>,
    pub external_count: u32,
    #[br(count = external_count, args { inner: (flags.uids(),) })]
    pub external: Each<ExternalResource>,
    pub internal_count: u32,
    #[br(count = internal_count)]
    pub internal: Each<InternalPlace>,
    #[br(count = internal_count)]
    pub resources: Deferred<Each<InternalResource>>,
    pub end: Deferred<End>,
}

/// The mark at the end.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(magic = b"RSRC")]
pub struct End {}

words! {
    /// Flags of a file.
    ResourceFlags: u32 {
        named_ids: bool,
        uids: bool,
        real_is_double: bool,
        script_class: bool,
        #[schema(zero)] unused: B28,
    }
    /// The first word of a name.
    NameWord: u32 {
        number: B31,
        here: bool,
    }
    /// The word before a value.
    ValueWord: u32 {
        #[schema(family = TYPE)] value_type: B32,
    }
}

/// A text and a zero.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ResourceText<'a> {
    pub length: u32,
    #[br(count = length)]
    #[schema(terminated)]
    pub bytes: Slice<'a>,
}

/// A resource in another file.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(has_uid: bool))]
pub struct ExternalResource {
    pub class: ResourceText<'static>,
    pub path: ResourceText<'static>,
    #[br(if(has_uid))]
    pub uid: Option<i64>,
}

/// The place of a resource.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct InternalPlace {
    pub path: ResourceText<'static>,
    pub offset: u64,
}

/// A resource.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct InternalResource {
    pub class: ResourceText<'static>,
    pub property_count: u32,
    #[br(count = property_count)]
    pub properties: Deferred<Each<ResourceProperty<'static>>>,
}

/// A property.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ResourceProperty<'a> {
    pub name: ResourceName<'a>,
    pub value: Nested<VALUE>,
}

/// A name: from the table, or a text.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct ResourceName<'a> {
    pub word: NameWord,
    #[br(if(word.here()), count = word.number())]
    #[schema(terminated)]
    pub bytes: Option<Slice<'a>>,
}

/// A value.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct ResourceValue {
    pub word: ValueWord,
    pub payload: Nested<PAYLOAD>,
}

/// A number.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct Int {
    pub value: i32,
}

/// A number.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct Float {
    pub value: f32,
}

/// Bytes, padded.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct PaddedBytes<'a> {
    pub count: u32,
    #[br(count = count)]
    pub bytes: Slice<'a>,
    #[br(args(count.into()))]
    pub padding: Padding<4>,
}

/// An array.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct ResourceArray {
    pub count: ContainerCount,
    #[br(count = count.count())]
    pub elements: Deferred<Each<Nested<VALUE>>>,
}

/// A reference to a resource.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct ResourceReference {
    #[br(assert(kind != 1))]
    pub kind: u32,
    #[br(if(kind >= 2))]
    pub index: Option<u32>,
}

/// The values of resource files.
struct Resources;

impl Family for Resources {
    fn nested(&self, id: u16, fields: &Fields<'_>) -> Option<Layout> {
        if id == VALUE {
            return Some(ResourceValue::LAYOUT);
        }
        Some(match fields.number("word.value_type")? {
            1 => super::variant::Nil::LAYOUT,
            2 | 3 => Int::LAYOUT,
            4 => Float::LAYOUT,
            5 => ResourceText::LAYOUT,
            10 => <[f32; 2]>::LAYOUT,
            12 => <[f32; 3]>::LAYOUT,
            20 => <[f32; 4]>::LAYOUT,
            24 => ResourceReference::LAYOUT,
            30 => ResourceArray::LAYOUT,
            31 => PaddedBytes::LAYOUT,
            _ => return None,
        })
    }

    fn name(&self, _: u16, number: u64) -> Option<&str> {
        Some(match number {
            1 => "Nil",
            2 => "bool",
            3 => "int",
            4 => "float",
            5 => "String",
            10 => "Vector2",
            12 => "Vector3",
            20 => "Color",
            24 => "Object",
            30 => "Array",
            31 => "PackedByteArray",
            _ => return None,
        })
    }
}

#[test]
fn either_order_of_bytes() {
    let with = record::with(&Resources);
    let file = sample("resource/samples/godot-3.2.3/curve.res");
    hold::<ResourceFile>(with, &file);
    let dump = with.dump::<ResourceFile>(&file);
    assert!(dump.contains("\"Curve\"") && dump.contains("value_type Vector2 (10)"), "{dump}");
    // The values of this file have types that the family of this test does not know.
    let big = sample("resource/samples/godot-3.2.3/values-big-endian.res");
    let read = record::read::<ResourceFile>(&mut formwork::wire::Cursor::new(&big)).unwrap();
    assert_eq!((read.big_endian, read.content.major), (1, 3));
    assert!(big.starts_with(&record::to_vec(&read).unwrap()));
    hold::<ResourceName<'_>>(with.big_endian(), b"\x80\0\0\x03hi\0");
    hold::<ResourceName<'_>>(with, b"\x03\0\0\x00");
    hold::<PaddedBytes<'_>>(with.big_endian(), b"\0\0\0\x02hi\0\0");
}

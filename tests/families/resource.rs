//! Resource files, whose first word says the order of bytes of all that follows.

use formwork::schema::Layout;
use formwork::{BinRead, BinWrite, Family, Fields, Nested, Schema, binrw, record};
use formwork_godot::resource::{
    ExternalResource, ExternalTable, ExternalUid, ExternalUidTable, ImportMetadata, ImportOption,
    ImportOptions, ImportSource, ImportSources, InternalPlace, InternalResource, InternalTable,
    NameTable, NameWord, PaddedBytes, PropertyNodePath, RawImage, ResourceArray, ResourceContent,
    ResourceDictionary, ResourceFile, ResourceFlags, ResourceHead, ResourceImage, ResourceMark,
    ResourceName, ResourceNodePath, ResourcePair, ResourceProperty, ResourceReference,
    ResourceText, ResourceTexts, SubnameCount, ValueWord,
};
use formwork_records::schema::VARIANT;

use super::{hold, hold_front, sample};

/// What follows the number of a type.
const PAYLOAD: u16 = 100;

/// A value.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
pub struct ResourceValue {
    pub word: ValueWord,
    pub payload: Nested<PAYLOAD>,
}

/// The values of resource files.
struct Resources;

impl Family for Resources {
    fn nested(&self, id: u16, fields: &Fields<'_>) -> Option<Layout> {
        if id == VARIANT {
            return Some(ResourceValue::LAYOUT);
        }
        Some(match fields.number("word.value_type")? {
            1 => super::variant::Nil::LAYOUT,
            2 | 3 => i32::LAYOUT,
            4 => f32::LAYOUT,
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
    let text = b"\x03\0\0\0hi\0";
    let two = [&text[..], &text[..]].concat();
    let counted = |part: &[u8], more: &[u8]| [&[1, 0, 0, 0], part, more].concat();
    hold::<ResourceMark>(with, b"RSRC");
    hold::<ResourceContent>(with, &file[4..]);
    hold_front::<ResourceHead>(with, &file[4..]);
    hold::<ResourceFlags>(with, &[15, 0, 0, 0]);
    hold::<ResourceText<'_>>(with, text);
    hold::<NameTable>(with, &counted(text, &[]));
    hold::<ExternalResource<'_>>(with, &two);
    hold::<ExternalTable>(with, &counted(&two, &[]));
    hold::<ExternalUid<'_>>(with, &[&two[..], &[7; 8]].concat());
    hold::<ExternalUidTable>(with, &counted(&two, &[7; 8]));
    hold::<InternalPlace<'_>>(with, &[&text[..], &[7; 8]].concat());
    hold::<InternalTable>(with, &counted(text, &[7; 8]));
    hold::<InternalResource<'_>>(with, &[&text[..], &[0; 4]].concat());
    hold::<ResourceProperty<'_>>(with, &[0, 0, 0, 0, 1, 0, 0, 0]);
    hold::<NameWord>(with, &[3, 0, 0, 0x80]);
    hold::<ValueWord>(with, &[3, 0, 0, 0]);
    hold::<SubnameCount>(with, &[1, 0x80]);
    hold::<ResourceNodePath>(with, &[1, 0, 0, 0, 3, 0, 0, 0]);
    hold::<PropertyNodePath>(with, &[0, 0, 0, 0, 3, 0, 0, 0]);
    hold::<ResourceReference<'_>>(with, &[2, 0, 0, 0, 7, 0, 0, 0]);
    hold::<ResourceArray>(with, &[1, 0, 0, 0, 1, 0, 0, 0]);
    hold::<ResourcePair>(with, &[1, 0, 0, 0, 1, 0, 0, 0]);
    hold::<ResourceDictionary>(with, &[1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
    hold::<ResourceTexts>(with, &counted(text, &[]));
    hold::<RawImage>(with, &[1; 16]);
    hold::<ResourceImage<'_>>(with, &[2, 0, 0, 0, 2, 0, 0, 0, b'h', b'i', 0, 0]);
    hold::<ImportSource<'_>>(with, &two);
    hold::<ImportSources<'_>>(with, &[&text[..], &counted(&two, &[])].concat());
    hold::<ImportOption<'_>>(with, &[&text[..], &[1, 0, 0, 0]].concat());
    hold::<ImportOptions>(with, &[0; 4]);
    hold::<ImportMetadata>(with, &[&text[..], &[0; 8]].concat());
    // The values of this file have types that the family of this test does not know.
    let big = sample("resource/samples/godot-3.2.3/values-big-endian.res");
    let mut input = formwork::wire::Cursor::new(&big[4..]);
    let head = with.big_endian().read::<ResourceHead>(&mut input).unwrap();
    assert_eq!(head.major, 3);
    hold::<ResourceName<'_>>(with.big_endian(), b"\x80\0\0\x03hi\0");
    hold::<ResourceName<'_>>(with, b"\x03\0\0\x00");
    hold::<PaddedBytes<'_>>(with.big_endian(), b"\0\0\0\x02hi\0\0");
}

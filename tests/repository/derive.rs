//! Tests `#[derive(Schema)]` on formats of the tests.

#![allow(missing_docs, reason = "the declarations are the tests' own")]

use binrw::io::Cursor;
use binrw::{BinRead, BinWrite};
use formwork_records::schema::{
    Expression, Operator, Record, Repetition, Schema, Semantics, Shape,
};
use formwork_records::wire::{Block, Each, Nested, Padding};
use formwork_variant::binrw;
use formwork_variant::inspect::Inspector;
use modular_bitfield::prelude::*;

const NAMES: &[&str] = &["none", "packed"];
const HEAD: u16 = 4;

/// What a file starts with.
///
/// A second paragraph.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"OWN1")]
pub struct Head {
    /// How it is packed.
    #[schema(means = Semantics::Named(NAMES))]
    pub packing: u16,
    /// Bytes of the name and this word.
    pub length: u16,
    /// The name.
    #[br(count = length - HEAD + 2)]
    #[schema(text)]
    pub name: Block<'static, u8>,
    pub sizes: [u16; 2],
}

#[derive(Schema)]
#[bitfield]
#[repr(u16)]
#[derive(BinRead, BinWrite, Clone, Copy, Debug, Eq, PartialEq)]
#[br(map = |raw: u16| raw.into())]
#[bw(map = |word: &Self| u16::from(*word))]
pub struct Flags {
    /// How many.
    pub count: B12,
    pub more: bool,
    pub kind: B3,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Entry {
    pub length: i8,
    #[br(count = length.max(0))]
    pub bytes: Vec<u8>,
    #[br(args(length.max(0) as u64))]
    pub padding: Padding,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(version: u32))]
pub struct Body<T>
where
    T: Schema + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()> + 'static,
{
    pub flags: Flags,
    #[br(ignore)]
    #[bw(ignore)]
    pub seen: u32,
    #[br(map = |raw: u8| raw != 0)]
    #[bw(map = |on: &bool| u8::from(*on))]
    pub on: bool,
    #[br(if(flags.more() && version >= 2))]
    pub more: Option<T>,
    #[br(args { count: usize::from(flags.count()) })]
    pub entries: Each<Entry>,
    #[schema(bytes = flags.count * 2)]
    pub rest: Nested<u16>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[brw(repr = u8)]
pub enum Colour {
    Red = 1,
    Green = 7,
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, Eq, PartialEq)]
#[brw(little)]
pub struct Painted {
    pub colour: Colour,
}

/// A tree whose nodes hold nodes.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Branch {
    pub count: u8,
    #[br(count = count)]
    pub branches: Vec<Branch>,
}

fn record<T: Schema>() -> &'static Record {
    match T::SHAPE {
        Shape::Record(record) => record,
        shape => panic!("{shape}"),
    }
}

#[test]
fn a_record_says_what_binrw_reads() {
    let head = record::<Head>();
    assert_eq!(
        (head.name, head.doc),
        ("Head", " What a file starts with.\n\n A second paragraph.\n")
    );
    let names: Vec<_> = head.fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["magic", "packing", "length", "name", "sizes"]);
    let [magic, packing, _, name, sizes] = head.fields else { panic!() };
    assert_eq!(magic.meaning, Semantics::Magic(b"OWN1"));
    assert_eq!(packing.meaning, Semantics::Named(NAMES));
    assert_eq!(packing.shape().to_string(), "u16 (big endian)");
    assert_eq!(name.occurs.to_string(), "length - 4 + 2 times");
    assert_eq!(sizes.occurs, Repetition::Times(Expression::Number(2)));
    assert_eq!((Head::SIZE, Head::LEAST), (None, 12));
}

#[test]
fn words_expressions_and_generics_are_followed() {
    assert_eq!((Flags::SIZE, Flags::SHAPE.size()), (Some(2), Some(2)));
    let body = record::<Body<u32>>();
    let texts: Vec<_> = body
        .fields
        .iter()
        .map(|field| format!("{} {}: {}", field.name, field.shape(), field.occurs))
        .collect();
    assert_eq!(
        texts,
        [
            "flags Flags: once",
            "on u8: once",
            "more u32: if flags.more && version >= 2",
            "entries Entry: flags.count times",
            "rest u16: as many as fill flags.count * 2 bytes",
        ]
    );
    let more = body.fields[2].occurs.expression().copied();
    assert_eq!(
        more,
        Some(Expression::Binary(
            &Expression::Path(&["flags", "more"]),
            Operator::And,
            &Expression::Binary(
                &Expression::Path(&["version"]),
                Operator::AtLeast,
                &Expression::Number(2),
            ),
        ))
    );
    let entry = record::<Entry>();
    assert_eq!(entry.fields[1].occurs.to_string(), "length times");
    assert_eq!(entry.fields[2].occurs.to_string(), "after length bytes");
}

#[test]
fn an_enum_is_a_number_with_names() {
    let painted = record::<Painted>();
    assert_eq!(painted.fields[0].meaning, Semantics::Numbered(&[(1, "Red"), (7, "Green")]));
    assert_eq!(Painted::SIZE, Some(1));
    let shown = |byte: u8| {
        let bytes = [byte];
        let spans: Vec<_> = Inspector::of_record(&bytes, "painted", painted).flatten().collect();
        (spans[1].value.to_string(), spans[1].note.is_some())
    };
    assert_eq!(shown(7), ("7 Green".to_owned(), false));
    assert_eq!(shown(2), ("2".to_owned(), true));
}

#[test]
fn a_record_may_stand_in_itself() {
    let branch = record::<Branch>();
    assert!(matches!(branch.fields[1].shape(), Shape::Record(inner) if inner.name == "Branch"));
    let tree = Branch::read(&mut Cursor::new([2, 1, 0, 0])).expect("a tree");
    assert_eq!(tree.branches[0].branches.len(), 1);
}

#[test]
fn a_format_of_ones_own_is_shown() {
    let head = Head { packing: 1, length: 6, name: Block(b"mine".to_vec().into()), sizes: [3, 4] };
    let mut bytes = Cursor::new(Vec::new());
    head.write(&mut bytes).expect("a vector takes everything");
    let bytes = bytes.into_inner();
    assert_eq!(bytes, b"OWN1\0\x01\0\x06mine\0\x03\0\x04");
    assert_eq!(Head::read(&mut Cursor::new(&bytes)).expect("it was written"), head);
    let spans: Vec<_> = Inspector::of_record(&bytes, "file", record::<Head>())
        .map(|span| span.expect("it was read"))
        .map(|span| format!("{} {:?} {} {}", span.offset, span.name, span.layout, span.value))
        .collect();
    assert_eq!(
        spans[1..],
        [
            "0 Field(\"magic\") u8[4] \"OWN1\"",
            "4 Field(\"packing\") u16 (big endian) 1 packed",
            "6 Field(\"length\") u16 (big endian) 6",
            "8 Field(\"name\") u8[4] \"mine\"",
            "12 Field(\"sizes\") u16 (big endian)[2] [3, 4]",
        ]
    );
}

//! Tests formats that were declared from the documentation page alone.

#![allow(missing_docs, reason = "made for the test alone")]

use formwork::document::{Format, JsonText, RecordFormat};
use formwork::record::Verdict;
use formwork::wire::Leb128;
use formwork::{BinRead, BinWrite, Block, Open, Schema, ToEnd, Varint, Within, binrw, record};

fn audit<T: record::Declared + PartialEq + std::fmt::Debug>(samples: &[&[u8]]) {
    for sample in samples {
        let value: T = record::from_slice(sample).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(record::to_vec(&value).as_deref(), Ok(*sample));
        assert_eq!(record::check::<T>(sample), Ok(()));
    }
    let audit = record::audit::<T>(samples, 300).ok().unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!((audit.made, &audit.never), (300, &vec![]), "{audit}");
    suite::<T>(samples);
}

/// Checks what the suite of a format says of its files.
fn suite<T: record::Declared + PartialEq + std::fmt::Debug>(samples: &[&[u8]]) {
    let suite = record::suite::<T>(samples);
    let names: std::collections::HashSet<_> = suite.iter().map(|vector| &vector.id).collect();
    assert_eq!(names.len(), suite.len());
    for (vector, sample) in suite.iter().zip(samples) {
        assert_eq!((&*vector.file, vector.verdict), (*sample, Verdict::Valid));
        assert_eq!(vector.written.as_deref(), Some(*sample));
    }
    for vector in &suite {
        let is_read = record::from_slice::<T>(&vector.file).is_ok();
        assert_eq!(is_read, vector.verdict != Verdict::Invalid, "{}", vector.id);
        assert_eq!(vector.rule.is_none(), vector.verdict == Verdict::Valid, "{}", vector.id);
    }
    assert!(suite.iter().any(|vector| vector.verdict == Verdict::Invalid));
    assert_eq!(record::suite::<T>(samples), suite);
    assert_eq!(RecordFormat::new::<T>("mine", "").suite(samples), suite);
    assert_eq!(record::suite_lines("mine", &suite).lines().count(), suite.len() + 1);
}

/// A format without a declaration makes no files: its suite has the samples, and what is wrong with each.
#[test]
fn a_format_of_another_kind_says_what_is_right_of_its_samples() {
    let suite = JsonText.suite(&[br#"{"a": 1}"#, br#"{"a":"#]);
    let verdicts: Vec<_> = suite.iter().map(|vector| vector.verdict).collect();
    assert_eq!(verdicts, [Verdict::Valid, Verdict::Invalid]);
    assert_eq!(suite[0].written.as_deref(), Some(&br#"{"a": 1}"#[..]));
    assert_eq!((suite[0].rule, suite[1].rule.is_some()), (None, true));
}

/// A module of WebAssembly. Source: "WebAssembly Core Specification", section 5.5.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little, magic = b"\0asm")]
pub struct Module {
    #[br(assert(version == 1))]
    pub version: u32,
    pub sections: ToEnd<Section>,
}

/// A section.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Section {
    pub id: Open<Id>,
    pub size: Varint<Leb128>,
    #[br(args { bytes: size.value(), inner: (id.number(),) })]
    pub content: Within<Content>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Id {
    Custom = 0,
    Type = 1,
    Function = 3,
    Export = 7,
    Code = 10,
}

/// The content of a section.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
#[br(import(id: u8))]
pub enum Content {
    /// A section of a tool.
    #[br(pre_assert(id == 0))]
    Custom {
        length: Varint<Leb128>,
        #[br(count = length.value())]
        #[schema(text)]
        name: Block<u8>,
        rest: ToEnd<u8>,
    },
    Other(ToEnd<u8>),
}

#[test]
fn web_assembly() {
    // (module (func (export "f") (result i32) (i32.const 42))), and a section of a tool.
    let module = b"\0asm\x01\0\0\0\x01\x05\x01\x60\0\x01\x7f\x03\x02\x01\0\x07\x05\x01\x01f\0\0\x0a\x06\x01\x04\0\x41\x2a\x0b\
        \0\x06\x04name\0";
    audit::<Module>(&[module]);
    let mut value: Module = record::from_slice(module).unwrap();
    if let Content::Custom { name, .. } = &mut value.sections[4].content.0 {
        name.extend_from_slice(&[b'x'; 200]);
    }
    assert!(record::to_vec(&value).is_err());
    record::settle(&mut value).unwrap();
    assert_eq!(value.sections[4].size.value(), 207);
    assert_eq!(record::to_vec(&value).unwrap().len(), module.len() + 202);
}

/// A recording of network traffic. Source: "PCAP Capture File Format" (draft-ietf-opsawg-pcap).
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(little)]
pub struct Recording {
    #[br(assert(magic == 0xa1b2_c3d4 || magic == 0xd4c3_b2a1))]
    #[schema(hex)]
    pub magic: u32,
    #[br(is_big = magic == 0xd4c3_b2a1)]
    #[bw(is_big = *magic == 0xd4c3_b2a1)]
    pub body: Body,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Body {
    #[br(assert(major == 2, "version 2"))]
    pub major: u16,
    pub minor: u16,
    pub zone: i32,
    pub accuracy: u32,
    pub longest: u32,
    pub link: u32,
    pub packets: ToEnd<Packet>,
}

#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
pub struct Packet {
    pub time: [u32; 2],
    pub length: u32,
    #[br(assert(whole_length >= length))]
    pub whole_length: u32,
    #[br(count = length)]
    pub bytes: Block<u8>,
}

#[test]
fn traffic_in_both_orders() {
    let mut little = vec![0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0];
    let mut big = vec![0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4];
    for number in [0_u32, 0, 65535, 1, 1_700_000_000, 5, 3, 60] {
        little.extend(number.to_le_bytes());
        big.extend(number.to_be_bytes());
    }
    for file in [&mut little, &mut big] {
        file.extend(b"abc");
    }
    audit::<Recording>(&[&little, &big]);
}

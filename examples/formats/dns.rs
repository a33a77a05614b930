//! DNS: questions about names, and the answers.
//!
//! Source: RFC 1035, section 4. A name may end in the offset of another name, which is not followed.

use formwork::modular_bitfield::prelude::*;
use formwork::{BinRead, BinWrite, Block, Each, Open, Schema, ToEnd, Until, Within, binrw};

/// A question or an answer.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Message {
    /// The same in a question and its answer.
    #[schema(hex)]
    pub id: u16,
    /// What the message is.
    pub flags: Flags,
    /// Number of questions.
    pub question_count: u16,
    /// Number of answers.
    pub answer_count: u16,
    /// Number of servers that know.
    pub authority_count: u16,
    /// Number of other records.
    pub additional_count: u16,
    /// The questions.
    #[br(count = question_count)]
    pub questions: Each<Question>,
    /// The answers.
    #[br(count = answer_count)]
    pub answers: Each<Answer>,
    /// Servers that know.
    #[br(count = authority_count)]
    pub authorities: Each<Answer>,
    /// Other records.
    #[br(count = additional_count)]
    pub additional: Each<Answer>,
}

/// What a message is, from the lowest bit on.
#[derive(BinRead, BinWrite, Schema)]
#[bitfield]
#[derive(Clone, Copy, Debug, PartialEq)]
#[br(map = |raw: u16| Self::from(raw))]
#[bw(map = |word: &Self| u16::from(*word))]
#[repr(u16)]
pub struct Flags {
    /// 0, or what went wrong.
    pub error: B4,
    #[schema(zero)]
    pub reserved: B3,
    /// The server asks others.
    pub recursion_available: bool,
    /// The server is asked to ask others.
    pub recursion_desired: bool,
    /// The answer did not fit.
    pub truncated: bool,
    /// The server is the one that knows.
    pub authoritative: bool,
    /// 0 for a question about a name.
    pub operation: B4,
    /// This is an answer.
    pub is_answer: bool,
}

/// A part of a name, the last one empty or the offset of the rest.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(last = length == 0 || length >= 192)]
pub struct Label {
    /// Bytes of the part; from 192 on the high bits of an offset.
    #[br(assert(length < 64 || length >= 192))]
    pub length: u8,
    /// The part.
    #[br(count = if length < 64 { length } else { 0 })]
    pub text: Block<u8>,
    /// The low bits of the offset.
    #[br(if(length >= 192))]
    pub offset: Option<u8>,
}

/// The type of a record.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u16)]
pub enum Type {
    A = 1,
    NameServer = 2,
    CanonicalName = 5,
    Mail = 15,
    Text = 16,
    Aaaa = 28,
}

/// A question.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Question {
    /// The name.
    pub name: Until<Label>,
    /// What is asked for.
    pub kind: Open<Type>,
    /// 1 for the Internet.
    pub class: u16,
}

/// An answer.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Answer {
    /// The name.
    pub name: Until<Label>,
    /// What it is.
    pub kind: Open<Type>,
    /// 1 for the Internet.
    pub class: u16,
    /// Seconds that it holds.
    pub lifetime: u32,
    /// Bytes of the content.
    pub length: u16,
    /// The content.
    #[br(args { bytes: length, inner: (kind.number(),) })]
    pub content: Within<Content>,
}

/// What an answer says.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[br(import(kind: u16))]
#[brw(big)]
pub enum Content {
    /// An address.
    #[br(pre_assert(kind == 1))]
    Address([u8; 4]),
    /// An address of version 6.
    #[br(pre_assert(kind == 28))]
    LongAddress([u16; 8]),
    /// Another name.
    #[br(pre_assert(kind == 2 || kind == 5))]
    Name(Until<Label>),
    /// A server for mail.
    #[br(pre_assert(kind == 15))]
    Mail {
        /// The lowest one is asked first.
        preference: u16,
        /// The name of the server.
        name: Until<Label>,
    },
    Other(ToEnd<u8>),
}

//! Java classes.
//!
//! Source: "The Java Virtual Machine Specification", Java SE 21 edition, chapter 4.

use formwork::{BinRead, BinWrite, Block, Each, Schema, binrw};

/// A class or an interface.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big, magic = b"\xca\xfe\xba\xbe")]
pub struct Class {
    pub minor: u16,
    /// The version: 52 for Java 8, 61 for Java 17.
    #[br(assert(major >= 45))]
    pub major: u16,
    /// One more than the number of constants, of which long ones count twice.
    #[br(assert(count > 0))]
    pub count: u16,
    /// The constants.
    #[br(count = count - 1)]
    pub constants: Each<Constant>,
    /// Who may use it, and what it is.
    #[schema(hex)]
    pub access: u16,
    /// The constant of its name.
    pub this: u16,
    /// The constant of the class that it extends.
    pub parent: u16,
    pub interface_count: u16,
    /// The constants of the interfaces.
    #[br(count = interface_count)]
    pub interfaces: Block<u16>,
    pub field_count: u16,
    #[br(count = field_count)]
    pub fields: Each<Member>,
    pub method_count: u16,
    #[br(count = method_count)]
    pub methods: Each<Member>,
    pub attribute_count: u16,
    #[br(count = attribute_count)]
    pub attributes: Each<Attribute>,
}

/// A constant.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[schema(slots = if matches!(tag as u8, 5 | 6) { 2 } else { 1 })]
pub struct Constant {
    /// What it is.
    pub tag: Tag,
    #[br(args(tag as u8))]
    pub value: Content,
}

/// What a constant is.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[brw(repr = u8)]
pub enum Tag {
    Text = 1,
    Int = 3,
    Float = 4,
    Long = 5,
    Double = 6,
    Class = 7,
    String = 8,
    Field = 9,
    Method = 10,
    InterfaceMethod = 11,
    NameAndType = 12,
    MethodHandle = 15,
    MethodType = 16,
    Dynamic = 17,
    InvokeDynamic = 18,
    Module = 19,
    Package = 20,
}

/// The value of a constant.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
#[br(import(tag: u8))]
pub enum Content {
    /// A text in Java's own UTF-8.
    #[br(pre_assert(tag == 1))]
    Text {
        length: u16,
        #[br(count = length)]
        #[schema(text)]
        text: Block<u8>,
    },
    #[br(pre_assert(tag == 3))]
    Int(i32),
    #[br(pre_assert(tag == 4))]
    Float(f32),
    #[br(pre_assert(tag == 5))]
    Long(i64),
    #[br(pre_assert(tag == 6))]
    Double(f64),
    /// The constant of a text.
    #[br(pre_assert(matches!(tag, 7 | 8 | 16 | 19 | 20)))]
    Name(u16),
    /// Two other constants.
    #[br(pre_assert(matches!(tag, 9..=12 | 17 | 18)))]
    Pair([u16; 2]),
    /// A method, and how it is called.
    Handle {
        #[br(assert((1..=9).contains(&kind)))]
        kind: u8,
        method: u16,
    },
}

/// A field or a method.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Member {
    #[schema(hex)]
    pub access: u16,
    /// The constant of its name.
    pub name: u16,
    /// The constant of its type.
    pub descriptor: u16,
    pub attribute_count: u16,
    #[br(count = attribute_count)]
    pub attributes: Each<Attribute>,
}

/// What else is known, such as the code of a method.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[brw(big)]
pub struct Attribute {
    /// The constant of its name.
    pub name: u16,
    /// Bytes of the content.
    pub size: u32,
    #[br(count = size)]
    #[schema(hex)]
    pub content: Block<u8>,
}

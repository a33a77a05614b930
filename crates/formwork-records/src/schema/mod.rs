//! The declarations at run time: names, types, widths, counts, padding, flags.
//!
//! `#[derive(Schema)]` makes these descriptions from the attributes that binrw and modular-bitfield read, too. The
//! inspector, the printed schema and the generators walk them. There is no second list.
//!
//! ```
//! use formwork_records::binrw::{self, BinRead, BinWrite, io::Cursor};
//! use formwork_records::schema::{Schema, Shape};
//! use formwork_records::wire::{Block, Padding};
//!
//! /// A name: its length, its bytes, zeros up to a multiple of four.
//! #[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
//! #[brw(little)]
//! pub struct Name<'a> {
//!     /// Bytes of the name.
//!     pub length: u16,
//!     /// The name.
//!     #[br(count = length)]
//!     #[schema(text)]
//!     pub bytes: Block<'a, u8>,
//!     /// Zeros.
//!     #[br(args(length.into()))]
//!     pub padding: Padding,
//! }
//!
//! let name = Name::read(&mut Cursor::new(b"\x02\0me\0\0"))?;
//! assert_eq!(&*name.bytes, b"me");
//! let Shape::Record(record) = Name::SHAPE else { panic!("a struct is a record") };
//! assert_eq!(record.fields[1].occurs.to_string(), "length times");
//! # Ok::<(), formwork_records::binrw::Error>(())
//! ```
//!
//! # Attributes of `#[derive(Schema)]`
//!
//! The derive reads binrw's `br` and `brw`: `little` and `big`, `count`, `if`, `args`, `ignore`, `calc`, `import`,
//! `assert`, and closures of `map` whose argument has a type. `#[schema(..)]` adds the parts of the wire format that
//! these attributes do not have:
//!
//! * `wire = TYPE`: the type on the wire, if binrw calls a function (`parse_with`, `map`);
//! * `count = EXPRESSION`, `if = EXPRESSION`: the number of repetitions, if no attribute of binrw has it;
//! * `bytes = EXPRESSION`: as many as fill this number of bytes, counted from the end of the field with the number;
//! * `to_end`: as many as fill the rest of the input;
//! * `or_end`: [`Padding`](crate::wire::Padding) that may be missing at the end of the input;
//! * `text`: the bytes are a text in UTF-8; in an array of fixed size, zeros pad it;
//! * `zero`: all bytes are zeros, as in reserved fields and padding;
//! * `means = MEANING`: the meaning of the number, a [`Semantics`];
//! * `inline`: paths do not name the field.
//!
//! On a type, `#[schema(either_order)]` leaves the byte order to the caller of the reader.
//!
//! An enum is one of numbers (`#[brw(repr = u8)]`). A part with several forms on the wire is a field that distinguishes
//! them and a field of each form with an `if`. The effects of binrw's moves in its input (`pad_before`, `seek_before`,
//! `align_after` and so on) have no place in a schema: padding is a field. For a bit-packed word, the derive is placed
//! above modular-bitfield's `#[bitfield]`, which removes the parts.
//!
//! An expression that refers to a missing field does not compile:
//!
//! ```compile_fail,E0425
//! # use formwork_records::binrw::{self, BinRead};
//! # use formwork_records::schema::Schema;
//! # use formwork_records::wire::Nested;
//! #[derive(BinRead, Schema)]
//! #[brw(little)]
//! struct List {
//!     count: u32,
//!     #[schema(count = counts)]
//!     elements: Nested<u32>,
//! }
//! ```

#[doc(hidden)]
pub mod derived;
mod expression;
mod locate;
mod walk;

use std::fmt;

pub use derived::offset;
pub use expression::{Expression, Function, Operator, Width};
pub use formwork_records_derive::Schema;
pub use locate::locate;
pub use walk::{Failed, Why};

/// A type with a declared layout.
///
/// It is derived: see [the module](self).
pub trait Schema {
    /// The layout; for a list, that of an element.
    const SHAPE: Shape;
    /// The number of times that [`SHAPE`](Self::SHAPE) occurs in a field of this type.
    const STANDS: Stands = Stands::Once;
    /// The meaning of its number.
    const MEANING: Semantics = Semantics::Plain;
    /// The number of bytes on the wire, if it is constant.
    const SIZE: Option<usize>;
    /// The smallest number of bytes on the wire.
    const LEAST: usize = match Self::SIZE {
        Some(size) => size,
        None => 0,
    };
    /// The number of bytes of the leading part with a constant size: all of it, or the fields of a record before the
    /// first without a fixed size. The result of [`Shape::head_size`], as a constant.
    const HEAD_SIZE: usize = match Self::SIZE {
        Some(size) => size,
        None => derived::head(Self::SIZES),
    };
    /// The fields of a record in wire order, with their numbers of bytes, if constant.
    #[doc(hidden)]
    const SIZES: &'static [(&'static str, Option<usize>)] = &[];
}

/// The number of times that a field of a type occurs on the wire.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stands {
    /// Once.
    Once,
    /// As many times as its `count`.
    Counted,
    /// This number of times.
    Exactly(u64),
    /// As many times as fit up to the end of the input.
    ToEnd,
    /// Once if its condition is true.
    Optional,
    /// As padding after as many bytes as its argument.
    Padding,
    /// As [`Once`](Self::Once), but the reader of the record leaves it to another.
    Elsewhere,
}

/// The layout of a part of the wire format. Everything is little endian unless declared otherwise.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A whole number of this many bytes, in two's complement if signed.
    Integer {
        /// 1, 2, 4 or 8.
        bytes: u8,
        /// Whether it may be negative.
        signed: bool,
    },
    /// An IEEE 754 number of 4 or 8 bytes.
    Float {
        /// 4 or 8.
        bytes: u8,
    },
    /// A number with its highest byte first, as in network protocols.
    BigEndian(&'static Shape),
    /// Zero bytes up to the next multiple of four.
    Padding,
    /// Several fields packed into one word, from the least significant bit.
    Word(&'static Word),
    /// Fields, one after another.
    Record(&'static Record),
    /// A complete packet: header word and payload of the dialect in use.
    Variant,
    /// A complete field of an ALB1 file: tag, type and value by the table of field types.
    Field,
    /// A child of a node of the quadtree in an ALB1 file: a node or a leaf, depending on the node's kind.
    Child,
}

/// Returns the record that a type was declared as.
///
/// # Panics
///
/// For types that are not records: meant for constants, which then do not compile.
#[must_use]
pub const fn record_of<T: Schema>() -> &'static Record {
    match T::SHAPE {
        Shape::Record(record) => record,
        _ => panic!("the type is no record"),
    }
}

impl Shape {
    /// Returns the number of bytes on the wire, if it is constant.
    #[must_use]
    pub fn size(self) -> Option<usize> {
        match self {
            Self::Integer { bytes, .. } | Self::Float { bytes } => Some(bytes.into()),
            Self::Word(word) => Some(word.bytes.into()),
            Self::BigEndian(number) => number.size(),
            Self::Record(record) => record.fields.iter().map(Field::size).sum(),
            Self::Padding | Self::Variant | Self::Field | Self::Child => None,
        }
    }

    /// Returns the smallest number of bytes on the wire, as far as sizes are constant.
    pub fn least(self) -> usize {
        match self {
            Self::Record(record) => {
                let there = record.fields.iter().filter(|field| !field.nested);
                there.filter_map(Field::size).sum()
            }
            shape => shape.size().unwrap_or_default(),
        }
    }

    /// Returns the number of bytes of the leading part with a constant size: all of it, or the fields of a record
    /// before the first that has no fixed size or does not occur exactly once.
    #[must_use]
    pub fn head_size(self) -> usize {
        match self {
            Self::Record(record) => record
                .fields
                .iter()
                .map_while(|field| {
                    let stands_once = field.occurs == Repetition::Once && !field.nested;
                    field.shape().size().filter(|_| stands_once)
                })
                .sum(),
            shape => shape.size().unwrap_or_default(),
        }
    }
}

/// Writes the name of the type: `u32`, `Vector2`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { bytes, signed } => {
                write!(f, "{}{}", if *signed { 'i' } else { 'u' }, 8 * u32::from(*bytes))
            }
            Self::Float { bytes } => write!(f, "f{}", 8 * u32::from(*bytes)),
            Self::BigEndian(number) => write!(f, "{number} (big endian)"),
            Self::Padding => f.write_str("Padding"),
            Self::Word(word) => f.write_str(word.name),
            Self::Record(record) => f.write_str(record.name),
            Self::Variant => f.write_str("Variant"),
            Self::Field => f.write_str("Field"),
            Self::Child => f.write_str("Child"),
        }
    }
}

/// Fields, one after another.
#[derive(Debug)]
pub struct Record {
    /// The declared type's name.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The fields in wire order.
    pub fields: &'static [Field],
    /// The assertions that must hold after all fields are read: binrw's `assert` on the struct.
    pub checks: &'static [Expression],
}

/// One field of a [`Record`].
#[derive(Debug)]
pub struct Field {
    /// The declared name.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// Returns the layout of the field, or of each of its elements. (This is a function, because a record may contain
    /// itself.)
    pub shape: fn() -> Shape,
    /// The number of times that it occurs.
    pub occurs: Repetition,
    /// The meaning of its numbers.
    pub meaning: Semantics,
    /// Whether the field only groups its content: then a [`Path`](formwork::Path) does not name it, as in `array[3]`
    /// for the elements of an array.
    pub inline: bool,
    /// Whether the reader of the record leaves it to another ([`Nested`](crate::wire::Nested)).
    pub nested: bool,
    /// The assertions that must hold after the field is read: binrw's `assert`.
    pub checks: &'static [Expression],
}

impl Field {
    /// Returns the layout of the field, or of each of its elements.
    #[must_use]
    pub fn shape(&self) -> Shape {
        (self.shape)()
    }

    /// Returns the number of bytes on the wire, if it is constant.
    #[must_use]
    pub fn size(&self) -> Option<usize> {
        match self.occurs {
            Repetition::Once => self.shape().size(),
            Repetition::Times(Expression::Number(count)) => {
                self.shape().size()?.checked_mul(count.try_into().ok()?)
            }
            _ => None,
        }
    }
}

/// The meaning of a number or block of bytes, beyond its layout.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Semantics {
    /// No further meaning: a number, bytes.
    Plain,
    /// The number of a type in the dialect's table.
    TypeId,
    /// One of these, by position.
    Named(&'static [&'static str]),
    /// One of these, each with its number.
    Numbered(&'static [(i128, &'static str)]),
    /// The id of a name in the tag table of the ALB1 file.
    Tag,
    /// The id of a name in the class table of the ALB1 file.
    Class,
    /// The id of a field type.
    FieldType,
    /// The number of bytes of the packet after its header word.
    PayloadSize,
    /// Letters, one for each byte.
    Letters,
    /// A text in UTF-8.
    Text,
    /// A text in UTF-8 and the zero byte that ends it.
    TerminatedText,
    /// A text in UTF-8 that zeros pad to the size of its place.
    PaddedText,
    /// A text whose bytes are each combined with this byte by XOR: in UTF-8, or in UTF-32 if the elements have four
    /// bytes.
    MaskedText(u8),
    /// Zeros: padding, or reserved for later.
    Zero,
    /// Exactly these bytes.
    Magic(&'static [u8]),
}

/// The number of times that a field occurs on the wire. The conditions and counts are expressions over earlier fields
/// of the same record, as in the declaration.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Repetition {
    /// Once.
    Once,
    /// As many times as the expression.
    Times(Expression),
    /// Once if the expression is true.
    If(Expression),
    /// As padding after this number of bytes.
    After(Expression),
    /// As padding after this number of bytes, which may be missing at the very end of the input.
    AfterOrEnd(Expression),
    /// As often as it fits into this number of bytes, counted from the end of the field with the number.
    Fill(Expression),
    /// As often as it fits into the rest of the input.
    ToEnd,
}

impl Repetition {
    /// Returns the count or condition, if there is one.
    #[must_use]
    pub const fn expression(&self) -> Option<&Expression> {
        match self {
            Self::Once | Self::ToEnd => None,
            Self::Times(expression)
            | Self::If(expression)
            | Self::After(expression)
            | Self::AfterOrEnd(expression)
            | Self::Fill(expression) => Some(expression),
        }
    }
}

/// Writes the repetition as pages have it: `length times`, `if flags.property`.
impl fmt::Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Once => f.write_str("once"),
            Self::Times(count) => write!(f, "{count} times"),
            Self::If(condition) => write!(f, "if {condition}"),
            Self::After(length) => write!(f, "after {length} bytes"),
            Self::AfterOrEnd(length) => {
                write!(f, "after {length} bytes; may be missing at the end")
            }
            Self::Fill(length) => write!(f, "as many as fill {length} bytes"),
            Self::ToEnd => f.write_str("to the end"),
        }
    }
}

/// A bit-packed word.
#[derive(Debug)]
pub struct Word {
    /// The declared type's name.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The width of the word in bytes.
    pub bytes: u8,
    /// The parts, from the least significant bit on.
    pub bits: &'static [BitRange],
}

/// A part of a [`Word`].
#[derive(Debug)]
pub struct BitRange {
    /// The declared name.
    pub name: &'static str,
    /// The documentation.
    pub doc: &'static str,
    /// The width in bits; a part of one bit is a flag.
    pub width: u8,
    /// The meaning of its number.
    pub meaning: Semantics,
}

impl BitRange {
    /// Whether these bits are zero: they are declared with [`Semantics::Zero`].
    #[must_use]
    pub const fn is_unused(&self) -> bool {
        matches!(self.meaning, Semantics::Zero)
    }
}

impl Word {
    /// Returns the value of each part of the word `raw`, from the least significant on.
    pub fn parts(&self, raw: u64) -> impl Iterator<Item = (&'static BitRange, u64)> + use<> {
        let mut rest = raw;
        self.bits.iter().map(move |bits| {
            let value = if bits.width < 64 { rest & ((1 << bits.width) - 1) } else { rest };
            rest = if bits.width < 64 { rest >> bits.width } else { 0 };
            (bits, value)
        })
    }

    /// Returns the bits that engines leave at zero and do not check.
    #[must_use]
    pub const fn unused_bits(&self) -> u64 {
        let (mut mask, mut at, mut part) = (0, 0, 0);
        while part < self.bits.len() {
            let bits = &self.bits[part];
            if bits.is_unused() {
                mask |= (u64::MAX >> (64 - bits.width)) << at;
            }
            at += bits.width;
            part += 1;
        }
        mask
    }
}

/// Represents a complete nested packet in declarations: see [`Shape::Variant`].
#[derive(Clone, Copy, Debug)]
pub enum Variant {}

/// Represents a complete field of an ALB1 file in declarations: see [`Shape::Field`].
#[derive(Clone, Copy, Debug)]
pub enum NestedField {}

/// Represents a child of a node of the quadtree in declarations: see [`Shape::Child`].
#[derive(Clone, Copy, Debug)]
pub enum NestedChild {}

impl Schema for NestedChild {
    const SHAPE: Shape = Shape::Child;
    const SIZE: Option<usize> = None;
}

impl Schema for NestedField {
    const SHAPE: Shape = Shape::Field;
    const SIZE: Option<usize> = None;
}

impl Schema for Variant {
    const SHAPE: Shape = Shape::Variant;
    const SIZE: Option<usize> = None;
}

macro_rules! numbers {
    ($( $number:ident: $shape:expr; )+) => { $(
        impl Schema for $number {
            const SHAPE: Shape = $shape;
            const SIZE: Option<usize> = Some(size_of::<Self>());
        }
    )+ };
}

numbers! {
    i8: Shape::Integer { bytes: 1, signed: true };
    u8: Shape::Integer { bytes: 1, signed: false };
    i16: Shape::Integer { bytes: 2, signed: true };
    u16: Shape::Integer { bytes: 2, signed: false };
    i32: Shape::Integer { bytes: 4, signed: true };
    u32: Shape::Integer { bytes: 4, signed: false };
    i64: Shape::Integer { bytes: 8, signed: true };
    u64: Shape::Integer { bytes: 8, signed: false };
    f32: Shape::Float { bytes: 4 };
    f64: Shape::Float { bytes: 8 };
}

impl<T: Schema> Schema for Vec<T> {
    const SHAPE: Shape = T::SHAPE;
    const STANDS: Stands = Stands::Counted;
    const SIZE: Option<usize> = None;
}

impl<T: Schema> Schema for Option<T> {
    const SHAPE: Shape = T::SHAPE;
    const STANDS: Stands = Stands::Optional;
    const SIZE: Option<usize> = None;
}

impl<T: Schema, const N: usize> Schema for [T; N] {
    const SHAPE: Shape = T::SHAPE;
    const STANDS: Stands = Stands::Exactly(N as u64);
    const SIZE: Option<usize> = match T::SIZE {
        Some(size) => size.checked_mul(N),
        None => None,
    };
}

impl<T: Schema> Schema for Box<T> {
    const SHAPE: Shape = T::SHAPE;
    const STANDS: Stands = T::STANDS;
    const SIZE: Option<usize> = T::SIZE;
}

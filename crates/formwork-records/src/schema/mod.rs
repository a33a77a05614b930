//! What the declarations say, readable at run time: names, types, widths, counts, padding, flags.
//!
//! `#[derive(Schema)]` makes these descriptions of the attributes that binrw and modular-bitfield read,
//! too; the inspector, the printed schema and the generators walk them. There is no second list.
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
//! The derive reads binrw's `br` and `brw`: `little` and `big`, `count`, `if`, `args`, `ignore`, `calc`,
//! `import`, `assert`, and closures of `map` whose argument has a type. What stands on the wire where they do
//! not say it is said by `#[schema(..)]`:
//!
//! * `wire = TYPE`: what stands on the wire where binrw calls a function (`parse_with`, `map`);
//! * `count = EXPRESSION`, `if = EXPRESSION`: how often it stands there, where no attribute of binrw says
//!   it;
//! * `bytes = EXPRESSION`: as many as fill so many bytes, counted from behind the field that says so;
//! * `to_end`: as many as fill what is left;
//! * `or_end`: [`Padding`](crate::wire::Padding) that may be missing at the end of the input;
//! * `text`: the bytes are a text in UTF-8; in an array of fixed size zeros fill up what it leaves;
//! * `zero`: all bytes are zeros, as reserved ones and those of padding are;
//! * `means = MEANING`: what the number stands for, a [`Semantics`];
//! * `inline`: paths do not name the field.
//!
//! Above a type, `#[schema(either_order)]` leaves the order of the bytes to who reads it, and says nothing of
//! it.
//!
//! An enum is one of numbers (`#[brw(repr = u8)]`); what stands on the wire in several forms is a field that
//! tells them apart and a field of each form with an `if`. What binrw does by moving around in its input
//! (`pad_before`, `seek_before`, `align_after` and so on) has no place in a schema: padding is a field. Of a
//! bit-packed word the derive stands above modular-bitfield's `#[bitfield]`, which takes the parts away.
//!
//! An expression that speaks of a field that is not there does not compile:
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

/// A type whose layout was declared.
///
/// It is derived: see [the module](self).
pub trait Schema {
    /// The layout; of a list, that of an element.
    const SHAPE: Shape;
    /// How often [`SHAPE`](Self::SHAPE) stands where a field has this type.
    const STANDS: Stands = Stands::Once;
    /// What its number stands for.
    const MEANING: Semantics = Semantics::Plain;
    /// Bytes on the wire, where that is always the same number.
    const SIZE: Option<usize>;
    /// Bytes on the wire at least.
    const LEAST: usize = match Self::SIZE {
        Some(size) => size,
        None => 0,
    };
    /// Bytes of what stands at its start and always has the same size: all of it, or the fields of a record before
    /// the first that has no fixed size. What [`Shape::head_size`] finds out, as a constant.
    const HEAD_SIZE: usize = match Self::SIZE {
        Some(size) => size,
        None => derived::head(Self::SIZES),
    };
    /// The fields of a record in wire order, with the bytes of those that always take the same number.
    #[doc(hidden)]
    const SIZES: &'static [(&'static str, Option<usize>)] = &[];
}

/// How often a field of a type stands on the wire.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stands {
    /// Once.
    Once,
    /// As many times as its `count` says.
    Counted,
    /// So many times.
    Exactly(u64),
    /// As many times as there are up to the end of the input.
    ToEnd,
    /// Once if its condition holds.
    Optional,
    /// As padding behind as many bytes as its argument says.
    Padding,
    /// As [`Once`](Self::Once), but the reader of the record leaves it to another.
    Elsewhere,
}

/// The layout of one thing on the wire. Everything is little endian but what says otherwise.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A whole number of so many bytes, two's complement where signed.
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
    /// A number with its highest byte first: network protocols.
    BigEndian(&'static Shape),
    /// Zero bytes up to the next multiple of four.
    Padding,
    /// Several fields packed into one word, from the least significant bit.
    Word(&'static Word),
    /// Fields one after another.
    Record(&'static Record),
    /// A complete packet: header word and payload of the dialect in use.
    Variant,
    /// A complete field of an ALB1 file: tag, type and value by the table of field types.
    Field,
    /// A child of a node of the quadtree in an ALB1 file: a node or a leaf, as the node's kind says.
    Child,
}

/// Returns the record that a type was declared as.
///
/// # Panics
///
/// For types that are no records: meant for constants, which then do not compile.
#[must_use]
pub const fn record_of<T: Schema>() -> &'static Record {
    match T::SHAPE {
        Shape::Record(record) => record,
        _ => panic!("the type is no record"),
    }
}

impl Shape {
    /// Bytes on the wire, where that is always the same number.
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

    /// Bytes on the wire at least, as far as sizes are constant.
    pub fn least(self) -> usize {
        match self {
            Self::Record(record) => {
                let there = record.fields.iter().filter(|field| !field.nested);
                there.filter_map(Field::size).sum()
            }
            shape => shape.size().unwrap_or_default(),
        }
    }

    /// Bytes of what stands at its start and always has the same size: all of it, or the fields of a
    /// record before the first that has no fixed size or does not stand there once.
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

/// The name of the type: `u32`, `Vector2`.
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

/// Fields one after another.
#[derive(Debug)]
pub struct Record {
    /// The declared type's name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// The fields in wire order.
    pub fields: &'static [Field],
    /// What must hold once all fields are read: what binrw's `assert` says above the struct.
    pub checks: &'static [Expression],
}

/// One field of a [`Record`].
#[derive(Debug)]
pub struct Field {
    /// The declared name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Returns the layout of the field, or of each of its elements. (A function, as a record may stand in
    /// itself.)
    pub shape: fn() -> Shape,
    /// How often it stands there.
    pub occurs: Repetition,
    /// What its numbers stand for.
    pub meaning: Semantics,
    /// Whether it only groups what is in it: then a [`Path`](formwork::Path) does not name it, as in
    /// `array[3]` for the elements of an array.
    pub inline: bool,
    /// Whether the reader of the record leaves it to another ([`Nested`](crate::wire::Nested)).
    pub nested: bool,
    /// What must hold once the field is read: what binrw's `assert` says.
    pub checks: &'static [Expression],
}

impl Field {
    /// The layout of the field, or of each of its elements.
    #[must_use]
    pub fn shape(&self) -> Shape {
        (self.shape)()
    }

    /// Bytes on the wire, where that is always the same number.
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

/// What a number or block of bytes stands for, where its layout does not say.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Semantics {
    /// What it is: a number, bytes.
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
    /// How many bytes the packet has behind its header word.
    PayloadSize,
    /// Letters, one for each byte.
    Letters,
    /// A text in UTF-8.
    Text,
    /// A text in UTF-8 and the zero byte that ends it.
    TerminatedText,
    /// A text in UTF-8 that zeros fill up to the size of its place.
    PaddedText,
    /// A text whose bytes are each combined with this one by XOR: in UTF-8, or in UTF-32 where the elements
    /// have four bytes.
    MaskedText(u8),
    /// Zeros: padding, or reserved for later.
    Zero,
    /// These very bytes.
    Magic(&'static [u8]),
}

/// How often a field stands on the wire. The conditions and counts are expressions over earlier
/// fields of the same record, as the declaration states them.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Repetition {
    /// Once.
    Once,
    /// As many times as the expression says.
    Times(Expression),
    /// Once if the expression holds.
    If(Expression),
    /// As padding behind so many bytes.
    After(Expression),
    /// As padding behind so many bytes, which may be missing at the very end of the input.
    AfterOrEnd(Expression),
    /// As often as it fits into so many bytes, counted from behind the field that says so.
    Fill(Expression),
    /// As often as it fits into what is left of the input.
    ToEnd,
}

impl Repetition {
    /// The count or condition, where there is one.
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

/// As pages have it: `length times`, `if flags.property`.
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
    /// What it is.
    pub doc: &'static str,
    /// Width of the word in bytes.
    pub bytes: u8,
    /// The parts, from the least significant bit on.
    pub bits: &'static [BitRange],
}

/// A part of a [`Word`].
#[derive(Debug)]
pub struct BitRange {
    /// The declared name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Width in bits; a part of one bit is a flag.
    pub width: u8,
    /// What its number stands for.
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
    /// The value of each part of the word `raw`, from the least significant on.
    pub fn parts(&self, raw: u64) -> impl Iterator<Item = (&'static BitRange, u64)> + use<> {
        let mut rest = raw;
        self.bits.iter().map(move |bits| {
            let value = if bits.width < 64 { rest & ((1 << bits.width) - 1) } else { rest };
            rest = if bits.width < 64 { rest >> bits.width } else { 0 };
            (bits, value)
        })
    }

    /// The bits that engines leave at zero and do not look at.
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

/// Stands in declarations for a complete nested packet: see [`Shape::Variant`].
#[derive(Clone, Copy, Debug)]
pub enum Variant {}

/// Stands in declarations for a complete field of an ALB1 file: see [`Shape::Field`].
#[derive(Clone, Copy, Debug)]
pub enum NestedField {}

/// Stands in declarations for a child of a node of the quadtree: see [`Shape::Child`].
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

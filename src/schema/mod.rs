//! What the declarations say, readable at run time: names, types, widths, counts, padding, flags.
//!
//! [`declare!`](crate::wire) and `bits!` emit these descriptions beside the binrw and
//! modular-bitfield types, from the same tokens; the inspector, the printed schema and the
//! generators walk them. There is no second list.

mod expression;

use std::fmt;

pub use expression::{Comparison, Expression, SyntaxError};

/// A type whose layout was declared.
pub trait Declared {
    /// The layout.
    const SHAPE: Shape;
    /// Bytes on the wire, where that is always the same number.
    const SIZE: Option<usize>;
    /// Bytes on the wire at least.
    const LEAST: usize = match Self::SIZE {
        Some(size) => size,
        None => 0,
    };
}

/// The layout of one thing on the wire. Everything is little endian but what says otherwise.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
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
pub const fn record_of<T: Declared>() -> &'static Record {
    match T::SHAPE {
        Shape::Record(record) => record,
        _ => panic!("`declare!` declares records"),
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
            Self::Record(record) => record
                .fields
                .iter()
                .map(|field| if field.occurs == Occurs::Once { field.shape.size() } else { None })
                .sum(),
            Self::Padding | Self::Variant | Self::Field | Self::Child => None,
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
                .map_while(|field| field.shape.size().filter(|_| field.occurs == Occurs::Once))
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
}

/// One field of a [`Record`].
#[derive(Debug)]
pub struct Field {
    /// The declared name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// The layout of the field, or of each of its elements.
    pub shape: Shape,
    /// How often it stands there.
    pub occurs: Occurs,
    /// What its numbers stand for.
    pub meaning: Meaning,
    /// Whether it only groups what is in it: then a [`Path`](crate::Path) does not name it, as in
    /// `array[3]` for the elements of an array.
    pub inline: bool,
}

/// What a number or block of bytes stands for, where its layout does not say.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Meaning {
    /// What it is: a number, bytes.
    Plain,
    /// The number of a type in the dialect's table.
    TypeId,
    /// One of these, by position.
    Named(&'static [&'static str]),
    /// The id of a name in the tag table of the ALB1 file.
    Tag,
    /// The id of a name in the class table of the ALB1 file.
    Class,
    /// The id of a [field type](crate::alb1::FieldType).
    FieldType,
    /// How many bytes the packet has behind its header word.
    PayloadSize,
    /// Letters, one for each byte.
    Letters,
    /// A text in UTF-8.
    Text,
    /// A text in UTF-8 and the zero byte that ends it.
    TerminatedText,
}

/// How often a field stands on the wire. The conditions and counts are expressions over earlier
/// fields of the same record, as the declaration states them (`name_count.count()`).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Occurs {
    /// Once.
    Once,
    /// As many times as the expression says.
    Times(&'static str),
    /// Once if the expression holds.
    If(&'static str),
    /// As padding behind so many bytes.
    After(&'static str),
    /// The same, but at the very end of the input it may be missing.
    AfterOrEnd(&'static str),
    /// As often as it fits into so many bytes, counted from behind the field that says so.
    Fill(&'static str),
    /// As often as it fits into what is left of the input.
    ToEnd,
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
    pub bits: &'static [Bits],
}

/// A part of a [`Word`].
#[derive(Debug)]
pub struct Bits {
    /// The declared name.
    pub name: &'static str,
    /// What it is.
    pub doc: &'static str,
    /// Width in bits; a part of one bit is a flag.
    pub width: u8,
    /// What its number stands for.
    pub meaning: Meaning,
}

impl Bits {
    /// Whether engines leave these bits at zero and do not look at them.
    #[must_use]
    pub const fn is_unused(&self) -> bool {
        matches!(self.name.as_bytes(), b"unused" | b"unused_high")
    }
}

impl Word {
    /// The value of each part of the word `raw`, from the least significant on.
    pub fn parts(&self, raw: u64) -> impl Iterator<Item = (&'static Bits, u64)> + use<> {
        let mut rest = raw;
        self.bits.iter().map(move |bits| {
            let value = if bits.width < 64 { rest & ((1 << bits.width) - 1) } else { rest };
            rest = if bits.width < 64 { rest >> bits.width } else { 0 };
            (bits, value)
        })
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

impl Declared for NestedChild {
    const SHAPE: Shape = Shape::Child;
    const SIZE: Option<usize> = None;
}

impl Declared for NestedField {
    const SHAPE: Shape = Shape::Field;
    const SIZE: Option<usize> = None;
}

impl Declared for Variant {
    const SHAPE: Shape = Shape::Variant;
    const SIZE: Option<usize> = None;
}

/// What fields of these sizes take at least; those of no constant size may be empty.
pub(crate) const fn least(sizes: &[Option<usize>]) -> usize {
    let (mut least, mut at) = (0, 0);
    while at < sizes.len() {
        if let Some(size) = sizes[at] {
            least += size;
        }
        at += 1;
    }
    least
}

/// The sum of the sizes of fixed-size fields, [`None`] if one has no fixed size.
pub(crate) const fn total(sizes: &[Option<usize>]) -> Option<usize> {
    let mut sum = 0;
    let mut at = 0;
    while at < sizes.len() {
        match sizes[at] {
            Some(size) => sum += size,
            None => return None,
        }
        at += 1;
    }
    Some(sum)
}

macro_rules! declared_numbers {
    ($( $number:ident: $shape:expr; )+) => { $(
        impl Declared for $number {
            const SHAPE: Shape = $shape;
            const SIZE: Option<usize> = Some(size_of::<Self>());
        }
    )+ };
}

declared_numbers! {
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

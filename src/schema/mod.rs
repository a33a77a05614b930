//! Declarations as constants that can be read at run time.
//!
//! `#[derive(Schema)]` makes a [`Layout`] of the attributes that binrw reads as well. There is no second statement of
//! a format: the reader evaluates the attributes as Rust, and everything else walks the layout.
//!
//! # Attributes
//!
//! The schema follows binrw's attributes `little`, `big`, `is_big`, `is_little`, `magic`, `count`, `if`, `args`,
//! `import`, `assert`, `pre_assert`, `calc`, `ignore`, `default`, `repr`, and `map` with a closure whose argument has a
//! type. Anything that it cannot follow does not compile. `schema` has these:
//!
//! | on a field | meaning |
//! | --- | --- |
//! | `wire = TYPE` | the type that is in the file, where `map` or `parse_with` calls a function |
//! | `opaque` | the schema does not look into the field: its bytes go up to the end of the region around it |
//! | `sum = function, over = first..=last` | a checksum over the bytes of these fields; `over = ..`: of all in front. `over = ..=last` begins with the first byte of the record, and has its magic in it, too |
//! | `with = 0` | the byte that is in place of the sum while it is computed over itself |
//! | `text` | UTF-8; in a place of fixed size zeros fill the rest |
//! | `text, fill = b' '` | UTF-8 in an array of bytes, which this byte fills up |
//! | `text, end = 0` | UTF-8 up to the first byte of this kind, in bytes; what follows is kept. With `fill`, that byte comes after it |
//! | `text = utf16`, `text = latin1` | UTF-16 in numbers of two bytes; Latin-1 in bytes |
//! | `hex` | shown in hexadecimal: bytes or numbers |
//! | `letters` | a number or bytes shown as letters: `data`, `IHDR` |
//! | `zero` | all bytes are zero: of numbers, or of numbers in a row |
//! | `names = NAMES` | names of some numbers: a `&'static [(i128, &'static str)]`; [`numbered`] makes one |
//! | `terminated` | UTF-8 and a zero that the count of the bytes includes |
//! | `text, mask = 0xb6` | a text whose bytes are combined with this one by XOR; elements of four bytes are UTF-32 |
//! | `family = ID` | a number whose names a [`Family`](crate::Family) knows |
//! | `inline` | paths of errors and dumps leave the field out: `array[3]`, not `array.elements[3]` |
//!
//! `zero`, `names` and `family` are for parts of a bit-packed word as well.
//!
//! A [`Word`](derive@crate::Word) has `first = high` or `first = low` above it: which bits its first part has. `bits = 3`
//! is how many a part has; without it, as many as its type.
//!
//! | on a type | meaning |
//! | --- | --- |
//! | `last = condition` | the element after which an [`Until`](crate::Until) ends |
//! | `slots = number` | how many elements of an [`Each`](crate::Each) it counts as |
//! | `deepest = 64` | how many records may be in each other (128; 512 at most) |
//! | `view(name: TYPE, at = offset, bytes = size, if = condition)` | a look at another place of the file, and a method of that name that reads it. Without `bytes` it ends where its type ends, with `bytes = ..` at the end of the file; `count`, `args` as on a field; `from = self`, `from = FIELD`, `from = region`: the offset counts from there |
//! | `inverse(function = its_inverse)` | how a wanted result of a function is written into the field it reads |
//! | `arbitrary` | implements `Arbitrary` (feature `arbitrary`) |
//!
//! # What does not compile
//!
//! A text that would be copied for each element of a list:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Each, Schema, Terminated};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[br(little, import(name: Terminated))]
//! #[bw(little)]
//! struct Element {
//!     #[br(if(name == b"wide"))]
//!     wide: Option<u16>,
//! }
//!
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct List {
//!     name: Terminated,
//!     count: u8,
//!     #[br(count = count, args { inner: (name.clone(),) })]
//!     elements: Each<Element>,
//! }
//! ```
//!
//! A word whose parts do not fill whole bytes:
//!
//! ```compile_fail
//! # use formwork::{binrw, Word};
//! #[derive(Word)]
//! #[schema(first = high)]
//! struct Head {
//!     #[schema(bits = 3)]
//!     version: u8,
//!     more: bool,
//! }
//! ```
//!
//! A part of a word that has more bits than the numbers of its enum, or whose enum has negative numbers:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema, Word};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(repr = u8)]
//! enum Animal { Cat = 1, Dog = 2 }
//!
//! #[derive(Word)]
//! #[schema(first = high)]
//! struct Pair {
//!     #[schema(bits = 12)]
//!     one: Animal,
//!     #[schema(bits = 4)]
//!     two: Animal,
//! }
//! ```
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema, Word};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(repr = i8)]
//! enum Sign { Minus = -1, Plus = 1 }
//!
//! #[derive(Word)]
//! #[schema(first = high)]
//! struct Signs {
//!     sign: Sign,
//! }
//! ```
//!
//! An order of bytes, a magic or another thing that the reader alone is told:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(big)]
//! struct Hero {
//!     #[br(little)]
//!     level: u16,
//! }
//! ```
//!
//! `pre_assert` above a struct, which is `assert` there:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(big)]
//! #[br(import(kind: u8), pre_assert(kind == 1))]
//! struct Hero {
//!     level: u16,
//! }
//! ```
//!
//! Two meanings of the same bytes:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(big)]
//! struct Hero {
//!     #[schema(zero, text)]
//!     name: [u8; 4],
//! }
//! ```
//!
//! A number of sixteen bytes in an expression:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Block, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(big)]
//! struct Hero {
//!     size: u128,
//!     #[br(count = size)]
//!     name: Block<u8>,
//! }
//! ```
//!
//! A view above an enum or a variant:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema, ToEnd};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(big)]
//! #[schema(view(x: u8, at = 3))]
//! enum Part {
//!     #[brw(magic = 1u8)]
//!     A { a: u8, rest: ToEnd<u8> },
//! }
//! ```
//!
//! An expression that uses a field that is not in front:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, Block, Schema};
//! #[derive(BinRead, Schema)]
//! #[br(little)]
//! struct List {
//!     #[br(count = count)]
//!     elements: Block<u8>,
//!     count: u32,
//! }
//! ```
//!
//! An expression that the schema cannot follow:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, Block, Schema};
//! #[derive(BinRead, Schema)]
//! #[br(little)]
//! struct List {
//!     count: u32,
//!     #[br(count = [1, 2, 4][count as usize])]
//!     elements: Block<u8>,
//! }
//! ```
//!
//! A field that is no number in the file, in an expression (here it is three bytes):
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, Schema};
//! #[derive(BinRead, Schema)]
//! #[br(little)]
//! struct Version {
//!     #[schema(wire = [u8; 3])]
//!     #[br(map = |raw: [u8; 3]| u32::from_le_bytes([raw[0], raw[1], raw[2], 0]))]
//!     #[br(assert(number == 7))]
//!     number: u32,
//! }
//! ```
//!
//! A number that `map` changes, in an expression (the schema knows the number in the file only):
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Block, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! struct List {
//!     #[schema(wire = u8)]
//!     #[br(map = |raw: u8| u32::from(raw) * 2)]
//!     #[bw(map = |it: &u32| (*it / 2) as u8)]
//!     count: u32,
//!     #[br(count = count)]
//!     elements: Block<u8>,
//! }
//! ```
//!
//! A computed field that is written, too:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Block, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! struct List {
//!     last: u8,
//!     #[br(calc = last + 1)]
//!     count: u8,
//!     #[br(count = count)]
//!     elements: Block<u8>,
//! }
//! ```
//!
//! An end of a text that is not in UTF-8:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! struct Name {
//!     #[schema(text = latin1, end = 0x40)]
//!     name: [u8; 20],
//! }
//! ```
//!
//! An optional field without its condition:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! struct Hero {
//!     level: Option<u8>,
//!     lives: u8,
//! }
//! ```
//!
//! A checksum of another size than its field:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! # fn sum(bytes: &[u8]) -> u8 { bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte)) }
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Line {
//!     first: u8,
//!     second: u8,
//!     #[schema(sum = sum, over = first..=second)]
//!     sum: u16,
//! }
//! ```
//!
//! A number of bytes beside a field whose bytes the schema does not see, or before a magic:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, Padding, Schema};
//! #[derive(BinRead, Schema)]
//! #[br(little)]
//! struct Hero {
//!     #[br(map = |number: u8| number + 1)]
//!     level: u8,
//!     #[br(args(here))]
//!     padding: Padding<4>,
//! }
//! ```
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, Padding, Schema};
//! #[derive(BinRead, Schema)]
//! #[br(little)]
//! struct Hero {
//!     level: u8,
//!     #[br(magic = 7u8, args(here))]
//!     padding: Padding<4>,
//! }
//! ```
//!
//! A field of a type that does not say which bytes are in the file:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, Schema};
//! #[derive(BinRead, Schema)]
//! #[br(little)]
//! struct Hero {
//!     name: String,
//! }
//! ```
//!
//! A parameter with the name of an argument of lists and regions:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, Block, Schema};
//! #[derive(BinRead, Schema)]
//! #[br(little, import { count: u32 })]
//! struct List {
//!     #[br(count = count)]
//!     elements: Block<u8>,
//! }
//! ```
//!
//! A checksum over a range that ends before it begins:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! # fn sum(bytes: &[u8]) -> u8 { bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte)) }
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Line {
//!     first: u8,
//!     second: u8,
//!     #[schema(sum = sum, over = second..=first)]
//!     sum: u8,
//! }
//! ```
//!
//! A checksum over a range without its end, which Rust would take as one without the last field:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! # fn sum(bytes: &[u8]) -> u8 { bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte)) }
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Line {
//!     first: u8,
//!     second: u8,
//!     #[schema(sum = sum, over = first..second)]
//!     sum: u8,
//! }
//! ```
//!
//! Parameters that nothing is handed over for (binrw would take zero):
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Each, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[br(little, import(kind: u8))]
//! #[bw(little)]
//! struct Shape {
//!     #[br(if(kind > 0))]
//!     size: Option<u8>,
//! }
//!
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Shapes {
//!     count: u8,
//!     #[br(count = count)]
//!     shapes: Each<Shape>,
//! }
//! ```
//!
//! A method that the schema does not know, also of a field that may be missing:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Hero {
//!     level: u8,
//!     #[br(if(level > 1))]
//!     lives: Option<u8>,
//!     #[br(if(lives.is_some()))]
//!     gold: Option<u8>,
//! }
//! ```
//!
//! A part that `map` changes, in a record around:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Block, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Head {
//!     #[br(map = |raw: u8| u32::from(raw) * 2)]
//!     #[bw(map = |it: &u32| (*it / 2) as u8)]
//!     count: u32,
//! }
//!
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct List {
//!     head: Head,
//!     #[br(count = head.count)]
//!     elements: Block<u8>,
//! }
//! ```
//!
//! A function of a parameter:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Block, Schema};
//! # fn first(bytes: &[u8]) -> u8 { bytes[0] }
//! #[derive(BinRead, BinWrite, Schema)]
//! #[br(little, import(key: [u8; 2]))]
//! #[bw(little)]
//! struct List {
//!     #[br(count = first(&key))]
//!     elements: Block<u8>,
//! }
//! ```
//!
//! A meaning that the type cannot have: here a text of numbers of two bytes.
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Hero {
//!     #[schema(text)]
//!     name: [u16; 4],
//! }
//! ```
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Each, Schema, Terminated};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! struct Hero {
//!     count: u8,
//!     #[br(count = count)]
//!     #[schema(zero)]
//!     names: Each<Terminated>,
//! }
//! ```
//!
//! More records in each other than a stack holds:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Each, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[brw(little)]
//! #[schema(deepest = 65535)]
//! struct Tree {
//!     count: u8,
//!     #[br(count = count)]
//!     children: Each<Tree>,
//! }
//! ```
//!
//! An arbitrary value of a record with parameters:
//!
//! ```compile_fail
//! # use formwork::{binrw, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! #[br(little, import(kind: u8))]
//! #[bw(little)]
//! #[schema(arbitrary)]
//! struct Shape {
//!     #[br(if(kind > 0))]
//!     size: Option<u8>,
//! }
//! ```
//!
//! A record that no other is around, whose numbers have no order of bytes:
//!
//! ```compile_fail
//! # use formwork::{binrw, record, BinRead, BinWrite, Schema};
//! #[derive(BinRead, BinWrite, Schema)]
//! struct Hero {
//!     gold: u32,
//! }
//! let hero: Hero = record::from_slice(&[1, 0, 0, 0]).unwrap();
//! ```
//!
//! binrw's own reader, whose arithmetic overflows:
//!
//! ```compile_fail
//! # use formwork::{binrw, Block, Schema};
//! #[derive(binrw::BinRead, binrw::BinWrite, Schema)]
//! #[brw(little)]
//! struct List {
//!     size: u32,
//!     #[br(count = size - 12)]
//!     elements: Block<u8>,
//! }
//! ```
//!
//! An enum that holds data and has binrw's own derive, which tries one variant after the other:
//!
//! ```compile_fail
//! # use formwork::{binrw, Schema};
//! #[derive(binrw::BinRead, binrw::BinWrite, Schema)]
//! #[brw(little)]
//! enum Shape {
//!     #[brw(magic = 1u8)]
//!     Circle(u32),
//!     #[brw(magic = 2u8)]
//!     Square(u16),
//! }
//! ```

mod expression;
mod layout;
mod shape;
mod types;

pub use expression::{Expression, Function, Integer, Inverse, Operator, raw};
pub(crate) use expression::{Names, SetNames, Typed, low_bits};
pub use layout::{
    Arguments, Check, Checksum, Choice, Coding, Decode, End, EndKind, Field, Layout, LayoutOf,
    Magic, Meaning, Order, Record, Undecoded, Variant, VarintForm, View, ViewBytes, ViewFrom, Word,
    WordPart,
};
#[doc(hidden)]
pub use shape::Shape;

/// A type whose layout is declared.
///
/// It is derived: see [the module](self).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no schema",
    label = "no schema",
    note = "derive `Schema` and `BinRead` of formwork for it; for lists use `Each<T>` and `Block<T>`, for a text that a zero ends `Terminated`"
)]
pub trait Schema {
    /// The layout.
    const LAYOUT: Layout;
    /// Bytes in the file, where that is always the same number.
    const SIZE: Option<usize>;
    /// Whether a value may contain another one of the same type. Readers count how many of these are in each other.
    const IS_DEEP: bool = false;
    /// The facts about the layout that a constant can hold.
    #[doc(hidden)]
    const SHAPE: Shape = Shape::of(Self::LAYOUT);
    /// The bytes of a number; zero for all that is no number.
    #[doc(hidden)]
    const NUMBER: usize = 0;
    /// How many arguments it takes.
    #[doc(hidden)]
    const PARAMETERS: usize = 0;
    /// Whether numbers in it have the order of the record around.
    #[doc(hidden)]
    const NEEDS_ORDER: bool = false;
    /// The same for elements of a list, which may be the record that holds the list: no other type is asked.
    #[doc(hidden)]
    const IS_UNORDERED: bool = false;
    /// Whether it is a record, and needs an order of bytes where no record is around.
    #[doc(hidden)]
    const IS_INNER: bool = false;

    /// Whether values count as other than one element each.
    #[doc(hidden)]
    const HAS_SLOTS: bool = false;

    /// Returns how many elements of an [`Each`](crate::Each) the value counts as: `#[schema(slots = ..)]`. [`None`] if that
    /// has no value.
    fn slots(&self) -> Option<u64> {
        Some(1)
    }

    /// Returns [`LAYOUT`](Self::LAYOUT): a record may contain itself, so layouts refer to each other by functions.
    #[must_use]
    fn layout() -> Layout {
        Self::LAYOUT
    }
}

/// Returns names with their positions as numbers, for `#[schema(names = NAMES)]`.
///
/// ```
/// use formwork::schema::numbered;
///
/// const NAMES: &[(i128, &str)] = &numbered(["none", "packed"]);
/// assert_eq!(NAMES[1], (1, "packed"));
/// ```
#[must_use]
pub const fn numbered<const N: usize>(names: [&'static str; N]) -> [(i128, &'static str); N] {
    let mut out = [(0, ""); N];
    let mut at = 0;
    while at < N {
        out[at] = (at as i128, names[at]);
        at += 1;
    }
    out
}

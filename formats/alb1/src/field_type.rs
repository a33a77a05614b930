//! The table of field types.

use std::sync::LazyLock;

use super::record::{
    ArrayRecord, DoubleArrayRecord, FloatArrayRecord, IntArrayRecord, ObjectPointer, ObjectRecord,
    PairRecord, ShortArrayRecord, StringRecord,
};
use formwork_records::schema::{Layout, Occurs, Schema};
use formwork_records::wire::word_at;

/// Hands every field type to the macro `$then`, a row each: documentation, name, what a [`Value`] of the
/// type holds, the kind of type, the id on the wire, the name in words and in JSON, and whether a real
/// file has such a field.
///
/// | kind | a value of the type is |
/// | --- | --- |
/// | `number F` | a number, which texts show in the form `F`, see [`TextForm`] |
/// | `numbers R` | an array of plain numbers behind their count, laid out as the record `R` |
/// | `own [S]` | any other value of the shape `S`, with a variant for this type alone |
///
/// Most code needs no such macro: [`Value::from_numbers`] and [`Value::give_numbers`] treat all types
/// alike that are nothing but numbers. To add a type of these kinds is a row here and, for an array, its
/// record; the compiler asks for the rest.
///
/// [`Value`]: super::Value
/// [`Value::from_numbers`]: super::Value::from_numbers
/// [`Value::give_numbers`]: super::Value::give_numbers
macro_rules! for_each_field_type {
    ($then:ident) => {
        $then! {
            /// A signed char: the letter of a UTM zone.
            SignedChar(i8) = number letter, 0x01, "signed char", "signed_char", seen;
            /// An unsigned char. Never seen in a file.
            UnsignedChar(u8) = number plain, 0x02, "unsigned char", "unsigned_char", unseen;
            /// A signed short. Never seen in a file.
            SignedShort(i16) = number plain, 0x03, "signed short", "signed_short", unseen;
            /// An unsigned short. Never seen in a file.
            UnsignedShort(u16) = number plain, 0x04, "unsigned short", "unsigned_short", unseen;
            /// A signed int: most numbers; -1 is often "none".
            SignedInt(i32) = number plain, 0x05, "signed int", "signed_int", seen;
            /// An unsigned int: counts and ids.
            UnsignedInt(u32) = number plain, 0x06, "unsigned int", "unsigned_int", seen;
            /// A signed long, of 32 bits: the number of objects, hashes of libraries.
            SignedLong(i32) = number plain, 0x07, "signed long", "signed_long", seen;
            /// An unsigned long, of 32 bits: only colours.
            UnsignedLong(u32) = number bits, 0x08, "unsigned long", "unsigned_long", seen;
            /// A bool in one byte, of which only 0 and 1 were seen.
            Bool(u8) = own [of::<u8>()], 0x09, "bool", "bool", seen;
            /// A float of 32 bits.
            Float(f32) = number plain, 0x0A, "float", "float", seen;
            /// A string of at most 65535 bytes.
            String(Text) = own [of::<StringRecord<'static>>()], 0x0B, "string", "string", seen;
            /// An array: fields, or raw bytes.
            Array(Vec<Field>) = own [of::<ArrayRecord>()], 0x0C, "array", "array", seen;
            /// An object.
            Object(Box<Object>) = own [of::<ObjectRecord>()], 0x0D, "object", "object", seen;
            /// A pointer to an object of another file.
            ObjectPointer(ObjectPointer) = own [of::<ObjectPointer>()], 0x0E,
                "object pointer", "object_pointer", seen;
            /// Two fields: an element of a map.
            Pair(Box<[Field; 2]>) = own [of::<PairRecord>()], 0x0F, "pair", "pair", seen;
            /// Signed shorts. Never seen in a file.
            ArrayOfSignedShort(Box<[i16]>) = numbers ShortArrayRecord, 0x10,
                "array of signed short", "array_of_signed_short", unseen;
            /// Signed ints. Never seen in a file.
            ArrayOfSignedInt(Box<[i32]>) = numbers IntArrayRecord, 0x11,
                "array of signed int", "array_of_signed_int", unseen;
            /// Floats: the size of a key point.
            ArrayOfFloat(Box<[f32]>) = numbers FloatArrayRecord, 0x12,
                "array of float", "array_of_float", seen;
            /// Nothing: a mark.
            Empty = own [None], 0x13, "empty", "empty", seen;
            /// A double.
            Double(f64) = number plain, 0x14, "double", "double", seen;
            /// Doubles: positions, rectangles.
            ArrayOfDouble(Box<[f64]>) = numbers DoubleArrayRecord, 0x15,
                "array of double", "array_of_double", seen;
        }
    };
}

/// The pattern for a value of a type, with what the value holds, if anything, as `$bound`.
macro_rules! pattern {
    ($variant:ident $bound:ident) => {
        Value::$variant
    };
    ($variant:ident $bound:ident $held:ty) => {
        Value::$variant($bound)
    };
}

pub(crate) use {for_each_field_type, pattern};

/// A type that is neither a number nor an array of numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OwnType {
    /// [`FieldType::Bool`].
    Bool,
    /// [`FieldType::String`].
    String,
    /// [`FieldType::Array`].
    Array,
    /// [`FieldType::Object`].
    Object,
    /// [`FieldType::ObjectPointer`].
    ObjectPointer,
    /// [`FieldType::Pair`].
    Pair,
    /// [`FieldType::Empty`].
    Empty,
}

/// How texts show a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum TextForm {
    /// In decimal digits.
    Plain,
    /// As the character, where it is one that can be seen.
    Letter,
    /// All digits in hexadecimal.
    BitRange,
}

macro_rules! field_types {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $(($held:ty))? = $kind:ident $of:tt, $id:literal, $name:literal, $key:literal,
            $seen:ident;
    )+) => {
        /// The type of a field. The names are those of the Untelo page.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[repr(u8)]
        pub enum FieldType { $( $(#[doc = $doc])+ $variant = $id, )+ }

        impl FieldType {
            /// Every field type, by id.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The type with this id.
            #[must_use]
            pub const fn from_id(id: u8) -> Option<Self> {
                match id { $( $id => Some(Self::$variant), )+ _ => None }
            }

            /// The id on the wire.
            #[must_use]
            pub const fn id(self) -> u8 {
                self as u8
            }

            /// The name in words: `signed int`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// The name in the JSON form and in the textual forms: `signed_int`.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self { $( Self::$variant => $key, )+ }
            }

            /// The name in this library: `SignedInt`.
            #[must_use]
            pub const fn variant(self) -> &'static str {
                match self { $( Self::$variant => stringify!($variant), )+ }
            }

            /// The layout of the value; [`None`] where it takes no bytes.
            #[must_use]
            pub const fn layout(self) -> Option<Layout> {
                match self { $( Self::$variant => field_types!(@shape $kind $of $($held)?), )+ }
            }

            /// Returns which type it is if it is neither a number nor an array of numbers.
            #[must_use]
            pub const fn own_type(self) -> Option<OwnType> {
                Some(match self { $( Self::$variant => field_types!(@own $variant $kind), )+ })
            }

            /// Whether it is an array of plain numbers.
            #[must_use]
            pub const fn is_numbers(self) -> bool {
                match self { $( Self::$variant => field_types!(@is_array $kind), )+ }
            }

            /// How texts show a value of the type that is a number.
            pub(crate) const fn text_form(self) -> TextForm {
                match self { $( Self::$variant => field_types!(@text $kind $of), )+ }
            }

            /// Returns a description of the values of the type.
            #[must_use]
            pub const fn doc(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+), )+ }
            }

            /// Whether a real file has a field of this type. The form of the others is what the
            /// Untelo page says, or a guess from the types that were seen.
            #[must_use]
            pub const fn was_seen(self) -> bool {
                match self { $( Self::$variant => field_types!(@$seen), )+ }
            }
        }
    };
    (@seen) => { true };
    (@unseen) => { false };
    (@shape number $form:ident $held:ty) => { of::<$held>() };
    (@shape numbers $record:ident $held:ty) => { of::<$record<'static>>() };
    (@shape own [$shape:expr] $($held:ty)?) => { $shape };
    (@own $variant:ident own) => { OwnType::$variant };
    (@own $variant:ident $kind:ident) => { return None };
    (@is_array numbers) => { true };
    (@is_array $kind:ident) => { false };
    (@text number plain) => { TextForm::Plain };
    (@text number letter) => { TextForm::Letter };
    (@text number bits) => { TextForm::BitRange };
    (@text $kind:ident $of:tt) => { TextForm::Plain };
}

/// The layout of a declared type.
const fn of<T: Schema>() -> Option<Layout> {
    Some(T::LAYOUT)
}

for_each_field_type!(field_types);

/// How long a value is.
#[derive(Clone, Copy)]
enum Extent {
    Fixed(u64),
    /// A count word of `word` bytes, followed by that number of items of `each` bytes.
    Counted {
        word: usize,
        each: u64,
    },
    Unknown,
}

/// By id. Reading asks for it at each field, and to go through the records takes ten times as long as to look here.
static EXTENTS: LazyLock<[Extent; 256]> = LazyLock::new(|| {
    std::array::from_fn(|id| {
        let field_type = u8::try_from(id).ok().and_then(FieldType::from_id);
        field_type.and_then(FieldType::declared_extent).unwrap_or(Extent::Unknown)
    })
});

impl FieldType {
    /// Returns the size in bytes of the value of this type at the start of `bytes`; [`None`] if `bytes` end before the
    /// size is known. The size may reach beyond `bytes`. The size of a [`Pair`](Self::Pair) is that of its two fields,
    /// which are not examined: 0.
    ///
    /// This follows from the declared records: a fixed size, or a first word that says how many bytes
    /// or elements follow it.
    #[inline]
    #[must_use]
    pub fn extent(self, bytes: &[u8]) -> Option<u64> {
        match EXTENTS[usize::from(self.id())] {
            Extent::Fixed(size) => Some(size),
            Extent::Counted { word, each } => {
                let count = match word {
                    1 => word_at::<u8>(bytes, 0)?.into(),
                    2 => word_at::<u16>(bytes, 0)?.into(),
                    _ => word_at::<u32>(bytes, 0)?,
                };
                Some(word as u64 + u64::from(count) * each)
            }
            Extent::Unknown => None,
        }
    }

    /// Returns the [`extent`](Self::extent) that the declared records give.
    fn declared_extent(self) -> Option<Extent> {
        let Some(shape) = self.layout() else { return Some(Extent::Fixed(0)) };
        if self == Self::Pair {
            return Some(Extent::Fixed(0));
        }
        if let (Some(size), false) = (shape.size(), self.is_blob()) {
            return Some(Extent::Fixed(size as u64));
        }
        let Layout::Record(record) = shape else { return None };
        let (length, element) = (record.fields.first()?, record.fields.get(1)?);
        let word = length.element().size().filter(|size| matches!(size, 1 | 2 | 4))?;
        let each = if self.is_blob() { 1 } else { element.element().size()? as u64 };
        Some(Extent::Counted { word, each })
    }

    /// Whether values say with their first word how many bytes they take: arrays and objects.
    #[must_use]
    pub const fn is_blob(self) -> bool {
        matches!(self, Self::Array | Self::Object)
    }

    /// Returns whether values of the type hold fields.
    #[must_use]
    pub const fn nests(self) -> bool {
        match self.own_type() {
            Some(OwnType::Array | OwnType::Object | OwnType::Pair) => true,
            Some(OwnType::Bool | OwnType::String | OwnType::ObjectPointer | OwnType::Empty)
            | None => false,
        }
    }
}

impl std::fmt::Display for FieldType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

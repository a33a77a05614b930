//! Fields and what they hold.

use bytes::Bytes;

use super::field_type::{for_each_field_type, pattern};
use super::record::ObjectPointer;
use super::{FieldType, Text};
use formwork_records::schema::{Extent, Layout};

/// A field: a tag and a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The id of its name in the tag table of the document.
    pub tag: u16,
    /// Content of the field.
    pub value: Value,
}

impl Field {
    /// A field.
    #[must_use]
    pub fn new(tag: u16, value: impl Into<Value>) -> Self {
        Self { tag, value: value.into() }
    }
}

/// An object: a class, an address, and fields in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The id of its class in the class table of the document.
    pub class: i16,
    /// Address to which pointers refer. Terrain Builder writes the address the object had in memory: unique in the
    /// file, never 0, another one at every save.
    pub address: u32,
    /// The fields. Tags may repeat: every object layer has two fields `libs`.
    pub fields: Vec<Field>,
}

impl Object {
    /// The first field with this tag.
    #[must_use]
    pub fn get(&self, tag: u16) -> Option<&Value> {
        self.all(tag).next()
    }

    /// The first field with this tag, to change it.
    #[must_use]
    pub fn get_mut(&mut self, tag: u16) -> Option<&mut Value> {
        self.fields.iter_mut().find(|field| field.tag == tag).map(|field| &mut field.value)
    }

    /// Whether the two are equal with every float compared by its bits.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        self.class == other.class
            && self.address == other.address
            && are_identical(&self.fields, &other.fields)
    }

    /// Every field with this tag.
    pub fn all(&self, tag: u16) -> impl Iterator<Item = &Value> {
        self.fields.iter().filter(move |field| field.tag == tag).map(|field| &field.value)
    }
}

/// Raw bytes as the content of an array.
///
/// They share the memory of the file they were read from, where it was read from [`Bytes`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Raw(Box<Bytes>);

impl Raw {
    /// The bytes, to keep.
    #[must_use]
    pub fn bytes(&self) -> Bytes {
        (*self.0).clone()
    }
}

impl std::ops::Deref for Raw {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Bytes> for Raw {
    fn from(bytes: Bytes) -> Self {
        Self(Box::new(bytes))
    }
}

impl From<Vec<u8>> for Raw {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

macro_rules! values {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $(($held:ty))? = $kind:ident $of:tt, $id:literal, $name:literal, $key:literal,
            $seen:ident;
    )+) => {
        /// Content of a field: one variant for each [`FieldType`], and two for arrays.
        ///
        /// The bits of floats are kept; `==` compares floats as numbers, [`Value::is_identical`] by
        /// bits.
        #[derive(Clone, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum Value {
            $( $(#[doc = $doc])+ $variant $(($held))?, )+
            /// An array of raw bytes. (Where there are none, an array of no fields is the same.)
            Raw(Raw),
        }

        impl Value {
            /// The type on the wire.
            #[must_use]
            pub const fn field_type(&self) -> FieldType {
                match self {
                    $( Self::$variant { .. } => FieldType::$variant, )+
                    Self::Raw(_) => FieldType::Array,
                }
            }

            /// Returns how many numbers an array of plain numbers holds; [`None`] of other types.
            #[must_use]
            #[allow(unused_variables, reason = "the same for all types")]
            pub fn number_count(&self) -> Option<usize> {
                match self {
                    $( pattern!($variant held $($held)?) => values!(@count held $kind), )+
                    Self::Raw(_) => None,
                }
            }
        }
    };
    (@count $value:ident numbers) => { Some($value.len()) };
    (@count $value:ident number) => { None };
    (@count $value:ident own) => { None };
}
for_each_field_type!(values);

impl Value {
    /// Returns the number of encoded bytes of the value without the fields in it: for arrays of fields, objects and
    /// pairs the bytes before these, for other values all bytes.
    #[must_use]
    pub(super) fn size_without_fields(&self) -> u64 {
        let block = if let Self::String(text) = self {
            text.as_bytes().len()
        } else if let Self::Raw(bytes) = self {
            bytes.len()
        } else {
            self.number_count().and_then(|_| self.number_bytes()).map_or(0, <[u8]>::len)
        };
        let head = self.field_type().layout().map_or(0, Layout::head_size);
        head as u64 + block as u64
    }

    /// The fields in it: elements of an array, fields of an object, halves of a pair; none in others.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        match self {
            Self::Array(elements) => elements,
            Self::Object(object) => &object.fields,
            Self::Pair(pair) => &pair[..],
            _ => &[],
        }
    }

    /// The fields in it, to change them.
    #[must_use]
    pub fn fields_mut(&mut self) -> &mut [Field] {
        match self {
            Self::Array(elements) => elements,
            Self::Object(object) => &mut object.fields,
            Self::Pair(pair) => &mut pair[..],
            _ => &mut [],
        }
    }

    /// Whether a bool is true.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match *self {
            Self::Bool(byte) => Some(byte != 0),
            _ => None,
        }
    }

    /// The string.
    #[must_use]
    pub const fn as_text(&self) -> Option<&Text> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array of fields. (Raw content of no bytes is an array of no fields.)
    #[must_use]
    pub fn as_array(&self) -> Option<&[Field]> {
        match self {
            Self::Array(elements) => Some(elements),
            Self::Raw(bytes) if bytes.is_empty() => Some(&[]),
            _ => None,
        }
    }

    /// The raw bytes of an array. (An array of no fields is raw content of no bytes.)
    #[must_use]
    pub fn as_raw(&self) -> Option<&[u8]> {
        match self {
            Self::Raw(bytes) => Some(bytes),
            Self::Array(elements) if elements.is_empty() => Some(&[]),
            _ => None,
        }
    }

    /// The object.
    #[must_use]
    pub fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// The pair.
    #[must_use]
    pub fn as_pair(&self) -> Option<&[Field; 2]> {
        match self {
            Self::Pair(pair) => Some(pair),
            _ => None,
        }
    }

    /// Whether the two are equal with every float compared by its bits.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        if let (Some(one), Some(others)) = (self.number_bytes(), other.number_bytes()) {
            return self.field_type() == other.field_type() && one == others;
        }
        match (self, other) {
            (Self::Array(one), Self::Array(other)) => are_identical(one, other),
            (Self::Pair(one), Self::Pair(other)) => are_identical(&one[..], &other[..]),
            (Self::Object(one), Self::Object(other)) => one.is_identical(other),
            _ => self == other,
        }
    }
}

fn are_identical(one: &[Field], other: &[Field]) -> bool {
    one.len() == other.len()
        && one
            .iter()
            .zip(other)
            .all(|(one, other)| one.tag == other.tag && one.value.is_identical(&other.value))
}

macro_rules! from {
    ($($type:ty => $variant:ident;)+) => { $(
        impl From<$type> for Value {
            fn from(value: $type) -> Self {
                Self::$variant(value)
            }
        }
    )+ };
}
from! {
    f32 => Float;
    f64 => Double;
    Text => String;
    Vec<Field> => Array;
    Raw => Raw;
    ObjectPointer => ObjectPointer;
    Box<[f32]> => ArrayOfFloat;
    Box<[f64]> => ArrayOfDouble;
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value.into())
    }
}

impl From<Object> for Value {
    fn from(object: Object) -> Self {
        Self::Object(Box::new(object))
    }
}

impl From<[Field; 2]> for Value {
    fn from(pair: [Field; 2]) -> Self {
        Self::Pair(Box::new(pair))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stay_small() {
        // Three bytes of a file can be a field: memory is at most eleven times the file.
        assert_eq!((size_of::<Value>(), size_of::<Field>()), (24, 32));
    }
}

//! `Arbitrary` for the records of the container: sizes and counts agree with what is there.

use std::borrow::Cow;

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::for_each_field_type;
use crate::record::{
    ArrayRecord, DoubleArrayRecord, FieldRecord, FloatArrayRecord, Header, IntArrayRecord,
    ObjectPointer, ObjectRecord, PairRecord, RawArrayRecord, RootRecord, ShortArrayRecord,
    StringRecord, TableEntry, TableRecord,
};
use crate::terrain::RoadColour;
use crate::tree::{ChildMask, Colour};
use formwork_records::wire::Block;
use formwork_records::{plain, words};

plain! {
    Header { magic, version, project_version, reserved }
    TableRecord { id, field_type, count, entries }
    FieldRecord { tag, field_type }
    ArrayRecord { blob_size, count, elements }
    ObjectRecord { blob_size, class, address, fields }
    RootRecord { class, address, fields }
    ObjectPointer { class, address }
    PairRecord { first, second }
}

words! {
    Colour: u32
    ChildMask: u8
    RoadColour: u32
}

/// Implements [`Arbitrary`] for records of a count and that number of elements.
macro_rules! counted {
    ($( $record:ident { $count:ident, $elements:ident } )+) => { $(
        impl<'a> Arbitrary<'a> for $record<'static> {
            fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
                let Block(all) = Block::arbitrary(u)?;
                let all: Vec<_> = all.iter().copied().take(u8::MAX.into()).collect();
                Ok(Self { $count: all.len() as _, $elements: Block(Cow::Owned(all)) })
            }
        }
    )+ };
}

counted! {
    StringRecord { length, bytes }
}

/// The records of the types that are arrays of numbers.
macro_rules! of_types {
    ($(
        $(#[doc = $doc:literal])+
        $variant:ident $(($held:ty))? = $kind:ident $of:tt, $id:literal, $name:literal, $key:literal,
            $seen:ident;
    )+) => { $( of_types! { @$kind $of } )+ };
    (@numbers $record:ident) => { counted! { $record { count, numbers } } };
    (@number $form:ident) => {};
    (@own $shape:tt) => {};
}
for_each_field_type!(of_types);

impl<'a> Arbitrary<'a> for TableEntry<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let StringRecord { length, bytes } = u.arbitrary()?;
        Ok(Self { id: u.arbitrary()?, length, name: bytes })
    }
}

impl<'a> Arbitrary<'a> for RawArrayRecord<'static> {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        let bytes: Block<'static, u8> = u.arbitrary()?;
        let count = bytes.len() as u32;
        Ok(Self { blob_size: count + 4, count, bytes })
    }
}

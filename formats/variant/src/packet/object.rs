//! The payloads of objects and signals.

use super::Text;
use formwork::{BinRead, BinWrite, Deferred, Each, Nested, Schema};
use formwork_records::schema::VARIANT;

/// An object as its number in the engine that wrote it.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct InstanceId {
    /// The number; 0 is no object.
    pub id: u64,
}

/// An object in full form: its class.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ObjectClass<'a> {
    /// Name of the class; empty means no object, and nothing follows.
    pub class: Text<'a>,
}

/// An object in full form: its properties, after a class that is not empty.
#[derive(BinRead, BinWrite, Schema, Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct ObjectProperties {
    /// How many properties; a negative count is none.
    pub property_count: i32,
    /// The stored properties.
    #[br(count = property_count.max(0))]
    pub properties: Deferred<Each<Property<'static>>>,
}

/// A property of an object.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct Property<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// Its value.
    #[schema(inline)]
    pub value: Nested<VARIANT>,
}

/// A signal of an object.
#[derive(BinRead, BinWrite, Schema, Clone, Debug, PartialEq)]
#[cfg_attr(feature = "arbitrary", schema(arbitrary))]
#[brw(little)]
pub struct SignalRecord<'a> {
    /// The signal's name.
    pub name: Text<'a>,
    /// Number of the object that emits it.
    pub object_id: u64,
}

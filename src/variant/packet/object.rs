//! The payloads of objects and signals.

use super::Text;
use crate::schema::Variant;
use crate::wire::declare;

declare! {
    /// An object as its number in the engine that wrote it.
    #[derive(Copy)]
    pub struct InstanceId {
        /// The number; 0 is no object.
        pub id: u64,
    }
}

declare! {
    /// An object in full form: its class.
    pub struct ObjectClass<'a> {
        /// Name of the class; empty means no object, and nothing follows.
        pub class: Text<'a>,
    }
}

declare! {
    /// An object in full form: its properties, behind a class that is not empty.
    #[derive(Copy)]
    pub struct ObjectProperties {
        /// How many properties; a negative count is none.
        pub property_count: i32,
    }
    then {
        /// The stored properties.
        properties: Property<'static> [each property_count],
    }
}

declare! {
    /// A property of an object.
    pub struct Property<'a> {
        /// Its name.
        pub name: Text<'a>,
    }
    then {
        /// Its value.
        value: Variant [inline once],
    }
}

declare! {
    /// A signal of an object.
    pub struct SignalRecord<'a> {
        /// The signal's name.
        pub name: Text<'a>,
        /// Number of the object that emits it.
        pub object_id: u64,
    }
}

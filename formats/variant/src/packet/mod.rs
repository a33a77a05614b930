//! The wire records of Variant packets: each header word, count word and payload, declared once.
//!
//! A packet is a header word and a payload. The [dialect](crate::dialect)'s table has the record of each payload;
//! the [codec](crate::codec) handles the nesting of values.

mod container;
mod header;
mod input;
mod node_path;
mod object;
mod text;

pub use container::{
    ArrayRecord, ContainerCount, DictionaryRecord, ElementClass, ElementId, ElementName,
    ElementWord, PackedArray, PackedBytes, PackedStrings, Pair,
};
pub use header::{
    ArrayHeader, DictionaryHeader, Header, ObjectHeader, PlainHeader, WholeHeader, WideHeader,
};
pub use input::{AxisEvent, ImageRecord, InputEventHead, KeyEvent, ModifierWord, NumberedEvent};
pub use node_path::{NameCount, NodePathFlags, NodePathRecord};
pub use object::{InstanceId, ObjectClass, ObjectProperties, Property, SignalRecord};
pub use text::{TerminatedText, Text};

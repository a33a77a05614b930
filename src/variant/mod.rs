//! The Variant family: the values of Godot and Pandemonium, and the bytes that carry them.
//!
//! | module | job |
//! | --- | --- |
//! | [`value`] | the value: [`Variant`] and what it is made of |
//! | [`packet`] | the records and words on the wire, each declared once |
//! | [`dialect`] | the engines: a table of types each, and the rules in which releases differ |
//! | [`codec`] | bytes to values and back |
//! | [`settings`] | files of settings: a name and a packet each |
//! | [`resource`] | resources and scenes in binary files |
//! | [`script`] | compiled scripts, which have values as constants |
//! | [`frame`], [`stream_peer`] | packets behind their length; the numbers and strings of a StreamPeer |
//! | `wrapper` (feature `wrapper`) | compressed and encrypted files |

pub mod codec;
pub mod dialect;
pub mod frame;
pub(crate) mod magic;
pub mod packet;
pub mod resource;
pub mod script;
pub mod settings;
pub mod stream_peer;
pub mod value;
#[cfg(feature = "wrapper")]
#[cfg_attr(docsrs, doc(cfg(feature = "wrapper")))]
pub mod wrapper;

#[cfg(feature = "serde")]
pub(crate) use value::KeyHashes;
pub use value::math::*;
pub use value::{
    Array, Container, ContainerMut, Dictionary, ElementType, FullObject, Image, Index, InputEvent,
    InputEventKind, Modifiers, NodePath, NumberKind, NumberSink, NumberSource, NumberType, Numbers,
    Object, OwnType, Payload, Signal, TypedArray, Variant, VariantString, VariantType, WrongType,
};
pub(crate) use value::{BorrowedKey, KeySet, KeysSoFar};
pub(crate) use value::{Builder, Contents, Event, Front, Level, Making, Walk, path, place};
#[allow(unused_imports, reason = "only some features have a use for `pattern`")]
pub(crate) use value::{for_each_type, pattern};

//! The Variant packets of Godot 1.0 to 4.7 and of Pandemonium, as `store_var`/`get_var`, `var2bytes`, PacketPeer and
//! StreamPeer carry them.
//!
//! Every packet and record is declared once, as a binrw type; the reader, the writer and the printed page follow from the
//! declaration. The tests hold the crate to what real engines write, and to how they react to what they read.
//!
//! | module | job |
//! | --- | --- |
//! | [`value`] | the value: [`Variant`] and its parts |
//! | [`packet`] | the records and words of packets, each declared once |
//! | [`dialect`] | the engines: a table of types each, and the rules in which releases differ |
//! | [`codec`] | bytes to values and back |
//! | [`frame`], [`stream_peer`] | packets behind their length; the numbers and strings of a StreamPeer |
//! | [`settings`], [`resource`] | files of settings, and values in binary resources |
//!
//! Files around packets are read by the crate `formwork-godot`.
//!
//! # A tour
//!
//! Read a value, look into it, change it, write it back:
//!
//! ```
//! use formwork_variant::{Dialect, from_slice, to_vec, variant};
//!
//! // What Godot 3 writes for {"hp": 7}.
//! let bytes = [18, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0, b'h', b'p', 0, 0, 2, 0, 0, 0, 7, 0, 0, 0];
//! let mut save = from_slice(&bytes, Dialect::GODOT3)?;
//! assert_eq!(save["hp"], 7);
//!
//! save["hp"] = 100.into();
//! let bytes = to_vec(&save, Dialect::GODOT3)?;
//! assert_eq!(bytes[bytes.len() - 4..], [100, 0, 0, 0]);
//! assert_eq!(save, variant!({ "hp": 100 }));
//!
//! // In the engine's own text form.
//! assert_eq!(save.display(Dialect::GODOT3).to_string(), "{\n\"hp\": 100\n}");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! * [`Dialect`] is data: a table of types and the rules in which one engine release differs from
//!   another. Each release has a constant, such as [`Dialect::GODOT4_3`]; `"godot4.3".parse()` gives one by name,
//!   [`Dialect::all`] all of them.
//! * [`Decoder`] and [`Encoder`] read and write with options: the [strictness](Strictness), [`Limits`],
//!   whether objects are allowed, several values one after another.
//! * [`Variant`] is the value: looked into with `["key"]` and [`Variant::at`], written down with [`variant!`];
//!   `From` and `TryFrom` lead to Rust types and back. The types of vectors and the like are in
//!   [`value`].
//! * [`convert`] turns values of one dialect into those of another, and lists what is lost.
//! * [`frame`] reads and writes packets behind their length, from slices, streams and sockets.
//! * [`stream_peer`] puts and gets what else a StreamPeer carries: numbers, strings, plain bytes.
//! * [`inspect`] walks bytes field by field.
//! * [`text`] is the engines' text form; `json` (feature `json`) the two JSON forms.
//!
//! Options are chosen by methods that take and give the thing: `Decoder::new(dialect).allow_objects(true)`.
//!
//! # Precision
//!
//! Engines are distributed in single precision, and what is written here without more is for these: [`Variant`] is
//! `Variant<f32>`, [`Decoder`] `Decoder<f32>`. Values of a Godot 4 built with `precision=double` are `Variant<f64>`,
//! and whatever makes or takes them has a method that says so:
//! [`Decoder::new(dialect).double()`](Decoder::double).
//!
//! # Errors
//!
//! An [`Error`] has a [kind](ErrorKind) (incomplete, with how many bytes are missing at least;
//! malformed; limit; ...), the broken [`Rule`] with its stable name, the byte offset, the path to the
//! field, and what was expected and found:
//!
//! ```
//! use formwork_variant::{Dialect, from_slice};
//!
//! // An array of two ints that is cut inside the second.
//! let bytes = [19, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 7, 0];
//! let error = from_slice(&bytes, Dialect::GODOT3).unwrap_err();
//! assert_eq!(error.needed(), Some(2));
//! assert_eq!(error.path().to_string(), "array[1].int");
//! ```
//!
//! # Features
//!
//! None is on by default.
//!
//! * `json`: the JSON forms.
//! * `serde`: structs and enums of your own, straight out of packets and into them.
//! * `tokio`: frames and values as codecs for asynchronous streams and datagrams.
//! * `glam`, `mint`: conversions of the math types to and from those of glam and of mint.
//! * `arbitrary`: [`Arbitrary`](https://docs.rs/arbitrary) for every declared type, and values by
//!   dialect.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(unreachable_pub)]

// Makes the output of `#[derive(Schema)]` the same here and in other crates.
extern crate self as formwork_variant;

pub use binrw;

pub mod codec;
pub mod dialect;
pub mod frame;
pub mod packet;
pub mod resource;
pub mod settings;
pub mod stream_peer;
pub mod value;

mod all_rules;
pub mod convert;
pub mod edit;
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub mod generate;
pub mod inspect;
#[cfg(feature = "json")]
pub mod json;
#[cfg(any(feature = "json", feature = "serde"))]
mod notation;
pub mod pages;
#[cfg(feature = "serde")]
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
pub mod serde;
pub mod text;

pub use all_rules::all_rules;
pub use codec::{Decoder, Encoder, Strictness, from_reader, from_slice, to_vec, to_writer};
pub use dialect::Dialect;
pub use formwork::{Error, ErrorKind, Path, PathSegment, Result, Rule};
pub use formwork_records::limits::Limits;
pub use frame::Framing;
pub use value::math::*;
pub use value::{
    Array, Container, ContainerMut, Dictionary, ElementType, FullObject, Image, Index, InputEvent,
    InputEventKind, Modifiers, NodePath, NumberKind, NumberSink, NumberSource, NumberType, Numbers,
    Object, OwnType, Payload, Signal, TypedArray, Variant, VariantString, VariantType, WrongType,
};
pub(crate) use value::{BorrowedKey, KeysSoFar};
pub(crate) use value::{Builder, Contents, Event, Front, Level, Making, Walk, path, place};
#[cfg(feature = "serde")]
pub(crate) use value::{KeyHashes, KeySet};
#[allow(unused_imports, reason = "only some features have a use for `pattern`")]
pub(crate) use value::{for_each_type, pattern};

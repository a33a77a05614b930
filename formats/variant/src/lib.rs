//! The Variant packets of Godot 1.0 to 4.7 and of Pandemonium: the format of `store_var`/`get_var`, `var2bytes`,
//! PacketPeer and StreamPeer.
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
//! | to | see |
//! | --- | --- |
//! | read and write a value | [`from_slice`], [`to_vec`]; with options [`Decoder`] and [`Encoder`]: [strictness](Strictness), [`Limits`], objects |
//! | look into a value, change or make one | [`Variant`]: `["key"]`, [`Variant::at`], [`variant!`]; vectors and such in [`value`] |
//! | say which engine | [`Dialect`]: a constant for each release, `"godot4.3".parse()`, [`Dialect::all`] |
//! | read and write your own structs | `serde` (feature `serde`) |
//! | talk to a game | [`frame`]: packets after their length; `stream_peer` (feature `stream_peer`): numbers, strings, plain bytes |
//! | print and read texts | [`text`]: the engines' own form; `json` (feature `json`) |
//! | fuzz | `generate` (feature `arbitrary`): any value that an engine holds |
//! | see the layouts | [`packet`]: each declared once; [`dialect`]: the tables of types |
//!
//! Values are changed by their paths, compared, merged and converted to other engines by the crate `formwork-edit`. Files around packets, settings and resources are read by the crate `formwork-godot`, which also shows what is in bytes, field
//! by field, and prints the pages of formats. Every packet and record is declared once, with the crate
//! `formwork`; reader, writer and printed page follow from it. The tests compare the crate with the output of real engines, and
//! with their reactions to inputs. Options are set by builder methods: `Decoder::new(dialect).allow_objects(true)`.
//!
//! # Precision
//!
//! Engines are distributed in single precision, and this is the default: [`Variant`] is `Variant<f32>`, [`Decoder`]
//! is `Decoder<f32>`. Values of a Godot 4 built with `precision=double` are `Variant<f64>`, and every type that
//! makes or takes them has a method for this precision: [`Decoder::new(dialect).double()`](Decoder::double).
//!
//! # Errors
//!
//! An [`Error`] has a [kind](ErrorKind) (incomplete, with the least number of missing bytes; malformed; limit; ...),
//! the broken [`Rule`] with its stable name, the byte offset, the path to the field, and the expected and the found
//! content:
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
//! * `serde`: structs and enums of your own, directly from packets and into them.
//! * `tokio`: frames and values as codecs for asynchronous streams and datagrams.
//! * `glam`: conversions of the math types to and from those of glam.
//! * `stream_peer`: the numbers, strings and plain bytes of a StreamPeer.
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
#[cfg(feature = "stream_peer")]
#[cfg_attr(docsrs, doc(cfg(feature = "stream_peer")))]
pub mod stream_peer;
pub mod value;

mod all_rules;
#[cfg(feature = "arbitrary")]
#[cfg_attr(docsrs, doc(cfg(feature = "arbitrary")))]
pub mod generate;
#[cfg(feature = "json")]
pub mod json;
#[cfg(any(feature = "json", feature = "serde"))]
mod notation;
pub mod parts;
pub mod place;
#[cfg(feature = "serde")]
#[cfg_attr(docsrs, doc(cfg(feature = "serde")))]
pub mod serde;
pub mod text;

pub use all_rules::all_rules;
pub use codec::{Decoder, Encoder, Strictness, from_reader, from_slice, to_vec, to_writer};
pub use dialect::Dialect;
pub use formwork::{Error, ErrorKind, Path, PathSegment, Result, Rule};
pub use formwork_records::limits::Limits;
#[cfg(feature = "serde")]
pub(crate) use value::KeyHashes;
pub use value::math::*;
pub use value::{
    Array, Container, ContainerMut, Dictionary, DictionaryKey, ElementType, FullObject, Image,
    Index, InputEvent, InputEventKind, Modifiers, NodePath, NumberKind, NumberSink, NumberSource,
    NumberType, Numbers, Object, OwnType, Payload, Signal, TypedArray, Variant, VariantString,
    VariantType, WrongType,
};
pub(crate) use value::{BorrowedKey, KeysSoFar};
pub(crate) use value::{Builder, Event, Front, Level, Making, Walk, naming, path};

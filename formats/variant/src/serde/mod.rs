//! Reads and writes your own structs and enums, directly from and to packets, with [serde](https://serde.rs).
//!
//! ```
//! use formwork_variant::Vector3;
//! use formwork_variant::{Dialect, serde::{from_slice, to_vec}};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Deserialize, PartialEq, Serialize)]
//! struct Player {
//!     name: String,
//!     hp: f32,
//!     position: Vector3,
//!     #[serde(default)]
//!     items: Vec<Item>,
//! }
//!
//! #[derive(Debug, Deserialize, PartialEq, Serialize)]
//! enum Item {
//!     Lamp,
//!     Sword { damage: u8 },
//! }
//!
//! let player = Player {
//!     name: "Ada".into(),
//!     hp: 73.5,
//!     position: Vector3::new(1.0, 2.0, 3.0),
//!     items: vec![Item::Lamp, Item::Sword { damage: 7 }],
//! };
//! let bytes = to_vec(&player, Dialect::GODOT4)?;
//! // What var_to_bytes of {"name": "Ada", "hp": 73.5, "position": Vector3(1, 2, 3),
//! //                       "items": ["Lamp", {"Sword": {"damage": 7}}]} gives.
//! assert_eq!(from_slice::<Player>(&bytes, Dialect::GODOT4)?, player);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! * [`from_slice`] and [`to_vec`] are for packets; [`from_variant`] and [`to_variant`] for values.
//! * With limits, at canonical strictness, for several values or frames:
//!   [`Decoder::deserialize`](crate::Decoder::deserialize) and its neighbours. With the form of objects
//!   or another depth: [`Encoder::serialize`](crate::Encoder::serialize).
//! * No [`Variant`](crate::Variant) is built in between, and a type's `Deserialize` and `Serialize` run once. `&str` and `&[u8]`
//!   fields borrow from the packet. A key that comes twice, which no engine writes, is refused by a struct; in a map
//!   the last one counts. (Where a `Variant` is asked for, and for a container whose elements are not of its declared
//!   type, which no engine writes either, the result is what the engine keeps. Such a container, and a string that
//!   begins with U+FEFF, cannot be borrowed from.)
//!
//! # How types are mapped
//!
//! | Rust | is written as | is read from |
//! |---|---|---|
//! | `bool` | bool | bool |
//! | `i8` to `i64`, `u8` to `u64` | int; above `i64::MAX` refused, as are `i128` and `u128` | int, and float without a fraction, in range |
//! | `f32`, `f64` | float | float, int |
//! | `char`, `str`, `String` | String | String, StringName, NodePath |
//! | `Option` | null, or the value | null and the null object are `None` |
//! | `()`, unit struct | null | null |
//! | newtype struct | what is in it | the same |
//! | tuple, tuple struct, array, `Vec`, sets | Array | any array, packed or typed or not, and the components of a math type; of just that length, where it is fixed |
//! | struct | Dictionary with String keys | Dictionary with String or StringName keys; a math type by the names of its components |
//! | map | Dictionary, keys of any type | Dictionary |
//! | enum, unit variant | String, the name | String, StringName |
//! | enum, other variants | Dictionary of one pair: the name, and the value, Array or Dictionary | the same |
//! | bytes (`serde_bytes`) | PackedByteArray (Godot 3: PoolByteArray, 2: RawArray) | the same, or an array of ints |
//! | [`Vector3`](crate::Vector3), [`Color`](crate::Color), ... | itself | itself, an array of numbers, a Dictionary of the components |
//! | [`NodePath`](crate::NodePath) | itself | itself, String |
//! | [`Variant`](crate::Variant) | itself | anything |
//! | `Vec` with [`packed`] | packed array | any array |
//! | string with [`string_name`], [`node_path`] | StringName, NodePath | these and String |
//!
//! - Scripts and `JSON.parse` make ints of some numbers and floats of others, so each kind of number is converted to
//!   the other if the conversion is exact. A float field accepts any int, as GDScript does.
//! - An enum that scripts store as an int needs `serde_repr` or `#[serde(from = "i64")]`: serde knows the position
//!   of a variant, not its number.
//! - Keys that are not fields of the struct are skipped. Their bytes are checked as the codec checks them.
//!   `#[serde(deny_unknown_fields)]`, `default`, `rename`, `flatten` and the other attributes work.
//! - The engine's own types have the same names here: a `Vector4` is refused when it is written for Godot 3.
//! - [`Serializer::is_human_readable`](::serde::Serializer::is_human_readable) is true: addresses and dates, for
//!   instance, are Strings, which scripts expect.
//!
//! # Tagged, untagged and flattened
//!
//! serde buffers a value that it must look at before it knows the type: `untagged` and internally tagged enums, and
//! `flatten`. Its buffer has no vectors, so a value of a type that serde's data model lacks is buffered as a map of
//! one pair, the *tag* and the components: `{"$Vector3": [1.0, 2.0, 3.0]}`. The types of this crate know their tags
//! and distinguish a Color from a Quaternion; a `[f32; 4]` does not, and fails with an error. Strings, numbers and
//! arrays are unchanged, StringNames and packed arrays are strings and arrays; byte arrays are bytes, for fields
//! with [`packed`] or `serde_bytes`. Floats are not accepted as ints there, because serde itself converts. A
//! dictionary whose first key is such a tag is `{"$dictionary": [[key, value], ...]}`.
//!
//! # Other formats
//!
//! A struct with fields of these types can also be written as JSON. The math types are lists of their components, a
//! NodePath is its text, a packed array is a list; a number in them that JSON lacks is `{"$float": "nan"}`. A
//! [`Variant`](crate::Variant) is written in the lossless form of the feature `json`, with the type names of Godot
//! 4: null, bools, ints, finite floats, strings, plain arrays and plain dictionaries with String keys are the JSON
//! types of the same kind, and everything else is tagged, `{"$StringName": "idle"}`. Reading accepts the names that
//! any engine has for a type. (serde_json itself reads floats exactly only with its feature `float_roundtrip`, and
//! keeps the order of a dictionary in its own `Value` only with `preserve_order`.) In binary formats, bytes are
//! bytes and all floats are floats. Formats that are not self-describing (such as bincode) cannot read a `Variant`.
//!
//! # Limits
//!
//! serde recurses, so values nest at most [`DEPTH`] containers deep, whatever the dialect and the decoder allow
//! (values that are skipped may nest deeper). Declared counts reserve no more memory than the input fills.

pub mod de;
mod field_key;
pub mod node_path;
mod numbers;
pub mod packed;
pub mod ser;
pub mod string_name;
mod types;

use crate::dialect::Dialect;

pub use de::{from_reader, from_slice, from_variant};
pub use formwork::serde::rule;
pub use ser::{PacketWriter, to_variant, to_variant_in, to_vec, to_writer};

/// The dialect whose type names other formats get: serde does not know the dialect of a value.
const DIALECT: Dialect = Dialect::GODOT4;

/// The number of containers that may surround a value that serde reads or writes: as many as fit a stack of 512 KiB
/// in a debug build, with room for the code of large structs. (Each level takes several calls of serde, of this
/// crate and of the derived code.)
pub const DEPTH: u32 = 64;

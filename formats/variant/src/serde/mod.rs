//! Your own structs and enums, straight out of packets and into them, by way of [serde](https://serde.rs).
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
//! * No [`Variant`](crate::Variant) is built on the way, and what comes out is the same as by
//!   way of one: the same value or the same error. `&str` and `&[u8]` fields borrow from the packet.
//!   (A packet with containers as keys or with an array typed as objects is read by way of a `Variant`
//!   after all, and so is one that no engine writes, with a key twice or with elements of another type
//!   than a typed array says. Then nothing can be borrowed; nor can a string that begins with U+FEFF.
//!   In the same way what has containers or bytes as keys, or typed containers, is written by way of a
//!   `Variant`, and so is what is refused: `Serialize` is asked twice then.)
//!
//! # What is what
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
//! - Scripts and `JSON.parse` make ints of some numbers and floats of others, so each number is taken for
//!   the other where nothing is lost. A float field takes any int, as GDScript does.
//! - An enum that scripts store as an int wants `serde_repr` or `#[serde(from = "i64")]`: serde knows the
//!   position of a variant, not its number.
//! - Fields that the struct does not have are passed over, after the codec has checked them.
//!   `#[serde(deny_unknown_fields)]`, `default`, `rename`, `flatten` and the other attributes work.
//! - The engine's own types go by the names they have here: a `Vector4` in Godot 3 is refused when
//!   written.
//! - [`Serializer::is_human_readable`](::serde::Serializer::is_human_readable) is true: addresses, dates
//!   and the like are Strings, as a script would want them.
//!
//! # Tagged, untagged and flattened
//!
//! What serde has to look at before it knows the type, it buffers: `untagged` and internally tagged
//! enums, `flatten`. Its buffer has no vectors, so there a value of a type that serde has no word for is
//! a map of one pair, its *tag* and what it consists of: `{"$Vector3": [1.0, 2.0, 3.0]}`. The types of
//! this crate know their tags and tell a Color from a Quaternion; a `[f32; 4]` does not, and fails
//! with an error. Strings, numbers and arrays are themselves, StringNames and packed arrays are strings
//! and arrays; byte arrays are bytes, for fields with [`packed`] or `serde_bytes`. Floats are not taken
//! for ints there, as serde itself converts. A dictionary whose first key is such a tag is
//! `{"$dictionary": [[key, value], ...]}`.
//!
//! # Other formats
//!
//! A struct with fields of these types can be written as JSON, too. The math types are lists of their
//! components, a NodePath its text, a packed array a list; a number in them that JSON does not have is
//! `{"$float": "nan"}`. A [`Variant`](crate::Variant) is just what the lossless form of the feature
//! `json` makes of it, in the words of Godot 4, and so nothing gets lost: null, bools, ints, finite floats,
//! strings, plain arrays and plain dictionaries with String keys are what JSON calls so, and everything else
//! stands behind its tag, `{"$StringName": "idle"}`. Reading knows the names that any engine has for a type.
//! (serde_json itself reads floats exactly only with its feature `float_roundtrip`, and keeps the order of a
//! dictionary in its own `Value` only with `preserve_order`.) In formats that people do not read, bytes are
//! bytes and all floats are floats. Formats that do not say by themselves what comes (such as bincode) cannot
//! read a `Variant`.
//!
//! # Limits
//!
//! serde recurses, so values nest at most [`DEPTH`] containers deep, whatever the dialect and the
//! decoder allow (what is passed over may be deeper). Counts reserve no more than arrives.

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
pub use ser::{to_variant, to_variant_in, to_vec, to_writer};

/// Whose words the names of types are in other formats, as serde does not know of which dialect a value is.
const DIALECT: Dialect = Dialect::GODOT4;

/// How many containers may surround a value that serde reads or writes: as many as fit a stack of
/// 512 KiB in a debug build, with room for the code of large structs. (Every level is a handful of
/// calls of serde, of this crate and of the derived code.)
pub const DEPTH: u32 = 64;

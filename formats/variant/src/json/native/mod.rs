//! The JSON that Godot 4.4 and later make with `JSON.from_native` and read with `JSON.to_native`.
//!
//! | value | JSON |
//! |---|---|
//! | null, bool | `null`, `true` |
//! | int, float | `"i:1"`, `"f:1.0"`; also `"f:nan"`, `"f:inf"`, `"f:-inf"` |
//! | String, StringName, NodePath | `"s:text"`, `"sn:text"`, `"np:/root/a:b"` |
//! | math types | `{"type":"Vector2","args":[1.0,2.0]}`; Basis and Transform3D **column by column**, unlike the bytes |
//! | packed arrays | `{"type":"PackedInt32Array","args":[1,2]}`, all numbers in one list; strings as they are, without `s:` |
//! | Array | `["i:1","i:2"]`, or, typed, `{"type":"Array","elem_type":"int","args":["i:1"]}` |
//! | Dictionary | `{"type":"Dictionary","key_type":"String","value_type":"int","args":["s:key","i:1"]}`, the types only if there are any |
//! | Object in full | `{"type":"Node","props":["name","s:a"]}` |
//! | null Object | `null` |
//! | RID, Callable, Signal | `{"type":"RID"}` |
//!
//! An element type may also be a class (`"Node"`) or a script (`"res://a.gd"`).
//!
//! # Values that it does not hold
//!
//! By the engine's definition of the form, a RID and a Signal lose their contents (like a Callable, they are always
//! empty when read), and a null Object becomes null. Every other value that would lose something is refused: NaN and
//! infinite components and array elements, which JSON's numbers cannot express; a float NaN with other bits than the
//! ordinary one; types that Godot 4 lacks; an Object that is only an id, or whose class has the name of a built-in
//! type; element types that the form cannot distinguish; strings that are not Unicode, NodePaths that their text
//! does not reproduce, Godot 2's mark of shared containers.
//!
//! Two kinds of numbers are in the JSON and lost only by the engine's own reader, whose numbers are all 64-bit
//! floats made of digits: elements of a PackedInt64Array beyond 2^53, and floats that are not finite.
//!
//! # Reading
//!
//! Members may come in any order (`JSON.stringify` sorts them by default). Whole numbers may have a fraction of zero
//! (`2.0`), as after the engine's own `JSON.parse`. The engine reads objects, and containers typed by a class, only
//! if it is told to allow objects; here they are data and always read.

#![deny(clippy::wildcard_enum_match_arm)]

mod read;
mod write;

use std::io::Read;

use super::{Json, Style};
use crate::dialect::Dialect;
use crate::{Basis, Real, Transform3D, Variant};
use formwork::Result;

pub(super) use read::read;
pub(super) use write::write;

/// The engine whose form it is.
pub(super) const DIALECT: Dialect = Dialect::GODOT4;

/// The value in the form of Godot 4.4's `JSON.from_native`; see [the module](self).
///
/// ```
/// use formwork_variant::json::{Style, from_native_json, to_native_json};
/// use formwork_variant::Variant;
/// use formwork_variant::Vector2;
///
/// let value = Variant::from(Vector2::new(1.0, 2.0));
/// let json = to_native_json(&value, Style::Compact)?;
/// assert_eq!(json, r#"{"type":"Vector2","args":[1.0,2.0]}"#);
/// assert_eq!(from_native_json(json.as_bytes())?, value);
/// # Ok::<(), formwork::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error if the form does not hold the value.
pub fn to_native_json<R: Real>(value: &Variant<R>, style: Style) -> Result<String> {
    Json::native().in_precision().style(style).to_string(value)
}

/// The value that JSON in the form of Godot 4.4's `JSON.from_native` holds; see
/// [the module](self).
///
/// # Errors
///
/// Returns an error if the JSON is not well formed or not in that form, or nested deeper than the engine reads.
pub fn from_native_json(json: impl Read) -> Result<Variant> {
    Json::native().read(json)
}

/// A matrix column by column instead of row by row, or back; [`None`] of any other value.
fn transposed<R: Real>(value: &Variant<R>) -> Option<Variant<R>> {
    let basis = |basis: [R; 9]| {
        let [a, b, c, d, e, f, g, h, i] = basis;
        [a, d, g, b, e, h, c, f, i]
    };
    if let Variant::Basis(value) = value {
        Some(Basis::from_array(basis(value.to_array())).into())
    } else if let Variant::Transform3D(value) = value {
        let [a, b, c, d, e, f, g, h, i, x, y, z] = value.to_array();
        let [a, b, c, d, e, f, g, h, i] = basis([a, b, c, d, e, f, g, h, i]);
        Some(Transform3D::from_array([a, b, c, d, e, f, g, h, i, x, y, z]).into())
    } else {
        None
    }
}

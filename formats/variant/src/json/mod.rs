//! Values as JSON, without loss.
//!
//! There are two forms: the library's own, which holds every value of every engine bit for bit and can be read and
//! written by hand ([`Json::lossless`], [`to_json`], [`from_json`]), and the form that Godot 4.4 and later call
//! `JSON.from_native` ([`Json::native`], [`to_native_json`], [`from_native_json`]; see [`native`]).
//!
//! ```
//! use formwork_variant::Dialect;
//! use formwork_variant::json::{Style, from_json, to_json};
//! use formwork_variant::variant;
//! use formwork_variant::Vector2;
//!
//! let value = variant!({ "hp": 100, "position": Vector2::new(1.0, 2.5) });
//! let json = to_json(&value, Dialect::GODOT3, Style::Compact);
//! assert_eq!(json, r#"{"hp":100,"position":{"$Vector2":[1.0,2.5]}}"#);
//! assert_eq!(from_json(json.as_bytes(), Dialect::GODOT3)?, value);
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # The lossless form
//!
//! | value | JSON |
//! |---|---|
//! | null, bool, String | `null`, `true`, `"text"` |
//! | int | a number without fraction and exponent, of 64 bits: `-5` |
//! | float | a number with a fraction or an exponent: `5.0`, `1e300` |
//! | a float that is not a JSON number | `{"$float":"nan"}`, `"inf"`, `"-inf"`, `"-0"` |
//! | a NaN with other bits than 0x7ff8000000000000 | `{"$float":"nan:0xfff8000000000000"}` |
//! | Array | `[1, 2]` |
//! | Dictionary whose keys are different Strings, none starting with `$` | `{"key": "value"}` |
//! | any other Dictionary | `{"$dictionary":[[1, "one"], [2, "two"]]}` |
//! | any other type | `{"$Type": ...}`, see below |
//!
//! `$Type` is the dialect's name of the type (`$Quat` in Godot 3 is `$Quaternion` in Godot 4). Reading accepts the
//! names of all dialects. The member whose name starts with `$` comes first in its object. No member may be
//! repeated; if a key of `$dictionary` is, the encoder refuses the value.
//!
//! | type (Godot 4's name) | after its name |
//! |---|---|
//! | Vector2, Rect2i, Basis, Color and all other math types | their numbers, in the order of the bytes: `[1.0, 2.0]`; `-0.0` and what is not a number as `{"$float":"-0"}`, a 32-bit NaN with other bits than 0x7fc00000 as `{"$float":"nan:0x7fc00001"}` |
//! | PackedInt32Array, PackedVector2Array, PackedColorArray and all other arrays of numbers | all the numbers in one list: two Vector2s are `[1.0, 2.0, 3.0, 4.0]`; `[[1.0, 2.0], [3.0, 4.0]]` is read, too |
//! | PackedByteArray | base64 with padding: `"AQID"`; a list of numbers from 0 to 255 is read, too |
//! | PackedStringArray | `["a", "b"]` |
//! | StringName | `"text"` |
//! | NodePath | `"/root/a:b"`, or in parts, if its text does not reproduce it: `{"absolute":true,"names":["a/b"],"subnames":["c"],"property":"d"}` (the last only in Godot 2: the text after the last `:`) |
//! | RID | its number: `{"$RID":5}` |
//! | Object | `null`, `{"id":123}`, or `{"class":"Node","properties":[["name", "a"]]}` |
//! | Callable | `null` |
//! | Signal | `{"name":"pressed","object_id":123}` |
//! | Array with attributes | `{"$Array":[1, 2],"element":"int","shared":true}` |
//! | Dictionary with attributes | `{"$dictionary":[["a", 1]],"key":"String","value":"int","shared":true}` |
//! | TypedArray, PackedTypedArray (Pandemonium) | `{"$TypedArray":[1, 2],"element":"int"}` (and `inner`, should the list in it have a type, too) |
//! | Image (Godot 2) | `{"format":4,"mipmaps":0,"width":1,"height":1,"data":"<base64>"}` |
//! | InputEvent (Godot 2) | `{"type":"key","device":0,"modifiers":["shift","alt","meta","control"],"scancode":65}`; the other types are `none`, `mouse_motion`, `mouse_button` and `joystick_button` (with `button`), `joystick_motion` (with `axis` and, from 2.1 on, `value`), `screen_touch` (with `index`), `screen_drag`, `action`, `other` (with `number`) |
//!
//! - The element type of a container is the name of a type, `{"class":"Node"}`, `{"script":"res://a.gd"}`, or, if
//!   the dialect has no such type, `{"id":99}`.
//! - `shared` is Godot 2's mark. There `true` is the default and is omitted; elsewhere `false` is.
//! - A string that is not Unicode (Godot 2 and 3 hold lone surrogates, and numbers above U+10FFFF) is
//!   `{"$String":[55296, 65]}`, its characters as numbers, wherever a string may be. If it is a key, the dictionary
//!   is in the form with `$dictionary`.
//! - Missing members of the objects after a name are 0, empty or false.
//! - A number may be written in any form that JSON has. A number that its type cannot hold (`1e400`) is an error,
//!   and so is a fraction if a whole number is required.
//!
//! The form holds values that the dialect itself lacks, such as a Vector4 in Godot 3; the
//! [`Encoder`](crate::Encoder) refuses these.
//!
//! # Limits
//!
//! Reading and writing do not recurse. Values are read up to the depth that the dialect allows, see
//! [`Limits::depth`]; the JSON itself is up to four levels deeper for each. Memory is proportional to the size of
//! the JSON.

mod leaf;
pub mod native;
mod read;
mod text;
mod write;

use std::convert::Infallible;
use std::io::{Read, Write};
use std::marker::PhantomData;

use formwork_records::json::Drain;
use formwork_records::json::output::{Bracket, Output};
use formwork_records::json::source::Source;
pub use formwork_records::json::{Style, rule};

use crate::dialect::Dialect;
use crate::{Real, Variant};
use formwork::{Path, PathSegment, Result};
use formwork_records::limits::Limits;

pub use native::{from_native_json, to_native_json};

/// The value in the lossless form; see [the module](self).
#[must_use]
pub fn to_json<R: Real>(value: &Variant<R>, dialect: Dialect, style: Style) -> String {
    let mut out = Output::new(style);
    let Ok(()) = write::write(value, dialect, &mut out, &mut nothing_between);
    out.into_string()
}

/// The value that JSON in the lossless form holds; see [the module](self).
///
/// # Errors
///
/// Returns an error if the JSON is not well formed or not in that form, or nested deeper than the dialect allows, or
/// if 32 bits do not hold a component of a math type; see [`Json`] for those of double precision.
pub fn from_json(json: impl Read, dialect: Dialect) -> Result<Variant> {
    Json::lossless(dialect).read(json)
}

#[allow(clippy::unnecessary_wraps, reason = "it stands for a step that may fail")]
const fn nothing_between(_: &mut Output) -> Result<(), Infallible> {
    Ok(())
}

/// A JSON form, with everything that can be chosen about it.
///
/// Reads values of single precision; [`double`](Self::double) makes one that reads those of double precision.
///
/// ```
/// use formwork_variant::Dialect;
/// use formwork_variant::json::{Json, Style};
///
/// let json = Json::lossless(Dialect::GODOT4).style(Style::Pretty);
/// let values = json.read_all(r#"[null, {"a": 1}]"#.as_bytes())?;
/// assert_eq!(values.len(), 2);
/// assert_eq!(json.to_string(&values[1])?, "{\n  \"a\": 1\n}");
///
/// let json = Json::native();
/// assert_eq!(json.to_string(&values[1])?, r#"{"type":"Dictionary","args":["s:a","i:1"]}"#);
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Json<R: Real = f32> {
    form: Form,
    style: Style,
    limits: Limits,
    precision: PhantomData<fn() -> R>,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Lossless(Dialect),
    Native,
}

impl Json {
    /// The lossless form, in the words of a dialect.
    #[must_use]
    pub fn lossless(dialect: Dialect) -> Self {
        Self::new(Form::Lossless(dialect))
    }

    /// The form of Godot 4.4's `JSON.from_native`; see [`native`].
    #[must_use]
    pub fn native() -> Self {
        Self::new(Form::Native)
    }

    fn new(form: Form) -> Self {
        let (style, limits) = (Style::default(), Limits::default());
        Self { form, style, limits, precision: PhantomData }
    }
}

impl<R: Real> Json<R> {
    /// Reads and writes values of double precision instead.
    #[must_use]
    pub const fn double(self) -> Json<f64> {
        self.in_precision()
    }

    /// Reads and writes values of another precision instead: for code that is generic over it.
    #[must_use]
    pub const fn in_precision<S: Real>(self) -> Json<S> {
        let Self { form, style, limits, .. } = self;
        Json { form, style, limits, precision: PhantomData }
    }

    /// Chooses the layout.
    #[must_use]
    pub const fn style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Sets the limits for reading. Only the depth is used.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The value as JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the native form does not hold the value. The lossless form holds every value.
    pub fn to_string(&self, value: &Variant<R>) -> Result<String> {
        let mut out = Output::new(self.style);
        put(self, value, &mut out, &mut |_| Ok(()))?;
        Ok(out.into_string())
    }

    /// Writes the value as JSON, piece by piece.
    ///
    /// # Errors
    ///
    /// As [`Json::to_string`], and if writing fails.
    pub fn write(&self, value: &Variant<R>, stream: impl Write) -> Result<()> {
        let mut out = Output::new(self.style);
        let mut drain = Drain { stream };
        put(self, value, &mut out, &mut |out| drain.some(out))?;
        drain.all(&mut out)
    }

    /// Writes the values as one JSON list, piece by piece.
    ///
    /// # Errors
    ///
    /// As [`Json::write`].
    pub fn write_all<'v>(
        &self,
        values: impl IntoIterator<Item = &'v Variant<R>>,
        stream: impl Write,
    ) -> Result<()> {
        let mut out = Output::new(self.style);
        let mut drain = Drain { stream };
        out.open(Bracket::List);
        for value in values {
            put(self, value, &mut out, &mut |out| drain.some(out))?;
        }
        out.close();
        drain.all(&mut out)
    }

    /// Reads the value that the JSON holds.
    ///
    /// # Errors
    ///
    /// Returns an error if the JSON is not well formed or not in the form, or nested deeper than the limit.
    pub fn read(&self, mut json: impl Read) -> Result<Variant<R>> {
        let mut source = Source::new(&mut json);
        let value = take(self, &mut source)?;
        source.finish()?;
        Ok(value)
    }

    /// Reads the values of a JSON list.
    ///
    /// # Errors
    ///
    /// As [`Json::read`].
    pub fn read_all(&self, mut json: impl Read) -> Result<Vec<Variant<R>>> {
        let mut source = Source::new(&mut json);
        let mut index = 0;
        let values = source.list(|source| {
            let value = take(self, source)
                .map_err(|error| error.under(Path::from(vec![PathSegment::Index(index)])))?;
            index += 1;
            Ok(value)
        })?;
        source.finish()?;
        Ok(values)
    }
}

/// Writes a value; `between` as in [`write::write`].
fn put<'a, R: Real>(
    json: &'a Json<R>,
    value: &'a Variant<R>,
    out: &'a mut Output,
    between: &'a mut dyn FnMut(&mut Output) -> Result<()>,
) -> Result<()> {
    match json.form {
        Form::Lossless(dialect) => write::write(value, dialect, out, between),
        Form::Native => native::write(value, out, between),
    }
}

/// Reads the next value.
fn take<'a, 'b, R: Real>(json: &'a Json<R>, source: &'a mut Source<'b>) -> Result<Variant<R>> {
    let depth = |dialect: Dialect| {
        let depth = json.limits.depth.or(dialect.quirks().depth);
        depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT) as usize
    };
    match json.form {
        Form::Lossless(dialect) => read::read(source, dialect, depth(dialect)),
        Form::Native => native::read(source, depth(native::DIALECT)),
    }
}

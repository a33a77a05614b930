//! From a value to bytes.

mod container;
mod godot2;
mod output;
mod scalar;
mod text;

use std::borrow::Cow;
use std::slice;

use self::output::Output;
pub(super) use self::scalar::needs_double;
pub(crate) use self::text::text_bytes;
use super::encoder::Encoder;
use crate::dialect::{NullObject, Rules};
use crate::error::{Error, Path, Result, Rule, Step};
use crate::limits::Limits;
use crate::packet::{PackedBytes, Property, SignalRecord, Text};
use crate::variant::{
    Aabb, Basis, Object, Plane, Projection, Quaternion, Real, Rect2, Transform2D, Transform3D,
    Variant, VariantString, VariantType, Vector2, Vector3, Vector4,
};

/// Appends the value's packet to `out`; leaves `out` as it was where that fails.
pub(super) fn write<R: Real>(
    encoder: &Encoder,
    value: &Variant<R>,
    out: &mut Vec<u8>,
) -> Result<()> {
    let before = out.len();
    let rules = encoder.dialect.rules();
    let depth = encoder.depth.or(rules.depth).unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
    let mut writing = Writing {
        out: Output::behind(std::mem::take(out)),
        encoder: *encoder,
        rules,
        depth: depth as usize,
        open: Vec::new(),
    };
    let written = writing.value(value).map_err(|error| error.under(writing.path()));
    *out = writing.out.into_bytes();
    if written.is_err() {
        out.truncate(before);
    }
    written
}

/// The class of the object that an id is to the engine.
pub(super) const STAND_IN: &str = "EncodedObjectAsID";

/// A container whose elements are being written.
enum Open<'v, R: Real> {
    Array(VariantType, slice::Iter<'v, Variant<R>>, usize),
    Pairs(slice::Iter<'v, (Variant<R>, Variant<R>)>, Option<&'v Variant<R>>, usize),
    Properties(slice::Iter<'v, (VariantString, Variant<R>)>, usize),
}

struct Writing<'v, R: Real> {
    out: Output,
    encoder: Encoder,
    rules: &'static Rules,
    depth: usize,
    /// The containers around the value being written, the outermost first.
    open: Vec<Open<'v, R>>,
}

impl<'v, R: Real> Writing<'v, R> {
    fn value(&mut self, value: &'v Variant<R>) -> Result<()> {
        self.packet(value)?;
        while let Some(open) = self.open.last_mut() {
            let next = match open {
                Open::Array(_, elements, read) => elements.next().inspect(|_| *read += 1),
                Open::Pairs(pairs, value, read) => match value.take() {
                    Some(value) => Some(value),
                    None => pairs.next().map(|(key, next)| {
                        *read += 1;
                        *value = Some(next);
                        key
                    }),
                },
                Open::Properties(properties, read) => match properties.next() {
                    Some((name, value)) => {
                        *read += 1;
                        let name = text_bytes(self.rules, name, self.out.position())?;
                        self.out.record(&Property { name: Text::new(name) })?;
                        Some(value)
                    }
                    None => None,
                },
            };
            match next {
                Some(value) => self.packet(value)?,
                None => {
                    self.open.pop();
                }
            }
        }
        Ok(())
    }

    /// Writes a value's header and payload; opens it where it holds values.
    fn packet(&mut self, value: &'v Variant<R>) -> Result<()> {
        if self.open.len() > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(self.refuse(Rule::DepthLimit, expected, "one more"));
        }
        let variant_type = match value {
            Variant::Object(Object::Null) if self.rules.null_object == NullObject::Nil => {
                VariantType::Nil
            }
            value => value.variant_type(),
        };
        let Some(id) = self.encoder.dialect.type_id(variant_type) else {
            let expected = format!("a type that {} has", self.encoder.dialect);
            let found = variant_type.name();
            return Err(self.refuse(Rule::TypeInDialect, expected, found));
        };
        if variant_type == VariantType::Nil {
            return self.header(id);
        }
        self.payload(value, id)
            .map_err(|error| error.under(Path::from(vec![Step::Field(variant_type.path_name())])))
    }

    fn payload(&mut self, value: &'v Variant<R>, id: u8) -> Result<()> {
        macro_rules! real {
            ($math:ident, $value:expr, $flagged:expr) => {
                if self.double() {
                    self.wide_header(id, $flagged)?;
                    self.out.record::<$math<f64>>(&$value.cast())
                } else {
                    self.header(id)?;
                    let single = $value.cast::<f32>();
                    self.fits_single(&$value.to_array(), &single.cast::<R>().to_array())?;
                    self.out.record::<$math<f32>>(&single)
                }
            };
        }
        macro_rules! packed_real {
            ($math:ident, $values:expr) => {
                if self.double() {
                    self.wide_header(id, true)?;
                    self.packed::<$math<f64>>($values.iter().map(|value| value.cast()).collect())
                } else {
                    self.header(id)?;
                    if R::DOUBLE {
                        for value in $values {
                            let single = value.cast::<f32>().cast::<R>();
                            self.fits_single(&value.to_array(), &single.to_array())?;
                        }
                    }
                    self.packed::<$math<f32>>($values.iter().map(|value| value.cast()).collect())
                }
            };
        }
        match value {
            Variant::Int(value) => self.int(id, *value),
            Variant::Float(value) => self.float(id, *value),
            Variant::Vector2(value) => real!(Vector2, value, true),
            Variant::Rect2(value) => real!(Rect2, value, true),
            Variant::Vector3(value) => real!(Vector3, value, true),
            Variant::Transform2D(value) => real!(Transform2D, value, true),
            Variant::Vector4(value) => real!(Vector4, value, !self.rules.real_flag_missing),
            Variant::Plane(value) => real!(Plane, value, true),
            Variant::Quaternion(value) => real!(Quaternion, value, true),
            Variant::Aabb(value) => real!(Aabb, value, true),
            Variant::Basis(value) => real!(Basis, value, true),
            Variant::Transform3D(value) => real!(Transform3D, value, true),
            Variant::Projection(value) => real!(Projection, value, !self.rules.real_flag_missing),
            Variant::PackedVector2Array(values) => packed_real!(Vector2, values),
            Variant::PackedVector3Array(values) => packed_real!(Vector3, values),
            Variant::PackedVector4Array(values) => packed_real!(Vector4, values),
            Variant::Object(object) => self.object(id, object),
            Variant::Dictionary(dictionary) => self.dictionary(id, dictionary),
            Variant::Array(array) => self.array(id, array),
            Variant::TypedArray(typed) => {
                self.pandemonium_typed_array(id, VariantType::TypedArray, typed)
            }
            Variant::PackedTypedArray(typed) => {
                self.pandemonium_typed_array(id, VariantType::PackedTypedArray, typed)
            }
            plain => {
                self.header(id)?;
                self.plain(plain)
            }
        }
    }

    /// The payload of a type whose header has no flags.
    fn plain(&mut self, value: &'v Variant<R>) -> Result<()> {
        match value {
            Variant::Bool(value) => self.out.record(&u32::from(*value)),
            Variant::String(text) | Variant::StringName(text) => self.text(text),
            Variant::Vector2i(value) => self.out.record(value),
            Variant::Rect2i(value) => self.out.record(value),
            Variant::Vector3i(value) => self.out.record(value),
            Variant::Vector4i(value) => self.out.record(value),
            Variant::Color(value) => self.out.record(value),
            Variant::NodePath(path) => self.node_path(path),
            Variant::Rid(rid) if self.rules.rid_id => self.out.record(rid),
            Variant::Rid(0) | Variant::Nil | Variant::Callable => Ok(()),
            Variant::Rid(rid) => {
                let expected =
                    format!("the empty RID, the only one that {} stores", self.encoder.dialect);
                Err(self.refuse(Rule::ValueInDialect, expected, rid.to_string()))
            }
            Variant::Signal(signal) => {
                let name = Text::new(self.text_bytes(&signal.name)?);
                self.out.record(&SignalRecord { name, object_id: signal.object_id })
            }
            Variant::PackedByteArray(bytes) => {
                self.count(bytes.len())?;
                self.out.record(&PackedBytes::new(bytes.as_slice()))
            }
            Variant::PackedInt32Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedInt64Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedFloat32Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedFloat64Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedVector2iArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedVector3iArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedVector4iArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedColorArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedStringArray(texts) => self.strings(texts),
            Variant::Image(image) => self.image(image),
            Variant::InputEvent(event) => self.input_event(event),
            // The types with flags were written by `payload`.
            _ => Ok(()),
        }
    }

    /// Refuses what a signed 32-bit count cannot say.
    fn count(&self, count: usize) -> Result<()> {
        count_fits(count, self.out.position())
    }

    #[cold]
    fn refuse(&self, rule: Rule, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::new(rule, self.out.position() as u64, expected, found)
    }

    /// Where the writer is.
    fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            match open {
                Open::Array(variant_type, _, read) => {
                    path.push(Step::Field(variant_type.path_name()));
                    path.push(Step::Index(read.saturating_sub(1) as u64));
                }
                Open::Pairs(_, value, read) => {
                    path.push(Step::Field(VariantType::Dictionary.path_name()));
                    path.push(Step::Index(read.saturating_sub(1) as u64));
                    path.push(Step::Field(if value.is_some() { "key" } else { "value" }));
                }
                Open::Properties(_, read) => {
                    path.push(Step::Field(VariantType::Object.path_name()));
                    path.push(Step::Field("properties"));
                    path.push(Step::Index(read.saturating_sub(1) as u64));
                }
            }
        }
        path
    }
}

fn count_fits(count: usize, position: usize) -> Result<()> {
    match i32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => {
            let expected = "a count of at most 2147483647";
            Err(Error::new(Rule::ValueInDialect, position as u64, expected, count.to_string()))
        }
    }
}

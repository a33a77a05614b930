//! From a value to bytes.

mod container;
mod godot2;
mod output;
#[cfg(feature = "serde")]
mod piece;
mod scalar;
mod text;

use std::borrow::Cow;
use std::slice;

use self::output::Output;
#[cfg(feature = "serde")]
pub(crate) use self::piece::Count;
#[cfg(feature = "serde")]
pub(crate) use self::scalar::components_fit;
pub(super) use self::scalar::needs_double;
pub(crate) use self::text::text_bytes;
use super::element;
use super::encoder::Encoder;
use super::nesting::{self, Level};
use crate::error::{Error, Path, Result, Rule, Step};
use crate::limits::Limits;
use crate::variant::codec::rule;
use crate::variant::dialect::{NullObject, Rules};
use crate::variant::packet::{PackedBytes, Property, SignalRecord, Text};
use crate::variant::{
    Aabb, Basis, ElementType, Object, Plane, Projection, Quaternion, Real, Rect2, Transform2D,
    Transform3D, Variant, VariantString, VariantType, Vector2, Vector3, Vector4,
};

/// Appends the value's packet to `out`; leaves `out` as it was where that fails.
pub(super) fn write<R: Real>(
    encoder: &Encoder,
    value: &Variant<R>,
    out: &mut Vec<u8>,
) -> Result<()> {
    append(encoder, out, |writing| writing.value(value))
}

/// Appends what `write` writes to `out`; leaves `out` as it was where that fails.
pub(crate) fn append(
    encoder: &Encoder,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Writing) -> Result<()>,
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
    let written = write(&mut writing).map_err(|error| error.under(nesting::path(&writing.open)));
    *out = writing.out.into_bytes();
    if written.is_err() {
        out.truncate(before);
    }
    written
}

/// The class of the object that an id is to the engine.
pub(super) const STAND_IN: &str = "EncodedObjectAsID";

/// What a container holds that is not written yet.
enum Held<'v, R: Real> {
    /// What the elements must be, if anything, and whether the array is a packed one.
    Elements(slice::Iter<'v, Variant<R>>, Option<&'v ElementType>, bool),
    /// What the keys must be, if anything.
    Pairs(
        slice::Iter<'v, (Variant<R>, Variant<R>)>,
        Option<&'v Variant<R>>,
        Option<&'v ElementType>,
    ),
    Properties(slice::Iter<'v, (VariantString, Variant<R>)>),
}

/// Writes packet after packet: the level under whole values.
pub(crate) struct Writing {
    out: Output,
    encoder: Encoder,
    rules: &'static Rules,
    depth: usize,
    /// The containers around the value being written, the outermost first.
    open: Vec<Level>,
}

impl Writing {
    /// Writes a value, with all that it holds.
    pub(crate) fn value<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
        let mut holding = Vec::new();
        let mut next = Some(value);
        loop {
            match next {
                Some(value) => match self.packet(value)? {
                    Some(held) => holding.push(held),
                    None => self.advance(),
                },
                None => {
                    holding.pop();
                    self.close();
                }
            }
            let Some(held) = holding.last_mut() else { return Ok(()) };
            next = match held {
                Held::Elements(elements, wanted, packed) => {
                    let next = elements.next();
                    self.kept(*wanted, next, *packed)?;
                    next
                }
                Held::Pairs(pairs, value, wanted) => match value.take() {
                    Some(value) => Some(value),
                    None => {
                        let pair = pairs.next();
                        *value = pair.map(|(_, value)| value);
                        let key = pair.map(|(key, _)| key);
                        self.kept(*wanted, key, false)?;
                        key
                    }
                },
                Held::Properties(properties) => match properties.next() {
                    Some((name, value)) => {
                        self.property_name(name)?;
                        Some(value)
                    }
                    None => None,
                },
            };
        }
    }

    /// Refuses an element or key that the engine would not keep as it is in such a container.
    fn kept<R: Real>(
        &self,
        wanted: Option<&ElementType>,
        value: Option<&Variant<R>>,
        packed: bool,
    ) -> Result<()> {
        let (Some(wanted), Some(value)) = (wanted, value) else { return Ok(()) };
        if element::is_kept(wanted, value, packed) {
            return Ok(());
        }
        let found = self.encoder.dialect.type_name(value.variant_type());
        let expected = match wanted {
            ElementType::Builtin(wanted) => {
                format!("a value of the type {}", self.encoder.dialect.type_name(*wanted))
            }
            ElementType::Class(class) => format!("an object of the class {class}, or null"),
            ElementType::Script(path) => format!("an object of the script {path}, or null"),
            ElementType::Unknown(number) => format!("no element, as there is no type {number}"),
        };
        Err(self.refuse(rule::CONTAINER_ELEMENT, expected, found))
    }

    /// Writes the name of a property, whose value comes next.
    pub(crate) fn property_name(&mut self, name: &VariantString) -> Result<()> {
        let name = Text::new(self.text_bytes(name)?);
        self.out.record(&Property { name })
    }

    /// A container is complete.
    fn close(&mut self) {
        self.open.pop();
        self.advance();
    }

    /// A value is complete.
    fn advance(&mut self) {
        if let Some(level) = self.open.last_mut() {
            level.advance();
        }
    }

    /// Writes a value's header and payload; of one that holds values, the front.
    fn packet<'v, R: Real>(&mut self, value: &'v Variant<R>) -> Result<Option<Held<'v, R>>> {
        self.within_depth()?;
        let variant_type = match value {
            Variant::Object(Object::Null) if self.rules.null_object == NullObject::Nil => {
                VariantType::Nil
            }
            value => value.variant_type(),
        };
        let id = self.type_id(variant_type)?;
        if variant_type == VariantType::Nil {
            return self.header(id).map(|()| None);
        }
        self.payload(value, id)
            .map_err(|error| error.under(Path::from(vec![Step::Field(variant_type.path_name())])))
    }

    fn payload<'v, R: Real>(
        &mut self,
        value: &'v Variant<R>,
        id: u8,
    ) -> Result<Option<Held<'v, R>>> {
        macro_rules! real {
            ($math:ident, $value:expr, $flagged:expr) => {
                if self.double() {
                    self.fits::<R, f64>(&$value.to_array())?;
                    self.wide_header(id, $flagged)?;
                    self.out.record::<$math<f64>>(&$value.cast())
                } else {
                    self.fits::<R, f32>(&$value.to_array())?;
                    self.header(id)?;
                    self.out.record::<$math<f32>>(&$value.cast())
                }
            };
        }
        macro_rules! packed_real {
            ($math:ident, $values:expr) => {
                if self.double() {
                    $values.iter().try_for_each(|value| self.fits::<R, f64>(&value.to_array()))?;
                    self.wide_header(id, true)?;
                    self.packed::<$math<f64>>($values.iter().map(|value| value.cast()).collect())
                } else {
                    $values.iter().try_for_each(|value| self.fits::<R, f32>(&value.to_array()))?;
                    self.header(id)?;
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
            Variant::Object(object) => return self.object(id, object),
            Variant::Dictionary(dictionary) => return self.dictionary(id, dictionary).map(Some),
            Variant::Array(array) => return self.array(id, array).map(Some),
            Variant::TypedArray(typed) => {
                let variant_type = VariantType::TypedArray;
                return self.pandemonium_typed_array(id, variant_type, typed).map(Some);
            }
            Variant::PackedTypedArray(typed) => {
                let variant_type = VariantType::PackedTypedArray;
                return self.pandemonium_typed_array(id, variant_type, typed).map(Some);
            }
            plain => {
                self.header(id)?;
                self.plain(plain)
            }
        }
        .map(|()| None)
    }

    /// The payload of a type whose header has no flags.
    fn plain<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
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
                Err(self.refuse(rule::DIALECT_VALUE, expected, rid.to_string()))
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

    /// Refuses a value with more containers around it than the engine reads.
    fn within_depth(&self) -> Result<()> {
        if self.open.len() > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(self.refuse(Rule::DEPTH_LIMIT, expected, "one more"));
        }
        Ok(())
    }

    /// The number of a type that the dialect must have.
    fn type_id(&self, variant_type: VariantType) -> Result<u8> {
        self.encoder.dialect.type_id(variant_type).ok_or_else(|| {
            let expected = format!("a type that {} has", self.encoder.dialect);
            self.refuse(rule::DIALECT_TYPE, expected, variant_type.name())
        })
    }

    /// Refuses what a signed 32-bit count cannot say.
    fn count(&self, count: usize) -> Result<()> {
        count_fits(count, self.out.position())
    }

    #[cold]
    fn refuse(&self, rule: Rule, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::new(rule, self.out.position() as u64, expected, found)
    }
}

fn count_fits(count: usize, position: usize) -> Result<()> {
    match i32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => {
            let expected = "a count of at most 2147483647";
            Err(Error::new(rule::DIALECT_VALUE, position as u64, expected, count.to_string()))
        }
    }
}

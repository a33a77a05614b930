//! Values that hold none, of types that the target has.

use super::counterpart::narrowed;
use super::loss::LossKind;
use super::walk::Walk;
use crate::variant::dialect::{ObjectForms, Precision};
use crate::variant::{
    Aabb, Basis, Image, InputEvent, InputEventKind, NodePath, Object, Plane, Projection,
    Quaternion, Real, Rect2, Signal, Transform2D, Transform3D, Variant, VariantType, Vector2,
    Vector3, Vector4,
};

/// The first component that a conversion rounds, and what it becomes.
type Rounded = Option<(f64, f64)>;

impl<R: Real, S: Real> Walk<'_, R, S> {
    pub(super) fn leaf(&mut self, value: Variant<R>) -> Variant<S> {
        let variant_type = value.variant_type();
        let mut rounded = None;
        macro_rules! real {
            ($math:ident, $value:expr) => {
                $math::from_array(self.reals($value.to_array(), &mut rounded))
            };
        }
        macro_rules! reals {
            ($math:ident, $values:expr) => {
                $values.into_iter().map(|value| real!($math, value)).collect()
            };
        }
        let made = match value {
            Variant::Bool(value) => Variant::Bool(value),
            Variant::Int(number) => Variant::Int(number),
            Variant::Float(number) => Variant::Float(self.float(number, &mut rounded)),
            Variant::String(text) => Variant::String(self.text(text, variant_type)),
            Variant::StringName(text) => Variant::StringName(self.text(text, variant_type)),
            Variant::Vector2(value) => Variant::Vector2(real!(Vector2, value)),
            Variant::Vector2i(value) => Variant::Vector2i(value),
            Variant::Rect2(value) => Variant::Rect2(real!(Rect2, value)),
            Variant::Rect2i(value) => Variant::Rect2i(value),
            Variant::Vector3(value) => Variant::Vector3(real!(Vector3, value)),
            Variant::Vector3i(value) => Variant::Vector3i(value),
            Variant::Transform2D(value) => Variant::Transform2D(real!(Transform2D, value)),
            Variant::Vector4(value) => Variant::Vector4(real!(Vector4, value)),
            Variant::Vector4i(value) => Variant::Vector4i(value),
            Variant::Plane(value) => Variant::Plane(real!(Plane, value)),
            Variant::Quaternion(value) => Variant::Quaternion(real!(Quaternion, value)),
            Variant::Aabb(value) => Variant::Aabb(real!(Aabb, value)),
            Variant::Basis(value) => Variant::Basis(Box::new(real!(Basis, value))),
            Variant::Transform3D(value) => {
                Variant::Transform3D(Box::new(real!(Transform3D, value)))
            }
            Variant::Projection(value) => Variant::Projection(Box::new(real!(Projection, value))),
            Variant::Color(value) => Variant::Color(value),
            Variant::NodePath(path) => Variant::NodePath(Box::new(self.node_path(*path))),
            Variant::Rid(number) => Variant::Rid(self.rid(number)),
            Variant::Object(object) => self.object_reference(&object),
            Variant::Callable => Variant::Callable,
            Variant::Signal(signal) => {
                let Signal { name, object_id } = *signal;
                let name = self.text(name, variant_type);
                Variant::Signal(Box::new(Signal { name, object_id }))
            }
            Variant::PackedByteArray(values) => Variant::PackedByteArray(values),
            Variant::PackedInt32Array(values) => Variant::PackedInt32Array(values),
            Variant::PackedInt64Array(values) => Variant::PackedInt64Array(values),
            Variant::PackedFloat32Array(values) => Variant::PackedFloat32Array(values),
            Variant::PackedFloat64Array(values) => Variant::PackedFloat64Array(values),
            Variant::PackedStringArray(texts) => {
                let texts = texts.into_iter().map(|text| self.text(text, variant_type));
                Variant::PackedStringArray(texts.collect())
            }
            Variant::PackedVector2Array(values) => {
                Variant::PackedVector2Array(reals!(Vector2, values))
            }
            Variant::PackedVector2iArray(values) => Variant::PackedVector2iArray(values),
            Variant::PackedVector3Array(values) => {
                Variant::PackedVector3Array(reals!(Vector3, values))
            }
            Variant::PackedVector3iArray(values) => Variant::PackedVector3iArray(values),
            Variant::PackedVector4Array(values) => {
                Variant::PackedVector4Array(reals!(Vector4, values))
            }
            Variant::PackedVector4iArray(values) => Variant::PackedVector4iArray(values),
            Variant::PackedColorArray(values) => Variant::PackedColorArray(values),
            Variant::Image(image) => Variant::Image(Box::new(self.image(*image))),
            Variant::InputEvent(event) => Variant::InputEvent(self.input_event(event)),
            // What holds values was opened.
            Variant::Nil
            | Variant::Array(_)
            | Variant::Dictionary(_)
            | Variant::TypedArray(_)
            | Variant::PackedTypedArray(_) => Variant::Nil,
        };
        if let Some((number, nearest)) = rounded {
            let name = self.pair.from.type_name(variant_type);
            let found = match variant_type {
                VariantType::Float => number.to_string(),
                _ => format!("{name} with {number}"),
            };
            self.lose(LossKind::Rounded, variant_type, found, nearest.to_string());
        }
        made
    }

    /// Components in the target's width.
    fn reals<const N: usize>(&self, numbers: [R; N], rounded: &mut Rounded) -> [S; N] {
        let single = self.pair.to.precision() == Precision::Single;
        numbers.map(|number| {
            let (made, exact) = real::<R, S>(number, single);
            if !exact && rounded.is_none() {
                *rounded = Some((number.to_f64(), made.to_f64()));
            }
            made
        })
    }

    fn float(&self, number: f64, rounded: &mut Rounded) -> f64 {
        if !self.pair.narrows_floats() {
            return number;
        }
        let nearest = narrowed(number);
        if nearest.to_bits() != number.to_bits() {
            *rounded = Some((number, nearest));
        }
        nearest
    }

    fn node_path(&mut self, path: NodePath) -> NodePath {
        let rules = self.pair.to.rules();
        let mut path = match (rules.node_path_property, self.pair.from.rules().node_path_property) {
            (true, true) => path,
            (true, false) => path.with_property(),
            (false, _) => path.without_property(),
        };
        if path.absolute
            && !rules.node_path_root
            && path.names.is_empty()
            && path.subnames.is_empty()
        {
            self.lose(LossKind::NodePathRoot, VariantType::NodePath, "/".into(), "\"\"".into());
            path.absolute = false;
        }
        let mut text = |text| self.text(text, VariantType::NodePath);
        NodePath {
            absolute: path.absolute,
            names: path.names.into_iter().map(&mut text).collect(),
            subnames: path.subnames.into_iter().map(&mut text).collect(),
            property: path.property.map(&mut text),
        }
    }

    fn rid(&mut self, number: u64) -> u64 {
        if number == 0 || self.pair.to.rules().rid_id {
            return number;
        }
        self.lose(LossKind::Rid, VariantType::Rid, format!("RID({number})"), "RID()".into());
        0
    }

    /// No object, or the number of one.
    fn object_reference(&mut self, object: &Object<R>) -> Variant<S> {
        let Object::Id(number @ 1..) = *object else {
            return self.null_object();
        };
        let stored = self.pair.to.rules().objects == ObjectForms::IdOrFull;
        if !self.pair.is_same_engine() || !stored {
            let found = format!("object number {number}");
            let nearest = if stored { "a number without an object" } else { "null" };
            self.lose(LossKind::ObjectId, VariantType::Object, found, nearest.into());
        }
        if stored { Variant::Object(Object::Id(number)) } else { self.null_object() }
    }

    fn image(&mut self, image: Image) -> Image {
        if image.is_as_engine_keeps() && (image.format as usize) < Image::FORMATS.len() {
            return image;
        }
        let found = format!("format {}, {} bytes", image.format, image.data.len());
        self.lose(LossKind::Image, VariantType::Image, found, "an empty image".into());
        Image::default()
    }

    fn input_event(&mut self, mut event: InputEvent) -> InputEvent {
        let stored = self.pair.to.rules().joystick_value;
        if let InputEventKind::JoystickMotion { value, .. } = &mut event.kind
            && value.is_some() != stored
        {
            let words = |value: Option<f32>| match value {
                Some(value) => format!("axis at {value}"),
                None => "axis without a position".into(),
            };
            let nearest = stored.then_some(0.0);
            let (found, becomes) = (words(*value), words(nearest));
            *value = nearest;
            let kind = LossKind::JoystickValue;
            self.lose(kind, VariantType::InputEvent, found, becomes);
        }
        event
    }
}

/// A component as the target keeps it, and whether it is the same.
fn real<R: Real, S: Real>(number: R, single: bool) -> (S, bool) {
    if number.to_f64().is_nan() {
        return nan(number, single);
    }
    let made: S = if single { number.to::<f32>().to() } else { number.to() };
    (made, made.to::<R>().to_bits() == number.to_bits())
}

/// The same for a NaN, bit by bit: which of its bits a conversion of floats keeps is not defined.
fn nan<R: Real, S: Real>(number: R, single: bool) -> (S, bool) {
    const DROPPED: u32 = f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS;
    let wide = |bits: u64| (bits & 0x8000_0000) << 32 | 0x7ff << 52 | (bits & 0x7f_ffff) << DROPPED;
    let narrow = |bits: u64| {
        let bits = bits >> 32 & 0x8000_0000 | 0x7f80_0000 | bits >> DROPPED & 0x7f_ffff;
        // Without a bit left it would be an infinity.
        if bits & 0x7f_ffff == 0 { bits | 0x40_0000 } else { bits }
    };
    let bits = if R::DOUBLE { number.to_bits() } else { wide(number.to_bits()) };
    let kept = if single || !S::DOUBLE { wide(narrow(bits)) } else { bits };
    (S::from_bits(if S::DOUBLE { kept } else { narrow(kept) }), kept == bits)
}

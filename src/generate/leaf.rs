//! Values that hold no values.

use arbitrary::Result;
use bytemuck::AnyBitPattern;

use super::choice::{below, chance, one_of};
use super::number::{element, number};
use super::text;
use super::value::Generator;
use crate::schema::Declared;
use crate::variant::dialect::{FloatWidth, IntWidth};
use crate::variant::{
    Aabb, Basis, Color, Image, InputEvent, InputEventKind, Plane, Projection, Quaternion, Real,
    Rect2, Rect2i, Signal, Transform2D, Transform3D, Variant, VariantString, VariantType, Vector2,
    Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use crate::wire::Element;

impl<R: Real> Generator<'_, '_, '_, R> {
    /// A value of a type that holds no values.
    pub(super) fn leaf(&mut self, variant_type: VariantType) -> Result<Variant<R>> {
        // Where the value's components are wider or narrower than the wire's, what both can hold: a
        // 32-bit number, and of NaNs the quiet ones, because converting makes others quiet.
        macro_rules! real {
            ($math:ident) => {
                if self.same_width {
                    self.element::<$math<R>>()?
                } else {
                    $math::from_array(self.element::<$math<f32>>()?.to_array().map(quiet))
                        .cast::<R>()
                }
            };
        }
        macro_rules! packed_real {
            ($math:ident) => {
                if self.same_width {
                    self.packed::<$math<R>>()?
                } else {
                    let values = self.packed::<$math<f32>>()?.into_iter();
                    let quiet = |value: $math<f32>| $math::from_array(value.to_array().map(quiet));
                    values.map(|value| quiet(value).cast::<R>()).collect()
                }
            };
        }
        Ok(match variant_type {
            VariantType::Bool => Variant::Bool(self.u.arbitrary()?),
            VariantType::Int if self.rules.int_width == IntWidth::Narrow => {
                Variant::Int(self.number::<i32>()?.into())
            }
            VariantType::Int => Variant::Int(self.number()?),
            VariantType::Float if self.rules.float_width == FloatWidth::Narrow => {
                Variant::Float(quiet(self.number()?).into())
            }
            VariantType::Float => Variant::Float(self.float()?),
            VariantType::String => Variant::String(self.text()?),
            VariantType::StringName => Variant::StringName(self.text()?),
            VariantType::Vector2 => Variant::Vector2(real!(Vector2)),
            VariantType::Vector2i => Variant::Vector2i(self.element::<Vector2i>()?),
            VariantType::Rect2 => Variant::Rect2(real!(Rect2)),
            VariantType::Rect2i => Variant::Rect2i(self.element::<Rect2i>()?),
            VariantType::Vector3 => Variant::Vector3(real!(Vector3)),
            VariantType::Vector3i => Variant::Vector3i(self.element::<Vector3i>()?),
            VariantType::Transform2D => Variant::Transform2D(real!(Transform2D)),
            VariantType::Vector4 => Variant::Vector4(real!(Vector4)),
            VariantType::Vector4i => Variant::Vector4i(self.element::<Vector4i>()?),
            VariantType::Plane => Variant::Plane(real!(Plane)),
            VariantType::Quaternion => Variant::Quaternion(real!(Quaternion)),
            VariantType::Aabb => Variant::Aabb(real!(Aabb)),
            VariantType::Basis => Variant::Basis(Box::new(real!(Basis))),
            VariantType::Transform3D => Variant::Transform3D(Box::new(real!(Transform3D))),
            VariantType::Projection => Variant::Projection(Box::new(real!(Projection))),
            VariantType::Color => Variant::Color(self.element::<Color>()?),
            VariantType::NodePath => {
                let path = text::node_path(self.u, self.rules, self.config)?;
                Variant::NodePath(Box::new(path))
            }
            VariantType::Rid if self.rules.rid_id => Variant::Rid(self.number()?),
            VariantType::Rid => Variant::Rid(0),
            VariantType::Callable => Variant::Callable,
            VariantType::Signal => {
                Variant::Signal(Box::new(Signal { name: self.text()?, object_id: self.number()? }))
            }
            VariantType::PackedByteArray => Variant::PackedByteArray(self.packed()?),
            VariantType::PackedInt32Array => Variant::PackedInt32Array(self.packed()?),
            VariantType::PackedInt64Array => Variant::PackedInt64Array(self.packed()?),
            VariantType::PackedFloat32Array => Variant::PackedFloat32Array(self.packed()?),
            VariantType::PackedFloat64Array => Variant::PackedFloat64Array(self.packed()?),
            VariantType::PackedStringArray => {
                let count = self.packed_count(1)?;
                let texts = (0..count).map(|_| self.text()).collect::<Result<_>>()?;
                Variant::PackedStringArray(texts)
            }
            VariantType::PackedVector2Array => Variant::PackedVector2Array(packed_real!(Vector2)),
            VariantType::PackedVector2iArray => Variant::PackedVector2iArray(self.packed()?),
            VariantType::PackedVector3Array => Variant::PackedVector3Array(packed_real!(Vector3)),
            VariantType::PackedVector3iArray => Variant::PackedVector3iArray(self.packed()?),
            VariantType::PackedVector4Array => Variant::PackedVector4Array(packed_real!(Vector4)),
            VariantType::PackedVector4iArray => Variant::PackedVector4iArray(self.packed()?),
            VariantType::PackedColorArray => Variant::PackedColorArray(self.packed()?),
            VariantType::Image => Variant::Image(Box::new(self.image()?)),
            VariantType::InputEvent => Variant::InputEvent(self.input_event()?),
            // Null, and what the containers' own code makes.
            _ => Variant::Nil,
        })
    }

    fn number<T: AnyBitPattern + Declared>(&mut self) -> Result<T> {
        number(self.u, self.config)
    }

    fn element<T>(&mut self) -> Result<T>
    where
        T: Element,
        T::Number: Declared,
    {
        element(self.u, self.config)
    }

    fn float(&mut self) -> Result<f64> {
        // Half of the numbers need 64 bits, half do with 32: the encoders choose.
        if self.u.arbitrary()? { Ok(quiet(self.number()?).into()) } else { self.number() }
    }

    fn text(&mut self) -> Result<VariantString> {
        let text = text::text(self.u, self.rules, self.config, self.bytes)?;
        self.bytes = self.bytes.saturating_sub(text.as_bytes().len());
        Ok(text)
    }

    /// How many elements of so many bytes at least: none, one, two, few, many.
    fn packed_count(&mut self, bytes: usize) -> Result<usize> {
        let most = (self.bytes / bytes).min(self.config.max_count);
        let count = match below(self.u, 10)? {
            0 => 0,
            1..=3 => 1,
            4..=5 => 2,
            6..=8 => 3 + below(self.u, 7)?,
            _ => below(self.u, most + 1)?,
        };
        Ok(count.min(most))
    }

    fn packed<T>(&mut self) -> Result<Vec<T>>
    where
        T: Element,
        T::Number: Declared,
    {
        let count = self.packed_count(T::BYTES)?;
        self.bytes -= count * T::BYTES;
        (0..count).map(|_| self.element()).collect()
    }

    /// An image whose data has the size that its format demands: the engine keeps no other.
    fn image(&mut self) -> Result<Image> {
        if chance(self.u, 10)? {
            return Ok(Image::default());
        }
        let side = |generator: &mut Self| match below(generator.u, 4)? {
            0 => Ok(1),
            _ => generator.u.int_in_range(1..=9),
        };
        let mut image = Image {
            format: self.u.int_in_range(0..=Image::FORMATS.len() as u32 - 1)?,
            mipmaps: *one_of(self.u, &[0, 1, 2, 7, u32::MAX, 1 << 31])?,
            width: side(self)?,
            height: side(self)?,
            data: Vec::new(),
        };
        let size = match image.data_size() {
            Some(size) => usize::try_from(size).unwrap_or(usize::MAX),
            None => self.u.int_in_range(1..=64)?,
        };
        if size == 0 || size > self.bytes {
            return Ok(Image::default());
        }
        self.bytes -= size;
        image.data = vec![0; size];
        self.u.fill_buffer(&mut image.data)?;
        Ok(image)
    }

    fn input_event(&mut self) -> Result<InputEvent> {
        let device = self.number()?;
        let kind = match below(self.u, 9)? {
            0 => InputEventKind::None,
            1 => InputEventKind::Key { modifiers: self.u.arbitrary()?, scancode: self.number()? },
            2 => InputEventKind::MouseMotion,
            3 => InputEventKind::MouseButton { button: self.number()? },
            4 => InputEventKind::JoystickMotion {
                axis: self.number()?,
                value: if self.rules.joystick_value { Some(self.number()?) } else { None },
            },
            5 => InputEventKind::JoystickButton { button: self.number()? },
            6 => InputEventKind::ScreenTouch { index: self.number()? },
            7 => InputEventKind::ScreenDrag,
            _ => InputEventKind::Action,
        };
        Ok(InputEvent { device, kind })
    }
}

/// A number that is the same after it was widened and narrowed again.
fn quiet(number: f32) -> f32 {
    if number.is_nan() { f32::from_bits(number.to_bits() | 1 << 22) } else { number }
}

//! Values that hold no values.

#![deny(clippy::wildcard_enum_match_arm)]

use arbitrary::Result;
use bytemuck::AnyBitPattern;

use super::choice::{below, chance, one_of};
use super::number::{element, number};
use super::text;
use super::value::Generator;
use crate::dialect::{FloatWidth, IntWidth};
use crate::{
    Image, InputEvent, InputEventKind, Math, NumberSource, OwnType, Real, RealMath, Signal,
    Variant, VariantString, VariantType,
};
use formwork_records::schema::Schema;
use formwork_records::wire::{Components, Element};

impl<R: Real> Generator<'_, '_, '_, R> {
    /// A value of a type that holds no values.
    pub(super) fn leaf(&mut self, variant_type: VariantType) -> Result<Variant<R>> {
        Ok(match Variant::from_numbers(variant_type, Numbers(self)) {
            Ok(made) => made?,
            Err(OwnType::Bool) => Variant::Bool(self.u.arbitrary()?),
            Err(OwnType::Int) if self.quirks.int_width == IntWidth::Narrow => {
                Variant::Int(self.number::<i32>()?.into())
            }
            Err(OwnType::Int) => Variant::Int(self.number()?),
            Err(OwnType::Float) if self.quirks.float_width == FloatWidth::Narrow => {
                Variant::Float(quiet(self.number()?).into())
            }
            Err(OwnType::Float) => Variant::Float(self.float()?),
            Err(OwnType::String) => Variant::String(self.text()?),
            Err(OwnType::StringName) => Variant::StringName(self.text()?),
            Err(OwnType::NodePath) => text::node_path(self.u, self.quirks, self.config)?.into(),
            Err(OwnType::Rid) if self.quirks.rid_id => Variant::Rid(self.number()?),
            Err(OwnType::Rid) => Variant::Rid(0),
            Err(OwnType::Callable) => Variant::Callable,
            Err(OwnType::Signal) => Signal { name: self.text()?, object_id: self.number()? }.into(),
            Err(OwnType::PackedByteArray) => Variant::PackedByteArray(self.packed()?),
            Err(OwnType::PackedStringArray) => {
                let count = self.packed_count(1)?;
                let texts = (0..count).map(|_| self.text()).collect::<Result<_>>()?;
                Variant::PackedStringArray(texts)
            }
            Err(OwnType::Image) => self.image()?.into(),
            Err(OwnType::InputEvent) => self.input_event()?.into(),
            // Null, and the types that the code of the containers makes.
            Err(
                OwnType::Nil
                | OwnType::Object
                | OwnType::Dictionary
                | OwnType::Array
                | OwnType::TypedArray
                | OwnType::PackedTypedArray,
            ) => Variant::Nil,
        })
    }

    fn number<T: AnyBitPattern + Schema>(&mut self) -> Result<T> {
        number(self.u, self.config)
    }

    fn element<T: Element>(&mut self) -> Result<T> {
        element(self.u, self.config)
    }

    fn float(&mut self) -> Result<f64> {
        // Half of the numbers need 64 bits, half do with 32: the encoders choose.
        if self.u.arbitrary()? { Ok(quiet(self.number()?).into()) } else { self.number() }
    }

    fn text(&mut self) -> Result<VariantString> {
        let text = text::text(self.u, self.quirks, self.config, self.bytes)?;
        self.bytes = self.bytes.saturating_sub(text.as_bytes().len());
        Ok(text)
    }

    /// Returns a number of elements of at least `bytes` bytes each: none, one, two, few, many.
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

    fn packed<T: Element>(&mut self) -> Result<Vec<T>> {
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
                value: if self.quirks.joystick_value { Some(self.number()?) } else { None },
            },
            5 => InputEventKind::JoystickButton { button: self.number()? },
            6 => InputEventKind::ScreenTouch { index: self.number()? },
            7 => InputEventKind::ScreenDrag,
            _ => InputEventKind::Action,
        };
        Ok(InputEvent { device, kind })
    }
}

/// Makes values that consist of numbers only.
///
/// If their components are wider or narrower than on the wire, they are numbers that both widths hold: 32-bit
/// numbers, and only quiet NaNs, because converting makes other NaNs quiet.
struct Numbers<'g, 'u, 'a, 'c, R: Real>(&'g mut Generator<'u, 'a, 'c, R>);

impl<R: Real> NumberSource<R> for Numbers<'_, '_, '_, '_, R> {
    type Error = arbitrary::Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        if self.0.same_width {
            return self.0.element();
        }
        Ok(T::from_precision(quieted(self.0.element::<T::In<f32>>()?)))
    }

    fn math<T: Math>(self) -> Result<T> {
        self.0.element()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        if self.0.same_width {
            return self.0.packed();
        }
        let values = self.0.packed::<T::In<f32>>()?.into_iter();
        Ok(values.map(|value| T::from_precision(quieted(value))).collect())
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        self.0.packed()
    }
}

/// A value of numbers that are all quiet.
fn quieted<T: Components<Number = f32>>(value: T) -> T {
    let mut components = [value.to_components()];
    for number in bytemuck::cast_slice_mut::<T::Array, f32>(&mut components) {
        *number = quiet(*number);
    }
    T::from_components(components[0])
}

/// A number that is the same after it was widened and narrowed again.
fn quiet(number: f32) -> f32 {
    if number.is_nan() { f32::from_bits(number.to_bits() | 1 << 22) } else { number }
}

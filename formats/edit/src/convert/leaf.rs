//! Values that hold none, of types that the target has.

use super::counterpart::narrowed;
use super::loss::LossKind;
use super::walk::Walk;
use formwork_variant::dialect::{ObjectForms, Precision};
use formwork_variant::{
    Image, InputEvent, InputEventKind, NodePath, Object, Real, Signal, Variant, VariantType,
    for_each_type, pattern,
};

/// The first component that a conversion rounds, and its rounded value.
type Rounded = Option<(f64, f64)>;

impl<R: Real, S: Real> Walk<'_, R, S> {
    pub(super) fn leaf(&mut self, value: Variant<R>) -> Variant<S> {
        let variant_type = value.variant_type();
        let mut rounded = None;
        macro_rules! converted {
            ($(
                $(#[doc = $doc:literal])+
                $name:ident $(($payload:ty))? = $kind:ident $($element:ident)?;
            )+) => {
                match value { $(
                    pattern!($name held $($payload)?) => converted!(@$kind held $name $($element)?),
                )+
                    // The list has all types.
                    _ => Variant::Nil,
                }
            };
            (@real_math $held:ident $name:ident $math:ident) => {
                formwork_variant::$math::from_array(self.reals($held.to_array(), &mut rounded)).into()
            };
            (@packed_real_math $held:ident $name:ident $math:ident) => {
                Variant::$name($held.into_iter().map(|vector| {
                    let numbers = self.reals(vector.to_array(), &mut rounded);
                    formwork_variant::$math::from_array(numbers)
                }).collect())
            };
            (@math $held:ident $name:ident $math:ident) => { Variant::$name($held) };
            (@packed_math $held:ident $name:ident $math:ident) => { Variant::$name($held) };
            (@packed_numbers $held:ident $name:ident $number:ident) => { Variant::$name($held) };
            (@own $held:ident Float) => { Variant::Float(self.float($held, &mut rounded)) };
            (@own $held:ident String) => { Variant::String(self.text($held, variant_type)) };
            (@own $held:ident StringName) => { Variant::StringName(self.text($held, variant_type)) };
            (@own $held:ident NodePath) => { self.node_path(*$held).into() };
            (@own $held:ident Rid) => { Variant::Rid(self.rid($held)) };
            (@own $held:ident Object) => { self.object_reference(&$held) };
            (@own $held:ident Callable) => { Variant::Callable };
            (@own $held:ident Signal) => {{
                let Signal { name, object_id } = *$held;
                Signal { name: self.text(name, variant_type), object_id }.into()
            }};
            (@own $held:ident PackedStringArray) => {{
                let texts = $held.into_iter().map(|text| self.text(text, variant_type));
                Variant::PackedStringArray(texts.collect())
            }};
            (@own $held:ident Image) => { self.image(*$held).into() };
            (@own $held:ident InputEvent) => { self.input_event($held).into() };
            // What holds values was opened.
            (@own $held:ident Nil) => { Variant::Nil };
            (@own $held:ident Array) => { Variant::Nil };
            (@own $held:ident Dictionary) => { Variant::Nil };
            (@own $held:ident TypedArray) => { Variant::Nil };
            (@own $held:ident PackedTypedArray) => { Variant::Nil };
            // Any other type is the same for both kinds of numbers.
            (@own $held:ident $name:ident) => { Variant::$name($held) };
        }
        #[allow(unused_variables, reason = "of a container nothing is asked but the type")]
        let made: Variant<S> = for_each_type!(converted);
        if let Some((number, nearest)) = rounded {
            let name = self.pair.from.type_name(variant_type);
            let found = if variant_type == VariantType::Float {
                number.to_string()
            } else {
                format!("{name} with {number}")
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
        let quirks = self.pair.to.quirks();
        let mut path = match (quirks.node_path_property, self.pair.from.quirks().node_path_property)
        {
            (true, true) => path,
            (true, false) => path.with_property(),
            (false, _) => path.without_property(),
        };
        if path.absolute
            && !quirks.node_path_root
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
        if number == 0 || self.pair.to.quirks().rid_id {
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
        let stored = self.pair.to.quirks().objects == ObjectForms::IdOrFull;
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
        let stored = self.pair.to.quirks().joystick_value;
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

/// Converts a NaN bit by bit: which of its bits a conversion of floats keeps is not defined.
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

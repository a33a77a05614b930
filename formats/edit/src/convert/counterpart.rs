//! The forms of a type that the target lacks, and the differences between two dialects.

use formwork_records::limits::Limits;
use formwork_variant::dialect::{Dialect, FloatWidth, IntWidth, Precision};
use formwork_variant::{NumberType, Numbers, Real, Variant, VariantType};

/// A form of a value in a target that lacks its type.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Form {
    /// A value of this type, with all of the content.
    Type(VariantType),
    /// A value of this type, if the numbers of the value fit it.
    Fitting(VariantType),
    /// A list of the elements, which are of this type.
    Elements(VariantType),
    /// A list of the elements, if the target has their type.
    ElementsHeld(VariantType),
    /// A list of the components.
    Components,
    /// A dictionary of the fields, with the name of the type under [`CLASS`].
    Fields,
    /// Null.
    Null,
}

/// The key whose value is the type that a dictionary replaces. (`inst2dict` of the engines writes similar keys.)
pub(super) const CLASS: &str = "@class";

/// The types whose first form is not the usual one, and their forms, the nearest first.
const FORMS: &[(VariantType, &[Form])] = &[
    (VariantType::Vector2i, &[Form::Type(VariantType::Vector2)]),
    (VariantType::Rect2i, &[Form::Type(VariantType::Rect2)]),
    (VariantType::Vector3i, &[Form::Type(VariantType::Vector3)]),
    (VariantType::Vector4, &[Form::Type(VariantType::Quaternion)]),
    (VariantType::Vector4i, &[Form::Type(VariantType::Vector4)]),
    (VariantType::StringName, &[Form::Type(VariantType::String)]),
    (VariantType::Signal, &[Form::Fields]),
    (VariantType::TypedArray, &[Form::Type(VariantType::Array)]),
    (VariantType::PackedTypedArray, &[Form::Type(VariantType::TypedArray)]),
    (VariantType::PackedInt64Array, &[Form::Fitting(VariantType::PackedInt32Array)]),
    (VariantType::PackedFloat64Array, &[Form::Fitting(VariantType::PackedFloat32Array)]),
    (
        VariantType::PackedVector2iArray,
        &[Form::ElementsHeld(VariantType::Vector2i), Form::Type(VariantType::PackedVector2Array)],
    ),
    (
        VariantType::PackedVector3iArray,
        &[Form::ElementsHeld(VariantType::Vector3i), Form::Type(VariantType::PackedVector3Array)],
    ),
    (VariantType::Image, &[Form::Fields]),
    (VariantType::InputEvent, &[Form::Fields]),
];

/// Returns the forms that a value of the type can take in a dialect without the type, the nearest first. The last
/// is a list of the elements of a packed array or of the components of a math type, and null of any other type.
///
/// A form may be of a type that the dialect also lacks: then the forms of that type give its form.
pub(super) fn counterparts(variant_type: VariantType) -> impl Iterator<Item = Form> {
    let own = FORMS.iter().find(|(of, _)| *of == variant_type);
    let last = match variant_type.numbers() {
        Some(NumberType { element: Some(element), .. }) => Form::Elements(element),
        Some(_) => Form::Components,
        None => Form::Null,
    };
    own.map_or(&[][..], |(_, forms)| *forms).iter().copied().chain([last])
}

/// The dialects of a conversion, and their differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) from: Dialect,
    pub(super) to: Dialect,
}

impl Pair {
    pub(super) fn is_same_engine(self) -> bool {
        self.from.family().is_same_engine(self.to.family())
    }

    /// Returns whether the target keeps values of the type: it has the type, and reads the other engine's form.
    pub(super) fn holds(self, variant_type: VariantType) -> bool {
        let misread = self.to.quirks().four_components_misread
            && !self.is_same_engine()
            && has_four_components(variant_type);
        self.to.type_id(variant_type).is_some() && !misread
    }

    /// Returns the first form that the target can take of a value whose type it lacks.
    pub(super) fn form<R: Real>(self, value: &Variant<R>) -> Form {
        let usable = |form: &Form| match *form {
            Form::ElementsHeld(element) => self.holds(element),
            Form::Fitting(_) => self.always_fits(*form) || self.fits(value),
            Form::Type(_) | Form::Elements(_) | Form::Components | Form::Fields | Form::Null => {
                true
            }
        };
        counterparts(value.variant_type()).find(usable).unwrap_or(Form::Null)
    }

    /// Returns whether a form is the only one to speak of, as the numbers would not come through better in any
    /// other.
    pub(super) fn always_fits(self, form: Form) -> bool {
        form == Form::Fitting(VariantType::PackedFloat32Array) && self.narrows_floats()
    }

    /// Returns whether the numbers of a packed array come through in 32 bits.
    fn fits<R: Real>(self, value: &Variant<R>) -> bool {
        match value.numbers() {
            Some(Numbers::Long(list)) => list.iter().all(|number| i32::try_from(number).is_ok()),
            Some(Numbers::Double(list)) => {
                list.iter().all(|number| narrowed(number).to_bits() == number.to_bits())
            }
            Some(Numbers::Real(_) | Numbers::Single(_) | Numbers::Int(_)) | None => false,
        }
    }

    /// Returns whether ints have fewer bits in the target.
    pub(super) fn narrows_ints(self) -> bool {
        self.to.quirks().int_width == IntWidth::Narrow
    }

    /// Returns whether floats lose width.
    pub(super) fn narrows_floats(self) -> bool {
        self.to.quirks().float_width == FloatWidth::Narrow
    }

    /// Returns whether components of math types lose width.
    pub(super) fn narrows_reals(self) -> bool {
        self.to.precision() == Precision::Single && self.from.precision() == Precision::Double
    }

    /// Returns whether some whole numbers become components of real vectors.
    pub(super) fn rounds_ints(self) -> bool {
        self.from.type_id(VariantType::Vector2i).is_some() && !self.holds(VariantType::Vector2i)
            || self.from.type_id(VariantType::Vector4i).is_some()
                && !self.holds(VariantType::Vector4i)
    }

    /// Returns whether the target's arrays can declare the type of their elements.
    pub(super) fn has_typed_arrays(self) -> bool {
        self.to.quirks().typed_arrays || self.to.type_id(VariantType::TypedArray).is_some()
    }

    /// Returns the number of containers that may surround a value in the target.
    pub(super) fn depth(self) -> u32 {
        depth(self.to)
    }

    /// Returns whether values that the source reads may lie deeper than the target reads.
    pub(super) fn may_be_too_deep(self) -> bool {
        // The elements of a packed array that becomes a list are one level deeper than before.
        let deeper = !self.is_same_engine() || self.from.rows().len() > self.to.rows().len();
        depth(self.from) > self.depth() || depth(self.from) == self.depth() && deeper
    }
}

fn depth(dialect: Dialect) -> u32 {
    dialect.quirks().depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT)
}

/// Returns whether [`Quirks::four_components_misread`](formwork_variant::dialect::Quirks) applies to the type.
fn has_four_components(variant_type: VariantType) -> bool {
    let element = variant_type.numbers().and_then(|numbers| numbers.element);
    matches!(
        element.unwrap_or(variant_type),
        VariantType::Vector4 | VariantType::Vector4i | VariantType::Projection
    )
}

/// Returns a float as it comes back from 32 bits. The lower bits of a NaN are lost. Processors differ in the other
/// bits that they keep, so the bits are set by hand.
pub(super) fn narrowed(number: f64) -> f64 {
    const KEPT: u64 = !0 << (f64::MANTISSA_DIGITS - f32::MANTISSA_DIGITS);
    const QUIET: u64 = 1 << (f64::MANTISSA_DIGITS - 2);
    if number.is_nan() {
        return f64::from_bits(number.to_bits() & KEPT | QUIET);
    }
    f64::from(number as f32)
}

//! What a value is, in a few words.

use crate::text::to_text;
use crate::variant::dialect::Dialect;
pub(super) use crate::variant::place::{is_shown, join, short, step};
use crate::variant::{Real, Variant, VariantString};

/// A text in quotation marks.
pub(super) fn quoted(text: &VariantString) -> String {
    format!("\"{}\"", short(text))
}

/// A value in a few words: its text where that is short, else its type and size.
pub(super) fn describe<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    let name = dialect.type_name(value.variant_type());
    let counted = |count: usize| match count {
        1 => format!("{name} (1 element)"),
        count => format!("{name} ({count} elements)"),
    };
    match value {
        Variant::String(text) | Variant::StringName(text) => format!("{name} {}", quoted(text)),
        Variant::Array(array) => counted(array.len()),
        Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
            counted(typed.elements.len())
        }
        Variant::Dictionary(pairs) => format!("{name} ({} pairs)", pairs.len()),
        Variant::PackedByteArray(elements) => counted(elements.len()),
        Variant::PackedInt32Array(elements) => counted(elements.len()),
        Variant::PackedInt64Array(elements) => counted(elements.len()),
        Variant::PackedFloat32Array(elements) => counted(elements.len()),
        Variant::PackedFloat64Array(elements) => counted(elements.len()),
        Variant::PackedStringArray(elements) => counted(elements.len()),
        Variant::PackedVector2Array(elements) => counted(elements.len()),
        Variant::PackedVector2iArray(elements) => counted(elements.len()),
        Variant::PackedVector3Array(elements) => counted(elements.len()),
        Variant::PackedVector3iArray(elements) => counted(elements.len()),
        Variant::PackedVector4Array(elements) => counted(elements.len()),
        Variant::PackedVector4iArray(elements) => counted(elements.len()),
        Variant::PackedColorArray(elements) => counted(elements.len()),
        Variant::Image(image) => format!("{name} ({} x {} pixels)", image.width, image.height),
        Variant::Signal(signal) => format!("{name} {}", quoted(&signal.name)),
        Variant::NodePath(path) => format!("{name} {}", quoted(&path.to_text())),
        Variant::InputEvent(_) | Variant::Callable | Variant::Object(_) => name.to_owned(),
        Variant::Rid(number) => format!("{name}({number})"),
        plain => short(&to_text(plain, dialect)),
    }
}

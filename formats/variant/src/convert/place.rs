//! Describes a value in a few words.

use crate::dialect::Dialect;
pub(super) use crate::place::{is_shown, join, short, step};
use crate::text::to_text;
use crate::{Payload, Real, Variant, VariantString};

/// A text in quotation marks.
pub(super) fn quoted(text: &VariantString) -> String {
    format!("\"{}\"", short(text))
}

/// Describes a value in a few words: by its text if that is short, otherwise by type and size.
pub(super) fn describe<R: Real>(value: &Variant<R>, dialect: Dialect) -> String {
    let name = dialect.type_name(value.variant_type());
    let counted = |count: usize| match count {
        1 => format!("{name} (1 element)"),
        count => format!("{name} ({count} elements)"),
    };
    match value.payload() {
        Payload::String(text) | Payload::StringName(text) => format!("{name} {}", quoted(text)),
        Payload::Array(array) => counted(array.len()),
        Payload::TypedArray(typed) | Payload::PackedTypedArray(typed) => {
            counted(typed.elements.len())
        }
        Payload::Dictionary(pairs) => format!("{name} ({} pairs)", pairs.len()),
        Payload::PackedByteArray(bytes) => counted(bytes.len()),
        Payload::PackedStringArray(texts) => counted(texts.len()),
        Payload::Numbers(numbers) if is_packed(value) => counted(numbers.elements()),
        Payload::Image(image) => format!("{name} ({} x {} pixels)", image.width, image.height),
        Payload::Signal(signal) => format!("{name} {}", quoted(&signal.name)),
        Payload::NodePath(path) => format!("{name} {}", quoted(&path.to_text())),
        Payload::InputEvent(_) | Payload::Callable | Payload::Object(_) => name.to_owned(),
        Payload::Rid(number) => format!("{name}({number})"),
        Payload::Nil
        | Payload::Bool(_)
        | Payload::Int(_)
        | Payload::Float(_)
        | Payload::Numbers(_) => short(&to_text(value, dialect)),
    }
}

/// Returns whether a value that consists of numbers only is an array.
fn is_packed<R: Real>(value: &Variant<R>) -> bool {
    value.variant_type().numbers().is_some_and(|numbers| numbers.element.is_some())
}

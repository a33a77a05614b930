//! Where in a value something is, and what it is, in a few words.

use crate::dialect::Dialect;
use crate::text::to_text;
use crate::variant::{Real, Variant, VariantString};

/// Characters shown of a text.
const SHOWN: usize = 60;

/// A text, as far as there is room for it, without what a terminal would obey.
pub(super) fn short(text: &VariantString) -> String {
    let clean = |c: char| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c };
    let number = |number: u32| char::from_u32(number).map_or(char::REPLACEMENT_CHARACTER, clean);
    let mut numbers = text.numbers();
    let mut shown: String = numbers.by_ref().take(SHOWN).map(number).collect();
    if numbers.next().is_some() {
        shown.push_str("...");
    }
    shown
}

/// A text in quotation marks.
pub(super) fn quoted(text: &VariantString) -> String {
    format!("\"{}\"", short(text))
}

/// A key as a step of a place.
pub(super) fn step<S: Real>(key: &Variant<S>, index: usize) -> String {
    match key {
        Variant::String(text) | Variant::StringName(text) if !text.is_empty() => short(text),
        Variant::Int(number) => number.to_string(),
        _ => format!("[{index}]"),
    }
}

/// The steps as one place, shortened where nobody would read them all.
pub(super) fn join(steps: &[String]) -> String {
    /// Steps shown at either end.
    const ENDS: usize = 12;
    match (steps.get(..ENDS), steps.len().checked_sub(ENDS).and_then(|at| steps.get(at..))) {
        (Some(first), Some(last)) if steps.len() > 2 * ENDS => {
            let left_out = steps.len() - 2 * ENDS;
            format!("{}/(... {left_out} steps ...)/{}", first.join("/"), last.join("/"))
        }
        _ => steps.join("/"),
    }
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

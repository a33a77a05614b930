//! Describes a value in a few words.

use formwork_variant::dialect::Dialect;
pub(super) use formwork_variant::parts::{is_shown, join, short, step};
use formwork_variant::text::to_text;
use formwork_variant::{Container, Real, Variant, VariantString};

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
    if let Some(elements) = value.elements() {
        counted(elements.len())
    } else if let Some(container) = value.container() {
        match container {
            Container::Array(array) => counted(array.len()),
            Container::TypedArray(typed) | Container::PackedTypedArray(typed) => {
                counted(typed.elements.len())
            }
            Container::Dictionary(pairs) => format!("{name} ({} pairs)", pairs.len()),
            Container::Object(_) => name.to_owned(),
        }
    } else if let Some(text) = value.as_string() {
        format!("{name} {}", quoted(text))
    } else if let Variant::Image(image) = value {
        format!("{name} ({} x {} pixels)", image.width, image.height)
    } else if let Variant::Signal(signal) = value {
        format!("{name} {}", quoted(&signal.name))
    } else if let Variant::NodePath(path) = value {
        format!("{name} {}", quoted(&path.to_text()))
    } else if let Variant::Rid(number) = value {
        format!("{name}({number})")
    } else if matches!(value, Variant::InputEvent(_) | Variant::Callable | Variant::Object(_)) {
        name.to_owned()
    } else {
        short(&to_text(value, dialect))
    }
}

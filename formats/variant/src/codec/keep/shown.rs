//! Converts values to texts as Godot 4 does (`str`) for an element of a string array.
//!
//! This is not the text form that reads back (`var_to_str`, [`crate::text`]).

use std::fmt::Write;

use crate::{Numbers, Object, Payload, Real, Variant, VariantString, VariantType};

/// Returns the text of a value.
///
/// The text of an object has the class but not the number, which differs in each run.
pub(super) fn shown<R: Real>(value: &Variant<R>) -> VariantString {
    if let Some(text) = value.as_string() {
        text.clone()
    } else if let Variant::NodePath(path) = value {
        path.to_text()
    } else {
        let mut out = Vec::new();
        push(value, 0, &mut out);
        VariantString::from_decoded(String::from_utf8(out).map_err(|error| error.into_bytes()))
    }
}

/// Appends a value that is in a container, or that is none of the texts.
///
/// The function recurses into containers, down to the engine's own limit.
fn push<R: Real>(value: &Variant<R>, depth: u32, out: &mut Vec<u8>) {
    /// Deeper levels are omitted, as in the engine.
    const DEEPEST: u32 = 100;
    if let Some(elements) = value.elements() {
        return push_each(elements, BRACKETS, out, |element, out| push(&element, depth, out));
    }
    match value.payload() {
        Payload::Nil => out.extend_from_slice(b"<null>"),
        Payload::Bool(value) => put(out, value),
        Payload::Int(number) => put(out, number),
        Payload::Float(number) => put(out, shown_number(number, true)),
        Payload::String(text) => push_quoted("", text, out),
        Payload::StringName(text) => push_quoted("&", text, out),
        Payload::NodePath(path) => push_quoted("^", &path.to_text(), out),
        Payload::Numbers(numbers) => put(out, shown_math(value.variant_type(), numbers)),
        Payload::Rid(id) => put(out, format_args!("RID({id})")),
        Payload::Callable => out.extend_from_slice(b"null::null"),
        Payload::Signal(signal) => {
            out.extend_from_slice(b"null::[signal]");
            out.extend_from_slice(signal.name.as_bytes());
        }
        Payload::Object(Object::Null) => out.extend_from_slice(b"<Object#null>"),
        Payload::Object(Object::Id(_)) => out.extend_from_slice(b"<EncodedObjectAsID#0>"),
        Payload::Object(Object::Full(object)) => {
            out.push(b'<');
            out.extend_from_slice(object.class.as_bytes());
            out.extend_from_slice(b"#0>");
        }
        Payload::Array(_) if depth > DEEPEST => out.extend_from_slice(b"[...]"),
        Payload::Array(array) => {
            push_each(array.iter(), BRACKETS, out, |value, out| push(value, depth + 1, out));
        }
        Payload::Dictionary(_) if depth > DEEPEST => out.extend_from_slice(b"{ ... }"),
        Payload::Dictionary(pairs) => {
            push_each(pairs.iter(), ("{ ", " }"), out, |(key, value), out| {
                push(key, depth + 1, out);
                out.extend_from_slice(b": ");
                push(value, depth + 1, out);
            });
        }
        // The packed arrays were written above; Godot 4 has none of the other types.
        Payload::PackedByteArray(_)
        | Payload::PackedStringArray(_)
        | Payload::TypedArray(_)
        | Payload::PackedTypedArray(_)
        | Payload::Image(_)
        | Payload::InputEvent(_) => {}
    }
}

const BRACKETS: (&str, &str) = ("[", "]");

/// Appends a value that implements `Display`.
fn put(out: &mut Vec<u8>, shown: impl std::fmt::Display) {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write!(text, "{shown}");
    out.extend_from_slice(text.as_bytes());
}

/// Appends a list, with commas.
fn push_each<T>(
    values: impl IntoIterator<Item = T>,
    (start, end): (&str, &str),
    out: &mut Vec<u8>,
    mut push: impl FnMut(T, &mut Vec<u8>),
) {
    out.extend_from_slice(start.as_bytes());
    for (position, value) in values.into_iter().enumerate() {
        if position > 0 {
            out.extend_from_slice(b", ");
        }
        push(value, out);
    }
    out.extend_from_slice(end.as_bytes());
}

/// The math types that are shown in several parts: the names of the parts, and the most numbers of each.
const PARTS: &[(VariantType, &[&str], usize)] = &[
    (VariantType::Rect2, &["P", "S"], 2),
    (VariantType::Rect2i, &["P", "S"], 2),
    (VariantType::Transform2D, &["X", "Y", "O"], 2),
    (VariantType::Plane, &["N", "D"], 3),
    (VariantType::Aabb, &["P", "S"], 3),
    (VariantType::Basis, &["X", "Y", "Z"], 3),
    (VariantType::Transform3D, &["X", "Y", "Z", "O"], 3),
    (VariantType::Projection, &["X", "Y", "Z", "W"], 4),
];

/// Returns the text of a math type.
fn shown_math<R: Real>(variant_type: VariantType, numbers: Numbers<'_, R>) -> String {
    // The distance of a plane and the numbers of a rotation have no point if they are whole.
    let point = |at: usize| match variant_type == VariantType::Plane {
        true => at < 3,
        false => variant_type != VariantType::Quaternion,
    };
    let mut texts: Vec<String> = match numbers {
        Numbers::Real(list) => {
            list.iter().enumerate().map(|(at, n)| shown_number(n, point(at))).collect()
        }
        // A colour.
        Numbers::Single(list) => list.converted(|number| shown_decimals(number.into(), 4)),
        Numbers::Double(list) => list.converted(|number| shown_number(number, true)),
        Numbers::Int(list) => list.converted(|number| number.to_string()),
        Numbers::Long(list) => list.converted(|number| number.to_string()),
    };
    if matches!(variant_type, VariantType::Basis | VariantType::Transform3D) {
        // The file has rows, the text columns.
        for (row, column) in [(0, 1), (0, 2), (1, 2)] {
            texts.swap(3 * row + column, 3 * column + row);
        }
    }
    let Some((_, names, most)) = PARTS.iter().find(|(of, ..)| *of == variant_type) else {
        return format!("({})", texts.join(", "));
    };
    let parts = names.iter().zip(texts.chunks(*most)).map(|(name, texts)| match texts {
        [text] => format!("{name}: {text}"),
        _ => format!("{name}: ({})", texts.join(", ")),
    });
    format!("[{}]", parts.collect::<Vec<_>>().join(", "))
}

/// Returns the text of a float, in its precision. A whole one has a point only if `point` is set.
fn shown_number<R: Real>(number: R, point: bool) -> String {
    let number = number.to_f64();
    // Whether an int of 64 bits holds it.
    let whole = number.trunc() == number && number.abs() < 9_223_372_036_854_775_808.0;
    if whole {
        return format!("{}{}", number as i64, if point { ".0" } else { "" });
    }
    let size = number.abs();
    // In single precision the logarithm has single precision, too: that of 99.99999 is 2.
    let (decimals, exponent) =
        if R::DOUBLE { (14, size.log10()) } else { (6, f64::from((size as f32).log10())) };
    let before_point = if size > 10.0 { exponent.floor() as i32 } else { 0 };
    shown_decimals(number, i32::saturating_sub(decimals, before_point))
}

/// Returns the text of a float with at most `decimals` decimals, and at least one.
fn shown_decimals(number: f64, decimals: i32) -> String {
    if !number.is_finite() {
        let name = if number.is_nan() { "nan" } else { "inf" };
        return format!("{}{name}", if number < 0.0 { "-" } else { "" });
    }
    // The engine uses C's default of six decimals if there are too few.
    let decimals = usize::try_from(decimals).unwrap_or(6);
    let text = format!("{number:.decimals$}");
    // Without decimals there is no point, and the zeros count.
    if !text.contains('.') {
        return text;
    }
    let digits = text.trim_end_matches('0');
    format!("{digits}{}", if digits.ends_with('.') { "0" } else { "" })
}

/// Appends a text in quotes, with the escapes of Godot 4's `c_escape`.
fn push_quoted(mark: &str, text: &VariantString, out: &mut Vec<u8>) {
    out.extend_from_slice(mark.as_bytes());
    out.push(b'"');
    for &byte in text.as_bytes() {
        let escape = match byte {
            b'\\' | b'\'' | b'"' => byte,
            0x07 => b'a',
            0x08 => b'b',
            0x0c => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x0b => b'v',
            _ => {
                out.push(byte);
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', escape]);
    }
    out.push(b'"');
}

//! Converts values to texts as Godot 4 does (`str`) for an element of a string array.
//!
//! This is not the text form that reads back (`var_to_str`, [`crate::text`]).

use std::fmt::Write;

use crate::{Object, Real, Variant, VariantString};

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
    match value {
        Variant::Nil => out.extend_from_slice(b"<null>"),
        Variant::Bool(value) => put(out, value),
        Variant::Int(number) => put(out, number),
        Variant::Float(number) => push_number(*number, true, out),
        Variant::String(text) => push_quoted("", text, out),
        Variant::StringName(text) => push_quoted("&", text, out),
        Variant::NodePath(path) => push_quoted("^", &path.to_text(), out),
        Variant::Vector2(v) => push_reals(&v.to_array(), out),
        Variant::Vector3(v) => push_reals(&v.to_array(), out),
        Variant::Vector4(v) => push_reals(&v.to_array(), out),
        Variant::Vector2i(v) => push_each(&v.to_array(), ("(", ")"), out, |n, out| put(out, n)),
        Variant::Vector3i(v) => push_each(&v.to_array(), ("(", ")"), out, |n, out| put(out, n)),
        Variant::Vector4i(v) => push_each(&v.to_array(), ("(", ")"), out, |n, out| put(out, n)),
        Variant::Quaternion(q) => push_each(&q.to_array(), ("(", ")"), out, |n, out| {
            push_number(*n, false, out);
        }),
        Variant::Rect2(rect) => push_parts(["P", "S"], &rect.to_array(), 2, out),
        Variant::Aabb(aabb) => push_parts(["P", "S"], &aabb.to_array(), 3, out),
        Variant::Rect2i(rect) => {
            let [x, y, width, height] = rect.to_array();
            put(out, format_args!("[P: ({x}, {y}), S: ({width}, {height})]"));
        }
        Variant::Transform2D(t) => push_parts(["X", "Y", "O"], &t.to_array(), 2, out),
        Variant::Plane(plane) => {
            let [x, y, z, d] = plane.to_array();
            out.extend_from_slice(b"[N: ");
            push_reals(&[x, y, z], out);
            out.extend_from_slice(b", D: ");
            push_number(d, false, out);
            out.push(b']');
        }
        Variant::Basis(basis) => {
            // The file has rows, the text columns.
            let [a, b, c, d, e, f, g, h, i] = basis.to_array();
            push_parts(["X", "Y", "Z"], &[a, d, g, b, e, h, c, f, i], 3, out);
        }
        Variant::Transform3D(t) => {
            let [a, b, c, d, e, f, g, h, i, x, y, z] = t.to_array();
            let numbers = [a, d, g, b, e, h, c, f, i, x, y, z];
            push_parts(["X", "Y", "Z", "O"], &numbers, 3, out);
        }
        Variant::Projection(p) => push_parts(["X", "Y", "Z", "W"], &p.to_array(), 4, out),
        Variant::Color(color) => push_color(&color.to_array(), out),
        Variant::Rid(id) => put(out, format_args!("RID({id})")),
        Variant::Callable => out.extend_from_slice(b"null::null"),
        Variant::Signal(signal) => {
            out.extend_from_slice(b"null::[signal]");
            out.extend_from_slice(signal.name.as_bytes());
        }
        Variant::Object(Object::Null) => out.extend_from_slice(b"<Object#null>"),
        Variant::Object(Object::Id(_)) => out.extend_from_slice(b"<EncodedObjectAsID#0>"),
        Variant::Object(Object::Full(object)) => {
            out.push(b'<');
            out.extend_from_slice(object.class.as_bytes());
            out.extend_from_slice(b"#0>");
        }
        Variant::Array(_) if depth > DEEPEST => out.extend_from_slice(b"[...]"),
        Variant::Array(array) => {
            push_each(array, BRACKETS, out, |value, out| push(value, depth + 1, out));
        }
        Variant::Dictionary(_) if depth > DEEPEST => out.extend_from_slice(b"{ ... }"),
        Variant::Dictionary(pairs) => {
            let pairs: Vec<_> = pairs.iter().collect();
            push_each(&pairs, ("{ ", " }"), out, |(key, value), out| {
                push(key, depth + 1, out);
                out.extend_from_slice(b": ");
                push(value, depth + 1, out);
            });
        }
        Variant::PackedByteArray(bytes) => push_each(bytes, BRACKETS, out, |n, out| put(out, n)),
        Variant::PackedInt32Array(ints) => push_each(ints, BRACKETS, out, |n, out| put(out, n)),
        Variant::PackedInt64Array(ints) => push_each(ints, BRACKETS, out, |n, out| put(out, n)),
        Variant::PackedFloat32Array(floats) => push_each(floats, BRACKETS, out, |&n, out| {
            push_number(f64::from(n), true, out);
        }),
        Variant::PackedFloat64Array(floats) => {
            push_each(floats, BRACKETS, out, |&n, out| push_number(n, true, out));
        }
        Variant::PackedStringArray(texts) => {
            push_each(texts, BRACKETS, out, |text, out| push_quoted("", text, out));
        }
        Variant::PackedVector2Array(vectors) => {
            push_each(vectors, BRACKETS, out, |v, out| push_reals(&v.to_array(), out));
        }
        Variant::PackedVector3Array(vectors) => {
            push_each(vectors, BRACKETS, out, |v, out| push_reals(&v.to_array(), out));
        }
        Variant::PackedVector4Array(vectors) => {
            push_each(vectors, BRACKETS, out, |v, out| push_reals(&v.to_array(), out));
        }
        Variant::PackedColorArray(colors) => {
            push_each(colors, BRACKETS, out, |color, out| push_color(&color.to_array(), out));
        }
        // Godot 4 has none of these types.
        Variant::PackedVector2iArray(_)
        | Variant::PackedVector3iArray(_)
        | Variant::PackedVector4iArray(_)
        | Variant::TypedArray(_)
        | Variant::PackedTypedArray(_)
        | Variant::Image(_)
        | Variant::InputEvent(_) => {}
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
    values: &[T],
    (start, end): (&str, &str),
    out: &mut Vec<u8>,
    mut push: impl FnMut(&T, &mut Vec<u8>),
) {
    out.extend_from_slice(start.as_bytes());
    for (position, value) in values.iter().enumerate() {
        if position > 0 {
            out.extend_from_slice(b", ");
        }
        push(value, out);
    }
    out.extend_from_slice(end.as_bytes());
}

/// Appends a vector.
fn push_reals<R: Real>(numbers: &[R], out: &mut Vec<u8>) {
    push_each(numbers, ("(", ")"), out, |&number, out| push_number(number, true, out));
}

/// Appends vectors of `components` components, each with its name.
fn push_parts<R: Real, const PARTS: usize>(
    names: [&str; PARTS],
    numbers: &[R],
    components: usize,
    out: &mut Vec<u8>,
) {
    let parts: Vec<_> = names.into_iter().zip(numbers.chunks(components)).collect();
    push_each(&parts, BRACKETS, out, |(name, numbers), out| {
        put(out, format_args!("{name}: "));
        push_reals(numbers, out);
    });
}

/// Appends a colour: four decimals.
fn push_color(numbers: &[f32], out: &mut Vec<u8>) {
    push_each(numbers, ("(", ")"), out, |&number, out| push_decimals(number.into(), 4, out));
}

/// Appends a float, in its precision. A whole one has a point only if `point` is set.
fn push_number<R: Real>(number: R, point: bool, out: &mut Vec<u8>) {
    let number = number.to_f64();
    // Whether an int of 64 bits holds it.
    let whole = number.trunc() == number && number.abs() < 9_223_372_036_854_775_808.0;
    if whole {
        put(out, number as i64);
        if point {
            out.extend_from_slice(b".0");
        }
        return;
    }
    let size = number.abs();
    // In single precision the logarithm has single precision, too: that of 99.99999 is 2.
    let (decimals, exponent) =
        if R::DOUBLE { (14, size.log10()) } else { (6, f64::from((size as f32).log10())) };
    let before_point = if size > 10.0 { exponent.floor() as i32 } else { 0 };
    push_decimals(number, i32::saturating_sub(decimals, before_point), out);
}

/// Appends a float with at most `decimals` decimals, and at least one.
fn push_decimals(number: f64, decimals: i32, out: &mut Vec<u8>) {
    if !number.is_finite() {
        let name = if number.is_nan() { "nan" } else { "inf" };
        return put(out, format_args!("{}{name}", if number < 0.0 { "-" } else { "" }));
    }
    // The engine uses C's default of six decimals if there are too few.
    let decimals = usize::try_from(decimals).unwrap_or(6);
    let text = format!("{number:.decimals$}");
    let digits = text.trim_end_matches('0');
    out.extend_from_slice(digits.as_bytes());
    match digits.as_bytes().last() {
        Some(b'.') => out.push(b'0'),
        // Without decimals there was no point, and the zeros counted.
        _ if !text.contains('.') => out.extend_from_slice(&text.as_bytes()[digits.len()..]),
        _ => {}
    }
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

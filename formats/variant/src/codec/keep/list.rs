//! Packed arrays as ordinary ones and back, as Godot 4 makes them of each other.

use super::color;
use super::shown::shown;
use crate::value::{whole32, whole64};
use crate::{
    Array, Color, Dialect, Math, NumberSource, Numbers, Real, RealMath, Variant, VariantString,
    VariantType,
};
use formwork_records::wire::{Components, Element, Number, values_of};

/// A packed array as an ordinary one.
pub(super) fn unpacked<R: Real>(value: &Variant<R>) -> Option<Variant<R>> {
    value.elements().map(|elements| Variant::Array(elements.collect()))
}

/// Converts an ordinary array to a packed one: each element as well as it converts, otherwise to zero.
pub(super) fn packed<R: Real>(array: &Array<R>, wanted: VariantType) -> Option<Variant<R>> {
    // Godot 4 lacks some of the packed arrays.
    Dialect::GODOT4.type_id(wanted)?;
    let values = array.iter();
    Some(if wanted == VariantType::PackedByteArray {
        Variant::PackedByteArray(values.map(|value| int32(value) as u8).collect())
    } else if wanted == VariantType::PackedStringArray {
        Variant::PackedStringArray(values.map(shown).collect())
    } else if wanted == VariantType::PackedColorArray {
        Variant::PackedColorArray(values.map(colour).collect())
    } else {
        let element = wanted.numbers()?.element?;
        Variant::from_numbers(wanted, Elements { array, element }).ok()?.ok()?
    })
}

/// The elements of an array, for a packed array whose elements are of the type `element`.
struct Elements<'v, R: Real> {
    array: &'v Array<R>,
    element: VariantType,
}

/// The type is not a packed array's.
struct NotPacked;

impl<R: Real> Elements<'_, R> {
    /// Converts each element to the numbers of a `T`.
    fn converted<T: Components>(&self) -> Vec<T> {
        let count = size_of::<T::Array>() / size_of::<T::Number>();
        let numbers = |value| (0..count).map(move |at| self.number(value, at));
        values_of(self.array.iter().flat_map(numbers).collect())
    }

    /// Returns a number of an element; zero for a component that the value does not have.
    fn number<N: Number>(&self, value: &Variant<R>, at: usize) -> N {
        if self.element == VariantType::Int {
            let is_narrow = size_of::<N>() == size_of::<i32>();
            return N::of_i64(if is_narrow { int32(value).into() } else { int(value) });
        }
        if self.element == VariantType::Float {
            return N::of_f64(float(value));
        }
        let given = value.variant_type();
        let converts = given == self.element || given.is_vector() && self.element.is_vector();
        let number = match value.numbers().filter(|_| converts) {
            Some(Numbers::Real(list)) => list.number(at).map(Number::converted),
            Some(Numbers::Int(list)) => list.number(at).map(Number::converted),
            Some(Numbers::Single(_) | Numbers::Double(_) | Numbers::Long(_)) | None => None,
        };
        number.unwrap_or_else(|| N::of_i64(0))
    }
}

impl<R: Real> NumberSource<R> for Elements<'_, R> {
    type Error = NotPacked;

    fn real_math<T: RealMath<R>>(self) -> Result<T, NotPacked> {
        Err(NotPacked)
    }

    fn math<T: Math>(self) -> Result<T, NotPacked> {
        Err(NotPacked)
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>, NotPacked> {
        Ok(self.converted())
    }

    fn packed<T: Element>(self) -> Result<Vec<T>, NotPacked> {
        Ok(self.converted())
    }
}

fn int<R: Real>(value: &Variant<R>) -> i64 {
    if let Variant::Bool(value) = value {
        (*value).into()
    } else if let Variant::Int(number) = value {
        *number
    } else if let Variant::Float(number) = value {
        whole64(*number)
    } else if let Variant::String(text) = value {
        leading_int(text)
    } else {
        0
    }
}

/// An int of 32 bits: a float is not made one of 64 before.
fn int32<R: Real>(value: &Variant<R>) -> i32 {
    if let Variant::Float(number) = value { whole32(*number) } else { int(value) as i32 }
}

fn float<R: Real>(value: &Variant<R>) -> f64 {
    if let Variant::Bool(value) = value {
        f64::from(u8::from(*value))
    } else if let Variant::String(text) = value {
        leading_float(text)
    } else {
        value.as_float().unwrap_or_default()
    }
}

/// Returns a colour; black for any other value.
fn colour<R: Real>(value: &Variant<R>) -> Color {
    if let Variant::Color(color) = value {
        *color
    } else if let Variant::Int(number) = value {
        color::of_number(*number)
    } else if let Variant::String(text) = value {
        color::of_text(text)
    } else {
        Color::new(0.0, 0.0, 0.0, 1.0)
    }
}

/// Returns the number that a text starts with, as Godot's `to_int` reads it: all digits up to the first `.`,
/// whatever is between them.
fn leading_int(text: &VariantString) -> i64 {
    let mut number = 0_i64;
    let mut negative = false;
    let mut over = false;
    for &byte in text.as_bytes().split(|&byte| byte == b'.').next().unwrap_or_default() {
        match byte {
            b'0'..=b'9' => {
                let next = number.checked_mul(10).and_then(|n| n.checked_add((byte - b'0').into()));
                over |= next.is_none();
                number = next.unwrap_or(i64::MAX);
            }
            b'-' if number == 0 => negative = !negative,
            _ => {}
        }
    }
    match (negative, over) {
        (true, true) => i64::MIN,
        (true, false) => -number,
        (false, _) => number,
    }
}

/// Returns the number that a text starts with, as Godot's `to_float` reads it: after blanks a sign, digits with a
/// point among them, an exponent. (It is read exactly; the engine may differ in the last place.)
fn leading_float(text: &VariantString) -> f64 {
    let bytes = text.as_bytes();
    let skip = |at: usize, holds: fn(u8) -> bool| {
        at + bytes[at..].iter().take_while(|&&byte| holds(byte)).count()
    };
    let digits = |at: usize| skip(at, |byte| byte.is_ascii_digit());
    let sign = |at: usize| at + usize::from(matches!(bytes.get(at), Some(b'+' | b'-')));
    let start = skip(0, |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
    let whole = sign(start);
    let mut end = digits(whole);
    let mut count = end - whole;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        count += fraction - end - 1;
        end = fraction;
    }
    let negative = bytes.get(start) == Some(&b'-');
    if count == 0 {
        return if negative { -0.0 } else { 0.0 };
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let exponent = sign(end + 1);
        let last = digits(exponent);
        // Without digits there is no exponent.
        end = if last > exponent { last } else { end };
    }
    let number = std::str::from_utf8(&bytes[whole..end]).ok().and_then(|text| text.parse().ok());
    let number: f64 = number.unwrap_or_default();
    if negative { -number } else { number }
}

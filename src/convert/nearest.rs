//! Values in the nearest form, still with the source's kind of numbers.

use super::counterpart::{CLASS, Form, Pair};
use crate::variant::{
    Array, Dictionary, ElementType, Image, InputEvent, InputEventKind, Quaternion, Real, Rect2,
    TypedArray, Variant, VariantString, VariantType, Vector2, Vector3, Vector4,
};

/// The value in this form; whether its whole numbers were rounded on the way.
fn in_form<R: Real>(value: Variant<R>, form: Form, pair: Pair) -> (Variant<R>, bool) {
    let mut rounded = false;
    let mut real = |number: i32| {
        let real = R::from_f64(number.into());
        rounded |= real.to_f64() != f64::from(number);
        real
    };
    let made = match (form, value) {
        (Form::Type(VariantType::Array), Variant::TypedArray(typed)) => array_of(*typed),
        (Form::Type(VariantType::TypedArray), Variant::PackedTypedArray(typed)) => {
            Variant::TypedArray(typed)
        }
        (Form::Elements(element) | Form::ElementsHeld(element), value) => {
            return elements(value, element, pair);
        }
        (Form::Fields, value) => fields(value),
        (_, Variant::StringName(text)) => Variant::String(text),
        (_, Variant::Vector2i(v)) => Vector2::from_array(v.to_array().map(real)).into(),
        (_, Variant::Rect2i(rect)) => Rect2::from_array(rect.to_array().map(real)).into(),
        (_, Variant::Vector3i(v)) => Vector3::from_array(v.to_array().map(real)).into(),
        (_, Variant::Vector4i(v)) => Vector4::from_array(v.to_array().map(real)).into(),
        (_, Variant::Vector4(v)) => Quaternion::from_array(v.to_array()).into(),
        (_, Variant::PackedVector2iArray(vectors)) => Variant::PackedVector2Array(
            vectors.iter().map(|v| Vector2::from_array(v.to_array().map(&mut real))).collect(),
        ),
        (_, Variant::PackedVector3iArray(vectors)) => Variant::PackedVector3Array(
            vectors.iter().map(|v| Vector3::from_array(v.to_array().map(&mut real))).collect(),
        ),
        (_, Variant::PackedInt64Array(numbers)) => {
            // Only where they fit.
            Variant::PackedInt32Array(numbers.iter().map(|&number| number as i32).collect())
        }
        (_, Variant::PackedFloat64Array(numbers)) => {
            rounded = numbers.iter().any(|&number| f64::from(number as f32) != number);
            Variant::PackedFloat32Array(numbers.iter().map(|&number| number as f32).collect())
        }
        (_, Variant::Projection(matrix)) => {
            let numbers = matrix.to_array();
            numbers.iter().map(|number| Variant::Float(number.to_f64())).collect()
        }
        // `Form::Null`, and what no row of the table leads to.
        _ => Variant::Nil,
    };
    (made, rounded)
}

/// A typed array as an array with an element type.
fn array_of<R: Real>(typed: TypedArray<R>) -> Variant<R> {
    let TypedArray { element, mut elements } = typed;
    elements.set_element_type(Some(element));
    Variant::Array(elements)
}

/// The value in the nearest form that the target takes; whether its whole numbers were rounded.
pub(super) fn nearest<R: Real>(value: Variant<R>, pair: Pair) -> (Variant<R>, bool) {
    let (mut value, mut rounded) = (value, false);
    while !pair.holds(value.variant_type()) {
        let form = pair.form(&value);
        let made = in_form(value, form, pair);
        value = made.0;
        rounded |= made.1;
    }
    (value, rounded)
}

/// The elements of a packed array, as an array, which is typed where the target has such. Where the
/// target does not have the elements' type either, they are in the nearest form.
fn elements<R: Real>(value: Variant<R>, element: VariantType, pair: Pair) -> (Variant<R>, bool) {
    let mut array: Array<R> = match value {
        Variant::PackedInt64Array(numbers) => numbers.into_iter().map(Variant::Int).collect(),
        Variant::PackedFloat64Array(numbers) => numbers.into_iter().map(Variant::Float).collect(),
        Variant::PackedVector2iArray(vectors) => {
            vectors.into_iter().map(Variant::Vector2i).collect()
        }
        Variant::PackedVector3iArray(vectors) => {
            vectors.into_iter().map(Variant::Vector3i).collect()
        }
        Variant::PackedVector4Array(vectors) => vectors.into_iter().map(Variant::Vector4).collect(),
        Variant::PackedVector4iArray(vectors) => {
            vectors.into_iter().map(Variant::Vector4i).collect()
        }
        _ => Array::new(),
    };
    let mut rounded = false;
    if !pair.holds(element) {
        for value in array.iter_mut() {
            let made = nearest(std::mem::take(value), pair);
            *value = made.0;
            rounded |= made.1;
        }
    } else if pair.to.rules().typed_arrays {
        array.set_element_type(Some(ElementType::Builtin(element)));
    }
    (Variant::Array(array), rounded)
}

/// A dictionary of what the value is made of, with the name of its type in front.
fn fields<R: Real>(value: Variant<R>) -> Variant<R> {
    let mut fields = Dictionary::new();
    fields.insert(CLASS, value.variant_type().name());
    match value {
        Variant::Signal(signal) => {
            fields.insert("name", Variant::String(signal.name));
            // Numbers of objects use all 64 bits; as an int one of the upper half is negative, as
            // it is in the engine's own scripts.
            fields.insert("object_id", Variant::Int(signal.object_id as i64));
        }
        Variant::Image(image) => {
            let format = Image::FORMATS.get(image.format as usize);
            let format = format.map_or_else(|| image.format.into(), |&name| Variant::from(name));
            fields.insert("format", format);
            fields.insert("mipmaps", image.mipmaps);
            fields.insert("width", image.width);
            fields.insert("height", image.height);
            fields.insert("data", Variant::PackedByteArray(image.data));
        }
        Variant::InputEvent(event) => event_fields(event, &mut fields),
        _ => {}
    }
    Variant::Dictionary(fields)
}

fn event_fields<R: Real>(event: InputEvent, fields: &mut Dictionary<R>) {
    let mut put = |name: &str, value: Variant<R>| fields.insert(name, value);
    let number = event.kind.number();
    let name = InputEventKind::NAMES.get(number as usize);
    put("type", name.map_or_else(|| number.into(), |&name| Variant::from(name)));
    put("device", event.device.into());
    match event.kind {
        InputEventKind::Key { modifiers, scancode } => {
            put("scancode", scancode.into());
            put("shift", modifiers.shift.into());
            put("alt", modifiers.alt.into());
            put("meta", modifiers.meta.into());
            put("control", modifiers.control.into());
        }
        InputEventKind::MouseButton { button } | InputEventKind::JoystickButton { button } => {
            put("button_index", button.into());
        }
        InputEventKind::JoystickMotion { axis, value } => {
            put("axis", axis.into());
            if let Some(value) = value {
                put("value", value.into());
            }
        }
        InputEventKind::ScreenTouch { index } => {
            put("index", index.into());
        }
        _ => {}
    }
}

/// A text that the target can hold: the nearest to one that it cannot.
pub(super) fn nearest_text(text: &VariantString, pair: Pair) -> VariantString {
    let rules = pair.to.rules();
    let mut numbers: Vec<u32> = text.numbers().filter(|&number| number != 0).collect();
    let replacement = u32::from(char::REPLACEMENT_CHARACTER);
    if !rules.utf8.can_hold(0xd800) {
        crate::wire::utf8::join_surrogates(&mut numbers, replacement);
    }
    for number in &mut numbers {
        if !rules.utf8.can_hold(*number) {
            *number = replacement;
        }
    }
    let mark = u32::from('\u{feff}');
    let marks = numbers.iter().take_while(|&&number| !rules.byte_order_mark && number == mark);
    let marks = marks.count();
    VariantString::from_numbers(numbers.into_iter().skip(marks))
}

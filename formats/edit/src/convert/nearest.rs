//! Values in the nearest form, still with the source's kind of numbers.

use super::counterpart::{CLASS, Form, Pair};
use formwork_records::wire::{Components, Element, Number, NumberList, values_of};
use formwork_variant::{
    Array, Dictionary, ElementType, Image, InputEvent, InputEventKind, Math, NumberSource, Numbers,
    Real, RealMath, TypedArray, Variant, VariantString, VariantType,
};

/// Converts the value to this form; also returns whether its numbers were rounded.
fn in_form<R: Real>(value: Variant<R>, form: Form, pair: Pair) -> (Variant<R>, bool) {
    match form {
        Form::Type(to) | Form::Fitting(to) => in_type(value, to),
        Form::Elements(element) | Form::ElementsHeld(element) => elements(value, element, pair),
        Form::Components => (components(&value), false),
        Form::Fields => (fields(value), false),
        Form::Null => (Variant::Nil, false),
    }
}

/// Converts the value to another type; also returns whether its numbers were rounded.
fn in_type<R: Real>(value: Variant<R>, to: VariantType) -> (Variant<R>, bool) {
    let mut rounded = false;
    let made = if let Some(numbers) = value.numbers() {
        let other = OtherNumbers { numbers, rounded: &mut rounded };
        Variant::from_numbers(to, other).ok().and_then(Result::ok)
    } else if let Variant::StringName(text) = value {
        Some(Variant::String(text))
    } else if let Variant::TypedArray(typed) = value {
        Some(array_of(*typed))
    } else if let Variant::PackedTypedArray(typed) = value {
        Some(Variant::TypedArray(typed))
    } else {
        None
    };
    debug_assert!(made.is_some(), "a form in `FORMS` that says of what no type is made");
    (made.unwrap_or_default(), rounded)
}

/// The numbers of a value, for one of a type with another kind of number.
struct OtherNumbers<'v, 'r, R: Real> {
    numbers: Numbers<'v, R>,
    /// Whether one had to be rounded.
    rounded: &'r mut bool,
}

/// No value of the type has this number of components.
struct WrongCount;

impl<R: Real> OtherNumbers<'_, '_, R> {
    fn converted<T: Components>(self) -> Vec<T> {
        let Self { numbers, rounded } = self;
        fn each<N: Number, M: Number>(list: &dyn NumberList<N>, rounded: &mut bool) -> Vec<M> {
            let same = N::REAL == M::REAL && size_of::<N>() == size_of::<M>();
            let mut made = Vec::with_capacity(list.count());
            list.for_each(&mut |number| {
                let other: M = number.converted();
                // (Whole numbers that do not fit get another form.)
                *rounded |=
                    M::REAL && !same && other.as_f64().to_bits() != number.as_f64().to_bits();
                made.push(other);
            });
            made
        }
        values_of(match numbers {
            Numbers::Real(list) => each(list, rounded),
            Numbers::Single(list) => each(list, rounded),
            Numbers::Double(list) => each(list, rounded),
            Numbers::Int(list) => each(list, rounded),
            Numbers::Long(list) => each(list, rounded),
        })
    }

    fn one<T: Components>(self) -> Result<T, WrongCount> {
        self.converted().pop().ok_or(WrongCount)
    }
}

impl<R: Real> NumberSource<R> for OtherNumbers<'_, '_, R> {
    type Error = WrongCount;

    fn real_math<T: RealMath<R>>(self) -> Result<T, WrongCount> {
        self.one()
    }

    fn math<T: Math>(self) -> Result<T, WrongCount> {
        self.one()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>, WrongCount> {
        Ok(self.converted())
    }

    fn packed<T: Element>(self) -> Result<Vec<T>, WrongCount> {
        Ok(self.converted())
    }
}

/// The numbers of a value as an array of floats or ints.
fn components<R: Real>(value: &Variant<R>) -> Variant<R> {
    Variant::Array(match value.numbers() {
        Some(Numbers::Real(list)) => list.iter().map(|n| Variant::Float(n.to_f64())).collect(),
        Some(Numbers::Single(list)) => list.iter().map(Variant::from).collect(),
        Some(Numbers::Double(list)) => list.iter().map(Variant::Float).collect(),
        Some(Numbers::Int(list)) => list.iter().map(Variant::from).collect(),
        Some(Numbers::Long(list)) => list.iter().map(Variant::Int).collect(),
        None => Array::new(),
    })
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

/// Returns the elements of a packed array as an array, which is typed if the target has typed arrays. If the target
/// lacks the elements' type as well, they are in the nearest form.
fn elements<R: Real>(value: Variant<R>, element: VariantType, pair: Pair) -> (Variant<R>, bool) {
    let mut array: Array<R> = value.elements().map(Iterator::collect).unwrap_or_default();
    let mut rounded = false;
    if !pair.holds(element) {
        for value in array.iter_mut() {
            let made = nearest(std::mem::take(value), pair);
            *value = made.0;
            rounded |= made.1;
        }
    } else if pair.to.quirks().typed_arrays {
        array.set_element_type(Some(ElementType::Builtin(element)));
    }
    (Variant::Array(array), rounded)
}

/// Returns a dictionary of the parts of the value, with the name of its type as the first entry.
fn fields<R: Real>(value: Variant<R>) -> Variant<R> {
    let mut fields = Dictionary::new();
    fields.insert(CLASS, value.variant_type().name());
    if let Variant::Signal(signal) = value {
        fields.insert("name", Variant::String(signal.name));
        // Numbers of objects use all 64 bits; as an int a number of the upper half is negative, as in the engine's
        // own scripts.
        fields.insert("object_id", Variant::Int(signal.object_id as i64));
    } else if let Variant::Image(image) = value {
        let format = Image::FORMATS.get(image.format as usize);
        let format = format.map_or_else(|| image.format.into(), |&name| Variant::from(name));
        fields.insert("format", format);
        fields.insert("mipmaps", image.mipmaps);
        fields.insert("width", image.width);
        fields.insert("height", image.height);
        fields.insert("data", Variant::PackedByteArray(image.data));
    } else if let Variant::InputEvent(event) = value {
        event_fields(event, &mut fields);
    } else {
        debug_assert!(false, "a form in `FORMS` that says fields of a type without any");
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
        InputEventKind::None
        | InputEventKind::MouseMotion
        | InputEventKind::ScreenDrag
        | InputEventKind::Action
        | InputEventKind::Other { .. } => {}
    }
}

/// A text that the target can hold: the nearest to one that it cannot.
pub(super) fn nearest_text(text: &VariantString, pair: Pair) -> VariantString {
    let quirks = pair.to.quirks();
    let mut numbers: Vec<u32> = text.numbers().filter(|&number| number != 0).collect();
    let replacement = u32::from(char::REPLACEMENT_CHARACTER);
    if !quirks.utf8.can_hold(0xd800) {
        formwork_records::wire::utf8::join_surrogates(&mut numbers, replacement);
    }
    for number in &mut numbers {
        if !quirks.utf8.can_hold(*number) {
            *number = replacement;
        }
    }
    let mark = u32::from('\u{feff}');
    let marks = numbers.iter().take_while(|&&number| !quirks.byte_order_mark && number == mark);
    let marks = marks.count();
    VariantString::from_numbers(numbers.into_iter().skip(marks))
}

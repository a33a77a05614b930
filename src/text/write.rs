//! Values to text: the engines' `var2str` / `var_to_str`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::number::{push_component, push_float, push_int};
use super::order;
use super::style::Style;
use crate::Dialect;
use crate::variant::dialect::ObjectForms;
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, Image, InputEvent, InputEventKind, Modifiers,
    NodePath, Object, Real, TypedArray, Variant, VariantString, VariantType,
};
use crate::wire::Components;

/// The text of a value.
pub(super) fn write<R: Real>(value: &Variant<R>, dialect: Dialect) -> Vec<u8> {
    let mut writer =
        Writer { out: Vec::new(), dialect, style: Style::of(dialect), open: Vec::new() };
    writer.value(value);
    writer.finish();
    writer.out
}

/// A container whose elements are being written. They wait in a list of their own, so that no
/// nesting is too deep for the thread's stack.
enum Open<'a, R: Real> {
    /// Elements with a comma between them, then the closing text.
    Elements {
        left: std::slice::Iter<'a, Variant<R>>,
        first: bool,
        close: [&'static str; 3],
    },
    Pairs {
        left: std::vec::IntoIter<(&'a Variant<R>, &'a Variant<R>)>,
        /// The value of the key just written.
        value: Option<&'a Variant<R>>,
        first: bool,
        typed: bool,
    },
    Properties {
        left: std::slice::Iter<'a, (VariantString, Variant<R>)>,
        first: bool,
    },
}

struct Writer<'a, R: Real> {
    out: Vec<u8>,
    dialect: Dialect,
    style: &'static Style,
    open: Vec<Open<'a, R>>,
}

impl<'a, R: Real> Writer<'a, R> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes the elements of the open containers, to the end of the outermost.
    fn finish(&mut self) {
        while let Some(open) = self.open.last_mut() {
            match open {
                Open::Elements { left, first, close } => match left.next() {
                    Some(element) => {
                        if !std::mem::take(first) {
                            self.text(", ");
                        }
                        self.value(element);
                    }
                    None => {
                        let close = *close;
                        self.open.pop();
                        close.into_iter().for_each(|text| self.text(text));
                    }
                },
                Open::Pairs { left, value, first, typed } => {
                    if let Some(value) = value.take() {
                        self.text(": ");
                        self.value(value);
                    } else if let Some((key, its_value)) = left.next() {
                        *value = Some(its_value);
                        let separator = if std::mem::take(first) { "" } else { ",\n" };
                        self.text(separator);
                        self.value(key);
                    } else {
                        let close = if *typed { "\n})" } else { "\n}" };
                        self.open.pop();
                        self.text(close);
                    }
                }
                Open::Properties { left, first } => match left.next() {
                    Some((name, value)) => {
                        let separator = if std::mem::take(first) { "\"" } else { ",\"" };
                        self.text(separator);
                        // Not escaped, by no engine.
                        self.out.extend_from_slice(name.as_bytes());
                        self.text("\":");
                        self.value(value);
                    }
                    None => {
                        self.open.pop();
                        self.text(")\n");
                    }
                },
            }
        }
    }

    /// Whether the engine prints no content of a container here any more.
    fn too_deep(&self) -> bool {
        self.style.depth.is_some_and(|limit| self.open.len() > limit)
    }

    /// Writes a value, or opens it if it holds values.
    fn value(&mut self, value: &'a Variant<R>) {
        match value {
            Variant::Nil => self.text("null"),
            Variant::Bool(value) => self.text(if *value { "true" } else { "false" }),
            Variant::Int(number) => push_int(*number, &mut self.out),
            Variant::Float(number) => push_float(self.style, *number, &mut self.out),
            Variant::String(text) => self.quoted(text, Style::escapes_few),
            Variant::StringName(text) => {
                self.out.push(self.style.string_name);
                self.quoted(text, Style::escapes);
            }
            Variant::NodePath(path) => self.node_path(path),
            Variant::Rid(_) | Variant::Callable | Variant::Signal(_) => self.reference(value),
            Variant::Object(object) => self.object(object),
            Variant::Dictionary(dictionary) => self.dictionary(dictionary),
            Variant::Array(array) => self.array(array),
            Variant::TypedArray(typed) => self.typed_array("TypedArray", typed),
            Variant::PackedTypedArray(typed) => self.packed_typed_array(typed),
            Variant::Image(image) => self.image(image),
            Variant::InputEvent(event) => self.input_event(event),
            _ => {
                self.text(text_name(self.dialect, value.variant_type()));
                self.construct(value);
            }
        }
    }

    /// The parentheses of a math type or packed array.
    fn construct(&mut self, value: &Variant<R>) {
        // Pandemonium took the projection, with its printer, from Godot 4.
        let blank = match value {
            Variant::Projection(_) => "",
            _ => self.style.blank,
        };
        self.out.push(b'(');
        self.text(blank);
        match value {
            Variant::Vector2(value) => self.reals(&value.to_array()),
            Variant::Rect2(value) => self.reals(&value.to_array()),
            Variant::Vector3(value) => self.reals(&value.to_array()),
            Variant::Vector4(value) => self.reals(&value.to_array()),
            Variant::Transform2D(value) => self.reals(&value.to_array()),
            Variant::Plane(value) => self.reals(&value.to_array()),
            Variant::Quaternion(value) => self.reals(&value.to_array()),
            Variant::Aabb(value) => self.reals(&value.to_array()),
            Variant::Basis(value) => self.reals(&value.to_array()),
            Variant::Transform3D(value) => self.reals(&value.to_array()),
            Variant::Projection(value) => self.reals(&value.to_array()),
            Variant::Color(value) => self.reals(&value.to_array()),
            Variant::Vector2i(value) => self.whole(&value.to_array()),
            Variant::Rect2i(value) => self.whole(&value.to_array()),
            Variant::Vector3i(value) => self.whole(&value.to_array()),
            Variant::Vector4i(value) => self.whole(&value.to_array()),
            Variant::PackedByteArray(bytes) => self.bytes(bytes),
            Variant::PackedInt32Array(numbers) => {
                self.list(numbers, |_, number, out| push_int(number.into(), out));
            }
            Variant::PackedInt64Array(numbers) => {
                self.list(numbers, |_, number, out| push_int(number, out));
            }
            Variant::PackedFloat32Array(numbers) => self.reals(numbers),
            Variant::PackedFloat64Array(numbers) => self.reals(numbers),
            Variant::PackedStringArray(strings) => self.strings(strings),
            Variant::PackedVector2Array(vectors) => self.reals(&flat(vectors)),
            Variant::PackedVector3Array(vectors) => self.reals(&flat(vectors)),
            Variant::PackedVector4Array(vectors) => self.reals(&flat(vectors)),
            Variant::PackedColorArray(colors) => self.reals(&flat(colors)),
            Variant::PackedVector2iArray(vectors) => self.whole(&flat(vectors)),
            Variant::PackedVector3iArray(vectors) => self.whole(&flat(vectors)),
            Variant::PackedVector4iArray(vectors) => self.whole(&flat(vectors)),
            // The others are written by `value` itself.
            _ => {}
        }
        self.text(blank);
        self.out.push(b')');
    }

    fn list<T: Copy>(&mut self, items: &[T], push: impl Fn(&Style, T, &mut Vec<u8>)) {
        for (position, &item) in items.iter().enumerate() {
            if position > 0 {
                self.text(", ");
            }
            push(self.style, item, &mut self.out);
        }
    }

    fn reals<S: Real>(&mut self, numbers: &[S]) {
        self.list(numbers, |style, number, out| push_component(style, number.to_f64(), out));
    }

    fn whole(&mut self, numbers: &[i32]) {
        self.list(numbers, |style, number, out| match style.whole_vectors_are_float {
            true => push_component(style, number.into(), out),
            false => push_int(number.into(), out),
        });
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if !self.style.base64 {
            self.list(bytes, |_, byte, out| push_int(byte.into(), out));
        } else if !bytes.is_empty() {
            self.out.push(b'"');
            self.out.extend_from_slice(STANDARD.encode(bytes).as_bytes());
            self.out.push(b'"');
        }
    }

    fn strings(&mut self, strings: &[VariantString]) {
        for (position, text) in strings.iter().enumerate() {
            if position > 0 {
                self.text(", ");
            }
            self.quoted(text, Style::escapes);
        }
    }

    fn quoted(&mut self, text: &VariantString, escape: impl Fn(&Style, u8) -> Option<u8>) {
        self.out.push(b'"');
        for &byte in text.as_bytes() {
            match escape(self.style, byte) {
                Some(letter) => self.out.extend_from_slice(&[b'\\', letter]),
                None => self.out.push(byte),
            }
        }
        self.out.push(b'"');
    }

    fn node_path(&mut self, path: &NodePath) {
        self.text("NodePath(");
        self.quoted(&path.to_text(), Style::escapes);
        self.out.push(b')');
    }

    /// What only means something in the engine that wrote it.
    fn reference(&mut self, value: &Variant<R>) {
        if self.style.nothing_printed {
            return;
        }
        match value {
            Variant::Callable => self.text("Callable()"),
            Variant::Rid(number) if *number != 0 => {
                self.text("RID(");
                // The engine prints the number as a signed one.
                push_int(number.cast_signed(), &mut self.out);
                self.out.push(b')');
            }
            Variant::Rid(_) => self.text("RID()"),
            _ => self.text("Signal()"),
        }
    }

    fn object(&mut self, object: &'a Object<R>) {
        // Godot 2 prints no object but references to resource files, which are not stored.
        let storable = self.dialect.rules().objects != ObjectForms::HeaderOnly;
        match object {
            Object::Id(number) if *number != 0 && storable && !self.too_deep() => {
                self.text("Object(EncodedObjectAsID,\"object_id\":");
                push_int(number.cast_signed(), &mut self.out);
                self.text(",\"script\":null)\n");
            }
            Object::Full(object) if storable && !self.too_deep() => self.full_object(object),
            _ => self.text("null"),
        }
    }

    fn full_object(&mut self, object: &'a FullObject<R>) {
        self.text("Object(");
        self.out.extend_from_slice(object.class.as_bytes());
        self.out.push(b',');
        self.open.push(Open::Properties { left: object.properties.iter(), first: true });
    }

    fn dictionary(&mut self, dictionary: &'a Dictionary<R>) {
        let types = (dictionary.key_type(), dictionary.value_type());
        let typed = types != (None, None);
        if typed {
            self.text("Dictionary[");
            self.element_type(types.0);
            self.text(", ");
            self.element_type(types.1);
            self.text("](");
        }
        if dictionary.is_empty() || self.too_deep() {
            let empty = if self.too_deep() { "{}" } else { self.style.empty_dictionary };
            self.text(empty);
            return self.text(if typed { ")" } else { "" });
        }
        let mut pairs: Vec<_> = dictionary.iter().map(|(key, value)| (key, value)).collect();
        order::sort(&mut pairs, self.style.key_order, self.dialect);
        self.text("{\n");
        self.open.push(Open::Pairs { left: pairs.into_iter(), value: None, first: true, typed });
    }

    fn array(&mut self, array: &'a Array<R>) {
        let typed = array.element_type();
        if typed.is_some() {
            self.text("Array[");
            self.element_type(typed);
            self.text("](");
        }
        let closed = if typed.is_some() { ")" } else { "" };
        if self.too_deep() {
            self.text("[]");
            return self.text(closed);
        }
        self.out.push(b'[');
        self.text(self.style.blank);
        let close = [self.style.blank, "]", closed];
        self.open.push(Open::Elements { left: array.iter(), first: true, close });
    }

    /// Pandemonium 5's typed arrays: `TypedArray( int , 1, 2 )`.
    fn typed_array(&mut self, name: &str, typed: &'a TypedArray<R>) {
        self.text(name);
        self.text("( ");
        match &typed.element {
            // What is stored without a class is read as stand-ins.
            ElementType::Builtin(VariantType::Object) => self.text("EncodedObjectAsID"),
            // A number above the engine's types has no name.
            ElementType::Unknown(_) => {}
            element => self.element_type(Some(element)),
        }
        self.text(" , ");
        let close = [" ", ")", ""];
        self.open.push(Open::Elements { left: typed.elements.iter(), first: true, close });
    }

    fn packed_typed_array(&mut self, typed: &'a TypedArray<R>) {
        if typed.element != ElementType::Builtin(VariantType::Nil) {
            return self.typed_array("PackedTypedArray", typed);
        }
        // The engine packs nulls as it packs bools, and takes them for such when it prints them.
        self.text("PackedTypedArray( Nil , ");
        self.text(&vec!["false"; typed.elements.len()].join(", "));
        self.text(" )");
    }

    fn element_type(&mut self, element: Option<&ElementType>) {
        match element {
            None => self.text("Variant"),
            Some(ElementType::Builtin(builtin)) => self.text(self.dialect.type_name(*builtin)),
            Some(ElementType::Class(class)) => self.out.extend_from_slice(class.as_bytes()),
            Some(ElementType::Script(path)) => {
                self.text("Resource(");
                self.quoted(path, Style::escapes_few);
                self.out.push(b')');
            }
            Some(ElementType::Unknown(number)) => push_int((*number).into(), &mut self.out),
        }
    }

    fn image(&mut self, image: &Image) {
        if image.data.is_empty() {
            return self.text("Image()");
        }
        self.text("Image( ");
        for number in [image.width, image.height, image.mipmaps] {
            push_int(number.cast_signed().into(), &mut self.out);
            self.text(", ");
        }
        self.text(image_format(image.format));
        self.text(", ");
        self.list(&image.data, |_, byte, out| push_int(byte.into(), out));
        self.text(" )");
    }

    fn input_event(&mut self, event: &InputEvent) {
        self.text("InputEvent(");
        let (name, number) = match event.kind {
            InputEventKind::None => ("NONE", None),
            InputEventKind::Key { scancode, .. } => ("KEY,", Some(scancode)),
            InputEventKind::MouseButton { button } => ("MBUTTON,", Some(button)),
            InputEventKind::JoystickButton { button } => ("JBUTTON,", Some(button)),
            InputEventKind::JoystickMotion { axis, .. } => ("JAXIS,", Some(axis)),
            // Of the others the engine prints nothing.
            _ => ("", None),
        };
        self.text(name);
        if let Some(number) = number {
            push_int(number.cast_signed().into(), &mut self.out);
        }
        match event.kind {
            InputEventKind::Key { modifiers, .. } => self.modifiers(modifiers),
            InputEventKind::JoystickMotion { value, .. } => {
                self.out.push(b',');
                // The position is cut to a whole number, as C does: beyond 64 bits, and for a
                // NaN, it is the least there is.
                push_int(cut(value.unwrap_or_default()), &mut self.out);
            }
            _ => {}
        }
        self.out.push(b')');
    }

    fn modifiers(&mut self, modifiers: Modifiers) {
        let letters = [
            (modifiers.alt, b'A'),
            (modifiers.shift, b'S'),
            (modifiers.control, b'C'),
            (modifiers.meta, b'M'),
        ];
        if letters.iter().any(|(held, _)| *held) {
            self.out.push(b',');
            self.out.extend(letters.iter().filter(|(held, _)| *held).map(|(_, letter)| letter));
        }
    }
}

impl Style {
    /// The letter that stands for a byte in a String value.
    fn escapes_few(&self, byte: u8) -> Option<u8> {
        matches!(byte, b'\\' | b'"').then_some(byte)
    }

    /// The letter that stands for a byte in a StringName, a NodePath and a string array.
    fn escapes(&self, byte: u8) -> Option<u8> {
        match byte {
            0x07 => Some(b'a'),
            0x08 => Some(b'b'),
            0x0c => Some(b'f'),
            b'\n' => Some(b'n'),
            b'\r' => Some(b'r'),
            b'\t' => Some(b't'),
            0x0b => Some(b'v'),
            b'\'' | b'"' | b'\\' => Some(byte),
            b'?' => self.escapes_question_mark.then_some(byte),
            _ => None,
        }
    }
}

/// The name of an image format in Godot 2's text: the printer knows no YUV formats, and prints
/// nothing for them.
pub(super) fn image_format(format: u32) -> &'static str {
    let name = usize::try_from(format).ok().and_then(|format| Image::FORMATS.get(format));
    name.copied().filter(|name| !name.starts_with("YUV")).unwrap_or_default()
}

/// C's conversion of a float to a 64-bit whole number on the usual machines.
fn cut(number: f32) -> i64 {
    let whole = number as i64;
    // 2^63 and more, which Rust saturates, and NaN, which it makes 0.
    if number.is_nan() || number >= 9_223_372_036_854_775_808.0 { i64::MIN } else { whole }
}

/// What the constructor of a type is called in text: the type's name, but for two of Godot 2's.
pub(super) fn text_name(dialect: Dialect, variant_type: VariantType) -> &'static str {
    match dialect.type_name(variant_type) {
        "RawArray" => "ByteArray",
        "RealArray" => "FloatArray",
        name => name,
    }
}

fn flat<T: Components>(vectors: &[T]) -> Vec<T::Number>
where
    T::Array: IntoIterator<Item = T::Number>,
{
    vectors.iter().flat_map(|vector| vector.to_components()).collect()
}

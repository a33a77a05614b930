//! Values to text: the engines' `var2str` / `var_to_str`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::number::{push_component, push_float, push_int};
use super::style::Style;
use super::{KEPT, order};
use crate::Dialect;
use crate::dialect::ObjectForms;
use crate::value::whole64;
use crate::{
    Array, Container, Dictionary, ElementType, Event, FullObject, Image, InputEvent,
    InputEventKind, Modifiers, NodePath, Numbers, Object, Payload, Real, TypedArray, Variant,
    VariantString, VariantType, Walk,
};
use formwork_records::wire::{Number, NumberList};

/// The text of a value.
pub(super) fn write<R: Real>(
    value: &Variant<R>,
    dialect: Dialect,
    keeps_references: bool,
) -> Vec<u8> {
    let (style, walk) = (Style::of(dialect), Walk::new(value));
    let mut writer = Writer { out: Vec::new(), dialect, style, keeps_references, walk };
    while let Some(event) = writer.walk.next() {
        writer.step(event);
    }
    writer.out
}

/// The texts that close a container.
type Closing = [&'static str; 3];

struct Writer<'a, R: Real> {
    out: Vec<u8>,
    dialect: Dialect,
    style: &'static Style,
    keeps_references: bool,
    walk: Walk<'a, R, Closing>,
}

impl<'a, R: Real> Writer<'a, R> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn step(&mut self, event: Event<'a, R, Closing>) {
        let is_first = self.walk.is_first();
        match event {
            Event::Element(value) => {
                self.text(if is_first { "" } else { ", " });
                self.value(value);
            }
            Event::Key(key) => {
                self.text(if is_first { "" } else { ",\n" });
                self.value(key);
            }
            Event::Value(value) => {
                self.text(": ");
                self.value(value);
            }
            Event::Property(name, value) => {
                self.text(if is_first { "\"" } else { ",\"" });
                // No engine escapes the name.
                self.out.extend_from_slice(name.as_bytes());
                self.text("\":");
                self.value(value);
            }
            Event::End(_, closing) => closing.into_iter().for_each(|text| self.text(text)),
        }
    }

    /// Returns whether the engine prints no content of a container here any more.
    fn too_deep(&self) -> bool {
        self.style.depth.is_some_and(|limit| self.walk.depth() > limit)
    }

    /// Writes a value, or opens it if it holds values.
    fn value(&mut self, value: &'a Variant<R>) {
        match value.payload() {
            Payload::Nil => self.text("null"),
            Payload::Bool(value) => self.text(if value { "true" } else { "false" }),
            Payload::Int(number) => push_int(number, &mut self.out),
            Payload::Float(number) => push_float(self.style, number, &mut self.out),
            Payload::String(text) => self.quoted(text, Style::escapes_few),
            Payload::StringName(text) => {
                self.out.push(self.style.string_name);
                self.quoted(text, Style::escapes);
            }
            Payload::NodePath(path) => self.node_path(path),
            Payload::Rid(number) => self.rid(number),
            Payload::Callable => self.reference("Callable()"),
            Payload::Signal(_) => self.reference("Signal()"),
            Payload::Object(object) => self.object(object),
            Payload::Dictionary(dictionary) => self.dictionary(dictionary),
            Payload::Array(array) => self.array(array),
            Payload::TypedArray(typed) => self.typed_array(Container::TypedArray(typed), typed),
            Payload::PackedTypedArray(typed) => self.packed_typed_array(typed),
            Payload::Image(image) => self.image(image),
            Payload::InputEvent(event) => self.input_event(event),
            Payload::PackedByteArray(bytes) => self.construct(value, |this| this.bytes(bytes)),
            Payload::PackedStringArray(texts) => self.construct(value, |this| this.strings(texts)),
            Payload::Numbers(numbers) => self.construct(value, |this| this.numbers(numbers)),
        }
    }

    /// Writes the name of a type, and in parentheses the output of `write`.
    fn construct(&mut self, value: &Variant<R>, write: impl FnOnce(&mut Self)) {
        let variant_type = value.variant_type();
        self.text(text_name(self.dialect, variant_type));
        // Pandemonium took the projection, with its printer, from Godot 4.
        let blank = if variant_type == VariantType::Projection { "" } else { self.style.blank };
        self.out.push(b'(');
        self.text(blank);
        write(self);
        self.text(blank);
        self.out.push(b')');
    }

    /// The numbers of a math type or packed array.
    fn numbers(&mut self, numbers: Numbers<'_, R>) {
        let component = push_component;
        match numbers {
            Numbers::Real(list) => {
                self.list(list, |style, n, out| component(style, n.to_f64(), out))
            }
            Numbers::Single(list) => {
                self.list(list, |style, n, out| component(style, n.into(), out))
            }
            Numbers::Double(list) => self.list(list, component),
            Numbers::Int(list) if list.step() > 1 && self.style.whole_vectors_are_float => {
                self.list(list, |style, number, out| component(style, number.into(), out));
            }
            Numbers::Int(list) => self.list(list, |_, number, out| push_int(number.into(), out)),
            Numbers::Long(list) => self.list(list, |_, number, out| push_int(number, out)),
        }
    }

    fn list<N: Number>(
        &mut self,
        list: &dyn NumberList<N>,
        push: impl Fn(&Style, N, &mut Vec<u8>),
    ) {
        let mut first = true;
        list.for_each(&mut |number| {
            if !std::mem::take(&mut first) {
                self.out.extend_from_slice(b", ");
            }
            push(self.style, number, &mut self.out);
        });
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if !self.style.base64 {
            self.list::<u8>(&bytes, |_, byte, out| push_int(byte.into(), out));
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

    /// Writes a value that has a meaning only in the engine that wrote it.
    fn reference(&mut self, text: &str) {
        if !self.style.nothing_printed {
            self.text(text);
        }
    }

    fn rid(&mut self, number: u64) {
        // The engine prints the number as a signed one.
        let number = number.cast_signed();
        self.reference(&if number == 0 { "RID()".into() } else { format!("RID({number})") });
    }

    fn object(&mut self, object: &'a Object<R>) {
        // Godot 2 prints no object but references to resource files, which are not stored.
        let storable = self.dialect.quirks().objects != ObjectForms::HeaderOnly;
        match object {
            Object::Id(number) if *number != 0 && storable && !self.too_deep() => {
                self.text("Object(EncodedObjectAsID,\"object_id\":");
                push_int(number.cast_signed(), &mut self.out);
                self.text(",\"script\":null)\n");
            }
            Object::Full(object) if storable && !self.too_deep() => self.full_object(object),
            Object::Null | Object::Id(_) | Object::Full(_) => self.text("null"),
        }
    }

    fn full_object(&mut self, object: &'a FullObject<R>) {
        self.text("Object(");
        self.out.extend_from_slice(object.class.as_bytes());
        self.out.push(b',');
        self.walk.enter(Container::Object(object), [")\n", "", ""]);
    }

    fn dictionary(&mut self, dictionary: &'a Dictionary<R>) {
        if self.keeps_references
            && let Some(text) = kept(dictionary)
        {
            return self.out.extend_from_slice(text.as_bytes());
        }
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
        let closing = ["\n}", if typed { ")" } else { "" }, ""];
        self.walk.enter_sorted(Container::Dictionary(dictionary), pairs, closing);
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
        self.walk.enter(Container::Array(array), close);
    }

    /// Pandemonium 5's typed arrays: `TypedArray( int , 1, 2 )`.
    fn typed_array(&mut self, container: Container<'a, R>, typed: &TypedArray<R>) {
        self.text(container.variant_type().name());
        self.text("( ");
        match &typed.element {
            // Objects stored without a class are read as placeholders.
            ElementType::Builtin(VariantType::Object) => self.text("EncodedObjectAsID"),
            // A number above the engine's types has no name.
            ElementType::Unknown(_) => {}
            element
            @ (ElementType::Builtin(_) | ElementType::Class(_) | ElementType::Script(_)) => {
                self.element_type(Some(element))
            }
        }
        self.text(" , ");
        self.walk.enter(container, [" ", ")", ""]);
    }

    fn packed_typed_array(&mut self, typed: &'a TypedArray<R>) {
        if typed.element != ElementType::Builtin(VariantType::Nil) {
            return self.typed_array(Container::PackedTypedArray(typed), typed);
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
            Some(ElementType::Script(text))
                if self.keeps_references && text.as_bytes().ends_with(b")") =>
            {
                self.out.extend_from_slice(text.as_bytes());
            }
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
        self.list::<u8>(&image.data, |_, byte, out| push_int(byte.into(), out));
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
            // The engine prints nothing for the other events.
            InputEventKind::MouseMotion
            | InputEventKind::ScreenTouch { .. }
            | InputEventKind::ScreenDrag
            | InputEventKind::Action
            | InputEventKind::Other { .. } => ("", None),
        };
        self.text(name);
        if let Some(number) = number {
            push_int(number.cast_signed().into(), &mut self.out);
        }
        if let InputEventKind::Key { modifiers, .. } = event.kind {
            self.modifiers(modifiers);
        } else if let InputEventKind::JoystickMotion { value, .. } = event.kind {
            self.out.push(b',');
            // The position is cut to a whole number.
            push_int(whole64(value.unwrap_or_default().into()), &mut self.out);
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
    /// Returns the letter of the escape for a byte in a String value.
    fn escapes_few(&self, byte: u8) -> Option<u8> {
        matches!(byte, b'\\' | b'"').then_some(byte)
    }

    /// Returns the letter of the escape for a byte in a StringName, a NodePath and a string array.
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

/// Returns the text that a Dictionary means, see [`KEPT`].
pub(super) fn kept<R: Real>(dictionary: &Dictionary<R>) -> Option<&VariantString> {
    match dictionary.as_slice() {
        [(key, text)] if key.as_str() == Some(KEPT) => text.as_string(),
        _ => None,
    }
}

/// Returns the name of an image format in Godot 2's text: the printer knows no YUV formats, and prints nothing for
/// them.
pub(super) fn image_format(format: u32) -> &'static str {
    let name = usize::try_from(format).ok().and_then(|format| Image::FORMATS.get(format));
    name.copied().filter(|name| !name.starts_with("YUV")).unwrap_or_default()
}

/// Returns the name of a type's constructor in text: the type's name, except for two types of Godot 2.
pub(super) fn text_name(dialect: Dialect, variant_type: VariantType) -> &'static str {
    match dialect.type_name(variant_type) {
        "RawArray" => "ByteArray",
        "RealArray" => "FloatArray",
        name => name,
    }
}

//! Values to the lossless form.

#![deny(clippy::wildcard_enum_match_arm)]

use super::leaf::{write_members, write_numbers, write_path, write_shown, write_texts};
use super::text;
use crate::dialect::Dialect;
use crate::notation::{self, ElementForm, EventMembers, Record, Shown, element_form};
use crate::{Container, ElementType, Event, Object, Payload, Real, Variant, VariantType, Walk};
use formwork_records::json::number::Scalar;
use formwork_records::json::output::{Bracket, Output, SHORT};

/// Writes one value, without recursion; `between` is called from time to time with the output so far, and may take
/// it.
pub(super) fn write<R: Real, E>(
    value: &Variant<R>,
    dialect: Dialect,
    out: &mut Output,
    between: &mut dyn FnMut(&mut Output) -> Result<(), E>,
) -> Result<(), E> {
    let mut writer = Writer { dialect, walk: Walk::new(value) };
    while let Some(event) = writer.walk.next() {
        writer.step(event, out);
        between(out)?;
    }
    Ok(())
}

struct Writer<'v, R: Real> {
    dialect: Dialect,
    /// The note of each container is whether it has no tag.
    walk: Walk<'v, R, bool>,
}

impl<'v, R: Real> Writer<'v, R> {
    fn step(&mut self, event: Event<'v, R, bool>, out: &mut Output) {
        match event {
            Event::Element(value) | Event::Value(value) => self.start(value, out),
            Event::Key(key) if self.walk.note() == Some(&true) => {
                // Only such dictionaries have no tag.
                out.name(key.as_str().unwrap_or_default());
            }
            Event::Key(key) => {
                self.begin_pair(out);
                self.start(key, out);
            }
            Event::Property(name, value) => {
                self.begin_pair(out);
                text::put(out, name);
                self.start(value, out);
            }
            Event::End(container, is_plain) => self.end(container, is_plain, out),
        }
    }

    /// Ends the pair before, and begins one.
    fn begin_pair(&self, out: &mut Output) {
        if !self.walk.is_first() {
            out.close();
        }
        out.open_flat(Bracket::List);
    }

    /// Writes a value, or opens it if it holds values.
    fn start(&mut self, value: &'v Variant<R>, out: &mut Output) {
        let dialect = self.dialect;
        let tag = |out: &mut Output| {
            out.open_flat(Bracket::Object);
            out.name(&format!("${}", dialect.type_name(value.variant_type())));
        };
        // A value that holds no others comes after the name of its type, if its form does not imply the type.
        let tagged = |out: &mut Output, write: &dyn Fn(&mut Output)| {
            tag(out);
            write(out);
            out.close();
        };
        match value.payload() {
            Payload::Nil => out.null(),
            Payload::Bool(value) => out.bool(value),
            Payload::Int(value) => out.number(value),
            Payload::Float(value) => out.scalar(Scalar::Double(value)),
            Payload::String(text) => text::put(out, text),
            Payload::Array(array) => self.enter(Container::Array(array), out),
            Payload::TypedArray(typed) => self.enter(Container::TypedArray(typed), out),
            Payload::PackedTypedArray(typed) => self.enter(Container::PackedTypedArray(typed), out),
            Payload::Dictionary(pairs) => self.enter(Container::Dictionary(pairs), out),
            Payload::Object(Object::Full(object)) => {
                tag(out);
                out.open_flat(Bracket::Object);
                out.name("class");
                text::put(out, &object.class);
                out.name("properties");
                out.open(Bracket::List);
                self.walk.enter(Container::Object(object), false);
            }
            Payload::Object(Object::Null) | Payload::Callable => tagged(out, &Output::null),
            Payload::Object(Object::Id(id)) => {
                tagged(out, &|out| write_members(&[("id", Shown::Number(*id))], out));
            }
            Payload::StringName(text) => tagged(out, &|out| text::put(out, text)),
            Payload::NodePath(path) => tagged(out, &|out| write_path(path, out, dialect)),
            Payload::Rid(id) => tagged(out, &|out| out.number(id)),
            Payload::Signal(signal) => tagged(out, &|out| write_members(&signal.members(), out)),
            Payload::PackedByteArray(bytes) => {
                tagged(out, &|out| write_shown(&Shown::Bytes(bytes), out));
            }
            Payload::PackedStringArray(texts) => tagged(out, &|out| write_texts(texts, out)),
            Payload::Image(image) => tagged(out, &|out| write_members(&image.members(), out)),
            Payload::InputEvent(event) => {
                tagged(out, &|out| write_members(&EventMembers::of(event).members(), out));
            }
            Payload::Numbers(numbers) => {
                tagged(out, &|out| write_numbers(numbers, out, Output::scalar));
            }
        }
    }

    /// Opens an array or a dictionary.
    fn enter(&mut self, container: Container<'v, R>, out: &mut Output) {
        let is_plain = notation::is_plain(container, self.dialect);
        let is_dictionary = container.variant_type() == VariantType::Dictionary;
        if !is_plain {
            out.open_flat(Bracket::Object);
            out.name(&notation::container_tag(container.variant_type(), self.dialect));
        }
        if is_plain && is_dictionary {
            out.open(Bracket::Object);
        } else if !is_dictionary && is_short(container) {
            out.open_flat(Bracket::List);
        } else {
            out.open(Bracket::List);
        }
        self.walk.enter(container, is_plain);
    }

    /// Closes a container, after its attributes.
    fn end(&self, container: Container<'v, R>, is_plain: bool, out: &mut Output) {
        let is_object = container.variant_type() == VariantType::Object;
        let paired = is_object || container.variant_type() == VariantType::Dictionary;
        if paired && !is_plain && !container.is_empty() {
            out.close();
        }
        out.close();
        if is_plain {
            return;
        }
        if is_object {
            out.close();
        } else {
            let names = notation::type_members(container.variant_type());
            for (name, element) in names.into_iter().zip(container.types()) {
                if let Some(element) = element {
                    out.name(name);
                    self.element(element, out);
                }
            }
            if !notation::is_usual(container, self.dialect) {
                out.name("shared");
                out.bool(container.is_shared());
            }
        }
        out.close();
    }

    fn element(&self, element: &ElementType, out: &mut Output) {
        match element_form(element, self.dialect) {
            ElementForm::Name(name) => out.string(name),
            ElementForm::Member(name, shown) => write_members(&[(name, shown)], out),
        }
    }
}

/// Returns whether an array is a few short values, which stay on one line.
fn is_short<R: Real>(container: Container<'_, R>) -> bool {
    let short = |element: &Variant<R>| {
        matches!(element, Variant::Nil | Variant::Bool(_) | Variant::Int(_) | Variant::Float(_))
    };
    container.len() <= SHORT
        && match container {
            Container::Array(array) => array.iter().all(short),
            Container::TypedArray(typed) | Container::PackedTypedArray(typed) => {
                typed.elements.iter().all(short)
            }
            Container::Dictionary(_) | Container::Object(_) => false,
        }
}

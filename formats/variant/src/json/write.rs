//! Values to the lossless form.

#![deny(clippy::wildcard_enum_match_arm)]

use super::leaf::{write_numbers, write_shown, write_texts};
use super::text;
use crate::dialect::Dialect;
use crate::notation::{self, Form, Shown};
use crate::{Container, Event, Real, Variant, VariantType, Walk};
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
        let variant_type = value.variant_type();
        match Form::of(value.payload(), self.dialect) {
            Form::Null => out.null(),
            Form::Bool(value) => out.bool(value),
            Form::Int(number) => out.number(number),
            Form::Float(number) => out.scalar(Scalar::Double(number)),
            Form::Text(text) => text::put(out, text),
            Form::Container(container) => self.enter(container, out),
            Form::Numbers(numbers) => {
                self.tag(variant_type, out);
                write_numbers(numbers, out, Output::scalar);
                out.close();
            }
            Form::Tagged(shown) => {
                self.tag(variant_type, out);
                if let Shown::Texts(texts) = shown {
                    write_texts(texts, Output::open, out);
                } else {
                    write_shown(&shown, out);
                }
                out.close();
            }
        }
    }

    /// Opens an object that begins with the tag of a type.
    fn tag(&self, variant_type: VariantType, out: &mut Output) {
        out.open_flat(Bracket::Object);
        out.name(&notation::tag(variant_type, self.dialect));
    }

    /// Opens a value that holds others.
    fn enter(&mut self, container: Container<'v, R>, out: &mut Output) {
        let is_plain = notation::is_plain(container, self.dialect);
        let is_dictionary = container.variant_type() == VariantType::Dictionary;
        if !is_plain {
            self.tag(container.variant_type(), out);
        }
        if let Container::Object(object) = container {
            out.open_flat(Bracket::Object);
            out.name("class");
            text::put(out, &object.class);
            out.name("properties");
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
            let (types, shared) = (container.types(), container.is_shared());
            let variant_type = container.variant_type();
            for (name, shown) in notation::attributes(variant_type, types, shared, self.dialect) {
                out.name(name);
                write_shown(&shown, out);
            }
        }
        out.close();
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

//! Values to the native form.

use super::super::leaf;
use super::{DIALECT, transposed};
use crate::codec;
use crate::{
    Container, ElementType, Event, FullObject, NodePath, Numbers, Object, Payload, Real, Variant,
    VariantString, VariantType, Walk,
};
use formwork::{Error, Result};
use formwork_records::json::number::{ORDINARY_NAN, Scalar};
use formwork_records::json::output::{Bracket, Output};

/// Writes `value`; `between` is called from time to time with the output so far, and may take it.
pub(crate) fn write<R: Real>(
    value: &Variant<R>,
    out: &mut Output,
    between: &mut dyn FnMut(&mut Output) -> Result<()>,
) -> Result<()> {
    let mut walk = Walk::new(value);
    while let Some(event) = walk.next() {
        step(&mut walk, event, out).map_err(|error| error.under(walk.path()))?;
        between(out)?;
    }
    Ok(())
}

/// Writes a value, or opens it if it holds values; or closes a container. The note of each container is the number
/// of its brackets.
fn step<'v, R: Real>(
    walk: &mut Walk<'v, R, usize>,
    event: Event<'v, R, usize>,
    out: &mut Output,
) -> Result<()> {
    if let Event::Property(name, _) = event {
        out.string(unicode(name, out)?);
    }
    let value = match event {
        Event::Element(value)
        | Event::Key(value)
        | Event::Value(value)
        | Event::Property(_, value) => value,
        Event::End(_, brackets) => {
            (0..brackets).for_each(|_| out.close());
            return Ok(());
        }
    };
    let variant_type = value.variant_type();
    if DIALECT.row_of(variant_type).is_none() {
        let (expected, found) = (format!("a type of {DIALECT}"), variant_type.name());
        return Err(Error::new(codec::rule::DIALECT_TYPE, out.position(), expected, found));
    }
    let inner = |error: Error| error.within(variant_type.path_name());
    match value.container() {
        Some(container @ (Container::Array(_) | Container::Dictionary(_))) => {
            let brackets = typed(container, out).map_err(inner)?;
            walk.enter(container, brackets);
        }
        Some(Container::Object(full)) => {
            object(full, out).map_err(inner)?;
            walk.enter(Container::Object(full), 2);
        }
        Some(Container::TypedArray(_) | Container::PackedTypedArray(_)) | None => {
            plain(value, out).map_err(inner)?;
        }
    }
    Ok(())
}

/// Writes the text before the elements of an array or a dictionary; returns the number of opened brackets.
fn typed<R: Real>(container: Container<'_, R>, out: &mut Output) -> Result<usize> {
    unshared(container.is_shared(), out)?;
    let is_dictionary = container.variant_type() == VariantType::Dictionary;
    let names = if is_dictionary { ["key_type", "value_type"] } else { ["elem_type", ""] };
    let mut members = Vec::new();
    for (name, element) in names.into_iter().zip(container.types()) {
        members.extend(element.map(|element| Ok((name, type_text(element, out)?))));
    }
    let members = members.into_iter().collect::<Result<Vec<_>>>()?;
    let brackets = if is_dictionary || !members.is_empty() { 2 } else { 1 };
    if brackets == 2 {
        open_typed(container.variant_type(), out);
        for (name, text) in members {
            out.name(name);
            out.string(text);
        }
        out.name("args");
    }
    out.open(Bracket::List);
    Ok(brackets)
}

/// Writes the text before the properties of an object.
fn object<R: Real>(object: &FullObject<R>, out: &mut Output) -> Result<()> {
    let class = unicode(&object.class, out)?;
    let taken = DIALECT.type_named(class).is_some_and(|named| named != VariantType::Object);
    if class.is_empty() || taken {
        let expected = "a class whose name is not that of a built-in type";
        return Err(refuse(out, expected, format!("'{class}'")));
    }
    out.open_flat(Bracket::Object);
    out.name("type");
    out.string(class);
    out.name("props");
    out.open(Bracket::List);
    Ok(())
}

/// A text that JSON holds.
fn unicode<'a>(text: &'a VariantString, out: &Output) -> Result<&'a str> {
    text.as_str().ok_or_else(|| refuse(out, "a string in Unicode", "other characters"))
}

/// The form does not hold the value.
#[cold]
fn refuse(out: &Output, expected: &str, found: impl Into<String>) -> Error {
    Error::new(codec::rule::DIALECT_VALUE, out.position(), expected, found)
}

fn open_typed(variant_type: VariantType, out: &mut Output) {
    out.open_flat(Bracket::Object);
    out.name("type");
    out.string(DIALECT.type_name(variant_type));
}

/// Only Godot 2 has shared containers.
fn unshared(shared: bool, out: &Output) -> Result<()> {
    if shared {
        Err(refuse(out, "a container that is not marked as shared", "the mark"))
    } else {
        Ok(())
    }
}

/// Returns the text of a container's element type, if reading the text gives the same type again.
fn type_text<'a>(element: &'a ElementType, out: &Output) -> Result<&'a str> {
    let text = match element {
        ElementType::Builtin(variant_type) => DIALECT.type_name(*variant_type),
        ElementType::Class(name) | ElementType::Script(name) => unicode(name, out)?,
        ElementType::Unknown(_) => "",
    };
    if super::read::element_type(text).as_ref() == Some(element) {
        return Ok(text);
    }
    let expected = "an element type that the form tells apart from others";
    Err(refuse(out, expected, format!("{element:?}")))
}

/// Writes a value that holds no values.
fn plain<R: Real>(value: &Variant<R>, out: &mut Output) -> Result<()> {
    let variant_type = value.variant_type();
    match value.payload() {
        Payload::Nil | Payload::Object(Object::Null) => out.null(),
        Payload::Bool(value) => out.bool(value),
        Payload::Int(value) => out.string(&format!("i:{value}")),
        Payload::Float(value) => {
            if value.is_nan() && value.to_bits() != ORDINARY_NAN {
                let found = format!("the bits 0x{:016x}", value.to_bits());
                return Err(refuse(out, "the ordinary NaN", found));
            }
            if value.is_nan() {
                out.string("f:nan");
            } else {
                // For finite numbers, the fewest digits that read back; otherwise inf and -inf.
                out.string(&format!("f:{value:?}"));
            }
        }
        Payload::String(text) => out.string(&format!("s:{}", unicode(text, out)?)),
        Payload::StringName(text) => out.string(&format!("sn:{}", unicode(text, out)?)),
        Payload::NodePath(path) => {
            let text = path.to_text();
            if NodePath::parse(&text) != *path {
                return Err(refuse(out, "a path that its text gives back", text.to_string_lossy()));
            }
            out.string(&format!("np:{}", unicode(&text, out)?));
        }
        Payload::Object(Object::Id(id)) => {
            let expected = "an object in full (what it was is not in the data: the game stored only \
                            the number that it had while the game ran)";
            let found = format!("only the number of an object, {id}");
            return Err(refuse(out, expected, found));
        }
        // By the engine's definition of the form, the contents of these types are not kept.
        Payload::Rid(_) | Payload::Callable | Payload::Signal(_) => {
            open_typed(variant_type, out);
            out.close();
        }
        Payload::PackedStringArray(texts) => {
            for text in texts {
                unicode(text, out)?;
            }
            open_typed(variant_type, out);
            out.name("args");
            leaf::write_texts(texts, Output::open, out);
            out.close();
        }
        Payload::PackedByteArray(bytes) => {
            open_typed(variant_type, out);
            out.name("args");
            out.numbers::<u8>(&bytes, Output::plain_scalar);
            out.close();
        }
        Payload::Numbers(numbers) => {
            let turned = transposed(value);
            let numbers = turned.as_ref().and_then(Variant::numbers).unwrap_or(numbers);
            finite(numbers, out)?;
            open_typed(variant_type, out);
            out.name("args");
            leaf::write_numbers(numbers, out, Output::plain_scalar);
            out.close();
        }
        // Godot 4 lacks some of these types, and values that hold others are not written here.
        Payload::Array(_)
        | Payload::TypedArray(_)
        | Payload::PackedTypedArray(_)
        | Payload::Dictionary(_)
        | Payload::Object(Object::Full(_))
        | Payload::Image(_)
        | Payload::InputEvent(_) => out.null(),
    }
    Ok(())
}

/// Refuses numbers that JSON does not have.
fn finite<R: Real>(numbers: Numbers<'_, R>, out: &Output) -> Result<()> {
    let odd = match numbers {
        Numbers::Real(list) => list.iter().map(Scalar::of).find(|one| !one.is_finite()),
        Numbers::Single(list) => list.iter().map(Scalar::of).find(|one| !one.is_finite()),
        Numbers::Double(list) => list.iter().map(Scalar::of).find(|one| !one.is_finite()),
        Numbers::Int(_) | Numbers::Long(_) => None,
    };
    match odd {
        Some(scalar) => Err(refuse(out, "finite numbers", format!("{scalar:?}"))),
        None => Ok(()),
    }
}

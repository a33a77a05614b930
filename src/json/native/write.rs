//! Values to the native form.

use std::slice::Iter;

use super::super::leaf;
use super::super::number::{ORDINARY_NAN, Scalar};
use super::super::output::{Bracket, Output};
use super::{DIALECT, transposed};
use crate::error::{Error, Path, Result, Step};
use crate::variant::codec;
use crate::variant::{
    Array, Container, Dictionary, ElementType, FullObject, NodePath, Numbers, Object, Payload,
    Real, Variant, VariantString, VariantType,
};

/// Writes `value`; `between` is called now and then with what is written so far, and may take it.
pub(crate) fn write<R: Real>(
    value: &Variant<R>,
    out: &mut Output,
    between: &mut impl FnMut(&mut Output) -> Result<()>,
) -> Result<()> {
    let mut writer = Writer { open: Vec::new() };
    writer.value(value, out, between).map_err(|error| error.under(writer.path()))
}

/// Writes one value, without recursion: what surrounds it is kept in a list.
struct Writer<'v, R: Real> {
    open: Vec<Open<'v, R>>,
}

/// A value that holds values, some of them still to be written.
enum Open<'v, R: Real> {
    Array {
        left: Iter<'v, Variant<R>>,
        length: usize,
        /// Whether it is the list of arguments of an object.
        typed: bool,
    },
    Dictionary {
        left: Iter<'v, (Variant<R>, Variant<R>)>,
        length: usize,
        /// The value of the pair whose key was written last.
        value: Option<&'v Variant<R>>,
    },
    Object {
        left: Iter<'v, (VariantString, Variant<R>)>,
        length: usize,
    },
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

impl<'v, R: Real> Writer<'v, R> {
    fn value(
        &mut self,
        value: &'v Variant<R>,
        out: &mut Output,
        between: &mut impl FnMut(&mut Output) -> Result<()>,
    ) -> Result<()> {
        self.start(value, out)?;
        while let Some(open) = self.open.last_mut() {
            match open.next(out)? {
                Some(value) => self.start(value, out)?,
                None => {
                    out.close();
                    if !matches!(self.open.pop(), Some(Open::Array { typed: false, .. })) {
                        out.close();
                    }
                }
            }
            between(out)?;
        }
        Ok(())
    }

    /// Writes a value, or opens it where it holds values.
    fn start(&mut self, value: &'v Variant<R>, out: &mut Output) -> Result<()> {
        let inner = |error: Error| error.within(value.variant_type().path_name());
        match value.container() {
            Some(Container::Array(array)) => self.array(array, out).map_err(inner),
            Some(Container::Dictionary(dictionary)) => {
                self.dictionary(dictionary, out).map_err(inner)
            }
            Some(Container::Object(object)) => self.object(object, out).map_err(inner),
            Some(Container::TypedArray(_) | Container::PackedTypedArray(_)) | None => {
                plain(value, out).map_err(inner)
            }
        }
    }

    fn array(&mut self, array: &'v Array<R>, out: &mut Output) -> Result<()> {
        unshared(array.is_shared(), out)?;
        let element = array.element_type().map(|element| type_text(element, out)).transpose()?;
        if let Some(element) = element {
            open_typed(VariantType::Array, out);
            out.name("elem_type");
            out.string(element);
            out.name("args");
        }
        out.open(Bracket::List);
        let typed = element.is_some();
        self.open.push(Open::Array { left: array.iter(), length: array.len(), typed });
        Ok(())
    }

    fn dictionary(&mut self, dictionary: &'v Dictionary<R>, out: &mut Output) -> Result<()> {
        unshared(dictionary.is_shared(), out)?;
        let text = |element: Option<&'v ElementType>| {
            element.map(|element| type_text(element, out)).transpose()
        };
        let (key, value) = (text(dictionary.key_type())?, text(dictionary.value_type())?);
        open_typed(VariantType::Dictionary, out);
        for (member, text) in [("key_type", key), ("value_type", value)] {
            if let Some(text) = text {
                out.name(member);
                out.string(text);
            }
        }
        out.name("args");
        out.open(Bracket::List);
        let left = dictionary.iter();
        self.open.push(Open::Dictionary { left, length: dictionary.len(), value: None });
        Ok(())
    }

    fn object(&mut self, object: &'v FullObject<R>, out: &mut Output) -> Result<()> {
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
        let left = object.properties.iter();
        self.open.push(Open::Object { left, length: object.properties.len() });
        Ok(())
    }

    /// Where the writer is.
    fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            // Of `length` values, those left are still to come and one is being written.
            let (variant_type, done, part) = match open {
                Open::Array { left, length, .. } => (VariantType::Array, length - left.len(), None),
                Open::Dictionary { left, length, value } => {
                    let part = if value.is_some() { "key" } else { "value" };
                    (VariantType::Dictionary, length - left.len(), Some(part))
                }
                Open::Object { left, length } => (VariantType::Object, length - left.len(), None),
            };
            path.push(Step::Field(variant_type.path_name()));
            if variant_type == VariantType::Object {
                path.push(Step::Field("properties"));
            }
            path.push(Step::Index(done.saturating_sub(1) as u64));
            part.into_iter().for_each(|part| path.push(Step::Field(part)));
        }
        path
    }
}

impl<'v, R: Real> Open<'v, R> {
    /// The next value to write.
    fn next(&mut self, out: &mut Output) -> Result<Option<&'v Variant<R>>> {
        Ok(match self {
            Self::Array { left, .. } => left.next(),
            Self::Dictionary { left, value, .. } => match value.take() {
                Some(value) => Some(value),
                None => left.next().map(|(key, behind)| {
                    *value = Some(behind);
                    key
                }),
            },
            Self::Object { left, .. } => match left.next() {
                Some((name, value)) => {
                    out.string(unicode(name, out)?);
                    Some(value)
                }
                None => None,
            },
        })
    }
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

/// What a container's elements are, if reading the text gives the same again.
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
                // For what is finite, the fewest digits that read back; else inf and -inf.
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
        // By the engine's definition of the form, nothing of these is kept.
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
            leaf::write_texts(texts, out);
            out.close();
        }
        Payload::PackedByteArray(bytes) => {
            open_typed(variant_type, out);
            out.name("args");
            out.numbers::<u8>(&bytes, Output::plain_scalar);
            out.close();
        }
        Payload::Numbers(numbers) if DIALECT.row_of(variant_type).is_some() => {
            let turned = transposed(value);
            let numbers = turned.as_ref().and_then(Variant::numbers).unwrap_or(numbers);
            finite(numbers, out)?;
            open_typed(variant_type, out);
            out.name("args");
            leaf::write_numbers(numbers, out, Output::plain_scalar);
            out.close();
        }
        // Godot 4 has none of these types, and what holds values is not written here.
        Payload::Numbers(_)
        | Payload::Array(_)
        | Payload::TypedArray(_)
        | Payload::PackedTypedArray(_)
        | Payload::Dictionary(_)
        | Payload::Object(Object::Full(_))
        | Payload::Image(_)
        | Payload::InputEvent(_) => {
            let (expected, found) = (format!("a type of {DIALECT}"), variant_type.name());
            return Err(Error::new(codec::rule::DIALECT_TYPE, out.position(), expected, found));
        }
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

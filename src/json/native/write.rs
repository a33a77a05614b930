//! Values to the native form.

use std::slice::Iter;

use super::super::leaf::{WithNumbers, with_numbers};
use super::super::number::{NumberList, ORDINARY_NAN, Scalar};
use super::super::output::{Bracket, Output};
use super::{DIALECT, transposed};
use crate::error::{Error, Path, Result, Step};
use crate::variant::codec;
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, NodePath, Object, Real, Variant, VariantString,
    VariantType,
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
        match value {
            Variant::Array(array) => self.array(array, out).map_err(inner),
            Variant::Dictionary(dictionary) => self.dictionary(dictionary, out).map_err(inner),
            Variant::Object(Object::Full(object)) => self.object(object, out).map_err(inner),
            other => leaf(other, out).map_err(inner),
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
fn leaf<R: Real>(value: &Variant<R>, out: &mut Output) -> Result<()> {
    match value {
        Variant::Nil | Variant::Object(Object::Null) => out.null(),
        Variant::Bool(value) => out.bool(*value),
        Variant::Int(value) => out.string(&format!("i:{value}")),
        Variant::Float(value) => {
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
        Variant::String(text) => out.string(&format!("s:{}", unicode(text, out)?)),
        Variant::StringName(text) => out.string(&format!("sn:{}", unicode(text, out)?)),
        Variant::NodePath(path) => {
            let text = path.to_text();
            if NodePath::parse(&text) != **path {
                return Err(refuse(out, "a path that its text gives back", text.to_string_lossy()));
            }
            out.string(&format!("np:{}", unicode(&text, out)?));
        }
        Variant::Object(Object::Id(id)) => {
            let expected = "an object in full (what it was is not in the data: the game stored only \
                            the number that it had while the game ran)";
            let found = format!("only the number of an object, {id}");
            return Err(refuse(out, expected, found));
        }
        // By the engine's definition of the form, nothing of these is kept.
        Variant::Rid(_) | Variant::Callable | Variant::Signal(_) => {
            open_typed(value.variant_type(), out);
            out.close();
        }
        Variant::PackedStringArray(texts) => {
            for text in texts {
                unicode(text, out)?;
            }
            open_typed(VariantType::PackedStringArray, out);
            out.name("args");
            out.open(Bracket::List);
            texts.iter().for_each(|text| out.text(text));
            out.close();
            out.close();
        }
        other => {
            let variant_type = other.variant_type();
            let expected = || format!("a type of {DIALECT}");
            let unknown = |out: &Output| {
                let found = variant_type.name();
                Error::new(codec::rule::DIALECT_TYPE, out.position(), expected(), found)
            };
            if DIALECT.row_of(variant_type).is_none() {
                return Err(unknown(out));
            }
            let turned;
            let list = match other {
                Variant::Basis(_) | Variant::Transform3D(_) => {
                    turned = transposed(other.clone());
                    &turned
                }
                other => other,
            };
            let position = out.position();
            return with_numbers(list, Numbers { variant_type, out }).unwrap_or_else(|| {
                // All other types of the dialect are dealt with above.
                let found = variant_type.name();
                Err(Error::new(codec::rule::DIALECT_TYPE, position, expected(), found))
            });
        }
    }
    Ok(())
}

struct Numbers<'a> {
    variant_type: VariantType,
    out: &'a mut Output,
}

impl WithNumbers for Numbers<'_> {
    type Output = Result<()>;

    fn take<T: NumberList>(self, list: &T) -> Result<()> {
        let mut infinite: Option<Scalar> = None;
        list.each(&mut |scalar| {
            if !scalar.is_finite() {
                infinite.get_or_insert(scalar);
            }
        });
        if let Some(scalar) = infinite {
            return Err(refuse(self.out, "finite numbers", format!("{scalar:?}")));
        }
        open_typed(self.variant_type, self.out);
        self.out.name("args");
        self.out.numbers(list, Output::plain_scalar);
        self.out.close();
        Ok(())
    }
}

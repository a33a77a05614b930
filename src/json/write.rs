//! Values to the lossless form.

use std::collections::HashSet;
use std::slice::Iter;

use super::leaf;
use super::number::Scalar;
use super::output::{Bracket, Output, SHORT};
use crate::variant::dialect::Dialect;
use crate::variant::{
    Array, Dictionary, ElementType, Object, Real, Variant, VariantString, VariantType,
};

/// Writes one value, without recursion: what surrounds it is kept in a list.
pub(super) struct Writer<'v, R: Real> {
    dialect: Dialect,
    open: Vec<Open<'v, R>>,
}

/// A value that holds values, some of them still to be written.
enum Open<'v, R: Real> {
    Array {
        left: Iter<'v, Variant<R>>,
        array: &'v Array<R>,
        /// Whether it is the object with the type's name; then what its elements are as an array of
        /// a type of its own.
        tagged: Option<Option<&'v ElementType>>,
    },
    /// A dictionary that is a JSON object.
    Plain(Iter<'v, (Variant<R>, Variant<R>)>),
    Dictionary {
        left: Iter<'v, (Variant<R>, Variant<R>)>,
        /// The value of the pair whose key was written last.
        value: Option<&'v Variant<R>>,
        in_pair: bool,
        dictionary: &'v Dictionary<R>,
    },
    Object {
        left: Iter<'v, (VariantString, Variant<R>)>,
        in_pair: bool,
    },
}

impl<'v, R: Real> Writer<'v, R> {
    pub(super) const fn new(dialect: Dialect) -> Self {
        Self { dialect, open: Vec::new() }
    }

    /// Writes `value`; `between` is called now and then with what is written so far, and may take
    /// it.
    pub(super) fn value<E>(
        &mut self,
        value: &'v Variant<R>,
        out: &mut Output,
        between: &mut impl FnMut(&mut Output) -> Result<(), E>,
    ) -> Result<(), E> {
        self.start(value, out);
        while let Some(open) = self.open.last_mut() {
            match open.next(out) {
                Some(value) => self.start(value, out),
                None => self.end(out),
            }
            between(out)?;
        }
        Ok(())
    }

    /// Writes a value, or opens it where it holds values.
    fn start(&mut self, value: &'v Variant<R>, out: &mut Output) {
        match value {
            Variant::Nil => out.null(),
            Variant::Bool(value) => out.bool(*value),
            Variant::Int(value) => out.number(*value),
            Variant::Float(value) => out.scalar(Scalar::Double(*value)),
            Variant::String(text) => out.text(text),
            Variant::Array(array) => {
                let plain = array.element_type().is_none() && self.is_usual(array.is_shared());
                self.array(value.variant_type(), array, (!plain).then_some(None), out);
            }
            Variant::TypedArray(typed) | Variant::PackedTypedArray(typed) => {
                let tagged = Some(Some(&typed.element));
                self.array(value.variant_type(), &typed.elements, tagged, out);
            }
            Variant::Dictionary(dictionary) => self.dictionary(dictionary, out),
            Variant::Object(object) => self.object(object, out),
            other => {
                out.open_flat(Bracket::Object);
                out.name(&self.tag(other.variant_type()));
                leaf::write(other, out, self.dialect);
                out.close();
            }
        }
    }

    /// The name of the member that says what type a value is of.
    fn tag(&self, variant_type: VariantType) -> String {
        format!("${}", self.dialect.type_name(variant_type))
    }

    /// Whether containers are shared or not as the dialect's scripts make them, so that nothing has
    /// to be said about it.
    fn is_usual(&self, shared: bool) -> bool {
        shared == self.dialect.rules().shared_containers
    }

    fn array(
        &mut self,
        variant_type: VariantType,
        array: &'v Array<R>,
        tagged: Option<Option<&'v ElementType>>,
        out: &mut Output,
    ) {
        if tagged.is_some() {
            out.open_flat(Bracket::Object);
            out.name(&self.tag(variant_type));
        }
        let short = array.len() <= SHORT
            && array.iter().all(|element| {
                matches!(
                    element,
                    Variant::Nil | Variant::Bool(_) | Variant::Int(_) | Variant::Float(_)
                )
            });
        if short {
            out.open_flat(Bracket::List);
        } else {
            out.open(Bracket::List);
        }
        self.open.push(Open::Array { left: array.iter(), array, tagged });
    }

    fn dictionary(&mut self, dictionary: &'v Dictionary<R>, out: &mut Output) {
        let plain = dictionary.key_type().is_none()
            && dictionary.value_type().is_none()
            && self.is_usual(dictionary.is_shared())
            && are_names(dictionary);
        if plain {
            out.open(Bracket::Object);
            self.open.push(Open::Plain(dictionary.iter()));
            return;
        }
        out.open_flat(Bracket::Object);
        out.name("$dictionary");
        out.open(Bracket::List);
        let left = dictionary.iter();
        self.open.push(Open::Dictionary { left, value: None, in_pair: false, dictionary });
    }

    fn object(&mut self, object: &'v Object<R>, out: &mut Output) {
        out.open_flat(Bracket::Object);
        out.name(&self.tag(VariantType::Object));
        match object {
            Object::Null => out.null(),
            Object::Id(id) => {
                out.open_flat(Bracket::Object);
                out.name("id");
                out.number(*id);
                out.close();
            }
            Object::Full(object) => {
                out.open_flat(Bracket::Object);
                out.name("class");
                out.text(&object.class);
                out.name("properties");
                out.open(Bracket::List);
                let left = object.properties.iter();
                self.open.push(Open::Object { left, in_pair: false });
                return;
            }
        }
        out.close();
    }

    /// Closes the innermost value that holds values.
    fn end(&mut self, out: &mut Output) {
        // The list of elements, or the JSON object of a plain dictionary.
        out.close();
        match self.open.pop() {
            None | Some(Open::Plain(_) | Open::Array { tagged: None, .. }) => {}
            Some(Open::Array { array, tagged: Some(own), .. }) => {
                if let Some(element) = own.or(array.element_type()) {
                    self.element("element", element, out);
                }
                if let (Some(_), Some(inner)) = (own, array.element_type()) {
                    self.element("inner", inner, out);
                }
                self.shared(array.is_shared(), out);
                out.close();
            }
            Some(Open::Dictionary { dictionary, .. }) => {
                if let Some(key) = dictionary.key_type() {
                    self.element("key", key, out);
                }
                if let Some(value) = dictionary.value_type() {
                    self.element("value", value, out);
                }
                self.shared(dictionary.is_shared(), out);
                out.close();
            }
            Some(Open::Object { .. }) => {
                out.close();
                out.close();
            }
        }
    }

    fn shared(&self, shared: bool, out: &mut Output) {
        if !self.is_usual(shared) {
            out.name("shared");
            out.bool(shared);
        }
    }

    fn element(&self, member: &str, element: &ElementType, out: &mut Output) {
        out.name(member);
        let (name, text) = match element {
            ElementType::Builtin(variant_type) => {
                return out.string(self.dialect.type_name(*variant_type));
            }
            ElementType::Unknown(id) => {
                out.open_flat(Bracket::Object);
                out.name("id");
                out.number(*id);
                return out.close();
            }
            ElementType::Class(name) => ("class", name),
            ElementType::Script(path) => ("script", path),
        };
        out.open_flat(Bracket::Object);
        out.name(name);
        out.text(text);
        out.close();
    }
}

impl<'v, R: Real> Open<'v, R> {
    /// The next value to write, with everything that stands before it.
    fn next(&mut self, out: &mut Output) -> Option<&'v Variant<R>> {
        match self {
            Self::Array { left, .. } => left.next(),
            Self::Plain(left) => {
                let (key, value) = left.next()?;
                // Only such dictionaries are opened this way.
                if let Variant::String(key) = key {
                    out.name(key.as_str().unwrap_or_default());
                }
                Some(value)
            }
            Self::Dictionary { left, value, in_pair, .. } => {
                if let Some(value) = value.take() {
                    return Some(value);
                }
                if std::mem::take(in_pair) {
                    out.close();
                }
                let (key, behind) = left.next()?;
                out.open_flat(Bracket::List);
                *in_pair = true;
                *value = Some(behind);
                Some(key)
            }
            Self::Object { left, in_pair } => {
                if std::mem::take(in_pair) {
                    out.close();
                }
                let (name, value) = left.next()?;
                out.open_flat(Bracket::List);
                *in_pair = true;
                out.text(name);
                Some(value)
            }
        }
    }
}

/// Whether a dictionary's keys can be the names of a JSON object's members.
fn are_names<R: Real>(dictionary: &Dictionary<R>) -> bool {
    let mut seen = HashSet::with_capacity(dictionary.len());
    dictionary.iter().all(|(key, _)| match key {
        Variant::String(key) => {
            key.as_str().is_some_and(|name| !name.starts_with('$') && seen.insert(name))
        }
        _ => false,
    })
}

//! The lossless form to values.

use std::io::Read;

use struson::reader::ValueType;

use super::leaf;
use super::source::{Source, shortened, wrong_at};
use crate::error::{Error, Path, Result, Rule, Step};
use crate::variant::dialect::Dialect;
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, KeySet, Object, Real, TypedArray, Variant,
    VariantString, VariantType,
};

/// Reads values, without recursion: what surrounds one is kept in a list.
pub(super) struct Reader<R: Real> {
    dialect: Dialect,
    depth: usize,
    open: Vec<Open<R>>,
}

/// A value that holds values, some of them still to be read.
enum Open<R: Real> {
    Array {
        elements: Vec<Variant<R>>,
        /// The type, where it stands in an object with the type's name.
        tagged: Option<VariantType>,
    },
    /// A dictionary that is a JSON object.
    Plain {
        pairs: KeySet<R>,
        read: usize,
        key: Option<(VariantString, u64)>,
    },
    Dictionary {
        pairs: Vec<(Variant<R>, Variant<R>)>,
        key: Option<Variant<R>>,
    },
    Object {
        class: Option<VariantString>,
        properties: Properties<R>,
        name: VariantString,
    },
}

type Properties<R> = Vec<(VariantString, Variant<R>)>;

/// What the members behind a container's elements can say.
#[derive(Default)]
struct Marks {
    element: Option<ElementType>,
    inner: Option<ElementType>,
    key: Option<ElementType>,
    value: Option<ElementType>,
    shared: bool,
}

impl Marks {
    /// What holds where nothing is said.
    fn usual(dialect: Dialect) -> Self {
        Self { shared: dialect.rules().shared_containers, ..Self::default() }
    }
}

/// A value that was begun.
enum Begun<R: Real> {
    Whole(Variant<R>),
    /// Its values come next.
    Opened,
}

impl<R: Real> Reader<R> {
    pub(super) const fn new(dialect: Dialect, depth: usize) -> Self {
        Self { dialect, depth, open: Vec::new() }
    }

    /// Reads one value.
    pub(super) fn value<S: Read>(&mut self, source: &mut Source<S>) -> Result<Variant<R>> {
        self.read(source).map_err(|error| {
            let path = self.path();
            self.open.clear();
            error.under(path)
        })
    }

    fn read<S: Read>(&mut self, source: &mut Source<S>) -> Result<Variant<R>> {
        let mut begun = self.begin(source)?;
        loop {
            if let Begun::Whole(value) = begun {
                match self.open.last_mut() {
                    None => return Ok(value),
                    Some(open) => open.take(value, source)?,
                }
            }
            begun = if self.goes_on(source)? {
                self.begin(source)?
            } else {
                Begun::Whole(self.end(source)?)
            };
        }
    }

    /// Reads a value, or opens it where it holds values.
    fn begin<S: Read>(&mut self, source: &mut Source<S>) -> Result<Begun<R>> {
        let kind = source.peek()?;
        if self.open.len() > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(Error::new(Rule::DEPTH_LIMIT, source.at(), expected, "one more"));
        }
        Ok(Begun::Whole(match kind {
            ValueType::Null => {
                source.null()?;
                Variant::Nil
            }
            ValueType::Boolean => Variant::Bool(source.bool()?),
            ValueType::Number => source.number(number)?,
            ValueType::String => Variant::String(source.string()?.into()),
            ValueType::Array => {
                source.begin_list()?;
                return Ok(self.opened(Open::Array { elements: Vec::new(), tagged: None }));
            }
            ValueType::Object => return self.begin_object(source),
        }))
    }

    fn opened(&mut self, open: Open<R>) -> Begun<R> {
        self.open.push(open);
        Begun::Opened
    }

    /// The first member's name says whether the object is a dictionary or a value of another type.
    fn begin_object<S: Read>(&mut self, source: &mut Source<S>) -> Result<Begun<R>> {
        source.begin_object()?;
        let pairs = KeySet::with_capacity(0, self.dialect.rules().same_keys);
        if !source.has_next()? {
            return Ok(self.opened(Open::Plain { pairs, read: 0, key: None }));
        }
        let at = source.at();
        let name = source.name()?;
        let Some(tag) = name.strip_prefix('$') else {
            let key = Some((name.into(), at));
            return Ok(self.opened(Open::Plain { pairs, read: 0, key }));
        };
        if tag == "dictionary" {
            return self.begin_tagged(VariantType::Dictionary, at, source);
        }
        match type_named(self.dialect, tag) {
            Some(variant_type) => self.begin_tagged(variant_type, at, source),
            None => Err(wrong_at(at, "$ and the name of a type", shortened(&name))),
        }
    }

    fn begin_tagged<S: Read>(
        &mut self,
        variant_type: VariantType,
        at: u64,
        source: &mut Source<S>,
    ) -> Result<Begun<R>> {
        let value = match variant_type {
            VariantType::Dictionary => {
                source.begin_list()?;
                return Ok(self.opened(Open::Dictionary { pairs: Vec::new(), key: None }));
            }
            VariantType::Array | VariantType::TypedArray | VariantType::PackedTypedArray => {
                source.begin_list()?;
                let tagged = Some(variant_type);
                return Ok(self.opened(Open::Array { elements: Vec::new(), tagged }));
            }
            VariantType::Object => match self.begin_engine_object(source) {
                Ok(None) => return Ok(Begun::Opened),
                Ok(Some(object)) => Ok(Variant::Object(object)),
                Err(error) => Err(error),
            },
            VariantType::Float => source.special().map(Variant::Float),
            VariantType::String => source.text_numbers().map(Variant::String),
            other => match leaf::read(other, source, self.dialect) {
                Some(value) => value,
                None => {
                    let name = self.dialect.type_name(other);
                    return Err(wrong_at(at, format!("the plain form of {name}"), "its name"));
                }
            },
        };
        let value = value.map_err(|error| error.within(variant_type.path_name()))?;
        source.end_object()?;
        Ok(Begun::Whole(value))
    }

    /// Reads an object of an engine, or opens it where it is one in full.
    fn begin_engine_object<S: Read>(
        &mut self,
        source: &mut Source<S>,
    ) -> Result<Option<Object<R>>> {
        if source.peek()? == ValueType::Null {
            source.null()?;
            return Ok(Some(Object::Null));
        }
        source.begin_object()?;
        let mut class = None;
        while source.has_next()? {
            let at = source.at();
            match source.name()?.as_str() {
                "id" if class.is_none() => {
                    let id = source.unsigned(leaf::ID)?;
                    source.end_object()?;
                    return Ok(Some(Object::Id(id)));
                }
                "class" if class.is_none() => class = Some(source.text()?),
                "properties" => {
                    source.begin_list()?;
                    let (properties, name) = (Vec::new(), VariantString::default());
                    self.open.push(Open::Object { class, properties, name });
                    return Ok(None);
                }
                other => return Err(wrong_at(at, OBJECT, shortened(other))),
            }
        }
        Err(source.wrong(OBJECT, "the end"))
    }

    /// Whether the innermost container goes on; then reads everything before its next value.
    fn goes_on<S: Read>(&mut self, source: &mut Source<S>) -> Result<bool> {
        match self.open.last_mut() {
            None => Ok(false),
            Some(Open::Array { .. }) => source.has_next(),
            Some(Open::Plain { key, .. }) => {
                // The first name was read to see what the object is.
                if key.is_some() {
                    return Ok(true);
                }
                if !source.has_next()? {
                    return Ok(false);
                }
                let at = source.at();
                let name = source.name()?;
                if name.starts_with('$') {
                    let expected = "a key without $ in front (else the form with $dictionary)";
                    return Err(wrong_at(at, expected, shortened(&name)));
                }
                *key = Some((name.into(), at));
                Ok(true)
            }
            Some(Open::Dictionary { key, .. }) => {
                if key.is_none() {
                    if !source.has_next()? {
                        return Ok(false);
                    }
                    source.begin_list()?;
                }
                Ok(true)
            }
            Some(Open::Object { name, .. }) => {
                if !source.has_next()? {
                    return Ok(false);
                }
                source.begin_list()?;
                *name = source.text()?;
                Ok(true)
            }
        }
    }

    /// Ends the innermost container.
    fn end<S: Read>(&mut self, source: &mut Source<S>) -> Result<Variant<R>> {
        Ok(match self.open.pop() {
            // Called only where there is one.
            None => Variant::Nil,
            Some(Open::Array { elements, tagged }) => {
                source.end_list()?;
                let marks = match tagged {
                    Some(variant_type) => self.marks(variant_type, source)?,
                    None => Marks::usual(self.dialect),
                };
                make_array(elements, tagged, marks)
            }
            Some(Open::Plain { pairs, .. }) => {
                source.end_object()?;
                make_dictionary(pairs.into_pairs(), Marks::usual(self.dialect))
            }
            Some(Open::Dictionary { pairs, .. }) => {
                source.end_list()?;
                make_dictionary(pairs, self.marks(VariantType::Dictionary, source)?)
            }
            Some(Open::Object { mut class, properties, .. }) => {
                source.end_list()?;
                if source.has_next()? {
                    let at = source.at();
                    let name = source.name()?;
                    if name != "class" || class.is_some() {
                        return Err(wrong_at(at, OBJECT, shortened(&name)));
                    }
                    class = Some(source.text()?);
                }
                source.end_object()?;
                let class = class.ok_or_else(|| source.wrong("the member \"class\"", "none"))?;
                source.end_object()?;
                Variant::Object(Object::Full(Box::new(FullObject { class, properties })))
            }
        })
    }

    /// The members behind a container's elements, and the end of the object.
    fn marks<S: Read>(&self, variant_type: VariantType, source: &mut Source<S>) -> Result<Marks> {
        let mut marks = Marks::usual(self.dialect);
        let mut shared = None;
        while source.has_next()? {
            let at = source.at();
            let name = source.name()?;
            let is_dictionary = variant_type == VariantType::Dictionary;
            let is_array = !is_dictionary;
            let mark = match name.as_str() {
                "element" if is_array => &mut marks.element,
                "inner" if is_array && variant_type != VariantType::Array => &mut marks.inner,
                "key" if is_dictionary => &mut marks.key,
                "value" if is_dictionary => &mut marks.value,
                "shared" if shared.is_none() => {
                    shared = Some(source.bool()?);
                    continue;
                }
                _ => {
                    let expected = "the end, or a member of the documented form";
                    return Err(wrong_at(at, expected, shortened(&name)));
                }
            };
            if mark.is_some() {
                return Err(wrong_at(at, "each member once", shortened(&name)));
            }
            *mark = Some(element(self.dialect, source)?);
        }
        source.end_object()?;
        let needs_element =
            matches!(variant_type, VariantType::TypedArray | VariantType::PackedTypedArray);
        if needs_element && marks.element.is_none() {
            return Err(source.wrong("the member \"element\"", "none"));
        }
        marks.shared = shared.unwrap_or(marks.shared);
        Ok(marks)
    }

    /// Where the reader is.
    fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            let (variant_type, list, index, part) = match open {
                Open::Array { elements, tagged } => {
                    (tagged.unwrap_or(VariantType::Array), None, elements.len(), None)
                }
                Open::Plain { read, .. } => (VariantType::Dictionary, None, *read, Some("value")),
                Open::Dictionary { pairs, key } => {
                    let part = if key.is_some() { "value" } else { "key" };
                    (VariantType::Dictionary, None, pairs.len(), Some(part))
                }
                Open::Object { properties, .. } => {
                    (VariantType::Object, Some("properties"), properties.len(), None)
                }
            };
            path.push(Step::Field(variant_type.path_name()));
            list.into_iter().for_each(|list| path.push(Step::Field(list)));
            path.push(Step::Index(index as u64));
            part.into_iter().for_each(|part| path.push(Step::Field(part)));
        }
        path
    }
}

/// What an object of an engine can be.
const OBJECT: &str = "null, {\"id\": ...} or {\"class\": ..., \"properties\": [...]}";

impl<R: Real> Open<R> {
    /// Takes a value that was read, and ends the pair that it completes.
    fn take<S: Read>(&mut self, value: Variant<R>, source: &mut Source<S>) -> Result<()> {
        match self {
            Self::Array { elements, .. } => elements.push(value),
            Self::Plain { pairs, read, key } => {
                if let Some((key, at)) = key.take() {
                    let shown = shortened(&key.to_string_lossy());
                    if pairs.insert(Variant::String(key), value).is_some() {
                        return Err(wrong_at(at, "each key once", shown));
                    }
                    *read += 1;
                }
            }
            Self::Dictionary { pairs, key } => match key.take() {
                None => *key = Some(value),
                Some(key) => {
                    source.end_list()?;
                    pairs.push((key, value));
                }
            },
            Self::Object { properties, name, .. } => {
                source.end_list()?;
                properties.push((std::mem::take(name), value));
            }
        }
        Ok(())
    }
}

/// A number that stands for itself.
fn number<R: Real>(token: &str) -> Result<Variant<R>, &'static str> {
    if token.contains(['.', 'e', 'E']) {
        super::number::parse(token).map(Variant::Float)
    } else {
        super::number::parse(token).map(Variant::Int)
    }
}

fn make_array<R: Real>(
    elements: Vec<Variant<R>>,
    tagged: Option<VariantType>,
    marks: Marks,
) -> Variant<R> {
    let mut array = Array::from(elements);
    array.set_shared(marks.shared);
    match (tagged, marks.element) {
        (Some(VariantType::TypedArray), Some(element)) => {
            array.set_element_type(marks.inner);
            Variant::TypedArray(Box::new(TypedArray { element, elements: array }))
        }
        (Some(VariantType::PackedTypedArray), Some(element)) => {
            array.set_element_type(marks.inner);
            Variant::PackedTypedArray(Box::new(TypedArray { element, elements: array }))
        }
        (_, element) => {
            array.set_element_type(element);
            Variant::Array(array)
        }
    }
}

fn make_dictionary<R: Real>(pairs: Vec<(Variant<R>, Variant<R>)>, marks: Marks) -> Variant<R> {
    let mut dictionary = Dictionary::from(pairs);
    dictionary.set_shared(marks.shared);
    dictionary.set_types(marks.key, marks.value);
    Variant::Dictionary(dictionary)
}

/// What a typed container's elements are.
fn element<S: Read>(dialect: Dialect, source: &mut Source<S>) -> Result<ElementType> {
    if source.peek()? == ValueType::String {
        let name = source.string()?;
        return type_named(dialect, &name)
            .map(ElementType::Builtin)
            .ok_or_else(|| source.wrong("the name of a type", shortened(&name)));
    }
    source.begin_object()?;
    let expected = "\"class\", \"script\" or \"id\"";
    if !source.has_next()? {
        return Err(source.wrong(expected, "the end"));
    }
    let element = match source.name()?.as_str() {
        "class" => ElementType::Class(source.text()?),
        "script" => ElementType::Script(source.text()?),
        "id" => ElementType::Unknown(source.unsigned("a number from 0 to 4294967295")?),
        other => return Err(source.wrong(expected, shortened(other))),
    };
    source.end_object()?;
    Ok(element)
}

/// The type that the dialect calls so, or else the one that any other dialect does.
pub(super) fn type_named(dialect: Dialect, name: &str) -> Option<VariantType> {
    let own = |variant_type: &VariantType| variant_type.name() == name;
    dialect
        .type_named(name)
        .or_else(|| Dialect::all().rev().find_map(|other| other.type_named(name)))
        .or_else(|| VariantType::ALL.iter().copied().find(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_is_found_by_the_name_it_is_written_with() {
        for dialect in Dialect::all() {
            for &variant_type in VariantType::ALL {
                let name = dialect.type_name(variant_type);
                assert_eq!(type_named(dialect, name), Some(variant_type), "{dialect} {name}");
            }
        }
        assert_eq!(
            type_named(Dialect::GODOT4, "PoolIntArray"),
            Some(VariantType::PackedInt32Array)
        );
        assert_eq!(type_named(Dialect::GODOT4, "Vector5"), None);
    }
}

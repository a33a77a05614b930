//! Values as filters see them: those of engines with their types and marks, and what filters make.
//!
//! A filter copies values all the time, so containers are counted references. What a filter does not touch keeps
//! everything that the file says of it.

use std::fmt;
use std::num::ParseFloatError;
use std::rc::Rc;

use formwork_variant::Dialect;
use formwork_variant::{
    Array, Dictionary, FullObject, NodePath, Object, Payload, Real, TypedArray, Variant,
    VariantString,
};

use super::entries::Entries;

/// Containers in each other, at most.
pub(super) const DEPTH: usize = 8192;

/// A value.
#[derive(Clone, Default)]
pub(super) enum Value<R: Real> {
    /// No value.
    #[default]
    Nil,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number that needs more than 64 bits, in decimal digits. Calculating makes it a float.
    Long(Rc<str>),
    /// Any other number.
    Float(f64),
    /// A text of any type.
    Text(Rc<Text>),
    /// An array of values.
    List(Rc<List<R>>),
    /// A dictionary, or an object with its properties.
    Map(Rc<Map<R>>),
    /// A value of any other type.
    Native(Rc<Native<R>>),
}

/// A text.
pub(super) struct Text {
    pub(super) text: VariantString,
    pub(super) kind: TextKind,
}

/// The type of a text.
pub(super) enum TextKind {
    String,
    StringName,
    NodePath(NodePath),
}

/// An array.
#[derive(Clone)]
pub(super) struct List<R: Real> {
    pub(super) mark: Mark<R>,
    pub(super) elements: Vec<Value<R>>,
    depth: usize,
}

/// A dictionary, or an object with its properties.
#[derive(Clone)]
pub(super) struct Map<R: Real> {
    pub(super) mark: Mark<R>,
    pub(super) entries: Entries<R>,
    depth: usize,
}

/// A value that filters only look into.
pub(super) struct Native<R: Real> {
    pub(super) value: Variant<R>,
    pub(super) dialect: Dialect,
}

/// The origin of a container.
#[derive(Clone)]
pub(super) enum Mark<R: Real> {
    /// A filter made it.
    Made,
    /// A part of a document of Terrain Builder, in the shape of its JSON.
    Plain,
    /// A part of JSON text.
    Json,
    /// An engine's value: the same without what it holds, and the dialect.
    Of(Rc<Native<R>>),
}

/// A value is nested too deep.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooDeep;

impl fmt::Display for TooDeep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value is nested more than {DEPTH} containers deep")
    }
}

impl<R: Real> List<R> {
    /// Returns a list, unless it would be too deep.
    pub(super) fn of(mark: Mark<R>, elements: Vec<Value<R>>) -> Result<Value<R>, TooDeep> {
        let depth = deepest(elements.iter())?;
        Ok(Value::List(Rc::new(Self { mark, elements, depth })))
    }

    /// Returns the list after it took in a value of this depth.
    pub(super) fn holding(mut self, depth: usize) -> Result<Value<R>, TooDeep> {
        self.depth = bounded(self.depth.max(depth + 1))?;
        Ok(Value::List(Rc::new(self)))
    }
}

impl<R: Real> Map<R> {
    /// Returns a map, unless it would be too deep.
    pub(super) fn of(mark: Mark<R>, entries: Entries<R>) -> Result<Value<R>, TooDeep> {
        let inside = entries.iter().flat_map(|(key, value)| [key, value]);
        let depth = deepest(inside)?;
        Ok(Value::Map(Rc::new(Self { mark, entries, depth })))
    }

    /// Whether this can be no key of the map: the keys of JSON objects are texts.
    pub(super) const fn refuses(&self, key: &Value<R>) -> bool {
        matches!(self.mark, Mark::Json) && !matches!(key, Value::Text(_))
    }

    /// Returns the map after it took in a value of this depth.
    pub(super) fn holding(mut self, depth: usize) -> Result<Value<R>, TooDeep> {
        self.depth = bounded(self.depth.max(depth + 1))?;
        Ok(Value::Map(Rc::new(self)))
    }
}

fn deepest<'v, R: Real>(inside: impl Iterator<Item = &'v Value<R>>) -> Result<usize, TooDeep> {
    bounded(inside.map(Value::depth).max().unwrap_or(0) + 1)
}

const fn bounded(depth: usize) -> Result<usize, TooDeep> {
    if depth > DEPTH { Err(TooDeep) } else { Ok(depth) }
}

impl<R: Real> Value<R> {
    /// Returns how many containers deep it is.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::List(list) => list.depth,
            Self::Map(map) => map.depth,
            _ => 0,
        }
    }

    /// Reads a number. A whole number keeps all its digits.
    pub(super) fn number(text: &str) -> Result<Self, ParseFloatError> {
        if let Ok(number) = text.parse() {
            return Ok(Self::Int(number));
        }
        let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return text.parse().map(Self::Float);
        }
        Ok(Self::Long(format!("{sign}{}", digits.trim_start_matches('0')).into()))
    }

    /// Returns a text of the type String.
    pub(super) fn text(text: impl Into<VariantString>) -> Self {
        Self::Text(Rc::new(Text { text: text.into(), kind: TextKind::String }))
    }

    /// Returns the text that these bytes are; what no engine's text holds becomes U+FFFD.
    pub(super) fn of_bytes(bytes: &[u8]) -> Self {
        let text = VariantString::from_bytes(bytes.to_vec());
        Self::text(text.unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned().into()))
    }

    /// Returns a list that a filter made.
    pub(super) fn list(elements: Vec<Self>) -> Result<Self, TooDeep> {
        List::of(Mark::Made, elements)
    }

    /// Takes a value of an engine for one of filters.
    pub(super) fn of(value: &Variant<R>, dialect: Dialect) -> Result<Self, TooDeep> {
        let inside = |elements: &Array<R>| {
            elements.iter().map(|element| Self::of(element, dialect)).collect::<Result<Vec<_>, _>>()
        };
        let native = |value| Rc::new(Native { value, dialect });
        let text =
            |text: &VariantString, kind| Ok(Self::Text(Rc::new(Text { text: text.clone(), kind })));
        match value.payload() {
            Payload::Nil => Ok(Self::Nil),
            Payload::Bool(bool) => Ok(Self::Bool(bool)),
            Payload::Int(number) => Ok(Self::Int(number)),
            Payload::Float(number) => Ok(Self::Float(number)),
            Payload::String(string) => text(string, TextKind::String),
            Payload::StringName(name) => text(name, TextKind::StringName),
            Payload::NodePath(path) => text(&path.to_text(), TextKind::NodePath(path.clone())),
            Payload::Array(array) => {
                let mut front = Array::new();
                front.set_element_type(array.element_type().cloned());
                front.set_shared(array.is_shared());
                List::of(Mark::Of(native(Variant::Array(front))), inside(array)?)
            }
            Payload::TypedArray(typed) | Payload::PackedTypedArray(typed) => {
                let element = typed.element.clone();
                let front = Box::new(TypedArray { element, elements: Array::new() });
                let front = match value {
                    Variant::TypedArray(_) => Variant::TypedArray(front),
                    _ => Variant::PackedTypedArray(front),
                };
                List::of(Mark::Of(native(front)), inside(&typed.elements)?)
            }
            Payload::Dictionary(pairs) => {
                let mut front = Dictionary::new();
                front.set_types(pairs.key_type().cloned(), pairs.value_type().cloned());
                front.set_shared(pairs.is_shared());
                let mut entries = Entries::default();
                for (key, value) in pairs {
                    entries.push(Self::of(key, dialect)?, Self::of(value, dialect)?);
                }
                Map::of(Mark::Of(native(Variant::Dictionary(front))), entries)
            }
            Payload::Object(Object::Full(object)) => {
                let class = object.class.clone();
                let front = FullObject { class, properties: Vec::new() };
                let front = Variant::Object(Object::Full(Box::new(front)));
                let mut entries = Entries::default();
                for (name, value) in &object.properties {
                    entries.push(Self::text(name.clone()), Self::of(value, dialect)?);
                }
                Map::of(Mark::Of(native(front)), entries)
            }
            _ => Ok(Self::Native(native(value.clone()))),
        }
    }

    /// Returns the value as an engine has it.
    pub(super) fn to_variant(&self, dialect: Dialect) -> Variant<R> {
        match self {
            Self::Nil => Variant::Nil,
            Self::Bool(bool) => Variant::Bool(*bool),
            Self::Int(number) => Variant::Int(*number),
            Self::Long(_) => Variant::Float(self.float().unwrap_or(f64::NAN)),
            Self::Float(number) => Variant::Float(*number),
            Self::Text(text) => match &text.kind {
                TextKind::String => Variant::String(text.text.clone()),
                TextKind::StringName => Variant::StringName(text.text.clone()),
                TextKind::NodePath(path) => Variant::NodePath(Box::new(path.clone())),
            },
            Self::List(list) => {
                let elements = list.elements.iter().map(|element| element.to_variant(dialect));
                let mut elements: Array<R> = elements.collect();
                match list.mark.front() {
                    Some(Variant::Array(front)) => {
                        let mut array = front;
                        array.extend(elements);
                        Variant::Array(array)
                    }
                    Some(Variant::TypedArray(mut front)) => {
                        front.elements = elements;
                        Variant::TypedArray(front)
                    }
                    Some(Variant::PackedTypedArray(mut front)) => {
                        front.elements = elements;
                        Variant::PackedTypedArray(front)
                    }
                    _ => {
                        elements.set_shared(dialect.quirks().shared_containers);
                        Variant::Array(elements)
                    }
                }
            }
            Self::Map(map) => map.to_variant(dialect),
            Self::Native(native) => native.value.clone(),
        }
    }

    /// Returns the dialect whose names of types are to be used. [`None`] for a part of a document of Terrain Builder.
    pub(super) fn notation(&self) -> Option<Dialect> {
        let mut found = Some(Dialect::GODOT4);
        let mut waiting = vec![self];
        while let Some(value) = waiting.pop() {
            let mark = match value {
                Self::Native(native) => return Some(native.dialect),
                Self::List(list) => &list.mark,
                Self::Map(map) => &map.mark,
                _ => continue,
            };
            match mark {
                Mark::Plain | Mark::Json => found = None,
                Mark::Of(native) => return Some(native.dialect),
                Mark::Made => {}
            }
            match value {
                Self::List(list) => waiting.extend(&list.elements),
                Self::Map(map) => {
                    waiting.extend(map.entries.iter().flat_map(|(key, value)| [key, value]));
                }
                _ => {}
            }
        }
        found
    }

    /// Returns the value with the keys of each map in order.
    pub(super) fn sorted(self) -> Self {
        match self {
            Self::List(list) => {
                let elements = list.elements.iter().map(|element| element.clone().sorted());
                let elements = elements.collect();
                Self::List(Rc::new(List { mark: list.mark.clone(), elements, depth: list.depth }))
            }
            Self::Map(map) => {
                let entries = map.entries.iter();
                let mut pairs: Vec<_> =
                    entries.map(|(key, value)| (key.clone(), value.clone().sorted())).collect();
                pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
                let entries = pairs.into_iter().collect();
                Self::Map(Rc::new(Map { mark: map.mark.clone(), entries, depth: map.depth }))
            }
            value => value,
        }
    }

    /// Whether two values are the same in every bit and mark.
    pub(super) fn is_identical(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(one), Self::List(other)) if Rc::ptr_eq(one, other) => true,
            (Self::Map(one), Self::Map(other)) if Rc::ptr_eq(one, other) => true,
            (Self::Native(one), Self::Native(other)) if Rc::ptr_eq(one, other) => true,
            (Self::Int(one), Self::Int(other)) => one == other,
            (Self::Long(one), Self::Long(other)) => one == other,
            (Self::Long(_), _) | (_, Self::Long(_)) => false,
            (Self::Float(one), Self::Float(other)) => one.to_bits() == other.to_bits(),
            _ => {
                let any = Dialect::GODOT4;
                self.to_variant(any).is_identical(&other.to_variant(any))
            }
        }
    }
}

impl<R: Real> Mark<R> {
    /// Returns the empty container of an engine.
    fn front(&self) -> Option<Variant<R>> {
        match self {
            Self::Of(native) => Some(native.value.clone()),
            Self::Made | Self::Plain | Self::Json => None,
        }
    }
}

impl<R: Real> Map<R> {
    fn to_variant(&self, dialect: Dialect) -> Variant<R> {
        let variant = |value: &Value<R>| value.to_variant(dialect);
        let pairs = self.entries.iter().map(|(key, value)| (variant(key), variant(value)));
        match self.mark.front() {
            Some(Variant::Object(Object::Full(mut object)))
                if self.entries.iter().all(|(key, _)| matches!(key, Value::Text(_))) =>
            {
                let properties = self.entries.iter().filter_map(|(key, value)| {
                    let Value::Text(name) = key else { return None };
                    Some((name.text.clone(), variant(value)))
                });
                object.properties = properties.collect();
                Variant::Object(Object::Full(object))
            }
            Some(Variant::Dictionary(mut front)) => {
                front.extend(pairs);
                Variant::Dictionary(front)
            }
            _ => {
                let mut dictionary: Dictionary<R> = pairs.collect();
                dictionary.set_shared(dialect.quirks().shared_containers);
                Variant::Dictionary(dictionary)
            }
        }
    }
}

/// Takes a value out of its count, where nobody else has it.
pub(super) fn unshared<T: Clone>(shared: Rc<T>) -> T {
    Rc::try_unwrap(shared).unwrap_or_else(|shared| T::clone(&shared))
}

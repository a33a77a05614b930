//! Goes through a value and puts the converted one together.
//!
//! The containers under way are a list instead of recursion, as in the codec: depth costs no stack,
//! and where a loss is can be read off the list.

use std::vec;

use super::counterpart::{CLASS, Pair, narrowed};
use super::loss::{Loss, LossKind};
use super::nearest::{nearest, nearest_text};
use super::place::{describe, join, quoted, step};
use crate::codec::{is_element_of, text_bytes};
use crate::dialect::ObjectForms;
use crate::error::{Path, Step};
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, KeySet, Object, Real, TypedArray, Variant,
    VariantString, VariantType,
};

/// A conversion under way.
pub(super) struct Walk<'n, R: Real, S: Real> {
    pub(super) pair: Pair,
    depth: usize,
    note: &'n mut dyn FnMut(Loss),
    /// The containers around the value that is being converted, the outermost first.
    open: Vec<Open<R, S>>,
}

/// A container whose content is being converted.
enum Open<R: Real, S: Real> {
    Array {
        /// What it is, and what it becomes.
        types: (VariantType, VariantType),
        element: Option<ElementType>,
        shared: bool,
        source: vec::IntoIter<Variant<R>>,
        made: Vec<Variant<S>>,
    },
    Dictionary {
        types: [Option<ElementType>; 2],
        shared: bool,
        source: vec::IntoIter<(Variant<R>, Variant<R>)>,
        read: usize,
        /// The value that comes next, and its key.
        next: Option<Variant<R>>,
        key: Option<Variant<S>>,
        pairs: KeySet<S>,
    },
    Object {
        source: vec::IntoIter<(VariantString, Variant<R>)>,
        read: usize,
        name: VariantString,
        made: MadeObject<S>,
    },
}

/// What an object becomes.
enum MadeObject<S: Real> {
    Object(Box<FullObject<S>>),
    Dictionary(KeySet<S>),
}

impl<R: Real, S: Real> Open<R, S> {
    /// Takes away what is in it; whether there was anything.
    fn empty(&mut self) -> bool {
        match self {
            Self::Array { source, .. } => std::mem::take(source).len() > 0,
            Self::Dictionary { source, .. } => std::mem::take(source).len() > 0,
            Self::Object { source, .. } => std::mem::take(source).len() > 0,
        }
    }
}

impl<'n, R: Real, S: Real> Walk<'n, R, S> {
    pub(super) fn new(pair: Pair, depth: u32, note: &'n mut dyn FnMut(Loss)) -> Self {
        Self { pair, depth: depth as usize, note, open: Vec::new() }
    }

    pub(super) fn convert(mut self, value: Variant<R>) -> Variant<S> {
        let mut made = self.start(value);
        loop {
            made = match made {
                Some(value) if self.open.is_empty() => return value,
                Some(value) => {
                    self.take(value);
                    None
                }
                None => match self.next() {
                    Some(value) => self.start(value),
                    None => Some(self.finish()),
                },
            };
        }
    }

    /// Converts a value that holds none; opens one that does.
    fn start(&mut self, value: Variant<R>) -> Option<Variant<S>> {
        match self.of_known_type(value) {
            Variant::Array(mut array) => {
                let element = array.element_type().cloned();
                array.set_element_type(None);
                self.array(VariantType::Array, element, array)
            }
            Variant::TypedArray(typed) => {
                let TypedArray { element, elements } = *typed;
                self.array(VariantType::TypedArray, Some(element), elements)
            }
            Variant::PackedTypedArray(typed) => {
                let TypedArray { element, elements } = *typed;
                self.array(VariantType::PackedTypedArray, Some(element), elements)
            }
            Variant::Dictionary(pairs) => self.dictionary(pairs),
            Variant::Object(Object::Full(object)) => self.object(*object),
            leaf => Some(self.leaf(leaf)),
        }
    }

    /// The value, or what it becomes where the target does not have its type.
    fn of_known_type(&mut self, value: Variant<R>) -> Variant<R> {
        let variant_type = value.variant_type();
        if let Variant::Int(number) = value
            && self.pair.narrows_ints()
            && i32::try_from(number).is_err()
        {
            let nearest = narrowed(number as f64);
            self.lose(LossKind::IntRange, variant_type, number.to_string(), nearest.to_string());
            return Variant::Float(nearest);
        }
        if self.pair.holds(variant_type) {
            return value;
        }
        let kind = match self.pair.to.row_of(variant_type) {
            Some(_) => LossKind::Misread,
            None => LossKind::Type,
        };
        // A typed array is an array with an element type: only that can be lost.
        let exact = variant_type == VariantType::TypedArray;
        let found = if exact { String::new() } else { describe(&value, self.pair.from) };
        let (value, rounded) = nearest(value, self.pair);
        if !exact {
            let becomes = describe(&value, self.pair.to);
            if rounded {
                self.lose(LossKind::Rounded, variant_type, found.clone(), becomes.clone());
            }
            self.lose(kind, variant_type, found, becomes);
        }
        value
    }

    fn array(
        &mut self,
        from: VariantType,
        element: Option<ElementType>,
        array: Array<R>,
    ) -> Option<Variant<S>> {
        let typed = self.pair.has_typed_arrays();
        let element = element.and_then(|element| self.element_type(element, from, typed));
        let to = match &element {
            None => VariantType::Array,
            Some(_) if self.pair.to.rules().typed_arrays => VariantType::Array,
            Some(_) if from == VariantType::PackedTypedArray => from,
            Some(_) => VariantType::TypedArray,
        };
        let shared = self.shared(array.is_shared());
        let source = array.into_vec().into_iter();
        let made = Vec::with_capacity(source.len());
        self.enter(Open::Array { types: (from, to), element, shared, source, made })
    }

    fn dictionary(&mut self, mut pairs: Dictionary<R>) -> Option<Variant<S>> {
        let typed = self.pair.to.rules().typed_dictionaries;
        let types = [pairs.key_type().cloned(), pairs.value_type().cloned()]
            .map(|element| self.element_type(element?, VariantType::Dictionary, typed));
        pairs.set_types(None, None);
        let shared = self.shared(pairs.is_shared());
        let source = pairs.into_vec().into_iter();
        let pairs = self.key_set(source.len());
        self.enter(Open::Dictionary {
            types,
            shared,
            source,
            read: 0,
            next: None,
            key: None,
            pairs,
        })
    }

    fn object(&mut self, object: FullObject<R>) -> Option<Variant<S>> {
        let (class, properties) = object.into_parts();
        let keeps =
            self.pair.is_same_engine() && self.pair.to.rules().objects == ObjectForms::IdOrFull;
        if keeps && class.is_empty() {
            let found = "object without a class".into();
            self.lose(LossKind::Object, VariantType::Object, found, "null".into());
            return Some(self.null_object());
        }
        let source = properties.into_iter();
        let made = if keeps {
            let class = self.text(class, VariantType::Object);
            let properties = Vec::with_capacity(source.len());
            MadeObject::Object(Box::new(FullObject { class, properties }))
        } else {
            let nearest = format!("Dictionary with {CLASS} {}", quoted(&class));
            let found = format!("object of class {}", quoted(&class));
            self.lose(LossKind::Object, VariantType::Object, found, nearest);
            let mut pairs = self.key_set(source.len() + 1);
            let class = self.text(class, VariantType::Object);
            pairs.insert(CLASS.into(), Variant::String(class));
            MadeObject::Dictionary(pairs)
        };
        self.enter(Open::Object { source, read: 0, name: VariantString::default(), made })
    }

    fn key_set(&self, pairs: usize) -> KeySet<S> {
        KeySet::with_capacity(pairs, self.pair.to.rules().same_keys)
    }

    /// Whether the container carries Godot 2's mark: there, what scripts make does, and it means what
    /// arrays and dictionaries are to all later engines.
    fn shared(&self, is_shared: bool) -> bool {
        let (from, to) = (self.pair.from.rules(), self.pair.to.rules());
        to.shared_containers && (is_shared || !from.shared_containers)
    }

    /// The element type in the target; [`None`] where it has none such.
    fn element_type(
        &mut self,
        element: ElementType,
        container: VariantType,
        is_typed: bool,
    ) -> Option<ElementType> {
        let same = self.pair.is_same_engine();
        let kept = is_typed
            && match &element {
                // Godot 4 takes a container of nulls for one without an element type.
                ElementType::Builtin(VariantType::Nil) => same,
                ElementType::Builtin(variant_type) => self.pair.to.row_of(*variant_type).is_some(),
                ElementType::Class(_) | ElementType::Script(_) | ElementType::Unknown(_) => same,
            };
        if !kept {
            self.lose_element_type(&element, container);
            return None;
        }
        Some(match element {
            ElementType::Class(name) => ElementType::Class(self.text(name, container)),
            ElementType::Script(path) => ElementType::Script(self.text(path, container)),
            other => other,
        })
    }

    fn lose_element_type(&mut self, element: &ElementType, container: VariantType) {
        let name = match element {
            ElementType::Builtin(variant_type) => {
                self.pair.from.type_name(*variant_type).to_owned()
            }
            ElementType::Class(name) | ElementType::Script(name) => quoted(name),
            ElementType::Unknown(number) => format!("type {number}"),
        };
        let found = format!("{} of {name}", self.pair.from.type_name(container));
        let nearest = match container {
            VariantType::Dictionary => VariantType::Dictionary,
            _ => VariantType::Array,
        };
        let nearest = self.pair.to.type_name(nearest).to_owned();
        self.lose(LossKind::ElementType, container, found, nearest);
    }

    /// Opens a container, without its content where that would lie too deep.
    fn enter(&mut self, mut open: Open<R, S>) -> Option<Variant<S>> {
        if self.open.len() >= self.depth && open.empty() {
            let (variant_type, count) = match &open {
                Open::Array { types: (from, _), .. } => (*from, "elements"),
                Open::Dictionary { .. } => (VariantType::Dictionary, "pairs"),
                Open::Object { .. } => (VariantType::Object, "properties"),
            };
            let found = format!("the {count} at depth {}", self.open.len() + 1);
            self.lose(LossKind::Depth, variant_type, found, "nothing".into());
        }
        self.open.push(open);
        None
    }

    /// The next value of the innermost container.
    fn next(&mut self) -> Option<Variant<R>> {
        let next = match self.open.last_mut()? {
            Open::Array { source, .. } => source.next()?,
            Open::Dictionary { source, read, next, .. } => match next.take() {
                Some(value) => value,
                None => {
                    let (key, value) = source.next()?;
                    *read += 1;
                    *next = Some(value);
                    key
                }
            },
            Open::Object { source, read, name, .. } => {
                let (next, value) = source.next()?;
                *read += 1;
                *name = next;
                if *name == "script" {
                    return Some(self.script(value));
                }
                value
            }
        };
        Some(next)
    }

    /// The script of an object: from Godot 4.3 on a path, before that an object.
    fn script(&mut self, value: Variant<R>) -> Variant<R> {
        if value.is_nil() || !LossKind::Script.applies(self.pair) {
            return value;
        }
        let found = describe(&value, self.pair.from);
        self.lose(LossKind::Script, value.variant_type(), found, "null".into());
        Variant::Nil
    }

    /// Puts a converted value into the innermost container.
    fn take(&mut self, value: Variant<S>) {
        let name = match self.open.last_mut() {
            Some(Open::Object { name, .. }) => Some(std::mem::take(name)),
            _ => None,
        };
        let name = name.map(|name| self.text(name, VariantType::Object));
        let there = match self.open.last_mut() {
            Some(Open::Array { made, .. }) => {
                made.push(value);
                None
            }
            Some(Open::Dictionary { key, pairs, .. }) => match key.take() {
                None => {
                    *key = Some(value);
                    None
                }
                Some(key) => {
                    let shown = describe(&key, self.pair.to);
                    pairs.insert(key, value).then_some((VariantType::Dictionary, shown))
                }
            },
            Some(Open::Object { made, .. }) => {
                let name = name.unwrap_or_default();
                match made {
                    MadeObject::Object(object) => {
                        object.properties.push((name, value));
                        None
                    }
                    MadeObject::Dictionary(pairs) => {
                        let shown = quoted(&name);
                        let there = pairs.insert(Variant::String(name), value);
                        there.then_some((VariantType::Object, shown))
                    }
                }
            }
            None => None,
        };
        if let Some((variant_type, key)) = there {
            let nearest = "one pair with the last value".into();
            self.lose(LossKind::Key, variant_type, format!("another key {key}"), nearest);
        }
    }

    /// The value of the innermost container, all of which is converted.
    fn finish(&mut self) -> Variant<S> {
        match self.open.pop() {
            Some(Open::Array { types: (from, to), element, shared, made, .. }) => {
                let mut array = Array::from(made);
                array.set_shared(shared);
                let element = element.and_then(|element| self.fitting(element, from, &array));
                match (to, element) {
                    (VariantType::TypedArray, Some(element)) => {
                        Variant::TypedArray(Box::new(TypedArray { element, elements: array }))
                    }
                    (VariantType::PackedTypedArray, Some(element)) => {
                        Variant::PackedTypedArray(Box::new(TypedArray { element, elements: array }))
                    }
                    (_, element) => {
                        array.set_element_type(element);
                        Variant::Array(array)
                    }
                }
            }
            Some(Open::Dictionary { types: [key, value], shared, pairs, .. }) => {
                let mut pairs = Dictionary::from(pairs.into_pairs());
                pairs.set_shared(shared);
                pairs.set_types(key, value);
                Variant::Dictionary(pairs)
            }
            Some(Open::Object { made: MadeObject::Object(object), .. }) => {
                Variant::Object(Object::Full(object))
            }
            Some(Open::Object { made: MadeObject::Dictionary(pairs), .. }) => {
                let mut pairs = Dictionary::from(pairs.into_pairs());
                pairs.set_shared(self.shared(true));
                Variant::Dictionary(pairs)
            }
            None => Variant::Nil,
        }
    }

    /// The element type, if what the elements became still is of it. (Between releases of one engine
    /// they stay what they are.)
    fn fitting(
        &mut self,
        element: ElementType,
        container: VariantType,
        array: &[Variant<S>],
    ) -> Option<ElementType> {
        if self.pair.is_same_engine() || array.iter().all(|value| is_element_of(&element, value)) {
            return Some(element);
        }
        self.lose_element_type(&element, container);
        None
    }

    pub(super) fn null_object(&self) -> Variant<S> {
        match self.pair.to.rules().null_object {
            crate::dialect::NullObject::Nil => Variant::Nil,
            crate::dialect::NullObject::Object => Variant::Object(Object::Null),
        }
    }

    /// A text in the target.
    pub(super) fn text(&mut self, text: VariantString, of: VariantType) -> VariantString {
        if text_bytes(self.pair.to.rules(), &text, 0).is_ok() {
            return text;
        }
        let nearest = nearest_text(&text, self.pair);
        self.lose(LossKind::Characters, of, quoted(&text), quoted(&nearest));
        nearest
    }

    /// Lists a loss of the value that is being converted.
    #[cold]
    pub(super) fn lose(
        &mut self,
        kind: LossKind,
        variant_type: VariantType,
        found: String,
        nearest: String,
    ) {
        let (path, place) = self.whereabouts();
        let why = format!("{} {}", self.pair.to, kind.description());
        (self.note)(Loss { kind, path, place, variant_type, found, nearest, why });
    }

    /// Where the value is that is being converted.
    fn whereabouts(&self) -> (Path, String) {
        let mut path = Path::default();
        let mut places = Vec::new();
        for open in &self.open {
            match open {
                Open::Array { types: (from, _), made, .. } => {
                    path.push(Step::Field(from.path_name()));
                    path.push(Step::Index(made.len() as u64));
                    places.push(made.len().to_string());
                }
                Open::Dictionary { read, next, key, .. } => {
                    let index = read.saturating_sub(1);
                    path.push(Step::Field(VariantType::Dictionary.path_name()));
                    path.push(Step::Index(index as u64));
                    path.push(Step::Field(if next.is_some() { "key" } else { "value" }));
                    places.push(match key {
                        Some(key) => step(key, index),
                        None => format!("key [{index}]"),
                    });
                }
                Open::Object { read, name, .. } => {
                    let index = read.saturating_sub(1);
                    path.push(Step::Field(VariantType::Object.path_name()));
                    path.push(Step::Field("properties"));
                    path.push(Step::Index(index as u64));
                    places.push(super::place::short(name));
                }
            }
        }
        (path, join(&places))
    }
}

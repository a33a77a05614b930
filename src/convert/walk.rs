//! Goes through a value and puts the converted one together.
//!
//! The containers under way are a list instead of recursion, as in the codec: depth costs no stack,
//! and where a loss is can be read off the list.

use super::counterpart::{CLASS, Pair, narrowed};
use super::loss::{Loss, LossKind};
use super::nearest::{nearest, nearest_text};
use super::open::{MadeObject, Open, whereabouts};
use super::place::{describe, quoted};
use crate::variant::codec::text_bytes;
use crate::variant::dialect::{NullObject, ObjectForms};
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, KeySet, Object, Real, TypedArray, Variant,
    VariantString, VariantType,
};

/// What has an element type.
#[derive(Clone, Copy)]
pub(super) enum Typed {
    /// The elements of an array of this type.
    Elements(VariantType),
    /// The keys of a dictionary.
    Keys,
    /// The values of a dictionary.
    Values,
}

impl Typed {
    pub(super) const fn container(self) -> VariantType {
        match self {
            Self::Elements(array) => array,
            Self::Keys | Self::Values => VariantType::Dictionary,
        }
    }
}

/// A conversion under way.
pub(super) struct Walk<'n, R: Real, S: Real> {
    pub(super) pair: Pair,
    depth: usize,
    note: &'n mut dyn FnMut(Loss),
    /// The containers around the value that is being converted, the outermost first.
    open: Vec<Open<R, S>>,
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
        let value = self.of_known_type(value);
        if value.container().is_none() {
            return Some(self.leaf(value));
        }
        if let Variant::Array(mut array) = value {
            let element = array.element_type().cloned();
            array.set_element_type(None);
            self.array(VariantType::Array, element, array)
        } else if let Variant::TypedArray(typed) = value {
            let TypedArray { element, elements } = *typed;
            self.array(VariantType::TypedArray, Some(element), elements)
        } else if let Variant::PackedTypedArray(typed) = value {
            let TypedArray { element, elements } = *typed;
            self.array(VariantType::PackedTypedArray, Some(element), elements)
        } else if let Variant::Dictionary(pairs) = value {
            self.dictionary(pairs)
        } else if let Variant::Object(Object::Full(object)) = value {
            self.object(*object)
        } else {
            debug_assert!(false, "a container that is not opened");
            Some(self.leaf(value))
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
        let (mut value, rounded) = nearest(value, self.pair);
        if self.pair.from.rules().shared_containers {
            // What was made of it here is as scripts make it.
            if let Variant::Array(array) = &mut value {
                array.set_shared(true);
            } else if let Variant::Dictionary(pairs) = &mut value {
                pairs.set_shared(true);
            }
        }
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
        let element =
            element.and_then(|element| self.element_type(element, Typed::Elements(from), typed));
        let to = match &element {
            None => VariantType::Array,
            Some(_) if self.pair.to.rules().typed_arrays => VariantType::Array,
            Some(_) if from == VariantType::PackedTypedArray => from,
            Some(_) => VariantType::TypedArray,
        };
        let shared = self.shared(array.is_shared(), from);
        let source = array.into_vec().into_iter();
        let made = Vec::with_capacity(source.len());
        self.enter(Open::Array { types: (from, to), element, shared, source, made })
    }

    fn dictionary(&mut self, mut pairs: Dictionary<R>) -> Option<Variant<S>> {
        let typed = self.pair.to.rules().typed_dictionaries;
        let (key, value) = (pairs.key_type().cloned(), pairs.value_type().cloned());
        let key = key.and_then(|key| self.element_type(key, Typed::Keys, typed));
        let value = value.and_then(|value| self.element_type(value, Typed::Values, typed));
        let types = [key, value];
        pairs.set_types(None, None);
        let shared = self.shared(pairs.is_shared(), VariantType::Dictionary);
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
    /// arrays and dictionaries are to all later engines. A container without it is a loss there: back in
    /// Godot 2 it would have the mark.
    fn shared(&mut self, is_shared: bool, of: VariantType) -> bool {
        let (from, to) = (self.pair.from.rules(), self.pair.to.rules());
        if !is_shared && LossKind::Shared.applies(self.pair) {
            let name = self.pair.from.type_name(of);
            let (found, nearest) =
                (format!("{name} that is not shared"), format!("{name} that is"));
            self.lose(LossKind::Shared, of, found, nearest);
        }
        to.shared_containers && (is_shared || !from.shared_containers)
    }

    /// Opens a container, without its content where that would lie too deep.
    fn enter(&mut self, mut open: Open<R, S>) -> Option<Variant<S>> {
        if self.open.len() >= self.depth && open.empty() {
            let (variant_type, count) = open.type_and_content();
            let found = format!("the {count} at depth {}", self.open.len() + 1);
            self.lose(LossKind::Depth, variant_type, found, "nothing".into());
        }
        self.open.push(open);
        None
    }

    /// The next value of the innermost container.
    fn next(&mut self) -> Option<Variant<R>> {
        let value = self.open.last_mut()?.next()?;
        match self.open.last() {
            Some(Open::Object { name, .. }) if *name == "script" => Some(self.script(value)),
            _ => Some(value),
        }
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
        let to = self.pair.to;
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
                    let there = pairs.insert(key, value);
                    there.map(|key| (VariantType::Dictionary, describe(key, to)))
                }
            },
            Some(Open::Object { made: MadeObject::Object(object), .. }) => {
                object.properties.push((name.unwrap_or_default(), value));
                None
            }
            Some(Open::Object { made: MadeObject::Dictionary(pairs), .. }) => {
                let there = pairs.insert(Variant::String(name.unwrap_or_default()), value);
                there.map(|key| (VariantType::Object, describe(key, to)))
            }
            None => None,
        };
        if let Some((variant_type, key)) = there {
            let nearest = "one pair with the last value".into();
            self.lose(LossKind::Key, variant_type, key, nearest);
        }
    }

    /// The value of the innermost container, all of which is converted.
    fn finish(&mut self) -> Variant<S> {
        match self.open.pop() {
            Some(Open::Array { types: (from, to), element, shared, made, .. }) => {
                let mut array = Array::from(made);
                array.set_shared(shared);
                let element = element
                    .and_then(|element| self.fitting(element, Typed::Elements(from), &array));
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
                // What Godot 2 is told of a dictionary that was made here, as scripts make them.
                pairs.set_shared(self.pair.to.rules().shared_containers);
                Variant::Dictionary(pairs)
            }
            None => Variant::Nil,
        }
    }

    pub(super) fn null_object(&self) -> Variant<S> {
        match self.pair.to.rules().null_object {
            NullObject::Nil => Variant::Nil,
            NullObject::Object => Variant::Object(Object::Null),
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
        let (path, place) = whereabouts(&self.open);
        let why = format!("{} {}", self.pair.to, kind.description());
        (self.note)(Loss { kind, path, place, variant_type, found, nearest, why });
    }
}

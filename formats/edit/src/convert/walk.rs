//! Walks through a value and builds the converted one.
//!
//! The open containers are in a [`Builder`], each with the rest that is still to be converted: depth costs no stack,
//! and the builder gives the place of a loss.

use super::counterpart::{CLASS, Pair, narrowed};
use super::loss::{Loss, LossKind};
use super::nearest::{nearest, nearest_text};
use super::open::{Source, whereabouts};
use super::place::{describe, quoted};
use formwork_variant::codec::text_bytes;
use formwork_variant::dialect::{NullObject, ObjectForms};
use formwork_variant::parts::{Builder, Contents, Front, Making};
use formwork_variant::{Object, Real, Variant, VariantString, VariantType};

/// The parts of a container that have an element type.
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
    /// The containers around the value that is being converted, each with the rest that is still to be converted.
    builder: Builder<S, Source<R>>,
}

impl<'n, R: Real, S: Real> Walk<'n, R, S> {
    pub(super) fn new(pair: Pair, depth: u32, note: &'n mut dyn FnMut(Loss)) -> Self {
        Self { pair, depth: depth as usize, note, builder: Builder::new() }
    }

    pub(super) fn convert(mut self, value: Variant<R>) -> Variant<S> {
        let mut made = self.start(value);
        loop {
            made = match made {
                Some(value) => match self.take(value) {
                    Some(whole) => return whole,
                    None => None,
                },
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
        let Some(container) = value.container() else { return Some(self.leaf(value)) };
        let front = Front::of(container);
        let contents = Contents::of(value);
        if front.variant_type == VariantType::Dictionary {
            self.dictionary(front, contents);
        } else if front.variant_type == VariantType::Object {
            let class = front.class.map(|class| *class).unwrap_or_default();
            return self.object(class, contents);
        } else {
            self.array(front, contents);
        }
        None
    }

    /// Returns the value, or its nearest form if the target lacks its type.
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
        if self.pair.from.quirks().shared_containers {
            // An array that the conversion made has the mark, as if scripts had made it.
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

    fn array(&mut self, front: Front, contents: Contents<R>) {
        let (from, [element, _]) = (front.variant_type, front.types);
        let typed = self.pair.has_typed_arrays();
        let element =
            element.and_then(|element| self.element_type(*element, Typed::Elements(from), typed));
        let to = match &element {
            None => VariantType::Array,
            Some(_) if self.pair.to.quirks().typed_arrays => VariantType::Array,
            Some(_) if from == VariantType::PackedTypedArray => from,
            Some(_) => VariantType::TypedArray,
        };
        let shared = self.shared(front.shared, from);
        let made = Front::new(to).typed(element, None).shared(shared);
        self.enter(made, 0, Source::new(from, contents));
    }

    fn dictionary(&mut self, front: Front, contents: Contents<R>) {
        let typed = self.pair.to.quirks().typed_dictionaries;
        let [key, value] = front.types;
        let key = key.and_then(|key| self.element_type(*key, Typed::Keys, typed));
        let value = value.and_then(|value| self.element_type(*value, Typed::Values, typed));
        let shared = self.shared(front.shared, VariantType::Dictionary);
        let made = Front::new(VariantType::Dictionary).typed(key, value).shared(shared);
        self.enter(made, 0, Source::new(VariantType::Dictionary, contents));
    }

    fn object(&mut self, class: VariantString, contents: Contents<R>) -> Option<Variant<S>> {
        let keeps =
            self.pair.is_same_engine() && self.pair.to.quirks().objects == ObjectForms::IdOrFull;
        if keeps && class.is_empty() {
            let found = "object without a class".into();
            self.lose(LossKind::Object, VariantType::Object, found, "null".into());
            return Some(self.null_object());
        }
        let source = Source::new(VariantType::Object, contents);
        if keeps {
            let class = self.text(class, VariantType::Object);
            self.enter(Front::object(class), 0, source);
            return None;
        }
        let nearest = format!("Dictionary with {CLASS} {}", quoted(&class));
        let found = format!("object of class {}", quoted(&class));
        self.lose(LossKind::Object, VariantType::Object, found, nearest);
        let class = self.text(class, VariantType::Object);
        // A dictionary that the conversion made has the mark, as if scripts had made it.
        let shared = self.pair.to.quirks().shared_containers;
        self.enter(Front::new(VariantType::Dictionary).shared(shared), 1, source);
        if let Some((made, _)) = self.builder.innermost() {
            made.put(CLASS.into());
            made.put(Variant::String(class));
        }
        None
    }

    /// Returns whether the container has Godot 2's mark: there, containers made by scripts have it, and it means the
    /// same as every array and dictionary in all later engines. A container without it is a loss there: back in
    /// Godot 2 it would have the mark.
    fn shared(&mut self, is_shared: bool, of: VariantType) -> bool {
        let (from, to) = (self.pair.from.quirks(), self.pair.to.quirks());
        if !is_shared && LossKind::Shared.applies(self.pair) {
            let name = self.pair.from.type_name(of);
            let (found, nearest) =
                (format!("{name} that is not shared"), format!("{name} that is"));
            self.lose(LossKind::Shared, of, found, nearest);
        }
        to.shared_containers && (is_shared || !from.shared_containers)
    }

    /// Opens a container with room for `more` pairs than it holds; without its contents if these would be nested too
    /// deeply.
    fn enter(&mut self, made: Front, more: usize, mut source: Source<R>) {
        let room = source.len() + more;
        if self.builder.depth() >= self.depth && source.len() > 0 {
            let noun = source.noun();
            source.empty();
            let found = format!("the {noun} at depth {}", self.builder.depth() + 1);
            self.lose(LossKind::Depth, source.variant_type, found, "nothing".into());
        }
        let keys = Some(self.pair.to.quirks().same_keys);
        self.builder.open(Making::new(made, room, keys), source);
    }

    /// The next value of the innermost container.
    fn next(&mut self) -> Option<Variant<R>> {
        let (_, source) = self.builder.innermost()?;
        let value = source.next()?;
        if source.name == "script" { Some(self.script(value)) } else { Some(value) }
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

    /// Puts a converted value into the innermost container; returns it if there is none.
    fn take(&mut self, value: Variant<S>) -> Option<Variant<S>> {
        let Some((_, source)) = self.builder.innermost() else { return Some(value) };
        let of = source.variant_type;
        let name = std::mem::take(&mut source.name);
        if of == VariantType::Object {
            let name = self.text(name, of);
            if let Some((making, _)) = self.builder.innermost() {
                if making.front.variant_type == VariantType::Object {
                    making.name(name);
                } else {
                    making.put(Variant::String(name));
                }
            }
        }
        let to = self.pair.to;
        let (making, _) = self.builder.innermost()?;
        if let Some(key) = making.put(value).map(|key| describe(key, to)) {
            self.lose(LossKind::Key, of, key, "one pair with the last value".into());
        }
        None
    }

    /// Returns the value of the innermost container, which is completely converted.
    fn finish(&mut self) -> Variant<S> {
        let Some((mut making, source)) = self.builder.close() else { return Variant::Nil };
        if making.front.variant_type != VariantType::Dictionary
            && let Some(element) = making.front.types[0].take()
        {
            let of = Typed::Elements(source.variant_type);
            match self.fitting(*element, of, making.elements()) {
                Some(element) => making.front.types[0] = Some(Box::new(element)),
                None => making.front.variant_type = VariantType::Array,
            }
        }
        making.finish()
    }

    pub(super) fn null_object(&self) -> Variant<S> {
        match self.pair.to.quirks().null_object {
            NullObject::Nil => Variant::Nil,
            NullObject::Object => Variant::Object(Object::Null),
        }
    }

    /// A text in the target.
    pub(super) fn text(&mut self, text: VariantString, of: VariantType) -> VariantString {
        if text_bytes(self.pair.to.quirks(), &text, 0).is_ok() {
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
        let (path, place) = whereabouts(&self.builder);
        let why = format!("{} {}", self.pair.to, kind.description());
        (self.note)(Loss { kind, path, place, variant_type, found, nearest, why });
    }
}

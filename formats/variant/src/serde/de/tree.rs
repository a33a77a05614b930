//! The events of a value in memory.

#![deny(clippy::wildcard_enum_match_arm)]

use super::source::{AnySource, Mark, Source, Text, name_of};
use crate::codec::{Begin, Event, Held, Leaf, RawNumbers};
use crate::serde::rule;
use crate::{
    Container, Event as Step, Front, Numbers, Object, Payload, Real, Variant, VariantString,
    VariantType, Walk,
};
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::wire::{Number, NumberList};

/// Returns the numbers as in a packet, and whether real numbers have 64 bits.
fn raw<R: Real>(numbers: Numbers<'_, R>) -> Held {
    fn bytes<N: Number>(list: &dyn NumberList<N>) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(list.count() * size_of::<N>());
        list.for_each(&mut |number| bytes.extend_from_slice(bytemuck::bytes_of(&number.little())));
        bytes
    }
    match numbers {
        Numbers::Real(list) => Held::Numbers(R::DOUBLE, bytes(list)),
        Numbers::Single(list) => Held::Numbers(false, bytes(list)),
        Numbers::Double(list) => Held::Numbers(false, bytes(list)),
        Numbers::Int(list) => Held::Numbers(false, bytes(list)),
        Numbers::Long(list) => Held::Numbers(false, bytes(list)),
    }
}

/// A value in memory, and the progress in reading it.
pub(super) struct Tree<'v, 'de, R: Real> {
    walk: Walk<'v, R>,
    /// The offset of the value in the input.
    offset: u64,
    /// The type of the value that was read last, if it holds no others.
    inside: Option<VariantType>,
    /// Whether the name of a property was read, so that its value comes next.
    is_named: bool,
    /// The number of containers around the root.
    around: usize,
    held: Held,
    /// Lends text and bytes of the value, if it lives as long as what is made of it.
    lend: fn(&'v [u8]) -> Option<&'de [u8]>,
}

impl<'v, R: Real> Tree<'v, 'v, R> {
    /// Reads a value that lives as long as what is made of it.
    pub(super) fn lent(root: &'v Variant<R>) -> Self {
        Self::with(root, 0, Some)
    }
}

impl<'v, 'de, R: Real> Tree<'v, 'de, R> {
    /// Reads a value at this offset that is dropped before what is made of it.
    pub(super) fn new(root: &'v Variant<R>, offset: u64) -> Self {
        Self::with(root, offset, |_| None)
    }

    fn with(root: &'v Variant<R>, offset: u64, lend: fn(&'v [u8]) -> Option<&'de [u8]>) -> Self {
        let (walk, held) = (Walk::new(root), Held::Nothing);
        Self { walk, offset, inside: None, is_named: false, around: 0, held, lend }
    }

    /// Reads the value inside of this number of containers.
    pub(super) fn inside(mut self, containers: usize) -> Self {
        self.around = containers;
        self
    }

    fn peek(&self) -> Result<Step<'v, R>> {
        // Reached only by a visitor that reads more values than there are.
        let none = || Error::new(rule::LENGTH, 0, "a value", "none").nowhere();
        self.walk.peek::<()>().ok_or_else(none)
    }

    /// Returns the text, borrowed if possible; otherwise the tree holds it.
    fn text(&mut self, text: &'v VariantString) -> Option<&'de str> {
        let lent = text.as_str().and_then(|text| (self.lend)(text.as_bytes()));
        let lent = lent.and_then(|bytes| std::str::from_utf8(bytes).ok());
        if lent.is_none() {
            self.held = Held::Text(text.clone());
        }
        lent
    }

    /// Enters a container.
    fn open(&mut self, container: Container<'v, R>) -> Event<'de> {
        let front = Front::of(container);
        let says_more = front.says_more() || front.class.is_some();
        // A count that does not fit cannot be in memory.
        let count = u32::try_from(container.len()).unwrap_or(u32::MAX);
        self.walk.enter(container, ());
        self.inside = None;
        self.held = Held::Front(front);
        Event::Begin(Begin::new(container.variant_type(), count, says_more))
    }

    /// Returns the event of a value.
    fn value(&mut self, value: &'v Variant<R>) -> Event<'de> {
        let variant_type = value.variant_type();
        self.inside = Some(variant_type);
        let held = match value.payload() {
            Payload::Nil => return Event::Leaf(Leaf::Nil),
            Payload::Bool(value) => return Event::Leaf(Leaf::Bool(value)),
            Payload::Int(number) => return Event::Leaf(Leaf::Int(number)),
            Payload::Float(number) => return Event::Leaf(Leaf::Float(number)),
            Payload::Rid(id) => return Event::Leaf(Leaf::Rid(id)),
            Payload::Callable => return Event::Leaf(Leaf::Callable),
            Payload::Object(Object::Null) => return Event::Leaf(Leaf::NullObject),
            Payload::Object(Object::Id(id)) => return Event::Leaf(Leaf::ObjectId(*id)),
            Payload::Object(Object::Full(object)) => return self.open(Container::Object(object)),
            Payload::Dictionary(pairs) => return self.open(Container::Dictionary(pairs)),
            Payload::Array(array) => return self.open(Container::Array(array)),
            Payload::TypedArray(typed) => return self.open(Container::TypedArray(typed)),
            Payload::PackedTypedArray(typed) => {
                return self.open(Container::PackedTypedArray(typed));
            }
            Payload::String(text) => match self.text(text) {
                Some(text) => return Event::Leaf(Leaf::String(text)),
                None => return Event::Leaf(Leaf::Held(variant_type)),
            },
            Payload::StringName(text) => match self.text(text) {
                Some(text) => return Event::Leaf(Leaf::StringName(text)),
                None => return Event::Leaf(Leaf::Held(variant_type)),
            },
            Payload::PackedByteArray(bytes) => match (self.lend)(bytes) {
                Some(bytes) => return Event::Leaf(Leaf::Bytes(bytes)),
                None => Held::Bytes(bytes.to_vec()),
            },
            Payload::PackedStringArray(texts) => Held::Strings(texts.to_vec()),
            Payload::Numbers(numbers) => raw(numbers),
            Payload::NodePath(path) => Held::NodePath(Box::new(path.clone())),
            Payload::Signal(signal) => Held::Signal(Box::new(signal.clone())),
            Payload::Image(image) => Held::Image(Box::new(image.clone())),
            Payload::InputEvent(event) => Held::InputEvent(*event),
        };
        self.held = held;
        Event::Leaf(Leaf::Held(variant_type))
    }
}

impl<'de, R: Real> Source<'de> for Tree<'_, 'de, R> {
    fn erased(&mut self) -> &mut AnySource<'_, 'de> {
        self
    }

    fn next(&mut self) -> Result<Event<'de>> {
        if self.walk.levels().last().is_some_and(|level| level.is_done()) {
            self.walk.leave(self.walk.depth().saturating_sub(1));
            return Ok(Event::End);
        }
        let step = self.peek()?;
        if let Step::Property(name, _) = step
            && !std::mem::take(&mut self.is_named)
        {
            self.is_named = true;
            return Ok(Event::Name(self.text(name)));
        }
        // The end of a container was found above.
        Ok(step.value().map_or(Event::End, |value| self.value(value)))
    }

    fn property(&mut self) -> Result<Option<Text<'de>>> {
        let is_object = self.walk.levels().last().is_some_and(|level| level.is_at_property());
        is_object.then(|| self.next().map(|name| name_of(self, name))).transpose()
    }

    fn advance(&mut self) {
        self.inside = None;
        self.walk.advance();
    }

    fn held(&mut self) -> Held {
        std::mem::take(&mut self.held)
    }

    fn mark(&self) -> Mark {
        Mark { depth: self.walk.depth(), at: 0 }
    }

    fn depth(&self) -> usize {
        self.walk.depth()
    }

    fn nesting(&self) -> usize {
        self.around + self.walk.depth()
    }

    fn last(&self) -> usize {
        0
    }

    fn left(&self) -> usize {
        self.walk.levels().last().map_or(0, |level| level.left() as usize)
    }

    fn next_key(&mut self) -> Option<String> {
        let Ok(Step::Key(Variant::String(text))) = self.peek() else { return None };
        text.as_str().map(str::to_owned)
    }

    fn check_numbers(&self, numbers: RawNumbers<'_>, in_double: bool) -> Result<()> {
        numbers.fit(in_double, false, false, self.offset)
    }

    fn give_up(&mut self, mark: Mark, with_type: bool) -> u64 {
        self.walk.leave(mark.depth);
        // A mark in an object is that of a value, whose name was read.
        self.is_named = self.walk.levels().last().is_some_and(|level| level.is_at_property());
        let value = self.peek().ok().and_then(|step| step.value()).filter(|_| with_type);
        self.inside = value.map(Variant::variant_type);
        self.offset
    }

    fn path(&self) -> Path {
        let mut path = crate::path(self.walk.levels());
        if let Some(inside) = self.inside {
            path.push(PathSegment::Field(inside.path_name()));
        }
        path
    }
}

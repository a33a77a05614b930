//! Events: the steps of a reader of packets.

use super::Reader;
use super::numbers::RawNumbers;
use crate::{
    Front, Image, InputEvent, NodePath, Object, Real, Signal, Variant, VariantString, VariantType,
};
use formwork::Result;

/// A step through a value.
///
/// (An event is `Copy` and owns nothing: dropping one that might own something takes 10 to 20 instructions.)
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A value that holds no others.
    Leaf(Leaf<'a>),
    /// The start of a container; its values come next.
    Begin(Begin),
    /// The name of a property, whose value comes next. Without a text, the reader [holds](Held) the name.
    Name(Option<&'a str>),
    /// The end of the innermost container.
    End,
}

/// A value that holds no others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Leaf<'a> {
    /// Nil.
    Nil,
    /// A bool.
    Bool(bool),
    /// An int.
    Int(i64),
    /// A float.
    Float(f64),
    /// A String with the same bytes in the packet and in memory.
    String(&'a str),
    /// A StringName with the same bytes in the packet and in memory.
    StringName(&'a str),
    /// The bytes of a PackedByteArray.
    Bytes(&'a [u8]),
    /// A math type or a packed array of numbers.
    Numbers(RawNumbers<'a>),
    /// A RID.
    Rid(u64),
    /// No object.
    NullObject,
    /// The number of an object.
    ObjectId(u64),
    /// A Callable, of which nothing is stored.
    Callable,
    /// A value that the reader had to make and [holds](Held).
    Held(VariantType),
    /// A value that takes memory, which the reader checked and did not create.
    Passed(VariantType),
}

/// The front of a container.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Begin {
    /// The type of the container.
    pub variant_type: VariantType,
    /// The number of elements, pairs or properties in the container.
    pub count: u32,
    /// The reader [holds](Held) a front with attributes besides the type.
    pub(super) says_more: bool,
}

/// A value that a source made for its last event and could not borrow.
#[derive(Debug, Default)]
#[non_exhaustive]
pub enum Held {
    /// None.
    #[default]
    Nothing,
    /// A String, a StringName or the name of a property.
    Text(VariantString),
    /// A NodePath.
    NodePath(Box<NodePath>),
    /// A Signal.
    Signal(Box<Signal>),
    /// A PackedByteArray.
    Bytes(Vec<u8>),
    /// A PackedStringArray.
    Strings(Vec<VariantString>),
    /// An Image of Godot 2.
    Image(Box<Image>),
    /// An InputEvent of Godot 2.
    InputEvent(InputEvent),
    /// The numbers of a math type or packed array as in a packet, and whether real numbers have 64 bits.
    Numbers(bool, Vec<u8>),
    /// The attributes of a container that begins.
    Front(Front),
}

impl Begin {
    /// Describes a container with `count` elements, pairs or properties. `says_more` means that it has attributes besides
    /// its type, such as the type of its elements.
    #[must_use]
    pub const fn new(variant_type: VariantType, count: u32, says_more: bool) -> Self {
        Self { variant_type, count, says_more }
    }

    /// Returns whether the container has attributes besides its type.
    #[must_use]
    pub const fn says_more(self) -> bool {
        self.says_more
    }

    /// Returns whether the container is an array of any kind.
    #[must_use]
    pub const fn is_array(self) -> bool {
        !matches!(self.variant_type, VariantType::Dictionary | VariantType::Object)
    }

    /// Returns the number of packets and names directly in the container.
    #[cfg(feature = "serde")]
    pub(crate) const fn values(self) -> u64 {
        if self.is_array() { self.count as u64 } else { 2 * self.count as u64 }
    }
}

impl Leaf<'_> {
    /// Returns the type of the value.
    #[inline(always)]
    #[must_use]
    pub const fn variant_type(self) -> VariantType {
        match self {
            Self::Nil => VariantType::Nil,
            Self::Bool(_) => VariantType::Bool,
            Self::Int(_) => VariantType::Int,
            Self::Float(_) => VariantType::Float,
            Self::String(_) => VariantType::String,
            Self::StringName(_) => VariantType::StringName,
            Self::Bytes(_) => VariantType::PackedByteArray,
            Self::Numbers(numbers) => numbers.variant_type,
            Self::Rid(_) => VariantType::Rid,
            Self::NullObject | Self::ObjectId(_) => VariantType::Object,
            Self::Callable => VariantType::Callable,
            Self::Held(variant_type) | Self::Passed(variant_type) => variant_type,
        }
    }
}

impl Leaf<'_> {
    /// Returns whether the leaf is all of the value: null, a bool, an int, a float, or letters and bytes as they are in
    /// the packet.
    pub(super) const fn is_shown(self) -> bool {
        match self {
            Self::Nil
            | Self::Bool(_)
            | Self::Int(_)
            | Self::Float(_)
            | Self::String(_)
            | Self::StringName(_)
            | Self::Bytes(_) => true,
            Self::Numbers(_)
            | Self::Rid(_)
            | Self::NullObject
            | Self::ObjectId(_)
            | Self::Callable
            | Self::Held(_)
            | Self::Passed(_) => false,
        }
    }

    /// Makes the value. `held` returns what was made for the leaf.
    #[inline(always)]
    pub(crate) fn value<R: Real>(self, held: impl FnOnce() -> Held) -> Variant<R> {
        match self {
            Self::Nil | Self::Passed(_) => Variant::Nil,
            Self::Bool(value) => Variant::Bool(value),
            Self::Int(number) => Variant::Int(number),
            Self::Float(number) => Variant::Float(number),
            Self::String(text) => Variant::String(text.into()),
            Self::StringName(text) => Variant::StringName(text.into()),
            Self::Bytes(bytes) => Variant::PackedByteArray(bytes.to_vec()),
            Self::Numbers(numbers) => numbers.value(),
            Self::Rid(id) => Variant::Rid(id),
            Self::NullObject => Variant::Object(Object::Null),
            Self::ObjectId(id) => Variant::Object(Object::Id(id)),
            Self::Callable => Variant::Callable,
            Self::Held(variant_type) => held().value(variant_type),
        }
    }
}

impl Held {
    /// Returns the value of this type that was made.
    #[cold]
    #[inline(never)]
    pub(crate) fn value<R: Real>(self, variant_type: VariantType) -> Variant<R> {
        match self {
            Self::Text(name) if variant_type == VariantType::StringName => {
                Variant::StringName(name)
            }
            Self::Text(text) => Variant::String(text),
            Self::NodePath(path) => Variant::NodePath(path),
            Self::Signal(signal) => Variant::Signal(signal),
            Self::Bytes(bytes) => Variant::PackedByteArray(bytes),
            Self::Strings(texts) => Variant::PackedStringArray(texts),
            Self::Image(image) => Variant::Image(image),
            Self::InputEvent(event) => Variant::InputEvent(event),
            Self::Nothing | Self::Front(_) => Variant::Nil,
            Self::Numbers(wide, bytes) => RawNumbers::new(variant_type, wide, &bytes).value(),
        }
    }
}

/// A source of events: packets, or values that are encoded otherwise and share the state of a [`Reader`].
pub trait Events<'a, 'n> {
    /// Returns the reader, which has the input and the open containers.
    fn reader(&mut self) -> &mut Reader<'a, 'n>;

    /// Reads the start of the next value. A payload that takes memory is created if the caller `wants` it, and
    /// otherwise checked and skipped.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no value.
    fn first(&mut self, wants: bool) -> Result<Event<'a>>;

    /// Reads the name of a property, whose value comes next.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no name.
    fn property(&mut self) -> Result<Event<'a>>;

    /// Goes one step further through the open container: to the name of a property, to a value, as
    /// [`first`](Self::first) does, or to the end.
    ///
    /// After a leaf and after the end of a container that is in another one, [`Reader::advance`] is called.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are not what comes next.
    #[inline(always)]
    fn step(&mut self, wants: bool) -> Result<Event<'a>> {
        let reader = self.reader();
        let level = reader.open.innermost();
        if level.is_done() {
            reader.open.pop();
            return Ok(Event::End);
        }
        if level.is_at_property() && !std::mem::take(&mut reader.is_named) {
            let name = self.property()?;
            self.reader().is_named = true;
            return Ok(name);
        }
        self.first(wants)
    }
}

impl<'a> Reader<'a, '_> {
    /// Makes the value of the leaf that was read last.
    #[inline(always)]
    pub(crate) fn value_of<R: Real>(&mut self, leaf: Leaf<'a>) -> Variant<R> {
        leaf.value(|| std::mem::take(&mut self.held))
    }

    /// Takes the front of the container that was opened last.
    #[inline(always)]
    pub(crate) fn front_of(&mut self, begin: Begin) -> Front {
        if begin.says_more
            && let Held::Front(front) = std::mem::take(&mut self.held)
        {
            return front;
        }
        Front::new(begin.variant_type)
    }

    /// Takes the name of a property that was read last.
    pub(crate) fn name_of(&mut self, name: Option<&str>) -> VariantString {
        match (name, std::mem::take(&mut self.held)) {
            (Some(name), _) => name.into(),
            (None, Held::Text(name)) => name,
            (None, _) => VariantString::default(),
        }
    }

    /// Keeps a value that was made until the receiver of the event takes it.
    #[cold]
    #[inline(never)]
    pub fn hold(&mut self, variant_type: VariantType, held: Held) -> Leaf<'a> {
        self.held = held;
        Leaf::Held(variant_type)
    }
}

//! serde's `Serializer` over a sink.

use ::serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::flat::Collected;
use super::sink::Sink;
use crate::error::{Error, Result, Rule};
use crate::serde::types::{self, from_payload, named_type};
use crate::serde::{DEPTH, from_variant, numbers, to_variant_in};
use crate::variant::codec;
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, Object, TypedArray, Variant, VariantType,
};

/// What a value is a part of, where it is one of the crate's own.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Role {
    /// A value of its own.
    Whole,
    /// A tag and what it stands for: a map that is not written.
    Tagged,
    /// What a container or object consists of: a struct whose last field is what it holds.
    Parts(VariantType),
    /// What an open container holds.
    Held(VariantType),
    /// A pair of an open dictionary, or a property of an open object.
    Pair(VariantType),
}

/// Gives a value to a sink.
pub(super) struct Writer<'s> {
    sink: &'s mut (dyn Sink + 's),
    role: Role,
}

/// Gives what a container holds to a sink.
pub(super) struct Compound<'s> {
    sink: &'s mut (dyn Sink + 's),
    /// How many containers it opened.
    opened: u8,
    role: Role,
    /// Parts of a pair that were given.
    taken: u8,
    parts: Small,
}

/// What a container has besides what it holds.
#[derive(Default)]
struct Small {
    element: Option<ElementType>,
    value: Option<ElementType>,
    shared: bool,
    class: crate::variant::VariantString,
}

impl Small {
    fn take(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        let value: Variant<f32> = to_variant_in(value)?;
        match name {
            "element" | "key" => self.element = from_variant(&value)?,
            "value" => self.value = from_variant(&value)?,
            "shared" => self.shared = from_variant(&value)?,
            _ => self.class = from_variant(&value)?,
        }
        Ok(())
    }

    /// The container with nothing in it.
    fn empty(&mut self, variant_type: VariantType) -> Variant<f32> {
        let element = self.element.take();
        match variant_type {
            VariantType::Dictionary => {
                let mut dictionary = Dictionary::new();
                dictionary.set_shared(self.shared);
                dictionary.set_types(element, self.value.take());
                Variant::Dictionary(dictionary)
            }
            VariantType::Object => {
                let class = std::mem::take(&mut self.class);
                let object = FullObject { class, properties: Vec::new() };
                Variant::Object(Object::Full(Box::new(object)))
            }
            VariantType::TypedArray | VariantType::PackedTypedArray => {
                let mut elements = Array::new();
                elements.set_shared(self.shared);
                let element = element.unwrap_or(ElementType::Builtin(VariantType::Nil));
                let typed = Box::new(TypedArray { element, elements });
                if variant_type == VariantType::TypedArray {
                    Variant::TypedArray(typed)
                } else {
                    Variant::PackedTypedArray(typed)
                }
            }
            _ => {
                let mut array = Array::new();
                array.set_shared(self.shared);
                array.set_element_type(element);
                Variant::Array(array)
            }
        }
    }
}

impl<'s> Writer<'s> {
    pub(super) fn new(sink: &'s mut (dyn Sink + 's)) -> Self {
        Self { sink, role: Role::Whole }
    }

    /// Refuses a value that is too deep.
    fn sink(self) -> Result<&'s mut (dyn Sink + 's)> {
        if self.sink.depth() > DEPTH as usize {
            let expected = format!("at most {DEPTH} containers around a value");
            return Err(Error::new(Rule::DEPTH_LIMIT, Error::NOWHERE, expected, "one more"));
        }
        Ok(self.sink)
    }

    fn leaf(self, value: Variant<f32>) -> Result<()> {
        self.sink()?.leaf(value)
    }

    fn open(self, empty: Variant<f32>) -> Result<Compound<'s>> {
        let sink = self.sink()?;
        sink.open(empty)?;
        Ok(Compound { sink, opened: 1, role: Role::Whole, taken: 0, parts: Small::default() })
    }

    /// A variant of an enum: a dictionary of one pair. Its value comes next.
    fn variant(self, name: &str) -> Result<&'s mut (dyn Sink + 's)> {
        let sink = self.sink()?;
        sink.open(Variant::Dictionary(Dictionary::new()))?;
        sink.text(VariantType::String, name)?;
        Ok(sink)
    }

    fn passive(self) -> Compound<'s> {
        let Self { sink, role } = self;
        Compound { sink, opened: 0, role, taken: 0, parts: Small::default() }
    }

    /// One of the crate's own types.
    fn named<T: Serialize + ?Sized>(self, variant_type: VariantType, value: &T) -> Result<()> {
        if numbers::count(variant_type).is_some() {
            let numbers = Collected::of(value)?.math(variant_type)?;
            return self.sink()?.math(variant_type, numbers);
        }
        match variant_type {
            VariantType::Array
            | VariantType::Dictionary
            | VariantType::TypedArray
            | VariantType::PackedTypedArray
            | VariantType::Object => {
                value.serialize(Self { sink: self.sink, role: Role::Parts(variant_type) })
            }
            VariantType::PackedByteArray => {
                value.serialize(Self { sink: self.sink, role: Role::Whole })
            }
            VariantType::String | VariantType::StringName => {
                let text = Collected::of(value)?.text();
                match text.as_str() {
                    Some(text) => self.sink()?.text(variant_type, text),
                    None if variant_type == VariantType::String => self.leaf(Variant::String(text)),
                    None => self.leaf(Variant::StringName(text)),
                }
            }
            VariantType::Float => {
                let number = Collected::of(value)?.float();
                self.leaf(Variant::Float(number))
            }
            VariantType::PackedInt32Array
            | VariantType::PackedInt64Array
            | VariantType::PackedFloat32Array
            | VariantType::PackedFloat64Array
            | VariantType::PackedStringArray => match Collected::of(value)?.plain(variant_type) {
                Some(array) => self.leaf(array),
                None => Err(Error::custom(format_args!(
                    "not the elements of a {}",
                    variant_type.name()
                ))),
            },
            VariantType::NodePath
            | VariantType::Rid
            | VariantType::Callable
            | VariantType::Signal
            | VariantType::Image
            | VariantType::InputEvent => {
                let payload: Variant<f32> = to_variant_in(value)?;
                self.leaf(from_payload(variant_type, &payload)?)
            }
            _ => {
                let collected = Collected::of(value)?;
                self.sink()?.vectors(variant_type, collected)
            }
        }
    }
}

impl Compound<'_> {
    fn end(self) -> Result<()> {
        (0..self.opened).try_for_each(|_| self.sink.close())
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(Writer::new(&mut *self.sink))
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.role {
            Role::Held(variant_type @ (VariantType::Dictionary | VariantType::Object)) => {
                value.serialize(Writer { sink: &mut *self.sink, role: Role::Pair(variant_type) })
            }
            Role::Pair(VariantType::Object) if self.taken == 0 => {
                self.taken = 1;
                self.sink.property(Collected::of(value)?.text())
            }
            _ => self.value(value),
        }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        match (self.role, name) {
            (Role::Parts(variant_type), "elements" | "pairs" | "properties") => {
                let empty = self.parts.empty(variant_type);
                Writer::new(&mut *self.sink).sink()?.open(empty)?;
                let held = Writer { sink: &mut *self.sink, role: Role::Held(variant_type) };
                value.serialize(held)?;
                self.sink.close()
            }
            (Role::Parts(_), name) => self.parts.take(name, value),
            (_, name) => {
                self.sink.text(VariantType::String, name)?;
                self.value(value)
            }
        }
    }
}

macro_rules! integers {
    ($($method:ident $number:ident;)+) => { $(
        fn $method(self, number: $number) -> Result<()> {
            self.leaf(Variant::Int(number.into()))
        }
    )+ };
}

impl<'s> Serializer for Writer<'s> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s>;
    type SerializeTuple = Compound<'s>;
    type SerializeTupleStruct = Compound<'s>;
    type SerializeTupleVariant = Compound<'s>;
    type SerializeMap = Compound<'s>;
    type SerializeStruct = Compound<'s>;
    type SerializeStructVariant = Compound<'s>;

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
    }

    fn serialize_i64(self, number: i64) -> Result<()> {
        match self.role {
            Role::Parts(VariantType::Object) => {
                self.leaf(Variant::Object(Object::Id(number.cast_unsigned())))
            }
            _ => self.leaf(Variant::Int(number)),
        }
    }

    fn serialize_u64(self, number: u64) -> Result<()> {
        match i64::try_from(number) {
            Ok(number) => self.leaf(Variant::Int(number)),
            Err(_) => {
                let expected = "an int of 64 bits with a sign, the only ones that engines have";
                let found = number.to_string();
                Err(Error::new(codec::rule::DIALECT_VALUE, Error::NOWHERE, expected, found))
            }
        }
    }

    fn serialize_bool(self, value: bool) -> Result<()> {
        self.leaf(Variant::Bool(value))
    }

    fn serialize_f32(self, number: f32) -> Result<()> {
        self.leaf(Variant::Float(number.into()))
    }

    fn serialize_f64(self, number: f64) -> Result<()> {
        self.leaf(Variant::Float(number))
    }

    fn serialize_char(self, character: char) -> Result<()> {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        self.sink()?.text(VariantType::String, text)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        self.sink()?.bytes(bytes)
    }

    fn serialize_none(self) -> Result<()> {
        self.leaf(Variant::Nil)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        match self.role {
            Role::Parts(VariantType::Object) => self.leaf(Variant::Object(Object::Null)),
            _ => self.leaf(Variant::Nil),
        }
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.leaf(Variant::Nil)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<()> {
        self.serialize_str(name)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if name == types::TAGGED {
            return value.serialize(Self { sink: self.sink, role: Role::Tagged });
        }
        match named_type(name) {
            Some(variant_type) => self.named(variant_type, value),
            None => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        let sink = self.variant(name)?;
        value.serialize(Writer::new(&mut *sink))?;
        sink.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'s>> {
        match self.role {
            Role::Held(_) => Ok(self.passive()),
            _ => self.open(Variant::Array(Array::new())),
        }
    }

    fn serialize_tuple(self, length: usize) -> Result<Compound<'s>> {
        match self.role {
            Role::Pair(_) => Ok(self.passive()),
            _ => self.serialize_seq(Some(length)),
        }
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Compound<'s>> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Compound<'s>> {
        let sink = self.variant(name)?;
        let inner = Writer::new(sink).open(Variant::Array(Array::new()))?;
        Ok(Compound { opened: 2, ..inner })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'s>> {
        match self.role {
            Role::Tagged => Ok(self.passive()),
            _ => self.open(Variant::Dictionary(Dictionary::new())),
        }
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Compound<'s>> {
        match self.role {
            Role::Parts(_) => Ok(self.passive()),
            _ => self.open(Variant::Dictionary(Dictionary::new())),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Compound<'s>> {
        let sink = self.variant(name)?;
        let inner = Writer::new(sink).open(Variant::Dictionary(Dictionary::new()))?;
        Ok(Compound { opened: 2, ..inner })
    }
}

macro_rules! lists {
    ($($list:ident $method:ident;)+) => { $(
        impl $list for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            fn end(self) -> Result<()> {
                Compound::end(self)
            }
        }
    )+ };
}
lists! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! structs {
    ($($record:ident)+) => { $(
        impl $record for Compound<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<()> {
                self.field(name, value)
            }

            fn end(self) -> Result<()> {
                Compound::end(self)
            }
        }
    )+ };
}
structs! { SerializeStruct SerializeStructVariant }

impl SerializeMap for Compound<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        match self.role {
            Role::Tagged => Ok(()),
            _ => self.value(key),
        }
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.value(value)
    }

    fn end(self) -> Result<()> {
        Compound::end(self)
    }
}

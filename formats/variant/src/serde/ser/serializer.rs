//! serde's `Serializer` over a sink.

use ::serde::de::DeserializeOwned;
use ::serde::ser::{
    Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant,
    SerializeTuple, SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::sink::{Fields, Sink};
use crate::codec::{self, Held, Leaf, RawNumbers};
use crate::serde::types::{self, Id, named_type};
use crate::serde::{DEPTH, from_variant, to_variant_in};
use crate::{Front, OwnType, Variant, VariantString, VariantType};
use formwork::{Error, Result, Rule};

/// The structure of this crate that a value is a part of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Role {
    /// A separate value.
    Whole,
    /// A tag and its content: a map that is not written.
    Tagged,
    /// The parts of a container or object: a struct whose last field is its contents.
    Parts(VariantType),
    /// The contents of an open container.
    Held(VariantType),
    /// A pair of an open dictionary, or a property of an open object.
    Pair(VariantType),
    /// The content of a newtype struct with a name of this crate.
    Inside,
    /// The content of a String or StringName.
    Text(VariantType),
    /// The numbers of a math type or packed array, as in a packet; whether real numbers have 64 bits.
    Numbers(VariantType, bool),
}

/// Passes a value to a sink.
pub(super) struct Writer<'s, S: ?Sized> {
    sink: &'s mut S,
    role: Role,
}

/// Passes the contents of a container to a sink.
pub(super) struct Compound<'s, S: ?Sized> {
    sink: &'s mut S,
    /// The number of containers that it opened.
    opened: u8,
    role: Role,
    /// The number of parts of a pair that were given.
    taken: u8,
    /// The front of a container that is given in parts.
    front: Option<Box<Front>>,
    /// The fields of a struct.
    fields: Fields,
}

impl<'s, S: Sink + ?Sized> Writer<'s, S> {
    pub(super) fn new(sink: &'s mut S) -> Self {
        Self { sink, role: Role::Whole }
    }

    /// Refuses a value that is too deep.
    #[inline]
    fn sink(self) -> Result<&'s mut S> {
        if self.sink.depth() > DEPTH as usize {
            let expected = format!("at most {DEPTH} containers around a value");
            return Err(Error::new(Rule::DEPTH_LIMIT, 0, expected, "one more").nowhere());
        }
        if let Role::Numbers(variant_type, _) | Role::Text(variant_type) = self.role {
            return Err(not_of(variant_type));
        }
        Ok(self.sink)
    }

    #[inline(always)]
    fn leaf(self, leaf: Leaf<'_>) -> Result<()> {
        self.sink()?.leaf(leaf)
    }

    #[inline]
    fn open(self, variant_type: VariantType) -> Result<Compound<'s, S>> {
        let sink = self.sink()?;
        sink.open_plain(variant_type)?;
        Ok(Compound::new(sink, 1, Role::Whole, Fields::UNKNOWN))
    }

    #[inline]
    fn open_struct(self, name: &'static str) -> Result<Compound<'s, S>> {
        let sink = self.sink()?;
        let fields = sink.open_struct(name)?;
        Ok(Compound::new(sink, 1, Role::Whole, fields))
    }

    /// Opens a variant of an enum: a dictionary of one pair. Its value comes next.
    fn variant(self, name: &str) -> Result<&'s mut S> {
        let sink = self.sink()?;
        sink.open_plain(VariantType::Dictionary)?;
        sink.leaf(Leaf::String(name))?;
        Ok(sink)
    }

    fn passive(self) -> Compound<'s, S> {
        Compound::new(self.sink, 0, self.role, Fields::UNKNOWN)
    }

    /// Writes a value of this crate's own types.
    #[inline]
    fn named<T: Serialize + ?Sized>(self, variant_type: VariantType, value: &T) -> Result<()> {
        match variant_type.own_type() {
            None => value.serialize(Self { role: Role::Numbers(variant_type, false), ..self }),
            Some(OwnType::String | OwnType::StringName) => {
                value.serialize(Self { role: Role::Text(variant_type), ..self })
            }
            Some(own_type) => {
                let writer = Writer { sink: self.sink.erased(), role: self.role };
                writer.other_named(variant_type, own_type, value)
            }
        }
    }

    /// The bytes of a packet in which a type of this crate is given.
    #[inline]
    fn content(mut self, bytes: &[u8]) -> Result<()> {
        match std::mem::replace(&mut self.role, Role::Whole) {
            Role::Numbers(variant_type, wide) => {
                let numbers = RawNumbers::whole(variant_type, wide, bytes);
                self.leaf(Leaf::Numbers(numbers.ok_or_else(|| not_of(variant_type))?))
            }
            Role::Text(variant_type) => {
                let text = VariantString::from_bytes(bytes.to_vec());
                let text = text.map_err(|_| not_of(variant_type))?;
                self.sink()?.held(variant_type, Held::Text(text))
            }
            _ => self.leaf(Leaf::Bytes(bytes)),
        }
    }
}

/// Makes the error of a newtype struct that has the name of a type of this crate, and other content.
#[cold]
fn not_of(variant_type: VariantType) -> Error {
    Error::custom(format_args!("not the content of a {}", variant_type.name()))
}

impl<'s> Writer<'s, dyn Sink + 's> {
    /// Writes a value of this crate's own types that does not consist of numbers.
    #[inline(never)]
    fn other_named<T: Serialize + ?Sized>(
        self,
        variant_type: VariantType,
        own_type: OwnType,
        value: &T,
    ) -> Result<()> {
        match own_type {
            OwnType::Array
            | OwnType::Dictionary
            | OwnType::TypedArray
            | OwnType::PackedTypedArray
            | OwnType::Object => {
                value.serialize(Self { sink: self.sink, role: Role::Parts(variant_type) })
            }
            OwnType::PackedByteArray | OwnType::Float => {
                value.serialize(Self { sink: self.sink, role: Role::Inside })
            }
            // Serde has methods for these types, so no newtype struct has their names; texts are written elsewhere.
            OwnType::Nil | OwnType::Bool | OwnType::Int | OwnType::String | OwnType::StringName => {
                Err(not_of(variant_type))
            }
            OwnType::PackedStringArray => {
                let Variant::Array(texts) = to_variant_in::<T, f32>(value)? else {
                    return Err(not_of(variant_type));
                };
                let texts = texts.into_iter().map(|text| match text {
                    Variant::String(text) => Ok(text),
                    _ => Err(not_of(variant_type)),
                });
                let texts = texts.collect::<Result<_>>()?;
                self.sink()?.held(variant_type, Held::Strings(texts))
            }
            OwnType::Callable => self.leaf(Leaf::Callable),
            OwnType::Rid => self.leaf(Leaf::Rid(read_back::<T, Id>(value)?.0)),
            OwnType::NodePath => self.sink()?.held(variant_type, Held::NodePath(read_back(value)?)),
            OwnType::Signal => self.sink()?.held(variant_type, Held::Signal(read_back(value)?)),
            OwnType::Image => self.sink()?.held(variant_type, Held::Image(read_back(value)?)),
            OwnType::InputEvent => {
                self.sink()?.held(variant_type, Held::InputEvent(read_back(value)?))
            }
        }
    }
}

/// Makes a value of this crate of what it consists of.
fn read_back<T: Serialize + ?Sized, O: DeserializeOwned>(value: &T) -> Result<O> {
    from_variant(&to_variant_in::<T, f32>(value)?)
}

impl<'s, S: Sink + ?Sized> Compound<'s, S> {
    #[inline]
    fn new(sink: &'s mut S, opened: u8, role: Role, fields: Fields) -> Self {
        Self { sink, opened, role, taken: 0, front: None, fields }
    }

    #[inline]
    fn end(self) -> Result<()> {
        (0..self.opened).try_for_each(|_| self.sink.close())
    }

    #[inline]
    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(Writer::new(&mut *self.sink))
    }

    #[inline]
    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.role {
            Role::Held(variant_type @ (VariantType::Dictionary | VariantType::Object)) => {
                value.serialize(Writer { sink: &mut *self.sink, role: Role::Pair(variant_type) })
            }
            Role::Pair(VariantType::Object) if self.taken == 0 => {
                self.taken = 1;
                match to_variant_in::<T, f32>(value)? {
                    Variant::String(name) => self.sink.property(name),
                    _ => Err(not_of(VariantType::Object)),
                }
            }
            _ => self.value(value),
        }
    }

    #[inline]
    fn field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        match self.role {
            Role::Parts(variant_type) => self.part(variant_type, name, value),
            _ => {
                self.sink.field(&mut self.fields, name)?;
                self.value(value)
            }
        }
    }

    /// Takes a part of a container or object.
    #[inline(never)]
    fn part<T: Serialize + ?Sized>(
        &mut self,
        variant_type: VariantType,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        match name {
            "held" => {
                let front = self.front.take();
                let front = front.map_or_else(|| Front::new(variant_type), |front| *front);
                Writer::new(&mut *self.sink).sink()?.open(front)?;
                let held = Writer { sink: &mut *self.sink, role: Role::Held(variant_type) };
                value.serialize(held)?;
                self.sink.close()
            }
            _ => {
                let front: Variant<f32> = to_variant_in(value)?;
                self.front = Some(Box::new(from_variant(&front)?));
                Ok(())
            }
        }
    }
}

macro_rules! integers {
    ($($method:ident $number:ident;)+) => { $(
        #[inline]
        fn $method(self, number: $number) -> Result<()> {
            self.leaf(Leaf::Int(number.into()))
        }
    )+ };
}

impl<'s, S: Sink + ?Sized> Serializer for Writer<'s, S> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Compound<'s, S>;
    type SerializeTuple = Compound<'s, S>;
    type SerializeTupleStruct = Compound<'s, S>;
    type SerializeTupleVariant = Compound<'s, S>;
    type SerializeMap = Compound<'s, S>;
    type SerializeStruct = Compound<'s, S>;
    type SerializeStructVariant = Compound<'s, S>;

    /// Values under a name of this crate are not in a human-readable form.
    fn is_human_readable(&self) -> bool {
        matches!(self.role, Role::Whole | Role::Tagged)
    }

    integers! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
    }

    fn serialize_u64(self, number: u64) -> Result<()> {
        match self.role {
            Role::Parts(VariantType::Object) => {
                return self.leaf(Leaf::ObjectId(number));
            }
            // The number of an object, to which engines give a sign.
            Role::Inside => return self.leaf(Leaf::Int(number.cast_signed())),
            Role::Whole
            | Role::Tagged
            | Role::Parts(_)
            | Role::Held(_)
            | Role::Pair(_)
            | Role::Text(_)
            | Role::Numbers(..) => {}
        }
        match i64::try_from(number) {
            Ok(number) => self.leaf(Leaf::Int(number)),
            Err(_) => {
                let expected = "an int of 64 bits with a sign, the only ones that engines have";
                let found = number.to_string();
                Err(Error::new(codec::rule::DIALECT_VALUE, 0, expected, found).nowhere())
            }
        }
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        self.leaf(Leaf::Bool(value))
    }

    #[inline]
    fn serialize_f32(self, number: f32) -> Result<()> {
        self.leaf(Leaf::Float(number.into()))
    }

    #[inline]
    fn serialize_f64(self, number: f64) -> Result<()> {
        self.leaf(Leaf::Float(number))
    }

    fn serialize_char(self, character: char) -> Result<()> {
        self.serialize_str(character.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result<()> {
        match self.role {
            Role::Text(VariantType::StringName) => {
                Writer::new(self.sink).leaf(Leaf::StringName(text))
            }
            Role::Text(_) => Writer::new(self.sink).leaf(Leaf::String(text)),
            _ => self.leaf(Leaf::String(text)),
        }
    }

    #[inline]
    fn serialize_bytes(self, bytes: &[u8]) -> Result<()> {
        self.content(bytes)
    }

    fn serialize_none(self) -> Result<()> {
        self.leaf(Leaf::Nil)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        match self.role {
            Role::Parts(VariantType::Object) => self.leaf(Leaf::NullObject),
            _ => self.leaf(Leaf::Nil),
        }
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.leaf(Leaf::Nil)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<()> {
        self.serialize_str(name)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if name == types::TAGGED {
            return value.serialize(Self { sink: self.sink, role: Role::Tagged });
        }
        if let Role::Numbers(variant_type, _) = self.role
            && name == types::WIDE
        {
            return value.serialize(Self { role: Role::Numbers(variant_type, true), ..self });
        }
        if name == types::ID {
            return value.serialize(Self { sink: self.sink, role: Role::Inside });
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

    fn serialize_seq(self, _: Option<usize>) -> Result<Compound<'s, S>> {
        match self.role {
            Role::Held(_) => Ok(self.passive()),
            _ => self.open(VariantType::Array),
        }
    }

    fn serialize_tuple(self, length: usize) -> Result<Compound<'s, S>> {
        match self.role {
            Role::Pair(_) => Ok(self.passive()),
            _ => self.serialize_seq(Some(length)),
        }
    }

    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Compound<'s, S>> {
        self.serialize_seq(Some(length))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Compound<'s, S>> {
        let sink = self.variant(name)?;
        let inner = Writer::new(sink).open(VariantType::Array)?;
        Ok(Compound { opened: 2, ..inner })
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Compound<'s, S>> {
        match self.role {
            Role::Tagged => Ok(self.passive()),
            _ => self.open(VariantType::Dictionary),
        }
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Compound<'s, S>> {
        match self.role {
            Role::Parts(_) => Ok(self.passive()),
            _ => self.open_struct(name),
        }
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Compound<'s, S>> {
        let sink = self.variant(name)?;
        let inner = Writer::new(sink).open_struct(name)?;
        Ok(Compound { opened: 2, ..inner })
    }
}

macro_rules! lists {
    ($($list:ident $method:ident;)+) => { $(
        impl<S: Sink + ?Sized> $list for Compound<'_, S> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.element(value)
            }

            #[inline]
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
        impl<S: Sink + ?Sized> $record for Compound<'_, S> {
            type Ok = ();
            type Error = Error;

            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<()> {
                self.field(name, value)
            }

            #[inline]
            fn end(self) -> Result<()> {
                Compound::end(self)
            }
        }
    )+ };
}
structs! { SerializeStruct SerializeStructVariant }

impl<S: Sink + ?Sized> SerializeMap for Compound<'_, S> {
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

//! Collects the numbers and texts of a math type or a packed array, in order.

#![deny(clippy::wildcard_enum_match_arm)]

use ::serde::ser::{
    Error as _, Impossible, Serialize, SerializeMap, SerializeSeq, SerializeTuple, Serializer,
};

use crate::notation;
use crate::serde::numbers::{self, FEW, Numbers};
use crate::serde::types::named_type;
use crate::{Math, NumberKind, NumberSource, Real, RealMath, Variant, VariantString, VariantType};
use formwork::{Error, Result};
use formwork_records::wire::{Components, Element, Number};

/// The collected values, in their own widths. The first few numbers of 32 bits need no allocation: most math types
/// have no more.
#[derive(Debug, Default)]
pub(super) struct Collected {
    few: [f32; FEW],
    /// The number of values of 32 bits.
    singles: usize,
    more: Option<Box<More>>,
}

/// The collected values that exceed a few numbers of 32 bits.
#[derive(Debug, Default)]
struct More {
    /// All numbers of 32 bits, if there are more than a few.
    single: Vec<f32>,
    double: Vec<f64>,
    whole: Vec<i64>,
    texts: Vec<VariantString>,
}

impl Collected {
    /// Collects the numbers and texts of a value.
    #[inline]
    pub(super) fn of(value: &(impl Serialize + ?Sized)) -> Result<Self> {
        let mut collected = Self::default();
        value.serialize(&mut collected)?;
        Ok(collected)
    }

    /// Returns the numbers of a math type, padded with zeros, if they are exactly `count` numbers of 32 bits and
    /// only a few.
    #[inline]
    pub(super) fn few(&self, count: usize) -> Option<[f32; FEW]> {
        (self.more.is_none() && self.singles == count).then_some(self.few)
    }

    #[inline]
    fn push_single(&mut self, number: f32) {
        match self.few.get_mut(self.singles) {
            Some(place) => *place = number,
            None => self.push_one_more(number),
        }
        self.singles += 1;
    }

    #[inline(never)]
    fn push_one_more(&mut self, number: f32) {
        let more = self.more.get_or_insert_default();
        if self.singles == FEW {
            more.single.extend(self.few);
        }
        more.single.push(number);
    }

    fn more(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    fn single(&self) -> &[f32] {
        match self.few.get(..self.singles) {
            Some(few) => few,
            None => self.more.as_ref().map_or(&[], |more| &more.single),
        }
    }

    fn double(&self) -> &[f64] {
        self.more.as_ref().map_or(&[], |more| &more.double)
    }

    fn whole(&self) -> &[i64] {
        self.more.as_ref().map_or(&[], |more| &more.whole)
    }

    /// Returns whether the numbers have 64 bits.
    pub(super) fn is_double(&self) -> bool {
        !self.double().is_empty()
    }

    /// Returns `count` numbers of the widest kind there is, from a position on.
    fn numbers(&self, from: usize, count: usize) -> Result<Numbers> {
        let range = from..from + count;
        let taken = if let Some(some) = self.double().get(range.clone()) {
            Numbers::double(some)
        } else if let Some(some) = self.single().get(range.clone()) {
            Numbers::single(some)
        } else {
            let some = self.whole().get(range).unwrap_or_default();
            let narrow: Option<Vec<_>> =
                some.iter().map(|&number| i32::try_from(number).ok()).collect();
            narrow.filter(|narrow| narrow.len() == count).and_then(|narrow| Numbers::whole(&narrow))
        };
        taken.ok_or_else(|| Error::custom(format_args!("not the {count} numbers of the type")))
    }

    /// The value of a math type.
    pub(super) fn math(&self, variant_type: VariantType) -> Result<Numbers> {
        self.numbers(0, numbers::count(variant_type).unwrap_or(0))
    }

    /// The text of a string, also of one that is not UTF-8.
    pub(super) fn text(mut self) -> VariantString {
        self.more().texts.pop().unwrap_or_else(|| {
            let character = |&number: &i64| u32::try_from(number).unwrap_or_default();
            VariantString::from_numbers(self.whole().iter().map(character))
        })
    }

    /// Returns a float that serde's data model lacks.
    pub(super) fn float(&self) -> f64 {
        self.double().first().copied().unwrap_or(f64::NAN)
    }

    /// The texts of a packed array.
    pub(super) fn texts(self) -> Vec<VariantString> {
        self.more.map(|more| more.texts).unwrap_or_default()
    }

    /// Returns a packed array of plain numbers; [`None`] for other contents.
    pub(super) fn plain(mut self, kind: NumberKind) -> Option<Variant<f32>> {
        fn all<T: Number>(collected: &Collected) -> Option<Vec<T>> {
            let singles = collected.single().iter().map(|&number| notation::of_single(number));
            let doubles = collected.double().iter().map(|&number| notation::of_float(number));
            let whole = collected.whole().iter().map(|&number| notation::of_whole(number));
            singles.chain(doubles).chain(whole).collect()
        }
        let has_singles = self.singles > 0;
        let (has_doubles, has_whole) = (self.is_double(), !self.whole().is_empty());
        Some(match kind {
            NumberKind::Int => all::<i32>(&self)?.into(),
            NumberKind::Long if !has_singles && !has_doubles => {
                std::mem::take(&mut self.more().whole).into()
            }
            NumberKind::Single if !has_whole && !has_doubles => match self.singles > FEW {
                true => std::mem::take(&mut self.more().single).into(),
                false => self.single().to_vec().into(),
            },
            NumberKind::Double if !has_whole && !has_singles => {
                std::mem::take(&mut self.more().double).into()
            }
            NumberKind::Long | NumberKind::Single | NumberKind::Double | NumberKind::Real => {
                return None;
            }
        })
    }

    /// A packed array of a math type.
    pub(super) fn vectors<R: Real>(self, variant_type: VariantType) -> Result<Variant<R>> {
        Variant::from_numbers(variant_type, Vectors(&self)).unwrap_or_else(|_| {
            Err(Error::custom(format_args!("a {} is not made of numbers", variant_type.name())))
        })
    }

    /// The elements of a packed array of a math type.
    fn each<T: Components>(&self, make: impl Fn(Numbers) -> Result<T>) -> Result<Vec<T>> {
        let count = size_of::<T::Array>() / size_of::<T::Number>();
        let length = self.singles.max(self.double().len()).max(self.whole().len());
        (0..length / count).map(|at| make(self.numbers(at * count, count)?)).collect()
    }
}

/// The elements of a packed array.
struct Vectors<'c>(&'c Collected);

impl<R: Real> NumberSource<R> for Vectors<'_> {
    type Error = Error;

    fn real_math<T: RealMath<R>>(self) -> Result<T> {
        refuse()
    }

    fn math<T: Math>(self) -> Result<T> {
        refuse()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        self.0.each(Numbers::real_math)
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        self.0.each(Numbers::math)
    }
}

fn refuse<T>() -> Result<T> {
    Err(Error::custom("neither numbers nor texts where a type of the engine consists of them"))
}

macro_rules! whole {
    ($($method:ident $number:ident;)+) => { $(
        fn $method(self, number: $number) -> Result<()> {
            match i64::try_from(number) {
                Ok(number) => {
                    self.more().whole.push(number);
                    Ok(())
                }
                Err(_) => refuse(),
            }
        }
    )+ };
}

impl Serializer for &mut Collected {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Impossible<(), Error>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = Self;
    type SerializeStruct = Impossible<(), Error>;
    type SerializeStructVariant = Impossible<(), Error>;

    /// The values go into a packet: numbers must stay numbers.
    fn is_human_readable(&self) -> bool {
        false
    }

    whole! {
        serialize_i8 i8;
        serialize_i16 i16;
        serialize_i32 i32;
        serialize_i64 i64;
        serialize_u8 u8;
        serialize_u16 u16;
        serialize_u32 u32;
        serialize_u64 u64;
    }

    #[inline]
    fn serialize_f32(self, number: f32) -> Result<()> {
        self.push_single(number);
        Ok(())
    }

    fn serialize_f64(self, number: f64) -> Result<()> {
        self.more().double.push(number);
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Result<()> {
        self.more().texts.push(text.into());
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        if let Some(VariantType::String | VariantType::StringName) = named_type(name) {
            self.more().texts.push(Collected::of(value)?.text());
            return Ok(());
        }
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self> {
        Ok(self)
    }

    /// Serializes a tag and its content.
    fn serialize_map(self, _: Option<usize>) -> Result<Self> {
        Ok(self)
    }

    fn serialize_bool(self, _: bool) -> Result<()> {
        refuse()
    }

    fn serialize_char(self, _: char) -> Result<()> {
        refuse()
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<()> {
        refuse()
    }

    fn serialize_none(self) -> Result<()> {
        refuse()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    /// Serializes null, for a null object.
    fn serialize_unit(self) -> Result<()> {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        refuse()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<()> {
        refuse()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        refuse()
    }

    fn serialize_tuple_struct(
        self,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleStruct> {
        refuse()
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        refuse()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        refuse()
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        refuse()
    }
}

impl SerializeSeq for &mut Collected {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl SerializeTuple for &mut Collected {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

impl SerializeMap for &mut Collected {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, _: &T) -> Result<()> {
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        value.serialize(&mut **self)
    }

    fn end(self) -> Result<()> {
        Ok(())
    }
}

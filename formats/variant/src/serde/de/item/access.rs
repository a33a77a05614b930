//! Hands values and the contents of containers to serde.

use ::serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

use super::Item;
use crate::codec::Event;
use crate::serde::de::source::{AnySource, Kept, Source, placed, within_depth};
use crate::serde::de::tree::Tree;
use crate::serde::rule;
use crate::{Real, Variant};
use formwork::{Error, Result};

/// Reads the next value, to its end; [`None`] at the end of the container.
#[inline]
pub(in crate::serde::de) fn element<'de, S: Source<'de> + ?Sized, T: DeserializeSeed<'de>>(
    source: &mut S,
    seed: T,
) -> Result<Option<T::Value>> {
    let mark = source.mark();
    let made = match source.next() {
        Ok(Event::End) => return Ok(None),
        Ok(event) => seed.deserialize(Item::new(&mut *source, event)),
        Err(error) => return Err(error),
    };
    match made {
        Ok(value) => {
            if source.depth() != mark.depth {
                leave(source.erased(), mark.depth)?;
            }
            source.advance();
            Ok(Some(value))
        }
        Err(error) => Err(placed(source.erased(), mark, error)),
    }
}

/// Reads the next value, which there must be.
#[inline]
fn value<'de, S: Source<'de> + ?Sized, T: DeserializeSeed<'de>>(
    source: &mut S,
    seed: T,
) -> Result<T::Value> {
    element(source, seed)?.ok_or_else(|| Error::invalid_length(0, &"a value"))
}

/// Skips the rest of the containers inside of the `depth` outermost.
#[inline(never)]
pub(super) fn leave(source: &mut AnySource<'_, '_>, depth: usize) -> Result<()> {
    while source.depth() > depth {
        match source.next()? {
            Event::Leaf(_) => source.advance(),
            Event::End if source.depth() > depth => source.advance(),
            Event::End | Event::Begin(_) | Event::Name(_) => {}
        }
    }
    Ok(())
}

/// Shows a visitor the elements of the open array, all of them.
#[inline]
pub(super) fn elements<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    visitor: V,
) -> Result<V::Value> {
    contents(source, |rest| visitor.visit_seq(rest))
}

/// Shows a visitor the pairs of the open dictionary, all of them.
#[inline]
pub(super) fn entries<'de, S: Source<'de> + ?Sized, V: Visitor<'de>>(
    source: &mut S,
    visitor: V,
) -> Result<V::Value> {
    contents(source, |rest| visitor.visit_map(rest))
}

/// Shows a visitor the one pair of the open dictionary as an enum: the key is the variant and the value its content.
pub(super) fn enumeration<'de, V: Visitor<'de>>(
    source: &mut AnySource<'_, 'de>,
    visitor: V,
) -> Result<V::Value> {
    contents(source, |rest| visitor.visit_enum(rest))
}

/// Passes the contents of the open container on, and closes it. All of them must be taken.
#[inline]
pub(super) fn contents<'s, 'de, S: Source<'de> + ?Sized, T>(
    source: &'s mut S,
    take: impl FnOnce(&mut Rest<'s, S>) -> Result<T>,
) -> Result<T> {
    within_depth(source)?;
    let mut rest = Rest { source, ended: false };
    let made = take(&mut rest)?;
    if !rest.ended {
        match rest.source.left() {
            0 => rest.source.next()?,
            left => return Err(surplus(left)),
        };
    }
    Ok(made)
}

/// Makes the error of more elements than the type takes.
#[cold]
pub(super) fn surplus(left: usize) -> Error {
    let expected = "no more elements than the type has";
    Error::new(rule::LENGTH, 0, expected, format!("{left} more")).nowhere()
}

/// The rest of an open container.
pub(super) struct Rest<'s, S: ?Sized> {
    pub(super) source: &'s mut S,
    /// Whether the end was read.
    ended: bool,
}

impl<S: ?Sized> Rest<'_, S> {
    #[inline]
    fn next<'de, T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>>
    where
        S: Source<'de>,
    {
        if self.ended {
            return Ok(None);
        }
        let next = element(&mut *self.source, seed)?;
        self.ended = next.is_none();
        Ok(next)
    }
}

impl<'de, S: Source<'de> + ?Sized> SeqAccess<'de> for &mut Rest<'_, S> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.next(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.source.left())
    }
}

impl<'de, S: Source<'de> + ?Sized> MapAccess<'de> for &mut Rest<'_, S> {
    type Error = Error;

    #[inline]
    fn next_key_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        self.next(seed)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        value(&mut *self.source, seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.source.left())
    }
}

impl<'de, S: Source<'de> + ?Sized> EnumAccess<'de> for &mut Rest<'_, S> {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self)> {
        let variant = value(&mut *self.source, seed)?;
        Ok((variant, self))
    }
}

impl<'de, S: Source<'de> + ?Sized> VariantAccess<'de> for &mut Rest<'_, S> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        value(&mut *self.source, std::marker::PhantomData::<()>)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        value(&mut *self.source, seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        value(&mut *self.source, Ask::List(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        value(&mut *self.source, Ask::Map(visitor))
    }
}

impl Kept {
    /// Makes a value of it, which borrows nothing. `depth` containers are around it, and `offset` is its own.
    pub(super) fn read<'de, T: DeserializeSeed<'de>>(
        &self,
        depth: usize,
        offset: u64,
        seed: T,
    ) -> Result<T::Value> {
        match self {
            Self::Single(value) => in_path(&mut Tree::new(value, offset).inside(depth), seed),
            Self::Double(value) => in_path(&mut Tree::new(value, offset).inside(depth), seed),
        }
    }
}

/// Reads the parts of a value of a rare type; the result borrows nothing from them.
pub(super) fn parts<'de, T: DeserializeSeed<'de>, R: Real>(
    parts: &Variant<R>,
    seed: T,
) -> Result<T::Value> {
    whole(&mut Tree::new(parts, 0), seed).map_err(Error::nowhere)
}

/// Reads a value in memory. An error has the path in it.
pub(in crate::serde::de) fn in_path<'de, T: DeserializeSeed<'de>>(
    source: &mut dyn Source<'de>,
    seed: T,
) -> Result<T::Value> {
    whole(source, seed).map_err(|error| error.under(source.path()))
}

/// Reads a value in memory. (One reader serves the trees of both precisions: only that of packets must be fast.)
pub(super) fn whole<'de, T: DeserializeSeed<'de>>(
    source: &mut dyn Source<'de>,
    seed: T,
) -> Result<T::Value> {
    element(source, seed)?.ok_or_else(|| ::serde::de::Error::invalid_length(0, &"a value"))
}

/// Hands a visitor to one method of a value.
pub(super) enum Ask<V> {
    Any(V),
    List(V),
    Map(V),
    Enum(V),
    /// As the newtype struct of a name.
    Named(&'static str, V),
}

impl<'de, V: Visitor<'de>> DeserializeSeed<'de> for Ask<V> {
    type Value = V::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        match self {
            Self::Any(visitor) => deserializer.deserialize_any(visitor),
            Self::List(visitor) => deserializer.deserialize_seq(visitor),
            Self::Map(visitor) => deserializer.deserialize_map(visitor),
            Self::Enum(visitor) => deserializer.deserialize_enum("", &[], visitor),
            Self::Named(name, visitor) => deserializer.deserialize_newtype_struct(name, visitor),
        }
    }
}

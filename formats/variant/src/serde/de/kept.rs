//! Containers that differ in the engine and in the packet, and values that are read through others.

use ::serde::de::{DeserializeSeed, Deserializer, Visitor};

use super::access::element;
use super::source::{Kept, Source};
use super::tree::Tree;
use crate::{Real, Variant};
use formwork::{Error, Result};

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
pub(super) fn in_path<'de, T: DeserializeSeed<'de>>(
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

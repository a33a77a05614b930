//! The parts of a reader of forms: a source of members, and the types that consist of members.

use std::fmt::Display;

use crate::dialect::Dialect;
use crate::{ElementType, VariantString, VariantType};
use formwork_records::wire::FromNumbers;

/// A value or member that is being read: one of these methods takes it.
pub(crate) trait Member {
    /// The error of reading a member.
    type Error;

    fn null(&mut self) -> Result<(), Self::Error>;

    fn text(&mut self) -> Result<VariantString, Self::Error>;

    /// A text, or null.
    fn maybe_text(&mut self) -> Result<Option<VariantString>, Self::Error>;

    fn texts(&mut self) -> Result<Vec<VariantString>, Self::Error>;

    /// A text, as the numbers of its characters.
    fn characters(&mut self) -> Result<VariantString, Self::Error>;

    fn word(&mut self) -> Result<String, Self::Error>;

    /// A list of words, each of which `take` must know.
    fn words(
        &mut self,
        expected: &'static str,
        take: impl FnMut(&str) -> bool,
    ) -> Result<(), Self::Error>;

    fn number<T: TryFrom<u64>>(&mut self, expected: &'static str) -> Result<T, Self::Error>;

    /// A list of numbers.
    fn numbers<T: FromNumbers>(&mut self) -> Result<T, Self::Error>;

    fn bool(&mut self) -> Result<bool, Self::Error>;

    fn bytes(&mut self) -> Result<Vec<u8>, Self::Error>;

    fn single(&mut self) -> Result<f32, Self::Error>;

    /// A float by its name.
    fn float(&mut self) -> Result<f64, Self::Error>;

    /// A value of this type, in its members or as a text.
    fn record<T: Record>(
        &mut self,
        variant_type: VariantType,
        dialect: Dialect,
    ) -> Result<T::Made, Self::Error>;

    /// The declared element type of a container.
    fn element(&mut self, dialect: Dialect) -> Result<ElementType, Self::Error>;

    /// The name of the next member, if there is one.
    fn next_name(&mut self) -> Result<Option<String>, Self::Error>;

    /// Returns the error of a member that is missing at the end of the members.
    fn missing(&self, name: &'static str) -> Self::Error;

    /// Returns the error of the member whose name was read last.
    fn unexpected(&self, name: &str, expected: &'static str) -> Self::Error;
}

/// The members of a value while they are read. Missing members are 0, empty or false.
pub(crate) trait Record: Default {
    /// The value that the members make, unless they are not those of an [event](super::EVENT).
    type Made: TryFrom<Self, Error: Display>;

    /// Makes a value of its text, if the type has one.
    const PARSE: Option<fn(&VariantString, Dialect) -> Self::Made> = None;

    /// Reads the member of this name. Returns false if there is none.
    fn take<M: Member>(&mut self, name: &str, member: &mut M) -> Result<bool, M::Error>;
}

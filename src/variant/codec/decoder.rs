//! The reader, and what it can be told.

use std::marker::PhantomData;

use super::decode;
use super::deviations::{Deviations, Notes};
use crate::error::{Error, Path, Result, Rule};
use crate::limits::Limits;
use crate::variant::dialect::Dialect;
use crate::variant::{Real, Variant};

/// What a reader makes of bytes that the engine would not have written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Attitude {
    /// Accept exactly what the engine accepts.
    #[default]
    Engine,
    /// Accept only what writing the value would produce again.
    Canonical,
}

/// Something that the engine accepts but would not write.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Note {
    /// The rule that the bytes bend.
    pub rule: Rule,
    /// Where.
    pub offset: u64,
    /// In which field.
    pub path: Path,
}

/// Reads packets of one dialect.
///
/// ```
/// use formwork::{Attitude, Decoder, Dialect};
///
/// let decoder = Decoder::new(Dialect::GODOT4).attitude(Attitude::Canonical);
/// // A bool that is neither 0 nor 1: Godot takes it for true, but would never write it.
/// let error = decoder.decode::<f32>(&[1, 0, 0, 0, 7, 0, 0, 0]).unwrap_err();
/// assert_eq!(error.rule().name(), "bool.value");
/// assert_eq!(error.offset(), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    pub(super) dialect: Dialect,
    pub(crate) attitude: Attitude,
    pub(super) limits: Limits,
    pub(super) objects: bool,
}

impl Decoder {
    /// A reader in the engine's attitude, with the default limits, refusing objects in full form.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, attitude: Attitude::Engine, limits: Limits::default(), objects: false }
    }

    /// Chooses the attitude.
    #[must_use]
    pub const fn attitude(mut self, attitude: Attitude) -> Self {
        self.attitude = attitude;
        self
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Accepts objects in full form, as the engines do when told to `allow_objects`. They are read
    /// as data and never run.
    #[must_use]
    pub const fn allow_objects(mut self, allow: bool) -> Self {
        self.objects = allow;
        self
    }

    /// Whether a packet of the dialect may start with this word.
    pub(crate) fn is_header(&self, word: u32) -> bool {
        let id = if self.dialect.rules().whole_header { word } else { word & 0xff };
        let packet = self.dialect.row(id).and_then(|row| self.dialect.packet(row.variant_type));
        packet.is_some_and(|packet| word & packet.header.unused_bits() == 0)
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The limits.
    #[must_use]
    pub const fn size_limits(&self) -> &Limits {
        &self.limits
    }

    /// The value that `bytes` is, whole.
    ///
    /// # Errors
    ///
    /// Where `bytes` is not a value, or a value and more.
    pub fn decode<R: Real>(&self, bytes: &[u8]) -> Result<Variant<R>> {
        let (value, length) = self.decode_prefix(bytes)?;
        if length < bytes.len() {
            let found = format!("{} more bytes", bytes.len() - length);
            return Err(Error::new(Rule::INPUT_TRAILING, length as u64, "the end", found));
        }
        Ok(value)
    }

    /// The value that `bytes` starts with, and how many bytes it takes.
    ///
    /// # Errors
    ///
    /// Where `bytes` does not start with a value.
    pub fn decode_prefix<R: Real>(&self, bytes: &[u8]) -> Result<(Variant<R>, usize)> {
        decode::read(self, bytes, None)
    }

    /// The same, noting everything that the engine accepts but would not write.
    ///
    /// # Errors
    ///
    /// Where `bytes` does not start with a value.
    pub fn decode_noting<R: Real>(
        &self,
        bytes: &[u8],
        notes: &mut Vec<Note>,
    ) -> Result<(Variant<R>, usize)> {
        decode::read(self, bytes, Some(Notes::Each(notes)))
    }

    /// The same, counting the deviations by rule instead: in bounded memory, whatever the bytes.
    ///
    /// # Errors
    ///
    /// Where `bytes` does not start with a value.
    pub fn decode_counting<R: Real>(
        &self,
        bytes: &[u8],
        deviations: &mut Deviations,
    ) -> Result<(Variant<R>, usize)> {
        decode::read(self, bytes, Some(Notes::Counted(deviations)))
    }

    /// The values that stand one after another in `bytes`.
    #[must_use]
    pub const fn values<'a, R: Real>(&self, bytes: &'a [u8]) -> Values<'a, R> {
        Values { decoder: *self, bytes, position: 0, precision: PhantomData }
    }
}

/// The values that stand one after another, without frames. Ends after the first error.
#[derive(Clone, Debug)]
pub struct Values<'a, R: Real> {
    decoder: Decoder,
    bytes: &'a [u8],
    position: usize,
    precision: PhantomData<R>,
}

impl<R: Real> Values<'_, R> {
    /// Where the next value starts.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.position
    }
}

impl<R: Real> Iterator for Values<'_, R> {
    type Item = Result<Variant<R>>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.position..).filter(|rest| !rest.is_empty())?;
        Some(match self.decoder.decode_prefix(rest) {
            Ok((value, length)) => {
                self.position += length;
                Ok(value)
            }
            Err(error) => {
                let base = self.position as u64;
                self.position = self.bytes.len();
                Err(error.shifted(base))
            }
        })
    }
}

//! Reads values: the methods of a [`Decoder`] that start a reading.

use super::decode;
use super::decoder::{Decoder, Warning};
use super::recovered::{Damage, Recovered, Salvaged};
use super::warnings::{Notes, WarningCounts};
use crate::{Real, Variant};
use formwork::{Error, Result, Rule};

impl<R: Real> Decoder<R> {
    /// The value that `bytes` is, whole.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` is not a value, or a value and more, or if the [limits](Self::limits) do not allow
    /// it.
    pub fn decode(&self, bytes: &[u8]) -> Result<Variant<R>> {
        let (value, length) = decode::read(self, bytes, None)?;
        no_more(bytes, length).map(|()| value)
    }

    /// The value that `bytes` starts with, and how many bytes it takes.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` does not start with a value, or if the [limits](Self::limits) do not allow it.
    pub fn decode_prefix(&self, bytes: &[u8]) -> Result<(Variant<R>, usize)> {
        decode::read(self, bytes, None)
    }

    /// Reads as [`decode_prefix`](Self::decode_prefix) does, and notes everything that the engine accepts but
    /// would not write.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` does not start with a value.
    pub fn decode_with_warnings(
        &self,
        bytes: &[u8],
        notes: &mut Vec<Warning>,
    ) -> Result<(Variant<R>, usize)> {
        decode::read(self, bytes, Some(Notes::each(notes, bytes.len())))
    }

    /// Reads as [`decode_prefix`](Self::decode_prefix) does, and counts by rule the deviations that the engine
    /// accepts but would not write: in bounded memory, whatever the bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if `bytes` does not start with a value.
    pub fn decode_counting_warnings(
        &self,
        bytes: &[u8],
        deviations: &mut WarningCounts,
    ) -> Result<(Variant<R>, usize)> {
        decode::read(self, bytes, Some(Notes::Counted(deviations)))
    }

    /// Returns an iterator over the consecutive values in `bytes`.
    #[must_use]
    pub const fn values<'a>(&self, bytes: &'a [u8]) -> Values<'a, R> {
        Values { decoder: *self, bytes, position: 0 }
    }

    /// Reads the intact parts of consecutive values without frames, of which the last may be cut or damaged. Reads
    /// as the engine does, whatever the strictness.
    ///
    /// Behind damage in a container, reading goes on where the values that are left of it fit the rest of the bytes.
    /// Elsewhere the start of the next value is unknown, so all bytes from there on are lost.
    /// [`Decoder::recover_frames`] continues with the next frame.
    ///
    /// ```
    /// use formwork_variant::{Decoder, Dialect, variant};
    ///
    /// // The array [true, "lamp"], cut in the string.
    /// let cut = b"\x1c\0\0\0\x02\0\0\0\x01\0\0\0\x01\0\0\0\x04\0\0\0\x04\0\0\0la";
    /// let decoder = Decoder::new(Dialect::GODOT4);
    /// assert!(decoder.decode(cut).is_err());
    ///
    /// let recovered = decoder.recover(cut);
    /// assert_eq!(recovered.values, [variant!([true])]);
    /// let lost = &recovered.lost[0];
    /// assert_eq!((lost.place.as_str(), lost.range.end), ("1", 26));
    /// assert_eq!(lost.error.path().to_string(), "array[1].string.bytes");
    /// ```
    #[must_use]
    pub fn recover(&self, bytes: &[u8]) -> Recovered<R> {
        let mut recovered = Recovered { values: Vec::new(), lost: Vec::new() };
        let mut start = 0;
        while let Some(rest) = bytes.get(start..).filter(|rest| !rest.is_empty()) {
            if start > 0 && rest.len() >= 8 && rest.iter().all(|byte| *byte == 0) {
                // Behind values, zeros are no nulls.
                let error = Error::new(Rule::INPUT_TRAILING, start as u64, "the end", "zeros");
                recovered.miss(Damage::Unread, start..bytes.len(), error);
                break;
            }
            let Salvaged { value, lost, length, .. } = self.salvage(rest, true);
            recovered.add(value, lost, start as u64, |error| error);
            start = length.map_or(bytes.len(), |length| start + length);
        }
        recovered
    }

    /// Reads the intact parts of the value that `bytes` is, of which a shorter value was read, if it is longer.
    pub(crate) fn salvage_whole(
        &self,
        bytes: &[u8],
        read: (&Variant<R>, usize),
    ) -> Option<Salvaged<R>> {
        decode::salvage_whole(self, bytes, read)
    }

    /// Reads the intact parts of the value that `bytes` starts with.
    pub(crate) fn salvage(&self, bytes: &[u8], may_be_cut: bool) -> Salvaged<R> {
        decode::salvage(self, bytes, may_be_cut)
    }
}

/// Refuses bytes after the first `length`.
pub(crate) fn no_more(bytes: &[u8], length: usize) -> Result<()> {
    if length >= bytes.len() {
        return Ok(());
    }
    let found = formwork::wire::more_bytes(bytes.len() - length).to_string();
    Err(Error::new(Rule::INPUT_TRAILING, length as u64, "the end", found))
}

/// An iterator over consecutive values without frames. Ends after the first error.
#[derive(Clone, Debug)]
pub struct Values<'a, R: Real = f32> {
    decoder: Decoder<R>,
    bytes: &'a [u8],
    position: usize,
}

impl<R: Real> Values<'_, R> {
    /// Returns the offset of the next value.
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

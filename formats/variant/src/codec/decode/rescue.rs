//! Reading on after damage: the state of a reader that would otherwise end.

use super::super::recovered::{Damage, Lost, Salvaged};
use super::build::{self, close};
use super::{Decoder, Reader, Strictness};
use crate::{Real, VariantString};
use formwork::{Error, Result};

/// The most faults in one value after which a rescue continues. Data with more faults is no packet.
const MOST: usize = 1000;

/// Steps that the paths of those may have in all.
const MOST_STEPS: usize = 1 << 14;

/// The state of a rescue, which reads as much as possible of damaged bytes.
#[derive(Default)]
pub(super) struct Damaged {
    /// Whether the input may end too early. If not, a count that does not fit is wrong itself.
    may_be_cut: bool,
    found: Vec<Lost>,
    /// Steps that the paths of those have.
    steps: usize,
    /// The number of those with a known place.
    located: usize,
    /// The capacity in values of a container whose count cannot be trusted.
    granted: Option<usize>,
    /// Set if the input ends in the elements of the value that was read last.
    cut: Option<Error>,
    ended: bool,
}

/// Reads the intact parts of the value that `bytes` starts with. `may_be_cut` is set if its end may be missing.
pub(in super::super) fn salvage<'a, R: Real>(
    decoder: &'a Decoder<R>,
    bytes: &'a [u8],
    may_be_cut: bool,
) -> Salvaged<R> {
    // Damaged bytes are not compared with the engine's output.
    let decoder = decoder.strictness(Strictness::Engine);
    let mut reader = Reader::new(&decoder, bytes, None);
    reader.damage = Some(Box::new(Damaged { may_be_cut, ..Damaged::default() }));
    let mut making = Vec::new();
    let read = reader.value_in::<R>(&mut making);
    let Damaged { mut found, ended, cut, .. } = *reader.damage.take().unwrap_or_default();
    let mut needed = cut.as_ref().and_then(Error::needed);
    let value = match read {
        Ok(value) => {
            let length = (!ended).then(|| reader.position());
            return Salvaged { value: Some(value), lost: found, length, needed };
        }
        Err(error) => {
            needed = error.needed();
            if !ended {
                let range = error.offset().min(bytes.len() as u64)..bytes.len() as u64;
                let place = build::place(making.iter());
                let error = error.under(reader.path());
                found.push(Lost { value: None, damage: Damage::Unread, range, place, error });
            }
            close(making, reader.quirks)
        }
    };
    Salvaged { value, lost: found, length: None, needed }
}

impl<'a> Reader<'a, '_> {
    /// Returns whether reading continues after damage.
    pub(super) const fn is_rescue(&self) -> bool {
        self.damage.is_some()
    }

    /// Returns the number of values to reserve memory for, of those that a front announces: all, because the count
    /// was checked against the input, or as many as the input may have if the count does not fit.
    #[inline]
    pub(super) fn room(&mut self, count: u32) -> usize {
        let granted = self.damage.as_mut().and_then(|damage| damage.granted.take());
        granted.unwrap_or(count as usize)
    }

    /// Handles a count that is larger than the input: the values in the input are read.
    #[cold]
    pub(super) fn bear_count(&mut self, error: Error, least: u64) -> Result<()> {
        let free = (self.input.left() as u64).saturating_sub(self.promised);
        let Some(damage) = &mut self.damage else { return Err(error) };
        if damage.found.len() >= MOST {
            return Err(error);
        }
        let granted = free / least;
        self.promised += granted * least;
        damage.granted = Some(granted as usize);
        let start = error.offset();
        self.bear(error, Damage::Count, start..start);
        Ok(())
    }

    /// Handles a text that is not UTF-8: its readable part is kept.
    #[cold]
    pub(super) fn bear_text(
        &mut self,
        error: Error,
        start: usize,
        bytes: Vec<u8>,
    ) -> Result<VariantString> {
        if self.damage.as_ref().is_none_or(|damage| damage.found.len() >= MOST) {
            return Err(error);
        }
        let range = start as u64..(start + bytes.len()) as u64;
        self.bear(error, Damage::Text, range);
        // No engine writes a text with a zero, and all except one drop a byte order mark at the start.
        let text = String::from_utf8_lossy(&bytes).replace('\0', "\u{fffd}");
        Ok(VariantString::from(text.trim_start_matches('\u{feff}')))
    }

    /// Handles a list at the end of the input: the elements before the end are read.
    #[cold]
    pub(super) fn bear_cut(&mut self, error: Error) -> Result<()> {
        let may_be_cut = self.damage.as_ref().is_some_and(|damage| damage.may_be_cut);
        if !may_be_cut || error.needed().is_none() {
            return Err(error);
        }
        let range = error.offset()..self.input.all().len() as u64;
        self.bear(error.clone(), Damage::Unread, range);
        if let Some(damage) = &mut self.damage {
            damage.ended = true;
            damage.cut = Some(error);
        }
        Ok(())
    }

    /// Returns the whole elements, of `size` bytes, of a block that the input cuts. The count of the block is at
    /// `start`.
    #[cold]
    pub(super) fn bear_cut_elements(
        &mut self,
        error: Error,
        start: usize,
        size: usize,
    ) -> Result<&'a [u8]> {
        if !self.is_rescue() {
            return Err(error);
        }
        let first = start + size_of::<u32>();
        let there = self.input.all().get(first..).unwrap_or_default();
        let length = there.len() / size * size;
        let end = first + length;
        let needed = error.needed().unwrap_or_default();
        let left = (self.input.all().len() - end) as u64;
        let cut = Error::incomplete(end as u64, needed, error.expected().to_owned(), left);
        self.bear_cut(if error.needed().is_some() { cut } else { error })?;
        self.input.set_position(end);
        Ok(&there[..length])
    }

    /// Records damage to the value that is being read.
    fn bear(&mut self, error: Error, kind: Damage, range: std::ops::Range<u64>) {
        let path = self.path();
        let Some(damage) = &mut self.damage else { return };
        // Paths in deeply nested containers would take more memory than the bytes.
        let steps = path.steps().len();
        let error = if damage.steps + steps > MOST_STEPS { error } else { error.under(path) };
        damage.steps += steps;
        let place = String::new();
        damage.found.push(Lost { value: None, damage: kind, range, place, error });
    }

    /// Sets the place of the damage that was found last.
    #[inline(always)]
    pub(super) fn locate_damage(&mut self, place: impl Fn() -> String) {
        if self.damage.is_some() {
            self.locate(place);
        }
    }

    #[cold]
    fn locate(&mut self, place: impl Fn() -> String) {
        let Some(damage) = &mut self.damage else { return };
        for lost in damage.found.iter_mut().skip(damage.located) {
            lost.place = place();
        }
        damage.located = damage.found.len();
    }

    /// Ends the rescue if the value that was read last was cut.
    #[inline(always)]
    pub(super) fn end_at_cut(&mut self) -> Result<()> {
        match &self.damage {
            None => Ok(()),
            Some(damage) => damage.cut.clone().map_or(Ok(()), Err),
        }
    }
}

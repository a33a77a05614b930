//! Reading event by event, for readers that do not need a whole value.

use super::super::decoder::Decoder;
use super::event::{Begin, Event, Held};
use super::{LEAST, Reader};
use crate::{ElementType, Front};
use formwork::Result;

impl<'a> Reader<'a, '_> {
    /// Returns the choices of the decoder.
    pub(crate) const fn decoder(&self) -> &Decoder {
        &self.decoder
    }

    /// Returns the bytes from `start`, where the container begins that was opened last, without those that the
    /// containers around it need at least.
    pub(crate) fn most_of(&self, start: usize, begin: Begin) -> Option<&'a [u8]> {
        let needed = self.promised.saturating_sub(begin.values().saturating_mul(LEAST));
        let end = (self.input.all().len() as u64).saturating_sub(needed);
        self.input.all().get(start..usize::try_from(end).ok()?)
    }

    /// Returns the number of containers around the next value.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.open.count()
    }

    /// Returns whether the innermost container is an object.
    pub(crate) fn is_at_property(&self) -> bool {
        self.open.last().is_some_and(|level| level.is_at_property())
    }

    /// Returns the largest number of containers around a value.
    pub(crate) const fn most_depth(&self) -> usize {
        self.depth
    }

    /// Returns the declared element or key type of the container that was opened last.
    pub(crate) fn declared(&self) -> Option<&ElementType> {
        if let Held::Front(front) = &self.held { Front::first_type(front) } else { None }
    }

    /// Takes what was made for the last event.
    pub(crate) fn take_held(&mut self) -> Held {
        std::mem::take(&mut self.held)
    }

    /// Reads the next event, and goes back.
    pub(crate) fn peek(&mut self) -> Result<Event<'a>> {
        let (position, promised, depth) = (self.position(), self.promised, self.depth());
        let read = self.next(true);
        self.input.set_position(position);
        (self.promised, self.inside) = (promised, None);
        self.open.truncate(depth);
        read
    }

    /// Skips the contents of the container that was opened last, and ends at `end`.
    pub(crate) fn skip_contents(&mut self, begin: Begin, end: usize) {
        let contents = begin.values().saturating_mul(LEAST);
        self.promised = self.promised.saturating_sub(contents);
        self.input.set_position(end);
        self.open.pop();
    }

    /// Leaves the containers inside of the `depth` outermost. The path ends at the value that begins at `start`; if
    /// `with_type` is set, with its type.
    pub(crate) fn leave_at(&mut self, depth: usize, start: usize, with_type: bool) {
        self.open.truncate(depth);
        self.input.set_position(start);
        // A value in an object, whose name was read.
        self.is_named = self.is_at_property();
        self.inside = self.next_type().filter(|_| with_type);
    }
}

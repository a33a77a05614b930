//! The walk of inspectors: it shows damaged parts as far as they are there, and its caller enters nested places.

use super::{Bound, Kind, Length, Level, Name, Step, StepKind, Value, Walk};
use crate::error::{Error, Result};
use crate::schema::{Field, Layout, Record, Word};

impl<'b> Walk<'b> {
    /// Returns the walk of an inspector over all bytes.
    ///
    /// It holds values to no conditions. A list of elements of one size is one step, and one that is cut a step with the
    /// elements that are there. The layout of a [nested place](StepKind::Nested) is what its caller
    /// [enters](Self::enter) after that step, or none.
    #[must_use]
    pub fn inspecting(root: Layout, name: Name, bytes: &'b [u8]) -> Self {
        let mut walk = Self::over(root, bytes, &()).for_reader();
        (walk.root, walk.has_deferred, walk.inspects) =
            (Some((root, name, Bound::NONE)), true, true);
        walk
    }

    /// Makes a move, which is a step or none.
    ///
    /// # Errors
    ///
    /// Fails where the bytes cannot be read.
    pub fn advance(&mut self) -> Result<Option<Step>> {
        match self.pending.take() {
            Some(fault) => Err(fault),
            None => self.step(),
        }
    }

    /// Returns whether the walk is at its end.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.root.is_none() && self.levels.is_empty() && self.pending.is_none()
    }

    /// Returns the end of the innermost region.
    #[must_use]
    pub const fn end(&self) -> usize {
        self.end
    }

    /// Returns how many records and lists are open.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// Returns the layout of the elements of the innermost list, and their number, if nothing in it is open.
    #[must_use]
    pub fn list_around(&self) -> Option<(Layout, u64)> {
        match self.levels.last()?.kind {
            Kind::List { of, length: Length::Count(count), .. } => Some((of, count)),
            _ => None,
        }
    }

    /// Opens a step of the path around what is entered next.
    pub fn name(&mut self, name: Name) {
        self.deferred += 1;
        self.push(Kind::Deferred, name, self.at);
    }

    /// Goes on with a layout at this place.
    pub const fn enter(&mut self, layout: Layout, name: Name) {
        self.root = Some((layout, name, Bound::NONE));
    }

    /// Opens a record at this place, with a word as the only argument.
    ///
    /// # Errors
    ///
    /// Fails if the record is too deep in others.
    pub fn enter_record(
        &mut self,
        record: &'static Record,
        argument: Option<(&'static Word, u64)>,
    ) -> Result<()> {
        self.open(Layout::Record(record), Bound::NONE, Name::Same, None)?;
        if let (Some((word, raw)), [_]) = (argument, record.parameters)
            && let Some(argument) = self.arguments.last_mut()
        {
            *argument = Value::Word(word, raw.into());
        }
        Ok(())
    }

    /// Leaves the record that was the last step.
    pub fn leave(&mut self) {
        if let Some(&Level { kind: Kind::Record { base, around, is_deep, .. }, .. }) =
            self.levels.last()
        {
            self.slots.truncate(base);
            self.big = around;
            self.deep -= u32::from(is_deep);
            self.pop();
        }
    }

    /// Closes everything that is open.
    pub fn stop(&mut self) {
        (self.root, self.pending, self.tail) = (None, None, Name::Same);
        self.levels.clear();
        self.slots.clear();
        self.depth = 0;
    }

    /// Passes over bytes.
    pub fn pass(&mut self, length: usize) {
        self.at = self.at.saturating_add(length).min(self.end);
    }

    /// Goes back to the element `first` of the list that was the last step, to walk through its elements one by one.
    pub fn again(&mut self, step: &Step, of: Layout, first: u64) {
        let size = of.size().unwrap_or_default();
        let count = (step.bytes.len() / size.max(1)) as u64 + step.missing;
        self.pending = None;
        self.at = step.bytes.start + first as usize * size;
        // The name of a list in a region is that of the region, which is open.
        let name = std::mem::replace(&mut self.tail, Name::Same);
        let (bound, length) = (Bound::NONE, Length::Count(count));
        let kind = Kind::List { of, bound, next: first, length, at: self.at, empty: 0 };
        self.push(kind, name, step.bytes.start);
    }

    /// Gives the number or word that was the last step another value.
    pub fn replace_number(&mut self, layout: Layout, raw: u64) {
        let value = match layout {
            Layout::Integer { number, .. } => {
                Value::Number(number.read(&raw.to_le_bytes(), false), number)
            }
            Layout::Word(word) => Value::Word(word, raw.into()),
            _ => return,
        };
        if let Some((slot, true)) = self.open_slot() {
            slot.value = value;
        }
    }

    /// Keeps a fault until after the step of the part that it is in, if this is the walk of an inspector.
    pub(super) fn tolerate(&mut self, fault: Error) -> Result<()> {
        if !self.inspects {
            return self.fault(fault);
        }
        self.pending = Some(self.placed(fault));
        Ok(())
    }

    /// Returns the size of elements that are one step together.
    pub(super) fn size_in_row(&self, of: Layout) -> Option<usize> {
        let size = if self.inspects { of.size() } else { of.bytes_of_numbers() };
        size.filter(|size| *size > 0)
    }

    /// Stops at a place whose layout the caller knows.
    pub(super) fn nested_step(
        &mut self,
        id: u16,
        name: Name,
        field: Option<&'static Field>,
    ) -> Step {
        let step = self.step_of(StepKind::Nested(id), name, self.at, field, Value::None);
        self.name(name);
        self.tail = Name::Same;
        step
    }

    /// Takes padding, as far as it is there.
    pub(super) fn padding_to_end(
        &mut self,
        layout: Layout,
        name: Name,
        field: Option<&'static Field>,
        length: u64,
    ) -> Step {
        let start = self.at;
        self.pass(usize::try_from(length).unwrap_or(usize::MAX));
        let missing = length - (self.at - start) as u64;
        Step { missing, ..self.filled(layout, name, start, field, Value::None) }
    }

    /// Leaves a region whose contents end before it.
    pub(super) fn rest_of_region(&mut self, around: usize) -> Step {
        let start = self.at;
        (self.at, self.end) = (self.end, around);
        self.pop();
        self.step_of(StepKind::Rest, Name::Same, start, None, Value::None)
    }
}

/// Returns whether the field may be missing at the end of the input.
pub(super) fn may_end(field: &'static Field) -> bool {
    matches!((field.layout)(), Layout::OrEnd(_))
}

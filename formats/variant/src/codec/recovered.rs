//! The intact parts of damaged packets.

use std::fmt;
use std::ops::Range;

use crate::{Real, Variant};
use formwork::Error;

/// The readable parts of bytes that are cut or damaged, and the losses.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Recovered<R: Real = f32> {
    /// The values, in the order of the bytes. A value that is cut has everything up to the cut: the containers that
    /// were open end there.
    pub values: Vec<Variant<R>>,
    /// The losses, in the order of the bytes. At most [`Recovered::MOST`]: if there are more, the last one reaches
    /// to the end of all losses.
    pub lost: Vec<Lost>,
}

impl<R: Real> Recovered<R> {
    /// The number of losses that are listed separately.
    pub const MOST: usize = 10_000;

    /// Returns these values, of which nothing is lost.
    #[must_use]
    pub const fn whole(values: Vec<Variant<R>>) -> Self {
        Self { values, lost: Vec::new() }
    }

    /// Returns whether there are values, and nothing is lost.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.values.is_empty() && self.lost.is_empty()
    }

    /// Returns the number of bytes that were not read.
    #[must_use]
    pub fn bytes_lost(&self) -> u64 {
        self.lost.iter().map(|lost| lost.range.end - lost.range.start).sum()
    }
}

/// A loss.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Lost {
    /// The index of the value in [`Recovered::values`] that lacks it, from 0; [`None`] if nothing of a value could
    /// be read.
    pub value: Option<u64>,
    /// The kind of damage.
    pub damage: Damage,
    /// The bytes of the loss. Empty if none are missing.
    pub range: Range<u64>,
    /// The place of the loss in the names that the user stored: `player/inventory/3`. Empty if the whole value is
    /// lost.
    pub place: String,
    /// The error, with its offset and path.
    pub error: Error,
}

/// The kinds of damage.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Damage {
    /// It could not be read.
    Unread,
    /// A container announces more values than there are bytes for. The following bytes were read as its values.
    Count,
    /// A text is not UTF-8. The wrong bytes became U+FFFD.
    Text,
    /// The length of a frame is wrong. Its packet was read without it.
    Length,
}

impl Damage {
    /// Returns a short, stable name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Count => "count",
            Self::Text => "text",
            Self::Length => "length",
        }
    }

    /// Says it in words.
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Unread => "could not be read",
            Self::Count => "announces more than there is; what follows was read as its content",
            Self::Text => "is no valid text; the wrong bytes became U+FFFD",
            Self::Length => "has a wrong length, which was passed over",
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { damage, range, place, error, .. } = self;
        if !place.is_empty() {
            write!(f, "{place}: ")?;
        }
        let (start, bytes) = (range.start, range.end - range.start);
        let what = match (damage, bytes) {
            (Damage::Length, _) => "the frame".to_owned(),
            (Damage::Count, _) => "the container".to_owned(),
            (Damage::Text, _) => "the text".to_owned(),
            (Damage::Unread, 0) => "the end is missing;".to_owned(),
            (Damage::Unread, bytes) => formwork::wire::bytes(bytes).to_string(),
        };
        match (damage, bytes) {
            (Damage::Unread, 0) => write!(f, "the end is missing at offset {start} (0x{start:x})")?,
            _ => write!(f, "{what} at offset {start} (0x{start:x}) {}", damage.description())?,
        }
        write!(f, ": expected {}, found {}", error.expected(), error.found())?;
        if !error.path().is_empty() {
            write!(f, ", in {}", error.path())?;
        }
        Ok(())
    }
}

/// The intact parts of one value.
pub(crate) struct Salvaged<R: Real> {
    /// The value, if anything of it could be read.
    pub(crate) value: Option<Variant<R>>,
    pub(crate) lost: Vec<Lost>,
    /// The size of the value in bytes, if its end was found.
    pub(crate) length: Option<usize>,
    /// The least number of missing bytes, if the value ends too early.
    pub(crate) needed: Option<u64>,
}

impl<R: Real> Recovered<R> {
    /// Adds a value, if anything of it was read, and its losses; the bytes start at `base`.
    pub(crate) fn add(
        &mut self,
        value: Option<Variant<R>>,
        lost: Vec<Lost>,
        base: u64,
        locate: impl Fn(Error) -> Error,
    ) {
        let number = value.is_some().then_some(self.values.len() as u64);
        self.values.extend(value);
        for lost in lost {
            self.list(Lost {
                value: number,
                range: lost.range.start + base..lost.range.end + base,
                error: locate(lost.error.shifted(base)),
                ..lost
            });
        }
    }

    /// Adds something that is lost.
    pub(crate) fn list(&mut self, lost: Lost) {
        let is_full = self.lost.len() >= Self::MOST;
        match self.lost.last_mut() {
            Some(last) if is_full => {
                last.range.end = last.range.end.max(lost.range.end);
            }
            _ => self.lost.push(lost),
        }
    }

    /// Adds bytes from which nothing could be read.
    pub fn miss(&mut self, damage: Damage, range: Range<usize>, error: Error) {
        let range = range.start as u64..range.end as u64;
        let value = (damage == Damage::Length).then_some(self.values.len() as u64);
        self.list(Lost { value, damage, range, place: String::new(), error });
    }
}

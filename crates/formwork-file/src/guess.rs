//! A format that a file may have.

use std::fmt;

use formwork::document::{Confidence, Format};
use formwork_godot::document::{SAVES, SaveFormat};

use crate::Options;

/// A format that a file may have.
#[derive(Clone, Copy)]
pub struct Guess {
    /// The format.
    pub format: &'static dyn Format,
    /// How well the file fits.
    pub confidence: Confidence,
}

impl Guess {
    /// Returns in a few words why the format is thought to be that of the file.
    #[must_use]
    pub const fn why(&self) -> &'static str {
        match self.confidence {
            Confidence::Whole => "all of it can be read",
            Confidence::Start => "it begins like one, and is damaged",
            Confidence::None => "it was named",
        }
    }
}

impl fmt::Debug for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({:?})", self.format.name(), self.confidence)
    }
}

/// Returns the format of saves with the options, if that is the format.
pub(crate) fn saves_of(guess: Guess, options: &Options) -> Option<SaveFormat> {
    (guess.format.name() == SAVES.name()).then(|| options.saves())
}

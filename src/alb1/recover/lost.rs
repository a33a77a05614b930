//! What a rescue says of what it could not read.

use std::fmt;
use std::ops::Range;

use crate::alb1::Field;
use crate::error::{Error, Path};

/// What became of a document that may be damaged.
///
/// Nothing in it is made up: an object stands here because its head, its class and its fields were
/// found in the bytes. (What else a file must have, a header and tables, is replaced by that of
/// Terrain Builder where it is damaged, and `lost` says so.)
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// What was read, each object at the place it had.
    pub document: crate::alb1::Document,
    /// Objects whose place was destroyed with what stood around them.
    pub orphans: Vec<Orphan>,
    /// What was lost, repaired or is doubtful, in the order of the file.
    pub lost: Vec<Lost>,
    /// Why the file cannot be read as it is; [`None`] where it can, and only its quadtree is damaged.
    pub error: Option<Error>,
}

impl Recovered {
    /// Whether nothing was lost, and the document is the whole file.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.error.is_none() && self.lost.is_empty() && self.orphans.is_empty()
    }
}

/// An object that was found, without the array or object it belongs in.
#[derive(Clone, Debug, PartialEq)]
pub struct Orphan {
    /// Where its field starts in the damaged file.
    pub offset: u64,
    /// The path of what was being read around it.
    pub path: Path,
    /// The object, with the tag of its field.
    pub field: Field,
}

/// Something that was lost, repaired or is doubtful.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// Which bytes of the damaged file it is about. Empty where they are missing altogether, or where
    /// it is not known which they are.
    pub range: Range<u64>,
    /// The path, in the recovered document, of what was being read.
    pub path: Path,
    /// What is wrong.
    pub reason: Reason,
    /// What is thought to be, or to have been, there.
    pub thought: String,
}

/// What is wrong with some bytes.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// They could not be read, and are not in the document.
    Unreadable,
    /// The file ends before them.
    Cut,
    /// A size or count does not fit what follows it; what follows was read without it.
    Size,
    /// They were replaced by what every file of Terrain Builder has, or by what follows from others.
    Rebuilt,
    /// They were read, but stand next to damage or are not as Terrain Builder writes them. A number
    /// that does not count what was found stays as it is, for it says how many there were.
    Doubtful,
}

impl Reason {
    /// The reason in words, for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unreadable => "unreadable",
            Self::Cut => "cut off",
            Self::Size => "wrong size",
            Self::Rebuilt => "rebuilt",
            Self::Doubtful => "doubtful",
        }
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { range, path, reason, thought } = self;
        write!(f, "bytes {}..{}", range.start, range.end)?;
        if !path.is_empty() {
            write!(f, ", {path}")?;
        }
        write!(f, ": {}: {thought}", reason.name())
    }
}

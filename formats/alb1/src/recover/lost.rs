//! What a rescue says of what it could not read.

use std::fmt;
use std::ops::Range;

use crate::Field;
use formwork::{Error, Path};

/// What became of a document that may be damaged.
///
/// Nothing in it is made up: an object stands here because its head, its class and its fields were
/// found in the bytes. What else a file must have so that it can be worked with is put in where it is
/// missing, and `lost` says so: a header and tables as Terrain Builder writes them, fields with what they
/// have in a new object, and numbers that count what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// What was read, each object at the place it had.
    pub document: crate::Document,
    /// Objects whose place was destroyed with what stood around them.
    pub orphans: Vec<Orphan>,
    /// What was lost, repaired or is doubtful, in the order of the file.
    pub lost: Vec<Lost>,
    /// How many fields were found, in the document and in the orphans. Where there are none, nothing says
    /// that the bytes are an ALB1 file at all.
    pub fields: u64,
    /// What was found of the objects that a layer had placed; [`None`] for other files.
    pub placed: Option<Placed>,
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

/// How many objects a layer has placed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Placed {
    /// How many are in the document.
    pub kept: u64,
    /// How many there were, where the layer says it.
    pub said: Option<u64>,
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
    /// They are missing, and what a new object has stands in their place.
    Default,
    /// They were replaced by what every file of Terrain Builder has, or by what follows from others.
    Rebuilt,
    /// They were read, but stand next to damage or are not as Terrain Builder writes them. Of a number
    /// that counted something else than what was found, this says what it was.
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
            Self::Default => "default",
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

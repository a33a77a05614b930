//! Report of the parts that a rescue could not read.

use std::fmt;
use std::ops::Range;

use crate::Field;
use formwork::{Error, Path};

/// Result of the recovery of a document that may be damaged.
///
/// Nothing in it is invented: each object is included because its head, its class and its fields were found in the
/// bytes. Missing parts that a file must have to be usable are added, and `lost` lists them: a header and tables as
/// Terrain Builder writes them, fields with the values of a new object, and numbers that count the parts that were
/// found.
#[derive(Clone, Debug, PartialEq)]
pub struct Recovered {
    /// Recovered document, each object at its original place.
    pub document: crate::Document,
    /// Objects whose place was destroyed with the data around them.
    pub orphans: Vec<Orphan>,
    /// Parts that were lost, repaired or are doubtful, in the order of the file.
    pub lost: Vec<Lost>,
    /// How many fields were found, in the document and in the orphans. Where there are none, nothing says
    /// that the bytes are an ALB1 file at all.
    pub fields: u64,
    /// Objects of a layer that were found; [`None`] for other files.
    pub placed: Option<PlacedCount>,
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
pub struct PlacedCount {
    /// How many are in the document.
    pub kept: u64,
    /// How many there were, where the layer says it.
    pub said: Option<u64>,
}

/// An object that was found, without the array or object it belongs in.
#[derive(Clone, Debug, PartialEq)]
pub struct Orphan {
    /// Offset of the field in the damaged file.
    pub offset: u64,
    /// The path of what was being read around it.
    pub path: Path,
    /// The object, with the tag of its field.
    pub field: Field,
}

/// Something that was lost, repaired or is doubtful.
#[derive(Clone, Debug, PartialEq)]
pub struct Lost {
    /// Bytes of the damaged file that this entry describes. Empty if they are missing altogether, or if their place is
    /// unknown.
    pub range: Range<u64>,
    /// The path, in the recovered document, of what was being read.
    pub path: Path,
    /// Kind of the damage.
    pub reason: Reason,
    /// Supposed present or original content.
    pub thought: String,
}

/// Kind of damage to some bytes.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Reason {
    /// They could not be read, and are not in the document.
    Unreadable,
    /// The file ends before them.
    Cut,
    /// A size or count does not fit what follows it; what follows was read without it.
    Size,
    /// The bytes are missing, and the value of a new object replaces them.
    Default,
    /// They were replaced by what every file of Terrain Builder has, or by what follows from others.
    Rebuilt,
    /// The bytes were read, but are next to damage or are not as Terrain Builder writes them. If a number counted
    /// differently from the parts found, this entry gives the original number.
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

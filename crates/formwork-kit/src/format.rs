//! The formats of both families, by name, and the rules of their readers.

use std::fmt;
use std::str::FromStr;

use formwork_variant::dialect::{Dialect, UnknownDialect};

/// A format of files and packets.
///
/// ```
/// use formwork_kit::Format;
/// use formwork_variant::Dialect;
///
/// assert_eq!("godot3".parse(), Ok(Format::Variant(Dialect::GODOT3)));
/// assert_eq!("ALB1".parse(), Ok(Format::Alb1));
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Format {
    /// Packets of values, as the engines of a dialect write them.
    Variant(Dialect),
    /// The files of Terrain Builder.
    Alb1,
}

impl Format {
    /// Name of ALB1 on the command line and in reports.
    pub const ALB1: &str = "alb1";

    /// The dialect, of Variant packets.
    #[must_use]
    pub const fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Variant(dialect) => Some(dialect),
            Self::Alb1 => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Variant(dialect) => dialect.fmt(f),
            Self::Alb1 => f.pad(Self::ALB1),
        }
    }
}

/// No format is called so.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct UnknownFormat(UnknownDialect);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; and {}", self.0, Format::ALB1)
    }
}

impl std::error::Error for UnknownFormat {}

impl FromStr for Format {
    type Err = UnknownFormat;

    /// The format of that name, in letters of either case.
    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let name = name.to_ascii_lowercase();
        if name == Self::ALB1 {
            return Ok(Self::Alb1);
        }
        name.parse().map(Self::Variant).map_err(UnknownFormat)
    }
}

/// Returns every rule that the readers of both families declare.
///
/// ```
/// let rule = formwork_kit::all_rules().find(|rule| rule.name() == "bool.value").unwrap();
/// assert_eq!(rule.description(), "A bool is 0 or 1.");
/// ```
pub fn all_rules() -> impl Iterator<Item = formwork::Rule> {
    formwork_variant::all_rules()
        .chain(formwork_edit::all_rules())
        .chain(formwork_godot::all_rules())
        .chain(formwork_alb1::all_rules())
}

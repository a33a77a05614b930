//! The path of a field in a value.

use std::fmt;

/// One step of a [`Path`].
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
pub enum PathSegment {
    /// A field, by its declared name: `.value`.
    Field(&'static str),
    /// A field, by a name that the file itself gives: a tag of an ALB1 file.
    Name(Box<str>),
    /// A position in a list: `[3]`.
    Index(u64),
}

/// The step alone, as it is: `value`, `[3]`.
impl fmt::Display for PathSegment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(name) => f.write_str(name),
            Self::Name(name) => f.write_str(name),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

impl From<&'static str> for PathSegment {
    fn from(field: &'static str) -> Self {
        Self::Field(field)
    }
}

impl From<u64> for PathSegment {
    fn from(index: u64) -> Self {
        Self::Index(index)
    }
}

/// The path of a field in a value, in the names of the declarations: `dictionary[3].value.array[0]`.
///
/// Printed, a path of more steps than can be read leaves out those in its middle, and shows how many; with
/// `{:#}` it is whole.
///
/// ```
/// use formwork::Path;
///
/// let mut path = Path::from_iter(["players".into(), 3.into()]);
/// path.push("score");
/// assert_eq!(path.to_string(), "players[3].score");
/// ```
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Path(Vec<PathSegment>);

impl Path {
    /// Adds a step at the inner end.
    pub fn push(&mut self, step: impl Into<PathSegment>) {
        self.0.push(step.into());
    }

    /// Puts another path before this one.
    #[must_use]
    pub fn under(mut self, outer: Self) -> Self {
        let mut steps = outer.0;
        steps.append(&mut self.0);
        Self(steps)
    }

    /// The steps, the outermost first.
    #[must_use]
    pub fn steps(&self) -> &[PathSegment] {
        &self.0
    }

    /// Whether the path leads nowhere but to the top.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<PathSegment>> for Path {
    fn from(steps: Vec<PathSegment>) -> Self {
        Self(steps)
    }
}

impl FromIterator<PathSegment> for Path {
    fn from_iter<I: IntoIterator<Item = PathSegment>>(steps: I) -> Self {
        Self(steps.into_iter().collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Steps shown at either end of a path too long to read.
        const SHOWN: usize = 24;
        let left_out = if f.alternate() { 0 } else { self.0.len().saturating_sub(2 * SHOWN) };
        for (position, step) in self.0.iter().enumerate() {
            if left_out > 0 && (SHOWN..SHOWN + left_out).contains(&position) {
                if position == SHOWN {
                    write!(f, ".(... {left_out} steps ...)")?;
                }
                continue;
            }
            if position > 0 && !matches!(step, PathSegment::Index(_)) {
                f.write_str(".")?;
            }
            match step {
                PathSegment::Name(name) => write!(f, "{}", Escaped(name))?,
                step => write!(f, "{step}")?,
            }
        }
        Ok(())
    }
}

/// A name that a file gives, in one line: control characters are escaped.
pub(crate) struct Escaped<'n>(pub(crate) &'n str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some(at) = rest.find(char::is_control) {
            let (plain, control) = rest.split_at(at);
            let length = control.chars().next().map_or(0, char::len_utf8);
            let (control, behind) = control.split_at(length);
            write!(f, "{plain}{}", control.escape_default())?;
            rest = behind;
        }
        f.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_in_a_name_does_not_break_the_line_of_an_error() {
        let names = ["a\nb", "c\0\u{1b}[31m", "ä\t"].map(|name| PathSegment::Name(name.into()));
        let path: Path = names.into_iter().collect();
        assert_eq!(path.to_string(), "a\\nb.c\\u{0}\\u{1b}[31m.ä\\t");
    }
}

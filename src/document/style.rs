//! The layout of JSON.

/// The layout of JSON.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Style {
    /// Without blanks, on one line.
    #[default]
    Compact,
    /// An element a line, two blanks of indentation a level. Formats with long lists of numbers keep short ones on one line,
    /// and break long ones into rows.
    Pretty,
}

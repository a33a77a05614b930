//! Colours, where there is a terminal that wants them.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::terminal::{self, Ink};

/// The styles of what the program prints; all plain where colours are not wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    /// Offsets and other things that frame what matters.
    pub(crate) dim: Ink,
    /// Names of fields and headings.
    pub(crate) name: Ink,
    /// Values.
    pub(crate) value: Ink,
    /// Good news.
    pub(crate) good: Ink,
    /// What deserves a look.
    pub(crate) note: Ink,
    /// What is wrong.
    pub(crate) error: Ink,
}

impl Palette {
    /// For standard output.
    pub(crate) fn stdout() -> Self {
        Self::of(AutoStream::choice(&std::io::stdout()))
    }

    /// For standard error.
    pub(crate) fn stderr() -> Self {
        Self::of(AutoStream::choice(&std::io::stderr()))
    }

    /// Returns the colours, wherever they go.
    pub(crate) fn ansi() -> Self {
        Self::of(ColorChoice::AlwaysAnsi)
    }

    fn of(choice: ColorChoice) -> Self {
        if choice == ColorChoice::Never {
            return Self::default();
        }
        Self {
            dim: Style::new().dimmed().into(),
            name: AnsiColor::Cyan.on_default().into(),
            value: Style::new().bold().into(),
            good: AnsiColor::Green.on_default().into(),
            note: AnsiColor::Yellow.on_default().into(),
            error: AnsiColor::Red.on_default().bold().into(),
        }
    }
}

/// A text that others chose, in one line: a name, or the message of a decoder, may hold a line break or
/// a control sequence. Here each such character is replaced by one, so that columns stay columns; what
/// else reaches a terminal is escaped by [`terminal::Terminal`].
pub(crate) fn shown(text: impl ToString) -> String {
    let text = text.to_string();
    let breaks = |c: char| c.is_control() || terminal::is_format(c);
    text.chars().map(|c| if breaks(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

//! Colours, where there is a terminal that wants them.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

/// The styles of what the program prints; all plain where colours are not wanted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Palette {
    /// Offsets and other things that frame what matters.
    pub(crate) dim: Style,
    /// Names of fields and headings.
    pub(crate) name: Style,
    /// Values.
    pub(crate) value: Style,
    /// Good news.
    pub(crate) good: Style,
    /// What deserves a look.
    pub(crate) note: Style,
    /// What is wrong.
    pub(crate) error: Style,
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

    fn of(choice: ColorChoice) -> Self {
        if choice == ColorChoice::Never {
            return Self::default();
        }
        Self {
            dim: Style::new().dimmed(),
            name: AnsiColor::Cyan.on_default(),
            value: Style::new().bold(),
            good: AnsiColor::Green.on_default(),
            note: AnsiColor::Yellow.on_default(),
            error: AnsiColor::Red.on_default().bold(),
        }
    }
}

/// A text that others chose, as it can be printed on a terminal: a name, or the message of a decoder,
/// may hold a line break or a control sequence.
pub(crate) fn shown(text: impl ToString) -> String {
    let text = text.to_string();
    text.chars().map(|c| if c.is_control() { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

//! Colours, for terminals that support them.

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};

use super::terminal::{self, Ink};

/// The styles of the program's output; all plain without colours.
#[derive(Clone, Copy, Debug, Default)]
pub struct Palette {
    /// Offsets and other parts of the frame.
    pub dim: Ink,
    /// Names of fields and headings.
    pub name: Ink,
    /// Values.
    pub value: Ink,
    /// Successes.
    pub good: Ink,
    /// Notes and warnings.
    pub note: Ink,
    /// Errors.
    pub error: Ink,
}

impl Palette {
    /// Returns the palette for standard output.
    pub fn stdout() -> Self {
        Self::of(AutoStream::choice(&std::io::stdout()))
    }

    /// Returns the palette for standard error.
    pub fn stderr() -> Self {
        Self::of(AutoStream::choice(&std::io::stderr()))
    }

    /// Returns the colours for any output.
    pub fn ansi() -> Self {
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

/// Returns a foreign text as one line. A name, or the message of a decoder, may hold a line break
/// or a control sequence. Each such character is replaced by one character, which keeps columns
/// aligned; [`terminal::Terminal`] escapes all others.
pub fn shown(text: impl ToString) -> String {
    let text = text.to_string();
    let breaks = |c: char| c.is_control() || terminal::is_format(c);
    text.chars().map(|c| if breaks(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

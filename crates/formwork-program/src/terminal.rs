//! Output to terminals: all text is shown, and no control sequence in it has an effect.
//!
//! Texts in files, and names of files, may hold control sequences, which would colour a terminal,
//! set its title or worse, and marks that change the direction of text. [`Terminal`] escapes all of
//! them. It passes on only the colours of the program itself, which [`Ink`] marks with a random
//! number that no input can contain. Files and pipes get every byte unchanged.

use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::sync::OnceLock;

use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use terminal_size::{Width, terminal_size};

/// A style that a [`Terminal`] recognizes as the program's.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ink(Style);

impl From<Style> for Ink {
    fn from(style: Style) -> Self {
        Self(style)
    }
}

/// Prints the start of the style, and with `{:#}` its end.
impl fmt::Display for Ink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_plain() {
            return Ok(());
        }
        let sequences = match f.alternate() {
            true => self.0.render_reset().to_string(),
            false => self.0.render().to_string(),
        };
        // A style may have several sequences, each of which ends with an m.
        sequences.split_inclusive('m').try_for_each(|one| write!(f, "{}{one}", mark()))
    }
}

/// Returns the mark before the program's control sequences.
fn mark() -> &'static str {
    static MARK: OnceLock<String> = OnceLock::new();
    // A random mark, which no text can contain.
    MARK.get_or_init(|| format!("\x1b{:016x}", RandomState::new().build_hasher().finish()))
}

/// Returns whether a terminal may handle this character in another way than to show it. (Line
/// breaks and tabs are usual in a text.)
pub fn is_control(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\t') || is_format(c)
}

/// Returns whether the character separates lines or changes the direction of text.
pub const fn is_format(c: char) -> bool {
    matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns the number of columns of a row: from COLUMNS, or else from the terminal, or else 80.
pub fn width() -> usize {
    /// The width where it is not known.
    const USUAL: usize = 80;
    let said = || std::env::var("COLUMNS").ok()?.trim().parse().ok();
    let own = || terminal_size().map(|(Width(columns), _)| usize::from(columns));
    said().or_else(own).filter(|columns| *columns > 0).unwrap_or(USUAL)
}

/// Standard output or standard error, on which foreign texts are safe even if it is a terminal.
pub struct Terminal<W> {
    stream: W,
    /// Whether the stream is a terminal, which must not get control characters.
    escapes: bool,
    /// Whether the output contains colours of the program.
    coloured: bool,
    /// The end of the output so far, which the next bytes complete.
    held: Vec<u8>,
}

/// Returns standard error.
pub fn stderr() -> impl Write {
    of(io::stderr().lock())
}

/// Wraps a stream of the program.
pub fn of<S>(stream: S) -> Terminal<AutoStream<S>>
where
    S: anstream::stream::RawStream,
{
    let (escapes, choice) = (stream.is_terminal(), AutoStream::choice(&stream));
    let coloured = choice != ColorChoice::Never;
    // Without colours no sequence is printed, so the output need not be searched for sequences.
    let choice = if coloured { choice } else { ColorChoice::AlwaysAnsi };
    Terminal { stream: AutoStream::new(stream, choice), escapes, coloured, held: Vec::new() }
}

/// Wraps the input of a pager, which shows it on a terminal.
pub const fn for_pager<W: Write>(stream: W) -> Terminal<W> {
    Terminal { stream, escapes: true, coloured: true, held: Vec::new() }
}

impl<W: Write> Terminal<W> {
    /// Writes the complete part of the held bytes; at the end, all of them.
    fn pass(&mut self, end: bool) -> io::Result<()> {
        let held = std::mem::take(&mut self.held);
        let mut out = Vec::with_capacity(held.len());
        let mut rest = &held[..];
        while let Some(length) = self.step(rest, end, &mut out) {
            rest = &rest[length..];
        }
        self.held = rest.to_vec();
        self.stream.write_all(&out)
    }

    /// Adds the first character or sequence of `rest` to the output, and returns its length; none
    /// where `rest` is empty or the sequence is incomplete.
    fn step(&self, rest: &[u8], end: bool, out: &mut Vec<u8>) -> Option<usize> {
        let &first = rest.first()?;
        let mark = mark().as_bytes();
        if first == 0x1b && self.coloured {
            if let Some(style) = rest.strip_prefix(mark) {
                // The program's sequences end with an m.
                let length = style.iter().position(|&byte| byte == b'm').map(|at| at + 1);
                if let Some(length) = length {
                    out.extend_from_slice(&style[..length]);
                    return Some(mark.len() + length);
                }
            }
            let goes_on = mark.starts_with(rest) || rest.starts_with(mark);
            if goes_on && !end {
                return None;
            }
        }
        if !self.escapes {
            out.push(first);
            return Some(1);
        }
        if first.is_ascii() {
            match (first, rest.get(1)) {
                (b'\r', None) if !end => return None,
                (b'\r', Some(b'\n')) => out.push(first),
                _ if is_control(first.into()) => escape(first.into(), out),
                _ => out.push(first),
            }
            return Some(1);
        }
        let longest = &rest[..rest.len().min(4)];
        let valid = match std::str::from_utf8(longest) {
            Ok(text) => text,
            Err(error) if error.valid_up_to() > 0 => {
                std::str::from_utf8(&longest[..error.valid_up_to()]).unwrap_or_default()
            }
            Err(error) if error.error_len().is_none() && !end => return None,
            Err(_) => {
                // Writing to a Vec does not fail.
                let _ = write!(out, "\\x{first:02x}");
                return Some(1);
            }
        };
        let c = valid.chars().next()?;
        if is_control(c) {
            escape(c, out);
        } else {
            out.extend_from_slice(&rest[..c.len_utf8()]);
        }
        Some(c.len_utf8())
    }
}

/// Escapes a character in the form of JSON and the engines' texts.
fn escape(c: char, out: &mut Vec<u8>) {
    // Writing to a Vec does not fail.
    let _ = write!(out, "\\u{:04x}", u32::from(c));
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.escapes && !self.coloured {
            return self.stream.write(bytes);
        }
        self.held.extend_from_slice(bytes);
        self.pass(false).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass(true)?;
        self.stream.flush()
    }
}

#[cfg(test)]
mod tests {
    use anstyle::AnsiColor;

    use super::*;

    fn written(escapes: bool, coloured: bool, pieces: &[&[u8]]) -> String {
        let mut terminal = Terminal { stream: Vec::new(), escapes, coloured, held: Vec::new() };
        for piece in pieces {
            terminal.write_all(piece).unwrap();
        }
        terminal.flush().unwrap();
        String::from_utf8(terminal.stream).unwrap()
    }

    /// Checks that cutting the input changes nothing.
    fn cut(escapes: bool, coloured: bool, bytes: &[u8]) -> String {
        let whole = written(escapes, coloured, &[bytes]);
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(written(escapes, coloured, &single), whole);
        whole
    }

    #[test]
    fn a_terminal_gets_no_control_character_of_a_text() {
        let text = "a\x1b]0;title\x07b\x1b[31m\u{9b}2J\u{7f}\u{85}\u{202e}c\u{2066}\u{2028}\rd\r\n\te\u{e9}\u{1f600}";
        let shown = "a\\u001b]0;title\\u0007b\\u001b[31m\\u009b2J\\u007f\\u0085\\u202ec\\u2066\\u2028\\u000dd\r\n\te\u{e9}\u{1f600}";
        for coloured in [false, true] {
            assert_eq!(cut(true, coloured, text.as_bytes()), shown);
            assert_eq!(cut(false, coloured, text.as_bytes()), text);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_bytes() {
        assert_eq!(
            cut(true, false, b"a\xff\x9b\xe2\x80b\xe2\x80"),
            "a\\xff\\x9b\\xe2\\x80b\\xe2\\x80"
        );
    }

    #[test]
    fn the_colours_of_the_program_pass_and_those_of_texts_do_not() {
        let ink = Ink::from(AnsiColor::Red.on_default().bold());
        let text = format!("{ink}error{ink:#}: \x1b[31mred\x1b[0m");
        let plain = "\x1b[1m\x1b[31merror\x1b[0m: ";
        let shown = cut(true, true, text.as_bytes());
        assert_eq!(shown, format!("{plain}\\u001b[31mred\\u001b[0m"));
        assert_eq!(cut(false, true, text.as_bytes()), format!("{plain}\x1b[31mred\x1b[0m"));
        assert_eq!(format!("{}", Ink::default()), "");
    }
}

//! Writes JSON text: brackets, separators, indentation, escapes.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::Style;
use super::number::{Scalar, special_name};
use crate::notation::FLOAT;
use crate::wire::{Number, NumberList};

/// The greatest number of numbers in a list that stays on one line: a Projection has sixteen.
pub const SHORT: usize = 16;

/// Deeper levels are not indented further: a value nested thousands of levels deep would otherwise
/// take a million times its size in blanks.
const DEEPEST_INDENT: usize = 64;

/// JSON text that is being written.
///
/// Every method that writes a value first writes the separator from the previous text.
pub struct Output {
    text: Vec<u8>,
    /// The number of bytes that were taken already.
    pub taken: u64,
    pretty: bool,
    levels: Vec<Level>,
    /// The number of levels that are broken into lines.
    broken: usize,
    /// Whether a member's name was written last, so that the next value needs no separator.
    named: bool,
}

struct Level {
    close: u8,
    broken: bool,
    empty: bool,
}

/// The brackets around values.
#[derive(Clone, Copy)]
pub enum Bracket {
    List,
    Object,
}

impl Output {
    pub fn new(style: Style) -> Self {
        Self {
            text: Vec::new(),
            taken: 0,
            pretty: style == Style::Pretty,
            levels: Vec::new(),
            broken: 0,
            named: false,
        }
    }

    /// Returns the number of bytes that were written and not taken yet.
    pub fn waiting(&self) -> usize {
        self.text.len()
    }

    /// Returns the number of bytes that were written.
    pub fn position(&self) -> u64 {
        self.taken + self.text.len() as u64
    }

    /// Takes the text that was written since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        self.taken += self.text.len() as u64;
        std::mem::take(&mut self.text)
    }

    /// Returns the text, if none of it was taken.
    pub fn into_string(self) -> String {
        String::from_utf8(self.text).expect("only ASCII and whole strings are written")
    }

    /// Opens a list or object with one item per line.
    pub fn open(&mut self, bracket: Bracket) {
        self.start(bracket, true);
    }

    /// Opens a list or object whose items stay on one line.
    pub fn open_flat(&mut self, bracket: Bracket) {
        self.start(bracket, false);
    }

    fn start(&mut self, bracket: Bracket, broken: bool) {
        self.separate();
        let (open, close) = match bracket {
            Bracket::List => (b'[', b']'),
            Bracket::Object => (b'{', b'}'),
        };
        self.text.push(open);
        self.levels.push(Level { close, broken, empty: true });
        self.broken += usize::from(broken);
    }

    /// Closes the list or object that was opened last.
    pub fn close(&mut self) {
        let Some(level) = self.levels.pop() else {
            return;
        };
        self.broken -= usize::from(level.broken);
        if level.broken && !level.empty {
            self.line();
        }
        self.text.push(level.close);
    }

    /// Writes the name of an object's member; its value must follow.
    pub fn name(&mut self, name: &str) {
        self.separate();
        self.quoted(name);
        self.text.push(b':');
        if self.pretty {
            self.text.push(b' ');
        }
        self.named = true;
    }

    pub fn null(&mut self) {
        self.bare("null");
    }

    pub fn bool(&mut self, value: bool) {
        self.bare(if value { "true" } else { "false" });
    }

    pub fn number(&mut self, number: impl Into<i128>) {
        self.display(format_args!("{}", number.into()));
    }

    /// Writes a number; a float that is not a JSON number becomes `{"$float":"nan"}`.
    pub fn scalar(&mut self, scalar: Scalar) {
        match special_name(scalar) {
            Some(name) => {
                self.open_flat(Bracket::Object);
                self.name(FLOAT);
                self.string(&name);
                self.close();
            }
            None => self.plain_scalar(scalar),
        }
    }

    /// Writes a finite number.
    pub fn plain_scalar(&mut self, scalar: Scalar) {
        // The debug form of a float has the fewest digits that read back as the same number, and
        // always a fraction or an exponent.
        match scalar {
            Scalar::Whole(number) => self.display(format_args!("{number}")),
            Scalar::Single(number) => self.display(format_args!("{number:?}")),
            Scalar::Double(number) => self.display(format_args!("{number:?}")),
        }
    }

    /// Writes a list of numbers; a long one is broken into rows of whole elements.
    pub fn numbers<N: Number>(
        &mut self,
        list: &dyn NumberList<N>,
        mut write: impl FnMut(&mut Self, Scalar),
    ) {
        let length = list.count();
        self.start(Bracket::List, length > SHORT);
        // A row has whole elements, as many as a short list has.
        let row = (SHORT / list.step()).max(1) * list.step();
        let mut written = 0;
        list.for_each(&mut |number| {
            if length > SHORT {
                // The first number of a row starts a line, the others stay on it.
                self.set_broken(written % row == 0);
            }
            write(self, Scalar::of(number));
            written += 1;
        });
        if length > SHORT {
            self.set_broken(true);
        }
        self.close();
    }

    /// Chooses whether the next item of the innermost level begins a line.
    fn set_broken(&mut self, broken: bool) {
        if let Some(level) = self.levels.last_mut() {
            self.broken = self.broken - usize::from(level.broken) + usize::from(broken);
            level.broken = broken;
        }
    }

    pub fn string(&mut self, text: &str) {
        self.separate();
        self.quoted(text);
    }

    /// Writes bytes in base64, piece by piece; `between` may take the text written so far.
    pub fn base64<E>(
        &mut self,
        bytes: &[u8],
        between: &mut dyn FnMut(&mut Self) -> Result<(), E>,
    ) -> Result<(), E> {
        /// Bytes of a piece. Each three bytes become four letters.
        const PIECE: usize = 3 << 14;
        self.separate();
        self.text.push(b'"');
        for piece in bytes.chunks(PIECE) {
            self.text.extend_from_slice(BASE64.encode(piece).as_bytes());
            between(self)?;
        }
        self.text.push(b'"');
        Ok(())
    }

    /// Writes the separator between the last item and the next.
    fn separate(&mut self) {
        if std::mem::take(&mut self.named) {
            return;
        }
        let Some(level) = self.levels.last_mut() else {
            return;
        };
        let first = std::mem::replace(&mut level.empty, false);
        let broken = level.broken;
        if !first {
            self.text.push(b',');
        }
        if broken {
            self.line();
        } else if self.pretty && !first {
            self.text.push(b' ');
        }
    }

    fn line(&mut self) {
        if self.pretty {
            self.text.push(b'\n');
            self.text.extend(std::iter::repeat_n(b' ', 2 * self.broken.min(DEEPEST_INDENT)));
        }
    }

    fn bare(&mut self, text: &str) {
        self.separate();
        self.text.extend_from_slice(text.as_bytes());
    }

    fn display(&mut self, number: std::fmt::Arguments<'_>) {
        self.separate();
        self.text.write_fmt(number).expect("memory takes whatever is written");
    }

    fn quoted(&mut self, text: &str) {
        self.text.push(b'"');
        let bytes = text.as_bytes();
        let mut done = 0;
        for (at, &byte) in bytes.iter().enumerate() {
            let escape = match byte {
                b'"' => b'"',
                b'\\' => b'\\',
                b'\n' => b'n',
                b'\r' => b'r',
                b'\t' => b't',
                0..=0x1f => b'u',
                _ => continue,
            };
            self.text.extend_from_slice(&bytes[done..at]);
            done = at + 1;
            self.text.extend_from_slice(&[b'\\', escape]);
            if escape == b'u' {
                self.text.extend_from_slice(format!("{byte:04x}").as_bytes());
            }
        }
        self.text.extend_from_slice(&bytes[done..]);
        self.text.push(b'"');
    }
}

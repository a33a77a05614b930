//! JSON text, token by token, with the errors of formwork; numbers without loss.

pub mod number;
pub mod output;
pub mod rule;
pub mod source;

use std::io::Write;

use formwork::{Error, Result};
use output::Output;

/// The layout of JSON.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub enum Style {
    /// Without blanks, on one line.
    #[default]
    Compact,
    /// An element a line, two blanks of indentation a level (up to 64 levels); vectors and other
    /// short lists of numbers stay on one line, long ones are broken into rows.
    Pretty,
}

/// The destination of written JSON, which takes it in large pieces.
pub struct Drain<W> {
    pub stream: W,
}

impl<W: Write> Drain<W> {
    pub fn some(&mut self, out: &mut Output) -> Result<()> {
        /// The size of a piece that is passed on.
        const ENOUGH: usize = 1 << 16;
        if out.waiting() < ENOUGH { Ok(()) } else { self.all(out) }
    }

    pub fn all(&mut self, out: &mut Output) -> Result<()> {
        let start = out.taken;
        self.stream.write_all(&out.take()).map_err(|error| Error::io(start, error))
    }
}

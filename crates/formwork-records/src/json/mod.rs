//! JSON text, token by token, with the errors of formwork; numbers without loss.

pub mod number;
pub mod output;
pub mod rule;
pub mod source;

use std::io::Write;

pub use formwork::document::Style;
use formwork::{Error, Result};
use output::Output;

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

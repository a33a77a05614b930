//! Writes Terrain Builder's text.

use std::io::Write;

use formwork::{Error, Result};

use super::number::write_six;
use super::{Entry, Form};

/// The approximate size of the pieces that are written.
const PIECE: usize = 1 << 16;

#[derive(Debug)]
pub(super) struct TextWriter<W> {
    writer: W,
    waiting: Vec<u8>,
    /// The number of bytes passed to the writer.
    passed: u64,
}

impl<W: Write> TextWriter<W> {
    pub(super) const fn new(writer: W) -> Self {
        Self { writer, waiting: Vec::new(), passed: 0 }
    }

    pub(super) fn write(&mut self, entry: &Entry<'_>) -> Result<()> {
        let position = self.passed + self.waiting.len() as u64;
        Form::Text.check(entry).map_err(|error| error.shifted(position))?;
        let line = &mut self.waiting;
        line.push(b'"');
        line.extend_from_slice(&entry.template);
        line.extend_from_slice(b"\";");
        for number in entry.placement.numbers() {
            write_six(number, line);
            line.push(b';');
        }
        line.push(b'\n');
        if self.waiting.len() >= PIECE { self.pass() } else { Ok(()) }
    }

    fn pass(&mut self) -> Result<()> {
        self.writer.write_all(&self.waiting).map_err(|error| Error::io(self.passed, error))?;
        self.passed += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }

    pub(super) fn finish(mut self) -> Result<W> {
        self.pass()?;
        Ok(self.writer)
    }
}

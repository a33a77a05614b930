//! Functions that write an output, and streams that remember their errors.

use std::io::{self, Write};

use super::failure::Failure;
use super::progress;

/// A function that writes the output. (Boxed, so that the code around it is compiled only once.)
pub type Writing<'w> = Box<dyn FnOnce(&mut dyn Write) -> Result<(), Failure> + 'w>;

/// Returns a function that writes these bytes.
pub fn all_of(bytes: &[u8]) -> Writing<'_> {
    Box::new(move |out| {
        // The output records a write error itself.
        let _ = out.write_all(bytes);
        Ok(())
    })
}

/// Runs `write`, and returns the stream and the number of bytes that it got. A failed write to the
/// stream is the failure, whatever `write` returns.
pub fn through<W: Write>(stream: W, name: &str, write: Writing<'_>) -> Result<(W, u64), Failure> {
    let (watched, result) = Watched::by(stream, write);
    match watched.failed {
        Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::unread()),
        Some(error) => Err(Failure::stream("could not be written", name, &error)),
        None => result.map(|()| (watched.stream, watched.size)),
    }
}

/// Runs `write` on a stream whose reader may stop at any time: what the work found stays its result.
pub fn to_reader<W: Write>(stream: W, name: &str, write: Writing<'_>) -> Result<(), Failure> {
    let (watched, result) = Watched::by(stream, write);
    match (watched.failed, result) {
        (Some(error), _) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::stream("could not be written", name, &error))
        }
        // The work ended because nobody reads on.
        (Some(_), Err(failure)) if failure.is_of_stream() => Err(Failure::unread()),
        (_, result) => result,
    }
}

/// Records the error of a failed write, even if the callers ignore it.
struct Watched<W> {
    stream: W,
    /// Number of bytes that were written.
    size: u64,
    failed: Option<io::Error>,
}

impl<W: Write> Watched<W> {
    /// Runs `write`, and returns what it returns beside the stream.
    fn by(stream: W, write: Writing<'_>) -> (Self, Result<(), Failure>) {
        let mut watched = Self { stream, size: 0, failed: None };
        let result = write(&mut watched);
        if result.is_ok() {
            // `watched` records the error, as every write error.
            let _ = watched.flush();
        }
        (watched, result)
    }
}

impl<W> Watched<W> {
    fn watch<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failed = Some(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// Number of bytes between two updates of the progress.
        const SHOWN_EVERY: u64 = 1 << 20;
        let written = self.stream.write(bytes);
        let before = self.size;
        self.size += written.as_ref().map_or(0, |size| *size as u64);
        if before / SHOWN_EVERY != self.size / SHOWN_EVERY {
            progress::written(self.size);
        }
        self.watch(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.stream.flush();
        self.watch(flushed)
    }
}

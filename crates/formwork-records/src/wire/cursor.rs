//! A slice with a reading position.

use std::io::{self, Read, Seek, SeekFrom};

use formwork::Error;

/// A cursor over bytes in memory, for binrw to read from.
///
/// It never moves past its end, so missing bytes never count as read.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    /// The remaining bytes: the end of all.
    rest: &'a [u8],
    /// The position and number of the last bytes that were requested and are missing.
    failed: Option<(usize, usize)>,
}

impl<'a> Cursor<'a> {
    /// Makes a cursor at the start of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, rest: bytes, failed: None }
    }

    /// Returns the number of bytes read so far.
    #[inline(always)]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// Returns the remaining bytes.
    #[inline(always)]
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns all the bytes, read or not.
    #[must_use]
    pub const fn all(&self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the number of remaining bytes.
    #[inline]
    #[must_use]
    pub const fn left(&self) -> usize {
        self.rest.len()
    }

    /// Takes the next `count` bytes, if that many are left.
    #[inline(always)]
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    /// Checks that the remaining bytes can hold `count` parts of at least `least` bytes each, before memory is
    /// reserved.
    ///
    /// # Errors
    ///
    /// Returns an error under the name of the parts if there are fewer bytes.
    pub fn check_count(&self, count: u32, least: usize, parts: &'static str) -> Result<(), Error> {
        let (needed, left) = (u64::from(count) * least as u64, self.left() as u64);
        if needed <= left {
            return Ok(());
        }
        let expected = format!("{count} {parts} of at least {least} bytes");
        let error = Error::incomplete(self.position() as u64, needed - left, expected, left);
        Err(error.within(parts))
    }

    /// Returns the position at which a reader last requested missing bytes, and their number. (binrw goes back to the
    /// start of a part that it cannot read.)
    pub const fn failed(&self) -> Option<(usize, usize)> {
        self.failed
    }

    #[cold]
    fn fail(&mut self, wanted: usize) -> io::Error {
        self.failed = Some((self.position(), wanted));
        io::ErrorKind::UnexpectedEof.into()
    }

    /// Goes back (or forward) to a position, at most to the end.
    pub fn set_position(&mut self, position: usize) {
        self.rest = self.bytes.get(position..).unwrap_or_default();
    }
}

impl<'a> Cursor<'a> {
    /// Goes on where only `rest` is left, the end of the bytes.
    #[inline(always)]
    pub const fn leave(&mut self, rest: &'a [u8]) {
        self.rest = rest;
    }
}

impl Read for Cursor<'_> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = buffer.len().min(self.left());
        let (taken, rest) = self.rest.split_at(count);
        buffer[..count].copy_from_slice(taken);
        self.rest = rest;
        if count < buffer.len() {
            self.failed = Some((self.position(), buffer.len() - count));
        }
        Ok(count)
    }

    #[inline]
    fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        match self.take(buffer.len()) {
            Some(taken) => {
                buffer.copy_from_slice(taken);
                Ok(())
            }
            None => Err(self.fail(buffer.len())),
        }
    }
}

impl Seek for Cursor<'_> {
    #[inline]
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(offset) => i128::from(offset),
            SeekFrom::Current(offset) => self.position() as i128 + i128::from(offset),
            SeekFrom::End(offset) => self.bytes.len() as i128 + i128::from(offset),
        };
        let target = usize::try_from(target).ok().filter(|&target| target <= self.bytes.len());
        self.set_position(target.ok_or(io::ErrorKind::InvalidInput)?);
        Ok(self.position() as u64)
    }

    #[inline]
    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position() as u64)
    }
}

//! A slice, and how far it was read.

use std::io::{self, Read, Seek, SeekFrom};

/// A cursor over bytes in memory, for binrw to read from.
///
/// It never moves past its end, so nothing that was not there counts as read.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    bytes: &'a [u8],
    /// Those that are left: the end of all.
    rest: &'a [u8],
    /// Where so many bytes were asked for last that are not there.
    failed: Option<(usize, usize)>,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of `bytes`.
    #[must_use]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, rest: bytes, failed: None }
    }

    /// Bytes read so far.
    #[inline(always)]
    #[must_use]
    pub const fn position(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// The bytes that are left.
    #[inline(always)]
    #[must_use]
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// All the bytes, read or not.
    #[must_use]
    pub const fn all(&self) -> &'a [u8] {
        self.bytes
    }

    /// How many bytes are left.
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

    /// Where a reader asked last for bytes that are not there, and how many. (binrw goes back to the start of
    /// what it cannot read.)
    pub const fn failed(&self) -> Option<(usize, usize)> {
        self.failed
    }

    #[cold]
    fn fail(&mut self, wanted: usize) -> io::Error {
        self.failed = Some((self.position(), wanted));
        io::ErrorKind::UnexpectedEof.into()
    }

    /// Goes back (or on) to a position, at most to the end.
    pub fn set_position(&mut self, position: usize) {
        self.rest = self.bytes.get(position..).unwrap_or_default();
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

/// The bytes of a record of constant size, all of which are there: reading them cannot fail.
///
/// That is what makes a derived reader as fast as one written by hand: the compiler sees that its errors
/// cannot happen, and leaves out what makes and moves them.
pub struct Whole<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Whole<'a> {
    /// Makes a reader of a record.
    #[inline]
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, position: 0 }
    }
}

impl Whole<'_> {
    /// Whether nothing was read that is not there.
    #[inline]
    pub const fn is_within(&self) -> bool {
        self.position <= self.bytes.len()
    }
}

impl Read for Whole<'_> {
    #[inline]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.read_exact(buffer)?;
        Ok(buffer.len())
    }

    #[inline]
    fn read_exact(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        let end = self.position.saturating_add(buffer.len());
        // A declaration whose size is less than what its reader takes is found by the tests of records.
        debug_assert!(end <= self.bytes.len(), "a record is larger than it says");
        match self.bytes.get(self.position..end) {
            Some(bytes) => buffer.copy_from_slice(bytes),
            None => buffer.fill(0),
        }
        self.position = end;
        Ok(())
    }
}

impl Seek for Whole<'_> {
    #[inline]
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = match to {
            SeekFrom::Start(offset) => offset as usize,
            SeekFrom::Current(offset) => self.position.saturating_add_signed(offset as isize),
            SeekFrom::End(offset) => self.bytes.len().saturating_add_signed(offset as isize),
        };
        Ok(self.position as u64)
    }

    #[inline]
    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position as u64)
    }
}

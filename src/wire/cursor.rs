//! A cursor over a slice.

use binrw::io::{self, Read, Seek, SeekFrom};

/// Reads from a slice; positions count from `base`, so that a region knows where in the file it is.
#[derive(Clone, Debug)]
pub struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
    base: u64,
}

impl<'b> Cursor<'b> {
    /// Returns a cursor at the start of the bytes.
    #[must_use]
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0, base: 0 }
    }

    /// Returns a cursor at a position; at the end where there are fewer bytes.
    #[must_use]
    pub const fn at(bytes: &'b [u8], position: usize) -> Self {
        let at = if position < bytes.len() { position } else { bytes.len() };
        Self { bytes, at, base: 0 }
    }

    /// Returns a cursor over the bytes of a region that starts at `base`.
    pub(crate) const fn region(bytes: &'b [u8], base: u64) -> Self {
        Self { bytes, at: 0, base }
    }

    /// Returns the bytes that are not read yet.
    #[must_use]
    pub fn rest(&self) -> &'b [u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    /// Returns how many bytes are not read yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.rest().len()
    }

    /// Takes the next bytes, if there are as many.
    ///
    /// ```
    /// let mut input = formwork::wire::Cursor::new(b"abc");
    /// assert_eq!(input.take(2), Some(&b"ab"[..]));
    /// assert_eq!((input.take(2), input.left()), (None, 1));
    /// ```
    pub fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let taken = self.rest().get(..count)?;
        self.at += count;
        Some(taken)
    }

    /// Goes on where only `rest` is left.
    #[inline]
    pub(crate) fn leave(&mut self, rest: &[u8]) {
        self.at = self.bytes.len() - rest.len().min(self.bytes.len());
    }

    /// Returns the position.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.base + self.at as u64
    }
}

impl Read for Cursor<'_> {
    #[inline]
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let rest = self.rest();
        let length = out.len().min(rest.len());
        out[..length].copy_from_slice(&rest[..length]);
        self.at += length;
        Ok(length)
    }

    #[inline]
    fn read_exact(&mut self, out: &mut [u8]) -> io::Result<()> {
        let Some(bytes) = self.rest().get(..out.len()) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        out.copy_from_slice(bytes);
        self.at += out.len();
        Ok(())
    }
}

impl Seek for Cursor<'_> {
    #[inline]
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let to = match to {
            SeekFrom::Start(position) => position.checked_sub(self.base),
            SeekFrom::Current(distance) => (self.at as u64).checked_add_signed(distance),
            SeekFrom::End(distance) => (self.bytes.len() as u64).checked_add_signed(distance),
        };
        let to = to.filter(|to| *to <= self.bytes.len() as u64);
        self.at = to.ok_or(io::ErrorKind::InvalidInput)? as usize;
        Ok(self.position())
    }

    #[inline]
    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.position())
    }
}

/// Returns the position and the end of the input.
#[inline]
pub(crate) fn span<R: Seek>(reader: &mut R) -> io::Result<(u64, u64)> {
    let at = reader.stream_position()?;
    let end = reader.seek(SeekFrom::End(0))?;
    reader.seek(SeekFrom::Start(at))?;
    Ok((at, end))
}

//! Where the bytes go.

use std::io::{self, Seek, SeekFrom, Write};

use binrw::{BinWrite, Endian};

use crate::error::Result;
use crate::wire::error_from;

/// What binrw writes to: a vector, and where in it the packet starts.
pub(super) struct Output {
    bytes: Vec<u8>,
    start: usize,
}

impl Output {
    /// A packet behind bytes that are there already.
    pub(super) fn behind(bytes: Vec<u8>) -> Self {
        Self { start: bytes.len(), bytes }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Writes one declared record.
    pub(super) fn record<T>(&mut self, record: &T) -> Result<()>
    where
        T: for<'a> BinWrite<Args<'a> = ()>,
    {
        record
            .write_options(self, Endian::Little, ())
            .map_err(|error| error_from(&error, self.position() as u64, 0))
    }

    /// The bytes of the packet from a position on.
    #[cfg(feature = "serde")]
    pub(super) fn since(&self, position: usize) -> &[u8] {
        self.bytes.get(self.start + position..).unwrap_or_default()
    }

    /// Writes a record over what stands at a position.
    #[cfg(feature = "serde")]
    pub(super) fn replace<T>(&mut self, position: usize, record: &T) -> Result<()>
    where
        T: for<'a> BinWrite<Args<'a> = ()>,
    {
        let mut new = Self::behind(Vec::new());
        new.record(record)?;
        let place = self.bytes.iter_mut().skip(self.start + position);
        place.zip(new.bytes).for_each(|(to, from)| *to = from);
        Ok(())
    }

    /// Bytes of the packet so far.
    pub(super) fn position(&self) -> usize {
        self.bytes.len() - self.start
    }
}

impl Write for Output {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// No declared record seeks when it is written, but binrw asks where it is.
impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(0) => Ok(self.position() as u64),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

//! Writing without looking at the counts.

use binrw::io::{self, Seek, SeekFrom, Write};
use binrw::{BinWrite, Endian};

use crate::error::Result;
use crate::wire::error_of;

/// Appends to bytes. Positions count from where it began.
struct Appending<'o> {
    out: &'o mut Vec<u8>,
    start: usize,
}

impl Write for Appending<'_> {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Appending<'_> {
    /// Returns the position; written bytes stay.
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = (self.out.len() - self.start) as u64;
        match to {
            SeekFrom::Current(0) | SeekFrom::End(0) => Ok(at),
            SeekFrom::Start(to) if to == at => Ok(at),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// Appends a value to bytes, or nothing.
pub(super) fn write<T: for<'a> BinWrite<Args<'a> = ()>>(
    value: &T,
    endian: Endian,
    out: &mut Vec<u8>,
) -> Result<()> {
    let start = out.len();
    let mut appending = Appending { out, start };
    match value.write_options(&mut appending, endian, ()) {
        Ok(()) => Ok(()),
        Err(error) => {
            let at = (out.len() - start) as u64;
            out.truncate(start);
            Err(error_of(&error, at))
        }
    }
}

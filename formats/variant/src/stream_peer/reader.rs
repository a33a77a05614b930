//! Reads numbers and strings from any reader.

use std::io::{ErrorKind, Read};

use super::StreamPeerBuffer;
use super::number::numbers;
use crate::codec::Decoder;
use crate::dialect::Dialect;
use crate::frame::{ByteOrder, HEAD};
use crate::{Real, Variant, VariantString};
use formwork::{Error, Result};
use formwork_records::limits::Limits;

/// Gets the values of a StreamPeer, however the reader cuts the bytes; a slice of bytes is a reader, too.
///
/// It never reads past the requested value, so the reader can be used for other data afterwards; a file should be
/// wrapped in a [`BufReader`](std::io::BufReader). Lengths are trusted only as far as bytes arrive.
///
/// Every method waits until the bytes have arrived. If the reader ends before, the error has the number of missing
/// bytes ([`Error::needed`]), and if it fails the error is the reader's; in both cases nothing is lost, and the
/// method may be called again.
///
/// ```
/// use formwork_variant::Dialect;
/// use formwork_variant::frame::ByteOrder;
/// use formwork_variant::stream_peer::StreamPeerReader;
///
/// let file = [3, 0, 0, 0, b'k', b'e', b'y', 0, 0, 0x80, 0x3f, 7];
/// let mut peer = StreamPeerReader::new(&file[..], Dialect::GODOT3, ByteOrder::Little);
/// assert_eq!(peer.get_utf8_string(None)?, "key");
/// assert_eq!(peer.get_float()?, 1.0);
/// let error = peer.get_u16().unwrap_err();
/// assert_eq!(error.needed(), Some(1));
/// assert_eq!((error.offset(), error.path().to_string().as_str()), (11, "u16"));
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct StreamPeerReader<R> {
    reader: R,
    buffer: StreamPeerBuffer,
}

macro_rules! get {
    ($( $put:ident $get:ident: $number:ident, $name:literal, $doc:literal; )+) => {
        impl<R: Read> StreamPeerReader<R> {
            $(
                #[doc = concat!("Gets ", $doc, ".")]
                ///
                /// # Errors
                ///
                /// Returns an error if the reader ends before or fails.
                pub fn $get(&mut self) -> Result<$number> {
                    self.fill(size_of::<$number>())?;
                    self.buffer.$get()
                }
            )+
        }
    };
}
numbers!(get);

impl<R: Read> StreamPeerReader<R> {
    /// A StreamPeer that gets from `reader`, with the default limits. `dialect` is the writer's.
    #[must_use]
    pub fn new(reader: R, dialect: Dialect, order: ByteOrder) -> Self {
        Self { reader, buffer: StreamPeerBuffer::new(dialect, order) }
    }

    /// Chooses the limits: a length that announces more than [`Limits::packet_bytes`] is refused.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.buffer = self.buffer.limits(limits);
        self
    }

    /// Returns the offset of the next value in the stream.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.buffer.offset()
    }

    /// The reader itself.
    #[must_use]
    pub fn into_inner(self) -> R {
        self.reader
    }

    /// Gets a number in half precision, exactly. Godot 4.4 on.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader ends before or fails.
    pub fn get_half(&mut self) -> Result<f32> {
        self.fill(size_of::<u16>())?;
        self.buffer.get_half()
    }

    /// Gets `bytes` bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader ends before or fails.
    pub fn get_data(&mut self, bytes: usize) -> Result<Vec<u8>> {
        self.fill(bytes)?;
        self.buffer.get_data(bytes)
    }

    /// Gets the available bytes, at most `bytes`: waits for one read. An empty result means the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the reader fails.
    pub fn get_partial_data(&mut self, bytes: usize) -> Result<Vec<u8>> {
        /// The most bytes that are requested at a time, whatever the caller asks for.
        const MOST: usize = 65_536;
        if self.buffer.available_bytes() == 0 {
            let mut piece = vec![0; bytes.min(MOST)];
            let count = loop {
                match self.reader.read(&mut piece) {
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    read => break read.map_err(|error| Error::io(self.offset(), error))?,
                }
            };
            self.buffer.push(piece.get(..count).unwrap_or_default());
        }
        Ok(self.buffer.get_partial_data(bytes))
    }

    /// Gets a string of one byte a character, as [`StreamPeerBuffer::get_string`] does.
    ///
    /// # Errors
    ///
    /// As [`StreamPeerBuffer::get_string`]; and if the reader ends before or fails.
    pub fn get_string(&mut self, bytes: Option<usize>) -> Result<VariantString> {
        self.fill(bytes.unwrap_or(HEAD))?;
        self.wait(|buffer| buffer.get_string(bytes))
    }

    /// Gets a string in UTF-8, as [`StreamPeerBuffer::get_utf8_string`] does.
    ///
    /// # Errors
    ///
    /// As [`StreamPeerBuffer::get_utf8_string`]; and if the reader ends before or fails.
    pub fn get_utf8_string(&mut self, bytes: Option<usize>) -> Result<VariantString> {
        self.fill(bytes.unwrap_or(HEAD))?;
        self.wait(|buffer| buffer.get_utf8_string(bytes))
    }

    /// Gets a value, as [`StreamPeerBuffer::get_var`] does.
    ///
    /// # Errors
    ///
    /// As [`StreamPeerBuffer::get_var`]; and if the reader ends before or fails.
    pub fn get_var<N: Real>(&mut self, decoder: &Decoder<N>) -> Result<Variant<N>> {
        self.fill(HEAD)?;
        self.wait(|buffer| buffer.get_var(decoder))
    }

    /// Gets something whose length is only known when its start is there.
    fn wait<T>(&mut self, get: impl Fn(&mut StreamPeerBuffer) -> Result<T>) -> Result<T> {
        loop {
            let got = get(&mut self.buffer);
            let Some(needed) = got.as_ref().err().and_then(Error::needed) else {
                return got;
            };
            let available = self.buffer.available_bytes();
            let wanted = available.saturating_add(usize::try_from(needed).unwrap_or(usize::MAX));
            self.fill(wanted)?;
            if self.buffer.available_bytes() < wanted {
                return get(&mut self.buffer);
            }
        }
    }

    /// Reads until `wanted` bytes are available, or the reader ends.
    fn fill(&mut self, wanted: usize) -> Result<()> {
        let missing = wanted.saturating_sub(self.buffer.available_bytes());
        if missing == 0 {
            return Ok(());
        }
        // `read_to_end` retries if it is interrupted, keeps the bytes read before an error, and lets the vector grow
        // only as bytes arrive.
        let read = self.reader.by_ref().take(missing as u64).read_to_end(self.buffer.room());
        read.map(drop).map_err(|error| {
            let offset = self.buffer.offset() + self.buffer.available_bytes() as u64;
            Error::io(offset, error)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lying_length_reserves_nothing() {
        let bytes = [0xff, 0xff, 0xff, 0x7f, 1, 2, 3];
        let missing = Some(i32::MAX as u64 - 3);
        let mut peer = StreamPeerReader::new(&bytes[..], Dialect::GODOT4, ByteOrder::Little);
        assert_eq!(peer.get_string(None).map_err(|error| error.needed()), Err(missing));
        assert_eq!(peer.get_utf8_string(None).map_err(|error| error.needed()), Err(missing));
        let value = peer.get_var(&Decoder::new(Dialect::GODOT4));
        assert_eq!(value.map_err(|error| error.needed()), Err(missing));
        let most = peer.get_data(usize::MAX).map_err(|error| error.needed());
        assert_eq!(most, Err(Some(usize::MAX as u64 - 7)));
        assert!(peer.buffer.room().capacity() < 4096);
        assert_eq!(peer.get_u32(), Ok(i32::MAX as u32));
        assert_eq!(peer.get_partial_data(usize::MAX), Ok(vec![1, 2, 3]));
        assert_eq!(peer.get_partial_data(usize::MAX), Ok(vec![]));
    }
}

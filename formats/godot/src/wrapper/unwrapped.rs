//! Removes the layers around the content of a file, step by step, and keeps a description of them.

use super::{Key, Kind, Layer, MAX_LAYERS, close, open_outermost, path, rule};
use bytes::Bytes;
use formwork::{Error, Result};
use formwork_records::limits::Limits;

/// The bytes of a file whose layers are removed one by one, with the removed parts: the layers, and a header that the
/// game wrote.
///
/// ```
/// use formwork_variant::Limits;
/// use formwork_godot::wrapper::{Compression, Unwrapped, compress};
///
/// let file = [b"SAVE".as_slice(), &compress(b"content", Compression::Zstd)?].concat();
/// let mut file = Unwrapped::new(file).header(4);
/// file.take_out_all(None, &Limits::default())?;
/// assert_eq!(file.content(), b"content");
///
/// // Another content in the same header and layers.
/// let again = file.wrapping().close(b"other content", None)?;
/// assert_eq!(again[..8], *b"SAVEGCPF");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Unwrapped {
    bytes: Bytes,
    layers: Vec<Layer>,
    /// The length of the header at the start of the bytes.
    skipped: usize,
    /// The number of bytes still to be passed over.
    wanted: u64,
    /// The number of layers around the header, and the header, if it came before a layer.
    outer_header: Option<(usize, Vec<u8>)>,
}

impl Unwrapped {
    /// Makes a file from which nothing was removed yet.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let (bytes, layers) = (bytes.into().into(), Vec::new());
        Self { bytes, layers, skipped: 0, wanted: 0, outer_header: None }
    }

    /// Sets the length of the header that the game wrote before a layer or the content.
    #[must_use]
    pub const fn header(mut self, bytes: u64) -> Self {
        self.wanted = bytes;
        self
    }

    /// Returns the bytes of the file, or those in the removed layers: header and content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes without copying them.
    #[must_use]
    pub fn shared(&self) -> Bytes {
        self.bytes.clone()
    }

    /// Returns the bytes alone.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes.into()
    }

    /// Returns the bytes after the header.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        self.bytes.get(self.skipped..).unwrap_or_default()
    }

    /// Returns the removed layers, the outermost first.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Returns the offset of the content in the [bytes](Self::bytes).
    #[must_use]
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    /// Returns how many bytes of an announced header are missing; 0 if there are none.
    #[must_use]
    pub const fn missing_header(&self) -> u64 {
        self.wanted
    }

    /// Returns the number of layers around the header that was passed over, and the header.
    #[must_use]
    pub fn passed_header(&self) -> Option<(usize, &[u8])> {
        match &self.outer_header {
            Some((depth, bytes)) => Some((*depth, bytes)),
            None if self.skipped == 0 => None,
            None => self.bytes.get(..self.skipped).map(|bytes| (self.layers.len(), bytes)),
        }
    }

    /// Passes over the announced header, if that was not done yet and there are enough bytes.
    pub fn pass_header(&mut self) {
        if let Ok(wanted) = usize::try_from(self.wanted)
            && wanted <= self.bytes.len()
        {
            self.skipped += wanted;
            self.wanted = 0;
        }
    }

    /// Whether the content is in a layer. Passes over the announced header if no layer starts before it.
    pub fn is_wrapped(&mut self) -> bool {
        if Kind::by_start(self.content()).is_none() {
            self.pass_header();
        }
        Kind::by_start(self.content()).is_some()
    }

    /// Replaces the outermost layer by its content, and returns the layer; [`None`] if there is none.
    ///
    /// # Errors
    ///
    /// As [`open_outermost`]. Also returns an error if there are more than [`MAX_LAYERS`]. The file is then unchanged.
    pub fn take_out(&mut self, key: Option<&Key>, limits: &Limits) -> Result<Option<Layer>> {
        if !self.is_wrapped() {
            return Ok(None);
        }
        if self.layers.len() == MAX_LAYERS {
            let expected = format!("at most {MAX_LAYERS} layers");
            return Err(Error::new(rule::DEPTH, 0, expected, "one more"));
        }
        let Some((layer, content)) = open_outermost(self.content(), key, limits)? else {
            return Ok(None);
        };
        self.replace(layer, content);
        Ok(Some(layer))
    }

    /// Removes all layers, and passes over the announced header.
    ///
    /// # Errors
    ///
    /// As [`Unwrapped::take_out`]; the path names the layer. Also returns an error if there are fewer bytes than the
    /// announced header has.
    pub fn take_out_all(&mut self, key: Option<&Key>, limits: &Limits) -> Result<()> {
        loop {
            let outer = self.layers.clone();
            let base = self.skipped as u64;
            let taken = self.take_out(key, limits);
            if taken.map_err(|error| error.shifted(base).under(path(&outer)))?.is_none() {
                break;
            }
        }
        if self.wanted > 0 {
            let (length, expected) =
                (self.bytes.len() as u64, "a header of the length that was said");
            let error = Error::incomplete(length, self.wanted - length, expected, length);
            return Err(error.within("header"));
        }
        Ok(())
    }

    /// Removes the bytes from offset `length` on.
    pub fn truncate(&mut self, length: usize) {
        self.bytes.truncate(length);
        self.skipped = self.skipped.min(length);
    }

    /// Replaces the outermost layer by its content.
    pub fn replace(&mut self, layer: Layer, content: Vec<u8>) {
        if self.skipped > 0 {
            let header = self.bytes.get(..self.skipped).unwrap_or_default().to_vec();
            self.outer_header = Some((self.layers.len(), header));
            self.skipped = 0;
        }
        self.layers.push(layer);
        self.bytes = content.into();
    }

    /// Returns the removed layers and header, to wrap another content.
    #[must_use]
    pub fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.layers.clone()).header_of(self)
    }
}

/// Layers to put around a content, and a header of the game.
#[derive(Clone, Debug, Default)]
pub struct Wrapping {
    layers: Vec<Layer>,
    /// The number of layers around the header, and the header.
    header: Option<(usize, Vec<u8>)>,
}

impl Wrapping {
    /// Makes a wrapping of these layers, the outermost first, without a header.
    #[must_use]
    pub const fn new(layers: Vec<Layer>) -> Self {
        Self { layers, header: None }
    }

    /// Adds the header of another file at the same depth: directly before the content, or inside the same number of
    /// layers.
    #[must_use]
    pub fn header_of(mut self, file: &Unwrapped) -> Self {
        self.header = file.passed_header().map(|(depth, bytes)| {
            let innermost = depth == file.layers.len();
            let depth = if innermost { self.layers.len() } else { depth.min(self.layers.len()) };
            (depth, bytes.to_vec())
        });
        self
    }

    /// Returns the layers, the outermost first.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Whether a key is needed.
    #[must_use]
    pub fn is_encrypted(&self) -> bool {
        self.layers.iter().any(|layer| matches!(layer, Layer::Encrypted(_)))
    }

    /// Puts header and layers around a content.
    ///
    /// # Errors
    ///
    /// As [`close`].
    pub fn close(&self, content: &[u8], key: Option<&Key>) -> Result<Vec<u8>> {
        let Some((depth, header)) = &self.header else {
            return close(content, &self.layers, key);
        };
        let (outer, inner) = self.layers.split_at(*depth);
        let mut bytes = close(content, inner, key)?;
        bytes.splice(0..0, header.iter().copied());
        close(&bytes, outer, key)
    }
}

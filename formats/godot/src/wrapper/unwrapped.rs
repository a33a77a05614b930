//! A file without what is around its content, step by step, and what was around it.

use super::{Key, Kind, Layer, MAX_LAYERS, close, open_outermost, path, rule};
use formwork::{Error, Result};
use formwork_records::limits::Limits;

/// The bytes of a file that is taken out of its layers, one by one, with what was around them: the layers, and
/// a header of the game's own.
///
/// ```
/// use formwork_records::limits::Limits;
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
    bytes: Vec<u8>,
    layers: Vec<Layer>,
    /// How many of the bytes, the first ones, are the header.
    skipped: usize,
    /// How many bytes are to be passed over, where that was not done yet.
    wanted: u64,
    /// The header, where it stood in front of a layer, and how many layers are around it.
    outer_header: Option<(usize, Vec<u8>)>,
}

impl Unwrapped {
    /// A file from which nothing was taken yet.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let (bytes, layers) = (bytes.into(), Vec::new());
        Self { bytes, layers, skipped: 0, wanted: 0, outer_header: None }
    }

    /// Says that so many bytes, in front of a layer or of the content, are a header of the game's own.
    #[must_use]
    pub const fn header(mut self, bytes: u64) -> Self {
        self.wanted = bytes;
        self
    }

    /// The bytes of the file, or of what is in the layers that were taken away: header and content.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The bytes, by themselves.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The bytes behind the header.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        self.bytes.get(self.skipped..).unwrap_or_default()
    }

    /// The layers that were taken away, the outermost first.
    #[must_use]
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// How many of the [bytes](Self::bytes) the content stands behind.
    #[must_use]
    pub const fn skipped(&self) -> usize {
        self.skipped
    }

    /// How many bytes of a header that was announced are not there; 0 where all is as it was said.
    #[must_use]
    pub const fn missing_header(&self) -> u64 {
        self.wanted
    }

    /// The header that was passed over, and how many layers are around it.
    #[must_use]
    pub fn passed_header(&self) -> Option<(usize, &[u8])> {
        match &self.outer_header {
            Some((depth, bytes)) => Some((*depth, bytes)),
            None if self.skipped == 0 => None,
            None => self.bytes.get(..self.skipped).map(|bytes| (self.layers.len(), bytes)),
        }
    }

    /// Passes over the header that was announced, if that was not done yet and there is one.
    pub fn pass_header(&mut self) {
        if let Ok(wanted) = usize::try_from(self.wanted)
            && wanted <= self.bytes.len()
        {
            self.skipped += wanted;
            self.wanted = 0;
        }
    }

    /// Whether the content is in a layer. Passes over the header that was announced where none starts before it.
    pub fn is_wrapped(&mut self) -> bool {
        if Kind::by_start(self.content()).is_none() {
            self.pass_header();
        }
        Kind::by_start(self.content()).is_some()
    }

    /// Takes what is in the outermost layer out of it, and returns the layer; [`None`] where there is none.
    ///
    /// # Errors
    ///
    /// As [`open_outermost`], and where there are more than [`MAX_LAYERS`]. The file stays as it was then.
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

    /// Takes all layers away, and passes over the header that was announced.
    ///
    /// # Errors
    ///
    /// As [`Unwrapped::take_out`]; the path says in which layer. And where there are fewer bytes than the header
    /// was said to have.
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

    /// Forgets the bytes from this one on.
    pub fn truncate(&mut self, length: usize) {
        self.bytes.truncate(length);
        self.skipped = self.skipped.min(length);
    }

    /// Puts what was in the outermost layer in its place.
    pub fn replace(&mut self, layer: Layer, content: Vec<u8>) {
        if self.skipped > 0 {
            let header = self.bytes.get(..self.skipped).unwrap_or_default().to_vec();
            self.outer_header = Some((self.layers.len(), header));
            self.skipped = 0;
        }
        self.layers.push(layer);
        self.bytes = content;
    }

    /// What was around the content, to be put around another.
    #[must_use]
    pub fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.layers.clone()).header_of(self)
    }
}

/// Layers to put around a content, and a header of the game's own.
#[derive(Clone, Debug, Default)]
pub struct Wrapping {
    layers: Vec<Layer>,
    /// The header, and how many of the layers are around it.
    header: Option<(usize, Vec<u8>)>,
}

impl Wrapping {
    /// Layers, the outermost first, and no header.
    #[must_use]
    pub const fn new(layers: Vec<Layer>) -> Self {
        Self { layers, header: None }
    }

    /// Puts the header of another file there, too: right before the content where it stood there, else inside as
    /// many layers as it was in.
    #[must_use]
    pub fn header_of(mut self, file: &Unwrapped) -> Self {
        self.header = file.passed_header().map(|(depth, bytes)| {
            let innermost = depth == file.layers.len();
            let depth = if innermost { self.layers.len() } else { depth.min(self.layers.len()) };
            (depth, bytes.to_vec())
        });
        self
    }

    /// The layers, the outermost first.
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

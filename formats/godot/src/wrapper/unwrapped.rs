//! Removes the layers around the content of a file, step by step, and keeps a description of them.

use super::game_header::{Behind, Followed, GameHeader};
use super::{Key, Kind, Layer, MAX_LAYERS, close, open_outermost, path, rule};
use std::borrow::Cow;

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
    /// The number of bytes after the content that are no part of it.
    behind: usize,
    /// A header that came before a layer.
    outer_header: Option<OuterHeader>,
}

/// A header of the game before a layer.
#[derive(Clone, Debug)]
struct OuterHeader {
    /// The number of layers around it.
    depth: usize,
    /// The header and the layer after it.
    bytes: Bytes,
    /// The length of the header.
    length: usize,
}

impl OuterHeader {
    fn parts(&self) -> (&[u8], &[u8]) {
        self.bytes.split_at_checked(self.length).unwrap_or_default()
    }
}

impl Unwrapped {
    /// Makes a file from which nothing was removed yet.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self::of(bytes.into().into())
    }

    /// Returns a file that shares its bytes.
    #[must_use]
    pub const fn of(bytes: Bytes) -> Self {
        Self { bytes, layers: Vec::new(), skipped: 0, wanted: 0, behind: 0, outer_header: None }
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

    /// Returns the bytes after the header, without those [after](Self::leave_behind) the content.
    #[must_use]
    pub fn content(&self) -> &[u8] {
        let end = self.bytes.len().saturating_sub(self.behind);
        self.bytes.get(self.skipped..end).unwrap_or_default()
    }

    /// Returns the content as [`content`](Self::content) does, in shared memory.
    #[must_use]
    pub fn shared_content(&self) -> Bytes {
        self.bytes.slice_ref(self.content())
    }

    /// Returns the bytes after the content, which are kept as they are.
    #[must_use]
    pub fn behind(&self) -> &[u8] {
        let start = self.bytes.len().saturating_sub(self.behind);
        self.bytes.get(start..).unwrap_or_default()
    }

    /// Ends the content after its first `length` bytes. The bytes after it stay where they are, also if another content
    /// is written.
    pub fn leave_behind(&mut self, length: usize) {
        self.behind += self.content().len().saturating_sub(length);
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
            Some(outer) => Some((outer.depth, outer.parts().0)),
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
        self.behind = self.behind.saturating_sub(self.bytes.len().saturating_sub(length));
        self.bytes.truncate(length);
        self.skipped = self.skipped.min(length);
    }

    /// Replaces the outermost layer by its content.
    pub fn replace(&mut self, layer: Layer, content: Vec<u8>) {
        if self.skipped > 0 {
            let (depth, bytes) = (self.layers.len(), self.bytes.clone());
            self.outer_header = Some(OuterHeader { depth, bytes, length: self.skipped });
            self.skipped = 0;
        }
        self.layers.push(layer);
        self.bytes = content.into();
    }

    /// Returns the removed layers, the header and the bytes after the content, to wrap another content.
    #[must_use]
    pub fn wrapping(&self) -> Wrapping {
        Wrapping::new(self.layers.clone()).header_of(self)
    }

    /// Returns the header that was passed over with what it says of the bytes after it, and the number of layers around
    /// it.
    fn game_header(&self) -> Option<(usize, GameHeader)> {
        let (depth, header) = self.passed_header()?;
        let all = self.bytes.get(self.skipped..).unwrap_or_default();
        let stored = self.outer_header.as_ref().map_or(all, |outer| outer.parts().1);
        let behind = Behind { stored, content: all, values: self.content().len() };
        Some((depth, GameHeader::new(header, behind)))
    }
}

/// Layers to put around a content, and what else is in the file: a header of the game, and bytes after the content.
#[derive(Clone, Debug, Default)]
pub struct Wrapping {
    layers: Vec<Layer>,
    /// The number of layers around the header, and the header.
    header: Option<(usize, GameHeader)>,
    /// The bytes after the content.
    behind: Vec<u8>,
    /// The file that these are of.
    old: Option<Box<Unwrapped>>,
}

/// A content in its layers: see [`Wrapping::close_and_tell`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ClosedFile {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// Whether the content is another one, after a header of the game of which nothing is known that follows it.
    pub has_unknown_header: bool,
    /// The lengths and checksums in the header of the game that changed.
    pub followed: Vec<Followed>,
}

impl Wrapping {
    /// Makes a wrapping of these layers, the outermost first, without a header.
    #[must_use]
    pub const fn new(layers: Vec<Layer>) -> Self {
        Self { layers, header: None, behind: Vec::new(), old: None }
    }

    /// Adds the header of another file at the same depth: directly before the content, or inside the same number of
    /// layers. Adds the bytes after its content, too.
    ///
    /// A length or checksum in the header that fits that file will be that of the new content.
    #[must_use]
    pub fn header_of(mut self, file: &Unwrapped) -> Self {
        self.header = file.game_header().map(|(depth, header)| {
            let innermost = depth == file.layers.len();
            let depth = if innermost { self.layers.len() } else { depth.min(self.layers.len()) };
            (depth, header)
        });
        file.behind().clone_into(&mut self.behind);
        // (The bytes are shared, not copied.)
        self.old = Some(Box::new(file.clone()));
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

    /// Returns whether there is nothing around a content: closed, it is the same bytes.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.layers.is_empty() && self.behind.is_empty() && self.header.is_none()
    }

    /// Puts header and layers around a content.
    ///
    /// # Errors
    ///
    /// As [`close`]. Also returns an error if a length in the header cannot say the new length.
    pub fn close(&self, content: &[u8], key: Option<&Key>) -> Result<Vec<u8>> {
        self.close_and_tell(content, key).map(|closed| closed.bytes)
    }

    /// Puts header and layers around a content, as [`close`](Self::close) does, and tells what changed in the header.
    ///
    /// ```
    /// use formwork_godot::wrapper::Unwrapped;
    ///
    /// // `store_pascal_string` writes the length of a text before it.
    /// let mut file = Unwrapped::new(b"\x08\0\0\0{\"hp\":7}".as_slice()).header(4);
    /// file.pass_header();
    /// let closed = file.wrapping().close_and_tell(b"{\"hp\":100}", None)?;
    /// assert_eq!(closed.bytes, b"\x0a\0\0\0{\"hp\":100}");
    /// let told = closed.followed[0].to_string();
    /// assert_eq!(told, "length (u32) of what follows the header at offset 0: 8 -> 10");
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`close`](Self::close).
    pub fn close_and_tell(&self, content: &[u8], key: Option<&Key>) -> Result<ClosedFile> {
        let values = content.len();
        let is_same = self.old.as_ref().is_some_and(|old| old.content() == content);
        let content = &match self.behind.is_empty() {
            true => Cow::Borrowed(content),
            false => Cow::Owned([content, &self.behind].concat()),
        };
        let Some((depth, header)) = &self.header else {
            let bytes = close(content, &self.layers, key)?;
            return Ok(ClosedFile { bytes, has_unknown_header: false, followed: Vec::new() });
        };
        let (outer, inner) = self.layers.split_at(*depth);
        let mut bytes = close(content, inner, key)?;
        let behind = Behind { stored: &bytes, content, values };
        let (front, followed) = header.before(behind)?;
        bytes.splice(0..0, front);
        let bytes = close(&bytes, outer, key)?;
        Ok(ClosedFile { bytes, has_unknown_header: !is_same && !header.follows(), followed })
    }
}

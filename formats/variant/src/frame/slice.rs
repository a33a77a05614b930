//! Frames of a complete buffer.

use std::iter::FusedIterator;

use super::{ByteOrder, Front, HEAD, cut, front, path};
use formwork::Result;
use formwork_records::limits::Limits;

/// A packet and its position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Frame<'a> {
    /// The number of frames before it.
    pub index: u64,
    /// The offset of the packet, after its length word, in bytes from the start of the input.
    pub offset: u64,
    /// The packet.
    pub packet: &'a [u8],
}

/// An iterator over the frames of a buffer. Ends after the first error: after a faulty length the next frame is
/// unknown.
///
/// ```
/// use formwork_variant::frame::{ByteOrder, Frames};
///
/// // A null, and a frame that is cut.
/// let bytes = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0];
/// let mut frames = Frames::new(&bytes, ByteOrder::Big);
/// let first = frames.next().unwrap()?;
/// assert_eq!((first.offset, first.packet), (4, &[0, 0, 0, 0][..]));
/// let error = frames.next().unwrap().unwrap_err();
/// assert_eq!((error.offset(), error.needed()), (12, Some(6)));
/// assert_eq!(error.path().to_string(), "frame[1].packet");
/// assert!(frames.next().is_none());
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    order: ByteOrder,
    limits: Limits,
    position: usize,
    index: u64,
}

impl<'a> Frames<'a> {
    /// The frames of `bytes`, with the default limits.
    #[must_use]
    pub fn new(bytes: &'a [u8], order: ByteOrder) -> Self {
        Self { bytes, order, limits: Limits::default(), position: 0, index: 0 }
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Result<Frame<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.position..).filter(|rest| !rest.is_empty())?;
        let (index, offset) = (self.index, self.position as u64);
        let error = match front(rest, self.order, &self.limits, offset) {
            Ok(Front::Whole(length)) => {
                let packet = &rest[HEAD..HEAD + length];
                self.position += HEAD + length;
                self.index += 1;
                return Some(Ok(Frame { index, offset: offset + HEAD as u64, packet }));
            }
            Ok(Front::Cut { needed, expected }) => cut(offset, rest.len(), needed, expected),
            Err(error) => error,
        };
        self.position = self.bytes.len();
        Some(Err(error.under(path(index))))
    }
}

impl FusedIterator for Frames<'_> {}

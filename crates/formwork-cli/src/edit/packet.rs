//! Bytes of a packet that say nothing, such as padding: unchanged values keep theirs.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use formwork::inspect::{Inspector, Kind, Layout};
use formwork::variant::{Real, Variant};
use formwork::{Decoder, Dialect, Error, Path};

/// Where unchanged values with odd bytes stand now, and where they stood.
pub(crate) type Same = HashMap<Path, Path>;

/// A packet of the old file.
#[derive(Debug)]
pub(crate) struct OldPacket<'a, R: Real> {
    bytes: Cow<'a, [u8]>,
    pub(super) value: Variant<R>,
    /// The values in it whose bytes are not what would be written for them.
    pub(super) odd: HashSet<Path>,
}

impl<'a, R: Real> OldPacket<'a, R> {
    /// Reads the packet that the bytes start with; how many bytes it takes.
    pub(crate) fn read(
        bytes: impl Into<Cow<'a, [u8]>>,
        decoder: &Decoder<R>,
    ) -> Result<(Self, usize), Error> {
        let mut bytes = bytes.into();
        let mut notes = Vec::new();
        let (value, length) = decoder.decode_with_warnings(&bytes, &mut notes)?;
        let odd = notes.into_iter().map(|note| note.path).collect();
        if length < bytes.len() {
            bytes = match bytes {
                Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length]),
                Cow::Owned(mut bytes) => {
                    bytes.truncate(length);
                    Cow::Owned(bytes)
                }
            };
        }
        Ok((Self { bytes, value, odd }, length))
    }

    /// Returns the packet without what would be kept.
    pub(crate) fn rewritten(mut self) -> Self {
        self.odd.clear();
        self
    }
}

/// Puts the bytes of values that did not change in the place of those that were written for them;
/// returns for how many. Only where they are as many: nothing moves.
pub(super) fn keep<R: Real>(
    old: &OldPacket<'_, R>,
    same: &Same,
    (value, packet): (&Variant<R>, &mut Vec<u8>),
    dialect: Dialect,
) -> usize {
    if same.is_empty() {
        return 0;
    }
    let olds = ranges(&old.bytes, dialect, |path| old.odd.contains(path));
    let news = ranges(packet, dialect, |path| same.contains_key(path));
    let mut kept = packet.clone();
    let mut count = 0;
    for (path, place) in news {
        let bytes = same.get(&path).and_then(|path| old.bytes.get(olds.get(path)?.clone()));
        if let Some(bytes) = bytes
            && let Some(place) = kept.get_mut(place)
            && place.len() == bytes.len()
        {
            place.copy_from_slice(bytes);
            count += 1;
        }
    }
    // What was put in is read as what it was, or else nothing is.
    let decoder = Decoder::new(dialect).in_precision().allow_objects(true).limits(unlimited());
    match decoder.decode(&kept) {
        Ok(again) if again.is_identical(value) => {
            *packet = kept;
            count
        }
        _ => 0,
    }
}

/// The bytes were written here, so nothing in them is too large.
fn unlimited() -> formwork::Limits {
    formwork::Limits::default().packet_bytes(u64::MAX).depth(u32::MAX)
}

/// Where the packets of these paths are.
fn ranges(
    bytes: &[u8],
    dialect: Dialect,
    wanted: impl Fn(&Path) -> bool,
) -> HashMap<Path, Range<usize>> {
    let mut found = HashMap::new();
    let mut inspector = Inspector::new(bytes, dialect);
    let mut open: Option<(Path, u32, usize)> = None;
    while let Some(span) = inspector.next() {
        let Ok(span) = span else { break };
        let start = usize::try_from(span.offset).unwrap_or(usize::MAX);
        if let Some((_, depth, _)) = &open
            && span.depth <= *depth
            && span.kind != Kind::Part
            && let Some((path, _, from)) = open.take()
        {
            found.insert(path, from..start);
        }
        if open.is_none() && span.kind == Kind::Open && matches!(span.layout, Layout::Packet(_)) {
            let path = inspector.path();
            if wanted(&path) {
                open = Some((path, span.depth, start));
            }
        }
    }
    if let Some((path, _, from)) = open {
        found.insert(path, from..inspector.position());
    }
    found
}

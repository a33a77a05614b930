//! Recovers damaged files.

use std::borrow::Cow;
use std::ops::Range;

use super::{Opener, take_out_stream};
use crate::Framing;
use crate::settings;
use crate::wrapper::{Layer, MAX_LAYERS, Salvaged, Unwrapped, salvage_outermost};
use formwork::{Error, Result};
use formwork_variant::codec::{Decoder, Lost, Recovered};
use formwork_variant::dialect::Dialect;
use formwork_variant::{Real, Variant};

/// The rest of a damaged file: see [`Opener::recover`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RecoveredFile<R: Real = f32> {
    /// The values, in the order of the file. A value with damage in it has the rest.
    pub values: Vec<Variant<R>>,
    /// The losses in the values, in the order of the bytes. Offsets count in the content of the layers.
    pub lost: Vec<Lost>,
    /// The faults of the layers, the outermost first.
    pub faults: Vec<Error>,
    /// The dialect of the values.
    pub dialect: Dialect,
    /// The framing of the values.
    pub framing: Framing,
    /// The layers around the content, the outermost first.
    pub layers: Vec<Layer>,
}

impl<R: Real> RecoveredFile<R> {
    /// Returns whether there are values, and nothing is lost.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.values.is_empty() && self.lost.is_empty() && self.faults.is_empty()
    }
}

impl<R: Real> Opener<R> {
    /// Reads what is left of a damaged file: what can be unpacked and decrypted of its layers, and the values in that,
    /// after damage too.
    ///
    /// ```
    /// use formwork_godot::Opener;
    /// use formwork_godot::wrapper::{Compression, compress};
    /// use formwork_variant::frame::ByteOrder;
    /// use formwork_godot::Framing;
    /// use formwork_variant::{Dialect, to_vec, variant};
    ///
    /// let packet = to_vec(&variant!({ "name": "Ada", "gold": 5 }), Dialect::GODOT4)?;
    /// let frames = Framing::Frames(ByteOrder::Little);
    /// let content = frames.join(Dialect::GODOT4, vec![packet; 1000])?;
    /// let mut file = compress(&content, Compression::Deflate)?;
    /// file.truncate(file.len() / 2);
    ///
    /// let left = Opener::new().dialect(Dialect::GODOT4).recover(&file)?;
    /// assert!(left.values.len() > 300 && left.values[0]["gold"] == 5);
    /// assert!(!left.faults.is_empty() && !left.is_whole());
    /// # Ok::<(), formwork::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if nothing of the outermost layer can be opened, if a password or key is needed, or if what is left
    /// is of no engine or means different things to several.
    pub fn recover<'a>(self, bytes: impl Into<Cow<'a, [u8]>>) -> Result<RecoveredFile<R>> {
        let header = self.header.unwrap_or_default();
        let mut file = Unwrapped::new(bytes.into().into_owned()).header(header);
        let (mut gaps, mut faults) = (Vec::new(), Vec::new());
        while file.is_wrapped() && file.layers().len() < MAX_LAYERS {
            let salvaged = salvage_outermost(file.content(), self.key.as_ref(), &self.limits)?;
            let Some((layer, salvaged)) = salvaged else { break };
            let Salvaged { content, gaps: missing, faults: more } = salvaged;
            faults.extend(more);
            // Gaps of an outer layer are zeros in the inner one.
            gaps = missing;
            file.replace(layer, content);
        }
        take_out_stream(&mut file, &self.limits);
        let mut readable = before_gaps(&file, &gaps);
        let (dialect, framing) = self.settle(&mut readable)?;
        let base = readable.skipped();
        let content = file.bytes().get(base..).unwrap_or_default();
        let decoder = Decoder::new(dialect).in_precision::<R>().limits(self.limits);
        let decoder = decoder.allow_objects(true);
        let recovered = recover_content((content, base as u64), &gaps, &decoder, framing);
        let layers = file.layers().to_vec();
        let Recovered { values, lost, .. } = recovered;
        Ok(RecoveredFile { values, lost, faults, dialect, framing, layers })
    }
}

/// Bytes that may fit a format by chance.
pub const CHANCE: u64 = 64;

/// Returns a file up to the first gap in its content, if that is enough to detect its format; else all of it.
#[must_use]
pub fn before_gaps(file: &Unwrapped, gaps: &[Range<u64>]) -> Unwrapped {
    let mut readable = file.clone();
    let enough = CHANCE + file.skipped() as u64;
    if let Some(gap) = gaps.first().filter(|gap| gap.start >= enough) {
        readable.truncate(usize::try_from(gap.start).unwrap_or(usize::MAX));
    }
    readable
}

/// Reads what is left of a content that begins at the offset `base` of a file. The gaps, which nothing is known about, and
/// the places of what is lost count in the file.
pub fn recover_content<R: Real>(
    (content, base): (&[u8], u64),
    gaps: &[Range<u64>],
    decoder: &Decoder<R>,
    framing: Framing,
) -> Recovered<R> {
    let gaps = gaps.iter().filter(|gap| gap.end > base);
    let gaps: Vec<_> = gaps.map(|gap| gap.start.saturating_sub(base)..gap.end - base).collect();
    // Without frames, the start of the values after a gap is not known.
    let end = gaps.first().map_or(content.len(), |gap| gap.start as usize);
    let first = content.get(..end).unwrap_or(content);
    let mut recovered = match framing {
        Framing::Settings => settings::recover(first, decoder),
        Framing::Frames(order) => decoder.recover_frames(content, order, &gaps),
        Framing::Bare | Framing::BareSequence => decoder.recover(first),
    };
    for lost in &mut recovered.lost {
        lost.range = lost.range.start + base..lost.range.end + base;
        lost.error = lost.error.clone().shifted(base);
    }
    recovered
}

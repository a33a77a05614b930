//! One way to read the bytes: a dialect and a framing, tried to the end.

use super::Framing;
use super::look::Look;
use crate::codec::{Decoder, Deviations};
use crate::dialect::{Dialect, Family, Precision, Rules, SameKeys, TextStyle};
use crate::error::{Error, Path, Result, Rule, Step};
use crate::frame::{self, ByteOrder, Frames};
use crate::variant::Variant;

/// Values are read in double precision, which holds all of either.
pub(super) type Value = Variant<f64>;

/// How a reading of the bytes went.
pub(super) struct Reading {
    pub(super) dialect: Dialect,
    pub(super) framing: Framing,
    /// Values that were read whole.
    pub(super) values: u64,
    pub(super) deviations: Deviations,
    /// How far the bytes made sense.
    pub(super) reached: u64,
    /// Why it does not read to the end, if so.
    pub(super) error: Option<Error>,
    /// What is wrong with the newest release of the family, where this is another.
    pub(super) newest: Option<String>,
}

impl Reading {
    fn new(dialect: Dialect, framing: Framing) -> Self {
        let deviations = Deviations::default();
        Self { dialect, framing, values: 0, deviations, reached: 0, error: None, newest: None }
    }

    /// Reads `bytes` in this dialect and in this order of frames, or bare.
    pub(super) fn of(bytes: &[u8], dialect: Dialect, frames: Option<ByteOrder>) -> Self {
        let (mut reading, read) = match frames {
            None => {
                let mut reading = Self::new(dialect, Framing::Bare);
                let read = reading.bare(bytes);
                if reading.values > 1 {
                    reading.framing = Framing::BareSequence;
                }
                (reading, read)
            }
            Some(order) => {
                let mut reading = Self::new(dialect, Framing::Frames(order));
                let read = reading.frames(bytes, order);
                (reading, read)
            }
        };
        match read {
            Ok(()) => reading.reached = bytes.len() as u64,
            Err(error) => {
                reading.reached = reading.reached.max(error.offset());
                reading.error = Some(error);
            }
        }
        reading
    }

    fn bare(&mut self, bytes: &[u8]) -> Result<()> {
        let decoder = decoder(self.dialect);
        let mut position = 0;
        // Even where there is nothing, one value is asked for.
        while position < bytes.len() || self.values == 0 {
            let base = position as u64;
            let mut found = Deviations::default();
            let read = decoder.decode_counting::<f64>(&bytes[position..], &mut found);
            let (_, length) = read.map_err(|error| error.shifted(base))?;
            self.deviations.add(found, base, Path::default);
            self.values += 1;
            position += length;
        }
        Ok(())
    }

    fn frames(&mut self, bytes: &[u8], order: ByteOrder) -> Result<()> {
        let decoder = decoder(self.dialect);
        let mut frames = Frames::new(bytes, order);
        let mut next = frames.next();
        if next.is_none() {
            return Err(Error::incomplete(0, 4, "a length word of 4 bytes".into(), 0));
        }
        while let Some(frame) = next {
            let frame = frame?;
            let mut found = Deviations::default();
            // A packet must be filled: what no reading explains speaks against this one.
            decoder.decode_filled_frame::<f64>(&frame, &mut found)?;
            self.deviations.add(found, frame.offset, || frame::path(frame.index));
            self.values += 1;
            next = frames.next();
        }
        Ok(())
    }

    /// Where the last frame is cut, looks how far its packet makes sense, and whether more bytes would
    /// mend it. (Only worth the time where nothing fits.)
    pub(super) fn look_into_cut_frame(mut self, bytes: &[u8]) -> Self {
        let cut = |error: &Error| error.path().steps().last() == Some(&Step::Field("packet"));
        let Some(start) = self.error.as_ref().filter(|error| cut(error)).map(Error::offset) else {
            return self;
        };
        let packet = usize::try_from(start).ok().and_then(|start| bytes.get(start..));
        let read = decoder(self.dialect).decode_prefix::<f64>(packet.unwrap_or_default());
        let inside = match read {
            Ok((_, length)) => {
                let expected = "the end of the packet";
                Error::new(Rule::FrameFilled, length as u64, expected, "more to come")
            }
            Err(inside) => inside,
        };
        self.reached = start + inside.offset();
        if inside.needed().is_none() {
            // As many values as frames were read before this one.
            self.error = Some(inside.shifted(start).under(frame::path(self.values)));
        }
        self
    }

    /// Whether it reads to the end.
    pub(super) const fn fits(&self) -> bool {
        self.error.is_none()
    }

    /// Whether it reads to the end and is as the engine would write it, but for padding that the
    /// engine leaves as its memory was.
    pub(super) fn is_clean(&self) -> bool {
        self.fits() && is_clean(self.dialect, &self.deviations)
    }

    /// What is better, the more so the greater: first to read to the end, then cleanly, then with
    /// fewer rules bent, then to come further.
    fn quality(&self) -> (bool, bool, std::cmp::Reverse<usize>, u64) {
        let bent = if self.fits() { self.deviations.iter().count() } else { 0 };
        (self.fits(), self.is_clean(), std::cmp::Reverse(bent), self.reached)
    }

    /// What speaks against it, as a clause.
    fn reproach(&self) -> String {
        let bent: Vec<&str> = self.deviations.iter().map(|(note, _)| note.rule.name()).collect();
        match &self.error {
            Some(error) => format!("{}, which refuses it ({})", self.dialect, error.rule()),
            None => format!("{}, which does not write so ({})", self.dialect, bent.join(", ")),
        }
    }

    /// The values again. (They are not kept: one at a time is enough to compare them.)
    pub(super) fn again<'a>(
        &self,
        bytes: &'a [u8],
    ) -> Box<dyn Iterator<Item = Result<Value>> + 'a> {
        let decoder = decoder(self.dialect);
        match self.framing {
            Framing::Frames(order) => Box::new(decoder.decode_frames(bytes, order)),
            Framing::Bare | Framing::BareSequence => Box::new(decoder.values(bytes)),
        }
    }
}

/// Whether these are no more than the dialect's engine writes: padding that it leaves as its memory
/// was.
pub(crate) fn is_clean(dialect: Dialect, deviations: &Deviations) -> bool {
    let padding = [Rule::StringPadding, Rule::BytesPadding];
    let left = if dialect.rules().bytes_padding_left { &padding[..] } else { &padding[..1] };
    deviations.only(left)
}

fn decoder(dialect: Dialect) -> Decoder {
    Decoder::new(dialect).allow_objects(true)
}

/// What the values of a reading look like.
pub(super) fn look(bytes: &[u8], reading: &Reading) -> Look {
    let mut look = Look::default();
    if matches!(reading.framing, Framing::Frames(_)) {
        look.add_frames(reading.values);
    }
    reading.again(bytes).flatten().for_each(|value| look.look_at(&value));
    look
}

/// Whether two readings give the same values in the same framing.
pub(super) fn is_same_meaning(bytes: &[u8], a: &Reading, b: &Reading) -> bool {
    a.framing == b.framing
        && a.values == b.values
        && a.again(bytes).zip(b.again(bytes)).all(|pair| match pair {
            (Ok(a), Ok(b)) => a.is_identical(&b),
            _ => false,
        })
}

/// Every family, the newest first. The first in which a value means the same is taken.
pub(super) const FAMILIES: [Family; 6] = [
    Family::Godot4,
    Family::Pandemonium5,
    Family::Pandemonium4,
    Family::Pandemonium3,
    Family::Godot3,
    Family::Godot2,
];

/// Which releases of a family are tried.
#[derive(Clone, Copy, Eq, PartialEq)]
pub(super) enum Releases {
    /// All whose packets say what they are.
    Usual,
    /// Those that write a type in two widths and do not say which: double-precision builds before
    /// Godot 4.2, whose Vector4 and Projection lack the flag. Too easily something else to be
    /// considered where anything usual fits.
    Unmarked,
}

/// The family's best reading: the newest release unless an older one fits better.
pub(super) fn best_of_family(
    bytes: &[u8],
    family: Family,
    frames: Option<ByteOrder>,
    releases: Releases,
) -> Option<Reading> {
    let mut best: Option<Reading> = None;
    let mut newest = String::new();
    for dialect in dialects(family, releases) {
        let mut reading = Reading::of(bytes, dialect, frames);
        match &best {
            None => newest = reading.reproach(),
            Some(better) if reading.quality() <= better.quality() => continue,
            Some(_) => reading.newest = Some(newest.clone()),
        }
        let clean = reading.is_clean();
        best = Some(reading);
        if clean {
            break;
        }
    }
    best
}

/// The dialects of a family that read differently, the newest of each kind, the newest first.
pub(super) fn dialects(family: Family, releases: Releases) -> Vec<Dialect> {
    let of_family = || {
        Dialect::all()
            .rev()
            .filter(|&dialect| dialect.family() == family && dialect != Dialect::PANDEMONIUM_DOCS)
    };
    let doubles = of_family().filter_map(|dialect| dialect.with_precision(Precision::Double));
    let mut different: Vec<Dialect> = Vec::new();
    for dialect in of_family().chain(doubles) {
        let unmarked =
            dialect.precision() == Precision::Double && dialect.rules().real_flag_missing;
        let wanted = unmarked == (releases == Releases::Unmarked);
        if wanted && !different.iter().any(|&other| reads_alike(dialect, other)) {
            different.push(dialect);
        }
    }
    different
}

/// Whether two dialects differ in nothing but how they print, which containers they open, and in builds
/// that are not theirs.
fn reads_alike(a: Dialect, b: Dialect) -> bool {
    // That 3.2 takes an array with a NaN for two keys is no reason to read everything once more.
    let same_keys = |dialect: Dialect| match dialect.rules().same_keys {
        SameKeys::Godot3_2 => SameKeys::Godot3,
        keys => keys,
    };
    let as_read = |dialect: Dialect| Rules {
        text: TextStyle::Godot3,
        same_keys: same_keys(dialect),
        brotli_files: false,
        real_flag_missing: dialect.rules().real_flag_missing
            && dialect.precision() == Precision::Double,
        ..*dialect.rules()
    };
    a.precision() == b.precision() && a.rows().len() == b.rows().len() && as_read(a) == as_read(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_that_read_alike_are_tried_once() {
        let names = |family, releases| {
            dialects(family, releases).into_iter().map(Dialect::name).collect::<Vec<_>>()
        };
        assert_eq!(names(Family::Godot2, Releases::Usual), ["godot2", "godot2.0"]);
        let godot3 = ["godot3.6", "godot3.4", "godot3.1", "godot3.0"];
        assert_eq!(names(Family::Godot3, Releases::Usual), godot3);
        let godot4 = ["godot4.6", "godot4.3", "godot4.2", "godot4.6-double"];
        let doubles = ["godot4.3-double", "godot4.2-double"];
        assert_eq!(names(Family::Godot4, Releases::Usual), [&godot4[..], &doubles].concat());
        assert_eq!(names(Family::Godot4, Releases::Unmarked), ["godot4.1-double"]);
        assert_eq!(names(Family::Pandemonium5, Releases::Usual), ["pandemonium5"]);
        assert!(names(Family::Pandemonium5, Releases::Unmarked).is_empty());
    }
}

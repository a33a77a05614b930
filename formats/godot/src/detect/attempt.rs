//! One way to read the bytes: a dialect and a framing, tried to the end.

use super::look::{Look, Value};
use crate::Framing;
use crate::inspect;
use crate::inspect::Inspector;
use crate::settings::{self, Setting, Settings};
use formwork::{Error, Path, Result, Rule};
use formwork_records::inspect::SpanType;
use formwork_records::schema::Sizes;
use formwork_records::wire::{Cursor, Padding, word, word_at};
use formwork_variant::Variant;
use formwork_variant::codec;
use formwork_variant::codec::events::Event;
use formwork_variant::codec::{Decoder, Met, WarningCounts};
use formwork_variant::dialect::Dialect;
use formwork_variant::frame;
use formwork_variant::frame::{ByteOrder, Frame, FrameHead, Frames};
use formwork_variant::packet::Text;

/// The result of reading the bytes in one dialect and framing.
pub(super) struct Attempt {
    pub(super) dialect: Dialect,
    pub(super) framing: Framing,
    /// Values that were read whole.
    pub(super) values: u64,
    pub(super) deviations: WarningCounts,
    /// The number of bytes that made sense.
    pub(super) reached: u64,
    /// The error, if the reading does not go to the end.
    pub(super) error: Option<Error>,
    /// The fault of the newest release of the family, if this is another release.
    pub(super) newest: Option<String>,
    /// Values that were read whole and are not null.
    filled: u64,
    /// The types and contents met in the values.
    pub(super) met: Met,
    /// Whether the lengths of frames lead to the end of the bytes, whatever the frames contain.
    exact: bool,
    /// The evidence before the fault, if requested.
    evidence: Evidence,
}

/// Evidence for a reading that does not go to the end. The fields are compared in this order, the greater the better.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Evidence {
    /// Whether the lengths of frames lead to the end, or a value after a wrong length does.
    exact: bool,
    /// The number of texts followed by a value and another text, before and after the fault. With the wrong table a
    /// value ends elsewhere.
    chained: u64,
    /// The number of readable texts: with the wrong table there are none.
    texts: u64,
    /// Whether the fault is something other than bytes left over.
    filled: bool,
    /// The number of packets.
    packets: u64,
    /// The number of bytes that made sense.
    reached: u64,
}

impl Evidence {
    /// Whether it is nearly equal to another: a few more bytes are no evidence.
    pub(super) const fn is_about(self, other: Self) -> bool {
        /// Bytes of a header and the content it may claim.
        const FEW: u64 = 64;
        self.exact == other.exact
            && self.chained == other.chained
            && self.texts == other.texts
            && self.filled == other.filled
            && self.packets == other.packets
            && self.reached.abs_diff(other.reached) <= FEW
    }

    /// Counts the texts in `bytes` that are followed by a value and another text, at any offset.
    fn chained_in(bytes: &[u8], dialect: Dialect) -> u64 {
        /// More bytes would add no evidence. Texts inside values count, too, and the bytes around each are read again,
        /// so the number of texts is limited, too.
        const LOOKED_AT: usize = 1 << 14;
        const TEXTS: usize = 256;
        let bytes = bytes.get(..LOOKED_AT).unwrap_or(bytes);
        let decoder = decoder(dialect);
        let ends = (0..bytes.len()).step_by(WORD).filter_map(|at| text_at(bytes, at)).take(TEXTS);
        let is_chained = |end: &usize| {
            let value = decoder.walk(bytes.get(*end..).unwrap_or_default()).finish();
            value.is_ok_and(|length| text_at(bytes, end + length).is_some())
        };
        ends.filter(is_chained).count() as u64
    }

    /// Counts the texts and packets before the first fault.
    fn of(bytes: &[u8], dialect: Dialect, framing: Framing) -> Self {
        /// More bytes would add no evidence.
        const LOOKED_AT: usize = 1 << 16;
        let mut evidence = Self::default();
        let spans = Inspector::new(bytes, dialect).framing(framing);
        for span in spans.take(LOOKED_AT).map_while(Result::ok) {
            evidence.reached = evidence.reached.max(span.offset + span.bytes.len() as u64);
            match (span.layout, span.value) {
                (SpanType::Packet(_), _) => evidence.packets += 1,
                (_, inspect::Value::Text(text)) => evidence.texts += u64::from(is_readable(text)),
                _ => {}
            }
        }
        evidence
    }
}

impl Attempt {
    pub(super) fn new(dialect: Dialect, framing: Framing) -> Self {
        let deviations = WarningCounts::default();
        Self {
            dialect,
            framing,
            values: 0,
            deviations,
            reached: 0,
            error: None,
            newest: None,
            filled: 0,
            met: Met::default(),
            exact: false,
            evidence: Evidence::default(),
        }
    }

    /// Reads `bytes` in this dialect and framing.
    pub(super) fn of(bytes: &[u8], dialect: Dialect, framing: Framing) -> Self {
        let mut reading = Self::new(dialect, framing);
        let read = match framing {
            Framing::Bare | Framing::BareSequence => {
                let read = reading.bare(bytes);
                let is_one = reading.values <= 1;
                reading.framing = if is_one { Framing::Bare } else { Framing::BareSequence };
                read
            }
            Framing::Frames(order) => reading.frames(bytes, order),
            Framing::Settings => reading.settings(bytes),
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

    /// Counts a value that was read whole.
    fn value(&mut self, met: Met) {
        self.values += 1;
        self.filled += u64::from(!met.is_null());
        self.met.add(met);
    }

    fn bare(&mut self, bytes: &[u8]) -> Result<()> {
        let decoder = decoder(self.dialect);
        let mut position = 0;
        // One value is required, even of an empty input.
        while position < bytes.len() || self.values == 0 {
            // A null is a word of zeros in every dialect, and files that are not values may be full of them.
            let nulls = leading_nulls(&bytes[position..]);
            if nulls > 0 {
                self.values += nulls as u64;
                position += nulls * WORD;
                continue;
            }
            let base = position as u64;
            let mut found = WarningCounts::default();
            let read = decoder.look_at(&bytes[position..], &mut found);
            self.deviations.add(found, base, Path::default);
            let (met, length) = read.map_err(|error| error.shifted(base))?;
            self.value(met);
            position += length;
            // Any bytes can be read as a row of values that no engine would have written this way.
            if position < bytes.len() && !is_clean(&self.deviations) {
                let found = formwork::wire::more_bytes(bytes.len() - position).to_string();
                return Err(Error::new(Rule::INPUT_TRAILING, position as u64, "the end", found));
            }
        }
        Ok(())
    }

    fn frames(&mut self, bytes: &[u8], order: ByteOrder) -> Result<()> {
        let decoder = decoder(self.dialect);
        let mut frames = Frames::new(bytes, order);
        let mut next = frames.next();
        if next.is_none() {
            return Err(Error::incomplete(0, 4, "a length word of 4 bytes", 0));
        }
        while let Some(frame) = next {
            let frame = frame?;
            let mut found = WarningCounts::default();
            // A packet must be filled: unexplained bytes are evidence against this reading.
            let read = decoder.look_at_frame(&frame, &mut found);
            self.deviations.add(found, frame.offset, || frame::path(frame.index));
            let end = frame.offset as usize + frame.packet.len();
            let rest = bytes.get(end..).unwrap_or_default();
            let met = read.inspect_err(|_| self.exact = leads_to_end(rest, order))?;
            self.value(met);
            next = frames.next();
        }
        Ok(())
    }

    fn settings(&mut self, bytes: &[u8]) -> Result<()> {
        let decoder = decoder(self.dialect);
        let mut settings = Settings::new(bytes)?;
        for setting in settings.by_ref() {
            let setting = setting?;
            let mut found = WarningCounts::default();
            let read = decoder.look_at(setting.packet, &mut found);
            self.deviations.add(found, setting.offset, || setting.path());
            let fault = |error: Error| error.closed().shifted(setting.offset).under(setting.path());
            let (met, length) = read.map_err(fault)?;
            if length < setting.packet.len() {
                return Err(setting.misfit(length));
            }
            self.value(met);
        }
        let end = settings.position();
        if end < bytes.len() {
            let found = formwork::wire::more_bytes(bytes.len() - end).to_string();
            return Err(Error::new(Rule::INPUT_TRAILING, end as u64, "the end of the file", found));
        }
        Ok(())
    }

    /// Collects the evidence before the fault. If the length of a frame does not fit its content, finds how far the
    /// content makes sense and whether more bytes would complete it. (Only worth the time if no reading fits.)
    pub(super) fn weighed(mut self, bytes: &[u8]) -> Self {
        if self.framing == Framing::Settings {
            // The start identifies the format; the texts in what can be read determine the family, and how much that is.
            let settings = Settings::new(bytes).into_iter().flatten().flatten();
            let packets = settings.map(|it| Evidence::of(it.packet, self.dialect, Framing::Bare));
            let texts = packets.map(|evidence| evidence.texts).sum();
            let recovered = settings::recover(bytes, &decoder(self.dialect));
            let settings = recovered.values.first().and_then(Variant::as_dictionary);
            let packets = settings.map_or(0, |settings| settings.len() as u64);
            let packets = packets.saturating_sub(recovered.lost.len() as u64);
            let reached = (bytes.len() as u64).saturating_sub(recovered.bytes_lost());
            self.evidence =
                Evidence { texts, packets, reached, filled: true, ..Evidence::default() };
            return self;
        }
        let framing = match self.framing {
            Framing::Bare => Framing::BareSequence,
            framing => framing,
        };
        let read = Evidence::of(bytes, self.dialect, framing);
        let inside = match self.framing {
            Framing::Frames(order) => self.look_into_broken_frame(bytes, order),
            _ => Evidence::default(),
        };
        let over =
            |error: &Error| matches!(error.rule(), frame::rule::FILLED | Rule::INPUT_TRAILING);
        self.evidence = Evidence {
            exact: self.exact,
            chained: Evidence::chained_in(bytes, self.dialect),
            filled: self.exact && inside.packets > 0 || !self.error.as_ref().is_some_and(over),
            reached: self.reached,
            ..read.max(inside)
        };
        self
    }

    fn look_into_broken_frame(&mut self, bytes: &[u8], order: ByteOrder) -> Evidence {
        // Each frame before this one held one value.
        let read = usize::try_from(self.values).unwrap_or(usize::MAX);
        let last = Frames::new(bytes, order).take(read).flatten().last();
        let head = last.map_or(0, |last| last.offset as usize + last.packet.len());
        let packet = bytes.get(head + FrameHead::LEAST..).unwrap_or_default();
        let start = (bytes.len() - packet.len()) as u64;
        let length = bytes.get(head..).and_then(|bytes| FrameHead::length_at(bytes, order));
        let length = length.map_or(0, u64::from);
        let is_cut = length > packet.len() as u64;
        let mut found = WarningCounts::default();
        let read = decoder(self.dialect).look_at(packet, &mut found);
        let clean = is_clean(&found);
        self.deviations.add(found, start, Path::default);
        let error = match read {
            // The value is whole, and only its padding is cut: the error of the frame names the missing bytes.
            Ok((met, end)) if end == packet.len() && is_cut && length - (end as u64) < 4 => {
                self.filled += u64::from(!met.is_null());
                self.reached = bytes.len() as u64;
                return Evidence::of(packet, self.dialect, Framing::Bare);
            }
            Ok((met, end)) => {
                // The value goes to the end of the input, or frames with other values follow.
                let is_value = |frame: Result<Frame<'_>>| {
                    let mut found = WarningCounts::default();
                    let read =
                        frame.and_then(|it| decoder(self.dialect).look_at_frame(&it, &mut found));
                    read.is_ok_and(|met| !met.is_null()) && is_clean(&found)
                };
                let others = || Frames::new(&packet[end..], order).all(is_value);
                let fits = clean && !met.is_null() && end as u64 != length && others();
                if !fits && !is_cut {
                    return Evidence::default();
                }
                self.filled += u64::from(fits);
                self.exact |= fits;
                self.reached = self.reached.max(start + end as u64);
                let expected = format!("the length {end}, which the value has");
                Error::new(frame::rule::FILLED, head as u64, expected, length.to_string())
            }
            Err(inside) if is_cut => {
                // (A decoder refuses a count that is too large before it reads the elements.)
                let read = Evidence::of(packet, self.dialect, Framing::Bare);
                self.reached = self.reached.max(start + inside.offset().max(read.reached));
                inside.shifted(start)
            }
            // The length may be right: the fault is in the packet.
            Err(_) => return Evidence::default(),
        };
        if error.needed().is_none() {
            self.error = Some(error.under(frame::path(self.values)));
        }
        Evidence::of(packet, self.dialect, Framing::Bare)
    }

    /// Whether the reading is too much for chance, although it does not go to the end of `bytes`.
    pub(super) fn is_convincing(&self, bytes: &[u8]) -> bool {
        /// Bytes that can make sense by chance: an odd header and its content.
        const CHANCE: u64 = 32;
        /// Bytes needed for each header with odd flags.
        const PER_ODD_HEADER: u64 = 64;
        let Self { deviations, reached, values, filled, evidence, .. } = self;
        // A value that ends early, with bytes left over, is not accepted unless texts with values follow.
        let is_none = !evidence.filled && evidence.chained == 0;
        if is_none || deviations.count(codec::rule::HEADER_FLAGS) * PER_ODD_HEADER > *reached {
            return false;
        }
        let share = |part| *reached >= CHANCE && reached * part >= bytes.len() as u64;
        let is_cut = self.error.as_ref().is_some_and(|error| error.needed().is_some());
        match self.framing {
            Framing::Settings => evidence.packets > 0,
            Framing::Frames(_) => {
                let speaks = evidence.texts > 0 || evidence.chained > 0;
                self.exact && filled >= values && (speaks || share(4))
                    || evidence.texts > 0 && (share(4) || *filled > 1)
                    || is_cut && share(2) && self.announces(bytes) <= 16 * bytes.len() as u64
            }
            // Numbers of other formats can look like a row of values, which nothing writes.
            _ => evidence.texts > 0 && share(4) && *values == 0,
        }
    }

    /// Returns the number of bytes that the error requires in total.
    fn announces(&self, bytes: &[u8]) -> u64 {
        let needed = self.error.as_ref().and_then(Error::needed).unwrap_or_default();
        needed.saturating_add(bytes.len() as u64)
    }

    /// Returns the evidence, to be compared with others.
    pub(super) const fn evidence(&self) -> Evidence {
        self.evidence
    }

    /// Whether a reading that goes to the end is evidence. These are no evidence: values in a row that are null,
    /// numbers and texts as in misread data, and headers with flags that nothing writes.
    pub(super) fn says_something(&self, bytes: &[u8]) -> bool {
        /// Words of structure needed for each header with odd flags.
        const PER_ODD_HEADER: u64 = 8;
        let odd = self.deviations.count(codec::rule::HEADER_FLAGS);
        match self.framing {
            Framing::BareSequence => self.is_clean() && self.filled > 0,
            _ => odd == 0 || look(bytes, self).has_structure(odd * PER_ODD_HEADER),
        }
    }

    /// Whether it reads to the end.
    pub(super) const fn fits(&self) -> bool {
        self.error.is_none()
    }

    /// Whether it reads to the end and is as the engine would write it, except for padding that the engine leaves
    /// uninitialized.
    pub(super) fn is_clean(&self) -> bool {
        self.fits() && is_clean(&self.deviations)
    }

    /// Returns a measure of quality, the greater the better. It compares reading to the end, then a clean reading, then
    /// fewer broken rules, then the length read.
    pub(super) fn quality(&self) -> (bool, bool, std::cmp::Reverse<usize>, u64) {
        let bent = if self.fits() { self.deviations.iter().count() } else { 0 };
        (self.fits(), self.is_clean(), std::cmp::Reverse(bent), self.reached)
    }

    /// Returns the evidence against it, as a clause.
    pub(super) fn reproach(&self) -> String {
        let bent: Vec<&str> = self.deviations.iter().map(|(note, _)| note.rule.name()).collect();
        match &self.error {
            Some(error) => format!("{}, which refuses it ({})", self.dialect, error.rule()),
            None => format!("{}, which does not write so ({})", self.dialect, bent.join(", ")),
        }
    }

    /// Reads the values again. (They are not kept: one at a time is enough to compare them.)
    pub(super) fn again<'a>(
        &self,
        bytes: &'a [u8],
    ) -> Box<dyn Iterator<Item = Result<Value>> + 'a> {
        let decoder = decoder(self.dialect);
        match self.framing {
            Framing::Frames(order) => Box::new(decoder.decode_frames(bytes, order)),
            Framing::Bare | Framing::BareSequence => Box::new(decoder.values(bytes)),
            Framing::Settings => {
                let settings = Settings::new(bytes).into_iter().flatten();
                let value =
                    move |setting: Setting<'a>| Ok(decoder.decode_prefix(setting.packet)?.0);
                Box::new(settings.map(move |setting| setting.and_then(value)))
            }
        }
    }
}

/// Returns whether these are only deviations that the dialect's engine writes: padding that it leaves uninitialized.
#[must_use]
pub fn is_clean(deviations: &WarningCounts) -> bool {
    deviations.only_padding_as_left()
}

/// Returns whether the four bytes can be the header word of a value as an engine writes it: the number of a type, and
/// flags. The test is fast and rejects most bytes that are not packets.
#[must_use]
pub fn is_header(word: [u8; 4]) -> bool {
    // Types are fewer than 64; flags are in the lower half of the third byte.
    matches!(word, [0..64, 0, 0..16, 0])
}

/// Bytes of a word; packets are made of words.
const WORD: usize = 4;

/// Whether a text is readable: valid, longer than one byte, and without control characters.
fn is_readable(text: &[u8]) -> bool {
    let text = std::str::from_utf8(text);
    text.is_ok_and(|text| text.len() > 1 && !text.contains(char::is_control))
}

/// Returns the end of the packet at `at`, if that is a readable text. All families write texts this way.
fn text_at(bytes: &[u8], at: usize) -> Option<usize> {
    const STRING: u32 = 4;
    let packet = bytes.get(at..)?;
    if word_at::<u32>(packet, 0)? != STRING {
        return None;
    }
    let mut text = Cursor::new(packet.get(WORD..)?);
    let length = usize::try_from(word!(text.rest(), Text<'static>, length: u32)?).ok()?;
    text.take(<Text<'_> as Sizes>::LEAST);
    let is_text = is_readable(text.take(length)?);
    is_text.then(|| at + WORD + text.position() + Padding::needed(length))
}

/// Returns a decoder that reads whatever an engine of this dialect writes.
pub(super) fn decoder(dialect: Dialect) -> Decoder<f64> {
    Decoder::new(dialect).double().allow_objects(true)
}

/// Measures the values of a reading.
pub(super) fn look(bytes: &[u8], reading: &Attempt) -> Look {
    let mut look = Look::default();
    if matches!(reading.framing, Framing::Frames(_)) {
        look.add_frames(reading.values);
    }
    reading.again(bytes).flatten().for_each(|value| look.look_at(&value));
    look
}

/// Measures bytes that are known to be values in this dialect and framing.
pub(super) fn look_of(bytes: &[u8], dialect: Dialect, framing: Framing) -> Look {
    look(bytes, &Attempt::of(bytes, dialect, framing))
}

/// Returns how many nulls `bytes` starts with.
fn leading_nulls(bytes: &[u8]) -> usize {
    /// Bytes compared at a time.
    const BLOCK: usize = 4096;
    const ZEROS: [u8; BLOCK] = [0; BLOCK];
    let blocks = bytes.chunks_exact(BLOCK).take_while(|block| *block == ZEROS).count();
    let rest = bytes.get(blocks * BLOCK..).unwrap_or_default();
    let words = rest.chunks_exact(WORD).take_while(|word| *word == [0; WORD]).count();
    blocks * (BLOCK / WORD) + words
}

/// Whether the lengths of frames lead to the end of the bytes.
fn leads_to_end(mut rest: &[u8], order: ByteOrder) -> bool {
    loop {
        // A word of zeros is an empty frame, and files that are not frames may be full of them.
        rest = rest.get(leading_nulls(rest) * WORD..).unwrap_or_default();
        let Some(frame) = Frames::new(rest, order).next() else { return true };
        let Ok(frame) = frame else { return false };
        rest = rest.get(frame.offset as usize + frame.packet.len()..).unwrap_or_default();
    }
}

/// Whether two readings give the same values in the same framing.
pub(super) fn is_same_meaning(bytes: &[u8], a: &Attempt, b: &Attempt) -> bool {
    a.framing == b.framing
        && a.values == b.values
        && (is_written_by_both(a, b)
            || is_walked_alike(bytes, a, b) == Some(true)
            || has_same_values(bytes, a, b))
}

/// Whether two releases of a family would write the bytes of two readings exactly. Then the values mean the same: a
/// release that reads some bytes as another value also writes that value as other bytes.
fn is_written_by_both(a: &Attempt, b: &Attempt) -> bool {
    a.dialect.family() == b.dialect.family()
        && a.dialect.precision() == b.dialect.precision()
        && [a, b].iter().all(|reading| reading.fits() && reading.deviations.is_empty())
}

/// Whether walks through two readings give the same; [`None`] if that cannot be determined without the values.
fn is_walked_alike(bytes: &[u8], a: &Attempt, b: &Attempt) -> Option<bool> {
    // If these rules are broken, the engine's values differ from the stored ones.
    let changed = [codec::rule::DICTIONARY_KEYS, codec::rule::CONTAINER_ELEMENT];
    let is_changed =
        |reading: &Attempt| changed.into_iter().any(|rule| reading.deviations.count(rule) > 0);
    if is_changed(a) || is_changed(b) {
        return None;
    }
    let (one, other) = (decoder(a.dialect), decoder(b.dialect));
    let alike = |packet: &[u8]| {
        let (mut one, mut other) = (one.walk(packet), other.walk(packet));
        while let Some((first, second)) = one.next().zip(other.next()) {
            let (first, second) = (first.ok()?, second.ok()?);
            let alike = match first.is_alike(&second, packet) {
                // A value that holds no values is cheap to make.
                None if matches!(first.event, Event::Leaf(_)) => {
                    one.value(&first).ok()?.is_identical(&other.value(&second).ok()?)
                }
                alike => alike?,
            };
            if !alike {
                return Some((false, 0));
            }
        }
        Some((true, one.offset()))
    };
    match a.framing {
        Framing::Frames(order) => {
            for frame in Frames::new(bytes, order) {
                let (is_alike, _) = alike(frame.ok()?.packet)?;
                if !is_alike {
                    return Some(false);
                }
            }
        }
        Framing::Bare | Framing::BareSequence => {
            let mut rest = bytes;
            while !rest.is_empty() {
                rest = rest.get(leading_nulls(rest) * WORD..).unwrap_or_default();
                if rest.is_empty() {
                    break;
                }
                let (is_alike, length) = alike(rest)?;
                if !is_alike {
                    return Some(false);
                }
                rest = rest.get(length..).unwrap_or_default();
            }
        }
        Framing::Settings => return None,
    }
    Some(true)
}

fn has_same_values(bytes: &[u8], a: &Attempt, b: &Attempt) -> bool {
    a.framing == b.framing
        && a.again(bytes).zip(b.again(bytes)).all(|pair| match pair {
            (Ok(a), Ok(b)) => a.is_identical(&b),
            _ => false,
        })
}

//! The sources of values: packets, and values in memory.

use ::serde::de::Visitor;
use ::serde::de::value::SeqDeserializer;

use crate::codec::{Begin, Decoder, Event, Held, Leaf, RawNumbers, Reader, WarningCounts, rule};
use crate::dialect::Precision;
use crate::serde::{DEPTH, rule as serde};
use crate::{Front, Real, Variant, VariantString, VariantType};
use formwork::{Error, Path, Result, Rule};

/// The position of a value in its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    /// The number of containers around the value.
    pub(super) depth: usize,
    /// The offset of the value; 0 for a value in memory.
    pub(super) at: usize,
}

/// The engine's form of a container, in the dialect's precision.
pub(super) enum Kept {
    Single(Variant<f32>),
    Double(Variant<f64>),
}

/// A text, borrowed from the input if possible.
#[derive(Clone, Debug)]
pub(super) enum Text<'de> {
    Borrowed(&'de str),
    Owned(VariantString),
}

impl<'de> Text<'de> {
    pub(super) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Borrowed(text) => Some(text),
            Self::Owned(text) => text.as_str(),
        }
    }

    /// Shows the text, and one that is not in Unicode as its numbers.
    pub(super) fn show<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Self::Borrowed(text) => visitor.visit_borrowed_str(text),
            Self::Owned(text) => match text.into_string() {
                Ok(text) => visitor.visit_string(text),
                Err(text) => {
                    let numbers = text.numbers().collect::<Vec<_>>();
                    visitor.visit_seq(SeqDeserializer::new(numbers.into_iter()))
                }
            },
        }
    }
}

/// A source called through a vtable: code that uses it is compiled once for all sources.
pub(super) type AnySource<'s, 'de> = dyn Source<'de> + 's;

/// A sequence of events.
pub(super) trait Source<'de> {
    /// Returns the source as a trait object.
    fn erased(&mut self) -> &mut AnySource<'_, 'de>;

    /// Goes one step further: to the next value, to the name of a property, or to the end of the container.
    fn next(&mut self) -> Result<Event<'de>>;

    /// Reads the name of the next property, if the container is an object.
    fn property(&mut self) -> Result<Option<Text<'de>>>;

    /// Counts the value whose last event was read as done.
    fn advance(&mut self);

    /// Takes what was made for the last event and could not be borrowed.
    fn held(&mut self) -> Held;

    /// Returns the position of the next value.
    fn mark(&self) -> Mark;

    /// Returns the number of containers around the next value.
    fn depth(&self) -> usize;

    /// Returns the number of containers around the next value, those around the source included.
    fn nesting(&self) -> usize {
        self.depth()
    }

    /// Returns the offset of the value whose first event was read last.
    fn last(&self) -> usize;

    /// Returns the number of elements, pairs or properties of the innermost container still to come.
    fn left(&self) -> usize;

    /// Returns the text of the next key, if there is one and it is a String. Does not advance.
    fn next_key(&mut self) -> Option<String>;

    /// Checks whether the engine keeps the container that was just opened as it is in the packet. For one that holds
    /// elements of other types than are declared, returns the engine's container, and skips it; if `exactly` is set,
    /// also for one with repeated keys.
    fn kept(&mut self, _begin: Begin, _exactly: bool) -> Option<Kept> {
        None
    }

    /// Returns whether the container that was just opened declares a type for its elements or keys.
    fn is_typed(&self) -> bool {
        false
    }

    /// Checks that real numbers of 64 bits, or of 32, hold these numbers of the last event.
    fn check_numbers(&self, numbers: RawNumbers<'_>, in_double: bool) -> Result<()>;

    /// Returns to the value at a mark, which is the end of the path of an error, and returns its offset. If
    /// `with_type` is set, the path ends with the type of the value.
    fn give_up(&mut self, mark: Mark, with_type: bool) -> u64;

    /// Returns the path of the last event.
    fn path(&self) -> Path;
}

/// Adds the offset of the value at a mark to an error without an offset.
#[cold]
#[inline(never)]
pub(super) fn placed<'de, S: Source<'de> + ?Sized>(
    source: &mut S,
    mark: Mark,
    error: Error,
) -> Error {
    if !error.is_nowhere() {
        return error;
    }
    // A message of the user's type is about the type, not about how the value is stored.
    let with_type = error.rule() != serde::MESSAGE;
    error.or_at(source.give_up(mark, with_type))
}

/// Refuses the contents of a container with more containers around them than serde takes.
#[inline]
pub(super) fn within_depth<'de, S: Source<'de> + ?Sized>(source: &S) -> Result<()> {
    if source.nesting() <= DEPTH as usize || source.left() == 0 {
        return Ok(());
    }
    let expected = format!("at most {DEPTH} containers around a value");
    Err(Error::new(Rule::DEPTH_LIMIT, source.mark().at as u64, expected, "one more"))
}

/// Takes the front of the container that was opened last.
pub(super) fn front_of<'de>(source: &mut AnySource<'_, 'de>, begin: Begin) -> Front {
    match source.held() {
        Held::Front(front) if begin.says_more() => front,
        _ => Front::new(begin.variant_type),
    }
}

/// Returns the name of a property that was read.
pub(super) fn name_of<'de>(source: &mut AnySource<'_, 'de>, event: Event<'de>) -> Text<'de> {
    match (event, source.held()) {
        (Event::Name(Some(name)), _) => Text::Borrowed(name),
        (_, Held::Text(name)) => Text::Owned(name),
        _ => Text::Borrowed(""),
    }
}

/// A packet.
pub(super) struct Packet<'de> {
    reader: Reader<'de, 'static>,
    /// The end of the last container of which it is known that the engine keeps it as it is.
    checked: usize,
    /// The offset of the value whose first event was read last.
    last: usize,
    /// The first error of the codec, with its path.
    failed: Option<Error>,
}

impl<'de> Packet<'de> {
    pub(super) fn new<R: Real>(decoder: &Decoder<R>, bytes: &'de [u8]) -> Self {
        Self { reader: Reader::of(decoder, bytes), checked: 0, last: 0, failed: None }
    }

    /// Takes the first error of the codec, with its path.
    pub(super) fn failed(&mut self) -> Option<Error> {
        self.failed.take()
    }

    /// Keeps an error of the codec: a type may ignore it and go on.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error) -> Error {
        if self.failed.is_none() {
            self.failed = Some(error.clone().under(self.reader.path()));
        }
        error
    }

    /// Returns the number of bytes that were read, within the limits.
    pub(super) fn end(&self) -> Result<usize> {
        self.reader.end()
    }

    /// Returns the value that the engine makes of the container at a mark, and its length, if the engine keeps
    /// another than the one in the packet.
    fn kept_in<R: Real>(
        &mut self,
        mark: Mark,
        begin: Begin,
        exactly: bool,
    ) -> Option<(Variant<R>, usize)> {
        let bytes = self.reader.most_of(mark.at, begin)?;
        let depth = self.reader.most_depth().saturating_sub(mark.depth);
        let decoder = self.reader.decoder().in_precision::<R>();
        let decoder = decoder.limits(decoder.size_limits().depth(depth as u32));
        let mut warnings = WarningCounts::default();
        let Ok((_, length)) = decoder.look_at(bytes, &mut warnings) else {
            // The error is found again where the container is read.
            self.checked = usize::MAX;
            return None;
        };
        let repeats = warnings.count(rule::DICTIONARY_KEYS) > 0;
        let converts = warnings.count(rule::CONTAINER_ELEMENT) > 0;
        let differs = converts || exactly && repeats;
        if !differs {
            if !repeats {
                self.checked = mark.at + length;
            }
            return None;
        }
        decoder.decode_prefix(bytes).ok()
    }
}

impl<'de> Source<'de> for Packet<'de> {
    #[inline(always)]
    fn erased(&mut self) -> &mut AnySource<'_, 'de> {
        self
    }

    // (Inlined, it takes 5 % less time to read a struct. A debug build would reserve its variables in every frame.)
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Result<Event<'de>> {
        self.last = self.reader.position();
        match self.reader.next(true) {
            Ok(event) => Ok(event),
            Err(error) => Err(self.fail(error)),
        }
    }

    fn property(&mut self) -> Result<Option<Text<'de>>> {
        self.reader
            .is_at_property()
            .then(|| self.next().map(|name| name_of(self, name)))
            .transpose()
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.reader.advance();
    }

    fn held(&mut self) -> Held {
        self.reader.take_held()
    }

    #[inline(always)]
    fn mark(&self) -> Mark {
        Mark { depth: self.reader.depth(), at: self.reader.position() }
    }

    #[inline(always)]
    fn depth(&self) -> usize {
        self.reader.depth()
    }

    fn last(&self) -> usize {
        self.last
    }

    #[inline]
    fn left(&self) -> usize {
        self.reader.left()
    }

    fn next_key(&mut self) -> Option<String> {
        if self.reader.next_type() != Some(VariantType::String) {
            return None;
        }
        // An error of the key is found again where the key is read.
        match self.reader.peek() {
            Ok(Event::Leaf(Leaf::String(text))) => Some(text.to_owned()),
            Ok(Event::Leaf(leaf)) => self.reader.value_of::<f32>(leaf).as_str().map(str::to_owned),
            _ => None,
        }
    }

    #[cold]
    fn kept(&mut self, begin: Begin, exactly: bool) -> Option<Kept> {
        // The container is open.
        let mark = Mark { depth: self.depth().saturating_sub(1), at: self.last };
        if mark.at < self.checked || self.reader.is_canonical() {
            return None;
        }
        let (kept, length) = match self.reader.decoder().dialect().precision() {
            Precision::Single => self
                .kept_in(mark, begin, exactly)
                .map(|(value, length)| (Kept::Single(value), length)),
            Precision::Double => self
                .kept_in(mark, begin, exactly)
                .map(|(value, length)| (Kept::Double(value), length)),
        }?;
        self.reader.skip_contents(begin, mark.at + length);
        Some(kept)
    }

    fn is_typed(&self) -> bool {
        self.reader.declared().is_some()
    }

    fn check_numbers(&self, numbers: RawNumbers<'_>, in_double: bool) -> Result<()> {
        let may_round = self.reader.decoder().dialect().precision() == Precision::Single;
        numbers.fit(in_double, may_round, self.reader.is_canonical(), self.last as u64)
    }

    fn give_up(&mut self, mark: Mark, with_type: bool) -> u64 {
        self.reader.leave_at(mark.depth, mark.at, with_type);
        mark.at as u64
    }

    fn path(&self) -> Path {
        self.reader.path()
    }
}

//! From bytes to a value.

#![deny(clippy::wildcard_enum_match_arm)]

mod build;
mod container;
mod event;
mod godot2;
mod levels;
mod met;
mod numbers;
mod outline;
mod own;
#[cfg(feature = "serde")]
mod piece;
mod rescue;
mod scalar;
mod tally;
mod text;
mod visit;
mod walk;

pub use self::build::value;
pub use self::event::{Begin, Event, Events, Held, Leaf};
use self::levels::Levels;
pub use self::met::Met;
#[cfg(feature = "serde")]
pub(crate) use self::numbers::RawNumber;
pub use self::numbers::{RawNumbers, in_other_order};
use self::own::own;
pub(super) use self::rescue::{salvage, salvage_whole};
pub use self::visit::{Part, Visit};
pub use self::walk::Walk;
use binrw::{BinRead, Endian};

use super::decoder::{Decoder, Strictness, Warning};
use super::warnings::{Notes, is_left_by_engine};
use crate::codec::rule;
use crate::dialect::{Precision, Quirks, Row};
use crate::packet::{PlainHeader, WideHeader};
use crate::{OwnType, Real, Variant, VariantString, VariantType};
use formwork::derived::Borrowing;
use formwork::record::Readable;
use formwork::{Error, Path, PathSegment, Result, Rule};
use formwork_records::limits::Limits;
use formwork_records::wire::{Cursor, read_record, word_at};

/// Reads the value that `bytes` starts with, and returns its size in bytes as well.
#[inline(always)]
pub(super) fn read<'a, R: Real>(
    decoder: &'a Decoder<R>,
    bytes: &'a [u8],
    notes: Option<Notes<'a>>,
) -> Result<(Variant<R>, usize)> {
    let mut reader = Reader::new(decoder, bytes, notes);
    match reader.value() {
        Ok(value) => {
            if decoder.progress.is_some() {
                reader.tell();
            }
            Ok((value, reader.end()?))
        }
        Err(error) => Err(error.under(reader.path())),
    }
}

/// Reads packets, event by event; or holds the state of what reads values that are encoded otherwise.
pub struct Reader<'a, 'n> {
    input: Cursor<'a>,
    decoder: Decoder,
    quirks: &'static Quirks,
    /// The types, by number.
    rows: &'static [Row],
    depth: usize,
    /// Bytes that the open containers need at least for the values still to come. More than is left means that the
    /// input is cut, however far away the cut is: counts are never trusted.
    promised: u64,
    /// The containers around the value being read, the outermost first. (Separate from the containers being built,
    /// because serde reads packets without building any.)
    open: Levels,
    /// The type of the packet being read, up to the first value nested in it.
    inside: Option<VariantType>,
    notes: Option<Notes<'n>>,
    /// The value that was made for the last event.
    held: Held,
    /// Whether the name of a property was read, so that its value comes next.
    is_named: bool,
    /// Whether real numbers have 64 bits in the values that are created.
    doubles: bool,
    /// Whether a range is being read again, so that no warning is repeated.
    again: bool,
    /// Offset of the last call of the progress function, and the offset of the next one.
    told: usize,
    tell_at: usize,
    /// Damage that a rescue found so far; [`None`] outside of a rescue.
    damage: Option<Box<rescue::Damaged>>,
}

/// The header of a packet.
#[derive(Clone, Copy)]
pub(crate) struct Header {
    pub(crate) variant_type: VariantType,
    word: u32,
    /// Offset of the header.
    pub(crate) start: usize,
}

impl Header {
    /// Returns whether the flag is set that numbers are 64 bits wide.
    #[inline(always)]
    fn is_wide(self) -> bool {
        WideHeader::from(self.word).flag_64()
    }
}

/// A text that was read.
pub(crate) enum Words<'a> {
    /// The input holds the same bytes.
    Plain(&'a str),
    /// The input holds other bytes.
    Decoded(VariantString),
}

impl From<Words<'_>> for VariantString {
    fn from(words: Words<'_>) -> Self {
        match words {
            Words::Plain(text) => text.into(),
            Words::Decoded(text) => text,
        }
    }
}

/// Bytes between two calls of the progress function.
const TOLD_EVERY: usize = 1 << 16;

/// The shortest value: a header word.
const LEAST: u64 = 4;

impl<'a, 'n> Reader<'a, 'n> {
    fn new<R: Real>(decoder: &Decoder<R>, bytes: &'a [u8], notes: Option<Notes<'n>>) -> Self {
        let quirks = decoder.dialect.quirks();
        let depth = decoder.limits.depth.or(quirks.depth);
        Self {
            input: Cursor::new(bytes),
            decoder: decoder.in_precision(),
            quirks,
            rows: decoder.dialect.rows(),
            depth: depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT) as usize,
            promised: 0,
            open: Levels::new(),
            inside: None,
            notes,
            held: Held::Nothing,
            is_named: false,
            doubles: R::DOUBLE,
            again: false,
            told: 0,
            tell_at: decoder.progress.map_or(usize::MAX, |_| TOLD_EVERY),
            damage: None,
        }
    }

    /// Returns a reader that takes no notes, and reads real numbers in the dialect's precision.
    #[must_use]
    pub fn of<R: Real>(decoder: &Decoder<R>, bytes: &'a [u8]) -> Self {
        match decoder.dialect.precision() {
            Precision::Single => Self::new(&decoder.in_precision::<f32>(), bytes, None),
            Precision::Double => Self::new(&decoder.double(), bytes, None),
        }
    }

    /// Calls the progress function with the number of bytes read since its last call.
    #[cold]
    fn tell(&mut self) {
        if let Some(progress) = self.decoder.progress {
            let position = self.position();
            progress(position.saturating_sub(self.told) as u64);
            (self.told, self.tell_at) = (position, position.saturating_add(TOLD_EVERY));
        }
    }

    /// Returns the input, for values without headers.
    pub const fn input(&mut self) -> &mut Cursor<'a> {
        &mut self.input
    }

    /// Begins a value without a header, at `start`, of this type.
    ///
    /// # Errors
    ///
    /// Returns an error if there are more containers around it than the decoder's limit.
    pub fn enter(&mut self, variant_type: VariantType, start: usize) -> Result<()> {
        self.promised = self.promised.saturating_sub(LEAST);
        if self.open.count() > self.depth {
            return Err(self.too_deep(start));
        }
        self.inside = Some(variant_type);
        Ok(())
    }

    /// Bytes read so far.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.input.position()
    }

    /// Returns how many bytes the packet has that was read, and refuses one of more bytes than the limits allow.
    pub(crate) fn end(&self) -> Result<usize> {
        let length = self.position();
        self.within_limits(length as u64, 0)?;
        Ok(length)
    }

    /// Reads the header of a packet.
    #[inline(always)]
    pub(crate) fn header(&mut self) -> Result<Header> {
        self.promised = self.promised.saturating_sub(LEAST);
        let start = self.input.position();
        // The other forms of a header are those of single types.
        let word = u32::from(self.read::<PlainHeader>()?);
        let id = self.quirks.type_id(word);
        let Some(row) = self.rows.get(id as usize) else {
            return Err(self.unknown_type(rule::HEADER_TYPE_ID, id, start));
        };
        if self.open.count() > self.depth {
            return Err(self.too_deep(start));
        }
        Ok(Header { variant_type: row.variant_type, word, start })
    }

    /// Makes the error of a type id at `start` that no type has.
    #[cold]
    fn unknown_type(&self, rule: Rule, id: u32, start: usize) -> Error {
        let expected = format!("a type id below {}", self.rows.len());
        Error::new(rule, start as u64, expected, id.to_string())
    }

    /// Makes the error of a value at `start` with more containers around it than the limit.
    #[cold]
    fn too_deep(&self, start: usize) -> Error {
        let expected = format!("at most {} containers around a value", self.depth);
        Error::new(Rule::DEPTH_LIMIT, start as u64, expected, "one more")
    }

    /// Reads the next header, and the bytes after it up to the values in the packet: see [`Events::first`].
    #[inline(always)]
    pub(crate) fn first(&mut self, wants: bool) -> Result<Event<'a>> {
        let header = self.header()?;
        self.content(header, wants)
    }

    /// Goes one step further through the open container: see [`Events::step`].
    #[inline(always)]
    pub(crate) fn next(&mut self, wants: bool) -> Result<Event<'a>> {
        self.step(wants)
    }

    /// The type of the next packet, if there is one.
    #[inline]
    pub(crate) fn next_type(&self) -> Option<VariantType> {
        let word = word_at(self.input.rest(), 0)?;
        self.rows.get(self.quirks.type_id(word) as usize).map(|row| row.variant_type)
    }

    /// Returns the number of elements, pairs or properties of the innermost container still to come.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.open.last().map_or(0, |level| level.left() as usize)
    }

    /// Returns whether the key of a pair comes next, or the end of a dictionary.
    #[inline]
    pub(crate) fn is_at_key(&self) -> bool {
        self.open.last().is_some_and(|level| level.is_at_key())
    }

    /// Returns whether the value of a pair comes next.
    #[inline]
    pub(crate) fn is_at_value(&self) -> bool {
        self.open.last().is_some_and(|level| level.is_at_value())
    }

    /// Counts the value that was read as done.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.inside = None;
        self.open.advance();
    }

    /// Reads the bytes after a header.
    ///
    /// The frequent types come first, whose readers are compiled in place.
    ///
    /// (Each arm makes the whole event: one `Ok(Event::Leaf(..))` around all costs a fifth more for an int.)
    #[inline(always)]
    pub(crate) fn content(&mut self, header: Header, wants: bool) -> Result<Event<'a>> {
        let Header { variant_type, word, start } = header;
        self.inside = Some(variant_type);
        if word > 0xff && !self.quirks.whole_header {
            self.header_flags(variant_type, word, start)?;
        }
        match variant_type.own_type() {
            None => self.numbers(variant_type, header.is_wide(), start),
            Some(OwnType::Int) => Ok(Event::Leaf(Leaf::Int(self.int(header.is_wide(), start)?))),
            Some(OwnType::Float) => {
                Ok(Event::Leaf(Leaf::Float(self.float(header.is_wide(), start)?)))
            }
            Some(OwnType::String) => match self.plain_text() {
                Some(text) => Ok(Event::Leaf(Leaf::String(text))),
                None => self.other_string(variant_type),
            },
            Some(OwnType::Dictionary) => self.dictionary(word),
            Some(OwnType::Array) => self.array(word),
            Some(OwnType::Nil) => Ok(Event::Leaf(Leaf::Nil)),
            Some(OwnType::Bool) => Ok(Event::Leaf(Leaf::Bool(self.bool(start)?))),
            Some(own_type) => self.other_content(own_type, header, wants),
        }
    }

    /// Reads a value of a type that consists of numbers only, whose packet starts at `start`.
    #[inline(never)]
    fn numbers(
        &mut self,
        variant_type: VariantType,
        flag: bool,
        start: usize,
    ) -> Result<Event<'a>> {
        Ok(Event::Leaf(Leaf::Numbers(self.raw_numbers(variant_type, flag, start)?)))
    }

    /// Reads a String or StringName with other bytes in the packet than in memory.
    #[cold]
    #[inline(never)]
    fn other_string(&mut self, variant_type: VariantType) -> Result<Event<'a>> {
        let text = self.other_text()?;
        Ok(Event::Leaf(self.hold(variant_type, Held::Text(text))))
    }

    /// Reads the bytes after a header of one of the types that are rare, or long.
    #[inline(never)]
    fn other_content(
        &mut self,
        own_type: OwnType,
        header: Header,
        wants: bool,
    ) -> Result<Event<'a>> {
        let (_, _, read) = own(own_type, self.quirks);
        read(self, header, wants)
    }

    #[inline]
    fn within_limits(&self, length: u64, start: usize) -> Result<()> {
        let most = self.decoder.limits.packet_bytes;
        if length > most { Err(too_long(length, most, start)) } else { Ok(()) }
    }

    /// Reads a record.
    #[inline(always)]
    fn read<T: Readable>(&mut self) -> Result<T> {
        let left = self.input.left();
        let record = read_record(&mut self.input);
        tally::record(left, self.input.left());
        record
    }

    /// Returns the record that comes next, which borrows from the packet, and the bytes after it. [`None`] if the bytes
    /// are no such record: [`read`](Self::read) says why.
    #[inline(always)]
    fn next_record<T>(&self) -> Option<(T, &'a [u8])>
    where
        T: Borrowing<'a> + for<'b> BinRead<Args<'b> = ()>,
    {
        let mut rest = self.input.rest();
        T::borrowing(&mut rest, Endian::Little, ()).ok().map(|record| (record, rest))
    }

    /// Goes on after a record that [`next_record`](Self::next_record) returned.
    #[inline(always)]
    fn pass_record(&mut self, rest: &'a [u8]) {
        tally::record(self.input.left(), rest.len());
        self.input.leave(rest);
    }

    /// Returns whether only the engine's own output is accepted.
    pub(crate) fn is_canonical(&self) -> bool {
        self.decoder.strictness == Strictness::Canonical
    }

    /// Returns whether anything is done about bytes that the engine would not write.
    #[inline]
    fn minds(&self) -> bool {
        !self.again && (self.is_canonical() || self.notes.is_some())
    }

    /// Goes back to the start of what was read as a whole, to read it again.
    fn go_back(&mut self, start: usize, promised: u64) {
        self.input.set_position(start);
        (self.promised, self.again) = (promised, true);
    }

    /// Reports bytes that the engine would not write: an error at canonical strictness, a warning otherwise.
    #[cold]
    fn warn(&mut self, rule: Rule, offset: usize, found: impl ToString) -> Result<()> {
        if self.again {
            return Ok(());
        }
        if self.is_canonical() {
            let expected = format!("that {}", rule.demand());
            return Err(Error::new(rule, offset as u64, expected, found.to_string()));
        }
        let in_node_path = self.inside == Some(VariantType::NodePath);
        let own = is_left_by_engine(self.quirks, rule, in_node_path);
        // A container takes up to two steps: `dictionary[3].value`.
        let steps = 2 * self.open.count() + 1;
        let Some(notes) = &mut self.notes else { return Ok(()) };
        if !notes.wants(rule, own) {
            return Ok(());
        }
        let path = if notes.has_room(steps) { self.path() } else { self.innermost() };
        if let Some(notes) = &mut self.notes {
            notes.take(Warning { rule, offset: offset as u64, path }, own);
        }
        Ok(())
    }

    /// Returns the last step of the path of the value that is read, after a mark for those left out.
    fn innermost(&self) -> Path {
        let left_out = PathSegment::Field(Warning::LEFT_OUT);
        // Of just this capacity: there may be one for every four bytes.
        Path::from(match self.inside {
            Some(inside) => vec![left_out, PathSegment::Field(inside.path_name())],
            None => vec![left_out],
        })
    }

    /// Returns the path of the value that is read.
    #[must_use]
    pub fn path(&self) -> Path {
        let mut path = crate::path(self.open.iter());
        if let Some(inside) = self.inside {
            path.push(PathSegment::Field(inside.path_name()));
        }
        path
    }
}

impl<'a, 'n> Events<'a, 'n> for Reader<'a, 'n> {
    #[inline(always)]
    fn reader(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn first(&mut self, wants: bool) -> Result<Event<'a>> {
        Reader::first(self, wants)
    }

    #[inline(never)]
    fn property(&mut self) -> Result<Event<'a>> {
        let name = match self.property_words()? {
            Words::Plain(name) => Some(name),
            Words::Decoded(name) => {
                self.held = Held::Text(name);
                None
            }
        };
        Ok(Event::Name(name))
    }
}

/// Returns the error of a packet that is longer than the limits allow.
#[cold]
#[inline(never)]
fn too_long(length: u64, most: u64, start: usize) -> Error {
    let expected = format!("at most {most} bytes");
    Error::new(Rule::SIZE_LIMIT, start as u64, expected, length.to_string())
}

//! From bytes to a value.

#![deny(clippy::wildcard_enum_match_arm)]

mod container;
mod godot2;
mod levels;
mod met;
mod numbers;
mod outline;
#[cfg(feature = "serde")]
mod piece;
mod rescue;
mod scalar;
mod text;
mod tree;
mod visit;
mod walk;

use std::borrow::Cow;

use self::levels::Levels;
pub use self::met::Met;
#[cfg(feature = "serde")]
pub(crate) use self::piece::{Place, Plain};
pub(super) use self::rescue::salvage;
#[cfg(feature = "serde")]
pub(crate) use self::scalar::{components_hold, components_widen};
pub use self::visit::{Content, Part, Visit};
pub use self::walk::Walk;
use super::decoder::{Decoder, Strictness, Warning};
use super::round_trip::is_left_by_engine;
use super::warnings::Notes;
use crate::codec::rule;
use crate::dialect::{Quirks, Row};
use crate::packet::{SignalRecord, WideHeader};
use crate::{Front, OwnType, Real, Signal, Variant, VariantString, VariantType};
use formwork::{Error, Path, PathSegment, Result, Rule};
use formwork_records::limits::Limits;
use formwork_records::schema::Schema;
use formwork_records::wire::{Cursor, compiled_once, read_record, utf8};

compiled_once! {
    /// Reads the value that `bytes` starts with, and says how many bytes it takes.
    pub(super) fn read<'a, R>(
        decoder: &'a Decoder<R>,
        bytes: &'a [u8],
        notes: Option<Notes<'a>>,
    ) -> Result<(Variant<R>, usize)> {
        let mut reading = Reading::new(decoder, bytes, notes);
        match reading.value() {
            Ok(value) => {
                if decoder.progress.is_some() {
                    reading.tell();
                }
                Ok((value, reading.end()?))
            }
            Err(error) => {
                let path = reading.path();
                Err(error.under(path))
            }
        }
    }
}

/// Reads packet after packet: the level under whole values.
pub(crate) struct Reading<'a, 'n> {
    input: Cursor<'a>,
    decoder: Decoder,
    quirks: &'static Quirks,
    /// The types, by number.
    rows: &'static [Row],
    depth: usize,
    /// Bytes that the open containers need at least for what is still to come. More than is left
    /// means that the input is cut, however far away the cut is: so counts are never believed.
    promised: u64,
    /// The containers around the value being read, the outermost first. (Beside the containers in the making and no
    /// part of them, because serde reads packets without making any.)
    open: Levels,
    /// The type of the packet being read, up to the first value nested in it.
    inside: Option<VariantType>,
    notes: Option<Notes<'n>>,
    /// What is read was read before, and is not to be noted again.
    again: bool,
    /// How far somebody who waits was told to be, and where to tell again.
    told: usize,
    tell_at: usize,
    /// What is damaged so far, where reading goes on behind damage; [`None`] where it ends there.
    damage: Option<Box<rescue::Damaged>>,
}

/// The header of a packet.
#[derive(Clone, Copy)]
pub(crate) struct Header {
    pub(crate) variant_type: VariantType,
    word: u32,
    /// Where it stands.
    pub(crate) start: usize,
}

#[cfg(feature = "serde")]
impl Header {
    /// Whether it says more than the type.
    pub(crate) const fn has_flags(self) -> bool {
        self.word > 0xff
    }
}

/// What a packet is.
pub(crate) enum Packet<R: Real> {
    /// A value that holds no others.
    Value(Variant<R>),
    /// A container.
    Open(Opened),
}

/// A container that was opened: what it holds comes next.
pub(crate) struct Opened {
    pub(crate) front: Front,
    /// How many elements, pairs or properties it holds.
    pub(crate) count: u32,
}

/// Takes values that were read.
pub(crate) trait Receiver<'a, R: Real> {
    /// Whether it wants a value that takes memory, where that is read next. If not, the value is checked all the
    /// same, and [`pass`](Self::pass) says that it was there.
    fn wants(&self, _reading: &Reading<'a, '_>) -> bool {
        true
    }

    /// Takes a value that holds no others.
    fn take(&mut self, reading: &mut Reading<'a, '_>, value: Variant<R>) -> Result<()>;

    /// Takes the front of a container whose packet began at `start`. What it holds comes next.
    fn open(&mut self, reading: &mut Reading<'a, '_>, start: usize, opened: Opened) -> Result<()>;

    /// Takes an int.
    #[inline(always)]
    fn int(&mut self, reading: &mut Reading<'a, '_>, number: i64) -> Result<()> {
        self.take(reading, Variant::Int(number))
    }

    /// Takes a float.
    #[inline(always)]
    fn float(&mut self, reading: &mut Reading<'a, '_>, number: f64) -> Result<()> {
        self.take(reading, Variant::Float(number))
    }

    /// Takes a String or StringName of nothing but letters of ASCII, which stands in the input just as it is.
    #[inline(always)]
    fn letters(
        &mut self,
        reading: &mut Reading<'a, '_>,
        variant_type: VariantType,
        letters: &'a [u8],
    ) -> Result<()> {
        self.text(reading, variant_type, utf8::from_ascii(letters).unwrap_or_default())
    }

    /// Takes a String or StringName that stands in the input just as it is.
    #[inline(always)]
    fn text(
        &mut self,
        reading: &mut Reading<'a, '_>,
        variant_type: VariantType,
        text: &'a str,
    ) -> Result<()> {
        self.take(reading, text_value(variant_type, text.into()))
    }

    /// Learns of a value that it did not want.
    fn pass(
        &mut self,
        _reading: &mut Reading<'a, '_>,
        _variant_type: VariantType,
        _bytes: Option<&'a [u8]>,
    ) -> Result<()> {
        Ok(())
    }
}

/// Takes whole containers, too.
trait Holder<'a, R: Real>: Receiver<'a, R> {
    /// Whether a container is open that it was told of.
    fn is_inside(&self) -> bool;

    /// Learns of the name of the property whose value comes next.
    fn name(&mut self, reading: &mut Reading<'a, '_>, name: Words<'a>);

    /// Learns of the header that was read of the value that comes next; before it, so much was `promised`.
    #[inline(always)]
    fn begin(
        &mut self,
        _reading: &mut Reading<'a, '_>,
        _header: Header,
        _promised: u64,
    ) -> Result<()> {
        Ok(())
    }

    /// The innermost container is complete.
    fn close(&mut self, reading: &mut Reading<'a, '_>) -> Result<()>;
}

/// A text that was read.
pub(crate) enum Words<'a> {
    /// It stands in the input just as it is.
    Plain(&'a str),
    /// It does not.
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

/// Returns a String, or a StringName where the type says so.
#[inline]
fn text_value<R: Real>(variant_type: VariantType, text: VariantString) -> Variant<R> {
    match variant_type == VariantType::StringName {
        true => Variant::StringName(text),
        false => Variant::String(text),
    }
}

/// Bytes after which somebody who waits is told.
const TOLD_EVERY: usize = 1 << 16;

/// The shortest value: a header word.
const LEAST: u64 = 4;

impl<'a, 'n> Reading<'a, 'n> {
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
            again: false,
            told: 0,
            tell_at: decoder.progress.map_or(usize::MAX, |_| TOLD_EVERY),
            damage: None,
        }
    }

    /// Tells whoever waits how many bytes more are read.
    #[cold]
    fn tell(&mut self) {
        if let Some(progress) = self.decoder.progress {
            let position = self.position();
            progress(position.saturating_sub(self.told) as u64);
            (self.told, self.tell_at) = (position, position.saturating_add(TOLD_EVERY));
        }
    }

    /// Bytes read so far.
    pub(crate) const fn position(&self) -> usize {
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
        let word = self.read::<u32>()?;
        let id = self.quirks.type_id(word);
        let Some(row) = self.rows.get(id as usize) else {
            return Err(self.unknown_type(rule::HEADER_TYPE_ID, id, start));
        };
        if self.open.count() > self.depth {
            return Err(self.too_deep(start));
        }
        Ok(Header { variant_type: row.variant_type, word, start })
    }

    /// No type has the number that stands at `start`.
    #[cold]
    fn unknown_type(&self, rule: Rule, id: u32, start: usize) -> Error {
        let expected = format!("a type id below {}", self.rows.len());
        Error::new(rule, start as u64, expected, id.to_string())
    }

    /// More containers are around the value at `start` than there may be.
    #[cold]
    fn too_deep(&self, start: usize) -> Error {
        let expected = format!("at most {} containers around a value", self.depth);
        Error::new(Rule::DEPTH_LIMIT, start as u64, expected, "one more")
    }

    /// Reads what follows a header. What it is goes to `receiver`; a container is left open for its values.
    ///
    /// (Values do not come back through results, but go where they belong at once: moving them out of one
    /// result into the next took more time than reading them.)
    #[inline(always)]
    pub(crate) fn content<R: Real>(
        &mut self,
        header: Header,
        receiver: &mut impl Receiver<'a, R>,
    ) -> Result<()> {
        let Header { variant_type, word, start } = header;
        self.inside = Some(variant_type);
        if word > 0xff && !self.quirks.whole_header {
            self.header_flags(variant_type, word, start)?;
        }
        let wide = WideHeader::from(word).flag_64();
        let value = match variant_type.own_type() {
            None if !receiver.wants(self) => {
                self.pass_numbers::<R>(variant_type, wide, start)?;
                return receiver.pass(self, variant_type, None);
            }
            None => self.numbers(variant_type, wide, start)?,
            // What packets are full of is given away at once.
            Some(OwnType::Int) => {
                let value = self.int(wide, start)?;
                return receiver.int(self, value);
            }
            Some(OwnType::Float) => {
                let value = self.float(wide, start)?;
                return receiver.float(self, value);
            }
            Some(OwnType::String | OwnType::StringName) => {
                if let Some(letters) = self.plain_letters() {
                    return receiver.letters(self, variant_type, letters);
                }
                return self.words_to(receiver, variant_type);
            }
            Some(OwnType::Dictionary) => {
                let opened = self.dictionary(word)?;
                return receiver.open(self, start, opened);
            }
            Some(OwnType::Array) => {
                let opened = self.array(word)?;
                return receiver.open(self, start, opened);
            }
            Some(OwnType::Nil) => Variant::Nil,
            Some(OwnType::Bool) => {
                let value = self.read::<u32>()?;
                if value > 1 {
                    self.warn(rule::BOOL_VALUE, start + 4, value)?;
                }
                Variant::Bool(value != 0)
            }
            Some(OwnType::NodePath) if !receiver.wants(self) && self.pass_plain_node_path() => {
                return receiver.pass(self, variant_type, None);
            }
            Some(OwnType::NodePath) => Variant::NodePath(Box::new(self.node_path()?)),
            Some(OwnType::Rid) if self.quirks.rid_id => Variant::Rid(self.read::<u64>()?),
            Some(OwnType::Rid) => Variant::Rid(0),
            Some(OwnType::Object) => match self.object(word, start)? {
                Packet::Value(value) => value,
                Packet::Open(opened) => return receiver.open(self, start, opened),
            },
            Some(OwnType::Callable) => Variant::Callable,
            Some(OwnType::Signal) => {
                let (name, object_id) =
                    self.named("name", |signal: SignalRecord<'_>| (signal.name, signal.object_id))?;
                Variant::Signal(Box::new(Signal { name, object_id }))
            }
            Some(OwnType::TypedArray | OwnType::PackedTypedArray) => {
                let opened = self.pandemonium_typed_array(variant_type, word)?;
                return receiver.open(self, start, opened);
            }
            Some(OwnType::PackedByteArray) => match self.bytes()? {
                Cow::Borrowed(bytes) if !receiver.wants(self) => {
                    return receiver.pass(self, variant_type, Some(bytes));
                }
                bytes @ (Cow::Borrowed(_) | Cow::Owned(_)) => {
                    Variant::PackedByteArray(bytes.into_owned())
                }
            },
            Some(OwnType::PackedStringArray) if !receiver.wants(self) => {
                self.strings(|_| ())?;
                return receiver.pass(self, variant_type, None);
            }
            Some(OwnType::PackedStringArray) => {
                Variant::PackedStringArray(self.strings(VariantString::from)?)
            }
            Some(OwnType::Image) => Variant::Image(Box::new(self.image()?)),
            Some(OwnType::InputEvent) => Variant::InputEvent(self.input_event()?),
        };
        self.give(receiver, value)
    }

    /// Gives a value away that was made. (What is seldom is kept out of the way of what is not.)
    #[inline(never)]
    fn give<R: Real>(
        &mut self,
        receiver: &mut impl Receiver<'a, R>,
        value: Variant<R>,
    ) -> Result<()> {
        receiver.take(self, value)
    }

    /// Reads a text that is more than letters of ASCII, or stands there otherwise than in memory.
    #[inline(never)]
    fn words_to<R: Real>(
        &mut self,
        receiver: &mut impl Receiver<'a, R>,
        variant_type: VariantType,
    ) -> Result<()> {
        match self.words()? {
            Words::Plain(text) => receiver.text(self, variant_type, text),
            Words::Decoded(text) => receiver.take(self, text_value(variant_type, text)),
        }
    }

    /// Goes to the next value, and reads its packet up to the values in it; or, where the innermost container is
    /// complete, closes that.
    #[inline(always)]
    fn step<R: Real>(&mut self, holder: &mut impl Holder<'a, R>) -> Result<()> {
        if let Some(level) = self.open.last()
            && holder.is_inside()
        {
            if level.left() == 0 {
                self.open.pop();
                return holder.close(self);
            }
            if level.is_at_property() {
                self.name_to(holder)?;
            }
        }
        let promised = self.promised;
        let header = self.header()?;
        holder.begin(self, header, promised)?;
        self.content(header, holder)?;
        self.end_at_cut()
    }

    /// Reads the name of a property.
    #[inline(never)]
    fn name_to<R: Real>(&mut self, holder: &mut impl Holder<'a, R>) -> Result<()> {
        let name = self.property_words()?;
        holder.name(self, name);
        Ok(())
    }

    #[inline]
    fn within_limits(&self, length: u64, start: usize) -> Result<()> {
        let most = self.decoder.limits.packet_bytes;
        if length > most { Err(too_long(length, most, start)) } else { Ok(()) }
    }

    #[inline(always)]
    fn read<T>(&mut self) -> Result<T>
    where
        T: for<'b> binrw::BinRead<Args<'b> = ()> + Schema,
    {
        read_record(&mut self.input)
    }

    /// Whether only what the engine would write is accepted.
    pub(crate) fn is_canonical(&self) -> bool {
        self.decoder.strictness == Strictness::Canonical
    }

    /// The bytes are not what the engine would write.
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
        if self.notes.as_mut().is_some_and(|notes| notes.wants(rule, own)) {
            let note = Warning { rule, offset: offset as u64, path: self.path() };
            if let Some(notes) = &mut self.notes {
                notes.take(note, own);
            }
        }
        Ok(())
    }

    /// Returns the path into the packet whose reading failed, which is over.
    fn inside(&mut self) -> Path {
        let inside = self.inside.take().map(|inside| PathSegment::Field(inside.path_name()));
        inside.into_iter().collect()
    }

    /// Where the reader is.
    pub(crate) fn path(&self) -> Path {
        let mut path = crate::path(self.open.iter());
        if let Some(inside) = self.inside {
            path.push(PathSegment::Field(inside.path_name()));
        }
        path
    }
}

/// Returns the error of a packet that is longer than the limits allow.
#[cold]
#[inline(never)]
fn too_long(length: u64, most: u64, start: usize) -> Error {
    let expected = format!("at most {most} bytes");
    Error::new(Rule::SIZE_LIMIT, start as u64, expected, length.to_string())
}

//! From bytes to a value.

#![deny(clippy::wildcard_enum_match_arm)]

mod container;
mod godot2;
#[cfg(feature = "serde")]
mod piece;
mod rescue;
mod scalar;
mod text;
mod tree;

use std::any::Any;

#[cfg(feature = "serde")]
pub(crate) use self::piece::Place;
pub(super) use self::rescue::salvage;
#[cfg(feature = "serde")]
pub(crate) use self::scalar::{components_hold, components_widen};
use super::decoder::{Decoder, Strictness, Warning};
use super::round_trip::is_left_by_engine;
use super::warnings::Notes;
use crate::error::{Error, Path, PathSegment, Result, Rule};
use crate::limits::Limits;
use crate::schema::Schema;
use crate::variant::codec::rule;
use crate::variant::dialect::Quirks;
use crate::variant::packet::{SignalRecord, WideHeader};
use crate::variant::{
    self, Front, Level, Math, NumberSource, OwnType, Real, RealMath, Signal, Variant, VariantType,
};
use crate::wire::{Cursor, Element, read_record, with_numbers};

/// Reads the value that `bytes` starts with, and says how many bytes it takes.
pub(super) fn read<R: Real>(
    decoder: &Decoder<R>,
    bytes: &[u8],
    notes: Option<Notes<'_>>,
) -> Result<(Variant<R>, usize)> {
    let mut reading = Reading::new(decoder, bytes, notes);
    match reading.value() {
        Ok(value) => Ok((value, reading.position())),
        Err(error) => {
            let path = reading.path();
            Err(error.under(path))
        }
    }
}

/// Reads packet after packet: the level under whole values.
pub(crate) struct Reading<'a, 'n> {
    input: Cursor<'a>,
    decoder: Decoder,
    quirks: &'static Quirks,
    depth: usize,
    /// Bytes that the open containers need at least for what is still to come. More than is left
    /// means that the input is cut, however far away the cut is: so counts are never believed.
    promised: u64,
    /// The containers around the value being read, the outermost first. (A list instead of
    /// recursion: depth costs no stack. It is beside the containers in the making and no part of them,
    /// because serde reads packets without making any.)
    open: Vec<Level>,
    /// The type of the packet being read, up to the first value nested in it.
    inside: Option<VariantType>,
    notes: Option<Notes<'n>>,
    /// What is damaged so far, where reading goes on behind damage; [`None`] where it ends there.
    damage: Option<rescue::Damaged>,
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
pub(crate) trait Receiver<R: Real> {
    /// Takes a value that holds no others.
    fn take(&mut self, reading: &mut Reading<'_, '_>, value: Variant<R>) -> Result<()>;
}

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
            depth: depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT) as usize,
            promised: 0,
            open: Vec::new(),
            inside: None,
            notes,
            damage: None,
        }
    }

    /// Bytes read so far.
    pub(crate) const fn position(&self) -> usize {
        self.input.position()
    }

    /// Reads the header of a packet.
    #[inline]
    pub(crate) fn header(&mut self) -> Result<Header> {
        self.promised = self.promised.saturating_sub(LEAST);
        let start = self.input.position();
        let word = self.read::<u32>()?;
        let id = self.quirks.type_id(word);
        let Some(row) = self.decoder.dialect.row(id) else {
            let expected = format!("a type id below {}", self.decoder.dialect.rows().len());
            return Err(Error::new(rule::HEADER_TYPE_ID, start as u64, expected, id.to_string()));
        };
        if self.open.len() > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(Error::new(Rule::DEPTH_LIMIT, start as u64, expected, "one more"));
        }
        Ok(Header { variant_type: row.variant_type, word, start })
    }

    /// Reads what follows a header. A value goes to `receiver`; of a container the front is returned, and it
    /// is left open for its values.
    ///
    /// (Values do not come back through results, but go where they belong at once: moving them out of one
    /// result into the next took more time than reading them.)
    #[inline]
    pub(crate) fn content<R: Real>(
        &mut self,
        header: Header,
        receiver: &mut impl Receiver<R>,
    ) -> Result<Option<Opened>> {
        let Header { variant_type, word, start } = header;
        self.inside = Some(variant_type);
        if word > 0xff && !self.quirks.whole_header {
            self.header_flags(variant_type, word, start)?;
        }
        let wide = WideHeader::from(word).flag_64();
        let value = match variant_type.own_type() {
            None => self.numbers(variant_type, wide, start)?,
            // What packets are full of is given away at once.
            Some(OwnType::Int) => {
                let value = self.int(wide, start)?;
                return receiver.take(self, Variant::Int(value)).map(|()| None);
            }
            Some(OwnType::Float) => {
                let value = self.float(wide, start)?;
                return receiver.take(self, Variant::Float(value)).map(|()| None);
            }
            Some(OwnType::String) => {
                let value = self.text()?;
                return receiver.take(self, Variant::String(value)).map(|()| None);
            }
            Some(OwnType::Nil) => Variant::Nil,
            Some(OwnType::Bool) => {
                let value = self.read::<u32>()?;
                if value > 1 {
                    self.warn(rule::BOOL_VALUE, start + 4, value)?;
                }
                Variant::Bool(value != 0)
            }
            Some(OwnType::StringName) => Variant::StringName(self.text()?),
            Some(OwnType::NodePath) => Variant::NodePath(Box::new(self.node_path()?)),
            Some(OwnType::Rid) if self.quirks.rid_id => Variant::Rid(self.read::<u64>()?),
            Some(OwnType::Rid) => Variant::Rid(0),
            Some(OwnType::Object) => match self.object(word, start)? {
                Packet::Value(value) => value,
                Packet::Open(opened) => return Ok(self.opened(opened)),
            },
            Some(OwnType::Callable) => Variant::Callable,
            Some(OwnType::Signal) => {
                let (name, object_id) =
                    self.named("name", |signal: SignalRecord<'_>| (signal.name, signal.object_id))?;
                Variant::Signal(Box::new(Signal { name, object_id }))
            }
            Some(OwnType::Dictionary) => {
                let opened = self.dictionary(word)?;
                return Ok(self.opened(opened));
            }
            Some(OwnType::Array) => {
                let opened = self.array(word)?;
                return Ok(self.opened(opened));
            }
            Some(OwnType::TypedArray | OwnType::PackedTypedArray) => {
                let opened = self.pandemonium_typed_array(variant_type, word)?;
                return Ok(self.opened(opened));
            }
            Some(OwnType::PackedByteArray) => Variant::PackedByteArray(self.bytes()?),
            Some(OwnType::PackedStringArray) => Variant::PackedStringArray(self.strings()?),
            Some(OwnType::Image) => Variant::Image(Box::new(self.image()?)),
            Some(OwnType::InputEvent) => Variant::InputEvent(self.input_event()?),
        };
        receiver.take(self, value)?;
        Ok(None)
    }

    /// The front of a container is read.
    fn opened(&mut self, opened: Opened) -> Option<Opened> {
        self.inside = None;
        Some(opened)
    }

    /// Reads a value of a type that is nothing but numbers.
    fn numbers<R: Real>(
        &mut self,
        variant_type: VariantType,
        wide: bool,
        start: usize,
    ) -> Result<Variant<R>> {
        let real_wide = self.real_wide(variant_type, wide, start)?;
        let numbers = NumberPacket { reading: self, real_wide, start };
        Variant::from_numbers(variant_type, numbers).unwrap_or(Ok(Variant::Nil))
    }

    #[inline]
    fn within_limits(&self, length: u64, start: usize) -> Result<()> {
        let most = self.decoder.limits.packet_bytes;
        if length > most {
            let expected = format!("at most {most} bytes");
            return Err(Error::new(Rule::SIZE_LIMIT, start as u64, expected, length.to_string()));
        }
        Ok(())
    }

    #[inline]
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
    fn warn(&mut self, rule: Rule, offset: usize, found: impl ToString) -> Result<()> {
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
        let mut path = variant::path(&self.open);
        if let Some(inside) = self.inside {
            path.push(PathSegment::Field(inside.path_name()));
        }
        path
    }
}

/// Takes a list of elements of this type out of something; [`None`] where it is something else.
fn of_same_type<T: 'static>(elements: &mut dyn Any) -> Option<Vec<T>> {
    elements.downcast_mut::<Vec<T>>().map(std::mem::take)
}

/// The packet of a type that is nothing but numbers, behind its header.
struct NumberPacket<'r, 'a, 'n> {
    reading: &'r mut Reading<'a, 'n>,
    /// Whether real numbers have 64 bits in it.
    real_wide: bool,
    /// Where the packet starts.
    start: usize,
}

impl NumberPacket<'_, '_, '_> {
    /// Makes a value of one in the width of the wire.
    fn in_precision<W: Real, R: Real, T: RealMath<R>>(&mut self, value: T::In<W>) -> Result<T> {
        with_numbers(value, |numbers| self.reading.fits::<W, R>(numbers, self.start))?;
        Ok(T::from_precision(value))
    }

    fn packed_in_precision<W: Real, R: Real, T: RealMath<R>>(mut self) -> Result<Vec<T>> {
        let mut values = self.reading.packed::<T::In<W>>()?;
        // In the width of the wire they are the very same type.
        if let Some(same) = of_same_type(&mut values) {
            return Ok(same);
        }
        values.into_iter().map(|value| self.in_precision::<W, R, T>(value)).collect()
    }
}

impl<R: Real> NumberSource<R> for NumberPacket<'_, '_, '_> {
    type Error = Error;

    fn real_math<T: RealMath<R>>(mut self) -> Result<T> {
        if self.real_wide {
            let value = self.reading.read::<T::In<f64>>()?;
            self.in_precision::<f64, R, T>(value)
        } else {
            let value = self.reading.read::<T::In<f32>>()?;
            self.in_precision::<f32, R, T>(value)
        }
    }

    fn math<T: Math>(self) -> Result<T> {
        self.reading.read::<T>()
    }

    fn packed_real_math<T: RealMath<R>>(self) -> Result<Vec<T>> {
        if self.real_wide {
            self.packed_in_precision::<f64, R, T>()
        } else {
            self.packed_in_precision::<f32, R, T>()
        }
    }

    fn packed<T: Element>(self) -> Result<Vec<T>> {
        self.reading.packed()
    }
}

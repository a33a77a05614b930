//! Values straight out of a packet.
//!
//! Nothing is built on the way. Where a whole [`Variant`] would hold something else than what stands
//! in the packet (a key twice, elements that a typed array converts or drops), the stream takes a
//! detour: it says so and stops, and the value is read again by way of a `Variant`. It does so, too,
//! where it would have to keep much to know: for keys that are containers, and arrays of objects of a
//! class.

use std::collections::HashSet;

use super::item::{Item, Text};
use super::source::{Mark, Source};
use crate::error::{Error, Result};
use crate::variant::codec::{self, Decoder, Opened, Packet, Place, Reading};
use crate::variant::dialect::{Precision, SameKeys};
use crate::variant::{ElementType, KeySet, Level, Real, Variant, VariantString, VariantType};

/// What is remembered of an open container.
enum Open<'de> {
    Array { element: Option<VariantType> },
    Dictionary { keys: Keys<'de>, key: Option<VariantType> },
    Object,
}

/// Whether values of a type may hold others.
const fn holds_values(variant_type: VariantType) -> bool {
    matches!(
        variant_type,
        VariantType::Array
            | VariantType::Dictionary
            | VariantType::Object
            | VariantType::TypedArray
            | VariantType::PackedTypedArray
    )
}

/// The keys of a dictionary so far.
#[derive(Default)]
struct Keys<'de> {
    /// The first few texts, in a row: comparing them all is quicker than hashing.
    few: Vec<(bool, Key<'de>)>,
    many: HashSet<(bool, Key<'de>)>,
    /// Those that are no texts, in the dialect's precision: in another the codec asks of each number
    /// whether it fits.
    single: Option<Box<KeySet<f32>>>,
    double: Option<Box<KeySet<f64>>>,
}

/// The bytes of a text that is a key, where possible as they stand in the packet.
#[derive(Eq, Hash, PartialEq)]
struct Key<'de>(std::borrow::Cow<'de, [u8]>);

impl<'de> Keys<'de> {
    const FEW: usize = 16;

    /// Whether the key was there before.
    fn repeats(&mut self, is_name: bool, text: &Text<'de>) -> bool {
        let bytes = match text {
            Text::Borrowed(text) => text.as_bytes().into(),
            Text::Owned(text) => text.as_bytes().to_vec().into(),
        };
        let key = (is_name, Key(bytes));
        if self.few.contains(&key) {
            return true;
        }
        if self.few.len() < Self::FEW {
            self.few.push(key);
            return false;
        }
        !self.many.insert(key)
    }
}

pub(super) struct Stream<'de> {
    reading: Reading<'de, 'static>,
    /// Which keys of a dictionary are one.
    same_keys: SameKeys,
    precision: Precision,
    open: Vec<Open<'de>>,
    detour: bool,
}

impl<'de> Stream<'de> {
    pub(super) fn new<R: Real>(decoder: &Decoder<R>, bytes: &'de [u8]) -> Self {
        Self {
            reading: Reading::of(decoder, bytes),
            same_keys: decoder.dialect().quirks().same_keys,
            precision: decoder.dialect().precision(),
            open: Vec::new(),
            detour: false,
        }
    }

    /// Whether the value must be read by way of a `Variant`.
    pub(super) fn takes_detour(&self) -> bool {
        self.detour
    }

    /// Bytes read so far.
    pub(super) fn position(&self) -> usize {
        self.reading.position()
    }

    #[cold]
    fn detour(&mut self) -> Error {
        self.detour = true;
        let offset = self.reading.position() as u64;
        Error::new(
            codec::rule::CONTAINER_ELEMENT,
            offset,
            "a value that is kept as it is",
            "another",
        )
    }

    /// Looks at the value that comes next in its container: keys that are no strings, and elements
    /// that are not of the declared type.
    fn in_its_place(&mut self) -> Result<()> {
        let at_key = self.reading.levels().last().is_some_and(Level::is_at_key);
        let next = self.reading.next_type();
        let (wanted, is_key) = match self.open.last() {
            None | Some(Open::Object) => return Ok(()),
            Some(Open::Array { element }) => (*element, false),
            Some(Open::Dictionary { key, .. }) if at_key => (*key, true),
            Some(Open::Dictionary { .. }) => return Ok(()),
        };
        if wanted.is_some() && next.is_some() && wanted != next {
            return Err(self.detour());
        }
        let is_text = matches!(next, Some(VariantType::String | VariantType::StringName) | None);
        if !is_key || is_text {
            return Ok(());
        }
        if next.is_some_and(holds_values) {
            // To be compared it would have to be kept, and the keys in it, and the keys in those.
            return Err(self.detour());
        }
        match self.precision {
            Precision::Single => self.key_is_new::<f32>(|keys| &mut keys.single),
            Precision::Double => self.key_is_new::<f64>(|keys| &mut keys.double),
        }
    }

    /// Looks at the key that comes next, which is no text.
    fn key_is_new<R: Real>(
        &mut self,
        set: impl for<'k> FnOnce(&'k mut Keys<'de>) -> &'k mut Option<Box<KeySet<R>>>,
    ) -> Result<()> {
        let place = self.reading.place();
        let value: Variant<R> = self.reading.value()?;
        self.reading.go_back(place);
        let same_keys = self.same_keys;
        if let Some(Open::Dictionary { keys, .. }) = self.open.last_mut() {
            let others = set(keys).get_or_insert_with(|| Box::new(KeySet::new(0, Some(same_keys))));
            if others.insert(value, Variant::Nil).is_some() {
                return Err(self.detour());
            }
        }
        Ok(())
    }

    /// Takes note of a text that is a key.
    fn note_key(&mut self, is_name: bool, text: &Text<'de>) -> Result<()> {
        if !self.reading.levels().last().is_some_and(Level::is_at_key) {
            return Ok(());
        }
        let is_name = is_name && self.same_keys != SameKeys::Godot4;
        if let Some(Open::Dictionary { keys, .. }) = self.open.last_mut()
            && keys.repeats(is_name, text)
        {
            return Err(self.detour());
        }
        Ok(())
    }

    fn item_of<R: Real>(&mut self, packet: Packet<R>) -> Result<Item<'de>> {
        Ok(match packet {
            Packet::Value(value) => Item::of_owned(value)?,
            Packet::Open(Opened { front, .. }) => {
                let wanted = match front.first_type() {
                    None => None,
                    Some(ElementType::Builtin(VariantType::Nil | VariantType::Object)) => {
                        return Err(self.detour());
                    }
                    Some(ElementType::Builtin(wanted)) => Some(*wanted),
                    // Which objects are elements is for the codec to know.
                    Some(_) => return Err(self.detour()),
                };
                self.open.push(match front.variant_type {
                    VariantType::Dictionary => {
                        Open::Dictionary { keys: Keys::default(), key: wanted }
                    }
                    VariantType::Object => Open::Object,
                    _ => Open::Array { element: wanted },
                });
                Item::Open(front)
            }
        })
    }

    /// Passes over the value that comes next, as the codec reads it.
    fn skip(&mut self) -> Result<()> {
        self.in_its_place()?;
        match self.precision {
            Precision::Single => self.skip_in::<f32>(),
            Precision::Double => self.skip_in::<f64>(),
        }
    }

    fn skip_in<R: Real>(&mut self) -> Result<()> {
        let at_key = self.reading.levels().last().is_some_and(Level::is_at_key);
        let value: Variant<R> = self.reading.value()?;
        if at_key {
            let is_name = value.variant_type() == VariantType::StringName;
            if let Variant::String(text) | Variant::StringName(text) = value {
                self.note_key(is_name, &Text::Owned(text))?;
            }
        }
        Ok(())
    }
}

impl<'de> Source<'de> for Stream<'de> {
    fn next(&mut self) -> Result<Item<'de>> {
        self.in_its_place()?;
        let header = self.reading.header()?;
        // What stands in the packet just as it is, which most strings and bytes do.
        let plain = if header.has_flags() {
            None
        } else if header.variant_type == VariantType::String {
            self.reading.plain_text().map(|text| Item::String(Text::Borrowed(text)))
        } else if header.variant_type == VariantType::StringName {
            self.reading.plain_text().map(|text| Item::StringName(Text::Borrowed(text)))
        } else if header.variant_type == VariantType::PackedByteArray {
            self.reading.plain_bytes().map(|bytes| Item::Bytes(bytes.into()))
        } else {
            None
        };
        let item = if let Some(plain) = plain {
            plain
        } else if self.reading.may_be_double(header) {
            let packet = self.reading.packet::<f64>(header)?;
            self.item_of(packet)?
        } else {
            let packet = self.reading.packet::<f32>(header)?;
            self.item_of(packet)?
        };
        match &item {
            Item::String(text) => self.note_key(false, text)?,
            Item::StringName(text) => self.note_key(true, text)?,
            _ => {}
        }
        Ok(item)
    }

    fn next_is_null(&mut self) -> Result<bool> {
        let next_type = self.reading.next_type();
        if next_type != Some(VariantType::Object) {
            return Ok(next_type == Some(VariantType::Nil));
        }
        let place = self.reading.place();
        let header = self.reading.header()?;
        let packet = self.reading.packet::<f32>(header)?;
        self.reading.go_back(place);
        Ok(matches!(packet, Packet::Value(value) if value.is_nil()))
    }

    fn property_name(&mut self) -> Result<Text<'de>> {
        self.reading.property_name().map(Text::Owned)
    }

    fn next_key(&mut self) -> Option<String> {
        if self.reading.next_type() != Some(VariantType::String) {
            return None;
        }
        let place = self.reading.place();
        let text = match self.reading.header().map(|header| self.reading.packet::<f32>(header)) {
            Ok(Ok(Packet::Value(Variant::String(text)))) => Some(text),
            // What is wrong with it is said when it is read.
            _ => None,
        };
        self.reading.go_back(place);
        text.map(VariantString::into_string).and_then(Result::ok)
    }

    fn mark(&self) -> Mark {
        let place = self.reading.place();
        Mark { depth: place.depth, at: place.position as u64, promised: place.promised() }
    }

    fn settle(&mut self, mark: Mark) -> Result<()> {
        let done = self.reading.place();
        let done = done.depth == mark.depth && done.position as u64 != mark.at;
        if !done {
            // Nothing of the value was taken, or not all of it.
            self.give_up(mark.depth);
            self.reading.go_back(Place::new(mark.at as usize, mark.depth, mark.promised));
            self.skip()?;
        }
        self.reading.advance();
        Ok(())
    }

    fn close(&mut self) {
        self.reading.close();
        self.open.pop();
    }

    fn give_up(&mut self, depth: usize) {
        while self.reading.levels().len() > depth {
            self.reading.close();
        }
        self.open.truncate(depth);
    }

    fn levels(&self) -> &[Level] {
        self.reading.levels()
    }

    fn is_canonical(&self) -> bool {
        self.reading.is_canonical()
    }

    fn offset(&self, mark: Mark) -> u64 {
        mark.at
    }
}

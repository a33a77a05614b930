//! Reads values directly from a packet.
//!
//! Nothing is built in between. If a whole [`Variant`] would differ from the values in the packet (a repeated key,
//! elements that a typed array converts or drops), the stream takes a detour: it sets a flag and stops, and the
//! value is read again through a `Variant`. It also takes the detour for keys that are containers and for arrays of
//! objects of a class, because it would have to store much to check them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::item::{Item, Text};
use super::source::{AnySource, Mark, Source, within_depth};
use crate::codec::{self, Decoder, Event, Header, Leaf, Place, Reader};
use crate::dialect::{Dialect, Precision, SameKeys};
use crate::serde::DEPTH;
use crate::serde::field_key::FieldKey;
use crate::serde::numbers::FEW;
use crate::{ElementType, Front, KeySet, Level, Real, Variant, VariantType};
use formwork::{Error, Path, Result};

/// The state of an open container.
struct Open<'de> {
    /// The type that it declares for its elements or keys.
    declared: Option<VariantType>,
    /// Whether its values need no checks that depend on their place: it declares no type, and is not too deep.
    is_plain: bool,
    /// The index of its first text key among those of all open dictionaries (`few`).
    first: usize,
    /// The fields of the struct that is made from it.
    fields: Fields,
    /// All other keys.
    more: Option<Box<MoreKeys<'de>>>,
}

/// The keys of a dictionary that are fields of the struct that is made from it.
#[derive(Clone, Copy)]
struct Fields {
    /// The index of the struct.
    of: usize,
    /// The index of the field that is expected next.
    next: usize,
    /// The fields that were read, one bit each.
    read: u64,
}

impl Fields {
    const UNKNOWN: Self = Self { of: usize::MAX, next: 0, read: 0 };
}

/// A struct that is being read.
struct Struct {
    fields: &'static [&'static str],
    /// The keys of the fields that have no warnings, each once, and at most as many as a word has bits.
    keys: Vec<FieldKey>,
}

impl Struct {
    fn new(fields: &'static [&'static str], dialect: Dialect, most_bytes: u64) -> Self {
        let mut keys = Vec::<FieldKey>::new();
        for name in fields {
            if keys.len() < FieldKey::MOST
                && name.len() as u64 <= most_bytes
                && keys.iter().all(|key| key.name != *name)
            {
                keys.extend(FieldKey::new(dialect, name));
            }
        }
        Self { fields, keys }
    }
}

/// The most structs that are tracked.
const STRUCTS: usize = 64;

/// Keys of a dictionary that are not among its first few texts.
#[derive(Default)]
struct MoreKeys<'de> {
    texts: HashSet<(bool, Cow<'de, [u8]>)>,
    /// The keys that are no texts, in the dialect's precision: in another the codec checks whether each number fits.
    single: Option<Box<KeySet<f32>>>,
    double: Option<Box<KeySet<f64>>>,
}

/// A text key whose bytes are borrowed from the packet.
#[derive(Clone, Copy)]
struct TextKey<'de> {
    is_name: bool,
    bytes: &'de [u8],
}

impl<'de> Open<'de> {
    /// Comparing up to this number of keys is faster than hashing.
    const FEW: usize = 16;

    /// Returns whether the key was there before; `few` has the first few texts of all open dictionaries, those of
    /// this one at the end.
    #[inline(always)]
    fn repeats(&mut self, few: &mut Vec<TextKey<'de>>, is_name: bool, text: &Text<'de>) -> bool {
        let bytes = text.as_bytes();
        let own = few.get(self.first..).unwrap_or_default();
        if own.iter().any(|key| key.is_name == is_name && key.bytes == bytes) {
            return true;
        }
        match text {
            Text::Borrowed(text) if own.len() < Self::FEW && self.more.is_none() => {
                few.push(TextKey { is_name, bytes: text.as_bytes() });
                false
            }
            _ => self.repeats_among_more(is_name, text),
        }
    }

    fn repeats_among_more(&mut self, is_name: bool, text: &Text<'de>) -> bool {
        let bytes = match text {
            Text::Borrowed(text) => text.as_bytes().into(),
            Text::Owned(text) => text.as_bytes().to_vec().into(),
        };
        !self.more.get_or_insert_default().texts.insert((is_name, bytes))
    }
}

pub(super) struct Stream<'de> {
    reader: Reader<'de, 'static>,
    /// The rule by which the dialect takes two keys for the same.
    same_keys: SameKeys,
    precision: Precision,
    open: Vec<Open<'de>>,
    /// Whether the next value needs no checks that depend on its place, unless it is a key.
    is_plain: bool,
    /// The first few texts that are keys of each open dictionary, the innermost last.
    few: Vec<TextKey<'de>>,
    structs: Vec<Struct>,
    detour: bool,
}

impl<'de> Stream<'de> {
    pub(super) fn new<R: Real>(decoder: &Decoder<R>, bytes: &'de [u8]) -> Self {
        Self {
            reader: Reader::of(decoder, bytes),
            same_keys: decoder.dialect().quirks().same_keys,
            precision: decoder.dialect().precision(),
            open: Vec::new(),
            is_plain: true,
            few: Vec::new(),
            structs: Vec::new(),
            detour: false,
        }
    }

    /// Returns whether the value must be read through a `Variant`.
    pub(super) fn takes_detour(&self) -> bool {
        self.detour
    }

    /// Returns how many bytes the value takes that was read, within the limits.
    pub(super) fn end(&self) -> Result<usize> {
        self.reader.end()
    }

    #[cold]
    fn detour(&mut self) -> Error {
        self.detour = true;
        let offset = self.reader.position() as u64;
        Error::new(
            codec::rule::CONTAINER_ELEMENT,
            offset,
            "a value that is kept as it is",
            "another",
        )
    }

    /// Checks the next value in its container, which begins at `place`: keys that are no strings, and elements that
    /// are not of the declared type. Returns whether it is a key.
    #[inline(always)]
    fn in_its_place(&mut self, place: Place, variant_type: VariantType) -> Result<bool> {
        let is_key = self.reader.is_at_key();
        let wanted = match self.open.last() {
            Some(open) if is_key || !self.reader.is_at_value() => open.declared,
            _ => return Ok(false),
        };
        if wanted.is_some_and(|wanted| wanted != variant_type) {
            return Err(self.detour());
        }
        if is_key && !matches!(variant_type, VariantType::String | VariantType::StringName) {
            self.other_key(place, variant_type)?;
        }
        Ok(is_key)
    }

    /// Checks the key at `place`, which is no text. The reader does not advance.
    fn other_key(&mut self, place: Place, variant_type: VariantType) -> Result<()> {
        if variant_type.holds_values() {
            // Comparing it would require storing the key, the keys in it, and the keys in those.
            return Err(self.detour());
        }
        let behind_header = self.reader.place();
        self.reader.go_back(place);
        match self.precision {
            Precision::Single => self.key_is_new::<f32>(|keys| &mut keys.single),
            Precision::Double => self.key_is_new::<f64>(|keys| &mut keys.double),
        }?;
        self.reader.go_back(behind_header);
        Ok(())
    }

    /// Reads the next key, which is no text, and records it.
    fn key_is_new<R: Real>(
        &mut self,
        set: impl for<'k> FnOnce(&'k mut MoreKeys<'de>) -> &'k mut Option<Box<KeySet<R>>>,
    ) -> Result<()> {
        let value: Variant<R> = self.reader.value()?;
        let same_keys = self.same_keys;
        if let Some(keys) = self.open.last_mut() {
            let others = set(keys.more.get_or_insert_default());
            let others = others.get_or_insert_with(|| Box::new(KeySet::new(0, Some(same_keys))));
            if others.insert(value, Variant::Nil).is_some() {
                return Err(self.detour());
            }
        }
        Ok(())
    }

    /// Takes note of a key, if it is a text.
    #[inline(always)]
    fn note_key(&mut self, key: &Item<'de>) -> Result<()> {
        let (is_name, text) = match key {
            Item::String(text) => (false, text),
            Item::StringName(text) => (self.same_keys != SameKeys::Godot4, text),
            _ => return Ok(()),
        };
        let Some(open) = self.open.last_mut() else { return Ok(()) };
        let place = match self.structs.get(open.fields.of) {
            Some(of) if !is_name => {
                of.keys.iter().position(|key| key.name.as_bytes() == text.as_bytes())
            }
            _ => None,
        };
        let repeats = match place {
            Some(place) => {
                let before = open.fields.read;
                open.fields.read |= 1 << place;
                open.fields.next = place + 1;
                before == open.fields.read
            }
            None => open.repeats(&mut self.few, is_name, text),
        };
        if repeats {
            return Err(self.detour());
        }
        Ok(())
    }

    /// Reads the rest of a packet.
    #[inline]
    fn item(&mut self, header: Header) -> Result<Item<'de>> {
        match self.reader.packet(header)? {
            Event::Leaf(Leaf::String(text)) => Ok(Item::String(Text::Borrowed(text))),
            Event::Leaf(Leaf::StringName(text)) => Ok(Item::StringName(Text::Borrowed(text))),
            Event::Leaf(Leaf::Int(number)) => Ok(Item::Int(number)),
            Event::Leaf(Leaf::Float(number)) => Ok(Item::Float(number)),
            Event::Leaf(Leaf::Bytes(bytes)) => Ok(Item::Bytes(Cow::Borrowed(bytes))),
            Event::Leaf(leaf) => match self.precision {
                Precision::Single => Item::of_owned(self.reader.value_of::<f32>(leaf)),
                Precision::Double => Item::of_owned(self.reader.value_of::<f64>(leaf)),
            },
            Event::Begin(begin) => {
                let front = self.reader.front_of(begin);
                self.opened(front)
            }
            Event::Name(_) | Event::End => Ok(Item::Nil),
        }
    }

    /// A container is open now.
    #[inline]
    fn opened(&mut self, front: Front) -> Result<Item<'de>> {
        let declared = match front.first_type() {
            None => None,
            Some(ElementType::Builtin(VariantType::Nil | VariantType::Object)) => {
                return Err(self.detour());
            }
            Some(ElementType::Builtin(declared)) => Some(*declared),
            // Only the codec decides which objects are elements.
            Some(_) => return Err(self.detour()),
        };
        self.remember(declared);
        Ok(Item::Open(front))
    }

    /// The innermost container is done, or given up.
    #[inline]
    fn forget(&mut self) {
        if let Some(open) = self.open.pop() {
            self.few.truncate(open.first);
        }
        self.is_plain = self.open.last().is_none_or(|open| open.is_plain);
    }

    /// Records a container that is open now.
    #[inline]
    fn remember(&mut self, declared: Option<VariantType>) {
        let depth = self.reader.place().depth;
        let is_too_deep = depth > self.reader.most_depth() || depth > DEPTH as usize;
        self.is_plain = declared.is_none() && !is_too_deep;
        self.open.push(Open {
            declared,
            is_plain: self.is_plain,
            first: self.few.len(),
            fields: Fields::UNKNOWN,
            more: None,
        });
    }

    /// The place of the struct with these fields among those that are known.
    #[inline]
    fn place_of(&mut self, fields: &'static [&'static str]) -> usize {
        let known = self.structs.iter().position(|known| std::ptr::eq(known.fields, fields));
        known.unwrap_or_else(|| self.place_of_new(fields))
    }

    #[inline(never)]
    fn place_of_new(&mut self, fields: &'static [&'static str]) -> usize {
        if self.structs.len() == STRUCTS {
            return usize::MAX;
        }
        let (dialect, most_bytes) = (self.reader.dialect(), self.reader.most_bytes());
        self.structs.push(Struct::new(fields, dialect, most_bytes));
        self.structs.len() - 1
    }

    /// Takes the next key, if it is a field of the struct that is made from the innermost container, and not the
    /// expected one.
    #[inline(never)]
    fn other_field(&mut self) -> Option<&'static str> {
        let open = self.open.last_mut()?;
        let of = self.structs.get(open.fields.of)?;
        let rest = self.reader.rest();
        let at_start =
            |(place, key): (usize, &FieldKey)| Some((place, key.name, key.at_start(rest)?));
        let (place, name, length) = of.keys.iter().enumerate().find_map(at_start)?;
        if open.fields.read & (1 << place) != 0 {
            // A repeated key is reported by the general path.
            return None;
        }
        open.fields.read |= 1 << place;
        open.fields.next = place + 1;
        self.reader.take_key(length);
        Some(name)
    }

    /// Skips the value at `mark`, of which nothing was read, or only a part.
    #[inline(never)]
    fn skip_from(&mut self, mark: Mark) -> Result<()> {
        self.give_up(mark.depth);
        self.reader.go_back(Place::new(mark.at as usize, mark.depth, mark.promised));
        self.skip()
    }

    /// Skips the next value with the checks of the codec.
    fn skip(&mut self) -> Result<()> {
        let place = self.reader.place();
        let is_key = match self.reader.next_type() {
            Some(variant_type) => self.in_its_place(place, variant_type)?,
            None => false,
        };
        match self.precision {
            Precision::Single => self.skip_in::<f32>(is_key),
            Precision::Double => self.skip_in::<f64>(is_key),
        }
    }

    fn skip_in<R: Real>(&mut self, is_key: bool) -> Result<()> {
        let value: Variant<R> = self.reader.value()?;
        if is_key && matches!(value, Variant::String(_) | Variant::StringName(_)) {
            self.note_key(&Item::of_owned(value)?)?;
        }
        Ok(())
    }
}

impl<'de> Source<'de> for Stream<'de> {
    #[inline(always)]
    fn erased(&mut self) -> &mut AnySource<'_, 'de> {
        self
    }

    #[inline]
    fn next(&mut self) -> Result<Item<'de>> {
        let place = self.reader.place();
        within_depth(place.depth, place.position as u64)?;
        let header = self.reader.header()?;
        let is_key = self.in_its_place(place, header.variant_type)?;
        let item = self.item(header)?;
        if is_key {
            self.note_key(&item)?;
        }
        Ok(item)
    }

    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.is_plain
    }

    #[inline(always)]
    fn plain_int(&mut self) -> Option<i64> {
        self.reader.plain_int()
    }

    #[inline(always)]
    fn plain_float(&mut self) -> Option<f64> {
        self.reader.plain_float()
    }

    #[inline(always)]
    fn plain_bool(&mut self) -> Option<bool> {
        self.reader.plain_bool()
    }

    #[inline(always)]
    fn plain_words(&mut self) -> Option<(VariantType, &'de str)> {
        self.reader.plain_words()
    }

    #[inline(always)]
    fn plain_few(&mut self, wanted: VariantType) -> Option<[f32; FEW]> {
        self.reader.plain_few(wanted)
    }

    #[inline(always)]
    fn enter(&mut self, wanted: VariantType) -> bool {
        let is_open = self.reader.plain_front(wanted);
        if is_open {
            self.remember(None);
        }
        is_open
    }

    #[inline(always)]
    fn expect(&mut self, fields: &'static [&'static str]) {
        let of = self.place_of(fields);
        if let Some(open) = self.open.last_mut() {
            open.fields.of = of;
        }
    }

    #[inline(always)]
    fn field(&mut self) -> Option<&'static str> {
        let open = self.open.last_mut().filter(|open| open.is_plain)?;
        let of = self.structs.get(open.fields.of)?;
        if let Some(key) = of.keys.get(open.fields.next)
            && open.fields.read >> open.fields.next == 0
            && let Some(length) = key.at_start(self.reader.rest())
        {
            open.fields.read |= 1 << open.fields.next;
            open.fields.next += 1;
            self.reader.take_key(length);
            return Some(key.name);
        }
        self.other_field()
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.reader.advance();
    }

    fn next_is_null(&mut self) -> Result<bool> {
        let next_type = self.reader.next_type();
        if next_type != Some(VariantType::Object) {
            return Ok(next_type == Some(VariantType::Nil));
        }
        let place = self.reader.place();
        let header = self.reader.header()?;
        let event = self.reader.packet(header)?;
        self.reader.go_back(place);
        Ok(matches!(event, Event::Leaf(Leaf::NullObject)))
    }

    fn property_name(&mut self) -> Result<Text<'de>> {
        self.reader.property_name().map(Text::Owned)
    }

    fn next_key(&mut self) -> Option<String> {
        if self.reader.next_type() != Some(VariantType::String) {
            return None;
        }
        let place = self.reader.place();
        // Errors of the key are reported when it is read.
        let header = self.reader.header();
        let read = header.and_then(|header| self.item(header));
        self.reader.go_back(place);
        match read {
            Ok(Item::String(text)) => text.as_str().map(str::to_owned),
            _ => None,
        }
    }

    #[inline]
    fn mark(&self) -> Mark {
        let place = self.reader.place();
        Mark { depth: place.depth, at: place.position as u64, promised: place.promised() }
    }

    #[inline]
    fn settle(&mut self, mark: Mark) -> Result<()> {
        let done = self.reader.place();
        if done.depth != mark.depth || done.position as u64 == mark.at {
            self.skip_from(mark)?;
        }
        self.reader.advance();
        Ok(())
    }

    #[inline]
    fn left(&self) -> usize {
        self.reader.left()
    }

    fn close(&mut self) {
        self.reader.close();
        self.forget();
    }

    fn give_up(&mut self, depth: usize) {
        self.reader.close_to(depth);
        while self.open.len() > depth {
            self.forget();
        }
    }

    fn level(&self) -> Option<&Level> {
        self.reader.level()
    }

    fn path(&self) -> Path {
        self.reader.path()
    }

    fn is_canonical(&self) -> bool {
        self.reader.is_canonical()
    }

    fn offset(&self, mark: Mark) -> u64 {
        mark.at
    }
}

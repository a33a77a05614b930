//! Values straight out of a packet.
//!
//! Nothing is built on the way. Where a whole [`Variant`] would hold something else than what stands
//! in the packet (a key twice, elements that a typed array converts or drops), the stream takes a
//! detour: it says so and stops, and the value is read again by way of a `Variant`. It does so, too,
//! where it would have to keep much to know: for keys that are containers, and arrays of objects of a
//! class.

use std::borrow::Cow;
use std::collections::HashSet;

use super::item::{Item, Text};
use super::source::{AnySource, Mark, Source, within_depth};
use crate::codec::{self, Decoder, Header, Opened, Place, Plain, Reading, Receiver};
use crate::dialect::{Dialect, Precision, SameKeys};
use crate::serde::DEPTH;
use crate::serde::field_key::FieldKey;
use crate::serde::numbers::{FEW, Numbers};
use crate::{ElementType, Front, KeySet, Level, Real, Variant, VariantType};
use formwork::{Error, Path, Result};

/// What is remembered of an open container.
struct Open<'de> {
    /// The type that it declares for its elements or keys.
    declared: Option<VariantType>,
    /// Whether nothing is to be said of where its values stand: it declares no type, and is not too deep.
    is_plain: bool,
    /// Where the first few texts that are its keys stand among those of all open dictionaries.
    first: usize,
    /// The fields of the struct that is made of it.
    fields: Fields,
    /// All other keys.
    more: Option<Box<MoreKeys<'de>>>,
}

/// The keys of a dictionary that are fields of the struct that is made of it.
#[derive(Clone, Copy)]
struct Fields {
    /// Which struct it is.
    of: usize,
    /// Which field probably comes next.
    next: usize,
    /// Which were there, bit by bit.
    read: u64,
}

impl Fields {
    const UNKNOWN: Self = Self { of: usize::MAX, next: 0, read: 0 };
}

/// A struct that is read.
struct Struct {
    fields: &'static [&'static str],
    /// The keys of those fields of which nothing is to be said, each once, and never more than a word has bits.
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

/// So many structs are known at most.
const STRUCTS: usize = 64;

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

/// Keys of a dictionary that are not among its first few texts.
#[derive(Default)]
struct MoreKeys<'de> {
    texts: HashSet<(bool, Cow<'de, [u8]>)>,
    /// Those that are no texts, in the dialect's precision: in another the codec asks of each number
    /// whether it fits.
    single: Option<Box<KeySet<f32>>>,
    double: Option<Box<KeySet<f64>>>,
}

/// A text that is a key and stands in the packet just as it is.
#[derive(Clone, Copy)]
struct TextKey<'de> {
    is_name: bool,
    bytes: &'de [u8],
}

impl<'de> Open<'de> {
    /// Comparing so many is quicker than hashing.
    const FEW: usize = 16;

    /// Whether the key was there before; `few` are the first few texts of all open dictionaries, those of
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

/// A String or StringName that stands in the packet just as it is.
#[inline]
fn text_item(variant_type: VariantType, text: &str) -> Item<'_> {
    match variant_type {
        VariantType::StringName => Item::StringName(Text::Borrowed(text)),
        _ => Item::String(Text::Borrowed(text)),
    }
}

/// Takes the packet that is read, in the form in which serde sees it.
struct Taken<'de> {
    /// A value that holds no others.
    item: Result<Item<'de>>,
    /// The front of a container.
    front: Option<Front>,
}

impl Taken<'_> {
    const NOTHING: Self = Self { item: Ok(Item::Nil), front: None };
}

impl<'de, R: Real> Receiver<'de, R> for Taken<'de> {
    #[inline]
    fn take(&mut self, _: &mut Reading<'de, '_>, value: Variant<R>) -> Result<()> {
        self.item = Item::of_owned(value);
        Ok(())
    }

    #[inline]
    fn open(&mut self, _: &mut Reading<'de, '_>, _: usize, opened: Opened) -> Result<()> {
        self.front = Some(opened.front);
        Ok(())
    }

    #[inline(always)]
    fn text(
        &mut self,
        _: &mut Reading<'de, '_>,
        variant_type: VariantType,
        text: &'de str,
    ) -> Result<()> {
        self.item = Ok(text_item(variant_type, text));
        Ok(())
    }
}

/// Learns whether the packet that is read is a null.
struct Null(bool);

impl Receiver<'_, f32> for Null {
    fn take(&mut self, _: &mut Reading<'_, '_>, value: Variant) -> Result<()> {
        self.0 = value.is_nil();
        Ok(())
    }

    fn open(&mut self, _: &mut Reading<'_, '_>, _: usize, _: Opened) -> Result<()> {
        Ok(())
    }
}

pub(super) struct Stream<'de> {
    reading: Reading<'de, 'static>,
    /// Which keys of a dictionary are one.
    same_keys: SameKeys,
    precision: Precision,
    open: Vec<Open<'de>>,
    /// Whether nothing is to be said of where the next value stands, if it is no key.
    is_plain: bool,
    /// The first few texts that are keys of each open dictionary, the innermost last.
    few: Vec<TextKey<'de>>,
    structs: Vec<Struct>,
    detour: bool,
}

impl<'de> Stream<'de> {
    pub(super) fn new<R: Real>(decoder: &Decoder<R>, bytes: &'de [u8]) -> Self {
        Self {
            reading: Reading::of(decoder, bytes),
            same_keys: decoder.dialect().quirks().same_keys,
            precision: decoder.dialect().precision(),
            open: Vec::new(),
            is_plain: true,
            few: Vec::new(),
            structs: Vec::new(),
            detour: false,
        }
    }

    /// Whether the value must be read by way of a `Variant`.
    pub(super) fn takes_detour(&self) -> bool {
        self.detour
    }

    /// Returns how many bytes the value takes that was read, within the limits.
    pub(super) fn end(&self) -> Result<usize> {
        self.reading.end()
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

    /// Looks at the value that comes next in its container, which begins at `place`: keys that are no
    /// strings, and elements that are not of the declared type. Returns whether it is a key.
    #[inline(always)]
    fn in_its_place(&mut self, place: Place, variant_type: VariantType) -> Result<bool> {
        let is_key = self.reading.is_at_key();
        let wanted = match self.open.last() {
            Some(open) if is_key || !self.reading.is_at_value() => open.declared,
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

    /// Looks at the key at `place`, which is no text. Leaves the reader where it is.
    fn other_key(&mut self, place: Place, variant_type: VariantType) -> Result<()> {
        if holds_values(variant_type) {
            // To be compared it would have to be kept, and the keys in it, and the keys in those.
            return Err(self.detour());
        }
        let behind_header = self.reading.place();
        self.reading.go_back(place);
        match self.precision {
            Precision::Single => self.key_is_new::<f32>(|keys| &mut keys.single),
            Precision::Double => self.key_is_new::<f64>(|keys| &mut keys.double),
        }?;
        self.reading.go_back(behind_header);
        Ok(())
    }

    /// Reads the key that comes next, which is no text, and notes it.
    fn key_is_new<R: Real>(
        &mut self,
        set: impl for<'k> FnOnce(&'k mut MoreKeys<'de>) -> &'k mut Option<Box<KeySet<R>>>,
    ) -> Result<()> {
        let value: Variant<R> = self.reading.value()?;
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

    /// Reads the value at `place`, which is none that packets are full of.
    #[inline(never)]
    fn next_other(&mut self, place: Place) -> Result<Item<'de>> {
        let header = self.reading.header()?;
        let is_key = self.in_its_place(place, header.variant_type)?;
        // What stands in the packet just as it is, which most bytes do.
        if header.variant_type == VariantType::PackedByteArray
            && !header.has_flags()
            && let Some(bytes) = self.reading.plain_bytes()
        {
            return Ok(Item::Bytes(bytes.into()));
        }
        if let Some(reals) = self.reading.plain_reals(header) {
            return Ok(Item::Math(header.variant_type, Numbers::Few(reals)));
        }
        let item = self.item(header)?;
        if is_key {
            self.note_key(&item)?;
        }
        Ok(item)
    }

    /// Reads what is behind a header.
    #[inline]
    fn item(&mut self, header: Header) -> Result<Item<'de>> {
        let mut taken = Taken::NOTHING;
        if self.reading.may_be_double(header) {
            self.reading.packet::<f64>(header, &mut taken)?;
        } else {
            self.reading.packet::<f32>(header, &mut taken)?;
        }
        match taken.front {
            Some(front) => self.opened(front),
            None => taken.item,
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
            // Which objects are elements is for the codec to know.
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

    /// Remembers a container that is open now.
    #[inline]
    fn remember(&mut self, declared: Option<VariantType>) {
        let depth = self.reading.place().depth;
        let is_too_deep = depth > self.reading.most_depth() || depth > DEPTH as usize;
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
        let (dialect, most_bytes) = (self.reading.dialect(), self.reading.most_bytes());
        self.structs.push(Struct::new(fields, dialect, most_bytes));
        self.structs.len() - 1
    }

    /// Takes the key that comes next, if it is a field of the struct that is made of the innermost container, and
    /// is another than was to be expected.
    #[inline(never)]
    fn other_field(&mut self) -> Option<&'static str> {
        let open = self.open.last_mut()?;
        let of = self.structs.get(open.fields.of)?;
        let rest = self.reading.rest();
        let at_start =
            |(place, key): (usize, &FieldKey)| Some((place, key.name, key.at_start(rest)?));
        let (place, name, length) = of.keys.iter().enumerate().find_map(at_start)?;
        if open.fields.read & (1 << place) != 0 {
            // It repeats: who takes note of other keys says so.
            return None;
        }
        open.fields.read |= 1 << place;
        open.fields.next = place + 1;
        self.reading.take_key(length);
        Some(name)
    }

    /// Passes over the value at `mark`, of which nothing was taken, or not all.
    #[inline(never)]
    fn skip_from(&mut self, mark: Mark) -> Result<()> {
        self.give_up(mark.depth);
        self.reading.go_back(Place::new(mark.at as usize, mark.depth, mark.promised));
        self.skip()
    }

    /// Passes over the value that comes next, as the codec reads it.
    fn skip(&mut self) -> Result<()> {
        let place = self.reading.place();
        let is_key = match self.reading.next_type() {
            Some(variant_type) => self.in_its_place(place, variant_type)?,
            None => false,
        };
        match self.precision {
            Precision::Single => self.skip_in::<f32>(is_key),
            Precision::Double => self.skip_in::<f64>(is_key),
        }
    }

    fn skip_in<R: Real>(&mut self, is_key: bool) -> Result<()> {
        let value: Variant<R> = self.reading.value()?;
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
        let place = self.reading.place();
        within_depth(place.depth, place.position as u64)?;
        match self.reading.plain() {
            Some(Plain::Text(variant_type, text)) => {
                let item = text_item(variant_type, text);
                if self.in_its_place(place, variant_type)? {
                    self.note_key(&item)?;
                }
                Ok(item)
            }
            Some(Plain::Int(number)) => {
                self.in_its_place(place, VariantType::Int)?;
                Ok(Item::Int(number))
            }
            Some(Plain::Float(number)) => {
                self.in_its_place(place, VariantType::Float)?;
                Ok(Item::Float(number))
            }
            None => self.next_other(place),
        }
    }

    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.is_plain
    }

    #[inline(always)]
    fn plain_int(&mut self) -> Option<i64> {
        self.reading.plain_int()
    }

    #[inline(always)]
    fn plain_float(&mut self) -> Option<f64> {
        self.reading.plain_float()
    }

    #[inline(always)]
    fn plain_bool(&mut self) -> Option<bool> {
        self.reading.plain_bool()
    }

    #[inline(always)]
    fn plain_words(&mut self) -> Option<(VariantType, &'de str)> {
        self.reading.plain_words()
    }

    #[inline(always)]
    fn plain_few(&mut self, wanted: VariantType) -> Option<[f32; FEW]> {
        self.reading.plain_few(wanted)
    }

    #[inline(always)]
    fn enter(&mut self, wanted: VariantType) -> bool {
        let is_open = self.reading.plain_front(wanted);
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
            && let Some(length) = key.at_start(self.reading.rest())
        {
            open.fields.read |= 1 << open.fields.next;
            open.fields.next += 1;
            self.reading.take_key(length);
            return Some(key.name);
        }
        self.other_field()
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.reading.advance();
    }

    fn next_is_null(&mut self) -> Result<bool> {
        let next_type = self.reading.next_type();
        if next_type != Some(VariantType::Object) {
            return Ok(next_type == Some(VariantType::Nil));
        }
        let place = self.reading.place();
        let header = self.reading.header()?;
        let mut null = Null(false);
        self.reading.packet::<f32>(header, &mut null)?;
        self.reading.go_back(place);
        Ok(null.0)
    }

    fn property_name(&mut self) -> Result<Text<'de>> {
        self.reading.property_name().map(Text::Owned)
    }

    fn next_key(&mut self) -> Option<String> {
        if self.reading.next_type() != Some(VariantType::String) {
            return None;
        }
        let place = self.reading.place();
        let mut value = Taken::NOTHING;
        // What is wrong with it is said when it is read.
        let header = self.reading.header();
        let read = header.and_then(|header| self.reading.packet::<f32>(header, &mut value));
        self.reading.go_back(place);
        match (read, value.item) {
            (Ok(()), Ok(Item::String(text))) => text.as_str().map(str::to_owned),
            _ => None,
        }
    }

    #[inline]
    fn mark(&self) -> Mark {
        let place = self.reading.place();
        Mark { depth: place.depth, at: place.position as u64, promised: place.promised() }
    }

    #[inline]
    fn settle(&mut self, mark: Mark) -> Result<()> {
        let done = self.reading.place();
        if done.depth != mark.depth || done.position as u64 == mark.at {
            self.skip_from(mark)?;
        }
        self.reading.advance();
        Ok(())
    }

    #[inline]
    fn left(&self) -> usize {
        self.reading.left()
    }

    fn close(&mut self) {
        self.reading.close();
        self.forget();
    }

    fn give_up(&mut self, depth: usize) {
        self.reading.close_to(depth);
        while self.open.len() > depth {
            self.forget();
        }
    }

    fn level(&self) -> Option<&Level> {
        self.reading.level()
    }

    fn path(&self) -> Path {
        self.reading.path()
    }

    fn is_canonical(&self) -> bool {
        self.reading.is_canonical()
    }

    fn offset(&self, mark: Mark) -> u64 {
        mark.at
    }
}

//! The targets of values: a packet, or a [`Variant`].

use std::hash::RandomState;
use std::ops::Range;

use crate::codec::{Count, Held, Leaf, Writing, exactly};
use crate::serde::field_key::FieldKey;
use crate::{
    Builder, Front, KeyHashes, Level, Making, Object, Real, Variant, VariantString, VariantType,
};
use formwork::{Path, Result};

/// Takes values one after another; the contents of a container come between its opening and its closing.
pub(super) trait Sink {
    /// Returns the sink as a trait object: code that uses it is compiled once a type for all sinks.
    fn erased(&mut self) -> &mut (dyn Sink + '_);

    /// Takes a value that holds no others.
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<()>;

    /// Takes a value of this type that was made.
    fn held(&mut self, variant_type: VariantType, held: Held) -> Result<()>;

    /// A container, given by its front.
    fn open(&mut self, front: Front) -> Result<()>;

    /// Opens an array or dictionary without attributes.
    fn open_plain(&mut self, variant_type: VariantType) -> Result<()> {
        self.open(Front::new(variant_type))
    }

    /// Opens the dictionary of a struct of this name.
    fn open_struct(&mut self, _name: &'static str) -> Result<Fields> {
        self.open_plain(VariantType::Dictionary)?;
        Ok(Fields::UNKNOWN)
    }

    /// Takes the name of a field of the struct that was opened last; its value comes next.
    fn field(&mut self, _fields: &mut Fields, name: &'static str) -> Result<()> {
        self.leaf(Leaf::String(name))
    }

    /// Takes the name of a property; its value comes next.
    fn property(&mut self, name: VariantString) -> Result<()>;

    fn close(&mut self) -> Result<()>;

    /// Returns the number of open containers.
    fn depth(&self) -> usize;
}

/// The known fields of a struct that is being written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// The index of the struct.
    of: usize,
    /// The index of the field that is expected next.
    next: usize,
    /// The fields that were written, one bit each.
    written: u64,
}

impl Fields {
    pub(super) const UNKNOWN: Self = Self { of: usize::MAX, next: 0, written: 0 };
}

/// The fields of a struct that was written before: those without warnings, each name once, and at most as many as a
/// word has bits.
struct Struct {
    name: &'static str,
    fields: Vec<FieldKey>,
}

/// The most structs that are tracked.
const STRUCTS: usize = 64;

/// The memory that writing a packet takes, for the next one.
#[derive(Default)]
pub(super) struct Memory {
    /// For the containers that are open.
    pub(super) levels: Vec<Level>,
    open: Vec<Written>,
    few: Vec<WrittenKey>,
    structs: Vec<Struct>,
}

/// Writes values into a packet.
///
/// Keys that the dialect may take for the same, and elements that may be of another type than that of their container,
/// are checked when the container is complete: its contents are read again.
pub(super) struct Packets<'w> {
    writing: &'w mut Writing,
    open: Vec<Written>,
    /// The first few text keys of each open dictionary, those of the innermost one last.
    few: Vec<WrittenKey>,
    structs: Vec<Struct>,
}

/// A text that is a key and was written.
struct WrittenKey {
    /// The first bytes of the key, which nearly always distinguish it from another.
    start: [u8; WrittenKey::START],
    /// The position of the key, after its header.
    range: Range<usize>,
}

impl WrittenKey {
    /// The length of the key, and its first letters.
    const START: usize = 8;
}

/// The keys of a dictionary after its first few texts.
#[derive(Default)]
struct MoreKeys {
    keys: KeyHashes,
    hasher: RandomState,
    /// The pairs whose keys are null objects: many engines write these as plain nulls.
    null_objects: Vec<u32>,
}

/// A container that is being written.
struct Written {
    count: Count,
    /// The index of its first key among those of all open dictionaries (`few`).
    first: usize,
    /// The keys after its first few.
    more: Option<Box<MoreKeys>>,
    /// Whether its contents must be checked.
    check: bool,
}

impl Written {
    /// Comparing up to this number of keys is faster than hashing them.
    const FEW: usize = 16;

    fn more(&mut self) -> (&mut KeyHashes, &RandomState) {
        let more = &mut **self.more.get_or_insert_default();
        (&mut more.keys, &more.hasher)
    }
}

impl<'w> Packets<'w> {
    /// Writes with memory of packets of the same dialect.
    pub(super) fn new(writing: &'w mut Writing, memory: &mut Memory) -> Self {
        let Memory { open, few, structs, .. } = std::mem::take(memory);
        Self { writing, open, few, structs }
    }

    /// Gives the memory back.
    pub(super) fn into_memory(self) -> Memory {
        let Self { mut open, mut few, structs, .. } = self;
        open.clear();
        few.clear();
        Memory { levels: Vec::new(), open, few, structs }
    }

    /// Has the innermost container checked when it is complete, if `check` is set.
    fn check_later(&mut self, check: bool) {
        if let Some(open) = self.open.last_mut() {
            open.check |= check;
        }
    }

    /// Writes a value that holds no others.
    #[inline(never)]
    fn value<R: Real>(&mut self, value: &Variant<R>) -> Result<()> {
        if self.writing.is_at_key() {
            self.note_value(value);
        }
        self.writing.leaf(value)
    }

    /// The place of a struct of this name among those that are known.
    fn place_of(&mut self, name: &'static str) -> usize {
        let known = self.structs.iter().position(|known| std::ptr::eq(known.name, name));
        known.unwrap_or_else(|| {
            if self.structs.len() == STRUCTS {
                return usize::MAX;
            }
            self.structs.push(Struct { name, fields: Vec::new() });
            self.structs.len() - 1
        })
    }

    /// Writes the name of a field that is another than was to be expected.
    #[inline(never)]
    fn other_field(&mut self, fields: &mut Fields, name: &'static str) -> Result<()> {
        let dialect = self.writing.dialect();
        let Some(of) = self.structs.get_mut(fields.of) else {
            return self.text(VariantType::String, name);
        };
        let place = of.fields.iter().position(|key| key.name == name).or_else(|| {
            if of.fields.len() == FieldKey::MOST {
                return None;
            }
            of.fields.push(FieldKey::new(dialect, name)?);
            Some(of.fields.len() - 1)
        });
        let Some((place, key)) = place.and_then(|place| Some((place, of.fields.get_mut(place)?)))
        else {
            return self.text(VariantType::String, name);
        };
        // The same name may be at another address, and at that address again.
        key.name = name;
        let (packet, length) = key.packet();
        if let Some(open) = self.open.last_mut() {
            open.check |= fields.written & (1 << place) != 0;
        }
        fields.written |= 1 << place;
        fields.next = place + 1;
        match self.writing.plain_key(packet, length) {
            true => Ok(()),
            false => self.text(VariantType::String, name),
        }
    }

    /// Records the next key, which is no text.
    fn note_value<R: Real>(&mut self, key: &Variant<R>) {
        if let Some(open) = self.open.last_mut() {
            let (keys, hasher) = open.more();
            let may_repeat = keys.may_repeat(hasher, key);
            open.check |= may_repeat;
            if let (Variant::Object(Object::Null), Some(more)) = (key, &mut open.more) {
                more.null_objects.push(self.writing.pair());
            }
        }
    }

    /// Writes a String or StringName.
    #[inline]
    fn text(&mut self, variant_type: VariantType, text: &str) -> Result<()> {
        let (is_key, start) = (self.writing.is_at_key(), self.writing.position());
        if !self.writing.plain_string(variant_type, text) {
            self.writing.string(variant_type, text)?;
        }
        if is_key {
            self.note_text(start, text);
        }
        Ok(())
    }

    /// Notes the key that was written from a position on, a text.
    fn note_text(&mut self, start: usize, text: &str) {
        let Some(open) = self.open.last_mut() else { return };
        let range = start + HEADER..self.writing.position();
        let bytes = self.writing.written(range.clone());
        let first = bytes.first_chunk().copied().unwrap_or_default();
        let own = self.few.get(open.first..).unwrap_or_default();
        let is_same = |key: &WrittenKey| {
            key.start == first && self.writing.written(key.range.clone()) == bytes
        };
        if own.iter().any(is_same) {
            open.check = true;
        } else if own.len() < Written::FEW {
            self.few.push(WrittenKey { start: first, range });
        } else {
            let (keys, hasher) = open.more();
            let may_repeat = keys.may_repeat_text(hasher, text);
            open.check |= may_repeat;
        }
    }
}

/// Bytes of a header.
const HEADER: usize = size_of::<u32>();

impl Sink for Packets<'_> {
    fn erased(&mut self) -> &mut (dyn Sink + '_) {
        self
    }

    #[inline(always)]
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<()> {
        match leaf {
            Leaf::Int(number) if self.writing.plain_int(number) => Ok(()),
            Leaf::Float(number) if self.writing.plain_float(number) => Ok(()),
            Leaf::String(text) => self.text(VariantType::String, text),
            Leaf::StringName(text) => self.text(VariantType::StringName, text),
            Leaf::Numbers(numbers) => {
                if self.writing.is_at_key() {
                    self.note_value(&numbers.value::<f64>());
                }
                self.writing.numbers(numbers)
            }
            Leaf::Bytes(bytes) => {
                // Bytes are rare as keys, and not worth a copy.
                self.check_later(self.writing.is_at_key());
                self.writing.byte_array(bytes)
            }
            leaf => self.value(&leaf.value::<f32>(|| Held::Nothing)),
        }
    }

    fn held(&mut self, variant_type: VariantType, held: Held) -> Result<()> {
        self.value(&held.value::<f32>(variant_type))
    }

    fn open(&mut self, front: Front) -> Result<()> {
        // A container that is a key would have to be kept to be compared.
        self.check_later(self.writing.is_at_key());
        let check = front.types.iter().any(Option::is_some);
        let count = self.writing.open(&Making::<f32>::new(front, 0, None).finish())?;
        self.open.push(Written { count, first: self.few.len(), more: None, check });
        Ok(())
    }

    #[inline]
    fn open_plain(&mut self, variant_type: VariantType) -> Result<()> {
        if self.writing.is_at_key() {
            self.check_later(true);
        }
        let count = self.writing.open_plain(variant_type)?;
        self.open.push(Written { count, first: self.few.len(), more: None, check: false });
        Ok(())
    }

    #[inline]
    fn open_struct(&mut self, name: &'static str) -> Result<Fields> {
        self.open_plain(VariantType::Dictionary)?;
        Ok(Fields { of: self.place_of(name), next: 0, written: 0 })
    }

    #[inline(always)]
    fn field(&mut self, fields: &mut Fields, name: &'static str) -> Result<()> {
        if let Some(of) = self.structs.get(fields.of)
            && let Some(key) = of.fields.get(fields.next)
            && std::ptr::eq(key.name, name)
            && fields.written >> fields.next == 0
        {
            let (packet, length) = key.packet();
            if self.writing.plain_key(packet, length) {
                fields.written |= 1 << fields.next;
                fields.next += 1;
                return Ok(());
            }
        }
        self.other_field(fields, name)
    }

    fn property(&mut self, name: VariantString) -> Result<()> {
        self.writing.property_name(&name)
    }

    fn close(&mut self) -> Result<()> {
        match self.open.pop() {
            Some(open) => {
                self.few.truncate(open.first);
                let nulls = open.more.as_ref().map_or(&[][..], |more| &more.null_objects);
                self.writing.complete(open.count, open.check.then_some(nulls))
            }
            None => Ok(()),
        }
    }

    #[inline]
    fn depth(&self) -> usize {
        self.writing.depth()
    }
}

/// Into a value.
pub(super) struct Tree<R: Real> {
    builder: Builder<R>,
    made: Option<Variant<R>>,
}

impl<R: Real> Tree<R> {
    pub(super) const fn new() -> Self {
        Self { builder: Builder::new(), made: None }
    }

    pub(super) fn path(&self) -> Path {
        self.builder.path()
    }

    pub(super) fn finish(self) -> Variant<R> {
        self.made.unwrap_or_default()
    }

    fn take(&mut self, value: Variant<R>) {
        if let Some(whole) = self.builder.put(value) {
            self.made = Some(whole);
        }
    }
}

impl<R: Real> Sink for Tree<R> {
    fn erased(&mut self) -> &mut (dyn Sink + '_) {
        self
    }

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<()> {
        let value = match leaf {
            Leaf::Numbers(numbers) => exactly(numbers)
                .map_err(|error| error.nowhere().within(numbers.variant_type().path_name()))?,
            leaf => leaf.value(|| Held::Nothing),
        };
        self.take(value);
        Ok(())
    }

    fn held(&mut self, variant_type: VariantType, held: Held) -> Result<()> {
        self.take(held.value(variant_type));
        Ok(())
    }

    fn open(&mut self, front: Front) -> Result<()> {
        self.builder.open(Making::new(front, 0, None), ());
        Ok(())
    }

    fn property(&mut self, name: VariantString) -> Result<()> {
        if let Some((object, ())) = self.builder.innermost() {
            object.name(name);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<()> {
        if let Some((container, ())) = self.builder.close() {
            self.take(container.finish());
        }
        Ok(())
    }

    fn depth(&self) -> usize {
        self.builder.depth()
    }
}

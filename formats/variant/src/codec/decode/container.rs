//! The fronts of containers: the bytes of a packet before its values.

use super::super::keep;
use super::event::{Begin, Event, Held, Leaf};
use super::{LEAST, Reader, Words};
use crate::codec::rule;
use crate::dialect::{NullObject, ObjectForms};
use crate::packet::{
    ArrayHeader, ArrayRecord, DictionaryHeader, DictionaryRecord, ElementId, ElementName,
    ElementWord, InstanceId, ObjectClass, ObjectHeader, ObjectProperties, PlainHeader, Property,
};
use crate::{ElementType, Front, Level, VariantString, VariantType};
use formwork::{Error, Result};

impl<'a> Reader<'a, '_> {
    pub(super) fn object(&mut self, word: u32, start: usize) -> Result<Event<'a>> {
        if self.quirks.objects == ObjectForms::HeaderOnly {
            return Ok(Event::Leaf(Leaf::NullObject));
        }
        let as_id = ObjectHeader::from(word).as_id();
        if as_id {
            let id = self.read::<InstanceId>()?.id;
            if id != 0 {
                return Ok(Event::Leaf(Leaf::ObjectId(id)));
            }
        } else {
            if !self.decoder.objects {
                let expected = "no object in full form, as objects are not allowed";
                return Err(Error::new(rule::OBJECT_ALLOWED, start as u64, expected, "one"));
            }
            let (class, ()) = self.named("class", |object: ObjectClass<'_>| (object.class, ()))?;
            if !class.is_empty() {
                return self.properties(class);
            }
        }
        // A null object that stays one is written as the id 0 and not as an empty class.
        if self.quirks.null_object == NullObject::Nil || !as_id {
            self.warn(rule::OBJECT_FORM, start, "a null object in another form")?;
        }
        Ok(Event::Leaf(Leaf::NullObject))
    }

    fn properties(&mut self, class: VariantString) -> Result<Event<'a>> {
        let start = self.input.position();
        let count = self.read::<ObjectProperties>()?.property_count;
        if count < 0 {
            self.warn(rule::OBJECT_PROPERTY_COUNT, start, count)?;
        }
        let count = u32::try_from(count).unwrap_or(0);
        self.promise(count, 2 * LEAST, start)?;
        self.held = Held::Front(Front::object(class));
        Ok(self.begin(Level::object(count), VariantType::Object, count, true))
    }

    /// Reads the name of a property, whose value comes next.
    pub(super) fn property_words(&mut self) -> Result<Words<'a>> {
        self.promised = self.promised.saturating_sub(LEAST);
        // A property starts with its name.
        if let Some(name) = self.plain_text() {
            return Ok(Words::Plain(name));
        }
        let (name, ()) = self.named("name", |property: Property<'_>| (property.name, ()))?;
        Ok(Words::Decoded(name))
    }

    #[inline(always)]
    pub(super) fn dictionary(&mut self, word: u32) -> Result<Event<'a>> {
        // Flags of the header mark the types that a typed dictionary declares.
        let is_typed = word > 0xff && self.quirks.typed_dictionaries && {
            self.typed_dictionary(word)?;
            true
        };
        let start = self.input.position();
        let count = self.read::<DictionaryRecord>()?.count;
        let shared = self.shared(count.shared(), start)?;
        let count = count.count();
        self.promise(count, 2 * LEAST, start)?;
        let says_more = is_typed || shared;
        if says_more {
            self.hold_front(VariantType::Dictionary, is_typed, shared);
        }
        Ok(self.begin(Level::dictionary(count), VariantType::Dictionary, count, says_more))
    }

    #[cold]
    fn typed_dictionary(&mut self, word: u32) -> Result<()> {
        let header = DictionaryHeader::from(word);
        let key = self.element_type(header.key_kind(), "key_type")?;
        let value = self.element_type(header.value_kind(), "value_type")?;
        self.held = Held::Front(Front::new(VariantType::Dictionary).typed(key, value));
        Ok(())
    }

    #[inline(always)]
    pub(super) fn array(&mut self, word: u32) -> Result<Event<'a>> {
        let is_typed = word > 0xff && self.quirks.typed_arrays && {
            let element =
                self.element_type(ArrayHeader::from(word).element_kind(), "element_type")?;
            self.held = Held::Front(Front::new(VariantType::Array).typed(element, None));
            true
        };
        self.elements(VariantType::Array, is_typed)
    }

    /// Reads the count of an array; for one with a declared element type, the reader holds the front.
    #[inline(always)]
    fn elements(&mut self, variant_type: VariantType, is_typed: bool) -> Result<Event<'a>> {
        let start = self.input.position();
        let count = self.read::<ArrayRecord>()?.count;
        let shared = self.shared(count.shared(), start)?;
        let count = count.count();
        self.promise(count, LEAST, start)?;
        let says_more = is_typed || shared;
        if says_more {
            self.hold_front(variant_type, is_typed, shared);
        }
        Ok(self.begin(Level::array(variant_type, count), variant_type, count, says_more))
    }

    /// Opens a container without a header that has `count` elements or pairs of at least `least` bytes each.
    ///
    /// # Errors
    ///
    /// Returns an error if fewer bytes are left.
    pub fn open(&mut self, variant_type: VariantType, count: u32, least: u64) -> Result<Event<'a>> {
        self.promise(count, least, self.position())?;
        Ok(self.begin(Level::new(variant_type, count), variant_type, count, false))
    }

    /// Opens an object of this class that is not in the input, with `count` properties.
    pub fn open_made_object(&mut self, class: VariantString, count: u32) -> Event<'a> {
        self.held = Held::Front(Front::object(class));
        self.begin(Level::object(count), VariantType::Object, count, true)
    }

    /// Opens a container.
    #[inline(always)]
    pub(crate) fn begin(
        &mut self,
        level: Level,
        variant_type: VariantType,
        count: u32,
        says_more: bool,
    ) -> Event<'a> {
        self.inside = None;
        self.open.push(level);
        Event::Begin(Begin { variant_type, count, says_more })
    }

    /// Holds the front of a container, or completes the one that is held of a typed one.
    #[cold]
    fn hold_front(&mut self, variant_type: VariantType, is_typed: bool, shared: bool) {
        let front = if is_typed && let Held::Front(front) = std::mem::take(&mut self.held) {
            front
        } else {
            Front::new(variant_type)
        };
        self.held = Held::Front(front.shared(shared));
    }

    /// Reads the element type of a Godot 4 container, of the kind in its header.
    fn element_type(&mut self, kind: u8, field: &'static str) -> Result<Option<ElementType>> {
        let start = self.input.position();
        let read = match kind {
            0 => return Ok(None),
            1 => self
                .read::<ElementId>()
                .and_then(|element| self.builtin(element.type_id, start).map(ElementType::Builtin)),
            2 => self.element_name().map(ElementType::Class),
            _ => self.element_name().map(ElementType::Script),
        };
        let element = read.map_err(|error| error.within(field))?;
        let kept =
            keep::as_engine_keeps(element.clone(), self.decoder.objects).map_err(|found| {
                let expected = "a script path that starts with res://";
                Error::new(rule::CONTAINER_ELEMENT_FORM, start as u64, expected, found)
                    .within(field)
            })?;
        if kept.as_ref() != Some(&element) {
            self.warn(rule::CONTAINER_ELEMENT_FORM, start, format_args!("{element:?}"))?;
        }
        Ok(kept)
    }

    fn element_name(&mut self) -> Result<VariantString> {
        let (name, ()) = self.named("name", |element: ElementName<'_>| (element.name, ()))?;
        Ok(name)
    }

    fn builtin(&self, id: u32, start: usize) -> Result<VariantType> {
        let row = self.rows.get(id as usize);
        row.map(|row| row.variant_type)
            .ok_or_else(|| self.unknown_type(rule::CONTAINER_ELEMENT_TYPE, id, start))
    }

    pub(super) fn pandemonium_typed_array(
        &mut self,
        variant_type: VariantType,
        header: u32,
    ) -> Result<Event<'a>> {
        let as_id = ObjectHeader::from(header).as_id();
        let start = self.input.position();
        let word = self.read::<ElementWord>()?;
        // The engine clears the top bit as it does with a count, and otherwise keeps any number.
        let id = word.type_id();
        if word.unused() {
            self.warn(rule::CONTAINER_ELEMENT_TYPE, start, u32::from(word))?;
        }
        let mut element = match self.decoder.dialect.row(id) {
            Some(row) => ElementType::Builtin(row.variant_type),
            None => {
                self.warn(rule::CONTAINER_ELEMENT_TYPE, start, id)?;
                ElementType::Unknown(id)
            }
        };
        if element == ElementType::Builtin(VariantType::Object) {
            if !as_id {
                let at = self.input.position();
                element = match self.class_name().map_err(|error| error.within("element_class"))? {
                    class if class.is_empty() => {
                        self.warn(rule::CONTAINER_ELEMENT_FORM, at, "no class name")?;
                        element
                    }
                    class => ElementType::Class(class),
                };
            }
        } else if as_id {
            self.warn(rule::HEADER_FLAGS, start - 4, "the flag of object elements set")?;
        }
        self.held = Held::Front(Front::new(variant_type).typed(Some(element), None));
        self.elements(variant_type, true)
    }

    /// Reads a complete StringName packet: the class before a typed array of objects.
    fn class_name(&mut self) -> Result<VariantString> {
        let start = self.input.position();
        let word = u32::from(self.read::<PlainHeader>()?);
        let found = self.decoder.dialect.row(self.quirks.type_id(word)).map(|row| row.variant_type);
        match found {
            Some(VariantType::StringName) => {
                if word & !0xff != 0 {
                    self.warn(rule::HEADER_FLAGS, start, format_args!("0x{word:08x}"))?;
                }
                self.text()
            }
            _ => {
                let found = format!("0x{word:08x}");
                Err(Error::new(rule::CONTAINER_ELEMENT_FORM, start as u64, "a StringName", found))
            }
        }
    }

    /// Returns whether a container is shared; only Godot 2 has that, the others mask the bit off.
    #[inline(always)]
    fn shared(&mut self, bit: bool, start: usize) -> Result<bool> {
        if bit && !self.quirks.shared_containers {
            self.warn(rule::CONTAINER_SHARED, start, "the top bit of the count set")?;
            return Ok(false);
        }
        Ok(bit)
    }

    /// Trusts a count only as far as the input reaches.
    #[inline(always)]
    pub(crate) fn promise(&mut self, count: u32, least: u64, start: usize) -> Result<()> {
        let length = u64::from(count) * least;
        if length <= self.decoder.limits.packet_bytes
            && self.promised + length <= self.input.left() as u64
        {
            self.promised += length;
            return Ok(());
        }
        self.refuse_count(count, least, start)
    }

    /// Refuses a count that is larger than the input or the limits allow; a rescue uses as much of it as the input
    /// holds.
    #[cold]
    fn refuse_count(&mut self, count: u32, least: u64, start: usize) -> Result<()> {
        if let Err(error) = self.within_limits(u64::from(count) * least, start) {
            return self.bear_count(error, least);
        }
        let promised = self.promised + u64::from(count) * least;
        let left = self.input.left() as u64;
        let expected = format!("{count} elements of at least {least} bytes");
        let needed = promised.saturating_sub(left);
        self.bear_count(Error::incomplete(start as u64, needed, expected, left), least)
    }
}

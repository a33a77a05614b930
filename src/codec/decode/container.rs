//! Containers: what holds values, and how it is put together.

use super::super::element;
use super::{LEAST, Reading};
use crate::dialect::{NullObject, ObjectForms, Rules};
use crate::error::{Error, Result, Rule};
use crate::packet::{
    ArrayHeader, ArrayRecord, DictionaryHeader, DictionaryRecord, ElementId, ElementWord,
    InstanceId, ObjectHeader, ObjectProperties,
};
use crate::variant::{
    Array, Dictionary, ElementType, FullObject, KeySet, Object, Real, TypedArray, Variant,
    VariantString, VariantType,
};

/// A container whose elements are being read.
pub(super) enum Open<R: Real> {
    Array { made: Made<R>, left: u32 },
    Dictionary { pairs: KeySet<R>, read: u64, left: u32, key: Option<Variant<R>>, types: Types },
    Object { object: Box<FullObject<R>>, name: VariantString, left: u32 },
}

/// An array in the making.
pub(super) struct Made<R: Real> {
    pub(super) variant_type: VariantType,
    pub(super) elements: Vec<Variant<R>>,
    shared: bool,
    element: Option<ElementType>,
}

/// What a dictionary has besides its pairs.
#[derive(Default)]
pub(super) struct Types {
    shared: bool,
    key: Option<ElementType>,
    value: Option<ElementType>,
}

impl<R: Real> Open<R> {
    /// Elements, pairs or properties still to come.
    pub(super) const fn left(&self) -> u32 {
        match self {
            Self::Array { left, .. }
            | Self::Dictionary { left, .. }
            | Self::Object { left, .. } => *left,
        }
    }

    /// Takes the value that was read, and says which rule it bends, if one.
    pub(super) fn take(&mut self, value: Variant<R>) -> Option<Rule> {
        match self {
            Self::Array { made, left } => {
                *left -= 1;
                made.elements.push(value);
                None
            }
            Self::Dictionary { pairs, read, left, key, types } => {
                let Some(key) = key.take() else {
                    *key = Some(value);
                    return None;
                };
                *left -= 1;
                *read += 1;
                element::insert_pair(pairs, key, value, types.key.as_ref())
            }
            Self::Object { object, name, left } => {
                *left -= 1;
                object.properties.push((std::mem::take(name), value));
                None
            }
        }
    }

    /// The value, when all is read, and whether it holds just what was read.
    fn finish(self, rules: &Rules) -> (Variant<R>, bool) {
        match self {
            Self::Array { made, .. } => made.finish(rules),
            Self::Dictionary { pairs, types, .. } => {
                let mut dictionary = Dictionary::from(pairs.into_pairs());
                dictionary.set_shared(types.shared);
                dictionary.set_types(types.key, types.value);
                (Variant::Dictionary(dictionary), true)
            }
            Self::Object { object, .. } => (Variant::Object(Object::Full(object)), true),
        }
    }
}

impl<R: Real> Made<R> {
    fn finish(self, rules: &Rules) -> (Variant<R>, bool) {
        let Some(element) = self.element else {
            let mut array = Array::from(self.elements);
            array.set_shared(self.shared);
            return (Variant::Array(array), true);
        };
        let packed = self.variant_type == VariantType::PackedTypedArray;
        let (elements, changed) = element::assign(&element, self.elements, packed, rules);
        let mut elements = Array::from(elements);
        let value = match self.variant_type {
            VariantType::TypedArray => {
                Variant::TypedArray(Box::new(TypedArray { element, elements }))
            }
            VariantType::PackedTypedArray => {
                Variant::PackedTypedArray(Box::new(TypedArray { element, elements }))
            }
            _ => {
                elements.set_element_type(Some(element));
                Variant::Array(elements)
            }
        };
        (value, !changed)
    }
}

impl<R: Real> Reading<'_, '_, R> {
    pub(super) fn object(&mut self, word: u32, start: usize) -> Result<Option<Variant<R>>> {
        if self.rules.objects == ObjectForms::HeaderOnly {
            return Ok(Some(Variant::Object(Object::Null)));
        }
        let as_id = ObjectHeader::from(word).as_id();
        let object = if as_id {
            match self.read::<InstanceId>()?.id {
                0 => Object::Null,
                id => Object::Id(id),
            }
        } else {
            if !self.decoder.objects {
                let expected = "no object in full form, as objects are not allowed";
                return Err(Error::new(Rule::ObjectAllowed, start as u64, expected, "one"));
            }
            let class = self.text().map_err(|error| error.within("class"))?;
            if !class.is_empty() {
                return self.properties(class);
            }
            Object::Null
        };
        // Where a null object stays one, it is written as the id 0 and not as an empty class.
        if object == Object::Null && (self.rules.null_object == NullObject::Nil || !as_id) {
            self.deviate(Rule::ObjectForm, start, "a null object in another form")?;
        }
        Ok(Some(Variant::Object(object)))
    }

    fn properties(&mut self, class: VariantString) -> Result<Option<Variant<R>>> {
        let start = self.input.position();
        let count = self.read::<ObjectProperties>()?.property_count;
        if count < 0 {
            self.deviate(Rule::ObjectPropertyCount, start, count)?;
        }
        let left = u32::try_from(count).unwrap_or(0);
        self.promise(left, 2 * LEAST, start)?;
        let properties = Vec::with_capacity(left as usize);
        let object = Box::new(FullObject { class, properties });
        self.open.push(Open::Object { object, name: VariantString::default(), left });
        Ok(None)
    }

    /// Where an object is open, reads the name of the property whose value comes next.
    pub(super) fn next_property(&mut self) -> Result<()> {
        if !matches!(self.open.last(), Some(Open::Object { .. })) {
            return Ok(());
        }
        self.promised = self.promised.saturating_sub(LEAST);
        let read = self.text();
        if let (Some(Open::Object { name, .. }), Ok(text)) = (self.open.last_mut(), &read) {
            *name = text.clone();
        }
        read.map(drop).map_err(|error| error.within("name"))
    }

    pub(super) fn dictionary(&mut self, word: u32) -> Result<Option<Variant<R>>> {
        let mut types = Types::default();
        if self.rules.typed_dictionaries {
            let header = DictionaryHeader::from(word);
            types.key = self.element_type(header.key_kind(), "key_type")?;
            types.value = self.element_type(header.value_kind(), "value_type")?;
        }
        let start = self.input.position();
        let count = self.read::<DictionaryRecord>()?.count;
        types.shared = self.shared(count.shared(), start)?;
        let left = count.count();
        self.promise(left, 2 * LEAST, start)?;
        let pairs = KeySet::with_capacity(left as usize, self.rules.same_keys);
        self.open.push(Open::Dictionary { pairs, read: 0, left, key: None, types });
        Ok(None)
    }

    pub(super) fn array(&mut self, word: u32) -> Result<Option<Variant<R>>> {
        let element = if self.rules.typed_arrays {
            self.element_type(ArrayHeader::from(word).element_kind(), "element_type")?
        } else {
            None
        };
        self.elements(VariantType::Array, element)
    }

    fn elements(
        &mut self,
        variant_type: VariantType,
        element: Option<ElementType>,
    ) -> Result<Option<Variant<R>>> {
        let start = self.input.position();
        let count = self.read::<ArrayRecord>()?.count;
        let shared = self.shared(count.shared(), start)?;
        let left = count.count();
        self.promise(left, LEAST, start)?;
        let elements = Vec::with_capacity(left as usize);
        let made = Made { variant_type, elements, shared, element };
        self.open.push(Open::Array { made, left });
        Ok(None)
    }

    /// The element type of a Godot 4 container, of the kind that its header says.
    fn element_type(&mut self, kind: u8, field: &'static str) -> Result<Option<ElementType>> {
        let start = self.input.position();
        let read = match kind {
            0 => return Ok(None),
            1 => self
                .read::<ElementId>()
                .and_then(|element| self.builtin(element.type_id, start).map(ElementType::Builtin)),
            2 => self.text().map(ElementType::Class),
            _ => self.text().map(ElementType::Script),
        };
        let element = read.map_err(|error| error.within(field))?;
        let kept =
            element::as_engine_keeps(element.clone(), self.decoder.objects).map_err(|found| {
                let expected = "a script path that starts with res://";
                Error::new(Rule::ContainerElementForm, start as u64, expected, found).within(field)
            })?;
        if kept.as_ref() != Some(&element) {
            self.deviate(Rule::ContainerElementForm, start, format_args!("{element:?}"))?;
        }
        Ok(kept)
    }

    fn builtin(&self, id: u32, start: usize) -> Result<VariantType> {
        let row = self.decoder.dialect.row(id).ok_or_else(|| {
            let expected = format!("a type id below {}", self.decoder.dialect.rows().len());
            Error::new(Rule::ContainerElementType, start as u64, expected, id.to_string())
        })?;
        Ok(row.variant_type)
    }

    pub(super) fn pandemonium_typed_array(
        &mut self,
        variant_type: VariantType,
        header: u32,
    ) -> Result<Option<Variant<R>>> {
        let as_id = ObjectHeader::from(header).as_id();
        let start = self.input.position();
        let word = self.read::<ElementWord>()?;
        // The engine masks the top bit off as it does with a count, and otherwise keeps whatever
        // number it is.
        let id = word.type_id();
        if word.unused() {
            self.deviate(Rule::ContainerElementType, start, u32::from(word))?;
        }
        let mut element = match self.decoder.dialect.row(id) {
            Some(row) => ElementType::Builtin(row.variant_type),
            None => {
                self.deviate(Rule::ContainerElementType, start, id)?;
                ElementType::Unknown(id)
            }
        };
        if element == ElementType::Builtin(VariantType::Object) {
            if !as_id {
                let at = self.input.position();
                element = match self.class_name().map_err(|error| error.within("element_class"))? {
                    class if class.is_empty() => {
                        self.deviate(Rule::ContainerElementForm, at, "no class name")?;
                        element
                    }
                    class => ElementType::Class(class),
                };
            }
        } else if as_id {
            self.deviate(Rule::HeaderFlags, start - 4, "the flag of object elements set")?;
        }
        self.elements(variant_type, Some(element))
    }

    /// A complete StringName value, as stands in front of typed arrays of a class.
    fn class_name(&mut self) -> Result<VariantString> {
        let start = self.input.position();
        let word = self.read::<u32>()?;
        let found = self.decoder.dialect.row(word & 0xff).map(|row| row.variant_type);
        match found {
            Some(VariantType::StringName) => {
                if word & !0xff != 0 {
                    self.deviate(Rule::HeaderFlags, start, format_args!("0x{word:08x}"))?;
                }
                self.text()
            }
            _ => {
                let found = format!("0x{word:08x}");
                Err(Error::new(Rule::ContainerElementForm, start as u64, "a StringName", found))
            }
        }
    }

    /// Whether a container is shared; only Godot 2 has that, the others mask the bit off.
    fn shared(&mut self, bit: bool, start: usize) -> Result<bool> {
        if bit && !self.rules.shared_containers {
            self.deviate(Rule::ContainerShared, start, "the top bit of the count set")?;
            return Ok(false);
        }
        Ok(bit)
    }

    /// Believes a count only as far as the input reaches.
    pub(super) fn promise(&mut self, count: u32, least: u64, start: usize) -> Result<()> {
        self.within_limits(u64::from(count) * least, start)?;
        self.promised += u64::from(count) * least;
        let left = self.input.left() as u64;
        if self.promised > left {
            let expected = format!("{count} elements of at least {least} bytes");
            return Err(Error::incomplete(start as u64, self.promised - left, expected, left));
        }
        Ok(())
    }

    /// The value of a container that is read to its end.
    pub(super) fn finish(&mut self, open: Open<R>) -> Result<Variant<R>> {
        let (value, as_read) = open.finish(self.rules);
        if !as_read {
            let found = "elements of other types";
            self.deviate(Rule::ContainerElement, self.input.position(), found)
                .map_err(|error| error.within(value.variant_type().path_name()))?;
        }
        Ok(value)
    }
}

//! Containers and objects.

use super::Writing;
use crate::codec::encoder::ObjectForm;
use crate::codec::keep::{self, STAND_IN};
use crate::codec::rule;
use crate::dialect::ObjectForms;
use crate::packet::{
    ArrayHeader, ArrayRecord, ContainerCount, DictionaryHeader, DictionaryRecord, ElementId,
    ElementName, ElementWord, InstanceId, ObjectClass, ObjectHeader, ObjectProperties, Property,
    Text,
};
use crate::{
    Array, Container, Dictionary, ElementType, FullObject, Level, Object, Real, TypedArray,
    Variant, VariantString, VariantType,
};
use formwork::{Deferred, Nested, Path, PathSegment, Result};

/// The capacity in bytes for each element of an array, which is the size of a number: less than the element's size
/// in memory.
const ELEMENT: usize = 8;

/// The capacity in bytes for each pair of a dictionary, which is the size of a short text and a number.
const PAIR: usize = 32;

/// Bytes of a header and a count.
const FRONT: usize = 8;

/// Returns how many bytes to make room for before a container is written.
pub(super) fn room<R: Real>(container: Container<'_, R>) -> usize {
    let each = match container {
        Container::Dictionary(_) | Container::Object(_) => PAIR,
        Container::Array(_) | Container::TypedArray(_) | Container::PackedTypedArray(_) => ELEMENT,
    };
    FRONT + container.len().saturating_mul(each)
}

impl Writing {
    pub(super) fn object<R: Real>(&mut self, id: u8, object: &Object<R>) -> Result<()> {
        if self.quirks.objects == ObjectForms::HeaderOnly {
            return match object {
                Object::Null => self.header(id),
                other @ (Object::Id(_) | Object::Full(_)) => {
                    let expected =
                        format!("a null object, the only one that {} stores", self.encoder.dialect);
                    Err(self.refuse(rule::DIALECT_VALUE, expected, format!("{other:?}")))
                }
            };
        }
        let header = ObjectHeader::new().with_type_id(id);
        match object {
            Object::Null => {
                self.out.record(&header.with_as_id(true))?;
                self.out.record(&InstanceId { id: 0 })
            }
            // That number is the form of null.
            Object::Id(0) => Err(self.refuse(rule::DIALECT_VALUE, "the number of an object", "0")),
            Object::Id(instance) if self.encoder.objects != ObjectForm::Full => {
                self.out.record(&header.with_as_id(true))?;
                self.out.record(&InstanceId { id: *instance })
            }
            Object::Id(instance) => {
                self.out.record(&header)?;
                self.stand_in(*instance)
            }
            Object::Full(_) if self.encoder.objects == ObjectForm::Id => {
                Err(self.refuse(rule::OBJECT_FORM, "an object as an id", "one in full"))
            }
            Object::Full(object) => {
                self.out.record(&header)?;
                self.full_object(object)
            }
        }
    }

    fn full_object<R: Real>(&mut self, object: &FullObject<R>) -> Result<()> {
        if object.class.is_empty() {
            return Err(self.refuse(rule::DIALECT_VALUE, "an object with a class name", "none"));
        }
        let class = Text::new(self.text_bytes(&object.class)?);
        self.out.record(&ObjectClass { class })?;
        self.count(object.properties.len())?;
        self.out.record(&ObjectProperties {
            property_count: object.properties.len() as i32,
            properties: Deferred::HERE,
        })?;
        self.open.push(Level::object(object.properties.len() as u32));
        Ok(())
    }

    /// The object that an id is to the engine, in full.
    fn stand_in(&mut self, instance: u64) -> Result<()> {
        let dialect = self.encoder.dialect;
        let number = |variant_type| dialect.type_id(variant_type).unwrap_or_default();
        self.out.record(&ObjectClass { class: Text::new(STAND_IN.as_bytes()) })?;
        self.out.record(&ObjectProperties { property_count: 2, properties: Deferred::HERE })?;
        self.out.record(&Property { name: Text::new(&b"object_id"[..]), value: Nested })?;
        self.int(number(VariantType::Int), instance as i64)?;
        self.out.record(&Property { name: Text::new(&b"script"[..]), value: Nested })?;
        self.header(number(VariantType::Nil))
    }

    pub(super) fn dictionary<R: Real>(&mut self, id: u8, dictionary: &Dictionary<R>) -> Result<()> {
        self.out.reserve(room(Container::Dictionary(dictionary)));
        let (key, value) = (dictionary.key_type(), dictionary.value_type());
        self.dictionary_front(id, key, value)?;
        self.pair_count(dictionary.len(), dictionary.is_shared())?;
        self.keys_differ(dictionary)
    }

    /// Refuses a dictionary of whose pairs the engine would keep fewer, because it takes two keys for
    /// one when it reads them.
    pub(super) fn keys_differ<R: Real>(&mut self, dictionary: &Dictionary<R>) -> Result<()> {
        let Some(at) = self.quirks.written_keys().repeated(dictionary) else { return Ok(()) };
        let expected = format!("keys that {} tells apart", self.encoder.dialect);
        let found = match dictionary.as_slice().get(at).map(|(key, _)| key) {
            Some(Variant::String(text) | Variant::StringName(text)) => {
                format!("{:?} again", text.to_string_lossy())
            }
            _ => "one of them again".to_owned(),
        };
        let error = self.refuse(rule::DICTIONARY_KEYS, expected, found);
        let pair = vec![PathSegment::Index(at as u64), PathSegment::Field("key")];
        // The path of the dictionary and of the containers around it is added by the caller.
        self.open.pop();
        Err(error.under(Path::from(pair)))
    }

    /// The header of a dictionary, and its types.
    #[inline]
    fn dictionary_front(
        &mut self,
        id: u8,
        key: Option<&ElementType>,
        value: Option<&ElementType>,
    ) -> Result<()> {
        if key.is_none() && value.is_none() {
            self.header(id)
        } else if self.quirks.typed_dictionaries {
            let header = DictionaryHeader::new()
                .with_type_id(id)
                .with_key_kind(kind(key))
                .with_value_kind(kind(value));
            self.out.record(&header)?;
            self.element_type(key)?;
            self.element_type(value)
        } else {
            self.untyped(key.or(value))?;
            self.header(id)
        }
    }

    #[inline]
    pub(super) fn pair_count(&mut self, count: usize, shared: bool) -> Result<()> {
        let record =
            DictionaryRecord { count: self.container_count(count, shared)?, pairs: Deferred::HERE };
        self.out.record(&record)?;
        self.open.push(Level::dictionary(count as u32));
        Ok(())
    }

    pub(super) fn array<R: Real>(&mut self, id: u8, array: &Array<R>) -> Result<()> {
        self.out.reserve(room(Container::Array(array)));
        self.array_front(id, array.element_type())?;
        self.element_count(VariantType::Array, array.len(), array.is_shared())
    }

    /// The header of an array, and the type of its elements.
    fn array_front(&mut self, id: u8, element: Option<&ElementType>) -> Result<()> {
        if element.is_none() {
            self.header(id)
        } else if self.quirks.typed_arrays {
            self.out
                .record(&ArrayHeader::new().with_type_id(id).with_element_kind(kind(element)))?;
            self.element_type(element)
        } else {
            self.untyped(element)?;
            self.header(id)
        }
    }

    #[inline]
    pub(super) fn element_count(
        &mut self,
        variant_type: VariantType,
        count: usize,
        shared: bool,
    ) -> Result<()> {
        let record =
            ArrayRecord { count: self.container_count(count, shared)?, elements: Deferred::HERE };
        self.out.record(&record)?;
        self.open.push(Level::array(variant_type, count as u32));
        Ok(())
    }

    /// Refuses an element type if the dialect's containers have none.
    fn untyped(&self, element: Option<&ElementType>) -> Result<()> {
        match element {
            None => Ok(()),
            Some(element) => {
                let expected =
                    format!("an untyped container, as {} has no other", self.encoder.dialect);
                Err(self.refuse(rule::DIALECT_VALUE, expected, format!("{element:?}")))
            }
        }
    }

    #[inline]
    fn element_type(&mut self, element: Option<&ElementType>) -> Result<()> {
        match element {
            None => Ok(()),
            Some(element) => self.declared_type(element),
        }
    }

    fn declared_type(&mut self, element: &ElementType) -> Result<()> {
        // A reader may accept objects in full form, and then the type is kept as declared here.
        match (element, keep::as_engine_keeps(element.clone(), true)) {
            (element, Ok(Some(kept))) if kept == *element => {}
            (ElementType::Unknown(_), _) => {}
            (element, _) => {
                let expected = "an element type that a container keeps";
                let found = format!("{element:?}");
                return Err(self.refuse(rule::CONTAINER_ELEMENT_FORM, expected, found));
            }
        }
        match element {
            ElementType::Builtin(variant_type) => {
                let type_id = self.element_id(*variant_type)?;
                self.out.record(&ElementId { type_id })
            }
            ElementType::Class(name) | ElementType::Script(name) => {
                let name = Text::new(self.text_bytes(name)?);
                self.out.record(&ElementName { name })
            }
            ElementType::Unknown(type_id) => {
                let expected = format!("an element type that {} has", self.encoder.dialect);
                Err(self.refuse(rule::CONTAINER_ELEMENT_TYPE, expected, type_id.to_string()))
            }
        }
    }

    fn element_id(&self, variant_type: VariantType) -> Result<u32> {
        match self.encoder.dialect.type_id(variant_type) {
            Some(id) => Ok(u32::from(id)),
            None => {
                let expected = format!("an element type that {} has", self.encoder.dialect);
                Err(self.refuse(rule::DIALECT_TYPE, expected, variant_type.name()))
            }
        }
    }

    pub(super) fn pandemonium_typed_array<R: Real>(
        &mut self,
        id: u8,
        variant_type: VariantType,
        typed: &TypedArray<R>,
    ) -> Result<()> {
        let object = VariantType::Object;
        let stand_in = VariantString::from(STAND_IN);
        let (type_id, as_id, class) = match &typed.element {
            // To the engine, elements read as ids are objects of the placeholder's class.
            ElementType::Builtin(VariantType::Object)
                if self.encoder.objects == ObjectForm::Full =>
            {
                (self.element_id(object)?, false, Some(&stand_in))
            }
            ElementType::Builtin(element) => (self.element_id(*element)?, *element == object, None),
            ElementType::Class(_) if self.encoder.objects == ObjectForm::Id => {
                (self.element_id(object)?, true, None)
            }
            ElementType::Class(name) if name.is_empty() => {
                let expected = "the name of a class";
                return Err(self.refuse(rule::CONTAINER_ELEMENT_FORM, expected, "an empty one"));
            }
            ElementType::Class(name) => (self.element_id(object)?, false, Some(name)),
            // The engine keeps and writes any number, except for the top bit.
            ElementType::Unknown(type_id)
                if *type_id >> 31 == 0 && self.encoder.dialect.row(*type_id).is_none() =>
            {
                (*type_id, false, None)
            }
            ElementType::Unknown(type_id) => {
                let expected = "a number that no type has";
                let found = type_id.to_string();
                return Err(self.refuse(rule::CONTAINER_ELEMENT_TYPE, expected, found));
            }
            ElementType::Script(path) => {
                let expected = format!("an element type that {} has", self.encoder.dialect);
                return Err(self.refuse(rule::DIALECT_VALUE, expected, path.to_string()));
            }
        };
        self.out.record(&ObjectHeader::new().with_type_id(id).with_as_id(as_id))?;
        self.out.record(&ElementWord::from(type_id))?;
        if let Some(class) = class {
            let name = self.encoder.dialect.type_id(VariantType::StringName);
            self.header(name.unwrap_or_default())?;
            self.text(class)?;
        }
        // The inner list has no separate type on the wire.
        self.untyped(typed.elements.element_type())?;
        self.element_count(variant_type, typed.elements.len(), typed.elements.is_shared())
    }

    fn container_count(&self, count: usize, shared: bool) -> Result<ContainerCount> {
        self.count(count)?;
        if shared && !self.quirks.shared_containers {
            let expected = format!("no shared container, as {} has none", self.encoder.dialect);
            return Err(self.refuse(rule::DIALECT_VALUE, expected, "one"));
        }
        Ok(ContainerCount::from(count as u32).with_shared(shared))
    }
}

/// Returns the form of an element type in a container's header.
const fn kind(element: Option<&ElementType>) -> u8 {
    match element {
        None => 0,
        Some(ElementType::Builtin(_) | ElementType::Unknown(_)) => 1,
        Some(ElementType::Class(_)) => 2,
        Some(ElementType::Script(_)) => 3,
    }
}

//! From a value to bytes.

use std::borrow::Cow;
use std::io::{self, Seek, SeekFrom, Write};
use std::slice;

use binrw::{BinWrite, Endian};

use crate::dialect::{Dialect, FloatWidth, IntWidth, NullObject, ObjectForms, Precision, Rules};
use crate::error::{Error, Path, Result, Rule, Step};
use crate::limits::Limits;
use crate::packet::{
    ArrayHeader, ArrayRecord, AxisEvent, ContainerCount, DictionaryHeader, DictionaryRecord,
    ElementId, ElementName, ImageRecord, InputEventHead, InstanceId, KeyEvent, ModifierWord,
    NameCount, NodePathFlags, NodePathRecord, NumberedEvent, ObjectClass, ObjectHeader,
    ObjectProperties, PackedArray, PackedBytes, PlainHeader, Property, SignalRecord,
    TerminatedText, Text, WideHeader,
};
use crate::variant::{
    Aabb, Array, Basis, Dictionary, ElementType, FullObject, Image, InputEvent, InputEventKind,
    NodePath, Object, Plane, Projection, Quaternion, Real, Rect2, Transform2D, Transform3D,
    TypedArray, Variant, VariantString, VariantType, Vector2, Vector3, Vector4,
};
use crate::wire::{Block, Each, Element, Padding, error_from};

/// In which form objects are written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum ObjectForm {
    /// Each in the form that the value holds.
    #[default]
    AsHeld,
    /// All as ids, as the engines do without `full_objects`. An object held in full has no id and is
    /// refused.
    Id,
    /// All in full, as the engines do with `full_objects`: a stand-in is written as the object of
    /// class `EncodedObjectAsID` that it is to the engine.
    Full,
}

/// Writes packets of one dialect.
///
/// ```
/// use formwork::{Dialect, Encoder};
/// use formwork::variant::{Variant, Vector2};
///
/// let encoder = Encoder::new(Dialect::GODOT3);
/// let value: Variant = Vector2::new(1.0, 2.0).into();
/// assert_eq!(encoder.encode(&value)?, [5, 0, 0, 0, 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40]);
///
/// // Godot 3 has no StringName, so nothing is written.
/// let name: Variant = Variant::StringName("idle".into());
/// assert_eq!(encoder.encode(&name).unwrap_err().rule().name(), "dialect.type");
/// # Ok::<(), formwork::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    dialect: Dialect,
    objects: ObjectForm,
    depth: Option<u32>,
}

impl Encoder {
    /// A writer that makes the dialect's engine's own choices.
    #[must_use]
    pub const fn new(dialect: Dialect) -> Self {
        Self { dialect, objects: ObjectForm::AsHeld, depth: None }
    }

    /// Chooses the form of objects.
    #[must_use]
    pub const fn objects(mut self, objects: ObjectForm) -> Self {
        self.objects = objects;
        self
    }

    /// Chooses another depth limit than the dialect's.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The value's packet.
    ///
    /// # Errors
    ///
    /// Where the dialect cannot express the value: an unknown type, a number out of range, a string
    /// it cannot hold, a value nested deeper than its engine reads.
    pub fn encode<R: Real>(&self, value: &Variant<R>) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        self.encode_into(value, &mut out)?;
        Ok(out)
    }

    /// Appends the value's packet to `out`; leaves `out` as it was where that fails.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`].
    pub fn encode_into<R: Real>(&self, value: &Variant<R>, out: &mut Vec<u8>) -> Result<()> {
        let before = out.len();
        let rules = self.dialect.rules();
        let depth = self.depth.or(rules.depth).unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
        let mut writing = Writing {
            out: Output { bytes: std::mem::take(out), start: before },
            encoder: *self,
            rules,
            depth: depth as usize,
            open: Vec::new(),
        };
        let written = writing.value(value).map_err(|error| error.under(writing.path()));
        *out = writing.out.bytes;
        if written.is_err() {
            out.truncate(before);
        }
        written
    }
}

/// The class of the object that an id is to the engine.
pub(super) const STAND_IN: &str = "EncodedObjectAsID";

/// Whether a float takes 64 bits: it is not the same number in 32. (A NaN is never the same.)
pub(super) fn needs_double(value: f64) -> bool {
    f64::from(value as f32) != value
}

/// What binrw writes to: a vector, and where in it the packet starts.
struct Output {
    bytes: Vec<u8>,
    start: usize,
}

impl Output {
    fn position(&self) -> usize {
        self.bytes.len() - self.start
    }
}

impl Write for Output {
    #[inline]
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    #[inline]
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// No declared record seeks when it is written, but binrw asks where it is.
impl Seek for Output {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::Current(0) => Ok(self.position() as u64),
            _ => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}

/// A container whose elements are being written.
enum Open<'v, R: Real> {
    Array(VariantType, slice::Iter<'v, Variant<R>>, usize),
    Pairs(slice::Iter<'v, (Variant<R>, Variant<R>)>, Option<&'v Variant<R>>, usize),
    Properties(slice::Iter<'v, (VariantString, Variant<R>)>, usize),
}

struct Writing<'v, R: Real> {
    out: Output,
    encoder: Encoder,
    rules: &'static Rules,
    depth: usize,
    /// The containers around the value being written, the outermost first.
    open: Vec<Open<'v, R>>,
}

impl<'v, R: Real> Writing<'v, R> {
    fn value(&mut self, value: &'v Variant<R>) -> Result<()> {
        self.packet(value)?;
        while let Some(open) = self.open.last_mut() {
            let next = match open {
                Open::Array(_, elements, read) => elements.next().inspect(|_| *read += 1),
                Open::Pairs(pairs, value, read) => match value.take() {
                    Some(value) => Some(value),
                    None => pairs.next().map(|(key, next)| {
                        *read += 1;
                        *value = Some(next);
                        key
                    }),
                },
                Open::Properties(properties, read) => match properties.next() {
                    Some((name, value)) => {
                        *read += 1;
                        let name = text_bytes(self.rules, name, self.out.position())?;
                        self.out.record(&Property { name: Text::new(name) })?;
                        Some(value)
                    }
                    None => None,
                },
            };
            match next {
                Some(value) => self.packet(value)?,
                None => {
                    self.open.pop();
                }
            }
        }
        Ok(())
    }

    /// Writes a value's header and payload; opens it where it holds values.
    fn packet(&mut self, value: &'v Variant<R>) -> Result<()> {
        if self.open.len() > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(self.refuse(Rule::DepthLimit, expected, "one more"));
        }
        let variant_type = match value {
            Variant::Object(Object::Null) if self.rules.null_object == NullObject::Nil => {
                VariantType::Nil
            }
            value => value.variant_type(),
        };
        let Some(id) = self.encoder.dialect.type_id(variant_type) else {
            let expected = format!("a type that {} has", self.encoder.dialect);
            let found = variant_type.name();
            return Err(self.refuse(Rule::TypeInDialect, expected, found));
        };
        if variant_type == VariantType::Nil {
            return self.header(id);
        }
        self.payload(value, id)
            .map_err(|error| error.under(Path::from(vec![Step::Field(variant_type.path_name())])))
    }

    fn payload(&mut self, value: &'v Variant<R>, id: u8) -> Result<()> {
        macro_rules! real {
            ($math:ident, $value:expr, $flagged:expr) => {
                if self.double() {
                    self.wide_header(id, $flagged)?;
                    self.out.record::<$math<f64>>(&$value.cast())
                } else {
                    self.header(id)?;
                    let single = $value.cast::<f32>();
                    self.fits_single(&$value.to_array(), &single.cast::<R>().to_array())?;
                    self.out.record::<$math<f32>>(&single)
                }
            };
        }
        macro_rules! packed_real {
            ($math:ident, $values:expr) => {
                if self.double() {
                    self.wide_header(id, true)?;
                    self.packed::<$math<f64>>($values.iter().map(|value| value.cast()).collect())
                } else {
                    self.header(id)?;
                    if R::DOUBLE {
                        for value in $values {
                            let single = value.cast::<f32>().cast::<R>();
                            self.fits_single(&value.to_array(), &single.to_array())?;
                        }
                    }
                    self.packed::<$math<f32>>($values.iter().map(|value| value.cast()).collect())
                }
            };
        }
        match value {
            Variant::Int(value) => self.int(id, *value),
            Variant::Float(value) => self.float(id, *value),
            Variant::Vector2(value) => real!(Vector2, value, true),
            Variant::Rect2(value) => real!(Rect2, value, true),
            Variant::Vector3(value) => real!(Vector3, value, true),
            Variant::Transform2D(value) => real!(Transform2D, value, true),
            Variant::Vector4(value) => real!(Vector4, value, !self.rules.real_flag_missing),
            Variant::Plane(value) => real!(Plane, value, true),
            Variant::Quaternion(value) => real!(Quaternion, value, true),
            Variant::Aabb(value) => real!(Aabb, value, true),
            Variant::Basis(value) => real!(Basis, value, true),
            Variant::Transform3D(value) => real!(Transform3D, value, true),
            Variant::Projection(value) => real!(Projection, value, !self.rules.real_flag_missing),
            Variant::PackedVector2Array(values) => packed_real!(Vector2, values),
            Variant::PackedVector3Array(values) => packed_real!(Vector3, values),
            Variant::PackedVector4Array(values) => packed_real!(Vector4, values),
            Variant::Object(object) => self.object(id, object),
            Variant::Dictionary(dictionary) => self.dictionary(id, dictionary),
            Variant::Array(array) => self.array(id, array),
            Variant::TypedArray(typed) => {
                self.pandemonium_typed_array(id, VariantType::TypedArray, typed)
            }
            Variant::PackedTypedArray(typed) => {
                self.pandemonium_typed_array(id, VariantType::PackedTypedArray, typed)
            }
            plain => {
                self.header(id)?;
                self.plain(plain)
            }
        }
    }

    /// The payload of a type whose header has no flags.
    fn plain(&mut self, value: &'v Variant<R>) -> Result<()> {
        match value {
            Variant::Bool(value) => self.out.record(&u32::from(*value)),
            Variant::String(text) | Variant::StringName(text) => self.text(text),
            Variant::Vector2i(value) => self.out.record(value),
            Variant::Rect2i(value) => self.out.record(value),
            Variant::Vector3i(value) => self.out.record(value),
            Variant::Vector4i(value) => self.out.record(value),
            Variant::Color(value) => self.out.record(value),
            Variant::NodePath(path) => self.node_path(path),
            Variant::Rid(rid) if self.rules.rid_id => self.out.record(rid),
            Variant::Rid(0) | Variant::Nil | Variant::Callable => Ok(()),
            Variant::Rid(rid) => {
                let expected =
                    format!("the empty RID, the only one that {} stores", self.encoder.dialect);
                Err(self.refuse(Rule::ValueInDialect, expected, rid.to_string()))
            }
            Variant::Signal(signal) => {
                let name = Text::new(self.text_bytes(&signal.name)?);
                self.out.record(&SignalRecord { name, object_id: signal.object_id })
            }
            Variant::PackedByteArray(bytes) => {
                self.count(bytes.len())?;
                self.out.record(&PackedBytes::new(bytes.as_slice()))
            }
            Variant::PackedInt32Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedInt64Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedFloat32Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedFloat64Array(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedVector2iArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedVector3iArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedVector4iArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedColorArray(values) => self.packed(Cow::Borrowed(values)),
            Variant::PackedStringArray(texts) => self.strings(texts),
            Variant::Image(image) => self.image(image),
            Variant::InputEvent(event) => self.input_event(event),
            // The types with flags were written by `payload`.
            _ => Ok(()),
        }
    }

    fn header(&mut self, id: u8) -> Result<()> {
        self.out.record(&PlainHeader::new().with_type_id(id))
    }

    fn wide_header(&mut self, id: u8, wide: bool) -> Result<()> {
        self.out.record(&WideHeader::new().with_type_id(id).with_flag_64(wide))
    }

    fn double(&self) -> bool {
        self.encoder.dialect.precision() == Precision::Double
    }

    /// Refuses components that single precision would round.
    fn fits_single(&self, value: &[R], single: &[R]) -> Result<()> {
        let same = |(value, single): (&R, &R)| value == single || value.to_f64().is_nan();
        if R::DOUBLE && !value.iter().zip(single).all(same) {
            let expected = "components that single precision holds";
            return Err(self.refuse(Rule::ValueInDialect, expected, format!("{value:?}")));
        }
        Ok(())
    }

    fn int(&mut self, id: u8, value: i64) -> Result<()> {
        let narrow = i32::try_from(value);
        let narrow = match self.rules.int_width {
            IntWidth::Wide => None,
            IntWidth::Shortest => narrow.ok(),
            IntWidth::Narrow => Some(narrow.map_err(|_| {
                let expected = format!("an int of 32 bits, as {} has", self.encoder.dialect);
                self.refuse(Rule::ValueInDialect, expected, value.to_string())
            })?),
        };
        self.wide_header(id, narrow.is_none())?;
        match narrow {
            Some(narrow) => self.out.record(&narrow),
            None => self.out.record(&value),
        }
    }

    fn float(&mut self, id: u8, value: f64) -> Result<()> {
        let double = needs_double(value);
        if double && self.rules.float_width == FloatWidth::Narrow && !value.is_nan() {
            let expected = format!("a number of 32 bits, as {} has", self.encoder.dialect);
            return Err(self.refuse(Rule::ValueInDialect, expected, value.to_string()));
        }
        let wide = double && self.rules.float_width == FloatWidth::Shortest;
        self.wide_header(id, wide)?;
        if wide { self.out.record(&value) } else { self.out.record(&(value as f32)) }
    }

    fn text(&mut self, text: &VariantString) -> Result<()> {
        let bytes = self.text_bytes(text)?;
        self.out.record(&Text::new(bytes))
    }

    fn text_bytes<'t>(&self, text: &'t VariantString) -> Result<&'t [u8]> {
        text_bytes(self.rules, text, self.out.position())
    }

    fn strings(&mut self, texts: &[VariantString]) -> Result<()> {
        self.count(texts.len())?;
        self.out.record(&(texts.len() as u32))?;
        for (index, text) in texts.iter().enumerate() {
            let outer = || Path::from(vec![Step::Field("elements"), Step::Index(index as u64)]);
            let bytes = self.text_bytes(text).map_err(|error| error.under(outer()))?;
            self.out.record(&TerminatedText::new(bytes))?;
        }
        Ok(())
    }

    fn node_path(&mut self, path: &NodePath) -> Result<()> {
        let dialect = self.encoder.dialect;
        if path.property.is_some() && !self.rules.node_path_property {
            let expected = format!("no property apart from the subnames, as {dialect} has none");
            return Err(self.refuse(Rule::ValueInDialect, expected, path.to_string()));
        }
        self.count(path.names.len())?;
        self.count(path.subnames.len())?;
        let text = |text: &'_ VariantString| Ok(Text::new(self.text_bytes(text)?.to_vec()));
        let texts = |list: &[VariantString]| list.iter().map(text).collect::<Result<Vec<_>>>();
        let record = NodePathRecord {
            name_count: NameCount::from(path.names.len() as u32).with_separate(true),
            subname_count: path.subnames.len() as u32,
            flags: NodePathFlags::new()
                .with_absolute(path.absolute)
                .with_property(path.property.is_some()),
            names: Each(texts(&path.names)?),
            subnames: Each(texts(&path.subnames)?),
            property: path.property.as_ref().map(text).transpose()?,
        };
        self.out.record(&record)
    }

    fn object(&mut self, id: u8, object: &'v Object<R>) -> Result<()> {
        if self.rules.objects == ObjectForms::HeaderOnly {
            return match object {
                Object::Null => self.header(id),
                other => {
                    let expected =
                        format!("a null object, the only one that {} stores", self.encoder.dialect);
                    Err(self.refuse(Rule::ValueInDialect, expected, format!("{other:?}")))
                }
            };
        }
        let header = ObjectHeader::new().with_type_id(id);
        match object {
            Object::Null => {
                self.out.record(&header.with_as_id(true))?;
                self.out.record(&InstanceId { id: 0 })
            }
            Object::Id(instance) if self.encoder.objects != ObjectForm::Full => {
                self.out.record(&header.with_as_id(true))?;
                self.out.record(&InstanceId { id: *instance })
            }
            Object::Id(instance) => {
                self.out.record(&header)?;
                self.stand_in(*instance)
            }
            Object::Full(_) if self.encoder.objects == ObjectForm::Id => {
                Err(self.refuse(Rule::ObjectForm, "an object as an id", "one in full"))
            }
            Object::Full(object) => {
                self.out.record(&header)?;
                self.full_object(object)
            }
        }
    }

    fn full_object(&mut self, object: &'v FullObject<R>) -> Result<()> {
        if object.class.is_empty() {
            return Err(self.refuse(Rule::ValueInDialect, "an object with a class name", "none"));
        }
        let class = Text::new(self.text_bytes(&object.class)?);
        self.out.record(&ObjectClass { class })?;
        self.count(object.properties.len())?;
        self.out.record(&ObjectProperties { property_count: object.properties.len() as i32 })?;
        self.open.push(Open::Properties(object.properties.iter(), 0));
        Ok(())
    }

    /// The object that an id is to the engine, in full.
    fn stand_in(&mut self, instance: u64) -> Result<()> {
        let dialect = self.encoder.dialect;
        let number = |variant_type| dialect.type_id(variant_type).unwrap_or_default();
        self.out.record(&ObjectClass { class: Text::new(STAND_IN.as_bytes()) })?;
        self.out.record(&ObjectProperties { property_count: 2 })?;
        self.out.record(&Property { name: Text::new(&b"object_id"[..]) })?;
        self.int(number(VariantType::Int), instance as i64)?;
        self.out.record(&Property { name: Text::new(&b"script"[..]) })?;
        self.header(number(VariantType::Nil))
    }

    fn dictionary(&mut self, id: u8, dictionary: &'v Dictionary<R>) -> Result<()> {
        let (key, value) = (dictionary.key_type(), dictionary.value_type());
        if self.rules.typed_dictionaries {
            let header = DictionaryHeader::new()
                .with_type_id(id)
                .with_key_kind(kind(key))
                .with_value_kind(kind(value));
            self.out.record(&header)?;
            self.element_type(key)?;
            self.element_type(value)?;
        } else {
            self.untyped(key.or(value))?;
            self.header(id)?;
        }
        let count = self.container_count(dictionary.len(), dictionary.is_shared())?;
        self.out.record(&DictionaryRecord { count })?;
        self.open.push(Open::Pairs(dictionary.iter(), None, 0));
        Ok(())
    }

    fn array(&mut self, id: u8, array: &'v Array<R>) -> Result<()> {
        let element = array.element_type();
        if self.rules.typed_arrays {
            self.out
                .record(&ArrayHeader::new().with_type_id(id).with_element_kind(kind(element)))?;
            self.element_type(element)?;
        } else {
            self.untyped(element)?;
            self.header(id)?;
        }
        self.elements(VariantType::Array, array)
    }

    fn elements(&mut self, variant_type: VariantType, array: &'v Array<R>) -> Result<()> {
        let count = self.container_count(array.len(), array.is_shared())?;
        self.out.record(&ArrayRecord { count })?;
        self.open.push(Open::Array(variant_type, array.iter(), 0));
        Ok(())
    }

    /// Refuses an element type where the dialect's containers have none.
    fn untyped(&self, element: Option<&ElementType>) -> Result<()> {
        match element {
            None => Ok(()),
            Some(element) => {
                let expected =
                    format!("an untyped container, as {} has no other", self.encoder.dialect);
                Err(self.refuse(Rule::ValueInDialect, expected, format!("{element:?}")))
            }
        }
    }

    fn element_type(&mut self, element: Option<&ElementType>) -> Result<()> {
        match element {
            None => Ok(()),
            Some(ElementType::Builtin(variant_type)) => {
                let type_id = self.element_id(*variant_type)?;
                self.out.record(&ElementId { type_id })
            }
            Some(ElementType::Class(name) | ElementType::Script(name)) => {
                let name = Text::new(self.text_bytes(name)?);
                self.out.record(&ElementName { name })
            }
            Some(ElementType::Unknown(type_id)) => {
                let expected = format!("an element type that {} has", self.encoder.dialect);
                Err(self.refuse(Rule::ContainerElementType, expected, type_id.to_string()))
            }
        }
    }

    fn element_id(&self, variant_type: VariantType) -> Result<u32> {
        match self.encoder.dialect.type_id(variant_type) {
            Some(id) => Ok(u32::from(id)),
            None => {
                let expected = format!("an element type that {} has", self.encoder.dialect);
                Err(self.refuse(Rule::TypeInDialect, expected, variant_type.name()))
            }
        }
    }

    fn pandemonium_typed_array(
        &mut self,
        id: u8,
        variant_type: VariantType,
        typed: &'v TypedArray<R>,
    ) -> Result<()> {
        let object = VariantType::Object;
        let stand_in = VariantString::from(STAND_IN);
        let (type_id, as_id, class) = match &typed.element {
            // To the engine, elements read as ids are objects of the stand-in's class.
            ElementType::Builtin(VariantType::Object)
                if self.encoder.objects == ObjectForm::Full =>
            {
                (self.element_id(object)?, false, Some(&stand_in))
            }
            ElementType::Builtin(element) => (self.element_id(*element)?, *element == object, None),
            ElementType::Class(_) if self.encoder.objects == ObjectForm::Id => {
                (self.element_id(object)?, true, None)
            }
            ElementType::Class(name) => (self.element_id(object)?, false, Some(name)),
            ElementType::Unknown(type_id) => (*type_id, false, None),
            ElementType::Script(path) => {
                let expected = format!("an element type that {} has", self.encoder.dialect);
                return Err(self.refuse(Rule::ValueInDialect, expected, path.to_string()));
            }
        };
        self.out.record(&ObjectHeader::new().with_type_id(id).with_as_id(as_id))?;
        self.out.record(&ElementId { type_id })?;
        if let Some(class) = class {
            let name = self.encoder.dialect.type_id(VariantType::StringName);
            self.header(name.unwrap_or_default())?;
            self.text(class)?;
        }
        self.elements(variant_type, &typed.elements)
    }

    fn packed<T: Element>(&mut self, elements: Cow<'_, [T]>) -> Result<()> {
        self.count(elements.len())?;
        self.out.record(&PackedArray::new(elements))
    }

    fn image(&mut self, image: &Image) -> Result<()> {
        if image.format as usize >= Image::FORMATS.len() || !image.is_as_engine_keeps() {
            let expected = "an image whose data has the size that its format demands";
            let found = format!("format {}, {} bytes", image.format, image.data.len());
            return Err(self.refuse(Rule::ImageFormat, expected, found));
        }
        self.count(image.data.len())?;
        self.out.record(&ImageRecord {
            format: image.format,
            mipmaps: image.mipmaps,
            width: image.width,
            height: image.height,
            length: image.data.len() as u32,
            data: Block(Cow::Borrowed(&image.data)),
            padding: Padding::after(image.data.len()),
        })
    }

    fn input_event(&mut self, event: &InputEvent) -> Result<()> {
        let (event_type, rest) = match event.kind {
            InputEventKind::None => (0, 0),
            InputEventKind::Key { .. } => (1, 8),
            InputEventKind::MouseMotion => (2, 0),
            InputEventKind::MouseButton { .. } => (3, 4),
            InputEventKind::JoystickMotion { value: Some(_), .. } => (4, 8),
            InputEventKind::JoystickMotion { value: None, .. } => (4, 4),
            InputEventKind::JoystickButton { .. } => (5, 4),
            InputEventKind::ScreenTouch { .. } => (6, 4),
            InputEventKind::ScreenDrag => (7, 0),
            InputEventKind::Action => (8, 0),
            InputEventKind::Other { number } => (number, 0),
        };
        let length = 12 + rest;
        self.out.record(&InputEventHead { event_type, device: event.device, length })?;
        match event.kind {
            InputEventKind::Key { modifiers, scancode } => {
                let modifiers = ModifierWord::new()
                    .with_shift(modifiers.shift)
                    .with_alt(modifiers.alt)
                    .with_meta(modifiers.meta)
                    .with_control(modifiers.control);
                self.out.record(&KeyEvent { modifiers, scancode })
            }
            InputEventKind::JoystickMotion { axis, value: Some(value) } => {
                self.out.record(&AxisEvent { axis, value })
            }
            InputEventKind::MouseButton { button: number }
            | InputEventKind::JoystickButton { button: number }
            | InputEventKind::ScreenTouch { index: number }
            | InputEventKind::JoystickMotion { axis: number, value: None } => {
                self.out.record(&NumberedEvent { number })
            }
            _ => Ok(()),
        }
    }

    fn container_count(&self, count: usize, shared: bool) -> Result<ContainerCount> {
        self.count(count)?;
        if shared && !self.rules.shared_containers {
            let expected = format!("no shared container, as {} has none", self.encoder.dialect);
            return Err(self.refuse(Rule::ValueInDialect, expected, "one"));
        }
        Ok(ContainerCount::from(count as u32).with_shared(shared))
    }

    /// Refuses what a signed 32-bit count cannot say.
    fn count(&self, count: usize) -> Result<()> {
        count_fits(count, self.out.position())
    }

    #[cold]
    fn refuse(&self, rule: Rule, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::new(rule, self.out.position() as u64, expected, found)
    }

    /// Where the writer is.
    fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            match open {
                Open::Array(variant_type, _, read) => {
                    path.push(Step::Field(variant_type.path_name()));
                    path.push(Step::Index(read.saturating_sub(1) as u64));
                }
                Open::Pairs(_, value, read) => {
                    path.push(Step::Field(VariantType::Dictionary.path_name()));
                    path.push(Step::Index(read.saturating_sub(1) as u64));
                    path.push(Step::Field(if value.is_some() { "key" } else { "value" }));
                }
                Open::Properties(_, read) => {
                    path.push(Step::Field(VariantType::Object.path_name()));
                    path.push(Step::Field("properties"));
                    path.push(Step::Index(read.saturating_sub(1) as u64));
                }
            }
        }
        path
    }
}

impl Output {
    fn record<T>(&mut self, record: &T) -> Result<()>
    where
        T: for<'a> BinWrite<Args<'a> = ()>,
    {
        record
            .write_options(self, Endian::Little, ())
            .map_err(|error| error_from(&error, self.position() as u64, 0))
    }
}

/// How a container's header gives its element type.
const fn kind(element: Option<&ElementType>) -> u8 {
    match element {
        None => 0,
        Some(ElementType::Builtin(_) | ElementType::Unknown(_)) => 1,
        Some(ElementType::Class(_)) => 2,
        Some(ElementType::Script(_)) => 3,
    }
}

fn count_fits(count: usize, position: usize) -> Result<()> {
    match i32::try_from(count) {
        Ok(_) => Ok(()),
        Err(_) => {
            let expected = "a count of at most 2147483647";
            Err(Error::new(Rule::ValueInDialect, position as u64, expected, count.to_string()))
        }
    }
}

/// The bytes of a string, if reading them gives the string again.
fn text_bytes<'t>(rules: &Rules, text: &'t VariantString, position: usize) -> Result<&'t [u8]> {
    let bytes = text.as_bytes();
    count_fits(bytes.len(), position)?;
    let refuse = |expected: &str, found: String| {
        Err(Error::new(Rule::ValueInDialect, position as u64, expected, found))
    };
    if bytes.contains(&0) {
        return refuse("a string without U+0000, which would end it", "one with".into());
    }
    if !rules.byte_order_mark && bytes.starts_with("\u{feff}".as_bytes()) {
        return refuse(
            "a string without U+FEFF in front, which would be dropped",
            "one with".into(),
        );
    }
    if text.as_str().is_none() {
        if let Some(number) = text.numbers().find(|&number| !rules.utf8.can_hold(number)) {
            return refuse("a string of characters that the engine has", format!("U+{number:04X}"));
        }
    }
    Ok(bytes)
}

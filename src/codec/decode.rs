//! From bytes to a value.

use std::marker::PhantomData;

use super::element;
use crate::dialect::{Dialect, FloatWidth, IntWidth, NullObject, ObjectForms, Precision, Rules};
use crate::error::{Error, Path, Result, Rule, Step};
use crate::limits::Limits;
use crate::packet::{
    ArrayHeader, ArrayRecord, AxisEvent, DictionaryHeader, DictionaryRecord, ElementId,
    ImageRecord, InputEventHead, InstanceId, KeyEvent, NodePathRecord, NumberedEvent, ObjectHeader,
    ObjectProperties, PackedArray, PackedBytes, TerminatedText, Text, WideHeader,
};
use crate::schema::Declared;
use crate::variant::{
    Aabb, Array, Basis, Color, Dictionary, ElementType, FullObject, Image, InputEvent,
    InputEventKind, KeySet, Modifiers, NodePath, Object, Plane, Projection, Quaternion, Real,
    Rect2, Rect2i, Signal, Transform2D, Transform3D, TypedArray, Variant, VariantString,
    VariantType, Vector2, Vector2i, Vector3, Vector3i, Vector4, Vector4i,
};
use crate::wire::{Element, Input, Padding, not_negative, read_record};

/// What a reader makes of bytes that the engine would not have written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Attitude {
    /// Accept exactly what the engine accepts.
    #[default]
    Engine,
    /// Accept only what writing the value would produce again.
    Canonical,
}

/// Something that the engine accepts but would not write.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Note {
    /// The rule that the bytes bend.
    pub rule: Rule,
    /// Where.
    pub offset: u64,
    /// In which field.
    pub path: Path,
}

/// Reads packets of one dialect.
///
/// ```
/// use formwork::{Attitude, Decoder, Dialect};
///
/// let decoder = Decoder::new(Dialect::GODOT4).attitude(Attitude::Canonical);
/// // A bool that is neither 0 nor 1: Godot takes it for true, but would never write it.
/// let error = decoder.decode::<f32>(&[1, 0, 0, 0, 7, 0, 0, 0]).unwrap_err();
/// assert_eq!(error.rule().name(), "bool.value");
/// assert_eq!(error.offset(), 4);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Decoder {
    dialect: Dialect,
    attitude: Attitude,
    limits: Limits,
    objects: bool,
}

impl Decoder {
    /// A reader in the engine's attitude, with the default limits, refusing objects in full form.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, attitude: Attitude::Engine, limits: Limits::default(), objects: false }
    }

    /// Chooses the attitude.
    #[must_use]
    pub const fn attitude(mut self, attitude: Attitude) -> Self {
        self.attitude = attitude;
        self
    }

    /// Chooses the limits.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Accepts objects in full form, as the engines do when told to `allow_objects`. They are read
    /// as data and never run.
    #[must_use]
    pub const fn allow_objects(mut self, allow: bool) -> Self {
        self.objects = allow;
        self
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The limits.
    #[must_use]
    pub const fn size_limits(&self) -> &Limits {
        &self.limits
    }

    /// The value that `bytes` is, whole.
    ///
    /// # Errors
    ///
    /// Where `bytes` is not a value, or a value and more.
    pub fn decode<R: Real>(&self, bytes: &[u8]) -> Result<Variant<R>> {
        let (value, length) = self.decode_prefix(bytes)?;
        if length < bytes.len() {
            let found = format!("{} more bytes", bytes.len() - length);
            return Err(Error::new(Rule::InputTrailing, length as u64, "the end", found));
        }
        Ok(value)
    }

    /// The value that `bytes` starts with, and how many bytes it takes.
    ///
    /// # Errors
    ///
    /// Where `bytes` does not start with a value.
    pub fn decode_prefix<R: Real>(&self, bytes: &[u8]) -> Result<(Variant<R>, usize)> {
        self.read(bytes, None)
    }

    /// The same, noting everything that the engine accepts but would not write.
    ///
    /// # Errors
    ///
    /// Where `bytes` does not start with a value.
    pub fn decode_noting<R: Real>(
        &self,
        bytes: &[u8],
        notes: &mut Vec<Note>,
    ) -> Result<(Variant<R>, usize)> {
        self.read(bytes, Some(notes))
    }

    /// The values that stand one after another in `bytes`.
    #[must_use]
    pub const fn values<'a, R: Real>(&self, bytes: &'a [u8]) -> Values<'a, R> {
        Values { decoder: *self, bytes, position: 0, precision: PhantomData }
    }

    fn read<R: Real>(
        &self,
        bytes: &[u8],
        notes: Option<&mut Vec<Note>>,
    ) -> Result<(Variant<R>, usize)> {
        let rules = self.dialect.rules();
        let depth = self.limits.depth.or(rules.depth);
        let mut reading = Reading {
            input: Input::new(bytes),
            decoder: *self,
            rules,
            depth: depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT) as usize,
            promised: 0,
            open: Vec::new(),
            notes,
        };
        match reading.value() {
            Ok(value) => Ok((value, reading.input.position())),
            Err(error) => {
                let path = reading.path();
                Err(error.under(path))
            }
        }
    }
}

/// The values that stand one after another, without frames. Ends after the first error.
#[derive(Clone, Debug)]
pub struct Values<'a, R: Real> {
    decoder: Decoder,
    bytes: &'a [u8],
    position: usize,
    precision: PhantomData<R>,
}

impl<R: Real> Values<'_, R> {
    /// Where the next value starts.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.position
    }
}

impl<R: Real> Iterator for Values<'_, R> {
    type Item = Result<Variant<R>>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.bytes.get(self.position..).filter(|rest| !rest.is_empty())?;
        Some(match self.decoder.decode_prefix(rest) {
            Ok((value, length)) => {
                self.position += length;
                Ok(value)
            }
            Err(error) => {
                let base = self.position as u64;
                self.position = self.bytes.len();
                Err(error.shifted(base))
            }
        })
    }
}

/// A container whose elements are being read.
enum Open<R: Real> {
    Array { made: Made<R>, left: u32 },
    Dictionary { pairs: KeySet<R>, read: u64, left: u32, key: Option<Variant<R>>, types: Types },
    Object { object: Box<FullObject<R>>, name: VariantString, left: u32 },
}

/// An array in the making.
struct Made<R: Real> {
    variant_type: VariantType,
    elements: Vec<Variant<R>>,
    shared: bool,
    element: Option<ElementType>,
}

/// What a dictionary has besides its pairs.
#[derive(Default)]
struct Types {
    shared: bool,
    key: Option<ElementType>,
    value: Option<ElementType>,
}

/// What a header and the fixed part of its payload turned out to be.
enum Found<R: Real> {
    Value(Variant<R>),
    Container(Open<R>),
}

struct Reading<'a, 'n, R: Real> {
    input: Input<'a>,
    decoder: Decoder,
    rules: &'static Rules,
    depth: usize,
    /// Bytes that the open containers need at least for what is still to come. More than is left
    /// means that the input is cut, however far away the cut is: so counts are never believed.
    promised: u64,
    /// The containers around the value being read, the outermost first. (A list instead of
    /// recursion: depth costs no stack.)
    open: Vec<Open<R>>,
    notes: Option<&'n mut Vec<Note>>,
}

/// The shortest value: a header word.
const LEAST: u64 = 4;

impl<R: Real> Reading<'_, '_, R> {
    fn value(&mut self) -> Result<Variant<R>> {
        loop {
            let mut value = match self.packet()? {
                Found::Value(value) => value,
                Found::Container(open) if open.left() > 0 => {
                    self.open.push(open);
                    self.next_property()?;
                    continue;
                }
                Found::Container(open) => self.finish(open)?,
            };
            // Hand the value to the container around it, and that to the one around it where it is
            // complete now.
            loop {
                let Some(open) = self.open.last_mut() else { return Ok(value) };
                if let Some(rule) = open.take(value) {
                    self.deviate(rule, self.input.position(), "another one")?;
                }
                let Some(open) = self.open.last_mut() else { break };
                if open.left() > 0 {
                    self.next_property()?;
                    break;
                }
                match self.open.pop() {
                    Some(open) => value = self.finish(open)?,
                    None => break,
                }
            }
        }
    }

    /// The value of a container that is read to its end.
    fn finish(&mut self, open: Open<R>) -> Result<Variant<R>> {
        let (value, as_read) = open.finish(self.rules);
        if !as_read {
            let found = "elements of other types";
            self.deviate(Rule::ContainerElement, self.input.position(), found)?;
        }
        Ok(value)
    }

    /// Reads one header and what follows it up to the first nested value.
    fn packet(&mut self) -> Result<Found<R>> {
        self.promised = self.promised.saturating_sub(LEAST);
        let start = self.input.position();
        let word = self.read::<u32>()?;
        let id = if self.rules.whole_header { word } else { word & 0xff };
        let Some(row) = self.decoder.dialect.row(id) else {
            let expected = format!("a type id below {}", self.decoder.dialect.rows().len());
            return Err(Error::new(Rule::HeaderTypeId, start as u64, expected, id.to_string()));
        };
        if self.open.len() > self.depth {
            let expected = format!("at most {} containers around a value", self.depth);
            return Err(Error::new(Rule::DepthLimit, start as u64, expected, "one more"));
        }
        let variant_type = row.variant_type;
        self.payload(variant_type, word, start)
            .map_err(|error| error.under(Path::from(vec![Step::Field(variant_type.path_name())])))
    }

    fn payload(&mut self, variant_type: VariantType, word: u32, start: usize) -> Result<Found<R>> {
        if word > 0xff && !self.rules.whole_header {
            self.header_flags(variant_type, word, start)?;
        }
        let wide = WideHeader::from(word).flag_64();
        let real_wide = self.real_wide(variant_type, wide, start)?;

        macro_rules! real {
            ($math:ident) => {
                if real_wide {
                    self.read::<$math<f64>>()?.cast::<R>()
                } else {
                    self.read::<$math<f32>>()?.cast::<R>()
                }
            };
        }
        macro_rules! packed_real {
            ($math:ident) => {
                if real_wide {
                    self.packed::<$math<f64>>()?.into_iter().map($math::cast).collect()
                } else {
                    self.packed::<$math<f32>>()?.into_iter().map($math::cast).collect()
                }
            };
        }

        Ok(Found::Value(match variant_type {
            VariantType::Nil => Variant::Nil,
            VariantType::Bool => {
                let value = self.read::<u32>()?;
                if value > 1 {
                    self.deviate(Rule::BoolValue, start + 4, value)?;
                }
                Variant::Bool(value != 0)
            }
            VariantType::Int => Variant::Int(self.int(wide, start)?),
            VariantType::Float => Variant::Float(self.float(wide, start)?),
            VariantType::String => Variant::String(self.text()?),
            VariantType::StringName => Variant::StringName(self.text()?),
            VariantType::Vector2 => Variant::Vector2(real!(Vector2)),
            VariantType::Vector2i => Variant::Vector2i(self.read::<Vector2i>()?),
            VariantType::Rect2 => Variant::Rect2(real!(Rect2)),
            VariantType::Rect2i => Variant::Rect2i(self.read::<Rect2i>()?),
            VariantType::Vector3 => Variant::Vector3(real!(Vector3)),
            VariantType::Vector3i => Variant::Vector3i(self.read::<Vector3i>()?),
            VariantType::Transform2D => Variant::Transform2D(real!(Transform2D)),
            VariantType::Vector4 => Variant::Vector4(real!(Vector4)),
            VariantType::Vector4i => Variant::Vector4i(self.read::<Vector4i>()?),
            VariantType::Plane => Variant::Plane(real!(Plane)),
            VariantType::Quaternion => Variant::Quaternion(real!(Quaternion)),
            VariantType::Aabb => Variant::Aabb(real!(Aabb)),
            VariantType::Basis => Variant::Basis(Box::new(real!(Basis))),
            VariantType::Transform3D => Variant::Transform3D(Box::new(real!(Transform3D))),
            VariantType::Projection => Variant::Projection(Box::new(real!(Projection))),
            VariantType::Color => Variant::Color(self.read::<Color>()?),
            VariantType::NodePath => Variant::NodePath(Box::new(self.node_path()?)),
            VariantType::Rid if self.rules.rid_id => Variant::Rid(self.read::<u64>()?),
            VariantType::Rid => Variant::Rid(0),
            VariantType::Object => return self.object(word, start),
            VariantType::Callable => Variant::Callable,
            VariantType::Signal => {
                let name = self.text().map_err(|error| error.within("name"))?;
                Variant::Signal(Box::new(Signal { name, object_id: self.read::<u64>()? }))
            }
            VariantType::Dictionary => return self.dictionary(word),
            VariantType::Array => return self.array(word),
            VariantType::TypedArray | VariantType::PackedTypedArray => {
                return self.pandemonium_typed_array(variant_type, word);
            }
            VariantType::PackedByteArray => Variant::PackedByteArray(self.bytes()?),
            VariantType::PackedInt32Array => Variant::PackedInt32Array(self.packed()?),
            VariantType::PackedInt64Array => Variant::PackedInt64Array(self.packed()?),
            VariantType::PackedFloat32Array => Variant::PackedFloat32Array(self.packed()?),
            VariantType::PackedFloat64Array => Variant::PackedFloat64Array(self.packed()?),
            VariantType::PackedStringArray => Variant::PackedStringArray(self.strings()?),
            VariantType::PackedVector2Array => Variant::PackedVector2Array(packed_real!(Vector2)),
            VariantType::PackedVector2iArray => Variant::PackedVector2iArray(self.packed()?),
            VariantType::PackedVector3Array => Variant::PackedVector3Array(packed_real!(Vector3)),
            VariantType::PackedVector3iArray => Variant::PackedVector3iArray(self.packed()?),
            VariantType::PackedVector4Array => Variant::PackedVector4Array(packed_real!(Vector4)),
            VariantType::PackedVector4iArray => Variant::PackedVector4iArray(self.packed()?),
            VariantType::PackedColorArray => Variant::PackedColorArray(self.packed()?),
            VariantType::Image => Variant::Image(Box::new(self.image()?)),
            VariantType::InputEvent => Variant::InputEvent(self.input_event()?),
        }))
    }

    /// Flags that mean nothing for the type: engines ignore them.
    fn header_flags(&mut self, variant_type: VariantType, word: u32, start: usize) -> Result<()> {
        let Some(packet) = self.decoder.dialect.packet(variant_type) else { return Ok(()) };
        match word & packet.header.unused_bits() {
            0 => Ok(()),
            unused => self.deviate(Rule::HeaderFlags, start, format_args!("0x{unused:08x} set")),
        }
    }

    /// Whether real components are 64 bits wide here.
    fn real_wide(&mut self, variant_type: VariantType, flag: bool, start: usize) -> Result<bool> {
        if !self.rules.real_flag || !variant_type.is_real() {
            return Ok(false);
        }
        let double = self.decoder.dialect.precision() == Precision::Double;
        if double && self.rules.real_flag_missing && variant_type.lacks_flag_before_4_2() {
            return Ok(true);
        }
        if flag != double {
            self.deviate(Rule::RealPrecision, start, if flag { "64 bits" } else { "32 bits" })?;
        }
        Ok(flag)
    }

    fn int(&mut self, wide: bool, start: usize) -> Result<i64> {
        let (value, wide) = if wide && !self.rules.whole_header {
            (self.read::<i64>()?, true)
        } else {
            (i64::from(self.read::<i32>()?), false)
        };
        let canonical = match self.rules.int_width {
            IntWidth::Narrow => !wide,
            IntWidth::Wide => wide,
            IntWidth::Shortest => wide == i32::try_from(value).is_err(),
        };
        if !canonical {
            self.deviate(Rule::IntWidth, start, format_args!("{value} in {}", bits(wide)))?;
        }
        Ok(value)
    }

    fn float(&mut self, wide: bool, start: usize) -> Result<f64> {
        let (value, wide) = if wide && !self.rules.whole_header {
            (self.read::<f64>()?, true)
        } else {
            (f64::from(self.read::<f32>()?), false)
        };
        let canonical = match self.rules.float_width {
            FloatWidth::Narrow => !wide,
            FloatWidth::Shortest => wide == super::encode::needs_double(value),
        };
        if !canonical {
            self.deviate(Rule::FloatWidth, start, format_args!("{value} in {}", bits(wide)))?;
        }
        Ok(value)
    }

    fn text(&mut self) -> Result<VariantString> {
        self.length_word(Rule::StringLength)?;
        let start = self.input.position();
        let text = self.read::<Text<'_>>()?;
        self.padding(Rule::StringPadding, text.padding)?;
        self.utf8(text.bytes.0.into_owned(), start + 4)
    }

    /// Decodes the bytes of a string that start at `start`.
    fn utf8(&mut self, bytes: Vec<u8>, start: usize) -> Result<VariantString> {
        let decoded = self.rules.utf8.decode(bytes, self.rules.byte_order_mark).map_err(|at| {
            let offset = (start + at) as u64;
            Error::new(Rule::StringUtf8, offset, "UTF-8 as the engine decodes it", "another byte")
        })?;
        if !decoded.canonical {
            self.deviate(Rule::StringCanonical, start, "another form of the same text")?;
        }
        Ok(VariantString::from_decoded(decoded.text))
    }

    fn node_path(&mut self) -> Result<NodePath> {
        let start = self.input.position();
        let Some(head) = self.input.rest().first_chunk::<12>() else {
            let left = self.input.left() as u64;
            return Err(Error::incomplete(start as u64, 12 - left, "12 bytes".into(), left));
        };
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (names, subnames, flags) = (word(0), word(4), word(8));
        if names >> 31 == 0 {
            let expected = "a name count with its top bit set (the form with separate names)";
            return Err(Error::new(
                Rule::NodePathForm,
                start as u64,
                expected,
                format!("0x{names:08x}"),
            ));
        }
        let names = names & 0x7fff_ffff;
        if flags & !1 != 0 && !(self.rules.node_path_property && flags & !3 == 0) {
            self.deviate(Rule::NodePathFlags, start + 8, format_args!("0x{flags:08x}"))?;
        }
        // The engines add the counts in 32 bits. Where that wraps around, what they read is fewer
        // strings than there should be names.
        let total = u64::from(names) + u64::from(subnames) + u64::from(flags >> 1 & 1);
        if let Some(wrapped) = total.checked_sub(1 << 32) {
            self.deviate(Rule::NodePathCounts, start, format_args!("{names} and {subnames}"))?;
            self.input.take(12);
            let mut path = NodePath { absolute: flags & 1 == 1, ..NodePath::default() };
            for _ in 0..wrapped {
                path.names.push(self.text()?);
            }
            return Ok(self.as_engine_path(path));
        }
        let record = self.read::<NodePathRecord<'_>>()?;
        let mut at = start + 12;
        let mut text = |text: Text<'_>| {
            at += 4;
            let start = at;
            at += text.bytes.len() + Padding::needed(text.bytes.len());
            self.padding(Rule::StringPadding, text.padding)?;
            self.utf8(text.bytes.0.into_owned(), start)
        };
        let mut texts =
            |list: Vec<Text<'_>>| list.into_iter().map(&mut text).collect::<Result<Vec<_>>>();
        let path = NodePath {
            absolute: record.flags.absolute(),
            names: texts(record.names.0)?,
            subnames: texts(record.subnames.0)?,
            property: texts(record.property.into_iter().collect())?.pop(),
        };
        Ok(self.as_engine_path(path))
    }

    /// What the engine makes of a path.
    fn as_engine_path(&self, mut path: NodePath) -> NodePath {
        if !self.rules.node_path_property {
            // Only Godot 2 keeps a property apart; the others count it as one more subname.
            path = path.without_property();
        }
        if path.names.is_empty() && path.subnames.is_empty() && !self.rules.node_path_root {
            path.absolute = false;
        }
        path
    }

    fn object(&mut self, word: u32, start: usize) -> Result<Found<R>> {
        if self.rules.objects == ObjectForms::HeaderOnly {
            return Ok(Found::Value(Variant::Object(Object::Null)));
        }
        let object = if ObjectHeader::from(word).as_id() {
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
        if object == Object::Null && self.rules.null_object == NullObject::Nil {
            self.deviate(Rule::ObjectForm, start, "a null object that is not a plain null")?;
        }
        Ok(Found::Value(Variant::Object(object)))
    }

    fn properties(&mut self, class: VariantString) -> Result<Found<R>> {
        let start = self.input.position();
        let count = self.read::<ObjectProperties>()?.property_count;
        if count < 0 {
            self.deviate(Rule::ObjectPropertyCount, start, count)?;
        }
        let left = u32::try_from(count).unwrap_or(0);
        self.promise(left, 2 * LEAST, start)?;
        let properties = Vec::with_capacity(left as usize);
        let object = Box::new(FullObject { class, properties });
        Ok(Found::Container(Open::Object { object, name: VariantString::default(), left }))
    }

    /// Where an object is open, reads the name of the property whose value comes next.
    fn next_property(&mut self) -> Result<()> {
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

    fn dictionary(&mut self, word: u32) -> Result<Found<R>> {
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
        let pairs = KeySet::with_capacity(left as usize, self.rules.string_name_keys);
        Ok(Found::Container(Open::Dictionary { pairs, read: 0, left, key: None, types }))
    }

    fn array(&mut self, word: u32) -> Result<Found<R>> {
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
    ) -> Result<Found<R>> {
        let start = self.input.position();
        let count = self.read::<ArrayRecord>()?.count;
        let shared = self.shared(count.shared(), start)?;
        let left = count.count();
        self.promise(left, LEAST, start)?;
        let elements = Vec::with_capacity(left as usize);
        let made = Made { variant_type, elements, shared, element };
        Ok(Found::Container(Open::Array { made, left }))
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

    fn pandemonium_typed_array(
        &mut self,
        variant_type: VariantType,
        header: u32,
    ) -> Result<Found<R>> {
        let as_id = ObjectHeader::from(header).as_id();
        let start = self.input.position();
        let word = self.read::<ElementId>()?.type_id;
        // The engine masks the top bit off as it does with a count, and otherwise keeps whatever
        // number it is.
        let id = word & 0x7fff_ffff;
        if id != word {
            self.deviate(Rule::ContainerElementType, start, word)?;
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

    fn bytes(&mut self) -> Result<Vec<u8>> {
        let start = self.input.position();
        let count = self.length_word(Rule::ArrayCount)? as usize;
        if let Some(bytes) = self.unpadded(start + 4, count)? {
            return Ok(bytes);
        }
        let record = self.read::<PackedBytes<'_>>()?;
        self.padding(Rule::BytesPadding, record.padding)?;
        Ok(record.elements.0.into_owned())
    }

    fn packed<T: Element>(&mut self) -> Result<Vec<T>> {
        self.length_word(Rule::ArrayCount)?;
        Ok(self.read::<PackedArray<'_, T>>()?.elements.0.into_owned())
    }

    fn strings(&mut self) -> Result<Vec<VariantString>> {
        let start = self.input.position();
        let count = self.read::<u32>()?;
        if i32::try_from(count).is_err() {
            // A negative count is a loop that is never entered.
            self.deviate(Rule::ArrayCount, start, count as i32)?;
            return Ok(Vec::new());
        }
        self.promise(count, LEAST, start)?;
        let mut strings = Vec::with_capacity(count as usize);
        for index in 0..count {
            self.promised = self.promised.saturating_sub(LEAST);
            let outer = || Path::from(vec![Step::Field("elements"), Step::Index(index.into())]);
            strings.push(self.terminated_text().map_err(|error| error.under(outer()))?);
        }
        Ok(strings)
    }

    fn terminated_text(&mut self) -> Result<VariantString> {
        self.length_word(Rule::StringLength)?;
        let start = self.input.position();
        let text = self.read::<TerminatedText<'_>>()?;
        self.padding(Rule::StringPadding, text.padding)?;
        let mut bytes = text.bytes.0.into_owned();
        if bytes.last() == Some(&0) {
            bytes.pop();
        } else {
            self.deviate(Rule::StringTerminator, start + 4, "no zero byte at the end")?;
        }
        self.utf8(bytes, start + 4)
    }

    fn image(&mut self) -> Result<Image> {
        let start = self.input.position();
        let Some(head) = self.input.rest().first_chunk::<20>() else {
            let left = self.input.left() as u64;
            return Err(Error::incomplete(start as u64, 20 - left, "20 bytes".into(), left));
        };
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let format = word(0);
        if format as usize >= Image::FORMATS.len() {
            let expected = format!("a format below {}", Image::FORMATS.len());
            return Err(Error::new(Rule::ImageFormat, start as u64, expected, format.to_string()));
        }
        let Ok(length) = i32::try_from(word(16)) else {
            // To the engine, a negative length is no data.
            self.deviate(Rule::ImageFormat, start + 16, word(16) as i32)?;
            self.input.take(20);
            return Ok(Image::default());
        };
        self.within_limits(length as u64, start + 16)?;
        let image = match self.unpadded(start + 20, length as usize)? {
            Some(data) => {
                let [mipmaps, width, height] = [word(4), word(8), word(12)];
                Image { format, mipmaps, width, height, data }
            }
            None => {
                let record = self.read::<ImageRecord<'_>>()?;
                self.padding(Rule::BytesPadding, record.padding)?;
                Image {
                    format: record.format,
                    mipmaps: record.mipmaps,
                    width: record.width,
                    height: record.height,
                    data: record.data.0.into_owned(),
                }
            }
        };
        if image.is_as_engine_keeps() {
            return Ok(image);
        }
        self.deviate(Rule::ImageFormat, start, "data of another size")?;
        Ok(Image::default())
    }

    /// The engines do not look whether the padding of bytes is there: at the very end of the data it
    /// may be missing. Takes such bytes, which start at `start`; [`None`] where all is there, or
    /// more than the padding is missing.
    fn unpadded(&mut self, start: usize, length: usize) -> Result<Option<Vec<u8>>> {
        let have = match self.input.all().len().checked_sub(start + length) {
            Some(have) if have < Padding::needed(length) => have,
            _ => return Ok(None),
        };
        self.deviate(Rule::BytesPadding, start + length, format_args!("{have} bytes"))?;
        self.input.set_position(start);
        let bytes = self.input.take(length).map(<[u8]>::to_vec);
        self.input.take(have);
        Ok(bytes)
    }

    fn input_event(&mut self) -> Result<InputEvent> {
        let start = self.input.position();
        if (8..12).contains(&self.input.left()) {
            return self.input_event_without_length();
        }
        let head = self.read::<InputEventHead>()?;
        let kind = match head.event_type {
            0 => InputEventKind::None,
            1 => {
                let key = self.read::<KeyEvent>()?;
                let modifiers = Modifiers {
                    shift: key.modifiers.shift(),
                    alt: key.modifiers.alt(),
                    meta: key.modifiers.meta(),
                    control: key.modifiers.control(),
                };
                if key.modifiers.unused() != 0 || key.modifiers.unused_high() != 0 {
                    self.deviate(Rule::HeaderFlags, start + 12, "other modifiers")?;
                }
                InputEventKind::Key { modifiers, scancode: key.scancode }
            }
            2 => InputEventKind::MouseMotion,
            3 => InputEventKind::MouseButton { button: self.read::<NumberedEvent>()?.number },
            4 if !self.rules.joystick_value => {
                let axis = self.read::<NumberedEvent>()?.number;
                InputEventKind::JoystickMotion { axis, value: None }
            }
            4 => {
                let motion = self.read::<AxisEvent>()?;
                InputEventKind::JoystickMotion { axis: motion.axis, value: Some(motion.value) }
            }
            5 => InputEventKind::JoystickButton { button: self.read::<NumberedEvent>()?.number },
            6 => InputEventKind::ScreenTouch { index: self.read::<NumberedEvent>()?.number },
            7 => InputEventKind::ScreenDrag,
            8 => InputEventKind::Action,
            number => {
                self.deviate(Rule::InputEventType, start, number)?;
                InputEventKind::Other { number }
            }
        };
        let length = (self.input.position() - start) as u32;
        if head.length != length {
            self.deviate(Rule::InputEventLength, start + 8, head.length)?;
        }
        Ok(InputEvent { device: head.device, kind })
    }

    /// The engine does not look whether the length word of an event without further words is there.
    fn input_event_without_length(&mut self) -> Result<InputEvent> {
        let start = self.input.position();
        let event_type = self.read::<u32>()?;
        let device = self.read::<u32>()?;
        let kind = match event_type {
            0 => InputEventKind::None,
            2 => InputEventKind::MouseMotion,
            7 => InputEventKind::ScreenDrag,
            8 => InputEventKind::Action,
            1 | 3..=6 => {
                let left = self.input.left() as u64;
                let offset = self.input.position() as u64;
                return Err(Error::incomplete(offset, 4 - left, "4 bytes".into(), left));
            }
            number => InputEventKind::Other { number },
        };
        let left = self.input.left();
        self.deviate(Rule::InputEventLength, start + 8, format_args!("{left} bytes"))?;
        self.input.take(left);
        Ok(InputEvent { device, kind })
    }

    /// Whether a container is shared; only Godot 2 has that, the others mask the bit off.
    fn shared(&mut self, bit: bool, start: usize) -> Result<bool> {
        if bit && !self.rules.shared_containers {
            self.deviate(Rule::ContainerShared, start, "the top bit of the count set")?;
            return Ok(false);
        }
        Ok(bit)
    }

    /// Looks at the length or count word that comes next: not negative, and within the limits.
    fn length_word(&mut self, rule: Rule) -> Result<u32> {
        let start = self.input.position();
        let Some(word) = self.input.rest().first_chunk::<4>() else {
            let left = self.input.left() as u64;
            return Err(Error::incomplete(start as u64, 4 - left, "4 bytes".into(), left));
        };
        let length = not_negative(rule, start, u32::from_le_bytes(*word))?;
        self.within_limits(u64::from(length), start)?;
        Ok(length)
    }

    fn within_limits(&self, length: u64, start: usize) -> Result<()> {
        let most = self.decoder.limits.packet_bytes;
        if length > most {
            let expected = format!("at most {most} bytes");
            return Err(Error::new(Rule::SizeLimit, start as u64, expected, length.to_string()));
        }
        Ok(())
    }

    /// Believes a count only as far as the input reaches.
    fn promise(&mut self, count: u32, least: u64, start: usize) -> Result<()> {
        self.within_limits(u64::from(count) * least, start)?;
        self.promised += u64::from(count) * least;
        let left = self.input.left() as u64;
        if self.promised > left {
            let expected = format!("{count} elements of at least {least} bytes");
            return Err(Error::incomplete(start as u64, self.promised - left, expected, left));
        }
        Ok(())
    }

    fn padding(&mut self, rule: Rule, padding: Padding) -> Result<()> {
        if padding.is_zero() {
            return Ok(());
        }
        self.deviate(rule, self.input.position().saturating_sub(1), "other bytes than zero")
    }

    fn read<T>(&mut self) -> Result<T>
    where
        T: for<'b> binrw::BinRead<Args<'b> = ()> + Declared,
    {
        read_record(&mut self.input)
    }

    /// The bytes are not what the engine would write.
    fn deviate(&mut self, rule: Rule, offset: usize, found: impl ToString) -> Result<()> {
        if self.decoder.attitude == Attitude::Canonical {
            let expected = rule.description().trim();
            return Err(Error::new(rule, offset as u64, expected, found.to_string()));
        }
        if self.notes.is_some() {
            let path = self.path();
            if let Some(notes) = &mut self.notes {
                notes.push(Note { rule, offset: offset as u64, path });
            }
        }
        Ok(())
    }

    /// Where the reader is.
    fn path(&self) -> Path {
        let mut path = Path::default();
        for open in &self.open {
            match open {
                Open::Array { made, .. } => {
                    path.push(Step::Field(made.variant_type.path_name()));
                    path.push(Step::Index(made.elements.len() as u64));
                }
                Open::Dictionary { read, key, .. } => {
                    path.push(Step::Field(VariantType::Dictionary.path_name()));
                    path.push(Step::Index(*read));
                    path.push(Step::Field(if key.is_some() { "value" } else { "key" }));
                }
                Open::Object { object, .. } => {
                    path.push(Step::Field(VariantType::Object.path_name()));
                    path.push(Step::Field("properties"));
                    path.push(Step::Index(object.properties.len() as u64));
                }
            }
        }
        path
    }
}

impl<R: Real> Open<R> {
    /// Elements, pairs or properties still to come.
    const fn left(&self) -> u32 {
        match self {
            Self::Array { left, .. }
            | Self::Dictionary { left, .. }
            | Self::Object { left, .. } => *left,
        }
    }

    /// Takes the value that was read, and says which rule it bends, if one.
    fn take(&mut self, value: Variant<R>) -> Option<Rule> {
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

const fn bits(wide: bool) -> &'static str {
    if wide { "64 bits" } else { "32 bits" }
}

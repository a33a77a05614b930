//! Gives the events of the values of properties.

use std::ops::Range;

use binrw::Endian;

use super::record::{
    IMAGE_ENCODINGS, PaddedBytes, PropertyNodePath, RawImage, ResourceArray, ResourceDictionary,
    ResourceImage, ResourceName, ResourceNodePath, ResourceReference, ResourceText, ResourceTexts,
    ValueWord,
};
use super::rule;
use super::text::{UTF8, cut_text, decoded};
use super::types::{Layout, Row, endian};
use formwork::{Error, Result};
use formwork_records::limits::Limits;
use formwork_records::schema::{Record, Sizes};
use formwork_records::wire::read_record_in;
use formwork_variant::codec::events::{self, Event, Events, Held, Leaf};
use formwork_variant::dialect::{BOOL, Dialect, EMPTY, Once};
use formwork_variant::{
    Decoder, InputEvent, NodePath, OwnType, Real, Variant, VariantString, VariantType,
};

/// Bytes of the shortest value: the number of its type.
pub(super) const LEAST: usize = 4;

/// Bytes of the shortest name: its number.
pub(super) const NAME_LEAST: usize = ResourceName::LEAST;

/// The most bytes of names that are given by their numbers, as a multiple of the file's size.
const NAMES: u64 = 16;

/// Reads the contents of a resource file.
pub(super) struct Reader<'a> {
    /// The input, and the containers that are open in the value that is read.
    values: events::Reader<'a, 'static>,
    dialect: Dialect,
    layout: Layout,
    /// The table of names.
    pub(super) names: Vec<VariantString>,
    /// Bytes of names that may still be given by their numbers.
    names_left: u64,
    /// The targets of references.
    pub(super) targets: Targets,
    /// The properties of the object that was opened last and is made here, the next one last.
    made: Vec<Made<'a>>,
    /// The places of the values, if they are wanted.
    pub(super) spots: Option<Vec<Spot>>,
}

/// The place of a value.
pub(super) struct Spot {
    pub(super) row: Row,
    /// The bytes after the number of the type: of a container, those before its values.
    pub(super) range: Range<usize>,
}

/// The possible targets of references.
#[derive(Default)]
pub(super) struct Targets {
    /// The number of external resources.
    pub(super) external: u32,
    /// The number of internal resources, if references give their positions.
    pub(super) positions: Option<u32>,
    /// The positions of internal resources by the numbers in their paths.
    pub(super) numbers: std::collections::HashMap<u32, u32>,
}

/// A property of an object that is not in the file: its name, its value, and what that holds.
type Made<'a> = (&'static str, Leaf<'a>, Held);

/// Reads the rest of a value, after the number of its type.
type Read = for<'a> fn(&mut Reader<'a>) -> Result<Event<'a>>;

/// Returns the fields after the number of a type that is not only numbers, and their reader.
pub(super) fn own(own: OwnType, row: Row, layout: Layout) -> (&'static Record, Read) {
    const TEXT: &Record = &Once::<ResourceText<'static>>::RECORD;
    match own {
        OwnType::Nil | OwnType::TypedArray | OwnType::PackedTypedArray => {
            (EMPTY, |_| Ok(Event::Leaf(Leaf::Nil)))
        }
        OwnType::Bool => (BOOL, |reader| reader.leaf(|word: u32| Leaf::Bool(word != 0))),
        OwnType::Int if row.wide => {
            (&Once::<i64>::RECORD, |reader| reader.leaf(|number: i64| Leaf::Int(number)))
        }
        OwnType::Int => {
            (&Once::<i32>::RECORD, |reader| reader.leaf(|number: i32| Leaf::Int(number.into())))
        }
        OwnType::Float if row.wide || layout.double => {
            (&Once::<f64>::RECORD, |reader| reader.leaf(|number: f64| Leaf::Float(number)))
        }
        OwnType::Float => {
            (&Once::<f32>::RECORD, |reader| reader.leaf(|number: f32| Leaf::Float(number.into())))
        }
        OwnType::String => (TEXT, |reader| {
            let text = reader.text()?;
            Ok(reader.held(VariantType::String, Held::Text(text)))
        }),
        OwnType::StringName => (TEXT, |reader| {
            let text = reader.text()?;
            Ok(reader.held(VariantType::StringName, Held::Text(text)))
        }),
        OwnType::NodePath if layout.has_property => {
            (&Once::<PropertyNodePath>::RECORD, |reader| reader.node_path())
        }
        OwnType::NodePath => (&Once::<ResourceNodePath>::RECORD, |reader| reader.node_path()),
        OwnType::Rid => {
            (&Once::<u32>::RECORD, |reader| reader.leaf(|number: u32| Leaf::Rid(number.into())))
        }
        OwnType::Object => {
            (&Once::<ResourceReference<'static>>::RECORD, |reader| reader.reference())
        }
        OwnType::Callable => (EMPTY, |_| Ok(Event::Leaf(Leaf::Callable))),
        OwnType::Signal => {
            (EMPTY, |reader| Ok(reader.held(VariantType::Signal, Held::Signal(Box::default()))))
        }
        OwnType::InputEvent => (EMPTY, |reader| {
            Ok(reader.held(VariantType::InputEvent, Held::InputEvent(InputEvent::default())))
        }),
        OwnType::Array => (&Once::<ResourceArray>::RECORD, |reader| {
            let ResourceArray { count, .. } = reader.record()?;
            reader.open(VariantType::Array, count.count(), LEAST)
        }),
        OwnType::Dictionary => (&Once::<ResourceDictionary>::RECORD, |reader| {
            let ResourceDictionary { count, .. } = reader.record()?;
            reader.open(VariantType::Dictionary, count.count(), 2 * LEAST)
        }),
        OwnType::PackedByteArray => (&Once::<PaddedBytes<'static>>::RECORD, |reader| {
            let PaddedBytes { bytes, .. } = reader.record()?;
            Ok(reader.held(VariantType::PackedByteArray, Held::Bytes(bytes.0.into_owned())))
        }),
        OwnType::PackedStringArray => (&Once::<ResourceTexts>::RECORD, |reader| {
            let ResourceTexts { count, .. } = reader.record()?;
            let texts = reader.list(count, ResourceText::LEAST, "elements", Reader::text)?;
            Ok(reader.held(VariantType::PackedStringArray, Held::Strings(texts)))
        }),
        OwnType::Image => (&Once::<ResourceImage<'static>>::RECORD, |reader| reader.image()),
    }
}

impl<'a> Events<'a, 'static> for Reader<'a> {
    fn reader(&mut self) -> &mut events::Reader<'a, 'static> {
        &mut self.values
    }

    fn first(&mut self, _: bool) -> Result<Event<'a>> {
        if let Some((_, leaf, held)) = self.made.pop() {
            self.values.hold(leaf.variant_type(), held);
            return Ok(Event::Leaf(leaf));
        }
        let start = self.position();
        let word: ValueWord = self.record()?;
        let number = word.value_type();
        let Some(row) = self.layout.row(number) else {
            let expected = "the number of a type";
            return Err(Error::new(rule::TYPE, start as u64, expected, number.to_string()));
        };
        self.values.enter(row.variant_type, start)?;
        let first = self.position();
        let event = self.content(row)?;
        let range = first..self.position();
        if let Some(spots) = &mut self.spots {
            spots.push(Spot { row, range });
        }
        Ok(event)
    }

    /// Only objects that are made here have properties.
    fn property(&mut self) -> Result<Event<'a>> {
        Ok(Event::Name(self.made.last().map(|(name, ..)| *name)))
    }
}

impl<'a> Reader<'a> {
    /// Reads a value of this type, after its number: of a container what is before its values.
    fn content(&mut self, row: Row) -> Result<Event<'a>> {
        match row.variant_type.own_type() {
            None => {
                let (double, endian) = (self.layout.double, self.endian());
                let numbers = self.values.bare_numbers(row.variant_type, double, endian)?;
                if endian == Endian::Little {
                    return Ok(Event::Leaf(Leaf::Numbers(numbers)));
                }
                let (wide, bytes) = numbers.swapped();
                Ok(self.held(row.variant_type, Held::Numbers(wide, bytes)))
            }
            Some(own) => self::own(own, row, self.layout).1(self),
        }
    }

    /// Makes a reader of the file `bytes` at `start`.
    pub(super) fn new<R: Real>(
        bytes: &'a [u8],
        start: usize,
        decoder: &Decoder<R>,
        layout: Layout,
    ) -> Self {
        let depth = decoder.size_limits().depth.unwrap_or(Limits::DEPTH_WITHOUT_ENGINE_LIMIT);
        let dialect = decoder.dialect();
        // The limit of a packet's size is none of a file's.
        let limits = Limits::new().depth(depth).packet_bytes(u64::MAX);
        let mut values = events::Reader::of(&Decoder::new(dialect).limits(limits), bytes);
        values.input().set_position(start);
        let names_left = (bytes.len() as u64).saturating_mul(NAMES);
        let (names, targets, made) = (Vec::new(), Targets::default(), Vec::new());
        Self { values, dialect, layout, names, names_left, targets, made, spots: None }
    }

    /// Returns the number of bytes that were read.
    pub(super) const fn position(&self) -> usize {
        self.values.position()
    }

    /// Returns the number of bytes that are left.
    pub(super) fn left(&mut self) -> u64 {
        self.values.input().left() as u64
    }

    pub(super) fn record<T>(&mut self) -> Result<T>
    where
        T: formwork::record::Readable,
    {
        let endian = self.endian();
        read_record_in(self.values.input(), endian)
    }

    const fn endian(&self) -> Endian {
        endian(self.layout.order)
    }

    /// Reads a text.
    pub(super) fn text(&mut self) -> Result<VariantString> {
        let text: ResourceText<'_> = self.record()?;
        self.decoded(&text.bytes, self.position())
    }

    /// Decodes the bytes of a text that end there.
    pub(super) fn decoded(&self, bytes: &[u8], end: usize) -> Result<VariantString> {
        decoded(bytes, self.dialect).map_err(|at| cut_text(end - bytes.len() + at))
    }

    /// Reads a name: of a property, or a part of a path.
    fn name(&mut self) -> Result<VariantString> {
        let start = self.position();
        let name: ResourceName<'_> = self.record()?;
        self.resolved(start, &name)
    }

    /// Looks up a name that starts there and was read last.
    pub(super) fn resolved(
        &mut self,
        start: usize,
        ResourceName { word, bytes }: &ResourceName<'_>,
    ) -> Result<VariantString> {
        let start = start as u64;
        if let Some(bytes) = bytes {
            return self.decoded(bytes, self.position());
        }
        let number = word.number();
        let Some(name) = self.names.get(number as usize) else {
            let expected = format!("a number below {}", self.names.len());
            return Err(Error::new(rule::NAME, start, expected, number.to_string()));
        };
        match self.names_left.checked_sub(name.as_bytes().len() as u64) {
            Some(left) => self.names_left = left,
            None => {
                let expected = format!("names that are together at most {NAMES} times the file");
                return Err(Error::new(rule::NAMES, start, expected, "more"));
            }
        }
        Ok(name.clone())
    }

    /// Reads a value.
    pub(super) fn value<R: Real>(&mut self) -> Result<Variant<R>> {
        events::value_of(self).map_err(|error| error.under(self.values.path()))
    }

    /// Opens a container of `count` elements or pairs of at least `least` bytes each.
    fn open(&mut self, variant_type: VariantType, count: u32, least: usize) -> Result<Event<'a>> {
        self.values.open(variant_type, count, least as u64)
    }

    /// Opens an object with these properties.
    fn object(&mut self, class: &str, mut properties: Vec<Made<'a>>) -> Event<'a> {
        properties.reverse();
        self.made = properties;
        let count = self.made.len() as u32;
        self.values.open_made_object(class.into(), count)
    }

    /// Reads a number or word as a value.
    fn leaf<T>(&mut self, make: fn(T) -> Leaf<'a>) -> Result<Event<'a>>
    where
        T: formwork::record::Readable,
    {
        self.record().map(|number| Event::Leaf(make(number)))
    }

    /// Returns the event of a value that was made.
    fn held(&mut self, variant_type: VariantType, held: Held) -> Event<'a> {
        Event::Leaf(self.values.hold(variant_type, held))
    }

    /// Reads a list of `count` items of at least `least` bytes each.
    pub(super) fn list<T>(
        &mut self,
        count: u32,
        least: usize,
        name: &'static str,
        read: impl Fn(&mut Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.values.input().check_count(count, least, name)?;
        let mut list = Vec::with_capacity(count as usize);
        for index in 0..u64::from(count) {
            list.push(read(self).map_err(|error| error.within(index).within(name))?);
        }
        Ok(list)
    }

    fn node_path(&mut self) -> Result<Event<'a>> {
        let ResourceNodePath { name_count, subname_count, .. } = match self.layout.has_property {
            true => {
                let PropertyNodePath { path, .. } = self.record()?;
                path
            }
            false => self.record()?,
        };
        let names = self.list(name_count.into(), NAME_LEAST, "names", Self::name)?;
        let count = subname_count.count();
        let mut subnames = self.list(count.into(), NAME_LEAST, "subnames", Self::name)?;
        let absolute = subname_count.absolute();
        let mut property = None;
        if self.layout.has_property {
            let name = self.name().map_err(|error| error.within("property"))?;
            match (name.is_empty(), self.dialect.quirks().whole_header) {
                (true, _) => {}
                // Godot 2 keeps it apart.
                (false, true) => property = Some(name),
                (false, false) => subnames.push(name),
            }
        }
        let path = NodePath { absolute, names, subnames, property };
        Ok(self.held(VariantType::NodePath, Held::NodePath(Box::new(path))))
    }

    /// Reads an object: none, or a reference.
    fn reference(&mut self) -> Result<Event<'a>> {
        let start = self.position() as u64;
        let reference: ResourceReference<'_> = self.record()?;
        let (is_external, number) = match reference {
            ResourceReference { kind: 0, .. } => return Ok(Event::Leaf(Leaf::NullObject)),
            ResourceReference { kind: 1, external: Some(external), .. } => {
                let text = |name, text: &ResourceText<'_>| -> Result<Made<'a>> {
                    let at =
                        |at: usize| Error::new(rule::TEXT, start + at as u64, UTF8, "another byte");
                    let text = decoded(&text.bytes, self.dialect).map_err(at)?;
                    Ok((name, Leaf::Held(VariantType::String), Held::Text(text)))
                };
                let made = vec![text("class", &external.class)?, text("path", &external.path)?];
                return Ok(self.object("ExtResource", made));
            }
            ResourceReference { kind: 2, index: Some(index), .. } => (false, index),
            ResourceReference { kind: 3, index: Some(index), .. } => (true, index),
            ResourceReference { kind, .. } => {
                let error = Error::new(rule::REFERENCE, start, "0 to 3", kind.to_string());
                return Err(error.within("kind"));
            }
        };
        let position = self.targets.position(is_external, number);
        let (name, number) = match position {
            Some(position) => ("index", position),
            None => ("missing", number),
        };
        let class = if is_external { "ExtResource" } else { "SubResource" };
        Ok(self.object(class, vec![made_number(name, number)]))
    }

    fn image(&mut self) -> Result<Event<'a>> {
        let start = self.position() as u64;
        let ResourceImage { encoding, size, data } = self.record()?;
        let Some(&name) = IMAGE_ENCODINGS.get(encoding as usize) else {
            let error = Error::new(rule::IMAGE, start, "0 to 3", encoding.to_string());
            return Err(error.within("encoding"));
        };
        let Some(data) = data else { return Ok(Event::Leaf(Leaf::NullObject)) };
        let mut made = vec![("encoding", Leaf::String(name), Held::Nothing)];
        if let Some(RawImage { width, height, mipmaps, format }) = size {
            let numbers =
                [("width", width), ("height", height), ("mipmaps", mipmaps), ("format", format)];
            made.extend(numbers.map(|(name, number)| made_number(name, number)));
        }
        let data = Held::Bytes(data.bytes.0.into_owned());
        made.push(("data", Leaf::Held(VariantType::PackedByteArray), data));
        Ok(self.object("Image", made))
    }
}

fn made_number<'a>(name: &'static str, number: u32) -> Made<'a> {
    (name, Leaf::Int(number.into()), Held::Nothing)
}

impl Targets {
    /// Returns the position of the target of a reference.
    fn position(&self, is_external: bool, number: u32) -> Option<u32> {
        match (is_external, self.positions) {
            (true, _) => (number < self.external).then_some(number),
            (false, Some(count)) => (number < count).then_some(number),
            (false, None) => self.numbers.get(&number).copied(),
        }
    }
}

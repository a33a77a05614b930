//! Packets, and the records of formats of one's own.

mod lists;
mod measure;
mod summary;

use std::convert::Infallible;
use std::fmt;

use super::level::{Content, Found, Name, Place};
use super::value::{big_endian, unsigned};
use super::walker::{Opening, Resolver, Walker};
use super::{Kind, Note, Span, Summary, Value, around};
use crate::codec;
use crate::dialect::Dialect;
use crate::error::{Error, Path, PathSegment, Result};
use crate::frame::{self, ByteOrder, FrameHead, Framing};
use crate::packet::NameCount;
use crate::resource::{self, Layout, NameWord, ResourceProperty, ValueWord};
use crate::schema::{BitRange, Field, Record, Schema, Shape, Word, record_of};
use crate::settings;

/// An iterator over what the bytes of packets are.
///
/// Bytes that are cut or wrong do not stop it before their place: everything before comes as spans,
/// then one [`Error`] says what was expected where, then a span of [`Kind::Rest`] holds the bytes
/// that were not read. Where packets are framed it goes on behind the frame.
pub type Inspector<'a> = Walker<'a, Packets>;

/// What an inspector of packets knows besides where it is.
#[derive(Clone, Debug)]
pub struct Packets {
    dialect: Dialect,
    framing: Framing,
    list: bool,
    /// The byte that is looked for.
    target: Option<u64>,
    /// What stands at the start.
    top: Shape,
    /// What that is called.
    name: &'static str,
    /// Bytes that a frame announces behind the end of the input.
    missing: u64,
    /// Packets begun.
    begun: u64,
    /// How many settings the head of a file announces.
    settings: Option<u32>,
    /// Whether a frame is open.
    framed: bool,
    /// How values stand in a resource file, which has no packets.
    resource: Option<Layout>,
    /// Where the names of a resource file's table stand, and how long they are.
    names: Vec<(usize, usize)>,
    /// Whether no packet in another is wanted, but only how long it is.
    brief: bool,
    /// Bytes that may be walked through in vain to find out how long packets are.
    allowance: usize,
}

impl<'a> Inspector<'a> {
    /// An inspector of one packet.
    #[must_use]
    pub fn new(bytes: &'a [u8], dialect: Dialect) -> Self {
        let packets = Packets {
            dialect,
            framing: Framing::Bare,
            list: false,
            target: None,
            top: Shape::Variant,
            name: "packet",
            missing: 0,
            begun: 0,
            settings: None,
            framed: false,
            resource: None,
            names: Vec::new(),
            brief: false,
            allowance: bytes.len().saturating_mul(4),
        };
        Self::of(bytes, packets)
    }

    /// An inspector of a record that is no packet, such as a file, which is called `name`.
    ///
    /// ```
    /// use formwork_variant::inspect::Inspector;
    ///
    /// // A length and no packet.
    /// let record = formwork_variant::frame::RECORD;
    /// let mut spans = Inspector::of_record(&[4, 0, 0, 0], "frame", record);
    /// let length = spans.nth(1).unwrap()?;
    /// assert_eq!(length.value.to_string(), "4");
    /// assert_eq!(spans.next().unwrap().unwrap_err().path().to_string(), "frame");
    /// # Ok::<(), formwork_variant::Error>(())
    /// ```
    #[must_use]
    pub fn of_record(bytes: &'a [u8], name: &'static str, record: &'static Record) -> Self {
        // Nothing in a record depends on the dialect but what is a packet.
        let mut inspector = Self::new(bytes, Dialect::GODOT4).starting(0, Shape::Record(record));
        inspector.resolver.name = name;
        inspector
    }

    /// Says in which dialect the packets are that nest in a record.
    #[must_use]
    pub const fn in_dialect(mut self, dialect: Dialect) -> Self {
        self.resolver.dialect = dialect;
        self
    }

    /// Says that values stand in records as they do in a resource file, and not as packets.
    #[must_use]
    pub const fn in_resource(mut self, layout: Layout) -> Self {
        self.resolver.resource = Some(layout);
        self
    }

    /// Passes over so many bytes at the start, which are none of the packets'. Offsets count them.
    #[must_use]
    pub fn behind(mut self, header: usize) -> Self {
        self.position = header.min(self.bytes.len());
        self
    }

    /// Says how packets stand in the input.
    #[must_use]
    pub const fn framing(mut self, framing: Framing) -> Self {
        self.resolver.framing = framing;
        self
    }

    /// Gives every element of a packed array a span of its own, instead of one for all.
    #[must_use]
    pub const fn list_elements(mut self, list: bool) -> Self {
        self.resolver.list = list;
        self
    }

    /// The spans that hold the byte at `offset`, from the outside in, and the parts of the word if
    /// it is in one. Empty where the input does not reach so far.
    #[must_use]
    pub fn at(mut self, offset: u64) -> Vec<Span<'a>> {
        self.deepest = None;
        self.resolver.target = Some(offset);
        around(self, offset)
    }

    /// Begins with the packet or record at `start`.
    pub(super) const fn starting(mut self, start: usize, shape: Shape) -> Self {
        self.position = start;
        self.resolver.top = shape;
        self
    }

    /// Leaves out the parts of words, for who wants the layout alone.
    #[must_use]
    pub const fn layout_alone(mut self) -> Self {
        self.parts = false;
        self
    }

    /// Leaves out what a line about the whole has no room for.
    pub(super) const fn shallow(mut self) -> Self {
        self.shallow = true;
        self
    }

    /// The path of the last span, in the words of [`Error::path`].
    #[must_use]
    pub fn path(&self) -> Path {
        self.steps.iter().chain(&self.tail).cloned().collect::<Vec<_>>().into()
    }

    /// How many bytes were read.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.position
    }

    /// The bytes that were not read (yet).
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.bytes.get(self.position..).unwrap_or_default()
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.resolver.dialect
    }
}

impl<'a> Inspector<'a> {
    /// What is known to be wrong with the outermost list that is open: a reader says that first.
    fn promised(&mut self) -> Option<Error> {
        let (fault, steps) = self.levels.iter_mut().find_map(|level| match &mut level.content {
            Content::Elements { fault, own_steps, .. } => Some((fault.take()?, *own_steps)),
            Content::Fields { .. } | Content::Own(_) => None,
        })?;
        self.steps.truncate(steps);
        self.tail.clear();
        Some(fault.under(self.path()))
    }

    /// Between packets.
    fn packet_or_frame(&mut self) -> Found<'a> {
        self.steps.clear();
        self.known.clear();
        if std::mem::take(&mut self.resolver.framed) {
            if self.resolver.missing > 0 {
                self.resolver.framed = true;
                let expected = "a packet as long as its frame announces".to_owned();
                let left = self.left() as u64;
                let start = self.position as u64;
                return Err(Error::incomplete(start, self.resolver.missing, expected, left));
            }
            let rest = self.rest_span("trailing", 1);
            self.limit = self.bytes.len();
            return Ok(rest);
        }
        let over = match self.resolver.framing {
            Framing::Bare => self.resolver.begun > 0,
            Framing::BareSequence | Framing::Frames(_) => self.position == self.limit,
            // Behind the head, as many as it says.
            Framing::Settings => match self.resolver.settings {
                Some(count) => self.resolver.begun > count.into() || self.position == self.limit,
                None => self.resolver.begun > 0,
            },
        };
        if over {
            self.done = true;
            return Ok(self.rest_span("trailing", 0));
        }
        let name = match (self.resolver.framing, self.resolver.begun) {
            (Framing::Bare, _) => Name::Field(self.resolver.name),
            (Framing::Settings, 0) => Name::Field("settings"),
            (Framing::Settings, begun) => Name::Index(begun - 1),
            (Framing::BareSequence | Framing::Frames(_), begun) => Name::Index(begun),
        };
        self.resolver.begun += 1;
        match self.resolver.framing {
            // The path of a packet starts with its type instead.
            Framing::Bare => {
                let inline = matches!(self.resolver.top, Shape::Variant);
                self.place(Place { inline, ..Place::field(name, self.resolver.top, 0) })
            }
            Framing::BareSequence => {
                self.place(Place { inline: false, ..Place::field(name, Shape::Variant, 0) })
            }
            Framing::Frames(_) => {
                self.resolver.framed = true;
                let record = frame::RECORD;
                self.place(Place { inline: false, ..Place::field(name, Shape::Record(record), 0) })
            }
            Framing::Settings => {
                self.resolver.framed = self.resolver.begun > 1;
                let record = if self.resolver.framed { settings::SETTING } else { settings::HEAD };
                self.place(Place { inline: false, ..Place::field(name, Shape::Record(record), 0) })
            }
        }
    }

    /// A packet, by its header.
    fn packet(&mut self, place: Place) -> Found<'a> {
        let (start, dialect) = (self.position, self.resolver.dialect);
        let steps = self.steps.len();
        if !place.inline {
            self.steps.push(place.name.into());
        }
        if let Some(layout) = self.resolver.resource {
            return self.resource_value(place, layout, steps);
        }
        let word = unsigned(self.peek(4, format_args!("a header word"))?);
        let id = dialect.quirks().type_id(word as u32);
        let row = dialect.row(id);
        let packet = row.and_then(|row| dialect.packet(row.variant_type));
        let (Some(row), Some(packet)) = (row, packet) else {
            let expected = format!("a type id below {}", dialect.rows().len());
            let found = id.to_string();
            return Err(Error::new(codec::rule::HEADER_TYPE_ID, start as u64, expected, found));
        };
        if let Some(length) = self.unwanted(place.depth) {
            let value = self.summary(start, Shape::Variant);
            let layout = super::Layout::Packet(row.name);
            let name = place.name.into();
            let span = self.open(place.depth, name, place.shape, (layout, Some(length)), value);
            self.steps.truncate(steps);
            self.position = start + length;
            return Ok(Some(span));
        }
        let size = self.packet_size(&packet, word);
        self.steps.push(PathSegment::Field(row.variant_type.path_name()));
        let content = Content::Fields {
            fields: packet.payload,
            next: 0,
            header: Some(packet.header.word()),
            packet: true,
            start,
            from: start,
            checks: &[],
        };
        self.enter(content, place.depth + 1, steps);
        let value = self.summary(start, Shape::Variant);
        let layout = super::Layout::Packet(row.name);
        Ok(Some(self.open(place.depth, place.name.into(), place.shape, (layout, size), value)))
    }

    /// A value in a resource file, by the number of its type.
    fn resource_value(&mut self, place: Place, layout: Layout, steps: usize) -> Found<'a> {
        let (start, dialect) = (self.position, self.resolver.dialect);
        let raw = unsigned(self.peek(4, format_args!("the number of a type"))?) as u32;
        let number = if layout.order == ByteOrder::Big { raw.swap_bytes() } else { raw };
        let Some(row) = layout.row(number) else {
            let (rule, expected) = (resource::rule::TYPE, "the number of a type");
            return Err(Error::new(rule, start as u64, expected, number.to_string()));
        };
        self.steps.push(PathSegment::Field(row.variant_type.path_name()));
        let Shape::Word(word) = ValueWord::SHAPE else { return Ok(None) };
        let content = Content::Fields {
            fields: layout.payload(row),
            next: 0,
            header: Some(word),
            packet: true,
            start,
            from: start,
            checks: &[],
        };
        self.enter(content, place.depth + 1, steps);
        let value = self.summary(start, Shape::Variant);
        let layout = super::Layout::Packet(dialect.type_name(row.variant_type));
        Ok(Some(self.open(place.depth, place.name.into(), place.shape, (layout, None), value)))
    }

    /// What there is to say in a line of what starts there.
    fn summary(&self, start: usize, shape: Shape) -> Value<'a> {
        let Packets { dialect, resource, .. } = self.resolver;
        let (bytes, name) = (self.before_limit(), self.name_at(start, shape));
        Value::Summary(Summary { bytes, start, dialect, shape, resource, name })
    }

    /// The name from the table of a resource file that a property starts with.
    fn name_at(&self, start: usize, shape: Shape) -> Option<&'a [u8]> {
        let layout = self.resolver.resource?;
        let Shape::Record(record) = shape else { return None };
        if record.name != record_of::<ResourceProperty<'static>>().name {
            return None;
        }
        let bytes = self.before_limit().get(start..start + size_of::<u32>())?;
        let big = layout.order == ByteOrder::Big;
        self.name_of(if big { big_endian(bytes) } else { unsigned(bytes) })
    }

    /// The name from the table of a resource file that a word stands for.
    fn name_of(&self, word: u64) -> Option<&'a [u8]> {
        let &(start, length) = self.resolver.names.get(usize::try_from(word).ok()?)?;
        let name = self.bytes.get(start..start + length)?;
        Some(name.strip_suffix(b"\0").unwrap_or(name))
    }

    /// Remembers a name of the table of a resource file.
    pub(super) fn notice_name(&mut self, start: usize, length: usize) {
        if self.resolver.resource.is_some()
            && let [_, PathSegment::Field("names"), PathSegment::Index(_)] = self.steps.as_slice()
        {
            self.resolver.names.push((start, length));
        }
    }

    /// What says how long the packet in a frame is.
    fn frame_length(&mut self, length: u64) -> Option<Note> {
        let left = self.bytes.len() - self.position;
        self.resolver.missing = length.saturating_sub(left as u64);
        self.limit =
            self.position + usize::try_from(length).map_or(left, |length| length.min(left));
        (self.resolver.missing > 0).then_some(Note::Missing(self.resolver.missing))
    }

    /// Whether what is read is the word that a frame starts with.
    fn is_frame_word(&self) -> bool {
        self.resolver.framed && self.levels.len() == 1
    }
}

impl Packets {
    /// Returns the number of a type in a resource file, with its name there, where the word is one: Pandemonium numbers
    /// the types behind those of Godot 3 otherwise than Godot 4.
    fn type_in_resource<'a>(&self, word: &Word, number: u64) -> Option<Value<'a>> {
        let layout = self.resource?;
        let Shape::Word(value) = ValueWord::SHAPE else { return None };
        let row = u32::try_from(number).ok().and_then(|number| layout.row(number));
        let name = row.map(|row| row.variant_type.name());
        (word.name == value.name).then_some(Value::Integer(number.into(), name))
    }
}

impl<'a> Resolver<'a> for Packets {
    type Own = Infallible;

    const APART: bool = false;

    fn dialect(&self) -> Option<Dialect> {
        Some(self.dialect)
    }

    fn letters(bytes: &'a [u8]) -> Value<'a> {
        Value::Text(bytes)
    }

    fn part(&self, word: &Word, bits: &BitRange, number: u64) -> Value<'a> {
        let of_resource = self.type_in_resource(word, number);
        of_resource.unwrap_or_else(|| super::value::part(bits, number, Some(self.dialect)))
    }

    fn outermost(walker: &mut Inspector<'a>) -> Found<'a> {
        walker.packet_or_frame()
    }

    fn own(_: &mut Inspector<'a>) -> Found<'a> {
        Ok(None)
    }

    fn nested(walker: &mut Inspector<'a>, place: Place) -> Found<'a> {
        match place.shape {
            Shape::Variant => walker.packet(place),
            _ => Ok(None),
        }
    }

    fn nested_to_end(walker: &mut Inspector<'a>, field: &'static Field, place: Place) -> Found<'a> {
        walker.list_to_end(field, place)
    }

    fn record(
        walker: &mut Inspector<'a>,
        place: Place,
        record: &'static Record,
    ) -> Result<Opening<'a>> {
        let (bytes, start) = (walker.before_limit(), walker.position);
        // A setting has a name, a frame nothing but its packet.
        let rest = bytes.get(start..).unwrap_or_default();
        let is_said = walker.resolver.framing == Framing::Settings
            && settings::bytes_of_characters(rest).is_none();
        let value = match walker.resolver.framed && walker.levels.is_empty() && !is_said {
            true => Value::None,
            false => walker.summary(walker.position, Shape::Record(record)),
        };
        let (layout, length) = (super::Layout::One(place.shape), place.shape.size());
        Ok(Opening { length, layout, value, kind: Kind::Open })
    }

    fn block(
        walker: &mut Inspector<'a>,
        field: &'static Field,
        place: Place,
        count: u64,
        size: usize,
    ) -> Found<'a> {
        walker.block(field, place, count, size)
    }

    fn raw(walker: &Inspector<'a>, _: Shape, bytes: &[u8]) -> Option<u64> {
        if let Some(Layout { order: ByteOrder::Big, from, .. }) = walker.resolver.resource
            && walker.position >= from + bytes.len()
        {
            return Some(big_endian(bytes));
        }
        match walker.resolver.framing {
            Framing::Frames(ByteOrder::Big) if walker.is_frame_word() => {
                Some(FrameHead::length_at(bytes, ByteOrder::Big).unwrap_or_default().into())
            }
            // The length of a name may count its characters.
            Framing::Settings if walker.is_frame_word() => {
                let start = walker.position.checked_sub(bytes.len())?;
                let rest = walker.before_limit().get(start..)?;
                let is_first = matches!(
                    walker.levels.last().map(|level| &level.content),
                    Some(Content::Fields { next: 1, .. })
                );
                settings::bytes_of_characters(rest).filter(|_| is_first)
            }
            _ => None,
        }
    }

    fn read(walker: &mut Inspector<'a>, raw: u64, span: &mut Span<'a>) {
        let is_length = match walker.resolver.framing {
            Framing::Settings => span.name == PathSegment::Field("length"),
            Framing::Bare | Framing::BareSequence | Framing::Frames(_) => true,
        };
        if is_length && walker.is_frame_word() {
            span.note = walker.frame_length(raw);
        }
        if walker.is_frame_word() && span.name == PathSegment::Field("name_length") {
            // What stands there, whatever it counts.
            span.value = Value::Integer(unsigned(span.bytes).into(), None);
        }
        if walker.resolver.framing == Framing::Settings
            && !walker.resolver.framed
            && walker.levels.len() == 1
            && span.name == PathSegment::Field("count")
        {
            walker.resolver.settings = u32::try_from(raw).ok();
        }
        if let Value::Word(word, raw, _) = span.value
            && let Some(value) = walker.resolver.type_in_resource(word, raw)
        {
            span.value = value;
        }
        if walker.resolver.resource.is_some()
            && let Value::Word(word, raw, _) = span.value
            && let Shape::Word(name) = NameWord::SHAPE
            && word.name == name.name
            && let Some(name) = walker.name_of(raw)
        {
            span.value = Value::Id(raw.into(), Some(name));
        }
        if let Value::Word(word, raw, _) = span.value
            && let Shape::Word(node_path) = NameCount::SHAPE
            && word.name == node_path.name
            && word.parts(raw).any(|(bits, number)| bits.name == "separate" && number == 0)
        {
            // The other form, a single text, is declared nowhere, as no engine writes it.
            let expected = "a name count with its top bit set (the form with separate names)";
            let found = format!("0x{raw:08x}");
            walker.fault =
                Some(Error::new(codec::rule::NODE_PATH_FORM, span.offset, expected, found));
        }
    }

    fn measure(walker: &Inspector<'a>, shape: Shape) -> Option<usize> {
        walker.measure(shape)
    }

    fn ends(walker: &mut Inspector<'a>, needed: usize, what: fmt::Arguments<'_>) -> Error {
        let left = walker.bytes.len().min(walker.limit).saturating_sub(walker.position);
        let needed = (needed - left) as u64;
        Error::incomplete(walker.position as u64, needed, what.to_string(), left as u64)
    }

    fn give_up(walker: &mut Inspector<'a>, fault: Error) {
        let fault = walker.promised().unwrap_or_else(|| fault.under(walker.path()));
        walker.levels.clear();
        walker.steps.clear();
        walker.tail.clear();
        walker.known.clear();
        walker.found.push_back(Err(fault));
        let depth = u32::from(walker.resolver.framed);
        if let Some(rest) = walker.rest_span("undecoded", depth) {
            walker.found.push_back(Ok(rest));
        }
        // Only a frame says where the next packet begins.
        if !std::mem::take(&mut walker.resolver.framed) || walker.resolver.missing > 0 {
            walker.done = true;
        }
        walker.limit = walker.bytes.len();
    }
}

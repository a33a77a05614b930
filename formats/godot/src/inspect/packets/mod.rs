//! Packets, and the records of formats of one's own.

mod lists;
mod measure;
mod summary;

use crate::Framing;
use crate::resource::{self, NameWord, ResourceProperty, ValueWord};
use crate::settings;
use formwork::walk::Name;
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::inspect::value;
use formwork_records::inspect::walker::{Block, Found, Opening, Place, Resolver, Walker};
use formwork_records::inspect::{Inspect, Kind, Naming, Note, Span, Summary, Value, around};
use formwork_records::schema::{Layout, Record, Schema, VARIANT, Word, WordPart, raw, record_of};
use formwork_variant::codec;
use formwork_variant::dialect::Dialect;
use formwork_variant::frame::{self, ByteOrder, FrameHead};
use formwork_variant::packet::NameCount;
use lists::block;
use measure::{measure, packet_size, unwanted};

/// An iterator over descriptions of the bytes of packets.
///
/// Cut or wrong bytes do not stop it before their place: everything before them is returned as spans, then one
/// [`Error`] gives the expected contents and the place, then a span of [`Kind::Rest`] holds the bytes that were not
/// read. If packets are framed it continues after the frame.
#[derive(Clone, Debug)]
pub struct Inspector<'a>(Walk<'a>);

/// The walk along the declarations.
type Walk<'a> = Walker<'a, Packets>;

impl<'a> Iterator for Inspector<'a> {
    type Item = Result<Span<'a>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl<'a> Inspect<'a> for Inspector<'a> {
    fn deepest(self, deepest: u32) -> Self {
        Self(self.0.deepest(deepest))
    }

    fn at(self, offset: u64) -> Vec<Span<'a>> {
        let mut walk = self.0;
        walk.deepest = None;
        walk.resolver.target = Some(offset);
        around(walk, offset)
    }
}

/// The state of an inspector of packets besides its position.
#[derive(Clone, Debug)]
pub(super) struct Packets {
    dialect: Dialect,
    framing: Framing,
    list: bool,
    /// The offset of the wanted byte.
    target: Option<u64>,
    /// The shape of the outermost value.
    top: Layout,
    /// The name of the outermost value.
    name: &'static str,
    /// The bytes that a frame announces after the end of the input.
    missing: u64,
    /// Packets begun.
    begun: u64,
    /// The number of settings that the head of a file announces.
    settings: Option<u32>,
    /// Whether a frame is open.
    framed: bool,
    /// The layout of values in a resource file, which has no packets.
    resource: Option<resource::Layout>,
    /// The positions and lengths of the names in a resource file's table.
    names: Vec<(usize, usize)>,
    /// Whether only the length of inner packets is wanted.
    brief: bool,
    /// The number of bytes that may still be walked through in vain to find out the lengths of packets.
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
            top: Layout::Nested(VARIANT),
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
        Self(Walk::of(bytes, packets))
    }

    /// Makes an inspector of a record that is no packet, such as a file, with the name `name`.
    ///
    /// ```
    /// use formwork_godot::inspect::Inspector;
    ///
    /// // A length and no packet.
    /// let record = formwork_variant::frame::RECORD;
    /// let mut spans = Inspector::of_record(&[4, 0, 0, 0], "frame", record);
    /// let length = spans.nth(1).unwrap()?;
    /// assert_eq!(length.value.to_string(), "4");
    /// assert_eq!(spans.next().unwrap().unwrap_err().path().to_string(), "frame");
    /// # Ok::<(), formwork::Error>(())
    /// ```
    #[must_use]
    pub fn of_record(bytes: &'a [u8], name: &'static str, record: &'static Record) -> Self {
        // In a record, only packets depend on the dialect.
        let mut inspector = Self::new(bytes, Dialect::GODOT4).starting(0, Layout::Record(record));
        inspector.0.resolver.name = name;
        inspector
    }

    /// Sets the dialect of the packets that nest in a record.
    #[must_use]
    pub const fn in_dialect(mut self, dialect: Dialect) -> Self {
        self.0.resolver.dialect = dialect;
        self
    }

    /// Expects values in records as in a resource file, and not as packets.
    #[must_use]
    pub const fn in_resource(mut self, layout: resource::Layout) -> Self {
        self.0.resolver.resource = Some(layout);
        self
    }

    /// Skips the first `header` bytes, which belong to no packet. Offsets include them.
    #[must_use]
    pub fn behind(mut self, header: usize) -> Self {
        self.0.position = header.min(self.0.bytes.len());
        self
    }

    /// Sets the arrangement of packets in the input.
    #[must_use]
    pub const fn framing(mut self, framing: Framing) -> Self {
        self.0.resolver.framing = framing;
        self
    }

    /// Returns a separate span for every element of a packed array, instead of one for all.
    #[must_use]
    pub const fn list_elements(mut self, list: bool) -> Self {
        self.0.resolver.list = list;
        self
    }

    /// Begins with the packet or record at `start`.
    pub(super) const fn starting(mut self, start: usize, shape: Layout) -> Self {
        self.0.position = start;
        self.0.resolver.top = shape;
        self
    }

    /// Omits the parts of words, for callers that need only the layout.
    #[must_use]
    pub const fn layout_alone(mut self) -> Self {
        self.0.parts = false;
        self
    }

    /// Omits the parts that do not fit a line about the whole.
    pub(super) const fn shallow(mut self) -> Self {
        self.0.shallow = true;
        self
    }

    /// The path of the last span, in the words of [`Error::path`].
    #[must_use]
    pub fn path(&self) -> Path {
        self.0.walk.path()
    }

    /// Returns the number of bytes that were read.
    #[must_use]
    pub const fn position(&self) -> usize {
        self.0.position
    }

    /// The bytes that were not read (yet).
    #[must_use]
    pub fn rest(&self) -> &'a [u8] {
        self.0.bytes.get(self.0.position..).unwrap_or_default()
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.0.resolver.dialect
    }
}

/// Between packets.
fn packet_or_frame<'a>(walker: &mut Walk<'a>) -> Found<'a> {
    if std::mem::take(&mut walker.resolver.framed) && walker.resolver.missing > 0 {
        walker.resolver.framed = true;
        let expected = "a packet as long as its frame announces".to_owned();
        let left = (walker.bytes.len() - walker.position) as u64;
        let start = walker.position as u64;
        return Err(Error::incomplete(start, walker.resolver.missing, expected, left));
    }
    let is_at_end = walker.position == walker.bytes.len();
    let over = match walker.resolver.framing {
        Framing::Bare => walker.resolver.begun > 0,
        Framing::BareSequence | Framing::Frames(_) => is_at_end,
        // After the head, the number of settings that it announces.
        Framing::Settings => match walker.resolver.settings {
            Some(count) => walker.resolver.begun > count.into() || is_at_end,
            None => walker.resolver.begun > 0,
        },
    };
    if over {
        walker.done = true;
        return Ok(walker.rest_span("trailing", 0, walker.bytes.len()));
    }
    let name = match (walker.resolver.framing, walker.resolver.begun) {
        (Framing::Bare, _) => Name::Field(walker.resolver.name),
        (Framing::Settings, 0) => Name::Field("settings"),
        (Framing::Settings, begun) => Name::Index(begun - 1),
        (Framing::BareSequence | Framing::Frames(_), begun) => Name::Index(begun),
    };
    walker.resolver.begun += 1;
    let (framing, is_first) = (walker.resolver.framing, walker.resolver.begun == 1);
    let shape = match framing {
        Framing::Bare => walker.resolver.top,
        Framing::BareSequence => Layout::Nested(VARIANT),
        Framing::Frames(_) => Layout::Record(frame::RECORD),
        Framing::Settings if is_first => Layout::Record(settings::HEAD),
        Framing::Settings => Layout::Record(settings::SETTING),
    };
    walker.resolver.framed = match framing {
        Framing::Bare | Framing::BareSequence => false,
        Framing::Frames(_) => true,
        Framing::Settings => !is_first,
    };
    // The path of a packet starts with its type instead.
    let name = match (name, shape) {
        (Name::Field(name), Layout::Nested(VARIANT)) => Name::Inline(name),
        (name, _) => name,
    };
    walker.begin(shape, name);
    Ok(None)
}

/// A packet, by its header.
fn packet<'a>(walker: &mut Walk<'a>, place: &Place) -> Found<'a> {
    let (start, dialect) = (walker.position, walker.resolver.dialect);
    if let Some(layout) = walker.resolver.resource {
        return resource_value(walker, place, layout);
    }
    let word = raw(walker.peek(4, "a header word")?, false);
    let id = dialect.quirks().type_id(word as u32);
    let row = dialect.row(id);
    let packet = row.and_then(|row| dialect.packet(row.variant_type));
    let (Some(row), Some(packet)) = (row, packet) else {
        let expected = format!("a type id below {}", dialect.rows().len());
        let found = id.to_string();
        return Err(Error::new(codec::rule::HEADER_TYPE_ID, start as u64, expected, found));
    };
    let value = summary(walker, start, Layout::Nested(VARIANT));
    let layout = super::SpanType::Packet(row.name);
    if let Some(length) = unwanted(walker, place.depth) {
        let span =
            walker.open(place.depth, place.name.clone(), None, (layout, Some(length)), value);
        walker.skip(length);
        return Ok(Some(span));
    }
    walker.walk.name(Name::Field(row.variant_type.path_name()));
    walker.enter(packet.header.word(), packet.payload, place.depth + 1);
    let size = packet_size(&packet, word);
    Ok(Some(walker.open(place.depth, place.name.clone(), Some(place.shape), (layout, size), value)))
}

/// A value in a resource file, by the number of its type.
fn resource_value<'a>(walker: &mut Walk<'a>, place: &Place, layout: resource::Layout) -> Found<'a> {
    let (start, dialect) = (walker.position, walker.resolver.dialect);
    let bytes = walker.peek(4, "the number of a type")?;
    let number = raw(bytes, layout.order == ByteOrder::Big) as u32;
    let Some(row) = layout.row(number) else {
        let (rule, expected) = (resource::rule::TYPE, "the number of a type");
        return Err(Error::new(rule, start as u64, expected, number.to_string()));
    };
    walker.walk.name(Name::Field(row.variant_type.path_name()));
    let Layout::Word(word) = ValueWord::LAYOUT else { return Ok(None) };
    walker.enter(word, layout.payload(row), place.depth + 1);
    let value = summary(walker, start, Layout::Nested(VARIANT));
    let layout = super::SpanType::Packet(dialect.type_name(row.variant_type));
    Ok(Some(walker.open(place.depth, place.name.clone(), Some(place.shape), (layout, None), value)))
}

/// Returns a summary in one line of the value that starts there.
fn summary<'a>(walker: &Walk<'a>, start: usize, shape: Layout) -> Value<'a> {
    let Packets { dialect, resource, .. } = walker.resolver;
    let (bytes, name) = (walker.before_limit(), name_at(walker, start, shape));
    let context = summary::context(dialect, resource);
    Value::Summary(Summary { bytes, start, shape, name, context, write: summary::write })
}

/// The name from the table of a resource file that a property starts with.
fn name_at<'a>(walker: &Walk<'a>, start: usize, shape: Layout) -> Option<&'a [u8]> {
    let layout = walker.resolver.resource?;
    let Layout::Record(record) = shape else { return None };
    if record.name != record_of::<ResourceProperty<'static>>().name {
        return None;
    }
    let bytes = walker.before_limit().get(start..start + size_of::<u32>())?;
    name_of(walker, raw(bytes, layout.order == ByteOrder::Big))
}

/// Returns the name in the table of a resource file that a word refers to.
fn name_of<'a>(walker: &Walk<'a>, word: u64) -> Option<&'a [u8]> {
    let &(start, length) = walker.resolver.names.get(usize::try_from(word).ok()?)?;
    let name = walker.bytes.get(start..start + length)?;
    Some(name.strip_suffix(b"\0").unwrap_or(name))
}

/// Records a name of the table of a resource file.
pub(super) fn notice_name<'a>(walker: &mut Walk<'a>, start: usize, length: usize) {
    /// The table is in the file, its content, the list, an element: the paths of deep values are not made.
    const DEPTH: usize = 5;
    if walker.resolver.resource.is_some()
        && walker.walk.depth() <= DEPTH
        && let [_, PathSegment::Field("names"), PathSegment::Index(_), _] =
            walker.walk.path().steps()
    {
        walker.resolver.names.push((start, length));
    }
}

/// Records the length of the packet in a frame.
fn frame_length<'a>(walker: &mut Walk<'a>, length: u64) -> Option<Note> {
    let left = walker.bytes.len() - walker.position;
    walker.resolver.missing = length.saturating_sub(left as u64);
    (walker.resolver.missing > 0).then_some(Note::Missing(walker.resolver.missing))
}

/// Returns whether the field is the length word of a frame.
fn is_frame_word<'a>(walker: &Walk<'a>, place: &Place) -> bool {
    walker.resolver.framed && place.step.depth == 1 && place.step.field.is_some()
}

impl Packets {
    /// Returns the number of a type in a resource file, with its name there, if the word is one: Pandemonium numbers
    /// the types after those of Godot 3 differently from Godot 4.
    fn type_in_resource<'a>(&self, word: &Word, number: u64) -> Option<Value<'a>> {
        let layout = self.resource.filter(|_| is::<ValueWord>(word))?;
        let row = u32::try_from(number).ok().and_then(|number| layout.row(number));
        let name = row.map(|row| row.variant_type.name());
        Some(Value::Integer(number.into(), name))
    }
}

/// Whether this is the declared word `T`.
fn is<T: Schema>(word: &Word) -> bool {
    matches!(T::LAYOUT, Layout::Word(declared) if declared.name == word.name)
}

impl<'a> Resolver<'a> for Packets {
    const APART: bool = false;

    fn naming(&self) -> Naming {
        self.dialect.naming()
    }

    fn letters(bytes: &'a [u8]) -> Value<'a> {
        Value::Text(bytes)
    }

    fn part(&self, word: &Word, bits: &WordPart, number: u64) -> Value<'a> {
        let of_resource = self.type_in_resource(word, number);
        of_resource.unwrap_or_else(|| value::part(bits, number, self.dialect.naming()))
    }

    fn outermost(walker: &mut Walk<'a>) -> Found<'a> {
        packet_or_frame(walker)
    }

    fn nested(walker: &mut Walk<'a>, place: &Place) -> Found<'a> {
        match place.shape {
            Layout::Nested(VARIANT) => packet(walker, place),
            _ => Ok(None),
        }
    }

    fn record(
        walker: &mut Walk<'a>,
        place: &Place,
        _: &'static Record,
    ) -> Result<Option<Opening<'a>>> {
        let (bytes, start) = (walker.before_limit(), walker.position);
        // A setting has a name, a frame only its packet.
        let rest = bytes.get(start..).unwrap_or_default();
        let is_said = walker.resolver.framing == Framing::Settings
            && settings::bytes_of_characters(rest).is_none();
        let value = match walker.resolver.framed && place.step.depth == 0 && !is_said {
            true => Value::None,
            false => summary(walker, start, place.shape),
        };
        let (layout, length) = (super::SpanType::One(place.shape), place.shape.size());
        Ok(Some(Opening { length, layout, value, kind: Kind::Open }))
    }

    fn block(walker: &mut Walk<'a>, found: &Block<'_, 'a>) -> Found<'a> {
        block(walker, found)
    }

    fn raw(walker: &Walk<'a>, place: &Place, bytes: &[u8]) -> Option<u64> {
        let start = place.step.bytes.start;
        if let Some(resource::Layout { order: ByteOrder::Big, from, .. }) = walker.resolver.resource
            && start >= from
        {
            return Some(raw(bytes, true));
        }
        match walker.resolver.framing {
            Framing::Frames(ByteOrder::Big) if is_frame_word(walker, place) => {
                Some(FrameHead::length_at(bytes, ByteOrder::Big).unwrap_or_default().into())
            }
            // The length of a name may count its characters.
            Framing::Settings
                if is_frame_word(walker, place) && place.field_name() == Some("name_length") =>
            {
                settings::bytes_of_characters(walker.before_limit().get(start..)?)
            }
            _ => None,
        }
    }

    fn rest(walker: &mut Walk<'a>, place: &Place) -> Found<'a> {
        // What is missing of a frame is a fault.
        match walker.resolver.missing {
            0 => Ok(walker.rest_span("trailing", place.depth, place.step.bytes.end)),
            _ => Ok(None),
        }
    }

    fn read(walker: &mut Walk<'a>, place: &Place, raw: u64, span: &mut Span<'a>) {
        let is_length = match walker.resolver.framing {
            Framing::Settings => span.name == PathSegment::Field("length"),
            Framing::Bare | Framing::BareSequence | Framing::Frames(_) => true,
        };
        if is_length && is_frame_word(walker, place) {
            span.note = frame_length(walker, raw);
        }
        if is_frame_word(walker, place) && span.name == PathSegment::Field("name_length") {
            // The number in the bytes, whatever it counts.
            span.value = Value::Integer(self::raw(span.bytes, false).into(), None);
        }
        if walker.resolver.framing == Framing::Settings
            && !walker.resolver.framed
            && place.step.depth == 1
            && span.name == PathSegment::Field("count")
        {
            walker.resolver.settings = u32::try_from(raw).ok();
        }
        let Value::Word(word, raw, _) = span.value else { return };
        if let Some(value) = walker.resolver.type_in_resource(word, raw) {
            span.value = value;
        }
        if is::<NameWord>(word)
            && let Some(name) = name_of(walker, raw)
        {
            span.value = Value::Id(raw.into(), Some(name));
        }
        if is::<NameCount>(word)
            && word.values(raw).any(|(bits, number)| bits.name == "separate" && number == 0)
        {
            // The other form, a single text, is declared nowhere, as no engine writes it.
            let expected = "a name count with its top bit set (the form with separate names)";
            let found = format!("0x{raw:08x}");
            walker.fault =
                Some(Error::new(codec::rule::NODE_PATH_FORM, span.offset, expected, found));
        }
    }

    fn measure(walker: &Walk<'a>, shape: Layout) -> Option<usize> {
        measure(walker, shape)
    }

    fn give_up(walker: &mut Walk<'a>, fault: Error) {
        let end = walker.walk.end();
        walker.stop();
        walker.found.push_back(Err(fault));
        let depth = u32::from(walker.resolver.framed);
        if let Some(rest) = walker.rest_span("undecoded", depth, end) {
            walker.found.push_back(Ok(rest));
        }
        // Only a frame gives the start of the next packet.
        if !std::mem::take(&mut walker.resolver.framed) || walker.resolver.missing > 0 {
            walker.done = true;
        }
    }
}

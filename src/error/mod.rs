//! The one public error type: what class of fault, which named rule, where, on what path.

use std::fmt;
use std::io;
use std::sync::Arc;

/// What kind of answer an error is. Every [`Rule`] belongs to one class, except that running out of
/// input is [`Class::Incomplete`] wherever more input would help (not inside a frame that is whole).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Class {
    /// The input stops too early: at least `needed` more bytes are missing. Not a fault when more
    /// input may still arrive.
    Incomplete {
        /// A lower bound of the number of bytes that are missing.
        needed: u64,
    },
    /// The bytes (or the text, or the JSON) are wrong, and more input would not mend them.
    Malformed,
    /// A limit of the engine or of [`Limits`](crate::Limits) would be exceeded.
    Limit,
    /// Something the caller did not allow, such as objects in full form.
    Unsupported,
    /// The value has no form in the dialect it should be written in.
    Inexpressible,
    /// A complete value is followed by more bytes.
    Trailing,
    /// The reader or writer underneath failed.
    Io,
}

impl Class {
    /// The class's stable name, for scripts.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Incomplete { .. } => "incomplete",
            Self::Malformed => "malformed",
            Self::Limit => "limit",
            Self::Unsupported => "unsupported",
            Self::Inexpressible => "inexpressible",
            Self::Trailing => "trailing",
            Self::Io => "io",
        }
    }
}

macro_rules! rules {
    ($( $(#[doc = $doc:literal])+ $variant:ident = $name:literal, $class:ident; )+) => {
        /// The rules that bytes, values and texts can break. The names are stable: tests, generators
        /// and scripts may rely on them.
        #[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
        #[non_exhaustive]
        pub enum Rule { $( $(#[doc = $doc])+ $variant, )+ }

        impl Rule {
            /// Every rule, in the order of its declaration.
            pub const ALL: &'static [Self] = &[ $( Self::$variant, )+ ];

            /// The rule's stable name, such as `string.padding`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $( Self::$variant => $name, )+ }
            }

            /// What the rule demands, in a sentence.
            #[must_use]
            pub const fn description(self) -> &'static str {
                match self { $( Self::$variant => concat!($($doc),+), )+ }
            }

            /// The class of an error that breaks this rule (when it is not for want of input).
            #[must_use]
            pub const fn class(self) -> Class {
                match self { $( Self::$variant => Class::$class, )+ }
            }
        }
    };
}

rules! {
    /// The input holds all the bytes that its headers, lengths and counts announce.
    InputComplete = "input.complete", Malformed;
    /// Nothing follows the value.
    InputTrailing = "input.trailing", Trailing;
    /// The reader or writer underneath works.
    InputIo = "input.io", Io;
    /// The length word before a packet is not negative.
    FrameLength = "frame.length", Malformed;
    /// The packet fills the length that its frame announces.
    FrameFilled = "frame.filled", Malformed;
    /// Compressed and encrypted files nest no deeper than four layers.
    ContainerDepth = "container.depth", Limit;
    /// Nothing follows a compressed or encrypted file.
    ContainerTrailing = "container.trailing", Trailing;
    /// A compressed file starts with `GCPF`.
    GcpfMagic = "gcpf.magic", Malformed;
    /// The mode of a compressed file is one of the engines' compressions.
    GcpfMode = "gcpf.mode", Malformed;
    /// The block size of a compressed file is not 0.
    GcpfBlockSize = "gcpf.block_size", Malformed;
    /// A block of a compressed file unpacks to the bytes that are missing, at most the block size, and
    /// is used up by that.
    GcpfBlock = "gcpf.block", Malformed;
    /// A content that is compressed is at most 4294967295 bytes long.
    GcpfLength = "gcpf.length", Inexpressible;
    /// A compressed file is written in a compression that engines write, too (so not in Brotli).
    GcpfWritten = "gcpf.written", Inexpressible;
    /// An encrypted file starts with `GDEC`.
    GdecMagic = "gdec.magic", Malformed;
    /// For an encrypted file a key or password is given.
    GdecKeyGiven = "gdec.key_given", Unsupported;
    /// The key of an encrypted file is the right one, and the file is undamaged: its content has the
    /// MD5 sum that stands in its head.
    GdecKey = "gdec.key", Malformed;
    /// The content of an encrypted file is filled up with zeros to a multiple of 16 bytes.
    GdecPadding = "gdec.padding", Malformed;
    /// The type id is one of the dialect's table.
    HeaderTypeId = "header.type_id", Malformed;
    /// The header word sets only the flags that mean something for the type.
    HeaderFlags = "header.flags", Malformed;
    /// A bool is 0 or 1.
    BoolValue = "bool.value", Malformed;
    /// Components of 64 bits that 32 do not hold are read into a `Variant<f64>`.
    RealFits = "real.fits", Unsupported;
    /// An int is written in the width that the engine's encoder chooses for its value.
    IntWidth = "int.width", Malformed;
    /// A float is written in the width that the engine's encoder chooses for its value.
    FloatWidth = "float.width", Malformed;
    /// A NaN in 32 bits is a quiet one: to the engine a float has 64, and widening makes it one.
    FloatNan = "float.nan", Malformed;
    /// Real components are written in the precision of the engine's build.
    RealPrecision = "real.precision", Malformed;
    /// A string's length is not negative.
    StringLength = "string.length", Malformed;
    /// A string's bytes are UTF-8 as the engine decodes it.
    StringUtf8 = "string.utf8", Malformed;
    /// A string's bytes are what the engine would write for its text: no zero byte, no byte order
    /// mark, shortest forms.
    StringCanonical = "string.canonical", Malformed;
    /// A string is padded to a multiple of four, with zeros.
    StringPadding = "string.padding", Malformed;
    /// A string inside a string array ends with one zero byte that its length counts.
    StringTerminator = "string.terminator", Malformed;
    /// Bytes are padded to a multiple of four, with zeros.
    BytesPadding = "bytes.padding", Malformed;
    /// The name count of a NodePath has its top bit set (the form with separate names).
    NodePathForm = "node_path.form", Malformed;
    /// A NodePath sets only the flags its engine writes.
    NodePathFlags = "node_path.flags", Malformed;
    /// A NodePath's name and subname counts do not wrap around when they are added.
    NodePathCounts = "node_path.counts", Malformed;
    /// A count is not negative.
    ArrayCount = "array.count", Malformed;
    /// The top bit of a container's count is set only where the engine has shared containers.
    ContainerShared = "container.shared", Malformed;
    /// A typed container's element type is one of the dialect's table.
    ContainerElementType = "container.element_type", Malformed;
    /// A typed container's element type is in the form its encoder writes.
    ContainerElementForm = "container.element_form", Malformed;
    /// A typed container's elements are of its element type.
    ContainerElement = "container.element", Malformed;
    /// A dictionary's keys differ.
    DictionaryKeys = "dictionary.keys", Malformed;
    /// Containers nest no deeper than the engine reads.
    DepthLimit = "depth.limit", Limit;
    /// What a length or count announces stays within the caller's limits.
    SizeLimit = "size.limit", Limit;
    /// An object in full form is read only where the caller allows objects.
    ObjectAllowed = "object.allowed", Unsupported;
    /// An object is in the form its encoder writes (a null object is a plain null where the engine
    /// says so).
    ObjectForm = "object.form", Malformed;
    /// An object's property count is not negative.
    ObjectPropertyCount = "object.property_count", Malformed;
    /// An image's format is one of the 23 of Godot 2 and its data has the size the format demands.
    ImageFormat = "image.format", Malformed;
    /// An input event's length word agrees with its type.
    InputEventLength = "input_event.length", Malformed;
    /// An input event's type is one of the nine of Godot 2.
    InputEventType = "input_event.type", Malformed;
    /// An ALB1 file starts with `ALB1` and format version 1.
    Alb1Header = "alb1.header", Malformed;
    /// The two tables of an ALB1 file have the ids 2 and 3 and the type byte 0x0F.
    Alb1Table = "alb1.table", Malformed;
    /// The type of a field is 0x01 to 0x15.
    Alb1FieldType = "alb1.field_type", Malformed;
    /// An object or array fills the bytes that its size word announces, and these lie within what
    /// encloses it.
    Alb1BlobSize = "alb1.blob_size", Malformed;
    /// The content of an array is so many fields as its count says, or so many bytes.
    Alb1Array = "alb1.array", Malformed;
    /// A string holds at most 65535 bytes, an array of numbers at most 255 numbers, an object or
    /// array at most 4 GiB.
    Alb1Length = "alb1.length", Inexpressible;
    /// A node of the quadtree has children as its kind and child mask say.
    Alb1TreeNode = "alb1.tree.node", Malformed;
    /// The counts of a quadtree are not negative.
    Alb1TreeCount = "alb1.tree.count", Malformed;
    /// The quadtree fills its array.
    Alb1TreeFilled = "alb1.tree.filled", Malformed;
    /// A quadtree that is written has as many parts as its masks and counts say.
    Alb1TreeParts = "alb1.tree.parts", Inexpressible;
    /// The boxes of a quadtree are numbers of the width that its version has.
    Alb1TreeBox = "alb1.tree.box", Inexpressible;
    /// The levels of a quadtree are those that Terrain Builder makes.
    Alb1TreeGrid = "alb1.tree.grid", Inexpressible;
    /// An object lies within the root box of the quadtree.
    Alb1TreePlace = "alb1.tree.place", Inexpressible;
    /// A path leads to a field of the document.
    Alb1Path = "alb1.path", Malformed;
    /// An edit keeps the type of a field, the likeness of an array's elements and the difference of
    /// addresses.
    Alb1Edit = "alb1.edit", Inexpressible;
    /// A change of paths leaves every pair of an array its own key.
    Alb1Key = "alb1.key", Inexpressible;
    /// A text that is to be a value is one of the field's type.
    Alb1Value = "alb1.value", Malformed;
    /// A field of a known class has the type that the class gives it.
    Alb1Class = "alb1.class", Malformed;
    /// A line of an object list is what Terrain Builder imports:
    /// `"template";X;Y;yaw;pitch;roll;scale;Z;`.
    ObjectListLine = "object_list.line", Malformed;
    /// An object of a list has numbers and names that the form of the list can hold.
    ObjectListEntry = "object_list.entry", Inexpressible;
    /// The template of an object that a list puts into a layer is known: to the layer, to a template
    /// library, or by its hash; or it is said to which library it belongs.
    ObjectListTemplate = "object_list.template", Malformed;
    /// An object that a list puts into a layer is in the box of the layer's tree.
    ObjectListPlace = "object_list.place", Malformed;
    /// The numbers of an object that a list puts into a layer are finite, its scale is above 0, and
    /// its angles and height are not beyond any map.
    ObjectListNumber = "object_list.number", Malformed;
    /// The layer that a line of an object list names is there.
    ObjectListLayer = "object_list.layer", Malformed;
    /// A template library is well-formed XML of Terrain Builder.
    TemplateLibrary = "template_library.xml", Malformed;
    /// A capture is a file in the form of pcap or pcapng, whole to its end.
    CaptureFile = "capture.file", Malformed;
    /// A recorded packet is of the kind that its conversation has.
    CapturePacket = "capture.packet", Malformed;
    /// The status of an answer in the decoder protocol is 0, 1 or 2.
    ProtocolStatus = "protocol.status", Malformed;
    /// What is sent in the decoder protocol is as short as its length word can say, and an answer at
    /// most 1 GiB.
    ProtocolLength = "protocol.length", Malformed;
    /// The dialect has this type.
    TypeInDialect = "dialect.type", Inexpressible;
    /// The dialect can hold this value of the type.
    ValueInDialect = "dialect.value", Inexpressible;
    /// A value that is converted has an exact counterpart in the other dialect.
    ConversionLoss = "convert.loss", Inexpressible;
    /// The text is in the engine's text form.
    TextSyntax = "text.syntax", Malformed;
    /// The JSON is well formed and in the form that `formwork decode` prints.
    JsonSyntax = "json.syntax", Malformed;
    /// A value is of a type that the Rust type is read from.
    SerdeType = "serde.type", Malformed;
    /// A value is one that the Rust type has: in the range of its numbers, for example.
    SerdeValue = "serde.value", Malformed;
    /// A list has as many elements as the Rust type.
    SerdeLength = "serde.length", Malformed;
    /// A dictionary has the fields of the Rust struct, each once.
    SerdeField = "serde.field", Malformed;
    /// The name of an enum's variant is one that the Rust enum has.
    SerdeVariant = "serde.variant", Malformed;
    /// The `Serialize` or `Deserialize` of a Rust type is content; if not, it says why.
    SerdeMessage = "serde.message", Malformed;
}

impl Rule {
    /// Returns the description as it stands behind "that": `a bool is 0 or 1`.
    #[must_use]
    pub fn demand(self) -> String {
        let text = self.description().trim().trim_end_matches('.');
        let mut letters = text.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One step of a [`Path`].
#[derive(Clone, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// A field, by its declared name: `.value`.
    Field(&'static str),
    /// A field, by a name that the file itself gives: a tag of an ALB1 file.
    Name(Box<str>),
    /// A position in a list: `[3]`.
    Index(u64),
}

/// Where in a value a field is, in the words of the declarations: `dictionary[3].value.array[0]`.
///
/// Printed, a path of more steps than can be read leaves out those in its middle, and says so; with
/// `{:#}` it is whole.
#[derive(Clone, Debug, Default, Eq, Hash, PartialEq)]
pub struct Path(Vec<Step>);

impl Path {
    /// Adds a step at the inner end.
    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Puts another path before this one.
    #[must_use]
    pub(crate) fn under(mut self, outer: Self) -> Self {
        let mut steps = outer.0;
        steps.append(&mut self.0);
        Self(steps)
    }

    /// The steps, the outermost first.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Whether the path leads nowhere but to the top.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl From<Vec<Step>> for Path {
    fn from(steps: Vec<Step>) -> Self {
        Self(steps)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Steps shown at either end of a path too long to read.
        const SHOWN: usize = 24;
        let left_out = if f.alternate() { 0 } else { self.0.len().saturating_sub(2 * SHOWN) };
        for (position, step) in self.0.iter().enumerate() {
            if left_out > 0 && (SHOWN..SHOWN + left_out).contains(&position) {
                if position == SHOWN {
                    write!(f, ".(... {left_out} steps ...)")?;
                }
                continue;
            }
            match step {
                Step::Field(name) if position == 0 => f.write_str(name)?,
                Step::Name(name) if position == 0 => f.write_str(name)?,
                Step::Field(name) => write!(f, ".{name}")?,
                Step::Name(name) => write!(f, ".{name}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Why something could not be read or written.
///
/// One word wide; everything in it is built only when something went wrong.
#[derive(Clone, PartialEq)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    /// What the reader or writer underneath said.
    io: Option<IoError>,
    class: Class,
    rule: Rule,
    offset: u64,
    path: Path,
    expected: String,
    found: String,
}

/// An io::Error, shared, because it cannot be copied.
#[derive(Clone, Debug)]
struct IoError(Arc<io::Error>);

impl PartialEq for IoError {
    fn eq(&self, other: &Self) -> bool {
        self.0.kind() == other.0.kind() && self.0.raw_os_error() == other.0.raw_os_error()
    }
}

/// What the library's functions return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    /// An error that breaks `rule` at `offset`.
    #[cold]
    pub(crate) fn new(
        rule: Rule,
        offset: u64,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self(Box::new(Inner {
            class: rule.class(),
            io: None,
            rule,
            offset,
            path: Path::default(),
            expected: expected.into(),
            found: found.into(),
        }))
    }

    /// The input ends `needed` bytes before `what` at `offset` is complete.
    #[cold]
    pub(crate) fn incomplete(offset: u64, needed: u64, expected: String, left: u64) -> Self {
        let mut error = Self::new(Rule::InputComplete, offset, expected, format!("{left} left"));
        error.0.class = Class::Incomplete { needed };
        error
    }

    /// The reader or writer underneath failed.
    #[cold]
    pub(crate) fn io(offset: u64, error: &io::Error) -> Self {
        // An io::Error cannot be copied: what it says and what it is can.
        let copy = match error.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(error.kind(), error.to_string()),
        };
        let mut made = Self::new(Rule::InputIo, offset, "a working stream", error.to_string());
        made.0.io = Some(IoError(Arc::new(copy)));
        made
    }

    /// The same error, with `outer` before its path.
    #[cold]
    pub(crate) fn under(mut self, outer: Path) -> Self {
        self.0.path = std::mem::take(&mut self.0.path).under(outer);
        self
    }

    /// The same error, in a field of what is being read.
    #[cold]
    pub(crate) fn within(self, field: &'static str) -> Self {
        self.under(Path::from(vec![Step::Field(field)]))
    }

    /// The same error, `base` bytes further on: for input that is a part of something.
    #[cold]
    #[must_use]
    pub fn shifted(mut self, base: u64) -> Self {
        self.0.offset = self.offset() + base;
        self
    }

    /// The same error, at `offset`, if nobody said yet where it is.
    #[cfg(feature = "serde")]
    #[cold]
    pub(crate) fn at(mut self, offset: u64) -> Self {
        if self.is_nowhere() {
            self.0.offset = offset;
        }
        self
    }

    /// Whether nobody said yet where the error is: it comes from code that cannot know.
    #[cfg(feature = "serde")]
    pub(crate) fn is_nowhere(&self) -> bool {
        self.0.offset == Self::NOWHERE
    }

    /// The offset of an error before anybody said where it is.
    pub(crate) const NOWHERE: u64 = u64::MAX;

    /// The same error, where more input cannot arrive.
    #[cold]
    pub(crate) fn closed(mut self) -> Self {
        self.0.class = self.0.rule.class();
        self
    }

    /// What kind of answer this is.
    #[must_use]
    pub fn class(&self) -> Class {
        self.0.class
    }

    /// The rule that was broken.
    #[must_use]
    pub fn rule(&self) -> Rule {
        self.0.rule
    }

    /// Where in the input the fault is, in bytes from its start (for a fault in a text, in bytes of
    /// the text; when writing, in bytes of what would have been written).
    #[must_use]
    pub fn offset(&self) -> u64 {
        if self.0.offset == Self::NOWHERE { 0 } else { self.0.offset }
    }

    /// Which field it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// What should have been there.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// What was there.
    #[must_use]
    pub fn found(&self) -> &str {
        &self.0.found
    }

    /// What kind of failure it was, where the reader or writer underneath failed: after
    /// [`WouldBlock`](io::ErrorKind::WouldBlock), for example, one may try again.
    #[must_use]
    pub fn io_error_kind(&self) -> Option<io::ErrorKind> {
        self.0.io.as_ref().map(|error| error.0.kind())
    }

    /// How many more bytes are needed at least, when the input only stops too early.
    #[must_use]
    pub fn needed(&self) -> Option<u64> {
        match self.0.class {
            Class::Incomplete { needed } => Some(needed),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { class, rule, path, expected, found, .. } = &*self.0;
        let offset = self.offset();
        write!(f, "offset {offset} (0x{offset:x})")?;
        if !path.is_empty() {
            write!(f, ", {path}")?;
        }
        match expected.as_str() {
            // The words of somebody else's code.
            "" => write!(f, ": {found}")?,
            expected => write!(f, ": expected {expected}, found {found}")?,
        }
        match class {
            Class::Incomplete { needed } => write!(f, "; at least {needed} more bytes needed")?,
            class => write!(f, " ({}, rule {rule})", class.name())?,
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for Error {
    /// The [`io::Error`], where the reader or writer underneath failed.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_ref().map(|error| &*error.0 as &(dyn std::error::Error + 'static))
    }
}

/// For the streams that tokio-util drives: where in the stream it failed is not known then, and the
/// offset is 0. (Only for them: elsewhere an error says where.)
#[cfg(feature = "tokio")]
#[cfg_attr(docsrs, doc(cfg(feature = "tokio")))]
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::io(0, &error)
    }
}

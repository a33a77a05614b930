//! Layouts: types, records and their fields.

use std::fmt;

use super::expression::{low_bits, wide};
use super::{Expression, Integer};

/// Returns the layout of a type. A function, as a record may contain itself.
pub type LayoutOf = fn() -> Layout;

/// The layout of a type. Values from outside the type, such as a count, are its arguments.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Layout {
    /// A whole number.
    Integer {
        /// Its width and sign.
        number: Integer,
        /// The names of an enum's numbers.
        names: &'static [(i128, &'static str)],
        /// Whether numbers without a name are accepted.
        open: bool,
    },
    /// An IEEE 754 number of 4 or 8 bytes.
    Float(u8),
    /// Several numbers packed into one word, from the least significant bit.
    Word(&'static Word),
    /// Fields one after another.
    Record(&'static Record),
    /// One of several records.
    Choice(&'static Choice),
    /// The same bytes and arguments: `Option`, `Box`.
    Same(LayoutOf),
    /// A fixed number of elements.
    Array(u64, LayoutOf),
    /// As many elements as the argument `count`; the argument `inner` goes to the elements.
    List(LayoutOf),
    /// Elements up to the end of the region around; the argument `inner` goes to them.
    ToEnd(LayoutOf),
    /// Elements up to the one that marks itself as the last; the argument `inner` goes to them.
    Until(LayoutOf),
    /// A region of as many bytes as the argument `bytes`; the argument `inner` goes to its content.
    Within(LayoutOf),
    /// All but the last bytes, as many as the argument `left`; the argument `inner` goes to the content.
    Before(LayoutOf),
    /// All bytes up to the end of the region around, decoded; the argument `inner` goes to the content, `key` is the key.
    Coded(&'static Coding, LayoutOf),
    /// The same bytes and arguments, or nothing at the end of the region around.
    OrEnd(LayoutOf),
    /// The same bytes and arguments, which the reader of the record leaves to its caller.
    Deferred(LayoutOf),
    /// A record that the [`Family`](crate::Family) chooses by this id; deferred.
    Nested(u16),
    /// Bytes that bring the argument up to a multiple of this number.
    Padding(u64),
    /// Bytes up to the ones that end them.
    Terminated(End),
    /// A number whose length is up to its value.
    Varint(&'static VarintForm),
    /// Bytes that the schema does not look into, up to the end of the region around.
    Opaque,
}

/// Takes a number off the start of bytes, and says how many it has.
pub type Decode = fn(&[u8]) -> Result<(i128, usize), Undecoded>;

/// How a number is written whose length is up to its value.
#[derive(Debug)]
pub struct VarintForm {
    /// Its name.
    pub name: &'static str,
    /// The type of the numbers.
    pub number: Integer,
    /// Takes a number off the start of bytes, and says how many it has.
    pub decode: Decode,
    /// Returns the bytes of a number: of this length, or as few as possible.
    pub encode: fn(i128, Option<usize>) -> Option<Vec<u8>>,
    /// Returns the type of Kaitai Struct that reads a number.
    pub kaitai: fn() -> Option<String>,
}

/// Why there is no number at the start of bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Undecoded {
    /// More bytes belong to it.
    More,
    /// The fault of the bytes.
    Wrong(&'static str),
}

/// How a content is coded.
#[derive(Debug)]
pub struct Coding {
    /// Its name.
    pub name: &'static str,
    /// Whether the content has as many bytes as are in the file.
    pub is_in_place: bool,
    /// Returns the content of bytes, with a key.
    pub decode: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
    /// Returns the bytes of a content, with a key.
    pub encode: fn(&[u8], &[u8]) -> Option<Vec<u8>>,
    /// Returns the process of Kaitai Struct that decodes bytes, with an expression for the key.
    pub kaitai: fn(&str) -> Option<String>,
}

impl Coding {
    /// Returns the content of bytes, as many.
    pub(crate) fn decoded(&self, bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
        (self.decode)(bytes, key).filter(|content| content.len() == bytes.len())
    }
}

/// The end of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct End {
    /// The bytes.
    pub bytes: &'static [u8],
    /// They begin at a multiple of this many bytes after the start of the text.
    pub width: u8,
    /// The treatment of the bytes.
    pub kind: EndKind,
}

/// The treatment of the [`End`] of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EndKind {
    /// It must be there.
    Taken,
    /// It may be missing at the end of the region.
    TakenOrEnd,
    /// It stays for the next field, and may be missing.
    Left,
}

/// In words: `a zero`, `"\r\n"`.
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.bytes {
            [0] => f.write_str("a zero"),
            [0, 0] => f.write_str("two zeros"),
            bytes => write!(f, "\"{}\"", bytes.escape_ascii()),
        }
    }
}

impl Layout {
    /// Returns the number of bytes of a number, or of an array of numbers.
    #[must_use]
    pub fn bytes_of_numbers(self) -> Option<usize> {
        match self {
            // An enum's numbers are looked at one by one.
            Self::Integer { number, names: [], .. } => Some(number.bytes()),
            Self::Float(bytes) => Some(bytes.into()),
            Self::Array(count, of) => {
                usize::try_from(count).ok()?.checked_mul(of().bytes_of_numbers()?)
            }
            _ => None,
        }
    }

    /// Returns the number of bytes, where it is always the same.
    #[must_use]
    pub fn size(self) -> Option<usize> {
        match self {
            Self::Integer { number, .. } => Some(number.bytes()),
            Self::Float(bytes) => Some(bytes.into()),
            Self::Word(word) => Some(word.bytes.into()),
            Self::Record(record) => record.size,
            Self::Array(count, of) => usize::try_from(count).ok()?.checked_mul(of().size()?),
            _ => None,
        }
    }

    /// Returns the type of the number that these parts in each other lead to.
    pub(crate) fn integer_at(self, parts: &[&str]) -> Integer {
        match (self.inner(), parts) {
            (Self::Integer { number, .. }, []) => number,
            (Self::Varint(form), ["value"]) => form.number,
            (Self::Word(word), [name] | [name, "number"]) => {
                let part = word.parts.iter().find(|part| part.name == *name);
                part.map_or(Integer::ANY, WordPart::integer)
            }
            (Self::Record(record), [name, parts @ ..]) => {
                let field = record.fields.iter().find(|field| field.name == *name);
                field.map_or(Integer::ANY, |field| (field.layout)().integer_at(parts))
            }
            _ => Integer::ANY,
        }
    }

    /// Returns whether elements of a list may count as several.
    pub(crate) fn slots_of_elements(self) -> bool {
        matches!(self, Self::List(of) if of().slots().is_some())
    }

    /// Returns the expression that says how many elements of a list a value of this layout counts as.
    pub(crate) fn slots(self) -> Option<&'static Expression> {
        match self {
            Self::Record(record) => record.slots.as_ref(),
            _ => None,
        }
    }

    /// Returns the content of an `Option`, `Box`, region or deferred place.
    pub(crate) fn inner(self) -> Self {
        match self {
            Self::Same(of)
            | Self::Within(of)
            | Self::Before(of)
            | Self::OrEnd(of)
            | Self::Deferred(of) => of().inner(),
            Self::Coded(coding, of) if coding.is_in_place => of().inner(),
            other => other,
        }
    }

    /// Returns the number in an array of numbers, looking through arrays in arrays.
    pub(crate) fn number(self) -> Self {
        match self {
            Self::Array(_, of) => of().number(),
            other => other,
        }
    }
}

/// The name of the type: `u32`, `Entry`, `Entry[count]`.
impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer { number, .. } => write!(f, "{number}"),
            Self::Float(bytes) => write!(f, "f{}", u32::from(*bytes) * 8),
            Self::Word(word) => f.write_str(word.name),
            Self::Record(record) => f.write_str(record.name),
            Self::Choice(choice) => f.write_str(choice.name),
            Self::Same(of)
            | Self::Within(of)
            | Self::Before(of)
            | Self::OrEnd(of)
            | Self::Coded(_, of)
            | Self::Deferred(of) => of().fmt(f),
            Self::Nested(id) => write!(f, "nested {id}"),
            Self::Padding(_) => f.write_str("padding"),
            Self::Array(count, of) => write!(f, "{}[{count}]", of()),
            Self::List(of) | Self::ToEnd(of) | Self::Until(of) => write!(f, "{}[]", of()),
            Self::Terminated(End { bytes: [0], kind: EndKind::Taken, .. }) => {
                f.write_str("terminated text")
            }
            Self::Terminated(end) => match end.kind {
                EndKind::Taken => write!(f, "text and {end}"),
                EndKind::TakenOrEnd => write!(f, "text and {end} or end"),
                EndKind::Left => write!(f, "text before {end} or end"),
            },
            Self::Varint(form) => write!(f, "varint ({})", form.name),
            Self::Opaque => f.write_str("opaque"),
        }
    }
}

/// The order of bytes in a number.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// The order of the record around.
    Inherited,
    /// The lowest byte first.
    Little,
    /// The highest byte first.
    Big,
    /// Big if the condition has this truth, else little.
    If(Expression, bool),
}

/// The arguments that a field hands to its type.
#[derive(Clone, Copy, Debug)]
pub enum Arguments {
    /// Nothing.
    None,
    /// One value.
    One(Expression),
    /// Several; those in order have the name `""`.
    Many(&'static [(&'static str, Arguments)]),
}

impl Arguments {
    /// Returns those of what is inside of a list, a region or a code.
    pub(crate) fn inner(&self) -> &Self {
        self.named("inner").or_else(|| self.named("each")).unwrap_or(&Self::None)
    }

    /// Returns the one of this name.
    pub(crate) fn named(&self, name: &str) -> Option<&Self> {
        let Self::Many(all) = self else { return None };
        all.iter().find(|it| it.0 == name).map(|it| &it.1)
    }

    /// Calls a function with each expression.
    fn expressions(&self, call: &mut dyn FnMut(&Expression)) {
        match self {
            Self::None => {}
            Self::One(expression) => call(expression),
            Self::Many(all) => all.iter().for_each(|(_, inner)| inner.expressions(call)),
        }
    }
}

/// Fields one after another.
#[derive(Debug)]
pub struct Record {
    /// The name of the declared type or variant.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The names and types of `import`.
    pub parameters: &'static [(&'static str, Integer)],
    /// The fields in the order of the file.
    pub fields: &'static [Field],
    /// The conditions of `assert` above the type.
    pub checks: &'static [Check],
    /// The order of bytes.
    pub order: Order,
    /// When the record is the last of its list.
    pub last: Option<Expression>,
    /// The number of elements of its list that it counts as, where that is not one.
    pub slots: Option<Expression>,
    /// The checksums.
    pub sums: &'static [Checksum],
    /// Looks at other places of the file.
    pub views: &'static [View],
    /// Whether it may contain itself.
    pub is_deep: bool,
    /// How many records may be in each other.
    pub deepest: u32,
    /// Its bytes, where that is always the same number.
    pub size: Option<usize>,
    /// Whether it ends where the region around does: its expressions use what is left of that.
    pub ends: bool,
}

impl Record {
    /// Returns a record that has these fields and no conditions.
    #[must_use]
    pub const fn of(
        name: &'static str,
        parameters: &'static [(&'static str, Integer)],
        fields: &'static [Field],
    ) -> Self {
        Self {
            name,
            doc: "",
            parameters,
            fields,
            checks: &[],
            order: Order::Inherited,
            last: None,
            slots: None,
            sums: &[],
            views: &[],
            is_deep: false,
            deepest: 0,
            size: None,
            ends: false,
        }
    }

    /// Calls a function with each expression.
    pub(crate) fn expressions(&self, call: &mut dyn FnMut(&Expression)) {
        let order = |order: &Order, call: &mut dyn FnMut(&Expression)| {
            if let Order::If(condition, _) = order {
                call(condition);
            }
        };
        order(&self.order, call);
        for field in self.fields {
            order(&field.order, call);
            field.when.iter().chain(&field.computed).for_each(&mut *call);
            field.arguments.expressions(call);
            field.checks.iter().for_each(|check| call(&check.condition));
        }
        self.checks.iter().for_each(|check| call(&check.condition));
        self.last.iter().chain(&self.slots).for_each(&mut *call);
        for view in self.views {
            call(&view.at);
            if let ViewBytes::Count(bytes) = &view.bytes {
                call(bytes);
            }
            view.arguments.expressions(call);
            view.when.iter().for_each(&mut *call);
        }
    }
}

/// One of several records. The first variant whose conditions hold and whose magic is there is the one that is read.
#[derive(Debug)]
pub struct Choice {
    /// The name of the enum.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// The names and types of `import`.
    pub parameters: &'static [(&'static str, Integer)],
    /// The variants in the order in which they are tried.
    pub variants: &'static [Variant],
    /// Whether it may contain itself.
    pub is_deep: bool,
    /// How many records may be in each other.
    pub deepest: u32,
}

/// A variant of a [`Choice`]. Its magic is the first field of its record.
#[derive(Debug)]
pub struct Variant {
    /// Conditions on the parameters.
    pub when: &'static [Expression],
    /// Its fields.
    pub record: Record,
}

/// A field of a [`Record`].
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The declared name; empty for the only field of a tuple, which paths do not name.
    pub name: &'static str,
    /// The doc comment.
    pub doc: &'static str,
    /// Returns the layout of its type.
    pub layout: LayoutOf,
    /// When it is there.
    pub when: Option<Expression>,
    /// The arguments that it hands to its type.
    pub arguments: Arguments,
    /// The conditions of `assert`.
    pub checks: &'static [Check],
    /// The order of bytes.
    pub order: Order,
    /// Bytes that are always the same.
    pub magic: Option<Magic>,
    /// The expression of a field without bytes.
    pub computed: Option<Expression>,
    /// The meaning of its bytes.
    pub meaning: Meaning,
    /// Its bytes, where that is always the same number.
    pub size: Option<usize>,
    /// Whether paths leave it out.
    pub inline: bool,
    /// Whether an expression uses it.
    pub used: bool,
}

impl Field {
    /// A field without a name, which the derive starts from.
    #[doc(hidden)]
    pub const EMPTY: Self = Self {
        name: "",
        doc: "",
        layout: || Layout::Opaque,
        when: None,
        arguments: Arguments::None,
        checks: &[],
        order: Order::Inherited,
        magic: None,
        computed: None,
        meaning: Meaning::Plain,
        size: None,
        inline: false,
        used: false,
    };
}

/// Bytes that are always the same.
#[derive(Clone, Copy, Debug)]
pub struct Magic {
    /// The bytes; of a number the highest first.
    pub bytes: &'static [u8],
    /// Whether they are a number, whose order of bytes is that of the record.
    pub is_number: bool,
}

impl Magic {
    /// Returns the bytes in this order.
    pub(crate) fn bytes(self, big: bool) -> Vec<u8> {
        let mut bytes = self.bytes.to_vec();
        if self.is_number && !big {
            bytes.reverse();
        }
        bytes
    }
}

/// The meaning of bytes, beyond their layout.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Meaning {
    /// No more than the layout.
    Plain,
    /// A text in UTF-8; in a place of fixed size zeros fill the rest.
    Text,
    /// A text in UTF-8, after which its place is filled with this byte.
    Filled(u8),
    /// A text in UTF-8 up to the first byte of this kind; what follows in its place is kept. The other byte is written
    /// there.
    Ended(u8, u8),
    /// A text in UTF-16, in the order of bytes of the record; in a place of fixed size zeros fill the rest.
    Utf16,
    /// A text in UTF-8 and a zero that is counted with it.
    Terminated,
    /// A text whose bytes are combined with this one by XOR: in UTF-8, or in UTF-32 where its elements have four bytes.
    Masked(u8),
    /// Bytes or a number in hexadecimal.
    Hex,
    /// Letters, one in each byte.
    Letters,
    /// Zeros.
    Zero,
    /// Numbers of which some have names.
    Names(&'static [(i128, &'static str)]),
    /// A number whose names a [`Family`](crate::Family) knows, under this id.
    Family(u16),
}

/// A condition that must hold.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The condition.
    pub condition: Expression,
    /// Its text.
    pub text: &'static str,
    /// The declared message for values that break it.
    pub message: Option<&'static str>,
}

/// A checksum over the bytes of some fields of its record.
#[derive(Clone, Copy, Debug)]
pub struct Checksum {
    /// The function, as it is declared.
    pub name: &'static str,
    /// The position of the field that holds the sum.
    pub slot: usize,
    /// Computes the sum, its highest byte first.
    pub digest: fn(&[u8]) -> Vec<u8>,
    /// The position of the first field.
    pub from: usize,
    /// The position of the last field.
    pub to: usize,
    /// The byte that is in place of the sum meanwhile, where the sum is over itself.
    pub with: Option<u8>,
}

/// A look at another place of the file.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The name.
    pub name: &'static str,
    /// The layout of the viewed bytes.
    pub layout: LayoutOf,
    /// The offset, from the start of the file or of what `from` says.
    pub at: Expression,
    /// The origin of the offset.
    pub from: ViewFrom,
    /// The bytes.
    pub bytes: ViewBytes,
    /// The arguments of its type.
    pub arguments: Arguments,
    /// When there is something to look at.
    pub when: Option<Expression>,
}

/// The origin of the offset of a [`View`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ViewFrom {
    /// The start of the outermost record.
    File,
    /// The start of the record that has the view.
    Record,
    /// The start of the field at this position of the record.
    Field(usize),
    /// The start of the innermost region around the record.
    Region,
}

/// The bytes of a [`View`].
#[derive(Clone, Copy, Debug)]
pub enum ViewBytes {
    /// As many as the expression says: the type fills them.
    Count(Expression),
    /// All up to the end of the file: the type fills them.
    Rest,
    /// Up to where the type ends.
    Open,
}

/// A bit-packed word.
#[derive(Debug)]
pub struct Word {
    /// The name of the declared type.
    pub name: &'static str,
    /// Its doc comment.
    pub doc: &'static str,
    /// Its width in bytes, 1 to 16.
    pub bytes: u8,
    /// The parts, from the least significant bit, or from the most significant one where `is_high`.
    pub parts: &'static [WordPart],
    /// Whether the first part has the highest bits.
    pub is_high: bool,
    /// Whether the highest byte is first; nothing where that is up to the record around.
    pub is_big: Option<bool>,
}

/// A part of a [`Word`].
#[derive(Debug)]
pub struct WordPart {
    /// The declared name.
    pub name: &'static str,
    /// The doc comment.
    pub doc: &'static str,
    /// Its width in bits; a part of one bit is a flag.
    pub width: u8,
    /// The meaning of its bits.
    pub meaning: Meaning,
    /// Whether all its numbers have names: others are refused.
    pub is_closed: bool,
}

impl WordPart {
    /// Returns the type of its number in expressions: a truth, or a number.
    #[must_use]
    pub const fn integer(&self) -> Integer {
        if self.width == 1 { Integer::BOOL } else { Integer::ANY }
    }

    /// Returns whether its bits are always zero.
    pub(crate) fn is_zero(&self) -> bool {
        self.meaning == Meaning::Zero
    }
}

impl Word {
    /// Returns the lowest bit and the width of a part.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<(u32, u32)> {
        let found = self.places().find(|(part, _)| part.name == name);
        found.map(|(part, low)| (low, part.width.into()))
    }

    /// Returns the bits that are declared to be zero, of the lowest 64.
    #[must_use]
    pub const fn zero_bits(&self) -> u64 {
        let (mut bits, mut before, mut at) = (0, 0, 0);
        while at < self.parts.len() {
            let part = &self.parts[at];
            let width = part.width as u32;
            let whole = 8 * self.bytes as u32;
            let low = if self.is_high { whole.saturating_sub(before + width) } else { before };
            if matches!(part.meaning, Meaning::Zero) {
                bits |= Self::mask((low, width));
            }
            before += width;
            at += 1;
        }
        bits as u64
    }

    /// Returns each part with its lowest bit.
    pub(crate) fn places(&self) -> impl Iterator<Item = (&'static WordPart, u32)> + use<> {
        let (mut at, whole, is_high) = (0, 8 * u32::from(self.bytes), self.is_high);
        self.parts.iter().map(move |part| {
            let width = u32::from(part.width);
            let low = if is_high { whole.saturating_sub(at + width) } else { at };
            at += width;
            (part, low)
        })
    }

    /// Returns each part with its value in the word `raw`.
    pub fn values<N: Into<u128>>(
        &self,
        raw: N,
    ) -> impl Iterator<Item = (&'static WordPart, u64)> + use<N> {
        let raw: u128 = raw.into();
        self.places().map(move |(part, low)| {
            let value = raw.checked_shr(low).unwrap_or(0) as u64;
            (part, value & low_bits(part.width.into()))
        })
    }

    /// Returns a part that has only some numbers, and another one.
    pub(crate) fn unnamed(&self, raw: u128) -> Option<(&'static WordPart, u64)> {
        self.values(raw).find(|(part, value)| match part.meaning {
            Meaning::Names(names) if part.is_closed => {
                !names.iter().any(|it| it.0 == i128::from(*value))
            }
            _ => false,
        })
    }

    /// Returns the word of the numbers of its parts in turn; nothing where one has more bits than its part.
    #[doc(hidden)]
    #[must_use]
    pub fn packed(&self, numbers: &[u64]) -> Option<u128> {
        self.places().zip(numbers).try_fold(0, |raw, ((part, low), number)| {
            let width = part.width.into();
            (*number <= low_bits(width)).then(|| Self::with(raw, (low, width), *number))
        })
    }

    /// Returns the word in these bytes, whose order is big endian or not.
    #[must_use]
    pub fn read(bytes: &[u8], big: bool) -> u128 {
        wide(bytes, big)
    }

    /// Returns the word with another number in a part, whose lowest bit and width these are.
    pub(crate) const fn with(raw: u128, (low, width): (u32, u32), number: u64) -> u128 {
        raw & !Self::mask((low, width)) | (number as u128) << low
    }

    /// Returns the bits of a part, whose lowest bit and width these are.
    pub(crate) const fn mask((low, width): (u32, u32)) -> u128 {
        (low_bits(width) as u128) << low
    }
}

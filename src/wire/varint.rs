//! Numbers whose length is up to their value.

use std::fmt;

use binrw::io::{Read, Seek, Write};
use binrw::meta::{EndianKind, ReadEndian, WriteEndian};
use binrw::{BinRead, BinResult, BinWrite, Endian};

use super::{raise, rule};
use crate::error::Error;
pub use crate::schema::Undecoded;
use crate::schema::{Integer, Layout, Schema, Shape, VarintForm};

/// A form of [`Varint`]: one of this module, or your own.
///
/// ```
/// use formwork::wire::{Undecoded, Varint, VarintKind};
///
/// /// One byte, or a 255 and two bytes.
/// enum Short {}
///
/// impl VarintKind for Short {
///     type Number = u64;
///     const NAME: &'static str = "one byte, or 255 and two bytes";
///
///     fn decode(bytes: &[u8]) -> Result<(u64, usize), Undecoded> {
///         match *bytes {
///             [byte @ ..255, ..] => Ok((byte.into(), 1)),
///             [255, low, high, ..] => Ok((u16::from_le_bytes([low, high]).into(), 3)),
///             _ => Err(Undecoded::More),
///         }
///     }
///
///     fn encode(number: u64, length: Option<usize>) -> Option<Vec<u8>> {
///         match (u8::try_from(number), length.unwrap_or(if number < 255 { 1 } else { 3 })) {
///             (Ok(byte @ ..255), 1) => Some(vec![byte]),
///             (_, 3) => Some([&[255][..], &u16::try_from(number).ok()?.to_le_bytes()].concat()),
///             _ => None,
///         }
///     }
/// }
///
/// assert_eq!(Varint::<Short>::new(7).value(), 7);
/// ```
pub trait VarintKind: 'static {
    /// The type of the numbers.
    type Number: VarintNumber;
    /// The name of the form, in words.
    const NAME: &'static str;
    /// Whether [`decode`](Self::decode) takes the shortest form only.
    const IS_SHORTEST: bool = false;

    /// Takes a number off the start of bytes: the number, and how many bytes it has.
    ///
    /// # Errors
    ///
    /// Fails if there are more bytes to come, or if these are no number.
    fn decode(bytes: &[u8]) -> Result<(Self::Number, usize), Undecoded>;

    /// Returns the bytes of a number: of this length, or as few as possible. [`None`] if the form has none.
    fn encode(number: Self::Number, length: Option<usize>) -> Option<Vec<u8>>;

    /// Returns the type of Kaitai Struct that reads a number, for `record::ksy`: YAML with `seq`,
    /// in which `value` is the number. [`None`] where there is none.
    #[must_use]
    fn kaitai() -> Option<String> {
        None
    }
}

/// A type of the numbers of a [`Varint`].
pub trait VarintNumber: Copy + fmt::Debug + Default + Eq + Into<i128> + TryFrom<i128> {
    /// The type in expressions.
    const INTEGER: Integer;
}

macro_rules! numbers {
    ($($ty:ident $signed:literal),+) => { $(
        impl VarintNumber for $ty {
            const INTEGER: Integer = Integer { bits: $ty::BITS as u8, signed: $signed };
        }
    )+ };
}

numbers!(u8 false, i8 true, u16 false, i16 true, u32 false, i32 true, u64 false, i64 true);

/// The lowest group of seven bits first, in the shortest form: DWARF, protobuf.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Leb128;

/// The lowest group of seven bits first, in any length up to ten bytes: WebAssembly.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PaddedLeb128;

/// The same of a signed number in two's complement.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SignedLeb128;

/// The highest group of seven bits first, one added between groups: the offsets of git.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Git;

/// The highest group of seven bits first: MIDI.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Midi;

/// The highest group of seven bits first, up to nine bytes, of which the ninth has eight bits: SQLite.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Sqlite;

/// A byte up to 252, or 253, 254, 255 and two, four, eight bytes, the lowest first: Bitcoin.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct CompactSize;

/// `BYTES` bytes, the lowest first: `Varint<LittleBytes<3>>` is a number of 24 bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct LittleBytes<const BYTES: usize>;

/// `BYTES` bytes, the highest first: `Varint<BigBytes<3>>` is a number of 24 bits.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct BigBytes<const BYTES: usize>;

/// Groups of seven bits, of which all but the last have the highest bit.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Groups {
    Lowest,
    Git,
    Highest,
}

/// Returns a type of Kaitai Struct for a number in groups, of which each makes a number of the one before.
fn grouped((start, number): (&str, &str), last: &str, value: &str, holds: &str) -> String {
    format!(
        "seq:
  - id: groups
    type: \"group(_index, _index == 0 ? {start} : groups[_index - 1].number)\"
    repeat: until
    repeat-until: _.is_last
  - id: holds
    size: 0
    valid:
      expr: \"{holds}\"
instances:
  value:
    value: \"{value}\"
types:
  group:
    params:
      - id: index
        type: u1
      - id: before
        type: s8
    seq:
      - id: byte
        type: u1
    instances:
      is_last:
        value: \"{last}\"
      number:
        value: \"{number}\"
"
    )
}

const LONG: Undecoded = Undecoded::Wrong("a longer form than needed");
const LARGE: Undecoded = Undecoded::Wrong("more than 64 bits");

impl Groups {
    #[inline]
    fn decode(self, bytes: &[u8], is_padded: bool) -> Result<(u64, usize), Undecoded> {
        let mut number = 0_u64;
        for (index, byte) in bytes.iter().enumerate() {
            let group = u64::from(byte & 127);
            let next = match self {
                Self::Lowest if index > 0 && *byte == 0 && !is_padded => return Err(LONG),
                Self::Lowest if index >= 10 => None,
                Self::Lowest => {
                    let high = 7 * index as u32;
                    group.checked_shl(high).filter(|it| it >> high == group).map(|it| number | it)
                }
                Self::Highest if index == 0 && *byte == 0x80 => return Err(LONG),
                Self::Git | Self::Highest if index == 0 => Some(group),
                Self::Git => {
                    number.checked_add(1).and_then(|it| it.checked_mul(128)).map(|it| it | group)
                }
                Self::Highest => number.checked_mul(128).map(|it| it | group),
            };
            number = next.ok_or(LARGE)?;
            if *byte < 128 {
                return Ok((number, index + 1));
            }
        }
        Err(Undecoded::More)
    }

    /// Returns the type of Kaitai Struct.
    fn kaitai(self, is_padded: bool) -> String {
        let (start, number) = match self {
            Self::Lowest => ("0", "before | ((byte & 127) << (7 * index))"),
            Self::Git => ("-1", "((before + 1) << 7) | (byte & 127)"),
            Self::Highest => ("0", "(before << 7) | (byte & 127)"),
        };
        let least = match self {
            Self::Lowest if !is_padded => " and (groups.size == 1 or groups.last.byte != 0)",
            Self::Highest => " and groups[0].byte != 128",
            _ => "",
        };
        let holds = format!("groups.size <= 10 and value <= {}{least}", u64::MAX);
        grouped((start, number), "byte < 128", "groups.last.number", &holds)
    }

    fn encode(self, mut number: u64) -> Vec<u8> {
        let mut bytes = vec![(number & 127) as u8];
        loop {
            number >>= 7;
            if number == 0 {
                break;
            }
            if self == Self::Git {
                number -= 1;
            }
            bytes.push((number & 127) as u8);
        }
        // All but the last byte in the file have the highest bit.
        if self != Self::Lowest {
            bytes.reverse();
        }
        let last = bytes.len() - 1;
        bytes[..last].iter_mut().for_each(|byte| *byte |= 128);
        bytes
    }
}

/// Makes LEB128 longer: the bytes that follow have only the bits of the sign.
fn lengthened(mut bytes: Vec<u8>, length: Option<usize>, filler: u8) -> Option<Vec<u8>> {
    let Some(length) = length else { return Some(bytes) };
    if !(bytes.len()..=10).contains(&length) {
        return None;
    }
    while bytes.len() < length {
        if let Some(last) = bytes.last_mut() {
            *last |= 128;
        }
        bytes.push(filler);
    }
    Some(bytes)
}

/// Returns the only form, if that is the one that is asked for.
fn only(bytes: Vec<u8>, length: Option<usize>) -> Option<Vec<u8>> {
    length.is_none_or(|length| length == bytes.len()).then_some(bytes)
}

macro_rules! groups {
    ($($kind:ident $name:literal $groups:ident;)+) => { $(
        impl VarintKind for $kind {
            type Number = u64;
            const NAME: &'static str = $name;
            const IS_SHORTEST: bool = true;

            #[inline]
            fn decode(bytes: &[u8]) -> Result<(u64, usize), Undecoded> {
                Groups::$groups.decode(bytes, false)
            }

            fn encode(number: u64, length: Option<usize>) -> Option<Vec<u8>> {
                only(Groups::$groups.encode(number), length)
            }

            fn kaitai() -> Option<String> {
                Some(Groups::$groups.kaitai(false))
            }
        }
    )+ };
}

groups! {
    Leb128 "LEB128" Lowest;
    Git "git" Git;
    Midi "MIDI" Highest;
}

impl VarintKind for PaddedLeb128 {
    type Number = u64;
    const NAME: &'static str = "LEB128 of any length";

    fn decode(bytes: &[u8]) -> Result<(u64, usize), Undecoded> {
        Groups::Lowest.decode(bytes, true)
    }

    fn encode(number: u64, length: Option<usize>) -> Option<Vec<u8>> {
        lengthened(Groups::Lowest.encode(number), length, 0)
    }

    fn kaitai() -> Option<String> {
        Some(Groups::Lowest.kaitai(true))
    }
}

impl VarintKind for SignedLeb128 {
    type Number = i64;
    const NAME: &'static str = "signed LEB128";

    fn decode(bytes: &[u8]) -> Result<(i64, usize), Undecoded> {
        let mut number = 0_i128;
        for (index, byte) in bytes.iter().take(10).enumerate() {
            number |= i128::from(byte & 127) << (7 * index);
            if *byte < 128 {
                let width = 7 * (index + 1);
                let number = if byte & 64 != 0 { number - (1 << width) } else { number };
                return i64::try_from(number).map(|it| (it, index + 1)).map_err(|_| LARGE);
            }
        }
        Err(if bytes.len() < 10 { Undecoded::More } else { LARGE })
    }

    fn encode(number: i64, length: Option<usize>) -> Option<Vec<u8>> {
        let (mut left, mut bytes) = (number, Vec::new());
        loop {
            let byte = (left & 127) as u8;
            left >>= 7;
            if left == if byte & 64 != 0 { -1 } else { 0 } {
                bytes.push(byte);
                break;
            }
            bytes.push(byte | 128);
        }
        lengthened(bytes, length, if number < 0 { 0x7f } else { 0 })
    }

    fn kaitai() -> Option<String> {
        let number = "before | ((byte & 127) << (7 * index))";
        let value = "(groups.last.byte & 64) != 0 \
            ? groups.last.number - (1 << (7 * groups.size)) : groups.last.number";
        let holds =
            format!("groups.size <= 10 and value >= {} and value <= {}", i64::MIN, i64::MAX);
        Some(grouped(("0", number), "byte < 128", value, &holds))
    }
}

impl VarintKind for Sqlite {
    type Number = i64;
    const NAME: &'static str = "SQLite";

    fn decode(bytes: &[u8]) -> Result<(i64, usize), Undecoded> {
        let mut number = 0_u64;
        for (index, byte) in bytes.iter().enumerate() {
            if index == 8 {
                return Ok(((number << 8 | u64::from(*byte)) as i64, 9));
            }
            number = number << 7 | u64::from(byte & 127);
            if *byte < 128 {
                return Ok((number as i64, index + 1));
            }
        }
        Err(Undecoded::More)
    }

    fn encode(number: i64, length: Option<usize>) -> Option<Vec<u8>> {
        let raw = number as u64;
        let least = if raw >> 56 != 0 { 9 } else { Groups::Highest.encode(raw).len() };
        let length = length.unwrap_or(least);
        if !(least..=9).contains(&length) {
            return None;
        }
        let (mut left, mut bytes) = (raw, Vec::new());
        if length == 9 {
            bytes.push(left as u8);
            left >>= 8;
        }
        while bytes.len() < length {
            let more = if bytes.is_empty() { 0 } else { 128 };
            bytes.push((left & 127) as u8 | more);
            left >>= 7;
        }
        bytes.reverse();
        Some(bytes)
    }

    fn kaitai() -> Option<String> {
        let number = "index == 8 ? (before << 8) | byte : (before << 7) | (byte & 127)";
        let value = format!(
            "groups.last.number > {} ? groups.last.number - {} : groups.last.number",
            i64::MAX,
            1_u128 << 64
        );
        Some(grouped(("0", number), "byte < 128 or index == 8", &value, "groups.size <= 9"))
    }
}

impl VarintKind for CompactSize {
    type Number = u64;
    const NAME: &'static str = "CompactSize";

    fn decode(bytes: &[u8]) -> Result<(u64, usize), Undecoded> {
        let Some((first, rest)) = bytes.split_first() else { return Err(Undecoded::More) };
        let length = match first {
            253 => 2,
            254 => 4,
            255 => 8,
            byte => return Ok(((*byte).into(), 1)),
        };
        let number = rest.get(..length).ok_or(Undecoded::More)?;
        Ok((crate::schema::raw(number, false), 1 + length))
    }

    fn encode(number: u64, length: Option<usize>) -> Option<Vec<u8>> {
        let least = match number {
            0..=252 => 1,
            253..=0xffff => 3,
            0x1_0000..=0xffff_ffff => 5,
            _ => 9,
        };
        let length = length.unwrap_or(least);
        let first = match length {
            1 => number as u8,
            3 => 253,
            5 => 254,
            9 => 255,
            _ => return None,
        };
        (length >= least).then(|| {
            let rest = number.to_le_bytes();
            [&[first][..], &rest[..length - 1]].concat()
        })
    }

    fn kaitai() -> Option<String> {
        let text = "seq:
  - id: first
    type: u1
  - id: more
    type:
      switch-on: first
      cases:
        253: u2le
        254: u4le
        255: u8le
instances:
  value:
    value: \"first < 253 ? first : more\"
";
        Some(text.to_owned())
    }
}

macro_rules! fixed {
    ($($kind:ident $name:literal $big:literal;)+) => { $(
        impl<const BYTES: usize> VarintKind for $kind<BYTES> {
            type Number = u64;
            const NAME: &'static str = match BYTES {
                1 => concat!($name, " of 1 byte"),
                2 => concat!($name, " of 2 bytes"),
                3 => concat!($name, " of 3 bytes"),
                4 => concat!($name, " of 4 bytes"),
                5 => concat!($name, " of 5 bytes"),
                6 => concat!($name, " of 6 bytes"),
                7 => concat!($name, " of 7 bytes"),
                8 => concat!($name, " of 8 bytes"),
                _ => panic!("a number has up to eight bytes"),
            };
            const IS_SHORTEST: bool = true;

            fn decode(bytes: &[u8]) -> Result<(u64, usize), Undecoded> {
                let number = bytes.get(..BYTES).ok_or(Undecoded::More)?;
                Ok((crate::schema::raw(number, $big), BYTES))
            }

            fn encode(number: u64, length: Option<usize>) -> Option<Vec<u8>> {
                let bytes = number.to_le_bytes();
                let (low, high) = bytes.split_at_checked(BYTES)?;
                let mut bytes = low.to_vec();
                if $big {
                    bytes.reverse();
                }
                if high.iter().any(|byte| *byte != 0) { None } else { only(bytes, length) }
            }

            fn kaitai() -> Option<String> {
                let (order, bits) = (if $big { "be" } else { "le" }, 8 * BYTES);
                Some(format!("meta:\n  bit-endian: {order}\nseq:\n  - id: value\n    type: b{bits}\n"))
            }
        }
    )+ };
}

fixed! {
    LittleBytes "little endian" false;
    BigBytes "big endian" true;
}

/// A number whose length is up to its value. Expressions use [`value`](Self::value).
///
/// A number that was read in a longer form than it needs is written in that form again.
pub struct Varint<K: VarintKind> {
    number: K::Number,
    /// The bytes that it was read from; zero for as few as there can be.
    length: u8,
}

impl<K: VarintKind> Varint<K> {
    pub(crate) const FORM: VarintForm = VarintForm {
        name: K::NAME,
        number: K::Number::INTEGER,
        decode: |bytes| {
            let (number, length) = Self::split(bytes)?;
            Ok((number.number.into(), length))
        },
        encode: |number, length| K::encode(K::Number::try_from(number).ok()?, length),
        kaitai: K::kaitai,
    };

    /// Returns the number in its shortest form.
    #[must_use]
    pub const fn new(number: K::Number) -> Self {
        Self { number, length: 0 }
    }

    /// Returns the number.
    #[must_use]
    pub const fn value(&self) -> K::Number {
        self.number
    }

    pub(crate) const fn set(&mut self, number: K::Number) {
        *self = Self::new(number);
    }

    /// Takes a number off the start of bytes, and says how many it has. Only bytes that are written again are accepted.
    #[inline]
    pub(crate) fn split(bytes: &[u8]) -> Result<(Self, usize), Undecoded> {
        let (number, length) = K::decode(bytes)?;
        if K::IS_SHORTEST {
            return Ok((Self::new(number), length));
        }
        let there = bytes.get(..length).ok_or(Undecoded::More)?;
        if K::encode(number, None).is_some_and(|it| it == there) {
            return Ok((Self::new(number), length));
        }
        match (K::encode(number, Some(length)), u8::try_from(length)) {
            (Some(again), Ok(kept)) if again == there => {
                Ok((Self { number, length: kept }, length))
            }
            _ => Err(Undecoded::Wrong("a form that is not written")),
        }
    }

    /// Returns the bytes; nothing where the form has no such number.
    pub(crate) fn bytes(&self) -> Option<Vec<u8>> {
        K::encode(self.number, (self.length > 0).then_some(self.length.into()))
    }
}

impl<K: VarintKind> Clone for Varint<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: VarintKind> Copy for Varint<K> {}

impl<K: VarintKind> Default for Varint<K> {
    fn default() -> Self {
        Self::new(K::Number::default())
    }
}

impl<K: VarintKind> PartialEq for Varint<K> {
    fn eq(&self, other: &Self) -> bool {
        (self.number, self.length) == (other.number, other.length)
    }
}

impl<K: VarintKind> Eq for Varint<K> {}

impl<K: VarintKind> fmt::Debug for Varint<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number.fmt(f)
    }
}

impl<K: VarintKind> Schema for Varint<K> {
    const LAYOUT: Layout = Layout::Varint(&Self::FORM);
    const SIZE: Option<usize> = None;
    const SHAPE: Shape = Shape::Varint;
}

/// Returns the error of bytes that are no number of a form.
#[cold]
pub(crate) fn wrong(at: u64, number: Integer, found: &str) -> Error {
    let expected = match (number.bits, found) {
        (64, "a form that is not written") => "a number in a form that is written".to_owned(),
        (bits, _) => format!("a number of up to {bits} bits in its shortest form"),
    };
    Error::new(rule::RECORD_VARINT, at, expected, found)
}

/// Returns the error of a number that its form has not.
#[cold]
pub(crate) fn unwritten(name: &str, number: impl fmt::Debug) -> Error {
    Error::new(
        rule::RECORD_AGREEMENT,
        0,
        format!("a number that {name} has"),
        format!("{number:?}"),
    )
}

impl<K: VarintKind> BinRead for Varint<K> {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Self> {
        let (start, mut bytes) = (reader.stream_position()?, Vec::new());
        loop {
            bytes.push(u8::read_options(reader, endian, ())?);
            match Self::split(&bytes) {
                Ok((number, _)) => return Ok(number),
                Err(Undecoded::More) => {}
                Err(Undecoded::Wrong(found)) => {
                    return Err(raise(wrong(start, K::Number::INTEGER, found)));
                }
            }
        }
    }
}

impl<K: VarintKind> BinWrite for Varint<K> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        match self.bytes() {
            Some(bytes) => Ok(writer.write_all(&bytes)?),
            None => Err(raise(unwritten(K::NAME, self.number))),
        }
    }
}

impl<K: VarintKind> ReadEndian for Varint<K> {
    const ENDIAN: EndianKind = EndianKind::None;
}

impl<K: VarintKind> WriteEndian for Varint<K> {
    const ENDIAN: EndianKind = EndianKind::None;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comes_back<K: VarintKind>(numbers: impl IntoIterator<Item = K::Number>) {
        for number in numbers {
            let bytes = K::encode(number, None).unwrap();
            let (again, length) = Varint::<K>::split(&bytes).unwrap();
            assert_eq!(
                (again.number, again.length, length),
                (number, 0, bytes.len()),
                "{}",
                K::NAME
            );
            for cut in 0..length {
                assert_eq!(Varint::<K>::split(&bytes[..cut]), Err(Undecoded::More), "{}", K::NAME);
            }
            for longer in length + 1..12 {
                let Some(bytes) = K::encode(number, Some(longer)) else { continue };
                let (again, length) = Varint::<K>::split(&bytes).unwrap();
                assert_eq!((again.number, length), (number, longer), "{}", K::NAME);
                assert_eq!(again.bytes(), Some(bytes), "{}", K::NAME);
            }
        }
    }

    fn numbers(bits: u32) -> Vec<u64> {
        let each = |bit| [1_u64 << bit, (1_u64 << bit) - 1, u64::MAX >> bit, u64::MAX - bit];
        (0..64).flat_map(each).filter(|it| it.checked_shr(bits).unwrap_or(0) == 0).collect()
    }

    #[test]
    fn numbers_come_back_in_every_form() {
        comes_back::<Leb128>(numbers(64));
        comes_back::<PaddedLeb128>(numbers(64));
        comes_back::<Git>(numbers(64));
        comes_back::<Midi>(numbers(64));
        comes_back::<CompactSize>(numbers(64));
        comes_back::<LittleBytes<3>>(numbers(24));
        comes_back::<BigBytes<6>>(numbers(48));
        let signed = || numbers(64).into_iter().map(|it| it as i64);
        comes_back::<Sqlite>(signed());
        comes_back::<SignedLeb128>(signed().chain(signed().map(i64::wrapping_neg)));
        // DWARF 5, figures 22 and 23; gitformat-pack's example of 128; the Standard MIDI Files specification; the
        // developer documentation of Bitcoin; SQLite's file format, 1.5.
        assert_eq!(Leb128::encode(12857, None).unwrap(), [57 + 0x80, 100]);
        assert_eq!(SignedLeb128::encode(-129, None).unwrap(), [0x7f + 0x80, 0x7e]);
        assert_eq!(Git::encode(128, None).unwrap(), [0x80, 0x00]);
        assert_eq!(Midi::encode(0x0FFF_FFFF, None).unwrap(), [0xff, 0xff, 0xff, 0x7f]);
        assert_eq!(CompactSize::encode(515, None).unwrap(), [0xfd, 0x03, 0x02]);
        assert_eq!(Sqlite::encode(-1, None).unwrap(), [0xff; 9]);
        assert_eq!(BigBytes::<3>::encode(0x1_0203, None).unwrap(), [1, 2, 3]);
    }

    #[test]
    fn longer_forms_and_larger_numbers_are_refused() {
        assert_eq!(Varint::<Leb128>::split(&[0x81, 0]), Err(LONG));
        assert_eq!(Varint::<Midi>::split(&[0x80, 1]), Err(LONG));
        assert_eq!(Varint::<Leb128>::split(&[0xff; 11]), Err(LARGE));
        assert_eq!(Varint::<PaddedLeb128>::split(&[0xff; 11]), Err(LARGE));
        assert_eq!(Varint::<SignedLeb128>::split(&[0xff; 11]), Err(LARGE));
        assert_eq!(Varint::<Git>::split(&[0xff; 11]), Err(LARGE));
        assert_eq!(Varint::<Midi>::split(&[0xff; 11]), Err(LARGE));
        assert_eq!(BigBytes::<3>::encode(1 << 24, None), None);
        // Padding adds no bits.
        assert!(
            Varint::<SignedLeb128>::split(&[
                0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02
            ])
            .is_err()
        );
    }
}

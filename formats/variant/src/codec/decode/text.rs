//! Strings, paths, bytes and packed arrays.

use std::borrow::Cow;

use super::{LEAST, Reader, Words, tally};
use crate::codec::rule;
use crate::packet::{
    NameCount, NodePathFlags, NodePathRecord, PackedArray, PackedBytes, PackedStrings,
    TerminatedText, Text,
};
use crate::{NodePath, VariantString};
use formwork::{Error, OrEnd, Path, PathSegment, Result, Rule};
use formwork_records::schema::{Sizes, offset};
use formwork_records::wire::{Block, Padding, not_negative, utf8, word};

/// Bytes of the length of a text.
const LENGTH: usize = <Text<'_> as Sizes>::LEAST;
/// Bytes of the count of strings.
const COUNT: usize = <PackedStrings<'_> as Sizes>::LEAST;
/// Bytes of a NodePath before its names.
const NODE_PATH_HEAD: usize = <NodePathRecord<'_> as Sizes>::LEAST;
/// Offset of the flags of a NodePath.
const FLAGS: usize = offset::<NodePathRecord<'_>, NodePathFlags>("flags");

/// Returns whether no letter is zero. The answer is only right for ASCII.
#[inline(always)]
fn has_no_zero(letters: &[u8]) -> bool {
    /// The bit of each byte that is clear in ASCII.
    const HIGH: u32 = 0x8080_8080;
    /// Added to a byte of ASCII, sets that bit unless the byte is zero.
    const FULL: u32 = 0x7f7f_7f7f;
    let Some(last) = letters.last_chunk() else {
        return letters.iter().all(|&letter| letter != 0);
    };
    // The last word may begin in the one before it.
    let mut all = u32::from_le_bytes(*last).wrapping_add(FULL);
    for word in letters.as_chunks().0 {
        all &= u32::from_le_bytes(*word).wrapping_add(FULL);
    }
    all & HIGH == HIGH
}

/// Returns letters of ASCII without zeros as a text.
#[inline(always)]
fn plain_ascii(letters: &[u8]) -> Option<&str> {
    if has_no_zero(letters) { utf8::from_ascii(letters) } else { None }
}

/// Returns letters in UTF-8 as a text, if every engine has the same in memory.
#[inline(never)]
fn plain_utf8(letters: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(letters).ok()?;
    (!letters.contains(&0) && !text.starts_with('\u{feff}')).then_some(text)
}

/// Returns what a record that was read from a packet borrows of it.
#[inline(always)]
fn borrowed<'a>(bytes: Block<'a, u8>) -> Option<&'a [u8]> {
    match bytes.0 {
        Cow::Borrowed(bytes) => Some(bytes),
        Cow::Owned(_) => None,
    }
}

impl<'a> Reader<'a, '_> {
    /// Takes a text with the same bytes in memory, as nearly every one has. For any other text, takes nothing:
    /// [`Reader::text`] reads it.
    #[inline(always)]
    pub(crate) fn plain_text(&mut self) -> Option<&'a str> {
        let (text, rest): (Text<'a>, _) = self.next_record()?;
        if !self.is_length(text.length) || !text.padding.is_zero() {
            return None;
        }
        let letters = borrowed(text.bytes)?;
        let text = plain_ascii(letters).or_else(|| plain_utf8(letters))?;
        self.pass_record(rest);
        tally::content(letters);
        Some(text)
    }

    /// Returns whether a length is within the limits of the format and of the reader.
    #[inline(always)]
    fn is_length(&self, length: u32) -> bool {
        length <= i32::MAX as u32 && u64::from(length) <= self.decoder.limits.packet_bytes
    }

    pub(super) fn text(&mut self) -> Result<VariantString> {
        self.words().map(VariantString::from)
    }

    /// Reads a text, which nearly always has the same bytes in memory.
    #[inline]
    pub(super) fn words(&mut self) -> Result<Words<'a>> {
        match self.plain_text() {
            Some(text) => Ok(Words::Plain(text)),
            None => self.other_text().map(Words::Decoded),
        }
    }

    pub(super) fn other_text(&mut self) -> Result<VariantString> {
        self.length_word(rule::STRING_LENGTH)?;
        let start = self.input.position();
        let text = self.read::<Text<'_>>()?;
        self.text_of(text, start)
    }

    /// Reads a record that starts with the text `name`, which `take` takes out of it.
    pub(super) fn named<T, O>(
        &mut self,
        name: &'static str,
        take: impl FnOnce(T) -> (Text<'static>, O),
    ) -> Result<(VariantString, O)>
    where
        T: formwork::record::Readable,
    {
        self.length_word(rule::STRING_LENGTH).map_err(|error| error.within(name))?;
        let start = self.input.position();
        let (text, rest) = take(self.read::<T>()?);
        let text = self.text_of(text, start).map_err(|error| error.within(name))?;
        Ok((text, rest))
    }

    /// Decodes a text that starts at `start`.
    fn text_of(&mut self, text: Text<'_>, start: usize) -> Result<VariantString> {
        tally::content(&text.bytes);
        let first = start + LENGTH;
        let end = first + text.bytes.len() + Padding::needed(text.bytes.len());
        self.padding_before(end, rule::STRING_PADDING, text.padding)?;
        self.utf8(text.bytes.0.into_owned(), first)
    }

    /// Decodes the bytes of a string that start at `start`.
    fn utf8(&mut self, bytes: Vec<u8>, start: usize) -> Result<VariantString> {
        let kept = self.is_rescue().then(|| bytes.clone());
        let decoded = match self.quirks.utf8.decode(bytes, self.quirks.byte_order_mark) {
            Ok(decoded) => decoded,
            Err(at) => {
                let offset = (start + at) as u64;
                let expected = "UTF-8 as the engine decodes it";
                let error = Error::new(rule::STRING_UTF8, offset, expected, "another byte");
                return self.bear_text(error, start, kept.unwrap_or_default());
            }
        };
        if !decoded.canonical {
            self.warn(rule::STRING_CANONICAL, start, "another form of the same text")?;
        }
        Ok(VariantString::from_decoded(decoded.text))
    }

    pub(super) fn node_path(&mut self) -> Result<NodePath> {
        let start = self.input.position();
        let rest = self.input.rest();
        let (Some(names), Some(subnames), Some(flags)) = (
            word!(rest, NodePathRecord<'static>, name_count: NameCount),
            word!(rest, NodePathRecord<'static>, subname_count: u32),
            word!(rest, NodePathRecord<'static>, flags: NodePathFlags),
        ) else {
            return Err(self.cut_head(NODE_PATH_HEAD));
        };
        if !names.separate() {
            let expected = "a name count with its top bit set (the form with separate names)";
            let found = format!("0x{:08x}", u32::from(names));
            return Err(Error::new(rule::NODE_PATH_FORM, start as u64, expected, found));
        }
        let names = names.count();
        if flags.unused() != 0 || flags.property() && !self.quirks.node_path_property {
            let found = format!("0x{:08x}", u32::from(flags));
            self.warn(rule::NODE_PATH_FLAGS, start + FLAGS, found)?;
        }
        // The engines add the counts in 32 bits. If the sum wraps around, they read fewer strings than there should
        // be names.
        let total = u64::from(names) + u64::from(subnames) + u64::from(flags.property());
        if let Some(wrapped) = total.checked_sub(1 << 32) {
            self.warn(rule::NODE_PATH_COUNTS, start, format_args!("{names} and {subnames}"))?;
            self.input.take(NODE_PATH_HEAD);
            let mut path = NodePath { absolute: flags.absolute(), ..NodePath::default() };
            for _ in 0..wrapped {
                path.names.push(self.text()?);
            }
            return self.as_engine_path(path, start);
        }
        let record = self.read::<NodePathRecord<'_>>()?;
        let mut at = start + NODE_PATH_HEAD;
        let mut text = |text: Text<'_>| {
            let start = at;
            at += LENGTH + text.bytes.len() + Padding::needed(text.bytes.len());
            self.text_of(text, start)
        };
        let mut texts =
            |list: Vec<Text<'_>>| list.into_iter().map(&mut text).collect::<Result<Vec<_>>>();
        let path = NodePath {
            absolute: record.flags.absolute(),
            names: texts(record.names.0)?,
            subnames: texts(record.subnames.0)?,
            property: texts(record.property.into_iter().collect())?.pop(),
        };
        self.as_engine_path(path, start)
    }

    /// Skips a NodePath in the form that engines write. Returns `false` and takes nothing for any other form, which
    /// [`Reader::node_path`] reads.
    pub(super) fn pass_plain_node_path(&mut self) -> bool {
        let (start, rest) = (self.input.position(), self.input.rest());
        let (Some(names), Some(subnames), Some(flags)) = (
            word!(rest, NodePathRecord<'static>, name_count: NameCount),
            word!(rest, NodePathRecord<'static>, subname_count: u32),
            word!(rest, NodePathRecord<'static>, flags: NodePathFlags),
        ) else {
            return false;
        };
        let texts = u64::from(names.count()) + u64::from(subnames);
        let is_plain = names.separate() && flags.unused() == 0 && !flags.property() && texts > 0;
        if !is_plain || texts * LEAST > rest.len() as u64 {
            return false;
        }
        self.input.take(NODE_PATH_HEAD);
        let passed = (0..texts).all(|_| self.plain_text().is_some());
        if !passed {
            self.input.set_position(start);
        }
        passed
    }

    /// Returns the path that the engine makes of a path.
    fn as_engine_path(&mut self, mut path: NodePath, start: usize) -> Result<NodePath> {
        if !self.quirks.node_path_property {
            // Only Godot 2 stores a property separately; the others count it as one more subname.
            path = path.without_property();
        }
        if path.names.is_empty() && path.subnames.is_empty() && !self.quirks.node_path_root {
            if path.absolute {
                self.warn(rule::NODE_PATH_FLAGS, start + FLAGS, "absolute without a name")?;
            }
            path.absolute = false;
        }
        Ok(path)
    }

    /// Reads an array of texts, and makes something of each.
    pub(super) fn strings<T>(&mut self, make: impl Fn(Words<'a>) -> T) -> Result<Vec<T>> {
        let start = self.input.position();
        let Some(count) = word!(self.input.rest(), PackedStrings<'static>, count: i32) else {
            return Err(self.cut_head(COUNT));
        };
        self.input.take(COUNT);
        let Ok(count) = u32::try_from(count) else {
            // A negative count is a loop that is never entered.
            self.warn(rule::ARRAY_COUNT, start, count)?;
            return Ok(Vec::new());
        };
        self.promise(count, LEAST, start)?;
        let mut strings = Vec::with_capacity(self.room(count));
        for index in 0..count {
            self.promised = self.promised.saturating_sub(LEAST);
            let outer = || {
                Path::from(vec![PathSegment::Field("elements"), PathSegment::Index(index.into())])
            };
            match self.terminated_text().map_err(|error| error.under(outer())) {
                Ok(text) => strings.push(make(text)),
                Err(error) => {
                    self.bear_cut(error)?;
                    break;
                }
            }
        }
        Ok(strings)
    }

    fn terminated_text(&mut self) -> Result<Words<'a>> {
        if let Some((text, rest)) = self.next_record::<TerminatedText<'a>>()
            && self.is_length(text.length)
            && text.padding.is_zero()
            && let Some((0, letters)) = borrowed(text.bytes).and_then(<[u8]>::split_last)
            && let Some(text) = plain_ascii(letters).or_else(|| plain_utf8(letters))
        {
            self.pass_record(rest);
            tally::content(letters);
            return Ok(Words::Plain(text));
        }
        self.length_word(rule::STRING_LENGTH)?;
        let start = self.input.position();
        let text = self.read::<TerminatedText<'_>>()?;
        self.padding(rule::STRING_PADDING, text.padding)?;
        let mut bytes = text.bytes.0.into_owned();
        if bytes.last() == Some(&0) {
            bytes.pop();
        } else {
            self.warn(rule::STRING_TERMINATOR, start + 4, "no zero byte at the end")?;
        }
        self.utf8(bytes, start + 4).map(Words::Decoded)
    }

    pub(super) fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let start = self.input.position();
        let count = self.length_word(rule::ARRAY_COUNT)? as usize;
        if let Some((record, rest)) = self.next_record::<PackedBytes<'a>>()
            && record.padding.map_or(Padding::needed(count) == 0, Padding::is_zero)
            && let Some(bytes) = borrowed(record.elements)
        {
            self.pass_record(rest);
            tally::content(bytes);
            return Ok(Cow::Borrowed(bytes));
        }
        if let Some(bytes) = self.unpadded(start + 4, count)? {
            return Ok(Cow::Borrowed(bytes));
        }
        let record = match self.read::<PackedBytes<'_>>() {
            Ok(record) => record,
            Err(error) => return self.bear_cut_elements(error, start, 1).map(Cow::Borrowed),
        };
        match self.padding_or_end(rule::BYTES_PADDING, record.padding, record.elements.len()) {
            Err(error) if error.needed().is_some() => {
                self.bear_cut_elements(error, start, 1).map(Cow::Borrowed)
            }
            padding => padding.map(|()| Cow::Owned(record.elements.0.into_owned())),
        }
    }

    /// Reads the elements of a packed array, of `size` bytes each.
    pub(super) fn packed(&mut self, size: usize) -> Result<&'a [u8]> {
        let start = self.position();
        let word = word!(self.input.rest(), PackedArray<'static, u8>, count: u32);
        let count = self.length_of(rule::ARRAY_COUNT, word)? as usize;
        let rest = self.input.rest().get(LENGTH..).unwrap_or_default();
        if let Some(elements) = count.checked_mul(size).and_then(|length| rest.get(..length)) {
            self.input.take(LENGTH + elements.len());
            tally::content(elements);
            return Ok(elements);
        }
        let (first, left) = ((start + LENGTH) as u64, rest.len() as u64);
        let error = formwork::wire::missing(first, left, count as u64, size).within("elements");
        self.bear_cut_elements(error, start, size)
    }

    /// Takes bytes, which start at `start`, without padding at the very end of the data: the engines do not check
    /// whether it is there. [`None`] if the padding is complete, or if more than the padding is missing.
    pub(super) fn unpadded(&mut self, start: usize, length: usize) -> Result<Option<&'a [u8]>> {
        let have = match self.input.all().len().checked_sub(start + length) {
            // To the canonical strictness the input is cut.
            Some(have) if have < Padding::needed(length) && !self.is_canonical() => have,
            _ => return Ok(None),
        };
        self.warn(
            rule::BYTES_PADDING,
            start + length,
            format_args!("{}", formwork::wire::bytes(have)),
        )?;
        self.input.set_position(start);
        let bytes = self.input.take(length);
        self.input.take(have);
        Ok(bytes)
    }

    /// Reads the next length or count word without taking it: not negative, and within the limits.
    pub(super) fn length_word(&mut self, rule: Rule) -> Result<u32> {
        // A text and the bytes of a packed array have the same start.
        self.length_of(rule, word!(self.input.rest(), Text<'static>, length: u32))
    }

    /// Checks a length or count word, [`None`] if the input ends in it.
    #[inline(always)]
    fn length_of(&self, rule: Rule, word: Option<u32>) -> Result<u32> {
        let start = self.input.position();
        let Some(word) = word else { return Err(self.cut_head(LENGTH)) };
        let length = not_negative(rule, start, word)?;
        self.within_limits(u64::from(length), start)?;
        Ok(length)
    }

    /// The input ends in the words that a record starts with, which are read at once.
    #[cold]
    pub(super) fn cut_head(&self, size: usize) -> Error {
        let (start, left) = (self.input.position() as u64, self.input.left() as u64);
        Error::incomplete(start, size as u64 - left, formwork::wire::bytes(size).to_string(), left)
    }

    /// Checks the padding that was read last.
    pub(super) fn padding(&mut self, rule: Rule, padding: Padding) -> Result<()> {
        self.padding_before(self.input.position(), rule, padding)
    }

    /// Checks the padding after `length` bytes that was read last.
    pub(super) fn padding_or_end(
        &mut self,
        rule: Rule,
        OrEnd(padding): OrEnd<Padding>,
        length: usize,
    ) -> Result<()> {
        let needed = Padding::needed(length);
        if padding.is_none() && needed > 0 {
            let (start, expected) =
                (self.input.position(), format!("{} of padding", formwork::wire::bytes(needed)));
            let error = Error::incomplete(start as u64, needed as u64, expected, 0);
            return Err(error.within("padding"));
        }
        self.padding(rule, padding.unwrap_or_default())
    }

    fn padding_before(&mut self, end: usize, rule: Rule, padding: Padding) -> Result<()> {
        if padding.is_zero() {
            return Ok(());
        }
        self.warn(rule, end.saturating_sub(1), "other bytes than zero")
    }
}

#[cfg(test)]
mod tests {
    use crate::{Decoder, Dialect};
    use formwork::Rule;

    #[test]
    fn a_path_that_is_cut_in_its_property_says_where() {
        // The path `a` with the property `p`, absolute, and all the cuts in the latter.
        let path = b"\x10\0\0\0\x01\0\0\x80\0\0\0\0\x03\0\0\0\x01\0\0\0a\0\0\0\x01\0\0\0p\0\0\0";
        let decoder = Decoder::new(Dialect::GODOT2);
        assert!(decoder.decode(path).is_ok());
        for end in 24..path.len() {
            let error = decoder.decode(&path[..end]).unwrap_err();
            let expected = match end {
                24..28 => 24,
                28 => 28,
                _ => 29,
            };
            assert_eq!((error.rule(), error.offset()), (Rule::INPUT_COMPLETE, expected), "{end}");
            assert!(error.path().to_string().starts_with("node_path.property"), "{error}");
        }
    }
}

//! Strings, paths and packed arrays.

use std::borrow::Cow;

use super::{Writing, count_fits};
use crate::codec::rule;
use crate::dialect::Quirks;
use crate::packet::{
    NameCount, NodePathFlags, NodePathRecord, PackedArray, PackedStrings, TerminatedText, Text,
};
use crate::{NodePath, VariantString};
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::schema::Sizes;
use formwork_records::wire::{Each, Element};

impl Writing {
    #[inline]
    pub(super) fn text(&mut self, text: &VariantString) -> Result<()> {
        let bytes = self.text_bytes(text)?;
        self.out.record(&Text::new(bytes))
    }

    /// A text that is UTF-8.
    #[cfg(feature = "serde")]
    #[inline]
    pub(super) fn utf8(&mut self, text: &str) -> Result<()> {
        let bytes = utf8_bytes(self.quirks, text, self.out.position())?;
        self.out.record(&Text::new(bytes))
    }

    #[inline]
    pub(super) fn text_bytes<'t>(&self, text: &'t VariantString) -> Result<&'t [u8]> {
        text_bytes(self.quirks, text, self.out.position())
    }

    pub(super) fn strings(&mut self, texts: &[VariantString]) -> Result<()> {
        self.count(texts.len())?;
        self.out.reserve(PackedStrings::LEAST + texts.len() * TerminatedText::size_of(0));
        self.out.record(&(texts.len() as u32))?;
        for (index, text) in texts.iter().enumerate() {
            let outer = || {
                Path::from(vec![PathSegment::Field("elements"), PathSegment::Index(index as u64)])
            };
            let bytes = match text.as_str().and_then(plain_bytes) {
                Some(bytes) => bytes,
                None => self.text_bytes(text).map_err(|error| error.under(outer()))?,
            };
            if !self.out.short_terminated(bytes) {
                self.out.record(&TerminatedText::to_write(bytes))?;
            }
        }
        Ok(())
    }

    pub(super) fn node_path(&mut self, path: &NodePath) -> Result<()> {
        let dialect = self.encoder.dialect;
        if path.property.is_some() && !self.quirks.node_path_property {
            let expected = format!("no property apart from the subnames, as {dialect} has none");
            return Err(self.refuse(rule::DIALECT_VALUE, expected, path.to_string()));
        }
        let is_root = path.absolute && path.names.is_empty() && path.subnames.is_empty();
        if is_root && !self.quirks.node_path_root {
            let expected = format!("a path with names, as {dialect} reads none as the empty path");
            return Err(self.refuse(rule::DIALECT_VALUE, expected, path.to_string()));
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

    pub(super) fn packed<T: Element>(&mut self, elements: Cow<'_, [T]>) -> Result<()> {
        self.count(elements.len())?;
        self.out.reserve(PackedArray::<T>::LEAST + elements.len() * T::BYTES);
        self.out.record(&PackedArray::new(elements))
    }
}

/// The bytes of a string, if reading them gives the string again. An error is at `position`.
///
/// # Errors
///
/// Returns an error if the engine would read another text.
#[inline]
pub fn text_bytes<'t>(
    quirks: &Quirks,
    text: &'t VariantString,
    position: usize,
) -> Result<&'t [u8]> {
    match text.as_str() {
        Some(text) => utf8_bytes(quirks, text, position),
        None => other_bytes(quirks, text, position),
    }
}

/// The bytes of a text, if reading them gives it again.
#[inline]
fn utf8_bytes<'t>(quirks: &Quirks, text: &'t str, position: usize) -> Result<&'t [u8]> {
    match plain_bytes(text) {
        Some(bytes) => Ok(bytes),
        None => checked(quirks, text.as_bytes(), position),
    }
}

/// Returns the bytes of a text without warnings, which nearly every text is.
#[inline]
pub(super) fn plain_bytes(text: &str) -> Option<&[u8]> {
    let bytes = text.as_bytes();
    let is_plain = i32::try_from(bytes.len()).is_ok()
        && bytes.first() != Some(&BYTE_ORDER_MARK[0])
        && !holds_zero(bytes);
    is_plain.then_some(bytes)
}

/// The bytes of a string that is not UTF-8, if reading them gives the string again.
#[cold]
fn other_bytes<'t>(quirks: &Quirks, text: &'t VariantString, position: usize) -> Result<&'t [u8]> {
    let bytes = checked(quirks, text.as_bytes(), position)?;
    if let Some(number) = text.numbers().find(|&number| !quirks.utf8.can_hold(number)) {
        let expected = "a string of characters that the engine has";
        let found = format!("U+{number:04X}");
        return Err(Error::new(rule::DIALECT_VALUE, position as u64, expected, found));
    }
    Ok(bytes)
}

/// U+FEFF in UTF-8.
const BYTE_ORDER_MARK: &[u8; 3] = b"\xef\xbb\xbf";

/// Returns whether one of the bytes is zero. (Texts are short: without a branch for each byte.)
#[inline]
fn holds_zero(bytes: &[u8]) -> bool {
    let zeros = |word: &[u8; 8]| {
        let word = u64::from_ne_bytes(*word);
        word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080
    };
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        return few_hold_zero(bytes);
    };
    let ends = zeros(first) | zeros(last);
    if bytes.len() <= 2 * size_of::<u64>() {
        return ends != 0;
    }
    let (words, _) = bytes.as_chunks();
    words.iter().fold(ends, |all, word| all | zeros(word)) != 0
}

/// Returns whether one of at most seven bytes is zero.
#[inline]
fn few_hold_zero(bytes: &[u8]) -> bool {
    let zeros = |word: &[u8; 4]| {
        let word = u32::from_ne_bytes(*word);
        word.wrapping_sub(0x0101_0101) & !word & 0x8080_8080
    };
    match (bytes, bytes.first_chunk(), bytes.last_chunk()) {
        (_, Some(first), Some(last)) => zeros(first) | zeros(last) != 0,
        ([first, .., last], ..) => *first == 0 || *last == 0 || bytes.get(1) == Some(&0),
        _ => bytes == [0],
    }
}

/// The bytes of a string, if reading them gives as many again.
#[cold]
fn checked<'t>(quirks: &Quirks, bytes: &'t [u8], position: usize) -> Result<&'t [u8]> {
    count_fits(bytes.len(), position)?;
    let refuse = |expected: &str, found: String| {
        Err(Error::new(rule::DIALECT_VALUE, position as u64, expected, found))
    };
    if holds_zero(bytes) {
        return refuse("a string without U+0000, which would end it", "one with".into());
    }
    if !quirks.byte_order_mark && bytes.starts_with(BYTE_ORDER_MARK) {
        return refuse(
            "a string without U+FEFF in front, which would be dropped",
            "one with".into(),
        );
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use crate::codec::rule;
    use crate::{Dialect, to_vec};
    use crate::{NodePath, Variant};

    #[test]
    fn a_path_that_would_be_read_as_another_is_not_written() {
        let root = NodePath { absolute: true, ..NodePath::default() };
        let root = Variant::<f32>::NodePath(Box::new(root));
        for dialect in Dialect::all() {
            let written = to_vec(&root, dialect);
            if dialect.quirks().node_path_root {
                assert!(written.is_ok(), "{dialect}");
            } else {
                // Godot 3 reads it as the empty path (seen when 3.2.3 and 3.6.2 answered).
                assert_eq!(written.unwrap_err().rule(), rule::DIALECT_VALUE, "{dialect}");
            }
        }
    }
}

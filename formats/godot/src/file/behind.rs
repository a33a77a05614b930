//! Data after a header that the game wrote, where it is no value of an engine by itself: JSON text, compressed and
//! encrypted files.

use formwork::document::{Confidence, Format, JsonText};

use crate::detect::{self, Other};
use crate::wrapper::{Layer, Stream, Unwrapped, WrapperHeader};
use formwork_records::limits::Limits;

/// Data after a header of the game: see [`behind_header`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Behind {
    /// JSON text.
    Json,
    /// A compressed or encrypted file, or compressed data.
    Layer(Layer),
}

/// The longest header that is passed over to find JSON text.
const LONGEST: usize = 4096;

/// The longest header that is passed over to find a layer.
const LONGEST_BEFORE_LAYER: usize = 64;

/// Looks for JSON text, a compressed or an encrypted file after a header of the game, such as a magic word, a length or a
/// line with a checksum. Returns the length of the header. ([`detect::behind_header`] looks for values.)
///
/// ```
/// use formwork_godot::file::{Behind, behind_header};
/// use formwork_records::limits::Limits;
///
/// let found = behind_header(b"SAVE\x01\0\0\0{\"gold\": 5}", &Limits::default());
/// assert_eq!(found, Some((8, Behind::Json)));
/// ```
#[must_use]
pub fn behind_header(bytes: &[u8], limits: &Limits) -> Option<(usize, Behind)> {
    let layers = (1..=LONGEST_BEFORE_LAYER).filter_map(|at| {
        let rest = bytes.get(at..)?;
        let head = WrapperHeader::of(rest).map(|head| Behind::Layer(head.layer));
        let layer = head.or_else(|| stream(rest, at, limits).map(Behind::Layer));
        layer.map(|layer| (at, layer))
    });
    json_at(bytes).map(|at| (at, Behind::Json)).or_else(|| layers.into_iter().next())
}

fn stream(bytes: &[u8], at: usize, limits: &Limits) -> Option<Layer> {
    // Data without a mark is only looked for after a length.
    let may_be = |it: &Stream| it.is_marked() || matches!(at, 4 | 8) && it.begins(bytes);
    let mut tried = Stream::tried(bytes).into_iter().filter(may_be);
    let found = tried.find(|stream| {
        let content = stream.unpacked(bytes, limits);
        content.is_some_and(|content| detect::is_content(&content, !stream.is_marked()))
    });
    found.map(Layer::Stream)
}

/// Returns where a JSON text begins that goes to the end of the bytes.
fn json_at(bytes: &[u8]) -> Option<usize> {
    /// How many brackets are tried. Each may mean to read all that follows.
    const TRIED: usize = 8;
    let head = bytes.get(..LONGEST.min(bytes.len())).unwrap_or_default();
    let is_text = detect::text(bytes).is_some();
    let brackets = head.iter().enumerate().filter(|(_, byte)| matches!(byte, b'{' | b'['));
    // A text that begins so is no header.
    if brackets.clone().next().is_some_and(|(at, _)| bytes[..at].trim_ascii_start().is_empty()) {
        return None;
    }
    let starts = brackets.map(|(at, _)| at).filter(|&at| !is_text || bytes[..at].ends_with(b"\n"));
    starts.take(TRIED).find(|&at| {
        let rest = &bytes[at..];
        let has_value = rest.trim_ascii().len() > 2;
        has_value && detect::text(rest) == Some(Other::Json) && is_json(rest)
    })
}

fn is_json(text: &[u8]) -> bool {
    JsonText.sniff(text) == Confidence::Whole
}

/// Ends a JSON text after a header where the length says that the header ends with, if other data follows it: what a script
/// writes with `store_8` after `store_pascal_string`.
pub fn end_text_by_length(file: &mut Unwrapped) {
    let content = file.content();
    if !matches!(content.first(), Some(b'{' | b'[' | b' ' | b'\t' | b'\n' | b'\r')) {
        return;
    }
    let Some(header) = file.bytes().get(..file.skipped()).filter(|it| !it.is_empty()) else {
        return;
    };
    let number = |width: usize, big: bool| {
        let bytes = header.get(header.len().checked_sub(width)?..)?;
        let push = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
        let number =
            if big { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) };
        usize::try_from(number).ok().filter(|&it| (2..content.len()).contains(&it))
    };
    let lengths =
        [8, 4, 2].into_iter().flat_map(|width| [number(width, false), number(width, true)]);
    let fits = |length: &usize| {
        let text = &content[..*length];
        matches!(text.trim_ascii_end().last(), Some(b'}' | b']')) && is_json(text)
    };
    let length = lengths.flatten().find(fits);
    // (Documents on lines are all of the file.)
    let is_more = |length: &usize| {
        let rest = content[*length..].trim_ascii_start();
        !(rest.is_empty() || matches!(rest[0], b'{' | b'[') && is_json(content))
    };
    if let Some(length) = length.filter(is_more) {
        file.leave_behind(length);
    }
}

//! Inspects repeated fields in packets and in the user's own formats.

use super::{Walk, notice_name};
use crate::codec;
use crate::frame::ByteOrder;
use formwork_records::inspect::known::KnownNumber;
use formwork_records::inspect::level::{Content, Found, Place};
use formwork_records::inspect::{Note, Span, SpanType, Value};
use formwork_records::schema::{Field, Layout, Meaning, raw};
use formwork_records::wire::{not_negative, wrong_magic};

/// Elements of a fixed size: one span for all of them.
pub(super) fn block<'a>(
    walker: &mut Walk<'a>,
    field: &'static Field,
    place: Place,
    count: u64,
    size: usize,
) -> Found<'a> {
    let start = walker.position;
    walker.tail.push(place.name.into());
    if place.meaning == Meaning::Terminated {
        notice_name(walker, start, usize::try_from(count).unwrap_or_default());
    }
    let is_text = matches!(place.meaning, Meaning::Text | Meaning::Terminated);
    let is_whole = is_text
        || place.magic.is_some()
        || matches!(place.meaning, Meaning::Zero | Meaning::Masked(_));
    // In all blocks, the word with the count is the one before.
    let rule = if is_text { codec::rule::STRING_LENGTH } else { codec::rule::ARRAY_COUNT };
    if let Ok(word) = u32::try_from(count) {
        not_negative(rule, start.saturating_sub(4), word)?;
    }
    let fits = (walker.left() / size) as u64;
    let there = count.min(fits);
    let length = there as usize * size;
    if there < count {
        let fault = formwork::wire::missing(start as u64, walker.left() as u64, count, size);
        if there == 0 {
            return Err(fault);
        }
        walker.fault = Some(fault);
    }
    let bytes = walker.peek(length, format_args!(""))?;
    knows_sum(walker, field.name, place.shape, bytes);
    let hit = walker.resolver.target.and_then(|target| target.checked_sub(start as u64));
    let first = match hit {
        Some(hit) if !is_whole && hit < length as u64 => Some(hit / size as u64),
        _ if walker.resolver.list && !is_whole => Some(0),
        // The numbers of all together are shown in little endian.
        _ if is_big_endian(walker) && size > 1 && !is_whole => Some(0),
        _ => None,
    };
    if let (Some(first), false) = (first, there == 0) {
        // The error of a cut array comes after its complete elements.
        walker.fault = None;
        walker.position += first as usize * size;
        walker.tail.clear();
        let place = Place { spread: false, ..place };
        return walker.elements(field, place, first, count, start);
    }
    walker.position += length;
    let value = match place.meaning {
        _ if place.magic.is_some() => Value::Text(bytes),
        Meaning::Text => Value::Text(bytes),
        Meaning::Terminated => Value::Text(bytes.strip_suffix(b"\0").unwrap_or(bytes)),
        Meaning::Masked(mask) => Value::MaskedText(bytes, mask, size),
        _ => Value::Elements(place.shape, bytes),
    };
    if let Some(magic) = place.magic
        && there == count
        && bytes != magic.bytes
    {
        walker.fault = Some(wrong_magic(start, magic.bytes, bytes));
    }
    let note = if there < count {
        Some(Note::Missing(count - there))
    } else if let Some(magic) = place.magic {
        (bytes != magic.bytes).then_some(Note::Unnamed)
    } else if place.meaning == Meaning::Zero {
        bytes.iter().any(|&byte| byte != 0).then_some(Note::PaddingNotZero)
    } else if is_text {
        text_note(bytes)
    } else {
        None
    };
    let layout = SpanType::Many(place.shape, count);
    let span = walker.taken(place.depth, place.name.into(), layout, bytes, value);
    Ok(Some(Span { note, ..span }))
}

/// Returns whether numbers are big-endian here.
fn is_big_endian<'a>(walker: &Walk<'a>) -> bool {
    walker
        .resolver
        .resource
        .is_some_and(|layout| layout.order == ByteOrder::Big && layout.from <= walker.position)
}

/// Records the sum of a list of sizes: only of such lists do other fields depend on the sum.
fn knows_sum<'a>(walker: &mut Walk<'a>, name: &'static str, shape: Layout, bytes: &[u8]) {
    let Layout::Integer { number, .. } = shape else { return };
    if number.signed || number.bytes() < 2 {
        return;
    }
    let numbers = bytes.chunks_exact(number.bytes()).map(|number| i128::from(raw(number, false)));
    walker.knows(name, KnownNumber::Sum(numbers.sum()));
}

/// Inspects elements with separate fields, up to the end.
pub(super) fn list_to_end<'a>(
    walker: &mut Walk<'a>,
    field: &'static Field,
    place: Place,
) -> Found<'a> {
    if walker.left() == 0 {
        return Ok(None);
    }
    let found = walker.elements(field, place, 0, u64::MAX, walker.position)?;
    if let Some(Content::Elements { to_end, .. }) =
        walker.levels.last_mut().map(|level| &mut level.content)
    {
        *to_end = Some(walker.position);
    }
    Ok(found.map(|span| Span { layout: SpanType::ToEnd(place.shape), ..span }))
}

fn text_note(bytes: &[u8]) -> Option<Note> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    if std::str::from_utf8(&bytes[..end]).is_err() {
        return Some(Note::NotUtf8);
    }
    // A zero byte at the very end is the terminator of a string in a string array.
    (end + 1 < bytes.len()).then_some(Note::BehindZero)
}

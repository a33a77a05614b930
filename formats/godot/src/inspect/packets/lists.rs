//! Inspects elements of a fixed size in packets and in the user's own formats.

use super::{Walk, notice_name};
use formwork_records::inspect::walker::{Block, Found};
use formwork_records::inspect::{Note, Span, SpanType, Value};
use formwork_records::schema::Meaning;
use formwork_records::wire::not_negative;
use formwork_variant::codec;
use formwork_variant::frame::ByteOrder;

/// Elements of a fixed size: one span for all of them.
pub(super) fn block<'a>(walker: &mut Walk<'a>, block: &Block<'_, 'a>) -> Found<'a> {
    let &Block { place, bytes, count, size } = block;
    let (start, meaning, magic) = (place.step.bytes.start, place.meaning(), block.magic());
    if meaning == Meaning::Terminated {
        notice_name(walker, start, usize::try_from(count).unwrap_or_default());
    }
    let is_text = matches!(meaning, Meaning::Text | Meaning::Terminated);
    let is_whole =
        is_text || magic.is_some() || matches!(meaning, Meaning::Zero | Meaning::Masked(_));
    // In all blocks, the word with the count is the one before.
    let rule = if is_text { codec::rule::STRING_LENGTH } else { codec::rule::ARRAY_COUNT };
    if let Ok(word) = u32::try_from(count) {
        not_negative(rule, start.saturating_sub(4), word)?;
    }
    if bytes.is_empty() && count > 0 {
        return Ok(None);
    }
    let hit = walker.resolver.target.and_then(|target| target.checked_sub(start as u64));
    let first = match hit {
        Some(hit) if !is_whole && hit < bytes.len() as u64 => Some(hit / size as u64),
        _ if walker.resolver.list && !is_whole => Some(0),
        // The numbers of all together are shown in little endian.
        _ if is_big_endian(walker, start) && size > 1 && !is_whole => Some(0),
        _ => None,
    };
    if let Some(first) = first.filter(|_| count > 0) {
        // The error of a cut array comes after its complete elements.
        return Ok(walker.elements(block, first));
    }
    walker.position = place.step.bytes.end;
    let value = match meaning {
        _ if magic.is_some() => Value::Text(bytes),
        Meaning::Text => Value::Text(bytes),
        Meaning::Terminated => Value::Text(bytes.strip_suffix(b"\0").unwrap_or(bytes)),
        Meaning::Masked(mask) => Value::MaskedText(bytes, mask, size),
        _ => Value::Elements(place.shape, bytes),
    };
    let note = if place.step.missing > 0 {
        Some(Note::Missing(place.step.missing))
    } else if let Some(magic) = magic {
        (bytes != magic.bytes).then_some(Note::Unnamed)
    } else if meaning == Meaning::Zero {
        bytes.iter().any(|&byte| byte != 0).then_some(Note::PaddingNotZero)
    } else if is_text {
        text_note(bytes)
    } else {
        None
    };
    let span = walker.taken(place.named(), SpanType::Many(place.shape, count), bytes, value);
    Ok(Some(Span { note, ..span }))
}

/// Returns whether numbers are big-endian here.
fn is_big_endian<'a>(walker: &Walk<'a>, start: usize) -> bool {
    walker
        .resolver
        .resource
        .is_some_and(|layout| layout.order == ByteOrder::Big && layout.from <= start)
}

fn text_note(bytes: &[u8]) -> Option<Note> {
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    if std::str::from_utf8(&bytes[..end]).is_err() {
        return Some(Note::NotUtf8);
    }
    // A zero byte at the very end is the terminator of a string in a string array.
    (end + 1 < bytes.len()).then_some(Note::BehindZero)
}

//! Breaches of sizes and counts within a file that is whole.

use arbitrary::Unstructured;
use formwork_alb1::record::{ArrayRecord, FieldRecord, ObjectRecord};
use formwork_alb1::terrain::{DATA, KEY, PAIR};
use formwork_alb1::{Document, FieldType, Value};
use formwork_records::schema::Sizes;
use formwork_variant::generate::Config;

use super::super::place::{Place, SIZE};
use super::super::small;
use super::cut::{blob_value, count_above, counted_value, too_large};
use super::draft::{self, Around, Draft};
use super::{Faulty, Tried, between};

pub(super) fn too_small(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let (value, words) = if u.arbitrary()? {
        (draft::object(u, config, 0)?, ObjectRecord::HEAD_SIZE)
    } else {
        (draft::list(u, config, 0)?, ArrayRecord::HEAD_SIZE)
    };
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let size = between(u, 0, words - SIZE - 1)?.unwrap_or_default();
    Ok(draft.faulty(draft.with_word(place.value, size as u32)))
}

pub(super) fn object_shrunk(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::object(u, config, 1)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let fields: Vec<Place> = draft.inside().copied().collect();
    let cut = u.choose(&fields)?;
    // Mostly off by one.
    let end =
        if u.arbitrary()? { cut.end - 1 } else { u.int_in_range(cut.offset + 1..=cut.end - 1)? };
    Ok(draft.faulty(draft.ending_at(end)))
}

pub(super) fn list_shrunk(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::list(u, config, 1)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let Some(&last) = draft.inside().last() else { return Ok(None) };
    // Below this size there is no room for the elements, which is another fault.
    let (_, content) = place.array_words();
    let least = (last.offset + 1).max(content + FieldRecord::HEAD_SIZE * place.count);
    let Some(end) = between(u, least, last.end - 1)? else { return Ok(None) };
    if end - content == place.count {
        return Ok(None);
    }
    Ok(draft.faulty(draft.ending_at(end)))
}

pub(super) fn object_grown(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::object(u, config, 0)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let Some(&next) = draft.file.next_to(&place) else { return Ok(None) };
    let Some(end) = between(u, next.offset + 1, next.end - 1)? else { return Ok(None) };
    Ok(draft.faulty(draft.ending_at(end)))
}

pub(super) fn beyond_parent(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = blob_value(u, config)?;
    let draft = Draft::around(u, config, value, Around::Blob)?;
    let place = draft.place;
    let left = draft.file.limit(&place) - place.value - SIZE;
    // Inside the file only the surrounding value's end reports the fault.
    let file = draft.file.bytes.len() - place.value - SIZE;
    let within = if u.arbitrary()? { between(u, left + 1, file)? } else { None };
    let size = match within.and_then(|size| u32::try_from(size).ok()) {
        Some(size) => Some(size),
        None => too_large(u, left)?,
    };
    let Some(size) = size else { return Ok(None) };
    Ok(draft.faulty(draft.with_word(place.value, size)))
}

pub(super) fn count_beyond_parent(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = counted_value(u)?;
    let draft = Draft::around(u, config, value, Around::Blob)?;
    let place = draft.place;
    let end = draft.file.limit(&place);
    let Some(word) = count_above(u, place.field_type, place.value, end)? else { return Ok(None) };
    Ok(draft.faulty(draft.with_bytes(place.value, &word)))
}

pub(super) fn element_missing(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::list(u, config, 1)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let size = place.end - place.array_words().1;
    let Some(count) = between(u, place.count + 1, size / FieldRecord::HEAD_SIZE)? else {
        return Ok(None);
    };
    Ok(draft.faulty(draft.with_count(count)))
}

pub(super) fn half_missing(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let first = small::field(KEY, draft::any_value(u, config)?);
    let pair = small::field(PAIR, [first, small::field(DATA, Value::Empty)]);
    let value = if u.arbitrary()? {
        small::object(Document::FIRST_ADDRESS + 1024, vec![pair])
    } else {
        Value::Array(vec![pair])
    };
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    // The second half is an empty field: tag and type.
    let end = place.end - FieldRecord::HEAD_SIZE;
    let bytes = draft.ending_at(end);
    Ok(Faulty::about(FieldType::Pair, bytes))
}

pub(super) fn list_count_above(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::list(u, config, 0)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let (at, content) = place.array_words();
    let size = place.end - content;
    let count = match u.int_in_range(0..=3_u8)? {
        // Three bytes for each, in 32 bits, would be few.
        0 => 0x5555_5556,
        _ => too_large(u, size / FieldRecord::HEAD_SIZE)?.unwrap_or(u32::MAX),
    };
    // This number of raw bytes would be correct.
    let count = if count as usize == size { count + 1 } else { count };
    Ok(draft.faulty(draft.with_word(at, count)))
}

pub(super) fn list_count_below(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::list(u, config, 1)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let count = between(u, 0, place.count - 1)?.unwrap_or_default();
    Ok(draft.faulty(draft.with_count(count)))
}

pub(super) fn list_grown(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::list(u, config, 0)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let limit = draft.file.limit(&place);
    let Some(end) = between(u, place.end + 1, limit)? else { return Ok(None) };
    Ok(draft.faulty(draft.ending_at(end)))
}

pub(super) fn list_squeezed(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::list(u, config, 1)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let (_, content) = place.array_words();
    let most = content + FieldRecord::HEAD_SIZE * place.count - 1;
    let Some(end) = between(u, content, most)? else { return Ok(None) };
    // This number of raw bytes would be correct.
    if end - content == place.count {
        return Ok(None);
    }
    Ok(draft.faulty(draft.ending_at(end)))
}

pub(super) fn raw_count(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::raw(u, 1)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let size = draft.place.count;
    let count = match u.int_in_range(0..=3_u8)? {
        // None of the bytes are elements.
        0 => 0,
        1 => size - 1,
        2 => size + 1,
        _ => too_large(u, size)?.unwrap_or(u32::MAX) as usize,
    };
    // With a count that is lower still, the bytes are taken for fields.
    if (1..=size / FieldRecord::HEAD_SIZE).contains(&count) {
        return Ok(None);
    }
    Ok(draft.faulty(draft.with_count(count)))
}

pub(super) fn raw_size(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::raw(u, 1)?;
    let draft = Draft::around(u, config, value, Around::Any)?;
    let place = draft.place;
    let (_, content) = place.array_words();
    let limit = draft.file.limit(&place);
    // As long as there is no room for as many fields.
    let most = (content + FieldRecord::HEAD_SIZE * place.count - 1).min(limit);
    let chosen = if u.arbitrary()? {
        between(u, place.end + 1, most)?
    } else {
        between(u, content, place.end - 1)?
    };
    let Some(end) = chosen else { return Ok(None) };
    Ok(draft.faulty(draft.ending_at(end)))
}

//! Breaches of what the file announces: it ends too early, or something reaches beyond its end.

use arbitrary::{Result, Unstructured};
use formwork_alb1::record::{FieldRecord, Header, RootRecord, TableEntry, TableRecord};
use formwork_alb1::{FieldType, Raw, Value};
use formwork_records::schema::{Extent, Layout, Sizes, record_of};
use formwork_variant::generate::Config;

use super::super::place::{File, SIZE};
use super::super::small;
use super::draft::{self, Around, Draft};
use super::{Faulty, Tried, between};

/// The file up to `end`.
fn cut(file: File, end: usize, subject: &'static str) -> Option<Faulty> {
    let mut bytes = file.bytes;
    bytes.truncate(end);
    Some(Faulty { bytes, subject })
}

pub(super) fn header(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let end = u.int_in_range(0..=Header::HEAD_SIZE - 1)?;
    Ok(cut(file, end, record_of::<Header>().name))
}

pub(super) fn tables(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let end = u.int_in_range(Header::HEAD_SIZE..=file.root - 1)?;
    let in_entry = file.tables.iter().any(|(_, entries)| entries.contains(&end));
    let record = if in_entry { record_of::<TableEntry>() } else { record_of::<TableRecord>() };
    Ok(cut(file, end, record.name))
}

pub(super) fn root(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let end = file.root + u.int_in_range(0..=RootRecord::HEAD_SIZE - 1)?;
    Ok(cut(file, end, record_of::<RootRecord>().name))
}

/// A file with a value in the root, cut somewhere in its field.
fn in_field(
    u: &mut Unstructured<'_>,
    config: &Config,
    value: Value,
    from: usize,
    most: usize,
) -> Tried {
    let draft = Draft::around(u, config, value, Around::Root)?;
    let place = draft.place;
    let (least, most) = (place.offset + from, (place.offset + most).min(place.end - 1));
    let Some(end) = between(u, least, most)? else { return Ok(None) };
    Ok(cut(draft.file, end, place.field_type.variant()))
}

pub(super) fn head_of_field(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = draft::any_value(u, config)?;
    in_field(u, config, value, 1, FieldRecord::HEAD_SIZE - 1)
}

pub(super) fn value(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let types = FieldType::ALL.iter().copied().filter(|one| *one != FieldType::Empty);
    let types: Vec<_> = types.collect();
    let field_type = *u.choose(&types)?;
    let value = draft::value_of(u, config, field_type)?;
    in_field(u, config, value, FieldRecord::HEAD_SIZE, usize::MAX / 2)
}

/// A string or an array of numbers, with something in it.
pub(super) fn counted_value(u: &mut Unstructured<'_>) -> Result<Value> {
    let types: Vec<_> = FieldType::ALL.iter().copied().filter(|one| one.is_numbers()).collect();
    let count = u.int_in_range(1..=9_usize)?;
    if u.arbitrary()? {
        return Ok(small::text("something".get(..count).unwrap_or_default()));
    }
    let field_type = *u.choose(&types)?;
    let bits: Vec<u64> = (0..count).map(|_| u.arbitrary()).collect::<Result<_>>()?;
    Ok(small::numbers(field_type, &bits).unwrap_or(Value::Empty))
}

pub(super) fn counted(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = counted_value(u)?;
    in_field(u, config, value, FieldRecord::HEAD_SIZE, usize::MAX / 2)
}

/// An object, an array of fields or an array of raw bytes.
pub(super) fn blob_value(u: &mut Unstructured<'_>, config: &Config) -> Result<Value> {
    match u.int_in_range(0..=3_u8)? {
        0 => draft::list(u, config, 0),
        1 => draft::raw(u, 1),
        2 => Ok(Value::Raw(Raw::from(vec![0; 64]))),
        _ => draft::object(u, config, 0),
    }
}

pub(super) fn blob(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = blob_value(u, config)?;
    in_field(u, config, value, FieldRecord::HEAD_SIZE, usize::MAX / 2)
}

pub(super) fn blob_beyond(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = blob_value(u, config)?;
    let draft = Draft::around(u, config, value, Around::Root)?;
    let place = draft.place;
    let content = place.value + SIZE;
    let left = draft.file.bytes.len() - content;
    let Some(size) = too_large(u, left)? else { return Ok(None) };
    Ok(draft.faulty(draft.with_word(place.value, size)))
}

/// A size word that says more than is left: by one, by few, or by as much as can be.
pub(super) fn too_large(u: &mut Unstructured<'_>, left: usize) -> Result<Option<u32>> {
    let Ok(least) = u32::try_from(left + 1) else { return Ok(None) };
    Ok(Some(
        match u.int_in_range(0..=6_u8)? {
            0 | 1 => least,
            2 => u32::MAX,
            3 => i32::MAX as u32,
            // Wraps around to a small number when the offset is added.
            4 => u32::MAX - 3,
            5 => least.saturating_add(u.int_in_range(0..=16)?),
            _ => u.int_in_range(least..=u32::MAX)?,
        }
        .max(least),
    ))
}

/// A count of a string or array of numbers at `at` that reaches beyond `end`, in its bytes.
pub(super) fn count_above(
    u: &mut Unstructured<'_>,
    field_type: FieldType,
    at: usize,
    end: usize,
) -> Result<Option<Vec<u8>>> {
    let Some(shape) = field_type.layout() else { return Ok(None) };
    let word = shape.head_size();
    let each = small::shape_of_number(field_type).and_then(Layout::size).unwrap_or(1);
    let most = (1 << (8 * word)) - 1;
    let least = end.saturating_sub(at + word) / each + 1;
    let Some(count) = between(u, least, most)? else { return Ok(None) };
    Ok(count.to_le_bytes().get(..word).map(<[u8]>::to_vec))
}

pub(super) fn count_beyond(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let value = counted_value(u)?;
    let draft = Draft::around(u, config, value, Around::Root)?;
    let place = draft.place;
    let end = draft.file.bytes.len();
    let Some(word) = count_above(u, place.field_type, place.value, end)? else { return Ok(None) };
    Ok(draft.faulty(draft.with_bytes(place.value, &word)))
}

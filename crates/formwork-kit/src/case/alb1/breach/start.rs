//! Breaches of what a file, a table or a field starts with.

use arbitrary::{Result, Unstructured};
use formwork_alb1::FieldType;
use formwork_alb1::record::{FieldRecord, Header, TableRecord};
use formwork_records::schema::{offset, record_of};
use formwork_variant::generate::Config;

use super::super::place::TABLE_COUNT;
use super::draft::Draft;
use super::{Faulty, Tried, put};

const HEADER: &str = record_of::<Header>().name;
const TABLE: &str = record_of::<TableRecord>().name;

/// Changes a byte into another one.
fn change(u: &mut Unstructured<'_>, bytes: &mut [u8], at: usize) -> Result<()> {
    let difference = u.int_in_range(1..=u8::MAX)?;
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= difference;
    }
    Ok(())
}

pub(super) fn magic(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let mut bytes = Draft::any(u, config)?.file.bytes;
    let at = u.int_in_range(0..=3_usize)?;
    change(u, &mut bytes, at)?;
    Ok(Some(Faulty { bytes, subject: HEADER }))
}

pub(super) fn version(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let mut bytes = Draft::any(u, config)?.file.bytes;
    let at = offset::<Header, u32>("version");
    let version: u32 = match u.int_in_range(0..=4_u8)? {
        0 => 0,
        1 => 2,
        2 => u32::MAX,
        // In the other byte order.
        3 => 1 << 24,
        _ => u.int_in_range(2..=u32::MAX)?,
    };
    put(&mut bytes, at, &version.to_le_bytes());
    Ok(Some(Faulty { bytes, subject: HEADER }))
}

pub(super) fn table_id(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let (start, _) = *u.choose(&file.tables)?;
    let mut bytes = file.bytes;
    let at = u.int_in_range(0..=1_usize)?;
    change(u, &mut bytes, start + offset::<TableRecord, u16>("id") + at)?;
    Ok(Some(Faulty { bytes, subject: TABLE }))
}

pub(super) fn tables_swapped(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let [(tags, _), (classes, _)] = file.tables;
    let mut bytes = file.bytes;
    if let Some(tables) = bytes.get_mut(tags..file.root) {
        tables.rotate_left(classes - tags);
    }
    Ok(Some(Faulty { bytes, subject: TABLE }))
}

pub(super) fn table_type(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let (start, _) = *u.choose(&file.tables)?;
    let mut bytes = file.bytes;
    change(u, &mut bytes, start + offset::<TableRecord, u8>("field_type"))?;
    Ok(Some(Faulty { bytes, subject: TABLE }))
}

/// Puts the last entry where the class table starts. It is not mistaken for the class table: no tag of a small file has
/// the class table's id.
pub(super) fn table_count(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let [(start, entries), _] = &file.tables;
    let (start, count) = (*start, entries.len() as u32 - 1);
    let mut bytes = file.bytes;
    put(&mut bytes, start + TABLE_COUNT, &count.to_le_bytes());
    Ok(Some(Faulty { bytes, subject: TABLE }))
}

pub(super) fn field_type(u: &mut Unstructured<'_>, config: &Config) -> Tried {
    let Draft { file, .. } = Draft::any(u, config)?;
    let place = u.choose(&file.places)?;
    let at = place.offset + offset::<FieldRecord, u8>("field_type");
    let above = FieldType::ALL.last().map_or(0, |last| last.id()).saturating_add(1);
    let id = match u.int_in_range(0..=4_u8)? {
        0 => 0,
        1 => above,
        // What other programs took for a type.
        2 => 0x20,
        3 => u8::MAX,
        _ => u.int_in_range(above..=u8::MAX)?,
    };
    let (subject, mut bytes) = (place.field_type, file.bytes.clone());
    put(&mut bytes, at, &[id]);
    Ok(Faulty::about(subject, bytes))
}

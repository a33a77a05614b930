//! Unusual names, tables and headers.

use arbitrary::{Result, Unstructured};
use formwork_alb1::record::{FieldRecord, Header, RootRecord, TableRecord};
use formwork_alb1::terrain::DATA;
use formwork_alb1::{FieldType, Object, ObjectPointer, Table, Text, Value};
use formwork_records::generate::number::number;
use formwork_records::schema::record_of;
use formwork_variant::generate::{Config, interesting};

use super::{made, one, small, with};
use crate::case::Made;

/// An id that a table does not have.
fn unknown(u: &mut Unstructured<'_>, table: &Table) -> Result<u16> {
    let id = match u.int_in_range(0..=4_u8)? {
        0 => 0,
        1 => u16::MAX,
        // Neither id is in a dictionary: one is past the end, one was left out.
        2 => 164,
        3 => 4,
        _ => u.arbitrary()?,
    };
    Ok(if table.name(id).is_some() { u16::MAX - 1 } else { id })
}

pub(super) fn unknown_tag(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut field = small::field(DATA, number::<i32>(u, config).map(Value::SignedInt)?);
    field.tag = unknown(u, &small::document().tags)?;
    one(u, config, record_of::<FieldRecord>().name, field)
}

pub(super) fn unknown_class(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let class = unknown(u, &small::document().classes)? as i16;
    let address = formwork_alb1::Document::FIRST_ADDRESS + 8;
    match u.int_in_range(0..=2_u8)? {
        0 => {
            let object = Object { class, address, fields: vec![small::field(DATA, true)] };
            one(u, config, FieldType::Object.variant(), small::field(DATA, object))
        }
        1 => {
            let pointer = small::field(DATA, ObjectPointer { class, address });
            one(u, config, FieldType::ObjectPointer.variant(), pointer)
        }
        _ => {
            let mut document = with(u, config, [])?;
            document.root.class = class;
            Ok(made(record_of::<RootRecord>().name, &document))
        }
    }
}

pub(super) fn odd_entries(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut document = with(u, config, [])?;
    let table = if u.arbitrary()? { &mut document.tags } else { &mut document.classes };
    let mut entries: Vec<(u16, Text)> =
        table.entries().map(|(id, name)| (id, name.clone())).collect();
    for _ in 0..u.int_in_range(1..=3_u8)? {
        let id = match u.int_in_range(0..=3_u8)? {
            // The id of another entry.
            0 => entries.first().map_or(0, |(id, _)| *id),
            1 => 0,
            2 => u16::MAX,
            _ => u.arbitrary()?,
        };
        let name = match u.int_in_range(0..=3_u8)? {
            // None, and the name of another entry.
            0 => Text::default(),
            1 => Text::from_bytes(DATA.as_bytes()),
            _ => Text::from_bytes(interesting::text(u, |_| true)?),
        };
        let position = u.int_in_range(0..=entries.len())?;
        entries.insert(position, (id, name));
    }
    if u.arbitrary()? {
        entries.reverse();
    }
    *table = entries.into_iter().collect();
    Ok(made(record_of::<TableRecord>().name, &document))
}

pub(super) fn empty_table(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut document = with(u, config, [])?;
    let which = u.int_in_range(1..=3_u8)?;
    if which & 1 != 0 {
        document.tags = Table::from_iter([]);
    }
    if which & 2 != 0 {
        document.classes = Table::from_iter([]);
    }
    Ok(made(record_of::<TableRecord>().name, &document))
}

pub(super) fn header(u: &mut Unstructured<'_>, config: &Config) -> Result<Made> {
    let mut document = with(u, config, [])?;
    document.header.project_version = number(u, config)?;
    document.header.reserved = number(u, config)?;
    Ok(made(record_of::<Header>().name, &document))
}

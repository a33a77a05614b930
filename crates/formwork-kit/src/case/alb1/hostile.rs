//! Files with much wrong: what no reader may crash on, hang on or take memory for.

use arbitrary::{Result, Unstructured};
use binrw::BinWrite;
use binrw::io::NoSeek;
use formwork_alb1::record::{ArrayRecord, FieldRecord, ObjectRecord, TableRecord};
use formwork_alb1::terrain::{DATA, ITEM, PAIR};
use formwork_alb1::{Document, FieldType, ObjectPointer, Value};
use formwork_records::schema::{Extent, Sizes, record_of};
use formwork_variant::generate::Config;

use super::{nest, small};

/// A way to be hostile.
pub(super) type Attack = fn(&mut Unstructured<'_>, &Config) -> Result<(Vec<u8>, &'static str)>;

/// Every way to be hostile.
pub(super) const ATTACKS: &[(&str, Attack)] = &[
    ("any bytes", any_bytes),
    ("any bytes behind a header and tables", any_fields),
    ("objects that are each other", cyclic),
    ("far too many in each other", deep),
    ("as many fields as there can be", wide),
];

/// How many times the bytes of a file's values a bomb may have.
const BOMB: usize = 16;

/// Makes a file that may be anything but is never longer than 16 times [`Config::max_bytes`] and what
/// a small file has besides. It may be accepted. Returns it with its subject.
pub(crate) fn hostile(
    u: &mut Unstructured<'_>,
    config: &Config,
) -> Result<(Vec<u8>, &'static str)> {
    let (_, make) = u.choose(ATTACKS)?;
    make(u, config)
}

pub(super) const FILE: &str = record_of::<formwork_alb1::record::FileRecord>().name;
pub(super) const TABLE: &str = record_of::<TableRecord>().name;

/// Returns at most `most` bytes of the rest of the seed.
fn some_bytes(u: &mut Unstructured<'_>, most: usize) -> Result<Vec<u8>> {
    let count = u.int_in_range(0..=most)?;
    let mut bytes = vec![0; count];
    u.fill_buffer(&mut bytes)?;
    Ok(bytes)
}

/// How large a bomb is: mostly small, as small ones are many.
fn bomb(u: &mut Unstructured<'_>, config: &Config, each: usize) -> Result<usize> {
    let most = (config.max_bytes * BOMB / each).max(1);
    let bits = usize::BITS - most.leading_zeros();
    let shift = u.int_in_range(0..=bits - 1)?;
    u.int_in_range(1..=(most >> shift).max(1))
}

fn any_bytes(u: &mut Unstructured<'_>, config: &Config) -> Result<(Vec<u8>, &'static str)> {
    let bytes = some_bytes(u, config.max_bytes.min(512))?;
    Ok((bytes, FILE))
}

fn any_fields(u: &mut Unstructured<'_>, config: &Config) -> Result<(Vec<u8>, &'static str)> {
    let mut bytes = small::written(&small::document());
    if u.arbitrary()? {
        bytes.extend(some_bytes(u, config.max_bytes.min(512))?);
        return Ok((bytes, FILE));
    }
    // Heads of fields, followed by arbitrary bytes.
    for _ in 0..u.int_in_range(1..=32_u8)? {
        let field_type = u.choose(FieldType::ALL)?.id();
        append(&mut bytes, &FieldRecord { tag: small::tag(DATA), field_type });
        bytes.extend(some_bytes(u, 12)?);
    }
    Ok((bytes, FILE))
}

/// Appends a declared record.
fn append<T>(bytes: &mut Vec<u8>, record: &T)
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    // Writing to memory does not fail.
    let _ = record.write_le(&mut NoSeek::new(bytes));
}

fn cyclic(u: &mut Unstructured<'_>, config: &Config) -> Result<(Vec<u8>, &'static str)> {
    let mut document = small::document();
    let addresses = u.int_in_range(1..=4)?;
    let address =
        |u: &mut Unstructured<'_>| Ok(Document::FIRST_ADDRESS + 4 * u.int_in_range(0..=addresses)?);
    for _ in 0..u.int_in_range(1..=config.max_nodes.clamp(1, 64))? {
        let class = document.root.class;
        let pointer = ObjectPointer { class, address: address(u)? };
        let inner = small::field(DATA, pointer);
        let object = small::object(address(u)?, vec![inner]);
        let object = nest::in_object(u.int_in_range(0..=addresses)?, small::field(ITEM, object));
        document.root.fields.push(small::field(DATA, object));
    }
    Ok((small::written(&document), FieldType::ObjectPointer.variant()))
}

fn deep(u: &mut Unstructured<'_>, config: &Config) -> Result<(Vec<u8>, &'static str)> {
    let mut bytes = small::written(&small::document());
    let field_type = *u.choose(&[FieldType::Array, FieldType::Object, FieldType::Pair])?;
    let words = field_type.layout().map_or(0, |shape| shape.head_size());
    let each = FieldRecord::HEAD_SIZE + words;
    let layers = bomb(u, config, each)?;
    // All sizes are right.
    for inside in (0..layers).rev() {
        append(&mut bytes, &FieldRecord { tag: small::tag(PAIR), field_type: field_type.id() });
        let blob_size = (words.saturating_sub(size_of::<u32>()) + each * inside) as u32;
        match field_type {
            FieldType::Array => {
                append(
                    &mut bytes,
                    &ArrayRecord {
                        blob_size,
                        count: u32::from(inside > 0),
                        elements: formwork::Deferred::HERE,
                    },
                );
            }
            FieldType::Object => {
                append(
                    &mut bytes,
                    &ObjectRecord {
                        blob_size,
                        class: 1,
                        address: inside as u32,
                        fields: formwork::Deferred::HERE,
                    },
                );
            }
            _ => {}
        }
    }
    if field_type == FieldType::Pair && u.arbitrary()? {
        // The innermost one's halves, and the second half of all others.
        for _ in 0..=layers {
            let field_type = FieldType::Empty.id();
            append(&mut bytes, &FieldRecord { tag: small::tag(DATA), field_type });
        }
    }
    Ok((bytes, field_type.variant()))
}

fn wide(u: &mut Unstructured<'_>, config: &Config) -> Result<(Vec<u8>, &'static str)> {
    let (count, array) = (bomb(u, config, 3)?, u.arbitrary()?);
    let fields = vec![small::field(ITEM, Value::Empty); count];
    let mut document = small::document();
    let value = if array { Value::Array(fields) } else { small::object(8, fields) };
    document.root.fields.push(small::field(DATA, value));
    Ok((small::written(&document), FieldType::Array.variant()))
}

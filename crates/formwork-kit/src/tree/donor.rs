//! Values that come from elsewhere: from the generator, from another tree, or put around one.

use crate::Format;
use arbitrary::{Result, Unstructured};
use binrw::BinWrite;
use binrw::io::NoSeek;
use formwork::Deferred;
use formwork_alb1::FieldType;
use formwork_alb1::record::{ArrayRecord, FieldRecord};
use formwork_godot::inspect::SpanType;
use formwork_records::schema::{
    Extent, FIELD, Layout, Occurs, Record, Repetition, Schema, VARIANT,
};
use formwork_variant::codec::{Encoder, ObjectForm};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::generate::{Config, Types, variant};
use formwork_variant::{Dictionary, Real, Variant};

use super::Tree;
use super::form::zeros;

/// The kinds of parts that can replace each other.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// A packet, or the type and value of a field of an ALB1 file.
    Value,
    /// A field of an ALB1 file with its tag.
    Field,
    Record(&'static str),
}

impl Kind {
    pub(super) const fn of(shape: Layout) -> Option<Self> {
        match shape {
            Layout::Nested(VARIANT) => Some(Self::Value),
            Layout::Nested(FIELD) => Some(Self::Field),
            Layout::Record(record) => Some(Self::Record(record.name)),
            _ => None,
        }
    }
}

impl Tree {
    /// The bytes of any node of a kind, each as likely as the others.
    pub(super) fn any_of(&self, kind: Kind, u: &mut Unstructured<'_>) -> Result<Option<Vec<u8>>> {
        let is_it = |layout: SpanType| match (kind, layout) {
            (Kind::Value, SpanType::Packet(_) | SpanType::Field(_)) => true,
            (Kind::Field, SpanType::Field(_)) => true,
            (Kind::Record(name), SpanType::One(Layout::Record(record))) => record.name == name,
            _ => false,
        };
        let nodes = self.nodes.iter().enumerate().filter(|(_, node)| is_it(node.layout));
        let count = nodes.clone().count();
        if count == 0 {
            return Ok(None);
        }
        let chosen = u.int_in_range(0..=count - 1)?;
        let range = nodes.clone().nth(chosen).and_then(|(index, node)| match kind {
            Kind::Value => self.value_range(index),
            _ => Some(node.range()),
        });
        Ok(range.and_then(|range| self.bytes.get(range)).map(<[u8]>::to_vec))
    }
}

/// Small values: what is around them is there already.
const SMALL: Config = Config {
    max_depth: 4,
    max_nodes: 12,
    max_bytes: 64,
    max_string_bytes: 16,
    max_count: 6,
    types: Types::ALL,
    single_percent: 80,
    fill_percent: 0,
    boundary_percent: 40,
    objects: true,
    odd_values: true,
};

/// A value that the generator makes: a packet, or the type and value of a field of an ALB1 file.
pub(super) fn generated(u: &mut Unstructured<'_>, format: Format) -> Result<Option<Vec<u8>>> {
    match format {
        Format::Alb1 => formwork_alb1::generate::value_bytes(u, &SMALL),
        Format::Variant(dialect) => match dialect.precision() {
            Precision::Single => packet::<f32>(u, dialect),
            Precision::Double => packet::<f64>(u, dialect),
        },
    }
}

fn packet<R: Real>(u: &mut Unstructured<'_>, dialect: Dialect) -> Result<Option<Vec<u8>>> {
    let value = variant::<R>(u, dialect, &SMALL)?;
    Ok(Encoder::new(dialect).in_precision().objects(ObjectForm::Full).encode(&value).ok())
}

/// An element that a list can hold: values made by the generator, and zeros.
pub(super) fn element(
    u: &mut Unstructured<'_>,
    shape: Layout,
    format: Format,
) -> Result<Option<Vec<u8>>> {
    let fields = match shape {
        Layout::Nested(VARIANT) => return generated(u, format),
        Layout::Record(record) => record.fields,
        Layout::Nested(FIELD) => RECORD.fields,
        _ => return Ok(None),
    };
    let mut made = Vec::new();
    for field in fields.iter().filter(|field| matches!(field.occurs(), Repetition::Once)) {
        match field.element() {
            Layout::Nested(VARIANT) => made.extend(generated(u, format)?.unwrap_or_default()),
            _ => made.extend(zeros(field)),
        }
    }
    if let Layout::Nested(FIELD) = shape {
        made.truncate(TAG);
        made.extend(generated(u, format)?.unwrap_or_default());
    }
    Ok(Some(made))
}

const RECORD: &Record = formwork_records::schema::record_of::<FieldRecord>();

/// Bytes of a tag.
const TAG: usize = size_of::<u16>();

/// Returns a value nested in arrays (or dictionaries).
pub(super) fn wrapped(
    value: &[u8],
    times: usize,
    in_dictionary: bool,
    format: Format,
) -> Option<Vec<u8>> {
    let dialect = match format {
        Format::Variant(dialect) => dialect,
        Format::Alb1 => return in_arrays(value, times),
    };
    let around: Variant = match in_dictionary {
        true => Dictionary::from_iter([(Variant::from("k"), Variant::Nil)]).into(),
        false => Variant::from(vec![Variant::Nil]),
    };
    let null = formwork_variant::to_vec(&Variant::<f32>::Nil, dialect).ok()?;
    let mut around = formwork_variant::to_vec(&around, dialect).ok()?;
    around.truncate(around.len().checked_sub(null.len())?);
    let mut made = around.repeat(times);
    made.extend_from_slice(value);
    Some(made)
}

/// Nests a value in arrays of ALB1 files, the first element of each being the next.
fn in_arrays(value: &[u8], times: usize) -> Option<Vec<u8>> {
    let head = ArrayRecord::LAYOUT.head_size();
    let each = 1 + head + TAG;
    let mut made = Vec::with_capacity(value.len() + times * each);
    for inside in (0..times).rev() {
        let content = value.len() + inside * each;
        let blob_size = u32::try_from(head - size_of::<u32>() + TAG + content).ok()?;
        made.push(FieldType::Array.id());
        ArrayRecord { blob_size, count: 1, elements: Deferred::HERE }
            .write_le(&mut NoSeek::new(&mut made))
            .ok()?;
        made.extend([0; TAG]);
    }
    made.extend_from_slice(value);
    Some(made)
}

//! A packet or record in one line.

use std::fmt::{self, Write};

use super::Inspector;
use crate::resource;
use formwork::PathSegment;
use formwork_records::inspect::value::{Summary, write_text};
use formwork_records::inspect::walker::nests;
use formwork_records::inspect::{Kind, SpanType, Value};
use formwork_records::schema::Layout;
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::frame::ByteOrder;

/// The most spans that are examined: enough for the longest type of fixed size, a Projection.
const LOOKED_AT: usize = 64;

/// Writes a packet or record in one line.
pub(super) fn write(summary: Summary<'_>, out: &mut dyn Write) -> fmt::Result {
    // A pair of values is `key: value`, a record of numbers is a tuple.
    let apart = matches!(summary.shape, Layout::Record(_)) && nests(summary.shape);
    let (dialect, resource) = known(summary.context);
    let mut inspector =
        Inspector::new(summary.bytes, dialect).starting(summary.start, summary.shape).shallow();
    inspector.0.resolver.resource = resource;
    if let Some(name) = summary.name {
        write_text(name, out)?;
        out.write_str(": ")?;
    }
    // Values that belong together: those of a field of a record, or all of a packet.
    let mut group: Vec<Value<'_>> = Vec::new();
    let mut packet_name = None;
    let mut groups = 0;
    let mut cut = true;
    for _ in 0..LOOKED_AT {
        let span = match inspector.next() {
            Some(Ok(span)) => span,
            Some(Err(_)) => break,
            None => {
                cut = false;
                break;
            }
        };
        if apart && span.depth == 1 {
            write_group(&mut group, packet_name.take(), &mut groups, out)?;
        }
        match (span.kind, span.layout) {
            (Kind::Rest, _) => {
                cut = false;
                break;
            }
            (Kind::Open, SpanType::Packet(name)) if span.depth > 0 => packet_name = Some(name),
            // A word of flags none of which is set is omitted.
            (Kind::Leaf, _) if matches!(span.value, Value::Word(_, 0, _)) => {}
            (Kind::Leaf, _) if span.name != PathSegment::Field("header") => group.push(span.value),
            _ => {}
        }
    }
    write_group(&mut group, packet_name, &mut groups, out)?;
    if cut { out.write_str("..") } else { Ok(()) }
}
/// Returns a dialect and the layout of a resource file as the numbers of a [`Summary`].
pub(super) fn context(dialect: Dialect, resource: Option<resource::Layout>) -> [usize; 3] {
    let double = dialect.precision() == Precision::Double;
    let single = dialect.with_precision(Precision::Single);
    let engine = Dialect::all().position(|one| Some(one) == single);
    let flags = resource.map_or(0, |layout| {
        let big = layout.order == ByteOrder::Big;
        let bits = [true, big, layout.double, layout.has_property, layout.own_types];
        bits.into_iter().enumerate().map(|(bit, set)| usize::from(set) << bit).sum()
    });
    let from = resource.map_or(0, |layout| layout.from);
    [2 * engine.unwrap_or_default() + usize::from(double), flags, from]
}

/// Returns the dialect and the layout of a resource file of these numbers.
fn known([dialect, flags, from]: [usize; 3]) -> (Dialect, Option<resource::Layout>) {
    let single = Dialect::all().nth(dialect / 2).unwrap_or(Dialect::GODOT4);
    let precision = if dialect % 2 == 1 { Precision::Double } else { Precision::Single };
    let has = |bit: u32| flags >> bit & 1 == 1;
    let layout = resource::Layout {
        order: if has(1) { ByteOrder::Big } else { ByteOrder::Little },
        double: has(2),
        has_property: has(3),
        own_types: has(4),
        from,
    };
    (single.with_precision(precision).unwrap_or(single), has(0).then_some(layout))
}

/// Numbers as a tuple, everything else as a list; a packet without either by its type's name.
fn write_group(
    group: &mut Vec<Value<'_>>,
    packet_name: Option<&str>,
    groups: &mut usize,
    out: &mut dyn Write,
) -> fmt::Result {
    if group.is_empty() && packet_name.is_none() {
        return Ok(());
    }
    if *groups > 0 {
        out.write_str(": ")?;
    }
    *groups += 1;
    let tuple = group.len() > 1 && group.iter().all(Value::is_component);
    if tuple {
        out.write_char('(')?;
    }
    for (position, value) in group.iter().enumerate() {
        if position > 0 {
            out.write_str(", ")?;
        }
        value.write(out)?;
    }
    if tuple {
        out.write_char(')')?;
    }
    if let (true, Some(name)) = (group.is_empty(), packet_name) {
        out.write_str(name)?;
    }
    group.clear();
    Ok(())
}

//! A packet or record in one line.

use std::fmt::{self, Write};

use super::Inspector;
use crate::error::PathSegment;
use crate::inspect::lists::nests;
use crate::inspect::value::{Summary, write_text};
use crate::inspect::{Kind, Layout, Value};
use crate::schema::Shape;

/// Spans that are looked at: enough for the longest type of fixed size, a Projection.
const LOOKED_AT: usize = 64;

impl Summary<'_> {
    pub(in crate::inspect) fn write(self, out: &mut dyn Write) -> fmt::Result {
        // A pair of values is `key: value`, a record of numbers is a tuple.
        let apart = matches!(self.shape, Shape::Record(_)) && nests(self.shape);
        let mut inspector =
            Inspector::new(self.bytes, self.dialect).starting(self.start, self.shape).shallow();
        inspector.resolver.resource = self.resource;
        if let Some(name) = self.name {
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
                (Kind::Open, Layout::Packet(name)) if span.depth > 0 => packet_name = Some(name),
                // A word of flags none of which is set says nothing.
                (Kind::Leaf, _) if matches!(span.value, Value::Word(_, 0, _)) => {}
                (Kind::Leaf, _) if span.name != PathSegment::Field("header") => {
                    group.push(span.value)
                }
                _ => {}
            }
        }
        write_group(&mut group, packet_name, &mut groups, out)?;
        if cut { out.write_str("..") } else { Ok(()) }
    }
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

//! Checks that every expression of a declaration only uses earlier fields.

use std::collections::HashSet;

use formwork_alb1::page::alb1_shapes;
use formwork_records::schema::{Field, Record, Repetition, Shape};
use formwork_variant::dialect::{Dialect, Precision};
use formwork_variant::packet::Header;

/// Returns whether the path leads to an earlier field.
fn resolves(path: &[&str], header: Option<Header>, earlier: &[Field]) -> bool {
    let Some((&first, rest)) = path.split_first() else { return true };
    if rest == ["sum"] {
        let list = earlier.iter().rev().find(|field| field.name == first);
        return list.is_some_and(|list| {
            matches!((list.shape(), list.occurs), (Shape::Integer { .. }, Repetition::Times(_)))
        });
    }
    let shape = match header {
        Some(header) if first == "header" => Some(Shape::Word(header.word())),
        _ => earlier.iter().rev().find(|field| field.name == first).map(|field| field.shape()),
    };
    match shape {
        Some(Shape::Record(record)) => !rest.is_empty() && resolves(rest, None, record.fields),
        Some(Shape::Word(word)) => {
            matches!(rest, [part] if word.bits.iter().any(|bits| bits.name == *part))
        }
        Some(Shape::Integer { .. }) => rest.is_empty(),
        _ => false,
    }
}

fn check(fields: &[Field], header: Option<Header>, at: &str, seen: &mut HashSet<String>) {
    for (position, field) in fields.iter().enumerate() {
        let at = format!("{at}.{}", field.name);
        match field.occurs {
            Repetition::Once | Repetition::ToEnd => {}
            Repetition::Fill(expression)
            | Repetition::Times(expression)
            | Repetition::If(expression)
            | Repetition::After(expression)
            | Repetition::AfterOrEnd(expression) => {
                seen.insert(expression.to_string());
                expression.paths(&mut |path| {
                    assert!(resolves(path, header, &fields[..position]), "{at}: {path:?}");
                });
            }
        }
        if let Shape::Record(Record { fields, .. }) = field.shape() {
            check(fields, None, &at, seen);
        }
    }
}

#[test]
fn every_declared_expression_speaks_of_earlier_fields() {
    let mut seen = HashSet::new();
    for single in Dialect::all() {
        for dialect in [Some(single), single.with_precision(Precision::Double)] {
            let Some(dialect) = dialect else { continue };
            check(formwork_variant::frame::RECORD.fields, None, "frame", &mut seen);
            for row in dialect.rows() {
                let packet = dialect.packet(row.variant_type).unwrap();
                check(packet.payload, Some(packet.header), row.name, &mut seen);
            }
        }
    }
    for shape in alb1_shapes() {
        if let Shape::Record(Record { name, fields, .. }) = shape {
            check(fields, None, name, &mut seen);
        }
    }
    for layer in formwork_godot::wrapper::Layer::all() {
        let Record { name, fields, .. } = layer.record();
        check(fields, None, name, &mut seen);
    }
    for text in ["blob_size", "group_count", "object_count"] {
        assert!(seen.contains(text), "{text}");
    }
    assert!(seen.len() > 10, "{seen:?}");
}

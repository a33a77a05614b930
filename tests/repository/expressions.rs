//! Checks that the expressions of packets, which are written by hand, use the header and fields that are in front.

use formwork_records::schema::{Field, Layout, Occurs, Word};
use formwork_variant::dialect::{Dialect, Precision};

/// Returns whether the parts lead to a number of the layout.
fn is_number(layout: Layout, parts: &[&str]) -> bool {
    match (layout, parts) {
        (Layout::Record(record), [name, parts @ ..]) => {
            let field = record.fields.iter().find(|field| field.name == *name);
            field.is_some_and(|field| is_number(field.element(), parts))
        }
        (Layout::Word(word), [part]) => has_part(word, part),
        (Layout::Integer { .. }, []) => true,
        _ => false,
    }
}

fn has_part(word: &Word, name: &str) -> bool {
    word.parts.iter().any(|part| part.name == name)
}

fn resolves(header: &Word, front: &[Field], name: &str, parts: &[&str]) -> bool {
    match (name, parts) {
        ("header", [part]) => has_part(header, part),
        _ => front.iter().any(|field| field.name == name && is_number(field.element(), parts)),
    }
}

#[test]
fn every_condition_of_a_packet_uses_what_is_in_front() {
    let mut seen = 0;
    for single in Dialect::all() {
        for dialect in [Some(single), single.with_precision(Precision::Double)] {
            let Some(dialect) = dialect else { continue };
            for packet in dialect.rows().iter().filter_map(|row| dialect.packet(row.variant_type)) {
                for (position, field) in packet.payload.fields.iter().enumerate() {
                    let Some(condition) = field.when else { continue };
                    condition.names(&mut |name| {
                        let (name, parts) = name.path().expect("it is a name");
                        let front = &packet.payload.fields[..position];
                        let is_there = resolves(packet.header.word(), front, name, parts);
                        assert!(is_there, "{}: {condition}", field.name);
                        seen += 1;
                    });
                }
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

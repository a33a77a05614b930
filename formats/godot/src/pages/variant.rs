//! A dialect's format as a page, from its declarations.

use super::rules::in_words;
use formwork_records::page::collect::Collected;
use formwork_records::page::words::{anchor, clean};
use formwork_records::page::{Page, code, fixed_size, line, names};
use formwork_records::schema::{Expression, Field, Meaning, Occurs, Repetition};
use formwork_variant::dialect::{Dialect, Packet};
use formwork_variant::frame;

/// Returns the format of a dialect as a page in Markdown: frame, header words, table of types, records, rules. All
/// of it is read from the declarations of the codec.
#[must_use]
pub fn variant_page(dialect: Dialect) -> String {
    let mut page = Page { collected: collected(dialect), text: String::new() };
    introduction(&mut page, dialect);
    types(&mut page, dialect);
    packets(&mut page, dialect);
    page.records();
    page.words();
    rules(&mut page, dialect);
    page.text
}

fn introduction(page: &mut Page, dialect: Dialect) {
    let (name, description) = (dialect.name(), dialect.description());
    line!(page, "# The packets of {name}\n");
    line!(page, "{description}.\n");
    line!(page, "A packet is one value: a header word, which holds the number of the type, and a");
    line!(page, "payload. All numbers are little endian.\n");
    line!(page, "## Frame\n");
    let frame = frame::RECORD;
    line!(page, "{}\n", clean(frame.doc));
    page.fields(&[frame.fields]);
}

fn types(page: &mut Page, dialect: Dialect) {
    line!(page, "## Types\n");
    line!(page, "Bytes are those of the whole packet.\n");
    line!(page, "| Id | Type | Header | Payload | Bytes |");
    line!(page, "| ---: | --- | --- | --- | ---: |");
    for (id, row) in dialect.rows().iter().enumerate() {
        let Some(packet) = dialect.packet(row.variant_type) else { continue };
        let header = packet.header.word().name;
        let payload = if has_parts(&packet) {
            format!("[its own](#{}-packet)", anchor(row.name))
        } else {
            payload(page, packet.payload.fields)
        };
        let payload = if payload.is_empty() { "none" } else { &payload };
        let size = size_text(&packet);
        line!(
            page,
            "| {id} | {} | [{header}](#{}) | {payload} | {size} |",
            row.name,
            anchor(header),
        );
    }
    line!(page, "");
}

/// A payload that is one thing, or one of two.
fn payload(page: &Page, fields: &[Field]) -> String {
    let mut text = String::new();
    for field in fields {
        if !text.is_empty() {
            text.push_str(", or ");
        }
        text.push_str(&page.collected.type_text(field.element()));
        // Of two alternatives, only the condition of the second is written.
        if let Repetition::If(condition) = field.occurs()
            && !matches!(condition, Expression::Not(_))
        {
            text.push_str(&format!(" if {}", code(condition)));
        }
        if field.meaning != Meaning::Plain {
            text.push(':');
            text.push_str(&names(field.meaning));
        }
    }
    text
}

fn packets(page: &mut Page, dialect: Dialect) {
    let rows = dialect.rows().iter();
    let packets = rows.filter_map(|row| Some((row, dialect.packet(row.variant_type)?)));
    let packets: Vec<_> = packets.filter(|(_, packet)| has_parts(packet)).collect();
    if packets.is_empty() {
        return;
    }
    line!(page, "## Payloads in parts\n");
    line!(page, "Offsets count from behind the header word.\n");
    for (row, packet) in packets {
        line!(page, "### {} packet\n", row.name);
        page.fields(&[packet.payload.fields]);
    }
}

fn rules(page: &mut Page, dialect: Dialect) {
    line!(page, "## Rules\n");
    line!(page, "What the engine does beyond the layout:\n");
    for rule in in_words(dialect) {
        line!(page, "- {rule}");
    }
}

/// Collects the declarations of a dialect's packets, in the order of first use.
fn collected(dialect: Dialect) -> Collected {
    let mut collected = Collected::nothing();
    for row in dialect.rows() {
        let Some(packet) = dialect.packet(row.variant_type) else { continue };
        collected.word(packet.header.word());
        for field in packet.payload.fields {
            collected.shape(field.element());
        }
    }
    collected.find_generic();
    collected
}

/// Returns whether the payload is more than one thing, or the same thing in two widths.
fn has_parts(packet: &Packet) -> bool {
    match packet.payload.fields {
        [] | [_] => false,
        [first, second] => !is_either(first, second),
        _ => true,
    }
}

/// Returns whether exactly one of the two fields occurs.
fn is_either(first: &Field, second: &Field) -> bool {
    matches!(
        (first.occurs(), second.occurs()),
        (Repetition::If(Expression::Not(first)), Repetition::If(second))
            if first.path().is_some() && first.path() == second.path()
    )
}

fn size_text(packet: &Packet) -> String {
    let header = usize::from(packet.header.word().bytes);
    let size = match packet.payload.fields {
        [first, second] if is_either(first, second) => first
            .element()
            .size()
            .zip(second.element().size())
            .map(|(first, second)| format!("{} or {}", header + first, header + second)),
        fields => fixed_size(fields).map(|size| (header + size).to_string()),
    };
    size.unwrap_or_else(|| "varies".to_owned())
}

#[cfg(test)]
mod tests {
    use formwork_records::page::check_page;

    use super::*;

    #[test]
    fn links_lead_to_headings_and_tables_have_as_many_cells_as_columns() {
        for dialect in Dialect::all() {
            check_page(&variant_page(dialect), &dialect.name());
        }
    }

    #[test]
    fn sizes_are_those_of_the_engines() {
        let page = variant_page(Dialect::GODOT4);
        for row in [
            "| 0 | Nil | [PlainHeader](#plainheader) | none | 4 |",
            "| 2 | int | [WideHeader](#wideheader) | `i32`, or `i64` if `header.flag_64` \
             | 8 or 12 |",
            "| 8 | Rect2i | [PlainHeader](#plainheader) | [Rect2i](#rect2i) | 20 |",
        ] {
            assert!(page.contains(row), "{row}");
        }
        assert!(
            page.contains("| 100 |") || page.contains("52 or 100 |"),
            "a Transform3D in doubles"
        );
    }
}

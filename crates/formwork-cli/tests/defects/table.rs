//! The table of the score.

use std::fmt::Write as _;

use formwork_kit::Format;

use crate::data::Shown;
use crate::decoder;

/// A defect in a format, and the first packet of the suite that shows it.
pub(crate) struct Row<'d> {
    pub(crate) defect: &'d str,
    pub(crate) format: Format,
    pub(crate) shown: Option<Shown>,
}

/// Returns the text of `SCORE.md`.
pub(crate) fn page(rows: &[Row<'_>]) -> String {
    let mut page = String::from(
        "# The score of the suite\n\n\
         Which packet of the suite of a format shows each planted defect of `examples/defective_decoder` first, and \
         how many\npackets are sent until then. A defect that no packet shows alone, because it costs time or memory, \
         is found by a\ncampaign of the fuzz kit. `cargo test --test defects` compares this page with what it sees; it is \
         written by\n\n    FORMWORK_WRITE_SCORE=1 cargo test -p formwork-cli --test defects\n\n",
    );
    for format in decoder::FORMATS {
        let of_format = rows.iter().filter(|row| row.format == format);
        let mut packets: Vec<Option<usize>> =
            of_format.map(|row| row.shown.as_ref().map(|shown| shown.packets)).collect();
        packets.sort_by_key(|packets| packets.unwrap_or(usize::MAX));
        let shown = packets.iter().flatten().count();
        let median = packets.get(packets.len() / 2).copied().flatten().unwrap_or_default();
        let (name, all) = (decoder::name(format), packets.len());
        line(
            &mut page,
            &format!("* {name}: {shown} of {all} defects; half of them within {median} packets."),
        );
    }
    line(
        &mut page,
        "\n| defect | format | packets | shown by | as |\n| --- | --- | ---: | --- | --- |",
    );
    for Row { defect, format, shown } in rows {
        let name = decoder::name(*format);
        line(
            &mut page,
            &match shown {
                Some(Shown { packets, id, how }) => {
                    format!("| {defect} | {name} | {packets} | `{id}` | {how} |")
                }
                None => format!("| {defect} | {name} | | a campaign | |"),
            },
        );
    }
    page
}

fn line(page: &mut String, line: &str) {
    writeln!(page, "{line}").expect("writing to a string");
}

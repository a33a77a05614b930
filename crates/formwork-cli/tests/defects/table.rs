//! The score as a table.

use std::fmt::Write;
use std::path::Path;

use formwork::Format;

use crate::decoder::{self, Defect};
use crate::score::{Found, Hunt};

/// A defect in a format.
pub(crate) struct Row<'d> {
    defect: &'d Defect,
    format: Format,
    /// Cases until it was found, of each seed, the fewest first; [`None`] comes last: not found.
    cases: Vec<Option<u64>>,
    /// What it was found as with the first seed.
    found: Option<Found>,
}

impl Row<'_> {
    /// The middle of all seeds.
    fn median(&self) -> Option<u64> {
        self.cases.get(self.cases.len() / 2).copied().flatten()
    }

    fn worst(&self) -> Option<u64> {
        self.cases.last().copied().flatten()
    }
}

/// The hunts put together by defect and format; the quickest first.
pub(crate) fn rows<'d>(
    defects: &'d [Defect],
    hunts: &[Hunt<'_>],
    found: &[Option<Found>],
) -> Vec<Row<'d>> {
    let mut rows = Vec::new();
    for defect in defects {
        for &format in &defect.formats {
            let of = |hunt: &Hunt<'_>| hunt.format == format && hunt.defect == Some(&defect.name);
            let all = hunts.iter().zip(found).filter(|(hunt, _)| of(hunt));
            let found: Vec<_> = all.map(|(_, found)| found.clone()).collect();
            let mut cases: Vec<_> =
                found.iter().map(|found| found.as_ref().map(|found| found.cases)).collect();
            // It was not tried.
            if cases.is_empty() {
                continue;
            }
            cases.sort_by_key(|cases| cases.unwrap_or(u64::MAX));
            let found = found.into_iter().flatten().next();
            rows.push(Row { defect, format, cases, found });
        }
    }
    rows.sort_by_key(|row| row.median().unwrap_or(u64::MAX));
    rows
}

/// The middle of all defects in all formats.
pub(crate) fn median(rows: &[Row<'_>]) -> u64 {
    let cases: Vec<_> = rows.iter().map(|row| row.median().unwrap_or(u64::MAX)).collect();
    cases[cases.len() / 2]
}

/// The table for people.
pub(crate) fn text(rows: &[Row<'_>]) -> String {
    let mut text = String::from("| defect | format | median | worst | found as |\n");
    text.push_str("| --- | --- | ---: | ---: | --- |\n");
    for row in rows {
        let number = |cases: Option<u64>| match cases {
            None => "-".to_owned(),
            Some(cases) => cases.to_string(),
        };
        let found = row.found.as_ref().map(|found| format!("{}: {}", found.kind, found.about));
        let found = found.unwrap_or_default().replace('|', "\\|");
        let (name, format) = (&row.defect.name, decoder::name(row.format));
        let (median, worst) = (number(row.median()), number(row.worst()));
        writeln!(text, "| `{name}` | {format} | {median} | {worst} | {found} |")
            .expect("writing to a string");
    }
    text
}

/// Returns the text of `SCORE.md`: what these hunts found, and how they were made.
pub(crate) fn page(rows: &[Row<'_>], raw: usize, defects: usize) -> String {
    let mut page = String::from(
        "# The score of the fuzz kit\n\n\
         How many cases it took until the fuzz kit had its first finding in `examples/defective_decoder`, for \
         each planted defect in each\nformat in which it shows: the median over the seeds 1 to 5, with the \
         kind of the finding of seed 1. Written by\n\n    \
         FORMWORK_WRITE_SCORE=1 cargo test --release -p formwork-cli --test defects -- --nocapture\n\n",
    );
    let name = |row: &Row<'_>| decoder::name(row.format);
    for format in decoder::FORMATS.map(decoder::name) {
        let rows: Vec<_> = rows.iter().filter(|row| name(row) == format).collect();
        let Some(middle) = rows.get(rows.len() / 2) else { continue };
        let found = rows.iter().filter_map(|row| row.worst()).count();
        let longest = rows.iter().filter_map(|row| row.median()).max().unwrap_or_default();
        let median = middle.median().map_or("more".to_owned(), |cases| cases.to_string());
        writeln!(
            page,
            "* {format}: {} defects, {found} found with every seed; the median of all is {median} cases, \
             the longest of those found {longest}.",
            rows.len()
        )
        .expect("writing to a string");
    }
    page += &format!(
        "* For contrast, 100,000 packets of random bytes show {raw} of the {defects} defects.\n\n\
         | defect | format | cases (median of five seeds) | found as |\n| --- | --- | --- | --- |\n"
    );
    for row in rows {
        let cases = row.median().map_or("not found".to_owned(), |cases| cases.to_string());
        let kind = row.found.as_ref().map_or("-", |found| found.kind.name());
        writeln!(page, "| {} | {} | {cases} | {kind} |", row.defect.name, name(row))
            .expect("writing to a string");
    }
    page
}

/// Writes `SCORE.md`.
pub(crate) fn write(rows: &[Row<'_>], raw: &[String], defects: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defects/SCORE.md");
    std::fs::write(path, page(rows, raw.len(), defects)).expect("the table can be written");
}

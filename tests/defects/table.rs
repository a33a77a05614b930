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

/// Writes `SCORE.md`.
pub(crate) fn write(rows: &[Row<'_>], raw: &[String], defects: usize) {
    let found = rows.iter().filter(|row| row.worst().is_some()).count();
    let each = |format: Format| {
        let rows: Vec<_> = rows.iter().filter(|row| row.format == format).collect();
        let median = rows[rows.len() / 2].median();
        let median = median.map_or("more".to_owned(), |cases| cases.to_string());
        format!("* {}: {} defects, median {median}", decoder::name(format), rows.len())
    };
    let formats: Vec<_> = decoder::FORMATS.into_iter().map(each).collect();
    let page = format!(
        "# How fast the fuzz kit finds planted defects\n\n\
         Written by `tests/defects`, which says how. Each defect of `examples/defective_decoder` was\n\
         planted alone, and cases were run until there was a finding that two new processes showed again:\n\
         the median and the worst of five seeds.\n\n\
         * {defects} defects, {} with each format in which they show: {found} found with all seeds\n\
         * median of all: {} cases\n{}\n\
         * nothing is found in 1,000,000 cases of each format where no defect is planted\n\
         * for contrast, 100,000 packets of random bytes show {} of the {defects} defects\n\n{}",
        rows.len(),
        median(rows),
        formats.join("\n"),
        raw.len(),
        text(rows),
    );
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/defects/SCORE.md");
    std::fs::write(path, page).expect("the table can be written");
}

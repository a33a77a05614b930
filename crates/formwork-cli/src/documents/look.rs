//! Looking into any document: values, errors and paths in words, and what is wrong with a file.

use std::io::Write;

use formwork::document::{Json, Problem};
use formwork_variant::json::Style;

use super::File;
use super::registry::own;
use crate::failure::Failure;
use crate::layers::within;
use crate::lines::{Finding, Grade};
use crate::slashes::finding;
use crate::style::shown;
use crate::verdict::{SHOWN, Verdict};
use crate::window;

/// How values are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Printing {
    /// Strings as they are.
    pub(crate) is_raw: bool,
    pub(crate) style: Style,
}

impl Printing {
    /// Prints values, one below the other.
    pub(crate) fn print(self, values: &[&Json], out: &mut dyn Write) {
        // Why it failed is remembered by the output itself.
        let _ = values.iter().try_for_each(|&value| match value {
            Json::String(text) if self.is_raw => writeln!(out, "{text}"),
            value if self.style == Style::Compact => writeln!(out, "{value}"),
            value => writeln!(out, "{value:#}"),
        });
    }
}

/// Returns the value at a path.
pub(crate) fn at<'j>(json: &'j Json, name: &str, path: &str) -> Result<&'j Json, Failure> {
    json.find(path).map_err(|error| no_place(name, path, &error))
}

/// Returns the failure of a path that leads to nothing.
pub(crate) fn no_place(name: &str, path: &str, error: &formwork::Error) -> Failure {
    Failure::refused(format!("{name}: there is no value at {}", shown(path)), path, error)
        .hint(format!("expected {}", shown(error.expected())))
}

impl File {
    /// Says whether the file is as its format has it.
    pub(super) fn verdict(&self, all: bool) -> Verdict {
        let says = if own().is_some() { "as it is declared" } else { "can be read" };
        let problems = self.format.problems(self.source.content());
        let within = within(self.source.layers());
        let start = format!("{}: {}{within}", self.source.name, self.format.name());
        if problems.is_empty() {
            return Verdict::ok(format!("{start}: {says}"));
        }
        let is_damaged = problems.iter().any(|it| it.grade == Grade::Damage);
        let most = if all { problems.len() } else { SHOWN };
        let content = self.source.content();
        let words = |error: &Problem| match own() {
            Some(_) => error.to_string(),
            None => {
                let window::Line { number, column, .. } = window::line(content, error.offset());
                let (expected, found) = (error.expected(), shown(error.found()));
                format!("line {number}, column {column}: expected {expected}, found {found}")
            }
        };
        let mut line: Vec<_> = problems.iter().take(most).map(words).collect();
        if let more @ 1.. = problems.len().saturating_sub(most) {
            line.push(format!("and {more} more"));
        }
        let what = if is_damaged { "damaged" } else { "has warnings" };
        let line = format!("{start}: {what}: {}", line.join("; "));
        Verdict { ok: false, line, findings: graded(&problems), more: Vec::new() }
    }

    /// Returns what is wrong with the file.
    pub(crate) fn findings(&self) -> Vec<Finding> {
        graded(&self.format.problems(self.source.content()))
    }
}

fn graded(problems: &[Problem]) -> Vec<Finding> {
    problems.iter().map(|problem| finding(problem.grade, problem)).collect()
}

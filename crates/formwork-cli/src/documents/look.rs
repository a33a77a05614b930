//! Looking into any document: values, errors and paths in words, and what is wrong with a file.

use std::io::Write;

use formwork::document::{Document, Json, Problem};
use formwork_variant::Error;
use formwork_variant::json::Style;

use super::File;
use super::registry::own;
use crate::failure::{Failure, Status};
use crate::file::Wanted;
use crate::form::is_json;
use crate::layers::within;
use crate::lines::{Finding, Grade};
use crate::lost_path::lost;
use crate::output::Sink;
use crate::remark;
use crate::slashes::finding;
use crate::source::{Source, word};
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

/// Prints the values at paths, or the whole content.
pub(crate) fn print(
    source: &Source,
    document: &dyn Document,
    wanted: &Wanted<'_>,
    sink: Sink<'_>,
) -> Result<Status, Failure> {
    let name = &source.name;
    let place = |path: &str, error: Error| match document.look(path) {
        Err(_) => lost(name, path, document, &error),
        Ok(_) => Failure::in_value(name, error),
    };
    if wanted.paths.iter().all(String::is_empty) && wanted.paths.len() < 2 {
        sink.write(|out| write(document, "", wanted, out).map_err(|error| place("", error)))?;
    } else {
        // Nothing is printed if a path leads to nothing.
        let mut text = Vec::new();
        for path in wanted.paths {
            write(document, path, wanted, &mut text).map_err(|error| place(path, error))?;
        }
        sink.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(&text);
            Ok(())
        })?;
    }
    if let ([path], None) = (wanted.paths, wanted.form)
        && let Ok(Json::String(text)) = document.get(path)
        && is_json(&text)
    {
        let (file, path) = (source.word(), word(path));
        remark(&format!(
            "the text is JSON; to read in it: formwork get --raw {file} {path} | formwork get - PATH"
        ));
    }
    Ok(Status::Done)
}

/// Writes the value at a path: texts and bytes as they are, if that is wanted.
fn write(
    document: &dyn Document,
    path: &str,
    wanted: &Wanted<'_>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if wanted.is_raw
        && let Some(bytes) = document.bytes_at(path)?
    {
        let value = document.get(path)?;
        let is_text =
            matches!(value, Json::String(_)) || document.type_name(&value).starts_with("String");
        if is_text || wanted.form.is_none() {
            // The output records a write error itself.
            let _ = out.write_all(&bytes);
            let _ = out.write_all(if is_text { b"\n" } else { b"" });
            return Ok(());
        }
    }
    document.write_text(path, wanted.form.unwrap_or_default().name(), wanted.style, out)
}

/// Makes the failure for a text that is no document: it has a fault, or a value is beyond a limit.
pub(crate) fn unopened(name: &str, text: &[u8], error: Error) -> Failure {
    match error.place() {
        "" => Failure::in_text(name, text, error),
        place => {
            let (place, expected) = (shown(place), error.expected());
            Failure::no(format!("{name}: {place}: expected {expected}, found {}", error.found()))
        }
    }
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

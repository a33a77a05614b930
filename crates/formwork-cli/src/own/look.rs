//! Inspecting a file: `info`, `dump`, `get`.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use formwork::document::{Confidence, Format, Json, Row, RowKind};

use super::file::FormatOptions;
use crate::documents::{File, Printing, at, finding, is_inside, short, with_slashes};
use crate::failure::{Failure, Status};
use crate::folder::report_failed;
use crate::format::bytes;
use crate::lines::{self, Finding, Grade, JsonLine, hex};
use crate::output::OutputOptions;
use crate::say;
use crate::style::{Palette, shown};

/// Show what a file is and what is in it
///
/// Never fails on damaged files: the faults are listed.
#[derive(Args, Debug)]
pub(crate) struct Info {
    /// Files to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print one JSON object per file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    format: FormatOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Info {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let palette = if self.output.is_stdout() { Palette::stdout() } else { Palette::default() };
        let mut status = Status::Done;
        self.output.write(|out| {
            for (index, path) in self.files.iter().enumerate() {
                let file = match self.format.read(formats, path) {
                    Ok(file) => file,
                    // The other files may be readable.
                    Err(failure) => {
                        status = status.and(say(&failure));
                        if self.json {
                            // The output records a write error itself.
                            let _ =
                                writeln!(out, "{}", lines::line(&report_failed(path, &failure)));
                        }
                        continue;
                    }
                };
                let (about, findings) = (file.about(), file.findings());
                if file.confidence != Confidence::Whole {
                    status = status.and(Status::No);
                }
                let gap = if index > 0 { "\n" } else { "" };
                // The output records a write error itself.
                let _ = match self.json {
                    true => {
                        let json = about.iter().fold(JsonLine::new(), |json, (name, value)| {
                            json.json(name, &value.to_string())
                        });
                        json.json("findings", &lines::line(&findings)).print(out);
                        Ok(())
                    }
                    false => {
                        write!(out, "{gap}").and_then(|()| print(&about, &findings, &palette, out))
                    }
                };
            }
            Ok(())
        })?;
        Ok(status)
    }
}

/// Number of faults that are listed as text.
const FAULTS: usize = 5;

fn print(
    about: &[(String, Json)],
    findings: &[Finding],
    palette: &Palette,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Palette { name: title, value: bold, .. } = *palette;
    let mut line = |name: &str, text: &str| match name {
        "file" => writeln!(out, "{bold}{}{bold:#}", shown(text)),
        name => writeln!(out, "  {title}{name:<10}{title:#}  {}", shown(text)),
    };
    for (name, value) in about {
        match (&**name, value) {
            ("description", _) => {}
            ("content", Json::Object(members)) => {
                for (index, (name, value)) in members.iter().enumerate() {
                    let title = if index == 0 { "content" } else { "" };
                    line(title, &format!("{name}: {}", short(value)))?;
                }
            }
            ("size", size) => {
                line("size", &format!("{size} byte{}", if *size == 1.into() { "" } else { "s" }))?;
            }
            ("format", format) => {
                let words = about.iter().find(|it| it.0 == "description").map(|it| short(&it.1));
                line("format", &format!("{}: {}", short(format), words.unwrap_or_default()))?;
            }
            (name, value) => line(name, &short(value))?,
        }
    }
    for (index, finding) in findings.iter().take(FAULTS).enumerate() {
        line(if index == 0 { "problems" } else { "" }, &finding.message)?;
    }
    if let more @ 1.. = findings.len().saturating_sub(FAULTS) {
        line("", &format!("and {more} more: 'verify --all' lists them"))?;
    }
    Ok(())
}

impl File<'_> {
    /// Returns the facts about the file.
    fn about(&self) -> Vec<(String, Json)> {
        let bytes = self.source.bytes();
        let mut about: Vec<(&str, Json)> = vec![
            ("file", (*self.source.name).into()),
            ("format", self.format.name().into()),
            ("description", self.format.description().into()),
            ("size", bytes.len().into()),
        ];
        if let Ok(document) = self.format.open(bytes) {
            about.push(("content", Json::Object(document.summary())));
        }
        about.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// Show every byte of a file with its meaning
///
/// Prints one row per field: offset, bytes, name, type and value. Works on damaged files too, and shows the fault and
/// what cannot be read.
#[derive(Args, Debug)]
pub(crate) struct Dump {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only what is at PATH, such as list/0
    #[arg(short, long, value_name = "PATH", conflicts_with = "at")]
    path: Option<String>,
    /// Show only DEPTH levels
    #[arg(long, value_name = "DEPTH", conflicts_with = "at")]
    depth: Option<usize>,
    /// Show only what contains the byte at OFFSET (hex: 0x4d2)
    #[arg(long, value_name = "OFFSET", value_parser = bytes)]
    at: Option<u64>,
    /// Print one JSON object per row
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    format: FormatOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Dump {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let file = self.format.read(formats, &self.file)?;
        let path = self.path.as_deref().map(with_slashes);
        let (mut status, mut count) = (Status::Done, 0_u64);
        let mut around: Vec<(usize, String)> = Vec::new();
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = file.format.rows(file.source.bytes(), &mut |row| {
                if row.kind == RowKind::Fault {
                    status = Status::No;
                }
                if self.depth.is_some_and(|depth| row.depth > depth) {
                    return Ok(());
                }
                if let Some(path) = &path
                    && !is_inside(&with_slashes(&format!("{:#}", row.path())), path)
                {
                    return Ok(());
                }
                let line = if self.json { line_of(row) } else { row.to_string() };
                if let Some(at) = self.at {
                    around.retain(|it| it.0 < row.depth);
                    let covers = at.checked_sub(row.offset);
                    if covers.is_none_or(|it| it >= row.bytes.len() as u64) {
                        around.push((row.depth, line));
                        return Ok(());
                    }
                }
                if count == 0 && !self.json {
                    writeln!(out, "{}", Row::HEADING)?;
                }
                for (_, line) in around.drain(..) {
                    writeln!(out, "{line}")?;
                }
                count += 1;
                writeln!(out, "{line}")
            });
            Ok(())
        })?;
        match (count, self.path, self.at) {
            (0, Some(path), _) => Err(Failure::no(format!(
                "{}: no row has the path {}",
                file.source.name,
                shown(path)
            ))),
            (0, _, Some(at)) => Err(Failure::no(format!(
                "{}: no field has the byte at offset {at} (0x{at:x})",
                file.source.name
            ))),
            _ => Ok(status),
        }
    }
}

/// Returns the value of a row: none for a record or list, whose fields have the values.
fn value_of(row: &Row<'_>) -> Option<serde_json::Value> {
    match row.json() {
        Some(json) => serde_json::from_str(&json.to_string()).ok(),
        None => (!row.value.is_empty()).then(|| (*row.value).into()),
    }
}

/// Returns a row as JSON.
fn line_of(row: &Row<'_>) -> String {
    let kind = match row.kind {
        RowKind::Sum => "sum",
        RowKind::Fault => "fault",
        RowKind::Rest => "unread",
        _ => "field",
    };
    let grade = if row.kind == RowKind::Fault { Grade::Damage } else { Grade::Warning };
    lines::line(&lines::Row {
        kind,
        offset: Some(row.offset),
        size: Some(row.bytes.len() as u64),
        depth: Some(row.depth),
        path: Some(with_slashes(&format!("{:#}", row.path()))),
        name: Some((*row.name).to_owned()),
        r#type: Some((*row.type_name).to_owned()),
        value: value_of(row),
        bytes: Some(hex(row.bytes)),
        finding: row.error.as_ref().map(|error| finding(grade, error)),
        ..lines::Row::default()
    })
}

/// Print values of a file
///
/// Prints the value at each PATH as JSON. Without a PATH, prints the whole file.
#[derive(Args, Debug)]
pub(crate) struct Get {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Path of a value, such as list/0/name, or list/-1 for the last element
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    /// Print strings as they are, without quotation marks
    #[arg(short, long)]
    raw: bool,
    /// Print JSON without line breaks and spaces
    #[arg(short, long)]
    compact: bool,
    #[command(flatten)]
    format: FormatOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Get {
    pub(super) fn run(mut self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let file = self.format.read(formats, &self.file)?;
        let document = file.open()?;
        if self.paths.is_empty() {
            self.paths.push(String::new());
        }
        let found = self.paths.iter().map(|path| at(&*document, &file.source.name, path));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let printing = Printing { is_raw: self.raw, is_compact: self.compact };
        self.output.write(|out| {
            printing.print(&found, out);
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

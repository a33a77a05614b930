//! Converting files to JSON and back, and the descriptions of formats: `decode`, `encode`,
//! `schema`.

use std::path::PathBuf;

use clap::Args;
use formwork::document::{Document, Format, Json};

use super::file::{FormatOptions, by_ending, names};
use crate::failure::{Failure, Status};
use crate::form::without_mark;
use crate::output::OutputOptions;
use crate::source::Source;

/// Turn a file into JSON
///
/// The JSON has everything that is needed to make the file again: see 'encode'.
#[derive(Args, Debug)]
pub(crate) struct Decode {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Print JSON without line breaks and spaces
    #[arg(short, long)]
    compact: bool,
    #[command(flatten)]
    format: FormatOptions,
    #[command(flatten)]
    output: OutputOptions,
}

impl Decode {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let json = self.format.read(formats, &self.file)?.open()?.to_json();
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = match self.compact {
                true => writeln!(out, "{json}"),
                false => writeln!(out, "{json:#}"),
            };
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

/// Turn JSON into a file
///
/// Takes the JSON that 'decode' prints. Counts, sizes, tags and checksums are set from what is in it; they may be left
/// out.
#[derive(Args, Debug)]
pub(crate) struct Encode {
    /// JSON to read ('-' for standard input)
    #[arg(value_name = "JSON")]
    file: PathBuf,
    #[command(flatten)]
    format: FormatOptions,
    /// Take the format of this file
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    like: Option<PathBuf>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Encode {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let source = Source::read_file(&self.file)?;
        let (name, text) = (&source.name, without_mark(source.bytes()));
        let json = Json::read(text).map_err(|error| Failure::in_text(name, text, error))?;
        let format = match (self.format.named(formats)?, &self.like) {
            (Some(format), _) => Some(format),
            (None, Some(like)) => Some(self.format.read(formats, like)?.format),
            (None, None) => by_ending(formats, self.output.path().map(PathBuf::from).as_ref()),
        };
        let made = match (format, formats) {
            (Some(format), _) => format.make(&json),
            (None, [format]) => format.make(&json),
            (None, formats) => {
                let mut fitting = formats.iter().filter_map(|format| format.make(&json).ok());
                match (fitting.next(), fitting.next()) {
                    (Some(document), None) => Ok(document),
                    (found, _) => {
                        let which = if found.is_some() { "several formats" } else { "no format" };
                        let names = names(formats);
                        return Err(Failure::usage(format!(
                            "{name}: {which} of {names} can be made of it"
                        ))
                        .hint("use --format FORMAT to choose one, or to see what is wrong"));
                    }
                }
            }
        };
        let made: Box<dyn Document> = made.map_err(|error| Failure::in_value(name, error))?;
        let bytes = made.to_bytes();
        self.output.write_binary(|out| {
            // The output records a write error itself.
            let _ = out.write_all(&bytes);
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

/// Print the description of a format
///
/// Describes every record, field and rule in Markdown. The page is made of the declaration that the program reads and
/// writes with. Without FORMAT, lists the formats.
#[derive(Args, Debug)]
pub(crate) struct Schema {
    /// Format to describe
    #[arg(value_name = "FORMAT")]
    format: Option<String>,
    #[command(flatten)]
    output: OutputOptions,
}

impl Schema {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let named = formats.iter().find(|it| self.format.as_deref() == Some(it.name()));
        let page = match (named, formats) {
            (Some(format), _) => format.page(),
            (None, [format]) => format.page(),
            (None, formats) => {
                let rows = formats
                    .iter()
                    .map(|format| format!("| {} | {} |\n", format.name(), format.description()));
                format!("| format | files |\n| --- | --- |\n{}", rows.collect::<String>())
            }
        };
        self.output.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(page.as_bytes());
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

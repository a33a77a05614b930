//! Changing a file: `set`, `rm`, and `query`, which also prints.

use std::path::{Path, PathBuf};

use clap::Args;
use formwork::document::{Change, Document, Format};

use super::file::FormatOptions;
use crate::change::{ChangeOptions, NewFile, persistently};
use crate::contents::InputOptions;
use crate::documents::{self, LINES, shown_change};
use crate::failure::{Failure, Status};
use crate::format::LimitOptions;
use crate::output::OutputOptions;
use crate::query::json::JsonFilter;
use crate::query::{Printing, Variables};
use crate::style::shown;

/// How a file is changed.
#[derive(Args, Clone, Debug)]
pub(super) struct ChangingOptions {
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Keep no backup of the old file, which otherwise is NAME.bak
    #[arg(long)]
    no_backup: bool,
    /// Print one JSON object per change
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    format: FormatOptions,
    /// Write the changed file to OUTPUT ('-' for standard output) [default: FILE itself]
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
}

impl ChangingOptions {
    /// Changes a file, and reports the changes. If another program changes the file meanwhile, the
    /// change is made again.
    fn run(
        &self,
        formats: &[&dyn Format],
        path: &Path,
        change: impl Fn(&mut dyn Document, &str) -> Result<Vec<Change>, Failure>,
    ) -> Result<Status, Failure> {
        let mut options = ChangeOptions::to(
            self.output.clone(),
            (self.dry_run, self.no_backup),
            self.json,
            InputOptions::default(),
            LimitOptions::default(),
        );
        options.lines = Some(LINES);
        let attempt = || {
            let file = self.format.read(formats, path)?;
            let (name, mut document) = (&file.source.name, file.open()?);
            let changes = change(&mut *document, name)?;
            if changes.is_empty() && !self.json {
                options.say(path, &format!("{name}: nothing changed"))?;
            }
            let changed = changes.iter().map(shown_change).collect();
            let new = NewFile::plain(document.to_bytes(), changed);
            options.write(path, name, file.source.bytes(), &new)
        };
        let ended = options.refuse_streams(path).and_then(|()| persistently(path, attempt));
        options.reported(path, ended)
    }
}

/// Change values in a file
///
/// Counts, sizes, tags and checksums that depend on a value change with it. The old file is kept as NAME.bak. VALUE is
/// JSON; a word that is no JSON is a string.
#[derive(Args, Debug)]
pub(crate) struct Set {
    /// File to change ('-' for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Paths, and the new value at each
    #[arg(value_name = "PATH VALUE", required = true, allow_negative_numbers = true)]
    pairs: Vec<String>,
    /// Add the value if it is not there yet: list/+ is a new element at the end, list/+0 one before element 0
    #[arg(long)]
    add: bool,
    #[command(flatten)]
    options: ChangingOptions,
}

impl Set {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let (pairs, rest) = self.pairs.as_chunks::<2>();
        if let [path] = rest {
            return Err(Failure::usage(format!("'{}' has no value", shown(path)))
                .hint("write PATH VALUE, such as list/0/count 5"));
        }
        self.options.run(formats, &self.file, |document, name| {
            documents::set(document, name, pairs, (self.add, false))
        })
    }
}

/// Remove values from a file
///
/// Removes elements of lists, and fields that may be missing. Counts, sizes and checksums change with them. The old
/// file is kept as NAME.bak.
#[derive(Args, Debug)]
pub(crate) struct Rm {
    /// File to change ('-' for standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Paths to remove, such as list/1; all are those of the file as it is
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<String>,
    #[command(flatten)]
    options: ChangingOptions,
}

impl Rm {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        self.options.run(formats, &self.file, |document, name| {
            documents::remove(document, name, &self.paths)
        })
    }
}

/// Search and change a file with a jq filter
///
/// FILTER is in the language of jq, and works on the JSON that 'decode' prints. With -i the file becomes what the filter
/// gives.
#[derive(Args, Debug)]
pub(crate) struct Query {
    /// File to read ('-' or nothing: standard input)
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Filter, such as '.list[0].name'
    #[arg(value_name = "FILTER", default_value = ".", hide_default_value = true)]
    filter: String,
    /// Change the file: it becomes what FILTER gives
    #[arg(short, long)]
    in_place: bool,
    #[command(flatten)]
    printing: Printing,
    #[command(flatten)]
    variables: Variables,
    #[command(flatten)]
    options: ChangingOptions,
}

impl Query {
    pub(super) fn run(self, formats: &[&dyn Format]) -> Result<Status, Failure> {
        let (code, variables, file) = (&*self.filter, &self.variables, &*self.file);
        let filter = JsonFilter { code, variables, file };
        if !self.in_place {
            let ChangingOptions { format, output, dry_run, no_backup, .. } = &self.options;
            if *dry_run || *no_backup {
                return Err(Failure::usage(
                    "--dry-run and --no-backup are for changing a file: use them with -i",
                ));
            }
            let json = format.read(formats, file)?.open()?.to_json();
            return filter.print(
                &json.to_string(),
                &self.printing,
                &OutputOptions::at(output.clone()),
            );
        }
        if let Some(option) = self.printing.used() {
            return Err(Failure::usage(format!(
                "{option} is for printing values, and here the file is changed"
            )));
        }
        self.options.run(formats, file, |document, name| {
            let json = filter.changed(&document.to_json(), name)?;
            document.set_json(&json).map_err(|error| documents::refused(name, "", error))
        })
    }
}

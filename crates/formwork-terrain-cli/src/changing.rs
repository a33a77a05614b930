//! Changed files: written to their place, and reported in text or JSON.

use std::collections::BTreeMap;
use std::path::Path;

use super::print::PrintOptions;
use super::{Project, shown};
use formwork_program::failure::Failure;
use formwork_program::lines;
use formwork_program::lines::whole_name;
use formwork_program::output::{InPlaceOptions, OutputOptions, print_object};

/// The options for writing and reporting changed files.
#[derive(Clone, Debug)]
pub(super) struct Changing {
    change: InPlaceOptions,
    print: PrintOptions,
}

/// The report about a file that a command changed.
#[derive(Debug)]
pub(super) struct FileReport {
    /// The report as JSON.
    said: lines::FileReport,
    /// The report as text: `houses: 4 objects changed`.
    line: String,
}

impl FileReport {
    /// Starts the report of a file, with its line of text.
    pub(super) fn new(file: &Path, line: String) -> Self {
        let (changes, losses) = (Some(BTreeMap::new()), Some(BTreeMap::new()));
        let said = lines::FileReport { changes, losses, ..lines::FileReport::new(file) };
        Self { said, line }
    }

    /// Adds the name of the layer in the file.
    pub(super) fn layer(mut self, layer: impl ToString) -> Self {
        self.said.layer = Some(layer.to_string());
        self
    }

    /// Adds the number of changes of one kind.
    pub(super) fn change(mut self, what: &'static str, count: usize) -> Self {
        self.said.changes.get_or_insert_default().insert(what, count as i64);
        self
    }

    /// Adds by how much the number of objects in the project grew.
    pub(super) fn object_count(mut self, more: i64) -> Self {
        self.said.changes.get_or_insert_default().insert("object_count", more);
        self
    }

    /// Adds the number of losses of one kind; adds nothing for zero.
    pub(super) fn loss(mut self, what: &'static str, count: usize) -> Self {
        if count > 0 {
            self.said.losses.get_or_insert_default().insert(what, count as i64);
        }
        self
    }
}

impl Changing {
    /// Refuses a changed file and the report of it in one stream.
    pub(super) fn new(change: InPlaceOptions, print: &PrintOptions) -> Result<Self, Failure> {
        let is_shared = print.output.is_stdout() && !change.is_in_place() && !change.is_dry_run();
        if print.json && is_shared {
            return Err(Failure::usage(
                "--json and the new file cannot both go to standard output",
            )
            .hint("use -o FILE or --in-place"));
        }
        let no_backup = print.output.has_no_backup();
        if no_backup && print.output.is_stdout() && !change.is_in_place() {
            return Err(Failure::usage("--no-backup goes with --in-place or -o FILE"));
        }
        let change = change.without_backup(no_backup);
        Ok(Self { change, print: print.clone() })
    }

    /// Returns the options of a command that names its output files itself.
    pub(super) fn named(change: InPlaceOptions, json: bool) -> Self {
        Self { change, print: PrintOptions { json, output: OutputOptions::default() } }
    }

    /// Returns whether files are changed in place.
    pub(super) const fn is_in_place(&self) -> bool {
        self.change.is_in_place()
    }

    /// Returns whether nothing is written.
    pub(super) const fn is_dry_run(&self) -> bool {
        self.change.is_dry_run()
    }

    /// Writes a changed file, in place or to the output, and notes that in its report.
    pub(super) fn write(
        &self,
        path: &Path,
        bytes: &[u8],
        report: &mut FileReport,
    ) -> Result<(), Failure> {
        if self.is_in_place() {
            return self.replace(path, bytes, report);
        }
        let output = &self.print.output;
        report.said.output = output.path().map(whole_name);
        report.said.written = self.change.write(path, bytes, output)?;
        Ok(())
    }

    /// Replaces a file in place, or creates it, and notes that in its report.
    pub(super) fn replace(
        &self,
        path: &Path,
        bytes: &[u8],
        report: &mut FileReport,
    ) -> Result<(), Failure> {
        report.said.output = Some(whole_name(path));
        report.said.written = self.change.replace(path, bytes)?;
        Ok(())
    }

    /// Removes a file, keeps it as a backup, and returns its report.
    pub(super) fn remove(&self, path: &Path) -> Result<FileReport, Failure> {
        self.change.remove(path)?;
        let mut report = FileReport::new(path, String::new()).change("file_removed", 1);
        report.said.written = !self.is_dry_run();
        Ok(report)
    }

    /// Creates the folder of the first layer of a project.
    pub(super) fn make_folder_of(&self, path: &Path) -> Result<(), Failure> {
        match Project::missing_folder(path).filter(|_| !self.is_dry_run()) {
            None => Ok(()),
            Some(folder) => std::fs::create_dir(folder).map_err(|error| {
                Failure::stream("could not be made", &shown(folder.display()), &error)
            }),
        }
    }

    /// Reports a file: as a line of text, or as JSON.
    pub(super) fn report(&self, report: &FileReport) -> Result<(), Failure> {
        if self.print.json {
            return print_object(&report.said);
        }
        if !report.line.is_empty() {
            self.change.say(&report.line);
        }
        Ok(())
    }
}

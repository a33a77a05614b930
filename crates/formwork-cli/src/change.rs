//! The frame of the commands that change a file. Unchanged parts of the file stay as they are.

use super::lines::whole_name;
use super::source;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use clap::Args;
use formwork_godot::wrapper::Key;

use super::changed::Changed;
use super::container::told;
use super::contents::InputOptions;
use super::documents::{AnyDocument, Change, LINES, registry};
use super::failure::{Failure, Status};
use super::file::{Chosen, File, NewContent};
use super::folder::print_failed;
use super::format::LimitOptions;
use super::manner::is_verbose;
use super::output::{InPlaceOptions, OutputOptions, to_stdout};
use super::quantity::counted;
use super::remark;
use super::source::{Source, is_stdin};
use super::store;

/// How a file is opened and where the changed one goes.
#[derive(Args, Debug)]
pub(crate) struct ChangeOptions {
    /// Change value number INDEX of several, counted from 0; -1 is the last one
    #[arg(long, value_name = "INDEX", allow_negative_numbers = true)]
    index: Option<i64>,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    /// Keep no backup of the old file
    ///
    /// Otherwise the old file is kept as NAME.bak, and 'formwork undo NAME' goes back to it.
    #[arg(long)]
    no_backup: bool,
    /// Print one JSON object per change
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(crate) input: InputOptions,
    #[command(flatten)]
    pub(crate) limits: LimitOptions,
    /// Write the changed file to OUTPUT ('-' for standard output) [default: FILE itself]
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// Name of the file in messages, if it is not the path.
    #[arg(skip)]
    name: Option<String>,
    /// Number of changes that are listed in text output; all without a number.
    #[arg(skip)]
    pub(crate) lines: Option<usize>,
    /// Whether JSON has quadtrees as nodes and objects.
    #[arg(skip)]
    pub(crate) trees: bool,
}

/// A file that is being changed.
#[derive(Debug)]
pub(crate) struct Changing<'o> {
    options: &'o ChangeOptions,
    path: &'o Path,
    /// The file before the change, if it was in containers.
    wrapped: Option<Bytes>,
    file: Box<dyn File>,
}

/// A changed file.
#[derive(Debug)]
pub(crate) struct NewFile {
    bytes: Vec<u8>,
    changed: Vec<Changed>,
    /// Changes in the header of the game, in words.
    told: Vec<String>,
}

/// Changes a file, and tries again as long as other programs change it meanwhile.
pub(crate) fn persistently(
    path: &Path,
    mut attempt: impl FnMut() -> Result<Status, Failure>,
) -> Result<Status, Failure> {
    /// Maximum number of attempts, of which all but the last met a change by another program.
    const ATTEMPTS: usize = 100;
    for _ in 1..ATTEMPTS {
        store::forget(path);
        match attempt() {
            Err(failure) if failure.is_outdated() => {}
            ended => return ended,
        }
    }
    store::forget(path);
    attempt()
}

impl ChangeOptions {
    /// Changes the file, and reports the changes. If another program changed it meanwhile, that
    /// change is kept, and this one is made in the new file.
    pub(crate) fn run(&self, path: &Path, change: &mut Change<'_>) -> Result<Status, Failure> {
        let ended = self.key(path).and_then(|key| self.run_with(path, key.as_ref(), change));
        self.reported(path, ended)
    }

    /// Prints the failure of a change as JSON, if JSON is wanted and standard output is free.
    pub(crate) fn reported(
        &self,
        path: &Path,
        ended: Result<Status, Failure>,
    ) -> Result<Status, Failure> {
        if let Err(failure) = &ended
            && self.json
            && !self.goes_to_stdout(path)
        {
            print_failed(path, failure)?;
        }
        ended
    }

    /// Changes a file like [`ChangeOptions::run`], with this key.
    pub(crate) fn run_with(
        &self,
        path: &Path,
        key: Option<&Key>,
        change: &mut Change<'_>,
    ) -> Result<Status, Failure> {
        persistently(path, || self.try_once(path, key, change))
    }

    fn try_once(
        &self,
        path: &Path,
        key: Option<&Key>,
        change: &mut Change<'_>,
    ) -> Result<Status, Failure> {
        let changing = self.open_with(path, key)?;
        let new = changing.changed(change)?;
        changing.write(&new)
    }

    /// Returns the key of the file, if the options give one.
    pub(crate) fn key(&self, path: &Path) -> Result<Option<Key>, Failure> {
        self.input.key_to(&path.to_owned())
    }

    /// Opens the file.
    pub(crate) fn open<'o>(&'o self, path: &'o Path) -> Result<Changing<'o>, Failure> {
        self.open_with(path, self.key(path)?.as_ref())
    }

    /// Opens the file with this key.
    pub(crate) fn open_with<'o>(
        &'o self,
        path: &'o Path,
        key: Option<&Key>,
    ) -> Result<Changing<'o>, Failure> {
        self.refuse_streams(path)?;
        let mut source = Source::read_with(path, key)?;
        source.name = self.name.clone().unwrap_or(source.name);
        let mut source = source.skipping(self.input.skip);
        let original = source.file.shared();
        source.take_out_all(key, self.limits)?;
        let wrapped = (!source.layers().is_empty()).then_some(original);
        let file = self.input.open_source(source, self.limits)?;
        Ok(Changing { options: self, path, wrapped, file })
    }

    /// Refuses to write the changed file to a terminal, or to the stream of the printed changes.
    pub(crate) fn refuse_streams(&self, path: &Path) -> Result<(), Failure> {
        if !self.is_elsewhere(path) {
            return match path.metadata() {
                Ok(metadata) if !metadata.is_file() && !metadata.is_dir() && !self.dry_run => {
                    let name = source::name(path);
                    Err(Failure::usage(format!(
                        "{name}: a pipe or device cannot be changed in place"
                    ))
                    .hint("use -o FILE for the changed file"))
                }
                _ => Ok(()),
            };
        }
        if self.dry_run {
            return Ok(());
        }
        if self.json && self.output().is_stdout() {
            return Err(Failure::usage(
                "--json and the new file cannot both go to standard output",
            )
            .hint("use -o FILE"));
        }
        self.output().refuse_terminal()
    }

    /// Returns the options of a command that writes the changed file to `output`, or in place.
    pub(crate) const fn to(
        output: Option<PathBuf>,
        (dry_run, no_backup): (bool, bool),
        json: bool,
        input: InputOptions,
        limits: LimitOptions,
    ) -> Self {
        Self {
            index: None,
            dry_run,
            no_backup,
            json,
            input,
            limits,
            output,
            name: None,
            lines: None,
            trees: false,
        }
    }

    /// Sets the name of the file in messages.
    pub(crate) fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
    }

    /// Returns the name of the file for programs.
    pub(crate) fn whole_name(&self, path: &Path) -> String {
        self.name.clone().unwrap_or_else(|| whole_name(path))
    }

    /// Returns the number of the chosen value, if any.
    pub(crate) const fn index(&self) -> Option<i64> {
        self.index
    }

    /// Returns an option of the command line that means something only where a file is changed.
    pub(crate) const fn only_changing(&self) -> Option<&'static str> {
        match (self.dry_run, self.no_backup && self.output.is_none()) {
            (true, _) => Some("--dry-run"),
            (_, true) => Some("--no-backup"),
            _ => None,
        }
    }

    /// Returns whether the changed file is written to another place than it was read from.
    fn is_elsewhere(&self, path: &Path) -> bool {
        match self.output.as_deref() {
            Some(output) => !store::is_same(output, path),
            None => is_stdin(path),
        }
    }

    /// Returns whether the changed file is written to standard output.
    fn goes_to_stdout(&self, path: &Path) -> bool {
        self.is_elsewhere(path) && self.output().is_stdout() && !self.dry_run
    }

    /// Prints a line about the changes: on standard output, unless the changed file is written
    /// there.
    pub(crate) fn say(&self, path: &Path, line: &str) -> Result<(), Failure> {
        if self.goes_to_stdout(path) {
            super::report_line(line);
            return Ok(());
        }
        to_stdout(|out| {
            // The output records a write error itself.
            let _ = writeln!(out, "{line}");
            Ok(())
        })
    }

    /// Reports the changes of the file at `path`, and writes the changed file. Leaves a file
    /// without changes untouched.
    pub(crate) fn write(
        &self,
        path: &Path,
        original: &[u8],
        new: &NewFile,
    ) -> Result<Status, Failure> {
        let is_same = new.bytes == original;
        let is_elsewhere = self.is_elsewhere(path);
        if !is_same || is_elsewhere {
            let place = InPlaceOptions::unless(is_elsewhere, self.no_backup, self.dry_run);
            let output = self.output();
            place.write(
                if is_elsewhere { path } else { output.path().unwrap_or(path) },
                &new.bytes,
                &output,
            )?;
        }
        let name = self.name.clone().unwrap_or_else(|| source::name(path));
        new.told.iter().for_each(|told| remark(&format!("{name}: {told}")));
        if self.json {
            let is_written = (!is_same || is_elsewhere) && !self.dry_run;
            let output = whole_name(self.output.as_deref().unwrap_or(path));
            to_stdout(|out| {
                for changed in &new.changed {
                    let line = changed.json(&self.whole_name(path));
                    line.flag("written", is_written).text("output", &output).print(out);
                }
                Ok(())
            })?;
            return Ok(Status::Done);
        }
        let changes = new.changed.len();
        // (A change may change many checksums.)
        let of_own = registry::own().map(|_| LINES);
        let lines = self.lines.or(of_own).unwrap_or(usize::MAX);
        // One more change takes no more lines than the number of those left out.
        let most = if changes.saturating_sub(1) <= lines || is_verbose() { changes } else { lines };
        for changed in &new.changed[..most] {
            self.say(path, &if self.dry_run { changed.plan() } else { changed.line() })?;
        }
        if most < changes {
            let more = counted((changes - most) as u64, "more value");
            self.say(path, &format!("{more} (-v lists them)"))?;
        }
        Ok(Status::Done)
    }

    /// Returns where the output goes.
    pub(crate) fn output(&self) -> OutputOptions {
        OutputOptions::at(self.output.clone()).without_backup(self.no_backup)
    }
}

impl Changing<'_> {
    /// Returns the changed file: the new content in the containers of the old one.
    pub(crate) fn changed(&self, change: &mut Change<'_>) -> Result<NewFile, Failure> {
        let ChangeOptions { index, limits, trees, .. } = *self.options;
        let chosen = Chosen { index, limits, trees };
        let (name, kind) = (self.file.name(), self.file.compares_as());
        let mut change = |document| AnyDocument { name, kind, limits, document }.changed(change);
        let NewContent { content, changed } = self.file.change(chosen, &mut change)?;
        let source = self.file.source();
        if content == source.content() {
            return Ok(NewFile { bytes: self.original().to_vec(), changed, told: Vec::new() });
        }
        let wrapping = source.file.wrapping();
        if wrapping.is_nothing() {
            return Ok(NewFile { bytes: content, changed, told: Vec::new() });
        }
        let closed = wrapping.close_and_tell(&content, source.key.as_ref());
        let closed = closed.map_err(|error| Failure::in_value(&source.name, error))?;
        let told = told(&closed);
        Ok(NewFile { bytes: closed.bytes, changed, told })
    }

    /// Returns the name of the file in messages.
    pub(crate) fn name(&self) -> &str {
        self.file.name()
    }

    /// Reports the changes, and writes the changed file: see [`ChangeOptions::write`].
    pub(crate) fn write(&self, new: &NewFile) -> Result<Status, Failure> {
        self.options.write(self.path, self.original(), new)
    }

    /// Returns the bytes of the file before the change.
    fn original(&self) -> &[u8] {
        self.wrapped.as_deref().unwrap_or_else(|| self.file.source().bytes())
    }

    /// Prints a line about the changes: see [`ChangeOptions::say`].
    pub(crate) fn say(&self, line: &str) -> Result<(), Failure> {
        self.options.say(self.path, line)
    }
}

//! The frame of the commands that change a file. Unchanged parts of the file stay as they are.

use super::source;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_alb1::Reader;
use formwork_godot::wrapper::{Key, Wrapping};
use formwork_godot::{Opener, ValueFile};
use formwork_variant::{Dialect, Real, Variant};

use super::alb1;
use super::changed::Changed;
use super::config_file;
use super::content::{Alb1, AnyDocument, Change, Context, Values};
use super::contents::{Contents, InputOptions};
use super::documents::{self, LINES, registry};
use super::failure::{Failure, Status};
use super::folder::print_failed;
use super::format::{LimitOptions, by_precision};
use super::framing::FramingName;
use super::framing::left_open;
use super::manner::is_verbose;
use super::output::{InPlaceOptions, OutputOptions, to_stdout};
use super::pack;
use super::packets::Input;
use super::quantity::counted;
use super::script;
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
}

/// Returns all values of a file, or the one with the number `index`.
pub(crate) fn chosen<'v, R: Real>(
    name: &str,
    values: &'v [Variant<R>],
    index: Option<i64>,
) -> Result<&'v [Variant<R>], Failure> {
    let Some(index) = index else { return Ok(values) };
    number_of(name, index, values.len()).map(|number| &values[number..=number])
}

/// Returns the number of the value that `index` means. A negative index counts from the end.
pub(crate) fn position(index: i64, count: usize) -> Option<usize> {
    let from_end = || count.checked_sub(usize::try_from(index.unsigned_abs()).ok()?);
    let position = usize::try_from(index).ok().or_else(from_end);
    position.filter(|position| *position < count)
}

/// Returns the number of the value that `index` means: see [`position`].
pub(crate) fn number_of(name: &str, index: i64, count: usize) -> Result<usize, Failure> {
    if let Some(position) = position(index, count) {
        return Ok(position);
    }
    let has = match count {
        0 => "none".to_owned(),
        1 => "one, number 0".to_owned(),
        count => format!("{count}, numbers 0 to {}", count - 1),
    };
    Err(Failure::no(format!("{name}: there is no value number {index}; the file has {has}")))
}

/// A file that is being changed.
#[derive(Debug)]
pub(crate) struct Changing<'o> {
    options: &'o ChangeOptions,
    path: &'o Path,
    key: Option<Key>,
    /// The file before the change, if it was in containers. Otherwise the contents have its bytes.
    wrapped: Option<Vec<u8>>,
    contents: Contents,
}

/// A changed file.
#[derive(Debug)]
pub(crate) struct NewFile {
    /// Content inside the wrappers; empty for a document of Terrain Builder.
    content: Vec<u8>,
    bytes: Vec<u8>,
    changed: Vec<Changed>,
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

impl NewFile {
    /// Makes a changed file without containers.
    pub(crate) const fn plain(bytes: Vec<u8>, changed: Vec<Changed>) -> Self {
        Self { content: Vec::new(), bytes, changed }
    }
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
        let wrapped = source.container().is_some().then(|| source.bytes().to_vec());
        source.take_out_all(key, self.limits)?;
        let contents = Contents::of(source, &self.input, self.limits)?;
        Ok(Changing { options: self, path, key: key.cloned(), wrapped, contents })
    }

    /// Refuses to write the changed file to a terminal, or to the stream of the printed changes.
    pub(crate) fn refuse_streams(&self, path: &Path) -> Result<(), Failure> {
        if !self.is_elsewhere(path) || self.dry_run {
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
        }
    }

    /// Sets the name of the file in messages.
    pub(crate) fn named(self, name: Option<String>) -> Self {
        Self { name, ..self }
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
        name: &str,
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
        if self.json {
            let is_written = (!is_same || is_elsewhere) && !self.dry_run;
            let output = self.output.as_deref().unwrap_or(path);
            to_stdout(|out| {
                for changed in &new.changed {
                    let line = changed.json(name);
                    line.flag("written", is_written)
                        .text("output", &source::name(output))
                        .print(out);
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
    /// Returns the changed file.
    pub(crate) fn changed(&self, change: &mut Change<'_>) -> Result<NewFile, Failure> {
        match &self.contents {
            Contents::Packets(input) => self.values(input, change),
            Contents::Alb1(file) => self.alb1(file, change),
            Contents::Config(file) => self.config(file, change),
            Contents::Document(file) => self.document(file, change),
            Contents::Resource(file) => Err(file.read_only()),
            Contents::Script(file) => Err(script::File::read_only(&file.source.name)),
            Contents::Pack(file) => Err(pack::File::no_values(&file.source.name)),
        }
    }

    /// Returns the name of the file in messages.
    pub(crate) fn name(&self) -> &str {
        self.contents.source().map_or_else(|file| &file.name, |source| &source.name)
    }

    /// Reports the changes, and writes the changed file: see [`ChangeOptions::write`].
    pub(crate) fn write(&self, new: &NewFile) -> Result<Status, Failure> {
        self.options.write(self.path, self.name(), self.original(), new)
    }

    /// Returns the bytes of the file before the change.
    fn original(&self) -> &[u8] {
        if let Some(bytes) = &self.wrapped {
            return bytes;
        }
        self.contents.source().map_or_else(|file| &file.bytes[..], Source::bytes)
    }

    /// Prints a line about the changes: see [`ChangeOptions::say`].
    pub(crate) fn say(&self, line: &str) -> Result<(), Failure> {
        self.options.say(self.path, line)
    }

    fn values(&self, input: &Input, change: &mut Change<'_>) -> Result<NewFile, Failure> {
        let first = (input.dialect, input.framing);
        let new = self.changed_as(first, input, change)?;
        for &other in &input.alike {
            let same = self.changed_as(other, input, change);
            // Contents are compared, because the same content encrypted twice gives different
            // bytes.
            if !same.is_ok_and(|same| same.content == new.content) {
                return Err(left_open(&input.source.name, first, &input.alike));
            }
        }
        Ok(new)
    }

    /// Changes the file, read in this dialect and framing.
    fn changed_as(
        &self,
        (dialect, framing): (Dialect, FramingName),
        input: &Input,
        change: &mut Change<'_>,
    ) -> Result<NewFile, Failure> {
        by_precision!(dialect, R => {
            let options = self.options;
            let mut opener = Opener::new()
                .dialect(dialect)
                .framing(framing.framing())
                .header(options.input.skip.unwrap_or_default())
                .limits(options.limits.limits());
            if let Some(key) = &self.key {
                opener = opener.key(key.clone());
            }
            let opened = opener.in_precision::<R>().open(self.original());
            let mut file: ValueFile<R> = opened.map_err(|error| input.failure(error))?;
            let name = &input.source.name;
            let number = |index| number_of(name, index, file.values().len());
            let (index, limits) = (options.index.map(number).transpose()?, options.limits);
            let context = Context { name, dialect, limits, is_config: false, index };
            let mut content = Values { values: std::mem::take(file.values_mut()), context };
            let changed = content.changed_by(change)?;
            *file.values_mut() = content.values;
            // Rounding is allowed: a typed 0.1 must not be refused because Godot 2 rounds it.
            let encoder = file.encoder().rounding(true);
            let failed = |error| Failure::in_value(name, error);
            let content = file.content(&encoder).map_err(failed)?;
            let bytes = file.close(&content).map_err(failed)?;
            Ok(NewFile { content, bytes, changed })
        })
    }

    fn config(
        &self,
        file: &config_file::File,
        change: &mut Change<'_>,
    ) -> Result<NewFile, Failure> {
        let name = &file.source.name;
        if self.options.index.is_some() {
            return Err(Failure::usage(format!(
                "{name}: a file of settings is one value, so --index does not apply"
            )));
        }
        let limits = self.options.limits;
        let (content, changed) = file.written(|parsed, dialect| {
            by_precision!(dialect, R => {
                let context = Context { name, dialect, limits, is_config: true, index: None };
                let mut content = Values::<R> { values: vec![parsed.read(dialect)], context };
                let changed = content.changed_by(change)?;
                let value = content.values.pop().unwrap_or_default();
                let text = parsed.with_values(&value, dialect);
                Ok((text.map_err(|error| Failure::in_value(name, error))?, changed))
            })
        })?;
        self.wrapped(&file.source, content.into_bytes(), changed)
    }

    fn document(
        &self,
        file: &documents::File,
        change: &mut Change<'_>,
    ) -> Result<NewFile, Failure> {
        if self.options.index.is_some() {
            return Err(file.no_index());
        }
        let mut content = AnyDocument { name: &file.source.name, document: file.open()? };
        let changed = change(&mut content)?;
        self.wrapped(&file.source, content.document.to_bytes(), changed)
    }

    /// Returns the file with a new content in the containers of the old one.
    fn wrapped(
        &self,
        source: &Source,
        content: Vec<u8>,
        changed: Vec<Changed>,
    ) -> Result<NewFile, Failure> {
        let bytes = if content == source.content() {
            self.original().to_vec()
        } else {
            let closed = source.file.wrapping().close(&content, self.key.as_ref());
            closed.map_err(|error| Failure::in_value(&source.name, error))?
        };
        Ok(NewFile { content, bytes, changed })
    }

    fn alb1(&self, file: &alb1::File, change: &mut Change<'_>) -> Result<NewFile, Failure> {
        let name = &file.name;
        if self.options.index.is_some() {
            return Err(Failure::usage(format!(
                "{name}: an ALB1 file is one document, so --index does not apply"
            )));
        }
        let mut content = Alb1 { name, document: file.document()? };
        let changed = change(&mut content)?;
        let document = content.document;
        let bytes = document.to_vec().map_err(|error| Failure::in_value(name, error))?;
        let again = Reader::new().limits(self.options.limits.limits()).read(&bytes);
        if !again.is_ok_and(|again| again.is_identical(&document)) {
            return Err(Failure::no(format!(
                "{name}: the changed file would read as something else; nothing was written"
            )));
        }
        if bytes == file.bytes[..] {
            return Ok(NewFile::plain(self.original().to_vec(), changed));
        }
        let wrapping = Wrapping::new(file.layers.clone());
        let closed = wrapping.close(&bytes, self.key.as_ref());
        let bytes = closed.map_err(|error| Failure::in_value(name, error))?;
        Ok(NewFile::plain(bytes, changed))
    }
}

//! Output of commands: standard output, or a file of the store.

use super::source;
use super::style::shown;
use super::writing::Writing;
use super::writing::all_of;
use super::writing::{through, to_reader};
use std::fs;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::failure::{Failure, Status};
use super::lines::line;
use super::progress;
use super::quantity::counted;
use super::store::Member;
use super::store::Store;
use super::terminal;
use super::{remark, report_line};

/// A file, and the path of its result.
#[derive(Clone, Debug)]
pub struct Job {
    /// The file as it was.
    pub from: PathBuf,
    /// The file to write.
    pub to: PathBuf,
    /// The path of both in their folders.
    pub name: PathBuf,
}

impl Job {
    /// Makes the folder of the new file.
    pub fn prepare(&self) -> Result<(), Failure> {
        let folder = self.to.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .map_err(|error| Failure::stream("could not be made", &shown(folder.display()), &error))
    }
}

/// Options for the output.
#[derive(Args, Clone, Debug, Default)]
pub struct OutputOptions {
    /// Write to OUTPUT instead of standard output ('-')
    ///
    /// The file is replaced only after everything is written. If anything fails, it stays as it
    /// was. If OUTPUT exists, the old one is kept as OUTPUT.bak.
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// Keep no backup of a file that is replaced
    #[arg(long, hide_short_help = true)]
    no_backup: bool,
    /// The input that the output may replace: the one that the command changes.
    #[arg(skip)]
    changed: Option<PathBuf>,
    /// The input that the output is another version of. Of a file in a pack, an output that is named as the pack is the
    /// whole pack with the new file in it.
    #[arg(skip)]
    version_of: Option<PathBuf>,
    /// The file that this one is made of, if it is one of many.
    #[arg(skip)]
    job: Option<Job>,
    /// Whether the command itself says what it wrote.
    #[arg(skip)]
    is_told: bool,
    /// Whether nothing is to be written.
    #[arg(skip)]
    is_dry: bool,
}

impl OutputOptions {
    /// Returns the options for this file.
    pub fn file_at(path: &Path) -> Self {
        let output = Some(path.to_owned());
        Self { output, is_told: true, ..Self::default() }
    }

    /// Returns the options for this file, or for standard output.
    pub fn at(output: Option<PathBuf>) -> Self {
        Self { output, ..Self::default() }
    }

    /// Returns the options for the new file of a job. Its folder is made when it is written.
    pub fn made_by(job: &Job) -> Self {
        Self { job: Some(job.clone()), ..Self::file_at(&job.to).changing(&job.from) }
    }

    /// Sets the input that the command changes, which the output may replace.
    pub fn changing(&self, path: &Path) -> Self {
        Self { changed: Some(path.to_owned()), ..self.version_of(path) }
    }

    /// Sets the input of which the output is another version.
    pub fn version_of(&self, path: &Path) -> Self {
        Self { version_of: Some(path.to_owned()), ..self.clone() }
    }

    /// Returns whether no backup is kept.
    pub const fn has_no_backup(&self) -> bool {
        self.no_backup
    }

    /// Sets whether no backup is kept.
    pub fn without_backup(&self, no_backup: bool) -> Self {
        Self { no_backup, ..self.clone() }
    }

    /// Leaves the report about the written file to the command.
    pub fn told(&self) -> Self {
        Self { is_told: true, ..self.clone() }
    }

    /// Sets whether the run is a dry one, which writes nothing and reports what would be written.
    pub fn dry(&self, is_dry: bool) -> Self {
        Self { is_dry, ..self.clone() }
    }

    /// Calls `write` with the output, which is text. The output is kept only if `write` succeeds. A
    /// terminal gets no control characters.
    pub fn write(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let write: Writing<'_> = Box::new(write);
        match self.file() {
            Some(path) => self.to_file(path, write),
            None if self.is_dry => self.to_nothing(STDOUT, write),
            None => to_stdout(write),
        }
    }

    /// Writes bytes as they are.
    pub fn write_bytes(&self, bytes: &[u8]) -> Result<Status, Failure> {
        let write = |out: &mut dyn Write| {
            // The output records a write error itself.
            let _ = out.write_all(bytes);
            Ok(())
        };
        if is_text(bytes) { self.write(write) } else { self.write_binary(write) }?;
        Ok(Status::Done)
    }

    /// Returns the path of the output, unless it is standard output.
    pub fn path(&self) -> Option<&Path> {
        self.file()
    }

    /// Returns whether the output is standard output.
    pub fn is_stdout(&self) -> bool {
        self.file().is_none()
    }

    /// Returns whether the output has the extension of a save game, which `store_var` writes in
    /// frames.
    pub fn is_save(&self) -> bool {
        let extension = self.file().and_then(Path::extension);
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("save"))
    }

    fn to_file(&self, path: &Path, write: Writing<'_>) -> Result<(), Failure> {
        let name = source::name(path);
        if self.is_dry {
            return self.to_nothing(&name, write);
        }
        let store = Store { no_backup: self.no_backup, changed: self.changed.clone() };
        let member = self.version_of.as_deref().and_then(Member::of);
        let write = match member.filter(|member| member.is_named_as_pack(path)) {
            Some(member) => in_pack(member, write),
            None => write,
        };
        let Some(job) = &self.job else {
            let written = store.write(path, write)?;
            if !self.is_told {
                report_line(&format!("{name}: {}", counted(written.size, "byte")));
            }
            return Ok(());
        };
        // The output is made in memory first: a failure must not leave a folder.
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        job.prepare()?;
        store.write(path, all_of(&bytes)).map(drop)
    }

    /// Reports what would be written, after all steps that can fail before.
    fn to_nothing(&self, name: &str, write: Writing<'_>) -> Result<(), Failure> {
        let (_, size) = through(io::sink(), name, write)?;
        if !self.is_told {
            report_line(&format!("would write to {name}: {}", counted(size, "byte")));
        }
        Ok(())
    }

    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|path| path.as_os_str() != "-")
    }

    /// Writes like [`OutputOptions::write`], but bytes, which would only garble a terminal.
    pub fn write_binary(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if !self.is_dry {
            self.refuse_terminal()?;
        }
        let write: Writing<'_> = Box::new(write);
        match self.file() {
            Some(path) => self.to_file(path, write),
            None if self.is_dry => self.to_nothing(STDOUT, write),
            // A terminal gets the bytes only if the user asked for that.
            None => to_reader(buffered(io::stdout().lock()), STDOUT, write),
        }
    }

    /// Refuses to write bytes to a terminal, unless the user asked for that.
    pub fn refuse_terminal(&self) -> Result<(), Failure> {
        if self.output.is_none() && io::stdout().is_terminal() {
            return Err(Failure::usage("the output is binary, which a terminal cannot show")
                .hint("use -o FILE, or -o - to print it all the same"));
        }
        Ok(())
    }
}

/// Writes the pack with a new file in it.
fn in_pack(member: Member, write: Writing<'_>) -> Writing<'_> {
    Box::new(move |out| {
        let mut content = Vec::new();
        write(&mut content)?;
        all_of(&member.replaced(&content)?)(out)
    })
}

/// How a command changes files where they are.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct InPlaceOptions {
    /// Change the file itself and keep the old one as NAME.bak
    ///
    /// 'formwork undo NAME' goes back to it.
    #[arg(long, conflicts_with = "output")]
    in_place: bool,
    /// Whether no backup is to be kept.
    #[arg(skip)]
    no_backup: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
}

impl InPlaceOptions {
    /// Returns the options of a command that changes a file in place, unless `elsewhere` is set.
    pub const fn unless(elsewhere: bool, no_backup: bool, dry_run: bool) -> Self {
        Self { in_place: !elsewhere, no_backup, dry_run }
    }

    /// Returns whether the file is changed in place.
    pub const fn is_in_place(self) -> bool {
        self.in_place
    }

    /// Returns whether nothing is written.
    pub const fn is_dry_run(self) -> bool {
        self.dry_run
    }

    /// Reports the changes, in the form `NAME: 3 added`; in a dry run, as a plan.
    pub fn say(self, changes: &str) {
        remark(&format!("{}{changes}", if self.dry_run { "would change " } else { "" }));
    }

    /// Writes the bytes of a changed file: with `--in-place` to `path`, from which it was read,
    /// otherwise to `output`; in a dry run nowhere. Returns whether the file was written.
    pub fn write(self, path: &Path, bytes: &[u8], output: &OutputOptions) -> Result<bool, Failure> {
        if self.in_place {
            return self.replace(path, bytes);
        }
        if self.dry_run {
            return Ok(false);
        }
        output.told().changing(path).write_binary(all_of(bytes))?;
        Ok(true)
    }

    /// Replaces or creates a file, and keeps the old one as a backup. Leaves a file with the same
    /// bytes untouched; a dry run leaves every file untouched. Returns whether the file was
    /// written.
    pub fn replace(self, path: &Path, bytes: &[u8]) -> Result<bool, Failure> {
        if path.as_os_str() == "-" {
            return Err(Failure::usage("standard input cannot be changed in place"));
        }
        if self.dry_run {
            // A pack may not take the file.
            Member::of(path).map_or(Ok(Vec::new()), |member| member.replaced(bytes))?;
            return Ok(false);
        }
        self.store(path).write(path, all_of(bytes)).map(|written| written.is_changed)
    }

    /// Removes a file and keeps it as a backup; a dry run leaves it.
    pub fn remove(self, path: &Path) -> Result<(), Failure> {
        if self.dry_run { Ok(()) } else { self.store(path).remove(path) }
    }

    fn store(self, path: &Path) -> Store {
        Store { no_backup: self.no_backup, changed: Some(path.to_owned()) }
    }

    /// Sets whether no backup is kept.
    pub const fn without_backup(self, no_backup: bool) -> Self {
        Self { no_backup, ..self }
    }
}

/// Calls `write` with standard output, for text.
pub fn to_stdout(write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>) -> Result<(), Failure> {
    let write: Writing<'_> = Box::new(write);
    let print = || to_reader(buffered(terminal::of(io::stdout().lock())), STDOUT, write);
    if io::stdout().is_terminal() { progress::aside(print) } else { print() }
}

/// Prints an object as JSON on a line of standard output.
pub fn print_object(object: &impl Serialize) -> Result<(), Failure> {
    progress::aside(|| {
        to_stdout(|out| {
            // The output records a write error itself.
            let _ = writeln!(out, "{}", line(object));
            Ok(())
        })
    })
}

const STDOUT: &str = "standard output";

fn buffered<W: Write>(stream: W) -> BufWriter<W> {
    BufWriter::with_capacity(1 << 16, stream)
}

/// Returns whether a terminal shows the bytes as text.
fn is_text(bytes: &[u8]) -> bool {
    let shown = |c: char| !c.is_control() || matches!(c, '\t' | '\n' | '\r');
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(shown))
}

/// The destination of printed values.
pub enum Sink<'s> {
    /// The output of the command.
    Output(&'s OutputOptions),
    /// The output of the command, with texts before and after the values.
    Between(&'s OutputOptions, String, &'static str),
    /// A buffer in memory.
    Memory(&'s mut Vec<u8>),
}

impl Sink<'_> {
    /// Calls `write` with the stream.
    pub fn write(
        self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        match self {
            Self::Output(output) => output.write(write),
            Self::Between(output, before, after) => output.write(|out| {
                // The output records a write error itself.
                let _ = out.write_all(before.as_bytes());
                write(out)?;
                let _ = out.write_all(after.as_bytes());
                Ok(())
            }),
            Self::Memory(bytes) => write(bytes),
        }
    }

    /// Writes a text as it is.
    pub fn write_bytes(self, text: &[u8]) -> Result<Status, Failure> {
        self.write(|out| {
            // The output records a write error itself.
            let _ = out.write_all(text);
            Ok(())
        })?;
        Ok(Status::Done)
    }
}

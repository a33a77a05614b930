//! Many files at once: those of a folder, and where what is made of each goes.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Key;

use super::contents::{Contents, InputOptions};
use super::failure::{Failure, Status};
use super::form::{As, Form};
use super::format::LimitOptions;
use super::guess::Guess;
use super::input::{Source, is_stdin, name};
use super::interrupt::PREFIX;
use super::lines::FileReport;
use super::progress::{self, Progress};
use super::quantity::counted;
use super::style::{Palette, shown};
use super::{remark, report_line, terminal};

/// Where the files go that are made of those of a folder.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct IntoOptions {
    /// Folder for the new files, if FILE is a folder; its subfolders are kept
    #[arg(long, value_name = "FOLDER", conflicts_with = "output")]
    pub(crate) into: Option<PathBuf>,
    /// Replace files that are in FOLDER already, and keep each as NAME.bak
    #[arg(long, requires = "into")]
    pub(crate) force: bool,
}

/// A file, and what is to be made of it.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) from: PathBuf,
    pub(crate) to: PathBuf,
    /// Where both stand in their folders.
    pub(crate) name: PathBuf,
}

impl IntoOptions {
    /// Returns what is to be made of the files of a folder, each under the name that `rename` gives it. Refuses to
    /// overwrite files before anything is written, unless it is asked for.
    pub(crate) fn jobs(
        &self,
        folder: &Path,
        mut rename: impl FnMut(&Path) -> PathBuf,
    ) -> Result<Vec<Job>, Failure> {
        let Some(into) = &self.into else {
            return Err(Failure::usage(format!("{}: this is a folder", shown(folder.display())))
                .hint("use --into FOLDER to say where the new files go"));
        };
        let files = files_in(folder, Some(into))?;
        let mut taken = BTreeSet::new();
        let mut jobs = Vec::with_capacity(files.len());
        for name in files {
            let renamed = rename(&name);
            let to = into.join(&renamed);
            if !taken.insert(to.clone()) {
                let to = shown(to.display());
                return Err(Failure::usage(format!("two files would become {to}")));
            }
            jobs.push(Job { from: folder.join(&name), to, name });
        }
        let there = || jobs.iter().filter(|job| job.to.symlink_metadata().is_ok());
        if let (Some(first), false) = (there().next(), self.force) {
            let (first, count) = (shown(first.to.display()), there().count());
            let more = if count > 1 { format!(" and {} more", count - 1) } else { String::new() };
            return Err(Failure::usage(format!(
                "{first}{more} would be overwritten; nothing was written"
            ))
            .hint("use --force to replace such files and keep the old ones, or another folder"));
        }
        Ok(jobs)
    }
}

impl Job {
    /// Makes the folder of the new file.
    pub(crate) fn prepare(&self) -> Result<(), Failure> {
        let folder = self.to.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)
            .map_err(|error| Failure::stream("could not be made", &shown(folder.display()), &error))
    }
}

/// Returns the files in a folder and in those below it, in the order of their names, without those below `except`.
/// Folders whose names start with a dot are passed over, and so are links to folders and files that were never
/// written to the end.
pub(crate) fn files_in(folder: &Path, except: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    let except = except.and_then(|except| except.canonicalize().ok());
    let mut files = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(inner) = waiting.pop() {
        let path = folder.join(&inner);
        let failed = |error| Failure::stream("could not be read", &shown(path.display()), &error);
        for entry in fs::read_dir(&path).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = inner.join(entry.file_name());
            let kind = entry.file_type().map_err(failed)?;
            if kind.is_dir() {
                let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
                let is_output = except.is_some() && entry.path().canonicalize().ok() == except;
                if !is_hidden && !is_output {
                    waiting.push(name);
                }
            } else if entry.path().is_file() && !is_unfinished(&entry.file_name()) {
                files.push(name);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a file was left by a program that was killed in the middle of a write.
fn is_unfinished(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(PREFIX)
}

/// Files to look at, some of which are those of folders.
#[derive(Debug)]
pub(crate) struct Files {
    /// Each, and whether a folder was named and not the file itself.
    pub(crate) files: Vec<(PathBuf, bool)>,
    /// Whether any is of a folder.
    pub(crate) has_folders: bool,
}

impl Files {
    /// Puts the files of folders in the place of these.
    pub(crate) fn of(paths: &[PathBuf]) -> Result<Self, Failure> {
        let mut all = Self { files: Vec::with_capacity(paths.len()), has_folders: false };
        for path in paths {
            if is_stdin(path) || !path.is_dir() {
                all.files.push((path.clone(), false));
                continue;
            }
            all.has_folders = true;
            let files = files_in(path, None)?;
            all.files.extend(files.into_iter().map(|name| (path.join(name), true)));
        }
        Ok(all)
    }
}

/// What the names of decoded files end with.
const fn ending(form: As) -> Option<&'static str> {
    match form {
        As::Values(Form::Text) => Some("txt"),
        As::Values(Form::Project) => Some("godot"),
        As::Values(_) => Some("json"),
        As::Raw => None,
    }
}

/// Returns the name of a decoded file: `game.save.json`.
pub(crate) fn with_ending(name: &Path, form: As) -> PathBuf {
    let Some(ending) = ending(form) else { return name.to_owned() };
    let mut renamed = name.as_os_str().to_owned();
    renamed.push(".");
    renamed.push(ending);
    renamed.into()
}

/// Returns the name of the file that was decoded; nothing where the name is none that `decode` gives.
pub(crate) fn without_ending(name: &Path, form: As) -> Option<PathBuf> {
    match ending(form) {
        Some(ending) => {
            name.extension().is_some_and(|it| it == ending).then(|| name.with_extension(""))
        }
        None => Some(name.to_owned()),
    }
}

/// What a file is, as far as it matters for many at once.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sort {
    /// It has values of an engine, or cannot be opened: why, is said where it is read.
    Values,
    /// It is of another format that this program reads.
    Other,
    /// It is of no format that this program reads, but perhaps of one that it knows by name.
    Unknown(Option<Other>),
}

impl Sort {
    /// Finds out what a file is.
    pub(crate) fn of(
        path: &Path,
        options: &InputOptions,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Self {
        let Ok(source) = Source::open(path, options.skip, key, limits) else { return Self::Values };
        if !source.layers().is_empty() {
            return Self::Values;
        }
        let content = source.content();
        let is_document = options.document(&source).is_some();
        if options.is_known(content) || options.is_pack(content) || is_document {
            return Self::Other;
        }
        if !Contents::are_packets(&source, options) {
            return Self::Values;
        }
        match Guess::of(&source, options.dialect(), options.framing) {
            Guess::Nothing(other) => Self::Unknown(other),
            _ => Self::Values,
        }
    }

    /// Returns why a file is left out that has no values to read.
    pub(crate) const fn why(self) -> &'static str {
        match self {
            Self::Unknown(Some(Other::Text) | None) | Self::Values | Self::Other => {
                "of no known format"
            }
            Self::Unknown(Some(other)) => other.description(),
        }
    }
}

/// Refuses a password from standard input, which many files would have to read.
pub(crate) fn password_is_no_stream(file: Option<&Path>) -> Result<(), Failure> {
    match file.is_some_and(is_stdin) {
        true => Err(Failure::usage("for a folder, the password cannot come from standard input")),
        false => Ok(()),
    }
}

/// Does a command for the files of a folder, one by one: what `each` says of a file is written, left out (why), or
/// failed. Says at the end what was `done`.
pub(crate) fn for_each(
    jobs: &[Job],
    done: &str,
    mut each: impl FnMut(&Job) -> Result<Made, Failure>,
) -> Status {
    let mut outcome = Outcome::default();
    let progress = Progress::new(jobs.len());
    for job in jobs {
        progress.next(shown(job.name.display()));
        match each(job) {
            Ok(Made::Written(status)) => outcome.add(status, true),
            Ok(Made::LeftOut(why)) => {
                remark(&format!("left out: {}: {why}", name(&job.from)));
                outcome.left_out += 1;
            }
            Err(failure) => {
                complain(&failure);
                outcome.add(failure.status(), false);
            }
        }
        progress.done();
    }
    drop(progress);
    outcome.say(done);
    outcome.status()
}

/// What a command made of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Made {
    /// A new file.
    Written(Status),
    /// Nothing, because of this.
    LeftOut(&'static str),
}

/// Returns what programs are told of a file of which another was made.
pub(crate) fn report(
    file: &Path,
    output: Option<&Path>,
    written: bool,
    ended: &Result<Status, Failure>,
) -> FileReport {
    FileReport {
        output: output.filter(|_| ended.is_ok()).map(name),
        written,
        complete: ended.as_ref().is_ok_and(|status| *status != Status::Done).then_some(false),
        error: ended.as_ref().err().map(Failure::finding),
        ..FileReport::new(name(file))
    }
}

/// Returns what programs are told of a file that was left out.
pub(crate) fn report_left_out(file: &Path, why: &str) -> FileReport {
    FileReport { left_out: Some(why.to_owned()), ..FileReport::new(name(file)) }
}

/// Prints in a line why something was not done for one of many files.
pub(crate) fn complain(failure: &Failure) {
    match failure.brief() {
        None => {}
        Some(line) => progress::aside(|| {
            let red = Palette::stderr().error;
            // Without a working standard error there is still the exit status.
            let mut out = terminal::stderr();
            let _ = writeln!(out, "{red}error{red:#}: {line}").and_then(|()| out.flush());
        }),
    }
}

/// What became of the files of a folder.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) done: u64,
    pub(crate) failed: u64,
    pub(crate) left_out: u64,
    pub(crate) status: Option<Status>,
}

impl Outcome {
    /// Counts a file.
    pub(crate) fn add(&mut self, status: Status, is_written: bool) {
        *(if is_written { &mut self.done } else { &mut self.failed }) += 1;
        self.status = Some(self.status.map_or(status, |all| all.and(status)));
    }

    /// Says in a line what was `done`: `3 files decoded, 1 not, 2 left out`.
    pub(crate) fn say(&self, done: &str) {
        let Self { done: count, failed, left_out, .. } = self;
        let mut line = format!("{} {done}", counted(*count, "file"));
        if *failed > 0 {
            line.push_str(&format!(", {failed} not"));
        }
        if *left_out > 0 {
            line.push_str(&format!(", {left_out} left out"));
        }
        report_line(&line);
    }

    /// Returns the status of all: the worst.
    pub(crate) fn status(&self) -> Status {
        self.status.unwrap_or(Status::Done)
    }
}

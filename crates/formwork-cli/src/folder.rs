//! Many files at once: those of a folder, and the places of their results.

use super::output::Job;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use formwork::document::Confidence;
use formwork_godot::detect::Other;
use formwork_godot::wrapper::Key;
use formwork_variant::{Dialect, VariantType};

use super::contents::{InputOptions, Kind};
use super::failure::{Failure, Status};
use super::form::{As, Form};
use super::format::LimitOptions;
use super::guess::{Guess, guessed, json_fault};
use super::interrupt::PREFIX;
use super::lines::FileReport;
use super::lines::whole_name;
use super::output::print_object;
use super::progress::{self, Progress};
use super::quantity::counted;
use super::source::{Source, is_stdin, name};
use super::style::{Palette, shown};
use super::{remark, report_line, terminal};

/// Options for files that are made of a folder.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct IntoOptions {
    /// Folder for the new files, if FILE is a folder; its subfolders are kept
    #[arg(long, value_name = "FOLDER", conflicts_with = "output")]
    pub(crate) into: Option<PathBuf>,
    /// Replace files that are in FOLDER already, and keep each as NAME.bak
    #[arg(long, requires = "into")]
    pub(crate) force: bool,
}

impl IntoOptions {
    /// Returns the jobs for the files of a folder; `rename` gives the name of each result. Refuses
    /// to overwrite files, before anything is written, unless an option allows it.
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

/// Returns the files in a folder and its subfolders, sorted by name, without those in `except`.
/// Skips folders whose names start with a dot, links to folders, and unfinished files.
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

/// Returns whether a program that was killed during a write left the file.
fn is_unfinished(name: &OsStr) -> bool {
    name.to_string_lossy().starts_with(PREFIX)
}

/// Files to read, some of which are in folders.
#[derive(Debug)]
pub(crate) struct Files {
    /// Each file, and whether its folder was named instead of the file.
    pub(crate) files: Vec<(PathBuf, bool)>,
    /// Whether a file is from a folder.
    pub(crate) has_folders: bool,
}

impl Files {
    /// Replaces folders in `paths` with their files.
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

/// Returns the extension of decoded files.
const fn ending(form: As) -> Option<&'static str> {
    match form {
        As::Values(Form::Text) => Some("txt"),
        As::Values(Form::Project) => Some("godot"),
        As::Values(_) => Some("json"),
        As::Raw | As::Pack => None,
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

/// Returns the name of the file that was decoded; none where `decode` gives no such name.
pub(crate) fn without_ending(name: &Path, form: As) -> Option<PathBuf> {
    match ending(form) {
        Some(ending) => {
            name.extension().is_some_and(|it| it == ending).then(|| name.with_extension(""))
        }
        None => Some(name.to_owned()),
    }
}

/// The kind of a file, as far as commands for folders distinguish it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Sort {
    /// A file with values of an engine, or one that cannot be opened: reading it reports the
    /// reason.
    Values,
    /// A file of another format that this program reads.
    Other,
    /// A file of no format that this program reads, but perhaps of one that it can name.
    Unknown(Option<Other>),
}

impl Sort {
    /// Detects the kind of a file.
    pub(crate) fn of(
        path: &Path,
        options: &InputOptions,
        key: Option<&Key>,
        limits: LimitOptions,
    ) -> Self {
        let Ok(mut source) = Source::open(path, options.skip, key, limits) else {
            return Self::Values;
        };
        if !source.layers().is_empty() {
            return Self::Values;
        }
        match options.kind(&source) {
            Err(_) => Self::Unknown(None),
            Ok(Kind::Config | Kind::Document((_, Confidence::None))) => Self::Values,
            // (Projects have empty files that are hidden, such as .gdignore.)
            Ok(Kind::Packets) if source.content().is_empty() && !is_hidden(path) => Self::Values,
            Ok(Kind::Packets) => match guessed(&mut source, options.dialect(), options.framing) {
                // JSON with a fault is a damaged save, and so is the first part of a save.
                Guess::Nothing(other)
                    if json_fault(&source, other).is_none()
                        && (other.is_some() || !is_start_of_save(path, source.content())) =>
                {
                    Self::Unknown(other)
                }
                _ => Self::Values,
            },
            Ok(_) => Self::Other,
        }
    }

    /// Returns the reason why a file without values is left out.
    pub(crate) const fn why(self) -> &'static str {
        match self {
            Self::Unknown(Some(Other::Text) | None) | Self::Values | Self::Other => {
                "of no known format"
            }
            Self::Unknown(Some(other)) => other.description(),
        }
    }
}

/// Returns whether bytes of no known format are what is left of a save: few bytes under the name of one, or the length
/// of a longer frame and the type of a Dictionary or Array.
fn is_start_of_save(path: &Path, bytes: &[u8]) -> bool {
    /// Number of bytes that are too few to detect a format.
    const FEW: usize = 40;
    let is_called_so = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("save"));
    let is_cut_frame = bytes.as_chunks::<4>().0.first_chunk().is_some_and(|[length, header]| {
        let (length, header) = (u32::from_le_bytes(*length), u32::from_le_bytes(*header));
        let is =
            |dialect: Dialect, it| dialect.type_id(it).map(u32::from) == Some(header & 0xff00_ffff);
        let is_container = |it| is(it, VariantType::Dictionary) || is(it, VariantType::Array);
        length as usize > bytes.len() - 4 && Dialect::all().any(is_container)
    });
    is_called_so && bytes.len() < FEW || is_cut_frame
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|it| it.to_string_lossy().starts_with('.'))
}

/// Refuses a password from standard input, which can be read only once.
pub(crate) fn password_is_no_stream(file: Option<&Path>) -> Result<(), Failure> {
    match file.is_some_and(is_stdin) {
        true => Err(Failure::usage("for a folder, the password cannot come from standard input")),
        false => Ok(()),
    }
}

/// Runs a command for each file of a folder. A file is written, left out with a reason, or fails.
/// Prints a summary at the end, with the word `done`.
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

/// The result of a command for a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Made {
    /// A new file.
    Written(Status),
    /// No file, with the reason.
    LeftOut(&'static str),
}

/// Returns the report on a file that was converted to another.
pub(crate) fn report(
    file: &Path,
    output: Option<&Path>,
    written: bool,
    ended: &Result<Status, Failure>,
) -> FileReport {
    FileReport {
        output: output.filter(|_| ended.is_ok()).map(whole_name),
        written,
        complete: ended.as_ref().is_ok_and(|status| *status != Status::Done).then_some(false),
        error: ended.as_ref().err().map(Failure::finding),
        ..FileReport::new(file)
    }
}

/// Returns the report on a file that a command could not read or change.
pub(crate) fn report_failed(file: &Path, failure: &Failure) -> FileReport {
    FileReport { error: Some(failure.finding()), ..FileReport::new(file) }
}

/// Prints the report on a file that a command could not read or change as JSON, on a line of
/// standard output.
pub(crate) fn print_failed(file: &Path, failure: &Failure) -> Result<(), Failure> {
    // Without a message nobody is left to read the report.
    if failure.brief().is_none() {
        return Ok(());
    }
    print_object(&report_failed(file, failure))
}

/// Returns the report on a file that was left out.
pub(crate) fn report_left_out(file: &Path, why: &str) -> FileReport {
    FileReport { left_out: Some(why.to_owned()), ..FileReport::new(file) }
}

/// Prints in a line the failure for one of many files.
pub(crate) fn complain(failure: &Failure) {
    match failure.brief() {
        None => {}
        Some(line) => progress::aside(|| {
            let red = Palette::stderr().error;
            // A failure to write to standard error is ignored: the exit status remains.
            let mut out = terminal::stderr();
            let _ = writeln!(out, "{red}error{red:#}: {line}").and_then(|()| out.flush());
        }),
    }
}

/// The results for the files of a folder.
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

    /// Prints the results in a line, with the word `done`: `3 files decoded, 1 not, 2 left out`.
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

    /// Returns the worst status of all files.
    pub(crate) fn status(&self) -> Status {
        self.status.unwrap_or(Status::Done)
    }
}

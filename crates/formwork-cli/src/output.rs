//! Where a command's output goes: standard output, or a file that is there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::failure::Failure;
use super::folder::Job;
use super::input;
use super::interrupt::{PREFIX, Unfinished};
use super::pack::Member;
use super::progress;
use super::quantity::counted;
use super::style;
use super::terminal;
use super::{remark, report_line};

/// What writes the output. (Boxed, so that what is done around it is compiled once and not for each command.)
type Writing<'w> = Box<dyn FnOnce(&mut dyn Write) -> Result<(), Failure> + 'w>;

/// Where to write.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct OutputOptions {
    /// Write to OUTPUT instead of standard output ('-')
    ///
    /// The file is replaced only after everything is written. If anything fails, it stays as it
    /// was.
    #[arg(short, long, value_name = "OUTPUT")]
    output: Option<PathBuf>,
    /// Whether a backup of a pack is somebody else's job, or not wanted, when a file in it is written.
    #[arg(skip)]
    pack_is_safe: bool,
    /// What the file is made of, where it is one of many.
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
    /// This file.
    pub(crate) fn file_at(path: &Path) -> Self {
        let output = Some(path.to_owned());
        Self { output, pack_is_safe: true, is_told: true, ..Self::default() }
    }

    /// The new file of a job, for which its folder is made when it is written.
    pub(crate) fn made_by(job: &Job) -> Self {
        Self { job: Some(job.clone()), ..Self::file_at(&job.to) }
    }

    /// Chooses whether a pack is kept as a backup when a file in it is written.
    pub(crate) fn keeping_packs(&self, keep: bool) -> Self {
        Self { pack_is_safe: !keep, ..self.clone() }
    }

    /// Leaves it to the command to say what it wrote.
    pub(crate) fn told(&self) -> Self {
        Self { is_told: true, ..self.clone() }
    }

    /// Writes nothing where the run is a dry one, and says what would be written.
    pub(crate) fn dry(&self, is_dry: bool) -> Self {
        Self { is_dry, ..self.clone() }
    }

    /// Hands `write` the output, which is text; what it wrote counts only if it succeeds. A terminal
    /// gets no control characters.
    pub(crate) fn write(
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

    /// The path that is said, unless it is standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.file()
    }

    /// Whether that is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.file().is_none()
    }

    /// Whether that is a save game by its name, which `store_var` writes in frames.
    pub(crate) fn is_save(&self) -> bool {
        let extension = self.file().and_then(Path::extension);
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case("save"))
    }

    fn to_file(&self, path: &Path, write: Writing<'_>) -> Result<(), Failure> {
        let name = input::name(path);
        if self.is_dry {
            return self.to_nothing(&name, write);
        }
        let Some(job) = &self.job else {
            let size = to_file(path, !self.pack_is_safe, write)?;
            if !self.is_told {
                report_line(&format!("{name}: {}", counted(size, "byte")));
            }
            return Ok(());
        };
        // What cannot be made must not cost what is there.
        let mut bytes = Vec::new();
        write(&mut bytes)?;
        if fs::read(path).is_ok_and(|old| old == bytes) {
            return Ok(());
        }
        job.prepare()?;
        to_file(path, false, all_of(&bytes)).map(drop)
    }

    /// Says what would be written, after everything that can fail before.
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

    /// As [`OutputOptions::write`], for bytes that would only garble a terminal.
    pub(crate) fn write_binary(
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
            // Where that is a terminal, it was asked for the bytes.
            None => through(buffered(io::stdout().lock()), STDOUT, write).map(drop),
        }
    }

    /// Refuses to write bytes to a terminal that were not meant for it.
    pub(crate) fn refuse_terminal(&self) -> Result<(), Failure> {
        if self.output.is_none() && io::stdout().is_terminal() {
            return Err(Failure::usage("the output is binary, which a terminal cannot show")
                .hint("use -o FILE, or -o - to print it all the same"));
        }
        Ok(())
    }
}

/// How a command changes files where they are.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct InPlaceOptions {
    /// Change the file itself and keep the old one as NAME.bak
    ///
    /// If NAME.bak exists, the backup is called NAME.bak.2, then NAME.bak.3. An older backup is
    /// never overwritten.
    #[arg(long, conflicts_with = "output")]
    in_place: bool,
    /// Keep no backup of the old file (with --in-place)
    #[arg(long, requires = "in_place")]
    no_backup: bool,
    /// Show what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
}

impl InPlaceOptions {
    /// The options of a command that changes a file in place unless it is told otherwise.
    pub(crate) const fn unless(elsewhere: bool, no_backup: bool, dry_run: bool) -> Self {
        Self { in_place: !elsewhere, no_backup, dry_run }
    }

    /// Whether the file is changed where it is.
    pub(crate) const fn is_in_place(self) -> bool {
        self.in_place
    }

    /// Whether nothing is to be written.
    pub(crate) const fn is_dry_run(self) -> bool {
        self.dry_run
    }

    /// Says what was changed, in the form `NAME: 3 added`; in a dry run, that it would be.
    pub(crate) fn say(self, changes: &str) {
        remark(&format!("{}{changes}", if self.dry_run { "would change " } else { "" }));
    }

    /// Writes the bytes of a changed file: with `--in-place` to `path`, where it was read, otherwise
    /// to `output`; in a dry run nowhere. Returns whether it was written.
    pub(crate) fn write(
        self,
        path: &Path,
        bytes: &[u8],
        output: &OutputOptions,
    ) -> Result<bool, Failure> {
        if self.in_place {
            return self.replace(path, bytes);
        }
        if self.dry_run {
            return Ok(false);
        }
        output.told().write_binary(all_of(bytes))?;
        Ok(true)
    }

    /// Replaces a file where it is, or makes it, and keeps the old one as a backup. A file that has
    /// these bytes already stays untouched, and in a dry run every file does. Returns whether it was
    /// written.
    pub(crate) fn replace(self, path: &Path, bytes: &[u8]) -> Result<bool, Failure> {
        if path.as_os_str() == "-" {
            return Err(Failure::usage("standard input cannot be changed in place"));
        }
        let same = match Member::of(path) {
            Some(member) => member.source(None).is_ok_and(|old| old.bytes() == bytes),
            None => fs::read(path).is_ok_and(|old| old == bytes),
        };
        if self.dry_run || same {
            return Ok(false);
        }
        if !self.no_backup {
            keep_old(path)?;
        }
        OutputOptions::file_at(path).write(all_of(bytes))?;
        Ok(true)
    }
}

impl InPlaceOptions {
    /// Takes a file away and keeps it as a backup; in a dry run it stays.
    pub(crate) fn remove(self, path: &Path) -> Result<(), Failure> {
        if self.dry_run {
            return Ok(());
        }
        if !self.no_backup {
            keep_old(path)?;
        }
        let name = path.display().to_string();
        fs::remove_file(path)
            .map_err(|error| Failure::stream("could not be taken away", &name, &error))
    }
}

/// Keeps a copy of a file that is about to be replaced, if there is one, and says what it is called.
pub(crate) fn keep_old(path: &Path) -> Result<(), Failure> {
    if let Some(backup) = keep_backup(path)? {
        remark(&format!(
            "the old {} is kept as {}",
            style::shown(path.display()),
            style::shown(backup.display())
        ));
    }
    Ok(())
}

/// Copies a file to the first free name of NAME.bak, NAME.bak.2, NAME.bak.3, and so on; returns that
/// name, or nothing where there is no such file. The copy is whole or not there, and no file that is
/// there is overwritten.
pub(crate) fn keep_backup(path: &Path) -> Result<Option<PathBuf>, Failure> {
    // Of a file in a pack, the pack.
    let member = Member::of(path);
    let path = member.as_ref().map_or(path, |member| &member.pack);
    let failed = |error: &io::Error| {
        let name = path.display().to_string();
        Failure::stream("the file was not changed, because no backup could be made", &name, error)
    };
    let mut old = match File::open(path) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(&error)),
    };
    let metadata = old.metadata().map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        return Ok(None);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let copied = (|| {
        let mut copy = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)?;
        let _unfinished = Unfinished::new(copy.path());
        io::copy(&mut old, copy.as_file_mut())?;
        let file = copy.as_file();
        file.set_permissions(metadata.permissions())?;
        // The time is a courtesy that not every file system grants.
        let _ = metadata.modified().and_then(|time| file.set_modified(time));
        file.sync_all()?;
        Ok(copy)
    })();
    let mut copy: tempfile::NamedTempFile = copied.map_err(|error| failed(&error))?;
    let mut number = 1_u64;
    loop {
        let mut name = path.as_os_str().to_owned();
        name.push(".bak");
        if number > 1 {
            name.push(format!(".{number}"));
        }
        match copy.persist_noclobber(&name) {
            Ok(_) => return Ok(Some(name.into())),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => copy = error.file,
            Err(error) => return Err(failed(&error.error)),
        }
        number += 1;
    }
}

/// Hands `write` standard output, for text.
pub(crate) fn to_stdout(
    write: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let write: Writing<'_> = Box::new(write);
    let through = || through(buffered(terminal::of(io::stdout().lock())), STDOUT, write).map(drop);
    if io::stdout().is_terminal() { progress::aside(through) } else { through() }
}

const STDOUT: &str = "standard output";

fn buffered<W: Write>(stream: W) -> BufWriter<W> {
    BufWriter::with_capacity(1 << 16, stream)
}

/// Writes a file; returns how many bytes it has.
fn to_file(path: &Path, keep_pack: bool, write: Writing<'_>) -> Result<u64, Failure> {
    if let Some(member) = Member::of(path) {
        return to_pack(&member, keep_pack, write);
    }
    replace_file(path, write)
}

/// Makes a file, or replaces it; returns how many bytes it has.
fn replace_file(path: &Path, write: Writing<'_>) -> Result<u64, Failure> {
    let name = path.display().to_string();
    let failed = |error: &io::Error| Failure::stream("could not be written", &name, error);
    // A link is followed: what it points to is replaced, not the link.
    let target = match path.canonicalize() {
        Ok(target) => target,
        Err(_) => path.to_owned(),
    };
    // Devices and pipes are written to, not replaced.
    if target.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        let file = File::options().write(true).open(&target).map_err(|error| failed(&error))?;
        return through(BufWriter::new(file), &name, write).map(|(_, size)| size);
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is otherwise for its owner only. The user's mask still applies.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let temporary =
        builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(|error| failed(&error))?;
    let _unfinished = Unfinished::new(temporary.path());
    let (stream, size) = through(BufWriter::new(temporary), &name, write)?;
    let temporary = stream.into_inner().map_err(|error| failed(error.error()))?;
    if let Ok(replaced) = target.metadata() {
        let file = temporary.as_file();
        file.set_permissions(replaced.permissions()).map_err(|error| failed(&error))?;
    }
    temporary.as_file().sync_all().map_err(|error| failed(&error))?;
    temporary.persist(&target).map_err(|error| failed(&error.error))?;
    Ok(size)
}

/// Writes a file in a pack: the pack is made anew, or not at all. One that stays the same is not touched.
fn to_pack(member: &Member, keep: bool, write: Writing<'_>) -> Result<u64, Failure> {
    let mut content = Vec::new();
    write(&mut content)?;
    let bytes = member.replaced(&content)?;
    let size = content.len() as u64;
    if fs::read(&member.pack).is_ok_and(|old| old == bytes) {
        return Ok(size);
    }
    if keep {
        keep_old(&member.pack)?;
    }
    replace_file(&member.pack, all_of(&bytes))?;
    Ok(size)
}

/// Writes these bytes.
fn all_of(bytes: &[u8]) -> Writing<'_> {
    Box::new(move |out| {
        // Why it failed is remembered by the output itself.
        let _ = out.write_all(bytes);
        Ok(())
    })
}

/// Runs `write`, and returns the stream and how many bytes it got; if writing failed underneath, that is the failure
/// whatever else it says.
fn through<W: Write>(stream: W, name: &str, write: Writing<'_>) -> Result<(W, u64), Failure> {
    let mut watched = Watched { stream, size: 0, failed: None };
    let result = write(&mut watched);
    if result.is_ok() {
        // Its error is remembered as every other one.
        let _ = watched.flush();
    }
    match watched.failed {
        Some(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::unread()),
        Some(error) => Err(Failure::stream("could not be written", name, &error)),
        None => result.map(|()| (watched.stream, watched.size)),
    }
}

/// Remembers why writing failed, whatever is made of the error further out.
struct Watched<W> {
    stream: W,
    /// Bytes that were written.
    size: u64,
    failed: Option<io::Error>,
}

impl<W> Watched<W> {
    fn watch<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            if kind != io::ErrorKind::Interrupted {
                self.failed = Some(error);
            }
            kind.into()
        })
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        /// Bytes after which whoever waits sees how far it is.
        const SHOWN_EVERY: u64 = 1 << 20;
        let written = self.stream.write(bytes);
        let before = self.size;
        self.size += written.as_ref().map_or(0, |size| *size as u64);
        if before / SHOWN_EVERY != self.size / SHOWN_EVERY {
            progress::written(self.size);
        }
        self.watch(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.stream.flush();
        self.watch(flushed)
    }
}

//! Writes files: no other code of the program replaces or removes a file, or makes a backup.
//!
//! A file is replaced in one step, while its folder is locked, and only if it is still as the
//! program read it. The old file is kept as NAME.bak, and older ones are numbered. An input is
//! replaced only by a command that changes it.

mod member;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::NamedTempFile;

use super::failure::Failure;
use super::interrupt::{PREFIX, Unfinished};
use super::remark;
use super::source::{is_folder, is_stdin};
use super::style::shown;
use super::writing::{Writing, all_of, through};
pub use member::{Member, dialect, needs_key, not_written, opened};

/// Number of backups of a file. The last of them is the oldest one, and is kept.
const BACKUPS: u64 = 10;

/// An identity of a file, for telling files apart under all their names.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Identity {
    /// The path with links resolved.
    Path(PathBuf),
    /// Device and number, which are equal for hard links.
    #[cfg(unix)]
    Number(u64, u64),
}

/// A file that was read.
#[derive(Debug, Default)]
struct Input {
    /// The hash of the bytes when the program first read them.
    stamp: Option<u64>,
    /// Whether the file itself is an input.
    is_whole: bool,
    /// The files in it that are inputs, if it is a pack.
    members: BTreeSet<String>,
}

/// The files that the program read.
static INPUTS: Mutex<BTreeMap<Identity, Input>> = Mutex::new(BTreeMap::new());

fn inputs() -> MutexGuard<'static, BTreeMap<Identity, Input>> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns all identities of a file; none for a device or a missing file.
fn identities(path: &Path) -> Vec<Identity> {
    let Ok(target) = path.canonicalize() else { return Vec::new() };
    let Ok(metadata) = target.metadata() else { return Vec::new() };
    if !metadata.is_file() {
        return Vec::new();
    }
    let mut identities = vec![Identity::Path(target)];
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        identities.push(Identity::Number(metadata.dev(), metadata.ino()));
    }
    identities
}

fn stamp(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

fn note(path: &Path, bytes: Option<&[u8]>, add: impl Fn(&mut Input)) {
    if is_stdin(path) {
        return;
    }
    let stamp = bytes.map(stamp);
    let mut inputs = inputs();
    for identity in identities(path) {
        let input = inputs.entry(identity).or_default();
        input.stamp = input.stamp.or(stamp);
        add(input);
    }
}

/// Reads an input. If the file is replaced later, it must still have these bytes.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let bytes = fs::read(path)?;
    note(path, Some(&bytes), |input| input.is_whole = true);
    Ok(bytes)
}

/// Opens an input that is read in parts.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    note(path, None, |input| input.is_whole = true);
    Ok(file)
}

/// Reads a pack that contains an input.
pub fn read_member(member: &Member) -> io::Result<Vec<u8>> {
    let bytes = fs::read(&member.pack)?;
    let name = member.key();
    note(&member.pack, Some(&bytes), |input| {
        input.members.insert(name.to_owned());
    });
    Ok(bytes)
}

/// Reads a pack in which a file is replaced.
pub fn read_pack(member: &Member) -> io::Result<Vec<u8>> {
    let bytes = fs::read(&member.pack)?;
    note(&member.pack, Some(&bytes), |_| {});
    Ok(bytes)
}

/// Forgets the bytes of a file, before it is read again.
pub fn forget(path: &Path) {
    let member = Member::of(path);
    forget_file(member.as_ref().map_or(path, |member| &member.pack));
}

fn forget_file(path: &Path) {
    let mut inputs = inputs();
    for identity in identities(path) {
        if let Some(input) = inputs.get_mut(&identity) {
            input.stamp = None;
        }
    }
}

/// Returns whether two paths lead to the same file, or to the same file in a pack.
pub fn is_same(one: &Path, other: &Path) -> bool {
    let is_same_file = |one: &Path, other: &Path| {
        let others = identities(other);
        identities(one).iter().any(|identity| others.contains(identity))
    };
    match (Member::of(one), Member::of(other)) {
        (Some(one), Some(other)) => {
            one.key() == other.key() && is_same_file(&one.pack, &other.pack)
        }
        (None, None) => is_same_file(one, other),
        _ => false,
    }
}

fn is_input(path: &Path) -> bool {
    let member = Member::of(path);
    let file = member.as_ref().map_or(path, |member| &member.pack);
    let inputs = inputs();
    identities(file).iter().filter_map(|identity| inputs.get(identity)).any(|input| match &member {
        Some(member) => input.is_whole || input.members.contains(member.key()),
        None => input.is_whole || !input.members.is_empty(),
    })
}

/// The result of a write.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Written {
    /// Number of bytes that were written to the file, or would have been.
    pub size: u64,
    /// Whether the content of the file changed.
    pub is_changed: bool,
}

/// Options for replacing files.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// Whether no backup is kept.
    pub no_backup: bool,
    /// The input that the command changes, which may be replaced.
    pub changed: Option<PathBuf>,
}

impl Store {
    /// Creates or replaces a file. Leaves a file with the same bytes untouched.
    pub fn write(&self, path: &Path, write: Writing<'_>) -> Result<Written, Failure> {
        let checked = || {
            let is_changed = self.changed.as_deref().is_some_and(|it| is_same(it, path));
            if is_changed || !is_input(path) {
                return Ok(());
            }
            let name = shown(path.display());
            Err(Failure::usage(format!("{name}: the output is also an input"))
                .hint("nothing was written; choose another name for the output"))
        };
        checked()?;
        let write: Writing<'_> = Box::new(move |out| {
            write(out)?;
            // `write` may have read more inputs.
            checked()
        });
        let Some(member) = Member::of(path) else { return self.replace(path, write) };
        let mut content = Vec::new();
        write(&mut content)?;
        let bytes = member.replaced(&content)?;
        let written = self.replace(&member.pack, all_of(&bytes))?;
        Ok(Written { size: content.len() as u64, ..written })
    }

    fn replace(&self, path: &Path, write: Writing<'_>) -> Result<Written, Failure> {
        let name = path.display().to_string();
        let failed = |error: &io::Error| Failure::stream("could not be written", &name, error);
        // Links are followed: the target of a link is replaced, not the link.
        let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // Devices and pipes are written to, not replaced.
        if target.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            let file = File::options().write(true).open(&target).map_err(|error| failed(&error))?;
            let (_, size) = through(BufWriter::new(file), &name, write)?;
            return Ok(Written { size, is_changed: true });
        }
        // Renaming a file over a write-protected one would succeed. (WASI knows no rights, and says that all are protected.)
        if cfg!(any(unix, windows))
            && target.metadata().is_ok_and(|metadata| metadata.permissions().readonly())
        {
            let message = format!("{name}: the file is write-protected; nothing was written");
            return Err(Failure::unreadable(message)
                .hint("allow writing (chmod u+w), or write another file with -o"));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary file is otherwise open to its owner only. The user's mask still applies.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let temporary = builder.tempfile_in(folder_of(&target)).map_err(|error| failed(&error))?;
        let _unfinished = Unfinished::new(temporary.path());
        let (stream, size) = through(BufWriter::new(temporary), &name, write)?;
        let mut temporary = stream.into_inner().map_err(|error| failed(error.error()))?;
        let _lock = Lock::of([path, &target]);
        let Some(old) = Old::read(path, &target)? else {
            finish(temporary, &target).map_err(|error| failed(&error))?;
            return Ok(Written { size, is_changed: true });
        };
        if old.bytes.len() as u64 == size
            && has_bytes(&mut temporary, &old.bytes).map_err(|error| failed(&error))?
        {
            return Ok(Written { size, is_changed: false });
        }
        let backup = if self.no_backup { None } else { Some(old.keep(path)?) };
        keep_rights(temporary.as_file(), &old.metadata).map_err(|error| failed(&error))?;
        finish(temporary, &target).map_err(|error| failed(&error))?;
        say_kept(path, backup.as_deref());
        Ok(Written { size, is_changed: true })
    }

    /// Removes a file.
    pub fn remove(&self, path: &Path) -> Result<(), Failure> {
        let failed = |error: &io::Error| {
            Failure::stream("could not be taken away", &path.display().to_string(), error)
        };
        let target = path.canonicalize().map_err(|error| failed(&error))?;
        let _lock = Lock::of([path, &target]);
        let old = Old::read(path, &target)?;
        let backup = match &old {
            Some(old) if !self.no_backup => Some(old.keep(path)?),
            _ => None,
        };
        forget_file(path);
        fs::remove_file(path).map_err(|error| failed(&error))?;
        say_kept(path, backup.as_deref());
        Ok(())
    }
}

fn say_kept(path: &Path, backup: Option<&Path>) {
    if let Some(backup) = backup {
        remark(&format!(
            "the old {} is kept as {}",
            shown(path.display()),
            shown(backup.display())
        ));
    }
}

/// Restores a backup of a file, and keeps the replaced file as the newest backup. Returns the name
/// of the restored backup. Writes nothing in a dry run.
pub fn undo(path: &Path, number: u64, is_dry: bool) -> Result<PathBuf, Failure> {
    let name = shown(path.display());
    if let Some(member) = Member::of(path) {
        let pack = shown(member.pack.display());
        return Err(Failure::usage(format!("{name}: only a whole pack has backups"))
            .hint(format!("formwork undo '{pack}' undoes the last change of the pack")));
    }
    if path.is_dir() {
        return Err(is_folder(&name));
    }
    // The target of a link is replaced; its backups are beside the link.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let _lock = Lock::of([path, &target]);
    let backup = backup_name(path, number);
    let failed = |error: &io::Error| Failure::stream("could not be written", &name, error);
    let (bytes, metadata) = match fs::read(&backup).and_then(|it| Ok((it, backup.metadata()?))) {
        Ok(read) => read,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let backup = shown(backup.display());
            return Err(Failure::unreadable(format!("{name}: there is no backup {backup}")));
        }
        Err(error) => {
            return Err(Failure::stream(
                "could not be read",
                &backup.display().to_string(),
                &error,
            ));
        }
    };
    let old = Old::read(path, &target)?;
    if is_dry {
        return Ok(backup);
    }
    let temporary = copy(folder_of(&target), &bytes, &metadata).map_err(|error| failed(&error))?;
    let _unfinished = Unfinished::new(temporary.path());
    // No backup is removed before the file is restored: if a step fails, all states are still
    // there.
    let free = (1..).find(|number| is_free(path, *number)).unwrap_or(number);
    let is_kept = old.is_some();
    if let Some(old) = old {
        old.keep_at(path, free).map_err(|error| no_backup(path, &error))?;
    }
    finish(temporary, &target).map_err(|error| failed(&error))?;
    let used = if is_kept && number < free { number + 1 } else { number };
    let last = if is_kept { free } else { free - 1 };
    let closed = (used..last)
        .try_for_each(|to| fs::rename(backup_name(path, to + 1), backup_name(path, to)));
    let closed = if used < last { closed } else { fs::remove_file(backup_name(path, used)) };
    closed.map_err(|error| failed(&error))?;
    Ok(backup)
}

/// A file that is being replaced.
struct Old {
    bytes: Vec<u8>,
    metadata: Metadata,
}

impl Old {
    /// Reads the file at `target`, if there is one. Refuses a file that changed after the program
    /// read it.
    fn read(path: &Path, target: &Path) -> Result<Option<Self>, Failure> {
        let known = {
            let inputs = inputs();
            let target = Identity::Path(target.to_owned());
            inputs.get(&target).and_then(|input| input.stamp)
        };
        let old = match fs::read(target).and_then(|it| Ok((it, target.metadata()?))) {
            Ok((bytes, metadata)) => Some(Self { bytes, metadata }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(no_backup(path, &error)),
        };
        let now = old.as_ref().map(|old| stamp(&old.bytes));
        match known.is_some_and(|known| now != Some(known)) {
            true => Err(Failure::outdated(&shown(path.display()))),
            false => Ok(old),
        }
    }

    /// Keeps the file as the newest backup; returns its name.
    fn keep(&self, path: &Path) -> Result<PathBuf, Failure> {
        let free = (1..=BACKUPS).find(|number| is_free(path, *number)).unwrap_or(BACKUPS - 1);
        self.keep_at(path, free).map_err(|error| no_backup(path, &error))
    }

    /// Keeps the file as the newest backup, and moves the others up to the number `free`.
    fn keep_at(&self, path: &Path, free: u64) -> io::Result<PathBuf> {
        let copied = copy(folder_of(path), &self.bytes, &self.metadata)?;
        let _unfinished = Unfinished::new(copied.path());
        for number in (1..free).rev() {
            fs::rename(backup_name(path, number), backup_name(path, number + 1))?;
        }
        let name = backup_name(path, 1);
        copied.persist_noclobber(&name).map_err(|error| error.error)?;
        Ok(name)
    }
}

fn no_backup(path: &Path, error: &io::Error) -> Failure {
    let name = path.display().to_string();
    Failure::stream("the file was not changed, because no backup could be made", &name, error)
}

fn is_free(path: &Path, number: u64) -> bool {
    backup_name(path, number).symlink_metadata().is_err()
}

/// Returns NAME.bak for 1, the newest backup, and NAME.bak.2 for 2.
fn backup_name(path: &Path, number: u64) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".bak");
    if number > 1 {
        name.push(format!(".{number}"));
    }
    name.into()
}

/// Writes bytes to a temporary file with the rights and the time of another file.
fn copy(folder: &Path, bytes: &[u8], metadata: &Metadata) -> io::Result<NamedTempFile> {
    let mut copy = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)?;
    let _unfinished = Unfinished::new(copy.path());
    copy.write_all(bytes)?;
    let file = copy.as_file();
    keep_rights(file, metadata)?;
    // Not every file system allows to set the time.
    let _ = metadata.modified().and_then(|time| file.set_modified(time));
    file.sync_all()?;
    Ok(copy)
}

/// Gives a new file the rights of the old one, and as far as that is allowed its owner and group: a superuser who changes
/// a save leaves it to the server.
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let is_same = |new: &Metadata| (new.uid(), new.gid()) == (old.uid(), old.gid());
        if !file.metadata().is_ok_and(|new| is_same(&new)) {
            // The group alone may be allowed.
            let _ = fchown(file, Some(old.uid()), Some(old.gid()))
                .or_else(|_| fchown(file, None, Some(old.gid())));
        }
    }
    // (WASI has no rights.)
    if cfg!(any(unix, windows)) { file.set_permissions(old.permissions()) } else { Ok(()) }
}

/// Moves a temporary file to its final name.
fn finish(temporary: NamedTempFile, target: &Path) -> io::Result<()> {
    temporary.as_file().sync_all()?;
    forget_file(target);
    temporary.persist(target).map(drop).map_err(|error| error.error)
}

/// Returns whether a file has these bytes; its size must be equal.
fn has_bytes(file: &mut NamedTempFile, bytes: &[u8]) -> io::Result<bool> {
    file.as_file_mut().rewind()?;
    let mut reader = BufReader::new(file.as_file_mut());
    let mut buffer = [0; 1 << 13];
    for part in bytes.chunks(buffer.len()) {
        let buffer = &mut buffer[..part.len()];
        reader.read_exact(buffer)?;
        if buffer != part {
            return Ok(false);
        }
    }
    Ok(true)
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Keeps other runs of the program from writing into some folders. The end of a program releases
/// its locks.
struct Lock {
    _held: Vec<File>,
}

impl Lock {
    /// Waits until no other run writes beside these files. Does not wait on a file system without
    /// locks.
    fn of<'p>(files: impl IntoIterator<Item = &'p Path>) -> Self {
        // A fixed order prevents two runs from waiting for each other.
        let folders: BTreeSet<_> =
            files.into_iter().filter_map(|file| folder_of(file).canonicalize().ok()).collect();
        Self { _held: folders.iter().filter_map(|folder| locked(folder)).collect() }
    }
}

#[cfg(unix)]
fn locked(folder: &Path) -> Option<File> {
    use rustix::fs::{FlockOperation, flock};
    let folder = File::open(folder).ok()?;
    rustix::io::retry_on_intr(|| flock(&folder, FlockOperation::LockExclusive)).ok()?;
    Some(folder)
}

#[cfg(windows)]
fn locked(folder: &Path) -> Option<File> {
    use std::os::windows::fs::OpenOptionsExt;
    use std::time::Duration;
    /// The system removes the file when its last handle is closed.
    const DELETE_ON_CLOSE: u32 = 0x0400_0000;
    /// Another process has the file open without sharing it.
    const SHARING_VIOLATION: i32 = 32;
    let mut options = File::options();
    options.write(true).create(true).share_mode(0).custom_flags(DELETE_ON_CLOSE);
    loop {
        match options.open(folder.join(format!("{PREFIX}lock"))) {
            Ok(file) => return Some(file),
            Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => {
                std::thread::sleep(Duration::from_millis(5));
            }
            Err(_) => return None,
        }
    }
}

#[cfg(not(any(unix, windows)))]
fn locked(_: &Path) -> Option<File> {
    None
}

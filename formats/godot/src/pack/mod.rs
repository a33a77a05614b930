//! Packs of exported games (`GDPC`): a directory of files, and their contents.
//!
//! [`Pack::open`] reads packs of Godot 1 to 4.7 and of Pandemonium, alone or after an executable. [`Pack::with_file`]
//! gives a file another content: the offsets, sizes and MD5 sums are updated, and every other file is kept byte for
//! byte. [`Pack::with_changes`] adds, replaces and removes files. [`PackBuilder`] makes new packs, alone or after an
//! executable.
//!
//! ```
//! use formwork_godot::pack::{EngineRelease, Pack, PackBuilder};
//!
//! let release = EngineRelease { major: 4, minor: 6, patch: 3 };
//! let bytes = PackBuilder::new(3, release).file("note.txt", b"hello").file("more.txt", b"more").build()?;
//!
//! let pack = Pack::open(&bytes)?;
//! assert_eq!(pack.engine().to_string(), "4.6.3");
//! let note = pack.find("res://note.txt")?;
//! assert_eq!(pack.content(note)?, b"hello");
//! assert!(pack.check().is_empty());
//!
//! let changed = pack.with_file(note, b"a longer text than before")?;
//! let changed = Pack::open(&changed)?;
//! assert_eq!(changed.content(changed.find("more.txt")?)?, b"more");
//! # Ok::<(), formwork::Error>(())
//! ```
//!
//! # Encrypted packs
//!
//! Each encrypted part of a pack is an encrypted file of Godot 4 without its mark. [`Pack::sealed_directory`] and
//! [`Pack::wrapped_content`] return such files with the mark, and any reader of those (feature `wrapper`) opens them.
//! This module has no keys.

mod build;
mod change;
mod check;
mod embedded;
mod file;
mod name;
mod record;
mod replace;
pub mod rule;
mod zip;

use std::fmt;
use std::ops::Range;

pub use build::PackBuilder;
pub use change::PackChange;
pub use file::PackedFile;
pub use name::{unsafe_part, within_game};
pub use record::{
    FileFlags, FlaggedPackDirectory, FlaggedPackEntry, FlaggedPackHead, PackDirectory, PackEntry,
    PackFlags, PackStart, PackTrailer, PlacedPackHead, PlainPackHead, SealedDirectory, SealedHead,
};
pub use zip::{ZipPack, ZippedFile, is_zip};

use record::{NEWEST, VERSIONS, entry_size};

use embedded::Place;
use formwork::{Error, Path, PathSegment, Result};
use formwork_records::schema::{Record, record_of};
use formwork_records::wire::{Cursor, put_record, read_record};

/// The mark of an encrypted file of Godot 4, outside a pack.
const SEALED_MARK: [u8; 4] = *b"GDEC";

/// The release of an engine, such as 4.6.3.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct EngineRelease {
    /// 4 in 4.6.3.
    pub major: u32,
    /// 6 in 4.6.3.
    pub minor: u32,
    /// 3 in 4.6.3.
    pub patch: u32,
}

impl fmt::Display for EngineRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

/// A pack in the bytes of a file.
#[derive(Clone, Debug)]
pub struct Pack<'a> {
    bytes: &'a [u8],
    place: Place,
    version: u32,
    engine: EngineRelease,
    flags: PackFlags,
    /// The offset from which the offsets in the directory count.
    base: u64,
    /// The range of the head.
    head: Range<usize>,
    /// The range of the directory, with its count.
    directory: Range<usize>,
    /// The number of files that the directory announces.
    count: u32,
    /// Whether the directory is encrypted and was not opened.
    closed: bool,
    files: Vec<PackedFile>,
}

/// Whether a pack is in the bytes: alone, or after an executable.
#[must_use]
pub fn is_pack(bytes: &[u8]) -> bool {
    embedded::find(bytes).is_some()
}

/// Returns the start of a pack of a newer version than [`Pack::open`] reads; [`None`] for all other bytes.
#[must_use]
pub fn newer(bytes: &[u8]) -> Option<PackStart> {
    let place = embedded::find(bytes)?;
    let start: PackStart =
        read_record(&mut Cursor::new(bytes.get(place.start..place.end)?)).ok()?;
    (start.version > NEWEST).then_some(start)
}

impl<'a> Pack<'a> {
    /// Reads the directory of a pack that is the whole file or comes after an executable.
    ///
    /// An encrypted directory is not read: see [`sealed_directory`](Self::sealed_directory).
    ///
    /// # Errors
    ///
    /// Returns an error if the file has no pack, if the pack has another version, or if the head or directory is cut.
    /// ([`check`](Self::check) lists the faults of the files.)
    pub fn open(bytes: &'a [u8]) -> Result<Self> {
        let Some(place) = embedded::find(bytes) else {
            let found = "neither at the start nor behind an executable";
            return Err(Error::new(rule::MAGIC, 0, "a pack (GDPC)", found).within("pack"));
        };
        Self::read(bytes, place, NEWEST).map_err(|error| error.within("pack").closed())
    }

    /// Reads the directory of a pack of a newer version as if it were of the newest known version. [`None`] if that
    /// fails or the pack read this way has a fault.
    #[must_use]
    pub fn open_newer(bytes: &'a [u8]) -> Option<Self> {
        let version = newer(bytes)?.version;
        let pack = Self::read(bytes, embedded::find(bytes)?, version).ok()?;
        pack.check().is_empty().then_some(pack)
    }

    fn read(bytes: &'a [u8], place: Place, newest: u32) -> Result<Self> {
        let inside = bytes.get(..place.end).unwrap_or_default();
        let mut input = Cursor::new(inside);
        input.set_position(place.start);
        let start: PackStart = read_record(&mut input.clone())?;
        let from_start = |offset: u64| offset.saturating_add(place.start as u64);
        let (flags, base, directory) = match start.version {
            0 | 1 => {
                let PlainPackHead { .. } = read_record(&mut input)?;
                (PackFlags::from(0), 0, input.position() as u64)
            }
            2 => {
                let FlaggedPackHead { flags, file_base, .. } = read_record(&mut input)?;
                let base = if flags.relative() { from_start(file_base) } else { file_base };
                (flags, base, input.position() as u64)
            }
            3.. if start.version <= newest => {
                let head: PlacedPackHead<'_> = read_record(&mut input)?;
                (head.flags, from_start(head.file_base), from_start(head.directory))
            }
            version => {
                let (at, found) = (place.start as u64 + 4, version.to_string());
                let error = Error::new(rule::VERSION, at, VERSIONS, found);
                return Err(error.within("version"));
            }
        };
        let engine = EngineRelease { major: start.major, minor: start.minor, patch: start.patch };
        let head = place.start..input.position();
        let at = usize::try_from(directory).ok().filter(|at| (head.end..place.end).contains(at));
        let Some(at) = at else {
            let expected = format!("a directory between offset {} and {}", head.end, place.end);
            let error = Error::new(
                rule::DIRECTORY,
                place.start as u64 + 32,
                expected,
                directory.to_string(),
            );
            return Err(error.within("directory"));
        };
        input.set_position(at);
        let count: u32 = formwork_records::wire::word_at(inside, at).unwrap_or_default();
        let closed = flags.directory_encrypted();
        let mut pack = Self {
            bytes,
            place,
            version: start.version,
            engine,
            flags,
            base,
            head,
            directory: at..at,
            count,
            closed,
            files: Vec::new(),
        };
        if closed {
            let sealed: SealedDirectory<'_> = read_record(&mut input)?;
            let length = sealed.sealed.length.checked_next_multiple_of(16);
            let data = length.and_then(|it| usize::try_from(it).ok()).and_then(|it| input.take(it));
            if data.is_none() {
                let (at, left) = (input.position() as u64, input.left() as u64);
                let needed = sealed.sealed.length.saturating_sub(left).max(1);
                let error = Error::incomplete(at, needed, "the encrypted directory", left);
                return Err(error.within("data").within("sealed").within("directory"));
            }
        } else {
            pack.files = pack.entries(&mut input).map_err(|error| error.within("directory"))?;
        }
        pack.directory.end = input.position();
        Ok(pack)
    }

    /// Reads the files of a directory.
    fn entries(&self, input: &mut Cursor<'_>) -> Result<Vec<PackedFile>> {
        // The first entry comes after the count.
        let mut at = input.position() as u64 + 4;
        let mut file = |entry: PackEntry<'_>, flags| {
            let here = at;
            at += (entry.name.len() + entry_size(self.version)) as u64;
            PackedFile::new(entry, flags, self.base, here)
        };
        if self.version < 2 {
            let PackDirectory { files, .. } = read_record(input)?;
            let files = files.0.into_iter();
            return Ok(files.map(|it| file(it, FileFlags::new())).collect());
        }
        let FlaggedPackDirectory { files, .. } = read_record(input)?;
        let files = files.0.into_iter();
        let flagged = |FlaggedPackEntry { length, name, offset, size, digest, flags }| {
            file(PackEntry { length, name, offset, size, digest }, flags)
        };
        Ok(files.map(flagged).collect())
    }

    /// Returns the directory as an encrypted file of Godot 4, if it is encrypted and not opened yet.
    #[must_use]
    pub fn sealed_directory(&self) -> Option<Vec<u8>> {
        let behind = self.directory.start + 4..self.directory.end;
        let sealed = self.bytes.get(behind).filter(|_| self.closed)?;
        Some([SEALED_MARK.as_slice(), sealed].concat())
    }

    /// Takes the decrypted content of [`sealed_directory`](Self::sealed_directory), and reads the files. Offsets of
    /// faults count in that content.
    ///
    /// # Errors
    ///
    /// Returns an error if the directory is cut.
    pub fn open_directory(&mut self, content: &[u8]) -> Result<()> {
        let mut whole = self.count.to_le_bytes().to_vec();
        whole.extend(content);
        let files = self.entries(&mut Cursor::new(&whole));
        self.files = files.map_err(|error| error.within("directory").within("pack").closed())?;
        self.closed = false;
        Ok(())
    }

    /// Returns the version of the format: 0 to 4.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// Returns the release of the engine that wrote the pack.
    #[must_use]
    pub const fn engine(&self) -> EngineRelease {
        self.engine
    }

    /// Returns the range of the pack in the file. (After an executable, without the size and mark at the end.)
    #[must_use]
    pub const fn range(&self) -> Range<usize> {
        self.place.start..self.place.end
    }

    /// Returns the range of the pack's head in the file.
    #[must_use]
    pub const fn head(&self) -> Range<usize> {
        self.head.start..self.head.end
    }

    /// Returns the range of the directory in the file, with its count.
    #[must_use]
    pub const fn directory(&self) -> Range<usize> {
        self.directory.start..self.directory.end
    }

    /// Returns the declarations of head and directory.
    #[must_use]
    pub fn records(&self) -> (&'static Record, &'static Record) {
        let head = match self.version {
            0 | 1 => const { record_of::<PlainPackHead<'_>>() },
            2 => const { record_of::<FlaggedPackHead<'_>>() },
            _ => const { record_of::<PlacedPackHead<'_>>() },
        };
        let directory = match self.version {
            _ if self.is_directory_encrypted() => const { record_of::<SealedDirectory<'_>>() },
            0 | 1 => const { record_of::<PackDirectory>() },
            _ => const { record_of::<FlaggedPackDirectory>() },
        };
        (head, directory)
    }

    /// Whether the pack comes after an executable.
    #[must_use]
    pub const fn is_embedded(&self) -> bool {
        self.place.start > 0
    }

    /// Whether the directory is encrypted (and has to be opened before there are files).
    #[must_use]
    pub fn is_directory_encrypted(&self) -> bool {
        self.flags.directory_encrypted()
    }

    /// Whether the contents of the files are outside the pack.
    #[must_use]
    pub fn is_sparse(&self) -> bool {
        self.flags.sparse()
    }

    /// Returns the number of files that the directory announces, whether it is opened or not.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }

    /// Returns the files, in the order of the directory.
    #[must_use]
    pub fn files(&self) -> &[PackedFile] {
        &self.files
    }

    /// Returns the file of that name, with or without `res://`. If a name occurs twice, the last file is returned, as
    /// in the engines.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such file, or if the directory is encrypted and was not opened.
    pub fn find(&self, name: &str) -> Result<&PackedFile> {
        if self.closed {
            let at = self.directory.start as u64;
            let error =
                Error::new(rule::SEALED, at, "a directory that was opened", "an encrypted one");
            return Err(error.within("directory").within("pack"));
        }
        let wanted = within_game(name);
        let is_it = |file: &&PackedFile| {
            let bytes = file.name_bytes();
            bytes.strip_prefix(b"res://").unwrap_or(bytes) == wanted.as_bytes()
        };
        self.files.iter().rev().find(is_it).ok_or_else(|| {
            let at = self.directory.start as u64;
            let (expected, found) = (format!("a file '{name}'"), "no such file");
            Error::new(rule::FILE, at, expected, found).within("directory").within("pack")
        })
    }

    /// Returns the bytes that the pack holds of a file. For an encrypted file, they begin with the MD5 sum, length and
    /// initialization vector.
    ///
    /// # Errors
    ///
    /// Returns an error if they are not within the pack, if they overlap its head or directory, or if there are none.
    pub fn content(&self, file: &PackedFile) -> Result<&'a [u8]> {
        self.content_of(file).map_err(|error| error.under(self.path(file)))
    }

    fn content_of(&self, file: &PackedFile) -> Result<&'a [u8]> {
        let none = |found: &str| {
            let expected = "a content in the pack";
            Err(Error::new(rule::CONTENT, file.entry, expected, found))
        };
        if file.is_removal() {
            return none("a note that the file of this name in another pack is gone");
        }
        if self.is_sparse() {
            return none("a pack whose contents stand in files outside it");
        }
        let range = file.range();
        let misplaced = |expected: String| {
            let found = format!("{} to {}", range.start, range.end);
            Err(Error::new(rule::RANGE, file.entry, expected, found).within("offset"))
        };
        let (start, end) = (self.place.start as u64, self.place.end as u64);
        if range.start < start
            || range.end > end
            || file.offset.checked_add(file.stored_size()).is_none()
        {
            return misplaced(format!("bytes within the pack, {start} to {end}"));
        }
        for (what, part) in [("head", &self.head), ("directory", &self.directory)] {
            let (from, to) = (part.start as u64, part.end as u64);
            if range.start < to && range.end > from && !range.is_empty() {
                return misplaced(format!("bytes outside the {what}, {from} to {to}"));
            }
        }
        // Both are within the bytes.
        Ok(self.bytes.get(range.start as usize..range.end as usize).unwrap_or_default())
    }

    /// Returns the content of a file; if that is encrypted, an encrypted file of Godot 4 with it.
    ///
    /// # Errors
    ///
    /// As [`content`](Self::content).
    pub fn wrapped_content(&self, file: &PackedFile) -> Result<Vec<u8>> {
        let content = self.content(file)?;
        let mark = if file.is_encrypted() { SEALED_MARK.as_slice() } else { &[] };
        Ok([mark, content].concat())
    }

    /// Returns the path to a file of this pack.
    fn path(&self, file: &PackedFile) -> Path {
        let index = self
            .files
            .iter()
            .position(|it| std::ptr::eq(it, file))
            .or_else(|| self.files.iter().position(|it| it == file));
        let mut path = Path::from_iter(["pack".into(), PathSegment::Field("files")]);
        path.push(index.unwrap_or_default() as u64);
        path
    }
}

/// Reads the head of an encrypted part, and returns it with the number of bytes that its content takes after it.
fn sealed_head(bytes: &[u8]) -> Result<(SealedHead<'static>, u64)> {
    let head: SealedHead<'_> = read_record(&mut Cursor::new(bytes))?;
    let length = head.length.checked_next_multiple_of(16).unwrap_or(u64::MAX);
    Ok((head, length))
}

/// Returns the bytes of a record.
fn bytes_of<T: for<'w> binrw::BinWrite<Args<'w> = ()>>(record: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    put_record(record, &mut bytes);
    bytes
}

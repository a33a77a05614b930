//! Input of commands: files, standard input, and files in packs.

use super::source::Source;
use super::source::is_folder;
use super::source::is_stdin;
use super::source::name;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use formwork_godot::wrapper::Key;

use super::arguments::nothing_named;
use super::failure::Failure;
use super::progress;
use super::store;
use super::store::Member;

impl Source {
    /// Reads `path`: standard input for `-`, a file in a pack for `PACK!NAME`.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        Self::read_with(path, None)
    }

    /// Reads like [`Source::read`]; the key opens a pack whose directory is encrypted.
    pub fn read_with(path: &Path, key: Option<&Key>) -> Result<Self, Failure> {
        if let Some(member) = Member::of(path) {
            return member.source(key);
        }
        Ok(Self { key: key.cloned(), ..Self::read_file(path)? })
    }

    /// Reads `path`, or standard input for `-`.
    pub fn read_file(path: &Path) -> Result<Self, Failure> {
        let name = name(path);
        match read(path) {
            Ok(bytes) => {
                if let (true, true, Some(failure)) =
                    (bytes.is_empty(), is_stdin(path), nothing_named())
                {
                    return Err(failure);
                }
                progress::reading(&name, bytes.len() as u64);
                Ok(Self::of_bytes(name, bytes))
            }
            Err(_) if path.is_dir() => Err(is_folder(&name)),
            Err(error) => Err(Failure::stream("could not be read", &name, &error)),
        }
    }
}

/// Reads all bytes of `path`, or of standard input for `-`.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if is_stdin(path) {
        return without_end(io::stdin().lock());
    }
    if !path.metadata()?.is_file() {
        return without_end(File::open(path)?);
    }
    store::read(path)
}

/// Reads a stream that may have no end, such as a pipe or a device.
fn without_end(reader: impl Read) -> io::Result<Vec<u8>> {
    /// Maximum number of bytes that are read.
    const MOST: u64 = 1 << 30;
    let mut bytes = Vec::new();
    reader.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other("more than 1 GiB, and no end of it"));
    }
    Ok(bytes)
}

/// Opens a file that can be read several times, and reads its start. Returns [`None`] for standard
/// input, pipes and the like, and for a path that cannot be opened: reading the path reports the
/// reason.
pub fn file_and_start(path: &Path) -> Option<(File, Vec<u8>)> {
    /// Number of bytes that are enough to detect the format.
    const START: u64 = 4096;
    let is_file = !is_stdin(path) && path.metadata().is_ok_and(|it| it.is_file());
    let mut file = is_file.then(|| store::open(path).ok()).flatten()?;
    let mut start = Vec::new();
    file.by_ref().take(START).read_to_end(&mut start).ok()?;
    file.rewind().ok()?;
    Some((file, start))
}

/// Refuses to read standard input twice: it would be empty the second time.
pub fn stdin_once<P: AsRef<Path>>(paths: impl IntoIterator<Item = P>) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| is_stdin(path.as_ref())).count() > 1 {
        return Err(Failure::usage("standard input ('-') can be read only once"));
    }
    Ok(())
}

//! Input of commands: files, standard input, and files in packs.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use formwork_godot::wrapper::{Key, Layer, Unwrapped};
use formwork_variant::Dialect;

use super::arguments::nothing_named;
use super::failure::Failure;
use super::pack::Member;
use super::progress;
use super::quantity::counted;
use super::store;
use super::style::shown;

/// A file, or standard input, with all its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name in messages.
    pub(crate) name: String,
    /// The content, and its containers.
    pub(crate) file: Unwrapped,
    /// The engine's release, if the pack of the file names it.
    pub(crate) engine: Option<Dialect>,
    /// The key for encrypted content, if the options give one.
    pub(crate) key: Option<Key>,
    /// Whether the source is a file in a pack.
    pub(crate) is_in_pack: bool,
}

impl Source {
    /// Reads `path`: standard input for `-`, a file in a pack for `PACK!NAME`.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        Self::read_with(path, None)
    }

    /// Reads like [`Source::read`]; the key opens a pack whose directory is encrypted.
    pub(crate) fn read_with(path: &Path, key: Option<&Key>) -> Result<Self, Failure> {
        if let Some(member) = Member::of(path) {
            return member.source(key);
        }
        Ok(Self { key: key.cloned(), ..Self::read_file(path)? })
    }

    /// Reads `path`, or standard input for `-`.
    pub(crate) fn read_file(path: &Path) -> Result<Self, Failure> {
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

    /// Returns the name as a word of a command line.
    pub(crate) fn word(&self) -> String {
        match &*self.name {
            STDIN => "-".to_owned(),
            name => word(name),
        }
    }

    /// Makes a source from bytes that are in no file.
    pub(crate) fn of_bytes(name: String, bytes: impl Into<Vec<u8>>) -> Self {
        let file = Unwrapped::new(bytes.into());
        Self { name, file, engine: None, key: None, is_in_pack: false }
    }

    /// Sets the number of bytes of the game's header, before the values or before a container.
    pub(crate) fn skipping(mut self, skip: Option<u64>) -> Self {
        self.file = self.file.header(skip.unwrap_or_default());
        self
    }

    /// Refuses a file that is shorter than the given header.
    pub(crate) fn header_is_there(&self) -> Result<(), Failure> {
        let (name, wanted) = (&self.name, self.file.missing_header());
        if wanted == 0 {
            return Ok(());
        }
        let length = self.bytes().len();
        let message = format!(
            "{name}: --skip {wanted} is more than the file has: {}",
            counted(length as u64, "byte")
        );
        Err(Failure::no(message))
    }

    /// Returns all bytes, or those of the content of the containers.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.file.bytes()
    }

    /// Returns the bytes after the header.
    pub(crate) fn content(&self) -> &[u8] {
        self.file.content()
    }

    /// Returns the containers that were removed, outermost first.
    pub(crate) fn layers(&self) -> &[Layer] {
        self.file.layers()
    }

    /// Returns the size of the game's header.
    pub(crate) const fn skipped(&self) -> usize {
        self.file.skipped()
    }
}

/// Returns a text as one word of a command line.
pub(crate) fn word(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| shown(text), Cow::into_owned)
}

/// Reads all bytes of `path`, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
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

/// Makes the failure for a folder `name` where a file is expected.
pub(crate) fn is_folder(name: &str) -> Failure {
    Failure::unreadable(format!("{name}: this is a folder, not a file"))
        .hint(format!("for all files in it: formwork info '{name}'"))
        .hint(format!("for a Terrain Builder project: formwork terrain layers '{name}'"))
}

/// Opens a file that can be read several times, and reads its start. Returns [`None`] for standard
/// input, pipes and the like, and for a path that cannot be opened: reading the path reports the
/// reason.
pub(crate) fn file_and_start(path: &Path) -> Option<(File, Vec<u8>)> {
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
pub(crate) fn stdin_once<P: AsRef<Path>>(
    paths: impl IntoIterator<Item = P>,
) -> Result<(), Failure> {
    if paths.into_iter().filter(|path| is_stdin(path.as_ref())).count() > 1 {
        return Err(Failure::usage("standard input ('-') can be read only once"));
    }
    Ok(())
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name of standard input in messages.
const STDIN: &str = "standard input";

/// Returns the name of an input in messages.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) {
        return STDIN.into();
    }
    // A file name may hold any characters, such as a line break or a control sequence of a
    // terminal.
    shown(path.to_string_lossy())
}

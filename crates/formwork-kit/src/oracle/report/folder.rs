//! Folders and files that are there whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::digest::digest;

/// The files of a folder.
#[derive(Debug, Default)]
pub(super) struct Files(Vec<Entry>);

/// A file.
#[derive(Debug)]
struct Entry {
    /// Its path in the folder, with `/` between names.
    name: String,
    content: Vec<u8>,
    /// Whether it is a program.
    runs: bool,
}

/// The file that says which files of a folder were made here, a line each: a digest of what is in it, and
/// its name. It is by this file that a folder is known.
const MANIFEST: &str = ".formwork";

impl Files {
    pub(super) fn add(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.push(Entry { name: name.into(), content: content.into(), runs: false });
    }

    /// Adds a file that is a program.
    pub(super) fn add_program(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.push(Entry { name: name.into(), content: content.into(), runs: true });
    }

    /// Adds the file that says which files were made here: these.
    pub(super) fn add_manifest(&mut self) {
        let line =
            |Entry { name, content, .. }: &Entry| format!("{:016x} {name}\n", digest(content));
        let manifest: String = self.0.iter().map(line).collect();
        self.add(MANIFEST, manifest);
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|entry| entry.name.as_str())
    }

    fn content(&self, name: &str) -> Option<&[u8]> {
        let entry = self.0.iter().find(|entry| entry.name == name);
        entry.map(|entry| entry.content.as_slice())
    }
}

impl Entry {
    fn write(&self, path: &Path) -> io::Result<()> {
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if self.runs {
            use std::os::unix::fs::OpenOptionsExt;
            // The user's mask still applies.
            options.mode(0o777);
        }
        options.open(path)?.write_all(&self.content)
    }
}

/// Writes a file of a folder anew, and what the folder says of itself.
pub(super) fn rewrite(folder: &Path, name: &str, files: &Files) -> io::Result<()> {
    for name in [name, MANIFEST] {
        if let Some(content) = files.content(name) {
            replace_file(folder, name, content)?;
        }
    }
    Ok(())
}

/// Returns whether a folder has files of a run, or a folder that was made here.
pub(super) fn is_report(parent: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let is_page = ["findings.json", "state.json"].iter().any(|name| entry.file_name() == *name);
        if is_page || entry.path().join(MANIFEST).is_file() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Prefix of the names of unfinished files and folders.
const UNFINISHED: &str = ".formwork-";

/// Puts a folder called `name` into `parent`, in place of one of that name.
pub(super) fn replace(parent: &Path, name: &str, files: &Files) -> io::Result<PathBuf> {
    fs::create_dir_all(parent)?;
    let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(parent)?;
    // One level further in, so that the new folder has the rights of any other and not those of a
    // temporary one.
    let new = unfinished.path().join("new");
    fs::create_dir(&new)?;
    for entry in &files.0 {
        let path = new.join(&entry.name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        entry.write(&path)?;
    }
    let path = parent.join(name);
    // A folder takes the place of an empty one only.
    match fs::rename(&path, unfinished.path().join("old")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => fs::rename(&new, &path)?,
    }
    unfinished.close()?;
    Ok(path)
}

/// Puts a file called `name` into `parent`, in place of one of that name.
pub(super) fn replace_file(parent: &Path, name: &str, content: &[u8]) -> io::Result<()> {
    fs::create_dir_all(parent)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // A temporary file is otherwise for its owner only. The user's mask still applies.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(parent)?;
    file.write_all(content)?;
    file.persist(parent.join(name)).map_err(|error| error.error)?;
    Ok(())
}

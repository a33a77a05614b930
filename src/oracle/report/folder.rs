//! Folders and files that are there whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What stands in a folder: paths in it, with `/` between names, and contents.
#[derive(Debug, Default)]
pub(super) struct Files(Vec<(String, Vec<u8>)>);

impl Files {
    pub(super) fn add(&mut self, name: impl Into<String>, content: impl Into<Vec<u8>>) {
        self.0.push((name.into(), content.into()));
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }
}

/// What unfinished files and folders are called at first.
const UNFINISHED: &str = ".formwork-";

/// Puts a folder called `name` into `parent`, in place of one of that name.
pub(super) fn replace(parent: &Path, name: &str, files: &Files) -> io::Result<PathBuf> {
    fs::create_dir_all(parent)?;
    let unfinished = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(parent)?;
    // One level further in, so that the new folder has the rights of any other and not those of a
    // temporary one.
    let new = unfinished.path().join("new");
    fs::create_dir(&new)?;
    for (name, content) in &files.0 {
        let path = new.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, content)?;
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

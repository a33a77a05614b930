//! A folder that appears only when it is complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use formwork_program::failure::Failure;

/// A folder that is being written, beside its destination.
pub(super) struct Folder {
    making: TempDir,
    target: PathBuf,
}

impl Folder {
    /// Starts a folder; an existing one must be empty.
    pub(super) fn create(target: &Path) -> Result<Self, Failure> {
        let name = target.display();
        match fs::read_dir(target).map(|mut entries| entries.next().is_some()) {
            Ok(true) => {
                let failure = Failure::usage(format!("{name}: this folder is not empty"));
                return Err(failure.hint("choose another folder, or remove this one"));
            }
            Ok(false) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(target, &error)),
        }
        let beside = target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        builder.prefix(".formwork-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary folder is otherwise open to its owner only. The user's mask still
            // applies.
            builder.permissions(fs::Permissions::from_mode(0o777));
        }
        let making = builder.tempdir_in(beside.unwrap_or(Path::new(".")));
        let making = making.map_err(|error| failed(target, &error))?;
        Ok(Self { making, target: target.to_owned() })
    }

    /// Writes a file into the folder.
    pub(super) fn write(&self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let path = self.making.path().join(name);
        fs::write(path, bytes).map_err(|error| failed(&self.target.join(name), &error))
    }

    /// Moves the folder to its destination.
    pub(super) fn finish(self) -> Result<(), Failure> {
        // An empty folder there is replaced.
        if self.target.is_dir() {
            fs::remove_dir(&self.target).map_err(|error| failed(&self.target, &error))?;
        }
        let made = self.making.path();
        fs::rename(made, &self.target).map_err(|error| failed(&self.target, &error))?;
        // The folder is not temporary any more.
        let _ = self.making.keep();
        Ok(())
    }
}

fn failed(path: &Path, error: &io::Error) -> Failure {
    Failure::stream("could not be written", &path.display().to_string(), error)
}

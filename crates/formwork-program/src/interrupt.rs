//! Interruption of the program: during a write the old file stays, and no part of the new one is
//! left.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::echo;
use super::failure::Failure;

/// The files that are being written and do not have their names yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The exit status of an interrupted program, as in shells.
const INTERRUPTED: i32 = 130;

/// The prefix of the names of unfinished files. Such a file may be left if the program is killed or
/// the power fails. It does no harm: names are random, and commands for whole folders skip it.
pub const PREFIX: &str = ".formwork-";

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Calls a function at Ctrl-C. Does nothing on systems without signals, such as WASI.
fn handle(handler: impl FnMut() + Send + 'static) -> Result<(), String> {
    #[cfg(any(unix, windows))]
    return ctrlc::set_handler(handler).map_err(|error| error.to_string());
    #[cfg(not(any(unix, windows)))]
    {
        drop(handler);
        Ok(())
    }
}

/// Installs a handler for Ctrl-C, a request to end and a closed terminal, which removes unfinished
/// files and ends the program. (Commands that handle an interruption themselves have another
/// handler.)
pub fn clean_up() {
    // Without a handler the program ends, too, but may leave a temporary file.
    let _ = handle(|| {
        echo::end();
        // The lock is kept to the end: no file is finished or begun from now on.
        let mut files = unfinished();
        for file in files.drain(..) {
            // The file may have its name already.
            let _ = fs::remove_file(file);
        }
        exit(INTERRUPTED);
    });
}

/// Whether a command that handles interruptions itself is asked to end.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C ask the command to end, which checks [`is_asked`]. A second Ctrl-C ends the
/// program.
pub fn only_ask() -> Result<(), Failure> {
    let handled = handle(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            exit(INTERRUPTED);
        }
    });
    handled.map_err(|error| Failure::unreadable(format!("Ctrl-C cannot be caught: {error}")))
}

/// Returns whether the command is asked to end.
pub fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// A file without its name, during the life of this value.
#[must_use]
pub struct Unfinished(PathBuf);

impl Unfinished {
    /// Registers a file.
    pub fn new(path: &Path) -> Self {
        unfinished().push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|file| *file != self.0);
    }
}

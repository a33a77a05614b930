//! The program is to end: in the middle of a write the old file stays, and nothing is left of the new one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::echo;
use super::failure::Failure;

/// The files that are being written and do not have their names yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The exit status of a program that was interrupted, as shells know it.
const INTERRUPTED: i32 = 130;

/// What the name of an unfinished file starts with. One that is left, because the program was killed or the power
/// failed, is in nobody's way: names are random, and commands for whole folders pass it over.
pub(crate) const PREFIX: &str = ".formwork-";

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes Ctrl-C, a request to end and a terminal that closes remove what is unfinished and end the program. (Commands
/// that end in their own way have their own handler.)
pub(crate) fn clean_up() {
    // Without a handler the program ends all the same, and a temporary file may be left.
    let _ = ctrlc::set_handler(|| {
        echo::end();
        // Kept to the end: from now on no file is finished or begun.
        let mut files = unfinished();
        for file in files.drain(..) {
            // It may have its name already.
            let _ = fs::remove_file(file);
        }
        exit(INTERRUPTED);
    });
}

/// Whether a command that ends in its own way is asked to.
static ASKED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C ask the command to end, which looks at [`is_asked`]. The second one ends the program.
pub(crate) fn only_ask() -> Result<(), Failure> {
    let handled = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            exit(INTERRUPTED);
        }
    });
    handled.map_err(|error| Failure::unreadable(format!("Ctrl-C cannot be caught: {error}")))
}

/// Returns whether the command is asked to end.
pub(crate) fn is_asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// A file that does not have its name yet, for as long as this lives.
#[must_use]
pub(crate) struct Unfinished(PathBuf);

impl Unfinished {
    /// Notes a file.
    pub(crate) fn new(path: &Path) -> Self {
        unfinished().push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        unfinished().retain(|file| *file != self.0);
    }
}

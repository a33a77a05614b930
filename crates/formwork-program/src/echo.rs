//! The echo of the terminal, which is off while a password is typed.

#[cfg(unix)]
use std::io;
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

#[cfg(unix)]
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

/// The settings of the terminal before the echo was switched off, until they are restored.
#[cfg(unix)]
static BEFORE: Mutex<Option<Termios>> = Mutex::new(None);

/// Switches the echo on again when this is dropped.
#[must_use]
pub struct Silence(());

impl Silence {
    /// Switches the echo of standard input off. Returns [`None`] where this fails.
    #[cfg(unix)]
    pub fn begin() -> Option<Self> {
        let before = tcgetattr(io::stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        // The line break after the password is shown.
        silent.local_modes.insert(LocalModes::ECHONL);
        *BEFORE.lock().unwrap_or_else(PoisonError::into_inner) = Some(before);
        let silence = Self(());
        tcsetattr(io::stdin(), OptionalActions::Flush, &silent).ok()?;
        Some(silence)
    }

    /// Returns [`None`]: on other systems no password is asked for.
    #[cfg(not(unix))]
    pub const fn begin() -> Option<Self> {
        None
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        end();
    }
}

/// Switches the echo on again, if it is off.
pub fn end() {
    #[cfg(unix)]
    if let Some(before) = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take() {
        // Nothing can be done where this fails.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &before);
    }
}

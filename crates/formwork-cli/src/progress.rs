//! How far a command is with many files, for people at a terminal.

use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

/// What is on the screen.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// How far a command is with many files. Without a terminal, nothing is shown.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Starts with none of so many files.
    pub(crate) fn new(files: usize) -> Self {
        /// A few files are done before anybody has read it.
        const FEW: usize = 5;
        if files < FEW || super::manner::is_quiet() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(files as u64);
        let form = "{wide_msg} {pos} of {len} files, {per_sec}, {eta} left";
        bar.set_style(
            ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        bar.enable_steady_tick(Duration::from_millis(250));
        set(Some(bar.clone()));
        Self(bar)
    }

    /// Says which file comes next.
    pub(crate) fn next(&self, name: impl Into<std::borrow::Cow<'static, str>>) {
        self.0.set_message(name);
    }

    /// A file is done.
    pub(crate) fn done(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
        set(None);
    }
}

fn set(bar: Option<ProgressBar>) {
    if let Ok(mut shown) = SHOWN.lock() {
        *shown = bar;
    }
}

/// Prints something while the progress is off the screen.
pub(crate) fn aside<T>(print: impl FnOnce() -> T) -> T {
    let bar = SHOWN.lock().ok().and_then(|shown| shown.clone());
    match bar {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

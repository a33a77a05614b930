//! Progress of commands, for users at a terminal.

use std::cell::Cell;
use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::style::ProgressTracker;
use indicatif::{DecimalBytes, ProgressBar, ProgressState, ProgressStyle};

/// The progress on the screen.
static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

#[derive(Clone)]
struct Shown {
    bar: ProgressBar,
    /// Whether the progress is about many files instead of one.
    is_of_many: bool,
    /// Whether the result for the one file is being written.
    is_writing: bool,
}

/// Interval between updates of the screen.
const TICK: Duration = Duration::from_millis(250);

/// The progress of a command with many files. Without a terminal, nothing is shown.
pub struct Progress(ProgressBar);

impl Progress {
    /// Starts the progress of a command with `files` files.
    pub fn new(files: usize) -> Self {
        /// Fewer files are done before a user has read the progress.
        const FEW: usize = 5;
        if files < FEW || super::manner::is_quiet() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(files as u64);
        bar.set_style(style("{wide_msg} {pos} of {len} files{pace}", |state| {
            pace(state, &format!("{} files/s", rate(state.per_sec())))
        }));
        bar.enable_steady_tick(TICK);
        set(Shown { bar: bar.clone(), is_of_many: true, is_writing: false });
        Self(bar)
    }

    /// Shows the name of the next file.
    pub fn next(&self, name: impl Into<std::borrow::Cow<'static, str>>) {
        self.0.set_message(name);
    }

    /// Counts a finished file.
    pub fn done(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // A hidden bar has not replaced another one on the screen.
        if self.0.length().is_some() {
            end();
        }
    }
}

/// Shows that a file of this size is being read, if that may take long.
pub fn reading(name: &str, size: u64) {
    /// Smaller files are read before a user has read the progress.
    const LONG: u64 = 32 << 20;
    if shown().is_some_and(|shown| shown.is_of_many) {
        return;
    }
    end();
    if size < LONG || super::manner::is_quiet() {
        return;
    }
    let bar = ProgressBar::new(size);
    bar.set_style(style("{wide_msg} {pace}", |state| {
        let all = DecimalBytes(state.len().unwrap_or_default());
        match state.pos() {
            // The format is detected first; and some commands have no known progress.
            0 => format!("{all}, {} so far", time(state.elapsed())),
            // The whole file was read, and the result is being made.
            done if Some(done) == state.len() => {
                format!("{all} read, {} so far", time(state.elapsed()))
            }
            done => {
                let rate = format!("{}/s", DecimalBytes(state.per_sec() as u64));
                format!("{} of {all}{}", DecimalBytes(done), pace(state, &rate))
            }
        }
    }));
    bar.set_message(name.to_owned());
    bar.enable_steady_tick(TICK);
    set(Shown { bar, is_of_many: false, is_writing: false });
}

/// Sets the number of bytes of the file that are done.
pub fn at(position: u64) {
    if let Some(Shown { bar, is_of_many: false, .. }) = shown()
        && bar.length().is_some_and(|all| position <= all)
    {
        if bar.position() == 0 {
            // The time before, such as that for detecting the format, does not count for the rate.
            bar.reset_elapsed();
            bar.reset_eta();
        }
        bar.set_position(position);
    }
}

/// Adds `bytes` to the bytes of the file that are done.
pub fn more(bytes: u64) {
    if let Some(Shown { bar, is_of_many: false, .. }) = shown() {
        at(bar.position() + bytes);
    }
}

/// Shows the number of bytes of the result that are written.
pub fn written(bytes: u64) {
    let Ok(mut place) = SHOWN.lock() else { return };
    let Some(Shown { bar, is_of_many: false, is_writing }) = &mut *place else { return };
    if !std::mem::replace(is_writing, true) {
        bar.reset();
        // The size of the result is unknown.
        bar.set_style(style("{wide_msg} {pace}", |state| {
            let rate = DecimalBytes(state.per_sec() as u64);
            format!("{} written, {rate}/s", DecimalBytes(state.pos()))
        }));
        bar.unset_length();
    }
    bar.set_position(bytes);
}

/// Returns whether the progress is on the screen.
pub fn is_shown() -> bool {
    shown().is_some_and(|shown| !shown.bar.is_hidden())
}

/// Removes the progress from the screen.
pub fn end() {
    if let Some(shown) = SHOWN.lock().ok().and_then(|mut shown| shown.take()) {
        shown.bar.finish_and_clear();
    }
}

/// Prints something while the progress is off the screen.
pub fn aside<T>(print: impl FnOnce() -> T) -> T {
    thread_local! {
        static IS_ASIDE: Cell<bool> = const { Cell::new(false) };
    }
    match shown() {
        Some(shown) if !IS_ASIDE.replace(true) => {
            let printed = shown.bar.suspend(print);
            IS_ASIDE.set(false);
            printed
        }
        _ => print(),
    }
}

fn shown() -> Option<Shown> {
    SHOWN.lock().ok().and_then(|shown| shown.clone())
}

fn set(shown: Shown) {
    if let Ok(mut place) = SHOWN.lock() {
        *place = Some(shown);
    }
}

/// Returns a style with the key `pace`, whose text comes from this function.
fn style(
    template: &str,
    pace: impl Fn(&ProgressState) -> String + Clone + Send + Sync + 'static,
) -> ProgressStyle {
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("pace", Pace(pace))
}

#[derive(Clone)]
struct Pace<F>(F);

impl<F: Fn(&ProgressState) -> String + Clone + Send + Sync + 'static> ProgressTracker for Pace<F> {
    fn clone_box(&self) -> Box<dyn ProgressTracker> {
        Box::new(self.clone())
    }

    fn tick(&mut self, _: &ProgressState, _: std::time::Instant) {}

    fn reset(&mut self, _: &ProgressState, _: std::time::Instant) {}

    fn write(&self, state: &ProgressState, out: &mut dyn std::fmt::Write) {
        // A failure to show the progress is ignored.
        let _ = out.write_str(&(self.0)(state));
    }
}

/// Returns the rate and the time left, once enough is done to compute them.
fn pace(state: &ProgressState, rate: &str) -> String {
    let mut text = String::new();
    if state.pos() > 0 {
        // Writing to a string does not fail.
        let _ = write!(text, ", {rate}, {} left", time(state.eta()));
    }
    text
}

/// Returns a time in usual units: `45 s`, `3 min 20 s`, `2 h 5 min`.
fn time(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds / 60 % 60),
    }
}

/// Returns a rate with its significant digits.
fn rate(rate: f64) -> String {
    if rate < 10.0 { format!("{rate:.1}") } else { format!("{rate:.0}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_rates_have_the_digits_that_matter() {
        let times = [0, 59, 61, 3600 * 2 + 300].map(|seconds| time(Duration::from_secs(seconds)));
        assert_eq!(times, ["0 s", "59 s", "1 min 1 s", "2 h 5 min"]);
        assert_eq!([0.25, 9.0, 81.5051].map(rate), ["0.2", "9.0", "82"]);
    }
}

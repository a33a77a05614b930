//! Measures the CPU time of a thread, which does not depend on other work of the machine.

use std::time::Duration;

/// Returns the CPU time of this thread; [`None`] if it is not available.
#[must_use]
pub fn cpu_time() -> Option<Duration> {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    said.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Runs `work`, and returns its result and its cost in CPU time; zero if that is not available.
pub fn cost<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = cpu_time();
    let done = work();
    let cost = cpu_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    (done, cost.unwrap_or_default())
}

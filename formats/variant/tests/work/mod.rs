//! How long this thread has been computing, whoever else was: what work costs, and not how long it took.

use std::time::Duration;

/// Returns the CPU time of this thread; none where that cannot be known.
pub fn cpu_time() -> Option<Duration> {
    let said = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    said.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

/// Does something, and returns what it cost in CPU time; nothing where that cannot be known.
pub fn cost<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = cpu_time();
    let done = work();
    let cost = cpu_time().zip(before).map(|(after, before)| after.saturating_sub(before));
    (done, cost.unwrap_or_default())
}

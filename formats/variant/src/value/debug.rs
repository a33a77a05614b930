//! The `Debug` output of values that nest deeper than a stack reaches.

use std::cell::Cell;
use std::fmt;

thread_local! {
    /// The number of containers around the value in the `Debug` output.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
}

/// Shows the contents of a container, unless it is nested too deeply.
pub(super) fn debug_inside(
    f: &mut fmt::Formatter<'_>,
    show: impl FnOnce(&mut fmt::Formatter<'_>) -> fmt::Result,
) -> fmt::Result {
    /// Few enough for a small stack, and more than a person reads.
    const DEEPEST: u32 = 64;

    /// Restores the count when it is dropped, also if showing panics.
    struct Back(u32);

    impl Drop for Back {
        fn drop(&mut self) {
            INSIDE.set(self.0);
        }
    }

    let back = Back(INSIDE.get());
    if back.0 == DEEPEST {
        return f.write_str("[..]");
    }
    INSIDE.set(back.0 + 1);
    show(f)
}

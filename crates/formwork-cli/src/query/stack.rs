//! The stack of a filter, and how much of it is left.

use std::cell::Cell;

/// Bytes of the stack of the thread; memory that is not used is not taken. Calls may use half of them. The rest is for the
/// code between two calls and for deep values.
const LARGE: usize = 512 << 20;

/// Bytes of the stack that a filter has without threads.
const SMALL: usize = 8 << 20;

thread_local! {
    static START: Cell<usize> = const { Cell::new(0) };
    static ROOM: Cell<usize> = const { Cell::new(0) };
    static TOO_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs what runs filters where they have enough stack.
pub(super) fn with_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Option<T> {
    let mut run = Some(run);
    let mut begin = |room: usize| {
        START.set(here());
        ROOM.set(room / 2);
        run.take().map(|run| run())
    };
    let ended = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("filter".to_owned()).stack_size(LARGE);
        thread.spawn_scoped(scope, || begin(LARGE)).map(|thread| thread.join())
    });
    match ended {
        Ok(ended) => ended.ok().flatten(),
        Err(_) => begin(SMALL),
    }
}

/// Returns where in the stack it is called.
#[inline(never)]
fn here() -> usize {
    let mark = 0_u8;
    std::ptr::from_ref(&mark).addr()
}

/// Remembers that a value was made that is nested too deep, where no error can be given.
pub(super) fn note_too_deep() {
    TOO_DEEP.set(true);
}

/// Returns the reason for which a filter ends: the stack comes to its end, or a value was nested too deep since this was
/// last asked.
pub(super) fn fault() -> Option<&'static str> {
    if START.get().abs_diff(here()) > ROOM.get() {
        return Some("the filter calls itself too often");
    }
    TOO_DEEP.replace(false).then_some("a value nests too deep")
}

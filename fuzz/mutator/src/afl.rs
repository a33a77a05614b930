//! The functions that AFL++ calls; `docs/custom_mutators.md` of AFL++ describes when.

use std::ffi::{c_char, c_uint, c_void};
use std::sync::{Mutex, PoisonError};

use formwork_kit::mutator::mutate_with;
use formwork_kit::tree::Tree;

use super::{format, slice};

/// AFL++ has one mutator in a process, and calls it from one thread.
static STATE: Mutex<State> = Mutex::new(State { seed: 0, made: Vec::new(), done: [0; NAME] });

/// The size of the buffer for the name of a mutation.
const NAME: usize = 32;

struct State {
    /// Counts up with every mutation.
    seed: u64,
    /// The last generated input. AFL++ reads it until it asks for the next one.
    made: Vec<u8>,
    /// The name of the last mutation, padded with zeros.
    done: [u8; NAME],
}

/// Sets the seed. Returns a pointer that represents the state and is not null.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_init(_afl: *mut c_void, seed: c_uint) -> *mut c_void {
    // If the environment names no format, fail now, not at the first mutation.
    format();
    STATE.lock().unwrap_or_else(PoisonError::into_inner).seed = u64::from(seed) << 32;
    (&raw const STATE).cast::<c_void>().cast_mut()
}

/// Makes another input and stores its address in `out`. Returns its number of bytes.
///
/// # Safety
///
/// `size` bytes can be read at `data`, `add_size` at `add`, and `out` can be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_fuzz(
    _state: *mut c_void,
    data: *mut u8,
    size: usize,
    out: *mut *mut u8,
    add: *mut u8,
    add_size: usize,
    max_size: usize,
) -> usize {
    // SAFETY: AFL++'s inputs have the given lengths; the second one may be null.
    let (packet, other) = unsafe { (slice(data, size), slice(add, add_size)) };
    let format = format();
    let donors: Vec<Tree> = match other {
        [] => Vec::new(),
        other => vec![Tree::of(other, format)],
    };
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    state.seed = state.seed.wrapping_add(1);
    let (mutation, made) = mutate_with(packet, &donors, max_size, state.seed, format);
    let name = mutation.map_or("", |mutation| mutation.name()).bytes();
    state.done = [0; NAME];
    for (place, letter) in state.done.iter_mut().take(NAME - 1).zip(name) {
        *place = letter;
    }
    state.made = made;
    if !out.is_null() {
        // SAFETY: `out` is not null, and points to AFL++'s place for the pointer.
        unsafe { *out = state.made.as_mut_ptr() };
    }
    state.made.len()
}

/// Returns the name of the last mutation, which AFL++ adds to file names.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_describe(_state: *mut c_void, max_length: usize) -> *const c_char {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(end) = state.done.get_mut(max_length.saturating_sub(1)) {
        *end = 0;
    }
    state.done.as_ptr().cast()
}

/// Frees the last input.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_deinit(_state: *mut c_void) {
    STATE.lock().unwrap_or_else(PoisonError::into_inner).made = Vec::new();
}

//! A C interface to formwork's typed mutations: `formwork_mutator.h` documents each function.
//!
//! The functions that libFuzzer and AFL++ call take the format from the environment variable
//! `FORMWORK_FORMAT`. No input makes them panic. A panic would be a fault of formwork, and ends the process
//! with its message.

mod afl;

use std::ffi::{CStr, c_char, c_uint};
use std::sync::OnceLock;

use formwork_kit::Format;
use formwork_kit::mutator::{cross_over, mutate_in_place, mutate_in_turn};

/// The environment variable that names the format.
const VARIABLE: &str = "FORMWORK_FORMAT";

/// Returns the format that the environment names. Without one the process ends.
fn format() -> Format {
    static FORMAT: OnceLock<Format> = OnceLock::new();
    *FORMAT.get_or_init(|| {
        let name = std::env::var(VARIABLE).unwrap_or_default();
        name.parse().unwrap_or_else(|unknown| {
            eprintln!("formwork_mutator: {VARIABLE}={name}: {unknown}");
            std::process::exit(2)
        })
    })
}

/// Returns the bytes at a pointer from C, which may be null if there are none.
///
/// # Safety
///
/// `size` bytes can be read at `data`, and nobody writes them while the slice lives.
unsafe fn slice<'a>(data: *const u8, size: usize) -> &'a [u8] {
    if data.is_null() || size == 0 {
        return &[];
    }
    // SAFETY: the pointer is not null, and the caller vouches for `size` bytes.
    unsafe { std::slice::from_raw_parts(data, size) }
}

/// Returns the caller's bytes for writing.
///
/// # Safety
///
/// `size` bytes can be read and written at `data`, and nobody else does while the slice lives.
unsafe fn slice_mut<'a>(data: *mut u8, size: usize) -> &'a mut [u8] {
    if data.is_null() || size == 0 {
        return &mut [];
    }
    // SAFETY: the pointer is not null, and the caller vouches for `size` bytes.
    unsafe { std::slice::from_raw_parts_mut(data, size) }
}

/// Mutates a packet in place.
///
/// # Safety
///
/// `format` is a text that ends with a zero byte; the larger of `size` and `max_size` bytes can be
/// read and written at `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn formwork_mutate(
    format: *const c_char,
    data: *mut u8,
    size: usize,
    max_size: usize,
    seed: u64,
) -> usize {
    if format.is_null() {
        return usize::MAX;
    }
    // SAFETY: the pointer is not null, and the caller vouches for the zero byte at the end of the text.
    let format = unsafe { CStr::from_ptr(format) };
    // SAFETY: the caller vouches for the larger of the two sizes.
    let data = unsafe { slice_mut(data, size.max(max_size)) };
    match format.to_str().ok().and_then(|name| name.parse().ok()) {
        Some(format) => mutate_in_place(data, size, max_size, seed, format),
        None => usize::MAX,
    }
}

unsafe extern "C" {
    /// libFuzzer's mutator, if the process has libFuzzer: see `fuzzer.c`.
    fn formwork_fuzzer_mutate(data: *mut u8, size: usize, max_size: usize) -> usize;
}

/// Lets libFuzzer mutate an input, and returns the new size. Without libFuzzer in this process, it changes
/// nothing and returns [`None`].
fn fuzzer_mutate(data: &mut [u8], size: usize, max_size: usize) -> Option<usize> {
    let max_size = max_size.min(data.len());
    // SAFETY: `max_size` bytes of `data` can be read and written, and nobody else does until the call
    // returns.
    let made = unsafe { formwork_fuzzer_mutate(data.as_mut_ptr(), size.min(max_size), max_size) };
    (made <= max_size).then_some(made)
}

/// Makes another input for libFuzzer. A share of the inputs comes from libFuzzer's own mutator, with its
/// dictionary and the comparisons that it has seen.
///
/// # Safety
///
/// The larger of `size` and `max_size` bytes can be read and written at `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerCustomMutator(
    data: *mut u8,
    size: usize,
    max_size: usize,
    seed: c_uint,
) -> usize {
    // SAFETY: libFuzzer's input has room for the larger number of bytes.
    let data = unsafe { slice_mut(data, size.max(max_size)) };
    let typed = |data: &mut [u8]| mutate_in_place(data, size, max_size, seed.into(), format());
    mutate_in_turn(data, size, max_size, seed.into(), format(), |data, size, max_size| {
        fuzzer_mutate(data, size, max_size).unwrap_or_else(|| typed(data))
    })
}

/// Makes an input from two others for libFuzzer.
///
/// # Safety
///
/// `size1` and `size2` bytes can be read at `data1` and `data2`, and `max_out_size` bytes written at `out`,
/// which does not overlap the other two.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerCustomCrossOver(
    data1: *const u8,
    size1: usize,
    data2: *const u8,
    size2: usize,
    out: *mut u8,
    max_out_size: usize,
    seed: c_uint,
) -> usize {
    // SAFETY: libFuzzer's inputs have the given lengths.
    let (first, second) = unsafe { (slice(data1, size1), slice(data2, size2)) };
    // SAFETY: libFuzzer's third buffer has room for `max_out_size` bytes, and does not overlap the other two.
    let out = unsafe { slice_mut(out, max_out_size) };
    let made = cross_over(first, second, max_out_size, seed.into(), format());
    out.get_mut(..made.len()).map_or(0, |place| {
        place.copy_from_slice(&made);
        made.len()
    })
}

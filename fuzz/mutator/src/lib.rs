//! formwork's typed mutation behind a C interface: `formwork_mutator.h` says what each function
//! does.
//!
//! What libFuzzer and AFL++ call takes the format from the environment variable `FORMWORK_FORMAT`.
//! No input makes them panic; a panic would be a fault of formwork, and ends the process with its message.

mod afl;

use std::ffi::{CStr, c_char, c_uint};
use std::sync::OnceLock;

use formwork_kit::Format;
use formwork_kit::mutator::{cross_over, mutate_in_place, mutate_in_turn};

/// The environment variable that names the format.
const VARIABLE: &str = "FORMWORK_FORMAT";

/// The format that the environment names. Without one nothing can be done, so the process ends.
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

/// The bytes behind a pointer of C's, which may be null where there are none.
///
/// # Safety
///
/// So many bytes can be read there, and nobody writes them while the slice lives.
unsafe fn slice<'a>(data: *const u8, size: usize) -> &'a [u8] {
    if data.is_null() || size == 0 {
        return &[];
    }
    // SAFETY: the pointer is not null, and the caller vouches for so many bytes.
    unsafe { std::slice::from_raw_parts(data, size) }
}

/// Returns the caller's bytes, to be written.
///
/// # Safety
///
/// So many bytes can be read and written there, and nobody else does while the slice lives.
unsafe fn slice_mut<'a>(data: *mut u8, size: usize) -> &'a mut [u8] {
    if data.is_null() || size == 0 {
        return &mut [];
    }
    // SAFETY: the pointer is not null, and the caller vouches for so many bytes.
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
    // SAFETY: not null, and the caller vouches for its end.
    let format = unsafe { CStr::from_ptr(format) };
    // SAFETY: the caller vouches for the larger of the two.
    let data = unsafe { slice_mut(data, size.max(max_size)) };
    match format.to_str().ok().and_then(|name| name.parse().ok()) {
        Some(format) => mutate_in_place(data, size, max_size, seed, format),
        None => usize::MAX,
    }
}

unsafe extern "C" {
    /// libFuzzer's own mutator, if there is a libFuzzer: see `fuzzer.c`.
    fn formwork_fuzzer_mutate(data: *mut u8, size: usize, max_size: usize) -> usize;
}

/// Lets libFuzzer mutate an input. Returns its new size; [`None`], and nothing changed, where there
/// is no libFuzzer in this process.
fn fuzzer_mutate(data: &mut [u8], size: usize, max_size: usize) -> Option<usize> {
    let max_size = max_size.min(data.len());
    // SAFETY: so many bytes can be read and written there, and nobody else does until it returns.
    let made = unsafe { formwork_fuzzer_mutate(data.as_mut_ptr(), size.min(max_size), max_size) };
    (made <= max_size).then_some(made)
}

/// What libFuzzer calls for another input. A share of them it makes itself, with its dictionary and
/// what it learned from comparisons.
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
    // SAFETY: libFuzzer's input has room for so many bytes.
    let data = unsafe { slice_mut(data, size.max(max_size)) };
    let typed = |data: &mut [u8]| mutate_in_place(data, size, max_size, seed.into(), format());
    mutate_in_turn(data, size, max_size, seed.into(), format(), |data, size, max_size| {
        fuzzer_mutate(data, size, max_size).unwrap_or_else(|| typed(data))
    })
}

/// What libFuzzer calls for an input made of two.
///
/// # Safety
///
/// `size1` and `size2` bytes can be read at `data1` and `data2`, and `max_out_size` written at `out`,
/// which is another place.
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
    // SAFETY: libFuzzer's inputs are as long as it says.
    let (first, second) = unsafe { (slice(data1, size1), slice(data2, size2)) };
    // SAFETY: libFuzzer's third buffer has room for so many bytes, and is none of the two.
    let out = unsafe { slice_mut(out, max_out_size) };
    let made = cross_over(first, second, max_out_size, seed.into(), format());
    out.get_mut(..made.len()).map_or(0, |place| {
        place.copy_from_slice(&made);
        made.len()
    })
}

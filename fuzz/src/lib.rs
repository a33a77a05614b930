//! What the targets share.

pub use formwork_kit::mutator::is_fuzzers_turn;
pub use libfuzzer_sys;

/// A target: calls its body with every input that libFuzzer makes.
///
/// Behind the body stands what changes and crosses inputs, where they are packets or files. A share
/// of the changes is still libFuzzer's own: they know what the target compares with.
#[macro_export]
macro_rules! target {
    ($body:path) => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $body(data));
    };
    ($body:path, $mutate:path, $cross_over:path) => {
        $crate::target!($body);
        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8],
                                              size: usize,
                                              max_size: usize,
                                              seed: u32| {
            if $crate::is_fuzzers_turn(seed.into()) {
                $crate::libfuzzer_sys::fuzzer_mutate(data, size, max_size)
            } else {
                $mutate(data, size, max_size, seed.into())
            }
        });
        $crate::libfuzzer_sys::fuzz_crossover!(|first: &[u8],
                                                second: &[u8],
                                                out: &mut [u8],
                                                seed: u32| {
            $cross_over(first, second, out, seed.into())
        });
    };
}

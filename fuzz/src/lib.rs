//! The macro that declares a fuzz target.

pub use formwork_bodies::check;
pub use formwork_kit::mutator::is_fuzzers_turn;
pub use libfuzzer_sys;

/// Declares a target: its bodies check every input that libFuzzer makes.
///
/// Two functions mutate and cross inputs that are packets or files. A share of the mutations is left to
/// libFuzzer, whose mutator knows the constants that the target compares with.
#[macro_export]
macro_rules! target {
    ($bodies:path) => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::check($bodies, data));
    };
    ($bodies:path, $mutate:path, $cross_over:path) => {
        $crate::target!($bodies);
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

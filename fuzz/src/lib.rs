//! The macro that declares a target.

pub use formwork_bodies::run;
pub use formwork_kit::mutator::is_fuzzers_turn;
pub use libfuzzer_sys;

/// Declares a target: every input that libFuzzer makes is checked by the bodies that have the name of the program.
///
/// Two functions change and cross inputs that are packets or files. A share of the changes stays libFuzzer's
/// own: its changes use what the target compares with.
#[macro_export]
macro_rules! target {
    () => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::run(
            env!("CARGO_BIN_NAME"),
            data
        ));
    };
    ($mutate:path, $cross_over:path) => {
        $crate::target!();
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

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| formwork_bodies::container(input));

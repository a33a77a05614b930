#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| formwork::fuzzing::alb1::case(data));

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| formwork_bodies::alb1::case(data));

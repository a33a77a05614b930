#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| formwork_bodies::alb1::json(input));
formwork_bodies::mutators!(formwork_bodies::alb1::mutate, formwork_bodies::alb1::cross_over);

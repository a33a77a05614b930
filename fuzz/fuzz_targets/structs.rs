#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| formwork_bodies::structs(input));
formwork_bodies::mutators!(formwork_bodies::mutate, formwork_bodies::cross_over);

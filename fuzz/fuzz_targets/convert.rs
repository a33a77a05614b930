#![no_main]

formwork_fuzz::target!(
    formwork::fuzzing::convert,
    formwork::fuzzing::mutate,
    formwork::fuzzing::cross_over
);

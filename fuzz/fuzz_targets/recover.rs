#![no_main]

formwork_fuzz::target!(
    formwork::fuzzing::recover,
    formwork::fuzzing::mutate,
    formwork::fuzzing::cross_over
);

#![no_main]

formwork_fuzz::target!(
    formwork::fuzzing::inspect,
    formwork::fuzzing::mutate,
    formwork::fuzzing::cross_over
);

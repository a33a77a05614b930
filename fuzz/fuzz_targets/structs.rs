#![no_main]

formwork_fuzz::target!(
    formwork::fuzzing::structs,
    formwork::fuzzing::mutate,
    formwork::fuzzing::cross_over
);

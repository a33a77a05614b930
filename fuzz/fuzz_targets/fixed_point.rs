#![no_main]

formwork_fuzz::target!(
    formwork::fuzzing::fixed_point,
    formwork::fuzzing::mutate,
    formwork::fuzzing::cross_over
);

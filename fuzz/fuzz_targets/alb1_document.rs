#![no_main]

formwork_fuzz::target!(
    formwork::fuzzing::alb1::document,
    formwork::fuzzing::alb1::mutate,
    formwork::fuzzing::alb1::cross_over
);
